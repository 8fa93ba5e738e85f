// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that only whole files of buckets are read, with the metadata that were written.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use finalist_table::{BucketParameters, Buckets, Table};
use parquet::data_type::{DataType, FixedLenByteArray, FixedLenByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

const LEAVES: &str = "message schema { required fixed_len_byte_array(32) leaf; }";
const METADATA: &str = "finalist.buckets";

/// Writes a Parquet file of one column.
fn write<T: DataType>(path: &Path, schema: &str, values: &[T::T], about: Option<String>) {
    let metadata = about.map(|about| vec![KeyValue::new(METADATA.to_owned(), about)]);
    let properties = WriterProperties::builder().set_key_value_metadata(metadata);
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

/// Returns the metadata and the leaves of a file of buckets.
fn parts(path: &Path) -> (Value, Vec<FixedLenByteArray>) {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let about = metadata.unwrap().iter().find(|entry| entry.key == METADATA);
    let about = serde_json::from_str(about.unwrap().value.as_ref().unwrap()).unwrap();
    let leaves = reader.get_row_iter(None).unwrap().map(|row| {
        let row = row.unwrap();
        let (_, leaf) = row.get_column_iter().next().unwrap();
        match leaf {
            parquet::record::Field::Bytes(bytes) => bytes.data().to_vec().into(),
            other => panic!("{other}"),
        }
    });
    (about, leaves.collect())
}

/// Writes buckets of a table of one column, and returns their file.
fn buckets(folder: &Path, key: &[u8]) -> PathBuf {
    let [table, place] = ["table.parquet", "buckets.parquet"].map(|name| folder.join(name));
    write::<Int64Type>(
        &table,
        "message schema { required int64 id; }",
        &[1, 2, 3],
        None,
    );
    let parameters = BucketParameters {
        keys: vec!["id".to_owned()],
        ..Default::default()
    };
    let table = Table::open(&table).unwrap();
    let made = Buckets::new(&table, parameters, key).unwrap();
    made.write(&place).unwrap();
    assert_eq!(Buckets::read(&place, key).unwrap().root(), made.root());
    place
}

fn refusal(path: &Path, key: &[u8]) -> String {
    match Buckets::read(path, key) {
        Ok(_) => panic!("{} was read", path.display()),
        Err(error) => String::from_utf8_lossy(&error.0).into_owned(),
    }
}

#[test]
fn other_metadata_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = buckets(folder.path(), b"");
    let (about, leaves) = parts(&place);
    let rewritten = |member: &str, value: Value| {
        let mut about = about.clone();
        about[member] = value;
        write::<FixedLenByteArrayType>(&place, LEAVES, &leaves, Some(about.to_string()));
        refusal(&place, b"")
    };
    for (member, value) in [
        ("format", json!("finalist-buckets-2")),
        ("more", json!(1)),
        ("numbers", json!("neither")),
        ("rows", json!(-3)),
        ("keys", json!([1])),
        ("columns", json!("id")),
        ("keyed", json!(0)),
        ("root", json!("0")),
    ] {
        let text = rewritten(member, value);
        assert!(
            text.contains("not of the format finalist-buckets-1"),
            "{member}: {text}"
        );
    }
    for (member, value) in [
        ("rows", json!(4)),
        ("numbers", json!("by-value")),
        ("columns", json!(["id"])),
        ("keyed", json!(true)),
        ("root", json!("00".repeat(32))),
    ] {
        let text = rewritten(member, value);
        assert!(text.contains("do not give the root"), "{member}: {text}");
    }
    for about in [None, Some("[]".to_owned()), Some("{".to_owned())] {
        write::<FixedLenByteArrayType>(&place, LEAVES, &leaves, about);
        assert!(refusal(&place, b"").contains("not of the format"));
    }
}

#[test]
fn other_leaves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = buckets(folder.path(), b"");
    let (about, leaves) = parts(&place);
    let rewritten = |leaves: &[FixedLenByteArray]| {
        write::<FixedLenByteArrayType>(&place, LEAVES, leaves, Some(about.to_string()));
        refusal(&place, b"")
    };
    let more = [&leaves[..], &leaves[..1]].concat();
    for wrong in [&leaves[1..], &more[..], &[]] {
        assert!(rewritten(wrong).contains("its leaves are not 2^16 digests"));
    }
    let mut swapped = leaves.clone();
    let other = swapped.iter().position(|leaf| *leaf != swapped[0]).unwrap();
    swapped.swap(0, other);
    assert!(rewritten(&swapped).contains("do not give the root"));
    write::<Int64Type>(
        &place,
        "message schema { required int64 leaf; }",
        &[7],
        Some(about.to_string()),
    );
    assert!(refusal(&place, b"").contains("its leaves are not 2^16 digests"));
}

#[test]
fn another_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = buckets(folder.path(), b"key");
    for key in [&b""[..], b"keys"] {
        assert!(refusal(&place, key).contains("the key is another one"));
    }
    let place = buckets(folder.path(), b"");
    assert!(refusal(&place, b"key").contains("the key is another one"));
}
