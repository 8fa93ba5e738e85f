// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashers whose algorithm and digest length are known when the program is built, so that no call
//! can fail.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt;
use core::marker::PhantomData;
use core::mem;

use crate::function::{self, Extendable, Function, Keyed};
use crate::{Digest, Error, Hasher, OutputReader, Params, XofHasher};

/// Unwraps a result that can fail only for reasons beyond the types.
///
/// # Panics
/// If the environment is wrong or a message exceeds its algorithm's counter.
pub(crate) fn expected<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| panic!("finalist: {error}"))
}

/// One message in progress, with the digest's length in the type. The functions of common lengths
/// have names: [`Blake2b512`], [`Blake256`], [`Groestl512`].
///
/// Wiped when dropped. With the feature `digest` it has the traits of RustCrypto, and with `std`
/// `std::io::Write`.
///
/// # Panics
/// Calls panic where those of [`Hasher`] return an error: if the environment variables
/// `FINALIST_IMPL` or `FINALIST_CPU` are wrong (`finalist::check_environment` tells before), and
/// past the algorithm's length counter, which takes centuries or a forged midstate.
///
/// ```
/// use finalist::{Blake256, Digest};
/// let mut hasher = Blake256::new();
/// hasher.update("mes").update("sage");
/// let digest: Digest<32> = hasher.finalize();
/// assert_eq!(digest, Blake256::hash("message"));
/// ```
pub struct FixedHasher<F, const N: usize> {
    pub(crate) hasher: Hasher,
    function: PhantomData<F>,
}

impl<F: Function, const N: usize> FixedHasher<F, N> {
    const LENGTH_EXISTS: () = {
        assert!(
            F::ALGORITHM.is_built(),
            "finalist is built without this function: enable the feature of its name"
        );
        assert!(
            F::DIGEST_BYTES.0 <= N && N <= F::DIGEST_BYTES.1,
            "the function has no digests of this length"
        );
    };

    /// Starts a message of the plain function.
    ///
    /// ```
    /// let hasher = finalist::Groestl384::new();
    /// ```
    #[must_use]
    pub fn new() -> FixedHasher<F, N> {
        let () = Self::LENGTH_EXISTS;
        let params = Params::new().digest_bytes(N as u64);
        FixedHasher::from_hasher(expected(Hasher::new(F::ALGORITHM, &params)))
    }

    /// Starts a message with a key, salt, personalisation, tree parameters or a derive-key context.
    ///
    /// # Errors
    /// Those of [`Hasher::new`]; [`Error::DigestLength`] also if the parameters have a digest length
    /// that is not the type's.
    ///
    /// ```
    /// use finalist::{Blake2b, Blake2b256, Blake3, Params};
    /// // Filecoin: the payload of an address, and the checksum of one.
    /// let payload = Blake2b::<20>::hash([7; 65]);
    /// let mut checksum = Blake2b::<4>::new();
    /// checksum.update([1]).update(payload);
    /// // Zcash: a personalisation.
    /// let zcash = Blake2b256::with_params(&Params::new().personal(b"ZTxIdHeadersHash"))?;
    /// // BLAKE3: a key derived from key material.
    /// let purpose = Params::new().derive_key_context(b"example.com 2026-11-23 session tokens v1");
    /// let session_key = Blake3::with_params(&purpose)?.update("key material").finalize_reset();
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn with_params(params: &Params<'_>) -> Result<FixedHasher<F, N>, Error> {
        let () = Self::LENGTH_EXISTS;
        let params = params.of_digest_bytes(N as u64)?;
        Ok(FixedHasher::from_hasher(Hasher::new(
            F::ALGORITHM,
            &params,
        )?))
    }

    #[inline]
    pub(crate) const fn from_hasher(hasher: Hasher) -> FixedHasher<F, N> {
        FixedHasher {
            hasher,
            function: PhantomData,
        }
    }

    /// Returns the digest of a whole message.
    ///
    /// ```
    /// let digest = finalist::Groestl256::hash("");
    /// assert_eq!(digest.as_bytes()[..4], [0x1a, 0x52, 0xd1, 0x1d]);
    /// ```
    #[must_use]
    pub fn hash(message: impl AsRef<[u8]>) -> Digest<N> {
        let () = Self::LENGTH_EXISTS;
        let mut digest = [0; N];
        let params = Params::new().digest_bytes(N as u64);
        let message = message.as_ref();
        expected(crate::hash_into(
            F::ALGORITHM,
            &params,
            message,
            &mut digest,
        ));
        Digest::from_bytes(digest)
    }

