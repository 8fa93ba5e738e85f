// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every command has a man page and completions, and the examples of the help run.

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

/// The names of the commands that the help of the tool or of a command lists.
fn commands(of: &[&str]) -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = finalist(here, &[of, &["--help"]].concat());
    let help = String::from_utf8(help.stdout.0).expect("it is text");
    let list = help.split_once("Commands:\n").map_or("", |(_, list)| list);
    let lines = list.lines().take_while(|line| !line.is_empty());
    lines
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_a_man_page_and_completions() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    assert_eq!(finalist(dir.path(), &["generate", "."]).code, Some(0));
    let pages = contents(&dir.path().join("man"));
    let completions = contents(&dir.path().join("completions"));
    assert_eq!(completions.len(), 3);
    let check = |page: &str, command: &str| {
        assert!(pages[page].contains(command), "{page}");
        for (shell, text) in &completions {
            assert!(
                text.contains(command),
                "{shell} does not complete {command}"
            );
        }
    };
    let all = commands(&[]);
    assert!(all.len() >= 8, "{all:?}");
    for command in &all {
        check(&format!("finalist-{command}.1"), command);
        for below in commands(&[command]) {
            check(&format!("finalist-{command}-{below}.1"), &below);
        }
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
