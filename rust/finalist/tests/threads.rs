// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many messages in several threads: the digests of one thread, the same errors, panics passed on.
#![cfg(feature = "rayon")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use finalist::{
    Algorithm, Column, Error, Params, digests_in_parts, hash, hash_column_into,
    hash_column_parallel_into, hash_equal, hash_equal_parallel, hash_equal_parallel_into,
    hash_many, hash_many_parallel, hash_many_parallel_into,
};

const PLAIN: Params<'static> = Params::new();
const COUNTS: [usize; 10] = [0, 1, 2, 63, 64, 65, 130, 1023, 1025, 9001];

/// Runs with 1, 2, 3 and 7 threads.
fn with_threads(test: impl Fn() + Sync) {
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(&test);
    }
}

/// Messages of 0 to 300 bytes, each different.
fn messages(count: usize) -> Vec<Vec<u8>> {
    let message = |place: usize| place.to_le_bytes().repeat(place % 38);
    (0..count).map(message).collect()
}

#[test]
fn messages_have_the_same_digests() {
    for algorithm in [Algorithm::Blake2s, Algorithm::Groestl256, Algorithm::Blake3] {
        for count in COUNTS {
            let messages = messages(count);
            let expected = hash_many(algorithm, &PLAIN, &messages);
            with_threads(|| {
                let digests = hash_many_parallel(algorithm, &PLAIN, &messages);
                assert_eq!(digests, expected, "{algorithm}, {count}");
            });
        }
    }
    let long: Vec<_> = (0..5).map(|place| vec![place; 100_000]).collect();
    let expected = hash_many(Algorithm::Blake2b, &PLAIN, &long);
    with_threads(|| {
        assert_eq!(
            hash_many_parallel(Algorithm::Blake2b, &PLAIN, &long),
            expected
        )
    });
}

#[test]
fn equal_messages_have_the_same_digests() {
    for count in COUNTS {
        for bytes in [1, 64, 100] {
            let messages: Vec<_> = (0..count * bytes).map(|at| (at % 251) as u8).collect();
            let expected = hash_equal(Algorithm::Blake2b, &PLAIN, &messages, bytes);
            with_threads(|| {
                let digests = hash_equal_parallel(Algorithm::Blake2b, &PLAIN, &messages, bytes);
                assert_eq!(digests, expected, "{count} of {bytes}");
            });
        }
    }
    let long = vec![7; 1 << 20];
    for (messages, bytes) in [(&[7; 9][..], 2), (&[7; 9], 0), (&[], 0), (&long, 0)] {
        with_threads(|| {
            let error = hash_equal_parallel(Algorithm::Blake2b, &PLAIN, messages, bytes);
            assert_eq!(error, Err(Error::BlockLength));
        });
    }
}

