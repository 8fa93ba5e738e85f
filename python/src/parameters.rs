// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of an algorithm. They are converted from Python with hashlib's errors, kept during a
//! call, and wiped after it.

use std::convert::Infallible;
use std::ffi::CStr;
use std::ptr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use finalist::{Algorithm, AlgorithmInfo, Error, Family, Params, TreeMode};
use finalist_sys as sys;
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use zeroize::Zeroizing;

use crate::arrow::import::shown;
use crate::buffer::Buffer;

/// An argument that may be omitted. Unlike with `Option`, None is a value like any other.
#[derive(Clone, Copy, Default)]
pub struct Argument<'a, 'py>(pub Option<Borrowed<'a, 'py, PyAny>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Argument<'a, 'py> {
    type Error = Infallible;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Argument(Some(object)))
    }
}

/// The names of columns.
pub struct Names(pub Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Names {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // Refuse a single name, which is a sequence of characters.
        let names = match object.is_instance_of::<PyString>() {
            false => object.extract().ok(),
            true => None,
        };
        let kind = object.get_type().name()?;
        names.map(Names).ok_or_else(|| {
            PyTypeError::new_err(format!("columns is a list of names, not '{kind}'"))
        })
    }
}

impl Argument<'_, '_> {
    /// An omitted argument.
    pub const ABSENT: Argument<'static, 'static> = Argument(None);

    /// Returns the truth value of any object, as hashlib does for its flags.
    #[inline]
    pub fn is_truthy(self, default: bool) -> PyResult<bool> {
        self.0.map_or(Ok(default), |object| object.is_truthy())
    }

    /// Treats None as omitted.
    pub fn or_none(self) -> Self {
        Argument(self.0.filter(|object| !object.is_none()))
    }
}

/// Checked parameters of one algorithm, which the library accepts. Not Debug, which would show the
/// key.
#[derive(Clone)]
pub struct Parameters {
    pub algorithm: Algorithm,
    /// 0: the algorithm's own length; [`sys::FIN_XOF_UNKNOWN`]: not known in advance.
    pub digest_bytes: u64,
    /// Boxed, since most messages have none and moves take most of a constructor's time.
    extras: Option<Box<Extras>>,
}

/// Parameters other than the digest's length.
#[derive(Clone, Default)]
struct Extras {
    key: Zeroizing<Vec<u8>>,
    salt: Zeroizing<Vec<u8>>,
    personal: Zeroizing<Vec<u8>>,
    tree_mode: Option<TreeMode>,
    derive_key_context: Option<Vec<u8>>,
}

/// Describes an algorithm. Cached, because the crate makes a new description at every call.
pub fn info_of(algorithm: Algorithm) -> &'static AlgorithmInfo {
    static INFOS: LazyLock<Vec<AlgorithmInfo>> = LazyLock::new(|| {
        let mut infos: Vec<_> = Algorithm::all().iter().map(|one| one.info()).collect();
        infos.sort_by_key(|info| info.algorithm);
        infos
    });
    &INFOS[algorithm as usize - INFOS[0].algorithm as usize]
}

impl Parameters {
    /// Returns the default parameters of an algorithm.
    pub fn new(algorithm: Algorithm) -> Parameters {
        Parameters {
            algorithm,
            digest_bytes: 0,
            extras: None,
        }
    }

    /// Checks a requested digest length. BLAKE accepts only its own.
    #[inline(always)]
    pub fn digest_size(self, size: Argument<'_, '_>) -> PyResult<Parameters> {
        match size.0 {
            None => Ok(self),
            Some(size) => self.given_digest_size(&size),
        }
    }

    fn given_digest_size(mut self, size: &Bound<'_, PyAny>) -> PyResult<Parameters> {
        let info = info_of(self.algorithm);
        let (min, max) = (info.digest_bytes_min, info.digest_bytes_max);
        // hashlib takes a C int; BLAKE2X has longer digests.
        let size: i64 = match max {
            0..=64 => c_int(size)?.into(),
            _ => size.extract()?,
        };
        if size < min as i64 || size as u64 > max {
            return Err(PyValueError::new_err(if min == max {
                format!("digest_size must be {min} bytes")
            } else if max > i64::MAX as u64 {
                format!("digest_size must be at least {min} byte")
            } else {
                format!("digest_size must be between {min} and {max} bytes")
            }));
        }
        self.digest_bytes = size as u64;
        Ok(self)
    }

