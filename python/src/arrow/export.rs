// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exports digests to Arrow consumers: schemas, arrays and streams of the C interfaces.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::abi::{ArrowArray, ArrowArrayStream, ArrowSchema, FLAG_NULLABLE, Released};
use super::column::BadRow;
use super::dictionary::Encoded;
use super::digests::Chunk;
use crate::digest_memory::prefer_huge_pages;

/// Makes a capsule that frees the structure if no consumer took it.
pub fn capsule<'py, T: Released + Send + 'static>(
    py: Python<'py>,
    structure: T,
    name: &'static CStr,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, structure, name)
}

/// Makes a schema of one of the binary types.
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

/// The buffers of an array of views, except its bytes.
#[derive(Default)]
struct Views {
    _views: Vec<[u32; 4]>,
    /// The length of each buffer that views refer to.
    _sizes: Vec<i64>,
}

/// Makes an array of FixedSizeBinary that shares the chunk's memory.
pub fn array(chunk: Arc<Chunk>) -> ArrowArray {
    let buffers = vec![validity_of(&chunk), chunk.digests.as_ptr().cast()];
    export(buffers, chunk, Views::default())
}

/// Views of digests, appended in order.
pub struct DigestViews {
    views: Vec<[u32; 4]>,
    stride: usize,
    /// The offset of the next digest.
    buffer: u32,
    place: usize,
}

impl DigestViews {
    /// Makes empty views for `rows` digests of `stride` bytes, less than 2 GiB.
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

    /// Makes the views of a dictionary-encoded column's rows, which share digests.
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

/// Returns the number of digests that fit into one buffer of views, whose offsets have 31 bits.
fn rows_in_buffer(stride: usize) -> usize {
    ((1 << 30) / stride).max(1)
}

/// Makes an array of BinaryView that shares the chunk's memory, with a view for each row.
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

pub fn stream(chunks: Arc<Vec<Arc<Chunk>>>, format: CString) -> ArrowArrayStream {
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
