#include "models/logons/logons_outcome.h"

#include "models/world/world_state.h"

#include <math.h>

static void report_logoffs(const struct session_outcome *outcomes, size_t count, struct metric_sink *sink)
{
    double sum_s = 0.0, longest_s = NAN, finished = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (outcomes[i].signed_out_ns == 0)
            continue;
        const double s = 1e-9 * (double)(outcomes[i].signed_out_ns - outcomes[i].logoff_began_ns);
        sum_s += s;
        longest_s = finished == 0.0 ? s : fmax(longest_s, s);
        finished++;
    }
    metric_report(sink, "logoff.mean", "s", finished == 0.0 ? NAN : sum_s / finished);
    metric_report(sink, "logoff.max", "s", longest_s);
    metric_report(sink, "logoff.finished", "", finished);
}

void session_outcomes_report(const struct session_outcome *outcomes, size_t count, struct metric_sink *sink)
{
    const double gib = 1073741824.0;
    double refused = 0, thrown_away = 0, full = 0, retries = 0, compactions = 0, merges = 0;
    double compacted_bytes = 0, merged_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        refused += outcomes[i].refused;
        thrown_away += outcomes[i].thrown_away;
        full += outcomes[i].full;
        retries += outcomes[i].lock_retries;
        compactions += outcomes[i].compactions;
        merges += outcomes[i].merges;
        compacted_bytes += (double)outcomes[i].compacted_bytes;
        merged_bytes += (double)outcomes[i].merged_bytes;
    }
    report_logoffs(outcomes, count, sink);
    metric_report(sink, "container.refused", "", refused);
    metric_report(sink, "container.thrown_away", "", thrown_away);
    metric_report(sink, "container.full", "", full);
    metric_report(sink, "container.lock_retries", "", retries);
    metric_report(sink, "container.compactions", "", compactions);
    metric_report(sink, "container.compacted", "GiB", compacted_bytes / gib);
    metric_report(sink, "container.merges", "", merges);
    metric_report(sink, "container.merged", "GiB", merged_bytes / gib);
}

void session_outcomes_warn(struct world *world, const char *name, const struct session_outcome *outcomes,
                           size_t count)
{
    bool refused = false, office_refused = false, thrown_away = false, full = false;
    for (size_t i = 0; i < count; i++) {
        refused |= outcomes[i].refused;
        office_refused |= outcomes[i].office_refused && !outcomes[i].refused;
        thrown_away |= outcomes[i].thrown_away;
        full |= outcomes[i].full;
    }
    if (refused)
        world_warn(world, "%s: users got a temporary profile, which loses what they do (container.refused)",
                   name);
    if (office_refused)
        world_warn(world, "%s: users did not get their Office container and had no mailbox", name);
    if (thrown_away)
        world_warn(world, "%s: sessions lost their changes with a differencing disk (container.thrown_away)",
                   name);
    if (full)
        world_warn(world, "%s: containers were full and took no more (container.full)", name);
}

void lost_updates_report(const struct lost_updates *lost, struct metric_sink *sink)
{
    metric_report(sink, "lost_updates.files", "", (double)lost->files);
    metric_report(sink, "lost_updates.registry_values", "", (double)lost->values);
    metric_report(sink, "lost_updates.sessions", "", (double)lost->sessions);
}
