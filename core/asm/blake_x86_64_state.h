/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Offsets of the fields of fin_state, for assembly; C checks them.
 */
#ifndef FIN_BLAKE_X86_64_STATE_H
#define FIN_BLAKE_X86_64_STATE_H

#define STATE_SALT 128
#define STATE_T 160
#define STATE_F 176
#define STATE_ROUNDS 192

#ifndef __ASSEMBLER__
#include <stddef.h>
_Static_assert(offsetof(fin_state, h) == 0, "h is not where assembly looks for it");
_Static_assert(offsetof(fin_state, salt) == STATE_SALT, "salt is not where assembly looks for it");
_Static_assert(offsetof(fin_state, t) == STATE_T, "t is not where assembly looks for it");
_Static_assert(offsetof(fin_state, f) == STATE_F, "f is not where assembly looks for it");
_Static_assert(offsetof(fin_state, rounds) == STATE_ROUNDS, "rounds is not where assembly looks");
#endif

#endif
