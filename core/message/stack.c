/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Overwrites the stack below a frame, where functions that have returned left data.
 */
#include "message/message.h"

/* The stack grows downwards wherever this is built, so the array ends where the frames of the
   caller's other callees began. */
FIN_NOINLINE void fin_erase_stack(size_t bytes)
{
    uint8_t below[FIN_STACK_LANES_BYTES];
    fin_erase(below + sizeof below - bytes, bytes);
}
