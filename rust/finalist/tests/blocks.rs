// SPDX-License-Identifier: MIT OR Apache-2.0
//! The block interface against whole messages.

use finalist::block::{self, Blake2bState, Blake256State, Groestl256State, blake2b_f};
use finalist::{Algorithm, Error, Params, hash};
use hex_literal::hex;

/// The initial value of SHA-512 and BLAKE2b.
const IV: [u64; 8] = [
    0x6a09e667f3bcc908,
    0xbb67ae8584caa73b,
    0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1,
    0x510e527fade682d1,
    0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b,
    0x5be0cd19137e2179,
];

fn blake2b_state() -> Blake2bState {
    let mut state = Blake2bState {
        H: IV,
        ..Default::default()
    };
    // Digest length 64, fanout 1, depth 1.
    state.H[0] ^= 0x01010040;
    state
}

#[test]
fn blake2b_in_strides() {
    let message: Vec<u8> = (0..400_u32).map(|index| index as u8).collect();
    // Each block of the message with a gap of 72 bytes after it.
    let mut input = vec![0xff; 3 * 200 + 16];
    for (index, block) in message.chunks(128).enumerate() {
        input[200 * index..200 * index + block.len()].copy_from_slice(block);
    }
    let mut state = blake2b_state();
    block::blake2b(&mut state, &input, 384, 200).expect("whole blocks");
    assert_eq!(state.T, [384, 0]);
    state.F[0] = u64::MAX;
    block::blake2b(&mut state, &input[600..], 16, 200).expect("the message's end");
    let digest: Vec<u8> = state.H.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(
        hash(Algorithm::Blake2b, &Params::new(), &message),
        Ok(digest)
    );
}

#[test]
fn wrong_lengths_change_nothing() {
    let mut state = blake2b_state();
    let input = [0; 512];
    for (bytes, stride, error) in [
        (127, 128, Error::BlockLength),
        (513, 128, Error::Null),
        (256, 385, Error::Null),
        (256, usize::MAX, Error::Null),
        (usize::MAX, usize::MAX, Error::Null),
    ] {
        assert_eq!(
            block::blake2b(&mut state, &input, bytes, stride),
            Err(error),
            "{bytes}"
        );
        assert_eq!(state, blake2b_state());
    }
    block::blake2b(&mut state, &input, 256, 384).expect("the second block ends with the input");
    state = blake2b_state();
    state.F[0] = u64::MAX;
    assert_eq!(
        block::blake2b(&mut state, &input, 129, 128),
        Err(Error::BlockLength)
    );
    let mut state = Blake256State {
        T: [0xffff_fe00, 0xffff_ffff],
        ..Default::default()
    };
    assert_eq!(
        block::blake256(&mut state, &input, 128, 64),
        Err(Error::MessageLength)
    );
}

#[test]
fn groestl_s_digest_is_the_state_s_end() {
    let mut state = Groestl256State {
        H: [0; 64],
        T: [0],
        F: [u64::MAX],
    };
    state.H[62..].copy_from_slice(&256_u16.to_be_bytes());
    block::groestl256(&mut state, b"abc", 3, 64).expect("the message's end");
    let digest = hash(Algorithm::Groestl256, &Params::new(), b"abc").expect("a digest");
    assert_eq!(state.H[32..], digest);
}

/// Test vector 5 of EIP-152.
#[test]
fn f_with_twelve_rounds() {
    let mut h = blake2b_state().H;
    let mut m = [0; 128];
    m[..3].copy_from_slice(b"abc");
    blake2b_f(12, &mut h, &m, [3, 0], true);
    let bytes: Vec<u8> = h.iter().flat_map(|word| word.to_le_bytes()).collect();
    let expected = hex!(
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
    );
    assert_eq!(bytes, expected);
}
