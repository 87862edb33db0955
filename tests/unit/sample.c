/* Two samples side by side: which cells go together, pairing, what is compared, lower bounds; what a name means. */
#include "sim/experiment/compare/compare.h"

#include "tests/support/made_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const sizes[] = {"1 TiB", "5 TiB", "10 TiB", NULL};
static const char *const load[] = {"profile_load.mean s", "odd.metric", NULL};

/* Three cells of four runs: the second is 1 s, the third 2 s shorter than the first; runs differ by 3 s. */
static const double values[] = {
    10,   1, 13,    1, 16,    1, 19,    1, /* 1 TiB */
    9.05, 1, 11.95, 1, 15.05, 1, 17.95, 2, /* 5 TiB */
    8,    1, 11,    1, 14,    1, 17,    1, /* 10 TiB */
};

static struct compare *compare(const struct sample *a, const struct sample *b, struct compare_request request,
                               char *message)
{
    request.confidence = 0.95;
    return compare_create(a, b, &request, message);
}

/* The cell of one value against that of another. */
static struct compare_request cells(const char *const *a, const char *const *b)
{
    return (struct compare_request){.a_values = a, .b_values = b, .a_value_count = 1, .b_value_count = 1};
}

static struct compare_request with_smallest(const char *const *a, const char *const *b,
                                            const char *const *smallest)
{
    struct compare_request request = cells(a, b);
    request.smallest = smallest;
    request.smallest_count = 1;
    return request;
}

static struct compare_request with_metric(const char *const *a, const char *const *b,
                                          const char *const *metric)
{
    struct compare_request request = cells(a, b);
    request.metrics = metric;
    request.metric_count = 1;
    return request;
}

static char *text_of(const struct compare *it)
{
    char *text = NULL;
    size_t size = 0;
    struct writer writer = {.file = open_memstream(&text, &size)};
    assert_true(compare_print(it, &writer, &(struct text_style){0}));
    fclose(writer.file);
    return text;
}

static void assert_in(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("not said: %s\nin:\n%s", part, text);
}

