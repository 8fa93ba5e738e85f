// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests small manifests as Parquet whose values become gigabytes when they are decoded, and texts
//! with lines of gigabytes.

#![cfg(target_os = "linux")]

mod common;
#[path = "common/tables.rs"]
#[allow(dead_code, reason = "what other manifests need")]
mod tables;

use std::fs::{self, File};
use std::sync::Arc;

use common::{Done, Text, run_with, sparse};
use parquet::basic::{Compression, Encoding, Type};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tempfile::TempDir;

const ROWS: usize = 50_000;
const PATH: usize = 0;
const DIGEST: usize = 2;
const LEAF: usize = 3;
const MEMORY_KIB: u64 = 400 << 10;

/// The column of strings `column` has these values, another one the same short value in all rows.
fn write(dir: &TempDir, column: usize, values: &[ByteArray], properties: WriterProperties) {
    let schema = parse_message_type(&format!("message manifest {{ {} }}", tables::SCHEMA));
    let schema = Arc::new(schema.expect("a schema"));
    let out = File::create(dir.path().join("M.parquet")).expect("a file");
    let file = SerializedFileWriter::new(out, schema.clone(), Arc::new(properties));
    let mut file = file.expect("a file");
    let mut group = file.next_row_group().expect("a group");
    for (index, field) in schema.get_fields().iter().enumerate() {
        let levels = field.is_optional().then(|| vec![1; ROWS]);
        let mut writer = group.next_column().expect("a column").expect("a column");
        let written = if field.get_physical_type() == Type::INT64 {
            let writer = writer.typed::<Int64Type>();
            writer.write_batch(&[1; ROWS], levels.as_deref(), None)
        } else {
            let same = vec![ByteArray::from("ok"); ROWS];
            let values = if index == column { values } else { &same };
            let writer = writer.typed::<ByteArrayType>();
            writer.write_batch(values, levels.as_deref(), None)
        };
        written.expect("values of that type");
        writer.close().expect("a column");
    }
    group.close().expect("a group");
    for (key, value) in [
        ("format", "finalist-manifest-2"),
        ("algorithm", "blake2s"),
        ("digest_bits", "16"),
        ("keyed", "false"),
        ("salt", ""),
        ("personal", ""),
        ("count", "50000"),
        ("root", "0000"),
    ] {
        let pair = KeyValue::new(format!("finalist.{key}"), value.to_owned());
        file.append_key_value_metadata(pair);
    }
    file.close().expect("a file");
    let bytes = fs::metadata(dir.path().join("M.parquet")).expect("a file");
    assert!(bytes.len() < 1 << 20, "{} bytes", bytes.len());
}

/// Runs the tool with little memory.
fn limited(dir: &TempDir, line: &str) -> Done {
    let tool = env!("CARGO_BIN_EXE_finalist");
    let line = format!("ulimit -v {MEMORY_KIB} && exec {tool} {line}");
    run_with("sh", dir.path(), &["-c", &line], b"")
}

/// Reads the manifest with little memory. Its message contains a text.
#[track_caller]
fn refused(dir: &TempDir, text: &str) {
    for line in [
        "verify M.parquet",
        "prove M.parquet ok",
        "diff M.parquet M.parquet",
    ] {
        let done = limited(dir, &format!("manifest {line}"));
        let stderr = String::from_utf8_lossy(&done.stderr.0).into_owned();
        assert!(
            stderr.starts_with("finalist: M.parquet: ") && stderr.contains(text),
            "{stderr}"
        );
        assert_eq!((done.code, done.stdout), (Some(1), Text(Vec::new())));
    }
}

#[test]
fn one_long_value_in_every_row_is_not_copied_for_all() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let one = ByteArray::from(vec![b'x'; 1 << 17]);
    for (column, text) in [
        (PATH, "the path stands twice"),
        (DIGEST, "the digest has 131072 bytes, not 2"),
        (LEAF, "the path stands twice"),
    ] {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        write(&dir, column, &vec![one.clone(); ROWS], properties.build());
        refused(&dir, text);
    }
}

#[test]
fn values_that_share_prefixes_are_decoded_in_steps() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let longest = ByteArray::from(vec![b'x'; ROWS]);
    let values: Vec<_> = (1..=ROWS).map(|bytes| longest.slice(0, bytes)).collect();
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_compression(Compression::SNAPPY)
        .set_column_encoding("path".into(), Encoding::DELTA_BYTE_ARRAY);
    let properties = properties.build();
    write(&dir, PATH, &values, properties);
    refused(&dir, "the leaf of x is not that of its row");
}

#[test]
fn a_record_of_a_journal_is_bounded() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    common::write(&dir, "d/a", "abc");
    sparse(&dir, "M.list.journal", 4 << 30);
    let done = limited(&dir, "manifest create d -o M.list");
    let stderr = String::from_utf8_lossy(&done.stderr.0).into_owned();
    assert!(
        stderr.starts_with("finalist: M.list.journal: it is of an unfinished run over other"),
        "{stderr}"
    );
}

#[test]
fn a_name_in_a_list_is_bounded() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let name = vec![b'x'; 1 << 20];
    for (bytes, text) in [
        (1 << 20, "names: name 2 is longer than 1 MiB"),
        ((1 << 20) - 1, "File name too long"),
    ] {
        common::write(&dir, "names", [b"a\0", &name[..bytes], b"\0"].concat());
        let done = limited(&dir, "sum --files0-from names");
        let stderr = String::from_utf8_lossy(&done.stderr.0).into_owned();
        assert!(stderr.contains(text), "{stderr}");
    }
}

#[test]
fn a_file_of_measurements_is_bounded() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    sparse(&dir, "long.json", 4 << 30);
    let done = limited(&dir, "report long.json");
    let stderr = String::from_utf8_lossy(&done.stderr.0).into_owned();
    let text = "long.json: longer than any file that report writes";
    assert!(stderr.contains(text), "{stderr}");
}
