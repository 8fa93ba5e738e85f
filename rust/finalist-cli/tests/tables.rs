// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist table`: output, files, exit codes and messages.
//! `python/tests/test_tool_tables.py` compares roots and differences of tables of all types with
//! the Python package's.

mod common;
#[path = "common/tables.rs"]
#[allow(dead_code, reason = "what manifests alone need")]
mod tables;

use std::fs::{self, File};
use std::path::Path;

use common::{Done, Text, done, run_with};
use parquet::file::reader::{FileReader, SerializedFileReader};
use tables::{Table, Value, bytes};
use tempfile::TempDir;

const SCHEMA: &str = "required int64 id; optional binary name (STRING); optional int64 price; ";

fn table(schema: &str, rows: &[Vec<Value>]) -> Table {
    Table {
        schema: schema.to_owned(),
        rows: rows.to_vec(),
        metadata: Vec::new(),
    }
}

fn row(id: i64, name: &str, price: i64) -> Vec<Value> {
    vec![Value::Number(id), bytes(name), Value::Number(price)]
}

/// Returns a folder with the tables old.parquet and new.parquet.
fn fixture() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let old = [row(1, "one", 5), row(2, "two", 6), row(3, "three", 7)];
    let new = [row(3, "three", 7), row(1, "ONE", 5), row(4, "four", 8)];
    table(SCHEMA, &old).write(&folder.path().join("old.parquet"));
    table(SCHEMA, &new).write(&folder.path().join("new.parquet"));
    folder
}

fn run(folder: &TempDir, line: &str) -> Done {
    let words: Vec<_> = ["table"].into_iter().chain(line.split(' ')).collect();
    run_with("finalist", folder.path(), &words, b"")
}

/// Requires an error about a line.
fn refuses(folder: &TempDir, line: &str, error: &str) {
    let text = format!("finalist: {error}\n");
    assert_eq!(run(folder, line), done(2, "", &text), "{line}");
}

const SUMMARY: &str = "\
old.parquet and new.parquet differ: 1 added, 1 removed, 1 changed, 0 duplicate keys
added  id 4: name \"four\", price 8
removed  id 2: name \"two\", price 6
changed  id 1: name \"one\" to \"ONE\"
";

#[test]
fn differences_are_printed_and_the_exit_code_is_1() {
    let folder = fixture();
    let found = run(&folder, "diff old.parquet new.parquet --key id");
    assert_eq!(found, done(1, SUMMARY, ""));
}

#[test]
fn equal_tables_end_with_0() {
    let folder = fixture();
    let rows = [row(3, "three", 7), row(2, "two", 6), row(1, "one", 5)];
    table(SCHEMA, &rows).write(&folder.path().join("same.parquet"));
    let found = run(&folder, "diff old.parquet same.parquet --key id");
    let text = "old.parquet and same.parquet are equal: 3 rows\n";
    assert_eq!(found, done(0, text, ""));
    let [one, two] = ["old", "same"].map(|name| {
        let found = run(&folder, &format!("root {name}.parquet"));
        assert_eq!((found.code, &found.stderr), (Some(0), &Text(vec![])));
        let line = String::from_utf8(found.stdout.0).expect("text");
        line.rsplit(' ').next().expect("a root").to_owned()
    });
    assert_eq!(one, two);
}

/// Returns the rows of a Parquet file as text.
fn rows_of(file: &Path) -> Vec<String> {
    let file = File::open(file).expect("a file");
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| row.expect("a row").to_string()).collect()
}

/// Returns the texts of a page's elements of this name.
fn texts_of<'a>(page: &'a str, element: &str) -> Vec<&'a str> {
    let start = format!("<{element}");
    let texts = page.split(&start).skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let is_it = attributes.is_empty() || attributes.starts_with(' ');
        is_it.then(|| rest.split('<').next().unwrap_or_default())
    });
    texts.collect()
}

#[test]
fn a_key_that_repeats_is_a_duplicate_unless_its_rows_are_the_same() {
    let folder = fixture();
    let rows = [
        row(1, "a", 1),
        row(1, "a", 1),
        row(2, "b", 2),
        row(2, "c", 2),
    ];
    table(SCHEMA, &rows).write(&folder.path().join("twice.parquet"));
    table(SCHEMA, &rows[1..]).write(&folder.path().join("once.parquet"));
    let found = run(&folder, "diff twice.parquet once.parquet --key id");
    let text = "\
twice.parquet and once.parquet differ: 0 added, 0 removed, 0 changed, 1 duplicate key
duplicate  id 1: 2 times in the old table, 1 in the new one
";
    assert_eq!(found, done(1, text, ""));
    let found = run(&folder, "diff once.parquet twice.parquet --key id");
    let text = "duplicate  id 1: 1 time in the old table, 2 in the new one\n";
    assert!(found.stdout.0.ends_with(text.as_bytes()), "{found:?}");
    let counts = "\"new_rows\":4,\"old_rows\":3";
    let line = "diff once.parquet twice.parquet --key id --json --html out.html -o out.parquet";
    let found = run(&folder, line);
    let end = format!("{counts},\"removed\":0}}\n");
    assert!(found.stdout.0.ends_with(end.as_bytes()), "{found:?}");
    let page = fs::read_to_string(folder.path().join("out.html")).expect("a page");
    let cells = "<td class=\"number\">1</td><td class=\"number\">2</td>";
    assert!(page.contains(cells), "{page}");
    assert_eq!(texts_of(&page, "h2"), ["Keys that repeat: 1"]);
    let repeated = r#"{change: "duplicate", key: "{"id":1}", column: null, old: "1", new: "2"}"#;
    assert_eq!(rows_of(&folder.path().join("out.parquet")), [repeated]);
    assert_eq!(texts_of(&page, "th"), ["key", "rows in old", "rows in new"]);
    for name in ["once", "twice"] {
        let line = format!("buckets {name}.parquet --key id -o {name}.buckets");
        assert_eq!(run(&folder, &line), done(0, "", ""));
    }
    let found = run(&folder, "diff once.buckets twice.buckets --key id --json");
    let end = format!("{counts}}}\n");
    assert!(found.stdout.0.ends_with(end.as_bytes()), "{found:?}");
}

