/* The cache of a disk controller: nothing is lost, room is never exceeded, whole rows go first, clean pages give way. */
#include "models/block/controller_cache.h"
#include "tests/support/check.h"
#include "vdisim/random.h"

#include <stdlib.h>
#include <string.h>

static int64_t used(const struct controller_cache *cache)
{
    return cache->dirty_pages + cache->going_pages + cache->clean_pages;
}

/* Sends a row to the disks at once; returns its pages, and how many runs they made. */
static uint32_t destage(struct controller_cache *cache, struct cache_row *row, unsigned *runs)
{
    uint32_t page, pages, sum = 0;
    *runs = 0;
    while (controller_cache_next_run(cache, row, &page, &pages)) {
        sum += pages;
        ++*runs;
    }
    controller_cache_destaged(cache, row);
    return sum;
}

static void nothing_is_lost(void **state)
{
    (void)state;
    enum { VOLUME = 3000, CAPACITY = 700, ROW = 48, WAYS = 4 };
    struct controller_cache cache;
    assert_true(controller_cache_init(&cache, CAPACITY, ROW));
    struct sim_random choices;
    sim_random_init(&choices, 1, 0, "trace");
    struct cache_row *going[WAYS] = {NULL};
    uint64_t taken = 0, destaged = 0, refused = 0;
    for (int step = 0; step < 200000; step++) {
        const uint32_t pages = 1 + (uint32_t)sim_random_below(&choices, 20);
        const uint32_t page = (uint32_t)sim_random_below(&choices, VOLUME - pages);
        struct cache_row **way = &going[sim_random_below(&choices, WAYS)];
        switch (sim_random_below(&choices, 3)) {
        case 0:
            if (controller_cache_write(&cache, page, pages) == CACHE_TAKEN) {
                taken += pages;
                assert_true(controller_cache_has(&cache, page, pages));
            } else {
                refused++;
            }
            break;
        case 1:
            controller_cache_keep(&cache, page, pages);
            break;
        default:
            if (*way == NULL) {
                *way = controller_cache_next(&cache, step % 2 == 0);
            } else {
                unsigned runs;
                destaged += destage(&cache, *way, &runs);
                *way = NULL;
            }
        }
        assert_true(used(&cache) <= CAPACITY);
        assert_int_equal(taken, cache.overwritten_pages + destaged + (uint64_t)cache.dirty_pages +
                                    (uint64_t)cache.going_pages);
    }
    assert_true(refused > 0 && destaged > 100000);
    for (int way = 0; way < WAYS; way++) {
        unsigned runs;
        if (going[way] != NULL)
            destage(&cache, going[way], &runs);
    }
    for (struct cache_row *row; (row = controller_cache_next(&cache, true)) != NULL;) {
        unsigned runs;
        destage(&cache, row, &runs);
    }
    assert_int_equal(cache.dirty_pages + cache.going_pages, 0);
    controller_cache_release(&cache);
}

static void whole_rows_go_first_and_at_once(void **state)
{
    (void)state;
    struct controller_cache cache;
    assert_true(controller_cache_init(&cache, 1000, 10));
    unsigned runs;
    assert_int_equal(controller_cache_write(&cache, 3, 2), CACHE_TAKEN);
    assert_null(controller_cache_next(&cache, false));
    for (uint32_t page = 20; page < 30; page += 2)
        controller_cache_write(&cache, page, 1);
    for (uint32_t page = 21; page < 30; page += 2)
        controller_cache_write(&cache, page, 1);
    struct cache_row *row = controller_cache_next(&cache, false);
    assert_non_null(row);
    assert_int_equal(destage(&cache, row, &runs), 10);
    assert_int_equal(runs, 1);
    assert_null(controller_cache_next(&cache, false));
    row = controller_cache_next(&cache, true); /* somebody waits: the oldest */
    assert_int_equal(destage(&cache, row, &runs), 2);
    assert_true(controller_cache_has(&cache, 3, 2)); /* clean now, and still there */
    controller_cache_release(&cache);
}

static void a_page_written_on_its_way_is_written_twice(void **state)
{
    (void)state;
    struct controller_cache cache;
    assert_true(controller_cache_init(&cache, 1000, 10));
    unsigned runs;
    controller_cache_write(&cache, 0, 4);
    struct cache_row *row = controller_cache_next(&cache, true);
    controller_cache_write(&cache, 2, 1);
    assert_int_equal(used(&cache), 5);
    assert_null(controller_cache_next(&cache, true)); /* the row is on its way */
    assert_int_equal(destage(&cache, row, &runs), 4);
    assert_int_equal(cache.dirty_pages, 1);
    assert_int_equal(cache.clean_pages, 3);
    row = controller_cache_next(&cache, true);
    assert_int_equal(destage(&cache, row, &runs), 1);
    assert_int_equal(cache.overwritten_pages, 0);
    controller_cache_release(&cache);
}

static void what_was_used_least_recently_gives_way(void **state)
{
    (void)state;
    struct controller_cache cache;
    assert_true(controller_cache_init(&cache, 30, 10));
    for (uint32_t row = 0; row < 3; row++)
        controller_cache_keep(&cache, 10 * row, 10);
    assert_true(controller_cache_has(&cache, 0, 10));
    controller_cache_write(&cache, 90, 1);
    assert_true(controller_cache_has(&cache, 0, 10));
    assert_false(controller_cache_has(&cache, 10, 1));
    assert_true(controller_cache_has(&cache, 20, 10));
    assert_int_equal(controller_cache_write(&cache, 100, 30), CACHE_FULL);
    assert_int_equal(controller_cache_write(&cache, 100, 29), CACHE_TAKEN);
    assert_false(controller_cache_has(&cache, 0, 1));
    controller_cache_release(&cache);
}

/* Without a whole row the oldest goes when more than half of the cache is dirty, and not before. */
static void rows_that_are_not_whole_go_from_half_full(void **state)
{
    (void)state;
    struct controller_cache cache;
    assert_true(controller_cache_init(&cache, 100, 10));
    unsigned runs;
    for (uint32_t page = 0; page < 50; page++) { /* five of the ten pages of a row */
        assert_null(controller_cache_next(&cache, false));
        controller_cache_write(&cache, 10 * (page / 5) + page % 5, 1);
    }
    assert_null(controller_cache_next(&cache, false));
    controller_cache_write(&cache, 100, 1);
    struct cache_row *row = controller_cache_next(&cache, false);
    assert_non_null(row);
    uint32_t page, pages;
    assert_true(controller_cache_next_run(&cache, row, &page, &pages));
    assert_int_equal(page, 0);
    assert_int_equal(pages, 5);
    assert_null(controller_cache_next(&cache, false)); /* 46 are left; what is on its way is not counted */
    assert_int_equal(destage(&cache, row, &runs), 0);
    controller_cache_release(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(whole_rows_go_first_and_at_once),
        cmocka_unit_test(rows_that_are_not_whole_go_from_half_full),
        cmocka_unit_test(a_page_written_on_its_way_is_written_twice),
        cmocka_unit_test(what_was_used_least_recently_gives_way),
    };
    return RUN_TESTS(tests);
}
