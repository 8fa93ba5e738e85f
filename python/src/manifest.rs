// SPDX-License-Identifier: MIT OR Apache-2.0
//! Manifests of directories for finalist.manifest, with the crate finalist-manifest.

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use finalist_files::message::{reason, unwrapped};
use finalist_files::threads::Threads;
use finalist_manifest::{
    Content, Difference, Error, Function, Metadata, NoDigest, Parameters, Proof, Row, Rows, Scan,
    Stamp, Summary, Target,
};
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use zeroize::Zeroizing;

use crate::buffer::Buffer;
use crate::many::parameters_of;
use crate::parameters::{Argument, check_threads};
use crate::secret::Secret;
use crate::watch::{Collector, Watch};

create_exception!(
    finalist.manifest,
    ManifestError,
    PyValueError,
    "Not a manifest of this version, a damaged one, or one that does not fit the call."
);

/// Number of rows passed to Python at a time.
const ROWS_AT_ONCE: usize = 1 << 12;
/// The status of a row with a digest.
const OK: &str = "ok";

/// Converts an error of the crate.
pub fn failure(error: Error) -> PyErr {
    match error {
        Error::File { file, error } if unwrapped(&error).raw_os_error().is_some() => {
            os_error(file, unwrapped(&error))
        }
        Error::Function(text) => PyValueError::new_err(text),
        Error::Output(_) => PyRuntimeError::new_err(error.to_string()),
        _ => manifest_error(&error.to_string()),
    }
}

/// Makes the error with this text. Escapes characters that Python's version of Unicode lacks.
fn manifest_error(text: &str) -> PyErr {
    let shown = Python::attach(|py| {
        let is_printable = |text: &str| -> PyResult<bool> {
            let text = PyString::new(py, text);
            text.call_method0("isprintable")?.extract()
        };
        if is_printable(text)? {
            return Ok(text.to_owned());
        }
        let each = text
            .chars()
            .map(|c| match is_printable(c.encode_utf8(&mut [0; 4]))? {
                true => Ok(c.to_string()),
                false => Ok(c.escape_unicode().to_string()),
            });
        each.collect::<PyResult<String>>()
    });
    shown.map_or_else(|error| error, ManifestError::new_err)
}

/// Makes Python's error for a file.
pub fn os_error(file: PathBuf, error: &io::Error) -> PyErr {
    let (code, text) = (error.raw_os_error(), reason(error));
    if code.is_none() {
        return PyOSError::new_err(format!("{text}: {file:?}"));
    }
    match cfg!(windows) {
        true => PyOSError::new_err((0, text, file, code)),
        false => PyOSError::new_err((code, text, file)),
    }
}

/// A row in Python: path, size, digest, status, modified_ns, changed_ns, inode, mode, target.
type Values = (
    PyBackedBytes,
    Option<u64>,
    Option<PyBackedBytes>,
    String,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<u16>,
    Option<PyBackedBytes>,
);

fn row_of(values: Values) -> PyResult<Row> {
    let (path, size, digest, status, modified_ns, changed_ns, inode, mode, target) = values;
    let stamp = Stamp {
        modified_ns,
        changed_ns,
        inode,
    };
    let content = match (size, digest) {
        (Some(size), Some(digest)) if status == OK => Ok(Content {
            size,
            digest: digest.to_vec(),
            stamp,
        }),
        (None, None) if stamp == Stamp::default() => Err(NoDigest::from_status(status.as_bytes())
            .ok_or_else(|| PyValueError::new_err("unknown status"))?),
        _ => return Err(PyValueError::new_err("values do not fit the status")),
    };
    Ok(Row {
        path: path.to_vec(),
        content,
        metadata: Metadata {
            mode,
            target: target.map(|target| target.to_vec()),
        },
    })
}

fn rows_of(rows: &Bound<'_, PyAny>) -> PyResult<Vec<Row>> {
    let rows = rows.try_iter()?;
    rows.map(|row| row_of(row?.extract()?)).collect()
}

fn values_of<'py>(py: Python<'py>, row: &Row) -> PyResult<Bound<'py, PyTuple>> {
    let content = row.content.as_ref().ok();
    let stamp = content.map_or_else(Stamp::default, |content| content.stamp);
    (
        PyBytes::new(py, &row.path),
        content.map(|content| content.size),
        content.map(|content| PyBytes::new(py, &content.digest)),
        row.status(),
        stamp.modified_ns,
        stamp.changed_ns,
        stamp.inode,
        row.metadata.mode,
        row.metadata
            .target
            .as_ref()
            .map(|target| PyBytes::new(py, target)),
    )
        .into_pyobject(py)
}

/// Converts differences for Python, sorted by path: kind, path, old path.
fn differences_of<'py>(
    py: Python<'py>,
    differences: &[Difference],
    unread: &[Row],
) -> PyResult<Bound<'py, PyList>> {
    let mut found = BTreeMap::new();
    for row in unread {
        found.insert(&row.path[..], (row.status(), None));
    }
    for difference in differences {
        let old = match difference {
            Difference::Moved { old, .. } => Some(&old.path[..]),
            _ => None,
        };
        found.insert(difference.path(), (difference.word(), old));
    }
    let found = found.into_iter().map(|(path, (word, old))| {
        let bytes = |bytes| PyBytes::new(py, bytes);
        (word, bytes(path), old.map(bytes))
    });
    PyList::new(py, found)
}

