// SPDX-License-Identifier: MIT OR Apache-2.0
//! A hash function with its parameters.

use std::hint::black_box;
use std::ops::Deref;

use finalist::{Algorithm, AlgorithmInfo, Error, Family, Hasher, Params};

/// An algorithm with a digest length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The digest's length in bytes.
    pub digest_bytes: u64,
}

/// Parameters of a hash function besides the digest length; empty ones are not used.
#[derive(Clone, Default)]
pub struct Parameters {
    /// The key of BLAKE2 or BLAKE3.
    pub key: Key,
    /// The salt of BLAKE or BLAKE2.
    pub salt: Vec<u8>,
    /// The personalisation of BLAKE2.
    pub personal: Vec<u8>,
    /// BLAKE3: the context of key derivation.
    pub derive_key_context: Option<String>,
    /// BLAKE3: position of the digest's first byte in the output.
    pub seek: u64,
}

/// A key that is overwritten when dropped; empty if there is none.
#[derive(Clone, Default)]
pub struct Key(Vec<u8>);

impl From<Vec<u8>> for Key {
    fn from(bytes: Vec<u8>) -> Key {
        Key(bytes)
    }
}

impl Deref for Key {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        self.0.fill(0);
        // This keeps the compiler from removing the zeros.
        black_box(&self.0[..]);
    }
}

impl Parameters {
    /// Returns the library's parameters for a function.
    pub fn params(&self, function: Function) -> Params<'_> {
        let params = Params::new()
            .digest_bytes(function.digest_bytes)
            .key(&self.key)
            .salt(&self.salt)
            .personal(&self.personal);
        match &self.derive_key_context {
            Some(context) => params.derive_key_context(context.as_bytes()),
            None => params,
        }
    }

    /// Starts a hasher of the function, boxed: a move would leave a copy of the key behind.
    ///
    /// # Errors
    /// The function does not take these parameters, or its output ends before the digest does.
    pub fn hasher(&self, function: Function) -> Result<Box<Hasher>, Error> {
        if self.seek != 0 && function.algorithm != Algorithm::Blake3 {
            return Err(Error::Algorithm);
        }
        if self.seek.checked_add(function.digest_bytes).is_none() {
            return Err(Error::OutputLength);
        }
        Hasher::new_boxed(function.algorithm, &self.params(function))
    }
}

/// Returns a message if the algorithm, or without one any algorithm, takes no key of this length;
/// `None` if it does.
pub fn key_complaint(bytes: usize, info: Option<&AlgorithmInfo>) -> Option<String> {
    let all = Algorithm::all().iter().map(|each| each.info());
    let (title, max) = match info {
        Some(info) => (info.title, info.key_bytes_max),
        None => ("BLAKE2", key_bytes_max(all)),
    };
    let of_blake3 = info.is_some_and(|info| info.family == Family::Blake3);
    match bytes {
        0 => Some("the key is empty".to_owned()),
        _ if max == 0 => Some(format!("'{title}' takes no key")),
        _ if of_blake3 && bytes != max => {
            Some(format!("the key of '{title}' has {max} bytes, not {bytes}"))
        }
        _ if bytes > max => Some(format!(
            "the key is longer than {max} bytes, the most that '{title}' takes"
        )),
        _ => None,
    }
}

/// Returns the length of the longest key that any of the algorithms takes.
pub fn key_bytes_max(all: impl IntoIterator<Item = AlgorithmInfo>) -> usize {
    let lengths = all.into_iter().map(|info| info.key_bytes_max);
    lengths.max().unwrap_or(0)
}
