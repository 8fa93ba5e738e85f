/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * BLAKE3's tree: chunks and parents, several of them in lanes. BLAKE3 paper, section 2.1.
 *
 * Chunks are hashed in groups: first the chaining values of all chunks of a group, then, level by
 * level, those of the parents. Nodes above a group are hashed singly.
 */
#include "message/blake3.h"

#include "lanes/group.h"
#include "lanes/lanes.h"

/* ---- Nodes in lanes ---- */

/* From this number of nodes on, implementations are chosen as for messages. */
enum { FIN_MANY_NODES = 512 };

/* Lanes that the levels of a group use one after another. */
typedef struct fin_level_space {
    size_t lanes_max;
    fin_lanes lanes;
} fin_level_space;

static void fin_space_start(fin_level_space *space)
{
    space->lanes_max = 0;
    fin_lanes_reset(&space->lanes, FIN_ROUNDS_BLAKE3);
}

static void fin_space_erase(fin_level_space *space)
{
    const fin_lane_layout layout = {FIN_VARIANT_BLAKE3, space->lanes_max};
    if (space->lanes_max != 0) {
        fin_lanes_erase(&space->lanes, layout);
    }
}

/* Writes the chaining values of the first count lanes. */
static void fin_take_cvs(const fin_lanes *lanes, size_t lane_count, size_t count, uint8_t *cvs)
{
    const fin_lane_layout layout = {FIN_VARIANT_BLAKE3, lane_count};
    fin_lanes_take_states(lanes, layout, cvs, count);
    for (size_t at = 0; FIN_CPU_IS_BIG_ENDIAN && at < FIN_CV_BYTES * count; at += 4) {
        uint32_t word;
        memcpy(&word, cvs + at, sizeof word);
        fin_store32_le(cvs + at, word);
    }
}

/* Hashes nodes as an implementation's hash_level does, for one without groups. */
static void fin_hash_level(const fin_level *level, const fin_impl *impl, fin_lanes *lanes,
                           size_t count, uint8_t *cvs)
{
    const fin_lane_layout layout = {FIN_VARIANT_BLAKE3, impl->lanes};
    fin_level group = *level;
    while (count != 0) {
        const size_t taken = count < impl->lanes ? count : impl->lanes;
        fin_level_point(&group, lanes->in, impl->lanes, count);
        for (size_t i = 0; i < 8; i++) {
            __asm__("" : "+r"(i)); /* else gcc unrolls the loop */
            fin_lanes_set_row(lanes, layout, FIN_LANE_H + i, group.key[i]);
        }
        fin_lanes_set_row(lanes, layout, FIN_LANE_F, FIN_BLAKE3_BLOCK);
        fin_lanes_set_row(lanes, layout, FIN_LANE_F + 1, group.flags);
        for (size_t lane = 0; lane < impl->lanes; lane++) {
            fin_lanes_set_word(lanes, layout, FIN_LANE_T, lane, group.number);
            fin_lanes_set_word(lanes, layout, FIN_LANE_T + 1, lane, group.number >> 32);
            group.number += group.step;
        }
        impl->compress_lanes(lanes, group.blocks, FIN_BLAKE3_BLOCK);
        fin_take_cvs(lanes, impl->lanes, taken, cvs);
        group.in += taken * FIN_BLAKE3_BLOCK * group.blocks;
        cvs += taken * FIN_CV_BYTES;
        count -= taken;
    }
}

static FIN_NOINLINE void fin_level_in_lanes(const fin_level *level, const fin_impl *impl,
                                            size_t count, uint8_t *cvs, fin_level_space *space)
{
    if (level->blocks == 1 && impl->hash_blocks != NULL) {
        impl->hash_blocks(level->key, fin_block_flags(level->flags, true, true), level->in, count,
                          cvs, &space->lanes);
    } else {
        fin_hash_level_fn *hash = impl->group != NULL ? impl->group->hash_level : fin_hash_level;
        space->lanes_max = impl->lanes > space->lanes_max ? impl->lanes : space->lanes_max;
        hash(level, impl, &space->lanes, count, cvs);
    }
    fin_erase_stack_if((level->flags & FIN_KEYED_MODES) != 0, FIN_STACK_LANES_BYTES);
}

/* Hashes count nodes of a level, and moves it beyond them: a copy would wait for the stores of its
   members. Not inlined, so that kernels' frames are below this one. */
