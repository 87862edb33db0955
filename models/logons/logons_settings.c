#include "vdisim/logons.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LOGONS(field)  offsetof(struct logons_settings, field)
#define UPDATES(field) offsetof(struct update_settings, field)
#define MAILBOX(field) offsetof(struct mailbox_settings, field)
#define DEVICES(field) offsetof(struct device_settings, field)

static const struct parameter update_rows[] = {
    {.name = "files_per_hour",
     .type = PARAMETER_RATE,
     .offset = UPDATES(files_per_s),
     .maximum = 1e6,
     .help = "Files changed by all users together while all are logged on"},
    {.name = "redirected_share",
     .type = PARAMETER_FRACTION,
     .offset = UPDATES(redirected_share),
     .maximum = 1,
     .help = "Share of them in redirected folders"},
    {.name = "rewritten_share",
     .type = PARAMETER_FRACTION,
     .offset = UPDATES(rewritten_share),
     .maximum = 1,
     .help = "What of a redirected file is written back"},
};

static const struct parameter_table update_parameters = {
    .name = "updates",
    .help = "Files that sessions change",
    .size = sizeof(struct update_settings),
    PARAMETER_ROWS(update_rows),
};

static const struct parameter mailbox_rows[] = {
    {.name = "io_rate",
     .type = PARAMETER_RATE,
     .offset = MAILBOX(io_per_s),
     .maximum = 1e5,
     .help = "Requests of one session on its mailbox file"},
    {.name = "read_share",
     .type = PARAMETER_FRACTION,
     .offset = MAILBOX(read_share),
     .maximum = 1,
     .help = "Share of reads"},
    {.name = "io_size",
     .type = PARAMETER_SIZE,
     .offset = MAILBOX(io_size_bytes),
     .minimum = 512,
     .maximum = 1048576,
     .help = "Size of one of them"},
};

static const struct parameter_table mailbox_parameters = {
    .name = "mailbox",
    .help = "A mailbox file that is used in place",
    .size = sizeof(struct mailbox_settings),
    PARAMETER_ROWS(mailbox_rows),
};

static const char *const after_names[] = {"logon", "logoff", NULL};

static const struct parameter device_rows[] = {
    {.name = "count",
     .type = PARAMETER_COUNT,
     .offset = DEVICES(count),
     .minimum = 1,
     .maximum = DEVICES_MAX,
     .help = "Sessions that each user has, on as many hosts"},
    {.name = "interval",
     .type = PARAMETER_DURATION,
     .offset = DEVICES(after_ns),
     .optional = true,
     .maximum = 6.048e14,
     .help = "From one of them to the next"},
    {.name = "after",
     .type = PARAMETER_CHOICE,
     .offset = DEVICES(after),
     .optional = true,
     .choices = after_names,
     .help = "Counted from its logon, or from the moment at which it begins to log off"},
    {.name = "registry_values",
     .type = PARAMETER_COUNT,
     .offset = DEVICES(registry_values),
     .optional = true,
     .maximum = 1e5,
     .help = "Values of the registry that sessions change"},
    {.name = "registry_changes",
     .type = PARAMETER_RATE,
     .offset = DEVICES(registry_changes_per_s),
     .optional = true,
     .maximum = 1e3,
     .help = "Changes of one session, each of one of them"},
};

static const struct parameter_table device_parameters = {
    .name = "devices",
    .help = "Several sessions of one user at once",
    .size = sizeof(struct device_settings),
    PARAMETER_ROWS(device_rows),
};

static const char *const engine_names[] = {"cpm", "container", "roaming", "local", NULL};

