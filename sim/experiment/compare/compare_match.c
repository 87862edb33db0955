#include "sim/experiment/compare/compare_match.h"

#include "sim/experiment/read/node.h"

#include "sim/experiment/read/suggest.h"

#include <stdio.h>
#include <string.h>

/* One side while its cells are chosen. */
struct side {
    struct arena *arena;
    const struct sample *sample;
    const char *name;  /* "a", "b" */
    const char **keys; /* chosen by: whole keys */
    const char **values;
    size_t key_count;
    size_t *cells;                 /* that have those values */
    struct sample_cell *remaining; /* [chosen cell]: without those keys */
    size_t cell_count;
    const char *choice;
};

/* All keys of the sample's cells: those of the first are those of all. */
static const struct sample_cell *keys_of(const struct side *side)
{
    return &side->sample->cells[0];
}

/* NULL with a message when no key, or more than one, ends so. */
static const char *find_key(const struct side *side, const char *written, char *message)
{
    const struct sample_cell *cell = keys_of(side);
    const char *found = NULL;
    for (size_t i = 0; i < cell->assignment_count; i++) {
        const char *key = cell->assignments[i].key;
        if (strcmp(key, written) == 0)
            return key;
        if (!path_ends_with(key, written))
            continue;
        if (found != NULL) {
            snprintf(message, SAMPLE_MESSAGE_SIZE, "--%s: '%.80s' is the end of both %.160s and %.160s",
                     side->name, written, found, key);
            return NULL;
        }
        found = key;
    }
    if (found != NULL)
        return found;
    struct suggestion suggestion = {.written = written};
    for (size_t i = 0; i < cell->assignment_count; i++) {
        suggestion_offer(&suggestion, cell->assignments[i].key);
        suggestion_offer(&suggestion, cell->assignments[i].label);
    }
    if (cell->assignment_count == 0)
        snprintf(message, SAMPLE_MESSAGE_SIZE, "--%s: %.200s varies nothing, so it has no '%.80s'",
                 side->name, side->sample->origin, written);
    else if (suggestion.best != NULL)
        snprintf(message, SAMPLE_MESSAGE_SIZE, "--%s: %.200s does not vary '%.80s'. Did you mean %.160s?",
                 side->name, side->sample->origin, written, suggestion.best);
    else
        snprintf(message, SAMPLE_MESSAGE_SIZE, "--%s: %.200s does not vary '%.80s', but %.160s", side->name,
                 side->sample->origin, written, cell->assignments[0].key);
    return NULL;
}

static const char *value_of(const struct sample_cell *cell, const char *key)
{
    for (size_t i = 0; i < cell->assignment_count; i++)
        if (strcmp(cell->assignments[i].key, key) == 0)
            return cell->assignments[i].value;
    return "";
}

static bool value_exists(const struct side *side, const char *key, const char *value)
{
    for (size_t i = 0; i < side->sample->cell_count; i++)
        if (sample_value_is(value_of(&side->sample->cells[i], key), value))
            return true;
    return false;
}

/* "1 TiB, 5 TiB, 10 TiB" */
static void list_values(const struct side *side, const char *key, char *list, size_t size)
{
    size_t length = 0;
    list[0] = '\0';
    for (size_t i = 0; i < side->sample->cell_count && length + 1 < size; i++) {
        const char *value = value_of(&side->sample->cells[i], key);
        bool before = false;
        for (size_t j = 0; j < i && !before; j++)
            before = strcmp(value_of(&side->sample->cells[j], key), value) == 0;
        if (before)
            continue;
        int written = snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", value);
        length += written > 0 ? (size_t)written : 0;
    }
}

static bool read_choice(struct side *side, const char *written, char *message)
{
    const char *equals = strchr(written, '=');
    const char *key = find_key(side, arena_text_n(side->arena, written, (size_t)(equals - written)), message);
    if (key == NULL)
        return false;
    const char *value = equals + 1;
    if (!value_exists(side, key, value)) {
        char list[400];
        list_values(side, key, list, sizeof list);
        snprintf(message, SAMPLE_MESSAGE_SIZE, "--%s: %.160s has no value '%.80s' in %.160s; it has %.300s",
                 side->name, key, value, side->sample->origin, list);
        return false;
    }
    side->keys[side->key_count] = key;
    side->values[side->key_count++] = value;
    side->choice = arena_format(side->arena, "%s, %s", side->choice, written);
    return true;
}

static bool is_chosen_key(const struct side *side, const char *key)
{
    for (size_t i = 0; i < side->key_count; i++)
        if (strcmp(side->keys[i], key) == 0)
            return true;
    return false;
}

