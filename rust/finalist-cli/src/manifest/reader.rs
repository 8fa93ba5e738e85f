// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading a manifest of any form, and refusing what is none.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::vec;

use super::columns::{open_file, open_parts};
use super::form::{Batch, Source};
use super::header::{Header, Totals};
use super::leaves::Leaves;
use super::list::open_list;
use super::options::KeyOptions;
use super::row::Row;
use super::writer::failed;
use crate::failure::{Failure, about};
use crate::hash_options::Parameters;
use crate::platform::bytes_of;
use crate::quote::shown;

/// What Parquet begins with.
const MAGIC: &[u8] = b"PAR1";
/// The metadata of a manifest in parts.
const METADATA: &str = "manifest.json";

/// A manifest that has been read once and found to be sound.
pub struct Manifest {
    pub file: PathBuf,
    pub header: Header,
    pub parameters: Parameters,
    pub totals: Totals,
}

impl Manifest {
    /// Reads all of it.
    pub fn open(file: &Path, key: &KeyOptions) -> Result<Manifest, Failure> {
        let complain = |text: String| complaint(file, &text);
        let (header, source) = open(file)?;
        if key.is_refused_by(&header) {
            return Err(complain(
                "the manifest has no key: --key-file is given".to_owned(),
            ));
        }
        let missing = || complain("the manifest is keyed: --key-file is missing".to_owned());
        let parameters = key.parameters(&header)?.ok_or_else(missing)?;
        let leaves = Leaves::new(header.function, &parameters);
        let mut rows = Rows::new(file, header.clone(), source);
        let mut tree = leaves.tree()?;
        loop {
            let batch = rows.checked_batch()?;
            if batch.rows.is_empty() {
                break;
            }
            let hashes = leaves.hash(&batch.rows)?;
            check_leaves(&batch, &hashes, leaves.digest_bytes()).map_err(complain)?;
            let appended = tree.append(&hashes);
            appended.map_err(|error| complain(error.to_string()))?;
        }
        let totals = rows.source.totals().map_err(complain)?;
        let count = tree.leaf_count();
        if totals.count != count {
            let text = format!("the manifest has {count} rows and claims {}", totals.count);
            return Err(complain(text));
        }
        let root = tree.root().map_err(|error| complain(error.to_string()))?;
        if totals.root != root {
            return Err(complain("the root is not that of the rows".to_owned()));
        }
        Ok(Manifest {
            file: file.to_owned(),
            header,
            parameters,
            totals,
        })
    }

    /// The rows in their order.
    pub fn rows(&self) -> Result<Rows, Failure> {
        let (header, source) = open(&self.file)?;
        if header != self.header {
            return Err(complaint(
                &self.file,
                "the manifest was replaced while it was read",
            ));
        }
        Ok(Rows::new(&self.file, header, source))
    }

    pub fn leaves(&self) -> Leaves<'_> {
        Leaves::new(self.header.function, &self.parameters)
    }

    pub fn name(&self) -> Cow<'_, [u8]> {
        bytes_of(&self.file)
    }
}

fn complaint(file: &Path, text: &str) -> Failure {
    Failure::message(about(&bytes_of(file), text))
}

/// Opens a manifest of any form.
fn open(name: &Path) -> Result<(Header, Box<dyn Source + Send>), Failure> {
    let complain = |text: String| complaint(name, &text);
    if name.is_dir() {
        return open_directory(name);
    }
    let mut file = File::open(name).map_err(|error| failed(name, &error))?;
    let mut start = Vec::new();
    let read = (&mut file).take(MAGIC.len() as u64).read_to_end(&mut start);
    read.and_then(|_| file.rewind())
        .map_err(|error| failed(name, &error))?;
    if start == MAGIC {
        let (header, source) = open_file(file).map_err(complain)?;
        Ok((header, Box::new(source)))
    } else {
        let (header, source) = open_list(file).map_err(complain)?;
        Ok((header, Box::new(source)))
    }
}

