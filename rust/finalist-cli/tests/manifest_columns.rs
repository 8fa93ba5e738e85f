// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests manifests as Parquet: columns, types, nulls, rows and metadata that are refused or
//! accepted, and the tool's output.

mod common;
#[path = "common/tables.rs"]
mod tables;

use std::fs::{self, File};

use common::manifests::{gives, manifest, manifest_with, prints};
use common::{Text, write};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::parser::parse_message_type;
use tables::{
    CHANGED, DIGEST, INODE, LEAF, MODIFIED, NULLABLE, PATH, SCHEMA, SIZE, STATUS, Table, Value,
    bytes,
};
use tempfile::TempDir;

/// Returns a directory `d`, its manifest M.parquet with a row of a missing file, and the manifest's
/// content.
fn directory() -> (TempDir, Table) {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    write(&dir, "d/a", "abc");
    write(&dir, "d/c", "");
    let line = "create d -l 64 -o M.parquet --files0-from -";
    assert_eq!(manifest_with(&dir, line, b"a\0b\0c").code, Some(1));
    let table = Table::read(&dir.path().join("M.parquet"));
    assert_eq!(table.rows.len(), 3);
    (dir, table)
}

#[track_caller]
fn refused(dir: &TempDir, table: &Table, change: impl FnOnce(&mut Table), text: &str) {
    let mut changed = table.clone();
    change(&mut changed);
    changed.write(&dir.path().join("M.parquet"));
    let text = format!("finalist: M.parquet: {text}\n");
    gives(dir, "verify M.parquet", 1, "", &text);
    gives(dir, "update M.parquet d -o N.parquet", 1, "", &text);
}

#[track_caller]
fn accepted(dir: &TempDir, table: &Table, change: impl FnOnce(&mut Table)) {
    let mut changed = table.clone();
    change(&mut changed);
    changed.write(&dir.path().join("M.parquet"));
    gives(dir, "verify M.parquet", 0, "M.parquet: OK\n", "");
}

#[test]
fn what_is_written_is_what_the_system_tells() {
    let (dir, table) = directory();
    let [first, gone, last] = &table.rows[..] else {
        panic!("{:?}", table.rows);
    };
    assert_eq!(
        [&first[PATH], &gone[PATH], &last[PATH]],
        [&bytes("a"), &bytes("b"), &bytes("c")]
    );
    assert_eq!(
        [&first[SIZE], &last[SIZE]],
        [&Value::Number(3), &Value::Number(0)]
    );
    assert_eq!(
        [&first[STATUS], &gone[STATUS]],
        [&bytes("ok"), &bytes("vanished")]
    );
    for column in [SIZE, DIGEST, MODIFIED, CHANGED, INODE] {
        assert_eq!(gone[column], Value::Null);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(dir.path().join("d/a")).expect("it is there");
        let time = |seconds, more| Value::Number(seconds * 1_000_000_000 + more);
        assert_eq!(first[MODIFIED], time(found.mtime(), found.mtime_nsec()));
        assert_eq!(first[CHANGED], time(found.ctime(), found.ctime_nsec()));
        assert_eq!(first[INODE], Value::Number(found.ino() as i64));
    }
    let file = File::open(dir.path().join("M.parquet")).expect("a file");
    let file = SerializedFileReader::new(file).expect("Parquet");
    let found = file.metadata().file_metadata().schema();
    let expected = parse_message_type(&format!("message manifest {{ {SCHEMA} }}"));
    assert_eq!(found, &expected.expect("a schema"));
    let keys: Vec<_> = table
        .metadata
        .iter()
        .map(|(key, _)| &key["finalist.".len()..])
        .collect();
    let names = "format algorithm digest_bits keyed salt personal count root";
    assert_eq!(keys.join(" "), names);
}

