/* The prices that an experiment uses, as one states them: never a price without its currency, date and region. */
#ifndef VDISIM_STATED_PRICES_H
#define VDISIM_STATED_PRICES_H

#include "sim/experiment/read/experiment.h"

/* Fills the experiment's statements from its cells' stores; two currencies in one experiment are a problem. */
void experiment_state_prices(struct experiment *experiment, struct problems *problems);

/* The price a store of a cell has, or NULL. */
struct price;
const struct price *store_part_price(const struct store_part *store);

#endif
