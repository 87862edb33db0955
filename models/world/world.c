#include "vdisim/world.h"

#include "models/world/world_state.h"
#include "vdisim/price.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct parameter run_rows[] = {
    {.name = "length",
     .type = PARAMETER_DURATION,
     .offset = offsetof(struct run_settings, length_ns),
     .minimum = 1e9,
     .maximum = 6.048e14,
     .help = "Simulated time of a run"},
    {.name = "replications",
     .type = PARAMETER_COUNT,
     .offset = offsetof(struct run_settings, replications),
     .minimum = 1,
     .maximum = 1e6,
     .help = "Independent runs of each cell"},
    {.name = "seed",
     .type = PARAMETER_COUNT,
     .offset = offsetof(struct run_settings, seed),
     .maximum = 9e15,
     .help = "Of all random streams"},
    {.name = "warm_up",
     .type = PARAMETER_DURATION,
     .offset = offsetof(struct run_settings, warm_up_ns),
     .maximum = 6.048e14,
     .help = "Time at the start of a run over which nothing is measured"},
    {.name = "steady_state",
     .type = PARAMETER_BOOLEAN,
     .offset = offsetof(struct run_settings, steady_state),
     .help = "Find the warm-up of each run from its load times (MSER-5) and leave it out"},
    {.name = "batches",
     .type = PARAMETER_COUNT,
     .offset = offsetof(struct run_settings, batches),
     .maximum = 1000,
     .help = "Batch means of one long run: parts of equal length after the warm-up; 0 for none"},
    {.name = "precision",
     .type = PARAMETER_TEXT,
     .offset = offsetof(struct run_settings, precision),
     .optional = true,
     .help =
         "Half-width of the interval at which replications end, `2 %` of the mean or in the metric's unit"},
    {.name = "of",
     .type = PARAMETER_TEXT,
     .offset = offsetof(struct run_settings, of),
     .help = "The metric whose precision is wanted"},
    {.name = "confidence",
     .type = PARAMETER_FRACTION,
     .offset = offsetof(struct run_settings, confidence),
     .minimum = 0.5,
     .maximum = 0.9999,
     .help = "Confidence of that interval"},
    {.name = "at_least",
     .type = PARAMETER_COUNT,
     .offset = offsetof(struct run_settings, at_least),
     .minimum = 5,
     .maximum = 1e6,
     .help = "Replications of the first stage, which measures the variance"},
    {.name = "at_most",
     .type = PARAMETER_COUNT,
     .offset = offsetof(struct run_settings, at_most),
     .minimum = 5,
     .maximum = 1e6,
     .help = "Replications at which it ends, reached or not"},
};

const struct parameter_table run_parameters = {
    .name = "run",
    .help = "How an experiment is run",
    .size = sizeof(struct run_settings),
    PARAMETER_ROWS(run_rows),
};

int64_t scenario_room_bytes(const struct scenario *scenario, const char *store)
{
    for (size_t i = 0; i < scenario->store_count; i++) {
        const struct store_part *part = &scenario->stores[i];
        if (strcmp(part->name, store) == 0 && part->kind->capacity_bytes != NULL)
            return part->kind->capacity_bytes(part->settings);
    }
    return INT64_MAX;
}

struct store *world_store(struct world *world, const char *name)
{
    for (size_t i = 0; i < world->store_count; i++)
        if (name != NULL && world->stores[i] != NULL && strcmp(world->stores[i]->name, name) == 0)
            return world->stores[i];
    return NULL;
}

struct host_group *world_hosts(struct world *world, const char *name)
{
    for (size_t i = 0; i < world->group_count; i++)
        if (name != NULL && strcmp(world->groups[i].name, name) == 0)
            return &world->groups[i];
    return NULL;
}

