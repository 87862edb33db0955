#include "sim/experiment/read/reader.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/setting.h"
#include "sim/experiment/read/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* A block that was read, by what it was read from. */
struct reading {
    const struct node *node;
    const struct parameter_table *table;
    const struct block *block;
};

/* Values of the catalogue that apply at a level, looked up under `prefix` + name. */
struct layer {
    const struct catalogue_values *values;
    const char *prefix;
    const char *entry, *rules; /* NULL: defaults */
};

enum { MOST_LAYERS = 64 };

/* One table of a block being filled: the block's own, or a group's inside it. */
struct level {
    struct reader *reader;
    const struct block_request *request;
    const struct parameter_table *table;
    const char *name;        /* for messages */
    const char *path;        /* before the names of the rows: "" or "latency." */
    const struct node *node; /* NULL: nothing is written */
    struct position at;
    char *base; /* the struct of the table */
    struct layer layers[MOST_LAYERS];
    size_t layer_count;
    bool has_entry;    /* an entry of the catalogue fills this level */
    bool stays_silent; /* what is missing was reported as a whole: an entry that does not exist, or none
                          chosen */
    struct block *block;
};

static void read_level(struct level *level, const struct level *outer);

const struct node *reader_selected(const struct node *node, const char *selector)
{
    if (node_is_empty(node))
        return NULL;
    if (node->kind == NODE_SCALAR)
        return node;
    const struct node *chosen = selector != NULL ? node_get(node, selector) : NULL;
    return chosen != NULL ? chosen : node_get(node, NODE_BARE);
}

static void keep(struct level *level, struct setting setting)
{
    struct setting *list = (struct setting *)level->block->list;
    level->block->list = ARENA_GROW(level->reader->arena, list, level->block->count);
    list[level->block->count++] = setting;
}

static void add_layer(struct level *level, struct layer layer)
{
    assert(level->layer_count < MOST_LAYERS);
    if (layer.values != NULL && layer.values->count > 0)
        level->layers[level->layer_count++] = layer;
}

/* Whether `key` is `prefix` and `name` together; `rest` is then what follows. */
static bool begins_with(const char *key, const char *prefix, const char *name, const char **rest)
{
    size_t prefix_length = strlen(prefix), name_length = strlen(name);
    if (strncmp(key, prefix, prefix_length) != 0 || strncmp(key + prefix_length, name, name_length) != 0)
        return false;
    *rest = key + prefix_length + name_length;
    return true;
}

static const struct catalogue_value *value_in_layer(const struct layer *layer, const char *name)
{
    const char *rest;
    for (size_t i = 0; i < layer->values->count; i++)
        if (begins_with(layer->values->list[i].key, layer->prefix, name, &rest) && *rest == '\0')
            return &layer->values->list[i];
    return NULL;
}

static const struct catalogue_value *look_up(const struct level *level, const char *name,
                                             struct origin *origin)
{
    for (size_t i = 0; i < level->layer_count; i++) {
        const struct layer *layer = &level->layers[i];
        const struct catalogue_value *value = value_in_layer(layer, name);
        if (value == NULL)
            continue;
        *origin = (struct origin){.kind = layer->entry != NULL ? ORIGIN_ENTRY : ORIGIN_DEFAULT,
                                  .at = value->key_at,
                                  .entry = layer->entry,
                                  .rules = layer->rules,
                                  .status = value->status,
                                  .source = value->source,
                                  .note = value->note};
        return value;
    }
    return NULL;
}

/* "Did you mean X?" or the list of what there is. */
static const char *advice(struct arena *arena, const char *written, const char *const *known, size_t count)
{
    struct suggestion suggestion = {.written = written};
    struct builder list = {.arena = arena};
    size_t listed = 0;
    for (size_t i = 0; i < count; i++) {
        suggestion_offer(&suggestion, known[i]);
        if (list.length >= 240)
            continue;
        builder_format(&list, "%s%s", i > 0 ? ", " : "", known[i]);
        listed++;
    }
    if (listed < count)
        builder_format(&list, " and %zu more", count - listed);
    if (suggestion.best != NULL)
        return arena_format(arena, ". Did you mean %s?", suggestion.best);
    return count > 0 ? arena_format(arena, "; there is %s", builder_text(&list)) : "";
}