static const struct parameter logons_rows[] = {
    {.name = "users",
     .type = PARAMETER_COUNT,
     .offset = LOGONS(users),
     .minimum = 1,
     .maximum = 1e6,
     .help = "Users that log on"},
    {.name = "hosts",
     .type = PARAMETER_HOSTS,
     .offset = LOGONS(hosts),
     .help = "Host group they log on to, in turn"},
    {.name = "store", .type = PARAMETER_STORE, .offset = LOGONS(store), .help = "Where the profiles are"},
    {.name = "redirection_store",
     .type = PARAMETER_STORE,
     .offset = LOGONS(redirection_store),
     .optional = true,
     .help = "Where redirected folders are, if not there too"},
    {.name = "arrivals",
     .type = PARAMETER_GROUP,
     .offset = LOGONS(arrivals),
     .group = &arrival_parameters,
     .help = "When they arrive"},
    {.name = "session_length",
     .type = PARAMETER_DURATION,
     .offset = LOGONS(session_length_ns),
     .minimum = 1,
     .maximum = 6.048e14,
     .help = "From the end of the logon to the logoff"},
    {.name = "sessions_per_user",
     .type = PARAMETER_COUNT,
     .offset = LOGONS(sessions_per_user),
     .minimum = 1,
     .maximum = 1000,
     .help = "How often each user logs on"},
    {.name = "time_between_sessions",
     .type = PARAMETER_DURATION,
     .offset = LOGONS(time_between_sessions_ns),
     .maximum = 6.048e14,
     .help = "From a logoff to the user's next logon"},
    {.name = "profile",
     .type = PARAMETER_GROUP,
     .offset = LOGONS(profile),
     .group = &profile_parameters,
     .help = "What a profile holds"},
    {.name = "engine",
     .type = PARAMETER_CHOICE,
     .offset = LOGONS(engine),
     .choices = engine_names,
     .help = "How it is kept: by Citrix Profile Management file by file, in a container, by Windows roaming, "
             "or locally"},
    {.name = "profile_management",
     .type = PARAMETER_GROUP,
     .offset = LOGONS(profile_management),
     .group = &cpm_parameters,
     .help = "How it is loaded and saved file by file; folder redirection holds for every engine"},
    {.name = "container",
     .type = PARAMETER_GROUP,
     .offset = LOGONS(container),
     .group = &container_parameters,
     .help = "How it is kept in a container, with engine: container"},
    {.name = "devices",
     .type = PARAMETER_GROUP,
     .offset = LOGONS(devices),
     .group = &device_parameters,
     .help = "Several sessions of one user at once"},
    {.name = "updates",
     .type = PARAMETER_GROUP,
     .offset = LOGONS(updates),
     .group = &update_parameters,
     .help = "Files that sessions change"},
    {.name = "mailbox",
     .type = PARAMETER_GROUP,
     .offset = LOGONS(mailbox),
     .group = &mailbox_parameters,
     .help = "The large file in use"},
    {.name = "run_effect",
     .type = PARAMETER_NUMBER,
     .offset = LOGONS(run_effect_cv),
     .maximum = 2,
     .help = "Coefficient of variation, between runs, of the round trips that a logon needs"},
};

static bool container_fits(const struct logons_settings *settings, struct parameter_problem *problem)
{
    const struct container_settings *container = &settings->container;
    if (container->capacity_bytes == 0) {
        problem->parameter = "container";
        snprintf(problem->message, sizeof problem->message,
                 "which container is not said: container: fslogix, or cpm-container");
        return false;
    }
    static const char *const names[] = {"container.provider_2", "container.provider_3",
                                        "container.provider_4"};
    for (int i = 0; i < CONTAINER_PROVIDERS - 1; i++) {
        if (container->providers[i] == NULL || settings->store == NULL ||
            strcmp(container->providers[i], settings->store) != 0)
            continue;
        problem->parameter = names[i];
        snprintf(problem->message, sizeof problem->message, "the workload's store is a provider already");
        return false;
    }
    const int64_t bytes = container_content_bytes(settings);
    if (bytes <= container->capacity_bytes)
        return true;
    problem->parameter = "container.capacity";
    snprintf(problem->message, sizeof problem->message,
             "the profile holds %.4g GiB, the virtual disk %.4g GiB", (double)bytes / 1073741824.0,
             (double)container->capacity_bytes / 1073741824.0);
    return false;
}

int64_t container_content_bytes(const struct logons_settings *settings)
{
    const struct profile_settings *profile = &settings->profile;
    int64_t files = profile_files(profile);
    if (settings->profile_management.folder_redirection)
        files -= profile->parts[PART_REDIRECTED].files;
    int64_t bytes = files * profile->file_size_mean_bytes + profile->registry_bytes;
    if (!settings->container.office_container)
        bytes += mailbox_content_bytes(settings);
    return bytes;
}

int64_t mailbox_content_bytes(const struct logons_settings *settings)
{
    return settings->profile.large_files * settings->profile.large_file_bytes;
}

static bool logons_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct logons_settings *settings = settings_of;
    if (settings->engine == ENGINE_CONTAINER && !container_fits(settings, problem))
        return false;
    problem->parameter = "updates.redirected_share";
    if (settings->updates.files_per_s <= 0.0)
        return true;
    if (settings->updates.redirected_share > 0.0 && settings->profile.parts[PART_REDIRECTED].files == 0) {
        snprintf(problem->message, sizeof problem->message, "the profile has no redirected files to change");
        return false;
    }
    if (settings->updates.redirected_share < 1.0 && settings->profile.parts[PART_PROFILE].files == 0) {
        snprintf(problem->message, sizeof problem->message, "the profile has no local files to change");
        return false;
    }
    return true;
}

const struct parameter_table logons_parameters = {
    .name = "logons",
    .help = "Users log on, work and log off",
    .size = sizeof(struct logons_settings),
    PARAMETER_ROWS(logons_rows),
    .check = logons_check,
};
