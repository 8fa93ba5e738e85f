// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs about Merkle trees, and their verification.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use finalist_sys as sys;

#[cfg(feature = "alloc")]
use super::PROOF_MAX;
use super::{count_of, hash_length};
use crate::{Algorithm, Error, Params};

/// Proves that leaf `index`, from 0, is in the tree over leaves with these hashes: RFC 9162,
/// section 2.1.3.1.
///
/// # Errors
/// Those of [`Tree::new`](super::Tree::new) and [`Tree::append`](super::Tree::append); [`Error::Index`] if there is no such leaf.
///
/// ```
/// use finalist::{Algorithm, Params, merkle};
/// let (algorithm, params) = (Algorithm::Blake2b, Params::new().digest_bytes(32));
/// let hashes = merkle::leaf_hashes(algorithm, &params, &["one", "two", "three"])?;
/// let proof = merkle::inclusion(algorithm, &params, &hashes, 2)?;
/// assert_eq!(proof.len(), 32, "the last of three leaves stands alone to the right");
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn inclusion(
    algorithm: Algorithm,
    params: &Params<'_>,
    leaf_hashes: &[u8],
    index: usize,
) -> Result<Vec<u8>, Error> {
    prove(
        sys::fin_merkle_inclusion,
        algorithm,
        params,
        leaf_hashes,
        index,
    )
}

/// Proves that the tree over leaves with these hashes begins with the tree of the first `old_count`
/// of them: RFC 9162, section 2.1.4.1. The proof is empty if these are all.
///
/// # Errors
/// Those of [`Tree::new`](super::Tree::new) and [`Tree::append`](super::Tree::append); [`Error::Index`] if `old_count` is 0 or more than
/// there are.
///
/// ```
/// use finalist::{Algorithm, Params, merkle};
/// let (algorithm, params) = (Algorithm::Blake2b, Params::new());
/// let hashes = merkle::leaf_hashes(algorithm, &params, &["one", "two", "three"])?;
/// let old_root = merkle::root(algorithm, &params, &hashes[..2 * 64])?;
/// let root = merkle::root(algorithm, &params, &hashes)?;
/// let proof = merkle::consistency(algorithm, &params, &hashes, 2)?;
/// merkle::verify_consistency(algorithm, &params, 2, &old_root, 3, &root, &proof)?;
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn consistency(
    algorithm: Algorithm,
    params: &Params<'_>,
    leaf_hashes: &[u8],
    old_count: usize,
) -> Result<Vec<u8>, Error> {
    prove(
        sys::fin_merkle_consistency,
        algorithm,
        params,
        leaf_hashes,
        old_count,
    )
}

/// Checks that the proof shows that leaf `index` of the tree of `leaf_count` leaves with this root
/// has this hash: RFC 9162, section 2.1.3.2.
///
/// Take `index` and `leaf_count` from whom you trust, like the root, not from whoever gives you the
/// proof: the root does not commit to them. With another count a hash of inner nodes passes for a leaf's.
///
/// # Errors
/// [`Error::Proof`] if it does not, whether a hash is wrong, their number or their length;
/// [`Error::Index`] if `index` is not below `leaf_count`; and those of [`Tree::new`](super::Tree::new).
///
/// ```
/// use finalist::{Algorithm, Error, Params, merkle};
/// let (algorithm, params) = (Algorithm::Blake2b, Params::new());
/// let leaf = merkle::leaf_hashes(algorithm, &params, &["only"])?;
/// // The only leaf's hash is the root, and its proof empty.
/// merkle::verify_inclusion(algorithm, &params, &leaf, 0, 1, &[], &leaf)?;
/// let wrong = merkle::verify_inclusion(algorithm, &params, &leaf, 0, 1, &[], &[0; 64]);
/// assert_eq!(wrong, Err(Error::Proof));
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn verify_inclusion(
    algorithm: Algorithm,
    params: &Params<'_>,
    leaf_hash: &[u8],
    index: u64,
    leaf_count: u64,
    proof: &[u8],
    root: &[u8],
) -> Result<(), Error> {
    let hash_bytes = hash_length(algorithm, params)?;
    let proof_count = proof_count(proof, &[leaf_hash, root], hash_bytes)?;
    // SAFETY: the hashes have the length of a hash, and the slice holds `proof_count` of them.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_merkle_verify_inclusion(
            algorithm.number(),
            params,
            leaf_hash.as_ptr(),
            index,
            leaf_count,
            proof.as_ptr(),
            proof_count,
            root.as_ptr(),
        )
    }))
}

