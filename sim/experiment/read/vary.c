#include "sim/experiment/read/vary_inside.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/csv.h"
#include "sim/experiment/read/scenario.h"
#include "sim/experiment/read/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void vary_refuse(const struct vary_reading *reading, struct position at, const char *format, ...)
{
    char message[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    problem_add(reading->varying->problems, PROBLEM_ERROR, at, "%s", message);
}

void vary_refuse_unknown(const struct vary_reading *reading, struct position at, const char *what,
                         const char *written, const char *const *known, size_t count)
{
    struct suggestion suggestion = {.written = written};
    struct builder list = {.arena = reading->varying->arena};
    for (size_t i = 0; i < count; i++) {
        suggestion_offer(&suggestion, known[i]);
        builder_format(&list, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    if (suggestion.best != NULL)
        vary_refuse(reading, at, "'%.60s' is no %s. Did you mean %s?", written, what, suggestion.best);
    else
        vary_refuse(reading, at, "'%.60s' is no %s; there is %.300s", written, what, builder_text(&list));
}

struct axis vary_axis(const struct vary_reading *reading, size_t keys, size_t items)
{
    struct arena *arena = reading->varying->arena;
    return (struct axis){.key_count = keys,
                         .item_count = items,
                         .keys = ARENA_ARRAY(arena, const char *, keys),
                         .key_at = ARENA_ARRAY(arena, struct position, keys),
                         .values = ARENA_ARRAY(arena, const struct node *, keys *items)};
}

void vary_add_axis(struct vary_reading *reading, struct axis axis)
{
    struct vary *vary = reading->vary;
    ARENA_GROW(reading->varying->arena, vary->axes, vary->count);
    vary->axes[vary->count++] = axis;
}

bool vary_check_key(const struct vary_reading *reading, const char *key, struct position at)
{
    /* Replications, seed and precision are the same for all cells, which are compared pair by pair. */
    if (strncmp(key, "run.", 4) == 0 && strcmp(key, "run.length") != 0) {
        vary_refuse(reading, at, "%s cannot be varied: all cells share it", key);
        return false;
    }
    return vary_key_is_allowed(reading->varying->root, key, at, reading->varying->problems);
}

void vary_read_table(struct vary_reading *reading, const struct node *node)
{
    const struct varying *varying = reading->varying;
    struct arena *arena = varying->arena;
    if (node->kind != NODE_SCALAR || node_is_empty(node)) {
        vary_refuse(reading, node->at, "table is the path of a CSV file");
        return;
    }
    const char *path = path_beside(arena, varying->path, node->text);
    const struct csv_table *table = csv_table_read(arena, path, varying->problems);
    if (table == NULL) {
        vary_refuse(reading, node->at, "this table cannot be used");
        return;
    }
    if (table->rows == 0 || table->rows > VARY_MAX_CELLS || table->columns > 1000) {
        vary_refuse(reading, node->at, "the table has %zu rows and %zu columns", table->rows, table->columns);
        return;
    }
    struct axis axis = vary_axis(reading, table->columns, table->rows);
    bool fine = true;
    for (size_t i = 0; i < table->columns; i++) {
        axis.keys[i] = table->header[i].text;
        axis.key_at[i] = table->header[i].at;
        fine = vary_check_key(reading, axis.keys[i], axis.key_at[i]) && fine;
    }
    for (size_t i = 0; i < table->columns * table->rows; i++)
        if (table->fields[i].text[0] != '\0')
            axis.values[i] = node_scalar(arena, table->fields[i].text, table->fields[i].at);
    if (fine)
        vary_add_axis(reading, axis);
}

static bool is_unique_tail(const struct vary *vary, const char *key, const char *label, size_t components)
{
    for (size_t i = 0; i < vary->count; i++)
        for (size_t k = 0; k < vary->axes[i].key_count; k++)
            if (vary->axes[i].keys[k] != key &&
                strcmp(path_tail(vary->axes[i].keys[k], components), label) == 0)
                return false;
    return true;
}

static void label_axes(const struct vary_reading *reading)
{
    struct vary *vary = reading->vary;
    for (size_t i = 0; i < vary->count; i++) {
        struct axis *axis = &vary->axes[i];
        axis->labels = ARENA_ARRAY(reading->varying->arena, const char *, axis->key_count);
        for (size_t k = 0; k < axis->key_count; k++) {
            const char *key = axis->keys[k];
            size_t components = 1;
            while (path_tail(key, components) != key &&
                   !is_unique_tail(vary, key, path_tail(key, components), components))
                components++;
            axis->labels[k] = path_tail(key, components);
        }
    }
}

static void refuse_repeated_keys(const struct vary_reading *reading)
{
    struct vary *vary = reading->vary;
    for (size_t i = 0; i < vary->count; i++)
        for (size_t k = 0; k < vary->axes[i].key_count; k++)
            for (size_t j = 0; j < i; j++)
                for (size_t l = 0; l < vary->axes[j].key_count; l++)
                    if (strcmp(vary->axes[i].keys[k], vary->axes[j].keys[l]) == 0)
                        vary_refuse(reading, vary->axes[i].key_at[k], "%s is varied twice",
                                    vary->axes[i].keys[k]);
}

static void read_entry(struct vary_reading *reading, const struct entry *entry)
{
    static const char *const words[] = {"lockstep", "table", "sample", "where"};
    struct suggestion suggestion = {.written = entry->key};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        suggestion_offer(&suggestion, words[i]);
    if (strcmp(entry->key, "where") == 0)
        reading->vary->where = entry;
    else if (strcmp(entry->key, "lockstep") == 0)
        vary_read_lockstep(reading, entry->value);
    else if (strcmp(entry->key, "table") == 0)
        vary_read_table(reading, entry->value);
    else if (strcmp(entry->key, "sample") == 0)
        vary_read_sample(reading, entry->value);
    else if (strchr(entry->key, '.') == NULL && suggestion.best != NULL)
        vary_refuse(reading, entry->key_at, "unknown key '%.60s' under vary. Did you mean %s?", entry->key,
                    suggestion.best);
    else
        vary_read_list(reading, entry);
}

struct vary *vary_read(const struct varying *varying, const struct node *node)
{
    struct vary *vary = ARENA_NEW(varying->arena, struct vary);
    struct vary_reading reading = {varying, vary};
    size_t reported_before = problems_reported(varying->problems);
    if (node_is_empty(node))
        return vary;
    if (node->kind != NODE_MAP) {
        vary_refuse(&reading, node->at, "vary is a map: a setting each, with the list of its values");
        return vary;
    }
    for (size_t i = 0; i < node->count; i++)
        read_entry(&reading, &node->entries[i]);
    refuse_repeated_keys(&reading);
    label_axes(&reading);
    vary->broken = problems_reported(varying->problems) > reported_before;
    return vary;
}
