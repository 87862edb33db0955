#include "sim/experiment/size/demand.h"

#include "sim/experiment/size/variant.h"
#include "vdisim/time.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 3, STEP_NS = 250000000 };

double demand_operations(const struct store_demand *demand)
{
    double sum = 0;
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++)
        sum += demand->operations[class_of];
    return sum;
}

double demand_metadata(const struct store_demand *demand)
{
    return demand->operations[CLASS_CREATE] + demand->operations[CLASS_CLOSE];
}

/* Adds what a minute holds, as a share of one probe. */
static void add_minute(struct store_demand *demand, const struct minute_record *minute, double weight)
{
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++)
        demand->operations[class_of] += weight * (double)minute->operations[class_of];
    demand->egress_bytes += weight * (double)minute->egress_bytes;
    demand->ingress_bytes += weight * (double)minute->ingress_bytes;
}

static size_t store_index(const struct scenario *scenario, const char *name)
{
    size_t index = 0;
    while (index < scenario->store_count && strcmp(scenario->stores[index].name, name) != 0)
        index++;
    assert(index < scenario->store_count);
    return index;
}

/* The first logon, once it has finished; NULL when the run ends before. */
static const struct logon_record *run_to_end_of_load(struct world *world, int64_t length_ns)
{
    for (int64_t until_ns = STEP_NS; until_ns <= length_ns; until_ns += STEP_NS) {
        size_t count = 0;
        if (world_run_until(world, until_ns) == SIM_END_MEMORY)
            return NULL;
        const struct logon_record *logons = world_logons(world, &count);
        if (count > 0 && logons[0].finished)
            return &logons[0];
    }
    return NULL;
}

static void add_load(struct logon_demand *demand, const struct logon_record *logon)
{
    demand->load_s += (double)logon->load_ns / 1e9 / PROBES;
    demand->requests += (double)logon->requests / PROBES;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            demand->causes_s[cause] += (double)logon->phase_cause_ns[phase][cause] / 1e9 / PROBES;
}

/* One user, from the logon to the end of the run. False with the message. */
static bool probe(struct logon_demand *demand, const struct scenario *scenario, uint64_t seed,
                  uint64_t replication, char *message, size_t size)
{
    const struct logons_settings *settings = scenario->workloads[0].settings;
    const size_t store = store_index(scenario, settings->store);
    const int64_t length_ns = scenario->run.length_ns;
    struct world *world = world_create(scenario, seed, replication, message, size);
    if (world == NULL)
        return false;
    const struct logon_record *logon = run_to_end_of_load(world, length_ns);
    bool fine = logon != NULL;
    snprintf(message, size, "one user alone has not logged on when the run ends, after %.6g s",
             (double)length_ns / 1e9);
    if (fine) {
        add_load(demand, logon);
        size_t loaded = 0, count = 0;
        const struct minute_record *minutes = world_minutes(world, store, &loaded);
        for (size_t i = 0; i < loaded; i++)
            add_minute(&demand->load, &minutes[i], 1.0 / PROBES);
        struct minute_record last = loaded > 0 ? minutes[loaded - 1] : (struct minute_record){0};
        fine = world_run_until(world, length_ns) != SIM_END_MEMORY;
        minutes = world_minutes(world, store, &count);
        const size_t first = loaded > 0 ? loaded - 1 : 0;
        for (size_t i = first; i < count && i - first < demand->minutes; i++)
            add_minute(&demand->session[i - first], &minutes[i], 1.0 / PROBES);
        if (loaded > 0)
            add_minute(&demand->session[0], &last, -1.0 / PROBES);
    }
    world_destroy(world);
    return fine;
}

/* The cell with one user alone; closed by the caller. */
static struct experiment *open_alone(const struct experiment *experiment, size_t cell, size_t workload,
                                     const struct variant *store, char *message, size_t size)
{
    const struct workload_part *part = &experiment_cell(experiment, cell)->scenario->workloads[workload];
    const struct logons_settings *settings = part->settings;
    static const char *const tails[] = {"users",
                                        "run_effect",
                                        "sessions_per_user",
                                        "arrivals.pattern",
                                        "arrivals.start",
                                        "updates.files_per_hour"};
    enum { CHANGES = sizeof tails / sizeof tails[0] };
    char keys[CHANGES][200], rate[64];
    snprintf(rate, sizeof rate, "%.9g /h", 3600.0 * settings->updates.files_per_s / (double)settings->users);
    const char *const values[] = {"1", "0", "1", "even", "0 s", rate};
    struct variant_change changes[CHANGES];
    for (size_t i = 0; i < CHANGES; i++) {
        snprintf(keys[i], sizeof keys[i], "workloads.%.150s.%s", part->name, tails[i]);
        changes[i] = (struct variant_change){keys[i], values[i]};
    }
    struct variant alone = store != NULL ? *store : (struct variant){.store = NULL};
    alone.only_workload = part->name;
    alone.changes = changes;
    alone.change_count = CHANGES;
    return variant_open(experiment, cell, &alone, message, size);
}

bool demand_measure(struct logon_demand *demand, const struct experiment *experiment, size_t cell,
                    size_t workload, const struct variant *store, char *message, size_t message_size)
{
    const struct scenario *scenario = experiment_cell(experiment, cell)->scenario;
    *demand = (struct logon_demand){.name = scenario->workloads[workload].name,
                                    .settings = scenario->workloads[workload].settings,
                                    .minutes = (size_t)(scenario->run.length_ns / SIM_NS_PER_MIN) + 1};
    demand->session = calloc(demand->minutes, sizeof *demand->session);
    if (demand->session == NULL) {
        snprintf(message, message_size, "out of memory");
        return false;
    }
    struct experiment *alone = open_alone(experiment, cell, workload, store, message, message_size);
    if (alone == NULL)
        return false;
    bool fine = true;
    const uint64_t seed = (uint64_t)experiment_run(experiment)->seed;
    for (uint64_t replication = 0; fine && replication < PROBES; replication++)
        fine = probe(demand, experiment_cell(alone, 0)->scenario, seed, replication, message, message_size);
    experiment_close(alone);
    return fine;
}

void demand_release(struct logon_demand *demand)
{
    free(demand->session);
    demand->session = NULL;
}