/// Checks that the proof shows that the tree of `leaf_count` leaves with this root begins with the
/// tree of `old_count` leaves with `old_root`: RFC 9162, section 2.1.4.2. Take both counts from whom
/// you trust, like the roots.
///
/// # Errors
/// As for [`verify_inclusion`]; [`Error::Index`] if `old_count` is 0 or above `leaf_count`.
///
/// ```
/// use finalist::{Algorithm, Error, Params, merkle};
/// let root = [0; 32];
/// let same = merkle::verify_consistency(
///     Algorithm::Blake2s, &Params::new(), 5, &root, 5, &root, &[],
/// );
/// assert_eq!(same, Ok(()), "every tree is its own beginning");
/// ```
pub fn verify_consistency(
    algorithm: Algorithm,
    params: &Params<'_>,
    old_count: u64,
    old_root: &[u8],
    leaf_count: u64,
    root: &[u8],
    proof: &[u8],
) -> Result<(), Error> {
    let hash_bytes = hash_length(algorithm, params)?;
    let proof_count = proof_count(proof, &[old_root, root], hash_bytes)?;
    // SAFETY: as in verify_inclusion.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_merkle_verify_consistency(
            algorithm.number(),
            params,
            old_count,
            old_root.as_ptr(),
            leaf_count,
            root.as_ptr(),
            proof.as_ptr(),
            proof_count,
        )
    }))
}

/// The hashes in a proof, if it and the single hashes are of the right length.
fn proof_count(proof: &[u8], single: &[&[u8]], hash_bytes: usize) -> Result<usize, Error> {
    let whole = single.iter().all(|hash| hash.len() == hash_bytes);
    let count = count_of(proof, hash_bytes).map_err(|_| Error::Proof)?;
    if whole { Ok(count) } else { Err(Error::Proof) }
}

/// A C function that makes a proof about leaf `index`, or about the first `index` leaves.
#[cfg(feature = "alloc")]
type Prover = unsafe extern "C" fn(
    algorithm: sys::fin_algorithm,
    params: *const sys::fin_params,
    leaf_hashes: *const u8,
    count: usize,
    index: usize,
    proof: *mut u8,
    capacity: usize,
    proof_count: *mut usize,
) -> sys::fin_status;

/// The proof that such a function makes.
#[cfg(feature = "alloc")]
fn prove(
    prover: Prover,
    algorithm: Algorithm,
    params: &Params<'_>,
    leaf_hashes: &[u8],
    index: usize,
) -> Result<Vec<u8>, Error> {
    let hash_bytes = hash_length(algorithm, params)?;
    let leaf_count = count_of(leaf_hashes, hash_bytes)?;
    let mut proof = vec![0; PROOF_MAX * hash_bytes];
    let mut proof_count = 0;
    // SAFETY: the slice holds `count` hashes, the proof has space for PROOF_MAX.
    Error::check(params.with_c(|params| unsafe {
        prover(
            algorithm.number(),
            params,
            leaf_hashes.as_ptr(),
            leaf_count,
            index,
            proof.as_mut_ptr(),
            PROOF_MAX,
            &mut proof_count,
        )
    }))?;
    proof.truncate(proof_count * hash_bytes);
    Ok(proof)
}
