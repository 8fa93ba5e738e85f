// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the values of a row group's leaf columns and encodes rows.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::Type as Physical;
use parquet::column::page::PageReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96, Int96Type,
};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::compressed::pages_of;
use super::kind::{Kind, Node};
use super::strings::{Positions, Strings, are_plain};
use crate::{Encoder, Encoding, Time, float16};

/// Nested values of this length are refused.
const VALUE_BYTES_MAX: usize = 1 << 30;
const NANOSECONDS_A_DAY: i128 = 86_400_000_000_000;
const JULIAN_DAY_OF_1970: i128 = 2_440_588;

/// The values of some rows of a leaf column, and the position of the next one to encode.
pub struct Leaf {
    column: Column,
    max_def: i16,
    def: Vec<i16>,
    rep: Vec<i16>,
    level: usize,
    value: usize,
}

struct Typed<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
}

enum Column {
    Boolean(Typed<BoolType>),
    Int32(Typed<Int32Type>),
    Int64(Typed<Int64Type>),
    Int96(Typed<Int96Type>),
    Float(Typed<FloatType>),
    Double(Typed<DoubleType>),
    /// Byte strings by their positions.
    Strings(Typed<Int64Type>, Box<Strings>),
    /// Byte strings of other encodings.
    Bytes(Typed<ByteArrayType>),
    Fixed(Typed<FixedLenByteArrayType>),
}

impl<T: DataType> Typed<T> {
    fn new(
        file: &Arc<File>,
        metadata: &ParquetMetaData,
        group: usize,
        leaf: usize,
    ) -> Result<Typed<T>, String> {
        let group = metadata.row_group(group);
        let pages = pages_of(file, group, leaf)?;
        Ok(Typed::of_pages(group.column(leaf), pages))
    }

    fn of_pages(chunk: &ColumnChunkMetaData, pages: Box<dyn PageReader>) -> Typed<T> {
        Typed {
            reader: ColumnReaderImpl::new(chunk.column_descr_ptr(), pages),
            values: Vec::new(),
        }
    }

    fn read(
        &mut self,
        rows: usize,
        def: &mut Vec<i16>,
        rep: &mut Vec<i16>,
    ) -> Result<usize, String> {
        self.values.clear();
        let read = self
            .reader
            .read_records(rows, Some(def), Some(rep), &mut self.values);
        let (records, ..) = read.map_err(|error| error.to_string())?;
        Ok(records)
    }
}

const ENDED: &str = "damaged: its values and its levels differ in number";

impl Leaf {
    /// Opens a leaf column of a row group.
    pub fn open(
        file: &Arc<File>,
        metadata: &ParquetMetaData,
        group: usize,
        leaf: usize,
    ) -> Result<Leaf, String> {
        let chunk = metadata.row_group(group).column(leaf);
        let column = match chunk.column_descr().physical_type() {
            Physical::BOOLEAN => Column::Boolean(Typed::new(file, metadata, group, leaf)?),
            Physical::INT32 => Column::Int32(Typed::new(file, metadata, group, leaf)?),
            Physical::INT64 => Column::Int64(Typed::new(file, metadata, group, leaf)?),
            Physical::INT96 => Column::Int96(Typed::new(file, metadata, group, leaf)?),
            Physical::FLOAT => Column::Float(Typed::new(file, metadata, group, leaf)?),
            Physical::DOUBLE => Column::Double(Typed::new(file, metadata, group, leaf)?),
            Physical::BYTE_ARRAY if are_plain(chunk) => {
                let pages = pages_of(file, metadata.row_group(group), leaf)?;
                let (positions, strings) = Positions::new(pages, chunk);
                Column::Strings(
                    Typed::of_pages(chunk, Box::new(positions)),
                    Box::new(strings),
                )
            }
            Physical::BYTE_ARRAY => Column::Bytes(Typed::new(file, metadata, group, leaf)?),
            Physical::FIXED_LEN_BYTE_ARRAY => {
                Column::Fixed(Typed::new(file, metadata, group, leaf)?)
            }
        };
        Ok(Leaf {
            column,
            max_def: chunk.column_descr().max_def_level(),
            def: Vec::new(),
            rep: Vec::new(),
            level: 0,
            value: 0,
        })
    }

    /// Reads the next rows.
    pub fn read(&mut self, rows: usize) -> Result<(), String> {
        (self.level, self.value) = (0, 0);
        let (def, rep) = (&mut self.def, &mut self.rep);
        def.clear();
        rep.clear();
        let read = match &mut self.column {
            Column::Boolean(column) => column.read(rows, def, rep)?,
            Column::Int32(column) => column.read(rows, def, rep)?,
            Column::Int64(column) => column.read(rows, def, rep)?,
            Column::Int96(column) => column.read(rows, def, rep)?,
            Column::Float(column) => column.read(rows, def, rep)?,
            Column::Double(column) => column.read(rows, def, rep)?,
            Column::Strings(column, strings) => {
                strings.forget();
                let read = column.read(rows, def, rep)?;
                strings.take();
                read
            }
            Column::Bytes(column) => column.read(rows, def, rep)?,
            Column::Fixed(column) => column.read(rows, def, rep)?,
        };
        check_rows(read, rows)
    }

