// SPDX-License-Identifier: MIT OR Apache-2.0
//! Encodes values of any type with a canonical form (docs/format/rows.md).

use std::ops::Range;
use std::slice;

use finalist_table::{Encoder, Encoding, float16};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::abi::ArrowArray;
use super::column::{BadRow, Column, Frame, buffer_at};
use super::dictionary::{Indices, dictionary_of};
use super::kind::{Interval, Kind};
use super::nested::Nested;

const DAY_MS: i64 = 86_400_000;

/// A column whose values can be encoded, borrowed from an array that outlives it.
pub struct Field<'a> {
    kind: Kind,
    name: String,
    values: Values<'a>,
}

enum Values<'a> {
    /// Text, bytes and the type of nulls.
    Column(Column<'a>),
    /// Numbers, or bits.
    Fixed(Frame, *const u8),
    /// Indices into the values of another field.
    Indices(Indices, Box<Field<'a>>),
    Nested(Nested<'a>),
}

// SAFETY: points into an array that outlives the field, and is only read.
unsafe impl Send for Field<'_> {}
// SAFETY: as above.
unsafe impl Sync for Field<'_> {}

impl<'a> Field<'a> {
    pub fn new(
        array: &'a ArrowArray,
        kind: Kind,
        parent: Option<Range<usize>>,
        name: &str,
    ) -> PyResult<Field<'a>> {
        let name = name.to_owned();
        let layout = match kind {
            Kind::Text(layout) | Kind::Bytes(layout) => Some(layout),
            _ => None,
        };
        if let Some(layout) = layout {
            let values = Values::Column(Column::new(array, layout, parent, &name)?);
            return Ok(Field { kind, name, values });
        }
        if let Kind::Dictionary(index, values) = &kind {
            let dictionary = dictionary_of(array, &name)?;
            let values = Field::new(dictionary, (**values).clone(), None, &name)?;
            let indices = Indices::new(array, *index, parent, &name)?;
            let values = Values::Indices(indices, Box::new(values));
            return Ok(Field { kind, name, values });
        }
        if let Some(nested) = Nested::new(array, &kind, parent.clone(), &name)? {
            let values = Values::Nested(nested);
            return Ok(Field { kind, name, values });
        }
        let frame = Frame::new(array, 2, 0, parent, &name)?;
        let data = buffer_at(array, 1).cast::<u8>();
        if data.is_null() && frame.length > 0 {
            return Err(PyValueError::new_err(format!(
                "column '{name}': an Arrow array without its values"
            )));
        }
        let values = Values::Fixed(frame, data);
        Ok(Field { kind, name, values })
    }

    pub fn len(&self) -> usize {
        match &self.values {
            Values::Column(column) => column.frame.length,
            Values::Fixed(frame, _) => frame.length,
            Values::Indices(indices, _) => indices.frame.length,
            Values::Nested(nested) => nested.frame.length,
        }
    }

    /// Returns the fields of a struct.
    pub fn fields(&self) -> Option<&[(String, Field<'a>)]> {
        match &self.values {
            Values::Nested(nested) => nested.fields(),
            _ => None,
        }
    }

    /// Returns true if the struct is not null.
    pub fn is_valid(&self, row: usize) -> bool {
        match &self.values {
            Values::Nested(nested) => nested.frame.validity.is_valid(row),
            _ => true,
        }
    }

    /// Returns the error for a row that cannot be read.
    pub fn bad_row(&self, bad: BadRow) -> PyErr {
        let cause = match bad {
            BadRow::Data => "an Arrow offset or index beyond the data",
            BadRow::DateWithTime => "a date with a time",
            BadRow::Long => "a list or map of more than 1 GiB",
            BadRow::Wide => "a number beyond version 1 of the encoding (version=2 takes it)",
        };
        PyValueError::new_err(format!("column '{}': {cause}", self.name))
    }

    /// Returns the width of a number in bytes; `None` for other values and for more than 16 bytes.
    fn width(&self) -> Option<usize> {
        match self.kind {
            Kind::Signed(width) | Kind::Unsigned(width) | Kind::Float(width) => Some(width),
            Kind::Ticks(_, _, width) => Some(width),
            Kind::Decimal { width, .. } if width <= 16 => Some(width),
            Kind::Days => Some(4),
            _ => None,
        }
    }

    /// Returns true if the values of two rows have the same encoding; `None` if that is unknown
    /// without encoding them.
    pub fn is_same(&self, row: usize, other: &Field<'_>, other_row: usize) -> Option<bool> {
        match (&self.values, &other.values) {
            (Values::Column(one), Values::Column(two)) => {
                let are_texts = |field: &Field<'_>| matches!(field.kind, Kind::Text(_));
                if !one.is_valid(row) || !two.is_valid(other_row) {
                    return Some(one.is_valid(row) == two.is_valid(other_row));
                }
                let (value, other_value) = (one.value(row).ok()?, two.value(other_row).ok()?);
                Some(value == other_value && are_texts(self) == are_texts(other))
            }
            (Values::Fixed(frame, data), Values::Fixed(other_frame, other_data))
                if self.kind == other.kind =>
            {
                let is_valid = frame.validity.is_valid(row);
                if !is_valid || !other_frame.validity.is_valid(other_row) {
                    return Some(is_valid == other_frame.validity.is_valid(other_row));
                }
                let width = self.width()?;
                let is_same = number(*data, frame.offset + row, width)
                    == number(*other_data, other_frame.offset + other_row, width);
                // Floats with different bits may be equal.
                (is_same || !matches!(self.kind, Kind::Float(_))).then_some(is_same)
            }
            _ => None,
        }
    }

    /// Returns true if comparing memory shows that the values of consecutive rows have the same
    /// encodings.
    pub fn is_same_run(
        &self,
        row: usize,
        other: &Field<'_>,
        other_row: usize,
        rows: usize,
    ) -> bool {
        if self.kind != other.kind {
            return false;
        }
        match (&self.values, &other.values) {
            (Values::Column(one), Values::Column(two)) => {
                one.is_same_run(row, two, other_row, rows)
            }
            (Values::Fixed(frame, data), Values::Fixed(other_frame, other_data)) => {
                let Some(width) = self.width() else {
                    return false;
                };
                if frame.validity.has_bits() || other_frame.validity.has_bits() {
                    return false;
                }
                let values = |frame: &Frame, data: *const u8, row: usize| {
                    // SAFETY: there is a value for every row up to offset + length.
                    unsafe {
                        slice::from_raw_parts(data.add((frame.offset + row) * width), rows * width)
                    }
                };
                values(frame, *data, row) == values(other_frame, *other_data, other_row)
            }
            _ => false,
        }
    }

    /// Appends a row's value.
    pub fn encode(&self, row: usize, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), BadRow> {
        match &self.values {
            Values::Column(column) => {
                if !column.is_valid(row) {
                    encoding.resume(out).null();
                    return Ok(());
                }
                let value = column.value(row)?;
                match self.kind {
                    Kind::Text(_) => encoding.resume(out).string_bytes(value),
                    _ => encoding.resume(out).binary(value),
                };
            }
            Values::Fixed(frame, _) | Values::Indices(Indices { frame, .. }, _)
                if !frame.validity.is_valid(row) =>
            {
                encoding.resume(out).null();
            }
            Values::Fixed(frame, data) => {
                self.encode_fixed(frame.offset + row, *data, encoding.resume(out))?;
            }
            Values::Indices(indices, values) => {
                values.encode(indices.at(row, values.len())?, encoding, out)?;
            }
            Values::Nested(nested) => nested.encode(row, encoding, out)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn encode_fixed(&self, at: usize, data: *const u8, row: Encoder<'_>) -> Result<(), BadRow> {
        let integer = |width| number(data, at, width);
        match self.kind {
            Kind::Boolean => {
                // SAFETY: there is a bit for every row up to offset + length.
                let byte = unsafe { *data.add(at / 8) };
                row.boolean(byte >> (at % 8) & 1 == 1)
            }
            Kind::Signed(16) => row.signed(integer(16))?,
            Kind::Unsigned(16) => row.unsigned(integer(16) as u128)?,
            Kind::Signed(width) => row.signed_64(integer(width) as i64),
            Kind::Unsigned(width) => row.integer(unsigned(integer(width), width)),
            Kind::Float(width) => row.float(float(integer(width), width)),
            Kind::Days => row.date(integer(4) as i64),
            Kind::Milliseconds => {
                let value = integer(8) as i64;
                if value % DAY_MS != 0 {
                    return Err(BadRow::DateWithTime);
                }
                row.date(value / DAY_MS)
            }
            Kind::Ticks(time, nanoseconds, width) => {
                row.time(time, integer(width) * i128::from(nanoseconds))
            }
            Kind::Decimal { scale, width: 32 } => row.wide_decimal(bytes_at(data, at), scale)?,
            Kind::Decimal { scale, width } => row.decimal(integer(width), scale)?,
            Kind::Interval(unit) => {
                let (months, days, nanoseconds) = interval(unit, data, at);
                row.interval(months, days, nanoseconds)
            }
            Kind::ZonedTime => {
                let (nanoseconds, ahead) = zoned_time(integer(8) as u64)?;
                row.zoned_time(nanoseconds, ahead)
            }
            _ => return Err(BadRow::Data),
        };
        Ok(())
    }
}

/// Reads a signed little-endian number of 1, 2, 4, 8 or 16 bytes.
#[inline(always)]
fn number(data: *const u8, at: usize, width: usize) -> i128 {
    // SAFETY: there is a value of that width for every row up to offset + length, which is `at`'s
    // limit by its frame.
    unsafe {
        let data = data.add(at * width);
        match width {
            1 => i128::from(data.cast::<i8>().read_unaligned()),
            2 => i128::from(data.cast::<i16>().read_unaligned()),
            4 => i128::from(data.cast::<i32>().read_unaligned()),
            8 => i128::from(data.cast::<i64>().read_unaligned()),
            _ => data.cast::<i128>().read_unaligned(),
        }
    }
}

/// Returns the unsigned number of up to 8 bytes whose bits were read as a signed one.
#[inline(always)]
fn unsigned(number: i128, width: usize) -> u64 {
    number as u64 & u64::MAX >> (64 - 8 * width)
}

/// Returns the float with these bits.
#[inline(always)]
fn float(bits: i128, width: usize) -> f64 {
    match width {
        2 => float16(bits as u16),
        4 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    }
}

/// Reads months, days and nanoseconds.
fn interval(unit: Interval, data: *const u8, at: usize) -> (i32, i32, i64) {
    let word = |place| number(data, place, 4) as i32;
    match unit {
        Interval::Months => (word(at), 0, 0),
        Interval::DaysMilliseconds => {
            let milliseconds = i64::from(word(2 * at + 1));
            (0, word(2 * at), milliseconds * 1_000_000)
        }
        Interval::MonthsDaysNanoseconds => {
            let nanoseconds = number(data, 2 * at + 1, 8) as i64;
            (word(4 * at), word(4 * at + 1), nanoseconds)
        }
    }
}

/// Returns nanoseconds since midnight and the zone's offset from UTC in seconds. DuckDB stores
/// microseconds in the upper 40 bits, and 15:59:59 minus the offset in the lower 24.
fn zoned_time(bits: u64) -> Result<(i128, i32), BadRow> {
    const OFFSET_MAX: i32 = 16 * 60 * 60 - 1;
    let ahead = OFFSET_MAX - (bits & 0xff_ffff) as i32;
    if ahead < -OFFSET_MAX {
        return Err(BadRow::Data);
    }
    Ok((i128::from(bits >> 24) * 1000, ahead))
}

fn bytes_at(data: *const u8, at: usize) -> [u8; 32] {
    // SAFETY: there is a value of 32 bytes for every row up to offset + length.
    unsafe { data.add(at * 32).cast::<[u8; 32]>().read_unaligned() }
}
