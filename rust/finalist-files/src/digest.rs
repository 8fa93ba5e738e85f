// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digests of any length. A digest of BLAKE3 or BLAKE2X can be gigabytes long; it is computed in
//! pieces as it is written.

use std::io;

use finalist::Hasher;

/// Length in bytes of the longest digest that is kept in memory and written into lists.
pub const HELD_BYTES_MAX: u64 = 64 << 10;

/// Size of the pieces of a long digest, except the last: a multiple of BLAKE2X's nodes.
const PIECE_BYTES: usize = 48 << 10;

/// The digest of a file.
pub enum Digest {
    /// The bytes of the digest.
    Held(Vec<u8>),
    /// A digest of more than [`HELD_BYTES_MAX`] bytes.
    Long(Box<LongDigest>),
}

impl Digest {
    /// Returns the digest of the message that the hasher has processed, from this byte of its
    /// output.
    ///
    /// # Errors
    /// The output ends before the digest does.
    pub fn of(mut hasher: Box<Hasher>, digest_bytes: u64, position: u64) -> io::Result<Digest> {
        if position != 0 {
            hasher.seek(position).map_err(io::Error::other)?;
        }
        if digest_bytes > HELD_BYTES_MAX {
            return Ok(Digest::Long(Box::new(LongDigest {
                hasher,
                bytes_left: digest_bytes,
                piece: Vec::new(),
            })));
        }
        if position != 0 {
            let mut digest = vec![0; digest_bytes as usize];
            hasher.squeeze(&mut digest).map_err(io::Error::other)?;
            return Ok(Digest::Held(digest));
        }
        let digest = hasher.finalize();
        digest.map(Digest::Held).map_err(io::Error::other)
    }

    /// Returns the bytes of a digest that is not long.
    pub fn held(self) -> Option<Vec<u8>> {
        match self {
            Digest::Held(bytes) => Some(bytes),
            Digest::Long(_) => None,
        }
    }
}

/// A long digest that is computed as it is read.
pub struct LongDigest {
    hasher: Box<Hasher>,
    bytes_left: u64,
    piece: Vec<u8>,
}

impl LongDigest {
    /// Returns the next bytes of the digest; `None` at its end.
    pub fn next_piece(&mut self) -> Option<&[u8]> {
        let left = usize::try_from(self.bytes_left).unwrap_or(PIECE_BYTES);
        let bytes = left.min(PIECE_BYTES);
        self.piece.resize(bytes, 0);
        let squeezed = self.hasher.squeeze(&mut self.piece);
        squeezed.expect("the output is that long");
        self.bytes_left -= bytes as u64;
        (bytes != 0).then_some(&self.piece[..])
    }
}

/// Appends bytes in hexadecimal. `hex::encode` goes character by character: many times as many
/// instructions, which for small files are a tenth of all. A digest may be a key: no look-up.
pub fn append_hexadecimal(text: &mut Vec<u8>, bytes: &[u8]) {
    let digit = |half: u8| b'0' + half + u8::from(half > 9) * (b'a' - b'0' - 10);
    let before = text.len();
    text.resize(before + 2 * bytes.len(), 0);
    let places = text[before..].chunks_exact_mut(2);
    for (place, &byte) in places.zip(bytes) {
        place.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, HELD_BYTES_MAX};
    use finalist::{Algorithm, Hasher, Params};

    #[test]
    fn a_digest_of_the_greatest_length_is_held() {
        for (bytes, is_held) in [(HELD_BYTES_MAX, true), (HELD_BYTES_MAX + 1, false)] {
            let params = Params::new().digest_bytes(bytes);
            let hasher = Hasher::new_boxed(Algorithm::Blake3, &params).expect("a good length");
            let digest = Digest::of(hasher, bytes, 0).expect("a digest");
            assert_eq!(digest.held().is_some(), is_held);
        }
    }
}
