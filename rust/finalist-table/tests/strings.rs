// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that byte strings are read from pages of each form: plain ones, those of a dictionary, and
//! those of an encoding that is read in another way.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use finalist_table::{Encoding, Messages, Reader, Table, Version};
use parquet::basic::Encoding as Form;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// More than are skipped at once.
const ROWS: i64 = 10_000;
const SCHEMA: &str = "message schema {
    required int64 id; required binary a; optional binary b;
    optional group c (LIST) { repeated group list { optional binary element; } } }";

fn text(id: i64, column: char) -> String {
    format!("{column} {}", "x".repeat(id as usize % 50))
}

/// Returns the second string of a row.
fn optional(id: i64) -> Option<String> {
    (id % 3 > 0).then(|| text(id, 'b'))
}

/// Returns the list of a row.
fn list(id: i64) -> Option<Vec<Option<String>>> {
    let element = |at: i64| (at != 1).then(|| text(id + at, 'c'));
    (id % 5 > 0).then(|| (0..id % 4).map(element).collect())
}

fn write_column<T: DataType>(
    group: &mut parquet::file::writer::SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    (def, rep): (&[i16], &[i16]),
) {
    let mut column = group.next_column().unwrap().unwrap();
    let written = column.typed::<T>();
    written.write_batch(values, Some(def), Some(rep)).unwrap();
    column.close().unwrap();
}

/// Writes all rows in many pages.
fn write(path: &Path, form: WriterPropertiesBuilder) {
    let properties = form
        .set_column_encoding("id".into(), Form::PLAIN)
        .set_write_batch_size(20)
        .set_data_page_size_limit(300);
    let (file, schema) = (File::create(path).unwrap(), parse_message_type(SCHEMA));
    let schema = Arc::new(schema.unwrap());
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let ids: Vec<i64> = (0..ROWS).collect();
    let zeros = vec![0; ids.len()];
    let bytes = |text: String| ByteArray::from(text.into_bytes());
    write_column::<Int64Type>(&mut group, &ids, (&zeros, &zeros));
    let strings: Vec<_> = ids.iter().map(|&id| bytes(text(id, 'a'))).collect();
    write_column::<ByteArrayType>(&mut group, &strings, (&zeros, &zeros));
    let optionals: Vec<_> = ids.iter().map(|&id| optional(id).map(bytes)).collect();
    let def: Vec<i16> = optionals.iter().map(|one| one.is_some().into()).collect();
    let strings: Vec<_> = optionals.into_iter().flatten().collect();
    write_column::<ByteArrayType>(&mut group, &strings, (&def, &zeros));
    let (mut strings, mut def, mut rep) = (Vec::new(), Vec::new(), Vec::new());
    for id in ids {
        let list = list(id);
        if list.as_ref().is_none_or(Vec::is_empty) {
            def.push(list.is_some().into());
            rep.push(0);
        }
        for (at, element) in list.into_iter().flatten().enumerate() {
            def.push(2 + i16::from(element.is_some()));
            rep.push((at > 0).into());
            strings.extend(element.map(bytes));
        }
    }
    write_column::<ByteArrayType>(&mut group, &strings, (&def, &rep));
    group.close().unwrap();
    writer.close().unwrap();
}

fn encoded(id: i64) -> Vec<u8> {
    let encoding = Encoding {
        version: Version::Nested,
        by_value: false,
    };
    let mut out = Vec::new();
    let row = encoding.begin(&mut out).signed_64(id);
    let row = row.binary(text(id, 'a').as_bytes());
    let row = match optional(id) {
        Some(value) => row.binary(value.as_bytes()),
        None => row.null(),
    };
    match list(id) {
        Some(list) => list
            .iter()
            .fold(row.list(list.len()), |row, element| match element {
                Some(element) => row.binary(element.as_bytes()),
                None => row.null(),
            }),
        None => row.null(),
    };
    out
}

