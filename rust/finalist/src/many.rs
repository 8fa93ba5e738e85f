// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many messages at once, several of them in the lanes of vector registers.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::array;

use finalist_sys as sys;

#[cfg(feature = "alloc")]
use crate::TreeMode;
#[cfg(feature = "alloc")]
use crate::zeroed::zeroed;
use crate::{Algorithm, Error, Params};

/// Messages that [`hash_many_iter`] takes from its iterator at a time.
const MESSAGES_AT_ONCE: usize = 64;

/// Hashes many messages of any lengths, several at a time in the lanes of vector registers. Returns
/// their digests one after the other, each what [`hash`](crate::hash) gives for its message. All
/// messages take the same parameters.
///
/// Sort longest first for best throughput. The time depends on the lengths and their order, not on
/// what the messages contain.
///
/// # Errors
/// Those of [`hash`](crate::hash), for any of the messages; [`Error::DigestLength`] for output of
/// unknown length.
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
#[cfg(feature = "alloc")]
pub fn hash_many<M: AsRef<[u8]>>(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[M],
) -> Result<Vec<u8>, Error> {
    let stride = known_length(algorithm, params)?;
    let mut digests = zeroed(messages.len(), stride)?;
    hash_many_into(algorithm, params, messages, &mut digests)?;
    Ok(digests)
}

/// Writes the digests of [`hash_many`] to a buffer of at least their total length.
///
/// # Errors
/// Those of [`hash_many`]; [`Error::OutputLength`] if the buffer is too short.
///
/// ```
/// use finalist::{Algorithm, Params, hash_many_into};
/// let mut digests = [0; 3 * 32];
/// hash_many_into(Algorithm::Groestl256, &Params::new(), &["a", "b", "c"], &mut digests)?;
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn hash_many_into<M: AsRef<[u8]>>(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[M],
    digests: &mut [u8],
) -> Result<(), Error> {
    let stride = known_length(algorithm, params)?;
    check_output(messages.len(), stride, digests)?;
    let messages = descriptors(messages);
    // SAFETY: each message has the pointer and length of a slice that outlives the call, and the
    // buffer holds a digest for each.
    unsafe { hash_descriptors(algorithm, params, &messages, digests, stride) }
}

/// Hashes messages as [`hash_many`] does, by the threads of the current rayon pool: the same digests
/// for any number of them. Few bytes are hashed by the calling thread alone.
///
/// # Errors
/// Those of [`hash_many`].
///
/// ```
/// use finalist::{Algorithm, Params, hash_many, hash_many_parallel};
/// let (params, messages) = (Params::new(), vec!["a message"; 100_000]);
/// let digests = hash_many_parallel(Algorithm::Blake2s, &params, &messages)?;
/// assert_eq!(digests, hash_many(Algorithm::Blake2s, &params, &messages)?);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "rayon")]
pub fn hash_many_parallel<M: AsRef<[u8]> + Sync>(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[M],
) -> Result<Vec<u8>, Error> {
    let mut digests = zeroed(messages.len(), known_length(algorithm, params)?)?;
    hash_many_parallel_into(algorithm, params, messages, &mut digests)?;
    Ok(digests)
}

/// Writes the digests of [`hash_many_parallel`] to a buffer of at least their total length.
///
/// # Errors
/// Those of [`hash_many`]; [`Error::OutputLength`] if the buffer is too short.
#[cfg(feature = "rayon")]
pub fn hash_many_parallel_into<M: AsRef<[u8]> + Sync>(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[M],
    digests: &mut [u8],
) -> Result<(), Error> {
    let stride = known_length(algorithm, params)?;
    check_output(messages.len(), stride, digests)?;
    let digests = &mut digests[..messages.len() * stride];
    crate::parts::hash_messages(messages, digests, |messages, digests| {
        // SAFETY: as in hash_many_into.
        unsafe { hash_descriptors(algorithm, params, messages, digests, stride) }
    })
}

