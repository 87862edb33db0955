#include "sim/experiment/read/price_list.h"

#include "sim/experiment/read/date.h"
#include "sim/experiment/read/document.h"
#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/suggest.h"
#include "sim/experiment/read/vary.h"
#include "vdisim/price.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum column { LIST, METER, REGION, CURRENCY, PRICE, UNIT, DATE, SOURCE, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT] = {"list",  "meter", "region", "currency",
                                                       "price", "unit",  "date",   "source"};

#define HOURS PRICE_HOURS_A_MONTH

/* A meter by its name in a list, the row of struct price that it fills, and a unit it may be written in. */
struct metering {
    const char *meter, *key, *unit;
    double factor; /* to what the row has */
};

static const struct metering meterings[] = {
    {"storage", "gib_month", "GiB month", 1.0},
    {"storage", "gib_month", "GiB hour", HOURS},
    {"writes", "writes", "10k", 1.0},
    {"reads", "reads", "10k", 1.0},
    {"others", "others", "10k", 1.0},
    {"retrieval", "retrieval", "GiB", 1.0},
    {"iops", "iops", "IOPS month", 1.0},
    {"iops", "iops", "IOPS hour", HOURS},
    {"included-iops", "included_iops", "IOPS", 1.0},
    {"throughput", "throughput", "MiB/s month", 1.0},
    {"throughput", "throughput", "MiB/s hour", HOURS},
    {"throughput", "throughput", "MB/s month", 1.0},
    {"throughput", "throughput", "MB/s hour", HOURS},
    {"included-throughput", "included_throughput", "MiB/s", 1.0},
    {"included-throughput", "included_throughput", "MB/s", 1.0},
    {"snapshots", "snapshot_gib_month", "GiB month", 1.0},
    {"snapshots", "snapshot_gib_month", "GiB hour", HOURS},
    {"fixed", "month", "month", 1.0},
    {"fixed", "month", "hour", HOURS},
};

enum { METERINGS = sizeof meterings / sizeof meterings[0] };

/* One row, understood. */
struct listed {
    const char *list, *region, *currency, *date, *source;
    const char *key;
    double price;
    struct position at;
    size_t place; /* in the order of the files */
};

struct listing {
    struct catalogue *catalogue;
    struct problems *problems;
    struct listed *rows;
    size_t count;
};

static const struct csv_field *field_of(const struct csv_table *table, const size_t *columns, size_t row,
                                        enum column column)
{
    return csv_table_field(table, row, columns[column]);
}

static void refuse(const struct listing *listing, struct position at, const char *what, const char *written,
                   const char *expected)
{
    problem_add(listing->problems, PROBLEM_ERROR, at, "'%.60s' is not %s%s%s", written, what,
                expected[0] != '\0' ? ": " : "", expected);
}

/* Where each column is; false with the problems added. */
static bool find_columns(const struct listing *listing, const struct csv_table *table,
                         size_t columns[COLUMN_COUNT])
{
    bool fine = true;
    for (size_t i = 0; i < table->columns; i++) {
        struct suggestion suggestion = {.written = table->header[i].text};
        bool known = false;
        for (int column = 0; column < COLUMN_COUNT; column++) {
            known |= strcmp(column_names[column], table->header[i].text) == 0;
            suggestion_offer(&suggestion, column_names[column]);
        }
        if (known)
            continue;
        fine = false;
        refuse(listing, table->header[i].at, "a column of a price list", table->header[i].text,
               suggestion.best != NULL
                   ? arena_format(listing->catalogue->arena, "did you mean %s?", suggestion.best)
                   : "these are list, meter, region, currency, price, unit, date, source");
    }
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (csv_table_column(table, column_names[column], &columns[column]))
            continue;
        columns[column] = SIZE_MAX;
        if (column == SOURCE)
            continue;
        problem_add(listing->problems, PROBLEM_ERROR, table->header[0].at, "a price list has a column %s",
                    column_names[column]);
        fine = false;
    }
    return fine;
}

