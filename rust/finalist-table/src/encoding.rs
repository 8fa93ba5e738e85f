// SPDX-License-Identifier: MIT OR Apache-2.0
//! The encoding of hashed rows (docs/format/rows.md). The tags and everything here are part of that
//! format and never change.

use std::fmt;

use crate::wide::Wide;

const NULL: u8 = 0;
const BOOLEAN: u8 = 1;
const NON_NEGATIVE: u8 = 2;
const NEGATIVE: u8 = 3;
const FLOAT: u8 = 4;
const BINARY: u8 = 5;
const STRING: u8 = 6;
const DATE: u8 = 7;
const TIME: u8 = 8;
const TIMESTAMP: u8 = 9;
const INSTANT: u8 = 10;
const DURATION: u8 = 11;
const DECIMAL: u8 = 12;
const WIDE_INTEGER: u8 = 13;
const WIDE_DECIMAL: u8 = 14;
const LIST: u8 = 15;
const STRUCT: u8 = 16;
const MAP: u8 = 17;
const INTERVAL: u8 = 18;
const ZONED_TIME: u8 = 19;

/// A version of the encoding. Its number is the first byte of a row.
///
/// ```
/// use finalist_table::Version;
/// assert!(Version::Flat < Version::Nested);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Version {
    /// Version 1: scalar values.
    Flat = 1,
    /// Version 2: also lists, structs, maps, intervals, and numbers of up to 256 bits.
    Nested = 2,
}

/// The version and options of a row's encoding.
///
/// ```
/// use finalist_table::{Encoding, Version};
/// let encoding = Encoding { version: Version::Nested, by_value: true };
/// let mut row = Vec::new();
/// encoding.begin(&mut row).decimal(1200, 2)?;
/// assert_eq!(row, [2, 2, 12, 0, 0, 0, 0, 0, 0, 0]); // The integer 12.
/// # Ok::<(), finalist_table::NoEncoding>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Encoding {
    /// The version.
    pub version: Version,
    /// True if a decimal that is a whole number is encoded as an integer. Version 2 only.
    pub by_value: bool,
}

impl Encoding {
    /// Begins a row by writing its first byte.
    #[inline]
    pub fn begin(self, out: &mut Vec<u8>) -> Encoder<'_> {
        out.push(self.version as u8);
        self.resume(out)
    }

    /// Continues a row that was already begun.
    #[inline]
    pub fn resume(self, out: &mut Vec<u8>) -> Encoder<'_> {
        Encoder {
            encoding: self,
            out,
        }
    }
}

/// The error for a value that the encoding cannot hold: a number too large for version 1, or one of
/// more than 256 bits.
///
/// ```
/// use finalist_table::{Encoder, NoEncoding};
/// let mut row = Vec::new();
/// let error = Encoder::new(&mut row).signed(i128::MAX).err();
/// assert_eq!(error, Some(NoEncoding));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoEncoding;

impl fmt::Display for NoEncoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the encoding of rows has no room for the value")
    }
}

impl std::error::Error for NoEncoding {}

/// A kind of time or duration.
///
/// ```
/// use finalist_table::{Encoder, Time};
/// let mut row = Vec::new();
/// Encoder::new(&mut row).time(Time::OfDay, 1000);
/// assert_eq!(row[..4], [1, 8, 0xe8, 0x03]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// Since midnight.
    OfDay = TIME as isize,
    /// Since 1970, without a time zone.
    Timestamp = TIMESTAMP as isize,
    /// Since 1970 in UTC.
    Instant = INSTANT as isize,
    /// From one instant to another.
    Duration = DURATION as isize,
}

/// Appends values to a row, one after the other.
///
/// ```
/// let mut row = Vec::new();
/// finalist_table::Encoder::new(&mut row).integer(1).string("a").float(0.5).null();
/// assert_eq!(row.len(), 1 + 9 + 10 + 9 + 1);
/// ```
pub struct Encoder<'a> {
    encoding: Encoding,
    out: &'a mut Vec<u8>,
}

