// SPDX-License-Identifier: MIT OR Apache-2.0
//! The algorithms and their descriptions.

use core::fmt;
use core::str::FromStr;

use finalist_sys as sys;

use crate::{Error, static_text};

/// Declares [`Algorithm`] with its C numbers and the list of all.
macro_rules! algorithms {
    ($($(#[$doc:meta])* $variant:ident = $number:ident, $feature:literal,)*) => {
        /// A hash function. The numbers are part of the midstate format and never change.
        ///
        /// ```
        /// use finalist::{Algorithm, Params, hash};
        /// for &algorithm in Algorithm::all() {
        ///     println!("{algorithm}: {:02x?}", hash(algorithm, &Params::new(), b"message")?);
        /// }
        /// # Ok::<(), finalist::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum Algorithm {
            $($(#[$doc])* $variant = sys::$number,)*
        }

        const ALL: &[Algorithm] = &[$(#[cfg(feature = $feature)] Algorithm::$variant,)*];

        impl Algorithm {
            /// True unless the crate was built without the algorithm, whose name is its feature.
            /// Calls with one that is left out return [`Error::Algorithm`].
            ///
            /// ```
            /// assert!(finalist::Algorithm::Blake2b.is_built());
            /// ```
            #[must_use]
            pub const fn is_built(self) -> bool {
                match self {
                    $(Algorithm::$variant => cfg!(feature = $feature),)*
                }
            }
        }
    };
}

algorithms! {
    /// BLAKE3: output of any length, in parallel.
    Blake3 = FIN_BLAKE3, "blake3",
    /// BLAKE2b (RFC 7693).
    Blake2b = FIN_BLAKE2B, "blake2b",
    /// BLAKE2s (RFC 7693).
    Blake2s = FIN_BLAKE2S, "blake2s",
    /// BLAKE2bp: four BLAKE2b leaves.
    Blake2bp = FIN_BLAKE2BP, "blake2bp",
    /// BLAKE2sp: eight BLAKE2s leaves.
    Blake2sp = FIN_BLAKE2SP, "blake2sp",
    /// BLAKE2Xb: output of any length up to 2^32 - 2 bytes.
    Blake2xb = FIN_BLAKE2XB, "blake2xb",
    /// BLAKE2Xs: output of any length up to 2^16 - 2 bytes.
    Blake2xs = FIN_BLAKE2XS, "blake2xs",
    /// BLAKE-224, SHA-3 final round (14 rounds).
    Blake224 = FIN_BLAKE224, "blake224",
    /// BLAKE-256, SHA-3 final round (14 rounds).
    Blake256 = FIN_BLAKE256, "blake256",
    /// BLAKE-384, SHA-3 final round (16 rounds).
    Blake384 = FIN_BLAKE384, "blake384",
    /// BLAKE-512, SHA-3 final round (16 rounds).
    Blake512 = FIN_BLAKE512, "blake512",
    /// Grøstl-224, SHA-3 final round.
    Groestl224 = FIN_GROESTL224, "groestl224",
    /// Grøstl-256, SHA-3 final round.
    Groestl256 = FIN_GROESTL256, "groestl256",
    /// Grøstl-384, SHA-3 final round.
    Groestl384 = FIN_GROESTL384, "groestl384",
    /// Grøstl-512, SHA-3 final round.
    Groestl512 = FIN_GROESTL512, "groestl512",
    /// BLAKE-28, first submission (10 rounds).
    Blake28 = FIN_BLAKE28, "blake28",
    /// BLAKE-32, first submission (10 rounds).
    Blake32 = FIN_BLAKE32, "blake32",
    /// BLAKE-48, first submission (14 rounds).
    Blake48 = FIN_BLAKE48, "blake48",
    /// BLAKE-64, first submission (14 rounds).
    Blake64 = FIN_BLAKE64, "blake64",
    /// Grøstl-224, first submission.
    Groestl0_224 = FIN_GROESTL0_224, "groestl0-224",
    /// Grøstl-256, first submission.
    Groestl0_256 = FIN_GROESTL0_256, "groestl0-256",
    /// Grøstl-384, first submission.
    Groestl0_384 = FIN_GROESTL0_384, "groestl0-384",
    /// Grøstl-512, first submission.
    Groestl0_512 = FIN_GROESTL0_512, "groestl0-512",
}

/// A family of algorithms with common parameters and structure.
///
/// ```
/// use finalist::{Algorithm, Family};
/// assert_eq!(Algorithm::Blake2sp.info().family, Family::Blake2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// BLAKE, both submissions: salt, messages of any number of bits.
    Blake,
    /// BLAKE2: digest length, key, salt, personalisation, trees.
    Blake2,
    /// Grøstl, both submissions: digest length, messages of any number of bits.
    Groestl,
    /// BLAKE3: digest length, key, key derivation.
    Blake3,
}

/// The description of an algorithm. Lengths are in bytes.
///
/// ```
/// let info = finalist::Algorithm::Blake2xs.info();
/// assert_eq!((info.digest_bytes_min, info.digest_bytes_max), (1, 65_534));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlgorithmInfo {
    /// The algorithm described.
    pub algorithm: Algorithm,
    /// Its family.
    pub family: Family,
    /// `blake2b`: the name in test vectors and on command lines.
    pub name: &'static str,
    /// `BLAKE2b`: the name in tagged checksum lines.
    pub title: &'static str,
    /// `blake2b`: its compression function, which the [implementations](crate::implementations)
    /// compute.
    pub compression: &'static str,
    /// Block length of the compression function.
    pub block_bytes: usize,
    /// Digest length if the parameters give none.
    pub digest_bytes: usize,
    /// Shortest digest that the parameters can give.
    pub digest_bytes_min: u64,
    /// Longest digest that the parameters can give.
    pub digest_bytes_max: u64,
    /// Shortest key; 0: takes no key.
    pub key_bytes_min: usize,
    /// Longest key; 0: takes no key.
    pub key_bytes_max: usize,
    /// Length of the salt (BLAKE), longest salt (BLAKE2); 0: takes no salt.
    pub salt_bytes: usize,
    /// Longest personalisation; 0: takes none.
    pub personal_bytes: usize,
    /// Takes messages of any number of bits.
    pub bits: bool,
    /// Takes a context to derive keys.
    pub derive_key: bool,
}

impl Algorithm {
    /// Lists every algorithm: current ones first, first submissions to SHA-3 last. Lists for users
    /// are in this order.
    ///
    /// ```
    /// use finalist::{Algorithm, Family};
    /// let blake = Algorithm::all().iter().filter(|algorithm| algorithm.info().family == Family::Blake);
    /// assert_eq!(blake.count(), 8);
    /// ```
    pub const fn all() -> &'static [Algorithm] {
        ALL
    }

    /// Finds an algorithm by its name (`blake2b`, `groestl0-256`), case-sensitive.
    ///
    /// # Errors
    /// [`Error::Algorithm`] if there is none of that name.
    ///
    /// ```
    /// use finalist::Algorithm;
    /// assert_eq!(Algorithm::from_name("blake2b"), Ok(Algorithm::Blake2b));
    /// assert!(Algorithm::from_name("BLAKE2b").is_err());
    /// ```
    pub fn from_name(name: &str) -> Result<Algorithm, Error> {
        let mut all = ALL.iter().copied();
        all.find(|algorithm| algorithm.name() == name)
            .ok_or(Error::Algorithm)
    }

    /// Returns the algorithm's name: `blake2b`.
    ///
    /// ```
    /// assert_eq!(finalist::Algorithm::Groestl0_256.name(), "groestl0-256");
    /// ```
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the algorithm's code in multihashes with digests of this length, from the table
    /// multicodec; `None` if it has none. That table has BLAKE2b with 1 to 64 bytes, BLAKE2s with 1
    /// to 32 and BLAKE3 with any.
    ///
    /// ```
    /// use finalist::Algorithm;
    /// assert_eq!(Algorithm::Blake2b.multihash_code(32), Some(0xb220));
    /// assert_eq!(Algorithm::Blake256.multihash_code(32), None);
    /// ```
    pub const fn multihash_code(self, digest_bytes: usize) -> Option<u64> {
        match (self, digest_bytes) {
            (Algorithm::Blake2b, 1..=64) => Some(0xb200 + digest_bytes as u64),
            (Algorithm::Blake2s, 1..=32) => Some(0xb240 + digest_bytes as u64),
            (Algorithm::Blake3, 1..) => Some(0x1e),
            _ => None,
        }
    }

    /// Describes the algorithm.
    ///
    /// # Panics
    /// If the crate was built without the algorithm ([`is_built`](Algorithm::is_built)).
    ///
    /// ```
    /// use finalist::{Algorithm, Family};
    /// let info = Algorithm::Blake512.info();
    /// assert_eq!((info.family, info.title), (Family::Blake, "BLAKE-512"));
    /// assert_eq!((info.block_bytes, info.digest_bytes, info.salt_bytes), (128, 64, 32));
    /// ```
    pub fn info(self) -> AlgorithmInfo {
        let info = self.description();
        // SAFETY: its strings are static.
        unsafe {
            AlgorithmInfo {
                algorithm: self,
                family: match info.family {
                    sys::FIN_FAMILY_BLAKE => Family::Blake,
                    sys::FIN_FAMILY_BLAKE2 => Family::Blake2,
                    sys::FIN_FAMILY_BLAKE3 => Family::Blake3,
                    _ => Family::Groestl,
                },
                name: static_text(info.name),
                title: static_text(info.title),
                compression: static_text(info.compression),
                block_bytes: info.block_bytes as usize,
                digest_bytes: info.digest_bytes as usize,
                digest_bytes_min: info.digest_bytes_min,
                digest_bytes_max: info.digest_bytes_max,
                key_bytes_max: info.key_bytes_max as usize,
                salt_bytes: info.salt_bytes as usize,
                personal_bytes: info.personal_bytes as usize,
                bits: info.bits,
                derive_key: info.derive_key,
                key_bytes_min: info.key_bytes_min as usize,
            }
        }
    }

    /// The C library's description: `info` without measuring and checking its texts.
    pub(crate) fn description(self) -> &'static sys::fin_algorithm_info {
        // SAFETY: the result is null or static.
        unsafe { sys::fin_algorithm_describe(self.number()).as_ref() }
            .expect("the algorithm is left out of this build")
    }

    /// The C library's number of the algorithm.
    pub(crate) const fn number(self) -> sys::fin_algorithm {
        self as sys::fin_algorithm
    }

    /// The algorithm of a C number.
    pub(crate) fn from_number(number: sys::fin_algorithm) -> Option<Algorithm> {
        ALL.iter()
            .copied()
            .find(|algorithm| algorithm.number() == number)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(name: &str) -> Result<Algorithm, Error> {
        Algorithm::from_name(name)
    }
}
