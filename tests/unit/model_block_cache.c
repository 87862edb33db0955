/* The LRU cache of blocks against a reference that is as simple as can be: an array in the order of last use. */
#include "vdisim/block_cache.h"
#include "vdisim/random.h"

#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>

struct key {
    uint32_t file, block;
};

struct reference {
    struct key *keys; /* the most recent first */
    size_t count, capacity;
};

static ptrdiff_t find(const struct reference *reference, struct key key)
{
    for (size_t i = 0; i < reference->count; i++)
        if (reference->keys[i].file == key.file && reference->keys[i].block == key.block)
            return (ptrdiff_t)i;
    return -1;
}

static void take_out(struct reference *reference, size_t index)
{
    memmove(&reference->keys[index], &reference->keys[index + 1],
            (reference->count - index - 1) * sizeof *reference->keys);
    reference->count--;
}

static void put_first(struct reference *reference, struct key key)
{
    const ptrdiff_t index = find(reference, key);
    if (index >= 0)
        take_out(reference, (size_t)index);
    else if (reference->count == reference->capacity)
        reference->count--;
    memmove(&reference->keys[1], &reference->keys[0], reference->count * sizeof *reference->keys);
    reference->keys[0] = key;
    reference->count++;
}

static void drop_file(struct reference *reference, uint32_t file)
{
    for (size_t i = reference->count; i-- > 0;)
        if (reference->keys[i].file == file)
            take_out(reference, i);
}

/* The chain from the most to the least recently used is the reference's order, both ways. */
static void assert_same(const struct block_cache *cache, const struct reference *reference)
{
    assert_int_equal(cache->count, reference->count);
    uint32_t index = cache->newest, newer = UINT32_MAX;
    for (size_t i = 0; i < reference->count; i++) {
        const struct block_cache_entry *entry = &cache->entries[index];
        assert_int_equal(entry->file, reference->keys[i].file);
        assert_int_equal(entry->block, reference->keys[i].block);
        assert_int_equal(entry->newer, newer);
        assert_true(block_cache_holds(cache, entry->file, entry->block));
        newer = index;
        index = entry->older;
    }
    assert_int_equal(index, UINT32_MAX);
    assert_int_equal(cache->oldest, newer);
}

static void trace(size_t capacity, uint32_t files, uint32_t blocks, uint64_t seed)
{
    struct sim_random random;
    sim_random_init(&random, seed, 0, "trace");
    struct block_cache cache;
    block_cache_init(&cache, (int64_t)capacity * 4096 + 4095, 4096);
    assert_int_equal(cache.capacity, capacity);
    struct reference reference = {calloc(capacity + 2, sizeof(struct key)), 0, capacity};
    uint64_t hits = 0, misses = 0;
    for (size_t i = 0; i < 20000; i++) {
        /* Skewed: small block numbers come more often. */
        const double u = sim_random_uniform(&random);
        const struct key key = {(uint32_t)sim_random_below(&random, files), (uint32_t)(u * u * blocks)};
        const uint64_t what = sim_random_below(&random, 1000);
        if (what < 700) {
            const bool held = find(&reference, key) >= 0;
            assert_int_equal(block_cache_use(&cache, key.file, key.block), held);
            if (held)
                put_first(&reference, key);
            hits += held;
            misses += !held;
        }
        if (what >= 300 && what < 997) {
            assert_true(block_cache_put(&cache, key.file, key.block));
            put_first(&reference, key);
        } else if (what == 998) {
            const size_t before = reference.count;
            drop_file(&reference, key.file);
            assert_int_equal(block_cache_drop_file(&cache, key.file), before - reference.count);
        } else if (what == 999 && sim_random_chance(&random, 0.3)) {
            block_cache_clear(&cache);
            reference.count = 0;
        }
        if (i % 97 == 0 || what >= 997)
            assert_same(&cache, &reference);
    }
    assert_same(&cache, &reference);
    assert_int_equal(cache.hits, hits);
    assert_int_equal(cache.misses, misses);
    assert_true(hits > 0 && misses > 0);
    assert_int_equal(block_cache_held_bytes(&cache), (int64_t)reference.count * 4096);
    block_cache_release(&cache);
    free(reference.keys);
}

static void random_traces_are_those_of_the_reference(void **state)
{
    (void)state;
    trace(1, 1, 4, 1);
    trace(2, 3, 4, 2);
    trace(7, 2, 20, 3);
    trace(64, 1, 200, 4);
    trace(65, 5, 60, 5);
    trace(500, 3, 400, 6);
    trace(5000, 4, 900, 7); /* never full */
}

static void the_least_recently_used_goes(void **state)
{
    (void)state;
    struct block_cache cache;
    block_cache_init(&cache, 3 * 65536, 65536);
    for (uint32_t block = 0; block < 3; block++)
        assert_true(block_cache_put(&cache, 9, block));
    assert_true(block_cache_use(&cache, 9, 0));
    assert_true(block_cache_holds(&cache, 9, 1)); /* looking is not using */
    assert_true(block_cache_put(&cache, 9, 3));
    assert_false(block_cache_holds(&cache, 9, 1));
    assert_true(block_cache_holds(&cache, 9, 0));
    assert_int_equal(cache.evictions, 1);
    block_cache_release(&cache);
}

static void a_loop_larger_than_the_cache_never_hits(void **state)
{
    (void)state;
    struct block_cache cache;
    block_cache_init(&cache, 100 * 4096, 4096);
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t block = 0; block < 101; block++)
            if (!block_cache_use(&cache, 0, block))
                assert_true(block_cache_put(&cache, 0, block));
    assert_int_equal(cache.hits, 0);
    block_cache_release(&cache);
}

static void no_room_holds_nothing(void **state)
{
    (void)state;
    struct block_cache cache;
    block_cache_init(&cache, 4095, 4096);
    assert_true(block_cache_put(&cache, 1, 1));
    assert_false(block_cache_use(&cache, 1, 1));
    assert_false(block_cache_holds(&cache, 1, 1));
    assert_int_equal(block_cache_drop_file(&cache, 1), 0);
    block_cache_clear(&cache);
    assert_int_equal(block_cache_held_bytes(&cache), 0);
    block_cache_release(&cache);
}

static void a_block_takes_less_than_64_bytes(void **state)
{
    (void)state;
    struct block_cache cache;
    block_cache_init(&cache, INT64_C(1) << 50, 4096);
    for (uint32_t block = 0; block < 600000; block++) { /* just above a doubling: the worst case */
        assert_true(block_cache_put(&cache, 1, block));
        if (block >= 64)
            assert_true(block_cache_memory_bytes(&cache) < 64 * cache.count);
    }
    block_cache_release(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces_are_those_of_the_reference),
        cmocka_unit_test(the_least_recently_used_goes),
        cmocka_unit_test(a_loop_larger_than_the_cache_never_hits),
        cmocka_unit_test(no_room_holds_nothing),
        cmocka_unit_test(a_block_takes_less_than_64_bytes),
    };
    return RUN_TESTS(tests);
}
