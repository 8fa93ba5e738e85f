// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages in progress and whole messages.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt;
use core::mem::{ManuallyDrop, MaybeUninit, offset_of};
#[cfg(feature = "std")]
use std::io;

use finalist_sys as sys;

#[cfg(feature = "alloc")]
use crate::zeroed::zeroed;
use crate::{Algorithm, Error, Params};

/// No midstate is longer, in bytes.
///
/// ```
/// use finalist::{Algorithm, Hasher, MIDSTATE_BYTES_MAX, Params};
/// let hasher = Hasher::new(Algorithm::Blake2bp, &Params::new())?;
/// assert!(hasher.save()?.len() <= MIDSTATE_BYTES_MAX);
/// # Ok::<(), finalist::Error>(())
/// ```
pub const MIDSTATE_BYTES_MAX: usize = sys::FIN_MIDSTATE_BYTES_MAX;

/// The flag of BLAKE3's keyed mode (BLAKE3 paper, table 3).
const BLAKE3_KEYED_HASH: u8 = 16;

/// A message in progress. Some 3 KiB of plain data, without allocations; wiped when dropped.
///
/// Moving a hasher copies its bytes and may leave the old ones behind: make the hasher of a keyed
/// message where it stays (`Hasher::new_boxed`) if that matters.
///
/// ```
/// use finalist::{Algorithm, Hasher, Params};
/// let mut hasher = Hasher::new(Algorithm::Groestl256, &Params::new())?;
/// std::io::copy(&mut &b"any reader"[..], &mut hasher)?;
/// let digest = hasher.finalize()?;
/// assert_eq!(digest.len(), 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Hasher {
    context: Context,
}

/// Words of a context before its buffer.
const HEAD_WORDS: usize = offset_of!(sys::fin_context, buffer) / 8;

/// The memory of a [`sys::fin_context`]. Only what the library has set is read: zeroing and moving
/// 3 KiB takes as long as hashing a short message.
#[derive(Clone, Copy)]
#[repr(C)]
struct Context {
    head: MaybeUninit<[u64; HEAD_WORDS]>,
    /// The buffer and the chaining values after it.
    rest: MaybeUninit<[u64; size_of::<sys::fin_context>() / 8 - HEAD_WORDS]>,
}

const _: () = assert!(
    offset_of!(Context, rest) == offset_of!(sys::fin_context, buffer)
        && size_of::<Context>() == size_of::<sys::fin_context>()
        && align_of::<Context>() == align_of::<sys::fin_context>()
);

impl Hasher {
    /// Starts a message.
    ///
    /// # Errors
    /// [`Error::DigestLength`], [`Error::KeyLength`], [`Error::SaltLength`],
    /// [`Error::PersonalLength`], [`Error::TreeMode`] for parameters that the algorithm does not take;
    /// [`Error::Environment`] and similar errors, see [`check_environment`](crate::check_environment).
    // Inlined: otherwise the caller moves all of it out of the result.
    #[inline]
    pub fn new(algorithm: Algorithm, params: &Params<'_>) -> Result<Hasher, Error> {
        let mut hasher = Hasher::without_message();
        hasher.start(algorithm, params)?;
        // fin_init sets more than the head for a key's block, and for leaves.
        if params.has_key() || is_striped(algorithm) {
            return Ok(hasher);
        }
        let head = ManuallyDrop::new(hasher).context.head;
        let rest = MaybeUninit::uninit();
        Ok(Hasher {
            context: Context { head, rest },
        })
    }

    /// A hasher that must [`start`](Hasher::start) before anything else.
    #[inline]
    pub(crate) const fn without_message() -> Hasher {
        Hasher {
            context: Context {
                head: MaybeUninit::uninit(),
                rest: MaybeUninit::uninit(),
            },
        }
    }

    #[inline]
    pub(crate) const fn context(&self) -> *const sys::fin_context {
        (&raw const self.context).cast()
    }

    #[inline]
    pub(crate) const fn context_mut(&mut self) -> *mut sys::fin_context {
        (&raw mut self.context).cast()
    }

