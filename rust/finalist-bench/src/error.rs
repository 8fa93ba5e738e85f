// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of measurements and reports.

use std::fmt;

/// The reason why something cannot be measured or shown.
#[derive(Debug)]
pub struct Error(String);

impl Error {
    pub(crate) fn message(text: impl Into<String>) -> Error {
        Error(text.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
