// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes differences as a Parquet file: a row for each row that was added or removed, each value
//! that was changed, and each duplicate key. Keys and values are JSON, so that the columns are the
//! same for all tables.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use finalist_files::message::{about, reason};
use finalist_files::new_file::NewFile;
use finalist_files::platform::bytes_of;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Map, Value, json};

use super::changes::{Change, Changes, Kind};
use crate::failure::Failure;

const SCHEMA: &str = "message differences {
    required binary change (STRING); required binary key (STRING);
    optional binary column (STRING); optional binary old (STRING); optional binary new (STRING);
}";
/// Rows in a row group.
const ROWS_AT_ONCE: usize = 1 << 16;

type Row = [Option<String>; 5];

/// Writes the file, which gets its name when it is complete.
pub fn write(name: &Path, changes: &Changes<'_>) -> Result<(), Failure> {
    let write = || {
        let file = NewFile::create(name, None)?;
        write_rows(file.writer()?, changes)?;
        file.complete()?;
        Ok(())
    };
    write().map_err(|error: ParquetError| {
        let text = reason(&io::Error::from(error));
        Failure::message(about(&bytes_of(name), &text))
    })
}

fn write_rows(file: File, changes: &Changes<'_>) -> Result<(), ParquetError> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
    let mut rows = Vec::new();
    for change in Kind::ALL.into_iter().flat_map(|kind| changes.of_kind(kind)) {
        rows.extend(rows_of(&change));
        if rows.len() >= ROWS_AT_ONCE {
            write_group(&mut writer, &rows)?;
            rows.clear();
        }
    }
    if !rows.is_empty() {
        write_group(&mut writer, &rows)?;
    }
    writer.close()?;
    Ok(())
}

fn rows_of(change: &Change) -> Vec<Row> {
    let text = |values: &Map<String, Value>| json!(values).to_string();
    let row = |column: Option<&String>, old: Option<String>, new: Option<String>| {
        let (kind, key) = (change.kind.name().to_owned(), text(&change.key));
        [Some(kind), Some(key), column.cloned(), old, new]
    };
    if let Some((old, new)) = change.counts {
        return vec![row(None, Some(old.to_string()), Some(new.to_string()))];
    }
    if change.columns.is_empty() {
        let [old, new] = [&change.old, &change.new].map(|values| values.as_ref().map(text));
        return vec![row(None, old, new)];
    }
    let value = |values: &Option<Map<String, Value>>, name: &String| {
        let value = values.as_ref().and_then(|values| values.get(name));
        value.map(Value::to_string)
    };
    let columns = change.columns.iter();
    columns
        .map(|name| {
            row(
                Some(name),
                value(&change.old, name),
                value(&change.new, name),
            )
        })
        .collect()
}

fn write_group(writer: &mut SerializedFileWriter<File>, rows: &[Row]) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    let mut place = 0;
    while let Some(mut column) = group.next_column()? {
        let values = rows.iter().map(|row| &row[place]);
        let levels: Vec<i16> = values.clone().map(|value| value.is_some().into()).collect();
        let values: Vec<ByteArray> = values
            .flatten()
            .map(|value| value.as_str().into())
            .collect();
        let levels = (place >= 2).then_some(&levels[..]);
        column
            .typed::<ByteArrayType>()
            .write_batch(&values, levels, None)?;
        column.close()?;
        place += 1;
    }
    group.close()?;
    Ok(())
}
