// SPDX-License-Identifier: MIT OR Apache-2.0
//! The allocator: the system's, but for the claims of damaged Parquet files. Their decoder asks for as
//! much memory as a file says it needs, and Rust would end the process if there is not so much.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// More than any page of a sound manifest takes: Parquet counts a page's bytes in 31 bits.
const BYTES_MAX: usize = if usize::BITS > 32 { 8 << 30 } else { 1 << 30 };

/// The files whose decoding was given up.
static REFUSED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn refused() -> MutexGuard<'static, Vec<PathBuf>> {
    REFUSED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True if the decoding of that file was given up; the next call does not know it any more.
pub fn take_refusal(file: &Path) -> bool {
    let mut refused = refused();
    let place = refused.iter().position(|each| each == file);
    place.map(|place| refused.swap_remove(place)).is_some()
}

/// Keeps a thread that decodes a file for ever, since nothing may unwind from an allocator: whoever
/// waits for the thread asks [`take_refusal`]. Other threads go on.
#[cold]
fn give_up_decoding() {
    if let Some(file) = finalist_manifest::take_decoded() {
        refused().push(file);
        loop {
            thread::park();
        }
    }
}

struct Bounded;

/// Memory from the system, if it is not too much.
fn bounded(bytes: usize, allocate: impl FnOnce() -> *mut u8) -> *mut u8 {
    if bytes > BYTES_MAX {
        give_up_decoding();
    }
    let block = allocate();
    if block.is_null() {
        give_up_decoding();
    }
    block
}

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: that of the caller.
        bounded(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: that of the caller.
        bounded(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: that of the caller.
        bounded(bytes, || unsafe { System.realloc(block, layout, bytes) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: that of the caller.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Bounded = Bounded;
