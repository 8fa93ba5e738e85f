// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types whose values have an encoding, read from Arrow's schemas.

use std::slice;

use finalist_table::{Time, Version};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::abi::ArrowSchema;
use super::column::Layout;
use super::dictionary::IndexType;
use super::import::{shown, text_of};
use super::table::metadata_of;

/// Deepest nesting of a type, which bounds the stack that encoding a value takes.
const DEPTH_MAX: usize = 64;

/// The location of a list's elements.
#[derive(Clone, Copy, PartialEq)]
pub enum ListLayout {
    /// Between two offsets, each of this many bytes.
    Offsets(usize),
    /// An offset and a size, each of this many bytes.
    Views(usize),
    /// Contiguous lists of this many elements.
    Fixed(usize),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Interval {
    Months,
    DaysMilliseconds,
    MonthsDaysNanoseconds,
}

/// A type whose values can be encoded.
#[derive(Clone, PartialEq)]
pub enum Kind {
    Text(Layout),
    Bytes(Layout),
    Boolean,
    Signed(usize),
    Unsigned(usize),
    Float(usize),
    Days,
    Milliseconds,
    /// A number of ticks: the nanoseconds of one tick, and the width of the integers.
    Ticks(Time, i64, usize),
    Decimal {
        scale: i32,
        width: usize,
    },
    Interval(Interval),
    /// DuckDB's TIME WITH TIME ZONE.
    ZonedTime,
    /// Indices into values.
    Dictionary(IndexType, Box<Kind>),
    /// Run-end encoded: the width of the ends in bytes, and the kind of the values.
    Runs(usize, Box<Kind>),
    List(ListLayout, Box<Kind>),
    /// Names and kinds of the fields.
    Struct(Vec<(String, Kind)>),
    /// The entries are structs of two fields.
    Map(Box<Kind>),
}

impl Kind {
    /// Reads the kind of a field. A TypeError names a field of another type. DuckDB's own types are
    /// known from version 2 on; version 1 uses their storage types.
    pub fn of_schema(schema: &ArrowSchema, name: &str, version: Version) -> PyResult<Kind> {
        Kind::at_depth(schema, name, version, DEPTH_MAX)
    }

