// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of any type with a canonical form, as docs/format/rows.md encodes them. The tags and
//! everything here are part of that format and never change.

use std::ops::Range;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::abi::{ArrowArray, ArrowSchema};
use super::column::{BadRow, Column, Frame, Layout, buffer_at};
use super::dictionary::{IndexType, Indices, dictionary_of};
use super::import::{shown, text_of};

/// The first byte of every row.
pub const VERSION: u8 = 1;

const NULL: u8 = 0;
const BOOLEAN: u8 = 1;
const NON_NEGATIVE: u8 = 2;
const NEGATIVE: u8 = 3;
const FLOAT: u8 = 4;
const BYTES: u8 = 5;
const TEXT: u8 = 6;
const DATE: u8 = 7;
const TIME: u8 = 8;
const TIMESTAMP: u8 = 9;
const INSTANT: u8 = 10;
const DURATION: u8 = 11;
const DECIMAL: u8 = 12;

const DAY_MS: i64 = 86_400_000;

/// A type whose values can be encoded.
#[derive(Clone)]
pub enum Kind {
    Text(Layout),
    Bytes(Layout),
    Boolean,
    Signed(usize),
    Unsigned(usize),
    Float(usize),
    Days,
    Milliseconds,
    /// A count of so many nanoseconds, in integers of so many bytes, under a tag.
    Ticks(u8, i64, usize),
    Decimal {
        scale: i32,
        width: usize,
    },
    /// Indices into values.
    Dictionary(IndexType, Box<Kind>),
}

impl Kind {
    /// The kind of a field; a TypeError names it otherwise.
    pub fn of_schema(schema: &ArrowSchema, name: &str) -> PyResult<Kind> {
        let format = text_of(schema.format);
        let found = if schema.dictionary.is_null() {
            Kind::of_format(&format)
        } else {
            // SAFETY: a child lives as long as its schema.
            match Kind::of_schema(unsafe { &*schema.dictionary }, name)? {
                Kind::Dictionary(..) => None,
                values => IndexType::of_format(&format)
                    .map(|index| Kind::Dictionary(index, Box::new(values))),
            }
        };
        found.ok_or_else(|| {
            let format = shown(&format);
            PyTypeError::new_err(format!(
                "column '{name}': Arrow type '{format}' has no encoding (docs/format/rows.md)"
            ))
        })
    }

    fn of_format(format: &str) -> Option<Kind> {
        let ticks = |unit: &str| match unit {
            "s" => Some(1_000_000_000),
            "m" => Some(1_000_000),
            "u" => Some(1_000),
            "n" => Some(1),
            _ => None,
        };
        Some(match format {
            "b" => Kind::Boolean,
            "c" => Kind::Signed(1),
            "s" => Kind::Signed(2),
            "i" => Kind::Signed(4),
            "l" => Kind::Signed(8),
            "C" => Kind::Unsigned(1),
            "S" => Kind::Unsigned(2),
            "I" => Kind::Unsigned(4),
            "L" => Kind::Unsigned(8),
            "e" => Kind::Float(2),
            "f" => Kind::Float(4),
            "g" => Kind::Float(8),
            "u" | "U" | "vu" => Kind::Text(Layout::of_format(format)?),
            "tdD" => Kind::Days,
            "tdm" => Kind::Milliseconds,
            "tts" | "ttm" => Kind::Ticks(TIME, ticks(&format[2..])?, 4),
            "ttu" | "ttn" => Kind::Ticks(TIME, ticks(&format[2..])?, 8),
            _ => {
                if let Some(layout) = Layout::of_format(format) {
                    return Some(Kind::Bytes(layout));
                }
                if let Some(unit) = format.strip_prefix("tD") {
                    return Some(Kind::Ticks(DURATION, ticks(unit)?, 8));
                }
                if let Some(decimal) = format.strip_prefix("d:") {
                    return decimal_of(decimal);
                }
                let (unit, zone) = format.strip_prefix("ts")?.split_once(':')?;
                let tag = if zone.is_empty() { TIMESTAMP } else { INSTANT };
                Kind::Ticks(tag, ticks(unit)?, 8)
            }
        })
    }
}