static bool is_currency(const char *text)
{
    return strlen(text) == 3 && isupper((unsigned char)text[0]) && isupper((unsigned char)text[1]) &&
           isupper((unsigned char)text[2]);
}

static bool is_name(const char *text)
{
    return text[0] != '\0' && strlen(text) <= 80 && strpbrk(text, " \t\r\n'\"") == NULL;
}

/* "GiB month, GiB hour": the units of a meter. */
static const char *units_of(struct arena *arena, const char *meter)
{
    const char *units = "";
    for (size_t i = 0; i < METERINGS; i++)
        if (strcmp(meterings[i].meter, meter) == 0)
            units = arena_format(arena, "%s%s%s", units, units[0] != '\0' ? " or " : "", meterings[i].unit);
    return units;
}

static const struct metering *find_metering(const struct listing *listing, const struct csv_field *meter,
                                            const struct csv_field *unit)
{
    struct suggestion suggestion = {.written = meter->text};
    bool known = false;
    for (size_t i = 0; i < METERINGS; i++) {
        suggestion_offer(&suggestion, meterings[i].meter);
        if (strcmp(meterings[i].meter, meter->text) != 0)
            continue;
        known = true;
        if (strcasecmp(meterings[i].unit, unit->text) == 0)
            return &meterings[i];
    }
    struct arena *arena = listing->catalogue->arena;
    if (known)
        refuse(listing, unit->at, arena_format(arena, "a unit of %s", meter->text), unit->text,
               units_of(arena, meter->text));
    else
        refuse(listing, meter->at, "a meter", meter->text,
               suggestion.best != NULL
                   ? arena_format(arena, "did you mean %s?", suggestion.best)
                   : "these are storage, writes, reads, others, retrieval, iops, throughput, snapshots, "
                     "fixed, included-iops, included-throughput");
    return NULL;
}

/* The price of a row in the unit of its meter; false with the problem added. */
static bool read_price(const struct listing *listing, const struct csv_field *field,
                       const struct metering *metering, double *price)
{
    struct quantity quantity;
    char message[256];
    if (!quantity_parse(PARAMETER_NUMBER, field->text, &quantity, message, sizeof message)) {
        problem_add(listing->problems, PROBLEM_ERROR, field->at, "%s", message);
        return false;
    }
    *price = quantity.number * metering->factor;
    if (*price >= 0.0 && *price <= 1e9)
        return true;
    refuse(listing, field->at, "a price", field->text, "0 to 1,000,000,000");
    return false;
}

static bool check_texts(const struct listing *listing, const struct csv_table *table, const size_t *columns,
                        size_t row)
{
    static const struct {
        enum column column;
        bool (*check)(const char *text);
        const char *what, *expected;
    } rules[] = {{LIST, is_name, "the name of a price list", "a word, e.g. ours/premium"},
                 {REGION, is_name, "a region", "a word, e.g. westeurope"},
                 {CURRENCY, is_currency, "a currency", "three capital letters, e.g. EUR"},
                 {DATE, is_month_or_day, "a date", "YYYY-MM or YYYY-MM-DD"}};
    bool fine = true;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct csv_field *field = field_of(table, columns, row, rules[i].column);
        if (rules[i].check(field->text))
            continue;
        refuse(listing, field->at, rules[i].what, field->text, rules[i].expected);
        fine = false;
    }
    return fine;
}

static void read_row(struct listing *listing, const struct csv_table *table, const size_t *columns,
                     size_t row)
{
    struct arena *arena = listing->catalogue->arena;
    const struct csv_field *price = field_of(table, columns, row, PRICE);
    const struct metering *metering =
        find_metering(listing, field_of(table, columns, row, METER), field_of(table, columns, row, UNIT));
    struct listed listed = {.list = field_of(table, columns, row, LIST)->text,
                            .region = field_of(table, columns, row, REGION)->text,
                            .currency = field_of(table, columns, row, CURRENCY)->text,
                            .date = field_of(table, columns, row, DATE)->text,
                            .at = price->at,
                            .place = listing->count};
    bool fine = check_texts(listing, table, columns, row) && metering != NULL;
    if (!fine || !read_price(listing, price, metering, &listed.price))
        return;
    listed.key = metering->key;
    const char *source = columns[SOURCE] != SIZE_MAX ? field_of(table, columns, row, SOURCE)->text : "";
    listed.source =
        source[0] != '\0' ? source : arena_format(arena, "%s, line %zu", table->name, price->at.line);
    ARENA_GROW(arena, listing->rows, listing->count);
    listing->rows[listing->count++] = listed;
}

