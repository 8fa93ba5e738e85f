// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests digests and lists of every algorithm, and many files.

mod common;

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;

use common::{THREADINGS, files_of_all_lengths, finalist, fixture, run_with, sparse, sum, write};
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

/// The algorithms that accept other digest lengths: all but the first eight.
const ANY_LENGTH: &[&str] = ALGORITHMS.split_at(8).1;

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

/// A keyed list verifies only with the same key.
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

/// On Windows, creating links requires a right that users lack.
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
    let refused = "finalist: t: Is a directory\nfinalist: gone: No such file or directory\n\
                   finalist: hint: with -r, the files under directories are hashed\n"
        .to_owned();
    assert_eq!(names(&["t", "gone"]), (String::new(), Some(1), refused));
}

/// Large and small files, more than can wait for earlier ones at once; some are missing.
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

/// With any distribution of work, files have the digests that each has alone.
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

/// One file is so much longer than the others that these do not fill all lanes.
#[test]
fn a_batch_ends_with_its_buffer() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    sparse(&dir, "long", (1 << 20) - 1);
    let names: Vec<_> = (0..24).map(|number| format!("n{number}")).collect();
    for name in &names {
        sparse(&dir, name, 900_000);
    }
    let one = sum(dir.path(), "-a blake2s --no-names n0");
    let line = format!("-a blake2s -j1 --no-names long {}", names.join(" "));
    let all = sum(dir.path(), &line);
    assert_eq!(all.lines().count(), 25);
    assert!(all.ends_with(&one.repeat(24)), "{all}");
}
