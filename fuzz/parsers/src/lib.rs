// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entry points for fuzzers: the parsers of the crates and of the tool, and the properties of every
//! input that they accept. A panic is a finding, too. Each target returns the number of items accepted.

mod manifests;
#[path = "../../../rust/finalist-cli/src/proof.rs"]
mod proof;

use ::finalist::Algorithm;
use finalist_bench::vectors::Vector;
use finalist_files::checklist::{Entry, Parser, read_line, tagged_line};
use finalist_files::tag;

use proof::{CONSISTENCY, INCLUSION, Proof};

pub use manifests::{journals, manifest_lists, manifest_parquet, manifest_proofs};

/// Parses each line of a check list: of any algorithm, of BLAKE2b alone and of Grøstl alone.
pub fn checklists(list: &[u8]) -> usize {
    let mut accepted = 0;
    for only in [None, Some(Algorithm::Blake2b), Some(Algorithm::Groestl256)] {
        let parser = Parser::new(only);
        let (mut rest, mut line, mut lines) = (list, Vec::new(), 0);
        while read_line(&mut rest, &mut line).expect("memory can be read") {
            lines += 1;
            if let Some(entry) = parser.parse(&line) {
                check_entry(&parser, only, &entry);
                accepted += 1;
            }
            let _ = parser.last_title();
        }
        assert_eq!(lines, list.split_inclusive(|&byte| byte == b'\n').count());
    }
    accepted
}

/// Checks an entry's digest length, and that the entry reads the same as a tagged line.
fn check_entry(parser: &Parser, only: Option<Algorithm>, entry: &Entry) {
    let info = entry.algorithm.info();
    let digest_bytes = entry.digest.len() as u64;
    assert!((info.digest_bytes_min..=info.digest_bytes_max).contains(&digest_bytes));
    assert!(only.is_none_or(|only| only == entry.algorithm));
    assert!(!entry.name.contains(&0));
    let tag = match entry.chunk_bytes {
        Some(chunk_bytes) => tag::root_tag(&info, digest_bytes, chunk_bytes),
        None => tag::tag(&info, digest_bytes),
    };
    let line = tagged_line(&tag, &entry.name, &entry.digest);
    let again = parser.parse(&line).map(|parsed| {
        assert!(parsed.is_tagged);
        Entry {
            is_tagged: entry.is_tagged,
            ..parsed
        }
    });
    assert_eq!(again.as_ref(), Some(entry));
}

/// Parses each line of a file of test vectors.
pub fn vectors(file: &[u8]) -> usize {
    let mut accepted = 0;
    for line in file.split(|&byte| byte == b'\n') {
        match Vector::parse(line) {
            Ok(vector) => {
                accepted += 1;
                let _ = vector.params();
                assert_ne!(vector.digest_bytes(), 0);
                assert!(!vector.compression().is_empty());
            }
            Err(text) => assert!(!text.is_empty()),
        }
    }
    accepted
}

/// Parses a file with a proof.
pub fn proofs(text: &[u8]) -> usize {
    let mut accepted = 0;
    for format in [INCLUSION, CONSISTENCY] {
        match Proof::parse(text, format) {
            Ok(proof) => {
                accepted += 1;
                let nodes = proof.nodes(32);
                assert!(nodes.is_none_or(|nodes| nodes.len() == 32 * proof.hashes.len()));
                let again = serde_json::to_vec(&proof).expect("a proof can be written");
                assert!(Proof::parse(&again, format).is_ok());
            }
            Err(text) => assert!(!text.is_empty()),
        }
    }
    accepted
}
