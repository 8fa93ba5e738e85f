// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests manifests and files that are exchanged while the tool works with them.

#![cfg(target_os = "linux")]

mod common;

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{FileExt, symlink};
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use common::manifests::{manifest, prints};
use common::{Done, Text, finalist, finish, program, sparse, start, write};
use tempfile::TempDir;

const FILES: usize = 20_000;

/// Returns files `d`, their manifest `OLD.list`, then one file changed, and the new manifest
/// `NEW.list`.
fn directory() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    for index in 0..FILES {
        write(&dir, &format!("d/{index:05}"), "");
    }
    prints(&dir, "create d -l 64 -o OLD.list");
    write(&dir, "d/00007", "changed");
    prints(&dir, "create d -l 64 -o NEW.list");
    dir
}

/// Waits until a process has read this many bytes.
fn wait_until_read(child: &Child, bytes: u64) {
    let io = format!("/proc/{}/io", child.id());
    let started = Instant::now();
    loop {
        let io = fs::read_to_string(&io).expect("the system tells");
        let read = io.lines().find_map(|line| line.strip_prefix("rchar: "));
        if read.and_then(|read| read.parse().ok()) >= Some(bytes) {
            return;
        }
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "nothing is read"
        );
    }
}

/// Runs `finalist manifest` on M.list, a copy of OLD.list, and exchanges it once it was read.
fn with_exchanged(dir: &TempDir, line: &str, exchange: impl Fn(&Path)) -> Done {
    let path = dir.path().join("M.list");
    fs::copy(dir.path().join("OLD.list"), &path).expect("it is copied");
    let bytes = path.metadata().expect("it is there").len();
    let words = ["manifest"].into_iter().chain(line.split_whitespace());
    let child = start(program("finalist", dir.path()).args(words), b"");
    wait_until_read(&child, bytes);
    exchange(&path);
    finish(child)
}

/// Gives the name to another manifest.
fn rename_over(path: &Path) {
    let other = path.with_file_name("other");
    fs::copy(path.with_file_name("NEW.list"), &other).expect("it is copied");
    fs::rename(other, path).expect("it is renamed");
}

/// Writes another manifest into the file.
fn write_into(path: &Path) {
    let other = fs::read(path.with_file_name("NEW.list")).expect("it is there");
    let mut file = File::options().write(true).open(path).expect("a file");
    file.write_all(&other).expect("it is written");
    file.set_len(other.len() as u64).expect("it is cut");
}

#[test]
fn the_manifest_that_was_checked_is_the_one_that_is_compared() {
    let dir = directory();
    let old = prints(&dir, "root OLD.list");
    let root = old.trim().rsplit(' ').next().expect("a root");
    let verify = format!("verify --root {root} M.list d");
    let expected = "changed 00007\nM.list: FAILED, 1 difference\n";
    for _ in 0..3 {
        let done = with_exchanged(&dir, &verify, rename_over);
        assert_eq!((done.code, done.stdout), (Some(1), Text(expected.into())));
        // Either the old rows were already read, or the tool detects the exchange.
        let done = with_exchanged(&dir, &verify, write_into);
        assert_eq!(done.code, Some(1));
        let errors = String::from_utf8(done.stderr.0).expect("it is text");
        let is_seen = errors.starts_with("finalist: M.list: ");
        assert!(is_seen || done.stdout == expected, "{errors}");
    }
}

#[test]
fn update_diff_and_prove_read_one_manifest() {
    let dir = directory();
    let told = |done: &Done| String::from_utf8_lossy(&done.stderr.0).into_owned();
    let done = with_exchanged(&dir, "diff M.list NEW.list", rename_over);
    assert_eq!(done.stdout, "changed 00007\n", "{}", told(&done));
    let done = with_exchanged(&dir, "prove M.list 00007", rename_over);
    write(&dir, "proof", done.stdout.0);
    let root = prints(&dir, "root OLD.list");
    let root = root.trim().rsplit(' ').next().expect("a root");
    let done = manifest(&dir, &format!("prove --verify proof --root {root}"));
    assert_eq!(done.stdout, "proof: OK, row 7 of 20000: ok 00007\n");
    for line in [
        "diff M.list NEW.list",
        "prove M.list 00007",
        "update M.list d -o N.list",
    ] {
        let done = with_exchanged(&dir, line, write_into);
        let errors = told(&done);
        let is_old = done.code == Some(0) || done.stdout == "changed 00007\n";
        assert!(
            is_old || errors.starts_with("finalist: M.list: "),
            "{line}: {errors}"
        );
    }
}

