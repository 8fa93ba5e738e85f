// SPDX-License-Identifier: MIT OR Apache-2.0
//! A table's rows whatever their order: their records, sorted, in buckets.
//!
//! A bucket is the sorted list of its records, one after the other. Two tables have the same bucket if,
//! and only if, they have the same records in it, each as often: so a digest of the list is as
//! collision resistant as its hash function, without a key. A sum of digests would not be
//! ([`Sums`](crate::Sums)).

use std::ops::Range;

use crate::Record;

/// Bits of a bucket's number: the first of a record.
const BITS: u32 = 16;

/// The records of a table, with the buckets in which they are.
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
    /// No records; `rows` are expected.
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

    /// True if there are no records.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sorts the records, after which [`buckets`](Sorted::buckets) can be asked for.
    pub fn sort(&mut self) {
        // Almost no digests begin with the same 16 bytes: these are compared as one number first.
        let key = |record: &Record| {
            record
                .first_chunk()
                .map(|&bytes| u128::from_be_bytes(bytes))
        };
        self.0
            .sort_unstable_by(|one, other| key(one).cmp(&key(other)).then_with(|| one.cmp(other)));
    }

    /// The bytes of each of the 2^16 buckets, in their order.
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