    /// Starts a message in place: moving a hasher takes longer than many a message.
    ///
    /// # Errors
    /// Those of [`new`](Hasher::new).
    pub(crate) fn start(&mut self, algorithm: Algorithm, params: &Params<'_>) -> Result<(), Error> {
        // SAFETY: `params` lives for the call; the call writes to the context only.
        Error::check(params.with_c(|params| unsafe {
            sys::fin_init(self.context_mut(), algorithm.number(), params)
        }))
    }

    /// Returns the algorithm that the hasher was started with.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let hasher = Hasher::new(Algorithm::Blake64, &Params::new())?;
    /// assert_eq!(hasher.algorithm(), Algorithm::Blake64);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn algorithm(&self) -> Algorithm {
        // SAFETY: the library has set the field.
        let number = unsafe { (*self.context()).algorithm };
        Algorithm::from_number(number.into())
            .expect("a hasher is made by the library, from an algorithm of this crate")
    }

    /// Returns the digest's length; `None` for output of unknown length (BLAKE2X and BLAKE3).
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let hasher = Hasher::new(Algorithm::Blake2b, &Params::new().digest_bytes(20))?;
    /// assert_eq!(hasher.digest_bytes(), Some(20));
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn digest_bytes(&self) -> Option<u64> {
        // SAFETY: the library has set the field.
        let bytes = unsafe { (*self.context()).digest_bytes };
        Some(bytes).filter(|&bytes| bytes != sys::FIN_XOF_UNKNOWN)
    }

    /// True if the message has a key, even one that was wiped.
    pub(crate) fn has_key(&self) -> bool {
        let algorithm = self.algorithm();
        // SAFETY: the library has set the byte of an algorithm that takes a key.
        let parameter = |index: usize| unsafe { (*self.context()).parameter_block[index] };
        // The first byte is the mode, which is neither 0 nor this one for key derivation.
        if algorithm == Algorithm::Blake3 {
            return parameter(0) == BLAKE3_KEYED_HASH;
        }
        algorithm.description().key_bytes_max != 0 && parameter(1) != 0
    }

    /// Bytes of the output before the next one.
    pub(crate) fn output_position(&self) -> u64 {
        // SAFETY: the library has set the field.
        unsafe { (*self.context()).squeezed_bytes }
    }

    /// Appends bytes to the message.
    ///
    /// # Errors
    /// [`Error::State`] if the digest was already taken; [`Error::MessageLength`] past the
    /// algorithm's length counter.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let mut hasher = Hasher::new(Algorithm::Blake2b, &Params::new())?;
    /// hasher.update(b"mes")?;
    /// hasher.update(b"sage")?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn update(&mut self, bytes: &[u8]) -> Result<(), Error> {
        // SAFETY: pointer and length of one slice.
        Error::check(unsafe {
            sys::fin_update(self.context_mut(), bytes.as_ptr().cast(), bytes.len())
        })
    }

    /// Appends bytes as [`update`](Hasher::update) does, with the leaves of BLAKE2bp and BLAKE2sp
    /// or subtrees of BLAKE3 hashed by the threads of the current rayon pool where that is faster.
    /// The digest is the same for any number of them. Other algorithms use one thread.
    ///
    /// A thread advances as many leaves as its vector registers have lanes in the time of one. So
    /// each thread gets a group of that size, or one leaf if there is a thread for each.
    ///
    /// # Errors
    /// Those of [`update`](Hasher::update).
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let mut hasher = Hasher::new(Algorithm::Blake2bp, &Params::new())?;
    /// hasher.update_parallel(&vec![7; 1_000_000])?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[cfg(feature = "rayon")]
    pub fn update_parallel(&mut self, bytes: &[u8]) -> Result<(), Error> {
        crate::parallel::update(self, bytes)
    }

    /// Appends bytes as `update_parallel` of the feature `rayon` does, by `threads` threads: this
    /// one, and others that are started for the call if there are at least 1 MiB.
    ///
    /// # Errors
    /// Those of [`update`](Hasher::update).
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let mut hasher = Hasher::new(Algorithm::Blake2sp, &Params::new())?;
    /// hasher.update_in_threads(&vec![7; 2_000_000], 2)?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn update_in_threads(&mut self, bytes: &[u8], threads: usize) -> Result<(), Error> {
        crate::parallel::update_in_threads(self, bytes, threads)
    }

    /// Ends the message and returns the digest. What follows is [`reset`](Hasher::reset) or drop.
    ///
    /// # Errors
    /// [`Error::State`] if the digest was already taken; [`Error::OutputLength`] for output of unknown
    /// length, and for a digest that memory cannot hold.
    ///
    /// ```
    /// use finalist::{Algorithm, Error, Hasher, Params};
    /// let mut hasher = Hasher::new(Algorithm::Groestl224, &Params::new())?;
    /// assert_eq!(hasher.finalize()?.len(), 28);
    /// assert_eq!(hasher.finalize(), Err(Error::State));
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn finalize(&mut self) -> Result<Vec<u8>, Error> {
        self.finalize_bits(0, 0)
    }

    /// Ends the message and writes the digest to a buffer of at least its length. Returns the
    /// length written. Output of unknown length fills the buffer.
    ///
    /// # Errors
    /// [`Error::State`]; [`Error::OutputLength`] if the buffer is too short.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let mut digest = [0; 64];
    /// let mut hasher = Hasher::new(Algorithm::Blake2s, &Params::new())?;
    /// assert_eq!(hasher.finalize_into(&mut digest)?, 32);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn finalize_into(&mut self, digest: &mut [u8]) -> Result<usize, Error> {
        let length = self
            .digest_bytes()
            .map_or(digest.len(), |bytes| bytes as usize);
        // SAFETY: pointer and length of one slice.
        Error::check(unsafe {
            sys::fin_final(self.context_mut(), digest.as_mut_ptr(), digest.len())
        })?;
        Ok(length)
    }

    /// Ends the message as [`finalize`](Hasher::finalize) does, after appending `bit_count` bits (0
    /// to 7): the most significant ones of `last_bits`. BLAKE and Grøstl only.
    ///
    /// # Errors
    /// [`Error::Bits`] for more than seven bits, or any with BLAKE2 or BLAKE3; and those of
    /// `finalize`.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params, hash_bits};
    /// let mut hasher = Hasher::new(Algorithm::Groestl256, &Params::new())?;
    /// hasher.update(b"a")?;
    /// let digest = hasher.finalize_bits(0b1010_0000, 3)?;
    /// assert_eq!(digest, hash_bits(Algorithm::Groestl256, &Params::new(), &[b'a', 0xa0], 11)?);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn finalize_bits(&mut self, last_bits: u8, bit_count: u32) -> Result<Vec<u8>, Error> {
        let bytes = self.digest_bytes().ok_or(Error::OutputLength)?;
        let mut digest = zeroed(1, usize::try_from(bytes).map_err(|_| Error::OutputLength)?)?;
        // SAFETY: pointer and length of one vector.
        Error::check(unsafe {
            sys::fin_final_bits(
                self.context_mut(),
                last_bits,
                bit_count,
                digest.as_mut_ptr(),
                digest.len(),
            )
        })?;
        Ok(digest)
    }

    /// Fills `out` with the next bytes of the output: BLAKE2X and BLAKE3 only. The first call ends
    /// the message. Call it as often as you like.
    ///
    /// # Errors
    /// [`Error::Algorithm`] for another algorithm; [`Error::OutputLength`] past the length that
    /// [`new`](Hasher::new) was given for BLAKE2X.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let mut hasher = Hasher::new(Algorithm::Blake2xb, &Params::new().unknown_length())?;
    /// hasher.update(b"seed")?;
    /// let mut stream = [0; 1000];
    /// hasher.squeeze(&mut stream[..100])?;
    /// hasher.squeeze(&mut stream[100..])?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn squeeze(&mut self, out: &mut [u8]) -> Result<(), Error> {
        // SAFETY: pointer and length of one slice.
        Error::check(unsafe { sys::fin_squeeze(self.context_mut(), out.as_mut_ptr(), out.len()) })
    }

    /// Sets the position in the output, BLAKE2X and BLAKE3 only: the next
    /// [`squeeze`](Hasher::squeeze) begins with this byte. Ends the message, too.
    ///
    /// # Errors
    /// [`Error::Algorithm`] for another algorithm; [`Error::OutputLength`] past the output's end.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params, hash};
    /// let mut hasher = Hasher::new(Algorithm::Blake3, &Params::new())?;
    /// hasher.update(b"seed")?;
    /// let mut part = [0; 16];
    /// hasher.seek(16)?;
    /// hasher.squeeze(&mut part)?;
    /// assert_eq!(part, hash(Algorithm::Blake3, &Params::new(), b"seed")?[16..]);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn seek(&mut self, position: u64) -> Result<(), Error> {
        // SAFETY: the context is initialised, as every hasher's.
        Error::check(unsafe { sys::fin_seek(self.context_mut(), position) })
    }

    /// Starts a new message with the parameters of [`new`](Hasher::new).
    ///
    /// # Errors
    /// [`Error::KeyWiped`]: taking the digest wipes the key, and a midstate does not hold it.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let mut hasher = Hasher::new(Algorithm::Blake2sp, &Params::new())?;
    /// let empty = hasher.finalize()?;
    /// hasher.reset()?;
    /// assert_eq!(hasher.finalize()?, empty);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn reset(&mut self) -> Result<(), Error> {
        // SAFETY: the context is initialised, as every hasher's.
        Error::check(unsafe { sys::fin_reset(self.context_mut()) })
    }

    /// Returns the message in progress as bytes, which any machine with this or a later version of
    /// the library can restore. Guard the midstate of a keyed message like the key: it contains
    /// key-derived state, and that of BLAKE3 the key itself.
    ///
    /// # Errors
    /// [`Error::State`] if the digest was already taken.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let mut first = Hasher::new(Algorithm::Blake256, &Params::new())?;
    /// first.update(b"common prefix")?;
    /// let mut second = Hasher::restore(&first.save()?)?;
    /// assert_eq!(first.finalize()?, second.finalize()?);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn save(&self) -> Result<Vec<u8>, Error> {
        let mut midstate = vec![0; MIDSTATE_BYTES_MAX];
        let bytes = self.save_into(&mut midstate)?;
        midstate.truncate(bytes);
        Ok(midstate)
    }

    /// Writes the bytes of [`save`](Hasher::save) to a buffer; [`MIDSTATE_BYTES_MAX`] bytes are
    /// always enough. Returns the midstate's length.
    ///
    /// # Errors
    /// [`Error::State`]; [`Error::OutputLength`] if the buffer is too short.
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, MIDSTATE_BYTES_MAX, Params};
    /// let hasher = Hasher::new(Algorithm::Blake256, &Params::new())?;
    /// let mut midstate = [0; MIDSTATE_BYTES_MAX];
    /// let bytes = hasher.save_into(&mut midstate)?;
    /// Hasher::restore(&midstate[..bytes])?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn save_into(&self, midstate: &mut [u8]) -> Result<usize, Error> {
        let mut bytes = midstate.len();
        // SAFETY: pointer and length of one slice, and memory for the length used.
        Error::check(unsafe { sys::fin_save(self.context(), midstate.as_mut_ptr(), &mut bytes) })?;
        Ok(bytes)
    }

    /// Makes a hasher that goes on where [`save`](Hasher::save) was called.
    ///
    /// # Errors
    /// [`Error::Midstate`] for bytes that `save` did not write.
    ///
    /// ```
    /// use finalist::{Error, Hasher};
    /// assert_eq!(Hasher::restore(b"no midstate").err(), Some(Error::Midstate));
    /// ```
    pub fn restore(midstate: &[u8]) -> Result<Hasher, Error> {
        let mut hasher = Hasher::without_message();
        // SAFETY: pointer and length of one slice; the call writes to the context only.
        Error::check(unsafe {
            sys::fin_restore(hasher.context_mut(), midstate.as_ptr(), midstate.len())
        })?;
        Ok(hasher)
    }
}

