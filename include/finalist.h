/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Finalist: the hash functions BLAKE, BLAKE2 and Grøstl at the speed of the CPU they run on.
 *
 * Every function here is re-entrant and allocates nothing. Contexts live where the caller puts
 * them. A call that can fail returns a fin_status and, unless it returns FIN_OK, has changed
 * neither the context nor the output. Lengths are in bytes unless a name says bits.
 *
 * Constant time: whatever is selected by default branches and indexes on lengths only, never on
 * message, key or salt. Implementations without that property (T-tables) run only when they are
 * asked for by name.
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
    FIN_ERR_ALGORITHM,        /* no such algorithm, or the call does not exist for it */
    FIN_ERR_DIGEST_LENGTH,    /* a digest length that the algorithm does not have */
    FIN_ERR_KEY_LENGTH,       /* a key longer than the algorithm takes (or any, where none is) */
    FIN_ERR_SALT_LENGTH,      /* a salt length that the algorithm does not have */
    FIN_ERR_PERSONAL_LENGTH,  /* a personalisation that the algorithm does not have */
    FIN_ERR_TREE,             /* tree parameters out of range, or not taken by the algorithm */
    FIN_ERR_STATE,            /* the context is not initialised, or its digest was already taken */
    FIN_ERR_KEY_WIPED,        /* reset of a keyed context whose key was wiped: initialise again */
    FIN_ERR_OUTPUT_LENGTH,    /* an output buffer of the wrong size */
    FIN_ERR_MESSAGE_LENGTH,   /* the message would exceed the algorithm's length counter */
    FIN_ERR_BLOCK_LENGTH,     /* block interface: not whole blocks, or over one in the final call */
    FIN_ERR_BITS,             /* more than seven extra bits, or bits given to BLAKE2 */
    FIN_ERR_MIDSTATE,         /* bytes that are no midstate of this version */
    FIN_ERR_IMPL_UNKNOWN,     /* no implementation of that name for the algorithm */
    FIN_ERR_IMPL_UNSUPPORTED, /* the implementation needs a CPU feature that is absent or masked */
    FIN_ERR_ENVIRONMENT, /* FINALIST_IMPL or FINALIST_CPU holds an item that is not understood */
    FIN_ERR_INDEX,       /* no such leaf, or no tree of that size is part of this one */
    FIN_ERR_PROOF        /* a proof that does not lead to the root */
} fin_status;

/* One English sentence without a final stop, for any value. Never null. */
FIN_API const char *fin_status_text(fin_status status);

/* ---- Algorithms --------------------------------------------------------------------------- */

/* The numbers are part of the midstate format and never change. */
typedef enum fin_algorithm {
    FIN_BLAKE224 = 1, /* SHA-3 final round: 14 rounds (224, 256) and 16 rounds (384, 512) */
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
    FIN_GROESTL224 = 15, /* SHA-3 final round ("tweaked") */
    FIN_GROESTL256 = 16,
    FIN_GROESTL384 = 17,
    FIN_GROESTL512 = 18,
    FIN_GROESTL0_224 = 19, /* first submission */
    FIN_GROESTL0_256 = 20,
    FIN_GROESTL0_384 = 21,
    FIN_GROESTL0_512 = 22
} fin_algorithm;

typedef enum fin_family { FIN_FAMILY_BLAKE, FIN_FAMILY_BLAKE2, FIN_FAMILY_GROESTL } fin_family;

typedef struct fin_algorithm_info {
    fin_algorithm algorithm;
    fin_family family;
    const char *name;          /* "blake2b": the command line's and the vectors' name */
    const char *title;         /* "BLAKE2b": the name in tagged checksum lines */
    const char *compression;   /* "blake2b": whose implementations serve it (see fin_impl_at) */
    uint32_t block_bytes;      /* of the compression function */
    uint32_t digest_bytes;     /* when no length is asked for */
    uint64_t digest_bytes_min; /* shortest and longest that can be asked for */
    uint64_t digest_bytes_max;
    uint32_t key_bytes_max;  /* 0: takes no key */
    uint32_t salt_bytes;     /* 0: takes no salt */
    uint32_t personal_bytes; /* 0: takes no personalisation */
    bool bits;               /* takes messages whose length is not a multiple of eight bits */
} fin_algorithm_info;

