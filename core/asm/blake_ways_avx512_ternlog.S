/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Written by tools/kernels/row_ways.py: do not edit.
 *
 * BLAKE3 of two and of four messages in rows: vpternlog replaces rotations of late operands by
 * shifts, message words are operands in memory. tools/kernels/row_ways.py explains the method.
 *
 * The remark beside an instruction names its stream, its round and its task; x and y are the words
 * that G adds. Words of later rounds are made from the first round on.
 */
#include "asm/object.inc"
#include "names.h"
#include "parts.h"
#include "asm/blake_lanes_x86_64_call.h"

#if FIN_HAS_COMPRESSION(BLAKE3)
        FIN_CONSTANTS
/* Words of the rounds for two messages: x, y, diagonals. */
        .balign 64
FIN_LOCAL(words_blake3_2way):
        .long   0, 2, 4, 6, 16, 18, 20, 22, 1, 3, 5, 7, 17, 19, 21, 23
        .long   14, 8, 10, 12, 30, 24, 26, 28, 15, 9, 11, 13, 31, 25, 27, 29
        .long   2, 3, 7, 4, 18, 19, 23, 20, 6, 10, 0, 13, 22, 26, 16, 29
        .long   15, 1, 12, 9, 31, 17, 28, 25, 8, 11, 5, 14, 24, 27, 21, 30
        .long   3, 10, 13, 7, 19, 26, 29, 23, 4, 12, 2, 14, 20, 28, 18, 30
        .long   8, 6, 9, 11, 24, 22, 25, 27, 1, 5, 0, 15, 17, 21, 16, 31
        .long   10, 12, 14, 13, 26, 28, 30, 29, 7, 9, 3, 15, 23, 25, 19, 31
        .long   1, 4, 11, 5, 17, 20, 27, 21, 6, 0, 2, 8, 22, 16, 18, 24
        .long   12, 9, 15, 14, 28, 25, 31, 30, 13, 11, 10, 8, 29, 27, 26, 24
        .long   6, 7, 5, 0, 22, 23, 21, 16, 4, 2, 3, 1, 20, 18, 19, 17
        .long   9, 11, 8, 15, 25, 27, 24, 31, 14, 5, 12, 1, 30, 21, 28, 17
        .long   4, 13, 0, 2, 20, 29, 16, 18, 7, 3, 10, 6, 23, 19, 26, 22
        .long   11, 5, 1, 8, 27, 21, 17, 24, 15, 0, 9, 6, 31, 16, 25, 22
        .long   7, 14, 2, 3, 23, 30, 18, 19, 13, 10, 12, 4, 29, 26, 28, 20
/* Turns a row of each lane into a row of each message. */
        .balign 64
FIN_LOCAL(enter_blake3_2way):
        .long   0, 2, 4, 6, 1, 3, 5, 7
/* And back. */
        .balign 64
FIN_LOCAL(leave_blake3_2way):
        .long   0, 4, 1, 5, 2, 6, 3, 7
/* v8 .. v11 */
        .balign 64
FIN_LOCAL(seed_blake3_2way):
        .long   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
        .long   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
/* Masks out a chain's other flags. */
        .balign 64
FIN_LOCAL(flags_blake3_2way):
        .long   0xffffffff, 0xffffffff, 0xffffffff, 0x000000ff
        .long   0xffffffff, 0xffffffff, 0xffffffff, 0x000000ff
/* The length of a block that is not the last. */
        .balign 64
FIN_LOCAL(length_blake3_2way):
        .long   0, 0, 64, 0
        .long   0, 0, 64, 0

/*
 * Compresses blocks of two messages: fin_compress_lanes_fn in core/impl.h.
 *
 *   void fin_blake3_2way(fin_lanes *lanes (rdi), size_t blocks (rsi),
 *                        size_t stride (rdx))
 *
 * System V ABI. Messages need no alignment. Any number of blocks, 0 included. Branches and
 * addresses depend on the number of blocks, stride and lanes->in alone.
 *
 *   %rdi    lanes                       %rsi    blocks after this one
 *   %rdx    stride                      %rcx    offset of the next block from a message's first
 *   %r8, %r9  the messages' first blocks
 *   %rax    address of the next block's v12 .. v15
 *   %rsp    the words of rounds 0 to 6 of each stream; in the last round those of round 0 are
 * replaced
 *           by the next block's; then v12 .. v15 of blocks after the first, and of the last one
 *   ymm31   v8 .. v11 at the start
 *   ymm30   h0 .. h3 of messages 0, 1         ymm29   h4 .. h7
 *   ymm28   v12 .. v15 at the start     zmm27, zmm26  the blocks' words
 *   others  the state and intermediate values
 */
#define FIN_WAYS fin_blake3_2way
        .text
        FIN_FUNCTION(FIN_WAYS)
        .balign 64
FIN_SYMBOL(FIN_WAYS):
        .cfi_startproc
        endbr64
        test    %rsi, %rsi
        je      FIN_LOCAL(nothing_blake3_2way)
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $1024, %rsp
        and     $-64, %rsp
        mov     %rsi, %rax
        imul    %rdx, %rax
        mov     LANES_IN+0(%rdi), %r8
        add     %rax, LANES_IN+0(%rdi)
        mov     LANES_IN+8(%rdi), %r9
        add     %rax, LANES_IN+8(%rdi)
        vmovdqu (%r8), %xmm1
        vmovdqu 32(%r8), %xmm2
        vinserti128 $1, 16(%r8), %ymm1, %ymm1
        vinserti128 $1, 48(%r8), %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm1, %zmm27
        vmovdqu (%r9), %xmm1
        vmovdqu 32(%r9), %xmm2
        vinserti128 $1, 16(%r9), %ymm1, %ymm1
        vinserti128 $1, 48(%r9), %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm1, %zmm26
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+0(%rip), %zmm1
        vpermi2d %zmm26, %zmm27, %zmm1
        vmovdqa64 %zmm1, 0(%rsp)
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+64(%rip), %zmm1
        vpermi2d %zmm26, %zmm27, %zmm1
        vmovdqa64 %zmm1, 64(%rsp)
        mov     $0x88, %eax
        kmovw   %eax, %k1
        mov     $0x44, %eax
        kmovw   %eax, %k2
        xor     %eax, %eax
        cmp     $1, %rsi
        sete    %al
        neg     %eax
        kmovw   %eax, %k3                                   /* is the first block the last one? */
        vmovdqa64 FIN_LOCAL(enter_blake3_2way)(%rip), %ymm0
        vpermd  0(%rdi), %ymm0, %ymm30
        vpermd  32(%rdi), %ymm0, %ymm29
        vpermd  128(%rdi), %ymm0, %ymm28
        vpsrld  $8, %ymm28, %ymm1{%k1}{z}                   /* flags of the first block */
        vpsrld  $16, %ymm28, %ymm2{%k1}{z}                  /* flags of the last block */
        vpandd  FIN_LOCAL(flags_blake3_2way)(%rip), %ymm1, %ymm1
        vpandd  FIN_LOCAL(flags_blake3_2way)(%rip), %ymm28, %ymm28
        vpord   %ymm2, %ymm28, %ymm2
        vmovdqa32 FIN_LOCAL(length_blake3_2way)(%rip), %ymm28{%k2}
        vmovdqa64 %ymm28, 896(%rsp)
        vmovdqa64 %ymm2, 928(%rsp)
        vmovdqa32 %ymm2, %ymm28{%k3}
        vpord   %ymm1, %ymm28, %ymm28
        vmovdqa64 FIN_LOCAL(seed_blake3_2way)(%rip), %ymm31
        xor     %ecx, %ecx
        mov     %rcx, 960(%rsp)
        lea     928(%rsp), %rax
        mov     %rax, 968(%rsp)
        lea     896(%rsp), %rax
        .balign 64
