// SPDX-License-Identifier: MIT OR Apache-2.0
//! BLAKE2X and BLAKE3 as hashers, and a reader of their output.

use core::fmt;
use core::marker::PhantomData;

use crate::fixed::expected;
use crate::function::{self, Extendable};
use crate::{Algorithm, Error, Hasher, Params};

/// One message in progress, with output of any length: [`Blake2xb`] and [`Blake2xs`], and BLAKE3,
/// whose [`FixedHasher`](crate::FixedHasher) gives the same output.
///
/// Wiped when dropped. It panics as [`FixedHasher`](crate::FixedHasher) does.
///
/// ```
/// use finalist::Blake2xb;
/// let mut hasher = Blake2xb::new();
/// hasher.update("seed");
/// let mut stream = hasher.finalize_xof();
/// let mut first = [0; 1000];
/// stream.fill(&mut first)?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub struct XofHasher<F> {
    hasher: Hasher,
    function: PhantomData<F>,
}

impl<F: Extendable> XofHasher<F> {
    /// Starts a message of the plain function, with output of a length that is not known in
    /// advance.
    ///
    /// ```
    /// let hasher = finalist::Blake2xs::new();
    /// ```
    #[must_use]
    pub fn new() -> XofHasher<F> {
        expected(XofHasher::with_params(&Params::new()))
    }

    /// Starts a message with a key, salt, personalisation or derive-key context. A digest length of 0
    /// means one that is not known in advance; any other gives other output of BLAKE2X, and the same
    /// of BLAKE3.
    ///
    /// # Errors
    /// Those of [`Hasher::new`].
    ///
    /// ```
    /// use finalist::{Blake2xb, Params};
    /// let known = Blake2xb::with_params(&Params::new().digest_bytes(1000))?;
    /// assert_eq!(known.finalize_xof().total_bytes(), 1000);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn with_params(params: &Params<'_>) -> Result<XofHasher<F>, Error> {
        let params = params.or_unknown_length();
        let hasher = Hasher::new(F::ALGORITHM, &params)?;
        Ok(XofHasher::from_hasher(hasher))
    }

    pub(crate) fn from_hasher(hasher: Hasher) -> XofHasher<F> {
        XofHasher {
            hasher,
            function: PhantomData,
        }
    }

    /// Appends bytes to the message.
    ///
    /// ```
    /// let mut hasher = finalist::Blake2xb::new();
    /// hasher.update("text").update([0, 1, 2]);
    /// ```
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) -> &mut XofHasher<F> {
        expected(self.hasher.update(bytes.as_ref()));
        self
    }

    /// Ends the message.
    ///
    /// ```
    /// let mut key = [0; 48];
    /// finalist::Blake2xs::new().finalize_xof().fill(&mut key)?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[must_use]
    pub fn finalize_xof(mut self) -> OutputReader {
        expected(self.hasher.squeeze(&mut []));
        OutputReader {
            hasher: self.hasher,
        }
    }

    /// Ends the message, and starts another with the same parameters.
    ///
    /// ```
    /// let mut hasher = finalist::Blake2xb::new();
    /// let mut output = hasher.finalize_xof_reset();
    /// ```
    #[must_use]
    pub fn finalize_xof_reset(&mut self) -> OutputReader {
        let reader = self.clone().finalize_xof();
        self.reset();
        reader
    }

    /// Goes back to the state after [`new`](XofHasher::new) or
    /// [`with_params`](XofHasher::with_params).
    ///
    /// ```
    /// let mut hasher = finalist::Blake2xb::new();
    /// hasher.update("no, wrong").reset();
    /// ```
    pub fn reset(&mut self) {
        expected(self.hasher.reset());
    }
}

impl<F: Extendable> Default for XofHasher<F> {
    fn default() -> XofHasher<F> {
        XofHasher::new()
    }
}

/// The two messages then go on independently.
impl<F: Extendable> Clone for XofHasher<F> {
    fn clone(&self) -> XofHasher<F> {
        XofHasher::from_hasher(self.hasher.clone())
    }
}

/// Names the algorithm and nothing of the message.
impl<F: Extendable> fmt::Debug for XofHasher<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hasher.fmt(f)
    }
}

