// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dictionary-encoded columns: indices into values. Each value is hashed once, and rows copy its
//! digest, unless there are fewer rows than values.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::abi::{ArrowArray, ArrowSchema};
use super::column::{BadRow, Column, Frame, Layout, buffer_at};
use super::digests::Chunk;
use super::import::{shown, text_of};
use super::kind::type_name;
use crate::engine::{Failure, Job, Message, Messages, Rows, Work};

/// Rows whose indices are read at a time: they fit into the first-level cache.
const ROWS_AT_ONCE: usize = 1024;

/// The type of a column of binary or string values: their layout and, if the column is
/// dictionary-encoded, the type of its indices.
#[derive(Clone, Copy)]
pub struct ColumnType {
    layout: Layout,
    index: Option<IndexType>,
}

impl ColumnType {
    /// Reads the type from a schema. A TypeError names a column of other values.
    pub fn of_schema(schema: &ArrowSchema, name: &str) -> PyResult<ColumnType> {
        let format = text_of(schema.format);
        // SAFETY: a dictionary lives as long as its schema.
        let found = match unsafe { schema.dictionary.as_ref() } {
            None => Layout::of_format(&format).map(|layout| (layout, None)),
            Some(values) if values.dictionary.is_null() => {
                let index = IndexType::of_format(&format);
                Layout::of_format(&text_of(values.format))
                    .zip(index)
                    .map(|(layout, index)| (layout, Some(index)))
            }
            Some(_) => None,
        };
        if let Some((layout, index)) = found {
            return Ok(ColumnType { layout, index });
        }
        // SAFETY: as above.
        let (kind, values) = match unsafe { schema.dictionary.as_ref() } {
            None => ("", format),
            Some(values) => ("a dictionary of ", text_of(values.format)),
        };
        let (name, values) = (shown(name), type_name(&values));
        // An array has no name.
        let of = if name.is_empty() {
            String::new()
        } else {
            format!("column '{name}': ")
        };
        Err(PyTypeError::new_err(format!(
            "{of}binary or string values are required, not {kind}Arrow type {values}"
        )))
    }

    /// Checks an array of this type; its rows are checked as they are read.
    pub fn values<'a>(
        self,
        array: &'a ArrowArray,
        parent: Option<Range<usize>>,
        name: &str,
    ) -> PyResult<Values<'a>> {
        let Some(index) = self.index else {
            return Column::new(array, self.layout, parent, name).map(Values::Plain);
        };
        Ok(Values::Encoded(Encoded {
            values: Column::new(dictionary_of(array, name)?, self.layout, None, name)?,
            indices: Indices::new(array, index, parent, name)?,
            name: name.to_owned(),
        }))
    }
}

/// A column of binary or string values, borrowed from an array that outlives it.
pub enum Values<'a> {
    Plain(Column<'a>),
    Encoded(Encoded<'a>),
}

impl Values<'_> {
    pub fn len(&self) -> usize {
        match self {
            Values::Plain(column) => column.frame.length,
            Values::Encoded(column) => column.indices.frame.length,
        }
    }

    /// Returns a chunk of the rows' digests, null for null.
    pub fn chunk(&self, digests: Vec<u8>) -> Chunk {
        let (validity, null_count) = match self {
            Values::Plain(column) => column.validity(),
            Values::Encoded(column) => column.validity(),
        };
        Chunk {
            digests,
            length: self.len(),
            validity,
            null_count,
        }
    }
}

/// Returns the array of a dictionary's values.
pub fn dictionary_of<'a>(array: &'a ArrowArray, name: &str) -> PyResult<&'a ArrowArray> {
    // SAFETY: a dictionary lives as long as its array.
    unsafe { array.dictionary.as_ref() }.ok_or_else(|| {
        PyValueError::new_err(format!(
            "column '{name}': an Arrow array without its dictionary"
        ))
    })
}

/// Integers, by their width in bytes.
#[derive(Clone, Copy, PartialEq)]
pub struct IndexType {
    bytes: usize,
    is_signed: bool,
}

impl IndexType {
    pub fn of_format(format: &str) -> Option<IndexType> {
        let place = ["c", "C", "s", "S", "i", "I", "l", "L"];
        let place = place.iter().position(|&index| index == format)?;
        Some(IndexType {
            bytes: 1 << (place / 2),
            is_signed: place % 2 == 0,
        })
    }
}

/// The indices of a dictionary-encoded column, borrowed from an array that outlives them.
pub struct Indices {
    pub frame: Frame,
    data: *const u8,
    index: IndexType,
}

