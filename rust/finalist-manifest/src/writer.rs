// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes a manifest: rows in order, to a file that appears when it is complete.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use finalist::merkle;

use crate::columns::ParquetWriter;
use crate::contents::Contents;
use crate::error::{Error, bad_path, failed};
use crate::form::{ROWS_AT_ONCE, WriteRows};
use crate::header::{Header, Totals};
use crate::leaves::Leaves;
use crate::list::ListWriter;
use crate::row::Row;
use crate::stored::Stored;
use finalist_files::function::Parameters;
use finalist_files::new_file::NewFile;
use finalist_files::quote::displayed;

/// The destination of a manifest.
pub enum Target {
    /// Standard output, as a list.
    Stdout,
    /// A file, which gets its name when it is complete.
    File(PathBuf),
}

/// Returns the name with an added suffix.
pub fn with_end(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A complete manifest.
pub struct Written {
    pub totals: Totals,
    /// Number of rows of each status.
    pub counts: BTreeMap<&'static str, u64>,
    /// Its file, still open, if it was written to a file.
    pub stored: Option<Stored>,
}

pub struct Writer<'a> {
    sink: Box<dyn WriteRows + 'a>,
    leaves: Leaves<'a>,
    tree: Box<merkle::Tree>,
    rows: Vec<Row>,
    last: Vec<u8>,
    counts: BTreeMap<&'static str, u64>,
    /// The file's final name, and the incomplete file.
    file: Option<(PathBuf, NewFile)>,
}

/// Standard output, of which a terminal shows names escaped.
struct Stdout;

impl Write for Stdout {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let mut stdout = io::stdout();
        stdout.write_all(&displayed(text, &stdout))?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

impl<'a> Writer<'a> {
    pub fn new(
        target: &Target,
        run: Option<&str>,
        header: &'a Header,
        parameters: &'a Parameters,
    ) -> Result<Writer<'a>, Error> {
        let leaves = Leaves::new(header, parameters);
        let file = match target {
            Target::Stdout => None,
            Target::File(name) => {
                let file = NewFile::create(name, run).map_err(|error| failed(name, error))?;
                Some((name.clone(), file))
            }
        };
        let out: Box<dyn Write + Send> = match &file {
            None => Box::new(Stdout),
            Some((name, file)) => Box::new(file.writer().map_err(|error| failed(name, error))?),
        };
        let out = BufWriter::new(out);
        let sink: io::Result<Box<dyn WriteRows>> = match &file {
            Some((name, _)) if is_parquet(name) => {
                ParquetWriter::new(out, header.clone()).map(|sink| Box::new(sink) as _)
            }
            _ => ListWriter::new(out, header).map(|sink| Box::new(sink) as _),
        };
        Ok(Writer {
            sink: sink.map_err(|error| write_failure(file.as_ref(), error))?,
            tree: leaves.tree()?,
            leaves,
            rows: Vec::new(),
            last: Vec::new(),
            counts: BTreeMap::new(),
            file,
        })
    }

    /// Returns the name of the incomplete file.
    pub fn partial(&self) -> Option<&Path> {
        self.file.as_ref().map(|(_, file)| file.partial())
    }

    /// Appends a row. Its path must be after the previous row's.
    pub fn push(&mut self, row: Row) -> Result<(), Error> {
        if let Some(text) = row.order_complaint(&self.last) {
            return Err(bad_path(&row.path, text));
        }
        self.last.clone_from(&row.path);
        *self.counts.entry(row.status()).or_default() += 1;
        self.rows.push(row);
        if self.rows.len() == ROWS_AT_ONCE {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        let rows = mem::take(&mut self.rows);
        let leaves = self.leaves.hash(&rows)?;
        let appended = self.tree.append(&leaves);
        appended.map_err(Error::from)?;
        let written = self.sink.rows(&rows, &leaves);
        written.map_err(|error| write_failure(self.file.as_ref(), error))
    }

    /// Completes the manifest and gives the file its name.
    pub fn finish(mut self) -> Result<Written, Error> {
        self.flush()?;
        let totals = Totals {
            count: self.tree.leaf_count(),
            root: self.leaves.root(&self.tree)?,
        };
        let file = self.file;
        let written = self.sink.finish(&totals);
        written.map_err(|error| write_failure(file.as_ref(), error))?;
        let mut stored = None;
        if let Some((name, file)) = file {
            let file = file.complete().map_err(|error| failed(&name, error))?;
            let contents = Contents::new(Arc::new(file));
            stored = Some(match is_parquet(&name) {
                true => Stored::Parquet(contents),
                false => Stored::List(contents),
            });
        }
        Ok(Written {
            totals,
            counts: self.counts,
            stored,
        })
    }
}

/// Returns true if a manifest with this name is written as Parquet.
fn is_parquet(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "parquet")
}

fn write_failure(file: Option<&(PathBuf, NewFile)>, error: io::Error) -> Error {
    match file {
        Some((name, _)) => failed(name, error),
        None => Error::Output(error),
    }
}
