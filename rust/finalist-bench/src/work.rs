// SPDX-License-Identifier: MIT OR Apache-2.0
//! The call that `finalist bench` and `finalist report` time: it hashes one message or several.

use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;

use finalist::{Algorithm, Error, Params, hash_into, hash_many_into};

/// Several messages fill every lane this many times, up to the total length below.
const TURNS: usize = 4;
const MULTI_BYTES_MAX: usize = 1 << 20;
pub const CACHE_LINE_BYTES: usize = 64;
/// The size of the memory for the messages of a [`Work`].
const MEMORY_BYTES: usize = 8 << 20;

/// Returns the number of messages of this length to hash in `lanes` lanes.
pub fn messages_for(lanes: usize, bytes: usize) -> usize {
    lanes * (MULTI_BYTES_MAX / lanes / bytes).clamp(1, TURNS)
}

/// Allocates at least `bytes` bytes for the messages of several [`Work`]s.
pub fn memory(bytes: usize) -> Arc<[u8]> {
    vec![0xa5; bytes.max(MEMORY_BYTES)].into()
}

/// A message in memory shared with others.
struct Message {
    memory: Arc<[u8]>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Message {
    fn as_ref(&self) -> &[u8] {
        &self.memory[self.range.clone()]
    }
}

/// Messages of one length, hashed by one call.
pub struct Work {
    algorithm: Algorithm,
    mode: Mode,
    memory: Arc<[u8]>,
    messages: Vec<Message>,
    stride: usize,
    digests: Vec<u8>,
}

enum Mode {
    Single,
    Multi,
}

impl Work {
    /// Makes a call for one message.
    pub fn single(algorithm: Algorithm, bytes: usize, memory: &Arc<[u8]>) -> Result<Work, Error> {
        Work::new(algorithm, Mode::Single, bytes, 1, memory)
    }

    /// Makes a call for `count` messages at once.
    pub fn multi(
        algorithm: Algorithm,
        bytes: usize,
        count: usize,
        memory: &Arc<[u8]>,
    ) -> Result<Work, Error> {
        Work::new(algorithm, Mode::Multi, bytes, count, memory)
    }

    fn new(
        algorithm: Algorithm,
        mode: Mode,
        bytes: usize,
        count: usize,
        memory: &Arc<[u8]>,
    ) -> Result<Work, Error> {
        // Add a cache line, so that the messages' lines do not all map to the same cache sets.
        let stride = bytes.next_multiple_of(CACHE_LINE_BYTES) + CACHE_LINE_BYTES;
        let message = |index| Message {
            memory: Arc::clone(memory),
            range: index * stride..index * stride + bytes,
        };
        let mut work = Work {
            algorithm,
            mode,
            memory: Arc::clone(memory),
            messages: (0..count).map(message).collect(),
            stride,
            digests: vec![0; count * algorithm.info().digest_bytes],
        };
        work.hash()?;
        Ok(work)
    }

    /// Returns the number of positions in memory that the messages can take.
    pub fn places(&self) -> usize {
        1 + (self.memory.len() - self.messages.len() * self.stride) / CACHE_LINE_BYTES
    }

    /// Moves the messages to one of those positions.
    pub fn move_to(&mut self, place: usize) {
        for (index, message) in self.messages.iter_mut().enumerate() {
            let start = place * CACHE_LINE_BYTES + index * self.stride;
            message.range = start..start + message.range.len();
        }
    }

    fn hash(&mut self) -> Result<(), Error> {
        let params = Params::new();
        match self.mode {
            Mode::Single => {
                let message = black_box(self.messages[0].as_ref());
                hash_into(self.algorithm, &params, message, &mut self.digests)?;
            }
            Mode::Multi => {
                let messages = black_box(&self.messages);
                hash_many_into(self.algorithm, &params, messages, &mut self.digests)?;
            }
        }
        black_box(&mut self.digests);
        Ok(())
    }

    /// Makes the call, which has succeeded before.
    pub fn run(&mut self) {
        let result = self.hash();
        debug_assert!(result.is_ok());
    }
}
