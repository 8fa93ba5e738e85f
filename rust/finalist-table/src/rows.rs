// SPDX-License-Identifier: MIT OR Apache-2.0
//! The digests of a table's rows, with which another table is compared instead of with the table.

use std::path::{Path, PathBuf};

use finalist_files::message::counted;

use crate::roots::capacity;
use crate::sidecar::{About, Form, leaves_of, unreadable};
use crate::{KEY_BYTES, RecordParameters, Sorted, Table, TableError};

const FORM: Form = Form {
    name: "finalist-rows-1",
    metadata: "finalist.rows",
    column: "record",
    what: "digests of rows",
    values: "records",
};

/// The sorted [`Record`](crate::Record)s of a table's rows: 32 bytes a row.
///
/// ```no_run
/// # fn write(old: &finalist_table::Table) -> Result<(), finalist_table::TableError> {
/// let keys = vec!["id".to_owned()];
/// let parameters = finalist_table::RecordParameters { keys, ..Default::default() };
/// finalist_table::Rows::new(old, parameters, b"")?.write("old.rows".as_ref())?;
/// let file = finalist_table::Table::open("old.rows".as_ref())?;
/// assert!(finalist_table::Rows::are_in(&file));
/// assert_eq!(finalist_table::Rows::read(&file, b"")?.len(), old.rows());
/// # Ok(())
/// # }
/// ```
pub struct Rows {
    /// The table's path, or the file's.
    path: PathBuf,
    about: About,
    records: Sorted,
}

impl Rows {
    /// Reads a table's rows. `key`: a secret; empty for none.
    ///
    /// # Errors
    /// Those of [`Reader`](crate::Reader); a column is missing; the key is longer than 32 bytes.
    pub fn new(
        table: &Table,
        parameters: RecordParameters,
        key: &[u8],
    ) -> Result<Rows, TableError> {
        let (about, _, records) = About::of_table(table, parameters, key)?;
        Ok(Rows {
            path: table.path().to_owned(),
            about,
            records,
        })
    }

    /// Returns the root, which commits to the rows and the parameters. It is that of the table's
    /// [`Buckets`](crate::Buckets), too.
    pub fn root(&self) -> &[u8] {
        &self.about.root
    }

    /// Returns the number of rows.
    pub fn len(&self) -> u64 {
        self.about.rows
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.about.rows == 0
    }

    /// Returns the parameters of the records.
    pub fn parameters(&self) -> &RecordParameters {
        &self.about.parameters
    }

    /// Returns the path of the file that was read, or of the table.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the digest of a row's key. `row`: an index in the order of the records.
    pub fn key_digest(&self, row: i64) -> &[u8] {
        &self.records.records()[row as usize][..KEY_BYTES]
    }

    pub(crate) fn records(&self) -> &Sorted {
        &self.records
    }

    /// Checks that the records were made with these parameters.
    pub(crate) fn check(
        &self,
        parameters: &RecordParameters,
        is_keyed: bool,
    ) -> Result<(), TableError> {
        self.about.check(parameters, is_keyed, &FORM, &self.path)
    }

    /// Writes a Parquet file of 32 bytes a row, which gets its name when it is complete.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        self.about.write(path, &FORM, self.records.records())
    }

    /// Returns true if a file contains digests of rows, according to its metadata.
    pub fn are_in(file: &Table) -> bool {
        file.metadata(FORM.metadata).is_some()
    }

    /// Reads a file that [`write`](Rows::write) or Python's `Rows.write` wrote. `key`: the secret
    /// key of the records.
    ///
    /// # Errors
    /// The file cannot be read, is of another kind, is damaged, or was made with another key.
    pub fn read(file: &Table, key: &[u8]) -> Result<Rows, TableError> {
        let failed = |error: finalist::Error| TableError::new(file.path(), &error.to_string());
        let mut records = Sorted::new(capacity(file.rows()));
        let about = About::read(file, &FORM, |some| {
            records.add(some);
            Ok(())
        })?;
        if about.rows != records.len() as u64 {
            let records = counted(records.len(), "record", "records");
            let text = format!("it has {records}, not {}", about.rows);
            return Err(unreadable(file, &FORM, &text));
        }
        records.sort();
        let leaves = leaves_of(&records, key).map_err(failed)?;
        about.check_root(&leaves, key, &FORM, file.path())?;
        Ok(Rows {
            path: file.path().to_owned(),
            about,
            records,
        })
    }
}