/// Returns a directory `d` with a file `a` that takes long to read, and files after it; `outside`
/// is beside it.
fn busy_directory() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for name in ["d/in", "d/sub", "outside"] {
        fs::create_dir_all(dir.path().join(name)).expect("a directory is made");
    }
    for name in ["b", "c", "e", "f", "in/x", "sub/x", "sub/y"] {
        write(&dir, &format!("d/{name}"), "inside");
    }
    for name in ["x", "y", "secret"] {
        write(&dir, &format!("outside/{name}"), "outside");
    }
    sparse(&dir, "d/a", 1 << 40);
    dir
}

/// Runs the tool, exchanges files while it reads the long file, and lets it continue.
fn while_busy(dir: &TempDir, long: &str, line: &str, exchange: impl FnOnce(&Path)) -> Done {
    let words = ["manifest"].into_iter().chain(line.split_whitespace());
    let child = start(program("finalist", dir.path()).args(words), b"");
    wait_until_read(&child, 8 << 20);
    exchange(&dir.path().join("d"));
    let long = File::options().write(true).open(dir.path().join(long));
    long.and_then(|file| file.set_len(3)).expect("it is cut");
    finish(child)
}

/// Returns the statuses in a list, without files that were read.
fn statuses(list: &Text) -> Vec<String> {
    let text = String::from_utf8_lossy(&list.0).into_owned();
    let lines = text
        .lines()
        .filter(|line| line.starts_with("# ") && line.ends_with(')'));
    lines.map(|line| line[2..].to_owned()).collect()
}

/// Requires that no row contains the digest of a file outside.
fn assert_no_outside(dir: &TempDir, done: &Done) {
    let sum = finalist(dir.path(), &["sum", "outside/secret"]);
    let line = String::from_utf8(sum.stdout.0).expect("it is text");
    let digest = line.split(' ').next().expect("a digest");
    assert_eq!(digest.len(), 128);
    let list = String::from_utf8_lossy(&done.stdout.0);
    assert!(!list.contains(digest), "{list}");
}

/// Exchanges files that the walk has already listed.
fn exchange_listed(d: &Path) {
    let outside = d.with_file_name("outside");
    for name in ["b", "c", "e"] {
        // It is not removed: another file could get its inode.
        fs::rename(d.join(name), outside.join(name)).expect("it is moved");
    }
    symlink(outside.join("secret"), d.join("b")).expect("a link");
    let made = Command::new("mkfifo").arg(d.join("c")).status();
    assert!(made.expect("mkfifo runs").success());
    fs::copy(outside.join("secret"), d.join("new")).expect("it is copied");
    fs::rename(d.join("new"), d.join("e")).expect("it is renamed");
    fs::rename(d.join("in"), outside.join("in")).expect("it is moved");
    symlink(&outside, d.join("in")).expect("a link");
}

#[test]
fn files_that_are_exchanged_have_a_status() {
    for options in ["-j1", "-j3", "-j2 --sequential"] {
        let dir = busy_directory();
        let line = format!("create d {options}");
        let done = while_busy(&dir, "d/a", &line, exchange_listed);
        assert_eq!(done.code, Some(1), "{done:?}");
        assert_no_outside(&dir, &done);
        // With more threads, the other files may already have been read.
        if options == "-j1" {
            let expected = [
                "changed (a)",
                "changed (b)",
                "changed (c)",
                "changed (e)",
                "unlisted (in/)",
            ];
            assert_eq!(statuses(&done.stdout), expected, "{done:?}");
        }
    }
    // Links that existed before the walk are skipped as usual.
    let dir = busy_directory();
    exchange_listed(&dir.path().join("d"));
    let done = while_busy(&dir, "d/a", "create d", |_| ());
    assert_eq!(statuses(&done.stdout), ["changed (a)"]);
}

