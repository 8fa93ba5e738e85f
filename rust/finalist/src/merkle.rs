// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merkle trees of RFC 6962 and RFC 9162, section 2.1 of both, over any algorithm.
//!
//! A leaf's hash is that of the byte 00 and the leaf. An inner node's is that of the byte 01 and
//! its two children's hashes. The left subtree of n leaves has as many as the largest power of two
//! below n. The root of a tree without leaves is the hash of the empty message.
//!
//! The parameters apply to every hash of a tree: key, salt, personalisation, and a digest length up
//! to 64 bytes. Slices of hashes have no gaps; each hash is as long as the digest.
//!
//! ```
//! use finalist::{Algorithm, Params, merkle};
//! let (algorithm, params) = (Algorithm::Blake2s, Params::new());
//! let hashes = merkle::leaf_hashes(algorithm, &params, &["one", "two", "three"])?;
//! let root = merkle::root(algorithm, &params, &hashes)?;
//!
//! let proof = merkle::inclusion(algorithm, &params, &hashes, 1)?;
//! let leaf = merkle::leaf_hashes(algorithm, &params, &["two"])?;
//! merkle::verify_inclusion(algorithm, &params, &leaf, 1, 3, &proof, &root)?;
//! # Ok::<(), finalist::Error>(())
//! ```

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt;
use core::mem::MaybeUninit;

use finalist_sys as sys;

mod proof;

#[cfg(feature = "alloc")]
pub use proof::{consistency, inclusion};
pub use proof::{verify_consistency, verify_inclusion};

#[cfg(feature = "alloc")]
use crate::many::descriptors;
#[cfg(feature = "alloc")]
use crate::zeroed::zeroed;
use crate::{Algorithm, Error, Params};

/// Longest hash of a tree in bytes.
///
/// ```
/// let mut root = [0; finalist::merkle::HASH_BYTES_MAX];
/// ```
pub const HASH_BYTES_MAX: usize = sys::FIN_MERKLE_HASH_BYTES_MAX;
/// The most hashes that a proof can have.
///
/// ```
/// use finalist::merkle::{HASH_BYTES_MAX, PROOF_MAX};
/// assert_eq!(PROOF_MAX * HASH_BYTES_MAX, 4160, "bytes of the longest proof");
/// ```
pub const PROOF_MAX: usize = sys::FIN_MERKLE_PROOF_MAX;

/// Returns the hashes of leaves, one after the other; many at a time as in
/// [`hash_many`](crate::hash_many).
///
/// # Errors
/// Those of [`Tree::new`]; [`Error::MessageLength`].
///
/// ```
/// use finalist::{Algorithm, Params, merkle};
/// let hashes = merkle::leaf_hashes(Algorithm::Blake2s, &Params::new(), &["one", "two"])?;
/// assert_eq!(hashes.len(), 2 * 32);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn leaf_hashes<M: AsRef<[u8]>>(
    algorithm: Algorithm,
    params: &Params<'_>,
    leaves: &[M],
) -> Result<Vec<u8>, Error> {
    let mut hashes = zeroed(leaves.len(), hash_length(algorithm, params)?)?;
    // SAFETY: each leaf has the pointer and length of a slice that outlives the call, and there is
    // space for a hash for each.
    unsafe { fill(algorithm, params, &descriptors(leaves), &mut hashes)? };
    Ok(hashes)
}

/// Hashes leaves as [`leaf_hashes`] does, by the threads of the current rayon pool. The hashes are
/// the same for any number of them.
///
/// # Errors
/// Those of [`leaf_hashes`].
///
/// ```
/// use finalist::{Algorithm, Params, merkle};
/// let (params, leaves) = (Params::new(), vec![[7; 4096]; 100]);
/// let hashes = merkle::leaf_hashes_parallel(Algorithm::Blake2b, &params, &leaves)?;
/// assert_eq!(hashes, merkle::leaf_hashes(Algorithm::Blake2b, &params, &leaves)?);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "rayon")]
pub fn leaf_hashes_parallel<M: AsRef<[u8]> + Sync>(
    algorithm: Algorithm,
    params: &Params<'_>,
    leaves: &[M],
) -> Result<Vec<u8>, Error> {
    let mut hashes = zeroed(leaves.len(), hash_length(algorithm, params)?)?;
    crate::parts::hash_messages(leaves, &mut hashes, |leaves, hashes| {
        // SAFETY: made from slices that outlive the call, with space for a hash for each.
        unsafe { fill(algorithm, params, leaves, hashes) }
    })?;
    Ok(hashes)
}

