// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the answers of `finalist manifest` about corrupt and duplicate files, and all answers as
//! JSON.

mod common;

use std::fs;

use common::manifests::{fixture, gives, manifest, prints};
use common::{Text, run_with, write};
use tempfile::TempDir;

/// Copies the times of one file to another.
#[cfg(unix)]
fn same_time(file: &std::path::Path, other: &std::path::Path) {
    let modified = fs::metadata(other).and_then(|metadata| metadata.modified());
    let opened = fs::File::options()
        .write(true)
        .open(file)
        .expect("it opens");
    opened
        .set_modified(modified.expect("a time"))
        .expect("it is set");
}

#[cfg(unix)]
#[test]
fn a_corrupt_file_is_told_from_a_changed_one() {
    let dir = fixture();
    let d = dir.path().join("d");
    write(&dir, "d/z", "content");
    prints(&dir, "create d -o OLD.parquet");
    fs::copy(d.join("a.c"), dir.path().join("kept")).expect("copied");
    same_time(&dir.path().join("kept"), &d.join("a.c"));
    write(&dir, "d/a.c", "abd");
    same_time(&d.join("a.c"), &dir.path().join("kept"));
    write(&dir, "d/z", "Content");
    let time = std::time::SystemTime::UNIX_EPOCH;
    let opened = fs::File::options().write(true).open(d.join("z"));
    let opened = opened.expect("it opens");
    opened.set_modified(time).expect("it is set");
    let lines = "corrupt a.c\nchanged z\n";
    let end = "OLD.parquet: FAILED, 2 differences, 1 of them a corrupt file\n";
    gives(
        &dir,
        "verify OLD.parquet d",
        2,
        &format!("{lines}{end}"),
        "",
    );
    prints(&dir, "create d -o NEW.parquet");
    gives(&dir, "diff OLD.parquet NEW.parquet", 2, lines, "");
    let json =
        "{\"file\":\"a.c\",\"result\":\"corrupt\"}\n{\"file\":\"z\",\"result\":\"changed\"}\n";
    let end = "{\"old\":\"OLD.parquet\",\"new\":\"NEW.parquet\",\"differences\":2,\"corrupt\":1}\n";
    gives(
        &dir,
        "diff --json OLD.parquet NEW.parquet",
        2,
        &format!("{json}{end}"),
        "",
    );
    let end = "{\"old\":\"OLD.parquet\",\"new\":\"OLD.parquet\",\"differences\":0,\"corrupt\":0}\n";
    gives(&dir, "diff --json OLD.parquet OLD.parquet", 0, end, "");
    let end = "{\"manifest\":\"OLD.parquet\",\"result\":\"corrupt\",\"files\":4,\"failed\":0,\
               \"differences\":2,\"corrupt\":1}\n";
    gives(
        &dir,
        "verify --json OLD.parquet d",
        2,
        &format!("{json}{end}"),
        "",
    );
    // A list contains no times, so corruption is reported as a change.
    prints(&dir, "create d -o M.list");
    write(&dir, "d/a.c", "abe");
    same_time(&d.join("a.c"), &dir.path().join("kept"));
    let lines = "changed a.c\nM.list: FAILED, 1 difference\n";
    gives(&dir, "verify M.list d", 1, lines, "");
    prints(&dir, "create d -o NEW.list");
    gives(&dir, "diff M.list NEW.list", 1, "changed a.c\n", "");
}

/// A disk that fails does not change the length.
#[cfg(unix)]
#[test]
fn a_file_of_another_size_is_changed_and_not_corrupt() {
    let dir = fixture();
    let file = dir.path().join("d/a.c");
    prints(&dir, "create d -o OLD.parquet");
    fs::copy(&file, dir.path().join("kept")).expect("copied");
    same_time(&dir.path().join("kept"), &file);
    write(&dir, "d/a.c", "abcd");
    same_time(&file, &dir.path().join("kept"));
    let end = "OLD.parquet: FAILED, 1 difference\n";
    let lines = format!("changed a.c\n{end}");
    gives(&dir, "verify OLD.parquet d", 1, &lines, "");
    prints(&dir, "create d -o NEW.parquet");
    gives(&dir, "diff OLD.parquet NEW.parquet", 1, "changed a.c\n", "");
}

