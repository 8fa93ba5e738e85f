// SPDX-License-Identifier: MIT OR Apache-2.0
//! The records of a table's rows, sorted into buckets, so that the rows' order does not matter.
//!
//! A bucket is the sorted list of its records, concatenated. Two tables have the same bucket if and
//! only if both have the same records in it, each equally often. So a digest of the list is as
//! collision resistant as its hash function, without a key. A sum of digests would not be
//! ([`Sums`](crate::Sums)).

use std::iter;
use std::ops::Range;
use std::sync::Arc;

use finalist::{Algorithm, Error, Params, merkle};

use crate::Record;

/// Bits of a bucket's number, with which a record begins.
const BITS: u32 = 16;

/// Number of buckets.
const BUCKETS: u32 = 1 << BITS;

/// At least this many adjacent empty buckets are appended in one call. It computes a few hashes for each
/// bit of their number, one after another.
const MANY_EMPTY: u32 = 256;

/// The records of a table, sorted into buckets.
///
/// ```
/// let mut one = finalist_table::Sorted::new(2);
/// one.add(&[[9; 32], [1; 32]]);
/// let mut other = finalist_table::Sorted::new(0);
/// other.add(&[[1; 32]]);
/// other.add(&[[9; 32]]);
/// one.sort();
/// other.sort();
/// let buckets: Vec<&[u8]> = one.buckets().collect();
/// assert_eq!(buckets.len(), 1 << 16);
/// assert_eq!(buckets[0x0101], [1; 32]);
/// assert!(one.buckets().eq(other.buckets()));
/// ```
#[derive(Default)]
pub struct Sorted(Arc<Vec<Record>>);

impl Sorted {
    /// Returns an empty set with room for `rows` records.
    pub fn new(rows: usize) -> Sorted {
        Sorted(Arc::new(Vec::with_capacity(rows)))
    }

    /// Adds records.
    pub fn add(&mut self, records: &[Record]) {
        Arc::make_mut(&mut self.0).extend_from_slice(records);
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no records.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the records.
    pub fn records(&self) -> &[Record] {
        &self.0
    }

    pub(crate) fn shared(&self) -> Arc<Vec<Record>> {
        self.0.clone()
    }

    /// Sorts the records. Call it before [`buckets`](Sorted::buckets).
    pub fn sort(&mut self) {
        if self.0.is_sorted() {
            return; // Others may share the records.
        }
        // Few digests share their first 16 bytes: compare these first, as one number.
        let key = |record: &Record| {
            record
                .first_chunk()
                .map(|&bytes| u128::from_be_bytes(bytes))
        };
        Arc::make_mut(&mut self.0)
            .sort_unstable_by(|one, other| key(one).cmp(&key(other)).then_with(|| one.cmp(other)));
    }

    /// Appends a leaf for each bucket to a tree with these parameters. Empty buckets take almost no
    /// time. Call [`sort`](Sorted::sort) before.
    ///
    /// # Errors
    /// Those of [`merkle::leaf_hashes`] and [`merkle::Tree::append`].
    ///
    /// ```
    /// use finalist::{Algorithm, Params, merkle};
    /// let (algorithm, params) = (Algorithm::Blake2s, Params::new());
    /// let mut one = finalist_table::Sorted::new(1);
    /// one.add(&[[1; 32]]);
    /// one.sort();
    /// let mut tree = merkle::Tree::new(algorithm, &params)?;
    /// one.append_to(&mut tree, algorithm, &params)?;
    /// let leaves: Vec<&[u8]> = one.buckets().collect();
    /// let hashes = merkle::leaf_hashes(algorithm, &params, &leaves)?;
    /// assert_eq!(tree.root()?, merkle::root(algorithm, &params, &hashes)?);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn append_to(
        &self,
        tree: &mut merkle::Tree,
        algorithm: Algorithm,
        params: &Params<'_>,
    ) -> Result<(), Error> {
        let is_same = |one: &Record, other: &Record| bucket_of(one) == bucket_of(other);
        let buckets: Vec<&[Record]> = self.0.chunk_by(is_same).collect();
        let bytes: Vec<&[u8]> = buckets.iter().map(|bucket| bucket.as_flattened()).collect();
        let hashes = merkle::leaf_hashes(algorithm, params, &bytes)?;
        let empty = merkle::leaf_hashes(algorithm, params, &[b""])?;
        let numbers = buckets.iter().map(|bucket| bucket_of(&bucket[0]));
        let end = iter::once((BUCKETS, &[][..]));
        let (mut leaves, mut next) = (Vec::new(), 0);
        for (number, hash) in numbers.zip(hashes.chunks(empty.len())).chain(end) {
            let between = number - next;
            if between < MANY_EMPTY {
                (0..between).for_each(|_| leaves.extend_from_slice(&empty));
            } else {
                tree.append(&leaves)?;
                leaves.clear();
                tree.append_equal(&empty, between.into())?;
            }
            leaves.extend_from_slice(hash);
            next = number + 1;
        }
        tree.append(&leaves)
    }

    /// Returns the bytes of each of the 2^16 buckets, in order.
    pub fn buckets(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        (0..BUCKETS).map(move |number| {
            let rest = &self.0[start..];
            let count = rest.partition_point(|record| bucket_of(record) <= number);
            let range: Range<usize> = start..start + count;
            start = range.end;
            self.0[range].as_flattened()
        })
    }
}

fn bucket_of(record: &Record) -> u32 {
    u32::from(u16::from_be_bytes([record[0], record[1]]))
}
