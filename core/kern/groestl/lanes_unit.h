/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A whole unit of Grøstl in lanes: the kernels and the table. The unit has included the vector
 * abstraction and the kernel's prerequisites, and defines
 *
 *   FIN_ISA_NAME           the technique in the implementations' names: "gfni512"
 *   FIN_TECHNIQUE      registers and instructions, in a few words
 *   FIN_SOURCE         the source to cite
 *   FIN_LANES512       how many messages with a state of 512 bits, as a literal
 *   FIN_LANES1024      how many messages with a state of 1024 bits
 *   FIN_KERNEL_FILE    the kernel: "kern/groestl/lanes.h" or "kern/groestl/bitslice.h"
 *   FIN_MESSAGES       for kern/groestl/bitslice.h: lanes are messages
 */
#include "names.h"

#if !defined(FIN_ISA_NAME) || !defined(FIN_TECHNIQUE) || !defined(FIN_SOURCE)
#error "FIN_ISA_NAME, FIN_TECHNIQUE and FIN_SOURCE are to be defined"
#endif
#if !defined(FIN_LANES512) || !defined(FIN_LANES1024) || !defined(FIN_KERNEL_FILE)
#error "FIN_LANES512, FIN_LANES1024 and FIN_KERNEL_FILE are to be defined"
#endif

#define FIN_VARIANT GROESTL256
#define FIN_KERNEL fin_groestl256_lanes
#include FIN_KERNEL_FILE

#define FIN_VARIANT GROESTL512
#define FIN_KERNEL fin_groestl512_lanes
#include FIN_KERNEL_FILE

#define FIN_VARIANT GROESTL0_256
#define FIN_KERNEL fin_groestl0_256_lanes
#include FIN_KERNEL_FILE

#define FIN_VARIANT GROESTL0_512
#define FIN_KERNEL fin_groestl0_512_lanes
#include FIN_KERNEL_FILE

/* With vec/tails_*.h the unit has its own steps for groups of short messages. */
#ifdef FIN_TAIL_LINES
#define FIN_GROUP_BLAKE 0
#define FIN_GROUP_BLAKE2 0
#define FIN_GROUP_BLAKE3 0
#define FIN_GROUP_GROESTL 1
#define FIN_GROUP_LANES32 0
#define FIN_GROUP_LANES64 0
#define FIN_GROUP_LANES512 FIN_LANES512
#define FIN_GROUP_LANES1024 FIN_LANES1024
#include "lanes/group_steps.h"
#define FIN_GROUP (&FIN_GROUP_STEPS)
#else
#define FIN_GROUP NULL
#endif

#define FIN_LANES_RECORD(id, count, kernel)                                                        \
    FIN_RECORD(id, FIN_ISA_NAME "-x" FIN_TEXT(count), FIN_TEXT(count) " messages, " FIN_TECHNIQUE, \
               FIN_SOURCE, FIN_LANES(count, kernel, kernel##_finish), .constant_time = true,       \
               .group = FIN_GROUP)

static const fin_impl fin_impls[] = {
    FIN_LANES_RECORD(GROESTL256, FIN_LANES512, fin_groestl256_lanes),
    FIN_LANES_RECORD(GROESTL512, FIN_LANES1024, fin_groestl512_lanes),
    FIN_LANES_RECORD(GROESTL0_256, FIN_LANES512, fin_groestl0_256_lanes),
    FIN_LANES_RECORD(GROESTL0_512, FIN_LANES1024, fin_groestl0_512_lanes),
};
