// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports progress.

use std::path::Path;

/// Receives progress from any thread. A method may do nothing.
pub trait Progress: Send + Sync {
    /// Receives the length of a file that will be hashed.
    fn found(&self, _bytes: u64) {}

    /// Receives the name of a file that will be hashed if it exists.
    fn found_file(&self, _name: &Path) {}

    /// Receives true when a search for files begins, and false when it has found all of them.
    fn may_find_more(&self, _more: bool) {}

    /// Receives the name of the file that is being read.
    fn reading(&self, _name: &Path) {}

    /// Receives the number of bytes hashed since the last call.
    fn hashed(&self, _bytes: u64) {}

    /// Receives the number of bytes that an earlier run hashed.
    fn skipped(&self, _bytes: u64) {}

    /// Receives the end of all work.
    fn finish(&self) {}

    /// Returns true once the digests are no longer needed: files being read are then abandoned.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Ignores progress.
pub struct Silent;

impl Progress for Silent {}
