// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads roots on the command line.

use std::ffi::OsStr;
use std::str;

use crate::failure::Failure;
use crate::hash_options::read_hex;
use finalist_files::quote::excerpt;

/// Returns the root in a text: hexadecimal, the line that `root` prints, whose tag must be this one,
/// or a line without a tag. The name in the line does not matter, since files are renamed.
pub fn read_root(text: &OsStr, what: &str, tag: Option<&str>) -> Result<Vec<u8>, Failure> {
    let text = text.as_encoded_bytes().trim_ascii();
    // A comment may precede the line.
    let line = text.rsplit(|&byte| byte == b'\n').next().unwrap_or(text);
    if let Some(digits) = untagged(line) {
        return read_hex(Some(&String::from_utf8_lossy(digits)), what);
    }
    let Some((start, digits)) = split(line) else {
        return read_hex(Some(&String::from_utf8_lossy(line)), what);
    };
    if tag.is_none_or(|tag| start != tag.as_bytes()) {
        let expected = tag.map_or("hexadecimal digits alone".to_owned(), |tag| {
            format!("hexadecimal digits or a line of '{tag}'")
        });
        let start = excerpt(start);
        let text = format!("invalid {what}: the line is of '{start}'\n{what} is {expected}");
        return Err(Failure::message(text));
    }
    read_hex(Some(&String::from_utf8_lossy(digits)), what)
}

/// Returns the digits of a line without a tag: digits, two spaces or a space and `*`, and a name.
fn untagged(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_prefix(b"\\").unwrap_or(line);
    let end = line.iter().position(|byte| !byte.is_ascii_hexdigit())?;
    let (digits, rest) = line.split_at(end);
    let is_line = !digits.is_empty() && (rest.starts_with(b"  ") || rest.starts_with(b" *"));
    is_line.then_some(digits)
}

/// Returns the tag and the digits of a line.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_prefix(b"\\").unwrap_or(line);
    let tag = line.windows(2).position(|pair| pair == b" (")?;
    let name = line.windows(4).rposition(|end| end == b") = ")?;
    Some((&line[..tag], &line[name + 4..]))
}
