// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns of digests, which Arrow consumers import as FixedSizeBinary.

use std::ffi::CString;
use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList, PySlice, PySliceMethods, PyTuple, PyType};

use super::export::{array, capsule, schema, stream};

/// The digests of one array, contiguous, with zeros for nulls.
pub struct Chunk {
    pub digests: Vec<u8>,
    pub length: usize,
    pub validity: Option<Vec<u8>>,
    pub null_count: usize,
}

impl Chunk {
    pub fn is_valid(&self, row: usize) -> bool {
        self.validity
            .as_ref()
            .is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1)
    }
}

/// A column of digests, returned by finalist.hash_column and finalist.hash_rows.
///
/// Arrow consumers import it as FixedSizeBinary of digest_size bytes (pyarrow.array(digests),
/// polars.Series(digests)); a null in the input is a null here. It is also a sequence of bytes and
/// None.
#[pyclass(frozen, sequence, module = "finalist")]
pub struct Digests {
    chunks: Arc<Vec<Arc<Chunk>>>,
    digest_bytes: usize,
    length: usize,
}

impl Digests {
    pub fn new(chunks: Vec<Chunk>, digest_bytes: usize) -> Digests {
        let length = chunks.iter().map(|chunk| chunk.length).sum();
        Digests {
            chunks: Arc::new(chunks.into_iter().map(Arc::new).collect()),
            digest_bytes,
            length,
        }
    }

    fn format(&self) -> CString {
        format_of(self.digest_bytes)
    }

    fn bytes_at<'py>(
        &self,
        py: Python<'py>,
        chunk: &Chunk,
        row: usize,
    ) -> Option<Bound<'py, PyBytes>> {
        let start = row * self.digest_bytes;
        chunk
            .is_valid(row)
            .then(|| PyBytes::new(py, &chunk.digests[start..start + self.digest_bytes]))
    }

    /// Finds the chunk that has a row, and the row's index in it.
    fn find(&self, mut row: usize) -> Option<(&Chunk, usize)> {
        for chunk in self.chunks.iter() {
            if row < chunk.length {
                return Some((chunk, row));
            }
            row -= chunk.length;
        }
        None
    }

    /// Iterates over all digests, `None` for nulls.
    fn rows(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.chunks.iter().flat_map(|chunk| {
            let digests = chunk.digests.chunks_exact(self.digest_bytes).enumerate();
            digests.map(|(row, digest)| chunk.is_valid(row).then_some(digest))
        })
    }

    /// Copies the digests of some rows.
    fn taken(&self, rows: impl ExactSizeIterator<Item = usize>) -> Digests {
        let length = rows.len();
        let mut digests = Vec::with_capacity(length * self.digest_bytes);
        let mut bits = vec![0; length.div_ceil(8)];
        let mut null_count = 0;
        for (place, (chunk, row)) in rows.filter_map(|row| self.find(row)).enumerate() {
            let start = row * self.digest_bytes;
            digests.extend_from_slice(&chunk.digests[start..start + self.digest_bytes]);
            bits[place / 8] |= u8::from(chunk.is_valid(row)) << (place % 8);
            null_count += usize::from(!chunk.is_valid(row));
        }
        let chunk = Chunk {
            digests,
            length,
            validity: Some(bits).filter(|_| null_count > 0),
            null_count,
        };
        Digests::new(vec![chunk], self.digest_bytes)
    }

    /// Returns all digests as one chunk.
    fn joined(&self) -> PyResult<Arc<Chunk>> {
        if let [chunk] = &self.chunks[..] {
            return Ok(chunk.clone());
        }
        let null_count = self.chunks.iter().map(|chunk| chunk.null_count).sum();
        let mut validity = (null_count > 0).then(|| vec![0; self.length.div_ceil(8)]);
        let mut digests = Vec::new();
        digests
            .try_reserve_exact(self.length * self.digest_bytes)
            .map_err(|_| PyMemoryError::new_err(()))?;
        let mut length = 0;
        for chunk in self.chunks.iter() {
            digests.extend_from_slice(&chunk.digests);
            if let Some(validity) = &mut validity {
                for row in (0..chunk.length).filter(|&row| chunk.is_valid(row)) {
                    validity[(length + row) / 8] |= 1 << ((length + row) % 8);
                }
            }
            length += chunk.length;
        }
        Ok(Arc::new(Chunk {
            digests,
            length,
            validity,
            null_count,
        }))
    }
}

