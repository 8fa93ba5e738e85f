// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that only whole files of digests are read, with the metadata that were written.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use finalist::{Algorithm, Params, hash, merkle};
use finalist_table::{Buckets, Covered, Encoding, RecordParameters, Rows, Table, Version};
use parquet::basic::Encoding as Form;
use parquet::data_type::{DataType, FixedLenByteArray, FixedLenByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

const LEAVES: &str = "message schema { required fixed_len_byte_array(32) leaf; }";
const METADATA: &str = "finalist.buckets";
const RECORDS: &str = "message schema { required fixed_len_byte_array(32) record; }";
const ROWS_METADATA: &str = "finalist.rows";

/// Writes a Parquet file of one column. `about`: metadata of buckets.
fn write<T: DataType>(path: &Path, schema: &str, values: &[T::T], about: Option<String>) {
    write_with::<T>(path, schema, values, about.map(|about| (METADATA, about)));
}

fn write_with<T: DataType>(
    path: &Path,
    schema: &str,
    values: &[T::T],
    about: Option<(&str, String)>,
) {
    write_encoded::<T>(path, schema, values, about, Form::PLAIN);
}

fn write_encoded<T: DataType>(
    path: &Path,
    schema: &str,
    values: &[T::T],
    about: Option<(&str, String)>,
    encoding: Form,
) {
    let metadata = about.map(|(key, about)| vec![KeyValue::new(key.to_owned(), about)]);
    let properties = WriterProperties::builder()
        .set_key_value_metadata(metadata)
        .set_dictionary_enabled(false)
        .set_encoding(encoding);
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let levels = vec![0; values.len()];
    column
        .typed::<T>()
        .write_batch(values, Some(&levels), Some(&levels))
        .unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

/// Returns the metadata and the digests of a file.
fn parts(path: &Path, metadata_key: &str) -> (Value, Vec<FixedLenByteArray>) {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let about = metadata
        .unwrap()
        .iter()
        .find(|entry| entry.key == metadata_key);
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

/// Writes a table of one column.
fn table(folder: &Path, ids: &[i64]) -> (Table, RecordParameters) {
    let place = folder.join("table.parquet");
    let schema = "message schema { required int64 id; }";
    write::<Int64Type>(&place, schema, ids, None);
    let parameters = RecordParameters {
        keys: vec!["id".to_owned()],
        ..Default::default()
    };
    (Table::open(&place).unwrap(), parameters)
}

/// Writes buckets of a table, and returns their file.
fn buckets(folder: &Path, key: &[u8]) -> PathBuf {
    let (table, parameters) = table(folder, &[1, 2, 3]);
    let place = folder.join("buckets.parquet");
    let made = Buckets::new(&table, parameters, key).unwrap();
    made.write(&place).unwrap();
    assert_eq!(Buckets::read(&place, key).unwrap().root(), made.root());
    place
}

/// Writes digests of a table's rows, and returns their file.
fn rows(folder: &Path, key: &[u8]) -> PathBuf {
    rows_of(folder, &[1, 2, 3], key)
}

/// Writes digests of the rows of a table with these ids.
fn rows_of(folder: &Path, ids: &[i64], key: &[u8]) -> PathBuf {
    let (table, parameters) = table(folder, ids);
    assert!(!Rows::are_in(&table));
    let place = folder.join("rows.parquet");
    let made = Rows::new(&table, parameters.clone(), key).unwrap();
    made.write(&place).unwrap();
    let read = read_rows(&place, key).unwrap();
    assert_eq!((read.root(), read.len()), (made.root(), ids.len() as u64));
    assert_eq!(
        (read.parameters(), read.path()),
        (&parameters, place.as_path())
    );
    assert_eq!(
        made.root(),
        Buckets::new(&table, parameters, key).unwrap().root()
    );
    place
}

fn read_rows(place: &Path, key: &[u8]) -> Result<Rows, String> {
    let file = Table::open(place).unwrap();
    Rows::read(&file, key).map_err(|error| String::from_utf8_lossy(&error.0).into_owned())
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
    let (about, leaves) = parts(&place, METADATA);
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
    let twice = |member: &str| {
        let text = about.to_string();
        text.replacen('{', &format!("{{\"{member}\": {}, ", about[member]), 1)
    };
    for about in [
        None,
        Some("[]".to_owned()),
        Some("{".to_owned()),
        Some(twice("rows")),
        Some(twice("root")),
    ] {
        write::<FixedLenByteArrayType>(&place, LEAVES, &leaves, about);
        assert!(refusal(&place, b"").contains("not of the format"));
    }
}

#[test]
fn other_leaves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = buckets(folder.path(), b"");
    let (about, leaves) = parts(&place, METADATA);
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
    assert!(refusal(&place, b"").contains("its leaves are not digests"));
    let within = "message schema { required group it { required fixed_len_byte_array(32) leaf; } }";
    write::<FixedLenByteArrayType>(&place, within, &leaves, Some(about.to_string()));
    assert!(refusal(&place, b"").contains("its leaves are not digests"));
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

/// With the key, a root can be made that covers that there is none.
#[test]
fn a_root_tells_whether_there_is_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let place = buckets(folder.path(), b"key");
    let (mut about, leaves) = parts(&place, METADATA);
    let (algorithm, params) = (Algorithm::Blake2s, Params::new().key(b"key"));
    let nested = Encoding {
        version: Version::Nested,
        by_value: false,
    };
    let mut head = Vec::new();
    let row = nested.begin(&mut head).list(1).string("id").list(0);
    row.string("exact").integer(3);
    let head = merkle::leaf_hashes(algorithm, &params, &[head]).unwrap();
    let leaf_bytes: Vec<&[u8]> = leaves.iter().map(|leaf| leaf.data()).collect();
    let all = [head, leaf_bytes.concat()].concat();
    let top = merkle::root(algorithm, &params, &all).unwrap();
    let root = |is_keyed| {
        let covered = Covered {
            format: "finalist-buckets-1",
            algorithm: algorithm.name(),
            digest_bytes: 32,
            is_keyed,
            salt: &[],
            personal: &[],
        };
        let message = covered.root_message(1 + leaves.len() as u64, &top);
        hex::encode(hash(algorithm, &params, &message).unwrap())
    };
    assert_eq!(about["root"], root(true));
    (about["root"], about["keyed"]) = (root(false).into(), false.into());
    write::<FixedLenByteArrayType>(&place, LEAVES, &leaves, Some(about.to_string()));
    assert!(refusal(&place, b"key").contains("the key is another one"));
}

#[test]
fn other_records_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = rows(folder.path(), b"");
    let (about, records) = parts(&place, ROWS_METADATA);
    let rewritten = |about: &Value, records: &[FixedLenByteArray]| {
        let about = Some((ROWS_METADATA, about.to_string()));
        write_with::<FixedLenByteArrayType>(&place, RECORDS, records, about);
        read_rows(&place, b"").map(|rows| rows.len())
    };
    let reversed: Vec<_> = records.iter().rev().cloned().collect();
    assert_eq!(rewritten(&about, &reversed), Ok(3));
    for (wrong, text) in [
        (&records[1..], "it has 2 records, not 3"),
        (&[], "it has 0 records, not 3"),
        (
            &[&records[..2], &records[..1]].concat(),
            "the records do not give the root",
        ),
    ] {
        let error = rewritten(&about, wrong).unwrap_err();
        assert!(error.contains(text), "{error}");
    }
    for (member, value) in [
        ("rows", json!(2)),
        ("columns", json!(["x"])),
        ("root", json!("00")),
    ] {
        let mut about = about.clone();
        about[member] = value;
        assert!(rewritten(&about, &records).is_err(), "{member}");
    }
    let mut other = about.clone();
    other["format"] = json!("finalist-buckets-1");
    let error = rewritten(&other, &records).unwrap_err();
    assert!(
        error.contains("cannot be read as digests of rows: not of the format"),
        "{error}"
    );
    let numbers = Some((ROWS_METADATA, about.to_string()));
    write_with::<Int64Type>(
        &place,
        "message schema { required int64 id; }",
        &[1],
        numbers,
    );
    assert!(read_rows(&place, b"").is_err_and(|error| error.contains("are not digests")));
}

/// Without records, only the schema tells that the column is another one.
#[test]
fn other_columns_without_records_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = rows_of(folder.path(), &[], b"");
    let (about, _) = parts(&place, ROWS_METADATA);
    for (column, is_read) in [
        ("required fixed_len_byte_array(32)", true),
        ("required fixed_len_byte_array(16)", false),
        ("optional fixed_len_byte_array(32)", false),
        ("repeated fixed_len_byte_array(32)", false),
    ] {
        let schema = format!("message schema {{ {column} record; }}");
        let about = Some((ROWS_METADATA, about.to_string()));
        write_with::<FixedLenByteArrayType>(&place, &schema, &[], about);
        match read_rows(&place, b"") {
            Ok(rows) => assert!(is_read && rows.is_empty(), "{column}"),
            Err(error) => assert!(!is_read && error.contains("are not digests"), "{column}"),
        }
    }
}

