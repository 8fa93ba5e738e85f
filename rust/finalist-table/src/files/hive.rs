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
    let found = files.iter().map(|file| {
        let text = "a partition in its path is not UTF-8";
        pairs(directory, file).ok_or_else(|| TableError::new(file, text))
    });
    let found = found.collect::<Result<Vec<_>, _>>()?;
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
        let are_numbers = values.iter().flatten().all(|value| number(value).is_some());
        let encode = |value: Option<&String>| {
            let mut out = Vec::new();
            let row = Encoding {
                version: Version::Nested,
                by_value: false,
            }
            .resume(&mut out);
            match value {
                None => row.null(),
                Some(value) if are_numbers => {
                    row.signed_64(number(value).unwrap_or_default().into())
                }
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

/// Returns the number that Arrow reads: without a plus, or up to 32 bits in hexadecimal.
fn number(value: &str) -> Option<i32> {
    let hex = value.strip_prefix("0x").or(value.strip_prefix("0X"));
    if let Some(digits) = hex.filter(|digits| !digits.starts_with('+') && digits.len() <= 8) {
        return u32::from_str_radix(digits, 16).ok().map(|bits| bits as i32);
    }
    value.parse().ok().filter(|_| !value.starts_with('+'))
}

/// Returns names and values in a file's path; `None` if one is not UTF-8.
fn pairs(directory: &Path, file: &Path) -> Option<Vec<(String, String)>> {
    let below = file.strip_prefix(directory).unwrap_or(file);
    let mut pairs = Vec::new();
    for part in below.parent().into_iter().flat_map(Path::components) {
        let part = part.as_os_str().as_encoded_bytes();
        if let Some(at) = part.iter().position(|byte| *byte == b'=') {
            pairs.push((decoded(&part[..at])?, decoded(&part[at + 1..])?));
        }
    }
    Some(pairs)
}

/// Decodes text in which `%` and two digits represent a byte.
fn decoded(text: &[u8]) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let [first, more @ ..] = rest {
        let digits = more.get(..2).filter(|_| *first == b'%');
        let digit = |at: usize| char::from(digits?[at]).to_digit(16);
        match digit(0).zip(digit(1)) {
            Some((high, low)) => {
                bytes.push((high << 4 | low) as u8);
                rest = &more[2..];
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_arrow() {
        for (text, expected) in [
            ("007", Some(7)),
            ("-7", Some(-7)),
            ("2147483647", Some(i32::MAX)),
            ("2147483648", None),
            ("0x1F", Some(31)),
            ("0Xffffffff", Some(-1)),
            ("0x000000001", None),
            ("0x", None),
            ("+7", None),
            ("0x+7", None),
            ("", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn names_and_values_are_decoded() {
        let file = Path::new("d/a%3Db=x%20%/c=/plain/d%20=%41/e=f.parquet");
        let found = pairs(Path::new("d"), file).expect("it is UTF-8");
        let expected = [("a=b", "x %"), ("c", ""), ("d ", "A")];
        assert_eq!(
            found,
            expected.map(|(name, value)| (name.into(), value.into()))
        );
    }

    /// Returns the columns of files in these folders.
    fn partitions_of(folders: [&str; 3]) -> Result<Vec<Partition>, TableError> {
        let files = folders.map(|folder| Path::new("d").join(folder).join("file"));
        let files: Vec<&Path> = files.iter().map(|file| &**file).collect();
        partitions(Path::new("d"), &files)
    }

    #[test]
    fn columns_are_numbers_or_strings_or_null() {
        const NULLS: &str = "a=__HIVE_DEFAULT_PARTITION__";
        let (null, string) = (&[0][..], &[6, 1, 0, 0, 0, 0, 0, 0, 0][..]);
        let (one, two) = (&[2, 1, 0, 0, 0, 0, 0, 0, 0][..], [string, b"2"].concat());
        let (letter, digit) = ([string, b"x"].concat(), [string, b"1"].concat());
        for (folders, type_name, expected) in [
            (["a=1", NULLS, "a=1"], "int32", [one, null, one]),
            (["a=2", "a=x", NULLS], "string", [&two[..], &letter, null]),
            (["a=x", NULLS, "a=1"], "string", [&letter[..], null, &digit]),
        ] {
            let found = partitions_of(folders).expect("columns");
            let [column] = &found[..] else {
                panic!("{} columns", found.len());
            };
            assert_eq!((&*column.name, column.type_name), ("a", type_name));
            assert_eq!(column.values, expected);
        }
    }

    #[test]
    fn files_of_other_partitions_are_refused() {
        assert!(partitions_of(["a=1/b=2", "a=2/b=2", "a=1/b=1"]).is_ok());
        for other in ["b=1", "a=1/b=1", "b=1/a=1", ""] {
            let error = partitions_of(["a=1", "a=2", other])
                .err()
                .expect("an error")
                .0;
            assert!(error.ends_with(OTHERS.as_bytes()), "{other}");
            let names = |error: &[u8], folder: &str| {
                let file = Path::new("d").join(folder).join("file");
                String::from_utf8_lossy(error).contains(&*file.to_string_lossy())
            };
            assert!(names(&error, other), "{other}");
            let error = partitions_of([other, other, "a=1"]).err();
            assert!(names(&error.expect("an error").0, "a=1"), "{other}");
        }
    }
}
