// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares with BLAKE3 as b3sum 1.8.2 writes and reads it. The digests come from b3sum.
//!
//! Covers what b3sum's own command-line tests cover. Where both differ, the tool works as GNU's
//! b2sum, for all algorithms alike:
//!
//! - `--length` is in bits, and its own length is the default.
//! - Messages are worded as GNU's, without the system's error number.
//! - A carriage return in a name is escaped, too. `check` also reads it unescaped.
//! - Names that are not Unicode are written as they are, so that `check` finds the file. b3sum writes
//!   U+FFFD instead, and refuses that character in a list.
//! - A listed file that cannot be read has the result `FAILED open or read`, and is counted apart from
//!   wrong digests.
//! - A line that is no checksum line, such as one with a NUL or an unknown escape, is counted and fails
//!   only with `--strict`, or if there is no other.
//! - There is no `--no-mmap`, since files are never mapped, and `--num-threads` is `--jobs`.

mod common;

#[cfg(target_os = "linux")]
use std::ffi::OsStr;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;

#[cfg(unix)]
use common::Text;
use common::{Done, done, finalist, run_with, write};
use tempfile::TempDir;

const FOO: &str = "04e0bb39f30b1a3feb89f536c93be15055482df748674b00d26e5a75777702e9";
const LONG: &str = "5fade288bf27444bee55ba2babb98c3c922c1e84c2e445e7d1f6da24756f5060";
#[cfg(unix)]
const EMPTY: &str = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
const KEY: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

/// Returns a directory with `foo` and a file of three chunks, the last of which is shorter.
fn files() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    write(&dir, "foo", "foo");
    let long: Vec<u8> = (0..3000_u32).map(|at| (at % 251) as u8).collect();
    write(&dir, "long", long);
    dir
}

fn run(dir: &TempDir, args: &[&str], stdin: &[u8]) -> Done {
    run_with("finalist", dir.path(), args, stdin)
}

fn prints(text: &str) -> Done {
    done(0, text, "")
}

fn refuses(text: &str) -> Done {
    done(1, "", text)
}

#[test]
fn lines_are_those_of_b3sum() {
    let dir = files();
    let sum = |line: &str, stdin: &[u8]| {
        let args: Vec<&str> = ["sum", "-a", "blake3"]
            .into_iter()
            .chain(line.split_whitespace())
            .collect();
        run(&dir, &args, stdin)
    };
    let both = format!("{FOO}  foo\n{LONG}  long\n");
    assert_eq!(sum("foo long", b""), prints(&both));
    assert_eq!(sum("", b"foo"), prints(&format!("{FOO}  -\n")));
    let tagged = format!("BLAKE3 (foo) = {FOO}\nBLAKE3 (-) = {FOO}\n");
    assert_eq!(sum("--tag foo -", b"foo"), prints(&tagged));
    let bare = format!("{FOO}\n{LONG}\n");
    assert_eq!(sum("--no-names foo long", b""), prints(&bare));
    let raw = sum("--raw foo", b"").stdout.0;
    assert_eq!(hex::encode(raw), FOO);
}

