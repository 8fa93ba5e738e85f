// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the block interface with whole messages.

use finalist::block::{self, Blake2bState, Blake256State, Groestl256State};
use finalist::eip152::{self, InputError};
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
    // Parameter block: digest length 64, fanout 1, depth 1.
    state.H[0] ^= 0x01010040;
    state
}

#[test]
fn blake2b_in_strides() {
    let message: Vec<u8> = (0..400_u32).map(|index| index as u8).collect();
    // A gap of 72 bytes follows each block of the message.
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

/// Returns the input of EIP-152's test vectors: rounds, the state of an unkeyed BLAKE2b with
/// digests of 64 bytes, the message "abc", its length, and the final flag.
fn eip152_input(rounds: u32, flag: u8) -> Vec<u8> {
    let mut input = rounds.to_be_bytes().to_vec();
    input.extend(blake2b_state().H.iter().flat_map(|word| word.to_le_bytes()));
    input.extend(b"abc");
    input.resize(4 + 64 + 128, 0);
    input.extend([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, flag]);
    input
}

/// Runs test vectors 0 to 7 of EIP-152 and checks its gas costs.
#[test]
fn eip152_s_vectors() {
    let input = eip152_input(12, 1);
    let refused = |input: &[u8], error| {
        assert_eq!(eip152::run(input), Err(error));
        assert_eq!(eip152::gas(input), Err(error));
    };
    refused(&[], InputError::Length);
    refused(&input[1..], InputError::Length);
    refused(&[&[0], &input[..]].concat(), InputError::Length);
    refused(&eip152_input(12, 2), InputError::FinalFlag);
    for (rounds, flag, output) in [
        (
            0,
            1,
            hex!(
                "08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5"
                "d282e6ad7f520e511f6c3e2b8c68059b9442be0454267ce079217e1319cde05b"
            ),
        ),
        (
            12,
            1,
            hex!(
                "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
            ),
        ),
        (
            12,
            0,
            hex!(
                "75ab69d3190a562c51aef8d88f1c2775876944407270c42c9844252c26d28752"
                "98743e7f6d5ea2f2d3e8d226039cd31b4e426ac4f2d3d666a610c2116fde4735"
            ),
        ),
        (
            1,
            1,
            hex!(
                "b63a380cb2897d521994a85234ee2c181b5f844d2c624c002677e9703449d2fb"
                "a551b3a8333bcdf5f2f7e08993d53923de3d64fcc68c034e717b9293fed7a421"
            ),
        ),
    ] {
        let input = eip152_input(rounds, flag);
        assert_eq!(
            eip152::run(&input),
            Ok(output),
            "{rounds} rounds, flag {flag}"
        );
        assert_eq!(eip152::gas(&input), Ok(rounds.into()));
    }
}

/// Runs test vector 8 of EIP-152: 2^32 - 1 rounds.
#[test]
#[ignore = "takes minutes"]
fn eip152_s_longest_vector() {
    let expected = hex!(
        "fc59093aafa9ab43daae0e914c57635c5402d8e3d2130eb9b3cc181de7f0ecf9"
        "b22bf99a7815ce16419e200e01846e6b5df8cc7703041bbceb571de6631d2615"
    );
    assert_eq!(eip152::run(&eip152_input(u32::MAX, 1)), Ok(expected));
}