/// Opens a manifest in parts.
fn open_directory(name: &Path) -> Result<(Header, Box<dyn Source + Send>), Failure> {
    let complain = |text: String| complaint(name, &text);
    let json = name.join(METADATA);
    let text = fs::read(&json).map_err(|error| failed(&json, &error))?;
    let metadata: BTreeMap<String, String> =
        serde_json::from_slice(&text).map_err(|error| complaint(&json, &error.to_string()))?;
    let metadata: Vec<_> = metadata.into_iter().collect();
    let (header, totals) = Header::of_metadata(&metadata).map_err(complain)?;
    let entries = fs::read_dir(name).map_err(|error| failed(name, &error))?;
    let mut parts = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| failed(name, &error))?.file_name();
        let bytes = entry.as_encoded_bytes();
        if bytes.starts_with(b"part-") && bytes.ends_with(b".parquet") {
            parts.push(entry);
        }
    }
    parts.sort();
    let open = |part| {
        let part = name.join(part);
        File::open(&part).map_err(|error| failed(&part, &error))
    };
    let parts: Result<Vec<_>, _> = parts.iter().map(open).collect();
    let source = open_parts(parts?, totals).map_err(complain)?;
    Ok((header, Box::new(source)))
}

/// Refuses leaves that are not those of their rows.
fn check_leaves(batch: &Batch, hashes: &[u8], digest_bytes: usize) -> Result<(), String> {
    let Some(leaves) = &batch.leaves else {
        return Ok(());
    };
    let mut pairs = leaves
        .iter()
        .zip(hashes.chunks(digest_bytes))
        .zip(&batch.rows);
    match pairs.find(|((leaf, hash), _)| leaf != hash) {
        Some((_, row)) => {
            let path = shown(&row.path);
            Err(format!("the leaf of {path} is not that of its row"))
        }
        None => Ok(()),
    }
}

/// The rows of a manifest in their order, each after the one before.
pub struct Rows {
    file: PathBuf,
    header: Header,
    source: Box<dyn Source + Send>,
    last: Vec<u8>,
    count: u64,
    batch: vec::IntoIter<Row>,
}

impl Rows {
    fn new(file: &Path, header: Header, source: Box<dyn Source + Send>) -> Rows {
        Rows {
            file: file.to_owned(),
            header,
            source,
            last: Vec::new(),
            count: 0,
            batch: Vec::new().into_iter(),
        }
    }

    /// The next rows, each of which may stand where it does.
    fn checked_batch(&mut self) -> Result<Batch, Failure> {
        let batch = self.source.batch();
        let batch = batch.map_err(|text| complaint(&self.file, &text))?;
        for row in &batch.rows {
            self.check(row).map_err(|text| {
                let path = shown(&row.path);
                let text = format!("row {}, {path}: {text}", self.count);
                complaint(&self.file, &text)
            })?;
            self.last.clone_from(&row.path);
            self.count += 1;
        }
        Ok(batch)
    }

    fn check(&self, row: &Row) -> Result<(), String> {
        if let Some(text) = row.complaint(self.header.function.digest_bytes) {
            return Err(text);
        }
        match row.path.cmp(&self.last) {
            Ordering::Greater => Ok(()),
            Ordering::Equal => Err("the path stands twice".to_owned()),
            Ordering::Less => Err("the rows are not sorted by path".to_owned()),
        }
    }
}

impl Iterator for Rows {
    type Item = Result<Row, Failure>;

    fn next(&mut self) -> Option<Result<Row, Failure>> {
        if let Some(row) = self.batch.next() {
            return Some(Ok(row));
        }
        match self.checked_batch() {
            Ok(batch) => {
                self.batch = batch.rows.into_iter();
                self.batch.next().map(Ok)
            }
            Err(failure) => Some(Err(failure)),
        }
    }
}
