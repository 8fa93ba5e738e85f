// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the commands `list` and `selftest` and the choice of implementations.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use ::finalist::{Implementation, core_class, implementations};
use finalist_bench::known_answers::compact_text;

use common::output::{fields, here, json, rows, run, text};
use common::{Done, finalist, program, run_with, start, write};
use serde_json::Value;
use tempfile::TempDir;

const COMPRESSIONS: usize = 9;

fn last_line(done: &Done) -> &str {
    text(done).lines().last().expect("a last line")
}

/// Runs selftest on one file of vectors.
fn selftest(vectors: &str) -> (TempDir, Done) {
    let dir = TempDir::new().expect("a temporary directory can be made");
    write(&dir, "v.jsonl", vectors);
    let done = finalist(dir.path(), &["selftest", "--vectors", "v.jsonl"]);
    (dir, done)
}

#[test]
fn list_shows_every_implementation() {
    let done = run("list --json");
    assert_eq!(
        (done.code, &done.stderr),
        (Some(0), &common::Text(Vec::new()))
    );
    let list = json(&done);
    let expected = [
        "algorithm",
        "implementation",
        "technique",
        "source",
        "features",
        "supported",
        "selected",
        "constant_time",
        "mode",
        "lanes",
        "core",
    ];
    let mut selected = BTreeMap::new();
    for row in rows(&list) {
        assert_eq!(fields(row), expected.into());
        assert!(row["features"].is_array() && row["lanes"].is_u64(), "{row}");
        if row["mode"] == "single" {
            let algorithm = row["algorithm"].as_str().expect("a name");
            *selected.entry(algorithm).or_insert(0) += usize::from(row["selected"] == true);
        }
    }
    assert_eq!(selected.len(), COMPRESSIONS);
    assert!(selected.values().all(|&count| count == 1), "{selected:?}");

    let table = run("list");
    assert_eq!(text(&table).lines().count(), COMPRESSIONS + 3);
    for row in rows(&list).iter().filter(|row| row["selected"] == true) {
        let word = |field| row[field].as_str().expect("a name");
        let is_its = |line: &&str| line.split_whitespace().next() == Some(word("algorithm"));
        let line = text(&table).lines().find(is_its).expect("a line");
        let cells: Vec<_> = line.split_whitespace().collect();
        let column = if word("mode") == "single" { 1 } else { 2 };
        assert_eq!(cells[column], word("implementation"), "{line}");
    }
    let is_narrow = |table: &str| table.lines().all(|line| line.chars().count() <= 80);
    assert!(is_narrow(text(&table)));

    let supported = run("list --supported");
    let is_supported = |row: &&Value| row["supported"] == true;
    let count = rows(&list).iter().filter(is_supported).count();
    assert_eq!(text(&supported).lines().count(), count + 3);
    let table = run("list --wide");
    assert_eq!(text(&table).lines().count(), rows(&list).len() + 3);
    let core = rows(&list)[0]["core"].as_str().expect("a name");
    assert_eq!(last_line(&table), format!("selected for {core}"));
    assert!(text(&table).starts_with("algorithm"));
    let is_narrow = |table: &str| table.lines().all(|line| line.chars().count() <= 100);
    assert!(is_narrow(text(&supported)));
    assert!(!is_narrow(text(&table)));
}

#[test]
fn the_list_is_that_of_the_library() {
    let list = json(&run("list --json"));
    let table = run("list");
    let mut left = implementations();
    for row in rows(&list) {
        let is_its = |each: &Implementation| {
            let names = [each.algorithm, each.name, each.mode];
            names == ["algorithm", "implementation", "mode"].map(|field| &row[field])
        };
        let place = left.iter().position(is_its).expect("it is in the library");
        let each = left.remove(place);
        let expected = serde_json::json!({
            "algorithm": each.algorithm,
            "implementation": each.name,
            "technique": each.technique,
            "source": each.source,
            "features": each.features,
            "supported": each.supported,
            "selected": each.selected,
            "constant_time": each.constant_time,
            "mode": each.mode,
            "lanes": each.lanes,
            "core": core_class(),
        });
        assert_eq!(*row, expected);
    }
    assert!(left.is_empty());
    for algorithm in rows(&list).iter().map(|row| &row["algorithm"]) {
        let of = rows(&list)
            .iter()
            .filter(|row| row["algorithm"] == *algorithm);
        let supported = of.clone().filter(|row| row["supported"] == true).count();
        let ends = format!(" {supported} {}", of.count());
        let cells: Vec<_> = text(&table)
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .filter(|cells| cells.first().is_some_and(|name| algorithm == name))
            .map(|cells| cells.join(" "))
            .collect();
        assert!(cells.len() == 1 && cells[0].ends_with(&ends), "{cells:?}");
    }
    let head = text(&table).lines().next().unwrap_or_default();
    let head: Vec<_> = head.split_whitespace().collect();
    let shown = "algorithm one message many messages lanes supported in this build";
    assert_eq!(head.join(" "), shown);
}

