// SPDX-License-Identifier: MIT OR Apache-2.0
//! hash_rows: one digest a row over several columns, in the encoding of docs/format/rows.md.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;
use std::sync::OnceLock;

use finalist_sys as sys;
use finalist_table::{Encoding, Version};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrow::abi::{ArrowArray, ArrowSchema};
use crate::arrow::cell::Field;
use crate::arrow::column::BadRow;
use crate::arrow::digests::{Chunk, Digests};
use crate::arrow::import::{Import, shown, text_of};
use crate::arrow::kind::{Kind, type_name};
use crate::arrow::table::{Selection, column_at, columns_of, rows_of};
use crate::engine::{BYTES_AT_ONCE, Failure, Job, Rows, Work};
use crate::many::parameters_of;
use crate::parameters::{Argument, Names};

/// A chosen column of a table: its index, name and kind.
pub struct Choice {
    place: usize,
    name: String,
    kind: Kind,
}

/// Columns of one batch, of the same length.
pub struct Table<'a> {
    /// Prefix of every row's message, before its encoding.
    prefix: &'static [u8],
    encoding: Encoding,
    fields: Vec<Field<'a>>,
    length: usize,
    /// The column whose value could not be read, and why.
    bad: OnceLock<(usize, BadRow)>,
}

// SAFETY: every row is in one of the runs that hash_encoded writes.
unsafe impl Rows for Table<'_> {
    fn len(&self) -> usize {
        self.length
    }

    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        let (first, mut row) = (range.start, range.start);
        while row < range.end {
            let start = row;
            work.encoded.clear();
            work.offsets.clear();
            work.offsets.push(0);
            while row < range.end && !is_enough(row - start, work.encoded.len()) {
                self.encode(row, &mut work.encoded)?;
                work.offsets.push(work.encoded.len() as i64);
                row += 1;
            }
            let out = &mut digests[(start - first) * job.stride..(row - first) * job.stride];
            hash_encoded(job, out, work)?;
            work.watch.look()?;
        }
        Ok(())
    }

    fn bad_row(&self) -> PyErr {
        match self.bad.get() {
            Some(&(place, bad)) => self.fields[place].bad_row(bad),
            None => PyValueError::new_err("a row cannot be read"),
        }
    }
}

/// Returns true if these rows, of this many bytes in all, should be hashed before more are encoded:
/// while a cache holds them, but not before there are enough to hash side by side.
pub fn is_enough(rows: usize, bytes: usize) -> bool {
    const BYTES_IN_CACHE: usize = 256 << 10;
    const ROWS_ASIDE: usize = 32;
    bytes >= BYTES_AT_ONCE || (bytes >= BYTES_IN_CACHE && rows >= ROWS_ASIDE)
}

/// Hashes the encoded rows, the last of which may be long.
fn hash_encoded(
    job: &Job<'_>,
    digests: &mut [MaybeUninit<u8>],
    work: &mut Work<'_>,
) -> Result<(), Failure> {
    let count = digests.len() / job.stride;
    let last = work.offsets[count - 1] as usize;
    let is_long = work.encoded.len() - last > BYTES_AT_ONCE;
    let (short, long) = digests.split_at_mut((count - usize::from(is_long)) * job.stride);
    let column = sys::fin_column {
        layout: sys::FIN_COLUMN_OFFSETS64,
        data: work.encoded.as_ptr().cast(),
        data_bytes: work.encoded.len() as u64,
        items: work.offsets.as_ptr().cast(),
        width: 0,
        buffers: ptr::null(),
        buffer_count: 0,
        validity: ptr::null(),
        validity_offset: 0,
    };
    // SAFETY: an offset for each row and one more, into the bytes of a vector.
    unsafe { job.hash_column(&column, short)? };
    if is_long {
        job.hash_long(&work.encoded[last..], long, &mut work.watch)?;
    }
    Ok(())
}

