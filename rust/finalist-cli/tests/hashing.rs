// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digests of every algorithm, lists of every algorithm, and files of every kind.

mod common;

use std::fs::{self, OpenOptions};
use std::io::Read;
#[cfg(unix)]
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use common::{
    THREADINGS, files_of_all_lengths, finalist, finalist_on_truncated, fixture, program, run_with,
    sparse, start, write,
};
use tempfile::TempDir;

const ALGORITHMS: [&str; 23] = [
    "blake224",
    "blake256",
    "blake384",
    "blake512",
    "blake28",
    "blake32",
    "blake48",
    "blake64",
    "blake2b",
    "blake2s",
    "blake2bp",
    "blake2sp",
    "blake2xb",
    "blake2xs",
    "groestl224",
    "groestl256",
    "groestl384",
    "groestl512",
    "groestl0-224",
    "groestl0-256",
    "groestl0-384",
    "groestl0-512",
    "blake3",
];

/// Those of a length of their own are the first eight.
const ANY_LENGTH: &[&str] = ALGORITHMS.split_at(8).1;

fn sum(dir: &Path, line: &str) -> String {
    let args: Vec<&str> = line.split_whitespace().collect();
    let done = finalist(dir, &[&["sum"], args.as_slice()].concat());
    assert_eq!(
        (done.code, done.stderr.0.as_slice()),
        (Some(0), &b""[..]),
        "{line}"
    );
    String::from_utf8(done.stdout.0).expect("it is text")
}

#[test]
fn known_digests() {
    let dir = fixture();
    write(&dir, "abc", "abc");
    write(&dir, "key", (0..64).collect::<Vec<u8>>());
    write(&dir, "key32", (0..32).collect::<Vec<u8>>());
    write(&dir, "k", "k");
    for (line, digest) in [
        (
            "-a blake256 empty",
            "716f6e863f744b9ac22c97ec7b76ea5f5908bc5b2f67c61510bfc4751384ea7a",
        ),
        (
            "-a groestl256 empty",
            "1a52d11d550039be16107f9c58db9ebcc417f16f736adb2502567119f0083467",
        ),
        (
            "-a blake2s abc",
            "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
        ),
        (
            "--key-file key abc",
            "06bbc3dedf13a31139498655251b7588ccd3bb5aaa071b2d44d8e0a04095579e\
             d590fbfdcf941f4370ce5ce623624e7a76d33e7a8109dcda9b57d72f8f8efa51",
        ),
        (
            "-a blake2s -l 128 --key-file k --salt 73616C74 --personal 706572736f6e abc",
            "dddf7dc3efb89129e13e948d2d9b3185",
        ),
        (
            "-a blake3 --key-file key32 abc",
            "6da54495d8152f2bcba87bd7282df70901cdb66b4448ed5f4c7bd2852b8b5532",
        ),
        (
            "-a blake3 -l 128 --derive-key example.com abc",
            "537d2999b6050967ab6671dfb38fd8b5",
        ),
    ] {
        assert_eq!(
            sum(dir.path(), line).split("  ").next(),
            Some(digest),
            "{line}"
        );
    }
    let keyed = run_with(
        "finalist",
        dir.path(),
        &["sum", "--key-file", "-", "abc"],
        b"k",
    );
    assert_eq!(
        keyed,
        finalist(dir.path(), &["sum", "--key-file", "k", "abc"])
    );
}