/// `precision,scale` or `precision,scale,bits`, up to 128 bits.
fn decimal_of(text: &str) -> Option<Kind> {
    let mut parts = text.split(',');
    let _precision: u32 = parts.next()?.parse().ok()?;
    let scale = parts.next()?.parse().ok()?;
    let width = match parts.next() {
        None | Some("128") => 16,
        Some("64") => 8,
        Some("32") => 4,
        _ => return None,
    };
    Some(Kind::Decimal { scale, width })
}

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
        }
    }

    /// The error for a row that cannot be read.
    pub fn bad_row(&self) -> PyErr {
        PyValueError::new_err(format!(
            "column '{}': an Arrow offset or index beyond the data, or a date with a time",
            self.name
        ))
    }

    /// Appends a row's value.
    pub fn encode(&self, row: usize, out: &mut Vec<u8>) -> Result<(), BadRow> {
        match &self.values {
            Values::Column(column) => {
                if !column.is_valid(row) {
                    out.push(NULL);
                    return Ok(());
                }
                let value = column.value(row)?;
                let tag = match self.kind {
                    Kind::Text(_) => TEXT,
                    _ => BYTES,
                };
                put(out, tag, (value.len() as u64).to_le_bytes());
                out.extend_from_slice(value);
            }
            Values::Fixed(frame, _) | Values::Indices(Indices { frame, .. }, _)
                if !frame.validity.is_valid(row) =>
            {
                out.push(NULL);
            }
            Values::Fixed(frame, data) => self.encode_fixed(frame.offset + row, *data, out)?,
            Values::Indices(indices, values) => {
                values.encode(indices.at(row, values.len())?, out)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn encode_fixed(&self, at: usize, data: *const u8, out: &mut Vec<u8>) -> Result<(), BadRow> {
        let integer = |width| number(data, at, width);
        match self.kind {
            Kind::Boolean => {
                // SAFETY: there is a bit for every row up to offset + length.
                let byte = unsafe { *data.add(at / 8) };
                out.extend_from_slice(&[BOOLEAN, byte >> (at % 8) & 1]);
            }
            Kind::Signed(width) => {
                let value = integer(width) as i64;
                let tag = if value < 0 { NEGATIVE } else { NON_NEGATIVE };
                put(out, tag, value.to_le_bytes());
            }
            Kind::Unsigned(width) => {
                put(
                    out,
                    NON_NEGATIVE,
                    unsigned(integer(width), width).to_le_bytes(),
                );
            }
            Kind::Float(width) => {
                put(out, FLOAT, canonical(integer(width), width).to_le_bytes());
            }
            Kind::Days => {
                put(out, DATE, (integer(4) as i64).to_le_bytes());
            }
            Kind::Milliseconds => {
                let value = integer(8) as i64;
                if value % DAY_MS != 0 {
                    return Err(BadRow);
                }
                put(out, DATE, (value / DAY_MS).to_le_bytes());
            }
            Kind::Ticks(tag, nanoseconds, width) => {
                let value = integer(width) * i128::from(nanoseconds);
                put(out, tag, value.to_le_bytes());
            }
            Kind::Decimal { scale, width } => encode_decimal(integer(width), scale, out),
            Kind::Text(_) | Kind::Bytes(_) | Kind::Dictionary(..) => return Err(BadRow),
        }
        Ok(())
    }
}

/// Appends a tag and what follows it: in one step, since rows are encoded byte by byte otherwise.
#[inline(always)]
fn put<const BYTES: usize>(out: &mut Vec<u8>, tag: u8, bytes: [u8; BYTES]) {
    out.reserve(1 + BYTES);
    let length = out.len();
    // SAFETY: there is memory for a byte and an array of bytes after the vector's.
    unsafe {
        let end = out.as_mut_ptr().add(length);
        end.write(tag);
        end.add(1).cast::<[u8; BYTES]>().write(bytes);
        out.set_len(length + 1 + BYTES);
    }
}

/// A signed little-endian number of 1, 2, 4, 8 or 16 bytes.
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

/// The number of up to 8 bytes whose bits were read as a signed one.
#[inline(always)]
fn unsigned(number: i128, width: usize) -> u64 {
    number as u64 & u64::MAX >> (64 - 8 * width)
}

/// A float's bits as those of a 64-bit float: one NaN, one zero.
#[inline(always)]
fn canonical(bits: i128, width: usize) -> u64 {
    let value = match width {
        2 => half(bits as u16),
        4 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    };
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    }
}

/// The value of a 16-bit float (IEEE 754 binary16).
fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match bits >> 10 & 0x1f {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (fraction + 1024.0) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// unscaled / 10^scale, with as small a scale as leaves unscaled whole; 0 has scale 0.
fn encode_decimal(mut unscaled: i128, mut scale: i32, out: &mut Vec<u8>) {
    if unscaled == 0 {
        scale = 0;
    }
    while unscaled != 0 && unscaled % 10 == 0 {
        unscaled /= 10;
        scale -= 1;
    }
    out.push(DECIMAL);
    out.extend_from_slice(&scale.to_le_bytes());
    out.extend_from_slice(&unscaled.to_le_bytes());
}
