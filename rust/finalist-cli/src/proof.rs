// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merkle proofs as files: one JSON object, described in docs/proof-format.md.

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, about, reason};
use crate::files::is_stdin;
use crate::platform::{bytes_of, open};
use crate::stdio::stdin;

/// A proof has at most 65 hashes of 64 bytes; what is longer than this is something else.
const FILE_BYTES_MAX: u64 = 64 * 1024;

pub const INCLUSION: &str = "finalist-merkle-inclusion-1";
pub const CONSISTENCY: &str = "finalist-merkle-consistency-1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    pub format: String,
    pub algorithm: String,
    pub digest_bits: u64,
    /// `None`: each leaf is a file.
    pub chunk_bytes: Option<u64>,
    pub leaf_count: u64,
    /// The leaf that an inclusion proof is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The leaves of a consistency proof's old tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_leaf_count: Option<u64>,
    pub hashes: Vec<Hash>,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hash(#[serde(with = "hex::serde")] pub Vec<u8>);

impl Proof {
    /// Reads a proof of one of the two formats.
    pub fn read(file: &Path, format: &str) -> Result<Proof, Failure> {
        let name = &bytes_of(file);
        let failure = |text: &str| Failure::message(about(name, text));
        let mut text = Vec::new();
        let read = if is_stdin(file) {
            stdin().and_then(|stdin| stdin.take(FILE_BYTES_MAX).read_to_end(&mut text))
        } else {
            open(file).and_then(|file| file.take(FILE_BYTES_MAX).read_to_end(&mut text))
        };
        read.map_err(|error| failure(&reason(&error)))?;
        let proof: Proof = serde_json::from_slice(&text)
            .map_err(|error| failure(&format!("not a proof: {error}")))?;
        if proof.format != format {
            let text = format!("not a proof of the format '{format}': '{}'", proof.format);
            return Err(failure(&text));
        }
        if proof.digest_bits == 0 || proof.digest_bits % 8 != 0 {
            return Err(failure(
                "not a proof: 'digest_bits' is not a multiple of 8 above 0",
            ));
        }
        let (place, other) = match format {
            INCLUSION => (proof.index, proof.old_leaf_count),
            _ => (proof.old_leaf_count, proof.index),
        };
        if place.is_none() || other.is_some() {
            let text = "not a proof: 'index' belongs to inclusion, 'old_leaf_count' to consistency";
            return Err(failure(text));
        }
        Ok(proof)
    }

    /// The hashes one after the other, as the library takes them. A hash of another length than
    /// the rest makes a proof that leads nowhere.
    pub fn nodes(&self, hash_bytes: usize) -> Option<Vec<u8>> {
        let whole = self
            .hashes
            .iter()
            .all(|Hash(hash)| hash.len() == hash_bytes);
        whole.then(|| {
            self.hashes
                .iter()
                .flat_map(|Hash(hash)| hash.clone())
                .collect()
        })
    }
}
