// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads manifests of any form.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

use finalist::merkle;

use crate::error::{Error, refused};
use crate::form::{Batch, ReadRows};
use crate::header::{Header, Totals};
use crate::leaves::Leaves;
use crate::row::Row;
use crate::stored::Stored;
use crate::writer::Written;
use finalist_files::function::Parameters;
use finalist_files::message::counted;
use finalist_files::platform::{FileType, file_type};
use finalist_files::quote::shown;
use finalist_table::decoding;

const CHANGED: &str = "the manifest changed while it was read";

/// A manifest that was read completely and found sound.
pub struct Manifest {
    pub(crate) file: PathBuf,
    /// The file that an update replaces: of a link, what it led to when it was opened.
    pub(crate) place: PathBuf,
    pub(crate) header: Header,
    pub(crate) parameters: Arc<Parameters>,
    pub(crate) totals: Totals,
    counts: BTreeMap<&'static str, u64>,
    stored: Stored,
}

impl Manifest {
    /// Opens a manifest and reads all of it.
    ///
    /// # Errors
    /// It cannot be read, is not a sound manifest, or needs another key.
    pub fn open(file: &Path, key: Option<&[u8]>) -> Result<Manifest, Error> {
        Manifest::open_copy(file, file, key)
    }

    /// Reads a copy of a manifest; `file` is the manifest's own name.
    ///
    /// # Errors
    /// Those of [`Manifest::open`].
    pub fn open_copy(copy: &Path, file: &Path, key: Option<&[u8]>) -> Result<Manifest, Error> {
        let is_link = file_type(copy).is_ok_and(|found| found == FileType::Symlink);
        let target = copy.canonicalize().ok().filter(|_| is_link);
        let place = target.unwrap_or_else(|| copy.to_owned());
        let stored = Stored::open(&place)?;
        let read = decoding(file, || stored.read());
        let (header, source) = read.map_err(|text| refused(file, text))?;
        let parameters = Arc::new(header.parameters(file, key)?);
        let rows = Rows::new(file, header.clone(), parameters.clone(), source)?;
        let (totals, counts) = rows.totals()?;
        Ok(Manifest {
            totals,
            counts,
            file: file.to_owned(),
            place,
            header,
            parameters,
            stored,
        })
    }

    /// Returns true if a file has the form of a manifest. Reads no rows.
    pub(crate) fn is_one(file: &Path) -> bool {
        Stored::open(file).is_ok_and(|stored| decoding(file, || stored.read()).is_ok())
    }

    /// Returns a manifest that was just written, or `None` if it was not written to a file.
    pub(crate) fn of_written(
        file: &Path,
        header: &Header,
        parameters: &Arc<Parameters>,
        written: Written,
    ) -> Option<Manifest> {
        Some(Manifest {
            file: file.to_owned(),
            place: file.to_owned(),
            header: header.clone(),
            parameters: parameters.clone(),
            totals: written.totals,
            counts: written.counts,
            stored: written.stored?,
        })
    }

    /// Reads the rows again, in order. Fails, at the end or before, if they differ from those that
    /// [`Manifest::open`] read.
    ///
    /// # Errors
    /// The file cannot be opened any more.
    pub fn rows(&self) -> Result<Rows, Error> {
        let read = decoding(&self.file, || self.stored.read());
        let (header, source) = read.map_err(|text| refused(&self.file, text))?;
        if header != self.header {
            return Err(refused(&self.file, CHANGED));
        }
        let mut rows = Rows::new(&self.file, header, self.parameters.clone(), source)?;
        rows.expected = Some(self.totals.clone());
        Ok(rows)
    }

    /// Returns the name of the manifest's file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the hash function and parameters, without the key.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns number of rows and root.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns the number of rows with each status.
    pub fn counts(&self) -> &BTreeMap<&'static str, u64> {
        &self.counts
    }

    /// Returns key, salt and personalisation.
    pub fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    pub(crate) fn leaves(&self) -> Leaves<'_> {
        Leaves::new(&self.header, &self.parameters)
    }
}

/// Refuses leaves that do not match their rows.
fn check_leaves(batch: &Batch, hashes: &[u8], header: &Header) -> Result<(), String> {
    let Some(leaves) = &batch.leaves else {
        return Ok(());
    };
    let mut pairs = leaves
        .iter()
        .zip(hashes.chunks(header.function.digest_bytes as usize))
        .zip(&batch.rows);
    match pairs.find(|((leaf, hash), _)| leaf != hash) {
        Some((_, row)) => {
            let path = shown(&row.path);
            let or = if header.keyed {
                ", or the key is another one"
            } else {
                ""
            };
            Err(format!("the leaf of {path} is not that of its row{or}"))
        }
        None => Ok(()),
    }
}

