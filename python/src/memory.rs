// SPDX-License-Identifier: MIT OR Apache-2.0
//! The system's allocator with a limit. A damaged Parquet file may claim any size, and its decoder
//! allocates that much; Rust ends the process when memory runs out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Limit of one allocation. A valid page is smaller: Parquet counts its bytes in 31 bits.
const BYTES_MAX: usize = if usize::BITS > 32 { 8 << 30 } else { 1 << 30 };

/// Files whose decoding stopped at the limit.
static REFUSED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn refused() -> MutexGuard<'static, Vec<PathBuf>> {
    REFUSED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns true if decoding this file stopped at the limit. Forgets the file.
pub fn take_refusal(file: &Path) -> bool {
    let mut refused = refused();
    let place = refused.iter().position(|each| each == file);
    place.map(|place| refused.swap_remove(place)).is_some()
}

/// Parks the thread for ever if it decodes a file, since an allocator must not unwind. The thread
/// that waits for it calls [`take_refusal`]. Does nothing on other threads.
#[cold]
fn give_up_decoding() {
    if let Some(file) = finalist_table::take_decoded() {
        refused().push(file);
        loop {
            thread::park();
        }
    }
}

struct Bounded;

/// Allocates from the system, within the limit.
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
