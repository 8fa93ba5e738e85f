// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables, which are arrays of structs: their columns, rows, and the columns of a pandas index.

use std::ops::Range;
use std::slice;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::abi::{ArrowArray, ArrowSchema};
use super::column::Frame;
use super::import::{shown, text_of};
use super::kind::{children_of, type_name};
use crate::rows::Form;

/// Returns the columns of a table; a TypeError for anything else.
pub fn columns_of(schema: &ArrowSchema) -> PyResult<Vec<&ArrowSchema>> {
    let format = text_of(schema.format);
    if format != "+s" {
        let text = format!(
            "a table is required, not a column of Arrow type {}",
            type_name(&format)
        );
        return Err(PyTypeError::new_err(text));
    }
    children_of(schema)
}

/// Returns the range of a table's rows within its columns. No row may be null as a whole.
pub fn rows_of(table: &ArrowArray) -> PyResult<Range<usize>> {
    let columns = usize::try_from(table.n_children).unwrap_or(0);
    let frame = Frame::new(table, 1, columns, None, "")?;
    if (0..frame.length).any(|row| !frame.validity.is_valid(row)) {
        return Err(PyValueError::new_err("the table has null structs for rows"));
    }
    Ok(frame.offset..frame.offset + frame.length)
}

/// Returns a column of a table whose rows were checked.
pub fn column_at(table: &ArrowArray, place: usize) -> PyResult<&ArrowArray> {
    let count = usize::try_from(table.n_children).unwrap_or(0);
    // SAFETY: the table has that many children, which live as long.
    let column = (place < count).then(|| unsafe { (*table.children.add(place)).as_ref() });
    let missing = || PyValueError::new_err("an Arrow array without its child");
    column.flatten().ok_or_else(missing)
}

/// The columns of a table to hash, in order.
#[derive(Default)]
pub struct Selection {
    /// `None` for all except the index of a pandas frame.
    pub columns: Option<Vec<String>>,
    /// True to hash the columns of that index, too.
    pub index: bool,
    pub form: Form,
}

impl Selection {
    /// Returns the indices of the chosen columns in a table.
    pub fn places(
        &self,
        py: Python<'_>,
        schema: &ArrowSchema,
        columns: &[&ArrowSchema],
    ) -> PyResult<Vec<usize>> {
        let names: Vec<_> = columns.iter().map(|column| text_of(column.name)).collect();
        let place_of = |column: &String| {
            let mut places = (0..names.len()).filter(|&place| &names[place] == column);
            match (places.next(), places.next()) {
                (Some(place), None) => Ok(place),
                (None, _) => Err(format!("the table has no column '{}'", shown(column))),
                _ => Err(format!("the table has several columns '{}'", shown(column))),
            }
            .map_err(PyValueError::new_err)
        };
        let mut chosen = match &self.columns {
            Some(columns) => columns.iter().map(place_of).collect::<PyResult<Vec<_>>>()?,
            None => (0..names.len()).collect(),
        };
        if self.index {
            for place in index_columns(py, schema)?.ok_or_else(no_index)? {
                let place = place_of(&place.ok_or_else(range_index)?)?;
                if !chosen.contains(&place) {
                    chosen.push(place);
                }
            }
        } else if self.columns.is_none() {
            // Columns of the index may have been dropped since.
            let index = index_columns(py, schema)?.into_iter().flatten().flatten();
            for name in index.filter(|name| names.contains(name)) {
                let place = place_of(&name)?;
                chosen.retain(|&other| other != place);
            }
        }
        Ok(chosen)
    }
}

fn no_index() -> PyErr {
    PyValueError::new_err("the table has no pandas index")
}

fn range_index() -> PyErr {
    PyValueError::new_err(
        "the table's pandas index is a range, which is no column: reset_index() makes it one",
    )
}

/// Returns the columns of a pandas index, by the table's metadata: their names, and `None` for a
/// range, which is not a column. Returns `None` if the table was not a frame.
fn index_columns(py: Python<'_>, schema: &ArrowSchema) -> PyResult<Option<Vec<Option<String>>>> {
    let Some(pandas) = metadata_of(schema, b"pandas")? else {
        return Ok(None);
    };
    let given = py.import("finalist._given")?;
    let names = given.call_method1("index_columns", (PyBytes::new(py, pandas),))?;
    names.extract().map(Some)
}

/// Returns the value of a key in a schema's metadata: the number of pairs, then each key and value
/// after its length. All numbers have 32 bits.
pub fn metadata_of<'a>(schema: &'a ArrowSchema, key: &[u8]) -> PyResult<Option<&'a [u8]>> {
    if schema.metadata.is_null() {
        return Ok(None);
    }
    let mut rest = schema.metadata.cast::<u8>();
    let pairs = count_at(&mut rest)?;
    for _ in 0..pairs {
        let (name, value) = (bytes_at(&mut rest)?, bytes_at(&mut rest)?);
        if name == key {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Reads a number of metadata and advances `rest`.
fn count_at(rest: &mut *const u8) -> PyResult<usize> {
    // SAFETY: the interface promises a number here.
    let count = unsafe { rest.cast::<i32>().read_unaligned() };
    *rest = rest.wrapping_add(size_of::<i32>());
    let negative = |_| PyValueError::new_err("Arrow metadata of negative length");
    usize::try_from(count).map_err(negative)
}

/// Reads a key or value of metadata and advances `rest`. The bytes live as long as the schema.
fn bytes_at<'a>(rest: &mut *const u8) -> PyResult<&'a [u8]> {
    let length = count_at(rest)?;
    // SAFETY: the interface promises as many bytes as the number before them.
    let bytes = unsafe { slice::from_raw_parts(*rest, length) };
    *rest = rest.wrapping_add(length);
    Ok(bytes)
}