    /// Returns the digests of many messages, hashed side by side as by
    /// [`hash_many`](crate::hash_many).
    ///
    /// ```
    /// use finalist::Blake2s256;
    /// let digests = Blake2s256::hash_many(&["one", "two", "three"]);
    /// assert_eq!(digests[1], Blake2s256::hash("two"));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn hash_many<M: AsRef<[u8]>>(messages: &[M]) -> Vec<Digest<N>> {
        let () = Self::LENGTH_EXISTS;
        let mut digests = vec![Digest::from_bytes([0; N]); messages.len()];
        let params = Params::new().digest_bytes(N as u64);
        let bytes = Digest::flatten_mut(&mut digests);
        expected(crate::hash_many_into(
            F::ALGORITHM,
            &params,
            messages,
            bytes,
        ));
        digests
    }

    /// Appends bytes to the message.
    ///
    /// ```
    /// let mut hasher = finalist::Blake2b512::new();
    /// hasher.update("text").update([0, 1, 2]);
    /// ```
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) -> &mut FixedHasher<F, N> {
        expected(self.hasher.update(bytes.as_ref()));
        self
    }

    /// Ends the message.
    ///
    /// ```
    /// let digest: finalist::Digest<64> = finalist::Blake512::new().finalize();
    /// ```
    #[must_use]
    pub fn finalize(mut self) -> Digest<N> {
        let digest = self.take_digest();
        // Taking the digest has wiped the secrets already.
        mem::forget(self);
        digest
    }

    /// Ends the message, and starts another with the same parameters.
    ///
    /// ```
    /// let mut hasher = finalist::Blake2sp::<32>::new();
    /// let empty = hasher.finalize_reset();
    /// assert_eq!(hasher.finalize(), empty);
    /// ```
    pub fn finalize_reset(&mut self) -> Digest<N> {
        // A key is wiped when the digest is taken.
        if self.hasher.has_key() {
            let digest = self.clone().finalize();
            self.reset();
            return digest;
        }
        let digest = self.take_digest();
        self.reset();
        digest
    }

    /// Goes back to the state after [`new`](FixedHasher::new) or
    /// [`with_params`](FixedHasher::with_params).
    ///
    /// ```
    /// let mut hasher = finalist::Blake2b512::new();
    /// hasher.update("no, wrong").reset();
    /// ```
    pub fn reset(&mut self) {
        expected(self.hasher.reset());
    }

    /// Ends the message. What follows is `reset` or drop.
    pub(crate) fn take_digest(&mut self) -> Digest<N> {
        let mut digest = [0; N];
        expected(self.hasher.finalize_into(&mut digest));
        Digest::from_bytes(digest)
    }
}

/// BLAKE3: the digest is the beginning of an output of any length.
impl<F: Function + Extendable, const N: usize> FixedHasher<F, N> {
    /// Ends the message, with output of any length.
    ///
    /// ```
    /// use finalist::Blake3;
    /// let mut hasher = Blake3::new();
    /// hasher.update("seed");
    /// let mut output = [0; 100];
    /// hasher.finalize_xof().fill(&mut output)?;
    /// assert_eq!(Blake3::hash("seed"), output[..32]);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[must_use]
    pub fn finalize_xof(self) -> OutputReader {
        XofHasher::<F>::from_hasher(self.hasher).finalize_xof()
    }

    /// Ends the message as [`finalize_xof`](FixedHasher::finalize_xof) does, and starts another with
    /// the same parameters.
    ///
    /// ```
    /// let mut hasher = finalist::Blake3::new();
    /// hasher.update("seed").finalize_xof_reset().fill(&mut [0; 100])?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[must_use]
    pub fn finalize_xof_reset(&mut self) -> OutputReader {
        let reader = self.clone().finalize_xof();
        self.reset();
        reader
    }
}

impl<F: Function, const N: usize> Default for FixedHasher<F, N> {
    fn default() -> FixedHasher<F, N> {
        FixedHasher::new()
    }
}

/// The two messages then go on independently.
impl<F: Function, const N: usize> Clone for FixedHasher<F, N> {
    fn clone(&self) -> FixedHasher<F, N> {
        FixedHasher::from_hasher(self.hasher.clone())
    }
}

/// Names the algorithm and nothing of the message.
impl<F: Function, const N: usize> fmt::Debug for FixedHasher<F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hasher.fmt(f)
    }
}

#[cfg(feature = "std")]
impl<F: Function, const N: usize> std::io::Write for FixedHasher<F, N> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.hasher.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "zeroize")]
impl<F, const N: usize> zeroize::ZeroizeOnDrop for FixedHasher<F, N> {}