/// Writes the hashes of leaves into a buffer for as many.
///
/// # Safety
/// The leaves' bytes can be read, and `hashes` holds a hash for each.
#[cfg(feature = "alloc")]
unsafe fn fill(
    algorithm: Algorithm,
    params: &Params<'_>,
    leaves: &[sys::fin_message],
    hashes: &mut [u8],
) -> Result<(), Error> {
    // SAFETY: promised by the caller.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_merkle_leaves(
            algorithm.number(),
            params,
            leaves.as_ptr(),
            leaves.len(),
            hashes.as_mut_ptr(),
        )
    }))
}

/// Returns the root over leaves with these hashes.
///
/// # Errors
/// Those of [`Tree::new`] and [`Tree::append`].
///
/// ```
/// use finalist::{Algorithm, Params, merkle};
/// let hashes = merkle::leaf_hashes(Algorithm::Blake2b, &Params::new(), &["one", "two"])?;
/// assert_eq!(merkle::root(Algorithm::Blake2b, &Params::new(), &hashes)?.len(), 64);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn root(
    algorithm: Algorithm,
    params: &Params<'_>,
    leaf_hashes: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut tree = Tree::new_boxed(algorithm, params)?;
    tree.append(leaf_hashes)?;
    tree.root()
}

/// A tree that grows, in constant memory: some 4 KiB. Wiped when dropped.
///
/// ```
/// use finalist::{Algorithm, Params, merkle};
/// let mut tree = merkle::Tree::new(Algorithm::Groestl256, &Params::new())?;
/// for leaf in ["one", "two", "three"] {
///     tree.append(&merkle::leaf_hashes(Algorithm::Groestl256, &Params::new(), &[leaf])?)?;
/// }
/// assert_eq!(tree.leaf_count(), 3);
/// assert_eq!(tree.root()?.len(), 32);
/// # Ok::<(), finalist::Error>(())
/// ```
#[derive(Clone)]
pub struct Tree {
    state: sys::fin_merkle,
}

