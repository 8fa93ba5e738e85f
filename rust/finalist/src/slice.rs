// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slices of BLAKE3: proofs that some bytes are at an offset in the message of an ordinary digest.
//!
//! BLAKE3 hashes a message as a tree over chunks of 1024 bytes. A proof holds the chaining values of
//! the subtrees beside the slice, and of the chunks that the slice does not fill the other bytes. It
//! holds the message's last chunk, too, and so proves the message's length.
//!
//! The digest alone is enough to verify: neither the length nor the offset need be trusted. Compare the
//! offset with the one that you asked for, since a proof about another one verifies as well.
//!
//! There are no consistency proofs: chunks say which number they have, and the root that it is the
//! root, so that the tree of a message is no part of that of a longer one.
//!
//! ```
//! use finalist::{Algorithm, Params, hash, slice};
//! let (params, message) = (Params::new(), [7; 5000]);
//! let digest = hash(Algorithm::Blake3, &params, &message)?;
//!
//! let proof = slice::prove(&params, &message[..], 5000, 2000..2100)?;
//! slice::verify(&params, &proof, &[7; 100][..], digest[..].try_into()?)?;
//! assert!(slice::verify(&params, &proof, &[8; 100][..], digest[..].try_into()?).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::{mem, ops::Range, slice};
use std::io::{Error as ReadError, ErrorKind, Read, Result};
use std::{vec, vec::Vec};

use finalist_sys as sys;

use crate::{Algorithm, Error, Params, blake3_subtree_cv, hash_into};

/// Bytes of a chaining value and of the digest.
const HASH_BYTES: usize = 32;
const CHUNK_BYTES: u64 = 1024;
/// Bytes that are read at a time. A power of two, so that they make a subtree.
const BUFFER_BYTES: u64 = 1 << 20;

/// A proof about a slice of a message. `docs/format/proofs.md` describes its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceProof {
    /// Length of the message.
    pub message_bytes: u64,
    /// Offset of the slice's first byte in the message.
    pub offset: u64,
    /// Length of the slice; 0, with the offset 0, proves the message's length only.
    pub slice_bytes: u64,
    /// Chaining values of the subtrees beside the slice and the last chunk, from left to right.
    pub hashes: Vec<[u8; HASH_BYTES]>,
    /// The bytes before the slice in its first chunk.
    pub before: Vec<u8>,
    /// The bytes after the slice in its last chunk.
    pub after: Vec<u8>,
    /// The message's last chunk, unless the slice reaches it.
    pub last: Vec<u8>,
}

/// Proves that the bytes of `slice` are those at their offset in the message, which `message` reads.
///
/// `params` has the key or the context to derive one, if there is one; the digest has 32 bytes.
///
/// # Errors
/// [`Error::Index`] in a [`ReadError`] if the slice is not in the message or is empty elsewhere than at
/// 0, others of
/// [`hash`](crate::hash) likewise; an error of reading, `UnexpectedEof` for a shorter message than
/// `message_bytes` and `InvalidData` for a longer one among them.
///
/// ```
/// use finalist::{Params, slice};
/// let proof = slice::prove(&Params::new(), &b"a short message"[..], 15, 2..7)?;
/// assert_eq!((&proof.before[..], &proof.after[..]), (&b"a "[..], &b" message"[..]));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn prove(
    params: &Params<'_>,
    message: impl Read,
    message_bytes: u64,
    slice: Range<u64>,
) -> Result<SliceProof> {
    let shape = Shape::new(message_bytes, slice).map_err(ReadError::other)?;
    let mut prover = Prover {
        nodes: Nodes::new(params),
        message: Recorder {
            message,
            at: 0,
            kept: shape.kept().map(|range| (range, Vec::new())),
        },
        hashes: Vec::new(),
    };
    shape.root(&mut prover)?;
    expect_end(&mut prover.message)?;
    let [before, after, last] = prover.message.kept.map(|(_, bytes)| bytes);
    Ok(SliceProof {
        message_bytes,
        offset: shape.slice.start,
        slice_bytes: shape.slice.end - shape.slice.start,
        hashes: prover.hashes,
        before,
        after,
        last,
    })
}

