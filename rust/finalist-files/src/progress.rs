// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports progress.

use std::path::Path;

/// Receives progress from any thread. Every method may do nothing.
pub trait Progress: Send + Sync {
    /// A file of this length will be hashed.
    fn found(&self, _bytes: u64) {}

    /// The file of this name, if it exists, will be hashed.
    fn found_file(&self, _name: &Path) {}

    /// The file of this name is being read.
    fn reading(&self, _name: &Path) {}

    /// This number of further bytes was hashed.
    fn hashed(&self, _bytes: u64) {}

    /// All work is done.
    fn finish(&self) {}

    /// Returns true once nobody wants the digests: files that are being read are left.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Ignores progress.
pub struct Silent;

impl Progress for Silent {}