struct account *world_storage_account(struct world *world, const char *name, const char *owner)
{
    const char *wanted = name == NULL ? owner : name;
    for (size_t i = 0; i < world->account_count; i++)
        if (strcmp(world->accounts[i].name, wanted) == 0)
            return &world->accounts[i];
    struct account *account = &world->accounts[world->account_count++];
    account->name = wanted;
    return account;
}

void world_warn(struct world *world, const char *format, ...)
{
    if (world->warning_count == WORLD_WARNINGS_MAX)
        return;
    char *text = world->warnings[world->warning_count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof world->warnings[0], format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < world->warning_count; i++)
        if (strcmp(world->warnings[i], text) == 0)
            return;
    world->warning_count++;
}

static bool create_stores(struct world *world)
{
    const struct scenario *scenario = world->scenario;
    for (size_t i = 0; i < scenario->store_count; i++) {
        const struct store_part *part = &scenario->stores[i];
        world->stores[i] = part->kind->create(world, part->name, part->settings);
        if (world->stores[i] == NULL)
            return false;
        if (part->kind->capacity_bytes != NULL)
            world->stores[i]->capacity_bytes = (double)part->kind->capacity_bytes(part->settings);
        store_tell_apart(world->stores[i], scenario->workload_count);
        world->store_count++;
    }
    return true;
}

static bool create_hosts(struct world *world)
{
    const struct scenario *scenario = world->scenario;
    uint32_t number = 0;
    for (size_t i = 0; i < scenario->hosts_count; i++) {
        const struct hosts_part *part = &scenario->hosts[i];
        world->group_count++;
        if (!host_group_init(&world->groups[i], world, part->name, part->settings, number))
            return false;
        number += (uint32_t)world->groups[i].count;
    }
    return true;
}

void workload_init(struct workload *workload, const struct world *world,
                   const struct workload_operations *operations, const char *name)
{
    const size_t last = WORKLOADS_TOLD_APART - 1;
    *workload = (struct workload){operations, name,
                                  (uint8_t)(world->workload_count < last ? world->workload_count : last)};
}

static bool create_workloads(struct world *world)
{
    const struct scenario *scenario = world->scenario;
    for (size_t i = 0; i < scenario->workload_count; i++) {
        const struct workload_part *part = &scenario->workloads[i];
        world->workloads[i] = part->kind->create(world, part->name, part->settings);
        if (world->workloads[i] == NULL)
            return false;
        world->workload_count++;
    }
    return true;
}

struct world *world_create(const struct scenario *scenario, uint64_t seed, uint64_t replication,
                           char *message, size_t message_size)
{
    struct world *world = calloc(1, sizeof *world);
    bool made = world != NULL;
    if (made) {
        world->scenario = scenario;
        world->seed = seed;
        world->replication = replication;
        world->sim = sim_create();
        world->stores = calloc(scenario->store_count + 1, sizeof(struct store *));
        world->accounts = calloc(scenario->store_count + 1, sizeof *world->accounts);
        world->groups = calloc(scenario->hosts_count + 1, sizeof *world->groups);
        world->workloads = calloc(scenario->workload_count + 1, sizeof(struct workload *));
        made = world->sim != NULL && world->stores != NULL && world->accounts != NULL &&
               world->groups != NULL && world->workloads != NULL;
    }
    if (made) {
        network_init(&world->network, scenario->network);
        made = create_stores(world) && create_hosts(world) && create_workloads(world);
    }
    if (!made) {
        snprintf(message, message_size, "not enough memory for this experiment");
        world_destroy(world);
        return NULL;
    }
    return world;
}

void world_destroy(struct world *world)
{
    if (world == NULL)
        return;
    for (size_t i = 0; i < world->workload_count; i++)
        world->workloads[i]->operations->destroy(world->workloads[i]);
    for (size_t i = 0; i < world->group_count; i++)
        host_group_release(&world->groups[i]);
    for (size_t i = 0; i < world->store_count; i++)
        world->stores[i]->operations->destroy(world->stores[i]);
    sim_destroy(world->sim);
    free(world->workloads);
    free(world->groups);
    free(world->accounts);
    free(world->stores);
    free(world->logons);
    free(world->marks_ns);
    free(world);
}

