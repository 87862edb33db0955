/* The inputs of a sensitivity study: what the cell's settings are, which of them are varied, and how far. */
#include "sim/experiment/compare/sensitivity_inside.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/setting.h"
#include "sim/experiment/read/suggest.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What could be an input: one line of the catalogue with all settings that come from it, or one other setting. */
struct candidate {
    const char **keys;
    size_t key_count;
    const struct setting *setting; /* the first */
    const char *parameter;
    bool is_run_effect;
    bool is_named;      /* by the request */
    const char *given;  /* the range as given, NULL without */
    struct position at; /* of what names it */
};

struct choosing {
    struct sensitivity *sensitivity;
    struct arena *arena;
    struct problems *problems;
    struct candidate *list;
    size_t count;
};

static bool is_of_catalogue(const struct origin *origin)
{
    return (origin->kind == ORIGIN_ENTRY || origin->kind == ORIGIN_DEFAULT) && origin->at.file != NULL;
}

static bool is_same_line(const struct candidate *candidate, const struct setting *setting,
                         const char *parameter)
{
    const struct origin *a = &candidate->setting->origin, *b = &setting->origin;
    return is_of_catalogue(a) && is_of_catalogue(b) && a->at.line == b->at.line &&
           a->at.column == b->at.column && strcmp(a->at.file, b->at.file) == 0 &&
           strcmp(candidate->parameter, parameter) == 0;
}

static void add_setting(struct choosing *choosing, const struct part *part, const struct setting *setting)
{
    const char *key = arena_format(choosing->arena, "%s.%s", part->path, setting->path);
    const char *parameter = arena_format(choosing->arena, "%s.%s", part->block->table->name, setting->path);
    struct candidate *candidate = NULL;
    for (size_t i = 0; i < choosing->count && candidate == NULL; i++)
        if (is_same_line(&choosing->list[i], setting, parameter))
            candidate = &choosing->list[i];
    if (candidate == NULL) {
        ARENA_GROW(choosing->arena, choosing->list, choosing->count);
        candidate = &choosing->list[choosing->count++];
        *candidate = (struct candidate){.setting = setting, .parameter = parameter};
        candidate->is_run_effect =
            strncmp(part->path, SECTION_WORKLOADS ".", strlen(SECTION_WORKLOADS) + 1) == 0 &&
            strcmp(setting->path, RUN_EFFECT) == 0;
    }
    ARENA_GROW(choosing->arena, candidate->keys, candidate->key_count);
    candidate->keys[candidate->key_count++] = key;
}

static void list_candidates(struct choosing *choosing)
{
    const struct sensitivity *sensitivity = choosing->sensitivity;
    const struct resolution *resolution =
        sensitivity->experiment->cells[sensitivity->request.cell].resolution;
    for (size_t i = 0; i < resolution->count; i++) {
        const struct part *part = &resolution->parts[i];
        for (size_t j = 0; strcmp(part->path, "run") != 0 && j < part->block->count; j++)
            if (part->block->list[j].row != NULL)
                add_setting(choosing, part, &part->block->list[j]);
    }
}

/* -- names -- */

static size_t components_of(const char *key)
{
    size_t count = 1;
    for (; *key != '\0'; key++)
        count += *key == '.';
    return count;
}

static bool is_called(const struct candidate *candidate, const char *name)
{
    size_t components = components_of(name);
    for (size_t i = 0; i < candidate->key_count; i++)
        if (strcmp(path_tail(candidate->keys[i], components), name) == 0)
            return true;
    return false;
}