impl Tree {
    /// Starts a tree without leaves.
    ///
    /// # Errors
    /// Those of [`Hasher::new`](crate::Hasher::new); [`Error::DigestLength`] also for digests of
    /// more than [`HASH_BYTES_MAX`] bytes or of unknown length; [`Error::TreeMode`] for BLAKE2's own
    /// tree parameters.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, merkle};
    /// let tree = merkle::Tree::new(Algorithm::Blake2b, &Params::new().digest_bytes(20))?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn new(algorithm: Algorithm, params: &Params<'_>) -> Result<Tree, Error> {
        let mut tree = Tree {
            // SAFETY: all-zero bytes are a valid fin_merkle.
            state: unsafe { MaybeUninit::zeroed().assume_init() },
        };
        tree.start(algorithm, params)?;
        Ok(tree)
    }

    /// Starts a tree in place.
    ///
    /// # Errors
    /// Those of [`new`](Tree::new).
    pub(crate) fn start(&mut self, algorithm: Algorithm, params: &Params<'_>) -> Result<(), Error> {
        // SAFETY: `params` lives for the call; the call writes to the state only.
        Error::check(params.with_c(|params| unsafe {
            sys::fin_merkle_init(&mut self.state, algorithm.number(), params)
        }))
    }

    /// Appends leaves by their hashes. Append many at once for best throughput.
    ///
    /// # Errors
    /// [`Error::BlockLength`] if these are not whole hashes; [`Error::MessageLength`] past 2^64 - 1
    /// leaves.
    ///
    /// ```
    /// use finalist::{Algorithm, Error, Params, merkle};
    /// let mut tree = merkle::Tree::new(Algorithm::Blake256, &Params::new())?;
    /// tree.append(&[0; 10 * 32])?;
    /// assert_eq!(tree.append(&[0; 33]), Err(Error::BlockLength));
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn append(&mut self, leaf_hashes: &[u8]) -> Result<(), Error> {
        let count = count_of(leaf_hashes, self.hash_bytes())?;
        // SAFETY: the slice holds `count` hashes.
        Error::check(unsafe {
            sys::fin_merkle_append(&mut self.state, leaf_hashes.as_ptr(), count)
        })
    }

    /// Appends `count` leaves that all have this hash, for the empty places of a sparse tree: it hashes
    /// a few nodes for each bit of `count`.
    ///
    /// # Errors
    /// [`Error::BlockLength`] if this is not one hash; [`Error::MessageLength`] past 2^64 - 1 leaves.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, merkle};
    /// let mut tree = merkle::Tree::new(Algorithm::Blake2s, &Params::new())?;
    /// tree.append_equal(&[7; 32], 3)?;
    /// assert_eq!(tree.root()?, merkle::root(Algorithm::Blake2s, &Params::new(), &[7; 3 * 32])?);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn append_equal(&mut self, leaf_hash: &[u8], count: u64) -> Result<(), Error> {
        if leaf_hash.len() != self.hash_bytes() {
            return Err(Error::BlockLength);
        }
        // SAFETY: the slice holds a hash.
        Error::check(unsafe {
            sys::fin_merkle_append_equal(&mut self.state, leaf_hash.as_ptr(), count)
        })
    }

    /// Returns the root over all leaves so far. The tree may go on growing.
    ///
    /// # Errors
    /// Those of a wrong environment, such as [`Error::Environment`].
    ///
    /// ```
    /// use finalist::{Algorithm, Params, hash, merkle};
    /// let tree = merkle::Tree::new(Algorithm::Blake2s, &Params::new())?;
    /// assert_eq!(tree.root()?, hash(Algorithm::Blake2s, &Params::new(), b"")?);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn root(&self) -> Result<Vec<u8>, Error> {
        let mut root = vec![0; self.hash_bytes()];
        self.root_into(&mut root)?;
        Ok(root)
    }

    /// Writes the root over all leaves so far to a buffer of at least the length of a hash.
    ///
    /// # Errors
    /// Those of [`root`](Tree::root); [`Error::OutputLength`] if the buffer is too short.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, merkle};
    /// let tree = merkle::Tree::new(Algorithm::Blake2s, &Params::new())?;
    /// let mut root = [0; 32];
    /// tree.root_into(&mut root)?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn root_into(&self, root: &mut [u8]) -> Result<(), Error> {
        // SAFETY: pointer and length of one slice.
        Error::check(unsafe { sys::fin_merkle_root(&self.state, root.as_mut_ptr(), root.len()) })
    }

    /// Returns the number of leaves.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, merkle};
    /// assert_eq!(merkle::Tree::new(Algorithm::Blake2s, &Params::new())?.leaf_count(), 0);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn leaf_count(&self) -> u64 {
        self.state.leaf_count
    }

    /// Returns the length of every hash of the tree in bytes.
    ///
    /// ```
    /// use finalist::{Algorithm, Params, merkle};
    /// assert_eq!(merkle::Tree::new(Algorithm::Blake2s, &Params::new())?.hash_bytes(), 32);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn hash_bytes(&self) -> usize {
        self.state.digest_bytes.into()
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Tree {}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the state is valid to write and not used again.
        unsafe { sys::fin_merkle_wipe(&mut self.state) }
    }
}

/// Shows the size and no hash.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree")
            .field("leaf_count", &self.leaf_count())
            .finish_non_exhaustive()
    }
}

/// Length of a tree's hashes.
fn hash_length(algorithm: Algorithm, params: &Params<'_>) -> Result<usize, Error> {
    match params.digest_length(algorithm) {
        Ok(bytes) if bytes <= HASH_BYTES_MAX => Ok(bytes),
        _ => Err(Error::DigestLength),
    }
}

fn count_of(hashes: &[u8], hash_bytes: usize) -> Result<usize, Error> {
    match hashes.len() % hash_bytes {
        0 => Ok(hashes.len() / hash_bytes),
        _ => Err(Error::BlockLength),
    }
}
