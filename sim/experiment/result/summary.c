/* The sentences under the table, and the report as a whole. */
#include "sim/experiment/result/comparison.h"
#include "sim/experiment/result/label.h"
#include "sim/experiment/result/table.h"
#include "sim/experiment/result/unfinished.h"
#include "sim/experiment/run/plan_text.h"

#include <math.h>
#include <string.h>

enum { MISSED_SHOWN = 5, WARNINGS_SHOWN = 5, UNFINISHED_SHOWN = 5 };

struct verdict_count count_verdicts(const struct result *result)
{
    struct verdict_count count = {0};
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell *cell = experiment_cell(result->experiment, i);
        for (size_t j = 0; j < cell->expectation_count; j++) {
            double predicted;
            enum verdict verdict = result_verdict(result, i, &cell->expectations[j], &predicted);
            count.total++;
            count.met += verdict == VERDICT_MET;
            count.missed += verdict == VERDICT_MISSED;
            count.no_value += verdict == VERDICT_NO_VALUE;
            count.unfinished += verdict == VERDICT_UNFINISHED;
        }
    }
    return count;
}

static void print_missed(const struct result *result, size_t cell, const struct expectation *expectation,
                         struct writer *writer, const struct text_style *style)
{
    double predicted;
    if (result_verdict(result, cell, expectation, &predicted) != VERDICT_MISSED)
        return;
    size_t metric = (size_t)result_metric(result, expectation->metric);
    const struct estimate *estimate = result_estimate(result, cell, metric);
    const char *unit = expectation->over != NULL ? "" : result->metrics[metric].unit;
    char label[LABEL_SIZE], title[EXPECTATION_TITLE_SIZE];
    expectation_title(title, expectation);
    cell_label(label, result->experiment, cell);
    write_text(writer, "  missed: ");
    write_user_text(writer, label, style);
    write_text(writer, ": ");
    write_user_text(writer, title, style);
    write_text(writer, " is %.4g%s%s; ", predicted, unit[0] != '\0' ? " " : "", unit);
    switch (expectation->rule) {
    case EXPECT_ONE_RUN:
        write_text(writer, "published %.4g lies outside one run, [%.4g, %.4g]", expectation->published,
                   estimate->pi95_low, estimate->pi95_high);
        break;
    case EXPECT_TOLERANCE:
        write_text(writer, "published %.4g, allowed +- %.3g %%", expectation->published,
                   100 * expectation->tolerance);
        break;
    case EXPECT_BETWEEN:
        if (isinf(expectation->low))
            write_text(writer, "expected at most %.4g", expectation->high);
        else if (isinf(expectation->high))
            write_text(writer, "expected at least %.4g", expectation->low);
        else
            write_text(writer, "expected between %.4g and %.4g", expectation->low, expectation->high);
        break;
    }
    write_text(writer, "\n");
}

static bool is_one_run(const struct expectation *expectation)
{
    return expectation->rule == EXPECT_ONE_RUN;
}

/* "10 of 10 published values lie where one run would; 29 of 30 other expectations are met." */
static void print_verdict_counts(const struct result *result, struct writer *writer)
{
    struct verdict_count all = count_verdicts(result);
    size_t one_run_met = 0, one_run_judged = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell *cell = experiment_cell(result->experiment, i);
        for (size_t j = 0; j < cell->expectation_count; j++) {
            double predicted;
            enum verdict verdict = result_verdict(result, i, &cell->expectations[j], &predicted);
            if (!is_one_run(&cell->expectations[j]) || (verdict != VERDICT_MET && verdict != VERDICT_MISSED))
                continue;
            one_run_judged++;
            one_run_met += verdict == VERDICT_MET;
        }
    }
    size_t others = all.met + all.missed - one_run_judged;
    if (one_run_judged > 0)
        write_text(writer, "%zu of %zu published value%s where one run would", one_run_met, one_run_judged,
                   one_run_judged == 1 ? " lies" : "s lie");
    if (others > 0)
        write_text(writer, "%s%zu of %zu %sexpectation%s met", one_run_judged > 0 ? "; " : "",
                   all.met - one_run_met, others, one_run_judged > 0 ? "other " : "",
                   others == 1 ? " is" : "s are");
    if (all.no_value > 0)
        write_text(writer, "%s%zu not judged (no value, or too few replications)",
                   one_run_judged + others > 0 ? "; " : "", all.no_value);
    if (all.unfinished > 0)
        write_text(writer, "%s%zu not judged (logons were unfinished)",
                   one_run_judged + others + all.no_value > 0 ? "; " : "", all.unfinished);
    write_text(writer, ".\n");
}

