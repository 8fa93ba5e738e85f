/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Collects messages: hashes short ones in one call, longer ones with a fin_context.
 */
#include "message.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/proverr.h>
#include <string.h>

int is_ok(fin_status status)
{
    if (status == FIN_OK) {
        return 1;
    }
    ERR_raise_data(ERR_LIB_PROV, ERR_R_PASSED_INVALID_ARGUMENT, "%s", fin_status_text(status));
    return 0;
}

int refuse(int reason)
{
    ERR_raise(ERR_LIB_PROV, reason);
    return 0;
}

void message_init(message *message)
{
    message->stream = NULL;
    message->first_bytes = 0;
    message->ended = false;
}

void message_clear(message *message)
{
    OPENSSL_cleanse(message->first, message->first_bytes);
    if (message->stream != NULL) {
        fin_wipe(message->stream);
        OPENSSL_free(message->stream);
    }
    message_init(message);
}

int message_open(message *message, fin_algorithm algorithm, const fin_params *params)
{
    if (message->stream != NULL) {
        return 1;
    }
    fin_context *stream = OPENSSL_malloc(sizeof *stream);
    if (stream == NULL) {
        return refuse(ERR_R_MALLOC_FAILURE);
    }
    fin_status status = fin_init(stream, algorithm, params);
    if (status == FIN_OK) {
        status = fin_update(stream, message->first, message->first_bytes);
    }
    if (status != FIN_OK) {
        fin_wipe(stream);
        OPENSSL_free(stream);
        return is_ok(status);
    }
    OPENSSL_cleanse(message->first, message->first_bytes);
    message->first_bytes = 0;
    message->stream = stream;
    return 1;
}

int message_update(message *message, fin_algorithm algorithm, const fin_params *params,
                   const uint8_t *in, size_t bytes)
{
    if (message->ended) {
        return is_ok(FIN_ERR_STATE);
    }
    if (bytes == 0) {
        return 1;
    }
    if (message->stream == NULL) {
        if (in != NULL && bytes <= sizeof message->first - message->first_bytes) {
            memcpy(message->first + message->first_bytes, in, bytes);
            message->first_bytes += bytes;
            return 1;
        }
        if (!message_open(message, algorithm, params)) {
            return 0;
        }
    }
    return is_ok(fin_update(message->stream, in, bytes));
}

int message_final(message *message, fin_algorithm algorithm, const fin_params *params, uint8_t *out,
                  size_t bytes)
{
    if (message->ended) {
        return is_ok(FIN_ERR_STATE);
    }
    const fin_status status = message->stream == NULL ? fin_hash(algorithm, params, message->first,
                                                                 message->first_bytes, out, bytes)
                                                      : fin_final(message->stream, out, bytes);
    message_clear(message);
    message->ended = true;
    return is_ok(status);
}

int message_copy(message *to, const message *from)
{
    message_init(to);
    if (from->stream != NULL) {
        to->stream = OPENSSL_malloc(sizeof *to->stream);
        if (to->stream == NULL) {
            return refuse(ERR_R_MALLOC_FAILURE);
        }
        (void)fin_copy(to->stream, from->stream); /* fails only for a context without fin_init */
    }
    memcpy(to->first, from->first, from->first_bytes);
    to->first_bytes = from->first_bytes;
    to->ended = from->ended;
    return 1;
}
