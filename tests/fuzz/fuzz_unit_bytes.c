/* Outcomes of units as bytes: any bytes are read or refused; what was read is written as the same bytes. */
#include "sim/experiment/run/unit_bytes.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* unit.c can also run units; that needs an experiment, and nobody does it here. */
const struct cell *experiment_cell(const struct experiment *experiment, size_t index)
{
    (void)experiment;
    (void)index;
    abort();
}

const struct run_settings *experiment_run(const struct experiment *experiment)
{
    (void)experiment;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct unit_outcome outcome;
    struct unit_bytes bytes = {0};
    /* The length is put right, so that what lies behind it is reached. */
    unsigned char *input = malloc(size + 1);
    assert(input != NULL);
    memcpy(input, data, size);
    for (size_t i = 0; size >= 20 && i < 8; i++)
        input[12 + i] = (unsigned char)(size >> (8 * i));
    if (unit_decode(input, size, &outcome, message)) {
        assert(unit_encode(&outcome, &bytes));
        assert(bytes.size == size && memcmp(bytes.data, input, size) == 0);
    } else {
        assert(message[0] != '\0' && outcome.names == NULL && outcome.logons == NULL);
    }
    unit_release(&outcome);
    unit_bytes_release(&bytes);
    free(input);
    return 0;
}
