// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests reading files of every kind: pipes, truncated and long files, full disks, and memory.

mod common;

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::unix::fs::OpenOptionsExt;
use std::process::Stdio;
#[cfg(unix)]
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use ::finalist::Algorithm;
use common::{
    THREADINGS, done, finalist, finalist_on_truncated, fixture, limit, program, run_with, sparse,
    start, sum, write,
};
use tempfile::TempDir;

#[cfg(unix)]
fn fifo(dir: &TempDir, name: &str) {
    let status = Command::new("mkfifo").arg(dir.path().join(name)).status();
    assert!(status.expect("mkfifo is there").success());
}

/// Returns the lines after the first, that of the file "empty", which is read before going on.
#[cfg(unix)]
#[track_caller]
fn lines_after_first(mut child: Child, go_on: impl FnOnce()) -> String {
    let mut line = [0; 10];
    let mut stdout = child.stdout.take().expect("it is piped");
    stdout.read_exact(&mut line).expect("a line comes");
    assert_eq!(&line, b"2e  empty\n");
    go_on();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("it is text");
    assert!(child.wait().expect("it was started").success());
    rest
}

/// Earlier results are written while a pipe without a writer blocks its reader.
#[cfg(unix)]
#[test]
fn a_pipe_holds_nothing_back() {
    for threading in THREADINGS {
        let dir = fixture();
        fifo(&dir, "pipe");
        let mut command = program("finalist", dir.path());
        command.args(["sum", "-l8"]).args(threading);
        let child = start(command.args(["empty", "pipe", "empty"]), b"");
        let rest = lines_after_first(child, || {
            fs::write(dir.path().join("pipe"), "").expect("it is read");
        });
        assert_eq!(rest, "2e  pipe\n2e  empty\n", "{threading:?}");
    }
}

/// A pipe is read until its writer closes it, and holds nothing back meanwhile.
#[cfg(unix)]
#[test]
fn a_pipe_is_read_to_its_end() {
    for threading in THREADINGS {
        let dir = fixture();
        fifo(&dir, "pipe");
        write(&dir, "whole", b"onetwo");
        let whole = sum(dir.path(), "-l8 whole");
        let mut command = program("finalist", dir.path());
        command.args(["sum", "-l8"]).args(threading);
        let child = start(command.args(["empty", "pipe", "empty"]), b"");
        let pipe = OpenOptions::new().write(true).open(dir.path().join("pipe"));
        let mut pipe = pipe.expect("it is read");
        pipe.write_all(b"one").expect("it is read");
        let rest = lines_after_first(child, || {
            pipe.write_all(b"two").expect("it is read");
            drop(pipe);
        });
        assert_eq!(rest, whole.replace("whole", "pipe") + "2e  empty\n");
    }
}

/// Where a reader of a pipe would wait, the pipe has not ended.
#[cfg(unix)]
#[test]
fn a_pipe_goes_on_after_what_it_held_at_first() {
    for threading in THREADINGS {
        let dir = fixture();
        fifo(&dir, "pipe");
        write(&dir, "whole", b"onetwo");
        let whole = sum(dir.path(), "-l8 whole");
        let path = dir.path().join("pipe");
        let reader = OpenOptions::new().read(true).write(true).open(&path);
        let pipe = OpenOptions::new().write(true).open(&path);
        let mut pipe = pipe.expect("it has a reader");
        pipe.write_all(b"one").expect("it has a reader");
        drop(reader);
        // Waits for the program to open the pipe, which would lose its bytes if it closed before.
        let other = thread::spawn(|| OpenOptions::new().write(true).open(path));
        let mut command = program("finalist", dir.path());
        command.args(["sum", "-l8"]).args(threading);
        let child = start(command.args(["empty", "pipe"]), b"");
        let rest = lines_after_first(child, || {
            let other = other.join().expect("it ends");
            pipe.write_all(b"two").expect("it is read");
            drop((pipe, other));
        });
        assert_eq!(rest, whole.replace("whole", "pipe"), "{threading:?}");
    }
}

/// Several threads read parts of a file, but not of a pipe, which has no position.
#[cfg(unix)]
#[test]
fn a_pipe_has_blake3_s_digest_of_its_bytes() {
    let dir = fixture();
    fifo(&dir, "pipe");
    let bytes = vec![7; 3 << 20];
    write(&dir, "whole", &bytes);
    let pipe = dir.path().join("pipe");
    thread::spawn(move || fs::write(pipe, bytes));
    let piped = sum(dir.path(), "-a blake3 -j2 --no-names pipe");
    assert_eq!(piped, sum(dir.path(), "-a blake3 -j2 --no-names whole"));
}