/// Replaces bytes that a file has once.
fn replace(path: &Path, old: &[u8], new: &[u8]) {
    let mut bytes = fs::read(path).unwrap();
    let places = bytes.windows(old.len()).enumerate();
    let places: Vec<_> = places.filter(|(_, bytes)| *bytes == old).collect();
    let [(place, _)] = places[..] else {
        panic!("{old:?} is there {} times", places.len());
    };
    bytes[place..place + old.len()].copy_from_slice(new);
    fs::write(path, bytes).unwrap();
}

/// Writes a file of one record: the digests of this many rows, with zeros up to a length.
fn one_record(folder: &Path, rows: i64, bytes: usize, encoding: Form) -> PathBuf {
    let ids: Vec<i64> = (0..rows).collect();
    let place = rows_of(folder, &ids, b"");
    let (about, records) = parts(&place, ROWS_METADATA);
    let records: Vec<_> = records.iter().map(|record| record.data()).collect();
    let mut record = records.concat();
    record.resize(bytes, 0);
    let schema = RECORDS.replace("(32)", &format!("({bytes})"));
    let (about, record) = (Some((ROWS_METADATA, about.to_string())), [record.into()]);
    write_encoded::<FixedLenByteArrayType>(&place, &schema, &record, about, encoding);
    place
}

