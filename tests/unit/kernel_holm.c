/* Holm's adjustment by hand, its order, and that it keeps the family's level where single tests do not. */
#include "tests/support/check.h"
#include "vdisim/holm.h"
#include "vdisim/random.h"

static void by_hand(void **state)
{
    (void)state;
    const double p[] = {.01, .04, .03, .005}, expected[] = {.03, .06, .06, .02};
    double adjusted[4];
    assert_true(sim_holm(p, 4, adjusted));
    for (int i = 0; i < 4; i++)
        assert_near(adjusted[i], expected[i], 1e-15);
}

static void capped_and_equal(void **state)
{
    (void)state;
    double p[] = {.9, .5, .5, 1., 0.};
    assert_true(sim_holm(p, 5, p));
    assert_true(p[4] == 0.0);
    for (int i = 0; i < 4; i++)
        assert_true(p[i] == 1.0);
    double one = .049;
    assert_true(sim_holm(&one, 1, &one) && one == .049);
    assert_true(sim_holm(NULL, 0, NULL));
}

/* What could not be tested does not make the others pay. */
static void without_numbers(void **state)
{
    (void)state;
    double p[] = {NAN, .01, NAN, .02, NAN};
    assert_true(sim_holm(p, 5, p));
    assert_true(isnan(p[0]) && isnan(p[2]) && isnan(p[4]));
    assert_near(p[1], .02, 1e-15);
    assert_near(p[3], .02, 1e-15);
    double none[] = {NAN, NAN};
    assert_true(sim_holm(none, 2, none) && isnan(none[0]) && isnan(none[1]));
}

/* 20 true equalities, uniform p-values: any is rejected at 5 % in 5 % of families, and in 64 % unadjusted. */
static void level_of_the_family(void **state)
{
    (void)state;
    enum { FAMILIES = 20000, SIZE = 20 };
    struct sim_random r;
    sim_random_init(&r, 4, 0, "holm");
    int wrong = 0, wrong_singly = 0;
    for (int f = 0; f < FAMILIES; f++) {
        double p[SIZE], adjusted[SIZE];
        int any = 0, any_singly = 0;
        for (int i = 0; i < SIZE; i++)
            p[i] = sim_random_uniform(&r);
        assert_true(sim_holm(p, SIZE, adjusted));
        for (int i = 0; i < SIZE; i++) {
            any |= adjusted[i] <= .05;
            any_singly |= p[i] <= .05;
            for (int j = 0; j < SIZE; j++)
                assert_true(!(p[i] < p[j]) || adjusted[i] <= adjusted[j]);
        }
        wrong += any;
        wrong_singly += any_singly;
    }
    /* 1 - (1 - 0.05 / 20)^20, within 4.5 standard errors */
    assert_near((double)wrong / FAMILIES, 0.0488, 4.5 * 0.00152);
    assert_true((double)wrong_singly > 0.6 * FAMILIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(capped_and_equal),
        cmocka_unit_test(without_numbers),
        cmocka_unit_test(level_of_the_family),
    };
    return RUN_TESTS(tests);
}
