// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hash functions BLAKE, BLAKE2 and Grøstl at the speed of the CPU they run on.
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
//! Lengths are in bytes unless a name says bits. A call that returns an error has changed nothing.
//!
//! [`hash_many`] hashes many messages side by side; [`merkle`] and [`tree`] build trees on it. With
//! the feature `rayon` they, and [`Hasher`] for BLAKE2bp and BLAKE2sp, also use several threads.
//!
//! **Constant time.** Whatever is selected by default branches and indexes on lengths only, never
//! on message, key or salt. Implementations without that property (tables) run only when [`select`]
//! or the environment variable `FINALIST_IMPL` asks for them by name;
//! [`Implementation::constant_time`] tells them apart.
//!
//! **Environment.** `FINALIST_IMPL=blake256=portable,groestl256=ttable64` chooses implementations
//! and `FINALIST_CPU=-avx512,-avx2` hides CPU features with all that imply them. Both are read
//! once, and ignored in set-uid programs; [`check_environment`] names a wrong item.

mod algorithm;
pub mod block;
mod error;
mod hasher;
mod implementation;
mod many;
pub mod merkle;
#[cfg(feature = "rayon")]
mod parallel;
mod params;
pub mod tree;

pub use algorithm::{Algorithm, AlgorithmInfo, Family};
pub use block::blake2b_f;
pub use error::{EnvironmentError, Error};
pub use hasher::{Hasher, hash, hash_bits, hash_into};
pub use implementation::{
    Implementation, check_environment, cpu_features, implementations, select, selected,
};
pub use many::{Node, compress_many, groestl_pairs, hash_many, hash_many_into, hash_nodes};
pub use params::{Params, Tree};

/// The version of the C library, `MAJOR.MINOR.PATCH`.
pub fn version() -> &'static str {
    // SAFETY: the function takes nothing and returns a static, null-terminated string.
    unsafe { static_text(finalist_sys::fin_version()) }
}

/// The compiler that built the C library, in its own words.
pub const fn c_compiler() -> &'static str {
    finalist_sys::C_COMPILER
}

/// The flags that all files of the C library were compiled with; an implementation's own come
/// after them.
pub const fn c_flags() -> &'static str {
    finalist_sys::C_FLAGS
}

/// A string of the C library as Rust's.
///
/// # Safety
/// `text` is a null-terminated string that is never changed or freed.
unsafe fn static_text(text: *const std::ffi::c_char) -> &'static str {
    // SAFETY: promised by the caller. The library's strings are UTF-8 literals.
    unsafe { std::ffi::CStr::from_ptr(text) }
        .to_str()
        .unwrap_or_default()
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
