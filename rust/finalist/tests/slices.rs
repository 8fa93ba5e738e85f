// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares slices of BLAKE3 with ordinary digests at every position in small messages, and alters
//! every part of a proof or slice.

use std::io::{ErrorKind, Read};
use std::ops::Range;

use finalist::slice::{SliceProof, prove, verify};
use finalist::{Algorithm, Error, Params, hash};

fn message(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|i| (i * i % 251) as u8).collect()
}

fn digest(params: &Params<'_>, message: &[u8]) -> [u8; 32] {
    hash(Algorithm::Blake3, params, message).unwrap()[..]
        .try_into()
        .unwrap()
}

fn proof_of(params: &Params<'_>, message: &[u8], range: &Range<usize>) -> SliceProof {
    let slice = range.start as u64..range.end as u64;
    prove(params, message, message.len() as u64, slice).unwrap()
}

fn is_refused(result: std::io::Result<()>) -> bool {
    let error = result.err().and_then(|error| error.into_inner());
    error.is_some_and(|error| error.downcast_ref() == Some(&Error::Proof))
}

#[test]
fn slices_of_small_messages_verify() {
    let params = Params::new();
    for bytes in [
        0, 1, 1023, 1024, 1025, 2048, 2049, 3072, 5000, 7169, 8192, 9000,
    ] {
        let message = message(bytes);
        let digest = digest(&params, &message);
        let places = || (0..=bytes).filter(|at| at % 1024 < 3 || at % 1024 > 1022 || *at == bytes);
        for first in places() {
            for end in places().filter(|end| *end > first || (first, *end) == (0, 0)) {
                let proof = proof_of(&params, &message, &(first..end));
                verify(&params, &proof, &message[first..end], &digest)
                    .unwrap_or_else(|error| panic!("{first}..{end} of {bytes}: {error}"));
                let touched = end.next_multiple_of(1024);
                let last = match touched < bytes {
                    true => (bytes - 1) % 1024 + 1,
                    false => 0,
                };
                let lengths = [first % 1024, touched.min(bytes) - end, last];
                let found = [&proof.before, &proof.after, &proof.last].map(Vec::len);
                assert_eq!(found, lengths, "{first}..{end} of {bytes}");
            }
        }
    }
}

#[test]
fn slices_of_large_messages_verify_in_all_modes() {
    let key = [9; 32];
    let modes = [
        Params::new(),
        Params::new().key(&key),
        Params::new().derive_key_context(b"finalist 2026-11-25 test of slices"),
    ];
    let message = message(5_000_001);
    for params in &modes {
        let digest = digest(params, &message);
        for range in [
            0..10,
            1_000_000..1_000_001,
            70_000..4_500_000,
            0..5_000_001,
            0..0,
        ] {
            let proof = proof_of(params, &message, &range);
            verify(params, &proof, &message[range], &digest).unwrap();
        }
    }
    let other = digest(&modes[0], &message);
    let proof = proof_of(&modes[1], &message, &(5..10));
    assert!(is_refused(verify(
        &modes[1],
        &proof,
        &message[5..10],
        &other
    )));
}

