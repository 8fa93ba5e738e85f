// SPDX-License-Identifier: MIT OR Apache-2.0
//! Imports arrays and streams from objects with the Arrow PyCapsule interface.

use std::ffi::{CStr, c_char};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyCapsule, PyTuple};

use super::abi::{ArrowArray, ArrowArrayStream, ArrowSchema, Released};

/// Arrays of one type, in order.
pub enum Import {
    Array(ArrowSchema, Option<ArrowArray>),
    Stream(ArrowSchema, ArrowArrayStream),
}

impl Import {
    /// Imports the data of an object that has `__arrow_c_array__` or `__arrow_c_stream__`, or that
    /// finalist._given can convert to one. `columns`, `index`: the columns of a table to convert.
    pub fn new(
        object: &Bound<'_, PyAny>,
        columns: Option<&[String]>,
        index: bool,
    ) -> PyResult<Import> {
        if !is_of_pandas(object, "DataFrame")? && !is_of_pandas(object, "Series")? {
            if let Some(import) = Import::of_capsules(&of_polars(object)?)? {
                return Ok(import);
            }
        }
        let given = object.py().import("finalist._given")?;
        let made = given.call_method1("arrow_data", (object, columns, index))?;
        Import::of_capsules(&made)?.ok_or_else(incomplete)
    }

    fn of_capsules(object: &Bound<'_, PyAny>) -> PyResult<Option<Import>> {
        if object.hasattr("__arrow_c_array__")? {
            return Import::from_array(&object.call_method0("__arrow_c_array__")?).map(Some);
        }
        if object.hasattr("__arrow_c_stream__")? {
            return Import::from_stream(&object.call_method0("__arrow_c_stream__")?).map(Some);
        }
        Ok(None)
    }

    fn from_array(pair: &Bound<'_, PyAny>) -> PyResult<Import> {
        let pair = pair.cast::<PyTuple>()?;
        let schema = take::<ArrowSchema>(&pair.get_item(0)?, c"arrow_schema")?;
        let array = take::<ArrowArray>(&pair.get_item(1)?, c"arrow_array")?;
        Ok(Import::Array(schema, Some(array)))
    }

    fn from_stream(capsule: &Bound<'_, PyAny>) -> PyResult<Import> {
        let mut stream = take::<ArrowArrayStream>(capsule, c"arrow_array_stream")?;
        let mut schema = ArrowSchema::empty();
        let get_schema = stream.get_schema.ok_or_else(incomplete)?;
        // SAFETY: the stream's own function, on the stream and a place for the schema.
        match unsafe { get_schema(&mut stream, &mut schema) } {
            0 if schema.is_released() => Err(incomplete()),
            0 => Ok(Import::Stream(schema, stream)),
            code => Err(stream_error(capsule.py(), &mut stream, code)),
        }
    }

    pub fn schema(&self) -> &ArrowSchema {
        match self {
            Import::Array(schema, _) | Import::Stream(schema, _) => schema,
        }
    }

    /// Returns the next array; `None` after the last.
    pub fn next(&mut self, py: Python<'_>) -> PyResult<Option<ArrowArray>> {
        let stream = match self {
            Import::Array(_, array) => return Ok(array.take()),
            Import::Stream(_, stream) => stream,
        };
        let get_next = stream.get_next.ok_or_else(incomplete)?;
        let mut array = ArrowArray::empty();
        // SAFETY: the stream's own function, on the stream and a place for the array.
        match unsafe { get_next(stream, &mut array) } {
            0 if array.is_released() => Ok(None),
            0 => Ok(Some(array)),
            code => Err(stream_error(py, stream, code)),
        }
    }
}

/// Returns true for an object of a class of pandas. A DataFrame would export its index among its
/// columns; a Series has errors of its own.
fn is_of_pandas(object: &Bound<'_, PyAny>, class: &str) -> PyResult<bool> {
    let modules = object.py().import("sys")?.getattr("modules")?;
    let pandas = modules.get_item("pandas");
    match pandas.and_then(|pandas| pandas.getattr(class)) {
        Ok(class) => object.is_instance(&class),
        Err(_) => Ok(false), // pandas is not, or not completely, imported.
    }
}

/// Returns the name of a pandas Series, which its Arrow data lacks; empty for anything else.
pub fn series_name(object: &Bound<'_, PyAny>) -> PyResult<String> {
    if !is_of_pandas(object, "Series")? {
        return Ok(String::new());
    }
    Ok(object.getattr("name")?.extract().unwrap_or_default())
}

/// Returns what to read of an object: itself unless Polars has a better form of it.
fn of_polars<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let kind = object.get_type();
    let name = kind.module()?;
    if name.to_str()?.split('.').next() != Some("polars") {
        return Ok(object.clone());
    }
    let given = object.py().import("finalist._given")?;
    given.call_method1("of_polars", (object,))
}

/// Moves the structure out of its capsule.
fn take<T: Released>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<T> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    // In free-threaded Python, the capsule's lock keeps other threads from taking it meanwhile.
    // SAFETY: a capsule of that name holds that structure, by the PyCapsule interface.
    let structure = with_critical_section(capsule, || unsafe { T::take(pointer.as_ptr()) });
    if structure.is_released() {
        let text = format!(
            "the capsule '{}' is released: its content was taken before",
            name.to_string_lossy()
        );
        return Err(PyValueError::new_err(text));
    }
    Ok(structure)
}

fn incomplete() -> PyErr {
    PyValueError::new_err("the Arrow stream lacks a function or a schema")
}

fn stream_error(py: Python<'_>, stream: &mut ArrowArrayStream, code: i32) -> PyErr {
    if let Some(error) = PyErr::take(py) {
        return error;
    }
    let text = match stream.get_last_error {
        // SAFETY: the stream's own function after one of them failed.
        Some(last_error) => text_of(unsafe { last_error(stream) }),
        None => String::new(),
    };
    PyRuntimeError::new_err(format!("the Arrow stream failed (error {code}): {text}"))
}

/// Formats a name for a message: on one line, truncated if it is long, without characters that a
/// terminal hides or reorders.
pub fn shown(text: &str) -> String {
    const SHOWN_MAX: usize = 200;
    let mut shown = String::new();
    for character in text.chars().take(SHOWN_MAX + 1) {
        match character {
            '\'' | '"' | '\\' => shown.push(character),
            other => shown.extend(other.escape_debug()),
        }
    }
    match shown.char_indices().nth(SHOWN_MAX) {
        Some(_) => shown
            .chars()
            .take(SHOWN_MAX - 3)
            .chain("...".chars())
            .collect(),
        None => shown,
    }
}

/// Returns a producer's string; empty if there is none.
pub fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: strings of the C data interface are null-terminated and live as long as their
    // structure, which the caller holds.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
