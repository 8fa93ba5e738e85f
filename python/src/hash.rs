// SPDX-License-Identifier: MIT OR Apache-2.0
//! One message: objects with hashlib's interface.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use finalist::{Algorithm, Hasher};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::buffer::Buffer;
use crate::parameters::{Argument, Parameters, check_threads, failure};

/// Up to this many bytes are hashed without releasing the interpreter's lock, as in hashlib.
const ATTACHED_BYTES_MAX: usize = 2047;

/// A message in progress: what hashlib's constructors return, of any algorithm.
///
/// Made by the constructors (finalist.blake2b, ...), finalist.new and copy. Threads may share one.
#[pyclass(subclass, frozen, module = "finalist")]
pub struct Hash {
    /// Boxed, since a context is moved a few times on its way into an object.
    hasher: Mutex<Box<Hasher>>,
    algorithm: Algorithm,
    threads: usize,
    /// Makes an object of the class that belongs to the algorithm.
    wrap: Wrap,
}

pub type Wrap = for<'py> fn(Python<'py>, Hash) -> PyResult<Bound<'py, PyAny>>;

impl Hash {
    pub fn start(
        parameters: &Parameters,
        data: Argument<'_, '_>,
        threads: i64,
        wrap: Wrap,
    ) -> PyResult<Hash> {
        let threads = check_threads(threads)?;
        // Wrong data is reported before anything is done, as by hashlib.
        let data = data
            .0
            .map(|data| Buffer::of_message(&data).map(|buffer| (buffer, data.py())))
            .transpose()?;
        let hasher = Hasher::new(parameters.algorithm, &parameters.params()).map_err(failure)?;
        let hash = Hash {
            hasher: Mutex::new(Box::new(hasher)),
            algorithm: parameters.algorithm,
            threads,
            wrap,
        };
        if let Some((buffer, py)) = data {
            hash.append(py, &buffer)?;
        }
        Ok(hash)
    }

    fn append(&self, py: Python<'_>, buffer: &Buffer) -> PyResult<()> {
        let bytes = buffer.bytes();
        if bytes.len() <= ATTACHED_BYTES_MAX {
            return self.lock(py).update(bytes).map_err(failure);
        }
        // Both locks are given back before the interpreter's is taken again.
        py.detach(|| {
            let mut hasher = self.hasher.lock().unwrap_or_else(PoisonError::into_inner);
            // Threads of this call alone: a pool that outlived it would not survive a fork.
            hasher
                .update_in_threads(bytes, self.threads)
                .map_err(failure)
        })
    }

    /// The hasher, for a short time. Another thread may need the interpreter to finish with it.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Box<Hasher>> {
        match self.hasher.try_lock() {
            Ok(hasher) => hasher,
            Err(TryLockError::Poisoned(hasher)) => hasher.into_inner(),
            Err(TryLockError::WouldBlock) => loop {
                // The guard cannot leave the closure: wait for the other thread, then try again.
                py.detach(|| drop(self.hasher.lock()));
                if let Ok(hasher) = self.hasher.try_lock() {
                    return hasher;
                }
            },
        }
    }

    fn snapshot(&self, py: Python<'_>) -> Hasher {
        Hasher::clone(&self.lock(py))
    }

    /// The digest as bytes of Python.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut hasher = self.snapshot(py);
        let length = hasher.digest_bytes().unwrap_or_default() as usize;
        fill(py, length, |digest| {
            hasher.finalize_into(digest).map(drop).map_err(failure)
        })
    }

    /// The first bytes of BLAKE2X's output.
    pub fn squeeze<'py>(
        &self,
        py: Python<'py>,
        length: Option<i64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut hasher = self.snapshot(py);
        let (known, max) = match hasher.digest_bytes() {
            Some(bytes) => (Some(bytes), bytes),
            None => (None, self.algorithm.info().digest_bytes_max),
        };
        let Some(length) = length.or(known.map(|bytes| bytes as i64)) else {
            let text = "digest() missing required argument 'length' (pos 1)";
            return Err(pyo3::exceptions::PyTypeError::new_err(text));
        };
        if length < 0 || length as u64 > max {
            let text = format!("length must be between 0 and {max}");
            return Err(PyValueError::new_err(text));
        }
        fill(py, length as usize, |out| {
            py.detach(|| hasher.squeeze(out)).map_err(failure)
        })
    }
}

/// A bytes object of that length, filled in place.
fn fill<'py>(
    py: Python<'py>,
    length: usize,
    write: impl FnOnce(&mut [u8]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyBytes>> {
    if length > isize::MAX as usize {
        return Err(PyMemoryError::new_err(()));
    }
    PyBytes::new_with(py, length, write)
}

pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)].into());
        text.push(DIGITS[usize::from(byte & 15)].into());
    }
    text
}

#[pymethods]
impl Hash {
    /// Append bytes to the message; data is any bytes-like object.
    #[pyo3(signature = (data, /))]
    fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let buffer = Buffer::of_message(data)?;
        self.append(data.py(), &buffer)
    }

    /// The digest of the message so far, digest_size bytes. The message may go on.
    #[pyo3(signature = ())]
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.finish(py)
    }

    /// As digest, in hexadecimal digits.
    #[pyo3(signature = ())]
    fn hexdigest(&self, py: Python<'_>) -> PyResult<String> {
        Ok(to_hex(self.finish(py)?.as_bytes()))
    }

    /// An independent copy of the message so far.
    #[pyo3(signature = ())]
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let copy = Hash {
            hasher: Mutex::new(Box::new(self.snapshot(py))),
            algorithm: self.algorithm,
            threads: self.threads,
            wrap: self.wrap,
        };
        (self.wrap)(py, copy)
    }

    /// The algorithm's name: finalist.new(name) starts a message with it.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &identifier(self.algorithm))
    }

    /// Length of the digest in bytes; 0 if BLAKE2X was given none.
    #[getter]
    fn digest_size(&self, py: Python<'_>) -> u64 {
        self.lock(py).digest_bytes().unwrap_or(0)
    }

    /// Length of the algorithm's block in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        self.algorithm.info().block_bytes
    }
}

/// The algorithm's name as Python spells it: `groestl0_256`.
pub fn identifier(algorithm: Algorithm) -> String {
    algorithm.name().replace('-', "_")
}
