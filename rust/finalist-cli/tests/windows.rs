// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests specific to Windows: separators, long names, globs that shells do not expand, names with a
//! special meaning. The other test files run there, too.

#![cfg(windows)]

mod common;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;

use common::manifests::{gives, manifest, prints};
use common::{Done, Text, finalist, run_with, write};
use tempfile::TempDir;

/// The digest of this content by `b2sum -l 64`.
const BINARY: &[u8] = b"a\x1ab\r\nc\n";
const BINARY_SUM: &str = "d58bd682a93d7e2b";

fn directory() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    dir
}

fn done(code: i32, stdout: &str, stderr: &str) -> Done {
    Done {
        code: Some(code),
        stdout: Text(stdout.into()),
        stderr: Text(stderr.into()),
    }
}

fn run(dir: &TempDir, line: &str) -> Done {
    finalist(dir.path(), &line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn bytes_are_read_and_written_as_they_are() {
    let dir = directory();
    write(&dir, "file", BINARY);
    let line = |name: &str| done(0, &format!("{BINARY_SUM}  {name}\n"), "");
    assert_eq!(run(&dir, "sum -l 64 file"), line("file"));
    for jobs in ["-j1", "-j3"] {
        let words = ["sum", "-l", "64", jobs];
        assert_eq!(run_with("finalist", dir.path(), &words, BINARY), line("-"));
    }
    // The digest is long enough to contain every byte, including ^Z, CR and LF.
    let raw = |name: &str| run(&dir, &format!("sum --raw -a blake2xb -l 65536 {name}"));
    let hex = run(&dir, "sum --no-names -a blake2xb -l 65536 file")
        .stdout
        .0;
    let expected = hex::decode(hex.trim_ascii()).expect("it is hexadecimal");
    assert!(
        [0x1a, b'\r', b'\n']
            .iter()
            .all(|byte| expected.contains(byte))
    );
    assert_eq!(
        raw("file"),
        Done {
            stdout: Text(expected),
            ..done(0, "", "")
        }
    );
}

#[test]
fn lists_have_slashes_and_are_read_with_either() {
    let dir = directory();
    write(&dir, r"d\file", BINARY);
    let listed = format!("{BINARY_SUM}  d/file\n");
    for name in ["d/file", r"d\file", r"-r d", r".\d\file"] {
        let expected = match name.starts_with('.') {
            true => listed.replace("d/", "./d/"),
            false => listed.clone(),
        };
        assert_eq!(
            run(&dir, &format!("sum -l 64 {name}")),
            done(0, &expected, "")
        );
    }
    let json = run(&dir, r"sum --json d\file").stdout.0;
    assert!(json.starts_with(b"{\"file\":\"d/file\","));
    // GNU's programs write a name with a backslash in this way.
    let escaped = format!("\\{BINARY_SUM} *d\\\\file\n");
    for list in [listed, escaped] {
        for list in [list.clone(), list.replace('\n', "\r\n")] {
            write(&dir, "list", list);
            assert_eq!(
                run(&dir, "check --strict list"),
                done(0, "d/file: OK\n", "")
            );
        }
    }
    // In this form of a name a slash is an ordinary letter.
    let verbatim = dir.path().join("d").canonicalize().expect("it is there");
    let name = verbatim
        .join("file")
        .into_os_string()
        .into_string()
        .expect("it is text");
    assert!(name.starts_with(r"\\?\"), "{name}");
    let sums = finalist(dir.path(), &["sum", "-l", "64", &name]);
    let escaped = name.replace('\\', r"\\");
    assert_eq!(sums, done(0, &format!("\\{BINARY_SUM}  {escaped}\n"), ""));
    write(&dir, "list", sums.stdout.0);
    assert_eq!(run(&dir, "check --strict --quiet list"), done(0, "", ""));
}

#[test]
fn names_may_be_longer_than_260_letters() {
    let dir = directory();
    let mut below = PathBuf::from("d");
    below.extend(std::iter::repeat_n("e".repeat(100), 12));
    fs::create_dir_all(dir.path().join(&below)).expect("directories are made");
    fs::write(dir.path().join(&below).join("file"), BINARY).expect("a file is written");
    let name = format!("d{}/file", format!("/{}", "e".repeat(100)).repeat(12));
    let listed = format!("{BINARY_SUM}  {name}\n");
    for options in ["-r", "-r --follow"] {
        let sums = run(&dir, &format!("sum -l 64 {options} d"));
        assert_eq!(sums, done(0, &listed, ""));
    }
    assert_eq!(
        run(&dir, &format!("sum -l 64 {name}")),
        done(0, &listed, "")
    );
    write(&dir, "list", listed);
    assert_eq!(
        run(&dir, "check list"),
        done(0, &format!("{name}: OK\n"), "")
    );
    prints(&dir, "create d -o M.parquet");
    gives(&dir, "verify M.parquet d", 0, "M.parquet: OK, 1 file\n", "");
}

#[test]
fn stars_stand_for_files_in_file_arguments_alone() {
    let dir = directory();
    for name in ["b.txt", "A.TXT", "c.md", "d/e[1].txt", "d/e1.txt"] {
        write(&dir, name, "");
    }
    let names = |line: &str| {
        let done = run(&dir, &format!("sum -l 8 {line}"));
        let lines = String::from_utf8(done.stdout.0).expect("it is text");
        let names: Vec<_> = lines.lines().map(|line| line[4..].to_owned()).collect();
        (names.join(" "), done.code, done.stderr)
    };
    let found = |names: &str| (names.to_owned(), Some(0), Text(vec![]));
    assert_eq!(names("*.txt"), found("A.TXT b.txt"));
    assert_eq!(names(r"?.md d\*"), found("c.md d/e1.txt d/e[1].txt"));
    assert_eq!(names("d/e[1].*"), found("d/e[1].txt"));
    assert_eq!(
        names("-r --exclude *.txt --exclude *.TXT ."),
        found("./c.md")
    );
    let (none, code, stderr) = names("*.rs");
    assert_eq!((none.as_str(), code), ("", Some(1)));
    assert!(stderr.0.starts_with(b"finalist: '*.rs': "), "{stderr:?}");
    let roots = run(&dir, "merkle root *.txt").stdout.0;
    assert_eq!(roots.iter().filter(|&&byte| byte == b'\n').count(), 2);
}

/// Wine cannot create such files: they are missing.
#[test]
fn names_that_are_no_text_come_back() {
    let dir = directory();
    let name = OsString::from_wide(&[0x61, 0xd800]);
    let absent = finalist(dir.path(), &[OsStr::new("sum"), &name]);
    let text = b"finalist: 'a'$'\\355\\240\\200': No such file or directory\n";
    assert_eq!((absent.code, absent.stderr), (Some(1), Text(text.to_vec())));
    for (name, hex) in [
        (&b"a\xed\xa0\x80"[..], "61eda080"),
        (b"d/\xed\xbf\xbf", "642fedbfbf"),
    ] {
        write(
            &dir,
            "list",
            [BINARY_SUM.as_bytes(), b"  ", name, b"\n"].concat(),
        );
        let checked = run(&dir, "check --json list").stdout.0;
        let checked = String::from_utf8(checked).expect("it is text");
        assert!(
            checked.starts_with(&format!("{{\"file_hex\":\"{hex}\",")),
            "{checked}"
        );
    }
    // This name comes from another system; no file here can have it.
    write(&dir, "list", [BINARY_SUM.as_bytes(), b"  a\xff\n"].concat());
    let checked = run(&dir, "check --ignore-missing list");
    assert_eq!(
        checked,
        done(1, "", "finalist: list: no file was verified\n")
    );
}

#[test]
fn the_null_device_is_empty() {
    let dir = directory();
    let empty = run_with("finalist", dir.path(), &["sum", "--no-names"], b"");
    let line = String::from_utf8(empty.stdout.0).expect("it is text");
    let listed = format!("{}  NUL\n", line.trim());
    assert_eq!(run(&dir, "sum NUL"), done(0, &listed, ""));
}

#[test]
fn manifests_have_slashes() {
    let dir = directory();
    fs::create_dir(dir.path().join(r"d\e")).expect("a directory is made");
    write(&dir, "d/e/file", BINARY);
    write(&dir, "d/top", "");
    let list = prints(&dir, "create d -l 64");
    assert!(
        list.contains(&format!("BLAKE2b-64 (e/file) = {BINARY_SUM}\n")),
        "{list}"
    );
    write(&dir, "names", "e\\file\0.\\top");
    assert_eq!(prints(&dir, "create d -l 64 --files0-from names"), list);
    write(&dir, "M.list", &list);
    gives(&dir, "verify M.list d", 0, "M.list: OK, 2 files\n", "");
    let of = |path: &str| prints(&dir, &format!("prove M.list {path}"));
    assert_eq!(of(r"e\file"), of("e/file"));
    let root = dir.path().join("d").canonicalize().expect("it is there");
    let words = ["manifest", "create", "-l", "64", "--files0-from", "names"].map(OsStr::new);
    let verbatim = finalist(dir.path(), &[&words[..], &[root.as_os_str()]].concat());
    assert_eq!(verbatim, done(0, &list, ""));
}

#[test]
fn paths_that_lead_out_of_the_directory_are_refused() {
    let dir = directory();
    let paths = [
        (r"C:\x", "C:/x", "the path names a drive"),
        ("C:x", "C:x", "the path names a drive"),
        (r"\x", "/x", "the path is absolute"),
        (
            r"\\server\share\x",
            "//server/share/x",
            "the path is absolute",
        ),
        (r"a\..\..\x", "a/../../x", "the path contains '..'"),
    ];
    let names = [
        ("ab:c", "the path has a name that Windows does not allow"),
        ("a./b", "the path has a name that Windows does not allow"),
        ("b/aux.c", "the path has the name of a device"),
        ("COM1", "the path has the name of a device"),
    ];
    let listed = paths.iter().map(|&(path, shown, text)| (path, shown, text));
    let listed = listed.chain(names.iter().map(|&(path, text)| (path, path, text)));
    for (path, shown, text) in listed {
        write(&dir, "names", path);
        let done = manifest(&dir, "create d --files0-from names");
        let shown = match shown.contains(':') {
            true => format!("'{shown}'"),
            false => shown.to_owned(),
        };
        let text = format!("finalist: names: {shown}: {text}\n");
        assert_eq!(
            (done.code, done.stderr),
            (Some(1), Text(text.into())),
            "{path}"
        );
    }
    write(&dir, "d/file", "");
    let list = prints(&dir, "create d");
    for (path, _, text) in paths {
        let escaped = path.replace('\\', r"\\");
        let start = if escaped == path { "" } else { "\\" };
        let row = format!("{start}BLAKE2b ({escaped})");
        write(&dir, "M.list", list.replace("BLAKE2b (file)", &row));
        let done = manifest(&dir, "verify M.list d");
        let stderr = String::from_utf8(done.stderr.0).expect("it is text");
        assert!(stderr.ends_with(&format!(": {text}\n")), "{path}: {stderr}");
        assert_eq!(done.code, Some(1));
    }
}