    fn at_depth(
        schema: &ArrowSchema,
        name: &str,
        version: Version,
        depth: usize,
    ) -> PyResult<Kind> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(PyTypeError::new_err(format!(
                "column '{name}': a type nested more than {DEPTH_MAX} deep has no encoding"
            )));
        };
        let format = text_of(schema.format);
        let child = |place: usize, name: String| {
            let child = children_of(schema)?.get(place).copied();
            let child = child.ok_or_else(|| wrong(&name))?;
            Kind::at_depth(child, &name, version, depth).map(Box::new)
        };
        let list = |layout| Ok(Kind::List(layout, child(0, format!("{name}[]"))?));
        // SAFETY: a dictionary lives as long as its schema.
        if let Some(values) = unsafe { schema.dictionary.as_ref() } {
            let values = Kind::at_depth(values, name, version, depth)?;
            return match (IndexType::of_format(&format), values) {
                (Some(_), Kind::Dictionary(..)) => Err(PyTypeError::new_err(format!(
                    "column '{name}': a dictionary of dictionaries has no encoding: decode one"
                ))),
                (None, _) => Err(no_encoding(name, &format)),
                (Some(index), values) => Ok(Kind::Dictionary(index, Box::new(values))),
            };
        }
        match &format[..] {
            "+l" => list(ListLayout::Offsets(4)),
            "+L" => list(ListLayout::Offsets(8)),
            "+vl" => list(ListLayout::Views(4)),
            "+vL" => list(ListLayout::Views(8)),
            "+m" => match *child(0, name.to_owned())? {
                Kind::Struct(fields) if fields.len() == 2 => {
                    Ok(Kind::Map(Box::new(Kind::Struct(fields))))
                }
                _ => Err(wrong(name)),
            },
            "+s" => {
                let fields = children_of(schema)?.into_iter().map(|field| {
                    let own = text_of(field.name);
                    let path = format!("{name}.{}", shown(&own));
                    Ok((own, Kind::at_depth(field, &path, version, depth)?))
                });
                Ok(Kind::Struct(fields.collect::<PyResult<_>>()?))
            }
            "+r" => {
                let Kind::Signed(width @ (2 | 4 | 8)) = *child(0, name.to_owned())? else {
                    return Err(wrong(name));
                };
                Ok(Kind::Runs(width, child(1, name.to_owned())?))
            }
            _ => {
                if let Some(length) = format.strip_prefix("+w:") {
                    let length = length.parse().map_err(|_| wrong(name))?;
                    return list(ListLayout::Fixed(length));
                }
                let kind = Kind::of_format(&format).ok_or_else(|| no_encoding(name, &format))?;
                Ok(match kind {
                    Kind::Bytes(Layout::Fixed(width @ (8 | 16))) if version >= Version::Nested => {
                        duckdb_kind(schema, width)?.unwrap_or(kind)
                    }
                    kind => kind,
                })
            }
        }
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
            // Polars' own.
            "_pli128" => Kind::Signed(16),
            "_plu128" => Kind::Unsigned(16),
            "e" => Kind::Float(2),
            "f" => Kind::Float(4),
            "g" => Kind::Float(8),
            "u" | "U" | "vu" => Kind::Text(Layout::of_format(format)?),
            "tdD" => Kind::Days,
            "tdm" => Kind::Milliseconds,
            "tiM" => Kind::Interval(Interval::Months),
            "tiD" => Kind::Interval(Interval::DaysMilliseconds),
            "tin" => Kind::Interval(Interval::MonthsDaysNanoseconds),
            "tts" | "ttm" => Kind::Ticks(Time::OfDay, ticks(&format[2..])?, 4),
            "ttu" | "ttn" => Kind::Ticks(Time::OfDay, ticks(&format[2..])?, 8),
            _ => {
                if let Some(layout) = Layout::of_format(format) {
                    return Some(Kind::Bytes(layout));
                }
                if let Some(unit) = format.strip_prefix("tD") {
                    return Some(Kind::Ticks(Time::Duration, ticks(unit)?, 8));
                }
                if let Some(decimal) = format.strip_prefix("d:") {
                    return decimal_of(decimal);
                }
                let (unit, zone) = format.strip_prefix("ts")?.split_once(':')?;
                let time = if zone.is_empty() {
                    Time::Timestamp
                } else {
                    Time::Instant
                };
                Kind::Ticks(time, ticks(unit)?, 8)
            }
        })
    }

    /// Returns the first version that encodes this type. Version 1 accepts types of wider numbers
    /// than it encodes if the values fit, since the width that an engine chooses must not count.
    pub fn version(&self) -> Version {
        match self {
            Kind::Interval(_) | Kind::ZonedTime => Version::Nested,
            Kind::List(..) | Kind::Struct(_) | Kind::Map(_) => Version::Nested,
            Kind::Dictionary(_, values) | Kind::Runs(_, values) => values.version(),
            _ => Version::Flat,
        }
    }

    /// Returns true if a type within this one has the property.
    pub fn any(&self, has: &dyn Fn(&Kind) -> bool) -> bool {
        has(self)
            || match self {
                Kind::Dictionary(_, values) | Kind::Runs(_, values) => values.any(has),
                Kind::List(_, values) | Kind::Map(values) => values.any(has),
                Kind::Struct(fields) => fields.iter().any(|(_, kind)| kind.any(has)),
                _ => false,
            }
    }
}

