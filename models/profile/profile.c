#include "vdisim/profile.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define PROFILE(field) offsetof(struct profile_settings, field)
#define PART(number, prefix, what)                                                                           \
    {.name = prefix "files",                                                                                 \
     .type = PARAMETER_COUNT,                                                                                \
     .offset = PROFILE(parts) + (number) * sizeof(struct profile_part_settings) +                            \
               offsetof(struct profile_part_settings, files),                                                \
     .maximum = 1e6,                                                                                         \
     .help = "Files " what},                                                                                 \
        {.name = prefix "folders",                                                                           \
         .type = PARAMETER_COUNT,                                                                            \
         .offset = PROFILE(parts) + (number) * sizeof(struct profile_part_settings) +                        \
                   offsetof(struct profile_part_settings, folders),                                          \
         .maximum = 1e5,                                                                                     \
         .help = "Folders " what},                                                                           \
    {                                                                                                        \
        .name = prefix "path", .type = PARAMETER_TEXT,                                                       \
        .offset = PROFILE(parts) + (number) * sizeof(struct profile_part_settings) +                         \
                  offsetof(struct profile_part_settings, path),                                              \
        .help = "Topmost folder " what                                                                       \
    }

static const struct parameter profile_rows[] = {
    PART(PART_PROFILE, "", "that roam in the user store"),
    PART(PART_REDIRECTED, "redirected_", "in folders that can be redirected"),
    PART(PART_EXCLUDABLE, "excludable_", "that the default exclusion list covers"),
    {.name = "file_size_min",
     .type = PARAMETER_SIZE,
     .offset = PROFILE(file_size_min_bytes),
     .minimum = 1,
     .maximum = 1e15,
     .help = "Smallest file"},
    {.name = "file_size_max",
     .type = PARAMETER_SIZE,
     .offset = PROFILE(file_size_max_bytes),
     .minimum = 1,
     .maximum = 1e15,
     .help = "Largest file, large files apart"},
    {.name = "file_size_mean",
     .type = PARAMETER_SIZE,
     .offset = PROFILE(file_size_mean_bytes),
     .minimum = 1,
     .maximum = 1e15,
     .help = "Mean size of a file, large files apart"},
    {.name = "registry",
     .type = PARAMETER_SIZE,
     .offset = PROFILE(registry_bytes),
     .maximum = 1e12,
     .help = "NTUSER.DAT"},
    {.name = "registry_dirty",
     .type = PARAMETER_SIZE,
     .offset = PROFILE(registry_dirty_bytes),
     .maximum = 1e12,
     .help = "What of it changes between two write-backs"},
    {.name = "pending_files",
     .type = PARAMETER_COUNT,
     .offset = PROFILE(pending_files),
     .maximum = 1e6,
     .help = "Files in the pending area at logon"},
    {.name = "large_files",
     .type = PARAMETER_COUNT,
     .offset = PROFILE(large_files),
     .maximum = 100,
     .help = "Large files such as a mailbox"},
    {.name = "large_file",
     .type = PARAMETER_SIZE,
     .offset = PROFILE(large_file_bytes),
     .maximum = 1e15,
     .help = "Size of a large file"},
    {.name = "large_file_path",
     .type = PARAMETER_TEXT,
     .offset = PROFILE(large_file_path),
     .help = "Its path in the profile, for the patterns of large file handling"},
    {.name = "large_file_opened_at_logon",
     .type = PARAMETER_BOOLEAN,
     .offset = PROFILE(large_file_opened_at_logon),
     .help = "Something opens it while the profile loads, so that a copy cannot wait"},
};

static bool profile_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct profile_settings *settings = settings_of;
    if (settings->file_size_min_bytes >= settings->file_size_max_bytes) {
        problem->parameter = "file_size_max";
        snprintf(problem->message, sizeof problem->message, "must be larger than file_size_min");
        return false;
    }
    if (settings->file_size_mean_bytes <= settings->file_size_min_bytes ||
        settings->file_size_mean_bytes >= settings->file_size_max_bytes) {
        problem->parameter = "file_size_mean";
        snprintf(problem->message, sizeof problem->message,
                 "must lie between file_size_min and file_size_max");
        return false;
    }
    for (int part = 0; part < PART_COUNT; part++) {
        if (settings->parts[part].files > 0 && settings->parts[part].folders < 1) {
            static const char *const names[PART_COUNT] = {"folders", "redirected_folders",
                                                          "excludable_folders"};
            problem->parameter = names[part];
            snprintf(problem->message, sizeof problem->message, "there are files, so there must be a folder");
            return false;
        }
    }
    return true;
}

const struct parameter_table profile_parameters = {
    .name = "profile",
    .help = "The files of a user's profile",
    .size = sizeof(struct profile_settings),
    .section = "profiles",
    .selector = "from",
    PARAMETER_ROWS(profile_rows),
    .check = profile_check,
};

/* The integral of x^-p over [1, r]. */
static double power_integral(double p, double r)
{
    return fabs(1.0 - p) < 1e-9 ? log(r) : (pow(r, 1.0 - p) - 1.0) / (1.0 - p);
}

double file_size_law_mean(const struct file_size_law *law)
{
    const double r = law->max_bytes / law->min_bytes;
    return law->min_bytes * power_integral(law->shape, r) / power_integral(law->shape + 1.0, r);
}

struct file_size_law file_size_law(const struct profile_settings *settings)
{
    struct file_size_law law = {(double)settings->file_size_min_bytes, (double)settings->file_size_max_bytes,
                                0.0};
    double low = -50.0, high = 50.0;
    for (int i = 0; i < 100; i++) {
        law.shape = (low + high) / 2.0;
        if (file_size_law_mean(&law) > (double)settings->file_size_mean_bytes)
            low = law.shape;
        else
            high = law.shape;
    }
    return law;
}

int64_t file_size_at(const struct file_size_law *law, double u)
{
    const double r = law->max_bytes / law->min_bytes;
    const double a = law->shape;
    const double size = fabs(a) < 1e-9 ? law->min_bytes * pow(r, u)
                                       : law->min_bytes * pow(1.0 - u * (1.0 - pow(r, -a)), -1.0 / a);
    return (int64_t)size;
}

int64_t profile_files(const struct profile_settings *settings)
{
    int64_t files = 0;
    for (int part = 0; part < PART_COUNT; part++)
        files += settings->parts[part].files;
    return files;
}
