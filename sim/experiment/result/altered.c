#include "sim/experiment/result/altered.h"

#include "sim/experiment/result/manifest_read.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static size_t count_altered(const struct manifest *manifest, const char *folder,
                            char names[ALTERED_NAMES_SIZE])
{
    size_t altered = 0, length = 0;
    for (size_t i = 0; i < manifest->output_count; i++) {
        const struct output_file *output = &manifest->outputs[i];
        char path[4200], sha256[SHA256_HEX_SIZE];
        snprintf(path, sizeof path, "%.4000s/%.100s", folder, output->name);
        if (!sha256_file(path, sha256) || strcmp(sha256, output->sha256) == 0)
            continue;
        if (length < ALTERED_NAMES_SIZE)
            length += (size_t)snprintf(names + length, ALTERED_NAMES_SIZE - length, "%s%.100s",
                                       altered == 0 ? "" : ", ", output->name);
        altered++;
    }
    return altered;
}

static size_t read_and_count(struct arena *arena, struct problems *problems, const char *folder,
                             char names[ALTERED_NAMES_SIZE])
{
    jmp_buf landing;
    if (setjmp(landing) != 0)
        return 0;
    arena_set_landing(arena, &landing);
    const struct manifest *manifest =
        manifest_read(arena, arena_format(arena, "%s/manifest.json", folder), problems);
    return manifest == NULL ? 0 : count_altered(manifest, folder, names);
}

size_t folder_altered(const char *folder, char names[ALTERED_NAMES_SIZE])
{
    names[0] = '\0';
    struct arena *arena = arena_create();
    struct problems *problems = problems_create();
    size_t altered = arena == NULL || problems == NULL ? 0 : read_and_count(arena, problems, folder, names);
    problems_destroy(problems);
    arena_destroy(arena);
    return altered;
}
