/* The PVS write cache: against a naive one page by page, conservation, the cap, space given back, the oldest first. */
#include "tests/support/check.h"
#include "vdisim/pagefile.h"
#include "vdisim/random.h"
#include "vdisim/write_cache.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK WRITE_CACHE_BLOCK_PAGES
#define MIB   (INT64_C(1) << 20)

struct disk_log {
    uint64_t writes, pages;
    uint32_t last_page, last_pages;
};

static void log_write(void *context, uint32_t page, uint32_t pages)
{
    struct disk_log *log = context;
    log->writes++;
    log->pages += pages;
    log->last_page = page;
    log->last_pages = pages;
}

static void assert_conserved(const struct write_cache *cache)
{
    const struct write_cache_account *account = &cache->account;
    assert_int_equal(account->pages_first,
                     account->pages_in_memory + account->pages_on_disk + account->pages_freed);
    assert_true(account->memory_bytes <= cache->memory_most_bytes);
    assert_true(account->memory_peak_bytes <= cache->memory_most_bytes);
    assert_true(account->pages_first <= account->pages_written);
}

/* --- The naive one: the state of every page, the blocks in memory as a list. --- */

enum { PAGES = 40 * BLOCK, NOWHERE = 0, MEMORY, DISK };

struct naive {
    char where[PAGES];
    uint32_t in_memory[64], count, most; /* block numbers, oldest first */
    uint64_t first, freed, to_disk, writes;
};

static void naive_overflow(struct naive *naive)
{
    const uint32_t block = naive->in_memory[0];
    bool run = false;
    for (uint32_t page = block * BLOCK; page < (block + 1) * BLOCK; page++) {
        const bool moves = naive->where[page] == MEMORY;
        naive->to_disk += moves;
        naive->writes += moves && !run;
        run = moves;
        if (moves)
            naive->where[page] = DISK;
    }
    memmove(naive->in_memory, naive->in_memory + 1, --naive->count * sizeof(uint32_t));
}

static void naive_write(struct naive *naive, uint32_t page)
{
    naive->first += naive->where[page] == NOWHERE;
    bool there = false;
    for (uint32_t i = 0; i < naive->count; i++)
        there |= naive->in_memory[i] == page / BLOCK;
    if (!there) {
        if (naive->count == naive->most)
            naive_overflow(naive);
        naive->in_memory[naive->count++] = page / BLOCK;
    }
    naive->where[page] = MEMORY;
}

static void naive_delete(struct naive *naive, uint32_t page)
{
    naive->freed += naive->where[page] != NOWHERE;
    naive->where[page] = NOWHERE;
    bool left = false;
    for (uint32_t other = page / BLOCK * BLOCK; other < (page / BLOCK + 1) * BLOCK; other++)
        left |= naive->where[other] == MEMORY;
    for (uint32_t i = 0; i < naive->count; i++) {
        if (naive->in_memory[i] != page / BLOCK || left)
            continue;
        memmove(naive->in_memory + i, naive->in_memory + i + 1, (--naive->count - i) * sizeof(uint32_t));
        break;
    }
}

static void random_traces_agree_with_a_naive_cache(void **state)
{
    (void)state;
    static struct naive naive;
    for (uint32_t most = 1; most <= 16; most *= 4) {
        memset(&naive, 0, sizeof naive);
        naive.most = most;
        struct disk_log log = {0};
        struct write_cache cache;
        assert_true(write_cache_init(&cache, WRITE_CACHE_RAM_WITH_OVERFLOW,
                                     most * WRITE_CACHE_BLOCK_BYTES + 5000, (int64_t)PAGES * 4096, log_write,
                                     &log));
        struct sim_random choices;
        sim_random_init(&choices, most, 0, "trace");
        for (int step = 0; step < 20000; step++) {
            const uint32_t pages = 1 + (uint32_t)sim_random_below(&choices, 40);
            const uint32_t page = (uint32_t)sim_random_below(&choices, PAGES - pages);
            const bool deletes = sim_random_chance(&choices, 0.45);
            for (uint32_t i = page; i < page + pages; i++)
                (deletes ? naive_delete : naive_write)(&naive, i);
            (deletes ? write_cache_delete : write_cache_write)(&cache, page, pages);
            assert_conserved(&cache);
            assert_int_equal(cache.account.memory_bytes, naive.count * WRITE_CACHE_BLOCK_BYTES);
            assert_int_equal(cache.account.pages_first, naive.first);
            assert_int_equal(cache.account.pages_freed, naive.freed);
            assert_int_equal(log.pages, naive.to_disk);
            assert_int_equal(log.writes, naive.writes);
        }
        for (uint32_t page = 0; page < PAGES; page++) {
            uint32_t file_page;
            assert_int_equal(write_cache_in_memory(&cache, page), naive.where[page] == MEMORY);
            assert_int_equal(write_cache_on_disk(&cache, page, &file_page), naive.where[page] == DISK);
        }
        assert_int_equal(log.pages, cache.account.pages_to_disk);
        write_cache_release(&cache);
    }
}

