// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares layers of trees in one call with single digests, and checks which inputs are refused.

use finalist::{Algorithm, Error, Params, groestl_pairs, hash, hash_equal_into};

const TEXT: [u8; 9 * 128] = {
    let mut text = [0; 9 * 128];
    let mut i = 0;
    while i < text.len() {
        text[i] = (i % 251) as u8;
        i += 1;
    }
    text
};

#[test]
fn equal_lengths_as_one_at_a_time() {
    let key = [3; 16];
    for (algorithm, params) in [
        (Algorithm::Blake2b, Params::new()),
        (Algorithm::Blake2b, Params::new().digest_bytes(32).key(&key)),
        (
            Algorithm::Blake2s,
            Params::new().salt(b"salt").personal(b"person"),
        ),
        (Algorithm::Blake256, Params::new()),
        (Algorithm::Groestl224, Params::new()),
    ] {
        let bytes = hash(algorithm, &params, b"").unwrap().len();
        for message_bytes in [1, 2, 64, 128] {
            for count in 0..=9 {
                let mut digests = vec![0; count * bytes];
                let messages = &TEXT[..count * message_bytes];
                hash_equal_into(algorithm, &params, messages, message_bytes, &mut digests).unwrap();
                for (message, digest) in messages.chunks(message_bytes).zip(digests.chunks(bytes)) {
                    let expected = hash(algorithm, &params, message).unwrap();
                    assert_eq!(expected.as_ref() as &[u8], digest, "{algorithm}");
                }
            }
        }
    }
}

#[test]
fn equal_lengths_refused() {
    let mut digests = [0; 2 * 32];
    let mut refused = |params: &Params<'_>, bytes: usize, message_bytes: usize, room: usize| {
        let digests = &mut digests[..room];
        hash_equal_into(
            Algorithm::Blake2s,
            params,
            &TEXT[..bytes],
            message_bytes,
            digests,
        )
    };
    let none = Params::new();
    assert_eq!(refused(&none, 128, 0, 64), Err(Error::BlockLength));
    assert_eq!(refused(&none, 0, 0, 64), Err(Error::BlockLength));
    assert_eq!(refused(&none, 65, 64, 64), Err(Error::BlockLength));
    assert_eq!(refused(&none, 127, 64, 64), Err(Error::BlockLength));
    assert_eq!(refused(&none, 128, 64, 63), Err(Error::OutputLength));
    assert_eq!(refused(&none, 128, 64, 64), Ok(()));
    let long = Params::new().digest_bytes(33);
    assert_eq!(refused(&long, 128, 64, 64), Err(Error::DigestLength));
}

/// Compares pairs one at a time: 64 bytes for digests of up to 32, 128 for longer ones.
#[test]
fn pairs() {
    for (algorithm, block) in [
        (Algorithm::Groestl224, 64),
        (Algorithm::Groestl256, 64),
        (Algorithm::Groestl384, 128),
        (Algorithm::Groestl512, 128),
    ] {
        let bytes = algorithm.info().digest_bytes;
        for count in 0..=9 {
            let digests = groestl_pairs(algorithm, &TEXT[..count * block]).unwrap();
            assert_eq!(digests.len(), count * bytes, "{algorithm}");
            for (pair, digest) in TEXT.chunks(block).zip(digests.chunks(bytes)) {
                assert_eq!(
                    groestl_pairs(algorithm, pair).unwrap(),
                    digest,
                    "{algorithm}"
                );
            }
        }
        for wrong in [1, block - 1, block + 1, 2 * block - 1] {
            assert_eq!(
                groestl_pairs(algorithm, &TEXT[..wrong]),
                Err(Error::BlockLength)
            );
        }
    }
    assert_eq!(
        groestl_pairs(Algorithm::Blake2b, &TEXT),
        Err(Error::Algorithm)
    );
}
