// SPDX-License-Identifier: MIT OR Apache-2.0
//! The system's allocator, which ends the tool with a message for files that claim to need more
//! memory than available. Parquet's decoder trusts such claims, and Rust would abort.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};
use std::process;

use crate::failure::report;
use finalist_files::message::about;
use finalist_files::platform::bytes_of;

/// More than any page of a sound manifest takes: Parquet stores a page's length in 31 bits.
const BYTES_MAX: usize = if usize::BITS > 32 { 8 << 30 } else { 1 << 30 };

/// Ends the tool if the system has no memory left. Does not call [`report`], which allocates.
#[cold]
fn exhausted() -> ! {
    let _ = io::stderr().write_all(b"finalist: not enough memory\n");
    process::exit(1);
}

/// Checks memory from the system.
fn given(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        exhausted();
    }
    block
}

/// Ends the tool if an allocation for a file is too large: unwinding is forbidden here.
#[cold]
fn refuse() {
    if let Some(file) = finalist_table::take_decoded() {
        report(&about(
            &bytes_of(&file),
            "damaged: it claims to need more memory than there is",
        ));
        process::exit(1);
    }
}

struct Bounded;

#[allow(
    unsafe_code,
    reason = "the calls of the system's allocator, with the same arguments"
)]
// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > BYTES_MAX {
            refuse();
        }
        // SAFETY: the caller's contract is passed on.
        given(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > BYTES_MAX {
            refuse();
        }
        // SAFETY: the caller's contract is passed on.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        if bytes > BYTES_MAX {
            refuse();
        }
        // SAFETY: the caller's contract is passed on.
        given(unsafe { System.realloc(block, layout, bytes) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Bounded = Bounded;
