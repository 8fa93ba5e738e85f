/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Written by tools/kernels/rows.py: do not edit.
 *
 * BLAKE, BLAKE2 and BLAKE3 of one message in rows: vpternlog replaces rotations of late operands by
 * shifts, message words are operands in memory. tools/kernels/row_rounds.py explains the method.
 *
 * The remark beside an instruction names its round and its task; x and y are the words that G adds.
 * Words of later rounds are made from the first round on.
 */
#include "asm/object.inc"
#include "names.h"
#include "parts.h"
#include "asm/blake_x86_64_state.h"

#if FIN_HAS_COMPRESSION(BLAKE256)
        FIN_CONSTANTS
/* Words of the rounds: x, y, then x, y of the diagonals. */
        .balign 64
FIN_LOCAL(words_blake256):
        .long   0, 2, 4, 6, 1, 3, 5, 7, 14, 8, 10, 12, 15, 9, 11, 13
        .long   14, 4, 9, 13, 10, 8, 15, 6, 5, 1, 0, 11, 3, 12, 2, 7
        .long   11, 12, 5, 15, 8, 0, 2, 13, 9, 10, 3, 7, 4, 14, 6, 1
        .long   7, 3, 13, 11, 9, 1, 12, 14, 15, 2, 5, 4, 8, 6, 10, 0
        .long   9, 5, 2, 10, 0, 7, 4, 15, 3, 14, 11, 6, 13, 1, 12, 8
        .long   2, 6, 0, 8, 12, 10, 11, 3, 1, 4, 7, 15, 9, 13, 5, 14
        .long   12, 1, 14, 4, 5, 15, 13, 10, 8, 0, 6, 9, 11, 7, 3, 2
        .long   13, 7, 12, 3, 11, 14, 1, 9, 2, 5, 15, 8, 10, 0, 4, 6
        .long   6, 14, 11, 0, 15, 9, 3, 8, 10, 12, 13, 1, 5, 2, 7, 4
        .long   10, 8, 7, 1, 2, 4, 6, 5, 13, 15, 9, 3, 0, 11, 14, 12
/* The constants to XOR to them. */
        .balign 64
FIN_LOCAL(constants_blake256):
        .long   0x85a308d3, 0x03707344, 0x299f31d0, 0xec4e6c89
        .long   0x243f6a88, 0x13198a2e, 0xa4093822, 0x082efa98
        .long   0xb5470917, 0x38d01377, 0x34e90c6c, 0xc97c50dd
        .long   0x3f84d5b5, 0x452821e6, 0xbe5466cf, 0xc0ac29b7
        .long   0xbe5466cf, 0x452821e6, 0xb5470917, 0x082efa98
        .long   0x3f84d5b5, 0xa4093822, 0x38d01377, 0xc97c50dd
        .long   0x03707344, 0xc0ac29b7, 0x13198a2e, 0xec4e6c89
        .long   0x299f31d0, 0x85a308d3, 0x243f6a88, 0x34e90c6c
        .long   0x452821e6, 0x243f6a88, 0x13198a2e, 0xc97c50dd
        .long   0x34e90c6c, 0xc0ac29b7, 0x299f31d0, 0xb5470917
        .long   0xa4093822, 0x3f84d5b5, 0x082efa98, 0x85a308d3
        .long   0x38d01377, 0xbe5466cf, 0x03707344, 0xec4e6c89
        .long   0x38d01377, 0x85a308d3, 0xc0ac29b7, 0x3f84d5b5
        .long   0xec4e6c89, 0x03707344, 0xc97c50dd, 0x34e90c6c
        .long   0x452821e6, 0x082efa98, 0xbe5466cf, 0x243f6a88
        .long   0xb5470917, 0x13198a2e, 0x299f31d0, 0xa4093822
        .long   0x243f6a88, 0xec4e6c89, 0xa4093822, 0xb5470917
        .long   0x38d01377, 0x299f31d0, 0x13198a2e, 0xbe5466cf
        .long   0xc97c50dd, 0x85a308d3, 0xc0ac29b7, 0x452821e6
        .long   0x03707344, 0x3f84d5b5, 0x34e90c6c, 0x082efa98
        .long   0xc0ac29b7, 0xbe5466cf, 0x34e90c6c, 0x03707344
        .long   0x13198a2e, 0x082efa98, 0x243f6a88, 0x452821e6
        .long   0x38d01377, 0xc97c50dd, 0x299f31d0, 0x3f84d5b5
        .long   0x85a308d3, 0xa4093822, 0xec4e6c89, 0xb5470917
        .long   0x299f31d0, 0xb5470917, 0xc97c50dd, 0xbe5466cf
        .long   0xc0ac29b7, 0x85a308d3, 0x3f84d5b5, 0xa4093822
        .long   0x34e90c6c, 0xec4e6c89, 0x03707344, 0x13198a2e
        .long   0x452821e6, 0x243f6a88, 0x082efa98, 0x38d01377
        .long   0x34e90c6c, 0x3f84d5b5, 0x85a308d3, 0x38d01377
        .long   0xc97c50dd, 0xec4e6c89, 0xc0ac29b7, 0x03707344
        .long   0xbe5466cf, 0x243f6a88, 0xa4093822, 0x082efa98
        .long   0x13198a2e, 0x299f31d0, 0xb5470917, 0x452821e6
        .long   0xb5470917, 0x38d01377, 0x03707344, 0x452821e6
        .long   0x082efa98, 0x3f84d5b5, 0x34e90c6c, 0x243f6a88
        .long   0x299f31d0, 0x13198a2e, 0xec4e6c89, 0xa4093822
        .long   0xbe5466cf, 0xc0ac29b7, 0xc97c50dd, 0x85a308d3
        .long   0x13198a2e, 0xa4093822, 0x082efa98, 0x299f31d0
        .long   0xbe5466cf, 0x452821e6, 0xec4e6c89, 0x85a308d3
        .long   0x243f6a88, 0x34e90c6c, 0x3f84d5b5, 0xc0ac29b7
        .long   0xc97c50dd, 0xb5470917, 0x38d01377, 0x03707344
/* Reverses each word's bytes. */
        .balign 64
FIN_LOCAL(reverse_blake256):
        .byte   3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12
/* v8 .. v15 */
        .balign 64
FIN_LOCAL(seed_blake256):
        .long   0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344
        .long   0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89
/* A carry of the counter. */
        .balign 64
FIN_LOCAL(carry_blake256):
        .long   0, 0, 1, 1

/*
 * state->h = F(state->h, block, state->t + (k + 1) * increment, ...) for the blocks k = 0, 1, ...
 *
 *   void fin_blake256_avx512_ternlog(fin_state *state (rdi), const uint8_t *in (rsi), size_t blocks
 * (rdx),
 *                                    size_t stride (rcx), uint32_t increment (r8d))
 *
 * System V ABI. in needs no alignment; in and state do not overlap. Any number of blocks and
 * rounds, 0 included: 14 rounds in line, other numbers in a loop of one round. Branches and
 * addresses depend on the arguments, state->t and state->rounds alone.
 *
 *   %rdi    state                       %rsi    the next block
 *   %rdx    blocks after this one       %rcx    stride
 *   %r8     increment                   %rax    the counter's low word
 *   %r9     address read instead of the block after the last one
 *   %rsp    the words of rounds 0 to 9; in the last round the next block's replace those of round 0
 *   xmm22   BLAKE: salt                 xmm23   the counter's increment for a block
 *   xmm24   counter and flags           xmm25   h4 .. h7
 *   xmm26   h0 .. h3                    xmm27   v12 .. v15 without counter
 *   xmm28   v8 .. v11 at the start      zmm29   BLAKE: the shuffle that reverses a word's bytes
 *   zmm30   the block's first 64 bytes  zmm31   for 64-bit words: its other 64
 *   others  the state and intermediate values
 */
#define FIN_KERNEL fin_blake256_avx512_ternlog
        .text
        FIN_FUNCTION(FIN_KERNEL)
        .balign 64
FIN_SYMBOL(FIN_KERNEL):
        .cfi_startproc
        endbr64
        test    %rdx, %rdx
        je      FIN_LOCAL(nothing_blake256)
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $640, %rsp
        and     $-64, %rsp
        vbroadcasti32x4 FIN_LOCAL(reverse_blake256)(%rip), %zmm29
        vmovdqu 0(%rsi), %xmm0
        vpshufb %xmm29, %xmm0, %xmm0
        vmovdqu 16(%rsi), %xmm1
        vpshufb %xmm29, %xmm1, %xmm1
        vmovdqu 32(%rsi), %xmm2
        vpshufb %xmm29, %xmm2, %xmm2
        vmovdqu 48(%rsi), %xmm3
        vpshufb %xmm29, %xmm3, %xmm3
        vshufps $0x88, %xmm1, %xmm0, %xmm4
        vpxor   FIN_LOCAL(constants_blake256)+0(%rip), %xmm4, %xmm4
        vmovdqa %xmm4, 0(%rsp)
        vshufps $0xdd, %xmm1, %xmm0, %xmm5
        vpxor   FIN_LOCAL(constants_blake256)+16(%rip), %xmm5, %xmm5
        vmovdqa %xmm5, 16(%rsp)
        vshufps $0x88, %xmm3, %xmm2, %xmm6
        vpshufd $0x93, %xmm6, %xmm6                         /* the diagonals begin with the last word */
        vpxor   FIN_LOCAL(constants_blake256)+32(%rip), %xmm6, %xmm6
        vmovdqa %xmm6, 32(%rsp)
        vshufps $0xdd, %xmm3, %xmm2, %xmm7
        vpshufd $0x93, %xmm7, %xmm7                         /* the diagonals begin with the last word */
        vpxor   FIN_LOCAL(constants_blake256)+48(%rip), %xmm7, %xmm7
        vmovdqa %xmm7, 48(%rsp)
        vinserti128 $1, %xmm1, %ymm0, %ymm0
        vinserti128 $1, %xmm3, %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm0, %zmm30
        vmovdqu64 0(%rdi), %xmm26
        vmovdqu64 16(%rdi), %xmm25
        vmovdqa64 FIN_LOCAL(seed_blake256)(%rip), %xmm28
        mov     %r8d, %r8d                                  /* the upper half may be anything */
        mov     STATE_T(%rdi), %rax
        vmovq   %r8, %xmm5
        vmovq   STATE_T(%rdi), %xmm4
        vpshufd $0x50, %xmm4, %xmm4                         /* low, low, high, high */
        vpshufd $0x50, %xmm5, %xmm5
        vmovdqa64 %xmm5, %xmm23
        vpaddd  %xmm23, %xmm4, %xmm24
        add     %r8d, %eax
        jnc     FIN_LOCAL(no_carry_first_blake256)
        vpaddd  FIN_LOCAL(carry_blake256)(%rip), %xmm24, %xmm24
FIN_LOCAL(no_carry_first_blake256):
        vmovdqa64 FIN_LOCAL(seed_blake256)+16(%rip), %xmm27
        vmovdqu64 STATE_SALT(%rdi), %xmm22
        vpxord  %xmm22, %xmm28, %xmm28
        cmpq    $14, STATE_ROUNDS(%rdi)
        jne     FIN_LOCAL(any_rounds_blake256)
        lea     FIN_LOCAL(words_blake256)(%rip), %r9
        .balign 64
FIN_LOCAL(block_blake256):
        add     %rcx, %rsi
        dec     %rdx
        cmove   %r9, %rsi
        vpxord  %xmm27, %xmm24, %xmm0                       /* v12 .. v15 */
        vpaddd  %xmm23, %xmm24, %xmm24                      /* the next block's counter */
        vmovdqa 0(%rsp), %xmm1                              /* 0: x */
        vprord  $16, %xmm0, %xmm2                           /* 0: d >>> 16 */
        vmovdqa 16(%rsp), %xmm3                             /* 0: y */
        vpaddd  %xmm1, %xmm26, %xmm4                        /* 0: + x */
        vpaddd  %xmm25, %xmm4, %xmm5                        /* 0: a += b + x */
        /* ---- Round 0 ---- */
        vpxord  %xmm22, %xmm26, %xmm26                      /* h ^= salt */
        vpslld  $16, %xmm5, %xmm6                           /* 0: a << 16 */
        vpsrld  $16, %xmm5, %xmm7                           /* 0: a >> 16 */
        vpternlogd $0x96, %xmm2, %xmm7, %xmm6               /* 0: d = (d ^ a) >>> 16 */
        vpaddd  %xmm28, %xmm6, %xmm8                        /* 0: c += d */
        vprord  $8, %xmm6, %xmm9                            /* 0: d >>> 8 */
        vpsrld  $12, %xmm8, %xmm10                          /* 0: c >> 12 */
        vpslld  $20, %xmm8, %xmm11                          /* 0: c << 20 */
        vmovdqa 32(%rsp), %xmm12                            /* 0: x */
        vpaddd  %xmm3, %xmm5, %xmm13                        /* 0: + y */
        vprord  $12, %xmm25, %xmm14                         /* 0: b >>> 12 */
        vpternlogd $0x96, %xmm14, %xmm11, %xmm10            /* 0: b = (b ^ c) >>> 12 */
        vpxord  %xmm22, %xmm25, %xmm25                      /* h ^= salt */
        vpaddd  %xmm10, %xmm13, %xmm15                      /* 0: a += b + y */
        vprord  $7, %xmm10, %xmm16                          /* 0: b >>> 7 */
        vpsrld  $8, %xmm15, %xmm17                          /* 0: a >> 8 */
        vpslld  $24, %xmm15, %xmm18                         /* 0: a << 24 */
        vpshufd $0x93, %xmm15, %xmm19                       /* 0: words of a rotated */
        vpternlogd $0x96, %xmm9, %xmm18, %xmm17             /* 0: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm17, %xmm20                       /* 0: words of d rotated */
        vpaddd  %xmm8, %xmm17, %xmm21                       /* 0: c += d */
        vmovdqa64 FIN_LOCAL(words_blake256)+64(%rip), %zmm0 /* 1: indices of words */
        vpermd  %zmm30, %zmm0, %zmm1                        /* 1: words */
        vpxord  FIN_LOCAL(constants_blake256)+64(%rip), %zmm1, %zmm4 /* 1: words ^ constants */
        vmovdqa64 %zmm4, 64(%rsp)                           /* 1: words stored */
        nop
        vprord  $16, %xmm20, %xmm2                          /* 0: d >>> 16 */
        vpsrld  $7, %xmm21, %xmm7                           /* 0: c >> 7 */
        vmovdqa 48(%rsp), %xmm6                             /* 0: y */
        vpslld  $25, %xmm21, %xmm5                          /* 0: c << 25 */
        vpshufd $0x39, %xmm21, %xmm3                        /* 0: words of c rotated */
        vpaddd  %xmm12, %xmm19, %xmm14                      /* 0: + x */
        vmovdqa64 FIN_LOCAL(words_blake256)+128(%rip), %zmm11 /* 2: indices of words */
        vpermd  %zmm30, %zmm11, %zmm13                      /* 2: words */
        vpxord  FIN_LOCAL(constants_blake256)+128(%rip), %zmm13, %zmm10 /* 2: words ^ constants */
        vmovdqa64 %zmm10, 128(%rsp)                         /* 2: words stored */
        vmovdqa 64(%rsp), %xmm15                            /* 1: x */
        vmovdqa64 FIN_LOCAL(words_blake256)+192(%rip), %zmm9 /* 3: indices of words */
        vpermd  %zmm30, %zmm9, %zmm18                       /* 3: words */
        vpxord  FIN_LOCAL(constants_blake256)+192(%rip), %zmm18, %zmm8 /* 3: words ^ constants */
        vmovdqa64 %zmm8, 192(%rsp)                          /* 3: words stored */
        vpternlogd $0x96, %xmm16, %xmm7, %xmm5              /* 0: b = (b ^ c) >>> 7 */
        vpaddd  %xmm5, %xmm14, %xmm17                       /* 0: a += b + x */
        vprord  $12, %xmm5, %xmm0                           /* 0: b >>> 12 */
        vpsrld  $16, %xmm17, %xmm1                          /* 0: a >> 16 */
        vpslld  $16, %xmm17, %xmm4                          /* 0: a << 16 */
        vpternlogd $0x96, %xmm2, %xmm1, %xmm4               /* 0: d = (d ^ a) >>> 16 */
        vpaddd  %xmm3, %xmm4, %xmm20                        /* 0: c += d */
        vprord  $8, %xmm4, %xmm21                           /* 0: d >>> 8 */
        vpsrld  $12, %xmm20, %xmm19                         /* 0: c >> 12 */
        vpslld  $20, %xmm20, %xmm12                         /* 0: c << 20 */
        vpternlogd $0x96, %xmm0, %xmm12, %xmm19             /* 0: b = (b ^ c) >>> 12 */
        vpaddd  %xmm6, %xmm17, %xmm11                       /* 0: + y */
        vpaddd  %xmm19, %xmm11, %xmm13                      /* 0: a += b + y */
        vpsrld  $8, %xmm13, %xmm10                          /* 0: a >> 8 */
        vpslld  $24, %xmm13, %xmm9                          /* 0: a << 24 */
        vmovdqa64 FIN_LOCAL(words_blake256)+256(%rip), %zmm18 /* 4: indices of words */
        vpermd  %zmm30, %zmm18, %zmm8                       /* 4: words */
        vpxord  FIN_LOCAL(constants_blake256)+256(%rip), %zmm8, %zmm16 /* 4: words ^ constants */
        vmovdqa64 %zmm16, 256(%rsp)                         /* 4: words stored */
        vprord  $7, %xmm19, %xmm7                           /* 0: b >>> 7 */
        vmovdqa64 FIN_LOCAL(words_blake256)+320(%rip), %zmm14 /* 5: indices of words */
        vpermd  %zmm30, %zmm14, %zmm5                       /* 5: words */
        vpxord  FIN_LOCAL(constants_blake256)+320(%rip), %zmm5, %zmm2 /* 5: words ^ constants */
        vmovdqa64 %zmm2, 320(%rsp)                          /* 5: words stored */
        vmovdqa 80(%rsp), %xmm1                             /* 1: y */
        vpternlogd $0x96, %xmm21, %xmm9, %xmm10             /* 0: d = (d ^ a) >>> 8 */
        vpaddd  %xmm20, %xmm10, %xmm3                       /* 0: c += d */
        vpshufd $0x4e, %xmm10, %xmm4                        /* 0: words of d rotated */
        vpsrld  $7, %xmm3, %xmm0                            /* 0: c >> 7 */
        vpslld  $25, %xmm3, %xmm12                          /* 0: c << 25 */
        vpshufd $0x93, %xmm3, %xmm17                        /* 0: words of c rotated */
        vprord  $16, %xmm4, %xmm6                           /* 1: d >>> 16 */
        vpternlogd $0x96, %xmm7, %xmm0, %xmm12              /* 0: b = (b ^ c) >>> 7 */
        vmovdqa64 FIN_LOCAL(words_blake256)+384(%rip), %zmm11 /* 6: indices of words */
        vpermd  %zmm30, %zmm11, %zmm18                      /* 6: words */
        vpxord  FIN_LOCAL(constants_blake256)+384(%rip), %zmm18, %zmm8 /* 6: words ^ constants */
        vmovdqa64 %zmm8, 384(%rsp)                          /* 6: words stored */
        /* ---- Round 1 ---- */
        vpshufd $0x39, %xmm13, %xmm16                       /* 0: words of a rotated */
        vpaddd  %xmm15, %xmm16, %xmm19                      /* 1: + x */
        vpaddd  %xmm12, %xmm19, %xmm14                      /* 1: a += b + x */
        vmovdqa64 FIN_LOCAL(words_blake256)+448(%rip), %zmm5 /* 7: indices of words */
        vpermd  %zmm30, %zmm5, %zmm2                        /* 7: words */
        vpxord  FIN_LOCAL(constants_blake256)+448(%rip), %zmm2, %zmm21 /* 7: words ^ constants */
        vmovdqa64 %zmm21, 448(%rsp)                         /* 7: words stored */
        vpslld  $16, %xmm14, %xmm9                          /* 1: a << 16 */
        vpsrld  $16, %xmm14, %xmm20                         /* 1: a >> 16 */
        vpternlogd $0x96, %xmm6, %xmm20, %xmm9              /* 1: d = (d ^ a) >>> 16 */
        vpaddd  %xmm17, %xmm9, %xmm10                       /* 1: c += d */
        vprord  $8, %xmm9, %xmm3                            /* 1: d >>> 8 */
        vpsrld  $12, %xmm10, %xmm4                          /* 1: c >> 12 */
        vpslld  $20, %xmm10, %xmm7                          /* 1: c << 20 */
        vmovdqa 96(%rsp), %xmm0                             /* 1: x */
        vpaddd  %xmm1, %xmm14, %xmm11                       /* 1: + y */
        vmovdqa64 FIN_LOCAL(words_blake256)+512(%rip), %zmm18 /* 8: indices of words */
        vpermd  %zmm30, %zmm18, %zmm8                       /* 8: words */
        vpxord  FIN_LOCAL(constants_blake256)+512(%rip), %zmm8, %zmm13 /* 8: words ^ constants */
        vmovdqa64 %zmm13, 512(%rsp)                         /* 8: words stored */
        vprord  $12, %xmm12, %xmm16                         /* 1: b >>> 12 */
        vpternlogd $0x96, %xmm16, %xmm7, %xmm4              /* 1: b = (b ^ c) >>> 12 */
        vpaddd  %xmm4, %xmm11, %xmm15                       /* 1: a += b + y */
        vprord  $7, %xmm4, %xmm19                           /* 1: b >>> 7 */
        vpsrld  $8, %xmm15, %xmm5                           /* 1: a >> 8 */
        vpslld  $24, %xmm15, %xmm2                          /* 1: a << 24 */
        vpshufd $0x93, %xmm15, %xmm21                       /* 1: words of a rotated */
        vpternlogd $0x96, %xmm3, %xmm2, %xmm5               /* 1: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm5, %xmm6                         /* 1: words of d rotated */
        vmovdqa64 FIN_LOCAL(words_blake256)+576(%rip), %zmm20 /* 9: indices of words */
        vpermd  %zmm30, %zmm20, %zmm17                      /* 9: words */
        vpxord  FIN_LOCAL(constants_blake256)+576(%rip), %zmm17, %zmm9 /* 9: words ^ constants */
        vmovdqa64 %zmm9, 576(%rsp)                          /* 9: words stored */
        vpaddd  %xmm10, %xmm5, %xmm14                       /* 1: c += d */
        nop
        vprord  $16, %xmm6, %xmm1                           /* 1: d >>> 16 */
        vpsrld  $7, %xmm14, %xmm18                          /* 1: c >> 7 */
        vmovdqa 112(%rsp), %xmm8                            /* 1: y */
        vpslld  $25, %xmm14, %xmm13                         /* 1: c << 25 */
        vpshufd $0x39, %xmm14, %xmm12                       /* 1: words of c rotated */
        vpaddd  %xmm0, %xmm21, %xmm16                       /* 1: + x */
        vmovdqa 128(%rsp), %xmm7                            /* 2: x */
        vpternlogd $0x96, %xmm19, %xmm18, %xmm13            /* 1: b = (b ^ c) >>> 7 */
        vpaddd  %xmm13, %xmm16, %xmm11                      /* 1: a += b + x */
        vprord  $12, %xmm13, %xmm4                          /* 1: b >>> 12 */
        vpsrld  $16, %xmm11, %xmm15                         /* 1: a >> 16 */
        vpslld  $16, %xmm11, %xmm3                          /* 1: a << 16 */
        vpternlogd $0x96, %xmm1, %xmm15, %xmm3              /* 1: d = (d ^ a) >>> 16 */
        vpaddd  %xmm12, %xmm3, %xmm2                        /* 1: c += d */
        vprord  $8, %xmm3, %xmm20                           /* 1: d >>> 8 */
        vpsrld  $12, %xmm2, %xmm17                          /* 1: c >> 12 */
        vpslld  $20, %xmm2, %xmm9                           /* 1: c << 20 */
        vpternlogd $0x96, %xmm4, %xmm9, %xmm17              /* 1: b = (b ^ c) >>> 12 */
        vpaddd  %xmm8, %xmm11, %xmm10                       /* 1: + y */
        vpaddd  %xmm17, %xmm10, %xmm5                       /* 1: a += b + y */
        vpsrld  $8, %xmm5, %xmm6                            /* 1: a >> 8 */
        vpslld  $24, %xmm5, %xmm14                          /* 1: a << 24 */
        vprord  $7, %xmm17, %xmm21                          /* 1: b >>> 7 */
        vmovdqa 144(%rsp), %xmm0                            /* 2: y */
        vpternlogd $0x96, %xmm20, %xmm14, %xmm6             /* 1: d = (d ^ a) >>> 8 */
        vpaddd  %xmm2, %xmm6, %xmm19                        /* 1: c += d */
        vpshufd $0x4e, %xmm6, %xmm18                        /* 1: words of d rotated */
        vpsrld  $7, %xmm19, %xmm16                          /* 1: c >> 7 */
        vpslld  $25, %xmm19, %xmm13                         /* 1: c << 25 */
        vpshufd $0x93, %xmm19, %xmm1                        /* 1: words of c rotated */
        vprord  $16, %xmm18, %xmm15                         /* 2: d >>> 16 */
        vpternlogd $0x96, %xmm21, %xmm16, %xmm13            /* 1: b = (b ^ c) >>> 7 */
        /* ---- Round 2 ---- */
        vpshufd $0x39, %xmm5, %xmm12                        /* 1: words of a rotated */
        vpaddd  %xmm7, %xmm12, %xmm3                        /* 2: + x */
        vpaddd  %xmm13, %xmm3, %xmm4                        /* 2: a += b + x */
        vpslld  $16, %xmm4, %xmm9                           /* 2: a << 16 */
        vpsrld  $16, %xmm4, %xmm11                          /* 2: a >> 16 */
        vpternlogd $0x96, %xmm15, %xmm11, %xmm9             /* 2: d = (d ^ a) >>> 16 */
        vpaddd  %xmm1, %xmm9, %xmm8                         /* 2: c += d */
        vprord  $8, %xmm9, %xmm10                           /* 2: d >>> 8 */
        vpsrld  $12, %xmm8, %xmm17                          /* 2: c >> 12 */
        vpslld  $20, %xmm8, %xmm20                          /* 2: c << 20 */
        vmovdqa 160(%rsp), %xmm14                           /* 2: x */
        vpaddd  %xmm0, %xmm4, %xmm2                         /* 2: + y */
        vprord  $12, %xmm13, %xmm6                          /* 2: b >>> 12 */
        vpternlogd $0x96, %xmm6, %xmm20, %xmm17             /* 2: b = (b ^ c) >>> 12 */
        vpaddd  %xmm17, %xmm2, %xmm19                       /* 2: a += b + y */
        vprord  $7, %xmm17, %xmm18                          /* 2: b >>> 7 */
        vpsrld  $8, %xmm19, %xmm21                          /* 2: a >> 8 */
        vpslld  $24, %xmm19, %xmm16                         /* 2: a << 24 */
        vpshufd $0x93, %xmm19, %xmm5                        /* 2: words of a rotated */
        vpternlogd $0x96, %xmm10, %xmm16, %xmm21            /* 2: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm21, %xmm12                       /* 2: words of d rotated */
        vpaddd  %xmm8, %xmm21, %xmm7                        /* 2: c += d */
        nop
        vprord  $16, %xmm12, %xmm3                          /* 2: d >>> 16 */
        vpsrld  $7, %xmm7, %xmm15                           /* 2: c >> 7 */
        vmovdqa 176(%rsp), %xmm11                           /* 2: y */
        vpslld  $25, %xmm7, %xmm1                           /* 2: c << 25 */
        vpshufd $0x39, %xmm7, %xmm9                         /* 2: words of c rotated */
        vpaddd  %xmm14, %xmm5, %xmm4                        /* 2: + x */
        vmovdqa 192(%rsp), %xmm0                            /* 3: x */
        vpternlogd $0x96, %xmm18, %xmm15, %xmm1             /* 2: b = (b ^ c) >>> 7 */
        vpaddd  %xmm1, %xmm4, %xmm13                        /* 2: a += b + x */
        vprord  $12, %xmm1, %xmm6                           /* 2: b >>> 12 */
        vpsrld  $16, %xmm13, %xmm20                         /* 2: a >> 16 */
        vpslld  $16, %xmm13, %xmm2                          /* 2: a << 16 */
        vpternlogd $0x96, %xmm3, %xmm20, %xmm2              /* 2: d = (d ^ a) >>> 16 */
        vpaddd  %xmm9, %xmm2, %xmm17                        /* 2: c += d */
        vprord  $8, %xmm2, %xmm19                           /* 2: d >>> 8 */
        vpsrld  $12, %xmm17, %xmm10                         /* 2: c >> 12 */
        vpslld  $20, %xmm17, %xmm16                         /* 2: c << 20 */
        vpternlogd $0x96, %xmm6, %xmm16, %xmm10             /* 2: b = (b ^ c) >>> 12 */
        vpaddd  %xmm11, %xmm13, %xmm8                       /* 2: + y */
        vpaddd  %xmm10, %xmm8, %xmm21                       /* 2: a += b + y */
        vpsrld  $8, %xmm21, %xmm12                          /* 2: a >> 8 */
        vpslld  $24, %xmm21, %xmm7                          /* 2: a << 24 */
        vprord  $7, %xmm10, %xmm5                           /* 2: b >>> 7 */
        vmovdqa 208(%rsp), %xmm14                           /* 3: y */
        vpternlogd $0x96, %xmm19, %xmm7, %xmm12             /* 2: d = (d ^ a) >>> 8 */
        vpaddd  %xmm17, %xmm12, %xmm18                      /* 2: c += d */
        vpshufd $0x4e, %xmm12, %xmm15                       /* 2: words of d rotated */
        vpsrld  $7, %xmm18, %xmm4                           /* 2: c >> 7 */
        vpslld  $25, %xmm18, %xmm1                          /* 2: c << 25 */
        vpshufd $0x93, %xmm18, %xmm3                        /* 2: words of c rotated */
        vprord  $16, %xmm15, %xmm20                         /* 3: d >>> 16 */
        vpternlogd $0x96, %xmm5, %xmm4, %xmm1               /* 2: b = (b ^ c) >>> 7 */
        /* ---- Round 3 ---- */
        vpshufd $0x39, %xmm21, %xmm9                        /* 2: words of a rotated */
        vpaddd  %xmm0, %xmm9, %xmm2                         /* 3: + x */
        vpaddd  %xmm1, %xmm2, %xmm6                         /* 3: a += b + x */
        vpslld  $16, %xmm6, %xmm16                          /* 3: a << 16 */
        vpsrld  $16, %xmm6, %xmm13                          /* 3: a >> 16 */
        vpternlogd $0x96, %xmm20, %xmm13, %xmm16            /* 3: d = (d ^ a) >>> 16 */
        vpaddd  %xmm3, %xmm16, %xmm11                       /* 3: c += d */
        vprord  $8, %xmm16, %xmm8                           /* 3: d >>> 8 */
        vpsrld  $12, %xmm11, %xmm10                         /* 3: c >> 12 */
        vpslld  $20, %xmm11, %xmm19                         /* 3: c << 20 */
        vmovdqa 224(%rsp), %xmm7                            /* 3: x */
        vpaddd  %xmm14, %xmm6, %xmm17                       /* 3: + y */
        vprord  $12, %xmm1, %xmm12                          /* 3: b >>> 12 */
        vpternlogd $0x96, %xmm12, %xmm19, %xmm10            /* 3: b = (b ^ c) >>> 12 */
        vpaddd  %xmm10, %xmm17, %xmm18                      /* 3: a += b + y */
        vprord  $7, %xmm10, %xmm15                          /* 3: b >>> 7 */
        vpsrld  $8, %xmm18, %xmm5                           /* 3: a >> 8 */
        vpslld  $24, %xmm18, %xmm4                          /* 3: a << 24 */
        vpshufd $0x93, %xmm18, %xmm21                       /* 3: words of a rotated */
        vpternlogd $0x96, %xmm8, %xmm4, %xmm5               /* 3: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm5, %xmm9                         /* 3: words of d rotated */
        vpaddd  %xmm11, %xmm5, %xmm0                        /* 3: c += d */
        nop
        vprord  $16, %xmm9, %xmm2                           /* 3: d >>> 16 */
        vpsrld  $7, %xmm0, %xmm20                           /* 3: c >> 7 */
        vmovdqa 240(%rsp), %xmm13                           /* 3: y */
        vpslld  $25, %xmm0, %xmm3                           /* 3: c << 25 */
        vpshufd $0x39, %xmm0, %xmm16                        /* 3: words of c rotated */
        vpaddd  %xmm7, %xmm21, %xmm6                        /* 3: + x */
        vmovdqa 256(%rsp), %xmm14                           /* 4: x */
        vpternlogd $0x96, %xmm15, %xmm20, %xmm3             /* 3: b = (b ^ c) >>> 7 */
        vpaddd  %xmm3, %xmm6, %xmm1                         /* 3: a += b + x */
        vprord  $12, %xmm3, %xmm12                          /* 3: b >>> 12 */
        vpsrld  $16, %xmm1, %xmm19                          /* 3: a >> 16 */
        vpslld  $16, %xmm1, %xmm17                          /* 3: a << 16 */
        vpternlogd $0x96, %xmm2, %xmm19, %xmm17             /* 3: d = (d ^ a) >>> 16 */
        vpaddd  %xmm16, %xmm17, %xmm10                      /* 3: c += d */
        vprord  $8, %xmm17, %xmm18                          /* 3: d >>> 8 */
        vpsrld  $12, %xmm10, %xmm8                          /* 3: c >> 12 */
        vpslld  $20, %xmm10, %xmm4                          /* 3: c << 20 */
        vpternlogd $0x96, %xmm12, %xmm4, %xmm8              /* 3: b = (b ^ c) >>> 12 */
        vpaddd  %xmm13, %xmm1, %xmm11                       /* 3: + y */
        vpaddd  %xmm8, %xmm11, %xmm5                        /* 3: a += b + y */
        vpsrld  $8, %xmm5, %xmm9                            /* 3: a >> 8 */
        vpslld  $24, %xmm5, %xmm0                           /* 3: a << 24 */
        vprord  $7, %xmm8, %xmm21                           /* 3: b >>> 7 */
        vmovdqa 272(%rsp), %xmm7                            /* 4: y */
        vpternlogd $0x96, %xmm18, %xmm0, %xmm9              /* 3: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm9, %xmm15                       /* 3: c += d */
        vpshufd $0x4e, %xmm9, %xmm20                        /* 3: words of d rotated */
        vpsrld  $7, %xmm15, %xmm6                           /* 3: c >> 7 */
        vpslld  $25, %xmm15, %xmm3                          /* 3: c << 25 */
        vpshufd $0x93, %xmm15, %xmm2                        /* 3: words of c rotated */
        vprord  $16, %xmm20, %xmm19                         /* 4: d >>> 16 */
        vpternlogd $0x96, %xmm21, %xmm6, %xmm3              /* 3: b = (b ^ c) >>> 7 */
        /* ---- Round 4 ---- */
        vpshufd $0x39, %xmm5, %xmm16                        /* 3: words of a rotated */
        vpaddd  %xmm14, %xmm16, %xmm17                      /* 4: + x */
        vpaddd  %xmm3, %xmm17, %xmm12                       /* 4: a += b + x */
        vpslld  $16, %xmm12, %xmm4                          /* 4: a << 16 */
        vpsrld  $16, %xmm12, %xmm1                          /* 4: a >> 16 */
        vpternlogd $0x96, %xmm19, %xmm1, %xmm4              /* 4: d = (d ^ a) >>> 16 */
        vpaddd  %xmm2, %xmm4, %xmm13                        /* 4: c += d */
        vprord  $8, %xmm4, %xmm11                           /* 4: d >>> 8 */
        vpsrld  $12, %xmm13, %xmm8                          /* 4: c >> 12 */
        vpslld  $20, %xmm13, %xmm18                         /* 4: c << 20 */
        vmovdqa 288(%rsp), %xmm0                            /* 4: x */
        vpaddd  %xmm7, %xmm12, %xmm10                       /* 4: + y */
        vprord  $12, %xmm3, %xmm9                           /* 4: b >>> 12 */
        vpternlogd $0x96, %xmm9, %xmm18, %xmm8              /* 4: b = (b ^ c) >>> 12 */
        vpaddd  %xmm8, %xmm10, %xmm15                       /* 4: a += b + y */
        vprord  $7, %xmm8, %xmm20                           /* 4: b >>> 7 */
        vpsrld  $8, %xmm15, %xmm21                          /* 4: a >> 8 */
        vpslld  $24, %xmm15, %xmm6                          /* 4: a << 24 */
        vpshufd $0x93, %xmm15, %xmm5                        /* 4: words of a rotated */
        vpternlogd $0x96, %xmm11, %xmm6, %xmm21             /* 4: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm21, %xmm16                       /* 4: words of d rotated */
        vpaddd  %xmm13, %xmm21, %xmm14                      /* 4: c += d */
        nop
        vprord  $16, %xmm16, %xmm17                         /* 4: d >>> 16 */
        vpsrld  $7, %xmm14, %xmm19                          /* 4: c >> 7 */
        vmovdqa 304(%rsp), %xmm1                            /* 4: y */
        vpslld  $25, %xmm14, %xmm2                          /* 4: c << 25 */
        vpshufd $0x39, %xmm14, %xmm4                        /* 4: words of c rotated */
        vpaddd  %xmm0, %xmm5, %xmm12                        /* 4: + x */
        vmovdqa 320(%rsp), %xmm7                            /* 5: x */
        vpternlogd $0x96, %xmm20, %xmm19, %xmm2             /* 4: b = (b ^ c) >>> 7 */
        vpaddd  %xmm2, %xmm12, %xmm3                        /* 4: a += b + x */
        vprord  $12, %xmm2, %xmm9                           /* 4: b >>> 12 */
        vpsrld  $16, %xmm3, %xmm18                          /* 4: a >> 16 */
        vpslld  $16, %xmm3, %xmm10                          /* 4: a << 16 */
        vpternlogd $0x96, %xmm17, %xmm18, %xmm10            /* 4: d = (d ^ a) >>> 16 */
        vpaddd  %xmm4, %xmm10, %xmm8                        /* 4: c += d */
        vprord  $8, %xmm10, %xmm15                          /* 4: d >>> 8 */
        vpsrld  $12, %xmm8, %xmm11                          /* 4: c >> 12 */
        vpslld  $20, %xmm8, %xmm6                           /* 4: c << 20 */
        vpternlogd $0x96, %xmm9, %xmm6, %xmm11              /* 4: b = (b ^ c) >>> 12 */
        vpaddd  %xmm1, %xmm3, %xmm13                        /* 4: + y */
        vpaddd  %xmm11, %xmm13, %xmm21                      /* 4: a += b + y */
        vpsrld  $8, %xmm21, %xmm16                          /* 4: a >> 8 */
        vpslld  $24, %xmm21, %xmm14                         /* 4: a << 24 */
        vprord  $7, %xmm11, %xmm5                           /* 4: b >>> 7 */
        vmovdqa 336(%rsp), %xmm0                            /* 5: y */
        vpternlogd $0x96, %xmm15, %xmm14, %xmm16            /* 4: d = (d ^ a) >>> 8 */
        vpaddd  %xmm8, %xmm16, %xmm20                       /* 4: c += d */
        vpshufd $0x4e, %xmm16, %xmm19                       /* 4: words of d rotated */
        vpsrld  $7, %xmm20, %xmm12                          /* 4: c >> 7 */
        vpslld  $25, %xmm20, %xmm2                          /* 4: c << 25 */
        vpshufd $0x93, %xmm20, %xmm17                       /* 4: words of c rotated */
        vprord  $16, %xmm19, %xmm18                         /* 5: d >>> 16 */
        vpternlogd $0x96, %xmm5, %xmm12, %xmm2              /* 4: b = (b ^ c) >>> 7 */
        /* ---- Round 5 ---- */
        vpshufd $0x39, %xmm21, %xmm4                        /* 4: words of a rotated */
        vpaddd  %xmm7, %xmm4, %xmm10                        /* 5: + x */
        vpaddd  %xmm2, %xmm10, %xmm9                        /* 5: a += b + x */
        vpslld  $16, %xmm9, %xmm6                           /* 5: a << 16 */
        vpsrld  $16, %xmm9, %xmm3                           /* 5: a >> 16 */
        vpternlogd $0x96, %xmm18, %xmm3, %xmm6              /* 5: d = (d ^ a) >>> 16 */
        vpaddd  %xmm17, %xmm6, %xmm1                        /* 5: c += d */
        vprord  $8, %xmm6, %xmm13                           /* 5: d >>> 8 */
        vpsrld  $12, %xmm1, %xmm11                          /* 5: c >> 12 */
        vpslld  $20, %xmm1, %xmm15                          /* 5: c << 20 */
        vmovdqa 352(%rsp), %xmm14                           /* 5: x */
        vpaddd  %xmm0, %xmm9, %xmm8                         /* 5: + y */
        vprord  $12, %xmm2, %xmm16                          /* 5: b >>> 12 */
        vpternlogd $0x96, %xmm16, %xmm15, %xmm11            /* 5: b = (b ^ c) >>> 12 */
        vpaddd  %xmm11, %xmm8, %xmm20                       /* 5: a += b + y */
        vprord  $7, %xmm11, %xmm19                          /* 5: b >>> 7 */
        vpsrld  $8, %xmm20, %xmm5                           /* 5: a >> 8 */
        vpslld  $24, %xmm20, %xmm12                         /* 5: a << 24 */
        vpshufd $0x93, %xmm20, %xmm21                       /* 5: words of a rotated */
        vpternlogd $0x96, %xmm13, %xmm12, %xmm5             /* 5: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm5, %xmm4                         /* 5: words of d rotated */
        vpaddd  %xmm1, %xmm5, %xmm7                         /* 5: c += d */
        nop
        vprord  $16, %xmm4, %xmm10                          /* 5: d >>> 16 */
        vpsrld  $7, %xmm7, %xmm18                           /* 5: c >> 7 */
        vmovdqa 368(%rsp), %xmm3                            /* 5: y */
        vpslld  $25, %xmm7, %xmm17                          /* 5: c << 25 */
        vpshufd $0x39, %xmm7, %xmm6                         /* 5: words of c rotated */
        vpaddd  %xmm14, %xmm21, %xmm9                       /* 5: + x */
        vmovdqa 384(%rsp), %xmm0                            /* 6: x */
        vpternlogd $0x96, %xmm19, %xmm18, %xmm17            /* 5: b = (b ^ c) >>> 7 */
        vpaddd  %xmm17, %xmm9, %xmm2                        /* 5: a += b + x */
        vprord  $12, %xmm17, %xmm16                         /* 5: b >>> 12 */
        vpsrld  $16, %xmm2, %xmm15                          /* 5: a >> 16 */
        vpslld  $16, %xmm2, %xmm8                           /* 5: a << 16 */
        vpternlogd $0x96, %xmm10, %xmm15, %xmm8             /* 5: d = (d ^ a) >>> 16 */
        vpaddd  %xmm6, %xmm8, %xmm11                        /* 5: c += d */
        vprord  $8, %xmm8, %xmm20                           /* 5: d >>> 8 */
        vpsrld  $12, %xmm11, %xmm13                         /* 5: c >> 12 */
        vpslld  $20, %xmm11, %xmm12                         /* 5: c << 20 */
        vpternlogd $0x96, %xmm16, %xmm12, %xmm13            /* 5: b = (b ^ c) >>> 12 */
        vpaddd  %xmm3, %xmm2, %xmm1                         /* 5: + y */
        vpaddd  %xmm13, %xmm1, %xmm5                        /* 5: a += b + y */
        vpsrld  $8, %xmm5, %xmm4                            /* 5: a >> 8 */
        vpslld  $24, %xmm5, %xmm7                           /* 5: a << 24 */
        vprord  $7, %xmm13, %xmm21                          /* 5: b >>> 7 */
        vmovdqa 400(%rsp), %xmm14                           /* 6: y */
        vpternlogd $0x96, %xmm20, %xmm7, %xmm4              /* 5: d = (d ^ a) >>> 8 */
        vpaddd  %xmm11, %xmm4, %xmm19                       /* 5: c += d */
        vpshufd $0x4e, %xmm4, %xmm18                        /* 5: words of d rotated */
        vpsrld  $7, %xmm19, %xmm9                           /* 5: c >> 7 */
        vpslld  $25, %xmm19, %xmm17                         /* 5: c << 25 */
        vpshufd $0x93, %xmm19, %xmm10                       /* 5: words of c rotated */
        vprord  $16, %xmm18, %xmm15                         /* 6: d >>> 16 */
        vpternlogd $0x96, %xmm21, %xmm9, %xmm17             /* 5: b = (b ^ c) >>> 7 */
        /* ---- Round 6 ---- */
        vpshufd $0x39, %xmm5, %xmm6                         /* 5: words of a rotated */
        vpaddd  %xmm0, %xmm6, %xmm8                         /* 6: + x */
        vpaddd  %xmm17, %xmm8, %xmm16                       /* 6: a += b + x */
        vpslld  $16, %xmm16, %xmm12                         /* 6: a << 16 */
        vpsrld  $16, %xmm16, %xmm2                          /* 6: a >> 16 */
        vpternlogd $0x96, %xmm15, %xmm2, %xmm12             /* 6: d = (d ^ a) >>> 16 */
        vpaddd  %xmm10, %xmm12, %xmm3                       /* 6: c += d */
        vprord  $8, %xmm12, %xmm1                           /* 6: d >>> 8 */
        vpsrld  $12, %xmm3, %xmm13                          /* 6: c >> 12 */
        vpslld  $20, %xmm3, %xmm20                          /* 6: c << 20 */
        vmovdqa 416(%rsp), %xmm7                            /* 6: x */
        vpaddd  %xmm14, %xmm16, %xmm11                      /* 6: + y */
        vprord  $12, %xmm17, %xmm4                          /* 6: b >>> 12 */
        vpternlogd $0x96, %xmm4, %xmm20, %xmm13             /* 6: b = (b ^ c) >>> 12 */
        vpaddd  %xmm13, %xmm11, %xmm19                      /* 6: a += b + y */
        vprord  $7, %xmm13, %xmm18                          /* 6: b >>> 7 */
        vpsrld  $8, %xmm19, %xmm21                          /* 6: a >> 8 */
        vpslld  $24, %xmm19, %xmm9                          /* 6: a << 24 */
        vpshufd $0x93, %xmm19, %xmm5                        /* 6: words of a rotated */
        vpternlogd $0x96, %xmm1, %xmm9, %xmm21              /* 6: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm21, %xmm6                        /* 6: words of d rotated */
        vpaddd  %xmm3, %xmm21, %xmm0                        /* 6: c += d */
        nop
        vprord  $16, %xmm6, %xmm8                           /* 6: d >>> 16 */
        vpsrld  $7, %xmm0, %xmm15                           /* 6: c >> 7 */
        vmovdqa 432(%rsp), %xmm2                            /* 6: y */
        vpslld  $25, %xmm0, %xmm10                          /* 6: c << 25 */
        vpshufd $0x39, %xmm0, %xmm12                        /* 6: words of c rotated */
        vpaddd  %xmm7, %xmm5, %xmm16                        /* 6: + x */
        vmovdqa 448(%rsp), %xmm14                           /* 7: x */
        vpternlogd $0x96, %xmm18, %xmm15, %xmm10            /* 6: b = (b ^ c) >>> 7 */
        vpaddd  %xmm10, %xmm16, %xmm17                      /* 6: a += b + x */
        vprord  $12, %xmm10, %xmm4                          /* 6: b >>> 12 */
        vpsrld  $16, %xmm17, %xmm20                         /* 6: a >> 16 */
        vpslld  $16, %xmm17, %xmm11                         /* 6: a << 16 */
        vpternlogd $0x96, %xmm8, %xmm20, %xmm11             /* 6: d = (d ^ a) >>> 16 */
        vpaddd  %xmm12, %xmm11, %xmm13                      /* 6: c += d */
        vprord  $8, %xmm11, %xmm19                          /* 6: d >>> 8 */
        vpsrld  $12, %xmm13, %xmm1                          /* 6: c >> 12 */
        vpslld  $20, %xmm13, %xmm9                          /* 6: c << 20 */
        vpternlogd $0x96, %xmm4, %xmm9, %xmm1               /* 6: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm17, %xmm3                        /* 6: + y */
        vpaddd  %xmm1, %xmm3, %xmm21                        /* 6: a += b + y */
        vpsrld  $8, %xmm21, %xmm6                           /* 6: a >> 8 */
        vpslld  $24, %xmm21, %xmm0                          /* 6: a << 24 */
        vprord  $7, %xmm1, %xmm5                            /* 6: b >>> 7 */
        vmovdqa 464(%rsp), %xmm7                            /* 7: y */
        vpternlogd $0x96, %xmm19, %xmm0, %xmm6              /* 6: d = (d ^ a) >>> 8 */
        vpaddd  %xmm13, %xmm6, %xmm18                       /* 6: c += d */
        vpshufd $0x4e, %xmm6, %xmm15                        /* 6: words of d rotated */
        vpsrld  $7, %xmm18, %xmm16                          /* 6: c >> 7 */
        vpslld  $25, %xmm18, %xmm10                         /* 6: c << 25 */
        vpshufd $0x93, %xmm18, %xmm8                        /* 6: words of c rotated */
        vprord  $16, %xmm15, %xmm20                         /* 7: d >>> 16 */
        vpternlogd $0x96, %xmm5, %xmm16, %xmm10             /* 6: b = (b ^ c) >>> 7 */
        /* ---- Round 7 ---- */
        vpshufd $0x39, %xmm21, %xmm12                       /* 6: words of a rotated */
        vpaddd  %xmm14, %xmm12, %xmm11                      /* 7: + x */
        vpaddd  %xmm10, %xmm11, %xmm4                       /* 7: a += b + x */
        vpslld  $16, %xmm4, %xmm9                           /* 7: a << 16 */
        vpsrld  $16, %xmm4, %xmm17                          /* 7: a >> 16 */
        vpternlogd $0x96, %xmm20, %xmm17, %xmm9             /* 7: d = (d ^ a) >>> 16 */
        vpaddd  %xmm8, %xmm9, %xmm2                         /* 7: c += d */
        vprord  $8, %xmm9, %xmm3                            /* 7: d >>> 8 */
        vpsrld  $12, %xmm2, %xmm1                           /* 7: c >> 12 */
        vpslld  $20, %xmm2, %xmm19                          /* 7: c << 20 */
        vmovdqa 480(%rsp), %xmm0                            /* 7: x */
        vpaddd  %xmm7, %xmm4, %xmm13                        /* 7: + y */
        vprord  $12, %xmm10, %xmm6                          /* 7: b >>> 12 */
        vpternlogd $0x96, %xmm6, %xmm19, %xmm1              /* 7: b = (b ^ c) >>> 12 */
        vpaddd  %xmm1, %xmm13, %xmm18                       /* 7: a += b + y */
        vprord  $7, %xmm1, %xmm15                           /* 7: b >>> 7 */
        vpsrld  $8, %xmm18, %xmm5                           /* 7: a >> 8 */
        vpslld  $24, %xmm18, %xmm16                         /* 7: a << 24 */
        vpshufd $0x93, %xmm18, %xmm21                       /* 7: words of a rotated */
        vpternlogd $0x96, %xmm3, %xmm16, %xmm5              /* 7: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm5, %xmm12                        /* 7: words of d rotated */
        vpaddd  %xmm2, %xmm5, %xmm14                        /* 7: c += d */
        nop
        vprord  $16, %xmm12, %xmm11                         /* 7: d >>> 16 */
        vpsrld  $7, %xmm14, %xmm20                          /* 7: c >> 7 */
        vmovdqa64 496(%rsp), %xmm17                         /* 7: y */
        vpslld  $25, %xmm14, %xmm8                          /* 7: c << 25 */
        vpshufd $0x39, %xmm14, %xmm9                        /* 7: words of c rotated */
        vpaddd  %xmm0, %xmm21, %xmm4                        /* 7: + x */
        vmovdqa 512(%rsp), %xmm7                            /* 8: x */
        vpternlogd $0x96, %xmm15, %xmm20, %xmm8             /* 7: b = (b ^ c) >>> 7 */
        vpaddd  %xmm8, %xmm4, %xmm10                        /* 7: a += b + x */
        vprord  $12, %xmm8, %xmm6                           /* 7: b >>> 12 */
        vpsrld  $16, %xmm10, %xmm19                         /* 7: a >> 16 */
        vpslld  $16, %xmm10, %xmm13                         /* 7: a << 16 */
        vpternlogd $0x96, %xmm11, %xmm19, %xmm13            /* 7: d = (d ^ a) >>> 16 */
        vpaddd  %xmm9, %xmm13, %xmm1                        /* 7: c += d */
        vprord  $8, %xmm13, %xmm18                          /* 7: d >>> 8 */
        vpsrld  $12, %xmm1, %xmm3                           /* 7: c >> 12 */
        vpslld  $20, %xmm1, %xmm16                          /* 7: c << 20 */
        vpternlogd $0x96, %xmm6, %xmm16, %xmm3              /* 7: b = (b ^ c) >>> 12 */
        vpaddd  %xmm17, %xmm10, %xmm2                       /* 7: + y */
        vpaddd  %xmm3, %xmm2, %xmm5                         /* 7: a += b + y */
        vpsrld  $8, %xmm5, %xmm12                           /* 7: a >> 8 */
        vpslld  $24, %xmm5, %xmm14                          /* 7: a << 24 */
        vprord  $7, %xmm3, %xmm21                           /* 7: b >>> 7 */
        vmovdqa 528(%rsp), %xmm0                            /* 8: y */
        vpternlogd $0x96, %xmm18, %xmm14, %xmm12            /* 7: d = (d ^ a) >>> 8 */
        vpaddd  %xmm1, %xmm12, %xmm15                       /* 7: c += d */
        vpshufd $0x4e, %xmm12, %xmm20                       /* 7: words of d rotated */
        vpsrld  $7, %xmm15, %xmm4                           /* 7: c >> 7 */
        vpslld  $25, %xmm15, %xmm8                          /* 7: c << 25 */
        vpshufd $0x93, %xmm15, %xmm11                       /* 7: words of c rotated */
        vprord  $16, %xmm20, %xmm19                         /* 8: d >>> 16 */
        vpternlogd $0x96, %xmm21, %xmm4, %xmm8              /* 7: b = (b ^ c) >>> 7 */
        /* ---- Round 8 ---- */
        vpshufd $0x39, %xmm5, %xmm9                         /* 7: words of a rotated */
        vpaddd  %xmm7, %xmm9, %xmm13                        /* 8: + x */
        vpaddd  %xmm8, %xmm13, %xmm6                        /* 8: a += b + x */
        vpslld  $16, %xmm6, %xmm16                          /* 8: a << 16 */
        vpsrld  $16, %xmm6, %xmm10                          /* 8: a >> 16 */
        vpternlogd $0x96, %xmm19, %xmm10, %xmm16            /* 8: d = (d ^ a) >>> 16 */
        vpaddd  %xmm11, %xmm16, %xmm17                      /* 8: c += d */
        vprord  $8, %xmm16, %xmm2                           /* 8: d >>> 8 */
        vpsrld  $12, %xmm17, %xmm3                          /* 8: c >> 12 */
        vpslld  $20, %xmm17, %xmm18                         /* 8: c << 20 */
        vmovdqa 544(%rsp), %xmm14                           /* 8: x */
        vpaddd  %xmm0, %xmm6, %xmm1                         /* 8: + y */
        vprord  $12, %xmm8, %xmm12                          /* 8: b >>> 12 */
        vpternlogd $0x96, %xmm12, %xmm18, %xmm3             /* 8: b = (b ^ c) >>> 12 */
        vpaddd  %xmm3, %xmm1, %xmm15                        /* 8: a += b + y */
        vprord  $7, %xmm3, %xmm20                           /* 8: b >>> 7 */
        vpsrld  $8, %xmm15, %xmm21                          /* 8: a >> 8 */
        vpslld  $24, %xmm15, %xmm4                          /* 8: a << 24 */
        vpshufd $0x93, %xmm15, %xmm5                        /* 8: words of a rotated */
        vpternlogd $0x96, %xmm2, %xmm4, %xmm21              /* 8: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm21, %xmm9                        /* 8: words of d rotated */
        vpaddd  %xmm17, %xmm21, %xmm7                       /* 8: c += d */
        nop
        vprord  $16, %xmm9, %xmm13                          /* 8: d >>> 16 */
        vpsrld  $7, %xmm7, %xmm19                           /* 8: c >> 7 */
        vmovdqa 560(%rsp), %xmm10                           /* 8: y */
        vpslld  $25, %xmm7, %xmm11                          /* 8: c << 25 */
        vpshufd $0x39, %xmm7, %xmm16                        /* 8: words of c rotated */
        vpaddd  %xmm14, %xmm5, %xmm6                        /* 8: + x */
        vmovdqa 576(%rsp), %xmm0                            /* 9: x */
        vpternlogd $0x96, %xmm20, %xmm19, %xmm11            /* 8: b = (b ^ c) >>> 7 */
        vpaddd  %xmm11, %xmm6, %xmm8                        /* 8: a += b + x */
        vprord  $12, %xmm11, %xmm12                         /* 8: b >>> 12 */
        vpsrld  $16, %xmm8, %xmm18                          /* 8: a >> 16 */
        vpslld  $16, %xmm8, %xmm1                           /* 8: a << 16 */
        vpternlogd $0x96, %xmm13, %xmm18, %xmm1             /* 8: d = (d ^ a) >>> 16 */
        vpaddd  %xmm16, %xmm1, %xmm3                        /* 8: c += d */
        vprord  $8, %xmm1, %xmm15                           /* 8: d >>> 8 */
        vpsrld  $12, %xmm3, %xmm2                           /* 8: c >> 12 */
        vpslld  $20, %xmm3, %xmm4                           /* 8: c << 20 */
        vpternlogd $0x96, %xmm12, %xmm4, %xmm2              /* 8: b = (b ^ c) >>> 12 */
        vpaddd  %xmm10, %xmm8, %xmm17                       /* 8: + y */
        vpaddd  %xmm2, %xmm17, %xmm21                       /* 8: a += b + y */
        vpsrld  $8, %xmm21, %xmm9                           /* 8: a >> 8 */
        vpslld  $24, %xmm21, %xmm7                          /* 8: a << 24 */
        vprord  $7, %xmm2, %xmm5                            /* 8: b >>> 7 */
        vmovdqa 592(%rsp), %xmm14                           /* 9: y */
        vpternlogd $0x96, %xmm15, %xmm7, %xmm9              /* 8: d = (d ^ a) >>> 8 */
        vpaddd  %xmm3, %xmm9, %xmm20                        /* 8: c += d */
        vpshufd $0x4e, %xmm9, %xmm19                        /* 8: words of d rotated */
        vpsrld  $7, %xmm20, %xmm6                           /* 8: c >> 7 */
        vpslld  $25, %xmm20, %xmm11                         /* 8: c << 25 */
        vpshufd $0x93, %xmm20, %xmm13                       /* 8: words of c rotated */
        vprord  $16, %xmm19, %xmm18                         /* 9: d >>> 16 */
        vpternlogd $0x96, %xmm5, %xmm6, %xmm11              /* 8: b = (b ^ c) >>> 7 */
        /* ---- Round 9 ---- */
        vpshufd $0x39, %xmm21, %xmm16                       /* 8: words of a rotated */
        vpaddd  %xmm0, %xmm16, %xmm1                        /* 9: + x */
        vpaddd  %xmm11, %xmm1, %xmm12                       /* 9: a += b + x */
        vpslld  $16, %xmm12, %xmm4                          /* 9: a << 16 */
        vpsrld  $16, %xmm12, %xmm8                          /* 9: a >> 16 */
        vpternlogd $0x96, %xmm18, %xmm8, %xmm4              /* 9: d = (d ^ a) >>> 16 */
        vpaddd  %xmm13, %xmm4, %xmm10                       /* 9: c += d */
        vprord  $8, %xmm4, %xmm17                           /* 9: d >>> 8 */
        vpsrld  $12, %xmm10, %xmm2                          /* 9: c >> 12 */
        vpslld  $20, %xmm10, %xmm15                         /* 9: c << 20 */
        vmovdqa 608(%rsp), %xmm7                            /* 9: x */
        vpaddd  %xmm14, %xmm12, %xmm3                       /* 9: + y */
        vprord  $12, %xmm11, %xmm9                          /* 9: b >>> 12 */
        vpternlogd $0x96, %xmm9, %xmm15, %xmm2              /* 9: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm3, %xmm20                        /* 9: a += b + y */
        vprord  $7, %xmm2, %xmm19                           /* 9: b >>> 7 */
        vpsrld  $8, %xmm20, %xmm5                           /* 9: a >> 8 */
        vpslld  $24, %xmm20, %xmm6                          /* 9: a << 24 */
        vpshufd $0x93, %xmm20, %xmm21                       /* 9: words of a rotated */
        vpternlogd $0x96, %xmm17, %xmm6, %xmm5              /* 9: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm5, %xmm16                        /* 9: words of d rotated */
        vpaddd  %xmm10, %xmm5, %xmm0                        /* 9: c += d */
        nop
        vprord  $16, %xmm16, %xmm1                          /* 9: d >>> 16 */
        vpsrld  $7, %xmm0, %xmm18                           /* 9: c >> 7 */
        vmovdqa 624(%rsp), %xmm8                            /* 9: y */
        vpslld  $25, %xmm0, %xmm13                          /* 9: c << 25 */
        vpshufd $0x39, %xmm0, %xmm4                         /* 9: words of c rotated */
        vpaddd  %xmm7, %xmm21, %xmm12                       /* 9: + x */
        vmovdqa 0(%rsp), %xmm14                             /* 10: x */
        vpternlogd $0x96, %xmm19, %xmm18, %xmm13            /* 9: b = (b ^ c) >>> 7 */
        vpaddd  %xmm13, %xmm12, %xmm11                      /* 9: a += b + x */
        vprord  $12, %xmm13, %xmm9                          /* 9: b >>> 12 */
        vpsrld  $16, %xmm11, %xmm15                         /* 9: a >> 16 */
        vpslld  $16, %xmm11, %xmm3                          /* 9: a << 16 */
        vpternlogd $0x96, %xmm1, %xmm15, %xmm3              /* 9: d = (d ^ a) >>> 16 */
        vpaddd  %xmm4, %xmm3, %xmm2                         /* 9: c += d */
        vprord  $8, %xmm3, %xmm20                           /* 9: d >>> 8 */
        vpsrld  $12, %xmm2, %xmm17                          /* 9: c >> 12 */
        vpslld  $20, %xmm2, %xmm6                           /* 9: c << 20 */
        vpternlogd $0x96, %xmm9, %xmm6, %xmm17              /* 9: b = (b ^ c) >>> 12 */
        vpaddd  %xmm8, %xmm11, %xmm10                       /* 9: + y */
        vpaddd  %xmm17, %xmm10, %xmm5                       /* 9: a += b + y */
        vpsrld  $8, %xmm5, %xmm16                           /* 9: a >> 8 */
        vpslld  $24, %xmm5, %xmm0                           /* 9: a << 24 */
        vprord  $7, %xmm17, %xmm21                          /* 9: b >>> 7 */
        vmovdqa 16(%rsp), %xmm7                             /* 10: y */
        vpternlogd $0x96, %xmm20, %xmm0, %xmm16             /* 9: d = (d ^ a) >>> 8 */
        vpaddd  %xmm2, %xmm16, %xmm19                       /* 9: c += d */
        vpshufd $0x4e, %xmm16, %xmm18                       /* 9: words of d rotated */
        vpsrld  $7, %xmm19, %xmm12                          /* 9: c >> 7 */
        vpslld  $25, %xmm19, %xmm13                         /* 9: c << 25 */
        vpshufd $0x93, %xmm19, %xmm1                        /* 9: words of c rotated */
        vprord  $16, %xmm18, %xmm15                         /* 10: d >>> 16 */
        vpternlogd $0x96, %xmm21, %xmm12, %xmm13            /* 9: b = (b ^ c) >>> 7 */
        /* ---- Round 10 ---- */
        vpshufd $0x39, %xmm5, %xmm4                         /* 9: words of a rotated */
        vpaddd  %xmm14, %xmm4, %xmm3                        /* 10: + x */
        vpaddd  %xmm13, %xmm3, %xmm9                        /* 10: a += b + x */
        vpslld  $16, %xmm9, %xmm6                           /* 10: a << 16 */
        vpsrld  $16, %xmm9, %xmm11                          /* 10: a >> 16 */
        vpternlogd $0x96, %xmm15, %xmm11, %xmm6             /* 10: d = (d ^ a) >>> 16 */
        vpaddd  %xmm1, %xmm6, %xmm8                         /* 10: c += d */
        vprord  $8, %xmm6, %xmm10                           /* 10: d >>> 8 */
        vpsrld  $12, %xmm8, %xmm17                          /* 10: c >> 12 */
        vpslld  $20, %xmm8, %xmm20                          /* 10: c << 20 */
        vmovdqa 32(%rsp), %xmm0                             /* 10: x */
        vpaddd  %xmm7, %xmm9, %xmm2                         /* 10: + y */
        vprord  $12, %xmm13, %xmm16                         /* 10: b >>> 12 */
        vpternlogd $0x96, %xmm16, %xmm20, %xmm17            /* 10: b = (b ^ c) >>> 12 */
        vpaddd  %xmm17, %xmm2, %xmm19                       /* 10: a += b + y */
        vprord  $7, %xmm17, %xmm18                          /* 10: b >>> 7 */
        vpsrld  $8, %xmm19, %xmm21                          /* 10: a >> 8 */
        vpslld  $24, %xmm19, %xmm12                         /* 10: a << 24 */
        vpshufd $0x93, %xmm19, %xmm5                        /* 10: words of a rotated */
        vpternlogd $0x96, %xmm10, %xmm12, %xmm21            /* 10: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm21, %xmm4                        /* 10: words of d rotated */
        vpaddd  %xmm8, %xmm21, %xmm14                       /* 10: c += d */
        nop
        vprord  $16, %xmm4, %xmm3                           /* 10: d >>> 16 */
        vpsrld  $7, %xmm14, %xmm15                          /* 10: c >> 7 */
        vmovdqa 48(%rsp), %xmm11                            /* 10: y */
        vpslld  $25, %xmm14, %xmm1                          /* 10: c << 25 */
        vpshufd $0x39, %xmm14, %xmm6                        /* 10: words of c rotated */
        vpaddd  %xmm0, %xmm5, %xmm9                         /* 10: + x */
        vmovdqa 64(%rsp), %xmm7                             /* 11: x */
        vpternlogd $0x96, %xmm18, %xmm15, %xmm1             /* 10: b = (b ^ c) >>> 7 */
        vpaddd  %xmm1, %xmm9, %xmm13                        /* 10: a += b + x */
        vprord  $12, %xmm1, %xmm16                          /* 10: b >>> 12 */
        vpsrld  $16, %xmm13, %xmm20                         /* 10: a >> 16 */
        vpslld  $16, %xmm13, %xmm2                          /* 10: a << 16 */
        vpternlogd $0x96, %xmm3, %xmm20, %xmm2              /* 10: d = (d ^ a) >>> 16 */
        vpaddd  %xmm6, %xmm2, %xmm17                        /* 10: c += d */
        vprord  $8, %xmm2, %xmm19                           /* 10: d >>> 8 */
        vpsrld  $12, %xmm17, %xmm10                         /* 10: c >> 12 */
        vpslld  $20, %xmm17, %xmm12                         /* 10: c << 20 */
        vpternlogd $0x96, %xmm16, %xmm12, %xmm10            /* 10: b = (b ^ c) >>> 12 */
        vpaddd  %xmm11, %xmm13, %xmm8                       /* 10: + y */
        vpaddd  %xmm10, %xmm8, %xmm21                       /* 10: a += b + y */
        vpsrld  $8, %xmm21, %xmm4                           /* 10: a >> 8 */
        vpslld  $24, %xmm21, %xmm14                         /* 10: a << 24 */
        vprord  $7, %xmm10, %xmm5                           /* 10: b >>> 7 */
        vmovdqa 80(%rsp), %xmm0                             /* 11: y */
        vpternlogd $0x96, %xmm19, %xmm14, %xmm4             /* 10: d = (d ^ a) >>> 8 */
        vpaddd  %xmm17, %xmm4, %xmm18                       /* 10: c += d */
        vpshufd $0x4e, %xmm4, %xmm15                        /* 10: words of d rotated */
        vpsrld  $7, %xmm18, %xmm9                           /* 10: c >> 7 */
        vpslld  $25, %xmm18, %xmm1                          /* 10: c << 25 */
        vpshufd $0x93, %xmm18, %xmm3                        /* 10: words of c rotated */
        vprord  $16, %xmm15, %xmm20                         /* 11: d >>> 16 */
        vpternlogd $0x96, %xmm5, %xmm9, %xmm1               /* 10: b = (b ^ c) >>> 7 */
        /* ---- Round 11 ---- */
        vpshufd $0x39, %xmm21, %xmm6                        /* 10: words of a rotated */
        vpaddd  %xmm7, %xmm6, %xmm2                         /* 11: + x */
        vpaddd  %xmm1, %xmm2, %xmm16                        /* 11: a += b + x */
        vpslld  $16, %xmm16, %xmm12                         /* 11: a << 16 */
        vpsrld  $16, %xmm16, %xmm13                         /* 11: a >> 16 */
        vpternlogd $0x96, %xmm20, %xmm13, %xmm12            /* 11: d = (d ^ a) >>> 16 */
        vpaddd  %xmm3, %xmm12, %xmm11                       /* 11: c += d */
        vprord  $8, %xmm12, %xmm8                           /* 11: d >>> 8 */
        vpsrld  $12, %xmm11, %xmm10                         /* 11: c >> 12 */
        vpslld  $20, %xmm11, %xmm19                         /* 11: c << 20 */
        vmovdqa 96(%rsp), %xmm14                            /* 11: x */
        vpaddd  %xmm0, %xmm16, %xmm17                       /* 11: + y */
        vprord  $12, %xmm1, %xmm4                           /* 11: b >>> 12 */
        vpternlogd $0x96, %xmm4, %xmm19, %xmm10             /* 11: b = (b ^ c) >>> 12 */
        vpaddd  %xmm10, %xmm17, %xmm18                      /* 11: a += b + y */
        vprord  $7, %xmm10, %xmm15                          /* 11: b >>> 7 */
        vpsrld  $8, %xmm18, %xmm5                           /* 11: a >> 8 */
        vpslld  $24, %xmm18, %xmm9                          /* 11: a << 24 */
        vpshufd $0x93, %xmm18, %xmm21                       /* 11: words of a rotated */
        vpternlogd $0x96, %xmm8, %xmm9, %xmm5               /* 11: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm5, %xmm6                         /* 11: words of d rotated */
        vpaddd  %xmm11, %xmm5, %xmm7                        /* 11: c += d */
        nop
        vprord  $16, %xmm6, %xmm2                           /* 11: d >>> 16 */
        vpsrld  $7, %xmm7, %xmm20                           /* 11: c >> 7 */
        vmovdqa 112(%rsp), %xmm13                           /* 11: y */
        vpslld  $25, %xmm7, %xmm3                           /* 11: c << 25 */
        vpshufd $0x39, %xmm7, %xmm12                        /* 11: words of c rotated */
        vpaddd  %xmm14, %xmm21, %xmm16                      /* 11: + x */
        vmovdqa 128(%rsp), %xmm0                            /* 12: x */
        vpternlogd $0x96, %xmm15, %xmm20, %xmm3             /* 11: b = (b ^ c) >>> 7 */
        vpaddd  %xmm3, %xmm16, %xmm1                        /* 11: a += b + x */
        vprord  $12, %xmm3, %xmm4                           /* 11: b >>> 12 */
        vpsrld  $16, %xmm1, %xmm19                          /* 11: a >> 16 */
        vpslld  $16, %xmm1, %xmm17                          /* 11: a << 16 */
        vpternlogd $0x96, %xmm2, %xmm19, %xmm17             /* 11: d = (d ^ a) >>> 16 */
        vpaddd  %xmm12, %xmm17, %xmm10                      /* 11: c += d */
        vprord  $8, %xmm17, %xmm18                          /* 11: d >>> 8 */
        vpsrld  $12, %xmm10, %xmm8                          /* 11: c >> 12 */
        vpslld  $20, %xmm10, %xmm9                          /* 11: c << 20 */
        vpternlogd $0x96, %xmm4, %xmm9, %xmm8               /* 11: b = (b ^ c) >>> 12 */
        vpaddd  %xmm13, %xmm1, %xmm11                       /* 11: + y */
        vpaddd  %xmm8, %xmm11, %xmm5                        /* 11: a += b + y */
        vpsrld  $8, %xmm5, %xmm6                            /* 11: a >> 8 */
        vpslld  $24, %xmm5, %xmm7                           /* 11: a << 24 */
        vprord  $7, %xmm8, %xmm21                           /* 11: b >>> 7 */
        vmovdqa 144(%rsp), %xmm14                           /* 12: y */
        vpternlogd $0x96, %xmm18, %xmm7, %xmm6              /* 11: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm6, %xmm15                       /* 11: c += d */
        vpshufd $0x4e, %xmm6, %xmm20                        /* 11: words of d rotated */
        vpsrld  $7, %xmm15, %xmm16                          /* 11: c >> 7 */
        vpslld  $25, %xmm15, %xmm3                          /* 11: c << 25 */
        vpshufd $0x93, %xmm15, %xmm2                        /* 11: words of c rotated */
        vprord  $16, %xmm20, %xmm19                         /* 12: d >>> 16 */
        vpternlogd $0x96, %xmm21, %xmm16, %xmm3             /* 11: b = (b ^ c) >>> 7 */
        /* ---- Round 12 ---- */
        vpshufd $0x39, %xmm5, %xmm12                        /* 11: words of a rotated */
        vpaddd  %xmm0, %xmm12, %xmm17                       /* 12: + x */
        vpaddd  %xmm3, %xmm17, %xmm4                        /* 12: a += b + x */
        vpslld  $16, %xmm4, %xmm9                           /* 12: a << 16 */
        vpsrld  $16, %xmm4, %xmm1                           /* 12: a >> 16 */
        vpternlogd $0x96, %xmm19, %xmm1, %xmm9              /* 12: d = (d ^ a) >>> 16 */
        vpaddd  %xmm2, %xmm9, %xmm13                        /* 12: c += d */
        vprord  $8, %xmm9, %xmm11                           /* 12: d >>> 8 */
        vpsrld  $12, %xmm13, %xmm8                          /* 12: c >> 12 */
        vpslld  $20, %xmm13, %xmm18                         /* 12: c << 20 */
        vmovdqa 160(%rsp), %xmm7                            /* 12: x */
        vpaddd  %xmm14, %xmm4, %xmm10                       /* 12: + y */
        vprord  $12, %xmm3, %xmm6                           /* 12: b >>> 12 */
        vpternlogd $0x96, %xmm6, %xmm18, %xmm8              /* 12: b = (b ^ c) >>> 12 */
        vpaddd  %xmm8, %xmm10, %xmm15                       /* 12: a += b + y */
        vprord  $7, %xmm8, %xmm20                           /* 12: b >>> 7 */
        vpsrld  $8, %xmm15, %xmm21                          /* 12: a >> 8 */
        vpslld  $24, %xmm15, %xmm16                         /* 12: a << 24 */
        vpshufd $0x93, %xmm15, %xmm5                        /* 12: words of a rotated */
        vpternlogd $0x96, %xmm11, %xmm16, %xmm21            /* 12: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm21, %xmm12                       /* 12: words of d rotated */
        vpaddd  %xmm13, %xmm21, %xmm0                       /* 12: c += d */
        nop
        vprord  $16, %xmm12, %xmm17                         /* 12: d >>> 16 */
        vpsrld  $7, %xmm0, %xmm19                           /* 12: c >> 7 */
        vmovdqa 176(%rsp), %xmm1                            /* 12: y */
        vpslld  $25, %xmm0, %xmm2                           /* 12: c << 25 */
        vpshufd $0x39, %xmm0, %xmm9                         /* 12: words of c rotated */
        vpaddd  %xmm7, %xmm5, %xmm4                         /* 12: + x */
        vmovdqa 192(%rsp), %xmm14                           /* 13: x */
        vpternlogd $0x96, %xmm20, %xmm19, %xmm2             /* 12: b = (b ^ c) >>> 7 */
        vpaddd  %xmm2, %xmm4, %xmm3                         /* 12: a += b + x */
        vprord  $12, %xmm2, %xmm6                           /* 12: b >>> 12 */
        vpsrld  $16, %xmm3, %xmm18                          /* 12: a >> 16 */
        vpslld  $16, %xmm3, %xmm10                          /* 12: a << 16 */
        vmovdqu64 0(%rsi), %zmm30                           /* the next block */
        vpternlogd $0x96, %xmm17, %xmm18, %xmm10            /* 12: d = (d ^ a) >>> 16 */
        vpaddd  %xmm9, %xmm10, %xmm8                        /* 12: c += d */
        vprord  $8, %xmm10, %xmm15                          /* 12: d >>> 8 */
        vpsrld  $12, %xmm8, %xmm11                          /* 12: c >> 12 */
        vpslld  $20, %xmm8, %xmm16                          /* 12: c << 20 */
        vpternlogd $0x96, %xmm6, %xmm16, %xmm11             /* 12: b = (b ^ c) >>> 12 */
        vpaddd  %xmm1, %xmm3, %xmm13                        /* 12: + y */
        vpaddd  %xmm11, %xmm13, %xmm21                      /* 12: a += b + y */
        vpsrld  $8, %xmm21, %xmm12                          /* 12: a >> 8 */
        vpslld  $24, %xmm21, %xmm0                          /* 12: a << 24 */
        vprord  $7, %xmm11, %xmm5                           /* 12: b >>> 7 */
        vpshufb %zmm29, %zmm30, %zmm30                      /* words' bytes reversed */
        vmovdqa 208(%rsp), %xmm7                            /* 13: y */
        vpternlogd $0x96, %xmm15, %xmm0, %xmm12             /* 12: d = (d ^ a) >>> 8 */
        vpaddd  %xmm8, %xmm12, %xmm20                       /* 12: c += d */
        vpshufd $0x4e, %xmm12, %xmm19                       /* 12: words of d rotated */
        vpsrld  $7, %xmm20, %xmm4                           /* 12: c >> 7 */
        vpslld  $25, %xmm20, %xmm2                          /* 12: c << 25 */
        vpshufd $0x93, %xmm20, %xmm17                       /* 12: words of c rotated */
        vprord  $16, %xmm19, %xmm18                         /* 13: d >>> 16 */
        vpternlogd $0x96, %xmm5, %xmm4, %xmm2               /* 12: b = (b ^ c) >>> 7 */
        /* ---- Round 13 ---- */
        vpshufd $0x39, %xmm21, %xmm9                        /* 12: words of a rotated */
        vpaddd  %xmm14, %xmm9, %xmm10                       /* 13: + x */
        vpaddd  %xmm2, %xmm10, %xmm6                        /* 13: a += b + x */
        vpslld  $16, %xmm6, %xmm16                          /* 13: a << 16 */
        vpsrld  $16, %xmm6, %xmm3                           /* 13: a >> 16 */
        vpternlogd $0x96, %xmm18, %xmm3, %xmm16             /* 13: d = (d ^ a) >>> 16 */
        vpaddd  %xmm17, %xmm16, %xmm1                       /* 13: c += d */
        vprord  $8, %xmm16, %xmm13                          /* 13: d >>> 8 */
        vpsrld  $12, %xmm1, %xmm11                          /* 13: c >> 12 */
        vpslld  $20, %xmm1, %xmm15                          /* 13: c << 20 */
        vmovdqa 224(%rsp), %xmm0                            /* 13: x */
        vpaddd  %xmm7, %xmm6, %xmm8                         /* 13: + y */
        vprord  $12, %xmm2, %xmm12                          /* 13: b >>> 12 */
        vpternlogd $0x96, %xmm12, %xmm15, %xmm11            /* 13: b = (b ^ c) >>> 12 */
        vpaddd  %xmm11, %xmm8, %xmm20                       /* 13: a += b + y */
        vprord  $7, %xmm11, %xmm19                          /* 13: b >>> 7 */
        vpsrld  $8, %xmm20, %xmm5                           /* 13: a >> 8 */
        vpslld  $24, %xmm20, %xmm4                          /* 13: a << 24 */
        vpshufd $0x93, %xmm20, %xmm21                       /* 13: words of a rotated */
        vpternlogd $0x96, %xmm13, %xmm4, %xmm5              /* 13: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm5, %xmm9                         /* 13: words of d rotated */
        vpaddd  %xmm1, %xmm5, %xmm14                        /* 13: c += d */
        vmovdqa64 FIN_LOCAL(words_blake256)+0(%rip), %zmm10 /* 0: indices of words */
        vpermd  %zmm30, %zmm10, %zmm18                      /* 0: words */
        vpxord  FIN_LOCAL(constants_blake256)+0(%rip), %zmm18, %zmm3 /* 0: words ^ constants */
        vmovdqa64 %zmm3, 0(%rsp)                            /* 0: words stored */
        nop
        vprord  $16, %xmm9, %xmm17                          /* 13: d >>> 16 */
        vpsrld  $7, %xmm14, %xmm16                          /* 13: c >> 7 */
        vmovdqa 240(%rsp), %xmm6                            /* 13: y */
        vpslld  $25, %xmm14, %xmm7                          /* 13: c << 25 */
        vpshufd $0x39, %xmm14, %xmm2                        /* 13: words of c rotated */
        vpaddd  %xmm0, %xmm21, %xmm12                       /* 13: + x */
        vpternlogd $0x96, %xmm19, %xmm16, %xmm7             /* 13: b = (b ^ c) >>> 7 */
        vpaddd  %xmm7, %xmm12, %xmm15                       /* 13: a += b + x */
        vprord  $12, %xmm7, %xmm8                           /* 13: b >>> 12 */
        vpsrld  $16, %xmm15, %xmm11                         /* 13: a >> 16 */
        vpslld  $16, %xmm15, %xmm20                         /* 13: a << 16 */
        vpternlogd $0x96, %xmm17, %xmm11, %xmm20            /* 13: d = (d ^ a) >>> 16 */
        vpaddd  %xmm2, %xmm20, %xmm13                       /* 13: c += d */
        vprord  $8, %xmm20, %xmm4                           /* 13: d >>> 8 */
        vpsrld  $12, %xmm13, %xmm1                          /* 13: c >> 12 */
        vpslld  $20, %xmm13, %xmm5                          /* 13: c << 20 */
        vpternlogd $0x96, %xmm8, %xmm5, %xmm1               /* 13: b = (b ^ c) >>> 12 */
        vpaddd  %xmm6, %xmm15, %xmm10                       /* 13: + y */
        vpaddd  %xmm1, %xmm10, %xmm18                       /* 13: a += b + y */
        vpsrld  $8, %xmm18, %xmm3                           /* 13: a >> 8 */
        vpslld  $24, %xmm18, %xmm9                          /* 13: a << 24 */
        vprord  $7, %xmm1, %xmm14                           /* 13: b >>> 7 */
        vpternlogd $0x96, %xmm4, %xmm9, %xmm3               /* 13: d = (d ^ a) >>> 8 */
        vpaddd  %xmm13, %xmm3, %xmm21                       /* 13: c += d */
        vpshufd $0x4e, %xmm3, %xmm0                         /* 13: words of d rotated */
        vpsrld  $7, %xmm21, %xmm19                          /* 13: c >> 7 */
        vpslld  $25, %xmm21, %xmm16                         /* 13: c << 25 */
        vpshufd $0x93, %xmm21, %xmm12                       /* 13: words of c rotated */
        vpternlogd $0x96, %xmm14, %xmm19, %xmm16            /* 13: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm18, %xmm7                        /* 13: words of a rotated */
        vpternlogd $0x96, %xmm16, %xmm0, %xmm25             /* h ^= b ^ d */
        vpternlogd $0x96, %xmm7, %xmm12, %xmm26             /* h ^= a ^ c */
        add     %r8d, %eax
        jnc     FIN_LOCAL(no_carry_blake256)
        vpaddd  FIN_LOCAL(carry_blake256)(%rip), %xmm24, %xmm24
FIN_LOCAL(no_carry_blake256):
        test    %rdx, %rdx
        jne     FIN_LOCAL(block_blake256)
FIN_LOCAL(done_blake256):
        vmovdqu64 %xmm26, 0(%rdi)
        vmovdqu64 %xmm25, 16(%rdi)
        vzeroupper
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
FIN_LOCAL(nothing_blake256):
        ret
        .cfi_restore_state
/* Other numbers of rounds: %r10 is the address of a round's words, %r11 counts. */
FIN_LOCAL(any_rounds_blake256):
        lea     FIN_LOCAL(words_blake256)(%rip), %r9
        lea     FIN_LOCAL(constants_blake256)(%rip), %r11
        xor     %r10d, %r10d
FIN_LOCAL(permute_blake256):
        vmovdqa64 (%r9,%r10), %zmm0
        vpermd  %zmm30, %zmm0, %zmm0
        vpxord  (%r11,%r10), %zmm0, %zmm0
        vmovdqa64 %zmm0, (%rsp,%r10)
        add     $64, %r10
        cmp     $640, %r10d
        jne     FIN_LOCAL(permute_blake256)
        vmovdqa64 %xmm26, %xmm0
        vmovdqa64 %xmm25, %xmm1
        vmovdqa64 %xmm28, %xmm2
        vpxord  %xmm27, %xmm24, %xmm3
        vpaddd  %xmm23, %xmm24, %xmm24
        mov     STATE_ROUNDS(%rdi), %r11
        mov     %rsp, %r10
        lea     640(%rsp), %r9
        test    %r11, %r11
        je      FIN_LOCAL(rounds_done_blake256)
        .balign 64
FIN_LOCAL(round_blake256):
        vmovdqa 0(%r10), %xmm4                              /* x */
        vprord  $16, %xmm3, %xmm5                           /* d >>> 16 */
        vmovdqa 16(%r10), %xmm6                             /* y */
        vpaddd  %xmm4, %xmm0, %xmm7                         /* + x */
        vpaddd  %xmm1, %xmm7, %xmm8                         /* a += b + x */
        vpslld  $16, %xmm8, %xmm9                           /* a << 16 */
        vpsrld  $16, %xmm8, %xmm10                          /* a >> 16 */
        vpternlogd $0x96, %xmm5, %xmm10, %xmm9              /* d = (d ^ a) >>> 16 */
        vpaddd  %xmm2, %xmm9, %xmm11                        /* c += d */
        vprord  $8, %xmm9, %xmm12                           /* d >>> 8 */
        vpsrld  $12, %xmm11, %xmm13                         /* c >> 12 */
        vpslld  $20, %xmm11, %xmm14                         /* c << 20 */
        vmovdqa 32(%r10), %xmm15                            /* x */
        vpaddd  %xmm6, %xmm8, %xmm16                        /* + y */
        vprord  $12, %xmm1, %xmm17                          /* b >>> 12 */
        vpternlogd $0x96, %xmm17, %xmm14, %xmm13            /* b = (b ^ c) >>> 12 */
        vpaddd  %xmm13, %xmm16, %xmm18                      /* a += b + y */
        vprord  $7, %xmm13, %xmm19                          /* b >>> 7 */
        vpsrld  $8, %xmm18, %xmm20                          /* a >> 8 */
        vpslld  $24, %xmm18, %xmm21                         /* a << 24 */
        vpshufd $0x93, %xmm18, %xmm4                        /* words of a rotated */
        vpternlogd $0x96, %xmm12, %xmm21, %xmm20            /* d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm20, %xmm7                        /* words of d rotated */
        vpaddd  %xmm11, %xmm20, %xmm5                       /* c += d */
        vprord  $16, %xmm7, %xmm10                          /* d >>> 16 */
        vpsrld  $7, %xmm5, %xmm9                            /* c >> 7 */
        vmovdqa 48(%r10), %xmm8                             /* y */
        vpslld  $25, %xmm5, %xmm6                           /* c << 25 */
        vpshufd $0x39, %xmm5, %xmm17                        /* words of c rotated */
        vpaddd  %xmm15, %xmm4, %xmm14                       /* + x */
        vpternlogd $0x96, %xmm19, %xmm9, %xmm6              /* b = (b ^ c) >>> 7 */
        vpaddd  %xmm6, %xmm14, %xmm16                       /* a += b + x */
        vprord  $12, %xmm6, %xmm13                          /* b >>> 12 */
        vpsrld  $16, %xmm16, %xmm18                         /* a >> 16 */
        vpslld  $16, %xmm16, %xmm12                         /* a << 16 */
        vpternlogd $0x96, %xmm10, %xmm18, %xmm12            /* d = (d ^ a) >>> 16 */
        vpaddd  %xmm17, %xmm12, %xmm21                      /* c += d */
        vprord  $8, %xmm12, %xmm11                          /* d >>> 8 */
        vpsrld  $12, %xmm21, %xmm20                         /* c >> 12 */
        vpslld  $20, %xmm21, %xmm7                          /* c << 20 */
        vpternlogd $0x96, %xmm13, %xmm7, %xmm20             /* b = (b ^ c) >>> 12 */
        vpaddd  %xmm8, %xmm16, %xmm5                        /* + y */
        vpaddd  %xmm20, %xmm5, %xmm4                        /* a += b + y */
        vpsrld  $8, %xmm4, %xmm15                           /* a >> 8 */
        vpslld  $24, %xmm4, %xmm19                          /* a << 24 */
        vprord  $7, %xmm20, %xmm9                           /* b >>> 7 */
        vpternlogd $0x96, %xmm11, %xmm19, %xmm15            /* d = (d ^ a) >>> 8 */
        vpaddd  %xmm21, %xmm15, %xmm14                      /* c += d */
        vpshufd $0x4e, %xmm15, %xmm6                        /* words of d rotated */
        vpsrld  $7, %xmm14, %xmm10                          /* c >> 7 */
        vpslld  $25, %xmm14, %xmm18                         /* c << 25 */
        vpshufd $0x93, %xmm14, %xmm17                       /* words of c rotated */
        vpternlogd $0x96, %xmm9, %xmm10, %xmm18             /* b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm4, %xmm12                        /* words of a rotated */
        vmovdqa %xmm12, %xmm0
        vmovdqa64 %xmm18, %xmm1
        vmovdqa64 %xmm17, %xmm2
        vmovdqa %xmm6, %xmm3
        add     $64, %r10
        cmp     %r9, %r10
        cmove   %rsp, %r10
        dec     %r11
        jne     FIN_LOCAL(round_blake256)
FIN_LOCAL(rounds_done_blake256):
        vpxord  %xmm22, %xmm25, %xmm25
        vpternlogd $0x96, %xmm1, %xmm3, %xmm25
        vpxord  %xmm22, %xmm26, %xmm26
        vpternlogd $0x96, %xmm0, %xmm2, %xmm26
        add     %r8d, %eax
        jnc     FIN_LOCAL(no_carry_either_blake256)
        vpaddd  FIN_LOCAL(carry_blake256)(%rip), %xmm24, %xmm24
FIN_LOCAL(no_carry_either_blake256):
        add     %rcx, %rsi
        dec     %rdx
        je      FIN_LOCAL(done_blake256)
        vmovdqu 0(%rsi), %xmm0
        vpshufb %xmm29, %xmm0, %xmm0
        vmovdqu 16(%rsi), %xmm1
        vpshufb %xmm29, %xmm1, %xmm1
        vmovdqu 32(%rsi), %xmm2
        vpshufb %xmm29, %xmm2, %xmm2
        vmovdqu 48(%rsi), %xmm3
        vpshufb %xmm29, %xmm3, %xmm3
        vinserti128 $1, %xmm1, %ymm0, %ymm0
        vinserti128 $1, %xmm3, %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm0, %zmm30
        jmp     FIN_LOCAL(any_rounds_blake256)
        .cfi_endproc
        FIN_END(FIN_KERNEL)
#undef FIN_KERNEL
#endif

#if FIN_HAS_COMPRESSION(BLAKE512)
        FIN_CONSTANTS
/* Words of the rounds: x, y, then x, y of the diagonals. */
        .balign 64
FIN_LOCAL(words_blake512):
        .quad   0, 4, 2, 6, 1, 5, 3, 7, 14, 10, 8, 12, 15, 11, 9, 13
        .quad   14, 9, 4, 13, 10, 15, 8, 6, 5, 0, 1, 11, 3, 2, 12, 7
        .quad   11, 5, 12, 15, 8, 2, 0, 13, 9, 3, 10, 7, 4, 6, 14, 1
        .quad   7, 13, 3, 11, 9, 12, 1, 14, 15, 5, 2, 4, 8, 10, 6, 0
        .quad   9, 2, 5, 10, 0, 4, 7, 15, 3, 11, 14, 6, 13, 12, 1, 8
        .quad   2, 0, 6, 8, 12, 11, 10, 3, 1, 7, 4, 15, 9, 5, 13, 14
        .quad   12, 14, 1, 4, 5, 13, 15, 10, 8, 6, 0, 9, 11, 3, 7, 2
        .quad   13, 12, 7, 3, 11, 1, 14, 9, 2, 15, 5, 8, 10, 4, 0, 6
        .quad   6, 11, 14, 0, 15, 3, 9, 8, 10, 13, 12, 1, 5, 7, 2, 4
        .quad   10, 7, 8, 1, 2, 6, 4, 5, 13, 9, 15, 3, 0, 14, 11, 12
/* The constants to XOR to them. */
        .balign 64
FIN_LOCAL(constants_blake512):
        .quad   0x13198a2e03707344, 0xbe5466cf34e90c6c, 0x082efa98ec4e6c89, 0x3f84d5b5b5470917
        .quad   0x243f6a8885a308d3, 0x452821e638d01377, 0xa4093822299f31d0, 0xc0ac29b7c97c50dd
        .quad   0x636920d871574e69, 0xb8e1afed6a267e96, 0xd1310ba698dfb5ac, 0x24a19947b3916cf7
        .quad   0x0801f2e2858efc16, 0x2ffd72dbd01adfb7, 0x9216d5d98979fb1b, 0xba7c9045f12c7f99
        .quad   0x2ffd72dbd01adfb7, 0x636920d871574e69, 0x9216d5d98979fb1b, 0xc0ac29b7c97c50dd
        .quad   0x0801f2e2858efc16, 0xd1310ba698dfb5ac, 0x452821e638d01377, 0x24a19947b3916cf7
        .quad   0x082efa98ec4e6c89, 0xa4093822299f31d0, 0xba7c9045f12c7f99, 0x3f84d5b5b5470917
        .quad   0xbe5466cf34e90c6c, 0x243f6a8885a308d3, 0x13198a2e03707344, 0xb8e1afed6a267e96
        .quad   0x9216d5d98979fb1b, 0xa4093822299f31d0, 0x243f6a8885a308d3, 0x24a19947b3916cf7
        .quad   0xb8e1afed6a267e96, 0xbe5466cf34e90c6c, 0xba7c9045f12c7f99, 0x636920d871574e69
        .quad   0x452821e638d01377, 0xc0ac29b7c97c50dd, 0x0801f2e2858efc16, 0x13198a2e03707344
        .quad   0xd1310ba698dfb5ac, 0x082efa98ec4e6c89, 0x2ffd72dbd01adfb7, 0x3f84d5b5b5470917
        .quad   0xd1310ba698dfb5ac, 0xba7c9045f12c7f99, 0x13198a2e03707344, 0x0801f2e2858efc16
        .quad   0x3f84d5b5b5470917, 0x24a19947b3916cf7, 0x082efa98ec4e6c89, 0xb8e1afed6a267e96
        .quad   0x9216d5d98979fb1b, 0x2ffd72dbd01adfb7, 0xc0ac29b7c97c50dd, 0x243f6a8885a308d3
        .quad   0x636920d871574e69, 0xbe5466cf34e90c6c, 0xa4093822299f31d0, 0x452821e638d01377
        .quad   0x243f6a8885a308d3, 0x452821e638d01377, 0x3f84d5b5b5470917, 0x636920d871574e69
        .quad   0xd1310ba698dfb5ac, 0xa4093822299f31d0, 0xbe5466cf34e90c6c, 0x2ffd72dbd01adfb7
        .quad   0x24a19947b3916cf7, 0xba7c9045f12c7f99, 0x13198a2e03707344, 0x9216d5d98979fb1b
        .quad   0x082efa98ec4e6c89, 0xb8e1afed6a267e96, 0x0801f2e2858efc16, 0xc0ac29b7c97c50dd
        .quad   0xba7c9045f12c7f99, 0xb8e1afed6a267e96, 0x2ffd72dbd01adfb7, 0x082efa98ec4e6c89
        .quad   0xa4093822299f31d0, 0x243f6a8885a308d3, 0xc0ac29b7c97c50dd, 0x9216d5d98979fb1b
        .quad   0xd1310ba698dfb5ac, 0xbe5466cf34e90c6c, 0x24a19947b3916cf7, 0x0801f2e2858efc16
        .quad   0x13198a2e03707344, 0x3f84d5b5b5470917, 0x452821e638d01377, 0x636920d871574e69
        .quad   0xbe5466cf34e90c6c, 0x24a19947b3916cf7, 0x636920d871574e69, 0x2ffd72dbd01adfb7
        .quad   0xba7c9045f12c7f99, 0x0801f2e2858efc16, 0x13198a2e03707344, 0x452821e638d01377
        .quad   0xb8e1afed6a267e96, 0x082efa98ec4e6c89, 0x3f84d5b5b5470917, 0xa4093822299f31d0
        .quad   0x9216d5d98979fb1b, 0xc0ac29b7c97c50dd, 0x243f6a8885a308d3, 0xd1310ba698dfb5ac
        .quad   0xb8e1afed6a267e96, 0x13198a2e03707344, 0x0801f2e2858efc16, 0xd1310ba698dfb5ac
        .quad   0x24a19947b3916cf7, 0xba7c9045f12c7f99, 0x3f84d5b5b5470917, 0x082efa98ec4e6c89
        .quad   0x2ffd72dbd01adfb7, 0x452821e638d01377, 0x243f6a8885a308d3, 0xc0ac29b7c97c50dd
        .quad   0xa4093822299f31d0, 0x636920d871574e69, 0xbe5466cf34e90c6c, 0x9216d5d98979fb1b
        .quad   0x636920d871574e69, 0x082efa98ec4e6c89, 0xd1310ba698dfb5ac, 0x9216d5d98979fb1b
        .quad   0xc0ac29b7c97c50dd, 0xb8e1afed6a267e96, 0x0801f2e2858efc16, 0x243f6a8885a308d3
        .quad   0xbe5466cf34e90c6c, 0x3f84d5b5b5470917, 0xa4093822299f31d0, 0x452821e638d01377
        .quad   0x2ffd72dbd01adfb7, 0x24a19947b3916cf7, 0xba7c9045f12c7f99, 0x13198a2e03707344
        .quad   0xa4093822299f31d0, 0xc0ac29b7c97c50dd, 0x452821e638d01377, 0xbe5466cf34e90c6c
        .quad   0x2ffd72dbd01adfb7, 0x3f84d5b5b5470917, 0x9216d5d98979fb1b, 0x13198a2e03707344
        .quad   0x243f6a8885a308d3, 0x0801f2e2858efc16, 0xb8e1afed6a267e96, 0xba7c9045f12c7f99
        .quad   0x24a19947b3916cf7, 0xd1310ba698dfb5ac, 0x636920d871574e69, 0x082efa98ec4e6c89
/* Reverses each word's bytes. */
        .balign 64
FIN_LOCAL(reverse_blake512):
        .byte   7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8
/* v8 .. v15 */
        .balign 64
FIN_LOCAL(seed_blake512):
        .quad   0x243f6a8885a308d3, 0xa4093822299f31d0, 0x13198a2e03707344, 0x082efa98ec4e6c89
        .quad   0x452821e638d01377, 0xc0ac29b7c97c50dd, 0xbe5466cf34e90c6c, 0x3f84d5b5b5470917
/* A carry of the counter. */
        .balign 64
FIN_LOCAL(carry_blake512):
        .quad   0, 1, 0, 1

/*
 * state->h = F(state->h, block, state->t + (k + 1) * increment, ...) for the blocks k = 0, 1, ...
 *
 *   void fin_blake512_avx512_ternlog(fin_state *state (rdi), const uint8_t *in (rsi), size_t blocks
 * (rdx),
 *                                    size_t stride (rcx), uint32_t increment (r8d))
 *
 * System V ABI. in needs no alignment; in and state do not overlap. Any number of blocks and
 * rounds, 0 included: 16 rounds in line, other numbers in a loop of one round. Branches and
 * addresses depend on the arguments, state->t and state->rounds alone.
 *
 *   %rdi    state                       %rsi    the next block
 *   %rdx    blocks after this one       %rcx    stride
 *   %r8     increment                   %rax    the counter's low word
 *   %r9     address read instead of the block after the last one
 *   %rsp    the words of rounds 0 to 9; in the last round the next block's replace those of round 0
 *   ymm22   BLAKE: salt                 ymm23   the counter's increment for a block
 *   ymm24   counter and flags           ymm25   h4 .. h7
 *   ymm26   h0 .. h3                    ymm27   v12 .. v15 without counter
 *   ymm28   v8 .. v11 at the start      zmm29   BLAKE: the shuffle that reverses a word's bytes
 *   zmm30   the block's first 64 bytes  zmm31   for 64-bit words: its other 64
 *   others  the state and intermediate values
 */
#define FIN_KERNEL fin_blake512_avx512_ternlog
        .text
        FIN_FUNCTION(FIN_KERNEL)
        .balign 64
FIN_SYMBOL(FIN_KERNEL):
        .cfi_startproc
        endbr64
        test    %rdx, %rdx
        je      FIN_LOCAL(nothing_blake512)
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $1280, %rsp
        and     $-64, %rsp
        vbroadcasti32x4 FIN_LOCAL(reverse_blake512)(%rip), %zmm29
        vmovdqu 0(%rsi), %xmm0
        vinserti128 $1, 16(%rsi), %ymm0, %ymm0
        vpshufb %ymm29, %ymm0, %ymm0
        vmovdqu 32(%rsi), %xmm1
        vinserti128 $1, 48(%rsi), %ymm1, %ymm1
        vpshufb %ymm29, %ymm1, %ymm1
        vmovdqu 64(%rsi), %xmm2
        vinserti128 $1, 80(%rsi), %ymm2, %ymm2
        vpshufb %ymm29, %ymm2, %ymm2
        vmovdqu 96(%rsi), %xmm3
        vinserti128 $1, 112(%rsi), %ymm3, %ymm3
        vpshufb %ymm29, %ymm3, %ymm3
        vpunpcklqdq %ymm1, %ymm0, %ymm4
        vpxor   FIN_LOCAL(constants_blake512)+0(%rip), %ymm4, %ymm4
        vmovdqa %ymm4, 0(%rsp)
        vpunpckhqdq %ymm1, %ymm0, %ymm5
        vpxor   FIN_LOCAL(constants_blake512)+32(%rip), %ymm5, %ymm5
        vmovdqa %ymm5, 32(%rsp)
        vpunpcklqdq %ymm3, %ymm2, %ymm6
        vpermq  $0x4b, %ymm6, %ymm6                         /* the diagonals begin with the last word */
        vpxor   FIN_LOCAL(constants_blake512)+64(%rip), %ymm6, %ymm6
        vmovdqa %ymm6, 64(%rsp)
        vpunpckhqdq %ymm3, %ymm2, %ymm7
        vpermq  $0x4b, %ymm7, %ymm7                         /* the diagonals begin with the last word */
        vpxor   FIN_LOCAL(constants_blake512)+96(%rip), %ymm7, %ymm7
        vmovdqa %ymm7, 96(%rsp)
        vinserti64x4 $1, %ymm1, %zmm0, %zmm30
        vinserti64x4 $1, %ymm3, %zmm2, %zmm31
        vmovdqu 0(%rdi), %xmm4
        vinserti128 $1, 0+16(%rdi), %ymm4, %ymm4
        vpermq  $0xd8, %ymm4, %ymm26                        /* words 0, 2, 1, 3 */
        vmovdqu 32(%rdi), %xmm4
        vinserti128 $1, 32+16(%rdi), %ymm4, %ymm4
        vpermq  $0xd8, %ymm4, %ymm25                        /* words 0, 2, 1, 3 */
        vmovdqa64 FIN_LOCAL(seed_blake512)(%rip), %ymm28
        mov     %r8d, %r8d                                  /* the upper half may be anything */
        mov     STATE_T(%rdi), %rax
        vmovq   %r8, %xmm5
        vmovq   STATE_T(%rdi), %xmm4
        vmovhps STATE_T+8(%rdi), %xmm4, %xmm4
        vinserti128 $1, %xmm4, %ymm4, %ymm4                 /* low, high, low, high */
        vinserti128 $1, %xmm5, %ymm5, %ymm5
        vmovdqa64 %ymm5, %ymm23
        vpaddq  %ymm23, %ymm4, %ymm24
        add     %r8, %rax
        jnc     FIN_LOCAL(no_carry_first_blake512)
        vpaddq  FIN_LOCAL(carry_blake512)(%rip), %ymm24, %ymm24
FIN_LOCAL(no_carry_first_blake512):
        vmovdqa64 FIN_LOCAL(seed_blake512)+32(%rip), %ymm27
        vmovdqu STATE_SALT(%rdi), %xmm4
        vinserti128 $1, STATE_SALT+16(%rdi), %ymm4, %ymm4
        vpermq  $0xd8, %ymm4, %ymm22                        /* words 0, 2, 1, 3 */
        vpxorq  %ymm22, %ymm28, %ymm28
        cmpq    $16, STATE_ROUNDS(%rdi)
        jne     FIN_LOCAL(any_rounds_blake512)
        lea     FIN_LOCAL(words_blake512)(%rip), %r9
        .balign 64
FIN_LOCAL(block_blake512):
        add     %rcx, %rsi
        dec     %rdx
        cmove   %r9, %rsi
        vpxord  %ymm27, %ymm24, %ymm0                       /* v12 .. v15 */
        vpaddq  %ymm23, %ymm24, %ymm24                      /* the next block's counter */
        vmovdqa 0(%rsp), %ymm1                              /* 0: x */
        vpaddq  %ymm1, %ymm25, %ymm2                        /* 0: + x */
        vmovdqa64 FIN_LOCAL(words_blake512)+128(%rip), %zmm3 /* 1: indices of words */
        vpaddq  %ymm26, %ymm2, %ymm4                        /* 0: a += b + x */
        vmovdqa 32(%rsp), %ymm5                             /* 0: y */
        vprorq  $25, %ymm25, %ymm6                          /* 0: b >>> 25 */
        vmovdqa64 FIN_LOCAL(words_blake512)+256(%rip), %zmm7 /* 2: indices of words */
        /* ---- Round 0 ---- */
        vpxorq  %ymm22, %ymm25, %ymm25                      /* h ^= salt */
        vpxor   %ymm0, %ymm4, %ymm8                         /* 0: d ^= a */
        vpxorq  %ymm22, %ymm26, %ymm26                      /* h ^= salt */
        vpermi2q %zmm31, %zmm30, %zmm3                      /* 1: words */
        vmovdqa64 FIN_LOCAL(words_blake512)+384(%rip), %zmm9 /* 3: indices of words */
        nop
        vpshufd $0xb1, %ymm8, %ymm10                        /* 0: d >>>= 32 */
        vpaddq  %ymm28, %ymm10, %ymm11                      /* 0: c += d */
        vprorq  $16, %ymm10, %ymm12                         /* 0: d >>> 16 */
        vpsrlq  $25, %ymm11, %ymm13                         /* 0: c >> 25 */
        vmovdqa 64(%rsp), %ymm14                            /* 0: x */
        vpermi2q %zmm31, %zmm30, %zmm7                      /* 2: words */
        vpaddq  %ymm5, %ymm4, %ymm15                        /* 0: + y */
        vpsllq  $39, %ymm11, %ymm16                         /* 0: c << 39 */
        nop
        vmovdqa64 FIN_LOCAL(words_blake512)+512(%rip), %zmm17 /* 4: indices of words */
        vpxorq  FIN_LOCAL(constants_blake512)+128(%rip), %zmm3, %zmm18 /* 1: words ^ constants */
        vmovdqa64 %zmm18, 128(%rsp)                         /* 1: words stored */
        vpermi2q %zmm31, %zmm30, %zmm9                      /* 3: words */
        vpternlogq $0x96, %ymm6, %ymm13, %ymm16             /* 0: b = (b ^ c) >>> 25 */
        vpaddq  %ymm16, %ymm15, %ymm19                      /* 0: a += b + y */
        vprorq  $11, %ymm16, %ymm20                         /* 0: b >>> 11 */
        vpsrlq  $16, %ymm19, %ymm21                         /* 0: a >> 16 */
        vpsllq  $48, %ymm19, %ymm1                          /* 0: a << 48 */
        vmovdqa64 FIN_LOCAL(words_blake512)+640(%rip), %zmm2 /* 5: indices of words */
        vpternlogq $0x96, %ymm12, %ymm1, %ymm21             /* 0: d = (d ^ a) >>> 16 */
        vpaddq  %ymm11, %ymm21, %ymm0                       /* 0: c += d */
        vpshufd $0x4e, %ymm21, %ymm8                        /* 0: words of d rotated */
        vpsrlq  $11, %ymm0, %ymm10                          /* 0: c >> 11 */
        vpsllq  $53, %ymm0, %ymm4                           /* 0: c << 53 */
        vpermq  $0x1e, %ymm0, %ymm5                         /* 0: words of c rotated */
        vmovdqa 96(%rsp), %ymm3                             /* 0: y */
        vpxorq  FIN_LOCAL(constants_blake512)+256(%rip), %zmm7, %zmm18 /* 2: words ^ constants */
        vmovdqa64 %zmm18, 256(%rsp)                         /* 2: words stored */
        vpermi2q %zmm31, %zmm30, %zmm17                     /* 4: words */
        vpermq  $0x4b, %ymm19, %ymm6                        /* 0: words of a rotated */
        vpaddq  %ymm14, %ymm6, %ymm13                       /* 0: + x */
        vmovdqa64 FIN_LOCAL(words_blake512)+768(%rip), %zmm15 /* 6: indices of words */
        vpxorq  FIN_LOCAL(constants_blake512)+384(%rip), %zmm9, %zmm16 /* 3: words ^ constants */
        vmovdqa64 %zmm16, 384(%rsp)                         /* 3: words stored */
        vpermi2q %zmm31, %zmm30, %zmm2                      /* 5: words */
        vmovdqa64 FIN_LOCAL(words_blake512)+192(%rip), %zmm12 /* 1: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake512)+896(%rip), %zmm1 /* 7: indices of words */
        vpxorq  FIN_LOCAL(constants_blake512)+512(%rip), %zmm17, %zmm11 /* 4: words ^ constants */
        vmovdqa64 %zmm11, 512(%rsp)                         /* 4: words stored */
        vpermi2q %zmm31, %zmm30, %zmm15                     /* 6: words */
        vmovdqa64 128(%rsp), %ymm21                         /* 1: x */
        vmovdqa64 FIN_LOCAL(words_blake512)+320(%rip), %zmm0 /* 2: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake512)+1024(%rip), %zmm7 /* 8: indices of words */
        vpxorq  FIN_LOCAL(constants_blake512)+640(%rip), %zmm2, %zmm18 /* 5: words ^ constants */
        vmovdqa64 %zmm18, 640(%rsp)                         /* 5: words stored */
        vpermi2q %zmm31, %zmm30, %zmm1                      /* 7: words */
        vmovdqa64 FIN_LOCAL(words_blake512)+448(%rip), %zmm19 /* 3: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake512)+1152(%rip), %zmm6 /* 9: indices of words */
        vpternlogq $0x96, %ymm20, %ymm10, %ymm4             /* 0: b = (b ^ c) >>> 11 */
        vpaddq  %ymm4, %ymm13, %ymm14                       /* 0: a += b + x */
        vprorq  $25, %ymm4, %ymm9                           /* 0: b >>> 25 */
        vpxord  %ymm8, %ymm14, %ymm16                       /* 0: d ^= a */
        vpaddq  %ymm3, %ymm14, %ymm17                       /* 0: + y */
        vpshufd $0xb1, %ymm16, %ymm11                       /* 0: d >>>= 32 */
        vpaddq  %ymm5, %ymm11, %ymm2                        /* 0: c += d */
        vprorq  $16, %ymm11, %ymm18                         /* 0: d >>> 16 */
        vpsrlq  $25, %ymm2, %ymm20                          /* 0: c >> 25 */
        vpsllq  $39, %ymm2, %ymm10                          /* 0: c << 39 */
        vpxorq  FIN_LOCAL(constants_blake512)+768(%rip), %zmm15, %zmm13 /* 6: words ^ constants */
        vmovdqa64 %zmm13, 768(%rsp)                         /* 6: words stored */
        vpermi2q %zmm31, %zmm30, %zmm7                      /* 8: words */
        vmovdqa 160(%rsp), %ymm4                            /* 1: y */
        vpternlogq $0x96, %ymm9, %ymm20, %ymm10             /* 0: b = (b ^ c) >>> 25 */
        vpaddq  %ymm10, %ymm17, %ymm8                       /* 0: a += b + y */
        vprorq  $11, %ymm10, %ymm14                         /* 0: b >>> 11 */
        vpsrlq  $16, %ymm8, %ymm3                           /* 0: a >> 16 */
        vpsllq  $48, %ymm8, %ymm16                          /* 0: a << 48 */
        vpternlogq $0x96, %ymm18, %ymm16, %ymm3             /* 0: d = (d ^ a) >>> 16 */
        vpaddq  %ymm2, %ymm3, %ymm5                         /* 0: c += d */
        vpshufd $0x4e, %ymm3, %ymm11                        /* 0: words of d rotated */
        vpsrlq  $11, %ymm5, %ymm15                          /* 0: c >> 11 */
        vpsllq  $53, %ymm5, %ymm13                          /* 0: c << 53 */
        vpermq  $0x4b, %ymm5, %ymm9                         /* 0: words of c rotated */
        vpermq  $0x1e, %ymm8, %ymm20                        /* 0: words of a rotated */
        vpaddq  %ymm21, %ymm20, %ymm17                      /* 1: + x */
        vmovdqa64 FIN_LOCAL(words_blake512)+576(%rip), %zmm10 /* 4: indices of words */
        /* ---- Round 1 ---- */
        vpxorq  FIN_LOCAL(constants_blake512)+896(%rip), %zmm1, %zmm18 /* 7: words ^ constants */
        vmovdqa64 %zmm18, 896(%rsp)                         /* 7: words stored */
        vpermi2q %zmm31, %zmm30, %zmm6                      /* 9: words */
        vpermi2q %zmm31, %zmm30, %zmm12                     /* 1: words */
        vpxorq  FIN_LOCAL(constants_blake512)+192(%rip), %zmm12, %zmm16 /* 1: words ^ constants */
        vmovdqa64 %zmm16, 192(%rsp)                         /* 1: words stored */
        vmovdqa64 FIN_LOCAL(words_blake512)+704(%rip), %zmm2 /* 5: indices of words */
        nop
        vpxorq  FIN_LOCAL(constants_blake512)+1024(%rip), %zmm7, %zmm3 /* 8: words ^ constants */
        vmovdqa64 %zmm3, 1024(%rsp)                         /* 8: words stored */
        vpermi2q %zmm31, %zmm30, %zmm0                      /* 2: words */
        vpxorq  FIN_LOCAL(constants_blake512)+320(%rip), %zmm0, %zmm5 /* 2: words ^ constants */
        vmovdqa64 %zmm5, 320(%rsp)                          /* 2: words stored */
        vmovdqa 192(%rsp), %ymm8                            /* 1: x */
        vmovdqa64 FIN_LOCAL(words_blake512)+832(%rip), %zmm20 /* 6: indices of words */
        nop
        vpxorq  FIN_LOCAL(constants_blake512)+1152(%rip), %zmm6, %zmm21 /* 9: words ^ constants */
        vmovdqa64 %zmm21, 1152(%rsp)                        /* 9: words stored */
        vpermi2q %zmm31, %zmm30, %zmm19                     /* 3: words */
        vpxorq  FIN_LOCAL(constants_blake512)+448(%rip), %zmm19, %zmm1 /* 3: words ^ constants */
        vmovdqa64 %zmm1, 448(%rsp)                          /* 3: words stored */
        vmovdqa64 FIN_LOCAL(words_blake512)+960(%rip), %zmm18 /* 7: indices of words */
        vpternlogq $0x96, %ymm14, %ymm15, %ymm13            /* 0: b = (b ^ c) >>> 11 */
        vpaddq  %ymm13, %ymm17, %ymm12                      /* 1: a += b + x */
        vprorq  $25, %ymm13, %ymm16                         /* 1: b >>> 25 */
        vpxor   %ymm11, %ymm12, %ymm7                       /* 1: d ^= a */
        vpaddq  %ymm4, %ymm12, %ymm3                        /* 1: + y */
        vpshufd $0xb1, %ymm7, %ymm0                         /* 1: d >>>= 32 */
        vpaddq  %ymm9, %ymm0, %ymm5                         /* 1: c += d */
        vprorq  $16, %ymm0, %ymm6                           /* 1: d >>> 16 */
        vpsrlq  $25, %ymm5, %ymm21                          /* 1: c >> 25 */
        vpsllq  $39, %ymm5, %ymm19                          /* 1: c << 39 */
        vpternlogq $0x96, %ymm16, %ymm21, %ymm19            /* 1: b = (b ^ c) >>> 25 */
        vpaddq  %ymm19, %ymm3, %ymm1                        /* 1: a += b + y */
        vprorq  $11, %ymm19, %ymm14                         /* 1: b >>> 11 */
        vpsrlq  $16, %ymm1, %ymm15                          /* 1: a >> 16 */
        vpsllq  $48, %ymm1, %ymm17                          /* 1: a << 48 */
        vpternlogq $0x96, %ymm6, %ymm17, %ymm15             /* 1: d = (d ^ a) >>> 16 */
        vpaddq  %ymm5, %ymm15, %ymm13                       /* 1: c += d */
        vpshufd $0x4e, %ymm15, %ymm11                       /* 1: words of d rotated */
        vpsrlq  $11, %ymm13, %ymm12                         /* 1: c >> 11 */
        vpsllq  $53, %ymm13, %ymm4                          /* 1: c << 53 */
        vpermq  $0x1e, %ymm13, %ymm7                        /* 1: words of c rotated */
        vpermi2q %zmm31, %zmm30, %zmm10                     /* 4: words */
        vpxorq  FIN_LOCAL(constants_blake512)+576(%rip), %zmm10, %zmm9 /* 4: words ^ constants */
        vmovdqa64 %zmm9, 576(%rsp)                          /* 4: words stored */
        vmovdqa 224(%rsp), %ymm0                            /* 1: y */
        vmovdqa64 FIN_LOCAL(words_blake512)+1088(%rip), %zmm16 /* 8: indices of words */
        vpermq  $0x4b, %ymm1, %ymm21                        /* 1: words of a rotated */
        vpaddq  %ymm8, %ymm21, %ymm3                        /* 1: + x */
        vpermi2q %zmm31, %zmm30, %zmm2                      /* 5: words */
        vpxorq  FIN_LOCAL(constants_blake512)+704(%rip), %zmm2, %zmm19 /* 5: words ^ constants */
        vmovdqa64 %zmm19, 704(%rsp)                         /* 5: words stored */
        vmovdqa64 FIN_LOCAL(words_blake512)+1216(%rip), %zmm6 /* 9: indices of words */
        vpermi2q %zmm31, %zmm30, %zmm20                     /* 6: words */
        vpxorq  FIN_LOCAL(constants_blake512)+832(%rip), %zmm20, %zmm17 /* 6: words ^ constants */
        vmovdqa64 %zmm17, 832(%rsp)                         /* 6: words stored */
        vmovdqa 256(%rsp), %ymm5                            /* 2: x */
        vpermi2q %zmm31, %zmm30, %zmm18                     /* 7: words */
        vpxorq  FIN_LOCAL(constants_blake512)+960(%rip), %zmm18, %zmm15 /* 7: words ^ constants */
        vmovdqa64 %zmm15, 960(%rsp)                         /* 7: words stored */
        vpternlogq $0x96, %ymm14, %ymm12, %ymm4             /* 1: b = (b ^ c) >>> 11 */
        vpaddq  %ymm4, %ymm3, %ymm13                        /* 1: a += b + x */
        vprorq  $25, %ymm4, %ymm10                          /* 1: b >>> 25 */
        vpxor   %ymm11, %ymm13, %ymm9                       /* 1: d ^= a */
        vpaddq  %ymm0, %ymm13, %ymm1                        /* 1: + y */
        vpshufd $0xb1, %ymm9, %ymm21                        /* 1: d >>>= 32 */
        vpaddq  %ymm7, %ymm21, %ymm8                        /* 1: c += d */
        vprorq  $16, %ymm21, %ymm2                          /* 1: d >>> 16 */
        vpsrlq  $25, %ymm8, %ymm19                          /* 1: c >> 25 */
        vpsllq  $39, %ymm8, %ymm20                          /* 1: c << 39 */
        vpermi2q %zmm31, %zmm30, %zmm16                     /* 8: words */
        vpxorq  FIN_LOCAL(constants_blake512)+1088(%rip), %zmm16, %zmm17 /* 8: words ^ constants */
        vmovdqa64 %zmm17, 1088(%rsp)                        /* 8: words stored */
        vmovdqa64 288(%rsp), %ymm18                         /* 2: y */
        vpternlogq $0x96, %ymm10, %ymm19, %ymm20            /* 1: b = (b ^ c) >>> 25 */
        vpaddq  %ymm20, %ymm1, %ymm15                       /* 1: a += b + y */
        vprorq  $11, %ymm20, %ymm14                         /* 1: b >>> 11 */
        vpsrlq  $16, %ymm15, %ymm12                         /* 1: a >> 16 */
        vpsllq  $48, %ymm15, %ymm3                          /* 1: a << 48 */
        vpternlogq $0x96, %ymm2, %ymm3, %ymm12              /* 1: d = (d ^ a) >>> 16 */
        vpaddq  %ymm8, %ymm12, %ymm4                        /* 1: c += d */
        vpshufd $0x4e, %ymm12, %ymm11                       /* 1: words of d rotated */
        vpsrlq  $11, %ymm4, %ymm13                          /* 1: c >> 11 */
        vpsllq  $53, %ymm4, %ymm0                           /* 1: c << 53 */
        vpermq  $0x4b, %ymm4, %ymm9                         /* 1: words of c rotated */
        vpermq  $0x1e, %ymm15, %ymm7                        /* 1: words of a rotated */
        vpaddq  %ymm5, %ymm7, %ymm21                        /* 2: + x */
        vpermi2q %zmm31, %zmm30, %zmm6                      /* 9: words */
        vpxorq  FIN_LOCAL(constants_blake512)+1216(%rip), %zmm6, %zmm16 /* 9: words ^ constants */
        vmovdqa64 %zmm16, 1216(%rsp)                        /* 9: words stored */
        /* ---- Round 2 ---- */
        nop
        vmovdqa64 320(%rsp), %ymm17                         /* 2: x */
        nop
        vpternlogq $0x96, %ymm14, %ymm13, %ymm0             /* 1: b = (b ^ c) >>> 11 */
        vpaddq  %ymm0, %ymm21, %ymm10                       /* 2: a += b + x */
        vprorq  $25, %ymm0, %ymm19                          /* 2: b >>> 25 */
        vpxor   %ymm11, %ymm10, %ymm1                       /* 2: d ^= a */
        vpaddq  %ymm18, %ymm10, %ymm20                      /* 2: + y */
        vpshufd $0xb1, %ymm1, %ymm2                         /* 2: d >>>= 32 */
        vpaddq  %ymm9, %ymm2, %ymm3                         /* 2: c += d */
        vprorq  $16, %ymm2, %ymm8                           /* 2: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm12                          /* 2: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 2: c << 39 */
        vpternlogq $0x96, %ymm19, %ymm12, %ymm4             /* 2: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm20, %ymm15                       /* 2: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 2: b >>> 11 */
        vpsrlq  $16, %ymm15, %ymm5                          /* 2: a >> 16 */
        vpsllq  $48, %ymm15, %ymm6                          /* 2: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm6, %ymm5               /* 2: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm5, %ymm16                        /* 2: c += d */
        vpshufd $0x4e, %ymm5, %ymm14                        /* 2: words of d rotated */
        vpsrlq  $11, %ymm16, %ymm13                         /* 2: c >> 11 */
        vpsllq  $53, %ymm16, %ymm21                         /* 2: c << 53 */
        vpermq  $0x1e, %ymm16, %ymm0                        /* 2: words of c rotated */
        vmovdqa 352(%rsp), %ymm11                           /* 2: y */
        vpermq  $0x4b, %ymm15, %ymm10                       /* 2: words of a rotated */
        vpaddq  %ymm17, %ymm10, %ymm18                      /* 2: + x */
        vmovdqa 384(%rsp), %ymm1                            /* 3: x */
        vpternlogq $0x96, %ymm7, %ymm13, %ymm21             /* 2: b = (b ^ c) >>> 11 */
        vpaddq  %ymm21, %ymm18, %ymm9                       /* 2: a += b + x */
        vprorq  $25, %ymm21, %ymm2                          /* 2: b >>> 25 */
        vpxord  %ymm14, %ymm9, %ymm19                       /* 2: d ^= a */
        vpaddq  %ymm11, %ymm9, %ymm12                       /* 2: + y */
        vpshufd $0xb1, %ymm19, %ymm20                       /* 2: d >>>= 32 */
        vpaddq  %ymm0, %ymm20, %ymm4                        /* 2: c += d */
        vprorq  $16, %ymm20, %ymm8                          /* 2: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm6                           /* 2: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 2: c << 39 */
        vmovdqa 416(%rsp), %ymm5                            /* 3: y */
        vpternlogq $0x96, %ymm2, %ymm6, %ymm3               /* 2: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm12, %ymm16                       /* 2: a += b + y */
        vprorq  $11, %ymm3, %ymm15                          /* 2: b >>> 11 */
        vpsrlq  $16, %ymm16, %ymm10                         /* 2: a >> 16 */
        vpsllq  $48, %ymm16, %ymm17                         /* 2: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm17, %ymm10             /* 2: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm10, %ymm7                        /* 2: c += d */
        vpshufd $0x4e, %ymm10, %ymm13                       /* 2: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm18                          /* 2: c >> 11 */
        vpsllq  $53, %ymm7, %ymm21                          /* 2: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm14                        /* 2: words of c rotated */
        vpermq  $0x1e, %ymm16, %ymm9                        /* 2: words of a rotated */
        vpaddq  %ymm1, %ymm9, %ymm11                        /* 3: + x */
        /* ---- Round 3 ---- */
        nop
        vmovdqa64 448(%rsp), %ymm19                         /* 3: x */
        nop
        vpternlogq $0x96, %ymm15, %ymm18, %ymm21            /* 2: b = (b ^ c) >>> 11 */
        vpaddq  %ymm21, %ymm11, %ymm0                       /* 3: a += b + x */
        vprorq  $25, %ymm21, %ymm20                         /* 3: b >>> 25 */
        vpxor   %ymm13, %ymm0, %ymm2                        /* 3: d ^= a */
        vpaddq  %ymm5, %ymm0, %ymm6                         /* 3: + y */
        vpshufd $0xb1, %ymm2, %ymm12                        /* 3: d >>>= 32 */
        vpaddq  %ymm14, %ymm12, %ymm3                       /* 3: c += d */
        vprorq  $16, %ymm12, %ymm8                          /* 3: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm17                          /* 3: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 3: c << 39 */
        vpternlogq $0x96, %ymm20, %ymm17, %ymm4             /* 3: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm6, %ymm10                        /* 3: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 3: b >>> 11 */
        vpsrlq  $16, %ymm10, %ymm16                         /* 3: a >> 16 */
        vpsllq  $48, %ymm10, %ymm9                          /* 3: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm9, %ymm16              /* 3: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm16, %ymm1                        /* 3: c += d */
        vpshufd $0x4e, %ymm16, %ymm15                       /* 3: words of d rotated */
        vpsrlq  $11, %ymm1, %ymm18                          /* 3: c >> 11 */
        vpsllq  $53, %ymm1, %ymm11                          /* 3: c << 53 */
        vpermq  $0x1e, %ymm1, %ymm21                        /* 3: words of c rotated */
        vmovdqa 480(%rsp), %ymm13                           /* 3: y */
        vpermq  $0x4b, %ymm10, %ymm0                        /* 3: words of a rotated */
        vpaddq  %ymm19, %ymm0, %ymm5                        /* 3: + x */
        vmovdqa 512(%rsp), %ymm2                            /* 4: x */
        vpternlogq $0x96, %ymm7, %ymm18, %ymm11             /* 3: b = (b ^ c) >>> 11 */
        vpaddq  %ymm11, %ymm5, %ymm14                       /* 3: a += b + x */
        vprorq  $25, %ymm11, %ymm12                         /* 3: b >>> 25 */
        vpxord  %ymm15, %ymm14, %ymm20                      /* 3: d ^= a */
        vpaddq  %ymm13, %ymm14, %ymm17                      /* 3: + y */
        vpshufd $0xb1, %ymm20, %ymm6                        /* 3: d >>>= 32 */
        vpaddq  %ymm21, %ymm6, %ymm4                        /* 3: c += d */
        vprorq  $16, %ymm6, %ymm8                           /* 3: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm9                           /* 3: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 3: c << 39 */
        vmovdqa64 544(%rsp), %ymm16                         /* 4: y */
        vpternlogq $0x96, %ymm12, %ymm9, %ymm3              /* 3: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm17, %ymm1                        /* 3: a += b + y */
        vprorq  $11, %ymm3, %ymm10                          /* 3: b >>> 11 */
        vpsrlq  $16, %ymm1, %ymm0                           /* 3: a >> 16 */
        vpsllq  $48, %ymm1, %ymm19                          /* 3: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm19, %ymm0              /* 3: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm0, %ymm7                         /* 3: c += d */
        vpshufd $0x4e, %ymm0, %ymm18                        /* 3: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm5                           /* 3: c >> 11 */
        vpsllq  $53, %ymm7, %ymm11                          /* 3: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm15                        /* 3: words of c rotated */
        vpermq  $0x1e, %ymm1, %ymm14                        /* 3: words of a rotated */
        vpaddq  %ymm2, %ymm14, %ymm13                       /* 4: + x */
        /* ---- Round 4 ---- */
        nop
        vmovdqa64 576(%rsp), %ymm20                         /* 4: x */
        nop
        vpternlogq $0x96, %ymm10, %ymm5, %ymm11             /* 3: b = (b ^ c) >>> 11 */
        vpaddq  %ymm11, %ymm13, %ymm21                      /* 4: a += b + x */
        vprorq  $25, %ymm11, %ymm6                          /* 4: b >>> 25 */
        vpxord  %ymm18, %ymm21, %ymm12                      /* 4: d ^= a */
        vpaddq  %ymm16, %ymm21, %ymm9                       /* 4: + y */
        vpshufd $0xb1, %ymm12, %ymm17                       /* 4: d >>>= 32 */
        vpaddq  %ymm15, %ymm17, %ymm3                       /* 4: c += d */
        vprorq  $16, %ymm17, %ymm8                          /* 4: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm19                          /* 4: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 4: c << 39 */
        vpternlogq $0x96, %ymm6, %ymm19, %ymm4              /* 4: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm9, %ymm0                         /* 4: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 4: b >>> 11 */
        vpsrlq  $16, %ymm0, %ymm1                           /* 4: a >> 16 */
        vpsllq  $48, %ymm0, %ymm14                          /* 4: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm14, %ymm1              /* 4: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm1, %ymm2                         /* 4: c += d */
        vpshufd $0x4e, %ymm1, %ymm10                        /* 4: words of d rotated */
        vpsrlq  $11, %ymm2, %ymm5                           /* 4: c >> 11 */
        vpsllq  $53, %ymm2, %ymm13                          /* 4: c << 53 */
        vpermq  $0x1e, %ymm2, %ymm11                        /* 4: words of c rotated */
        vmovdqa64 608(%rsp), %ymm18                         /* 4: y */
        vpermq  $0x4b, %ymm0, %ymm21                        /* 4: words of a rotated */
        vpaddq  %ymm20, %ymm21, %ymm16                      /* 4: + x */
        vmovdqa 640(%rsp), %ymm12                           /* 5: x */
        vpternlogq $0x96, %ymm7, %ymm5, %ymm13              /* 4: b = (b ^ c) >>> 11 */
        vpaddq  %ymm13, %ymm16, %ymm15                      /* 4: a += b + x */
        vprorq  $25, %ymm13, %ymm17                         /* 4: b >>> 25 */
        vpxor   %ymm10, %ymm15, %ymm6                       /* 4: d ^= a */
        vpaddq  %ymm18, %ymm15, %ymm19                      /* 4: + y */
        vpshufd $0xb1, %ymm6, %ymm9                         /* 4: d >>>= 32 */
        vpaddq  %ymm11, %ymm9, %ymm4                        /* 4: c += d */
        vprorq  $16, %ymm9, %ymm8                           /* 4: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm14                          /* 4: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 4: c << 39 */
        vmovdqa 672(%rsp), %ymm1                            /* 5: y */
        vpternlogq $0x96, %ymm17, %ymm14, %ymm3             /* 4: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm19, %ymm2                        /* 4: a += b + y */
        vprorq  $11, %ymm3, %ymm0                           /* 4: b >>> 11 */
        vpsrlq  $16, %ymm2, %ymm21                          /* 4: a >> 16 */
        vpsllq  $48, %ymm2, %ymm20                          /* 4: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm20, %ymm21             /* 4: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm21, %ymm7                        /* 4: c += d */
        vpshufd $0x4e, %ymm21, %ymm5                        /* 4: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm16                          /* 4: c >> 11 */
        vpsllq  $53, %ymm7, %ymm13                          /* 4: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm10                        /* 4: words of c rotated */
        vpermq  $0x1e, %ymm2, %ymm15                        /* 4: words of a rotated */
        vpaddq  %ymm12, %ymm15, %ymm18                      /* 5: + x */
        /* ---- Round 5 ---- */
        nop
        vmovdqa 704(%rsp), %ymm6                            /* 5: x */
        nop
        vpternlogq $0x96, %ymm0, %ymm16, %ymm13             /* 4: b = (b ^ c) >>> 11 */
        vpaddq  %ymm13, %ymm18, %ymm11                      /* 5: a += b + x */
        vprorq  $25, %ymm13, %ymm9                          /* 5: b >>> 25 */
        vpxord  %ymm5, %ymm11, %ymm17                       /* 5: d ^= a */
        vpaddq  %ymm1, %ymm11, %ymm14                       /* 5: + y */
        vpshufd $0xb1, %ymm17, %ymm19                       /* 5: d >>>= 32 */
        vpaddq  %ymm10, %ymm19, %ymm3                       /* 5: c += d */
        vprorq  $16, %ymm19, %ymm8                          /* 5: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm20                          /* 5: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 5: c << 39 */
        vpternlogq $0x96, %ymm9, %ymm20, %ymm4              /* 5: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm14, %ymm21                       /* 5: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 5: b >>> 11 */
        vpsrlq  $16, %ymm21, %ymm2                          /* 5: a >> 16 */
        vpsllq  $48, %ymm21, %ymm15                         /* 5: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm15, %ymm2              /* 5: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm2, %ymm12                        /* 5: c += d */
        vpshufd $0x4e, %ymm2, %ymm0                         /* 5: words of d rotated */
        vpsrlq  $11, %ymm12, %ymm16                         /* 5: c >> 11 */
        vpsllq  $53, %ymm12, %ymm18                         /* 5: c << 53 */
        vpermq  $0x1e, %ymm12, %ymm13                       /* 5: words of c rotated */
        vmovdqa 736(%rsp), %ymm5                            /* 5: y */
        vpermq  $0x4b, %ymm21, %ymm11                       /* 5: words of a rotated */
        vpaddq  %ymm6, %ymm11, %ymm1                        /* 5: + x */
        vmovdqa64 768(%rsp), %ymm17                         /* 6: x */
        vpternlogq $0x96, %ymm7, %ymm16, %ymm18             /* 5: b = (b ^ c) >>> 11 */
        vpaddq  %ymm18, %ymm1, %ymm10                       /* 5: a += b + x */
        vprorq  $25, %ymm18, %ymm19                         /* 5: b >>> 25 */
        vpxor   %ymm0, %ymm10, %ymm9                        /* 5: d ^= a */
        vpaddq  %ymm5, %ymm10, %ymm20                       /* 5: + y */
        vpshufd $0xb1, %ymm9, %ymm14                        /* 5: d >>>= 32 */
        vpaddq  %ymm13, %ymm14, %ymm4                       /* 5: c += d */
        vprorq  $16, %ymm14, %ymm8                          /* 5: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm15                          /* 5: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 5: c << 39 */
        vmovdqa 800(%rsp), %ymm2                            /* 6: y */
        vpternlogq $0x96, %ymm19, %ymm15, %ymm3             /* 5: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm20, %ymm12                       /* 5: a += b + y */
        vprorq  $11, %ymm3, %ymm21                          /* 5: b >>> 11 */
        vpsrlq  $16, %ymm12, %ymm11                         /* 5: a >> 16 */
        vpsllq  $48, %ymm12, %ymm6                          /* 5: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm6, %ymm11              /* 5: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm11, %ymm7                        /* 5: c += d */
        vpshufd $0x4e, %ymm11, %ymm16                       /* 5: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm1                           /* 5: c >> 11 */
        vpsllq  $53, %ymm7, %ymm18                          /* 5: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm0                         /* 5: words of c rotated */
        vpermq  $0x1e, %ymm12, %ymm10                       /* 5: words of a rotated */
        vpaddq  %ymm17, %ymm10, %ymm5                       /* 6: + x */
        /* ---- Round 6 ---- */
        nop
        vmovdqa 832(%rsp), %ymm9                            /* 6: x */
        nop
        vpternlogq $0x96, %ymm21, %ymm1, %ymm18             /* 5: b = (b ^ c) >>> 11 */
        vpaddq  %ymm18, %ymm5, %ymm13                       /* 6: a += b + x */
        vprorq  $25, %ymm18, %ymm14                         /* 6: b >>> 25 */
        vpxord  %ymm16, %ymm13, %ymm19                      /* 6: d ^= a */
        vpaddq  %ymm2, %ymm13, %ymm15                       /* 6: + y */
        vpshufd $0xb1, %ymm19, %ymm20                       /* 6: d >>>= 32 */
        vpaddq  %ymm0, %ymm20, %ymm3                        /* 6: c += d */
        vprorq  $16, %ymm20, %ymm8                          /* 6: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm6                           /* 6: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 6: c << 39 */
        vpternlogq $0x96, %ymm14, %ymm6, %ymm4              /* 6: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm15, %ymm11                       /* 6: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 6: b >>> 11 */
        vpsrlq  $16, %ymm11, %ymm12                         /* 6: a >> 16 */
        vpsllq  $48, %ymm11, %ymm10                         /* 6: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm10, %ymm12             /* 6: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm12, %ymm17                       /* 6: c += d */
        vpshufd $0x4e, %ymm12, %ymm21                       /* 6: words of d rotated */
        vpsrlq  $11, %ymm17, %ymm1                          /* 6: c >> 11 */
        vpsllq  $53, %ymm17, %ymm5                          /* 6: c << 53 */
        vpermq  $0x1e, %ymm17, %ymm18                       /* 6: words of c rotated */
        vmovdqa64 864(%rsp), %ymm16                         /* 6: y */
        vpermq  $0x4b, %ymm11, %ymm13                       /* 6: words of a rotated */
        vpaddq  %ymm9, %ymm13, %ymm2                        /* 6: + x */
        vmovdqa64 896(%rsp), %ymm19                         /* 7: x */
        vpternlogq $0x96, %ymm7, %ymm1, %ymm5               /* 6: b = (b ^ c) >>> 11 */
        vpaddq  %ymm5, %ymm2, %ymm0                         /* 6: a += b + x */
        vprorq  $25, %ymm5, %ymm20                          /* 6: b >>> 25 */
        vpxord  %ymm21, %ymm0, %ymm14                       /* 6: d ^= a */
        vpaddq  %ymm16, %ymm0, %ymm6                        /* 6: + y */
        vpshufd $0xb1, %ymm14, %ymm15                       /* 6: d >>>= 32 */
        vpaddq  %ymm18, %ymm15, %ymm4                       /* 6: c += d */
        vprorq  $16, %ymm15, %ymm8                          /* 6: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm10                          /* 6: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 6: c << 39 */
        vmovdqa 928(%rsp), %ymm12                           /* 7: y */
        vpternlogq $0x96, %ymm20, %ymm10, %ymm3             /* 6: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm6, %ymm17                        /* 6: a += b + y */
        vprorq  $11, %ymm3, %ymm11                          /* 6: b >>> 11 */
        vpsrlq  $16, %ymm17, %ymm13                         /* 6: a >> 16 */
        vpsllq  $48, %ymm17, %ymm9                          /* 6: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm9, %ymm13              /* 6: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm13, %ymm7                        /* 6: c += d */
        vpshufd $0x4e, %ymm13, %ymm1                        /* 6: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm2                           /* 6: c >> 11 */
        vpsllq  $53, %ymm7, %ymm5                           /* 6: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm21                        /* 6: words of c rotated */
        vpermq  $0x1e, %ymm17, %ymm0                        /* 6: words of a rotated */
        vpaddq  %ymm19, %ymm0, %ymm16                       /* 7: + x */
        /* ---- Round 7 ---- */
        nop
        vmovdqa 960(%rsp), %ymm14                           /* 7: x */
        nop
        vpternlogq $0x96, %ymm11, %ymm2, %ymm5              /* 6: b = (b ^ c) >>> 11 */
        vpaddq  %ymm5, %ymm16, %ymm18                       /* 7: a += b + x */
        vprorq  $25, %ymm5, %ymm15                          /* 7: b >>> 25 */
        vpxord  %ymm1, %ymm18, %ymm20                       /* 7: d ^= a */
        vpaddq  %ymm12, %ymm18, %ymm10                      /* 7: + y */
        vpshufd $0xb1, %ymm20, %ymm6                        /* 7: d >>>= 32 */
        vpaddq  %ymm21, %ymm6, %ymm3                        /* 7: c += d */
        vprorq  $16, %ymm6, %ymm8                           /* 7: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm9                           /* 7: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 7: c << 39 */
        vpternlogq $0x96, %ymm15, %ymm9, %ymm4              /* 7: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm10, %ymm13                       /* 7: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 7: b >>> 11 */
        vpsrlq  $16, %ymm13, %ymm17                         /* 7: a >> 16 */
        vpsllq  $48, %ymm13, %ymm0                          /* 7: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm0, %ymm17              /* 7: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm17, %ymm19                       /* 7: c += d */
        vpshufd $0x4e, %ymm17, %ymm11                       /* 7: words of d rotated */
        vpsrlq  $11, %ymm19, %ymm2                          /* 7: c >> 11 */
        vpsllq  $53, %ymm19, %ymm16                         /* 7: c << 53 */
        vpermq  $0x1e, %ymm19, %ymm5                        /* 7: words of c rotated */
        vmovdqa 992(%rsp), %ymm1                            /* 7: y */
        vpermq  $0x4b, %ymm13, %ymm18                       /* 7: words of a rotated */
        vpaddq  %ymm14, %ymm18, %ymm12                      /* 7: + x */
        vmovdqa64 1024(%rsp), %ymm20                        /* 8: x */
        vpternlogq $0x96, %ymm7, %ymm2, %ymm16              /* 7: b = (b ^ c) >>> 11 */
        vpaddq  %ymm16, %ymm12, %ymm21                      /* 7: a += b + x */
        vprorq  $25, %ymm16, %ymm6                          /* 7: b >>> 25 */
        vpxord  %ymm11, %ymm21, %ymm15                      /* 7: d ^= a */
        vpaddq  %ymm1, %ymm21, %ymm9                        /* 7: + y */
        vpshufd $0xb1, %ymm15, %ymm10                       /* 7: d >>>= 32 */
        vpaddq  %ymm5, %ymm10, %ymm4                        /* 7: c += d */
        vprorq  $16, %ymm10, %ymm8                          /* 7: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm0                           /* 7: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 7: c << 39 */
        vmovdqa64 1056(%rsp), %ymm17                        /* 8: y */
        vpternlogq $0x96, %ymm6, %ymm0, %ymm3               /* 7: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm9, %ymm19                        /* 7: a += b + y */
        vprorq  $11, %ymm3, %ymm13                          /* 7: b >>> 11 */
        vpsrlq  $16, %ymm19, %ymm18                         /* 7: a >> 16 */
        vpsllq  $48, %ymm19, %ymm14                         /* 7: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm14, %ymm18             /* 7: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm18, %ymm7                        /* 7: c += d */
        vpshufd $0x4e, %ymm18, %ymm2                        /* 7: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm12                          /* 7: c >> 11 */
        vpsllq  $53, %ymm7, %ymm16                          /* 7: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm11                        /* 7: words of c rotated */
        vpermq  $0x1e, %ymm19, %ymm21                       /* 7: words of a rotated */
        vpaddq  %ymm20, %ymm21, %ymm1                       /* 8: + x */
        /* ---- Round 8 ---- */
        nop
        vmovdqa 1088(%rsp), %ymm15                          /* 8: x */
        nop
        vpternlogq $0x96, %ymm13, %ymm12, %ymm16            /* 7: b = (b ^ c) >>> 11 */
        vpaddq  %ymm16, %ymm1, %ymm5                        /* 8: a += b + x */
        vprorq  $25, %ymm16, %ymm10                         /* 8: b >>> 25 */
        vpxor   %ymm2, %ymm5, %ymm6                         /* 8: d ^= a */
        vpaddq  %ymm17, %ymm5, %ymm0                        /* 8: + y */
        vpshufd $0xb1, %ymm6, %ymm9                         /* 8: d >>>= 32 */
        vpaddq  %ymm11, %ymm9, %ymm3                        /* 8: c += d */
        vprorq  $16, %ymm9, %ymm8                           /* 8: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm14                          /* 8: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 8: c << 39 */
        vpternlogq $0x96, %ymm10, %ymm14, %ymm4             /* 8: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm0, %ymm18                        /* 8: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 8: b >>> 11 */
        vpsrlq  $16, %ymm18, %ymm19                         /* 8: a >> 16 */
        vpsllq  $48, %ymm18, %ymm21                         /* 8: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm21, %ymm19             /* 8: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm19, %ymm20                       /* 8: c += d */
        vpshufd $0x4e, %ymm19, %ymm13                       /* 8: words of d rotated */
        vpsrlq  $11, %ymm20, %ymm12                         /* 8: c >> 11 */
        vpsllq  $53, %ymm20, %ymm1                          /* 8: c << 53 */
        vpermq  $0x1e, %ymm20, %ymm16                       /* 8: words of c rotated */
        vmovdqa 1120(%rsp), %ymm2                           /* 8: y */
        vpermq  $0x4b, %ymm18, %ymm5                        /* 8: words of a rotated */
        vpaddq  %ymm15, %ymm5, %ymm17                       /* 8: + x */
        vmovdqa 1152(%rsp), %ymm6                           /* 9: x */
        vpternlogq $0x96, %ymm7, %ymm12, %ymm1              /* 8: b = (b ^ c) >>> 11 */
        vpaddq  %ymm1, %ymm17, %ymm11                       /* 8: a += b + x */
        vprorq  $25, %ymm1, %ymm9                           /* 8: b >>> 25 */
        vpxor   %ymm13, %ymm11, %ymm10                      /* 8: d ^= a */
        vpaddq  %ymm2, %ymm11, %ymm14                       /* 8: + y */
        vpshufd $0xb1, %ymm10, %ymm0                        /* 8: d >>>= 32 */
        vpaddq  %ymm16, %ymm0, %ymm4                        /* 8: c += d */
        vprorq  $16, %ymm0, %ymm8                           /* 8: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm21                          /* 8: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 8: c << 39 */
        vmovdqa64 1184(%rsp), %ymm19                        /* 9: y */
        vpternlogq $0x96, %ymm9, %ymm21, %ymm3              /* 8: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm14, %ymm20                       /* 8: a += b + y */
        vprorq  $11, %ymm3, %ymm18                          /* 8: b >>> 11 */
        vpsrlq  $16, %ymm20, %ymm5                          /* 8: a >> 16 */
        vpsllq  $48, %ymm20, %ymm15                         /* 8: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm15, %ymm5              /* 8: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm5, %ymm7                         /* 8: c += d */
        vpshufd $0x4e, %ymm5, %ymm12                        /* 8: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm17                          /* 8: c >> 11 */
        vpsllq  $53, %ymm7, %ymm1                           /* 8: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm13                        /* 8: words of c rotated */
        vpermq  $0x1e, %ymm20, %ymm11                       /* 8: words of a rotated */
        vpaddq  %ymm6, %ymm11, %ymm2                        /* 9: + x */
        /* ---- Round 9 ---- */
        nop
        vmovdqa 1216(%rsp), %ymm10                          /* 9: x */
        nop
        vpternlogq $0x96, %ymm18, %ymm17, %ymm1             /* 8: b = (b ^ c) >>> 11 */
        vpaddq  %ymm1, %ymm2, %ymm16                        /* 9: a += b + x */
        vprorq  $25, %ymm1, %ymm0                           /* 9: b >>> 25 */
        vpxord  %ymm12, %ymm16, %ymm9                       /* 9: d ^= a */
        vpaddq  %ymm19, %ymm16, %ymm21                      /* 9: + y */
        vpshufd $0xb1, %ymm9, %ymm14                        /* 9: d >>>= 32 */
        vpaddq  %ymm13, %ymm14, %ymm3                       /* 9: c += d */
        vprorq  $16, %ymm14, %ymm8                          /* 9: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm15                          /* 9: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 9: c << 39 */
        vpternlogq $0x96, %ymm0, %ymm15, %ymm4              /* 9: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm21, %ymm5                        /* 9: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 9: b >>> 11 */
        vpsrlq  $16, %ymm5, %ymm20                          /* 9: a >> 16 */
        vpsllq  $48, %ymm5, %ymm11                          /* 9: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm11, %ymm20             /* 9: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm20, %ymm6                        /* 9: c += d */
        vpshufd $0x4e, %ymm20, %ymm18                       /* 9: words of d rotated */
        vpsrlq  $11, %ymm6, %ymm17                          /* 9: c >> 11 */
        vpsllq  $53, %ymm6, %ymm2                           /* 9: c << 53 */
        vpermq  $0x1e, %ymm6, %ymm1                         /* 9: words of c rotated */
        vmovdqa 1248(%rsp), %ymm12                          /* 9: y */
        vpermq  $0x4b, %ymm5, %ymm16                        /* 9: words of a rotated */
        vpaddq  %ymm10, %ymm16, %ymm19                      /* 9: + x */
        vmovdqa 0(%rsp), %ymm9                              /* 10: x */
        vpternlogq $0x96, %ymm7, %ymm17, %ymm2              /* 9: b = (b ^ c) >>> 11 */
        vpaddq  %ymm2, %ymm19, %ymm13                       /* 9: a += b + x */
        vprorq  $25, %ymm2, %ymm14                          /* 9: b >>> 25 */
        vpxord  %ymm18, %ymm13, %ymm0                       /* 9: d ^= a */
        vpaddq  %ymm12, %ymm13, %ymm15                      /* 9: + y */
        vpshufd $0xb1, %ymm0, %ymm21                        /* 9: d >>>= 32 */
        vpaddq  %ymm1, %ymm21, %ymm4                        /* 9: c += d */
        vprorq  $16, %ymm21, %ymm8                          /* 9: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm11                          /* 9: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 9: c << 39 */
        vmovdqa64 32(%rsp), %ymm20                          /* 10: y */
        vpternlogq $0x96, %ymm14, %ymm11, %ymm3             /* 9: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm15, %ymm6                        /* 9: a += b + y */
        vprorq  $11, %ymm3, %ymm5                           /* 9: b >>> 11 */
        vpsrlq  $16, %ymm6, %ymm16                          /* 9: a >> 16 */
        vpsllq  $48, %ymm6, %ymm10                          /* 9: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm10, %ymm16             /* 9: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm16, %ymm7                        /* 9: c += d */
        vpshufd $0x4e, %ymm16, %ymm17                       /* 9: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm19                          /* 9: c >> 11 */
        vpsllq  $53, %ymm7, %ymm2                           /* 9: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm18                        /* 9: words of c rotated */
        vpermq  $0x1e, %ymm6, %ymm13                        /* 9: words of a rotated */
        vpaddq  %ymm9, %ymm13, %ymm12                       /* 10: + x */
        /* ---- Round 10 ---- */
        nop
        vmovdqa 64(%rsp), %ymm0                             /* 10: x */
        nop
        vpternlogq $0x96, %ymm5, %ymm19, %ymm2              /* 9: b = (b ^ c) >>> 11 */
        vpaddq  %ymm2, %ymm12, %ymm1                        /* 10: a += b + x */
        vprorq  $25, %ymm2, %ymm21                          /* 10: b >>> 25 */
        vpxord  %ymm17, %ymm1, %ymm14                       /* 10: d ^= a */
        vpaddq  %ymm20, %ymm1, %ymm11                       /* 10: + y */
        vpshufd $0xb1, %ymm14, %ymm15                       /* 10: d >>>= 32 */
        vpaddq  %ymm18, %ymm15, %ymm3                       /* 10: c += d */
        vprorq  $16, %ymm15, %ymm8                          /* 10: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm10                          /* 10: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 10: c << 39 */
        vpternlogq $0x96, %ymm21, %ymm10, %ymm4             /* 10: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm11, %ymm16                       /* 10: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 10: b >>> 11 */
        vpsrlq  $16, %ymm16, %ymm6                          /* 10: a >> 16 */
        vpsllq  $48, %ymm16, %ymm13                         /* 10: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm13, %ymm6              /* 10: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm6, %ymm9                         /* 10: c += d */
        vpshufd $0x4e, %ymm6, %ymm5                         /* 10: words of d rotated */
        vpsrlq  $11, %ymm9, %ymm19                          /* 10: c >> 11 */
        vpsllq  $53, %ymm9, %ymm12                          /* 10: c << 53 */
        vpermq  $0x1e, %ymm9, %ymm2                         /* 10: words of c rotated */
        vmovdqa64 96(%rsp), %ymm17                          /* 10: y */
        vpermq  $0x4b, %ymm16, %ymm1                        /* 10: words of a rotated */
        vpaddq  %ymm0, %ymm1, %ymm20                        /* 10: + x */
        vmovdqa 128(%rsp), %ymm14                           /* 11: x */
        vpternlogq $0x96, %ymm7, %ymm19, %ymm12             /* 10: b = (b ^ c) >>> 11 */
        vpaddq  %ymm12, %ymm20, %ymm18                      /* 10: a += b + x */
        vprorq  $25, %ymm12, %ymm15                         /* 10: b >>> 25 */
        vpxord  %ymm5, %ymm18, %ymm21                       /* 10: d ^= a */
        vpaddq  %ymm17, %ymm18, %ymm10                      /* 10: + y */
        vpshufd $0xb1, %ymm21, %ymm11                       /* 10: d >>>= 32 */
        vpaddq  %ymm2, %ymm11, %ymm4                        /* 10: c += d */
        vprorq  $16, %ymm11, %ymm8                          /* 10: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm13                          /* 10: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 10: c << 39 */
        vmovdqa 160(%rsp), %ymm6                            /* 11: y */
        vpternlogq $0x96, %ymm15, %ymm13, %ymm3             /* 10: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm10, %ymm9                        /* 10: a += b + y */
        vprorq  $11, %ymm3, %ymm16                          /* 10: b >>> 11 */
        vpsrlq  $16, %ymm9, %ymm1                           /* 10: a >> 16 */
        vpsllq  $48, %ymm9, %ymm0                           /* 10: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm0, %ymm1               /* 10: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm1, %ymm7                         /* 10: c += d */
        vpshufd $0x4e, %ymm1, %ymm19                        /* 10: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm20                          /* 10: c >> 11 */
        vpsllq  $53, %ymm7, %ymm12                          /* 10: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm5                         /* 10: words of c rotated */
        vpermq  $0x1e, %ymm9, %ymm18                        /* 10: words of a rotated */
        vpaddq  %ymm14, %ymm18, %ymm17                      /* 11: + x */
        /* ---- Round 11 ---- */
        nop
        vmovdqa64 192(%rsp), %ymm21                         /* 11: x */
        nop
        vpternlogq $0x96, %ymm16, %ymm20, %ymm12            /* 10: b = (b ^ c) >>> 11 */
        vpaddq  %ymm12, %ymm17, %ymm2                       /* 11: a += b + x */
        vprorq  $25, %ymm12, %ymm11                         /* 11: b >>> 25 */
        vpxord  %ymm19, %ymm2, %ymm15                       /* 11: d ^= a */
        vpaddq  %ymm6, %ymm2, %ymm13                        /* 11: + y */
        vpshufd $0xb1, %ymm15, %ymm10                       /* 11: d >>>= 32 */
        vpaddq  %ymm5, %ymm10, %ymm3                        /* 11: c += d */
        vprorq  $16, %ymm10, %ymm8                          /* 11: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm0                           /* 11: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 11: c << 39 */
        vpternlogq $0x96, %ymm11, %ymm0, %ymm4              /* 11: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm13, %ymm1                        /* 11: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 11: b >>> 11 */
        vpsrlq  $16, %ymm1, %ymm9                           /* 11: a >> 16 */
        vpsllq  $48, %ymm1, %ymm18                          /* 11: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm18, %ymm9              /* 11: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm9, %ymm14                        /* 11: c += d */
        vpshufd $0x4e, %ymm9, %ymm16                        /* 11: words of d rotated */
        vpsrlq  $11, %ymm14, %ymm20                         /* 11: c >> 11 */
        vpsllq  $53, %ymm14, %ymm17                         /* 11: c << 53 */
        vpermq  $0x1e, %ymm14, %ymm12                       /* 11: words of c rotated */
        vmovdqa64 224(%rsp), %ymm19                         /* 11: y */
        vpermq  $0x4b, %ymm1, %ymm2                         /* 11: words of a rotated */
        vpaddq  %ymm21, %ymm2, %ymm6                        /* 11: + x */
        vmovdqa 256(%rsp), %ymm15                           /* 12: x */
        vpternlogq $0x96, %ymm7, %ymm20, %ymm17             /* 11: b = (b ^ c) >>> 11 */
        vpaddq  %ymm17, %ymm6, %ymm5                        /* 11: a += b + x */
        vprorq  $25, %ymm17, %ymm10                         /* 11: b >>> 25 */
        vpxord  %ymm16, %ymm5, %ymm11                       /* 11: d ^= a */
        vpaddq  %ymm19, %ymm5, %ymm0                        /* 11: + y */
        vpshufd $0xb1, %ymm11, %ymm13                       /* 11: d >>>= 32 */
        vpaddq  %ymm12, %ymm13, %ymm4                       /* 11: c += d */
        vprorq  $16, %ymm13, %ymm8                          /* 11: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm18                          /* 11: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 11: c << 39 */
        vmovdqa 288(%rsp), %ymm9                            /* 12: y */
        vpternlogq $0x96, %ymm10, %ymm18, %ymm3             /* 11: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm0, %ymm14                        /* 11: a += b + y */
        vprorq  $11, %ymm3, %ymm1                           /* 11: b >>> 11 */
        vpsrlq  $16, %ymm14, %ymm2                          /* 11: a >> 16 */
        vpsllq  $48, %ymm14, %ymm21                         /* 11: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm21, %ymm2              /* 11: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm2, %ymm7                         /* 11: c += d */
        vpshufd $0x4e, %ymm2, %ymm20                        /* 11: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm6                           /* 11: c >> 11 */
        vpsllq  $53, %ymm7, %ymm17                          /* 11: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm16                        /* 11: words of c rotated */
        vpermq  $0x1e, %ymm14, %ymm5                        /* 11: words of a rotated */
        vpaddq  %ymm15, %ymm5, %ymm19                       /* 12: + x */
        /* ---- Round 12 ---- */
        nop
        vmovdqa 320(%rsp), %ymm11                           /* 12: x */
        nop
        vpternlogq $0x96, %ymm1, %ymm6, %ymm17              /* 11: b = (b ^ c) >>> 11 */
        vpaddq  %ymm17, %ymm19, %ymm12                      /* 12: a += b + x */
        vprorq  $25, %ymm17, %ymm13                         /* 12: b >>> 25 */
        vpxord  %ymm20, %ymm12, %ymm10                      /* 12: d ^= a */
        vpaddq  %ymm9, %ymm12, %ymm18                       /* 12: + y */
        vpshufd $0xb1, %ymm10, %ymm0                        /* 12: d >>>= 32 */
        vpaddq  %ymm16, %ymm0, %ymm3                        /* 12: c += d */
        vprorq  $16, %ymm0, %ymm8                           /* 12: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm21                          /* 12: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 12: c << 39 */
        vpternlogq $0x96, %ymm13, %ymm21, %ymm4             /* 12: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm18, %ymm2                        /* 12: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 12: b >>> 11 */
        vpsrlq  $16, %ymm2, %ymm14                          /* 12: a >> 16 */
        vpsllq  $48, %ymm2, %ymm5                           /* 12: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm5, %ymm14              /* 12: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm14, %ymm15                       /* 12: c += d */
        vpshufd $0x4e, %ymm14, %ymm1                        /* 12: words of d rotated */
        vpsrlq  $11, %ymm15, %ymm6                          /* 12: c >> 11 */
        vpsllq  $53, %ymm15, %ymm19                         /* 12: c << 53 */
        vpermq  $0x1e, %ymm15, %ymm17                       /* 12: words of c rotated */
        vmovdqa64 352(%rsp), %ymm20                         /* 12: y */
        vpermq  $0x4b, %ymm2, %ymm12                        /* 12: words of a rotated */
        vpaddq  %ymm11, %ymm12, %ymm9                       /* 12: + x */
        vmovdqa 384(%rsp), %ymm10                           /* 13: x */
        vpternlogq $0x96, %ymm7, %ymm6, %ymm19              /* 12: b = (b ^ c) >>> 11 */
        vpaddq  %ymm19, %ymm9, %ymm16                       /* 12: a += b + x */
        vprorq  $25, %ymm19, %ymm0                          /* 12: b >>> 25 */
        vpxord  %ymm1, %ymm16, %ymm13                       /* 12: d ^= a */
        vpaddq  %ymm20, %ymm16, %ymm21                      /* 12: + y */
        vpshufd $0xb1, %ymm13, %ymm18                       /* 12: d >>>= 32 */
        vpaddq  %ymm17, %ymm18, %ymm4                       /* 12: c += d */
        vprorq  $16, %ymm18, %ymm8                          /* 12: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm5                           /* 12: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 12: c << 39 */
        vmovdqa 416(%rsp), %ymm14                           /* 13: y */
        vpternlogq $0x96, %ymm0, %ymm5, %ymm3               /* 12: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm21, %ymm15                       /* 12: a += b + y */
        vprorq  $11, %ymm3, %ymm2                           /* 12: b >>> 11 */
        vpsrlq  $16, %ymm15, %ymm12                         /* 12: a >> 16 */
        vpsllq  $48, %ymm15, %ymm11                         /* 12: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm11, %ymm12             /* 12: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm12, %ymm7                        /* 12: c += d */
        vpshufd $0x4e, %ymm12, %ymm6                        /* 12: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm9                           /* 12: c >> 11 */
        vpsllq  $53, %ymm7, %ymm19                          /* 12: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm1                         /* 12: words of c rotated */
        vpermq  $0x1e, %ymm15, %ymm16                       /* 12: words of a rotated */
        vpaddq  %ymm10, %ymm16, %ymm20                      /* 13: + x */
        /* ---- Round 13 ---- */
        nop
        vmovdqa 448(%rsp), %ymm13                           /* 13: x */
        nop
        vpternlogq $0x96, %ymm2, %ymm9, %ymm19              /* 12: b = (b ^ c) >>> 11 */
        vpaddq  %ymm19, %ymm20, %ymm17                      /* 13: a += b + x */
        vprorq  $25, %ymm19, %ymm18                         /* 13: b >>> 25 */
        vpxord  %ymm6, %ymm17, %ymm0                        /* 13: d ^= a */
        vpaddq  %ymm14, %ymm17, %ymm5                       /* 13: + y */
        vpshufd $0xb1, %ymm0, %ymm21                        /* 13: d >>>= 32 */
        vpaddq  %ymm1, %ymm21, %ymm3                        /* 13: c += d */
        vprorq  $16, %ymm21, %ymm8                          /* 13: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm11                          /* 13: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 13: c << 39 */
        vpternlogq $0x96, %ymm18, %ymm11, %ymm4             /* 13: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm5, %ymm12                        /* 13: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 13: b >>> 11 */
        vpsrlq  $16, %ymm12, %ymm15                         /* 13: a >> 16 */
        vpsllq  $48, %ymm12, %ymm16                         /* 13: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm16, %ymm15             /* 13: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm15, %ymm10                       /* 13: c += d */
        vpshufd $0x4e, %ymm15, %ymm2                        /* 13: words of d rotated */
        vpsrlq  $11, %ymm10, %ymm9                          /* 13: c >> 11 */
        vpsllq  $53, %ymm10, %ymm20                         /* 13: c << 53 */
        vpermq  $0x1e, %ymm10, %ymm19                       /* 13: words of c rotated */
        vmovdqa 480(%rsp), %ymm6                            /* 13: y */
        vpermq  $0x4b, %ymm12, %ymm17                       /* 13: words of a rotated */
        vpaddq  %ymm13, %ymm17, %ymm14                      /* 13: + x */
        vmovdqa 512(%rsp), %ymm0                            /* 14: x */
        vpternlogq $0x96, %ymm7, %ymm9, %ymm20              /* 13: b = (b ^ c) >>> 11 */
        vpaddq  %ymm20, %ymm14, %ymm1                       /* 13: a += b + x */
        vprorq  $25, %ymm20, %ymm21                         /* 13: b >>> 25 */
        vpxord  %ymm2, %ymm1, %ymm18                        /* 13: d ^= a */
        vpaddq  %ymm6, %ymm1, %ymm11                        /* 13: + y */
        vpshufd $0xb1, %ymm18, %ymm5                        /* 13: d >>>= 32 */
        vpaddq  %ymm19, %ymm5, %ymm4                        /* 13: c += d */
        vprorq  $16, %ymm5, %ymm8                           /* 13: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm16                          /* 13: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 13: c << 39 */
        vmovdqa 544(%rsp), %ymm15                           /* 14: y */
        vpternlogq $0x96, %ymm21, %ymm16, %ymm3             /* 13: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm11, %ymm10                       /* 13: a += b + y */
        vprorq  $11, %ymm3, %ymm12                          /* 13: b >>> 11 */
        vpsrlq  $16, %ymm10, %ymm17                         /* 13: a >> 16 */
        vpsllq  $48, %ymm10, %ymm13                         /* 13: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm13, %ymm17             /* 13: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm17, %ymm7                        /* 13: c += d */
        vpshufd $0x4e, %ymm17, %ymm9                        /* 13: words of d rotated */
        vpsrlq  $11, %ymm7, %ymm14                          /* 13: c >> 11 */
        vpsllq  $53, %ymm7, %ymm20                          /* 13: c << 53 */
        vpermq  $0x4b, %ymm7, %ymm2                         /* 13: words of c rotated */
        vpermq  $0x1e, %ymm10, %ymm1                        /* 13: words of a rotated */
        vpaddq  %ymm0, %ymm1, %ymm6                         /* 14: + x */
        /* ---- Round 14 ---- */
        nop
        vmovdqa64 576(%rsp), %ymm18                         /* 14: x */
        nop
        vpternlogq $0x96, %ymm12, %ymm14, %ymm20            /* 13: b = (b ^ c) >>> 11 */
        vpaddq  %ymm20, %ymm6, %ymm19                       /* 14: a += b + x */
        vprorq  $25, %ymm20, %ymm5                          /* 14: b >>> 25 */
        vpxord  %ymm9, %ymm19, %ymm21                       /* 14: d ^= a */
        vpaddq  %ymm15, %ymm19, %ymm16                      /* 14: + y */
        vpshufd $0xb1, %ymm21, %ymm11                       /* 14: d >>>= 32 */
        vpaddq  %ymm2, %ymm11, %ymm3                        /* 14: c += d */
        vprorq  $16, %ymm11, %ymm8                          /* 14: d >>> 16 */
        vpsrlq  $25, %ymm3, %ymm13                          /* 14: c >> 25 */
        vpsllq  $39, %ymm3, %ymm4                           /* 14: c << 39 */
        vpternlogq $0x96, %ymm5, %ymm13, %ymm4              /* 14: b = (b ^ c) >>> 25 */
        vpaddq  %ymm4, %ymm16, %ymm17                       /* 14: a += b + y */
        vprorq  $11, %ymm4, %ymm7                           /* 14: b >>> 11 */
        vpsrlq  $16, %ymm17, %ymm10                         /* 14: a >> 16 */
        vpsllq  $48, %ymm17, %ymm1                          /* 14: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm1, %ymm10              /* 14: d = (d ^ a) >>> 16 */
        vpaddq  %ymm3, %ymm10, %ymm0                        /* 14: c += d */
        vpshufd $0x4e, %ymm10, %ymm12                       /* 14: words of d rotated */
        vpsrlq  $11, %ymm0, %ymm14                          /* 14: c >> 11 */
        vpsllq  $53, %ymm0, %ymm6                           /* 14: c << 53 */
        vpermq  $0x1e, %ymm0, %ymm20                        /* 14: words of c rotated */
        vmovdqa 608(%rsp), %ymm9                            /* 14: y */
        vpermq  $0x4b, %ymm17, %ymm19                       /* 14: words of a rotated */
        vpaddq  %ymm18, %ymm19, %ymm15                      /* 14: + x */
        vmovdqa64 640(%rsp), %ymm21                         /* 15: x */
        vmovdqu64 0(%rsi), %zmm30                           /* the next block */
        vmovdqu64 64(%rsi), %zmm31                          /* the next block */
        vpshufb %zmm29, %zmm30, %zmm30                      /* words' bytes reversed */
        vpshufb %zmm29, %zmm31, %zmm31                      /* words' bytes reversed */
        vpternlogq $0x96, %ymm7, %ymm14, %ymm6              /* 14: b = (b ^ c) >>> 11 */
        vpaddq  %ymm6, %ymm15, %ymm2                        /* 14: a += b + x */
        vprorq  $25, %ymm6, %ymm11                          /* 14: b >>> 25 */
        vpxor   %ymm12, %ymm2, %ymm5                        /* 14: d ^= a */
        vpaddq  %ymm9, %ymm2, %ymm13                        /* 14: + y */
        vpshufd $0xb1, %ymm5, %ymm16                        /* 14: d >>>= 32 */
        vpaddq  %ymm20, %ymm16, %ymm4                       /* 14: c += d */
        vprorq  $16, %ymm16, %ymm8                          /* 14: d >>> 16 */
        vpsrlq  $25, %ymm4, %ymm1                           /* 14: c >> 25 */
        vpsllq  $39, %ymm4, %ymm3                           /* 14: c << 39 */
        vmovdqa64 FIN_LOCAL(words_blake512)+0(%rip), %zmm10 /* 0: indices of words */
        vmovdqa 672(%rsp), %ymm0                            /* 15: y */
        vpternlogq $0x96, %ymm11, %ymm1, %ymm3              /* 14: b = (b ^ c) >>> 25 */
        vpaddq  %ymm3, %ymm13, %ymm17                       /* 14: a += b + y */
        vprorq  $11, %ymm3, %ymm19                          /* 14: b >>> 11 */
        vpsrlq  $16, %ymm17, %ymm18                         /* 14: a >> 16 */
        vpsllq  $48, %ymm17, %ymm7                          /* 14: a << 48 */
        vpternlogq $0x96, %ymm8, %ymm7, %ymm18              /* 14: d = (d ^ a) >>> 16 */
        vpaddq  %ymm4, %ymm18, %ymm14                       /* 14: c += d */
        vpshufd $0x4e, %ymm18, %ymm15                       /* 14: words of d rotated */
        vpsrlq  $11, %ymm14, %ymm6                          /* 14: c >> 11 */
        vpsllq  $53, %ymm14, %ymm12                         /* 14: c << 53 */
        vpermq  $0x4b, %ymm14, %ymm2                        /* 14: words of c rotated */
        vpermq  $0x1e, %ymm17, %ymm9                        /* 14: words of a rotated */
        vpaddq  %ymm21, %ymm9, %ymm5                        /* 15: + x */
        /* ---- Round 15 ---- */
        vpermi2q %zmm31, %zmm30, %zmm10                     /* 0: words */
        nop
        vmovdqa64 704(%rsp), %ymm20                         /* 15: x */
        nop
        vpxorq  FIN_LOCAL(constants_blake512)+0(%rip), %zmm10, %zmm16 /* 0: words ^ constants */
        vmovdqa64 %zmm16, 0(%rsp)                           /* 0: words stored */
        vpternlogq $0x96, %ymm19, %ymm6, %ymm12             /* 14: b = (b ^ c) >>> 11 */
        vpaddq  %ymm12, %ymm5, %ymm11                       /* 15: a += b + x */
        vprorq  $25, %ymm12, %ymm1                          /* 15: b >>> 25 */
        vpxor   %ymm15, %ymm11, %ymm13                      /* 15: d ^= a */
        vpaddq  %ymm0, %ymm11, %ymm3                        /* 15: + y */
        vpshufd $0xb1, %ymm13, %ymm8                        /* 15: d >>>= 32 */
        vpaddq  %ymm2, %ymm8, %ymm7                         /* 15: c += d */
        vprorq  $16, %ymm8, %ymm4                           /* 15: d >>> 16 */
        vpsrlq  $25, %ymm7, %ymm18                          /* 15: c >> 25 */
        vpsllq  $39, %ymm7, %ymm14                          /* 15: c << 39 */
        vpternlogq $0x96, %ymm1, %ymm18, %ymm14             /* 15: b = (b ^ c) >>> 25 */
        vpaddq  %ymm14, %ymm3, %ymm17                       /* 15: a += b + y */
        vprorq  $11, %ymm14, %ymm9                          /* 15: b >>> 11 */
        vpsrlq  $16, %ymm17, %ymm21                         /* 15: a >> 16 */
        vpsllq  $48, %ymm17, %ymm10                         /* 15: a << 48 */
        vpternlogq $0x96, %ymm4, %ymm10, %ymm21             /* 15: d = (d ^ a) >>> 16 */
        vpaddq  %ymm7, %ymm21, %ymm16                       /* 15: c += d */
        vpshufd $0x4e, %ymm21, %ymm19                       /* 15: words of d rotated */
        vpsrlq  $11, %ymm16, %ymm6                          /* 15: c >> 11 */
        vpsllq  $53, %ymm16, %ymm5                          /* 15: c << 53 */
        vpermq  $0x1e, %ymm16, %ymm12                       /* 15: words of c rotated */
        vmovdqa 736(%rsp), %ymm15                           /* 15: y */
        vpermq  $0x4b, %ymm17, %ymm11                       /* 15: words of a rotated */
        vpaddq  %ymm20, %ymm11, %ymm0                       /* 15: + x */
        vmovdqa64 FIN_LOCAL(words_blake512)+64(%rip), %zmm13 /* 0: indices of words */
        vpternlogq $0x96, %ymm9, %ymm6, %ymm5               /* 15: b = (b ^ c) >>> 11 */
        vpaddq  %ymm5, %ymm0, %ymm2                         /* 15: a += b + x */
        vprorq  $25, %ymm5, %ymm8                           /* 15: b >>> 25 */
        vpxord  %ymm19, %ymm2, %ymm1                        /* 15: d ^= a */
        vpaddq  %ymm15, %ymm2, %ymm18                       /* 15: + y */
        vpshufd $0xb1, %ymm1, %ymm3                         /* 15: d >>>= 32 */
        vpaddq  %ymm12, %ymm3, %ymm14                       /* 15: c += d */
        vprorq  $16, %ymm3, %ymm4                           /* 15: d >>> 16 */
        vpsrlq  $25, %ymm14, %ymm10                         /* 15: c >> 25 */
        vpsllq  $39, %ymm14, %ymm7                          /* 15: c << 39 */
        vpternlogq $0x96, %ymm8, %ymm10, %ymm7              /* 15: b = (b ^ c) >>> 25 */
        vpaddq  %ymm7, %ymm18, %ymm21                       /* 15: a += b + y */
        vprorq  $11, %ymm7, %ymm16                          /* 15: b >>> 11 */
        vpsrlq  $16, %ymm21, %ymm17                         /* 15: a >> 16 */
        vpsllq  $48, %ymm21, %ymm11                         /* 15: a << 48 */
        vpternlogq $0x96, %ymm4, %ymm11, %ymm17             /* 15: d = (d ^ a) >>> 16 */
        vpaddq  %ymm14, %ymm17, %ymm20                      /* 15: c += d */
        vpshufd $0x4e, %ymm17, %ymm9                        /* 15: words of d rotated */
        vpsrlq  $11, %ymm20, %ymm6                          /* 15: c >> 11 */
        vpsllq  $53, %ymm20, %ymm0                          /* 15: c << 53 */
        vpermq  $0x4b, %ymm20, %ymm5                        /* 15: words of c rotated */
        vpermq  $0x1e, %ymm21, %ymm19                       /* 15: words of a rotated */
        vpermi2q %zmm31, %zmm30, %zmm13                     /* 0: words */
        vpxorq  FIN_LOCAL(constants_blake512)+64(%rip), %zmm13, %zmm2 /* 0: words ^ constants */
        vmovdqa64 %zmm2, 64(%rsp)                           /* 0: words stored */
        vpternlogq $0x96, %ymm16, %ymm6, %ymm0              /* 15: b = (b ^ c) >>> 11 */
        vpternlogq $0x96, %ymm0, %ymm9, %ymm25              /* h ^= b ^ d */
        vpternlogq $0x96, %ymm19, %ymm5, %ymm26             /* h ^= a ^ c */
        add     %r8, %rax
        jnc     FIN_LOCAL(no_carry_blake512)
        vpaddq  FIN_LOCAL(carry_blake512)(%rip), %ymm24, %ymm24
FIN_LOCAL(no_carry_blake512):
        test    %rdx, %rdx
        jne     FIN_LOCAL(block_blake512)
FIN_LOCAL(done_blake512):
        vpermq  $0xd8, %ymm26, %ymm26                       /* words 0, 1, 2, 3 */
        vmovdqu64 %ymm26, 0(%rdi)
        vpermq  $0xd8, %ymm25, %ymm25                       /* words 0, 1, 2, 3 */
        vmovdqu64 %ymm25, 32(%rdi)
        vzeroupper
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
FIN_LOCAL(nothing_blake512):
        ret
        .cfi_restore_state
/* Other numbers of rounds: %r10 is the address of a round's words, %r11 counts. */
FIN_LOCAL(any_rounds_blake512):
        lea     FIN_LOCAL(words_blake512)(%rip), %r9
        lea     FIN_LOCAL(constants_blake512)(%rip), %r11
        xor     %r10d, %r10d
FIN_LOCAL(permute_blake512):
        vmovdqa64 (%r9,%r10), %zmm0
        vpermi2q %zmm31, %zmm30, %zmm0
        vpxorq  (%r11,%r10), %zmm0, %zmm0
        vmovdqa64 %zmm0, (%rsp,%r10)
        add     $64, %r10
        cmp     $1280, %r10d
        jne     FIN_LOCAL(permute_blake512)
        vmovdqa64 %ymm26, %ymm0
        vmovdqa64 %ymm25, %ymm1
        vmovdqa64 %ymm28, %ymm2
        vpxorq  %ymm27, %ymm24, %ymm3
        vpaddq  %ymm23, %ymm24, %ymm24
        mov     STATE_ROUNDS(%rdi), %r11
        mov     %rsp, %r10
        lea     1280(%rsp), %r9
        test    %r11, %r11
        je      FIN_LOCAL(rounds_done_blake512)
        .balign 64
FIN_LOCAL(round_blake512):
        vmovdqa 0(%r10), %ymm4                              /* x */
        vpaddq  %ymm4, %ymm0, %ymm5                         /* + x */
        vpaddq  %ymm1, %ymm5, %ymm6                         /* a += b + x */
        vmovdqa 32(%r10), %ymm7                             /* y */
        vprorq  $25, %ymm1, %ymm8                           /* b >>> 25 */
        vpxor   %ymm3, %ymm6, %ymm9                         /* d ^= a */
        vpshufd $0xb1, %ymm9, %ymm10                        /* d >>>= 32 */
        vpaddq  %ymm2, %ymm10, %ymm11                       /* c += d */
        vprorq  $16, %ymm10, %ymm12                         /* d >>> 16 */
        vpsrlq  $25, %ymm11, %ymm13                         /* c >> 25 */
        vmovdqa 64(%r10), %ymm14                            /* x */
        vpaddq  %ymm7, %ymm6, %ymm15                        /* + y */
        vpsllq  $39, %ymm11, %ymm16                         /* c << 39 */
        vpternlogq $0x96, %ymm8, %ymm13, %ymm16             /* b = (b ^ c) >>> 25 */
        vpaddq  %ymm16, %ymm15, %ymm17                      /* a += b + y */
        vprorq  $11, %ymm16, %ymm18                         /* b >>> 11 */
        vpsrlq  $16, %ymm17, %ymm19                         /* a >> 16 */
        vpsllq  $48, %ymm17, %ymm20                         /* a << 48 */
        vpternlogq $0x96, %ymm12, %ymm20, %ymm19            /* d = (d ^ a) >>> 16 */
        vpaddq  %ymm11, %ymm19, %ymm21                      /* c += d */
        vpshufd $0x4e, %ymm19, %ymm4                        /* words of d rotated */
        vpsrlq  $11, %ymm21, %ymm5                          /* c >> 11 */
        vpsllq  $53, %ymm21, %ymm9                          /* c << 53 */
        vpermq  $0x1e, %ymm21, %ymm10                       /* words of c rotated */
        vmovdqa 96(%r10), %ymm6                             /* y */
        vpermq  $0x4b, %ymm17, %ymm7                        /* words of a rotated */
        vpaddq  %ymm14, %ymm7, %ymm8                        /* + x */
        vpternlogq $0x96, %ymm18, %ymm5, %ymm9              /* b = (b ^ c) >>> 11 */
        vpaddq  %ymm9, %ymm8, %ymm13                        /* a += b + x */
        vprorq  $25, %ymm9, %ymm15                          /* b >>> 25 */
        vpxord  %ymm4, %ymm13, %ymm16                       /* d ^= a */
        vpaddq  %ymm6, %ymm13, %ymm12                       /* + y */
        vpshufd $0xb1, %ymm16, %ymm20                       /* d >>>= 32 */
        vpaddq  %ymm10, %ymm20, %ymm11                      /* c += d */
        vprorq  $16, %ymm20, %ymm19                         /* d >>> 16 */
        vpsrlq  $25, %ymm11, %ymm21                         /* c >> 25 */
        vpsllq  $39, %ymm11, %ymm17                         /* c << 39 */
        vpternlogq $0x96, %ymm15, %ymm21, %ymm17            /* b = (b ^ c) >>> 25 */
        vpaddq  %ymm17, %ymm12, %ymm7                       /* a += b + y */
        vprorq  $11, %ymm17, %ymm14                         /* b >>> 11 */
        vpsrlq  $16, %ymm7, %ymm18                          /* a >> 16 */
        vpsllq  $48, %ymm7, %ymm5                           /* a << 48 */
        vpternlogq $0x96, %ymm19, %ymm5, %ymm18             /* d = (d ^ a) >>> 16 */
        vpaddq  %ymm11, %ymm18, %ymm8                       /* c += d */
        vpshufd $0x4e, %ymm18, %ymm9                        /* words of d rotated */
        vpsrlq  $11, %ymm8, %ymm4                           /* c >> 11 */
        vpsllq  $53, %ymm8, %ymm13                          /* c << 53 */
        vpermq  $0x4b, %ymm8, %ymm6                         /* words of c rotated */
        vpermq  $0x1e, %ymm7, %ymm16                        /* words of a rotated */
        vpternlogq $0x96, %ymm14, %ymm4, %ymm13             /* b = (b ^ c) >>> 11 */
        vmovdqa64 %ymm16, %ymm0
        vmovdqa %ymm13, %ymm1
        vmovdqa %ymm6, %ymm2
        vmovdqa %ymm9, %ymm3
        add     $128, %r10
        cmp     %r9, %r10
        cmove   %rsp, %r10
        dec     %r11
        jne     FIN_LOCAL(round_blake512)
FIN_LOCAL(rounds_done_blake512):
        vpxorq  %ymm22, %ymm25, %ymm25
        vpternlogq $0x96, %ymm1, %ymm3, %ymm25
        vpxorq  %ymm22, %ymm26, %ymm26
        vpternlogq $0x96, %ymm0, %ymm2, %ymm26
        add     %r8, %rax
        jnc     FIN_LOCAL(no_carry_either_blake512)
        vpaddq  FIN_LOCAL(carry_blake512)(%rip), %ymm24, %ymm24
FIN_LOCAL(no_carry_either_blake512):
        add     %rcx, %rsi
        dec     %rdx
        je      FIN_LOCAL(done_blake512)
        vmovdqu 0(%rsi), %xmm0
        vinserti128 $1, 16(%rsi), %ymm0, %ymm0
        vpshufb %ymm29, %ymm0, %ymm0
        vmovdqu 32(%rsi), %xmm1
        vinserti128 $1, 48(%rsi), %ymm1, %ymm1
        vpshufb %ymm29, %ymm1, %ymm1
        vmovdqu 64(%rsi), %xmm2
        vinserti128 $1, 80(%rsi), %ymm2, %ymm2
        vpshufb %ymm29, %ymm2, %ymm2
        vmovdqu 96(%rsi), %xmm3
        vinserti128 $1, 112(%rsi), %ymm3, %ymm3
        vpshufb %ymm29, %ymm3, %ymm3
        vinserti64x4 $1, %ymm1, %zmm0, %zmm30
        vinserti64x4 $1, %ymm3, %zmm2, %zmm31
        jmp     FIN_LOCAL(any_rounds_blake512)
        .cfi_endproc
        FIN_END(FIN_KERNEL)
#undef FIN_KERNEL
#endif

#if FIN_HAS_COMPRESSION(BLAKE2B)
        FIN_CONSTANTS
/* Words of the rounds: x, y, then x, y of the diagonals. */
        .balign 64
FIN_LOCAL(words_blake2b):
        .quad   0, 4, 2, 6, 1, 5, 3, 7, 14, 10, 8, 12, 15, 11, 9, 13
        .quad   14, 9, 4, 13, 10, 15, 8, 6, 5, 0, 1, 11, 3, 2, 12, 7
        .quad   11, 5, 12, 15, 8, 2, 0, 13, 9, 3, 10, 7, 4, 6, 14, 1
        .quad   7, 13, 3, 11, 9, 12, 1, 14, 15, 5, 2, 4, 8, 10, 6, 0
        .quad   9, 2, 5, 10, 0, 4, 7, 15, 3, 11, 14, 6, 13, 12, 1, 8
        .quad   2, 0, 6, 8, 12, 11, 10, 3, 1, 7, 4, 15, 9, 5, 13, 14
        .quad   12, 14, 1, 4, 5, 13, 15, 10, 8, 6, 0, 9, 11, 3, 7, 2
        .quad   13, 12, 7, 3, 11, 1, 14, 9, 2, 15, 5, 8, 10, 4, 0, 6
        .quad   6, 11, 14, 0, 15, 3, 9, 8, 10, 13, 12, 1, 5, 7, 2, 4
        .quad   10, 7, 8, 1, 2, 6, 4, 5, 13, 9, 15, 3, 0, 14, 11, 12
/* v8 .. v15 */
        .balign 64
FIN_LOCAL(seed_blake2b):
        .quad   0x6a09e667f3bcc908, 0x3c6ef372fe94f82b, 0xbb67ae8584caa73b, 0xa54ff53a5f1d36f1
        .quad   0x510e527fade682d1, 0x1f83d9abfb41bd6b, 0x9b05688c2b3e6c1f, 0x5be0cd19137e2179
/* A carry of the counter. */
        .balign 64
FIN_LOCAL(carry_blake2b):
        .quad   0, 0, 1, 0

/*
 * state->h = F(state->h, block, state->t + (k + 1) * increment, ...) for the blocks k = 0, 1, ...
 *
 *   void fin_blake2b_avx512_ternlog(fin_state *state (rdi), const uint8_t *in (rsi), size_t blocks
 * (rdx),
 *                                   size_t stride (rcx), uint32_t increment (r8d))
 *
 * System V ABI. in needs no alignment; in and state do not overlap. Any number of blocks and
 * rounds, 0 included: 12 rounds in line, other numbers in a loop of one round. Branches and
 * addresses depend on the arguments, state->t and state->rounds alone.
 *
 *   %rdi    state                       %rsi    the next block
 *   %rdx    blocks after this one       %rcx    stride
 *   %r8     increment                   %rax    the counter's low word
 *   %r9     address read instead of the block after the last one
 *   %rsp    the words of rounds 0 to 9; in the last round the next block's replace those of round 0
 *   ymm22   BLAKE: salt                 ymm23   the counter's increment for a block
 *   ymm24   counter and flags           ymm25   h4 .. h7
 *   ymm26   h0 .. h3                    ymm27   v12 .. v15 without counter
 *   ymm28   v8 .. v11 at the start      zmm29   BLAKE: the shuffle that reverses a word's bytes
 *   zmm30   the block's first 64 bytes  zmm31   for 64-bit words: its other 64
 *   others  the state and intermediate values
 */
#define FIN_KERNEL fin_blake2b_avx512_ternlog
        .text
        FIN_FUNCTION(FIN_KERNEL)
        .balign 64
FIN_SYMBOL(FIN_KERNEL):
        .cfi_startproc
        endbr64
        test    %rdx, %rdx
        je      FIN_LOCAL(nothing_blake2b)
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $1280, %rsp
        and     $-64, %rsp
        vmovdqu 0(%rsi), %xmm0
        vinserti128 $1, 16(%rsi), %ymm0, %ymm0
        vmovdqu 32(%rsi), %xmm1
        vinserti128 $1, 48(%rsi), %ymm1, %ymm1
        vmovdqu 64(%rsi), %xmm2
        vinserti128 $1, 80(%rsi), %ymm2, %ymm2
        vmovdqu 96(%rsi), %xmm3
        vinserti128 $1, 112(%rsi), %ymm3, %ymm3
        vpunpcklqdq %ymm1, %ymm0, %ymm4
        vmovdqa %ymm4, 0(%rsp)
        vpunpckhqdq %ymm1, %ymm0, %ymm5
        vmovdqa %ymm5, 32(%rsp)
        vpunpcklqdq %ymm3, %ymm2, %ymm6
        vpermq  $0x4b, %ymm6, %ymm6                         /* the diagonals begin with the last word */
        vmovdqa %ymm6, 64(%rsp)
        vpunpckhqdq %ymm3, %ymm2, %ymm7
        vpermq  $0x4b, %ymm7, %ymm7                         /* the diagonals begin with the last word */
        vmovdqa %ymm7, 96(%rsp)
        vinserti64x4 $1, %ymm1, %zmm0, %zmm30
        vinserti64x4 $1, %ymm3, %zmm2, %zmm31
        vmovdqu 0(%rdi), %xmm4
        vinserti128 $1, 0+16(%rdi), %ymm4, %ymm4
        vpermq  $0xd8, %ymm4, %ymm26                        /* words 0, 2, 1, 3 */
        vmovdqu 32(%rdi), %xmm4
        vinserti128 $1, 32+16(%rdi), %ymm4, %ymm4
        vpermq  $0xd8, %ymm4, %ymm25                        /* words 0, 2, 1, 3 */
        vmovdqa64 FIN_LOCAL(seed_blake2b)(%rip), %ymm28
        mov     %r8d, %r8d                                  /* the upper half may be anything */
        mov     STATE_T(%rdi), %rax
        vmovq   %r8, %xmm5
        vmovq   STATE_T(%rdi), %xmm4
        vmovhps STATE_F(%rdi), %xmm4, %xmm4
        vmovq   STATE_T+8(%rdi), %xmm6
        vmovhps STATE_F+8(%rdi), %xmm6, %xmm6
        vinserti128 $1, %xmm6, %ymm4, %ymm4                 /* low, flag 0, high, flag 1 */
        vmovdqa64 %ymm5, %ymm23
        vpaddq  %ymm23, %ymm4, %ymm24
        add     %r8, %rax
        jnc     FIN_LOCAL(no_carry_first_blake2b)
        vpaddq  FIN_LOCAL(carry_blake2b)(%rip), %ymm24, %ymm24
FIN_LOCAL(no_carry_first_blake2b):
        vmovdqa64 FIN_LOCAL(seed_blake2b)+32(%rip), %ymm27
        cmpq    $12, STATE_ROUNDS(%rdi)
        jne     FIN_LOCAL(any_rounds_blake2b)
        lea     FIN_LOCAL(words_blake2b)(%rip), %r9
        .balign 64
FIN_LOCAL(block_blake2b):
        add     %rcx, %rsi
        dec     %rdx
        cmove   %r9, %rsi
        vpxord  %ymm27, %ymm24, %ymm0                       /* v12 .. v15 */
        vpaddq  %ymm23, %ymm24, %ymm24                      /* the next block's counter */
        vmovdqa 0(%rsp), %ymm1                              /* 0: x */
        vpaddq  %ymm1, %ymm25, %ymm2                        /* 0: + x */
        vmovdqa64 FIN_LOCAL(words_blake2b)+128(%rip), %zmm3 /* 1: indices of words */
        vpaddq  %ymm26, %ymm2, %ymm4                        /* 0: a += b + x */
        vmovdqa 32(%rsp), %ymm5                             /* 0: y */
        vmovdqa64 FIN_LOCAL(words_blake2b)+256(%rip), %zmm6 /* 2: indices of words */
        /* ---- Round 0 ---- */
        nop
        vpermi2q %zmm31, %zmm30, %zmm3                      /* 1: words */
        vmovdqa64 %zmm3, 128(%rsp)                          /* 1: words stored */
        vmovdqa64 FIN_LOCAL(words_blake2b)+384(%rip), %zmm7 /* 3: indices of words */
        vpxor   %ymm0, %ymm4, %ymm8                         /* 0: d ^= a */
        vmovdqa 64(%rsp), %ymm9                             /* 0: x */
        vpshufd $0xb1, %ymm8, %ymm10                        /* 0: d >>>= 32 */
        vprorq  $16, %ymm10, %ymm11                         /* 0: d >>> 16 */
        vpermi2q %zmm31, %zmm30, %zmm6                      /* 2: words */
        vmovdqa64 %zmm6, 256(%rsp)                          /* 2: words stored */
        vpaddq  %ymm5, %ymm4, %ymm12                        /* 0: + y */
        vmovdqa64 FIN_LOCAL(words_blake2b)+512(%rip), %zmm13 /* 4: indices of words */
        vprorq  $24, %ymm25, %ymm14                         /* 0: b >>> 24 */
        vpermi2q %zmm31, %zmm30, %zmm7                      /* 3: words */
        vmovdqa64 %zmm7, 384(%rsp)                          /* 3: words stored */
        vpaddq  %ymm28, %ymm10, %ymm15                      /* 0: c += d */
        vpsrlq  $24, %ymm15, %ymm16                         /* 0: c >> 24 */
        vpsllq  $40, %ymm15, %ymm17                         /* 0: c << 40 */
        vmovdqa64 FIN_LOCAL(words_blake2b)+640(%rip), %zmm18 /* 5: indices of words */
        vpternlogq $0x96, %ymm14, %ymm17, %ymm16            /* 0: b = (b ^ c) >>> 24 */
        vpaddq  %ymm16, %ymm12, %ymm19                      /* 0: a += b + y */
        vprorq  $63, %ymm16, %ymm20                         /* 0: b >>> 63 */
        vpsrlq  $16, %ymm19, %ymm21                         /* 0: a >> 16 */
        nop
        vpsllq  $48, %ymm19, %ymm1                          /* 0: a << 48 */
        vmovdqa 96(%rsp), %ymm2                             /* 0: y */
        vpermi2q %zmm31, %zmm30, %zmm13                     /* 4: words */
        vmovdqa64 %zmm13, 512(%rsp)                         /* 4: words stored */
        vpternlogq $0x96, %ymm11, %ymm1, %ymm21             /* 0: d = (d ^ a) >>> 16 */
        vpaddq  %ymm15, %ymm21, %ymm3                       /* 0: c += d */
        vpshufd $0x4e, %ymm21, %ymm0                        /* 0: words of d rotated */
        vpsrlq  $63, %ymm3, %ymm8                           /* 0: c >> 63 */
        vpsllq  $1, %ymm3, %ymm6                            /* 0: c << 1 */
        vpermq  $0x1e, %ymm3, %ymm4                         /* 0: words of c rotated */
        vmovdqa64 FIN_LOCAL(words_blake2b)+768(%rip), %zmm5 /* 6: indices of words */
        vpermq  $0x4b, %ymm19, %ymm7                        /* 0: words of a rotated */
        vpaddq  %ymm9, %ymm7, %ymm10                        /* 0: + x */
        nop
        nop
        vmovdqa64 FIN_LOCAL(words_blake2b)+192(%rip), %zmm14 /* 1: indices of words */
        vpermi2q %zmm31, %zmm30, %zmm18                     /* 5: words */
        vmovdqa64 %zmm18, 640(%rsp)                         /* 5: words stored */
        vmovdqa64 FIN_LOCAL(words_blake2b)+896(%rip), %zmm17 /* 7: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake2b)+320(%rip), %zmm12 /* 2: indices of words */
        vpermi2q %zmm31, %zmm30, %zmm5                      /* 6: words */
        vmovdqa64 %zmm5, 768(%rsp)                          /* 6: words stored */
        vmovdqa64 128(%rsp), %ymm16                         /* 1: x */
        vmovdqa64 FIN_LOCAL(words_blake2b)+1024(%rip), %zmm13 /* 8: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake2b)+448(%rip), %zmm11 /* 3: indices of words */
        vpermi2q %zmm31, %zmm30, %zmm17                     /* 7: words */
        vmovdqa64 %zmm17, 896(%rsp)                         /* 7: words stored */
        vmovdqa64 FIN_LOCAL(words_blake2b)+1152(%rip), %zmm1 /* 9: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake2b)+576(%rip), %zmm15 /* 4: indices of words */
        vpternlogq $0x96, %ymm20, %ymm8, %ymm6              /* 0: b = (b ^ c) >>> 63 */
        vpaddq  %ymm6, %ymm10, %ymm21                       /* 0: a += b + x */
        vprorq  $24, %ymm6, %ymm3                           /* 0: b >>> 24 */
        vpxord  %ymm0, %ymm21, %ymm19                       /* 0: d ^= a */
        vpaddq  %ymm2, %ymm21, %ymm7                        /* 0: + y */
        vpshufd $0xb1, %ymm19, %ymm9                        /* 0: d >>>= 32 */
        vpaddq  %ymm4, %ymm9, %ymm18                        /* 0: c += d */
        vprorq  $16, %ymm9, %ymm5                           /* 0: d >>> 16 */
        vpsrlq  $24, %ymm18, %ymm17                         /* 0: c >> 24 */
        vpsllq  $40, %ymm18, %ymm20                         /* 0: c << 40 */
        vpermi2q %zmm31, %zmm30, %zmm13                     /* 8: words */
        vmovdqa64 %zmm13, 1024(%rsp)                        /* 8: words stored */
        vmovdqa 160(%rsp), %ymm8                            /* 1: y */
        vpternlogq $0x96, %ymm3, %ymm20, %ymm17             /* 0: b = (b ^ c) >>> 24 */
        vpaddq  %ymm17, %ymm7, %ymm10                       /* 0: a += b + y */
        vprorq  $63, %ymm17, %ymm6                          /* 0: b >>> 63 */
        vpsrlq  $16, %ymm10, %ymm0                          /* 0: a >> 16 */
        vpsllq  $48, %ymm10, %ymm21                         /* 0: a << 48 */
        vpternlogq $0x96, %ymm5, %ymm21, %ymm0              /* 0: d = (d ^ a) >>> 16 */
        vpaddq  %ymm18, %ymm0, %ymm2                        /* 0: c += d */
        vpshufd $0x4e, %ymm0, %ymm19                        /* 0: words of d rotated */
        vpsrlq  $63, %ymm2, %ymm4                           /* 0: c >> 63 */
        vpsllq  $1, %ymm2, %ymm9                            /* 0: c << 1 */
        vpermq  $0x4b, %ymm2, %ymm13                        /* 0: words of c rotated */
        vpermq  $0x1e, %ymm10, %ymm3                        /* 0: words of a rotated */
        vpaddq  %ymm16, %ymm3, %ymm20                       /* 1: + x */
        vpermi2q %zmm31, %zmm30, %zmm14                     /* 1: words */
        vmovdqa64 %zmm14, 192(%rsp)                         /* 1: words stored */
        nop
        /* ---- Round 1 ---- */
        nop
        vmovdqa64 FIN_LOCAL(words_blake2b)+704(%rip), %zmm7 /* 5: indices of words */
        vpermi2q %zmm31, %zmm30, %zmm1                      /* 9: words */
        vmovdqa64 %zmm1, 1152(%rsp)                         /* 9: words stored */
        vpermi2q %zmm31, %zmm30, %zmm12                     /* 2: words */
        vmovdqa64 %zmm12, 320(%rsp)                         /* 2: words stored */
        vmovdqa64 FIN_LOCAL(words_blake2b)+832(%rip), %zmm17 /* 6: indices of words */
        vmovdqa 192(%rsp), %ymm5                            /* 1: x */
        vpermi2q %zmm31, %zmm30, %zmm11                     /* 3: words */
        vmovdqa64 %zmm11, 448(%rsp)                         /* 3: words stored */
        vmovdqa64 FIN_LOCAL(words_blake2b)+960(%rip), %zmm21 /* 7: indices of words */
        vpermi2q %zmm31, %zmm30, %zmm15                     /* 4: words */
        vmovdqa64 %zmm15, 576(%rsp)                         /* 4: words stored */
        vpternlogq $0x96, %ymm6, %ymm4, %ymm9               /* 0: b = (b ^ c) >>> 63 */
        vpaddq  %ymm9, %ymm20, %ymm18                       /* 1: a += b + x */
        vprorq  $24, %ymm9, %ymm0                           /* 1: b >>> 24 */
        vpxord  %ymm19, %ymm18, %ymm2                       /* 1: d ^= a */
        vpaddq  %ymm8, %ymm18, %ymm10                       /* 1: + y */
        vpshufd $0xb1, %ymm2, %ymm3                         /* 1: d >>>= 32 */
        vpaddq  %ymm13, %ymm3, %ymm16                       /* 1: c += d */
        vprorq  $16, %ymm3, %ymm14                          /* 1: d >>> 16 */
        vpsrlq  $24, %ymm16, %ymm1                          /* 1: c >> 24 */
        vpsllq  $40, %ymm16, %ymm12                         /* 1: c << 40 */
        vpternlogq $0x96, %ymm0, %ymm12, %ymm1              /* 1: b = (b ^ c) >>> 24 */
        vpaddq  %ymm1, %ymm10, %ymm11                       /* 1: a += b + y */
        vprorq  $63, %ymm1, %ymm15                          /* 1: b >>> 63 */
        vpsrlq  $16, %ymm11, %ymm6                          /* 1: a >> 16 */
        vmovdqa64 FIN_LOCAL(words_blake2b)+1088(%rip), %zmm4 /* 8: indices of words */
        nop
        vpsllq  $48, %ymm11, %ymm20                         /* 1: a << 48 */
        vmovdqa 224(%rsp), %ymm9                            /* 1: y */
        vpternlogq $0x96, %ymm14, %ymm20, %ymm6             /* 1: d = (d ^ a) >>> 16 */
        vpaddq  %ymm16, %ymm6, %ymm19                       /* 1: c += d */
        vpshufd $0x4e, %ymm6, %ymm18                        /* 1: words of d rotated */
        vpsrlq  $63, %ymm19, %ymm8                          /* 1: c >> 63 */
        vpsllq  $1, %ymm19, %ymm2                           /* 1: c << 1 */
        vpermq  $0x1e, %ymm19, %ymm13                       /* 1: words of c rotated */
        vpermq  $0x4b, %ymm11, %ymm3                        /* 1: words of a rotated */
        vpaddq  %ymm5, %ymm3, %ymm0                         /* 1: + x */
        nop
        vpermi2q %zmm31, %zmm30, %zmm7                      /* 5: words */
        vmovdqa64 %zmm7, 704(%rsp)                          /* 5: words stored */
        nop
        vmovdqa64 FIN_LOCAL(words_blake2b)+1216(%rip), %zmm12 /* 9: indices of words */
        vpermi2q %zmm31, %zmm30, %zmm17                     /* 6: words */
        vmovdqa64 %zmm17, 832(%rsp)                         /* 6: words stored */
        vmovdqa 256(%rsp), %ymm10                           /* 2: x */
        vpermi2q %zmm31, %zmm30, %zmm21                     /* 7: words */
        vmovdqa64 %zmm21, 960(%rsp)                         /* 7: words stored */
        vpermi2q %zmm31, %zmm30, %zmm4                      /* 8: words */
        vmovdqa64 %zmm4, 1088(%rsp)                         /* 8: words stored */
        vpternlogq $0x96, %ymm15, %ymm8, %ymm2              /* 1: b = (b ^ c) >>> 63 */
        vpaddq  %ymm2, %ymm0, %ymm1                         /* 1: a += b + x */
        vprorq  $24, %ymm2, %ymm14                          /* 1: b >>> 24 */
        vpxord  %ymm18, %ymm1, %ymm20                       /* 1: d ^= a */
        vpaddq  %ymm9, %ymm1, %ymm16                        /* 1: + y */
        vpshufd $0xb1, %ymm20, %ymm6                        /* 1: d >>>= 32 */
        vpaddq  %ymm13, %ymm6, %ymm19                       /* 1: c += d */
        vprorq  $16, %ymm6, %ymm11                          /* 1: d >>> 16 */
        vpsrlq  $24, %ymm19, %ymm3                          /* 1: c >> 24 */
        vpsllq  $40, %ymm19, %ymm5                          /* 1: c << 40 */
        vmovdqa 288(%rsp), %ymm7                            /* 2: y */
        vpternlogq $0x96, %ymm14, %ymm5, %ymm3              /* 1: b = (b ^ c) >>> 24 */
        vpaddq  %ymm3, %ymm16, %ymm17                       /* 1: a += b + y */
        vprorq  $63, %ymm3, %ymm21                          /* 1: b >>> 63 */
        vpsrlq  $16, %ymm17, %ymm4                          /* 1: a >> 16 */
        vpsllq  $48, %ymm17, %ymm15                         /* 1: a << 48 */
        vpternlogq $0x96, %ymm11, %ymm15, %ymm4             /* 1: d = (d ^ a) >>> 16 */
        vpaddq  %ymm19, %ymm4, %ymm8                        /* 1: c += d */
        vpshufd $0x4e, %ymm4, %ymm0                         /* 1: words of d rotated */
        vpsrlq  $63, %ymm8, %ymm2                           /* 1: c >> 63 */
        vpsllq  $1, %ymm8, %ymm18                           /* 1: c << 1 */
        vpermq  $0x4b, %ymm8, %ymm1                         /* 1: words of c rotated */
        vpermq  $0x1e, %ymm17, %ymm9                        /* 1: words of a rotated */
        vpaddq  %ymm10, %ymm9, %ymm20                       /* 2: + x */
        vpermi2q %zmm31, %zmm30, %zmm12                     /* 9: words */
        vmovdqa64 %zmm12, 1216(%rsp)                        /* 9: words stored */
        nop
        /* ---- Round 2 ---- */
        nop
        vmovdqa 320(%rsp), %ymm13                           /* 2: x */
        vpternlogq $0x96, %ymm21, %ymm2, %ymm18             /* 1: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm20, %ymm6                       /* 2: a += b + x */
        vprorq  $24, %ymm18, %ymm14                         /* 2: b >>> 24 */
        vpxor   %ymm0, %ymm6, %ymm5                         /* 2: d ^= a */
        vpaddq  %ymm7, %ymm6, %ymm16                        /* 2: + y */
        vpshufd $0xb1, %ymm5, %ymm3                         /* 2: d >>>= 32 */
        vpaddq  %ymm1, %ymm3, %ymm11                        /* 2: c += d */
        vprorq  $16, %ymm3, %ymm15                          /* 2: d >>> 16 */
        vpsrlq  $24, %ymm11, %ymm19                         /* 2: c >> 24 */
        vpsllq  $40, %ymm11, %ymm4                          /* 2: c << 40 */
        vpternlogq $0x96, %ymm14, %ymm4, %ymm19             /* 2: b = (b ^ c) >>> 24 */
        vpaddq  %ymm19, %ymm16, %ymm8                       /* 2: a += b + y */
        vprorq  $63, %ymm19, %ymm17                         /* 2: b >>> 63 */
        vpsrlq  $16, %ymm8, %ymm9                           /* 2: a >> 16 */
        nop
        vpsllq  $48, %ymm8, %ymm10                          /* 2: a << 48 */
        vmovdqa 352(%rsp), %ymm12                           /* 2: y */
        vpternlogq $0x96, %ymm15, %ymm10, %ymm9             /* 2: d = (d ^ a) >>> 16 */
        vpaddq  %ymm11, %ymm9, %ymm21                       /* 2: c += d */
        vpshufd $0x4e, %ymm9, %ymm2                         /* 2: words of d rotated */
        vpsrlq  $63, %ymm21, %ymm20                         /* 2: c >> 63 */
        vpsllq  $1, %ymm21, %ymm18                          /* 2: c << 1 */
        vpermq  $0x1e, %ymm21, %ymm0                        /* 2: words of c rotated */
        vpermq  $0x4b, %ymm8, %ymm6                         /* 2: words of a rotated */
        vpaddq  %ymm13, %ymm6, %ymm7                        /* 2: + x */
        nop
        nop
        vmovdqa 384(%rsp), %ymm5                            /* 3: x */
        vpternlogq $0x96, %ymm17, %ymm20, %ymm18            /* 2: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm7, %ymm1                        /* 2: a += b + x */
        vprorq  $24, %ymm18, %ymm3                          /* 2: b >>> 24 */
        vpxor   %ymm2, %ymm1, %ymm14                        /* 2: d ^= a */
        vpaddq  %ymm12, %ymm1, %ymm4                        /* 2: + y */
        vpshufd $0xb1, %ymm14, %ymm16                       /* 2: d >>>= 32 */
        vpaddq  %ymm0, %ymm16, %ymm19                       /* 2: c += d */
        vprorq  $16, %ymm16, %ymm15                         /* 2: d >>> 16 */
        vpsrlq  $24, %ymm19, %ymm10                         /* 2: c >> 24 */
        vpsllq  $40, %ymm19, %ymm11                         /* 2: c << 40 */
        vmovdqa 416(%rsp), %ymm9                            /* 3: y */
        vpternlogq $0x96, %ymm3, %ymm11, %ymm10             /* 2: b = (b ^ c) >>> 24 */
        vpaddq  %ymm10, %ymm4, %ymm21                       /* 2: a += b + y */
        vprorq  $63, %ymm10, %ymm8                          /* 2: b >>> 63 */
        vpsrlq  $16, %ymm21, %ymm6                          /* 2: a >> 16 */
        vpsllq  $48, %ymm21, %ymm13                         /* 2: a << 48 */
        vpternlogq $0x96, %ymm15, %ymm13, %ymm6             /* 2: d = (d ^ a) >>> 16 */
        vpaddq  %ymm19, %ymm6, %ymm17                       /* 2: c += d */
        vpshufd $0x4e, %ymm6, %ymm20                        /* 2: words of d rotated */
        vpsrlq  $63, %ymm17, %ymm7                          /* 2: c >> 63 */
        vpsllq  $1, %ymm17, %ymm18                          /* 2: c << 1 */
        vpermq  $0x4b, %ymm17, %ymm2                        /* 2: words of c rotated */
        vpermq  $0x1e, %ymm21, %ymm1                        /* 2: words of a rotated */
        vpaddq  %ymm5, %ymm1, %ymm12                        /* 3: + x */
        nop
        /* ---- Round 3 ---- */
        nop
        vmovdqa 448(%rsp), %ymm14                           /* 3: x */
        vpternlogq $0x96, %ymm8, %ymm7, %ymm18              /* 2: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm12, %ymm0                       /* 3: a += b + x */
        vprorq  $24, %ymm18, %ymm16                         /* 3: b >>> 24 */
        vpxord  %ymm20, %ymm0, %ymm3                        /* 3: d ^= a */
        vpaddq  %ymm9, %ymm0, %ymm11                        /* 3: + y */
        vpshufd $0xb1, %ymm3, %ymm4                         /* 3: d >>>= 32 */
        vpaddq  %ymm2, %ymm4, %ymm10                        /* 3: c += d */
        vprorq  $16, %ymm4, %ymm15                          /* 3: d >>> 16 */
        vpsrlq  $24, %ymm10, %ymm13                         /* 3: c >> 24 */
        vpsllq  $40, %ymm10, %ymm19                         /* 3: c << 40 */
        vpternlogq $0x96, %ymm16, %ymm19, %ymm13            /* 3: b = (b ^ c) >>> 24 */
        vpaddq  %ymm13, %ymm11, %ymm6                       /* 3: a += b + y */
        vprorq  $63, %ymm13, %ymm17                         /* 3: b >>> 63 */
        vpsrlq  $16, %ymm6, %ymm21                          /* 3: a >> 16 */
        nop
        vpsllq  $48, %ymm6, %ymm1                           /* 3: a << 48 */
        vmovdqa 480(%rsp), %ymm5                            /* 3: y */
        vpternlogq $0x96, %ymm15, %ymm1, %ymm21             /* 3: d = (d ^ a) >>> 16 */
        vpaddq  %ymm10, %ymm21, %ymm8                       /* 3: c += d */
        vpshufd $0x4e, %ymm21, %ymm7                        /* 3: words of d rotated */
        vpsrlq  $63, %ymm8, %ymm12                          /* 3: c >> 63 */
        vpsllq  $1, %ymm8, %ymm18                           /* 3: c << 1 */
        vpermq  $0x1e, %ymm8, %ymm20                        /* 3: words of c rotated */
        vpermq  $0x4b, %ymm6, %ymm0                         /* 3: words of a rotated */
        vpaddq  %ymm14, %ymm0, %ymm9                        /* 3: + x */
        nop
        nop
        vmovdqa 512(%rsp), %ymm3                            /* 4: x */
        vpternlogq $0x96, %ymm17, %ymm12, %ymm18            /* 3: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm9, %ymm2                        /* 3: a += b + x */
        vprorq  $24, %ymm18, %ymm4                          /* 3: b >>> 24 */
        vpxord  %ymm7, %ymm2, %ymm16                        /* 3: d ^= a */
        vpaddq  %ymm5, %ymm2, %ymm19                        /* 3: + y */
        vpshufd $0xb1, %ymm16, %ymm11                       /* 3: d >>>= 32 */
        vpaddq  %ymm20, %ymm11, %ymm13                      /* 3: c += d */
        vprorq  $16, %ymm11, %ymm15                         /* 3: d >>> 16 */
        vpsrlq  $24, %ymm13, %ymm1                          /* 3: c >> 24 */
        vpsllq  $40, %ymm13, %ymm10                         /* 3: c << 40 */
        vmovdqa64 544(%rsp), %ymm21                         /* 4: y */
        vpternlogq $0x96, %ymm4, %ymm10, %ymm1              /* 3: b = (b ^ c) >>> 24 */
        vpaddq  %ymm1, %ymm19, %ymm8                        /* 3: a += b + y */
        vprorq  $63, %ymm1, %ymm6                           /* 3: b >>> 63 */
        vpsrlq  $16, %ymm8, %ymm0                           /* 3: a >> 16 */
        vpsllq  $48, %ymm8, %ymm14                          /* 3: a << 48 */
        vpternlogq $0x96, %ymm15, %ymm14, %ymm0             /* 3: d = (d ^ a) >>> 16 */
        vpaddq  %ymm13, %ymm0, %ymm17                       /* 3: c += d */
        vpshufd $0x4e, %ymm0, %ymm12                        /* 3: words of d rotated */
        vpsrlq  $63, %ymm17, %ymm9                          /* 3: c >> 63 */
        vpsllq  $1, %ymm17, %ymm18                          /* 3: c << 1 */
        vpermq  $0x4b, %ymm17, %ymm7                        /* 3: words of c rotated */
        vpermq  $0x1e, %ymm8, %ymm2                         /* 3: words of a rotated */
        vpaddq  %ymm3, %ymm2, %ymm5                         /* 4: + x */
        nop
        /* ---- Round 4 ---- */
        nop
        vmovdqa64 576(%rsp), %ymm16                         /* 4: x */
        vpternlogq $0x96, %ymm6, %ymm9, %ymm18              /* 3: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm5, %ymm20                       /* 4: a += b + x */
        vprorq  $24, %ymm18, %ymm11                         /* 4: b >>> 24 */
        vpxord  %ymm12, %ymm20, %ymm4                       /* 4: d ^= a */
        vpaddq  %ymm21, %ymm20, %ymm10                      /* 4: + y */
        vpshufd $0xb1, %ymm4, %ymm19                        /* 4: d >>>= 32 */
        vpaddq  %ymm7, %ymm19, %ymm1                        /* 4: c += d */
        vprorq  $16, %ymm19, %ymm15                         /* 4: d >>> 16 */
        vpsrlq  $24, %ymm1, %ymm14                          /* 4: c >> 24 */
        vpsllq  $40, %ymm1, %ymm13                          /* 4: c << 40 */
        vpternlogq $0x96, %ymm11, %ymm13, %ymm14            /* 4: b = (b ^ c) >>> 24 */
        vpaddq  %ymm14, %ymm10, %ymm0                       /* 4: a += b + y */
        vprorq  $63, %ymm14, %ymm17                         /* 4: b >>> 63 */
        vpsrlq  $16, %ymm0, %ymm8                           /* 4: a >> 16 */
        nop
        vpsllq  $48, %ymm0, %ymm2                           /* 4: a << 48 */
        vmovdqa 608(%rsp), %ymm3                            /* 4: y */
        vpternlogq $0x96, %ymm15, %ymm2, %ymm8              /* 4: d = (d ^ a) >>> 16 */
        vpaddq  %ymm1, %ymm8, %ymm6                         /* 4: c += d */
        vpshufd $0x4e, %ymm8, %ymm9                         /* 4: words of d rotated */
        vpsrlq  $63, %ymm6, %ymm5                           /* 4: c >> 63 */
        vpsllq  $1, %ymm6, %ymm18                           /* 4: c << 1 */
        vpermq  $0x1e, %ymm6, %ymm12                        /* 4: words of c rotated */
        vpermq  $0x4b, %ymm0, %ymm20                        /* 4: words of a rotated */
        vpaddq  %ymm16, %ymm20, %ymm21                      /* 4: + x */
        nop
        nop
        vmovdqa 640(%rsp), %ymm4                            /* 5: x */
        vpternlogq $0x96, %ymm17, %ymm5, %ymm18             /* 4: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm21, %ymm7                       /* 4: a += b + x */
        vprorq  $24, %ymm18, %ymm19                         /* 4: b >>> 24 */
        vpxor   %ymm9, %ymm7, %ymm11                        /* 4: d ^= a */
        vpaddq  %ymm3, %ymm7, %ymm13                        /* 4: + y */
        vpshufd $0xb1, %ymm11, %ymm10                       /* 4: d >>>= 32 */
        vpaddq  %ymm12, %ymm10, %ymm14                      /* 4: c += d */
        vprorq  $16, %ymm10, %ymm15                         /* 4: d >>> 16 */
        vpsrlq  $24, %ymm14, %ymm2                          /* 4: c >> 24 */
        vpsllq  $40, %ymm14, %ymm1                          /* 4: c << 40 */
        vmovdqa 672(%rsp), %ymm8                            /* 5: y */
        vpternlogq $0x96, %ymm19, %ymm1, %ymm2              /* 4: b = (b ^ c) >>> 24 */
        vpaddq  %ymm2, %ymm13, %ymm6                        /* 4: a += b + y */
        vprorq  $63, %ymm2, %ymm0                           /* 4: b >>> 63 */
        vpsrlq  $16, %ymm6, %ymm20                          /* 4: a >> 16 */
        vpsllq  $48, %ymm6, %ymm16                          /* 4: a << 48 */
        vpternlogq $0x96, %ymm15, %ymm16, %ymm20            /* 4: d = (d ^ a) >>> 16 */
        vpaddq  %ymm14, %ymm20, %ymm17                      /* 4: c += d */
        vpshufd $0x4e, %ymm20, %ymm5                        /* 4: words of d rotated */
        vpsrlq  $63, %ymm17, %ymm21                         /* 4: c >> 63 */
        vpsllq  $1, %ymm17, %ymm18                          /* 4: c << 1 */
        vpermq  $0x4b, %ymm17, %ymm9                        /* 4: words of c rotated */
        vpermq  $0x1e, %ymm6, %ymm7                         /* 4: words of a rotated */
        vpaddq  %ymm4, %ymm7, %ymm3                         /* 5: + x */
        nop
        /* ---- Round 5 ---- */
        nop
        vmovdqa 704(%rsp), %ymm11                           /* 5: x */
        vpternlogq $0x96, %ymm0, %ymm21, %ymm18             /* 4: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm3, %ymm12                       /* 5: a += b + x */
        vprorq  $24, %ymm18, %ymm10                         /* 5: b >>> 24 */
        vpxord  %ymm5, %ymm12, %ymm19                       /* 5: d ^= a */
        vpaddq  %ymm8, %ymm12, %ymm1                        /* 5: + y */
        vpshufd $0xb1, %ymm19, %ymm13                       /* 5: d >>>= 32 */
        vpaddq  %ymm9, %ymm13, %ymm2                        /* 5: c += d */
        vprorq  $16, %ymm13, %ymm15                         /* 5: d >>> 16 */
        vpsrlq  $24, %ymm2, %ymm16                          /* 5: c >> 24 */
        vpsllq  $40, %ymm2, %ymm14                          /* 5: c << 40 */
        vpternlogq $0x96, %ymm10, %ymm14, %ymm16            /* 5: b = (b ^ c) >>> 24 */
        vpaddq  %ymm16, %ymm1, %ymm20                       /* 5: a += b + y */
        vprorq  $63, %ymm16, %ymm17                         /* 5: b >>> 63 */
        vpsrlq  $16, %ymm20, %ymm6                          /* 5: a >> 16 */
        nop
        vpsllq  $48, %ymm20, %ymm7                          /* 5: a << 48 */
        vmovdqa 736(%rsp), %ymm4                            /* 5: y */
        vpternlogq $0x96, %ymm15, %ymm7, %ymm6              /* 5: d = (d ^ a) >>> 16 */
        vpaddq  %ymm2, %ymm6, %ymm0                         /* 5: c += d */
        vpshufd $0x4e, %ymm6, %ymm21                        /* 5: words of d rotated */
        vpsrlq  $63, %ymm0, %ymm3                           /* 5: c >> 63 */
        vpsllq  $1, %ymm0, %ymm18                           /* 5: c << 1 */
        vpermq  $0x1e, %ymm0, %ymm5                         /* 5: words of c rotated */
        vpermq  $0x4b, %ymm20, %ymm12                       /* 5: words of a rotated */
        vpaddq  %ymm11, %ymm12, %ymm8                       /* 5: + x */
        nop
        nop
        vmovdqa64 768(%rsp), %ymm19                         /* 6: x */
        vpternlogq $0x96, %ymm17, %ymm3, %ymm18             /* 5: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm8, %ymm9                        /* 5: a += b + x */
        vprorq  $24, %ymm18, %ymm13                         /* 5: b >>> 24 */
        vpxord  %ymm21, %ymm9, %ymm10                       /* 5: d ^= a */
        vpaddq  %ymm4, %ymm9, %ymm14                        /* 5: + y */
        vpshufd $0xb1, %ymm10, %ymm1                        /* 5: d >>>= 32 */
        vpaddq  %ymm5, %ymm1, %ymm16                        /* 5: c += d */
        vprorq  $16, %ymm1, %ymm15                          /* 5: d >>> 16 */
        vpsrlq  $24, %ymm16, %ymm7                          /* 5: c >> 24 */
        vpsllq  $40, %ymm16, %ymm2                          /* 5: c << 40 */
        vmovdqa 800(%rsp), %ymm6                            /* 6: y */
        vpternlogq $0x96, %ymm13, %ymm2, %ymm7              /* 5: b = (b ^ c) >>> 24 */
        vpaddq  %ymm7, %ymm14, %ymm0                        /* 5: a += b + y */
        vprorq  $63, %ymm7, %ymm20                          /* 5: b >>> 63 */
        vpsrlq  $16, %ymm0, %ymm12                          /* 5: a >> 16 */
        vpsllq  $48, %ymm0, %ymm11                          /* 5: a << 48 */
        vpternlogq $0x96, %ymm15, %ymm11, %ymm12            /* 5: d = (d ^ a) >>> 16 */
        vpaddq  %ymm16, %ymm12, %ymm17                      /* 5: c += d */
        vpshufd $0x4e, %ymm12, %ymm3                        /* 5: words of d rotated */
        vpsrlq  $63, %ymm17, %ymm8                          /* 5: c >> 63 */
        vpsllq  $1, %ymm17, %ymm18                          /* 5: c << 1 */
        vpermq  $0x4b, %ymm17, %ymm21                       /* 5: words of c rotated */
        vpermq  $0x1e, %ymm0, %ymm9                         /* 5: words of a rotated */
        vpaddq  %ymm19, %ymm9, %ymm4                        /* 6: + x */
        nop
        /* ---- Round 6 ---- */
        nop
        vmovdqa 832(%rsp), %ymm10                           /* 6: x */
        vpternlogq $0x96, %ymm20, %ymm8, %ymm18             /* 5: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm4, %ymm5                        /* 6: a += b + x */
        vprorq  $24, %ymm18, %ymm1                          /* 6: b >>> 24 */
        vpxor   %ymm3, %ymm5, %ymm13                        /* 6: d ^= a */
        vpaddq  %ymm6, %ymm5, %ymm2                         /* 6: + y */
        vpshufd $0xb1, %ymm13, %ymm14                       /* 6: d >>>= 32 */
        vpaddq  %ymm21, %ymm14, %ymm7                       /* 6: c += d */
        vprorq  $16, %ymm14, %ymm15                         /* 6: d >>> 16 */
        vpsrlq  $24, %ymm7, %ymm11                          /* 6: c >> 24 */
        vpsllq  $40, %ymm7, %ymm16                          /* 6: c << 40 */
        vpternlogq $0x96, %ymm1, %ymm16, %ymm11             /* 6: b = (b ^ c) >>> 24 */
        vpaddq  %ymm11, %ymm2, %ymm12                       /* 6: a += b + y */
        vprorq  $63, %ymm11, %ymm17                         /* 6: b >>> 63 */
        vpsrlq  $16, %ymm12, %ymm0                          /* 6: a >> 16 */
        nop
        vpsllq  $48, %ymm12, %ymm9                          /* 6: a << 48 */
        vmovdqa64 864(%rsp), %ymm19                         /* 6: y */
        vpternlogq $0x96, %ymm15, %ymm9, %ymm0              /* 6: d = (d ^ a) >>> 16 */
        vpaddq  %ymm7, %ymm0, %ymm20                        /* 6: c += d */
        vpshufd $0x4e, %ymm0, %ymm8                         /* 6: words of d rotated */
        vpsrlq  $63, %ymm20, %ymm4                          /* 6: c >> 63 */
        vpsllq  $1, %ymm20, %ymm18                          /* 6: c << 1 */
        vpermq  $0x1e, %ymm20, %ymm3                        /* 6: words of c rotated */
        vpermq  $0x4b, %ymm12, %ymm5                        /* 6: words of a rotated */
        vpaddq  %ymm10, %ymm5, %ymm6                        /* 6: + x */
        nop
        nop
        vmovdqa 896(%rsp), %ymm13                           /* 7: x */
        vpternlogq $0x96, %ymm17, %ymm4, %ymm18             /* 6: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm6, %ymm21                       /* 6: a += b + x */
        vprorq  $24, %ymm18, %ymm14                         /* 6: b >>> 24 */
        vpxord  %ymm8, %ymm21, %ymm1                        /* 6: d ^= a */
        vpaddq  %ymm19, %ymm21, %ymm16                      /* 6: + y */
        vpshufd $0xb1, %ymm1, %ymm2                         /* 6: d >>>= 32 */
        vpaddq  %ymm3, %ymm2, %ymm11                        /* 6: c += d */
        vprorq  $16, %ymm2, %ymm15                          /* 6: d >>> 16 */
        vpsrlq  $24, %ymm11, %ymm9                          /* 6: c >> 24 */
        vpsllq  $40, %ymm11, %ymm7                          /* 6: c << 40 */
        vmovdqa 928(%rsp), %ymm0                            /* 7: y */
        vpternlogq $0x96, %ymm14, %ymm7, %ymm9              /* 6: b = (b ^ c) >>> 24 */
        vpaddq  %ymm9, %ymm16, %ymm20                       /* 6: a += b + y */
        vprorq  $63, %ymm9, %ymm12                          /* 6: b >>> 63 */
        vpsrlq  $16, %ymm20, %ymm5                          /* 6: a >> 16 */
        vpsllq  $48, %ymm20, %ymm10                         /* 6: a << 48 */
        vpternlogq $0x96, %ymm15, %ymm10, %ymm5             /* 6: d = (d ^ a) >>> 16 */
        vpaddq  %ymm11, %ymm5, %ymm17                       /* 6: c += d */
        vpshufd $0x4e, %ymm5, %ymm4                         /* 6: words of d rotated */
        vpsrlq  $63, %ymm17, %ymm6                          /* 6: c >> 63 */
        vpsllq  $1, %ymm17, %ymm18                          /* 6: c << 1 */
        vpermq  $0x4b, %ymm17, %ymm8                        /* 6: words of c rotated */
        vpermq  $0x1e, %ymm20, %ymm21                       /* 6: words of a rotated */
        vpaddq  %ymm13, %ymm21, %ymm19                      /* 7: + x */
        nop
        /* ---- Round 7 ---- */
        nop
        vmovdqa 960(%rsp), %ymm1                            /* 7: x */
        vpternlogq $0x96, %ymm12, %ymm6, %ymm18             /* 6: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm19, %ymm3                       /* 7: a += b + x */
        vprorq  $24, %ymm18, %ymm2                          /* 7: b >>> 24 */
        vpxor   %ymm4, %ymm3, %ymm14                        /* 7: d ^= a */
        vpaddq  %ymm0, %ymm3, %ymm7                         /* 7: + y */
        vpshufd $0xb1, %ymm14, %ymm16                       /* 7: d >>>= 32 */
        vpaddq  %ymm8, %ymm16, %ymm9                        /* 7: c += d */
        vprorq  $16, %ymm16, %ymm15                         /* 7: d >>> 16 */
        vpsrlq  $24, %ymm9, %ymm10                          /* 7: c >> 24 */
        vpsllq  $40, %ymm9, %ymm11                          /* 7: c << 40 */
        vpternlogq $0x96, %ymm2, %ymm11, %ymm10             /* 7: b = (b ^ c) >>> 24 */
        vpaddq  %ymm10, %ymm7, %ymm5                        /* 7: a += b + y */
        vprorq  $63, %ymm10, %ymm17                         /* 7: b >>> 63 */
        vpsrlq  $16, %ymm5, %ymm20                          /* 7: a >> 16 */
        nop
        vpsllq  $48, %ymm5, %ymm21                          /* 7: a << 48 */
        vmovdqa 992(%rsp), %ymm13                           /* 7: y */
        vpternlogq $0x96, %ymm15, %ymm21, %ymm20            /* 7: d = (d ^ a) >>> 16 */
        vpaddq  %ymm9, %ymm20, %ymm12                       /* 7: c += d */
        vpshufd $0x4e, %ymm20, %ymm6                        /* 7: words of d rotated */
        vpsrlq  $63, %ymm12, %ymm19                         /* 7: c >> 63 */
        vpsllq  $1, %ymm12, %ymm18                          /* 7: c << 1 */
        vpermq  $0x1e, %ymm12, %ymm4                        /* 7: words of c rotated */
        vpermq  $0x4b, %ymm5, %ymm3                         /* 7: words of a rotated */
        vpaddq  %ymm1, %ymm3, %ymm0                         /* 7: + x */
        nop
        nop
        vmovdqa 1024(%rsp), %ymm14                          /* 8: x */
        vpternlogq $0x96, %ymm17, %ymm19, %ymm18            /* 7: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm0, %ymm8                        /* 7: a += b + x */
        vprorq  $24, %ymm18, %ymm16                         /* 7: b >>> 24 */
        vpxor   %ymm6, %ymm8, %ymm2                         /* 7: d ^= a */
        vpaddq  %ymm13, %ymm8, %ymm11                       /* 7: + y */
        vpshufd $0xb1, %ymm2, %ymm7                         /* 7: d >>>= 32 */
        vpaddq  %ymm4, %ymm7, %ymm10                        /* 7: c += d */
        vprorq  $16, %ymm7, %ymm15                          /* 7: d >>> 16 */
        vpsrlq  $24, %ymm10, %ymm21                         /* 7: c >> 24 */
        vpsllq  $40, %ymm10, %ymm9                          /* 7: c << 40 */
        vmovdqa64 1056(%rsp), %ymm20                        /* 8: y */
        vpternlogq $0x96, %ymm16, %ymm9, %ymm21             /* 7: b = (b ^ c) >>> 24 */
        vpaddq  %ymm21, %ymm11, %ymm12                      /* 7: a += b + y */
        vprorq  $63, %ymm21, %ymm5                          /* 7: b >>> 63 */
        vpsrlq  $16, %ymm12, %ymm3                          /* 7: a >> 16 */
        vpsllq  $48, %ymm12, %ymm1                          /* 7: a << 48 */
        vpternlogq $0x96, %ymm15, %ymm1, %ymm3              /* 7: d = (d ^ a) >>> 16 */
        vpaddq  %ymm10, %ymm3, %ymm17                       /* 7: c += d */
        vpshufd $0x4e, %ymm3, %ymm19                        /* 7: words of d rotated */
        vpsrlq  $63, %ymm17, %ymm0                          /* 7: c >> 63 */
        vpsllq  $1, %ymm17, %ymm18                          /* 7: c << 1 */
        vpermq  $0x4b, %ymm17, %ymm6                        /* 7: words of c rotated */
        vpermq  $0x1e, %ymm12, %ymm8                        /* 7: words of a rotated */
        vpaddq  %ymm14, %ymm8, %ymm13                       /* 8: + x */
        nop
        /* ---- Round 8 ---- */
        nop
        vmovdqa 1088(%rsp), %ymm2                           /* 8: x */
        vpternlogq $0x96, %ymm5, %ymm0, %ymm18              /* 7: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm13, %ymm4                       /* 8: a += b + x */
        vprorq  $24, %ymm18, %ymm7                          /* 8: b >>> 24 */
        vpxord  %ymm19, %ymm4, %ymm16                       /* 8: d ^= a */
        vpaddq  %ymm20, %ymm4, %ymm9                        /* 8: + y */
        vpshufd $0xb1, %ymm16, %ymm11                       /* 8: d >>>= 32 */
        vpaddq  %ymm6, %ymm11, %ymm21                       /* 8: c += d */
        vprorq  $16, %ymm11, %ymm15                         /* 8: d >>> 16 */
        vpsrlq  $24, %ymm21, %ymm1                          /* 8: c >> 24 */
        vpsllq  $40, %ymm21, %ymm10                         /* 8: c << 40 */
        vpternlogq $0x96, %ymm7, %ymm10, %ymm1              /* 8: b = (b ^ c) >>> 24 */
        vpaddq  %ymm1, %ymm9, %ymm3                         /* 8: a += b + y */
        vprorq  $63, %ymm1, %ymm17                          /* 8: b >>> 63 */
        vpsrlq  $16, %ymm3, %ymm12                          /* 8: a >> 16 */
        nop
        vpsllq  $48, %ymm3, %ymm8                           /* 8: a << 48 */
        vmovdqa 1120(%rsp), %ymm14                          /* 8: y */
        vpternlogq $0x96, %ymm15, %ymm8, %ymm12             /* 8: d = (d ^ a) >>> 16 */
        vpaddq  %ymm21, %ymm12, %ymm5                       /* 8: c += d */
        vpshufd $0x4e, %ymm12, %ymm0                        /* 8: words of d rotated */
        vpsrlq  $63, %ymm5, %ymm13                          /* 8: c >> 63 */
        vpsllq  $1, %ymm5, %ymm18                           /* 8: c << 1 */
        vpermq  $0x1e, %ymm5, %ymm19                        /* 8: words of c rotated */
        vpermq  $0x4b, %ymm3, %ymm4                         /* 8: words of a rotated */
        vpaddq  %ymm2, %ymm4, %ymm20                        /* 8: + x */
        nop
        nop
        vmovdqa64 1152(%rsp), %ymm16                        /* 9: x */
        vpternlogq $0x96, %ymm17, %ymm13, %ymm18            /* 8: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm20, %ymm6                       /* 8: a += b + x */
        vprorq  $24, %ymm18, %ymm11                         /* 8: b >>> 24 */
        vpxor   %ymm0, %ymm6, %ymm7                         /* 8: d ^= a */
        vpaddq  %ymm14, %ymm6, %ymm10                       /* 8: + y */
        vpshufd $0xb1, %ymm7, %ymm9                         /* 8: d >>>= 32 */
        vpaddq  %ymm19, %ymm9, %ymm1                        /* 8: c += d */
        vprorq  $16, %ymm9, %ymm15                          /* 8: d >>> 16 */
        vpsrlq  $24, %ymm1, %ymm8                           /* 8: c >> 24 */
        vpsllq  $40, %ymm1, %ymm21                          /* 8: c << 40 */
        vmovdqa 1184(%rsp), %ymm12                          /* 9: y */
        vpternlogq $0x96, %ymm11, %ymm21, %ymm8             /* 8: b = (b ^ c) >>> 24 */
        vpaddq  %ymm8, %ymm10, %ymm5                        /* 8: a += b + y */
        vprorq  $63, %ymm8, %ymm3                           /* 8: b >>> 63 */
        vpsrlq  $16, %ymm5, %ymm4                           /* 8: a >> 16 */
        vpsllq  $48, %ymm5, %ymm2                           /* 8: a << 48 */
        vpternlogq $0x96, %ymm15, %ymm2, %ymm4              /* 8: d = (d ^ a) >>> 16 */
        vpaddq  %ymm1, %ymm4, %ymm17                        /* 8: c += d */
        vpshufd $0x4e, %ymm4, %ymm13                        /* 8: words of d rotated */
        vpsrlq  $63, %ymm17, %ymm20                         /* 8: c >> 63 */
        vpsllq  $1, %ymm17, %ymm18                          /* 8: c << 1 */
        vpermq  $0x4b, %ymm17, %ymm0                        /* 8: words of c rotated */
        vpermq  $0x1e, %ymm5, %ymm6                         /* 8: words of a rotated */
        vpaddq  %ymm16, %ymm6, %ymm14                       /* 9: + x */
        nop
        /* ---- Round 9 ---- */
        nop
        vmovdqa 1216(%rsp), %ymm7                           /* 9: x */
        vpternlogq $0x96, %ymm3, %ymm20, %ymm18             /* 8: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm14, %ymm19                      /* 9: a += b + x */
        vprorq  $24, %ymm18, %ymm9                          /* 9: b >>> 24 */
        vpxord  %ymm13, %ymm19, %ymm11                      /* 9: d ^= a */
        vpaddq  %ymm12, %ymm19, %ymm21                      /* 9: + y */
        vpshufd $0xb1, %ymm11, %ymm10                       /* 9: d >>>= 32 */
        vpaddq  %ymm0, %ymm10, %ymm8                        /* 9: c += d */
        vprorq  $16, %ymm10, %ymm15                         /* 9: d >>> 16 */
        vpsrlq  $24, %ymm8, %ymm2                           /* 9: c >> 24 */
        vpsllq  $40, %ymm8, %ymm1                           /* 9: c << 40 */
        vpternlogq $0x96, %ymm9, %ymm1, %ymm2               /* 9: b = (b ^ c) >>> 24 */
        vpaddq  %ymm2, %ymm21, %ymm4                        /* 9: a += b + y */
        vprorq  $63, %ymm2, %ymm17                          /* 9: b >>> 63 */
        vpsrlq  $16, %ymm4, %ymm5                           /* 9: a >> 16 */
        nop
        vpsllq  $48, %ymm4, %ymm6                           /* 9: a << 48 */
        vmovdqa64 1248(%rsp), %ymm16                        /* 9: y */
        vpternlogq $0x96, %ymm15, %ymm6, %ymm5              /* 9: d = (d ^ a) >>> 16 */
        vpaddq  %ymm8, %ymm5, %ymm3                         /* 9: c += d */
        vpshufd $0x4e, %ymm5, %ymm20                        /* 9: words of d rotated */
        vpsrlq  $63, %ymm3, %ymm14                          /* 9: c >> 63 */
        vpsllq  $1, %ymm3, %ymm18                           /* 9: c << 1 */
        vpermq  $0x1e, %ymm3, %ymm13                        /* 9: words of c rotated */
        vpermq  $0x4b, %ymm4, %ymm19                        /* 9: words of a rotated */
        vpaddq  %ymm7, %ymm19, %ymm12                       /* 9: + x */
        nop
        nop
        vmovdqa 0(%rsp), %ymm11                             /* 10: x */
        vpternlogq $0x96, %ymm17, %ymm14, %ymm18            /* 9: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm12, %ymm0                       /* 9: a += b + x */
        vprorq  $24, %ymm18, %ymm10                         /* 9: b >>> 24 */
        vpxord  %ymm20, %ymm0, %ymm9                        /* 9: d ^= a */
        vpaddq  %ymm16, %ymm0, %ymm1                        /* 9: + y */
        vpshufd $0xb1, %ymm9, %ymm21                        /* 9: d >>>= 32 */
        vpaddq  %ymm13, %ymm21, %ymm2                       /* 9: c += d */
        vprorq  $16, %ymm21, %ymm15                         /* 9: d >>> 16 */
        vpsrlq  $24, %ymm2, %ymm6                           /* 9: c >> 24 */
        vpsllq  $40, %ymm2, %ymm8                           /* 9: c << 40 */
        vmovdqa 32(%rsp), %ymm5                             /* 10: y */
        vpternlogq $0x96, %ymm10, %ymm8, %ymm6              /* 9: b = (b ^ c) >>> 24 */
        vpaddq  %ymm6, %ymm1, %ymm3                         /* 9: a += b + y */
        vprorq  $63, %ymm6, %ymm4                           /* 9: b >>> 63 */
        vpsrlq  $16, %ymm3, %ymm19                          /* 9: a >> 16 */
        vpsllq  $48, %ymm3, %ymm7                           /* 9: a << 48 */
        vpternlogq $0x96, %ymm15, %ymm7, %ymm19             /* 9: d = (d ^ a) >>> 16 */
        vpaddq  %ymm2, %ymm19, %ymm17                       /* 9: c += d */
        vpshufd $0x4e, %ymm19, %ymm14                       /* 9: words of d rotated */
        vpsrlq  $63, %ymm17, %ymm12                         /* 9: c >> 63 */
        vpsllq  $1, %ymm17, %ymm18                          /* 9: c << 1 */
        vpermq  $0x4b, %ymm17, %ymm20                       /* 9: words of c rotated */
        vpermq  $0x1e, %ymm3, %ymm0                         /* 9: words of a rotated */
        vpaddq  %ymm11, %ymm0, %ymm16                       /* 10: + x */
        nop
        /* ---- Round 10 ---- */
        nop
        vmovdqa 64(%rsp), %ymm9                             /* 10: x */
        vpternlogq $0x96, %ymm4, %ymm12, %ymm18             /* 9: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm16, %ymm13                      /* 10: a += b + x */
        vprorq  $24, %ymm18, %ymm21                         /* 10: b >>> 24 */
        vpxor   %ymm14, %ymm13, %ymm10                      /* 10: d ^= a */
        vpaddq  %ymm5, %ymm13, %ymm8                        /* 10: + y */
        vpshufd $0xb1, %ymm10, %ymm1                        /* 10: d >>>= 32 */
        vpaddq  %ymm20, %ymm1, %ymm6                        /* 10: c += d */
        vprorq  $16, %ymm1, %ymm15                          /* 10: d >>> 16 */
        vpsrlq  $24, %ymm6, %ymm7                           /* 10: c >> 24 */
        vpsllq  $40, %ymm6, %ymm2                           /* 10: c << 40 */
        vpternlogq $0x96, %ymm21, %ymm2, %ymm7              /* 10: b = (b ^ c) >>> 24 */
        vpaddq  %ymm7, %ymm8, %ymm19                        /* 10: a += b + y */
        vprorq  $63, %ymm7, %ymm17                          /* 10: b >>> 63 */
        vpsrlq  $16, %ymm19, %ymm3                          /* 10: a >> 16 */
        nop
        vpsllq  $48, %ymm19, %ymm0                          /* 10: a << 48 */
        vmovdqa 96(%rsp), %ymm11                            /* 10: y */
        vpternlogq $0x96, %ymm15, %ymm0, %ymm3              /* 10: d = (d ^ a) >>> 16 */
        vpaddq  %ymm6, %ymm3, %ymm4                         /* 10: c += d */
        vpshufd $0x4e, %ymm3, %ymm12                        /* 10: words of d rotated */
        vpsrlq  $63, %ymm4, %ymm16                          /* 10: c >> 63 */
        vpsllq  $1, %ymm4, %ymm18                           /* 10: c << 1 */
        vpermq  $0x1e, %ymm4, %ymm14                        /* 10: words of c rotated */
        vpermq  $0x4b, %ymm19, %ymm13                       /* 10: words of a rotated */
        vpaddq  %ymm9, %ymm13, %ymm5                        /* 10: + x */
        nop
        nop
        vmovdqa 128(%rsp), %ymm10                           /* 11: x */
        vmovdqu64 0(%rsi), %zmm30                           /* the next block */
        vmovdqu64 64(%rsi), %zmm31                          /* the next block */
        vmovdqa64 FIN_LOCAL(words_blake2b)+0(%rip), %zmm20  /* 0: indices of words */
        vpternlogq $0x96, %ymm17, %ymm16, %ymm18            /* 10: b = (b ^ c) >>> 63 */
        vpaddq  %ymm18, %ymm5, %ymm1                        /* 10: a += b + x */
        vprorq  $24, %ymm18, %ymm21                         /* 10: b >>> 24 */
        vpxor   %ymm12, %ymm1, %ymm2                        /* 10: d ^= a */
        vpaddq  %ymm11, %ymm1, %ymm8                        /* 10: + y */
        vpshufd $0xb1, %ymm2, %ymm7                         /* 10: d >>>= 32 */
        vpaddq  %ymm14, %ymm7, %ymm15                       /* 10: c += d */
        vprorq  $16, %ymm7, %ymm0                           /* 10: d >>> 16 */
        vpsrlq  $24, %ymm15, %ymm6                          /* 10: c >> 24 */
        vpsllq  $40, %ymm15, %ymm3                          /* 10: c << 40 */
        vmovdqa 160(%rsp), %ymm4                            /* 11: y */
        vpternlogq $0x96, %ymm21, %ymm3, %ymm6              /* 10: b = (b ^ c) >>> 24 */
        vpaddq  %ymm6, %ymm8, %ymm19                        /* 10: a += b + y */
        vprorq  $63, %ymm6, %ymm13                          /* 10: b >>> 63 */
        vpsrlq  $16, %ymm19, %ymm9                          /* 10: a >> 16 */
        vpsllq  $48, %ymm19, %ymm17                         /* 10: a << 48 */
        vpternlogq $0x96, %ymm0, %ymm17, %ymm9              /* 10: d = (d ^ a) >>> 16 */
        vpaddq  %ymm15, %ymm9, %ymm16                       /* 10: c += d */
        vpshufd $0x4e, %ymm9, %ymm5                         /* 10: words of d rotated */
        vpsrlq  $63, %ymm16, %ymm18                         /* 10: c >> 63 */
        vpsllq  $1, %ymm16, %ymm12                          /* 10: c << 1 */
        vpermq  $0x4b, %ymm16, %ymm1                        /* 10: words of c rotated */
        vpermq  $0x1e, %ymm19, %ymm11                       /* 10: words of a rotated */
        vpaddq  %ymm10, %ymm11, %ymm2                       /* 11: + x */
        nop
        /* ---- Round 11 ---- */
        nop
        vpermi2q %zmm31, %zmm30, %zmm20                     /* 0: words */
        vmovdqa64 %zmm20, 0(%rsp)                           /* 0: words stored */
        vmovdqa 192(%rsp), %ymm14                           /* 11: x */
        vpternlogq $0x96, %ymm13, %ymm18, %ymm12            /* 10: b = (b ^ c) >>> 63 */
        vpaddq  %ymm12, %ymm2, %ymm7                        /* 11: a += b + x */
        vprorq  $24, %ymm12, %ymm21                         /* 11: b >>> 24 */
        vpxor   %ymm5, %ymm7, %ymm3                         /* 11: d ^= a */
        vpaddq  %ymm4, %ymm7, %ymm8                         /* 11: + y */
        vpshufd $0xb1, %ymm3, %ymm6                         /* 11: d >>>= 32 */
        vpaddq  %ymm1, %ymm6, %ymm0                         /* 11: c += d */
        vprorq  $16, %ymm6, %ymm17                          /* 11: d >>> 16 */
        vpsrlq  $24, %ymm0, %ymm15                          /* 11: c >> 24 */
        vpsllq  $40, %ymm0, %ymm9                           /* 11: c << 40 */
        vpternlogq $0x96, %ymm21, %ymm9, %ymm15             /* 11: b = (b ^ c) >>> 24 */
        vpaddq  %ymm15, %ymm8, %ymm16                       /* 11: a += b + y */
        vprorq  $63, %ymm15, %ymm19                         /* 11: b >>> 63 */
        vpsrlq  $16, %ymm16, %ymm11                         /* 11: a >> 16 */
        nop
        vpsllq  $48, %ymm16, %ymm10                         /* 11: a << 48 */
        vmovdqa64 224(%rsp), %ymm20                         /* 11: y */
        vpternlogq $0x96, %ymm17, %ymm10, %ymm11            /* 11: d = (d ^ a) >>> 16 */
        vpaddq  %ymm0, %ymm11, %ymm13                       /* 11: c += d */
        vpshufd $0x4e, %ymm11, %ymm18                       /* 11: words of d rotated */
        vpsrlq  $63, %ymm13, %ymm2                          /* 11: c >> 63 */
        vpsllq  $1, %ymm13, %ymm12                          /* 11: c << 1 */
        vpermq  $0x1e, %ymm13, %ymm5                        /* 11: words of c rotated */
        vpermq  $0x4b, %ymm16, %ymm7                        /* 11: words of a rotated */
        vpaddq  %ymm14, %ymm7, %ymm4                        /* 11: + x */
        nop
        nop
        vmovdqa64 FIN_LOCAL(words_blake2b)+64(%rip), %zmm3  /* 0: indices of words */
        vpternlogq $0x96, %ymm19, %ymm2, %ymm12             /* 11: b = (b ^ c) >>> 63 */
        vpaddq  %ymm12, %ymm4, %ymm1                        /* 11: a += b + x */
        vprorq  $24, %ymm12, %ymm6                          /* 11: b >>> 24 */
        vpxord  %ymm18, %ymm1, %ymm21                       /* 11: d ^= a */
        vpaddq  %ymm20, %ymm1, %ymm9                        /* 11: + y */
        vpshufd $0xb1, %ymm21, %ymm8                        /* 11: d >>>= 32 */
        vpaddq  %ymm5, %ymm8, %ymm15                        /* 11: c += d */
        vprorq  $16, %ymm8, %ymm17                          /* 11: d >>> 16 */
        vpsrlq  $24, %ymm15, %ymm10                         /* 11: c >> 24 */
        vpsllq  $40, %ymm15, %ymm0                          /* 11: c << 40 */
        vpternlogq $0x96, %ymm6, %ymm0, %ymm10              /* 11: b = (b ^ c) >>> 24 */
        vpaddq  %ymm10, %ymm9, %ymm11                       /* 11: a += b + y */
        vprorq  $63, %ymm10, %ymm13                         /* 11: b >>> 63 */
        vpsrlq  $16, %ymm11, %ymm16                         /* 11: a >> 16 */
        vpsllq  $48, %ymm11, %ymm7                          /* 11: a << 48 */
        vpternlogq $0x96, %ymm17, %ymm7, %ymm16             /* 11: d = (d ^ a) >>> 16 */
        vpaddq  %ymm15, %ymm16, %ymm14                      /* 11: c += d */
        vpshufd $0x4e, %ymm16, %ymm19                       /* 11: words of d rotated */
        vpsrlq  $63, %ymm14, %ymm2                          /* 11: c >> 63 */
        vpsllq  $1, %ymm14, %ymm4                           /* 11: c << 1 */
        vpermq  $0x4b, %ymm14, %ymm12                       /* 11: words of c rotated */
        vpermq  $0x1e, %ymm11, %ymm18                       /* 11: words of a rotated */
        vpermi2q %zmm31, %zmm30, %zmm3                      /* 0: words */
        vmovdqa64 %zmm3, 64(%rsp)                           /* 0: words stored */
        nop
        vpternlogq $0x96, %ymm13, %ymm2, %ymm4              /* 11: b = (b ^ c) >>> 63 */
        vpternlogq $0x96, %ymm4, %ymm19, %ymm25             /* h ^= b ^ d */
        vpternlogq $0x96, %ymm18, %ymm12, %ymm26            /* h ^= a ^ c */
        add     %r8, %rax
        jnc     FIN_LOCAL(no_carry_blake2b)
        vpaddq  FIN_LOCAL(carry_blake2b)(%rip), %ymm24, %ymm24
FIN_LOCAL(no_carry_blake2b):
        test    %rdx, %rdx
        jne     FIN_LOCAL(block_blake2b)
FIN_LOCAL(done_blake2b):
        vpermq  $0xd8, %ymm26, %ymm26                       /* words 0, 1, 2, 3 */
        vmovdqu64 %ymm26, 0(%rdi)
        vpermq  $0xd8, %ymm25, %ymm25                       /* words 0, 1, 2, 3 */
        vmovdqu64 %ymm25, 32(%rdi)
        vzeroupper
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
FIN_LOCAL(nothing_blake2b):
        ret
        .cfi_restore_state
/* Other numbers of rounds: %r10 is the address of a round's words, %r11 counts. */
FIN_LOCAL(any_rounds_blake2b):
        lea     FIN_LOCAL(words_blake2b)(%rip), %r9
        xor     %r10d, %r10d
FIN_LOCAL(permute_blake2b):
        vmovdqa64 (%r9,%r10), %zmm0
        vpermi2q %zmm31, %zmm30, %zmm0
        vmovdqa64 %zmm0, (%rsp,%r10)
        add     $64, %r10
        cmp     $1280, %r10d
        jne     FIN_LOCAL(permute_blake2b)
        vmovdqa64 %ymm26, %ymm0
        vmovdqa64 %ymm25, %ymm1
        vmovdqa64 %ymm28, %ymm2
        vpxorq  %ymm27, %ymm24, %ymm3
        vpaddq  %ymm23, %ymm24, %ymm24
        mov     STATE_ROUNDS(%rdi), %r11
        mov     %rsp, %r10
        lea     1280(%rsp), %r9
        test    %r11, %r11
        je      FIN_LOCAL(rounds_done_blake2b)
        .balign 64
FIN_LOCAL(round_blake2b):
        vmovdqa 0(%r10), %ymm4                              /* x */
        vpaddq  %ymm4, %ymm0, %ymm5                         /* + x */
        vpaddq  %ymm1, %ymm5, %ymm6                         /* a += b + x */
        vmovdqa 32(%r10), %ymm7                             /* y */
        vpxor   %ymm3, %ymm6, %ymm8                         /* d ^= a */
        vmovdqa 64(%r10), %ymm9                             /* x */
        vpshufd $0xb1, %ymm8, %ymm10                        /* d >>>= 32 */
        vprorq  $16, %ymm10, %ymm11                         /* d >>> 16 */
        vpaddq  %ymm7, %ymm6, %ymm12                        /* + y */
        vprorq  $24, %ymm1, %ymm13                          /* b >>> 24 */
        vpaddq  %ymm2, %ymm10, %ymm14                       /* c += d */
        vpsrlq  $24, %ymm14, %ymm15                         /* c >> 24 */
        vpsllq  $40, %ymm14, %ymm16                         /* c << 40 */
        vpternlogq $0x96, %ymm13, %ymm16, %ymm15            /* b = (b ^ c) >>> 24 */
        vpaddq  %ymm15, %ymm12, %ymm17                      /* a += b + y */
        vprorq  $63, %ymm15, %ymm18                         /* b >>> 63 */
        vpsrlq  $16, %ymm17, %ymm19                         /* a >> 16 */
        vpsllq  $48, %ymm17, %ymm20                         /* a << 48 */
        vmovdqa64 96(%r10), %ymm21                          /* y */
        vpternlogq $0x96, %ymm11, %ymm20, %ymm19            /* d = (d ^ a) >>> 16 */
        vpaddq  %ymm14, %ymm19, %ymm4                       /* c += d */
        vpshufd $0x4e, %ymm19, %ymm5                        /* words of d rotated */
        vpsrlq  $63, %ymm4, %ymm8                           /* c >> 63 */
        vpsllq  $1, %ymm4, %ymm6                            /* c << 1 */
        vpermq  $0x1e, %ymm4, %ymm7                         /* words of c rotated */
        vpermq  $0x4b, %ymm17, %ymm10                       /* words of a rotated */
        vpaddq  %ymm9, %ymm10, %ymm13                       /* + x */
        vpternlogq $0x96, %ymm18, %ymm8, %ymm6              /* b = (b ^ c) >>> 63 */
        vpaddq  %ymm6, %ymm13, %ymm16                       /* a += b + x */
        vprorq  $24, %ymm6, %ymm12                          /* b >>> 24 */
        vpxord  %ymm5, %ymm16, %ymm15                       /* d ^= a */
        vpaddq  %ymm21, %ymm16, %ymm11                      /* + y */
        vpshufd $0xb1, %ymm15, %ymm20                       /* d >>>= 32 */
        vpaddq  %ymm7, %ymm20, %ymm14                       /* c += d */
        vprorq  $16, %ymm20, %ymm19                         /* d >>> 16 */
        vpsrlq  $24, %ymm14, %ymm4                          /* c >> 24 */
        vpsllq  $40, %ymm14, %ymm17                         /* c << 40 */
        vpternlogq $0x96, %ymm12, %ymm17, %ymm4             /* b = (b ^ c) >>> 24 */
        vpaddq  %ymm4, %ymm11, %ymm10                       /* a += b + y */
        vprorq  $63, %ymm4, %ymm9                           /* b >>> 63 */
        vpsrlq  $16, %ymm10, %ymm18                         /* a >> 16 */
        vpsllq  $48, %ymm10, %ymm8                          /* a << 48 */
        vpternlogq $0x96, %ymm19, %ymm8, %ymm18             /* d = (d ^ a) >>> 16 */
        vpaddq  %ymm14, %ymm18, %ymm13                      /* c += d */
        vpshufd $0x4e, %ymm18, %ymm6                        /* words of d rotated */
        vpsrlq  $63, %ymm13, %ymm5                          /* c >> 63 */
        vpsllq  $1, %ymm13, %ymm16                          /* c << 1 */
        vpermq  $0x4b, %ymm13, %ymm21                       /* words of c rotated */
        vpermq  $0x1e, %ymm10, %ymm15                       /* words of a rotated */
        vpternlogq $0x96, %ymm9, %ymm5, %ymm16              /* b = (b ^ c) >>> 63 */
        vmovdqa %ymm15, %ymm0
        vmovdqa64 %ymm16, %ymm1
        vmovdqa64 %ymm21, %ymm2
        vmovdqa %ymm6, %ymm3
        add     $128, %r10
        cmp     %r9, %r10
        cmove   %rsp, %r10
        dec     %r11
        jne     FIN_LOCAL(round_blake2b)
FIN_LOCAL(rounds_done_blake2b):
        vpternlogq $0x96, %ymm1, %ymm3, %ymm25
        vpternlogq $0x96, %ymm0, %ymm2, %ymm26
        add     %r8, %rax
        jnc     FIN_LOCAL(no_carry_either_blake2b)
        vpaddq  FIN_LOCAL(carry_blake2b)(%rip), %ymm24, %ymm24
FIN_LOCAL(no_carry_either_blake2b):
        add     %rcx, %rsi
        dec     %rdx
        je      FIN_LOCAL(done_blake2b)
        vmovdqu 0(%rsi), %xmm0
        vinserti128 $1, 16(%rsi), %ymm0, %ymm0
        vmovdqu 32(%rsi), %xmm1
        vinserti128 $1, 48(%rsi), %ymm1, %ymm1
        vmovdqu 64(%rsi), %xmm2
        vinserti128 $1, 80(%rsi), %ymm2, %ymm2
        vmovdqu 96(%rsi), %xmm3
        vinserti128 $1, 112(%rsi), %ymm3, %ymm3
        vinserti64x4 $1, %ymm1, %zmm0, %zmm30
        vinserti64x4 $1, %ymm3, %zmm2, %zmm31
        jmp     FIN_LOCAL(any_rounds_blake2b)
        .cfi_endproc
        FIN_END(FIN_KERNEL)
#undef FIN_KERNEL
#endif

#if FIN_HAS_COMPRESSION(BLAKE2S)
        FIN_CONSTANTS
/* Words of the rounds: x, y, then x, y of the diagonals. */
        .balign 64
FIN_LOCAL(words_blake2s):
        .long   0, 2, 4, 6, 1, 3, 5, 7, 14, 8, 10, 12, 15, 9, 11, 13
        .long   14, 4, 9, 13, 10, 8, 15, 6, 5, 1, 0, 11, 3, 12, 2, 7
        .long   11, 12, 5, 15, 8, 0, 2, 13, 9, 10, 3, 7, 4, 14, 6, 1
        .long   7, 3, 13, 11, 9, 1, 12, 14, 15, 2, 5, 4, 8, 6, 10, 0
        .long   9, 5, 2, 10, 0, 7, 4, 15, 3, 14, 11, 6, 13, 1, 12, 8
        .long   2, 6, 0, 8, 12, 10, 11, 3, 1, 4, 7, 15, 9, 13, 5, 14
        .long   12, 1, 14, 4, 5, 15, 13, 10, 8, 0, 6, 9, 11, 7, 3, 2
        .long   13, 7, 12, 3, 11, 14, 1, 9, 2, 5, 15, 8, 10, 0, 4, 6
        .long   6, 14, 11, 0, 15, 9, 3, 8, 10, 12, 13, 1, 5, 2, 7, 4
        .long   10, 8, 7, 1, 2, 4, 6, 5, 13, 15, 9, 3, 0, 11, 14, 12
/* v8 .. v15 */
        .balign 64
FIN_LOCAL(seed_blake2s):
        .long   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
        .long   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19

/*
 * state->h = F(state->h, block, state->t + (k + 1) * increment, ...) for the blocks k = 0, 1, ...
 *
 *   void fin_blake2s_avx512_ternlog(fin_state *state (rdi), const uint8_t *in (rsi), size_t blocks
 * (rdx),
 *                                   size_t stride (rcx), uint32_t increment (r8d))
 *
 * System V ABI. in needs no alignment; in and state do not overlap. Any number of blocks and
 * rounds, 0 included: 10 rounds in line, other numbers in a loop of one round. Branches and
 * addresses depend on the arguments, state->t and state->rounds alone.
 *
 *   %rdi    state                       %rsi    the next block
 *   %rdx    blocks after this one       %rcx    stride
 *   %r8     increment                   %rax    the counter's low word
 *   %r9     address read instead of the block after the last one
 *   %rsp    the words of rounds 0 to 9; in the last round the next block's replace those of round 0
 *   xmm22   BLAKE: salt                 xmm23   the counter's increment for a block
 *   xmm24   counter and flags           xmm25   h4 .. h7
 *   xmm26   h0 .. h3                    xmm27   v12 .. v15 without counter
 *   xmm28   v8 .. v11 at the start      zmm29   BLAKE: the shuffle that reverses a word's bytes
 *   zmm30   the block's first 64 bytes  zmm31   for 64-bit words: its other 64
 *   others  the state and intermediate values
 */
#define FIN_KERNEL fin_blake2s_avx512_ternlog
        .text
        FIN_FUNCTION(FIN_KERNEL)
        .balign 64
FIN_SYMBOL(FIN_KERNEL):
        .cfi_startproc
        endbr64
        test    %rdx, %rdx
        je      FIN_LOCAL(nothing_blake2s)
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $640, %rsp
        and     $-64, %rsp
        vmovdqu 0(%rsi), %xmm0
        vmovdqu 16(%rsi), %xmm1
        vmovdqu 32(%rsi), %xmm2
        vmovdqu 48(%rsi), %xmm3
        vshufps $0x88, %xmm1, %xmm0, %xmm4
        vmovdqa %xmm4, 0(%rsp)
        vshufps $0xdd, %xmm1, %xmm0, %xmm5
        vmovdqa %xmm5, 16(%rsp)
        vshufps $0x88, %xmm3, %xmm2, %xmm6
        vpshufd $0x93, %xmm6, %xmm6                         /* the diagonals begin with the last word */
        vmovdqa %xmm6, 32(%rsp)
        vshufps $0xdd, %xmm3, %xmm2, %xmm7
        vpshufd $0x93, %xmm7, %xmm7                         /* the diagonals begin with the last word */
        vmovdqa %xmm7, 48(%rsp)
        vinserti128 $1, %xmm1, %ymm0, %ymm0
        vinserti128 $1, %xmm3, %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm0, %zmm30
        vmovdqu64 0(%rdi), %xmm26
        vmovdqu64 16(%rdi), %xmm25
        vmovdqa64 FIN_LOCAL(seed_blake2s)(%rip), %xmm28
        mov     %r8d, %r8d                                  /* the upper half may be anything */
        mov     STATE_T(%rdi), %rax
        vmovq   %r8, %xmm5
        vmovq   STATE_T(%rdi), %xmm4
        vpinsrd $2, STATE_F(%rdi), %xmm4, %xmm4
        vpinsrd $3, STATE_F+8(%rdi), %xmm4, %xmm4           /* low, high, flags */
        vmovdqa64 %xmm5, %xmm23
        vpaddq  %xmm23, %xmm4, %xmm24
        vmovdqa64 FIN_LOCAL(seed_blake2s)+16(%rip), %xmm27
        cmpq    $10, STATE_ROUNDS(%rdi)
        jne     FIN_LOCAL(any_rounds_blake2s)
        lea     FIN_LOCAL(words_blake2s)(%rip), %r9
        .balign 64
FIN_LOCAL(block_blake2s):
        add     %rcx, %rsi
        dec     %rdx
        cmove   %r9, %rsi
        vpxord  %xmm27, %xmm24, %xmm0                       /* v12 .. v15 */
        vpaddq  %xmm23, %xmm24, %xmm24                      /* the next block's counter */
        vmovdqa 0(%rsp), %xmm1                              /* 0: x */
        vprord  $16, %xmm0, %xmm2                           /* 0: d >>> 16 */
        vmovdqa 16(%rsp), %xmm3                             /* 0: y */
        vpaddd  %xmm1, %xmm26, %xmm4                        /* 0: + x */
        vpaddd  %xmm25, %xmm4, %xmm5                        /* 0: a += b + x */
        /* ---- Round 0 ---- */
        vpslld  $16, %xmm5, %xmm6                           /* 0: a << 16 */
        vpsrld  $16, %xmm5, %xmm7                           /* 0: a >> 16 */
        vpternlogd $0x96, %xmm2, %xmm7, %xmm6               /* 0: d = (d ^ a) >>> 16 */
        vpaddd  %xmm28, %xmm6, %xmm8                        /* 0: c += d */
        vprord  $8, %xmm6, %xmm9                            /* 0: d >>> 8 */
        vpsrld  $12, %xmm8, %xmm10                          /* 0: c >> 12 */
        vpslld  $20, %xmm8, %xmm11                          /* 0: c << 20 */
        vmovdqa 32(%rsp), %xmm12                            /* 0: x */
        vpaddd  %xmm3, %xmm5, %xmm13                        /* 0: + y */
        vprord  $12, %xmm25, %xmm14                         /* 0: b >>> 12 */
        vpternlogd $0x96, %xmm14, %xmm10, %xmm11            /* 0: b = (b ^ c) >>> 12 */
        vpaddd  %xmm11, %xmm13, %xmm15                      /* 0: a += b + y */
        vmovdqa64 FIN_LOCAL(words_blake2s)+64(%rip), %zmm16 /* 1: indices of words */
        vprord  $7, %xmm11, %xmm17                          /* 0: b >>> 7 */
        vpermd  %zmm30, %zmm16, %zmm18                      /* 1: words */
        vmovdqa64 %zmm18, 64(%rsp)                          /* 1: words stored */
        vpsrld  $8, %xmm15, %xmm19                          /* 0: a >> 8 */
        vpslld  $24, %xmm15, %xmm20                         /* 0: a << 24 */
        vpshufd $0x93, %xmm15, %xmm21                       /* 0: words of a rotated */
        vpternlogd $0x96, %xmm9, %xmm19, %xmm20             /* 0: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm20, %xmm0                        /* 0: words of d rotated */
        vpaddd  %xmm8, %xmm20, %xmm1                        /* 0: c += d */
        vmovdqa64 FIN_LOCAL(words_blake2s)+128(%rip), %zmm4 /* 2: indices of words */
        vpermd  %zmm30, %zmm4, %zmm2                        /* 2: words */
        vmovdqa64 %zmm2, 128(%rsp)                          /* 2: words stored */
        vprord  $16, %xmm0, %xmm7                           /* 0: d >>> 16 */
        vpsrld  $7, %xmm1, %xmm6                            /* 0: c >> 7 */
        vpslld  $25, %xmm1, %xmm5                           /* 0: c << 25 */
        vmovdqa 48(%rsp), %xmm3                             /* 0: y */
        vpshufd $0x39, %xmm1, %xmm14                        /* 0: words of c rotated */
        vpaddd  %xmm12, %xmm21, %xmm10                      /* 0: + x */
        vmovdqa64 FIN_LOCAL(words_blake2s)+192(%rip), %zmm13 /* 3: indices of words */
        vpermd  %zmm30, %zmm13, %zmm11                      /* 3: words */
        vmovdqa64 %zmm11, 192(%rsp)                         /* 3: words stored */
        vpternlogd $0x96, %xmm17, %xmm5, %xmm6              /* 0: b = (b ^ c) >>> 7 */
        vpaddd  %xmm6, %xmm10, %xmm16                       /* 0: a += b + x */
        vprord  $12, %xmm6, %xmm18                          /* 0: b >>> 12 */
        vpsrld  $16, %xmm16, %xmm15                         /* 0: a >> 16 */
        vpslld  $16, %xmm16, %xmm9                          /* 0: a << 16 */
        vmovdqa64 FIN_LOCAL(words_blake2s)+256(%rip), %zmm19 /* 4: indices of words */
        vpermd  %zmm30, %zmm19, %zmm8                       /* 4: words */
        vmovdqa64 %zmm8, 256(%rsp)                          /* 4: words stored */
        vpternlogd $0x96, %xmm7, %xmm15, %xmm9              /* 0: d = (d ^ a) >>> 16 */
        vpaddd  %xmm14, %xmm9, %xmm20                       /* 0: c += d */
        vpsrld  $12, %xmm20, %xmm4                          /* 0: c >> 12 */
        vpslld  $20, %xmm20, %xmm2                          /* 0: c << 20 */
        vprord  $8, %xmm9, %xmm0                            /* 0: d >>> 8 */
        vmovdqa 64(%rsp), %xmm1                             /* 1: x */
        vpaddd  %xmm3, %xmm16, %xmm21                       /* 0: + y */
        vmovdqa64 FIN_LOCAL(words_blake2s)+320(%rip), %zmm12 /* 5: indices of words */
        vpermd  %zmm30, %zmm12, %zmm13                      /* 5: words */
        vmovdqa64 %zmm13, 320(%rsp)                         /* 5: words stored */
        vpternlogd $0x96, %xmm18, %xmm4, %xmm2              /* 0: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm21, %xmm11                       /* 0: a += b + y */
        vpsrld  $8, %xmm11, %xmm17                          /* 0: a >> 8 */
        vpslld  $24, %xmm11, %xmm5                          /* 0: a << 24 */
        vprord  $7, %xmm2, %xmm10                           /* 0: b >>> 7 */
        vmovdqa64 FIN_LOCAL(words_blake2s)+384(%rip), %zmm6 /* 6: indices of words */
        vpermd  %zmm30, %zmm6, %zmm19                       /* 6: words */
        vmovdqa64 %zmm19, 384(%rsp)                         /* 6: words stored */
        vmovdqa 80(%rsp), %xmm8                             /* 1: y */
        nop
        vpternlogd $0x96, %xmm0, %xmm17, %xmm5              /* 0: d = (d ^ a) >>> 8 */
        vpaddd  %xmm20, %xmm5, %xmm7                        /* 0: c += d */
        vpshufd $0x4e, %xmm5, %xmm15                        /* 0: words of d rotated */
        vpsrld  $7, %xmm7, %xmm14                           /* 0: c >> 7 */
        vpslld  $25, %xmm7, %xmm9                           /* 0: c << 25 */
        vpshufd $0x93, %xmm7, %xmm16                        /* 0: words of c rotated */
        vprord  $16, %xmm15, %xmm3                          /* 1: d >>> 16 */
        vpternlogd $0x96, %xmm10, %xmm9, %xmm14             /* 0: b = (b ^ c) >>> 7 */
        vmovdqa64 FIN_LOCAL(words_blake2s)+448(%rip), %zmm12 /* 7: indices of words */
        vpermd  %zmm30, %zmm12, %zmm13                      /* 7: words */
        vmovdqa64 %zmm13, 448(%rsp)                         /* 7: words stored */
        vpshufd $0x39, %xmm11, %xmm18                       /* 0: words of a rotated */
        vpaddd  %xmm1, %xmm18, %xmm4                        /* 1: + x */
        vpaddd  %xmm14, %xmm4, %xmm21                       /* 1: a += b + x */
        /* ---- Round 1 ---- */
        vpslld  $16, %xmm21, %xmm2                          /* 1: a << 16 */
        vpsrld  $16, %xmm21, %xmm6                          /* 1: a >> 16 */
        vpternlogd $0x96, %xmm3, %xmm6, %xmm2               /* 1: d = (d ^ a) >>> 16 */
        vmovdqa64 FIN_LOCAL(words_blake2s)+512(%rip), %zmm19 /* 8: indices of words */
        vpermd  %zmm30, %zmm19, %zmm0                       /* 8: words */
        vmovdqa64 %zmm0, 512(%rsp)                          /* 8: words stored */
        vpaddd  %xmm16, %xmm2, %xmm17                       /* 1: c += d */
        vprord  $8, %xmm2, %xmm20                           /* 1: d >>> 8 */
        vpsrld  $12, %xmm17, %xmm5                          /* 1: c >> 12 */
        vpslld  $20, %xmm17, %xmm7                          /* 1: c << 20 */
        vmovdqa 96(%rsp), %xmm15                            /* 1: x */
        vpaddd  %xmm8, %xmm21, %xmm10                       /* 1: + y */
        vmovdqa64 FIN_LOCAL(words_blake2s)+576(%rip), %zmm9 /* 9: indices of words */
        vpermd  %zmm30, %zmm9, %zmm12                       /* 9: words */
        vmovdqa64 %zmm12, 576(%rsp)                         /* 9: words stored */
        vprord  $12, %xmm14, %xmm13                         /* 1: b >>> 12 */
        vpternlogd $0x96, %xmm13, %xmm5, %xmm7              /* 1: b = (b ^ c) >>> 12 */
        vpaddd  %xmm7, %xmm10, %xmm11                       /* 1: a += b + y */
        vprord  $7, %xmm7, %xmm18                           /* 1: b >>> 7 */
        vpsrld  $8, %xmm11, %xmm1                           /* 1: a >> 8 */
        vpslld  $24, %xmm11, %xmm4                          /* 1: a << 24 */
        vpshufd $0x93, %xmm11, %xmm3                        /* 1: words of a rotated */
        vpternlogd $0x96, %xmm20, %xmm1, %xmm4              /* 1: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm4, %xmm6                         /* 1: words of d rotated */
        vpaddd  %xmm17, %xmm4, %xmm19                       /* 1: c += d */
        vprord  $16, %xmm6, %xmm0                           /* 1: d >>> 16 */
        vpsrld  $7, %xmm19, %xmm16                          /* 1: c >> 7 */
        vpslld  $25, %xmm19, %xmm2                          /* 1: c << 25 */
        vmovdqa64 112(%rsp), %xmm21                         /* 1: y */
        vpshufd $0x39, %xmm19, %xmm8                        /* 1: words of c rotated */
        vpaddd  %xmm15, %xmm3, %xmm9                        /* 1: + x */
        vpternlogd $0x96, %xmm18, %xmm2, %xmm16             /* 1: b = (b ^ c) >>> 7 */
        vpaddd  %xmm16, %xmm9, %xmm12                       /* 1: a += b + x */
        vprord  $12, %xmm16, %xmm14                         /* 1: b >>> 12 */
        vpsrld  $16, %xmm12, %xmm13                         /* 1: a >> 16 */
        vpslld  $16, %xmm12, %xmm5                          /* 1: a << 16 */
        vpternlogd $0x96, %xmm0, %xmm13, %xmm5              /* 1: d = (d ^ a) >>> 16 */
        vpaddd  %xmm8, %xmm5, %xmm10                        /* 1: c += d */
        vpsrld  $12, %xmm10, %xmm7                          /* 1: c >> 12 */
        vpslld  $20, %xmm10, %xmm11                         /* 1: c << 20 */
        vprord  $8, %xmm5, %xmm20                           /* 1: d >>> 8 */
        vmovdqa 128(%rsp), %xmm1                            /* 2: x */
        vpaddd  %xmm21, %xmm12, %xmm17                      /* 1: + y */
        vpternlogd $0x96, %xmm14, %xmm7, %xmm11             /* 1: b = (b ^ c) >>> 12 */
        vpaddd  %xmm11, %xmm17, %xmm4                       /* 1: a += b + y */
        vpsrld  $8, %xmm4, %xmm6                            /* 1: a >> 8 */
        vpslld  $24, %xmm4, %xmm19                          /* 1: a << 24 */
        vprord  $7, %xmm11, %xmm3                           /* 1: b >>> 7 */
        vmovdqa 144(%rsp), %xmm15                           /* 2: y */
        nop
        vpternlogd $0x96, %xmm20, %xmm6, %xmm19             /* 1: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm19, %xmm18                      /* 1: c += d */
        vpshufd $0x4e, %xmm19, %xmm2                        /* 1: words of d rotated */
        vpsrld  $7, %xmm18, %xmm9                           /* 1: c >> 7 */
        vpslld  $25, %xmm18, %xmm16                         /* 1: c << 25 */
        vpshufd $0x93, %xmm18, %xmm0                        /* 1: words of c rotated */
        vprord  $16, %xmm2, %xmm13                          /* 2: d >>> 16 */
        vpternlogd $0x96, %xmm3, %xmm16, %xmm9              /* 1: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm4, %xmm8                         /* 1: words of a rotated */
        vpaddd  %xmm1, %xmm8, %xmm5                         /* 2: + x */
        vpaddd  %xmm9, %xmm5, %xmm12                        /* 2: a += b + x */
        /* ---- Round 2 ---- */
        vpslld  $16, %xmm12, %xmm21                         /* 2: a << 16 */
        vpsrld  $16, %xmm12, %xmm14                         /* 2: a >> 16 */
        vpternlogd $0x96, %xmm13, %xmm14, %xmm21            /* 2: d = (d ^ a) >>> 16 */
        vpaddd  %xmm0, %xmm21, %xmm7                        /* 2: c += d */
        vprord  $8, %xmm21, %xmm17                          /* 2: d >>> 8 */
        vpsrld  $12, %xmm7, %xmm11                          /* 2: c >> 12 */
        vpslld  $20, %xmm7, %xmm20                          /* 2: c << 20 */
        vmovdqa 160(%rsp), %xmm6                            /* 2: x */
        vpaddd  %xmm15, %xmm12, %xmm10                      /* 2: + y */
        vprord  $12, %xmm9, %xmm19                          /* 2: b >>> 12 */
        vpternlogd $0x96, %xmm19, %xmm11, %xmm20            /* 2: b = (b ^ c) >>> 12 */
        vpaddd  %xmm20, %xmm10, %xmm18                      /* 2: a += b + y */
        vprord  $7, %xmm20, %xmm2                           /* 2: b >>> 7 */
        vpsrld  $8, %xmm18, %xmm3                           /* 2: a >> 8 */
        vpslld  $24, %xmm18, %xmm16                         /* 2: a << 24 */
        vpshufd $0x93, %xmm18, %xmm4                        /* 2: words of a rotated */
        vpternlogd $0x96, %xmm17, %xmm3, %xmm16             /* 2: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm16, %xmm8                        /* 2: words of d rotated */
        vpaddd  %xmm7, %xmm16, %xmm1                        /* 2: c += d */
        vprord  $16, %xmm8, %xmm5                           /* 2: d >>> 16 */
        vpsrld  $7, %xmm1, %xmm13                           /* 2: c >> 7 */
        vpslld  $25, %xmm1, %xmm14                          /* 2: c << 25 */
        vmovdqa 176(%rsp), %xmm0                            /* 2: y */
        vpshufd $0x39, %xmm1, %xmm21                        /* 2: words of c rotated */
        vpaddd  %xmm6, %xmm4, %xmm12                        /* 2: + x */
        vpternlogd $0x96, %xmm2, %xmm14, %xmm13             /* 2: b = (b ^ c) >>> 7 */
        vpaddd  %xmm13, %xmm12, %xmm15                      /* 2: a += b + x */
        vprord  $12, %xmm13, %xmm9                          /* 2: b >>> 12 */
        vpsrld  $16, %xmm15, %xmm19                         /* 2: a >> 16 */
        vpslld  $16, %xmm15, %xmm11                         /* 2: a << 16 */
        vpternlogd $0x96, %xmm5, %xmm19, %xmm11             /* 2: d = (d ^ a) >>> 16 */
        vpaddd  %xmm21, %xmm11, %xmm10                      /* 2: c += d */
        vpsrld  $12, %xmm10, %xmm20                         /* 2: c >> 12 */
        vpslld  $20, %xmm10, %xmm18                         /* 2: c << 20 */
        vprord  $8, %xmm11, %xmm17                          /* 2: d >>> 8 */
        vmovdqa 192(%rsp), %xmm3                            /* 3: x */
        vpaddd  %xmm0, %xmm15, %xmm7                        /* 2: + y */
        vpternlogd $0x96, %xmm9, %xmm20, %xmm18             /* 2: b = (b ^ c) >>> 12 */
        vpaddd  %xmm18, %xmm7, %xmm16                       /* 2: a += b + y */
        vpsrld  $8, %xmm16, %xmm8                           /* 2: a >> 8 */
        vpslld  $24, %xmm16, %xmm1                          /* 2: a << 24 */
        vprord  $7, %xmm18, %xmm4                           /* 2: b >>> 7 */
        vmovdqa 208(%rsp), %xmm6                            /* 3: y */
        nop
        vpternlogd $0x96, %xmm17, %xmm8, %xmm1              /* 2: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm1, %xmm2                        /* 2: c += d */
        vpshufd $0x4e, %xmm1, %xmm14                        /* 2: words of d rotated */
        vpsrld  $7, %xmm2, %xmm12                           /* 2: c >> 7 */
        vpslld  $25, %xmm2, %xmm13                          /* 2: c << 25 */
        vpshufd $0x93, %xmm2, %xmm5                         /* 2: words of c rotated */
        vprord  $16, %xmm14, %xmm19                         /* 3: d >>> 16 */
        vpternlogd $0x96, %xmm4, %xmm13, %xmm12             /* 2: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm16, %xmm21                       /* 2: words of a rotated */
        vpaddd  %xmm3, %xmm21, %xmm11                       /* 3: + x */
        vpaddd  %xmm12, %xmm11, %xmm15                      /* 3: a += b + x */
        /* ---- Round 3 ---- */
        vpslld  $16, %xmm15, %xmm0                          /* 3: a << 16 */
        vpsrld  $16, %xmm15, %xmm9                          /* 3: a >> 16 */
        vpternlogd $0x96, %xmm19, %xmm9, %xmm0              /* 3: d = (d ^ a) >>> 16 */
        vpaddd  %xmm5, %xmm0, %xmm20                        /* 3: c += d */
        vprord  $8, %xmm0, %xmm7                            /* 3: d >>> 8 */
        vpsrld  $12, %xmm20, %xmm18                         /* 3: c >> 12 */
        vpslld  $20, %xmm20, %xmm17                         /* 3: c << 20 */
        vmovdqa 224(%rsp), %xmm8                            /* 3: x */
        vpaddd  %xmm6, %xmm15, %xmm10                       /* 3: + y */
        vprord  $12, %xmm12, %xmm1                          /* 3: b >>> 12 */
        vpternlogd $0x96, %xmm1, %xmm18, %xmm17             /* 3: b = (b ^ c) >>> 12 */
        vpaddd  %xmm17, %xmm10, %xmm2                       /* 3: a += b + y */
        vprord  $7, %xmm17, %xmm14                          /* 3: b >>> 7 */
        vpsrld  $8, %xmm2, %xmm4                            /* 3: a >> 8 */
        vpslld  $24, %xmm2, %xmm13                          /* 3: a << 24 */
        vpshufd $0x93, %xmm2, %xmm16                        /* 3: words of a rotated */
        vpternlogd $0x96, %xmm7, %xmm4, %xmm13              /* 3: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm13, %xmm21                       /* 3: words of d rotated */
        vpaddd  %xmm20, %xmm13, %xmm3                       /* 3: c += d */
        vprord  $16, %xmm21, %xmm11                         /* 3: d >>> 16 */
        vpsrld  $7, %xmm3, %xmm19                           /* 3: c >> 7 */
        vpslld  $25, %xmm3, %xmm9                           /* 3: c << 25 */
        vmovdqa 240(%rsp), %xmm5                            /* 3: y */
        vpshufd $0x39, %xmm3, %xmm0                         /* 3: words of c rotated */
        vpaddd  %xmm8, %xmm16, %xmm15                       /* 3: + x */
        vpternlogd $0x96, %xmm14, %xmm9, %xmm19             /* 3: b = (b ^ c) >>> 7 */
        vpaddd  %xmm19, %xmm15, %xmm6                       /* 3: a += b + x */
        vprord  $12, %xmm19, %xmm12                         /* 3: b >>> 12 */
        vpsrld  $16, %xmm6, %xmm1                           /* 3: a >> 16 */
        vpslld  $16, %xmm6, %xmm18                          /* 3: a << 16 */
        vpternlogd $0x96, %xmm11, %xmm1, %xmm18             /* 3: d = (d ^ a) >>> 16 */
        vpaddd  %xmm0, %xmm18, %xmm10                       /* 3: c += d */
        vpsrld  $12, %xmm10, %xmm17                         /* 3: c >> 12 */
        vpslld  $20, %xmm10, %xmm2                          /* 3: c << 20 */
        vprord  $8, %xmm18, %xmm7                           /* 3: d >>> 8 */
        vmovdqa 256(%rsp), %xmm4                            /* 4: x */
        vpaddd  %xmm5, %xmm6, %xmm20                        /* 3: + y */
        vpternlogd $0x96, %xmm12, %xmm17, %xmm2             /* 3: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm20, %xmm13                       /* 3: a += b + y */
        vpsrld  $8, %xmm13, %xmm21                          /* 3: a >> 8 */
        vpslld  $24, %xmm13, %xmm3                          /* 3: a << 24 */
        vprord  $7, %xmm2, %xmm16                           /* 3: b >>> 7 */
        vmovdqa 272(%rsp), %xmm8                            /* 4: y */
        nop
        vpternlogd $0x96, %xmm7, %xmm21, %xmm3              /* 3: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm3, %xmm14                       /* 3: c += d */
        vpshufd $0x4e, %xmm3, %xmm9                         /* 3: words of d rotated */
        vpsrld  $7, %xmm14, %xmm15                          /* 3: c >> 7 */
        vpslld  $25, %xmm14, %xmm19                         /* 3: c << 25 */
        vpshufd $0x93, %xmm14, %xmm11                       /* 3: words of c rotated */
        vprord  $16, %xmm9, %xmm1                           /* 4: d >>> 16 */
        vpternlogd $0x96, %xmm16, %xmm19, %xmm15            /* 3: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm13, %xmm0                        /* 3: words of a rotated */
        vpaddd  %xmm4, %xmm0, %xmm18                        /* 4: + x */
        vpaddd  %xmm15, %xmm18, %xmm6                       /* 4: a += b + x */
        /* ---- Round 4 ---- */
        vpslld  $16, %xmm6, %xmm5                           /* 4: a << 16 */
        vpsrld  $16, %xmm6, %xmm12                          /* 4: a >> 16 */
        vpternlogd $0x96, %xmm1, %xmm12, %xmm5              /* 4: d = (d ^ a) >>> 16 */
        vpaddd  %xmm11, %xmm5, %xmm17                       /* 4: c += d */
        vprord  $8, %xmm5, %xmm20                           /* 4: d >>> 8 */
        vpsrld  $12, %xmm17, %xmm2                          /* 4: c >> 12 */
        vpslld  $20, %xmm17, %xmm7                          /* 4: c << 20 */
        vmovdqa64 288(%rsp), %xmm21                         /* 4: x */
        vpaddd  %xmm8, %xmm6, %xmm10                        /* 4: + y */
        vprord  $12, %xmm15, %xmm3                          /* 4: b >>> 12 */
        vpternlogd $0x96, %xmm3, %xmm2, %xmm7               /* 4: b = (b ^ c) >>> 12 */
        vpaddd  %xmm7, %xmm10, %xmm14                       /* 4: a += b + y */
        vprord  $7, %xmm7, %xmm9                            /* 4: b >>> 7 */
        vpsrld  $8, %xmm14, %xmm16                          /* 4: a >> 8 */
        vpslld  $24, %xmm14, %xmm19                         /* 4: a << 24 */
        vpshufd $0x93, %xmm14, %xmm13                       /* 4: words of a rotated */
        vpternlogd $0x96, %xmm20, %xmm16, %xmm19            /* 4: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm19, %xmm0                        /* 4: words of d rotated */
        vpaddd  %xmm17, %xmm19, %xmm4                       /* 4: c += d */
        vprord  $16, %xmm0, %xmm18                          /* 4: d >>> 16 */
        vpsrld  $7, %xmm4, %xmm1                            /* 4: c >> 7 */
        vpslld  $25, %xmm4, %xmm12                          /* 4: c << 25 */
        vmovdqa 304(%rsp), %xmm11                           /* 4: y */
        vpshufd $0x39, %xmm4, %xmm5                         /* 4: words of c rotated */
        vpaddd  %xmm21, %xmm13, %xmm6                       /* 4: + x */
        vpternlogd $0x96, %xmm9, %xmm12, %xmm1              /* 4: b = (b ^ c) >>> 7 */
        vpaddd  %xmm1, %xmm6, %xmm8                         /* 4: a += b + x */
        vprord  $12, %xmm1, %xmm15                          /* 4: b >>> 12 */
        vpsrld  $16, %xmm8, %xmm3                           /* 4: a >> 16 */
        vpslld  $16, %xmm8, %xmm2                           /* 4: a << 16 */
        vpternlogd $0x96, %xmm18, %xmm3, %xmm2              /* 4: d = (d ^ a) >>> 16 */
        vpaddd  %xmm5, %xmm2, %xmm10                        /* 4: c += d */
        vpsrld  $12, %xmm10, %xmm7                          /* 4: c >> 12 */
        vpslld  $20, %xmm10, %xmm14                         /* 4: c << 20 */
        vprord  $8, %xmm2, %xmm20                           /* 4: d >>> 8 */
        vmovdqa64 320(%rsp), %xmm16                         /* 5: x */
        vpaddd  %xmm11, %xmm8, %xmm17                       /* 4: + y */
        vpternlogd $0x96, %xmm15, %xmm7, %xmm14             /* 4: b = (b ^ c) >>> 12 */
        vpaddd  %xmm14, %xmm17, %xmm19                      /* 4: a += b + y */
        vpsrld  $8, %xmm19, %xmm0                           /* 4: a >> 8 */
        vpslld  $24, %xmm19, %xmm4                          /* 4: a << 24 */
        vprord  $7, %xmm14, %xmm13                          /* 4: b >>> 7 */
        vmovdqa64 336(%rsp), %xmm21                         /* 5: y */
        nop
        vpternlogd $0x96, %xmm20, %xmm0, %xmm4              /* 4: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm4, %xmm9                        /* 4: c += d */
        vpshufd $0x4e, %xmm4, %xmm12                        /* 4: words of d rotated */
        vpsrld  $7, %xmm9, %xmm6                            /* 4: c >> 7 */
        vpslld  $25, %xmm9, %xmm1                           /* 4: c << 25 */
        vpshufd $0x93, %xmm9, %xmm18                        /* 4: words of c rotated */
        vprord  $16, %xmm12, %xmm3                          /* 5: d >>> 16 */
        vpternlogd $0x96, %xmm13, %xmm1, %xmm6              /* 4: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm19, %xmm5                        /* 4: words of a rotated */
        vpaddd  %xmm16, %xmm5, %xmm2                        /* 5: + x */
        vpaddd  %xmm6, %xmm2, %xmm8                         /* 5: a += b + x */
        /* ---- Round 5 ---- */
        vpslld  $16, %xmm8, %xmm11                          /* 5: a << 16 */
        vpsrld  $16, %xmm8, %xmm15                          /* 5: a >> 16 */
        vpternlogd $0x96, %xmm3, %xmm15, %xmm11             /* 5: d = (d ^ a) >>> 16 */
        vpaddd  %xmm18, %xmm11, %xmm7                       /* 5: c += d */
        vprord  $8, %xmm11, %xmm17                          /* 5: d >>> 8 */
        vpsrld  $12, %xmm7, %xmm14                          /* 5: c >> 12 */
        vpslld  $20, %xmm7, %xmm20                          /* 5: c << 20 */
        vmovdqa 352(%rsp), %xmm0                            /* 5: x */
        vpaddd  %xmm21, %xmm8, %xmm10                       /* 5: + y */
        vprord  $12, %xmm6, %xmm4                           /* 5: b >>> 12 */
        vpternlogd $0x96, %xmm4, %xmm14, %xmm20             /* 5: b = (b ^ c) >>> 12 */
        vpaddd  %xmm20, %xmm10, %xmm9                       /* 5: a += b + y */
        vprord  $7, %xmm20, %xmm12                          /* 5: b >>> 7 */
        vpsrld  $8, %xmm9, %xmm13                           /* 5: a >> 8 */
        vpslld  $24, %xmm9, %xmm1                           /* 5: a << 24 */
        vpshufd $0x93, %xmm9, %xmm19                        /* 5: words of a rotated */
        vpternlogd $0x96, %xmm17, %xmm13, %xmm1             /* 5: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm1, %xmm5                         /* 5: words of d rotated */
        vpaddd  %xmm7, %xmm1, %xmm16                        /* 5: c += d */
        vprord  $16, %xmm5, %xmm2                           /* 5: d >>> 16 */
        vpsrld  $7, %xmm16, %xmm3                           /* 5: c >> 7 */
        vpslld  $25, %xmm16, %xmm15                         /* 5: c << 25 */
        vmovdqa64 368(%rsp), %xmm18                         /* 5: y */
        vpshufd $0x39, %xmm16, %xmm11                       /* 5: words of c rotated */
        vpaddd  %xmm0, %xmm19, %xmm8                        /* 5: + x */
        vpternlogd $0x96, %xmm12, %xmm15, %xmm3             /* 5: b = (b ^ c) >>> 7 */
        vpaddd  %xmm3, %xmm8, %xmm21                        /* 5: a += b + x */
        vprord  $12, %xmm3, %xmm6                           /* 5: b >>> 12 */
        vpsrld  $16, %xmm21, %xmm4                          /* 5: a >> 16 */
        vpslld  $16, %xmm21, %xmm14                         /* 5: a << 16 */
        vpternlogd $0x96, %xmm2, %xmm4, %xmm14              /* 5: d = (d ^ a) >>> 16 */
        vpaddd  %xmm11, %xmm14, %xmm10                      /* 5: c += d */
        vpsrld  $12, %xmm10, %xmm20                         /* 5: c >> 12 */
        vpslld  $20, %xmm10, %xmm9                          /* 5: c << 20 */
        vprord  $8, %xmm14, %xmm17                          /* 5: d >>> 8 */
        vmovdqa 384(%rsp), %xmm13                           /* 6: x */
        vpaddd  %xmm18, %xmm21, %xmm7                       /* 5: + y */
        vpternlogd $0x96, %xmm6, %xmm20, %xmm9              /* 5: b = (b ^ c) >>> 12 */
        vpaddd  %xmm9, %xmm7, %xmm1                         /* 5: a += b + y */
        vpsrld  $8, %xmm1, %xmm5                            /* 5: a >> 8 */
        vpslld  $24, %xmm1, %xmm16                          /* 5: a << 24 */
        vprord  $7, %xmm9, %xmm19                           /* 5: b >>> 7 */
        vmovdqa 400(%rsp), %xmm0                            /* 6: y */
        nop
        vpternlogd $0x96, %xmm17, %xmm5, %xmm16             /* 5: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm16, %xmm12                      /* 5: c += d */
        vpshufd $0x4e, %xmm16, %xmm15                       /* 5: words of d rotated */
        vpsrld  $7, %xmm12, %xmm8                           /* 5: c >> 7 */
        vpslld  $25, %xmm12, %xmm3                          /* 5: c << 25 */
        vpshufd $0x93, %xmm12, %xmm2                        /* 5: words of c rotated */
        vprord  $16, %xmm15, %xmm4                          /* 6: d >>> 16 */
        vpternlogd $0x96, %xmm19, %xmm3, %xmm8              /* 5: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm1, %xmm11                        /* 5: words of a rotated */
        vpaddd  %xmm13, %xmm11, %xmm14                      /* 6: + x */
        vpaddd  %xmm8, %xmm14, %xmm21                       /* 6: a += b + x */
        /* ---- Round 6 ---- */
        vpslld  $16, %xmm21, %xmm18                         /* 6: a << 16 */
        vpsrld  $16, %xmm21, %xmm6                          /* 6: a >> 16 */
        vpternlogd $0x96, %xmm4, %xmm6, %xmm18              /* 6: d = (d ^ a) >>> 16 */
        vpaddd  %xmm2, %xmm18, %xmm20                       /* 6: c += d */
        vprord  $8, %xmm18, %xmm7                           /* 6: d >>> 8 */
        vpsrld  $12, %xmm20, %xmm9                          /* 6: c >> 12 */
        vpslld  $20, %xmm20, %xmm17                         /* 6: c << 20 */
        vmovdqa 416(%rsp), %xmm5                            /* 6: x */
        vpaddd  %xmm0, %xmm21, %xmm10                       /* 6: + y */
        vprord  $12, %xmm8, %xmm16                          /* 6: b >>> 12 */
        vpternlogd $0x96, %xmm16, %xmm9, %xmm17             /* 6: b = (b ^ c) >>> 12 */
        vpaddd  %xmm17, %xmm10, %xmm12                      /* 6: a += b + y */
        vprord  $7, %xmm17, %xmm15                          /* 6: b >>> 7 */
        vpsrld  $8, %xmm12, %xmm19                          /* 6: a >> 8 */
        vpslld  $24, %xmm12, %xmm3                          /* 6: a << 24 */
        vpshufd $0x93, %xmm12, %xmm1                        /* 6: words of a rotated */
        vpternlogd $0x96, %xmm7, %xmm19, %xmm3              /* 6: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm3, %xmm11                        /* 6: words of d rotated */
        vpaddd  %xmm20, %xmm3, %xmm13                       /* 6: c += d */
        vprord  $16, %xmm11, %xmm14                         /* 6: d >>> 16 */
        vpsrld  $7, %xmm13, %xmm4                           /* 6: c >> 7 */
        vpslld  $25, %xmm13, %xmm6                          /* 6: c << 25 */
        vmovdqa 432(%rsp), %xmm2                            /* 6: y */
        vpshufd $0x39, %xmm13, %xmm18                       /* 6: words of c rotated */
        vpaddd  %xmm5, %xmm1, %xmm21                        /* 6: + x */
        vpternlogd $0x96, %xmm15, %xmm6, %xmm4              /* 6: b = (b ^ c) >>> 7 */
        vpaddd  %xmm4, %xmm21, %xmm0                        /* 6: a += b + x */
        vprord  $12, %xmm4, %xmm8                           /* 6: b >>> 12 */
        vpsrld  $16, %xmm0, %xmm16                          /* 6: a >> 16 */
        vpslld  $16, %xmm0, %xmm9                           /* 6: a << 16 */
        vpternlogd $0x96, %xmm14, %xmm16, %xmm9             /* 6: d = (d ^ a) >>> 16 */
        vpaddd  %xmm18, %xmm9, %xmm10                       /* 6: c += d */
        vpsrld  $12, %xmm10, %xmm17                         /* 6: c >> 12 */
        vpslld  $20, %xmm10, %xmm12                         /* 6: c << 20 */
        vprord  $8, %xmm9, %xmm7                            /* 6: d >>> 8 */
        vmovdqa64 448(%rsp), %xmm19                         /* 7: x */
        vpaddd  %xmm2, %xmm0, %xmm20                        /* 6: + y */
        vpternlogd $0x96, %xmm8, %xmm17, %xmm12             /* 6: b = (b ^ c) >>> 12 */
        vpaddd  %xmm12, %xmm20, %xmm3                       /* 6: a += b + y */
        vpsrld  $8, %xmm3, %xmm11                           /* 6: a >> 8 */
        vpslld  $24, %xmm3, %xmm13                          /* 6: a << 24 */
        vprord  $7, %xmm12, %xmm1                           /* 6: b >>> 7 */
        vmovdqa 464(%rsp), %xmm5                            /* 7: y */
        nop
        vpternlogd $0x96, %xmm7, %xmm11, %xmm13             /* 6: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm13, %xmm15                      /* 6: c += d */
        vpshufd $0x4e, %xmm13, %xmm6                        /* 6: words of d rotated */
        vpsrld  $7, %xmm15, %xmm21                          /* 6: c >> 7 */
        vpslld  $25, %xmm15, %xmm4                          /* 6: c << 25 */
        vpshufd $0x93, %xmm15, %xmm14                       /* 6: words of c rotated */
        vprord  $16, %xmm6, %xmm16                          /* 7: d >>> 16 */
        vpternlogd $0x96, %xmm1, %xmm4, %xmm21              /* 6: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm3, %xmm18                        /* 6: words of a rotated */
        vpaddd  %xmm19, %xmm18, %xmm9                       /* 7: + x */
        vpaddd  %xmm21, %xmm9, %xmm0                        /* 7: a += b + x */
        /* ---- Round 7 ---- */
        vpslld  $16, %xmm0, %xmm2                           /* 7: a << 16 */
        vpsrld  $16, %xmm0, %xmm8                           /* 7: a >> 16 */
        vpternlogd $0x96, %xmm16, %xmm8, %xmm2              /* 7: d = (d ^ a) >>> 16 */
        vpaddd  %xmm14, %xmm2, %xmm17                       /* 7: c += d */
        vprord  $8, %xmm2, %xmm20                           /* 7: d >>> 8 */
        vpsrld  $12, %xmm17, %xmm12                         /* 7: c >> 12 */
        vpslld  $20, %xmm17, %xmm7                          /* 7: c << 20 */
        vmovdqa 480(%rsp), %xmm11                           /* 7: x */
        vpaddd  %xmm5, %xmm0, %xmm10                        /* 7: + y */
        vprord  $12, %xmm21, %xmm13                         /* 7: b >>> 12 */
        vpternlogd $0x96, %xmm13, %xmm12, %xmm7             /* 7: b = (b ^ c) >>> 12 */
        vpaddd  %xmm7, %xmm10, %xmm15                       /* 7: a += b + y */
        vprord  $7, %xmm7, %xmm6                            /* 7: b >>> 7 */
        vpsrld  $8, %xmm15, %xmm1                           /* 7: a >> 8 */
        vpslld  $24, %xmm15, %xmm4                          /* 7: a << 24 */
        vpshufd $0x93, %xmm15, %xmm3                        /* 7: words of a rotated */
        vpternlogd $0x96, %xmm20, %xmm1, %xmm4              /* 7: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm4, %xmm18                        /* 7: words of d rotated */
        vpaddd  %xmm17, %xmm4, %xmm19                       /* 7: c += d */
        vprord  $16, %xmm18, %xmm9                          /* 7: d >>> 16 */
        vpsrld  $7, %xmm19, %xmm16                          /* 7: c >> 7 */
        vpslld  $25, %xmm19, %xmm8                          /* 7: c << 25 */
        vmovdqa 496(%rsp), %xmm14                           /* 7: y */
        vpshufd $0x39, %xmm19, %xmm2                        /* 7: words of c rotated */
        vpaddd  %xmm11, %xmm3, %xmm0                        /* 7: + x */
        vpternlogd $0x96, %xmm6, %xmm8, %xmm16              /* 7: b = (b ^ c) >>> 7 */
        vpaddd  %xmm16, %xmm0, %xmm5                        /* 7: a += b + x */
        vprord  $12, %xmm16, %xmm21                         /* 7: b >>> 12 */
        vpsrld  $16, %xmm5, %xmm13                          /* 7: a >> 16 */
        vpslld  $16, %xmm5, %xmm12                          /* 7: a << 16 */
        vpternlogd $0x96, %xmm9, %xmm13, %xmm12             /* 7: d = (d ^ a) >>> 16 */
        vpaddd  %xmm2, %xmm12, %xmm10                       /* 7: c += d */
        vpsrld  $12, %xmm10, %xmm7                          /* 7: c >> 12 */
        vpslld  $20, %xmm10, %xmm15                         /* 7: c << 20 */
        vprord  $8, %xmm12, %xmm20                          /* 7: d >>> 8 */
        vmovdqa 512(%rsp), %xmm1                            /* 8: x */
        vpaddd  %xmm14, %xmm5, %xmm17                       /* 7: + y */
        vpternlogd $0x96, %xmm21, %xmm7, %xmm15             /* 7: b = (b ^ c) >>> 12 */
        vpaddd  %xmm15, %xmm17, %xmm4                       /* 7: a += b + y */
        vpsrld  $8, %xmm4, %xmm18                           /* 7: a >> 8 */
        vpslld  $24, %xmm4, %xmm19                          /* 7: a << 24 */
        vprord  $7, %xmm15, %xmm3                           /* 7: b >>> 7 */
        vmovdqa 528(%rsp), %xmm11                           /* 8: y */
        nop
        vpternlogd $0x96, %xmm20, %xmm18, %xmm19            /* 7: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm19, %xmm6                       /* 7: c += d */
        vpshufd $0x4e, %xmm19, %xmm8                        /* 7: words of d rotated */
        vpsrld  $7, %xmm6, %xmm0                            /* 7: c >> 7 */
        vpslld  $25, %xmm6, %xmm16                          /* 7: c << 25 */
        vpshufd $0x93, %xmm6, %xmm9                         /* 7: words of c rotated */
        vprord  $16, %xmm8, %xmm13                          /* 8: d >>> 16 */
        vpternlogd $0x96, %xmm3, %xmm16, %xmm0              /* 7: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm4, %xmm2                         /* 7: words of a rotated */
        vpaddd  %xmm1, %xmm2, %xmm12                        /* 8: + x */
        vpaddd  %xmm0, %xmm12, %xmm5                        /* 8: a += b + x */
        /* ---- Round 8 ---- */
        vpslld  $16, %xmm5, %xmm14                          /* 8: a << 16 */
        vpsrld  $16, %xmm5, %xmm21                          /* 8: a >> 16 */
        vpternlogd $0x96, %xmm13, %xmm21, %xmm14            /* 8: d = (d ^ a) >>> 16 */
        vpaddd  %xmm9, %xmm14, %xmm7                        /* 8: c += d */
        vprord  $8, %xmm14, %xmm17                          /* 8: d >>> 8 */
        vpsrld  $12, %xmm7, %xmm15                          /* 8: c >> 12 */
        vpslld  $20, %xmm7, %xmm20                          /* 8: c << 20 */
        vmovdqa64 544(%rsp), %xmm18                         /* 8: x */
        vpaddd  %xmm11, %xmm5, %xmm10                       /* 8: + y */
        vprord  $12, %xmm0, %xmm19                          /* 8: b >>> 12 */
        vpternlogd $0x96, %xmm19, %xmm15, %xmm20            /* 8: b = (b ^ c) >>> 12 */
        vpaddd  %xmm20, %xmm10, %xmm6                       /* 8: a += b + y */
        vprord  $7, %xmm20, %xmm8                           /* 8: b >>> 7 */
        vpsrld  $8, %xmm6, %xmm3                            /* 8: a >> 8 */
        vpslld  $24, %xmm6, %xmm16                          /* 8: a << 24 */
        vpshufd $0x93, %xmm6, %xmm4                         /* 8: words of a rotated */
        vpternlogd $0x96, %xmm17, %xmm3, %xmm16             /* 8: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm16, %xmm2                        /* 8: words of d rotated */
        vpaddd  %xmm7, %xmm16, %xmm1                        /* 8: c += d */
        vprord  $16, %xmm2, %xmm12                          /* 8: d >>> 16 */
        vpsrld  $7, %xmm1, %xmm13                           /* 8: c >> 7 */
        vpslld  $25, %xmm1, %xmm21                          /* 8: c << 25 */
        vmovdqa 560(%rsp), %xmm9                            /* 8: y */
        vpshufd $0x39, %xmm1, %xmm14                        /* 8: words of c rotated */
        vpaddd  %xmm18, %xmm4, %xmm5                        /* 8: + x */
        vpternlogd $0x96, %xmm8, %xmm21, %xmm13             /* 8: b = (b ^ c) >>> 7 */
        vpaddd  %xmm13, %xmm5, %xmm11                       /* 8: a += b + x */
        vprord  $12, %xmm13, %xmm0                          /* 8: b >>> 12 */
        vpsrld  $16, %xmm11, %xmm19                         /* 8: a >> 16 */
        vpslld  $16, %xmm11, %xmm15                         /* 8: a << 16 */
        vpternlogd $0x96, %xmm12, %xmm19, %xmm15            /* 8: d = (d ^ a) >>> 16 */
        vpaddd  %xmm14, %xmm15, %xmm10                      /* 8: c += d */
        vpsrld  $12, %xmm10, %xmm20                         /* 8: c >> 12 */
        vpslld  $20, %xmm10, %xmm6                          /* 8: c << 20 */
        vprord  $8, %xmm15, %xmm17                          /* 8: d >>> 8 */
        vmovdqa 576(%rsp), %xmm3                            /* 9: x */
        vmovdqu64 0(%rsi), %zmm30                           /* the next block */
        vpaddd  %xmm9, %xmm11, %xmm7                        /* 8: + y */
        vpternlogd $0x96, %xmm0, %xmm20, %xmm6              /* 8: b = (b ^ c) >>> 12 */
        vpaddd  %xmm6, %xmm7, %xmm16                        /* 8: a += b + y */
        vpsrld  $8, %xmm16, %xmm2                           /* 8: a >> 8 */
        vpslld  $24, %xmm16, %xmm1                          /* 8: a << 24 */
        vprord  $7, %xmm6, %xmm4                            /* 8: b >>> 7 */
        vmovdqa64 592(%rsp), %xmm18                         /* 9: y */
        nop
        vpternlogd $0x96, %xmm17, %xmm2, %xmm1              /* 8: d = (d ^ a) >>> 8 */
        vpaddd  %xmm10, %xmm1, %xmm8                        /* 8: c += d */
        vpshufd $0x4e, %xmm1, %xmm21                        /* 8: words of d rotated */
        vpsrld  $7, %xmm8, %xmm5                            /* 8: c >> 7 */
        vpslld  $25, %xmm8, %xmm13                          /* 8: c << 25 */
        vpshufd $0x93, %xmm8, %xmm12                        /* 8: words of c rotated */
        vprord  $16, %xmm21, %xmm19                         /* 9: d >>> 16 */
        vpternlogd $0x96, %xmm4, %xmm13, %xmm5              /* 8: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm16, %xmm14                       /* 8: words of a rotated */
        vpaddd  %xmm3, %xmm14, %xmm15                       /* 9: + x */
        vpaddd  %xmm5, %xmm15, %xmm11                       /* 9: a += b + x */
        /* ---- Round 9 ---- */
        vpslld  $16, %xmm11, %xmm9                          /* 9: a << 16 */
        vpsrld  $16, %xmm11, %xmm0                          /* 9: a >> 16 */
        vpternlogd $0x96, %xmm19, %xmm0, %xmm9              /* 9: d = (d ^ a) >>> 16 */
        vpaddd  %xmm12, %xmm9, %xmm20                       /* 9: c += d */
        vprord  $8, %xmm9, %xmm7                            /* 9: d >>> 8 */
        vpsrld  $12, %xmm20, %xmm6                          /* 9: c >> 12 */
        vpslld  $20, %xmm20, %xmm17                         /* 9: c << 20 */
        vmovdqa 608(%rsp), %xmm2                            /* 9: x */
        vpaddd  %xmm18, %xmm11, %xmm10                      /* 9: + y */
        vprord  $12, %xmm5, %xmm1                           /* 9: b >>> 12 */
        vpternlogd $0x96, %xmm1, %xmm6, %xmm17              /* 9: b = (b ^ c) >>> 12 */
        vpaddd  %xmm17, %xmm10, %xmm8                       /* 9: a += b + y */
        vprord  $7, %xmm17, %xmm21                          /* 9: b >>> 7 */
        vmovdqa64 FIN_LOCAL(words_blake2s)+0(%rip), %zmm4   /* 0: indices of words */
        vpermd  %zmm30, %zmm4, %zmm13                       /* 0: words */
        vmovdqa64 %zmm13, 0(%rsp)                           /* 0: words stored */
        vpsrld  $8, %xmm8, %xmm16                           /* 9: a >> 8 */
        vpslld  $24, %xmm8, %xmm14                          /* 9: a << 24 */
        vpshufd $0x93, %xmm8, %xmm3                         /* 9: words of a rotated */
        vpternlogd $0x96, %xmm7, %xmm16, %xmm14             /* 9: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm14, %xmm15                       /* 9: words of d rotated */
        vpaddd  %xmm20, %xmm14, %xmm19                      /* 9: c += d */
        vprord  $16, %xmm15, %xmm0                          /* 9: d >>> 16 */
        vpsrld  $7, %xmm19, %xmm12                          /* 9: c >> 7 */
        vpslld  $25, %xmm19, %xmm9                          /* 9: c << 25 */
        vmovdqa 624(%rsp), %xmm11                           /* 9: y */
        vpshufd $0x39, %xmm19, %xmm18                       /* 9: words of c rotated */
        vpaddd  %xmm2, %xmm3, %xmm5                         /* 9: + x */
        vpternlogd $0x96, %xmm21, %xmm9, %xmm12             /* 9: b = (b ^ c) >>> 7 */
        vpaddd  %xmm12, %xmm5, %xmm1                        /* 9: a += b + x */
        vprord  $12, %xmm12, %xmm6                          /* 9: b >>> 12 */
        vpsrld  $16, %xmm1, %xmm10                          /* 9: a >> 16 */
        vpslld  $16, %xmm1, %xmm17                          /* 9: a << 16 */
        vpternlogd $0x96, %xmm0, %xmm10, %xmm17             /* 9: d = (d ^ a) >>> 16 */
        vpaddd  %xmm18, %xmm17, %xmm4                       /* 9: c += d */
        vpsrld  $12, %xmm4, %xmm13                          /* 9: c >> 12 */
        vpslld  $20, %xmm4, %xmm8                           /* 9: c << 20 */
        vprord  $8, %xmm17, %xmm7                           /* 9: d >>> 8 */
        vpaddd  %xmm11, %xmm1, %xmm16                       /* 9: + y */
        vpternlogd $0x96, %xmm6, %xmm13, %xmm8              /* 9: b = (b ^ c) >>> 12 */
        vpaddd  %xmm8, %xmm16, %xmm20                       /* 9: a += b + y */
        vpsrld  $8, %xmm20, %xmm14                          /* 9: a >> 8 */
        vpslld  $24, %xmm20, %xmm15                         /* 9: a << 24 */
        vprord  $7, %xmm8, %xmm19                           /* 9: b >>> 7 */
        nop
        vpternlogd $0x96, %xmm7, %xmm14, %xmm15             /* 9: d = (d ^ a) >>> 8 */
        vpaddd  %xmm4, %xmm15, %xmm3                        /* 9: c += d */
        vpshufd $0x4e, %xmm15, %xmm2                        /* 9: words of d rotated */
        vpsrld  $7, %xmm3, %xmm21                           /* 9: c >> 7 */
        vpslld  $25, %xmm3, %xmm9                           /* 9: c << 25 */
        vpshufd $0x93, %xmm3, %xmm5                         /* 9: words of c rotated */
        vpternlogd $0x96, %xmm19, %xmm9, %xmm21             /* 9: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm20, %xmm12                       /* 9: words of a rotated */
        vpternlogd $0x96, %xmm21, %xmm2, %xmm25             /* h ^= b ^ d */
        vpternlogd $0x96, %xmm12, %xmm5, %xmm26             /* h ^= a ^ c */
        test    %rdx, %rdx
        jne     FIN_LOCAL(block_blake2s)
FIN_LOCAL(done_blake2s):
        vmovdqu64 %xmm26, 0(%rdi)
        vmovdqu64 %xmm25, 16(%rdi)
        vzeroupper
        .cfi_remember_state
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
FIN_LOCAL(nothing_blake2s):
        ret
        .cfi_restore_state
/* Other numbers of rounds: %r10 is the address of a round's words, %r11 counts. */
FIN_LOCAL(any_rounds_blake2s):
        lea     FIN_LOCAL(words_blake2s)(%rip), %r9
        xor     %r10d, %r10d
FIN_LOCAL(permute_blake2s):
        vmovdqa64 (%r9,%r10), %zmm0
        vpermd  %zmm30, %zmm0, %zmm0
        vmovdqa64 %zmm0, (%rsp,%r10)
        add     $64, %r10
        cmp     $640, %r10d
        jne     FIN_LOCAL(permute_blake2s)
        vmovdqa64 %xmm26, %xmm0
        vmovdqa64 %xmm25, %xmm1
        vmovdqa64 %xmm28, %xmm2
        vpxord  %xmm27, %xmm24, %xmm3
        vpaddq  %xmm23, %xmm24, %xmm24
        mov     STATE_ROUNDS(%rdi), %r11
        mov     %rsp, %r10
        lea     640(%rsp), %r9
        test    %r11, %r11
        je      FIN_LOCAL(rounds_done_blake2s)
        .balign 64
FIN_LOCAL(round_blake2s):
        vmovdqa 0(%r10), %xmm4                              /* x */
        vprord  $16, %xmm3, %xmm5                           /* d >>> 16 */
        vmovdqa 16(%r10), %xmm6                             /* y */
        vpaddd  %xmm4, %xmm0, %xmm7                         /* + x */
        vpaddd  %xmm1, %xmm7, %xmm8                         /* a += b + x */
        vpslld  $16, %xmm8, %xmm9                           /* a << 16 */
        vpsrld  $16, %xmm8, %xmm10                          /* a >> 16 */
        vpternlogd $0x96, %xmm5, %xmm10, %xmm9              /* d = (d ^ a) >>> 16 */
        vpaddd  %xmm2, %xmm9, %xmm11                        /* c += d */
        vprord  $8, %xmm9, %xmm12                           /* d >>> 8 */
        vpsrld  $12, %xmm11, %xmm13                         /* c >> 12 */
        vpslld  $20, %xmm11, %xmm14                         /* c << 20 */
        vmovdqa 32(%r10), %xmm15                            /* x */
        vpaddd  %xmm6, %xmm8, %xmm16                        /* + y */
        vprord  $12, %xmm1, %xmm17                          /* b >>> 12 */
        vpternlogd $0x96, %xmm17, %xmm13, %xmm14            /* b = (b ^ c) >>> 12 */
        vpaddd  %xmm14, %xmm16, %xmm18                      /* a += b + y */
        vprord  $7, %xmm14, %xmm19                          /* b >>> 7 */
        vpsrld  $8, %xmm18, %xmm20                          /* a >> 8 */
        vpslld  $24, %xmm18, %xmm21                         /* a << 24 */
        vpshufd $0x93, %xmm18, %xmm4                        /* words of a rotated */
        vpternlogd $0x96, %xmm12, %xmm20, %xmm21            /* d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm21, %xmm7                        /* words of d rotated */
        vpaddd  %xmm11, %xmm21, %xmm5                       /* c += d */
        vprord  $16, %xmm7, %xmm10                          /* d >>> 16 */
        vpsrld  $7, %xmm5, %xmm9                            /* c >> 7 */
        vpslld  $25, %xmm5, %xmm8                           /* c << 25 */
        vmovdqa 48(%r10), %xmm6                             /* y */
        vpshufd $0x39, %xmm5, %xmm17                        /* words of c rotated */
        vpaddd  %xmm15, %xmm4, %xmm13                       /* + x */
        vpternlogd $0x96, %xmm19, %xmm8, %xmm9              /* b = (b ^ c) >>> 7 */
        vpaddd  %xmm9, %xmm13, %xmm16                       /* a += b + x */
        vprord  $12, %xmm9, %xmm14                          /* b >>> 12 */
        vpsrld  $16, %xmm16, %xmm18                         /* a >> 16 */
        vpslld  $16, %xmm16, %xmm12                         /* a << 16 */
        vpternlogd $0x96, %xmm10, %xmm18, %xmm12            /* d = (d ^ a) >>> 16 */
        vpaddd  %xmm17, %xmm12, %xmm20                      /* c += d */
        vpsrld  $12, %xmm20, %xmm11                         /* c >> 12 */
        vpslld  $20, %xmm20, %xmm21                         /* c << 20 */
        vprord  $8, %xmm12, %xmm7                           /* d >>> 8 */
        vpaddd  %xmm6, %xmm16, %xmm5                        /* + y */
        vpternlogd $0x96, %xmm14, %xmm11, %xmm21            /* b = (b ^ c) >>> 12 */
        vpaddd  %xmm21, %xmm5, %xmm4                        /* a += b + y */
        vpsrld  $8, %xmm4, %xmm15                           /* a >> 8 */
        vpslld  $24, %xmm4, %xmm19                          /* a << 24 */
        vprord  $7, %xmm21, %xmm8                           /* b >>> 7 */
        vpternlogd $0x96, %xmm7, %xmm15, %xmm19             /* d = (d ^ a) >>> 8 */
        vpaddd  %xmm20, %xmm19, %xmm13                      /* c += d */
        vpshufd $0x4e, %xmm19, %xmm9                        /* words of d rotated */
        vpsrld  $7, %xmm13, %xmm10                          /* c >> 7 */
        vpslld  $25, %xmm13, %xmm18                         /* c << 25 */
        vpshufd $0x93, %xmm13, %xmm17                       /* words of c rotated */
        vpternlogd $0x96, %xmm8, %xmm18, %xmm10             /* b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm4, %xmm12                        /* words of a rotated */
        vmovdqa %xmm12, %xmm0
        vmovdqa %xmm10, %xmm1
        vmovdqa64 %xmm17, %xmm2
        vmovdqa %xmm9, %xmm3
        add     $64, %r10
        cmp     %r9, %r10
        cmove   %rsp, %r10
        dec     %r11
        jne     FIN_LOCAL(round_blake2s)
FIN_LOCAL(rounds_done_blake2s):
        vpternlogd $0x96, %xmm1, %xmm3, %xmm25
        vpternlogd $0x96, %xmm0, %xmm2, %xmm26
        add     %rcx, %rsi
        dec     %rdx
        je      FIN_LOCAL(done_blake2s)
        vmovdqu 0(%rsi), %xmm0
        vmovdqu 16(%rsi), %xmm1
        vmovdqu 32(%rsi), %xmm2
        vmovdqu 48(%rsi), %xmm3
        vinserti128 $1, %xmm1, %ymm0, %ymm0
        vinserti128 $1, %xmm3, %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm0, %zmm30
        jmp     FIN_LOCAL(any_rounds_blake2s)
        .cfi_endproc
        FIN_END(FIN_KERNEL)
#undef FIN_KERNEL
#endif

#if FIN_HAS_COMPRESSION(BLAKE3)
        FIN_CONSTANTS
/* Words of the rounds: x, y, then x, y of the diagonals. */
        .balign 64
FIN_LOCAL(words_blake3):
        .long   0, 2, 4, 6, 1, 3, 5, 7, 14, 8, 10, 12, 15, 9, 11, 13
        .long   2, 3, 7, 4, 6, 10, 0, 13, 15, 1, 12, 9, 8, 11, 5, 14
        .long   3, 10, 13, 7, 4, 12, 2, 14, 8, 6, 9, 11, 1, 5, 0, 15
        .long   10, 12, 14, 13, 7, 9, 3, 15, 1, 4, 11, 5, 6, 0, 2, 8
        .long   12, 9, 15, 14, 13, 11, 10, 8, 6, 7, 5, 0, 4, 2, 3, 1
        .long   9, 11, 8, 15, 14, 5, 12, 1, 4, 13, 0, 2, 7, 3, 10, 6
        .long   11, 5, 1, 8, 15, 0, 9, 6, 7, 14, 2, 3, 13, 10, 12, 4
/* v8 .. v11 */
        .balign 64
FIN_LOCAL(seed_blake3):
        .long   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a

/*
 * state->h = F(state->h, block, state->t, ...) for each block; after the last block also writes the
 * other half of its output behind state->h. core/impl.h defines state->f.
 *
 *   void fin_blake3_avx512_ternlog(fin_state *state (rdi), const uint8_t *in (rsi),
 *                                  size_t blocks (rdx), size_t stride (rcx), uint32_t increment
 * (r8d))
 *
 * System V ABI. in needs no alignment; in and state do not overlap. Any number of blocks, 0
 * included. Branches and addresses depend on the arguments alone.
 *
 *   %rdi    state                       %rsi    the next block
 *   %rdx    blocks after this one       %rcx    stride
 *   %rax    address of the next block's v12 .. v15; %r8 of the last one's
 *   %r9     address read instead of the block after the last one
 *   %rsp    the words of rounds 0 to 6; in the last round the next block's replace those of round 0
 *   xmm22, xmm23  the other half of the output
 *   xmm25   h4 .. h7                    xmm26   h0 .. h3
 *   xmm27   v12 .. v15 at the start     xmm28   v8 .. v11
 *   zmm30   the block's words
 *   others  the state and intermediate values
 */
#define FIN_KERNEL fin_blake3_avx512_ternlog
        .text
        FIN_FUNCTION(FIN_KERNEL)
        .balign 64
FIN_SYMBOL(FIN_KERNEL):
        .cfi_startproc
        endbr64
        test    %rdx, %rdx
        je      FIN_LOCAL(nothing_blake3)
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $480, %rsp
        and     $-64, %rsp
        vmovdqu 0(%rsi), %xmm0
        vmovdqu 16(%rsi), %xmm1
        vmovdqu 32(%rsi), %xmm2
        vmovdqu 48(%rsi), %xmm3
        vshufps $0x88, %xmm1, %xmm0, %xmm4
        vmovdqa %xmm4, 0(%rsp)
        vshufps $0xdd, %xmm1, %xmm0, %xmm5
        vmovdqa %xmm5, 16(%rsp)
        vshufps $0x88, %xmm3, %xmm2, %xmm6
        vpshufd $0x93, %xmm6, %xmm6                         /* the diagonals begin with the last word */
        vmovdqa %xmm6, 32(%rsp)
        vshufps $0xdd, %xmm3, %xmm2, %xmm7
        vpshufd $0x93, %xmm7, %xmm7                         /* the diagonals begin with the last word */
        vmovdqa %xmm7, 48(%rsp)
        vinserti128 $1, %xmm1, %ymm0, %ymm0
        vinserti128 $1, %xmm3, %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm0, %zmm30
        vmovdqu64 0(%rdi), %xmm26
        vmovdqu64 16(%rdi), %xmm25
        vmovdqa64 FIN_LOCAL(seed_blake3)(%rip), %xmm28
        mov     STATE_F+8(%rdi), %eax
        mov     STATE_F(%rdi), %r10d                        /* the last block's length */
        mov     %eax, %r8d
        shr     $8, %r8d
        or      %eax, %r8d
        movzbl  %r8b, %r8d                                  /* flags of the first block */
        mov     %eax, %r9d
        shr     $16, %r9d
        or      %eax, %r9d
        movzbl  %r9b, %r9d                                  /* flags of the last block */
        movzbl  %al, %eax                                   /* flags of the others */
        shl     $32, %rax
        add     $64, %rax                                   /* and their length */
        vmovq   STATE_T(%rdi), %xmm4
        vmovq   %rax, %xmm5
        vpunpcklqdq %xmm5, %xmm4, %xmm5
        vmovdqa %xmm5, 448(%rsp)
        mov     $64, %r11d
        xor     %eax, %eax
        cmp     $1, %rdx
        cmove   %r10, %r11                                  /* is the first block the last one? */
        cmove   %r9, %rax
        or      %eax, %r8d
        shl     $32, %r8
        or      %r11, %r8
        vmovq   %r8, %xmm5
        vpunpcklqdq %xmm5, %xmm4, %xmm27
        shl     $32, %r9
        or      %r10, %r9
        vmovq   %r9, %xmm5
        vpunpcklqdq %xmm5, %xmm4, %xmm5
        vmovdqa %xmm5, 464(%rsp)
        lea     448(%rsp), %rax
        lea     464(%rsp), %r8
        lea     FIN_LOCAL(words_blake3)(%rip), %r9
        .balign 64
FIN_LOCAL(block_blake3):
        add     %rcx, %rsi
        dec     %rdx
        cmove   %r9, %rsi
        cmp     $1, %rdx
        cmove   %r8, %rax
        vprord  $16, %xmm27, %xmm0                          /* 0: d >>> 16 */
        vpaddd  0(%rsp), %xmm26, %xmm1                      /* 0: + x */
        vpaddd  %xmm25, %xmm1, %xmm2                        /* 0: a += b + x */
        /* ---- Round 0 ---- */
        vpslld  $16, %xmm2, %xmm3                           /* 0: a << 16 */
        vpsrld  $16, %xmm2, %xmm4                           /* 0: a >> 16 */
        vpternlogd $0x96, %xmm0, %xmm4, %xmm3               /* 0: d = (d ^ a) >>> 16 */
        vpaddd  %xmm28, %xmm3, %xmm5                        /* 0: c += d */
        vprord  $8, %xmm3, %xmm6                            /* 0: d >>> 8 */
        vpsrld  $12, %xmm5, %xmm7                           /* 0: c >> 12 */
        vpslld  $20, %xmm5, %xmm8                           /* 0: c << 20 */
        vpaddd  16(%rsp), %xmm2, %xmm9                      /* 0: + y */
        vprord  $12, %xmm25, %xmm10                         /* 0: b >>> 12 */
        vpternlogd $0x96, %xmm10, %xmm7, %xmm8              /* 0: b = (b ^ c) >>> 12 */
        vpaddd  %xmm8, %xmm9, %xmm11                        /* 0: a += b + y */
        vmovdqa64 FIN_LOCAL(words_blake3)+64(%rip), %zmm12  /* 1: indices of words */
        vprord  $7, %xmm8, %xmm13                           /* 0: b >>> 7 */
        vpsrld  $8, %xmm11, %xmm14                          /* 0: a >> 8 */
        vpermd  %zmm30, %zmm12, %zmm15                      /* 1: words */
        vmovdqa64 %zmm15, 64(%rsp)                          /* 1: words stored */
        vpslld  $24, %xmm11, %xmm16                         /* 0: a << 24 */
        vpshufd $0x93, %xmm11, %xmm17                       /* 0: words of a rotated */
        vpternlogd $0x96, %xmm6, %xmm14, %xmm16             /* 0: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm16, %xmm18                       /* 0: words of d rotated */
        vpaddd  %xmm5, %xmm16, %xmm19                       /* 0: c += d */
        vmovdqa64 FIN_LOCAL(words_blake3)+128(%rip), %zmm20 /* 2: indices of words */
        vprord  $16, %xmm18, %xmm21                         /* 0: d >>> 16 */
        vpsrld  $7, %xmm19, %xmm1                           /* 0: c >> 7 */
        vpermd  %zmm30, %zmm20, %zmm0                       /* 2: words */
        vmovdqa64 %zmm0, 128(%rsp)                          /* 2: words stored */
        vpslld  $25, %xmm19, %xmm4                          /* 0: c << 25 */
        vpshufd $0x39, %xmm19, %xmm3                        /* 0: words of c rotated */
        vpaddd  32(%rsp), %xmm17, %xmm2                     /* 0: + x */
        vmovdqa64 FIN_LOCAL(words_blake3)+192(%rip), %zmm10 /* 3: indices of words */
        vpermd  %zmm30, %zmm10, %zmm7                       /* 3: words */
        vmovdqa64 %zmm7, 192(%rsp)                          /* 3: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3)+256(%rip), %zmm9  /* 4: indices of words */
        vpternlogd $0x96, %xmm13, %xmm4, %xmm1              /* 0: b = (b ^ c) >>> 7 */
        vpaddd  %xmm1, %xmm2, %xmm8                         /* 0: a += b + x */
        vprord  $12, %xmm1, %xmm12                          /* 0: b >>> 12 */
        vpsrld  $16, %xmm8, %xmm15                          /* 0: a >> 16 */
        vpslld  $16, %xmm8, %xmm11                          /* 0: a << 16 */
        vpermd  %zmm30, %zmm9, %zmm6                        /* 4: words */
        vmovdqa64 %zmm6, 256(%rsp)                          /* 4: words stored */
        vpternlogd $0x96, %xmm21, %xmm15, %xmm11            /* 0: d = (d ^ a) >>> 16 */
        vpaddd  %xmm3, %xmm11, %xmm14                       /* 0: c += d */
        vpsrld  $12, %xmm14, %xmm5                          /* 0: c >> 12 */
        vpslld  $20, %xmm14, %xmm16                         /* 0: c << 20 */
        vprord  $8, %xmm11, %xmm18                          /* 0: d >>> 8 */
        vpaddd  48(%rsp), %xmm8, %xmm20                     /* 0: + y */
        vmovdqa64 FIN_LOCAL(words_blake3)+320(%rip), %zmm0  /* 5: indices of words */
        vpermd  %zmm30, %zmm0, %zmm19                       /* 5: words */
        vmovdqa64 %zmm19, 320(%rsp)                         /* 5: words stored */
        vpternlogd $0x96, %xmm12, %xmm5, %xmm16             /* 0: b = (b ^ c) >>> 12 */
        vpaddd  %xmm16, %xmm20, %xmm17                      /* 0: a += b + y */
        vprord  $7, %xmm16, %xmm10                          /* 0: b >>> 7 */
        vpsrld  $8, %xmm17, %xmm7                           /* 0: a >> 8 */
        vpslld  $24, %xmm17, %xmm13                         /* 0: a << 24 */
        vmovdqa64 FIN_LOCAL(words_blake3)+384(%rip), %zmm4  /* 6: indices of words */
        vpermd  %zmm30, %zmm4, %zmm2                        /* 6: words */
        vmovdqa64 %zmm2, 384(%rsp)                          /* 6: words stored */
        nop
        vpternlogd $0x96, %xmm18, %xmm7, %xmm13             /* 0: d = (d ^ a) >>> 8 */
        vpaddd  %xmm14, %xmm13, %xmm1                       /* 0: c += d */
        vpshufd $0x4e, %xmm13, %xmm9                        /* 0: words of d rotated */
        vpsrld  $7, %xmm1, %xmm6                            /* 0: c >> 7 */
        vpslld  $25, %xmm1, %xmm21                          /* 0: c << 25 */
        vpshufd $0x93, %xmm1, %xmm15                        /* 0: words of c rotated */
        vprord  $16, %xmm9, %xmm3                           /* 1: d >>> 16 */
        vpternlogd $0x96, %xmm10, %xmm21, %xmm6             /* 0: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm17, %xmm11                       /* 0: words of a rotated */
        vpaddd  64(%rsp), %xmm11, %xmm8                     /* 1: + x */
        vpaddd  %xmm6, %xmm8, %xmm0                         /* 1: a += b + x */
        /* ---- Round 1 ---- */
        vmovdqa64 (%rax), %xmm27                            /* the next block's v12 .. v15 */
        vpslld  $16, %xmm0, %xmm19                          /* 1: a << 16 */
        vpsrld  $16, %xmm0, %xmm12                          /* 1: a >> 16 */
        vpternlogd $0x96, %xmm3, %xmm12, %xmm19             /* 1: d = (d ^ a) >>> 16 */
        vpaddd  %xmm15, %xmm19, %xmm5                       /* 1: c += d */
        vprord  $8, %xmm19, %xmm20                          /* 1: d >>> 8 */
        vpsrld  $12, %xmm5, %xmm16                          /* 1: c >> 12 */
        vpslld  $20, %xmm5, %xmm4                           /* 1: c << 20 */
        vpaddd  80(%rsp), %xmm0, %xmm2                      /* 1: + y */
        vprord  $12, %xmm6, %xmm18                          /* 1: b >>> 12 */
        vpternlogd $0x96, %xmm18, %xmm16, %xmm4             /* 1: b = (b ^ c) >>> 12 */
        vpaddd  %xmm4, %xmm2, %xmm7                         /* 1: a += b + y */
        vprord  $7, %xmm4, %xmm14                           /* 1: b >>> 7 */
        vpsrld  $8, %xmm7, %xmm13                           /* 1: a >> 8 */
        vpslld  $24, %xmm7, %xmm1                           /* 1: a << 24 */
        vpshufd $0x93, %xmm7, %xmm9                         /* 1: words of a rotated */
        vpternlogd $0x96, %xmm20, %xmm13, %xmm1             /* 1: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm1, %xmm10                        /* 1: words of d rotated */
        vpaddd  %xmm5, %xmm1, %xmm21                        /* 1: c += d */
        vprord  $16, %xmm10, %xmm17                         /* 1: d >>> 16 */
        vpsrld  $7, %xmm21, %xmm11                          /* 1: c >> 7 */
        vpslld  $25, %xmm21, %xmm8                          /* 1: c << 25 */
        vpshufd $0x39, %xmm21, %xmm3                        /* 1: words of c rotated */
        vpaddd  96(%rsp), %xmm9, %xmm12                     /* 1: + x */
        vpternlogd $0x96, %xmm14, %xmm8, %xmm11             /* 1: b = (b ^ c) >>> 7 */
        vpaddd  %xmm11, %xmm12, %xmm15                      /* 1: a += b + x */
        vprord  $12, %xmm11, %xmm19                         /* 1: b >>> 12 */
        vpsrld  $16, %xmm15, %xmm0                          /* 1: a >> 16 */
        vpslld  $16, %xmm15, %xmm6                          /* 1: a << 16 */
        vpternlogd $0x96, %xmm17, %xmm0, %xmm6              /* 1: d = (d ^ a) >>> 16 */
        vpaddd  %xmm3, %xmm6, %xmm18                        /* 1: c += d */
        vpsrld  $12, %xmm18, %xmm16                         /* 1: c >> 12 */
        vpslld  $20, %xmm18, %xmm2                          /* 1: c << 20 */
        vprord  $8, %xmm6, %xmm4                            /* 1: d >>> 8 */
        vpaddd  112(%rsp), %xmm15, %xmm7                    /* 1: + y */
        vpternlogd $0x96, %xmm19, %xmm16, %xmm2             /* 1: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm7, %xmm20                        /* 1: a += b + y */
        vprord  $7, %xmm2, %xmm13                           /* 1: b >>> 7 */
        vpsrld  $8, %xmm20, %xmm5                           /* 1: a >> 8 */
        vpslld  $24, %xmm20, %xmm1                          /* 1: a << 24 */
        nop
        vpternlogd $0x96, %xmm4, %xmm5, %xmm1               /* 1: d = (d ^ a) >>> 8 */
        vpaddd  %xmm18, %xmm1, %xmm10                       /* 1: c += d */
        vpshufd $0x4e, %xmm1, %xmm21                        /* 1: words of d rotated */
        vpsrld  $7, %xmm10, %xmm9                           /* 1: c >> 7 */
        vpslld  $25, %xmm10, %xmm14                         /* 1: c << 25 */
        vpshufd $0x93, %xmm10, %xmm8                        /* 1: words of c rotated */
        vprord  $16, %xmm21, %xmm12                         /* 2: d >>> 16 */
        vpternlogd $0x96, %xmm13, %xmm14, %xmm9             /* 1: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm20, %xmm11                       /* 1: words of a rotated */
        vpaddd  128(%rsp), %xmm11, %xmm17                   /* 2: + x */
        vpaddd  %xmm9, %xmm17, %xmm0                        /* 2: a += b + x */
        /* ---- Round 2 ---- */
        vpslld  $16, %xmm0, %xmm3                           /* 2: a << 16 */
        vpsrld  $16, %xmm0, %xmm6                           /* 2: a >> 16 */
        vpternlogd $0x96, %xmm12, %xmm6, %xmm3              /* 2: d = (d ^ a) >>> 16 */
        vpaddd  %xmm8, %xmm3, %xmm15                        /* 2: c += d */
        vprord  $8, %xmm3, %xmm19                           /* 2: d >>> 8 */
        vpsrld  $12, %xmm15, %xmm16                         /* 2: c >> 12 */
        vpslld  $20, %xmm15, %xmm7                          /* 2: c << 20 */
        vpaddd  144(%rsp), %xmm0, %xmm2                     /* 2: + y */
        vprord  $12, %xmm9, %xmm4                           /* 2: b >>> 12 */
        vpternlogd $0x96, %xmm4, %xmm16, %xmm7              /* 2: b = (b ^ c) >>> 12 */
        vpaddd  %xmm7, %xmm2, %xmm5                         /* 2: a += b + y */
        vprord  $7, %xmm7, %xmm18                           /* 2: b >>> 7 */
        vpsrld  $8, %xmm5, %xmm1                            /* 2: a >> 8 */
        vpslld  $24, %xmm5, %xmm10                          /* 2: a << 24 */
        vpshufd $0x93, %xmm5, %xmm21                        /* 2: words of a rotated */
        vpternlogd $0x96, %xmm19, %xmm1, %xmm10             /* 2: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm10, %xmm13                       /* 2: words of d rotated */
        vpaddd  %xmm15, %xmm10, %xmm14                      /* 2: c += d */
        vprord  $16, %xmm13, %xmm20                         /* 2: d >>> 16 */
        vpsrld  $7, %xmm14, %xmm11                          /* 2: c >> 7 */
        vpslld  $25, %xmm14, %xmm17                         /* 2: c << 25 */
        vpshufd $0x39, %xmm14, %xmm12                       /* 2: words of c rotated */
        vpaddd  160(%rsp), %xmm21, %xmm6                    /* 2: + x */
        vpternlogd $0x96, %xmm18, %xmm17, %xmm11            /* 2: b = (b ^ c) >>> 7 */
        vpaddd  %xmm11, %xmm6, %xmm8                        /* 2: a += b + x */
        vprord  $12, %xmm11, %xmm3                          /* 2: b >>> 12 */
        vpsrld  $16, %xmm8, %xmm0                           /* 2: a >> 16 */
        vpslld  $16, %xmm8, %xmm9                           /* 2: a << 16 */
        vpternlogd $0x96, %xmm20, %xmm0, %xmm9              /* 2: d = (d ^ a) >>> 16 */
        vpaddd  %xmm12, %xmm9, %xmm4                        /* 2: c += d */
        vpsrld  $12, %xmm4, %xmm16                          /* 2: c >> 12 */
        vpslld  $20, %xmm4, %xmm2                           /* 2: c << 20 */
        vprord  $8, %xmm9, %xmm7                            /* 2: d >>> 8 */
        vpaddd  176(%rsp), %xmm8, %xmm5                     /* 2: + y */
        vpternlogd $0x96, %xmm3, %xmm16, %xmm2              /* 2: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm5, %xmm19                        /* 2: a += b + y */
        vprord  $7, %xmm2, %xmm1                            /* 2: b >>> 7 */
        vpsrld  $8, %xmm19, %xmm15                          /* 2: a >> 8 */
        vpslld  $24, %xmm19, %xmm10                         /* 2: a << 24 */
        nop
        vpternlogd $0x96, %xmm7, %xmm15, %xmm10             /* 2: d = (d ^ a) >>> 8 */
        vpaddd  %xmm4, %xmm10, %xmm13                       /* 2: c += d */
        vpshufd $0x4e, %xmm10, %xmm14                       /* 2: words of d rotated */
        vpsrld  $7, %xmm13, %xmm21                          /* 2: c >> 7 */
        vpslld  $25, %xmm13, %xmm18                         /* 2: c << 25 */
        vpshufd $0x93, %xmm13, %xmm17                       /* 2: words of c rotated */
        vprord  $16, %xmm14, %xmm6                          /* 3: d >>> 16 */
        vpternlogd $0x96, %xmm1, %xmm18, %xmm21             /* 2: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm19, %xmm11                       /* 2: words of a rotated */
        vpaddd  192(%rsp), %xmm11, %xmm20                   /* 3: + x */
        vpaddd  %xmm21, %xmm20, %xmm0                       /* 3: a += b + x */
        /* ---- Round 3 ---- */
        vpslld  $16, %xmm0, %xmm12                          /* 3: a << 16 */
        vpsrld  $16, %xmm0, %xmm9                           /* 3: a >> 16 */
        vpternlogd $0x96, %xmm6, %xmm9, %xmm12              /* 3: d = (d ^ a) >>> 16 */
        vpaddd  %xmm17, %xmm12, %xmm8                       /* 3: c += d */
        vprord  $8, %xmm12, %xmm3                           /* 3: d >>> 8 */
        vpsrld  $12, %xmm8, %xmm16                          /* 3: c >> 12 */
        vpslld  $20, %xmm8, %xmm5                           /* 3: c << 20 */
        vpaddd  208(%rsp), %xmm0, %xmm2                     /* 3: + y */
        vprord  $12, %xmm21, %xmm7                          /* 3: b >>> 12 */
        vpternlogd $0x96, %xmm7, %xmm16, %xmm5              /* 3: b = (b ^ c) >>> 12 */
        vpaddd  %xmm5, %xmm2, %xmm15                        /* 3: a += b + y */
        vprord  $7, %xmm5, %xmm4                            /* 3: b >>> 7 */
        vpsrld  $8, %xmm15, %xmm10                          /* 3: a >> 8 */
        vpslld  $24, %xmm15, %xmm13                         /* 3: a << 24 */
        vpshufd $0x93, %xmm15, %xmm14                       /* 3: words of a rotated */
        vpternlogd $0x96, %xmm3, %xmm10, %xmm13             /* 3: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm13, %xmm1                        /* 3: words of d rotated */
        vpaddd  %xmm8, %xmm13, %xmm18                       /* 3: c += d */
        vprord  $16, %xmm1, %xmm19                          /* 3: d >>> 16 */
        vpsrld  $7, %xmm18, %xmm11                          /* 3: c >> 7 */
        vpslld  $25, %xmm18, %xmm20                         /* 3: c << 25 */
        vpshufd $0x39, %xmm18, %xmm6                        /* 3: words of c rotated */
        vpaddd  224(%rsp), %xmm14, %xmm9                    /* 3: + x */
        vpternlogd $0x96, %xmm4, %xmm20, %xmm11             /* 3: b = (b ^ c) >>> 7 */
        vpaddd  %xmm11, %xmm9, %xmm17                       /* 3: a += b + x */
        vprord  $12, %xmm11, %xmm12                         /* 3: b >>> 12 */
        vpsrld  $16, %xmm17, %xmm0                          /* 3: a >> 16 */
        vpslld  $16, %xmm17, %xmm21                         /* 3: a << 16 */
        vpternlogd $0x96, %xmm19, %xmm0, %xmm21             /* 3: d = (d ^ a) >>> 16 */
        vpaddd  %xmm6, %xmm21, %xmm7                        /* 3: c += d */
        vpsrld  $12, %xmm7, %xmm16                          /* 3: c >> 12 */
        vpslld  $20, %xmm7, %xmm2                           /* 3: c << 20 */
        vprord  $8, %xmm21, %xmm5                           /* 3: d >>> 8 */
        vpaddd  240(%rsp), %xmm17, %xmm15                   /* 3: + y */
        vpternlogd $0x96, %xmm12, %xmm16, %xmm2             /* 3: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm15, %xmm3                        /* 3: a += b + y */
        vprord  $7, %xmm2, %xmm10                           /* 3: b >>> 7 */
        vpsrld  $8, %xmm3, %xmm8                            /* 3: a >> 8 */
        vpslld  $24, %xmm3, %xmm13                          /* 3: a << 24 */
        nop
        vpternlogd $0x96, %xmm5, %xmm8, %xmm13              /* 3: d = (d ^ a) >>> 8 */
        vpaddd  %xmm7, %xmm13, %xmm1                        /* 3: c += d */
        vpshufd $0x4e, %xmm13, %xmm18                       /* 3: words of d rotated */
        vpsrld  $7, %xmm1, %xmm14                           /* 3: c >> 7 */
        vpslld  $25, %xmm1, %xmm4                           /* 3: c << 25 */
        vpshufd $0x93, %xmm1, %xmm20                        /* 3: words of c rotated */
        vprord  $16, %xmm18, %xmm9                          /* 4: d >>> 16 */
        vpternlogd $0x96, %xmm10, %xmm4, %xmm14             /* 3: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm3, %xmm11                        /* 3: words of a rotated */
        vpaddd  256(%rsp), %xmm11, %xmm19                   /* 4: + x */
        vpaddd  %xmm14, %xmm19, %xmm0                       /* 4: a += b + x */
        /* ---- Round 4 ---- */
        vpslld  $16, %xmm0, %xmm6                           /* 4: a << 16 */
        vpsrld  $16, %xmm0, %xmm21                          /* 4: a >> 16 */
        vpternlogd $0x96, %xmm9, %xmm21, %xmm6              /* 4: d = (d ^ a) >>> 16 */
        vpaddd  %xmm20, %xmm6, %xmm17                       /* 4: c += d */
        vprord  $8, %xmm6, %xmm12                           /* 4: d >>> 8 */
        vpsrld  $12, %xmm17, %xmm16                         /* 4: c >> 12 */
        vpslld  $20, %xmm17, %xmm15                         /* 4: c << 20 */
        vpaddd  272(%rsp), %xmm0, %xmm2                     /* 4: + y */
        vprord  $12, %xmm14, %xmm5                          /* 4: b >>> 12 */
        vpternlogd $0x96, %xmm5, %xmm16, %xmm15             /* 4: b = (b ^ c) >>> 12 */
        vpaddd  %xmm15, %xmm2, %xmm8                        /* 4: a += b + y */
        vprord  $7, %xmm15, %xmm7                           /* 4: b >>> 7 */
        vpsrld  $8, %xmm8, %xmm13                           /* 4: a >> 8 */
        vpslld  $24, %xmm8, %xmm1                           /* 4: a << 24 */
        vpshufd $0x93, %xmm8, %xmm18                        /* 4: words of a rotated */
        vpternlogd $0x96, %xmm12, %xmm13, %xmm1             /* 4: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm1, %xmm10                        /* 4: words of d rotated */
        vpaddd  %xmm17, %xmm1, %xmm4                        /* 4: c += d */
        vprord  $16, %xmm10, %xmm3                          /* 4: d >>> 16 */
        vpsrld  $7, %xmm4, %xmm11                           /* 4: c >> 7 */
        vpslld  $25, %xmm4, %xmm19                          /* 4: c << 25 */
        vpshufd $0x39, %xmm4, %xmm9                         /* 4: words of c rotated */
        vpaddd  288(%rsp), %xmm18, %xmm21                   /* 4: + x */
        vpternlogd $0x96, %xmm7, %xmm19, %xmm11             /* 4: b = (b ^ c) >>> 7 */
        vpaddd  %xmm11, %xmm21, %xmm20                      /* 4: a += b + x */
        vprord  $12, %xmm11, %xmm6                          /* 4: b >>> 12 */
        vpsrld  $16, %xmm20, %xmm0                          /* 4: a >> 16 */
        vpslld  $16, %xmm20, %xmm14                         /* 4: a << 16 */
        vpternlogd $0x96, %xmm3, %xmm0, %xmm14              /* 4: d = (d ^ a) >>> 16 */
        vpaddd  %xmm9, %xmm14, %xmm5                        /* 4: c += d */
        vpsrld  $12, %xmm5, %xmm16                          /* 4: c >> 12 */
        vpslld  $20, %xmm5, %xmm2                           /* 4: c << 20 */
        vprord  $8, %xmm14, %xmm15                          /* 4: d >>> 8 */
        vpaddd  304(%rsp), %xmm20, %xmm8                    /* 4: + y */
        vpternlogd $0x96, %xmm6, %xmm16, %xmm2              /* 4: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm8, %xmm12                        /* 4: a += b + y */
        vprord  $7, %xmm2, %xmm13                           /* 4: b >>> 7 */
        vpsrld  $8, %xmm12, %xmm17                          /* 4: a >> 8 */
        vpslld  $24, %xmm12, %xmm1                          /* 4: a << 24 */
        nop
        vpternlogd $0x96, %xmm15, %xmm17, %xmm1             /* 4: d = (d ^ a) >>> 8 */
        vpaddd  %xmm5, %xmm1, %xmm10                        /* 4: c += d */
        vpshufd $0x4e, %xmm1, %xmm4                         /* 4: words of d rotated */
        vpsrld  $7, %xmm10, %xmm18                          /* 4: c >> 7 */
        vpslld  $25, %xmm10, %xmm7                          /* 4: c << 25 */
        vpshufd $0x93, %xmm10, %xmm19                       /* 4: words of c rotated */
        vprord  $16, %xmm4, %xmm21                          /* 5: d >>> 16 */
        vpternlogd $0x96, %xmm13, %xmm7, %xmm18             /* 4: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm12, %xmm11                       /* 4: words of a rotated */
        vpaddd  320(%rsp), %xmm11, %xmm3                    /* 5: + x */
        vpaddd  %xmm18, %xmm3, %xmm0                        /* 5: a += b + x */
        /* ---- Round 5 ---- */
        vpslld  $16, %xmm0, %xmm9                           /* 5: a << 16 */
        vpsrld  $16, %xmm0, %xmm14                          /* 5: a >> 16 */
        vpternlogd $0x96, %xmm21, %xmm14, %xmm9             /* 5: d = (d ^ a) >>> 16 */
        vpaddd  %xmm19, %xmm9, %xmm20                       /* 5: c += d */
        vprord  $8, %xmm9, %xmm6                            /* 5: d >>> 8 */
        vpsrld  $12, %xmm20, %xmm16                         /* 5: c >> 12 */
        vpslld  $20, %xmm20, %xmm8                          /* 5: c << 20 */
        vpaddd  336(%rsp), %xmm0, %xmm2                     /* 5: + y */
        vprord  $12, %xmm18, %xmm15                         /* 5: b >>> 12 */
        vpternlogd $0x96, %xmm15, %xmm16, %xmm8             /* 5: b = (b ^ c) >>> 12 */
        vpaddd  %xmm8, %xmm2, %xmm17                        /* 5: a += b + y */
        vprord  $7, %xmm8, %xmm5                            /* 5: b >>> 7 */
        vpsrld  $8, %xmm17, %xmm1                           /* 5: a >> 8 */
        vpslld  $24, %xmm17, %xmm10                         /* 5: a << 24 */
        vpshufd $0x93, %xmm17, %xmm4                        /* 5: words of a rotated */
        vpternlogd $0x96, %xmm6, %xmm1, %xmm10              /* 5: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm10, %xmm13                       /* 5: words of d rotated */
        vpaddd  %xmm20, %xmm10, %xmm7                       /* 5: c += d */
        vprord  $16, %xmm13, %xmm12                         /* 5: d >>> 16 */
        vpsrld  $7, %xmm7, %xmm11                           /* 5: c >> 7 */
        vpslld  $25, %xmm7, %xmm3                           /* 5: c << 25 */
        vpshufd $0x39, %xmm7, %xmm21                        /* 5: words of c rotated */
        vpaddd  352(%rsp), %xmm4, %xmm14                    /* 5: + x */
        vpternlogd $0x96, %xmm5, %xmm3, %xmm11              /* 5: b = (b ^ c) >>> 7 */
        vpaddd  %xmm11, %xmm14, %xmm19                      /* 5: a += b + x */
        vprord  $12, %xmm11, %xmm9                          /* 5: b >>> 12 */
        vpsrld  $16, %xmm19, %xmm0                          /* 5: a >> 16 */
        vpslld  $16, %xmm19, %xmm18                         /* 5: a << 16 */
        vpternlogd $0x96, %xmm12, %xmm0, %xmm18             /* 5: d = (d ^ a) >>> 16 */
        vpaddd  %xmm21, %xmm18, %xmm15                      /* 5: c += d */
        vpsrld  $12, %xmm15, %xmm16                         /* 5: c >> 12 */
        vpslld  $20, %xmm15, %xmm2                          /* 5: c << 20 */
        vprord  $8, %xmm18, %xmm8                           /* 5: d >>> 8 */
        vpaddd  368(%rsp), %xmm19, %xmm17                   /* 5: + y */
        vpternlogd $0x96, %xmm9, %xmm16, %xmm2              /* 5: b = (b ^ c) >>> 12 */
        vpaddd  %xmm2, %xmm17, %xmm6                        /* 5: a += b + y */
        vprord  $7, %xmm2, %xmm1                            /* 5: b >>> 7 */
        vpsrld  $8, %xmm6, %xmm20                           /* 5: a >> 8 */
        vpslld  $24, %xmm6, %xmm10                          /* 5: a << 24 */
        nop
        vpternlogd $0x96, %xmm8, %xmm20, %xmm10             /* 5: d = (d ^ a) >>> 8 */
        vpaddd  %xmm15, %xmm10, %xmm13                      /* 5: c += d */
        vpshufd $0x4e, %xmm10, %xmm7                        /* 5: words of d rotated */
        vpsrld  $7, %xmm13, %xmm4                           /* 5: c >> 7 */
        vpslld  $25, %xmm13, %xmm5                          /* 5: c << 25 */
        vpshufd $0x93, %xmm13, %xmm3                        /* 5: words of c rotated */
        vprord  $16, %xmm7, %xmm14                          /* 6: d >>> 16 */
        vpternlogd $0x96, %xmm1, %xmm5, %xmm4               /* 5: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm6, %xmm11                        /* 5: words of a rotated */
        vpaddd  384(%rsp), %xmm11, %xmm12                   /* 6: + x */
        vpaddd  %xmm4, %xmm12, %xmm0                        /* 6: a += b + x */
        /* ---- Round 6 ---- */
        vpslld  $16, %xmm0, %xmm21                          /* 6: a << 16 */
        vmovdqu64 0(%rsi), %zmm30                           /* the next block */
        vpsrld  $16, %xmm0, %xmm18                          /* 6: a >> 16 */
        vpternlogd $0x96, %xmm14, %xmm18, %xmm21            /* 6: d = (d ^ a) >>> 16 */
        vpaddd  %xmm3, %xmm21, %xmm19                       /* 6: c += d */
        vprord  $8, %xmm21, %xmm9                           /* 6: d >>> 8 */
        vpsrld  $12, %xmm19, %xmm16                         /* 6: c >> 12 */
        vpslld  $20, %xmm19, %xmm17                         /* 6: c << 20 */
        vpaddd  400(%rsp), %xmm0, %xmm2                     /* 6: + y */
        vprord  $12, %xmm4, %xmm8                           /* 6: b >>> 12 */
        vpternlogd $0x96, %xmm8, %xmm16, %xmm17             /* 6: b = (b ^ c) >>> 12 */
        vpaddd  %xmm17, %xmm2, %xmm20                       /* 6: a += b + y */
        vprord  $7, %xmm17, %xmm15                          /* 6: b >>> 7 */
        vmovdqa64 FIN_LOCAL(words_blake3)+0(%rip), %zmm10   /* 0: indices of words */
        vpsrld  $8, %xmm20, %xmm13                          /* 6: a >> 8 */
        vpermd  %zmm30, %zmm10, %zmm7                       /* 0: words */
        vmovdqa64 %zmm7, 0(%rsp)                            /* 0: words stored */
        vpslld  $24, %xmm20, %xmm1                          /* 6: a << 24 */
        vpshufd $0x93, %xmm20, %xmm5                        /* 6: words of a rotated */
        vpternlogd $0x96, %xmm9, %xmm13, %xmm1              /* 6: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %xmm1, %xmm6                         /* 6: words of d rotated */
        vpaddd  %xmm19, %xmm1, %xmm11                       /* 6: c += d */
        vprord  $16, %xmm6, %xmm12                          /* 6: d >>> 16 */
        vpsrld  $7, %xmm11, %xmm14                          /* 6: c >> 7 */
        vpslld  $25, %xmm11, %xmm18                         /* 6: c << 25 */
        vpshufd $0x39, %xmm11, %xmm3                        /* 6: words of c rotated */
        vpaddd  416(%rsp), %xmm5, %xmm21                    /* 6: + x */
        vpternlogd $0x96, %xmm15, %xmm18, %xmm14            /* 6: b = (b ^ c) >>> 7 */
        vpaddd  %xmm14, %xmm21, %xmm0                       /* 6: a += b + x */
        vprord  $12, %xmm14, %xmm4                          /* 6: b >>> 12 */
        vpsrld  $16, %xmm0, %xmm8                           /* 6: a >> 16 */
        vpslld  $16, %xmm0, %xmm16                          /* 6: a << 16 */
        vpternlogd $0x96, %xmm12, %xmm8, %xmm16             /* 6: d = (d ^ a) >>> 16 */
        vpaddd  %xmm3, %xmm16, %xmm2                        /* 6: c += d */
        vpsrld  $12, %xmm2, %xmm17                          /* 6: c >> 12 */
        vpslld  $20, %xmm2, %xmm10                          /* 6: c << 20 */
        vprord  $8, %xmm16, %xmm7                           /* 6: d >>> 8 */
        vpaddd  432(%rsp), %xmm0, %xmm20                    /* 6: + y */
        vpternlogd $0x96, %xmm4, %xmm17, %xmm10             /* 6: b = (b ^ c) >>> 12 */
        vpaddd  %xmm10, %xmm20, %xmm9                       /* 6: a += b + y */
        vprord  $7, %xmm10, %xmm13                          /* 6: b >>> 7 */
        vpsrld  $8, %xmm9, %xmm19                           /* 6: a >> 8 */
        vpslld  $24, %xmm9, %xmm1                           /* 6: a << 24 */
        nop
        vpternlogd $0x96, %xmm7, %xmm19, %xmm1              /* 6: d = (d ^ a) >>> 8 */
        vpaddd  %xmm2, %xmm1, %xmm6                         /* 6: c += d */
        vpshufd $0x4e, %xmm1, %xmm11                        /* 6: words of d rotated */
        vpsrld  $7, %xmm6, %xmm5                            /* 6: c >> 7 */
        vpslld  $25, %xmm6, %xmm15                          /* 6: c << 25 */
        vpshufd $0x93, %xmm6, %xmm18                        /* 6: words of c rotated */
        vpternlogd $0x96, %xmm13, %xmm15, %xmm5             /* 6: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %xmm9, %xmm21                        /* 6: words of a rotated */
        vpxord  %xmm11, %xmm25, %xmm23                      /* h ^ d */
        vpxord  %xmm18, %xmm26, %xmm22                      /* h ^ c */
        vpxord  %xmm5, %xmm11, %xmm25                       /* h = b ^ d */
        vpxord  %xmm21, %xmm18, %xmm26                      /* h = a ^ c */
        test    %rdx, %rdx
        jne     FIN_LOCAL(block_blake3)
FIN_LOCAL(done_blake3):
        vmovdqu64 %xmm26, 0(%rdi)
        vmovdqu64 %xmm25, 16(%rdi)
        vmovdqu64 %xmm22, 32(%rdi)
        vmovdqu64 %xmm23, 48(%rdi)
        vzeroupper
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
FIN_LOCAL(nothing_blake3):
        ret
        .cfi_endproc
        FIN_END(FIN_KERNEL)
#undef FIN_KERNEL
#endif

        FIN_END_OF_FILE