#[test]
fn files_of_the_same_content_are_found() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir_all(dir.path().join("d/in")).expect("a directory is made");
    for (name, content) in [
        ("1", "long content"),
        ("2", "x"),
        ("3", "long content"),
        ("4", ""),
        ("5", ""),
        ("6", "x"),
        ("7", "alone"),
        ("in/long name", "long content"),
    ] {
        write(&dir, &format!("d/{name}"), content);
    }
    prints(&dir, "create -a blake2s -l 64 d -o M.parquet");
    let hash = |content: &str| {
        write(&dir, "one", content);
        let done = run_with(
            "finalist",
            dir.path(),
            &["sum", "-a", "blake2s", "-l64", "one"],
            b"",
        );
        String::from_utf8_lossy(&done.stdout.0)[..16].to_owned()
    };
    let (long, x) = (hash("long content"), hash("x"));
    let expected = format!(
        "3 files of 12 bytes: {long}\n  1\n  3\n  'in/long name'\n2 files of 1 byte: {x}\n  2\n  6\n\
         M.parquet: 2 groups, 25 bytes wasted\n"
    );
    gives(&dir, "duplicates M.parquet", 0, &expected, "");
    let file =
        |manifest: &str, name: &str| format!("{{\"manifest\":\"{manifest}\",\"file\":\"{name}\"}}");
    let group = |size: u64, digest: &str, wasted: u64, files: &[String]| {
        let files = files.join(",");
        format!(
            "{{\"size\":{size},\"digest\":\"{digest}\",\"wasted\":{wasted},\"files\":[{files}]}}\n"
        )
    };
    let of =
        |names: &[&str]| -> Vec<_> { names.iter().map(|name| file("M.parquet", name)).collect() };
    let expected = group(12, &long, 24, &of(&["1", "3", "in/long name"]))
        + &group(1, &x, 1, &of(&["2", "6"]))
        + "{\"manifest\":\"M.parquet\",\"groups\":2,\"wasted\":25}\n";
    gives(&dir, "duplicates --json M.parquet", 0, &expected, "");
    // With two manifests, files in both are reported.
    fs::create_dir(dir.path().join("e")).expect("a directory is made");
    for (name, content) in [("8", "x"), ("9", "other"), ("10", "other")] {
        write(&dir, &format!("e/{name}"), content);
    }
    prints(&dir, "create -a blake2s -l 64 e -o N.list");
    let expected = format!(
        "3 files of 1 byte: {x}\n  M.parquet: 2\n  M.parquet: 6\n  N.list: 8\n\
         M.parquet: 1 group, 2 bytes wasted\n"
    );
    gives(&dir, "duplicates M.parquet N.list", 0, &expected, "");
    let done = manifest(&dir, "duplicates --json M.parquet N.list");
    let end = b"{\"manifest\":\"M.parquet\",\"other\":\"N.list\",\"groups\":1,\"wasted\":2}\n";
    assert!(done.stdout.0.ends_with(end), "{done:?}");
    prints(&dir, "create -a blake2b -l 64 e -o N.list");
    let text = "finalist: N.list: the manifests differ in algorithm (blake2b, not blake2s)\n";
    gives(&dir, "duplicates M.parquet N.list", 1, "", text);
    prints(
        &dir,
        "create -a blake2s --salt 0001020304050607 e -o N.list",
    );
    let text = "finalist: N.list: the manifests differ in digest_bits (256, not 64), \
                salt (0001020304050607, not none)\n";
    gives(&dir, "duplicates M.parquet N.list", 1, "", text);
    // Modes and links are no content.
    prints(&dir, "create -a blake2s -l 64 --metadata e -o N.list");
    gives(&dir, "duplicates M.parquet N.list", 0, &expected, "");
}

#[test]
fn manifests_are_told_of_as_json() {
    let dir = fixture();
    let root = |line: &str| line.rsplit(' ').next().expect("a root").trim().to_owned();
    let line = root(&prints(&dir, "create -a blake2s d -o M.parquet"));
    let start = format!(
        "{{\"manifest\":\"M.parquet\",\"algorithm\":\"blake2s\",\"digest_bits\":256,\"count\":3,\
         \"root\":\"{line}\""
    );
    gives(
        &dir,
        "root --json M.parquet",
        0,
        &format!("{start}}}\n"),
        "",
    );
    let created = format!("{start},\"read\":3,\"unchanged\":0,\"failed\":0,\"corrupt\":0}}\n");
    gives(
        &dir,
        "create --json -a blake2s d -o M.parquet",
        0,
        &created,
        "",
    );
    let updated = format!("{start},\"read\":0,\"unchanged\":3,\"failed\":0,\"corrupt\":0}}\n");
    gives(&dir, "update --json M.parquet d", 0, &updated, "");
    let sound = "{\"manifest\":\"M.parquet\",\"result\":\"ok\"}\n";
    gives(&dir, "verify --json M.parquet", 0, sound, "");
    let other = "0".repeat(64);
    let text = format!("the root is {line}, not {other}");
    let refused =
        format!("{{\"manifest\":\"M.parquet\",\"result\":\"failed\",\"reason\":\"{text}\"}}\n");
    let verify = format!("verify --json M.parquet --root {other}");
    let told = format!("finalist: M.parquet: {text}\n");
    gives(&dir, &verify, 1, &refused, &told);
    let found = "{\"manifest\":\"M.parquet\",\"result\":\"ok\",\"files\":3,\"failed\":0,\
                 \"differences\":0,\"corrupt\":0}\n";
    gives(&dir, "verify --json M.parquet d", 0, found, "");
    write(&dir, "proof", prints(&dir, "prove M.parquet a.c"));
    let proved = |result: &str| {
        format!(
            "{{\"file\":\"proof\",{result},\"path\":\"a.c\",\"status\":\"ok\",\"index\":0,\"count\":3}}\n"
        )
    };
    let verify = format!("prove --json --verify proof --root {line}");
    gives(&dir, &verify, 0, &proved("\"result\":\"ok\""), "");
    let other = verify.replace(&line, &"0".repeat(64));
    let failed = "\"result\":\"failed\",\"reason\":\"the proof does not lead to the root\"";
    gives(&dir, &other, 1, &proved(failed), "");
    fs::rename(dir.path().join("d/a.c"), dir.path().join("d/b.c")).expect("it is renamed");
    let moved = "{\"file\":\"b.c\",\"result\":\"moved\",\"from\":\"a.c\"}\n\
                 {\"manifest\":\"M.parquet\",\"result\":\"failed\",\"files\":3,\"failed\":0,\
                 \"differences\":1,\"corrupt\":0}\n";
    gives(&dir, "verify --json M.parquet d", 1, moved, "");
}

