// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares two manifests.

use std::collections::{HashMap, VecDeque};

use crate::compare::{Comparison, Difference};
use crate::error::Error;
use crate::reader::Manifest;
use crate::row::Row;

impl Manifest {
    /// Returns the differences from this manifest to a newer one, in the order of paths. A file is
    /// moved if its path is gone and a new path has the same content; empty files are never moved.
    ///
    /// # Errors
    /// One of them cannot be read, or they have different functions, keys or parameters.
    pub fn diff(&self, new: &Manifest) -> Result<Vec<Difference>, Error> {
        self.header.check_like(&new.header, &new.file)?;
        match self.totals == new.totals {
            true => Ok(Vec::new()),
            false => self.compare(new.rows()?),
        }
    }

    /// Compares rows from any source, in the order of their paths.
    ///
    /// # Errors
    /// A row is an error, or the manifest cannot be read.
    pub fn compare(
        &self,
        rows: impl IntoIterator<Item = Result<Row, Error>>,
    ) -> Result<Vec<Difference>, Error> {
        let mut found = Vec::new();
        let mut comparison = Comparison::new(self.rows()?);
        let mut tell = |difference| {
            found.push(difference);
            Ok(())
        };
        for row in rows {
            comparison.next(row?, &mut tell)?;
        }
        comparison.finish(&mut tell)?;
        Ok(with_moves(found))
    }
}

/// Digest and mode, which a moved file keeps.
type Moving = (Vec<u8>, Option<u16>);

/// Replaces the removal and addition of equal files by moves. Keeps the order of paths.
pub fn with_moves(found: Vec<Difference>) -> Vec<Difference> {
    // Match files with the same content in order.
    let mut gone: HashMap<Moving, VecDeque<Row>> = HashMap::new();
    let (mut all, mut added) = (Vec::new(), Vec::new());
    for difference in found {
        match difference {
            Difference::Removed(row) => match moving(&row) {
                Some(kept) => gone.entry(kept).or_default().push_back(row),
                None => all.push(Difference::Removed(row)),
            },
            Difference::Added(row) => added.push(row),
            changed => all.push(changed),
        }
    }
    all.extend(added.into_iter().map(|row| {
        let from = moving(&row).and_then(|kept| gone.get_mut(&kept)?.pop_front());
        match from {
            Some(old) => Difference::Moved { old, new: row },
            None => Difference::Added(row),
        }
    }));
    all.extend(gone.into_values().flatten().map(Difference::Removed));
    all.sort_by(|one, other| one.path().cmp(other.path()));
    all
}

/// Returns the values that identify a moved file.
fn moving(row: &Row) -> Option<Moving> {
    let content = row.content.as_ref().ok()?;
    let mode = row.metadata.mode;
    (content.size != 0).then(|| (content.digest.clone(), mode))
}