/// The test program itself ends, and so do the programs that it has started.
#[cfg(unix)]
#[test]
fn a_test_that_hangs_is_ended() {
    let own = std::env::current_exe().expect("it runs");
    let hanging = Command::new(own)
        .args(["--ignored", "--exact", "hangs"])
        .env(limit::VARIABLE, "1")
        .output()
        .expect("it is started");
    assert_eq!(hanging.status.code(), Some(1));
    let text = String::from_utf8_lossy(&hanging.stderr);
    assert!(text.contains("a test hangs"), "{text}");
}

#[cfg(unix)]
#[test]
#[ignore = "a_test_that_hangs_is_ended runs it"]
fn hangs() {
    let dir = fixture();
    fifo(&dir, "pipe");
    finalist(dir.path(), &["sum", "pipe"]);
    // The program is ended first; this one must not end before it is.
    thread::sleep(Duration::from_secs(60));
}

/// Returns true if the second of two pipes gets a reader while the first is being read.
#[cfg(unix)]
fn reads_both_at_once(command: &str, threading: &[&str]) -> bool {
    const O_NONBLOCK: i32 = 0o4000;
    let dir = fixture();
    fifo(&dir, "first");
    fifo(&dir, "second");
    let lines = "2e  first\n2e  second\n2e  empty\n";
    write(&dir, "list", lines);
    let is_sum = command == "sum";
    let words = match is_sum {
        true => &["sum", "-l8", "first", "second", "empty"][..],
        false => &["check", "list"],
    };
    let mut started = program("finalist", dir.path());
    let child = start(started.args(words).args(threading), b"");
    let first = OpenOptions::new()
        .write(true)
        .open(dir.path().join("first"));
    let first = first.expect("it is read");
    // Without blocking, it can be opened only if it has a reader.
    let mut probe = OpenOptions::new();
    let probe = probe.write(true).custom_flags(O_NONBLOCK);
    let mut second = None;
    for _ in 0..50 {
        second = second.or_else(|| probe.open(dir.path().join("second")).ok());
        thread::sleep(Duration::from_millis(2));
    }
    let both = second.is_some();
    drop((first, second));
    if !both {
        fs::write(dir.path().join("second"), "").expect("it is read");
    }
    let output = child.wait_with_output().expect("it was started");
    let checked = "first: OK\nsecond: OK\nempty: OK\n";
    let expected = if is_sum { lines } else { checked };
    assert_eq!(output.stdout, expected.as_bytes());
    both
}

#[cfg(unix)]
#[test]
fn sequential_reading_is_one_file_after_the_other() {
    for command in ["sum", "check"] {
        assert!(reads_both_at_once(command, &["-j3"]));
        assert!(!reads_both_at_once(command, &["-j1"]));
        assert!(!reads_both_at_once(command, &["-j3", "--sequential"]));
    }
}

#[test]
#[cfg_attr(windows, ignore = "it reads /proc")]
fn a_file_truncated_while_it_is_read_fails_alone() {
    let dir = fixture();
    let done = finalist_on_truncated(&dir, &["sum", "-l8", "long", "empty"]);
    assert_eq!(
        done.stderr,
        "finalist: long: file was truncated while it was read\n"
    );
    assert_eq!(done.stdout, "2e  empty\n");
    assert_eq!(done.code, Some(1));
}

#[test]
fn standard_input_is_no_directory_of_its_name() {
    let dir = fixture();
    fs::create_dir(dir.path().join("-")).expect("a directory is made");
    let sum = |options: &[&str]| run_with("finalist", dir.path(), options, b"abc");
    assert_eq!(sum(&["sum", "-r", "-"]), sum(&["sum", "-"]));
}

