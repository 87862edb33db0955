#include "sim/experiment/result/rerun_manifest.h"

#include "sim/experiment/result/json_read.h"
#include "vdisim/random.h"
#include "vdisim/version.h"

#include <gsl/gsl_version.h>
#include <stdlib.h>
#include <string.h>

/* They name the program, or are compared by other means. */
static bool is_apart(const char *key)
{
    static const char *const keys[] = {"version",           "commit",  "gsl_version", "random_generator",
                                       "builtin_catalogue", "outputs", "hash"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void tell_node(char *text, size_t size, const struct node *node)
{
    if (node == NULL)
        snprintf(text, size, "nothing");
    else if (node->kind == NODE_SCALAR)
        snprintf(text, size, "%.120s", node->text);
    else
        snprintf(text, size, "%zu %s", node->count, node->kind == NODE_LIST ? "entries" : "keys");
}

static bool found(struct manifest_difference *difference, const char *where, const struct node *was,
                  const struct node *is)
{
    difference->is_same = false;
    snprintf(difference->where, sizeof difference->where, "%s", where);
    tell_node(difference->was, sizeof difference->was, was);
    tell_node(difference->is, sizeof difference->is, is);
    return true;
}

static bool find_difference(const struct node *was, const struct node *is, const char *where,
                            struct manifest_difference *difference)
{
    if (was == NULL || is == NULL || was->kind != is->kind)
        return found(difference, where, was, is);
    if (was->kind == NODE_SCALAR)
        return strcmp(was->text, is->text) != 0 && found(difference, where, was, is);
    for (size_t i = 0; i < was->count || i < is->count; i++) {
        char inside[256];
        const struct node *left = i < was->count ? was->entries[i].value : NULL;
        const struct node *right = i < is->count ? is->entries[i].value : NULL;
        const char *key = i < was->count ? was->entries[i].key : NULL;
        if (was->kind == NODE_LIST) {
            snprintf(inside, sizeof inside, "%.200s %zu", where, i + 1);
        } else if (key == NULL) {
            return was->count != is->count && found(difference, where, was, is);
        } else {
            right = node_get(is, key);
            snprintf(inside, sizeof inside, "%.200s, %.40s", where, key);
        }
        if (find_difference(left, right, inside, difference))
            return true;
    }
    return false;
}

static void compare_trees(const struct node *was, const struct node *is,
                          struct manifest_difference *difference)
{
    difference->is_same = true;
    for (size_t i = 0; i < is->count && difference->is_same; i++) {
        const char *key = is->entries[i].key;
        if (!is_apart(key))
            find_difference(node_get(was, key), is->entries[i].value, key, difference);
    }
}

/* Compares with a manifest just printed; its arena goes in any case. */
static bool compare_with_text(const struct manifest *manifest, const char *text, size_t length,
                              struct manifest_difference *difference)
{
    struct arena *arena = arena_create();
    struct problems *problems = problems_create();
    jmp_buf landing;
    volatile bool fine = false;
    if (arena != NULL && problems != NULL && setjmp(landing) == 0) {
        arena_set_landing(arena, &landing);
        const struct node *root = json_read(arena, "manifest.json", text, length, problems);
        if (root != NULL)
            compare_trees(manifest->root, root, difference);
        fine = root != NULL;
    }
    arena_destroy(arena);
    problems_destroy(problems);
    return fine;
}

bool manifest_compare(const struct manifest *manifest, const struct result *result,
                      struct manifest_difference *difference)
{
    char *text = NULL;
    size_t length = 0;
    struct writer writer = {.file = open_memstream(&text, &length)};
    *difference = (struct manifest_difference){0};
    if (writer.file == NULL)
        return false;
    manifest_print(result, NULL, 0, &writer);
    bool fine = fclose(writer.file) == 0 && writer.error == 0 &&
                compare_with_text(manifest, text, length, difference);
    free(text);
    return fine;
}

static size_t tell_other(const struct manifest *manifest, const char *key, const char *what, const char *now,
                         struct writer *writer, const char *before)
{
    const char *was = manifest_text(manifest, key);
    if (strcmp(was, now) == 0)
        return 0;
    write_text(writer, "%s%s was %s, is %s\n", before, what, was[0] == '\0' ? "not recorded" : was,
               now[0] == '\0' ? "not known" : now);
    return 1;
}

size_t manifest_tell_program(const struct manifest *manifest, const struct experiment *experiment,
                             struct writer *writer, const char *before)
{
    char catalogue[SHA256_HEX_SIZE];
    builtin_catalogue_hash(catalogue);
    size_t count = 0;
    count += tell_other(manifest, "version", "the program's version", VDISIM_VERSION, writer, before);
    count += tell_other(manifest, "commit", "the program's commit", VDISIM_COMMIT, writer, before);
    count += tell_other(manifest, "gsl_version", "GSL", gsl_version, writer, before);
    count += tell_other(manifest, "random_generator", "the random generator", sim_random_gsl_type()->name,
                        writer, before);
    if (strcmp(manifest_text(manifest, "builtin_catalogue"), catalogue) != 0) {
        write_text(writer, "%sthe built-in catalogue is another one\n", before);
        count++;
    }
    if (strcmp(manifest->hash, experiment_hash(experiment)) != 0) {
        write_text(writer,
                   "%sthe experiment resolves to other values (its hash was %.12s, is %.12s): defaults or "
                   "catalogue of the program changed, or the manifest's options were edited\n",
                   before, manifest->hash, experiment_hash(experiment));
        count++;
    }
    return count;
}
