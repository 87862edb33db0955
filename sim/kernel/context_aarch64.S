/* The stack switch on AArch64, AAPCS64: x19 to x30 and the low halves of v8 to v15. It ends in an indirect branch, not in
 * a return: see the x86-64 switch. */
#if defined(__aarch64__) && !defined(_WIN32) && !defined(SIM_CONTEXT_UCONTEXT)

#ifdef __APPLE__
#define NAME(name) _##name
#else
#define NAME(name) name
#endif

    .text
    .p2align 4
    .globl NAME(sim_context_switch)
NAME(sim_context_switch):
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    mov w0, w2
    br x30

/* Where a new stack begins: x19 is the entry, x20 its argument. */
    .p2align 4
    .globl NAME(sim_context_begin)
NAME(sim_context_begin):
    mov x0, x20
    mov x29, #0
    mov x30, #0
    br x19

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack,"",%progbits
#endif
