// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the lines of checksum lists.
//!
//! It reads `hex  name`, `hex *name`, the reversed `hex name` with one space, and the tagged
//! `BLAKE2b-256 (name) = hex` with or without the spaces. Digests may also be in base64. A
//! backslash at the start means that the name is escaped.

use std::io::{self, BufRead, Read};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use finalist::{Algorithm, AlgorithmInfo};

use crate::digest::{INLINE_BYTES_MAX, append_hexadecimal};
use crate::tag::{is_tagged, read_root_tag, read_tag, stem};

/// A longer line is not a checksum line. The limit bounds the memory for a file without line ends.
pub const LINE_BYTES_MAX: u64 = 16 << 20;

/// Base64 as GNU's tools read it: unused bits of the last digit may have any value.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// One well-formed line.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line's algorithm; for a line without a tag, the algorithm given to the parser.
    pub algorithm: Algorithm,
    /// The digest.
    pub digest: Vec<u8>,
    /// True if the line names its algorithm.
    pub is_tagged: bool,
    /// The file's name.
    pub name: Vec<u8>,
    /// Chunk size, if the digest is the root of a Merkle tree.
    pub chunk_bytes: Option<u64>,
}

/// Reads the lines of one list.
pub struct Parser {
    /// The algorithm whose lines are accepted, tagged or not. `None`: lines with any tag are
    /// accepted; lines without one belong to `untagged`.
    only: Option<AlgorithmInfo>,
    untagged: AlgorithmInfo,
    all: Vec<AlgorithmInfo>,
    /// True if untagged lines have one space; the first of them decides. A mixture is refused: a
    /// name that starts with a space could pass for another file's.
    one_space: OnceLock<bool>,
    /// Index in `all` of the algorithm that the last tag named.
    last: AtomicUsize,
}

impl Parser {
    /// Returns a parser for lines of one algorithm or of all.
    pub fn new(only: Option<Algorithm>) -> Parser {
        let untagged = only.unwrap_or(Algorithm::Blake2b);
        let all: Vec<_> = Algorithm::all().iter().map(|&each| each.info()).collect();
        let place = all.iter().position(|info| info.algorithm == untagged);
        Parser {
            only: only.map(Algorithm::info),
            untagged: untagged.info(),
            all,
            one_space: OnceLock::new(),
            last: AtomicUsize::new(place.unwrap_or(0)),
        }
    }

