/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Finalist: the hash functions BLAKE3, BLAKE2, BLAKE and Grøstl.
 *
 * Every function is re-entrant and allocates nothing. The caller provides the memory of contexts.
 * A call that can fail returns a fin_status. Unless it returns FIN_OK, it has changed neither the
 * context nor the output. Lengths are in bytes unless a name says bits. A length, or a count times a
 * stride, that reaches beyond the last address is an error, too. The sources named here are listed
 * in docs/design/bibliography.md.
 *
 * Constant time: implementations selected by default branch and index on lengths only, never on
 * message, key or salt. Implementations without that property (T-tables) are opt-in: they run only
 * if fin_impl_select or FINALIST_IMPL names them.
 */
#ifndef FINALIST_H
#define FINALIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(FIN_SHARED) && defined(__GNUC__)
#define FIN_API __attribute__((visibility("default")))
#else
#define FIN_API
#endif

#define FIN_VERSION_MAJOR 0
#define FIN_VERSION_MINOR 1
#define FIN_VERSION_PATCH 0

/* The library's version, "MAJOR.MINOR.PATCH". */
FIN_API const char *fin_version(void);

/* ---- Status ------------------------------------------------------------------------------- */

typedef enum fin_status {
    FIN_OK = 0,
    FIN_ERR_NULL,             /* a null pointer where data or a result was needed */
    FIN_ERR_ALGORITHM,        /* no such algorithm in this build, or the call does not support it */
    FIN_ERR_DIGEST_LENGTH,    /* a digest length that the algorithm does not have */
    FIN_ERR_KEY_LENGTH,       /* a key of another length than the algorithm takes */
    FIN_ERR_SALT_LENGTH,      /* a salt length that the algorithm does not have */
    FIN_ERR_PERSONAL_LENGTH,  /* a personalisation that is too long, or any if none is taken */
    FIN_ERR_TREE_MODE,        /* tree mode parameters out of range, or not taken here */
    FIN_ERR_STATE,            /* the context is not initialised, or its digest was already taken */
    FIN_ERR_KEY_WIPED,        /* reset of a keyed context whose key was wiped: call fin_init */
    FIN_ERR_OUTPUT_LENGTH,    /* an output buffer of the wrong size */
    FIN_ERR_MESSAGE_LENGTH,   /* more than the algorithm's counter counts or any memory holds */
    FIN_ERR_BLOCK_LENGTH,     /* not whole blocks, or more than one block in a final call */
    FIN_ERR_BITS,             /* more than seven extra bits, or bits given to BLAKE2 or BLAKE3 */
    FIN_ERR_MIDSTATE,         /* the bytes are not a midstate of this version */
    FIN_ERR_IMPL_UNKNOWN,     /* no implementation of that name for the algorithm */
    FIN_ERR_IMPL_UNSUPPORTED, /* the implementation needs a CPU feature that is absent or masked */
    FIN_ERR_ENVIRONMENT,      /* FINALIST_IMPL or FINALIST_CPU holds an unknown item */
    FIN_ERR_INDEX,            /* no such leaf, or no tree of that size is part of this one */
    FIN_ERR_PROOF,            /* the proof does not lead to the root */
    FIN_ERR_COLUMN,    /* offsets, views or widths of a column that reach outside of its bytes */
    FIN_ERR_DERIVE_KEY /* a derive-key context beside a key, or one that the call does not take */
} fin_status;

/* Returns an English sentence for a status, without a full stop. Never null, for any value. */
FIN_API const char *fin_status_text(fin_status status);

/* ---- Algorithms --------------------------------------------------------------------------- */

/* The algorithms. The numbers are part of the midstate format and never change. */
typedef enum fin_algorithm {
    /* SHA-3 proposal BLAKE, final round: 14 rounds (224, 256) and 16 rounds (384, 512). */
    FIN_BLAKE224 = 1,
    FIN_BLAKE256 = 2,
    FIN_BLAKE384 = 3,
    FIN_BLAKE512 = 4,
    FIN_BLAKE28 = 5, /* first submission: 10 rounds (28, 32) and 14 rounds (48, 64) */
    FIN_BLAKE32 = 6,
    FIN_BLAKE48 = 7,
    FIN_BLAKE64 = 8,
    FIN_BLAKE2B = 9, /* RFC 7693 and the BLAKE2 paper */
    FIN_BLAKE2S = 10,
    FIN_BLAKE2BP = 11,
    FIN_BLAKE2SP = 12,
    FIN_BLAKE2XB = 13, /* the BLAKE2X paper */
    FIN_BLAKE2XS = 14,
    FIN_GROESTL224 = 15, /* SHA-3 final round ("tweaked"); Grøstl specification */
    FIN_GROESTL256 = 16,
    FIN_GROESTL384 = 17,
    FIN_GROESTL512 = 18,
    FIN_GROESTL0_224 = 19, /* first submission */
    FIN_GROESTL0_256 = 20,
    FIN_GROESTL0_384 = 21,
    FIN_GROESTL0_512 = 22,
    FIN_BLAKE3 = 23 /* the BLAKE3 paper */
} fin_algorithm;

/* Algorithms of a family share their design and their parameters. */
typedef enum fin_family {
    FIN_FAMILY_BLAKE,
    FIN_FAMILY_BLAKE2,
    FIN_FAMILY_GROESTL,
    FIN_FAMILY_BLAKE3
} fin_family;

/* An algorithm: its names, parameters and digest lengths. */
typedef struct fin_algorithm_info {
    fin_algorithm algorithm;
    fin_family family;
    const char *name;          /* "blake2b": the command line's and the vectors' name */
    const char *title;         /* "BLAKE2b": the name in tagged checksum lines */
    const char *compression;   /* "blake2b": its compression function (see fin_impl_at) */
    uint32_t block_bytes;      /* of the compression function */
    uint32_t digest_bytes;     /* if fin_params gives no length */
    uint64_t digest_bytes_min; /* the shortest and longest that fin_params can give */
    uint64_t digest_bytes_max;
    uint32_t key_bytes_max;  /* 0: takes no key */
    uint32_t salt_bytes;     /* 0: takes no salt */
    uint32_t personal_bytes; /* 0: takes no personalisation */
    bool bits;               /* takes messages of any number of bits */
    bool derive_key;         /* takes a derive-key context */
    uint32_t key_bytes_min;  /* the shortest key; 0: takes no key */
} fin_algorithm_info;

