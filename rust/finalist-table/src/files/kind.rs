// SPDX-License-Identifier: MIT OR Apache-2.0
//! Maps the types of Parquet columns to those that rows encode, which are Arrow's.

use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::schema::types::Type;

use crate::Time;

/// The encoding of a leaf column's values.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Null,
    Boolean,
    Signed,
    Unsigned,
    Float,
    Half,
    Text,
    Binary,
    Date,
    /// A time in a unit of this many nanoseconds.
    Ticks(Time, i64),
    Days96,
    Decimal(i32),
}

/// A column or a part of a nested one. Levels are Parquet's: a value at a lower definition level
/// than `def` is null.
#[derive(Debug)]
pub enum Node {
    Leaf {
        leaf: usize,
        def: i16,
        kind: Kind,
    },
    Struct {
        def: i16,
        fields: Vec<(String, Node)>,
    },
    /// At definition levels from `def` up to but excluding `elements`, the list is empty. An
    /// element other than the first has the repetition level `rep`.
    List {
        def: i16,
        elements: i16,
        rep: i16,
        element: Box<Node>,
        is_map: bool,
    },
}

impl Node {
    /// Calls a function with each leaf column's index, in ascending order.
    pub fn leaves(&self, each: &mut impl FnMut(usize)) {
        match self {
            Node::Leaf { leaf, .. } => each(*leaf),
            Node::Struct { fields, .. } => fields.iter().for_each(|(_, node)| node.leaves(each)),
            Node::List { element, .. } => element.leaves(each),
        }
    }
}

/// The state of a walk through a schema: the levels of the next part.
#[derive(Clone, Copy)]
pub struct Levels {
    pub def: i16,
    pub rep: i16,
}

/// Builds a column and names its type as Arrow does. `next`: the index of its first leaf; advances
/// to the next column's. `durations`: the units, in nanoseconds, of the leaves that contain
/// durations, which Parquet's own types lack.
pub fn build(
    part: &Type,
    mut levels: Levels,
    next: &mut usize,
    durations: &[Option<i64>],
) -> Result<(Node, String), String> {
    let info = part.get_basic_info();
    let repetition = match info.has_repetition() {
        true => info.repetition(),
        false => Repetition::REQUIRED,
    };
    match repetition {
        Repetition::REQUIRED => inner(part, levels, next, durations),
        Repetition::OPTIONAL => {
            levels.def += 1;
            inner(part, levels, next, durations)
        }
        Repetition::REPEATED => {
            let within = within_list(levels);
            let (element, name) = inner(part, within, next, durations)?;
            Ok(list(levels, element, &name, false))
        }
    }
}

fn within_list(levels: Levels) -> Levels {
    Levels {
        def: levels.def + 1,
        rep: levels.rep + 1,
    }
}

fn list(levels: Levels, element: Node, name: &str, is_map: bool) -> (Node, String) {
    let within = within_list(levels);
    let node = Node::List {
        def: levels.def,
        elements: within.def,
        rep: within.rep,
        element: Box::new(element),
        is_map,
    };
    let name = match is_map {
        true => format!("map<{name}>"),
        false => format!("list<{name}>"),
    };
    (node, name)
}

