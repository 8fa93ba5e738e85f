// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist manifest prove`: exact proofs in manifests of every shape, and damaged proofs.

mod common;

use std::fs;
use std::path::Path;

use common::manifests::{LEAF, LIST, fixture, gives, manifest, manifest_with, prints};
use common::{Text, run_with, write};
use tempfile::TempDir;

const PROOF: &str = r#"{
  "format": "finalist-manifest-proof-2",
  "algorithm": "blake2b",
  "digest_bits": 64,
  "keyed": false,
  "salt": "",
  "personal": "",
  "leaf_count": 4,
  "index": 1,
  "row": {
    "path": "612f62",
    "size": 0,
    "digest": "e4a6a0577479b2b4",
    "status": "ok"
  },
  "hashes": [
    "81c7abed7c02630c",
    "243b3654d27552ad"
  ]
}
"#;

/// The root of the page's list, with this directory's name.
const ROOT: &str = "335572ac023985ea";

/// Returns a directory with the page's list and the proof of its second row.
fn directory() -> TempDir {
    let dir = fixture();
    write(&dir, "M.list", LIST);
    write(&dir, "proof", PROOF);
    dir
}

fn verify(options: &str) -> String {
    format!("prove --verify proof --root {ROOT} {options}")
}

#[test]
fn a_proof_word_for_word() {
    let dir = directory();
    gives(&dir, "prove M.list a/b", 0, PROOF, "");
    let row = "OK, row 1 of 4: ok a/b\n";
    gives(&dir, &verify(""), 0, &format!("proof: {row}"), "");
    gives(&dir, &verify("d/a/b"), 0, &format!("d/a/b: {row}"), "");
    let stdin = manifest_with(&dir, &verify("-"), b"");
    assert_eq!(
        (stdin.code, stdin.stdout),
        (Some(0), Text(format!("-: {row}").into()))
    );
    let line = prints(&dir, "root M.list");
    let words = [
        "manifest",
        "prove",
        "--verify",
        "proof",
        "--root",
        line.trim(),
    ];
    assert_eq!(run_with("finalist", dir.path(), &words, b"").code, Some(0));
    let text = "finalist: b: the manifest has no row for it\n";
    gives(&dir, "prove M.list b", 1, "", text);
}

#[test]
fn what_is_not_proved() {
    let dir = directory();
    let failed =
        |name: &str, text: &str| (format!("{name}: FAILED\n"), format!("finalist: {text}\n"));
    let (out, err) = failed("proof", "the proof does not lead to the root");
    gives(
        &dir,
        &format!("prove --verify proof --root {LEAF}"),
        1,
        &out,
        &err,
    );
    let (out, err) = failed("d/a.c", "the file has 3 bytes, the row 0");
    gives(&dir, &verify("d/a.c"), 1, &out, &err);
    let third = prints(&dir, "prove M.list a.c");
    write(&dir, "proof", third);
    write(&dir, "abd", "abd");
    let (out, err) = failed("abd", "the file's digest is not that of the row");
    gives(&dir, &verify("abd"), 1, &out, &err);
    write(&dir, "proof", prints(&dir, "prove M.list a/gone"));
    gives(
        &dir,
        &verify(""),
        0,
        "proof: OK, row 2 of 4: vanished a/gone\n",
        "",
    );
    let (out, err) = failed("abd", "the row has the status 'vanished', no digest");
    gives(&dir, &verify("abd"), 1, &out, &err);
    gives(
        &dir,
        &verify("gone"),
        1,
        "",
        "finalist: gone: No such file or directory\n",
    );
    let line = "RFC9162-BLAKE2b-64-2 (letters) = 47e9e7568cb28502";
    let words = ["manifest", "prove", "--verify", "proof", "--root", line];
    let done = run_with("finalist", dir.path(), &words, b"");
    let text = "finalist: invalid root: the line is of 'RFC9162-BLAKE2b-64-2'\n\
                finalist: root is hexadecimal digits or a line of \
                'Finalist-BLAKE2b-64-manifest-2'\n";
    assert_eq!((done.code, done.stderr), (Some(1), Text(text.into())));
}

#[test]
fn a_proof_has_at_most_4_mib() {
    let dir = directory();
    let proof = PROOF.trim_end();
    for (bytes, code) in [(4 << 20, 0), ((4 << 20) + 1, 1)] {
        write(&dir, "proof", " ".repeat(bytes - proof.len()) + proof);
        let done = manifest_with(&dir, &verify(""), b"");
        assert_eq!(done.code, Some(code), "{bytes} bytes");
    }
    write(
        &dir,
        "proof",
        proof.to_owned() + &" ".repeat(4 << 20) + "more",
    );
    let done = manifest_with(&dir, &verify(""), b"");
    let text = "finalist: proof: not a proof: it has more than 4194304 bytes\n";
    assert_eq!((done.code, done.stderr), (Some(1), Text(text.into())));
}

