// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares with the installed b2sum and cksum: output, messages and exit codes must be the same.
//!
//! Cases in which versions of the GNU tools differ are in tests/messages.rs.
//!
//! Windows has no GNU programs to compare with.

#![cfg(unix)]

mod common;

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use common::lists::{TAGGED, UNTAGGED};
use common::{
    Done, NAMES, THREADINGS, Text, files_of_all_lengths, finalist, fixture, os, program, replace,
    run_with, start, write,
};
use tempfile::TempDir;

/// Requires the tool to do the same as b2sum, except for its name.
fn same_as_b2sum(dir: &Path, args: &[OsString], stdin: &[u8]) {
    let mut expected = run_with("b2sum", dir, args, stdin);
    let input = stdin.escape_ascii();
    expected.stderr = replace(&expected.stderr, "Try 'b2sum", "Try 'finalist sum");
    expected.stderr = replace(&expected.stderr, "b2sum: ", "finalist: ");
    if args.iter().any(|arg| arg == "-c") {
        expected.stdout = quoted(&expected.stdout);
    }
    for jobs in ["-j1", "-j3"] {
        let mut own: Vec<OsString> = vec!["sum".into(), jobs.into()];
        own.extend_from_slice(args);
        let mut done = run_with("finalist", dir, &own, stdin);
        done.stderr = without_hints(&done.stderr);
        assert_eq!(done, expected, "{args:?} {jobs} < {input}");
    }
}

/// Returns the messages without this tool's additions.
fn without_hints(messages: &Text) -> Text {
    let lines = messages.0.split_inclusive(|&byte| byte == b'\n');
    let lines = lines.filter(|line| !line.starts_with(b"finalist: hint: "));
    Text(lines.flatten().copied().collect())
}

/// Quotes the names in a check's results as in messages. coreutils does so from 9.11 on; older
/// versions print them unchanged, or escaped after a backslash.
fn quoted(results: &Text) -> Text {
    let newest = |line: &&[u8]| matches!(line.first(), Some(b'\'' | b'"'));
    let mut lines = results.0.split_inclusive(|&byte| byte == b'\n');
    if lines.clone().any(|line| newest(&line)) {
        return Text(results.0.clone());
    }
    let quoted = lines.try_fold(Vec::new(), |mut quoted, line| {
        let end = line.windows(2).rposition(|two| two == b": ")?;
        let (name, verdict) = line.split_at(end);
        let name = match name.strip_prefix(b"\\") {
            Some(escaped) => {
                let name = String::from_utf8(escaped.to_vec()).expect("it is text");
                let name = name.replace("\\\\", "\0").replace("\\n", "\n");
                name.replace("\\r", "\r").replace('\0', "\\").into_bytes()
            }
            None => name.to_vec(),
        };
        quoted.extend(quoted_name(&name));
        quoted.extend(verdict);
        Some(quoted)
    });
    Text(quoted.expect("each line is a name and a verdict"))
}

/// Returns the name as b2sum prints it in a message.
fn quoted_name(name: &[u8]) -> Vec<u8> {
    static KNOWN: LazyLock<Mutex<HashMap<Vec<u8>, Vec<u8>>>> = LazyLock::new(Mutex::default);
    let ask = || {
        let empty = TempDir::new().expect("a temporary directory can be made");
        let refused = run_with("b2sum", empty.path(), &["--".into(), os(name)], b"");
        let message = refused.stderr.0.strip_prefix(b"b2sum: ")?.to_vec();
        let end = message.windows(2).rposition(|two| two == b": ")?;
        Some(message[..end].to_vec())
    };
    let mut known = KNOWN.lock().expect("no test has failed");
    let quoted = known.entry(name.to_vec());
    // The name of standard input is never quoted.
    quoted
        .or_insert_with(|| ask().unwrap_or(name.to_vec()))
        .clone()
}

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn sums_are_those_of_b2sum() {
    let dir = fixture();
    let all = NAMES.map(os);
    for options in [
        "",
        "-b",
        "-t",
        "--tag",
        "-z",
        "-z --tag",
        "-l 256",
        "-l 8 --tag",
        "-l 504 --tag",
        "-l 512 --tag",
        "-l 0",
        "-b -t",
        "-t -b",
        "--tag -b",
        "-bz",
        "-l256",
        "--length=128",
        "--len 128",
        "--bin",
        "-z -z",
        "-l 8 -l 16",
    ] {
        let mut args = words(options);
        args.push("--".into());
        args.extend(all.iter().cloned());
        same_as_b2sum(dir.path(), &args, b"");
    }
    for line in [
        "",
        "-",
        "- -",
        "a - empty",
        "--tag",
        "-z",
        "-l 8 -",
        "a missing empty",
        "d",
        "d a",
        "missing d empty missing",
        "/proc/self/mem a",
        "a --tag",
        "/proc/version",
        "a/b",
        "-- -x",
    ] {
        same_as_b2sum(dir.path(), &words(line), b"from standard input\n");
    }
}

