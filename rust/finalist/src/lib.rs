// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hash functions BLAKE3, BLAKE2, BLAKE and Grøstl.
//!
//! ```
//! use finalist::{Algorithm, Hasher, Params, hash};
//!
//! // In one call ...
//! let digest = hash(Algorithm::Blake2b, &Params::new().digest_bytes(32), b"message")?;
//!
//! // ... and piece by piece.
//! let mut hasher = Hasher::new(Algorithm::Blake2b, &Params::new().digest_bytes(32))?;
//! hasher.update(b"mes")?;
//! hasher.update(b"sage")?;
//! assert_eq!(hasher.finalize()?, digest);
//! # Ok::<(), finalist::Error>(())
//! ```
//!
//! Where algorithm and digest length are known when the program is built, [`Blake2b512`],
//! [`Groestl256`] and similar types return a [`Digest`] and cannot fail:
//!
//! ```
//! let digest = finalist::Blake2b256::hash("message");
//! println!("{digest}");
//! ```
//!
//! Lengths are in bytes unless a name says bits. A call that returns an error has changed nothing.
//!
//! [`hash_many`] hashes many messages side by side, [`hash_column_into`] a column of Arrow's;
//! [`merkle`] builds RFC 9162's trees and [`tree_mode`] BLAKE2's. With the feature `rayon` all of
//! them, and [`Hasher`] for BLAKE3, BLAKE2bp and BLAKE2sp, also use several threads;
//! [`Hasher::update_in_threads`] does without it.
//!
//! **Constant time.** Implementations selected by default branch and index on lengths only, never on
//! message, key or salt. Implementations without that property (T-tables) are opt-in: they run only
//! if [`select`] or the environment variable `FINALIST_IMPL` names them.
//! [`Implementation::constant_time`] tells them apart.
//!
//! **Environment.** `FINALIST_IMPL=blake256=portable,groestl256=ttable64` selects implementations
//! and `FINALIST_CPU=-avx512,-avx2` hides CPU features with all that imply them. Both are read
//! once, and ignored in set-uid programs; [`check_environment`] names a wrong item.

//!
//! **Features.** `std` (on by default): the environment by name, `std::io` traits. `alloc` (in
//! `std`): what returns a `Vec`. Without both the crate is `no_std` and allocates nothing. `rayon`:
//! several threads. `digest`: the traits of RustCrypto. `subtle`, `zeroize`: their traits. To leave
//! parts of the library out, turn the default features off and name the algorithms (`blake2b`) and the
//! CPU features (`avx2`, with what it implies) that are wanted, or all of them (`algorithms`,
//! `units`); portable code is always there.
#![no_std]
#![deny(missing_docs)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod algorithm;
pub mod block;
#[cfg(feature = "alloc")]
mod boxed;
mod column;
mod digest_array;
pub mod eip152;
mod error;
mod fixed;
pub mod function;
mod hasher;
mod implementation;
mod many;
pub mod merkle;
#[cfg(feature = "std")]
mod parallel;
mod params;
#[cfg(feature = "rayon")]
mod parts;
#[cfg(feature = "digest")]
mod rustcrypto;
#[cfg(feature = "std")]
pub mod slice;
mod subtree;
#[cfg(feature = "alloc")]
pub mod tree_mode;
mod xof;
#[cfg(feature = "alloc")]
mod zeroed;

pub use algorithm::{Algorithm, AlgorithmInfo, Family};
pub use block::blake2b_f;
#[cfg(feature = "rayon")]
pub use column::hash_column_parallel_into;
pub use column::{Buffer, Column, hash_column_into};
pub use digest_array::Digest;
#[cfg(feature = "std")]
pub use error::EnvironmentError;
pub use error::Error;
pub use fixed::{
    Blake2b, Blake2b160, Blake2b256, Blake2b384, Blake2b512, Blake2bMac, Blake2bp, Blake2bpMac,
    Blake2s, Blake2s128, Blake2s256, Blake2sMac, Blake2sp, Blake2spMac, Blake3, Blake3Mac, Blake28,
    Blake32, Blake48, Blake64, Blake224, Blake256, Blake384, Blake512, FixedHasher, Groestl0_224,
    Groestl0_256, Groestl0_384, Groestl0_512, Groestl224, Groestl256, Groestl384, Groestl512,
    MacHasher,
};
pub use hasher::{Hasher, MIDSTATE_BYTES_MAX, hash_into};
#[cfg(feature = "alloc")]
pub use hasher::{hash, hash_bits};
#[cfg(feature = "std")]
pub use implementation::check_environment;
#[cfg(feature = "alloc")]
pub use implementation::{Implementation, cpu_features, implementations};
pub use implementation::{core_class, select, selected};
#[cfg(feature = "alloc")]
pub use many::{Node, groestl_pairs, hash_equal, hash_many, hash_many_into, hash_nodes};
pub use many::{groestl_pairs_into, hash_equal_into, hash_many_iter};
#[cfg(feature = "rayon")]
pub use many::{
    hash_equal_parallel, hash_equal_parallel_into, hash_many_parallel, hash_many_parallel_into,
};
pub use params::{Params, TreeMode};
#[cfg(feature = "rayon")]
pub use parts::digests_in_parts;
pub use subtree::blake3_subtree_cv;
pub use xof::{Blake2xb, Blake2xs, OutputReader, XofHasher};

/// Returns the version of the C library, `MAJOR.MINOR.PATCH`.
///
/// ```
/// assert_eq!(finalist::version().split('.').count(), 3);
/// ```
pub fn version() -> &'static str {
    // SAFETY: the function takes nothing and returns a static, null-terminated string.
    unsafe { static_text(finalist_sys::fin_version()) }
}

/// Returns the version text of the compiler that built the C library.
///
/// ```
/// println!("libfinalist was built by {}", finalist::c_compiler());
/// ```
pub const fn c_compiler() -> &'static str {
    finalist_sys::C_COMPILER
}

/// Returns the flags that all files of the C library were compiled with; an implementation's own
/// come after them.
pub const fn c_flags() -> &'static str {
    finalist_sys::C_FLAGS
}

/// A string of the C library as Rust's.
///
/// # Safety
/// `text` is a null-terminated string that is never changed or freed.
unsafe fn static_text(text: *const core::ffi::c_char) -> &'static str {
    // SAFETY: promised by the caller. The library's strings are UTF-8 literals.
    unsafe { core::ffi::CStr::from_ptr(text) }
        .to_str()
        .unwrap_or_default()
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
