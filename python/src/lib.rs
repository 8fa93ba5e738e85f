// SPDX-License-Identifier: MIT OR Apache-2.0
//! The extension module `finalist._finalist`.

mod aligned;
mod arrow;
mod buffer;
mod constructors;
mod digest_memory;
mod engine;
mod hash;
mod manifest;
mod many;
mod memory;
mod merkle;
mod parameters;
mod polars;
mod rows;
mod secret;
mod tables;
mod watch;

use finalist::Algorithm;
use pyo3::exceptions::{PyImportError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::parameters::Argument;

/// Return a hash object for the algorithm of this name; the arguments are its constructor's.
#[pyfunction]
#[pyo3(signature = (name, data=Argument::ABSENT, **keywords),
       text_signature = "(name, data=b'', **keywords)")]
fn new<'py>(
    name: &Bound<'py, PyAny>,
    data: Argument<'_, 'py>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let algorithm = parameters::algorithm_by_name(name)?;
    let class = constructors::class_of(name.py(), algorithm)
        .ok_or_else(|| PyValueError::new_err(format!("unsupported hash type {algorithm}")))?;
    match data.0 {
        Some(data) => class.call((data,), keywords),
        None => class.call((), keywords),
    }
}

/// Fails in a subinterpreter. PyO3 keeps objects in static variables, which all interpreters share:
/// those of an interpreter that has ended would be used by the others.
fn check_interpreter(py: Python<'_>) -> PyResult<()> {
    // SAFETY: the thread is attached to an interpreter, whose state Get returns.
    match unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) } {
        0 => Ok(()),
        -1 => Err(PyErr::fetch(py)),
        _ => Err(PyImportError::new_err(
            "finalist cannot be used in subinterpreters",
        )),
    }
}

#[pymodule(gil_used = false)]
fn _finalist(module: &Bound<'_, PyModule>) -> PyResult<()> {
    check_interpreter(module.py())?;
    constructors::add_classes(module)?;
    module.add_function(wrap_pyfunction!(new, module)?)?;
    module.add_function(wrap_pyfunction!(parameters::check_threads, module)?)?;
    module.add_function(wrap_pyfunction!(many::hash_equal, module)?)?;
    module.add_function(wrap_pyfunction!(many::hash_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::hash_column, module)?)?;
    module.add_function(wrap_pyfunction!(rows::hash_rows, module)?)?;
    module.add_function(wrap_pyfunction!(manifest::proved, module)?)?;
    module.add_class::<manifest::Manifest>()?;
    module.add_class::<manifest::ManifestRows>()?;
    module.add(
        "ManifestError",
        module.py().get_type::<manifest::ManifestError>(),
    )?;
    module.add_class::<merkle::MerkleTree>()?;
    module.add_class::<secret::Secret>()?;
    module.add_class::<arrow::digests::Digests>()?;
    module.add_class::<tables::KeyedRows>()?;
    module.add_class::<tables::Sums>()?;
    module.add_class::<tables::Unequal>()?;
    module.add_class::<tables::Matches>()?;
    module.add_class::<tables::SortedRows>()?;
    let names: Vec<_> = Algorithm::all()
        .iter()
        .map(|&algorithm| hash::identifier(algorithm))
        .collect();
    module.add("ALGORITHMS", PyTuple::new(module.py(), names)?)?;
    module.add("__version__", finalist::version())
}
