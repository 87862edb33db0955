/* Simulates, on the kernel, the hand-out of units to the ranks of an MPI job: where does rank 0 become the bottleneck?
 *
 *     handout COST_US [AHEAD]     CSV: unit_s, ranks, efficiency, rank 0's utilisation, replies waiting at rank 0
 *
 * Rank 0 is a server with a line. A reply that finds it idle waits until its next look for messages. It takes RECEIVE
 * to receive a reply and to send the next unit, then COST - RECEIVE to decode and keep the outcome. Each rank runs
 * the units it holds one after the other, but begins none before rank 0 has received its last outcome: so it is with
 * messages of more than some 64 kB. Running times are spread as those of different cells are (uniformly within a half
 * of the mean to either side). A message takes LATENCY.
 * Efficiency is the running time of all units, divided by ranks times the time until the last outcome is kept. */
#include "vdisim/queue.h"
#include "vdisim/random.h"
#include "vdisim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { UNITS_PER_RANK = 40, AHEAD_MOST = 8 };

static const int64_t latency_ns = 20 * SIM_NS_PER_US;
static const int64_t receive_ns = 30 * SIM_NS_PER_US;
static const int64_t first_pause_ns = 5 * SIM_NS_PER_US;
static const int64_t longest_pause_ns = SIM_NS_PER_MS;

struct job;
struct rank;

/* The outcome of a unit on its way to rank 0 and in line there. */
struct reply {
    struct sim_event event;
    struct sim_queue_waiter waiter;
    struct rank *rank;
    struct reply *next_free;
};

/* A unit on its way to a rank. */
struct assignment {
    struct sim_event event;
    struct rank *rank;
    struct assignment *next_free;
};

struct rank {
    struct sim_event event; /* its unit has run */
    struct job *job;
    struct sim_random times;
    size_t held;  /* units here that wait to be run */
    size_t given; /* units given and not answered for */
    bool runs;    /* or waits for its outcome to be received */
    struct sim_event received;
    int64_t idle_since_ns;
    struct reply replies[AHEAD_MOST + 2], *free_replies;
    struct assignment assignments[AHEAD_MOST + 2], *free_assignments;
};

struct job {
    struct sim *sim;
    struct sim_queue server;
    struct sim_random polls;
    struct rank *ranks;
    size_t rank_count, units_left, unkept;
    double unit_s, run_s;
    int64_t cost_ns, idle_since_ns, ended_ns;
};

/* Until the next look for messages: pauses grow as long as nothing comes. */
static int64_t poll_ns(struct job *job, int64_t idle_since_ns)
{
    double idle_ns = (double)(sim_now_ns(job->sim) - idle_since_ns);
    double pause_ns = fmin(fmax(idle_ns, (double)first_pause_ns), (double)longest_pause_ns);
    return (int64_t)(pause_ns * sim_random_uniform(&job->polls));
}

static void start_unit(struct rank *rank, int64_t delay_ns)
{
    double run_s = rank->job->unit_s * (0.5 + sim_random_uniform(&rank->times));
    rank->held--;
    rank->runs = true;
    rank->job->run_s += run_s;
    sim_schedule_after(rank->job->sim, &rank->event, delay_ns + (int64_t)(run_s * 1e9));
}

static void unit_arrives(struct sim *sim, struct sim_event *event)
{
    struct assignment *assignment = SIM_CONTAINER_OF(event, struct assignment, event);
    struct rank *rank = assignment->rank;
    (void)sim;
    assignment->next_free = rank->free_assignments;
    rank->free_assignments = assignment;
    rank->held++;
    if (!rank->runs)
        start_unit(rank, poll_ns(rank->job, rank->idle_since_ns));
}

static void give(struct job *job, struct rank *rank, int64_t delay_ns)
{
    if (job->units_left == 0 || (rank->given > 0 && job->units_left <= job->rank_count))
        return;
    job->units_left--;
    rank->given++;
    struct assignment *assignment = rank->free_assignments;
    rank->free_assignments = assignment->next_free;
    sim_schedule_after(job->sim, &assignment->event, delay_ns + latency_ns);
}

static void outcome_is_kept(struct sim *sim, struct sim_event *event)
{
    struct reply *reply = SIM_CONTAINER_OF(event, struct reply, event);
    struct rank *rank = reply->rank;
    struct job *job = rank->job;
    reply->next_free = rank->free_replies;
    rank->free_replies = reply;
    job->idle_since_ns = sim_now_ns(sim);
    if (--job->unkept == 0) {
        job->ended_ns = sim_now_ns(sim);
        sim_stop(sim);
    }
    sim_queue_release_by(&job->server, &reply->waiter);
}

static void serve(struct reply *reply, int64_t poll_ns)
{
    struct job *job = reply->rank->job;
    reply->rank->given--;
    give(job, reply->rank, poll_ns + receive_ns);
    sim_schedule_after(job->sim, &reply->rank->received, poll_ns + receive_ns);
    sim_event_init(&reply->event, outcome_is_kept, SIM_EVENT_LABEL('k', 'e', 'p', 't'));
    sim_schedule_after(job->sim, &reply->event, poll_ns + job->cost_ns);
}