// SAFETY: points into an array that outlives the indices, and is only read.
unsafe impl Send for Indices {}
// SAFETY: as above.
unsafe impl Sync for Indices {}

impl Indices {
    pub fn new(
        array: &ArrowArray,
        index: IndexType,
        parent: Option<Range<usize>>,
        name: &str,
    ) -> PyResult<Indices> {
        let frame = Frame::new(array, 2, 0, parent, name)?;
        let data = buffer_at(array, 1).cast::<u8>();
        if data.is_null() && frame.length > 0 {
            return Err(PyValueError::new_err(format!(
                "column '{name}': an Arrow array without its values"
            )));
        }
        Ok(Indices { frame, data, index })
    }

    /// Returns the index of a row that is not null, which is less than `values`.
    pub fn at(&self, row: usize, values: usize) -> Result<usize, BadRow> {
        let mut place = [0];
        self.read_all(row..row + 1, values, &mut place)?;
        Ok(place[0])
    }

    /// Reads the indices of rows, each less than `values`; `values` itself for nulls.
    fn places(&self, rows: Range<usize>, values: usize, out: &mut [usize]) -> Result<(), BadRow> {
        let validity = self.frame.validity;
        if validity.has_bits() {
            self.read(rows, values, |row| validity.is_valid(row), out)
        } else {
            self.read_all(rows, values, out)
        }
    }

    /// Reads the indices of rows without nulls.
    fn read_all(&self, rows: Range<usize>, values: usize, out: &mut [usize]) -> Result<(), BadRow> {
        self.read(rows, values, |_| true, out)
    }

    #[inline(always)]
    fn read(
        &self,
        rows: Range<usize>,
        values: usize,
        is_valid: impl Fn(usize) -> bool,
        out: &mut [usize],
    ) -> Result<(), BadRow> {
        macro_rules! read {
            ($index:ty) => {{
                let data = self.data.cast::<$index>();
                let mut is_bad = false;
                for (row, place) in rows.zip(out) {
                    // SAFETY: there is an index for every row up to offset + length.
                    let index = unsafe { data.add(self.frame.offset + row).read_unaligned() };
                    // Negative indices and those of more than 63 bits are out of range.
                    let index = usize::try_from(index as i64).unwrap_or(usize::MAX);
                    let is_valid = is_valid(row);
                    is_bad |= is_valid && index >= values;
                    *place = if is_valid { index } else { values };
                }
                if is_bad { Err(BadRow::Data) } else { Ok(()) }
            }};
        }
        match (self.index.bytes, self.index.is_signed) {
            (1, true) => read!(i8),
            (1, false) => read!(u8),
            (2, true) => read!(i16),
            (2, false) => read!(u16),
            (4, true) => read!(i32),
            (4, false) => read!(u32),
            (_, true) => read!(i64),
            (_, false) => read!(u64),
        }
    }
}

/// A dictionary-encoded column.
pub struct Encoded<'a> {
    indices: Indices,
    pub values: Column<'a>,
    name: String,
}

impl Encoded<'_> {
    /// Returns true if hashing all values of the dictionary takes less time than those of the rows.
    pub fn repeats(&self) -> bool {
        self.values.frame.length <= self.indices.frame.length
    }

    /// Returns the rows with a digest for each value of the dictionary.
    pub fn with_digests(&self, mut digests: Vec<u8>, stride: usize) -> Gathered<'_> {
        digests.extend(std::iter::repeat_n(0, stride)); // The digest of a null.
        Gathered {
            column: self,
            digests,
        }
    }

    /// Calls a function with the index of each row's value in the dictionary; for a null, with the
    /// number of values.
    pub fn each_place(&self, mut place: impl FnMut(usize)) -> Result<(), BadRow> {
        self.each_places(|places| places.iter().for_each(|&found| place(found)))
    }

    /// Calls a function with the indexes of rows like each_place: a multiple of 8 rows at a time,
    /// except the last ones.
    fn each_places(&self, mut call: impl FnMut(&[usize])) -> Result<(), BadRow> {
        let (rows, values) = (self.indices.frame.length, self.values.frame.length);
        let mut places = [0; ROWS_AT_ONCE];
        for first in (0..rows).step_by(ROWS_AT_ONCE) {
            let places = &mut places[..ROWS_AT_ONCE.min(rows - first)];
            self.indices
                .places(first..first + places.len(), values, places)?;
            call(places);
        }
        Ok(())
    }

    /// Returns the validity bitmap from row 0 on, if there are nulls, and their number. The rows
    /// must have been read.
    fn validity(&self) -> (Option<Vec<u8>>, usize) {
        let frame = &self.indices.frame;
        let (validity, null_count) = self.values.validity();
        if null_count == 0 {
            return frame.validity.copy(frame.length);
        }
        let bit_of = |place: usize| {
            let bits = validity.as_ref();
            bits.map_or(1, |bits| bits[place / 8] >> (place % 8) & 1)
        };
        let values = (0..self.values.frame.length).map(bit_of);
        let values: Vec<u8> = values.chain([0]).collect(); // The last one is that of a null.
        let mut bits = Vec::with_capacity(frame.length.div_ceil(8));
        let _ = self.each_places(|places| {
            bits.extend(places.chunks(8).map(|rows| {
                let rows = rows.iter().enumerate();
                rows.fold(0, |byte, (row, &place)| byte | values[place] << row)
            }));
        });
        let valid: usize = bits
            .iter()
            .map(|byte: &u8| byte.count_ones() as usize)
            .sum();
        let nulls = frame.length - valid;
        (Some(bits).filter(|_| nulls > 0), nulls)
    }
}