/// Hashes the messages of an iterator without allocating, 64 at a time. Give messages of very
/// different lengths to [`hash_many_into`] instead: each 64 wait for the longest one. Returns the
/// number of messages.
///
/// # Errors
/// Those of [`hash_many`]; [`Error::OutputLength`] if the buffer is too short, which then has the
/// digests of the messages that went before.
///
/// ```
/// use finalist::{Algorithm, Params, hash, hash_many_iter};
/// let text = "one two three";
/// let mut digests = [0; 3 * 32];
/// let count = hash_many_iter(Algorithm::Blake256, &Params::new(), text.split(' '), &mut digests)?;
/// assert_eq!(count, 3);
/// assert_eq!(digests[32..64], hash(Algorithm::Blake256, &Params::new(), b"two")?);
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn hash_many_iter<M: AsRef<[u8]>>(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: impl IntoIterator<Item = M>,
    digests: &mut [u8],
) -> Result<usize, Error> {
    let stride = known_length(algorithm, params)?;
    let mut messages = messages.into_iter();
    let mut done = 0;
    loop {
        // A message may own its bytes, so it is not moved before it is hashed.
        let taken: [Option<M>; MESSAGES_AT_ONCE] = array::from_fn(|_| messages.next());
        let mut descriptors = [EMPTY; MESSAGES_AT_ONCE];
        let mut count = 0;
        for message in taken.iter().flatten() {
            descriptors[count] = descriptor(message);
            count += 1;
        }
        let rest = &mut digests[done * stride..];
        check_output(count, stride, rest)?;
        // SAFETY: as in hash_many_into; `taken` outlives the call.
        unsafe { hash_descriptors(algorithm, params, &descriptors[..count], rest, stride)? };
        done += count;
        if count < MESSAGES_AT_ONCE {
            return Ok(done);
        }
    }
}

/// Hashes messages into a buffer, the digests `stride` apart.
///
/// # Safety
/// The messages' bytes can be read, and `digests` holds `stride` bytes for each.
unsafe fn hash_descriptors(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[sys::fin_message],
    digests: &mut [u8],
    stride: usize,
) -> Result<(), Error> {
    // SAFETY: promised by the caller.
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

const EMPTY: sys::fin_message = sys::fin_message {
    input: core::ptr::null(),
    bytes: 0,
};

/// A message as the C library takes it; holds for as long as the message is borrowed.
fn descriptor<M: AsRef<[u8]>>(message: &M) -> sys::fin_message {
    // Called once: pointer and length must belong to one slice, and a second call may return another
    // one.
    let message = message.as_ref();
    sys::fin_message {
        input: message.as_ptr().cast(),
        bytes: message.len(),
    }
}

/// The messages as the C library takes them; they hold for as long as the messages are borrowed.
#[cfg(feature = "alloc")]
pub(crate) fn descriptors<M: AsRef<[u8]>>(messages: &[M]) -> Vec<sys::fin_message> {
    messages.iter().map(descriptor).collect()
}

/// One node of a level in BLAKE2's tree mode: the parameters that differ from node to node.
///
/// ```
/// let leaf = finalist::Node { message: b"leaf", node_offset: 7, last_node: true };
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The message of the node.
    pub message: &'a [u8],
    /// Index of the node in its level. BLAKE2s: below 2^48.
    pub node_offset: u64,
    /// The node is the last of its level.
    pub last_node: bool,
}

