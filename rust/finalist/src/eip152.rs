// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ethereum's precompiled contract of [EIP-152](https://eips.ethereum.org/EIPS/eip-152): BLAKE2b's
//! function F over an input of 213 bytes.
//!
//! | bytes | what | |
//! |---|---|---|
//! | 4 | rounds | big-endian |
//! | 64 | state, 8 words | little-endian |
//! | 128 | message block | |
//! | 16 | counter, 2 words | little-endian |
//! | 1 | final flag | 0 or 1 |
//!
//! ```
//! use finalist::eip152;
//! let mut input = [0; eip152::INPUT_BYTES];
//! input[3] = 12;
//! assert_eq!(eip152::gas(&input), Ok(12));
//! let output: [u8; 64] = eip152::run(&input)?;
//! # Ok::<(), eip152::InputError>(())
//! ```

use core::fmt;

use crate::blake2b_f;

/// Length of the input.
///
/// ```
/// assert!(finalist::eip152::run(&[0; finalist::eip152::INPUT_BYTES]).is_ok());
/// ```
pub const INPUT_BYTES: usize = 213;

/// The error of an invalid input: the call then uses up all its gas.
///
/// ```
/// use finalist::eip152::{InputError, run};
/// assert_eq!(run(&[]), Err(InputError::Length));
/// assert_eq!(run(&[2; 213]), Err(InputError::FinalFlag));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputError {
    /// Not 213 bytes.
    Length,
    /// The last byte is neither 0 nor 1.
    FinalFlag,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InputError::Length => "the input's length is not 213 bytes",
            InputError::FinalFlag => "the final flag is neither 0 nor 1",
        })
    }
}

impl core::error::Error for InputError {}

/// The input's parts.
struct Input<'a> {
    rounds: u32,
    h: [u64; 8],
    m: &'a [u8; 128],
    t: [u64; 2],
    last: bool,
}

impl Input<'_> {
    fn read(input: &[u8]) -> Result<Input<'_>, InputError> {
        let input: &[u8; INPUT_BYTES] = input.try_into().map_err(|_| InputError::Length)?;
        let (rounds, rest) = input.split_first_chunk().ok_or(InputError::Length)?;
        let (h, rest) = rest.split_first_chunk().ok_or(InputError::Length)?;
        let (m, rest) = rest.split_first_chunk().ok_or(InputError::Length)?;
        let (t, flag) = rest.split_first_chunk().ok_or(InputError::Length)?;
        let last = match flag {
            [0] => false,
            [1] => true,
            _ => return Err(InputError::FinalFlag),
        };
        Ok(Input {
            rounds: u32::from_be_bytes(*rounds),
            h: words::<64, 8>(h),
            m,
            t: words::<16, 2>(t),
            last,
        })
    }
}

/// Little-endian words.
fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    }
    words
}

/// Returns the price of the call: one gas a round.
///
/// # Errors
/// As for [`run`].
///
/// ```
/// let mut input = [0; 213];
/// input[..4].fill(0xff);
/// assert_eq!(finalist::eip152::gas(&input), Ok(u32::MAX.into()));
/// ```
pub fn gas(input: &[u8]) -> Result<u64, InputError> {
    Ok(Input::read(input)?.rounds.into())
}

/// Computes the contract's output: the new state, little-endian. The caller's gas bounds the
/// rounds.
///
/// # Errors
/// [`InputError::Length`], [`InputError::FinalFlag`].
///
/// ```
/// let input = [0; 213];
/// // Without rounds the state is xored with the initial value twice, once inverted: no message.
/// assert_eq!(finalist::eip152::run(&input)?[..2], [0x08, 0xc9]);
/// # Ok::<(), finalist::eip152::InputError>(())
/// ```
pub fn run(input: &[u8]) -> Result<[u8; 64], InputError> {
    let Input {
        rounds,
        mut h,
        m,
        t,
        last,
    } = Input::read(input)?;
    blake2b_f(rounds, &mut h, m, t, last);
    let mut output = [0; 64];
    for (bytes, word) in output.chunks_exact_mut(8).zip(h) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Ok(output)
}