enum sim_end world_run_until(struct world *world, int64_t until_ns)
{
    return sim_run_until(world->sim, until_ns);
}

int64_t world_now_ns(const struct world *world)
{
    return sim_now_ns(world->sim);
}

struct sim_account world_account(const struct world *world)
{
    return sim_account(world->sim);
}

/* Passes metrics on under prefixed names. */
struct prefix_sink {
    struct metric_sink sink;
    struct metric_sink *to;
    const char *prefix; /* NULL: none */
    double cost_month;  /* of all stores that reported one */
    size_t costs;
};

static void prefix_metric(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    struct prefix_sink *prefixed = (struct prefix_sink *)sink;
    if (strcmp(name, "cost.month") == 0) {
        prefixed->cost_month += value;
        prefixed->costs++;
    }
    char full[192];
    snprintf(full, sizeof full, "%s%s%s", prefixed->prefix == NULL ? "" : prefixed->prefix,
             prefixed->prefix == NULL ? "" : ".", name);
    metric_report(prefixed->to, full, unit, value);
}

/* The only one of its kind: then its metrics' names are its own. */
static bool workload_is_alone(const struct world *world, const struct workload *workload)
{
    for (size_t i = 0; i < world->workload_count; i++)
        if (world->workloads[i] != workload && world->workloads[i]->operations == workload->operations)
            return false;
    return true;
}

static bool mark_stores(struct world *world)
{
    for (size_t i = 0; i < world->store_count; i++)
        if (!store_mark(world->stores[i]))
            return false;
    return true;
}

void world_mark(struct world *world)
{
    if (world->mark_count == world->mark_capacity) {
        const size_t capacity = world->mark_capacity == 0 ? 8 : 2 * world->mark_capacity;
        int64_t *marks_ns = realloc(world->marks_ns, capacity * sizeof *marks_ns);
        if (marks_ns == NULL) {
            sim_out_of_memory(world->sim);
            return;
        }
        world->marks_ns = marks_ns;
        world->mark_capacity = capacity;
    }
    if (mark_stores(world))
        world->marks_ns[world->mark_count++] = sim_now_ns(world->sim);
    else
        sim_out_of_memory(world->sim);
}

size_t world_part_count(const struct world *world)
{
    return world->mark_count == 0 ? 1 : world->mark_count;
}

int64_t world_part_from_ns(const struct world *world, size_t part)
{
    assert(part < world_part_count(world));
    return world->mark_count == 0 ? 0 : world->marks_ns[part];
}

int64_t world_part_to_ns(const struct world *world, size_t part)
{
    assert(part < world_part_count(world));
    return part + 1 < world->mark_count ? world->marks_ns[part + 1] : sim_now_ns(world->sim);
}

static void report_workloads(struct world *world, int64_t from_ns, int64_t to_ns, struct metric_sink *sink)
{
    struct prefix_sink prefixed = {.sink = {prefix_metric}, .to = sink};
    for (size_t i = 0; i < world->workload_count; i++) {
        struct workload *workload = world->workloads[i];
        prefixed.prefix = workload_is_alone(world, workload) ? NULL : workload->name;
        workload->operations->report(workload, from_ns, to_ns, &prefixed.sink);
    }
}

static int64_t count_users(const struct world *world)
{
    int64_t users = 0;
    for (size_t i = 0; i < world->workload_count; i++)
        if (world->workloads[i]->operations->users != NULL)
            users += world->workloads[i]->operations->users(world->workloads[i]);
    return users;
}

