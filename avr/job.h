/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What run.c and the program in the simulator tell each other. AVR is little-endian and aligns
 * nothing, so the members are bytes and pairs of bytes in this order.
 */
#ifndef FINALIST_AVR_JOB_H
#define FINALIST_AVR_JOB_H

#include <stdint.h>

/* Long enough for every vector but those of more than 8 KiB. */
#define JOB_MESSAGE_BYTES 8192

/* Written to GPIOR0. */
enum { JOB_WANTED = 1, JOB_DONE = 2 };

typedef struct job {
    uint16_t blocks;    /* whole blocks before the rest */
    uint16_t rest_from; /* bytes before the rest */
    uint16_t rest;      /* its length as the function's final wants it: bits, or bytes (BLAKE2s) */
    uint8_t digest_bytes; /* BLAKE2s */
    uint8_t key_bytes;    /* BLAKE2s; the message starts with the key's block */
} job;

#endif