/* Finds an algorithm by its name, case-sensitive. FIN_ERR_ALGORITHM if there is none. */
FIN_API fin_status fin_algorithm_by_name(const char *name, fin_algorithm *algorithm);

/* The description of an algorithm, or null if the value names none. Static storage. */
FIN_API const fin_algorithm_info *fin_algorithm_describe(fin_algorithm algorithm);

/* The algorithms in order: index 0 .. fin_algorithm_count() - 1; null beyond. */
FIN_API size_t fin_algorithm_count(void);
FIN_API const fin_algorithm_info *fin_algorithm_at(size_t index);

/* ---- Parameters --------------------------------------------------------------------------- */

/* BLAKE2's tree parameters for one node (BLAKE2 paper, section 2.10). */
typedef struct fin_tree {
    uint8_t fanout;       /* 0: unlimited */
    uint8_t depth;        /* 1..255; 255: unlimited */
    uint32_t leaf_bytes;  /* 0: unlimited */
    uint64_t node_offset; /* BLAKE2b: 64 bits; BLAKE2s: below 2^48 */
    uint8_t node_depth;   /* 0: leaf */
    uint8_t inner_bytes;  /* 0..64 (BLAKE2b), 0..32 (BLAKE2s) */
    bool last_node;       /* this node is the last of its level */
} fin_tree;

/* digest_bytes of BLAKE2X when the output length is not known in advance. */
#define FIN_XOF_UNKNOWN UINT64_MAX

/*
 * What an algorithm can be given. All zero (or a null pointer to it) means the plain function.
 *   digest_bytes  BLAKE2: 1..64 / 1..32. Grøstl: 1 up to the named length, and then it is
 *                 Grøstl-8n with its own initial value, not a truncation. BLAKE: its own only.
 *                 BLAKE2X: up to 2^32 - 2 (Xb), 2^16 - 2 (Xs), or FIN_XOF_UNKNOWN.
 *   key           BLAKE2: up to 64 / 32 bytes.
 *   salt          BLAKE: exactly 16 / 32 bytes. BLAKE2: up to 16 / 8, padded with zeros.
 *   personal      BLAKE2: up to 16 / 8 bytes, padded with zeros.
 *   tree          BLAKE2b and BLAKE2s: one node of a tree; null: sequential hashing.
 */
typedef struct fin_params {
    uint64_t digest_bytes; /* 0: the algorithm's own */
    const uint8_t *key;
    size_t key_bytes;
    const uint8_t *salt;
    size_t salt_bytes;
    const uint8_t *personal;
    size_t personal_bytes;
    const fin_tree *tree;
} fin_params;

/* ---- Hashing ------------------------------------------------------------------------------ */

/*
 * What a compression function reads and writes. The words of h are native integers: BLAKE and
 * BLAKE2 in w32 or w64, Grøstl in w64, one column a word, row 0 in the least significant byte.
 */
typedef struct fin_state {
    union {
        uint32_t w32[32];
        uint64_t w64[16];
    } h;
    union {
        uint32_t w32[8];
        uint64_t w64[4];
    } salt;
    uint64_t t[2]; /* BLAKE: bits, BLAKE2: bytes, Grøstl: blocks, before the next block */
    uint64_t f[2]; /* BLAKE2: finalisation flags. Grøstl: f[0] asks for the output transformation */
    uint64_t rounds;
} fin_state;

#define FIN_BUFFER_BYTES 1024
#define FIN_LEAVES_BYTES 256

/* One message in progress. Plain data: it may be moved and copied; treat the fields as private. */
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
    uint8_t buffer[FIN_BUFFER_BYTES];      /* beyond 128 bytes: BLAKE2bp and BLAKE2sp only */
    uint64_t leaves[FIN_LEAVES_BYTES / 8]; /* their leaves' chaining values */
} fin_context;

/* sizeof and alignof of fin_context as the library was built, for other languages to check. */
FIN_API size_t fin_context_bytes(void);
FIN_API size_t fin_context_alignment(void);

/* Starts a message. params may be null. */
FIN_API fin_status fin_init(fin_context *context, fin_algorithm algorithm,
                            const fin_params *params);

