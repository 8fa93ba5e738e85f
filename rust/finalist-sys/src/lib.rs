// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C interface of libfinalist, declaration by declaration. `include/finalist.h` documents each
//! one; the crate `finalist` is the safe way to use them.
#![no_std]
#![allow(non_camel_case_types, non_snake_case)]

use core::ffi::c_uint;

mod functions;
mod structs;

pub use functions::*;
pub use structs::*;

pub type fin_status = c_uint;
pub const FIN_OK: fin_status = 0;
pub const FIN_ERR_NULL: fin_status = 1;
pub const FIN_ERR_ALGORITHM: fin_status = 2;
pub const FIN_ERR_DIGEST_LENGTH: fin_status = 3;
pub const FIN_ERR_KEY_LENGTH: fin_status = 4;
pub const FIN_ERR_SALT_LENGTH: fin_status = 5;
pub const FIN_ERR_PERSONAL_LENGTH: fin_status = 6;
pub const FIN_ERR_TREE_MODE: fin_status = 7;
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

/// The C compiler that built the library, as its --version prints it; "unknown" for a linked one.
pub const C_COMPILER: &str = env!("FINALIST_C_COMPILER");

/// The flags that all files of the C library were compiled with; `core/isa.def` lists each unit's
/// additional flags.
pub const C_FLAGS: &str = env!("FINALIST_C_FLAGS");

/// The value of `digest_bytes` in BLAKE2X and BLAKE3 if the output length is not known in advance.
pub const FIN_XOF_UNKNOWN: u64 = u64::MAX;
pub const FIN_BUFFER_BYTES: usize = 1024;
pub const FIN_LEAVES_BYTES: usize = 256;
pub const FIN_SUBTREES_BYTES: usize = 1728;
pub const FIN_MERKLE_HASH_BYTES_MAX: usize = 64;
pub const FIN_MERKLE_PROOF_MAX: usize = 65;
pub const FIN_TREE_MODE_LEVELS_MAX: usize = 64;
pub const FIN_MIDSTATE_BYTES_MAX: usize = 3072;
pub const FIN_VERSION_MAJOR: u32 = 0;
pub const FIN_VERSION_MINOR: u32 = 1;
pub const FIN_VERSION_PATCH: u32 = 0;
