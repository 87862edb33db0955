/* Designs: strata, trajectories, and elementary effects of functions whose effects are known. */
#include "tests/support/check.h"

#include "vdisim/design.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void hypercube_has_one_point_in_each_stratum(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 7, 50, 4096};
    static double column[4096];
    static bool taken[4096];
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        sim_design_latin_hypercube(3, "size", sizes[s], column, 1);
        memset(taken, 0, sizeof taken);
        for (size_t i = 0; i < sizes[s]; i++) {
            assert_true(column[i] > 0 && column[i] < 1);
            size_t stratum = (size_t)(column[i] * (double)sizes[s]);
            assert_false(taken[stratum]);
            taken[stratum] = true;
        }
    }
}

static void inputs_are_independent_of_each_other(void **state)
{
    (void)state;
    enum { POINTS = 2000 };
    static double alone[POINTS], other[POINTS], matrix[POINTS][3];
    sim_design_latin_hypercube(1, "size", POINTS, alone, 1);
    sim_design_latin_hypercube(1, "users", POINTS, other, 1);
    sim_design_latin_hypercube(1, "size", POINTS, &matrix[0][1], 3);
    double product = 0, place = 0;
    for (size_t i = 0; i < POINTS; i++) {
        assert_true(alone[i] == matrix[i][1]);
        product += (alone[i] - 0.5) * (other[i] - 0.5);
        double a = alone[i] * POINTS, b = other[i] * POINTS;
        place += (a - floor(a) - 0.5) * (b - floor(b) - 0.5);
    }
    assert_near(12 * product / POINTS, 0, 4 / sqrt(POINTS)); /* correlations, of order and within strata */
    assert_near(12 * place / POINTS, 0, 4 / sqrt(POINTS));
    sim_design_latin_hypercube(2, "size", POINTS, other, 1);
    assert_false(memcmp(alone, other, sizeof alone) == 0);
}

static void random_designs_grow_without_moving(void **state)
{
    (void)state;
    double few[10], many[100], sum = 0;
    sim_design_random(1, "size", 10, few, 1);
    sim_design_random(1, "size", 100, many, 1);
    assert_memory_equal(few, many, sizeof few);
    for (size_t i = 0; i < 100; i++)
        sum += many[i];
    assert_near(sum / 100, 0.5, 4 * sqrt(1.0 / 12 / 100));
}

struct screening {
    struct sim_morris design;
    double *points, *outputs, *effects;
};

static struct screening screen(size_t inputs, size_t trajectories, size_t levels,
                               double (*function)(const double *x, size_t inputs))
{
    struct screening screening = {
        .design = {.inputs = inputs, .trajectories = trajectories, .levels = levels}};
    size_t count = sim_morris_point_count(&screening.design);
    assert_int_equal(count, trajectories * (inputs + 1));
    screening.points = malloc(count * inputs * sizeof(double));
    screening.outputs = malloc(count * sizeof(double));
    screening.effects = malloc(inputs * trajectories * sizeof(double));
    sim_morris_points(&screening.design, 1, screening.points);
    for (size_t i = 0; i < count; i++)
        screening.outputs[i] = function(&screening.points[i * inputs], inputs);
    sim_morris_effects(&screening.design, screening.points, screening.outputs, screening.effects);
    return screening;
}

static struct sim_effect effect(const struct screening *screening, size_t input)
{
    size_t trajectories = screening->design.trajectories;
    return sim_effect_of(&screening->effects[input * trajectories], trajectories, 0.95);
}

static void discard(struct screening *screening)
{
    free(screening->points);
    free(screening->outputs);
    free(screening->effects);
}

static double linear(const double *x, size_t inputs)
{
    double sum = 7;
    for (size_t i = 0; i < inputs; i++)
        sum += (i % 2 == 0 ? 1.0 : -1.0) * (double)i * x[i];
    return sum;
}

