// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the traits of RustCrypto with its own tests, its constructions on top of them, and its
//! hash functions for comparison.
#![cfg(feature = "digest")]

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

use digest::block_api::{CoreProxy, EagerHash};
use digest::common::hazmat::{SerializableState, SerializedState};
use digest::common::{AlgorithmName, BlockSizeUser};
use digest::dev::{
    MacTestVector, MacTruncSide, TestVector, fixed_reset_test, fixed_test, mac_test,
    reset_mac_test, xof_reset_test,
};
use digest::{
    Digest, ExtendableOutput, ExtendableOutputReset, FixedOutputReset, HashMarker, KeyInit, Mac,
    Reset, XofReader,
};
use finalist::function::{self, Function};
use finalist::{
    Algorithm, Blake2xb, Blake2xs, Blake3, FixedHasher, Hasher, MIDSTATE_BYTES_MAX, Params,
    XofHasher, hash,
};

/// Lengths around block limits, up to four blocks of 128 bytes, and one far beyond.
const LENGTHS: [usize; 14] = [
    0, 1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, 3001,
];

/// Returns a static slice, which RustCrypto's tests require for vectors.
fn leaked(bytes: Vec<u8>) -> &'static [u8] {
    Vec::leak(bytes)
}

fn message(bytes: usize) -> &'static [u8] {
    leaked((0..bytes).map(|index| (index % 251) as u8).collect())
}

fn passes<H>(algorithm: Algorithm, block_bytes: usize)
where
    H: Digest + FixedOutputReset + Clone + Default + HashMarker + BlockSizeUser + AlgorithmName,
    H: SerializableState,
{
    let params = Params::new().digest_bytes(<H as Digest>::output_size() as u64);
    for bytes in LENGTHS {
        let input = message(bytes);
        let output = leaked(hash(algorithm, &params, input).expect("a digest"));
        let vector = TestVector { input, output };
        assert_eq!(fixed_test::<H>(&vector), Ok(()), "{algorithm}, {bytes}");
        assert_eq!(
            fixed_reset_test::<H>(&vector),
            Ok(()),
            "{algorithm}, {bytes}"
        );
        let mut first = H::new_with_prefix(&input[..bytes / 3]);
        let mut second = H::deserialize(&first.serialize()).expect("its own state");
        for hasher in [&mut first, &mut second] {
            Digest::update(hasher, &input[bytes / 3..]);
            assert_eq!(hasher.finalize_reset()[..], *output, "{algorithm}, {bytes}");
        }
    }
    assert_eq!(H::block_size(), block_bytes);
    // Nothing has been hashed yet.
    let mut fresh = H::new();
    let state = fresh.serialize();
    let copy = fresh.clone();
    Digest::reset(&mut fresh);
    let restored = H::deserialize(&state).expect("its own state");
    let empty = hash(algorithm, &params, b"").expect("a digest");
    for hasher in [fresh, copy, restored] {
        assert_eq!(hasher.finalize()[..], empty, "{algorithm}");
    }
}

#[test]
fn hashers_pass_digest_s_tests() {
    passes::<finalist::Blake224>(Algorithm::Blake224, 64);
    passes::<finalist::Blake256>(Algorithm::Blake256, 64);
    passes::<finalist::Blake384>(Algorithm::Blake384, 128);
    passes::<finalist::Blake512>(Algorithm::Blake512, 128);
    passes::<finalist::Blake28>(Algorithm::Blake28, 64);
    passes::<finalist::Blake32>(Algorithm::Blake32, 64);
    passes::<finalist::Blake48>(Algorithm::Blake48, 128);
    passes::<finalist::Blake64>(Algorithm::Blake64, 128);
    passes::<finalist::Blake2b512>(Algorithm::Blake2b, 128);
    passes::<finalist::Blake2b<33>>(Algorithm::Blake2b, 128);
    passes::<finalist::Blake2s256>(Algorithm::Blake2s, 64);
    passes::<finalist::Blake2s<1>>(Algorithm::Blake2s, 64);
    passes::<finalist::Blake2bp<64>>(Algorithm::Blake2bp, 128);
    passes::<finalist::Blake2sp<32>>(Algorithm::Blake2sp, 64);
    passes::<finalist::Groestl224>(Algorithm::Groestl224, 64);
    passes::<finalist::Groestl256>(Algorithm::Groestl256, 64);
    passes::<finalist::Groestl384>(Algorithm::Groestl384, 128);
    passes::<finalist::Groestl512>(Algorithm::Groestl512, 128);
    passes::<finalist::Groestl0_224>(Algorithm::Groestl0_224, 64);
    passes::<finalist::Groestl0_256>(Algorithm::Groestl0_256, 64);
    passes::<finalist::Groestl0_384>(Algorithm::Groestl0_384, 128);
    passes::<finalist::Groestl0_512>(Algorithm::Groestl0_512, 128);
    passes::<Blake3>(Algorithm::Blake3, 64);
    passes::<FixedHasher<function::Blake3, 64>>(Algorithm::Blake3, 64);
}

