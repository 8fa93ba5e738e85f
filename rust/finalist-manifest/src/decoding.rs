// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which file a thread decodes. Parquet's decoder believes a damaged file's claims of how much memory
//! it needs; an allocator that refuses may ask here, and say so.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

thread_local! {
    static DECODED: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Does what decodes a file.
pub(crate) fn decoding<R>(file: &Path, decode: impl FnOnce() -> R) -> R {
    DECODED.set(Some(file.to_owned()));
    let done = decode();
    DECODED.set(None);
    done
}

/// The file that this thread decodes, which it then does no more. Allocates nothing.
pub fn take_decoded() -> Option<PathBuf> {
    DECODED.try_with(RefCell::take).ok().flatten()
}
