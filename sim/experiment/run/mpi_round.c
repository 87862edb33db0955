/* Rank 0's side of a round: hands out units on request and takes in their outcomes.
 *
 * A rank is given its next unit before the outcome that it sent is decoded and kept, so that it does not wait for
 * that. Where rank 0 has a thread that runs units, that thread takes them from the same counter and calls no MPI
 * function.
 */
#include "sim/experiment/run/little_endian.h"
#include "sim/experiment/run/mpi_message.h"
#include "sim/experiment/run/unit_bytes.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct hand_out {
    const struct round *round;
    const struct mpi_hand_out *how;
    uint64_t experiment;
    size_t ranks;
    size_t *held; /* [rank]: units given and not answered for */
    size_t unanswered;
    atomic_size_t next;
    atomic_bool stopping;
    struct unit_bytes reply;
    size_t failed_index; /* the first that failed, and why */
    char message[UNIT_MESSAGE_SIZE];

    /* The thread of rank 0 leaves what came of a unit here until it is taken. */
    pthread_t thread;
    bool has_thread;
    atomic_bool thread_ended, there;
    size_t index;
    enum unit_end end;
    char why[UNIT_MESSAGE_SIZE];
};

static bool take_index(struct hand_out *out, size_t *index)
{
    if (atomic_load(&out->stopping))
        return false;
    *index = atomic_fetch_add(&out->next, 1);
    return *index < out->round->count;
}

/* A rank that runs a unit is given another only while more are left than there are ranks: in the end none may lie
 * behind a unit that is still running while other ranks are idle. */
static bool may_hold_more(const struct hand_out *out, size_t rank)
{
    size_t handed_out = atomic_load(&out->next);
    return out->held[rank] == 0 ||
           (handed_out < out->round->count && out->round->count - handed_out > out->ranks);
}

static void give(struct hand_out *out, size_t rank)
{
    size_t index;
    if (!may_hold_more(out, rank) || !take_index(out, &index))
        return;
    struct unit unit = out->round->units[index];
    uint64_t work[WORK_NUMBERS] = {
        [WORK_EXPERIMENT] = out->experiment,
        [WORK_INDEX] = index,
        [WORK_CELL] = unit.cell,
        [WORK_REPLICATION] = unit.replication,
        [WORK_KEEP_RECORDS] = out->round->keep_records,
    };
    MPI_Send(work, WORK_NUMBERS, MPI_UINT64_T, (int)rank, MPI_TAG_WORK, MPI_COMM_WORLD);
    out->held[rank]++;
    out->unanswered++;
}

/* One stop for each unit that is out. */
static void stop(struct hand_out *out)
{
    if (atomic_exchange(&out->stopping, true))
        return;
    for (size_t rank = 1; rank < out->ranks; rank++)
        for (size_t i = 0; i < out->held[rank]; i++)
            MPI_Send(NULL, 0, MPI_BYTE, (int)rank, MPI_TAG_STOP, MPI_COMM_WORLD);
}

static void remember_failure(struct hand_out *out, size_t index, const char *message)
{
    if (index < out->failed_index) {
        out->failed_index = index;
        snprintf(out->message, sizeof out->message, "%s", message);
    }
    stop(out);
}

static void settle(struct hand_out *out, size_t index, enum unit_end end, char why[UNIT_MESSAGE_SIZE])
{
    if (end == UNIT_STOPPED)
        return;
    if (end == UNIT_FAILED || !out->round->finished(out->round->context, index, why))
        remember_failure(out, index, why);
}

