// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digests of any length: BLAKE3 and BLAKE2X have some of gigabytes. Those are computed piece by piece
//! where they are wanted.

use std::io;

use finalist::Hasher;

/// Digests of at most so many bytes are held in memory and stand in lists, longer ones never do.
pub const HELD_BYTES_MAX: u64 = 64 << 10;

/// Long digests come in pieces of so many bytes, the last one shorter: a multiple of BLAKE2X's nodes.
const PIECE_BYTES: usize = 48 << 10;

/// The digest of a file.
pub enum Digest {
    /// All of its bytes.
    Held(Vec<u8>),
    /// One of more than [`HELD_BYTES_MAX`].
    Long(Box<LongDigest>),
}

impl Digest {
    /// The digest of the message that the hasher has taken in, from that byte of its output on.
    ///
    /// # Errors
    /// The output does not reach so far.
    pub fn of(mut hasher: Hasher, digest_bytes: u64, position: u64) -> io::Result<Digest> {
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

    /// The bytes of a digest that is not long.
    pub fn held(self) -> Option<Vec<u8>> {
        match self {
            Digest::Held(bytes) => Some(bytes),
            Digest::Long(_) => None,
        }
    }
}

/// A long digest that is yet to be computed.
pub struct LongDigest {
    hasher: Hasher,
    bytes_left: u64,
    piece: Vec<u8>,
}

impl LongDigest {
    /// The next bytes of the digest; `None` at its end.
    pub fn next_piece(&mut self) -> Option<&[u8]> {
        let left = usize::try_from(self.bytes_left).unwrap_or(PIECE_BYTES);
        let bytes = left.min(PIECE_BYTES);
        self.piece.resize(bytes, 0);
        let squeezed = self.hasher.squeeze(&mut self.piece);
        squeezed.expect("the digest has so many bytes");
        self.bytes_left -= bytes as u64;
        (bytes != 0).then_some(&self.piece[..])
    }
}