static void take_cell(struct side *side, size_t index)
{
    const struct sample_cell *cell = &side->sample->cells[index];
    for (size_t i = 0; i < side->key_count; i++)
        if (!sample_value_is(value_of(cell, side->keys[i]), side->values[i]))
            return;
    struct sample_cell *remaining = &side->remaining[side->cell_count];
    remaining->assignments = ARENA_ARRAY(side->arena, struct assignment, cell->assignment_count);
    for (size_t i = 0; i < cell->assignment_count; i++)
        if (!is_chosen_key(side, cell->assignments[i].key))
            remaining->assignments[remaining->assignment_count++] = cell->assignments[i];
    side->cells[side->cell_count++] = index;
}

static bool choose(struct side *side, const char *const *values, size_t count, char *message)
{
    side->choice = "";
    side->keys = ARENA_ARRAY(side->arena, const char *, count);
    side->values = ARENA_ARRAY(side->arena, const char *, count);
    side->cells = ARENA_ARRAY(side->arena, size_t, side->sample->cell_count);
    side->remaining = ARENA_ARRAY(side->arena, struct sample_cell, side->sample->cell_count);
    for (size_t i = 0; i < count; i++)
        if (!read_choice(side, values[i], message))
            return false;
    for (size_t i = 0; i < side->sample->cell_count; i++)
        take_cell(side, i);
    if (side->cell_count > 0)
        return true;
    snprintf(message, SAMPLE_MESSAGE_SIZE, "%.200s has no cell with all the values of --%s%.300s",
             side->sample->origin, side->name, side->choice);
    return false;
}

static const char *label_of(struct arena *arena, const struct sample_cell *cell)
{
    char label[512];
    sample_cell_label(label, sizeof label, cell);
    return arena_text(arena, label);
}

static void add_pair(struct compare *compare, size_t a_cell, size_t b_cell, const char *label)
{
    ARENA_GROW(compare->arena, compare->pairs, compare->pair_count);
    compare->pairs[compare->pair_count++] = (struct compare_pair){a_cell, b_cell, label};
}

static void add_text(struct arena *arena, const char ***texts, size_t *count, const char *text)
{
    ARENA_GROW(arena, *texts, *count);
    (*texts)[(*count)++] = text;
}

static bool has_no_pair(const struct compare *compare, size_t cell, bool of_a)
{
    for (size_t i = 0; i < compare->pair_count; i++)
        if ((of_a ? compare->pairs[i].a_cell : compare->pairs[i].b_cell) == cell)
            return false;
    return true;
}

static void name_those_alone(struct compare *compare, const struct side *side, bool of_a)
{
    for (size_t i = 0; i < side->cell_count; i++)
        if (has_no_pair(compare, side->cells[i], of_a))
            add_text(compare->arena, of_a ? &compare->a_alone : &compare->b_alone,
                     of_a ? &compare->a_alone_count : &compare->b_alone_count,
                     label_of(compare->arena, &side->remaining[i]));
}

static void list_keys(const struct sample_cell *cell, char *list, size_t size)
{
    size_t length = 0;
    snprintf(list, size, "nothing");
    for (size_t i = 0; i < cell->assignment_count && length + 1 < size; i++) {
        int written =
            snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", cell->assignments[i].key);
        length += written > 0 ? (size_t)written : 0;
    }
}

static bool refuse_strangers(const struct side *a, const struct side *b, char *message)
{
    char a_keys[250], b_keys[250];
    list_keys(&a->remaining[0], a_keys, sizeof a_keys);
    list_keys(&b->remaining[0], b_keys, sizeof b_keys);
    snprintf(message, SAMPLE_MESSAGE_SIZE,
             "no cell of A has the values of a cell of B: A varies %s, B varies %s; choose cells by "
             "--a KEY=VALUE and --b KEY=VALUE",
             a_keys, b_keys);
    return false;
}

bool compare_match(struct compare *compare, const struct compare_request *request,
                   char message[SAMPLE_MESSAGE_SIZE])
{
    struct side a = {.arena = compare->arena, .sample = compare->a, .name = "a"};
    struct side b = {.arena = compare->arena, .sample = compare->b, .name = "b"};
    if (!choose(&a, request->a_values, request->a_value_count, message) ||
        !choose(&b, request->b_values, request->b_value_count, message))
        return false;
    compare->a_choice = a.choice;
    compare->b_choice = b.choice;
    if (a.cell_count == 1 && b.cell_count == 1) {
        add_pair(compare, a.cells[0], b.cells[0], "");
        return true;
    }
    for (size_t i = 0; i < a.cell_count; i++)
        for (size_t j = 0; j < b.cell_count; j++)
            if (sample_cells_match(&a.remaining[i], &b.remaining[j]) &&
                has_no_pair(compare, b.cells[j], false)) {
                add_pair(compare, a.cells[i], b.cells[j], label_of(compare->arena, &a.remaining[i]));
                break;
            }
    if (compare->pair_count == 0)
        return refuse_strangers(&a, &b, message);
    name_those_alone(compare, &a, true);
    name_those_alone(compare, &b, false);
    return true;
}