/// Builds a part whose own repetition is already in the levels.
fn inner(
    part: &Type,
    levels: Levels,
    next: &mut usize,
    durations: &[Option<i64>],
) -> Result<(Node, String), String> {
    if part.is_primitive() {
        let duration = durations.get(*next).copied().flatten();
        let (kind, name) = leaf_kind(part, duration)?;
        let leaf = *next;
        *next += 1;
        let def = levels.def;
        return Ok((Node::Leaf { leaf, def, kind }, name));
    }
    let info = part.get_basic_info();
    let converted = info.converted_type();
    // The library derives this older annotation from the newer one.
    let is_map = matches!(converted, ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE);
    let is_list = converted == ConvertedType::LIST;
    if is_map || is_list {
        let [repeated] = part.get_fields() else {
            return Err("a list or map has not one repeated part".to_owned());
        };
        if repeated.get_basic_info().repetition() != Repetition::REPEATED {
            return Err("a list or map has not one repeated part".to_owned());
        }
        let within = within_list(levels);
        let fields = if repeated.is_primitive() {
            &[][..]
        } else {
            repeated.get_fields()
        };
        if is_map && fields.len() == 2 {
            let (entries, name) = structure(repeated, within, next, durations)?;
            let name = name.strip_prefix("struct<").unwrap_or(&name);
            let name = name.strip_suffix('>').unwrap_or(name);
            return Ok(list(levels, entries, name, true));
        }
        let is_struct = fields.len() != 1
            || repeated.name() == "array"
            || repeated.name() == format!("{}_tuple", part.name());
        let (element, name) = match is_struct && !is_map {
            true => inner(repeated, within, next, durations)?,
            false => match fields {
                [field] => build(field, within, next, durations)?,
                _ => return Err("a map has not one key and one value".to_owned()),
            },
        };
        return Ok(list(levels, element, &name, false));
    }
    structure(part, levels, next, durations)
}

fn structure(
    part: &Type,
    levels: Levels,
    next: &mut usize,
    durations: &[Option<i64>],
) -> Result<(Node, String), String> {
    let (mut fields, mut names) = (Vec::new(), Vec::new());
    for field in part.get_fields() {
        let (node, name) = build(field, levels, next, durations)?;
        names.push(format!("{}: {name}", field.name()));
        fields.push((field.name().to_owned(), node));
    }
    if fields.is_empty() {
        return Err("a struct without fields".to_owned());
    }
    let def = levels.def;
    let name = format!("struct<{}>", names.join(", "));
    Ok((Node::Struct { def, fields }, name))
}

const MILLISECOND: i64 = 1_000_000;
const MICROSECOND: i64 = 1000;

fn unit(unit: &TimeUnit) -> (i64, &'static str) {
    match unit {
        TimeUnit::MILLIS => (MILLISECOND, "ms"),
        TimeUnit::MICROS => (MICROSECOND, "us"),
        TimeUnit::NANOS => (1, "ns"),
    }
}

/// Returns the kind of a leaf's values and the name of its Arrow type.
fn leaf_kind(leaf: &Type, duration: Option<i64>) -> Result<(Kind, String), String> {
    let info = leaf.get_basic_info();
    let physical = leaf.get_physical_type();
    let is_number = matches!(physical, Physical::INT32 | Physical::INT64);
    if let Some(nanoseconds) = duration.filter(|_| physical == Physical::INT64) {
        let kind = Kind::Ticks(Time::Duration, nanoseconds);
        let name = match nanoseconds {
            1 => "ns",
            MICROSECOND => "us",
            MILLISECOND => "ms",
            _ => "s",
        };
        return Ok((kind, format!("duration[{name}]")));
    }
    let found = match info.logical_type_ref() {
        Some(LogicalType::Unknown) => Some((Kind::Null, "null".to_owned())),
        Some(LogicalType::String) => Some((Kind::Text, "string".to_owned())),
        Some(LogicalType::Json) => Some((Kind::Text, "string".to_owned())),
        Some(LogicalType::Date) if is_number => Some((Kind::Date, "date32[day]".to_owned())),
        Some(LogicalType::Float16) => Some((Kind::Half, "halffloat".to_owned())),
        Some(LogicalType::Decimal(_)) => Some(decimal(leaf)),
        Some(LogicalType::Integer(integer)) if is_number => {
            Some(integer_kind(integer.is_signed, integer.bit_width.into()))
        }
        Some(LogicalType::Time(time)) if is_number => {
            let (nanoseconds, unit) = unit(&time.unit);
            let bits = if unit == "ms" { 32 } else { 64 };
            let kind = Kind::Ticks(Time::OfDay, nanoseconds);
            Some((kind, format!("time{bits}[{unit}]")))
        }
        Some(LogicalType::Timestamp(time)) if is_number => {
            let (nanoseconds, unit) = unit(&time.unit);
            Some(match time.is_adjusted_to_u_t_c {
                true => {
                    let kind = Kind::Ticks(Time::Instant, nanoseconds);
                    (kind, format!("timestamp[{unit}, tz=UTC]"))
                }
                false => timestamp(nanoseconds, unit),
            })
        }
        Some(_) => None,
        None => converted_kind(leaf, is_number)?,
    };
    match found {
        Some(found) => Ok(found),
        None => plain_kind(leaf, physical),
    }
}

