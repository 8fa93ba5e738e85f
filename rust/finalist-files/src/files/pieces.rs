// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes one long file of BLAKE3 by several threads. Each reads the pieces that it hashes, so that
//! they are in its core's cache.

use std::io;
use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use finalist::{Hasher, Params, blake3_subtree_cv};
use rayon::prelude::*;

use super::{Opened, READ_BYTES, ReadAt, fill, stop_if_asked};
use crate::progress::Progress;

/// Length of a piece: a subtree of BLAKE3.
pub(super) const PIECE_BYTES: u64 = READ_BYTES as u64;
/// Length of a chunk, the unit of subtrees.
const CHUNK_BYTES: u64 = 1024;

/// A file whose pieces are hashed by the threads of the current rayon pool.
pub(super) struct Pieces<'a> {
    file: &'a Opened,
    params: Params<'a>,
    progress: &'a dyn Progress,
    /// A buffer for each thread.
    buffers: Vec<Vec<u8>>,
}

/// The number of a piece, and its chaining value; `None` if the file ends within the piece.
type Value = (u64, Option<[u8; 32]>);

impl<'a> Pieces<'a> {
    /// `params` are those of the hasher that will receive the pieces.
    pub fn new(
        file: &'a Opened,
        params: Params<'a>,
        progress: &'a dyn Progress,
        threads: usize,
    ) -> Pieces<'a> {
        let buffers = vec![vec![0; READ_BYTES]; threads];
        Pieces {
            file,
            params,
            progress,
            buffers,
        }
    }

    /// Appends the whole pieces in `range` to a hasher that has received those before; there is at
    /// least one. Returns their number of bytes, fewer if the file ends before.
    pub fn append_to(&mut self, hasher: &mut Hasher, range: Range<u64>) -> io::Result<u64> {
        let mut bytes = 0;
        for (_, cv) in self.values(range.start / PIECE_BYTES..range.end / PIECE_BYTES)? {
            let Some(cv) = cv else { break };
            let appended = hasher.append_subtree(&cv, PIECE_BYTES / CHUNK_BYTES);
            appended.map_err(io::Error::other)?;
            bytes += PIECE_BYTES;
        }
        Ok(bytes)
    }

    /// Returns the values of some pieces in order. The threads take the pieces in order, too: a disk
    /// is read nearly sequentially.
    fn values(&mut self, pieces: Range<u64>) -> io::Result<Vec<Value>> {
        let (file, params, progress) = (self.file, self.params, self.progress);
        let next = AtomicU64::new(pieces.start);
        let by_thread = self.buffers.par_iter_mut().map(|buffer| {
            let numbers = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let numbers = numbers.take_while(|&number| number < pieces.end);
            let values = numbers.map(|number| {
                let bytes = fill(&mut ReadAt::new(&file.0, number * PIECE_BYTES), buffer)?;
                if bytes < buffer.len() {
                    return Ok((number, None));
                }
                let cv = blake3_subtree_cv(&params, buffer, number * PIECE_BYTES / CHUNK_BYTES);
                progress.hashed(PIECE_BYTES);
                stop_if_asked(progress)?;
                Ok((number, Some(cv.map_err(io::Error::other)?)))
            });
            values.collect::<io::Result<Vec<Value>>>()
        });
        let mut values = by_thread.collect::<io::Result<Vec<_>>>()?.concat();
        values.sort_unstable_by_key(|&(number, _)| number);
        Ok(values)
    }
}