/* Appends bytes to the message. in may be null if bytes is 0. */
FIN_API fin_status fin_update(fin_context *context, const void *in, size_t bytes);

/*
 * Ends the message and writes the digest; wipes the context but for what fin_reset needs.
 * digest_bytes is the buffer's size and must be at least the digest's length, which is what is
 * written. BLAKE2X with FIN_XOF_UNKNOWN fills the whole buffer.
 */
FIN_API fin_status fin_final(fin_context *context, uint8_t *digest, size_t digest_bytes);

/*
 * As fin_final, after the message's last bit_count bits (0..7), which are the most significant of
 * last_bits. BLAKE and Grøstl only; FIN_ERR_BITS otherwise unless bit_count is 0.
 */
FIN_API fin_status fin_final_bits(fin_context *context, uint8_t last_bits, unsigned bit_count,
                                  uint8_t *digest, size_t digest_bytes);

/*
 * BLAKE2X only: ends the message at the first call, then writes the output's next bytes, as often
 * as wanted. FIN_ERR_OUTPUT_LENGTH past the length that fin_init was given. The context keeps
 * what it needs; fin_wipe it afterwards.
 */
FIN_API fin_status fin_squeeze(fin_context *context, uint8_t *out, size_t bytes);

/*
 * Back to the state after fin_init, with the same parameters. A key is wiped by fin_final and
 * absent from midstates: then FIN_ERR_KEY_WIPED.
 */
FIN_API fin_status fin_reset(fin_context *context);

/* Copies a message in progress. The two then go on independently. */
FIN_API fin_status fin_copy(fin_context *to, const fin_context *from);

/* Overwrites the context with zeros in a way that compilers keep. */
FIN_API void fin_wipe(fin_context *context);

/* One-shot: digest of in[0 .. bytes). As fin_init, fin_update, fin_final. */
FIN_API fin_status fin_hash(fin_algorithm algorithm, const fin_params *params, const void *in,
                            size_t bytes, uint8_t *digest, size_t digest_bytes);

/* One-shot over bits bits, the first in the most significant bit of in[0]. BLAKE and Grøstl. */
FIN_API fin_status fin_hash_bits(fin_algorithm algorithm, const fin_params *params, const void *in,
                                 uint64_t bits, uint8_t *digest, size_t digest_bytes);

/* ---- One message in several threads ------------------------------------------------------ */

/* Bytes of a message, split for the leaves of BLAKE2bp or BLAKE2sp. Fields to read only. */
typedef struct fin_share {
    const uint8_t *in;   /* whole stripes: a block for each leaf in turn */
    size_t stripes;      /* how many; 0: too few bytes to share */
    const uint8_t *rest; /* the bytes after them */
    size_t rest_bytes;
    uint32_t leaf_count; /* 4 or 8 */
    uint32_t lanes;      /* leaves that one thread advances in the time of one: threads want parts
                            of so many leaves, or multiples */
} fin_share;

/*
 * BLAKE2bp and BLAKE2sp: what fin_update does, in three steps, the second of which several threads
 * do together. fin_share_begin takes the bytes, which stay where they are; fin_share_leaves
 * advances count leaves from first on, each leaf exactly once, at the same time for different
 * leaves as one likes; fin_share_end, after all of them, goes on to the bytes that are left. In
 * between, every other call with the context returns FIN_ERR_STATE, but fin_wipe.
 *
 * As fin_update otherwise; FIN_ERR_ALGORITHM for other algorithms, FIN_ERR_INDEX for leaves that
 * do not exist. Sharing pays if lanes is less than leaf_count: leaves that fit into the lanes of
 * one vector take one thread as long as fewer of them.
 */
FIN_API fin_status fin_share_begin(fin_context *context, const void *in, size_t bytes,
                                   fin_share *share);
FIN_API fin_status fin_share_leaves(fin_context *context, const fin_share *share, uint32_t first,
                                    uint32_t count);
FIN_API fin_status fin_share_end(fin_context *context, const fin_share *share);

/* ---- Many messages ------------------------------------------------------------------------ */

/* One message of many. in may be null if bytes is 0. */
typedef struct fin_message {
    const void *in;
    size_t bytes;
} fin_message;

