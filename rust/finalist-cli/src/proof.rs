// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merkle proofs as files: one JSON object, described in docs/format/proofs.md.

use serde::{Deserialize, Serialize};

use finalist_manifest::parse_proof;

pub const INCLUSION: &str = "finalist-merkle-inclusion-1";
pub const CONSISTENCY: &str = "finalist-merkle-consistency-1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    pub format: String,
    pub algorithm: String,
    pub digest_bits: u64,
    /// The bytes of a chunk; `None`: each leaf is a file. Without the attribute a missing member
    /// would be read as null.
    #[serde(deserialize_with = "Option::deserialize")]
    pub chunk_bytes: Option<u64>,
    pub leaf_count: u64,
    /// The leaf of an inclusion proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The number of leaves of a consistency proof's old tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_leaf_count: Option<u64>,
    pub hashes: Vec<Hash>,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hash(#[serde(with = "hex::serde")] pub Vec<u8>);

impl Proof {
    /// Parses a proof of one of the two formats from the text of its file.
    ///
    /// # Errors
    /// The text is not such a proof; the error says why.
    pub fn parse(text: &[u8], format: &str) -> Result<Proof, String> {
        let proof: Proof = parse_proof(text, format)?;
        if proof.digest_bits == 0 || proof.digest_bits % 8 != 0 {
            return Err("not a proof: 'digest_bits' is not a multiple of 8 above 0".into());
        }
        let (place, other) = match format {
            INCLUSION => (proof.index, proof.old_leaf_count),
            _ => (proof.old_leaf_count, proof.index),
        };
        if place.is_none() || other.is_some() {
            let text = "not a proof: 'index' belongs to inclusion, 'old_leaf_count' to consistency";
            return Err(text.into());
        }
        Ok(proof)
    }

    /// Returns the concatenated hashes, which the library takes. A hash of another length than the
    /// rest makes the proof invalid.
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
