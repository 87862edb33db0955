/* Memory that runs out at every possible moment: reading fails with a message, and what was taken is given
 * back. The linker sends our calls of the allocator through the __wrap functions below. */
#include "tests/support/check.h"
#include "tests/support/open_text.h"

#include <stdlib.h>

static long left = -1; /* allocations until the first that fails; negative: none does */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);

static bool fails(void)
{
    if (left < 0)
        return false;
    if (left == 0)
        return true;
    left--;
    return false;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return fails() ? NULL : __real_realloc(pointer, size);
}

static void reading_survives_every_failure(void **state)
{
    (void)state;
    static const char text[] =
        "experiment: x\nstores: {p: {tier: azure-files/premium, size: 5 TiB}}\nworkloads: {logons: {users: "
        "10}}\n"
        "vary: {workloads.logons.users: [1, 2, 3], stores.p.size: [1 TiB, 2 TiB]}\n"
        "expect: [{metric: profile_load.mean, published: 7.24 s, within: 8 %, where: {users: 2}}]\n";
    struct experiment *experiment = NULL;
    long allocations = 0;
    while (experiment == NULL && allocations < 100000) {
        struct problems *problems = problems_create();
        left = allocations++;
        experiment = open_text(text, NULL, problems);
        bool explained = problems_errors(problems) > 0;
        left = -1;
        assert_true(experiment != NULL || explained);
        problems_destroy(problems);
    }
    assert_int_equal(experiment_cell_count(experiment), 6);
    assert_true(allocations > 5);
    experiment_close(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading_survives_every_failure)};
    return RUN_TESTS(tests);
}
