#include "sim/experiment/result/manifest_read.h"

#include "sim/experiment/read/text_file.h"
#include "sim/experiment/result/json_read.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct manifest_reader {
    struct arena *arena;
    struct problems *problems;
    const char *path;
    struct manifest *manifest;
};

static void refuse(struct manifest_reader *reader, const struct node *node, const char *what)
{
    struct position at = node != NULL ? node->at : (struct position){.file = reader->path};
    problem_add(reader->problems, PROBLEM_ERROR, at, "%s", what);
}

static bool is_text(const struct node *node)
{
    return node != NULL && node->kind == NODE_SCALAR && node->quoted;
}

static const char *text_member(struct manifest_reader *reader, const struct node *map, const char *key)
{
    const struct node *node = node_get(map, key);
    if (is_text(node))
        return node->text;
    problem_add(reader->problems, PROBLEM_ERROR,
                node != NULL  ? node->at
                : map != NULL ? map->at
                              : (struct position){.file = reader->path},
                "\"%s\" is missing or no text", key);
    return "";
}

static double number_member(struct manifest_reader *reader, const struct node *map, const char *key)
{
    const struct node *node = node_get(map, key);
    char *end = NULL;
    double value = node == NULL || node->kind != NODE_SCALAR ? NAN : strtod(node->text, &end);
    if (end == NULL || *end != '\0' || end == node->text || !isfinite(value)) {
        problem_add(reader->problems, PROBLEM_ERROR, node != NULL ? node->at : map->at,
                    "\"%s\" is missing or no number", key);
        return NAN;
    }
    return value;
}

/* `otherwise` where it is null or not there. */
static int64_t whole_member(struct manifest_reader *reader, const struct node *map, const char *key,
                            int64_t otherwise)
{
    const struct node *node = node_get(map, key);
    if (node_is_empty(node))
        return otherwise;
    char *end = NULL;
    errno = 0;
    long long value = node->kind == NODE_SCALAR ? strtoll(node->text, &end, 10) : 0;
    if (end == NULL || *end != '\0' || end == node->text || errno != 0 || value < 0) {
        problem_add(reader->problems, PROBLEM_ERROR, node->at, "\"%s\" is no whole number", key);
        return otherwise;
    }
    return value;
}

static const char *const *texts_member(struct manifest_reader *reader, const struct node *map,
                                       const char *key, size_t *count)
{
    const struct node *list = node_get(map, key);
    *count = 0;
    if (node_is_empty(list))
        return NULL;
    if (list->kind != NODE_LIST) {
        refuse(reader, list, "expected a list of texts");
        return NULL;
    }
    const char **texts = ARENA_ARRAY(reader->arena, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        if (!is_text(list->entries[i].value)) {
            refuse(reader, list->entries[i].value, "expected a text");
            return NULL;
        }
        texts[(*count)++] = list->entries[i].value->text;
    }
    return texts;
}

static void read_options(struct manifest_reader *reader, const struct node *root)
{
    struct experiment_options *options = &reader->manifest->options;
    const struct node *map = node_get(root, "options");
    if (map == NULL || map->kind != NODE_MAP) {
        refuse(reader, map, "\"options\" is missing: this manifest does not say how to run it again");
        return;
    }
    options->sets = texts_member(reader, map, "sets", &options->set_count);
    options->catalogues = texts_member(reader, map, "catalogues", &options->catalogue_count);
    options->replications = whole_member(reader, map, "replications", 0);
    options->seed = whole_member(reader, map, "seed", -1);
}

static void read_selection(struct manifest_reader *reader, const struct node *root)
{
    const struct node *map = node_get(root, "selection");
    if (node_is_empty(map))
        return;
    struct selection_request selection = {
        .metric = text_member(reader, map, "metric"),
        .indifference = number_member(reader, map, "indifference"),
        .confidence = number_member(reader, map, "confidence"),
        .at_most = (size_t)whole_member(reader, map, "at_most", 0),
    };
    if (selection.indifference <= 0 || selection.confidence < 0.5 || selection.confidence >= 1 ||
        selection.at_most == 0)
        refuse(reader, map, "this selection is none that vdisim could have made: the manifest was edited");
    reader->manifest->selection = selection;
    reader->manifest->has_selection = true;
}