static void cells_of_one_result(void **state)
{
    (void)state;
    char message[SAMPLE_MESSAGE_SIZE];
    struct sample *a = make_sample("one", 1, sizes, load, 4, values, false);
    const char *const first[] = {"size=1 TiB"}, *const third[] = {"stores.p.size=10 TiB"};
    struct compare *it = compare(a, a, cells(first, third), message);
    assert_non_null(it);
    assert_int_equal(it->pair_count, 1);
    assert_int_equal(it->row_count, 1);
    assert_true(it->paired);
    assert_near(it->rows[0].difference.value, -2, 1e-12);
    assert_int_equal(it->rows[0].verdict, DIFFERENCE_SMALLER);
    char *text = text_of(it);
    assert_in(text, "A: one, size=1 TiB");
    assert_in(text, "B is 2 s shorter (14 %)");
    free(text);
    compare_destroy(it);

    static const struct {
        const char *choice, *complaint;
    } wrong[] = {
        {"sise=1 TiB", "does not vary 'sise'. Did you mean size?"},
        {"size=7 TiB", "stores.p.size has no value '7 TiB' in one; it has 1 TiB, 5 TiB, 10 TiB"},
        {"ze=1 TiB", "does not vary 'ze'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_null(compare(a, a, cells(&wrong[i].choice, third), message));
        assert_in(message, wrong[i].complaint);
    }
    sample_destroy(a);
}

static void cells_by_their_values(void **state)
{
    (void)state;
    char message[SAMPLE_MESSAGE_SIZE];
    const char *const other_sizes[] = {"10 TiB", "20 TiB", "5 TiB", NULL};
    struct sample *a = make_sample("one", 1, sizes, load, 4, values, false);
    struct sample *b = make_sample("two", 1, other_sizes, load, 4, values, false);
    struct compare *it = compare(a, b, (struct compare_request){0}, message);
    assert_non_null(it);
    assert_int_equal(it->pair_count, 2);
    assert_int_equal(it->pairs[0].a_cell, 1);
    assert_int_equal(it->pairs[0].b_cell, 2);
    assert_int_equal(it->pairs[1].a_cell, 2);
    assert_int_equal(it->pairs[1].b_cell, 0);
    assert_int_equal(it->a_alone_count, 1);
    assert_string_equal(it->a_alone[0], "1 TiB");
    assert_string_equal(it->b_alone[0], "20 TiB");
    compare_destroy(it);

    const char *const strangers[] = {"3 TiB", "4 TiB", NULL};
    struct sample *c = make_sample("three", 1, strangers, load, 4, values, false);
    assert_null(compare(a, c, (struct compare_request){0}, message));
    assert_in(message, "no cell of A has the values of a cell of B");
    sample_destroy(a);
    sample_destroy(b);
    sample_destroy(c);
}

static void other_seeds_are_not_paired(void **state)
{
    (void)state;
    char message[SAMPLE_MESSAGE_SIZE];
    double moved[sizeof values / sizeof values[0]];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        moved[i] = values[i] + (i % 2 == 0 ? 1 : 0);
    struct sample *a = make_sample("one", 1, sizes, load, 4, values, false);
    struct sample *b = make_sample("two", 2, sizes, load, 4, moved, false);
    struct compare *apart = compare(a, b, (struct compare_request){0}, message);
    b->seed = 1;
    struct compare *paired = compare(a, b, (struct compare_request){0}, message);
    assert_false(apart->paired);
    /* 1 s among runs that differ by 3 s is seen in pairs only. */
    assert_int_equal(apart->rows[0].verdict, DIFFERENCE_NONE_FOUND);
    assert_int_equal(paired->rows[0].verdict, DIFFERENCE_LARGER);
    char *text = text_of(apart);
    assert_in(text, "so the runs are not paired");
    free(text);
    b->generator = "another";
    struct compare *generators = compare(a, b, (struct compare_request){0}, message);
    assert_false(generators->paired);
    compare_destroy(generators);
    compare_destroy(apart);
    compare_destroy(paired);
    sample_destroy(a);
    sample_destroy(b);
}

/* B has fewer replications and a run without a value: two pairs are left. */
static void pairs_of_what_both_have(void **state)
{
    (void)state;
    char message[SAMPLE_MESSAGE_SIZE];
    const char *const one_size[] = {"1 TiB", NULL};
    const double fewer[] = {11, 1, NAN, 1, 18, 1};
    struct sample *a = make_sample("one", 1, one_size, load, 4, values, false);
    struct sample *b = make_sample("two", 1, one_size, load, 3, fewer, false);
    struct compare *it = compare(a, b, (struct compare_request){0}, message);
    assert_int_equal(it->rows[0].difference.a_count, 2);
    assert_near(it->rows[0].difference.a, 13, 1e-12);
    assert_near(it->rows[0].difference.value, 1.5, 1e-12);
    compare_destroy(it);
    sample_destroy(a);
    sample_destroy(b);
}

static void what_is_compared(void **state)
{
    (void)state;
    char message[SAMPLE_MESSAGE_SIZE];
    struct sample *a = make_sample("one", 1, sizes, load, 4, values, false);
    const char *const first[] = {"size=1 TiB"}, *const second[] = {"size=5 TiB"};
    const char *const odd[] = {"odd.metric"}, *const mistyped[] = {"profile_load.men"};
    struct compare_request all = cells(first, second);
    all.all = true;
    struct compare *it = compare(a, a, all, message);
    assert_int_equal(it->row_count, 2);
    assert_int_equal(it->tested, 2);
    /* Holm: of two, the smaller p-value doubled, the larger as it is. */
    assert_true(it->rows[0].difference.p > 0 && it->rows[0].difference.p < 0.01);
    assert_near_relative(it->rows[0].p_adjusted, 2 * it->rows[0].difference.p, 1e-12);
    assert_near_relative(it->rows[1].p_adjusted, it->rows[1].difference.p, 1e-12);
    compare_destroy(it);
    it = compare(a, a, with_metric(first, second, odd), message);
    assert_int_equal(it->row_count, 1);
    compare_destroy(it);
    assert_null(compare(a, a, with_metric(first, second, mistyped), message));
    assert_in(message, "Did you mean profile_load.mean?");
    sample_destroy(a);
}

static void what_matters(void **state)
{
    (void)state;
    char message[SAMPLE_MESSAGE_SIZE];
    struct sample *a = make_sample("one", 1, sizes, load, 4, values, false);
    const char *const first[] = {"size=1 TiB"}, *const second[] = {"size=5 TiB"};
    static const struct {
        const char *smallest;
        enum difference_verdict verdict;
    } cases[] = {
        {"0.5s", DIFFERENCE_SMALLER},   {"500 ms", DIFFERENCE_SMALLER},
        {"2 s", DIFFERENCE_NEGLIGIBLE}, {"5 %", DIFFERENCE_SMALLER}, /* 1 s of 14.5 */
        {"10%", DIFFERENCE_NEGLIGIBLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct compare *it = compare(a, a, with_smallest(first, second, &cases[i].smallest), message);
        assert_non_null(it);
        assert_int_equal(it->rows[0].verdict, cases[i].verdict);
        compare_destroy(it);
    }
    const char *const wrong[] = {"0.5", "5 GiB", "fast", "-1 s"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_null(compare(a, a, with_smallest(first, second, &wrong[i]), message));
    sample_destroy(a);
}

/* Of 1,000 logons 400 have not finished in B: its mean is that of the fastest. */
static void lower_bounds(void **state)
{
    (void)state;
    char message[SAMPLE_MESSAGE_SIZE];
    const char *const two_sizes[] = {"1 TiB", "5 TiB", NULL};
    const char *const metrics[] = {"profile_load.mean s", "logons.finished", "logons.unfinished", NULL};
    const double counts[] = {7, 1000, 0, 8, 1000, 0, 600, 600, 400, 610, 600, 400};
    struct sample *a = make_sample("one", 1, two_sizes, metrics, 2, counts, false);
    const char *const first[] = {"size=1 TiB"}, *const second[] = {"size=5 TiB"};
    struct compare *it = compare(a, a, cells(first, second), message);
    assert_false(it->rows[0].a_is_bound);
    assert_true(it->rows[0].b_is_bound);
    assert_int_equal(it->rows[0].verdict, DIFFERENCE_NOT_JUDGED);
    assert_true(isnan(it->rows[0].p_adjusted));
    char *text = text_of(it);
    assert_in(text, ">605");
    assert_in(text, "logons of B unfinished");
    free(text);
    compare_destroy(it);
    sample_destroy(a);
}

static void labels_and_values(void **state)
{
    (void)state;
    assert_true(sample_value_is("azure-files/premium", "premium"));
    assert_true(sample_value_is("azure-files/premium", "azure-files/premium"));
    assert_true(sample_value_is("20000", "20,000"));
    assert_true(sample_value_is("true", "on"));
    assert_false(sample_value_is("azure-files/premium", "remium"));

    struct sample *sample = sample_create("x");
    struct assignment assignments[] = {
        {.key = "stores.a.size"}, {.key = "stores.b.size"}, {.key = "run.length"}};
    struct sample_cell cell = {assignments, 3};
    sample->cells = &cell;
    sample->cell_count = 1;
    sample_label(sample);
    assert_string_equal(assignments[0].label, "a.size");
    assert_string_equal(assignments[1].label, "b.size");
    assert_string_equal(assignments[2].label, "length");
    sample_destroy(sample);
}

static void what_a_name_means(void **state)
{
    (void)state;
    char file[] = "/tmp/vdisim-sample-XXXXXX", name[64];
    int descriptor = mkstemp(file);
    char *path;
    int64_t id;
    assert_int_equal(write(descriptor, "SQLite format 3\0etc", 19), 19);
    close(descriptor);
    snprintf(name, sizeof name, "%s:12", file);
    assert_int_equal(sample_source_of(name, &path, &id), SAMPLE_ARCHIVE);
    assert_string_equal(path, file);
    assert_int_equal(id, 12);
    free(path);
    assert_int_equal(sample_source_of(file, &path, &id), SAMPLE_ARCHIVE);
    assert_int_equal(id, 0);
    free(path);
    snprintf(name, sizeof name, "%s:x", file);
    assert_int_equal(sample_source_of(name, &path, &id), SAMPLE_UNREADABLE);
    assert_null(path);
    assert_int_equal(sample_source_of("/tmp", &path, &id), SAMPLE_FOLDER);
    assert_int_equal(sample_source_of(__FILE__ "x", &path, &id), SAMPLE_UNREADABLE);
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_one_result),
        cmocka_unit_test(cells_by_their_values),
        cmocka_unit_test(other_seeds_are_not_paired),
        cmocka_unit_test(pairs_of_what_both_have),
        cmocka_unit_test(what_is_compared),
        cmocka_unit_test(what_matters),
        cmocka_unit_test(lower_bounds),
        cmocka_unit_test(labels_and_values),
        cmocka_unit_test(what_a_name_means),
    };
    return RUN_TESTS(tests);
}
