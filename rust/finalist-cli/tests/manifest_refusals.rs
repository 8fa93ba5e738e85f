// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests manifests and lists of files that `finalist manifest` refuses, and its messages.

mod common;

use std::fs::{self, File};

use common::manifests::{LIST, fixture, gives, manifest, manifest_with, names, prints};
use common::{Text, program, run_with, write};

/// Requires this message for the page's list with one text replaced.
#[track_caller]
fn refused(from: &str, to: &str, text: &str) {
    let dir = fixture();
    let damaged = LIST.replacen(from, to, 1);
    assert_ne!(damaged, LIST);
    write(&dir, "M.list", damaged);
    let text = format!("finalist: M.list: {text}\n");
    for line in [
        "root M.list",
        "diff M.list M.list",
        "prove M.list a.c",
        "verify M.list d",
    ] {
        gives(&dir, line, 1, "", &text);
    }
    gives(&dir, "update M.list d -o N.list", 1, "", &text);
    assert_eq!(names(&dir), ["M.list", "d"]);
}

#[test]
fn wrong_manifests_are_refused_and_named() {
    let version =
        "the manifest has the format 'finalist-manifest-3'; 'finalist-manifest-2' is read";
    refused("manifest-2", "manifest-3", version);
    let first = "the manifest has version 1, which is not read any more: make it again";
    refused("manifest-2", "manifest-1", first);
    refused("# finalist-manifest-2\n", "", "not a manifest");
    refused("blake2b", "md5", "invalid algorithm: 'md5'");
    refused(": 64", ": 63", "invalid digest_bits: '63'");
    // More than the function gives, or than the tree takes.
    for (algorithm, bits) in [("blake2s", 264), ("blake3", 520)] {
        refused(
            "blake2b\n# digest_bits: 64",
            &format!("{algorithm}\n# digest_bits: {bits}"),
            &format!("invalid digest_bits: '{bits}'"),
        );
    }
    refused(": false", ": 0", "invalid keyed: '0'");
    refused("# salt:", "# salt: 0", "invalid salt: '0'");
    refused("# salt:\n", "", "improper line: '# personal:'");
    refused(
        "(a.c)",
        "(b.c)",
        "row 1, a/b: the rows are not sorted by path",
    );
    refused("(a.c)", "(a/b)", "row 1, a/b: the path stands twice");
    refused("(a.c)", "(../a.c)", "row 0, ../a.c: the path contains '..'");
    refused("(a.c)", "(/a.c)", "row 0, /a.c: the path is absolute");
    refused(
        "(a.c)",
        "(a//c)",
        "row 0, a//c: the path has an empty component, or '.'",
    );
    refused(
        "(a.c)",
        "(./a.c)",
        "row 0, ./a.c: the path has an empty component, or '.'",
    );
    refused("(a.c)", "()", "row 0, '': the path is empty");
    refused(
        "(a/gone)",
        "(a/gone/)",
        "row 2, a/gone/: the path has an empty component, or '.'",
    );
    refused(
        "vanished",
        "unlisted",
        "row 2, a/gone: the path of a directory does not end with '/'",
    );
    refused(
        "(a/gone)",
        "(a\\gone)",
        "improper line: '# vanished (a\\gone)'",
    );
    refused("vanished", "lost", "improper line: '# lost (a/gone)'");
    refused("d8bb", "d8bc", "the root is not that of the rows");
    refused("size 3", "size 4", "the root is not that of the rows");
    refused("vanished", "changed", "the root is not that of the rows");
    refused("3355", "3356", "the root is not that of the rows");
    refused(
        "count: 4",
        "count: 5",
        "the manifest has 4 rows and claims 5",
    );
    refused("size 3", "size 03", "improper line: '# size 03'");
    refused(
        "size 3",
        "size 9223372036854775807",
        "the root is not that of the rows",
    );
    refused(
        "size 3",
        "size 9223372036854775808",
        "row 0, a.c: the size is negative",
    );
    refused(
        "BLAKE2b-64 (a.c)",
        "BLAKE2b-64(a.c)",
        "improper line: 'BLAKE2b-64(a.c) = d8bb14d833d59559'",
    );
    refused(
        "BLAKE2b-64 (a.c)",
        "BLAKE2s-64 (a.c)",
        "improper line: 'BLAKE2s-64 (a.c) = d8bb14d833d59559'",
    );
    refused("85ea\n", "85ea\n\n", "there is more after the root");
    let cut = "the list is cut short: it does not end with its root";
    for end in [
        "# root: 335572ac023985ea\n",
        "# count: 4\n# root: 335572ac023985ea\n",
    ] {
        refused(end, "", cut);
    }
    // Every line must end with LF only.
    refused("85ea\n", "85ea", cut);
    refused("size 3\n", "size 3\r\n", "improper line: '# size 3\\r'");
    refused("85ea\n", "85\n", "invalid root: '335572ac023985'");
    // A line that is too long, and the longest that may be cut.
    let (start, end) = ("x".repeat(120), "x".repeat(77));
    let long = format!("improper line: '{start}...{end}'");
    let dir = fixture();
    for (bytes, text) in [(16 << 20, &long[..]), ((16 << 20) - 1, cut)] {
        let list = format!("# finalist-manifest-2\n{}", "x".repeat(bytes));
        write(&dir, "M.list", list);
        let text = format!("finalist: M.list: {text}\n");
        gives(&dir, "root M.list", 1, "", &text);
    }
    for other in ["", "text without a line end", "some text\n"] {
        refused(LIST, other, "not a manifest");
    }
}