/* A list of maps, or NULL with the problem. */
static const struct node *list_of(struct manifest_reader *reader, const struct node *root, const char *key)
{
    const struct node *list = node_get(root, key);
    if (list != NULL && list->kind == NODE_LIST)
        return list;
    problem_add(reader->problems, PROBLEM_ERROR,
                list != NULL ? list->at : (struct position){.file = reader->path},
                "\"%s\" is missing: this manifest does not hold enough to run it again", key);
    return NULL;
}

static void read_inputs(struct manifest_reader *reader, const struct node *root)
{
    const struct node *list = list_of(reader, root, "inputs");
    if (list == NULL)
        return;
    struct text_file *files = ARENA_ARRAY(reader->arena, struct text_file, list->count + 1);
    const char **recorded = ARENA_ARRAY(reader->arena, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        const struct node *map = list->entries[i].value;
        files[i].path = text_member(reader, map, "path");
        files[i].text = text_member(reader, map, "text");
        files[i].length = strlen(files[i].text);
        recorded[i] = text_member(reader, map, "sha256");
        char sha256[SHA256_HEX_SIZE];
        sha256_text(files[i].text, files[i].length, sha256);
        if (strcmp(sha256, recorded[i]) != 0)
            problem_add(reader->problems, PROBLEM_ERROR, map->at,
                        "the text of '%.200s' does not match its sha256: the manifest was edited",
                        files[i].path);
    }
    reader->manifest->options.files = files;
    reader->manifest->options.file_count = list->count;
    reader->manifest->input_sha256 = recorded;
    if (list->count == 0)
        refuse(reader, list, "\"inputs\" is empty: there is nothing to run");
}

static void read_outputs(struct manifest_reader *reader, const struct node *root)
{
    const struct node *list = list_of(reader, root, "outputs");
    if (list == NULL)
        return;
    struct output_file *outputs = ARENA_ARRAY(reader->arena, struct output_file, list->count + 1);
    for (size_t i = 0; i < list->count; i++) {
        const struct node *map = list->entries[i].value;
        const char *sha256 = text_member(reader, map, "sha256");
        outputs[i].name = text_member(reader, map, "file");
        if (strlen(sha256) + 1 == SHA256_HEX_SIZE)
            memcpy(outputs[i].sha256, sha256, SHA256_HEX_SIZE);
        else
            refuse(reader, map, "the sha256 of an output is not 64 digits");
    }
    reader->manifest->outputs = outputs;
    reader->manifest->output_count = list->count;
}

static bool is_manifest(struct manifest_reader *reader, const struct node *root)
{
    const struct node *schema = node_get(root, "schema");
    if (root->kind == NODE_MAP && is_text(schema) && strcmp(schema->text, "vdisim.result/1") == 0)
        return true;
    if (is_text(schema) && strncmp(schema->text, "vdisim.result/", 14) == 0)
        problem_add(reader->problems, PROBLEM_ERROR, schema->at,
                    "this manifest is of schema %.40s; this program reads vdisim.result/1", schema->text);
    else
        refuse(reader, root, "this is no manifest of a result: its \"schema\" is not vdisim.result/1");
    return false;
}

const struct manifest *manifest_read(struct arena *arena, const char *path, struct problems *problems)
{
    size_t length, reported_before = problems_reported(problems);
    const char *text = text_file_read(arena, path, MANIFEST_MAX_BYTES, &length, problems);
    const struct node *root = text == NULL ? NULL : json_read(arena, path, text, length, problems);
    if (root == NULL)
        return NULL;
    struct manifest *manifest = ARENA_NEW(arena, struct manifest);
    struct manifest_reader reader = {arena, problems, path, manifest};
    if (!is_manifest(&reader, root))
        return NULL;
    manifest->path = path;
    manifest->root = root;
    manifest->file = text_member(&reader, root, "file");
    manifest->hash = text_member(&reader, root, "hash");
    const struct node *interrupted = node_get(root, "interrupted");
    manifest->interrupted =
        interrupted != NULL && interrupted->kind == NODE_SCALAR && strcmp(interrupted->text, "true") == 0;
    read_options(&reader, root);
    read_selection(&reader, root);
    read_inputs(&reader, root);
    read_outputs(&reader, root);
    return problems_reported(problems) == reported_before ? manifest : NULL;
}

const char *manifest_text(const struct manifest *manifest, const char *key)
{
    const struct node *node = node_get(manifest->root, key);
    return is_text(node) ? node->text : "";
}
