// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests few descriptors, many threads and long paths: the tool may become slower, but must not
//! fail.
//!
//! Windows does not limit descriptors; its long paths are in windows.rs.

#![cfg(unix)]

mod common;

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixDatagram;
use std::time::{Duration, Instant};

use common::{Done, Text, done, finalist, program, run_with, start, write};
use tempfile::TempDir;

/// Creates `count` small files in a directory `files`.
fn files(count: usize) -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("files")).expect("a directory is made");
    for index in 0..count {
        write(&dir, &format!("files/f{index}"), index.to_string());
    }
    dir
}

#[test]
fn few_descriptors_are_enough_for_many_threads() {
    let dir = files(300);
    for index in 0..8 {
        common::sparse(&dir, &format!("files/large{index}"), 3 << 20);
    }
    let expected = finalist(dir.path(), &["sum", "-r", "-j1", "files"]);
    assert_eq!(
        (expected.code, &expected.stderr),
        (Some(0), &Text(Vec::new()))
    );
    write(&dir, "list", &expected.stdout.0);
    let tool = env!("CARGO_BIN_EXE_finalist");
    // With 7, two descriptors are left, 5 and 6: the C library opens a file at times. A list takes
    // another. Threads race for them, so a race that loses a file shows only in some runs.
    for descriptors in [[7; 20].as_slice(), &[16]].concat() {
        let limited = |descriptors: u32, line: &str| {
            let taken = "exec 3</dev/null 4</dev/null 5<&- 6<&- 7<&-";
            let line = format!("{taken}; ulimit -n {descriptors} && exec {tool} {line}");
            run_with("sh", dir.path(), &["-c", &line], b"")
        };
        let sums = limited(descriptors, "sum -r -j 1024 files");
        assert_eq!(sums, expected, "{descriptors}");
        let checked = limited(descriptors + 1, "check -j 1024 --quiet list");
        assert_eq!((checked.code, checked.stderr), (Some(0), Text(Vec::new())));
    }
}

/// The directory takes the last descriptor, and no other thread has a file to close.
#[test]
fn without_a_descriptor_there_is_an_error() {
    let dir = files(2);
    let tool = env!("CARGO_BIN_EXE_finalist");
    let taken = "exec 3</dev/null 4</dev/null 5<&-";
    let line = format!("{taken}; ulimit -n 6 && exec {tool} manifest create files");
    let done = run_with("sh", dir.path(), &["-c", &line], b"");
    let text = "finalist: files: Too many open files\n";
    assert_eq!((done.code, done.stderr), (Some(1), Text(text.into())));
}

/// With little address space, there are fewer threads and smaller buffers.
#[test]
#[cfg_attr(
    not(target_os = "linux"),
    ignore = "others count address space in other ways"
)]
fn little_memory_is_enough() {
    let dir = files(300);
    common::sparse(&dir, "files/large", 5 << 20);
    let expected = finalist(dir.path(), &["sum", "-r", "files"]);
    write(&dir, "list", &expected.stdout.0);
    let tool = env!("CARGO_BIN_EXE_finalist");
    // A debug build alone takes more than 100 MiB.
    let own_kib = fs::metadata(tool).expect("it was built").len() >> 10;
    for more_kib in [24 << 10, 64 << 10, 256 << 10] {
        for jobs in ["-j1", "-j8"] {
            let limited = |line: &str| {
                let limit = own_kib + more_kib;
                let line = format!("ulimit -v {limit} && exec {tool} {line}");
                run_with("sh", dir.path(), &["-c", &line], b"")
            };
            assert_eq!(
                limited(&format!("sum {jobs} -r files")),
                expected,
                "{more_kib}"
            );
            let checked = limited(&format!("check {jobs} --quiet list"));
            assert_eq!((checked.code, checked.stderr), (Some(0), Text(Vec::new())));
        }
    }
}

/// Counting CPUs and reading group limits would take longer than hashing a small file.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "it runs strace")]
fn a_small_file_needs_no_look_at_the_system() {
    let dir = files(1);
    let tool = env!("CARGO_BIN_EXE_finalist");
    let line = format!("strace -e trace=openat,mmap {tool} sum files/f0 2>&1");
    let traced = run_with("sh", dir.path(), &["-c", &line], b"");
    let trace = String::from_utf8_lossy(&traced.stdout.0).into_owned();
    if !trace.contains("exited with 0") {
        return; // strace is missing or may not trace.
    }
    assert!(!trace.contains("cgroup"), "{trace}");
    // No buffer for several files is allocated.
    let after = trace.split("files/f0").next().unwrap_or_default();
    let large = after.lines().filter(|line| line.contains("MAP_ANONYMOUS"));
    let bytes = large.filter_map(|line| line.split(", ").nth(1)?.parse::<usize>().ok());
    assert!(bytes.max().unwrap_or(0) < 1 << 20, "{trace}");
}

#[test]
fn a_thousand_threads_are_not_a_thousand_times_slower() {
    let dir = files(1000);
    let time = |jobs: &str| {
        let started = Instant::now();
        let done = finalist(dir.path(), &["sum", "-r", "-j", jobs, "files"]);
        assert_eq!(done.code, Some(0));
        started.elapsed()
    };
    let (two, many) = (time("2"), time("1024"));
    assert!(many < 20 * two + Duration::from_secs(1), "{two:?} {many:?}");
}