#[test]
fn wrong_parquet_is_refused_and_named() {
    let dir = fixture();
    let root = prints(&dir, "create d -l 64 -o M.parquet").into_bytes();
    let whole = fs::read(dir.path().join("M.parquet")).expect("it is there");
    for bytes in [4, 100, whole.len() - 9, whole.len() - 1] {
        write(&dir, "M.parquet", &whole[..bytes]);
        let done = manifest(&dir, "update M.parquet d -o N.parquet");
        let text = String::from_utf8(done.stderr.0).expect("it is text");
        let start = "finalist: M.parquet: not a whole Parquet file: ";
        assert!(
            text.starts_with(start) && text.lines().count() == 1,
            "{bytes}: {text}"
        );
        assert_eq!((done.code, done.stdout), (Some(1), Text(vec![])));
    }
    // Any damage is refused or does not change the root, and never causes a crash.
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        write(&dir, "M.parquet", damaged);
        let done = manifest(&dir, "root M.parquet");
        let text = String::from_utf8_lossy(&done.stderr.0);
        match done.code {
            Some(0) => assert_eq!(done.stdout.0, root, "{at}"),
            code => {
                assert_eq!(code, Some(1), "{at}: {text}");
                assert!(text.starts_with("finalist: M.parquet: "), "{at}: {text}");
                assert_eq!(text.lines().count(), 1, "{at}: {text}");
            }
        }
    }
    assert_eq!(names(&dir), ["M.parquet", "d"]);
}

#[test]
fn wrong_lists_of_files_are_refused() {
    let dir = fixture();
    for (names_listed, text) in [
        ("a.c\0../a.c", "../a.c: the path contains '..'"),
        ("/etc/passwd", "/etc/passwd: the path is absolute"),
        ("a.c\0a/b\0./a.c", "a.c: the path stands twice"),
        ("a/", "a/: the path has an empty component, or '.'"),
    ] {
        write(&dir, "names", names_listed);
        let text = format!("finalist: names: {text}\n");
        gives(&dir, "create d --files0-from names -o M.list", 1, "", &text);
        assert!(!dir.path().join("M.list").exists());
    }
    write(&dir, "names", "a");
    let done = manifest(&dir, "create d --files0-from names");
    assert_eq!(done.stderr, "finalist: d/a: not a regular file\n");
}

#[test]
fn directories_that_are_none_are_refused() {
    let dir = fixture();
    gives(
        &dir,
        "create e",
        1,
        "",
        "finalist: e: No such file or directory\n",
    );
    gives(
        &dir,
        "create d/a.c",
        1,
        "",
        "finalist: d/a.c: Not a directory\n",
    );
    let text = "finalist: blake2xb: hashes of trees have 8 to 512 bits\n";
    gives(&dir, "create d -a blake2xb -l 1024", 1, "", text);
}