static const struct catalogue_entry *find_entry(const struct level *level, const struct node *chosen)
{
    struct reader *reader = level->reader;
    const char *section_name = level->table->section;
    if (chosen->kind != NODE_SCALAR) {
        problem_add(reader->problems, PROBLEM_ERROR, chosen->at,
                    "%s is the name of one entry of the catalogue", level->table->selector);
        return NULL;
    }
    const struct catalogue_entry *entry = catalogue_entry(reader->catalogue, section_name, chosen->text);
    if (entry != NULL && entry->table == level->table)
        return entry;
    if (entry != NULL) {
        problem_add(reader->problems, PROBLEM_ERROR, chosen->at, "'%.60s' is not of this kind: %s fills %s",
                    chosen->text, entry->name, entry->table->name);
        return NULL;
    }
    const struct catalogue_section *section = catalogue_section(reader->catalogue, section_name);
    size_t count = section != NULL ? section->count : 0;
    const char **known = ARENA_ARRAY(reader->arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        known[i] = section->entries[i]->name;
    problem_add(reader->problems, PROBLEM_ERROR, chosen->at, "'%.60s' is not in the catalogue of %s%s",
                chosen->text, section_name, advice(reader->arena, chosen->text, known, count));
    return NULL;
}

/* The date that a price list is asked for when its own block names none: that of the rules of its store. */
static const struct node *date_around(const struct level *level, const struct level *outer,
                                      const struct catalogue_entry *entry)
{
    if (outer == NULL || entry->rules_count == 0 || strcmp(level->table->section, "prices") != 0)
        return NULL;
    const struct node *rules = node_get(outer->node, "rules");
    return rules != NULL && rules->kind == NODE_SCALAR && isdigit((unsigned char)rules->text[0]) ? rules
                                                                                                 : NULL;
}

/* The key `rules` of the file, or NULL; remembered as a setting. */
static const struct catalogue_rules *choose_rules(struct level *level, const struct level *outer,
                                                  const struct catalogue_entry *entry)
{
    const struct node *written = node_get(level->node, "rules");
    if (written == NULL)
        written = date_around(level, outer, entry);
    char message[300];
    if (written != NULL && written->kind != NODE_SCALAR) {
        problem_add(level->reader->problems, PROBLEM_ERROR, written->at,
                    "rules is a date, e.g. 2021-01, or a name");
        level->stays_silent = true; /* what the rules would have said is not missing */
        return NULL;
    }
    const struct catalogue_rules *rules =
        catalogue_rules(entry, written != NULL ? written->text : NULL, message, sizeof message);
    if (message[0] != '\0') {
        problem_add(level->reader->problems, PROBLEM_ERROR, written->at, "%s", message);
        level->stays_silent = true;
    }
    if (rules != NULL) {
        struct origin origin = {.kind = ORIGIN_ENTRY, .entry = entry->name};
        if (written != NULL)
            origin = (struct origin){.kind = ORIGIN_FILE, .at = written->at};
        keep(level, (struct setting){.path = arena_format(level->reader->arena, "%srules", level->path),
                                     .written = rules->name,
                                     .origin = origin});
    }
    return rules;
}

/* Layers of the entry that `chosen` names. */
static void add_entry(struct level *level, const struct level *outer, const struct node *chosen,
                      struct origin origin)
{
    const struct catalogue_entry *entry = find_entry(level, chosen);
    level->has_entry = entry != NULL;
    level->stays_silent |= entry == NULL;
    if (entry == NULL)
        return;
    keep(level, (struct setting){
                    .path = arena_format(level->reader->arena, "%s%s", level->path, level->table->selector),
                    .written = entry->name,
                    .origin = origin});
    const struct catalogue_rules *rules = choose_rules(level, outer, entry);
    if (rules != NULL)
        add_layer(level,
                  (struct layer){
                      .values = &rules->values, .prefix = "", .entry = entry->name, .rules = rules->name});
    add_layer(level, (struct layer){.values = &entry->values, .prefix = "", .entry = entry->name});
}

/* The catalogue's own choice of an entry for this level: from around a group, or from the defaults. */
static const struct catalogue_value *chosen_by_catalogue(const struct level *level, const struct level *outer,
                                                         const char *row_name, struct origin *origin)
{
    const struct catalogue_value *value = NULL;
    if (outer != NULL) {
        value = look_up(outer, arena_format(level->reader->arena, "%s.%s", row_name, level->table->selector),
                        origin);
        if (value == NULL)
            value = look_up(outer, row_name, origin);
    }
    if (value != NULL)
        return value;
    value = catalogue_value(catalogue_defaults(level->reader->catalogue, level->table->name),
                            level->table->selector);
    if (value != NULL)
        *origin = (struct origin){
            .kind = ORIGIN_DEFAULT, .status = value->status, .source = value->source, .note = value->note};
    return value;
}

/* All that the catalogue says of this level, the most specific first. */
static void stack_layers(struct level *level, const struct level *outer, const char *row_name)
{
    struct reader *reader = level->reader;
    const struct parameter_table *table = level->table;
    const struct node *chosen = table->section != NULL ? reader_selected(level->node, table->selector) : NULL;
    if (chosen != NULL)
        add_entry(level, outer, chosen, (struct origin){.kind = ORIGIN_FILE, .at = chosen->at});
    for (size_t i = 0; outer != NULL && i < outer->layer_count; i++) {
        struct layer layer = outer->layers[i];
        layer.prefix = arena_format(reader->arena, "%s%s.", layer.prefix, row_name);
        add_layer(level, layer);
    }
    if (chosen == NULL && table->section != NULL && table->selector != NULL) {
        struct origin origin;
        const struct catalogue_value *value = chosen_by_catalogue(level, outer, row_name, &origin);
        if (value != NULL)
            add_entry(level, outer, value->value, origin);
    }
    const struct node *rules = node_get(level->node, "rules");
    if (rules != NULL && table->section != NULL && chosen == NULL && level->layer_count == 0) {
        problem_add(reader->problems, PROBLEM_ERROR, rules->at, "rules need a %s to choose from",
                    table->selector);
        level->stays_silent = true;
    }
    add_layer(level,
              (struct layer){.values = catalogue_defaults(reader->catalogue, table->name), .prefix = ""});
}

static bool is_known_key(const struct level *level, const char *key)
{
    const struct parameter_table *table = level->table;
    if (strcmp(key, NODE_BARE) == 0)
        return table->section != NULL;
    for (size_t i = 0; i < table->row_count; i++)
        if (strcmp(table->rows[i].name, key) == 0)
            return true;
    if (table->section != NULL && (strcmp(key, "rules") == 0 || strcmp(key, table->selector) == 0))
        return true;
    return level->path[0] == '\0' && level->request->kind_key != NULL &&
           strcmp(key, level->request->kind_key) == 0;
}

static void refuse_unknown_keys(const struct level *level)
{
    struct arena *arena = level->reader->arena;
    const struct parameter_table *table = level->table;
    if (level->node == NULL || level->node->kind != NODE_MAP)
        return;
    for (size_t i = 0; i < level->node->count; i++) {
        const struct entry *entry = &level->node->entries[i];
        if (is_known_key(level, entry->key))
            continue;
        const char **known = ARENA_ARRAY(arena, const char *, table->row_count + 2);
        size_t count = 0;
        if (table->section != NULL)
            known[count++] = table->selector;
        for (size_t j = 0; j < table->row_count; j++)
            known[count++] = table->rows[j].name;
        if (table->section != NULL)
            known[count++] = "rules";
        problem_add(level->reader->problems, PROBLEM_ERROR, entry->key_at, "unknown key '%.60s' under %s%s",
                    entry->key, level->name, advice(arena, entry->key, known, count));
    }
}

/* A store's sizes are sold in binary units: a decimal one is a mistake in `size`, doubtful elsewhere. */
static void doubt_decimal(const struct level *level, const struct parameter *row, const struct node *node)
{
    struct quantity quantity;
    char message[256], bytes[64];
    bool measures_bytes = row->type == PARAMETER_SIZE || row->type == PARAMETER_THROUGHPUT;
    if (!level->request->sold_in_binary || !measures_bytes || node->kind != NODE_SCALAR ||
        !quantity_parse(row->type, node->text, &quantity, message, sizeof message) || !quantity.decimal_bytes)
        return;
    double number;
    int length = (int)quantity_number(node->text, &number);
    bool is_size = row->type == PARAMETER_SIZE && strcmp(row->name, "size") == 0;
    quantity_format_integer(row->type == PARAMETER_SIZE ? quantity.integer : (int64_t)quantity.number, bytes,
                            sizeof bytes);
    problem_add(level->reader->problems, is_size ? PROBLEM_ERROR : PROBLEM_WARNING, node->at,
                "'%.60s' is %s bytes%s; %s. Did you mean %.*s %s?", node->text, bytes,
                row->type == PARAMETER_SIZE ? "" : " a second",
                is_size ? "this tier is sold in GiB" : "stores are measured in binary units", length,
                node->text, quantity.binary);
}

static bool is_reference(const struct parameter *row)
{
    return row->type == PARAMETER_STORE || row->type == PARAMETER_HOSTS;
}

static void check_reference(const struct level *level, const struct parameter *row, const struct node *node)
{
    struct reader *reader = level->reader;
    const struct names *names = row->type == PARAMETER_STORE ? &reader->stores : &reader->hosts;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], node->text) == 0)
            return;
    problem_add(reader->problems, PROBLEM_ERROR, node->at, "there is no %s '%.60s'%s",
                row->type == PARAMETER_STORE ? "store" : "group of hosts", node->text,
                advice(reader->arena, node->text, names->list, names->count));
}

