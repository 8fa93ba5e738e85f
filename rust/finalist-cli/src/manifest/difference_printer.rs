// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages to the user while the files of a directory are read.

use std::io;

use finalist_manifest::{Difference, Observer};

use super::json;
use crate::failure::Failure;
use crate::output::Output;

/// Prints differences as lines of results.
pub struct DifferencePrinter {
    pub output: Output,
    /// True if the lines are JSON.
    pub json: bool,
}

impl Observer for DifferencePrinter {
    fn message(&mut self, text: &[u8]) -> io::Result<()> {
        self.output.report(text).map_err(Failure::into_io)
    }

    fn difference(&mut self, difference: &Difference) -> io::Result<()> {
        let line = match self.json {
            true => json::difference(difference),
            false => [&difference.line()[..], b"\n"].concat(),
        };
        self.output.line(&line).map_err(Failure::into_io)
    }

    fn idle(&mut self) -> io::Result<()> {
        self.output.flush().map_err(Failure::into_io)
    }
}
