/* What started this process, by what it left in the environment. */
#include "sim/experiment/run/mpi.h"

#include <errno.h>
#include <stdlib.h>

static bool number_of(const char *name, size_t *value)
{
    const char *text = getenv(name);
    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    *value = number;
    return errno == 0 && *end == '\0';
}

bool mpi_would_be_needed(size_t *ranks, size_t *rank)
{
    /* Open MPI; MPICH and its kin; any job step of Slurm. */
    static const struct {
        const char *ranks, *rank;
    } launchers[] = {
        {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
        {"PMI_SIZE", "PMI_RANK"},
        {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
    };
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
        if (number_of(launchers[i].ranks, ranks) && number_of(launchers[i].rank, rank))
            return *ranks > 1;
    *ranks = 1;
    *rank = 0;
    return false;
}
