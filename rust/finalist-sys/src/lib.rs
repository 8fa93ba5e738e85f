// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C interface of libfinalist, declaration by declaration. `include/finalist.h` says what each
//! one means; the crate `finalist` is the safe way to use them.
#![no_std]
#![allow(non_camel_case_types, non_snake_case)]

use core::ffi::{c_char, c_uint, c_void};

pub type fin_status = c_uint;
pub const FIN_OK: fin_status = 0;
pub const FIN_ERR_NULL: fin_status = 1;
pub const FIN_ERR_ALGORITHM: fin_status = 2;
pub const FIN_ERR_DIGEST_LENGTH: fin_status = 3;
pub const FIN_ERR_KEY_LENGTH: fin_status = 4;
pub const FIN_ERR_SALT_LENGTH: fin_status = 5;
pub const FIN_ERR_PERSONAL_LENGTH: fin_status = 6;
pub const FIN_ERR_TREE: fin_status = 7;
pub const FIN_ERR_STATE: fin_status = 8;
pub const FIN_ERR_KEY_WIPED: fin_status = 9;
pub const FIN_ERR_OUTPUT_LENGTH: fin_status = 10;
pub const FIN_ERR_MESSAGE_LENGTH: fin_status = 11;
pub const FIN_ERR_BLOCK_LENGTH: fin_status = 12;
pub const FIN_ERR_BITS: fin_status = 13;
pub const FIN_ERR_MIDSTATE: fin_status = 14;
pub const FIN_ERR_IMPL_UNKNOWN: fin_status = 15;
pub const FIN_ERR_IMPL_UNSUPPORTED: fin_status = 16;
pub const FIN_ERR_ENVIRONMENT: fin_status = 17;
pub const FIN_ERR_INDEX: fin_status = 18;
pub const FIN_ERR_PROOF: fin_status = 19;
pub const FIN_ERR_COLUMN: fin_status = 20;
pub const FIN_ERR_DERIVE_KEY: fin_status = 21;

pub type fin_algorithm = c_uint;
pub const FIN_BLAKE224: fin_algorithm = 1;
pub const FIN_BLAKE256: fin_algorithm = 2;
pub const FIN_BLAKE384: fin_algorithm = 3;
pub const FIN_BLAKE512: fin_algorithm = 4;
pub const FIN_BLAKE28: fin_algorithm = 5;
pub const FIN_BLAKE32: fin_algorithm = 6;
pub const FIN_BLAKE48: fin_algorithm = 7;
pub const FIN_BLAKE64: fin_algorithm = 8;
pub const FIN_BLAKE2B: fin_algorithm = 9;
pub const FIN_BLAKE2S: fin_algorithm = 10;
pub const FIN_BLAKE2BP: fin_algorithm = 11;
pub const FIN_BLAKE2SP: fin_algorithm = 12;
pub const FIN_BLAKE2XB: fin_algorithm = 13;
pub const FIN_BLAKE2XS: fin_algorithm = 14;
pub const FIN_GROESTL224: fin_algorithm = 15;
pub const FIN_GROESTL256: fin_algorithm = 16;
pub const FIN_GROESTL384: fin_algorithm = 17;
pub const FIN_GROESTL512: fin_algorithm = 18;
pub const FIN_GROESTL0_224: fin_algorithm = 19;
pub const FIN_GROESTL0_256: fin_algorithm = 20;
pub const FIN_GROESTL0_384: fin_algorithm = 21;
pub const FIN_GROESTL0_512: fin_algorithm = 22;
pub const FIN_BLAKE3: fin_algorithm = 23;

pub type fin_family = c_uint;
pub const FIN_FAMILY_BLAKE: fin_family = 0;
pub const FIN_FAMILY_BLAKE2: fin_family = 1;
pub const FIN_FAMILY_GROESTL: fin_family = 2;
pub const FIN_FAMILY_BLAKE3: fin_family = 3;

/// The C compiler that built the library, in its own words; "unknown" if the build script did not run it.
pub const C_COMPILER: &str = env!("FINALIST_C_COMPILER");

