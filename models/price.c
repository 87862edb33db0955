#include "vdisim/price.h"

#include <math.h>

#define SECONDS_A_MONTH (730.0 * 3600.0)

#define PRICE_MOST 1e9
#define ROW(key, field, text)                                                                                \
    {                                                                                                        \
        .name = key, .type = PARAMETER_NUMBER, .offset = offsetof(struct price, field),                      \
        .maximum = PRICE_MOST, .optional = true, .help = text                                                \
    }

static const struct parameter price_rows[] = {
    ROW("month", fixed_month, "A month, whatever the size and the load"),
    ROW("gib_month", gib_month, "A GiB and month"),
    {.name = "billed",
     .type = PARAMETER_FRACTION,
     .offset = offsetof(struct price, billed_fraction),
     .maximum = 1,
     .help = "Share of the size that is billed: all where it is provisioned, what is stored where that is "
             "billed"},
    ROW("writes", write_10k, "10,000 writes and opens"),
    ROW("reads", read_10k, "10,000 reads, queries and listings"),
    ROW("others", other_10k, "10,000 other transactions"),
    {.name = "busy",
     .type = PARAMETER_FRACTION,
     .offset = offsetof(struct price, busy_fraction),
     .maximum = 1,
     .help = "Share of the month over which the load that is measured goes on"},
};

const struct parameter_table price_parameters = {
    .name = "price",
    .help = "What a store costs",
    .size = sizeof(struct price),
    .section = "prices",
    .selector = "list",
    PARAMETER_ROWS(price_rows),
};

bool price_is_known(const struct price *price)
{
    return price->fixed_month > 0.0 || price->gib_month > 0.0 || price->write_10k > 0.0 ||
           price->read_10k > 0.0 || price->other_10k > 0.0;
}

double price_month(const struct price *price, double size_gib,
                   const double operations_per_s[OPERATION_CLASS_COUNT])
{
    const double of_class[OPERATION_CLASS_COUNT] = {
        [CLASS_CREATE] = price->write_10k, [CLASS_QUERY] = price->read_10k,  [CLASS_READ] = price->read_10k,
        [CLASS_WRITE] = price->write_10k,  [CLASS_CLOSE] = price->other_10k, [CLASS_OTHER] = price->other_10k,
    };
    double a_second = 0.0;
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++)
        a_second += operations_per_s[class_of] * of_class[class_of] / 10000.0;
    return price->fixed_month + size_gib * price->billed_fraction * price->gib_month +
           a_second * SECONDS_A_MONTH * price->busy_fraction;
}