    /// Skips the next rows.
    pub fn skip(&mut self, rows: usize) -> Result<(), String> {
        let skipped = match &mut self.column {
            Column::Boolean(column) => column.reader.skip_records(rows),
            Column::Int32(column) => column.reader.skip_records(rows),
            Column::Int64(column) => column.reader.skip_records(rows),
            Column::Int96(column) => column.reader.skip_records(rows),
            Column::Float(column) => column.reader.skip_records(rows),
            Column::Double(column) => column.reader.skip_records(rows),
            Column::Strings(column, strings) => strings.skip(&mut column.reader, rows),
            Column::Bytes(column) => column.reader.skip_records(rows),
            Column::Fixed(column) => column.reader.skip_records(rows),
        };
        check_rows(skipped.map_err(|error| error.to_string())?, rows)
    }

    /// Returns the definition level of the next value.
    #[inline]
    fn def(&self) -> Result<i16, String> {
        if self.max_def == 0 {
            return Ok(0);
        }
        self.def.get(self.level).copied().ok_or_else(ended)
    }

    /// Returns the number of elements of a list with this repetition level.
    fn elements(&self, rep: i16) -> usize {
        let levels = self.rep.get(self.level + 1..).unwrap_or_default();
        let rest = levels.iter().take_while(|&&level| level >= rep);
        1 + rest.filter(|&&level| level == rep).count()
    }

    #[inline]
    fn encode(&mut self, kind: Kind, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), String> {
        let row = encoding.resume(out);
        let at = self.value;
        // Each arm drops the encoder: as the value of the match it would pass through memory.
        match (&self.column, kind) {
            (Column::Int64(column), kind) => {
                integer(*column.values.get(at).ok_or_else(ended)?, kind, row)?;
            }
            (Column::Int32(column), kind) => {
                let number = *column.values.get(at).ok_or_else(ended)?;
                match kind {
                    Kind::Unsigned => drop(row.integer(u64::from(number as u32))),
                    kind => integer(i64::from(number), kind, row)?,
                }
            }
            (Column::Double(column), _) => {
                row.float(*column.values.get(at).ok_or_else(ended)?);
            }
            (Column::Float(column), _) => {
                row.float(f64::from(*column.values.get(at).ok_or_else(ended)?));
            }
            (Column::Boolean(column), _) => {
                row.boolean(*column.values.get(at).ok_or_else(ended)?);
            }
            (Column::Int96(column), _) => {
                let value = column.values.get(at).ok_or_else(ended)?;
                row.time(Time::Timestamp, nanoseconds(value));
            }
            (Column::Strings(column, strings), kind) => {
                let position = *column.values.get(at).ok_or_else(ended)?;
                bytes(strings.at(position).ok_or_else(ended)?, kind, row)?;
            }
            (Column::Bytes(column), kind) => {
                let value = column.values.get(at).ok_or_else(ended)?.data();
                bytes(value, kind, row)?;
            }
            (Column::Fixed(column), kind) => {
                let value = column.values.get(at).ok_or_else(ended)?.data();
                bytes(value, kind, row)?;
            }
        }
        self.value += 1;
        Ok(())
    }

    /// Returns true if exactly the rows that were read have been encoded.
    pub fn is_done(&self) -> bool {
        self.max_def == 0 || self.level == self.def.len()
    }
}

fn check_rows(found: usize, rows: usize) -> Result<(), String> {
    match found == rows {
        true => Ok(()),
        false => Err("damaged: it has fewer rows than its row group".to_owned()),
    }
}

fn ended() -> String {
    ENDED.to_owned()
}

#[inline]
fn integer(number: i64, kind: Kind, row: Encoder<'_>) -> Result<(), String> {
    match kind {
        Kind::Unsigned => drop(row.integer(number as u64)),
        Kind::Date => drop(row.date(number)),
        Kind::Ticks(time, nanoseconds) => {
            row.time(time, i128::from(number) * i128::from(nanoseconds));
        }
        Kind::Decimal(scale) => {
            let encoded = row.decimal(i128::from(number), scale);
            encoded.map_err(|error| error.to_string())?;
        }
        _ => drop(row.signed_64(number)),
    }
    Ok(())
}

/// Converts Julian days and nanoseconds of the day to nanoseconds since 1970.
fn nanoseconds(value: &Int96) -> i128 {
    let [low, high, day] = *value.data() else {
        return 0;
    };
    let within = i128::from((u64::from(high) << 32 | u64::from(low)) as i64);
    (i128::from(day) - JULIAN_DAY_OF_1970) * NANOSECONDS_A_DAY + within
}