fn key_of(key: &Bound<'_, PyAny>) -> PyResult<Zeroizing<Vec<u8>>> {
    Ok(Zeroizing::new(Buffer::new(key)?.bytes().to_vec()))
}

/// Returns a key, or none if it is empty.
fn given(key: &[u8]) -> Option<&[u8]> {
    (!key.is_empty()).then_some(key)
}

/// Returns the function and parameters of a manifest to make.
fn made_with(
    algorithm: &Bound<'_, PyAny>,
    digest_size: Argument<'_, '_>,
    key: Argument<'_, '_>,
    salt: Argument<'_, '_>,
    person: Argument<'_, '_>,
) -> PyResult<(Function, Arc<Parameters>)> {
    let given = parameters_of(algorithm, digest_size, key, salt, person)?;
    let function = Function {
        algorithm: given.algorithm,
        digest_bytes: given.digest_length()? as u64,
    };
    Ok((function, Arc::new(given.of_files())))
}

fn scan_of(directory: PathBuf, threads: i64, watch: &Arc<Watch>) -> PyResult<Scan> {
    let mut scan = Scan::new(directory);
    scan.threads = Threads::Jobs(Some(check_threads(threads)? as u16));
    scan.progress = watch.clone();
    Ok(scan)
}

/// A valid manifest that was read once. Its file stays open.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct Manifest(Arc<finalist_manifest::Manifest>);

impl Manifest {
    fn file(&self) -> PathBuf {
        self.0.file().to_owned()
    }

    fn written(summary: Summary) -> Manifest {
        Manifest(Arc::new(
            summary.manifest.expect("it was written to a file"),
        ))
    }
}

#[pymethods]
impl Manifest {
    /// Opens `copy`; messages name `file`.
    #[staticmethod]
    fn open(
        py: Python<'_>,
        copy: PathBuf,
        file: PathBuf,
        key: &Bound<'_, PyAny>,
    ) -> PyResult<Manifest> {
        let key = key_of(key)?;
        let files = [file.clone()];
        let opened = Watch::default().run(py, &files, None, move || {
            finalist_manifest::Manifest::open_copy(&copy, &file, given(&key))
        })?;
        Ok(Manifest(Arc::new(opened)))
    }

    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn create(
        py: Python<'_>,
        directory: PathBuf,
        file: PathBuf,
        algorithm: &Bound<'_, PyAny>,
        digest_size: Argument<'_, '_>,
        key: Argument<'_, '_>,
        salt: Argument<'_, '_>,
        person: Argument<'_, '_>,
        threads: i64,
        metadata: bool,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Manifest> {
        let (function, parameters) = made_with(algorithm, digest_size, key, salt, person)?;
        let watch = Arc::default();
        let scan = Scan {
            metadata,
            ..scan_of(directory, threads, &watch)?
        };
        let mut collector = Collector::new(&watch);
        watch.run(py, &[], callback, move || {
            let target = Target::File(file);
            let made = finalist_manifest::Manifest::create(
                &scan,
                function,
                parameters,
                &target,
                &mut collector,
            )?;
            Ok(Manifest::written(made))
        })
    }

    /// Writes a manifest of these rows.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn write(
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        file: PathBuf,
        algorithm: &Bound<'_, PyAny>,
        digest_size: Argument<'_, '_>,
        key: Argument<'_, '_>,
        salt: Argument<'_, '_>,
        person: Argument<'_, '_>,
    ) -> PyResult<Manifest> {
        let (function, parameters) = made_with(algorithm, digest_size, key, salt, person)?;
        let rows = rows_of(rows)?;
        Watch::default().run(py, &[], None, move || {
            let made = finalist_manifest::Manifest::write(rows, function, parameters, &file)?;
            Ok(Manifest(Arc::new(made)))
        })
    }

    fn update(
        &self,
        py: Python<'_>,
        directory: PathBuf,
        file: PathBuf,
        threads: i64,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Manifest> {
        let manifest = self.0.clone();
        let watch = Arc::default();
        let scan = scan_of(directory, threads, &watch)?;
        let mut collector = Collector::new(&watch);
        watch.run(py, &[self.file()], callback, move || {
            let made = manifest.update(&scan, &file, &mut collector)?;
            Ok(Manifest::written(made))
        })
    }

    fn verify<'py>(
        &self,
        py: Python<'py>,
        directory: PathBuf,
        threads: i64,
        callback: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let manifest = self.0.clone();
        let watch = Arc::default();
        let scan = scan_of(directory, threads, &watch)?;
        let mut collector = Collector::new(&watch);
        let collector = watch.run(py, &[self.file()], callback, move || {
            manifest.verify(&scan, &mut collector)?;
            Ok(collector)
        })?;
        differences_of(py, &collector.differences, &collector.unread)
    }