/// Each cell stands below the heading of its column.
#[test]
fn the_wide_list_has_the_values_of_the_others() {
    let list = json(&run("list --json"));
    let table = run("list --wide");
    let mut lines = text(&table).lines();
    let head = lines.next().expect("headings");
    let headings = [
        ("implementation", "implementation"),
        ("lanes", "lanes"),
        ("supported", "supported"),
        ("selected", "selected"),
        ("constant time", "constant_time"),
        ("features", "features"),
        ("mode", "mode"),
        ("technique", "technique"),
        ("source", "source"),
    ];
    let places = headings.map(|(name, _)| head.find(name).expect("a heading"));
    for (row, line) in rows(&list).iter().zip(lines) {
        let line: Vec<char> = line.chars().collect();
        let ends = places[1..].iter().copied().chain([line.len()]);
        for ((&start, end), (_, field)) in places.iter().zip(ends).zip(headings) {
            let cell: String = line[start.min(end)..end].iter().collect();
            let shown = match &row[field] {
                Value::Bool(set) => if *set { "*" } else { "" }.to_owned(),
                Value::Array(names) if names.is_empty() => "-".to_owned(),
                Value::Array(names) => {
                    let names = names.iter().filter_map(Value::as_str);
                    names.collect::<Vec<_>>().join(",")
                }
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(cell.trim(), shown, "{row}");
        }
    }
}

#[test]
fn rows_of_the_list_are_chosen() {
    let list = |line: &str| {
        let done = json(&run(&format!("list --json {line}")));
        rows(&done).to_vec()
    };
    let all = list("");
    for (line, field) in [("--selected", "selected"), ("--supported", "supported")] {
        let chosen: Vec<_> = all
            .iter()
            .filter(|row| row[field] == true)
            .cloned()
            .collect();
        assert!(!chosen.is_empty() && chosen.len() < all.len(), "{line}");
        assert_eq!(list(line), chosen, "{line}");
    }
    let blake2b: Vec<_> = all
        .iter()
        .filter(|row| row["algorithm"] == "blake2b")
        .cloned()
        .collect();
    assert_eq!(list("blake2b"), blake2b);
    // The implementations are those of its compression function.
    assert_eq!(list("blake2bp"), list("blake2b"));
    // Without --json, they have a line each, too.
    for line in ["blake2b", "--selected", "--supported"] {
        let table = run(&format!("list {line}"));
        assert_eq!(text(&table).lines().count(), list(line).len() + 3, "{line}");
    }
    let wide = run("list groestl256 --wide");
    assert!(text(&wide).contains("technique"));
    assert!(!text(&run("list groestl256")).contains("technique"));
}

/// Returns the tool's standard output with a choice in the environment.
fn stdout_with_choice(arguments: &[&str], choice: &str) -> Vec<u8> {
    let mut command = program("finalist", here());
    command.args(arguments).env("FINALIST_IMPL", choice);
    let output = start(&mut command, b"").wait_with_output();
    output.expect("it was started").stdout
}

#[test]
fn the_environment_forces_what_selftest_and_bench_run() {
    let out = stdout_with_choice(&["selftest"], "groestl384=ttable64,blake2b=portable");
    let out = String::from_utf8(out).expect("the output is UTF-8");
    let of = |algorithm: &str| -> Vec<_> {
        out.lines()
            .filter(|line| line.starts_with(algorithm))
            .collect()
    };
    assert!(of("groestl512 ")[0].starts_with("groestl512 ttable64 "));
    assert_eq!((of("groestl512 ").len(), of("blake2b ").len()), (1, 1));
    assert!(of("groestl256 ").len() > 1);
    let bench = ["bench", "--json", "--bytes", "64", "-a", "groestl256"];
    let out = stdout_with_choice(&bench, "groestl256=ttable64");
    let table: Value = serde_json::from_slice(&out).expect("an array");
    let names: Vec<_> = rows(&table)
        .iter()
        .map(|row| &row["implementation"])
        .collect();
    assert_eq!(names, ["ttable64"]);
}

#[test]
fn list_shows_the_choice_of_the_environment() {
    let out = stdout_with_choice(&["list", "--json"], "groestl256=ttable64");
    let list: Value = serde_json::from_slice(&out).expect("an array");
    let selected = |row: &&Value| row["algorithm"] == "groestl256" && row["selected"] == true;
    let names: Vec<_> = rows(&list)
        .iter()
        .filter(selected)
        .map(|r| &r["implementation"])
        .collect();
    assert_eq!(names, ["ttable64"]);
}

#[test]
fn selftest_passes() {
    let done = run("selftest");
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(last_line(&done).ends_with(" passed, 0 failed"), "{done:?}");
    let summary = json(&run("selftest --json"));
    assert_eq!(fields(&summary), ["passed", "failed", "failures"].into());
    assert_eq!(
        last_line(&done),
        format!("{} passed, 0 failed", summary["passed"])
    );
    // Each vector runs through at least one implementation, Grøstl's through two.
    assert!(summary["passed"].as_u64().expect("a number") > compact_text().lines().count() as u64);
    assert_eq!(summary["failures"], Value::Array(Vec::new()));
}

/// The answers of vectors to falsify; the field also identifies the vector's kind.
const ANSWERS: [&str; 6] = [
    "mct_md",
    "md_of_mds",
    "md_first",
    "md_last",
    "checksum",
    "md",
];
const KINDS: [&str; 8] = [
    "gen",
    "chunks",
    "tree",
    "two_level_tree",
    "xof_unknown_length",
    "salt",
    "key",
    "personal",
];

#[test]
fn a_wrong_answer_of_every_kind_is_a_failure() {
    let mut seen = BTreeSet::new();
    for line in compact_text().lines() {
        let vector: Value = serde_json::from_str(line).expect("well formed");
        let kind = KINDS
            .iter()
            .find(|&&kind| !vector[kind].is_null())
            .unwrap_or(&"plain");
        for answer in ANSWERS.iter().filter(|&&answer| !vector[answer].is_null()) {
            if !seen.insert((vector["alg"].to_string(), *kind, *answer)) {
                continue;
            }
            let digest = match &vector[answer] {
                Value::Array(digests) => digests.last().expect("a digest"),
                digest => digest,
            };
            let digest = digest.as_str().expect("hex");
            let last = if digest.ends_with('0') { "1" } else { "0" };
            let wrong = format!("{}{last}", &digest[..digest.len() - 1]);
            let (_dir, done) = selftest(&line.replace(digest, &wrong));
            assert_eq!(done.code, Some(1), "{line}");
            assert!(
                last_line(&done).starts_with("0 passed, "),
                "{line}: {done:?}"
            );
            let mut counts = text(&done)
                .lines()
                .filter(|line| line.contains(" passed, "));
            assert!(
                counts.all(|line| format!(" {line}").contains(" 0 passed, ")),
                "{done:?}"
            );
            let expected = format!(
                "FAILED v.jsonl:1: {}, ",
                vector["alg"].as_str().expect("name")
            );
            assert!(text(&done).contains(&expected), "{line}: {done:?}");
            assert!(
                text(&done).contains(&format!(": {answer}")),
                "{line}: {done:?}"
            );
        }
    }
    assert!(seen.len() > 60, "{seen:?}");
}

#[test]
fn malformed_lines_are_named_and_the_others_run() {
    let all = compact_text();
    let good = all.lines().next().expect("a vector");
    let lines = format!("{good}\n\nnonsense\n{{\"alg\":\"md5\"}}\r\n{good}\n\u{0}\n");
    let (dir, done) = selftest(&lines);
    assert_eq!(done.code, Some(1));
    for place in [
        "v.jsonl:3: malformed: ",
        "v.jsonl:4: malformed: ",
        "v.jsonl:6: malformed: ",
    ] {
        assert!(text(&done).contains(place), "{done:?}");
    }
    assert!(last_line(&done).ends_with(" passed, 3 failed"), "{done:?}");
    assert!(!last_line(&done).starts_with("0 "), "{done:?}");
    write(&dir, "binary", [0xff, b'\n', 0xfe]);
    let done = finalist(dir.path(), &["selftest", "--json", "--vectors", "binary"]);
    assert_eq!(json(&done)["failed"], 2);
    assert_eq!(json(&done)["failures"][1]["line"], 2);
    assert_eq!(json(&done)["failures"][1]["file"], "binary");
}

/// They have the same algorithm or the same name.
#[test]
fn answers_are_counted_for_their_implementation() {
    let names = [
        "blake256=portable",
        "groestl256=bitslice",
        "groestl256=ttable64",
        "groestl512=ttable64",
    ];
    let all = run(&format!("selftest --impl {}", names.join(",")));
    let lines: Vec<_> = text(&all).lines().take(4).collect();
    let alone = names.map(|name| {
        let done = run(&format!("selftest --impl {name}"));
        let lines: Vec<_> = text(&done).lines().map(str::to_owned).collect();
        assert!(lines[0].ends_with(&format!(" {}", lines[1])), "{lines:?}");
        lines[0].clone()
    });
    assert_eq!(lines, alone);
}

#[test]
fn the_vectors_of_every_file_are_asked() {
    let (dir, done) = selftest("x\n");
    assert_eq!(last_line(&done), "0 passed, 1 failed");
    write(&dir, "w.jsonl", "y\nz\n");
    let done = finalist(dir.path(), &["selftest", "--vectors", "v.jsonl", "w.jsonl"]);
    assert_eq!(last_line(&done), "0 passed, 3 failed");
}

#[test]
fn only_the_first_failures_are_named() {
    let (_dir, done) = selftest(&"x\n".repeat(10));
    assert!(!text(&done).contains("more failures"), "{done:?}");
    let (_dir, done) = selftest(&"x\n".repeat(25));
    assert_eq!(
        text(&done)
            .lines()
            .filter(|line| line.starts_with("FAILED "))
            .count(),
        10
    );
    assert!(
        text(&done).ends_with("and 15 more failures\n0 passed, 25 failed\n"),
        "{done:?}"
    );
}

/// No memory can hold such lengths: each gives one message and no crash.
#[test]
fn monstrous_batches_are_refused() {
    for message_bytes in [u64::MAX, i64::MAX as u64, 1 << 40, (1 << 24) + 1] {
        let rule = r#"msg_i = SHAKE256(\"batch\" || i as 4 bytes big-endian)[:msg_bytes]"#;
        let line = format!(
            r#"{{"alg":"blake2b","batch":{{"msg_bytes":{message_bytes},"count":4294967295,"rule":"{rule}"}},"md_of_mds":"{}"}}"#,
            "00".repeat(64)
        );
        let (_dir, done) = selftest(&line);
        let lines: Vec<_> = text(&done)
            .lines()
            .filter(|line| !line.contains("0 passed, 0"))
            .collect();
        assert_eq!(
            lines,
            [
                "FAILED v.jsonl:1: malformed: msg_bytes of a batch is at most 16777216",
                "0 passed, 1 failed"
            ],
        );
        assert_eq!(
            (done.code, done.stderr),
            (Some(1), common::Text(Vec::new()))
        );
    }
}

#[test]
fn files_without_vectors_are_refused() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    write(
        &dir,
        "v.jsonl",
        compact_text().lines().next().expect("a vector"),
    );
    let done = finalist(dir.path(), &["selftest", "--vectors", "missing", "v.jsonl"]);
    assert_eq!((done.code, text(&done)), (Some(1), ""));
    assert_eq!(
        done.stderr,
        "finalist: missing: No such file or directory\n"
    );
    let (_dir, done) = selftest("\n");
    assert_eq!(
        (done.code, &done.stdout),
        (Some(1), &common::Text(Vec::new()))
    );
    assert_eq!(
        done.stderr,
        "finalist: selftest: the files hold no vectors\n"
    );
}

