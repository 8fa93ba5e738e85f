// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests trees through the safe interface: all methods and all numbers of threads agree.

use finalist::{
    Algorithm, Error, Hasher, Node, Params, TreeMode, hash, hash_nodes, merkle, tree_mode,
};

fn message(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|index| (index % 251) as u8).collect()
}

const SHAPE: tree_mode::Shape = tree_mode::Shape {
    fanout: 3,
    depth: 4,
    leaf_bytes: 1000,
    inner_bytes: 32,
};

/// The offset and the flag of each node are its own, whatever those of the tree are.
#[test]
fn nodes_are_hashed_as_one_by_one() {
    let (params, tree) = (
        Params::new(),
        TreeMode {
            fanout: 2,
            depth: 3,
            ..TreeMode::default()
        },
    );
    let messages = [b"one", b"two", b"six"];
    let node = |at: usize| Node {
        message: messages[at],
        node_offset: at as u64,
        last_node: at == 2,
    };
    let other = TreeMode {
        node_offset: 7,
        last_node: true,
        ..tree
    };
    for count in [1, 3] {
        let nodes: Vec<_> = (0..count).map(node).collect();
        let digests = hash_nodes(Algorithm::Blake2s, &params, other, &nodes).unwrap();
        for (node, digest) in nodes.iter().zip(digests.chunks(32)) {
            let (node_offset, last_node) = (node.node_offset, node.last_node);
            let own = params.tree_mode(TreeMode {
                node_offset,
                last_node,
                ..tree
            });
            assert_eq!(
                hash(Algorithm::Blake2s, &own, node.message).unwrap(),
                digest
            );
        }
    }
}

#[test]
fn merkle_proofs_hold_and_damaged_ones_do_not() {
    let (algorithm, params) = (Algorithm::Groestl256, Params::new());
    let leaves: Vec<_> = (0..11).map(|count| message(count * 97)).collect();
    let hashes = merkle::leaf_hashes(algorithm, &params, &leaves).expect("hashes");
    let root = merkle::root(algorithm, &params, &hashes).expect("a root");
    for (index, leaf) in hashes.chunks(32).enumerate() {
        let proof = merkle::inclusion(algorithm, &params, &hashes, index).expect("a proof");
        let verify = |leaf: &[u8], index, proof: &[u8], root: &[u8]| {
            merkle::verify_inclusion(algorithm, &params, leaf, index, 11, proof, root)
        };
        let index = index as u64;
        assert_eq!(verify(leaf, index, &proof, &root), Ok(()));
        assert_eq!(verify(leaf, 11, &proof, &root), Err(Error::Index));
        assert_eq!(verify(leaf, index, &proof[1..], &root), Err(Error::Proof));
        assert_eq!(verify(leaf, index, &proof[32..], &root), Err(Error::Proof));
        assert_eq!(verify(&leaf[1..], index, &proof, &root), Err(Error::Proof));
        assert_eq!(verify(leaf, index, &proof, &root[1..]), Err(Error::Proof));
        assert_eq!(verify(leaf, index, &proof, leaf), Err(Error::Proof));
        // One extra byte, which is not read, must be noticed.
        let longer = |hash: &[u8]| [hash, &[0]].concat();
        let verified = verify(&longer(leaf), index, &proof, &root);
        assert_eq!(verified, Err(Error::Proof));
        let verified = verify(leaf, index, &proof, &longer(&root));
        assert_eq!(verified, Err(Error::Proof));

        let old = index as usize + 1;
        let old_root = merkle::root(algorithm, &params, &hashes[..32 * old]).expect("a root");
        let proof = merkle::consistency(algorithm, &params, &hashes, old).expect("a proof");
        let verify = |old, proof: &[u8]| {
            let old = old as u64;
            merkle::verify_consistency(algorithm, &params, old, &old_root, 11, &root, proof)
        };
        assert_eq!(verify(old, &proof), Ok(()));
        assert_eq!(verify(0, &proof), Err(Error::Index));
        assert_eq!(verify(12, &proof), Err(Error::Index));
        assert_eq!(
            verify(old, &[&proof[..], &root].concat()),
            Err(Error::Proof)
        );
    }
    let wrong = merkle::inclusion(algorithm, &params, &hashes, 11);
    assert_eq!(wrong, Err(Error::Index));
    let wrong = merkle::root(algorithm, &params, &hashes[1..]);
    assert_eq!(wrong, Err(Error::BlockLength));
}

#[test]
fn the_empty_tree_has_the_empty_message_s_hash() {
    let params = Params::new().digest_bytes(20).key(b"key");
    let tree = merkle::Tree::new(Algorithm::Blake2b, &params).expect("a tree");
    assert_eq!(tree.root(), hash(Algorithm::Blake2b, &params, b""));
    assert_eq!((tree.leaf_count(), tree.hash_bytes()), (0, 20));
}

#[test]
fn equal_leaves_make_the_tree_of_their_hashes() {
    let params = Params::new();
    let mut tree = merkle::Tree::new(Algorithm::Blake2b, &params).expect("a tree");
    for bytes in [0, 63, 65, 128] {
        let wrong = tree.append_equal(&vec![7; bytes], 5);
        assert_eq!(wrong, Err(Error::BlockLength), "{bytes}");
    }
    assert_eq!(tree.append_equal(&[7; 64], 5), Ok(()));
    let root = merkle::root(Algorithm::Blake2b, &params, &[7; 5 * 64]);
    assert_eq!(tree.root(), root);
}

