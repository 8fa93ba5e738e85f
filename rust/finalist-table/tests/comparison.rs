// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares random tables with few keys and checks the result by counting.

use std::collections::{BTreeMap, BTreeSet};

use finalist_table::{Comparison, Difference, KEY_BYTES, Keys, Record, Sorted, Sums};

/// A random number generator that accepts any seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % end
    }
}

/// Returns a pseudorandom record of a key and a row, both derived from numbers.
fn record(key: u64, row: u64) -> Record {
    let mut record = [0; 32];
    for (place, seed) in [key, key, key ^ row << 32, key ^ row << 32]
        .into_iter()
        .enumerate()
    {
        let word = Random(seed * 4 + place as u64).below(u64::MAX);
        record[place * 8..place * 8 + 8].copy_from_slice(&word.to_le_bytes());
    }
    record
}

fn table(random: &mut Random, keys: u64) -> Vec<Record> {
    let rows = random.below(2 * keys);
    (0..rows)
        .map(|_| record(random.below(keys), random.below(3)))
        .collect()
}

/// Compares with the engine, with buckets of `bits` bits.
fn compared(old: &[Record], new: &[Record], bits: u32) -> (Vec<Record>, Vec<Record>, Difference) {
    let (mut old_sums, mut new_sums) = (Sums::new(bits), Sums::new(bits));
    old_sums.add(old);
    new.chunks(3).for_each(|some| new_sums.add(some));
    let unequal = old_sums.unequal(&new_sums);
    let chosen = |all: &[Record]| -> Vec<Record> {
        all.iter().copied().filter(|one| unequal.has(one)).collect()
    };
    let (old, new) = (chosen(old), chosen(new));
    let mut comparison = Comparison::new(old.clone()).expect("few rows");
    let mut unmatched = Vec::new();
    for some in new.chunks(2) {
        let places = comparison.add(some);
        unmatched.extend(places.into_iter().map(|place| some[place as usize]));
    }
    let difference = comparison.finish().expect("few rows");
    (old, unmatched, difference)
}

type Counts = BTreeMap<[u8; KEY_BYTES], BTreeMap<Record, i64>>;

fn counts(table: &[Record]) -> Counts {
    let mut counts = Counts::new();
    for record in table {
        let key: [u8; KEY_BYTES] = std::array::from_fn(|place| record[place]);
        *counts.entry(key).or_default().entry(*record).or_default() += 1;
    }
    counts
}

#[test]
fn random_tables() {
    let mut random = Random(1);
    for round in 0..3000 {
        let keys = 1 + random.below(20);
        let old = table(&mut random, keys);
        let mut new = if random.below(2) == 0 {
            old.clone()
        } else {
            table(&mut random, keys)
        };
        if round % 5 == 0 {
            new.reverse();
        }
        check(&old, &new, 1 + (round % 9) as u32);
    }
}

/// Compares with all records of the old table, sorted, and with the new one in two parts.
fn compared_whole(old: &[Record], new: &[Record]) -> (Vec<Record>, Vec<Record>, Difference) {
    let mut sorted = Sorted::new(0);
    sorted.add(old);
    sorted.sort();
    let mut comparison = Comparison::of_sorted(&sorted).expect("few rows");
    let (first, second) = new.split_at(new.len() / 2);
    let [one, other] = [first, second].map(|part| {
        let mut matches = comparison.matches();
        let mut unmatched = Vec::new();
        for some in part.chunks(3) {
            let places = comparison.look_up(some, &mut matches);
            unmatched.extend(places.into_iter().map(|place| some[place as usize]));
        }
        (matches, unmatched)
    });
    comparison.take(one.0);
    comparison.take(other.0);
    let difference = comparison.finish().expect("few rows");
    (
        sorted.records().to_vec(),
        [one.1, other.1].concat(),
        difference,
    )
}

/// Checks results against counts: each key must be in its class, and in no other.
fn check(old: &[Record], new: &[Record], bits: u32) {
    for found in [compared(old, new, bits), compared_whole(old, new)] {
        check_result(old, new, found);
    }
}

fn check_result(
    old: &[Record],
    new: &[Record],
    (held, unmatched, difference): (Vec<Record>, Vec<Record>, Difference),
) {
    let (old_counts, new_counts) = (counts(old), counts(new));
    let none = BTreeMap::new();
    let keys: BTreeSet<_> = old_counts.keys().chain(new_counts.keys()).collect();
    let mut expected = BTreeMap::new();
    for key in keys {
        let olds = old_counts.get(key).unwrap_or(&none);
        let news = new_counts.get(key).unwrap_or(&none);
        if olds != news {
            expected.insert(&key[..], (olds.values().sum(), news.values().sum()));
        }
    }
    let mut found: BTreeMap<&[u8], (i64, i64)> = BTreeMap::new();
    let mut put = |record: &'_ Record, counts| {
        let key = [&held[..], &unmatched[..]].concat();
        let key = key
            .into_iter()
            .find(|one| one == record)
            .expect("a row that is held");
        let (key, _) = old_counts
            .get_key_value(&key[..KEY_BYTES])
            .or_else(|| new_counts.get_key_value(&key[..KEY_BYTES]))
            .expect("a key of a table");
        assert!(found.insert(&key[..], counts).is_none(), "a key twice");
    };
    for &row in &difference.added {
        put(&unmatched[row as usize], (0, 1));
    }
    for &row in &difference.removed {
        put(&held[row as usize], (1, 0));
    }
    for &(old, new) in &difference.changed {
        assert_eq!(
            held[old as usize][..KEY_BYTES],
            unmatched[new as usize][..KEY_BYTES]
        );
        put(&held[old as usize], (1, 1));
    }
    for one in &difference.duplicates {
        let rows = if one.is_old { &held } else { &unmatched };
        assert!(one.old_count > 1 || one.new_count > 1);
        put(&rows[one.row as usize], (one.old_count, one.new_count));
    }
    assert_eq!(found, expected);
}

/// More rows than the matches of a thread have bits in a word, all found by both threads.
#[test]
fn many_rows_that_are_found_again() {
    let old: Vec<_> = (0..200).map(|key| record(key, 0)).collect();
    check(&old, &[&old[..], &old].concat(), 9);
}

#[test]
fn bits_follow_the_rows() {
    for (rows, bits) in [(0, 1), (16, 1), (32, 2), (10_000_000, 20), (u64::MAX, 24)] {
        assert_eq!(Sums::bits_for(rows), bits, "{rows} rows");
    }
}

#[test]
fn keys_are_counted_once() {
    let records = [record(1, 0), record(2, 0), record(1, 1), record(1, 0)];
    let keys = Keys::new(&records);
    assert_eq!(keys.count(), 2);
    for (key, is_there) in [(1, true), (2, true), (3, false)] {
        let key = record(key, 0);
        assert_eq!(keys.has(key.first_chunk().expect("a key")), is_there);
    }
}
