// SPDX-License-Identifier: MIT OR Apache-2.0
//! The expression plugin for Polars: functions that its engine calls, with the interface 0.1 of
//! crates/polars-ffi and crates/polars-plan (plugin.rs). The Python half is finalist/polars.py.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrow::abi::{ArrowArray, ArrowSchema, Released};
use crate::arrow::dictionary::{ColumnType, Values};
use crate::arrow::digests::Chunk;
use crate::arrow::export::{DigestViews, schema, view_array};
use crate::arrow::import::text_of;
use crate::arrow::table::Selection;
use crate::engine::{Job, Messages, Rows};
use crate::many::parameters_of;
use crate::parameters::{Argument, Parameters};
use crate::rows::{Form, choose, table_of};

/// Version of the interface, with the major version in the upper half.
const VERSION: u32 = 1;

/// BinaryView, which Polars imports without conversion.
const FORMAT: &CStr = c"vz";

/// A series: its field and its chunks.
#[repr(C)]
pub struct SeriesExport {
    field: *mut ArrowSchema,
    arrays: *mut *mut ArrowArray,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    private_data: *mut c_void,
}

thread_local! {
    /// The error of this thread's last call.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

fn fail(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    LAST_ERROR.with(|last| *last.borrow_mut() = text);
}

#[unsafe(no_mangle)]
pub extern "C" fn _polars_plugin_get_version() -> u32 {
    VERSION
}

#[unsafe(no_mangle)]
pub extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    LAST_ERROR.with(|last| last.borrow().as_ptr())
}

/// Returns the type of the result: Binary, with the column's name.
///
/// # Safety
/// Called by Polars: `fields` has `count` schemas; `result` has space for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _polars_plugin_field_finalist_hash(
    fields: *const ArrowSchema,
    count: usize,
    result: *mut ArrowSchema,
    _kwargs: *const u8,
    _kwargs_bytes: usize,
) {
    // SAFETY: promised by the caller.
    let fields = unsafe { slice::from_raw_parts(fields, count) };
    let checked = match fields {
        [field] => ColumnType::of_schema(field, &text_of(field.name)).map(|_| text_of(field.name)),
        _ => Ok(String::new()),
    };
    match checked {
        // SAFETY: promised by the caller.
        Ok(name) => unsafe { result.write(schema(FORMAT, &name)) },
        Err(error) => fail(&format!("finalist: {}", shown(error))),
    }
}

/// Returns the type of the rows' digests: Binary, with the struct's name.
///
/// # Safety
/// As above; `kwargs` has the length of the next argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _polars_plugin_field_finalist_hash_rows(
    fields: *const ArrowSchema,
    count: usize,
    result: *mut ArrowSchema,
    kwargs: *const u8,
    kwargs_bytes: usize,
) {
    // SAFETY: promised by the caller.
    let (fields, kwargs) = unsafe {
        (
            slice::from_raw_parts(fields, count),
            slice::from_raw_parts(kwargs, kwargs_bytes),
        )
    };
    let checked = Python::attach(|py| match fields {
        [field] => {
            let (_, form) = read(py, kwargs)?;
            choose(py, field, &all_columns(form)).map(|_| text_of(field.name))
        }
        _ => Ok(String::new()),
    });
    match checked {
        // SAFETY: promised by the caller.
        Ok(name) => unsafe { result.write(schema(FORMAT, &name)) },
        Err(error) => fail(&format!("finalist: {}", shown(error))),
    }
}

/// Hashes a series of binary or string values.
///
/// # Safety
/// Called by Polars: `inputs` has `count` series, which the callee owns; `kwargs` has the length of
/// the next argument; `result` has space for a series.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _polars_plugin_finalist_hash(
    inputs: *mut SeriesExport,
    count: usize,
    kwargs: *const u8,
    kwargs_bytes: usize,
    result: *mut SeriesExport,
    _context: *const c_void,
) {
    // SAFETY: promised by the caller.
    unsafe { call(hash, inputs, count, kwargs, kwargs_bytes, result) };
}

/// Hashes the rows of a series of structs.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _polars_plugin_finalist_hash_rows(
    inputs: *mut SeriesExport,
    count: usize,
    kwargs: *const u8,
    kwargs_bytes: usize,
    result: *mut SeriesExport,
    _context: *const c_void,
) {
    // SAFETY: promised by the caller.
    unsafe { call(hash_rows, inputs, count, kwargs, kwargs_bytes, result) };
}

/// A function of a series' field and chunks, and of the pickled arguments.
type Function = fn(&ArrowSchema, &[ArrowArray], &[u8]) -> Result<SeriesExport, String>;

/// # Safety
/// As above.
unsafe fn call(
    function: Function,
    inputs: *mut SeriesExport,
    count: usize,
    kwargs: *const u8,
    kwargs_bytes: usize,
    result: *mut SeriesExport,
) {
    // SAFETY: promised by the caller.
    let (inputs, kwargs) = unsafe {
        (
            slice::from_raw_parts_mut(inputs, count),
            slice::from_raw_parts(kwargs, kwargs_bytes),
        )
    };
    let hashed = catch_unwind(AssertUnwindSafe(|| match inputs {
        [input] => {
            // SAFETY: a series has a field and `len` arrays, which may be moved out.
            let (field, arrays) = unsafe {
                let pointers = slice::from_raw_parts(input.arrays, input.len);
                let arrays = pointers.iter().map(|&array| ArrowArray::take(array));
                (&*input.field, arrays.collect::<Vec<_>>())
            };
            function(field, &arrays, kwargs)
        }
        _ => Err("finalist: one column is required".to_owned()),
    }));
    for input in inputs {
        if let Some(release) = input.release {
            // SAFETY: the producer's own callback, once. It ignores arrays that were moved out.
            unsafe { release(input) };
        }
    }
    match hashed {
        // SAFETY: promised by the caller.
        Ok(Ok(series)) => unsafe { result.write(series) },
        Ok(Err(text)) => fail(&text),
        Err(_) => fail("PANIC"),
    }
}

