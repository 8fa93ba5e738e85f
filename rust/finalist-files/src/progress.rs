// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who is told how far the work is.

use std::path::Path;

/// Is told how far the work is, by any of its threads. Nothing needs to be done.
pub trait Progress: Send + Sync {
    /// A file of that length will be hashed.
    fn found(&self, _bytes: u64) {}

    /// The file of that name will be hashed, if it is one.
    fn found_file(&self, _name: &Path) {}

    /// The file of that name is read now.
    fn reading(&self, _name: &Path) {}

    /// That many more bytes were hashed.
    fn hashed(&self, _bytes: u64) {}

    /// All is hashed.
    fn finish(&self) {}
}

/// For those who do not want to know.
pub struct Silent;

impl Progress for Silent {}
