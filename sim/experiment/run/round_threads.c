/* A pool of threads takes the units of a round from a counter. */
#include "sim/experiment/run/round.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pool {
    const struct round *round;
    atomic_size_t next;
    atomic_bool failed;
    pthread_mutex_t lock;
    size_t failed_index; /* under the lock: the first unit that failed, and why */
    char message[UNIT_MESSAGE_SIZE];
};

static bool stopping(void *context)
{
    struct pool *pool = context;
    const atomic_bool *cancel = pool->round->cancel;
    return (cancel != NULL && atomic_load_explicit(cancel, memory_order_relaxed)) ||
           atomic_load_explicit(&pool->failed, memory_order_relaxed);
}

/* Under the lock. */
static void remember_failure(struct pool *pool, size_t index, const char *message)
{
    if (index < pool->failed_index) {
        pool->failed_index = index;
        memcpy(pool->message, message, UNIT_MESSAGE_SIZE);
    }
    atomic_store(&pool->failed, true);
}

static void run_one(struct pool *pool, size_t index)
{
    const struct round *round = pool->round;
    char message[UNIT_MESSAGE_SIZE] = "";
    struct unit_run run = {round->experiment, round->keep_records, stopping, pool, round->watch};
    enum unit_end end = unit_execute(&run, round->units[index], round->outcomes[index], message);
    if (end == UNIT_STOPPED)
        return;
    pthread_mutex_lock(&pool->lock);
    if (end == UNIT_FAILED || !round->finished(round->context, index, message))
        remember_failure(pool, index, message);
    pthread_mutex_unlock(&pool->lock);
}

static void *work(void *context)
{
    struct pool *pool = context;
    while (!stopping(pool)) {
        size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->round->count)
            break;
        run_one(pool, index);
    }
    return NULL;
}

static size_t job_count(size_t jobs, size_t unit_count)
{
    if (jobs == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        jobs = processors > 0 ? (size_t)processors : 1;
    }
    return jobs < unit_count ? jobs : unit_count;
}

/* Works in this thread and in as many more as can be had. */
bool round_by_threads(const struct round *round, size_t jobs, char message[UNIT_MESSAGE_SIZE])
{
    struct pool pool = {.round = round, .lock = PTHREAD_MUTEX_INITIALIZER, .failed_index = (size_t)-1};
    jobs = job_count(jobs, round->count);
    pthread_t *threads = calloc(jobs + 1, sizeof *threads);
    size_t started = 0;
    while (threads != NULL && started + 1 < jobs && pthread_create(&threads[started], NULL, work, &pool) == 0)
        started++;
    work(&pool);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    pthread_mutex_destroy(&pool.lock);
    if (pool.failed)
        memcpy(message, pool.message, UNIT_MESSAGE_SIZE);
    return !pool.failed;
}
