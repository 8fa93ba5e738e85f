// SPDX-License-Identifier: MIT OR Apache-2.0
//! The structures of `include/finalist.h`, field by field.

use core::ffi::{c_char, c_uint, c_void};

use crate::*;

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
pub struct fin_tree_mode {
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
    pub tree_mode: *const fin_tree_mode,
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
pub struct fin_tree_mode_level {
    pub h: [u64; 8],
    pub node_offset: u64,
    pub child_count: u64,
    pub absorbed_bytes: u64,
    pub buffered_bytes: u32,
    pub buffer: [u8; 128],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct fin_tree_mode_context {
    pub leaf: fin_context,
    pub shape: fin_tree_mode,
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
    pub levels: [fin_tree_mode_level; FIN_TREE_MODE_LEVELS_MAX],
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