/*
 * The digests of count messages of any lengths, several at a time side by side in vector registers:
 * digest i goes to digests[i * stride ..] and is what fin_hash gives for message i. All take the
 * same parameters. stride is at least the digest's length (else FIN_ERR_OUTPUT_LENGTH); bytes
 * between digests are left alone. Unless FIN_OK is returned, no digest was written: one wrong
 * message fails the call. count may be 0. The digests must not overlap the messages.
 *
 * Which messages share a register shows in the time that the call takes, as their lengths do;
 * what they contain does not. Short and long messages may stand in any order; together the long
 * ones had better come first. BLAKE2X needs a known digest length here (FIN_ERR_DIGEST_LENGTH).
 */
FIN_API fin_status fin_hash_many(fin_algorithm algorithm, const fin_params *params,
                                 const fin_message *messages, size_t count, uint8_t *digests,
                                 size_t stride);

/* One node of a level of a BLAKE2 tree, with what differs from node to node. */
typedef struct fin_node {
    const void *in;
    size_t bytes;
    uint64_t node_offset; /* BLAKE2b: 64 bits; BLAKE2s: below 2^48 */
    bool last_node;
} fin_node;

/*
 * As fin_hash_many for the nodes of a tree, BLAKE2b and BLAKE2s only. params->tree has what the
 * nodes have in common; its own node_offset is 0 and its last_node false (else FIN_ERR_TREE).
 */
FIN_API fin_status fin_hash_nodes(fin_algorithm algorithm, const fin_params *params,
                                  const fin_node *nodes, size_t count, uint8_t *digests,
                                  size_t stride);

/*
 * As fin_hash_many without parameters for count messages of node_bytes bytes each, one right after
 * the other from in on: the layer of a Merkle tree, where node_bytes is two digests.
 */
FIN_API fin_status fin_compress_many(fin_algorithm algorithm, const void *in, size_t node_bytes,
                                     size_t count, uint8_t *digests, size_t stride);

/*
 * A building block, not a hash function: Grøstl's compression function from its initial value on
 * one block without padding, then the output transformation and truncation. One block of in (64
 * bytes for digests up to 32, else 128) a digest: two digests of the same function in, one out,
 * for trees whose every input has this length. Messages of other lengths need fin_hash_many.
 */
FIN_API fin_status fin_groestl_pairs(fin_algorithm algorithm, const void *in, size_t count,
                                     uint8_t *digests, size_t stride);

/* ---- Merkle trees ------------------------------------------------------------------------- */

/*
 * The tree of RFC 6962 and RFC 9162, section 2.1 of both, over any algorithm. A leaf's hash is that
 * of the byte 00 and the leaf, an inner node's that of the byte 01 and its two children's hashes;
 * the left subtree of n leaves has as many as the largest power of two below n. The root of a tree
 * without leaves is the hash of the empty message.
 *
 * params hold for every hash of a tree: key, salt, personalisation, and a digest length up to 64
 * bytes (else FIN_ERR_DIGEST_LENGTH). BLAKE2's own tree parameters have no place here
 * (FIN_ERR_TREE). Hashes lie one right after the other, each as long as the digest. What these
 * functions do with a key, they do in constant time.
 */
#define FIN_MERKLE_HASH_BYTES_MAX 64
/* No proof has more hashes. */
#define FIN_MERKLE_PROOF_MAX 65

/* The hashes of count leaves, many at a time as in fin_hash_many, with its errors. */
FIN_API fin_status fin_merkle_leaves(fin_algorithm algorithm, const fin_params *params,
                                     const fin_message *leaves, size_t count, uint8_t *hashes);

/*
 * A tree that grows, in memory that does not. Plain data: it may be moved and copied; treat the
 * fields as private. Holds the key: wipe it.
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
 * Appends count leaves by their hashes. Fastest in large numbers. FIN_ERR_STATE for a tree that is
 * not initialised, FIN_ERR_MESSAGE_LENGTH for more than 2^64 - 1 leaves.
 */
FIN_API fin_status fin_merkle_append(fin_merkle *tree, const uint8_t *leaf_hashes, size_t count);

/* The root over all leaves so far; the tree may go on growing. root_bytes is the buffer's size. */
FIN_API fin_status fin_merkle_root(const fin_merkle *tree, uint8_t *root, size_t root_bytes);

