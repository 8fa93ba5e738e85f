// SPDX-License-Identifier: MIT OR Apache-2.0
//! One message: objects with hashlib's interface.

use std::path::Path;
use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use finalist::{Algorithm, Error, Family, Hasher};
use finalist_files::digest::append_hexadecimal;
use finalist_files::files::{READ_BYTES, ReadContext, hash_file};
use finalist_files::progress::Silent;
use finalist_files::threads::{Threads, buffer_bytes};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use zeroize::Zeroize;

use crate::buffer::with_message_bytes;
use crate::manifest::os_error;
use crate::parameters::{Argument, Parameters, check_environment, check_threads, failure, info_of};

/// Up to this many bytes are hashed without releasing the interpreter's lock, as in hashlib.
const ATTACHED_BYTES_MAX: usize = 2047;
/// Up to this many bytes are buffered and hashed in one call: setting up a hasher takes longer than
/// hashing them.
const SHORT_BYTES_MAX: usize = 256;
/// The longest digest, except BLAKE2X's.
const DIGEST_BYTES_MAX: usize = 64;

/// A message in progress, of any algorithm, with the interface of hashlib's objects.
///
/// Returned by the constructors (finalist.blake2b, ...), finalist.new and copy. Threads may share
/// it.
#[pyclass(subclass, frozen, module = "finalist")]
pub struct Hash {
    message: Mutex<Message>,
    function: Function,
}

/// The message's algorithm, parameters and threads.
#[derive(Clone)]
struct Function {
    parameters: Parameters,
    threads: usize,
    /// Makes an object of the algorithm's class.
    wrap: Wrap,
}

pub type Wrap = for<'py> fn(Python<'py>, Hash) -> PyResult<Bound<'py, PyAny>>;

/// The data appended so far.
enum Message {
    /// All of it: the constructor's argument itself. Nothing is copied, so nothing is wiped.
    Given(Py<PyBytes>),
    /// All of it.
    Short(Short),
    /// On the heap: Rust moves an object a few times before Python gets it, and each move would
    /// leave a copy of the key.
    Started(Box<Hasher>),
}

impl Message {
    /// Returns a copy, to which data can be appended.
    fn copy(&self, py: Python<'_>) -> Message {
        match self {
            Message::Given(bytes) => Message::Short(Short::new(bytes.as_bytes(py))),
            Message::Short(short) => Message::Short(Short::new(short.bytes())),
            Message::Started(hasher) => Message::Started(hasher.clone_boxed()),
        }
    }
}

/// The first bytes of a message, wiped when dropped.
#[derive(Default)]
struct Short {
    /// Memory of whole words, which are wiped faster than bytes. The vector itself stays empty.
    words: Vec<u64>,
    length: usize,
}

impl Short {
    fn new(bytes: &[u8]) -> Short {
        let mut short = Short::default();
        short.append(bytes);
        short
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: `length` bytes of the words' memory were written.
        unsafe { slice::from_raw_parts(self.words.as_ptr().cast(), self.length) }
    }

    fn has_place(&self, bytes: &[u8]) -> bool {
        bytes.len() <= SHORT_BYTES_MAX - self.length
    }

    fn append(&mut self, bytes: &[u8]) {
        const CAPACITY_MIN: usize = 8;
        let length = self.length + bytes.len();
        if length > self.words.capacity() * 8 {
            let words = length.div_ceil(8).next_power_of_two().max(CAPACITY_MIN);
            let mut longer = Short {
                words: Vec::with_capacity(words),
                length: 0,
            };
            longer.append(self.bytes());
            *self = longer;
        }
        // SAFETY: the words' memory has `length` bytes.
        unsafe {
            let end = self.words.as_mut_ptr().cast::<u8>().add(self.length);
            end.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        self.length = length;
    }
}

impl Drop for Short {
    fn drop(&mut self) {
        self.words.spare_capacity_mut()[..self.length.div_ceil(8)].zeroize();
    }
}

impl Function {
    /// Begins a message with data that may be long, or that others may change.
    #[inline(never)]
    fn begin(&self, data: &Bound<'_, PyAny>) -> PyResult<Message> {
        let mut message = Message::Short(Short::default());
        with_message_bytes(data, |bytes| {
            if bytes.len() <= ATTACHED_BYTES_MAX {
                self.append(&mut message, bytes)
            } else {
                data.py().detach(|| self.append(&mut message, bytes))
            }
        })?;
        Ok(message)
    }

