/* What AddressSanitizer, ThreadSanitizer and Valgrind must be told about stacks that we switch ourselves. */
#ifndef VDISIM_KERNEL_FIBER_H
#define VDISIM_KERNEL_FIBER_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define SIM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIM_ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define SIM_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIM_TSAN 1
#endif
#endif

#ifdef SIM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef SIM_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if !defined(SIM_ASAN) && !defined(SIM_TSAN) && defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define SIM_VALGRIND 1
#endif
#endif

/* The identity of a stack to the tools. */
struct sim_fiber {
    const void *bottom;
    size_t bytes;
    void *fake_stack; /* AddressSanitizer's */
    void *tsan;       /* ThreadSanitizer's */
};

/* Before a switch. ends: the stack left behind will not be returned to. */
static inline void fiber_leave(struct sim_fiber *from, const struct sim_fiber *to, int ends)
{
    (void)from;
    (void)to;
    (void)ends;
#ifdef SIM_ASAN
    __sanitizer_start_switch_fiber(ends ? NULL : &from->fake_stack, to->bottom, to->bytes);
#endif
#ifdef SIM_TSAN
    __tsan_switch_to_fiber(to->tsan, 0);
#endif
}

/* After a switch, on the stack that was switched to. left_from, when not NULL, learns the bounds of the stack left. */
static inline void fiber_arrive(struct sim_fiber *here, struct sim_fiber *left_from)
{
    (void)here;
    (void)left_from;
#ifdef SIM_ASAN
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(here->fake_stack, &bottom, &bytes);
    if (left_from) {
        left_from->bottom = bottom;
        left_from->bytes = bytes;
    }
#endif
}

static inline void fiber_main(struct sim_fiber *fiber)
{
    (void)fiber;
#ifdef SIM_TSAN
    fiber->tsan = __tsan_get_current_fiber();
#endif
}

#endif