/// Every algorithm's lists verify, and fail when a digit changes.
#[test]
fn lists_of_every_algorithm_verify() {
    let dir = fixture();
    let mut tagged = String::new();
    for algorithm in ALGORITHMS {
        let lengths: &[&str] = if ANY_LENGTH.contains(&algorithm) {
            &["", "-l 128", "-l 8"]
        } else {
            &[""]
        };
        for length in lengths {
            tagged += &sum(
                dir.path(),
                &format!("-a {algorithm} {length} --tag a empty"),
            );
            let plain = sum(dir.path(), &format!("-a {algorithm} {length} a empty"));
            let args = ["check", "-a", algorithm, "-"];
            let checked = run_with("finalist", dir.path(), &args, plain.as_bytes());
            assert_eq!(checked.stdout, "a: OK\nempty: OK\n", "{algorithm} {length}");
            assert_eq!(checked.code, Some(0));
            let first = if plain.starts_with('0') { "1" } else { "0" };
            let changed = format!("{first}{}", &plain[1..]);
            let checked = run_with("finalist", dir.path(), &args, changed.as_bytes());
            assert_eq!(
                checked.stdout, "a: FAILED\nempty: OK\n",
                "{algorithm} {length}"
            );
            assert_eq!(checked.code, Some(1));
        }
    }
    let checked = run_with(
        "finalist",
        dir.path(),
        &["check", "--strict"],
        tagged.as_bytes(),
    );
    let expected = "a: OK\nempty: OK\n".repeat(tagged.lines().count() / 2);
    assert_eq!(checked.stdout, expected.as_str());
    assert_eq!(checked.code, Some(0));
    let checked = run_with(
        "finalist",
        dir.path(),
        &["check", "-a", "blake2s"],
        tagged.as_bytes(),
    );
    assert_eq!(checked.stdout, "a: OK\nempty: OK\n".repeat(3).as_str());
}

#[test]
fn tags() {
    let dir = fixture();
    for (options, tag) in [
        ("", "BLAKE2b"),
        ("-l 256", "BLAKE2b-256"),
        ("-l 512", "BLAKE2b"),
        ("-a blake2sp -l 8", "BLAKE2sp-8"),
        ("-a blake256", "BLAKE-256"),
        ("-a blake28", "BLAKE-28"),
        ("-a groestl256", "Groestl-256"),
        ("-a groestl512 -l 256", "Groestl-256"),
        ("-a groestl256 -l 128", "Groestl-128"),
        ("-a groestl0-384", "Groestl-0-384"),
        ("-a groestl0-512 -l 16", "Groestl-0-16"),
        ("-a blake2xb -l 1024", "BLAKE2Xb-1024"),
    ] {
        let line = sum(dir.path(), &format!("{options} --tag a"));
        assert!(line.starts_with(&format!("{tag} (a) = ")), "{line}");
    }
}

/// A keyed list verifies with the same key only.
#[test]
fn keyed_lists_need_the_key() {
    let dir = fixture();
    write(&dir, "key", "secret");
    write(
        &dir,
        "list",
        sum(dir.path(), "--key-file key --salt 00ff --tag a"),
    );
    let check = |args: &[&str]| finalist(dir.path(), &[&["check"], args].concat());
    assert_eq!(
        check(&["--key-file", "key", "--salt", "00FF", "list"]).stdout,
        "a: OK\n"
    );
    assert_eq!(check(&["--key-file", "key", "list"]).stdout, "a: FAILED\n");
    assert_eq!(check(&["list"]).stdout, "a: FAILED\n");
    write(&dir, "list", sum(dir.path(), "-a groestl256 --tag a"));
    let refused = check(&["--warn", "--key-file", "key", "list"]);
    assert_eq!(
        refused.stderr,
        "finalist: list: 1: improperly formatted Groestl-256 checksum line\n\
         finalist: list: no properly formatted checksum lines found\n"
    );
}

#[test]
fn implementations_agree() {
    let dir = fixture();
    let plain = sum(dir.path(), "-a groestl256 a empty");
    assert_eq!(
        sum(dir.path(), "-a groestl256 --impl ttable64 a empty"),
        plain
    );
    let short = sum(dir.path(), "-a groestl512 -l 224 a");
    assert_eq!(
        sum(dir.path(), "-a groestl512 -l 224 --impl ttable64 a"),
        short
    );
}

