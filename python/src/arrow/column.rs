// SPDX-License-Identifier: MIT OR Apache-2.0
//! A column of byte strings in any of Arrow's layouts. All that a producer claims is checked before
//! any read. The C data interface does not give the length of a data buffer, so the last offset is
//! used instead.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;

use finalist_sys as sys;
use finalist_table::NoEncoding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::abi::ArrowArray;
use crate::engine::{Failure, Job, Messages, Work};

/// Length of a view in bytes.
const VIEW_BYTES: usize = 16;

/// Memory layout of a column's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Only nulls.
    Null,
    Offsets32,
    Offsets64,
    View,
    Fixed(usize),
}

impl Layout {
    /// Returns the layout of a binary or string type; `None` for other types.
    pub fn of_format(format: &str) -> Option<Layout> {
        match format {
            "n" => Some(Layout::Null),
            "z" | "u" => Some(Layout::Offsets32),
            "Z" | "U" => Some(Layout::Offsets64),
            "vz" | "vu" => Some(Layout::View),
            _ => {
                let width = format.strip_prefix("w:")?.parse().ok()?;
                Some(Layout::Fixed(width))
            }
        }
    }
}

/// A validity bitmap; without bits no row is null.
#[derive(Clone, Copy)]
pub struct Validity {
    bits: *const u8,
    offset: usize,
}

// SAFETY: points into an array that the column's owner holds, and is only read.
unsafe impl Send for Validity {}
// SAFETY: as above.
unsafe impl Sync for Validity {}

impl Validity {
    /// Copies the bits of the first rows to a new bitmap if one of them is null. Returns the bitmap
    /// and the number of nulls.
    pub fn copy(&self, rows: usize) -> (Option<Vec<u8>>, usize) {
        if self.bits.is_null() || rows == 0 {
            return (None, 0);
        }
        let (first, shift) = (self.offset / 8, self.offset % 8);
        // SAFETY: a bitmap has a bit for every row up to offset + length, by its array's checks.
        let bytes =
            unsafe { slice::from_raw_parts(self.bits.add(first), (shift + rows).div_ceil(8)) };
        let mut bits: Vec<u8> = (0..rows.div_ceil(8))
            .map(|place| {
                let next = bytes.get(place + 1).copied().unwrap_or_default();
                (u16::from_le_bytes([bytes[place], next]) >> shift) as u8
            })
            .collect();
        if let (Some(last), used @ 1..) = (bits.last_mut(), rows % 8) {
            *last &= (1 << used) - 1;
        }
        let valid: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
        (Some(bits).filter(|_| valid < rows), rows - valid)
    }

    /// Returns false if no row is null.
    pub fn has_bits(&self) -> bool {
        !self.bits.is_null()
    }

    pub fn is_valid(&self, row: usize) -> bool {
        let bit = self.offset + row;
        // SAFETY: a bitmap has a bit for every row up to offset + length, by its array's checks.
        self.bits.is_null() || unsafe { *self.bits.add(bit / 8) } >> (bit % 8) & 1 == 1
    }
}

/// The checked frame of an array of any type: the position of its rows, and their validity.
pub struct Frame {
    pub length: usize,
    pub offset: usize,
    pub validity: Validity,
}

impl Frame {
    /// Checks the common part of all arrays. `parent`: the rows of the struct that has the array as
    /// a field; the array's offset and length must include them.
    pub fn new(
        array: &ArrowArray,
        buffers: usize,
        children: usize,
        parent: Option<Range<usize>>,
        name: &str,
    ) -> PyResult<Frame> {
        let wrong = |what: &str| PyValueError::new_err(format!("column '{name}': {what}"));
        let size = |value: i64| usize::try_from(value).ok();
        let (Some(mut length), Some(mut offset)) = (size(array.length), size(array.offset)) else {
            return Err(wrong("an Arrow array of negative length or offset"));
        };
        let end = offset.checked_add(length);
        if end.is_none_or(|end| end > isize::MAX as usize / 16) {
            return Err(wrong("an Arrow array of impossible length"));
        }
        if size(array.n_buffers).is_none_or(|count| count < buffers)
            || (buffers > 0 && array.buffers.is_null())
            || size(array.n_children) != Some(children)
            || (children > 0 && array.children.is_null())
        {
            return Err(wrong("an Arrow array without the buffers of its type"));
        }
        let bits = if buffers == 0 || array.null_count == 0 {
            std::ptr::null()
        } else {
            buffer_at(array, 0).cast::<u8>()
        };
        if array.null_count > array.length
            || (array.null_count > 0 && bits.is_null() && buffers > 0)
        {
            return Err(wrong("an Arrow array with a wrong count of nulls"));
        }
        if let Some(rows) = parent {
            if rows.end > length {
                return Err(wrong("a field shorter than its struct"));
            }
            offset += rows.start;
            length = rows.end - rows.start;
        }
        Ok(Frame {
            length,
            offset,
            validity: Validity { bits, offset },
        })
    }
}