static void print_verdicts(const struct result *result, struct writer *writer, const struct text_style *style)
{
    if (count_verdicts(result).total == 0)
        return;
    print_verdict_counts(result, writer);
    size_t shown = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell *cell = experiment_cell(result->experiment, i);
        for (size_t j = 0; j < cell->expectation_count; j++) {
            double predicted;
            if (result_verdict(result, i, &cell->expectations[j], &predicted) == VERDICT_MISSED &&
                shown++ < MISSED_SHOWN)
                print_missed(result, i, &cell->expectations[j], writer, style);
        }
    }
    if (shown > MISSED_SHOWN)
        write_text(writer, "  and %zu more\n", shown - MISSED_SHOWN);
}

/* The headline metrics of all workloads, one after the other: the first index from `from` on, or -1. */
static ptrdiff_t next_headline(const struct result *result, ptrdiff_t headline, size_t from)
{
    for (size_t i = from; headline >= 0 && i < result->metric_count; i++) {
        const char *name = result->metrics[i].name, *best = result->metrics[headline].name;
        if (i == (size_t)headline || (is_headline(name) && headline_rank(name) == headline_rank(best)))
            return (ptrdiff_t)i;
    }
    return -1;
}

/* "premium, large file handling off: 483 of 1,000 logons had not finished when the run ended; their loads are
 * longer than the mean says." */
static void print_unfinished_cell(const struct result *result, size_t cell, size_t metric,
                                  struct writer *writer, const struct text_style *style)
{
    const char *name = result->metrics[metric].name;
    struct logon_count logons = logon_count_of(result, cell, name);
    char label[LABEL_SIZE], count[LABEL_SIZE], all[LABEL_SIZE], workload[LABEL_SIZE];
    size_t prefix = workload_prefix(name);
    cell_label(label, result->experiment, cell);
    snprintf(workload, sizeof workload, "%.*s", prefix > 0 ? (int)prefix - 1 : 0, name);
    number_label(count, logons.unfinished,
                 logons.unfinished < 10 && logons.unfinished != round(logons.unfinished));
    number_label(all, logons.all, 0);
    if (result->cell_count > 1)
        write_user_text(writer, label, style);
    if (prefix > 0) {
        write_text(writer, result->cell_count > 1 ? ", " : "");
        write_user_text(writer, workload, style);
    }
    write_text(writer, result->cell_count > 1 || prefix > 0 ? ": " : "");
    if (isnan(result_estimate(result, cell, metric)->mean))
        write_text(writer, "none of %s logons had finished when the run ended, so there is no load time.\n",
                   all);
    else
        write_text(
            writer,
            "%s of %s logons had not finished when the run ended; their loads are longer than the mean "
            "says.\n",
            count, all);
}

static void print_unfinished(const struct result *result, ptrdiff_t headline, struct writer *writer,
                             const struct text_style *style)
{
    size_t shown = 0;
    for (ptrdiff_t metric = next_headline(result, headline, 0); metric >= 0;
         metric = next_headline(result, headline, (size_t)metric + 1))
        for (size_t cell = 0; cell < result->cell_count; cell++)
            if (metric_is_of_the_fastest(result, cell, result->metrics[metric].name) &&
                shown++ < UNFINISHED_SHOWN)
                print_unfinished_cell(result, cell, (size_t)metric, writer, style);
    if (shown > UNFINISHED_SHOWN)
        write_text(writer, "  and %zu more with unfinished logons\n", shown - UNFINISHED_SHOWN);
}

static void print_need_of_replications(const struct result *result, struct writer *writer)
{
    for (size_t cell = 0; cell < result->cell_count; cell++)
        if (result->run_effect_cv[cell] > 0 && result_cell_done(result, cell) < ESTIMATE_REGRESSION_LEAST) {
            write_text(writer,
                       "Intervals, and whether a published value lies where one run would, need at "
                       "least %d replications.\n",
                       ESTIMATE_REGRESSION_LEAST);
            return;
        }
}

static void print_throttling(const struct result *result, struct writer *writer,
                             const struct text_style *style)
{
    bool known = false;
    size_t worst_cell = 0, worst_store = 0;
    double worst = 0;
    for (size_t store = 0; store < result->store_count; store++) {
        ptrdiff_t metric = store_metric(result, store, "throttled.fraction");
        for (size_t cell = 0; metric >= 0 && cell < result->cell_count; cell++) {
            double fraction = result_estimate(result, cell, (size_t)metric)->mean;
            known = known || !isnan(fraction);
            if (fraction > worst) {
                worst = fraction;
                worst_cell = cell;
                worst_store = store;
            }
        }
    }
    if (known && worst == 0)
        write_text(writer,
                   any_load_is_of_the_fastest(result)
                       ? "No request that was answered was throttled; those of unfinished logons were "
                         "still waiting.\n"
                       : "Nothing was throttled.\n");
    if (!known || worst == 0)
        return;
    char label[LABEL_SIZE];
    cell_label(label, result->experiment, worst_cell);
    write_text(writer, "Throttled: %.*f %% of the requests", worst < 0.001 ? 3 : 1, 100 * worst);
    if (result->store_count > 1) {
        write_text(writer, " to ");
        write_user_text(writer, result->store_names[worst_store], style);
    }
    if (result->cell_count > 1) {
        write_text(writer, " in the worst cell (");
        write_user_text(writer, label, style);
        write_text(writer, ")");
    }
    write_text(writer, ".\n");
}

