#include "models/block/controller_cache.h"

#include <assert.h>
#include <stdlib.h>

enum page_state { DIRTY, GOING, CLEAN, PAGE_STATES };

struct row_links {
    struct cache_row *next, *previous;
    bool listed;
};

struct cache_row {
    uint32_t number;
    uint32_t counts[PAGE_STATES];
    uint32_t cursor; /* of the runs of going pages */
    struct cache_row *next_in_bucket;
    struct row_links dirty, whole, clean;
    uint64_t bits[]; /* [PAGE_STATES][words] */
};

#define LINKS_OF(row, offset) ((struct row_links *)(void *)((char *)(row) + (offset)))
#define ON_DIRTY              offsetof(struct cache_row, dirty)
#define ON_WHOLE              offsetof(struct cache_row, whole)
#define ON_CLEAN              offsetof(struct cache_row, clean)

static void list_leave(struct cache_list *list, struct cache_row *row, size_t links_at)
{
    struct row_links *links = LINKS_OF(row, links_at);
    if (!links->listed)
        return;
    if (links->previous == NULL)
        list->first = links->next;
    else
        LINKS_OF(links->previous, links_at)->next = links->next;
    if (links->next == NULL)
        list->last = links->previous;
    else
        LINKS_OF(links->next, links_at)->previous = links->previous;
    *links = (struct row_links){0};
}

static void list_join(struct cache_list *list, struct cache_row *row, size_t links_at)
{
    struct row_links *links = LINKS_OF(row, links_at);
    if (links->listed)
        return;
    *links = (struct row_links){.previous = list->last, .listed = true};
    if (list->last == NULL)
        list->first = row;
    else
        LINKS_OF(list->last, links_at)->next = row;
    list->last = row;
}

static size_t words_of(const struct controller_cache *cache)
{
    return (cache->row_pages + 63) / 64;
}

static uint64_t *word_of(const struct controller_cache *cache, struct cache_row *row, enum page_state state,
                         uint32_t page)
{
    return &row->bits[(size_t)state * words_of(cache) + page / 64];
}

static bool is(const struct controller_cache *cache, struct cache_row *row, enum page_state state,
               uint32_t page)
{
    return (*word_of(cache, row, state, page) >> (page % 64) & 1) != 0;
}

static int64_t *total_of(struct controller_cache *cache, enum page_state state)
{
    return state == DIRTY ? &cache->dirty_pages : state == GOING ? &cache->going_pages : &cache->clean_pages;
}

static void set(struct controller_cache *cache, struct cache_row *row, enum page_state state, uint32_t page)
{
    *word_of(cache, row, state, page) |= UINT64_C(1) << (page % 64);
    row->counts[state]++;
    ++*total_of(cache, state);
}

static void clear(struct controller_cache *cache, struct cache_row *row, enum page_state state, uint32_t page)
{
    *word_of(cache, row, state, page) &= ~(UINT64_C(1) << (page % 64));
    row->counts[state]--;
    --*total_of(cache, state);
}

bool controller_cache_init(struct controller_cache *cache, int64_t capacity_pages, uint32_t row_pages)
{
    *cache = (struct controller_cache){.row_pages = row_pages, .capacity_pages = capacity_pages};
    cache->bucket_count = 64;
    while ((int64_t)cache->bucket_count < capacity_pages / 8 && cache->bucket_count < 1u << 20)
        cache->bucket_count *= 2;
    cache->buckets = calloc(cache->bucket_count, sizeof(struct cache_row *));
    return cache->buckets != NULL;
}

void controller_cache_release(struct controller_cache *cache)
{
    for (size_t i = 0; i < cache->bucket_count && cache->buckets != NULL; i++) {
        while (cache->buckets[i] != NULL) {
            struct cache_row *row = cache->buckets[i];
            cache->buckets[i] = row->next_in_bucket;
            free(row);
        }
    }
    free(cache->buckets);
}

static struct cache_row **place_of(const struct controller_cache *cache, uint32_t number)
{
    const uint64_t mixed = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    struct cache_row **at = &cache->buckets[mixed & (cache->bucket_count - 1)];
    while (*at != NULL && (*at)->number != number)
        at = &(*at)->next_in_bucket;
    return at;
}

static struct cache_row *row_made(struct controller_cache *cache, uint32_t number)
{
    struct cache_row **at = place_of(cache, number);
    if (*at == NULL) {
        *at = calloc(1, sizeof **at + PAGE_STATES * words_of(cache) * sizeof(uint64_t));
        if (*at != NULL)
            (*at)->number = number;
    }
    return *at;
}

static void drop_if_empty(struct controller_cache *cache, struct cache_row *row)
{
    if (row->counts[DIRTY] + row->counts[GOING] + row->counts[CLEAN] > 0)
        return;
    struct cache_row **at = place_of(cache, row->number);
    *at = row->next_in_bucket;
    assert(!row->dirty.listed && !row->whole.listed && !row->clean.listed);
    free(row);
}

static int64_t used_pages(const struct controller_cache *cache)
{
    return cache->dirty_pages + cache->going_pages + cache->clean_pages;
}

/* Lets the clean pages of the row used least recently go. */
static void forget_row(struct controller_cache *cache)
{
    struct cache_row *row = cache->clean.first;
    for (uint32_t page = 0; page < cache->row_pages; page++)
        if (is(cache, row, CLEAN, page))
            clear(cache, row, CLEAN, page);
    list_leave(&cache->clean, row, ON_CLEAN);
    drop_if_empty(cache, row);
}

