// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes the leaves of a Merkle tree: chunks of a file, or whole files.

use std::io::{self, Stdin};
use std::path::Path;

use finalist::{Algorithm, Hasher, Params, merkle};

use crate::files::{Opened, check_whole, fill};
use crate::platform::Stat;
use crate::progress::Progress;
use crate::stdin::{is_stdin, stdin};

/// Approximate number of bytes to read at once: at least one chunk.
const BATCH_BYTES: usize = 4 << 20;
/// A leaf's hash is the hash of this byte and the leaf.
const LEAF_PREFIX: [u8; 1] = [0];

/// Parameters for hashing the leaves of a tree.
#[derive(Clone, Copy)]
pub struct ChunkHash<'a> {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Length of the hashes, key, salt and the other parameters.
    pub params: Params<'a>,
    /// Receives the progress.
    pub progress: &'a dyn Progress,
}

/// Maximum size of a chunk in bytes.
pub const CHUNK_BYTES_MAX: u64 = 1 << 30;

impl ChunkHash<'_> {
    /// Builds the tree over a file's chunks.
    ///
    /// # Errors
    /// The file cannot be read, or no tree has these parameters.
    pub fn tree(&self, file: &Path, chunk_bytes: u64) -> io::Result<merkle::Tree> {
        let tree = merkle::Tree::new(self.algorithm, &self.params);
        let mut tree = tree.map_err(io::Error::other)?;
        self.hash_chunks(file, chunk_bytes as usize, |hashes| tree.append(hashes))?;
        Ok(tree)
    }

    /// Passes the hashes of a file's chunks to `take`, several at a time. The threads of the
    /// current rayon pool hash one batch while one of them reads the next.
    ///
    /// # Errors
    /// The file cannot be read, or `take` fails.
    pub fn hash_chunks(
        &self,
        file: &Path,
        chunk_bytes: usize,
        mut take: impl FnMut(&[u8]) -> Result<(), finalist::Error>,
    ) -> io::Result<()> {
        let mut source = Source::open(file, self.progress)?;
        let batch_bytes = (BATCH_BYTES / chunk_bytes).max(1) * chunk_bytes;
        let mut batch = source.read(batch_bytes)?;
        while !batch.is_empty() {
            let chunks: Vec<_> = batch.chunks(chunk_bytes).collect();
            let (hashes, next) = rayon::join(
                || merkle::leaf_hashes_parallel(self.algorithm, &self.params, &chunks),
                || source.read(batch_bytes),
            );
            hashes
                .and_then(|hashes| take(&hashes))
                .map_err(io::Error::other)?;
            self.progress.hashed(batch.len() as u64);
            batch = next?;
        }
        source.finish()
    }

    /// Returns the hash of a leaf that is a whole file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn hash_file(&self, file: &Path) -> io::Result<Vec<u8>> {
        let mut hasher = Hasher::new(self.algorithm, &self.params).map_err(io::Error::other)?;
        let mut source = Source::open(file, self.progress)?;
        hasher.update(&LEAF_PREFIX).map_err(io::Error::other)?;
        loop {
            let batch = source.read(BATCH_BYTES)?;
            if batch.is_empty() {
                source.finish()?;
                return hasher.finalize().map_err(io::Error::other);
            }
            hasher.update_parallel(&batch).map_err(io::Error::other)?;
            self.progress.hashed(batch.len() as u64);
        }
    }
}

/// A file, or standard input, from its beginning to its end.
struct Source {
    input: Input,
    bytes: u64,
}

enum Input {
    Stdin(Stdin),
    /// A file and its metadata when it was opened.
    File(Opened, Stat),
}

impl Source {
    fn open(name: &Path, progress: &dyn Progress) -> io::Result<Source> {
        let input = if is_stdin(name) {
            Input::Stdin(stdin()?)
        } else {
            let file = Opened::new(name)?;
            let before = file.stat()?;
            progress.found(before.bytes);
            progress.reading(name);
            Input::File(file, before)
        };
        Ok(Source { input, bytes: 0 })
    }

    /// Reads the next bytes: fewer than requested only at the end.
    fn read(&mut self, bytes: usize) -> io::Result<Vec<u8>> {
        let mut batch = vec![0; bytes];
        let filled = match &mut self.input {
            Input::Stdin(stdin) => fill(stdin, &mut batch)?,
            Input::File(file, _) => fill(file, &mut batch)?,
        };
        batch.truncate(filled);
        self.bytes += filled as u64;
        Ok(batch)
    }

    /// Fails if a file became shorter while it was read.
    fn finish(self) -> io::Result<()> {
        match &self.input {
            Input::Stdin(_) => Ok(()),
            Input::File(file, before) => check_whole(file, before, self.bytes),
        }
    }
}
