// SPDX-License-Identifier: MIT OR Apache-2.0
//! The leaves of one BLAKE2bp or BLAKE2sp message in several threads.

use core::mem::MaybeUninit;

use finalist_sys as sys;
use rayon::prelude::*;

use crate::Error;

/// With fewer bytes, waking threads takes longer than they save.
const BYTES_MIN: usize = 64 * 1024;

/// A context and a share of its message, for threads that advance different leaves.
struct Shared {
    context: *mut sys::fin_context,
    share: sys::fin_share,
}

// SAFETY: the library allows fin_share_leaves for different leaves of one context at the same time,
// and `update`, which makes the only value, does nothing else meanwhile.
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

/// Into how many parts the leaves are split for so many threads.
fn parts(share: &sys::fin_share, threads: usize) -> u32 {
    let threads = u32::try_from(threads).unwrap_or(u32::MAX);
    let groups = share.leaf_count / share.lanes.clamp(1, share.leaf_count);
    if threads >= share.leaf_count {
        share.leaf_count
    } else {
        groups.min(threads)
    }
}

pub fn update(context: &mut sys::fin_context, bytes: &[u8]) -> Result<(), Error> {
    let mut share = MaybeUninit::uninit();
    let input = bytes.as_ptr().cast();
    let threads = rayon::current_num_threads();
    if bytes.len() >= BYTES_MIN && threads > 1 {
        // SAFETY: pointer and length of one slice; a place for the share.
        let begun = Error::check(unsafe {
            sys::fin_share_begin(context, input, bytes.len(), share.as_mut_ptr())
        });
        match begun {
            // SAFETY: the call has filled it.
            Ok(()) => return advance(context, unsafe { share.assume_init() }, threads),
            Err(Error::Algorithm) => {}
            Err(error) => return Err(error),
        }
    }
    // SAFETY: pointer and length of one slice.
    Error::check(unsafe { sys::fin_update(context, input, bytes.len()) })
}

fn advance(
    context: &mut sys::fin_context,
    share: sys::fin_share,
    threads: usize,
) -> Result<(), Error> {
    let parts = parts(&share, threads);
    let shared = Shared { context, share };
    let advanced = (0..parts)
        .into_par_iter()
        .try_for_each(|part| shared.advance(part, parts));
    // SAFETY: the context is being shared, and every leaf was advanced.
    let ended = Error::check(unsafe { sys::fin_share_end(shared.context, &shared.share) });
    advanced.and(ended)
}
