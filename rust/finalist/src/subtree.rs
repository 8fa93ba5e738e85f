// SPDX-License-Identifier: MIT OR Apache-2.0
//! Subtrees of one BLAKE3 message, computed apart from it.

use finalist_sys as sys;

use crate::{Error, Hasher, Params};

/// Length of a chaining value in bytes.
const CV_BYTES: usize = 32;

/// Returns the chaining value of a subtree of a BLAKE3 message: of `bytes`, which begin with chunk
/// `first_chunk`. A chunk has 1024 bytes, the message's last one excepted.
///
/// Threads that read different parts of a file hash them so, and
/// [`append_subtree`](Hasher::append_subtree) joins the parts in order. The message has more than
/// one chunk. Of the parameters the key or its context is used.
///
/// # Errors
/// [`Error::Index`] if no tree has such a subtree: `bytes` is empty, or `first_chunk` no multiple of
/// the smallest power of two of chunks that holds them; [`Error::KeyLength`] and others of
/// [`Hasher::new`].
///
/// ```
/// use finalist::{Algorithm, Hasher, Params, blake3_subtree_cv, hash};
/// let (params, message) = (Params::new(), [7; 8 * 1024]);
/// let mut hasher = Hasher::new(Algorithm::Blake3, &params)?;
/// hasher.update(&message[..4 * 1024])?;
/// hasher.append_subtree(&blake3_subtree_cv(&params, &message[4 * 1024..], 4)?, 4)?;
/// assert_eq!(hasher.finalize()?, hash(Algorithm::Blake3, &params, &message)?);
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn blake3_subtree_cv(
    params: &Params<'_>,
    bytes: &[u8],
    first_chunk: u64,
) -> Result<[u8; CV_BYTES], Error> {
    let mut cv = [0; CV_BYTES];
    let input = bytes.as_ptr().cast();
    // SAFETY: pointer and length of one slice, and the output has 32 bytes.
    let status = params
        .digest_bytes(CV_BYTES as u64)
        .with_c(|params| unsafe {
            sys::fin_blake3_subtree_cv(cv.as_mut_ptr(), params, input, bytes.len(), first_chunk)
        });
    Error::check(status).map(|()| cv)
}

impl Hasher {
    /// Appends `chunks` whole chunks of 1024 bytes to a BLAKE3 message by the chaining value of
    /// their subtree, which [`blake3_subtree_cv`] returns for the parameters of the hasher.
    ///
    /// # Errors
    /// [`Error::Index`] unless `chunks` is a power of two that divides the number of chunks before,
    /// which is not 0; [`Error::State`] if the bytes before end within a chunk or the digest was
    /// already taken; [`Error::Algorithm`] for other algorithms; [`Error::MessageLength`].
    ///
    /// ```
    /// use finalist::{Algorithm, Error, Hasher, Params};
    /// let mut hasher = Hasher::new(Algorithm::Blake3, &Params::new())?;
    /// hasher.update(&[7; 3 * 1024])?;
    /// assert_eq!(hasher.append_subtree(&[0; 32], 2), Err(Error::Index));
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn append_subtree(&mut self, cv: &[u8; CV_BYTES], chunks: u64) -> Result<(), Error> {
        // SAFETY: the context is initialised, as every hasher's, and a chaining value has 32 bytes.
        Error::check(unsafe { sys::fin_blake3_append(self.context_mut(), cv.as_ptr(), chunks) })
    }
}