/// The links of Windows need a right that users lack.
#[cfg(unix)]
#[test]
fn directories_are_walked_in_order() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for name in ["t/b", "t/a", "t/a.d", "else"] {
        fs::create_dir_all(dir.path().join(name)).expect("a directory is made");
    }
    for name in ["t/b/2", "t/b/1", "t/a/z", "t/a.d/q", "t/top", "else/x"] {
        write(&dir, name, name);
    }
    for (target, link) in [
        ("top", "t/link"),
        ("../else", "t/else"),
        ("..", "t/b/up"),
        ("t", "l"),
    ] {
        symlink(target, dir.path().join(link)).expect("a link is made");
    }
    symlink("gone", dir.path().join("t/broken")).expect("a link is made");
    let names = |args: &[&str]| {
        let done = finalist(dir.path(), &[&["sum", "-l8"], args].concat());
        let lines = String::from_utf8(done.stdout.0).expect("it is text");
        let names: Vec<String> = lines.lines().map(|line| line[4..].to_owned()).collect();
        (
            names.join(" "),
            done.code,
            String::from_utf8(done.stderr.0).expect("it is text"),
        )
    };
    let walked = "t/a/z t/a.d/q t/b/1 t/b/2 t/top";
    assert_eq!(names(&["-r", "t"]), (walked.into(), Some(0), String::new()));
    let (found, code, _) = names(&["-r", "t/top", "l", "t/b/"]);
    assert_eq!(
        (found.as_str(), code),
        ("t/top l/a/z l/a.d/q l/b/1 l/b/2 l/top t/b/1 t/b/2", Some(0))
    );
    assert_eq!(
        names(&["-r", "--follow", "t"]),
        (
            "t/a/z t/a.d/q t/b/1 t/b/2 t/else/x t/link t/top".into(),
            Some(1),
            "finalist: t/b/up: symbolic link leads back to a directory above it\n\
             finalist: t/broken: No such file or directory\n"
                .into()
        )
    );
    let refused = "finalist: t: Is a directory\n\
                   finalist: hint: with -r, the files under directories are hashed\n"
        .to_owned();
    assert_eq!(names(&["t", "t/top"]), ("t/top".into(), Some(1), refused));
}

/// Large and small files, more than wait for their turn at once, and some that are not there.
#[test]
fn many_files_keep_their_order() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let mut expected = String::new();
    let mut args = vec!["sum".to_owned(), "-l8".into(), "-j4".into()];
    for index in 0..3000 {
        let name = format!("f{index}");
        if index % 100 == 0 {
            write(&dir, &name, vec![b'x'; 1 << 20]);
        } else if index % 7 != 0 {
            write(&dir, &name, "x");
        }
        if index % 7 != 0 || index % 100 == 0 {
            expected += &format!("{name}\n");
        }
        args.push(name);
    }
    let done = finalist(dir.path(), &args);
    let lines = String::from_utf8(done.stdout.0).expect("it is text");
    let names: String = lines
        .lines()
        .map(|line| format!("{}\n", &line[4..]))
        .collect();
    assert_eq!(names, expected);
    assert_eq!(done.code, Some(1));
}

/// However the work is shared out, files have the digests that each has by itself.
#[test]
#[cfg_attr(
    windows,
    ignore = "it starts a thousand processes, and nothing in it is of the system"
)]
fn batches_of_every_algorithm() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let mut names = files_of_all_lengths(&dir);
    names.truncate(45);
    for algorithm in ALGORITHMS {
        let alone = names.iter();
        let alone = alone.map(|name| sum(dir.path(), &format!("-a {algorithm} {name}")));
        let alone: String = alone.collect();
        for threading in THREADINGS {
            let threading = threading.join(" ");
            let all = names.join(" ");
            let together = sum(dir.path(), &format!("-a {algorithm} {threading} {all}"));
            assert_eq!(together, alone, "{algorithm} {threading}");
        }
    }
}

