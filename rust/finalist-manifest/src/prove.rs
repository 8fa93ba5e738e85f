// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes proofs of rows. Keeps only one batch of rows in memory.

use std::ops::Range;

use finalist::merkle::Tree;

use crate::error::{Error, bad_path, refused};
use crate::form::ROWS_AT_ONCE;
use crate::proof::{Proof, siblings};
use crate::reader::Manifest;
use crate::row::Row;

impl Manifest {
    /// Proves that the manifest has a row for a path.
    ///
    /// # Errors
    /// The manifest has no such row, or cannot be read.
    pub fn prove(&self, path: &[u8]) -> Result<Proof, Error> {
        proof(self, path)
    }
}

fn proof(manifest: &Manifest, path: &[u8]) -> Result<Proof, Error> {
    let Some(index) = index_of(manifest, path)? else {
        return Err(bad_path(path, "the manifest has no row for it"));
    };
    let leaf_count = manifest.totals.count;
    let mut trees = Vec::new();
    for range in siblings(index, 0..leaf_count) {
        trees.push((range, manifest.leaves().tree()?));
    }
    // Take row and nodes from one reading, which fails unless it ends with the first one's root.
    let mut row = None;
    let mut start = 0;
    for_each_batch(manifest, |rows| {
        let hashes = manifest.leaves().hash(rows)?;
        let end = start + rows.len() as u64;
        append(&mut trees, start..end, &hashes)?;
        if (start..end).contains(&index) {
            row = Some(rows[(index - start) as usize].clone());
        }
        start = end;
        Ok(())
    })?;
    let changed = || refused(&manifest.file, "the manifest changed while it was read");
    let hashes: Result<Vec<_>, _> = trees.iter().map(|(_, tree)| tree.root()).collect();
    Ok(Proof {
        header: manifest.header.clone(),
        leaf_count,
        index,
        row: row.filter(|row| row.path == path).ok_or_else(changed)?,
        hashes: hashes.map_err(Error::from)?,
    })
}

/// Returns the index of a path's row.
fn index_of(manifest: &Manifest, path: &[u8]) -> Result<Option<u64>, Error> {
    for (index, row) in (0..).zip(manifest.rows()?) {
        if row?.path == path {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// Calls a function with batches of rows, in order.
fn for_each_batch(
    manifest: &Manifest,
    mut take: impl FnMut(&[Row]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut rows = manifest.rows()?;
    loop {
        let batch: Result<Vec<_>, _> = rows.by_ref().take(ROWS_AT_ONCE).collect();
        let batch = batch?;
        if batch.is_empty() {
            return Ok(());
        }
        take(&batch)?;
    }
}

/// Appends the leaves in `range` to each tree whose range contains them.
fn append(
    trees: &mut [(Range<u64>, Box<Tree>)],
    range: Range<u64>,
    hashes: &[u8],
) -> Result<(), Error> {
    let leaves = (range.end - range.start) as usize;
    let hash_bytes = hashes.len() / leaves.max(1);
    for (over, tree) in trees {
        let first = over.start.max(range.start);
        let end = over.end.min(range.end);
        if first < end {
            let at = |leaf: u64| (leaf - range.start) as usize * hash_bytes;
            let appended = tree.append(&hashes[at(first)..at(end)]);
            appended.map_err(Error::from)?;
        }
    }
    Ok(())
}
