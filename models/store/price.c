#include "vdisim/price.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SECONDS_A_MONTH (PRICE_HOURS_A_MONTH * 3600.0)
#define BYTES_A_GIB     1073741824.0

#define PRICE_MOST 1e9
#define ROW(key, field, text)                                                                                \
    {                                                                                                        \
        .name = key, .type = PARAMETER_NUMBER, .offset = offsetof(struct price, field),                      \
        .maximum = PRICE_MOST, .optional = true, .help = text                                                \
    }
#define TEXT_ROW(key, field, text)                                                                           \
    {                                                                                                        \
        .name = key, .type = PARAMETER_TEXT, .offset = offsetof(struct price, field), .optional = true,      \
        .help = text                                                                                         \
    }

static const struct parameter price_rows[] = {
    TEXT_ROW("currency", currency, "Currency of all prices of the list, e.g. USD; belongs to every price"),
    TEXT_ROW("date", date, "When these were the prices, YYYY-MM or YYYY-MM-DD; belongs to every price"),
    TEXT_ROW("region", region, "Where they were the prices"),
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
    ROW("retrieval", retrieved_gib, "A GiB read"),
    ROW("iops", iops_month, "An IOPS bought and month, beyond those included"),
    ROW("included_iops", included_iops, "IOPS that are not billed"),
    ROW("throughput", throughput_month,
        "A MiB/s bought and month (MB/s where throughput is sold so), beyond what is included"),
    ROW("included_throughput", included_throughput, "Throughput that is not billed, in the same unit"),
    ROW("snapshot_gib_month", snapshot_gib_month, "A GiB of snapshots and month"),
    {.name = "snapshots",
     .type = PARAMETER_SIZE,
     .offset = offsetof(struct price, snapshot_bytes),
     .maximum = 1e18,
     .optional = true,
     .help = "Size of the snapshots kept"},
    {.name = "busy",
     .type = PARAMETER_FRACTION,
     .offset = offsetof(struct price, busy_fraction),
     .maximum = 1,
     .help = "Share of the month over which the load that is measured goes on"},
    {.name = "meters",
     .type = PARAMETER_TEXTS,
     .offset = offsetof(struct price, meters),
     .optional = true,
     .help = "What the tier bills: the prices that a list of it must have"},
};

static double price_of(const struct price *price, const struct parameter *row)
{
    return *(const double *)(const void *)((const char *)price + row->offset);
}

/* A row of a price by name, NULL when there is none. */
static const struct parameter *row_of(const char *name)
{
    for (size_t i = 0; i < sizeof price_rows / sizeof price_rows[0]; i++)
        if (price_rows[i].type == PARAMETER_NUMBER && strcmp(price_rows[i].name, name) == 0)
            return &price_rows[i];
    return NULL;
}

static bool is_priced(const struct price *price, const char *meter, struct parameter_problem *problem)
{
    const struct parameter *row = row_of(meter);
    if (row != NULL && price_of(price, row) > 0.0)
        return true;
    problem->parameter = NULL;
    if (row == NULL)
        snprintf(problem->message, sizeof problem->message, "'%.60s' is not a meter that has a price", meter);
    else
        snprintf(problem->message, sizeof problem->message,
                 "this tier bills %s, of which the price list has no price", meter);
    return false;
}

static bool price_check(const void *settings, struct parameter_problem *problem)
{
    const struct price *price = settings;
    if (!price_is_known(price))
        return true;
    if (price->currency == NULL || price->date == NULL) {
        problem->parameter = NULL;
        snprintf(problem->message, sizeof problem->message,
                 "a price needs its %s, e.g. %s, or is one of a list",
                 price->currency == NULL ? "currency" : "date",
                 price->currency == NULL ? "currency: USD" : "date: 2024-07");
        return false;
    }
    for (size_t i = 0; i < price->meters.count; i++)
        if (!is_priced(price, price->meters.texts[i], problem))
            return false;
    return true;
}

const struct parameter_table price_parameters = {
    .name = "price",
    .help = "What a store costs",
    .size = sizeof(struct price),
    .section = "prices",
    .selector = "list",
    PARAMETER_ROWS(price_rows),
    .check = price_check,
};

bool price_is_known(const struct price *price)
{
    return price->fixed_month > 0.0 || price->gib_month > 0.0 || price->write_10k > 0.0 ||
           price->read_10k > 0.0 || price->other_10k > 0.0 || price->retrieved_gib > 0.0 ||
           price->iops_month > 0.0 || price->throughput_month > 0.0 || price->snapshot_gib_month > 0.0;
}

static void bill_transactions(const struct price *price, const struct billed *billed, struct bill *bill)
{
    const struct {
        double price;
        double *meter;
    } of_class[OPERATION_CLASS_COUNT] = {
        [CLASS_CREATE] = {price->write_10k, &bill->writes}, [CLASS_QUERY] = {price->read_10k, &bill->reads},
        [CLASS_READ] = {price->read_10k, &bill->reads},     [CLASS_WRITE] = {price->write_10k, &bill->writes},
        [CLASS_CLOSE] = {price->other_10k, &bill->others},  [CLASS_OTHER] = {price->other_10k, &bill->others},
    };
    const double seconds = SECONDS_A_MONTH * price->busy_fraction;
    double a_second = 0.0;
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++) {
        const double cost = billed->operations_per_s[class_of] * of_class[class_of].price / 10000.0;
        a_second += cost;
        *of_class[class_of].meter += cost * seconds;
    }
    bill->transactions = a_second * SECONDS_A_MONTH * price->busy_fraction;
}

struct bill price_bill(const struct price *price, const struct billed *billed)
{
    struct bill bill = {.fixed = price->fixed_month};
    bill.storage = billed->size_gib * price->billed_fraction * price->gib_month;
    bill_transactions(price, billed, &bill);
    bill.retrieval = billed->egress_gib_per_s * SECONDS_A_MONTH * price->busy_fraction * price->retrieved_gib;
    bill.iops = fmax(0.0, billed->iops - price->included_iops) * price->iops_month;
    bill.throughput = fmax(0.0, billed->throughput - price->included_throughput) * price->throughput_month;
    bill.snapshots = (double)price->snapshot_bytes / BYTES_A_GIB * price->snapshot_gib_month;
    bill.month = bill.fixed + bill.storage + bill.transactions +
                 (bill.retrieval + bill.iops + bill.throughput + bill.snapshots);
    return bill;
}

const char *price_statement(const struct price *price, char *text, size_t size)
{
    const bool dated = price->date != NULL && strcmp(price->date, "undated") != 0;
    snprintf(text, size, "%s, %s%s%s%s", price->currency != NULL ? price->currency : "currency not told",
             dated ? "prices of " : "undated prices", dated ? price->date : "",
             price->region != NULL ? ", " : "", price->region != NULL ? price->region : "");
    return text;
}