/// One message in progress under a key: the authentication tags of keyed BLAKE2 and BLAKE3.
///
/// Holds the key until dropped. It panics as [`FixedHasher`] does.
///
/// ```
/// use finalist::Blake2sMac;
/// let mut mac = Blake2sMac::<16>::new(b"secret")?;
/// mac.update("text");
/// let tag = mac.finalize();
/// // In constant time:
/// assert!(tag != [0; 16]);
/// # Ok::<(), finalist::Error>(())
/// ```
pub struct MacHasher<F, const N: usize> {
    pub(crate) hasher: FixedHasher<F, N>,
}

impl<F: Keyed, const N: usize> MacHasher<F, N> {
    /// Starts a message under a key of 1 to 64 (BLAKE2b and BLAKE2bp), 1 to 32 (BLAKE2s and BLAKE2sp)
    /// or exactly 32 bytes (BLAKE3).
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    ///
    /// ```
    /// use finalist::{Blake2bMac, Error};
    /// assert!(Blake2bMac::<32>::new(&[7; 64]).is_ok());
    /// assert_eq!(Blake2bMac::<32>::new(&[]).err(), Some(Error::KeyLength));
    /// ```
    pub fn new(key: &[u8]) -> Result<MacHasher<F, N>, Error> {
        MacHasher::with_params(&Params::new().key(key))
    }

    /// Starts a message under the parameters' key, with salt and personalisation.
    ///
    /// # Errors
    /// Those of [`FixedHasher::with_params`]; [`Error::KeyLength`] also without a key.
    ///
    /// ```
    /// use finalist::{Blake2bMac, Params};
    /// Blake2bMac::<32>::with_params(&Params::new().key(b"secret").personal(b"invoice"))?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn with_params(params: &Params<'_>) -> Result<MacHasher<F, N>, Error> {
        let hasher = FixedHasher::with_params(params)?;
        if !hasher.hasher.has_key() {
            return Err(Error::KeyLength);
        }
        Ok(MacHasher { hasher })
    }

    /// Appends bytes to the message.
    ///
    /// ```
    /// let mut mac = finalist::Blake2bMac::<64>::new(b"secret")?;
    /// mac.update("text").update([0, 1, 2]);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) -> &mut MacHasher<F, N> {
        self.hasher.update(bytes);
        self
    }

    /// Ends the message.
    ///
    /// ```
    /// use finalist::{Algorithm, Blake2bpMac, Params, hash};
    /// let tag = Blake2bpMac::<64>::new(b"secret")?.finalize();
    /// assert_eq!(tag.as_ref(), hash(Algorithm::Blake2bp, &Params::new().key(b"secret"), b"")?);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[must_use]
    pub fn finalize(self) -> Digest<N> {
        self.hasher.finalize()
    }

    /// Ends the message, and starts another under the same key.
    ///
    /// ```
    /// let mut mac = finalist::Blake2spMac::<32>::new(b"secret")?;
    /// let empty = mac.finalize_reset();
    /// assert_eq!(mac.finalize(), empty);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn finalize_reset(&mut self) -> Digest<N> {
        self.hasher.finalize_reset()
    }

    /// Starts the message again under the same key.
    ///
    /// ```
    /// let mut mac = finalist::Blake2bMac::<64>::new(b"secret")?;
    /// mac.update("no, wrong").reset();
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn reset(&mut self) {
        self.hasher.reset();
    }
}

/// The two messages then go on independently.
impl<F: Keyed, const N: usize> Clone for MacHasher<F, N> {
    fn clone(&self) -> MacHasher<F, N> {
        MacHasher {
            hasher: self.hasher.clone(),
        }
    }
}

/// Names the algorithm and nothing of key and message.
impl<F: Keyed, const N: usize> fmt::Debug for MacHasher<F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hasher.fmt(f)
    }
}

#[cfg(feature = "std")]
impl<F: Keyed, const N: usize> std::io::Write for MacHasher<F, N> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.hasher.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "zeroize")]
impl<F, const N: usize> zeroize::ZeroizeOnDrop for MacHasher<F, N> {}

/// Names functions, each with an example of its digest of the empty message.
macro_rules! names {
    ($($name:ident = $function:ident, $bytes:literal, $title:literal, $start:literal;)*) => {$(
        #[doc = concat!($title, ".")]
        ///
        /// ```
        #[doc = concat!("let digest = finalist::", stringify!($name), "::hash(\"\");")]
        #[doc = concat!("assert_eq!(&digest.to_string()[..8], \"", $start, "\");")]
        /// ```
        #[allow(non_camel_case_types)]
        pub type $name = FixedHasher<function::$function, $bytes>;
    )*};
}

