// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many messages at once, several of them in the lanes of vector registers.

use finalist_sys as sys;

use crate::{Algorithm, Error, Params, Tree};

/// Hashes many messages of any lengths, several at a time in the lanes of vector registers. Returns
/// their digests one after the other, each what [`hash`](crate::hash) gives for its message. All
/// messages take the same parameters.
///
/// Sort longest first for best throughput. The time depends on the lengths and their order, not on
/// what the messages contain.
///
/// # Errors
/// Those of [`hash`](crate::hash), for any of the messages; [`Error::DigestLength`] for BLAKE2X
/// with output of unknown length.
///
/// ```
/// use finalist::{Algorithm, Params, hash, hash_many};
/// let messages = ["one", "two", "three"];
/// let digests = hash_many(Algorithm::Blake2s, &Params::new(), &messages)?;
/// for (message, digest) in messages.iter().zip(digests.chunks(32)) {
///     assert_eq!(hash(Algorithm::Blake2s, &Params::new(), message.as_bytes())?, digest);
/// }
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn hash_many<M: AsRef<[u8]>>(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[M],
) -> Result<Vec<u8>, Error> {
    let stride = known_length(algorithm, params)?;
    let mut digests = room(messages.len(), stride)?;
    hash_many_into(algorithm, params, messages, &mut digests)?;
    Ok(digests)
}

/// As [`hash_many`], into a buffer of at least the digests' total length.
///
/// # Errors
/// Those of [`hash_many`]; [`Error::OutputLength`] if the buffer is too short.
pub fn hash_many_into<M: AsRef<[u8]>>(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[M],
    digests: &mut [u8],
) -> Result<(), Error> {
    let stride = known_length(algorithm, params)?;
    check_room(messages.len(), stride, digests)?;
    let messages = descriptors(messages);
    // SAFETY: each message has the pointer and length of a slice that outlives the call, and the
    // buffer holds a digest for each.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_hash_many(
            algorithm.number(),
            params,
            messages.as_ptr(),
            messages.len(),
            digests.as_mut_ptr(),
            stride,
        )
    }))
}

/// The messages as the C library takes them; they hold for as long as the messages are borrowed.
pub(crate) fn descriptors<M: AsRef<[u8]>>(messages: &[M]) -> Vec<sys::fin_message> {
    let descriptor = |message: &M| {
        // Once: pointer and length must be those of one slice, and `as_ref` may answer differently
        // the next time.
        let message = message.as_ref();
        sys::fin_message {
            input: message.as_ptr().cast(),
            bytes: message.len(),
        }
    };
    messages.iter().map(descriptor).collect()
}

/// One node of a level of a BLAKE2 tree: what differs from node to node.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// What the node hashes.
    pub message: &'a [u8],
    /// Place of the node in its level. BLAKE2s: below 2^48.
    pub node_offset: u64,
    /// The node is the last of its level.
    pub last_node: bool,
}

/// As [`hash_many`] for the nodes of a tree, BLAKE2b and BLAKE2s only. `tree` has what the nodes
/// have in common; its own `node_offset` and `last_node` are not used.
///
/// # Errors
/// Those of [`hash_many`]; [`Error::Tree`] also for a node offset out of range.
///
/// ```
/// use finalist::{Algorithm, Node, Params, Tree, hash, hash_nodes};
/// let tree = Tree { fanout: 2, depth: 2, leaf_bytes: 3, inner_bytes: 64, ..Tree::default() };
/// let leaves = [
///     Node { message: b"one", node_offset: 0, last_node: false },
///     Node { message: b"two", node_offset: 1, last_node: true },
/// ];
/// let digests = hash_nodes(Algorithm::Blake2b, &Params::new(), tree, &leaves)?;
/// let second = Params::new().tree(Tree { node_offset: 1, last_node: true, ..tree });
/// assert_eq!(digests[64..], hash(Algorithm::Blake2b, &second, b"two")?);
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn hash_nodes(
    algorithm: Algorithm,
    params: &Params<'_>,
    tree: Tree,
    nodes: &[Node<'_>],
) -> Result<Vec<u8>, Error> {
    let stride = known_length(algorithm, params)?;
    let mut digests = room(nodes.len(), stride)?;
    let params = params.tree(Tree {
        node_offset: 0,
        last_node: false,
        ..tree
    });
    let nodes: Vec<_> = nodes
        .iter()
        .map(|node| sys::fin_node {
            input: node.message.as_ptr().cast(),
            bytes: node.message.len(),
            node_offset: node.node_offset,
            last_node: node.last_node,
        })
        .collect();
    // SAFETY: as in hash_many_into.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_hash_nodes(
            algorithm.number(),
            params,
            nodes.as_ptr(),
            nodes.len(),
            digests.as_mut_ptr(),
            stride,
        )
    }))?;
    Ok(digests)
}