/* Overwrites the tree with zeros in a way that compilers keep. */
FIN_API void fin_merkle_wipe(fin_merkle *tree);

/*
 * The proof that leaf index (from 0) is in the tree of count leaves: RFC 9162, section 2.1.3.1.
 * capacity is the number of hashes that proof has room for, *proof_count becomes the number that
 * the proof has, also with FIN_ERR_OUTPUT_LENGTH, which says that capacity is too small (proof may
 * then be null). FIN_ERR_INDEX if there is no such leaf.
 */
FIN_API fin_status fin_merkle_inclusion(fin_algorithm algorithm, const fin_params *params,
                                        const uint8_t *leaf_hashes, size_t count, size_t index,
                                        uint8_t *proof, size_t capacity, size_t *proof_count);

/*
 * The proof that the tree of the first old_count leaves is the beginning of the tree of all count:
 * RFC 9162, section 2.1.4.1. Empty if the two are the same. proof, capacity and proof_count as
 * above. FIN_ERR_INDEX if old_count is 0, of which nothing can be proved, or above count.
 */
FIN_API fin_status fin_merkle_consistency(fin_algorithm algorithm, const fin_params *params,
                                          const uint8_t *leaf_hashes, size_t count,
                                          size_t old_count, uint8_t *proof, size_t capacity,
                                          size_t *proof_count);

/*
 * FIN_OK if the proof shows that leaf_hash is that of leaf index in the tree of count leaves with
 * this root; RFC 9162, section 2.1.3.2. FIN_ERR_PROOF if it does not, be it for a wrong hash or
 * for too many or too few of them; FIN_ERR_INDEX if index is not below count.
 */
FIN_API fin_status fin_merkle_verify_inclusion(fin_algorithm algorithm, const fin_params *params,
                                               const uint8_t *leaf_hash, uint64_t index,
                                               uint64_t count, const uint8_t *proof,
                                               size_t proof_count, const uint8_t *root);

/*
 * FIN_OK if the proof shows that the tree of old_count leaves with old_root is the beginning of
 * the tree of count leaves with root; RFC 9162, section 2.1.4.2. FIN_ERR_PROOF if it does not;
 * FIN_ERR_INDEX if old_count is 0 or above count.
 */
FIN_API fin_status fin_merkle_verify_consistency(fin_algorithm algorithm, const fin_params *params,
                                                 uint64_t old_count, const uint8_t *old_root,
                                                 uint64_t count, const uint8_t *root,
                                                 const uint8_t *proof, size_t proof_count);

/* ---- BLAKE2's trees ----------------------------------------------------------------------- */

/*
 * The tree mode of BLAKE2b and BLAKE2s: BLAKE2 paper of 2013-01-29, section 2.10 (RFC 7693 leaves
 * it out). params->tree gives the shape: fanout, depth, leaf_bytes, inner_bytes; the node's own
 * fields are 0. Where the paper leaves room, this is what is computed:
 *
 *   - A leaf takes leaf_bytes of the message, the last one what is left. An empty message has one
 *     empty leaf; with leaf_bytes 0 there is one leaf of any length.
 *   - A node above the leaves takes the digests, inner_bytes each, of the next fanout nodes below
 *     it; the last one of a level takes those that are left, if only one. The only node of level
 *     depth - 1 takes all of them, and with fanout 0 (unlimited) the only one of level 1.
 *   - The lowest level above the leaves with a single node is that of the root. So a tree of depth
 *     2 or more has a root over its leaves even if there is one leaf.
 *   - Every node has the last-node flag if it is the last of its level, the root too. digest_bytes
 *     is the root's length; the other nodes' own length, and in their parameter block, is
 *     inner_bytes.
 *   - A key is hashed in every leaf and nowhere else, while every node's parameter block has its
 *     length, as in BLAKE2bp. Salt and personalisation stand in every node's.
 *   - Depth 1 means sequential hashing, and takes fanout 1, leaf_bytes 0, inner_bytes 0. The paper
 *     reserves fanout 1 for it.
 *
 * FIN_ERR_TREE: any other shape, or no shape. FIN_ERR_MESSAGE_LENGTH: more leaves than there are
 * node offsets (2^48 in BLAKE2s).
 *
 * BLAKE2bp and BLAKE2sp have the nodes of such a tree (fanout 4 or 8, depth 2, leaf_bytes 0), but
 * deal the message's blocks to the leaves in turn: fin_init has them as algorithms of their own.
 */
