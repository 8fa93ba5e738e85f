// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests BLAKE2X digests of any length: computed and written in bounded memory, in lists up to a
//! limit.

// A shell limits the memory, and names are any bytes.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;

use common::{Done, NAMES, Text, finalist, fixture, os, run_with, write};
use tempfile::TempDir;

/// The maximum memory, in addition to the memory for a short digest.
const MEMORY_KIB: u64 = 96 << 10;

/// Runs the tool with a limit on its address space, most of which threads take.
fn limited(dir: &Path, line: &str) -> Done {
    let tool = env!("CARGO_BIN_EXE_finalist");
    let line = format!("ulimit -v {MEMORY_KIB} && exec {tool} {line}");
    run_with("sh", dir, &["-c", &line], b"")
}

fn directory() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    write(&dir, "file", "message");
    dir
}

#[test]
fn long_digests_take_bounded_memory() {
    const BITS: u64 = 64 << 23;
    let dir = directory();
    let sum = format!("sum -a blake2xb -l {BITS} --raw file > digest");
    let summed = limited(dir.path(), &sum);
    assert_eq!((summed.code, summed.stderr), (Some(0), Text(Vec::new())));
    let digest = fs::metadata(dir.path().join("digest")).expect("it was written");
    assert_eq!(digest.len(), BITS / 8);
}

#[test]
fn lists_have_digests_of_up_to_64_kib() {
    let dir = directory();
    let longest = (64_u64 << 10) * 8;
    let sum =
        |bits: u64, style: &str| words(&dir, &format!("sum -a blake2xb -l {bits} {style} file a"));
    for style in ["", "--tag", "--base64", "--json", "--no-names", "-z"] {
        let refused = sum(longest + 8, style);
        let text = "finalist: digests of more than 64 KiB are written with --raw only\n\
                    Try 'finalist sum --help' for more information.\n";
        assert_eq!(refused.stderr, Text(text.into()), "{style}");
        assert_eq!(refused.code, Some(1));
    }
    // A line that no option writes is improper.
    let raw = limited(dir.path(), "sum -a blake2xb -l 524296 --raw file")
        .stdout
        .0;
    let line = [hex::encode(&raw).as_bytes(), b"  file\n"].concat();
    let done = run_with("finalist", dir.path(), &["check", "-wa", "blake2xb"], &line);
    let text = "finalist: 'standard input': 1: improperly formatted BLAKE2Xb checksum line\n\
                finalist: 'standard input': no properly formatted checksum lines found\n";
    assert_eq!((done.code, done.stderr), (Some(1), Text(text.into())));
}

#[test]
fn the_limit_is_one() {
    // A program that keeps such a digest in memory fails.
    let dir = directory();
    let python = format!("ulimit -v {MEMORY_KIB} && exec python3 -c 'bytes(1 << 27)'");
    let done = run_with("sh", dir.path(), &["-c", &python], b"");
    assert_ne!(done.code, Some(0));
}

#[test]
fn a_long_digest_begins_at_its_position() {
    let dir = fixture();
    let raw = |bytes: usize, seek: usize| {
        let bits = 8 * bytes;
        let line = format!("sum -a blake3 -l {bits} --raw --seek {seek} a");
        words(&dir, &line).stdout.0
    };
    let whole = raw(200_000, 0);
    assert_eq!(whole.len(), 200_000);
    assert!(raw(100_000, 12_345) == whole[12_345..112_345]);
}

/// Lengths around those of nodes and of the longest digest.
const BYTES: [u64; 6] = [4096, 4097, 32_769, 49_152, 65_535, 65_536];

