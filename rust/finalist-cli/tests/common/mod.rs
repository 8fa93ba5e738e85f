// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the tool, and others for comparison, in a directory of files with all sorts of names.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod limit;
pub mod lists;
pub mod manifests;
pub mod merkle;
pub mod output;
pub mod reports;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
#[cfg(unix)]
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The result of a program.
#[derive(Debug, PartialEq, Eq)]
pub struct Done {
    pub code: Option<i32>,
    pub stdout: Text,
    pub stderr: Text,
}

/// Bytes that a failing test shows as text.
#[derive(PartialEq, Eq)]
pub struct Text(pub Vec<u8>);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

/// Returns the command for the tool or another program, with a plain environment.
pub fn program(name: &str, dir: &Path) -> Command {
    limit::begin();
    let path = match name {
        "finalist" => env!("CARGO_BIN_EXE_finalist"),
        other => other,
    };
    let mut command = Command::new(path);
    command
        .current_dir(dir)
        .env("LC_ALL", "C")
        .env_remove("FINALIST_IMPL")
        .env_remove("FINALIST_CPU");
    command
}

/// Starts the program with these bytes as its standard input.
pub fn start(command: &mut Command, stdin: &[u8]) -> Child {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{:?}: {error}", command.get_program()));
    // A program that does not read its input closes it.
    let _ = child.stdin.take().expect("it is piped").write_all(stdin);
    child
}

pub fn run_with<A: AsRef<OsStr>>(name: &str, dir: &Path, args: &[A], stdin: &[u8]) -> Done {
    finish(start(program(name, dir).args(args), stdin))
}

pub fn finish(child: Child) -> Done {
    let output = child.wait_with_output().expect("it was started");
    Done {
        code: output.status.code(),
        stdout: Text(output.stdout),
        stderr: Text(output.stderr),
    }
}

pub fn finalist<A: AsRef<OsStr>>(dir: &Path, args: &[A]) -> Done {
    run_with("finalist", dir, args, b"")
}

/// Returns the text with every occurrence replaced.
pub fn replace(text: &Text, from: &str, to: &str) -> Text {
    let mut out = Vec::new();
    let mut rest = text.0.as_slice();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(from.as_bytes()) {
            out.extend(to.as_bytes());
            rest = after;
        } else {
            out.push(rest[0]);
            rest = &rest[1..];
        }
    }
    Text(out)
}

/// Ways to distribute the work, all with the same result.
pub const THREADINGS: [&[&str]; 5] = [
    &["-j1"],
    &["-j2"],
    &["-j7"],
    &["-j1", "--sequential"],
    &["-j3", "--sequential"],
];

/// Files of this length or more are not read into memory as a whole.
const LONG: usize = 1 << 20;

/// Creates files of lengths that fill batches in all ways: short, long and empty ones, and ones
/// near the limit for reading a file as a whole. Returns their names in some order.
pub fn files_of_all_lengths(dir: &TempDir) -> Vec<String> {
    let lengths = (0..60).map(|index| index * index * index % 200_003);
    let lengths = lengths.chain([0, 0, LONG - 1, 1, LONG, 0, LONG + 1, 3 * LONG, 5000]);
    let mut names = Vec::new();
    for (index, length) in lengths.enumerate() {
        // Each byte depends on the file and the offset.
        let content: Vec<u8> = (0..length).map(|at| (at * 7 + index * 31) as u8).collect();
        names.push(format!("f{index}"));
        write(dir, &names[index], content);
    }
    names
}

/// Names that need special care.
#[cfg(unix)]
pub const NAMES: [&[u8]; 12] = [
    b"empty",
    b"a",
    b"with space",
    b" leading",
    b"*star",
    b"new\nline",
    b"carriage\rreturn",
    b"back\\slash",
    b"both\\n\n",
    b"par(en) = theses",
    b"\xff\xfebytes",
    "sm\u{f8}rrebr\u{f8}d".as_bytes(),
];

/// The subset of these names that Windows supports.
#[cfg(windows)]
pub const NAMES: [&[u8]; 6] = [
    b"empty",
    b"a",
    b"with space",
    b" leading",
    b"par(en) = theses",
    "sm\u{f8}rrebr\u{f8}d".as_bytes(),
];

/// Returns a directory with a file for each name, of different lengths, and a directory `d`.
pub fn fixture() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for (index, name) in NAMES.iter().enumerate() {
        let content = vec![b'x'; index * index * 1000];
        fs::write(dir.path().join(os(name)), content).expect("a file is written");
    }
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    dir
}

#[cfg(unix)]
pub fn os(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}

#[cfg(windows)]
pub fn os(bytes: &[u8]) -> OsString {
    std::str::from_utf8(bytes).expect("it is text").into()
}

pub fn write(dir: &TempDir, name: &str, content: impl AsRef<[u8]>) {
    fs::write(dir.path().join(name), content).expect("a file is written");
}

/// Creates a sparse file of this length.
pub fn sparse(dir: &TempDir, name: &str, bytes: u64) {
    let file = File::create(dir.path().join(name)).expect("a file is made");
    file.set_len(bytes).expect("a file is lengthened");
}

/// Returns the tool's result for a file `long` that becomes shorter while it is read.
pub fn finalist_on_truncated(dir: &TempDir, args: &[&str]) -> Done {
    sparse(dir, "long", 1 << 40);
    let child = start(program("finalist", dir.path()).args(args), b"");
    let io = format!("/proc/{}/io", child.id());
    let read = || {
        let io = fs::read_to_string(&io).expect("the system tells");
        let line = io.lines().find_map(|line| line.strip_prefix("rchar: "));
        line.and_then(|bytes| bytes.parse::<u64>().ok())
            .expect("it is a number")
    };
    let started = Instant::now();
    while read() < 8 << 20 {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "the file is not read"
        );
        thread::sleep(Duration::from_millis(5));
    }
    let long = OpenOptions::new().write(true).open(dir.path().join("long"));
    long.and_then(|file| file.set_len(1000))
        .expect("a file is shortened");
    finish(child)
}

/// Returns the result of a program with this exit code and these outputs.
pub fn done(code: i32, stdout: &str, stderr: &str) -> Done {
    Done {
        code: Some(code),
        stdout: Text(stdout.into()),
        stderr: Text(stderr.into()),
    }
}

/// Runs `finalist` with the words of a line.
pub fn words(dir: &TempDir, line: &str) -> Done {
    finalist(dir.path(), &line.split_whitespace().collect::<Vec<_>>())
}

/// Runs `finalist sum` with the words of a line, requires success, and returns the output.
pub fn sum(dir: &Path, line: &str) -> String {
    let args: Vec<&str> = line.split_whitespace().collect();
    let done = finalist(dir, &[&["sum"], args.as_slice()].concat());
    assert_eq!(
        (done.code, done.stderr.0.as_slice()),
        (Some(0), &b""[..]),
        "{line}"
    );
    String::from_utf8(done.stdout.0).expect("it is text")
}