static void trajectories_move_each_input_once(void **state)
{
    (void)state;
    static const size_t levels[] = {2, 4, 10};
    for (size_t l = 0; l < 3; l++) {
        struct screening it = screen(6, 400, levels[l], linear);
        double last = (double)(levels[l] - 1), delta = sim_morris_delta(&it.design);
        size_t visits[10] = {0}, ups = 0, first_is_0 = 0;
        assert_near(delta, (double)levels[l] / (2 * last), 1e-15);
        for (size_t t = 0; t < 400; t++) {
            bool moved[6] = {false};
            for (size_t step = 0; step < 6; step++) {
                const double *from = &it.points[(t * 7 + step) * 6], *to = from + 6;
                size_t movers = 0;
                for (size_t i = 0; i < 6; i++) {
                    assert_near(from[i] * last, nearbyint(from[i] * last), 1e-12);
                    assert_between(to[i], 0.0, 1.0);
                    if (from[i] == to[i])
                        continue;
                    movers++;
                    assert_false(moved[i]);
                    moved[i] = true;
                    assert_near(fabs(to[i] - from[i]), delta, 1e-12);
                    ups += to[i] > from[i];
                    visits[(size_t)nearbyint(from[i] * last)]++;
                    first_is_0 += step == 0 && i == 0;
                }
                assert_int_equal(movers, 1);
            }
        }
        assert_between((double)ups / 2400, 0.46, 0.54);
        assert_near((double)first_is_0, 400 / 6.0, 4 * sqrt(400 / 6.0));
        for (size_t i = 0; i < levels[l]; i++)
            assert_near((double)visits[i], 2400.0 / (double)levels[l], 5 * sqrt(2400.0 / (double)levels[l]));
        discard(&it);
    }
}

static void more_trajectories_keep_the_first(void **state)
{
    (void)state;
    struct screening few = screen(5, 3, 4, linear), many = screen(5, 9, 4, linear);
    assert_memory_equal(few.points, many.points, 3 * 6 * 5 * sizeof(double));
    assert_memory_not_equal(many.points, many.points + 6 * 5, 6 * 5 * sizeof(double));
    discard(&few);
    discard(&many);
}

static void effects_of_a_line_are_its_slopes(void **state)
{
    (void)state;
    struct screening it = screen(6, 10, 4, linear);
    for (size_t i = 0; i < 6; i++) {
        struct sim_effect of = effect(&it, i);
        double slope = i % 2 == 0 ? (double)i : -(double)i;
        assert_int_equal(of.count, 10);
        assert_near(of.mu, slope, 1e-12);
        assert_near(of.mu_star, (double)i, 1e-12);
        assert_near(of.sigma, 0, 1e-12);
        assert_near(of.mu_star_error, 0, 1e-12);
    }
    discard(&it);
    it = screen(1, 10, 2, linear);
    assert_near(effect(&it, 0).mu, 0, 1e-12);
    discard(&it);
}

/* x0 squared; the product of x1 and x2 about their middles: an effect that changes its sign. */
static double curved(const double *x, size_t inputs)
{
    (void)inputs;
    return x[0] * x[0] + 12 * (x[1] - 0.5) * (x[2] - 0.5);
}

static void curvature_and_interaction_show_in_sigma(void **state)
{
    (void)state;
    struct screening it = screen(3, 1000, 4, curved);
    struct sim_effect square = effect(&it, 0), product = effect(&it, 1);
    /* Between levels 0 and 2/3 the effect is 2/3, between 1/3 and 1 it is 4/3. */
    assert_near(square.mu, 1, 4 * (1.0 / 3) / sqrt(1000));
    assert_near(square.sigma, 1.0 / 3, 0.01);
    /* 12 (x2 - 1/2) at levels 0, 1/3, 2/3, 1: -6, -2, 2, 6. */
    assert_near(product.mu, 0, 4 * sqrt(20) / sqrt(1000));
    assert_near(product.sigma, sqrt(20), 0.2);
    assert_near(product.mu_star, 4, 4 * 2 / sqrt(1000));
    assert_near(product.mu_star_error, 2 / sqrt(1000), 0.002);
    assert_near((product.interval.high - product.interval.low) / 2, 1.96 * 2 / sqrt(1000), 0.005);
    assert_near(product.interval.estimate, product.mu_star, 1e-12);
    discard(&it);
}

/* The test function of Morris (1991), section 5, its random coefficients as usual replaced by (-1)^i and
 * (-1)^(i + j). */