fn timestamp(nanoseconds: i64, unit: &str) -> (Kind, String) {
    let kind = Kind::Ticks(Time::Timestamp, nanoseconds);
    (kind, format!("timestamp[{unit}]"))
}

fn integer_kind(is_signed: bool, bits: i32) -> (Kind, String) {
    match is_signed {
        true => (Kind::Signed, format!("int{bits}")),
        false => (Kind::Unsigned, format!("uint{bits}")),
    }
}

fn decimal(leaf: &Type) -> (Kind, String) {
    let (precision, scale) = (leaf.get_precision(), leaf.get_scale());
    let bits = if precision > 38 { 256 } else { 128 };
    let name = format!("decimal{bits}({precision}, {scale})");
    (Kind::Decimal(scale), name)
}

/// Returns the kind by the older annotation; `None` if there is none that changes the kind.
fn converted_kind(leaf: &Type, is_number: bool) -> Result<Option<(Kind, String)>, String> {
    let of_day = |nanoseconds, name: &str| (Kind::Ticks(Time::OfDay, nanoseconds), name.to_owned());
    Ok(Some(match leaf.get_basic_info().converted_type() {
        ConvertedType::UTF8 | ConvertedType::JSON => (Kind::Text, "string".to_owned()),
        ConvertedType::DECIMAL => decimal(leaf),
        _ if !is_number => return Ok(None),
        ConvertedType::DATE => (Kind::Date, "date32[day]".to_owned()),
        ConvertedType::TIME_MILLIS => of_day(MILLISECOND, "time32[ms]"),
        ConvertedType::TIME_MICROS => of_day(MICROSECOND, "time64[us]"),
        ConvertedType::TIMESTAMP_MILLIS => timestamp(MILLISECOND, "ms"),
        ConvertedType::TIMESTAMP_MICROS => timestamp(MICROSECOND, "us"),
        ConvertedType::INT_8 => integer_kind(true, 8),
        ConvertedType::INT_16 => integer_kind(true, 16),
        ConvertedType::INT_32 => integer_kind(true, 32),
        ConvertedType::INT_64 => integer_kind(true, 64),
        ConvertedType::UINT_8 => integer_kind(false, 8),
        ConvertedType::UINT_16 => integer_kind(false, 16),
        ConvertedType::UINT_32 => integer_kind(false, 32),
        ConvertedType::UINT_64 => integer_kind(false, 64),
        _ => return Ok(None),
    }))
}

/// Returns the kind by the physical type only.
fn plain_kind(leaf: &Type, physical: Physical) -> Result<(Kind, String), String> {
    let name = |name: &str| name.to_owned();
    Ok(match physical {
        Physical::BOOLEAN => (Kind::Boolean, name("bool")),
        Physical::INT32 => (Kind::Signed, name("int32")),
        Physical::INT64 => (Kind::Signed, name("int64")),
        Physical::INT96 => (Kind::Days96, name("timestamp[ns]")),
        Physical::FLOAT => (Kind::Float, name("float")),
        Physical::DOUBLE => (Kind::Float, name("double")),
        Physical::BYTE_ARRAY => (Kind::Binary, name("binary")),
        Physical::FIXED_LEN_BYTE_ARRAY => {
            let Type::PrimitiveType { type_length, .. } = leaf else {
                return Err("a fixed length that is not there".to_owned());
            };
            (Kind::Binary, format!("fixed_size_binary[{type_length}]"))
        }
    })
}
