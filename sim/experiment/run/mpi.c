#include "sim/experiment/run/mpi.h"

#include "sim/experiment/run/little_endian.h"
#include "sim/experiment/run/mpi_message.h"
#include "sim/experiment/run/unit_bytes.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool mpi_is_built_in(void)
{
    return true;
}

static bool is_started(void)
{
    int started, finished;
    MPI_Initialized(&started);
    MPI_Finalized(&finished);
    return started && !finished;
}

bool mpi_start(int *argc, char ***argv, char message[UNIT_MESSAGE_SIZE])
{
    message[0] = '\0';
    bool is_launched =
        getenv("OMPI_COMM_WORLD_SIZE") != NULL || getenv("PMIX_RANK") != NULL || getenv("PMI_RANK") != NULL;
    if (!is_launched || is_started())
        return true;
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        snprintf(message, UNIT_MESSAGE_SIZE, "MPI cannot be started");
        return false;
    }
    if (provided < MPI_THREAD_FUNNELED) {
        snprintf(message, UNIT_MESSAGE_SIZE, "this MPI library allows no threads");
        return false;
    }
    return true;
}

size_t mpi_rank(void)
{
    int rank = 0;
    if (is_started())
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return (size_t)rank;
}

size_t mpi_size(void)
{
    int size = 1;
    if (is_started())
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    return (size_t)size;
}

/* What a rank says of itself; texts, cut where they are longer. */
struct identity {
    char version[128];
    char hash[128]; /* "": it could not read */
    char host[MPI_MAX_PROCESSOR_NAME];
};

static struct identity identity_of_this(const char *version, const char *hash)
{
    struct identity identity;
    int length;
    memset(&identity, 0, sizeof identity);
    snprintf(identity.version, sizeof identity.version, "%s", version);
    snprintf(identity.hash, sizeof identity.hash, "%s", hash != NULL ? hash : "");
    MPI_Get_processor_name(identity.host, &length);
    return identity;
}

/* Compares rank 0's identity with those of the others. */
static bool compare(const struct identity *all, size_t count, char message[UNIT_MESSAGE_SIZE])
{
    const struct identity *first = &all[0];
    if (first->hash[0] == '\0')
        return false;
    for (size_t rank = 1; rank < count; rank++) {
        const struct identity *other = &all[rank];
        if (strcmp(first->version, other->version) != 0)
            snprintf(message, UNIT_MESSAGE_SIZE, "rank %zu on %s is vdisim %s, rank 0 on %s is vdisim %s",
                     rank, other->host, other->version, first->host, first->version);
        else if (other->hash[0] == '\0')
            snprintf(message, UNIT_MESSAGE_SIZE,
                     "rank %zu on %s cannot read what rank 0 on %s has read: try 'vdisim check' there", rank,
                     other->host, first->host);
        else if (strcmp(first->hash, other->hash) != 0)
            snprintf(
                message, UNIT_MESSAGE_SIZE,
                "rank %zu on %s has read something else than rank 0 on %s: the experiment's hash is %.12s "
                "there, %.12s here",
                rank, other->host, first->host, other->hash, first->hash);
        else
            continue;
        return false;
    }
    return true;
}

