/* What a store costs a month, meter by meter, from a dated price list and from what was asked of it.
 *
 *     storage      GiB x billed share x price a GiB
 *     transactions of a month / 10,000 x price of their class
 *     retrieval    GiB that leave the store in a month x price a GiB
 *     iops         IOPS bought beyond those included x price of one; throughput likewise
 *     snapshots    GiB of them x price a GiB
 *     fixed        whatever is used: machines
 *
 * Transactions are billed by class as Azure Files bills them (Microsoft, understanding-billing): an open is a write, whatever
 * it is for; reads, queries and listings are reads; all else, closing included, is "other". A month has 730 hours. The
 * load measured in a run is taken to go on over the busy share of the month.
 *
 * A price is of a currency, a date and a region: `currency` and `date` belong to every list.
 */
#ifndef VDISIM_PRICE_H
#define VDISIM_PRICE_H

#include "vdisim/outcome.h"
#include "vdisim/parameter.h"

#define PRICE_HOURS_A_MONTH 730.0

struct price {
    const char *currency;   /* "USD"; NULL: not told */
    const char *date;       /* "2024-07", or "undated" */
    const char *region;     /* NULL: not told */
    double fixed_month;     /* whatever is used: machines */
    double gib_month;       /* a GiB of the size */
    double billed_fraction; /* of the size: 1 where it is provisioned, what is stored where that is billed */
    double write_10k, read_10k, other_10k;
    double retrieved_gib;                         /* a GiB read */
    double iops_month, included_iops;             /* an IOPS bought beyond those included */
    double throughput_month, included_throughput; /* a MiB/s of a share, a MB/s of FSx: as it is sold */
    double snapshot_gib_month;
    int64_t snapshot_bytes;
    double busy_fraction;
    struct parameter_texts meters; /* what the tier bills: names of rows that a list must price */
};

/* What there is to be billed. */
struct billed {
    double size_gib;
    double iops, throughput;                        /* bought apart from the size, as sold; 0: not sold */
    double operations_per_s[OPERATION_CLASS_COUNT]; /* while it is busy */
    double egress_gib_per_s;                        /* while it is busy */
};

/* A month's bill, in the currency of the list. */
struct bill {
    double fixed, storage, writes, reads, others, retrieval, iops, throughput, snapshots;
    double transactions; /* writes, reads and others together */
    double month;        /* all */
};

extern const struct parameter_table price_parameters;

/* True when any price is set. */
bool price_is_known(const struct price *price);

struct bill price_bill(const struct price *price, const struct billed *billed);

/* "USD, prices of 2024-07, West US". Returns `text`. */
const char *price_statement(const struct price *price, char *text, size_t size);

#endif
