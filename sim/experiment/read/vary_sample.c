/* `sample`: a design for many inputs, an axis of as many items as it has points. */
#include "sim/experiment/read/vary_inside.h"

#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/setting.h"
#include "vdisim/design.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 1000000 };

enum scale { SCALE_LINEAR, SCALE_LOG };

/* The range of an input. */
struct range {
    const struct parameter *row;
    const struct node *from, *to;
    struct quantity low, high;
    enum scale scale;
    double step;      /* values are from + k step; 0: any */
    const char *unit; /* in which values are written, with the blank before it */
    double factor;    /* of that unit: value in it = quantity / factor */
};

struct sampling {
    struct vary_reading *reading;
    bool is_random;
    size_t points;
    uint64_t seed;
    double *places; /* [points]: of the input being read, in (0, 1) */
    struct axis axis;
};

/* The scalar of a key, NULL without one or, with the problem added, when it is something else. */
static const struct node *scalar_of(const struct vary_reading *reading, const struct node *map,
                                    const char *key)
{
    const struct node *node = node_get(map, key);
    if (node == NULL || (node->kind == NODE_SCALAR && !node_is_empty(node)))
        return node;
    vary_refuse(reading, node->at, "%s is one value", key);
    return NULL;
}

static bool read_count(const struct vary_reading *reading, const struct node *map, const char *key,
                       int64_t least, int64_t most, int64_t *count)
{
    struct quantity quantity;
    char message[400];
    if (node_get(map, key) == NULL)
        return true;
    const struct node *node = scalar_of(reading, map, key);
    if (node == NULL)
        return false;
    if (!quantity_parse(PARAMETER_COUNT, node->text, &quantity, message, sizeof message)) {
        vary_refuse(reading, node->at, "%s", message);
        return false;
    }
    *count = quantity.integer;
    if (!quantity.unlimited && quantity.integer >= least && quantity.integer <= most)
        return true;
    if (most == INT64_MAX)
        vary_refuse(reading, node->at, "%s is a whole number, at least %" PRId64, key, least);
    else
        vary_refuse(reading, node->at, "%s must be between %" PRId64 " and %" PRId64, key, least, most);
    return false;
}

static bool check_keys(const struct vary_reading *reading, const struct node *map, const char *what,
                       const char *const *known, size_t count)
{
    bool fine = true;
    for (size_t i = 0; i < map->count; i++) {
        bool is_known = false;
        for (size_t j = 0; j < count; j++)
            is_known = is_known || strcmp(map->entries[i].key, known[j]) == 0;
        if (!is_known && isdigit((unsigned char)map->entries[i].key[0]))
            vary_refuse(reading, map->entries[i].key_at,
                        "a comma in { } begins the next key: write the number without it, 2000");
        else if (!is_known)
            vary_refuse_unknown(reading, map->entries[i].key_at, what, map->entries[i].key, known, count);
        fine = fine && is_known;
    }
    return fine;
}

/* One of two words; the first when the key is left out. False with the problem added. */
static bool read_word(const struct vary_reading *reading, const struct node *map, const char *key,
                      const char *const words[2], bool *is_second)
{
    *is_second = false;
    if (node_get(map, key) == NULL)
        return true;
    const struct node *node = scalar_of(reading, map, key);
    if (node == NULL)
        return false;
    *is_second = strcmp(node->text, words[1]) == 0;
    if (*is_second || strcmp(node->text, words[0]) == 0)
        return true;
    vary_refuse_unknown(reading, node->at, key, node->text, words, 2);
    return false;
}

/* -- a value of an input -- */

static double value_of(const struct parameter *row, const struct quantity *quantity)
{
    return quantity_is_integer(row->type) ? (double)quantity->integer : quantity->number;
}

/* Digits that tell the points of a design apart, and some more. */
static int digits_for(size_t points)
{
    int digits = 4;
    for (size_t i = 1; i < points; i *= 10)
        digits++;
    return digits;
}

/* The shortest text of a number to so many digits, without an exponent. */
static void write_number(char *text, size_t size, double number, int digits)
{
    int before = number == 0 ? 0 : (int)floor(log10(fabs(number))) + 1;
    int decimals = digits - before;
    snprintf(text, size, "%.*f", decimals < 0 ? 0 : decimals > 30 ? 30 : decimals, number);
    if (strchr(text, '.') == NULL)
        return;
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        length--;
    text[length - (text[length - 1] == '.')] = '\0';
}

static double low_of(const struct range *range)
{
    return value_of(range->row, &range->low);
}

static double high_of(const struct range *range)
{
    return value_of(range->row, &range->high);
}

