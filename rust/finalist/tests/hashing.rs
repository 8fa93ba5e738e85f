// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests digests, errors and the states of a hasher through the safe interface.

use std::hint::black_box;
use std::io::Write;

use finalist::{
    Algorithm, Error, Family, Hasher, Params, TreeMode, hash, hash_bits, hash_into, hash_many,
};
use hex_literal::hex;

/// Returns a message longer than every buffer and not a multiple of a block.
fn message() -> Vec<u8> {
    (0..3001_u32).map(|index| (index % 251) as u8).collect()
}

fn hasher(algorithm: Algorithm) -> Hasher {
    Hasher::new(algorithm, &Params::new()).expect("the plain function")
}

#[test]
fn known_answers() {
    let digest = |algorithm, text: &[u8]| hash(algorithm, &Params::new(), text);
    let expected = hex!(
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
    );
    assert_eq!(digest(Algorithm::Blake2b, b"abc"), Ok(expected.to_vec()));
    let expected = hex!("508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982");
    assert_eq!(digest(Algorithm::Blake2s, b"abc"), Ok(expected.to_vec()));
    let expected = hex!("716f6e863f744b9ac22c97ec7b76ea5f5908bc5b2f67c61510bfc4751384ea7a");
    assert_eq!(digest(Algorithm::Blake256, b""), Ok(expected.to_vec()));
    let expected = hex!("1a52d11d550039be16107f9c58db9ebcc417f16f736adb2502567119f0083467");
    assert_eq!(digest(Algorithm::Groestl256, b""), Ok(expected.to_vec()));
    let expected = hex!("de84b8979d9a7cdf4f6f7dc32f3da0bb6329f54e8c3754bc7fb44d86375a8e3b");
    let one_bit = hash_bits(Algorithm::Groestl256, &Params::new(), &[0], 1);
    assert_eq!(one_bit, Ok(expected.to_vec()));
}

#[test]
fn every_algorithm_is_found_by_its_name() {
    assert_eq!(Algorithm::all().len(), 23);
    for &algorithm in Algorithm::all() {
        let info = algorithm.info();
        assert_eq!(info.algorithm, algorithm);
        assert_eq!(Algorithm::from_name(info.name), Ok(algorithm));
        assert_eq!(info.name.parse(), Ok(algorithm));
        assert_eq!(algorithm.to_string(), info.name);
    }
    assert_eq!(Algorithm::Groestl0_384.info().family, Family::Groestl);
    for wrong in ["", "BLAKE256", "blake256 ", "blake256\0", "sha256"] {
        assert_eq!(
            Algorithm::from_name(wrong),
            Err(Error::Algorithm),
            "{wrong:?}"
        );
    }
}

#[test]
fn pieces_give_the_digest_of_the_whole() {
    for &algorithm in Algorithm::all() {
        let expected = hash(algorithm, &Params::new(), &message()).expect("a digest");
        for piece_bytes in [1, 63, 64, 65, 128, 1000] {
            let mut hasher = hasher(algorithm);
            for piece in message().chunks(piece_bytes) {
                hasher.update(piece).expect("a message this short");
            }
            assert_eq!(
                hasher.finalize(),
                Ok(expected.clone()),
                "{algorithm} {piece_bytes}"
            );
        }
        let mut written = hasher(algorithm);
        written.write_all(&message()).expect("a hasher takes all");
        assert_eq!(written.finalize(), Ok(expected), "{algorithm}");
    }
}