/// Returns one of the array's buffers, whose number the frame's check verified.
pub fn buffer_at(array: &ArrowArray, index: usize) -> *const c_void {
    // SAFETY: the array has more buffers than `index`.
    unsafe { *array.buffers.add(index) }
}

/// A column of byte strings, borrowed from an array that outlives it.
pub struct Column<'a> {
    pub frame: Frame,
    layout: Layout,
    /// Offsets, views, or the values themselves.
    index: *const u8,
    data: *const u8,
    /// The end of the data, by its last offset.
    data_bytes: usize,
    /// Data buffers of views.
    pieces: Vec<sys::fin_buffer>,
    name: String,
    array: PhantomData<&'a ArrowArray>,
}

// SAFETY: points into an array that outlives the column, and is only read.
unsafe impl Send for Column<'_> {}
// SAFETY: as above.
unsafe impl Sync for Column<'_> {}

/// Errors in a row.
#[derive(Clone, Copy, Debug)]
pub enum BadRow {
    /// An offset, an index or a value that the data does not allow.
    Data,
    /// A date in milliseconds that is not a whole day.
    DateWithTime,
    /// A list or map whose encoding is too long.
    Long,
    /// A number that version 1 of the encoding lacks.
    Wide,
}

impl From<NoEncoding> for BadRow {
    fn from(_: NoEncoding) -> BadRow {
        BadRow::Wide
    }
}

