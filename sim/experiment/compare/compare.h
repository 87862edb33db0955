/* The comparison of two samples, A and B: which cells go together, what differs, and whether that is more than
 * chance.
 *
 *     struct compare_request request = {.confidence = 0.95};
 *     struct compare *compare = compare_create(a, b, &request, message);
 *     compare_print(compare, writer, style);
 *     compare_destroy(compare);
 *
 * Cells go together that have the same values for the keys that remain once those chosen by `a_values` and
 * `b_values` are taken away; one cell on either side goes with the other whatever they are called. Runs are
 * paired by replication when both drew the same random numbers: the same seed and generator. The p-values of
 * all rows are adjusted together (holm.h); the intervals are those of each difference by itself.
 */
#ifndef VDISIM_COMPARE_H
#define VDISIM_COMPARE_H

#include "sim/experiment/compare/difference.h"
#include "sim/experiment/compare/sample.h"
#include "sim/experiment/result/text_table.h"
#include "sim/experiment/result/writer.h"

struct compare_request {
    const char *const *a_values, *const *b_values; /* KEY=VALUE each: which cells of A, of B */
    size_t a_value_count, b_value_count;
    /* "0.5 s" for the metrics of that dimension, "5 %" of A's value for all others: what matters. */
    const char *const *smallest;
    size_t smallest_count;
    const char *const *metrics; /* these alone */
    size_t metric_count;
    bool all; /* metrics, not only those that most ask for */
    double confidence;
};

struct compare_pair {
    size_t a_cell, b_cell;
    const char *label; /* by the keys that remain; "" for the only pair */
};

struct compare_row {
    size_t pair, a_metric, b_metric;
    struct difference difference;
    double smallest; /* NaN: any difference matters */
    double p_adjusted;
    enum difference_verdict verdict;
    size_t needed;               /* replications */
    bool a_is_bound, b_is_bound; /* of the fastest logons alone */
    const char *words;
};

struct compare {
    struct arena *arena;
    const struct sample *a, *b;
    const char *a_choice, *b_choice; /* ", size=5 TiB" or "" */
    double confidence;
    bool paired;
    struct compare_pair *pairs;
    size_t pair_count;
    struct compare_row *rows;
    size_t row_count;
    size_t tested;                   /* rows with a p-value */
    const char **a_alone, **b_alone; /* labels of cells without a partner */
    size_t a_alone_count, b_alone_count;
    const char **a_metrics, **b_metrics; /* names that the other has not */
    size_t a_metric_count, b_metric_count;
};

/* NULL with a message: what was asked for does not go with the samples, or memory is short. The samples
 * must outlive it. */
struct compare *compare_create(const struct sample *a, const struct sample *b,
                               const struct compare_request *request, char message[SAMPLE_MESSAGE_SIZE]);
void compare_destroy(struct compare *compare);

/* For people, as one document and as rows for programs. The first is false when memory was short. */
bool compare_print(const struct compare *compare, struct writer *writer, const struct text_style *style);
void compare_print_json(const struct compare *compare, struct writer *writer);
void compare_print_csv(const struct compare *compare, struct writer *writer);

/* The difference of one metric between two cells. compare_match.c and regress.c use it. */
struct difference compare_cells(const struct sample *a, size_t a_cell, size_t a_metric,
                                const struct sample *b, size_t b_cell, size_t b_metric, bool paired,
                                double confidence);

#endif
