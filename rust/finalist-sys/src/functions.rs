// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of `include/finalist.h`, in its order.

use core::ffi::{c_char, c_void};

use crate::*;

unsafe extern "C" {
    pub fn fin_version() -> *const c_char;
    pub fn fin_status_text(status: fin_status) -> *const c_char;
    pub fn fin_algorithm_by_name(name: *const c_char, algorithm: *mut fin_algorithm) -> fin_status;
    pub fn fin_algorithm_describe(algorithm: fin_algorithm) -> *const fin_algorithm_info;
    pub fn fin_algorithm_count() -> usize;
    pub fn fin_algorithm_at(index: usize) -> *const fin_algorithm_info;
    pub fn fin_context_bytes() -> usize;
    pub fn fin_context_alignment() -> usize;
    pub fn fin_init(
        context: *mut fin_context,
        algorithm: fin_algorithm,
        params: *const fin_params,
    ) -> fin_status;
    pub fn fin_update(context: *mut fin_context, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_final(context: *mut fin_context, digest: *mut u8, digest_bytes: usize)
    -> fin_status;
    pub fn fin_final_bits(
        context: *mut fin_context,
        last_bits: u8,
        bit_count: c_uint,
        digest: *mut u8,
        digest_bytes: usize,
    ) -> fin_status;
    pub fn fin_squeeze(context: *mut fin_context, out: *mut u8, bytes: usize) -> fin_status;
    pub fn fin_seek(context: *mut fin_context, position: u64) -> fin_status;
    pub fn fin_reset(context: *mut fin_context) -> fin_status;
    pub fn fin_copy(to: *mut fin_context, from: *const fin_context) -> fin_status;
    pub fn fin_wipe(context: *mut fin_context);
    pub fn fin_hash(
        algorithm: fin_algorithm,
        params: *const fin_params,
        input: *const c_void,
        bytes: usize,
        digest: *mut u8,
        digest_bytes: usize,
    ) -> fin_status;
    pub fn fin_hash_bits(
        algorithm: fin_algorithm,
        params: *const fin_params,
        input: *const c_void,
        bits: u64,
        digest: *mut u8,
        digest_bytes: usize,
    ) -> fin_status;
    pub fn fin_hash_many(
        algorithm: fin_algorithm,
        params: *const fin_params,
        messages: *const fin_message,
        count: usize,
        digests: *mut u8,
        stride: usize,
    ) -> fin_status;
    pub fn fin_hash_column(
        algorithm: fin_algorithm,
        params: *const fin_params,
        column: *const fin_column,
        count: usize,
        digests: *mut u8,
        stride: usize,
    ) -> fin_status;
    pub fn fin_hash_nodes(
        algorithm: fin_algorithm,
        params: *const fin_params,
        nodes: *const fin_node,
        count: usize,
        digests: *mut u8,
        stride: usize,
    ) -> fin_status;
    pub fn fin_hash_equal(
        algorithm: fin_algorithm,
        params: *const fin_params,
        input: *const c_void,
        message_bytes: usize,
        count: usize,
        digests: *mut u8,
        stride: usize,
    ) -> fin_status;
    pub fn fin_groestl_pairs(
        algorithm: fin_algorithm,
        input: *const c_void,
        count: usize,
        digests: *mut u8,
        stride: usize,
    ) -> fin_status;
    pub fn fin_share_begin(
        context: *mut fin_context,
        input: *const c_void,
        bytes: usize,
        share: *mut fin_share,
    ) -> fin_status;
    pub fn fin_share_leaves(
        context: *mut fin_context,
        share: *const fin_share,
        first: u32,
        count: u32,
    ) -> fin_status;
    pub fn fin_share_end(context: *mut fin_context, share: *const fin_share) -> fin_status;
    pub fn fin_merkle_leaves(
        algorithm: fin_algorithm,
        params: *const fin_params,
        leaves: *const fin_message,
        count: usize,
        hashes: *mut u8,
    ) -> fin_status;
    pub fn fin_merkle_init(
        tree: *mut fin_merkle,
        algorithm: fin_algorithm,
        params: *const fin_params,
    ) -> fin_status;
    pub fn fin_merkle_append(
        tree: *mut fin_merkle,
        leaf_hashes: *const u8,
        count: usize,
    ) -> fin_status;
    pub fn fin_merkle_append_equal(
        tree: *mut fin_merkle,
        leaf_hash: *const u8,
        count: u64,
    ) -> fin_status;
    pub fn fin_merkle_root(tree: *const fin_merkle, root: *mut u8, root_bytes: usize)
    -> fin_status;
    pub fn fin_merkle_wipe(tree: *mut fin_merkle);
    pub fn fin_merkle_inclusion(
        algorithm: fin_algorithm,
        params: *const fin_params,
        leaf_hashes: *const u8,
        count: usize,
        index: usize,
        proof: *mut u8,
        capacity: usize,
        proof_count: *mut usize,
    ) -> fin_status;
    pub fn fin_merkle_consistency(
        algorithm: fin_algorithm,
        params: *const fin_params,
        leaf_hashes: *const u8,
        count: usize,
        old_count: usize,
        proof: *mut u8,
        capacity: usize,
        proof_count: *mut usize,
    ) -> fin_status;
    pub fn fin_merkle_verify_inclusion(
        algorithm: fin_algorithm,
        params: *const fin_params,
        leaf_hash: *const u8,
        index: u64,
        count: u64,
        proof: *const u8,
        proof_count: usize,
        root: *const u8,
    ) -> fin_status;
    pub fn fin_merkle_verify_consistency(
        algorithm: fin_algorithm,
        params: *const fin_params,
        old_count: u64,
        old_root: *const u8,
        count: u64,
        root: *const u8,
        proof: *const u8,
        proof_count: usize,
    ) -> fin_status;
    pub fn fin_tree_mode_init(
        tree: *mut fin_tree_mode_context,
        algorithm: fin_algorithm,
        params: *const fin_params,
    ) -> fin_status;
    pub fn fin_tree_mode_update(
        tree: *mut fin_tree_mode_context,
        input: *const c_void,
        bytes: usize,
    ) -> fin_status;
    pub fn fin_tree_mode_leaves(
        tree: *const fin_tree_mode_context,
        input: *const c_void,
        bytes: usize,
        first: u64,
        digests: *mut u8,
    ) -> fin_status;
    pub fn fin_tree_mode_append(
        tree: *mut fin_tree_mode_context,
        leaf_digests: *const u8,
        count: usize,
    ) -> fin_status;
    pub fn fin_tree_mode_final(
        tree: *mut fin_tree_mode_context,
        digest: *mut u8,
        digest_bytes: usize,
    ) -> fin_status;
    pub fn fin_tree_mode_wipe(tree: *mut fin_tree_mode_context);
    pub fn fin_tree_mode_hash(
        algorithm: fin_algorithm,
        params: *const fin_params,
        input: *const c_void,
        bytes: usize,
        digest: *mut u8,
        digest_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake3_subtree_cv(
        cv: *mut u8,
        params: *const fin_params,
        input: *const c_void,
        bytes: usize,
        first_chunk: u64,
    ) -> fin_status;
    pub fn fin_blake3_merge(
        out: *mut u8,
        params: *const fin_params,
        children: *const u8,
        root: bool,
    ) -> fin_status;
    pub fn fin_blake3_append(context: *mut fin_context, cv: *const u8, chunks: u64) -> fin_status;
    pub fn fin_save(
        context: *const fin_context,
        midstate: *mut u8,
        bytes: *mut usize,
    ) -> fin_status;
    pub fn fin_restore(context: *mut fin_context, midstate: *const u8, bytes: usize) -> fin_status;
    pub fn fin_blake224(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_blake256(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_blake384(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_blake512(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_blake28(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_blake32(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_blake48(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_blake64(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_blake224_init(context: *mut fin_context, salt: *const u8) -> fin_status;
    pub fn fin_blake256_init(context: *mut fin_context, salt: *const u8) -> fin_status;
    pub fn fin_blake384_init(context: *mut fin_context, salt: *const u8) -> fin_status;
    pub fn fin_blake512_init(context: *mut fin_context, salt: *const u8) -> fin_status;
    pub fn fin_blake28_init(context: *mut fin_context, salt: *const u8) -> fin_status;
    pub fn fin_blake32_init(context: *mut fin_context, salt: *const u8) -> fin_status;
    pub fn fin_blake48_init(context: *mut fin_context, salt: *const u8) -> fin_status;
    pub fn fin_blake64_init(context: *mut fin_context, salt: *const u8) -> fin_status;
    pub fn fin_blake2b(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2s(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2bp(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2sp(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2xb(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2xs(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2b_init(
        context: *mut fin_context,
        digest_bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2s_init(
        context: *mut fin_context,
        digest_bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2bp_init(
        context: *mut fin_context,
        digest_bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2sp_init(
        context: *mut fin_context,
        digest_bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2xb_init(
        context: *mut fin_context,
        digest_bytes: u64,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake2xs_init(
        context: *mut fin_context,
        digest_bytes: u64,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake3(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake3_init(
        context: *mut fin_context,
        digest_bytes: u64,
        key: *const u8,
        key_bytes: usize,
    ) -> fin_status;
    pub fn fin_blake3_derive_key(
        key: *mut u8,
        key_bytes: usize,
        context: *const c_void,
        context_bytes: usize,
        material: *const c_void,
        material_bytes: usize,
    ) -> fin_status;
    pub fn fin_groestl(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
    ) -> fin_status;
    pub fn fin_groestl224(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_groestl256(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_groestl384(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_groestl512(digest: *mut u8, input: *const c_void, bytes: usize) -> fin_status;
    pub fn fin_groestl0(
        digest: *mut u8,
        digest_bytes: usize,
        input: *const c_void,
        bytes: usize,
    ) -> fin_status;
    pub fn fin_groestl_init(context: *mut fin_context, digest_bytes: usize) -> fin_status;
    pub fn fin_groestl0_init(context: *mut fin_context, digest_bytes: usize) -> fin_status;
    pub fn fin_blake2b_blocks(
        state: *mut fin_blake2b_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake2s_blocks(
        state: *mut fin_blake2s_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake224_blocks(
        state: *mut fin_blake256_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake256_blocks(
        state: *mut fin_blake256_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake384_blocks(
        state: *mut fin_blake512_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake512_blocks(
        state: *mut fin_blake512_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake28_blocks(
        state: *mut fin_blake256_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake32_blocks(
        state: *mut fin_blake256_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake48_blocks(
        state: *mut fin_blake512_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake64_blocks(
        state: *mut fin_blake512_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_groestl256_blocks(
        state: *mut fin_groestl256_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_groestl512_blocks(
        state: *mut fin_groestl512_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_groestl0_256_blocks(
        state: *mut fin_groestl256_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_groestl0_512_blocks(
        state: *mut fin_groestl512_state,
        input: *const u8,
        bytes: usize,
        stride: usize,
    ) -> fin_status;
    pub fn fin_blake2b_f(
        rounds: u32,
        h: *mut u64,
        m: *const u8,
        t: *const u64,
        last: bool,
    ) -> fin_status;
    pub fn fin_impl_count() -> usize;
    pub fn fin_impl_at(index: usize, info: *mut fin_impl_info) -> fin_status;
    pub fn fin_impl_select(algorithm: fin_algorithm, name: *const c_char) -> fin_status;
    pub fn fin_impl_selected(algorithm: fin_algorithm) -> *const c_char;
    pub fn fin_core_class() -> *const c_char;
    pub fn fin_cpu_features(text: *mut c_char, bytes: usize) -> usize;
    pub fn fin_environment_check(item: *mut *const c_char, item_bytes: *mut usize) -> fin_status;
    pub fn fin_environment_variable() -> *const c_char;
}
