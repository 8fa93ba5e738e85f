// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layers of trees in one call: digests one at a time say what they are, and which inputs are refused.

use finalist::{Algorithm, Error, Params, compress_many_into, groestl_pairs, hash};

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
fn nodes_as_one_at_a_time() {
    for algorithm in [
        Algorithm::Blake2b,
        Algorithm::Blake256,
        Algorithm::Groestl224,
    ] {
        let bytes = algorithm.info().digest_bytes;
        for node_bytes in [1, 2, 64, 128] {
            for count in 0..=9 {
                let mut digests = vec![0; count * bytes];
                let nodes = &TEXT[..count * node_bytes];
                compress_many_into(algorithm, nodes, node_bytes, &mut digests).unwrap();
                for (node, digest) in nodes.chunks(node_bytes).zip(digests.chunks(bytes)) {
                    let expected = hash(algorithm, &Params::new(), node).unwrap();
                    assert_eq!(expected.as_ref() as &[u8], digest, "{algorithm}");
                }
            }
        }
    }
}

#[test]
fn nodes_refused() {
    let mut digests = [0; 2 * 32];
    let mut refused = |bytes: usize, node_bytes: usize, room: usize| {
        let digests = &mut digests[..room];
        compress_many_into(Algorithm::Blake2s, &TEXT[..bytes], node_bytes, digests)
    };
    assert_eq!(refused(128, 0, 64), Err(Error::BlockLength));
    assert_eq!(refused(0, 0, 64), Err(Error::BlockLength));
    assert_eq!(refused(65, 64, 64), Err(Error::BlockLength));
    assert_eq!(refused(127, 64, 64), Err(Error::BlockLength));
    assert_eq!(refused(128, 64, 63), Err(Error::OutputLength));
    assert_eq!(refused(128, 64, 64), Ok(()));
}

/// Each pair by itself; 64 bytes for digests of up to 32, 128 for longer ones.
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
