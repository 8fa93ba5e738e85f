// SPDX-License-Identifier: MIT OR Apache-2.0
#![doc = include_str!("../README.md")]
#![no_std]
#![deny(missing_docs)]

use finalist::{Algorithm, Error, Hasher, Params};
use finalist::{groestl_pairs_into, hash_equal_into, hash_into};
use p3_symmetric::{CryptographicHasher, PseudoCompressionFunction};

/// Length of every digest.
const DIGEST_BYTES: usize = 32;

/// The lanes of two streams. With more, Plonky3's buffer of wide rows leaves the first cache level.
const LANES: usize = 32;

/// Bytes taken from an iterator before they are hashed.
const BUFFER_BYTES: usize = 512;

fn params() -> Params<'static> {
    Params::new().digest_bytes(DIGEST_BYTES as u64)
}

/// Unwraps a result that fails only if the variable `FINALIST_IMPL` or `FINALIST_CPU` is wrong.
fn expected<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| panic!("finalist: {error}"))
}

fn hash_slice(algorithm: Algorithm, message: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut digest = [0; DIGEST_BYTES];
    expected(hash_into(algorithm, &params(), message, &mut digest));
    digest
}

fn finalize(mut hasher: Hasher) -> [u8; DIGEST_BYTES] {
    let mut digest = [0; DIGEST_BYTES];
    expected(hasher.finalize_into(&mut digest));
    digest
}

/// Writes the next bytes of a message to the buffer and returns their number.
fn fill(buffer: &mut [u8], bytes: &mut impl Iterator<Item = u8>) -> usize {
    let mut count = 0;
    // The buffer comes first: the other way round, zip() would take a byte too many from `bytes`.
    for (target, byte) in buffer.iter_mut().zip(bytes) {
        *target = byte;
        count += 1;
    }
    count
}

/// Hashes a message shorter than the buffer in one call.
fn hash_iter(algorithm: Algorithm, mut bytes: impl Iterator<Item = u8>) -> [u8; DIGEST_BYTES] {
    let mut buffer = [0; BUFFER_BYTES];
    let mut count = fill(&mut buffer, &mut bytes);
    if count < BUFFER_BYTES {
        return hash_slice(algorithm, &buffer[..count]);
    }
    let mut hasher = expected(Hasher::new(algorithm, &params()));
    while count != 0 {
        expected(hasher.update(&buffer[..count]));
        count = fill(&mut buffer, &mut bytes);
    }
    finalize(hasher)
}

fn hash_many(algorithm: Algorithm, messages: &[u8], digests: &mut [[u8; DIGEST_BYTES]]) {
    let count = digests.len();
    if count == 0 {
        return;
    }
    assert!(
        messages.len().is_multiple_of(count),
        "{} bytes are not {count} messages of one length",
        messages.len()
    );
    if messages.is_empty() {
        digests.fill(hash_slice(algorithm, &[]));
        return;
    }
    let (message_bytes, digests) = (messages.len() / count, digests.as_flattened_mut());
    expected(hash_equal_into(
        algorithm,
        &params(),
        messages,
        message_bytes,
        digests,
    ));
}

macro_rules! hashers {
    ($($name:ident = $algorithm:ident, $text:literal;)*) => {$(
        #[doc = concat!($text, ".")]
        ///
        /// # Panics
        /// If the environment variable `FINALIST_IMPL` or `FINALIST_CPU` is wrong; `hash_many` also if
        /// the input is not as many messages of one length as there are digests.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        impl CryptographicHasher<u8, [u8; DIGEST_BYTES]> for $name {
            const LANES: usize = LANES;

            fn hash_iter<I: IntoIterator<Item = u8>>(&self, input: I) -> [u8; DIGEST_BYTES] {
                hash_iter(Algorithm::$algorithm, input.into_iter())
            }

            fn hash_iter_slices<'a, I>(&self, input: I) -> [u8; DIGEST_BYTES]
            where
                I: IntoIterator<Item = &'a [u8]>,
            {
                let mut hasher = expected(Hasher::new(Algorithm::$algorithm, &params()));
                for slice in input {
                    expected(hasher.update(slice));
                }
                finalize(hasher)
            }

            fn hash_slice(&self, input: &[u8]) -> [u8; DIGEST_BYTES] {
                hash_slice(Algorithm::$algorithm, input)
            }

            fn hash_many(&self, input: &[u8], out: &mut [[u8; DIGEST_BYTES]]) {
                hash_many(Algorithm::$algorithm, input, out);
            }
        }
    )*};
}

hashers! {
    Blake3 = Blake3, "BLAKE3";
    Blake2s = Blake2s, "BLAKE2s with 32-byte digests";
    Blake2b256 = Blake2b, "BLAKE2b with 32-byte digests";
    Blake256 = Blake256, "BLAKE-256, SHA-3 final round";
    Groestl256 = Groestl256, "Grøstl-256, SHA-3 final round";
}

/// Grøstl-256's compression function, output transformation and truncation on one block without
/// padding: about half of the time of [`Groestl256`]. It is a node's function only: all inputs have
/// 64 bytes.
///
/// # Panics
/// If the environment variable `FINALIST_IMPL` or `FINALIST_CPU` is wrong; `compress_many` also if
/// there are not as many pairs as digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Groestl256Pairs;

impl PseudoCompressionFunction<[u8; DIGEST_BYTES], 2> for Groestl256Pairs {
    const LANES: usize = LANES;

    fn compress(&self, input: [[u8; DIGEST_BYTES]; 2]) -> [u8; DIGEST_BYTES] {
        let mut digest = [[0; DIGEST_BYTES]];
        self.compress_many(&[input], &mut digest);
        digest[0]
    }

    fn compress_many(&self, inputs: &[[[u8; DIGEST_BYTES]; 2]], out: &mut [[u8; DIGEST_BYTES]]) {
        assert_eq!(
            inputs.len(),
            out.len(),
            "pairs and digests differ in number"
        );
        let pairs = inputs.as_flattened().as_flattened();
        expected(groestl_pairs_into(
            Algorithm::Groestl256,
            pairs,
            out.as_flattened_mut(),
        ));
    }
}
