// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that all rows are compared: when more differ than one chunk of the second pass holds, and
//! when threads read several row groups.

use std::fs::{self, File};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use finalist::{Algorithm, Params, hash};
use finalist_table::{
    Buckets, DiffOptions, Messages, Reader, RecordParameters, Rows, Table, diff, diff_digests,
    diff_rows,
};
use parquet::data_type::Int64Type;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const ROWS: i64 = 200_000;
const GROUP_ROWS: usize = 70_000;
/// Bytes of the encoding of an int64.
const CELL_BYTES: usize = 9;

/// Writes a table with these values of `id` and `value`.
fn write(path: &Path, ids: &[i64], values: &[i64]) -> Table {
    write_named(path, "value", ids, values)
}

/// Writes a table with these values of `id` and of a column of this name.
fn write_named(path: &Path, name: &str, ids: &[i64], values: &[i64]) -> Table {
    let schema = format!("message schema {{ required int64 id; required int64 {name}; }}");
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, properties).unwrap();
    let groups = ids.chunks(GROUP_ROWS).zip(values.chunks(GROUP_ROWS));
    for (ids, values) in groups {
        let mut group = writer.next_row_group().unwrap();
        for cells in [ids, values] {
            let mut column = group.next_column().unwrap().unwrap();
            let typed = column.typed::<Int64Type>();
            typed.write_batch(cells, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    Table::open(path).unwrap()
}

fn options() -> DiffOptions {
    DiffOptions {
        keys: vec!["id".to_owned()],
        ..DiffOptions::default()
    }
}

#[test]
fn every_row_differs() {
    let folder = tempfile::tempdir().unwrap();
    let ids: Vec<i64> = (0..ROWS).collect();
    let reversed: Vec<i64> = (1..=ROWS).rev().collect();
    let old = write(&folder.path().join("old.parquet"), &ids, &ids);
    let values: Vec<i64> = reversed.iter().map(|id| id + 1).collect();
    let new = write(&folder.path().join("new.parquet"), &reversed, &values);
    let found = diff(&old, &new, &options()).unwrap();
    assert_eq!((found.rows.added.len(), found.rows.removed.len()), (1, 1));
    assert_eq!(found.rows.changed.len() as i64, ROWS - 1);
    for (old, new) in found.rows.changed {
        let (old, new) = (found.old.row(old), found.new.row(new));
        assert_eq!(old.len(), 2 * CELL_BYTES);
        assert_eq!(old[..CELL_BYTES], new[..CELL_BYTES]);
        assert_ne!(old[CELL_BYTES..], new[CELL_BYTES..]);
    }
}

#[test]
fn columns_that_were_not_asked_for_are_not_missed() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] =
        ["value", "other"].map(|name| write_named(&folder.path().join(name), name, &[1], &[2]));
    let all = diff(&old, &new, &options()).unwrap().columns;
    assert_eq!((all.added.len(), all.dropped.len()), (1, 1));
    let none = DiffOptions {
        columns: Some(Vec::new()),
        ..options()
    };
    let none = diff(&old, &new, &none).unwrap().columns;
    assert!(none.added.is_empty() && none.dropped.is_empty());
}

/// One thread reads all of them.
#[test]
fn a_folder_is_the_table_of_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let ids: Vec<i64> = (0..40).collect();
    let whole = write(&path("whole"), &ids, &ids);
    fs::create_dir(path("parts")).unwrap();
    for (name, ids) in ["1", "2", "3", "4"].iter().zip(ids.chunks(10)) {
        write(&path("parts").join(name), ids, ids);
    }
    for name in [".1.crc", "_SUCCESS"] {
        fs::write(path("parts").join(name), "no table").unwrap();
    }
    let parts = Table::open(&path("parts")).unwrap();
    assert!(diff(&whole, &parts, &options()).unwrap().is_equal());
}

#[test]
fn tables_with_equal_buckets_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| write(&folder.path().join(name), &[1], &[2]));
    let [old_buckets, new_buckets] =
        [&old, &new].map(|table| Some(Buckets::new(table, parameters(), b"").unwrap()));
    for name in ["old", "new"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let given = DiffOptions {
        old_buckets,
        new_buckets,
        ..options()
    };
    assert!(diff(&old, &new, &given).unwrap().is_equal());
    assert!(diff(&old, &new, &options()).is_err());
}

/// Each is read by another thread.
#[test]
fn a_table_that_vanishes_before_the_second_pass_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["old", "new"] {
        let path = folder.path().join(name);
        let old = write(&folder.path().join("old"), &[1], &[2]);
        let new = write(&folder.path().join("new"), &[1], &[3]);
        let [old_buckets, new_buckets] =
            [&old, &new].map(|table| Some(Buckets::new(table, parameters(), b"").unwrap()));
        let given = DiffOptions {
            old_buckets,
            new_buckets,
            ..options()
        };
        fs::remove_file(&path).unwrap();
        let Err(error) = diff(&old, &new, &given) else {
            panic!("{name} is not missed");
        };
        let text = String::from_utf8(error.0).unwrap();
        assert!(text.contains(path.to_str().unwrap()), "{text}");
    }
}

