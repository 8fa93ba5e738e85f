// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that durations, whose unit is in Arrow's schema alone, are encoded by their length.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use finalist_table::{Buckets, RecordParameters, Table};
use parquet::data_type::Int64Type;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const SCHEMA: &str = "message schema { required int64 id; required int64 a;
    required group s { required int64 c; required int64 d; } required int64 u; required int64 n; }";
const COLUMNS: [&str; 4] = ["a", "s", "u", "n"];

/// Arrow's schema with units s, ms, us and ns for a, c, u and n; d is an integer. Made by pyarrow 22.
const UNITS: &str = "\
/////4gBAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAUAAAAgAQAA4AAAAFwAAAAwAAAABAAAAAT///8AAA\
ESEAAAABQAAAAEAAAAAAAAAAEAAABuAAAAMv///wAAAwAs////AAABEhAAAAAUAAAABAAAAAAAAAABAAAAdQAAAFr///8AAAIAVP///wAAAQ0Y\
AAAAHAAAAAQAAAACAAAAQAAAABAAAAABAAAAcwAAALD///+A////AAABAhAAAAAUAAAABAAAAAAAAAABAAAAZAAAAHD///8AAAABQAAAAKz///\
8AAAESEAAAABgAAAAEAAAAAAAAAAEAAABjAAAABAAEAAQAAADU////AAABEhAAAAAYAAAABAAAAAAAAAABAAAAYQAGAAgABgAGAAAAAAAAABAA\
FAAIAAYABwAMAAAAEAAQAAAAAAABAhAAAAAcAAAABAAAAAAAAAACAAAAaWQAAAgADAAIAAcACAAAAAAAAAFAAAAAAAAAAA==";
/// The same with ms, us, ns and ns.
const FINER_UNITS: &str = "\
/////4gBAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAUAAAAgAQAA5AAAAFwAAAAwAAAABAAAAAT///8AAA\
ESEAAAABQAAAAEAAAAAAAAAAEAAABuAAAAWv///wAAAwAs////AAABEhAAAAAUAAAABAAAAAAAAAABAAAAdQAAAIL///8AAAMAVP///wAAAQ0Y\
AAAAHAAAAAQAAAACAAAAQAAAABAAAAABAAAAcwAAAIT///+A////AAABAhAAAAAUAAAABAAAAAAAAAABAAAAZAAAAHD///8AAAABQAAAAKz///\
8AAAESEAAAABgAAAAEAAAAAAAAAAEAAABjAAYACAAGAAYAAAAAAAIA2P///wAAARIQAAAAGAAAAAQAAAAAAAAAAQAAAGEAAAAEAAQABAAAABAA\
FAAIAAYABwAMAAAAEAAQAAAAAAABAhAAAAAcAAAABAAAAAAAAAACAAAAaWQAAAgADAAIAAcACAAAAAAAAAFAAAAAAAAAAA==";

/// Returns the root of a row with these values, after Arrow's schema.
fn root(folder: &Path, schema: Option<&str>, values: [i64; 6]) -> Vec<u8> {
    let path = folder.join("table.parquet");
    let metadata =
        schema.map(|text| vec![KeyValue::new("ARROW:schema".to_owned(), text.to_owned())]);
    let properties = WriterProperties::builder().set_key_value_metadata(metadata);
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let file = File::create(&path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for value in values {
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<Int64Type>()
            .write_batch(&[value], None, None)
            .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    let parameters = RecordParameters {
        keys: vec!["id".to_owned()],
        columns: COLUMNS.map(str::to_owned).to_vec(),
        by_value: false,
    };
    let table = Table::open(&path).unwrap();
    Buckets::new(&table, parameters, b"")
        .unwrap()
        .root()
        .to_vec()
}

#[test]
fn the_unit_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let root = |schema, values| root(folder.path(), schema, values);
    let found = root(Some(UNITS), [1, 5, 7, 1, 9, 11]);
    assert_eq!(found, root(Some(FINER_UNITS), [1, 5000, 7000, 1, 9000, 11]));
    assert_ne!(found, root(Some(UNITS), [1, 5, 7, 2, 9, 11]));
    let integers = [1, 5_000_000_000, 7_000_000, 1, 9000, 11];
    assert_ne!(found, root(None, integers));
}

#[test]
fn a_first_column_can_be_the_only_duration() {
    // Arrow's schema of a duration in seconds and a double.
    const UNIT: &str = "\
/////6AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAABAAAAABAAAANj///8AAAADEAAAABQAAAAEAAAA\
AAAAAAEAAAB4AAAAyv///wAAAgAQABQACAAAAAcADAAAABAAEAAAAAAAABIQAAAAGAAAAAQAAAAAAAAAAQAAAGQABgAIAAYABgAAAAAAAAAAAAAA";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let metadata = vec![KeyValue::new("ARROW:schema".to_owned(), UNIT.to_owned())];
    let properties = WriterProperties::builder().set_key_value_metadata(Some(metadata));
    let schema = parse_message_type("message schema { required int64 d; required double x; }");
    let (file, schema) = (File::create(&path).unwrap(), Arc::new(schema.unwrap()));
    let writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()));
    writer.unwrap().close().unwrap();
    let table = Table::open(&path).unwrap();
    assert_eq!(table.column(0).type_name, "duration[s]");
}

#[test]
fn a_damaged_schema_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let read = |schema: &str| root(folder.path(), Some(schema), [1, 5, 7, 1, 9, 11]);
    // A schema cut short gives all units or none: a missing part is not a default value.
    let (whole, none) = (read(UNITS), read(""));
    for end in (0..UNITS.len()).step_by(3) {
        let root = read(&UNITS[..end]);
        assert!(root == whole || root == none, "{end} of {}", UNITS.len());
    }
    for at in (0..UNITS.len()).step_by(7) {
        for other in ["/", "A", "g"] {
            let mut text = UNITS.to_owned();
            text.replace_range(at..=at, other);
            read(&text);
        }
    }
}
