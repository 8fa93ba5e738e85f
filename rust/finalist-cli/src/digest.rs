// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digests of any length: BLAKE2X has some of gigabytes. Long ones are computed piece by piece where
//! they are wanted, and compared by fingerprints.

use std::io;

use finalist::{Blake2b512, Hasher};

/// Digests of at most so many bytes are held in memory, longer ones never are.
pub const HELD_BYTES_MAX: u64 = 4096;

/// Long digests come in pieces of so many bytes, the last one shorter. A multiple of 3, so that the
/// pieces in base64 form one text, and of BLAKE2X's nodes.
pub const PIECE_BYTES: usize = 48 << 10;

/// The digest of a file.
pub enum Digest {
    Held(Vec<u8>),
    Long(Box<Output>),
}

impl Digest {
    /// The digest of the message that the hasher has taken in, from that byte of its output on.
    pub fn of(mut hasher: Hasher, digest_bytes: u64, position: u64) -> io::Result<Digest> {
        if position != 0 {
            hasher.seek(position).map_err(io::Error::other)?;
        }
        if position != 0 && digest_bytes <= HELD_BYTES_MAX {
            let mut digest = vec![0; digest_bytes as usize];
            hasher.squeeze(&mut digest).map_err(io::Error::other)?;
            return Ok(Digest::Held(digest));
        }
        if digest_bytes <= HELD_BYTES_MAX {
            return hasher
                .finalize()
                .map(Digest::Held)
                .map_err(io::Error::other);
        }
        Ok(Digest::Long(Box::new(Output {
            hasher,
            bytes_left: digest_bytes,
            piece: Vec::new(),
        })))
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
pub struct Output {
    hasher: Hasher,
    bytes_left: u64,
    piece: Vec<u8>,
}

impl Output {
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

/// The digest that a line of a list names.
#[derive(Debug, PartialEq, Eq)]
pub enum Expected {
    Held(Vec<u8>),
    Long(Fingerprint),
}

impl Expected {
    /// The digest of these bytes, which are held only if it is not long.
    pub fn of(digest: Vec<u8>) -> Expected {
        if digest.len() as u64 > HELD_BYTES_MAX {
            return Expected::Long(Fingerprint::of(&digest));
        }
        Expected::Held(digest)
    }

    /// The bytes of a digest that is not long.
    pub fn held(self) -> Option<Vec<u8>> {
        match self {
            Expected::Held(bytes) => Some(bytes),
            Expected::Long(_) => None,
        }
    }

    pub fn digest_bytes(&self) -> u64 {
        match self {
            Expected::Held(bytes) => bytes.len() as u64,
            Expected::Long(fingerprint) => fingerprint.digest_bytes,
        }
    }

    /// Whether the digest is this one.
    pub fn is(&self, digest: Digest) -> bool {
        match (self, digest) {
            (Expected::Held(expected), Digest::Held(digest)) => *expected == digest,
            (Expected::Held(_), Digest::Long(_)) => false,
            (Expected::Long(expected), Digest::Held(digest)) => {
                *expected == Fingerprint::of(&digest)
            }
            (Expected::Long(expected), Digest::Long(mut output)) => {
                let mut hasher = FingerprintHasher::default();
                while let Some(piece) = output.next_piece() {
                    hasher.update(piece);
                }
                *expected == hasher.finish()
            }
        }
    }
}

/// Stands for a long digest: equal ones are of equal digests, as nobody can find two messages with
/// the same BLAKE2b. So a line is read once, whether its digest or its name comes first.
#[derive(Debug, PartialEq, Eq)]
pub struct Fingerprint {
    digest_bytes: u64,
    hash: finalist::Digest<64>,
}

impl Fingerprint {
    pub fn of(digest: &[u8]) -> Fingerprint {
        let mut hasher = FingerprintHasher::default();
        hasher.update(digest);
        hasher.finish()
    }
}

/// Takes a fingerprint piece by piece.
#[derive(Default)]
pub struct FingerprintHasher {
    digest_bytes: u64,
    hasher: Blake2b512,
}

impl FingerprintHasher {
    pub fn update(&mut self, piece: &[u8]) {
        self.digest_bytes += piece.len() as u64;
        self.hasher.update(piece);
    }

    pub fn finish(self) -> Fingerprint {
        Fingerprint {
            digest_bytes: self.digest_bytes,
            hash: self.hasher.finalize(),
        }
    }
}
