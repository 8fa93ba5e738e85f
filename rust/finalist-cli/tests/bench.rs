// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist bench`.

mod common;

use std::collections::BTreeSet;

use common::output::{fields, here, json, rows, run, text};
use common::{finish, program, start};
use serde_json::Value;

#[test]
fn bench_measures_what_it_was_asked_for() {
    let done = run("bench -a groestl256 --bytes 1,4096 --json");
    assert_eq!(done.code, Some(0), "{done:?}");
    let result = json(&done);
    let expected = [
        "algorithm",
        "implementation",
        "mode",
        "lanes",
        "threads",
        "bytes",
        "tsc_per_byte",
        "core_cycles_per_byte",
        "core_cycles_per_block",
        "bound_core_cycles_per_byte",
        "q1",
        "q3",
    ];
    let mut measured = BTreeSet::new();
    for row in rows(&result) {
        assert_eq!(fields(row), expected.into());
        assert_eq!(
            (&row["algorithm"], &row["mode"]),
            (&"groestl256".into(), &"single".into())
        );
        measured.insert((row["implementation"].to_string(), row["bytes"].as_u64()));
        let number = |field: &str| row[field].as_f64().expect(field);
        assert!(number("tsc_per_byte") > 0.0);
        assert!(number("q1") > 0.0 && number("q1") <= number("q3"), "{row}");
        if !row["core_cycles_per_byte"].is_null() {
            let median = number("core_cycles_per_byte");
            assert!(number("q1") <= median && median <= number("q3"), "{row}");
            let blocks = if row["bytes"] == 1 { 1.0 } else { 64.0 };
            let per_message = median * number("bytes");
            assert!((number("core_cycles_per_block") * blocks / per_message - 1.0).abs() < 1e-9);
        }
    }
    assert_eq!(measured.len(), rows(&result).len());
    assert!(
        measured.contains(&("\"bitslice\"".into(), Some(4096))),
        "{measured:?}"
    );
    assert!(
        measured.contains(&("\"ttable64\"".into(), Some(1))),
        "{measured:?}"
    );
}

#[test]
fn bench_prints_a_table() {
    let done = run("bench --impl blake2s=portable --bytes 64");
    let row = text(&done).lines().last().expect("a row");
    let cells: Vec<_> = row.split_whitespace().collect();
    assert_eq!(cells[..3], ["blake2s", "portable", "64"]);
    // Columns without figures are left out: here the cycles of a byte, their bound, and a block's.
    let head = text(&done).lines().rev().nth(1).expect("headings");
    let headings: Vec<_> = head.split_whitespace().collect();
    assert_eq!(cells.len(), headings.len(), "{head}\n{row}");
    assert!(!cells.contains(&"-"), "{row}");
    let left_out = ["byte", "bound", "block"];
    assert!(
        !headings.iter().any(|name| left_out.contains(name)),
        "{head}"
    );
    let done = run("bench --impl blake2s=portable --bytes 64,4096");
    let [row, _, head] = [0, 1, 2].map(|line| text(&done).lines().rev().nth(line).expect("a line"));
    let [cells, headings] = [row, head].map(|line| line.split_whitespace().count());
    assert_eq!(cells, headings, "{head}\n{row}");
}

#[test]
fn bench_has_default_lengths() {
    for (line, lengths) in [
        ("--impl blake2s=portable", &[1, 64, 4096, 1 << 20][..]),
        ("--mode tree -a blake3", &[1 << 20, 16 << 20]),
    ] {
        let measured = json(&run(&format!("bench --json {line}")));
        let measured: BTreeSet<_> = rows(&measured)
            .iter()
            .map(|row| row["bytes"].as_u64().expect("a length"))
            .collect();
        assert_eq!(measured, lengths.iter().copied().collect(), "{line}");
    }
}

/// Here the environment leaves no implementation for many messages.
#[test]
fn bench_that_has_nothing_to_time_fails() {
    let mut command = program("finalist", here());
    command
        .args(["bench", "--mode", "multi", "-a", "blake2s"])
        .env("FINALIST_IMPL", "blake2s=portable");
    let text = "finalist: bench: the mode multi times nothing of blake2s\n";
    let found = finish(start(&mut command, b""));
    assert_eq!(found, common::done(1, "", text));
}

/// Names of implementations and structures have up to 20 characters.
#[test]
fn tables_fit_100_columns() {
    for line in [
        "bench --mode multi -a blake256 --bytes 1,1048576",
        "bench --mode tree -a groestl256 --bytes 1000000",
    ] {
        let done = run(line);
        // The name of the CPU comes before an empty line.
        let rows = text(&done).lines().skip_while(|line| !line.is_empty());
        let wide: Vec<_> = rows.filter(|row| row.chars().count() > 100).collect();
        assert!(wide.is_empty(), "{line}: {wide:?}");
    }
}

