/* The pictures of all cells together: predicted against published, and the distribution of load times. */
#include "sim/command/plot_data.h"
#include "sim/experiment/result/result_csv.h"
#include "sim/experiment/result/unfinished.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUANTILES = 200,
    CURVES_MOST = 24,
    PLACES_WIDE = 130, /* characters that fit side by side under the axis */
    PLACE_GAP = 2,     /* of them, between two labels */
    LOG_AXIS_FROM = 50 /* the largest over the smallest */
};

struct writer plot_open(const struct plot_result *result, const char *name)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/%.128s", result->plots, name);
    errno = 0;
    struct writer writer = {.file = fopen(path, "w")};
    if (writer.file == NULL) {
        writer.error = errno;
        writer.file = fopen("/dev/null", "w");
    }
    return writer;
}

bool plot_close(struct writer *writer, const char *name, char *message, size_t message_size)
{
    if (writer->file != NULL && writer_close(writer))
        return true;
    snprintf(message, message_size, "cannot write 'plots/%s': %s", name, strerror(writer->error));
    return false;
}

void write_plot_text(struct writer *writer, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        write_text(writer, "%c", c < 0x20 || c == 0x7f ? ' ' : c == '"' ? '\'' : c);
    }
}

void write_plot_number(struct writer *writer, double value)
{
    char text[NUMBER_SIZE];
    number_text(text, value);
    write_text(writer, "%s", text[0] == '\0' ? "NaN" : text);
}

void write_plot_setting(struct writer *writer, const char *name, const char *value)
{
    write_text(writer, "%s = '", name);
    for (; *value != '\0'; value++) {
        unsigned char c = (unsigned char)*value;
        if (c == '\'')
            write_text(writer, "''");
        else
            write_text(writer, "%c", c < 0x20 || c == 0x7f ? ' ' : c);
    }
    write_text(writer, "'\n");
}

void write_picture_name(struct writer *writer, const char *name)
{
    char title[64];
    snprintf(title, sizeof title, "%s", name);
    for (char *at = title; *at != '\0'; at++)
        if (*at == '-')
            *at = '_';
    write_plot_setting(writer, "name", name);
    write_plot_setting(writer, "svg_name", title);
}

void pictures_add(struct pictures *pictures, const char *script, const char *name)
{
    if (pictures->count == PICTURES_MOST)
        return;
    struct picture *picture = &pictures->items[pictures->count++];
    picture->script = script;
    snprintf(picture->name, sizeof picture->name, "%s", name);
}

static bool starts_block(const struct plot_result *result, size_t cell)
{
    return cell == 0 || strcmp(result->cells[cell].block, result->cells[cell - 1].block) != 0;
}

/* What the script must know of the data. */
struct predicted_facts {
    size_t last_place;
    double largest;       /* of all limits, means and published values */
    double smallest_mean; /* INFINITY without */
    bool any_published, any_interval, any_remark;
    size_t widest_label;
};

/* The share of the logons of a cell that had not finished when its runs ended, where it makes the mean a lower
 * bound; else 0. */
static double unfinished_share(const struct plot_result *result, size_t cell)
{
    static const char *const names[] = {"logons.unfinished", "logons.finished"};
    double counts[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
        char full[2 * LABEL_SIZE];
        const char *headline = result->headline->name;
        snprintf(full, sizeof full, "%.*s%s", (int)workload_prefix(headline), headline, names[i]);
        const struct plot_metric *metric = plot_result_metric(result, cell, "", full);
        counts[i] = metric == NULL || isnan(metric->mean) ? 0 : metric->mean;
    }
    double share = counts[0] > 0 ? counts[0] / (counts[0] + counts[1]) : 0;
    return share > UNFINISHED_TOLERATED ? share : 0;
}

