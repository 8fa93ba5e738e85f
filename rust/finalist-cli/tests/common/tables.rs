// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes manifests as Parquet, value by value.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Repetition;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;

pub const SCHEMA: &str = "required binary path; optional int64 size; optional binary digest;
    required binary leaf; required binary status (STRING); optional int64 modified_ns;
    optional int64 changed_ns; optional int64 inode;";
/// The schema of engines that have only nullable columns.
pub const NULLABLE: &str = "optional binary path; optional int64 size; optional binary digest;
    optional binary leaf; optional binary status (STRING); optional int64 modified_ns;
    optional int64 changed_ns; optional int64 inode;";
pub const PATH: usize = 0;
pub const SIZE: usize = 1;
pub const DIGEST: usize = 2;
pub const LEAF: usize = 3;
pub const STATUS: usize = 4;
pub const MODIFIED: usize = 5;
pub const CHANGED: usize = 6;
pub const INODE: usize = 7;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Number(i64),
    Bytes(Vec<u8>),
}

pub fn bytes(text: &str) -> Value {
    Value::Bytes(text.into())
}

/// The content of a manifest.
#[derive(Clone)]
pub struct Table {
    pub schema: String,
    pub rows: Vec<Vec<Value>>,
    pub metadata: Vec<(String, String)>,
}

impl Table {
    pub fn read(path: &Path) -> Table {
        let file = SerializedFileReader::new(File::open(path).expect("a file")).expect("Parquet");
        let rows = file.get_row_iter(None).expect("rows").map(|row| {
            let row = row.expect("a row");
            let values = row.get_column_iter().map(|(_, field)| match field {
                Field::Null => Value::Null,
                Field::Long(number) => Value::Number(*number),
                Field::Bytes(bytes) => Value::Bytes(bytes.data().to_vec()),
                Field::Str(text) => bytes(text),
                other => panic!("{other:?}"),
            });
            values.collect()
        });
        let rows = rows.collect();
        let pairs = file.metadata().file_metadata().key_value_metadata();
        let pairs = pairs.expect("metadata").iter();
        let pairs = pairs.map(|pair| (pair.key.clone(), pair.value.clone().expect("a value")));
        Table {
            schema: SCHEMA.to_owned(),
            rows,
            metadata: pairs.collect(),
        }
    }

    pub fn write(&self, path: &Path) {
        let schema = parse_message_type(&format!("message manifest {{ {} }}", self.schema));
        let schema = Arc::new(schema.expect("a schema"));
        let properties = Arc::new(WriterProperties::builder().build());
        let out = File::create(path).expect("a file");
        let mut file = SerializedFileWriter::new(out, schema.clone(), properties).expect("a file");
        let mut group = file.next_row_group().expect("a group");
        for (index, field) in schema.get_fields().iter().enumerate() {
            // A group has one column.
            let field = match field.is_group() {
                true => &field.get_fields()[0],
                false => field,
            };
            let values: Vec<_> = self.rows.iter().map(|row| &row[index]).collect();
            let levels: Vec<i16> = values
                .iter()
                .map(|value| (**value != Value::Null).into())
                .collect();
            // Each value of a repeated column is the only one of its row.
            let repeated = field.get_basic_info().repetition() == Repetition::REPEATED;
            let firsts = vec![0; levels.len()];
            let firsts = repeated.then_some(&firsts[..]);
            let levels = (field.is_optional() || repeated).then_some(&levels[..]);
            let mut column = group.next_column().expect("a column").expect("a column");
            let is_number = field.get_physical_type() == parquet::basic::Type::INT64;
            let numbers = values.iter().filter_map(|value| match value {
                Value::Number(number) => Some(*number),
                _ => None,
            });
            let strings = values.iter().filter_map(|value| match value {
                Value::Bytes(bytes) => Some(ByteArray::from(bytes.clone())),
                _ => None,
            });
            let written = match is_number {
                true => column.typed::<Int64Type>().write_batch(
                    &numbers.collect::<Vec<_>>(),
                    levels,
                    firsts,
                ),
                false => column.typed::<ByteArrayType>().write_batch(
                    &strings.collect::<Vec<_>>(),
                    levels,
                    firsts,
                ),
            };
            written.expect("values of that type");
            column.close().expect("a column");
        }
        group.close().expect("a group");
        for (key, value) in &self.metadata {
            file.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
        }
        file.close().expect("a file");
    }
}
