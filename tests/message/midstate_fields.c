/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Tests changed midstates: sets each field of a valid one to every kind of invalid value.
 * fin_restore must refuse all and leave the context unchanged. Each value that it accepts must be
 * saved again. core/message/midstate.c defines the layout.
 */
#include "check.h"

enum {
    AT_VERSION = 4,
    AT_ALGORITHM = 5,
    AT_LAST_NODE = 6,
    AT_ZERO = 7,
    AT_BUFFERED = 8,
    AT_ZEROS = 12,
    AT_DIGEST = 16,
    AT_COUNTER = 24,
    AT_PARAMETERS = 40,
    AT_H = 104
};

static uint8_t message[300];
static const uint8_t key[32] = {9};

typedef struct midstate {
    const fin_algorithm_info *info;
    size_t bytes;
    uint8_t is[FIN_MIDSTATE_BYTES_MAX];
} midstate;

static bool is_blake2(const fin_algorithm_info *info)
{
    return info->family == FIN_FAMILY_BLAKE2;
}

static bool is_xof(const fin_algorithm_info *info)
{
    return info->digest_bytes_max > 64;
}

static bool takes_trees(const fin_algorithm_info *info)
{
    return info->algorithm == FIN_BLAKE2B || info->algorithm == FIN_BLAKE2S;
}

static midstate save(const fin_algorithm_info *info, bool keyed)
{
    const fin_params params = {.digest_bytes = is_xof(info) ? 100 : 0,
                               .key = keyed ? key : NULL,
                               .key_bytes = keyed && info->key_bytes_max != 0 ? sizeof key : 0};
    midstate m = {.info = info, .bytes = sizeof m.is};
    fin_context context;
    CHECK_STATUS(FIN_OK, fin_init(&context, info->algorithm, &params));
    CHECK_STATUS(FIN_OK, fin_update(&context, message, sizeof message));
    CHECK_STATUS(FIN_OK, fin_save(&context, m.is, &m.bytes));
    CHECK_STATUS(FIN_OK, fin_restore(&context, m.is, m.bytes));
    return m;
}

static void refused(const midstate *m, size_t bytes)
{
    static fin_context context, before;
    memset(&context, 0x5a, sizeof context);
    memcpy(&before, &context, sizeof before);
    CHECK_STATUS(FIN_ERR_MIDSTATE, fin_restore(&context, m->is, bytes));
    CHECK(memcmp(&before, &context, sizeof before) == 0);
}

/* Expects a refusal if the field of `bytes` bytes at `at` has this value. */
static void refuse_value(const midstate *m, size_t at, size_t bytes, uint64_t value)
{
    midstate wrong = *m;
    for (size_t i = 0; i < bytes; i++) {
        wrong.is[at + i] = (uint8_t)(value >> 8 * i);
    }
    check_context("%s, byte %u: %lu", m->info->name, (unsigned)at, (unsigned long)value);
    refused(&wrong, wrong.bytes);
}

/* Expects a refusal after a change of any byte of the field. */
static void refuse_others(const midstate *m, size_t at, size_t bytes)
{
    for (size_t i = at; i < at + bytes; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            refuse_value(m, i, 1, m->is[i] ^ 1U << bit);
        }
        refuse_value(m, i, 1, (uint8_t)~m->is[i]);
    }
}

static void check_lengths(const midstate *m)
{
    const uint64_t buffered = m->is[AT_BUFFERED] | (uint64_t)m->is[AT_BUFFERED + 1] << 8;
    const uint64_t wrong[] = {0,          buffered - 1, buffered + 1,        1025,
                              UINT32_MAX, 1U << 31,     buffered | 1U << 16, buffered | 1U << 24};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (wrong[i] != buffered) {
            refuse_value(m, AT_BUFFERED, 4, wrong[i]);
        }
    }
    for (size_t bytes = 0; bytes < m->bytes; bytes++) {
        check_context("%s, cut to %u bytes", m->info->name, (unsigned)bytes);
        refused(m, bytes);
    }
    check_context("%s, a byte longer", m->info->name);
    refused(m, m->bytes + 1);
}

static void check_digest_bytes(const midstate *m)
{
    const fin_algorithm_info *info = m->info;
    const uint64_t right = is_xof(info) ? 100 : info->digest_bytes;
    const uint64_t wrong[] = {info->digest_bytes_max + 1, right + (UINT64_C(1) << 32),
                              UINT64_MAX - 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (wrong[i] > info->digest_bytes_max && (wrong[i] != UINT64_MAX || !is_xof(info))) {
            refuse_value(m, AT_DIGEST, 8, wrong[i]);
        }
    }
    refuse_value(m, AT_DIGEST, 8, 0);
    if (info->family != FIN_FAMILY_GROESTL && info->family != FIN_FAMILY_BLAKE3) {
        /* BLAKE has one length; BLAKE2 repeats it in the parameter block. */
        refuse_value(m, AT_DIGEST, 8, right - 1);
        refuse_value(m, AT_DIGEST, 8, UINT64_MAX);
    }
}