/// Fuzzing found this page: it claims 2^50 lengths.
#[test]
fn a_manifest_that_claims_all_memory_is_refused() {
    let dir = fixture();
    let hostile = include_bytes!("inputs/lengths_beyond_memory.parquet");
    write(&dir, "M.parquet", hostile);
    let text = "finalist: M.parquet: not a whole Parquet file: Parquet error: a page is damaged or \
                too long\n";
    for line in ["root M.parquet", "verify M.parquet d", "update M.parquet d"] {
        gives(&dir, line, 1, "", text);
    }
    assert_eq!(names(&dir), ["M.parquet", "d"]);
}

#[test]
fn a_directory_of_files_is_no_manifest() {
    let dir = fixture();
    let text = "finalist: gone: No such file or directory\n";
    gives(&dir, "verify gone", 1, "", text);
    let text = "finalist: d: a directory without 'manifest.json' is no manifest\n";
    gives(&dir, "verify d", 1, "", text);
}

#[test]
fn a_manifest_never_replaces_its_key_or_its_list() {
    let dir = fixture();
    write(&dir, "key", "secret");
    write(&dir, "list", "a.c\0");
    for (line, output) in [
        ("create d --key-file key -o key", "key"),
        ("create d --files0-from list -o list", "list"),
        ("create d --files0-from list -o ./list", "./list"),
    ] {
        let text = format!("finalist: {output}: is also an input: write another file\n");
        gives(&dir, line, 1, "", &text);
    }
    assert_eq!(fs::read(dir.path().join("key")).expect("a key"), b"secret");
    assert_eq!(fs::read(dir.path().join("list")).expect("a list"), b"a.c\0");
}

/// A key or list may also come from a redirection, and the result may go to one.
#[test]
fn an_output_is_no_standard_stream() {
    let dir = fixture();
    prints(&dir, "create d -o M.parquet");
    let path = |name: &str| dir.path().join(name);
    for (stream, line) in [
        ("input", "create d -a blake2s --key-file - -o ./file"),
        ("input", "create d -a blake2s --keyed -o ./file"),
        ("input", "create d --files0-from - -o ./file"),
        ("input", "update M.parquet d --files0-from - -o ./file"),
        ("output", "create d -o ./file"),
        ("output", "update M.parquet d -o ./file"),
        ("error", "create d -o ./file"),
    ] {
        write(&dir, "file", "a.c");
        let file = || File::options().read(true).append(true).open(path("file"));
        let file = file().expect("a file");
        let mut command = program("finalist", dir.path());
        command.arg("manifest").args(line.split(' '));
        let done = match stream {
            "input" => command.stdin(file).output(),
            "output" => command.stdout(file).output(),
            _ => command.stderr(file).output(),
        };
        let done = done.expect("it runs");
        let text = format!("finalist: ./file: is also standard {stream}: write another file\n");
        let (code, message) = (done.status.code(), String::from_utf8_lossy(&done.stderr));
        let content = fs::read_to_string(path("file")).expect("a file");
        let (file, message) = match stream {
            "error" => content.split_at(3),
            _ => (&content[..], &message[..]),
        };
        assert_eq!((code, message, file), (Some(1), &text[..], "a.c"), "{line}");
    }
}

#[test]
fn options_that_would_have_no_effect_are_refused() {
    let dir = fixture();
    let help =
        |command: &str| format!("Try 'finalist manifest {command} --help' for more information.\n");
    for option in ["--exclude x", "--files0-from x", "--follow"] {
        let text = format!(
            "finalist: missing argument: <DIRECTORY>\n{}",
            help("verify")
        );
        gives(&dir, &format!("verify M {option}"), 1, "", &text);
    }
    let text = "finalist: the argument '--root <ROOT>' cannot be used with '[PATH]'\n";
    let text = format!("{text}{}", help("prove"));
    gives(&dir, "prove --root aa M a", 1, "", &text);
}

/// Otherwise it would be a file of this name, while create takes - for standard output.
#[test]
fn update_does_not_write_to_standard_output() {
    let dir = fixture();
    prints(&dir, "create d -o M.parquet");
    let text = "finalist: -: this command does not write to standard output: name a file, which may be ./-\n";
    gives(&dir, "update M.parquet d -o -", 1, "", text);
    assert_eq!(names(&dir), ["M.parquet", "d"]);
    prints(&dir, "update M.parquet d -o ./-");
}

