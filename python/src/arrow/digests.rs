// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns of digests, which Arrow consumers import as FixedSizeBinary.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList, PySlice, PySliceMethods, PyTuple, PyType};

use super::abi::{ArrowArray, ArrowArrayStream, ArrowSchema, FLAG_NULLABLE, Released};
use super::column::BadRow;
use super::dictionary::Encoded;
use crate::engine::prefer_huge_pages;

/// The digests of one array: one after the other, zeros where the value was null.
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

/// A column of digests, as finalist.hash_column and finalist.hash_rows return it.
///
/// Anything that takes Arrow takes it (pyarrow.array(digests), polars.Series(digests)), as
/// FixedSizeBinary of digest_size bytes; a null in the input is a null here. It is also a sequence
/// of bytes and None.
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

    /// The chunk that has a row, and its place there.
    fn find(&self, mut row: usize) -> Option<(&Chunk, usize)> {
        for chunk in self.chunks.iter() {
            if row < chunk.length {
                return Some((chunk, row));
            }
            row -= chunk.length;
        }
        None
    }

    /// All digests, `None` for nulls.
    fn rows(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.chunks.iter().flat_map(|chunk| {
            let digests = chunk.digests.chunks_exact(self.digest_bytes).enumerate();
            digests.map(|(row, digest)| chunk.is_valid(row).then_some(digest))
        })
    }

    /// The digests of some rows.
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

    /// All digests as one chunk.
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

    /// Digests of bytes that are one after the other. validity: a bit for each, from the lowest of
    /// each byte on, that is 0 for a null; None if there is no null.
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

    /// A digest or, for a slice, Digests of those in it.
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

    /// True if both have the same digests, and nulls at the same indexes.
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

    /// The digests as a list of bytes, None where the input was null.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for chunk in self.chunks.iter() {
            for row in 0..chunk.length {
                list.append(self.bytes_at(py, chunk, row))?;
            }
        }
        Ok(list)
    }

    /// The same by pyarrow's name for it.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.to_list(py)
    }

    /// The digests as a list of str in hexadecimal, None where the input was null.
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

    /// The Arrow type, by the PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, schema(&self.format(), ""), c"arrow_schema")
    }

    /// All digests as one Arrow array, by the PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // A wish, which the interface allows to leave unfulfilled.
        let schema = capsule(py, schema(&self.format(), ""), c"arrow_schema")?;
        let array = capsule(py, array(self.joined()?), c"arrow_array")?;
        PyTuple::new(py, [schema, array])
    }

    /// The digests as Arrow arrays, one for each of the input's, by the PyCapsule interface.
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

/// A capsule that frees the structure if no consumer took it.
fn capsule<'py, T: Released + Send + 'static>(
    py: Python<'py>,
    structure: T,
    name: &'static CStr,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, structure, name)
}

/// A schema of one of the binary types.
pub fn schema(format: &CStr, name: &str) -> ArrowSchema {
    unsafe extern "C" fn release(schema: *mut ArrowSchema) {
        // SAFETY: the structure that `schema` made, released once.
        unsafe {
            drop(Box::from_raw((*schema).private_data.cast::<Texts>()));
            (*schema).release = None;
        }
    }
    let texts = Box::new(Texts {
        format: format.to_owned(),
        name: CString::new(name).unwrap_or_default(),
    });
    ArrowSchema {
        format: texts.format.as_ptr(),
        name: texts.name.as_ptr(),
        metadata: ptr::null(),
        flags: FLAG_NULLABLE,
        n_children: 0,
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: Some(release),
        private_data: Box::into_raw(texts).cast(),
    }
}

/// Memory that an exported schema keeps alive.
struct Texts {
    format: CString,
    name: CString,
}

/// Memory that an exported array keeps alive.
struct Exported {
    buffers: Vec<*const c_void>,
    /// Keeps the buffers alive.
    _chunk: Arc<Chunk>,
    _views: Views,
}

/// The buffers of an array of views beside its bytes.
#[derive(Default)]
struct Views {
    _views: Vec<[u32; 4]>,
    /// The length of each buffer that views refer to.
    _sizes: Vec<i64>,
}

/// An array of FixedSizeBinary that shares the chunk's memory.
pub fn array(chunk: Arc<Chunk>) -> ArrowArray {
    let buffers = vec![validity_of(&chunk), chunk.digests.as_ptr().cast()];
    export(buffers, chunk, Views::default())
}

/// Views of digests, which are appended in their order.
pub struct DigestViews {
    views: Vec<[u32; 4]>,
    stride: usize,
    /// The offset of the next digest.
    buffer: u32,
    place: usize,
}

impl DigestViews {
    /// For `rows` digests of `stride` bytes: below 2 GiB.
    pub fn new(rows: usize, stride: usize) -> DigestViews {
        let mut views = Vec::<[u32; 4]>::with_capacity(rows);
        prefer_huge_pages(views.as_mut_ptr().cast(), rows * size_of::<[u32; 4]>());
        DigestViews {
            views,
            stride,
            buffer: 0,
            place: 0,
        }
    }