/* Finds an algorithm by its name, case-sensitive: "blake2b". FIN_ERR_ALGORITHM if there is none. */
FIN_API fin_status fin_algorithm_by_name(const char *name, fin_algorithm *algorithm);

/* Describes an algorithm. Null for any other value. Static storage: do not free. */
FIN_API const fin_algorithm_info *fin_algorithm_describe(fin_algorithm algorithm);

/* Lists the algorithms: index 0 .. fin_algorithm_count() - 1, in the order of their numbers. Null
   for any other index. */
FIN_API size_t fin_algorithm_count(void);
FIN_API const fin_algorithm_info *fin_algorithm_at(size_t index);

/* ---- Parameters --------------------------------------------------------------------------- */

/* Parameters of BLAKE2's tree mode for one node (BLAKE2 paper, section 2.10). */
typedef struct fin_tree_mode {
    uint8_t fanout;       /* 0: unlimited */
    uint8_t depth;        /* 1..255; 255: unlimited */
    uint32_t leaf_bytes;  /* 0: unlimited */
    uint64_t node_offset; /* BLAKE2b: 64 bits; BLAKE2s: below 2^48 */
    uint8_t node_depth;   /* 0: leaf */
    uint8_t inner_bytes;  /* 0..64 (BLAKE2b), 0..32 (BLAKE2s) */
    bool last_node;       /* this node is the last of its level */
} fin_tree_mode;

/* fin_params.digest_bytes of BLAKE2X and BLAKE3 if the output length is not known in advance. */
#define FIN_XOF_UNKNOWN UINT64_MAX

/*
 * Parameters of an algorithm. All zero, or a null pointer to it, means the plain function. Where
 * two lengths are given, the first is for 64-bit words (BLAKE-384 and -512, BLAKE2b and its kin),
 * the second for 32-bit words (BLAKE-224 and -256, BLAKE2s and its kin).
 *   digest_bytes  BLAKE: the algorithm's own length only. BLAKE2: 1..64 / 1..32. BLAKE2X: 1 to
 *                 2^32 - 2 / 2^16 - 2, or FIN_XOF_UNKNOWN. Grøstl: 1 to the named length; each
 *                 length n has its own initial value (Grøstl-8n), so no digest is a truncation of
 *                 another. BLAKE3: 1 to 2^64 - 2, or FIN_XOF_UNKNOWN; a short output is the
 *                 beginning of every longer one.
 *   key           BLAKE2: up to 64 / 32 bytes. BLAKE3: exactly 32 bytes.
 *   salt          BLAKE: exactly 32 / 16 bytes. BLAKE2: up to 16 / 8, padded with zeros.
 *   personal      BLAKE2: up to 16 / 8 bytes, padded with zeros.
 *   tree_mode     BLAKE2b and BLAKE2s: one node of a tree. Null: sequential hashing.
 *   derive_key_context
 *                 BLAKE3's key derivation: a string that names the purpose of the derived key,
 *                 hard-coded, unique in the world, not secret (BLAKE3 paper, section 2.3). The message
 *                 is the key material, the digest the derived key. Null: no key derivation. May be
 *                 empty. Not together with a key.
 */
typedef struct fin_params {
    uint64_t digest_bytes; /* 0: the algorithm's own */
    const uint8_t *key;
    size_t key_bytes;
    const uint8_t *salt;
    size_t salt_bytes;
    const uint8_t *personal;
    size_t personal_bytes;
    const fin_tree_mode *tree_mode;
    const void *derive_key_context;
    size_t derive_key_context_bytes;
} fin_params;

/* ---- Hashing ------------------------------------------------------------------------------ */

/*
 * The state that a compression function reads and writes. h is the chaining value in native
 * integers: BLAKE, BLAKE2 and BLAKE3 in w32 or w64, Grøstl in w64, one column a word, row 0 in the
 * least significant byte.
 */
typedef struct fin_state {
    union {
        uint32_t w32[32];
        uint64_t w64[16];
    } h;
    union {
        uint32_t w32[8];
        uint64_t w64[4];
    } salt; /* of BLAKE3 the key, with which every node of the tree begins */
    /* Before the next block. BLAKE: bits, BLAKE2: bytes, BLAKE3: chunks, Grøstl: blocks. */
    uint64_t t[2];
    uint64_t f[2]; /* BLAKE2: finalisation flags; BLAKE3: the last block's length, flags */
    uint64_t rounds;
} fin_state;

#define FIN_BUFFER_BYTES 1024
#define FIN_LEAVES_BYTES 256
#define FIN_SUBTREES_BYTES 1728

/* A message in progress. Plain data: move and copy it as you like, but leave its fields alone. It
   contains the key and key-derived state: wipe it if you do not finish it. */
typedef struct fin_context {
    fin_state state;
    uint64_t digest_bytes;
    uint64_t squeezed_bytes;
    uint8_t parameter_block[64];
    uint8_t key[64];
    uint32_t buffered_bytes;
    uint8_t algorithm;
    uint8_t phase;
    uint8_t key_bytes;
    uint8_t last_node;
    uint8_t buffer[FIN_BUFFER_BYTES];
    /* Chaining values: FIN_LEAVES_BYTES of the leaves of BLAKE2bp and BLAKE2sp, or BLAKE3's subtrees. */
    uint64_t leaves[FIN_SUBTREES_BYTES / 8];
} fin_context;

/* Size and alignment of fin_context as the library was built, for bindings to check. */
FIN_API size_t fin_context_bytes(void);
FIN_API size_t fin_context_alignment(void);

