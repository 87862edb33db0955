/* What a regression test says: to people in a few lines, to programs as JSON.
 *
 * JSON: {"experiment", "file", "baseline", "outcome": "identical" | "moved" | "no baseline", "replications", "cells",
 * "runs", "runs_differing", "metrics", "moved": TEXT, "movers": [{"metric", "unit", "cell", "cells_moved", "then",
 * "now", "difference", "ci": [lo, hi], "relative", "p", "p_adjusted", "noise"}], "cells_added", "cells_removed",
 * "metrics_added", "metrics_removed", "hash_differs", "seed_differs", "expectations": {"total", "met", "missed",
 * "not_judged", "newly_missed": [{"cell", "metric", "then", "now"}]}}. Keys are only ever added.
 */
#include "sim/experiment/compare/regress.h"
#include "sim/experiment/result/label.h"

#include <math.h>
#include <stdio.h>

enum { LINES = 10, NAMES = 4, TEXT_SIZE = 2 * LABEL_SIZE };

static void names_line(const char *before, const char *const *names, size_t count, struct writer *writer,
                       const struct text_style *style)
{
    if (count == 0)
        return;
    write_text(writer, "  %s:", before);
    for (size_t i = 0; i < count && i < NAMES; i++) {
        write_text(writer, i == 0 ? " " : "; ");
        write_user_text(writer, names[i], style);
    }
    if (count > NAMES)
        write_text(writer, " and %zu more", count - NAMES);
    write_text(writer, "\n");
}

static void write_values(const struct regress_mover *mover, struct writer *writer)
{
    char then[LABEL_SIZE], now[LABEL_SIZE];
    const struct difference *it = &mover->difference;
    int decimals = difference_decimals(it->value);
    double size = fmax(fabs(it->a), fabs(it->b));
    if (isnan(it->value)) {
        write_text(writer, "has a value on one side only");
        return;
    }
    if (decimals < decimals_for(size))
        decimals = decimals_for(size);
    number_label(then, it->a, it->a == 0 ? 0 : decimals);
    number_label(now, it->b, it->b == 0 ? 0 : decimals);
    write_text(writer, "%s -> %s%s%s", then, now, mover->unit[0] != '\0' ? " " : "", mover->unit);
    double relative = 100 * difference_relative(it);
    if (isnan(relative))
        return;
    char percent[LABEL_SIZE];
    number_label(percent, fabs(relative), fabs(relative) >= 9.95 ? 0 : difference_decimals(relative));
    write_text(writer, " (%c%s %%)", relative > 0 ? '+' : '-', percent);
}

static void write_noise(const struct regress_mover *mover, struct writer *writer)
{
    const struct difference *it = &mover->difference;
    switch (mover->noise) {
    case NOISE_BEYOND:
        write_text(writer, mover->p_adjusted < 0.0005 ? "beyond noise (p <0.001)" : "beyond noise (p %.3f)",
                   mover->p_adjusted);
        break;
    case NOISE_LIKELY:
        write_text(writer, "alike in all %zu runs, probably not noise (p %.2g; %.2g among all)", it->a_count,
                   it->p, mover->p_adjusted);
        break;
    case NOISE_UNCLEAR:
        write_text(writer, "may be noise (p %.2g)", it->p);
        break;
    case NOISE_UNKNOWN:
        write_text(writer, it->a_count == 1 && it->b_count == 1 ? "noise unknown in one run"
                                                                : "too few values to tell");
        break;
    }
}

/* "  profile_load.mean in premium: 7.48 -> 7.60 s (+1.6 %), beyond noise (p 0.003); in 3 of 3 cells" */
static void mover_line(const struct regression *regression, const struct regress_mover *mover,
                       struct writer *writer, const struct text_style *style)
{
    write_text(writer, "  ");
    write_user_text(writer, mover->metric, style);
    if (mover->cell[0] != '\0') {
        write_text(writer, " in ");
        write_user_text(writer, mover->cell, style);
    }
    write_text(writer, ": ");
    write_values(mover, writer);
    write_text(writer, ", ");
    write_noise(mover, writer);
    if (regression->cells > 1)
        write_text(writer, "; in %zu of %zu cells", mover->cells_moved, regression->cells);
    write_text(writer, "\n");
}