static FIN_NOINLINE void fin_tree_level(const fin_blake3_tree *tree, fin_level *level, size_t count,
                                        uint8_t *cvs, fin_level_space *space)
{
    const size_t bytes = FIN_BLAKE3_BLOCK * level->blocks;
    while (count != 0) {
        const bool few = level->blocks == 1 && count < FIN_MANY_NODES;
        const fin_impl *impl =
            count == 1 ? NULL
            : few      ? fin_dispatch_lanes(FIN_BATCH_OF_NODES, count)
                       : fin_dispatch_blocks(FIN_COMPRESSION_BLAKE3, level->blocks, count);
        size_t taken = 1;
        if (impl == NULL) {
            fin_blake3_hash_node(tree->impl, level->key, level->number, level->flags, level->in,
                                 bytes, cvs, FIN_CV_BYTES);
        } else {
            /* Fill all lanes; narrower ones hash the rest. */
            taken = count < impl->lanes ? count : count & ~((size_t)impl->lanes - 1);
            fin_level_in_lanes(level, impl, taken, cvs, space);
        }
        level->in += taken * bytes;
        level->number += taken * level->step;
        cvs += taken * FIN_CV_BYTES;
        count -= taken;
    }
    fin_erase_stack_if(tree->flags != 0, FIN_STACK_MESSAGE_BYTES);
}

void fin_blake3_hash_equal(const fin_state *start, const uint8_t *in, size_t blocks, size_t count,
                           uint8_t *digests)
{
    const fin_blake3_tree tree = fin_blake3_tree_from(start);
    const uint64_t flags = fin_chain_flags(tree.flags, FIN_CHUNK_START, FIN_CHUNK_END | FIN_ROOT);
    fin_level level = {tree.key, in, blocks, 0, 0, flags};
    fin_level_space space;
    fin_space_start(&space);
    fin_tree_level(&tree, &level, count, digests, &space);
    fin_space_erase(&space);
}

/* Computes the parent of two chaining values, to which cv may point. */
static void fin_parent(const fin_blake3_tree *tree, const uint8_t *pair, uint8_t *cv)
{
    fin_blake3_hash_node(tree->impl, tree->key, 0, fin_chain_flags(tree->flags | FIN_PARENT, 0, 0),
                         pair, FIN_BLAKE3_BLOCK, cv, FIN_CV_BYTES);
}

/* ---- Subtrees ---- */

/* Computes the chaining values of the chunks in at most FIN_GROUP_BYTES, the first of which has
   this number, and pairs them level by level until at most count_min, 1 or 2, remain. Returns how
   many remain. */
static FIN_NOINLINE size_t fin_group_cvs(const fin_blake3_tree *tree, const uint8_t *in,
                                         size_t bytes, uint64_t first, size_t count_min,
                                         uint8_t *cvs)
{
    const size_t whole = bytes / FIN_CHUNK_BYTES;
    const size_t rest = bytes % FIN_CHUNK_BYTES;
    size_t count = whole + (rest != 0);
    fin_level chunks = {
        tree->key, in, FIN_CHUNK_BLOCKS,
        first,     1,  fin_chain_flags(tree->flags, FIN_CHUNK_START, FIN_CHUNK_END)};
    fin_level_space space;
    fin_space_start(&space);
    fin_tree_level(tree, &chunks, whole, cvs, &space);
    if (rest != 0) {
        fin_blake3_hash_node(tree->impl, tree->key, chunks.number, chunks.flags, chunks.in, rest,
                             cvs + FIN_CV_BYTES * whole, FIN_CV_BYTES);
    }
    while (count > count_min) {
        const size_t pairs = count / 2;
        fin_level parents = {tree->key, cvs, 1,
                             0,         0,   fin_chain_flags(tree->flags | FIN_PARENT, 0, 0)};
        fin_tree_level(tree, &parents, pairs, cvs, &space);
        if (count % 2 != 0) {
            memcpy(cvs + FIN_CV_BYTES * pairs, cvs + FIN_CV_BYTES * (count - 1), FIN_CV_BYTES);
        }
        count = pairs + count % 2;
    }
    fin_space_erase(&space);
    return count;
}

/* Erases one chaining value per chunk of these bytes. */
static void fin_erase_cvs(uint8_t *cvs, size_t bytes)
{
    fin_erase(cvs, FIN_CV_BYTES * ((bytes + FIN_CHUNK_BYTES - 1) / FIN_CHUNK_BYTES));
}

void fin_blake3_settle(fin_blake3_tree *tree)
{
    const unsigned merged = fin_blake3_subtrees(tree->chunks, false);
    if (fin_blake3_subtrees(tree->chunks, tree->may_end) != merged) {
        fin_parent(tree, tree->subtrees, tree->subtrees);
    }
    tree->may_end = false;
}

