/* The boundaries of the procedure KN by hand. Its probability of a correct selection: tests/theory/selection.c. */
#include "tests/support/check.h"
#include "vdisim/selection.h"

#include <stdlib.h>

enum { N0 = 10, MOST = 200 };

/* The equation of the paper for c = 1, g(eta) = (1 + 2 eta)^(-(n0 - 1) / 2) / 2 = alpha / (k - 1), by bisection. */
static double h2_of_the_paper(size_t systems, size_t first_stage, double alpha)
{
    const double degrees = (double)first_stage - 1.0;
    double low = 0.0, high = 1e6;
    for (int i = 0; i < 200; i++) {
        const double eta = 0.5 * (low + high);
        if (0.5 * pow(1.0 + 2.0 * eta, -0.5 * degrees) > alpha / ((double)systems - 1.0))
            low = eta;
        else
            high = eta;
    }
    return 2.0 * low * degrees;
}

/* Swings by +-1 about the mean: the variance of the difference to a system that stands still is n0 / (n0 - 1). */
static void swing(double *values, double mean)
{
    for (int r = 0; r < MOST; r++)
        values[r] = mean + (r % 2 ? 1.0 : -1.0);
}

static void stand(double *values, double mean)
{
    for (int r = 0; r < MOST; r++)
        values[r] = mean;
}

/* The lead at which the other is eliminated, at this number of replications of k systems, found by trying: two are
 * compared, the others are far off. */
static double lead_that_decides(size_t systems, double confidence, double delta, size_t replications)
{
    double low = 0.0, high = 100.0;
    double(*values)[MOST] = calloc(systems, sizeof *values);
    const double **rows = calloc(systems, sizeof *rows);
    for (int i = 0; i < 60; i++) {
        const double lead = 0.5 * (low + high);
        for (size_t k = 0; k < systems; k++) {
            stand(values[k], -1000.0);
            rows[k] = values[k];
        }
        swing(values[0], 0.0);
        stand(values[1], lead);
        struct sim_selection s;
        assert_true(sim_selection_init(&s, systems, N0, confidence, delta, false));
        const size_t alive = sim_selection_screen(&s, rows, replications);
        if (alive == 1) {
            assert_int_equal(sim_selection_best(&s), 1);
            high = lead;
        } else {
            assert_int_equal(alive, 2);
            low = lead;
        }
        sim_selection_release(&s);
    }
    free(values);
    free(rows);
    return high;
}

static void boundary(void **state)
{
    (void)state;
    const double s2 = (double)N0 / (N0 - 1);
    const size_t systems[] = {2, 3, 10};
    const double confidences[] = {.9, .95, .99}, deltas[] = {.3, .5, 1.0};
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++)
                for (size_t r = N0; r <= MOST; r += 38) {
                    const double delta = deltas[d];
                    const double h2 = h2_of_the_paper(systems[k], N0, 1.0 - confidences[c]);
                    const double w =
                        fmax(0.0, delta / (2.0 * (double)r) * (h2 * s2 / (delta * delta) - (double)r));
                    assert_near(lead_that_decides(systems[k], confidences[c], delta, r), w, 1e-9);
                }
}

/* k = 2, n0 = 10, alpha = 5 %: eta = (10^(2/9) - 1) / 2 = 0.334056, h2 = 6.0130; S2 = 10 / 9, delta = 0.5: the end is
 * at 26.72. */
static void at_most_so_many(void **state)
{
    (void)state;
    double swinging[MOST], standing[MOST];
    const double *const rows[] = {swinging, standing};
    swing(swinging, 0.0);
    stand(standing, 0.0);
    struct sim_selection s;
    assert_true(sim_selection_init(&s, 2, N0, .95, .5, true));
    assert_int_equal(sim_selection_screen(&s, rows, N0), 2);
    assert_int_equal(s.at_most, 27);
    assert_int_equal(sim_selection_screen(&s, rows, 26), 2);
    assert_int_equal(s.at_most, 27);
    assert_int_equal(sim_selection_screen(&s, rows, 27), 1);
    assert_int_equal(s.at_most, 27);
    sim_selection_release(&s);
}

/* The variance is that of the first stage, whatever comes later; and what was eliminated is not read. */
static void later_values_do_not_tell_the_variance(void **state)
{
    (void)state;
    double first[MOST], second[MOST], third[N0];
    const double *const rows[] = {first, second, third};
    swing(first, 0.0);
    stand(second, 0.0);
    for (int r = 0; r < N0; r++)
        third[r] = 1000.0;
    for (int r = N0; r < MOST; r++)
        first[r] = r % 2 ? 50.0 : -50.0;
    struct sim_selection s;
    assert_true(sim_selection_init(&s, 3, N0, .95, 1.0, true));
    /* h2 = 8.513, times 10 / 9: ends at 9.46 */
    assert_int_equal(sim_selection_screen(&s, rows, N0), 1);
    assert_false(s.alive[2]);
    sim_selection_release(&s);
    assert_true(sim_selection_init(&s, 3, N0, .95, .5, true));
    assert_int_equal(sim_selection_screen(&s, rows, N0), 2);
    assert_int_equal(s.at_most, 38); /* 37.84 */
    assert_int_equal(sim_selection_screen(&s, rows, 38), 1);
    sim_selection_release(&s);
}

/* One alone; systems that are the same, of which the first is kept; a difference without noise. */
static void decided_at_once(void **state)
{
    (void)state;
    double a[MOST], b[MOST], c[MOST];
    const double *const rows[] = {a, b, c};
    swing(a, 1.0);
    swing(b, 1.0);
    swing(c, 1.0);
    struct sim_selection s;
    assert_true(sim_selection_init(&s, 1, 2, .95, .5, true));
    assert_int_equal(sim_selection_screen(&s, rows, 2), 1);
    assert_int_equal(sim_selection_best(&s), 0);
    sim_selection_release(&s);
    assert_true(sim_selection_init(&s, 3, N0, .95, .5, true));
    assert_int_equal(sim_selection_screen(&s, rows, N0), 1);
    assert_int_equal(sim_selection_best(&s), 0);
    assert_int_equal(sim_selection_screen(&s, rows, N0 + 5), 1);
    sim_selection_release(&s);
    swing(b, 1.5);
    swing(c, 0.5);
    for (int smallest = 0; smallest < 2; smallest++) {
        assert_true(sim_selection_init(&s, 3, N0, .95, 10.0, smallest));
        assert_int_equal(sim_selection_screen(&s, rows, N0), 1);
        assert_int_equal(sim_selection_best(&s), smallest ? 2 : 1);
        sim_selection_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundary),
        cmocka_unit_test(at_most_so_many),
        cmocka_unit_test(later_values_do_not_tell_the_variance),
        cmocka_unit_test(decided_at_once),
    };
    return RUN_TESTS(tests);
}
