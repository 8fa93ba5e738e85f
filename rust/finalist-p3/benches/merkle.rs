// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures the official BLAKE3, Plonky3's own hashers and these in one process, alternately in each
//! of several rounds.
//! Prints medians in nanoseconds.
//!
//!     cargo bench --bench merkle [ROUNDS]

use std::hint::black_box;
use std::time::Instant;

use blake3::IncrementCounter;
use blake3::platform::Platform;
use finalist_p3::{Blake2b256, Blake2s, Blake3, Blake256, Groestl256, Groestl256Pairs};
use p3_baby_bear::BabyBear;
use p3_commit::Mmcs;
use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_symmetric::{
    CompressionFunctionFromHasher, CryptographicHasher, PseudoCompressionFunction,
    SerializingHasher,
};

const ROWS: usize = 1 << 16;

/// A name, and a function that runs one round and returns nanoseconds per message or row.
type Contestant = (&'static str, Box<dyn FnMut() -> f64>);

/// Prints the median of each contestant and its ratio to the first's.
fn compare(title: &str, rounds: usize, mut contestants: Vec<Contestant>) {
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..rounds {
        for ((_, measure), times) in contestants.iter_mut().zip(&mut times) {
            times.push(measure());
        }
    }
    println!("{title}");
    let mut first = None;
    for ((name, _), times) in contestants.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        let ratio = median / *first.get_or_insert(median);
        println!("  {name:24} {median:9.1} ns {ratio:6.2}");
    }
}

/// A contestant whose function hashes consecutive messages.
fn messages<F>(name: &'static str, hash: F, message_bytes: usize, count: usize) -> Contestant
where
    F: Fn(&[u8], &mut [[u8; 32]]) + 'static,
{
    let messages: Vec<u8> = (0..count * message_bytes).map(|i| i as u8).collect();
    let mut digests = vec![[0; 32]; count];
    let calls = 1 + (1 << 20) / (count * (message_bytes + 64));
    let measure = move || {
        let start = Instant::now();
        for _ in 0..calls {
            hash(black_box(&messages), black_box(&mut digests));
        }
        start.elapsed().as_secs_f64() * 1e9 / (calls * count) as f64
    };
    (name, Box::new(measure))
}

fn hash_many<H>(name: &'static str, hasher: H, message_bytes: usize, count: usize) -> Contestant
where
    H: CryptographicHasher<u8, [u8; 32]> + 'static,
{
    let hash = move |messages: &[u8], digests: &mut [[u8; 32]]| hasher.hash_many(messages, digests);
    messages(name, hash, message_bytes, count)
}

/// The official crate, one message at a time.
fn official(message_bytes: usize, count: usize) -> Contestant {
    let hash = move |messages: &[u8], digests: &mut [[u8; 32]]| {
        for (message, digest) in messages.chunks_exact(message_bytes).zip(digests) {
            *digest = *blake3::hash(message).as_bytes();
        }
    };
    messages("blake3, one by one", hash, message_bytes, count)
}

/// The official crate's undocumented function for chunks of a tree, with the flags of a message.
fn official_chunks<const BYTES: usize>(count: usize) -> Contestant {
    const KEY: [u32; 8] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
        0x5be0cd19,
    ];
    const CHUNK_START: u8 = 1;
    const CHUNK_END: u8 = 2;
    const ROOT: u8 = 8;
    let platform = Platform::detect();
    let hash = move |messages: &[u8], digests: &mut [[u8; 32]]| {
        let inputs: Vec<&[u8; BYTES]> = messages
            .chunks_exact(BYTES)
            .map(|message| message.try_into().unwrap())
            .collect();
        platform.hash_many(
            &inputs,
            &KEY,
            0,
            IncrementCounter::No,
            0,
            CHUNK_START,
            CHUNK_END | ROOT,
            digests.as_flattened_mut(),
        );
    };
    let message = [1; BYTES];
    let mut digest = [[0; 32]];
    hash(&message, &mut digest);
    assert_eq!(digest[0], *blake3::hash(&message).as_bytes());
    messages("blake3's hash_many", hash, BYTES, count)
}

fn commit<H, C>(
    name: &'static str,
    hasher: H,
    nodes: C,
    rows: &RowMajorMatrix<BabyBear>,
) -> Contestant
where
    H: CryptographicHasher<u8, [u8; 32]> + Sync + 'static,
    C: PseudoCompressionFunction<[u8; 32], 2> + Sync + 'static,
{
    let trees: MerkleTreeMmcs<BabyBear, u8, _, _, 2, 32> =
        MerkleTreeMmcs::new(SerializingHasher::new(hasher), nodes, 0);
    let rows = rows.clone();
    let measure = move || {
        let rows = vec![rows.clone()];
        let start = Instant::now();
        black_box(trees.commit(rows));
        start.elapsed().as_secs_f64() * 1e9 / ROWS as f64
    };
    (name, Box::new(measure))
}

/// Calls `commit` with the same function for rows and nodes.
fn commit_both<H>(name: &'static str, hasher: H, rows: &RowMajorMatrix<BabyBear>) -> Contestant
where
    H: CryptographicHasher<u8, [u8; 32]> + Sync + 'static,
{
    let nodes = CompressionFunctionFromHasher::<_, 2, 32>::new(hasher.clone());
    commit(name, hasher, nodes, rows)
}

macro_rules! all {
    ($measure:ident, $($argument:expr),*) => {
        vec![
            $measure("p3-blake3", p3_blake3::Blake3, $($argument),*),
            $measure("p3-blake2s", p3_blake2s::Blake2s256, $($argument),*),
            $measure("p3-keccak, Keccak-256", p3_keccak::Keccak256Hash, $($argument),*),
            $measure("p3-sha256", p3_sha256::Sha256, $($argument),*),
            $measure("finalist BLAKE3", Blake3, $($argument),*),
            $measure("finalist BLAKE2s", Blake2s, $($argument),*),
            $measure("finalist BLAKE2b-256", Blake2b256, $($argument),*),
            $measure("finalist BLAKE-256", Blake256, $($argument),*),
            $measure("finalist Groestl-256", Groestl256, $($argument),*),
        ]
    };
}

fn main() {
    // cargo bench adds --bench.
    let rounds = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(15);
    for (message_bytes, count) in [
        (64, 1024),
        (128, 1024),
        (256, 1024),
        (1024, 256),
        (4096, 64),
        (64, 9),
        (64, 16),
        (128, 16),
        (256, 16),
        (1024, 16),
    ] {
        let title = format!("hash_many, {count} messages of {message_bytes} B: per message");
        let mut contestants = all!(hash_many, message_bytes, count);
        contestants.push(official(message_bytes, count));
        match message_bytes {
            64 => contestants.push(official_chunks::<64>(count)),
            128 => contestants.push(official_chunks::<128>(count)),
            256 => contestants.push(official_chunks::<256>(count)),
            1024 => contestants.push(official_chunks::<1024>(count)),
            _ => {} // longer than a chunk
        }
        compare(&title, rounds, contestants);
    }
    for width in [8, 16, 64, 256] {
        let elements = (0..(ROWS * width) as u32).map(BabyBear::from_u32).collect();
        let rows = RowMajorMatrix::new(elements, width);
        let mut contestants = all!(commit_both, &rows);
        contestants.push(commit(
            "finalist Groestl-256, pairs",
            Groestl256,
            Groestl256Pairs,
            &rows,
        ));
        let title =
            format!("commit, {ROWS} rows of {width} BabyBear elements: per row and its node");
        compare(&title, rounds.min(7), contestants);
    }
}
