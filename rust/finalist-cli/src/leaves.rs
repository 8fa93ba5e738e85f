// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hashes of a Merkle tree's leaves: chunks of a file, or whole files.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use finalist::{Algorithm, Hasher, Params, merkle};

use crate::files::{check_whole, fill, is_stdin};
use crate::stdio::stdin;

/// What is read at once holds about so many bytes, and at least one chunk.
const BATCH_BYTES: usize = 4 << 20;
/// A leaf's hash is that of this byte and the leaf.
const LEAF_PREFIX: [u8; 1] = [0];

/// How the leaves of a tree are hashed.
#[derive(Clone, Copy)]
pub struct Recipe<'a> {
    pub algorithm: Algorithm,
    pub params: Params<'a>,
}

impl Recipe<'_> {
    /// Hands the hashes of a file's chunks to `take`, several at a time. The threads of the current
    /// rayon pool hash one batch while one of them reads the next.
    pub fn hash_chunks(
        &self,
        file: &Path,
        chunk_bytes: usize,
        mut take: impl FnMut(&[u8]) -> Result<(), finalist::Error>,
    ) -> io::Result<()> {
        let mut source = Source::open(file)?;
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
            batch = next?;
        }
        source.finish()
    }

    /// The hash of a leaf that is a whole file.
    pub fn hash_file(&self, file: &Path) -> io::Result<Vec<u8>> {
        let mut hasher = Hasher::new(self.algorithm, &self.params).map_err(io::Error::other)?;
        let mut source = Source::open(file)?;
        hasher.update(&LEAF_PREFIX).map_err(io::Error::other)?;
        loop {
            let batch = source.read(BATCH_BYTES)?;
            if batch.is_empty() {
                source.finish()?;
                return hasher.finalize().map_err(io::Error::other);
            }
            hasher.update_parallel(&batch).map_err(io::Error::other)?;
        }
    }
}

/// A file, or standard input, from its beginning to its end.
struct Source {
    reader: Box<dyn Read + Send>,
    /// The file, and what it was when it was opened.
    file: Option<(File, Metadata)>,
    bytes: u64,
}

impl Source {
    fn open(name: &Path) -> io::Result<Source> {
        if is_stdin(name) {
            let reader = Box::new(stdin()?);
            return Ok(Source {
                reader,
                file: None,
                bytes: 0,
            });
        }
        let file = File::open(name)?;
        let before = file.metadata()?;
        Ok(Source {
            reader: Box::new(file.try_clone()?),
            file: Some((file, before)),
            bytes: 0,
        })
    }

    /// The next so many bytes, fewer only at the end.
    fn read(&mut self, bytes: usize) -> io::Result<Vec<u8>> {
        let mut batch = vec![0; bytes];
        let filled = fill(&mut self.reader, &mut batch)?;
        batch.truncate(filled);
        self.bytes += filled as u64;
        Ok(batch)
    }

    /// Refuses a file that became shorter while it was read.
    fn finish(self) -> io::Result<()> {
        match self.file {
            Some((file, before)) => check_whole(&file, &before, self.bytes),
            None => Ok(()),
        }
    }
}