/* Without a key, BLAKE3's words are those of the standard; two other modes have any words. */
static void check_mode(const midstate *m)
{
    const bool keyed = m->is[AT_PARAMETERS + 32] != 0;
    for (unsigned mode = keyed ? 0 : 1; mode < 256; mode++) {
        if (mode != 16 && mode != 64) {
            refuse_value(m, AT_PARAMETERS + 32, 1, mode);
        }
    }
    if (!keyed) {
        refuse_others(m, AT_PARAMETERS, 32);
    }
}

static void check_parameters(const midstate *m)
{
    const fin_algorithm_info *info = m->info;
    const size_t used = is_blake2(info)                     ? info->block_bytes / 2
                        : info->family == FIN_FAMILY_BLAKE  ? info->salt_bytes
                        : info->family == FIN_FAMILY_BLAKE3 ? 33
                                                            : 0;
    refuse_others(m, AT_PARAMETERS + used, 64 - used);
    if (info->family == FIN_FAMILY_BLAKE3) {
        check_mode(m);
    }
    if (!is_blake2(info)) {
        return;
    }
    const bool wide = info->block_bytes == 128;
    const size_t node_end = wide ? 18 : 16;
    refuse_others(m, AT_PARAMETERS, 1);
    refuse_value(m, AT_PARAMETERS + 1, 1, info->key_bytes_max + 1);
    refuse_value(m, AT_PARAMETERS + 1, 1, 255);
    if (takes_trees(info)) {
        refuse_value(m, AT_PARAMETERS + 3, 1, 0);
        refuse_value(m, AT_PARAMETERS + node_end - 1, 1, info->key_bytes_max + 1);
    } else {
        refuse_others(m, AT_PARAMETERS + 2, node_end - 2);
    }
    if (wide) {
        refuse_others(m, AT_PARAMETERS + node_end, 32 - node_end);
    }
}

static void check_fields(const midstate *m)
{
    const fin_algorithm_info *info = m->info;
    const bool wide_counter = info->block_bytes == 128 && info->family != FIN_FAMILY_GROESTL;
    refuse_others(m, 0, AT_VERSION);
    refuse_others(m, AT_VERSION, 1);
    for (unsigned algorithm = 24; algorithm < 256; algorithm++) {
        refuse_value(m, AT_ALGORITHM, 1, algorithm);
    }
    refuse_value(m, AT_ALGORITHM, 1, 0);
    for (unsigned last_node = takes_trees(info) ? 2 : 1; last_node < 256; last_node++) {
        refuse_value(m, AT_LAST_NODE, 1, last_node);
    }
    refuse_others(m, AT_ZERO, 1);
    refuse_others(m, AT_ZEROS, 4);
    if (!wide_counter) {
        refuse_others(m, AT_COUNTER + 8, 8);
    }
    check_lengths(m);
    check_digest_bytes(m);
    check_parameters(m);
}

/* Changes each byte of the fixed part: what fin_restore accepts, fin_save must write again. */
static void check_accepted(const midstate *m)
{
    unsigned accepted = 0;
    for (size_t at = 0; at < AT_H; at++) {
        for (unsigned value = 0; value < 256; value++) {
            midstate changed = *m, again = *m;
            fin_context context;
            changed.is[at] = (uint8_t)value;
            if (fin_restore(&context, changed.is, changed.bytes) == FIN_OK) {
                check_context("%s, byte %u: %u is accepted", m->info->name, (unsigned)at, value);
                CHECK_STATUS(FIN_OK, fin_save(&context, again.is, &again.bytes));
                CHECK(again.bytes == changed.bytes);
                CHECK(memcmp(again.is, changed.is, changed.bytes) == 0);
                accepted++;
            }
        }
    }
    CHECK(accepted > 256);
}

int main(void)
{
    check_paint(message, sizeof message);
    for (size_t i = 0; i < fin_algorithm_count(); i++) {
        for (int keyed = 0; keyed < 2; keyed++) {
            const midstate m = save(fin_algorithm_at(i), keyed != 0);
            check_fields(&m);
            check_accepted(&m);
        }
    }
    return check_report();
}
