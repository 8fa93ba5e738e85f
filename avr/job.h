/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The data exchanged between run.c and the program in the simulator. AVR is little-endian, as the
 * machine with the simulator must be, and aligns nothing; the order of the members leaves no gaps.
 */
#ifndef FINALIST_AVR_JOB_H
#define FINALIST_AVR_JOB_H

#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "job is copied without conversion");

/* Excludes only vectors of more than 8 KiB. */
#define JOB_MESSAGE_BYTES 8192

/* Written to GPIOR0. */
enum { JOB_WANTED = 1, JOB_DONE = 2 };

/* Modes of hashing a message: with init, blocks and final; in one call; with interrupts at odd
   times. */
enum { JOB_IN_STEPS = 0, JOB_AT_ONCE = 1, JOB_INTERRUPTED = 2 };

typedef struct job {
    uint16_t blocks;    /* whole blocks before the rest */
    uint16_t rest_from; /* bytes before the rest */
    uint16_t
        rest; /* length of the rest in the unit of the function's final: bits, or bytes (BLAKE2s) */
    uint16_t bytes;       /* length of a message that is hashed in one call */
    uint8_t way;          /* JOB_... */
    uint8_t digest_bytes; /* BLAKE2s */
    uint8_t key_bytes;    /* BLAKE2s; the message starts with the key's block */
    uint8_t unused;
} job;

#endif
