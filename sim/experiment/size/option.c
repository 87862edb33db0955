#include "sim/experiment/size/option.h"

#include "sim/experiment/result/label.h"
#include "sim/experiment/result/unfinished.h"
#include "sim/experiment/run/round.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB 1073741824.0
#define MIB 1048576.0

enum { CHANGES_MAX = 4 * LOGONS_OF_STORE_MAX + 3 };

/* The settings that make one share's part of an experiment. */
struct changes {
    struct variant_change list[CHANGES_MAX];
    char keys[CHANGES_MAX][200], texts[CHANGES_MAX][64];
    size_t count;
};

static void change(struct changes *changes, double value, const char *unit, const char *section,
                   const char *name, const char *key)
{
    const size_t i = changes->count++;
    snprintf(changes->keys[i], sizeof changes->keys[i], "%s.%.120s.%s", section, name, key);
    snprintf(changes->texts[i], sizeof changes->texts[i], "%.12g%s", value, unit);
    changes->list[i] = (struct variant_change){changes->keys[i], changes->texts[i]};
}

static void split_hosts(struct changes *changes, const struct scenario *scenario,
                        const struct logons_settings *settings, size_t shares)
{
    for (size_t i = 0; shares > 1 && i < scenario->hosts_count; i++) {
        const struct host_group_settings *hosts = scenario->hosts[i].settings;
        if (settings->hosts == NULL || strcmp(scenario->hosts[i].name, settings->hosts) == 0)
            change(changes, ceil((double)hosts->count / (double)shares), "", "hosts", scenario->hosts[i].name,
                   "count");
    }
}

static void split_users(struct changes *changes, const struct option_tier *tier, const struct option *option)
{
    const struct logons_of_store *logons = &tier->logons;
    const struct scenario *scenario = experiment_cell(logons->experiment, logons->cell)->scenario;
    for (size_t i = 0; i < logons->count; i++) {
        const struct workload_part *part = &scenario->workloads[logons->workloads[i]];
        const struct logons_settings *settings = part->settings;
        const double part_of = option->user_scale / (double)option->shares;
        const double users = ceil((double)settings->users * part_of - 1e-9);
        change(changes, users, "", "workloads", part->name, "users");
        change(changes, 3600.0 * settings->updates.files_per_s * users / (double)settings->users, " /h",
               "workloads", part->name, "updates.files_per_hour");
        if (!option->run_effect)
            change(changes, 0.0, "", "workloads", part->name, "run_effect");
        if (changes->count + 4 < CHANGES_MAX)
            split_hosts(changes, scenario, settings, option->shares);
    }
}

static void split_account(struct changes *changes, const struct option_tier *tier, size_t shares)
{
    const struct share_settings *settings = &tier->settings;
    const double iops = settings->account_iops / (double)shares;
    const double ingress = settings->account_ingress_bytes_per_s / (double)shares / MIB;
    const double egress = settings->account_egress_bytes_per_s / (double)shares / MIB;
    if (shares > 1 && isfinite(iops))
        change(changes, iops, " IOPS", "stores", tier->logons.store, "account_iops");
    if (shares > 1 && isfinite(ingress))
        change(changes, ingress, " MiB/s", "stores", tier->logons.store, "account_ingress");
    if (shares > 1 && isfinite(egress))
        change(changes, egress, " MiB/s", "stores", tier->logons.store, "account_egress");
}

struct experiment *option_open(const struct option_tier *tier, const struct option *option,
                               char message[SIZE_WHY_SIZE])
{
    char size[64];
    struct changes *changes = calloc(1, sizeof *changes);
    struct experiment *experiment = NULL;
    snprintf(message, SIZE_WHY_SIZE, "out of memory");
    if (changes == NULL)
        return NULL;
    snprintf(size, sizeof size, "%.12g GiB", (double)option->bytes / GIB);
    split_users(changes, tier, option);
    split_account(changes, tier, option->shares);
    const struct variant variant = {.store = tier->logons.store,
                                    .tier = tier->name,
                                    .size = size,
                                    .rules = tier->rules,
                                    .price_list = tier->price_list,
                                    .changes = changes->list,
                                    .change_count = changes->count};
    experiment = variant_open(tier->logons.experiment, tier->logons.cell, &variant, message, SIZE_WHY_SIZE);
    free(changes);
    return experiment;
}

/* -- running -- */

void option_values_release(struct option_values *values)
{
    for (size_t i = 0; i < TARGETS_MAX; i++)
        free(values->of_target[i]);
    free(values->effects);
    free(values->costs);
    *values = (struct option_values){.count = 0};
}

static bool grow(double **list, size_t room)
{
    double *grown = realloc(*list, room * sizeof *grown);
    if (grown != NULL)
        *list = grown;
    return grown != NULL;
}

static bool make_room(struct option_values *values, size_t targets, size_t more)
{
    if (values->count + more <= values->room)
        return true;
    const size_t room = 2 * (values->count + more);
    for (size_t i = 0; i < targets; i++)
        if (!grow(&values->of_target[i], room))
            return false;
    if (!grow(&values->effects, room) || !grow(&values->costs, room))
        return false;
    values->room = room;
    return true;
}

static const struct metric_name *metric_of(const struct unit_outcome *outcome, const char *name,
                                           double *value)
{
    for (size_t i = 0; i < outcome->metric_count; i++)
        if (strcmp(outcome->names[i].name, name) == 0) {
            *value = outcome->values[i];
            return &outcome->names[i];
        }
    return NULL;
}