static void report_missing(struct level *level, const struct parameter *row)
{
    struct reader *reader = level->reader;
    if (is_reference(row)) {
        const struct names *names = row->type == PARAMETER_STORE ? &reader->stores : &reader->hosts;
        problem_add(reader->problems, PROBLEM_ERROR, level->at, "%s needs the key %s, the name of a %s%s",
                    level->name, row->name, row->type == PARAMETER_STORE ? "store" : "group of hosts",
                    advice(reader->arena, "", names->list, names->count));
        return;
    }
    if (level->table->section != NULL && !level->has_entry) {
        const struct catalogue_section *section = catalogue_section(reader->catalogue, level->table->section);
        problem_add(
            reader->problems, PROBLEM_ERROR, level->at,
            "%s needs %s, an entry of the catalogue's %s, e.g. %s: %s, or all of its keys; %s is missing",
            level->name, level->table->selector, level->table->section, level->table->selector,
            section != NULL && section->count > 0 ? section->entries[0]->name : "NAME", row->name);
        level->stays_silent = true;
        return;
    }
    problem_add(reader->problems, PROBLEM_ERROR, level->at, "%s needs the key %s (%s), e.g. %s: %s",
                level->name, row->name, row->help, row->name, setting_example(row));
}

/* The value of a row: from the file, the catalogue, or because there is only one to choose. */
static void read_row(struct level *level, const struct parameter *row)
{
    struct reader *reader = level->reader;
    struct setting setting = {.row = row,
                              .path = arena_format(reader->arena, "%s%s", level->path, row->name)};
    void *field = level->base + row->offset;
    setting.field = field;
    const struct entry *written = node_entry(level->node, row->name);
    const struct catalogue_value *value = NULL;
    const struct names *names = row->type == PARAMETER_STORE ? &reader->stores : &reader->hosts;
    if (written != NULL) {
        struct position at = node_is_empty(written->value) ? written->key_at : written->value->at;
        setting.origin = (struct origin){.kind = ORIGIN_FILE, .at = at};
        setting.written = node_text(reader->arena, written->value);
        if (setting_read(reader->arena, reader->problems, row, written->value, field)) {
            doubt_decimal(level, row, written->value);
            if (is_reference(row))
                check_reference(level, row, written->value);
        }
    } else if ((value = look_up(level, row->name, &setting.origin)) != NULL) {
        setting.written = node_text(reader->arena, value->value);
        setting_read(reader->arena, reader->problems, row, value->value, field);
        if (is_reference(row) && value->value->kind == NODE_SCALAR)
            check_reference(level, row, value->value);
    } else if (is_reference(row) && !row->optional && names->count == 1) {
        *(const char **)field = names->list[0];
        setting.origin.kind = ORIGIN_ONLY;
        setting.written = names->list[0];
    } else if (row->optional) {
        setting.origin.kind = ORIGIN_UNSET;
        setting.written = "";
    } else {
        if (!level->stays_silent)
            report_missing(level, row);
        return;
    }
    keep(level, setting);
}