/*
 * Starts a message. params may be null; its pointers are not kept. FIN_ERR_ALGORITHM, or the error
 * of the parameter that the algorithm does not take: FIN_ERR_DIGEST_LENGTH, FIN_ERR_KEY_LENGTH,
 * FIN_ERR_SALT_LENGTH, FIN_ERR_PERSONAL_LENGTH, FIN_ERR_TREE_MODE, FIN_ERR_DERIVE_KEY. For a wrong
 * environment variable FIN_ERR_ENVIRONMENT or FIN_ERR_IMPL_*, see fin_environment_check.
 *
 * With a key, every call that compresses blocks also overwrites the stack below it, where kernels
 * leave the key or key-derived state: some 20 nanoseconds a call.
 */
FIN_API fin_status fin_init(fin_context *context, fin_algorithm algorithm,
                            const fin_params *params);

/* Appends bytes to the message. in may be null if bytes is 0. FIN_ERR_MESSAGE_LENGTH if the message
   is too long, FIN_ERR_STATE after fin_final. */
FIN_API fin_status fin_update(fin_context *context, const void *in, size_t bytes);

/*
 * Ends the message, writes the digest, and wipes the context but for what fin_reset needs.
 * digest_bytes is the buffer's size: at least the digest's length (else FIN_ERR_OUTPUT_LENGTH).
 * Only the digest is written, except that with FIN_XOF_UNKNOWN the output fills the buffer.
 */
FIN_API fin_status fin_final(fin_context *context, uint8_t *digest, size_t digest_bytes);

/*
 * As fin_final, after appending bit_count bits (0..7): the most significant bits of last_bits.
 * BLAKE and Grøstl only; for others FIN_ERR_BITS unless bit_count is 0.
 */
FIN_API fin_status fin_final_bits(fin_context *context, uint8_t last_bits, unsigned bit_count,
                                  uint8_t *digest, size_t digest_bytes);

/*
 * BLAKE2X and BLAKE3: writes the next bytes of the output. The first call ends the message. Call it
 * as often as you like: of BLAKE2X up to the length that fin_init was given, of BLAKE3 up to 2^64 - 1
 * bytes whatever it was given (else FIN_ERR_OUTPUT_LENGTH). Call fin_wipe when you are done.
 */
FIN_API fin_status fin_squeeze(fin_context *context, uint8_t *out, size_t bytes);

/* BLAKE2X and BLAKE3: the next fin_squeeze begins with this byte of the output (from 0). Ends the
   message, as fin_squeeze does. FIN_ERR_OUTPUT_LENGTH beyond the output's end. */
FIN_API fin_status fin_seek(fin_context *context, uint64_t position);

/*
 * Starts a new message with the parameters of fin_init. FIN_ERR_KEY_WIPED if there was a key and
 * fin_final has wiped it, or the context came from a midstate, which does not store it.
 */
FIN_API fin_status fin_reset(fin_context *context);

/* Copies a message in progress. Both can then go on independently. */
FIN_API fin_status fin_copy(fin_context *to, const fin_context *from);

/* Overwrites the context with zeros. Compilers do not remove it. */
FIN_API void fin_wipe(fin_context *context);

/* Hashes in[0 .. bytes) in one call, with the errors of fin_init, fin_update and fin_final. */
FIN_API fin_status fin_hash(fin_algorithm algorithm, const fin_params *params, const void *in,
                            size_t bytes, uint8_t *digest, size_t digest_bytes);

/* As fin_hash for a message of bits bits, the first in the most significant bit of in[0]. BLAKE and
   Grøstl; for others FIN_ERR_BITS unless bits is a multiple of eight. */
FIN_API fin_status fin_hash_bits(fin_algorithm algorithm, const fin_params *params, const void *in,
                                 uint64_t bits, uint8_t *digest, size_t digest_bytes);

/* ---- One message in several threads ------------------------------------------------------ */

/* Bytes of a message, split for the leaves of BLAKE2bp or BLAKE2sp, or into subtrees of BLAKE3, which are
   its leaves here. Read the fields only. */
typedef struct fin_share {
    const uint8_t *in; /* BLAKE2: whole stripes, one block for each leaf; BLAKE3: the first leaf */
    size_t stripes;    /* their number; BLAKE3: chunks of each leaf; 0: too few bytes to share */
    const uint8_t *rest; /* the bytes after them */
    size_t rest_bytes;
    uint32_t leaf_count; /* 4 or 8; BLAKE3: 1 to 32 */
    uint32_t lanes;      /* assign each thread a multiple of lanes leaves: one thread advances that
                            many in the time of one */
} fin_share;

/*
 * fin_update for BLAKE2bp, BLAKE2sp and BLAKE3 by several threads, in three steps:
 *
 *   1. fin_share_begin takes the bytes. They must stay in place until the end.
 *   2. fin_share_leaves advances count leaves, beginning with leaf first. Call it for every leaf
 *      exactly once; calls for different leaves may run at the same time.
 *   3. fin_share_end, after all leaves, appends the bytes after them.
 *
 * In between, fin_init, fin_restore and fin_wipe give the message up, and every other call with the
 * context returns FIN_ERR_STATE. Errors are those of fin_update, FIN_ERR_ALGORITHM for other
 * algorithms, FIN_ERR_INDEX for leaves that do not exist. Sharing pays if lanes < leaf_count; for BLAKE3
 * from a megabyte on.
 */
FIN_API fin_status fin_share_begin(fin_context *context, const void *in, size_t bytes,
                                   fin_share *share);
FIN_API fin_status fin_share_leaves(fin_context *context, const fin_share *share, uint32_t first,
                                    uint32_t count);
FIN_API fin_status fin_share_end(fin_context *context, const fin_share *share);

/* ---- Many messages ------------------------------------------------------------------------ */

/* A message for fin_hash_many. in may be null if bytes is 0. */
typedef struct fin_message {
    const void *in;
    size_t bytes;
} fin_message;

