// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writing a manifest: rows in their order to a file that appears when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::mem;
use std::path::{Path, PathBuf};

use finalist::merkle;

use super::columns::ParquetSink;
use super::form::{ROWS_AT_ONCE, Sink};
use super::header::{Header, Totals};
use super::leaves::Leaves;
use super::list::ListSink;
use super::row::Row;
use crate::failure::{Failure, about, reason};
use crate::hash_options::Parameters;
use crate::platform::bytes_of;

/// Where a manifest goes.
pub enum Target {
    Stdout,
    File(PathBuf),
}

impl Target {
    /// The name while it is written.
    pub fn partial(file: &Path) -> PathBuf {
        with_end(file, ".partial")
    }
}

/// The name with more behind it.
pub fn with_end(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    name.into()
}

pub struct Writer<'a> {
    sink: Box<dyn Sink + 'a>,
    leaves: Leaves<'a>,
    tree: merkle::Tree,
    rows: Vec<Row>,
    last: Vec<u8>,
    /// The file, and its name until it is complete.
    names: Option<(PathBuf, PathBuf)>,
}

impl<'a> Writer<'a> {
    pub fn new(
        target: &Target,
        header: &Header,
        parameters: &'a Parameters,
    ) -> Result<Writer<'a>, Failure> {
        let leaves = Leaves::new(header.function, parameters);
        let names = match target {
            Target::Stdout => None,
            Target::File(file) => Some((file.clone(), Target::partial(file))),
        };
        let out: Box<dyn Write + Send> = match &names {
            None => Box::new(io::stdout()),
            Some((_, partial)) => Box::new(File::create(partial).map_err(|e| failed(partial, &e))?),
        };
        let out = BufWriter::new(out);
        let sink: io::Result<Box<dyn Sink>> = match &names {
            Some((file, _)) if is_parquet(file) => {
                ParquetSink::new(out, header.clone()).map(|sink| Box::new(sink) as _)
            }
            _ => ListSink::new(out, header).map(|sink| Box::new(sink) as _),
        };
        Ok(Writer {
            sink: sink.map_err(|error| write_failure(names.as_ref(), error))?,
            tree: leaves.tree()?,
            leaves,
            rows: Vec::new(),
            last: Vec::new(),
            names,
        })
    }

    /// Appends a row, whose path is after that of the row before.
    pub fn push(&mut self, row: Row) -> Result<(), Failure> {
        if self.last.as_slice() >= row.path.as_slice() {
            return Err(Failure::message(about(&row.path, "the path stands twice")));
        }
        self.last.clone_from(&row.path);
        self.rows.push(row);
        if self.rows.len() == ROWS_AT_ONCE {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let rows = mem::take(&mut self.rows);
        let leaves = self.leaves.hash(&rows)?;
        let appended = self.tree.append(&leaves);
        appended.map_err(|error| Failure::message(error.to_string()))?;
        let written = self.sink.rows(&rows, &leaves);
        written.map_err(|error| write_failure(self.names.as_ref(), error))
    }

    /// Completes the manifest, which then has its name.
    pub fn finish(mut self) -> Result<Totals, Failure> {
        self.flush()?;
        let root = self.tree.root();
        let totals = Totals {
            count: self.tree.leaf_count(),
            root: root.map_err(|error| Failure::message(error.to_string()))?,
        };
        let names = self.names;
        let written = self.sink.finish(&totals);
        written.map_err(|error| write_failure(names.as_ref(), error))?;
        if let Some((file, partial)) = &names {
            let partial_file = File::options().write(true).open(partial);
            let synced = partial_file.and_then(|file| file.sync_all());
            synced
                .and_then(|()| fs::rename(partial, file))
                .map_err(|error| failed(file, &error))?;
        }
        Ok(totals)
    }
}

/// Whether a manifest of that name is written as Parquet.
fn is_parquet(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "parquet")
}

fn write_failure(names: Option<&(PathBuf, PathBuf)>, error: io::Error) -> Failure {
    match names {
        Some((file, _)) => failed(file, &error),
        None => Failure::Output(error),
    }
}

pub fn failed(file: &Path, error: &io::Error) -> Failure {
    Failure::message(about(&bytes_of(file), &reason(error)))
}
