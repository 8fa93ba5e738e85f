/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What differs in assembly between the object formats ELF, Mach-O (macOS) and COFF (Windows), and
 * how C calls assembly, which has the System V ABI in all of them.
 */
#ifndef FIN_ASM_OBJECT_H
#define FIN_ASM_OBJECT_H

#ifdef __ASSEMBLER__

#ifdef __CET__
#include <cet.h>
#endif

#include "kern/blake_variants.h"

/*
 *   FIN_SYMBOL(name)     the name of a C function
 *   FIN_LOCAL(name)      a label that does not stay in the object file
 *   FIN_CONSTANTS        starts the section of constants
 *   FIN_FUNCTION(name)   before a function that the library calls and its users do not
 *   FIN_END(name)        after it
 *   FIN_END_OF_FILE      last
 */
#define FIN_SYMBOL(name) FIN_CAT(__USER_LABEL_PREFIX__, name)
#if defined(__ELF__)
#define FIN_LOCAL(name) FIN_CAT(.L, name)
#define FIN_CONSTANTS .section.rodata
#define FIN_FUNCTION(name) \
    .globl name;           \
    .hidden name;          \
    .type name, @function
#define FIN_END(name) .size name, .- name
#define FIN_END_OF_FILE .section.note.GNU - stack, "", @progbits
#elif defined(__APPLE__)
#define FIN_LOCAL(name) FIN_CAT(L, name)
#define FIN_CONSTANTS .section __TEXT, __const
#define FIN_FUNCTION(name)   \
    .globl FIN_SYMBOL(name); \
    .private_extern FIN_SYMBOL(name)
#define FIN_END(name)
#define FIN_END_OF_FILE
#else
#define FIN_LOCAL(name) FIN_CAT(.L, name)
#define FIN_CONSTANTS .section.rdata, "dr"
#define FIN_FUNCTION(name) \
    .globl name;           \
    .def name;             \
    .scl 2;                \
    .type 32;              \
    .endef
#define FIN_END(name)
#define FIN_END_OF_FILE
#endif

#else

/*
 * FIN_ASSEMBLY_COMPRESS(name) declares an assembly function that compresses blocks;
 * FIN_ENTRY(name) is what a record has of it. The Microsoft ABI passes arguments elsewhere and
 * keeps xmm6 to xmm15, so there a function of C stands between.
 */
#if defined(_WIN32) || defined(__CYGWIN__)
#define FIN_SYSTEM_V __attribute__((sysv_abi))
#define FIN_ENTRY(name) name##_entry
#define FIN_ASSEMBLY_COMPRESS(name)                                                             \
    FIN_SYSTEM_V void name(fin_state *state, const uint8_t *in, size_t blocks, size_t stride,   \
                           uint32_t increment);                                                 \
    static void name##_entry(fin_state *state, const uint8_t *in, size_t blocks, size_t stride, \
                             uint32_t increment)                                                \
    {                                                                                           \
        name(state, in, blocks, stride, increment);                                             \
    }                                                                                           \
    fin_compress_fn name##_entry
#else
#define FIN_SYSTEM_V
#define FIN_ENTRY(name) name
#define FIN_ASSEMBLY_COMPRESS(name) fin_compress_fn name
#endif

#endif

#endif
