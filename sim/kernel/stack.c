/* The only file of the kernel that maps memory. */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE, madvise() */
#endif

#include "sim/kernel/stack.h"

#include "vdisim/process.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(SIM_ASAN) || defined(SIM_TSAN)
#define STACK_BYTES ((size_t)256 * 1024)
#else
#define STACK_BYTES ((size_t)64 * 1024)
#endif
#define GROUP_STACKS ((size_t)16)

/* The top of each stack, from above: the canary of its upper neighbour, its head, and a gap that differs from stack to
 * stack, lest the busiest lines of all stacks compete for the same few sets of the cache. */
#define CANARY_BYTES ((size_t)64)
#define HEAD_BYTES ((sizeof(struct sim_stack) + 63) / 64 * 64)
#define COLOURS ((size_t)8)
#define COLOUR_BYTES ((size_t)128)

struct sim_stack_group {
    struct sim_stack_group *next;
    char *mapping;
    size_t bytes;
    struct sim_stack *stacks[GROUP_STACKS];
};

size_t sim_process_stack_bytes(void)
{
    return STACK_BYTES - CANARY_BYTES - HEAD_BYTES - COLOURS * COLOUR_BYTES;
}

void stack_pool_init(struct sim_stack_pool *pool)
{
    *pool = (struct sim_stack_pool){0};
}

static void register_stack(struct sim_stack *stack)
{
    stack->fiber.bottom = stack->bottom;
    stack->fiber.bytes = (size_t)((char *)stack_top(stack) - stack->bottom);
#ifdef SIM_TSAN
    stack->fiber.tsan = __tsan_create_fiber(0);
#endif
#ifdef SIM_VALGRIND
    stack->valgrind_id = (unsigned)VALGRIND_STACK_REGISTER(stack->bottom, (char *)stack_top(stack));
#endif
}

static void unregister_stack(struct sim_stack *stack)
{
    (void)stack;
#ifdef SIM_ASAN
    ASAN_UNPOISON_MEMORY_REGION(stack->bottom, (size_t)((char *)stack_top(stack) - stack->bottom));
#endif
#ifdef SIM_TSAN
    __tsan_destroy_fiber(stack->fiber.tsan);
#endif
#ifdef SIM_VALGRIND
    VALGRIND_STACK_DEREGISTER(stack->valgrind_id);
#endif
}

static bool add_group(struct sim_stack_pool *pool)
{
    long page = sysconf(_SC_PAGESIZE);
    size_t guard = page > 0 ? (size_t)page : 4096;
    size_t bytes = guard + GROUP_STACKS * STACK_BYTES;
    struct sim_stack_group *group = malloc(sizeof *group);
    if (!group)
        return false;
    char *mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED || mprotect(mapping, guard, PROT_NONE) != 0) {
        if (mapping != MAP_FAILED)
            munmap(mapping, bytes);
        free(group);
        return false;
    }
#ifdef MADV_NOHUGEPAGE
    /* A huge page would make the whole of 32 stacks resident; where it is not known there are none. */
    (void)madvise(mapping, bytes, MADV_NOHUGEPAGE);
#endif
    *group = (struct sim_stack_group){.next = pool->groups, .mapping = mapping, .bytes = bytes};
    pool->groups = group;
    /* Only the head of a stack is touched here, and that lies in the page which its process uses first. */
    for (size_t i = GROUP_STACKS; i-- > 0;) {
        char *bottom = mapping + guard + i * STACK_BYTES;
        char *top = bottom + STACK_BYTES - CANARY_BYTES;
        struct sim_stack *stack = (struct sim_stack *)(void *)(top - HEAD_BYTES - i % COLOURS * COLOUR_BYTES);
        uint64_t *canary = (uint64_t *)(void *)(bottom + STACK_BYTES - sizeof(uint64_t));
        *canary = STACK_CANARY;
        /* The lowest stack has the guard page below it and needs no canary: it looks at the one above it. */
        *stack = (struct sim_stack){.bottom = bottom, .canary = canary, .next_free = pool->free};
        if (i + 1 < GROUP_STACKS)
            group->stacks[i + 1]->canary = canary;
        group->stacks[i] = stack;
        register_stack(stack);
        pool->free = stack;
    }
    return true;
}

void stack_pool_release(struct sim_stack_pool *pool)
{
    while (pool->groups) {
        struct sim_stack_group *group = pool->groups;
        pool->groups = group->next;
        for (size_t i = 0; i < GROUP_STACKS; i++)
            unregister_stack(group->stacks[i]);
        munmap(group->mapping, group->bytes);
        free(group);
    }
    pool->free = NULL;
}

struct sim_stack *stack_take(struct sim_stack_pool *pool)
{
    if (!pool->free && !add_group(pool))
        return NULL;
    struct sim_stack *stack = pool->free;
    pool->free = stack->next_free;
    stack->fiber.fake_stack = NULL;
    return stack;
}

void stack_give_back(struct sim_stack_pool *pool, struct sim_stack *stack)
{
#ifdef SIM_ASAN
    ASAN_UNPOISON_MEMORY_REGION(stack->bottom, (size_t)((char *)stack_top(stack) - stack->bottom));
#endif
    stack->next_free = pool->free;
    pool->free = stack;
}
