// SPDX-License-Identifier: MIT OR Apache-2.0
//! The records of a table's rows, sorted into buckets, so that the rows' order does not matter.
//!
//! A bucket is the sorted list of its records, concatenated. Two tables have the same bucket if and
//! only if both have the same records in it, each equally often. So a digest of the list is as
//! collision resistant as its hash function, without a key. A sum of digests would not be
//! ([`Sums`](crate::Sums)).

use std::ops::Range;

use crate::Record;

/// Bits of a bucket's number, with which a record begins.
const BITS: u32 = 16;

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
pub struct Sorted(Vec<Record>);

impl Sorted {
    /// Returns an empty set with room for `rows` records.
    pub fn new(rows: usize) -> Sorted {
        Sorted(Vec::with_capacity(rows))
    }

    /// Adds records.
    pub fn add(&mut self, records: &[Record]) {
        self.0.extend_from_slice(records);
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no records.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sorts the records. Call it before [`buckets`](Sorted::buckets).
    pub fn sort(&mut self) {
        // Few digests share their first 16 bytes: compare these first, as one number.
        let key = |record: &Record| {
            record
                .first_chunk()
                .map(|&bytes| u128::from_be_bytes(bytes))
        };
        self.0
            .sort_unstable_by(|one, other| key(one).cmp(&key(other)).then_with(|| one.cmp(other)));
    }

    /// Returns the bytes of each of the 2^16 buckets, in order.
    pub fn buckets(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        (0..1u32 << BITS).map(move |number| {
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
