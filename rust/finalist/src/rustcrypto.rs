// SPDX-License-Identifier: MIT OR Apache-2.0
//! The traits of RustCrypto's crate `digest` for the hashers of fixed digest length, the keyed ones
//! and those with output of any length.
//!
//! `hmac`, `hkdf` and `pbkdf2` take them.

mod blocks;

use core::fmt;

use digest::array::{Array, ArraySize, AssocArraySize};
use digest::block_buffer::BlockSizes;
use digest::common::hazmat::{DeserializeStateError, SerializableState, SerializedState};
use digest::common::{AlgorithmName, BlockSizeUser, KeySizeUser};
use digest::consts::{U32, U64, U128, U512, U2048, U4096};
use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker,
    InvalidLength, Key, KeyInit, MacMarker, Output, OutputSizeUser, Reset, Update, XofReader,
};

use crate::fixed::expected;
use crate::function::{self, Extendable, Function, Keyed};
use crate::{Error, FixedHasher, Hasher, MacHasher, OutputReader, Params, XofHasher};

/// Lengths in bytes, as types.
pub trait Lengths {
    /// The size of the compression function's block.
    type Block: ArraySize + BlockSizes;
    /// The size of a midstate, zeros that fill it up, and its length in two bytes.
    type State: ArraySize;
}

/// The longest key in bytes, as a type.
pub trait KeyLength {
    /// In bytes.
    type Longest: ArraySize;
}

macro_rules! lengths {
    ($($block:ident, $state:ident: $($name:ident)*;)*) => {$($(
        impl Lengths for function::$name {
            type Block = $block;
            type State = $state;
        }
    )*)*};
}

lengths! {
    U64, U512: Blake224 Blake256 Blake28 Blake32 Blake2s Blake2xs;
    U64, U512: Groestl224 Groestl256 Groestl0_224 Groestl0_256;
    U128, U512: Blake384 Blake512 Blake48 Blake64 Blake2b Blake2xb;
    U128, U512: Groestl384 Groestl512 Groestl0_384 Groestl0_512;
    U64, U2048: Blake2sp;
    U128, U2048: Blake2bp;
    U64, U4096: Blake3;
}

impl KeyLength for function::Blake2b {
    type Longest = U64;
}
impl KeyLength for function::Blake2bp {
    type Longest = U64;
}
impl KeyLength for function::Blake2s {
    type Longest = U32;
}
impl KeyLength for function::Blake2sp {
    type Longest = U32;
}
impl KeyLength for function::Blake3 {
    type Longest = U32;
}

impl<F: Function, const N: usize> HashMarker for FixedHasher<F, N> {}

impl<F: Function, const N: usize> Update for FixedHasher<F, N> {
    fn update(&mut self, data: &[u8]) {
        FixedHasher::update(self, data);
    }
}

impl<F: Function, const N: usize> Reset for FixedHasher<F, N> {
    fn reset(&mut self) {
        FixedHasher::reset(self);
    }
}

impl<F: Function + Lengths, const N: usize> BlockSizeUser for FixedHasher<F, N> {
    type BlockSize = F::Block;
}

impl<F: Function, const N: usize> OutputSizeUser for FixedHasher<F, N>
where
    [u8; N]: AssocArraySize,
{
    type OutputSize = <[u8; N] as AssocArraySize>::Size;
}

impl<F: Function, const N: usize> FixedOutput for FixedHasher<F, N>
where
    [u8; N]: AssocArraySize,
{
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finalize().as_ref());
    }
}

impl<F: Function, const N: usize> FixedOutputReset for FixedHasher<F, N>
where
    [u8; N]: AssocArraySize,
{
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finalize_reset().as_ref());
    }
}

impl<F: Function + Extendable, const N: usize> ExtendableOutput for FixedHasher<F, N> {
    type Reader = OutputReader;

    fn finalize_xof(self) -> OutputReader {
        FixedHasher::finalize_xof(self)
    }
}

impl<F: Function + Extendable, const N: usize> ExtendableOutputReset for FixedHasher<F, N> {
    fn finalize_xof_reset(&mut self) -> OutputReader {
        FixedHasher::finalize_xof_reset(self)
    }
}

impl<F: Function, const N: usize> AlgorithmName for FixedHasher<F, N> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::ALGORITHM.info().title)
    }
}

/// For messages without a key: a midstate does not contain it, so the hasher could not be reset.
impl<F: Function + Lengths, const N: usize> SerializableState for FixedHasher<F, N> {
    type SerializedStateSize = F::State;