#[test]
fn every_other_proof_is_refused() {
    let params = Params::new();
    let message = message(5000);
    let digest = digest(&params, &message);
    for range in [1500..2600, 0..0, 4990..5000] {
        let proof = proof_of(&params, &message, &range);
        let slice = &message[range.clone()];
        let refused = |proof: &SliceProof| is_refused(verify(&params, proof, slice, &digest));
        assert!(!refused(&proof));
        for i in 0..256 {
            let mut other = digest;
            other[i / 8] ^= 1 << (i % 8);
            assert!(is_refused(verify(&params, &proof, slice, &other)));
        }
        for i in 0..slice.len() * 8 {
            let mut other = slice.to_vec();
            other[i / 8] ^= 1 << (i % 8);
            assert!(
                is_refused(verify(&params, &proof, &other[..], &digest)),
                "{i}"
            );
        }
        for bytes in (0..20).chain(slice.len().saturating_sub(5)..slice.len()) {
            if bytes < slice.len() {
                assert!(is_refused(verify(
                    &params,
                    &proof,
                    &slice[..bytes],
                    &digest
                )));
            }
        }
        let longer = [slice, &[0]].concat();
        assert!(is_refused(verify(&params, &proof, &longer[..], &digest)));
        // Flip each bit of each number.
        for bit in 0..64 {
            for member in 0..3 {
                let mut other = proof.clone();
                let numbers = [
                    &mut other.message_bytes,
                    &mut other.offset,
                    &mut other.slice_bytes,
                ];
                *numbers.into_iter().nth(member).unwrap() ^= 1 << bit;
                assert!(refused(&other), "member {member}, bit {bit}");
            }
        }
        // Flip each bit of hashes and bytes, and remove or add one.
        for i in 0..proof.hashes.len() * 256 {
            let mut other = proof.clone();
            other.hashes[i / 256][i / 8 % 32] ^= 1 << (i % 8);
            assert!(refused(&other));
        }
        let fields: [fn(&mut SliceProof) -> &mut Vec<u8>; 3] = [
            |proof| &mut proof.before,
            |proof| &mut proof.after,
            |proof| &mut proof.last,
        ];
        for field in fields {
            for i in 0..field(&mut proof.clone()).len() * 8 {
                let mut other = proof.clone();
                field(&mut other)[i / 8] ^= 1 << (i % 8);
                assert!(refused(&other));
            }
            let mut other = proof.clone();
            field(&mut other).push(0);
            assert!(refused(&other));
            if field(&mut other.clone()).len() > 1 {
                field(&mut other).truncate(field(&mut proof.clone()).len() - 1);
                assert!(refused(&other));
            }
        }
        let mut other = proof.clone();
        other.hashes.push([0; 32]);
        assert!(refused(&other));
        other.hashes.truncate(proof.hashes.len().saturating_sub(1));
        assert_eq!(refused(&other), !proof.hashes.is_empty());
    }
}

/// The length is proved: a proof for any other length is refused, even if the path to the slice is
/// the same.
#[test]
fn other_lengths_are_refused() {
    let params = Params::new();
    for bytes in [1, 1024, 1025, 3000, 4096, 5000] {
        let message = message(bytes);
        let digest = digest(&params, &message);
        let honest = proof_of(&params, &message, &(0..1));
        for other in 0..9000_u64 {
            let longest = [&message[..], &vec![0; 9000]].concat();
            if other == 0 || other == bytes as u64 {
                continue;
            }
            // A prover of another length would send this proof, with the true hashes.
            let mut proof = proof_of(&params, &longest[..other as usize], &(0..1));
            if proof.hashes.len() == honest.hashes.len() {
                proof.hashes.clone_from(&honest.hashes);
            }
            assert!(
                is_refused(verify(&params, &proof, &message[..1], &digest)),
                "{other}"
            );
        }
    }
}

/// Fails after its bytes.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.is_empty() {
            true => Err(ErrorKind::BrokenPipe.into()),
            false => self.0.read(buffer),
        }
    }
}

/// A slice that cannot be read is not one that differs.
#[test]
fn errors_of_reading_are_returned() {
    let (params, message) = (Params::new(), message(5000));
    let digest = digest(&params, &message);
    // Within the slice, after it, and where nothing more is expected.
    for (range, bytes) in [(2000..2100, 50), (2000..2100, 100), (1024..2048, 1024)] {
        let proof = proof_of(&params, &message, &range);
        let slice = Failing(&message[range.start..range.start + bytes]);
        let error = verify(&params, &proof, slice, &digest).err();
        let kind = error.map(|error| error.kind());
        assert_eq!(kind, Some(ErrorKind::BrokenPipe), "{range:?}");
    }
    let error = prove(&params, Failing(&message), 5000, 2000..2100).err();
    assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::BrokenPipe));
}

#[test]
fn wrong_arguments_have_their_errors() {
    let params = Params::new();
    let error = prove(&params, &b"abc"[..], 3, 2..4).unwrap_err();
    assert_eq!(
        error.into_inner().unwrap().downcast_ref(),
        Some(&Error::Index)
    );
    let error = prove(&params, &b"abc"[..], 3, 2..2).unwrap_err();
    assert_eq!(
        error.into_inner().unwrap().downcast_ref(),
        Some(&Error::Index)
    );
    let error = prove(&params, &b"abc"[..], 4, 0..1).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
    let error = prove(&params, &b"abc"[..], 2, 0..1).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    let error = prove(&Params::new().key(b"short"), &b"abc"[..], 3, 0..1).unwrap_err();
    assert_eq!(
        error.into_inner().unwrap().downcast_ref(),
        Some(&Error::KeyLength)
    );
}
