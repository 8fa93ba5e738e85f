// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages to the user while the files of a directory are read.

use std::io;
use std::sync::Arc;

use finalist_files::quote::cleaned;
use finalist_manifest::{Difference, Observer, Row};

use super::json;
use crate::failure::Failure;
use crate::json::{Verdict, line};
use crate::output::Output;
use crate::progress::ProgressLine;

/// Prints differences as lines of results.
pub struct DifferencePrinter {
    pub output: Output,
    /// True if the lines are JSON.
    json: bool,
    /// The last message.
    message: Vec<u8>,
}

impl DifferencePrinter {
    pub fn new(progress: Arc<ProgressLine>, json: bool) -> DifferencePrinter {
        DifferencePrinter {
            output: Output::new(progress),
            json,
            message: Vec::new(),
        }
    }
}

impl Observer for DifferencePrinter {
    fn message(&mut self, text: &[u8]) -> io::Result<()> {
        self.message = text.to_vec();
        self.output.report(text).map_err(Failure::into_io)
    }

    fn unread(&mut self, row: &Row) -> io::Result<()> {
        if !self.json {
            return Ok(());
        }
        let reason = cleaned(&self.message);
        let line = line(Some(&row.path), Verdict::unreadable(&reason));
        self.output.line(&line).map_err(Failure::into_io)
    }

    fn difference(&mut self, difference: &Difference) -> io::Result<()> {
        let line = match self.json {
            true => json::difference(difference),
            false => [&difference.line()[..], b"\n"].concat(),
        };
        self.output.line(&line).map_err(Failure::into_io)
    }

    fn corrupt(&mut self, difference: &Difference) -> io::Result<()> {
        match self.json {
            true => self.difference(difference),
            false => Ok(()),
        }
    }

    fn idle(&mut self) -> io::Result<()> {
        self.output.flush().map_err(Failure::into_io)
    }
}
