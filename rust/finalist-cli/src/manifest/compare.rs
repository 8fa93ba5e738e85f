// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs between two sorted lists of rows.

use std::cmp::Ordering;
use std::iter::Peekable;

use super::reader::Rows;
use super::row::Row;
use crate::failure::Failure;

pub enum Difference {
    Added(Row),
    Removed(Row),
    Changed { new: Row },
}

/// Compares rows with older ones.
pub struct Comparison(Peekable<Rows>);

impl Comparison {
    pub fn new(old: Rows) -> Comparison {
        Comparison(old.peekable())
    }

    /// Tells what the next one of the new rows is to the old ones.
    pub fn next(
        &mut self,
        new: Row,
        tell: &mut impl FnMut(Difference) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        loop {
            let order = self.0.peek().map(|old| match old {
                Ok(old) => old.path.cmp(&new.path),
                Err(_) => Ordering::Less,
            });
            match (order, self.0.next_if(|_| order != Some(Ordering::Greater))) {
                (Some(Ordering::Less), Some(old)) => tell(Difference::Removed(old?))?,
                (Some(Ordering::Equal), Some(old)) => {
                    let is_same = old?.is_same(&new);
                    return if is_same {
                        Ok(())
                    } else {
                        tell(Difference::Changed { new })
                    };
                }
                _ => return tell(Difference::Added(new)),
            }
        }
    }

    /// Tells which old rows come after all new ones.
    pub fn finish(
        &mut self,
        tell: &mut impl FnMut(Difference) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.0
            .by_ref()
            .try_for_each(|old| tell(Difference::Removed(old?)))
    }
}

impl Difference {
    /// `word path`, the path quoted where that is needed. Of a file that was not read: its status.
    pub fn line(&self) -> Vec<u8> {
        let (word, row) = match self {
            Difference::Removed(row) => ("removed", row),
            Difference::Added(row) => ("added", row),
            Difference::Changed { new } => ("changed", new),
        };
        let is_removed = matches!(self, Difference::Removed(_));
        let word = match row.content {
            Err(fault) if !is_removed => fault.status(),
            _ => word,
        };
        line(word, &row.path)
    }
}

pub fn line(word: &str, path: &[u8]) -> Vec<u8> {
    [word.as_bytes(), b" ", &crate::quote::quoted(path)].concat()
}
