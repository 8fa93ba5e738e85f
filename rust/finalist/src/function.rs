// SPDX-License-Identifier: MIT OR Apache-2.0
//! The algorithms as types, which the hashers of fixed digest length are generic over.
//!
//! ```
//! use finalist::{FixedHasher, function};
//! // Grøstl-160, which has no name of its own in this crate.
//! let digest = FixedHasher::<function::Groestl224, 20>::hash("message");
//! ```

use crate::Algorithm;

mod sealed {
    pub trait Sealed {}
}

/// An algorithm with digests of up to 64 bytes.
///
/// ```
/// use finalist::{Algorithm, function::{Blake32, Function}};
/// assert_eq!(Blake32::ALGORITHM, Algorithm::Blake32);
/// ```
pub trait Function: sealed::Sealed + Send + Sync + 'static {
    /// The same as a value.
    const ALGORITHM: Algorithm;
    /// The shortest and the longest digest in bytes.
    const DIGEST_BYTES: (usize, usize);
}

/// A function that takes a key: one of BLAKE2, or BLAKE3.
///
/// ```
/// use finalist::{MacHasher, function};
/// fn tag<F: function::Keyed>(key: &[u8], text: &[u8]) -> Result<[u8; 16], finalist::Error> {
///     let mut mac = MacHasher::<F, 16>::new(key)?;
///     mac.update(text);
///     Ok(mac.finalize().into())
/// }
/// tag::<function::Blake2sp>(b"key", b"text")?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub trait Keyed: Function {}

/// A function with output of any length: one of BLAKE2X, or BLAKE3.
///
/// ```
/// use finalist::{XofHasher, function};
/// fn expand<F: function::Extendable>(seed: &[u8], out: &mut [u8]) -> Result<(), finalist::Error> {
///     let mut hasher = XofHasher::<F>::new();
///     hasher.update(seed);
///     hasher.finalize_xof().fill(out)
/// }
/// expand::<function::Blake2xs>(b"seed", &mut [0; 100])?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub trait Extendable: sealed::Sealed + Send + Sync + 'static {
    /// The same as a value.
    const ALGORITHM: Algorithm;
}

/// Declares types for algorithms with digests from one length to another.
macro_rules! functions {
    ($($(#[$attribute:meta])* $name:ident $min:literal ..= $max:literal;)*) => {$(
        #[doc = concat!("[`Algorithm::", stringify!($name), "`] as a type.")]
        ///
        /// ```
        #[doc = concat!("use finalist::{FixedHasher, function::", stringify!($name), "};")]
        #[doc = concat!("let digest = FixedHasher::<", stringify!($name), ", ", $max, ">::hash(\"\");")]
        /// ```
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}
        impl sealed::Sealed for $name {}
        impl Function for $name {
            const ALGORITHM: Algorithm = Algorithm::$name;
            const DIGEST_BYTES: (usize, usize) = ($min, $max);
        }
    )*};
}

functions! {
    Blake224 28..=28;
    Blake256 32..=32;
    Blake384 48..=48;
    Blake512 64..=64;
    Blake28 28..=28;
    Blake32 32..=32;
    Blake48 48..=48;
    Blake64 64..=64;
    Blake2b 1..=64;
    Blake2s 1..=32;
    Blake2bp 1..=64;
    Blake2sp 1..=32;
    Groestl224 1..=28;
    Groestl256 1..=32;
    Groestl384 1..=48;
    Groestl512 1..=64;
    #[allow(non_camel_case_types)]
    Groestl0_224 1..=28;
    #[allow(non_camel_case_types)]
    Groestl0_256 1..=32;
    #[allow(non_camel_case_types)]
    Groestl0_384 1..=48;
    #[allow(non_camel_case_types)]
    Groestl0_512 1..=64;
    /// Output of more bytes: [`finalize_xof`](crate::FixedHasher::finalize_xof).
    Blake3 1..=64;
}

impl Keyed for Blake2b {}
impl Keyed for Blake2s {}
impl Keyed for Blake2bp {}
impl Keyed for Blake2sp {}
impl Keyed for Blake3 {}

/// Declares types for algorithms with output of any length.
macro_rules! extendable {
    ($($name:ident;)*) => {$(
        #[doc = concat!("[`Algorithm::", stringify!($name), "`] as a type.")]
        ///
        /// ```
        #[doc = concat!("use finalist::{XofHasher, function::", stringify!($name), "};")]
        #[doc = concat!("let hasher = XofHasher::<", stringify!($name), ">::new();")]
        /// ```
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}
        impl sealed::Sealed for $name {}
        impl Extendable for $name {
            const ALGORITHM: Algorithm = Algorithm::$name;
        }
    )*};
}

extendable! {
    Blake2xb;
    Blake2xs;
}

impl Extendable for Blake3 {
    const ALGORITHM: Algorithm = Algorithm::Blake3;
}
