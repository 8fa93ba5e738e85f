// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looks up rows of an earlier manifest in the order of their paths.

use std::cmp::Ordering;
use std::iter::Peekable;

use crate::error::Error;
use crate::row::Row;

type Rows = Box<dyn Iterator<Item = Result<Row, Error>> + Send>;

pub struct Known(Peekable<Rows>);

impl Known {
    pub fn new(rows: impl Iterator<Item = Result<Row, Error>> + Send + 'static) -> Known {
        let rows: Rows = Box::new(rows);
        Known(rows.peekable())
    }

    /// Reads the remaining rows: a manifest is known to be sound only after the last.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.0.try_for_each(|row| row.map(drop))
    }

    /// Returns the row of a path. Call it with paths in ascending order.
    pub fn find(&mut self, path: &[u8]) -> Result<Option<Row>, Error> {
        loop {
            let order = match self.0.peek() {
                None => return Ok(None),
                Some(Ok(row)) => row.path.as_slice().cmp(path),
                Some(Err(_)) => Ordering::Less,
            };
            match order {
                Ordering::Greater => return Ok(None),
                Ordering::Equal => return self.0.next().transpose(),
                Ordering::Less => drop(self.0.next().transpose()?),
            }
        }
    }
}
