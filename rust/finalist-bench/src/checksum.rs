// SPDX-License-Identifier: MIT OR Apache-2.0
//! SUPERCOP's checksum of a hash function: hashes messages from a Salsa20 key stream and absorbs
//! the digests with the Salsa20 core. vectors/README.md describes the procedure.

use crate::vectors::ChecksumSize;

const KEY: &[u8; 32] = b"generate inputs for test vectors";
const CONSTANTS: &[u8; 16] = b"expand 32-byte k";
const ROUND_PAIRS: usize = 10;

impl ChecksumSize {
    const fn loops(self) -> usize {
        match self {
            ChecksumSize::Small => 64,
            ChecksumSize::Big => 512,
        }
    }

    const fn message_bytes_max(self) -> u64 {
        match self {
            ChecksumSize::Small => 128,
            ChecksumSize::Big => 4096,
        }
    }
}

/// Returns the checksum of the function `hash`.
pub fn checksum<E>(
    size: ChecksumSize,
    mut hash: impl FnMut(&[u8]) -> Result<Vec<u8>, E>,
) -> Result<[u8; 32], E> {
    let mut requests = Requests(0);
    let mut state = [0; 64];
    for _ in 0..size.loops() {
        let random = u64::from_le_bytes(requests.next(8)[..].try_into().expect("8 bytes"));
        let message_bytes = (random % (size.message_bytes_max() + 1)) as usize;
        absorb(&mut state, &hash(&requests.next(message_bytes))?);
    }
    Ok(*state.first_chunk().expect("64 bytes hold 32"))
}

/// A source of pseudorandom bytes: each request starts a new key stream.
struct Requests(u64);

impl Requests {
    fn next(&mut self, bytes: usize) -> Vec<u8> {
        let nonce = self.0.to_le_bytes();
        self.0 += 1;
        let blocks = (0..bytes.div_ceil(64) as u64).flat_map(|counter| {
            let mut input = [0; 16];
            input[..8].copy_from_slice(&nonce);
            input[8..].copy_from_slice(&counter.to_le_bytes());
            core(KEY, &input)
        });
        blocks.take(bytes).collect()
    }
}

fn absorb(state: &mut [u8; 64], digest: &[u8]) {
    let pieces = digest.chunks_exact(16);
    let rest = pieces.remainder();
    for piece in pieces {
        permute(state, piece.try_into().expect("a piece has 16 bytes"));
    }
    let mut padded = [0; 16];
    padded[..rest.len()].copy_from_slice(rest);
    padded[rest.len()] = 1;
    state[0] ^= 1;
    permute(state, &padded);
}

fn permute(state: &mut [u8; 64], piece: &[u8; 16]) {
    *state = core(state.first_chunk().expect("64 bytes hold 32"), piece);
}

/// Returns Salsa20's core with its feed-forward: the block of key stream for nonce and counter in
/// `input`.
fn core(key: &[u8; 32], input: &[u8; 16]) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (place, part) in [
        (0, &CONSTANTS[0..4]),
        (4, &key[..16]),
        (20, &CONSTANTS[4..8]),
        (24, &input[..]),
        (40, &CONSTANTS[8..12]),
        (44, &key[16..]),
        (60, &CONSTANTS[12..]),
    ] {
        bytes[place..place + part.len()].copy_from_slice(part);
    }
    let mut start = [0; 16];
    for (word, four) in start.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_le_bytes(four.try_into().expect("4 bytes"));
    }
    let mut x = start;
    for _ in 0..ROUND_PAIRS {
        for step in [4, 1] {
            // Columns, then rows: each quarter round starts on the diagonal and wraps around its
            // column or row.
            for line in 0..4 {
                let base = line * (5 - step);
                let place = |k: usize| base + (line + k) % 4 * step;
                quarter_round(&mut x, [place(0), place(1), place(2), place(3)]);
            }
        }
    }
    for (place, (word, first)) in bytes.chunks_exact_mut(4).zip(x.iter().zip(start)) {
        place.copy_from_slice(&word.wrapping_add(first).to_le_bytes());
    }
    bytes
}

fn quarter_round(x: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    x[b] ^= x[a].wrapping_add(x[d]).rotate_left(7);
    x[c] ^= x[b].wrapping_add(x[a]).rotate_left(9);
    x[d] ^= x[c].wrapping_add(x[b]).rotate_left(13);
    x[a] ^= x[d].wrapping_add(x[c]).rotate_left(18);
}
