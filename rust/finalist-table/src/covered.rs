// SPDX-License-Identifier: MIT OR Apache-2.0
//! The message of a root: of a table, or of a manifest.

use crate::Encoder;

/// First byte of the input of a root of version 2. Leaves begin with 00, nodes with 01.
const ROOT_PREFIX: u8 = 2;

/// The fields of a root besides the tree over the rows: `docs/format/proofs.md` describes them.
#[derive(Clone, Copy, Debug)]
pub struct Covered<'a> {
    /// Name of the root's format.
    pub format: &'a str,
    /// Name of the hash function of rows, tree and root.
    pub algorithm: &'a str,
    /// Length of its digests.
    pub digest_bytes: u64,
    /// True if there is a key.
    pub is_keyed: bool,
    /// The salt; empty if there is none.
    pub salt: &'a [u8],
    /// The personalisation; empty if there is none.
    pub personal: &'a [u8],
}

impl Covered<'_> {
    /// Returns the message whose digest is the root, given the number of leaves and the root of
    /// their tree.
    pub fn root_message(&self, leaf_count: u64, top: &[u8]) -> Vec<u8> {
        let mut message = vec![ROOT_PREFIX];
        Encoder::new(&mut message)
            .string(self.format)
            .string(self.algorithm)
            .integer(self.digest_bytes * 8)
            .boolean(self.is_keyed)
            .binary(self.salt)
            .binary(self.personal)
            .integer(leaf_count)
            .binary(top);
        message
    }
}
