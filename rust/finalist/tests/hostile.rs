// SPDX-License-Identifier: MIT OR Apache-2.0
//! Implements safe traits incorrectly: only memory of the returned slices may be read.

use std::sync::atomic::{AtomicUsize, Ordering};

use finalist::{Algorithm, Params, hash, hash_many, hash_many_iter, merkle};

/// A message that alternates between two slices of different lengths.
struct Alternating {
    bytes: Vec<u8>,
    looks: AtomicUsize,
}

const FIRST: std::ops::Range<usize> = 100..110;
const SECOND: std::ops::Range<usize> = 0..70;

impl Alternating {
    fn new() -> Alternating {
        Alternating {
            bytes: (0..200).collect(),
            looks: AtomicUsize::new(0),
        }
    }
}

impl AsRef<[u8]> for Alternating {
    fn as_ref(&self) -> &[u8] {
        match self.looks.fetch_add(1, Ordering::Relaxed) % 2 {
            0 => &self.bytes[FIRST],
            _ => &self.bytes[SECOND],
        }
    }
}

/// Requires the result for one of the slices, not for the pointer of one with the length of the
/// other.
fn takes_one_slice(of: impl Fn(&[Alternating]) -> Vec<u8>, expected: impl Fn(&[u8]) -> Vec<u8>) {
    let messages = [Alternating::new(), Alternating::new(), Alternating::new()];
    let digests = of(&messages);
    let first = expected(&messages[0].bytes[FIRST]);
    assert_eq!(digests, first.repeat(messages.len()));
    for message in messages {
        assert_eq!(message.looks.into_inner(), 1);
    }
}

#[test]
fn each_message_is_one_slice() {
    const PLAIN: Params<'static> = Params::new();
    for &algorithm in Algorithm::all() {
        takes_one_slice(
            |messages| hash_many(algorithm, &PLAIN, messages).expect("digests"),
            |message| hash(algorithm, &PLAIN, message).expect("a digest"),
        );
        let bytes = algorithm.info().digest_bytes;
        takes_one_slice(
            |messages| {
                let mut digests = vec![0; messages.len() * bytes];
                hash_many_iter(algorithm, &PLAIN, messages, &mut digests).expect("digests");
                digests
            },
            |message| hash(algorithm, &PLAIN, message).expect("a digest"),
        );
        let leaf_hash = |leaf: &[u8]| hash(algorithm, &PLAIN, &[&[0], leaf].concat());
        takes_one_slice(
            |leaves| merkle::leaf_hashes(algorithm, &PLAIN, leaves).expect("hashes"),
            |leaf| leaf_hash(leaf).expect("a hash"),
        );
        #[cfg(feature = "rayon")]
        takes_one_slice(
            |leaves| merkle::leaf_hashes_parallel(algorithm, &PLAIN, leaves).expect("hashes"),
            |leaf| leaf_hash(leaf).expect("a hash"),
        );
    }
}