/// A device has no end.
#[test]
fn a_file_that_is_too_long_is_refused() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let file = std::fs::File::create(dir.path().join("long")).expect("created");
    file.set_len((32 << 20) + 1).expect("it becomes longer");
    let done = finalist(dir.path(), &["selftest", "--vectors", "long"]);
    let text = "finalist: long: longer than 32 MiB\n";
    assert_eq!(done, common::done(1, "", text));
}

#[test]
fn implementations_are_chosen_by_name() {
    let done = run("selftest --impl ttable64");
    let lines: Vec<_> = text(&done).lines().collect();
    assert!(
        lines.len() > 1
            && lines[..lines.len() - 1]
                .iter()
                .all(|l| l.contains(" ttable64 "))
    );
    let done = run("selftest --impl groestl384=bitslice,blake256=portable");
    let names: Vec<_> = text(&done)
        .lines()
        .filter_map(|l| l.split("  ").next())
        .collect();
    assert_eq!(names[..2], ["blake256 portable", "groestl512 bitslice"]);
    assert_eq!(names.len(), 3);
    // Of the longer function of the family only.
    let refused = run("sum -a groestl256 --impl gfni-avx2-x2");
    let expected = b"finalist: invalid argument 'gfni-avx2-x2' for '--impl'\n";
    assert_eq!(
        (refused.code, &refused.stdout),
        (Some(1), &common::Text(Vec::new()))
    );
    assert!(refused.stderr.0.starts_with(expected), "{refused:?}");
    for command in ["selftest", "bench"] {
        for (name, message) in [
            (
                "nosuch",
                "the algorithm has no implementation of that name\n\
                 finalist: 'finalist list --wide' shows all names\n",
            ),
            (
                "blake256=ttable64",
                "the algorithm has no implementation of that name; there is:\n\
                 finalist:   portable ",
            ),
            ("md5=portable", "no such algorithm"),
        ] {
            let done = run(&format!("{command} --impl {name}"));
            assert_eq!(
                (done.code, &done.stdout),
                (Some(1), &common::Text(Vec::new()))
            );
            let expected = format!("finalist: --impl: '{name}': {message}");
            assert!(done.stderr.0.starts_with(expected.as_bytes()), "{done:?}");
            // Only names of the same function are listed.
            assert!(done.stderr.0.len() < 800, "{done:?}");
        }
    }
}