/// Hashes the nodes of a tree as [`hash_many`] does, BLAKE2b and BLAKE2s only. `tree` has the
/// nodes' common parameters; its own `node_offset` and `last_node` are not used.
///
/// # Errors
/// Those of [`hash_many`]; [`Error::TreeMode`] also for a node offset out of range.
///
/// ```
/// use finalist::{Algorithm, Node, Params, TreeMode, hash, hash_nodes};
/// let tree = TreeMode { fanout: 2, depth: 2, leaf_bytes: 3, inner_bytes: 64, ..TreeMode::default() };
/// let leaves = [
///     Node { message: b"one", node_offset: 0, last_node: false },
///     Node { message: b"two", node_offset: 1, last_node: true },
/// ];
/// let digests = hash_nodes(Algorithm::Blake2b, &Params::new(), tree, &leaves)?;
/// let second = Params::new().tree_mode(TreeMode { node_offset: 1, last_node: true, ..tree });
/// assert_eq!(digests[64..], hash(Algorithm::Blake2b, &second, b"two")?);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn hash_nodes(
    algorithm: Algorithm,
    params: &Params<'_>,
    tree: TreeMode,
    nodes: &[Node<'_>],
) -> Result<Vec<u8>, Error> {
    let stride = known_length(algorithm, params)?;
    let mut digests = zeroed(nodes.len(), stride)?;
    let params = params.tree_mode(TreeMode {
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

/// Hashes messages of `message_bytes` bytes each that follow one another: a level of a Merkle tree,
/// where a message is two digests.
///
/// # Errors
/// Those of [`hash_many`]; [`Error::BlockLength`] if `messages` is not a multiple of `message_bytes`,
/// or that is 0.
///
/// ```
/// use finalist::{Algorithm, Params, hash, hash_equal};
/// let params = Params::new().digest_bytes(32).personal(b"a level");
/// let level = hash_equal(Algorithm::Blake2b, &params, &[7; 256], 64)?;
/// assert_eq!(level.len(), 4 * 32);
/// assert_eq!(level[..32], hash(Algorithm::Blake2b, &params, &[7; 64])?);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn hash_equal(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[u8],
    message_bytes: usize,
) -> Result<Vec<u8>, Error> {
    let stride = known_length(algorithm, params)?;
    let count = messages.len().checked_div(message_bytes).unwrap_or(0);
    let mut digests = zeroed(count, stride)?;
    hash_equal_into(algorithm, params, messages, message_bytes, &mut digests)?;
    Ok(digests)
}

/// Writes the digests of [`hash_equal`] to a buffer of at least their total length.
///
/// # Errors
/// Those of [`hash_equal`]; [`Error::OutputLength`] if the buffer is too short.
///
/// ```
/// use finalist::{Algorithm, Params, hash_equal_into};
/// let leaves = [7; 4 * 32];
/// let (mut level, mut root) = ([0; 2 * 32], [0; 32]);
/// hash_equal_into(Algorithm::Groestl256, &Params::new(), &leaves, 64, &mut level)?;
/// hash_equal_into(Algorithm::Groestl256, &Params::new(), &level, 64, &mut root)?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn hash_equal_into(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[u8],
    message_bytes: usize,
    digests: &mut [u8],
) -> Result<(), Error> {
    let stride = known_length(algorithm, params)?;
    if message_bytes == 0 || messages.len() % message_bytes != 0 {
        return Err(Error::BlockLength);
    }
    let count = messages.len() / message_bytes;
    check_output(count, stride, digests)?;
    // SAFETY: count messages lie in the slice, and the buffer holds a digest for each.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_hash_equal(
            algorithm.number(),
            params,
            messages.as_ptr().cast(),
            message_bytes,
            count,
            digests.as_mut_ptr(),
            stride,
        )
    }))
}

/// Hashes messages as [`hash_equal`] does, by the threads of the current rayon pool: the same digests
/// for any number of them. Few bytes are hashed by the calling thread alone.
///
/// # Errors
/// Those of [`hash_equal`].
///
/// ```
/// use finalist::{Algorithm, Params, hash_equal, hash_equal_parallel};
/// let (params, messages) = (Params::new(), vec![7; 10_000 * 64]);
/// let digests = hash_equal_parallel(Algorithm::Blake2s, &params, &messages, 64)?;
/// assert_eq!(digests, hash_equal(Algorithm::Blake2s, &params, &messages, 64)?);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "rayon")]
pub fn hash_equal_parallel(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[u8],
    message_bytes: usize,
) -> Result<Vec<u8>, Error> {
    let stride = known_length(algorithm, params)?;
    let count = messages.len().checked_div(message_bytes).unwrap_or(0);
    let mut digests = zeroed(count, stride)?;
    hash_equal_parallel_into(algorithm, params, messages, message_bytes, &mut digests)?;
    Ok(digests)
}