static double morris_function(const double *x, size_t inputs)
{
    double w[21], y = 0;
    assert_int_equal(inputs, 20);
    for (int i = 1; i <= 20; i++) {
        bool is_curved = i == 3 || i == 5 || i == 7;
        w[i] = 2 * ((is_curved ? 1.1 * x[i - 1] / (x[i - 1] + 0.1) : x[i - 1]) - 0.5);
    }
    for (int i = 1; i <= 20; i++)
        y += (i <= 10 ? 20.0 : i % 2 == 0 ? 1.0 : -1.0) * w[i];
    for (int i = 1; i <= 20; i++)
        for (int j = i + 1; j <= 20; j++)
            y += (j <= 6 ? -15.0 : (i + j) % 2 == 0 ? 1.0 : -1.0) * w[i] * w[j];
    for (int i = 1; i <= 5; i++)
        for (int j = i + 1; j <= 5; j++)
            for (int l = j + 1; l <= 5; l++)
                y += -10 * w[i] * w[j] * w[l];
    return y + 5 * w[1] * w[2] * w[3] * w[4];
}

/* Inputs 1 to 10 matter, 8 to 10 by themselves, 1 to 7 by curvature or interaction; 11 to 20 do not. */
static void morris_groups_are_found(void **state)
{
    (void)state;
    struct screening it = screen(20, 50, 4, morris_function);
    double least_important = INFINITY, most_idle = 0, least_bent = INFINITY, most_straight = 0;
    for (size_t i = 0; i < 20; i++) {
        struct sim_effect of = effect(&it, i);
        if (i < 10)
            least_important = fmin(least_important, of.mu_star);
        else
            most_idle = fmax(most_idle, of.mu_star);
        if (i < 7)
            least_bent = fmin(least_bent, of.sigma);
        else if (i < 10)
            most_straight = fmax(most_straight, of.sigma);
        if (i >= 7 && i < 10)
            assert_near(of.mu, 40, 5);
    }
    assert_true(least_important > 3 * most_idle);
    assert_true(least_bent > 2 * most_straight);
    discard(&it);
}

static void what_failed_is_left_out(void **state)
{
    (void)state;
    static const double effects[] = {NAN, 2, -4, NAN}, none[] = {NAN, NAN};
    struct sim_effect of = sim_effect_of(effects, 4, 0.95);
    assert_int_equal(of.count, 2);
    assert_near(of.mu, -1, 1e-12);
    assert_near(of.mu_star, 3, 1e-12);
    assert_near(of.sigma, sqrt(18), 1e-12);
    assert_near(of.mu_star_error, 1, 1e-12);
    assert_true(of.interval.low == 0); /* t of one degree of freedom is 12.7 */
    assert_near(of.interval.high, 3 + 12.7062, 1e-3);
    of = sim_effect_of(none, 2, 0.95);
    assert_int_equal(of.count, 0);
    assert_true(isnan(of.mu) && isnan(of.mu_star) && isnan(of.sigma) && isnan(of.mu_star_error));
    of = sim_effect_of(effects, 2, 0.95);
    assert_int_equal(of.count, 1);
    assert_true(of.mu == 2 && isnan(of.sigma) && isinf(of.interval.high));

    struct screening it = screen(2, 2, 4, linear);
    it.outputs[1] = INFINITY; /* both effects of the first trajectory */
    sim_morris_effects(&it.design, it.points, it.outputs, it.effects);
    assert_int_equal(effect(&it, 0).count, 1);
    assert_int_equal(effect(&it, 1).count, 1);
    discard(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hypercube_has_one_point_in_each_stratum),
        cmocka_unit_test(inputs_are_independent_of_each_other),
        cmocka_unit_test(random_designs_grow_without_moving),
        cmocka_unit_test(trajectories_move_each_input_once),
        cmocka_unit_test(more_trajectories_keep_the_first),
        cmocka_unit_test(effects_of_a_line_are_its_slopes),
        cmocka_unit_test(curvature_and_interaction_show_in_sigma),
        cmocka_unit_test(morris_groups_are_found),
        cmocka_unit_test(what_failed_is_left_out),
    };
    return RUN_TESTS(tests);
}