FIN_LOCAL(block_blake3_2way):
        add     %rdx, %rcx
        dec     %rsi
        cmove   960(%rsp), %rcx
        cmp     $1, %rsi
        cmove   968(%rsp), %rax
        vprord  $16, %ymm28, %ymm0                          /* 0: d >>> 16 */
        vpaddd  0(%rsp), %ymm30, %ymm1                      /* 0: + x */
        vpaddd  %ymm29, %ymm1, %ymm2                        /* 0: a += b + x */
        vpslld  $16, %ymm2, %ymm3                           /* 0: a << 16 */
        vpsrld  $16, %ymm2, %ymm4                           /* 0: a >> 16 */
        vpternlogd $0x96, %ymm0, %ymm4, %ymm3               /* 0: d = (d ^ a) >>> 16 */
        vpaddd  %ymm31, %ymm3, %ymm5                        /* 0: c += d */
        vprord  $8, %ymm3, %ymm6                            /* 0: d >>> 8 */
        vpsrld  $12, %ymm5, %ymm7                           /* 0: c >> 12 */
        vpslld  $20, %ymm5, %ymm8                           /* 0: c << 20 */
        vpaddd  32(%rsp), %ymm2, %ymm9                      /* 0: + y */
        vprord  $12, %ymm29, %ymm10                         /* 0: b >>> 12 */
        vpternlogd $0x96, %ymm10, %ymm7, %ymm8              /* 0: b = (b ^ c) >>> 12 */
        vpaddd  %ymm8, %ymm9, %ymm11                        /* 0: a += b + y */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+128(%rip), %zmm12 /* 1: indices of words */
        vprord  $7, %ymm8, %ymm13                           /* 0: b >>> 7 */
        vpsrld  $8, %ymm11, %ymm14                          /* 0: a >> 8 */
        vpermi2d %zmm26, %zmm27, %zmm12                     /* 1: words */
        vmovdqa64 %zmm12, 128(%rsp)                         /* 1: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+192(%rip), %zmm15 /* 1: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm15                     /* 1: words */
        vmovdqa64 %zmm15, 192(%rsp)                         /* 1: words stored */
        vpslld  $24, %ymm11, %ymm16                         /* 0: a << 24 */
        vpshufd $0x93, %ymm11, %ymm17                       /* 0: words of a rotated */
        vpternlogd $0x96, %ymm6, %ymm14, %ymm16             /* 0: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %ymm16, %ymm18                       /* 0: words of d rotated */
        vpaddd  %ymm5, %ymm16, %ymm19                       /* 0: c += d */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+256(%rip), %zmm20 /* 2: indices of words */
        vprord  $16, %ymm18, %ymm21                         /* 0: d >>> 16 */
        vpsrld  $7, %ymm19, %ymm22                          /* 0: c >> 7 */
        vpermi2d %zmm26, %zmm27, %zmm20                     /* 2: words */
        vmovdqa64 %zmm20, 256(%rsp)                         /* 2: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+320(%rip), %zmm23 /* 2: indices of words */
        vpslld  $25, %ymm19, %ymm24                         /* 0: c << 25 */
        vpermi2d %zmm26, %zmm27, %zmm23                     /* 2: words */
        vmovdqa64 %zmm23, 320(%rsp)                         /* 2: words stored */
        vpshufd $0x39, %ymm19, %ymm25                       /* 0: words of c rotated */
        vpaddd  64(%rsp), %ymm17, %ymm1                     /* 0: + x */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+384(%rip), %zmm0 /* 3: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm0                      /* 3: words */
        vmovdqa64 %zmm0, 384(%rsp)                          /* 3: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+448(%rip), %zmm4 /* 3: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm4                      /* 3: words */
        vmovdqa64 %zmm4, 448(%rsp)                          /* 3: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+512(%rip), %zmm3 /* 4: indices of words */
        vpternlogd $0x96, %ymm13, %ymm24, %ymm22            /* 0: b = (b ^ c) >>> 7 */
        vpaddd  %ymm22, %ymm1, %ymm2                        /* 0: a += b + x */
        vprord  $12, %ymm22, %ymm10                         /* 0: b >>> 12 */
        vpsrld  $16, %ymm2, %ymm7                           /* 0: a >> 16 */
        vpslld  $16, %ymm2, %ymm9                           /* 0: a << 16 */
        vpermi2d %zmm26, %zmm27, %zmm3                      /* 4: words */
        vmovdqa64 %zmm3, 512(%rsp)                          /* 4: words stored */
        vpternlogd $0x96, %ymm21, %ymm7, %ymm9              /* 0: d = (d ^ a) >>> 16 */
        vpaddd  %ymm25, %ymm9, %ymm8                        /* 0: c += d */
        vpsrld  $12, %ymm8, %ymm12                          /* 0: c >> 12 */
        vpslld  $20, %ymm8, %ymm15                          /* 0: c << 20 */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+576(%rip), %zmm11 /* 4: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm11                     /* 4: words */
        vmovdqa64 %zmm11, 576(%rsp)                         /* 4: words stored */
        vprord  $8, %ymm9, %ymm6                            /* 0: d >>> 8 */
        vpaddd  96(%rsp), %ymm2, %ymm14                     /* 0: + y */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+640(%rip), %zmm5 /* 5: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm5                      /* 5: words */
        vmovdqa64 %zmm5, 640(%rsp)                          /* 5: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+704(%rip), %zmm16 /* 5: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm16                     /* 5: words */
        vmovdqa64 %zmm16, 704(%rsp)                         /* 5: words stored */
        vpternlogd $0x96, %ymm10, %ymm12, %ymm15            /* 0: b = (b ^ c) >>> 12 */
        vpaddd  %ymm15, %ymm14, %ymm18                      /* 0: a += b + y */
        vprord  $7, %ymm15, %ymm20                          /* 0: b >>> 7 */
        vpsrld  $8, %ymm18, %ymm23                          /* 0: a >> 8 */
        vpslld  $24, %ymm18, %ymm19                         /* 0: a << 24 */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+768(%rip), %zmm17 /* 6: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm17                     /* 6: words */
        vmovdqa64 %zmm17, 768(%rsp)                         /* 6: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+832(%rip), %zmm0 /* 6: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm0                      /* 6: words */
        vmovdqa64 %zmm0, 832(%rsp)                          /* 6: words stored */
        vpternlogd $0x96, %ymm6, %ymm23, %ymm19             /* 0: d = (d ^ a) >>> 8 */
        vpaddd  %ymm8, %ymm19, %ymm4                        /* 0: c += d */
        vpshufd $0x4e, %ymm19, %ymm13                       /* 0: words of d rotated */
        vpsrld  $7, %ymm4, %ymm24                           /* 0: c >> 7 */
        vpslld  $25, %ymm4, %ymm1                           /* 0: c << 25 */
        vpshufd $0x93, %ymm4, %ymm22                        /* 0: words of c rotated */
        vprord  $16, %ymm13, %ymm3                          /* 1: d >>> 16 */
        vpternlogd $0x96, %ymm20, %ymm1, %ymm24             /* 0: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %ymm18, %ymm21                       /* 0: words of a rotated */
        vpaddd  128(%rsp), %ymm21, %ymm7                    /* 1: + x */
        vpaddd  %ymm24, %ymm7, %ymm25                       /* 1: a += b + x */
        vmovdqa64 0(%rax), %ymm28                           /* the next block's v12 .. v15 */
        vpslld  $16, %ymm25, %ymm11                         /* 1: a << 16 */
        vpsrld  $16, %ymm25, %ymm9                          /* 1: a >> 16 */
        vpternlogd $0x96, %ymm3, %ymm9, %ymm11              /* 1: d = (d ^ a) >>> 16 */
        vpaddd  %ymm22, %ymm11, %ymm2                       /* 1: c += d */
        vprord  $8, %ymm11, %ymm5                           /* 1: d >>> 8 */
        vpsrld  $12, %ymm2, %ymm16                          /* 1: c >> 12 */
        vpslld  $20, %ymm2, %ymm10                          /* 1: c << 20 */
        vpaddd  160(%rsp), %ymm25, %ymm12                   /* 1: + y */
        vprord  $12, %ymm24, %ymm14                         /* 1: b >>> 12 */
        vpternlogd $0x96, %ymm14, %ymm16, %ymm10            /* 1: b = (b ^ c) >>> 12 */
        vpaddd  %ymm10, %ymm12, %ymm15                      /* 1: a += b + y */
        vprord  $7, %ymm10, %ymm17                          /* 1: b >>> 7 */
        vpsrld  $8, %ymm15, %ymm0                           /* 1: a >> 8 */
        vpslld  $24, %ymm15, %ymm6                          /* 1: a << 24 */
        vpshufd $0x93, %ymm15, %ymm23                       /* 1: words of a rotated */
        vpternlogd $0x96, %ymm5, %ymm0, %ymm6               /* 1: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %ymm6, %ymm8                         /* 1: words of d rotated */
        vpaddd  %ymm2, %ymm6, %ymm19                        /* 1: c += d */
        vprord  $16, %ymm8, %ymm4                           /* 1: d >>> 16 */
        vpsrld  $7, %ymm19, %ymm13                          /* 1: c >> 7 */
        vpslld  $25, %ymm19, %ymm20                         /* 1: c << 25 */
        vpshufd $0x39, %ymm19, %ymm1                        /* 1: words of c rotated */
        vpaddd  192(%rsp), %ymm23, %ymm18                   /* 1: + x */
        vpternlogd $0x96, %ymm17, %ymm20, %ymm13            /* 1: b = (b ^ c) >>> 7 */
        vpaddd  %ymm13, %ymm18, %ymm21                      /* 1: a += b + x */
        vprord  $12, %ymm13, %ymm7                          /* 1: b >>> 12 */
        vpsrld  $16, %ymm21, %ymm3                          /* 1: a >> 16 */
        vpslld  $16, %ymm21, %ymm9                          /* 1: a << 16 */
        vpternlogd $0x96, %ymm4, %ymm3, %ymm9               /* 1: d = (d ^ a) >>> 16 */
        vpaddd  %ymm1, %ymm9, %ymm22                        /* 1: c += d */
        vpsrld  $12, %ymm22, %ymm11                         /* 1: c >> 12 */
        vpslld  $20, %ymm22, %ymm25                         /* 1: c << 20 */
        vprord  $8, %ymm9, %ymm24                           /* 1: d >>> 8 */
        vpaddd  224(%rsp), %ymm21, %ymm14                   /* 1: + y */
        vpternlogd $0x96, %ymm7, %ymm11, %ymm25             /* 1: b = (b ^ c) >>> 12 */
        vpaddd  %ymm25, %ymm14, %ymm16                      /* 1: a += b + y */
        vprord  $7, %ymm25, %ymm12                          /* 1: b >>> 7 */
        vpsrld  $8, %ymm16, %ymm10                          /* 1: a >> 8 */
        vpslld  $24, %ymm16, %ymm15                         /* 1: a << 24 */
        vpternlogd $0x96, %ymm24, %ymm10, %ymm15            /* 1: d = (d ^ a) >>> 8 */
        vpaddd  %ymm22, %ymm15, %ymm5                       /* 1: c += d */
        vpshufd $0x4e, %ymm15, %ymm0                        /* 1: words of d rotated */
        vpsrld  $7, %ymm5, %ymm2                            /* 1: c >> 7 */
        vpslld  $25, %ymm5, %ymm6                           /* 1: c << 25 */
        vpshufd $0x93, %ymm5, %ymm8                         /* 1: words of c rotated */
        vprord  $16, %ymm0, %ymm19                          /* 2: d >>> 16 */
        vpternlogd $0x96, %ymm12, %ymm6, %ymm2              /* 1: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %ymm16, %ymm23                       /* 1: words of a rotated */
        vpaddd  256(%rsp), %ymm23, %ymm17                   /* 2: + x */
        vpaddd  %ymm2, %ymm17, %ymm20                       /* 2: a += b + x */
        vpslld  $16, %ymm20, %ymm18                         /* 2: a << 16 */
        vpsrld  $16, %ymm20, %ymm13                         /* 2: a >> 16 */
        vpternlogd $0x96, %ymm19, %ymm13, %ymm18            /* 2: d = (d ^ a) >>> 16 */
        vpaddd  %ymm8, %ymm18, %ymm4                        /* 2: c += d */
        vprord  $8, %ymm18, %ymm3                           /* 2: d >>> 8 */
        vpsrld  $12, %ymm4, %ymm1                           /* 2: c >> 12 */
        vpslld  $20, %ymm4, %ymm9                           /* 2: c << 20 */
        vpaddd  288(%rsp), %ymm20, %ymm21                   /* 2: + y */
        vprord  $12, %ymm2, %ymm7                           /* 2: b >>> 12 */
        vpternlogd $0x96, %ymm7, %ymm1, %ymm9               /* 2: b = (b ^ c) >>> 12 */
        vpaddd  %ymm9, %ymm21, %ymm11                       /* 2: a += b + y */
        vprord  $7, %ymm9, %ymm14                           /* 2: b >>> 7 */
        vpsrld  $8, %ymm11, %ymm25                          /* 2: a >> 8 */
        vpslld  $24, %ymm11, %ymm24                         /* 2: a << 24 */
        vpshufd $0x93, %ymm11, %ymm10                       /* 2: words of a rotated */
        vpternlogd $0x96, %ymm3, %ymm25, %ymm24             /* 2: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %ymm24, %ymm22                       /* 2: words of d rotated */
        vpaddd  %ymm4, %ymm24, %ymm15                       /* 2: c += d */
        vprord  $16, %ymm22, %ymm5                          /* 2: d >>> 16 */
        vpsrld  $7, %ymm15, %ymm0                           /* 2: c >> 7 */
        vpslld  $25, %ymm15, %ymm12                         /* 2: c << 25 */
        vpshufd $0x39, %ymm15, %ymm6                        /* 2: words of c rotated */
        vpaddd  320(%rsp), %ymm10, %ymm16                   /* 2: + x */
        vpternlogd $0x96, %ymm14, %ymm12, %ymm0             /* 2: b = (b ^ c) >>> 7 */
        vpaddd  %ymm0, %ymm16, %ymm23                       /* 2: a += b + x */
        vprord  $12, %ymm0, %ymm17                          /* 2: b >>> 12 */
        vpsrld  $16, %ymm23, %ymm19                         /* 2: a >> 16 */
        vpslld  $16, %ymm23, %ymm13                         /* 2: a << 16 */
        vpternlogd $0x96, %ymm5, %ymm19, %ymm13             /* 2: d = (d ^ a) >>> 16 */
        vpaddd  %ymm6, %ymm13, %ymm8                        /* 2: c += d */
        vpsrld  $12, %ymm8, %ymm18                          /* 2: c >> 12 */
        vpslld  $20, %ymm8, %ymm20                          /* 2: c << 20 */
        vprord  $8, %ymm13, %ymm2                           /* 2: d >>> 8 */
        vpaddd  352(%rsp), %ymm23, %ymm7                    /* 2: + y */
        vpternlogd $0x96, %ymm17, %ymm18, %ymm20            /* 2: b = (b ^ c) >>> 12 */
        vpaddd  %ymm20, %ymm7, %ymm1                        /* 2: a += b + y */
        vprord  $7, %ymm20, %ymm21                          /* 2: b >>> 7 */
        vpsrld  $8, %ymm1, %ymm9                            /* 2: a >> 8 */
        vpslld  $24, %ymm1, %ymm11                          /* 2: a << 24 */
        vpternlogd $0x96, %ymm2, %ymm9, %ymm11              /* 2: d = (d ^ a) >>> 8 */
        vpaddd  %ymm8, %ymm11, %ymm3                        /* 2: c += d */
        vpshufd $0x4e, %ymm11, %ymm25                       /* 2: words of d rotated */
        vpsrld  $7, %ymm3, %ymm4                            /* 2: c >> 7 */
        vpslld  $25, %ymm3, %ymm24                          /* 2: c << 25 */
        vpshufd $0x93, %ymm3, %ymm22                        /* 2: words of c rotated */
        vprord  $16, %ymm25, %ymm15                         /* 3: d >>> 16 */
        vpternlogd $0x96, %ymm21, %ymm24, %ymm4             /* 2: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %ymm1, %ymm10                        /* 2: words of a rotated */
        vpaddd  384(%rsp), %ymm10, %ymm14                   /* 3: + x */
        vpaddd  %ymm4, %ymm14, %ymm12                       /* 3: a += b + x */
        vpslld  $16, %ymm12, %ymm16                         /* 3: a << 16 */
        vpsrld  $16, %ymm12, %ymm0                          /* 3: a >> 16 */
        vpternlogd $0x96, %ymm15, %ymm0, %ymm16             /* 3: d = (d ^ a) >>> 16 */
        vpaddd  %ymm22, %ymm16, %ymm5                       /* 3: c += d */
        vprord  $8, %ymm16, %ymm19                          /* 3: d >>> 8 */
        vpsrld  $12, %ymm5, %ymm6                           /* 3: c >> 12 */
        vpslld  $20, %ymm5, %ymm13                          /* 3: c << 20 */
        vpaddd  416(%rsp), %ymm12, %ymm23                   /* 3: + y */
        vprord  $12, %ymm4, %ymm17                          /* 3: b >>> 12 */
        vpternlogd $0x96, %ymm17, %ymm6, %ymm13             /* 3: b = (b ^ c) >>> 12 */
        vpaddd  %ymm13, %ymm23, %ymm18                      /* 3: a += b + y */
        vprord  $7, %ymm13, %ymm7                           /* 3: b >>> 7 */
        vpsrld  $8, %ymm18, %ymm20                          /* 3: a >> 8 */
        vpslld  $24, %ymm18, %ymm2                          /* 3: a << 24 */
        vpshufd $0x93, %ymm18, %ymm9                        /* 3: words of a rotated */
        vpternlogd $0x96, %ymm19, %ymm20, %ymm2             /* 3: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %ymm2, %ymm8                         /* 3: words of d rotated */
        vpaddd  %ymm5, %ymm2, %ymm11                        /* 3: c += d */
        vprord  $16, %ymm8, %ymm3                           /* 3: d >>> 16 */
        vpsrld  $7, %ymm11, %ymm25                          /* 3: c >> 7 */
        vpslld  $25, %ymm11, %ymm21                         /* 3: c << 25 */
        vpshufd $0x39, %ymm11, %ymm24                       /* 3: words of c rotated */
        vpaddd  448(%rsp), %ymm9, %ymm1                     /* 3: + x */
        vpternlogd $0x96, %ymm7, %ymm21, %ymm25             /* 3: b = (b ^ c) >>> 7 */
        vpaddd  %ymm25, %ymm1, %ymm10                       /* 3: a += b + x */
        vprord  $12, %ymm25, %ymm14                         /* 3: b >>> 12 */
        vpsrld  $16, %ymm10, %ymm15                         /* 3: a >> 16 */
        vpslld  $16, %ymm10, %ymm0                          /* 3: a << 16 */
        vpternlogd $0x96, %ymm3, %ymm15, %ymm0              /* 3: d = (d ^ a) >>> 16 */
        vpaddd  %ymm24, %ymm0, %ymm22                       /* 3: c += d */
        vpsrld  $12, %ymm22, %ymm16                         /* 3: c >> 12 */
        vpslld  $20, %ymm22, %ymm12                         /* 3: c << 20 */
        vprord  $8, %ymm0, %ymm4                            /* 3: d >>> 8 */
        vpaddd  480(%rsp), %ymm10, %ymm17                   /* 3: + y */
        vpternlogd $0x96, %ymm14, %ymm16, %ymm12            /* 3: b = (b ^ c) >>> 12 */
        vpaddd  %ymm12, %ymm17, %ymm6                       /* 3: a += b + y */
        vprord  $7, %ymm12, %ymm23                          /* 3: b >>> 7 */
        vpsrld  $8, %ymm6, %ymm13                           /* 3: a >> 8 */
        vpslld  $24, %ymm6, %ymm18                          /* 3: a << 24 */
        vpternlogd $0x96, %ymm4, %ymm13, %ymm18             /* 3: d = (d ^ a) >>> 8 */
        vpaddd  %ymm22, %ymm18, %ymm19                      /* 3: c += d */
        vpshufd $0x4e, %ymm18, %ymm20                       /* 3: words of d rotated */
        vpsrld  $7, %ymm19, %ymm5                           /* 3: c >> 7 */
        vpslld  $25, %ymm19, %ymm2                          /* 3: c << 25 */
        vpshufd $0x93, %ymm19, %ymm8                        /* 3: words of c rotated */
        vprord  $16, %ymm20, %ymm11                         /* 4: d >>> 16 */
        vpternlogd $0x96, %ymm23, %ymm2, %ymm5              /* 3: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %ymm6, %ymm9                         /* 3: words of a rotated */
        vpaddd  512(%rsp), %ymm9, %ymm7                     /* 4: + x */
        vpaddd  %ymm5, %ymm7, %ymm21                        /* 4: a += b + x */
        vpslld  $16, %ymm21, %ymm1                          /* 4: a << 16 */
        vpsrld  $16, %ymm21, %ymm25                         /* 4: a >> 16 */
        vpternlogd $0x96, %ymm11, %ymm25, %ymm1             /* 4: d = (d ^ a) >>> 16 */
        vpaddd  %ymm8, %ymm1, %ymm3                         /* 4: c += d */
        vprord  $8, %ymm1, %ymm15                           /* 4: d >>> 8 */
        vpsrld  $12, %ymm3, %ymm24                          /* 4: c >> 12 */
        vpslld  $20, %ymm3, %ymm0                           /* 4: c << 20 */
        vpaddd  544(%rsp), %ymm21, %ymm10                   /* 4: + y */
        vprord  $12, %ymm5, %ymm14                          /* 4: b >>> 12 */
        vpternlogd $0x96, %ymm14, %ymm24, %ymm0             /* 4: b = (b ^ c) >>> 12 */
        vpaddd  %ymm0, %ymm10, %ymm16                       /* 4: a += b + y */
        vprord  $7, %ymm0, %ymm17                           /* 4: b >>> 7 */
        vpsrld  $8, %ymm16, %ymm12                          /* 4: a >> 8 */
        vpslld  $24, %ymm16, %ymm4                          /* 4: a << 24 */
        vpshufd $0x93, %ymm16, %ymm13                       /* 4: words of a rotated */
        vpternlogd $0x96, %ymm15, %ymm12, %ymm4             /* 4: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %ymm4, %ymm22                        /* 4: words of d rotated */
        vpaddd  %ymm3, %ymm4, %ymm18                        /* 4: c += d */
        vprord  $16, %ymm22, %ymm19                         /* 4: d >>> 16 */
        vpsrld  $7, %ymm18, %ymm20                          /* 4: c >> 7 */
        vpslld  $25, %ymm18, %ymm23                         /* 4: c << 25 */
        vpshufd $0x39, %ymm18, %ymm2                        /* 4: words of c rotated */
        vpaddd  576(%rsp), %ymm13, %ymm6                    /* 4: + x */
        vpternlogd $0x96, %ymm17, %ymm23, %ymm20            /* 4: b = (b ^ c) >>> 7 */
        vpaddd  %ymm20, %ymm6, %ymm9                        /* 4: a += b + x */
        vprord  $12, %ymm20, %ymm7                          /* 4: b >>> 12 */
        vpsrld  $16, %ymm9, %ymm11                          /* 4: a >> 16 */
        vpslld  $16, %ymm9, %ymm25                          /* 4: a << 16 */
        vpternlogd $0x96, %ymm19, %ymm11, %ymm25            /* 4: d = (d ^ a) >>> 16 */
        vpaddd  %ymm2, %ymm25, %ymm8                        /* 4: c += d */
        vpsrld  $12, %ymm8, %ymm1                           /* 4: c >> 12 */
        vpslld  $20, %ymm8, %ymm21                          /* 4: c << 20 */
        vprord  $8, %ymm25, %ymm5                           /* 4: d >>> 8 */
        vpaddd  608(%rsp), %ymm9, %ymm14                    /* 4: + y */
        vpternlogd $0x96, %ymm7, %ymm1, %ymm21              /* 4: b = (b ^ c) >>> 12 */
        vpaddd  %ymm21, %ymm14, %ymm24                      /* 4: a += b + y */
        vprord  $7, %ymm21, %ymm10                          /* 4: b >>> 7 */
        vpsrld  $8, %ymm24, %ymm0                           /* 4: a >> 8 */
        vpslld  $24, %ymm24, %ymm16                         /* 4: a << 24 */
        vpternlogd $0x96, %ymm5, %ymm0, %ymm16              /* 4: d = (d ^ a) >>> 8 */
        vpaddd  %ymm8, %ymm16, %ymm15                       /* 4: c += d */
        vpshufd $0x4e, %ymm16, %ymm12                       /* 4: words of d rotated */
        vpsrld  $7, %ymm15, %ymm3                           /* 4: c >> 7 */
        vpslld  $25, %ymm15, %ymm4                          /* 4: c << 25 */
        vpshufd $0x93, %ymm15, %ymm22                       /* 4: words of c rotated */
        vprord  $16, %ymm12, %ymm18                         /* 5: d >>> 16 */
        vpternlogd $0x96, %ymm10, %ymm4, %ymm3              /* 4: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %ymm24, %ymm13                       /* 4: words of a rotated */
        vpaddd  640(%rsp), %ymm13, %ymm17                   /* 5: + x */
        vpaddd  %ymm3, %ymm17, %ymm23                       /* 5: a += b + x */
        vpslld  $16, %ymm23, %ymm6                          /* 5: a << 16 */
        vpsrld  $16, %ymm23, %ymm20                         /* 5: a >> 16 */
        vpternlogd $0x96, %ymm18, %ymm20, %ymm6             /* 5: d = (d ^ a) >>> 16 */
        vpaddd  %ymm22, %ymm6, %ymm19                       /* 5: c += d */
        vprord  $8, %ymm6, %ymm11                           /* 5: d >>> 8 */
        vpsrld  $12, %ymm19, %ymm2                          /* 5: c >> 12 */
        vpslld  $20, %ymm19, %ymm25                         /* 5: c << 20 */
        vpaddd  672(%rsp), %ymm23, %ymm9                    /* 5: + y */
        vprord  $12, %ymm3, %ymm7                           /* 5: b >>> 12 */
        vpternlogd $0x96, %ymm7, %ymm2, %ymm25              /* 5: b = (b ^ c) >>> 12 */
        vpaddd  %ymm25, %ymm9, %ymm1                        /* 5: a += b + y */
        vprord  $7, %ymm25, %ymm14                          /* 5: b >>> 7 */
        vpsrld  $8, %ymm1, %ymm21                           /* 5: a >> 8 */
        vpslld  $24, %ymm1, %ymm5                           /* 5: a << 24 */
        vpshufd $0x93, %ymm1, %ymm0                         /* 5: words of a rotated */
        vpternlogd $0x96, %ymm11, %ymm21, %ymm5             /* 5: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %ymm5, %ymm8                         /* 5: words of d rotated */
        vpaddd  %ymm19, %ymm5, %ymm16                       /* 5: c += d */
        vprord  $16, %ymm8, %ymm15                          /* 5: d >>> 16 */
        vpsrld  $7, %ymm16, %ymm12                          /* 5: c >> 7 */
        vpslld  $25, %ymm16, %ymm10                         /* 5: c << 25 */
        vpshufd $0x39, %ymm16, %ymm4                        /* 5: words of c rotated */
        vpaddd  704(%rsp), %ymm0, %ymm24                    /* 5: + x */
        vpternlogd $0x96, %ymm14, %ymm10, %ymm12            /* 5: b = (b ^ c) >>> 7 */
        vpaddd  %ymm12, %ymm24, %ymm13                      /* 5: a += b + x */
        vprord  $12, %ymm12, %ymm17                         /* 5: b >>> 12 */
        vpsrld  $16, %ymm13, %ymm18                         /* 5: a >> 16 */
        vpslld  $16, %ymm13, %ymm20                         /* 5: a << 16 */
        vpternlogd $0x96, %ymm15, %ymm18, %ymm20            /* 5: d = (d ^ a) >>> 16 */
        vpaddd  %ymm4, %ymm20, %ymm22                       /* 5: c += d */
        vpsrld  $12, %ymm22, %ymm6                          /* 5: c >> 12 */
        vpslld  $20, %ymm22, %ymm23                         /* 5: c << 20 */
        vprord  $8, %ymm20, %ymm3                           /* 5: d >>> 8 */
        vpaddd  736(%rsp), %ymm13, %ymm7                    /* 5: + y */
        vpternlogd $0x96, %ymm17, %ymm6, %ymm23             /* 5: b = (b ^ c) >>> 12 */
        vpaddd  %ymm23, %ymm7, %ymm2                        /* 5: a += b + y */
        vprord  $7, %ymm23, %ymm9                           /* 5: b >>> 7 */
        vpsrld  $8, %ymm2, %ymm25                           /* 5: a >> 8 */
        vpslld  $24, %ymm2, %ymm1                           /* 5: a << 24 */
        vpternlogd $0x96, %ymm3, %ymm25, %ymm1              /* 5: d = (d ^ a) >>> 8 */
        vpaddd  %ymm22, %ymm1, %ymm11                       /* 5: c += d */
        vpshufd $0x4e, %ymm1, %ymm21                        /* 5: words of d rotated */
        vpsrld  $7, %ymm11, %ymm19                          /* 5: c >> 7 */
        vpslld  $25, %ymm11, %ymm5                          /* 5: c << 25 */
        vpshufd $0x93, %ymm11, %ymm8                        /* 5: words of c rotated */
        vprord  $16, %ymm21, %ymm16                         /* 6: d >>> 16 */
        vpternlogd $0x96, %ymm9, %ymm5, %ymm19              /* 5: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %ymm2, %ymm0                         /* 5: words of a rotated */
        vpaddd  768(%rsp), %ymm0, %ymm14                    /* 6: + x */
        vpaddd  %ymm19, %ymm14, %ymm10                      /* 6: a += b + x */
        vpslld  $16, %ymm10, %ymm24                         /* 6: a << 16 */
        vmovdqu64 (%r8,%rcx), %zmm27                        /* the next block */
        vmovdqu64 (%r9,%rcx), %zmm26                        /* the next block */
        vpsrld  $16, %ymm10, %ymm12                         /* 6: a >> 16 */
        vpternlogd $0x96, %ymm16, %ymm12, %ymm24            /* 6: d = (d ^ a) >>> 16 */
        vpaddd  %ymm8, %ymm24, %ymm15                       /* 6: c += d */
        vprord  $8, %ymm24, %ymm18                          /* 6: d >>> 8 */
        vpsrld  $12, %ymm15, %ymm4                          /* 6: c >> 12 */
        vpslld  $20, %ymm15, %ymm20                         /* 6: c << 20 */
        vpaddd  800(%rsp), %ymm10, %ymm13                   /* 6: + y */
        vprord  $12, %ymm19, %ymm17                         /* 6: b >>> 12 */
        vpternlogd $0x96, %ymm17, %ymm4, %ymm20             /* 6: b = (b ^ c) >>> 12 */
        vpaddd  %ymm20, %ymm13, %ymm6                       /* 6: a += b + y */
        vprord  $7, %ymm20, %ymm7                           /* 6: b >>> 7 */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+0(%rip), %zmm23 /* 0: indices of words */
        vpsrld  $8, %ymm6, %ymm3                            /* 6: a >> 8 */
        vpermi2d %zmm26, %zmm27, %zmm23                     /* 0: words */
        vmovdqa64 %zmm23, 0(%rsp)                           /* 0: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_2way)+64(%rip), %zmm25 /* 0: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm25                     /* 0: words */
        vmovdqa64 %zmm25, 64(%rsp)                          /* 0: words stored */
        vpslld  $24, %ymm6, %ymm22                          /* 6: a << 24 */
        vpshufd $0x93, %ymm6, %ymm1                         /* 6: words of a rotated */
        vpternlogd $0x96, %ymm18, %ymm3, %ymm22             /* 6: d = (d ^ a) >>> 8 */
        vpshufd $0x4e, %ymm22, %ymm11                       /* 6: words of d rotated */
        vpaddd  %ymm15, %ymm22, %ymm21                      /* 6: c += d */
        vprord  $16, %ymm11, %ymm9                          /* 6: d >>> 16 */
        vpsrld  $7, %ymm21, %ymm5                           /* 6: c >> 7 */
        vpslld  $25, %ymm21, %ymm2                          /* 6: c << 25 */
        vpshufd $0x39, %ymm21, %ymm0                        /* 6: words of c rotated */
        vpaddd  832(%rsp), %ymm1, %ymm14                    /* 6: + x */
        vpternlogd $0x96, %ymm7, %ymm2, %ymm5               /* 6: b = (b ^ c) >>> 7 */
        vpaddd  %ymm5, %ymm14, %ymm16                       /* 6: a += b + x */
        vprord  $12, %ymm5, %ymm12                          /* 6: b >>> 12 */
        vpsrld  $16, %ymm16, %ymm8                          /* 6: a >> 16 */
        vpslld  $16, %ymm16, %ymm24                         /* 6: a << 16 */
        vpternlogd $0x96, %ymm9, %ymm8, %ymm24              /* 6: d = (d ^ a) >>> 16 */
        vpaddd  %ymm0, %ymm24, %ymm10                       /* 6: c += d */
        vpsrld  $12, %ymm10, %ymm19                         /* 6: c >> 12 */
        vpslld  $20, %ymm10, %ymm17                         /* 6: c << 20 */
        vprord  $8, %ymm24, %ymm4                           /* 6: d >>> 8 */
        vpaddd  864(%rsp), %ymm16, %ymm13                   /* 6: + y */
        vpternlogd $0x96, %ymm12, %ymm19, %ymm17            /* 6: b = (b ^ c) >>> 12 */
        vpaddd  %ymm17, %ymm13, %ymm20                      /* 6: a += b + y */
        vprord  $7, %ymm17, %ymm23                          /* 6: b >>> 7 */
        vpsrld  $8, %ymm20, %ymm25                          /* 6: a >> 8 */
        vpslld  $24, %ymm20, %ymm6                          /* 6: a << 24 */
        vpternlogd $0x96, %ymm4, %ymm25, %ymm6              /* 6: d = (d ^ a) >>> 8 */
        vpaddd  %ymm10, %ymm6, %ymm18                       /* 6: c += d */
        vpshufd $0x4e, %ymm6, %ymm3                         /* 6: words of d rotated */
        vpsrld  $7, %ymm18, %ymm15                          /* 6: c >> 7 */
        vpslld  $25, %ymm18, %ymm22                         /* 6: c << 25 */
        vpshufd $0x93, %ymm18, %ymm11                       /* 6: words of c rotated */
        vpternlogd $0x96, %ymm23, %ymm22, %ymm15            /* 6: b = (b ^ c) >>> 7 */
        vpshufd $0x39, %ymm20, %ymm21                       /* 6: words of a rotated */
        vpxord  %ymm15, %ymm3, %ymm29                       /* h = b ^ d */
        vpxord  %ymm21, %ymm11, %ymm30                      /* h = a ^ c */
        test    %rsi, %rsi
        jne     FIN_LOCAL(block_blake3_2way)
        vmovdqa64 FIN_LOCAL(leave_blake3_2way)(%rip), %ymm0
        vpermd  %ymm30, %ymm0, %ymm1
        vmovdqu64 %ymm1, 0(%rdi)
        vpermd  %ymm29, %ymm0, %ymm1
        vmovdqu64 %ymm1, 32(%rdi)
        vzeroupper
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
FIN_LOCAL(nothing_blake3_2way):
        ret
        .cfi_endproc
        FIN_END(FIN_WAYS)