/// Names are not broken at the end of a terminal's line; text of several words is.
#[test]
#[cfg_attr(windows, ignore = "it runs script")]
fn names_in_tables_stay_whole() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let names = json(&run("list --json"));
    let names = names.as_array().expect("an array").iter();
    let names: Vec<_> = names
        .map(|row| {
            let algorithm = row["algorithm"].as_str().expect("a name");
            let implementation = row["implementation"].as_str().expect("a name");
            format!("{algorithm:12}  {implementation} ")
        })
        .collect();
    let finalist = env!("CARGO_BIN_EXE_finalist");
    for (columns, options) in [(80, ""), (80, "--wide"), (150, "--wide"), (400, "--wide")] {
        let line = format!("stty rows 24 cols {columns}; {finalist} list {options}");
        let shown = run_with("script", dir.path(), &["-qec", &line, "/dev/null"], b"");
        let shown = String::from_utf8(shown.stdout.0).expect("text");
        let table = shown.split("\r\n\r\n").next().expect("a table");
        let rows: Vec<_> = table.lines().skip(1).collect();
        if options.is_empty() {
            let fits = |row: &&str| row.len() <= columns && !row.starts_with(' ');
            assert!(rows.iter().all(fits), "{table}");
        } else {
            let is_whole = |name: &String| rows.iter().any(|row| row.starts_with(&**name));
            assert!(names.iter().all(is_whole), "{columns}: {table}");
            assert_eq!(
                columns == 150,
                rows.len() > names.len(),
                "{columns}: {table}"
            );
        }
    }
}
