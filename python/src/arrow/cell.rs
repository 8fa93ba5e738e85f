// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of any type with a canonical form, as docs/format/rows.md encodes them. The tags and
//! everything here are part of that format and never change.

use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::abi::ArrowArray;
use super::column::{BadRow, Column, Frame, buffer_at};
use super::dictionary::{Indices, dictionary_of};
use super::kind::{Encoding, FLAT, Interval, Kind, NESTED};
use super::nested::Nested;
use super::wide::Wide;

const NULL: u8 = 0;
const BOOLEAN: u8 = 1;
const NON_NEGATIVE: u8 = 2;
const NEGATIVE: u8 = 3;
const FLOAT: u8 = 4;
const BYTES: u8 = 5;
const TEXT: u8 = 6;
const DATE: u8 = 7;
const DECIMAL: u8 = 12;
const WIDE_INTEGER: u8 = 13;
const WIDE_DECIMAL: u8 = 14;
pub const LIST: u8 = 15;
pub const STRUCT: u8 = 16;
pub const MAP: u8 = 17;
const INTERVAL: u8 = 18;
const ZONED_TIME: u8 = 19;

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

    /// The fields of a struct.
    pub fn fields(&self) -> Option<&[(String, Field<'a>)]> {
        match &self.values {
            Values::Nested(nested) => nested.fields(),
            _ => None,
        }
    }

    /// Whether a struct is there at all.
    pub fn is_valid(&self, row: usize) -> bool {
        match &self.values {
            Values::Nested(nested) => nested.frame.validity.is_valid(row),
            _ => true,
        }
    }

    /// The error for a row that cannot be read.
    pub fn bad_row(&self, encoding: Encoding) -> PyErr {
        let mut causes = "an Arrow offset or index beyond the data".to_owned();
        if self.kind.any(&|kind| matches!(kind, Kind::Milliseconds)) {
            causes += ", or a date with a time";
        }
        if self
            .kind
            .any(&|kind| matches!(kind, Kind::List(..) | Kind::Map(_)))
        {
            causes += ", or a list or map of more than 1 GiB";
        }
        if encoding.version == FLAT && self.kind.any(&is_wide) {
            causes += ", or a number beyond version 1 of the encoding (version=2 takes it)";
        }
        PyValueError::new_err(format!("column '{}': {causes}", self.name))
    }

    /// Appends a row's value.
    pub fn encode(&self, row: usize, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), BadRow> {
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
            Values::Fixed(frame, data) => {
                self.encode_fixed(frame.offset + row, *data, encoding, out)?;
            }
            Values::Indices(indices, values) => {
                values.encode(indices.at(row, values.len())?, encoding, out)?;
            }
            Values::Nested(nested) => nested.encode(row, encoding, out)?,
        }
        Ok(())
    }

    #[inline(always)]
    fn encode_fixed(
        &self,
        at: usize,
        data: *const u8,
        encoding: Encoding,
        out: &mut Vec<u8>,
    ) -> Result<(), BadRow> {
        let integer = |width| number(data, at, width);
        match self.kind {
            Kind::Boolean => {
                // SAFETY: there is a bit for every row up to offset + length.
                let byte = unsafe { *data.add(at / 8) };
                out.extend_from_slice(&[BOOLEAN, byte >> (at % 8) & 1]);
            }
            Kind::Signed(16) => {
                encode_integer(Wide::of_signed(integer(16)), encoding, out)?;
            }
            Kind::Unsigned(16) => {
                encode_integer(Wide::of_unsigned(integer(16) as u128), encoding, out)?;
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
            Kind::Decimal { scale, width: 32 } => {
                let value = Wide::of_bytes(bytes_at(data, at));
                encode_wide_decimal(value, scale, encoding, out)?;
            }
            Kind::Decimal { scale, width } => {
                encode_decimal(integer(width), scale, encoding, out)?;
            }
            Kind::Interval(unit) => put(out, INTERVAL, interval(unit, data, at)),
            Kind::ZonedTime => put(out, ZONED_TIME, zoned_time(integer(8) as u64)?),
            _ => return Err(BadRow),
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

/// True for numbers that version 1 may have no room for.
fn is_wide(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Signed(16) | Kind::Unsigned(16) | Kind::Decimal { width: 32, .. }
    )
}

/// unscaled / 10^scale, with as small a scale as leaves unscaled whole; 0 has scale 0.
#[inline(always)]
fn encode_decimal(
    mut unscaled: i128,
    mut scale: i32,
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), BadRow> {
    if unscaled == 0 {
        scale = 0;
    }
    while unscaled != 0 && unscaled % 10 == 0 {
        unscaled /= 10;
        scale -= 1;
    }
    if encoding.by_value && scale <= 0 {
        return encode_whole(Wide::of_signed(unscaled), scale, encoding, out);
    }
    out.push(DECIMAL);
    out.extend_from_slice(&scale.to_le_bytes());
    out.extend_from_slice(&unscaled.to_le_bytes());
    Ok(())
}

/// The same of 256 bits.
fn encode_wide_decimal(
    mut unscaled: Wide,
    mut scale: i32,
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), BadRow> {
    while let Some(tenth) = unscaled.tenth().filter(|_| !unscaled.is_zero()) {
        unscaled = tenth;
        scale -= 1;
    }
    match unscaled.to_i128() {
        Some(unscaled) => encode_decimal(unscaled, scale, encoding, out),
        None if encoding.by_value && scale <= 0 => encode_whole(unscaled, scale, encoding, out),
        None => put_wide_decimal(unscaled, scale, encoding, out),
    }
}

/// A decimal that is a whole number: as an integer, unless that takes more than 256 bits.
fn encode_whole(
    unscaled: Wide,
    scale: i32,
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), BadRow> {
    let mut integer = unscaled;
    for _ in 0..-i64::from(scale) {
        match integer.times_ten() {
            Some(product) => integer = product,
            None => return put_wide_decimal(unscaled, scale, encoding, out),
        }
    }
    encode_integer(integer, encoding, out)
}

fn put_wide_decimal(
    unscaled: Wide,
    scale: i32,
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), BadRow> {
    if encoding.version < NESTED {
        return Err(BadRow);
    }
    out.push(WIDE_DECIMAL);
    out.extend_from_slice(&scale.to_le_bytes());
    out.extend_from_slice(&unscaled.to_bytes().ok_or(BadRow)?);
    Ok(())
}

/// An integer as version 1 has it if it has room for it.
fn encode_integer(value: Wide, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), BadRow> {
    let small = value.to_i128();
    if let Some(value) = small.and_then(|value| u64::try_from(value).ok()) {
        put(out, NON_NEGATIVE, value.to_le_bytes());
    } else if let Some(value) = small.and_then(|value| i64::try_from(value).ok()) {
        put(out, NEGATIVE, value.to_le_bytes());
    } else if encoding.version >= NESTED {
        put(out, WIDE_INTEGER, value.to_bytes().ok_or(BadRow)?);
    } else {
        return Err(BadRow);
    }
    Ok(())
}

/// Months and days in 4 bytes each, nanoseconds in 8.
fn interval(unit: Interval, data: *const u8, at: usize) -> [u8; 16] {
    let word = |place| number(data, place, 4) as i32;
    let (months, days, nanoseconds) = match unit {
        Interval::Months => (word(at), 0, 0),
        Interval::DaysMilliseconds => {
            let milliseconds = i64::from(word(2 * at + 1));
            (0, word(2 * at), milliseconds * 1_000_000)
        }
        Interval::MonthsDaysNanoseconds => {
            let nanoseconds = number(data, 2 * at + 1, 8) as i64;
            (word(4 * at), word(4 * at + 1), nanoseconds)
        }
    };
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&months.to_le_bytes());
    bytes[4..8].copy_from_slice(&days.to_le_bytes());
    bytes[8..].copy_from_slice(&nanoseconds.to_le_bytes());
    bytes
}

/// Nanoseconds since midnight in 16 bytes, then the seconds that the zone is ahead of UTC in 4. In
/// DuckDB's form: microseconds in the upper 40 bits, and how far the zone is behind the one that is
/// 15:59:59 ahead in the lower 24.
fn zoned_time(bits: u64) -> Result<[u8; 20], BadRow> {
    const OFFSET_MAX: i32 = 16 * 60 * 60 - 1;
    let nanoseconds = i128::from(bits >> 24) * 1000;
    let offset = OFFSET_MAX - (bits & 0xff_ffff) as i32;
    if offset < -OFFSET_MAX {
        return Err(BadRow);
    }
    let mut bytes = [0; 20];
    bytes[..16].copy_from_slice(&nanoseconds.to_le_bytes());
    bytes[16..].copy_from_slice(&offset.to_le_bytes());
    Ok(bytes)
}

fn bytes_at(data: *const u8, at: usize) -> [u8; 32] {
    // SAFETY: there is a value of 32 bytes for every row up to offset + length.
    unsafe { data.add(at * 32).cast::<[u8; 32]>().read_unaligned() }
}
