// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs each target over its corpus and over mutated inputs, which are the same in every run.

use std::fs;
use std::path::Path;

use finalist_fuzz_parsers::{
    checklists, journals, manifest_lists, manifest_parquet, manifest_proofs, proofs, vectors,
};

const CHANGED_INPUTS: usize = 20_000;

/// Separators, and characters of numbers and names.
const WORDS: &[&[u8]] = &[
    b" ",
    b"\t",
    b"\n",
    b"\r\n",
    b"\\",
    b"(",
    b") = ",
    b"-",
    b"*",
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"0",
    b"-1",
    b"512",
    b"18446744073709551615",
    b"\0",
    b"\xff",
    b"=",
];

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../corpus")
        .join(target);
    let entries = fs::read_dir(&folder).expect("the target has a corpus");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
        .iter()
        .map(|file| fs::read(file).expect("a file"))
        .collect()
}

/// Returns an input of the corpus with up to eight parts removed, inserted, doubled or changed.
fn changed(corpus: &[Vec<u8>], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut input = corpus[random.usize(..corpus.len())].clone();
    for _ in 0..random.usize(1..=8) {
        let at = random.usize(..=input.len());
        let end = at + random.usize(..=(input.len() - at).min(16));
        let piece = match random.u8(..5) {
            0 => Vec::new(),
            1 => WORDS[random.usize(..WORDS.len())].to_vec(),
            2 => input[at..end].repeat(2),
            3 => vec![random.u8(..); end - at],
            _ => {
                let other = &corpus[random.usize(..corpus.len())];
                let from = random.usize(..=other.len());
                other[from..]
                    .iter()
                    .take(random.usize(..64))
                    .copied()
                    .collect()
            }
        };
        input.splice(at..end, piece);
    }
    input
}

fn replay(name: &str, target: fn(&[u8]) -> usize) {
    replay_some(name, target, CHANGED_INPUTS);
}

fn replay_some(name: &str, target: fn(&[u8]) -> usize, changed_inputs: usize) {
    let corpus = corpus(name);
    for input in &corpus {
        assert_ne!(target(input), 0, "{name}: {}", input.escape_ascii());
    }
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..changed_inputs {
        let input = changed(&corpus, &mut random);
        let run = std::panic::catch_unwind(|| target(&input));
        assert!(run.is_ok(), "{name}: {}", input.escape_ascii());
    }
}

#[test]
fn check_lists() {
    replay("checklists", checklists);
}

#[test]
fn test_vectors() {
    replay("vectors", vectors);
}

#[test]
fn merkle_proofs() {
    replay("proofs", proofs);
}

#[test]
fn manifests_as_lists() {
    replay("manifest_lists", manifest_lists);
}

#[test]
fn manifests_as_parquet() {
    replay("manifest_parquet", manifest_parquet);
}

#[test]
fn proofs_of_rows() {
    replay("manifest_proofs", manifest_proofs);
}

#[test]
fn journals_of_runs() {
    // Fewer, since each is written to a file.
    replay_some("journals", journals, CHANGED_INPUTS / 20);
}
