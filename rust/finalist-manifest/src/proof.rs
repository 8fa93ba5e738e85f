// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs of rows, as files of one JSON object (docs/format/proofs.md).

use std::ops::Range;
use std::path::Path;

use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, refused};
use crate::header::{Header, lower_hex};
use crate::leaves::Leaves;
use crate::row::{Content, Metadata, NoDigest, OK, Row, Stamp};
use finalist_files::message::counted;
use finalist_files::quote::excerpt;

const FORMAT: &str = "finalist-manifest-proof-2";

/// A proof that a manifest has a row.
pub struct Proof {
    /// Hash function and parameters of the manifest, without the key.
    pub header: Header,
    /// Number of rows of the manifest.
    pub leaf_count: u64,
    /// The row's index, from 0.
    pub index: u64,
    /// The row.
    pub row: Row,
    /// The siblings on the path from the row's leaf to the root.
    pub hashes: Vec<Vec<u8>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    format: String,
    algorithm: String,
    digest_bits: u64,
    keyed: bool,
    salt: Hex,
    personal: Hex,
    leaf_count: u64,
    index: u64,
    row: RowObject,
    hashes: Vec<Hex>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RowObject {
    path: Hex,
    // Without these attributes a missing member would be read as null.
    #[serde(deserialize_with = "Option::deserialize")]
    size: Option<u64>,
    #[serde(deserialize_with = "Option::deserialize")]
    digest: Option<Hex>,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<MetadataObject>,
}

/// Mode and target of a row in a manifest with metadata.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MetadataObject {
    #[serde(deserialize_with = "Option::deserialize")]
    mode: Option<u16>,
    #[serde(deserialize_with = "Option::deserialize")]
    target: Option<Hex>,
}

/// Bytes in lower-case hexadecimal.
struct Hex(Vec<u8>);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        let text = String::deserialize(deserializer)?;
        let error = || de::Error::custom("a string is not lower-case hexadecimal");
        lower_hex(&text).map(Hex).ok_or_else(error)
    }
}

/// Parses the JSON object of a proof of any kind.
///
/// # Errors
/// The text is not such an object, or `format`, which is looked at first, is another one.
pub fn parse_proof<T: DeserializeOwned>(text: &[u8], format: &str) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Kind {
        format: String,
    }
    let complain =
        |error: serde_json::Error| format!("not a proof: {}", excerpt(error.to_string()));
    let kind: Result<Kind, _> = serde_json::from_slice(text);
    match kind.ok().filter(|kind| kind.format != format) {
        Some(kind) => {
            let found = excerpt(kind.format);
            Err(format!("not a proof of the format '{format}': '{found}'"))
        }
        None => serde_json::from_slice(text).map_err(complain),
    }
}

impl Proof {
    /// Returns the text of the proof's file.
    pub fn to_json(&self) -> String {
        let content = self.row.content.as_ref().ok();
        let [algorithm, _, _, _, _] = self.header.pairs().map(|(_, value)| value);
        let object = Object {
            format: FORMAT.to_owned(),
            algorithm,
            digest_bits: self.header.function.digest_bytes * 8,
            keyed: self.header.keyed,
            salt: Hex(self.header.salt.clone()),
            personal: Hex(self.header.personal.clone()),
            leaf_count: self.leaf_count,
            index: self.index,
            row: RowObject {
                path: Hex(self.row.path.clone()),
                size: content.map(|content| content.size),
                digest: content.map(|content| Hex(content.digest.clone())),
                status: self.row.status().to_owned(),
                metadata: self.header.metadata.then(|| MetadataObject {
                    mode: self.row.metadata.mode,
                    target: self.row.metadata.target.clone().map(Hex),
                }),
            },
            hashes: self.hashes.iter().cloned().map(Hex).collect(),
        };
        serde_json::to_string_pretty(&object).expect("text and numbers only")
    }

    /// Parses the text of a proof's file.
    ///
    /// # Errors
    /// The text is not a proof; the error says why.
    pub fn parse(text: &[u8]) -> Result<Proof, String> {
        let object = parse_proof(text, FORMAT)?;
        Proof::of(object).map_err(|text| format!("not a proof: {text}"))
    }

    fn of(object: Object) -> Result<Proof, String> {
        let [bits, keyed] = [object.digest_bits.to_string(), object.keyed.to_string()];
        let [salt, personal] =
            [&object.salt, &object.personal].map(|Hex(bytes)| hex::encode(bytes));
        let header = Header::of_values(object.row.metadata.is_some(), |name| {
            Ok(match name {
                "algorithm" => &object.algorithm,
                "digest_bits" => &bits,
                "keyed" => &keyed,
                "salt" => &salt,
                _ => &personal,
            })
        })?;
        let row = object.row.row()?;
        if let Some(text) = row.complaint(&header) {
            return Err(format!("the row: {text}"));
        }
        let hashes = object.hashes.into_iter().map(|Hex(hash)| hash).collect();
        let proof = Proof {
            header,
            leaf_count: object.leaf_count,
            index: object.index,
            row,
            hashes,
        };
        match proof.complaint() {
            Some(text) => Err(text),
            None => Ok(proof),
        }
    }