/* Pushes a subtree of count chunks: its chaining value, or those of its halves if left is 2, for
   the first subtree. Merges equal subtrees, which are adjacent on the stack, like the carries of a
   binary counter. */
static FIN_NOINLINE void fin_push(fin_blake3_tree *tree, const uint8_t *cvs, size_t left,
                                  uint64_t count)
{
    unsigned height = fin_blake3_subtrees(tree->chunks, false);
    memcpy(tree->subtrees + FIN_CV_BYTES * height, cvs, FIN_CV_BYTES * left);
    height++;
    for (uint64_t same = count; (tree->chunks & same) != 0 && height > 2; same *= 2) {
        uint8_t *pair = tree->subtrees + FIN_CV_BYTES * (height - 2);
        fin_parent(tree, pair, pair);
        height--;
    }
    tree->may_end = tree->chunks != 0 || left == 2;
    tree->chunks += count;
}

void fin_blake3_push(fin_blake3_tree *tree, const uint8_t *cv, uint64_t count)
{
    fin_blake3_settle(tree);
    fin_push(tree, cv, 1, count);
}

static FIN_NOINLINE void fin_small_subtree(const fin_blake3_tree *tree, const uint8_t *in,
                                           size_t bytes, uint64_t first, uint8_t *cv)
{
    uint8_t cvs[FIN_CV_BYTES * FIN_GROUP_CHUNKS];
    (void)fin_group_cvs(tree, in, bytes, first, 1, cvs);
    memcpy(cv, cvs, FIN_CV_BYTES);
    fin_erase_cvs(cvs, bytes);
}

void fin_blake3_subtree(const fin_blake3_tree *tree, const uint8_t *in, size_t bytes,
                        uint64_t first, uint8_t *cv)
{
    uint8_t pair[2 * FIN_CV_BYTES];
    size_t left = FIN_GROUP_BYTES;
    if (bytes <= FIN_GROUP_BYTES) {
        fin_small_subtree(tree, in, bytes, first, cv);
        return;
    }
    while (left < bytes - left) {
        left *= 2;
    }
    fin_blake3_subtree(tree, in, left, first, pair);
    fin_blake3_subtree(tree, in + left, bytes - left, first + left / FIN_CHUNK_BYTES,
                       pair + FIN_CV_BYTES);
    fin_parent(tree, pair, cv);
    fin_erase(pair, sizeof pair);
}

void fin_blake3_add(fin_blake3_tree *tree, const uint8_t *in, size_t count)
{
    uint8_t cvs[FIN_CV_BYTES * FIN_GROUP_CHUNKS];
    const size_t bytes = count * FIN_CHUNK_BYTES;
    fin_blake3_settle(tree);
    fin_push(tree, cvs,
             fin_group_cvs(tree, in, bytes, tree->chunks, tree->chunks == 0 ? 2 : 1, cvs), count);
    fin_erase_cvs(cvs, bytes);
}

/* ---- The root ---- */

/* Sets the state before whole blocks of a node. */
FIN_INLINE void fin_node_start(fin_state *state, const uint32_t *key, uint64_t number,
                               uint64_t flags)
{
    memcpy(&state->h, key, FIN_CV_BYTES);
    fin_store_piece(state->t, number, 0);
    fin_store_piece(state->f, FIN_BLAKE3_BLOCK, flags);
}

/* Compresses all blocks of a node but the last. */
static FIN_NOINLINE void fin_node_open(const fin_impl *impl, const uint32_t *key, uint64_t number,
                                       uint64_t flags, const uint8_t *in, size_t bytes,
                                       fin_blake3_node *node)
{
    const size_t whole = bytes == 0 ? 0 : (bytes - 1) / FIN_BLAKE3_BLOCK;
    const size_t rest = bytes - whole * FIN_BLAKE3_BLOCK;
    fin_node_start(&node->state, key, number, fin_flags_before_last(flags));
    if (whole != 0) {
        impl->compress(&node->state, in, whole, FIN_BLAKE3_BLOCK, 0);
    }
    fin_store_piece(node->state.f, rest, fin_block_flags(flags, whole == 0, true));
    node->block = in + whole * FIN_BLAKE3_BLOCK;
    if (rest != FIN_BLAKE3_BLOCK) {
        fin_padded_take(fin_variant_of(FIN_FAMILY_BLAKE3, false), node->padded, 1, node->block,
                        rest, 0);
        node->block = node->padded;
    }
}

