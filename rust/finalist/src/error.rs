// SPDX-License-Identifier: MIT OR Apache-2.0
//! The library's statuses as Rust errors.

#[cfg(feature = "std")]
use std::string::String;

use core::fmt;

use finalist_sys as sys;

use crate::static_text;

/// Declares [`Error`] with the C status of each variant.
macro_rules! errors {
    ($($(#[$doc:meta])* $variant:ident = $status:ident,)*) => {
        /// The error of a call, which has then changed neither the hasher nor the output.
        ///
        /// Its text ([`Display`](fmt::Display)) is one English sentence without a full stop.
        ///
        /// ```
        /// use finalist::{Algorithm, Error, Hasher, Params};
        /// let error = Hasher::new(Algorithm::Blake256, &Params::new().key(b"key")).err();
        /// assert_eq!(error, Some(Error::KeyLength));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum Error {
            $($(#[$doc])* $variant = sys::$status,)*
        }

        impl Error {
            /// Converts a status of the C library to a result.
            pub(crate) fn check(status: sys::fin_status) -> Result<(), Error> {
                match status {
                    sys::FIN_OK => Ok(()),
                    $(sys::$status => Err(Error::$variant),)*
                    // A status that this crate does not know cannot come from the library that
                    // it was built with.
                    unknown => panic!("libfinalist returned the unknown status {unknown}"),
                }
            }
        }
    };
}

errors! {
    /// A null pointer where data or a result was needed, or an input slice shorter than the length
    /// given with it.
    Null = FIN_ERR_NULL,
    /// No such algorithm, or the call does not support it.
    Algorithm = FIN_ERR_ALGORITHM,
    /// A digest length that the algorithm does not have.
    DigestLength = FIN_ERR_DIGEST_LENGTH,
    /// A key of another length than the algorithm takes.
    KeyLength = FIN_ERR_KEY_LENGTH,
    /// A salt length that the algorithm does not have.
    SaltLength = FIN_ERR_SALT_LENGTH,
    /// A personalisation that is too long, or any if the algorithm takes none.
    PersonalLength = FIN_ERR_PERSONAL_LENGTH,
    /// Parameters of tree mode out of range, or not taken by the algorithm.
    TreeMode = FIN_ERR_TREE_MODE,
    /// The digest was already taken.
    State = FIN_ERR_STATE,
    /// Reset of a keyed hasher whose key was wiped: make a new one.
    KeyWiped = FIN_ERR_KEY_WIPED,
    /// An output buffer of the wrong size, or of one that memory cannot hold.
    OutputLength = FIN_ERR_OUTPUT_LENGTH,
    /// The message would overflow the algorithm's length counter.
    MessageLength = FIN_ERR_MESSAGE_LENGTH,
    /// Block interface: not whole blocks, or more than one in the final call.
    BlockLength = FIN_ERR_BLOCK_LENGTH,
    /// More than seven extra bits, or bits given to BLAKE2 or BLAKE3.
    Bits = FIN_ERR_BITS,
    /// The bytes are not a midstate of this version.
    Midstate = FIN_ERR_MIDSTATE,
    /// No implementation of that name for the algorithm.
    ImplementationUnknown = FIN_ERR_IMPL_UNKNOWN,
    /// The implementation needs a CPU feature that is absent or masked.
    ImplementationUnsupported = FIN_ERR_IMPL_UNSUPPORTED,
    /// `FINALIST_IMPL` or `FINALIST_CPU` holds an unknown item.
    Environment = FIN_ERR_ENVIRONMENT,
    /// No such leaf, or no tree of that size is part of this one.
    Index = FIN_ERR_INDEX,
    /// The proof does not lead to the root.
    Proof = FIN_ERR_PROOF,
    /// Offsets, views or widths of a column reach outside of its bytes.
    Column = FIN_ERR_COLUMN,
    /// A derive-key context beside a key, or one that the call does not take.
    DeriveKey = FIN_ERR_DERIVE_KEY,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: any number is allowed, and the text is static and never null.
        f.write_str(unsafe { static_text(sys::fin_status_text(*self as sys::fin_status)) })
    }
}

impl core::error::Error for Error {}

/// The first item of `FINALIST_IMPL` or `FINALIST_CPU` that is wrong.
///
/// ```
/// if let Err(error) = finalist::check_environment() {
///     eprintln!("{error}"); // FINALIST_IMPL: 'blake256=nosuch': ...
/// }
/// ```
#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvironmentError {
    /// The environment variable that holds it.
    pub variable: &'static str,
    /// The item's text, as `blake256=nosuch`.
    pub item: String,
    /// The kind of error.
    pub error: Error,
}

#[cfg(feature = "std")]
impl fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: '{}': {}", self.variable, self.item, self.error)
    }
}

#[cfg(feature = "std")]
impl core::error::Error for EnvironmentError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}
