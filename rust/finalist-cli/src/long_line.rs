// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of checksum lists, read in bounded memory however long their digests are.
//!
//! The digits of a long digest become a fingerprint as they are read. In the line that is left a NUL
//! stands for them, which is no digest otherwise.

use std::io::{self, BufRead, ErrorKind, Read};

use base64::Engine;

use crate::checklist::{BASE64, end_line, read_rest, trim_blanks};
use crate::digest::{Fingerprint, FingerprintHasher};

/// Longer lines may hold digests that are not read into memory as a whole.
const HEAD_BYTES: usize = 64 << 10;
/// Digits are decoded so many at a time: a multiple of base64's four.
const DIGITS_AT_ONCE: usize = 64 << 10;

/// A line without its end.
#[derive(Default)]
pub struct Line {
    pub text: Vec<u8>,
    /// The digest that a NUL in the text stands for.
    pub long: Option<Fingerprint>,
}

impl Line {
    /// Reads the next line; whether there is one.
    pub fn read(&mut self, list: &mut impl BufRead) -> io::Result<bool> {
        self.text.clear();
        self.long = None;
        let mut head = Read::take(&mut *list, HEAD_BYTES as u64);
        if head.read_until(b'\n', &mut self.text)? == 0 {
            return Ok(false);
        }
        if self.text.len() == HEAD_BYTES && !self.text.ends_with(b"\n") {
            if let Some(start) = digits_start(&self.text) {
                self.read_digits(list, start)?;
            }
            read_rest(list, &mut self.text)?;
        }
        end_line(list, &mut self.text)?;
        Ok(true)
    }

    /// Replaces the digits that start there and go on in the list.
    fn read_digits(&mut self, list: &mut impl BufRead, start: usize) -> io::Result<()> {
        let mut digits = Digits::new(&self.text[start..]);
        self.text.truncate(start);
        self.text.push(0);
        loop {
            let buffer = match list.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            let count = count_digits(buffer);
            let ended = count < buffer.len() || buffer.is_empty();
            digits.take(&buffer[..count]);
            list.consume(count);
            if ended {
                self.long = digits.finish();
                return Ok(());
            }
        }
    }
}

/// Where the digits start that the head of a line ends with, if a digest may stand there: at the
/// start, or after a tag's `) =`.
fn digits_start(head: &[u8]) -> Option<usize> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let start = head.iter().rposition(|byte| !is_digit(byte));
    let start = start.map_or(0, |last| last + 1);
    let before = &head[..start];
    let untagged = matches!(trim_blanks(before), b"" | b"\\");
    let tagged = || {
        let before = before.trim_ascii_end().strip_suffix(b"=")?;
        before.trim_ascii_end().strip_suffix(b")")
    };
    (start < head.len() && (untagged || tagged().is_some())).then_some(start)
}

/// How many bytes come before the first blank or line end.
fn count_digits(bytes: &[u8]) -> usize {
    const AT_ONCE: usize = 64;
    let ends = |byte: &u8| *byte <= b' ';
    // Without a branch a byte, for which vector instructions are used.
    let mut pieces = bytes.chunks_exact(AT_ONCE);
    let whole = pieces.position(|piece| piece.iter().fold(false, |any, byte| any | ends(byte)));
    let start = whole.unwrap_or(bytes.len() / AT_ONCE) * AT_ONCE;
    let rest = &bytes[start..];
    start + rest.iter().position(ends).unwrap_or(rest.len())
}

/// Digits on their way into a fingerprint.
struct Digits {
    /// In base64 instead of hexadecimal, which the first ones decide: a text in base64 does not start
    /// with thousands of hexadecimal digits.
    base64: bool,
    held: Vec<u8>,
    decoded: Vec<u8>,
    hasher: FingerprintHasher,
    valid: bool,
}

impl Digits {
    fn new(first: &[u8]) -> Digits {
        let mut digits = Digits {
            base64: !first.iter().all(u8::is_ascii_hexdigit),
            held: Vec::with_capacity(DIGITS_AT_ONCE),
            decoded: vec![0; DIGITS_AT_ONCE],
            hasher: FingerprintHasher::default(),
            valid: true,
        };
        digits.take(first);
        digits
    }

    fn take(&mut self, mut digits: &[u8]) {
        while !digits.is_empty() {
            if self.held.len() == DIGITS_AT_ONCE {
                let bytes = self.decode();
                let all = DIGITS_AT_ONCE / if self.base64 { 4 } else { 2 };
                // Fewer: there is padding, but more follows.
                self.valid &= bytes == all * if self.base64 { 3 } else { 1 };
            }
            let count = digits.len().min(DIGITS_AT_ONCE - self.held.len());
            self.held.extend(&digits[..count]);
            digits = &digits[count..];
        }
    }

    /// Decodes what is held; to how many bytes.
    fn decode(&mut self) -> usize {
        let bytes = match self.base64 {
            true => BASE64.decode_slice(&self.held, &mut self.decoded).ok(),
            false => {
                let bytes = self.held.len() / 2;
                let decoded = hex::decode_to_slice(&self.held, &mut self.decoded[..bytes]);
                decoded.ok().map(|()| bytes)
            }
        };
        self.valid &= bytes.is_some();
        let bytes = bytes.unwrap_or(0);
        self.hasher.update(&self.decoded[..bytes]);
        self.held.clear();
        bytes
    }

    fn finish(mut self) -> Option<Fingerprint> {
        self.decode();
        self.valid.then(|| self.hasher.finish())
    }
}
