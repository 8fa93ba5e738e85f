// SPDX-License-Identifier: MIT OR Apache-2.0
//! RustCrypto's traits of functions that take whole blocks, on which types such as `hmac::Hmac` are
//! built: those keep what fills no block in a buffer of their own.

use core::fmt;
use core::slice;

use digest::HashMarker;
use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore,
    OutputSizeUser, UpdateCore,
};
use digest::{Output, array::AssocArraySize};

use super::Lengths;
use crate::FixedHasher;
use crate::function::Function;

/// A hasher that is handed whole blocks.
pub struct BlockHasher<F, const N: usize>(FixedHasher<F, N>);

impl<F: Function, const N: usize> Default for BlockHasher<F, N> {
    fn default() -> Self {
        BlockHasher(FixedHasher::new())
    }
}

impl<F: Function, const N: usize> Clone for BlockHasher<F, N> {
    fn clone(&self) -> Self {
        BlockHasher(self.0.clone())
    }
}

/// Names the algorithm and nothing of the message.
impl<F: Function, const N: usize> fmt::Debug for BlockHasher<F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<F: Function, const N: usize> AlgorithmName for BlockHasher<F, N> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FixedHasher::<F, N>::write_alg_name(f)
    }
}

impl<F: Function, const N: usize> HashMarker for BlockHasher<F, N> {}

impl<F: Function + Lengths, const N: usize> BlockSizeUser for BlockHasher<F, N> {
    type BlockSize = F::Block;
}

/// Blocks are handed over as soon as they are full, for BLAKE2 too: the hasher keeps the last one.
impl<F: Function + Lengths, const N: usize> BufferKindUser for BlockHasher<F, N> {
    type BufferKind = Eager;
}

impl<F: Function, const N: usize> OutputSizeUser for BlockHasher<F, N>
where
    [u8; N]: AssocArraySize,
{
    type OutputSize = <[u8; N] as AssocArraySize>::Size;
}

impl<F: Function + Lengths, const N: usize> UpdateCore for BlockHasher<F, N> {
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        let bytes = size_of_val(blocks);
        // SAFETY: a block is laid out as its array, and so a slice of them as `bytes` bytes.
        self.0
            .update(unsafe { slice::from_raw_parts(blocks.as_ptr().cast::<u8>(), bytes) });
    }
}

impl<F: Function + Lengths, const N: usize> FixedOutputCore for BlockHasher<F, N>
where
    [u8; N]: AssocArraySize,
{
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        self.0.update(buffer.get_data());
        buffer.reset();
        out.copy_from_slice(self.0.take_digest().as_ref());
    }
}

impl<F: Function + Lengths, const N: usize> CoreProxy for FixedHasher<F, N> {
    type Core = BlockHasher<F, N>;

    fn compose(core: Self::Core, buffer: Buffer<Self::Core>) -> Self {
        let mut hasher = core.0;
        hasher.update(buffer.get_data());
        hasher
    }

    fn decompose(self) -> (Self::Core, Buffer<Self::Core>) {
        (BlockHasher(self), Buffer::<Self::Core>::default())
    }
}
