// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entry points for fuzzers: the tool's parsers, by their sources, and the properties of all inputs
//! that they
//! accept. A parser that panics is found as well. Each target returns how much was accepted.

#![allow(
    dead_code,
    unused_imports,
    reason = "a parser needs a part of each module"
)]

#[path = "../../../rust/finalist-cli/src/checklist.rs"]
mod checklist;
#[path = "../../../rust/finalist-cli/src/digest.rs"]
mod digest;
#[path = "../../../rust/finalist-cli/src/failure.rs"]
mod failure;
#[path = "../../../rust/finalist-cli/src/files.rs"]
mod files;
#[path = "../../../rust/finalist-cli/src/hash_options.rs"]
mod hash_options;
#[path = "../../../rust/finalist-cli/src/long_line.rs"]
mod long_line;
#[path = "../../../rust/finalist-cli/src/new_file.rs"]
mod new_file;
#[path = "../../../rust/finalist-cli/src/output.rs"]
mod output;
#[path = "../../../rust/finalist-cli/src/platform.rs"]
mod platform;
#[path = "../../../rust/finalist-cli/src/progress.rs"]
mod progress;
#[path = "../../../rust/finalist-cli/src/proof.rs"]
mod proof;
#[path = "../../../rust/finalist-cli/src/quote.rs"]
mod quote;
#[path = "../../../rust/finalist-cli/src/stdio.rs"]
mod stdio;
#[path = "../../../rust/finalist-cli/src/tag.rs"]
mod tag;
#[path = "../../../rust/finalist-cli/src/threads.rs"]
mod threads;
#[path = "../../../rust/finalist-cli/src/value.rs"]
mod value;
#[path = "../../../rust/finalist-cli/src/vectors.rs"]
mod vectors;

#[path = "../../../rust/finalist-cli/src/manifest"]
mod manifest {
    pub mod column_source;
    pub mod columns;
    pub mod contents;
    pub mod encoding;
    pub mod form;
    pub mod header;
    pub mod journal;
    pub mod leaves;
    pub mod list;
    pub mod proof;
    pub mod row;
    pub mod writer;
}
mod manifests;

use ::finalist::Algorithm;

use checklist::{Entry, Parser};
use digest::Expected;
use long_line::Line;
use proof::{CONSISTENCY, INCLUSION, Proof};
use vectors::Vector;

pub use manifests::{journals, manifest_lists, manifest_parquet, manifest_proofs};

/// Each line of a check list, in lists of any algorithm, of BLAKE2b alone and of Grøstl alone.
pub fn checklists(list: &[u8]) -> usize {
    let mut accepted = 0;
    for only in [None, Some(Algorithm::Blake2b), Some(Algorithm::Groestl256)] {
        let parser = Parser::new(only);
        let (mut rest, mut line, mut lines) = (list, Line::default(), 0);
        while line.read(&mut rest).expect("memory can be read") {
            lines += 1;
            if let Some(entry) = parser.parse(&line.text, line.long.take()) {
                check_entry(&parser, only, &entry);
                accepted += 1;
            }
            let _ = parser.last_title();
        }
        assert_eq!(lines, list.split_inclusive(|&byte| byte == b'\n').count());
    }
    accepted
}

/// An entry's digest is one of its algorithm, and as a tagged line the entry reads the same, unless its
/// digest is too long to be held.
fn check_entry(parser: &Parser, only: Option<Algorithm>, entry: &Entry) {
    let info = entry.algorithm.info();
    let digest_bytes = entry.digest.digest_bytes();
    assert!((info.digest_bytes_min..=info.digest_bytes_max).contains(&digest_bytes));
    assert!(only.is_none_or(|only| only == entry.algorithm));
    assert!(!entry.name.contains(&0));
    let tag = match entry.chunk_bytes {
        Some(chunk_bytes) => tag::root_tag(&info, digest_bytes, chunk_bytes),
        None => tag::tag(&info, digest_bytes),
    };
    let Expected::Held(digest) = &entry.digest else {
        return;
    };
    let mut line = Vec::new();
    let mut name = Vec::new();
    for &byte in &entry.name {
        match byte {
            b'\\' => name.extend(b"\\\\"),
            b'\n' => name.extend(b"\\n"),
            b'\r' => name.extend(b"\\r"),
            _ => name.push(byte),
        }
    }
    if name != entry.name {
        line.push(b'\\');
    }
    line.extend(format!("{tag} (").bytes());
    line.extend(&name);
    line.extend(format!(") = {}", hex::encode(digest)).bytes());
    let again = parser.parse(&line, None).map(|parsed| {
        assert!(parsed.is_tagged);
        Entry {
            is_tagged: entry.is_tagged,
            ..parsed
        }
    });
    assert_eq!(again.as_ref(), Some(entry));
}

/// Each line of a file of test vectors.
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

/// A file with a proof.
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
