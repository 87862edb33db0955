/* What a store costs a month, from a dated price list and from what was asked of it.
 *
 *     cost = fixed + GiB x billed share x price a GiB
 *            + transactions of a month / 10,000 x price of their class, for the share of the month that is busy
 *
 * Transactions are billed by class as Azure Files bills them (Microsoft, understanding-billing): an open is a write, whatever
 * it is for; reads, queries and listings are reads; all else, closing included, is "other". A month has 730 hours. The
 * load measured in a run is taken to go on over the busy share of the month.
 */
#ifndef VDISIM_PRICE_H
#define VDISIM_PRICE_H

#include "vdisim/outcome.h"
#include "vdisim/parameter.h"

struct price {
    double fixed_month;     /* whatever is used: machines */
    double gib_month;       /* a GiB of the size */
    double billed_fraction; /* of the size: 1 where it is provisioned, what is stored where that is billed */
    double write_10k, read_10k, other_10k;
    double busy_fraction;
};

extern const struct parameter_table price_parameters;

/* True when any price is set. */
bool price_is_known(const struct price *price);

/* A month of a store of this size, with so many operations a second of each class while it is busy. */
double price_month(const struct price *price, double size_gib,
                   const double operations_per_s[OPERATION_CLASS_COUNT]);

#endif