/// Writes the digests of [`hash_equal_parallel`] to a buffer of at least their total length.
///
/// # Errors
/// Those of [`hash_equal`]; [`Error::OutputLength`] if the buffer is too short.
#[cfg(feature = "rayon")]
pub fn hash_equal_parallel_into(
    algorithm: Algorithm,
    params: &Params<'_>,
    messages: &[u8],
    message_bytes: usize,
    digests: &mut [u8],
) -> Result<(), Error> {
    let stride = known_length(algorithm, params)?;
    let count = messages.len().checked_div(message_bytes).unwrap_or(0);
    check_output(count, stride, digests)?;
    if messages.len() % message_bytes.max(1) != 0 || count == 0 {
        return hash_equal_into(algorithm, params, messages, message_bytes, digests);
    }
    let digests = &mut digests[..count * stride];
    crate::digests_in_parts(digests, stride, messages.len(), |rows, digests| {
        let messages = &messages[rows.start * message_bytes..rows.end * message_bytes];
        hash_equal_into(algorithm, params, messages, message_bytes, digests)
    })
}

/// Computes a building block, not a hash function: Grøstl's compression function on one block
/// without padding, from the initial value, then output transformation and truncation. Each digest
/// takes one block of `pairs`, 64 bytes for digests up to 32 bytes and 128 for longer ones: two
/// digests in, one out. Use it for trees only in which every input has this length; otherwise use
/// [`hash_many`].
///
/// # Errors
/// [`Error::Algorithm`] if it is not Grøstl; [`Error::BlockLength`] if `pairs` is not whole blocks.
///
/// ```
/// use finalist::{Algorithm, groestl_pairs};
/// let layer = groestl_pairs(Algorithm::Groestl256, &[7; 4 * 32])?;
/// let root = groestl_pairs(Algorithm::Groestl256, &layer)?;
/// assert_eq!(root.len(), 32);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn groestl_pairs(algorithm: Algorithm, pairs: &[u8]) -> Result<Vec<u8>, Error> {
    let stride = algorithm.description().digest_bytes as usize;
    let mut digests = zeroed(pairs.len() / pair_bytes(stride), stride)?;
    groestl_pairs_into(algorithm, pairs, &mut digests)?;
    Ok(digests)
}

/// Writes the digests of [`groestl_pairs`] to a buffer of at least their total length.
///
/// # Errors
/// Those of [`groestl_pairs`]; [`Error::OutputLength`] if the buffer is too short.
///
/// ```
/// use finalist::{Algorithm, groestl_pairs_into};
/// let mut layer = [0; 2 * 32];
/// groestl_pairs_into(Algorithm::Groestl256, &[7; 4 * 32], &mut layer)?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn groestl_pairs_into(
    algorithm: Algorithm,
    pairs: &[u8],
    digests: &mut [u8],
) -> Result<(), Error> {
    let stride = algorithm.description().digest_bytes as usize;
    if pairs.len() % pair_bytes(stride) != 0 {
        return Err(Error::BlockLength);
    }
    let count = pairs.len() / pair_bytes(stride);
    check_output(count, stride, digests)?;
    // SAFETY: count blocks lie in the slice, and the buffer holds a digest for each.
    Error::check(unsafe {
        sys::fin_groestl_pairs(
            algorithm.number(),
            pairs.as_ptr().cast(),
            count,
            digests.as_mut_ptr(),
            stride,
        )
    })
}

/// Grøstl's block for digests of this length.
fn pair_bytes(digest_bytes: usize) -> usize {
    if digest_bytes <= 32 { 64 } else { 128 }
}

/// The digest's length; an unknown one is an error of its own here, as in C.
pub(crate) fn known_length(algorithm: Algorithm, params: &Params<'_>) -> Result<usize, Error> {
    params
        .digest_length(algorithm)
        .map_err(|_| Error::DigestLength)
}

pub(crate) fn check_output(count: usize, stride: usize, digests: &[u8]) -> Result<(), Error> {
    match count.checked_mul(stride) {
        Some(bytes) if bytes <= digests.len() => Ok(()),
        _ => Err(Error::OutputLength),
    }
}