#[test]
fn keyed_hashers_pass_digest_s_tests() {
    fn passes<M: Mac + KeyInit + FixedOutputReset + Clone>(algorithm: Algorithm) {
        let info = algorithm.info();
        let (min, max) = (info.key_bytes_min, info.key_bytes_max);
        for key_bytes in [min, min.max(16), max] {
            for bytes in LENGTHS {
                let (key, input) = (message(key_bytes), message(bytes));
                let params = Params::new().key(key);
                let tag = leaked(hash(algorithm, &params, input).expect("a tag"));
                let vector = MacTestVector { key, input, tag };
                assert_eq!(mac_test::<M>(&vector, MacTruncSide::None), Ok(()));
                assert_eq!(reset_mac_test::<M>(&vector, MacTruncSide::None), Ok(()));
            }
        }
        for wrong in [0, min - 1, max + 1] {
            assert!(M::new_from_slice(message(wrong)).is_err(), "{algorithm}");
        }
    }
    passes::<finalist::Blake2bMac<64>>(Algorithm::Blake2b);
    passes::<finalist::Blake2sMac<32>>(Algorithm::Blake2s);
    passes::<finalist::Blake2bpMac<64>>(Algorithm::Blake2bp);
    passes::<finalist::Blake2spMac<32>>(Algorithm::Blake2sp);
    passes::<finalist::Blake3Mac>(Algorithm::Blake3);
}

#[test]
fn extendable_output_passes_digest_s_tests() {
    fn passes<H>(algorithm: Algorithm)
    where
        H: ExtendableOutputReset + Default + Debug + Clone,
    {
        for bytes in LENGTHS {
            let input = message(bytes);
            let mut output = vec![0; (bytes + 1).min(1024)];
            let params = Params::new().unknown_length();
            let mut hasher = Hasher::new(algorithm, &params).expect("the plain function");
            hasher.update(input).expect("any message");
            hasher.squeeze(&mut output).expect("an output long enough");
            let output = leaked(output);
            assert_eq!(xof_reset_test::<H>(&TestVector { input, output }), Ok(()));
        }
    }
    passes::<Blake2xb>(Algorithm::Blake2xb);
    passes::<Blake2xs>(Algorithm::Blake2xs);
    passes::<Blake3>(Algorithm::Blake3);
    passes::<XofHasher<function::Blake3>>(Algorithm::Blake3);
    let mut whole = [0; 100];
    Blake2xb::digest_xof(b"seed", &mut whole);
    let mut parts = [0; 100];
    let mut reader = Blake2xb::new().update("seed").finalize_xof_reset();
    parts.chunks_mut(9).for_each(|part| reader.read(part));
    assert_eq!(parts, whole);
}

fn deserializes<F: Function, const N: usize>(state: &[u8]) -> bool
where
    FixedHasher<F, N>: SerializableState,
{
    let state = state.try_into().expect("as many bytes");
    FixedHasher::<F, N>::deserialize(state).is_ok()
}

#[test]
fn states_of_something_else_are_refused() {
    let mut hasher = finalist::Blake2b512::new();
    hasher.update("text");
    let state = hasher.serialize();
    assert!(deserializes::<function::Blake2b, 64>(&state));
    assert!(!deserializes::<function::Blake2b, 32>(&state));
    assert!(!deserializes::<function::Blake512, 64>(&state));
    // These bytes are before the length, in the unused part of the state, and in the length.
    for at in [0, 5, 8, 171, 172, 300, 509, 510, 511] {
        let mut damaged = state;
        damaged[at] ^= 0x55;
        let taken = deserializes::<function::Blake2b, 64>(&damaged);
        assert_eq!(taken, at == 171, "only the message may differ: {at}");
    }
    let keyed = finalist::Blake2b512::with_params(&Params::new().key(b"secret"));
    let state = keyed.expect("a key").serialize();
    assert!(!deserializes::<function::Blake2b, 64>(&state));
    let keyed = Blake3::with_params(&Params::new().key(&[7; 32]));
    let state = keyed.expect("a key").serialize();
    assert!(!deserializes::<function::Blake3, 32>(&state));
}