#[test]
fn other_columns_and_types_are_refused() {
    let (dir, table) = directory();
    let wanted = "path, size, digest, leaf, status, modified_ns, changed_ns, inode";
    let version_1 = "path, size, digest, leaf, status, modified_ns";
    for (from, to, found) in [
        (" optional int64 inode;", "", wanted.replace(", inode", "")),
        (
            "optional int64 changed_ns; optional int64 inode;",
            "",
            version_1.to_owned(),
        ),
        (
            "int64 inode;",
            "int64 node;",
            wanted.replace("inode", "node"),
        ),
        (
            "optional int64 inode;",
            "optional int64 inode; optional int64 more;",
            format!("{wanted}, more"),
        ),
        (
            "required binary path;",
            "required group it { required binary path; }",
            wanted.replace("path", "it.path"),
        ),
    ] {
        let schema = table
            .schema
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(format!("{schema} ").contains(from), "{from}");
        let change = |table: &mut Table| {
            table.schema = schema.replace(from, to);
            table
                .rows
                .iter_mut()
                .for_each(|row| row.push(Value::Number(0)));
        };
        let text = format!("the columns are {found}, not {wanted}");
        refused(&dir, &table, change, &text);
    }
    for (column, from, to) in [
        ("path", "binary path", "binary path (STRING)"),
        ("status", "binary status (STRING)", "binary status"),
        ("digest", "binary digest", "int64 digest"),
        ("size", "int64 size", "int64 size (INTEGER(64,false))"),
        (
            "modified_ns",
            "int64 modified_ns",
            "int64 modified_ns (TIMESTAMP(NANOS,true))",
        ),
        ("inode", "int64 inode", "int64 inode (INTEGER(64,false))"),
        ("changed_ns", "int64 changed_ns", "binary changed_ns"),
        ("inode", "optional int64 inode", "repeated int64 inode"),
    ] {
        assert!(table.schema.contains(from));
        let change = |table: &mut Table| {
            table.schema = table.schema.replace(from, to);
            table.rows.clear();
        };
        refused(
            &dir,
            &table,
            change,
            &format!("the column '{column}' has another type"),
        );
    }
    accepted(&dir, &table, |table| table.schema = NULLABLE.to_owned());
    accepted(&dir, &table, |table| {
        table.schema = table
            .schema
            .replace("int64 inode", "int64 inode (INTEGER(64,true))");
    });
}