/* The value at `place` in (0, 1); with steps each has an equal share, the last as well as the first. */
static double value_at(const struct range *range, double place)
{
    double low = low_of(range), high = high_of(range), last = 0, past = high;
    if (range->step > 0) {
        last = floor((high - low) / range->step * (1 + 1e-12));
        past = low + (last + 1) * range->step;
    }
    double value = range->scale == SCALE_LOG ? exp(log(low) + place * (log(past) - log(low)))
                                             : low + place * (past - low);
    if (range->step > 0)
        value = low + range->step * fmin(floor((value - low) / range->step), last);
    return value;
}

/* The same as a text, never outside the range. */
static const char *text_at(struct arena *arena, const struct range *range, double place, int digits)
{
    char number[400], message[400];
    write_number(number, sizeof number, value_at(range, place) / range->factor,
                 range->step > 0 ? 14 : digits);
    const char *text = arena_format(arena, "%s%s", number, range->unit);
    struct quantity quantity;
    if (!quantity_parse(range->row->type, text, &quantity, message, sizeof message) ||
        value_of(range->row, &quantity) < low_of(range))
        return range->from->text;
    return value_of(range->row, &quantity) > high_of(range) ? range->to->text : text;
}

/* -- a range -- */

static bool read_quantity(const struct vary_reading *reading, const struct range *range,
                          const struct node *node, struct quantity *quantity)
{
    char message[400];
    if (quantity_parse(range->row->type, node->text, quantity, message, sizeof message) &&
        !quantity->unlimited)
        return true;
    if (quantity->unlimited)
        vary_refuse(reading, node->at, "a range is not unlimited");
    else
        vary_refuse(reading, node->at, "%s", message);
    return false;
}

/* An end must be a value of the setting itself. */
static bool read_end(const struct vary_reading *reading, const struct range *range, const struct node *node,
                     struct quantity *quantity)
{
    union {
        int64_t integer;
        double number;
    } field;
    return read_quantity(reading, range, node, quantity) &&
           setting_read(reading->varying->arena, reading->varying->problems, range->row, node, &field);
}

/* Writes values in the unit of this text; false when it has none. */
static bool use_unit(struct range *range, const char *text)
{
    double number;
    struct quantity one;
    char message[400], unit[64];
    size_t length = quantity_number(text, &number);
    if (text[length + strspn(text + length, " \t")] == '\0' && quantity_units(range->row->type)[0] != '\0')
        return false;
    snprintf(unit, sizeof unit, "1%.40s", text + length);
    if (!quantity_parse(range->row->type, unit, &one, message, sizeof message))
        return false;
    range->unit = text + length;
    range->factor = value_of(range->row, &one);
    return true;
}

/* Whole numbers are whole, and sizes with ends in whole GiB are in whole GiB when there are enough of them for the
 * points, else in MiB, else in KiB: stores are sold so. */
static void use_default_step(struct range *range, size_t points)
{
    static const char *const units[] = {"1 GiB", "1 MiB", "1 KiB"};
    double step = 1024.0 * 1024 * 1024;
    if (range->row->type == PARAMETER_COUNT)
        range->step = 1;
    if (range->row->type != PARAMETER_SIZE)
        return;
    for (size_t i = 0; i < 3; i++, step /= 1024) {
        if (fmod(low_of(range), step) != 0 || fmod(high_of(range), step) != 0 ||
            (high_of(range) - low_of(range)) / step < (double)points)
            continue;
        range->step = step;
        use_unit(range, units[i]);
        return;
    }
}

/* False with the problem added. */
static bool read_step(const struct vary_reading *reading, const struct node *map, struct range *range,
                      size_t points)
{
    struct quantity step;
    if (!use_unit(range, range->from->text))
        use_unit(range, range->to->text);
    if (node_get(map, "step") == NULL) {
        use_default_step(range, points);
        return true;
    }
    const struct node *node = scalar_of(reading, map, "step");
    if (node == NULL || !read_quantity(reading, range, node, &step))
        return false;
    range->step = value_of(range->row, &step);
    if (!(range->step > 0) || range->step > high_of(range) - low_of(range)) {
        vary_refuse(reading, node->at, "step is more than 0 and at most the range, %.60s to %.60s",
                    range->from->text, range->to->text);
        return false;
    }
    use_unit(range, node->text);
    return true;
}

