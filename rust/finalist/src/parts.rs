// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many digests in several threads.

use alloc::vec::Vec;
use core::ops::Range;

use finalist_sys as sys;
use rayon::prelude::*;

use crate::Error;
use crate::many::descriptors;

/// With fewer bytes, waking threads takes longer than they save: on two threads of an Emerald
/// Rapids, 128 KiB in messages of 64 bytes take 1.2 times as long as on one, 256 KiB 0.93 times.
const WAKING_BYTES_MIN: usize = 256 * 1024;
/// This many messages fill the lanes of every implementation.
const LANES_MAX: usize = 64;
/// Most digests in a part: a thread that is late delays the others by one part.
const PART_MAX: usize = 32_768;
/// Parts for each thread, so that one with short messages gets more of them.
const PARTS_PER_THREAD: usize = 4;
/// Bytes of a block, which the shortest message takes, too.
pub(crate) const BLOCK_BYTES: usize = 64;

/// Fills a buffer of digests by the threads of the current rayon pool, in parts of whole digests.
/// `hash` gets the indices of a part's digests, and their memory, which need not be initialised.
/// `bytes`: a lower bound of the bytes to hash; one thread hashes few of them.
///
/// Stops at the first error and returns it; other parts may have been written then. Panics if
/// `hash` does.
///
/// # Errors
/// Those of `hash`.
///
/// # Panics
/// If `digest_bytes` is 0.
///
/// ```
/// use finalist::{Algorithm, Params, digests_in_parts, hash_many_into};
/// let mut digests = vec![0; 10_000 * 32];
/// digests_in_parts(&mut digests, 32, 10_000 * 64, |rows, digests| {
///     let messages: Vec<_> = rows.map(|row| format!("row {row}")).collect();
///     hash_many_into(Algorithm::Blake2s, &Params::new(), &messages, digests)
/// })?;
/// # Ok::<(), finalist::Error>(())
/// ```
pub fn digests_in_parts<T: Send, E: Send>(
    digests: &mut [T],
    digest_bytes: usize,
    bytes: usize,
    hash: impl Fn(Range<usize>, &mut [T]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let count = digests.len() / digest_bytes;
    let threads = rayon::current_num_threads();
    if threads == 1 || bytes < WAKING_BYTES_MIN {
        return hash(0..count, digests);
    }
    let share = count.div_ceil(threads).max(1);
    let part = match share {
        ..=LANES_MAX => share,
        _ => (share / PARTS_PER_THREAD)
            .next_multiple_of(LANES_MAX)
            .min(PART_MAX),
    };
    let parts = digests.par_chunks_mut(part * digest_bytes).enumerate();
    parts.try_for_each(|(index, digests)| {
        let first = index * part;
        hash(first..first + digests.len() / digest_bytes, digests)
    })
}

/// Fills a buffer of exactly one digest for each message.
pub(crate) fn hash_messages<M: AsRef<[u8]> + Sync>(
    messages: &[M],
    digests: &mut [u8],
    hash: impl Fn(&[sys::fin_message], &mut [u8]) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let Some(digest_bytes) = digests.len().checked_div(messages.len()) else {
        return Ok(());
    };
    let bytes = messages.len().saturating_mul(BLOCK_BYTES);
    if bytes >= WAKING_BYTES_MIN || rayon::current_num_threads() == 1 {
        return digests_in_parts(digests, digest_bytes, bytes, |rows, digests| {
            hash(&descriptors(&messages[rows]), digests)
        });
    }
    // Few messages, whose lengths decide. Each is looked at once: it may return another slice.
    let messages: Vec<&[u8]> = messages.iter().map(AsRef::as_ref).collect();
    let lengths = messages.iter().map(|message| message.len());
    let bytes = lengths.fold(0, usize::saturating_add);
    digests_in_parts(digests, digest_bytes, bytes, |rows, digests| {
        hash(&descriptors(&messages[rows]), digests)
    })
}
