// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digests of a length that is known when the program is built.

use core::fmt;
use core::hash;

use constant_time_eq::constant_time_eq_n;

use crate::Error;

/// A digest of `N` bytes. Shown in hexadecimal; compared in constant time, as authentication tags
/// must be.
///
/// ```
/// use finalist::{Blake2s256, Digest};
/// let digest: Digest<32> = Blake2s256::hash("abc");
/// assert_eq!(&digest.to_string()[..8], "508c5e8c");
/// assert_eq!(digest.as_bytes()[..2], [0x50, 0x8c]);
/// assert_eq!(Digest::try_from(&digest.as_bytes()[..]), Ok(digest));
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Digest<const N: usize>([u8; N]);

impl<const N: usize> Digest<N> {
    /// Makes a digest from its bytes.
    ///
    /// ```
    /// use finalist::Digest;
    /// assert_eq!(Digest::from_bytes([0xab, 0xcd]).to_string(), "abcd");
    /// ```
    pub const fn from_bytes(bytes: [u8; N]) -> Digest<N> {
        Digest(bytes)
    }

    /// Returns the digest's bytes.
    ///
    /// ```
    /// assert_eq!(finalist::Blake224::hash("abc").as_bytes().len(), 28);
    /// ```
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// The digests' bytes, one digest after the other.
    #[cfg(feature = "alloc")]
    pub(crate) const fn flatten_mut(digests: &mut [Digest<N>]) -> &mut [u8] {
        let bytes = size_of_val(digests);
        // SAFETY: a digest is laid out as its array, and so a slice of them as `bytes` bytes.
        unsafe { core::slice::from_raw_parts_mut(digests.as_mut_ptr().cast(), bytes) }
    }
}

impl<const N: usize> PartialEq for Digest<N> {
    fn eq(&self, other: &Digest<N>) -> bool {
        *self == other.0
    }
}

impl<const N: usize> Eq for Digest<N> {}

impl<const N: usize> PartialEq<[u8; N]> for Digest<N> {
    fn eq(&self, other: &[u8; N]) -> bool {
        constant_time_eq_n(&self.0, other)
    }
}

/// Slices of another length are different.
impl<const N: usize> PartialEq<[u8]> for Digest<N> {
    fn eq(&self, other: &[u8]) -> bool {
        <&[u8; N]>::try_from(other).is_ok_and(|other| *self == *other)
    }
}

impl<const N: usize> hash::Hash for Digest<N> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<const N: usize> AsRef<[u8]> for Digest<N> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<const N: usize> From<[u8; N]> for Digest<N> {
    fn from(bytes: [u8; N]) -> Digest<N> {
        Digest(bytes)
    }
}

impl<const N: usize> From<Digest<N>> for [u8; N] {
    fn from(digest: Digest<N>) -> [u8; N] {
        digest.0
    }
}

/// [`Error::DigestLength`] if there are more or fewer bytes.
impl<const N: usize> TryFrom<&[u8]> for Digest<N> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Digest<N>, Error> {
        let bytes = bytes.try_into().map_err(|_| Error::DigestLength)?;
        Ok(Digest(bytes))
    }
}

impl<const N: usize> fmt::LowerHex for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<const N: usize> fmt::UpperHex for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

impl<const N: usize> fmt::Display for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(self, f)
    }
}

impl<const N: usize> fmt::Debug for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

#[cfg(feature = "subtle")]
impl<const N: usize> subtle::ConstantTimeEq for Digest<N> {
    fn ct_eq(&self, other: &Digest<N>) -> subtle::Choice {
        self.0.ct_eq(&other.0)
    }
}

#[cfg(feature = "zeroize")]
impl<const N: usize> zeroize::Zeroize for Digest<N> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
