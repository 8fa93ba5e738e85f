// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory for many digests.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Empties the memory and reserves it for `count` digests. Returns their length in bytes.
pub fn memory_for(memory: &mut Vec<u8>, count: usize, stride: usize) -> PyResult<usize> {
    let no_memory = || PyMemoryError::new_err(());
    let bytes = count.checked_mul(stride).ok_or_else(no_memory)?;
    memory.clear();
    if memory.capacity() < bytes {
        memory.try_reserve_exact(bytes).map_err(|_| no_memory())?;
        prefer_huge_pages(memory.as_mut_ptr(), bytes);
    }
    Ok(bytes)
}

/// Requests huge pages where they fit: writing digests of short values to fresh pages of 4 KiB
/// spends a good part of its time in the kernel.
pub fn prefer_huge_pages(memory: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        const PAGE_BYTES: usize = 4096;
        const BYTES_MIN: usize = 4 << 20;
        let skipped = memory.align_offset(PAGE_BYTES);
        if bytes >= BYTES_MIN && skipped < bytes {
            let start = memory.wrapping_add(skipped);
            // SAFETY: the memory is one allocation; only the size of its pages changes. The error
            // of a kernel without huge pages is ignored.
            unsafe { libc::madvise(start.cast(), bytes - skipped, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}