/* Whether the catalogue says anything of the rows of a group. */
static bool mentions_group(const struct level *level, const char *row_name)
{
    const char *rest;
    for (size_t i = 0; i < level->layer_count; i++) {
        const struct layer *layer = &level->layers[i];
        for (size_t j = 0; j < layer->values->count; j++)
            if (begins_with(layer->values->list[j].key, layer->prefix, row_name, &rest) &&
                (*rest == '.' || *rest == '\0'))
                return true;
    }
    return false;
}

static void read_group(struct level *level, const struct parameter *row)
{
    struct arena *arena = level->reader->arena;
    const struct entry *written = node_entry(level->node, row->name);
    if (written == NULL && row->optional && !mentions_group(level, row->name))
        return;
    struct level inner = {.reader = level->reader,
                          .request = level->request,
                          .table = row->group,
                          .name = row->name,
                          .path = arena_format(arena, "%s%s.", level->path, row->name),
                          .node = written != NULL ? written->value : NULL,
                          .at = written != NULL ? written->key_at : level->at,
                          .base = level->base + row->offset,
                          .stays_silent = level->stays_silent,
                          .block = level->block};
    read_level(&inner, level);
}

/* Where a setting was written, or the place of the level it is missing from. */
static struct position place_of(const struct level *level, const char *path, const struct setting **setting)
{
    *setting = NULL;
    for (size_t i = 0; path != NULL && i < level->block->count; i++) {
        const struct setting *candidate = &level->block->list[i];
        size_t prefix = strlen(level->path);
        if (candidate->row == NULL || strncmp(candidate->path, level->path, prefix) != 0 ||
            strcmp(candidate->path + prefix, path) != 0)
            continue;
        *setting = candidate;
        if (candidate->origin.kind == ORIGIN_FILE)
            return candidate->origin.at;
    }
    return level->at;
}