/// Unreadable files in a batch do not change the results of the others.
#[test]
fn batches_are_those_of_b2sum() {
    let dir = fixture();
    let mut names = files_of_all_lengths(&dir);
    for (index, bad) in ["missing", "d", "/proc/self/mem", "/proc/version", "a/b"]
        .into_iter()
        .cycle()
        .take(25)
        .enumerate()
    {
        names.insert(index * 5 % 61, bad.to_owned());
    }
    let mut expected = run_with("b2sum", dir.path(), &names, b"");
    expected.stderr = replace(&expected.stderr, "b2sum: ", "finalist: ");
    for threading in THREADINGS {
        let mut args = [&["sum"], threading].concat();
        args.extend(names.iter().map(String::as_str));
        let mut done = finalist(dir.path(), &args);
        done.stderr = without_hints(&done.stderr);
        assert_eq!(done, expected, "{threading:?}");
    }

    // Every seventh digest is wrong, and every line of a missing file.
    let mut list = Vec::new();
    for (index, line) in expected
        .stdout
        .0
        .split_inclusive(|&b| b == b'\n')
        .enumerate()
    {
        let mut line = line.to_vec();
        if index % 7 == 3 {
            line[0] = if line[0] == b'0' { b'1' } else { b'0' };
        }
        if index % 11 == 5 {
            list.extend([&line[..130], b"gone\n"].concat());
        }
        list.extend(line);
    }
    write(&dir, "list", &list);
    let mut expected = run_with("b2sum", dir.path(), &["-c", "list"], b"");
    expected.stderr = replace(&expected.stderr, "b2sum: ", "finalist: ");
    for threading in THREADINGS {
        let args = [&["check"], threading, &["list"]].concat();
        assert_eq!(finalist(dir.path(), &args), expected, "{threading:?}");
        let args = [&["check"], threading].concat();
        let piped = run_with("finalist", dir.path(), &args, &list);
        assert_eq!(piped.stdout, expected.stdout, "{threading:?}");
    }
}

#[test]
fn names_in_messages_are_quoted_as_b2sum_does() {
    let dir = fixture();
    let names: [&[u8]; 33] = [
        b"",
        b" ",
        b"x y",
        b"x:y",
        b"{",
        b"}",
        b"x{y}",
        b"#x",
        b"x#",
        b"~x",
        b"x~",
        b"'",
        b"x'y",
        b"x'y z",
        b"x'@",
        b"x'#",
        b"#'",
        b"$'",
        b"\nx",
        b"x\ny",
        b"x\n",
        b"\xff",
        b"x\xff\xfey",
        b"\xc3\xa9",
        b"\x01",
        b"\x7f",
        b"\t\x07\x08\x0b\x0c\r",
        b"x\\y",
        b"x\"y",
        b"x'\\",
        b"a=b",
        b"(!$&*;<>?[^`|)",
        b"a+b,c-d.e/f_g%h@i]j",
    ];
    for name in names {
        let name = [b"missing/".as_slice(), name].concat();
        for name in [&name, &name[8..]] {
            same_as_b2sum(dir.path(), &["--".into(), os(name)], b"");
        }
    }
}

/// In a Unicode locale its characters are shown, except control characters.
#[test]
fn names_in_messages_follow_the_locale() {
    let dir = fixture();
    for name in [
        "sm\u{f8}r",
        "sm\u{f8}r br\u{f8}d",
        "\u{85}",
        "\u{65e5}\u{672c}'s",
    ] {
        let message = |tool: &str, args: &[&str]| {
            let mut command = program(tool, dir.path());
            let child = start(command.args(args).env("LC_ALL", "C.UTF-8"), b"");
            let output = child.wait_with_output().expect("it was started");
            let (_, message) = output.stderr.split_at(tool.len());
            message.escape_ascii().to_string()
        };
        assert_eq!(
            message("finalist", &["sum", name]),
            message("b2sum", &[name])
        );
    }
}

#[test]
fn misuse_is_answered_as_by_b2sum() {
    let dir = fixture();
    for line in [
        "-l 7 a",
        "-l 520 a",
        "-l x a",
        "-l -8 a",
        "-l 8x a",
        "-l 0x8 a",
        "-l +16 a",
        "--tag -t a",
        "--tag -b -t a",
        "-z -c a",
        "--tag -c a",
        "-b -c a",
        "-t -c a",
        "--tag -z -c a",
        "--ignore-missing a",
        "--status a",
        "--warn a",
        "-w a",
        "--quiet a",
        "--strict a",
        "--strict --quiet --status a",
        "--nonsense",
        "-y",
        "--tag=x",
        "--length",
        "-l 7 --quiet a",
        "-l 7 -c a",
    ] {
        same_as_b2sum(dir.path(), &words(line), b"");
    }
}

/// Returns true if GNU coreutils 9.11 escapes the name in a check's results and older versions do
/// not.
fn is_shown_apart(name: &[u8]) -> bool {
    !name.contains(&b'\n') && (name.contains(&b'\\') || name.contains(&b'\r'))
}