#[test]
fn outputs_of_any_length_and_position() {
    let dir = files();
    let sum = |options: &str, stdin: &[u8]| {
        let line = format!("sum -a blake3 --no-names {options}");
        let args: Vec<&str> = line.split_whitespace().collect();
        run(&dir, &args, stdin)
    };
    for (options, digest) in [
        ("--seek 0 foo", FOO),
        ("--seek 1 -l 248 foo", &FOO[2..]),
        (
            "--seek 61 -l 800 foo",
            "d410c0b0c27f41b3cf083f8a7fdc67a877e21790515762a754a45dcb8a356722698a7af5ed2bb608\
             983d5aa75d4d61691ef132efe8631ce0afc15553a08fffc60ee9369b7b0dc1bc694c1ac623a8b338\
             e2747c4145c6602434a21c76daee4dd506b0b7b1",
        ),
        ("--seek 18446744073709551000 -l 64 foo", "3746b0fbeded2915"),
    ] {
        assert_eq!(
            sum(options, b""),
            prints(&format!("{digest}\n")),
            "{options}"
        );
    }
    let keyed = prints("bce24207d70162c77ae3099da54f2963\n");
    assert_eq!(sum("--keyed --seek 3 -l 128 long", KEY), keyed);
    let derived = run(
        &dir,
        &[
            "sum",
            "-a",
            "blake3",
            "--no-names",
            "--derive-key",
            "example.com 2026 purpose",
            "-l",
            "128",
            "--seek",
            "70",
            "long",
        ],
        b"",
    );
    assert_eq!(derived, prints("7757b014db08736146da4e253fb64608\n"));

    // A part of a long digest is the same for any length and position.
    let whole = sum("-l 80000 --raw foo", b"").stdout.0;
    assert_eq!(sum("-l 8 --raw foo", b"").stdout.0, whole[..1]);
    for (position, bytes) in [(1_usize, 9999), (63, 4097), (4096, 4096), (9999, 1)] {
        let options = format!("--raw --seek {position} -l {} foo", bytes * 8);
        let part = sum(&options, b"").stdout.0;
        assert!(part == whole[position..position + bytes], "{options}");
    }
}

#[test]
fn keys_of_another_length_are_refused() {
    let dir = files();
    for bytes in [0, 1, 31, 33] {
        let key = vec![0; bytes];
        let done = run(&dir, &["sum", "-a", "blake3", "--keyed", "foo"], &key);
        let text = match bytes {
            0 => "finalist: -: the key is empty\n".to_owned(),
            _ => format!("finalist: -: the key of 'BLAKE3' has 32 bytes, not {bytes}\n"),
        };
        assert_eq!(done, refuses(&text));
    }
    let done = run(&dir, &["sum", "-a", "blake3", "--keyed"], KEY);
    let text = "finalist: -: standard input cannot be both key and message\n";
    assert_eq!(done, refuses(text));
}

#[test]
fn positions_that_do_not_exist_are_refused() {
    let dir = files();
    for (line, text) in [
        (
            "sum --seek 1 foo",
            "the --seek option is for BLAKE3, not for 'BLAKE2b'",
        ),
        (
            "check -a blake2xb --seek 1 foo",
            "the --seek option is for BLAKE3, not for 'BLAKE2Xb'",
        ),
        (
            "sum -a blake3 --seek 18446744073709551584 foo",
            "invalid position: '18446744073709551584'\nfinalist: BLAKE3's output ends before",
        ),
    ] {
        let args: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(
            finalist(dir.path(), &args),
            refuses(&format!("finalist: {text}\n")),
            "{line}"
        );
    }
    let last = "sum -a blake3 --seek 18446744073709551583 foo";
    let args: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(finalist(dir.path(), &args).code, Some(0));
}

#[test]
fn lists_of_b3sum_verify() {
    let dir = files();
    let untagged = format!("{FOO}  foo\n{LONG}  long\n");
    let tagged = format!("BLAKE3 (foo) = {FOO}\nBLAKE3 (long) = {LONG}\n");
    let all = "foo: OK\nlong: OK\n";
    for (list, options) in [(&untagged, &["-a", "blake3"][..]), (&tagged, &[][..])] {
        for list in [list.clone(), list.replace('\n', "\r\n")] {
            let args = [&["check"], options].concat();
            assert_eq!(run(&dir, &args, list.as_bytes()), prints(all), "{list}");
        }
        write(&dir, "list", list);
        let args = [&["sum", "--check"], options, &["list", "list"]].concat();
        assert_eq!(run(&dir, &args, b""), prints(&all.repeat(2)));
    }
    write(&dir, "foo", "fool");
    let failed = run(&dir, &["check", "--quiet"], tagged.as_bytes());
    let warning = "finalist: WARNING: 1 computed checksum did NOT match\n";
    assert_eq!(failed, done(1, "foo: FAILED\n", warning));
}

