// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that all rows are compared when more differ than one chunk of the second pass holds.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use finalist_table::{DiffOptions, Table, diff};
use parquet::data_type::Int64Type;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const ROWS: i64 = 200_000;
/// Bytes of the encoding of an int64.
const CELL_BYTES: usize = 9;

/// Writes a table with these values of `id` and `value`.
fn write(path: &Path, ids: &[i64], values: &[i64]) -> Table {
    let schema = "message schema { required int64 id; required int64 value; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for cells in [ids, values] {
        let mut column = group.next_column().unwrap().unwrap();
        let typed = column.typed::<Int64Type>();
        typed.write_batch(cells, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    Table::open(path).unwrap()
}

#[test]
fn every_row_differs() {
    let folder = tempfile::tempdir().unwrap();
    let ids: Vec<i64> = (0..ROWS).collect();
    let reversed: Vec<i64> = (1..=ROWS).rev().collect();
    let old = write(&folder.path().join("old.parquet"), &ids, &ids);
    let values: Vec<i64> = reversed.iter().map(|id| id + 1).collect();
    let new = write(&folder.path().join("new.parquet"), &reversed, &values);
    let options = DiffOptions {
        keys: vec!["id".to_owned()],
        ..DiffOptions::default()
    };
    let found = diff(&old, &new, &options).unwrap();
    assert_eq!((found.rows.added.len(), found.rows.removed.len()), (1, 1));
    assert_eq!(found.rows.changed.len() as i64, ROWS - 1);
    for (old, new) in found.rows.changed {
        let (old, new) = (found.old.row(old), found.new.row(new));
        assert_eq!(old.len(), 2 * CELL_BYTES);
        assert_eq!(old[..CELL_BYTES], new[..CELL_BYTES]);
        assert_ne!(old[CELL_BYTES..], new[CELL_BYTES..]);
    }
}
