// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes without std and without an allocator, and returns 0 if the digests are correct.
#![no_std]
#![no_main]

use core::ffi::c_int;
use core::panic::PanicInfo;

use finalist::{
    Algorithm, Blake2b256, Blake2sMac, Blake2xb, Hasher, Params, hash_many_iter, merkle,
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
    Ok(digest == bytes && digest == digests[..32] && mac.clone().finalize() == mac.finalize())
}

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    c_int::from(hashes_are_right() != Ok(true))
}