/// Checks that the proof shows that the bytes that `slice` reads are at `proof.offset` of the message
/// with this digest, and that the message has `proof.message_bytes`.
///
/// # Errors
/// [`Error::Proof`] in a [`ReadError`] if it does not show it; those of [`prove`] for `params`; an error
/// of reading.
///
/// ```
/// use finalist::{Algorithm, Params, hash, slice};
/// let params = Params::new();
/// let digest = hash(Algorithm::Blake3, &params, b"a short message")?;
/// let proof = slice::prove(&params, &b"a short message"[..], 15, 2..7)?;
/// slice::verify(&params, &proof, &b"short"[..], digest[..].try_into()?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(
    params: &Params<'_>,
    proof: &SliceProof,
    slice: impl Read,
    digest: &[u8; HASH_BYTES],
) -> Result<()> {
    let refused = || ReadError::other(Error::Proof);
    let end = proof.offset.checked_add(proof.slice_bytes);
    let shape = Shape::new(proof.message_bytes, proof.offset..end.ok_or_else(refused)?);
    let shape = shape.map_err(|_| refused())?;
    let [before, after, last] = shape.kept().map(|range| range.end - range.start);
    let lengths = [&proof.before, &proof.after, &proof.last].map(|bytes| bytes.len() as u64);
    if lengths != [before, after, last] {
        return Err(refused());
    }
    let mut verifier = Verifier {
        nodes: Nodes::new(params),
        slice: proof.before[..].chain(slice).chain(&proof.after[..]),
        hashes: proof.hashes.iter(),
        last: &proof.last,
    };
    let root = shape.root(&mut verifier);
    let root = root.map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => refused(),
        _ => error,
    })?;
    let whole = verifier.hashes.next().is_none();
    match expect_end(verifier.slice) {
        Err(error) if error.kind() != ErrorKind::InvalidData => Err(error),
        Ok(()) if whole && root == *digest => Ok(()),
        _ => Err(refused()),
    }
}

/// Refuses a reader that has more bytes.
fn expect_end(mut reader: impl Read) -> Result<()> {
    let mut more = Vec::new();
    match reader.by_ref().take(1).read_to_end(&mut more)? {
        0 => Ok(()),
        _ => Err(ReadError::new(
            ErrorKind::InvalidData,
            "more bytes than there should be",
        )),
    }
}

/// Which chunks of a message a proof opens: those that the slice touches, and the last one.
struct Shape {
    message_bytes: u64,
    slice: Range<u64>,
    touched: Range<u64>,
    last: Range<u64>,
}

impl Shape {
    fn new(message_bytes: u64, slice: Range<u64>) -> core::result::Result<Shape, Error> {
        let nowhere = slice.is_empty() && slice.start != 0;
        if nowhere || slice.start > slice.end || slice.end > message_bytes {
            return Err(Error::Index);
        }
        let chunk_of = |at: u64| at / CHUNK_BYTES * CHUNK_BYTES;
        let end_of_chunk = |at: u64| message_bytes.min(chunk_of(at).saturating_add(CHUNK_BYTES));
        let touched = match slice.is_empty() {
            true => 0..0,
            false => chunk_of(slice.start)..end_of_chunk(slice.end - 1),
        };
        let last = chunk_of(message_bytes.saturating_sub(1))..message_bytes;
        Ok(Shape {
            message_bytes,
            last: if touched.end == message_bytes {
                0..0
            } else {
                last
            },
            touched,
            slice,
        })
    }