/// The longest midstate is that of 2^54 - 1 chunks: only its length is checked.
#[test]
fn states_of_blake3_hold_the_longest_midstate() {
    assert!(SerializedState::<Blake3>::default().len() >= MIDSTATE_BYTES_MAX + 2);
    let context = Params::new().derive_key_context(b"context");
    for bytes in [1023, 1024, 1025, 70_000, 127 * 1024 + 1] {
        let mut hasher = Blake3::with_params(&context).expect("a context");
        hasher.update(message(bytes));
        let restored = Blake3::deserialize(&hasher.serialize());
        let mut restored = restored.expect("its own state");
        assert_eq!(
            restored.finalize_reset(),
            hasher.finalize_reset(),
            "{bytes}"
        );
        assert_eq!(restored.finalize(), hasher.finalize(), "{bytes}");
    }
}

/// Derives bytes with HMAC, HKDF and PBKDF2 over a function of this crate or of another.
fn derived<H>() -> Vec<u8>
where
    H: Digest + BlockSizeUser + Clone + Reset + FixedOutputReset + Debug + Send + Sync,
{
    let mut mac = <hmac::SimpleHmac<H> as KeyInit>::new_from_slice(&[7; 200]).expect("any key");
    Mac::update(&mut mac, b"text");
    let mut bytes = mac.finalize().into_bytes().to_vec();
    let mut key = [0; 150];
    let hkdf = hkdf::SimpleHkdf::<H>::new(Some(b"salt"), b"input");
    hkdf.expand(b"info", &mut key).expect("a short key");
    bytes.extend(key);
    pbkdf2::pbkdf2::<hmac::SimpleHmac<H>>(b"password", b"salt", 10, &mut key).expect("any length");
    bytes.extend(key);
    bytes
}

#[test]
fn what_is_built_on_hashers_takes_them() {
    assert_eq!(
        derived::<finalist::Blake2b512>(),
        derived::<blake2::Blake2b512>()
    );
    assert_eq!(
        derived::<finalist::Blake2s256>(),
        derived::<blake2::Blake2s256>()
    );
    assert_eq!(
        derived::<finalist::Groestl256>(),
        derived::<groestl::Groestl256>()
    );
    assert_eq!(
        derived::<finalist::Groestl512>(),
        derived::<groestl::Groestl512>()
    );
    assert_ne!(
        derived::<finalist::Blake512>(),
        derived::<finalist::Blake64>()
    );
}

/// Derives the same bytes with the constructions that process whole blocks.
fn derived_in_blocks<H>() -> Vec<u8>
where
    H: EagerHash + Send + Sync,
{
    let mut mac = <hmac::Hmac<H> as KeyInit>::new_from_slice(&[7; 200]).expect("any key");
    Mac::update(&mut mac, b"text");
    let mut bytes = mac.finalize().into_bytes().to_vec();
    let mut key = [0; 150];
    let hkdf = hkdf::Hkdf::<H>::new(Some(b"salt"), b"input");
    hkdf.expand(b"info", &mut key).expect("a short key");
    bytes.extend(key);
    pbkdf2::pbkdf2_hmac::<H>(b"password", b"salt", 10, &mut key);
    bytes.extend(key);
    bytes
}

