/* What might help, where the settings are reckoned from those that there are: the account's limits, which several shares have in
 * common, twice the size or the disks, locked containers tried sooner, users over a longer time. */
#include "sim/experiment/explain/explain_choosing.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/setting.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- the account that shares have in common -- */

static const char *account_of(const struct explain_run *run, const struct part *part)
{
    const struct setting *setting =
        explain_setting(run->resolution, arena_format(run->arena, "%s.account", part->path));
    return setting != NULL ? setting->written : NULL;
}

static bool are_of_one_account(const struct explain_run *run, const struct part *a, const struct part *b)
{
    const char *of_a = account_of(run, a), *of_b = account_of(run, b);
    return a == b || (of_a != NULL && of_b != NULL && strcmp(of_a, of_b) == 0);
}

/* An account has one set of limits, so they are lifted in all its shares at once, when the first of them comes by. */
static void lift_account(struct choosing *choosing, const struct part *part)
{
    static const char *const limits[] = {"account_iops", "account_ingress", "account_egress"};
    const struct explain_run *run = choosing->run;
    const double bytes = explain_promise_of(choosing, OF(INGRESS_LIMIT) | OF(EGRESS_LIMIT), 0);
    const double promise =
        explain_promise_of(choosing, OF(ACCOUNT_LIMIT), 0) + bytes * choosing->throttled_otherwise;
    struct explain_change change = {.name = "account", .expected = promise};
    struct variant_value *values = NULL;
    if (promise < PROMISE_LEAST)
        return;
    for (size_t i = 0; i < run->resolution->count; i++) {
        const struct part *other = &run->resolution->parts[i];
        if (!explain_is_in_section(other, SECTION_STORES) || !are_of_one_account(run, part, other))
            continue;
        if (other < part)
            return;
        for (size_t j = 0; j < sizeof limits / sizeof limits[0]; j++) {
            const char *key = arena_format(run->arena, "%s.%s", other->path, limits[j]);
            if (!explain_changes_something(run, key, UNLIMITED))
                continue;
            ARENA_GROW(run->arena, values, change.value_count);
            values[change.value_count++] = (struct variant_value){key, UNLIMITED};
        }
    }
    if (change.value_count == 0)
        return;
    const char *name = account_of(run, part);
    change.words =
        arena_format(run->arena, "the storage account %s%s had no limits", name != NULL ? "" : "of ",
                     name != NULL ? name : part->path + strlen(SECTION_STORES) + 1);
    change.values = values;
    change.order = choosing->main_cause == CAUSE_ACCOUNT_LIMIT ? 1 + promise : promise;
    explain_add_change(choosing, change);
}

/* -- locked containers -- */

/* As long, but every second. */
static void retry_sooner(struct choosing *choosing, const struct part *part, double promise)
{
    const struct explain_run *run = choosing->run;
    const char *count_key = arena_format(run->arena, "%s.container.lock_retries", part->path);
    const char *pause_key = arena_format(run->arena, "%s.container.lock_retry_interval", part->path);
    const struct setting *count = explain_setting(run->resolution, count_key);
    const struct setting *pause = explain_setting(run->resolution, pause_key);
    if (count == NULL || pause == NULL)
        return;
    const double pause_s = (double)*(const int64_t *)pause->field / 1e9;
    const double patience_s = (double)*(const int64_t *)count->field * pause_s;
    if (pause_s <= 1.0 || patience_s < 1.0)
        return;
    struct variant_value *values = ARENA_ARRAY(run->arena, struct variant_value, 2);
    values[0] = (struct variant_value){pause_key, "1 s"};
    values[1] = (struct variant_value){count_key, arena_format(run->arena, "%.0f", patience_s)};
    explain_add_change(choosing, (struct explain_change){
                                     .name = "lock_retries",
                                     .words = arena_format(run->arena,
                                                           "a locked container was tried every second, "
                                                           "%.0f s long",
                                                           patience_s),
                                     .values = values,
                                     .value_count = 2,
                                     .expected = promise,
                                     .order = 1 + promise,
                                 });
}

/* Second sessions get in, to read. */
static void let_in(struct choosing *choosing, const struct part *part, double promise)
{
    const struct explain_run *run = choosing->run;
    const char *key = arena_format(run->arena, "%s.container.mode", part->path);
    if (!explain_changes_something(run, key, "try-read-write"))
        return;
    struct variant_value *value = ARENA_NEW(run->arena, struct variant_value);
    *value = (struct variant_value){key, "try-read-write"};
    explain_add_change(choosing, (struct explain_change){
                                     .name = "second_session",
                                     .words = "a second session got in, and lost what it changes",
                                     .values = value,
                                     .value_count = 1,
                                     .expected = promise,
                                     .order = 0.9 * promise,
                                 });
}

