/* The stack switch on x86-64, System V ABI. It ends in a jump, not in a return: a return to another stack's caller would
 * always be predicted wrong. */
#if defined(__x86_64__) && !defined(_WIN32) && !defined(SIM_CONTEXT_UCONTEXT)

#ifdef __APPLE__
#define NAME(name) _##name
#else
#define NAME(name) name
#endif

    .text
    .p2align 4
    .globl NAME(sim_context_switch)
NAME(sim_context_switch):
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    movl %edx, %eax
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmpq *%rcx

/* Where a new stack begins: r12 is the entry, r13 its argument. The stack pointer is as after a call, and the zero on top
 * of the stack, in the place of a return address, ends every back trace. */
    .p2align 4
    .globl NAME(sim_context_begin)
NAME(sim_context_begin):
    .cfi_startproc
    .cfi_undefined rip
    movq %r13, %rdi
    xorl %ebp, %ebp
    jmpq *%r12
    .cfi_endproc

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack,"",%progbits
#endif