    /// The views of rows that share digests: a column whose indices lead to these.
    pub fn gather(&self, column: &Encoded<'_>, rows: usize) -> Result<DigestViews, BadRow> {
        let mut gathered = DigestViews::new(rows, self.stride);
        column.each_place(|place| {
            let view = self.views.get(place).copied();
            gathered.views.push(view.unwrap_or_default());
        })?;
        Ok(gathered)
    }

    pub fn append(&mut self, digests: &[u8]) {
        const INLINE_BYTES_MAX: usize = 12;
        let word = |bytes: &[u8]| {
            let mut word = [0; 4];
            word[..bytes.len()].copy_from_slice(bytes);
            u32::from_ne_bytes(word)
        };
        let bytes = self.stride as u32;
        let digests = digests.chunks_exact(self.stride);
        if self.stride <= INLINE_BYTES_MAX {
            self.views.extend(digests.map(|digest| {
                let mut words = digest.chunks(4).map(word);
                let mut next = || words.next().unwrap_or_default();
                [bytes, next(), next(), next()]
            }));
            return;
        }
        let buffer_bytes = rows_in_buffer(self.stride) * self.stride;
        let (buffer, place) = (&mut self.buffer, &mut self.place);
        self.views.extend(digests.map(|digest| {
            if *place == buffer_bytes {
                (*buffer, *place) = (*buffer + 1, 0);
            }
            let view = [bytes, word(&digest[..4]), *buffer, *place as u32];
            *place += digest.len();
            view
        }));
    }
}

/// Digests that one buffer of views holds, whose offsets are of 31 bits.
fn rows_in_buffer(stride: usize) -> usize {
    ((1 << 30) / stride).max(1)
}

/// An array of BinaryView that shares the chunk's memory, with a view for each row.
pub fn view_array(chunk: Arc<Chunk>, views: DigestViews) -> ArrowArray {
    let DigestViews {
        mut views, stride, ..
    } = views;
    if chunk.validity.is_some() {
        let rows = views.iter_mut().enumerate();
        let nulls = rows.filter(|&(row, _)| !chunk.is_valid(row));
        nulls.for_each(|(_, view)| *view = [0; 4]);
    }
    let parts = chunk.digests.chunks(rows_in_buffer(stride) * stride);
    let mut buffers = vec![validity_of(&chunk), views.as_ptr().cast()];
    buffers.extend(parts.clone().map(|part| part.as_ptr().cast::<c_void>()));
    let sizes: Vec<_> = parts.map(|part| part.len() as i64).collect();
    buffers.push(sizes.as_ptr().cast());
    export(
        buffers,
        chunk,
        Views {
            _views: views,
            _sizes: sizes,
        },
    )
}

fn validity_of(chunk: &Chunk) -> *const c_void {
    let bits = chunk.validity.as_ref();
    bits.map_or(ptr::null(), |bits| bits.as_ptr().cast())
}

fn export(buffers: Vec<*const c_void>, chunk: Arc<Chunk>, views: Views) -> ArrowArray {
    unsafe extern "C" fn release(array: *mut ArrowArray) {
        // SAFETY: the structure that `export` made, released once.
        unsafe {
            drop(Box::from_raw((*array).private_data.cast::<Exported>()));
            (*array).release = None;
        }
    }
    let (length, null_count) = (chunk.length as i64, chunk.null_count as i64);
    let mut exported = Box::new(Exported {
        buffers,
        _chunk: chunk,
        _views: views,
    });
    ArrowArray {
        length,
        null_count,
        offset: 0,
        n_buffers: exported.buffers.len() as i64,
        n_children: 0,
        buffers: exported.buffers.as_mut_ptr(),
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: Some(release),
        private_data: Box::into_raw(exported).cast(),
    }
}

/// The remaining arrays of an exported stream.
struct Remaining {
    chunks: Arc<Vec<Arc<Chunk>>>,
    next: usize,
    format: CString,
}

fn stream(chunks: Arc<Vec<Arc<Chunk>>>, format: CString) -> ArrowArrayStream {
    unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
        // SAFETY: the consumer's pointers; private_data is what `stream` set.
        unsafe {
            let remaining = &*(*stream).private_data.cast::<Remaining>();
            out.write(schema(&remaining.format, ""));
        }
        0
    }
    unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
        // SAFETY: as above; a stream is used by one thread at a time.
        unsafe {
            let remaining = &mut *(*stream).private_data.cast::<Remaining>();
            out.write(match remaining.chunks.get(remaining.next) {
                Some(chunk) => array(chunk.clone()),
                None => ArrowArray::empty(),
            });
            remaining.next += 1;
        }
        0
    }
    unsafe extern "C" fn get_last_error(_: *mut ArrowArrayStream) -> *const c_char {
        ptr::null()
    }
    unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
        // SAFETY: the structure that `stream` made, released once.
        unsafe {
            drop(Box::from_raw((*stream).private_data.cast::<Remaining>()));
            (*stream).release = None;
        }
    }
    let remaining = Remaining {
        chunks,
        next: 0,
        format,
    };
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(Box::new(remaining)).cast(),
    }
}