/// A pipe takes 4096 bytes whole, so that the lines of several processes do not mix. A datagram is one
/// write.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "datagrams are shorter there")]
fn lines_are_written_in_whole_pieces() {
    // 4097 is 17 times the length of a line: the digest, two spaces, the name and the line's end.
    const PIECE_BYTES: usize = 4096;
    const LINE_BYTES: usize = 241;
    let dir = TempDir::new().expect("a temporary directory can be made");
    let name = "x".repeat(LINE_BYTES - 128 - 3);
    write(&dir, &name, "");
    let (stdout, reader) = UnixDatagram::pair().expect("two sockets");
    let patience = Some(Duration::from_secs(60));
    reader.set_read_timeout(patience).expect("a limit");
    let mut child = common::program("finalist", dir.path())
        .arg("sum")
        .args(vec![&name; 500])
        .stdout(OwnedFd::from(stdout))
        .spawn()
        .expect("it is started");
    let (mut piece, mut lines) = ([0; 2 * PIECE_BYTES], 0);
    while lines < 500 {
        let bytes = reader.recv(&mut piece).expect("a piece");
        assert!(bytes <= PIECE_BYTES && bytes % LINE_BYTES == 0, "{bytes}");
        lines += bytes / LINE_BYTES;
    }
    assert!(child.wait().expect("it ends").success());
}

/// Each part of a name that the system refuses as a whole is looked for.
#[test]
fn parts_of_long_names_are_too_long_or_missing() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let long = "x".repeat(5000);
    for (name, error) in [
        (format!("/{long}"), "File name too long"),
        (long.clone(), "File name too long"),
        (format!("m/{long}"), "No such file or directory"),
    ] {
        let found = finalist(dir.path(), &["sum", &name]);
        let text = String::from_utf8_lossy(&found.stderr.0).into_owned();
        assert!(text.ends_with(&format!(": {error}\n")), "{text}");
    }
    // Nothing is left of this one after the directory.
    fs::create_dir(dir.path().join("empty")).expect("a directory is made");
    let slashes = format!("empty{}", "/".repeat(5000));
    assert_eq!(
        finalist(dir.path(), &["sum", "-r", &slashes]),
        done(0, "", "")
    );
}

/// The system refuses these names as a whole.
#[test]
fn directories_are_walked_beyond_the_longest_path() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let script = format!(
        "set -e; mkdir top; cd top; for i in $(seq 30); do mkdir {0}; cd -P {0}; done; printf deep > file",
        "d".repeat(200)
    );
    let made = run_with("bash", dir.path(), &["-c", &script], b"");
    assert_eq!(made.code, Some(0), "{made:?}");
    let sums = finalist(dir.path(), &["sum", "-r", "top"]);
    let sum = run_with("finalist", dir.path(), &["sum"], b"deep");
    let path = format!("top/{}file\n", format!("{}/", "d".repeat(200)).repeat(30));
    let mut expected = sum.stdout.0.clone();
    expected.truncate(sum.stdout.0.len() - 2);
    expected.extend(path.as_bytes());
    assert_eq!(sums.stdout, Text(expected));
    assert_eq!((sums.code, sums.stderr), (Some(0), Text(Vec::new())));
    write(&dir, "list", &sums.stdout.0);
    let ok = format!("{}: OK\n", path.trim_end());
    let checked = finalist(dir.path(), &["check", "list"]);
    assert_eq!(
        checked,
        Done {
            code: Some(0),
            stdout: Text(ok.into_bytes()),
            stderr: Text(Vec::new())
        }
    );
}

/// Every command with --jobs, while it waits: for the reader of its lines or messages, which fill a
/// pipe, or for the file that it reads.
#[cfg(target_os = "linux")]
#[test]
fn as_many_threads_work_as_are_asked_for() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let path = |name: &str| dir.path().join(name);
    for folder in ["files", "links"] {
        fs::create_dir(path(folder)).expect("a directory is made");
    }
    for index in 0..600 {
        let name = format!("{}{index}", "long".repeat(45));
        write(&dir, &format!("files/{name}"), "");
        symlink("nothing", path("links").join(name)).expect("a link");
    }
    let made = run_with("mkfifo", dir.path(), &["pipe"], b"");
    assert_eq!(made, done(0, "", ""));
    write(
        &dir,
        "list",
        finalist(dir.path(), &["sum", "-r", "files"]).stdout.0,
    );
    let words = ["manifest", "create", "--follow", "links", "-o", "M.list"];
    assert_eq!(finalist(dir.path(), &words).code, Some(1));
    for line in [
        "sum -r files",
        "check list",
        "manifest create --follow links",
        "manifest verify --follow M.list links",
        "manifest update --follow M.list links -o N.list",
        "merkle root pipe",
        "merkle prove --index 0 pipe",
        "merkle consistency --old-leaves 1 pipe",
    ] {
        // Others find the files and write the lines.
        for (jobs, expected) in [("-j1", 1..=2), ("-j3", 4..=5)] {
            let mut command = program("finalist", dir.path());
            let mut child = start(command.args(line.split(' ')).arg(jobs), b"");
            let mut writer = None;
            let begun = if line.ends_with("pipe") {
                let file = File::options().write(true).open(path("pipe"));
                writer = Some(file.expect("it is read"));
                Ok(())
            } else if line.starts_with("manifest ") {
                let messages = child.stderr.as_mut().expect("it is piped");
                messages.read_exact(&mut [0])
            } else {
                let lines = child.stdout.as_mut().expect("it is piped");
                lines.read_exact(&mut [0])
            };
            let threads = fs::read_dir(format!("/proc/{}/task", child.id()));
            let threads = threads.expect("it is running").count();
            child.kill().expect("it is ended");
            child.wait().expect("it has ended");
            drop(writer);
            assert!(begun.is_ok(), "{line} {jobs}");
            assert!(expected.contains(&threads), "{line} {jobs}: {threads}");
        }
    }
}