#undef FIN_WAYS
#endif

#if FIN_HAS_COMPRESSION(BLAKE3)
        FIN_CONSTANTS
/* Words of the rounds for two messages: x, y, diagonals. */
        .balign 64
FIN_LOCAL(words_blake3_4way):
        .long   0, 2, 4, 6, 16, 18, 20, 22, 1, 3, 5, 7, 17, 19, 21, 23
        .long   14, 8, 10, 12, 30, 24, 26, 28, 15, 9, 11, 13, 31, 25, 27, 29
        .long   2, 3, 7, 4, 18, 19, 23, 20, 6, 10, 0, 13, 22, 26, 16, 29
        .long   15, 1, 12, 9, 31, 17, 28, 25, 8, 11, 5, 14, 24, 27, 21, 30
        .long   3, 10, 13, 7, 19, 26, 29, 23, 4, 12, 2, 14, 20, 28, 18, 30
        .long   8, 6, 9, 11, 24, 22, 25, 27, 1, 5, 0, 15, 17, 21, 16, 31
        .long   10, 12, 14, 13, 26, 28, 30, 29, 7, 9, 3, 15, 23, 25, 19, 31
        .long   1, 4, 11, 5, 17, 20, 27, 21, 6, 0, 2, 8, 22, 16, 18, 24
        .long   12, 9, 15, 14, 28, 25, 31, 30, 13, 11, 10, 8, 29, 27, 26, 24
        .long   6, 7, 5, 0, 22, 23, 21, 16, 4, 2, 3, 1, 20, 18, 19, 17
        .long   9, 11, 8, 15, 25, 27, 24, 31, 14, 5, 12, 1, 30, 21, 28, 17
        .long   4, 13, 0, 2, 20, 29, 16, 18, 7, 3, 10, 6, 23, 19, 26, 22
        .long   11, 5, 1, 8, 27, 21, 17, 24, 15, 0, 9, 6, 31, 16, 25, 22
        .long   7, 14, 2, 3, 23, 30, 18, 19, 13, 10, 12, 4, 29, 26, 28, 20