/* What all stores cost together, and a user's share of it; only where every store has a price. */
static void report_costs(const struct world *world, const struct prefix_sink *stores)
{
    if (world->store_count == 0 || stores->costs < world->store_count)
        return;
    const char *currency = world->stores[0]->price->currency != NULL ? world->stores[0]->price->currency : "";
    const int64_t users = count_users(world);
    if (world->store_count > 1)
        metric_report(stores->to, "cost.month", currency, stores->cost_month);
    if (users > 0)
        metric_report(stores->to, "cost.per_user", currency, stores->cost_month / (double)users);
}

/* Of one part, or of all that is measured when `part` is NULL. */
static void report_stores(struct world *world, const size_t *part, struct metric_sink *sink)
{
    struct prefix_sink prefixed = {.sink = {prefix_metric}, .to = sink};
    for (size_t i = 0; i < world->store_count; i++) {
        struct store *store = world->stores[i];
        prefixed.prefix = world->store_count > 1 ? store->name : NULL;
        store_close_minutes(store);
        if (part == NULL)
            store_report(store, &prefixed.sink);
        else
            store_report_part(store, *part, &prefixed.sink);
    }
    report_costs(world, &prefixed);
}

void world_report(struct world *world, struct metric_sink *sink)
{
    report_workloads(world, world_part_from_ns(world, 0), SIM_NEVER_NS, sink);
    report_stores(world, NULL, sink);
}

void world_report_part(struct world *world, size_t part, struct metric_sink *sink)
{
    const bool last = part + 1 == world_part_count(world);
    report_workloads(world, world_part_from_ns(world, part),
                     last ? SIM_NEVER_NS : world_part_to_ns(world, part), sink);
    report_stores(world, world->mark_count == 0 ? NULL : &part, sink);
}

bool world_run_effect(const struct world *world, double *value, double *cv)
{
    *value = 1.0;
    *cv = 0.0;
    for (size_t i = 0; i < world->workload_count; i++) {
        const struct workload *workload = world->workloads[i];
        if (workload->operations->run_effect != NULL && workload->operations->run_effect(workload, value, cv))
            return true;
    }
    return false;
}

static int compare_starts(const void *left, const void *right)
{
    const struct logon_record *a = left, *b = right;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->user > b->user) - (a->user < b->user);
}

const struct logon_record *world_logons(struct world *world, size_t *count)
{
    size_t total = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        total = 0;
        for (size_t i = 0; i < world->workload_count; i++) {
            struct workload *workload = world->workloads[i];
            if (workload->operations->logons == NULL)
                continue;
            size_t some = 0;
            const struct logon_record *records = workload->operations->logons(workload, &some);
            if (pass == 1 && some > 0)
                memcpy(&world->logons[total], records, some * sizeof *records);
            total += some;
        }
        if (pass == 0) {
            free(world->logons);
            world->logons = calloc(total + 1, sizeof *world->logons);
            if (world->logons == NULL) {
                *count = 0;
                return NULL;
            }
        }
    }
    qsort(world->logons, total, sizeof *world->logons, compare_starts);
    *count = total;
    return world->logons;
}

size_t world_store_count(const struct world *world)
{
    return world->store_count;
}

const char *world_store_name(const struct world *world, size_t store)
{
    return world->stores[store]->name;
}

const struct minute_record *world_minutes(struct world *world, size_t store, size_t *count)
{
    store_close_minutes(world->stores[store]);
    *count = world->stores[store]->meter.minute_count;
    return world->stores[store]->meter.minutes;
}

const struct minute_record *world_minutes_so_far(const struct world *world, size_t store, size_t *count)
{
    *count = world->stores[store]->meter.minute_count;
    return world->stores[store]->meter.minutes;
}

const struct workload_minute *world_workload_minutes(struct world *world, size_t store, size_t *workloads)
{
    store_close_minutes(world->stores[store]);
    *workloads = world->stores[store]->meter.workload_count;
    return world->stores[store]->meter.by_workload;
}

size_t world_warning_count(const struct world *world)
{
    return world->warning_count;
}

const char *world_warning(const struct world *world, size_t index)
{
    return world->warnings[index];
}
