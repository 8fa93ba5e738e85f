// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs between two sorted lists of rows.

use std::cmp::Ordering;
use std::iter::Peekable;

use finalist_files::quote::quoted;

use crate::error::Error;
use crate::reader::Rows;
use crate::row::{Content, Row};

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

    /// Whether a file has other content than it had, although its size and time are the same: no program
    /// that writes to files does that, a failing disk does.
    pub fn is_corrupt(&self) -> bool {
        let Difference::Changed { old, new } = self else {
            return false;
        };
        let (Ok(old), Ok(new)) = (&old.content, &new.content) else {
            return false;
        };
        let time = |content: &Content| content.stamp.modified_ns;
        time(old).is_some() && time(old) == time(new) && old.size == new.size
    }

    /// `added`, `removed`, `changed`, `corrupt` or `moved`. Of a file that was not read: its status.
    pub fn word(&self) -> &'static str {
        match self {
            Difference::Removed(_) => "removed",
            Difference::Moved { .. } => "moved",
            Difference::Added(Row {
                content: Err(fault),
                ..
            })
            | Difference::Changed {
                new:
                    Row {
                        content: Err(fault),
                        ..
                    },
                ..
            } => fault.status(),
            Difference::Added(_) => "added",
            Difference::Changed { .. } if self.is_corrupt() => "corrupt",
            Difference::Changed { .. } => "changed",
        }
    }

    /// `word path`, the path quoted where that is needed; `moved path -> path`.
    pub fn line(&self) -> Vec<u8> {
        let word = self.word().as_bytes();
        let path = quoted(self.path());
        match self {
            Difference::Moved { old, .. } => {
                [word, b" ", &quoted(&old.path), b" -> ", &path].concat()
            }
            _ => [word, b" ", &path].concat(),
        }
    }
}