/* Turns a row of each lane into a row of each message. */
        .balign 64
FIN_LOCAL(enter_blake3_4way):
        .long   0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15
/* And back. */
        .balign 64
FIN_LOCAL(leave_blake3_4way):
        .long   0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15
/* v8 .. v11 */
        .balign 64
FIN_LOCAL(seed_blake3_4way):
        .long   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
        .long   0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
/* Masks out a chain's other flags. */
        .balign 64
FIN_LOCAL(flags_blake3_4way):
        .long   0xffffffff, 0xffffffff, 0xffffffff, 0x000000ff
        .long   0xffffffff, 0xffffffff, 0xffffffff, 0x000000ff
/* The length of a block that is not the last. */
        .balign 64
FIN_LOCAL(length_blake3_4way):
        .long   0, 0, 64, 0
        .long   0, 0, 64, 0

/*
 * Compresses blocks of four messages: fin_compress_lanes_fn in core/impl.h.
 *
 *   void fin_blake3_4way(fin_lanes *lanes (rdi), size_t blocks (rsi),
 *                        size_t stride (rdx))
 *
 * System V ABI. Messages need no alignment. Any number of blocks, 0 included. Branches and
 * addresses depend on the number of blocks, stride and lanes->in alone.
 *
 *   %rdi    lanes                       %rsi    blocks after this one
 *   %rdx    stride                      %rcx    offset of the next block from a message's first
 *   %r8, %r9, %r10, %r11  the messages' first blocks
 *   %rax    address of the next block's v12 .. v15
 *   %rsp    the words of rounds 0 to 6 of each stream; in the last round those of round 0 are
 * replaced
 *           by the next block's; then v12 .. v15 of blocks after the first, and of the last one
 *   ymm31   v8 .. v11 at the start
 *   ymm30   h0 .. h3 of messages 0, 1         ymm29   h4 .. h7
 *   ymm28   v12 .. v15 at the start     zmm27, zmm26  the blocks' words
 *   ymm25   h0 .. h3 of messages 2, 3         ymm24   h4 .. h7
 *   ymm23   v12 .. v15 at the start     zmm22, zmm21  the blocks' words
 *   others  the state and intermediate values
 */
#define FIN_WAYS fin_blake3_4way
        .text
        FIN_FUNCTION(FIN_WAYS)
        .balign 64
FIN_SYMBOL(FIN_WAYS):
        .cfi_startproc
        endbr64
        test    %rsi, %rsi
        je      FIN_LOCAL(nothing_blake3_4way)
        push    %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        sub     $1984, %rsp
        and     $-64, %rsp
        mov     %rsi, %rax
        imul    %rdx, %rax
        mov     LANES_IN+0(%rdi), %r8
        add     %rax, LANES_IN+0(%rdi)
        mov     LANES_IN+8(%rdi), %r9
        add     %rax, LANES_IN+8(%rdi)
        mov     LANES_IN+16(%rdi), %r10
        add     %rax, LANES_IN+16(%rdi)
        mov     LANES_IN+24(%rdi), %r11
        add     %rax, LANES_IN+24(%rdi)
        vmovdqu (%r8), %xmm1
        vmovdqu 32(%r8), %xmm2
        vinserti128 $1, 16(%r8), %ymm1, %ymm1
        vinserti128 $1, 48(%r8), %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm1, %zmm27
        vmovdqu (%r9), %xmm1
        vmovdqu 32(%r9), %xmm2
        vinserti128 $1, 16(%r9), %ymm1, %ymm1
        vinserti128 $1, 48(%r9), %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm1, %zmm26
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+0(%rip), %zmm1
        vpermi2d %zmm26, %zmm27, %zmm1
        vmovdqa64 %zmm1, 0(%rsp)
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+64(%rip), %zmm1
        vpermi2d %zmm26, %zmm27, %zmm1
        vmovdqa64 %zmm1, 64(%rsp)
        vmovdqu (%r10), %xmm1
        vmovdqu 32(%r10), %xmm2
        vinserti128 $1, 16(%r10), %ymm1, %ymm1
        vinserti128 $1, 48(%r10), %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm1, %zmm22
        vmovdqu (%r11), %xmm1
        vmovdqu 32(%r11), %xmm2
        vinserti128 $1, 16(%r11), %ymm1, %ymm1
        vinserti128 $1, 48(%r11), %ymm2, %ymm2
        vinserti64x4 $1, %ymm2, %zmm1, %zmm21
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+0(%rip), %zmm1
        vpermi2d %zmm21, %zmm22, %zmm1
        vmovdqa64 %zmm1, 896(%rsp)
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+64(%rip), %zmm1
        vpermi2d %zmm21, %zmm22, %zmm1
        vmovdqa64 %zmm1, 960(%rsp)
        mov     $0x88, %eax
        kmovw   %eax, %k1
        mov     $0x44, %eax
        kmovw   %eax, %k2
        xor     %eax, %eax
        cmp     $1, %rsi
        sete    %al
        neg     %eax
        kmovw   %eax, %k3                                   /* is the first block the last one? */
        vmovdqa64 FIN_LOCAL(enter_blake3_4way)(%rip), %zmm0
        vpermd  0(%rdi), %zmm0, %zmm30
        vextracti64x4 $1, %zmm30, %ymm25
        vpermd  64(%rdi), %zmm0, %zmm29
        vextracti64x4 $1, %zmm29, %ymm24
        vpermd  256(%rdi), %zmm0, %zmm28
        vextracti64x4 $1, %zmm28, %ymm23
        vpsrld  $8, %ymm28, %ymm1{%k1}{z}                   /* flags of the first block */
        vpsrld  $16, %ymm28, %ymm2{%k1}{z}                  /* flags of the last block */
        vpandd  FIN_LOCAL(flags_blake3_4way)(%rip), %ymm1, %ymm1
        vpandd  FIN_LOCAL(flags_blake3_4way)(%rip), %ymm28, %ymm28
        vpord   %ymm2, %ymm28, %ymm2
        vmovdqa32 FIN_LOCAL(length_blake3_4way)(%rip), %ymm28{%k2}
        vmovdqa64 %ymm28, 1792(%rsp)
        vmovdqa64 %ymm2, 1856(%rsp)
        vmovdqa32 %ymm2, %ymm28{%k3}
        vpord   %ymm1, %ymm28, %ymm28
        vpsrld  $8, %ymm23, %ymm1{%k1}{z}                   /* flags of the first block */
        vpsrld  $16, %ymm23, %ymm2{%k1}{z}                  /* flags of the last block */
        vpandd  FIN_LOCAL(flags_blake3_4way)(%rip), %ymm1, %ymm1
        vpandd  FIN_LOCAL(flags_blake3_4way)(%rip), %ymm23, %ymm23
        vpord   %ymm2, %ymm23, %ymm2
        vmovdqa32 FIN_LOCAL(length_blake3_4way)(%rip), %ymm23{%k2}
        vmovdqa64 %ymm23, 1824(%rsp)
        vmovdqa64 %ymm2, 1888(%rsp)
        vmovdqa32 %ymm2, %ymm23{%k3}
        vpord   %ymm1, %ymm23, %ymm23
        vmovdqa64 FIN_LOCAL(seed_blake3_4way)(%rip), %ymm31
        xor     %ecx, %ecx
        mov     %rcx, 1920(%rsp)
        lea     1856(%rsp), %rax
        mov     %rax, 1928(%rsp)
        lea     1792(%rsp), %rax
        .balign 64
