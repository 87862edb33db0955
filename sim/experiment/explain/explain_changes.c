/* What might help: rules, each a few settings of one part of the scenario, chosen by what share of the time is charged to the
 * causes, or spent in the phases, that the rule does away with. */
#include "sim/experiment/explain/explain_choosing.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/setting.h"
#include "sim/experiment/result/label.h"
#include "sim/experiment/result/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_MOST 9

struct rule {
    const char *name, *section;
    const char *words; /* %s: the name of the part */
    unsigned causes;
    unsigned phases; /* 0: all; else only what is charged in these */
    enum {
        ONLY_SHARE = 1,
        ONLY_OTHER
    } throttled; /* whether the throttled answers must be of the share, or of file or account */
    struct variant_value values[VALUES_MOST];
};

static const struct rule rules[] = {
    {"iops",
     SECTION_STORES,
     "%s had no limit of IOPS",
     OF(IOPS_LIMIT),
     0,
     ONLY_SHARE,
     {{"base_iops", UNLIMITED},
      {"base_iops_max", UNLIMITED},
      {"burst", "none"},
      {"iops", "1000000000 IOPS"}}},
    {"egress",
     SECTION_STORES,
     "%s had no limit of egress",
     OF(EGRESS_LIMIT),
     0,
     ONLY_SHARE,
     {{"egress", UNLIMITED},
      {"throughput_max", UNLIMITED},
      {"throughput", "900000 GB/s"},
      {"throughput_max_per_gib", "0"},
      {"nic", UNLIMITED}}},
    {"machine",
     SECTION_STORES,
     "the machine of %s had no limits",
     OF(IOPS_LIMIT) | OF(EGRESS_LIMIT) | OF(INGRESS_LIMIT),
     0,
     ONLY_SHARE,
     {{"machine.iops", UNLIMITED},
      {"machine.burst_iops", UNLIMITED},
      {"machine.cached_iops", UNLIMITED},
      {"machine.throughput", UNLIMITED},
      {"machine.burst_throughput", UNLIMITED},
      {"machine.cached_throughput", UNLIMITED}}},
    {"disk_limits",
     SECTION_STORES,
     "the disks of %s had no limits",
     OF(IOPS_LIMIT) | OF(EGRESS_LIMIT) | OF(INGRESS_LIMIT),
     0,
     ONLY_SHARE,
     {{"disk.iops", UNLIMITED},
      {"disk.burst_iops", UNLIMITED},
      {"disk.throughput", UNLIMITED},
      {"disk.burst_throughput", UNLIMITED}}},
    {"server",
     SECTION_STORES,
     "%s had the largest server of FSx",
     OF(IOPS_LIMIT) | OF(EGRESS_LIMIT) | OF(INGRESS_LIMIT),
     0,
     ONLY_SHARE,
     {{"server.capacity", "mbps-2048"}}},
    {"volumes",
     SECTION_STORES,
     "the volumes of %s had no limits",
     OF(IOPS_LIMIT) | OF(EGRESS_LIMIT) | OF(INGRESS_LIMIT),
     0,
     ONLY_SHARE,
     {{"iops_per_gib", "1000000 IOPS"},
      {"burst_iops_per_gib", "1000000 IOPS"},
      {"throughput_per_gib", "900 GiB/s"},
      {"burst_throughput_per_gib", "900 GiB/s"},
      {"throughput_max", UNLIMITED}}},
    {"metadata",
     SECTION_STORES,
     "%s had no limit of opens and closes",
     OF(METADATA_LIMIT),
     0,
     0,
     {{"metadata_iops", UNLIMITED}}},
    {"file",
     SECTION_STORES,
     "one file of %s had no limits",
     OF(IOPS_LIMIT) | OF(EGRESS_LIMIT) | OF(INGRESS_LIMIT),
     0,
     ONLY_OTHER,
     {{"service.file_iops", UNLIMITED},
      {"service.file_egress", UNLIMITED},
      {"service.file_ingress", UNLIMITED}}},
    {"latency",
     SECTION_STORES,
     "%s answered at once",
     OF(SERVER_LATENCY),
     0,
     0,
     {{"service.create", "0"},
      {"service.query", "0"},
      {"service.read", "0"},
      {"service.write", "0"},
      {"service.close", "0"},
      {"service.other", "0"},
      {"latency", "0"},
      {"service.lane_time", "0"},
      {"disk_time", "0"}}},
    {"queue",
     SECTION_STORES,
     "nothing queued inside %s",
     OF(SERVER_QUEUE),
     0,
     0,
     {{"service.lanes", "1000000"}, {"disks", "1000"}}},
    {"round_trip", "network", "the way to the stores took no time", OF(NETWORK), 0, 0, {{"round_trip", "0"}}},
    {"bandwidth", "network", "the network carried any load", OF(NETWORK), 0, 0, {{"bandwidth", UNLIMITED}}},
    {"store_nic",
     SECTION_STORES,
     "the network card of %s carried any load",
     OF(NETWORK) | OF(EGRESS_LIMIT),
     0,
     0,
     {{"nic", UNLIMITED}, {"machine.nic", UNLIMITED}, {"link.bandwidth", UNLIMITED}}},
    {"nic",
     SECTION_HOSTS,
     "the network cards of %s carried any load",
     OF(NETWORK),
     0,
     0,
     {{"nic", UNLIMITED}}},
    {"disk",
     SECTION_HOSTS,
     "the local disks of %s took no time",
     OF(LOCAL_DISK),
     0,
     0,
     {{"disk", UNLIMITED}, {"disk_latency", "0"}}},
    {"credits",
     SECTION_HOSTS,
     "%s had all SMB credits they want",
     OF(WINDOW),
     0,
     0,
     {{"smb.credits", "65535"}}},
    {"smb_client",
     SECTION_HOSTS,
     "the SMB client of %s took no processor time",
     OF(CLIENT) | OF(WINDOW),
     0,
     0,
     {{"smb.read_cost", "0"},
      {"smb.write_cost", "0"},
      {"smb.receive_rate", UNLIMITED},
      {"smb.send_rate", UNLIMITED},
      {"smb.client_rate", UNLIMITED}}},
    {"large_file_handling",
     SECTION_WORKLOADS,
     "large files were handled by symbolic links",
     ~0u,
     IN(LINKS),
     0,
     {{"profile_management.large_file_handling", "true"}}},
    {"streaming",
     SECTION_WORKLOADS,
     "files were streamed",
     ~0u,
     IN(FILES) | IN(LINKS),
     0,
     {{"profile_management.streaming", "true"}}},
    {"streaming_folders",
     SECTION_WORKLOADS,
     "files and folders were streamed",
     ~0u,
     IN(FILES) | IN(ENUMERATE),
     0,
     {{"profile_management.streaming_folders", "true"}, {"profile_management.streaming", "true"}}},
    {"streaming_pending",
     SECTION_WORKLOADS,
     "the pending area was streamed",
     ~0u,
     IN(PENDING),
     0,
     {{"profile_management.streaming_pending", "true"}}},
    {"folder_redirection",
     SECTION_WORKLOADS,
     "documents were redirected",
     ~0u,
     IN(FILES) | IN(ENUMERATE),
     0,
     {{"profile_management.folder_redirection", "true"}}},
    {"exclusions",
     SECTION_WORKLOADS,
     "caches and temporary files were excluded",
     ~0u,
     IN(FILES) | IN(ENUMERATE),
     0,
     {{"profile_management.exclusions", "true"}}},
    {"raid",
     SECTION_STORES,
     "%s were RAID 10",
     OF(SERVER_LATENCY) | OF(SERVER_QUEUE),
     0,
     0,
     {{"raid", "10"}}},
    {"disk_device",
     SECTION_STORES,
     "the disks of %s were SATA SSDs",
     OF(SERVER_LATENCY) | OF(SERVER_QUEUE),
     0,
     0,
     {{"disk.device", "ssd/sata"}}},
    {"controller_cache",
     SECTION_STORES,
     "the controller of %s had a cache of 1 GiB",
     OF(SERVER_LATENCY) | OF(SERVER_QUEUE),
     0,
     0,
     {{"controller.cache", "1 GiB"}}},
    {"premium",
     SECTION_STORES,
     "%s were premium",
     OF(SERVER_LATENCY) | OF(SERVER_QUEUE) | ANY_LIMIT,
     0,
     0,
     {{"tier", "azure-files/premium"}}},
};