/* The cost of the store that is sized; with several stores its metrics bear its name. */
static double cost_of(const struct option_tier *tier, const struct unit_outcome *outcome,
                      struct option_values *values)
{
    char name[160];
    double cost = NAN;
    snprintf(name, sizeof name, "%.120s.cost.month", tier->logons.store);
    const struct metric_name *metric =
        metric_of(outcome, outcome->store_count > 1 ? name : "cost.month", &cost);
    if (metric != NULL)
        snprintf(values->currency, sizeof values->currency, "%.7s", metric->unit);
    return cost;
}

/* A load of a run in which too many had not finished is that of the fastest: none. */
static double value_of(const struct target *target, const struct unit_outcome *outcome, double length_s)
{
    const size_t prefix = workload_prefix(target->metric);
    const double value = unit_metric(outcome, target->metric);
    if (strncmp(target->metric + prefix, "profile_load.", strlen("profile_load.")) != 0)
        return value;
    char unfinished[160], finished[160], load[160];
    snprintf(unfinished, sizeof unfinished, "%.*slogons.unfinished", (int)prefix, target->metric);
    snprintf(finished, sizeof finished, "%.*slogons.finished", (int)prefix, target->metric);
    snprintf(load, sizeof load, "%.*sprofile_load.mean", (int)prefix, target->metric);
    const double left = unit_metric(outcome, unfinished);
    return left > 0.0 && unfinished_are_too_many(left, left + unit_metric(outcome, finished),
                                                 unit_metric(outcome, load), length_s)
               ? (double)NAN
               : value;
}

static void take(const struct option_tier *tier, const struct unit_outcome *outcome, double length_s,
                 struct option_values *values)
{
    const size_t run = values->count++;
    for (size_t i = 0; i < tier->request->target_count; i++)
        values->of_target[i][run] = value_of(&tier->targets[i], outcome, length_s);
    values->effects[run] = outcome->run_effect;
    values->effect_cv = outcome->run_effect_cv;
    values->costs[run] = cost_of(tier, outcome, values);
}

static bool go_on(void *context, size_t index, char message[UNIT_MESSAGE_SIZE])
{
    (void)context;
    (void)index;
    (void)message;
    return true;
}

static enum option_end run_units(const struct option_tier *tier, const struct experiment *experiment,
                                 const size_t *replications, size_t count, struct unit_outcome *outcomes,
                                 char message[SIZE_WHY_SIZE])
{
    struct unit *units = calloc(count, sizeof *units);
    struct unit_outcome **places = calloc(count, sizeof *places);
    char why[UNIT_MESSAGE_SIZE] = "out of memory";
    bool fine = units != NULL && places != NULL;
    for (size_t i = 0; fine && i < count; i++) {
        units[i] = (struct unit){0, replications[i]};
        places[i] = &outcomes[i];
    }
    const struct round round = {.experiment = experiment,
                                .units = units,
                                .outcomes = places,
                                .count = count,
                                .cancel = tier->request->cancel,
                                .finished = go_on};
    fine = fine && round_by_threads(&round, tier->jobs, why);
    enum option_end end = fine ? OPTION_DONE : OPTION_FAILED;
    for (size_t i = 0; fine && i < count; i++)
        if (!outcomes[i].done)
            end = OPTION_STOPPED;
    if (!fine)
        snprintf(message, SIZE_WHY_SIZE, "%.390s", why);
    free(units);
    free(places);
    return end;
}

enum option_end option_run(const struct option_tier *tier, const struct option *option, const size_t *replications,
                           size_t count, struct option_values *values, char message[SIZE_WHY_SIZE])
{
    struct experiment *experiment = option_open(tier, option, message);
    if (experiment == NULL)
        return OPTION_FAILED;
    struct unit_outcome *outcomes = calloc(count, sizeof *outcomes);
    enum option_end end = OPTION_FAILED;
    if (outcomes == NULL || !make_room(values, tier->request->target_count, count))
        snprintf(message, SIZE_WHY_SIZE, "out of memory");
    else
        end = run_units(tier, experiment, replications, count, outcomes, message);
    const double length_s = (double)experiment_run(experiment)->length_ns / 1e9;
    for (size_t i = 0; outcomes != NULL && i < count; i++) {
        if (end == OPTION_DONE)
            take(tier, &outcomes[i], length_s, values);
        unit_release(&outcomes[i]);
    }
    if (end == OPTION_DONE)
        *tier->runs += count;
    free(outcomes);
    experiment_close(experiment);
    return end;
}

/* -- estimating -- */

bool option_estimate(const struct option_tier *tier, const struct option *option, double values[TARGETS_MAX],
                     struct fluid_answer *answer)
{
    const struct share_settings settings = sizes_settings(&tier->settings, option->bytes);
    struct fluid_answer *own = answer == NULL ? calloc(1, sizeof *own) : answer;
    const bool fine = own != NULL && logons_of_store_solve(&tier->logons, &settings, (double)option->shares,
                                                           option->user_scale, own);
    const size_t store = strlen(tier->logons.store);
    for (size_t i = 0; fine && i < tier->request->target_count; i++) {
        const char *metric = tier->targets[i].metric;
        if (strncmp(metric, tier->logons.store, store) == 0 && metric[store] == '.')
            metric += store + 1;
        values[i] = fluid_metric(own, metric);
        if (strstr(metric, "profile_load.") != NULL && own->unfinished > 0.05 * own->users)
            values[i] = INFINITY; /* longer than the run */
    }
    if (answer == NULL)
        free(own);
    return fine;
}

double option_margin(const struct option_tier *tier, const double *values, bool skip_unknown)
{
    double worst = INFINITY;
    for (size_t i = 0; i < tier->request->target_count; i++)
        if (!isnan(values[i]) || !skip_unknown)
            worst = fmin(worst, target_margin(&tier->targets[i], values[i]));
    return worst;
}
