/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Where the fields of fin_chain are, for assembly; C checks it.
 */
#ifndef FIN_BLAKE_X86_64_CHAIN_H
#define FIN_BLAKE_X86_64_CHAIN_H

#define CHAIN_SALT 128
#define CHAIN_T 160
#define CHAIN_F 176
#define CHAIN_ROUNDS 192

#ifndef __ASSEMBLER__
#include <stddef.h>
_Static_assert(offsetof(fin_chain, h) == 0, "h is not where assembly looks for it");
_Static_assert(offsetof(fin_chain, salt) == CHAIN_SALT, "salt is not where assembly looks for it");
_Static_assert(offsetof(fin_chain, t) == CHAIN_T, "t is not where assembly looks for it");
_Static_assert(offsetof(fin_chain, f) == CHAIN_F, "f is not where assembly looks for it");
_Static_assert(offsetof(fin_chain, rounds) == CHAIN_ROUNDS, "rounds is not where assembly looks");
#endif

#endif