#[test]
fn clones_and_midstates_go_on_independently() {
    for &algorithm in Algorithm::all() {
        let message = message();
        let expected = hash(algorithm, &Params::new(), &message).expect("a digest");
        for split in [0, 1, 64, 127, 128, 1500] {
            let mut first = hasher(algorithm);
            first
                .update(&message[..split])
                .expect("a message this short");
            let midstate = first.save().expect("a message in progress");
            let mut others = [
                first.clone(),
                Hasher::restore(&midstate).expect("its own bytes"),
            ];
            first
                .update(b"something else")
                .expect("a message this short");
            for other in &mut others {
                assert_eq!(other.algorithm(), algorithm);
                other
                    .update(&message[split..])
                    .expect("a message this short");
                assert_eq!(
                    other.finalize(),
                    Ok(expected.clone()),
                    "{algorithm} {split}"
                );
            }
            assert_ne!(first.finalize(), Ok(expected.clone()));
        }
    }
}

/// Leaves bytes where the next calls have their variables, and in memory that the allocator gives out
/// again.
#[inline(never)]
fn leave_bytes(byte: u8) {
    black_box([byte; 1 << 16]);
    black_box(vec![byte; size_of::<Hasher>()]);
}

#[test]
fn hashers_read_only_what_was_set() {
    let message = message();
    for &algorithm in Algorithm::all() {
        let key = vec![7; algorithm.info().key_bytes_min];
        for params in [Params::new(), Params::new().key(&key)] {
            let expected = hash(algorithm, &params, &message).expect("a digest");
            for byte in [0x00, 0x5a, 0xff] {
                leave_bytes(byte);
                let mut hasher = Hasher::new(algorithm, &params).expect("a message");
                leave_bytes(byte);
                let mut boxed = Hasher::new_boxed(algorithm, &params).expect("a message");
                for hasher in [&mut hasher, &mut boxed] {
                    for part in message.chunks(200) {
                        hasher.update(part).expect("a message this short");
                    }
                    assert_eq!(
                        hasher.clone_boxed().finalize(),
                        Ok(expected.clone()),
                        "{algorithm}"
                    );
                    assert_eq!(hasher.finalize(), Ok(expected.clone()), "{algorithm}");
                }
            }
        }
    }
}

#[test]
fn midstates_of_other_bytes_are_refused() {
    let midstate = hasher(Algorithm::Blake2b)
        .save()
        .expect("a message in progress");
    for cut in 0..midstate.len() {
        assert_eq!(
            Hasher::restore(&midstate[..cut]).err(),
            Some(Error::Midstate),
            "{cut}"
        );
    }
    let mut longer = midstate.clone();
    longer.push(0);
    assert_eq!(Hasher::restore(&longer).err(), Some(Error::Midstate));
}

#[test]
fn reset_starts_the_same_message_again() {
    for &algorithm in Algorithm::all() {
        let mut hasher = hasher(algorithm);
        hasher.update(b"first").expect("a message this short");
        let first = hasher.finalize();
        assert_eq!(hasher.update(b"more"), Err(Error::State), "{algorithm}");
        assert_eq!(hasher.finalize(), Err(Error::State), "{algorithm}");
        assert_eq!(hasher.save(), Err(Error::State), "{algorithm}");
        hasher.reset().expect("no key");
        hasher.update(b"first").expect("a message this short");
        assert_eq!(hasher.finalize(), first, "{algorithm}");
    }
}

#[test]
fn a_wiped_key_cannot_be_reset() {
    let params = Params::new().key(b"secret");
    let mut hasher = Hasher::new(Algorithm::Blake2s, &params).expect("a short key");
    hasher.update(b"text").expect("a message this short");
    hasher.reset().expect("the key is still there");
    hasher.update(b"text").expect("a message this short");
    assert_eq!(
        hasher.finalize(),
        hash(Algorithm::Blake2s, &params, b"text")
    );
    assert_eq!(hasher.reset(), Err(Error::KeyWiped));
    assert!(
        !format!("{params:?} {hasher:?}").contains("115"),
        "the key's bytes are not shown"
    );
}