impl Table<'_> {
    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.fields.len()
    }

    /// Returns true if a value of a column could not be read.
    pub fn has_bad_row(&self) -> bool {
        self.bad.get().is_some()
    }

    /// Returns true if consecutive rows are known to be equal in two tables.
    pub fn is_same_run(
        &self,
        row: usize,
        other: &Table<'_>,
        other_row: usize,
        rows: usize,
    ) -> bool {
        let mut fields = self.fields.iter().zip(&other.fields);
        fields.all(|(one, two)| one.is_same_run(row, two, other_row, rows))
    }

    /// Returns true if the values of a column in rows of two tables have the same encoding.
    pub fn is_same(
        &self,
        row: usize,
        other: &Table<'_>,
        other_row: usize,
        column: usize,
        scratch: &mut [Vec<u8>; 2],
    ) -> Result<bool, BadRow> {
        let (one, two) = (&self.fields[column], &other.fields[column]);
        if let Some(is_same) = one.is_same(row, two, other_row) {
            return Ok(is_same);
        }
        let sides = [(self, one, row), (other, two, other_row)];
        for ((table, field, row), out) in sides.into_iter().zip(&mut *scratch) {
            out.clear();
            field.encode(row, self.encoding, out).inspect_err(|&bad| {
                let _ = table.bad.set((column, bad));
            })?;
        }
        Ok(scratch[0] == scratch[1])
    }

    fn encode(&self, row: usize, out: &mut Vec<u8>) -> Result<(), Failure> {
        self.encode_parts(row, 0, out).map(|_| ())
    }

    /// Appends a row's message. Returns the end of its first columns.
    #[inline(always)]
    pub fn encode_parts(
        &self,
        row: usize,
        columns: usize,
        out: &mut Vec<u8>,
    ) -> Result<usize, Failure> {
        out.extend_from_slice(self.prefix);
        self.encoding.begin(out);
        let mut end = out.len();
        for (place, field) in self.fields.iter().enumerate() {
            field.encode(row, self.encoding, out).inspect_err(|&bad| {
                let _ = self.bad.set((place, bad));
            })?;
            if place + 1 == columns {
                end = out.len();
            }
        }
        Ok(end)
    }
}

/// Returns the columns to hash, in order.
pub fn choose(
    py: Python<'_>,
    schema: &ArrowSchema,
    selection: &Selection,
) -> PyResult<(Vec<Choice>, Encoding)> {
    let columns = columns_of(schema)?;
    let places = selection.places(py, schema, &columns)?;
    let columns: Vec<_> = places.iter().map(|&place| columns[place]).collect();
    let (kinds, encoding) = selection.form.kinds(&columns)?;
    let kinds = places.into_iter().zip(columns).zip(kinds);
    let choices = kinds.map(|((place, column), kind)| Choice {
        place,
        name: shown(&text_of(column.name)),
        kind,
    });
    Ok((choices.collect(), encoding))
}

/// The requested form of the encoding.
#[derive(Clone, Copy, Default)]
pub struct Form {
    /// `None` for the first version that encodes the columns' types.
    version: Option<Version>,
    by_value: bool,
}

impl Form {
    /// Makes the form from the arguments version and numbers.
    pub fn new(version: Option<i64>, numbers: &str) -> PyResult<Form> {
        let by_value = match numbers {
            "exact" => false,
            "by-value" => true,
            _ => {
                let text = format!(
                    "numbers must be 'exact' or 'by-value', not '{}'",
                    shown(numbers)
                );
                return Err(PyValueError::new_err(text));
            }
        };
        let version = match version {
            None => by_value.then_some(Version::Nested),
            Some(1) if by_value => {
                return Err(PyValueError::new_err(
                    "numbers='by-value' takes version 2 of the encoding, not 1",
                ));
            }
            Some(1) => Some(Version::Flat),
            Some(2) => Some(Version::Nested),
            Some(version) => {
                let text = format!("version of the encoding must be 1 or 2, not {version}");
                return Err(PyValueError::new_err(text));
            }
        };
        Ok(Form { version, by_value })
    }

    /// Returns the kinds of columns, and the encoding of their rows.
    pub fn kinds(&self, columns: &[&ArrowSchema]) -> PyResult<(Vec<Kind>, Encoding)> {
        let all = |version| -> PyResult<Vec<Kind>> {
            let kind = |column: &&ArrowSchema| {
                let name = shown(&text_of(column.name));
                let kind = Kind::of_schema(column, &name, version)?;
                if kind.version() > version && self.version.is_some() {
                    return Err(PyTypeError::new_err(format!(
                        "column '{name}': Arrow type {} has no encoding in version 1 (version=2 has \
                         one)",
                        type_name(&text_of(column.format))
                    )));
                }
                Ok(kind)
            };
            columns.iter().map(kind).collect()
        };
        let mut version = self.version.unwrap_or(Version::Flat);
        let mut kinds = all(version)?;
        if kinds.iter().any(|kind| kind.version() > version) {
            version = Version::Nested;
            kinds = all(version)?;
        }
        let by_value = self.by_value;
        Ok((kinds, Encoding { version, by_value }))
    }
}