/* False with the problem added. */
static bool read_range(const struct vary_reading *reading, const struct entry *entry, size_t points,
                       struct range *range)
{
    static const char *const keys[] = {"from", "to", "scale", "step"}, *const scales[2] = {"linear", "log"};
    const struct node *map = entry->value;
    bool is_log;
    range->row = vary_parameter(reading->varying, entry->key);
    if (range->row == NULL || range->row->type > PARAMETER_NUMBER) {
        vary_refuse(reading, map->at,
                    "%.100s is no quantity with a range: check its name, or list its values, [one, two]",
                    entry->key);
        return false;
    }
    if (!check_keys(reading, map, "key of a range", keys, 4) ||
        !read_word(reading, map, "scale", scales, &is_log))
        return false;
    range->scale = is_log ? SCALE_LOG : SCALE_LINEAR;
    range->from = scalar_of(reading, map, "from");
    range->to = scalar_of(reading, map, "to");
    if (range->from == NULL || range->to == NULL) {
        if (node_get(map, "from") == NULL || node_get(map, "to") == NULL)
            vary_refuse(reading, entry->key_at, "a range has two ends, %.100s: {from: LOW, to: HIGH}",
                        entry->key);
        return false;
    }
    if (!read_end(reading, range, range->from, &range->low) ||
        !read_end(reading, range, range->to, &range->high))
        return false;
    if (!(low_of(range) < high_of(range))) {
        vary_refuse(reading, range->from->at, "from (%.60s) is not below to (%.60s)", range->from->text,
                    range->to->text);
        return false;
    }
    if (is_log && !(low_of(range) > 0)) {
        vary_refuse(reading, range->from->at, "a range with scale: log begins above 0");
        return false;
    }
    return read_step(reading, map, range, points);
}

/* -- the inputs -- */

static void place_points(const struct sampling *sampling, const char *key)
{
    if (sampling->is_random)
        sim_design_random(sampling->seed, key, sampling->points, sampling->places, 1);
    else
        sim_design_latin_hypercube(sampling->seed, key, sampling->points, sampling->places, 1);
}

/* False with the problem added. */
static bool read_input(struct sampling *sampling, const struct entry *entry, size_t key)
{
    const struct vary_reading *reading = sampling->reading;
    const struct node *node = entry->value;
    struct arena *arena = reading->varying->arena;
    struct range range = {.unit = "", .factor = 1};
    if (!vary_check_key(reading, entry->key, entry->key_at))
        return false;
    bool is_list = node->kind == NODE_LIST && node->count > 0;
    if (!is_list && node->kind != NODE_MAP) {
        vary_refuse(
            reading, node->at,
            "an input is a range, {from: LOW, to: HIGH}, or a list of equally likely values, [one, two]");
        return false;
    }
    if (!is_list && !read_range(reading, entry, sampling->points, &range))
        return false;
    sampling->axis.keys[key] = entry->key;
    sampling->axis.key_at[key] = entry->key_at;
    place_points(sampling, entry->key);
    int digits = digits_for(sampling->points);
    for (size_t i = 0; i < sampling->points; i++) {
        double place = sampling->places[i];
        sampling->axis.values[i * sampling->axis.key_count + key] =
            is_list ? node->entries[(size_t)(place * (double)node->count)].value
                    : node_scalar(arena, text_at(arena, &range, place, digits), range.from->at);
    }
    return true;
}

void vary_read_sample(struct vary_reading *reading, const struct node *node)
{
    static const char *const keys[] = {"design", "points", "seed", "inputs"};
    static const char *const designs[2] = {"latin-hypercube", "random"};
    struct sampling sampling = {.reading = reading};
    int64_t points = 0, seed = 1;
    if (node->kind != NODE_MAP) {
        vary_refuse(reading, node->at, "sample is a map, {points: 50, inputs: {KEY: {from: LOW, to: HIGH}}}");
        return;
    }
    bool fine = check_keys(reading, node, "key of a sample", keys, 4);
    fine = read_word(reading, node, "design", designs, &sampling.is_random) && fine;
    fine = read_count(reading, node, "points", 1, VARY_MAX_CELLS, &points) && fine;
    fine = read_count(reading, node, "seed", 0, INT64_MAX, &seed) && fine;
    if (node_get(node, "points") == NULL) {
        vary_refuse(reading, node->at, "a sample needs the number of its points, e.g. points: 50");
        fine = false;
    }
    const struct node *inputs = node_get(node, "inputs");
    if (inputs == NULL || inputs->kind != NODE_MAP || inputs->count == 0) {
        vary_refuse(reading, inputs != NULL ? inputs->at : node->at,
                    "a sample needs inputs, a map {KEY: {from: LOW, to: HIGH}, KEY: [one, two]}");
        return;
    }
    if (fine && (int64_t)inputs->count > MOST_VALUES / points) {
        vary_refuse(reading, inputs->at, "%zu inputs at %" PRId64 " points are more than %d values",
                    inputs->count, points, MOST_VALUES);
        fine = false;
    }
    if (!fine)
        return;
    sampling.points = (size_t)points;
    sampling.seed = (uint64_t)seed;
    sampling.places = ARENA_ARRAY(reading->varying->arena, double, sampling.points);
    sampling.axis = vary_axis(reading, inputs->count, sampling.points);
    for (size_t k = 0; k < inputs->count; k++)
        fine = read_input(&sampling, &inputs->entries[k], k) && fine;
    if (fine)
        vary_add_axis(reading, sampling.axis);
}
