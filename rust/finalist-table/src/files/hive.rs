// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns in the paths of files: `NAME=VALUE`, written by Hive.

use std::path::Path;

use super::TableError;
use crate::{Encoding, Version};

/// The text of a null.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// A column with the encoded value of each file.
pub struct Partition {
    pub name: String,
    pub type_name: &'static str,
    pub values: Vec<Vec<u8>>,
}

/// Returns the columns in the paths of files below a directory. As in Arrow, their values are int32
/// if all of them are such numbers, else strings.
pub fn partitions(directory: &Path, files: &[&Path]) -> Result<Vec<Partition>, TableError> {
    let found: Vec<_> = files.iter().map(|file| pairs(directory, file)).collect();
    let Some(first) = found.first() else {
        return Ok(Vec::new());
    };
    let mut columns = Vec::new();
    for (place, (name, _)) in first.iter().enumerate() {
        let mut values = Vec::new();
        for (pairs, file) in found.iter().zip(files) {
            match pairs.get(place) {
                Some((other, value)) if other == name && pairs.len() == first.len() => {
                    values.push((value != NULL).then_some(value));
                }
                _ => return Err(TableError::new(file, OTHERS)),
            }
        }
        let is_number = |value: &&String| value.parse::<i32>().is_ok();
        let are_numbers = values.iter().flatten().all(is_number);
        let encode = |value: Option<&String>| {
            let mut out = Vec::new();
            let row = Encoding {
                version: Version::Nested,
                by_value: false,
            }
            .resume(&mut out);
            match value {
                None => row.null(),
                Some(value) if are_numbers => row.signed_64(value.parse().unwrap_or_default()),
                Some(value) => row.string(value),
            };
            out
        };
        columns.push(Partition {
            name: name.clone(),
            type_name: if are_numbers { "int32" } else { "string" },
            values: values.into_iter().map(encode).collect(),
        });
    }
    let is_plain = first.is_empty();
    if let Some(place) = found.iter().position(|pairs| pairs.is_empty() != is_plain) {
        return Err(TableError::new(files[place], OTHERS));
    }
    Ok(columns)
}

const OTHERS: &str = "its path has other partitions than that of the first file";

/// Returns names and values in a file's path.
fn pairs(directory: &Path, file: &Path) -> Vec<(String, String)> {
    let below = file.strip_prefix(directory).unwrap_or(file);
    let parts = below.parent().into_iter().flat_map(Path::components);
    parts
        .filter_map(|part| {
            let part = part.as_os_str().to_string_lossy().into_owned();
            let (name, value) = part.split_once('=')?;
            Some((decoded(name), decoded(value)))
        })
        .collect()
}

/// Decodes text in which `%` and two digits represent a byte.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, more @ ..] = rest {
        let digits = more.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