/*
 * Hashes count messages of any lengths, several at a time in the lanes of vector registers. Digest
 * i is what fin_hash gives for message i; it is written to digests + i * stride. All messages take
 * the same parameters. stride is at least the digest's length (else FIN_ERR_OUTPUT_LENGTH); bytes
 * between digests are not touched. count may be 0. The digests must not overlap the messages.
 *
 * All or nothing: if one message is wrong, the call fails with the status of fin_hash and no digest
 * is written. FIN_ERR_DIGEST_LENGTH for FIN_XOF_UNKNOWN.
 *
 * Sort longest first for best throughput. The time depends on the lengths and their order, not on
 * what the messages contain. Takes up to 70 KB of stack, as do Merkle trees; tree mode 80 KB.
 */
FIN_API fin_status fin_hash_many(fin_algorithm algorithm, const fin_params *params,
                                 const fin_message *messages, size_t count, uint8_t *digests,
                                 size_t stride);

/* Memory layouts of a column's values: Apache Arrow's layouts of binary and string arrays. */
typedef enum fin_column_layout {
    FIN_COLUMN_OFFSETS32, /* count + 1 signed offsets into data: Binary, Utf8 */
    FIN_COLUMN_OFFSETS64, /* the same of 64 bits: LargeBinary, LargeUtf8 */
    FIN_COLUMN_VIEWS,     /* count views of 16 bytes: BinaryView, Utf8View */
    FIN_COLUMN_FIXED      /* width bytes each, one right after the other: FixedSizeBinary */
} fin_column_layout;

/* Bytes that views refer to. */
typedef struct fin_buffer {
    const void *data;
    uint64_t bytes;
} fin_buffer;

/* The values of a column. Fields that the layout does not use are ignored. */
typedef struct fin_column {
    fin_column_layout layout;
    const void *data; /* offsets and fixed: the values' bytes */
    uint64_t data_bytes;
    const void *items;         /* offsets: the offsets; views: the views. They need no alignment */
    size_t width;              /* fixed: bytes in each value; may be 0 */
    const fin_buffer *buffers; /* views: the buffers that they number */
    size_t buffer_count;
    const uint8_t *validity;  /* a bit for each value, the least significant first; 0: a null
                                 entry. A null pointer: there are none */
    uint64_t validity_offset; /* bits in validity before the first value's */
} fin_column;

/*
 * As fin_hash_many for the count values of a column, without an array of pointers. A null entry gets
 * a digest of zeros; validity tells it from a digest. Everything is checked before anything is
 * written: FIN_ERR_COLUMN for offsets that run backwards, and for offsets, views or widths that
 * reach beyond the data or buffers; views of null entries are not read.
 */
FIN_API fin_status fin_hash_column(fin_algorithm algorithm, const fin_params *params,
                                   const fin_column *column, size_t count, uint8_t *digests,
                                   size_t stride);

/* One node of a level in BLAKE2's tree mode: the parameters that differ from node to node. */
typedef struct fin_node {
    const void *in;
    size_t bytes;
    uint64_t node_offset; /* BLAKE2b: 64 bits; BLAKE2s: below 2^48 */
    bool last_node;
} fin_node;

/*
 * As fin_hash_many for the nodes of one level in tree mode. BLAKE2b and BLAKE2s only.
 * params->tree_mode has the parameters that all nodes share; its node_offset is 0 and its last_node
 * false (else FIN_ERR_TREE_MODE).
 */
FIN_API fin_status fin_hash_nodes(fin_algorithm algorithm, const fin_params *params,
                                  const fin_node *nodes, size_t count, uint8_t *digests,
                                  size_t stride);

/*
 * As fin_hash_many for count messages of message_bytes bytes each that follow one another at in: a
 * level of a Merkle tree, where a message is two digests.
 */
FIN_API fin_status fin_hash_equal(fin_algorithm algorithm, const fin_params *params, const void *in,
                                  size_t message_bytes, size_t count, uint8_t *digests,
                                  size_t stride);

/*
 * A building block, not a hash function: Grøstl's compression function on one block without
 * padding, from the initial value, then output transformation and truncation. Each digest takes one
 * block of in, 64 bytes for digests up to 32 bytes and 128 for longer ones: two digests in, one
 * out. Use it for trees only in which every input has this length; otherwise use fin_hash_many.
 * FIN_ERR_ALGORITHM for other families.
 */
FIN_API fin_status fin_groestl_pairs(fin_algorithm algorithm, const void *in, size_t count,
                                     uint8_t *digests, size_t stride);

/* ---- Merkle trees ------------------------------------------------------------------------- */

/*
 * The Merkle tree of RFC 6962 and RFC 9162, section 2.1 of both, over any algorithm. A leaf's hash
 * is that of the byte 00 and the leaf. An inner node's is that of the byte 01 and its two
 * children's hashes. The left subtree of n leaves has as many as the largest power of two below n.
 * The root of a tree without leaves is the hash of the empty message.
 *
 * params apply to every hash of the tree: key, salt, personalisation, and a digest length up to 64
 * bytes (else FIN_ERR_DIGEST_LENGTH). params->tree_mode must be null (else FIN_ERR_TREE_MODE), and
 * so must derive_key_context (else FIN_ERR_DERIVE_KEY). Arrays of hashes have no gaps; each hash is
 * as long as the digest. Keys are handled in constant time.
 */
#define FIN_MERKLE_HASH_BYTES_MAX 64
/* The most hashes that a proof can have. */
#define FIN_MERKLE_PROOF_MAX 65

/* Hashes count leaves, several at a time, with the errors of fin_hash_many. */
FIN_API fin_status fin_merkle_leaves(fin_algorithm algorithm, const fin_params *params,
                                     const fin_message *leaves, size_t count, uint8_t *hashes);

/*
 * A tree that grows, in constant memory. Plain data: move and copy it as you like, but leave its
 * fields alone. It holds the key: wipe it.
 */
typedef struct fin_merkle {
    uint64_t leaf_count;
    uint8_t algorithm;
    uint8_t digest_bytes;
    uint8_t key_bytes;
    uint8_t salt_bytes;
    uint8_t personal_bytes;
    uint8_t key[64];
    uint8_t salt[32];
    uint8_t personal[16];
    uint8_t stack[64 * FIN_MERKLE_HASH_BYTES_MAX];
} fin_merkle;