    /// The bytes of the message that a proof keeps: before and after the slice, and the last chunk.
    fn kept(&self) -> [Range<u64>; 3] {
        if self.slice.is_empty() {
            return [0..0, 0..0, self.last.clone()];
        }
        let (slice, touched) = (&self.slice, &self.touched);
        [
            touched.start..slice.start,
            slice.end..touched.end,
            self.last.clone(),
        ]
    }

    /// The message's digest.
    fn root(&self, source: &mut impl Source) -> Result<[u8; HASH_BYTES]> {
        if self.message_bytes <= CHUNK_BYTES {
            return source.message(self.message_bytes as usize, !self.touched.is_empty());
        }
        self.parent(source, 0..self.message_bytes, true)
    }

    /// The chaining value of the subtree over these bytes.
    fn subtree(&self, source: &mut impl Source, range: Range<u64>) -> Result<[u8; HASH_BYTES]> {
        let meets = |other: &Range<u64>| range.start < other.end && other.start < range.end;
        if !meets(&self.touched) && !meets(&self.last) {
            source.sibling(range)
        } else if self.touched.start <= range.start && range.end <= self.touched.end {
            source.touched(range)
        } else if range == self.last {
            source.last(range)
        } else {
            self.parent(source, range, false)
        }
    }

    fn parent(
        &self,
        source: &mut impl Source,
        range: Range<u64>,
        root: bool,
    ) -> Result<[u8; HASH_BYTES]> {
        let middle = middle_of(&range);
        let left = self.subtree(source, range.start..middle)?;
        let right = self.subtree(source, middle..range.end)?;
        source.nodes().merge(left, right, root)
    }
}

/// Returns the position at which a subtree with more than one chunk is divided.
fn middle_of(range: &Range<u64>) -> u64 {
    let chunks = (range.end - range.start).div_ceil(CHUNK_BYTES);
    range.start + CHUNK_BYTES * (chunks.next_power_of_two() / 2)
}

/// Nodes of the tree, from bytes that are read.
struct Nodes<'a> {
    params: Params<'a>,
    buffer: Vec<u8>,
}

impl<'a> Nodes<'a> {
    fn new(params: &Params<'a>) -> Nodes<'a> {
        let buffer = Vec::new();
        Nodes {
            params: params.digest_bytes(HASH_BYTES as u64),
            buffer,
        }
    }

    /// The digest of a message that is one chunk.
    fn message(&self, bytes: &[u8]) -> Result<[u8; HASH_BYTES]> {
        let mut digest = [0; HASH_BYTES];
        hash_into(Algorithm::Blake3, &self.params, bytes, &mut digest).map_err(ReadError::other)?;
        Ok(digest)
    }

    fn merge(
        &self,
        left: [u8; HASH_BYTES],
        right: [u8; HASH_BYTES],
        root: bool,
    ) -> Result<[u8; HASH_BYTES]> {
        let (children, mut out) = ([left, right], [0; HASH_BYTES]);
        // SAFETY: the children are 64 bytes, and the output has 32.
        Error::check(self.params.with_c(|params| unsafe {
            sys::fin_blake3_merge(out.as_mut_ptr(), params, children.as_ptr().cast(), root)
        }))
        .map_err(ReadError::other)?;
        Ok(out)
    }

    /// The chaining value of the subtree that begins at `offset` of the message.
    fn subtree(&self, bytes: &[u8], offset: u64) -> Result<[u8; HASH_BYTES]> {
        let cv = blake3_subtree_cv(&self.params, bytes, offset / CHUNK_BYTES);
        cv.map_err(ReadError::other)
    }

    /// As `subtree`, of bytes that are read.
    fn read(&mut self, reader: &mut impl Read, range: Range<u64>) -> Result<[u8; HASH_BYTES]> {
        let bytes = range.end - range.start;
        if bytes > BUFFER_BYTES {
            let middle = middle_of(&range);
            let left = self.read(reader, range.start..middle)?;
            let right = self.read(reader, middle..range.end)?;
            return self.merge(left, right, false);
        }
        let mut buffer = mem::take(&mut self.buffer);
        buffer.resize(bytes as usize, 0);
        reader.read_exact(&mut buffer)?;
        let cv = self.subtree(&buffer, range.start);
        self.buffer = buffer;
        cv
    }
}

/// A source of nodes in the order of the message.
trait Source {
    fn nodes(&self) -> &Nodes<'_>;
    /// A subtree beside what the proof opens.
    fn sibling(&mut self, range: Range<u64>) -> Result<[u8; HASH_BYTES]>;
    /// A subtree of chunks that the slice touches.
    fn touched(&mut self, range: Range<u64>) -> Result<[u8; HASH_BYTES]>;
    /// The last chunk, which the slice does not touch.
    fn last(&mut self, range: Range<u64>) -> Result<[u8; HASH_BYTES]>;
    /// The digest of a message that is one chunk, which the slice may touch.
    fn message(&mut self, bytes: usize, touched: bool) -> Result<[u8; HASH_BYTES]>;
}

/// Reads the whole message, and keeps what the proof needs.
struct Prover<'a, R> {
    nodes: Nodes<'a>,
    message: Recorder<R>,
    hashes: Vec<[u8; HASH_BYTES]>,
}