#[test]
fn digests_of_all_lengths_in_all_styles() {
    let dir = fixture();
    for bytes in BYTES {
        let bits = bytes * 8;
        let raw = words(&dir, &format!("sum -a blake2xb -l {bits} --raw a"))
            .stdout
            .0;
        assert_eq!(raw.len() as u64, bytes);
        for style in ["", "-b", "--tag", "--base64", "--tag --base64"] {
            let sums = words(&dir, &format!("sum -a blake2xb -l {bits} {style}"));
            assert_eq!((sums.code, &sums.stderr), (Some(0), &Text(Vec::new())));
            write(&dir, "list", &sums.stdout.0);
            let checked = finalist(dir.path(), &["check", "-a", "blake2xb", "--strict", "list"]);
            let ok = checked.stdout.0.windows(4).filter(|text| text == b": OK");
            assert_eq!(ok.count(), NAMES.len(), "{style} {bytes}: {checked:?}");
            assert_eq!((checked.code, checked.stderr), (Some(0), Text(Vec::new())));
        }
        let hex = words(&dir, &format!("sum -a blake2xb -l {bits} --zero"));
        let lines: Vec<_> = hex.stdout.0.split(|&byte| byte == 0).collect();
        assert_eq!(lines.len(), NAMES.len() + 1);
        let line = [hex::encode(&raw).as_bytes(), b"  a"].concat();
        assert_eq!(Text(lines[1].to_vec()), Text(line));
        let json = finalist(
            dir.path(),
            &[
                "sum",
                "-a",
                "blake2xb",
                "-l",
                &bits.to_string(),
                "--json",
                "a",
            ],
        );
        let json: serde_json::Value = serde_json::from_slice(&json.stdout.0).expect("it is JSON");
        assert_eq!(json["digest"], hex::encode(&raw));
        assert_eq!(json["digest_bits"], bits);
    }
}

/// Runs the tool on all files of the fixture.
fn words(dir: &TempDir, line: &str) -> Done {
    let mut args: Vec<_> = line
        .split_whitespace()
        .map(|word| os(word.as_bytes()))
        .collect();
    if !line.ends_with(" a") {
        args.extend(NAMES.iter().map(|name| os(name)));
    }
    finalist(dir.path(), &args)
}

#[test]
fn what_is_wrong_with_a_long_digest_is_seen() {
    let dir = directory();
    let sum = |style: &[&str]| {
        let args = [&["sum", "-a", "blake2xb", "-l", "400000"], style, &["file"]].concat();
        finalist(dir.path(), &args).stdout.0
    };
    let check = |line: &[u8], code: i32, stdout: &str, stderr: &str| {
        let done = run_with("finalist", dir.path(), &["check", "-wa", "blake2xb"], line);
        assert_eq!(done.code, Some(code), "{done:?}");
        assert_eq!(
            (done.stdout, done.stderr),
            (Text(stdout.into()), Text(stderr.into()))
        );
    };
    let improper = "finalist: 'standard input': 1: improperly formatted BLAKE2Xb checksum line\n\
        finalist: 'standard input': no properly formatted checksum lines found\n";
    let mismatch = "finalist: WARNING: 1 computed checksum did NOT match\n";
    for style in [&[][..], &["--tag"], &["--base64"], &["--tag", "--base64"]] {
        let line = sum(style);
        check(&line, 0, "file: OK\n", "");
        let crlf = [&line[..line.len() - 1], b"\r\n"].concat();
        check(&crlf, 0, "file: OK\n", "");
        let start = line
            .iter()
            .rposition(|&byte| byte == b'(')
            .map_or(0, |at| at + b"(file) = ".len());
        // In base64, the last of the four digits for a byte are padding.
        let (digits, last) = match style.contains(&"--base64") {
            true => (66_668, 4),
            false => (100_000, 1),
        };
        let end = start + digits;
        for at in [start, start + 49_999, end - last] {
            let mut other = line.clone();
            other[at] = if other[at] == b'0' { b'1' } else { b'0' };
            check(&other, 1, "file: FAILED\n", mismatch);
            other[at] = b'!';
            check(&other, 1, "", improper);
        }
        // Digits are missing, or there are too many, or some follow padding.
        let without = |count| [&line[..end - count], &line[end..]].concat();
        check(&without(1), 1, "", improper);
        if style.contains(&"--tag") {
            check(&without(4), 1, "", improper);
        }
        for at in [start + 4, start + 49_996] {
            let mut padded = line.clone();
            padded[at..at + 4].copy_from_slice(b"aaa=");
            check(&padded, 1, "", improper);
        }
    }
    // Two bytes less make another digest, of another length.
    let hex = sum(&[]);
    check(&hex[4..], 1, "file: FAILED\n", mismatch);
}
