// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of checksum lists.
//!
//! Understood are `hex  name`, `hex *name`, the reversed `hex name` with one space, and the tagged
//! `BLAKE2b-256 (name) = hex` with or without the spaces. A backslash at the start means that the
//! name is escaped.

use std::io::{self, BufRead, Read};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use finalist::{Algorithm, AlgorithmInfo};

use crate::tag::{is_tagged, read_tag, stem};

/// A longer line is no checksum line; the limit keeps a file without line ends out of memory.
const LINE_BYTES_MAX: u64 = 16 << 20;

/// One well-formed line.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub algorithm: Algorithm,
    pub digest: Vec<u8>,
    pub name: Vec<u8>,
}

pub struct Parser {
    /// Whose lines count, tagged or not. `None`: any tag's, and untagged ones are `untagged`'s.
    only: Option<AlgorithmInfo>,
    untagged: AlgorithmInfo,
    all: Vec<AlgorithmInfo>,
    /// Whether untagged lines have one space, which the first of them decides. A mixture is
    /// refused: a name that starts with a space could pass for another file's.
    one_space: OnceLock<bool>,
    /// Place in `all` of the algorithm that the last tag named.
    last: AtomicUsize,
}

impl Parser {
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

    /// Title of the algorithm that a message about the last line parsed names: the only one, or that
    /// of the last tag.
    pub fn last_title(&self) -> &'static str {
        self.all[self.last.load(Ordering::Relaxed)].title
    }

    /// Notes whose tag stands at the start of a line, whatever follows it.
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

    /// The entry that a line without its end stands for; `None`: the line is improper.
    pub fn parse(&self, line: &[u8]) -> Option<Entry> {
        let line = line.trim_prefix_blanks();
        let (line, escaped) = match line.strip_prefix(b"\\") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        self.note_tag(line);
        let (algorithm, digest, name) = match self.find_tag(line) {
            Some((algorithm, digest_bytes, rest)) => {
                let (name, digest) = split_tagged(rest)?;
                let digest = hex::decode(digest).ok()?;
                (digest.len() as u64 == digest_bytes).then_some((algorithm, digest, name))?
            }
            None => self.split_untagged(line)?,
        };
        let name = if escaped {
            unescape(name)?
        } else {
            name.to_vec()
        };
        (!name.contains(&0)).then_some(Entry {
            algorithm,
            digest,
            name,
        })
    }

    /// The algorithm and digest length that a tag stands for, and the line after its parenthesis.
    fn find_tag<'a>(&self, line: &'a [u8]) -> Option<(Algorithm, u64, &'a [u8])> {
        let candidates = self
            .only
            .as_ref()
            .map_or(self.all.as_slice(), std::slice::from_ref);
        candidates.iter().find_map(|info| {
            let (digest_bytes, rest) = read_tag(info, line)?;
            let rest = rest.strip_prefix(b" ").unwrap_or(rest);
            Some((info.algorithm, digest_bytes, rest.strip_prefix(b"(")?))
        })
    }

    fn split_untagged<'a>(&self, line: &'a [u8]) -> Option<(Algorithm, Vec<u8>, &'a [u8])> {
        let end = line.iter().position(|byte| is_blank(*byte))?;
        let (digest, rest) = (hex::decode(&line[..end]).ok()?, &line[end + 1..]);
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

/// `name) = hex`, from behind: the name may contain parentheses.
fn split_tagged(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = rest.iter().rposition(|&byte| byte == b')')?;
    let digest = rest[end + 1..].trim_prefix_blanks().strip_prefix(b"=")?;
    Some((&rest[..end], digest.trim_prefix_blanks()))
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

trait TrimBlanks {
    fn trim_prefix_blanks(&self) -> &Self;
}

impl TrimBlanks for [u8] {
    fn trim_prefix_blanks(&self) -> &[u8] {
        let start = self.iter().position(|&byte| !is_blank(byte));
        &self[start.unwrap_or(self.len())..]
    }
}

/// The name that `\\`, `\n` and `\r` stand for; `None` if anything else follows a backslash.
fn unescape(name: &[u8]) -> Option<Vec<u8>> {
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

/// Reads one line, without its end, be that LF or CRLF. `None` at the end of the list; a line of
/// more than [`LINE_BYTES_MAX`] comes out cut, which no checksum line survives.
pub fn read_line(list: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    if list.take(LINE_BYTES_MAX).read_until(b'\n', line)? == 0 {
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
