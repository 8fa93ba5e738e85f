/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The group steps of a unit of lanes (lanes/group_steps.h).
 *
 *   FIN_ONLY_BLAKE2   optional: there are kernels of BLAKE2 and BLAKE3 only
 *   FIN_ONLY_BLAKE3   optional: of BLAKE3 only
 */
#if defined(FIN_ONLY_BLAKE2) || defined(FIN_ONLY_BLAKE3)
#define FIN_GROUP_BLAKE 0
#else
#define FIN_GROUP_BLAKE 1
#endif
#ifdef FIN_ONLY_BLAKE3
#define FIN_GROUP_BLAKE2 0
#else
#define FIN_GROUP_BLAKE2 1
#endif
#define FIN_GROUP_BLAKE3 1
#define FIN_GROUP_GROESTL 0
#define FIN_GROUP_LANES32 FIN_LANES32
#define FIN_GROUP_LANES64 FIN_LANES64
#define FIN_GROUP_LANES512 0
#define FIN_GROUP_LANES1024 0
#include "lanes/group_steps.h"