static void refuse_unknown(const struct choosing *choosing, const char *name, struct position at)
{
    struct suggestion suggestion = {.written = name};
    if (strncmp(name, "run.", 4) == 0) {
        problem_add(choosing->problems, PROBLEM_ERROR, at, "%.80s says how it is run and is no input", name);
        return;
    }
    for (size_t i = 0; i < choosing->count; i++)
        for (size_t k = 0; k < choosing->list[i].key_count; k++) {
            suggestion_offer(&suggestion, path_tail(choosing->list[i].keys[k], components_of(name)));
            suggestion_offer(&suggestion, choosing->list[i].keys[k]);
        }
    problem_add(choosing->problems, PROBLEM_ERROR, at, "'%.80s' is no setting of this cell%s%s%s", name,
                suggestion.best != NULL ? ". Did you mean " : "; vdisim check --full lists them",
                suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
}

/* The candidate of a key or of a unique tail of one; NULL with the problem added. */
static struct candidate *find_candidate(const struct choosing *choosing, const char *name, struct position at)
{
    struct candidate *found = NULL;
    for (size_t i = 0; i < choosing->count; i++) {
        if (!is_called(&choosing->list[i], name))
            continue;
        if (found != NULL) {
            problem_add(choosing->problems, PROBLEM_ERROR, at,
                        "'%.80s' could be %.150s or %.150s; write more of it", name, found->keys[0],
                        choosing->list[i].keys[0]);
            return NULL;
        }
        found = &choosing->list[i];
    }
    if (found == NULL)
        refuse_unknown(choosing, name, at);
    return found;
}

static void name_candidates(struct choosing *choosing)
{
    const struct sensitivity_request *request = &choosing->sensitivity->request;
    for (size_t i = 0; i < request->only_count; i++) {
        struct position at = {.file = arena_format(choosing->arena, "--only %s", request->only[i])};
        struct candidate *candidate = find_candidate(choosing, request->only[i], at);
        if (candidate == NULL)
            continue;
        candidate->is_named = true;
        candidate->at = at;
    }
    for (size_t i = 0; i < request->range_count; i++) {
        const char *text = request->ranges[i], *equals = strchr(text, '=');
        struct position at = {.file = arena_format(choosing->arena, "--input %s", text)};
        if (equals == NULL || equals == text || strstr(equals, "..") == NULL) {
            problem_add(choosing->problems, PROBLEM_ERROR, at,
                        "is written KEY=LOW..HIGH, e.g. workloads.logons.mailbox.io_rate=1 /s..10 /s");
            continue;
        }
        struct candidate *candidate =
            find_candidate(choosing, arena_text_n(choosing->arena, text, (size_t)(equals - text)), at);
        if (candidate == NULL)
            continue;
        if (candidate->given != NULL)
            problem_add(choosing->problems, PROBLEM_ERROR, at, "%.150s has two ranges", candidate->keys[0]);
        candidate->is_named = true;
        candidate->given = equals + 1;
        candidate->at = at;
    }
}

/* -- ranges -- */

static bool is_quantity_row(const struct parameter *row)
{
    return row->type <= PARAMETER_NUMBER;
}

static double number_of(const struct parameter *row, const void *field)
{
    return quantity_is_integer(row->type) ? (double)*(const int64_t *)field : *(const double *)field;
}

static const char *quantity_text(struct arena *arena, const struct parameter *row, double value)
{
    union field field = {0};
    if (quantity_is_integer(row->type))
        field.integer = llround(value);
    else
        field.number = value;
    return setting_text(arena, row, &field);
}

/* Four digits say enough and read well; whole numbers are whole, and sizes of some KiB are whole KiB. */
static double rounded(const struct parameter *row, double value)
{
    const double kib = 1024;
    if (row->type == PARAMETER_SIZE)
        return fabs(value) >= 16 * kib ? round(value / kib) * kib : round(value);
    if (value == 0)
        return 0;
    double unit = pow(10, floor(log10(fabs(value))) - 3);
    double result = unit >= 1 ? round(value / unit) * unit : round(value / unit) / round(1 / unit);
    return quantity_is_integer(row->type) ? round(result) : result;
}

/* NULL: the range is there. Otherwise why there is none. */
static const char *default_range(const struct choosing *choosing, const struct candidate *candidate,
                                 struct sensitivity_input *input)
{
    const struct parameter *row = input->row;
    double minimum, maximum, factor = choosing->sensitivity->request.factor;
    if (!is_quantity_row(row))
        return "it is no number";
    if (candidate->setting->origin.kind == ORIGIN_UNSET)
        return "it is not set; give it a range with --input";
    double value = number_of(row, candidate->setting->field);
    if (quantity_is_integer(row->type) ? *(const int64_t *)candidate->setting->field == INT64_MAX
                                       : isinf(value))
        return "it is unlimited; give it a range with --input";
    if (value == 0)
        return "it is 0; give it a range with --input";
    setting_bounds(row, &minimum, &maximum);
    if (row->type == PARAMETER_COUNT)
        minimum = fmax(minimum, 1);
    double first = rounded(row, value / factor), last = rounded(row, value * factor);
    input->low = fmax(fmin(first, last), minimum);
    input->high = fmin(fmax(first, last), maximum);
    return input->low < input->high ? NULL : "its bounds leave no room; give it a range with --input";
}

/* "0.1" of "0.1..0.4 ms" has the unit of the other end. */
static const char *with_unit(struct arena *arena, const char *low, const char *high)
{
    double number;
    size_t length = quantity_number(low, &number);
    if (length == 0 || low[length + strspn(low + length, " ")] != '\0')
        return low;
    return arena_format(arena, "%.*s%s", (int)length, low, high + quantity_number(high, &number));
}

static bool read_end(const struct choosing *choosing, const struct candidate *candidate, const char *text,
                     double *value)
{
    const struct parameter *row = candidate->setting->row;
    union field field;
    struct node *node = node_scalar(choosing->arena, text, candidate->at);
    if (!setting_read(choosing->arena, choosing->problems, row, node, &field))
        return false;
    *value = number_of(row, &field);
    if (isfinite(*value) && !(quantity_is_integer(row->type) && field.integer == INT64_MAX))
        return true;
    problem_add(choosing->problems, PROBLEM_ERROR, candidate->at, "the end of a range cannot be unlimited");
    return false;
}

/* False with the problem added. */
static bool given_range(const struct choosing *choosing, const struct candidate *candidate,
                        struct sensitivity_input *input)
{
    if (!is_quantity_row(input->row)) {
        problem_add(choosing->problems, PROBLEM_ERROR, candidate->at,
                    "%.150s is no number, so it has no range", candidate->keys[0]);
        return false;
    }
    const char *dots = strstr(candidate->given, "..");
    const char *low = arena_text_n(choosing->arena, candidate->given, (size_t)(dots - candidate->given));
    const char *high = dots + 2 + strspn(dots + 2, " ");
    low = with_unit(choosing->arena, low, high);
    if (!read_end(choosing, candidate, low, &input->low) ||
        !read_end(choosing, candidate, high, &input->high))
        return false;
    if (input->low < input->high)
        return true;
    problem_add(choosing->problems, PROBLEM_ERROR, candidate->at, "LOW (%.60s) is not below HIGH (%.60s)",
                low, high);
    return false;
}

/* -- the inputs -- */

static const char *status_of(const struct origin *origin)
{
    if (origin->kind == ORIGIN_ENTRY || origin->kind == ORIGIN_DEFAULT)
        return value_status_name(origin->status);
    return origin->kind == ORIGIN_UNSET ? "not set" : "file";
}

static bool is_assumption(const struct candidate *candidate)
{
    const struct origin *origin = &candidate->setting->origin;
    return is_of_catalogue(origin) &&
           (origin->status == STATUS_CALIBRATED || origin->status == STATUS_ASSUMED);
}

static const char *value_of(const struct choosing *choosing, const struct candidate *candidate)
{
    const struct setting *setting = candidate->setting;
    return setting->origin.kind == ORIGIN_UNSET ? "not set"
                                                : setting_text(choosing->arena, setting->row, setting->field);
}

static void add_unvaried(struct choosing *choosing, const struct candidate *candidate, const char *reason)
{
    struct sensitivity *sensitivity = choosing->sensitivity;
    ARENA_GROW(choosing->arena, sensitivity->unvaried, sensitivity->unvaried_count);
    sensitivity->unvaried[sensitivity->unvaried_count++] = (struct sensitivity_unvaried){
        .key = candidate->keys[0],
        .status = status_of(&candidate->setting->origin),
        .value = value_of(choosing, candidate),
        .reason = reason,
    };
}

static void consider(struct choosing *choosing, const struct candidate *candidate)
{
    struct sensitivity *sensitivity = choosing->sensitivity;
    const struct origin *origin = &candidate->setting->origin;
    const char *source = is_of_catalogue(origin) ? origin->source : NULL;
    struct sensitivity_input input = {.keys = candidate->keys,
                                      .key_count = candidate->key_count,
                                      .parameter = candidate->parameter,
                                      .status = status_of(origin),
                                      .source = source != NULL && source[0] != '\0' ? source : "",
                                      .value = value_of(choosing, candidate),
                                      .row = candidate->setting->row};
    if (candidate->given != NULL) {
        if (!given_range(choosing, candidate, &input))
            return;
    } else if (candidate->is_run_effect && !candidate->is_named) {
        add_unvaried(choosing, candidate, "it spreads single runs and moves no mean; it is set to 0");
        return;
    } else {
        const char *why = default_range(choosing, candidate, &input);
        if (why != NULL && candidate->is_named)
            problem_add(choosing->problems, PROBLEM_ERROR, candidate->at, "%.150s cannot be varied: %s",
                        candidate->keys[0], why);
        else if (why != NULL)
            add_unvaried(choosing, candidate, why);
        if (why != NULL)
            return;
    }
    input.is_log = input.low > 0;
    input.low_text = quantity_text(choosing->arena, input.row, input.low);
    input.high_text = quantity_text(choosing->arena, input.row, input.high);
    ARENA_GROW(choosing->arena, sensitivity->inputs, sensitivity->input_count);
    sensitivity->inputs[sensitivity->input_count++] = input;
}

/* Run effects that are no inputs. */
static void silence_run_effects(struct choosing *choosing)
{
    struct sensitivity *sensitivity = choosing->sensitivity;
    for (size_t i = 0; i < choosing->count; i++) {
        const struct candidate *candidate = &choosing->list[i];
        if (!candidate->is_run_effect || candidate->is_named)
            continue;
        for (size_t k = 0; k < candidate->key_count; k++) {
            ARENA_GROW(choosing->arena, sensitivity->silenced, sensitivity->silenced_count);
            sensitivity->silenced[sensitivity->silenced_count++] = candidate->keys[k];
        }
    }
}

/* The shortest tails that tell them apart, of two components at least: "mailbox.io_rate". */
static void name_inputs(struct sensitivity *sensitivity)
{
    for (size_t i = 0; i < sensitivity->input_count; i++) {
        const char *key = sensitivity->inputs[i].keys[0];
        for (size_t components = 2;; components++) {
            const char *name = sensitivity->inputs[i].name = path_tail(key, components);
            bool is_unique = true;
            for (size_t j = 0; j < sensitivity->input_count; j++)
                is_unique =
                    is_unique &&
                    (j == i || strcmp(path_tail(sensitivity->inputs[j].keys[0], components), name) != 0);
            if (is_unique || name == key)
                break;
        }
    }
}

void sensitivity_choose_inputs(struct sensitivity *sensitivity, struct problems *problems)
{
    struct choosing choosing = {
        .sensitivity = sensitivity, .arena = sensitivity->arena, .problems = problems};
    list_candidates(&choosing);
    name_candidates(&choosing);
    for (size_t i = 0; i < choosing.count; i++) {
        const struct candidate *candidate = &choosing.list[i];
        if (candidate->is_named || (sensitivity->request.only_count == 0 && is_assumption(candidate)))
            consider(&choosing, candidate);
    }
    silence_run_effects(&choosing);
    name_inputs(sensitivity);
}

/* -- values -- */

static double value_at(const struct sensitivity_input *input, double place)
{
    if (place <= 0 || place >= 1)
        return place <= 0 ? input->low : input->high;
    double value = input->is_log ? input->low * pow(input->high / input->low, place)
                                 : input->low + place * (input->high - input->low);
    return fmin(fmax(rounded(input->row, value), input->low), input->high);
}

/* In the smallest unit, which a double that is no round number fits as well. */
const char *sensitivity_value_text(struct arena *arena, const struct sensitivity_input *input, double place)
{
    double value = value_at(input, place);
    switch (input->row->type) {
    case PARAMETER_SIZE:
        return arena_format(arena, "%" PRId64 " B", (int64_t)llround(value));
    case PARAMETER_DURATION:
        return arena_format(arena, "%" PRId64 " ns", (int64_t)llround(value));
    case PARAMETER_COUNT:
        return arena_format(arena, "%" PRId64, (int64_t)llround(value));
    case PARAMETER_THROUGHPUT:
        return arena_format(arena, "%.17g B/s", value);
    case PARAMETER_RATE:
        return arena_format(arena, "%.17g /s", value);
    case PARAMETER_FRACTION:
        return arena_format(arena, "%.15g %%", 100 * value);
    default:
        assert(input->row->type == PARAMETER_NUMBER);
        return arena_format(arena, "%.17g", value);
    }
}