/* By list, region, date; of those in the order of the files. */
static int compare_rows(const void *left, const void *right)
{
    const struct listed *a = left, *b = right;
    int order = strcmp(a->list, b->list);
    if (order == 0)
        order = strcmp(a->region, b->region);
    if (order == 0)
        order = strcmp(a->date, b->date);
    return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

static struct node *map_of(struct arena *arena, struct position at)
{
    struct node *map = ARENA_NEW(arena, struct node);
    map->kind = NODE_MAP;
    map->at = at;
    return map;
}

static void put(struct arena *arena, struct node *map, const char *key, struct position at,
                const struct node *value)
{
    struct entry *entries = (struct entry *)map->entries;
    size_t count = map->count;
    ARENA_GROW(arena, entries, count);
    entries[count] = (struct entry){.key = key, .key_at = at, .value = value};
    map->entries = entries;
    map->count = count + 1;
}

static struct node *quoted(struct arena *arena, const char *text, struct position at)
{
    struct node *scalar = node_scalar(arena, text, at);
    scalar->quoted = true;
    return scalar;
}

static void put_value(struct arena *arena, struct node *values, const char *key, const char *text,
                      const struct listed *row)
{
    struct node *value = map_of(arena, row->at);
    put(arena, value, "value", row->at, quoted(arena, text, row->at));
    put(arena, value, "status", row->at, quoted(arena, "published", row->at));
    put(arena, value, "source", row->at, quoted(arena, row->source, row->at));
    put(arena, values, key, row->at, value);
}

/* The prices in force on the date of the last of the rows: the latest of each meter. */
static struct node *values_at(struct arena *arena, const struct listed *rows, size_t count)
{
    const struct listed *last = &rows[count - 1];
    struct node *values = map_of(arena, last->at);
    put_value(arena, values, "currency", last->currency, last);
    put_value(arena, values, "region", last->region, last);
    put_value(arena, values, "date", last->date, last);
    for (size_t i = 0; i < count; i++) {
        bool is_latest = true;
        for (size_t j = i + 1; j < count; j++)
            is_latest = is_latest && strcmp(rows[i].key, rows[j].key) != 0;
        if (is_latest)
            put_value(arena, values, rows[i].key, arena_format(arena, "%.17g", rows[i].price), &rows[i]);
    }
    return values;
}

/* What contradicts inside one list and region; false with the problems added. */
static bool check_rows(const struct listing *listing, const struct listed *rows, size_t count)
{
    bool fine = true;
    for (size_t i = 1; i < count; i++) {
        if (strcmp(rows[i].currency, rows[0].currency) != 0) {
            problem_add(listing->problems, PROBLEM_ERROR, rows[i].at,
                        "%s has prices in %s and in %s for %s; a list has one currency", rows[i].list,
                        rows[0].currency, rows[i].currency, rows[i].region);
            return false;
        }
        for (size_t j = i; j-- > 0 && strcmp(rows[j].date, rows[i].date) == 0;)
            if (strcmp(rows[j].key, rows[i].key) == 0) {
                problem_add(listing->problems, PROBLEM_ERROR, rows[i].at,
                            "%s has a price of this meter for %s and %s already, in line %zu", rows[i].list,
                            rows[i].region, rows[i].date, rows[j].at.line);
                fine = false;
            }
    }
    return fine;
}

/* One list and region as an entry of the catalogue. */
static struct node *entry_of(struct arena *arena, const struct listed *rows, size_t count)
{
    struct node *entry = map_of(arena, rows->at), *rules = map_of(arena, rows->at);
    rules->kind = NODE_LIST;
    put(arena, entry, "title", rows->at,
        quoted(arena, arena_format(arena, "%s, %s, %s", rows->list, rows->region, rows->currency), rows->at));
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && strcmp(rows[i].date, rows[i + 1].date) == 0)
            continue;
        struct node *variant = map_of(arena, rows[i].at);
        put(arena, variant, "name", rows[i].at, quoted(arena, rows[i].date, rows[i].at));
        put(arena, variant, "from", rows[i].at, quoted(arena, rows[i].date, rows[i].at));
        put(arena, variant, "values", rows[i].at, values_at(arena, rows, i + 1));
        put(arena, rules, NULL, rows[i].at, variant);
    }
    put(arena, entry, "rules", rows->at, rules);
    return entry;
}

