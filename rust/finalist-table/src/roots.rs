// SPDX-License-Identifier: MIT OR Apache-2.0
//! Roots of tables: docs/guide/tables.md defines them, docs/format/proofs.md defines roots.

use std::mem;
use std::sync::Mutex;

use finalist::{Algorithm, Params, hash, hash_column_into, merkle};

use crate::files::locked;
use crate::{
    Covered, Encoder, Encoding, Messages, Reader, Record, Sorted, Table, TableError, Version,
};

/// Bytes of a row's digest, and of a root.
pub(crate) const DIGEST_BYTES: usize = 32;

/// The hash function of a root, and the table columns that it covers.
///
/// ```
/// use finalist_table::RootOptions;
/// let options = RootOptions { is_ordered: true, ..RootOptions::default() };
/// assert_eq!(options.algorithm.name(), "blake2s");
/// ```
pub struct RootOptions {
    /// The hash function, which must have digests of 32 bytes.
    pub algorithm: Algorithm,
    /// Its key; empty if there is none.
    pub key: Vec<u8>,
    /// The columns' names, in order; `None` for all.
    pub columns: Option<Vec<String>>,
    /// True if an integral decimal is encoded as an integer.
    pub by_value: bool,
    /// True if the order of the rows matters.
    pub is_ordered: bool,
}

impl Default for RootOptions {
    fn default() -> RootOptions {
        RootOptions {
            algorithm: Algorithm::Blake2s,
            key: Vec::new(),
            columns: None,
            by_value: false,
            is_ordered: false,
        }
    }
}

impl RootOptions {
    fn params(&self) -> Params<'_> {
        Params::new()
            .digest_bytes(DIGEST_BYTES as u64)
            .key(&self.key)
    }

    /// Returns the name of the root's format.
    pub fn format(&self) -> &'static str {
        match self.is_ordered {
            true => "finalist-table-ordered-1",
            false => "finalist-table-1",
        }
    }

    /// Checks the hash function's parameters.
    ///
    /// # Errors
    /// The function has no digests of 32 bytes, or does not accept this key.
    pub fn check(&self) -> Result<(), finalist::Error> {
        hash(self.algorithm, &self.params(), b"").map(|_| ())
    }
}

/// Computes the root of a table, as `finalist.fingerprint` does in Python.
///
/// ```no_run
/// # fn root(table: &finalist_table::Table) -> Result<(), finalist_table::TableError> {
/// let root = finalist_table::root(table, &finalist_table::RootOptions::default())?;
/// assert_eq!(root.len(), 32);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`Reader`], [`Table::find`] and [`RootOptions::check`].
pub fn root(table: &Table, options: &RootOptions) -> Result<Vec<u8>, TableError> {
    let names = match &options.columns {
        Some(names) => names.clone(),
        None => table
            .columns()
            .iter()
            .map(|column| column.name.clone())
            .collect(),
    };
    let columns = table.find(&names)?;
    let failed = |error: finalist::Error| TableError::new(table.path(), &error.to_string());
    let (algorithm, params) = (options.algorithm, options.params());
    let mut tree = merkle::Tree::new_boxed(algorithm, &params).map_err(failed)?;
    let head = merkle::leaf_hashes(algorithm, &params, &[names_of(&names)]);
    tree.append(&head.map_err(failed)?).map_err(failed)?;
    let groups = [&columns[..], &[], &[]];
    let hash_rows = |messages: &Messages, digests: &mut Vec<Record>| {
        digests.resize(messages.len(), [0; DIGEST_BYTES]);
        let out = digests.as_flattened_mut();
        hash_column_into(algorithm, &params, &messages.rows(), out).map_err(failed)
    };
    if options.is_ordered {
        let mut reader = Reader::new(table, groups, options.by_value);
        let (mut messages, mut digests) = (Messages::default(), Vec::new());
        while reader.next(&mut messages)? {
            hash_rows(&messages, &mut digests)?;
            let leaves: Vec<Vec<u8>> = digests.iter().map(|digest| leaf_of(digest)).collect();
            let hashes = merkle::leaf_hashes(algorithm, &params, &leaves).map_err(failed)?;
            tree.append(&hashes).map_err(failed)?;
        }
    } else {
        let rows = Mutex::new(Sorted::new(capacity(table.rows())));
        Reader::in_threads(table, groups, options.by_value, |mut reader| {
            let (mut messages, mut digests) = (Messages::default(), Vec::new());
            while reader.next(&mut messages)? {
                hash_rows(&messages, &mut digests)?;
                locked(&rows).add(&digests);
            }
            Ok(())
        })?;
        let mut rows = mem::take(&mut *locked(&rows));
        rows.sort();
        rows.append_to(&mut tree, algorithm, &params)
            .map_err(failed)?;
    }
    let is_keyed = !options.key.is_empty();
    committed(&tree, options.format(), algorithm, &params, is_keyed).map_err(failed)
}

/// Returns the root of version 2 of a tree (docs/format/proofs.md). `params`: the tree's, without
/// salt and personalisation. `is_keyed`: true if they have a key.
pub(crate) fn committed(
    tree: &merkle::Tree,
    format: &str,
    algorithm: Algorithm,
    params: &Params<'_>,
    is_keyed: bool,
) -> Result<Vec<u8>, finalist::Error> {
    let covered = Covered {
        format,
        algorithm: algorithm.name(),
        digest_bytes: DIGEST_BYTES as u64,
        is_keyed,
        salt: &[],
        personal: &[],
    };
    let message = covered.root_message(tree.leaf_count(), &tree.root()?);
    hash(algorithm, params, &message)
}

/// Returns the number of rows to allocate for: a damaged file may claim any.
pub(crate) fn capacity(rows: u64) -> usize {
    const ROWS_MAX: u64 = 1 << 26;
    usize::try_from(rows.min(ROWS_MAX)).unwrap_or_default()
}

/// Returns a row of one value, the list of the columns' names.
fn names_of(names: &[String]) -> Vec<u8> {
    let mut row = Vec::new();
    let encoding = Encoding {
        version: Version::Nested,
        by_value: false,
    };
    let mut encoder = encoding.begin(&mut row).list(names.len());
    for name in names {
        encoder = encoder.string(name);
    }
    row
}

/// Returns a row of one value, a digest.
fn leaf_of(digest: &[u8]) -> Vec<u8> {
    let mut row = Vec::new();
    Encoder::new(&mut row).binary(digest);
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_not_taken_for_any_claim() {
        assert_eq!(capacity(7), 7);
        assert_eq!(capacity(u64::MAX), 1 << 26);
    }
}