/// Files that cannot be read have objects of their own.
#[cfg(unix)]
#[test]
fn unreadable_files_are_told_of_as_json() {
    let dir = fixture();
    std::os::unix::fs::symlink("absent", dir.path().join("d/link")).expect("a link");
    let done = manifest(&dir, "create --json --follow d -o M.parquet");
    let lines = String::from_utf8(done.stdout.0).expect("text");
    let unreadable = "{\"file\":\"link\",\"result\":\"unreadable\",\
                      \"reason\":\"d/link: No such file or directory\"}\n";
    assert!(lines.starts_with(unreadable), "{lines}");
    let counts = "\"read\":3,\"unchanged\":0,\"failed\":1,\"corrupt\":0}\n";
    assert!(lines.ends_with(counts), "{lines}");
    let done = manifest(&dir, "verify --json --follow M.parquet d");
    let lines = String::from_utf8(done.stdout.0).expect("text");
    assert!(lines.starts_with(unreadable), "{lines}");
    assert_eq!(done.code, Some(1));
    let done = manifest(&dir, "update --follow M.parquet d");
    let told = "finalist: d/link: No such file or directory\n\
                finalist: M.parquet: 4 files: 0 read, 3 unchanged, 1 not read\n";
    assert_eq!((done.code, done.stderr), (Some(1), Text(told.into())));
    // A proof is of its row's status.
    let root = prints(&dir, "root M.parquet");
    let root = root.rsplit(' ').next().unwrap_or_default().trim_end();
    write(&dir, "proof", prints(&dir, "prove M.parquet link"));
    let proved = prints(&dir, &format!("prove --json --verify proof --root {root}"));
    let row = "\"path\":\"link\",\"status\":\"vanished\",\"index\":2,\"count\":4}\n";
    assert!(proved.ends_with(row), "{proved}");
}

/// Objects between the lines of a list would make it another text.
#[test]
fn a_list_on_standard_output_has_no_json_beside_it() {
    let dir = fixture();
    let help = "Try 'finalist manifest create --help' for more information.\n";
    let text =
        format!("finalist: --json needs a file for the manifest: name it with --output\n{help}");
    gives(&dir, "create --json d -o -", 1, "", &text);
}

/// A manifest may claim any sizes: no larger number than the largest is printed.
#[test]
fn the_sum_of_wasted_bytes_does_not_wrap() {
    let dir = fixture();
    let row = |path: &str, digit: &str| {
        let digest = digit.repeat(8);
        format!("# size {}\nBLAKE2b-64 ({path}) = {digest}\n", i64::MAX)
    };
    let rows = [
        ("a", "31"),
        ("b", "31"),
        ("c", "31"),
        ("d", "32"),
        ("e", "32"),
    ];
    let rows: String = rows.iter().map(|(path, digit)| row(path, digit)).collect();
    let list = format!(
        "# finalist-manifest-2\n# algorithm: blake2b\n# digest_bits: 64\n# keyed: false\n\
         # salt:\n# personal:\n{rows}# count: 5\n# root: eb7af64255ed81d8\n"
    );
    write(&dir, "M", list);
    let text = prints(&dir, "duplicates M");
    let end = format!("M: 2 groups, {} bytes wasted\n", u64::MAX);
    assert!(text.ends_with(&end), "{text}");
}