/// True for the algorithms whose leaves have states of their own from the beginning.
fn is_striped(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Blake2bp | Algorithm::Blake2sp)
}

/// The two messages then go on independently.
impl Clone for Hasher {
    fn clone(&self) -> Hasher {
        Hasher {
            context: self.context,
        }
    }
}

impl Drop for Hasher {
    fn drop(&mut self) {
        // SAFETY: the context is valid to write and not used again.
        unsafe { sys::fin_wipe(self.context_mut()) }
    }
}

/// Names the algorithm and nothing of the message.
impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher")
            .field("algorithm", &self.algorithm())
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Hasher {}

#[cfg(feature = "std")]
impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the digest of a whole message.
///
/// # Errors
/// Those of [`Hasher::new`]; [`Error::OutputLength`] for output of unknown length, and for a digest
/// that memory cannot hold.
///
/// ```
/// use finalist::{Algorithm, Params, hash};
/// let digest = hash(Algorithm::Blake2s, &Params::new(), b"abc")?;
/// assert_eq!(digest[..4], [0x50, 0x8c, 0x5e, 0x8c]);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn hash(algorithm: Algorithm, params: &Params<'_>, message: &[u8]) -> Result<Vec<u8>, Error> {
    let mut digest = zeroed(1, params.digest_length(algorithm)?)?;
    hash_into(algorithm, params, message, &mut digest)?;
    Ok(digest)
}

