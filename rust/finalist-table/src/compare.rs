// SPDX-License-Identifier: MIT OR Apache-2.0
//! The second pass: the rows of unequal buckets, matched by the digests of their keys.

use std::fmt;
use std::ops::Range;

use crate::{KEY_BYTES, Record};

/// The old table's rows in the second pass, with the number of equal rows in the new table.
///
/// The crate's example shows how it is used.
///
/// ```
/// let mut comparison = finalist_table::Comparison::new(vec![[1; 32]])?;
/// assert!(comparison.add(&[[1; 32]]).is_empty());
/// assert!(comparison.finish()?.is_empty());
/// # Ok::<(), finalist_table::TooMany>(())
/// ```
pub struct Comparison {
    old: Vec<Record>,
    /// Indexes of old records, sorted by [`rank`].
    order: Vec<u32>,
    /// Index in `order` of the first record whose rank begins with a number of `bits` bits.
    starts: Vec<u32>,
    bits: u32,
    /// Number of equal records in the new table, at the index of the first of them in `order`.
    matched: Vec<u32>,
    /// The records that only the new table has.
    new: Vec<Record>,
}

/// Differing rows. Old rows are indexes into the records given to [`Comparison::new`]; new rows are
/// indexes into the rows that [`Comparison::add`] returned, in order of return.
///
/// ```
/// assert!(finalist_table::Difference::default().is_empty());
/// ```
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Rows of the new table whose key the old one lacks.
    pub added: Vec<i64>,
    /// Rows of the old table whose key the new one lacks.
    pub removed: Vec<i64>,
    /// The old and the new row of each key that each table has once, if they differ.
    pub changed: Vec<(i64, i64)>,
    /// Keys that occur several times in a table and whose rows differ.
    pub duplicates: Vec<Duplicate>,
}

impl Difference {
    /// Returns true if the tables have the same rows.
    pub fn is_empty(&self) -> bool {
        self == &Difference::default()
    }
}

/// A key that occurs several times in one of the tables.
///
/// ```
/// let mut comparison = finalist_table::Comparison::new(Vec::new())?;
/// comparison.add(&[[7; 32], [7; 32]]);
/// let keys = comparison.finish()?.duplicates;
/// assert_eq!((keys[0].old_count, keys[0].new_count), (0, 2));
/// # Ok::<(), finalist_table::TooMany>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The index of one of its rows.
    pub row: i64,
    /// True if `row` is an index in the old table.
    pub is_old: bool,
    /// Number of its rows in the old table.
    pub old_count: i64,
    /// Number of its rows in the new table.
    pub new_count: i64,
}

/// The error if more rows differ than can be compared at a time: 2^32.
///
/// ```
/// assert!(finalist_table::TooMany.to_string().contains("rows"));
/// ```
#[derive(Debug)]
pub struct TooMany;

impl fmt::Display for TooMany {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the tables differ in buckets of 2^32 rows or more")
    }
}

impl std::error::Error for TooMany {}

/// Returns the sort key of a record: the last bytes of the key's digest, then all of it. The first
/// bytes take few values, since only few buckets are compared.
fn rank(record: &Record) -> (u32, &Record) {
    (key_rank(record).0, record)
}

/// Returns the sort key of a key, for comparison with that of a record.
fn key_rank(record: &Record) -> (u32, &[u8]) {
    let key = &record[..KEY_BYTES];
    let end = [12, 13, 14, 15].map(|place| key[place]);
    (u32::from_be_bytes(end), key)
}

/// Returns the indexes of records, sorted by [`rank`].
fn sorted(records: &[Record]) -> Result<Vec<u32>, TooMany> {
    let count = u32::try_from(records.len()).map_err(|_| TooMany)?;
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_unstable_by_key(|&place| rank(&records[place as usize]));
    Ok(order)
}

