/* Any bytes as a price list: entries of the catalogue, or problems. */
#include "sim/experiment/read/price_list.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_create();
    struct problems *problems = problems_create();
    const struct vocabulary vocabulary = vocabulary_of_models();
    struct catalogue *catalogue = catalogue_create(arena, &vocabulary);
    const struct csv_table *table = csv_table_parse(arena, "x.csv", (const char *)data, size, problems);
    if (table != NULL)
        price_list_add(catalogue, &table, 1, problems);
    const struct catalogue_section *prices = catalogue_section(catalogue, "prices");
    if (problems_errors(problems) == 0 && table->rows > 0 && (prices == NULL || prices->count == 0))
        abort();
    for (size_t i = 0; prices != NULL && i < prices->count; i++)
        if (problems_errors(problems) == 0 && prices->entries[i]->rules_count == 0)
            abort();
    arena_destroy(arena);
    problems_destroy(problems);
    return 0;
}
