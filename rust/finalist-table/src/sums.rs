// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first pass: a sum of row digests for each bucket.
//!
//! A bucket's sum is the sum of all its rows' digests, modulo 2^128: the multiset hash
//! MSet-Add-Hash of Clarke, Devadas, van Dijk, Gassend and Suh ("Incremental multiset hash
//! functions and their application to memory integrity checking", ASIACRYPT 2003). It is collision
//! resistant if the digests come from a keyed function whose key is unknown to anyone who chooses
//! rows. So the caller draws a random key for each comparison and forgets it afterwards, and sums
//! are never stored. Without a key, anybody could find rows whose digests have a given sum (Wagner,
//! "A generalized birthday problem", CRYPTO 2002).
//!
//! Two different multisets of rows have equal sums with a probability of at most 2^-(128 - v),
//! where 2^v is the largest power of two that divides all differences between the rows'
//! multiplicities. v is 0 if some row's multiplicities differ by an odd number.

use std::hash::{BuildHasher, Hasher, RandomState};

use crate::{KEY_BYTES, Record};

/// Maximum number of bits of a bucket's number.
const BITS_MAX: u32 = 24;

/// Numbers the buckets of keys in both passes of a comparison. It takes less time than the digest of
/// a key, which only the second pass needs, for few rows. Random, so that nobody who chooses keys
/// can put them into one bucket; a sum does not depend on it to be collision resistant.
///
/// ```
/// let numbers = finalist_table::BucketNumbers::default();
/// assert_eq!(numbers.of(b"key"), numbers.clone().of(b"key"));
/// ```
#[derive(Clone, Default)]
pub struct BucketNumbers(RandomState);

impl BucketNumbers {
    /// Returns bytes to use in place of a key's digest: the number of its bucket, then zeros.
    #[inline]
    pub fn of(&self, key: &[u8]) -> [u8; KEY_BYTES] {
        let mut hasher = self.0.build_hasher();
        hasher.write(key);
        let mut number = [0; KEY_BYTES];
        number[..8].copy_from_slice(&hasher.finish().to_be_bytes());
        number
    }
}

/// The sums of one table's buckets. The first bits of a row's record number its bucket: those of the
/// key's digest or of [`BucketNumbers`], so that all rows of a key are in one bucket.
///
/// ```
/// use finalist_table::Sums;
/// let (mut one, mut other) = (Sums::new(4), Sums::new(4));
/// one.add(&[[1; 32], [2; 32]]);
/// other.add(&[[2; 32], [1; 32]]);
/// assert_eq!(one.unequal(&other).count(), 0);
/// assert_eq!(one.rows(), 2);
/// ```
pub struct Sums {
    bits: u32,
    sums: Vec<u128>,
    rows: u64,
}

impl Sums {
    /// Returns the sums of no rows in 2^`bits` buckets; `bits` is clamped to 1..24. They take 16
    /// bytes a bucket.
    pub fn new(bits: u32) -> Sums {
        let bits = bits.clamp(1, BITS_MAX);
        Sums {
            bits,
            sums: vec![0; 1 << bits],
            rows: 0,
        }
    }

    /// Returns the number of bits for about eight of `rows` rows a bucket.
    pub fn bits_for(rows: u64) -> u32 {
        const ROWS_IN_BUCKET: u64 = 8;
        (rows / ROWS_IN_BUCKET).max(2).ilog2().min(BITS_MAX)
    }

    /// Adds rows.
    pub fn add(&mut self, records: &[Record]) {
        let shift = u32::BITS - self.bits;
        for record in records {
            let sum = &mut self.sums[(prefix_of(record) >> shift) as usize];
            *sum = sum.wrapping_add(row_of(record));
        }
        self.rows += records.len() as u64;
    }

    /// Returns the number of rows added.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the buckets in which two tables differ. Both must have the same number of buckets.
    pub fn unequal(&self, other: &Sums) -> Unequal {
        assert_eq!(self.bits, other.bits, "the numbers of buckets differ");
        Unequal::between(&self.sums, &other.sums)
    }
}

/// Buckets in which two tables differ.
///
/// ```
/// use finalist_table::Sums;
/// let (mut one, other) = (Sums::new(4), Sums::new(4));
/// one.add(&[[0x70; 32]]);
/// let unequal = one.unequal(&other);
/// assert!(unequal.has(&[0x7f; 16]) && !unequal.has(&[0x80; 16]));
/// ```
pub struct Unequal {
    shift: u32,
    words: Vec<u64>,
}

impl Unequal {
    /// Compares the tables' values bucket by bucket, in order. Both have the same number of
    /// buckets: a power of two, at least 2 and at most 2^24.
    ///
    /// ```
    /// let unequal = finalist_table::Unequal::between(&["a", "b"], &["a", "c"]);
    /// assert!(unequal.has(&[0x80; 16]) && !unequal.has(&[0x7f; 16]));
    /// ```
    pub fn between<T: PartialEq>(one: &[T], other: &[T]) -> Unequal {
        assert_eq!(one.len(), other.len(), "the numbers of buckets differ");
        assert!(one.len().is_power_of_two() && (2..=1 << BITS_MAX).contains(&one.len()));
        let mut words = vec![0u64; one.len().div_ceil(64)];
        for (bucket, (one, other)) in one.iter().zip(other).enumerate() {
            words[bucket / 64] |= u64::from(one != other) << (bucket % 64);
        }
        Unequal {
            shift: u32::BITS - one.len().ilog2(),
            words,
        }
    }

    /// Returns the number of buckets that differ.
    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Returns true if the bucket of a key's digest differs. The digest's first four bytes decide;
    /// the answer for fewer bytes is false.
    #[inline]
    pub fn has(&self, key: &[u8]) -> bool {
        let Some(prefix) = key.first_chunk::<4>() else {
            return false;
        };
        let bucket = (u32::from_be_bytes(*prefix) >> self.shift) as usize;
        self.words[bucket / 64] >> (bucket % 64) & 1 == 1
    }
}

fn prefix_of(record: &Record) -> u32 {
    u32::from_be_bytes([record[0], record[1], record[2], record[3]])
}

fn row_of(record: &Record) -> u128 {
    let mut row = [0; 16];
    row.copy_from_slice(&record[KEY_BYTES..]);
    u128::from_le_bytes(row)
}