#[cfg(feature = "std")]
impl<F: Extendable> std::io::Write for XofHasher<F> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.hasher.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "zeroize")]
impl<F> zeroize::ZeroizeOnDrop for XofHasher<F> {}

/// The output of BLAKE2X or BLAKE3. Every part of it is computed alone. With `std` it has
/// `std::io::Read` and `std::io::Seek`. Wiped when dropped.
///
/// ```
/// use std::io::{Read, Seek, SeekFrom};
/// let mut output = finalist::Blake2xb::new().finalize_xof();
/// let mut all = [0; 200];
/// output.read_exact(&mut all)?;
/// output.seek(SeekFrom::Start(150))?;
/// let mut part = [0; 50];
/// output.read_exact(&mut part)?;
/// assert_eq!(all[150..], part);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct OutputReader {
    hasher: Hasher,
}

impl OutputReader {
    /// Fills `out` with the output's next bytes.
    ///
    /// # Errors
    /// [`Error::OutputLength`] if the output is shorter.
    ///
    /// ```
    /// let mut output = finalist::Blake2xb::new().finalize_xof();
    /// output.fill(&mut [0; 100])?;
    /// assert_eq!(output.position(), 100);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.hasher.squeeze(out)
    }

    /// Returns the number of bytes before the next one.
    ///
    /// ```
    /// assert_eq!(finalist::Blake2xb::new().finalize_xof().position(), 0);
    /// ```
    #[must_use]
    pub fn position(&self) -> u64 {
        self.hasher.output_position()
    }

    /// Goes to another position of the output, at no cost.
    ///
    /// # Errors
    /// [`Error::OutputLength`] beyond the end.
    ///
    /// ```
    /// let mut output = finalist::Blake2xb::new().finalize_xof();
    /// output.set_position(1 << 37)?;
    /// output.fill(&mut [0; 64])?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn set_position(&mut self, position: u64) -> Result<(), Error> {
        self.hasher.seek(position)
    }

    /// Returns the length of the whole output: of BLAKE3 2^64 - 1 bytes; of BLAKE2X 2^38 (Xb) or
    /// 2^37 (Xs) if it was not known in advance.
    ///
    /// ```
    /// assert_eq!(finalist::Blake2xb::new().finalize_xof().total_bytes(), 1 << 38);
    /// ```
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        let algorithm = self.hasher.algorithm();
        // A digest's length does not end the output.
        if algorithm == Algorithm::Blake3 {
            return u64::MAX;
        }
        // Output nodes have 32-bit numbers, and digests of the compression function's length.
        let node_bytes = u64::from(algorithm.description().digest_bytes);
        self.hasher.digest_bytes().unwrap_or(node_bytes << 32)
    }
}

/// Names the algorithm and nothing of the output.
impl fmt::Debug for OutputReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputReader")
            .field("algorithm", &self.hasher.algorithm())
            .field("position", &self.position())
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for OutputReader {}

#[cfg(feature = "std")]
impl std::io::Read for OutputReader {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let left = self.total_bytes() - self.position();
        let count = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        self.fill(&mut out[..count])
            .map_err(std::io::Error::other)?;
        Ok(count)
    }
}

/// A position before the beginning or beyond the end is an error.
#[cfg(feature = "std")]
impl std::io::Seek for OutputReader {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        let position = match to {
            std::io::SeekFrom::Start(position) => Some(position),
            std::io::SeekFrom::End(offset) => self.total_bytes().checked_add_signed(offset),
            std::io::SeekFrom::Current(offset) => self.position().checked_add_signed(offset),
        };
        let moved = position.ok_or(Error::OutputLength);
        moved
            .and_then(|position| self.set_position(position))
            .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidInput, error))?;
        Ok(self.position())
    }
}

/// BLAKE2Xb, the faster one on 64-bit CPUs.
///
/// ```
/// use std::io::Read;
/// let mut nonces = finalist::Blake2xb::new().finalize_xof();
/// let mut nonce = [0; 24];
/// nonces.read_exact(&mut nonce)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub type Blake2xb = XofHasher<function::Blake2xb>;

/// BLAKE2Xs.
///
/// ```
/// let mut hasher = finalist::Blake2xs::new();
/// hasher.update("seed").finalize_xof_reset().fill(&mut [0; 100])?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub type Blake2xs = XofHasher<function::Blake2xs>;