impl<R: Read> Source for Prover<'_, R> {
    fn nodes(&self) -> &Nodes<'_> {
        &self.nodes
    }

    fn sibling(&mut self, range: Range<u64>) -> Result<[u8; HASH_BYTES]> {
        let cv = self.touched(range)?;
        self.hashes.push(cv);
        Ok(cv)
    }

    fn touched(&mut self, range: Range<u64>) -> Result<[u8; HASH_BYTES]> {
        self.nodes.read(&mut self.message, range)
    }

    fn last(&mut self, range: Range<u64>) -> Result<[u8; HASH_BYTES]> {
        self.touched(range)
    }

    fn message(&mut self, bytes: usize, _: bool) -> Result<[u8; HASH_BYTES]> {
        let mut message = vec![0; bytes];
        self.message.read_exact(&mut message)?;
        self.nodes.message(&message)
    }
}

/// Takes the slice from its reader, and the rest from the proof.
struct Verifier<'a, R> {
    nodes: Nodes<'a>,
    slice: R,
    hashes: slice::Iter<'a, [u8; HASH_BYTES]>,
    last: &'a [u8],
}

impl<R: Read> Source for Verifier<'_, R> {
    fn nodes(&self) -> &Nodes<'_> {
        &self.nodes
    }

    fn sibling(&mut self, _: Range<u64>) -> Result<[u8; HASH_BYTES]> {
        let next = self.hashes.next().copied();
        next.ok_or_else(|| ReadError::other(Error::Proof))
    }

    fn touched(&mut self, range: Range<u64>) -> Result<[u8; HASH_BYTES]> {
        self.nodes.read(&mut self.slice, range)
    }

    fn last(&mut self, range: Range<u64>) -> Result<[u8; HASH_BYTES]> {
        self.nodes.subtree(self.last, range.start)
    }

    fn message(&mut self, bytes: usize, touched: bool) -> Result<[u8; HASH_BYTES]> {
        if !touched {
            return self.nodes.message(self.last);
        }
        let mut message = vec![0; bytes];
        self.slice.read_exact(&mut message)?;
        self.nodes.message(&message)
    }
}

/// Reads a message, and keeps some ranges of it.
struct Recorder<R> {
    message: R,
    at: u64,
    kept: [(Range<u64>, Vec<u8>); 3],
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.message.read(buffer)?;
        let read = self.at..self.at + count as u64;
        for (range, bytes) in &mut self.kept {
            let (first, end) = (range.start.max(read.start), range.end.min(read.end));
            if first < end {
                let place = |at: u64| (at - read.start) as usize;
                bytes.extend(&buffer[place(first)..place(end)]);
            }
        }
        self.at = read.end;
        Ok(count)
    }
}