/* The headline is always among those shown. */
static void mover_lines(const struct regression *regression, struct writer *writer,
                        const struct text_style *style)
{
    const struct regress_mover *headline = NULL;
    for (size_t i = 0; i < regression->mover_count; i++) {
        const struct regress_mover *it = &regression->movers[i];
        if (is_headline(it->metric) &&
            (headline == NULL || headline_rank(it->metric) < headline_rank(headline->metric)))
            headline = it;
    }
    size_t shown = 0;
    for (; shown < regression->mover_count && shown < LINES - 1; shown++) {
        mover_line(regression, &regression->movers[shown], writer, style);
        if (&regression->movers[shown] == headline)
            headline = NULL;
    }
    if (headline != NULL) {
        mover_line(regression, headline, writer, style);
        shown++;
    }
    if (regression->mover_count > shown)
        write_text(writer, "  and %zu metrics more\n", regression->mover_count - shown);
}

static void counts(const struct regression *it, struct writer *writer)
{
    write_text(writer, "%zu cell%s x %zu replication%s, %zu metrics", it->cells, it->cells == 1 ? "" : "s",
               it->replications, it->replications == 1 ? "" : "s", it->metrics);
}

static void expectation_lines(const struct regression *it, struct writer *writer,
                              const struct text_style *style)
{
    if (it->expectations.total > 0)
        write_text(writer, "  expectations: %zu met, %zu missed, %zu not judged\n", it->expectations.met,
                   it->expectations.missed, it->expectations.not_judged);
    for (size_t i = 0; i < it->newly_missed_count; i++) {
        const struct regress_missed *missed = &it->newly_missed[i];
        char then[LABEL_SIZE], now[LABEL_SIZE];
        number_label(then, missed->then, difference_decimals(missed->then) + 1);
        number_label(now, missed->now, difference_decimals(missed->now) + 1);
        write_text(writer, "  MISSED, and was met: ");
        write_user_text(writer, missed->metric, style);
        write_text(writer, " in ");
        write_user_text(writer, missed->cell, style);
        write_text(writer, ", %s -> %s\n", then, now);
    }
}

static void title(const struct regression *it, const char *word, const char *colour, struct writer *writer,
                  const struct text_style *style)
{
    write_user_text(writer, it->experiment, style);
    write_text(writer, ": %s%s%s", style->colour ? colour : "", word, style->colour ? "\033[0m" : "");
}

void regress_print(const struct regression *it, const char *file, const char *baseline_path,
                   struct writer *writer, const struct text_style *style)
{
    (void)file;
    switch (it->outcome) {
    case REGRESS_IDENTICAL:
        title(it, "identical", "\033[32m", writer, style);
        write_text(writer, " (");
        counts(it, writer);
        write_text(writer, ")\n");
        break;
    case REGRESS_MOVED:
        title(it, "moved", "\033[33m", writer, style);
        write_text(writer, ": ");
        write_user_text(writer, it->moved, style);
        write_text(writer, " (");
        counts(it, writer);
        write_text(writer, ")\n");
        break;
    case REGRESS_NO_BASELINE:
        title(it, "no baseline yet", "\033[33m", writer, style);
        write_text(writer, ": --update --because \"WHY\" writes ");
        write_user_text(writer, baseline_path, style);
        write_text(writer, "\n");
        break;
    }
    if (it->seed_differs)
        write_text(writer,
                   "  another seed or generator than the baseline's: nothing is paired, so all moves\n");
    if (it->hash_differs)
        write_text(writer, "  the experiment is not what it was: its values or defaults have changed\n");
    mover_lines(it, writer, style);
    names_line("new cells", it->cells_added, it->cells_added_count, writer, style);
    names_line("cells that are gone", it->cells_removed, it->cells_removed_count, writer, style);
    names_line("new metrics", it->metrics_added, it->metrics_added_count, writer, style);
    names_line("metrics that are gone", it->metrics_removed, it->metrics_removed_count, writer, style);
    expectation_lines(it, writer, style);
}

