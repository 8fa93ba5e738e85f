// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares hashers whose types fix the parameters with hashers that take them as values.

use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::panic::{RefUnwindSafe, UnwindSafe};

use finalist::function::{self, Extendable, Function, Keyed};
use finalist::{
    Algorithm, Blake2b, Blake2b512, Blake2s, Blake2xb, Blake3, Blake3Mac, Digest, Error,
    FixedHasher, Hasher, MacHasher, OutputReader, Params, TreeMode, XofHasher, hash, hash_many,
    hash_many_iter, merkle, tree_mode,
};

fn message() -> Vec<u8> {
    (0..3001_u32).map(|index| (index % 251) as u8).collect()
}

fn agrees<F: Function, const N: usize>() {
    let params = Params::new().digest_bytes(N as u64);
    let of = |message: &[u8]| {
        let digest = hash(F::ALGORITHM, &params, message).expect("a digest");
        Digest::<N>::try_from(&digest[..]).expect("its length")
    };
    let message = message();
    for bytes in [0, 1, 64, 127, 128, 129, 3001] {
        let message = &message[..bytes];
        assert_eq!(FixedHasher::<F, N>::hash(message), of(message));
        let mut hasher = FixedHasher::<F, N>::default();
        hasher
            .update(&message[..bytes / 2])
            .update(&message[bytes / 2..]);
        assert_eq!(hasher.clone().finalize(), of(message));
        assert_eq!(hasher.finalize_reset(), of(message));
        assert_eq!(hasher.finalize_reset(), of(b""));
        hasher
            .write_all(b"something else")
            .expect("hashers take all");
        hasher.reset();
        hasher.write_all(message).expect("hashers take all");
        assert_eq!(hasher.finalize(), of(message));
    }
    let messages = [&message[..], b"", &message[1..]];
    assert_eq!(FixedHasher::<F, N>::hash_many(&messages), messages.map(of));
}

#[test]
fn types_and_values_agree() {
    agrees::<function::Blake224, 28>();
    agrees::<function::Blake256, 32>();
    agrees::<function::Blake384, 48>();
    agrees::<function::Blake512, 64>();
    agrees::<function::Blake28, 28>();
    agrees::<function::Blake32, 32>();
    agrees::<function::Blake48, 48>();
    agrees::<function::Blake64, 64>();
    agrees::<function::Blake2b, 1>();
    agrees::<function::Blake2b, 64>();
    agrees::<function::Blake2s, 17>();
    agrees::<function::Blake2s, 32>();
    agrees::<function::Blake2bp, 64>();
    agrees::<function::Blake2sp, 32>();
    agrees::<function::Groestl224, 28>();
    agrees::<function::Groestl256, 20>();
    agrees::<function::Groestl384, 48>();
    agrees::<function::Groestl512, 64>();
    agrees::<function::Groestl0_224, 28>();
    agrees::<function::Groestl0_256, 32>();
    agrees::<function::Groestl0_384, 48>();
    agrees::<function::Groestl0_512, 64>();
    agrees::<function::Blake3, 32>();
    agrees::<function::Blake3, 1>();
    agrees::<function::Blake3, 64>();
}

fn mac_agrees<F: Keyed, const N: usize>(params: Params<'_>) {
    let tag = hash(F::ALGORITHM, &params.digest_bytes(N as u64), b"text").expect("a tag");
    let mut mac = MacHasher::<F, N>::with_params(&params).expect("a key");
    mac.update("wrong").reset();
    mac.update("te").update("xt");
    assert_eq!(mac.clone().finalize(), tag[..]);
    assert_eq!(mac.finalize_reset(), tag[..]);
    mac.write_all(b"text").expect("hashers take all");
    assert_eq!(mac.finalize(), tag[..]);
    let long = vec![7; F::ALGORITHM.info().key_bytes_max + 1];
    for wrong in [&long[..], b""] {
        let refused = MacHasher::<F, N>::new(wrong).err();
        assert_eq!(refused, Some(Error::KeyLength));
    }
}