static void write_cell(const struct plot_result *result, size_t number, struct predicted_facts *facts,
                       struct writer *data)
{
    const struct plot_cell *cell = &result->cells[number - 1];
    const struct plot_metric *metric = plot_result_metric(result, number, "", result->headline->name);
    double unfinished = unfinished_share(result, number);
    bool has_interval = metric != NULL && unfinished == 0;
    const double values[] = {metric == NULL ? NAN : metric->mean,    has_interval ? metric->ci95_low : NAN,
                             has_interval ? metric->ci95_high : NAN, has_interval ? metric->pi95_low : NAN,
                             has_interval ? metric->pi95_high : NAN, cell->published};
    for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) {
        write_text(data, "\t");
        write_plot_number(data, values[j]);
        facts->largest = fmax(facts->largest, values[j]); /* passes over NaN */
    }
    if (unfinished > 0)
        write_text(data, "\tlonger: %.3g %% unfinished\n", 100 * unfinished);
    else
        write_text(data, "\t \n");
    facts->smallest_mean = fmin(facts->smallest_mean, values[0]);
    facts->any_published = facts->any_published || !isnan(cell->published);
    facts->any_interval = facts->any_interval || !isnan(values[1]);
    facts->any_remark = facts->any_remark || (unfinished > 0 && !isnan(values[0]));
}

/* One row a cell: x, label, mean, ci low, ci high, pi low, pi high, published, remark; blocks apart by an empty
 * place. */
static bool write_predicted(const struct plot_result *result, struct predicted_facts *facts, char *message,
                            size_t message_size)
{
    struct writer data = plot_open(result, "predicted.dat"),
                  blocks = plot_open(result, "predicted-blocks.dat");
    size_t x = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct plot_cell *cell = &result->cells[i];
        if (i > 0 && starts_block(result, i))
            x++;
        x++;
        size_t last = i;
        while (last + 1 < result->cell_count && !starts_block(result, last + 1))
            last++;
        if (starts_block(result, i)) {
            write_text(&blocks, "%g\t", (double)x + (double)(last - i) / 2);
            write_plot_text(&blocks, cell->block);
            write_text(&blocks, "\n");
        }
        if (strlen(cell->label) > facts->widest_label)
            facts->widest_label = strlen(cell->label);
        write_text(&data, "%zu\t", x);
        write_plot_text(&data, cell->label[0] != '\0' ? cell->label : " ");
        write_cell(result, i + 1, facts, &data);
        facts->last_place = x;
    }
    bool fine = plot_close(&data, "predicted.dat", message, message_size);
    return plot_close(&blocks, "predicted-blocks.dat", message, message_size) && fine;
}

static bool add_predicted(const struct plot_result *result, struct pictures *pictures, char *message,
                          size_t message_size)
{
    struct predicted_facts facts = {.smallest_mean = INFINITY};
    if (!write_predicted(result, &facts, message, message_size))
        return false;
    char axis[2 * LABEL_SIZE + 2];
    const char *unit = result->headline->unit;
    snprintf(axis, sizeof axis, "%s%s%s", headline_title(result->headline->name), unit[0] != '\0' ? ", " : "",
             unit);
    struct writer settings = plot_open(result, "predicted.settings.gp");
    write_picture_name(&settings, "predicted");
    write_plot_setting(&settings, "heading", result->title);
    write_plot_setting(&settings, "axis", axis);
    write_plot_setting(&settings, "places", result->places);
    write_text(&settings, "has_published = %d\nhas_intervals = %d\nhas_remarks = %d\n", facts.any_published,
               facts.any_interval, facts.any_remark);
    write_text(&settings, "rotate_labels = %d\nis_seconds = %d\n",
               (facts.widest_label + PLACE_GAP) * facts.last_place > PLACES_WIDE, strcmp(unit, "s") == 0);
    /* Times are compared by their lengths; amounts of which some would vanish, by their ratios. */
    const bool is_log = strcmp(unit, "s") != 0 && facts.smallest_mean > 0 &&
                        facts.largest > LOG_AXIS_FROM * facts.smallest_mean;
    write_text(&settings, "is_log = %d\nsmallest = ", is_log);
    write_plot_number(&settings, facts.smallest_mean);
    write_text(&settings, "\nlast_place = %zu\ntop = ", facts.last_place);
    write_plot_number(&settings, facts.largest > 0 ? 1.18 * facts.largest : 1);
    write_text(&settings, "\n");
    pictures_add(pictures, "predicted.gp", "predicted");
    return plot_close(&settings, "predicted.settings.gp", message, message_size);
}

/* The load times of one cell, all replications together. */
struct loads {
    double *seconds;
    size_t count, capacity;
    size_t all; /* logons, those that did not finish among them */
};

struct load_reading {
    struct loads *cells;
    size_t cell_count;
};

