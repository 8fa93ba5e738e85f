/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Offsets of the fields of fin_lanes, for assembly; C checks them.
 */
#ifndef FIN_BLAKE_LANES_X86_64_CALL_H
#define FIN_BLAKE_LANES_X86_64_CALL_H

#define LANES_SALT 6784
#define LANES_CALL 6912
#define CALL_M LANES_CALL
#define CALL_AHEAD LANES_CALL + 8
#define CALL_NEXT LANES_CALL + 16
#define CALL_NEXT_IN LANES_CALL + 24
#define CALL_BLOCKS LANES_CALL + 32
#define CALL_STRIDE LANES_CALL + 40
#define CALL_CONSTANTS LANES_CALL + 48
#define CALL_KEPT LANES_CALL + 56
#define CALL_SEED LANES_CALL + 64
#define CALL_PARKED LANES_CALL + 128
#define CALL_FETCH LANES_CALL + 192
#define CALL_FETCH_FIRST LANES_CALL + 200
#define CALL_FETCH_STEP LANES_CALL + 208
#define CALL_FETCH_LAST LANES_CALL + 216
#define LANES_IN 7168

#ifndef __ASSEMBLER__
#include <stddef.h>

#define AT(field, place) _Static_assert(offsetof(fin_lanes, field) == (place), #field)
AT(row, 0);
AT(salt, LANES_SALT);
AT(call.m, CALL_M);
AT(call.ahead, CALL_AHEAD);
AT(call.next, CALL_NEXT);
AT(call.in, CALL_NEXT_IN);
AT(call.blocks, CALL_BLOCKS);
AT(call.stride, CALL_STRIDE);
AT(call.constants, CALL_CONSTANTS);
AT(call.kept, CALL_KEPT);
AT(call.seed, CALL_SEED);
AT(call.parked, CALL_PARKED);
AT(call.fetch, CALL_FETCH);
AT(call.fetch_first, CALL_FETCH_FIRST);
AT(call.fetch_step, CALL_FETCH_STEP);
AT(call.fetch_last, CALL_FETCH_LAST);
AT(in, LANES_IN);
#undef AT
#endif

#endif