/// A list contains neither key nor position: `check` needs the same options again.
#[test]
fn lists_of_parts_verify_with_the_same_options() {
    let dir = files();
    for options in [&["--seek", "7"][..], &["--keyed"], &["--derive-key", "x"]] {
        let sum = [&["sum", "-a", "blake3", "--tag"], options, &["foo", "long"]].concat();
        write(&dir, "list", run(&dir, &sum, KEY).stdout.0);
        let check = [&["check", "list"], options].concat();
        assert_eq!(run(&dir, &check, KEY), prints("foo: OK\nlong: OK\n"));
        let without = finalist(dir.path(), &["check", "--status", "list"]);
        assert_eq!(without.code, Some(1), "{options:?}");
    }
    // Improper lines cannot have this position: other algorithms', roots', or beyond the output's
    // end.
    let other = "BLAKE2s-8 (foo) = 00\n";
    let root = format!("RFC9162-BLAKE3-256-1024 (foo) = {FOO}\n");
    let lines = format!("{other}{root}");
    let none = "finalist: 'standard input': no properly formatted checksum lines found\n\
                finalist: hint: --derive-key and --seek are for BLAKE3; \
                lines that name no algorithm need -a blake3\n";
    let done = run(&dir, &["check", "--seek", "1"], lines.as_bytes());
    assert_eq!(done, refuses(none));
    // With -a there is no hint to give it.
    let done = run(
        &dir,
        &["check", "--seek", "1", "-a", "blake3"],
        lines.as_bytes(),
    );
    let (none_alone, _) = none.split_once("finalist: hint").expect("a hint");
    assert_eq!(done, refuses(none_alone));
    let end = u64::MAX.to_string();
    let line = format!("BLAKE3 (foo) = {FOO}\n");
    let done = run(&dir, &["check", "--seek", &end], line.as_bytes());
    assert_eq!(done, refuses(none));
}

#[test]
fn files_that_are_missing_do_not_stop_the_others() {
    let dir = files();
    let found = run(
        &dir,
        &["sum", "-a", "blake3", "foo", "missing", "long"],
        b"",
    );
    let lines = format!("{FOO}  foo\n{LONG}  long\n");
    let error = "finalist: missing: No such file or directory\n";
    assert_eq!(found, done(1, &lines, error));
}

#[test]
fn misused_options_are_refused() {
    let dir = files();
    for (line, text) in [
        ("--length", "option '--length' requires an argument"),
        ("--derive-key", "option '--derive-key' requires an argument"),
        (
            "--raw foo long",
            "the --raw option is not supported with multiple files",
        ),
        ("--no-mmap foo", "unrecognized option '--no-mmap'"),
    ] {
        let args: Vec<&str> = ["sum", "-a", "blake3"]
            .into_iter()
            .chain(line.split_whitespace())
            .collect();
        let help = "Try 'finalist sum --help' for more information.";
        assert_eq!(
            finalist(dir.path(), &args),
            refuses(&format!("finalist: {text}\n{help}\n")),
            "{line}"
        );
    }
}

/// Longer than what one thread reads at once.
#[test]
fn threads_do_not_change_a_digest() {
    let dir = files();
    let message = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".repeat(20_000);
    let digest = finalist::hash(finalist::Algorithm::Blake3, &Default::default(), &message);
    let digest = hex::encode(digest.expect("a digest"));
    write(&dir, "file", &message);
    for args in [
        &["-j", "1", "file"][..],
        &["-j", "2", "file"],
        &["file"],
        &[],
    ] {
        let args = [&["sum", "-a", "blake3", "--no-names"], args].concat();
        assert_eq!(run(&dir, &args, &message), prints(&format!("{digest}\n")));
    }
}

/// Empty files with names that lists escape, each with its line by b3sum and by this tool.
#[cfg(unix)]
const NAMES: [(&str, &str, &str); 6] = [
    ("abcdef", "E  abcdef\n", "E  abcdef\n"),
    ("abc\ndef", "\\E  abc\\ndef\n", "\\E  abc\\ndef\n"),
    ("abc\\def", "\\E  abc\\\\def\n", "\\E  abc\\\\def\n"),
    ("abc\rdef", "E  abc\rdef\n", "\\E  abc\\rdef\n"),
    ("abc\r\ndef", "\\E  abc\r\\ndef\n", "\\E  abc\\r\\ndef\n"),
    ("sub/foo", "E  sub/foo\n", "E  sub/foo\n"),
];

