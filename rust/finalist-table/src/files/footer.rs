// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the metadata of Parquet files. The decoder calls itself for each level of nested columns, so
//! that a hostile file could overflow the stack, which ends the process: the levels are counted first.
//!
//! The metadata are a structure in Thrift's compact protocol: a field begins with a byte, which has
//! its type and the distance from the last field's number, or 0 if the number follows. Numbers have
//! variable lengths; structures end with 0.

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::ChunkReader;

use crate::decoding::guarded;
use finalist_files::quote::excerpt;

/// The most levels of nested columns that are read: 500 fit in a thread's stack.
const LEVELS_MAX: usize = 200;
/// The deepest nesting of structures that the decoder reads.
const DEPTH_MAX: usize = 64;

const MAGIC: &[u8] = b"PAR1";
/// Bytes of the length and of the magic number, which end a file.
const END_BYTES: u64 = 8;
/// Fields: the schema's elements in the metadata, the number of children in an element.
const SCHEMA: i64 = 2;
const CHILDREN: i64 = 5;

/// Returns the metadata of a file.
///
/// # Errors
/// The file is damaged, or its columns are nested too deep; the text says so.
pub fn metadata_of<R: ChunkReader>(file: &R) -> Result<ParquetMetaData, String> {
    if levels_of(file).is_some_and(|levels| levels > LEVELS_MAX) {
        return Err(format!(
            "columns are nested more than {LEVELS_MAX} levels deep"
        ));
    }
    guarded(|| {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(file);
        metadata
            .map_err(|error| format!("not a whole Parquet file: {}", excerpt(error.to_string())))
    })
}

/// Returns how deep the columns of a file are nested; `None` if there is no such structure.
fn levels_of<R: ChunkReader>(file: &R) -> Option<usize> {
    let end = file.len().checked_sub(END_BYTES)?;
    let tail = file.get_bytes(end, END_BYTES as usize).ok()?;
    let length = u32::from_le_bytes(tail.get(..4)?.try_into().ok()?);
    let start = end.checked_sub(u64::from(length))?;
    if &tail[4..] != MAGIC {
        return None;
    }
    let metadata = file.get_bytes(start, length as usize).ok()?;
    Some(Reader(&metadata).levels())
}

/// Types of fields.
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads a number that may be negative.
    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn bytes(&mut self, count: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    /// Moves on to the next field of a structure. Returns its type, 0 at the end.
    fn field(&mut self, number: &mut i64) -> Option<u8> {
        let header = self.byte()?;
        if header & 15 != 0 {
            *number = match header >> 4 {
                0 => self.signed()?,
                distance => *number + i64::from(distance),
            };
        }
        Some(header & 15)
    }

    /// Reads the number of a list's elements, and their type.
    fn list(&mut self) -> Option<(u64, u8)> {
        let header = self.byte()?;
        let count = match header >> 4 {
            15 => self.number()?,
            few => u64::from(few),
        };
        Some((count, header & 15))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            ..=FALSE => Some(()),
            BYTE => self.bytes(1),
            I16..=I64 => self.number().map(drop),
            DOUBLE => self.bytes(8),
            BINARY => {
                let count = self.number()?;
                self.bytes(count)
            }
            _ if depth == DEPTH_MAX => None,
            LIST | SET => {
                let (count, kind) = self.list()?;
                // An element has a byte at least.
                let count = (count <= self.0.len() as u64).then_some(count)?;
                (0..count).try_for_each(|_| match kind {
                    ..=FALSE => self.bytes(1),
                    _ => self.skip(kind, depth + 1),
                })
            }
            STRUCT => {
                let mut number = 0;
                loop {
                    match self.field(&mut number)? {
                        0 => return Some(()),
                        kind => self.skip(kind, depth + 1)?,
                    }
                }
            }
            _ => None,
        }
    }

    /// Reads an element of the schema. Returns its number of children.
    fn children(&mut self) -> Option<i64> {
        let (mut number, mut children) = (0, 0);
        loop {
            match self.field(&mut number)? {
                0 => return Some(children),
                _ if number == CHILDREN => children = self.signed()?,
                kind => self.skip(kind, 0)?,
            }
        }
    }

    /// Returns the levels of the schema, as far as it can be read: the decoder reads no further.
    fn levels(&mut self) -> usize {
        let (mut number, mut levels) = (0, 0);
        while let Some(kind @ 1..) = self.field(&mut number) {
            let read = match number {
                SCHEMA => self.schema(&mut levels),
                _ => self.skip(kind, 0),
            };
            if read.is_none() {
                break;
            }
        }
        levels
    }

    fn schema(&mut self, levels: &mut usize) -> Option<()> {
        let (count, _) = self.list()?;
        // Of each group that is not complete, the number of children to come.
        let mut groups = Vec::new();
        for _ in 0..count {
            let children = self.children()?;
            if let Some(left) = groups.last_mut() {
                *left -= 1;
            }
            if children > 0 {
                groups.push(children);
            }
            *levels = groups.len().max(*levels);
            while groups.last() == Some(&0) {
                groups.pop();
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::data_type::Int32Type;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::fs::File;
    use std::sync::Arc;

    /// Returns a file whose column lies in this number of groups, and one after it.
    fn nested(groups: usize) -> File {
        let (open, close) = ("required group a { ".repeat(groups), "} ".repeat(groups));
        let text = format!("message m {{ {open} required int32 a; {close} required int32 b; }}");
        let schema = Arc::new(parse_message_type(&text).expect("a schema"));
        let file = tempfile::tempfile().expect("a file");
        let content = file.try_clone().expect("a handle");
        let properties = Arc::new(WriterProperties::builder().build());
        let writer = SerializedFileWriter::new(content, schema, properties);
        let mut writer = writer.expect("a writer");
        let mut group = writer.next_row_group().expect("a group");
        while let Some(mut column) = group.next_column().expect("a column") {
            let written = column.typed::<Int32Type>().write_batch(&[1], None, None);
            written.expect("it is written");
            column.close().expect("it is closed");
        }
        group.close().expect("it is closed");
        writer.close().expect("it is closed");
        file
    }

    #[test]
    fn columns_that_are_nested_too_deep_are_refused() {
        for groups in [0, 1, 20, LEVELS_MAX - 1] {
            let file = nested(groups);
            assert_eq!(levels_of(&file), Some(groups + 1));
            let metadata = metadata_of(&file).expect("it is read");
            assert_eq!(metadata.file_metadata().schema_descr().num_columns(), 2);
        }
        let error = metadata_of(&nested(LEVELS_MAX)).expect_err("it is too deep");
        assert_eq!(error, "columns are nested more than 200 levels deep");
    }
}