// SAFETY: hash_messages writes a digest for each row; those of nulls are then zeroed.
unsafe impl Messages for Encoded<'_> {
    fn len(&self) -> usize {
        self.indices.frame.length
    }

    fn message(&self, row: usize) -> Result<Option<&[u8]>, BadRow> {
        if !self.indices.frame.validity.is_valid(row) {
            return Ok(None);
        }
        let values = self.values.frame.length;
        self.values.message(self.indices.at(row, values)?)
    }

    fn have_at_most(&self, most: usize, range: Range<usize>) -> bool {
        let bytes = range.map(|row| self.message(row).ok().flatten().map_or(0, <[u8]>::len));
        bytes.fold(0, usize::saturating_add) <= most
    }

    fn hash_short(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        work.messages.clear();
        for row in range.clone() {
            let message = self.message(row)?.unwrap_or_default();
            work.messages.push(Message::new(message));
        }
        job.hash_messages(&work.messages, digests)?;
        for (row, digest) in range.zip(digests.chunks_exact_mut(job.stride)) {
            if self.message(row)?.is_none() {
                digest.fill(MaybeUninit::new(0));
            }
        }
        Ok(())
    }

    /// Returns the error for a row that cannot be read.
    fn bad_row(&self) -> PyErr {
        PyValueError::new_err(format!(
            "column '{}': Arrow indices or offsets beyond the data",
            self.name
        ))
    }
}

/// A dictionary-encoded column whose digests are copied from those of its values.
pub struct Gathered<'a> {
    column: &'a Encoded<'a>,
    /// A digest for each value, then zeros for nulls.
    digests: Vec<u8>,
}

// SAFETY: each row gets a copy of its value's digest, or of the zeros after the digests.
unsafe impl Rows for Gathered<'_> {
    fn len(&self) -> usize {
        self.column.indices.frame.length
    }

    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        assert_eq!(digests.len(), range.len() * job.stride);
        let values = self.column.values.frame.length;
        assert_eq!(self.digests.len(), (values + 1) * job.stride);
        let mut places = [0; ROWS_AT_ONCE];
        let parts = digests.chunks_mut(ROWS_AT_ONCE * job.stride);
        for (first, out) in range.step_by(ROWS_AT_ONCE).zip(parts) {
            let places = &mut places[..out.len() / job.stride];
            let rows = first..first + places.len();
            self.column.indices.places(rows, values, places)?;
            // SAFETY: no index exceeds the number of values, and zeros follow their digests.
            unsafe { gather(self.digests.as_ptr(), places, out, job.stride) };
        }
        work.watch.look()
    }

    fn bad_row(&self) -> PyErr {
        Messages::bad_row(self.column)
    }
}

/// Copies the digests with these indices, in order.
///
/// # Safety
/// Each of `places` is the index of a digest of `stride` bytes.
unsafe fn gather(digests: *const u8, places: &[usize], out: &mut [MaybeUninit<u8>], stride: usize) {
    macro_rules! copy {
        ($stride:expr) => {
            for (&place, out) in places.iter().zip(out.chunks_exact_mut($stride)) {
                // SAFETY: promised by the caller.
                unsafe {
                    let digest = digests.add(place * $stride);
                    ptr::copy_nonoverlapping(digest, out.as_mut_ptr().cast(), $stride);
                }
            }
        };
    }
    match stride {
        // Lengths that the compiler copies in registers, without a call.
        8 => copy!(8),
        16 => copy!(16),
        20 => copy!(20),
        28 => copy!(28),
        32 => copy!(32),
        48 => copy!(48),
        64 => copy!(64),
        _ => copy!(stride),
    }
}