    /// Compares the manifest with rows made elsewhere.
    fn compare<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (manifest, rows) = (self.0.clone(), rows_of(rows)?);
        let unread = rows.iter().filter(|row| row.content.is_err()).cloned();
        let unread: Vec<_> = unread.collect();
        let found = Watch::default().run(py, &[self.file()], None, move || {
            manifest.compare(rows.into_iter().map(Ok))
        })?;
        differences_of(py, &found, &unread)
    }

    fn diff<'py>(&self, py: Python<'py>, new: &Manifest) -> PyResult<Bound<'py, PyList>> {
        let (old, files) = (self.0.clone(), [self.file(), new.file()]);
        let new = new.0.clone();
        let found = Watch::default().run(py, &files, None, move || old.diff(&new))?;
        differences_of(py, &found, &[])
    }

    /// Proves the row of a path; returns JSON.
    fn prove(&self, py: Python<'_>, path: PyBackedBytes) -> PyResult<String> {
        let manifest = self.0.clone();
        Watch::default().run(py, &[self.file()], None, move || {
            Ok(manifest.prove(&path)?.to_json())
        })
    }

    /// Returns groups of equal files: size, digest, paths, paths in the other manifest.
    fn duplicates<'py>(
        &self,
        py: Python<'py>,
        other: Option<&Manifest>,
    ) -> PyResult<Bound<'py, PyList>> {
        let files = [Some(self), other].into_iter().flatten();
        let files: Vec<_> = files.map(Manifest::file).collect();
        let (manifest, other) = (self.0.clone(), other.map(|other| other.0.clone()));
        let groups = Watch::default().run(py, &files, None, move || {
            manifest.duplicates(other.as_deref())
        })?;
        let bytes = |bytes: &Vec<u8>| PyBytes::new(py, bytes);
        let all = |paths: &[Vec<u8>]| PyTuple::new(py, paths.iter().map(bytes));
        let groups = groups.iter().map(|group| {
            let paths = (all(&group.paths)?, all(&group.others)?);
            (group.size, bytes(&group.digest), paths.0, paths.1).into_pyobject(py)
        });
        PyList::new(py, groups.collect::<PyResult<Vec<_>>>()?)
    }

    /// Reads the rows again.
    fn rows(&self) -> ManifestRows {
        ManifestRows {
            manifest: self.0.clone(),
            reading: Mutex::new(Reading::Unread),
        }
    }

    /// Returns key, salt and personalisation.
    fn secrets<'py>(&self, py: Python<'py>) -> (Secret, Bound<'py, PyBytes>, Bound<'py, PyBytes>) {
        let parameters = self.0.parameters();
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
        let (salt, person) = (bytes(&parameters.salt), bytes(&parameters.personal));
        (
            Secret::of(Zeroizing::new(parameters.key.to_vec())),
            salt,
            person,
        )
    }

    #[getter]
    fn algorithm(&self) -> &'static str {
        self.0.header().function.algorithm.name()
    }

    #[getter]
    fn digest_size(&self) -> u64 {
        self.0.header().function.digest_bytes
    }

    #[getter]
    fn metadata(&self) -> bool {
        self.0.header().metadata
    }

    #[getter]
    fn count(&self) -> u64 {
        self.0.totals().count
    }

    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.totals().root)
    }

    #[getter]
    fn statuses(&self) -> BTreeMap<&'static str, u64> {
        self.0.counts().clone()
    }
}

/// The rows of a manifest, some at a time.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct ManifestRows {
    manifest: Arc<finalist_manifest::Manifest>,
    reading: Mutex<Reading>,
}

enum Reading {
    Unread,
    Under(Box<Rows>),
    Ended,
}

#[pymethods]
impl ManifestRows {
    /// Returns the next rows; an empty list after the last.
    fn batch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lock = || self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let reading = mem::replace(&mut *lock(), Reading::Ended);
        let (manifest, files) = (self.manifest.clone(), [self.manifest.file().to_owned()]);
        let (batch, reading) = Watch::default().run(py, &files, None, move || {
            let mut rows = match reading {
                Reading::Unread => Box::new(manifest.rows()?),
                Reading::Under(rows) => rows,
                Reading::Ended => return Ok((Vec::new(), Reading::Ended)),
            };
            let batch: Result<Vec<_>, _> = rows.by_ref().take(ROWS_AT_ONCE).collect();
            Ok((batch?, Reading::Under(rows)))
        })?;
        if !batch.is_empty() {
            *lock() = reading;
        }
        let rows = batch.iter().map(|row| values_of(py, row));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }
}

/// Returns the row of a proof, and the root that follows from it.
#[pyfunction]
pub fn proved<'py>(
    py: Python<'py>,
    proof: PyBackedBytes,
    key: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyBytes>)> {
    let proof = Proof::parse(&proof).map_err(|text| manifest_error(&text))?;
    let root = proof.verify("the proof".as_ref(), given(&key_of(key)?));
    Ok((
        values_of(py, &proof.row)?,
        PyBytes::new(py, &root.map_err(failure)?),
    ))
}