/// A page has plain records, as many as it says, and nothing else.
#[test]
fn other_pages_of_records_are_refused() {
    // A page's header in the compact form of Thrift, in which numbers are doubled: of data, and of a
    // dictionary.
    const DATA: &[u8] = &[21, 0, 21, 64, 21, 64, 44, 21, 2, 21, 0, 21, 6, 21, 6];
    const DICTIONARY: &[u8] = &[21, 4, 21, 64, 21, 64, 76, 21, 2, 21, 0, 17, 21, 134, 0];
    // A column's type and length.
    const RECORD: &[u8] = &[21, 14, 21, 64, 21];
    const STRING: &[u8] = &[21, 12, 21, 64, 21];
    const RECORD_OF_33: &[u8] = &[21, 14, 21, 66, 21];
    const RECORD_OF_64: &[u8] = &[21, 14, 21, 128, 1, 21];
    const LONG_FORM: &[u8] = &[21, 14, 21, 192, 0, 21];
    let folder = tempfile::tempdir().unwrap();
    let place = one_record(folder.path(), 1, 32, Form::PLAIN);
    assert_eq!(read_rows(&place, b"").unwrap().len(), 1);
    for (rows, bytes, old, new) in [
        (1, 33, RECORD_OF_33, RECORD),
        (2, 64, RECORD_OF_64, LONG_FORM),
        (1, 32, RECORD, STRING),
        (1, 32, DATA, DICTIONARY),
    ] {
        let place = one_record(folder.path(), rows, bytes, Form::PLAIN);
        replace(&place, old, new);
        let error = read_rows(&place, b"").err().expect("an error");
        assert!(error.contains("are not digests"), "{old:?}: {error}");
    }
    let place = one_record(folder.path(), 1, 32, Form::BYTE_STREAM_SPLIT);
    assert!(read_rows(&place, b"").is_err_and(|error| error.contains("are not digests")));
}

#[test]
fn rows_of_another_key_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (made, read) in [(&b"key"[..], &b""[..]), (b"key", b"keys"), (b"", b"key")] {
        let place = rows(folder.path(), made);
        assert!(
            read_rows(&place, read).is_err_and(|error| error.contains("the key is another one"))
        );
    }
}
