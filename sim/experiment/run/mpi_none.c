/* A program that was built without MPI is rank 0 of 1. */
#include "sim/experiment/run/mpi.h"

#include <assert.h>
#include <stdio.h>

bool mpi_is_built_in(void)
{
    return false;
}

bool mpi_start(int *argc, char ***argv, char message[UNIT_MESSAGE_SIZE])
{
    (void)argc;
    (void)argv;
    message[0] = '\0';
    return true;
}

size_t mpi_rank(void)
{
    return 0;
}

size_t mpi_size(void)
{
    return 1;
}

bool mpi_agree(const char *version, const char *hash, char message[UNIT_MESSAGE_SIZE])
{
    (void)version;
    message[0] = '\0';
    return hash != NULL;
}

void mpi_serve(const struct experiment *const *experiments, size_t count)
{
    (void)experiments;
    (void)count;
    assert(!"only rank 0 of 1 exists");
}

void mpi_dismiss(void)
{
}

void mpi_finish(int *status)
{
    (void)status;
}

struct mpi_hand_out mpi_hand_out_usual(void)
{
    return (struct mpi_hand_out){.runs_units_itself = true};
}

bool mpi_hand_out_round(const struct round *round, const struct mpi_hand_out *how,
                        char message[UNIT_MESSAGE_SIZE])
{
    (void)round;
    (void)how;
    snprintf(message, UNIT_MESSAGE_SIZE, "this vdisim was built without MPI");
    return false;
}

bool round_by_mpi(const struct round *round, char message[UNIT_MESSAGE_SIZE])
{
    return mpi_hand_out_round(round, NULL, message);
}