/// As [`hash_many`], without parameters, for messages of `node_bytes` bytes each that follow one
/// another: a level of a Merkle tree, where `node_bytes` is two digests.
///
/// # Errors
/// [`Error::BlockLength`] if `nodes` is not a multiple of `node_bytes`, or that is 0;
/// [`Error::DigestLength`] for BLAKE2X.
///
/// ```
/// use finalist::{Algorithm, Params, compress_many, hash};
/// let layer = compress_many(Algorithm::Blake2s, &[7; 256], 64)?;
/// assert_eq!(layer.len(), 4 * 32);
/// assert_eq!(layer[..32], hash(Algorithm::Blake2s, &Params::new(), &[7; 64])?);
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn compress_many(
    algorithm: Algorithm,
    nodes: &[u8],
    node_bytes: usize,
) -> Result<Vec<u8>, Error> {
    let stride = known_length(algorithm, &Params::new())?;
    if node_bytes == 0 || nodes.len() % node_bytes != 0 {
        return Err(Error::BlockLength);
    }
    let count = nodes.len() / node_bytes;
    let mut digests = room(count, stride)?;
    // SAFETY: count nodes lie in the slice, and the buffer holds a digest for each.
    Error::check(unsafe {
        sys::fin_compress_many(
            algorithm.number(),
            nodes.as_ptr().cast(),
            node_bytes,
            count,
            digests.as_mut_ptr(),
            stride,
        )
    })?;
    Ok(digests)
}

/// A building block, not a hash function: Grøstl's compression function on one block without
/// padding, from the initial value, then output transformation and truncation. Each digest takes
/// one block of `pairs`, 64 bytes for digests up to 32 bytes and 128 for longer ones: two digests
/// in, one out. Use it for trees only in which every input has this length; otherwise use
/// [`hash_many`].
///
/// # Errors
/// [`Error::Algorithm`] if it is not Grøstl; [`Error::BlockLength`] if `pairs` is not whole blocks.
pub fn groestl_pairs(algorithm: Algorithm, pairs: &[u8]) -> Result<Vec<u8>, Error> {
    let info = algorithm.info();
    let block_bytes = if info.digest_bytes <= 32 { 64 } else { 128 };
    if pairs.len() % block_bytes != 0 {
        return Err(Error::BlockLength);
    }
    let count = pairs.len() / block_bytes;
    let mut digests = room(count, info.digest_bytes)?;
    // SAFETY: count blocks lie in the slice, and the buffer holds a digest for each.
    Error::check(unsafe {
        sys::fin_groestl_pairs(
            algorithm.number(),
            pairs.as_ptr().cast(),
            count,
            digests.as_mut_ptr(),
            info.digest_bytes,
        )
    })?;
    Ok(digests)
}

/// The digest's length; an unknown one is an error of its own here, as in C.
fn known_length(algorithm: Algorithm, params: &Params<'_>) -> Result<usize, Error> {
    params
        .digest_length(algorithm)
        .map_err(|_| Error::DigestLength)
}

fn room(count: usize, stride: usize) -> Result<Vec<u8>, Error> {
    let bytes = count.checked_mul(stride).ok_or(Error::OutputLength)?;
    Ok(vec![0; bytes])
}

fn check_room(count: usize, stride: usize, digests: &[u8]) -> Result<(), Error> {
    match count.checked_mul(stride) {
        Some(bytes) if bytes <= digests.len() => Ok(()),
        _ => Err(Error::OutputLength),
    }
}