static void unlock(struct choosing *choosing, const struct part *part)
{
    const double promise = explain_promise_of(choosing, OF(LOCK_RETRY), 0);
    if (promise < PROMISE_LEAST || !explain_engine_is(choosing->run, part->path, "container"))
        return;
    retry_sooner(choosing, part, promise);
    let_in(choosing, part, promise);
}

/* -- twice as much of something -- */

static bool grows_with_size(const struct explain_run *run, const char *path)
{
    static const char *const names[] = {"base_iops_per_gib", "ingress_per_gib", "egress_per_gib",
                                        "iops_per_gib"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct setting *setting =
            explain_setting(run->resolution, arena_format(run->arena, "%s.%s", path, names[i]));
        if (setting != NULL && *(const double *)setting->field > 0)
            return true;
    }
    return false;
}

static void double_size(struct choosing *choosing, const struct part *part)
{
    const struct explain_run *run = choosing->run;
    const char *key = arena_format(run->arena, "%s.size", part->path);
    const struct setting *size = explain_setting(run->resolution, key);
    const double promise = explain_promise_of(choosing, ANY_LIMIT, 0) * choosing->throttled_by_share;
    if (size == NULL || size->row->type != PARAMETER_SIZE || promise < PROMISE_LEAST ||
        !grows_with_size(run, part->path))
        return;
    const int64_t now_bytes = *(const int64_t *)size->field;
    if (now_bytes > INT64_MAX / 2)
        return;
    const union field twice = {.integer = 2 * now_bytes};
    struct variant_value *value = ARENA_NEW(run->arena, struct variant_value);
    *value = (struct variant_value){key, setting_text(run->arena, size->row, &twice)};
    explain_add_change(choosing,
                       (struct explain_change){
                           .name = "size",
                           .words = arena_format(run->arena, "%s were twice as large, %s",
                                                 part->path + strlen(SECTION_STORES) + 1, value->value),
                           .values = value,
                           .value_count = 1,
                           .expected = promise,
                           .order = 0.9 * promise,
                       });
}

/* Disks in a volume or behind a server. */
static void double_disks(struct choosing *choosing, const struct part *part)
{
    const struct explain_run *run = choosing->run;
    static const char *const names[] = {"members", "disks"};
    const double promise = explain_promise_of(choosing, OF(SERVER_LATENCY) | OF(SERVER_QUEUE) | ANY_LIMIT, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *key = arena_format(run->arena, "%s.%s", part->path, names[i]);
        const struct setting *setting = explain_setting(run->resolution, key);
        if (setting == NULL || setting->row == NULL || setting->row->type != PARAMETER_COUNT ||
            promise < PROMISE_LEAST || *(const int64_t *)setting->field < 1)
            continue;
        struct variant_value *value = ARENA_NEW(run->arena, struct variant_value);
        *value = (struct variant_value){
            key, arena_format(run->arena, "%" PRId64, 2 * *(const int64_t *)setting->field)};
        explain_add_change(choosing,
                           (struct explain_change){
                               .name = "disks",
                               .words = arena_format(run->arena, "%s had twice as many disks, %s",
                                                     part->path + strlen(SECTION_STORES) + 1, value->value),
                               .values = value,
                               .value_count = 1,
                               .expected = promise,
                               .order = 0.9 * promise,
                           });
    }
}

/* Users over twice the window, in a run that is longer by it. */
static void spread_users(struct choosing *choosing, const struct part *part)
{
    const struct explain_run *run = choosing->run;
    const char *key = arena_format(run->arena, "%s.arrivals.window", part->path);
    const struct setting *window = explain_setting(run->resolution, key);
    const double promise = explain_promise_of(choosing, ANY_LIMIT | OF(SERVER_QUEUE), 0);
    if (window == NULL || promise < PROMISE_LEAST)
        return;
    const int64_t window_ns = *(const int64_t *)window->field;
    const union field twice = {.integer = 2 * window_ns};
    struct variant_value *values = ARENA_ARRAY(run->arena, struct variant_value, 2);
    values[0] = (struct variant_value){key, setting_text(run->arena, window->row, &twice)};
    values[1] = (struct variant_value){
        "run.length",
        arena_format(run->arena, "%" PRId64 " ns", run->resolution->scenario.run.length_ns + window_ns)};
    explain_add_change(choosing, (struct explain_change){
                                     .name = "arrivals",
                                     .words = arena_format(run->arena, "users came over %s", values[0].value),
                                     .values = values,
                                     .value_count = 2,
                                     .expected = promise,
                                     .order = 0.8 * promise,
                                 });
}

void explain_reckon_changes(struct choosing *choosing, const struct part *part)
{
    if (explain_is_in_section(part, SECTION_STORES)) {
        lift_account(choosing, part);
        double_size(choosing, part);
        double_disks(choosing, part);
    }
    if (explain_is_in_section(part, SECTION_WORKLOADS)) {
        unlock(choosing, part);
        spread_users(choosing, part);
    }
}