#[test]
fn rows_that_cannot_be_are_refused() {
    let (dir, mut table) = directory();
    table.schema = NULLABLE.to_owned();
    let of_ok = "null in the size or digest of a file with the status 'ok'";
    let of_fault = "size, digest, time or inode of a file whose status is not 'ok'";
    let number = || Value::Number(1);
    for (row, column, value, text) in [
        (0, PATH, Value::Null, "null in the column 'path'"),
        (0, LEAF, Value::Null, "null in the column 'leaf'"),
        (0, STATUS, Value::Null, "null in the column 'status'"),
        (0, SIZE, Value::Null, of_ok),
        (0, DIGEST, Value::Null, of_ok),
        (1, SIZE, number(), of_fault),
        (1, DIGEST, bytes("12345678"), of_fault),
        (1, MODIFIED, number(), of_fault),
        (1, CHANGED, number(), of_fault),
        (1, INODE, number(), of_fault),
        (0, STATUS, bytes("vanished"), of_fault),
        (1, STATUS, bytes("ok"), of_ok),
        (0, STATUS, bytes("OK"), "unknown status 'OK'"),
        (1, STATUS, bytes("lost"), "unknown status 'lost'"),
        (0, SIZE, Value::Number(-1), "row 0, a: the size is negative"),
        (
            0,
            SIZE,
            Value::Number(i64::MIN),
            "row 0, a: the size is negative",
        ),
        (
            0,
            SIZE,
            Value::Number(4),
            "the leaf of a is not that of its row",
        ),
        (
            0,
            DIGEST,
            bytes("1234567"),
            "row 0, a: the digest has 7 bytes, not 8",
        ),
        (
            0,
            DIGEST,
            bytes("123456789"),
            "row 0, a: the digest has 9 bytes, not 8",
        ),
        (
            0,
            DIGEST,
            bytes("12345678"),
            "the leaf of a is not that of its row",
        ),
        (
            0,
            LEAF,
            bytes("12345678"),
            "the leaf of a is not that of its row",
        ),
        (
            0,
            LEAF,
            bytes("1234567"),
            "the leaf of a is not that of its row",
        ),
        (
            1,
            STATUS,
            bytes("changed"),
            "the leaf of b is not that of its row",
        ),
        (
            1,
            STATUS,
            bytes("unlisted"),
            "row 1, b: the path of a directory does not end with '/'",
        ),
        (0, PATH, bytes(""), "row 0, '': the path is empty"),
        (0, PATH, bytes("/a"), "row 0, /a: the path is absolute"),
        (
            0,
            PATH,
            bytes("a/"),
            "row 0, a/: the path has an empty component, or '.'",
        ),
        (
            0,
            PATH,
            bytes("a//b"),
            "row 0, a//b: the path has an empty component, or '.'",
        ),
        (
            0,
            PATH,
            bytes("a/./b"),
            "row 0, a/./b: the path has an empty component, or '.'",
        ),
        (
            0,
            PATH,
            bytes("a/.."),
            "row 0, a/..: the path contains '..'",
        ),
        (
            0,
            PATH,
            bytes("a\0"),
            "row 0, 'a'$'\\000': the path contains NUL",
        ),
        (0, PATH, bytes("b"), "row 1, b: the path stands twice"),
        (
            0,
            PATH,
            bytes("b/a"),
            "row 1, b: the rows are not sorted by path",
        ),
    ] {
        let change = |table: &mut Table| table.rows[row][column] = value;
        refused(&dir, &table, change, text);
    }
    let long = Value::Bytes([b"a".repeat(1 << 20), b"b".to_vec()].concat());
    let mut changed = table.clone();
    changed.rows[0][PATH] = long;
    changed.write(&dir.path().join("M.parquet"));
    let done = manifest(&dir, "verify M.parquet");
    let text = String::from_utf8_lossy(&done.stderr.0).into_owned();
    assert!(
        text.ends_with("ab: the path is longer than 1 MiB\n"),
        "{text}"
    );
    assert!(text.len() < 400);
    refused(
        &dir,
        &table,
        |table| drop(table.rows.pop()),
        "the manifest has 2 rows and claims 3",
    );
    let change = |table: &mut Table| table.rows.swap(0, 1);
    refused(
        &dir,
        &table,
        change,
        "row 1, a: the rows are not sorted by path",
    );
}

/// Times and inodes are any numbers or null, and decide which files `update` reads.
#[test]
fn times_and_inodes_are_compared_as_they_are() {
    let (dir, table) = directory();
    let read = |column: usize, value: Value| {
        accepted(&dir, &table, |table| table.rows[0][column] = value);
        let done = manifest(&dir, "update M.parquet d -o N.parquet");
        assert_eq!(done.code, Some(0), "{done:?}");
        String::from_utf8_lossy(&done.stderr.0).contains("2 files: 1 read, 1 unchanged")
    };
    let same = |column: usize| table.rows[0][column].clone();
    assert!(!read(MODIFIED, same(MODIFIED)));
    for column in [MODIFIED, CHANGED, INODE] {
        let is_told = same(column) != Value::Null;
        assert_eq!(read(column, Value::Null), is_told);
        for number in [0, -1, i64::MIN, i64::MAX] {
            assert!(read(column, Value::Number(number)));
        }
        if let Value::Number(number) = same(column) {
            assert!(read(column, Value::Number(number + 1)));
            assert!(read(column, Value::Number(number - 1)));
        }
    }
}