names! {
    Blake224 = Blake224, 28, "BLAKE-224, SHA-3 final round", "7dc5313b";
    Blake256 = Blake256, 32, "BLAKE-256, SHA-3 final round", "716f6e86";
    Blake384 = Blake384, 48, "BLAKE-384, SHA-3 final round", "c6cbd89c";
    Blake512 = Blake512, 64, "BLAKE-512, SHA-3 final round", "a8cfbbd7";
    Blake28 = Blake28, 28, "BLAKE-28, first submission", "53f66333";
    Blake32 = Blake32, 32, "BLAKE-32, first submission", "73be7e1e";
    Blake48 = Blake48, 48, "BLAKE-48, first submission", "e0820c06";
    Blake64 = Blake64, 64, "BLAKE-64, first submission", "223d88a8";
    Blake2b160 = Blake2b, 20, "BLAKE2b with 20 bytes", "3345524a";
    Blake2b256 = Blake2b, 32, "BLAKE2b with 32 bytes", "0e5751c0";
    Blake2b384 = Blake2b, 48, "BLAKE2b with 48 bytes", "b3281142";
    Blake2b512 = Blake2b, 64, "BLAKE2b with 64 bytes", "786a02f7";
    Blake2s128 = Blake2s, 16, "BLAKE2s with 16 bytes", "64550d6f";
    Blake2s256 = Blake2s, 32, "BLAKE2s with 32 bytes", "69217a30";
    Groestl224 = Groestl224, 28, "Grøstl-224, SHA-3 final round", "f2e180fb";
    Groestl256 = Groestl256, 32, "Grøstl-256, SHA-3 final round", "1a52d11d";
    Groestl384 = Groestl384, 48, "Grøstl-384, SHA-3 final round", "ac353c10";
    Groestl512 = Groestl512, 64, "Grøstl-512, SHA-3 final round", "6d3ad29d";
    Groestl0_224 = Groestl0_224, 28, "Grøstl-224, first submission", "07f3750f";
    Groestl0_256 = Groestl0_256, 32, "Grøstl-256, first submission", "6c462dc6";
    Groestl0_384 = Groestl0_384, 48, "Grøstl-384, first submission", "7dbc0745";
    Groestl0_512 = Groestl0_512, 64, "Grøstl-512, first submission", "a94b5251";
    Blake3 = Blake3, 32, "BLAKE3 with 32 bytes", "af1349b9";
}

/// Keyed BLAKE3 with tags of 32 bytes.
///
/// ```
/// use finalist::{Blake3Mac, Error};
/// let mut mac = Blake3Mac::new(b"whats the Elvish word for friend")?;
/// let tag = mac.update("message").finalize_reset();
/// assert_eq!(Blake3Mac::new(b"secret").err(), Some(Error::KeyLength));
/// # Ok::<(), finalist::Error>(())
/// ```
pub type Blake3Mac = MacHasher<function::Blake3, 32>;

/// Names the functions of BLAKE2 with any digest length, and keyed.
macro_rules! names_of_any_length {
    ($($name:ident, $mac:ident, $title:literal, $max:literal;)*) => {$(
        #[doc = concat!($title, " with digests of `N` bytes, 1 to ", $max, ".")]
        ///
        /// ```
        #[doc = concat!("let digest = finalist::", stringify!($name), "::<24>::hash(\"message\");")]
        /// assert_eq!(digest.as_bytes().len(), 24);
        /// ```
        pub type $name<const N: usize> = FixedHasher<function::$name, N>;

        #[doc = concat!("Keyed ", $title, " with tags of `N` bytes, 1 to ", $max, ".")]
        ///
        /// ```
        #[doc = concat!("let mut mac = finalist::", stringify!($mac), "::<16>::new(b\"secret\")?;")]
        /// let tag = mac.update("message").finalize_reset();
        /// # Ok::<(), finalist::Error>(())
        /// ```
        pub type $mac<const N: usize> = MacHasher<function::$name, N>;
    )*};
}

names_of_any_length! {
    Blake2b, Blake2bMac, "BLAKE2b", "64";
    Blake2s, Blake2sMac, "BLAKE2s", "32";
    Blake2bp, Blake2bpMac, "BLAKE2bp", "64";
    Blake2sp, Blake2spMac, "BLAKE2sp", "32";
}