impl<'a> Column<'a> {
    /// Checks an array's frame and buffers; its rows are checked as they are read.
    pub fn new(
        array: &'a ArrowArray,
        layout: Layout,
        parent: Option<Range<usize>>,
        name: &str,
    ) -> PyResult<Column<'a>> {
        let wrong = |what: &str| PyValueError::new_err(format!("column '{name}': {what}"));
        let buffers = match layout {
            Layout::Null => 0,
            Layout::Fixed(_) => 2,
            Layout::Offsets32 | Layout::Offsets64 | Layout::View => 3,
        };
        let frame = Frame::new(array, buffers, 0, parent, name)?;
        let mut column = Column {
            layout,
            index: std::ptr::null(),
            data: std::ptr::null(),
            data_bytes: 0,
            pieces: Vec::new(),
            name: name.to_owned(),
            array: PhantomData,
            frame,
        };
        if layout == Layout::Null || column.frame.length == 0 {
            column.layout = Layout::Null;
            return Ok(column);
        }
        column.index = buffer_at(array, 1).cast();
        let no_values = column.index.is_null() && layout != Layout::Fixed(0);
        if no_values {
            return Err(wrong("an Arrow array without its values or offsets"));
        }
        match layout {
            Layout::Offsets32 | Layout::Offsets64 => {
                column.data = buffer_at(array, 2).cast();
                column.data_bytes = column
                    .offset_at(column.frame.length)
                    .filter(|&end| end == 0 || !column.data.is_null())
                    .ok_or_else(|| wrong("Arrow offsets that do not fit the data"))?;
            }
            Layout::View => {
                column.pieces = view_buffers(array).ok_or_else(|| {
                    wrong("an Arrow array of views without the lengths of its buffers")
                })?
            }
            Layout::Fixed(width) => {
                let end = column.frame.offset + column.frame.length;
                if end
                    .checked_mul(width)
                    .is_none_or(|end| end > isize::MAX as usize)
                {
                    return Err(wrong("an Arrow array of impossible length"));
                }
            }
            Layout::Null => {}
        }
        Ok(column)
    }

    /// Returns the offset at a row's start if it fits into an address.
    fn offset_at(&self, row: usize) -> Option<usize> {
        let position = self.frame.offset + row;
        // SAFETY: there is an offset for every row up to offset + length and one more.
        let offset = unsafe {
            match self.layout {
                Layout::Offsets32 => {
                    i64::from(self.index.cast::<i32>().add(position).read_unaligned())
                }
                _ => self.index.cast::<i64>().add(position).read_unaligned(),
            }
        };
        usize::try_from(offset)
            .ok()
            .filter(|&offset| offset <= isize::MAX as usize)
    }

    pub fn is_valid(&self, row: usize) -> bool {
        self.layout != Layout::Null && self.frame.validity.is_valid(row)
    }

    /// Returns the validity bitmap from row 0 on, if there are nulls, and their number.
    pub fn validity(&self) -> (Option<Vec<u8>>, usize) {
        let length = self.frame.length;
        if self.layout == Layout::Null {
            return (Some(vec![0; length.div_ceil(8)]), length);
        }
        self.frame.validity.copy(length)
    }

    /// Returns the column from a row on, for the C library.
    fn c(&self, row: usize) -> sys::fin_column {
        let position = self.frame.offset + row;
        let (layout, width) = match self.layout {
            Layout::Offsets32 => (sys::FIN_COLUMN_OFFSETS32, 4),
            Layout::Offsets64 => (sys::FIN_COLUMN_OFFSETS64, 8),
            Layout::View => (sys::FIN_COLUMN_VIEWS, VIEW_BYTES),
            Layout::Fixed(width) => (sys::FIN_COLUMN_FIXED, width),
            Layout::Null => (sys::FIN_COLUMN_FIXED, 0),
        };
        // Offsets, views or values are all in the array's second buffer.
        let items = self.index.wrapping_add(position * width);
        let fixed = layout == sys::FIN_COLUMN_FIXED;
        sys::fin_column {
            layout,
            data: if fixed { items } else { self.data }.cast(),
            data_bytes: if fixed {
                ((self.frame.length - row) * width) as u64
            } else {
                self.data_bytes as u64
            },
            items: items.cast(),
            width,
            buffers: self.pieces.as_ptr(),
            buffer_count: self.pieces.len(),
            validity: self.frame.validity.bits,
            validity_offset: (self.frame.validity.offset + row) as u64,
        }
    }

    /// Returns true if consecutive rows are known to be equal in two columns, which have one layout
    /// with offsets and no nulls.
    pub fn is_same_run(
        &self,
        row: usize,
        other: &Column<'_>,
        other_row: usize,
        rows: usize,
    ) -> bool {
        let has_offsets = matches!(self.layout, Layout::Offsets32 | Layout::Offsets64);
        let has_nulls = self.frame.validity.has_bits() || other.frame.validity.has_bits();
        if !has_offsets || has_nulls || self.layout != other.layout {
            return false;
        }
        let ends = |column: &Column<'_>, row: usize| {
            let (start, end) = (column.offset_at(row)?, column.offset_at(row + rows)?);
            (start <= end && end <= column.data_bytes).then_some(start..end)
        };
        let (Some(range), Some(other_range)) = (ends(self, row), ends(other, other_row)) else {
            return false;
        };
        let lengths_agree = (0..rows).all(|at| {
            let end = self
                .offset_at(row + at)
                .map(|end| end.wrapping_sub(range.start));
            let other_end = other.offset_at(other_row + at);
            end == other_end.map(|end| end.wrapping_sub(other_range.start))
        });
        let bytes = |column: &Column<'_>, range: Range<usize>| {
            if range.is_empty() {
                return &[][..];
            }
            // SAFETY: up to the last offset there is data; the array outlives the column.
            unsafe { slice::from_raw_parts(column.data.add(range.start), range.len()) }
        };
        lengths_agree && bytes(self, range) == bytes(other, other_range)
    }

    /// Returns the bytes of a row that is not null.
    #[inline]
    pub fn value(&self, row: usize) -> Result<&'a [u8], BadRow> {
        let (start, bytes) = match self.layout {
            Layout::Offsets32 | Layout::Offsets64 => {
                let start = self.offset_at(row).ok_or(BadRow::Data)?;
                let end = self.offset_at(row + 1).ok_or(BadRow::Data)?;
                if start > end || end > self.data_bytes {
                    return Err(BadRow::Data);
                }
                if start == end {
                    return Ok(&[]);
                }
                // SAFETY: up to the last offset there is data.
                (unsafe { self.data.add(start) }, end - start)
            }
            Layout::Fixed(width) => {
                let position = (self.frame.offset + row) * width;
                if width == 0 {
                    return Ok(&[]);
                }
                // SAFETY: there is a value for every row up to offset + length.
                (unsafe { self.index.add(position) }, width)
            }
            Layout::View => return self.view(row),
            Layout::Null => return Err(BadRow::Data),
        };
        // SAFETY: checked above; the array outlives the column.
        Ok(unsafe { slice::from_raw_parts(start, bytes) })
    }

    /// Reads a view: the length, then up to 12 bytes, or four of them, a buffer's number and an
    /// offset.
    fn view(&self, row: usize) -> Result<&'a [u8], BadRow> {
        const INLINE_BYTES_MAX: usize = 12;
        let view = self.view_at(row);
        let number = |at: usize| {
            let word = [view[at], view[at + 1], view[at + 2], view[at + 3]];
            usize::try_from(i32::from_ne_bytes(word)).map_err(|_| BadRow::Data)
        };
        let bytes = number(0)?;
        if bytes <= INLINE_BYTES_MAX {
            return Ok(&view[4..4 + bytes]);
        }
        let (piece, start) = (number(8)?, number(12)?);
        let piece = self.pieces.get(piece).ok_or(BadRow::Data)?;
        if piece.data.is_null() || (start + bytes) as u64 > piece.bytes {
            return Err(BadRow::Data);
        }
        // SAFETY: checked above; the array outlives the column.
        Ok(unsafe { slice::from_raw_parts(piece.data.cast::<u8>().add(start), bytes) })
    }

    fn view_at(&self, row: usize) -> &'a [u8] {
        let start = self
            .index
            .wrapping_add((self.frame.offset + row) * VIEW_BYTES);
        // SAFETY: there is a view of 16 bytes for every row up to offset + length.
        unsafe { slice::from_raw_parts(start, VIEW_BYTES) }
    }
}

