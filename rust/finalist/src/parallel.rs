// SPDX-License-Identifier: MIT OR Apache-2.0
//! The leaves of one BLAKE2bp or BLAKE2sp message, or subtrees of one BLAKE3 message, in several
//! threads.

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use finalist_sys as sys;

use crate::{Error, Hasher};

/// With fewer bytes, waking threads takes longer than they save, and starting them even more so.
#[cfg(feature = "rayon")]
const WAKING_BYTES_MIN: usize = 64 * 1024;
const STARTING_BYTES_MIN: usize = 1024 * 1024;

/// A context and a share of its message, for threads that advance different leaves.
struct Shared {
    context: *mut sys::fin_context,
    share: sys::fin_share,
}

// SAFETY: the library allows fin_share_leaves for different leaves of one context at the same time,
// and `update_in_parts`, which makes the only value, does nothing else meanwhile.
unsafe impl Sync for Shared {}

impl Shared {
    fn advance(&self, part: u32, parts: u32) -> Result<(), Error> {
        let leaves = self.share.leaf_count;
        let (first, end) = (leaves * part / parts, leaves * (part + 1) / parts);
        // SAFETY: the context is being shared, and no two parts have a leaf in common.
        Error::check(unsafe {
            sys::fin_share_leaves(self.context, &self.share, first, end - first)
        })
    }
}

/// The number of parts into which the leaves are split for `threads` threads.
fn parts(share: &sys::fin_share, threads: usize) -> u32 {
    let threads = u32::try_from(threads).unwrap_or(u32::MAX);
    let groups = share.leaf_count / share.lanes.clamp(1, share.leaf_count);
    if threads >= share.leaf_count {
        share.leaf_count
    } else {
        groups.min(threads)
    }
}

/// Updates by the threads of the current rayon pool.
#[cfg(feature = "rayon")]
pub fn update(hasher: &mut Hasher, bytes: &[u8]) -> Result<(), Error> {
    use rayon::prelude::*;

    let threads = rayon::current_num_threads();
    let bytes_min = WAKING_BYTES_MIN;
    update_in_parts(hasher, bytes, threads, bytes_min, |shared, parts| {
        (0..parts)
            .into_par_iter()
            .try_for_each(|part| shared.advance(part, parts))
    })
}

/// Updates by this thread and others that are started for the call.
pub fn update_in_threads(hasher: &mut Hasher, bytes: &[u8], threads: usize) -> Result<(), Error> {
    let bytes_min = STARTING_BYTES_MIN;
    update_in_parts(hasher, bytes, threads, bytes_min, |shared, parts| {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..parts)
                .map(|part| scope.spawn(move || shared.advance(part, parts)))
                .collect();
            let own = shared.advance(0, parts);
            others.into_iter().fold(own, |result, other| {
                let other = other.join();
                result.and(other.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        })
    })
}

/// Updates of at least this length use `advance`, which advances all parts.
fn update_in_parts(
    hasher: &mut Hasher,
    bytes: &[u8],
    threads: usize,
    bytes_min: usize,
    advance: impl FnOnce(&Shared, u32) -> Result<(), Error>,
) -> Result<(), Error> {
    let context = hasher.context_mut();
    let mut share = MaybeUninit::uninit();
    let input = bytes.as_ptr().cast();
    if bytes.len() >= bytes_min && threads > 1 {
        // SAFETY: pointer and length of one slice; memory for the share.
        let begun = Error::check(unsafe {
            sys::fin_share_begin(context, input, bytes.len(), share.as_mut_ptr())
        });
        match begun {
            Ok(()) => {
                // SAFETY: the call has filled it.
                let share = unsafe { share.assume_init() };
                let parts = parts(&share, threads);
                let shared = Shared { context, share };
                let advanced = advance(&shared, parts);
                // SAFETY: the context is being shared, and every leaf was advanced.
                let ended =
                    Error::check(unsafe { sys::fin_share_end(shared.context, &shared.share) });
                return advanced.and(ended);
            }
            Err(Error::Algorithm) => {}
            Err(error) => return Err(error),
        }
    }
    // SAFETY: pointer and length of one slice.
    Error::check(unsafe { sys::fin_update(context, input, bytes.len()) })
}
