/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A whole unit of Grøstl of one message: the kernels and the table. The unit has included the
 * vector abstraction and the tables of gen/ that its kernel needs, and defines
 *
 *   FIN_NAME           the implementations' name: "aesni"
 *   FIN_TECHNIQUE      registers and instructions, in a few words
 *   FIN_SOURCE         the source to cite
 *   FIN_KERNEL_FILE    the kernel's file: "kern/groestl/rows.h", columns.h, table.h or bitslice.h;
 *                      the unit also defines the parameters of that file
 *   FIN_SUB_MIX        for kern/groestl/rows.h: the file of SubBytes and MixBytes, which is
 *                      included once for each number of registers (see kern/groestl/mix.h)
 *   FIN_TWEAKED_ONLY   optional: there are no kernels for Grøstl-0
 *   FIN_BOUND512, FIN_BOUND1024    optional: bound_cycles of fin_impl, by state size
 *   FIN_CONSTANT_TIME  optional: false for tables indexed by the message
 */
#if !defined(FIN_NAME) || !defined(FIN_TECHNIQUE) || !defined(FIN_SOURCE)
#error "FIN_NAME, FIN_TECHNIQUE and FIN_SOURCE are to be defined"
#endif
#ifndef FIN_KERNEL_FILE
#error "FIN_KERNEL_FILE is to be defined"
#endif
#ifndef FIN_BOUND512
#define FIN_BOUND512 0
#endif
#ifndef FIN_BOUND1024
#define FIN_BOUND1024 0
#endif
#ifndef FIN_CONSTANT_TIME
#define FIN_CONSTANT_TIME true
#endif

#ifdef FIN_SUB_MIX
#if BYTES_WIDTH == 32
#define FIN_ROWS 4
#include FIN_SUB_MIX
#endif
#define FIN_ROWS 8
#include FIN_SUB_MIX
#endif

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_message
#include FIN_KERNEL_FILE

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_message
#include FIN_KERNEL_FILE

#ifndef FIN_TWEAKED_ONLY
#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_message
#include FIN_KERNEL_FILE

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_message
#include FIN_KERNEL_FILE
#endif

#define FIN_GROESTL_RECORD(id, bits, kernel)                                                  \
    FIN_RECORD(id, FIN_NAME, FIN_TECHNIQUE, FIN_SOURCE, FIN_MESSAGE(kernel, kernel##_finish), \
               .bound_cycles = FIN_BOUND##bits, .constant_time = FIN_CONSTANT_TIME)

static const fin_impl fin_impls[] = {
    FIN_GROESTL_RECORD(GROESTL256, 512, fin_groestl256_message),
    FIN_GROESTL_RECORD(GROESTL512, 1024, fin_groestl512_message),
#ifndef FIN_TWEAKED_ONLY
    FIN_GROESTL_RECORD(GROESTL0_256, 512, fin_groestl0_256_message),
    FIN_GROESTL_RECORD(GROESTL0_512, 1024, fin_groestl0_512_message),
#endif
};
