#include "vdisim/container.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define CONTAINER(key, field, kind, ...)                                                                     \
    {                                                                                                        \
        .name = key, .type = kind, .optional = true, .offset = offsetof(struct container_settings, field),   \
        __VA_ARGS__                                                                                          \
    }

static const char *const mode_names[] = {"direct",       "read-write", "read-only",   "try-read-write",
                                         "network-diff", "local-diff", "per-session", "first-writes",
                                         "all-merged",   NULL};
static const char *const local_cache_names[] = {"none", "on-demand", "copied", NULL};

static const struct parameter container_rows[] = {
    CONTAINER(
        "mode", mode, PARAMETER_CHOICE, .choices = mode_names,
        .help =
            "How sessions of one user share it: ProfileType 0 to 3 of FSLogix, VHDAccessMode 1 to 3, and the "
            "two of Citrix"),
    CONTAINER("office_container", office_container, PARAMETER_BOOLEAN,
              .help = "The mailbox is in a container of its own"),
    CONTAINER("office_mode", office_mode, PARAMETER_CHOICE, .choices = mode_names,
              .help = "How sessions share that one"),
    CONTAINER("lock_retries", lock_retries, PARAMETER_COUNT, .maximum = 10000,
              .help = "How often a locked container is tried again"),
    CONTAINER("lock_retry_interval", lock_retry_interval_ns, PARAMETER_DURATION, .maximum = 3.6e12,
              .help = "Wait before each of them"),
    CONTAINER("capacity", capacity_bytes, PARAMETER_SIZE, .minimum = 1048576, .maximum = 7e13,
              .help = "Size of the virtual disk"),
    CONTAINER("block", block_bytes, PARAMETER_SIZE, .minimum = 1048576, .maximum = 268435456,
              .help = "Unit in which its file grows"),
    CONTAINER("auto_expansion", auto_expansion, PARAMETER_BOOLEAN,
              .help = "The virtual disk is made larger when it fills (since 2308)"),
    CONTAINER("expansion_threshold", expansion_threshold, PARAMETER_FRACTION, .maximum = 1,
              .help = "Filled share at which it is"),
    CONTAINER("expansion_step", expansion_step_bytes, PARAMETER_SIZE, .minimum = 1048576, .maximum = 7e13,
              .help = "By how much"),
    CONTAINER("expansion_limit", expansion_limit_bytes, PARAMETER_SIZE, .minimum = 1048576, .maximum = 7e13,
              .help = "Up to what"),
    CONTAINER("compaction", compaction, PARAMETER_BOOLEAN, .help = "The file is made smaller at sign-out"),
    CONTAINER("compaction_threshold", compaction_threshold, PARAMETER_FRACTION, .maximum = 1,
              .help = "Share of the file that must be free for it; files as they are found have less"),
    CONTAINER("compaction_logoffs", compaction_logoffs, PARAMETER_COUNT, .maximum = 1e6,
              .help = "Also after so many logoffs; 0: not"),
    CONTAINER("compaction_floor", compaction_floor_bytes, PARAMETER_SIZE, .maximum = 7e13,
              .help = "Smaller files are left alone"),
    CONTAINER("compaction_after_sign_out", compaction_after_sign_out, PARAMETER_BOOLEAN,
              .help = "The user is out before it begins; the container stays locked"),
    CONTAINER("new_block_share", new_block_share, PARAMETER_FRACTION, .maximum = 1,
              .help = "Share of written bytes that need new blocks"),
    CONTAINER("local_cache", local_cache, PARAMETER_CHOICE, .choices = local_cache_names,
              .help = "What the host keeps of it: nothing, files that were used, all files (since 2103)"),
    CONTAINER("cloud_cache", cloud_cache, PARAMETER_BOOLEAN,
              .help = "A local cache, written to every provider a little later"),
    CONTAINER("provider_2", providers[0], PARAMETER_STORE, .help = "A provider beside the workload's store"),
    CONTAINER("provider_3", providers[1], PARAMETER_STORE, .help = "And another"),
    CONTAINER("provider_4", providers[2], PARAMETER_STORE, .help = "And the last"),
    CONTAINER("flush_delay", flush_delay_ns, PARAMETER_DURATION, .maximum = 3.6e12,
              .help = "From a write to the local cache until it is sent"),
    CONTAINER("providers_needed", providers_needed, PARAMETER_COUNT, .maximum = CONTAINER_PROVIDERS,
              .help = "Providers that must have everything before a user is signed out"),
    CONTAINER("keep_local_cache", keep_local_cache, PARAMETER_BOOLEAN,
              .help = "Cloud Cache stays on the host after a logoff"),
    CONTAINER("outage_provider", outage_provider, PARAMETER_COUNT, .maximum = CONTAINER_PROVIDERS,
              .help = "Provider that cannot be reached for a while, 1 for the workload's store; 0: none"),
    CONTAINER("outage_start", outage_start_ns, PARAMETER_DURATION, .maximum = 6.048e14,
              .help = "When that begins"),
    CONTAINER("outage_length", outage_length_ns, PARAMETER_DURATION, .maximum = 6.048e14,
              .help = "And how long it lasts"),
    CONTAINER("attach_reads", attach_reads, PARAMETER_COUNT, .maximum = 1e6,
              .help = "Reads of headers and tables when it is attached"),
    CONTAINER("attach_read_size", attach_read_bytes, PARAMETER_SIZE, .minimum = 512, .maximum = 1048576,
              .help = "Size of one of them"),
    CONTAINER("attach_writes", attach_writes, PARAMETER_COUNT, .maximum = 1e6,
              .help = "Header writes of 4 KiB when it is attached, and when it is detached"),
    CONTAINER("mount_reads", mount_reads, PARAMETER_COUNT, .maximum = 1e6,
              .help = "Reads of the file system's metadata"),
    CONTAINER("mount_writes", mount_writes, PARAMETER_COUNT, .maximum = 1e6, .help = "And writes, of 4 KiB"),
    CONTAINER("logon_reads", logon_reads, PARAMETER_COUNT, .maximum = 1e6,
              .help = "Reads before the profile counts as loaded, the registry not counted"),
    CONTAINER("sign_in_io_rate", sign_in_io_per_s, PARAMETER_RATE, .maximum = 1e6,
              .help = "Requests of a user in the container after that, while he signs in"),
    CONTAINER("sign_in_time", sign_in_time_ns, PARAMETER_DURATION, .maximum = 3.6e12,
              .help = "How long that lasts"),
    CONTAINER("session_io_rate", session_io_per_s, PARAMETER_RATE, .maximum = 1e6,
              .help = "Requests of a session, its mailbox and its changed files not counted"),
    CONTAINER("read_share", read_share, PARAMETER_FRACTION, .maximum = 1,
              .help = "Share of reads among both"),
    CONTAINER("io_size_min", io_min_bytes, PARAMETER_SIZE, .minimum = 512, .maximum = 1048576,
              .help = "Smallest request of the guest; each power of two up to the largest is as likely"),
    CONTAINER("io_size_max", io_max_bytes, PARAMETER_SIZE, .minimum = 512, .maximum = 1048576,
              .help = "Largest, and the size in which the registry is read"),
};

