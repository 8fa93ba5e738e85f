/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A message of a digest or a MAC. OpenSSL allocates and frees a digest's context for every message, so
 * the context is small: it keeps a short message until its end, hashed in one call, and allocates a
 * fin_context for a longer one only.
 */
#ifndef FIN_OPENSSL_MESSAGE_H
#define FIN_OPENSSL_MESSAGE_H

#include <finalist.h>
#include <openssl/core.h>

/* The whole context stays below 1032 bytes, up to which glibc allocates from a thread's own cache. */
enum { MESSAGE_FIRST_BYTES = 512 };

typedef struct message {
    fin_context *stream; /* null while all bytes are in first */
    size_t first_bytes;
    bool ended;
    uint8_t first[MESSAGE_FIRST_BYTES];
} message;

/* These return 1, or 0 and put an error in OpenSSL's queue. All calls for one message need the same
   algorithm and params. */
int message_update(message *message, fin_algorithm algorithm, const fin_params *params,
                   const uint8_t *in, size_t bytes);
int message_final(message *message, fin_algorithm algorithm, const fin_params *params, uint8_t *out,
                  size_t bytes);
/* Moves the message to a fin_context, whatever its length, to squeeze or save it. */
int message_open(message *message, fin_algorithm algorithm, const fin_params *params);
/* `to` is uninitialised memory, and is empty after an error. */
int message_copy(message *to, const message *from);

/* Makes uninitialised memory an empty message. */
void message_init(message *message);
/* Wipes the message and makes it empty. */
void message_clear(message *message);

/* Returns 1 for FIN_OK, else 0 after putting the status in OpenSSL's queue. */
int is_ok(fin_status status);
/* Puts `reason`, a PROV_R_* or ERR_R_*, in OpenSSL's queue and returns 0. */
int refuse(int reason);

/* All digests and MACs; a null name ends each list. */
extern const OSSL_ALGORITHM digest_algorithms[];
extern const OSSL_ALGORITHM mac_algorithms[];

#endif
