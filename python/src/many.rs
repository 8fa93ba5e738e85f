// SPDX-License-Identifier: MIT OR Apache-2.0
//! hash_many, hash_equal and hash_column: many messages in one call.

use std::mem::MaybeUninit;
use std::ops::Range;

use finalist::Family;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::arrow::abi::{ArrowArray, ArrowSchema};
use crate::arrow::column::BadRow;
use crate::arrow::dictionary::{ColumnType, Values};
use crate::arrow::digests::Digests;
use crate::arrow::import::{Import, series_name, shown, text_of};
use crate::arrow::table::{Selection, column_at, columns_of, rows_of};
use crate::buffer::{self, Input};
use crate::engine::{Failure, Job, Message, Messages, Work};
use crate::parameters::{Argument, Parameters, algorithm_by_name, info_of};

/// Checks the parameters of calls for many messages.
pub fn parameters_of(
    algorithm: &Bound<'_, PyAny>,
    digest_size: Argument<'_, '_>,
    key: Argument<'_, '_>,
    salt: Argument<'_, '_>,
    person: Argument<'_, '_>,
) -> PyResult<Parameters> {
    let algorithm = algorithm_by_name(algorithm)?;
    let digest_size = digest_size.or_none();
    let info = info_of(algorithm);
    if info.family == Family::Blake2 && info.name.contains('x') && digest_size.0.is_none() {
        let text = format!("{algorithm} needs a digest_size");
        return Err(PyTypeError::new_err(text));
    }
    Parameters::new(algorithm)
        .digest_size(digest_size)?
        .secrets(key, salt, person)
}

// SAFETY: hash_messages writes a digest for each message.
unsafe impl Messages for Vec<Input> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn message(&self, row: usize) -> Result<Option<&[u8]>, BadRow> {
        Ok(Some(self[row].bytes()))
    }

    fn have_at_most(&self, most: usize, range: Range<usize>) -> bool {
        let bytes = self[range].iter().map(|buffer| buffer.bytes().len());
        bytes.fold(0, usize::saturating_add) <= most
    }

    fn hash_short(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        let messages = self[range]
            .iter()
            .map(|buffer| Message::new(buffer.bytes()));
        work.messages.clear();
        work.messages.extend(messages);
        job.hash_messages(&work.messages, digests)
    }

    fn bad_row(&self) -> PyErr {
        PyValueError::new_err("a message cannot be read")
    }
}

/// Hashes many messages side by side in vector registers.
///
/// algorithm: a name of algorithms_available. messages: an iterable of bytes-like objects. threads:
/// the number of threads to use. The others are the constructor's parameters, the same for all
/// messages; BLAKE2X needs a digest_size. Returns a list of bytes or, with joined, one bytes object
/// of len(messages) * digest_size bytes.
///
/// Errors: TypeError for a message that is not bytes-like, ValueError for a wrong name or length.
#[pyfunction]
#[pyo3(signature = (algorithm, messages, *, digest_size=Argument::ABSENT, key=Argument::ABSENT, salt=Argument::ABSENT, person=Argument::ABSENT,
                    derive_key_context=Argument::ABSENT, threads=1, joined=false),
       text_signature = "(algorithm, messages, *, digest_size=None, key=b'', salt=b'', person=b'', \
                         derive_key_context=None, threads=1, joined=False)")]
#[allow(clippy::too_many_arguments)]
pub fn hash_many<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    digest_size: Argument<'_, 'py>,
    key: Argument<'_, 'py>,
    salt: Argument<'_, 'py>,
    person: Argument<'_, 'py>,
    derive_key_context: Argument<'_, 'py>,
    threads: i64,
    joined: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let parameters = parameters_of(algorithm, digest_size, key, salt, person)?
        .derive_key_context(derive_key_context)?;
    let job = Job::new(&parameters, threads)?;
    let mut messages = buffer::Messages::of(messages)?;
    let mut all = Vec::new();
    let list = PyList::empty(py);
    let mut taken = 0;
    loop {
        let buffers = Input::take(&mut messages, job.messages_at_once(), |place, error| {
            at_place(py, taken + place, error)
        })?;
        if buffers.is_empty() {
            break;
        }
        taken += buffers.len();
        let mut digests = job.hash_all(py, &buffers)?;
        if joined {
            all.append(&mut digests);
        } else {
            for digest in digests.chunks(job.stride) {
                list.append(PyBytes::new(py, digest))?;
            }
        }
    }
    if joined {
        Ok(PyBytes::new(py, &all).into_any())
    } else {
        Ok(list.into_any())
    }
}

/// Contiguous messages of one length.
struct Equal {
    input: Input,
    message_bytes: usize,
}

impl Equal {
    fn rows(&self, range: Range<usize>) -> &[u8] {
        &self.input.bytes()[range.start * self.message_bytes..range.end * self.message_bytes]
    }
}

// SAFETY: hash_equal writes a digest for each message.
unsafe impl Messages for Equal {
    fn len(&self) -> usize {
        self.input.bytes().len() / self.message_bytes
    }

    fn message(&self, row: usize) -> Result<Option<&[u8]>, BadRow> {
        Ok(Some(self.rows(row..row + 1)))
    }

    fn have_at_most(&self, most: usize, range: Range<usize>) -> bool {
        self.rows(range).len() <= most
    }

    fn hash_short(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        _work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        job.hash_equal(self.rows(range), self.message_bytes, digests)
    }

    fn bad_row(&self) -> PyErr {
        PyValueError::new_err("a message cannot be read")
    }
}