/* Without records: the throttled share goes to its limit, the rest of what a request takes to server and network. */
static void reckon_causes(struct choosing *choosing)
{
    static const enum wait_cause causes[RESPONSE_TYPE_COUNT] = {
        [RESPONSE_SHARE_IOPS_THROTTLING] = CAUSE_IOPS_LIMIT,
        [RESPONSE_SHARE_EGRESS_THROTTLING] = CAUSE_EGRESS_LIMIT,
        [RESPONSE_SHARE_INGRESS_THROTTLING] = CAUSE_INGRESS_LIMIT,
        [RESPONSE_METADATA_THROTTLING] = CAUSE_METADATA_LIMIT,
        [RESPONSE_THROTTLING] = CAUSE_ACCOUNT_LIMIT,
    };
    for (size_t store = 0; store < choosing->run->result->store_count; store++) {
        double throttled;
        const enum response_type type = explain_binding(choosing->run, store, &throttled);
        const double server = explain_store_metric(choosing->run, store, "server_latency.mean");
        const double e2e = explain_store_metric(choosing->run, store, "e2e_latency.mean");
        const double network = e2e > 0 ? (e2e - server) / e2e : 0;
        const double rest = 1 - throttled;
        double *cause = choosing->cause;
        const enum wait_cause limit = type == RESPONSE_THROTTLING && !explain_is_share(choosing->run, store)
                                          ? CAUSE_EGRESS_LIMIT
                                          : causes[type];
        if (throttled > 0)
            cause[limit] = fmax(cause[limit], throttled);
        cause[CAUSE_NETWORK] = fmax(cause[CAUSE_NETWORK], rest * network);
        cause[CAUSE_WINDOW] = fmax(cause[CAUSE_WINDOW], rest * network / 2);
        cause[CAUSE_SERVER_LATENCY] = fmax(cause[CAUSE_SERVER_LATENCY], rest * (1 - network));
        cause[CAUSE_SERVER_QUEUE] = fmax(cause[CAUSE_SERVER_QUEUE], rest * (1 - network) / 2);
    }
}