static void the_block_that_came_first_leaves_first(void **state)
{
    (void)state;
    struct disk_log log = {0};
    struct write_cache cache;
    write_cache_init(&cache, WRITE_CACHE_RAM_WITH_OVERFLOW, 4 * MIB, 40 * MIB, log_write, &log);
    write_cache_write(&cache, 0, 3);
    write_cache_write(&cache, BLOCK, 5);
    write_cache_write(&cache, 7, 1); /* used again, and still the oldest */
    assert_int_equal(log.writes, 0);
    write_cache_write(&cache, 5 * BLOCK, 1);
    assert_int_equal(log.writes, 2); /* pages 0 to 2, and 7 */
    assert_int_equal(log.pages, 4);
    uint32_t file_page = 0;
    assert_true(write_cache_on_disk(&cache, 7, &file_page));
    assert_int_equal(file_page, 7);
    assert_false(write_cache_on_disk(&cache, BLOCK, &file_page));
    /* Written again: in memory, the copy in the file is stale, the next block has left. */
    write_cache_write(&cache, 7, 1);
    assert_false(write_cache_on_disk(&cache, 7, &file_page));
    assert_true(write_cache_on_disk(&cache, BLOCK + 4, &file_page));
    assert_int_equal(file_page, BLOCK + 4);
    assert_int_equal(cache.account.file_bytes, 4 * MIB);
    assert_conserved(&cache);
    write_cache_release(&cache);
}

static void deleting_gives_space_back_with_overflow_only(void **state)
{
    (void)state;
    for (int kind = WRITE_CACHE_SERVER; kind <= WRITE_CACHE_RAM_WITH_OVERFLOW; kind++) {
        struct disk_log log = {0};
        struct write_cache cache;
        write_cache_init(&cache, (enum write_cache_kind)kind, 16 * MIB, 400 * MIB, log_write, &log);
        write_cache_write(&cache, 0, 5 * BLOCK); /* 10 MiB: fits in memory */
        const struct write_cache_account before = cache.account;
        write_cache_delete(&cache, 0, 5 * BLOCK);
        const bool gives_back = kind == WRITE_CACHE_RAM_WITH_OVERFLOW;
        assert_int_equal(cache.account.pages_freed, gives_back ? 5 * BLOCK : 0);
        assert_int_equal(cache.account.memory_bytes, gives_back ? 0 : before.memory_bytes);
        assert_int_equal(cache.account.file_bytes, gives_back ? 0 : before.file_bytes);
        assert_int_equal(cache.account.pages_in_memory + cache.account.pages_on_disk,
                         gives_back ? 0 : 5 * BLOCK);
        assert_conserved(&cache);
        write_cache_release(&cache);
    }
}

static void places_in_the_file_are_used_again(void **state)
{
    (void)state;
    struct disk_log log = {0};
    struct write_cache cache;
    write_cache_init(&cache, WRITE_CACHE_RAM_WITH_OVERFLOW, 0, 400 * MIB, log_write, &log);
    for (int round = 0; round < 10; round++) {
        write_cache_write(&cache, (uint32_t)round * 10 * BLOCK, 10 * BLOCK);
        assert_int_equal(cache.account.file_bytes, 20 * MIB);
        write_cache_delete(&cache, (uint32_t)round * 10 * BLOCK, 10 * BLOCK);
        assert_int_equal(cache.account.file_bytes, 0);
    }
    assert_true(log.last_page < 10 * BLOCK);
    assert_int_equal(cache.account.memory_peak_bytes, 0);
    write_cache_release(&cache);
}