#[test]
fn metadata_has_one_form() {
    let (dir, table) = directory();
    let changed = |name: &str, value: &str| {
        let key = format!("finalist.{name}");
        let value = value.to_owned();
        move |table: &mut Table| {
            let pair = table.metadata.iter_mut().find(|(found, _)| *found == key);
            pair.expect("the key").1 = value;
        }
    };
    for (name, _) in &table.metadata {
        let without = |table: &mut Table| table.metadata.retain(|(key, _)| key != name);
        let text = match &name[..] {
            "finalist.format" => "not a manifest".to_owned(),
            name => format!("the metadata '{name}' is missing"),
        };
        refused(&dir, &table, without, &text);
        let twice = |table: &mut Table| {
            let pair = table.metadata.iter().find(|(key, _)| key == name).cloned();
            table.metadata.push(pair.expect("it is there"));
        };
        let text = format!("the metadata '{name}' stands twice");
        refused(&dir, &table, twice, &text);
    }
    for (name, values) in [
        ("algorithm", &["BLAKE2b", "", "blake2b ", "md5"][..]),
        (
            "digest_bits",
            &[
                "064", "+64", " 64", "64.0", "0", "63", "520", "-64", "0x40", "",
            ],
        ),
        ("keyed", &["False", "0", "", "no"]),
        ("salt", &["0", "0G", "AB", " "]),
        ("personal", &["0", "xy", "0A"]),
        (
            "count",
            &["03", "+3", "-3", "", "3.0", "18446744073709551616"],
        ),
        ("root", &["", "00", "xy"]),
    ] {
        for value in values {
            let text = format!("invalid {name}: '{value}'");
            refused(&dir, &table, changed(name, value), &text);
        }
    }
    let root = table.metadata.last().expect("a root").1.to_uppercase();
    refused(
        &dir,
        &table,
        changed("root", &root),
        &format!("invalid root: '{root}'"),
    );
    let root = "the root is not that of the rows";
    refused(&dir, &table, changed("root", "0123456789abcdef"), root);
    refused(
        &dir,
        &table,
        changed("count", "4"),
        "the manifest has 3 rows and claims 4",
    );
    let first = "the manifest has version 1, which is not read any more: make it again";
    refused(
        &dir,
        &table,
        changed("format", "finalist-manifest-1"),
        first,
    );
    refused(
        &dir,
        &table,
        changed("format", "finalist-rows-2"),
        "not a manifest",
    );
    let keyed = "the manifest is keyed: --key-file is missing";
    refused(&dir, &table, changed("keyed", "true"), keyed);
    accepted(&dir, &table, |table| {
        table.metadata.push(("other".to_owned(), "x".to_owned()))
    });
    accepted(&dir, &table, |table| table.metadata.reverse());
}