    /// Returns a message if the numbers are impossible; `None` if they are not.
    fn complaint(&self) -> Option<String> {
        let (index, leaf_count) = (self.index, self.leaf_count);
        if index >= leaf_count {
            return Some(format!("'index' is {index} and 'leaf_count' {leaf_count}"));
        }
        let digest_bytes = self.header.function.digest_bytes;
        let is_digest = |hash: &Vec<u8>| hash.len() as u64 == digest_bytes;
        if !self.hashes.iter().all(is_digest) {
            return Some("a hash has another length than 'digest_bits'".to_owned());
        }
        let count = siblings(index, 0..leaf_count).len();
        let found = self.hashes.len();
        (found != count).then(|| {
            let are = if found == 1 { "is" } else { "are" };
            let hashes = counted(found, "hash", "hashes");
            format!("there {are} {hashes}, not {count}")
        })
    }

    /// Computes the root from the proof. Compare it with the trusted root of the manifest. `key`:
    /// the manifest's key. `file`: the proof's name, for messages.
    ///
    /// # Errors
    /// The key is missing or unwanted, or the numbers are impossible.
    pub fn verify(&self, file: &Path, key: Option<&[u8]>) -> Result<Vec<u8>, Error> {
        if let Some(text) = self.complaint() {
            return Err(refused(file, text));
        }
        let parameters = self.header.parameters(file, key)?;
        let leaves = Leaves::new(&self.header, &parameters);
        // Blame the proof for parameters that the function does not take.
        let tree = leaves.tree();
        tree.map_err(|error| refused(file, error.to_string()))?;
        self.root(&leaves)
    }

    /// Returns the difference between a file of this length and digest and the row; `None` if
    /// equal.
    pub fn difference(&self, bytes: u64, digest: &[u8]) -> Option<String> {
        match &self.row.content {
            Err(fault) => Some(format!(
                "the row has the status '{}', no digest",
                fault.status()
            )),
            Ok(content) if content.size != bytes => Some(format!(
                "the file has {}, the row {}",
                counted(bytes, "byte", "bytes"),
                content.size
            )),
            Ok(content) if content.digest != digest => {
                Some("the file's digest is not that of the row".to_owned())
            }
            Ok(_) => None,
        }
    }

    /// Computes the root from the proof.
    #[doc(hidden)]
    pub fn root(&self, leaves: &Leaves<'_>) -> Result<Vec<u8>, Error> {
        let mut hash = leaves.hash(std::slice::from_ref(&self.row))?;
        let siblings = siblings(self.index, 0..self.leaf_count);
        for (range, sibling) in siblings.iter().zip(&self.hashes) {
            hash = match range.start > self.index {
                true => leaves.node(&hash, sibling)?,
                false => leaves.node(sibling, &hash)?,
            };
        }
        leaves.root_over(self.leaf_count, &hash)
    }
}

impl RowObject {
    fn row(self) -> Result<Row, String> {
        let Hex(path) = self.path;
        let content = match (&self.status[..], self.size, self.digest) {
            (OK, Some(size), Some(Hex(digest))) => Ok(Content {
                size,
                digest,
                stamp: Stamp::default(),
            }),
            (OK, ..) => return Err("null in 'size' or 'digest' of an 'ok' row".to_owned()),
            (status, None, None) => Err(NoDigest::from_status(status.as_bytes())
                .ok_or_else(|| format!("unknown status '{}'", excerpt(status)))?),
            _ => return Err("'size' or 'digest' of a row that is not 'ok'".to_owned()),
        };
        let metadata = self
            .metadata
            .map_or_else(Metadata::default, |found| Metadata {
                mode: found.mode,
                target: found.target.map(|Hex(target)| target),
            });
        Ok(Row {
            path,
            content,
            metadata,
        })
    }
}

/// Returns the leaf ranges of the siblings of a leaf's path, from the leaf up (RFC 9162, section
/// 2.1.3.1).
pub fn siblings(index: u64, all: Range<u64>) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    let mut at = all;
    while at.end - at.start > 1 {
        // The largest power of two less than the number of leaves.
        let middle = at.start + (1 << (at.end - at.start - 1).ilog2());
        let (inside, sibling) = if index < middle {
            (at.start..middle, middle..at.end)
        } else {
            (middle..at.end, at.start..middle)
        };
        ranges.push(sibling);
        at = inside;
    }
    ranges.reverse();
    ranges
}
