// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs `finalist manifest` over a directory of files.

use std::fs;

use tempfile::TempDir;

use super::{Done, Text, run_with, write};

/// The list in docs/format/manifests.md.
pub const LIST: &str = "\
# finalist-manifest-2
# algorithm: blake2b
# digest_bits: 64
# keyed: false
# salt:
# personal:
# size 3
BLAKE2b-64 (a.c) = d8bb14d833d59559
# size 0
BLAKE2b-64 (a/b) = e4a6a0577479b2b4
# vanished (a/gone)
# size 1
\\BLAKE2b-64 (new\\nline) = 4adf4367f96e584f
# count: 4
# root: 335572ac023985ea
";

/// The leaf of the first row, and the root with a fifth row for the file `\xff`, from the page.
pub const LEAF: &str = "81c7abed7c02630c";
pub const ROOT_5: &str = "e9685d5a5fa563cf";

/// The name of the third file. Windows does not support the name in the list.
pub const THIRD: &str = if cfg!(windows) { "line" } else { "new\nline" };

/// Returns a directory that contains a directory `d` of files.
pub fn fixture() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir_all(dir.path().join("d/a")).expect("a directory is made");
    for (name, content) in [("a.c", "abc"), ("a/b", ""), (THIRD, "x")] {
        write(&dir, &format!("d/{name}"), content);
    }
    dir
}

/// Runs `finalist manifest` with the words of a line.
pub fn manifest(dir: &TempDir, line: &str) -> Done {
    manifest_with(dir, line, b"")
}

pub fn manifest_with(dir: &TempDir, line: &str, stdin: &[u8]) -> Done {
    let words: Vec<_> = ["manifest"]
        .into_iter()
        .chain(line.split_whitespace())
        .collect();
    run_with("finalist", dir.path(), &words, stdin)
}

/// Runs it and requires this exit code and these outputs.
#[track_caller]
pub fn gives(dir: &TempDir, line: &str, code: i32, stdout: &str, stderr: &str) {
    let expected = Done {
        code: Some(code),
        stdout: Text(stdout.into()),
        stderr: Text(stderr.into()),
    };
    assert_eq!(manifest(dir, line), expected, "{line}");
}

/// Runs it, requires success, and returns its output.
#[track_caller]
pub fn prints(dir: &TempDir, line: &str) -> String {
    let done = manifest(dir, line);
    assert_eq!(done.code, Some(0), "{line}: {done:?}");
    String::from_utf8(done.stdout.0).expect("it is text")
}

pub fn names(dir: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(dir.path()).expect("a directory");
    let mut names: Vec<_> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    names.sort();
    names
}