#[test]
fn json_has_a_line_for_each_difference_and_one_for_all() {
    let folder = fixture();
    let found = run(&folder, "diff old.parquet new.parquet --key id --json");
    let text = concat!(
        r#"{"change":"added","key":{"id":4},"new":{"name":"four","price":8}}"#,
        "\n",
        r#"{"change":"removed","key":{"id":2},"old":{"name":"two","price":6}}"#,
        "\n",
        r#"{"change":"changed","columns":["name"],"key":{"id":1},"#,
        r#""new":{"name":"ONE","price":5},"old":{"name":"one","price":5}}"#,
        "\n",
        r#"{"added":1,"changed":1,"duplicates":0,"equal":false,"new_rows":3,"old_rows":3,"#,
        r#""removed":1}"#,
        "\n",
    );
    assert_eq!(found, done(1, text, ""));
}

/// The second pass decodes only the rows of unequal buckets: few, and far apart.
#[test]
fn few_differences_are_found_in_long_tables_in_another_order() {
    const ROWS: i64 = 30_000;
    // Around the ends of batches, and in runs.
    const CHANGED: [i64; 9] = [0, 1, 4095, 4096, 4097, 9999, 20_003, 29_998, 29_999];
    let name = |id: i64, text: &str| match id % 7 {
        0 => Value::Null,
        _ => bytes(&format!("{text} {id}")),
    };
    let row = |id: i64, text: &str, price: i64| {
        vec![Value::Number(id), name(id, text), Value::Number(price)]
    };
    let folder = TempDir::new().expect("a folder");
    let old: Vec<_> = (0..ROWS).map(|id| row(id, "name", id % 5)).collect();
    let mut new: Vec<_> = (0..ROWS)
        .map(|id| id * 7919 % ROWS)
        .map(|id| row(id, "name", id % 5))
        .collect();
    for id in CHANGED {
        let place = new
            .iter()
            .position(|row| row[0] == Value::Number(id))
            .expect("a row");
        new[place] = row(id, "changed", id % 5 + 1);
    }
    table(SCHEMA, &old).write(&folder.path().join("old.parquet"));
    table(SCHEMA, &new).write(&folder.path().join("new.parquet"));
    let found = run(&folder, "diff old.parquet new.parquet --key id --json");
    let lines = found
        .stdout
        .0
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    let mut lines: Vec<serde_json::Value> = lines
        .map(|line| serde_json::from_slice(line).expect("JSON"))
        .collect();
    let counts = lines.pop().expect("counts");
    assert_eq!(counts["changed"], 9);
    assert_eq!(
        (&counts["added"], &counts["removed"], &counts["duplicates"]),
        (&0.into(), &0.into(), &0.into())
    );
    lines.sort_by_key(|line| line["key"]["id"].as_i64());
    for (line, id) in lines.iter().zip(CHANGED) {
        let text = |text: &str| match id % 7 {
            0 => serde_json::Value::Null,
            _ => format!("{text} {id}").into(),
        };
        assert_eq!(line["key"], serde_json::json!({"id": id}));
        assert_eq!(
            line["old"],
            serde_json::json!({"name": text("name"), "price": id % 5})
        );
        assert_eq!(
            line["new"],
            serde_json::json!({"name": text("changed"), "price": id % 5 + 1})
        );
    }
}

#[test]
fn columns_that_were_added_dropped_and_retyped_are_told() {
    let folder = fixture();
    let rows = [row(1, "one", 1), row(2, "two", 2), row(3, "three", 3)];
    let schema = "required binary id; optional binary name (STRING); optional int64 cost; ";
    let rows = rows.map(|row| vec![bytes("x"), row[1].clone(), row[2].clone()]);
    table(schema, &rows).write(&folder.path().join("other.parquet"));
    let found = run(&folder, "diff old.parquet other.parquet --key name");
    let text = "\
old.parquet and other.parquet differ: 0 added, 0 removed, 3 changed, 0 duplicate keys
column added: cost (int64)
column dropped: price (int64)
column retyped: id (int64 to binary)
";
    let printed = String::from_utf8(found.stdout.0).expect("text");
    assert!(printed.starts_with(text), "{printed}");
    let found = run(&folder, "diff old.parquet other.parquet --key name --json");
    let printed = String::from_utf8(found.stdout.0).expect("text");
    let line = concat!(
        r#"{"added":{"cost":"int64"},"change":"columns","dropped":{"price":"int64"},"#,
        r#""retyped":{"id":["int64","binary"]}}"#,
    );
    assert_eq!(printed.lines().next(), Some(line));
}

