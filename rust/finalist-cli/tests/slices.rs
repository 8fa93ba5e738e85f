// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist merkle prove --slice` and `verify --slice` against digests of `sum -a blake3`.

mod common;

use std::fs;

use common::{Done, Text, finalist, finalist_on_truncated, run_with, write};
use tempfile::TempDir;

/// Returns a directory with a file of 100,000 bytes, its digest, and a part of it.
fn directory() -> (TempDir, String) {
    let dir = TempDir::new().expect("a temporary directory can be made");
    let message: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
    write(&dir, "file", &message);
    write(&dir, "part", &message[5000..7000]);
    write(&dir, "other", &message[5001..7001]);
    let line = text(&run(&dir, "sum -a blake3 --untagged file").stdout);
    let digest = line.split_whitespace().next().expect("a digest").to_owned();
    (dir, digest)
}

fn text(text: &Text) -> String {
    String::from_utf8_lossy(&text.0).into_owned()
}

fn run(dir: &TempDir, line: &str) -> Done {
    finalist(dir.path(), &line.split_whitespace().collect::<Vec<_>>())
}

fn prove(dir: &TempDir, line: &str) {
    let done = run(dir, &format!("merkle prove {line}"));
    assert_eq!((done.code, &done.stderr), (Some(0), &Text(vec![])));
    fs::write(dir.path().join("proof"), done.stdout.0).expect("a proof can be written");
}

#[track_caller]
fn is(done: &Done, code: i32, stdout: &str, stderr: &str) {
    assert_eq!((done.code, &*text(&done.stdout)), (Some(code), stdout));
    assert!(text(&done.stderr).contains(stderr), "{:?}", done.stderr);
}

#[test]
fn a_slice_is_proved_against_an_ordinary_digest() {
    let (dir, digest) = directory();
    prove(&dir, "--slice 5000,2000 file");
    let verify = |slice: &str, rest: &str| {
        run(
            &dir,
            &format!("merkle verify --root {digest} --slice {slice} {rest}"),
        )
    };
    is(&verify("5000,2000", "proof part"), 0, "part: OK\n", "");
    let refused = "does not lead to the root";
    is(
        &verify("5000,2000", "proof other"),
        1,
        "other: FAILED\n",
        refused,
    );
    is(
        &verify("5000,2000", "proof file"),
        1,
        "file: FAILED\n",
        refused,
    );
    is(
        &verify("5001,2000", "proof other"),
        1,
        "",
        "--slice: the proof says 5000,2000",
    );
    is(
        &verify("5000,2000", "part part"),
        1,
        "",
        "part: not a proof",
    );
    let other = digest.replace(['0', '1', '2'], "3");
    let line = format!("merkle verify --root {other} --slice 5000,2000 proof part");
    is(&run(&dir, &line), 1, "part: FAILED\n", refused);
    let proof = fs::read_to_string(dir.path().join("proof")).expect("a proof");
    let proof = proof.trim_end();
    for (bytes, code, stdout) in [(65536, 0, "part: OK\n"), (65537, 1, "")] {
        let spaces = " ".repeat(bytes - proof.len());
        write(&dir, "long", spaces + proof);
        is(&verify("5000,2000", "long part"), code, stdout, "");
    }
    let text = "long: not a proof: it has more than 65536 bytes\n";
    write(&dir, "long", proof.to_owned() + &" ".repeat(65536) + "more");
    is(&verify("5000,2000", "long part"), 1, "", text);
    // This proves only the length.
    prove(&dir, "--slice 0,0 file");
    write(&dir, "nothing", "");
    is(&verify("0,0", "proof nothing"), 0, "nothing: OK\n", "");
}

/// The digest may be in the line of it that sum prints, with any options and any name.
#[test]
fn an_unknown_implementation_is_refused() {
    let (dir, digest) = directory();
    prove(&dir, "--slice 5000,2000 file");
    for line in [
        "merkle prove --slice 5000,2000 --impl nosuch file".to_owned(),
        format!("merkle verify --root {digest} --slice 5000,2000 --impl nosuch proof part"),
    ] {
        let done = run(&dir, &line);
        assert_eq!(done.code, Some(1), "{line}");
        let start = "finalist: invalid argument 'nosuch' for '--impl'\n";
        assert!(text(&done.stderr).starts_with(start), "{line}: {done:?}");
    }
}

#[test]
fn a_line_of_sum_is_a_root() {
    let (dir, digest) = directory();
    prove(&dir, "--slice 5000,2000 file");
    for (options, name) in [
        ("", "file"),
        ("--binary", "file"),
        ("--tag", "file"),
        ("", "a (b) = c"),
        #[cfg(unix)]
        ("", "new\nline"),
    ] {
        if name != "file" {
            fs::copy(dir.path().join("file"), dir.path().join(name)).expect("it is copied");
        }
        let words = ["sum", "-a", "blake3"].into_iter();
        let words = words.chain(options.split_whitespace()).chain([name]);
        let line = text(&finalist(dir.path(), &words.collect::<Vec<_>>()).stdout);
        assert!(line.contains(&digest), "{line}");
        let words = ["merkle", "verify", "--slice", "5000,2000", "--root"];
        let words = words.into_iter().chain([&*line, "proof", "part"]);
        let done = finalist(dir.path(), &words.collect::<Vec<_>>());
        is(&done, 0, "part: OK\n", "");
    }
    for root in [
        format!("{digest} file"),
        "# comment\n  file".to_owned(),
        format!("x{digest}  file"),
    ] {
        let words = ["merkle", "verify", "--slice", "5000,2000", "--root"];
        let words = words.into_iter().chain([&*root, "proof", "part"]);
        let done = finalist(dir.path(), &words.collect::<Vec<_>>());
        let line = root.lines().last().expect("a line");
        is(&done, 1, "", &format!("invalid root: '{line}'"));
    }
}

