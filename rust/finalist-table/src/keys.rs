// SPDX-License-Identifier: MIT OR Apache-2.0
//! A set of keys.

use crate::{KEY_BYTES, Record};

/// The number of chains in the set: one for each value of a key's first two bytes.
const CHAINS: usize = 1 << 16;

/// The keys of some records.
///
/// ```
/// let keys = finalist_table::Keys::new(&[[7; 32]]);
/// assert!(keys.has(&[7; 16]) && !keys.has(&[8; 16]));
/// ```
pub struct Keys(Vec<Vec<[u8; KEY_BYTES]>>);

impl Keys {
    /// Collects the keys of records, which may contain duplicates.
    pub fn new(records: &[Record]) -> Keys {
        let mut keys = Keys(vec![Vec::new(); CHAINS]);
        for key in records.iter().filter_map(|record| record.first_chunk()) {
            if !keys.has(key) {
                keys.0[chain_of(key)].push(*key);
            }
        }
        keys
    }

    /// Returns the number of distinct keys.
    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Returns true if the set contains the digest of a key.
    #[inline]
    pub fn has(&self, key: &[u8; KEY_BYTES]) -> bool {
        self.0[chain_of(key)].contains(key)
    }
}

fn chain_of(key: &[u8; KEY_BYTES]) -> usize {
    usize::from(u16::from_be_bytes([key[0], key[1]]))
}
