// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matches rows by the digests of their keys: those of unequal buckets, in the second pass, or all.

use std::collections::HashMap;
use std::fmt;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use crate::{KEY_BYTES, Record, Sorted};

/// Rows of the old table, with the number of equal rows in the new table.
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
    old: Arc<Vec<Record>>,
    /// Indexes of old records, sorted by [`rank`]; empty if the records are sorted by it.
    order: Vec<u32>,
    /// The first of the four bytes of a key's digest by which keys are sorted first.
    sort_at: usize,
    /// Index in `order` of the first record whose rank begins with a number of `bits` bits.
    starts: Vec<u32>,
    bits: u32,
    matches: Matches,
}

/// The rows that [`Comparison::look_up`] found, and those that it did not: of one thread.
///
/// ```
/// let mut comparison = finalist_table::Comparison::new(vec![[1; 32]])?;
/// let mut matches = comparison.matches();
/// assert_eq!(comparison.look_up(&[[1; 32], [2; 32]], &mut matches), [1]);
/// comparison.take(matches);
/// assert_eq!(comparison.finish()?.added, [0]);
/// # Ok::<(), finalist_table::TooMany>(())
/// ```
#[derive(Default)]
pub struct Matches {
    /// A bit for each position in the old records' order: whether the first of some equal records
    /// was found. Few bytes, since the positions are random.
    found: Vec<u64>,
    /// The number of times that it was found again, if not 0.
    again: HashMap<u32, u32>,
    /// The records that only the new table has.
    new: Vec<Record>,
}

impl Matches {
    fn for_records(count: usize) -> Matches {
        Matches {
            found: vec![0; count.div_ceil(64)],
            ..Matches::default()
        }
    }

    #[inline]
    fn add(&mut self, position: usize) {
        let (word, bit) = (&mut self.found[position / 64], 1 << (position % 64));
        if *word & bit != 0 {
            *self.again.entry(position as u32).or_default() += 1;
        }
        *word |= bit;
    }

    /// Returns how often the record at a position was found.
    fn count(&self, position: usize) -> usize {
        if self.found[position / 64] >> (position % 64) & 1 == 0 {
            return 0;
        }
        let again = self.again.get(&(position as u32));
        1 + again.map_or(0, |&count| count as usize)
    }
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