/// Returns the lists of the tables and some from b2sum.
fn lists(dir: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let made = |options: &str| {
        let mut args = words(options);
        args.push("--".into());
        let names = NAMES.iter().filter(|name| !is_shown_apart(name));
        args.extend(names.map(|name| os(name)));
        let done = run_with("b2sum", dir, &args, b"");
        assert_eq!(done.code, Some(0), "{done:?}");
        done.stdout.0
    };
    let sum = run_with("b2sum", dir, &["a"], b"");
    let right = sum.stdout.0[..128].escape_ascii().to_string();
    let wrong: String = right.chars().rev().collect();
    assert_ne!(right, wrong);
    let mut lists = vec![
        ("plain", made("")),
        ("starred", made("-b")),
        ("tagged", made("--tag")),
        ("tagged-short", made("--tag -l 128")),
        ("short", made("-l 128")),
    ];
    for (name, content) in UNTAGGED.iter().chain(TAGGED) {
        let content = content
            .replace('@', &right)
            .replace('!', &wrong)
            .replace('^', &right.to_uppercase())
            .replace('%', &right[..126]);
        lists.push((name, content.into()));
    }
    lists
}

#[test]
fn checks_are_those_of_b2sum() {
    let dir = fixture();
    let lists = lists(dir.path());
    for (name, content) in &lists {
        write(&dir, name, content);
    }
    for options in [
        "",
        "--quiet",
        "--status",
        "--warn",
        "--strict",
        "--ignore-missing",
        "--ignore-missing --strict --warn",
        "--quiet --warn",
        "--warn --quiet",
        "--status --warn",
        "--warn --status",
        "--quiet --status",
        "--ignore-missing --status",
        "-l 256",
    ] {
        for (name, content) in &lists {
            let mut args = words("-c");
            args.extend(words(options));
            same_as_b2sum(dir.path(), &args, content);
            args.push(name.into());
            same_as_b2sum(dir.path(), &args, b"from standard input\n");
        }
        let line = format!("-c {options} plain gone d wrong everything -");
        same_as_b2sum(dir.path(), &words(&line), &lists[0].1);
    }
}

/// A closed descriptor is an error only if it is needed.
#[test]
fn closed_descriptors_are_noticed_as_by_b2sum() {
    let dir = fixture();
    write(&dir, "rubbish", "x\n");
    let finalist = env!("CARGO_BIN_EXE_finalist");
    let shell = |line: &str| run_with("sh", dir.path(), &["-c", line], b"");
    for line in [
        "TOOL a >&-",
        "TOOL gone >&-",
        "TOOL --help >&-",
        "TOOL <&-",
        "TOOL - a <&-",
        "TOOL a <&-",
        "TOOL -c <&-",
        "TOOL -c - rubbish <&-",
        "TOOL a | TOOL -c >&-",
        "TOOL a | TOOL --status -c >&-",
        "TOOL - <&- >&-",
    ] {
        let mut expected = shell(&line.replace("TOOL", "b2sum"));
        expected.stderr = replace(&expected.stderr, "b2sum: ", "finalist: ");
        let own = format!("{finalist} sum");
        assert_eq!(shell(&line.replace("TOOL", &own)), expected, "{line}");
    }
    for line in [
        "--version",
        "list",
        "list --json",
        "merkle root a",
        "merkle prove --index 0 a",
        "selftest --impl ttable32",
        "bench -a blake2b --impl portable --bytes 1",
    ] {
        let expected = Done {
            code: Some(1),
            stdout: Text(Vec::new()),
            stderr: Text(b"finalist: write error: Bad file descriptor\n".to_vec()),
        };
        assert_eq!(shell(&format!("{finalist} {line} >&-")), expected, "{line}");
    }
}

/// `check` equals `sum --check`, except for its pointer to the help.
#[test]
fn check_and_sum_check_are_the_same() {
    let dir = fixture();
    write(&dir, "list", "x\nabcd  a\n");
    for line in [
        "list",
        "--warn list",
        "--strict list",
        "gone",
        "",
        "--tag list",
        "-z list",
    ] {
        let check = finalist(dir.path(), &[words("check"), words(line)].concat());
        let sum = finalist(dir.path(), &[words("sum -c"), words(line)].concat());
        let stderr = replace(&sum.stderr, "'finalist sum", "'finalist check");
        assert_eq!(check, Done { stderr, ..sum }, "{line}");
    }
}

#[test]
fn tagged_lines_are_those_of_cksum() {
    let dir = fixture();
    for options in ["", "-l 8", "-l 256", "-l 512"] {
        let mut args = words(options);
        args.push("--".into());
        args.extend(
            NAMES
                .iter()
                .filter(|name| !is_shown_apart(name))
                .map(|name| os(name)),
        );
        let theirs = run_with(
            "cksum",
            dir.path(),
            &[words("-a blake2b"), args.clone()].concat(),
            b"",
        );
        let ours = finalist(dir.path(), &[words("sum --tag"), args].concat());
        assert_eq!(ours, theirs, "{options}");
        assert_eq!(ours.code, Some(0));
        write(&dir, "list", &theirs.stdout.0);
        let mut expected = run_with("cksum", dir.path(), &["-c", "list"], b"");
        expected.stdout = quoted(&expected.stdout);
        assert_eq!(finalist(dir.path(), &["check", "list"]), expected);
    }
}