/// Hashes contiguous messages of one length, such as a level of a Merkle tree, where a message is
/// two digests.
///
/// messages: a bytes-like object of whole messages of message_size bytes. The other parameters are
/// as in hash_many. Returns the digests as one bytes object.
///
/// Errors: TypeError unless messages is bytes-like, ValueError for a wrong name or length.
#[pyfunction]
#[pyo3(signature = (algorithm, messages, message_size, *, digest_size=Argument::ABSENT, key=Argument::ABSENT, salt=Argument::ABSENT, person=Argument::ABSENT,
                    derive_key_context=Argument::ABSENT, threads=1),
       text_signature = "(algorithm, messages, message_size, *, digest_size=None, key=b'', salt=b'', \
                         person=b'', derive_key_context=None, threads=1)")]
#[allow(clippy::too_many_arguments)]
pub fn hash_equal<'py>(
    py: Python<'py>,
    algorithm: &Bound<'py, PyAny>,
    messages: Bound<'py, PyAny>,
    message_size: usize,
    digest_size: Argument<'_, 'py>,
    key: Argument<'_, 'py>,
    salt: Argument<'_, 'py>,
    person: Argument<'_, 'py>,
    derive_key_context: Argument<'_, 'py>,
    threads: i64,
) -> PyResult<Bound<'py, PyBytes>> {
    let parameters = parameters_of(algorithm, digest_size, key, salt, person)?
        .derive_key_context(derive_key_context)?;
    let job = Job::new(&parameters, threads)?;
    let input = Input::new(messages)?;
    if message_size == 0 || input.bytes().len() % message_size != 0 {
        let text = "messages are not whole: their length is no multiple of message_size";
        return Err(PyValueError::new_err(text));
    }
    let equal = Equal {
        input,
        message_bytes: message_size,
    };
    Ok(PyBytes::new(py, &job.hash_all(py, &equal)?))
}

/// Adds the index of a wrong message to an error.
fn at_place(py: Python<'_>, place: usize, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(format!("message {place}: {}", error.value(py)))
    } else {
        error
    }
}

/// The column's type and name, and its index if it is in a table.
struct Source {
    kind: ColumnType,
    name: String,
    place: Option<usize>,
}

impl Source {
    /// series: the name of a pandas Series, or empty.
    fn new(py: Python<'_>, schema: &ArrowSchema, series: String) -> PyResult<Source> {
        let (column, place) = if text_of(schema.format) == "+s" {
            let columns = columns_of(schema)?;
            let place = only_place(py, schema, &columns)?;
            (columns[place], Some(place))
        } else {
            (schema, None)
        };
        let name = if series.is_empty() {
            text_of(column.name)
        } else {
            series
        };
        Ok(Source {
            kind: ColumnType::of_schema(column, &name)?,
            name: shown(&name),
            place,
        })
    }

    fn values<'a>(&self, array: &'a ArrowArray) -> PyResult<Values<'a>> {
        let Some(place) = self.place else {
            return self.kind.values(array, None, &self.name);
        };
        let rows = rows_of(array)?;
        let column = column_at(array, place)?;
        self.kind.values(column, Some(rows), &self.name)
    }
}

/// Returns the index of a table's only column, apart from a pandas index.
fn only_place(py: Python<'_>, schema: &ArrowSchema, columns: &[&ArrowSchema]) -> PyResult<usize> {
    let places = match columns {
        [_] => vec![0],
        _ => Selection::default().places(py, schema, columns)?,
    };
    match places[..] {
        [place] => Ok(place),
        _ => Err(PyTypeError::new_err(format!(
            "a single column is required, not a table of {}: select one, or use hash_rows",
            places.len()
        ))),
    }
}

/// Hashes the values of a column.
///
/// column: an object with the Arrow PyCapsule interface (arrays and streams of pyarrow, Polars,
/// DuckDB, pandas 3, nanoarrow ...) and binary or string values in any layout, or a table of one
/// such column. Values are read without a copy, strings as their UTF-8 bytes. Each value of a
/// dictionary (Categorical, Enum) is hashed once. If pyarrow is installed, it converts pandas
/// objects, numpy arrays and lists; None and pandas' missing values become null. The other
/// arguments are as in hash_many.
///
/// Returns Digests with a row for each value: digest_size bytes, null where the value is null.
///
/// Errors: TypeError that names the column for other types; ValueError for a released capsule or
/// for offsets that run backwards or beyond the data. Ctrl-C stops the call.
#[pyfunction]
#[pyo3(signature = (algorithm, column, *, digest_size=Argument::ABSENT, key=Argument::ABSENT, salt=Argument::ABSENT, person=Argument::ABSENT,
                    derive_key_context=Argument::ABSENT, threads=1),
       text_signature = "(algorithm, column, *, digest_size=None, key=b'', salt=b'', person=b'', \
                         derive_key_context=None, threads=1)")]
#[allow(clippy::too_many_arguments)]
pub fn hash_column(
    py: Python<'_>,
    algorithm: &Bound<'_, PyAny>,
    column: &Bound<'_, PyAny>,
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
    let mut import = Import::new(column, None, false)?;
    let source = Source::new(py, import.schema(), series_name(column)?)?;
    let mut chunks = Vec::new();
    while let Some(array) = import.next(py)? {
        let values = source.values(&array)?;
        let digests = match &values {
            Values::Plain(column) => job.hash_all(py, column)?,
            Values::Encoded(column) if column.repeats() => {
                let digests = job.hash_all(py, &column.values)?;
                job.hash_all(py, &column.with_digests(digests, job.stride))?
            }
            Values::Encoded(column) => job.hash_all(py, column)?,
        };
        chunks.push(values.chunk(digests));
    }
    Ok(Digests::new(chunks, job.stride))
}