#[test]
fn keyed_hashers_keep_their_key() {
    let params = Params::new().salt(b"salt").personal(b"person");
    mac_agrees::<function::Blake2b, 32>(params.key(&[1; 64]));
    mac_agrees::<function::Blake2s, 32>(params.key(&[2; 32]));
    mac_agrees::<function::Blake2bp, 64>(params.key(b"k"));
    mac_agrees::<function::Blake2sp, 16>(params.key(b"secret"));
    mac_agrees::<function::Blake3, 32>(Params::new().key(&[3; 32]));
    mac_agrees::<function::Blake3, 16>(Params::new().key(&[4; 32]));
}

#[test]
fn a_context_is_no_key() {
    let context = Params::new().derive_key_context(b"context");
    let refused = Blake3Mac::with_params(&context).err();
    assert_eq!(refused, Some(Error::KeyLength));
    assert_eq!(Blake3Mac::new(&[7; 31]).err(), Some(Error::KeyLength));
    let key = hash(Algorithm::Blake3, &context, b"material").expect("a key");
    let mut hasher = Blake3::with_params(&context).expect("a context");
    for _ in 0..2 {
        assert_eq!(hasher.update("material").finalize_reset(), key[..]);
    }
}

#[test]
fn parameters_of_another_length_are_refused() {
    let other = Params::new().digest_bytes(31);
    let refused = Blake2s::<32>::with_params(&other).err();
    assert_eq!(refused, Some(Error::DigestLength));
    let same = Params::new()
        .digest_bytes(32)
        .tree_mode(TreeMode::default());
    assert_eq!(
        Blake2s::<32>::with_params(&same)
            .expect("sequential hashing")
            .finalize(),
        Blake2s::<32>::hash("")
    );
}

fn output_is_read_anywhere<F: Extendable>(total_bytes: u64, params: Params<'_>) {
    let mut hasher = XofHasher::<F>::with_params(&params).expect("a length in range");
    hasher.update("wrong").reset();
    let mut output = hasher.update("seed").finalize_xof_reset();
    assert_eq!(output.total_bytes(), total_bytes);
    let mut start = [0; 500];
    output.fill(&mut start).expect("an output long enough");
    let mut dynamic = Hasher::new(F::ALGORITHM, &params).expect("a length in range");
    dynamic.update(b"seed").expect("any message");
    let mut squeezed = [0; 500];
    dynamic
        .squeeze(&mut squeezed)
        .expect("an output long enough");
    assert_eq!(start, squeezed);
    for at in [499, 0, 63, 64, 65, 31, 32, 200] {
        assert_eq!(output.seek(SeekFrom::Start(at)).expect("within"), at);
        let mut part = vec![0; (500 - at as usize).min(130)];
        output.read_exact(&mut part).expect("within");
        assert_eq!(part, start[at as usize..][..part.len()]);
    }
    assert_eq!(
        output.seek(SeekFrom::End(-3)).expect("within"),
        total_bytes - 3
    );
    let mut tail = Vec::new();
    assert_eq!(output.read_to_end(&mut tail).expect("up to the end"), 3);
    assert_eq!(
        output.seek(SeekFrom::Current(-2)).expect("within"),
        total_bytes - 2
    );
    assert_eq!(output.fill(&mut [0; 3]), Err(Error::OutputLength));
    assert_eq!(output.position(), total_bytes - 2);
    let mut last = [0; 2];
    output.fill(&mut last).expect("two bytes");
    assert_eq!(last, tail[1..]);
    let beyond = output.seek(SeekFrom::Current(1)).err();
    assert_eq!(
        beyond.map(|error| error.kind()),
        Some(ErrorKind::InvalidInput)
    );
    if let Some(beyond) = total_bytes.checked_add(1) {
        assert_eq!(output.set_position(beyond), Err(Error::OutputLength));
    }
    assert_eq!(output.position(), total_bytes);
    output
        .set_position(0)
        .and_then(|()| output.set_position(total_bytes))
        .expect("the end is a position");
    assert_eq!(output.fill(&mut [0; 1]), Err(Error::OutputLength));
    // Before the beginning, unless the output is that long.
    let position = total_bytes.checked_add_signed(i64::MIN);
    assert_eq!(output.seek(SeekFrom::End(i64::MIN)).ok(), position);
    assert_eq!(output.position(), position.unwrap_or(total_bytes));
}