/// A position that was cut to 32 bits would lead to zeros.
#[test]
#[cfg_attr(windows, ignore = "the file takes 4 GiB there")]
fn bytes_beyond_4_gibibytes_are_read_where_they_are() {
    const POSITION: u64 = (1 << 32) + 1_234_567;
    let dir = TempDir::new().expect("a temporary directory can be made");
    sparse(&dir, "long", POSITION + (3 << 20));
    let file = OpenOptions::new().write(true).open(dir.path().join("long"));
    let mut file = file.expect("a file is opened");
    file.seek(SeekFrom::Start(POSITION)).expect("it is long");
    file.write_all(b"marker").expect("a file is written");
    write(&dir, "marker", "marker");
    let printed = |command: &str, name: &str| {
        let long = File::open(dir.path().join("long")).expect("a file is opened");
        let mut tool = program("finalist", dir.path());
        let words = command.split(' ').chain([name]);
        let output = tool.args(words).stdin(long).output().expect("it runs");
        assert!(output.status.success(), "{command}: {output:?}");
        String::from_utf8(output.stdout).expect("it is text")
    };
    let digest = |command: &str, name: &str| {
        let line = printed(command, name);
        line.trim().rsplit(' ').next().map(str::to_owned)
    };
    // Standard input is read in order.
    let [sum, _] = ["sum -a blake3 --no-names", "merkle root -a blake3"].map(|command| {
        let in_order = digest(command, "-").expect("a digest");
        let at_positions = digest(&format!("{command} -j4"), "long");
        assert_eq!(at_positions.as_ref(), Some(&in_order), "{command}");
        in_order
    });
    let slice = format!("--slice {POSITION},6");
    write(
        &dir,
        "proof",
        printed(&format!("merkle prove {slice}"), "long"),
    );
    let verify = format!("merkle verify --root {sum} {slice} proof");
    assert_eq!(printed(&verify, "marker"), "marker: OK\n");
}

