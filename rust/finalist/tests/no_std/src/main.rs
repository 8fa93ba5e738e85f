// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes without std and without an allocator, and returns 0 if the digests are correct.
#![no_std]
#![no_main]

use core::ffi::c_int;
use core::panic::PanicInfo;

use finalist::{
    Algorithm, Blake2b256, Blake2sMac, Blake2xb, Blake3, Blake3Mac, Hasher, Params, hash_many_iter,
    merkle,
};

// The library's C code needs functions such as memcpy, and the program needs startup code.
#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: the function takes no arguments and does not return.
    unsafe { abort() }
}

/// The compiled library core refers to this function, which std would define; nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

fn hashes_are_right() -> Result<bool, finalist::Error> {
    let digest = Blake2b256::hash("message");
    let params = Params::new().digest_bytes(32);
    let mut hasher = Hasher::new(Algorithm::Blake2b, &params)?;
    hasher.update(b"message")?;
    let mut bytes = [0; 32];
    hasher.finalize_into(&mut bytes)?;
    let mut digests = [0; 64];
    hash_many_iter(
        Algorithm::Blake2b,
        &params,
        ["message", "another"],
        &mut digests,
    )?;
    let mut tree = merkle::Tree::new(Algorithm::Blake2b, &params)?;
    tree.append(&digests)?;
    tree.root_into(&mut bytes.clone())?;
    Blake2xb::new().finalize_xof().fill(&mut [0; 100])?;
    let mac = Blake2sMac::<16>::new(b"secret")?;
    Ok(digest == bytes
        && digest == digests[..32]
        && mac.clone().finalize() == mac.finalize()
        && blake3_is_right()?)
}

/// Known answers of its test vectors, whose message has two chunks and a byte.
fn blake3_is_right() -> Result<bool, finalist::Error> {
    let message: [u8; 2049] = core::array::from_fn(|index| (index % 251) as u8);
    let mut output = [0; 100];
    let mut hasher = Blake3::new();
    hasher
        .update(message)
        .finalize_xof_reset()
        .fill(&mut output)?;
    let mac = Blake3Mac::new(b"whats the Elvish word for friend")?
        .update(message)
        .finalize_reset();
    let context = b"BLAKE3 2019-12-27 16:29:52 test vectors context";
    let key = Blake3::with_params(&Params::new().derive_key_context(context))?
        .update(message)
        .finalize_reset();
    Ok(Blake3::hash(message) == output[..32]
        && output.starts_with(&[0x5f, 0x4d, 0x72, 0xf4])
        && output.ends_with(&[0x5d, 0x90, 0x42, 0x5a])
        && mac.as_bytes().starts_with(&[0x9f, 0x29, 0x70, 0x09])
        && key.as_bytes().starts_with(&[0x2e, 0xa4, 0x77, 0xc5]))
}

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    c_int::from(hashes_are_right() != Ok(true))
}
