// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs between two manifests.

use std::collections::{HashMap, VecDeque};

use crate::compare::{Comparison, Difference};
use crate::error::{Error, refused};
use crate::reader::Manifest;
use crate::row::Row;

impl Manifest {
    /// How a newer manifest differs, in the order of paths. A file that is gone, and of which one of the
    /// same content appeared elsewhere, has moved; empty files are all alike and never do.
    ///
    /// # Errors
    /// One of them cannot be read, or they are of other functions, keys or parameters.
    pub fn diff(&self, new: &Manifest) -> Result<Vec<Difference>, Error> {
        if self.header != new.header {
            return Err(refused(&new.file, OTHER_HASHES));
        }
        let mut found = Vec::new();
        if self.totals != new.totals {
            let mut comparison = Comparison::new(self.rows()?);
            let mut tell = |difference| {
                found.push(difference);
                Ok(())
            };
            for row in new.rows()? {
                comparison.next(row?, &mut tell)?;
            }
            comparison.finish(&mut tell)?;
        }
        Ok(with_moves(found))
    }
}

/// Why two manifests are not compared.
pub const OTHER_HASHES: &str =
    "the manifests differ in algorithm, length, key, salt or personalisation";

/// Puts moves in the place of what is gone here and has appeared there, all in the order of paths.
pub fn with_moves(found: Vec<Difference>) -> Vec<Difference> {
    // The first that went away is the first that came back.
    let mut gone: HashMap<Vec<u8>, VecDeque<Row>> = HashMap::new();
    let (mut all, mut added) = (Vec::new(), Vec::new());
    for difference in found {
        match difference {
            Difference::Removed(row) => match moving_digest(&row) {
                Some(digest) => gone.entry(digest.to_vec()).or_default().push_back(row),
                None => all.push(Difference::Removed(row)),
            },
            Difference::Added(row) => added.push(row),
            changed => all.push(changed),
        }
    }
    all.extend(added.into_iter().map(|row| {
        let from = moving_digest(&row).and_then(|digest| gone.get_mut(digest)?.pop_front());
        match from {
            Some(old) => Difference::Moved { old, new: row },
            None => Difference::Added(row),
        }
    }));
    all.extend(gone.into_values().flatten().map(Difference::Removed));
    all.sort_by(|one, other| one.path().cmp(other.path()));
    all
}

/// The digest by which a file is recognised elsewhere.
fn moving_digest(row: &Row) -> Option<&[u8]> {
    let content = row.content.as_ref().ok()?;
    (content.size != 0).then_some(&content.digest)
}
