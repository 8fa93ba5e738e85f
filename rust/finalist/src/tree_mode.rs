// SPDX-License-Identifier: MIT OR Apache-2.0
//! BLAKE2's own tree mode: BLAKE2 paper of 2013-01-29, section 2.10. BLAKE2b and BLAKE2s.
//!
//! - A leaf takes `leaf_bytes` of the message; the last leaf takes what is left. An empty message
//!   has one empty leaf. With `leaf_bytes` 0 there is one leaf of any length.
//! - A node above the leaves takes the digests, `inner_bytes` each, of the next `fanout` nodes
//!   below it. The last node of a level takes those that are left, even if it is only one. The
//!   single node of level `depth` - 1, or with `fanout` 0 (unlimited) of level 1, takes all.
//! - The root is the node of the lowest level above the leaves that has a single node. So a tree of
//!   depth 2 or more has a root above its leaves even if there is one leaf.
//! - The last node of every level has the last-node flag, the root too. The digest length is the
//!   root's; all other nodes are `inner_bytes` long.
//! - Only leaves hash the key. Salt and personalisation are in every node.
//! - Depth 1 is sequential hashing: `fanout` 1, `leaf_bytes` and `inner_bytes` 0.
//!
//! ```
//! use finalist::{Algorithm, Params, tree_mode};
//! // The example of Python's hashlib documentation.
//! let shape = tree_mode::Shape { fanout: 2, depth: 2, leaf_bytes: 4096, inner_bytes: 64 };
//! let params = Params::new().digest_bytes(32);
//! let digest = tree_mode::hash(Algorithm::Blake2b, &params, shape, &[0; 6000])?;
//! assert_eq!(digest[..4], [0x3a, 0xd2, 0xa9, 0xb3]);
//! # Ok::<(), finalist::Error>(())
//! ```

use alloc::{boxed::Box, vec::Vec};
use core::fmt;
use core::mem::MaybeUninit;

use finalist_sys as sys;

use crate::zeroed::zeroed;
use crate::{Algorithm, Error, Params, TreeMode};

/// The shape of a tree.
///
/// ```
/// use finalist::{Algorithm, Error, Params, tree_mode};
/// let shape = tree_mode::Shape { fanout: 1, depth: 2, leaf_bytes: 4096, inner_bytes: 64 };
/// let hashed = tree_mode::hash(Algorithm::Blake2b, &Params::new(), shape, b"message");
/// assert_eq!(hashed, Err(Error::TreeMode), "a fanout of 1 is for sequential hashing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Children of a node, 2 to 255; 0: unlimited.
    pub fanout: u8,
    /// Levels at most, 2 to 255.
    pub depth: u8,
    /// Bytes of message in a leaf; 0: unlimited.
    pub leaf_bytes: u32,
    /// Digest length of all nodes but the root: 1 to 64 (BLAKE2b), 32 (BLAKE2s).
    pub inner_bytes: u8,
}

impl Shape {
    fn params<'a>(self, params: &Params<'a>) -> Params<'a> {
        params.tree_mode(TreeMode {
            fanout: self.fanout,
            depth: self.depth,
            leaf_bytes: self.leaf_bytes,
            inner_bytes: self.inner_bytes,
            ..TreeMode::default()
        })
    }
}

/// Returns the digest of a whole message.
///
/// # Errors
/// Those of [`TreeModeHasher::new`]; [`Error::MessageLength`] for more leaves than there are node
/// offsets.
///
/// ```
/// use finalist::{Algorithm, Params, tree_mode};
/// let shape = tree_mode::Shape { fanout: 0, depth: 2, leaf_bytes: 1 << 20, inner_bytes: 32 };
/// let digest = tree_mode::hash(Algorithm::Blake2s, &Params::new(), shape, b"message")?;
/// assert_eq!(digest.len(), 32);
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn hash(
    algorithm: Algorithm,
    params: &Params<'_>,
    shape: Shape,
    message: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut digest = zeroed(1, params.digest_length(algorithm)?)?;
    // SAFETY: pointers with the lengths of their slices.
    Error::check(shape.params(params).with_c(|params| unsafe {
        sys::fin_tree_mode_hash(
            algorithm.number(),
            params,
            message.as_ptr().cast(),
            message.len(),
            digest.as_mut_ptr(),
            digest.len(),
        )
    }))?;
    Ok(digest)
}

