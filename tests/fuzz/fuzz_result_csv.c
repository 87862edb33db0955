/* The rows of a result folder's CSV files: any bytes are read or refused with a message that names a line. */
#include "sim/experiment/result/result_csv.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool take(void *context, const struct result_csv_row *row, const char **why)
{
    size_t *rows = context;
    (void)why;
    ++*rows;
    assert(row->count > 0);
    for (size_t i = 0; i < row->count; i++)
        assert(strlen(row->fields[i]) < SIZE_MAX && strlen(row->heading[i]) < SIZE_MAX);
    (void)result_csv_number(row, "mean");
    (void)result_csv_ordinal(row, "cell");
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char message[256];
    size_t rows = 0;
    FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
    assert(in != NULL);
    if (!result_csv_read(in, "x.csv", take, &rows, message, sizeof message))
        assert(strncmp(message, "x.csv:", 6) == 0);
    fclose(in);
    return 0;
}