#[test]
fn a_manifest_in_parts_has_one_form() {
    let (dir, table) = directory();
    let parts = dir.path().join("P");
    fs::create_dir(&parts).expect("a directory is made");
    for (name, rows) in [
        ("part-2.parquet", 1..3),
        ("part-1.parquet", 0..1),
        ("other.parquet", 0..3),
        ("part-3.parquet.crc", 0..3),
    ] {
        let mut part = table.clone();
        part.rows = part.rows[rows].to_vec();
        // This is ignored: only the metadata of the whole manifest are used.
        part.metadata.clear();
        part.write(&parts.join(name));
    }
    let members = table.metadata.iter();
    let members: Vec<_> = members
        .map(|(key, value)| format!("\"{key}\": \"{value}\""))
        .collect();
    let json = format!("{{{}}}", members.join(", "));
    let verify = |json: &str| {
        fs::write(parts.join("manifest.json"), json).expect("it is written");
        let done = manifest(&dir, "verify P");
        (
            done.code,
            done.stdout,
            String::from_utf8_lossy(&done.stderr.0).into_owned(),
        )
    };
    let no = || Text(Vec::new());
    assert_eq!(
        verify(&json),
        (Some(0), Text("P: OK\n".into()), String::new())
    );
    for (from, to, text) in [
        (
            "\"3\"",
            "3",
            "P/manifest.json: the metadata 'finalist.count' is no string",
        ),
        (
            "{",
            "{\"finalist.count\": \"3\", ",
            "P: the metadata 'finalist.count' stands twice",
        ),
        ("\"3\"", "\"2\"", "P: the manifest has 3 rows and claims 2"),
        ("{", "[", "P/manifest.json: "),
        ("}", "} x", "P/manifest.json: trailing characters"),
        ("manifest-2", "manifest-1", "P: the manifest has version 1"),
    ] {
        let changed = json.replacen(from, to, 1);
        assert_ne!(changed, json);
        let (code, out, error) = verify(&changed);
        assert_eq!((code, out), (Some(1), no()), "{to}");
        assert!(error.starts_with(&format!("finalist: {text}")), "{error}");
    }
    let (_, _, error) = verify(&(json.clone() + &" ".repeat(1 << 20) + "more"));
    let text = "finalist: P/manifest.json: it has more than 1048576 bytes\n";
    assert_eq!(error, text);
    fs::rename(parts.join("part-1.parquet"), parts.join("part-3.parquet")).expect("it is renamed");
    let (_, _, error) = verify(&json);
    assert_eq!(
        error,
        "finalist: P: row 2, a: the rows are not sorted by path\n"
    );
    fs::rename(parts.join("part-3.parquet"), parts.join("part-1.parquet")).expect("it is renamed");
    for content in ["PAR1", ""] {
        write(&dir, "P/part-4.parquet", content);
        let (_, _, error) = verify(&json);
        let text = "finalist: P: part-4.parquet: not a whole Parquet file";
        assert!(error.starts_with(text), "{error}");
    }
    let mut part = table.clone();
    (part.schema, part.rows) = (part.schema.replace("inode", "node"), Vec::new());
    part.write(&parts.join("part-4.parquet"));
    let (_, _, error) = verify(&json);
    let text = "finalist: P: part-4.parquet: the columns are ";
    assert!(error.starts_with(text), "{error}");
    let mut part = table.clone();
    (part.schema, part.rows[2][PATH]) = (NULLABLE.to_owned(), Value::Null);
    part.write(&parts.join("part-4.parquet"));
    let (_, _, error) = verify(&json);
    let text = "finalist: P: part-4.parquet: null in the column 'path'\n";
    assert_eq!(error, text);
    fs::remove_file(parts.join("part-4.parquet")).expect("it is removed");
    #[cfg(unix)]
    {
        let link = parts.join("part-5.parquet");
        std::os::unix::fs::symlink("gone", &link).expect("a link is made");
        let (_, _, error) = verify(&json);
        let text = "finalist: P/part-5.parquet: No such file or directory\n";
        assert_eq!(error, text);
        fs::remove_file(link).expect("it is removed");
    }
    let text = "finalist: P: a manifest in parts is not written: name another with --output\n";
    gives(&dir, "update P d", 1, "", text);
    // Its files are inputs of the update.
    for name in ["P/manifest.json", "P/part-1.parquet", "P/new"] {
        let text = format!("finalist: {name}: is in the input: write to another directory\n");
        gives(&dir, &format!("update P d -o {name}"), 1, "", &text);
    }
    assert!(prints(&dir, "root P").starts_with("Finalist-BLAKE2b-64-manifest-2 (P) = "));
    // The files of an older manifest beside the new one are rows like others.
    fs::rename(&parts, dir.path().join("d/P")).expect("it is renamed");
    prints(&dir, "update d/P d -o N.list");
    let list = fs::read_to_string(dir.path().join("N.list")).expect("it is there");
    assert!(
        list.contains("(a)") && list.contains("(P/part-1.parquet)"),
        "{list}"
    );
}
