// SPDX-License-Identifier: MIT OR Apache-2.0
//! Man pages and completions are those of the command line, and the examples of the help run.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::{finalist, run_with, write};
use tempfile::TempDir;

/// The files of a directory by name.
fn contents(dir: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let files = entries.map(|entry| {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("it is text");
        (name, fs::read_to_string(entry.path()).expect("it is text"))
    });
    files.collect()
}

#[test]
fn man_pages_and_completions_are_up_to_date() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    assert_eq!(finalist(dir.path(), &["generate", "."]).code, Some(0));
    for part in ["man", "completions"] {
        let committed = contents(&Path::new(env!("CARGO_MANIFEST_DIR")).join(part));
        let generated = contents(&dir.path().join(part));
        assert!(generated.len() >= 3);
        assert!(
            committed == generated,
            "{part}/ is not what the command line is: run 'finalist generate rust/finalist-cli'"
        );
    }
}

/// The lines after "Examples:" in the help of a command, without what they say about themselves.
fn examples(command: &str) -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = finalist(here, &[command, "--help"]);
    let help = String::from_utf8(help.stdout.0).expect("it is text");
    let (_, examples) = help.split_once("Examples:\n").expect("there are examples");
    let lines = examples
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("finalist "));
    let lines: Vec<_> = lines
        .map(|line| {
            line.split_once("  ")
                .map_or(line, |(line, _)| line)
                .replace(" PROOF that ", " PROOF  that ")
        })
        .map(|line| {
            line.split_once("  ")
                .map_or(line.clone(), |(line, _)| line.to_owned())
        })
        .collect();
    assert!(!lines.is_empty());
    lines
}

#[test]
#[cfg_attr(windows, ignore = "it runs in a Unix shell")]
fn the_examples_of_the_help_run() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for name in ["FILE", "x.iso", "KEY", "LOG"] {
        write(&dir, name, "x".repeat(64));
    }
    write(&dir, "LOG", "y".repeat(7 << 16));
    write(&dir, "FILE", "y".repeat(7 << 16));
    write(&dir, "CHUNK", "y".repeat(1 << 16));
    fs::create_dir(dir.path().join("DIRECTORY")).expect("a directory is made");
    write(&dir, "DIRECTORY/PATH", "z");
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/compact.jsonl");
    let vector = fs::read_to_string(vectors).expect("the vectors");
    write(&dir, "x.jsonl", vector.lines().next().expect("a vector"));
    let tool = Path::new(env!("CARGO_BIN_EXE_finalist"));
    let root = |options: &[&str]| {
        let done = finalist(dir.path(), &[&["tree", "root"], options].concat());
        let line = String::from_utf8(done.stdout.0).expect("it is text");
        line.trim().rsplit(' ').next().expect("a root").to_owned()
    };
    write(&dir, "old", "y".repeat(5 << 16));
    let (old, new) = (root(&["old"]), root(&["LOG"]));
    let setup = "finalist sum -a blake2sp FILE > LIST";
    let run = |line: &str| {
        let line = match line.contains("manifest prove --verify") {
            true => line.replace("HEX", "\"$(finalist manifest root M.parquet)\""),
            false => line.to_owned(),
        };
        let line = line
            .replace("--old-root HEX", &format!("--old-root {old}"))
            .replace("--root HEX", &format!("--root {new}"))
            .replace("finalist ", &format!("{} ", tool.display()));
        run_with("sh", dir.path(), &["-c", &line], b"")
    };
    let old_manifest = run("finalist manifest create DIRECTORY -o OLD.parquet");
    assert_eq!(old_manifest.code, Some(0));
    let mut count = 0;
    for command in ["sum", "check", "tree", "manifest", "selftest", "bench"] {
        for line in examples(command) {
            if line == "finalist bench" || line.ends_with("--mode tree") {
                continue; // Minutes.
            }
            let needs_list = command == "check";
            if needs_list {
                let options = if line.contains("blake2sp") {
                    setup
                } else {
                    "finalist sum FILE > LIST"
                };
                assert_eq!(run(options).code, Some(0));
            }
            let done = run(&line);
            assert_eq!(done.code, Some(0), "{line}: {done:?}");
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}