    fn append(&self, message: &mut Message, bytes: &[u8]) -> PyResult<()> {
        match message {
            Message::Short(short) if short.has_place(bytes) => {
                short.append(bytes);
                Ok(())
            }
            // Threads for this call only: a pool would not survive a fork.
            _ => self
                .hasher(message)?
                .update_in_threads(bytes, self.threads)
                .map_err(failure),
        }
    }

    /// Appends a file's content: to an empty message, by the threads.
    fn append_file(&self, message: &mut Message, path: &Path) -> PyResult<()> {
        let is_empty = matches!(message, Message::Short(short) if short.length == 0);
        let threads = u16::try_from(self.threads).unwrap_or(u16::MAX);
        let context = ReadContext {
            buffer: &mut vec![0; buffer_bytes(READ_BYTES)],
            progress: &Silent,
            threads: Threads::Jobs(Some(if is_empty { threads } else { 1 })),
            params: self.parameters.params(),
            reached: None,
        };
        hash_file(path, self.hasher(message)?, context)
            .map(drop)
            .map_err(|error| os_error(path.to_owned(), &error))
    }

    /// Returns the message's hasher; makes it if necessary.
    fn hasher<'a>(&self, message: &'a mut Message) -> PyResult<&'a mut Hasher> {
        if let Message::Short(short) = message {
            let (algorithm, params) = (self.parameters.algorithm, self.parameters.params());
            let mut hasher = Hasher::new_boxed(algorithm, &params).map_err(failure)?;
            hasher.update(short.bytes()).map_err(failure)?;
            *message = Message::Started(hasher);
        }
        match message {
            Message::Started(hasher) => Ok(hasher),
            _ => unreachable!("it was started above"),
        }
    }

    /// Writes the digest of any algorithm except BLAKE2X.
    fn write_digest(
        &self,
        py: Python<'_>,
        message: &Message,
        digest: &mut [u8],
    ) -> Result<(), Error> {
        let bytes = match message {
            Message::Given(bytes) => bytes.as_bytes(py),
            Message::Short(short) => short.bytes(),
            Message::Started(hasher) => {
                return hasher.clone_boxed().finalize_into(digest).map(drop);
            }
        };
        let (algorithm, params) = (self.parameters.algorithm, self.parameters.params());
        finalist::hash_into(algorithm, &params, bytes, digest)
    }
}

impl Hash {
    pub fn start(
        parameters: Parameters,
        data: Argument<'_, '_>,
        threads: i64,
        wrap: Wrap,
    ) -> PyResult<Hash> {
        let threads = check_threads(threads)?;
        check_environment()?;
        let function = Function {
            parameters,
            threads,
            wrap,
        };
        // None is no data there, as in the package blake3.
        let data = match function.parameters.algorithm {
            Algorithm::Blake3 => data.or_none(),
            _ => data,
        };
        let message = match data.0 {
            None => Message::Short(Short::default()),
            Some(data) => match short_bytes(&data) {
                Some(bytes) => Message::Given(bytes),
                None => function.begin(&data)?,
            },
        };
        Ok(Hash {
            message: Mutex::new(message),
            function,
        })
    }

    fn algorithm(&self) -> Algorithm {
        self.function.parameters.algorithm
    }

    /// Locks the message to append data, after replacing the constructor's argument by a copy, for
    /// which the interpreter's lock is needed.
    fn lock_to_append(&self, py: Python<'_>) -> MutexGuard<'_, Message> {
        let mut message = self.lock(py);
        if let Message::Given(_) = *message {
            *message = message.copy(py);
        }
        message
    }

    /// Locks the message. Another thread that has it may need the interpreter to finish.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Message> {
        match self.message.try_lock() {
            Ok(message) => message,
            Err(TryLockError::Poisoned(message)) => message.into_inner(),
            Err(TryLockError::WouldBlock) => loop {
                // The guard cannot leave the closure, so wait for the other thread and try again.
                py.detach(|| drop(self.message.lock()));
                if let Ok(message) = self.message.try_lock() {
                    return message;
                }
            },
        }
    }

    /// Calls a function with the digest.
    fn with_digest<T>(&self, py: Python<'_>, use_digest: impl FnOnce(&[u8]) -> T) -> PyResult<T> {
        let bytes = self.function.parameters.digest_bytes_known();
        if !(1..=DIGEST_BYTES_MAX as u64).contains(&bytes) {
            return Ok(use_digest(self.squeeze(py, None)?.as_bytes()));
        }
        let mut digest = [0; DIGEST_BYTES_MAX];
        let digest = &mut digest[..bytes as usize];
        let written = self.function.write_digest(py, &self.lock(py), digest);
        written.map_err(failure)?;
        Ok(use_digest(digest))
    }

