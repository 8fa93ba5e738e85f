// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of `sum`, `check` and `tree root` as JSON: one object a line, so that a reader need not wait
//! for the last one.

use std::str;

use finalist::Algorithm;
use serde::Serialize;

/// An object's first member: `file`, or the name's bytes as `file_hex` if it is not UTF-8.
#[derive(Serialize)]
enum File<'a> {
    #[serde(rename = "file")]
    Text(&'a str),
    #[serde(rename = "file_hex")]
    Bytes(String),
}

#[derive(Serialize)]
struct Line<'a, T> {
    #[serde(flatten)]
    file: Option<File<'a>>,
    #[serde(flatten)]
    result: T,
}

/// What `sum` found.
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

/// What `check` found: `ok`, `failed`, or `unreadable` and why.
#[derive(Serialize)]
pub struct Checked<'a> {
    pub list: String,
    pub result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

/// What `tree root` found; without the bytes of a chunk the leaves are files.
#[derive(Serialize)]
pub struct Root {
    algorithm: &'static str,
    digest_bits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunk_bytes: Option<u64>,
    root: String,
}

impl Root {
    pub fn new(algorithm: Algorithm, chunk_bytes: Option<u64>, root: &[u8]) -> Root {
        Root {
            algorithm: algorithm.name(),
            digest_bits: root.len() as u64 * 8,
            chunk_bytes,
            root: hex::encode(root),
        }
    }
}

/// A result as a line, with the name of its file if it is of one.
pub fn line(name: Option<&[u8]>, result: impl Serialize) -> Vec<u8> {
    let file = name.map(|name| match str::from_utf8(name) {
        Ok(text) => File::Text(text),
        Err(_) => File::Bytes(hex::encode(name)),
    });
    let mut line = serde_json::to_vec(&Line { file, result }).expect("text and numbers only");
    line.push(b'\n');
    line
}