    /// Returns the title of the algorithm for a message about the last line: the only algorithm, or
    /// that of the last tag.
    pub fn last_title(&self) -> &'static str {
        self.all[self.last.load(Ordering::Relaxed)].title
    }

    /// Notes the algorithm of a tag at the start of a line, whatever the rest of the line.
    fn note_tag(&self, line: &[u8]) {
        let place = |name: fn(&AlgorithmInfo) -> &'static str| {
            let mut all = self.all.iter();
            all.position(|info| is_tagged(line, name(info)))
        };
        let place = place(|info| info.title).or_else(|| place(stem));
        if let (Some(place), None) = (place, &self.only) {
            self.last.store(place, Ordering::Relaxed);
        }
    }

    /// Parses a line without its end. Returns `None` if it is not a checksum line.
    pub fn parse(&self, line: &[u8]) -> Option<Entry> {
        let line = trim_blanks(line);
        let (line, escaped) = match line.strip_prefix(b"\\") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        // All tags start with a capital letter; hexadecimal digests hardly ever do.
        let capital = line.first().is_some_and(u8::is_ascii_uppercase);
        if capital {
            self.note_tag(line);
        }
        let tag = capital.then(|| self.find_tag(line)).flatten();
        let is_tagged = tag.is_some();
        let (algorithm, chunk_bytes, digest, name) = match tag {
            Some(tag) => {
                let (name, digest) = split_tagged(tag.rest)?;
                let digest = decode(digest)?;
                let fits = digest.len() as u64 == tag.digest_bytes;
                fits.then_some((tag.algorithm, tag.chunk_bytes, digest, name))?
            }
            // Such a tag could pass for a digest in base64.
            None if capital && self.has_tag(line) => return None,
            None => {
                let (algorithm, digest, name) = self.split_untagged(line)?;
                (algorithm, None, digest, name)
            }
        };
        let name = if escaped {
            unescape(name)?
        } else {
            name.to_vec()
        };
        (!name.contains(&0)).then_some(Entry {
            algorithm,
            digest,
            is_tagged,
            name,
            chunk_bytes,
        })
    }

    /// Finds the tag at the start of a line.
    fn find_tag<'a>(&self, line: &'a [u8]) -> Option<Tag<'a>> {
        let candidates = self
            .only
            .as_ref()
            .map_or(self.all.as_slice(), std::slice::from_ref);
        candidates.iter().find_map(|info| {
            let (digest_bytes, chunk_bytes, rest) = match read_root_tag(info, line) {
                Some((digest_bytes, chunk, rest)) => (digest_bytes, Some(chunk), rest),
                None => read_tag(info, line).map(|(bytes, rest)| (bytes, None, rest))?,
            };
            let rest = rest.strip_prefix(b" ").unwrap_or(rest);
            Some(Tag {
                algorithm: info.algorithm,
                digest_bytes,
                chunk_bytes,
                rest: rest.strip_prefix(b"(")?,
            })
        })
    }

    /// Returns true if a line starts with the tag of any algorithm and a parenthesis.
    fn has_tag(&self, line: &[u8]) -> bool {
        self.all.iter().any(|info| {
            let rest = read_tag(info, line).map(|(_, rest)| rest);
            rest.is_some_and(|rest| rest.strip_prefix(b" ").unwrap_or(rest).starts_with(b"("))
        })
    }

    fn split_untagged<'a>(&self, line: &'a [u8]) -> Option<(Algorithm, Vec<u8>, &'a [u8])> {
        let end = line.iter().position(|byte| is_blank(*byte))?;
        let (digest, rest) = (decode(&line[..end])?, &line[end + 1..]);
        let info = &self.untagged;
        let range = info.digest_bytes_min..=info.digest_bytes_max;
        if !range.contains(&(digest.len() as u64)) {
            return None;
        }
        let one_space = rest.len() == 1 || !matches!(rest.first(), Some(b' ' | b'*'));
        if one_space && !self.one_space.get_or_init(|| true) {
            return None;
        }
        let reversed = *self.one_space.get_or_init(|| one_space);
        Some((
            info.algorithm,
            digest,
            if reversed { rest } else { &rest[1..] },
        ))
    }
}

/// A parsed tag and the rest of its line.
struct Tag<'a> {
    algorithm: Algorithm,
    digest_bytes: u64,
    chunk_bytes: Option<u64>,
    /// The line after the parenthesis.
    rest: &'a [u8],
}

/// Decodes a digest of at most [`INLINE_BYTES_MAX`] bytes from hexadecimal or base64. A base64
/// digest that contains only hexadecimal digits is read as the longer hexadecimal one; this is as
/// unlikely as guessing a digest.
fn decode(digest: &[u8]) -> Option<Vec<u8>> {
    let hex = hex::decode(digest).ok();
    let odd_hex = digest.iter().all(u8::is_ascii_hexdigit);
    let bytes = hex.or_else(|| BASE64.decode(digest).ok().filter(|_| !odd_hex))?;
    (bytes.len() as u64 <= INLINE_BYTES_MAX).then_some(bytes)
}

/// Splits `name) = hex` from the end: the name may contain parentheses.
fn split_tagged(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = rest.iter().rposition(|&byte| byte == b')')?;
    let digest = trim_blanks(&rest[end + 1..]).strip_prefix(b"=")?;
    Some((&rest[..end], trim_blanks(digest)))
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Returns the text without leading blanks.
fn trim_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| !is_blank(byte));
    &text[start.unwrap_or(text.len())..]
}

/// Replaces `\\`, `\n` and `\r` in a name. Returns `None` if anything else follows a backslash.
pub fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(out)
}

/// Escapes backslash, newline and carriage return in a name. Returns `None` if there are none.
pub fn escaped(name: &[u8]) -> Option<Vec<u8>> {
    // Without an early end, several bytes are compared at once.
    let is_special = |byte: &u8| b"\\\n\r".contains(byte);
    if !name
        .iter()
        .fold(false, |found, byte| found | is_special(byte))
    {
        return None;
    }
    let mut out = Vec::with_capacity(name.len() + 8);
    for &byte in name {
        match byte {
            b'\\' => out.extend(b"\\\\"),
            b'\n' => out.extend(b"\\n"),
            b'\r' => out.extend(b"\\r"),
            _ => out.push(byte),
        }
    }
    Some(out)
}

