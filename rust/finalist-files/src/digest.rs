// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digests of any length. A digest of BLAKE3 or BLAKE2X can be gigabytes long; it is computed in
//! pieces as it is written.

use std::io;

use finalist::Hasher;

/// Length in bytes of the longest digest that is kept in memory and written into lists.
pub const INLINE_BYTES_MAX: u64 = 64 << 10;

/// Size of the pieces of a long digest, except the last: a multiple of BLAKE2X's nodes.
const PIECE_BYTES: usize = 48 << 10;

/// The digest of a file.
pub enum Digest {
    /// The bytes of the digest.
    Inline(Vec<u8>),
    /// A digest of more than [`INLINE_BYTES_MAX`] bytes.
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
        if digest_bytes > INLINE_BYTES_MAX {
            return Ok(Digest::Long(Box::new(LongDigest {
                hasher,
                bytes_left: digest_bytes,
                piece: Vec::new(),
            })));
        }
        if position != 0 {
            let mut digest = vec![0; digest_bytes as usize];
            hasher.squeeze(&mut digest).map_err(io::Error::other)?;
            return Ok(Digest::Inline(digest));
        }
        let digest = hasher.finalize();
        digest.map(Digest::Inline).map_err(io::Error::other)
    }

    /// Returns the bytes of a digest that is not long.
    pub fn inline(self) -> Option<Vec<u8>> {
        match self {
            Digest::Inline(bytes) => Some(bytes),
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

/// Returns four bytes in hexadecimal, without a look-up: a digest may be a key.
fn digits(bytes: [u8; 4]) -> [u8; 8] {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let mut x = u64::from(u32::from_le_bytes(bytes));
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x >> 4 | x << 8) & (0x0f * EACH); // the upper half comes first
    let letters = (x + 6 * EACH) >> 4 & EACH;
    (x + u64::from(b'0') * EACH + u64::from(b'a' - b'0' - 10) * letters).to_le_bytes()
}

/// Appends bytes in hexadecimal. `hex::encode` goes character by character: many times as many
/// instructions, which for small files are a tenth of all.
pub fn append_hexadecimal(text: &mut Vec<u8>, bytes: &[u8]) {
    text.reserve(2 * bytes.len());
    for part in bytes.chunks(4) {
        let mut four = [0; 4];
        four[..part.len()].copy_from_slice(part);
        text.extend_from_slice(&digits(four)[..2 * part.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, INLINE_BYTES_MAX, append_hexadecimal};
    use finalist::{Algorithm, Hasher, Params};

    #[test]
    fn every_byte_has_its_digits() {
        for length in 0..=256 {
            let bytes: Vec<u8> = (0..length).map(|i| i as u8).collect();
            let mut text = b"before ".to_vec();
            append_hexadecimal(&mut text, &bytes);
            let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(text, format!("before {expected}").into_bytes());
        }
    }

    #[test]
    fn a_digest_of_the_greatest_length_is_inline() {
        for (bytes, is_inline) in [(INLINE_BYTES_MAX, true), (INLINE_BYTES_MAX + 1, false)] {
            let params = Params::new().digest_bytes(bytes);
            let hasher = Hasher::new_boxed(Algorithm::Blake3, &params).expect("a good length");
            let digest = Digest::of(hasher, bytes, 0).expect("a digest");
            assert_eq!(digest.inline().is_some(), is_inline);
        }
    }
}