/// Reads all rows, or those for which the function returns true. Returns them in the parts in which
/// they are read.
fn parts(table: &Table, is_chosen: Option<fn(i64) -> bool>) -> Vec<Vec<Vec<u8>>> {
    let columns: Vec<usize> = (1..table.columns().len()).collect();
    let mut reader = Reader::new(table, [&[0], &columns, &[]], false);
    let (mut messages, mut found) = (Messages::default(), Vec::new());
    loop {
        let is_read = match is_chosen {
            None => reader.next(&mut messages),
            Some(is_chosen) => reader.next_chosen(&mut messages, |keys, chosen| {
                // Versions and types precede the numbers.
                let ids = (0..keys.len()).filter_map(|row| keys.part(row, 1)[2..].first_chunk());
                chosen.extend(ids.map(|&id| is_chosen(i64::from_le_bytes(id))));
                Ok(())
            }),
        };
        if !is_read.unwrap() {
            return found;
        }
        let rows = (0..messages.len()).map(|row| messages.part(row, 3).to_vec());
        found.push(rows.collect());
    }
}

fn rows(table: &Table, is_chosen: Option<fn(i64) -> bool>) -> Vec<Vec<u8>> {
    parts(table, is_chosen).concat()
}

fn is_rare(id: i64) -> bool {
    [1, 2, 8, 9001, 9002, 9009, 9500, ROWS - 1].contains(&id)
}

#[test]
fn strings_are_read_and_skipped_in_pages_of_each_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let of = |version| WriterProperties::builder().set_writer_version(version);
    let plain = |version| of(version).set_dictionary_enabled(false);
    for (name, form) in [
        ("dictionary", of(WriterVersion::PARQUET_1_0)),
        ("dictionary, new", of(WriterVersion::PARQUET_2_0)),
        (
            "a full dictionary",
            of(WriterVersion::PARQUET_1_0).set_dictionary_page_size_limit(1000),
        ),
        ("plain", plain(WriterVersion::PARQUET_1_0)),
        (
            "plain, new",
            plain(WriterVersion::PARQUET_2_0).set_encoding(Form::PLAIN),
        ),
        (
            "differences",
            plain(WriterVersion::PARQUET_1_0).set_encoding(Form::DELTA_BYTE_ARRAY),
        ),
    ] {
        write(&path, form);
        let table = Table::open(&path).unwrap();
        let all: Vec<_> = (0..ROWS).map(encoded).collect();
        assert!(rows(&table, None) == all, "{name}");
        assert!(rows(&table, Some(|_| true)) == all, "{name}");
        let few: Vec<_> = (0..ROWS).filter(|&id| is_rare(id)).map(encoded).collect();
        assert!(rows(&table, Some(is_rare)) == few, "{name}");
    }
}

/// Messages that are hashed at a time have up to 256 KiB, here exactly.
#[test]
fn rows_are_returned_some_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let schema = "message schema { required int64 id; required binary a; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(&path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let (ids, zeros) = (Vec::from_iter(0..ROWS), vec![0; ROWS as usize]);
    write_column::<Int64Type>(&mut group, &ids, (&zeros, &zeros));
    // 128 bytes a row, with the version, two types, a number and a length.
    let text = ByteArray::from(vec![b'x'; 128 - 1 - (1 + 8) - (1 + 8)]);
    write_column::<ByteArrayType>(&mut group, &vec![text; ids.len()], (&zeros, &zeros));
    group.close().unwrap();
    writer.close().unwrap();
    let table = Table::open(&path).unwrap();
    for is_chosen in [None, Some((|_| true) as fn(i64) -> bool)] {
        let parts = parts(&table, is_chosen);
        let counts: Vec<usize> = parts.iter().map(Vec::len).collect();
        assert_eq!(counts.iter().sum::<usize>() as i64, ROWS);
        assert_eq!(counts.iter().max(), Some(&2048), "{counts:?}");
        assert!(parts.iter().flatten().all(|row| row.len() == 128));
    }
}
