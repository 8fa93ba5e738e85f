// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interface of all manifest forms.

use std::io;

use crate::header::Totals;
use crate::row::Row;

/// Rows in a row group; also the number of rows that are hashed and written at once.
pub const ROWS_AT_ONCE: usize = 1 << 16;

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
}

/// Reads a manifest.
pub trait ReadRows {
    /// Returns the next rows; none after the last.
    fn batch(&mut self) -> Result<Batch, String>;

    /// Returns count and root. Call it after reading all rows.
    fn totals(&self) -> Result<Totals, String>;
}
