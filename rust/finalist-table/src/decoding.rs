// SPDX-License-Identifier: MIT OR Apache-2.0
//! Guards calls of Parquet's decoder, which panics on some damaged files and allocates as much as a
//! damaged file claims: if an allocation fails, the allocator can name the file in its message.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

thread_local! {
    /// True while this thread reads Parquet and reports panics itself.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function that reads Parquet and turns a panic into an error.
pub fn guarded<R>(read: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                hook(info);
            }
        }));
    });
    IS_GUARDED.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    done.unwrap_or_else(|_| Err("not a whole Parquet file: damaged".to_owned()))
}

thread_local! {
    static DECODED: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Runs a function that decodes a file, whose name [`take_decoded`] then returns.
pub fn decoding<R>(file: &Path, decode: impl FnOnce() -> R) -> R {
    DECODED.set(Some(file.to_owned()));
    let done = decode();
    DECODED.set(None);
    done
}

/// Returns and forgets the name of the file that this thread decodes. Allocates nothing.
pub fn take_decoded() -> Option<PathBuf> {
    DECODED.try_with(RefCell::take).ok().flatten()
}
