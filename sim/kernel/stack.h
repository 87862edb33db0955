/* The stacks of processes: carved from groups, recycled, guarded.
 *
 * A group of stacks is one mapping with a guard page below it, so that 100,000 stacks stay within the kernel's limit on
 * mappings. Within a group a stack is guarded by a canary: the words just below its lowest address, which are the highest of
 * its neighbour (a page that the neighbour uses anyway). An overflow that has overwritten the canary is found, and
 * asserts, when the process next waits or ends. */
#ifndef VDISIM_KERNEL_STACK_H
#define VDISIM_KERNEL_STACK_H

#include "sim/kernel/fiber.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The head of a stack lies at its very top, so that an idle stack costs nothing elsewhere. */
struct sim_stack {
    struct sim_stack *next_free;
    char *bottom;
    const uint64_t *canary;
    struct sim_fiber fiber;
    unsigned valgrind_id;
};

struct sim_stack_group;

struct sim_stack_pool {
    struct sim_stack *free;
    struct sim_stack_group *groups;
};

void stack_pool_init(struct sim_stack_pool *pool);

/* Unmaps all stacks, also those in use. */
void stack_pool_release(struct sim_stack_pool *pool);

/* NULL when memory is short. */
struct sim_stack *stack_take(struct sim_stack_pool *pool);

void stack_give_back(struct sim_stack_pool *pool, struct sim_stack *stack);

/* The 16-byte aligned address just above the usable part. */
static inline void *stack_top(struct sim_stack *stack)
{
    return stack;
}

#define STACK_CANARY UINT64_C(0x6b43615473526556)

static inline bool stack_intact(const struct sim_stack *stack)
{
    return *stack->canary == STACK_CANARY;
}

#endif
