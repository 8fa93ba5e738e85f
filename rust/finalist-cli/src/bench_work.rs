// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `finalist bench` and `finalist report` time: calls that hash one message, or several.

use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;

use finalist::{Algorithm, Error, Params, hash_into, hash_many_into};

/// Several messages fill every lane this often, as long as they have no more bytes than this.
const TURNS: usize = 4;
const MULTI_BYTES_MAX: usize = 1 << 20;
const CACHE_LINE_BYTES: usize = 64;

/// A message that lies in memory shared with others.
struct Message {
    memory: Arc<[u8]>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Message {
    fn as_ref(&self) -> &[u8] {
        &self.memory[self.range.clone()]
    }
}

/// How many messages of that length to hash in so many lanes.
pub fn messages_for(lanes: usize, bytes: usize) -> usize {
    lanes * (MULTI_BYTES_MAX / lanes / bytes).clamp(1, TURNS)
}

/// A call that hashes one message of that length.
pub fn single(algorithm: Algorithm, bytes: usize) -> Result<impl FnMut(), Error> {
    let message = vec![0xa5; bytes];
    let mut digest = vec![0; algorithm.info().digest_bytes];
    hash_into(algorithm, &Params::new(), &message, &mut digest)?;
    Ok(move || {
        let result = hash_into(algorithm, &Params::new(), black_box(&message), &mut digest);
        debug_assert!(result.is_ok());
        black_box(&mut digest);
    })
}

/// A call that hashes `count` messages of that length at once.
pub fn multi(algorithm: Algorithm, bytes: usize, count: usize) -> Result<impl FnMut(), Error> {
    // A cache line apart, so that their lines do not all fall into the same sets of a cache.
    let stride = bytes.next_multiple_of(CACHE_LINE_BYTES) + CACHE_LINE_BYTES;
    let memory: Arc<[u8]> = vec![0xa5; count * stride].into();
    let messages: Vec<_> = (0..count)
        .map(|index| Message {
            memory: Arc::clone(&memory),
            range: index * stride..index * stride + bytes,
        })
        .collect();
    let mut digests = vec![0; count * algorithm.info().digest_bytes];
    hash_many_into(algorithm, &Params::new(), &messages, &mut digests)?;
    Ok(move || {
        let result = hash_many_into(
            algorithm,
            &Params::new(),
            black_box(&messages),
            &mut digests,
        );
        debug_assert!(result.is_ok());
        black_box(&mut digests);
    })
}