    /// Checks key, salt and personalisation.
    #[inline(always)]
    pub fn secrets(
        self,
        key: Argument<'_, '_>,
        salt: Argument<'_, '_>,
        person: Argument<'_, '_>,
    ) -> PyResult<Parameters> {
        if key.0.is_none() && salt.0.is_none() && person.0.is_none() {
            Ok(self)
        } else {
            self.given_secrets(key, salt, person)
        }
    }

    fn given_secrets(
        mut self,
        key: Argument<'_, '_>,
        salt: Argument<'_, '_>,
        person: Argument<'_, '_>,
    ) -> PyResult<Parameters> {
        let info = info_of(self.algorithm);
        let extras = Extras {
            key: bytes_at_most(key, "key", info.key_bytes_max, info)?,
            salt: bytes_at_most(salt, "salt", info.salt_bytes, info)?,
            personal: bytes_at_most(person, "person", info.personal_bytes, info)?,
            tree_mode: None,
            derive_key_context: None,
        };
        let blake3 = info.family == Family::Blake3;
        if blake3 && !extras.key.is_empty() && extras.key.len() != info.key_bytes_max {
            return Err(wrong_key(info));
        }
        let blake = info.family == Family::Blake;
        if blake && !extras.salt.is_empty() && extras.salt.len() != info.salt_bytes {
            let text = format!("salt must be {} bytes long", info.salt_bytes);
            return Err(PyValueError::new_err(text));
        }
        if [&extras.key, &extras.salt, &extras.personal]
            .iter()
            .any(|bytes| !bytes.is_empty())
        {
            self.extras = Some(Box::new(extras));
        }
        Ok(self)
    }

    /// Sets BLAKE3's key, which must not be empty if given.
    pub fn whole_key(self, key: Argument<'_, '_>) -> PyResult<Parameters> {
        let given = key.or_none();
        let parameters = self.secrets(given, Argument::ABSENT, Argument::ABSENT)?;
        if given.0.is_some() && parameters.extras.is_none() {
            return Err(wrong_key(info_of(parameters.algorithm)));
        }
        Ok(parameters)
    }

    /// Sets BLAKE3's context string: the message is key material then.
    pub fn derive_key_context(mut self, context: Argument<'_, '_>) -> PyResult<Parameters> {
        let Some(context) = context.or_none().0 else {
            return Ok(self);
        };
        let Ok(text) = context.cast::<PyString>() else {
            return Err(PyTypeError::new_err("derive_key_context must be str"));
        };
        let info = info_of(self.algorithm);
        if info.family != Family::Blake3 {
            return Err(takes_no(info, "derive_key_context"));
        }
        let extras = self.extras.get_or_insert_default();
        if !extras.key.is_empty() {
            let text = "key and derive_key_context cannot be used together";
            return Err(PyValueError::new_err(text));
        }
        extras.derive_key_context = Some(text.to_str()?.as_bytes().to_vec());
        Ok(self)
    }

    /// Chooses BLAKE2X's output of unknown length if no digest length was given.
    pub fn or_unknown_length(mut self) -> Parameters {
        if self.digest_bytes == 0 {
            self.digest_bytes = sys::FIN_XOF_UNKNOWN;
        }
        self
    }

    /// Sets the parameters of one node of a tree.
    pub fn tree_mode(mut self, tree_mode: TreeMode) -> Parameters {
        self.extras.get_or_insert_default().tree_mode = Some(tree_mode);
        self
    }

    /// Returns the digest's length; 0 if it is not known in advance.
    pub fn digest_bytes_known(&self) -> u64 {
        match self.digest_bytes {
            0 => info_of(self.algorithm).digest_bytes as u64,
            sys::FIN_XOF_UNKNOWN => 0,
            bytes => bytes,
        }
    }