/// Returns `TAG (NAME) = HEX` without a line end; the name is escaped if necessary.
pub fn tagged_line(tag: &str, name: &[u8], digest: &[u8]) -> Vec<u8> {
    let escaped = escaped(name);
    let start: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
    let name = escaped.as_deref().unwrap_or(name);
    let mut line = [start, tag.as_bytes(), b" (", name, b") = "].concat();
    append_hexadecimal(&mut line, digest);
    line
}

/// Reads a line and its end, up to [`LINE_BYTES_MAX`]. Returns the number of bytes.
///
/// # Errors
/// The list cannot be read.
pub fn read_whole(list: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    list.take(LINE_BYTES_MAX).read_until(b'\n', line)
}

/// Reads the next line without its end, LF or CRLF. Returns false at the end of the list. A line
/// longer than [`LINE_BYTES_MAX`] becomes a single byte, which is not a checksum line.
///
/// # Errors
/// The list cannot be read.
pub fn read_line(list: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    if read_whole(list, line)? == 0 {
        return Ok(false);
    }
    if line.ends_with(b"\n") {
        line.pop();
    } else if line.len() as u64 == LINE_BYTES_MAX {
        skip_line(list)?;
        line.truncate(1);
    }
    if line.ends_with(b"\r") {
        line.pop();
    }
    Ok(true)
}

fn skip_line(list: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = list.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let (skipped, ended) = match end {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        list.consume(skipped);
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LINE_BYTES_MAX, Parser, read_line, unescape};
    use finalist::Algorithm;

    #[test]
    fn lines_are_read_or_refused() {
        let hex = "ab".repeat(64);
        let name = |parser: &Parser, line: &str| parser.parse(line.as_bytes()).map(|e| e.name);
        let any = Parser::new(None);
        let tagged = format!("BLAKE2b (a (b)) = {hex}");
        assert_eq!(name(&any, &tagged), Some(b"a (b)".to_vec()));
        assert_eq!(name(&any, &format!("{hex}  a")), Some(b"a".to_vec()));
        assert_eq!(name(&any, &format!("{hex} *a")), Some(b"a".to_vec()));
        assert_eq!(name(&any, &format!("{hex} a")), None, "two forms in a list");
        assert_eq!(name(&any, &format!("BLAKE2b-256 (a) = {hex}")), None);
        assert_eq!(name(&any, &format!("{hex}ab  a")), None, "too long");
        let hex = &hex[..64];
        let with = |tag: &str| name(&any, &format!("{tag} (a) = {hex}"));
        assert_eq!(with("BLAKE-256"), Some(b"a".to_vec()));
        assert_eq!(with("BLAKE-256-256"), None);
        assert_eq!(name(&any, "BLAKE2s (a) = ?"), None);
        assert_eq!(any.last_title(), "BLAKE2s");

        // Not the first of those with the same stem.
        assert_eq!(name(&any, "Groestl-512 (a) = ?"), None);
        assert_eq!(any.last_title(), "Groestl-512");

        let reversed = Parser::new(None);
        assert_eq!(name(&reversed, &format!("{hex} a")), Some(b"a".to_vec()));
        assert_eq!(name(&reversed, &format!("{hex}  a")), Some(b" a".to_vec()));

        // After one space, a single character is always the name.
        for text in ["ab", " ", "*"] {
            let found = name(&Parser::new(None), &format!("{hex} {text}"));
            assert_eq!(found.as_deref(), Some(text.as_bytes()));
        }

        let only = Parser::new(Some(Algorithm::Blake2s));
        assert_eq!(name(&only, &tagged), None);
        assert_eq!(only.last_title(), "BLAKE2s");
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_to_its_end() {
        let mut text = vec![b'x'; LINE_BYTES_MAX as usize + 5];
        text.extend(b"\nnext\n");
        let (mut list, mut line) = (text.as_slice(), Vec::new());
        for expected in ["x", "next"] {
            assert!(read_line(&mut list, &mut line).expect("it is in memory"));
            assert_eq!(line, expected.as_bytes());
        }
        assert!(!read_line(&mut list, &mut line).expect("it is in memory"));
    }

    #[test]
    fn escapes_are_those_of_b2sum() {
        let name = unescape(br"a\nb\rc\\d");
        assert_eq!(name.as_deref(), Some(b"a\nb\rc\\d".as_slice()));
        assert_eq!(unescape(br"a\t"), None);
        assert_eq!(unescape(br"a\"), None);
    }
}
