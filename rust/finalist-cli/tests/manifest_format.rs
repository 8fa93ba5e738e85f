// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks the vectors of docs/format/manifests.md against Python's hashlib and the tool.

mod common;

use std::fs;
use std::path::Path;

use common::manifests::{ROOT_5, fixture, manifest_with, prints};
use common::{os, run_with, write};

fn page() -> String {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/format/manifests.md"
    );
    fs::read_to_string(page).expect("docs/format/manifests.md")
}

#[test]
#[cfg_attr(windows, ignore = "it runs Python")]
fn the_vectors_are_those_of_python() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/data/manifest_model.py");
    let done = run_with("python3", Path::new("."), &[model], b"");
    assert_eq!(done.code, Some(0), "{done:?}");
    let vectors = String::from_utf8(done.stdout.0).expect("it is text");
    assert_eq!(vectors.lines().count(), 18);
    let page = page();
    for vector in vectors.lines() {
        assert!(page.contains(&format!("{vector}\n")), "{vector}");
    }
}

/// The page's last root has a key, a salt and a personalisation.
#[test]
#[cfg_attr(windows, ignore = "Windows has no such names")]
fn the_vectors_are_those_of_the_tool() {
    let dir = fixture();
    fs::write(dir.path().join("d").join(os(b"\xff")), "\\\n").expect("a file is written");
    write(&dir, "key", "key");
    let listed = b"a.c\0a/b\0a/gone\0new\nline\0\xff";
    let page = page();
    let keyed = "-a blake2s --key-file key --salt 00ff --personal 0a -o K.parquet";
    for (options, name, count) in [
        ("-l 64 -o P.parquet", "P.parquet", 5),
        (keyed, "K.parquet", 5),
    ] {
        let line = format!("create d {options} --files0-from -");
        let printed = String::from_utf8(manifest_with(&dir, &line, listed).stdout.0);
        let printed = printed.expect("it is text");
        let root = printed.trim().rsplit(' ').next().expect("a root");
        assert!(page.contains(&format!("`{root}`")), "{name}: {printed}");
        assert_eq!(root == ROOT_5, count == 5 && name == "P.parquet");
    }
    let first = prints(&dir, "root P.parquet");
    assert!(first.starts_with("Finalist-BLAKE2b-64-manifest-2 (P.parquet) = "));
    fs::remove_dir_all(dir.path().join("d")).expect("it is removed");
    fs::create_dir(dir.path().join("d")).expect("it is made");
    let empty = prints(&dir, "create d -l 64 -o E.list");
    let root = empty.trim().rsplit(' ').next().expect("a root");
    assert!(
        page.contains(&format!("| first 0 | `e4a6a0577479b2b4` | `{root}` |")),
        "{empty}"
    );
}
