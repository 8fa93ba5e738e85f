// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares two sorted lists of rows.

use std::cmp::Ordering;
use std::iter::Peekable;

use finalist_files::quote::quoted;

use crate::error::Error;
use crate::reader::Rows;
use crate::row::{Content, Row};

/// A difference between older and newer rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// A path that only the newer rows have.
    Added(Row),
    /// A path that only the older rows have.
    Removed(Row),
    /// A path with changed content or mode.
    Changed {
        /// The older row.
        old: Row,
        /// The newer row.
        new: Row,
    },
    /// A file with another path in the newer rows.
    Moved {
        /// The older row.
        old: Row,
        /// The newer row.
        new: Row,
    },
}

/// Compares rows with older ones.
pub struct Comparison(Peekable<Rows>);

impl Comparison {
    pub fn new(old: Rows) -> Comparison {
        Comparison(old.peekable())
    }

    /// Compares the next of the new rows with the old ones.
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

    /// Reports the old rows after the last new one.
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
    /// Returns the file's path; for a moved file, the new one.
    pub fn path(&self) -> &[u8] {
        match self {
            Difference::Added(row) | Difference::Removed(row) => &row.path,
            Difference::Changed { new, .. } | Difference::Moved { new, .. } => &new.path,
        }
    }

    /// Returns true if the content changed but size and time did not. A failing disk causes this;
    /// programs that write files do not.
    pub fn is_corrupt(&self) -> bool {
        let Difference::Changed { old, new } = self else {
            return false;
        };
        let (Ok(old), Ok(new)) = (&old.content, &new.content) else {
            return false;
        };
        let time = |content: &Content| content.stamp.modified_ns;
        let is_same_time = time(old).is_some() && time(old) == time(new);
        is_same_time && old.size == new.size && old.digest != new.digest
    }

    /// Returns `added`, `removed`, `changed`, `corrupt`, `moved`, or `mode` if only the mode
    /// changed; for a file that was not read, its status.
    pub fn word(&self) -> &'static str {
        match self {
            Difference::Removed(_) => "removed",
            Difference::Moved { .. } => "moved",
            Difference::Added(Row {
                content: Err(reason),
                ..
            })
            | Difference::Changed {
                new:
                    Row {
                        content: Err(reason),
                        ..
                    },
                ..
            } if reason.is_fault() => reason.status(),
            Difference::Added(_) => "added",
            Difference::Changed { .. } if self.is_corrupt() => "corrupt",
            Difference::Changed { old, new } if old.has_content_of(new) => "mode",
            Difference::Changed { .. } => "changed",
        }
    }

    /// Returns `word path`, with the path quoted if necessary; `moved path -> path` for a moved
    /// file.
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
