// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares digests with the plain functions and with Plonky3's own hashers, and builds Plonky3's
//! Merkle trees.

use finalist::{Algorithm, Params};
use finalist_p3::{Blake2b256, Blake2s, Blake3, Blake256, Groestl256, Groestl256Pairs};
use p3_baby_bear::BabyBear;
use p3_commit::{BatchOpeningRef, Mmcs};
use p3_field::PrimeCharacteristicRing;
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_symmetric::{
    CompressionFunctionFromHasher, CryptographicHasher, PseudoCompressionFunction,
    SerializingHasher,
};

trait ByteHasher: CryptographicHasher<u8, [u8; 32]> + Sync {}
impl<H: CryptographicHasher<u8, [u8; 32]> + Sync> ByteHasher for H {}
trait NodeHasher: PseudoCompressionFunction<[u8; 32], 2> + Sync {}
impl<C: PseudoCompressionFunction<[u8; 32], 2> + Sync> NodeHasher for C {}

/// Returns bytes with a period of 251, a prime, so that swapped blocks show.
fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|i| (i % 251) as u8).collect()
}

fn check_digests<H: ByteHasher>(hasher: &H, expected: impl Fn(&[u8]) -> [u8; 32]) {
    for length in [0, 1, 31, 64, 65, 128, 511, 512, 513, 1024, 1025, 3000, 5000] {
        let message = bytes(length);
        let digest = expected(&message);
        assert_eq!(hasher.hash_slice(&message), digest, "{length}");
        assert_eq!(
            hasher.hash_iter(message.iter().copied()),
            digest,
            "{length}"
        );
        assert_eq!(
            hasher.hash_iter_slices(message.chunks(100)),
            digest,
            "{length}"
        );
        for count in [0, 1, 2, 15, 16, 17, 64, 100] {
            let messages = bytes(length * count);
            let mut digests = vec![[0; 32]; count];
            hasher.hash_many(&messages, &mut digests);
            for (i, digest) in digests.iter().enumerate() {
                let message = &messages[i * length..][..length];
                assert_eq!(*digest, expected(message), "{i} of {count}, {length}");
            }
        }
    }
}

#[test]
fn digests_are_those_of_the_plain_functions() {
    fn plain(algorithm: Algorithm) -> impl Fn(&[u8]) -> [u8; 32] {
        move |message| {
            let mut digest = [0; 32];
            let params = Params::new().digest_bytes(32);
            finalist::hash_into(algorithm, &params, message, &mut digest).unwrap();
            digest
        }
    }
    check_digests(&Blake3, plain(Algorithm::Blake3));
    check_digests(&Blake2s, plain(Algorithm::Blake2s));
    check_digests(&Blake2b256, plain(Algorithm::Blake2b));
    check_digests(&Blake256, plain(Algorithm::Blake256));
    check_digests(&Groestl256, plain(Algorithm::Groestl256));
}

#[test]
fn digests_are_those_of_plonky3() {
    check_digests(&Blake3, |message| p3_blake3::Blake3.hash_slice(message));
    check_digests(&Blake2s, |message| {
        p3_blake2s::Blake2s256.hash_slice(message)
    });
}

#[test]
fn pairs_are_compressed_one_by_one_or_together() {
    let children: Vec<[[u8; 32]; 2]> = (0..100u8).map(|i| [[i; 32], [!i; 32]]).collect();
    let mut together = vec![[0; 32]; 100];
    Groestl256Pairs.compress_many(&children, &mut together);
    for (pair, digest) in children.iter().zip(&together) {
        assert_eq!(Groestl256Pairs.compress(*pair), *digest);
        let mut expected = [0; 32];
        let pair = pair.as_flattened();
        finalist::groestl_pairs_into(Algorithm::Groestl256, pair, &mut expected).unwrap();
        assert_eq!(*digest, expected);
    }
}

#[test]
#[should_panic(expected = "65 bytes are not 2 messages of one length")]
fn ragged_messages_are_refused() {
    Blake3.hash_many(&[0; 65], &mut [[0; 32]; 2]);
}

#[test]
#[should_panic(expected = "pairs and digests differ in number")]
fn ragged_pairs_are_refused() {
    Groestl256Pairs.compress_many(&[[[0; 32]; 2]; 3], &mut [[0; 32]; 2]);
}

/// Hashes one message at a time, even if the function could hash several.
#[derive(Clone)]
struct OneByOne<T>(T);

impl<H: ByteHasher> CryptographicHasher<u8, [u8; 32]> for OneByOne<H> {
    fn hash_iter<I: IntoIterator<Item = u8>>(&self, input: I) -> [u8; 32] {
        self.0.hash_slice(&input.into_iter().collect::<Vec<_>>())
    }
}

impl<C: NodeHasher> PseudoCompressionFunction<[u8; 32], 2> for OneByOne<C> {
    fn compress(&self, input: [[u8; 32]; 2]) -> [u8; 32] {
        self.0.compress(input)
    }
}

type Trees<H, C> = MerkleTreeMmcs<BabyBear, u8, SerializingHasher<H>, C, 2, 32>;

/// Commits to matrices of these heights, opens every row of the highest, and verifies.
fn check_trees<H: ByteHasher, C: NodeHasher>(
    hasher: &H,
    nodes: &C,
    heights: &[usize],
    width: usize,
) {
    let elements = |count: usize| {
        (0..count as u32)
            .map(|i| BabyBear::from_u32(i * i + 7))
            .collect()
    };
    let matrices: Vec<_> = heights
        .iter()
        .map(|height| RowMajorMatrix::new(elements(height * width), width))
        .collect();
    let dimensions: Vec<_> = matrices.iter().map(Matrix::dimensions).collect();

    let trees = Trees::new(SerializingHasher::new(hasher.clone()), nodes.clone(), 0);
    let slow = SerializingHasher::new(OneByOne(hasher.clone()));
    let slow = Trees::new(slow, OneByOne(nodes.clone()), 0);
    let (root, tree) = trees.commit(matrices.clone());
    assert_eq!(root, slow.commit(matrices).0);

    for index in 0..heights[0] {
        let mut opening = trees.open_batch(index, &tree);
        let verify = |opening: BatchOpeningRef<'_, _, _>| {
            trees.verify_batch(&root, &dimensions, index, opening)
        };
        verify((&opening).into()).expect("a valid opening");
        opening.opened_values[0][0] += BabyBear::ONE;
        verify((&opening).into()).expect_err("an opening of another value");
    }
}

#[test]
fn trees_are_built_opened_and_verified() {
    fn all_shapes<H: ByteHasher, C: NodeHasher>(hasher: &H, nodes: &C) {
        for (heights, width) in [
            (&[1][..], 1),
            (&[13], 8),
            (&[300], 100),
            (&[64, 64, 32], 16),
            (&[17, 9, 5, 3], 256),
        ] {
            check_trees(hasher, nodes, heights, width);
        }
    }
    fn with_itself<H: ByteHasher>(hasher: H) {
        all_shapes(
            &hasher,
            &CompressionFunctionFromHasher::<_, 2, 32>::new(hasher.clone()),
        );
    }
    with_itself(Blake3);
    with_itself(Blake2s);
    with_itself(Blake2b256);
    with_itself(Blake256);
    with_itself(Groestl256);
    all_shapes(&Groestl256, &Groestl256Pairs);
}