/* Starts a tree without leaves. params may be null. */
FIN_API fin_status fin_merkle_init(fin_merkle *tree, fin_algorithm algorithm,
                                   const fin_params *params);

/*
 * Appends count leaves by their hashes. Append many at once for best throughput. FIN_ERR_STATE if
 * the tree is not initialised, FIN_ERR_MESSAGE_LENGTH for more than 2^64 - 1 leaves.
 */
FIN_API fin_status fin_merkle_append(fin_merkle *tree, const uint8_t *leaf_hashes, size_t count);

/* Appends count leaves that all have this hash, for the empty places of a sparse tree: it hashes a
   few nodes for each bit of count. Errors are those of fin_merkle_append. */
FIN_API fin_status fin_merkle_append_equal(fin_merkle *tree, const uint8_t *leaf_hash,
                                           uint64_t count);

/* Writes the root over all leaves so far. The tree may go on growing. root_bytes is the buffer's
   size, at least the digest's length (else FIN_ERR_OUTPUT_LENGTH). */
FIN_API fin_status fin_merkle_root(const fin_merkle *tree, uint8_t *root, size_t root_bytes);

/* Overwrites the tree with zeros. Compilers do not remove it. */
FIN_API void fin_merkle_wipe(fin_merkle *tree);

/*
 * Proves that leaf index (from 0) is in the tree of count leaves: RFC 9162, section 2.1.3.1.
 * capacity is the size of proof in hashes; FIN_MERKLE_PROOF_MAX always suffices. *proof_count
 * becomes the number of hashes of the proof, also if capacity is too small (FIN_ERR_OUTPUT_LENGTH;
 * proof may then be null). FIN_ERR_INDEX if there is no such leaf.
 */
FIN_API fin_status fin_merkle_inclusion(fin_algorithm algorithm, const fin_params *params,
                                        const uint8_t *leaf_hashes, size_t count, size_t index,
                                        uint8_t *proof, size_t capacity, size_t *proof_count);

/*
 * Proves that the tree of count leaves begins with the tree of its first old_count leaves: RFC
 * 9162, section 2.1.4.1. The proof is empty if old_count is count. proof, capacity and proof_count
 * as in fin_merkle_inclusion. FIN_ERR_INDEX if old_count is 0 or above count.
 */
FIN_API fin_status fin_merkle_consistency(fin_algorithm algorithm, const fin_params *params,
                                          const uint8_t *leaf_hashes, size_t count,
                                          size_t old_count, uint8_t *proof, size_t capacity,
                                          size_t *proof_count);

/*
 * FIN_OK if the proof shows that leaf index of the tree of count leaves with this root has this
 * hash: RFC 9162, section 2.1.3.2. FIN_ERR_PROOF if it does not, whether a hash is wrong or their
 * number. FIN_ERR_INDEX if index is not below count.
 *
 * Take index and count, like the root, from whom you trust, not from whoever gives you the proof:
 * the root does not commit to them. With another count a hash of inner nodes passes for a leaf's, and a
 * leaf for one at another index. docs/format/proofs.md says what is proved to whom.
 */
FIN_API fin_status fin_merkle_verify_inclusion(fin_algorithm algorithm, const fin_params *params,
                                               const uint8_t *leaf_hash, uint64_t index,
                                               uint64_t count, const uint8_t *proof,
                                               size_t proof_count, const uint8_t *root);

/*
 * FIN_OK if the proof shows that the tree of count leaves with root begins with the tree of
 * old_count leaves with old_root: RFC 9162, section 2.1.4.2. FIN_ERR_PROOF if it does not.
 * FIN_ERR_INDEX if old_count is 0 or above count. Take both counts from whom you trust, like the
 * roots: with others a proof may verify for trees of other leaves.
 */
FIN_API fin_status fin_merkle_verify_consistency(fin_algorithm algorithm, const fin_params *params,
                                                 uint64_t old_count, const uint8_t *old_root,
                                                 uint64_t count, const uint8_t *root,
                                                 const uint8_t *proof, size_t proof_count);

/* ---- BLAKE2's tree mode ------------------------------------------------------------------- */

/*
 * The tree mode of BLAKE2b and BLAKE2s: BLAKE2 paper of 2013-01-29, section 2.10 (RFC 7693 leaves
 * it out). params->tree_mode gives the shape: fanout, depth, leaf_bytes, inner_bytes. Its other
 * fields are 0. Where the paper leaves a choice, this is computed:
 *
 *   - A leaf takes leaf_bytes of the message; the last leaf takes what is left. An empty message
 *     has one empty leaf. With leaf_bytes 0 there is one leaf of any length.
 *   - A node above the leaves takes the digests, inner_bytes each, of the next fanout nodes below
 *     it. The last node of a level takes those that are left, even if it is only one. The single
 *     node of level depth - 1, or with fanout 0 (unlimited) of level 1, takes all of them.
 *   - The root is the node of the lowest level above the leaves that has a single node. So a tree
 *     of depth 2 or more has a root above its leaves even if there is one leaf.
 *   - The last node of every level has the last-node flag, the root too. digest_bytes is the length
 *     of the root. All other nodes are inner_bytes long, in their parameter block too.
 *   - Only leaves hash the key, but every node's parameter block has its length, as in BLAKE2bp.
 *     Salt and personalisation are in every node's parameter block.
 *   - Depth 1 is sequential hashing. It takes fanout 1, leaf_bytes 0, inner_bytes 0; the paper
 *     reserves fanout 1 for it.
 *
 * FIN_ERR_TREE_MODE: any other shape, or none. FIN_ERR_MESSAGE_LENGTH: more leaves than there are
 * node offsets (2^48 in BLAKE2s).
 *
 * BLAKE2bp and BLAKE2sp have the nodes of such a tree (fanout 4 or 8, depth 2, leaf_bytes 0), but
 * distribute the message's blocks over the leaves in turn. Use fin_init for them.
 */
