/* Switching between stacks. A context is where a stack was left: on x86-64 and AArch64 its stack pointer, with the
 * registers that a call preserves saved below it. The floating-point environment (rounding mode, exception masks) is not
 * part of a context: a model that changes it must put it back before it waits. */
#ifndef VDISIM_KERNEL_CONTEXT_H
#define VDISIM_KERNEL_CONTEXT_H

#include <stddef.h>

typedef void sim_context_entry(void *argument);

/* A context that calls entry(argument), which must not return, on the stack whose highest address is `top`, 16-byte
 * aligned. */
void *sim_context_make(void *bottom, void *top, sim_context_entry *entry, void *argument);

/* Leaves this stack, notes in *from where, and goes on where `to` was left: the call that left it returns `value`. As the
 * last call of a function it becomes a jump, and whoever is switched to goes on in that function's caller without a
 * return, which the processor would predict to lead to another stack's caller. */
int sim_context_switch(void **from, void *to, int value);

/* Calls body(argument), a loop that switches much. Where a switch takes the longer the deeper it lies, the loop gets a stack
 * of its own to be at the beginning of. */
#ifdef __EMSCRIPTEN__
void sim_context_run(sim_context_entry *body, void *argument);
#else
static inline void sim_context_run(sim_context_entry *body, void *argument)
{
    body(argument);
}
#endif

#endif