fn format_of(digest_bytes: usize) -> CString {
    CString::new(format!("w:{digest_bytes}")).unwrap_or_default()
}

#[pymethods]
impl Digests {
    /// Length of a digest in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.digest_bytes
    }

    /// The number of null digests.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.null_count).sum()
    }

    fn __len__(&self) -> usize {
        self.length
    }

    fn __repr__(&self) -> String {
        format!(
            "<finalist.Digests: {} of {} bytes>",
            self.length, self.digest_bytes
        )
    }

    /// Make Digests from contiguous digests. validity: a bit for each, from the lowest bit of each
    /// byte on, 0 for a null; None if there is no null.
    #[new]
    #[pyo3(signature = (digests, digest_size, validity=None))]
    fn from_bytes(
        digests: Vec<u8>,
        digest_size: usize,
        validity: Option<Vec<u8>>,
    ) -> PyResult<Digests> {
        if digest_size == 0 || digests.len() % digest_size != 0 {
            let text = "the digests are not whole: their length is no multiple of digest_size";
            return Err(PyValueError::new_err(text));
        }
        let length = digests.len() / digest_size;
        if validity
            .as_ref()
            .is_some_and(|bits| bits.len() != length.div_ceil(8))
        {
            return Err(PyValueError::new_err(
                "validity is not a bit for each digest",
            ));
        }
        let mut chunk = Chunk {
            digests,
            length,
            validity,
            null_count: 0,
        };
        chunk.null_count = (0..length).filter(|&row| !chunk.is_valid(row)).count();
        Ok(Digests::new(vec![chunk], digest_size))
    }

    /// Return a digest or, for a slice, its Digests.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(self.length as isize)?;
            let rows = (0..indices.slicelength as isize)
                .map(|place| (indices.start + place * indices.step) as usize);
            return Ok(self.taken(rows).into_pyobject(py)?.into_any());
        }
        let index: isize = index.extract()?;
        let index = if index < 0 {
            index + self.length as isize
        } else {
            index
        };
        let row = usize::try_from(index).ok().filter(|&row| row < self.length);
        let (chunk, row) = row
            .and_then(|row| self.find(row))
            .ok_or_else(|| PyIndexError::new_err("index out of range"))?;
        Ok(self.bytes_at(py, chunk, row).into_pyobject(py)?)
    }

    /// Return True if both have the same digests, and nulls at the same indexes.
    fn __eq__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Digests>() else {
            return Ok(py.NotImplemented());
        };
        let other = other.get();
        let same_shape = self.length == other.length && self.digest_bytes == other.digest_bytes;
        let is_equal = same_shape && py.detach(|| self.rows().eq(other.rows()));
        Ok(is_equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    /// For pickle and copy.
    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(
        Bound<'py, PyType>,
        (Bound<'py, PyBytes>, usize, Option<Bound<'py, PyBytes>>),
    )> {
        let (py, digests) = (slf.py(), slf.get());
        let joined = digests.joined()?;
        let validity = joined.validity.as_ref().map(|bits| PyBytes::new(py, bits));
        let bytes = PyBytes::new(py, &joined.digests);
        Ok((slf.get_type(), (bytes, digests.digest_bytes, validity)))
    }

    /// Return the digests as a list of bytes, None where the input was null.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for chunk in self.chunks.iter() {
            for row in 0..chunk.length {
                list.append(self.bytes_at(py, chunk, row))?;
            }
        }
        Ok(list)
    }

    /// Return to_list(), under pyarrow's name.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.to_list(py)
    }

    /// Return the digests as a list of str in hexadecimal, None where the input was null.
    fn hex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let text = |digest: &[u8]| {
            let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
            let digits = digest
                .iter()
                .flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]);
            digits.collect::<String>()
        };
        PyList::new(
            py,
            self.rows()
                .map(|digest| digest.map(text))
                .collect::<Vec<_>>(),
        )
    }

    /// Return the Arrow type, by the PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, schema(&self.format(), ""), c"arrow_schema")
    }

    /// Return all digests as one Arrow array, by the PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // The interface allows ignoring the requested type.
        let schema = capsule(py, schema(&self.format(), ""), c"arrow_schema")?;
        let array = capsule(py, array(self.joined()?), c"arrow_array")?;
        PyTuple::new(py, [schema, array])
    }

    /// Return the digests as Arrow arrays, one for each array of the input, by the PyCapsule
    /// interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let stream = stream(self.chunks.clone(), self.format());
        capsule(py, stream, c"arrow_array_stream")
    }
}