/* Receives a reply if there is one. False when there is none. */
static bool take_reply(struct hand_out *out)
{
    MPI_Status status;
    int there, size;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_TAG_REPLY, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    out->reply.size = 0;
    if (!unit_bytes_reserve(&out->reply, (size_t)size))
        mpi_abort("out of memory");
    MPI_Recv(out->reply.data, size, MPI_BYTE, status.MPI_SOURCE, MPI_TAG_REPLY, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    out->held[status.MPI_SOURCE]--;
    out->unanswered--;
    give(out, (size_t)status.MPI_SOURCE);

    char why[UNIT_MESSAGE_SIZE] = "";
    const unsigned char *body = out->reply.data + REPLY_FRONT_BYTES;
    size_t body_size = (size_t)size - REPLY_FRONT_BYTES;
    size_t index = (size_t)little_endian_get(out->reply.data);
    enum unit_end end = (enum unit_end)little_endian_get(out->reply.data + 8);
    if (end == UNIT_FAILED)
        snprintf(why, sizeof why, "%.*s", (int)body_size, (const char *)body);
    else if (end == UNIT_DONE && !unit_decode(body, body_size, out->round->outcomes[index], why))
        end = UNIT_FAILED;
    settle(out, index, end, why);
    return true;
}

static bool thread_stops(void *context)
{
    struct hand_out *out = context;
    return atomic_load_explicit(&out->stopping, memory_order_relaxed);
}

static void *run_units(void *context)
{
    struct hand_out *out = context;
    const struct round *round = out->round;
    struct unit_run run = {round->experiment, round->keep_records, thread_stops, out, NULL};
    while (take_index(out, &out->index)) {
        out->why[0] = '\0';
        out->end = unit_execute(&run, round->units[out->index], round->outcomes[out->index], out->why);
        atomic_store(&out->there, true);
        for (int64_t pause_ns = FIRST_PAUSE_NS; atomic_load(&out->there);)
            mpi_pause(&pause_ns, out->how->longest_pause_ns);
    }
    atomic_store(&out->thread_ended, true);
    return NULL;
}

/* Takes what the thread has left, if it has. */
static bool take_from_thread(struct hand_out *out)
{
    if (!atomic_load(&out->there))
        return false;
    settle(out, out->index, out->end, out->why);
    atomic_store(&out->there, false);
    return true;
}

static bool cancelled(const struct round *round)
{
    return round->cancel != NULL && atomic_load_explicit(round->cancel, memory_order_relaxed);
}

static bool is_over(const struct hand_out *out)
{
    return out->unanswered == 0 && (!out->has_thread || atomic_load(&out->thread_ended));
}

/* Of this thread. */
static int64_t processor_time_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void hand_out(struct hand_out *out)
{
    if (out->how->runs_units_itself)
        out->has_thread = pthread_create(&out->thread, NULL, run_units, out) == 0;
    for (size_t i = 0; i <= out->how->ahead; i++)
        for (size_t rank = 1; rank < out->ranks; rank++)
            give(out, rank);
    for (int64_t pause_ns = FIRST_PAUSE_NS; !is_over(out);) {
        if (cancelled(out->round))
            stop(out);
        int64_t before_ns = out->how->busy_ns != NULL ? processor_time_ns() : 0;
        bool any = take_from_thread(out);
        any = take_reply(out) || any;
        if (any && out->how->busy_ns != NULL)
            *out->how->busy_ns += processor_time_ns() - before_ns;
        if (any)
            pause_ns = FIRST_PAUSE_NS;
        else
            mpi_pause(&pause_ns, out->how->longest_pause_ns);
    }
    if (out->has_thread)
        pthread_join(out->thread, NULL);
}

struct mpi_hand_out mpi_hand_out_usual(void)
{
    enum { RANKS_SMALL = 128 };
    return (struct mpi_hand_out){
        .ahead = 1,
        .runs_units_itself = mpi_size() <= RANKS_SMALL,
        .longest_pause_ns = LONGEST_PAUSE_NS,
    };
}

bool mpi_hand_out_round(const struct round *round, const struct mpi_hand_out *how,
                        char message[UNIT_MESSAGE_SIZE])
{
    struct hand_out out = {
        .round = round,
        .how = how,
        .experiment = mpi_experiment_key(round->experiment),
        .ranks = mpi_size(),
        .failed_index = (size_t)-1,
    };
    out.held = calloc(out.ranks, sizeof *out.held);
    if (out.held == NULL) {
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        return false;
    }
    hand_out(&out);
    free(out.held);
    unit_bytes_release(&out.reply);
    if (out.failed_index == (size_t)-1)
        return true;
    memcpy(message, out.message, UNIT_MESSAGE_SIZE);
    return false;
}

bool round_by_mpi(const struct round *round, char message[UNIT_MESSAGE_SIZE])
{
    struct mpi_hand_out how = mpi_hand_out_usual();
    return mpi_hand_out_round(round, &how, message);
}
