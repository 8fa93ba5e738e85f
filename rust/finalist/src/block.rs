// SPDX-License-Identifier: MIT OR Apache-2.0
//! The block interface: the caller holds the chaining value and compresses any number of blocks.
//!
//! Each state has the fields of the C structure:
//! - `H` the chaining value, as words (BLAKE, BLAKE2) or bytes in message order (Grøstl);
//! - `T` what was hashed before the call, low word first: bytes (BLAKE2), bits (BLAKE) or blocks
//!   (Grøstl); the call advances it;
//! - `F[0]` zero: the input is whole blocks. All ones: the message ends here, the input is at most
//!   one block, and the call pads. Grøstl then applies its output transformation, and the digest is
//!   the end of `H`; for the others it is the beginning;
//! - `F[1]` BLAKE2: all ones in the final call marks the last node of a tree level;
//! - `S` BLAKE: the salt as big-endian words.

use finalist_sys as sys;

use crate::Error;

pub use sys::{
    fin_blake2b_state as Blake2bState, fin_blake2s_state as Blake2sState,
    fin_blake256_state as Blake256State, fin_blake512_state as Blake512State,
    fin_groestl256_state as Groestl256State, fin_groestl512_state as Groestl512State,
};

/// True if `bytes` bytes in blocks of `block_bytes`, `stride` apart, lie within `available`.
fn covered(available: usize, block_bytes: usize, bytes: usize, stride: usize) -> bool {
    let steps = bytes.div_ceil(block_bytes).saturating_sub(1);
    let last = bytes - steps * block_bytes;
    let end = steps
        .checked_mul(stride)
        .and_then(|start| start.checked_add(last));
    end.is_some_and(|end| end <= available)
}

/// Declares the safe form of a block function.
macro_rules! blocks {
    ($($name:ident($state:ident, $block_bytes:literal) = $function:ident, $title:literal;)*) => {$(
        #[doc = concat!("Hashes `bytes` bytes of `input` into a state of ", $title, ": blocks of ",
                        stringify!($block_bytes), " bytes, each starting `stride` bytes after the ",
                        "one before.")]
        ///
        /// # Errors
        /// [`Error::BlockLength`] if the bytes are not whole blocks or, in the final call, more
        /// than one; [`Error::MessageLength`] past the counter; [`Error::Null`] if `input` is
        /// shorter than the blocks reach. Nothing has changed then.
        ///
        /// ```
        #[doc = concat!("use finalist::block::{", stringify!($name), ", ", stringify!($state), "};")]
        #[doc = concat!("let mut state = ", stringify!($state), "::default(); // and H's initial value")]
        #[doc = concat!(stringify!($name), "(&mut state, &[7; 256], 256, ", stringify!($block_bytes), ")?;")]
        /// # Ok::<(), finalist::Error>(())
        /// ```
        pub fn $name(
            state: &mut $state,
            input: &[u8],
            bytes: usize,
            stride: usize,
        ) -> Result<(), Error> {
            if !covered(input.len(), $block_bytes, bytes, stride) {
                return Err(Error::Null);
            }
            // SAFETY: the state is exclusive, and the blocks lie within the slice.
            Error::check(unsafe { sys::$function(state, input.as_ptr(), bytes, stride) })
        }
    )*};
}

blocks! {
    blake2b(Blake2bState, 128) = fin_blake2b_blocks, "BLAKE2b";
    blake2s(Blake2sState, 64) = fin_blake2s_blocks, "BLAKE2s";
    blake224(Blake256State, 64) = fin_blake224_blocks, "BLAKE-224";
    blake256(Blake256State, 64) = fin_blake256_blocks, "BLAKE-256";
    blake384(Blake512State, 128) = fin_blake384_blocks, "BLAKE-384";
    blake512(Blake512State, 128) = fin_blake512_blocks, "BLAKE-512";
    blake28(Blake256State, 64) = fin_blake28_blocks, "BLAKE-28";
    blake32(Blake256State, 64) = fin_blake32_blocks, "BLAKE-32";
    blake48(Blake512State, 128) = fin_blake48_blocks, "BLAKE-48";
    blake64(Blake512State, 128) = fin_blake64_blocks, "BLAKE-64";
    groestl256(Groestl256State, 64) = fin_groestl256_blocks, "Grøstl up to 256 bits";
    groestl512(Groestl512State, 128) = fin_groestl512_blocks, "Grøstl beyond 256 bits";
    groestl0_256(Groestl256State, 64) = fin_groestl0_256_blocks, "Grøstl-0 up to 256 bits";
    groestl0_512(Groestl512State, 128) = fin_groestl0_512_blocks, "Grøstl-0 beyond 256 bits";
}

/// Computes BLAKE2b's function F with any number of rounds (EIP-152): `h` is replaced, `m` is one
/// block, `t` the counter, `last` the final flag.
///
/// ```
/// let mut h = [0; 8];
/// finalist::block::blake2b_f(0, &mut h, &[0; 128], [0, 0], false);
/// ```
pub fn blake2b_f(rounds: u32, h: &mut [u64; 8], m: &[u8; 128], t: [u64; 2], last: bool) {
    // SAFETY: arrays of the sizes that the function reads and writes.
    let status =
        unsafe { sys::fin_blake2b_f(rounds, h.as_mut_ptr(), m.as_ptr(), t.as_ptr(), last) };
    assert_eq!(
        status,
        sys::FIN_OK,
        "fin_blake2b_f fails on null pointers only"
    );
}
