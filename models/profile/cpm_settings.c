#include "vdisim/cpm.h"

#include <ctype.h>
#include <stddef.h>

#define CPM(key, field, kind, ...)                                                                           \
    {                                                                                                        \
        .name = key, .type = kind, .offset = offsetof(struct cpm_settings, field), __VA_ARGS__               \
    }

static const struct parameter cpm_rows[] = {
    CPM("streaming", streaming, PARAMETER_BOOLEAN, .help = "Files are fetched when first opened"),
    CPM("streaming_folders", streaming_folders, PARAMETER_BOOLEAN,
        .help = "Folders are looked at when first opened (since 2103)"),
    CPM("streaming_pending", streaming_pending, PARAMETER_BOOLEAN,
        .help = "The pending area is streamed, too (since 2206)"),
    CPM("active_write_back", active_write_back, PARAMETER_BOOLEAN,
        .help = "Changed files are saved in the session"),
    CPM("active_write_back_registry", active_write_back_registry, PARAMETER_BOOLEAN,
        .help = "The registry, too"),
    CPM("write_back_interval", write_back_interval_ns, PARAMETER_DURATION, .minimum = 1e9, .maximum = 8.64e13,
        .help = "Time between two active write-backs"),
    CPM("large_file_handling", large_file_handling, PARAMETER_BOOLEAN,
        .help = "Files that match large_file_patterns become symbolic links"),
    CPM("large_file_patterns", large_file_patterns, PARAMETER_TEXTS, .help = "Which files are large"),
    CPM("folder_redirection", folder_redirection, PARAMETER_BOOLEAN,
        .help = "Desktop, Documents, Pictures live on a share"),
    CPM("exclusions", exclusions, PARAMETER_BOOLEAN, .help = "What matches exclusion_patterns does not roam"),
    CPM("exclusion_patterns", exclusion_patterns, PARAMETER_TEXTS, .help = "What does not roam"),
    CPM("delete_cached_profiles", delete_cached_profiles, PARAMETER_BOOLEAN,
        .help = "The local copy is deleted at logoff"),
    CPM("delete_delay", delete_delay_ns, PARAMETER_DURATION, .maximum = 8.64e13,
        .help = "Wait before it is deleted"),
    CPM("store_path_depth", store_path_depth, PARAMETER_COUNT, .maximum = 32,
        .help = "Folders of the path to the user store that a logon looks up"),
    CPM("attribute_queries", attribute_queries, PARAMETER_COUNT, .maximum = 16,
        .help = "QUERY_INFO a file for its placeholder"),
    CPM("copy_queries", copy_queries, PARAMETER_COUNT, .maximum = 16,
        .help = "QUERY_INFO a file when it is copied"),
    CPM("local_ios_per_file", local_ios_per_file, PARAMETER_COUNT, .maximum = 1000,
        .help = "I/Os on the host's disk for a placeholder"),
};

const struct parameter_table cpm_parameters = {
    .name = "profile_management",
    .help = "Citrix Profile Management, file-based",
    .size = sizeof(struct cpm_settings),
    .section = "profile_management",
    .selector = "preset",
    PARAMETER_ROWS(cpm_rows),
};

bool cpm_pattern_matches(const char *pattern, const char *path)
{
    const char *star = NULL, *resume = NULL;
    while (*path != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            resume = path;
        } else if (*pattern == '?' || tolower((unsigned char)*pattern) == tolower((unsigned char)*path)) {
            pattern++;
            path++;
        } else if (star != NULL) {
            pattern = star + 1;
            path = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static bool any_matches(const struct parameter_texts *patterns, const char *path)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (cpm_pattern_matches(patterns->texts[i], path))
            return true;
    return false;
}

bool cpm_part_roams(const struct cpm_settings *settings, const struct profile_settings *profile,
                    enum profile_part part)
{
    if (part == PART_REDIRECTED && settings->folder_redirection)
        return false;
    return !(settings->exclusions && any_matches(&settings->exclusion_patterns, profile->parts[part].path));
}

bool cpm_links_large_files(const struct cpm_settings *settings, const struct profile_settings *profile)
{
    return settings->large_file_handling &&
           any_matches(&settings->large_file_patterns, profile->large_file_path);
}
