/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The message of a digest or a MAC. OpenSSL allocates and frees a digest's context for each message,
 * so the context is small: it buffers a short message, to hash it in one call, and allocates a
 * fin_context only for a longer one.
 */
#ifndef FIN_OPENSSL_MESSAGE_H
#define FIN_OPENSSL_MESSAGE_H

#include <finalist.h>
#include <openssl/core.h>

/* Keeps the whole context below 1032 bytes, up to which glibc allocates from a per-thread cache. */
enum { MESSAGE_FIRST_BYTES = 512 };

typedef struct message {
    fin_context *stream; /* null while all bytes are in first */
    size_t first_bytes;
    bool ended;
    uint8_t first[MESSAGE_FIRST_BYTES];
} message;

/* Each returns 1, or 0 after adding an error to OpenSSL's queue. All calls for one message must pass the
   same algorithm and params. */
int message_update(message *message, fin_algorithm algorithm, const fin_params *params,
                   const uint8_t *in, size_t bytes);
int message_final(message *message, fin_algorithm algorithm, const fin_params *params, uint8_t *out,
                  size_t bytes);
/* Moves a message of any length to a fin_context, to squeeze or save it. */
int message_open(message *message, fin_algorithm algorithm, const fin_params *params);
/* Copies a message to uninitialised memory, which becomes an empty message on error. */
int message_copy(message *to, const message *from);

/* Initialises memory as an empty message. */
void message_init(message *message);
/* Wipes the message and makes it empty. */
void message_clear(message *message);

/* Returns 1 for FIN_OK, else 0 after adding the status to OpenSSL's queue. */
int is_ok(fin_status status);
/* Adds `reason`, a PROV_R_* or ERR_R_*, to OpenSSL's queue and returns 0. */
int refuse(int reason);

/* All digests and all MACs; a null name ends each list. */
extern const OSSL_ALGORITHM digest_algorithms[];
extern const OSSL_ALGORITHM mac_algorithms[];

#endif