    fn serialize(&self) -> SerializedState<Self> {
        let mut state = SerializedState::<Self>::default();
        let length_at = state.len() - 2;
        let bytes = expected(self.hasher.save_into(&mut state[..length_at]));
        state[length_at..].copy_from_slice(&(bytes as u16).to_le_bytes());
        state
    }

    fn deserialize(state: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
        let (midstate, length) = state.split_at(state.len() - 2);
        let bytes = usize::from(u16::from_le_bytes([length[0], length[1]]));
        let (midstate, zeros) = midstate
            .split_at_checked(bytes)
            .ok_or(DeserializeStateError)?;
        let hasher = Hasher::restore(midstate).map_err(|_| DeserializeStateError)?;
        let same = hasher.algorithm() == F::ALGORITHM && hasher.digest_bytes() == Some(N as u64);
        if !same || hasher.has_key() || zeros.iter().any(|&byte| byte != 0) {
            return Err(DeserializeStateError);
        }
        Ok(FixedHasher::from_hasher(hasher))
    }
}

impl<F: Keyed, const N: usize> MacMarker for MacHasher<F, N> {}

impl<F: Keyed, const N: usize> Update for MacHasher<F, N> {
    fn update(&mut self, data: &[u8]) {
        MacHasher::update(self, data);
    }
}

impl<F: Keyed, const N: usize> Reset for MacHasher<F, N> {
    fn reset(&mut self) {
        MacHasher::reset(self);
    }
}

impl<F: Keyed + Lengths, const N: usize> BlockSizeUser for MacHasher<F, N> {
    type BlockSize = F::Block;
}

impl<F: Keyed, const N: usize> OutputSizeUser for MacHasher<F, N>
where
    [u8; N]: AssocArraySize,
{
    type OutputSize = <[u8; N] as AssocArraySize>::Size;
}

impl<F: Keyed, const N: usize> FixedOutput for MacHasher<F, N>
where
    [u8; N]: AssocArraySize,
{
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finalize().as_ref());
    }
}

impl<F: Keyed, const N: usize> FixedOutputReset for MacHasher<F, N>
where
    [u8; N]: AssocArraySize,
{
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finalize_reset().as_ref());
    }
}

impl<F: Keyed + KeyLength, const N: usize> KeySizeUser for MacHasher<F, N> {
    type KeySize = F::Longest;
}

/// With keys of the longest length. `new_from_slice` takes those of BLAKE2 from one byte on, too.
impl<F: Keyed + KeyLength, const N: usize> KeyInit for MacHasher<F, N> {
    fn new(key: &Key<Self>) -> Self {
        expected(MacHasher::new(key))
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        match MacHasher::with_params(&Params::new().key(key)) {
            Err(Error::KeyLength) => Err(InvalidLength),
            mac => Ok(expected(mac)),
        }
    }
}

impl<F: Keyed, const N: usize> AlgorithmName for MacHasher<F, N> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Mac", F::ALGORITHM.info().title)
    }
}

impl<F: Extendable> HashMarker for XofHasher<F> {}

impl<F: Extendable> Update for XofHasher<F> {
    fn update(&mut self, data: &[u8]) {
        XofHasher::update(self, data);
    }
}

impl<F: Extendable> Reset for XofHasher<F> {
    fn reset(&mut self) {
        XofHasher::reset(self);
    }
}

impl<F: Extendable + Lengths> BlockSizeUser for XofHasher<F> {
    type BlockSize = F::Block;
}

impl<F: Extendable> ExtendableOutput for XofHasher<F> {
    type Reader = OutputReader;

    fn finalize_xof(self) -> OutputReader {
        XofHasher::finalize_xof(self)
    }
}

impl<F: Extendable> ExtendableOutputReset for XofHasher<F> {
    fn finalize_xof_reset(&mut self) -> OutputReader {
        XofHasher::finalize_xof_reset(self)
    }
}

impl<F: Extendable> AlgorithmName for XofHasher<F> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::ALGORITHM.info().title)
    }
}

/// Panics past the output's end.
impl XofReader for OutputReader {
    fn read(&mut self, buffer: &mut [u8]) {
        expected(self.fill(buffer));
    }
}

/// A digest as RustCrypto's array.
impl<const N: usize> From<crate::Digest<N>> for Array<u8, <[u8; N] as AssocArraySize>::Size>
where
    [u8; N]: AssocArraySize,
{
    fn from(digest: crate::Digest<N>) -> Self {
        Array::from_fn(|index| digest.as_bytes()[index])
    }
}
