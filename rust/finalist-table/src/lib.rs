// SPDX-License-Identifier: MIT OR Apache-2.0
#![forbid(unsafe_code)]
#![warn(missing_docs)]
//! Compares two tables by digests of their rows: finds the rows that were added, removed and
//! changed, by the rows' key columns. A caller encodes rows with an [`Encoder`], hashes them into
//! [`Record`]s, and keeps the rows that it wants to report. The feature `parquet` adds tables in
//! Parquet files, their comparison and their roots.
//!
//! The first pass adds the records of each table to [`Sums`]. [`Sums::unequal`] returns the buckets
//! in which the tables differ. The second pass takes only the rows of these buckets: those of the
//! old table make a [`Comparison`], which looks up each row of the new one. So memory grows with
//! the difference, not with the tables.
//!
//! ```
//! use finalist_table::{Comparison, Record, Sums};
//! let record = |key: u8, row: u8| -> Record {
//!     let mut record = [row; 32];
//!     record[..16].fill(key);
//!     record
//! };
//! let old = [record(1, 10), record(2, 20)];
//! let new = [record(2, 21), record(1, 10)];
//! let (mut old_sums, mut new_sums) = (Sums::new(8), Sums::new(8));
//! old_sums.add(&old);
//! new_sums.add(&new);
//! let unequal = old_sums.unequal(&new_sums);
//! assert_eq!(unequal.count(), 1);
//! let kept: Vec<Record> = old.into_iter().filter(|record| unequal.has(record)).collect();
//! let mut comparison = Comparison::new(kept)?;
//! let found: Vec<Record> = new.into_iter().filter(|record| unequal.has(record)).collect();
//! assert_eq!(comparison.add(&found), [0]);
//! assert_eq!(comparison.finish()?.changed, [(0, 0)]);
//! # Ok::<(), finalist_table::TooMany>(())
//! ```

#[cfg(feature = "parquet")]
mod buckets;
mod compare;
mod covered;
mod decoding;
mod encoding;
#[cfg(feature = "parquet")]
mod files;
mod keys;
mod nesting;
#[cfg(feature = "parquet")]
mod roots;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(feature = "parquet")]
mod sidecar;
mod sorted;
mod sums;
#[cfg(feature = "parquet")]
mod tables;
mod wide;

#[cfg(feature = "parquet")]
pub use buckets::Buckets;
pub use compare::{Comparison, Difference, Duplicate, Matches, TooMany};
pub use covered::Covered;
pub use decoding::{decoding, guarded, take_decoded};
pub use encoding::{Encoder, Encoding, NoEncoding, Time, Version, float16};
#[cfg(feature = "parquet")]
pub use files::{Column, Messages, Reader, Table, TableError};
pub use keys::Keys;
pub use nesting::check_nesting;
#[cfg(feature = "parquet")]
pub use roots::{RootOptions, root};
#[cfg(feature = "parquet")]
pub use rows::Rows;
#[cfg(feature = "parquet")]
pub use sidecar::RecordParameters;
pub use sorted::Sorted;
pub use sums::{BucketNumbers, Sums, Unequal};
#[cfg(feature = "parquet")]
pub use tables::{
    BufferedRows, ColumnChanges, DiffOptions, TableDiff, diff, diff_digests, diff_rows,
};

/// Bytes of a [`Record`].
///
/// ```
/// assert_eq!(finalist_table::RECORD_BYTES, size_of::<finalist_table::Record>());
/// ```
pub const RECORD_BYTES: usize = 32;

/// Bytes of a key's digest, with which a record begins.
///
/// ```
/// assert!(finalist_table::KEY_BYTES < finalist_table::RECORD_BYTES);
/// ```
pub const KEY_BYTES: usize = 16;

/// A row: 16 bytes of the digest of its key, then 16 bytes of the digest of the whole row.
///
/// ```
/// let record: finalist_table::Record = [0; 32];
/// ```
pub type Record = [u8; RECORD_BYTES];