/* A metric of the same workload as the headline. -1 without. */
static ptrdiff_t sibling(const struct result *result, const char *headline, const char *name)
{
    char full[512];
    snprintf(full, sizeof full, "%.*s%s", (int)workload_prefix(headline), headline, name);
    return result_metric(result, full);
}

/* What a logon of this cell waits for most, as a share of its load time; NULL when the result does not tell. */
static const char *main_cause(const struct result *result, size_t cell, size_t load, double *share)
{
    char prefix[512];
    const char *headline = result->metrics[load].name, *cause = NULL;
    snprintf(prefix, sizeof prefix, "%.*sprofile_load.by.", (int)workload_prefix(headline), headline);
    *share = 0;
    for (size_t i = 0; i < result->metric_count; i++) {
        if (strncmp(result->metrics[i].name, prefix, strlen(prefix)) != 0)
            continue;
        double part = result_estimate(result, cell, i)->mean / result_estimate(result, cell, load)->mean;
        if (part > *share) {
            *share = part;
            cause = result->metrics[i].name + strlen(prefix);
        }
    }
    return cause;
}

static void write_cause(struct writer *writer, const char *cause)
{
    for (; *cause != '\0'; cause++)
        write_text(writer, "%c", *cause == '_' ? ' ' : *cause);
}

/* "; it sends 1,519 to 3,111 requests", over all cells or of one. */
static void write_requests(const struct result *result, size_t cell, size_t load, struct writer *writer)
{
    ptrdiff_t metric = sibling(result, result->metrics[load].name, "profile_load.requests");
    if (metric < 0)
        return;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        if (cell < result->cell_count && i != cell)
            continue;
        least = fmin(least, result_estimate(result, i, (size_t)metric)->mean);
        most = fmax(most, result_estimate(result, i, (size_t)metric)->mean);
    }
    char from[LABEL_SIZE], to[LABEL_SIZE];
    number_label(from, least, 0);
    number_label(to, most, 0);
    if (strcmp(from, to) == 0)
        write_text(writer, "; it sends %s requests", from);
    else
        write_text(writer, "; it sends %s to %s requests", from, to);
}

/* "91 to 94 % of a profile load is server latency.", or of the slowest cell when cells differ in what they
 * wait for. */
static void print_cause(const struct result *result, size_t load, struct writer *writer,
                        const struct text_style *style)
{
    double least = 1, most = 0, share, slowest_load = -1;
    size_t slowest = 0;
    bool is_same = true;
    const char *first = result->cell_count > 0 ? main_cause(result, 0, load, &share) : NULL;
    for (size_t cell = 0; first != NULL && cell < result->cell_count; cell++) {
        const char *cause = main_cause(result, cell, load, &share);
        is_same = is_same && cause != NULL && strcmp(cause, first) == 0;
        least = fmin(least, share);
        most = fmax(most, share);
        double mean = result_estimate(result, cell, load)->mean;
        if (mean > slowest_load) {
            slowest_load = mean;
            slowest = cell;
        }
    }
    const char *cause = first == NULL || is_same ? first : main_cause(result, slowest, load, &share);
    if (cause == NULL)
        return;
    if (!is_same) {
        char label[LABEL_SIZE];
        main_cause(result, slowest, load, &least);
        most = least;
        cell_label(label, result->experiment, slowest);
        write_text(writer, "In the slowest cell (");
        write_user_text(writer, label, style);
        write_text(writer, ") ");
    }
    if (workload_prefix(result->metrics[load].name) > 0) {
        char workload[LABEL_SIZE];
        snprintf(workload, sizeof workload, "%.*s: ", (int)workload_prefix(result->metrics[load].name) - 1,
                 result->metrics[load].name);
        write_user_text(writer, workload, style);
    }
    if (round(100 * least) == round(100 * most))
        write_text(writer, "%.0f %% of a profile load is ", 100 * least);
    else
        write_text(writer, "%.0f to %.0f %% of a profile load is ", 100 * least, 100 * most);
    write_cause(writer, cause);
    write_requests(result, is_same ? result->cell_count : slowest, load, writer);
    write_text(writer, ".\n");
}

