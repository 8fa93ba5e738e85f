// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes standard output in whole lines.

use std::sync::Arc;

use crate::failure::{Failure, report};
use crate::progress::ProgressLine;
use crate::stdio;
use finalist_files::quote::quoted;

/// Pipes take this many bytes atomically, so that the lines of several processes do not mix.
const PIECE_BYTES: usize = 4096;

/// Collects lines and writes them when no more are ready or a piece is full.
pub struct Output {
    lines: Vec<u8>,
    progress: Arc<ProgressLine>,
}

impl Output {
    pub fn new(progress: Arc<ProgressLine>) -> Output {
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

    /// Writes a message to standard error, after the lines before it.
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

/// Returns `name: text` for a line of results, with the whole name, quoted if necessary.
pub fn result_line(name: &[u8], text: &str) -> Vec<u8> {
    [&quoted(name)[..], b": ", text.as_bytes()].concat()
}