#[test]
fn parameters_that_no_tree_takes() {
    let of = |algorithm, params: Params<'_>| merkle::Tree::new(algorithm, &params).map(|_| ());
    let long = Params::new().digest_bytes(65);
    assert_eq!(of(Algorithm::Blake2xb, long), Err(Error::DigestLength));
    let unknown = Params::new().unknown_length();
    assert_eq!(of(Algorithm::Blake2xs, unknown), Err(Error::DigestLength));
    let node = Params::new().tree_mode(finalist::TreeMode::default());
    assert_eq!(of(Algorithm::Blake2s, node), Err(Error::TreeMode));
    let of = |algorithm, shape| tree_mode::hash(algorithm, &Params::new(), shape, b"");
    assert_eq!(of(Algorithm::Blake256, SHAPE), Err(Error::TreeMode));
    assert_eq!(of(Algorithm::Blake2bp, SHAPE), Err(Error::TreeMode));
    let flat = tree_mode::Shape { depth: 1, ..SHAPE };
    assert_eq!(of(Algorithm::Blake2b, flat), Err(Error::TreeMode));
}

#[test]
fn a_tree_s_digest_is_taken_once() {
    let hasher = tree_mode::TreeModeHasher::new(Algorithm::Blake2s, &Params::new(), SHAPE);
    let mut hasher = hasher.expect("a tree");
    hasher.update(&message(4000)).expect("a message this short");
    let whole = tree_mode::hash(Algorithm::Blake2s, &Params::new(), SHAPE, &message(4000));
    assert_eq!(hasher.finalize(), whole);
    assert_eq!(hasher.finalize(), Err(Error::State));
    assert_eq!(hasher.update(b"more"), Err(Error::State));
}

/// Functions that share a message among threads, and one that does not.
#[cfg(feature = "std")]
const SHARED: [(Algorithm, Params<'static>); 5] = [
    (Algorithm::Blake2bp, Params::new().key(b"key")),
    (Algorithm::Blake2sp, Params::new().key(b"key")),
    (Algorithm::Blake2b, Params::new().key(b"key")),
    (Algorithm::Blake3, Params::new()),
    (Algorithm::Blake3, Params::new().key(&[7; 32])),
];

/// Runs with 1, 2, 3, 7 and 9 threads.
#[cfg(feature = "rayon")]
fn with_threads(test: impl Fn() + Sync) {
    for threads in [1, 2, 3, 7, 9] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(&test);
    }
}

#[cfg(feature = "std")]
#[test]
fn any_number_of_started_threads_gives_the_same() {
    const SHARED_BYTES_MIN: usize = 1 << 20;
    let message = message(2 * SHARED_BYTES_MIN + 1001);
    for (algorithm, params) in SHARED {
        let expected = hash(algorithm, &params, &message);
        for threads in [0, 1, 2, 3, 7, 9] {
            for first in [0, 1, 700, SHARED_BYTES_MIN, SHARED_BYTES_MIN + 77] {
                let mut hasher = Hasher::new(algorithm, &params).expect("a key");
                for part in [&message[..first], &message[first..]] {
                    hasher.update_in_threads(part, threads).expect("a part");
                }
                assert_eq!(hasher.finalize(), expected, "{algorithm}, {first}");
            }
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_gives_the_same() {
    // BLAKE3's threads share subtrees of 256 KiB.
    let message = message(1_200_001);
    for (algorithm, params) in SHARED {
        let expected = hash(algorithm, &params, &message);
        with_threads(|| {
            for first in [0, 1, 700, 100_000, 400_001] {
                let mut hasher = Hasher::new(algorithm, &params).expect("a key");
                hasher
                    .update_parallel(&message[..first])
                    .expect("a message this short");
                hasher
                    .update_parallel(&message[first..])
                    .expect("a message this short");
                assert_eq!(hasher.finalize(), expected, "{algorithm}, {first}");
            }
        });
    }
    let key = Params::new().key(b"key");
    // A leaf of any length, which no threads share, too.
    let unlimited = tree_mode::Shape {
        leaf_bytes: 0,
        ..SHAPE
    };
    for (algorithm, shape) in [
        (Algorithm::Blake2b, SHAPE),
        (Algorithm::Blake2s, SHAPE),
        (Algorithm::Blake2b, unlimited),
    ] {
        for end in [0, 999, 1000, 1001, 64_000, 65_000, 400_001] {
            let message = &message[..end];
            let expected = tree_mode::hash(algorithm, &key, shape, message);
            with_threads(|| {
                for first in [0, 1, 1000, 2500, 130_000] {
                    let first = first.min(end);
                    let hasher = tree_mode::TreeModeHasher::new(algorithm, &key, shape);
                    let mut hasher = hasher.expect("a shape");
                    hasher
                        .update_parallel(&message[..first])
                        .expect("a message this short");
                    hasher
                        .update_parallel(&message[first..])
                        .expect("a message this short");
                    assert_eq!(hasher.finalize(), expected, "{algorithm}, {end}, {first}");
                }
            });
        }
    }
    for count in [0, 1, 2, 5, 401] {
        let leaves: Vec<_> = message.chunks(1000).take(count).collect();
        let expected = merkle::leaf_hashes(Algorithm::Blake256, &Params::new(), &leaves);
        with_threads(|| {
            let hashes = merkle::leaf_hashes_parallel(Algorithm::Blake256, &Params::new(), &leaves);
            assert_eq!(hashes, expected);
        });
    }
}
