// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares two tables whose rows are mostly in the same order, for finalist._aligned: finds rows
//! without an equal neighbour.

use std::ops::Range;

use pyo3::prelude::*;

use crate::arrow::column::BadRow;
use crate::arrow::import::Import;
use crate::engine::Rows;
use crate::rows::{Table, choose, table_of};
use crate::tables::KeyedRows;

/// The maximum number of rows to search for a row's key.
const WINDOW_ROWS: usize = 4096;
/// Limit of rows that all searches may look ahead; each row read raises it. So tables in different
/// orders do not take quadratic time.
pub const LOOKS: usize = 1 << 20;
const LOOKS_A_ROW: usize = 16;
/// Rows to compare at once: few, since most tables that differ do so in every batch.
const RUN_ROWS: usize = 128;

/// Compares batches of two tables until one of them ends.
pub fn walk(
    rows: &KeyedRows,
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    looks: usize,
) -> PyResult<Walk> {
    let py = old.py();
    let mut found = Walk {
        looks: looks.min(LOOKS),
        ..Walk::default()
    };
    let names = rows.all.columns.as_deref();
    let mut old = Import::new(old, names, false)?;
    let mut new = Import::new(new, names, false)?;
    let (one, encoding) = choose(py, old.schema(), &rows.all)?;
    let (other, _) = choose(py, new.schema(), &rows.all)?;
    if let (Some(old), Some(new)) = (old.next(py)?, new.next(py)?) {
        let old = table_of(&old, &one, encoding, b"")?;
        let new = table_of(&new, &other, encoding, b"")?;
        let keys = rows.key_count();
        if py.detach(|| found.walk(&old, &new, keys)).is_err() {
            return Err(if old.has_bad_row() { old } else { new }.bad_row());
        }
    }
    Ok(found)
}

/// A comparison of two tables, row by row.
#[derive(Default)]
pub struct Walk {
    /// The number of rows of each that were compared.
    pub old_row: usize,
    pub new_row: usize,
    /// The indices of the rows of each that have no equal neighbour.
    pub old_left: Vec<i64>,
    pub new_left: Vec<i64>,
    /// The remaining number of rows to look ahead.
    pub looks: usize,
    /// Rows compared one by one since a run was tried, modulo its length.
    compared: usize,
    /// Encodings of the values to compare.
    scratch: [Vec<u8>; 2],
}

impl Walk {
    fn walk(&mut self, old: &Table<'_>, new: &Table<'_>, keys: usize) -> Result<(), BadRow> {
        let (old_rows, new_rows) = (old.len(), new.len());
        while self.old_row < old_rows && self.new_row < new_rows {
            let (row, other) = (self.old_row, self.new_row);
            let is_run = row + RUN_ROWS <= old_rows && other + RUN_ROWS <= new_rows;
            if self.compared == 0 && is_run && old.is_same_run(row, new, other, RUN_ROWS) {
                self.take(0, 0, RUN_ROWS, RUN_ROWS);
                continue;
            }
            self.compared = (self.compared + 1) % RUN_ROWS;
            let is_key_same = self.is_same(old, row, new, other, 0..keys)?;
            if is_key_same && self.is_same(old, row, new, other, keys..old.columns())? {
                self.take(0, 0, 1, 1);
                continue;
            }
            let window = WINDOW_ROWS.min(self.looks / 2);
            let mut skipped = (1, 1);
            if !is_key_same {
                for ahead in 1..window {
                    self.looks -= 2;
                    let (row_ahead, other_ahead) = (row + ahead, other + ahead);
                    if other_ahead < new_rows
                        && self.is_same(old, row, new, other_ahead, 0..keys)?
                    {
                        skipped = (0, ahead);
                        break;
                    }
                    if row_ahead < old_rows && self.is_same(old, row_ahead, new, other, 0..keys)? {
                        skipped = (ahead, 0);
                        break;
                    }
                }
            }
            self.take(skipped.0, skipped.1, skipped.0, skipped.1);
        }
        Ok(())
    }

    /// Advances by some rows; the first of them have no equal neighbour.
    fn take(&mut self, old_left: usize, new_left: usize, old: usize, new: usize) {
        let range = |first: usize, count: usize| first as i64..(first + count) as i64;
        self.old_left.extend(range(self.old_row, old_left));
        self.new_left.extend(range(self.new_row, new_left));
        self.old_row += old;
        self.new_row += new;
        self.looks = (self.looks + LOOKS_A_ROW * old.max(new)).min(LOOKS);
    }

    /// Returns true if some columns of two rows have the same encoding.
    fn is_same(
        &mut self,
        old: &Table<'_>,
        row: usize,
        new: &Table<'_>,
        other: usize,
        columns: Range<usize>,
    ) -> Result<bool, BadRow> {
        for column in columns {
            if !old.is_same(row, new, other, column, &mut self.scratch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
