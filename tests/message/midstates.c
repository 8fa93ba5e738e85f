/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests that midstates are portable. Each line of the file named as argument describes a message in
 * progress: every implementation must save exactly these bytes at that point, and must reach the
 * digest from them. tests/message/midstates.jsonl was written on x86-64; a machine with another
 * byte order or word size that passes can exchange midstates with it.
 *
 *   midstates FILE.jsonl    checks
 *   midstates --write       writes such a file to standard output
 *
 *   alg, bytes   the algorithm, and how many bytes of the message (check_paint's) are hashed
 *   midstate     the result of fin_save at that point
 *   md           the digest of all MESSAGE_BYTES
 *
 * The message has a salt, a personalisation and a key where the algorithm takes them: the first
 * bytes of the message, and KEY_BYTES of them for the key.
 */
#include "check.h"
#include "json.h"

#include <stddef.h>

#define MESSAGE_BYTES 2400
#define KEY_BYTES 20

static uint8_t message[MESSAGE_BYTES];

typedef struct exchanged {
    json_span alg;
    uint64_t bytes;
    json_hex midstate, md;
} exchanged;

static const json_field exchanged_fields[] = {
    {"alg", JSON_STRING, offsetof(exchanged, alg)},
    {"bytes", JSON_NUMBER, offsetof(exchanged, bytes)},
    {"midstate", JSON_HEX, offsetof(exchanged, midstate)},
    {"md", JSON_HEX, offsetof(exchanged, md)},
};
enum { FIELDS = sizeof exchanged_fields / sizeof exchanged_fields[0] };

/* Starts a message of `bytes` bytes; false if a call fails. */
static bool start(fin_context *context, const fin_algorithm_info *info, size_t bytes)
{
    fin_params params = {0};
    params.salt = message;
    params.salt_bytes = info->salt_bytes;
    params.personal = message;
    params.personal_bytes = info->personal_bytes;
    params.key = message;
    params.key_bytes = info->key_bytes_max == 0 ? 0 : KEY_BYTES;
    return fin_init(context, info->algorithm, &params) == FIN_OK &&
           fin_update(context, message, bytes) == FIN_OK;
}

static void check_exchange(fin_algorithm algorithm, const char *impl, void *data)
{
    const exchanged *line = data;
    const fin_algorithm_info *info = fin_algorithm_describe(algorithm);
    const size_t at = (size_t)line->bytes;
    uint8_t saved[FIN_MIDSTATE_BYTES_MAX];
    uint8_t got[64];
    size_t bytes = sizeof saved;
    fin_context context;
    check_context("%s, %s, %u bytes", info->name, impl, (unsigned)at);
    CHECK(start(&context, info, at));
    CHECK_STATUS(FIN_OK, fin_save(&context, saved, &bytes));
    CHECK(bytes == line->midstate.count);
    CHECK_BYTES(line->midstate.bytes, saved, bytes);
    CHECK_STATUS(FIN_OK, fin_restore(&context, line->midstate.bytes, line->midstate.count));
    CHECK_STATUS(FIN_OK, fin_update(&context, message + at, MESSAGE_BYTES - at));
    CHECK_STATUS(FIN_OK, fin_final(&context, got, sizeof got));
    CHECK_BYTES(line->md.bytes, got, info->digest_bytes);
}

static void check_line(const char *file, int number, const char *text, size_t length)
{
    const json_span object = {text, length, '{'};
    uint8_t *arena = check_allocate(length / 2);
    uint8_t *free_bytes = arena;
    char name[32] = "";
    fin_algorithm algorithm;
    exchanged line = {0};
    unsigned seen;
    const char *wrong = json_read(object, exchanged_fields, FIELDS, &free_bytes, &line, &seen);
    if (wrong == NULL && seen != (1U << FIELDS) - 1) {
        wrong = "a field is missing";
    }
    if (wrong == NULL) {
        snprintf(name, sizeof name, "%.*s", (int)(line.alg.length < 31 ? line.alg.length : 31),
                 line.alg.text);
        if (fin_algorithm_by_name(name, &algorithm) != FIN_OK) {
            wrong = "no such algorithm";
        } else if (line.bytes > MESSAGE_BYTES ||
                   line.md.count != fin_algorithm_describe(algorithm)->digest_bytes) {
            wrong = "bytes or the length of md is out of range";
        }
    }
    if (wrong == NULL) {
        check_each_impl(algorithm, check_exchange, &line);
    } else {
        check_context("malformed");
        check_that(false, file, number, wrong);
    }
    free(arena);
}

static void write_hex(const char *field, const uint8_t *bytes, size_t count)
{
    printf(", \"%s\": \"", field);
    for (size_t i = 0; i < count; i++) {
        printf("%02x", bytes[i]);
    }
    printf("\"");
}

static bool write_line(const fin_algorithm_info *info, size_t at)
{
    uint8_t saved[FIN_MIDSTATE_BYTES_MAX];
    uint8_t digest[64];
    size_t bytes = sizeof saved;
    fin_context context;
    if (!start(&context, info, at) || fin_save(&context, saved, &bytes) != FIN_OK ||
        fin_update(&context, message + at, MESSAGE_BYTES - at) != FIN_OK ||
        fin_final(&context, digest, sizeof digest) != FIN_OK) {
        return false;
    }
    printf("{\"alg\": \"%s\", \"bytes\": %u", info->name, (unsigned)at);
    write_hex("midstate", saved, bytes);
    write_hex("md", digest, info->digest_bytes);
    printf("}\n");
    return true;
}

/* Stops within the first block, at its end, shortly after the second, and where every leaf of
   BLAKE2bp and BLAKE2sp has compressed blocks. */
static bool write_all(void)
{
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        const fin_algorithm_info *info = fin_algorithm_at(i);
        const size_t places[] = {1, info->block_bytes, 2 * info->block_bytes + 5, 1700};
        for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
            if (!write_line(info, places[k])) {
                return false;
            }
        }
    }
    return true;
}

int main(int argument_count, char **arguments)
{
    check_paint(message, sizeof message);
    if (argument_count != 2) {
        printf("usage: midstates FILE.jsonl | --write\n");
        return EXIT_FAILURE;
    }
    if (strcmp(arguments[1], "--write") == 0) {
        return write_all() ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    json_each_line(arguments[1], check_line);
    return check_report();
}