    /// Converts the parameters for the crate.
    pub fn params(&self) -> Params<'_> {
        let params = Params::new().digest_bytes(self.digest_bytes);
        let Some(extras) = &self.extras else {
            return params;
        };
        let params = params
            .key(&extras.key)
            .salt(&extras.salt)
            .personal(&extras.personal);
        let params = match &extras.derive_key_context {
            Some(context) => params.derive_key_context(context),
            None => params,
        };
        match extras.tree_mode {
            Some(tree_mode) => params.tree_mode(tree_mode),
            None => params,
        }
    }

    /// Converts key, salt and personalisation for the crates of files.
    pub fn of_files(&self) -> finalist_manifest::Parameters {
        let mut parameters = finalist_manifest::Parameters::default();
        if let Some(extras) = &self.extras {
            parameters.key = extras.key.to_vec().into();
            parameters.salt.extend_from_slice(&extras.salt);
            parameters.personal.extend_from_slice(&extras.personal);
        }
        parameters
    }

    /// Returns the digest's length; an error for BLAKE2X without one.
    pub fn digest_length(&self) -> PyResult<usize> {
        match self.digest_bytes {
            0 => Ok(info_of(self.algorithm).digest_bytes),
            sys::FIN_XOF_UNKNOWN => Err(PyTypeError::new_err("digest_size is missing")),
            bytes => Ok(bytes as usize),
        }
    }

    /// Converts the parameters for the C library, except those of tree mode.
    pub fn c(&self) -> sys::fin_params {
        let bytes = |of: fn(&Extras) -> &[u8]| self.extras.as_deref().map_or(&[][..], of);
        let key = bytes(|extras| &extras.key);
        let salt = bytes(|extras| &extras.salt);
        let personal = bytes(|extras| &extras.personal);
        let extras = self.extras.as_deref();
        let context = extras.and_then(|extras| extras.derive_key_context.as_deref());
        sys::fin_params {
            digest_bytes: self.digest_bytes,
            key: pointer(key),
            key_bytes: key.len(),
            salt: pointer(salt),
            salt_bytes: salt.len(),
            personal: pointer(personal),
            personal_bytes: personal.len(),
            tree_mode: ptr::null(),
            // Not null for an empty one, which is a context, too.
            derive_key_context: context.map_or(ptr::null(), |context| context.as_ptr().cast()),
            derive_key_context_bytes: context.map_or(0, <[u8]>::len),
        }
    }
}

fn wrong_key(info: &AlgorithmInfo) -> PyErr {
    PyValueError::new_err(format!("key must be {} bytes long", info.key_bytes_max))
}

fn pointer(bytes: &[u8]) -> *const u8 {
    if bytes.is_empty() {
        ptr::null()
    } else {
        bytes.as_ptr()
    }
}

fn bytes_at_most(
    object: Argument<'_, '_>,
    name: &str,
    max: usize,
    info: &AlgorithmInfo,
) -> PyResult<Zeroizing<Vec<u8>>> {
    let Some(object) = object.0 else {
        return Ok(Zeroizing::default());
    };
    let buffer = Buffer::new(&object)?;
    let bytes = buffer.bytes();
    if bytes.len() <= max {
        return Ok(Zeroizing::new(bytes.to_vec()));
    }
    if max == 0 {
        return Err(takes_no(info, name));
    }
    let text = format!("maximum {name} length is {max} bytes");
    Err(PyValueError::new_err(text))
}

fn takes_no(info: &AlgorithmInfo, name: &str) -> PyErr {
    PyValueError::new_err(format!("{} takes no {name}", info.name))
}

/// Arguments of BLAKE2's tree mode, from Python.
#[derive(Default)]
pub struct TreeModeArguments<'a, 'py> {
    pub fanout: Argument<'a, 'py>,
    pub depth: Argument<'a, 'py>,
    pub leaf_size: Argument<'a, 'py>,
    pub node_offset: Argument<'a, 'py>,
    pub node_depth: Argument<'a, 'py>,
    pub inner_size: Argument<'a, 'py>,
    pub last_node: bool,
}

impl TreeModeArguments<'_, '_> {
    /// Checks the arguments. Returns the parameters if any differs from sequential hashing.
    #[inline(always)]
    pub fn check(self, algorithm: Algorithm) -> PyResult<Option<TreeMode>> {
        let is_absent = self.fanout.0.is_none()
            && self.depth.0.is_none()
            && self.leaf_size.0.is_none()
            && self.node_offset.0.is_none()
            && self.node_depth.0.is_none()
            && self.inner_size.0.is_none()
            && !self.last_node;
        if is_absent {
            Ok(None)
        } else {
            self.check_given(algorithm)
        }
    }