/* Where an item of a list of texts was written; `at` when that is not known. */
static struct position item_place(const struct level *level, const struct parameter_problem *problem,
                                  struct position at)
{
    const struct node *list = node_get(level->node, problem->parameter);
    for (size_t i = 0; problem->text != NULL && i < level->table->row_count; i++) {
        const struct parameter *row = &level->table->rows[i];
        if (row->type != PARAMETER_TEXTS || strcmp(row->name, problem->parameter) != 0)
            continue;
        const struct parameter_texts *texts = (const void *)(level->base + row->offset);
        for (size_t k = 0; k < texts->count; k++)
            if (texts->texts[k] == problem->text && list != NULL && list->kind == NODE_LIST &&
                list->count == texts->count)
                return list->entries[k].value->at;
    }
    return at;
}

static void check_relations(const struct level *level)
{
    struct parameter_problem problem = {0};
    if (level->table->check == NULL || level->table->check(level->base, &problem))
        return;
    const struct setting *setting;
    struct position at = place_of(level, problem.parameter, &setting);
    if (setting != NULL && setting->origin.kind == ORIGIN_FILE)
        at = item_place(level, &problem, at);
    if (setting != NULL && setting->origin.kind != ORIGIN_FILE)
        problem_add(level->reader->problems, PROBLEM_ERROR, at, "%s: %s (%s is %.60s here, by the catalogue)",
                    level->name, problem.message, setting->path, setting->written);
    else
        problem_add(level->reader->problems, PROBLEM_ERROR, at, "%s", problem.message);
}