#[test]
fn constructions_of_blocks_take_hashers() {
    fn same<H>()
    where
        H: EagerHash + FixedOutputReset + Reset + Debug + Send + Sync,
    {
        assert_eq!(derived_in_blocks::<H>(), derived::<H>());
        for bytes in LENGTHS {
            let (key, text) = (message(bytes), message(3001 - bytes));
            let mut blocks = <hmac::HmacReset<H> as KeyInit>::new_from_slice(key).expect("any key");
            let mut simple =
                <hmac::SimpleHmac<H> as KeyInit>::new_from_slice(key).expect("any key");
            Mac::update(&mut simple, text);
            let simple = simple.finalize().into_bytes();
            for part_bytes in [1, 64, 100, 128, 3001] {
                text.chunks(part_bytes)
                    .for_each(|part| Mac::update(&mut blocks, part));
                assert_eq!(
                    blocks.finalize_reset().into_bytes()[..],
                    simple[..],
                    "{bytes}, {part_bytes}"
                );
            }
        }
    }
    same::<finalist::Blake2b512>();
    same::<finalist::Blake2b<33>>();
    same::<finalist::Blake2s256>();
    same::<finalist::Blake2bp<64>>();
    same::<finalist::Blake2sp<32>>();
    same::<finalist::Blake256>();
    same::<finalist::Blake384>();
    same::<finalist::Groestl224>();
    same::<finalist::Groestl512>();
    same::<Blake3>();
    // A hasher that was decomposed and composed again continues.
    let (core, buffer) = finalist::Blake256::new_with_prefix("mes").decompose();
    let hasher = finalist::Blake256::compose(core, buffer).chain_update("sage");
    assert_eq!(
        Digest::finalize(hasher)[..],
        *finalist::Blake256::hash("message").as_bytes()
    );
}

/// Returns the time of one hash, from a series that is shorter than a scheduler's time slice.
fn time_of(bytes: usize, hash: impl Fn()) -> Duration {
    let repeats = (1 << 16) / bytes;
    let start = Instant::now();
    for _ in 0..repeats {
        hash();
    }
    start.elapsed() / repeats as u32
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Prints the speed of this crate's functions and RustCrypto's, in one run:
/// `cargo test --release -p finalist --all-features --test rustcrypto -- --ignored --nocapture`.
#[test]
#[ignore = "measures; it checks nothing"]
fn speed_beside_rustcrypto() {
    fn compare<Ours: Digest, Theirs: Digest>(name: &str, hash: fn(&[u8])) {
        for bytes in [64, 1024, 65536] {
            let message = message(bytes);
            assert_eq!(Ours::digest(message)[..], Theirs::digest(message)[..]);
            let ours = || drop(black_box(Ours::digest(black_box(message))));
            let theirs = || drop(black_box(Theirs::digest(black_box(message))));
            let hash = || hash(black_box(message));
            // Alternate, so that a disturbance affects all equally.
            let mut times = [const { Vec::new() }; 3];
            for _ in 0..401 {
                times[0].push(time_of(bytes, ours));
                times[1].push(time_of(bytes, hash));
                times[2].push(time_of(bytes, theirs));
            }
            let [ours, hash, theirs] = times.map(median);
            let ratio = |time: Duration| theirs.as_secs_f64() / time.as_secs_f64();
            println!(
                "{name:>11} {bytes:6} bytes: {ours:>9.1?} by Digest ({:.2}), {hash:>9.1?} by hash \
                 ({:.2}), {theirs:>9.1?} there",
                ratio(ours),
                ratio(hash)
            );
        }
    }
    macro_rules! compare {
        ($name:literal, $ours:ident, $theirs:ty) => {
            compare::<finalist::$ours, $theirs>($name, |message| {
                black_box(finalist::$ours::hash(message));
            });
        };
    }
    compare!("BLAKE2b-512", Blake2b512, blake2::Blake2b512);
    compare!("BLAKE2s-256", Blake2s256, blake2::Blake2s256);
    compare!("Grøstl-256", Groestl256, groestl::Groestl256);
    compare!("Grøstl-512", Groestl512, groestl::Groestl512);
}

#[test]
fn names_tell_keyed_functions_from_plain_ones() {
    struct Name<H>(std::marker::PhantomData<H>);

    impl<H: AlgorithmName> std::fmt::Display for Name<H> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            H::write_alg_name(f)
        }
    }

    fn name<H: AlgorithmName>() -> String {
        Name::<H>(std::marker::PhantomData).to_string()
    }

    assert_eq!(name::<FixedHasher<function::Blake2s, 16>>(), "BLAKE2s");
    assert_eq!(
        name::<finalist::MacHasher<function::Blake2s, 16>>(),
        "BLAKE2sMac"
    );
    assert_eq!(name::<Blake2xb>(), "BLAKE2Xb");
}