#[test]
fn standard_input_is_one_thing() {
    let dir = fixture();
    let root = "00".repeat(64);
    let text = "finalist: standard input cannot be two of proof, file and key\n";
    for line in ["- -", "- --key-file -", "M - --key-file -"] {
        let line = format!("prove --root {root} --verify {line}");
        gives(&dir, &line, 1, "", text);
    }
    prints(&dir, "create d -o M.parquet");
    let text = "finalist: -: standard input cannot be both key and message\n";
    for command in ["create d", "verify M.parquet d", "update M.parquet d"] {
        let line = format!("{command} --key-file - --files0-from -");
        gives(&dir, &line, 1, "", text);
    }
}

/// It has one end, though two manifests are opened with the key.
#[test]
fn a_key_from_standard_input_opens_both_manifests() {
    let dir = fixture();
    write(&dir, "key", "secret");
    for name in ["M.parquet", "M.list"] {
        prints(&dir, &format!("create d --key-file key -o {name}"));
    }
    for command in ["diff", "duplicates"] {
        let line = format!("{command} --key-file - M.parquet M.list");
        let done = manifest_with(&dir, &line, b"secret");
        assert_eq!(done.code, Some(0), "{line}: {:?}", done.stderr);
    }
}

/// Links and mounts may lead to it from the files that are read.
#[test]
fn a_file_that_is_no_manifest_is_not_replaced() {
    let dir = fixture();
    prints(&dir, "create d -o M.parquet");
    write(&dir, "data", "content");
    let text = "finalist: data: it is no manifest: choose another name\n";
    for command in ["create d", "create d --follow", "update M.parquet d"] {
        gives(&dir, &format!("{command} -o data"), 1, "", text);
        let content = fs::read(dir.path().join("data")).expect("a file");
        assert_eq!(content, b"content");
    }
    for _ in 0..2 {
        prints(&dir, "create d -o M.parquet");
        prints(&dir, "create d -o N.list");
    }
    prints(&dir, "update M.parquet d -o N.list");
}

#[test]
fn a_directory_is_no_output() {
    let dir = fixture();
    prints(&dir, "create d -o M.list");
    gives(
        &dir,
        "create d -o d",
        1,
        "",
        "finalist: d: is a directory\n",
    );
    let text = "finalist: d: a manifest in parts is not written: name another with --output\n";
    gives(&dir, "update M.list d -o d", 1, "", text);
}

#[test]
fn a_key_is_not_replaced() {
    let dir = fixture();
    write(&dir, "key", "secret");
    prints(&dir, "create d -a blake2s --key-file key -o M.list");
    let text = "finalist: key: is also an input: write another file\n";
    for command in ["create d -a blake2s", "update M.list d"] {
        let line = format!("{command} --key-file key -o key");
        gives(&dir, &line, 1, "", text);
    }
}

#[test]
fn an_output_without_a_name_is_refused() {
    let dir = fixture();
    let text = "finalist: '': the output has no name\n";
    for command in ["create d", "create d -a blake2s"] {
        let words = ["manifest"].into_iter().chain(command.split(' '));
        let words: Vec<_> = words.chain(["-o", ""]).collect();
        let done = run_with("finalist", dir.path(), &words, b"");
        assert_eq!((done.code, done.stderr), (Some(1), Text(text.into())));
    }
    assert_eq!(names(&dir), ["d"]);
}

/// A manifest may lie in its directory, and be written again, but replaces none of the files.
#[test]
fn a_file_of_the_directory_is_not_overwritten() {
    let dir = fixture();
    prints(&dir, "create d -o M.parquet");
    let text = "it is no manifest: choose another name";
    for command in ["create d", "update M.parquet d"] {
        let text = format!("finalist: d/a.c: {text}\n");
        gives(&dir, &format!("{command} -o d/a.c"), 1, "", &text);
        assert_eq!(fs::read(dir.path().join("d/a.c")).expect("a file"), b"abc");
    }
    write(&dir, "d/own.list", "");
    for name in ["own.list", "own.parquet"] {
        for _ in 0..2 {
            prints(&dir, &format!("create d -o d/{name}"));
        }
        prints(&dir, &format!("update d/{name} d"));
    }
}