// SAFETY: hash_column writes a digest for each value, zeros for nulls.
unsafe impl Messages for Column<'_> {
    fn len(&self) -> usize {
        self.frame.length
    }

    fn message(&self, row: usize) -> Result<Option<&[u8]>, BadRow> {
        if self.is_valid(row) {
            self.value(row).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Uses only offsets, views or widths, still unchecked: the library checks them.
    fn have_at_most(&self, most: usize, range: Range<usize>) -> bool {
        let bytes = match self.layout {
            Layout::Null => 0,
            Layout::Offsets32 | Layout::Offsets64 => {
                match (self.offset_at(range.start), self.offset_at(range.end)) {
                    (Some(start), Some(end)) => end.saturating_sub(start),
                    _ => 0,
                }
            }
            Layout::Fixed(width) => range.len().saturating_mul(width),
            Layout::View => range
                .map(|row| {
                    let view = self.view_at(row);
                    u32::from_ne_bytes([view[0], view[1], view[2], view[3]]) as usize
                })
                .sum(),
        };
        bytes <= most
    }

    fn hash_short(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        _: &mut Work<'_>,
    ) -> Result<(), Failure> {
        if self.layout == Layout::Null {
            digests.fill(MaybeUninit::new(0));
            return Ok(());
        }
        // SAFETY: the array has offsets, views or values, and bits, for all of its rows.
        unsafe { job.hash_column(&self.c(range.start), digests) }
    }

    /// Returns the error for a row that cannot be read.
    fn bad_row(&self) -> PyErr {
        PyValueError::new_err(format!(
            "column '{}': Arrow offsets that run backwards or beyond the data",
            self.name
        ))
    }
}

/// Returns the data buffers of an array of views. The last buffer has their lengths.
fn view_buffers(array: &ArrowArray) -> Option<Vec<sys::fin_buffer>> {
    let count = usize::try_from(array.n_buffers).ok()?.checked_sub(3)?;
    let sizes = buffer_at(array, count + 2).cast::<i64>();
    if sizes.is_null() && count > 0 {
        return None;
    }
    (0..count)
        .map(|piece| {
            let data = buffer_at(array, 2 + piece);
            // SAFETY: the last buffer has a length for each of the buffers between.
            let bytes = usize::try_from(unsafe { sizes.add(piece).read_unaligned() }).ok()?;
            let impossible = bytes > isize::MAX as usize || (bytes > 0 && data.is_null());
            (!impossible).then_some(sys::fin_buffer {
                data,
                bytes: bytes as u64,
            })
        })
        .collect()
}