#[cfg(unix)]
#[test]
fn names_are_escaped() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    std::fs::create_dir(dir.path().join("sub")).expect("a directory can be made");
    for (name, of_b3sum, own) in NAMES {
        write(&dir, name, "");
        let done = finalist(dir.path(), &["sum", "-a", "blake3", name]);
        assert_eq!(done, prints(&own.replace('E', EMPTY)));
        for line in [of_b3sum, own] {
            let list = line.replace('E', EMPTY);
            let done = run(&dir, &["check", "-a", "blake3", "--quiet"], list.as_bytes());
            assert_eq!(done, prints(""), "{line:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_unicode_are_kept() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for name in [&b"abc\xffdef"[..], "abc\u{fffd}def".as_bytes()] {
        std::fs::write(dir.path().join(OsStr::from_bytes(name)), "").expect("Linux takes any name");
        let list = [EMPTY.as_bytes(), b"  ", name, b"\n"].concat();
        let args = ["sum", "-a", "blake3"].map(OsStr::new);
        let done = finalist(
            dir.path(),
            &[&args[..], &[OsStr::from_bytes(name)]].concat(),
        );
        assert_eq!(done.stdout, Text(list.clone()));
        let done = run(&dir, &["check", "-a", "blake3", "--quiet"], &list);
        assert_eq!(done, prints(""));
    }
}

#[test]
fn files_that_a_check_cannot_read_are_counted_apart() {
    let dir = files();
    write(&dir, "foo", "corruption");
    let list = format!("{FOO}  foo\n{LONG}  long\n{FOO}  missing\n");
    let failed = "foo: FAILED\nmissing: FAILED open or read\n";
    let all = "foo: FAILED\nlong: OK\nmissing: FAILED open or read\n";
    let errors = "finalist: missing: No such file or directory\n\
                  finalist: WARNING: 1 listed file could not be read\n\
                  finalist: WARNING: 1 computed checksum did NOT match\n";
    for (option, stdout) in [(None, all), (Some("--quiet"), failed)] {
        let args: Vec<&str> = ["check", "-a", "blake3"]
            .into_iter()
            .chain(option)
            .collect();
        let found = run(&dir, &args, list.as_bytes());
        assert_eq!(found, done(1, stdout, errors));
    }
}

#[test]
fn lines_with_impossible_names_are_improper() {
    let dir = files();
    let none = "finalist: 'standard input': no properly formatted checksum lines found\n";
    let warning = "finalist: WARNING: 1 line is improperly formatted\n";
    for line in [format!("{FOO}  foo\0\n"), format!("\\{FOO}  \\a\n")] {
        let alone = run(&dir, &["check", "-a", "blake3"], line.as_bytes());
        assert_eq!(alone, refuses(none), "{line:?}");
        let list = format!("{line}{FOO}  foo\n");
        for (strict, code) in [(None, 0), (Some("--strict"), 1)] {
            let args: Vec<&str> = ["check", "-a", "blake3"]
                .into_iter()
                .chain(strict)
                .collect();
            let found = run(&dir, &args, list.as_bytes());
            assert_eq!(found, done(code, "foo: OK\n", warning), "{line:?}");
        }
    }
}

/// The shell replaces patterns; on Windows the tool does (windows.rs).
#[cfg(unix)]
#[test]
fn patterns_are_sorted_names() {
    let dir = files();
    let command = format!("{} sum -a blake3 *", env!("CARGO_BIN_EXE_finalist"));
    let done = run_with("/bin/sh", dir.path(), &["-c", &command], b"");
    assert_eq!(done, prints(&format!("{FOO}  foo\n{LONG}  long\n")));
}
