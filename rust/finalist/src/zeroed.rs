// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory for digests whose length a caller chooses.

use alloc::alloc::{Layout, alloc_zeroed};
use alloc::vec::Vec;

use crate::Error;

/// Allocates zeros for `count` digests.
///
/// # Errors
/// [`Error::OutputLength`] where there is not that much memory: a digest of BLAKE3 may be longer.
pub(crate) fn zeroed(count: usize, digest_bytes: usize) -> Result<Vec<u8>, Error> {
    let bytes = count.checked_mul(digest_bytes).ok_or(Error::OutputLength)?;
    let layout = Layout::array::<u8>(bytes).map_err(|_| Error::OutputLength)?;
    if bytes == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout is not empty.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        return Err(Error::OutputLength);
    }
    // SAFETY: the global allocator made them by this layout, and zeros are bytes.
    Ok(unsafe { Vec::from_raw_parts(start, bytes, bytes) })
}
