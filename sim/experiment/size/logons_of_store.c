#include "sim/experiment/size/logons_of_store.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void doubt(struct logons_of_store *logons, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void doubt(struct logons_of_store *logons, const char *format, ...)
{
    if (logons->doubt_count == FLUID_DOUBTS_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(logons->doubts[logons->doubt_count++], FLUID_TEXT_SIZE, format, arguments);
    va_end(arguments);
}

static const struct logons_settings *logons_at(const struct scenario *scenario, size_t workload)
{
    const struct workload_part *part = &scenario->workloads[workload];
    return part->kind == &logons_kind ? part->settings : NULL;
}

static void add_hosts(struct logons_of_store *logons, const struct scenario *scenario,
                      const struct logons_settings *settings)
{
    for (size_t i = 0; i < scenario->hosts_count; i++) {
        const struct host_group_settings *hosts = scenario->hosts[i].settings;
        if (settings->hosts != NULL && strcmp(scenario->hosts[i].name, settings->hosts) != 0)
            continue;
        const double rate = (double)hosts->count * hosts->nic_bytes_per_s;
        if (isfinite(rate) && rate > logons->nic_bytes_per_s)
            logons->nic_bytes_per_s = rate;
    }
}

static void add_workload(struct logons_of_store *logons, const struct scenario *scenario, size_t workload)
{
    const struct logons_settings *settings = logons_at(scenario, workload);
    const char *name = scenario->workloads[workload].name;
    if (settings == NULL) {
        doubt(logons, "the workload %s (%s) does not count: this knows logons only", name,
              scenario->workloads[workload].kind->name);
        return;
    }
    if (strcmp(settings->store, logons->store) != 0) {
        doubt(logons, "the logons of %s do not count: they are on %s", name, settings->store);
        return;
    }
    if (logons->count == LOGONS_OF_STORE_MAX)
        return;
    logons->workloads[logons->count++] = workload;
    add_hosts(logons, scenario, settings);
}

bool logons_of_store_find(struct logons_of_store *logons, const struct experiment *experiment, size_t cell,
                          const char *store, char *message, size_t message_size)
{
    const struct scenario *scenario = experiment_cell(experiment, cell)->scenario;
    *logons = (struct logons_of_store){.experiment = experiment, .cell = cell, .store = store};
    for (size_t i = 0; logons->store == NULL && i < scenario->workload_count; i++)
        if (logons_at(scenario, i) != NULL)
            logons->store = logons_at(scenario, i)->store;
    if (logons->store == NULL) {
        snprintf(message, message_size,
                 "there are no logons in this experiment, and this knows nothing else");
        return false;
    }
    while (logons->store_index < scenario->store_count &&
           strcmp(scenario->stores[logons->store_index].name, logons->store) != 0)
        logons->store_index++;
    if (logons->store_index == scenario->store_count) {
        snprintf(message, message_size, "there is no store '%.60s' in this experiment", logons->store);
        return false;
    }
    for (size_t i = 0; i < scenario->workload_count; i++)
        add_workload(logons, scenario, i);
    if (logons->count == 0)
        snprintf(message, message_size, "no logons have their profiles on the store '%.60s'", logons->store);
    return logons->count > 0;
}

bool logons_of_store_measure(struct logons_of_store *logons, const struct variant *variant, char *message,
                             size_t message_size)
{
    logons_of_store_release(logons);
    bool fine = true;
    for (size_t i = 0; fine && i < logons->count; i++) {
        fine = demand_measure(&logons->demands[i], logons->experiment, logons->cell, logons->workloads[i],
                              variant, message, message_size);
        logons->measured++;
    }
    return fine;
}

void logons_of_store_release(struct logons_of_store *logons)
{
    for (size_t i = 0; i < logons->measured; i++)
        demand_release(&logons->demands[i]);
    logons->measured = 0;
}

bool logons_of_store_solve(const struct logons_of_store *logons, const struct share_settings *share,
                           double share_count, double user_scale, struct fluid_answer *answer)
{
    assert(logons->measured == logons->count);
    const struct scenario *scenario = experiment_cell(logons->experiment, logons->cell)->scenario;
    const struct fluid_case of = {.share = share,
                                  .demands = logons->demands,
                                  .demand_count = logons->count,
                                  .user_scale = user_scale / share_count,
                                  .share_count = share_count,
                                  .length_s = (double)scenario->run.length_ns / 1e9,
                                  .nic_bytes_per_s = logons->nic_bytes_per_s / share_count};
    if (!fluid_solve(&of, answer))
        return false;
    for (size_t i = 0; i < logons->doubt_count; i++)
        fluid_doubt(answer, "%s", logons->doubts[i]);
    return true;
}

const struct share_settings *logons_of_store_share(const struct experiment *experiment, size_t cell,
                                                   size_t store_index)
{
    const struct store_part *part = &experiment_cell(experiment, cell)->scenario->stores[store_index];
    return part->kind == &share_kind ? part->settings : NULL;
}

double logons_of_store_bytes(const struct logons_of_store *logons)
{
    const struct scenario *scenario = experiment_cell(logons->experiment, logons->cell)->scenario;
    double bytes = 0.0;
    for (size_t i = 0; i < logons->count; i++) {
        const struct logons_settings *settings = logons_at(scenario, logons->workloads[i]);
        const struct profile_settings *profile = &settings->profile;
        double files = (double)profile_files(profile);
        if (settings->redirection_store != NULL && settings->profile_management.folder_redirection &&
            strcmp(settings->redirection_store, logons->store) != 0)
            files -= (double)profile->parts[PART_REDIRECTED].files;
        bytes += (double)settings->users *
                 (files * (double)profile->file_size_mean_bytes + (double)profile->registry_bytes +
                  (double)mailbox_content_bytes(settings));
    }
    return bytes;
}
