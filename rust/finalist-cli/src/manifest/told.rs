// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the user is told while the files of a directory are read.

use std::io;

use finalist_manifest::{Difference, Observer};

use crate::failure::Failure;
use crate::output::Output;

/// Differences are lines of results.
pub struct Told(pub Output);

impl Observer for Told {
    fn message(&mut self, text: &[u8]) -> io::Result<()> {
        self.0.report(text).map_err(Failure::into_io)
    }

    fn difference(&mut self, difference: &Difference) -> io::Result<()> {
        let mut line = difference.line();
        line.push(b'\n');
        self.0.line(&line).map_err(Failure::into_io)
    }

    fn idle(&mut self) -> io::Result<()> {
        self.0.flush().map_err(Failure::into_io)
    }
}