#define FIN_TREE_MODE_LEVELS_MAX 64

/* A node above the leaves that still takes children. */
typedef struct fin_tree_mode_level {
    uint64_t h[8];
    uint64_t node_offset;
    uint64_t child_count;
    uint64_t absorbed_bytes;
    uint32_t buffered_bytes;
    uint8_t buffer[128];
} fin_tree_mode_level;

/* A message in progress, in constant memory. Plain data: move and copy it as you like, but leave
   its fields alone. It holds the key: wipe it if you do not finish it. */
typedef struct fin_tree_mode_context {
    fin_context leaf; /* the one that takes bytes, if leaf_open */
    fin_tree_mode shape;
    uint64_t digest_bytes;
    uint64_t leaf_count; /* with the open one */
    uint64_t open_bytes;
    uint64_t root_h[8]; /* the highest level's first node as the root */
    uint8_t parameter_block[64];
    uint8_t key[64];
    uint8_t key_bytes;
    uint8_t algorithm;
    uint8_t phase;
    uint8_t leaf_open;
    uint32_t level_count;
    fin_tree_mode_level levels[FIN_TREE_MODE_LEVELS_MAX];
} fin_tree_mode_context;

/* Starts a message. params->tree_mode is needed (else FIN_ERR_TREE_MODE). Other errors are those of
   fin_init. */
FIN_API fin_status fin_tree_mode_init(fin_tree_mode_context *tree, fin_algorithm algorithm,
                                      const fin_params *params);

/* Appends bytes to the message. Append many leaves at once for best throughput. in may be null if
   bytes is 0. */
FIN_API fin_status fin_tree_mode_update(fin_tree_mode_context *tree, const void *in, size_t bytes);

/*
 * Computes the digests of consecutive whole leaves, beginning with leaf first (from 0). None of
 * them may be the last leaf of the message. The tree is not changed, so several threads may do this
 * at once; then call fin_tree_mode_append with their results in order. FIN_ERR_BLOCK_LENGTH if bytes
 * is not a multiple of leaf_bytes, FIN_ERR_TREE_MODE if leaf_bytes is 0.
 */
FIN_API fin_status fin_tree_mode_leaves(const fin_tree_mode_context *tree, const void *in,
                                        size_t bytes, uint64_t first, uint8_t *digests);

/*
 * Appends count leaves by their digests, from fin_tree_mode_leaves or fin_hash_nodes. The bytes
 * appended before must end with a whole leaf (else FIN_ERR_STATE). If fin_tree_mode_final follows,
 * the last leaf must have been hashed with the last-node flag. FIN_ERR_TREE_MODE if leaf_bytes is 0.
 */
FIN_API fin_status fin_tree_mode_append(fin_tree_mode_context *tree, const uint8_t *leaf_digests,
                                        size_t count);

/* Ends the message, writes the root's digest, and wipes the context. digest_bytes is the buffer's
   size, at least the digest's length (else FIN_ERR_OUTPUT_LENGTH). */
FIN_API fin_status fin_tree_mode_final(fin_tree_mode_context *tree, uint8_t *digest,
                                       size_t digest_bytes);

/* Overwrites the context with zeros. Compilers do not remove it. */
FIN_API void fin_tree_mode_wipe(fin_tree_mode_context *tree);

/* Hashes in[0 .. bytes) in one call, with the errors of fin_tree_mode_init, _update and _final. */
FIN_API fin_status fin_tree_mode_hash(fin_algorithm algorithm, const fin_params *params,
                                      const void *in, size_t bytes, uint8_t *digest,
                                      size_t digest_bytes);

/* ---- BLAKE3's tree ------------------------------------------------------------------------ */

/*
 * Nodes of the tree of a message of more than 1024 bytes (BLAKE3 paper, section 2.1), for proofs
 * about a part of it, and for threads that read different parts. The leaves are chunks of 1024
 * bytes, the last one excepted; a left subtree has the largest power of two of chunks that leaves a
 * byte to the right. params: digest_bytes is 0 or 32 (else FIN_ERR_DIGEST_LENGTH); the key is
 * handled in constant time.
 *
 * fin_blake3_subtree_cv writes the 32-byte chaining value of the subtree over in[0 .. bytes), which
 * begins with chunk first_chunk of the message. FIN_ERR_INDEX if no tree has such a subtree: bytes is
 * 0, or first_chunk no multiple of the smallest power of two of chunks that holds them.
 * FIN_ERR_MESSAGE_LENGTH if no memory holds as many bytes.
 *
 * fin_blake3_merge writes the chaining value of the parent of two subtrees, whose chaining values are
 * the 64 bytes at children; with root, the digest of the message.
 *
 * fin_blake3_append appends whole chunks to a message in progress by the chaining value of their
 * subtree, computed with the parameters of fin_init. chunks is a power of two that divides the
 * number of chunks before, which is not 0 (else FIN_ERR_INDEX). FIN_ERR_STATE if the bytes before
 * end within a chunk.
 */
FIN_API fin_status fin_blake3_subtree_cv(uint8_t *cv, const fin_params *params, const void *in,
                                         size_t bytes, uint64_t first_chunk);
FIN_API fin_status fin_blake3_merge(uint8_t *out, const fin_params *params, const uint8_t *children,
                                    bool root);
FIN_API fin_status fin_blake3_append(fin_context *context, const uint8_t *cv, uint64_t chunks);

/* ---- Midstates ---------------------------------------------------------------------------- */

#define FIN_MIDSTATE_BYTES_MAX 3072

/*
 * A midstate is a message in progress as bytes. Any machine with this or a later version can
 * restore it. On entry *bytes is the size of the buffer, on return the length of the midstate, at
 * most FIN_MIDSTATE_BYTES_MAX. With a null or too small buffer fin_save returns
 * FIN_ERR_OUTPUT_LENGTH and the length needed. fin_restore returns FIN_ERR_MIDSTATE if the bytes
 * are not a midstate.
 *
 * Guard the midstate of a keyed message like the key: it contains key-derived state, and that of
 * BLAKE3 the key itself.
 */