/// With several threads one reads ahead, in pieces; of a file of BLAKE3 each reads some. No two
/// pieces are equal, and those of a file begin elsewhere than those of standard input.
#[test]
#[cfg_attr(windows, ignore = "it runs b2sum")]
fn long_files_in_pieces() {
    const PIECE: usize = 4 << 20;
    let dir = fixture();
    for length in [PIECE, 2 * PIECE, 3 * PIECE + 1] {
        let content: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        write(&dir, "long", &content);
        let expected = run_with("b2sum", dir.path(), &["long"], b"");
        let of_stdin = run_with("b2sum", dir.path(), &["-"], &content);
        for jobs in ["-j1", "-j2", "-j5"] {
            let sum = |file| run_with("finalist", dir.path(), &["sum", jobs, file], &content);
            assert_eq!(sum("long"), expected, "{jobs}, {length} bytes");
            assert_eq!(sum("-"), of_stdin, "{jobs}, {length} bytes");
        }
        write(&dir, "key", [7; 32]);
        for function in [
            "blake2bp",
            "blake2sp",
            "groestl256",
            "blake3",
            "blake3 -l 1000 --seek 77",
            "blake3 --key-file key --tag",
            "blake3 --derive-key context",
        ] {
            assert_eq!(
                sum(dir.path(), &format!("-a {function} -j3 long")),
                sum(dir.path(), &format!("-a {function} -j1 long")),
                "{function}, {length} bytes"
            );
        }
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let dir = fixture();
    for jobs in ["-j1", "-j2"] {
        let mut command = program("finalist", dir.path());
        command.args(["sum", jobs]).args(vec!["a"; 5000]);
        let mut child = start(&mut command, b"");
        let mut first = [0; 10];
        let mut stdout = child.stdout.take().expect("it is piped");
        stdout.read_exact(&mut first).expect("a line comes");
        drop(stdout);
        let output = child.wait_with_output().expect("it was started");
        assert_eq!(
            (output.status.code(), output.stderr),
            (Some(1), Vec::new()),
            "{jobs}"
        );
    }
}

#[test]
#[cfg_attr(windows, ignore = "there is no /dev/full")]
fn a_full_disk_is_reported() {
    let dir = fixture();
    let full = OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("the system has it");
    let output = program("finalist", dir.path())
        .args(["sum", "a"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("it is started");
    assert_eq!(
        output.stderr,
        b"finalist: write error: No space left on device\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

/// Rust would write to /dev/null instead.
#[cfg(unix)]
#[test]
fn a_closed_output_is_reported() {
    let dir = fixture();
    for line in ["sum a", "manifest create .", "manifest create . -o -"] {
        let script = format!("\"$0\" {line} >&-");
        let output = program("sh", dir.path())
            .args(["-c", &script, env!("CARGO_BIN_EXE_finalist")])
            .output()
            .expect("it is started");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            text, "finalist: write error: Bad file descriptor\n",
            "{line}"
        );
        assert_eq!(output.status.code(), Some(1), "{line}");
    }
}

/// A result is written at once, even if later files are not yet known.
/// Reads the list in "list" from a terminal whose other end is closed: an error follows its lines.
#[cfg(target_os = "linux")]
const FROM_CLOSED_TERMINAL: &str = "
import os, pty, subprocess, sys, tty
master, terminal = pty.openpty()
tty.setraw(terminal)
os.write(terminal, open('list', 'rb').read())
os.close(terminal)
sys.exit(subprocess.run([sys.argv[1], 'check'], stdin=master).returncode)
";

#[cfg(target_os = "linux")]
#[test]
fn a_list_that_cannot_be_read_to_its_end_fails() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    write(&dir, "a", "a");
    write(&dir, "list", sum(dir.path(), "a"));
    let finalist = env!("CARGO_BIN_EXE_finalist");
    let args = ["-c", FROM_CLOSED_TERMINAL, finalist];
    let error = "finalist: 'standard input': read error\n";
    let expected = done(1, "a: OK\n", error);
    assert_eq!(run_with("python3", dir.path(), &args, b""), expected);
}

#[test]
fn results_of_a_list_come_while_it_is_written() {
    use std::io::Write;
    let dir = fixture();
    for threading in THREADINGS {
        let mut command = program("finalist", dir.path());
        let mut child = command
            .arg("check")
            .args(threading)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it is started");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin
            .write_all(sum(dir.path(), "a").as_bytes())
            .expect("it reads");
        let mut result = [0; 6];
        let mut stdout = child.stdout.take().expect("it is piped");
        stdout.read_exact(&mut result).expect("a line comes");
        assert_eq!(&result, b"a: OK\n", "{threading:?}");
        drop(stdin);
        assert!(child.wait().expect("it was started").success());
    }
}

/// Returns the tool's output, which must fit into a pipe, and its peak memory.
fn with_peak_memory(dir: &TempDir, args: &[&str]) -> (String, u64) {
    let child = start(program("finalist", dir.path()).args(args), b"");
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0;
    while let Some(kib) = fs::read_to_string(&status).ok().and_then(|status| {
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    }) {
        peak_kib = peak_kib.max(kib);
        thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("it was started");
    assert_eq!(output.status.code(), Some(0));
    (
        String::from_utf8(output.stdout).expect("it is text"),
        peak_kib,
    )
}

/// Returns the digest of a sparse file and the tool's peak memory.
fn hash_sparse(algorithm: &str, bytes: u64) -> (String, u64) {
    let dir = TempDir::new().expect("a temporary directory can be made");
    sparse(&dir, "long", bytes);
    with_peak_memory(&dir, &["sum", "-a", algorithm, "long"])
}

#[test]
#[cfg_attr(windows, ignore = "it reads /proc")]
fn memory_does_not_grow_with_the_file() {
    let (_, peak_kib) = hash_sparse("blake2b", 256 << 20);
    assert!((1..32 << 10).contains(&peak_kib), "{peak_kib} KiB");
}

/// Memory does not grow with the number of files, although many are read into it: 16 MiB a thread.
#[test]
#[cfg_attr(windows, ignore = "it reads /proc")]
fn memory_does_not_grow_with_the_files() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for index in 0..300 {
        sparse(&dir, &format!("f{index}"), (1 << 20) - 1);
    }
    for (threads, threading) in [(1, THREADINGS[0]), (2, THREADINGS[1]), (3, THREADINGS[4])] {
        let (lines, peak_kib) =
            with_peak_memory(&dir, &[&["sum", "-l8", "-r", "."], threading].concat());
        assert_eq!(lines.lines().count(), 300);
        let limit = (threads * 16 + 16) << 10;
        assert!(
            (1..limit).contains(&peak_kib),
            "{threading:?}: {peak_kib} KiB"
        );
    }
}

#[test]
#[ignore = "takes minutes"]
fn five_gibibytes_of_every_algorithm() {
    for algorithm in Algorithm::all().iter().map(|algorithm| algorithm.name()) {
        let (line, peak_kib) = hash_sparse(algorithm, 5 << 30);
        assert!(peak_kib < 64 << 10, "{algorithm}: {peak_kib} KiB");
        println!("{algorithm}: {peak_kib} KiB, {line}");
    }
    let dir = TempDir::new().expect("a temporary directory can be made");
    sparse(&dir, "long", 5 << 30);
    let ours = finalist(dir.path(), &["sum", "long"]);
    assert_eq!(ours, run_with("b2sum", dir.path(), &["long"], b""));
}