/// Parses `precision,scale` or `precision,scale,bits`, up to 256 bits.
fn decimal_of(text: &str) -> Option<Kind> {
    const SCALE_MAX: u32 = 1 << 24;
    let mut parts = text.split(',');
    let _precision: u32 = parts.next()?.parse().ok()?;
    let scale: i32 = parts.next()?.parse().ok()?;
    let width = match parts.next() {
        None | Some("128") => 16,
        Some("256") => 32,
        Some("64") => 8,
        Some("32") => 4,
        _ => return None,
    };
    (scale.unsigned_abs() <= SCALE_MAX).then_some(Kind::Decimal { scale, width })
}

/// Returns a type of DuckDB that Arrow lacks, by the field's metadata.
fn duckdb_kind(schema: &ArrowSchema, width: usize) -> PyResult<Option<Kind>> {
    let extension = metadata_of(schema, b"ARROW:extension:name")?;
    let Some(metadata) = metadata_of(schema, b"ARROW:extension:metadata")? else {
        return Ok(None);
    };
    if extension != Some(b"arrow.opaque") {
        return Ok(None);
    }
    let name: String = Python::attach(|py| {
        let given = py.import("finalist._given")?;
        given
            .call_method1("duckdb_type", (PyBytes::new(py, metadata),))?
            .extract()
    })?;
    Ok(match (&name[..], width) {
        ("hugeint", 16) => Some(Kind::Signed(16)),
        ("uhugeint", 16) => Some(Kind::Unsigned(16)),
        ("time_tz", 8) => Some(Kind::ZonedTime),
        _ => None,
    })
}

/// Returns the children of a schema.
pub fn children_of(schema: &ArrowSchema) -> PyResult<Vec<&ArrowSchema>> {
    let missing = || PyValueError::new_err("an Arrow schema without its child");
    let count = usize::try_from(schema.n_children).map_err(|_| missing())?;
    if count == 0 {
        return Ok(Vec::new());
    }
    if schema.children.is_null() {
        return Err(missing());
    }
    // SAFETY: the schema has that many children, which live as long.
    let children = unsafe { slice::from_raw_parts(schema.children, count) };
    // SAFETY: as above.
    let children = children.iter().map(|child| unsafe { child.as_ref() });
    children.collect::<Option<_>>().ok_or_else(missing)
}

fn wrong(name: &str) -> PyErr {
    PyValueError::new_err(format!(
        "column '{name}': an Arrow schema without the children of its type"
    ))
}

fn no_encoding(name: &str, format: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "column '{name}': Arrow type {} has no encoding (docs/format/rows.md)",
        type_name(format)
    ))
}

/// Returns Arrow's name of a type, by its format.
pub fn type_name(format: &str) -> String {
    let name = match format {
        "n" => "null",
        "b" => "bool",
        "c" => "int8",
        "s" => "int16",
        "i" => "int32",
        "l" => "int64",
        "C" => "uint8",
        "S" => "uint16",
        "I" => "uint32",
        "L" => "uint64",
        "e" => "float16",
        "f" => "float32",
        "g" => "float64",
        "u" => "string",
        "U" => "large_string",
        "vu" => "string_view",
        "z" => "binary",
        "Z" => "large_binary",
        "vz" => "binary_view",
        "tdD" => "date32",
        "tdm" => "date64",
        "tiM" => "month_interval",
        "tiD" => "day_time_interval",
        "tin" => "month_day_nano_interval",
        "+l" => "list",
        "+L" => "large_list",
        "+vl" => "list_view",
        "+vL" => "large_list_view",
        "+s" => "struct",
        "+m" => "map",
        "+r" => "run_end_encoded",
        _ => {
            const FAMILIES: [(&str, &str); 8] = [
                ("w:", "fixed_size_binary"),
                ("+w:", "fixed_size_list"),
                ("d:", "decimal"),
                ("+ud:", "dense_union"),
                ("+us:", "sparse_union"),
                ("tt", "time"),
                ("ts", "timestamp"),
                ("tD", "duration"),
            ];
            let family = FAMILIES
                .iter()
                .find(|(prefix, _)| format.starts_with(prefix));
            match family {
                Some((_, name)) => name,
                None => return format!("'{}'", shown(format)),
            }
        }
    };
    name.to_owned()
}