#[test]
fn parameters_out_of_range_have_statuses() {
    let params = Params::new;
    let tree = TreeMode {
        depth: 0,
        ..TreeMode::default()
    };
    for (algorithm, params, error) in [
        (
            Algorithm::Blake256,
            params().digest_bytes(31),
            Error::DigestLength,
        ),
        (
            Algorithm::Blake2b,
            params().digest_bytes(65),
            Error::DigestLength,
        ),
        (
            Algorithm::Blake2s,
            params().digest_bytes(33),
            Error::DigestLength,
        ),
        (
            Algorithm::Groestl224,
            params().digest_bytes(29),
            Error::DigestLength,
        ),
        (
            Algorithm::Blake2b,
            params().digest_bytes(1 << 60),
            Error::DigestLength,
        ),
        (Algorithm::Blake2b, params().key(&[0; 65]), Error::KeyLength),
        (Algorithm::Blake256, params().key(&[0; 1]), Error::KeyLength),
        (
            Algorithm::Groestl256,
            params().key(&[0; 1]),
            Error::KeyLength,
        ),
        (
            Algorithm::Blake256,
            params().salt(&[0; 15]),
            Error::SaltLength,
        ),
        (
            Algorithm::Blake2s,
            params().salt(&[0; 9]),
            Error::SaltLength,
        ),
        (
            Algorithm::Groestl256,
            params().salt(&[0; 1]),
            Error::SaltLength,
        ),
        (
            Algorithm::Blake2b,
            params().personal(&[0; 17]),
            Error::PersonalLength,
        ),
        (
            Algorithm::Blake512,
            params().personal(&[0; 1]),
            Error::PersonalLength,
        ),
        (
            Algorithm::Blake2b,
            params().tree_mode(tree),
            Error::TreeMode,
        ),
        (
            Algorithm::Blake256,
            params().tree_mode(TreeMode::default()),
            Error::TreeMode,
        ),
    ] {
        assert_eq!(
            Hasher::new(algorithm, &params).err(),
            Some(error),
            "{algorithm} {params:?}"
        );
        assert_eq!(
            hash(algorithm, &params, b""),
            Err(error),
            "{algorithm} {params:?}"
        );
    }
    assert_eq!(
        hash(Algorithm::Blake2b, &params().unknown_length(), b""),
        Err(Error::OutputLength)
    );
    assert_eq!(
        hash_bits(Algorithm::Blake2b, &params(), &[0], 7),
        Err(Error::Bits)
    );
    assert_eq!(
        hash_bits(Algorithm::Blake256, &params(), &[0], 9),
        Err(Error::Null)
    );
    let mut short = [0; 31];
    assert_eq!(
        hash_into(Algorithm::Blake256, &params(), b"", &mut short),
        Err(Error::OutputLength)
    );
    assert_eq!(short, [0; 31]);
    assert_eq!(
        Error::KeyWiped.to_string(),
        "the context's key was wiped: initialise it again"
    );
}

#[test]
fn the_default_tree_is_sequential_hashing() {
    let plain = hash(Algorithm::Blake2b, &Params::new(), b"abc");
    let node = Params::new().tree_mode(TreeMode::default());
    assert_eq!(hash(Algorithm::Blake2b, &node, b"abc"), plain);
    let last = TreeMode {
        last_node: true,
        ..TreeMode::default()
    };
    assert_ne!(
        hash(Algorithm::Blake2b, &Params::new().tree_mode(last), b"abc"),
        plain
    );
}

#[test]
fn bits_end_a_message() {
    let message = [0x12, 0x34, 0b1010_0000];
    for algorithm in [
        Algorithm::Blake224,
        Algorithm::Blake512,
        Algorithm::Groestl512,
    ] {
        let mut hasher = hasher(algorithm);
        hasher.update(&message[..2]).expect("a message this short");
        assert_eq!(hasher.finalize_bits(0, 8), Err(Error::Bits));
        let digest = hasher.finalize_bits(message[2], 3);
        assert_eq!(digest, hash_bits(algorithm, &Params::new(), &message, 19));
    }
    assert_eq!(
        hasher(Algorithm::Blake2s).finalize_bits(0x80, 1),
        Err(Error::Bits)
    );
}