    fn check_given(self, algorithm: Algorithm) -> PyResult<Option<TreeMode>> {
        let digest_max = info_of(algorithm).digest_bytes_max;
        let offset_max = match algorithm {
            Algorithm::Blake2s => (1 << 48) - 1,
            _ => u64::MAX,
        };
        let inner_message = format!("inner_size must be between 0 and {digest_max}");
        let tree_mode = TreeMode {
            fanout: small(self.fanout, 1, 0, 255, "fanout must be between 0 and 255")?,
            depth: small(self.depth, 1, 1, 255, "depth must be between 1 and 255")?,
            leaf_bytes: unsigned(self.leaf_size, "leaf_size", u32::MAX.into())? as u32,
            node_offset: unsigned(self.node_offset, "node_offset", offset_max)?,
            node_depth: small(
                self.node_depth,
                0,
                0,
                255,
                "node_depth must be between 0 and 255",
            )?,
            inner_bytes: small(self.inner_size, 0, 0, digest_max as i32, &inner_message)?,
            last_node: self.last_node,
        };
        Ok(Some(tree_mode).filter(|tree_mode| *tree_mode != TreeMode::default()))
    }
}

/// Converts to a C int, with hashlib's error for anything else.
fn c_int(value: &Bound<'_, PyAny>) -> PyResult<i32> {
    value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            PyOverflowError::new_err("Python int too large to convert to C int")
        } else {
            error
        }
    })
}

fn small(value: Argument<'_, '_>, default: u8, min: i32, max: i32, text: &str) -> PyResult<u8> {
    let Some(value) = value.0 else {
        return Ok(default);
    };
    let value = c_int(&value)?;
    if value < min || value > max {
        return Err(PyValueError::new_err(text.to_owned()));
    }
    Ok(value as u8)
}

fn unsigned(value: Argument<'_, '_>, name: &str, max: u64) -> PyResult<u64> {
    let Some(object) = value.0 else {
        return Ok(0);
    };
    let value: u64 = match object.extract() {
        Ok(value) => value,
        Err(error) => {
            if error.is_instance_of::<PyOverflowError>(object.py()) && object.lt(0)? {
                return Err(PyValueError::new_err("value must be positive"));
            }
            return Err(error);
        }
    };
    if value > max {
        return Err(PyOverflowError::new_err(format!("{name} is too large")));
    }
    Ok(value)
}

/// Returns the algorithm of a name: `groestl0_256`, as the constructors are called, or
/// `groestl0-256`.
pub fn algorithm_by_name(name: &Bound<'_, PyAny>) -> PyResult<Algorithm> {
    let Ok(text) = name.cast::<PyString>() else {
        return Err(PyTypeError::new_err("name must be a string"));
    };
    let text = text.to_cow()?;
    Algorithm::from_name(&text.replace('_', "-"))
        .map_err(|_| PyValueError::new_err(format!("unsupported hash type {}", shown(&text))))
}

/// Fails if the library's environment variables are wrong.
#[inline(always)]
pub fn check_environment() -> PyResult<()> {
    static RIGHT: AtomicBool = AtomicBool::new(false);
    if !RIGHT.load(Ordering::Relaxed) {
        finalist::check_environment()
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        RIGHT.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// Converts an error of the library to a Python error.
pub fn failure(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Environment | Error::ImplementationUnknown | Error::ImplementationUnsupported => {
            check_environment()
                .err()
                .unwrap_or_else(|| PyRuntimeError::new_err(text))
        }
        Error::MessageLength => PyOverflowError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Converts a status of the C library to a Python error.
pub fn status_failure(status: sys::fin_status) -> PyResult<()> {
    if status == sys::FIN_OK {
        return Ok(());
    }
    // SAFETY: any number is allowed; the text is static and null-terminated.
    let text = unsafe { CStr::from_ptr(sys::fin_status_text(status)) }.to_string_lossy();
    Err(match status {
        sys::FIN_ERR_ENVIRONMENT | sys::FIN_ERR_IMPL_UNKNOWN | sys::FIN_ERR_IMPL_UNSUPPORTED => {
            failure(Error::Environment)
        }
        sys::FIN_ERR_MESSAGE_LENGTH => PyOverflowError::new_err(text.into_owned()),
        _ => PyValueError::new_err(text.into_owned()),
    })
}

/// The largest number of threads for a call.
pub const THREADS_MAX: i64 = 1024;

/// Return the number of threads for a call if it is 1 to 1024 (else ValueError).
#[pyfunction]
#[pyo3(signature = (threads, /))]
pub fn check_threads(threads: i64) -> PyResult<usize> {
    if (1..=THREADS_MAX).contains(&threads) {
        return Ok(threads as usize);
    }
    let text = format!("threads must be between 1 and {THREADS_MAX}");
    Err(PyValueError::new_err(text))
}
