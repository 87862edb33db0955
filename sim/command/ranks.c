#include "sim/command/ranks.h"

#include "sim/experiment/read/sha256.h"
#include "sim/experiment/run/mpi.h"
#include "vdisim/version.h"

#include <fcntl.h>
#include <gsl/gsl_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void leave(void)
{
    int status = EXIT_USAGE;
    mpi_finish(&status);
}

static void fall_silent(struct ranks *ranks)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    ranks->standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

bool ranks_begin(struct ranks *ranks, int *argc, char ***argv)
{
    char message[UNIT_MESSAGE_SIZE];
    ranks->standard_error = -1;
    if (!mpi_start(argc, argv, message)) {
        fprintf(stderr, "vdisim run: %s\n", message);
        return false;
    }
    atexit(leave); /* wrong arguments end the program while they are read */
    if (mpi_rank() > 0)
        fall_silent(ranks);
    return true;
}

bool ranks_know_each_other(bool is_shard)
{
    size_t count, rank;
    if (is_shard || mpi_size() > 1 || !mpi_would_be_needed(&count, &rank))
        return true;
    if (rank > 0)
        return false;
    if (mpi_is_built_in())
        fprintf(stderr,
                "vdisim run: %zu ranks were started, but not in a way that MPI knows of, so each would run "
                "everything; use mpirun or srun --mpi=pmix, or --shard\n",
                count);
    else
        fprintf(
            stderr,
            "vdisim run: this vdisim was built without MPI, so %zu ranks would each run everything; build "
            "with cmake -DVDISIM_MPI=ON, or use --shard\n",
            count);
    return false;
}

static void hash_all(const struct experiment *const *experiments, size_t count, char digits[SHA256_HEX_SIZE])
{
    struct sha256 hash;
    sha256_init(&hash);
    for (size_t i = 0; i < count; i++)
        sha256_add(&hash, experiment_hash(experiments[i]), SHA256_HEX_SIZE - 1);
    sha256_finish(&hash, digits);
}

enum exit_status ranks_meet(struct ranks *ranks, enum exit_status status,
                            const struct experiment *const *experiments, size_t count)
{
    char message[UNIT_MESSAGE_SIZE], version[128], hash[SHA256_HEX_SIZE];
    snprintf(version, sizeof version, "%s (%s, GSL %s)", VDISIM_VERSION,
             VDISIM_COMMIT[0] != '\0' ? VDISIM_COMMIT : "no commit", gsl_version);
    if (status == EXIT_FINE)
        hash_all(experiments, count, hash);
    bool agreed = mpi_agree(version, status == EXIT_FINE ? hash : NULL, message);
    if (ranks->standard_error >= 0) {
        fflush(stderr);
        dup2(ranks->standard_error, STDERR_FILENO);
        close(ranks->standard_error);
        ranks->standard_error = -1;
    }
    if (message[0] != '\0')
        fprintf(stderr, "vdisim run: %s\n", message);
    return agreed || status != EXIT_FINE ? status : EXIT_USAGE;
}

enum exit_status ranks_end(enum exit_status status)
{
    int common = (int)status;
    mpi_finish(&common);
    return (enum exit_status)common;
}
