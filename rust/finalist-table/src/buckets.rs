// SPDX-License-Identifier: MIT OR Apache-2.0
//! The digests of a table's buckets.

use std::path::{Path, PathBuf};

use finalist_files::message::counted;

use crate::sidecar::{About, Digest, Form, unreadable};
use crate::{DiffOptions, RecordParameters, Table, TableError, Unequal};

const FORM: Form = Form {
    name: "finalist-buckets-1",
    metadata: "finalist.buckets",
    column: "leaf",
    what: "buckets",
    values: "leaves",
};

/// The digests of a table's 2^16 buckets.
///
/// ```no_run
/// # fn write(table: &finalist_table::Table) -> Result<(), finalist_table::TableError> {
/// let keys = vec!["id".to_owned()];
/// let parameters = finalist_table::RecordParameters { keys, ..Default::default() };
/// let buckets = finalist_table::Buckets::new(table, parameters, b"")?;
/// buckets.write("data.buckets".as_ref())?;
/// assert_eq!(finalist_table::Buckets::read("data.buckets".as_ref(), b"")?.root(), buckets.root());
/// # Ok(())
/// # }
/// ```
pub struct Buckets {
    /// The table's path, or the file's.
    path: PathBuf,
    about: About,
    leaves: Vec<Digest>,
}

impl Buckets {
    /// The number of a table's buckets.
    pub const COUNT: usize = 1 << 16;

    /// Reads a table's rows. `key`: a secret; empty for none. Memory: 32 bytes a row.
    ///
    /// # Errors
    /// Those of [`Reader`](crate::Reader); a column is missing; the key is longer than 32 bytes.
    pub fn new(
        table: &Table,
        parameters: RecordParameters,
        key: &[u8],
    ) -> Result<Buckets, TableError> {
        let (about, leaves, _) = About::of_table(table, parameters, key)?;
        Ok(Buckets {
            path: table.path().to_owned(),
            about,
            leaves,
        })
    }

    /// Returns the root, which commits to the rows and the parameters.
    pub fn root(&self) -> &[u8] {
        &self.about.root
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.about.rows
    }

    /// Returns the number of buckets in which two tables differ: 0 if they are equal. Neither is
    /// read.
    ///
    /// # Errors
    /// The buckets of a table have other parameters, or another presence of a secret key.
    ///
    /// ```no_run
    /// # fn compare(options: &finalist_table::DiffOptions) -> Result<(), finalist_table::TableError> {
    /// let [old, new] = ["old.buckets", "new.buckets"]
    ///     .map(|file| finalist_table::Buckets::read(file.as_ref(), b""));
    /// println!("{} buckets differ", old?.differing(&new?, options)?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn differing(&self, other: &Buckets, options: &DiffOptions) -> Result<usize, TableError> {
        let parameters = options.parameters(&self.about.parameters);
        let is_keyed = !options.bucket_key.is_empty();
        for side in [self, other] {
            side.about.check(&parameters, is_keyed, &FORM, &side.path)?;
        }
        Ok(self.unequal(other).count())
    }

    /// Returns the buckets in which two tables differ.
    pub(crate) fn unequal(&self, other: &Buckets) -> Unequal {
        Unequal::between(&self.leaves, &other.leaves)
    }

    /// Checks that these are buckets of a table, with these parameters.
    ///
    /// # Errors
    /// A parameter, the number of rows, or the presence of a secret key differs.
    pub(crate) fn check(
        &self,
        table: &Table,
        parameters: &RecordParameters,
        is_keyed: bool,
    ) -> Result<(), TableError> {
        self.about
            .check(parameters, is_keyed, &FORM, table.path())?;
        match (table.rows(), self.about.rows) {
            (rows, own) if rows == own => Ok(()),
            (rows, own) => {
                let rows = counted(rows, "row", "rows");
                let text = format!("it has {rows}, and its buckets are of {own}");
                Err(TableError::new(table.path(), &text))
            }
        }
    }

    /// Writes a Parquet file of 2 MB, which gets its name when it is complete.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        self.about.write(path, &FORM, &self.leaves)
    }

    /// Returns true if a file contains buckets, according to its metadata.
    pub fn are_in(file: &Table) -> bool {
        file.metadata(FORM.metadata).is_some()
    }

    /// Reads a file that [`write`](Buckets::write) or Python's `Buckets.write` wrote. `key`: the
    /// secret key of the buckets.
    ///
    /// # Errors
    /// The file cannot be read, is of another kind, is damaged, or was made with another key.
    pub fn read(path: &Path, key: &[u8]) -> Result<Buckets, TableError> {
        let table = Table::open(path)?;
        let failed = || unreadable(&table, &FORM, "its leaves are not 2^16 digests");
        let mut leaves = Vec::new();
        let about = About::read(&table, &FORM, |some| {
            leaves.extend_from_slice(some);
            (leaves.len() <= Buckets::COUNT)
                .then_some(())
                .ok_or_else(failed)
        })?;
        if leaves.len() != Buckets::COUNT {
            return Err(failed());
        }
        about.check_root(&leaves, key, &FORM, path)?;
        Ok(Buckets {
            path: path.to_owned(),
            about,
            leaves,
        })
    }
}
