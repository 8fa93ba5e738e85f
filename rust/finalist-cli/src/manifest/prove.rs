// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest prove`: proofs of rows, in memory for a batch of rows, and their verification.

use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use finalist::merkle::Tree;

use super::form::ROWS_AT_ONCE;
use super::leaves::Leaves;
use super::options::ProveArgs;
use super::proof::{Proof, siblings};
use super::reader::{Manifest, complaint};
use super::root_tag;
use super::row::Row;
use super::writer::failed;
use crate::failure::{Failure, about, report};
use crate::files::hash_whole;
use crate::output::result_line;
use crate::platform::bytes_of;
use crate::progress::Progress;
use crate::proof_file::read_proof_text;
use crate::quote::quoted;
use crate::root::read_root;
use crate::stdio::print;

/// A row's path has up to a mebibyte, in hexadecimal two.
const PROOF_BYTES_MAX: u64 = 4 << 20;

pub fn prove(args: &ProveArgs) -> Result<ExitCode, Failure> {
    match (&args.verify, &args.file, &args.path) {
        (Some(proof), file, _) => verify(args, proof, file.as_deref()),
        (None, Some(manifest), Some(path)) => {
            let proof = proof(&Manifest::open(manifest, &args.key)?, &bytes_of(path))?;
            print(format!("{}\n", proof.to_json()).as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(Failure::misuse("a proof needs MANIFEST and PATH")),
    }
}

fn proof(manifest: &Manifest, path: &[u8]) -> Result<Proof, Failure> {
    let Some(index) = index_of(manifest, path)? else {
        let text = "the manifest has no row for it";
        return Err(Failure::message(about(path, text)));
    };
    let leaf_count = manifest.totals.count;
    let mut trees = Vec::new();
    for range in siblings(index, 0..leaf_count) {
        trees.push((range, manifest.leaves().tree()?));
    }
    // The row and the nodes are of one reading, at whose end the root is that of the first one.
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
    let changed = || complaint(&manifest.file, "the manifest changed while it was read");
    let hashes: Result<Vec<_>, _> = trees.iter().map(|(_, tree)| tree.root()).collect();
    Ok(Proof {
        header: manifest.header.clone(),
        leaf_count,
        index,
        row: row.filter(|row| row.path == path).ok_or_else(changed)?,
        hashes: hashes.map_err(|error| Failure::message(error.to_string()))?,
    })
}

/// Prints whether the proof leads to the root and the file is that of the row, and what the row is.
fn verify(args: &ProveArgs, file: &Path, content: Option<&Path>) -> Result<ExitCode, Failure> {
    let complain = |text: &str| Failure::message(about(&bytes_of(file), text));
    let proof = read_proof_text(file, PROOF_BYTES_MAX)?;
    let proof = Proof::parse(&proof).map_err(|text| complain(&text))?;
    if args.key.is_refused_by(&proof.header) {
        return Err(complain(
            "the proof is of a manifest without key: --key-file is given",
        ));
    }
    let missing = || complain("the proof is of a keyed manifest: --key-file is missing");
    let parameters = args.key.parameters(&proof.header)?.ok_or_else(missing)?;
    let function = proof.header.function;
    let leaves = Leaves::new(function, &parameters);
    leaves.tree()?;
    let text = args.root.as_deref().unwrap_or_default();
    let root = read_root(text, "root", Some(&root_tag(&proof.header)))?;
    let mut why = None;
    if proof.root(&leaves)? != root {
        why = Some("the proof does not lead to the root".to_owned());
    } else if let Some(name) = content {
        let hasher = parameters.hasher(function);
        let hasher = hasher.map_err(|error| Failure::message(error.to_string()))?;
        let progress = Progress::new(false);
        let hashed = hash_whole(name, hasher, &progress).map_err(|error| failed(name, &error))?;
        why = difference(&proof.row, hashed);
    }
    let name = &bytes_of(content.unwrap_or(file));
    let path = quoted(&proof.row.path);
    let path = String::from_utf8_lossy(&path);
    let (index, count) = (proof.index, proof.leaf_count);
    if let Some(text) = why {
        print(&result_line(name, "FAILED\n"))?;
        report(text.as_bytes());
        return Ok(ExitCode::FAILURE);
    }
    let status = proof.row.status();
    print(&result_line(
        name,
        &format!("OK, row {index} of {count}: {status} {path}\n"),
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// How a file of that length and digest differs from that of a row.
fn difference(row: &Row, (bytes, digest): (u64, Vec<u8>)) -> Option<String> {
    match &row.content {
        Err(fault) => Some(format!(
            "the row has the status '{}', no digest",
            fault.status()
        )),
        Ok(content) if content.size != bytes => Some(format!(
            "the file has {bytes} bytes, the row {}",
            content.size
        )),
        Ok(content) if content.digest != digest => {
            Some("the file's digest is not that of the row".to_owned())
        }
        Ok(_) => None,
    }
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
