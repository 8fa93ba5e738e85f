/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * One function per algorithm name over the generic interface.
 */
#include "spec/spec.h"

/* Returns the salt's length; 0 if this build leaves out the algorithm, which fin_init then
   reports. */
static size_t fin_salt_bytes_of(fin_algorithm algorithm)
{
    const fin_descriptor *descriptor = fin_descriptor_of(algorithm);
    return descriptor != NULL ? descriptor->info.salt_bytes : 0;
}

#define FIN_TYPED_BLAKE(name, id)                                           \
    fin_status fin_##name(uint8_t *digest, const void *in, size_t bytes)    \
    {                                                                       \
        return fin_hash(id, NULL, in, bytes, digest, SIZE_MAX);             \
    }                                                                       \
    fin_status fin_##name##_init(fin_context *context, const uint8_t *salt) \
    {                                                                       \
        const fin_params params = {                                         \
            .salt = salt,                                                   \
            .salt_bytes = salt == NULL ? 0 : fin_salt_bytes_of(id),         \
        };                                                                  \
        return fin_init(context, id, &params);                              \
    }

FIN_TYPED_BLAKE(blake224, FIN_BLAKE224)
FIN_TYPED_BLAKE(blake256, FIN_BLAKE256)
FIN_TYPED_BLAKE(blake384, FIN_BLAKE384)
FIN_TYPED_BLAKE(blake512, FIN_BLAKE512)
FIN_TYPED_BLAKE(blake28, FIN_BLAKE28)
FIN_TYPED_BLAKE(blake32, FIN_BLAKE32)
FIN_TYPED_BLAKE(blake48, FIN_BLAKE48)
FIN_TYPED_BLAKE(blake64, FIN_BLAKE64)

/* Here a digest length of 0 is an error, not a request for the algorithm's own. */
#define FIN_TYPED_BLAKE2(name, id, length_type)                                               \
    fin_status fin_##name(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes, \
                          const uint8_t *key, size_t key_bytes)                               \
    {                                                                                         \
        const fin_params params = {                                                           \
            .digest_bytes = digest_bytes, .key = key, .key_bytes = key_bytes};                \
        return digest_bytes == 0 ? FIN_ERR_DIGEST_LENGTH                                      \
                                 : fin_hash(id, &params, in, bytes, digest, digest_bytes);    \
    }                                                                                         \
    fin_status fin_##name##_init(fin_context *context, length_type digest_bytes,              \
                                 const uint8_t *key, size_t key_bytes)                        \
    {                                                                                         \
        const fin_params params = {                                                           \
            .digest_bytes = digest_bytes, .key = key, .key_bytes = key_bytes};                \
        return digest_bytes == 0 ? FIN_ERR_DIGEST_LENGTH : fin_init(context, id, &params);    \
    }

FIN_TYPED_BLAKE2(blake2b, FIN_BLAKE2B, size_t)
FIN_TYPED_BLAKE2(blake2s, FIN_BLAKE2S, size_t)
FIN_TYPED_BLAKE2(blake2bp, FIN_BLAKE2BP, size_t)
FIN_TYPED_BLAKE2(blake2sp, FIN_BLAKE2SP, size_t)
FIN_TYPED_BLAKE2(blake2xb, FIN_BLAKE2XB, uint64_t)
FIN_TYPED_BLAKE2(blake2xs, FIN_BLAKE2XS, uint64_t)
FIN_TYPED_BLAKE2(blake3, FIN_BLAKE3, uint64_t)

fin_status fin_blake3_derive_key(uint8_t *key, size_t key_bytes, const void *context,
                                 size_t context_bytes, const void *material, size_t material_bytes)
{
    const fin_params params = {.digest_bytes = key_bytes,
                               .derive_key_context = context,
                               .derive_key_context_bytes = context_bytes};
    return context == NULL ? FIN_ERR_NULL
           : key_bytes == 0
               ? FIN_ERR_DIGEST_LENGTH
               : fin_hash(FIN_BLAKE3, &params, material, material_bytes, key, key_bytes);
}

#define FIN_TYPED_GROESTL(name, id)                                                           \
    fin_status fin_##name(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes) \
    {                                                                                         \
        const fin_params params = {.digest_bytes = digest_bytes};                             \
        return digest_bytes == 0 ? FIN_ERR_DIGEST_LENGTH                                      \
                                 : fin_hash(id, &params, in, bytes, digest, digest_bytes);    \
    }                                                                                         \
    fin_status fin_##name##_init(fin_context *context, size_t digest_bytes)                   \
    {                                                                                         \
        const fin_params params = {.digest_bytes = digest_bytes};                             \
        return digest_bytes == 0 ? FIN_ERR_DIGEST_LENGTH : fin_init(context, id, &params);    \
    }

FIN_TYPED_GROESTL(groestl, FIN_GROESTL512)
FIN_TYPED_GROESTL(groestl0, FIN_GROESTL0_512)

#define FIN_TYPED_GROESTL_LENGTH(digest_bits)                                          \
    fin_status fin_groestl##digest_bits(uint8_t *digest, const void *in, size_t bytes) \
    {                                                                                  \
        return fin_hash(FIN_GROESTL##digest_bits, NULL, in, bytes, digest, SIZE_MAX);  \
    }

FIN_TYPED_GROESTL_LENGTH(224)
FIN_TYPED_GROESTL_LENGTH(256)
FIN_TYPED_GROESTL_LENGTH(384)
FIN_TYPED_GROESTL_LENGTH(512)
