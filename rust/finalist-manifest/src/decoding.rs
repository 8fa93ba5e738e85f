// SPDX-License-Identifier: MIT OR Apache-2.0
//! Remembers which file a thread decodes. Parquet's decoder trusts a damaged file's claim of how
//! much memory it needs; an allocator that refuses can name the file in its message.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

thread_local! {
    static DECODED: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Runs a function that decodes a file.
pub(crate) fn decoding<R>(file: &Path, decode: impl FnOnce() -> R) -> R {
    DECODED.set(Some(file.to_owned()));
    let done = decode();
    DECODED.set(None);
    done
}

/// Returns the file that this thread decodes, and forgets it. Allocates nothing.
pub fn take_decoded() -> Option<PathBuf> {
    DECODED.try_with(RefCell::take).ok().flatten()
}