static void find_main_cause(struct choosing *choosing)
{
    for (size_t cause = 1; cause < CAUSE_COUNT; cause++)
        if (choosing->cause[cause] > choosing->cause[choosing->main_cause])
            choosing->main_cause = (enum wait_cause)cause;
}

static void share_causes(struct choosing *choosing)
{
    double of_share = 0, other = 0;
    for (size_t store = 0; store < choosing->run->result->store_count; store++) {
        double share;
        const enum response_type type = explain_binding(choosing->run, store, &share);
        /* A server of disks has one answer for all of its own limits; a share has it for those of a file or of the account. */
        *(type == RESPONSE_THROTTLING && explain_is_share(choosing->run, store) ? &other : &of_share) +=
            share;
    }
    choosing->throttled_by_share = of_share + other > 0 ? of_share / (of_share + other) : 1;
    choosing->throttled_otherwise = of_share + other > 0 ? other / (of_share + other) : 0;
    if (choosing->cell->subject != SUBJECT_LOGON) {
        reckon_causes(choosing);
        find_main_cause(choosing);
        return;
    }
    for (size_t i = 0; i < choosing->cell->part_count; i++)
        if (choosing->cell->parts[i].cause < CAUSE_COUNT)
            choosing->cause[choosing->cell->parts[i].cause] = choosing->cell->parts[i].share;
    find_main_cause(choosing);
}

double explain_promise_of(const struct choosing *choosing, unsigned causes, unsigned phases)
{
    const struct explain_cell *cell = choosing->cell;
    double share = 0;
    if (phases == 0) {
        for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
            share += (causes & BIT(cause)) != 0 ? choosing->cause[cause] : 0;
        return share;
    }
    for (size_t i = 0; i < cell->part_count; i++)
        for (size_t phase = 0; phase < PHASE_COUNT; phase++)
            if ((phases & BIT(phase)) != 0)
                share += (double)cell->parts[i].phase_ns[phase] / (double)cell->total_ns;
    return share;
}