/// A proof with any changed member is refused: the root commits to all of them.
#[test]
fn every_change_of_a_proof_is_seen() {
    let dir = directory();
    let no_root = "the proof does not lead to the root";
    let shape = "not a proof: there are 2 hashes, not";
    for (from, to, text) in [
        ("\"leaf_count\": 4", "\"leaf_count\": 3", no_root),
        ("\"leaf_count\": 4", "\"leaf_count\": 2", shape),
        (
            "\"leaf_count\": 4",
            "\"leaf_count\": 18446744073709551615",
            shape,
        ),
        (
            "\"leaf_count\": 4",
            "\"leaf_count\": 1",
            "'index' is 1 and 'leaf_count' 1",
        ),
        (
            "\"index\": 1",
            "\"index\": 9",
            "'index' is 9 and 'leaf_count' 4",
        ),
        ("\"index\": 1", "\"index\": 0", no_root),
        ("\"index\": 1", "\"index\": 2", no_root),
        ("612f62", "612f63", no_root),
        (
            "612f62",
            "612F62",
            "not a proof: a string is not lower-case hexadecimal",
        ),
        (
            "612f62",
            "2f62",
            "not a proof: the row: the path is absolute",
        ),
        ("\"size\": 0", "\"size\": 1", no_root),
        (
            "\"size\": 0",
            "\"size\": null",
            "null in 'size' or 'digest'",
        ),
        ("    \"size\": 0,\n", "", "missing field `size`"),
        (
            "\"ok\"",
            "\"lost\"",
            "'size' or 'digest' of a row that is not 'ok'",
        ),
        ("e4a6", "e4a7", no_root),
        (
            "\"e4a6a0577479b2b4\"",
            "\"e4\"",
            "the digest has 1 byte, not 8",
        ),
        ("81c7", "81c8", no_root),
        ("\"81c7abed7c02630c\",", "", "there is 1 hash, not 2"),
        (
            "\"81c7abed7c02630c\"",
            "\"81\"",
            "a hash has another length than 'digest_bits'",
        ),
        (
            "\"keyed\": false",
            "\"keyed\": true",
            "--key-file is missing",
        ),
        ("\"salt\": \"\"", "\"salt\": \"00\"", no_root),
        ("\"personal\": \"\"", "\"personal\": \"00\"", no_root),
        (
            "\"index\": 1",
            "\"index\": 1, \"index\": 1",
            "duplicate field `index`",
        ),
        (
            "\"index\": 1",
            "\"index\": 1, \"note\": 1",
            "unknown field `note`",
        ),
        (
            "\"index\": 1",
            "\"index\": 1.0",
            "not a proof: invalid type: floating point `1.0`",
        ),
        (
            "proof-2",
            "proof-1",
            "not a proof of the format 'finalist-manifest-proof-2'",
        ),
        ("blake2b", "blake2s", no_root),
    ] {
        let changed = PROOF.replacen(from, to, 1);
        assert_ne!(changed, PROOF, "{from}");
        write(&dir, "proof", changed);
        let done = manifest(&dir, &verify(""));
        let error = String::from_utf8_lossy(&done.stderr.0).into_owned();
        assert_eq!(done.code, Some(1), "{from} -> {to}: {done:?}");
        assert!(error.contains(text), "{from} -> {to}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    for end in 0..PROOF.len() - 1 {
        write(&dir, "proof", &PROOF[..end]);
        let done = manifest(&dir, &verify(""));
        assert_eq!((done.code, done.stdout), (Some(1), Text(vec![])), "{end}");
    }
}

#[test]
fn a_proof_of_a_keyed_manifest_needs_its_key() {
    let dir = fixture();
    write(&dir, "key", "secret");
    let line = prints(
        &dir,
        "create d --key-file key --salt 00ff --personal 0a -o M.parquet",
    );
    let root = line.trim().rsplit(' ').next().expect("a root");
    write(
        &dir,
        "proof",
        prints(&dir, "prove --key-file key M.parquet a.c"),
    );
    let verify = format!("prove --verify proof --root {root} d/a.c");
    let text = "finalist: proof: the proof is of a keyed manifest: --key-file is missing\n";
    gives(&dir, &verify, 1, "", text);
    gives(
        &dir,
        &format!("{verify} --key-file key"),
        0,
        "d/a.c: OK, row 0 of 3: ok a.c\n",
        "",
    );
    write(&dir, "key", "another");
    let text = "finalist: the proof does not lead to the root\n";
    gives(
        &dir,
        &format!("{verify} --key-file key"),
        1,
        "d/a.c: FAILED\n",
        text,
    );
    write(&dir, "proof", PROOF);
    let text = "finalist: proof: the proof is of a manifest without key: --key-file is given\n";
    gives(&dir, &format!("{verify} --key-file key"), 1, "", text);
}

/// Compares every row of trees of all small sizes with Python.
#[test]
#[cfg_attr(windows, ignore = "it runs Python")]
fn proofs_verify_in_trees_of_every_shape() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    fs::create_dir(dir.path().join("d")).expect("a directory is made");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let data = data.to_str().expect("it is text");
    for count in 1..=9_u8 {
        write(&dir, &format!("d/{count}"), "");
        let line = prints(&dir, "create d -a blake2s -o M.parquet");
        let root = line.trim_end().rsplit(' ').next().expect("a root");
        let python = "import hashlib,sys
sys.path.insert(0, sys.argv[1])
from manifest_model import *
hash_ = lambda message: hashlib.blake2s(message).digest()
names = [str(index).encode() for index in range(1, int(sys.argv[2]) + 1)]
leaves = [hash_(b'\\0' + row_message(hash_, name, b'', 'ok')) for name in names]
print(hash_(root_message(hash_, b'blake2s', (False, b'', b''), leaves)).hex())";
        let words = ["-c", python, data, &count.to_string()];
        let expected = run_with("python3", dir.path(), &words, b"");
        assert_eq!(
            expected.stdout,
            format!("{root}\n").as_str(),
            "{expected:?}"
        );
        for index in 1..=count {
            write(
                &dir,
                "proof",
                prints(&dir, &format!("prove M.parquet {index}")),
            );
            let row = format!("proof: OK, row {} of {count}: ok {index}\n", index - 1);
            gives(
                &dir,
                &format!("prove --verify proof --root {root}"),
                0,
                &row,
                "",
            );
        }
    }
}