#define FIN_TREE_LEVELS_MAX 64

/* A node above the leaves that still takes children. */
typedef struct fin_tree_level {
    uint64_t h[8];
    uint64_t node_offset;
    uint64_t child_count;
    uint64_t absorbed_bytes;
    uint32_t buffered_bytes;
    uint8_t buffer[128];
} fin_tree_level;

/* One message in progress, in memory that does not grow with it. Plain data: it may be moved and
   copied; treat the fields as private. Holds the key: wipe it if it is not finished. */
typedef struct fin_tree_context {
    fin_context leaf; /* the one that takes bytes, if leaf_open */
    fin_tree shape;
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
    fin_tree_level levels[FIN_TREE_LEVELS_MAX];
} fin_tree_context;

/* Starts a message. */
FIN_API fin_status fin_tree_init(fin_tree_context *tree, fin_algorithm algorithm,
                                 const fin_params *params);

/* Appends bytes to the message. Fastest with many leaves at once. in may be null if bytes is 0. */
FIN_API fin_status fin_tree_update(fin_tree_context *tree, const void *in, size_t bytes);

/*
 * The digests of whole leaves, none of which ends the message, one after the other from leaf first
 * (from 0) on. The tree is only looked at: several threads may do so at once, and fin_tree_append
 * then takes what they found in order. FIN_ERR_BLOCK_LENGTH if bytes are not whole leaves,
 * FIN_ERR_TREE if leaf_bytes is 0.
 */
FIN_API fin_status fin_tree_leaves(const fin_tree_context *tree, const void *in, size_t bytes,
                                   uint64_t first, uint8_t *digests);

/*
 * Appends count leaves by their digests, as fin_tree_leaves or fin_hash_nodes gives them. The
 * message ends with a whole leaf so far (else FIN_ERR_STATE); if these end it for good, the last
 * one must have been hashed as the last node, and fin_tree_final follows. FIN_ERR_TREE if
 * leaf_bytes is 0.
 */
FIN_API fin_status fin_tree_append(fin_tree_context *tree, const uint8_t *leaf_digests,
                                   size_t count);

/* Ends the message, writes the root's digest, and wipes the context. digest_bytes is the buffer's
   size and must be at least the digest's length. */
FIN_API fin_status fin_tree_final(fin_tree_context *tree, uint8_t *digest, size_t digest_bytes);

/* Overwrites the context with zeros in a way that compilers keep. */
FIN_API void fin_tree_wipe(fin_tree_context *tree);

/* One-shot: as fin_tree_init, fin_tree_update, fin_tree_final. */
FIN_API fin_status fin_tree_hash(fin_algorithm algorithm, const fin_params *params, const void *in,
                                 size_t bytes, uint8_t *digest, size_t digest_bytes);

/* ---- Midstates ---------------------------------------------------------------------------- */

#define FIN_MIDSTATE_BYTES_MAX 1536

/*
 * A message in progress as bytes that any machine with this or a later version can go on from.
 * *bytes is the buffer's size on entry and the midstate's length on return; with a null or too
 * small buffer, FIN_ERR_OUTPUT_LENGTH and the length needed. The key is not stored, but what it
 * leads to is: guard the midstate of a keyed message like the key.
 */
FIN_API fin_status fin_save(const fin_context *context, uint8_t *midstate, size_t *bytes);
FIN_API fin_status fin_restore(fin_context *context, const uint8_t *midstate, size_t bytes);

/* ---- One algorithm by its own name -------------------------------------------------------- */

/* digest: 28, 32, 48 or 64 bytes. salt: null, or 16 (224, 256, 28, 32) or 32 bytes. */
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

/* digest_bytes: what is asked for and written. key: null if key_bytes is 0. */
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

