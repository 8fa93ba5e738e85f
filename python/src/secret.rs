// SPDX-License-Identifier: MIT OR Apache-2.0
//! A key that Python code keeps between calls. It is wiped with its last reference.

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use zeroize::Zeroizing;

use crate::buffer::Buffer;

// A copy of a bytes-like object that is bytes-like, too, except that printing it shows no key.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct Secret {
    bytes: Zeroizing<Vec<u8>>,
}

impl Secret {
    /// Keeps a key that is wiped when dropped.
    pub fn of(bytes: Zeroizing<Vec<u8>>) -> Secret {
        Secret { bytes }
    }
}

#[pymethods]
impl Secret {
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> PyResult<Secret> {
        let bytes = Zeroizing::new(Buffer::new(value)?.bytes().to_vec());
        Ok(Secret { bytes })
    }

    fn __len__(&self) -> usize {
        self.bytes.len()
    }

    // Engines send the key to their workers.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Bound<'py, PyBytes>,)) {
        (slf.get_type(), (PyBytes::new(slf.py(), &slf.get().bytes),))
    }

    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("the view is null"));
        }
        let bytes = &slf.get().bytes;
        // SAFETY: the view keeps the object, whose bytes neither change nor move, alive.
        let status = unsafe {
            (*view).obj = ptr::null_mut();
            let start = bytes.as_ptr().cast_mut().cast();
            ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, bytes.len() as isize, 1, flags)
        };
        if status == 0 {
            Ok(())
        } else {
            Err(PyErr::fetch(slf.py()))
        }
    }
}
