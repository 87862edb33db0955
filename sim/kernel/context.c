#include "sim/kernel/context.h"

#include <assert.h>
#include <stdint.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(_WIN32) && !defined(SIM_CONTEXT_UCONTEXT)

void sim_context_begin(void);

/* Lays out what sim_context_switch() pops, see context_*.S. */
void *sim_context_make(void *bottom, void *top, sim_context_entry *entry, void *argument)
{
    (void)bottom;
    assert((uintptr_t)top % 16 == 0);
    uintptr_t *frame = top;
#if defined(__x86_64__)
    frame -= 8;
    frame[0] = 0;                             /* r15 */
    frame[1] = 0;                             /* r14 */
    frame[2] = (uintptr_t)argument;           /* r13 */
    frame[3] = (uintptr_t)entry;              /* r12 */
    frame[4] = 0;                             /* rbx */
    frame[5] = 0;                             /* rbp */
    frame[6] = (uintptr_t)&sim_context_begin; /* where to go */
    frame[7] = 0;
#else
    frame -= 20;
    for (int i = 0; i < 20; i++)
        frame[i] = 0;
    frame[0] = (uintptr_t)entry;               /* x19 */
    frame[1] = (uintptr_t)argument;            /* x20 */
    frame[11] = (uintptr_t)&sim_context_begin; /* x30 */
#endif
    return frame;
}

#elif defined(__EMSCRIPTEN__)

#include <emscripten/fiber.h>
#include <emscripten/stack.h>
#include <stdlib.h>

/* WebAssembly's own stack cannot be switched: Emscripten unwinds it into `frames` and rewinds it from there, so the fewer
 * functions lie between a switch and the beginning of its stack the better. */
#define FRAMES_BYTES ((size_t)8 * 1024)
#define LOOP_BYTES   ((size_t)256 * 1024)

struct place {
    emscripten_fiber_t fiber;
    int value; /* for the call that left */
};

/* What emscripten_fiber_init_from_current_context() does, without a call of JavaScript. */
static void leave_from_here(emscripten_fiber_t *fiber, char frames[FRAMES_BYTES])
{
    fiber->stack_base = (void *)emscripten_stack_get_base();
    fiber->stack_limit = (void *)emscripten_stack_get_end();
    fiber->entry = NULL;
    fiber->asyncify_data.stack_ptr = frames;
    fiber->asyncify_data.stack_limit = frames + FRAMES_BYTES;
}

void *sim_context_make(void *bottom, void *top, sim_context_entry *entry, void *argument)
{
    struct place *self = (struct place *)(((uintptr_t)top - sizeof *self) / 64 * 64);
    /* It is begun, never unwound from here: it needs no frames yet. */
    emscripten_fiber_init(&self->fiber, entry, argument, bottom, (size_t)((char *)self - (char *)bottom),
                          self, 0);
    return self;
}

int sim_context_switch(void **from, void *to, int value)
{
    _Alignas(16) char frames[FRAMES_BYTES];
    struct place here;
    struct place *there = to;
    leave_from_here(&here.fiber, frames);
    there->value = value;
    *from = &here;
    emscripten_fiber_swap(&here.fiber, &there->fiber);
    return here.value;
}

struct loop {
    emscripten_fiber_t outside, inside;
    sim_context_entry *body;
    void *argument;
};

static void loop_begins(void *argument)
{
    _Alignas(16) char frames[FRAMES_BYTES];
    struct loop *loop = argument;
    loop->body(loop->argument);
    leave_from_here(&loop->inside, frames);
    emscripten_fiber_swap(&loop->inside, &loop->outside);
}

void sim_context_run(sim_context_entry *body, void *argument)
{
    _Alignas(16) char frames[FRAMES_BYTES];
    struct loop loop = {.body = body, .argument = argument};
    char *stack = aligned_alloc(16, LOOP_BYTES);
    if (stack == NULL) {
        body(argument); /* slower */
        return;
    }
    leave_from_here(&loop.outside, frames);
    emscripten_fiber_init(&loop.inside, loop_begins, &loop, stack, LOOP_BYTES, frames, 0);
    emscripten_fiber_swap(&loop.outside, &loop.inside);
    free(stack);
}

#else

#include <ucontext.h>

struct place {
    ucontext_t context;
    int value; /* for the call that left */
};

struct begin {
    struct place place;
    sim_context_entry *entry;
    void *argument;
};

/* makecontext() passes ints only. */
static void begin(unsigned high, unsigned low)
{
    struct begin *self = (struct begin *)((uintptr_t)((uint64_t)high << 32 | low));
    self->entry(self->argument);
}

void *sim_context_make(void *bottom, void *top, sim_context_entry *entry, void *argument)
{
    struct begin *self = (struct begin *)(((uintptr_t)top - sizeof *self) / 64 * 64);
    getcontext(&self->place.context);
    self->entry = entry;
    self->argument = argument;
    self->place.context.uc_stack.ss_sp = bottom;
    self->place.context.uc_stack.ss_size = (size_t)((char *)self - (char *)bottom);
    self->place.context.uc_link = NULL;
    uint64_t address = (uintptr_t)self;
    makecontext(&self->place.context, (void (*)(void))begin, 2, (unsigned)(address >> 32), (unsigned)address);
    return &self->place;
}

int sim_context_switch(void **from, void *to, int value)
{
    struct place here;
    struct place *there = to;
    there->value = value;
    *from = &here;
    swapcontext(&here.context, &there->context);
    return here.value;
}

#endif