void explain_add_change(struct choosing *choosing, struct explain_change change)
{
    ARENA_GROW(choosing->run->arena, choosing->list, choosing->count);
    choosing->list[choosing->count++] = change;
}

bool explain_changes_something(const struct explain_run *run, const char *key, const char *value)
{
    const struct setting *setting = explain_setting(run->resolution, key);
    if (setting == NULL)
        return false;
    const char *now =
        setting->row != NULL ? setting_text(run->arena, setting->row, setting->field) : setting->written;
    return now != NULL && strcmp(now, value) != 0;
}

/* Other tiers of Azure Files become premium; nothing else has that choice. How files are handled is asked for by profiles that
 * are kept file by file alone; where folders are redirected to, by all. */
static bool fits(const struct explain_run *run, const struct rule *rule, const char *path)
{
    if (strncmp(rule->values[0].key, "profile_management.", 19) == 0)
        return strcmp(rule->name, "folder_redirection") == 0 || explain_engine_is(run, path, "cpm");
    return strcmp(rule->name, "premium") != 0 || explain_may_become_premium(run, path);
}

bool explain_is_in_section(const struct part *part, const char *section)
{
    const size_t length = strlen(section);
    return strncmp(part->path, section, length) == 0 &&
           (part->path[length] == '.' || part->path[length] == '\0');
}

static void apply(struct choosing *choosing, const struct rule *rule, const struct part *part)
{
    const struct explain_run *run = choosing->run;
    double promise = explain_promise_of(choosing, rule->causes, rule->phases);
    if (rule->throttled == ONLY_SHARE)
        promise *= choosing->throttled_by_share;
    if (rule->throttled == ONLY_OTHER)
        promise *= choosing->throttled_otherwise;
    if (promise < PROMISE_LEAST || !fits(run, rule, part->path))
        return;
    const bool lifts_main =
        rule->causes == BIT(choosing->main_cause) ||
        ((rule->causes & BIT(choosing->main_cause)) != 0 && (rule->causes & ~ANY_LIMIT) == 0);
    /* What binds most is lifted first. Of others that promise the same a lifted limit says more than a feature. */
    struct explain_change change = {
        .name = rule->name,
        .expected = promise,
        .order = lifts_main ? 1 + promise : (rule->phases != 0 ? 0.9 : 1) * promise,
    };
    struct variant_value *values = ARENA_ARRAY(run->arena, struct variant_value, VALUES_MOST);
    for (size_t i = 0; i < VALUES_MOST && rule->values[i].key != NULL; i++) {
        const char *key = arena_format(run->arena, "%s.%s", part->path, rule->values[i].key);
        if (explain_changes_something(run, key, rule->values[i].value))
            values[change.value_count++] = (struct variant_value){key, rule->values[i].value};
    }
    if (change.value_count == 0)
        return;
    change.values = values;
    const char *dot = strchr(part->path, '.');
    const char *name = dot != NULL ? dot + 1 : part->path, *hole = strstr(rule->words, "%s");
    change.words = hole == NULL ? rule->words
                                : arena_format(run->arena, "%.*s%s%s", (int)(hole - rule->words), rule->words,
                                               name, hole + 2);
    explain_add_change(choosing, change);
}

/* -- the choice -- */

static int more_promising(const void *left, const void *right)
{
    const struct explain_change *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? 1 : -1;
    return strcmp(a->name, b->name);
}

size_t explain_choose_changes(const struct explain_run *run, const struct explain_cell *cell, size_t budget,
                              struct explain_change **changes, size_t *count)
{
    struct choosing choosing = {.run = run, .cell = cell};
    share_causes(&choosing);
    for (size_t i = 0; i < run->resolution->count; i++) {
        const struct part *part = &run->resolution->parts[i];
        for (size_t j = 0; j < sizeof rules / sizeof rules[0]; j++)
            if (explain_is_in_section(part, rules[j].section))
                apply(&choosing, &rules[j], part);
        explain_reckon_changes(&choosing, part);
    }
    if (choosing.count > 0)
        qsort(choosing.list, choosing.count, sizeof *choosing.list, more_promising);
    *changes = choosing.list;
    *count = choosing.count < budget ? choosing.count : budget;
    return choosing.count - *count;
}