static FIN_NOINLINE void fin_hash_padded(const fin_impl *impl, const uint32_t *key, uint64_t number,
                                         uint64_t flags, const uint8_t *in, size_t bytes,
                                         uint8_t *out, size_t out_bytes)
{
    fin_blake3_node node;
    fin_node_open(impl, key, number, flags, in, bytes, &node);
    impl->compress(&node.state, node.block, 1, FIN_BLAKE3_BLOCK, 0);
    fin_store_digest(out, &node.state.h, out_bytes, false, false);
    fin_erase(&node.state.h, 64);
    fin_erase(node.padded, sizeof node.padded);
    fin_erase_stack_if((flags & FIN_KEYED_MODES) != 0, FIN_STACK_MESSAGE_BYTES);
}

/* The kernel gives each block its flags, so whole blocks take one call. Arguments are passed in
   registers: loads from a structure that was just written delayed each call by 60 cycles (64 bytes,
   AMD family 19h). */
void fin_blake3_hash_node(const fin_impl *impl, const uint32_t *key, uint64_t number,
                          uint64_t flags, const uint8_t *in, size_t bytes, uint8_t *out,
                          size_t out_bytes)
{
    _Alignas(64) fin_state state;
    if (bytes == 0 || bytes % FIN_BLAKE3_BLOCK != 0) {
        fin_hash_padded(impl, key, number, flags, in, bytes, out, out_bytes);
        return;
    }
    fin_node_start(&state, key, number, flags);
    impl->compress(&state, in, bytes / FIN_BLAKE3_BLOCK, FIN_BLAKE3_BLOCK, 0);
    fin_store_digest(out, &state.h, out_bytes, false, false);
    fin_erase(&state.h, 64);
    fin_erase_stack_if((flags & FIN_KEYED_MODES) != 0, FIN_STACK_MESSAGE_BYTES);
}

/* Computes the root's children from the chaining values on the stack of subtrees, height of them, and
   those of the last bytes: the last two are replaced by their parent until two remain. Not inlined,
   so that fin_erase_stack reaches copies of them in its frame. */
static FIN_NOINLINE void fin_root_pair(const fin_blake3_tree *tree, unsigned height,
                                       const uint8_t *cvs, size_t left, uint8_t *pair)
{
    if (left == 2) {
        memcpy(pair, cvs, 2 * FIN_CV_BYTES);
    } else {
        const uint8_t *right = left == 1 ? cvs : tree->subtrees + FIN_CV_BYTES * --height;
        memcpy(pair + FIN_CV_BYTES, right, FIN_CV_BYTES);
        memcpy(pair, tree->subtrees + FIN_CV_BYTES * --height, FIN_CV_BYTES);
    }
    while (height != 0) {
        fin_parent(tree, pair, pair + FIN_CV_BYTES);
        memcpy(pair, tree->subtrees + FIN_CV_BYTES * --height, FIN_CV_BYTES);
    }
}

/* Opens the root. */
static FIN_NOINLINE void fin_root_of_tree(const fin_blake3_tree *tree, const uint8_t *in,
                                          size_t bytes, fin_blake3_node *root)
{
    uint8_t cvs[FIN_CV_BYTES * FIN_GROUP_CHUNKS];
    const unsigned height = fin_blake3_subtrees(tree->chunks, tree->may_end);
    const size_t left = fin_group_cvs(tree, in, bytes, tree->chunks, height == 0 ? 2 : 1, cvs);
    fin_root_pair(tree, height, cvs, left, root->padded);
    fin_node_start(&root->state, tree->key, 0, FIN_PARENT | FIN_ROOT | tree->flags);
    root->block = root->padded;
    fin_erase_cvs(cvs, bytes);
    fin_erase_stack_if(tree->flags != 0, FIN_STACK_MESSAGE_BYTES);
}

void fin_blake3_root(fin_blake3_tree *tree, const uint8_t *in, size_t bytes, fin_blake3_node *root)
{
    const uint64_t flags = fin_chain_flags(tree->flags, FIN_CHUNK_START, FIN_CHUNK_END | FIN_ROOT);
    if (tree->chunks == 0 && bytes <= FIN_CHUNK_BYTES) {
        fin_node_open(tree->impl, tree->key, 0, flags, in, bytes, root);
        return;
    }
    if (bytes != 0) {
        fin_blake3_settle(tree);
    }
    fin_root_of_tree(tree, in, bytes, root);
}
