// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest prove`: inclusion proofs, in memory for a batch of rows.

use std::ops::Range;
use std::process::ExitCode;

use finalist::merkle::Tree;

use super::form::ROWS_AT_ONCE;
use super::options::ProveArgs;
use super::reader::Manifest;
use super::row::Row;
use crate::failure::{Failure, about};
use crate::platform::bytes_of;
use crate::proof::{Hash, INCLUSION, Proof};
use crate::tree::print_proof;

pub fn prove(args: &ProveArgs) -> Result<ExitCode, Failure> {
    let manifest = Manifest::open(&args.manifest, &args.key)?;
    let path = &bytes_of(&args.path);
    let Some(index) = index_of(&manifest, path)? else {
        let text = "the manifest has no row for it";
        return Err(Failure::message(about(path, text)));
    };
    let function = manifest.header.function;
    let leaf_count = manifest.totals.count;
    let mut siblings = Vec::new();
    for range in sibling_ranges(index, 0..leaf_count) {
        siblings.push((range, manifest.leaves().tree()?));
    }
    let mut start = 0;
    for_each_batch(&manifest, |rows| {
        let hashes = manifest.leaves().hash(rows)?;
        let end = start + rows.len() as u64;
        append(&mut siblings, start..end, &hashes)?;
        start = end;
        Ok(())
    })?;
    let hashes = siblings.iter().map(|(_, tree)| tree.root().map(Hash));
    let hashes: Result<Vec<_>, _> = hashes.collect();
    print_proof(&Proof {
        format: INCLUSION.to_owned(),
        algorithm: function.algorithm.name().to_owned(),
        digest_bits: function.digest_bytes * 8,
        chunk_bytes: None,
        leaf_count,
        index: Some(index),
        old_leaf_count: None,
        hashes: hashes.map_err(|error| Failure::message(error.to_string()))?,
    })
}

/// The number of a path's row.
fn index_of(manifest: &Manifest, path: &[u8]) -> Result<Option<u64>, Failure> {
    for (index, row) in (0..).zip(manifest.rows()?) {
        if row?.path == path {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// Calls with the rows in their order, many at once.
fn for_each_batch(
    manifest: &Manifest,
    mut take: impl FnMut(&[Row]) -> Result<(), Failure>,
) -> Result<(), Failure> {
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

/// Appends the leaves in `range` to those trees that stand over them.
fn append(
    trees: &mut [(Range<u64>, Tree)],
    range: Range<u64>,
    hashes: &[u8],
) -> Result<(), Failure> {
    let leaves = (range.end - range.start) as usize;
    let hash_bytes = hashes.len() / leaves.max(1);
    for (over, tree) in trees {
        let first = over.start.max(range.start);
        let end = over.end.min(range.end);
        if first < end {
            let at = |leaf: u64| (leaf - range.start) as usize * hash_bytes;
            let appended = tree.append(&hashes[at(first)..at(end)]);
            appended.map_err(|error| Failure::message(error.to_string()))?;
        }
    }
    Ok(())
}

/// The leaves under each node of the proof for one of the leaves, from the leaf up (RFC 9162,
/// section 2.1.3.1).
fn sibling_ranges(index: u64, all: Range<u64>) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    let mut at = all;
    while at.end - at.start > 1 {
        let count = at.end - at.start;
        let left = count.next_power_of_two() / 2;
        let middle = at.start + left;
        let (inside, sibling) = if index < middle {
            (at.start..middle, middle..at.end)
        } else {
            (middle..at.end, at.start..middle)
        };
        ranges.push(sibling);
        at = inside;
    }
    ranges.reverse();
    ranges
}