/// The flags that all files of the C library were compiled with; those of a unit alone are in
/// `core/isa.def`.
pub const C_FLAGS: &str = env!("FINALIST_C_FLAGS");

/// `digest_bytes` of BLAKE2X and BLAKE3 when the output length is not known in advance.
pub const FIN_XOF_UNKNOWN: u64 = u64::MAX;
pub const FIN_BUFFER_BYTES: usize = 1024;
pub const FIN_LEAVES_BYTES: usize = 256;
pub const FIN_SUBTREES_BYTES: usize = 1728;
pub const FIN_MERKLE_HASH_BYTES_MAX: usize = 64;
pub const FIN_MERKLE_PROOF_MAX: usize = 65;
pub const FIN_TREE_LEVELS_MAX: usize = 64;
pub const FIN_MIDSTATE_BYTES_MAX: usize = 3072;
pub const FIN_VERSION_MAJOR: u32 = 0;
pub const FIN_VERSION_MINOR: u32 = 1;
pub const FIN_VERSION_PATCH: u32 = 0;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_algorithm_info {
    pub algorithm: fin_algorithm,
    pub family: fin_family,
    pub name: *const c_char,
    pub title: *const c_char,
    pub compression: *const c_char,
    pub block_bytes: u32,
    pub digest_bytes: u32,
    pub digest_bytes_min: u64,
    pub digest_bytes_max: u64,
    pub key_bytes_max: u32,
    pub salt_bytes: u32,
    pub personal_bytes: u32,
    pub bits: bool,
    pub derive_key: bool,
    pub key_bytes_min: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_tree {
    pub fanout: u8,
    pub depth: u8,
    pub leaf_bytes: u32,
    pub node_offset: u64,
    pub node_depth: u8,
    pub inner_bytes: u8,
    pub last_node: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_params {
    pub digest_bytes: u64,
    pub key: *const u8,
    pub key_bytes: usize,
    pub salt: *const u8,
    pub salt_bytes: usize,
    pub personal: *const u8,
    pub personal_bytes: usize,
    pub tree: *const fin_tree,
    pub derive_key_context: *const c_void,
    pub derive_key_context_bytes: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_message {
    pub input: *const c_void,
    pub bytes: usize,
}

pub type fin_column_layout = c_uint;
pub const FIN_COLUMN_OFFSETS32: fin_column_layout = 0;
pub const FIN_COLUMN_OFFSETS64: fin_column_layout = 1;
pub const FIN_COLUMN_VIEWS: fin_column_layout = 2;
pub const FIN_COLUMN_FIXED: fin_column_layout = 3;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_buffer {
    pub data: *const c_void,
    pub bytes: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_column {
    pub layout: fin_column_layout,
    pub data: *const c_void,
    pub data_bytes: u64,
    pub items: *const c_void,
    pub width: usize,
    pub buffers: *const fin_buffer,
    pub buffer_count: usize,
    pub validity: *const u8,
    pub validity_offset: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_node {
    pub input: *const c_void,
    pub bytes: usize,
    pub node_offset: u64,
    pub last_node: bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union fin_chain_h {
    pub w32: [u32; 32],
    pub w64: [u64; 16],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union fin_chain_salt {
    pub w32: [u32; 8],
    pub w64: [u64; 4],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_state {
    pub h: fin_chain_h,
    pub salt: fin_chain_salt,
    pub t: [u64; 2],
    pub f: [u64; 2],
    pub rounds: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_context {
    pub state: fin_state,
    pub digest_bytes: u64,
    pub squeezed_bytes: u64,
    pub parameter_block: [u8; 64],
    pub key: [u8; 64],
    pub buffered_bytes: u32,
    pub algorithm: u8,
    pub phase: u8,
    pub key_bytes: u8,
    pub last_node: u8,
    pub buffer: [u8; FIN_BUFFER_BYTES],
    pub leaves: [u64; FIN_SUBTREES_BYTES / 8],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_share {
    pub input: *const u8,
    pub stripes: usize,
    pub rest: *const u8,
    pub rest_bytes: usize,
    pub leaf_count: u32,
    pub lanes: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_merkle {
    pub leaf_count: u64,
    pub algorithm: u8,
    pub digest_bytes: u8,
    pub key_bytes: u8,
    pub salt_bytes: u8,
    pub personal_bytes: u8,
    pub key: [u8; 64],
    pub salt: [u8; 32],
    pub personal: [u8; 16],
    pub stack: [u8; 64 * FIN_MERKLE_HASH_BYTES_MAX],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_tree_level {
    pub h: [u64; 8],
    pub node_offset: u64,
    pub child_count: u64,
    pub absorbed_bytes: u64,
    pub buffered_bytes: u32,
    pub buffer: [u8; 128],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_tree_context {
    pub leaf: fin_context,
    pub shape: fin_tree,
    pub digest_bytes: u64,
    pub leaf_count: u64,
    pub open_bytes: u64,
    pub root_h: [u64; 8],
    pub parameter_block: [u8; 64],
    pub key: [u8; 64],
    pub key_bytes: u8,
    pub algorithm: u8,
    pub phase: u8,
    pub leaf_open: u8,
    pub level_count: u32,
    pub levels: [fin_tree_level; FIN_TREE_LEVELS_MAX],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fin_blake2b_state {
    pub H: [u64; 8],
    pub T: [u64; 2],
    pub F: [u64; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fin_blake2s_state {
    pub H: [u32; 8],
    pub T: [u32; 2],
    pub F: [u32; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fin_blake256_state {
    pub H: [u32; 8],
    pub S: [u32; 4],
    pub T: [u32; 2],
    pub F: [u32; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fin_blake512_state {
    pub H: [u64; 8],
    pub S: [u64; 4],
    pub T: [u64; 2],
    pub F: [u64; 2],
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fin_groestl256_state {
    pub H: [u8; 64],
    pub T: [u64; 1],
    pub F: [u64; 1],
}

impl Default for fin_groestl256_state {
    fn default() -> fin_groestl256_state {
        fin_groestl256_state {
            H: [0; 64],
            T: [0],
            F: [0],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct fin_groestl512_state {
    pub H: [u8; 128],
    pub T: [u64; 1],
    pub F: [u64; 1],
}

impl Default for fin_groestl512_state {
    fn default() -> fin_groestl512_state {
        fin_groestl512_state {
            H: [0; 128],
            T: [0],
            F: [0],
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_impl_info {
    pub algorithm: *const c_char,
    pub name: *const c_char,
    pub technique: *const c_char,
    pub source: *const c_char,
    pub features: *const c_char,
    pub mode: *const c_char,
    pub lanes: u32,
    pub block_bytes: u32,
    pub bound_cycles: u32,
    pub constant_time: bool,
    pub supported: bool,
    pub selected: bool,
}

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
    pub fn fin_tree_init(
        tree: *mut fin_tree_context,
        algorithm: fin_algorithm,
        params: *const fin_params,
    ) -> fin_status;
    pub fn fin_tree_update(
        tree: *mut fin_tree_context,
        input: *const c_void,
        bytes: usize,
    ) -> fin_status;
    pub fn fin_tree_leaves(
        tree: *const fin_tree_context,
        input: *const c_void,
        bytes: usize,
        first: u64,
        digests: *mut u8,
    ) -> fin_status;
    pub fn fin_tree_append(
        tree: *mut fin_tree_context,
        leaf_digests: *const u8,
        count: usize,
    ) -> fin_status;
    pub fn fin_tree_final(
        tree: *mut fin_tree_context,
        digest: *mut u8,
        digest_bytes: usize,
    ) -> fin_status;
    pub fn fin_tree_wipe(tree: *mut fin_tree_context);
    pub fn fin_tree_hash(
        algorithm: fin_algorithm,
        params: *const fin_params,
        input: *const c_void,
        bytes: usize,
        digest: *mut u8,
        digest_bytes: usize,
    ) -> fin_status;
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