/// The rows of a manifest, in ascending order of paths. After the last, count and root are checked.
pub struct Rows {
    file: PathBuf,
    header: Header,
    parameters: Arc<Parameters>,
    source: Box<dyn ReadRows + Send>,
    /// Totals of the first reading.
    expected: Option<Totals>,
    tree: Box<merkle::Tree>,
    last: Vec<u8>,
    batch: vec::IntoIter<Row>,
}

impl Rows {
    fn new(
        file: &Path,
        header: Header,
        parameters: Arc<Parameters>,
        source: Box<dyn ReadRows + Send>,
    ) -> Result<Rows, Error> {
        // Blame the file for parameters that the function does not take.
        let tree = Leaves::new(&header, &parameters).tree();
        let tree = tree.map_err(|error| refused(file, error.to_string()))?;
        Ok(Rows {
            file: file.to_owned(),
            tree,
            header,
            parameters,
            source,
            expected: None,
            last: Vec::new(),
            batch: Vec::new().into_iter(),
        })
    }

    /// Reads all rows. Returns count and root, and the number of rows with each status.
    fn totals(mut self) -> Result<(Totals, BTreeMap<&'static str, u64>), Error> {
        let mut counts = BTreeMap::new();
        loop {
            let rows = self.checked_batch()?;
            for row in &rows {
                *counts.entry(row.status()).or_default() += 1;
            }
            if rows.is_empty() {
                let totals = self.source.totals();
                return Ok((totals.map_err(|text| self.complaint(&text))?, counts));
            }
        }
    }

    /// Returns the next rows, none after the last. Fails at the end if count or root are wrong.
    fn checked_batch(&mut self) -> Result<Vec<Row>, Error> {
        let batch = decoding(&self.file, || self.source.batch());
        let batch = batch.map_err(|text| self.complaint(&text))?;
        for (row, number) in batch.rows.iter().zip(self.tree.leaf_count()..) {
            self.check(row).map_err(|text| {
                let path = shown(&row.path);
                self.complaint(&format!("row {number}, {path}: {text}"))
            })?;
            self.last.clone_from(&row.path);
        }
        if batch.rows.is_empty() {
            self.check_totals()?;
            return Ok(batch.rows);
        }
        let leaves = Leaves::new(&self.header, &self.parameters);
        let hashes = leaves.hash(&batch.rows)?;
        let checked = check_leaves(&batch, &hashes, &self.header);
        checked.map_err(|text| self.complaint(&text))?;
        let appended = self.tree.append(&hashes);
        appended.map_err(|error| self.complaint(&error.to_string()))?;
        Ok(batch.rows)
    }

    fn check(&self, row: &Row) -> Result<(), String> {
        if let Some(text) = row.complaint(&self.header) {
            return Err(text);
        }
        let text = row.order_complaint(&self.last);
        text.map_or(Ok(()), |text| Err(text.to_owned()))
    }

    fn check_totals(&self) -> Result<(), Error> {
        let totals = self.source.totals().map_err(|text| self.complaint(&text))?;
        if self
            .expected
            .as_ref()
            .is_some_and(|expected| *expected != totals)
        {
            return Err(self.complaint(CHANGED));
        }
        let count = self.tree.leaf_count();
        if totals.count != count {
            let rows = counted(count, "row", "rows");
            let text = format!("the manifest has {rows} and claims {}", totals.count);
            return Err(self.complaint(&text));
        }
        let leaves = Leaves::new(&self.header, &self.parameters);
        if totals.root != leaves.root(&self.tree)? {
            return Err(self.complaint("the root is not that of the rows"));
        }
        Ok(())
    }

    fn complaint(&self, text: &str) -> Error {
        refused(&self.file, text)
    }
}

impl Iterator for Rows {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Result<Row, Error>> {
        if let Some(row) = self.batch.next() {
            return Some(Ok(row));
        }
        match self.checked_batch() {
            Ok(batch) => {
                self.batch = batch.into_iter();
                self.batch.next().map(Ok)
            }
            Err(failure) => Some(Err(failure)),
        }
    }
}
