#include "sim/experiment/read/stated_prices.h"

#include "sim/experiment/read/date.h"
#include "sim/experiment/read/opening.h"
#include "vdisim/price.h"

#include <string.h>

/* Of a list of the catalogue that says that no date was found. */
#define UNDATED "undated"

const struct price *store_part_price(const struct store_part *store)
{
    const struct price *price = store->kind->price != NULL ? store->kind->price(store->settings) : NULL;
    return price != NULL && price_is_known(price) ? price : NULL;
}

/* Where the price of a store is written, or the store. */
static struct position place_of(const struct experiment *experiment, size_t cell, const char *store)
{
    static const char *const tails[] = {".price", ""};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        const struct node *node = node_at_path(
            experiment->cells[cell].root, arena_format(experiment->arena, "stores.%s%s", store, tails[i]));
        if (node != NULL)
            return node->at;
    }
    return (struct position){.file = experiment->path};
}

static void keep(struct experiment *experiment, const char *statement)
{
    for (size_t i = 0; i < experiment->price_count; i++)
        if (strcmp(experiment->prices[i], statement) == 0)
            return;
    ARENA_GROW(experiment->arena, experiment->prices, experiment->price_count);
    experiment->prices[experiment->price_count++] = arena_text(experiment->arena, statement);
}

void experiment_state_prices(struct experiment *experiment, struct problems *problems)
{
    const struct price *first = NULL;
    const char *first_store = NULL;
    char statement[256];
    for (size_t i = 0; i < experiment->cell_count; i++) {
        const struct scenario *scenario = experiment->cells[i].cell.scenario;
        for (size_t j = 0; j < scenario->store_count; j++) {
            const struct price *price = store_part_price(&scenario->stores[j]);
            if (price == NULL)
                continue;
            if (first == NULL) {
                first = price;
                first_store = scenario->stores[j].name;
            }
            if (strcmp(first->currency, price->currency) != 0) {
                problem_add(problems, PROBLEM_ERROR, place_of(experiment, i, scenario->stores[j].name),
                            "%s has prices in %s, %s in %s; an experiment has one currency",
                            scenario->stores[j].name, price->currency, first_store, first->currency);
                return;
            }
            if (!is_month_or_day(price->date) && strcmp(price->date, UNDATED) != 0) {
                problem_add(problems, PROBLEM_ERROR, place_of(experiment, i, scenario->stores[j].name),
                            "'%.60s' is not the date of a price: 2021-01 or 2021-01-27", price->date);
                return;
            }
            if (price->snapshot_bytes > 0 && price->snapshot_gib_month <= 0.0) {
                problem_add(problems, PROBLEM_ERROR, place_of(experiment, i, scenario->stores[j].name),
                            "%s has snapshots, of which the price list has no price (snapshot_gib_month)",
                            scenario->stores[j].name);
                return;
            }
            keep(experiment, price_statement(price, statement, sizeof statement));
        }
    }
}

const char *const *experiment_prices(const struct experiment *experiment, size_t *count)
{
    *count = experiment->price_count;
    return experiment->prices;
}