bool mpi_agree(const char *version, const char *hash, char message[UNIT_MESSAGE_SIZE])
{
    message[0] = '\0';
    if (!is_started())
        return hash != NULL;
    struct identity own = identity_of_this(version, hash), *all = NULL;
    int agreed = 1, size = (int)mpi_size();
    if (mpi_rank() == 0) {
        all = calloc((size_t)size, sizeof *all);
        agreed = all != NULL;
    }
    MPI_Bcast(&agreed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!agreed) {
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        return false;
    }
    MPI_Gather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (all != NULL)
        agreed = compare(all, (size_t)size, message);
    free(all);
    MPI_Bcast(&agreed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return agreed;
}

uint64_t mpi_experiment_key(const struct experiment *experiment)
{
    char digits[17];
    snprintf(digits, sizeof digits, "%.16s", experiment_hash(experiment));
    return strtoull(digits, NULL, 16);
}

void mpi_pause(int64_t *pause_ns, int64_t longest_ns)
{
    struct timespec rest = {.tv_nsec = (long)*pause_ns};
    nanosleep(&rest, NULL);
    *pause_ns = 2 * *pause_ns < longest_ns ? 2 * *pause_ns : longest_ns;
}

static bool is_there(int tag, MPI_Status *status)
{
    int there;
    MPI_Iprobe(0, tag, MPI_COMM_WORLD, &there, status);
    return there;
}

static void wait_for_message(MPI_Status *status)
{
    int64_t pause_ns = FIRST_PAUSE_NS;
    while (!is_there(MPI_ANY_TAG, status))
        mpi_pause(&pause_ns, LONGEST_PAUSE_NS);
}

static void receive_nothing(int tag)
{
    MPI_Recv(NULL, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Between the slices of a unit. */
static bool is_told_to_stop(void *context)
{
    MPI_Status status;
    (void)context;
    if (!is_there(MPI_TAG_STOP, &status))
        return false;
    receive_nothing(MPI_TAG_STOP);
    return true;
}

static void send_reply(const struct unit_bytes *reply)
{
    MPI_Request request;
    int sent = 0;
    int64_t pause_ns = FIRST_PAUSE_NS;
    MPI_Isend(reply->data, (int)reply->size, MPI_BYTE, 0, MPI_TAG_REPLY, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &sent, MPI_STATUS_IGNORE); !sent; MPI_Test(&request, &sent, MPI_STATUS_IGNORE))
        mpi_pause(&pause_ns, LONGEST_PAUSE_NS);
}

static const struct experiment *find_experiment(const struct experiment *const *experiments, size_t count,
                                                uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        if (mpi_experiment_key(experiments[i]) == key)
            return experiments[i];
    assert(!"rank 0 hands out what all have agreed on");
    return NULL;
}

/* Runs one and leaves the reply in `reply`. False when there is no memory even for a reply. */
static bool answer(const struct experiment *experiment, const uint64_t work[WORK_NUMBERS],
                   struct unit_bytes *reply)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct unit_outcome outcome;
    struct unit unit = {(size_t)work[WORK_CELL], (size_t)work[WORK_REPLICATION]};
    struct unit_run run = {experiment, work[WORK_KEEP_RECORDS] != 0, is_told_to_stop, NULL, NULL};
    unsigned char front[REPLY_FRONT_BYTES] = {0};
    reply->size = 0;
    if (!unit_bytes_append(reply, front, sizeof front))
        return false;
    enum unit_end end = unit_execute(&run, unit, &outcome, message);
    if (end == UNIT_DONE && (!unit_encode(&outcome, reply) || reply->size > INT_MAX)) {
        const char *why = reply->size > INT_MAX ? "more than 2 GiB of records are too many for one message"
                                                : "out of memory";
        snprintf(message, sizeof message, "cell %zu, replication %zu: %s", unit.cell + 1,
                 unit.replication + 1, why);
        reply->size = sizeof front;
        end = UNIT_FAILED;
    }
    unit_release(&outcome);
    if (end == UNIT_FAILED && !unit_bytes_append(reply, message, strlen(message)))
        return false;
    little_endian_put(reply->data, work[WORK_INDEX]);
    little_endian_put(reply->data + 8, (uint64_t)end);
    return true;
}

void mpi_serve(const struct experiment *const *experiments, size_t count)
{
    struct unit_bytes reply = {0};
    for (;;) {
        MPI_Status status;
        uint64_t work[WORK_NUMBERS];
        wait_for_message(&status);
        if (status.MPI_TAG != MPI_TAG_WORK) {
            receive_nothing(status.MPI_TAG);
            if (status.MPI_TAG == MPI_TAG_DISMISS)
                break;
            continue; /* a stop that came after its unit had ended */
        }
        MPI_Recv(work, WORK_NUMBERS, MPI_UINT64_T, 0, MPI_TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!answer(find_experiment(experiments, count, work[WORK_EXPERIMENT]), work, &reply))
            mpi_abort("out of memory");
        send_reply(&reply);
    }
    unit_bytes_release(&reply);
}

void mpi_abort(const char *why)
{
    fprintf(stderr, "vdisim: rank %zu: %s\n", mpi_rank(), why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void mpi_dismiss(void)
{
    for (int rank = 1; rank < (int)mpi_size(); rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, MPI_TAG_DISMISS, MPI_COMM_WORLD);
}

void mpi_finish(int *status)
{
    if (!is_started())
        return;
    MPI_Bcast(status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