static void on_disk_and_on_the_server_every_write_is_a_write(void **state)
{
    (void)state;
    for (int kind = WRITE_CACHE_SERVER; kind <= WRITE_CACHE_DISK; kind++) {
        struct disk_log log = {0};
        struct write_cache cache;
        write_cache_init(&cache, (enum write_cache_kind)kind, 0, 40 * MIB, log_write, &log);
        for (int i = 0; i < 1000; i++)
            write_cache_write(&cache, (uint32_t)(i % 10), 1);
        assert_int_equal(log.writes, 1000);
        assert_int_equal(cache.account.pages_first, 10);
        assert_conserved(&cache);
        write_cache_release(&cache);
    }
}

static void a_full_cache_without_overflow_stops_the_target(void **state)
{
    (void)state;
    struct disk_log log = {0};
    struct write_cache cache;
    write_cache_init(&cache, WRITE_CACHE_RAM, 1 * MIB, 40 * MIB, log_write, &log);
    write_cache_write(&cache, 0, 256);
    write_cache_write(&cache, 0, 256); /* the same again takes nothing */
    assert_false(cache.stopped);
    assert_int_equal(cache.account.memory_bytes, MIB);
    write_cache_write(&cache, 1000, 1);
    assert_true(cache.stopped);
    write_cache_write(&cache, 0, 1);
    assert_int_equal(cache.account.pages_written, 512);
    assert_int_equal(log.writes, 0);
    assert_conserved(&cache);
    write_cache_release(&cache);
}

/* The same writes, more memory: less to the disk, all the way down to nothing. */
static void more_memory_writes_less_to_the_disk(void **state)
{
    (void)state;
    uint64_t before = UINT64_MAX;
    for (int64_t blocks = 0; blocks <= 64; blocks += 8) {
        struct disk_log log = {0};
        struct write_cache cache;
        write_cache_init(&cache, WRITE_CACHE_RAM_WITH_OVERFLOW, blocks * WRITE_CACHE_BLOCK_BYTES, 128 * MIB,
                         log_write, &log);
        struct sim_random choices;
        sim_random_init(&choices, 1, 0, "writes");
        for (int i = 0; i < 200000; i++)
            write_cache_write(&cache, (uint32_t)sim_random_below(&choices, 64 * BLOCK), 1);
        assert_true(log.pages < before || blocks == 0);
        before = log.pages;
        write_cache_release(&cache);
    }
    assert_int_equal(before, 0);
}

static void the_pagefile_grows_with_memory_pressure(void **state)
{
    (void)state;
    const struct pagefile_settings settings = {.memory_bytes = 1000 * MIB,
                                               .system_bytes = 200 * MIB,
                                               .user_bytes = 100 * MIB,
                                               .initial_bytes = 50 * MIB,
                                               .cluster_bytes = 65536,
                                               .touches_per_s = 1};
    struct pagefile pagefile;
    pagefile_init(&pagefile, &settings);
    assert_int_equal(pagefile_update(&pagefile, 8, 0), 0); /* just fits */
    assert_near(pagefile.fault_probability, 0.0, 0.0);
    assert_int_equal(pagefile_update(&pagefile, 8, 250 * MIB),
                     250 * MIB); /* the write cache takes its part */
    assert_near(pagefile.fault_probability, 250.0 / 1250.0, 1e-12);
    assert_int_equal(pagefile.size_bytes, 250 * MIB);
    assert_int_equal(pagefile_update(&pagefile, 4, 250 * MIB), 0);
    assert_int_equal(pagefile.size_bytes, 250 * MIB); /* it does not shrink */
    assert_near(pagefile.fault_probability, 0.0, 0.0);
    assert_int_equal(pagefile_update(&pagefile, 10, 0), 200 * MIB);
    assert_int_equal(pagefile_update(&pagefile, 11, 0), 100 * MIB); /* the rest is out already */
    assert_int_equal(pagefile_update(&pagefile, 11, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces_agree_with_a_naive_cache),
        cmocka_unit_test(the_block_that_came_first_leaves_first),
        cmocka_unit_test(deleting_gives_space_back_with_overflow_only),
        cmocka_unit_test(places_in_the_file_are_used_again),
        cmocka_unit_test(on_disk_and_on_the_server_every_write_is_a_write),
        cmocka_unit_test(a_full_cache_without_overflow_stops_the_target),
        cmocka_unit_test(more_memory_writes_less_to_the_disk),
        cmocka_unit_test(the_pagefile_grows_with_memory_pressure),
    };
    return RUN_TESTS(tests);
}