/// There are as many as processors, if there is a row group for each.
#[test]
fn threads_share_row_groups() {
    let folder = tempfile::tempdir().unwrap();
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    for rows in [1, ROWS] {
        let ids: Vec<i64> = (0..rows).collect();
        let table = write(&folder.path().join("table"), &ids, &ids);
        let (threads, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let groups = [&[0][..], &[1], &[]];
        let done = Reader::in_threads(&table, groups, false, |mut reader| {
            threads.fetch_add(1, Ordering::Relaxed);
            let mut messages = Messages::default();
            while reader.next(&mut messages)? {
                found.fetch_add(messages.len(), Ordering::Relaxed);
            }
            Ok(())
        });
        done.unwrap();
        let row_groups = ids.len().div_ceil(GROUP_ROWS);
        assert_eq!(threads.into_inner(), processors.min(row_groups));
        assert_eq!(found.into_inner(), ids.len());
    }
}

#[test]
fn an_error_in_one_thread_is_returned() {
    let folder = tempfile::tempdir().unwrap();
    let ids: Vec<i64> = (0..ROWS).collect();
    let table = write(&folder.path().join("table"), &ids, &ids);
    let this = thread::current().id();
    for fails_here in [true, false] {
        let failed = AtomicUsize::new(0);
        let done = Reader::in_threads(&table, [&[0], &[1], &[]], false, |_| {
            if (thread::current().id() == this) != fails_here {
                return Ok(());
            }
            failed.fetch_add(1, Ordering::Relaxed);
            table.find(&["absent".to_owned()]).map(drop)
        });
        assert_eq!(done.is_err(), failed.into_inner() > 0);
    }
}

fn parameters() -> RecordParameters {
    RecordParameters {
        keys: vec!["id".to_owned()],
        columns: vec!["value".to_owned()],
        by_value: false,
    }
}

fn key_digest(id: i64) -> Vec<u8> {
    let encoding = [&[2, 2][..], &id.to_le_bytes()].concat();
    let params = Params::new().digest_bytes(16);
    hash(Algorithm::Blake2s, &params, &encoding).unwrap()
}

#[test]
fn digests_of_rows_replace_both_tables() {
    let folder = tempfile::tempdir().unwrap();
    let ids: Vec<i64> = (0..5000).chain([6]).collect();
    let old = write(&folder.path().join("old.parquet"), &ids, &ids);
    let ids: Vec<i64> = (1..=5000).rev().chain([5, 7, 7]).collect();
    let is_changed = |id: i64| i64::from(id % 1000 == 1);
    let values: Vec<i64> = ids.iter().map(|id| id + is_changed(*id)).collect();
    let new = write(&folder.path().join("new.parquet"), &ids, &values);
    let old_table = old;
    let [old, new] = [&old_table, &new].map(|table| Rows::new(table, parameters(), b"").unwrap());
    let found = diff_digests(&old, &new, &options()).unwrap();
    assert_eq!((found.keys, found.compared), (1, 1));
    let found = found.rows;
    let keys_alone = DiffOptions {
        columns: Some(Vec::new()),
        ..options()
    };
    let parameters = RecordParameters {
        columns: Vec::new(),
        ..parameters()
    };
    let ids = Rows::new(&old_table, parameters, b"").unwrap();
    let equal = diff_digests(&ids, &ids, &keys_alone).unwrap();
    assert!(equal.is_equal());
    assert_eq!((equal.keys, equal.compared), (1, 0));
    let sorted = |mut digests: Vec<Vec<u8>>| {
        digests.sort();
        digests
    };
    let expected = |ids: &[i64]| sorted(ids.iter().map(|&id| key_digest(id)).collect());
    let keys = |rows: &Rows, places: &[i64]| {
        let digests = places.iter().map(|&place| rows.key_digest(place).to_vec());
        sorted(digests.collect())
    };
    assert_eq!(keys(&new, &found.added), expected(&[5000]));
    assert_eq!(keys(&old, &found.removed), expected(&[0]));
    let (in_old, in_new): (Vec<i64>, Vec<i64>) = found.changed.iter().copied().unzip();
    let changed = expected(&[1, 1001, 2001, 3001, 4001]);
    assert_eq!(
        [keys(&old, &in_old), keys(&new, &in_new)],
        [changed.clone(), changed]
    );
    let twice = found.duplicates.iter().map(|key| {
        let side = if key.is_old { &old } else { &new };
        (
            side.key_digest(key.row).to_vec(),
            key.old_count,
            key.new_count,
        )
    });
    let mut twice: Vec<_> = twice.collect();
    twice.sort();
    let mut expected =
        [(5, 1, 2), (6, 2, 1), (7, 1, 3)].map(|(id, old, new)| (key_digest(id), old, new));
    expected.sort();
    assert_eq!(twice, expected);
    assert!(diff_digests(&new, &new, &options()).unwrap().is_equal());
}

#[test]
fn digests_of_rows_replace_the_old_table() {
    let folder = tempfile::tempdir().unwrap();
    let ids: Vec<i64> = (0..ROWS).chain([5, 5, 6]).collect();
    let old = write(&folder.path().join("old.parquet"), &ids, &ids);
    let new_ids: Vec<i64> = (1..=ROWS).rev().chain([5, 5]).collect();
    let values: Vec<i64> = new_ids
        .iter()
        .map(|id| id + i64::from(id % 1000 == 1))
        .collect();
    let new = write(&folder.path().join("new.parquet"), &new_ids, &values);
    let place = folder.path().join("old.rows");
    Rows::new(&old, parameters(), b"")
        .unwrap()
        .write(&place)
        .unwrap();
    let rows = Rows::read(&Table::open(&place).unwrap(), b"").unwrap();
    let found = diff_rows(&rows, &new, &options()).unwrap();
    let known = diff(&old, &new, &options()).unwrap();
    assert_eq!(known.rows.changed.len(), 200);
    let added = |diff: &finalist_table::TableDiff| -> Vec<Vec<u8>> {
        let rows = diff.rows.added.iter();
        rows.map(|&row| diff.new.row(row).to_vec()).collect()
    };
    assert_eq!((added(&found), found.rows.added.len()), (added(&known), 1));
    let changed = |diff: &finalist_table::TableDiff| -> Vec<Vec<u8>> {
        let rows = diff.rows.changed.iter();
        let mut rows: Vec<_> = rows.map(|&(_, row)| diff.new.row(row).to_vec()).collect();
        rows.sort();
        rows
    };
    assert_eq!(changed(&found), changed(&known));
    let removed: Vec<_> = found
        .rows
        .removed
        .iter()
        .map(|&row| rows.key_digest(row))
        .collect();
    assert_eq!(removed, [key_digest(0)]);
    let [duplicate] = &found.rows.duplicates[..] else {
        panic!("{:?}", found.rows.duplicates);
    };
    assert_eq!(
        (duplicate.old_count, duplicate.new_count, duplicate.is_old),
        (2, 1, true)
    );
    assert_eq!(rows.key_digest(duplicate.row), key_digest(6));
}

/// The digests of either table.
#[test]
fn digests_of_rows_with_other_parameters_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = write(&folder.path().join("a.parquet"), &[1, 2], &[3, 4]);
    let other = write(&folder.path().join("b.parquet"), &[1, 2], &[3, 4]);
    let rows = |table: &Table, by_value: bool, columns: &[String]| {
        let parameters = RecordParameters {
            columns: columns.to_vec(),
            by_value,
            ..parameters()
        };
        Rows::new(table, parameters, b"").unwrap()
    };
    let columns = parameters().columns;
    let (exact, by_value) = (rows(&table, false, &columns), rows(&other, true, &columns));
    let refusal = |found: Result<finalist_table::TableDiff, finalist_table::TableError>| {
        let error = found.map(drop).expect_err("refused").0;
        String::from_utf8_lossy(&error).into_owned()
    };
    let numbers = "its digests of rows were made with --numbers";
    let error = refusal(diff_digests(&exact, &by_value, &options()));
    let expected = format!("b.parquet: {numbers} by-value, not exact");
    assert!(error.ends_with(&expected), "{error}");
    let asked = DiffOptions {
        by_value: true,
        ..options()
    };
    for error in [
        diff_digests(&exact, &by_value, &asked),
        diff_rows(&exact, &other, &asked),
    ] {
        let error = refusal(error);
        let expected = format!("a.parquet: {numbers} exact, not by-value");
        assert!(error.ends_with(&expected), "{error}");
    }
    assert!(diff_digests(&by_value, &by_value, &asked).is_ok());
    let error = refusal(diff_digests(&exact, &rows(&other, false, &[]), &options()));
    let expected = "b.parquet: its digests of rows have the columns '', not 'value'";
    assert!(error.ends_with(expected), "{error}");
}

/// The file's end is not read, so nothing else tells the change.
#[test]
fn a_table_that_changes_within_a_row_group_is_refused_at_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let ids: Vec<i64> = (0..ROWS).collect();
    let table = write(&path, &ids, &ids);
    let mut reader = Reader::new(&table, [&[0], &[1], &[]], false);
    let (mut messages, mut rows) = (Messages::default(), 0);
    let error = loop {
        match reader.next(&mut messages) {
            Ok(true) => rows += messages.len(),
            Ok(false) => panic!("all rows were read"),
            Err(error) => break error,
        }
        if rows < GROUP_ROWS / 2 {
            continue;
        }
        let file = File::options().append(true).open(&path).unwrap();
        file.set_len(file.metadata().unwrap().len() + 1).unwrap();
    };
    assert!(error.0.ends_with(b": it was changed while it was read"));
    assert!(rows < GROUP_ROWS, "{rows} rows");
}