/// The directory of listed files is replaced by a link: no file outside is read.
#[test]
fn a_directory_that_becomes_a_link_is_not_followed() {
    for (options, count) in [("-j1", 0), ("-j3", 0), ("-j1", 20)] {
        let dir = busy_directory();
        fs::remove_file(dir.path().join("d/a")).expect("it is removed");
        sparse(&dir, "d/sub/a", 1 << 40);
        // Several files are opened relative to their directory.
        let more: Vec<_> = (10..10 + count).map(|index| format!("m{index}")).collect();
        for name in &more {
            write(&dir, &format!("d/sub/{name}"), "inside");
            write(&dir, &format!("outside/{name}"), "outside");
        }
        let done = while_busy(&dir, "d/sub/a", &format!("create d {options}"), |d| {
            let outside = d.with_file_name("outside");
            File::create(outside.join("a")).expect("it is made");
            fs::rename(d.join("sub"), d.join("moved")).expect("it is moved");
            fs::hard_link(d.join("moved/a"), d.with_file_name("long")).expect("a link");
            symlink(outside, d.join("sub")).expect("a link");
            fs::remove_file(d.join("sub/a")).expect("it is removed");
            fs::hard_link(d.with_file_name("long"), d.join("sub/a")).expect("a link");
        });
        let found = statuses(&done.stdout);
        let expected: Vec<_> = ["a".to_owned()]
            .into_iter()
            .chain(more)
            .chain(["x".to_owned(), "y".to_owned()])
            .map(|name| format!("changed (sub/{name})"))
            .collect();
        assert_no_outside(&dir, &done);
        if options == "-j1" {
            assert_eq!(found, expected, "{done:?}");
        }
    }
}

/// With links followed, the files must still be the listed ones.
#[test]
fn what_links_lead_to_is_compared_with_the_listing() {
    let dir = busy_directory();
    let d = dir.path().join("d");
    fs::remove_file(d.join("b")).expect("it is removed");
    symlink("../outside/x", d.join("b")).expect("a link");
    let done = while_busy(&dir, "d/a", "create d --follow -j1", |d| {
        fs::remove_file(d.join("b")).expect("it is removed");
        symlink("../outside/secret", d.join("b")).expect("a link");
        fs::rename(d.join("c"), d.join("in/c")).expect("it is moved");
        // Most file systems give the inode of a removed file to the next one.
        fs::remove_file(d.join("e")).expect("it is removed");
        for name in ["e", "c"] {
            let made = Command::new("mkfifo").arg(d.join(name)).status();
            assert!(made.expect("mkfifo").success());
        }
        // Who reads the pipe gets no byte, but need not wait.
        let pipe = d.join("e");
        std::thread::spawn(|| File::options().write(true).open(pipe));
    });
    let expected = ["changed (a)", "changed (b)", "changed (c)", "changed (e)"];
    assert_eq!(statuses(&done.stdout), expected, "{done:?}");
    fs::remove_file(d.join("c")).expect("it is removed");
    symlink("b", d.join("listed")).expect("a link");
    write(&dir, "names", "listed\0f\0sub/x");
    let line = "create d --files0-from names";
    let done = manifest(&dir, line);
    assert_eq!(statuses(&done.stdout), ["unreadable (listed)"]);
    let done = manifest(&dir, &format!("{line} --follow"));
    assert_eq!((done.code, statuses(&done.stdout)), (Some(0), vec![]));
}

/// Length and time are unchanged; the system's change time reveals the change.
#[test]
fn a_file_written_while_it_is_read_has_that_status() {
    for change in [write_in_place, append_and_cut] {
        let dir = TempDir::new().expect("a temporary directory can be made");
        fs::create_dir(dir.path().join("d")).expect("a directory is made");
        sparse(&dir, "d/long", 2 << 30);
        let words = ["manifest", "create", "d"];
        let child = start(program("finalist", dir.path()).args(words), b"");
        wait_until_read(&child, 8 << 20);
        let path = dir.path().join("d/long");
        let time = path.metadata().and_then(|metadata| metadata.modified());
        let file = File::options().write(true).open(&path).expect("a file");
        change(&file);
        file.set_modified(time.expect("a time"))
            .expect("a time can be set");
        let done = finish(child);
        assert_eq!(done.code, Some(1), "{done:?}");
        assert_eq!(statuses(&done.stdout), ["changed (long)"]);
    }
}