FIN_LOCAL(block_blake3_4way):
        add     %rdx, %rcx
        dec     %rsi
        cmove   1920(%rsp), %rcx
        cmp     $1, %rsi
        cmove   1928(%rsp), %rax
        vprord  $16, %ymm28, %ymm0                          /* A: 0: d >>> 16 */
        vprord  $16, %ymm23, %ymm1                          /* B: 0: d >>> 16 */
        vpaddd  0(%rsp), %ymm30, %ymm2                      /* A: 0: + x */
        vpaddd  896(%rsp), %ymm25, %ymm3                    /* B: 0: + x */
        vpaddd  %ymm29, %ymm2, %ymm4                        /* A: 0: a += b + x */
        vpaddd  %ymm24, %ymm3, %ymm5                        /* B: 0: a += b + x */
        vpslld  $16, %ymm4, %ymm6                           /* A: 0: a << 16 */
        vpslld  $16, %ymm5, %ymm7                           /* B: 0: a << 16 */
        vpsrld  $16, %ymm4, %ymm8                           /* A: 0: a >> 16 */
        vpsrld  $16, %ymm5, %ymm9                           /* B: 0: a >> 16 */
        vpternlogd $0x96, %ymm0, %ymm8, %ymm6               /* A: 0: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm1, %ymm9, %ymm7               /* B: 0: d = (d ^ a) >>> 16 */
        vpaddd  %ymm31, %ymm6, %ymm10                       /* A: 0: c += d */
        vpaddd  %ymm31, %ymm7, %ymm11                       /* B: 0: c += d */
        vpxord  %ymm29, %ymm10, %ymm12                      /* A: 0: b ^= c */
        vpxord  %ymm24, %ymm11, %ymm13                      /* B: 0: b ^= c */
        vprord  $12, %ymm12, %ymm14                         /* A: 0: b >>>= 12 */
        vprord  $12, %ymm13, %ymm15                         /* B: 0: b >>>= 12 */
        vpaddd  32(%rsp), %ymm4, %ymm16                     /* A: 0: + y */
        vpaddd  928(%rsp), %ymm5, %ymm17                    /* B: 0: + y */
        vpaddd  %ymm14, %ymm16, %ymm18                      /* A: 0: a += b + y */
        vpaddd  %ymm15, %ymm17, %ymm19                      /* B: 0: a += b + y */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+128(%rip), %zmm20 /* A: 1: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+128(%rip), %zmm2 /* B: 1: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm20                     /* A: 1: words */
        vpermi2d %zmm21, %zmm22, %zmm2                      /* B: 1: words */
        vmovdqa64 %zmm20, 128(%rsp)                         /* A: 1: words stored */
        vmovdqa64 %zmm2, 1024(%rsp)                         /* B: 1: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+192(%rip), %zmm3 /* A: 1: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+192(%rip), %zmm0 /* B: 1: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm3                      /* A: 1: words */
        vpermi2d %zmm21, %zmm22, %zmm0                      /* B: 1: words */
        vmovdqa64 %zmm3, 192(%rsp)                          /* A: 1: words stored */
        vmovdqa64 %zmm0, 1088(%rsp)                         /* B: 1: words stored */
        vpxord  %ymm6, %ymm18, %ymm8                        /* A: 0: d ^= a */
        vpshufd $0x93, %ymm18, %ymm1                        /* A: 0: words of a rotated */
        vpxord  %ymm7, %ymm19, %ymm9                        /* B: 0: d ^= a */
        vpshufd $0x93, %ymm19, %ymm12                       /* B: 0: words of a rotated */
        vprord  $8, %ymm8, %ymm13                           /* A: 0: d >>>= 8 */
        vprord  $8, %ymm9, %ymm4                            /* B: 0: d >>>= 8 */
        vpshufd $0x4e, %ymm13, %ymm5                        /* A: 0: words of d rotated */
        vpshufd $0x4e, %ymm4, %ymm16                        /* B: 0: words of d rotated */
        vpaddd  %ymm10, %ymm13, %ymm17                      /* A: 0: c += d */
        vpaddd  %ymm11, %ymm4, %ymm20                       /* B: 0: c += d */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+256(%rip), %zmm2 /* A: 2: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+256(%rip), %zmm3 /* B: 2: indices of words */
        vprord  $16, %ymm5, %ymm0                           /* A: 0: d >>> 16 */
        vprord  $16, %ymm16, %ymm6                          /* B: 0: d >>> 16 */
        vpermi2d %zmm26, %zmm27, %zmm2                      /* A: 2: words */
        vpermi2d %zmm21, %zmm22, %zmm3                      /* B: 2: words */
        vmovdqa64 %zmm2, 256(%rsp)                          /* A: 2: words stored */
        vmovdqa64 %zmm3, 1152(%rsp)                         /* B: 2: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+320(%rip), %zmm18 /* A: 2: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+320(%rip), %zmm7 /* B: 2: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm18                     /* A: 2: words */
        vpermi2d %zmm21, %zmm22, %zmm7                      /* B: 2: words */
        vmovdqa64 %zmm18, 320(%rsp)                         /* A: 2: words stored */
        vmovdqa64 %zmm7, 1216(%rsp)                         /* B: 2: words stored */
        vpxord  %ymm14, %ymm17, %ymm19                      /* A: 0: b ^= c */
        vpxord  %ymm15, %ymm20, %ymm8                       /* B: 0: b ^= c */
        vpshufd $0x39, %ymm17, %ymm9                        /* A: 0: words of c rotated */
        vpshufd $0x39, %ymm20, %ymm10                       /* B: 0: words of c rotated */
        vpaddd  64(%rsp), %ymm1, %ymm13                     /* A: 0: + x */
        vpaddd  960(%rsp), %ymm12, %ymm11                   /* B: 0: + x */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+384(%rip), %zmm4 /* A: 3: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+384(%rip), %zmm5 /* B: 3: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm4                      /* A: 3: words */
        vpermi2d %zmm21, %zmm22, %zmm5                      /* B: 3: words */
        vmovdqa64 %zmm4, 384(%rsp)                          /* A: 3: words stored */
        vmovdqa64 %zmm5, 1280(%rsp)                         /* B: 3: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+448(%rip), %zmm16 /* A: 3: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+448(%rip), %zmm2 /* B: 3: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm16                     /* A: 3: words */
        vpermi2d %zmm21, %zmm22, %zmm2                      /* B: 3: words */
        vmovdqa64 %zmm16, 448(%rsp)                         /* A: 3: words stored */
        vmovdqa64 %zmm2, 1344(%rsp)                         /* B: 3: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+512(%rip), %zmm3 /* A: 4: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+512(%rip), %zmm18 /* B: 4: indices of words */
        vprord  $7, %ymm19, %ymm7                           /* A: 0: b >>>= 7 */
        vprord  $7, %ymm8, %ymm14                           /* B: 0: b >>>= 7 */
        vpaddd  %ymm7, %ymm13, %ymm15                       /* A: 0: a += b + x */
        vpaddd  %ymm14, %ymm11, %ymm17                      /* B: 0: a += b + x */
        vpsrld  $16, %ymm15, %ymm20                         /* A: 0: a >> 16 */
        vpslld  $16, %ymm15, %ymm1                          /* A: 0: a << 16 */
        vpsrld  $16, %ymm17, %ymm12                         /* B: 0: a >> 16 */
        vpslld  $16, %ymm17, %ymm4                          /* B: 0: a << 16 */
        vpermi2d %zmm26, %zmm27, %zmm3                      /* A: 4: words */
        vpermi2d %zmm21, %zmm22, %zmm18                     /* B: 4: words */
        vmovdqa64 %zmm3, 512(%rsp)                          /* A: 4: words stored */
        vmovdqa64 %zmm18, 1408(%rsp)                        /* B: 4: words stored */
        vpternlogd $0x96, %ymm0, %ymm20, %ymm1              /* A: 0: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm6, %ymm12, %ymm4              /* B: 0: d = (d ^ a) >>> 16 */
        vpaddd  %ymm9, %ymm1, %ymm5                         /* A: 0: c += d */
        vpaddd  %ymm10, %ymm4, %ymm16                       /* B: 0: c += d */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+576(%rip), %zmm2 /* A: 4: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+576(%rip), %zmm19 /* B: 4: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm2                      /* A: 4: words */
        vpermi2d %zmm21, %zmm22, %zmm19                     /* B: 4: words */
        vmovdqa64 %zmm2, 576(%rsp)                          /* A: 4: words stored */
        vmovdqa64 %zmm19, 1472(%rsp)                        /* B: 4: words stored */
        vpxor   %ymm7, %ymm5, %ymm8                         /* A: 0: b ^= c */
        vpxord  %ymm14, %ymm16, %ymm13                      /* B: 0: b ^= c */
        vpaddd  96(%rsp), %ymm15, %ymm11                    /* A: 0: + y */
        vpaddd  992(%rsp), %ymm17, %ymm3                    /* B: 0: + y */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+640(%rip), %zmm18 /* A: 5: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+640(%rip), %zmm0 /* B: 5: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm18                     /* A: 5: words */
        vpermi2d %zmm21, %zmm22, %zmm0                      /* B: 5: words */
        vmovdqa64 %zmm18, 640(%rsp)                         /* A: 5: words stored */
        vmovdqa64 %zmm0, 1536(%rsp)                         /* B: 5: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+704(%rip), %zmm20 /* A: 5: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+704(%rip), %zmm6 /* B: 5: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm20                     /* A: 5: words */
        vpermi2d %zmm21, %zmm22, %zmm6                      /* B: 5: words */
        vmovdqa64 %zmm20, 704(%rsp)                         /* A: 5: words stored */
        vmovdqa64 %zmm6, 1600(%rsp)                         /* B: 5: words stored */
        vprord  $12, %ymm8, %ymm12                          /* A: 0: b >>>= 12 */
        vprord  $12, %ymm13, %ymm9                          /* B: 0: b >>>= 12 */
        vpaddd  %ymm12, %ymm11, %ymm10                      /* A: 0: a += b + y */
        vpaddd  %ymm9, %ymm3, %ymm2                         /* B: 0: a += b + y */
        vpxord  %ymm1, %ymm10, %ymm19                       /* A: 0: d ^= a */
        vpxor   %ymm4, %ymm2, %ymm7                         /* B: 0: d ^= a */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+768(%rip), %zmm14 /* A: 6: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+768(%rip), %zmm15 /* B: 6: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm14                     /* A: 6: words */
        vpermi2d %zmm21, %zmm22, %zmm15                     /* B: 6: words */
        vmovdqa64 %zmm14, 768(%rsp)                         /* A: 6: words stored */
        vmovdqa64 %zmm15, 1664(%rsp)                        /* B: 6: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+832(%rip), %zmm17 /* A: 6: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+832(%rip), %zmm18 /* B: 6: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm17                     /* A: 6: words */
        vpermi2d %zmm21, %zmm22, %zmm18                     /* B: 6: words */
        vmovdqa64 %zmm17, 832(%rsp)                         /* A: 6: words stored */
        vmovdqa64 %zmm18, 1728(%rsp)                        /* B: 6: words stored */
        vprord  $8, %ymm19, %ymm0                           /* A: 0: d >>>= 8 */
        vprord  $8, %ymm7, %ymm20                           /* B: 0: d >>>= 8 */
        vpaddd  %ymm5, %ymm0, %ymm6                         /* A: 0: c += d */
        vpshufd $0x4e, %ymm0, %ymm8                         /* A: 0: words of d rotated */
        vpaddd  %ymm16, %ymm20, %ymm13                      /* B: 0: c += d */
        vpshufd $0x4e, %ymm20, %ymm11                       /* B: 0: words of d rotated */
        vpxor   %ymm12, %ymm6, %ymm3                        /* A: 0: b ^= c */
        vpshufd $0x93, %ymm6, %ymm1                         /* A: 0: words of c rotated */
        vprord  $16, %ymm8, %ymm4                           /* A: 1: d >>> 16 */
        vpxor   %ymm9, %ymm13, %ymm14                       /* B: 0: b ^= c */
        vpshufd $0x93, %ymm13, %ymm15                       /* B: 0: words of c rotated */
        vprord  $16, %ymm11, %ymm17                         /* B: 1: d >>> 16 */
        vprord  $7, %ymm3, %ymm18                           /* A: 0: b >>>= 7 */
        vprord  $7, %ymm14, %ymm19                          /* B: 0: b >>>= 7 */
        vpshufd $0x39, %ymm10, %ymm7                        /* A: 0: words of a rotated */
        vpshufd $0x39, %ymm2, %ymm5                         /* B: 0: words of a rotated */
        vpaddd  128(%rsp), %ymm7, %ymm0                     /* A: 1: + x */
        vpaddd  1024(%rsp), %ymm5, %ymm16                   /* B: 1: + x */
        vpaddd  %ymm18, %ymm0, %ymm20                       /* A: 1: a += b + x */
        vpaddd  %ymm19, %ymm16, %ymm12                      /* B: 1: a += b + x */
        vmovdqa64 0(%rax), %ymm28                           /* A: the next block's v12 .. v15 */
        vmovdqa64 32(%rax), %ymm23                          /* B: the next block's v12 .. v15 */
        vpslld  $16, %ymm20, %ymm6                          /* A: 1: a << 16 */
        vpslld  $16, %ymm12, %ymm8                          /* B: 1: a << 16 */
        vpsrld  $16, %ymm20, %ymm9                          /* A: 1: a >> 16 */
        vpsrld  $16, %ymm12, %ymm13                         /* B: 1: a >> 16 */
        vpternlogd $0x96, %ymm4, %ymm9, %ymm6               /* A: 1: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm17, %ymm13, %ymm8             /* B: 1: d = (d ^ a) >>> 16 */
        vpaddd  %ymm1, %ymm6, %ymm11                        /* A: 1: c += d */
        vpaddd  %ymm15, %ymm8, %ymm3                        /* B: 1: c += d */
        vpxord  %ymm18, %ymm11, %ymm14                      /* A: 1: b ^= c */
        vpxord  %ymm19, %ymm3, %ymm10                       /* B: 1: b ^= c */
        vprord  $12, %ymm14, %ymm2                          /* A: 1: b >>>= 12 */
        vprord  $12, %ymm10, %ymm7                          /* B: 1: b >>>= 12 */
        vpaddd  160(%rsp), %ymm20, %ymm5                    /* A: 1: + y */
        vpaddd  1056(%rsp), %ymm12, %ymm0                   /* B: 1: + y */
        vpaddd  %ymm2, %ymm5, %ymm16                        /* A: 1: a += b + y */
        vpaddd  %ymm7, %ymm0, %ymm4                         /* B: 1: a += b + y */
        vpxord  %ymm6, %ymm16, %ymm9                        /* A: 1: d ^= a */
        vpshufd $0x93, %ymm16, %ymm17                       /* A: 1: words of a rotated */
        vpxor   %ymm8, %ymm4, %ymm13                        /* B: 1: d ^= a */
        vpshufd $0x93, %ymm4, %ymm1                         /* B: 1: words of a rotated */
        vprord  $8, %ymm9, %ymm15                           /* A: 1: d >>>= 8 */
        vprord  $8, %ymm13, %ymm18                          /* B: 1: d >>>= 8 */
        vpshufd $0x4e, %ymm15, %ymm19                       /* A: 1: words of d rotated */
        vpshufd $0x4e, %ymm18, %ymm14                       /* B: 1: words of d rotated */
        vpaddd  %ymm11, %ymm15, %ymm10                      /* A: 1: c += d */
        vpaddd  %ymm3, %ymm18, %ymm20                       /* B: 1: c += d */
        vprord  $16, %ymm19, %ymm12                         /* A: 1: d >>> 16 */
        vprord  $16, %ymm14, %ymm5                          /* B: 1: d >>> 16 */
        vpxor   %ymm2, %ymm10, %ymm0                        /* A: 1: b ^= c */
        vpxord  %ymm7, %ymm20, %ymm6                        /* B: 1: b ^= c */
        vpshufd $0x39, %ymm10, %ymm16                       /* A: 1: words of c rotated */
        vpshufd $0x39, %ymm20, %ymm8                        /* B: 1: words of c rotated */
        vpaddd  192(%rsp), %ymm17, %ymm4                    /* A: 1: + x */
        vpaddd  1088(%rsp), %ymm1, %ymm9                    /* B: 1: + x */
        vprord  $7, %ymm0, %ymm13                           /* A: 1: b >>>= 7 */
        vprord  $7, %ymm6, %ymm11                           /* B: 1: b >>>= 7 */
        vpaddd  %ymm13, %ymm4, %ymm15                       /* A: 1: a += b + x */
        vpaddd  %ymm11, %ymm9, %ymm3                        /* B: 1: a += b + x */
        vpsrld  $16, %ymm15, %ymm18                         /* A: 1: a >> 16 */
        vpslld  $16, %ymm15, %ymm19                         /* A: 1: a << 16 */
        vpsrld  $16, %ymm3, %ymm14                          /* B: 1: a >> 16 */
        vpslld  $16, %ymm3, %ymm2                           /* B: 1: a << 16 */
        vpternlogd $0x96, %ymm12, %ymm18, %ymm19            /* A: 1: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm5, %ymm14, %ymm2              /* B: 1: d = (d ^ a) >>> 16 */
        vpaddd  %ymm16, %ymm19, %ymm7                       /* A: 1: c += d */
        vpaddd  %ymm8, %ymm2, %ymm10                        /* B: 1: c += d */
        vpxord  %ymm13, %ymm7, %ymm20                       /* A: 1: b ^= c */
        vpxord  %ymm11, %ymm10, %ymm17                      /* B: 1: b ^= c */
        vpaddd  224(%rsp), %ymm15, %ymm1                    /* A: 1: + y */
        vpaddd  1120(%rsp), %ymm3, %ymm0                    /* B: 1: + y */
        vprord  $12, %ymm20, %ymm6                          /* A: 1: b >>>= 12 */
        vprord  $12, %ymm17, %ymm4                          /* B: 1: b >>>= 12 */
        vpaddd  %ymm6, %ymm1, %ymm9                         /* A: 1: a += b + y */
        vpaddd  %ymm4, %ymm0, %ymm12                        /* B: 1: a += b + y */
        vpxord  %ymm19, %ymm9, %ymm18                       /* A: 1: d ^= a */
        vpxor   %ymm2, %ymm12, %ymm5                        /* B: 1: d ^= a */
        vprord  $8, %ymm18, %ymm14                          /* A: 1: d >>>= 8 */
        vprord  $8, %ymm5, %ymm16                           /* B: 1: d >>>= 8 */
        vpaddd  %ymm7, %ymm14, %ymm8                        /* A: 1: c += d */
        vpshufd $0x4e, %ymm14, %ymm13                       /* A: 1: words of d rotated */
        vpaddd  %ymm10, %ymm16, %ymm11                      /* B: 1: c += d */
        vpshufd $0x4e, %ymm16, %ymm15                       /* B: 1: words of d rotated */
        vpxor   %ymm6, %ymm8, %ymm3                         /* A: 1: b ^= c */
        vpshufd $0x93, %ymm8, %ymm20                        /* A: 1: words of c rotated */
        vprord  $16, %ymm13, %ymm17                         /* A: 2: d >>> 16 */
        vpxor   %ymm4, %ymm11, %ymm1                        /* B: 1: b ^= c */
        vpshufd $0x93, %ymm11, %ymm0                        /* B: 1: words of c rotated */
        vprord  $16, %ymm15, %ymm19                         /* B: 2: d >>> 16 */
        vprord  $7, %ymm3, %ymm2                            /* A: 1: b >>>= 7 */
        vprord  $7, %ymm1, %ymm18                           /* B: 1: b >>>= 7 */
        vpshufd $0x39, %ymm9, %ymm5                         /* A: 1: words of a rotated */
        vpshufd $0x39, %ymm12, %ymm7                        /* B: 1: words of a rotated */
        vpaddd  256(%rsp), %ymm5, %ymm14                    /* A: 2: + x */
        vpaddd  1152(%rsp), %ymm7, %ymm10                   /* B: 2: + x */
        vpaddd  %ymm2, %ymm14, %ymm16                       /* A: 2: a += b + x */
        vpaddd  %ymm18, %ymm10, %ymm6                       /* B: 2: a += b + x */
        vpslld  $16, %ymm16, %ymm8                          /* A: 2: a << 16 */
        vpslld  $16, %ymm6, %ymm13                          /* B: 2: a << 16 */
        vpsrld  $16, %ymm16, %ymm4                          /* A: 2: a >> 16 */
        vpsrld  $16, %ymm6, %ymm11                          /* B: 2: a >> 16 */
        vpternlogd $0x96, %ymm17, %ymm4, %ymm8              /* A: 2: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm19, %ymm11, %ymm13            /* B: 2: d = (d ^ a) >>> 16 */
        vpaddd  %ymm20, %ymm8, %ymm15                       /* A: 2: c += d */
        vpaddd  %ymm0, %ymm13, %ymm3                        /* B: 2: c += d */
        vpxor   %ymm2, %ymm15, %ymm1                        /* A: 2: b ^= c */
        vpxord  %ymm18, %ymm3, %ymm9                        /* B: 2: b ^= c */
        vprord  $12, %ymm1, %ymm12                          /* A: 2: b >>>= 12 */
        vprord  $12, %ymm9, %ymm5                           /* B: 2: b >>>= 12 */
        vpaddd  288(%rsp), %ymm16, %ymm7                    /* A: 2: + y */
        vpaddd  1184(%rsp), %ymm6, %ymm14                   /* B: 2: + y */
        vpaddd  %ymm12, %ymm7, %ymm10                       /* A: 2: a += b + y */
        vpaddd  %ymm5, %ymm14, %ymm17                       /* B: 2: a += b + y */
        vpxor   %ymm8, %ymm10, %ymm4                        /* A: 2: d ^= a */
        vpshufd $0x93, %ymm10, %ymm19                       /* A: 2: words of a rotated */
        vpxord  %ymm13, %ymm17, %ymm11                      /* B: 2: d ^= a */
        vpshufd $0x93, %ymm17, %ymm20                       /* B: 2: words of a rotated */
        vprord  $8, %ymm4, %ymm0                            /* A: 2: d >>>= 8 */
        vprord  $8, %ymm11, %ymm2                           /* B: 2: d >>>= 8 */
        vpshufd $0x4e, %ymm0, %ymm18                        /* A: 2: words of d rotated */
        vpshufd $0x4e, %ymm2, %ymm1                         /* B: 2: words of d rotated */
        vpaddd  %ymm15, %ymm0, %ymm9                        /* A: 2: c += d */
        vpaddd  %ymm3, %ymm2, %ymm16                        /* B: 2: c += d */
        vprord  $16, %ymm18, %ymm6                          /* A: 2: d >>> 16 */
        vprord  $16, %ymm1, %ymm7                           /* B: 2: d >>> 16 */
        vpxor   %ymm12, %ymm9, %ymm14                       /* A: 2: b ^= c */
        vpxord  %ymm5, %ymm16, %ymm8                        /* B: 2: b ^= c */
        vpshufd $0x39, %ymm9, %ymm10                        /* A: 2: words of c rotated */
        vpshufd $0x39, %ymm16, %ymm13                       /* B: 2: words of c rotated */
        vpaddd  320(%rsp), %ymm19, %ymm17                   /* A: 2: + x */
        vpaddd  1216(%rsp), %ymm20, %ymm4                   /* B: 2: + x */
        vprord  $7, %ymm14, %ymm11                          /* A: 2: b >>>= 7 */
        vprord  $7, %ymm8, %ymm15                           /* B: 2: b >>>= 7 */
        vpaddd  %ymm11, %ymm17, %ymm0                       /* A: 2: a += b + x */
        vpaddd  %ymm15, %ymm4, %ymm3                        /* B: 2: a += b + x */
        vpsrld  $16, %ymm0, %ymm2                           /* A: 2: a >> 16 */
        vpslld  $16, %ymm0, %ymm18                          /* A: 2: a << 16 */
        vpsrld  $16, %ymm3, %ymm1                           /* B: 2: a >> 16 */
        vpslld  $16, %ymm3, %ymm12                          /* B: 2: a << 16 */
        vpternlogd $0x96, %ymm6, %ymm2, %ymm18              /* A: 2: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm7, %ymm1, %ymm12              /* B: 2: d = (d ^ a) >>> 16 */
        vpaddd  %ymm10, %ymm18, %ymm5                       /* A: 2: c += d */
        vpaddd  %ymm13, %ymm12, %ymm9                       /* B: 2: c += d */
        vpxord  %ymm11, %ymm5, %ymm16                       /* A: 2: b ^= c */
        vpxord  %ymm15, %ymm9, %ymm19                       /* B: 2: b ^= c */
        vpaddd  352(%rsp), %ymm0, %ymm20                    /* A: 2: + y */
        vpaddd  1248(%rsp), %ymm3, %ymm14                   /* B: 2: + y */
        vprord  $12, %ymm16, %ymm8                          /* A: 2: b >>>= 12 */
        vprord  $12, %ymm19, %ymm17                         /* B: 2: b >>>= 12 */
        vpaddd  %ymm8, %ymm20, %ymm4                        /* A: 2: a += b + y */
        vpaddd  %ymm17, %ymm14, %ymm6                       /* B: 2: a += b + y */
        vpxord  %ymm18, %ymm4, %ymm2                        /* A: 2: d ^= a */
        vpxor   %ymm12, %ymm6, %ymm7                        /* B: 2: d ^= a */
        vprord  $8, %ymm2, %ymm1                            /* A: 2: d >>>= 8 */
        vprord  $8, %ymm7, %ymm10                           /* B: 2: d >>>= 8 */
        vpaddd  %ymm5, %ymm1, %ymm13                        /* A: 2: c += d */
        vpshufd $0x4e, %ymm1, %ymm11                        /* A: 2: words of d rotated */
        vpaddd  %ymm9, %ymm10, %ymm15                       /* B: 2: c += d */
        vpshufd $0x4e, %ymm10, %ymm0                        /* B: 2: words of d rotated */
        vpxor   %ymm8, %ymm13, %ymm3                        /* A: 2: b ^= c */
        vpshufd $0x93, %ymm13, %ymm16                       /* A: 2: words of c rotated */
        vprord  $16, %ymm11, %ymm19                         /* A: 3: d >>> 16 */
        vpxord  %ymm17, %ymm15, %ymm20                      /* B: 2: b ^= c */
        vpshufd $0x93, %ymm15, %ymm14                       /* B: 2: words of c rotated */
        vprord  $16, %ymm0, %ymm18                          /* B: 3: d >>> 16 */
        vprord  $7, %ymm3, %ymm12                           /* A: 2: b >>>= 7 */
        vprord  $7, %ymm20, %ymm2                           /* B: 2: b >>>= 7 */
        vpshufd $0x39, %ymm4, %ymm7                         /* A: 2: words of a rotated */
        vpshufd $0x39, %ymm6, %ymm5                         /* B: 2: words of a rotated */
        vpaddd  384(%rsp), %ymm7, %ymm1                     /* A: 3: + x */
        vpaddd  1280(%rsp), %ymm5, %ymm9                    /* B: 3: + x */
        vpaddd  %ymm12, %ymm1, %ymm10                       /* A: 3: a += b + x */
        vpaddd  %ymm2, %ymm9, %ymm8                         /* B: 3: a += b + x */
        vpslld  $16, %ymm10, %ymm13                         /* A: 3: a << 16 */
        vpslld  $16, %ymm8, %ymm11                          /* B: 3: a << 16 */
        vpsrld  $16, %ymm10, %ymm17                         /* A: 3: a >> 16 */
        vpsrld  $16, %ymm8, %ymm15                          /* B: 3: a >> 16 */
        vpternlogd $0x96, %ymm19, %ymm17, %ymm13            /* A: 3: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm18, %ymm15, %ymm11            /* B: 3: d = (d ^ a) >>> 16 */
        vpaddd  %ymm16, %ymm13, %ymm0                       /* A: 3: c += d */
        vpaddd  %ymm14, %ymm11, %ymm3                       /* B: 3: c += d */
        vpxord  %ymm12, %ymm0, %ymm20                       /* A: 3: b ^= c */
        vpxor   %ymm2, %ymm3, %ymm4                         /* B: 3: b ^= c */
        vprord  $12, %ymm20, %ymm6                          /* A: 3: b >>>= 12 */
        vprord  $12, %ymm4, %ymm7                           /* B: 3: b >>>= 12 */
        vpaddd  416(%rsp), %ymm10, %ymm5                    /* A: 3: + y */
        vpaddd  1312(%rsp), %ymm8, %ymm1                    /* B: 3: + y */
        vpaddd  %ymm6, %ymm5, %ymm9                         /* A: 3: a += b + y */
        vpaddd  %ymm7, %ymm1, %ymm19                        /* B: 3: a += b + y */
        vpxord  %ymm13, %ymm9, %ymm17                       /* A: 3: d ^= a */
        vpshufd $0x93, %ymm9, %ymm18                        /* A: 3: words of a rotated */
        vpxord  %ymm11, %ymm19, %ymm15                      /* B: 3: d ^= a */
        vpshufd $0x93, %ymm19, %ymm16                       /* B: 3: words of a rotated */
        vprord  $8, %ymm17, %ymm14                          /* A: 3: d >>>= 8 */
        vprord  $8, %ymm15, %ymm12                          /* B: 3: d >>>= 8 */
        vpshufd $0x4e, %ymm14, %ymm2                        /* A: 3: words of d rotated */
        vpshufd $0x4e, %ymm12, %ymm20                       /* B: 3: words of d rotated */
        vpaddd  %ymm0, %ymm14, %ymm4                        /* A: 3: c += d */
        vpaddd  %ymm3, %ymm12, %ymm10                       /* B: 3: c += d */
        vprord  $16, %ymm2, %ymm8                           /* A: 3: d >>> 16 */
        vprord  $16, %ymm20, %ymm5                          /* B: 3: d >>> 16 */
        vpxor   %ymm6, %ymm4, %ymm1                         /* A: 3: b ^= c */
        vpxor   %ymm7, %ymm10, %ymm13                       /* B: 3: b ^= c */
        vpshufd $0x39, %ymm4, %ymm9                         /* A: 3: words of c rotated */
        vpshufd $0x39, %ymm10, %ymm11                       /* B: 3: words of c rotated */
        vpaddd  448(%rsp), %ymm18, %ymm19                   /* A: 3: + x */
        vpaddd  1344(%rsp), %ymm16, %ymm17                  /* B: 3: + x */
        vprord  $7, %ymm1, %ymm15                           /* A: 3: b >>>= 7 */
        vprord  $7, %ymm13, %ymm0                           /* B: 3: b >>>= 7 */
        vpaddd  %ymm15, %ymm19, %ymm14                      /* A: 3: a += b + x */
        vpaddd  %ymm0, %ymm17, %ymm3                        /* B: 3: a += b + x */
        vpsrld  $16, %ymm14, %ymm12                         /* A: 3: a >> 16 */
        vpslld  $16, %ymm14, %ymm2                          /* A: 3: a << 16 */
        vpsrld  $16, %ymm3, %ymm20                          /* B: 3: a >> 16 */
        vpslld  $16, %ymm3, %ymm6                           /* B: 3: a << 16 */
        vpternlogd $0x96, %ymm8, %ymm12, %ymm2              /* A: 3: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm5, %ymm20, %ymm6              /* B: 3: d = (d ^ a) >>> 16 */
        vpaddd  %ymm9, %ymm2, %ymm7                         /* A: 3: c += d */
        vpaddd  %ymm11, %ymm6, %ymm4                        /* B: 3: c += d */
        vpxor   %ymm15, %ymm7, %ymm10                       /* A: 3: b ^= c */
        vpxord  %ymm0, %ymm4, %ymm18                        /* B: 3: b ^= c */
        vpaddd  480(%rsp), %ymm14, %ymm16                   /* A: 3: + y */
        vpaddd  1376(%rsp), %ymm3, %ymm1                    /* B: 3: + y */
        vprord  $12, %ymm10, %ymm13                         /* A: 3: b >>>= 12 */
        vprord  $12, %ymm18, %ymm19                         /* B: 3: b >>>= 12 */
        vpaddd  %ymm13, %ymm16, %ymm17                      /* A: 3: a += b + y */
        vpaddd  %ymm19, %ymm1, %ymm8                        /* B: 3: a += b + y */
        vpxord  %ymm2, %ymm17, %ymm12                       /* A: 3: d ^= a */
        vpxor   %ymm6, %ymm8, %ymm5                         /* B: 3: d ^= a */
        vprord  $8, %ymm12, %ymm20                          /* A: 3: d >>>= 8 */
        vprord  $8, %ymm5, %ymm9                            /* B: 3: d >>>= 8 */
        vpaddd  %ymm7, %ymm20, %ymm11                       /* A: 3: c += d */
        vpshufd $0x4e, %ymm20, %ymm15                       /* A: 3: words of d rotated */
        vpaddd  %ymm4, %ymm9, %ymm0                         /* B: 3: c += d */
        vpshufd $0x4e, %ymm9, %ymm14                        /* B: 3: words of d rotated */
        vpxor   %ymm13, %ymm11, %ymm3                       /* A: 3: b ^= c */
        vpshufd $0x93, %ymm11, %ymm10                       /* A: 3: words of c rotated */
        vprord  $16, %ymm15, %ymm18                         /* A: 4: d >>> 16 */
        vpxord  %ymm19, %ymm0, %ymm16                       /* B: 3: b ^= c */
        vpshufd $0x93, %ymm0, %ymm1                         /* B: 3: words of c rotated */
        vprord  $16, %ymm14, %ymm2                          /* B: 4: d >>> 16 */
        vprord  $7, %ymm3, %ymm6                            /* A: 3: b >>>= 7 */
        vprord  $7, %ymm16, %ymm12                          /* B: 3: b >>>= 7 */
        vpshufd $0x39, %ymm17, %ymm5                        /* A: 3: words of a rotated */
        vpshufd $0x39, %ymm8, %ymm7                         /* B: 3: words of a rotated */
        vpaddd  512(%rsp), %ymm5, %ymm20                    /* A: 4: + x */
        vpaddd  1408(%rsp), %ymm7, %ymm4                    /* B: 4: + x */
        vpaddd  %ymm6, %ymm20, %ymm9                        /* A: 4: a += b + x */
        vpaddd  %ymm12, %ymm4, %ymm13                       /* B: 4: a += b + x */
        vpslld  $16, %ymm9, %ymm11                          /* A: 4: a << 16 */
        vpslld  $16, %ymm13, %ymm15                         /* B: 4: a << 16 */
        vpsrld  $16, %ymm9, %ymm19                          /* A: 4: a >> 16 */
        vpsrld  $16, %ymm13, %ymm0                          /* B: 4: a >> 16 */
        vpternlogd $0x96, %ymm18, %ymm19, %ymm11            /* A: 4: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm2, %ymm0, %ymm15              /* B: 4: d = (d ^ a) >>> 16 */
        vpaddd  %ymm10, %ymm11, %ymm14                      /* A: 4: c += d */
        vpaddd  %ymm1, %ymm15, %ymm3                        /* B: 4: c += d */
        vpxord  %ymm6, %ymm14, %ymm16                       /* A: 4: b ^= c */
        vpxord  %ymm12, %ymm3, %ymm17                       /* B: 4: b ^= c */
        vprord  $12, %ymm16, %ymm8                          /* A: 4: b >>>= 12 */
        vprord  $12, %ymm17, %ymm5                          /* B: 4: b >>>= 12 */
        vpaddd  544(%rsp), %ymm9, %ymm7                     /* A: 4: + y */
        vpaddd  1440(%rsp), %ymm13, %ymm20                  /* B: 4: + y */
        vpaddd  %ymm8, %ymm7, %ymm4                         /* A: 4: a += b + y */
        vpaddd  %ymm5, %ymm20, %ymm18                       /* B: 4: a += b + y */
        vpxord  %ymm11, %ymm4, %ymm19                       /* A: 4: d ^= a */
        vpshufd $0x93, %ymm4, %ymm2                         /* A: 4: words of a rotated */
        vpxord  %ymm15, %ymm18, %ymm0                       /* B: 4: d ^= a */
        vpshufd $0x93, %ymm18, %ymm10                       /* B: 4: words of a rotated */
        vprord  $8, %ymm19, %ymm1                           /* A: 4: d >>>= 8 */
        vprord  $8, %ymm0, %ymm6                            /* B: 4: d >>>= 8 */
        vpshufd $0x4e, %ymm1, %ymm12                        /* A: 4: words of d rotated */
        vpshufd $0x4e, %ymm6, %ymm16                        /* B: 4: words of d rotated */
        vpaddd  %ymm14, %ymm1, %ymm17                       /* A: 4: c += d */
        vpaddd  %ymm3, %ymm6, %ymm9                         /* B: 4: c += d */
        vprord  $16, %ymm12, %ymm13                         /* A: 4: d >>> 16 */
        vprord  $16, %ymm16, %ymm7                          /* B: 4: d >>> 16 */
        vpxord  %ymm8, %ymm17, %ymm20                       /* A: 4: b ^= c */
        vpxor   %ymm5, %ymm9, %ymm11                        /* B: 4: b ^= c */
        vpshufd $0x39, %ymm17, %ymm4                        /* A: 4: words of c rotated */
        vpshufd $0x39, %ymm9, %ymm15                        /* B: 4: words of c rotated */
        vpaddd  576(%rsp), %ymm2, %ymm18                    /* A: 4: + x */
        vpaddd  1472(%rsp), %ymm10, %ymm19                  /* B: 4: + x */
        vprord  $7, %ymm20, %ymm0                           /* A: 4: b >>>= 7 */
        vprord  $7, %ymm11, %ymm14                          /* B: 4: b >>>= 7 */
        vpaddd  %ymm0, %ymm18, %ymm1                        /* A: 4: a += b + x */
        vpaddd  %ymm14, %ymm19, %ymm3                       /* B: 4: a += b + x */
        vpsrld  $16, %ymm1, %ymm6                           /* A: 4: a >> 16 */
        vpslld  $16, %ymm1, %ymm12                          /* A: 4: a << 16 */
        vpsrld  $16, %ymm3, %ymm16                          /* B: 4: a >> 16 */
        vpslld  $16, %ymm3, %ymm8                           /* B: 4: a << 16 */
        vpternlogd $0x96, %ymm13, %ymm6, %ymm12             /* A: 4: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm7, %ymm16, %ymm8              /* B: 4: d = (d ^ a) >>> 16 */
        vpaddd  %ymm4, %ymm12, %ymm5                        /* A: 4: c += d */
        vpaddd  %ymm15, %ymm8, %ymm17                       /* B: 4: c += d */
        vpxor   %ymm0, %ymm5, %ymm9                         /* A: 4: b ^= c */
        vpxord  %ymm14, %ymm17, %ymm2                       /* B: 4: b ^= c */
        vpaddd  608(%rsp), %ymm1, %ymm10                    /* A: 4: + y */
        vpaddd  1504(%rsp), %ymm3, %ymm20                   /* B: 4: + y */
        vprord  $12, %ymm9, %ymm11                          /* A: 4: b >>>= 12 */
        vprord  $12, %ymm2, %ymm18                          /* B: 4: b >>>= 12 */
        vpaddd  %ymm11, %ymm10, %ymm19                      /* A: 4: a += b + y */
        vpaddd  %ymm18, %ymm20, %ymm13                      /* B: 4: a += b + y */
        vpxord  %ymm12, %ymm19, %ymm6                       /* A: 4: d ^= a */
        vpxor   %ymm8, %ymm13, %ymm7                        /* B: 4: d ^= a */
        vprord  $8, %ymm6, %ymm16                           /* A: 4: d >>>= 8 */
        vprord  $8, %ymm7, %ymm4                            /* B: 4: d >>>= 8 */
        vpaddd  %ymm5, %ymm16, %ymm15                       /* A: 4: c += d */
        vpshufd $0x4e, %ymm16, %ymm0                        /* A: 4: words of d rotated */
        vpaddd  %ymm17, %ymm4, %ymm14                       /* B: 4: c += d */
        vpshufd $0x4e, %ymm4, %ymm1                         /* B: 4: words of d rotated */
        vpxor   %ymm11, %ymm15, %ymm3                       /* A: 4: b ^= c */
        vpshufd $0x93, %ymm15, %ymm9                        /* A: 4: words of c rotated */
        vprord  $16, %ymm0, %ymm2                           /* A: 5: d >>> 16 */
        vpxord  %ymm18, %ymm14, %ymm10                      /* B: 4: b ^= c */
        vpshufd $0x93, %ymm14, %ymm20                       /* B: 4: words of c rotated */
        vprord  $16, %ymm1, %ymm12                          /* B: 5: d >>> 16 */
        vprord  $7, %ymm3, %ymm8                            /* A: 4: b >>>= 7 */
        vprord  $7, %ymm10, %ymm6                           /* B: 4: b >>>= 7 */
        vpshufd $0x39, %ymm19, %ymm7                        /* A: 4: words of a rotated */
        vpshufd $0x39, %ymm13, %ymm5                        /* B: 4: words of a rotated */
        vpaddd  640(%rsp), %ymm7, %ymm16                    /* A: 5: + x */
        vpaddd  1536(%rsp), %ymm5, %ymm17                   /* B: 5: + x */
        vpaddd  %ymm8, %ymm16, %ymm4                        /* A: 5: a += b + x */
        vpaddd  %ymm6, %ymm17, %ymm11                       /* B: 5: a += b + x */
        vpslld  $16, %ymm4, %ymm15                          /* A: 5: a << 16 */
        vpslld  $16, %ymm11, %ymm0                          /* B: 5: a << 16 */
        vpsrld  $16, %ymm4, %ymm18                          /* A: 5: a >> 16 */
        vpsrld  $16, %ymm11, %ymm14                         /* B: 5: a >> 16 */
        vpternlogd $0x96, %ymm2, %ymm18, %ymm15             /* A: 5: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm12, %ymm14, %ymm0             /* B: 5: d = (d ^ a) >>> 16 */
        vpaddd  %ymm9, %ymm15, %ymm1                        /* A: 5: c += d */
        vpaddd  %ymm20, %ymm0, %ymm3                        /* B: 5: c += d */
        vpxor   %ymm8, %ymm1, %ymm10                        /* A: 5: b ^= c */
        vpxord  %ymm6, %ymm3, %ymm19                        /* B: 5: b ^= c */
        vprord  $12, %ymm10, %ymm13                         /* A: 5: b >>>= 12 */
        vprord  $12, %ymm19, %ymm7                          /* B: 5: b >>>= 12 */
        vpaddd  672(%rsp), %ymm4, %ymm5                     /* A: 5: + y */
        vpaddd  1568(%rsp), %ymm11, %ymm16                  /* B: 5: + y */
        vpaddd  %ymm13, %ymm5, %ymm17                       /* A: 5: a += b + y */
        vpaddd  %ymm7, %ymm16, %ymm2                        /* B: 5: a += b + y */
        vpxord  %ymm15, %ymm17, %ymm18                      /* A: 5: d ^= a */
        vpshufd $0x93, %ymm17, %ymm12                       /* A: 5: words of a rotated */
        vpxor   %ymm0, %ymm2, %ymm14                        /* B: 5: d ^= a */
        vpshufd $0x93, %ymm2, %ymm9                         /* B: 5: words of a rotated */
        vprord  $8, %ymm18, %ymm20                          /* A: 5: d >>>= 8 */
        vprord  $8, %ymm14, %ymm8                           /* B: 5: d >>>= 8 */
        vpshufd $0x4e, %ymm20, %ymm6                        /* A: 5: words of d rotated */
        vpshufd $0x4e, %ymm8, %ymm10                        /* B: 5: words of d rotated */
        vpaddd  %ymm1, %ymm20, %ymm19                       /* A: 5: c += d */
        vpaddd  %ymm3, %ymm8, %ymm4                         /* B: 5: c += d */
        vprord  $16, %ymm6, %ymm11                          /* A: 5: d >>> 16 */
        vprord  $16, %ymm10, %ymm5                          /* B: 5: d >>> 16 */
        vpxord  %ymm13, %ymm19, %ymm16                      /* A: 5: b ^= c */
        vpxor   %ymm7, %ymm4, %ymm15                        /* B: 5: b ^= c */
        vpshufd $0x39, %ymm19, %ymm17                       /* A: 5: words of c rotated */
        vpshufd $0x39, %ymm4, %ymm0                         /* B: 5: words of c rotated */
        vpaddd  704(%rsp), %ymm12, %ymm2                    /* A: 5: + x */
        vpaddd  1600(%rsp), %ymm9, %ymm18                   /* B: 5: + x */
        vprord  $7, %ymm16, %ymm14                          /* A: 5: b >>>= 7 */
        vprord  $7, %ymm15, %ymm1                           /* B: 5: b >>>= 7 */
        vpaddd  %ymm14, %ymm2, %ymm20                       /* A: 5: a += b + x */
        vpaddd  %ymm1, %ymm18, %ymm3                        /* B: 5: a += b + x */
        vpsrld  $16, %ymm20, %ymm8                          /* A: 5: a >> 16 */
        vpslld  $16, %ymm20, %ymm6                          /* A: 5: a << 16 */
        vpsrld  $16, %ymm3, %ymm10                          /* B: 5: a >> 16 */
        vpslld  $16, %ymm3, %ymm13                          /* B: 5: a << 16 */
        vpternlogd $0x96, %ymm11, %ymm8, %ymm6              /* A: 5: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm5, %ymm10, %ymm13             /* B: 5: d = (d ^ a) >>> 16 */
        vpaddd  %ymm17, %ymm6, %ymm7                        /* A: 5: c += d */
        vpaddd  %ymm0, %ymm13, %ymm19                       /* B: 5: c += d */
        vpxor   %ymm14, %ymm7, %ymm4                        /* A: 5: b ^= c */
        vpxord  %ymm1, %ymm19, %ymm12                       /* B: 5: b ^= c */
        vpaddd  736(%rsp), %ymm20, %ymm9                    /* A: 5: + y */
        vpaddd  1632(%rsp), %ymm3, %ymm16                   /* B: 5: + y */
        vprord  $12, %ymm4, %ymm15                          /* A: 5: b >>>= 12 */
        vprord  $12, %ymm12, %ymm2                          /* B: 5: b >>>= 12 */
        vpaddd  %ymm15, %ymm9, %ymm18                       /* A: 5: a += b + y */
        vpaddd  %ymm2, %ymm16, %ymm11                       /* B: 5: a += b + y */
        vpxord  %ymm6, %ymm18, %ymm8                        /* A: 5: d ^= a */
        vpxor   %ymm13, %ymm11, %ymm5                       /* B: 5: d ^= a */
        vprord  $8, %ymm8, %ymm10                           /* A: 5: d >>>= 8 */
        vprord  $8, %ymm5, %ymm17                           /* B: 5: d >>>= 8 */
        vpaddd  %ymm7, %ymm10, %ymm0                        /* A: 5: c += d */
        vpshufd $0x4e, %ymm10, %ymm14                       /* A: 5: words of d rotated */
        vpaddd  %ymm19, %ymm17, %ymm1                       /* B: 5: c += d */
        vpshufd $0x4e, %ymm17, %ymm20                       /* B: 5: words of d rotated */
        vpxor   %ymm15, %ymm0, %ymm3                        /* A: 5: b ^= c */
        vpshufd $0x93, %ymm0, %ymm4                         /* A: 5: words of c rotated */
        vprord  $16, %ymm14, %ymm12                         /* A: 6: d >>> 16 */
        vpxor   %ymm2, %ymm1, %ymm9                         /* B: 5: b ^= c */
        vpshufd $0x93, %ymm1, %ymm16                        /* B: 5: words of c rotated */
        vprord  $16, %ymm20, %ymm6                          /* B: 6: d >>> 16 */
        vprord  $7, %ymm3, %ymm13                           /* A: 5: b >>>= 7 */
        vprord  $7, %ymm9, %ymm8                            /* B: 5: b >>>= 7 */
        vpshufd $0x39, %ymm18, %ymm5                        /* A: 5: words of a rotated */
        vpshufd $0x39, %ymm11, %ymm7                        /* B: 5: words of a rotated */
        vpaddd  768(%rsp), %ymm5, %ymm10                    /* A: 6: + x */
        vpaddd  1664(%rsp), %ymm7, %ymm19                   /* B: 6: + x */
        vpaddd  %ymm13, %ymm10, %ymm17                      /* A: 6: a += b + x */
        vpaddd  %ymm8, %ymm19, %ymm15                       /* B: 6: a += b + x */
        vpslld  $16, %ymm17, %ymm0                          /* A: 6: a << 16 */
        vpslld  $16, %ymm15, %ymm14                         /* B: 6: a << 16 */
        vmovdqu64 (%r8,%rcx), %zmm27                        /* A: the next block */
        vmovdqu64 (%r9,%rcx), %zmm26                        /* A: the next block */
        vmovdqu64 (%r10,%rcx), %zmm22                       /* B: the next block */
        vmovdqu64 (%r11,%rcx), %zmm21                       /* B: the next block */
        vpsrld  $16, %ymm17, %ymm2                          /* A: 6: a >> 16 */
        vpsrld  $16, %ymm15, %ymm1                          /* B: 6: a >> 16 */
        vpternlogd $0x96, %ymm12, %ymm2, %ymm0              /* A: 6: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm6, %ymm1, %ymm14              /* B: 6: d = (d ^ a) >>> 16 */
        vpaddd  %ymm4, %ymm0, %ymm20                        /* A: 6: c += d */
        vpaddd  %ymm16, %ymm14, %ymm3                       /* B: 6: c += d */
        vpxord  %ymm13, %ymm20, %ymm9                       /* A: 6: b ^= c */
        vpxord  %ymm8, %ymm3, %ymm18                        /* B: 6: b ^= c */
        vprord  $12, %ymm9, %ymm11                          /* A: 6: b >>>= 12 */
        vprord  $12, %ymm18, %ymm5                          /* B: 6: b >>>= 12 */
        vpaddd  800(%rsp), %ymm17, %ymm7                    /* A: 6: + y */
        vpaddd  1696(%rsp), %ymm15, %ymm10                  /* B: 6: + y */
        vpaddd  %ymm11, %ymm7, %ymm19                       /* A: 6: a += b + y */
        vpaddd  %ymm5, %ymm10, %ymm12                       /* B: 6: a += b + y */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+0(%rip), %zmm2 /* A: 0: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+0(%rip), %zmm6 /* B: 0: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm2                      /* A: 0: words */
        vpermi2d %zmm21, %zmm22, %zmm6                      /* B: 0: words */
        vmovdqa64 %zmm2, 0(%rsp)                            /* A: 0: words stored */
        vmovdqa64 %zmm6, 896(%rsp)                          /* B: 0: words stored */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+64(%rip), %zmm1 /* A: 0: indices of words */
        vmovdqa64 FIN_LOCAL(words_blake3_4way)+64(%rip), %zmm4 /* B: 0: indices of words */
        vpermi2d %zmm26, %zmm27, %zmm1                      /* A: 0: words */
        vpermi2d %zmm21, %zmm22, %zmm4                      /* B: 0: words */
        vmovdqa64 %zmm1, 64(%rsp)                           /* A: 0: words stored */
        vmovdqa64 %zmm4, 960(%rsp)                          /* B: 0: words stored */
        vpxord  %ymm0, %ymm19, %ymm16                       /* A: 6: d ^= a */
        vpshufd $0x93, %ymm19, %ymm13                       /* A: 6: words of a rotated */
        vpxor   %ymm14, %ymm12, %ymm8                       /* B: 6: d ^= a */
        vpshufd $0x93, %ymm12, %ymm9                        /* B: 6: words of a rotated */
        vprord  $8, %ymm16, %ymm18                          /* A: 6: d >>>= 8 */
        vprord  $8, %ymm8, %ymm17                           /* B: 6: d >>>= 8 */
        vpshufd $0x4e, %ymm18, %ymm15                       /* A: 6: words of d rotated */
        vpshufd $0x4e, %ymm17, %ymm7                        /* B: 6: words of d rotated */
        vpaddd  %ymm20, %ymm18, %ymm10                      /* A: 6: c += d */
        vpaddd  %ymm3, %ymm17, %ymm2                        /* B: 6: c += d */
        vprord  $16, %ymm15, %ymm6                          /* A: 6: d >>> 16 */
        vprord  $16, %ymm7, %ymm1                           /* B: 6: d >>> 16 */
        vpxor   %ymm11, %ymm10, %ymm4                       /* A: 6: b ^= c */
        vpxor   %ymm5, %ymm2, %ymm0                         /* B: 6: b ^= c */
        vpshufd $0x39, %ymm10, %ymm19                       /* A: 6: words of c rotated */
        vpshufd $0x39, %ymm2, %ymm14                        /* B: 6: words of c rotated */
        vpaddd  832(%rsp), %ymm13, %ymm12                   /* A: 6: + x */
        vpaddd  1728(%rsp), %ymm9, %ymm16                   /* B: 6: + x */
        vprord  $7, %ymm4, %ymm8                            /* A: 6: b >>>= 7 */
        vprord  $7, %ymm0, %ymm20                           /* B: 6: b >>>= 7 */
        vpaddd  %ymm8, %ymm12, %ymm18                       /* A: 6: a += b + x */
        vpaddd  %ymm20, %ymm16, %ymm3                       /* B: 6: a += b + x */
        vpsrld  $16, %ymm18, %ymm17                         /* A: 6: a >> 16 */
        vpslld  $16, %ymm18, %ymm15                         /* A: 6: a << 16 */
        vpsrld  $16, %ymm3, %ymm7                           /* B: 6: a >> 16 */
        vpslld  $16, %ymm3, %ymm11                          /* B: 6: a << 16 */
        vpternlogd $0x96, %ymm6, %ymm17, %ymm15             /* A: 6: d = (d ^ a) >>> 16 */
        vpternlogd $0x96, %ymm1, %ymm7, %ymm11              /* B: 6: d = (d ^ a) >>> 16 */
        vpaddd  %ymm19, %ymm15, %ymm5                       /* A: 6: c += d */
        vpaddd  %ymm14, %ymm11, %ymm10                      /* B: 6: c += d */
        vpxor   %ymm8, %ymm5, %ymm2                         /* A: 6: b ^= c */
        vpxord  %ymm20, %ymm10, %ymm13                      /* B: 6: b ^= c */
        vpaddd  864(%rsp), %ymm18, %ymm9                    /* A: 6: + y */
        vpaddd  1760(%rsp), %ymm3, %ymm4                    /* B: 6: + y */
        vprord  $12, %ymm2, %ymm0                           /* A: 6: b >>>= 12 */
        vprord  $12, %ymm13, %ymm12                         /* B: 6: b >>>= 12 */
        vpaddd  %ymm0, %ymm9, %ymm16                        /* A: 6: a += b + y */
        vpaddd  %ymm12, %ymm4, %ymm6                        /* B: 6: a += b + y */
        vpxord  %ymm15, %ymm16, %ymm17                      /* A: 6: d ^= a */
        vpxor   %ymm11, %ymm6, %ymm1                        /* B: 6: d ^= a */
        vprord  $8, %ymm17, %ymm7                           /* A: 6: d >>>= 8 */
        vprord  $8, %ymm1, %ymm19                           /* B: 6: d >>>= 8 */
        vpaddd  %ymm5, %ymm7, %ymm14                        /* A: 6: c += d */
        vpshufd $0x4e, %ymm7, %ymm8                         /* A: 6: words of d rotated */
        vpaddd  %ymm10, %ymm19, %ymm20                      /* B: 6: c += d */
        vpshufd $0x4e, %ymm19, %ymm18                       /* B: 6: words of d rotated */
        vpxor   %ymm0, %ymm14, %ymm3                        /* A: 6: b ^= c */
        vpshufd $0x93, %ymm14, %ymm2                        /* A: 6: words of c rotated */
        vpxord  %ymm12, %ymm20, %ymm13                      /* B: 6: b ^= c */
        vpshufd $0x93, %ymm20, %ymm9                        /* B: 6: words of c rotated */
        vprord  $7, %ymm3, %ymm4                            /* A: 6: b >>>= 7 */
        vprord  $7, %ymm13, %ymm15                          /* B: 6: b >>>= 7 */
        vpshufd $0x39, %ymm16, %ymm11                       /* A: 6: words of a rotated */
        vpshufd $0x39, %ymm6, %ymm17                        /* B: 6: words of a rotated */
        vpxord  %ymm4, %ymm8, %ymm29                        /* A: h = b ^ d */
        vpxord  %ymm11, %ymm2, %ymm30                       /* A: h = a ^ c */
        vpxord  %ymm15, %ymm18, %ymm24                      /* B: h = b ^ d */
        vpxord  %ymm17, %ymm9, %ymm25                       /* B: h = a ^ c */
        test    %rsi, %rsi
        jne     FIN_LOCAL(block_blake3_4way)
        vmovdqa64 FIN_LOCAL(leave_blake3_4way)(%rip), %zmm0
        vinserti64x4 $1, %ymm25, %zmm30, %zmm30
        vpermd  %zmm30, %zmm0, %zmm1
        vmovdqu64 %zmm1, 0(%rdi)
        vinserti64x4 $1, %ymm24, %zmm29, %zmm29
        vpermd  %zmm29, %zmm0, %zmm1
        vmovdqu64 %zmm1, 64(%rdi)
        vzeroupper
        leave
        .cfi_def_cfa %rsp, 8
        .cfi_restore %rbp
FIN_LOCAL(nothing_blake3_4way):
        ret
        .cfi_endproc
        FIN_END(FIN_WAYS)
#undef FIN_WAYS
#endif

        FIN_END_OF_FILE