#[inline]
fn bytes(value: &[u8], kind: Kind, row: Encoder<'_>) -> Result<(), String> {
    match kind {
        Kind::Text => drop(row.string_bytes(value)),
        Kind::Decimal(scale) => return decimal(value, scale, row).ok_or_else(no_encoding),
        Kind::Half => {
            let bits = value.try_into().map_err(|_| no_encoding())?;
            row.float(float16(u16::from_le_bytes(bits)));
        }
        _ => drop(row.binary(value)),
    }
    Ok(())
}

/// Appends a decimal of bytes in two's complement, big-endian.
fn decimal(value: &[u8], scale: i32, row: Encoder<'_>) -> Option<()> {
    let is_negative = value.first().is_some_and(|&byte| byte >> 7 == 1);
    let mut wide = [if is_negative { 0xff } else { 0 }; 32];
    if value.len() > wide.len() {
        return None;
    }
    for (byte, &given) in wide.iter_mut().zip(value.iter().rev()) {
        *byte = given;
    }
    let (low, high) = wide.split_at(16);
    let number = i128::from_le_bytes(low.try_into().ok()?);
    let fits = high.iter().all(|&byte| byte == (number >> 127) as u8);
    let encoded = match fits {
        true => row.decimal(number, scale),
        false => row.wide_decimal(wide, scale),
    };
    encoded.ok().map(drop)
}

fn no_encoding() -> String {
    "a value without an encoding".to_owned()
}

/// Appends the next value of a column. Leaf indexes refer to `leaves`, in which unread leaves are
/// absent.
#[inline]
pub fn encode(
    node: &Node,
    leaves: &mut [Option<Leaf>],
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    match node {
        Node::Leaf { leaf, def, kind } => {
            let leaf = leaves[*leaf].as_mut().ok_or_else(ended)?;
            if leaf.def()? < *def || matches!(kind, Kind::Null) {
                encoding.resume(out).null();
            } else {
                leaf.encode(*kind, encoding, out)?;
            }
            leaf.level += 1;
            Ok(())
        }
        _ => encode_nested(node, leaves, encoding, out),
    }
}

fn encode_nested(
    node: &Node,
    leaves: &mut [Option<Leaf>],
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let mut first = None;
    node.leaves(&mut |leaf| {
        first.get_or_insert(leaf);
    });
    let first = first.ok_or_else(ended)?;
    let found = leaves[first].as_ref().ok_or_else(ended)?.def()?;
    match node {
        Node::Leaf { .. } => encode(node, leaves, encoding, out),
        Node::Struct { def, .. } | Node::List { def, .. } if found < *def => {
            encoding.resume(out).null();
            pass(node, leaves);
            Ok(())
        }
        Node::Struct { fields, .. } => {
            encoding.resume(out).structure(fields.len());
            for (name, field) in fields {
                encoding.resume(out).name(name);
                encode(field, leaves, encoding, out)?;
            }
            Ok(())
        }
        Node::List {
            elements,
            rep,
            element,
            is_map,
            ..
        } => {
            let count = match found < *elements {
                true => 0,
                false => leaves[first].as_ref().ok_or_else(ended)?.elements(*rep),
            };
            if count == 0 {
                pass(node, leaves);
            }
            match (is_map, &**element) {
                (true, Node::Struct { fields, .. }) => {
                    encode_map(count, fields, leaves, encoding, out)
                }
                _ => {
                    encoding.resume(out).list(count);
                    for _ in 0..count {
                        encode(element, leaves, encoding, out)?;
                        check_size(out.len())?;
                    }
                    Ok(())
                }
            }
        }
    }
}

/// Skips one level of each leaf of a null or empty value.
fn pass(node: &Node, leaves: &mut [Option<Leaf>]) {
    node.leaves(&mut |leaf| {
        if let Some(leaf) = &mut leaves[leaf] {
            leaf.level += 1;
        }
    });
}

fn check_size(bytes: usize) -> Result<(), String> {
    match bytes <= VALUE_BYTES_MAX {
        true => Ok(()),
        false => Err("a list or map of more than 1 GiB".to_owned()),
    }
}

/// Encodes the entries of a map, sorted by their bytes, since a map has no order.
fn encode_map(
    count: usize,
    fields: &[(String, Node)],
    leaves: &mut [Option<Leaf>],
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    encoding.resume(out).map(count);
    let mut entries = Vec::new();
    for _ in 0..count {
        let mut entry = Vec::new();
        for (_, field) in fields {
            encode(field, leaves, encoding, &mut entry)?;
            check_size(entry.len())?;
        }
        entries.push(entry);
    }
    entries.sort_unstable();
    out.extend_from_slice(&entries.concat());
    check_size(out.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nested_value_has_at_most_a_gibibyte() {
        assert_eq!(check_size(1 << 30), Ok(()));
        assert!(check_size((1 << 30) + 1).is_err());
    }
}