#[test]
fn few_bytes_are_one_part_and_many_are_several() {
    let parts_of = |threads, bytes| {
        let parts = AtomicUsize::new(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let done: Result<(), Error> = pool.expect("threads").install(|| {
            digests_in_parts(&mut vec![0; 5000 * 32], 32, bytes, |_, _| {
                parts.fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
        });
        assert_eq!(done, Ok(()));
        parts.into_inner()
    };
    for threads in [1, 2, 3] {
        assert_eq!(parts_of(threads, 10_000), 1);
        let parts = parts_of(threads, usize::MAX);
        let expected = if threads == 1 { 1..=1 } else { threads..=20 };
        assert!(expected.contains(&parts), "{parts} for {threads} threads");
    }
}

/// Compares a column's digests with those of one thread.
fn check_column(column: &Column<'_>) {
    let mut expected = vec![1; column.len() * 32];
    let result = hash_column_into(Algorithm::Blake2s, &PLAIN, column, &mut expected);
    with_threads(|| {
        let mut digests = vec![2; column.len() * 32];
        let parallel = hash_column_parallel_into(Algorithm::Blake2s, &PLAIN, column, &mut digests);
        assert_eq!(parallel, result);
        assert!(result.is_err() || digests == expected);
    });
}

#[test]
fn columns_have_the_same_digests() {
    for count in COUNTS {
        let messages = messages(count);
        let data = messages.concat();
        let mut end = 0;
        let ends = messages.iter().map(|message| {
            end += message.len();
            end
        });
        let offsets: Vec<_> = [0].into_iter().chain(ends.map(|end| end as i64)).collect();
        let narrow: Vec<_> = offsets.iter().map(|&offset| offset as i32).collect();
        let bits: Vec<_> = (0..=count / 8 + 1).map(|at| (at * 37) as u8).collect();
        let view = |message: &Vec<u8>| {
            let mut view = [0; 16];
            let inline = &message[..message.len().min(12)];
            view[0] = inline.len() as u8;
            view[4..4 + inline.len()].copy_from_slice(inline);
            view
        };
        let views: Vec<_> = messages.iter().map(view).collect();
        for column in [
            Column::from_offsets64(&offsets, &data),
            Column::from_offsets32(&narrow, &data).validity(&bits, 3),
            Column::from_views(&views, &[]).validity(&bits, 5),
            Column::from_fixed(16, count, views.as_flattened()),
            Column::from_fixed(0, count, &[]),
        ] {
            check_column(&column);
        }
        // Its last value lies beyond the data.
        check_column(&Column::from_fixed(16, count + 1, views.as_flattened()));
    }
}

#[test]
#[should_panic(expected = "no such values")]
fn a_slice_ends_within_its_column() {
    Column::from_fixed(1, 3, b"abc").slice(2..4);
}

#[test]
fn the_output_may_be_too_short_or_too_long() {
    let (messages, flat) = (messages(2000), [7; 2000 * 8]);
    with_threads(|| {
        let mut digests = vec![9; 2000 * 32 + 5];
        let column = Column::from_fixed(8, 2000, &flat);
        for bytes in [0, 31, 2000 * 32 - 1] {
            let short = &mut digests[..bytes];
            for result in [
                hash_many_parallel_into(Algorithm::Blake2s, &PLAIN, &messages, short),
                hash_equal_parallel_into(Algorithm::Blake2s, &PLAIN, &flat, 8, short),
                hash_column_parallel_into(Algorithm::Blake2s, &PLAIN, &column, short),
            ] {
                assert_eq!(result, Err(Error::OutputLength));
            }
        }
        assert!(digests.iter().all(|&byte| byte == 9));
        hash_many_parallel_into(Algorithm::Blake2s, &PLAIN, &messages, &mut digests)
            .expect("enough memory");
        let last = hash(Algorithm::Blake2s, &PLAIN, &messages[1999]).expect("a digest");
        assert_eq!(digests[1999 * 32..2000 * 32], last);
        assert_eq!(digests[2000 * 32..], [9; 5]);
    });
}

/// A message that cannot be read.
struct Panics;

impl AsRef<[u8]> for Panics {
    fn as_ref(&self) -> &[u8] {
        panic!("no bytes")
    }
}

#[test]
fn panics_and_errors_end_the_call() {
    let messages: Vec<_> = (0..5000).map(|_| Panics).collect();
    let looks = AtomicUsize::new(0);
    with_threads(|| {
        let result = catch_unwind(AssertUnwindSafe(|| {
            hash_many_parallel(Algorithm::Blake2s, &PLAIN, &messages)
        }));
        assert!(result.is_err());
        let mut digests = vec![0; 5000 * 32];
        let result = digests_in_parts(&mut digests, 32, usize::MAX, |rows, _| {
            looks.fetch_add(1, Ordering::Relaxed);
            Err(if rows.end <= 5000 { "wrong" } else { "beyond" })
        });
        assert_eq!(result, Err("wrong"));
    });
    assert!(looks.into_inner() < 40);
}
