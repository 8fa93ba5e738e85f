// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes of Python objects, taken through the buffer protocol without a copy.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::slice;

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyList, PyMemoryView, PyString, PyTuple};
use zeroize::Zeroizing;

/// Calls a function with an object's bytes to hash. Fails with hashlib's errors.
pub fn with_message_bytes<T>(
    object: &Bound<'_, PyAny>,
    use_bytes: impl FnOnce(&[u8]) -> PyResult<T>,
) -> PyResult<T> {
    match object.cast_exact::<PyBytes>() {
        // Avoids the buffer protocol, which takes as long as hashing a short message.
        Ok(bytes) => use_bytes(bytes.as_bytes()),
        Err(_) => use_bytes(Buffer::of_message(object)?.bytes()),
    }
}

/// A message to hash, kept alive until its digest is computed.
pub struct Input {
    start: *const u8,
    bytes: usize,
    /// One of these keeps the bytes alive.
    _object: Option<Py<PyBytes>>,
    _buffer: Option<Box<Buffer>>,
    _copy: Option<Zeroizing<Vec<u8>>>,
}

// SAFETY: the bytes are only read.
unsafe impl Send for Input {}
// SAFETY: as above.
unsafe impl Sync for Input {}

impl Input {
    /// Takes the bytes of an object, with hashlib's errors.
    pub fn new(object: Bound<'_, PyAny>) -> PyResult<Input> {
        match object.cast_into_exact::<PyBytes>() {
            Ok(bytes) => Ok(Input {
                start: bytes.as_bytes().as_ptr(),
                bytes: bytes.as_bytes().len(),
                _object: Some(bytes.unbind()),
                _buffer: None,
                _copy: None,
            }),
            Err(error) => {
                let buffer = Box::new(Buffer::of_message(&error.into_inner())?);
                Ok(Input {
                    start: buffer.bytes().as_ptr(),
                    bytes: buffer.bytes().len(),
                    _object: None,
                    _buffer: Some(buffer),
                    _copy: None,
                })
            }
        }
    }

    /// Takes the next messages, at most `most`, from an iterator. If one is no message, fails with
    /// the error that `wrong` returns for its place among these and its error.
    ///
    /// An iterator may give the same buffer again with other content, as one that reads into a
    /// buffer does. So what may change is copied, or, if it is long, hashed before the next.
    pub fn take(
        messages: &mut Messages<'_>,
        most: usize,
        wrong: impl Fn(usize, PyErr) -> PyErr,
    ) -> PyResult<Vec<Input>> {
        let (mut taken, mut copied) = (Vec::new(), 0_usize);
        while taken.len() < most && copied < COPIED_BYTES_MAX {
            let Some(message) = messages.iterator.next() else {
                break;
            };
            let message = message?;
            let may_change = !messages.are_held && may_change(&message)?;
            let mut input = Input::new(message).map_err(|error| wrong(taken.len(), error))?;
            if may_change {
                copied = copied.saturating_add(input.bytes);
                if input.bytes < COPIED_BYTES_MAX {
                    input = input.copied();
                }
            }
            taken.push(input);
        }
        Ok(taken)
    }

    /// Copies the bytes. The copy is wiped, since a message can be key material.
    fn copied(&self) -> Input {
        let copy = Zeroizing::new(self.bytes().to_vec());
        Input {
            start: copy.as_ptr(),
            bytes: copy.len(),
            _object: None,
            _buffer: None,
            _copy: Some(copy),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: object, buffer or copy holds them.
        unsafe { slice::from_raw_parts(self.start, self.bytes) }
    }
}

/// Returns false for `bytes`, files mapped for reading, and views of these.
fn may_change(message: &Bound<'_, PyAny>) -> PyResult<bool> {
    if message.is_exact_instance_of::<PyBytes>() {
        return Ok(false);
    }
    if !message.is_instance_of::<PyMemoryView>() {
        return Ok(!message.is_instance_of::<PyBytes>());
    }
    let whole = message.getattr("obj")?;
    if whole.is_instance_of::<PyBytes>() {
        return Ok(false);
    }
    let is_mapped = whole.get_type().module()?.to_str()? == "mmap";
    Ok(!is_mapped || Buffer::new(&whole)?.view.readonly == 0)
}

/// Bytes of messages that are copied before they are hashed together.
const COPIED_BYTES_MAX: usize = 1 << 24;

/// An iterable of messages.
pub struct Messages<'py> {
    iterator: Bound<'py, PyIterator>,
    /// True if all of them are there at once, so that none takes the place of another.
    are_held: bool,
}

impl<'py> Messages<'py> {
    pub fn of(iterable: &Bound<'py, PyAny>) -> PyResult<Messages<'py>> {
        Ok(Messages {
            iterator: iterable.try_iter()?,
            are_held: iterable.is_exact_instance_of::<PyList>()
                || iterable.is_exact_instance_of::<PyTuple>(),
        })
    }
}

/// The bytes of one object, which cannot be resized or freed during this value's lifetime.
pub struct Buffer {
    view: ffi::Py_buffer,
    /// Released in `drop`, which takes the interpreter's lock.
    not_copied: PhantomData<*const u8>,
}

// SAFETY: the view is only read, and released by a thread that is attached to the interpreter.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// Takes the bytes to hash, with hashlib's errors.
    pub fn of_message(object: &Bound<'_, PyAny>) -> PyResult<Buffer> {
        if object.is_instance_of::<PyString>() {
            let text = "Strings must be encoded before hashing";
            return Err(PyTypeError::new_err(text));
        }
        // SAFETY: the object is a live Python object.
        if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } == 0 {
            let text = "object supporting the buffer API required";
            return Err(PyTypeError::new_err(text));
        }
        let buffer = Buffer::new(object)?;
        if buffer.view.ndim > 1 {
            return Err(PyBufferError::new_err("Buffer must be single dimension"));
        }
        Ok(buffer)
    }

    /// Takes the bytes of a parameter. An error names the object's type, never its value.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Buffer> {
        let mut view = MaybeUninit::<ffi::Py_buffer>::zeroed();
        // SAFETY: a live object and a place for the view, which the call fills if it succeeds.
        unsafe {
            if ffi::PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
                return Err(PyErr::fetch(object.py()));
            }
            Ok(Buffer {
                view: view.assume_init(),
                not_copied: PhantomData,
            })
        }
    }

    /// Returns the bytes. Another thread may write to a mutable object meanwhile, as with hashlib:
    /// this only makes the digest wrong.
    pub fn bytes(&self) -> &[u8] {
        if self.view.len <= 0 || self.view.buf.is_null() {
            return &[];
        }
        // SAFETY: PyBUF_SIMPLE gives one contiguous block of that length, held until release.
        unsafe { slice::from_raw_parts(self.view.buf.cast(), self.view.len as usize) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: filled by PyObject_GetBuffer and released once.
        Python::attach(|_| unsafe { ffi::PyBuffer_Release(&mut self.view) });
    }
}
