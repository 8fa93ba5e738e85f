/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Overwrites the stack below a frame, where functions that have returned left data. A file of its own:
 * a program with fin_hash alone links this, but no streams.
 */
#include "message/message.h"

/* Overwrites an array of its own frame. The stack grows downwards on all targets, so the array ends
   where the frames of the caller's other callees began. */
FIN_NOINLINE void fin_erase_stack(size_t bytes)
{
    uint8_t below[FIN_STACK_LANES_BYTES];
    fin_erase(below + sizeof below - bytes, bytes);
}
