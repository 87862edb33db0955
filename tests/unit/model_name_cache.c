/* The name cache against its rules: lifetime, number of entries, the oldest makes room. */
#include "tests/support/check.h"
#include "vdisim/name_cache.h"

static void entries_are_fresh_for_their_lifetime(void **state)
{
    (void)state;
    const struct name_cache_settings settings = {10, 4};
    struct name_cache cache;
    assert_true(name_cache_init(&cache, &settings));
    assert_false(name_cache_knows(&cache, 7, 0));
    name_cache_put(&cache, 7, 100);
    assert_true(name_cache_knows(&cache, 7, 109));
    assert_false(name_cache_knows(&cache, 7, 110));
    name_cache_put(&cache, 7, 110);
    assert_true(name_cache_knows(&cache, 7, 119));
    name_cache_release(&cache);
}

static void the_oldest_makes_room(void **state)
{
    (void)state;
    const struct name_cache_settings settings = {1000, 3};
    struct name_cache cache;
    assert_true(name_cache_init(&cache, &settings));
    for (uint64_t path = 1; path <= 4; path++)
        name_cache_put(&cache, path, 0);
    assert_false(name_cache_knows(&cache, 1, 1));
    for (uint64_t path = 2; path <= 4; path++)
        assert_true(name_cache_knows(&cache, path, 1));
    name_cache_release(&cache);
}

static void a_lifetime_of_zero_is_off(void **state)
{
    (void)state;
    const struct name_cache_settings settings = {0, 3};
    struct name_cache cache;
    assert_true(name_cache_init(&cache, &settings));
    name_cache_put(&cache, 1, 5);
    assert_false(name_cache_knows(&cache, 1, 5));
    name_cache_release(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_fresh_for_their_lifetime),
        cmocka_unit_test(the_oldest_makes_room),
        cmocka_unit_test(a_lifetime_of_zero_is_off),
    };
    return RUN_TESTS(tests);
}
