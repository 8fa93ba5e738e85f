// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist merkle`: roots against trees from Python's hashlib, exact proofs, and damaged
//! proofs.

mod common;

use std::fs;
use std::process::Command;

use common::merkle::{LEAVES, OLD_ROOT, OPTIONS, ROOT, directory, done, succeeds, tree};
use common::{Text, finalist, finalist_on_truncated, run_with, write};
use tempfile::TempDir;

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/tree_model.py");

/// `tree` is an alias until 0.2.
#[test]
fn the_command_is_also_called_tree() {
    let dir = directory();
    let root = |command| succeeds(finalist(dir.path(), &[command, "root", "letters"]));
    assert_eq!(root("tree"), root("merkle"));
}

fn root_by_python(dir: &TempDir, chunk: u64, digest_bytes: u64, name: &str) -> String {
    let (chunk, digest_bytes) = (chunk.to_string(), digest_bytes.to_string());
    let output = Command::new("python3")
        .current_dir(dir.path())
        .args([MODEL, "--root", &chunk, &digest_bytes, name])
        .output()
        .expect("python3 runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout)
        .expect("hexadecimal")
        .trim()
        .to_owned()
}

#[test]
#[cfg_attr(windows, ignore = "it runs Python")]
fn roots_are_those_of_python() {
    let dir = TempDir::new().expect("a temporary directory can be made");
    for bytes in [0, 1, 65535, 65536, 65537, (1 << 20) + 5, 5 << 20] {
        let content: Vec<u8> = (0..bytes).map(|index: u32| (index % 251) as u8).collect();
        write(&dir, "file", content);
        let expected = root_by_python(&dir, 65536, 64, "file");
        let expected = format!("RFC9162-BLAKE2b-512-65536 (file) = {expected}\n");
        for jobs in ["-j 1", "-j 2", "-j 3", "-j 7", ""] {
            let root = tree(&dir, &format!("root {jobs} file"));
            assert_eq!(root, done(0, &expected, ""), "{bytes} bytes, {jobs}");
        }
        for chunk in [4097, 100_003, 1 << 22, (1 << 22) + 1] {
            let expected = root_by_python(&dir, chunk, 32, "file");
            let expected = format!("RFC9162-BLAKE2b-256-{chunk} (file) = {expected}\n");
            let root = tree(&dir, &format!("root -l 256 --chunk {chunk} file"));
            assert_eq!(
                root,
                done(0, expected, ""),
                "{bytes} bytes, chunks of {chunk}"
            );
        }
    }
    write(&dir, "file", vec![7; 300]);
    let expected = root_by_python(&dir, 1, 64, "file");
    let expected = format!("RFC9162-BLAKE2b-512-1 (file) = {expected}\n");
    assert_eq!(tree(&dir, "root --chunk 1 file"), done(0, expected, ""));
}

#[test]
fn roots_word_for_word() {
    let dir = directory();
    let line = |name: &str| format!("RFC9162-BLAKE2b-64-2 ({name}) = {ROOT}\n");
    let run = |more: &str| tree(&dir, &format!("root {OPTIONS} {more}"));
    assert_eq!(run("letters"), done(0, line("letters"), ""));
    let args = ["merkle", "root", "-l", "64", "--chunk", "2"];
    let stdin = run_with("finalist", dir.path(), &args, b"abcde");
    assert_eq!(stdin, done(0, line("-"), ""));
    assert_eq!(
        run("empty"),
        done(0, line("empty").replace(ROOT, "e4a6a0577479b2b4"), "")
    );
    let gone = "finalist: gone: No such file or directory\nfinalist: .: Is a directory\n";
    assert_eq!(run("gone . letters"), done(1, line("letters"), gone));
    let files = tree(&dir, "root -l 64 --leaf-files pair empty");
    assert_eq!(files, done(0, "bd19afa68905ec4a\n", ""));
    if cfg!(windows) {
        return; // The system does not support such names.
    }
    write(&dir, "new\\name", "abcde");
    let escaped = format!("\\{}", line("new\\\\name"));
    assert_eq!(run("new\\name"), done(0, escaped, ""));
}

#[test]
fn other_functions_and_keys_are_those_of_sum() {
    let dir = directory();
    let sum = |options: &str| {
        let args: Vec<_> = ["sum"]
            .into_iter()
            .chain(options.split_whitespace())
            .collect();
        let line = succeeds(run_with("finalist", dir.path(), &args, b"\0abcde"));
        let line = String::from_utf8(line).expect("it is text");
        line.split(' ').next().unwrap_or_default().to_owned()
    };
    write(&dir, "key", "secret");
    let salt = "--salt 00112233445566778899aabbccddeeff";
    for (options, tag) in [
        ("-a groestl256", "Groestl-256"),
        ("-a blake512", "BLAKE-512"),
        ("-a blake2bp --key-file key", "BLAKE2bp-512"),
        ("-a blake2xs -l 136 --personal 0011", "BLAKE2Xs-136"),
        (&format!("-a blake256 {salt}"), "BLAKE-256"),
    ] {
        let args = ["merkle", "root"]
            .into_iter()
            .chain(options.split_whitespace());
        let args: Vec<_> = args.collect();
        let root = run_with("finalist", dir.path(), &args, b"abcde");
        let expected = format!("RFC9162-{tag}-65536 (-) = {}\n", sum(options));
        assert_eq!(root, done(0, expected, ""), "{options}");
    }
}

/// Returns the proof of inclusion of a leaf, as `prove` prints it.
fn proof_of(index: usize, hashes: &[&str]) -> String {
    let hashes: Vec<_> = hashes
        .iter()
        .map(|hash| format!("    \"{hash}\""))
        .collect();
    format!(
        "{{\n  \"format\": \"finalist-merkle-inclusion-1\",\n  \"algorithm\": \"blake2b\",\n  \
         \"digest_bits\": 64,\n  \"chunk_bytes\": 2,\n  \"leaf_count\": 3,\n  \"index\": {index},\n  \
         \"hashes\": [\n{}\n  ]\n}}\n",
        hashes.join(",\n")
    )
}

#[test]
fn proofs_word_for_word() {
    let dir = directory();
    let expected = [
        proof_of(0, &[LEAVES[1], LEAVES[2]]),
        proof_of(1, &[LEAVES[0], LEAVES[2]]),
        proof_of(2, &[OLD_ROOT]),
    ];
    for (index, (proof, chunk)) in expected.iter().zip(["ab", "cd", "e"]).enumerate() {
        let printed = tree(&dir, &format!("prove {OPTIONS} --index {index} letters"));
        assert_eq!(printed, done(0, proof, ""));
        write(&dir, "proof", proof);
        write(&dir, "leaf", chunk);
        let numbers = format!("--leaves 3 --index {index}");
        let verified = tree(&dir, &format!("verify --root {ROOT} {numbers} proof leaf"));
        assert_eq!(verified, done(0, "leaf: OK\n", ""));
        let place = index.to_string();
        let line = format!("RFC9162-BLAKE2b-64-2 (letters) = {ROOT}\n");
        let args = [
            "merkle", "verify", "--root", &line, "--leaves", "3", "--index", &place, "proof",
        ];
        let stdin = run_with("finalist", dir.path(), &args, chunk.as_bytes());
        assert_eq!(stdin, done(0, "-: OK\n", ""));
        let hash = LEAVES[index];
        let line =
            format!("verify --root {ROOT} {numbers} --leaf-hash {hash} -a blake2b -l 64 proof");
        assert_eq!(tree(&dir, &line), done(0, "proof: OK\n", ""));
        let failed = "finalist: the proof does not lead to the root\n";
        let verified = tree(
            &dir,
            &format!("verify --root {ROOT} {numbers} proof letters"),
        );
        assert_eq!(verified, done(1, "letters: FAILED\n", failed));
        let verified = tree(
            &dir,
            &format!("verify --root {OLD_ROOT} {numbers} proof leaf"),
        );
        assert_eq!(verified, done(1, "leaf: FAILED\n", failed));
    }
}

#[test]
fn proofs_about_files_and_with_a_key() {
    let dir = directory();
    write(&dir, "key", "secret");
    let files = "--leaf-files pair empty letters";
    let root = succeeds(tree(&dir, &format!("root --key-file key {files}")));
    let root = String::from_utf8(root).expect("hexadecimal");
    let proof = succeeds(tree(
        &dir,
        &format!("prove --index 2 --key-file key {files}"),
    ));
    let text = String::from_utf8(proof.clone()).expect("JSON");
    assert!(text.contains("\"chunk_bytes\": null"), "{text}");
    write(&dir, "proof", proof);
    let verify = |more: &str| {
        tree(
            &dir,
            &format!(
                "verify --root {} --leaves 3 --index 2 proof letters {more}",
                root.trim()
            ),
        )
    };
    assert_eq!(verify("--key-file key"), done(0, "letters: OK\n", ""));
    let failed = "finalist: the proof does not lead to the root\n";
    assert_eq!(verify(""), done(1, "letters: FAILED\n", failed));
}

/// It may be the proof, the leaf or the key, but only one of them.
#[test]
fn standard_input_is_read_for_one_argument() {
    let dir = directory();
    let proof = proof_of(1, &[LEAVES[0], LEAVES[2]]);
    write(&dir, "proof", &proof);
    let run = |line: &str| {
        let args: Vec<_> = line.split(' ').collect();
        run_with("finalist", dir.path(), &args, proof.as_bytes())
    };
    let verify = format!("merkle verify --root {ROOT} --leaves 3 --index 1");
    let leaf_hash = format!("--leaf-hash {}", LEAVES[1]);
    assert_eq!(
        run(&format!("{verify} - chunk")),
        done(0, "chunk: OK\n", "")
    );
    assert_eq!(
        run(&format!("{verify} {leaf_hash} -")),
        done(0, "-: OK\n", "")
    );
    let text = "finalist: -: standard input cannot be both key and message\n";
    for line in [
        format!("{verify} --key-file - - chunk"),
        format!("{verify} --key-file - proof"),
        "merkle root --key-file - letters -".to_owned(),
    ] {
        assert_eq!(run(&line), done(1, "", text), "{line}");
    }
}

#[test]
fn consistency_is_proved_and_verified() {
    let dir = directory();
    for old in 1..=7 {
        write(&dir, "old", &b"abcdefghijklmn"[..2 * old]);
        write(&dir, "log", "abcdefghijklmn");
        let root = |name: &str| {
            let line = succeeds(tree(&dir, &format!("root {OPTIONS} {name}")));
            let line = String::from_utf8(line).expect("it is text");
            line[line.len() - 17..].trim().to_owned()
        };
        let (old_root, root) = (root("old"), root("log"));
        let line = format!("consistency {OPTIONS} --old-leaves {old} log");
        write(&dir, "proof", succeeds(tree(&dir, &line)));
        let verify = |old_root: &str, root: &str| {
            let roots = format!("--old-root {old_root} --root {root}");
            let counts = format!("--old-leaves {old} --leaves 7");
            tree(
                &dir,
                &format!("consistency --verify proof {roots} {counts}"),
            )
        };
        assert_eq!(verify(&old_root, &root), done(0, "proof: OK\n", ""));
        if old_root != root {
            let failed = "finalist: the proof does not lead to the root\n";
            assert_eq!(verify(&root, &root), done(1, "proof: FAILED\n", failed));
            assert_eq!(
                verify(&old_root, &old_root),
                done(1, "proof: FAILED\n", failed)
            );
        }
    }
}

#[test]
fn verdicts_are_json_on_request() {
    let dir = directory();
    write(&dir, "leaf", "b");
    let numbers = "--leaves 3 --index 1";
    write(&dir, "letters", "abc");
    let proof = tree(&dir, "prove --chunk 1 --index 1 letters");
    write(&dir, "proof", succeeds(proof));
    let root = succeeds(tree(&dir, "root --chunk 1 letters"));
    let root = String::from_utf8(root).expect("text");
    let root = root.trim().rsplit(' ').next().expect("a root");
    let verify = |name: &str| {
        let line = format!("verify --json --root {root} {numbers} proof {name}");
        tree(&dir, &line)
    };
    let ok = "{\"file\":\"leaf\",\"result\":\"ok\"}\n";
    assert_eq!(verify("leaf"), done(0, ok, ""));
    let failed = "{\"file\":\"letters\",\"result\":\"failed\",\"reason\":\"the proof does not lead to \
                  the root\"}\n";
    assert_eq!(verify("letters"), done(1, failed, ""));
}

#[test]
fn damaged_proofs_have_one_message() {
    let dir = directory();
    write(&dir, "leaf", "cd");
    let proof = proof_of(1, &[LEAVES[0], LEAVES[2]]);
    let failed = |text: &str| done(1, "leaf: FAILED\n", &format!("finalist: {text}\n"));
    let refused = |text: &str| done(1, "", &format!("finalist: {text}\n"));
    let other = |option: &str, claimed: u64, given: u64| {
        refused(&format!("{option}: the proof says {claimed}, not {given}"))
    };
    let shape = "proof: not a proof: 'index' belongs to inclusion, 'old_leaf_count' to consistency";
    let bits = "proof: not a proof: 'digest_bits' is not a multiple of 8 above 0";
    for (from, to, expected) in [
        ("\"index\": 1", "\"index\": 0", other("--index", 0, 1)),
        ("\"index\": 1", "\"index\": 3", other("--index", 3, 1)),
        ("  \"index\": 1,\n", "", refused(shape)),
        (
            "\"leaf_count\": 3",
            "\"leaf_count\": 5",
            other("--leaves", 5, 3),
        ),
        (
            LEAVES[2],
            "00",
            failed("the proof does not lead to the root"),
        ),
        (
            LEAVES[2],
            LEAVES[1],
            failed("the proof does not lead to the root"),
        ),
        (
            "inclusion-1",
            "inclusion-2",
            refused(
                "proof: not a proof of the format \
          'finalist-merkle-inclusion-1': 'finalist-merkle-inclusion-2'",
            ),
        ),
        ("\"digest_bits\": 64", "\"digest_bits\": 63", refused(bits)),
        ("\"digest_bits\": 64", "\"digest_bits\": 0", refused(bits)),
        (
            "\"digest_bits\": 64",
            "\"digest_bits\": 72",
            refused(&format!(
                "invalid root: '{ROOT}'\nfinalist: the proof's hashes have 72 bits"
            )),
        ),
        (
            "\"digest_bits\": 64",
            "\"digest_bits\": 1024",
            refused("proof: 'digest_bits' is 1024: trees of blake2b have 8 to 512"),
        ),
        (
            "blake2b\",\n  \"digest_bits\": 64",
            "blake2s\",\n  \"digest_bits\": 264",
            refused("proof: 'digest_bits' is 264: trees of blake2s have 8 to 256"),
        ),
        (
            "blake2b",
            "sha256",
            refused("proof: no such algorithm, or the call does not exist for it"),
        ),
    ] {
        assert!(proof.contains(from), "{from}");
        write(&dir, "proof", proof.replace(from, to));
        let verified = tree(
            &dir,
            &format!("verify --root {ROOT} --leaves 3 --index 1 proof leaf"),
        );
        assert_eq!(verified, expected, "{from} -> {to}");
    }
    // Cut anywhere, or with a byte changed, it must not crash or verify.
    for end in 0..proof.len() - 1 {
        write(&dir, "proof", &proof[..end]);
        let verified = tree(
            &dir,
            &format!("verify --root {ROOT} --leaves 3 --index 1 proof leaf"),
        );
        assert_eq!(
            (verified.code, verified.stdout),
            (Some(1), Text(vec![])),
            "{end}"
        );
        assert!(
            verified
                .stderr
                .0
                .starts_with(b"finalist: proof: not a proof: ")
        );
    }
    fs::write(dir.path().join("proof"), [0xff; 200_000]).expect("a file is written");
    let verified = tree(
        &dir,
        &format!("verify --root {ROOT} --leaves 3 --index 1 proof leaf"),
    );
    assert_eq!((verified.code, verified.stdout), (Some(1), Text(vec![])));
    let proof = proof.trim_end();
    for (bytes, code) in [(65536, 0), (65537, 1)] {
        write(&dir, "proof", " ".repeat(bytes - proof.len()) + proof);
        let line = format!("verify --root {ROOT} --leaves 3 --index 1 proof leaf");
        assert_eq!(tree(&dir, &line).code, Some(code), "{bytes} bytes");
    }
    write(
        &dir,
        "proof",
        proof.to_owned() + &" ".repeat(65536) + "more",
    );
    let line = format!("verify --root {ROOT} --leaves 3 --index 1 proof leaf");
    let text = "finalist: proof: not a proof: it has more than 65536 bytes\n";
    assert_eq!(tree(&dir, &line), done(1, "", text));
}

/// The file is read in chunks or as one leaf.
#[test]
#[cfg_attr(windows, ignore = "it reads /proc")]
fn a_file_truncated_while_it_is_read_has_no_root() {
    let message = "finalist: long: file was truncated while it was read\n";
    for args in [
        &["merkle", "root", "--chunk", "1048576", "long"][..],
        &["merkle", "root", "--leaf-files", "long"],
    ] {
        let got = finalist_on_truncated(&directory(), args);
        assert_eq!(got, done(1, "", message), "{args:?}");
    }
}

#[test]
fn misuse_has_one_message() {
    let dir = directory();
    write(&dir, "proof", proof_of(1, &[LEAVES[0], LEAVES[2]]));
    let grown = tree(&dir, "consistency --old-leaves 1 -l 64 --chunk 2 letters");
    write(&dir, "grown", &grown.stdout.0);
    for (line, expected) in [
        (
            "prove --index 3 -l 64 --chunk 2 letters",
            "--index: there is no leaf 3: the tree has 3 leaves\n",
        ),
        (
            "prove --index 1 letters",
            "--index: there is no leaf 1: the tree has 1 leaf, leaf 0\n",
        ),
        (
            "prove --index 0 empty",
            "--index: there is no leaf 0: the tree has 0 leaves\n",
        ),
        ("prove --index 0 gone", "gone: No such file or directory\n"),
        (
            "prove --index 0 --leaf-files letters gone",
            "gone: No such file or directory\n",
        ),
        (
            "consistency --old-leaves 0 letters",
            "--old-leaves: 0 is not from 1 to the tree's number of leaves, 1\n",
        ),
        (
            "consistency --old-leaves 2 letters",
            "--old-leaves: 2 is not from 1 to the tree's number of leaves, 1\n",
        ),
        (
            "consistency --verify proof --old-root 00 --root 00",
            "proof: not a proof of the format 'finalist-merkle-consistency-1': \
          'finalist-merkle-inclusion-1'\n",
        ),
        (
            "consistency --verify grown --old-root xyz --root 00",
            "invalid old root: 'xyz'\nfinalist: old root is not one or more pairs of hexadecimal digits\n",
        ),
        (
            "verify --root xyz proof chunk",
            "invalid root: 'xyz'\nfinalist: root is not one or more pairs of hexadecimal digits\n",
        ),
        (
            "verify --root 00 -a blake2s proof chunk",
            "--algorithm: the proof is of 'blake2b', not of 'blake2s'\n",
        ),
        (
            "verify --root 00 -l 32 proof chunk",
            "--length: the proof is of '64', not of '32'\n",
        ),
        (
            "verify --root 00 -",
            "standard input cannot be both proof and leaf\n",
        ),
        (
            "verify --root 47e9e7568cb28502 --leaves 3 --index 1 proof gone",
            "gone: No such file or directory\n",
        ),
        (
            "root -a blake2xb -l 520 letters",
            "blake2xb: hashes of trees have 8 to 512 bits\n",
        ),
    ] {
        let got = tree(&dir, line);
        assert_eq!(got, done(1, "", &format!("finalist: {expected}")), "{line}");
    }
    for line in [
        "verify --root 47e9e7568cb28502 --index 1 proof chunk",
        "verify --root 47e9e7568cb28502 --leaves 3 proof chunk",
        "prove letters",
        "root --chunk 0 letters",
        "root --chunk 1073741825 letters",
        "prove --index 0 letters chunk",
        "root --chunk 5 --leaf-files letters",
        "consistency letters",
        "verify proof",
        "verify --root 00",
    ] {
        let got = tree(&dir, line);
        let stderr = String::from_utf8(got.stderr.0).expect("text");
        let command = line.split(' ').next().unwrap_or_default();
        let try_help = format!("Try 'finalist merkle {command} --help' for more information.\n");
        assert_eq!((got.code, got.stdout), (Some(1), Text(vec![])), "{line}");
        assert!(
            stderr.starts_with("finalist: ") && stderr.ends_with(&try_help),
            "{stderr}"
        );
        // The lines are the error, for some a suggestion, and a pointer to the help.
        assert!((2..=3).contains(&stderr.lines().count()), "{stderr}");
    }
}
