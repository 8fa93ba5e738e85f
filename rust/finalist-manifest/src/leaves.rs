// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes rows to leaves and leaves to the root.

use finalist::merkle;

use crate::error::Error;
use crate::header::Header;
use crate::row::Row;
use finalist_files::function::{Function, Parameters};
use finalist_table::Covered;

/// First byte of the input of a node.
const NODE_PREFIX: u8 = 1;

/// Hash function and parameters of rows.
#[derive(Clone, Copy)]
pub struct Leaves<'a> {
    header: &'a Header,
    parameters: &'a Parameters,
}

impl<'a> Leaves<'a> {
    /// Returns a hasher for rows of a manifest with this header and these parameters.
    pub fn new(header: &'a Header, parameters: &'a Parameters) -> Leaves<'a> {
        Leaves { header, parameters }
    }

    /// Returns the length of a hash.
    pub fn digest_bytes(&self) -> usize {
        self.header.function.digest_bytes as usize
    }

    /// Returns an empty tree.
    pub fn tree(&self) -> Result<Box<merkle::Tree>, Error> {
        let params = self.parameters.params(self.header.function);
        let tree = merkle::Tree::new_boxed(self.header.function.algorithm, &params);
        tree.map_err(|error| tree_failure(self.header.function, error))
    }

    /// Returns the concatenated leaf hashes of rows.
    pub fn hash(&self, rows: &[Row]) -> Result<Vec<u8>, Error> {
        let mut messages = Vec::new();
        let ends = rows.iter().map(|row| {
            row.append_message(self.header, &mut messages);
            messages.len()
        });
        let ends: Vec<usize> = ends.collect();
        let starts = [0].into_iter().chain(ends.iter().copied());
        let messages: Vec<&[u8]> = starts
            .zip(&ends)
            .map(|(start, &end)| &messages[start..end])
            .collect();
        let params = self.parameters.params(self.header.function);
        let hashes = merkle::leaf_hashes(self.header.function.algorithm, &params, &messages);
        hashes.map_err(Error::from)
    }

    /// Returns the hash of an inner node.
    pub fn node(&self, left: &[u8], right: &[u8]) -> Result<Vec<u8>, Error> {
        self.hash_one(&[&[NODE_PREFIX], left, right].concat())
    }

    /// Returns the root of a manifest with the rows of a tree.
    pub fn root(&self, tree: &merkle::Tree) -> Result<Vec<u8>, Error> {
        let top = tree.root();
        let top = top.map_err(Error::from)?;
        self.root_over(tree.leaf_count(), &top)
    }

    /// Returns the root of a manifest with this number of rows, given the root of the tree over
    /// their leaves.
    pub fn root_over(&self, count: u64, top: &[u8]) -> Result<Vec<u8>, Error> {
        let covered = Covered {
            format: self.header.format(),
            algorithm: self.header.function.algorithm.name(),
            digest_bytes: self.header.function.digest_bytes,
            is_keyed: !self.parameters.key.is_empty(),
            salt: &self.parameters.salt,
            personal: &self.parameters.personal,
        };
        self.hash_one(&covered.root_message(count, top))
    }

    fn hash_one(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let digest = self
            .parameters
            .hasher(self.header.function)
            .and_then(|mut hasher| {
                hasher.update(message)?;
                hasher.finalize()
            });
        digest.map_err(Error::from)
    }
}

/// Returns the error for a function that cannot hash a tree.
pub fn tree_failure(function: Function, error: finalist::Error) -> Error {
    let algorithm = function.algorithm;
    Error::Function(match error {
        finalist::Error::DigestLength => {
            let bits = merkle::HASH_BYTES_MAX * 8;
            format!("{algorithm}: hashes of trees have 8 to {bits} bits")
        }
        error => format!("{algorithm}: {error}"),
    })
}