    /// Appends a file's content. After an error the message is undefined until it is reset.
    pub fn update_from_file(&self, py: Python<'_>, path: &Path) -> PyResult<()> {
        drop(self.lock_to_append(py)); // it is the object's own now
        py.detach(|| {
            let mut message = self.message.lock().unwrap_or_else(PoisonError::into_inner);
            self.function.append_file(&mut message, path)
        })
    }

    /// Forgets the message.
    pub fn reset(&self, py: Python<'_>) {
        *self.lock(py) = Message::Short(Short::default());
    }

    /// Returns the first bytes of BLAKE2X's output.
    pub fn squeeze<'py>(
        &self,
        py: Python<'py>,
        length: Option<i64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        self.squeeze_from(py, 0, length)
    }

    /// Returns bytes of BLAKE2X's or BLAKE3's output from a position on.
    pub fn squeeze_from<'py>(
        &self,
        py: Python<'py>,
        position: u64,
        length: Option<i64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut message = self.lock(py).copy(py);
        let hasher = self.function.hasher(&mut message)?;
        let info = info_of(self.algorithm());
        let known = hasher.digest_bytes();
        let max = match known {
            Some(bytes) if info.family != Family::Blake3 => bytes,
            _ => info.digest_bytes_max,
        };
        let Some(length) = length.or(known.map(|bytes| bytes as i64)) else {
            let text = "digest() missing required argument 'length' (pos 1)";
            return Err(pyo3::exceptions::PyTypeError::new_err(text));
        };
        if length < 0 || length as u64 > max {
            let text = format!("length must be between 0 and {max}");
            return Err(PyValueError::new_err(text));
        }
        if position != 0 {
            hasher.seek(position).map_err(failure)?;
        }
        fill(py, length as usize, |out| {
            py.detach(|| hasher.squeeze(out)).map_err(failure)
        })
    }
}

/// Returns a short bytes object, which nobody can change.
fn short_bytes(data: &Bound<'_, PyAny>) -> Option<Py<PyBytes>> {
    let bytes = data.cast_exact::<PyBytes>().ok()?;
    (bytes.as_bytes().len() <= SHORT_BYTES_MAX).then(|| bytes.clone().unbind())
}

/// Makes a bytes object of this length and fills it in place.
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
    let mut text = Vec::new();
    append_hexadecimal(&mut text, bytes);
    String::from_utf8(text).expect("hexadecimal digits are ASCII")
}

#[pymethods]
impl Hash {
    /// Append bytes to the message; data is any bytes-like object.
    #[pyo3(signature = (data, /))]
    pub fn update(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = data.py();
        with_message_bytes(data, |bytes| {
            let mut message = self.lock_to_append(py);
            if bytes.len() <= ATTACHED_BYTES_MAX {
                return self.function.append(&mut message, bytes);
            }
            drop(message); // it is the object's own now
            // Release both locks before taking the interpreter's again.
            py.detach(|| {
                let mut message = self.message.lock().unwrap_or_else(PoisonError::into_inner);
                self.function.append(&mut message, bytes)
            })
        })
    }

    /// Return the digest of the message so far, digest_size bytes. More data may follow.
    #[pyo3(signature = ())]
    pub fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.with_digest(py, |digest| PyBytes::new(py, digest))
    }

    /// Return the digest in hexadecimal digits.
    #[pyo3(signature = ())]
    fn hexdigest(&self, py: Python<'_>) -> PyResult<String> {
        self.with_digest(py, to_hex)
    }

    /// Return an independent copy of the message so far.
    #[pyo3(signature = ())]
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let copy = Hash {
            message: Mutex::new(self.lock(py).copy(py)),
            function: self.function.clone(),
        };
        (self.function.wrap)(py, copy)
    }

    /// The algorithm's name: finalist.new(name) starts a message with it.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &identifier(self.algorithm()))
    }

    /// Length of the digest in bytes; 0 if BLAKE2X was given none.
    #[getter]
    fn digest_size(&self) -> u64 {
        self.function.parameters.digest_bytes_known()
    }

    /// Length of the algorithm's block in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        info_of(self.algorithm()).block_bytes
    }
}

/// Returns the algorithm's name in Python's spelling: `groestl0_256`.
pub fn identifier(algorithm: Algorithm) -> String {
    algorithm.name().replace('-', "_")
}
