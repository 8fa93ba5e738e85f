/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE, BLAKE2 and BLAKE3 in general registers, the message in SSE2 registers.
 */
#include "asm/object.inc"

#define FIN_VECTOR_BYTES 16

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_x86_64
#include "asm/blake_x86_64_kernel.inc"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_x86_64
#include "asm/blake_x86_64_kernel.inc"

#define FIN_VARIANT BLAKE2B
#define FIN_KERNEL fin_blake2b_x86_64
#include "asm/blake_x86_64_kernel.inc"

#define FIN_VARIANT BLAKE2S
#define FIN_KERNEL fin_blake2s_x86_64
#include "asm/blake_x86_64_kernel.inc"

#define FIN_VARIANT BLAKE3
#define FIN_KERNEL fin_blake3_x86_64
#include "asm/blake_x86_64_kernel.inc"

        FIN_END_OF_FILE