static void make_room(struct controller_cache *cache, int64_t pages)
{
    while (used_pages(cache) + pages > cache->capacity_pages && cache->clean.first != NULL)
        forget_row(cache);
}

bool controller_cache_has(struct controller_cache *cache, uint32_t page, uint32_t pages)
{
    for (uint32_t i = page; i < page + pages; i++) {
        struct cache_row *row = *place_of(cache, i / cache->row_pages);
        const uint32_t at = i % cache->row_pages;
        if (row == NULL ||
            !(is(cache, row, DIRTY, at) || is(cache, row, GOING, at) || is(cache, row, CLEAN, at)))
            return false;
    }
    for (uint32_t number = page / cache->row_pages; number <= (page + pages - 1) / cache->row_pages;
         number++) {
        struct cache_row *row = *place_of(cache, number);
        if (row->clean.listed) {
            list_leave(&cache->clean, row, ON_CLEAN);
            list_join(&cache->clean, row, ON_CLEAN);
        }
    }
    return true;
}

static int64_t pages_not_dirty(const struct controller_cache *cache, uint32_t page, uint32_t pages)
{
    int64_t count = 0;
    for (uint32_t i = page; i < page + pages; i++) {
        struct cache_row *row = *place_of(cache, i / cache->row_pages);
        count += row == NULL || !is(cache, row, DIRTY, i % cache->row_pages);
    }
    return count;
}

static void write_page(struct controller_cache *cache, struct cache_row *row, uint32_t at)
{
    if (is(cache, row, DIRTY, at)) {
        cache->overwritten_pages++;
        return;
    }
    if (is(cache, row, CLEAN, at)) {
        clear(cache, row, CLEAN, at);
        if (row->counts[CLEAN] == 0)
            list_leave(&cache->clean, row, ON_CLEAN);
    }
    set(cache, row, DIRTY, at);
    list_join(&cache->dirty, row, ON_DIRTY);
    if (row->counts[DIRTY] == cache->row_pages)
        list_join(&cache->whole, row, ON_WHOLE);
}

enum cache_answer controller_cache_write(struct controller_cache *cache, uint32_t page, uint32_t pages)
{
    const int64_t needed = pages_not_dirty(cache, page, pages);
    if (cache->dirty_pages + cache->going_pages + needed > cache->capacity_pages)
        return CACHE_FULL;
    make_room(cache, needed);
    for (uint32_t i = page; i < page + pages; i++) {
        struct cache_row *row = row_made(cache, i / cache->row_pages);
        if (row == NULL)
            return CACHE_NO_MEMORY;
        write_page(cache, row, i % cache->row_pages);
    }
    return CACHE_TAKEN;
}

void controller_cache_keep(struct controller_cache *cache, uint32_t page, uint32_t pages)
{
    make_room(cache, pages);
    for (uint32_t i = page; i < page + pages && used_pages(cache) < cache->capacity_pages; i++) {
        struct cache_row *row = row_made(cache, i / cache->row_pages);
        const uint32_t at = i % cache->row_pages;
        if (row == NULL)
            return; /* then it is not kept */
        if (is(cache, row, DIRTY, at) || is(cache, row, GOING, at) || is(cache, row, CLEAN, at))
            continue;
        set(cache, row, CLEAN, at);
        list_join(&cache->clean, row, ON_CLEAN);
    }
}

/* A row that is already on its way waits for that to end. */
static struct cache_row *first_at_rest(struct cache_row *row, size_t links_at)
{
    while (row != NULL && row->counts[GOING] > 0)
        row = LINKS_OF(row, links_at)->next;
    return row;
}

struct cache_row *controller_cache_next(struct controller_cache *cache, bool somebody_waits)
{
    struct cache_row *row = first_at_rest(cache->whole.first, ON_WHOLE);
    if (row == NULL && (somebody_waits || 2 * cache->dirty_pages > cache->capacity_pages))
        row = first_at_rest(cache->dirty.first, ON_DIRTY);
    if (row == NULL)
        return NULL;
    for (uint32_t page = 0; page < cache->row_pages; page++) {
        if (!is(cache, row, DIRTY, page))
            continue;
        clear(cache, row, DIRTY, page);
        set(cache, row, GOING, page);
    }
    list_leave(&cache->dirty, row, ON_DIRTY);
    list_leave(&cache->whole, row, ON_WHOLE);
    row->cursor = 0;
    return row;
}

bool controller_cache_next_run(struct controller_cache *cache, struct cache_row *row, uint32_t *page,
                               uint32_t *pages)
{
    uint32_t at = row->cursor;
    while (at < cache->row_pages && !is(cache, row, GOING, at))
        at++;
    const uint32_t from = at;
    while (at < cache->row_pages && is(cache, row, GOING, at))
        at++;
    row->cursor = at;
    *page = row->number * cache->row_pages + from;
    *pages = at - from;
    return at > from;
}

void controller_cache_destaged(struct controller_cache *cache, struct cache_row *row)
{
    for (uint32_t page = 0; page < cache->row_pages; page++) {
        if (!is(cache, row, GOING, page))
            continue;
        clear(cache, row, GOING, page);
        if (!is(cache, row, DIRTY, page)) /* else the newer copy is there */
            set(cache, row, CLEAN, page);
    }
    if (row->counts[CLEAN] > 0)
        list_join(&cache->clean, row, ON_CLEAN);
    drop_if_empty(cache, row);
}