#[test]
fn output_of_any_length_is_a_file() {
    let unknown = Params::new();
    output_is_read_anywhere::<function::Blake2xb>(1 << 38, unknown.unknown_length());
    output_is_read_anywhere::<function::Blake2xs>(1 << 37, unknown.unknown_length());
    output_is_read_anywhere::<function::Blake2xb>(70_000, Params::new().digest_bytes(70_000));
    output_is_read_anywhere::<function::Blake2xs>(777, Params::new().digest_bytes(777));
    // A digest's length does not end BLAKE3's output.
    output_is_read_anywhere::<function::Blake3>(u64::MAX, unknown);
    output_is_read_anywhere::<function::Blake3>(u64::MAX, unknown.digest_bytes(777));
    output_is_read_anywhere::<function::Blake3>(u64::MAX, unknown.key(&[7; 32]));
    output_is_read_anywhere::<function::Blake3>(u64::MAX, unknown.derive_key_context(b"context"));
}

#[test]
fn digests_of_blake3_begin_its_output() {
    let key = [7; 32];
    for params in [Params::new(), Params::new().key(&key)] {
        let long = hash(Algorithm::Blake3, &params.digest_bytes(200), b"seed").expect("output");
        let mut hasher = FixedHasher::<function::Blake3, 20>::with_params(&params).expect("a key");
        for _ in 0..2 {
            let mut output = [0; 200];
            let mut reader = hasher.update("seed").finalize_xof_reset();
            reader.fill(&mut output).expect("output without end");
            assert_eq!(output, long[..]);
            assert_eq!(hasher.update("seed").finalize_reset(), long[..20]);
        }
    }
}

#[test]
fn digests_compare_and_show_as_bytes() {
    let digest = Digest::from_bytes([0x01, 0xab, 0xff]);
    assert_eq!(
        format!("{digest} {digest:X} {digest:?}"),
        "01abff 01ABFF Digest(01abff)"
    );
    assert_eq!(digest, [0x01, 0xab, 0xff]);
    for byte in 0..3 {
        let mut other = [0x01, 0xab, 0xff];
        other[byte] ^= 0x80;
        assert_ne!(digest, other);
        assert_ne!(digest, Digest::from_bytes(other));
    }
    assert_ne!(digest, [0x01, 0xab][..]);
    assert_eq!(Digest::<2>::try_from(&[1; 3][..]), Err(Error::DigestLength));
    assert_eq!(<[u8; 3]>::from(digest), [0x01, 0xab, 0xff]);
}

#[test]
fn iterators_of_messages_need_no_list() {
    // Each message owns its bytes and moves through the iterator.
    let message = |index: usize| [index as u8; 200];
    for count in [0, 1, 63, 64, 65, 300] {
        let params = Params::new().digest_bytes(20);
        let messages: Vec<_> = (0..count).map(message).collect();
        let expected = hash_many(Algorithm::Blake2b, &params, &messages).expect("digests");
        let mut digests = vec![0xee; 20 * count + 1];
        let messages = (0..count).map(message);
        let done = hash_many_iter(Algorithm::Blake2b, &params, messages, &mut digests);
        assert_eq!(done, Ok(count));
        assert_eq!(digests[..20 * count], expected);
        assert_eq!(digests[20 * count], 0xee);
        if count != 0 {
            let messages = (0..count).map(message);
            let short = &mut digests[..20 * count - 1];
            let done = hash_many_iter(Algorithm::Blake2b, &params, messages, short);
            assert_eq!(done, Err(Error::OutputLength));
        }
    }
}

#[test]
fn multihash_codes_are_multicodec_s() {
    let code = Algorithm::multihash_code;
    // The first and the last code of each function in multicodec's table.
    assert_eq!(code(Algorithm::Blake2b, 1), Some(0xb201));
    assert_eq!(code(Algorithm::Blake2b, 20), Some(0xb214));
    assert_eq!(code(Algorithm::Blake2b, 64), Some(0xb240));
    assert_eq!(code(Algorithm::Blake2s, 1), Some(0xb241));
    assert_eq!(code(Algorithm::Blake2s, 32), Some(0xb260));
    for bytes in [1, 32, usize::MAX] {
        assert_eq!(code(Algorithm::Blake3, bytes), Some(0x1e));
    }
    for (algorithm, bytes) in [
        (Algorithm::Blake2b, 0),
        (Algorithm::Blake2b, 65),
        (Algorithm::Blake2s, 33),
        (Algorithm::Blake3, 0),
    ] {
        assert_eq!(code(algorithm, bytes), None);
    }
    for &algorithm in Algorithm::all() {
        let has_code = matches!(
            algorithm,
            Algorithm::Blake2b | Algorithm::Blake2s | Algorithm::Blake3
        );
        assert_eq!(code(algorithm, 32).is_some(), has_code, "{algorithm}");
    }
}

