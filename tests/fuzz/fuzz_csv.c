/* Any bytes as a CSV table: a table whose every field can be read, or problems. */
#include "sim/experiment/read/csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_create();
    struct problems *problems = problems_create();
    const struct csv_table *table = csv_table_parse(arena, "x.csv", (const char *)data, size, problems);
    if ((table == NULL) != (problems_errors(problems) > 0))
        abort();
    size_t bytes = 0;
    for (size_t row = 0; table != NULL && row < table->rows; row++)
        for (size_t column = 0; column < table->columns; column++)
            bytes += strlen(csv_table_field(table, row, column)->text);
    if (bytes > size)
        abort();
    arena_destroy(arena);
    problems_destroy(problems);
    return 0;
}
