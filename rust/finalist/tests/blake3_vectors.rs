// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the official test vectors of BLAKE3 through the traits of RustCrypto.
#![cfg(feature = "digest")]

use digest::{
    Digest, ExtendableOutput, ExtendableOutputReset, FixedOutputReset, KeyInit, Mac, XofReader,
};
use finalist::{Blake3, Blake3Mac, Params};

/// Returns the bytes of a member in hexadecimal; `None` if the line does not have it.
fn member(line: &str, name: &str) -> Option<Vec<u8>> {
    let (_, rest) = line.split_once(&format!("\"{name}\":\""))?;
    let (digits, _) = rest.split_once('"').expect("the member's end");
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
    Some((0..digits.len()).step_by(2).map(byte).collect())
}

/// Compares a hasher's output, which begins with its digest.
fn gives<H>(mut hasher: H, message: &[u8], expected: &[u8])
where
    H: Digest + FixedOutputReset + ExtendableOutputReset,
{
    let mut output = vec![0; expected.len()];
    for part in message.chunks(1000) {
        Digest::update(&mut hasher, part);
    }
    let mut reader = hasher.finalize_xof_reset();
    for part in output.chunks_mut(50) {
        reader.read(part);
    }
    assert_eq!(output, expected);
    Digest::update(&mut hasher, message);
    assert_eq!(Digest::finalize_reset(&mut hasher)[..], expected[..32]);
    Digest::update(&mut hasher, message);
    assert_eq!(Digest::finalize(hasher)[..], expected[..32]);
}

#[test]
fn the_official_vectors() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/blake3.jsonl");
    let vectors = std::fs::read_to_string(file).expect("the repository's vectors");
    let mut counts = [0; 3];
    for line in vectors.lines() {
        let message = member(line, "msg").expect("a message");
        let expected = member(line, "md").expect("an output");
        let mode = match (member(line, "key"), member(line, "derive_key_context")) {
            (Some(key), None) => {
                let params = Params::new().key(&key);
                gives(
                    Blake3::with_params(&params).expect("a key"),
                    &message,
                    &expected,
                );
                let mac = <Blake3Mac as KeyInit>::new_from_slice(&key).expect("a key");
                let mac = mac.chain_update(&message);
                assert_eq!(mac.verify_slice(&expected[..32]), Ok(()));
                1
            }
            (None, Some(context)) => {
                let params = Params::new().derive_key_context(&context);
                gives(
                    Blake3::with_params(&params).expect("a context"),
                    &message,
                    &expected,
                );
                2
            }
            (key, context) => {
                assert_eq!((key, context), (None, None));
                gives(<Blake3 as Digest>::new(), &message, &expected);
                assert_eq!(Blake3::digest(&message)[..], expected[..32]);
                let mut output = vec![0; expected.len()];
                Blake3::digest_xof(&message, &mut output);
                assert_eq!(output, expected);
                0
            }
        };
        counts[mode] += 1;
    }
    assert_eq!(counts, [53; 3]);
}