static bool take_load(void *context, const struct result_csv_row *row, const char **why)
{
    struct load_reading *reading = context;
    size_t cell = result_csv_ordinal(row, "cell");
    double seconds = result_csv_number(row, "ProfileLoad");
    if (cell == 0 || cell > reading->cell_count) {
        *why = "no row of a result: cell is wrong";
        return false;
    }
    struct loads *loads = &reading->cells[cell - 1];
    loads->all++;
    if (isnan(seconds))
        return true;
    if (loads->count == loads->capacity) {
        size_t capacity = loads->capacity == 0 ? 1024 : 2 * loads->capacity;
        double *grown = realloc(loads->seconds, capacity * sizeof *grown);
        if (grown == NULL) {
            *why = "out of memory";
            return false;
        }
        loads->seconds = grown;
        loads->capacity = capacity;
    }
    loads->seconds[loads->count++] = seconds;
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* As a share of all logons: where some had not finished when their run ended the curve ends below 100 %. */
static void write_curve(struct writer *data, const struct plot_cell *cell, const struct loads *loads)
{
    write_plot_text(data, cell->title[0] != '\0' ? cell->title : "all logons");
    if (loads->count == 0)
        write_text(data, " (none finished)");
    else if ((double)(loads->all - loads->count) > UNFINISHED_TOLERATED * (double)loads->all)
        write_text(data, " (%.3g %% unfinished)",
                   100 * (double)(loads->all - loads->count) / (double)loads->all);
    write_text(data, "\tshare\n");
    if (loads->count == 0)
        write_text(data, "0\t0\n");
    for (size_t i = 0; loads->count > 0 && i <= QUANTILES; i++) {
        size_t at = (loads->count - 1) * i / QUANTILES;
        write_plot_number(data, loads->seconds[at]);
        write_text(data, "\t%.6g\n", 100 * (double)(at + 1) / (double)loads->all);
    }
    write_text(data, "\n\n");
}

static bool write_distribution(const struct plot_result *result, struct load_reading *reading,
                               struct pictures *pictures, char *message, size_t message_size)
{
    struct writer data = plot_open(result, "load-distribution.dat");
    struct writer settings = plot_open(result, "load-distribution.settings.gp");
    size_t curves = 0, block = 0, within_block = 0;
    write_picture_name(&settings, "load-distribution");
    write_plot_setting(&settings, "heading", result->title);
    write_text(&settings, "array block_of[%d]\narray within_block[%d]\n", CURVES_MOST, CURVES_MOST);
    for (size_t i = 0; i < result->cell_count && curves < CURVES_MOST; i++) {
        struct loads *loads = &reading->cells[i];
        if (i > 0 && starts_block(result, i)) {
            block++;
            within_block = 0;
        }
        if (loads->all == 0)
            continue;
        if (loads->count > 0)
            qsort(loads->seconds, loads->count, sizeof *loads->seconds, by_size);
        write_curve(&data, &result->cells[i], loads);
        curves++;
        write_text(&settings, "block_of[%zu] = %zu\nwithin_block[%zu] = %zu\n", curves, block, curves,
                   within_block++);
    }
    write_text(&settings, "curves = %zu\nblocks = %zu\n", curves, block + 1);
    if (curves > 0)
        pictures_add(pictures, "load-distribution.gp", "load-distribution");
    bool fine = plot_close(&data, "load-distribution.dat", message, message_size);
    return plot_close(&settings, "load-distribution.settings.gp", message, message_size) && fine;
}

static bool add_distribution(const struct plot_result *result, struct pictures *pictures, char *message,
                             size_t message_size)
{
    char path[4200];
    struct load_reading reading = {calloc(result->cell_count + 1, sizeof *reading.cells), result->cell_count};
    snprintf(path, sizeof path, "%.4000s/logons.csv", result->folder);
    FILE *file = reading.cells == NULL ? NULL : fopen(path, "r");
    bool fine = file != NULL;
    if (!fine)
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
    else
        fine = result_csv_read(file, "logons.csv", take_load, &reading, message, message_size) &&
               write_distribution(result, &reading, pictures, message, message_size);
    if (file != NULL)
        fclose(file);
    for (size_t i = 0; reading.cells != NULL && i < result->cell_count; i++)
        free(reading.cells[i].seconds);
    free(reading.cells);
    return fine;
}

bool plot_overview(const struct plot_result *result, struct pictures *pictures, char *message,
                   size_t message_size)
{
    if (result->headline != NULL && !add_predicted(result, pictures, message, message_size))
        return false;
    return add_distribution(result, pictures, message, message_size) &&
           plot_bars(result, pictures, message, message_size);
}
