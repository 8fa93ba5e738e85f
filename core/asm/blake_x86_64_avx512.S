/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE in general registers, the message in AVX-512 registers.
 */
#include "asm/object.inc"

#define FIN_VECTOR_BYTES 64

#define FIN_VARIANT BLAKE256
#define FIN_KERNEL fin_blake256_x86_64_avx512
#include "asm/blake_x86_64_kernel.inc"

#define FIN_VARIANT BLAKE512
#define FIN_KERNEL fin_blake512_x86_64_avx512
#include "asm/blake_x86_64_kernel.inc"

        FIN_END_OF_FILE
