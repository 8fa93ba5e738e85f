// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nested values: lists, structs, maps, and run-end encoded columns. Offsets, sizes and ends are
//! checked as they are read.

use std::ops::Range;

use finalist_table::Encoding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::abi::ArrowArray;
use super::cell::Field;
use super::column::{BadRow, Frame, buffer_at};
use super::kind::{Kind, ListLayout};
use super::table::column_at;

/// Least length of a nested value that is refused: lists of views can share elements so often that
/// no memory holds the encoding.
const VALUE_BYTES_MAX: usize = 1 << 30;

/// A column of nested values, borrowed from an array that outlives it.
pub struct Nested<'a> {
    pub frame: Frame,
    content: Content<'a>,
}

enum Content<'a> {
    List(Extents, Box<Field<'a>>),
    Struct(Vec<(String, Field<'a>)>),
    Map(Extents, Box<Field<'a>>),
    /// The ends of runs, and their values.
    Runs(Integers, Box<Field<'a>>),
}

/// The location of each row's elements.
struct Extents {
    layout: ListLayout,
    offsets: Integers,
    sizes: Integers,
}

/// Unchecked integers of 2, 4 or 8 bytes.
struct Integers {
    data: *const u8,
    width: usize,
    count: usize,
}

// SAFETY: point into an array that outlives them, and are only read.
unsafe impl Send for Integers {}
// SAFETY: as above.
unsafe impl Sync for Integers {}

impl Integers {
    const NONE: Integers = Integers {
        data: std::ptr::null(),
        width: 0,
        count: 0,
    };

    fn get(&self, at: usize) -> Result<usize, BadRow> {
        if at >= self.count {
            return Err(BadRow::Data);
        }
        // SAFETY: there are `count` integers of that width.
        let value = unsafe {
            match self.width {
                2 => i64::from(self.data.cast::<i16>().add(at).read_unaligned()),
                4 => i64::from(self.data.cast::<i32>().add(at).read_unaligned()),
                _ => self.data.cast::<i64>().add(at).read_unaligned(),
            }
        };
        usize::try_from(value).map_err(|_| BadRow::Data)
    }

    /// Returns the index of the first integer greater than a value; the integers ascend.
    fn first_above(&self, value: usize) -> Result<usize, BadRow> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle)? > value {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if low == self.count {
            Err(BadRow::Data)
        } else {
            Ok(low)
        }
    }
}

impl Extents {
    fn new(array: &ArrowArray, layout: ListLayout, frame: &Frame, name: &str) -> PyResult<Extents> {
        let end = frame.offset + frame.length;
        let buffer = |place, width, count| {
            let data = buffer_at(array, place).cast::<u8>();
            if frame.length == 0 {
                return Ok(Integers::NONE);
            }
            if data.is_null() {
                return Err(PyValueError::new_err(format!(
                    "column '{name}': an Arrow array without its offsets"
                )));
            }
            Ok(Integers { data, width, count })
        };
        let (offsets, sizes) = match layout {
            ListLayout::Offsets(width) => (buffer(1, width, end + 1)?, Integers::NONE),
            ListLayout::Views(width) => (buffer(1, width, end)?, buffer(2, width, end)?),
            ListLayout::Fixed(_) => (Integers::NONE, Integers::NONE),
        };
        Ok(Extents {
            layout,
            offsets,
            sizes,
        })
    }

    /// Returns the range of a row's elements. at: its index in the array; elements: their number in
    /// all rows.
    fn of(&self, at: usize, elements: usize) -> Result<Range<usize>, BadRow> {
        let (start, end) = match self.layout {
            ListLayout::Offsets(_) => (self.offsets.get(at)?, self.offsets.get(at + 1)?),
            ListLayout::Views(_) => {
                let (start, size) = (self.offsets.get(at)?, self.sizes.get(at)?);
                (start, start.checked_add(size).ok_or(BadRow::Data)?)
            }
            ListLayout::Fixed(length) => {
                let start = at.checked_mul(length).ok_or(BadRow::Data)?;
                (start, start.checked_add(length).ok_or(BadRow::Data)?)
            }
        };
        if start > end || end > elements {
            return Err(BadRow::Data);
        }
        Ok(start..end)
    }
}

impl<'a> Nested<'a> {
    /// Checks an array and its children; `None` for a kind of plain values.
    pub fn new(
        array: &'a ArrowArray,
        kind: &Kind,
        parent: Option<Range<usize>>,
        name: &str,
    ) -> PyResult<Option<Nested<'a>>> {
        let field = |place, kind: &Kind, rows| {
            Field::new(column_at(array, place)?, kind.clone(), rows, name)
        };
        Ok(Some(match kind {
            Kind::List(layout, values) => {
                let buffers = match layout {
                    ListLayout::Offsets(_) => 2,
                    ListLayout::Views(_) => 3,
                    ListLayout::Fixed(_) => 1,
                };
                let frame = Frame::new(array, buffers, 1, parent, name)?;
                let extents = Extents::new(array, *layout, &frame, name)?;
                let content = Content::List(extents, Box::new(field(0, values, None)?));
                Nested { frame, content }
            }
            Kind::Map(entries) => {
                let frame = Frame::new(array, 2, 1, parent, name)?;
                let extents = Extents::new(array, ListLayout::Offsets(4), &frame, name)?;
                let content = Content::Map(extents, Box::new(field(0, entries, None)?));
                Nested { frame, content }
            }
            Kind::Struct(kinds) => {
                let frame = Frame::new(array, 1, kinds.len(), parent, name)?;
                let rows = frame.offset..frame.offset + frame.length;
                let fields = kinds.iter().enumerate().map(|(place, (own, kind))| {
                    Ok((own.clone(), field(place, kind, Some(rows.clone()))?))
                });
                let content = Content::Struct(fields.collect::<PyResult<_>>()?);
                Nested { frame, content }
            }
            Kind::Runs(width, values) => {
                let frame = Frame::new(array, 0, 2, parent, name)?;
                let ends_array = column_at(array, 0)?;
                let ends_frame = Frame::new(ends_array, 2, 0, None, name)?;
                let data = buffer_at(ends_array, 1).cast::<u8>();
                let ends = Integers {
                    data: data.wrapping_add(ends_frame.offset * width),
                    width: *width,
                    count: if data.is_null() { 0 } else { ends_frame.length },
                };
                let content = Content::Runs(ends, Box::new(field(1, values, None)?));
                Nested { frame, content }
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the fields of a struct.
    pub fn fields(&self) -> Option<&[(String, Field<'a>)]> {
        match &self.content {
            Content::Struct(fields) => Some(fields),
            _ => None,
        }
    }

    /// Appends a row's value.
    pub fn encode(&self, row: usize, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), BadRow> {
        let at = self.frame.offset + row;
        if let Content::Runs(ends, values) = &self.content {
            let run = ends.first_above(at)?;
            if run >= values.len() {
                return Err(BadRow::Data);
            }
            return values.encode(run, encoding, out);
        }
        if !self.frame.validity.is_valid(row) {
            encoding.resume(out).null();
            return Ok(());
        }
        match &self.content {
            Content::List(extents, values) => {
                let elements = extents.of(at, values.len())?;
                begin(elements.len(), out)?;
                encoding.resume(out).list(elements.len());
                for element in elements {
                    values.encode(element, encoding, out)?;
                    check_size(out)?;
                }
            }
            Content::Struct(fields) => {
                encoding.resume(out).structure(fields.len());
                for (name, field) in fields {
                    encoding.resume(out).name(name);
                    field.encode(row, encoding, out)?;
                }
            }
            Content::Map(extents, entries) => {
                encode_map(extents.of(at, entries.len())?, entries, encoding, out)?;
            }
            Content::Runs(..) => {}
        }
        Ok(())
    }
}

/// Reserves memory for a number of values, each of which takes a byte or more.
fn begin(count: usize, out: &mut Vec<u8>) -> Result<(), BadRow> {
    if count > VALUE_BYTES_MAX {
        return Err(BadRow::Long);
    }
    out.try_reserve(count).map_err(|_| BadRow::Long)
}

fn check_size(out: &[u8]) -> Result<(), BadRow> {
    if out.len() > VALUE_BYTES_MAX {
        return Err(BadRow::Long);
    }
    Ok(())
}

/// Encodes the entries of a map sorted by their bytes, since a map has no order.
fn encode_map(
    rows: Range<usize>,
    entries: &Field<'_>,
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), BadRow> {
    begin(rows.len(), out)?;
    encoding.resume(out).map(rows.len());
    let Some([(_, keys), (_, values)]) = entries.fields() else {
        return Err(BadRow::Data);
    };
    let start = out.len();
    let mut ends = Vec::with_capacity(rows.len().min(1 << 16));
    let mut is_sorted = true;
    let mut last = start..start;
    for row in rows {
        if !entries.is_valid(row) {
            return Err(BadRow::Data);
        }
        let begin = out.len();
        keys.encode(row, encoding, out)?;
        values.encode(row, encoding, out)?;
        check_size(out)?;
        is_sorted &= out[last.clone()] <= out[begin..];
        last = begin..out.len();
        ends.push(last.clone());
    }
    if !is_sorted {
        let unsorted = out[start..].to_vec();
        let bytes = |range: &Range<usize>| &unsorted[range.start - start..range.end - start];
        ends.sort_by(|one, other| bytes(one).cmp(bytes(other)));
        out.truncate(start);
        ends.iter()
            .for_each(|range| out.extend_from_slice(bytes(range)));
    }
    Ok(())
}
