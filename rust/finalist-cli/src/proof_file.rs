// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the file of a Merkle proof.

use std::io::Read;
use std::path::Path;

use crate::failure::Failure;
use crate::proof::Proof;
use finalist_files::message::{about, reason};
use finalist_files::platform::{bytes_of, open};
use finalist_files::stdin::is_stdin;
use finalist_files::stdin::stdin;

/// A proof has at most 65 hashes of 64 bytes; a longer file is something else.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Reads a proof of one of the two formats.
pub fn read_proof(file: &Path, format: &str) -> Result<Proof, Failure> {
    let text = read_proof_text(file, FILE_BYTES_MAX)?;
    Proof::parse(&text, format).map_err(|text| Failure::message(about(&bytes_of(file), &text)))
}

/// Reads a proof's file of at most this many bytes. What follows them would not be looked at.
pub fn read_proof_text(file: &Path, bytes_max: u64) -> Result<Vec<u8>, Failure> {
    let failure = |text: &str| Failure::message(about(&bytes_of(file), text));
    let mut text = Vec::new();
    let read = if is_stdin(file) {
        stdin().and_then(|stdin| stdin.take(bytes_max + 1).read_to_end(&mut text))
    } else {
        open(file).and_then(|file| file.take(bytes_max + 1).read_to_end(&mut text))
    };
    read.map_err(|error| failure(&reason(&error)))?;
    match text.len() as u64 > bytes_max {
        true => Err(failure(&format!(
            "not a proof: it has more than {bytes_max} bytes"
        ))),
        false => Ok(text),
    }
}