static void add_entries(const struct listing *listing)
{
    struct arena *arena = listing->catalogue->arena;
    struct node *prices = map_of(arena, listing->rows[0].at);
    for (size_t first = 0, next; first < listing->count; first = next) {
        const struct listed *row = &listing->rows[first];
        for (next = first + 1; next < listing->count && strcmp(listing->rows[next].list, row->list) == 0 &&
                               strcmp(listing->rows[next].region, row->region) == 0;)
            next++;
        if (check_rows(listing, row, next - first))
            put(arena, prices, arena_format(arena, "%s/%s", row->list, row->region), row->at,
                entry_of(arena, row, next - first));
    }
    struct node *root = map_of(arena, listing->rows[0].at);
    put(arena, root, "prices", listing->rows[0].at, prices);
    catalogue_add(listing->catalogue, root, listing->problems);
}

void price_list_add(struct catalogue *catalogue, const struct csv_table *const *tables, size_t count,
                    struct problems *problems)
{
    struct listing listing = {.catalogue = catalogue, .problems = problems};
    const size_t reported = problems_reported(problems);
    for (size_t i = 0; i < count; i++) {
        size_t columns[COLUMN_COUNT];
        if (!find_columns(&listing, tables[i], columns))
            continue;
        for (size_t row = 0; row < tables[i]->rows; row++)
            read_row(&listing, tables[i], columns, row);
    }
    if (problems_reported(problems) > reported || listing.count == 0)
        return;
    qsort(listing.rows, listing.count, sizeof *listing.rows, compare_rows);
    add_entries(&listing);
}

void catalogue_add_file(struct catalogue *catalogue, const char *path, struct problems *problems)
{
    const size_t length = strlen(path);
    if (length < 4 || strcasecmp(path + length - 4, ".csv") != 0) {
        const struct node *root = document_read(catalogue->arena, path, problems);
        if (root != NULL)
            catalogue_add(catalogue, root, problems);
        return;
    }
    const struct csv_table *table = csv_table_read(catalogue->arena, path, problems);
    if (table != NULL)
        price_list_add(catalogue, &table, 1, problems);
}

void price_list_read(struct catalogue *catalogue, const struct node *files, const char *experiment_path,
                     struct problems *problems)
{
    const bool is_list = files->kind == NODE_LIST;
    const size_t count = is_list ? files->count : 1;
    const struct csv_table **tables = ARENA_ARRAY(catalogue->arena, const struct csv_table *, count + 1);
    size_t read = 0;
    for (size_t i = 0; i < count; i++) {
        const struct node *file = is_list ? files->entries[i].value : files;
        if (file->kind != NODE_SCALAR || node_is_empty(file)) {
            problem_add(problems, PROBLEM_ERROR, file->at,
                        "prices is the path of a CSV file, or a list of such");
            return;
        }
        tables[read] = csv_table_read(catalogue->arena,
                                      path_beside(catalogue->arena, experiment_path, file->text), problems);
        read += tables[read] != NULL;
    }
    price_list_add(catalogue, tables, read, problems);
}