/// A message in progress, in constant memory: some 16 KiB, wiped when dropped.
///
/// ```
/// use finalist::{Algorithm, Params, tree_mode};
/// let shape = tree_mode::Shape { fanout: 4, depth: 255, leaf_bytes: 1000, inner_bytes: 32 };
/// let mut hasher = tree_mode::TreeModeHasher::new(Algorithm::Blake2s, &Params::new(), shape)?;
/// hasher.update(&[1; 5000])?;
/// hasher.update(&[1; 5000])?;
/// let whole = tree_mode::hash(Algorithm::Blake2s, &Params::new(), shape, &[1; 10_000])?;
/// assert_eq!(hasher.finalize()?, whole);
/// # Ok::<(), finalist::Error>(())
/// ```
pub struct TreeModeHasher {
    state: Box<sys::fin_tree_mode_context>,
}

impl TreeModeHasher {
    /// Starts a message. Parameters of tree mode in `params` are not used.
    ///
    /// # Errors
    /// Those of [`Hasher::new`](crate::Hasher::new); [`Error::TreeMode`] for a shape that is none, or
    /// an algorithm that has no tree mode.
    ///
    /// ```
    /// use finalist::{Algorithm, Error, Params, tree_mode};
    /// let shape = tree_mode::Shape { fanout: 2, depth: 9, leaf_bytes: 4096, inner_bytes: 32 };
    /// assert!(tree_mode::TreeModeHasher::new(Algorithm::Blake2s, &Params::new(), shape).is_ok());
    /// let wrong = tree_mode::TreeModeHasher::new(Algorithm::Groestl256, &Params::new(), shape);
    /// assert_eq!(wrong.err(), Some(Error::TreeMode));
    /// ```
    pub fn new(
        algorithm: Algorithm,
        params: &Params<'_>,
        shape: Shape,
    ) -> Result<TreeModeHasher, Error> {
        let mut state = Box::new(MaybeUninit::<sys::fin_tree_mode_context>::zeroed());
        // SAFETY: `params` lives for the call; the call writes to the state only.
        Error::check(shape.params(params).with_c(|params| unsafe {
            sys::fin_tree_mode_init(state.as_mut_ptr(), algorithm.number(), params)
        }))?;
        // SAFETY: all-zero bytes are a valid context, and so is what the library made of them.
        let state = unsafe { state.assume_init() };
        Ok(TreeModeHasher { state })
    }

    /// Appends bytes to the message. Append many leaves at once for best throughput.
    ///
    /// # Errors
    /// [`Error::State`] if the digest was already taken; [`Error::MessageLength`].
    ///
    /// ```
    /// use finalist::{Algorithm, Params, tree_mode};
    /// let shape = tree_mode::Shape { fanout: 2, depth: 9, leaf_bytes: 4096, inner_bytes: 32 };
    /// let mut hasher = tree_mode::TreeModeHasher::new(Algorithm::Blake2s, &Params::new(), shape)?;
    /// hasher.update(&[7; 64 * 4096])?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn update(&mut self, bytes: &[u8]) -> Result<(), Error> {
        // SAFETY: pointer and length of one slice.
        Error::check(unsafe {
            sys::fin_tree_mode_update(&mut *self.state, bytes.as_ptr().cast(), bytes.len())
        })
    }

    /// Ends the message and returns the root's digest.
    ///
    /// # Errors
    /// [`Error::State`] if it was already taken.
    ///
    /// ```
    /// use finalist::{Algorithm, Error, Params, tree_mode};
    /// let shape = tree_mode::Shape { fanout: 2, depth: 9, leaf_bytes: 4096, inner_bytes: 32 };
    /// let mut hasher = tree_mode::TreeModeHasher::new(Algorithm::Blake2s, &Params::new(), shape)?;
    /// hasher.finalize()?;
    /// assert_eq!(hasher.finalize(), Err(Error::State));
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn finalize(&mut self) -> Result<Vec<u8>, Error> {
        let mut digest = zeroed(1, self.state.digest_bytes as usize)?;
        // SAFETY: pointer and length of one vector; a wiped context writes nothing.
        Error::check(unsafe {
            sys::fin_tree_mode_final(&mut *self.state, digest.as_mut_ptr(), digest.len())
        })?;
        Ok(digest)
    }
}