/// Writes the digest of a whole message to a buffer of at least its length, without allocating.
/// Output of unknown length fills the buffer.
///
/// # Errors
/// Those of [`Hasher::new`]; [`Error::OutputLength`] if the buffer is too short.
///
/// ```
/// use finalist::{Algorithm, Params, hash_into};
/// let mut digest = [0; 48];
/// hash_into(Algorithm::Groestl384, &Params::new(), b"abc", &mut digest)?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn hash_into(
    algorithm: Algorithm,
    params: &Params<'_>,
    message: &[u8],
    digest: &mut [u8],
) -> Result<(), Error> {
    // SAFETY: pointers with the lengths of their slices.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_hash(
            algorithm.number(),
            params,
            message.as_ptr().cast(),
            message.len(),
            digest.as_mut_ptr(),
            digest.len(),
        )
    }))
}

/// Returns the digest of a message of `bits` bits, the first in the most significant bit of
/// `message[0]`. BLAKE and Grøstl; BLAKE2 and BLAKE3 take multiples of eight.
///
/// # Errors
/// Those of [`hash`]; [`Error::Bits`] for BLAKE2 and BLAKE3 and a length that is not whole bytes;
/// [`Error::Null`] if `message` is shorter than `bits`.
///
/// ```
/// use finalist::{Algorithm, Params, hash, hash_bits};
/// let whole = hash_bits(Algorithm::Groestl256, &Params::new(), b"abc", 24)?;
/// assert_eq!(whole, hash(Algorithm::Groestl256, &Params::new(), b"abc")?);
/// assert_ne!(whole, hash_bits(Algorithm::Groestl256, &Params::new(), b"abc", 23)?);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn hash_bits(
    algorithm: Algorithm,
    params: &Params<'_>,
    message: &[u8],
    bits: u64,
) -> Result<Vec<u8>, Error> {
    if bits.div_ceil(8) > message.len() as u64 {
        return Err(Error::Null);
    }
    let mut digest = zeroed(1, params.digest_length(algorithm)?)?;
    // SAFETY: pointers with the lengths of their slices; `message` holds all the bits.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_hash_bits(
            algorithm.number(),
            params,
            message.as_ptr().cast(),
            bits,
            digest.as_mut_ptr(),
            digest.len(),
        )
    }))?;
    Ok(digest)
}
