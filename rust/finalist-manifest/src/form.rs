// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interface of all manifest forms.

use std::io;

use crate::header::Totals;
use crate::row::Row;

/// Rows in a row group; also the number of rows that are hashed and written at once.
pub const ROWS_AT_ONCE: usize = 1 << 16;
/// Bytes of rows after which no more are read at once: far more than sound ones take.
const BYTES_AT_ONCE: usize = 64 << 20;

/// Writes a manifest.
pub trait WriteRows {
    /// Appends rows and their concatenated leaf hashes.
    fn rows(&mut self, rows: &[Row], leaves: &[u8]) -> io::Result<()>;

    /// Completes the manifest.
    fn finish(self: Box<Self>, totals: &Totals) -> io::Result<()>;
}

/// Consecutive rows of a manifest.
#[derive(Default)]
pub struct Batch {
    /// The rows.
    pub rows: Vec<Row>,
    /// Their leaf hashes, if the manifest has them.
    pub leaves: Option<Vec<Vec<u8>>>,
    /// Bytes of both.
    bytes: usize,
}

impl Batch {
    /// Appends a row and its leaf hash, if the manifest has them.
    pub fn push(&mut self, row: Row, leaf: Option<Vec<u8>>) {
        let content = row.content.as_ref().ok();
        let digest = content.map(|content| &content.digest);
        let values = [digest, row.metadata.target.as_ref(), leaf.as_ref()];
        let lengths = values.into_iter().flatten().map(Vec::len);
        self.bytes += row.path.len() + lengths.sum::<usize>();
        if let Some(leaf) = leaf {
            self.leaves.get_or_insert_default().push(leaf);
        }
        self.rows.push(row);
    }

    /// Returns true if no more rows are to be read at once.
    pub fn is_full(&self) -> bool {
        self.rows.len() >= ROWS_AT_ONCE || self.bytes >= BYTES_AT_ONCE
    }
}

/// Reads a manifest.
pub trait ReadRows {
    /// Returns the next rows; none after the last.
    fn batch(&mut self) -> Result<Batch, String>;

    /// Returns count and root. Call it after reading all rows.
    fn totals(&self) -> Result<Totals, String>;
}