static void read_level(struct level *level, const struct level *outer)
{
    struct reader *reader = level->reader;
    const struct parameter_table *table = level->table;
    size_t reported_before = problems_reported(reader->problems);
    bool is_map = node_is_empty(level->node) || level->node->kind == NODE_MAP;
    bool is_bare = level->node != NULL && level->node->kind == NODE_SCALAR && table->section != NULL;
    if (!is_map && !is_bare) {
        problem_add(reader->problems, PROBLEM_ERROR, level->node->at, "%s is a map of settings, key: value",
                    level->name);
        level->node = NULL;
        return;
    }
    if (is_map && level->node != NULL && level->node->kind != NODE_MAP)
        level->node = NULL;
    stack_layers(level, outer, level->name);
    refuse_unknown_keys(level);
    for (size_t i = 0; i < table->row_count; i++) {
        if (table->rows[i].type == PARAMETER_GROUP)
            read_group(level, &table->rows[i]);
        else
            read_row(level, &table->rows[i]);
    }
    if (problems_reported(reader->problems) == reported_before)
        check_relations(level);
}

/* Where the reading of this node for this table is or would be: the first empty place after its hash. */
static struct reading *reading_place(const struct reader *reader, const struct node *node,
                                     const struct parameter_table *table)
{
    size_t hash = (size_t)(((uint64_t)(uintptr_t)node ^ (uint64_t)(uintptr_t)table << 17) *
                               UINT64_C(0x9E3779B97F4A7C15) >>
                           20);
    for (size_t i = hash;; i++) {
        struct reading *reading = &reader->readings[i & (reader->reading_room - 1)];
        if (reading->block == NULL || (reading->node == node && reading->table == table))
            return reading;
    }
}

/* Room for one more, at most half full. */
static void grow_readings(struct reader *reader)
{
    struct reading *before = reader->readings;
    size_t room = reader->reading_room;
    if (2 * (reader->reading_count + 1) <= room)
        return;
    reader->reading_room = room > 0 ? 2 * room : 64;
    reader->readings = ARENA_ARRAY(reader->arena, struct reading, reader->reading_room);
    for (size_t i = 0; i < room; i++)
        if (before[i].block != NULL)
            *reading_place(reader, before[i].node, before[i].table) = before[i];
}

static const struct block *read_block(struct reader *reader, const struct block_request *request)
{
    struct block *block = ARENA_NEW(reader->arena, struct block);
    block->table = request->table;
    block->settings = arena_alloc(reader->arena, request->table->size);
    struct level level = {.reader = reader,
                          .request = request,
                          .table = request->table,
                          .name = request->name,
                          .path = "",
                          .node = request->node,
                          .at = request->at,
                          .base = block->settings,
                          .block = block};
    read_level(&level, NULL);
    return block;
}

const struct block *reader_read(struct reader *reader, const struct block_request *request)
{
    if (request->node == NULL)
        return read_block(reader, request);
    grow_readings(reader);
    struct reading *reading = reading_place(reader, request->node, request->table);
    if (reading->block == NULL) {
        *reading = (struct reading){
            .node = request->node, .table = request->table, .block = read_block(reader, request)};
        reader->reading_count++;
    }
    return reading->block;
}
