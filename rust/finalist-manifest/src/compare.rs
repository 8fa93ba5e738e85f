// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs between two sorted lists of rows.

use std::cmp::Ordering;
use std::iter::Peekable;

use finalist_files::quote::quoted;

use crate::error::Error;
use crate::reader::Rows;
use crate::row::Row;

/// What differs between older and newer rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// A path that is there only now.
    Added(Row),
    /// A path that is there no more.
    Removed(Row),
    /// A path whose file is another one.
    Changed {
        /// The row as it was.
        old: Row,
        /// The row as it is.
        new: Row,
    },
    /// A file that has another path now.
    Moved {
        /// The row as it was.
        old: Row,
        /// The row as it is.
        new: Row,
    },
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
        tell: &mut impl FnMut(Difference) -> Result<(), Error>,
    ) -> Result<(), Error> {
        loop {
            let order = self.0.peek().map(|old| match old {
                Ok(old) => old.path.cmp(&new.path),
                Err(_) => Ordering::Less,
            });
            match (order, self.0.next_if(|_| order != Some(Ordering::Greater))) {
                (Some(Ordering::Less), Some(old)) => tell(Difference::Removed(old?))?,
                (Some(Ordering::Equal), Some(old)) => {
                    let old = old?;
                    return match old.is_same(&new) {
                        true => Ok(()),
                        false => tell(Difference::Changed { old, new }),
                    };
                }
                _ => return tell(Difference::Added(new)),
            }
        }
    }

    /// Tells which old rows come after all new ones.
    pub fn finish(
        &mut self,
        tell: &mut impl FnMut(Difference) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.0
            .by_ref()
            .try_for_each(|old| tell(Difference::Removed(old?)))
    }
}

impl Difference {
    /// The path that the file has, or had.
    pub fn path(&self) -> &[u8] {
        match self {
            Difference::Added(row) | Difference::Removed(row) => &row.path,
            Difference::Changed { new, .. } | Difference::Moved { new, .. } => &new.path,
        }
    }

    /// `word path`, the path quoted where that is needed. Of a file that was not read: its status.
    pub fn line(&self) -> Vec<u8> {
        let (word, row) = match self {
            Difference::Removed(row) => ("removed", row),
            Difference::Added(row) => ("added", row),
            Difference::Changed { new, .. } => ("changed", new),
            Difference::Moved { old, new } => {
                let [old, new] = [old, new].map(|row| quoted(&row.path));
                return [b"moved ", &old[..], b" -> ", &new[..]].concat();
            }
        };
        let is_removed = matches!(self, Difference::Removed(_));
        let word = match row.content {
            Err(fault) if !is_removed => fault.status(),
            _ => word,
        };
        [word.as_bytes(), b" ", &quoted(&row.path)].concat()
    }
}