pub fn table_of<'a>(
    array: &'a ArrowArray,
    choices: &[Choice],
    encoding: Encoding,
    prefix: &'static [u8],
) -> PyResult<Table<'a>> {
    let rows = rows_of(array)?;
    let fields = choices.iter().map(|choice| {
        let column = column_at(array, choice.place)?;
        Field::new(
            column,
            choice.kind.clone(),
            Some(rows.clone()),
            &choice.name,
        )
    });
    Ok(Table {
        prefix,
        encoding,
        fields: fields.collect::<PyResult<_>>()?,
        length: rows.len(),
        bad: OnceLock::new(),
    })
}

/// Hashes each row of a table, over several columns.
///
/// table: a table with the Arrow PyCapsule interface (of pyarrow, Polars, DuckDB ...), a pandas
/// frame, a pyarrow Dataset or Scanner, a Hugging Face dataset, a dict of columns, a structured
/// numpy array, or a list of dicts, which need pyarrow. columns: the names of the columns to hash,
/// in order; None for all. The other arguments are as in hash_many. docs/format/rows.md defines the
/// encoding of rows: it includes types, lengths and nulls, so different rows are never the same
/// message; it omits widths of integers and floats, units of time and layouts, so engines agree.
///
/// The index of a pandas frame is not hashed unless columns names it; neither are columns of Arrow
/// data that contain such an index according to the metadata. index=True hashes all of them, after
/// the other columns.
///
/// version: of the encoding, 1 or 2; None for 1 unless a column's type needs 2: lists, structs,
/// maps and intervals do. numbers: "exact", or "by-value" to encode a decimal that is a whole
/// number as that integer, in version 2. Floats are not exact numbers and stay floats.
///
/// Returns a Digests without nulls.
///
/// Errors: TypeError that names the column for types without an encoding (unions, and in version 1
/// those that need version 2); ValueError for a missing column, for numbers of more bits than
/// version 1 encodes, and as in hash_column.
#[pyfunction]
#[pyo3(signature = (table, algorithm, columns=None, *, index=false, version=None,
                    numbers="exact", digest_size=Argument::ABSENT,
                    key=Argument::ABSENT, salt=Argument::ABSENT, person=Argument::ABSENT,
                    derive_key_context=Argument::ABSENT, threads=1),
       text_signature = "(table, algorithm, columns=None, *, index=False, version=None, \
                         numbers='exact', digest_size=None, key=b'', salt=b'', person=b'', \
                         derive_key_context=None, threads=1)")]
#[allow(clippy::too_many_arguments)]
pub fn hash_rows(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    algorithm: &Bound<'_, PyAny>,
    columns: Option<Names>,
    index: bool,
    version: Option<i64>,
    numbers: &str,
    digest_size: Argument<'_, '_>,
    key: Argument<'_, '_>,
    salt: Argument<'_, '_>,
    person: Argument<'_, '_>,
    derive_key_context: Argument<'_, '_>,
    threads: i64,
) -> PyResult<Digests> {
    let parameters = parameters_of(algorithm, digest_size, key, salt, person)?
        .derive_key_context(derive_key_context)?;
    let job = Job::new(&parameters, threads)?;
    let form = Form::new(version, numbers)?;
    let selection = Selection {
        columns: columns.map(|names| names.0),
        index,
        form,
    };
    let chunks = hash_table(py, &job, table, &selection, b"")?;
    Ok(Digests::new(chunks, job.stride))
}

/// Hashes a table's rows: a prefix and the row's encoding each.
pub fn hash_table(
    py: Python<'_>,
    job: &Job<'_>,
    table: &Bound<'_, PyAny>,
    selection: &Selection,
    prefix: &'static [u8],
) -> PyResult<Vec<Chunk>> {
    map_tables(py, table, selection, prefix, |table| {
        Ok(Chunk {
            digests: job.hash_all(py, &table)?,
            length: table.length,
            validity: None,
            null_count: 0,
        })
    })
}

/// Calls a function for each batch of a table and collects the results.
pub fn map_tables<T>(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    selection: &Selection,
    prefix: &'static [u8],
    mut make: impl FnMut(Table<'_>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let mut import = Import::new(table, selection.columns.as_deref(), selection.index)?;
    let (choices, encoding) = choose(py, import.schema(), selection)?;
    let mut made = Vec::new();
    while let Some(array) = import.next(py)? {
        made.push(make(table_of(&array, &choices, encoding, prefix)?)?);
    }
    Ok(made)
}