static void reply_is_served(struct sim_queue_waiter *waiter)
{
    serve(SIM_CONTAINER_OF(waiter, struct reply, waiter), 0);
}

static void reply_arrives(struct sim *sim, struct sim_event *event)
{
    struct reply *reply = SIM_CONTAINER_OF(event, struct reply, event);
    struct job *job = reply->rank->job;
    (void)sim;
    if (sim_queue_request(&job->server, &reply->waiter, 0) == SIM_QUEUE_GRANTED)
        serve(reply, poll_ns(job, job->idle_since_ns));
}

static void unit_has_run(struct sim *sim, struct sim_event *event)
{
    struct rank *rank = SIM_CONTAINER_OF(event, struct rank, event);
    struct reply *reply = rank->free_replies;
    rank->free_replies = reply->next_free;
    sim_event_init(&reply->event, reply_arrives, SIM_EVENT_LABEL('s', 'e', 'n', 't'));
    sim_queue_waiter_init(&reply->waiter, reply_is_served);
    sim_schedule_after(sim, &reply->event, latency_ns);
}

static void outcome_is_received(struct sim *sim, struct sim_event *event)
{
    struct rank *rank = SIM_CONTAINER_OF(event, struct rank, received);
    rank->runs = false;
    rank->idle_since_ns = sim_now_ns(sim);
    if (rank->held > 0)
        start_unit(rank, 0);
}

static void rank_init(struct rank *rank, struct job *job, size_t index)
{
    rank->job = job;
    sim_random_init_named(&rank->times, 1, 0, "rank %zu", index);
    sim_event_init(&rank->event, unit_has_run, SIM_EVENT_LABEL('r', 'u', 'n', ' '));
    sim_event_init(&rank->received, outcome_is_received, SIM_EVENT_LABEL('t', 'o', 'o', 'k'));
    for (size_t i = 0; i < AHEAD_MOST + 2; i++) {
        struct reply *reply = &rank->replies[i];
        *reply = (struct reply){.rank = rank, .next_free = rank->free_replies};
        rank->free_replies = reply;
        struct assignment *assignment = &rank->assignments[i];
        *assignment = (struct assignment){.rank = rank, .next_free = rank->free_assignments};
        sim_event_init(&assignment->event, unit_arrives, SIM_EVENT_LABEL('u', 'n', 'i', 't'));
        rank->free_assignments = assignment;
    }
}

static bool simulate(double unit_s, size_t ranks, double cost_us, size_t ahead)
{
    struct job job = {.unit_s = unit_s, .rank_count = ranks, .cost_ns = (int64_t)(cost_us * 1e3)};
    job.units_left = job.unkept = ranks * UNITS_PER_RANK;
    job.sim = sim_create();
    job.ranks = calloc(ranks, sizeof *job.ranks);
    if (job.sim == NULL || job.ranks == NULL)
        return false;
    sim_queue_init(&job.server, job.sim, "rank 0", 1, SIM_QUEUE_FIFO);
    sim_random_init(&job.polls, 1, 0, "polls");
    for (size_t i = 0; i < ranks; i++)
        rank_init(&job.ranks[i], &job, i);
    for (size_t i = 0; i <= ahead; i++)
        for (size_t rank = 0; rank < ranks; rank++)
            give(&job, &job.ranks[rank], (int64_t)(i * ranks + rank) * SIM_NS_PER_US);
    enum sim_end end = sim_run_until(job.sim, SIM_NEVER_NS);
    struct sim_queue_account account = sim_queue_account(&job.server);
    double elapsed_s = (double)job.ended_ns / 1e9;
    printf("%g,%zu,%.0f,%zu,%.4f,%.4f,%.2f\n", unit_s, ranks, cost_us, ahead,
           job.run_s / ((double)ranks * elapsed_s),
           (double)job.cost_ns / 1e9 * (double)(ranks * UNITS_PER_RANK) / elapsed_s,
           account.waiting_area_s / elapsed_s);
    free(job.ranks);
    sim_destroy(job.sim);
    return end == SIM_END_STOPPED;
}

int main(int argc, char **argv)
{
    static const double unit_s[] = {0.01, 0.1, 1, 10, 100};
    static const size_t ranks[] = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    double cost_us = argc > 1 ? strtod(argv[1], NULL) : 0;
    size_t ahead = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    if (argc > 3 || cost_us * 1e3 < (double)receive_ns || ahead > AHEAD_MOST) {
        fprintf(stderr, "usage: handout COST_US [AHEAD]: at least 30 us, at most %d units ahead\n",
                AHEAD_MOST);
        return 2;
    }
    printf("unit_s,ranks,cost_us,ahead,efficiency,rank_0_busy,waiting\n");
    for (size_t i = 0; i < sizeof unit_s / sizeof unit_s[0]; i++)
        for (size_t j = 0; j < sizeof ranks / sizeof ranks[0]; j++)
            if (!simulate(unit_s[i], ranks[j], cost_us, ahead)) {
                fprintf(stderr, "handout: out of memory\n");
                return 1;
            }
    return 0;
}