    fn sort(&mut self) {
        self.added.sort_unstable();
        self.removed.sort_unstable();
        self.changed.sort_unstable();
        let place = |key: &Duplicate| (!key.is_old, key.row);
        self.duplicates.sort_unstable_by_key(place);
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
    /// The index of its first row.
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

/// The last bytes of a key's digest. The first take few values if only few buckets are compared.
const LAST: usize = KEY_BYTES - 4;

/// Returns the sort key of a record: four bytes of the key's digest, then all of it.
#[inline]
fn rank(record: &Record, sort_at: usize) -> (u32, &Record) {
    (key_rank(record, sort_at).0, record)
}

/// Returns the sort key of a key, for comparison with that of a record.
#[inline]
fn key_rank(record: &Record, sort_at: usize) -> (u32, u128) {
    let mut key = [0; KEY_BYTES];
    key.copy_from_slice(&record[..KEY_BYTES]);
    let bytes = [0, 1, 2, 3].map(|at| key[sort_at + at]);
    (u32::from_be_bytes(bytes), u128::from_be_bytes(key))
}

/// Returns the indexes of records, sorted by [`rank`].
fn sorted(records: &[Record], sort_at: usize) -> Result<Vec<u32>, TooMany> {
    let count = u32::try_from(records.len()).map_err(|_| TooMany)?;
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_unstable_by_key(|&row| rank(&records[row as usize], sort_at));
    Ok(order)
}

impl Comparison {
    /// Starts with these records of the old table: all of those in the compared buckets.
    ///
    /// # Errors
    /// [`TooMany`] from 2^32 records on.
    pub fn new(old: Vec<Record>) -> Result<Comparison, TooMany> {
        let order = sorted(&old, LAST)?;
        Ok(Comparison::in_order(Arc::new(old), order, LAST))
    }

    /// Starts with all records of the old table. Call [`Sorted::sort`] before.
    ///
    /// # Errors
    /// [`TooMany`] from 2^32 records on.
    ///
    /// ```
    /// use finalist_table::{Comparison, Sorted};
    /// let mut old = Sorted::new(2);
    /// old.add(&[[2; 32], [1; 32]]);
    /// old.sort();
    /// let mut comparison = Comparison::of_sorted(&old)?;
    /// assert!(comparison.add(&[[2; 32]]).is_empty());
    /// assert_eq!(comparison.finish()?.removed, [0]);
    /// # Ok::<(), finalist_table::TooMany>(())
    /// ```
    pub fn of_sorted(old: &Sorted) -> Result<Comparison, TooMany> {
        u32::try_from(old.len()).map_err(|_| TooMany)?;
        Ok(Comparison::in_order(old.shared(), Vec::new(), 0))
    }

    fn in_order(old: Arc<Vec<Record>>, order: Vec<u32>, sort_at: usize) -> Comparison {
        let bits = (old.len().max(2) as u64).ilog2();
        let mut starts = vec![0; (1 << bits) + 1];
        for record in old.iter() {
            starts[(rank(record, sort_at).0 >> (u32::BITS - bits)) as usize + 1] += 1;
        }
        for start in 1..starts.len() {
            starts[start] += starts[start - 1];
        }
        Comparison {
            matches: Matches::for_records(old.len()),
            old,
            order,
            sort_at,
            starts,
            bits,
        }
    }

    /// Looks up rows of the new table. Returns the indexes of those that the old table lacks, whose
    /// rows the caller keeps.
    pub fn add(&mut self, new: &[Record]) -> Vec<i64> {
        let mut matches = mem::take(&mut self.matches);
        let unmatched = self.look_up(new, &mut matches);
        self.matches = matches;
        unmatched
    }

    /// Returns matches for [`look_up`](Comparison::look_up) to add to.
    pub fn matches(&self) -> Matches {
        Matches::for_records(self.old.len())
    }

    /// Looks up rows of the new table like [`add`](Comparison::add), also in several threads at a
    /// time, each with matches of its own.
    pub fn look_up(&self, new: &[Record], matches: &mut Matches) -> Vec<i64> {
        // The loads of a step do not depend on each other, so the processor waits for several of
        // them at a time.
        const AT_ONCE: usize = 128;
        let (mut starts, mut are_equal) = ([0; AT_ONCE], [false; AT_ONCE]);
        let mut unmatched = Vec::new();
        for (group, records) in new.chunks(AT_ONCE).enumerate() {
            for (start, record) in starts.iter_mut().zip(records) {
                *start = self.starts[self.bucket_of(record)] as usize;
            }
            for ((is_equal, &start), record) in are_equal.iter_mut().zip(&starts).zip(records) {
                *is_equal = start < self.old.len() && self.at(start) == record;
            }
            for (place, record) in records.iter().enumerate() {
                let found = match are_equal[place] {
                    true => Some(starts[place]),
                    false => self.find(record),
                };
                match found {
                    Some(found) => matches.add(found),
                    None => {
                        unmatched.push((group * AT_ONCE + place) as i64);
                        matches.new.push(*record);
                    }
                }
            }
        }
        unmatched
    }

    /// Takes over the matches of a thread. Indexes of new rows are in the order of these calls.
    pub fn take(&mut self, matches: Matches) {
        let own = &mut self.matches;
        for (at, word) in matches.found.iter().enumerate() {
            let twice = own.found[at] & word;
            for bit in (0..64).filter(|bit| twice >> bit & 1 == 1) {
                *own.again.entry((64 * at + bit) as u32).or_default() += 1;
            }
            own.found[at] |= word;
        }
        for (position, count) in matches.again {
            *own.again.entry(position).or_default() += count;
        }
        own.new.extend(matches.new);
    }

    /// Returns the index in `starts` for a record.
    fn bucket_of(&self, record: &Record) -> usize {
        (rank(record, self.sort_at).0 >> (u32::BITS - self.bits)) as usize
    }

    /// Returns the first position in `order` of a record, if the old table has it.
    fn find(&self, record: &Record) -> Option<usize> {
        let wanted = rank(record, self.sort_at);
        let bucket = self.bucket_of(record);
        let (mut first, limit) = (
            self.starts[bucket] as usize,
            self.starts[bucket + 1] as usize,
        );
        let mut end = limit;
        while first < end {
            let middle = first + (end - first) / 2;
            match rank(self.at(middle), self.sort_at) < wanted {
                true => first = middle + 1,
                false => end = middle,
            }
        }
        (first < limit && self.at(first) == record).then_some(first)
    }

    /// Returns the index of the old record at a position in `order`.
    fn row(&self, position: usize) -> usize {
        match self.order.get(position) {
            Some(&row) => row as usize,
            None => position,
        }
    }

    fn at(&self, position: usize) -> &Record {
        &self.old[self.row(position)]
    }

    /// Returns the differences: in the order of the rows of the table that has them, the old one if
    /// both do; after [`Comparison::of_sorted`] in that of the keys' digests.
    ///
    /// # Errors
    /// [`TooMany`] from 2^32 rows on that only the new table has.
    pub fn finish(self) -> Result<Difference, TooMany> {
        let new = &self.matches.new[..];
        let new_order = sorted(new, self.sort_at)?;
        let mut difference = Difference::default();
        let key_of = |record| key_rank(record, self.sort_at);
        let old_key = |position: usize| key_of(self.at(position));
        let new_key = |position: usize| key_of(&new[new_order[position] as usize]);
        let (mut old_start, mut new_start) = (0, 0);
        loop {
            let old_next = (old_start < self.old.len()).then(|| old_key(old_start));
            let new_next = (new_start < new.len()).then(|| new_key(new_start));
            let Some(key) = [old_next, new_next].into_iter().flatten().min() else {
                break;
            };
            // Most rows have their key alone, and an equal row.
            let next = old_start + 1;
            let is_alone = new_next.is_none_or(|new| new > key)
                && (next >= self.old.len() || old_key(next) != key);
            if is_alone && self.matches.count(old_start) == 1 {
                old_start = next;
                continue;
            }
            let old_end = (old_start..self.old.len())
                .find(|&position| old_key(position) != key)
                .unwrap_or(self.old.len());
            let new_end = (new_start..new.len())
                .find(|&position| new_key(position) != key)
                .unwrap_or(new.len());
            let new_rows = &new_order[new_start..new_end];
            self.classify(old_start..old_end, new_rows, &mut difference);
            (old_start, new_start) = (old_end, new_end);
        }
        // Digests with a random key would give the same tables another order each time.
        if self.sort_at == LAST {
            difference.sort();
        }
        Ok(difference)
    }

    /// Adds the differences between the rows of one key: the old ones by their positions in
    /// `order`, and the new ones that equal no old one.
    fn classify(&self, old: Range<usize>, new: &[u32], difference: &mut Difference) {
        let matched: usize = old
            .clone()
            .map(|position| self.matches.count(position))
            .sum();
        if new.is_empty() && self.has_same(old.clone()) {
            return;
        }
        let old_row = old.clone().map(|position| self.row(position) as i64).min();
        let new_row = new.iter().map(|&row| i64::from(row)).min();
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
            if self.matches.count(first) != end - first {
                return false;
            }
            first = end;
        }
        true
    }
}