impl<'a> Encoder<'a> {
    /// Begins a row of version 1.
    #[inline]
    pub fn new(out: &'a mut Vec<u8>) -> Encoder<'a> {
        let encoding = Encoding {
            version: Version::Flat,
            by_value: false,
        };
        encoding.begin(out)
    }

    /// Appends a null of any type.
    pub fn null(self) -> Encoder<'a> {
        self.out.push(NULL);
        self
    }

    /// Appends a boolean.
    pub fn boolean(self, value: bool) -> Encoder<'a> {
        self.put(BOOLEAN, [u8::from(value)])
    }

    /// Appends an unsigned integer of up to 64 bits.
    #[inline]
    pub fn integer(self, value: u64) -> Encoder<'a> {
        self.put(NON_NEGATIVE, value.to_le_bytes())
    }

    /// Appends a signed integer of up to 64 bits.
    #[inline]
    pub fn signed_64(self, value: i64) -> Encoder<'a> {
        let tag = if value < 0 { NEGATIVE } else { NON_NEGATIVE };
        self.put(tag, value.to_le_bytes())
    }

    /// Appends a signed integer of up to 128 bits.
    pub fn signed(self, value: i128) -> Result<Encoder<'a>, NoEncoding> {
        self.wide_integer(Wide::of_signed(value))
    }

    /// Appends an unsigned integer of up to 128 bits.
    pub fn unsigned(self, value: u128) -> Result<Encoder<'a>, NoEncoding> {
        self.wide_integer(Wide::of_unsigned(value))
    }

    /// Appends a float: all NaNs are one value, and so are both zeros.
    #[inline]
    pub fn float(self, value: f64) -> Encoder<'a> {
        let bits = if value.is_nan() {
            0x7ff8_0000_0000_0000
        } else if value == 0.0 {
            0
        } else {
            value.to_bits()
        };
        self.put(FLOAT, bits.to_le_bytes())
    }

    /// Appends bytes.
    #[inline]
    pub fn binary(self, value: &[u8]) -> Encoder<'a> {
        self.bytes(BINARY, value)
    }

    /// Appends text.
    #[inline]
    pub fn string(self, value: &str) -> Encoder<'a> {
        self.bytes(STRING, value.as_bytes())
    }

    /// Appends text that has not been checked to be UTF-8.
    #[inline]
    pub fn string_bytes(self, value: &[u8]) -> Encoder<'a> {
        self.bytes(STRING, value)
    }

    #[inline]
    fn bytes(self, tag: u8, value: &[u8]) -> Encoder<'a> {
        let encoder = self.put(tag, (value.len() as u64).to_le_bytes());
        encoder.out.extend_from_slice(value);
        encoder
    }

    /// Appends a date: days since 1970-01-01.
    pub fn date(self, days: i64) -> Encoder<'a> {
        self.put(DATE, days.to_le_bytes())
    }

    /// Appends a time in nanoseconds.
    pub fn time(self, time: Time, nanoseconds: i128) -> Encoder<'a> {
        self.put(time as u8, nanoseconds.to_le_bytes())
    }

    /// Appends the decimal `unscaled` / 10^`scale`, reduced to the smallest scale at which the
    /// unscaled number is an integer; 0 has scale 0.
    pub fn decimal(self, mut unscaled: i128, mut scale: i32) -> Result<Encoder<'a>, NoEncoding> {
        if unscaled == 0 {
            scale = 0;
        }
        while unscaled != 0 && unscaled % 10 == 0 {
            unscaled /= 10;
            scale -= 1;
        }
        if self.encoding.by_value && scale <= 0 {
            return self.whole(Wide::of_signed(unscaled), scale);
        }
        self.out.push(DECIMAL);
        self.out.extend_from_slice(&scale.to_le_bytes());
        self.out.extend_from_slice(&unscaled.to_le_bytes());
        Ok(self)
    }

    /// Appends a decimal of 256 bits: two's complement, little-endian.
    pub fn wide_decimal(self, unscaled: [u8; 32], scale: i32) -> Result<Encoder<'a>, NoEncoding> {
        let (mut unscaled, mut scale) = (Wide::of_bytes(unscaled), scale);
        while let Some(tenth) = unscaled.tenth().filter(|_| !unscaled.is_zero()) {
            unscaled = tenth;
            scale -= 1;
        }
        match unscaled.to_i128() {
            Some(unscaled) => self.decimal(unscaled, scale),
            None if self.encoding.by_value && scale <= 0 => self.whole(unscaled, scale),
            None => self.put_wide_decimal(unscaled, scale),
        }
    }

    /// Appends an integral decimal: as an integer, unless that takes more than 256 bits.
    fn whole(self, unscaled: Wide, scale: i32) -> Result<Encoder<'a>, NoEncoding> {
        let mut integer = unscaled;
        for _ in 0..-i64::from(scale) {
            match integer.times_ten() {
                Some(product) => integer = product,
                None => return self.put_wide_decimal(unscaled, scale),
            }
        }
        self.wide_integer(integer)
    }

    fn put_wide_decimal(self, unscaled: Wide, scale: i32) -> Result<Encoder<'a>, NoEncoding> {
        if self.encoding.version < Version::Nested {
            return Err(NoEncoding);
        }
        self.out.push(WIDE_DECIMAL);
        self.out.extend_from_slice(&scale.to_le_bytes());
        self.out
            .extend_from_slice(&unscaled.to_bytes().ok_or(NoEncoding)?);
        Ok(self)
    }

    /// Appends an integer: in the form of version 1 if it fits.
    fn wide_integer(self, value: Wide) -> Result<Encoder<'a>, NoEncoding> {
        let small = value.to_i128();
        if let Some(value) = small.and_then(|value| u64::try_from(value).ok()) {
            Ok(self.integer(value))
        } else if let Some(value) = small.and_then(|value| i64::try_from(value).ok()) {
            Ok(self.signed_64(value))
        } else if self.encoding.version >= Version::Nested {
            Ok(self.put(WIDE_INTEGER, value.to_bytes().ok_or(NoEncoding)?))
        } else {
            Err(NoEncoding)
        }
    }

    /// Appends a calendar interval.
    pub fn interval(self, months: i32, days: i32, nanoseconds: i64) -> Encoder<'a> {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&months.to_le_bytes());
        bytes[4..8].copy_from_slice(&days.to_le_bytes());
        bytes[8..].copy_from_slice(&nanoseconds.to_le_bytes());
        self.put(INTERVAL, bytes)
    }

    /// Appends a time of day and its zone's offset from UTC in seconds, positive to the east.
    pub fn zoned_time(self, nanoseconds: i128, ahead: i32) -> Encoder<'a> {
        let mut bytes = [0; 20];
        bytes[..16].copy_from_slice(&nanoseconds.to_le_bytes());
        bytes[16..].copy_from_slice(&ahead.to_le_bytes());
        self.put(ZONED_TIME, bytes)
    }

    /// Begins a list of this many elements, which follow as values.
    pub fn list(self, elements: usize) -> Encoder<'a> {
        self.put(LIST, (elements as u64).to_le_bytes())
    }

    /// Begins a struct of this many fields. Each follows as [`name`](Encoder::name) and a value.
    pub fn structure(self, fields: usize) -> Encoder<'a> {
        self.put(STRUCT, (fields as u64).to_le_bytes())
    }

    /// Appends the name of a struct's field.
    pub fn name(self, name: &str) -> Encoder<'a> {
        self.out
            .extend_from_slice(&(name.len() as u64).to_le_bytes());
        self.out.extend_from_slice(name.as_bytes());
        self
    }

    /// Begins a map of this many entries. Each follows as two values, key and value; the entries
    /// are sorted by their bytes.
    pub fn map(self, entries: usize) -> Encoder<'a> {
        self.put(MAP, (entries as u64).to_le_bytes())
    }

    /// Appends a tag and its data in one step.
    #[inline]
    fn put<const BYTES: usize>(self, tag: u8, bytes: [u8; BYTES]) -> Encoder<'a> {
        const LONGEST: usize = 1 + 32;
        const { assert!(BYTES < LONGEST) };
        let mut value = [0; LONGEST];
        value[0] = tag;
        value[1..=BYTES].copy_from_slice(&bytes);
        self.out.extend_from_slice(&value[..=BYTES]);
        self
    }
}

/// Returns the value of a 16-bit float (IEEE 754 binary16).
///
/// ```
/// assert_eq!(finalist_table::float16(0x3e00), 1.5);
/// ```
pub fn float16(bits: u16) -> f64 {
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
