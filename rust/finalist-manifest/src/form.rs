// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the forms of a manifest have in common.

use std::io;

use crate::header::Totals;
use crate::row::Row;

/// Rows of a row group, and of what is hashed and written at once.
pub const ROWS_AT_ONCE: usize = 1 << 16;

/// Writes a manifest.
pub trait WriteRows {
    /// Appends rows, and their leaf hashes one after the other.
    fn rows(&mut self, rows: &[Row], leaves: &[u8]) -> io::Result<()>;

    /// Completes the manifest.
    fn finish(self: Box<Self>, totals: &Totals) -> io::Result<()>;
}

/// Consecutive rows as they were read.
#[derive(Default)]
pub struct Batch {
    /// The rows.
    pub rows: Vec<Row>,
    /// Their leaf hashes, if they stand in the manifest.
    pub leaves: Option<Vec<Vec<u8>>>,
}

/// Reads a manifest.
pub trait ReadRows {
    /// The next rows; none at the end.
    fn batch(&mut self) -> Result<Batch, String>;

    /// Count and root, once all rows were read.
    fn totals(&self) -> Result<Totals, String>;
}