impl Comparison {
    /// Starts with these records of the old table: all of those in the compared buckets.
    ///
    /// # Errors
    /// [`TooMany`] from 2^32 records on.
    pub fn new(old: Vec<Record>) -> Result<Comparison, TooMany> {
        let order = sorted(&old)?;
        let bits = (old.len().max(2) as u64).ilog2();
        let mut starts = vec![0; (1 << bits) + 1];
        for &place in &order {
            starts[(rank(&old[place as usize]).0 >> (u32::BITS - bits)) as usize + 1] += 1;
        }
        for start in 1..starts.len() {
            starts[start] += starts[start - 1];
        }
        Ok(Comparison {
            matched: vec![0; old.len()],
            new: Vec::new(),
            old,
            order,
            starts,
            bits,
        })
    }

    /// Looks up rows of the new table. Returns the indexes of those that the old table lacks, whose
    /// rows the caller keeps.
    pub fn add(&mut self, new: &[Record]) -> Vec<i64> {
        let mut unmatched = Vec::new();
        for (place, record) in new.iter().enumerate() {
            match self.find(record) {
                Some(found) => self.matched[found] += 1,
                None => {
                    unmatched.push(place as i64);
                    self.new.push(*record);
                }
            }
        }
        unmatched
    }

    /// Returns the first position in `order` of a record, if the old table has it.
    fn find(&self, record: &Record) -> Option<usize> {
        let bucket = (rank(record).0 >> (u32::BITS - self.bits)) as usize;
        let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        let first = range.start
            + self.order[range.clone()]
                .partition_point(|&place| rank(&self.old[place as usize]) < rank(record));
        (first < range.end && self.at(first) == record).then_some(first)
    }

    fn at(&self, place: usize) -> &Record {
        &self.old[self.order[place] as usize]
    }

    /// Returns the differences.
    ///
    /// # Errors
    /// [`TooMany`] from 2^32 rows on that only the new table has.
    pub fn finish(self) -> Result<Difference, TooMany> {
        let new = &self.new[..];
        let new_order = sorted(new)?;
        let mut difference = Difference::default();
        let new_at = |place: usize| &new[new_order[place] as usize];
        let (mut old_start, mut new_start) = (0, 0);
        loop {
            let old_next = (old_start < self.order.len()).then(|| key_rank(self.at(old_start)));
            let new_next = (new_start < new.len()).then(|| key_rank(new_at(new_start)));
            let Some(key) = [old_next, new_next].into_iter().flatten().min() else {
                return Ok(difference);
            };
            let old_end = (old_start..self.order.len())
                .find(|&place| key_rank(self.at(place)) != key)
                .unwrap_or(self.order.len());
            let new_end = (new_start..new.len())
                .find(|&place| key_rank(new_at(place)) != key)
                .unwrap_or(new.len());
            let new_rows = &new_order[new_start..new_end];
            self.classify(old_start..old_end, new_rows, &mut difference);
            (old_start, new_start) = (old_end, new_end);
        }
    }

    /// Adds the differences between the rows of one key: the old ones by their positions in
    /// `order`, and the new ones that equal no old one.
    fn classify(&self, old: Range<usize>, new: &[u32], difference: &mut Difference) {
        let matched: usize = old.clone().map(|place| self.matched[place] as usize).sum();
        if new.is_empty() && self.has_same(old.clone()) {
            return;
        }
        let old_row = self.order.get(old.start).map(|&row| i64::from(row));
        let new_row = new.first().map(|&row| i64::from(row));
        match (old.len(), matched + new.len(), old_row, new_row) {
            (0, 1, _, Some(new_row)) => difference.added.push(new_row),
            (1, 0, Some(old_row), _) => difference.removed.push(old_row),
            (1, 1, Some(old_row), Some(new_row)) => difference.changed.push((old_row, new_row)),
            (old_count, new_count, old_row, new_row) => {
                let is_old = old_count > 0;
                difference.duplicates.push(Duplicate {
                    row: (if is_old { old_row } else { new_row }).unwrap_or_default(),
                    is_old,
                    old_count: old_count as i64,
                    new_count: new_count as i64,
                });
            }
        }
    }

    /// Returns true if the new table has each record of a key as often as the old one.
    fn has_same(&self, old: Range<usize>) -> bool {
        let mut first = old.start;
        while first < old.end {
            let end = (first..old.end)
                .find(|&place| self.at(place) != self.at(first))
                .unwrap_or(old.end);
            if self.matched[first] as usize != end - first {
                return false;
            }
            first = end;
        }
        true
    }
}