fn write_in_place(file: &File) {
    file.write_all_at(b"changed", 1 << 20)
        .expect("it is written");
}

fn append_and_cut(file: &File) {
    file.set_len((2 << 30) + 1).expect("it is lengthened");
    file.set_len(2 << 30).expect("it is cut");
}

/// Pipes and devices in place of a manifest, its parts or their metadata do not block the tool.
#[test]
fn a_manifest_is_of_regular_files() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for name in ["P", "Q", "d"] {
        fs::create_dir(dir.path().join(name)).expect("a directory is made");
    }
    for name in ["fifo", "P/manifest.json", "Q/part-0.parquet"] {
        let made = Command::new("mkfifo").arg(dir.path().join(name)).status();
        assert!(made.expect("mkfifo runs").success());
    }
    let header = [
        "algorithm",
        "digest_bits",
        "keyed",
        "salt",
        "personal",
        "count",
        "root",
    ]
    .into_iter()
    .zip(["blake2b", "64", "false", "", "", "0", "72193ffb891c09d7"]);
    let members: Vec<_> = header
        .map(|(name, value)| format!("\"finalist.{name}\": \"{value}\""))
        .collect();
    let json = "{\"finalist.format\": \"finalist-manifest-2\", ".to_owned();
    write(&dir, "Q/manifest.json", json + &members.join(", ") + "}");
    for (manifest_name, named) in [
        ("fifo", "fifo"),
        ("/dev/zero", "/dev/zero"),
        ("P", "P/manifest.json"),
        ("Q", "Q/part-0.parquet"),
    ] {
        let done = manifest(&dir, &format!("verify {manifest_name} d"));
        let expected = format!("finalist: {named}: not a regular file\n");
        assert_eq!((done.code, done.stderr), (Some(1), Text(expected.into())));
    }
    fs::remove_file(dir.path().join("Q/part-0.parquet")).expect("it is removed");
    assert_eq!(prints(&dir, "verify Q d"), "Q: OK, 0 files\n");
    fs::remove_file(dir.path().join("Q/manifest.json")).expect("it is removed");
    symlink("/dev/zero", dir.path().join("Q/manifest.json")).expect("a link");
    let done = manifest(&dir, "verify Q");
    assert_eq!(
        done.stderr,
        "finalist: Q/manifest.json: not a regular file\n"
    );
    fs::remove_file(dir.path().join("Q/manifest.json")).expect("it is removed");
    sparse(&dir, "Q/manifest.json", 1 << 40);
    assert_eq!(manifest(&dir, "verify Q").code, Some(1));
}

/// A list preserves every name, and no name can add a line.
#[test]
fn names_in_lists_are_escaped_and_come_back() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    let names: [&[u8]; 12] = [
        b"a\\b",
        b"a\nb",
        b"a\rb",
        b"\\n",
        b"\\",
        b"\n",
        b") = 00",
        b"# count: 0",
        b" (x)",
        b"\xff\xfe",
        b"x\n# count: 0\n# root: 00",
        "\u{202e}\u{2028}".as_bytes(),
    ];
    let mut listed = b"gone\nx\0".to_vec();
    for name in names {
        fs::write(dir.path().join("d").join(common::os(name)), name).expect("it is written");
        listed.extend([name, b"\0"].concat());
    }
    for file in ["M.list", "M.parquet"] {
        let line = format!("create d -l 64 -o {file} --files0-from -");
        assert_eq!(
            common::manifests::manifest_with(&dir, &line, &listed).code,
            Some(1)
        );
    }
    assert_eq!(manifest(&dir, "diff M.list M.parquet").code, Some(0));
    let list = fs::read(dir.path().join("M.list")).expect("it is there");
    let lines = list.split(|&byte| byte == b'\n').count();
    assert_eq!(lines, 6 + 2 * names.len() + 1 + 2 + 1);
    let checked = manifest(&dir, "verify M.list d");
    let text = "removed 'gone'$'\\n''x'\nM.list: FAILED, 1 difference\n";
    assert_eq!(checked.stdout, text);
}