fn hash(field: &ArrowSchema, arrays: &[ArrowArray], kwargs: &[u8]) -> Result<SeriesExport, String> {
    let (parameters, _) = Python::attach(|py| read(py, kwargs)).map_err(shown)?;
    let name = text_of(field.name);
    let kind = ColumnType::of_schema(field, &text_of(field.name)).map_err(shown)?;
    let job = job_of(&parameters)?;
    let mut digests = Vec::with_capacity(arrays.len());
    for chunk in arrays {
        let values = kind.values(chunk, None, &name).map_err(shown)?;
        let (bytes, views) = hash_values(&job, &values).map_err(shown)?;
        digests.push(view_array(values.chunk(bytes).into(), views));
    }
    Ok(export(FORMAT, &name, digests))
}

fn hash_rows(
    field: &ArrowSchema,
    arrays: &[ArrowArray],
    kwargs: &[u8],
) -> Result<SeriesExport, String> {
    let (parameters, choices, encoding) = Python::attach(|py| {
        let (parameters, form) = read(py, kwargs)?;
        let (choices, encoding) = choose(py, field, &all_columns(form))?;
        Ok((parameters, choices, encoding))
    })
    .map_err(shown)?;
    let job = job_of(&parameters)?;
    let mut digests = Vec::with_capacity(arrays.len());
    for chunk in arrays {
        let table = table_of(chunk, &choices, encoding, b"").map_err(shown)?;
        let length = table.len();
        let mut views = DigestViews::new(length, job.stride);
        let bytes = job.hash_alone(&table, |digests| views.append(digests));
        let chunk = Chunk {
            digests: bytes.map_err(shown)?,
            length,
            validity: None,
            null_count: 0,
        };
        digests.push(view_array(chunk.into(), views));
    }
    Ok(export(FORMAT, &text_of(field.name), digests))
}

fn all_columns(form: Form) -> Selection {
    Selection {
        columns: None,
        index: false,
        form,
    }
}

fn job_of(parameters: &Parameters) -> Result<Job<'_>, String> {
    let job = Job::new(parameters, 1).map_err(shown)?;
    if i32::try_from(job.stride).is_err() {
        return Err("finalist: digests of 2 GiB and more are too long for Polars".to_owned());
    }
    Ok(job)
}

/// Returns the digests of values, and a view for each row: rows of a dictionary share digests.
fn hash_values(job: &Job<'_>, values: &Values<'_>) -> PyResult<(Vec<u8>, DigestViews)> {
    let repeated = match values {
        Values::Encoded(column) if column.repeats() => Some(column),
        _ => None,
    };
    let rows: &dyn Rows = match (values, repeated) {
        (_, Some(column)) => &column.values,
        (Values::Encoded(column), None) => column,
        (Values::Plain(column), None) => column,
    };
    let mut views = DigestViews::new(rows.len(), job.stride);
    let digests = job.hash_alone(rows, |digests| views.append(digests))?;
    if let Some(column) = repeated {
        views = views
            .gather(column, values.len())
            .map_err(|_| Messages::bad_row(column))?;
    }
    Ok((digests, views))
}

/// Reads the arguments that the Python half pickled: the hash's, and the form of the rows'
/// encoding. Unpickling looks up no class.
fn read(py: Python<'_>, kwargs: &[u8]) -> PyResult<(Parameters, Form)> {
    let module = py.import("finalist.polars")?;
    let arguments = module.call_method1("_arguments", (PyBytes::new(py, kwargs),))?;
    let [
        algorithm,
        digest_size,
        key,
        salt,
        person,
        context,
        version,
        numbers,
    ]: [Bound<'_, PyAny>; 8] = arguments.extract()?;
    fn given<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
        Argument(Some(object.as_borrowed()))
    }
    let parameters = parameters_of(
        &algorithm,
        given(&digest_size),
        given(&key),
        given(&salt),
        given(&person),
    )?
    .derive_key_context(given(&context))?;
    let numbers: String = numbers.extract()?;
    Ok((parameters, Form::new(version.extract()?, &numbers)?))
}

fn shown(error: PyErr) -> String {
    Python::attach(|py| error.value(py).to_string())
}

/// Memory of an exported series. The consumer owns the arrays' content, not the rest.
struct Exported {
    field: ArrowSchema,
    arrays: Vec<*mut ArrowArray>,
}

fn export(format: &CStr, name: &str, arrays: Vec<ArrowArray>) -> SeriesExport {
    unsafe extern "C" fn release(series: *mut SeriesExport) {
        // SAFETY: the structure that `export` made, released once. The consumer has copied the
        // array structures, so only their memory is freed.
        unsafe {
            let exported = Box::from_raw((*series).private_data.cast::<Exported>());
            for &array in &exported.arrays {
                drop(Box::from_raw(
                    array.cast::<std::mem::ManuallyDrop<ArrowArray>>(),
                ));
            }
            (*series).release = None;
        }
    }
    let arrays = arrays.into_iter();
    let exported = Box::into_raw(Box::new(Exported {
        field: schema(format, name),
        arrays: arrays.map(|array| Box::into_raw(Box::new(array))).collect(),
    }));
    // SAFETY: just allocated; lives until release.
    let exported_ref = unsafe { &mut *exported };
    SeriesExport {
        field: ptr::from_mut(&mut exported_ref.field),
        arrays: exported_ref.arrays.as_mut_ptr(),
        len: exported_ref.arrays.len(),
        release: Some(release),
        private_data: exported.cast(),
    }
}