FIN_API fin_status fin_save(const fin_context *context, uint8_t *midstate, size_t *bytes);
FIN_API fin_status fin_restore(fin_context *context, const uint8_t *midstate, size_t bytes);

/* ---- One algorithm by its own name -------------------------------------------------------- */

/* BLAKE: digest is 28, 32, 48 or 64 bytes. salt is null, or 16 bytes (224, 256, 28, 32) or 32. */
FIN_API fin_status fin_blake224(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_blake256(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_blake384(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_blake512(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_blake28(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_blake32(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_blake48(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_blake64(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_blake224_init(fin_context *context, const uint8_t *salt);
FIN_API fin_status fin_blake256_init(fin_context *context, const uint8_t *salt);
FIN_API fin_status fin_blake384_init(fin_context *context, const uint8_t *salt);
FIN_API fin_status fin_blake512_init(fin_context *context, const uint8_t *salt);
FIN_API fin_status fin_blake28_init(fin_context *context, const uint8_t *salt);
FIN_API fin_status fin_blake32_init(fin_context *context, const uint8_t *salt);
FIN_API fin_status fin_blake48_init(fin_context *context, const uint8_t *salt);
FIN_API fin_status fin_blake64_init(fin_context *context, const uint8_t *salt);

/* BLAKE2: digest_bytes is the length of the digest, and as many bytes are written. key may be null if
   key_bytes is 0. Lengths as in fin_params. */
FIN_API fin_status fin_blake2b(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes,
                               const uint8_t *key, size_t key_bytes);
FIN_API fin_status fin_blake2s(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes,
                               const uint8_t *key, size_t key_bytes);
FIN_API fin_status fin_blake2bp(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes,
                                const uint8_t *key, size_t key_bytes);
FIN_API fin_status fin_blake2sp(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes,
                                const uint8_t *key, size_t key_bytes);
FIN_API fin_status fin_blake2xb(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes,
                                const uint8_t *key, size_t key_bytes);
FIN_API fin_status fin_blake2xs(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes,
                                const uint8_t *key, size_t key_bytes);
FIN_API fin_status fin_blake2b_init(fin_context *context, size_t digest_bytes, const uint8_t *key,
                                    size_t key_bytes);
FIN_API fin_status fin_blake2s_init(fin_context *context, size_t digest_bytes, const uint8_t *key,
                                    size_t key_bytes);
FIN_API fin_status fin_blake2bp_init(fin_context *context, size_t digest_bytes, const uint8_t *key,
                                     size_t key_bytes);
FIN_API fin_status fin_blake2sp_init(fin_context *context, size_t digest_bytes, const uint8_t *key,
                                     size_t key_bytes);
FIN_API fin_status fin_blake2xb_init(fin_context *context, uint64_t digest_bytes,
                                     const uint8_t *key, size_t key_bytes);
FIN_API fin_status fin_blake2xs_init(fin_context *context, uint64_t digest_bytes,
                                     const uint8_t *key, size_t key_bytes);

/* BLAKE3: as BLAKE2. key is null or 32 bytes. fin_blake3_derive_key derives a key of any length from key
   material; context is fin_params' derive_key_context. */
FIN_API fin_status fin_blake3(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes,
                              const uint8_t *key, size_t key_bytes);
FIN_API fin_status fin_blake3_init(fin_context *context, uint64_t digest_bytes, const uint8_t *key,
                                   size_t key_bytes);
FIN_API fin_status fin_blake3_derive_key(uint8_t *key, size_t key_bytes, const void *context,
                                         size_t context_bytes, const void *material,
                                         size_t material_bytes);

/* Grøstl-8n for n = digest_bytes, 1..64. fin_groestl224 to _groestl512 are n = 28, 32, 48, 64. */
FIN_API fin_status fin_groestl(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes);
FIN_API fin_status fin_groestl224(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_groestl256(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_groestl384(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_groestl512(uint8_t *digest, const void *in, size_t bytes);
FIN_API fin_status fin_groestl0(uint8_t *digest, size_t digest_bytes, const void *in, size_t bytes);
FIN_API fin_status fin_groestl_init(fin_context *context, size_t digest_bytes);
FIN_API fin_status fin_groestl0_init(fin_context *context, size_t digest_bytes);

/* ---- Block interface ---------------------------------------------------------------------- */

/*
 * Compresses any number of blocks in one call; after the BLAKE2b README.
 *   H       the chaining value: words (BLAKE, BLAKE2), or bytes in message order (Grøstl).
 *   T       the length hashed before this call, low word first: bytes (BLAKE2), bits (BLAKE) or
 *           blocks (Grøstl). The call advances it.
 *   F[0]    0: bytes is a multiple of the block length. All ones: the message ends here, bytes is
 *           0 to one block, and the call pads. Grøstl then applies its output transformation, and
 *           the digest is the end of H; for the others it is the beginning.
 *   F[1]    BLAKE2: all ones in the final call marks the last node of a tree level.
 *   S       BLAKE: the salt as big-endian words.
 *   stride  bytes from the start of one block to the start of the next.
 * Nothing but the blocks is read. FIN_ERR_BLOCK_LENGTH, FIN_ERR_MESSAGE_LENGTH, FIN_ERR_NULL.
 */
typedef struct fin_blake2b_state {
    uint64_t H[8], T[2], F[2];
} fin_blake2b_state;
typedef struct fin_blake2s_state {
    uint32_t H[8], T[2], F[2];
} fin_blake2s_state;
typedef struct fin_blake256_state {
    uint32_t H[8], S[4], T[2], F[2];
} fin_blake256_state;
typedef struct fin_blake512_state {
    uint64_t H[8], S[4], T[2], F[2];
} fin_blake512_state;
typedef struct fin_groestl256_state {
    uint8_t H[64];
    uint64_t T[1], F[1];
} fin_groestl256_state;
typedef struct fin_groestl512_state {
    uint8_t H[128];
    uint64_t T[1], F[1];
} fin_groestl512_state;

FIN_API fin_status fin_blake2b_blocks(fin_blake2b_state *state, const uint8_t *in, size_t bytes,
                                      size_t stride);
FIN_API fin_status fin_blake2s_blocks(fin_blake2s_state *state, const uint8_t *in, size_t bytes,
                                      size_t stride);
FIN_API fin_status fin_blake224_blocks(fin_blake256_state *state, const uint8_t *in, size_t bytes,
                                       size_t stride);
FIN_API fin_status fin_blake256_blocks(fin_blake256_state *state, const uint8_t *in, size_t bytes,
                                       size_t stride);
FIN_API fin_status fin_blake384_blocks(fin_blake512_state *state, const uint8_t *in, size_t bytes,
                                       size_t stride);
FIN_API fin_status fin_blake512_blocks(fin_blake512_state *state, const uint8_t *in, size_t bytes,
                                       size_t stride);
FIN_API fin_status fin_blake28_blocks(fin_blake256_state *state, const uint8_t *in, size_t bytes,
                                      size_t stride);
FIN_API fin_status fin_blake32_blocks(fin_blake256_state *state, const uint8_t *in, size_t bytes,
                                      size_t stride);
FIN_API fin_status fin_blake48_blocks(fin_blake512_state *state, const uint8_t *in, size_t bytes,
                                      size_t stride);
FIN_API fin_status fin_blake64_blocks(fin_blake512_state *state, const uint8_t *in, size_t bytes,
                                      size_t stride);
FIN_API fin_status fin_groestl256_blocks(fin_groestl256_state *state, const uint8_t *in,
                                         size_t bytes, size_t stride);
FIN_API fin_status fin_groestl512_blocks(fin_groestl512_state *state, const uint8_t *in,
                                         size_t bytes, size_t stride);
FIN_API fin_status fin_groestl0_256_blocks(fin_groestl256_state *state, const uint8_t *in,
                                           size_t bytes, size_t stride);
FIN_API fin_status fin_groestl0_512_blocks(fin_groestl512_state *state, const uint8_t *in,
                                           size_t bytes, size_t stride);

/*
 * BLAKE2b's function F with any number of rounds (EIP-152). h is replaced; m is one block of 128
 * bytes, t the counter, final the flag of the last block. FIN_ERR_NULL is its only error.
 */
FIN_API fin_status fin_blake2b_f(uint32_t rounds, uint64_t h[8], const uint8_t m[128],
                                 const uint64_t t[2], bool final);

/* ---- Implementations ---------------------------------------------------------------------- */

/* One implementation of one compression function. The strings are static: do not free them. */
typedef struct fin_impl_info {
    const char *algorithm; /* compression function: "blake256", "groestl0-512", ... */
    const char *name;      /* "portable", "ttable64", ...: unique within the algorithm */
    const char *technique; /* what it does, in a few words */
    const char *source;    /* the section of the literature that describes it */
    const char *features;  /* CPU features, comma-separated; "" for none */
    const char *mode;      /* "single": one message; "multi": one message a lane */
    uint32_t lanes;        /* messages at once */
    uint32_t block_bytes;
    uint32_t bound_cycles; /* least core cycles a block, by its critical path; 0: not known */
    bool constant_time;
    bool supported; /* by this CPU and operating system, after FINALIST_CPU's mask */
    bool selected;  /* used now for its algorithm and mode; long messages may use other lanes */
} fin_impl_info;

/* Lists the implementations in this build: index 0 .. fin_impl_count() - 1. FIN_ERR_IMPL_UNKNOWN
   for any other index. */
FIN_API size_t fin_impl_count(void);
FIN_API fin_status fin_impl_at(size_t index, fin_impl_info *info);

/*
 * Selects the implementation of an algorithm's compression function, for the whole process and all
 * its messages, also those in progress. Null goes back to the automatic choice: FINALIST_IMPL, then
 * the fastest constant-time one that the CPU supports. Algorithms that share a compression function
 * (BLAKE-224 and -256, BLAKE2b and BLAKE2bp) share the choice.
 *
 * An implementation of mode "multi" is selected for the calls that hash many messages; single messages
 * keep theirs. One of mode "single" is selected for both, one message at a time, until one of mode
 * "multi" is selected after it. FIN_ERR_IMPL_UNKNOWN, FIN_ERR_IMPL_UNSUPPORTED.
 */
FIN_API fin_status fin_impl_select(fin_algorithm algorithm, const char *name);

/* The name of the implementation that is selected for single messages of the algorithm. Null if the
   algorithm does not exist. */
FIN_API const char *fin_impl_selected(fin_algorithm algorithm);

/* The class of cores whose preferences the automatic choice follows on this CPU, as
   core/preference.def names it: "AMD families 17h and 19h: Zen to Zen 4". The string is static. */
FIN_API const char *fin_core_class(void);

/*
 * Lists the CPU's features, comma-separated: those that this build knows and FINALIST_CPU does not
 * hide. Writes at most bytes bytes, the closing null included, and returns the length of the whole
 * list without it. text may be null if bytes is 0.
 */
FIN_API size_t fin_cpu_features(char *text, size_t bytes);

/*
 * Checks the environment variables. FINALIST_IMPL=blake256=portable,groestl256=ttable64 selects
 * implementations. FINALIST_CPU=-avx512,-avx2 hides features and all that imply them. Both are read
 * once, and ignored in set-uid programs. A wrong item makes every call that would use it fail with
 * FIN_ERR_ENVIRONMENT or FIN_ERR_IMPL_*. This call returns FIN_OK, or that error and the first
 * wrong item: its text, not null-terminated, of which it keeps 128 bytes, and their length.
 */
FIN_API fin_status fin_environment_check(const char **item, size_t *item_bytes);

/* The variable that holds that item: "FINALIST_IMPL" or "FINALIST_CPU". Null if none is wrong. */
FIN_API const char *fin_environment_variable(void);

#ifdef __cplusplus
}
#endif

#endif
