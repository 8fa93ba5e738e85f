// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes results as JSON: one object a line, so that a reader need not wait for the last one.

use std::str;

use clap::ArgMatches;
use finalist::Algorithm;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The name of a file as a member, or its bytes as `MEMBER_hex` if it is not UTF-8.
pub struct Name<'a> {
    pub member: &'static str,
    pub bytes: &'a [u8],
}

impl Serialize for Name<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match str::from_utf8(self.bytes) {
            Ok(text) => map.serialize_entry(self.member, text)?,
            Err(_) => {
                map.serialize_entry(&format!("{}_hex", self.member), &hex::encode(self.bytes))?;
            }
        }
        map.end()
    }
}

#[derive(Serialize)]
struct NamedResult<'a, T> {
    #[serde(flatten)]
    file: Option<Name<'a>>,
    #[serde(flatten)]
    result: T,
}

/// A result of `sum`.
#[derive(Serialize)]
pub struct Sum {
    algorithm: &'static str,
    digest_bits: u64,
    digest: String,
}

impl Sum {
    pub fn new(algorithm: Algorithm, digest: &[u8]) -> Sum {
        Sum {
            algorithm: algorithm.name(),
            digest_bits: digest.len() as u64 * 8,
            digest: hex::encode(digest),
        }
    }
}

/// A result of `check`: `ok`, `failed`, or `unreadable` with the reason.
#[derive(Serialize)]
pub struct Checked<'a> {
    #[serde(flatten)]
    pub list: Name<'a>,
    pub result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

/// A result of `merkle root`; without a chunk size the leaves are files.
#[derive(Serialize)]
pub struct Root {
    algorithm: &'static str,
    digest_bits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunk_bytes: Option<u64>,
    leaf_count: u64,
    root: String,
}

impl Root {
    pub fn new(
        algorithm: Algorithm,
        chunk_bytes: Option<u64>,
        leaf_count: u64,
        root: &[u8],
    ) -> Root {
        Root {
            algorithm: algorithm.name(),
            digest_bits: root.len() as u64 * 8,
            chunk_bytes,
            leaf_count,
            root: hex::encode(root),
        }
    }
}

/// The result for a proof or a root: `ok`, or `failed` with the reason. Also that of a file without
/// a digest, `unreadable`, and that of a command that an error ended, `error`.
#[derive(Serialize)]
pub struct Verdict<'a> {
    pub result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

impl<'a> Verdict<'a> {
    pub fn new(reason: Option<&'a str>) -> Verdict<'a> {
        let result = if reason.is_none() { "ok" } else { "failed" };
        Verdict { result, reason }
    }

    pub fn unreadable(reason: &'a str) -> Verdict<'a> {
        Verdict {
            result: "unreadable",
            reason: Some(reason),
        }
    }

    pub fn error(reason: &'a str) -> Verdict<'a> {
        Verdict {
            result: "error",
            reason: Some(reason),
        }
    }
}

/// Returns true if the command has the option `--json`.
pub fn is_wanted(mut matches: &ArgMatches) -> bool {
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    matches!(matches.try_get_one("json"), Ok(Some(true)))
}

/// Returns a result as a line, with the file's name if there is one.
pub fn line(name: Option<&[u8]>, result: impl Serialize) -> Vec<u8> {
    let member = "file";
    named(name.map(|bytes| Name { member, bytes }), result)
}

/// Returns a result as a line, with a name.
pub fn named(file: Option<Name<'_>>, result: impl Serialize) -> Vec<u8> {
    let mut line =
        serde_json::to_vec(&NamedResult { file, result }).expect("text and numbers only");
    line.push(b'\n');
    line
}
