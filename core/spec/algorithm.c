/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The table of algorithms, generated from alg.def, and look-ups in it.
 */
#include "spec/spec.h"

const uint8_t fin_block_bytes[FIN_COMPRESSIONS] = {
#define FIN_COMPRESSION(id, name, block_bytes) block_bytes,
#include "alg.def"
#undef FIN_COMPRESSION
};

enum {
#define FIN_COMPRESSION(id, name, block_bytes) FIN_BLOCK_##id = block_bytes,
#include "alg.def"
#undef FIN_COMPRESSION
};

#define FIN_COMPRESSION(id, name, block_bytes) static const char fin_name_##id[] = name;
#include "alg.def"
#undef FIN_COMPRESSION

/* BLAKE's salt is a quarter of a block. BLAKE2's key is at most as long as its longest digest, half
   a block; its salt and its personalisation are an eighth each. BLAKE3's key is half a block. */
#define FIN_TAKES_BLAKE(block) .salt_bytes = (block) / 4, .bits = true
#define FIN_TAKES_BLAKE2(block)                                                  \
    .key_bytes_min = 1, .key_bytes_max = (block) / 2, .salt_bytes = (block) / 8, \
    .personal_bytes = (block) / 8
#define FIN_TAKES_BLAKE3(block) \
    .key_bytes_min = (block) / 2, .key_bytes_max = (block) / 2, .derive_key = true
#define FIN_TAKES_GROESTL(block) .bits = true

const fin_descriptor fin_descriptors[FIN_DESCRIPTORS] = {
#define FIN_ALGORITHM(id, ...) \
    FIN_IF_ELSE(FIN_HAS_ALGORITHM(id), FIN_ALGORITHM_KEPT, FIN_ALGORITHM_LEFT_OUT)(id, __VA_ARGS__)
#define FIN_ALGORITHM_LEFT_OUT(...) {.shape = FIN_SERIAL},
#define FIN_ALGORITHM_KEPT(id, name_, title_, family_, shape_, small, large, rounds_, digest, min, \
                           max)                                                                    \
    {.info = {.algorithm = FIN_##id,                                                               \
              .family = FIN_FAMILY_##family_,                                                      \
              .name = name_,                                                                       \
              .title = title_,                                                                     \
              .compression = (digest) <= 32 ? fin_name_##small : fin_name_##large,                 \
              .block_bytes = (digest) <= 32 ? FIN_BLOCK_##small : FIN_BLOCK_##large,               \
              .digest_bytes = digest,                                                              \
              .digest_bytes_min = min,                                                             \
              .digest_bytes_max = max,                                                             \
              FIN_TAKES_##family_(FIN_BLOCK_##small)},                                             \
     .shape = FIN_##shape_,                                                                        \
     .small_compression = FIN_COMPRESSION_##small,                                                 \
     .large_compression = FIN_COMPRESSION_##large,                                                 \
     .rounds = rounds_},
#include "alg.def"
#undef FIN_ALGORITHM
};

#define FIN_ALGORITHM(id, ...) \
    _Static_assert(FIN_INDEX_##id + 1 == (int)FIN_##id, "alg.def is in the enum's order");
#include "alg.def"
#undef FIN_ALGORITHM

static bool fin_names_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

fin_status fin_algorithm_by_name(const char *name, fin_algorithm *algorithm)
{
    if (name == NULL || algorithm == NULL) {
        return FIN_ERR_NULL;
    }
    for (size_t i = 0; i < FIN_DESCRIPTORS; i++) {
        const fin_descriptor *descriptor = &fin_descriptors[i];
        if (fin_is_built(descriptor) && fin_names_equal(name, descriptor->info.name)) {
            *algorithm = descriptor->info.algorithm;
            return FIN_OK;
        }
    }
    return FIN_ERR_ALGORITHM;
}

const fin_algorithm_info *fin_algorithm_describe(fin_algorithm algorithm)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    return descriptor == NULL ? NULL : &descriptor->info;
}

size_t fin_algorithm_count(void)
{
    size_t count = 0;
    while (fin_algorithm_at(count) != NULL) {
        count++;
    }
    return count;
}

const fin_algorithm_info *fin_algorithm_at(size_t index)
{
    for (size_t i = 0; i < FIN_DESCRIPTORS; i++) {
        if (fin_is_built(&fin_descriptors[i]) && index-- == 0) {
            return &fin_descriptors[i].info;
        }
    }
    return NULL;
}

const char *fin_version(void)
{
    return FIN_TEXT(FIN_VERSION_MAJOR) "." FIN_TEXT(FIN_VERSION_MINOR) "." FIN_TEXT(
        FIN_VERSION_PATCH);
}

static const char *const fin_status_texts[] = {
    [FIN_OK] = "success",
    [FIN_ERR_NULL] = "a null pointer where data or a result was needed",
    [FIN_ERR_ALGORITHM] = "no such algorithm, or the call does not exist for it",
    [FIN_ERR_DIGEST_LENGTH] = "the algorithm has no digest of this length",
    [FIN_ERR_KEY_LENGTH] = "the algorithm takes no key of this length",
    [FIN_ERR_SALT_LENGTH] = "the algorithm takes no salt of this length",
    [FIN_ERR_PERSONAL_LENGTH] = "the algorithm takes no personalisation of this length",
    [FIN_ERR_TREE_MODE] = "tree mode parameters out of range or not taken by the algorithm",
    [FIN_ERR_STATE] = "the context is not initialised or its digest was already taken",
    [FIN_ERR_KEY_WIPED] = "the context's key was wiped: initialise it again",
    [FIN_ERR_OUTPUT_LENGTH] = "the output buffer has the wrong size",
    [FIN_ERR_MESSAGE_LENGTH] = "the message is longer than the algorithm counts or memory holds",
    [FIN_ERR_BLOCK_LENGTH] =
        "not a whole number of blocks, or more than one block in the final call",
    [FIN_ERR_BITS] = "more than seven extra bits, or bits given to BLAKE2 or BLAKE3",
    [FIN_ERR_MIDSTATE] = "the bytes are no midstate of this version",
    [FIN_ERR_IMPL_UNKNOWN] = "the algorithm has no implementation of that name",
    [FIN_ERR_IMPL_UNSUPPORTED] = "the implementation needs a CPU feature that is absent or hidden",
    [FIN_ERR_ENVIRONMENT] = "an item that is not understood",
    [FIN_ERR_INDEX] = "no such leaf, or no tree of that size is part of this one",
    [FIN_ERR_PROOF] = "the proof does not lead to the root",
    [FIN_ERR_COLUMN] = "offsets, views or widths of the column reach outside of its bytes",
    [FIN_ERR_DERIVE_KEY] = "a derive-key context beside a key, or one that the call does not take",
};

const char *fin_status_text(fin_status status)
{
    const bool known = (size_t)status < sizeof fin_status_texts / sizeof fin_status_texts[0];
    return known ? fin_status_texts[status] : "unknown status";
}