/// Each of the three is a difference.
#[test]
fn one_column_alone_is_told() {
    let folder = fixture();
    let rows = |columns: usize| [1, 2].map(|id| row(id, "x", 5)[..columns].to_vec());
    let write = |file: &str, schema: &str, columns: usize| {
        table(schema, &rows(columns)).write(&folder.path().join(file));
    };
    write("all.parquet", SCHEMA, 3);
    write(
        "less.parquet",
        "required int64 id; optional binary name (STRING); ",
        2,
    );
    write("other.parquet", &SCHEMA.replace(" (STRING)", ""), 3);
    let retyped = r#""retyped":{"name":["string","binary"]}"#;
    for (options, difference) in [
        (
            "less.parquet all.parquet --key id",
            r#""added":{"price":"int64"}"#,
        ),
        (
            "all.parquet less.parquet --key id",
            r#""dropped":{"price":"int64"}"#,
        ),
        ("all.parquet other.parquet --key id", retyped),
        ("all.parquet other.parquet --key name", retyped),
    ] {
        let found = run(&folder, &format!("diff {options} --json"));
        assert_eq!(found.code, Some(1), "{options}");
        let text = String::from_utf8(found.stdout.0).expect("text");
        let line = text.lines().next().expect("a line");
        assert!(line.contains(r#""change":"columns""#), "{options}: {text}");
        assert!(line.contains(difference), "{options}: {text}");
    }
    // Only the type of another column differs.
    let line = "diff all.parquet other.parquet --key id --columns price";
    let text = "all.parquet and other.parquet are equal: 2 rows\n";
    assert_eq!(run(&folder, line), done(0, text, ""));
}

#[test]
fn a_page_shows_a_thousand_rows() {
    let folder = fixture();
    for rows in [1000, 1001] {
        let rows: Vec<_> = (10..10 + rows).map(|id| row(id, "x", 5)).collect();
        table(SCHEMA, &rows).write(&folder.path().join("new.parquet"));
        table(SCHEMA, &[]).write(&folder.path().join("old.parquet"));
        let found = run(
            &folder,
            "diff old.parquet new.parquet --key id --html out.html",
        );
        assert_eq!(found.code, Some(1));
        let page = fs::read_to_string(folder.path().join("out.html")).expect("a page");
        let is_cut = page.contains("The first 1000 of 1001.");
        assert_eq!(is_cut, rows.len() == 1001);
        assert_eq!(page.contains("The first"), is_cut);
    }
}

#[test]
fn all_differences_are_written_as_parquet_and_as_a_page() {
    let folder = fixture();
    let line = "diff old.parquet new.parquet --key id -o out.parquet --html out.html";
    assert_eq!(run(&folder, line), done(1, SUMMARY, ""));
    let rows = rows_of(&folder.path().join("out.parquet"));
    let expected = [
        r#"{change: "added", key: "{"id":4}", column: null, old: null, new: "{"name":"four","price":8}"}"#,
        r#"{change: "removed", key: "{"id":2}", column: null, old: "{"name":"two","price":6}", new: null}"#,
        r#"{change: "changed", key: "{"id":1}", column: "name", old: ""one"", new: ""ONE""}"#,
    ];
    assert_eq!(rows, expected);
    let page = fs::read_to_string(folder.path().join("out.html")).expect("a page");
    for part in [
        "Changed rows: 1",
        "&quot;ONE&quot;</td>",
        "1 added, 1 removed",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(!page.contains("Keys that repeat"), "{page}");
    let titles = ["Added rows: 1", "Removed rows: 1", "Changed rows: 1"];
    assert_eq!(texts_of(&page, "h2"), titles);
    let changed = ["key", "column", "old", "new"];
    let headings = [&["key", "row", "key", "row"][..], &changed].concat();
    assert_eq!(texts_of(&page, "th"), headings);
}

#[test]
fn digests_of_rows_replace_the_old_table() {
    let folder = fixture();
    let old = [row(1, "one", 5), row(2, "two", 6), row(3, "three", 7)];
    let twice = [row(5, "five", 9), row(5, "FIVE", 9)];
    table(SCHEMA, &[&old[..], &twice].concat()).write(&folder.path().join("old.parquet"));
    let made = run(&folder, "rows old.parquet --key id -o old.rows");
    assert_eq!(made, done(0, "", ""));
    fs::remove_file(folder.path().join("old.parquet")).expect("a file");
    let line = "diff old.rows new.parquet --key id -o out.parquet --html out.html";
    let text = "\
old.rows and new.parquet differ: 1 added, 1 removed, 1 changed, 1 duplicate key
added  id 4: name \"four\", price 8
removed  key_digest \"7983e69b398571d0595f7f4fd0649df8\"
changed  id 1: name \"ONE\", price 5
duplicate  key_digest \"261153112a4cf972e5b81d73202065d0\": 2 times in the old table, 0 in the new one
";
    assert_eq!(run(&folder, line), done(1, text, ""));
    let found = run(&folder, "diff old.rows new.parquet --key id --json");
    let text = String::from_utf8(found.stdout.0).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let removed = r#"{"change":"removed","key":{"key_digest":"7983e69b398571d0595f7f4fd0649df8"}}"#;
    let changed = r#"{"change":"changed","key":{"id":1},"new":{"name":"ONE","price":5}}"#;
    assert_eq!(lines[1..3], [removed, changed]);
    let rows = rows_of(&folder.path().join("out.parquet"));
    let changed = r#"{change: "changed", key: "{"id":1}", column: null, old: null, new: "{"name":"ONE","price":5}"}"#;
    assert_eq!(rows[2], changed);
    let page = fs::read_to_string(folder.path().join("out.html")).expect("a page");
    assert!(
        page.contains("name &quot;ONE&quot;, price 5</td>"),
        "{page}"
    );
    // The new values stand below "new".
    let cells = texts_of(&page, "td");
    let is_new = |cells: &[&str]| {
        cells[0] == "id 1" && cells[1..3] == ["", ""] && cells[3].starts_with("name ")
    };
    assert!(cells.windows(4).any(is_new), "{cells:?}");
}

#[test]
fn digests_of_rows_replace_both_tables() {
    let folder = fixture();
    let twice = [row(5, "five", 9), row(5, "FIVE", 9)];
    let old = [row(1, "one", 5), row(2, "two", 6)];
    let new = [row(1, "ONE", 5), row(4, "four", 8)];
    let same: Vec<_> = (10..30).map(|id| row(id, "same", 0)).collect();
    table(SCHEMA, &[&old[..], &same].concat()).write(&folder.path().join("old.parquet"));
    table(SCHEMA, &[&new[..], &twice, &same].concat()).write(&folder.path().join("new.parquet"));
    for side in ["old", "new"] {
        let line = format!("rows {side}.parquet --key id -o {side}.rows");
        assert_eq!(run(&folder, &line), done(0, "", ""));
    }
    let known = run(&folder, "diff old.rows new.parquet --key id --json");
    for side in ["old", "new"] {
        fs::remove_file(folder.path().join(side).with_extension("parquet")).expect("a file");
    }
    let line = "diff old.rows new.rows --key id -o out.parquet --html out.html";
    let found = run(&folder, line);
    let text = String::from_utf8(found.stdout.0).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let first = "old.rows and new.rows differ: 1 added, 1 removed, 1 changed, 1 duplicate key";
    assert_eq!((found.code, lines[0]), (Some(1), first));
    let expected = [
        "added  key_digest \"bcf12d1816adf1cf302b8e0f5d05de81\"",
        "removed  key_digest \"7983e69b398571d0595f7f4fd0649df8\"",
        "changed  key_digest \"63ed096f7350df6819bacf80b7f85286\"",
        "duplicate  key_digest \"261153112a4cf972e5b81d73202065d0\": 0 times in the old table, 2 in the new one",
    ];
    assert_eq!(lines[1..], expected);
    let found = run(&folder, "diff old.rows new.rows --key id --json");
    let [known, found] = [known, found].map(|made| String::from_utf8(made.stdout.0).expect("text"));
    assert_eq!(known.lines().last(), found.lines().last());
    assert!(
        found.contains(r#"{"change":"removed","key":{"key_digest":"7983e69b3"#),
        "{found}"
    );
    let page = fs::read_to_string(folder.path().join("out.html")).expect("a page");
    assert!(
        page.contains("Changed rows: 1") && page.contains("key_digest"),
        "{page}"
    );
    let found = run(&folder, "diff new.rows new.rows --key id");
    assert_eq!(
        found,
        done(0, "new.rows and new.rows are equal: 24 rows\n", "")
    );
    let found = run(&folder, "diff old.rows new.rows --key name");
    let error = "finalist: old.rows: its digests of rows have the key 'id', not 'name'\n";
    assert_eq!(found, done(2, "", error));
}

#[test]
fn two_files_of_buckets_are_compared_without_their_tables() {
    let folder = fixture();
    fs::write(folder.path().join("key"), "secret").expect("a file");
    for line in [
        "buckets old.parquet --key id -o old.buckets",
        "buckets new.parquet --key id -o new.buckets",
        "buckets new.parquet --key id --columns name -o name.buckets",
        "buckets new.parquet --key id --columns name,name -o twice.buckets",
        "buckets new.parquet --key id --key-file key -o keyed.buckets",
    ] {
        assert_eq!(run(&folder, line), done(0, "", ""), "{line}");
    }
    let [name, twice] = ["name.buckets", "twice.buckets"].map(|file| folder.path().join(file));
    assert_eq!(
        fs::read(name).expect("a file"),
        fs::read(twice).expect("a file")
    );
    let line = "diff old.buckets new.buckets --key id";
    // One row was added, one removed and one changed.
    let text = "old.buckets and new.buckets differ: in 3 of 65536 buckets, 0.005 %\n";
    assert_eq!(run(&folder, line), done(1, text, ""));
    let text = r#"{"buckets":65536,"differing":3,"equal":false,"new_rows":3,"old_rows":3}"#;
    let found = run(&folder, &format!("{line} --json"));
    assert_eq!(found, done(1, &format!("{text}\n"), ""));
    let found = run(&folder, "diff old.buckets old.buckets --key id");
    let text = "old.buckets and old.buckets are equal: 3 rows\n";
    assert_eq!(found, done(0, text, ""));
    for (line, error) in [
        (
            "diff old.buckets new.buckets --key name",
            "old.buckets: its buckets have the key 'id', not 'name'",
        ),
        (
            "diff old.buckets name.buckets --key id",
            "name.buckets: its buckets have the columns 'name', not 'name', 'price'",
        ),
        (
            "diff old.buckets keyed.buckets --key id",
            "keyed.buckets: the leaves do not give the root, or the key is another one",
        ),
    ] {
        refuses(&folder, line, error);
    }
    for (option, part) in [
        ("--html out.html", "buckets do not show which rows differ"),
        ("-o out.parquet", "buckets do not show which rows differ"),
        ("--new-buckets old.buckets", "buckets have no use here"),
        ("--old-buckets old.buckets", "buckets have no use here"),
    ] {
        let found = run(&folder, &format!("{line} {option}"));
        let text = String::from_utf8_lossy(&found.stderr.0).into_owned();
        assert!(found.code == Some(2) && text.contains(part), "{text}");
    }
}

#[test]
fn a_key_of_buckets_needs_buckets() {
    let folder = fixture();
    fs::write(folder.path().join("key"), "secret").expect("a file");
    let line = "diff old.parquet new.parquet --key id --key-file key";
    let found = run(&folder, line);
    let text = String::from_utf8_lossy(&found.stderr.0).into_owned();
    let error = "--key-file is the secret key of buckets or of digests of rows: there are none";
    assert!(found.code == Some(2) && text.contains(error), "{text}");
    let made = run(
        &folder,
        "buckets old.parquet --key id --key-file key -o keyed",
    );
    assert_eq!(made, done(0, "", ""));
    let found = run(&folder, &format!("{line} --old-buckets keyed"));
    assert_eq!(found, done(1, SUMMARY, ""));
}

#[test]
fn a_root_is_that_of_the_library() {
    use finalist_table::{RootOptions, Table, root};

    let folder = fixture();
    let schema = "required int64 id (DECIMAL(18, 2)); ";
    let rows = [[Value::Number(100)], [Value::Number(250)]];
    table(schema, &rows.map(Vec::from)).write(&folder.path().join("decimals.parquet"));
    assert!(!RootOptions::default().by_value);
    for (option, by_value) in [("", false), (" --numbers by-value", true)] {
        let options = RootOptions {
            by_value,
            ..RootOptions::default()
        };
        let table = Table::open(&folder.path().join("decimals.parquet")).expect("a table");
        let root = hex::encode(root(&table, &options).expect("a root"));
        let found = run(&folder, &format!("root decimals.parquet --json{option}"));
        let found: serde_json::Value = serde_json::from_slice(&found.stdout.0).expect("JSON");
        assert_eq!(found["root"], root, "{option}");
        assert_eq!(found["digest_bits"], 256);
        assert_eq!(found["rows"], 2);
    }
    // Of a function with longer digests, too, a root has 256 bits.
    let found = run(&folder, "root decimals.parquet --json -a blake2b");
    let found: serde_json::Value = serde_json::from_slice(&found.stdout.0).expect("JSON");
    assert_eq!(
        (&found["algorithm"], &found["digest_bits"]),
        (&"blake2b".into(), &256.into())
    );
    assert_eq!(found["root"].as_str().map(str::len), Some(64));
}

/// Decimals equal integers in the rows of a bucket that differs, too, and beside digests.
#[test]
fn numbers_have_their_values_in_every_comparison() {
    let folder = fixture();
    let decimal = "required int64 id; required int64 price (DECIMAL(18, 2)); ";
    let integer = "required int64 id; required int64 price; ";
    let rows = |scale: i64, last: i64| -> Vec<Vec<Value>> {
        let prices = (0..100).map(|id| if id == 99 { last } else { id });
        let rows = prices.enumerate();
        rows.map(|(id, price)| [id as i64, scale * price].map(Value::Number).to_vec())
            .collect()
    };
    table(decimal, &rows(100, 1)).write(&folder.path().join("old.parquet"));
    table(integer, &rows(1, 2)).write(&folder.path().join("new.parquet"));
    for (what, name) in [("rows", "old"), ("rows", "new"), ("buckets", "old")] {
        let line = format!("{what} {name}.parquet --key id --numbers by-value -o {name}.{what}");
        assert_eq!(run(&folder, &line), done(0, "", ""));
    }
    for (line, changed) in [
        ("old.parquet new.parquet --numbers by-value", 1),
        ("old.parquet new.parquet --numbers exact", 100),
        ("old.rows new.parquet --numbers by-value", 1),
        ("new.rows old.parquet --numbers by-value", 1),
        (
            "old.parquet new.parquet --numbers by-value --old-buckets old.buckets",
            1,
        ),
    ] {
        let found = run(&folder, &format!("diff --key id {line}"));
        let count = format!(" differ: 0 added, 0 removed, {changed} changed, ");
        let out = String::from_utf8_lossy(&found.stdout.0);
        assert!(out.contains(&count), "{line}: {out}");
        // Ten rows are shown unless --rows says otherwise.
        let shown = out
            .lines()
            .filter(|line| line.starts_with("changed "))
            .count();
        assert_eq!(shown, changed.min(10), "{line}: {out}");
    }
    // Another type alone is no difference.
    table(integer, &rows(1, 1)).write(&folder.path().join("new.parquet"));
    let found = run(
        &folder,
        "diff --key id old.parquet new.parquet --numbers by-value",
    );
    let text = "old.parquet and new.parquet are equal: 100 rows\n\
                column retyped: price (decimal128(18, 2) to int64)\n";
    assert_eq!(found, done(0, text, ""));
}

#[test]
fn digests_of_rows_of_other_parameters_are_refused() {
    let folder = fixture();
    fs::write(folder.path().join("key"), "secret").expect("a file");
    for line in [
        "rows old.parquet --key id -o old.rows",
        "rows old.parquet --key id --columns name -o name.rows",
        "rows old.parquet --key id --key-file key -o keyed.rows",
        "buckets old.parquet --key id -o old.buckets",
    ] {
        assert_eq!(run(&folder, line), done(0, "", ""), "{line}");
    }
    for (line, error) in [
        (
            "diff old.rows new.parquet --key name",
            "old.rows: its digests of rows have the key 'id', not 'name'",
        ),
        (
            "diff name.rows new.parquet --key id --columns price",
            "name.rows: its digests of rows have the columns 'name', not 'price'",
        ),
        (
            "diff keyed.rows new.parquet --key id",
            "keyed.rows: the records do not give the root, or the key is another one",
        ),
        (
            "diff old.parquet old.rows --key id",
            "old.rows: digests of rows can replace the older table, or both, but not the newer alone",
        ),
        (
            "diff old.rows old.buckets --key id",
            "old.buckets: this is a file of buckets: give it with --new-buckets, beside its table",
        ),
        (
            "diff old.buckets new.parquet --key id",
            "old.buckets: this is a file of buckets: give it with --old-buckets, beside its table",
        ),
    ] {
        refuses(&folder, line, error);
    }
    let line = "diff old.rows new.parquet --key id --old-buckets old.buckets";
    let found = String::from_utf8_lossy(&run(&folder, line).stderr.0).into_owned();
    assert!(
        found.contains("buckets have no use here: OLD contains the digests of rows"),
        "{found}"
    );
    let found = run(
        &folder,
        "diff keyed.rows new.parquet --key id --key-file key --rows 0",
    );
    assert_eq!(found.code, Some(1));
    // Columns that the digests do not cover are added ones, unless the columns are named.
    let found = run(&folder, "diff name.rows new.parquet --key id --rows 0");
    assert!(String::from_utf8_lossy(&found.stdout.0).contains("column added: price (int64)"));
    let found = run(
        &folder,
        "diff name.rows new.parquet --key id --columns name --rows 0",
    );
    assert!(!String::from_utf8_lossy(&found.stdout.0).contains("column added"));
}

#[test]
fn outputs_never_replace_inputs() {
    let folder = fixture();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("key"), "secret").expect("a file");
    fs::create_dir(path("parts")).expect("a folder");
    fs::copy(path("old.parquet"), path("parts/1.parquet")).expect("a copy");
    fs::hard_link(path("old.parquet"), path("linked")).expect("a link");
    assert_eq!(
        run(&folder, "buckets old.parquet --key id -o old.buckets"),
        done(0, "", "")
    );
    let inputs = [
        "old.parquet",
        "new.parquet",
        "old.buckets",
        "key",
        "parts/1.parquet",
    ];
    let contents = || inputs.map(|name| fs::read(path(name)).expect("an input"));
    let before = contents();
    let also = "is also an input: write another file";
    let inside = "is in the input: write to another directory";
    let both = "--output and --html would both write it: name two files";
    let stdout = "this command does not write to standard output: name a file, which may be ./-";
    for (line, output, error) in [
        (
            "diff old.parquet new.parquet --key id -o z --html",
            "z",
            both,
        ),
        (
            "diff old.parquet new.parquet --key id -o ./z --html",
            "parts/../z",
            both,
        ),
        ("buckets old.parquet --key id -o", "-", stdout),
        ("rows old.parquet --key id -o", "-", stdout),
        ("diff old.parquet new.parquet --key id -o", "-", stdout),
        ("diff old.parquet new.parquet --key id --html", "-", stdout),
        ("buckets old.parquet --key id -o", "old.parquet", also),
        ("buckets old.parquet --key id -o", "./old.parquet", also),
        ("buckets old.parquet --key id -o", "linked", also),
        ("rows old.parquet --key id -o", "old.parquet", also),
        (
            "buckets old.parquet --key id --key-file key -o",
            "key",
            also,
        ),
        (
            "diff old.parquet new.parquet --key id --key-file key -o",
            "key",
            also,
        ),
        ("buckets parts --key id -o", "parts/1.parquet", inside),
        ("buckets parts --key id -o", "parts/new", inside),
        (
            "diff old.parquet new.parquet --key id -o",
            "old.parquet",
            also,
        ),
        (
            "diff old.parquet new.parquet --key id --html",
            "new.parquet",
            also,
        ),
        (
            "diff old.parquet new.parquet --key id --old-buckets old.buckets -o",
            "old.buckets",
            also,
        ),
        (
            "diff parts new.parquet --key id --html",
            "parts/new",
            inside,
        ),
    ] {
        let found = run(&folder, &format!("{line} {output}"));
        assert_eq!(
            found,
            done(2, "", &format!("finalist: {output}: {error}\n")),
            "{line} {output}"
        );
        assert!(before == contents(), "{line} {output}");
    }
    assert!(!path("parts/new").exists());
    // A file of a folder may be a link, to a file anywhere.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../new.parquet", path("parts/2.parquet")).expect("a link");
        for line in [
            "buckets parts --key id -o",
            "diff old.parquet parts --key id -o",
        ] {
            let found = run(&folder, &format!("{line} new.parquet"));
            let error = format!("finalist: new.parquet: {also}\n");
            assert_eq!(found, done(2, "", &error), "{line}");
        }
        assert!(before == contents());
    }
    // A key may also come from a redirection.
    let line = "table buckets old.parquet --key id --key-file - -o key";
    let mut command = common::program("finalist", folder.path());
    let key = File::open(path("key")).expect("a file");
    let found = command.args(line.split(' ')).stdin(key).output();
    let found = found.expect("it runs");
    let error = "finalist: key: is also standard input: write another file\n";
    assert_eq!(String::from_utf8_lossy(&found.stderr), error);
    assert!(before == contents());
    let beside = run(&folder, "buckets parts --key id -o beside");
    assert_eq!(beside, done(0, "", ""));
}

#[cfg(unix)]
#[test]
fn outputs_replace_links_and_not_their_targets() {
    let folder = fixture();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("precious"), "content").expect("a file");
    for (line, link) in [
        ("buckets old.parquet --key id -o", "1"),
        ("diff old.parquet old.parquet --key id -o", "2"),
        ("diff old.parquet old.parquet --key id --html", "3"),
    ] {
        std::os::unix::fs::symlink("precious", path(link)).expect("a link");
        assert_eq!(run(&folder, &format!("{line} {link}")).code, Some(0));
        assert!(path(link).symlink_metadata().expect("a file").is_file());
        assert_eq!(fs::read(path("precious")).expect("a file"), b"content");
    }
}

/// Replaces a table by one of the same size and time, after its columns were read.
#[test]
fn another_file_under_the_name_is_seen() {
    let folder = fixture();
    let (name, other) = (
        folder.path().join("old.parquet"),
        folder.path().join("other"),
    );
    let rows = [row(1, "one", 5), row(2, "two", 6), row(3, "threE", 7)];
    table(SCHEMA, &rows).write(&other);
    let opened = finalist_table::Table::open(&name).expect("a table");
    let old = fs::metadata(&name).expect("a file");
    assert_eq!(fs::metadata(&other).expect("a file").len(), old.len());
    let file = File::options().write(true).open(&other).expect("a file");
    file.set_modified(old.modified().expect("a time"))
        .expect("the time is set");
    fs::rename(&other, &name).expect("it is replaced");
    let root = finalist_table::root(&opened, &finalist_table::RootOptions::default());
    let text = root.expect_err("it was replaced").0;
    let text = String::from_utf8(text).expect("text").replace('\'', "");
    let ending = "old.parquet: it was changed while it was read";
    assert!(text.ends_with(ending), "{text}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_table() {
    let folder = fixture();
    fs::create_dir(folder.path().join("parts")).expect("a folder");
    let pipe = folder.path().join("parts/1.parquet");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    for path in ["parts/1.parquet", "parts"] {
        let text = "finalist: parts/1.parquet: not a regular file\n";
        assert_eq!(run(&folder, &format!("root {path}")), done(2, "", text));
    }
}

/// In the text for a terminal, of at most 60 characters with the quotes; JSON has all.
#[test]
fn long_values_are_cut() {
    let folder = fixture();
    for (letters, is_cut) in [(58, false), (59, true)] {
        let (name, end) = ("\u{e9}".repeat(letters), if is_cut { "..." } else { "\"" });
        let rows = [row(1, "one", 5), row(4, &name, 5)];
        table(SCHEMA, &rows).write(&folder.path().join("long.parquet"));
        let line = "diff old.parquet long.parquet --key id";
        let text = String::from_utf8(run(&folder, line).stdout.0).expect("text");
        let shown = format!(
            "\nadded  id 4: name \"{}{end}, price 5\n",
            &name[..2 * letters.min(59)]
        );
        assert!(text.contains(&shown), "{text}");
        let found = run(&folder, &format!("{line} --json"));
        assert!(
            String::from_utf8(found.stdout.0)
                .expect("text")
                .contains(&name)
        );
    }
}

#[test]
fn text_of_tables_cannot_change_a_terminal_or_a_page() {
    let folder = fixture();
    let rows = [row(1, "\u{1b}[31m<script>", 5)];
    table(SCHEMA, &rows).write(&folder.path().join("new.parquet"));
    let found = run(
        &folder,
        "diff old.parquet new.parquet --key id --html out.html",
    );
    assert!(!found.stdout.0.contains(&0x1b));
    let page = fs::read_to_string(folder.path().join("out.html")).expect("a page");
    assert!(!page.contains("<script>"));
}

/// The index of a frame is no column, unless it is named.
#[test]
fn an_index_is_no_column() {
    let folder = fixture();
    let write = |file: &str, first: i64, index: &str| {
        let mut table = table(SCHEMA, &[row(first, "x", 5), row(first + 1, "y", 6)]);
        let about = format!(r#"{{"index_columns":["{index}"]}}"#);
        table.metadata = vec![("pandas".to_owned(), about)];
        table.write(&folder.path().join(file));
    };
    write("1", 1, "id");
    write("8", 8, "id");
    write("named", 8, "name");
    let text = "1 and 8 are equal: 2 rows\n";
    assert_eq!(run(&folder, "diff 1 8 --key name"), done(0, text, ""));
    for line in ["diff 1 8 --key id", "diff 1 named --key name --columns id"] {
        assert_eq!(run(&folder, line).code, Some(1), "{line}");
    }
    let (added, dropped) = ("column added: id (int64)", "column dropped: name (string)");
    for (key, changes) in [
        ("price", &[added, dropped][..]),
        ("name", &[added]),
        ("id", &[dropped]),
    ] {
        let found = run(&folder, &format!("diff 8 named --key {key}"));
        let text = String::from_utf8(found.stdout.0).expect("text");
        let lines = text.lines().filter(|line| line.starts_with("column "));
        assert_eq!(lines.collect::<Vec<_>>(), changes, "{key}");
    }
}

#[test]
fn partitions_in_paths_are_columns() {
    let folder = fixture();
    for (day, number) in [("2", 20), ("10", 100)] {
        let part = folder.path().join(format!("data/day={day}/kind=a%20b"));
        fs::create_dir_all(&part).expect("a folder");
        table(SCHEMA, &[row(number, "x", 1)]).write(&part.join("part.parquet"));
        fs::write(part.join("_SUCCESS"), "").expect("a file");
    }
    let found = run(&folder, "diff data data --key day --key id --columns kind");
    assert_eq!(found, done(0, "data and data are equal: 2 rows\n", ""));
    // They are int32 or strings, and an error about a column names the directory.
    let schema = "required int64 id; required int64 day; required binary kind (STRING); ";
    table(schema, &[]).write(&folder.path().join("one.parquet"));
    let found = run(&folder, "diff data one.parquet --key id --columns day,kind");
    let mut lines: Vec<_> = found.stdout.0.split(|&byte| byte == b'\n').collect();
    // Rows are in a random order.
    lines[2..4].sort_unstable();
    let text = "data and one.parquet differ: 0 added, 2 removed, 0 changed, 0 duplicate keys\n\
                column retyped: day (int32 to int64)\n\
                removed  id 100: day 10, kind \"a b\"\n\
                removed  id 20: day 2, kind \"a b\"\n";
    assert_eq!(Text(lines.join(&b'\n')), text);
    let error = "finalist: data: there is no column 'no'\n";
    assert_eq!(run(&folder, "root data --columns no"), done(2, "", error));
    fs::create_dir_all(folder.path().join("delta/_delta_log")).expect("a folder");
    let text = "finalist: delta: a Delta table, whose directory has files of older versions, too: \
                compare it in Python, by DeltaTable(...).to_pyarrow_dataset()\n";
    assert_eq!(run(&folder, "root delta"), done(2, "", text));
    let part = folder.path().join("data/day=x/kind=a");
    fs::create_dir_all(part.parent().expect("a folder")).expect("a folder");
    table(SCHEMA, &[]).write(&folder.path().join("data/day=x/part.parquet"));
    let found = run(&folder, "root data");
    let text = "finalist: 'data/day=x/part.parquet': its path has other partitions than that of the \
                first file\n";
    assert_eq!(found, done(2, "", text));
}

#[test]
fn errors_name_the_file_and_the_column_and_end_with_2() {
    let folder = fixture();
    fs::write(folder.path().join("text"), "PAR1 but not Parquet").expect("a file");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    fs::create_dir(folder.path().join("mixed")).expect("a folder");
    for (name, schema) in [
        ("1", SCHEMA),
        ("2", "required int64 id; optional int64 name; "),
    ] {
        let rows = Table {
            rows: Vec::new(),
            ..table(schema, &[])
        };
        rows.write(&folder.path().join("mixed").join(name));
    }
    for (line, error) in [
        ("root gone", "gone: No such file or directory"),
        ("root empty", "empty: there are no Parquet files in it"),
        (
            "root mixed",
            "mixed/2: column 'name' has the type int64 here, not string (the first file is mixed/1)",
        ),
        (
            "diff old.parquet new.parquet --key no",
            "old.parquet: there is no column 'no'",
        ),
        (
            "root old.parquet --columns id,name,id",
            "old.parquet: column 'id' is given twice",
        ),
        (
            "diff old.parquet new.parquet --key id --columns name,name",
            "old.parquet: column 'name' is given twice",
        ),
        (
            "root old.parquet --columns id,no",
            "old.parquet: there is no column 'no'",
        ),
        (
            "root old.parquet -a blake512",
            "--algorithm: the algorithm has no digest of this length",
        ),
        (
            "diff old.parquet new.parquet --key id -o gone/x",
            "gone/x: No such file or directory",
        ),
    ] {
        let found = run(&folder, line);
        let text = String::from_utf8_lossy(&found.stderr.0).into_owned();
        assert_eq!(found.code, Some(2), "{line}: {text}");
        assert_eq!(text, format!("finalist: {error}\n"), "{line}");
    }
    for line in [
        "root text",
        "diff old.parquet",
        "diff old.parquet new.parquet --key id --key id",
    ] {
        assert_eq!(run(&folder, line).code, Some(2), "{line}");
    }
}

/// Readers that believe the one or the other would see other tables.
#[test]
fn a_file_with_two_numbers_of_rows_is_refused() {
    let folder = fixture();
    let path = folder.path().join("many.parquet");
    let rows: Vec<_> = (0..5000).map(|id| row(id, "x", 5)).collect();
    table(SCHEMA, &rows).write(&path);
    let mut file = fs::read(&path).expect("a file");
    // Twice 5000 as a varint, of which the first in the footer is the file's.
    let end = file.len() - 8;
    let length = file[end..]
        .first_chunk()
        .map(|bytes| u32::from_le_bytes(*bytes));
    let footer = end - length.expect("a length") as usize;
    let found = file[footer..]
        .windows(2)
        .position(|pair| pair == [0x90, 0x4e]);
    file[footer + found.expect("a number of rows")] += 2;
    fs::write(&path, file).expect("written");
    let text = "many.parquet: damaged: it has 5001 rows, and its row groups have 5000";
    for line in [
        "root many.parquet",
        "diff many.parquet many.parquet --key id",
        "diff old.parquet many.parquet --key id",
        "rows many.parquet --key id --output out",
    ] {
        refuses(&folder, line, text);
    }
}

#[test]
fn a_damaged_file_ends_with_a_message() {
    let folder = fixture();
    let path = folder.path().join("old.parquet");
    let sound = fs::read(&path).expect("a file");
    for at in (0..sound.len()).step_by(7) {
        let mut damaged = sound.clone();
        damaged[at] ^= 0x55;
        fs::write(&path, damaged).expect("a file");
        let found = run(&folder, "root old.parquet");
        let text = String::from_utf8_lossy(&found.stderr.0).into_owned();
        let is_message = text.starts_with("finalist: ") && text.lines().count() == 1;
        assert!(
            found.code == Some(0) || (found.code == Some(2) && is_message),
            "byte {at}: {:?} {text}",
            found.code
        );
    }
}

/// A name with a line end would add a line of its own.
#[cfg(unix)]
#[test]
fn a_difference_is_one_line_whatever_its_names() {
    let folder = fixture();
    let place = folder.path().join("new/a\nadded  id 9: b=5");
    fs::create_dir_all(&place).expect("made");
    table(SCHEMA, &[row(1, "one", 5)]).write(&place.join("1.parquet"));
    let name = "a\\nadded  id 9: b";
    let text = format!(
        "old.parquet and new differ: 0 added, 2 removed, 0 changed, 0 duplicate keys\n\
         column added: {name} (int32)\n... and 2 more removed\n"
    );
    let found = run(&folder, "diff old.parquet new --key id --rows 0");
    assert_eq!(found, done(1, &text, ""));
    table(SCHEMA, &[]).write(&folder.path().join("none.parquet"));
    let text = format!(
        "new and none.parquet differ: 0 added, 1 removed, 0 changed, 0 duplicate keys\n\
         column dropped: {name} (int32)\nremoved  id 1: {name} 5, name \"one\", price 5\n"
    );
    let found = run(&folder, "diff new none.parquet --key id");
    assert_eq!(found, done(1, &text, ""));
}

/// The same tables give the same text, and the few rows that are printed are the first ones.
#[test]
fn differences_are_in_the_order_of_the_rows() {
    let folder = fixture();
    let write = |name: &str, ids: &[i64], price: i64| {
        let rows: Vec<_> = ids.iter().map(|&id| row(id, "x", price)).collect();
        table(SCHEMA, &rows).write(&folder.path().join(name));
    };
    let ids = [5, 9, 2, 7, 1, 8, 3, 6, 4];
    write("some.parquet", &ids, 5);
    write("priced.parquet", &[4, 9, 3, 8, 2, 7, 1, 6, 5], 6);
    write("none.parquet", &[], 5);
    let again: Vec<_> = ids.iter().chain(ids.iter().rev()).copied().collect();
    write("twice.parquet", &again, 6);
    for (tables, kind) in [
        ("none.parquet some.parquet", "added"),
        ("some.parquet none.parquet", "removed"),
        ("some.parquet priced.parquet", "changed"),
        ("twice.parquet some.parquet", "duplicate"),
        ("none.parquet twice.parquet", "duplicate"),
    ] {
        let found = run(&folder, &format!("diff {tables} --key id"));
        let text = String::from_utf8(found.stdout.0).expect("text");
        let found = text.lines().skip(1).filter_map(|line| {
            let (word, rest) = line.split_once("  id ")?;
            assert_eq!(word, kind);
            rest.split_once(':')?.0.parse().ok()
        });
        assert_eq!(found.collect::<Vec<i64>>(), ids, "{tables}");
    }
}

/// A schema may claim any scale.
#[test]
fn the_zeros_of_a_decimal_do_not_fill_the_memory() {
    let folder = fixture();
    let schema = "required int64 id; optional binary x (DECIMAL(2000000000,1999999999));";
    for (name, digit) in [("old.parquet", 7), ("new.parquet", 8)] {
        let row = vec![Value::Number(1), Value::Bytes(vec![digit])];
        table(schema, &[row]).write(&folder.path().join(name));
    }
    let found = run(&folder, "diff old.parquet new.parquet --key id --json");
    let text = "\
{\"change\":\"changed\",\"columns\":[\"x\"],\"key\":{\"id\":1},\"new\":{\"x\":\"8E-1999999999\"},\
\"old\":{\"x\":\"7E-1999999999\"}}
{\"added\":0,\"changed\":1,\"duplicates\":0,\"equal\":false,\"new_rows\":1,\"old_rows\":1,\"removed\":0}
";
    assert_eq!(found, done(1, text, ""));
}