#[cfg(unix)]
fn fifo(dir: &TempDir, name: &str) {
    let status = Command::new("mkfifo").arg(dir.path().join(name)).status();
    assert!(status.expect("mkfifo is there").success());
}

/// What was hashed before is written while a pipe that nobody writes to keeps its reader waiting.
#[cfg(unix)]
#[test]
fn a_pipe_holds_nothing_back() {
    for threading in THREADINGS {
        let dir = fixture();
        fifo(&dir, "pipe");
        let mut command = program("finalist", dir.path());
        command.args(["sum", "-l8"]).args(threading);
        let mut child = start(command.args(["empty", "pipe", "empty"]), b"");
        let mut line = [0; 10];
        let mut stdout = child.stdout.take().expect("it is piped");
        stdout.read_exact(&mut line).expect("a line comes");
        assert_eq!(&line, b"2e  empty\n", "{threading:?}");
        fs::write(dir.path().join("pipe"), "").expect("it is read");
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("it is text");
        assert_eq!(rest, "2e  pipe\n2e  empty\n", "{threading:?}");
        assert!(child.wait().expect("it was started").success());
    }
}

/// Whether the second of two pipes gets a reader while the first one is being read.
#[cfg(unix)]
fn reads_both_at_once(threading: &[&str]) -> bool {
    const O_NONBLOCK: i32 = 0o4000;
    let dir = fixture();
    fifo(&dir, "first");
    fifo(&dir, "second");
    let mut command = program("finalist", dir.path());
    let command = command.args(["sum", "-l8"]).args(threading);
    let child = start(command.args(["first", "second", "empty"]), b"");
    let first = OpenOptions::new()
        .write(true)
        .open(dir.path().join("first"));
    let first = first.expect("it is read");
    // Without waiting it can only be opened if somebody reads it.
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
    assert_eq!(output.stdout, b"2e  first\n2e  second\n2e  empty\n");
    both
}

#[cfg(unix)]
#[test]
fn sequential_reading_is_one_file_after_the_other() {
    assert!(reads_both_at_once(&["-j3"]));
    assert!(!reads_both_at_once(&["-j1"]));
    assert!(!reads_both_at_once(&["-j3", "--sequential"]));
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

/// With several threads one reads ahead, pieces of 4 MiB into two buffers in turn. No two pieces are
/// alike, and those of a file begin elsewhere than those of standard input.
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
        for algorithm in ["blake2bp", "blake2sp", "groestl256"] {
            assert_eq!(
                sum(dir.path(), &format!("-a {algorithm} -j3 long")),
                sum(dir.path(), &format!("-a {algorithm} -j1 long")),
                "{algorithm}, {length} bytes"
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

/// A result is written when it is there, though later files are not even known.
#[test]
fn results_of_a_list_come_while_it_is_written() {
    use std::io::Write;
    let dir = fixture();
    let mut command = program("finalist", dir.path());
    let mut child = command
        .args(["check", "-j2"])
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
    assert_eq!(&result, b"a: OK\n");
    drop(stdin);
    assert!(child.wait().expect("it was started").success());
}

/// What the tool writes, no more than fits into a pipe, and the most memory that it held.
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

/// The digest of a sparse file and the most memory that the tool held.
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

/// Nor with the number of files, though many are read into memory: 16 MiB a thread.
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
    for algorithm in ALGORITHMS {
        let (line, peak_kib) = hash_sparse(algorithm, 5 << 30);
        assert!(peak_kib < 64 << 10, "{algorithm}: {peak_kib} KiB");
        println!("{algorithm}: {peak_kib} KiB, {line}");
    }
    let dir = TempDir::new().expect("a temporary directory can be made");
    sparse(&dir, "long", 5 << 30);
    let ours = finalist(dir.path(), &["sum", "long"]);
    assert_eq!(ours, run_with("b2sum", dir.path(), &["long"], b""));
}