/// Up to 64 bytes, whole cycles per message are shown; above, cycles per byte with decimals.
#[test]
fn short_messages_are_told_by_the_message() {
    let done = run("bench --impl blake2s=portable --bytes 64,65");
    let head = text(&done)
        .lines()
        .find(|line| line.starts_with("algorithm "));
    let head: Vec<_> = head.unwrap_or_default().split_whitespace().collect();
    let shown = "algorithm implementation bytes message byte q1 q3 block TSC/byte";
    assert_eq!(head.join(" ").replace("ns/byte", "TSC/byte"), shown);
    let quartiles: Vec<_> = text(&done)
        .lines()
        .rev()
        .take(2)
        .map(|row| row.split_whitespace().skip(5).take(2).collect::<Vec<_>>())
        .collect();
    let have_decimals = |row: usize| quartiles[row].iter().map(|cell| cell.contains('.'));
    assert!(have_decimals(0).all(|has| has), "65 bytes: {quartiles:?}");
    assert!(!have_decimals(1).any(|has| has), "64 bytes: {quartiles:?}");
}

#[test]
fn wrong_use_of_bench_is_refused() {
    for (line, message) in [
        ("bench --bytes 0", "invalid argument '0' for '--bytes'"),
        ("bench --bytes 1,x", "invalid argument 'x' for '--bytes'"),
        (
            "bench --bytes 1073741825 -a blake2b --impl ttable64",
            "invalid argument '1073741825' for '--bytes'",
        ),
        (
            "bench --bytes 1073741824 -a blake2b --impl ttable64",
            "--impl: 'ttable64': not of blake2b",
        ),
        (
            "bench --mode double",
            "invalid argument 'double' for '--mode'",
        ),
        (
            "bench --algo md5",
            "invalid argument 'md5' for '--algorithm'",
        ),
        (
            "bench -a blake2b --impl ttable64",
            "--impl: 'ttable64': not of blake2b",
        ),
        (
            "bench --mode tree -a blake2b --impl ttable64",
            "--impl: 'ttable64': not of blake2b",
        ),
        (
            "bench --mode tree -a blake224",
            "bench: the mode tree times nothing of blake224",
        ),
        (
            "bench --mode tree --impl groestl0-256=ttable64",
            "bench: the mode tree times nothing of groestl0-256=ttable64",
        ),
    ] {
        let done = run(line);
        assert_eq!(
            (done.code, &done.stdout),
            (Some(1), &common::Text(Vec::new())),
            "{line}"
        );
        assert!(
            done.stderr
                .0
                .starts_with(format!("finalist: {message}").as_bytes()),
            "{done:?}"
        );
    }
}

#[test]
fn trees_are_timed_with_one_thread_and_with_all() {
    let done = run("bench --mode tree -a blake2s --bytes 70000 --json");
    assert_eq!((done.code, &done.stderr), (Some(0), &common::Text(vec![])));
    let rows: Value = serde_json::from_slice(&done.stdout.0).unwrap();
    let rows = rows.as_array().unwrap();
    let structures: BTreeSet<_> = rows.iter().map(|row| row["algorithm"].as_str()).collect();
    let expected = [Some("tree of blake2s"), Some("merkle of blake2s")];
    assert_eq!(structures, expected.into());
    assert!(rows.iter().any(|row| row["threads"] == 1));
    for row in rows {
        assert_eq!(
            (&row["mode"], &row["bytes"]),
            (&"tree".into(), &70000.into())
        );
        assert!(row["tsc_per_byte"].as_f64().unwrap() > 0.0, "{row}");
    }
    // The table has the same rows, with the threads before the bytes.
    let table = run("bench --mode tree -a blake2s --bytes 70000");
    let threads = text(&table).lines().filter_map(|line| {
        let cells: Vec<_> = line.split_whitespace().collect();
        let bytes = cells.iter().position(|cell| *cell == "70000")?;
        Some(cells[bytes - 1])
    });
    let expected: Vec<_> = rows.iter().map(|row| row["threads"].to_string()).collect();
    assert!(threads.eq(expected), "{table:?}");
}

#[test]
fn one_message_of_blake3_is_timed_as_a_tree() {
    let done = run("bench --mode tree -a blake3 --bytes 70000 --json");
    assert_eq!((done.code, &done.stderr), (Some(0), &common::Text(vec![])));
    let rows: Value = serde_json::from_slice(&done.stdout.0).unwrap();
    let rows = rows.as_array().unwrap();
    assert!(rows.iter().all(|row| row["algorithm"] == "blake3"));
    assert!(rows.iter().any(|row| row["threads"] == 1), "{rows:?}");
}

#[test]
fn many_messages_are_timed_by_the_lane() {
    let list = run("list --json");
    let rows: Value = serde_json::from_slice(&list.stdout.0).unwrap();
    let there_are = rows
        .as_array()
        .unwrap()
        .iter()
        .any(|row| row["mode"] == "multi" && row["supported"] == true);
    let done = run("bench --mode multi --algorithm blake2s --bytes 64 --json");
    if !there_are {
        let message = "bench: the mode multi times nothing of blake2s";
        assert!(done.stderr.0.ends_with(format!("{message}\n").as_bytes()));
        assert_eq!(done.code, Some(1));
        return;
    }
    assert_eq!(done.code, Some(0));
    let rows: Value = serde_json::from_slice(&done.stdout.0).unwrap();
    let rows = rows.as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!((&row["mode"], &row["bytes"]), (&"multi".into(), &64.into()));
        assert!(row["lanes"].as_u64().unwrap() > 1, "{row}");
        assert!(row["tsc_per_byte"].as_f64().unwrap() > 0.0, "{row}");
    }
}
