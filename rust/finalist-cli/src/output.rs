// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard output in whole lines.

use std::sync::Arc;

use crate::failure::{Failure, report};
use crate::progress::Progress;
use crate::quote::quoted;
use crate::stdio;

/// Pipes take this much in one piece, so that the lines of several processes do not mix.
const PIECE_BYTES: usize = 4096;

/// Collects lines while more are at hand and writes them when not, or when a piece is full.
pub struct Output {
    lines: Vec<u8>,
    progress: Arc<Progress>,
}

impl Output {
    pub fn new(progress: Arc<Progress>) -> Output {
        Output {
            lines: Vec::with_capacity(PIECE_BYTES),
            progress,
        }
    }

    pub fn line(&mut self, line: &[u8]) -> Result<(), Failure> {
        if self.lines.len() + line.len() > PIECE_BYTES {
            self.flush()?;
        }
        self.lines.extend(line);
        Ok(())
    }

    /// A message on standard error, after the lines before it.
    pub fn report(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.flush()?;
        self.progress.suspend(|| report(text));
        Ok(())
    }

    pub fn flush(&mut self) -> Result<(), Failure> {
        if !self.lines.is_empty() {
            self.progress.suspend(|| stdio::print(&self.lines))?;
            self.lines.clear();
        }
        Ok(())
    }
}

/// `name: text` for a line of results, with the whole name, quoted where that is needed.
pub fn result_line(name: &[u8], text: &str) -> Vec<u8> {
    [&quoted(name)[..], b": ", text.as_bytes()].concat()
}

/// The name with backslash, newline and carriage return escaped, or `None` if it has none.
pub fn escaped(name: &[u8]) -> Option<Vec<u8>> {
    if !name.iter().any(|byte| b"\\\n\r".contains(byte)) {
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

/// `TAG (NAME) = HEX` without its end, the name escaped if it must be.
pub fn tagged_line(tag: &str, name: &[u8], digest: &[u8]) -> Vec<u8> {
    let escaped = escaped(name);
    let start: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
    let name = escaped.as_deref().unwrap_or(name);
    let digest = hex::encode(digest);
    [
        start,
        tag.as_bytes(),
        b" (",
        name,
        b") = ",
        digest.as_bytes(),
    ]
    .concat()
}