#[test]
fn output_is_squeezed_in_pieces() {
    for (algorithm, bytes) in [(Algorithm::Blake2xb, 1000), (Algorithm::Blake2xs, 333)] {
        let params = Params::new().digest_bytes(bytes);
        let whole = hash(algorithm, &params, b"seed").expect("a length in range");
        let mut hasher = Hasher::new(algorithm, &params).expect("a length in range");
        hasher.update(b"seed").expect("a message this short");
        let mut out = vec![0; whole.len()];
        for piece in out.chunks_mut(37) {
            hasher.squeeze(piece).expect("within the length");
        }
        assert_eq!(out, whole, "{algorithm}");
        assert_eq!(hasher.squeeze(&mut [0]), Err(Error::OutputLength));
        assert_eq!(hasher.update(b"more"), Err(Error::State));

        let params = Params::new().unknown_length();
        let mut hasher = Hasher::new(algorithm, &params).expect("any length");
        assert_eq!(hasher.digest_bytes(), None);
        assert_eq!(hasher.finalize(), Err(Error::OutputLength));
        assert_eq!(hasher.finalize_into(&mut out), Ok(out.len()));
    }
    assert_eq!(
        hasher(Algorithm::Blake2b).squeeze(&mut [0]),
        Err(Error::Algorithm)
    );
}

#[test]
fn blake3_hashes_with_a_key_derives_keys_and_seeks() {
    let text: Vec<u8> = (0..5000u32).map(|i| (i % 251) as u8).collect();
    let key = *b"whats the Elvish word for friend";
    for params in [
        Params::new(),
        Params::new().key(&key),
        Params::new().derive_key_context(b"BLAKE3 2019-12-27 16:29:52 test vectors context"),
        Params::new().derive_key_context(b""),
    ] {
        let long = hash(Algorithm::Blake3, &params.digest_bytes(200), &text).expect("output");
        assert_eq!(
            hash(Algorithm::Blake3, &params, &text),
            Ok(long[..32].to_vec())
        );
        let mut hasher = Hasher::new(Algorithm::Blake3, &params).expect("valid parameters");
        hasher.update(&text).expect("a message this short");
        for position in [100usize, 0, 63, 199] {
            let mut byte = [0];
            hasher.seek(position as u64).expect("an output without end");
            hasher.squeeze(&mut byte).expect("an output without end");
            assert_eq!(byte[0], long[position]);
        }
    }
    let both = Params::new().key(&key).derive_key_context(b"");
    assert_eq!(hash(Algorithm::Blake3, &both, b""), Err(Error::DeriveKey));
    let short = Params::new().key(&key[..31]);
    assert_eq!(hash(Algorithm::Blake3, &short, b""), Err(Error::KeyLength));
    let serial = hasher(Algorithm::Blake2b).seek(0);
    assert_eq!(serial, Err(Error::Algorithm));
}

/// Lengths that no address space can hold, and one that exceeds any machine's memory, are errors.
#[test]
#[cfg(target_pointer_width = "64")]
fn a_digest_that_memory_cannot_hold_is_an_error() {
    let lengths = [u64::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 62, 1 << 56];
    for params in lengths.map(|bytes| Params::new().digest_bytes(bytes)) {
        let long = Err(Error::OutputLength);
        assert_eq!(hash(Algorithm::Blake3, &params, b""), long);
        assert_eq!(hash_many(Algorithm::Blake3, &params, &[b""]), long);
        assert_eq!(hash_many(Algorithm::Blake3, &params, &[b""; 3]), long);
        let mut hasher = Hasher::new(Algorithm::Blake3, &params).expect("valid parameters");
        assert_eq!(hasher.finalize(), long);
        // The hasher can still be used.
        let mut start = [0; 32];
        hasher.squeeze(&mut start).expect("an output that long");
        assert_eq!(
            hash(Algorithm::Blake3, &Params::new(), b""),
            Ok(start.into())
        );
    }
}
