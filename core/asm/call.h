/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Lets C call the assembly, which follows the System V ABI on every system.
 *
 *   FIN_SYSTEM_V                  the attribute of an assembly function
 *   FIN_ASSEMBLY_COMPRESS(name)   declares one that compresses blocks
 *   FIN_ASSEMBLY_LANES(name)      declares one that compresses blocks of several messages
 *   FIN_ENTRY(name)               the entry point for a record
 *
 * The Microsoft ABI passes arguments in other registers and keeps xmm6 to xmm15, so there a C
 * function calls the assembly for the record.
 */
#ifndef FIN_ASM_CALL_H
#define FIN_ASM_CALL_H

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
#define FIN_ASSEMBLY_LANES(name)                                             \
    FIN_SYSTEM_V void name(fin_lanes *lanes, size_t blocks, size_t stride);  \
    static void name##_entry(fin_lanes *lanes, size_t blocks, size_t stride) \
    {                                                                        \
        name(lanes, blocks, stride);                                         \
    }                                                                        \
    fin_compress_lanes_fn name##_entry
#else
#define FIN_SYSTEM_V
#define FIN_ENTRY(name) name
#define FIN_ASSEMBLY_COMPRESS(name) fin_compress_fn name
#define FIN_ASSEMBLY_LANES(name) fin_compress_lanes_fn name
#endif

#endif