#[cfg(feature = "rayon")]
mod parallel {
    use alloc::vec;

    use super::{Error, TreeModeHasher, sys};
    use crate::parts::digests_in_parts;

    impl TreeModeHasher {
        /// Appends bytes as [`update`](TreeModeHasher::update) does, with whole leaves hashed by
        /// the threads of the current rayon pool. The digest is the same for any number of them.
        ///
        /// # Errors
        /// Those of [`update`](TreeModeHasher::update).
        ///
        /// ```
        /// use finalist::{Algorithm, Params, tree_mode};
        /// let shape = tree_mode::Shape { fanout: 0, depth: 2, leaf_bytes: 4096, inner_bytes: 64 };
        /// let mut hasher = tree_mode::TreeModeHasher::new(Algorithm::Blake2b, &Params::new(), shape)?;
        /// hasher.update_parallel(&vec![7; 1_000_000])?;
        /// # Ok::<(), finalist::Error>(())
        /// ```
        pub fn update_parallel(&mut self, bytes: &[u8]) -> Result<(), Error> {
            let leaf_bytes = self.state.shape.leaf_bytes as usize;
            if leaf_bytes == 0 || rayon::current_num_threads() == 1 {
                return self.update(bytes);
            }
            // These bytes fill the leaf that was begun.
            let begun = usize::from(self.state.leaf_open) * (self.state.open_bytes as usize);
            let head = if begun == 0 { 0 } else { leaf_bytes - begun };
            let (head, rest) = bytes.split_at(head.min(bytes.len()));
            self.update(head)?;
            // The last leaf may be the message's last: it waits for the bytes after it.
            let count = rest.len().saturating_sub(1) / leaf_bytes;
            let (leaves, tail) = rest.split_at(count * leaf_bytes);
            self.append(leaves, count)?;
            self.update(tail)
        }

        /// Appends whole leaves.
        fn append(&mut self, leaves: &[u8], count: usize) -> Result<(), Error> {
            if count == 0 {
                return Ok(());
            }
            let leaf_bytes = leaves.len() / count;
            let inner_bytes = usize::from(self.state.shape.inner_bytes);
            let state = &*self.state;
            let mut digests = vec![0; count * inner_bytes];
            digests_in_parts(&mut digests, inner_bytes, leaves.len(), |rows, digests| {
                let first = state.leaf_count + rows.start as u64;
                let leaves = &leaves[rows.start * leaf_bytes..rows.end * leaf_bytes];
                // SAFETY: pointer and length of one slice, and space for a digest for each leaf.
                Error::check(unsafe {
                    let input = leaves.as_ptr().cast();
                    sys::fin_tree_mode_leaves(
                        state,
                        input,
                        leaves.len(),
                        first,
                        digests.as_mut_ptr(),
                    )
                })
            })?;
            // SAFETY: the vector holds `count` digests.
            Error::check(unsafe {
                sys::fin_tree_mode_append(&mut *self.state, digests.as_ptr(), count)
            })
        }
    }
}

impl Drop for TreeModeHasher {
    fn drop(&mut self) {
        // SAFETY: the state is valid to write and not used again.
        unsafe { sys::fin_tree_mode_wipe(&mut *self.state) }
    }
}

/// Shows nothing of the message.
impl fmt::Debug for TreeModeHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeModeHasher").finish_non_exhaustive()
    }
}