/// Requires a type that threads may share and that may cross a caught panic.
fn is_plain_data<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe>() {}

#[test]
fn everything_may_go_to_other_threads() {
    is_plain_data::<Hasher>();
    is_plain_data::<Blake2b512>();
    is_plain_data::<MacHasher<function::Blake2s, 16>>();
    is_plain_data::<Blake2xb>();
    is_plain_data::<Blake3>();
    is_plain_data::<OutputReader>();
    is_plain_data::<merkle::Tree>();
    is_plain_data::<tree_mode::TreeModeHasher>();
    is_plain_data::<Digest<64>>();
    is_plain_data::<Params<'static>>();
    is_plain_data::<Error>();
}

#[test]
fn names_and_numbers_are_shown() {
    let params = Params::new().digest_bytes(20).key(b"k").salt(b"s");
    let shown = "Params { digest_bytes: 20, key_bytes: 1, salt: [115], personal: [112, 112], \
                 tree_mode: None, derive_key_context: Some([99]) }";
    let params = params.personal(b"pp").derive_key_context(b"c");
    assert_eq!(format!("{params:?}"), shown);
    let mut output = Blake2xb::new().finalize_xof();
    output.fill(&mut [0; 100]).expect("it is that long");
    let shown = "OutputReader { algorithm: Blake2xb, position: 100, .. }";
    assert_eq!(format!("{output:?}"), shown);
    let mut tree = merkle::Tree::new(Algorithm::Blake2s, &Params::new()).expect("a tree");
    tree.append(&[0; 96]).expect("three hashes");
    assert_eq!(format!("{tree:?}"), "Tree { leaf_count: 3, .. }");
    // A width pads the name, and a digest has both kinds of digits.
    assert_eq!(format!("{:>9}|", Algorithm::Blake2b), "  blake2b|");
    let digest = Digest::from_bytes([0xab, 0x0c]);
    assert_eq!(format!("{digest:x} {digest:X} {digest}"), "ab0c AB0C ab0c");
    assert!(digest == [0xab, 0x0c][..]);
    assert!(digest != [0xab][..] && digest != [0xab, 0x0c, 0][..]);
}

#[test]
fn nothing_shows_its_key() {
    let key = [0xa7; 32];
    let params = Params::new().key(&key);
    let shape = tree_mode::Shape {
        fanout: 2,
        depth: 2,
        leaf_bytes: 64,
        inner_bytes: 32,
    };
    let shown = [
        format!("{params:?}"),
        format!("{:?}", Hasher::new(Algorithm::Blake2s, &params)),
        format!("{:?}", Blake2b::<32>::with_params(&params)),
        format!("{:?}", MacHasher::<function::Blake2s, 16>::new(&key)),
        format!("{:?}", Blake2xb::with_params(&params)),
        format!("{:?}", Blake3::with_params(&params)),
        format!("{:?}", Blake3Mac::new(&key)),
        format!(
            "{:?}",
            Blake3::with_params(&params).map(Blake3::finalize_xof)
        ),
        format!(
            "{:?}",
            Blake2xb::with_params(&params).map(Blake2xb::finalize_xof)
        ),
        format!("{:?}", merkle::Tree::new(Algorithm::Blake2s, &params)),
        format!(
            "{:?}",
            tree_mode::TreeModeHasher::new(Algorithm::Blake2s, &params, shape)
        ),
    ];
    for text in shown {
        assert!(!text.contains("Err"), "{text}");
        assert!(
            !text.contains("167") && !text.to_lowercase().contains("a7"),
            "{text}"
        );
    }
}