/* "Costs are in USD, prices of 2024-07, West US." */
static void print_prices(const struct result *result, struct writer *writer, const struct text_style *style)
{
    size_t count;
    const char *const *prices = experiment_prices(result->experiment, &count);
    for (size_t i = 0; i < count; i++) {
        write_text(writer, i == 0 ? "Costs are in " : "; ");
        write_user_text(writer, prices[i], style);
    }
    write_text(writer, count > 0 ? ".\n" : "");
}

static void print_warnings(const struct result *result, struct writer *writer, const struct text_style *style)
{
    for (size_t i = 0; i < result->warning_count && i < WARNINGS_SHOWN; i++) {
        write_text(writer, "Note: ");
        write_user_text(writer, result->warnings[i], style);
        write_text(writer, "\n");
    }
    if (result->warning_count > WARNINGS_SHOWN)
        write_text(writer, "Note: %zu more notes of this kind are in manifest.json\n",
                   result->warning_count - WARNINGS_SHOWN);
}

/* An option that the experiment was opened with, as a shell takes it. */
static void print_options(const char *option, const char *const *values, size_t count, struct writer *writer,
                          const struct text_style *style)
{
    for (size_t i = 0; i < count; i++) {
        write_text(writer, " --%s '", option);
        write_user_text(writer, values[i], style);
        write_text(writer, "'");
    }
}

static void print_assumptions(const struct experiment *experiment, struct writer *writer, const struct text_style *style)
{
    size_t count;
    const struct experiment_options *options = experiment_options(experiment);
    experiment_assumptions(experiment, &count);
    if (count == 0)
        return;
    write_text(writer, "%zu parameter%s calibrated or assumed: vdisim explain ", count, count == 1 ? " is" : "s are");
    write_user_text(writer, experiment_path(experiment), style);
    print_options("catalogue", options->catalogues, options->catalogue_count, writer, style);
    print_options("set", options->sets, options->set_count, writer, style);
    write_text(writer, " lists them\n");
}

void summary_print(const struct result *result, const char *folder, struct writer *writer,
                   const struct text_style *style)
{
    ptrdiff_t headline = headline_metric(result);
    for (ptrdiff_t metric = next_headline(result, headline, 0); metric >= 0;
         metric = next_headline(result, headline, (size_t)metric + 1))
        comparison_print(result, (size_t)metric, writer, style);
    plan_print(result, writer, style);
    print_unfinished(result, headline, writer, style);
    print_need_of_replications(result, writer);
    print_verdicts(result, writer, style);
    print_throttling(result, writer, style);
    for (ptrdiff_t metric = next_headline(result, headline, 0); metric >= 0;
         metric = next_headline(result, headline, (size_t)metric + 1))
        print_cause(result, (size_t)metric, writer, style);
    if (experiment_answer(result->experiment)[0] != '\0') {
        write_text(writer, "The file's answer: ");
        write_user_text(writer, experiment_answer(result->experiment), style);
        write_text(writer, "\n");
    }
    print_prices(result, writer, style);
    print_warnings(result, writer, style);

    print_assumptions(result->experiment, writer, style);
    if (result->interrupted)
        write_text(writer, "Interrupted: %zu of %zu runs were finished; the figures cover these alone.\n",
                   result_done(result), result_wanted(result));
    if (folder != NULL) {
        write_text(writer, "Results: ");
        write_user_text(writer, folder, style);
        write_text(writer, "/   Pictures: vdisim plot ");
        write_user_text(writer, folder, style);
        write_text(writer, "\n");
    }
}

bool report_print(const struct result *result, const char *folder, struct writer *writer,
                  const struct text_style *style)
{
    const struct experiment *experiment = result->experiment;
    if (style->colour)
        write_text(writer, "\033[1m");
    write_user_text(writer, experiment_title(experiment), style);
    write_text(writer, style->colour ? "\033[0m\n" : "\n");
    if (experiment_question(experiment)[0] != '\0') {
        write_user_text(writer, experiment_question(experiment), style);
        write_text(writer, "\n");
    }
    size_t least, most;
    replications_by_cell(result, &least, &most);
    write_text(writer, "%zu cell%s x ", result->cell_count, result->cell_count == 1 ? "" : "s");
    if (least < most)
        write_text(writer, "%zu to ", least);
    write_text(writer, "%zu replication%s, seed %lld\n\n", most, most == 1 ? "" : "s",
               (long long)experiment_run(experiment)->seed);
    if (!table_print(result, writer, style))
        return false;
    write_text(writer, "\n");
    summary_print(result, folder, writer, style);
    return true;
}