static void print_number(const char *name, double value, struct writer *writer)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_number(writer, value);
}

static void print_text(const char *name, const char *text, struct writer *writer)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_text(writer, text);
}

static void print_mover(const struct regress_mover *mover, struct writer *writer)
{
    static const char *const noises[] = {"beyond", "likely", "unclear", "unknown"};
    const struct difference *it = &mover->difference;
    write_text(writer, "{\"metric\": ");
    write_json_text(writer, mover->metric);
    print_text("unit", mover->unit, writer);
    print_text("cell", mover->cell, writer);
    write_text(writer, ", \"cells_moved\": %zu", mover->cells_moved);
    print_number("then", it->a, writer);
    print_number("now", it->b, writer);
    print_number("difference", it->value, writer);
    if (isnan(it->low)) {
        write_text(writer, ", \"ci\": null");
    } else {
        write_text(writer, ", \"ci\": [");
        write_json_number(writer, it->low);
        write_text(writer, ", ");
        write_json_number(writer, it->high);
        write_text(writer, "]");
    }
    print_number("relative", difference_relative(it), writer);
    print_number("p", it->p, writer);
    print_number("p_adjusted", mover->p_adjusted, writer);
    write_text(writer, ", \"noise\": \"%s\"}", noises[mover->noise]);
}

static void print_names(const char *name, const char *const *names, size_t count, struct writer *writer)
{
    write_text(writer, ", \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, names[i]);
    }
    write_text(writer, "]");
}

static void print_expectations(const struct regression *it, struct writer *writer)
{
    write_text(writer,
               ",\n   \"expectations\": {\"total\": %zu, \"met\": %zu, \"missed\": %zu, \"not_judged\": %zu, "
               "\"newly_missed\": [",
               it->expectations.total, it->expectations.met, it->expectations.missed,
               it->expectations.not_judged);
    for (size_t i = 0; i < it->newly_missed_count; i++) {
        const struct regress_missed *missed = &it->newly_missed[i];
        write_text(writer, "%s{\"metric\": ", i == 0 ? "" : ", ");
        write_json_text(writer, missed->metric);
        print_text("cell", missed->cell, writer);
        print_number("then", missed->then, writer);
        print_number("now", missed->now, writer);
        write_text(writer, "}");
    }
    write_text(writer, "]}");
}

void regress_print_json(const struct regression *it, const char *file, const char *baseline_path,
                        struct writer *writer)
{
    static const char *const outcomes[] = {"identical", "moved", "no baseline"};
    write_text(writer, "  {\"experiment\": ");
    write_json_text(writer, it->experiment);
    print_text("file", file, writer);
    print_text("baseline", baseline_path, writer);
    write_text(writer,
               ", \"outcome\": \"%s\", \"replications\": %zu, \"cells\": %zu, \"runs\": %zu, "
               "\"runs_differing\": %zu, "
               "\"metrics\": %zu, \"hash_differs\": %s, \"seed_differs\": %s",
               outcomes[it->outcome], it->replications, it->cells, it->runs, it->runs_differing, it->metrics,
               it->hash_differs ? "true" : "false", it->seed_differs ? "true" : "false");
    print_text("moved", it->moved, writer);
    write_text(writer, ",\n   \"movers\": [");
    for (size_t i = 0; i < it->mover_count; i++) {
        write_text(writer, i == 0 ? "\n    " : ",\n    ");
        print_mover(&it->movers[i], writer);
    }
    write_text(writer, "]");
    print_names("cells_added", it->cells_added, it->cells_added_count, writer);
    print_names("cells_removed", it->cells_removed, it->cells_removed_count, writer);
    print_names("metrics_added", it->metrics_added, it->metrics_added_count, writer);
    print_names("metrics_removed", it->metrics_removed, it->metrics_removed_count, writer);
    print_expectations(it, writer);
    write_text(writer, "}");
}
