#include "sim/experiment/vary.h"

#include "sim/experiment/csv.h"
#include "sim/experiment/document.h"
#include "sim/experiment/scenario.h"
#include "sim/experiment/suggest.h"

#include <string.h>

struct unfolding {
    struct arena *arena;
    const struct node *root;
    const char *path;
    struct problems *problems;
    struct vary *vary;
};

const char *path_beside(struct arena *arena, const char *base, const char *path)
{
    const char *slash = strrchr(base, '/');
    if (path[0] == '/' || slash == NULL)
        return path;
    return arena_format(arena, "%.*s/%s", (int)(slash - base), base, path);
}

/* The named part a key leads into exists: a typo must not make a new store. */
static bool names_existing_part(const struct node *root, const char *section, const char *key,
                                struct position at, struct problems *problems)
{
    const struct node *map = node_get(root, section);
    const char *name = key + strlen(section) + 1;
    size_t length = strcspn(name, ".");
    char written[64];
    struct suggestion suggestion = {.written = written};
    if (length >= sizeof written)
        length = sizeof written - 1;
    memcpy(written, name, length);
    written[length] = '\0';
    bool is_default = strcmp(section, SECTION_HOSTS) == 0 && node_is_empty(map);
    if (is_default && strcmp(written, DEFAULT_HOSTS) == 0)
        return true;
    for (size_t i = 0; map != NULL && map->kind == NODE_MAP && i < map->count; i++) {
        if (strcmp(map->entries[i].key, written) == 0)
            return true;
        suggestion_offer(&suggestion, map->entries[i].key);
    }
    if (is_default)
        suggestion_offer(&suggestion, DEFAULT_HOSTS);
    problem_add(problems, PROBLEM_ERROR, at, "there is no '%s' under %s%s%s%s", written, section,
                suggestion.best != NULL ? ". Did you mean " : "",
                suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
    return false;
}

static bool begins_with_section(const char *key, const char *section)
{
    size_t length = strlen(section);
    return strncmp(key, section, length) == 0 && key[length] == '.' && key[length + 1] != '\0';
}

bool vary_key_is_allowed(const struct node *root, const char *key, struct position at,
                         struct problems *problems)
{
    static const char *const named[] = {SECTION_STORES, SECTION_HOSTS, SECTION_WORKLOADS};
    bool is_path = key[0] != '\0' && key[0] != '.' && key[strlen(key) - 1] != '.' &&
                   strstr(key, "..") == NULL && strlen(key) < 400;
    size_t dots = 0;
    for (const char *c = key; *c != '\0'; c++)
        dots += *c == '.';
    is_path = is_path && dots < 20;
    for (size_t i = 0; is_path && i < sizeof named / sizeof named[0]; i++)
        if (begins_with_section(key, named[i]))
            return names_existing_part(root, named[i], key, at, problems);
    if (is_path && (begins_with_section(key, "network") || begins_with_section(key, "run")))
        return true;
    problem_add(
        problems, PROBLEM_ERROR, at,
        "'%.80s' is not a setting: write the way to it, e.g. workloads.logons.users or stores.profiles.size",
        key);
    return false;
}

static void add_axis(struct unfolding *unfolding, struct axis axis)
{
    struct vary *vary = unfolding->vary;
    ARENA_GROW(unfolding->arena, vary->axes, vary->count);
    vary->axes[vary->count++] = axis;
}

static void refuse_repeated(struct unfolding *unfolding, const struct node *list)
{
    for (size_t i = 0; i < list->count && list->count <= VARY_MAX_CELLS; i++) {
        const struct node *value = list->entries[i].value;
        for (size_t j = 0; j < i && value->kind == NODE_SCALAR; j++) {
            const struct node *other = list->entries[j].value;
            if (other->kind == NODE_SCALAR && strcmp(value->text, other->text) == 0) {
                problem_add(unfolding->problems, PROBLEM_ERROR, value->at,
                            "'%.60s' stands in this list already", value->text);
                break;
            }
        }
    }
}

/* Replications and seed are the same for all cells, which are compared pair by pair. */
static bool is_varied_run(struct unfolding *unfolding, const char *key, struct position at)
{
    if (strcmp(key, "run.replications") != 0 && strcmp(key, "run.seed") != 0)
        return false;
    problem_add(unfolding->problems, PROBLEM_ERROR, at, "%s cannot be varied: all cells share it", key);
    return true;
}

static void read_list(struct unfolding *unfolding, const struct entry *entry)
{
    struct arena *arena = unfolding->arena;
    const struct node *list = entry->value;
    if (is_varied_run(unfolding, entry->key, entry->key_at) ||
        !vary_key_is_allowed(unfolding->root, entry->key, entry->key_at, unfolding->problems))
        return;
    if (list->kind != NODE_LIST || list->count == 0) {
        problem_add(unfolding->problems, PROBLEM_ERROR, list->at, "list the values to vary, %s: [one, two]",
                    entry->key);
        return;
    }
    refuse_repeated(unfolding, list);
    struct axis axis = {.key_count = 1, .item_count = list->count};
    axis.keys = ARENA_ARRAY(arena, const char *, 1);
    axis.key_at = ARENA_ARRAY(arena, struct position, 1);
    axis.values = ARENA_ARRAY(arena, const struct node *, list->count);
    axis.keys[0] = entry->key;
    axis.key_at[0] = entry->key_at;
    for (size_t i = 0; i < list->count; i++)
        axis.values[i] = list->entries[i].value;
    add_axis(unfolding, axis);
}

static void read_table(struct unfolding *unfolding, const struct node *node)
{
    struct arena *arena = unfolding->arena;
    if (node->kind != NODE_SCALAR || node_is_empty(node)) {
        problem_add(unfolding->problems, PROBLEM_ERROR, node->at, "table is the path of a CSV file");
        return;
    }
    const char *path = path_beside(arena, unfolding->path, node->text);
    const struct csv_table *table = csv_table_read(arena, path, unfolding->problems);
    if (table == NULL) {
        problem_add(unfolding->problems, PROBLEM_ERROR, node->at, "this table cannot be used");
        return;
    }
    if (table->rows == 0 || table->rows > VARY_MAX_CELLS || table->columns > 1000) {
        problem_add(unfolding->problems, PROBLEM_ERROR, node->at, "the table has %zu rows and %zu columns",
                    table->rows, table->columns);
        return;
    }
    struct axis axis = {.key_count = table->columns, .item_count = table->rows};
    axis.keys = ARENA_ARRAY(arena, const char *, table->columns);
    axis.key_at = ARENA_ARRAY(arena, struct position, table->columns);
    axis.values = ARENA_ARRAY(arena, const struct node *, table->columns * table->rows);
    bool fine = true;
    for (size_t i = 0; i < table->columns; i++) {
        axis.keys[i] = table->header[i].text;
        axis.key_at[i] = table->header[i].at;
        fine = !is_varied_run(unfolding, axis.keys[i], axis.key_at[i]) &&
               vary_key_is_allowed(unfolding->root, axis.keys[i], axis.key_at[i], unfolding->problems) &&
               fine;
    }
    for (size_t i = 0; i < table->columns * table->rows; i++)
        if (table->fields[i].text[0] != '\0')
            axis.values[i] = node_scalar(arena, table->fields[i].text, table->fields[i].at);
    if (fine)
        add_axis(unfolding, axis);
}

static const char *tail(const char *key, size_t components)
{
    const char *start = key + strlen(key);
    while (start > key && (start[-1] != '.' || --components > 0))
        start--;
    return start;
}

static bool is_unique_tail(const struct vary *vary, const char *key, const char *label, size_t components)
{
    for (size_t i = 0; i < vary->count; i++)
        for (size_t k = 0; k < vary->axes[i].key_count; k++)
            if (vary->axes[i].keys[k] != key && strcmp(tail(vary->axes[i].keys[k], components), label) == 0)
                return false;
    return true;
}

static void label_axes(struct unfolding *unfolding)
{
    struct vary *vary = unfolding->vary;
    for (size_t i = 0; i < vary->count; i++) {
        struct axis *axis = &vary->axes[i];
        axis->labels = ARENA_ARRAY(unfolding->arena, const char *, axis->key_count);
        for (size_t k = 0; k < axis->key_count; k++) {
            const char *key = axis->keys[k];
            size_t components = 1;
            while (tail(key, components) != key &&
                   !is_unique_tail(vary, key, tail(key, components), components))
                components++;
            axis->labels[k] = tail(key, components);
        }
    }
}

static void refuse_repeated_keys(struct unfolding *unfolding)
{
    struct vary *vary = unfolding->vary;
    for (size_t i = 0; i < vary->count; i++)
        for (size_t k = 0; k < vary->axes[i].key_count; k++)
            for (size_t j = 0; j < i; j++)
                for (size_t l = 0; l < vary->axes[j].key_count; l++)
                    if (strcmp(vary->axes[i].keys[k], vary->axes[j].keys[l]) == 0)
                        problem_add(unfolding->problems, PROBLEM_ERROR, vary->axes[i].key_at[k],
                                    "%s is varied twice", vary->axes[i].keys[k]);
}

void vary_count_cells(struct vary *vary)
{
    vary->cell_count = 1;
    for (size_t i = 0; i < vary->count && vary->cell_count <= VARY_MAX_CELLS; i++)
        vary->cell_count *= vary->axes[i].item_count;
}

struct vary *vary_read(struct arena *arena, const struct node *node, const struct node *root,
                       const char *path, struct problems *problems)
{
    struct unfolding unfolding = {.arena = arena, .root = root, .path = path, .problems = problems};
    struct vary *vary = unfolding.vary = ARENA_NEW(arena, struct vary);
    vary->cell_count = 1;
    if (node_is_empty(node))
        return vary;
    if (node->kind != NODE_MAP) {
        problem_add(problems, PROBLEM_ERROR, node->at,
                    "vary is a map: a setting each, with the list of its values");
        return vary;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (strcmp(node->entries[i].key, "table") == 0)
            read_table(&unfolding, node->entries[i].value);
        else
            read_list(&unfolding, &node->entries[i]);
    }
    refuse_repeated_keys(&unfolding);
    label_axes(&unfolding);
    vary_count_cells(vary);
    return vary;
}