/* Grøstl-8n for n = digest_bytes, 1..64; fin_groestl256 and its like are n = 28, 32, 48, 64. */
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
 * Any number of blocks in one call, after the README of the BLAKE2b block functions.
 *   H       the chaining value, as words (BLAKE, BLAKE2) or bytes in message order (Grøstl).
 *   T       what was hashed before this call: bytes (BLAKE2), bits (BLAKE), blocks (Grøstl),
 *           low word first. The call advances it.
 *   F[0]    0: bytes is a multiple of the block length. All ones: this is the message's end,
 *           bytes is 0 .. one block, and the call pads. For Grøstl it also applies the output
 *           transformation; the digest is then the end of H, for the others its beginning.
 *   F[1]    BLAKE2: all ones in the final call marks the last node of a tree level.
 *   S       BLAKE: the salt as big-endian words.
 *   stride  bytes from the start of one block to the start of the next.
 * Nothing beyond the blocks is read: the last byte touched is in[(blocks - 1) * stride + ...].
 * FIN_ERR_BLOCK_LENGTH, FIN_ERR_MESSAGE_LENGTH, FIN_ERR_NULL; then nothing has changed.
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
 * BLAKE2b's function F with any number of rounds (EIP-152): h is replaced, m is one block of 128
 * bytes, t the counter, final the flag. FIN_ERR_NULL only.
 */
FIN_API fin_status fin_blake2b_f(uint32_t rounds, uint64_t h[8], const uint8_t m[128],
                                 const uint64_t t[2], bool final);

/* ---- Implementations ---------------------------------------------------------------------- */

/* One implementation of one compression function. Static storage but for the three flags. */
typedef struct fin_impl_info {
    const char *algorithm; /* compression function: "blake256", "groestl0-512", ... */
    const char *name;      /* "portable", "ttable64", ...: unique within the algorithm */
    const char *technique; /* what it does, in a few words */
    const char *source;    /* the line of the literature that it stands for */
    const char *features;  /* CPU features, comma-separated; "" for none */
    const char *mode;      /* "single": one message; "multi": one message a lane */
    uint32_t lanes;        /* messages at once */
    uint32_t block_bytes;
    uint32_t bound_cycles; /* least core cycles a block by its dependencies; 0: not known */
    bool constant_time;
    bool supported; /* by this CPU and operating system, after FINALIST_CPU's mask */
    bool selected;  /* serves its algorithm and mode now */
} fin_impl_info;

/* The implementations in this build: index 0 .. fin_impl_count() - 1. FIN_ERR_IMPL_UNKNOWN
   beyond. */
FIN_API size_t fin_impl_count(void);
FIN_API fin_status fin_impl_at(size_t index, fin_impl_info *info);

/*
 * Chooses the implementation of the compression function behind an algorithm, for the whole
 * process and all its messages, also those in progress; null goes back to the automatic choice
 * (environment, then the fastest constant-time one that the CPU supports). Algorithms that share
 * a compression function (BLAKE-224 and -256, BLAKE2b and BLAKE2bp) share the choice.
 *
 * The name of an implementation in mode "multi" chooses what serves fin_hash_many and its like, and
 * leaves single messages alone. The name of one in mode "single" chooses it for both, one message
 * at a time, until one in mode "multi" is chosen after it.
 */
FIN_API fin_status fin_impl_select(fin_algorithm algorithm, const char *name);

/* The name of the implementation that serves the algorithm now; null for no algorithm. */
FIN_API const char *fin_impl_selected(fin_algorithm algorithm);

/*
 * The CPU's features that this build knows and FINALIST_CPU leaves, comma-separated. Writes at
 * most bytes bytes with the closing null (text may be null if bytes is 0) and returns the length
 * of the whole list without it.
 */
FIN_API size_t fin_cpu_features(char *text, size_t bytes);

/*
 * FINALIST_IMPL=blake256=portable,groestl256=ttable64 chooses implementations and
 * FINALIST_CPU=-avx512,-avx2 hides features (and all that imply them). Both are read once, and
 * ignored in set-uid programs. A wrong item makes every call that would use it fail with
 * FIN_ERR_ENVIRONMENT or FIN_ERR_IMPL_*; this call tells which: the first wrong item's text and
 * length, not null-terminated, or FIN_OK.
 */
FIN_API fin_status fin_environment_check(const char **item, size_t *item_bytes);

#ifdef __cplusplus
}
#endif

#endif
