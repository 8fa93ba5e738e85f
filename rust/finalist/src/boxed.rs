// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashers and trees that are made in their final memory: moving one leaves a copy of its key behind.

use alloc::boxed::Box;

use crate::{Algorithm, Error, Hasher, Params, merkle};

/// Zeroed memory for a value.
///
/// # Safety
/// All-zero bytes are a valid value.
unsafe fn zeroed<T>() -> Box<T> {
    let mut memory = Box::<T>::new_uninit();
    // SAFETY: memory for one value, which the caller promises to be valid then.
    unsafe {
        memory.as_mut_ptr().write_bytes(0, 1);
        memory.assume_init()
    }
}

/// Copies a value from one place in memory to another, without the stack between.
///
/// # Safety
/// The value is plain data.
unsafe fn copied<T>(value: &T) -> Box<T> {
    let mut memory = Box::<T>::new_uninit();
    // SAFETY: memory for one value, of which the caller promises that its bytes are all of it.
    unsafe {
        memory.as_mut_ptr().copy_from_nonoverlapping(value, 1);
        memory.assume_init()
    }
}

impl Hasher {
    /// Starts a message as [`new`](Hasher::new) does, in the memory where the hasher stays, so that
    /// no copy of a key is left behind by a move.
    ///
    /// # Errors
    /// Those of [`new`](Hasher::new).
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let mut hasher = Hasher::new_boxed(Algorithm::Blake2b, &Params::new().key(b"secret"))?;
    /// hasher.update(b"message")?;
    /// let digest = hasher.clone_boxed().finalize()?;
    /// assert_eq!(digest, hasher.finalize()?);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn new_boxed(algorithm: Algorithm, params: &Params<'_>) -> Result<Box<Hasher>, Error> {
        // SAFETY: nothing of a hasher need be set.
        let mut hasher = unsafe { Box::<Hasher>::new_uninit().assume_init() };
        hasher.start(algorithm, params)?;
        Ok(hasher)
    }

    /// Copies the hasher to memory of its own, without a move: see
    /// [`new_boxed`](Hasher::new_boxed).
    ///
    /// ```
    /// use finalist::{Algorithm, Hasher, Params};
    /// let hasher = Hasher::new_boxed(Algorithm::Blake2b, &Params::new().key(b"secret"))?;
    /// hasher.clone_boxed().update(b"another message")?;
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn clone_boxed(&self) -> Box<Hasher> {
        // SAFETY: a hasher is plain data.
        unsafe { copied(self) }
    }
}

impl merkle::Tree {
    /// Starts a tree as [`new`](merkle::Tree::new) does, in the memory where the tree stays, so
    /// that no copy of a key is left behind by a move.
    ///
    /// # Errors
    /// Those of [`new`](merkle::Tree::new).
    ///
    /// ```
    /// use finalist::{Algorithm, Params, merkle};
    /// let params = Params::new().key(b"secret");
    /// let tree = merkle::Tree::new_boxed(Algorithm::Blake2b, &params)?;
    /// assert_eq!(tree.leaf_count(), 0);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn new_boxed(
        algorithm: Algorithm,
        params: &Params<'_>,
    ) -> Result<Box<merkle::Tree>, Error> {
        // SAFETY: all-zero bytes are a valid tree.
        let mut tree = unsafe { zeroed::<merkle::Tree>() };
        tree.start(algorithm, params)?;
        Ok(tree)
    }
}
