/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Records the registers that a function must preserve (System V ABI for x86-64, section 3.2.1), and
 * has functions that spoil each of them.
 *
 *   void registers_call(void (*function)(void) (rdi), const uint64_t arguments[6] (rsi),
 *                       struct registers *left (rdx))
 *
 * Calls function with the six arguments, known values in rbx, rbp and r12 to r15, and known words
 * above its return address. Stores the values after the call to *left.
 */
#ifdef __CET__
#include <cet.h>
#else
#define _CET_ENDBR
#endif

#define WORDS 16 /* above the return address */

/* struct registers of registers.c */
#define LEFT_GENERAL 0
#define LEFT_STACK_POINTER 48
#define LEFT_FLAGS 56
#define LEFT_MXCSR 64
#define LEFT_CONTROL 68
#define LEFT_ENVIRONMENT 72
#define LEFT_WORDS 104

        .bss
        .balign 8
.Lleft: .zero 8
.Lstack_pointer: .zero 8

        .text
        .globl registers_call
        .type registers_call, @function
registers_call:
        _CET_ENDBR
        push    %rbx
        push    %rbp
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        sub     $(8 * WORDS + 8), %rsp
        mov     %rdx, .Lleft(%rip)
        mov     %rsp, .Lstack_pointer(%rip)
        .set    i, 0
        .rept   WORDS
        movabs  $(0x5afe000000000000 + i), %rax
        mov     %rax, 8 * i(%rsp)
        .set    i, i + 1
        .endr
        mov     %rdi, %rax
        mov     %rsi, %r10
        mov     (%r10), %rdi
        mov     8(%r10), %rsi
        mov     16(%r10), %rdx
        mov     24(%r10), %rcx
        mov     32(%r10), %r8
        mov     40(%r10), %r9
        movabs  $0xb0b0b0b0b0b0b0b0, %rbx
        movabs  $0xb1b1b1b1b1b1b1b1, %rbp
        movabs  $0xb2b2b2b2b2b2b2b2, %r12
        movabs  $0xb3b3b3b3b3b3b3b3, %r13
        movabs  $0xb4b4b4b4b4b4b4b4, %r14
        movabs  $0xb5b5b5b5b5b5b5b5, %r15
        call    *%rax
        mov     .Lleft(%rip), %rax
        mov     %rbx, LEFT_GENERAL(%rax)
        mov     %rbp, LEFT_GENERAL + 8(%rax)
        mov     %r12, LEFT_GENERAL + 16(%rax)
        mov     %r13, LEFT_GENERAL + 24(%rax)
        mov     %r14, LEFT_GENERAL + 32(%rax)
        mov     %r15, LEFT_GENERAL + 40(%rax)
        mov     %rsp, %rcx
        sub     .Lstack_pointer(%rip), %rcx
        mov     %rcx, LEFT_STACK_POINTER(%rax)
        mov     .Lstack_pointer(%rip), %rsp
        .set    i, 0
        .rept   WORDS
        mov     8 * i(%rsp), %rcx
        mov     %rcx, LEFT_WORDS + 8 * i(%rax)
        .set    i, i + 1
        .endr
        pushfq
        pop     %rcx
        mov     %rcx, LEFT_FLAGS(%rax)
        cld
        stmxcsr LEFT_MXCSR(%rax)
        fnstcw  LEFT_CONTROL(%rax)
        fnstenv LEFT_ENVIRONMENT(%rax)
        fninit
        movl    $0x1f80, LEFT_ENVIRONMENT(%rsp)
        ldmxcsr LEFT_ENVIRONMENT(%rsp)
        add     $(8 * WORDS + 8), %rsp
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbp
        pop     %rbx
        ret
        .size   registers_call, . - registers_call

/* The check must detect each of these. */
.macro SPOIL name, first, second = "", third = ""
        .globl  registers_spoil_\name
        .type   registers_spoil_\name, @function
registers_spoil_\name:
        _CET_ENDBR
        \first
        \second
        \third
        ret
        .size   registers_spoil_\name, . - registers_spoil_\name
.endm

        SPOIL nothing, "nop"
        SPOIL rbx, "mov %rbp, %rbx"
        SPOIL rbp, "mov %rbx, %rbp"
        SPOIL r12, "xor %r12d, %r12d"
        SPOIL r13, "inc %r13"
        SPOIL r14, "mov %r15, %r14"
        SPOIL r15, "movl $1, %r15d"
        SPOIL direction, "std"
        SPOIL mxcsr, "movl $0x9f80, -8(%rsp)", "ldmxcsr -8(%rsp)"
        SPOIL control, "movw $0x27f, -8(%rsp)", "fldcw -8(%rsp)"
        SPOIL mmx, "pxor %mm0, %mm0"
        SPOIL words, "movq $0, 16(%rsp)"
        SPOIL stack_pointer, "pop %rcx", "pop %rdx", "push %rcx"

        .section .note.GNU-stack, "", @progbits