static bool wrong(struct parameter_problem *problem, const char *parameter, const char *message)
{
    problem->parameter = parameter;
    snprintf(problem->message, sizeof problem->message, "%s", message);
    return false;
}

static bool cloud_cache_check(const struct container_settings *settings, struct parameter_problem *problem)
{
    static const char *const names[] = {"provider_2", "provider_3", "provider_4"};
    int64_t providers = 1;
    for (int i = 0; i < CONTAINER_PROVIDERS - 1; i++) {
        if (settings->providers[i] == NULL)
            continue;
        if (!settings->cloud_cache)
            return wrong(problem, names[i], "only Cloud Cache has several providers: cloud_cache: true");
        for (int j = 0; j < i; j++)
            if (settings->providers[j] != NULL && strcmp(settings->providers[i], settings->providers[j]) == 0)
                return wrong(problem, names[i], "this store is a provider already");
        providers++;
    }
    if (!settings->cloud_cache)
        return settings->outage_provider == 0 ||
               wrong(problem, "outage_provider",
                     "only Cloud Cache goes on without its store: cloud_cache: true");
    if (settings->mode != CONTAINER_DIRECT ||
        (settings->office_container && settings->office_mode != CONTAINER_DIRECT))
        return wrong(problem, "mode", "with Cloud Cache a container has one session at a time: mode: direct");
    if (settings->local_cache != CONTAINER_NOT_CACHED)
        return wrong(problem, "local_cache", "Cloud Cache is a local cache itself: local_cache: none");
    if (settings->providers_needed > providers)
        return wrong(problem, "providers_needed", "there are not as many providers");
    if (settings->outage_provider > providers)
        return wrong(problem, "outage_provider", "there are not as many providers");
    return true;
}

static bool container_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct container_settings *settings = settings_of;
    if (settings->capacity_bytes == 0)
        return true; /* none is meant */
    if (settings->io_max_bytes < settings->io_min_bytes)
        return wrong(problem, "io_size_max", "the largest request is smaller than the smallest");
    if (settings->auto_expansion && settings->expansion_limit_bytes < settings->capacity_bytes)
        return wrong(problem, "expansion_limit", "the virtual disk is larger than it may become");
    return cloud_cache_check(settings, problem);
}

const struct parameter_table container_parameters = {
    .name = "container",
    .help = "A profile in a virtual disk on a share: FSLogix, Citrix Profile Management",
    .size = sizeof(struct container_settings),
    .section = "containers",
    .selector = "preset",
    PARAMETER_ROWS(container_rows),
    .check = container_check,
};