#[test]
fn slices_come_from_standard_input_and_with_a_key() {
    let (dir, digest) = directory();
    write(&dir, "key", [7; 32]);
    let message = fs::read(dir.path().join("file")).expect("the file is there");
    let words = ["merkle", "prove", "--slice", "5000,2000", "-"];
    let done = run_with("finalist", dir.path(), &words, &message);
    prove(&dir, "--slice 5000,2000 file");
    let proof = fs::read(dir.path().join("proof")).expect("the proof is there");
    assert_eq!(done.stdout, Text(proof));
    let words = [
        "merkle",
        "verify",
        "--root",
        &digest,
        "--slice",
        "5000,2000",
        "proof",
    ];
    is(
        &run_with("finalist", dir.path(), &words, &message[5000..7000]),
        0,
        "-: OK\n",
        "",
    );

    // So does the proof; neither can also be the key.
    let verify = |rest: &str| {
        let line = format!("merkle verify --root {digest} --slice 5000,2000 {rest}");
        let words: Vec<_> = line.split(' ').collect();
        let proof = fs::read(dir.path().join("proof")).expect("the proof is there");
        run_with("finalist", dir.path(), &words, &proof)
    };
    is(&verify("- part"), 0, "part: OK\n", "");
    for rest in ["--key-file - - part", "--key-file - proof -"] {
        let refused = "-: standard input cannot be both key and message";
        is(&verify(rest), 1, "", refused);
    }

    let line = text(&run(&dir, "sum -a blake3 --key-file key --untagged file").stdout);
    let keyed = line.split_whitespace().next().expect("a digest");
    prove(&dir, "--slice 5000,2000 --key-file key file");
    let line = format!("merkle verify --root {keyed} --slice 5000,2000 proof part");
    is(
        &run(&dir, &line),
        1,
        "part: FAILED\n",
        "does not lead to the root",
    );
    is(
        &run(&dir, &format!("{line} --key-file key")),
        0,
        "part: OK\n",
        "",
    );
}

/// The system states no length for it.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "it reads /proc")]
fn a_slice_of_a_file_without_a_length_is_proved() {
    let (dir, _) = directory();
    let version = fs::read("/proc/version").expect("the system tells");
    write(&dir, "version", version);
    let proof = |file: &str| run(&dir, &format!("merkle prove --slice 0,5 {file}"));
    assert_eq!(proof("version").code, Some(0));
    assert_eq!(proof("/proc/version"), proof("version"));
}

#[test]
fn what_is_no_slice_is_told() {
    let (dir, digest) = directory();
    for (line, message) in [
        (
            "--slice 99999,2 file",
            "file: no slice of 2 bytes from byte 99999 on",
        ),
        ("--slice 5 file", "OFFSET,BYTES: two numbers"),
        (
            "--slice 18446744073709551615,1 file",
            "OFFSET,BYTES: two numbers",
        ),
        ("-a blake2b --slice 5,1 file", "--slice is for blake3"),
        (
            "-l 128 --slice 5,1 file",
            "--slice is for digests of 256 bits",
        ),
        ("--slice 5,1 absent", "absent: No such file"),
        ("file", "missing argument: --index"),
    ] {
        is(&run(&dir, &format!("merkle prove {line}")), 1, "", message);
    }
    let line = format!(
        "merkle verify --root {} --slice 0,0 file file",
        &digest[..8]
    );
    is(&run(&dir, &line), 1, "", "BLAKE3's digest has 256 bits");
    let line = format!("merkle verify --root {digest} --slice 0,0 -");
    let message = "standard input cannot be both proof and slice";
    is(&run(&dir, &line), 1, "", message);
}

#[test]
#[cfg_attr(windows, ignore = "it reads /proc")]
fn a_file_that_becomes_shorter_is_told() {
    let (dir, _) = directory();
    let words = ["merkle", "prove", "--slice", "5,1", "long"];
    let message = "long: file was truncated while it was read";
    is(&finalist_on_truncated(&dir, &words), 1, "", message);
}

/// The members of one kind of proof mean nothing in another.
#[test]
fn a_proof_of_another_kind_is_named() {
    let (dir, _) = directory();
    let kinds = [
        (
            "finalist-merkle-inclusion-1",
            "merkle verify --leaves 1 --index 0",
        ),
        (
            "finalist-merkle-consistency-1",
            "merkle consistency --old-root 00 --old-leaves 1 --leaves 1 --verify",
        ),
        ("finalist-blake3-slice-1", "merkle verify --slice 0,1"),
        ("finalist-manifest-proof-2", "manifest prove --verify"),
    ];
    for (own, line) in kinds {
        for (other, _) in kinds.iter().filter(|(other, _)| *other != own) {
            let member = "\"member\": 1";
            write(
                &dir,
                "proof",
                format!("{{{member}, \"format\": \"{other}\"}}"),
            );
            let root = "00".repeat(32);
            let words = format!("{line} proof --root {root}");
            let done = finalist(dir.path(), &words.split(' ').collect::<Vec<_>>());
            let text = format!("finalist: proof: not a proof of the format '{own}': '{other}'\n");
            assert_eq!(
                (done.code, done.stderr),
                (Some(1), Text(text.into())),
                "{line}"
            );
        }
    }
}
