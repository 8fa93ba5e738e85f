// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares two tables of Parquet files: runs the two passes of this crate over their rows.

use std::mem;
use std::sync::{Mutex, mpsc};
use std::thread;

use finalist::{Algorithm, Params, hash_column_into, hash_many_into};

use crate::files::{joined, locked};
use crate::{
    BucketNumbers, Buckets, Comparison, Difference, KEY_BYTES, Messages, RECORD_BYTES, Reader,
    Record, RecordParameters, Rows, Sums, Table, TableError, Unequal,
};

/// Bytes of the random key of a comparison.
const SECRET_BYTES: usize = 32;
/// The second pass hands over the new table's rows in chunks of this many bytes. It holds a number
/// of them until the old table is read.
const CHUNK_BYTES: usize = 1 << 20;
const CHUNKS_AHEAD: usize = 32;

/// The columns to compare.
///
/// ```
/// let options = finalist_table::DiffOptions { keys: vec!["id".into()], ..Default::default() };
/// assert!(options.columns.is_none());
/// ```
#[derive(Default)]
pub struct DiffOptions {
    /// The key columns, which identify rows.
    pub keys: Vec<String>,
    /// The columns to compare besides the key; `None` for all that both tables have.
    pub columns: Option<Vec<String>>,
    /// True if an integral decimal is encoded as an integer.
    pub by_value: bool,
    /// The buckets of the tables, if the caller has them: a table whose buckets are given is read
    /// only if they differ from the other's.
    pub old_buckets: Option<Buckets>,
    /// Those of the new table.
    pub new_buckets: Option<Buckets>,
    /// The secret key of the buckets, or of [`Rows`]; empty for none.
    pub bucket_key: Vec<u8>,
}

impl DiffOptions {
    /// Returns the parameters that digests must have. `known`: those of the older table's, which
    /// has the columns to compare unless they are given.
    pub(crate) fn parameters(&self, known: &RecordParameters) -> RecordParameters {
        let is_key = |name: &&String| self.keys.contains(name);
        let columns = match &self.columns {
            Some(columns) => columns
                .iter()
                .filter(|name| !is_key(name))
                .cloned()
                .collect(),
            None => known.columns.clone(),
        };
        RecordParameters {
            keys: self.keys.clone(),
            columns,
            by_value: self.by_value,
        }
    }
}

/// Differences between the columns of two tables.
///
/// ```
/// assert!(finalist_table::ColumnChanges::default().added.is_empty());
/// ```
#[derive(Default, Debug)]
pub struct ColumnChanges {
    /// Names and types of columns that only the new table has.
    pub added: Vec<(String, String)>,
    /// Names and types of columns that only the old table has.
    pub dropped: Vec<(String, String)>,
    /// Name, old type and new type of each column whose type differs.
    pub retyped: Vec<(String, String, String)>,
}

/// Rows of a table by their encodings: the values of the key's columns, of the compared ones, and
/// of the table's others, in this order (docs/format/rows.md).
///
/// ```
/// assert_eq!(finalist_table::BufferedRows::default().len(), 0);
/// ```
#[derive(Default)]
pub struct BufferedRows {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    /// Names of the columns, in the order of the values.
    pub names: Vec<String>,
}

impl BufferedRows {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the values of a row.
    pub fn row(&self, row: i64) -> &[u8] {
        // Skip the encoding's version.
        &self.encoding(row)[1..]
    }

    fn encoding(&self, row: i64) -> &[u8] {
        let row = row as usize;
        let start = row.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.bytes[start as usize..self.ends[row] as usize]
    }

    fn push(&mut self, row: &[u8]) {
        self.bytes.extend_from_slice(row);
        self.ends.push(self.bytes.len() as u64);
    }
}

/// The differences between two tables.
///
/// ```no_run
/// # fn compare(old: &finalist_table::Table, new: &finalist_table::Table)
/// # -> Result<(), finalist_table::TableError> {
/// let options = finalist_table::DiffOptions { keys: vec!["id".into()], ..Default::default() };
/// let found = finalist_table::diff(old, new, &options)?;
/// println!("{} rows were added", found.rows.added.len());
/// # Ok(())
/// # }
/// ```
pub struct TableDiff {
    /// Differences between the columns.
    pub columns: ColumnChanges,
    /// The differing rows, as indexes into the kept ones.
    pub rows: Difference,
    /// Kept rows of the old table.
    pub old: BufferedRows,
    /// Kept rows of the new table.
    pub new: BufferedRows,
    /// The number of key columns, which come first.
    pub keys: usize,
    /// The number of other columns that are compared, which follow.
    pub compared: usize,
}

impl TableDiff {
    /// Returns true if both tables have the same columns, by name, and the same rows.
    pub fn is_equal(&self) -> bool {
        let columns = &self.columns;
        self.rows.is_empty() && columns.added.is_empty() && columns.dropped.is_empty()
    }
}

/// The indexes of a table's columns: the key's, the compared ones, the others.
struct Chosen([Vec<usize>; 3]);

impl Chosen {
    fn groups(&self) -> [&[usize]; 3] {
        let Chosen([keys, compared, others]) = self;
        [keys, compared, others]
    }
}

/// Compares two tables by the values of their key columns. One thread a table reads it; if they
/// differ, it reads the key columns again, and the other columns of the rows in unequal buckets.
/// Memory grows with the difference.
///
/// # Errors
/// Those of [`Reader`]; a column is missing; the system provides no random key.
pub fn diff(old: &Table, new: &Table, options: &DiffOptions) -> Result<TableDiff, TableError> {
    let (compared, columns) = compared_columns(old, new, options);
    let chosen = [
        choose(old, &compared, options)?,
        choose(new, &compared, options)?,
    ];
    let sides = [(old, &chosen[0]), (new, &chosen[1])];
    let mut secret = [0; SECRET_BYTES];
    let (key, choice) = match (&options.old_buckets, &options.new_buckets) {
        (None, None) => {
            getrandom::fill(&mut secret)
                .map_err(|error| TableError::new(old.path(), &format!("no random key: {error}")))?;
            let numbers = BucketNumbers::default();
            let unequal = unequal_sums(sides, &secret, &numbers, options)?;
            (
                &secret[..],
                Choice {
                    unequal,
                    numbers: Some(numbers),
                },
            )
        }
        _ => {
            let unequal = unequal_buckets(sides, &compared, options)?;
            (
                &options.bucket_key[..],
                Choice {
                    unequal,
                    numbers: None,
                },
            )
        }
    };
    let mut found = TableDiff {
        columns,
        rows: Difference::default(),
        old: BufferedRows::default(),
        new: BufferedRows::default(),
        keys: options.keys.len(),
        compared: compared.len(),
    };
    if choice.unequal.count() > 0 {
        choice.compare(sides, key, options, &mut found)?;
    }
    for (kept, (table, chosen)) in [&mut found.old, &mut found.new].into_iter().zip(sides) {
        let columns = chosen.0.iter().flatten();
        kept.names = columns
            .map(|&column| table.column(column).name.clone())
            .collect();
    }
    Ok(found)
}

/// Compares a table with another one of which only the digests of its rows are given. The rows of
/// `removed`, and those of duplicates in the old table, are indexes for [`Rows::key_digest`]; no old
/// row is kept. Columns that the digests do not cover count as added unless `options.columns` is
/// set. Memory: 4 bytes for each row of `old` besides its record, and the rows that differ.
///
/// # Errors
/// Those of [`Reader`]; a column is missing; the digests have other parameters.
///
/// ```no_run
/// # fn compare(file: &finalist_table::Table, new: &finalist_table::Table)
/// # -> Result<(), finalist_table::TableError> {
/// let old = finalist_table::Rows::read(file, b"")?;
/// let options = finalist_table::DiffOptions { keys: vec!["id".into()], ..Default::default() };
/// let found = finalist_table::diff_rows(&old, new, &options)?;
/// println!("{} rows were added", found.rows.added.len());
/// # Ok(())
/// # }
/// ```
pub fn diff_rows(old: &Rows, new: &Table, options: &DiffOptions) -> Result<TableDiff, TableError> {
    let parameters = options.parameters(old.parameters());
    let compared = &parameters.columns;
    let key = &options.bucket_key;
    old.check(&parameters, !key.is_empty())?;
    let chosen = choose(new, compared, options)?;
    let too_many = |error: crate::TooMany| TableError::new(old.path(), &error.to_string());
    let mut comparison = Comparison::of_sorted(old.records()).map_err(too_many)?;
    let kept = Mutex::new(Vec::new());
    Reader::in_threads(new, chosen.groups(), options.by_value, |mut reader| {
        let (mut matches, mut rows) = (comparison.matches(), BufferedRows::default());
        let mut hasher = RecordHasher::new(new, key);
        let mut messages = Messages::default();
        while reader.next(&mut messages)? {
            for row in comparison.look_up(hasher.records(&messages)?, &mut matches) {
                rows.push(messages.part(row as usize, 3));
            }
        }
        locked(&kept).push((matches, rows));
        Ok(())
    })?;
    let mut rows = BufferedRows::default();
    for (matches, more) in mem::take(&mut *locked(&kept)) {
        comparison.take(matches);
        (0..more.len()).for_each(|row| rows.push(more.encoding(row as i64)));
    }
    let names = chosen.0.iter().flatten();
    rows.names = names
        .map(|&column| new.column(column).name.clone())
        .collect();
    let added = chosen.0[2].iter().map(|&column| new.column(column));
    Ok(TableDiff {
        columns: ColumnChanges {
            added: added
                .map(|column| (column.name.clone(), column.type_name.clone()))
                .collect(),
            ..Default::default()
        },
        rows: comparison.finish().map_err(too_many)?,
        old: BufferedRows::default(),
        new: rows,
        keys: options.keys.len(),
        compared: compared.len(),
    })
}

/// Compares two tables by the digests of their rows alone. No row is kept: the rows of the result
/// are indexes for [`Rows::key_digest`] of their side.
///
/// # Errors
/// The digests of a table have other parameters.
///
/// ```no_run
/// # fn compare(old: &finalist_table::Rows, new: &finalist_table::Rows)
/// # -> Result<(), finalist_table::TableError> {
/// let options = finalist_table::DiffOptions { keys: vec!["id".into()], ..Default::default() };
/// let found = finalist_table::diff_digests(old, new, &options)?;
/// println!("{} rows were added", found.rows.added.len());
/// # Ok(())
/// # }
/// ```
pub fn diff_digests(
    old: &Rows,
    new: &Rows,
    options: &DiffOptions,
) -> Result<TableDiff, TableError> {
    let parameters = options.parameters(old.parameters());
    for side in [old, new] {
        side.check(&parameters, !options.bucket_key.is_empty())?;
    }
    let too_many = |error: crate::TooMany| TableError::new(old.path(), &error.to_string());
    let mut comparison = Comparison::of_sorted(old.records()).map_err(too_many)?;
    let kept = comparison.add(new.records().records());
    let mut rows = comparison.finish().map_err(too_many)?;
    // It numbers the new rows in the order in which they were kept.
    let duplicates = rows.duplicates.iter_mut().filter(|key| !key.is_old);
    let changed = rows.changed.iter_mut().map(|(_, row)| row);
    let added = rows.added.iter_mut().chain(changed);
    for row in added.chain(duplicates.map(|key| &mut key.row)) {
        *row = kept[*row as usize];
    }
    Ok(TableDiff {
        columns: ColumnChanges::default(),
        rows,
        old: BufferedRows::default(),
        new: BufferedRows::default(),
        keys: parameters.keys.len(),
        compared: parameters.columns.len(),
    })
}

/// Returns the columns to compare besides the key, and the differences between all columns.
fn compared_columns(
    old: &Table,
    new: &Table,
    options: &DiffOptions,
) -> (Vec<String>, ColumnChanges) {
    let (old_columns, new_columns) = (old.columns(), new.columns());
    let is_key = |name: &String| options.keys.contains(name);
    let mut changes = ColumnChanges::default();
    let mut compared = Vec::new();
    if let Some(columns) = &options.columns {
        compared.extend(columns.iter().filter(|name| !is_key(name)).cloned());
    }
    for column in &old_columns {
        let name = &column.name;
        let other = new_columns.iter().find(|other| other.name == *name);
        match other {
            None if options.columns.is_none() && !is_key(name) => {
                let dropped = (name.clone(), column.type_name.clone());
                changes.dropped.push(dropped);
            }
            None => (),
            Some(other) => {
                if options.columns.is_none() && !is_key(name) {
                    compared.push(name.clone());
                }
                let counts = is_key(name) || compared.contains(name);
                if counts && other.type_name != column.type_name {
                    let (old, new) = (column.type_name.clone(), other.type_name.clone());
                    changes.retyped.push((name.clone(), old, new));
                }
            }
        }
    }
    if options.columns.is_none() {
        let is_new = |name: &String| !old_columns.iter().any(|column| column.name == *name);
        let added = new_columns.iter();
        let added = added.filter(|column| is_new(&column.name) && !is_key(&column.name));
        changes.added = added
            .map(|column| (column.name.clone(), column.type_name.clone()))
            .collect();
    }
    (compared, changes)
}

fn choose(table: &Table, compared: &[String], options: &DiffOptions) -> Result<Chosen, TableError> {
    let is_other = |name: &&String| !options.keys.contains(name) && !compared.contains(name);
    let others: Vec<String> = match options.columns {
        Some(_) => Vec::new(),
        None => {
            let columns = table.columns();
            let names = columns.iter().map(|column| &column.name);
            names.filter(is_other).cloned().collect()
        }
    };
    let keys = table.find(&options.keys)?;
    Ok(Chosen([keys, table.find(compared)?, table.find(&others)?]))
}

/// Runs a function for both tables at the same time.
fn both<T: Send>(
    sides: [(&Table, &Chosen); 2],
    work: impl Fn(&Table, &Chosen) -> Result<T, TableError> + Sync,
) -> Result<[T; 2], TableError> {
    let [old, new] = sides;
    thread::scope(|scope| {
        let other = scope.spawn(|| work(new.0, new.1));
        let old = work(old.0, old.1);
        let new = joined(other, new.0);
        Ok([old?, new?])
    })
}

/// The first pass: returns the buckets that differ, by sums of the rows' digests.
fn unequal_sums(
    sides: [(&Table, &Chosen); 2],
    secret: &[u8],
    numbers: &BucketNumbers,
    options: &DiffOptions,
) -> Result<Unequal, TableError> {
    let bits = Sums::bits_for(sides[0].0.rows().max(sides[1].0.rows()));
    let [old, new] = both(sides, |table, chosen| {
        let mut sums = Sums::new(bits);
        let [keys, compared, _] = chosen.groups();
        let mut reader = Reader::new(table, [keys, compared, &[]], options.by_value);
        let mut hasher = RecordHasher::new(table, secret);
        let mut messages = Messages::default();
        while reader.next(&mut messages)? {
            sums.add(hasher.numbered(&messages, numbers)?);
        }
        Ok(sums)
    })?;
    Ok(old.unequal(&new))
}

/// Returns the buckets that differ. At least one table's are given; computes the other's.
fn unequal_buckets(
    sides: [(&Table, &Chosen); 2],
    compared: &[String],
    options: &DiffOptions,
) -> Result<Unequal, TableError> {
    let parameters = RecordParameters {
        keys: options.keys.clone(),
        columns: compared.to_vec(),
        by_value: options.by_value,
    };
    let key = &options.bucket_key;
    let given = [&options.old_buckets, &options.new_buckets];
    let mut made = [None, None];
    for ((made, given), (table, _)) in made.iter_mut().zip(given).zip(sides) {
        match given {
            Some(buckets) => buckets.check(table, &parameters, !key.is_empty())?,
            None => *made = Some(Buckets::new(table, parameters.clone(), key)?),
        }
    }
    let [old, new] = [0, 1].map(|side| given[side].as_ref().or(made[side].as_ref()));
    Ok(match (old, new) {
        (Some(old), Some(new)) => old.unequal(new),
        _ => unreachable!("each is given or made"),
    })
}

/// The rows of the second pass: those in unequal buckets.
struct Choice {
    unequal: Unequal,
    /// The numbers of the buckets; `None` if they are in the keys' digests.
    numbers: Option<BucketNumbers>,
}

impl Choice {
    /// Compares the chosen rows. A thread reads those of the new table beside the old one's, at most
    /// [`CHUNKS_AHEAD`] chunks ahead.
    fn compare(
        &self,
        [old, new]: [(&Table, &Chosen); 2],
        key: &[u8],
        options: &DiffOptions,
        found: &mut TableDiff,
    ) -> Result<(), TableError> {
        let too_many = |error: crate::TooMany| TableError::new(old.0.path(), &error.to_string());
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(CHUNKS_AHEAD);
            let other = scope.spawn(move || {
                let mut chunk = ChosenRows::default();
                self.each(new, key, options, |records, messages| {
                    chunk.push(records, messages);
                    let is_full = chunk.rows.bytes.len() >= CHUNK_BYTES;
                    // Without a receiver, the old table could not be read.
                    !is_full || sender.send(mem::take(&mut chunk)).is_ok()
                })?;
                drop(sender.send(chunk));
                Ok(())
            });
            let mut kept = ChosenRows::default();
            self.each(old, key, options, |records, messages| {
                kept.push(records, messages);
                true
            })?;
            found.old = kept.rows;
            let mut comparison = Comparison::new(kept.records).map_err(too_many)?;
            for chunk in receiver {
                for row in comparison.add(&chunk.records) {
                    found.new.push(chunk.rows.encoding(row));
                }
            }
            joined(other, new.0)?;
            found.rows = comparison.finish().map_err(too_many)?;
            Ok(())
        })
    }

    /// Calls a function with the chosen rows, some at a time, and their records, until it returns
    /// false.
    fn each(
        &self,
        (table, chosen): (&Table, &Chosen),
        key: &[u8],
        options: &DiffOptions,
        mut call: impl FnMut(&[Record], &Messages) -> bool,
    ) -> Result<(), TableError> {
        let mut reader = Reader::new(table, chosen.groups(), options.by_value);
        let mut messages = Messages::default();
        let [mut hasher, mut key_hasher] = [(); 2].map(|()| RecordHasher::new(table, key));
        let mut choose = |keys: &Messages, is_chosen: &mut Vec<bool>| {
            match &self.numbers {
                Some(numbers) => {
                    let keys = (0..keys.len()).map(|row| keys.part(row, 1));
                    is_chosen.extend(keys.map(|key| self.unequal.has(&numbers.of(key))));
                }
                None => {
                    let digests = key_hasher.digests(keys)?.chunks_exact(KEY_BYTES);
                    is_chosen.extend(digests.map(|digest| self.unequal.has(digest)));
                }
            }
            Ok(())
        };
        while reader.next_chosen(&mut messages, &mut choose)? {
            if !call(hasher.records(&messages)?, &messages) {
                break;
            }
        }
        Ok(())
    }
}

/// Rows of the second pass, and their records.
#[derive(Default)]
struct ChosenRows {
    records: Vec<Record>,
    rows: BufferedRows,
}

impl ChosenRows {
    fn push(&mut self, records: &[Record], messages: &Messages) {
        self.records.extend_from_slice(records);
        (0..messages.len()).for_each(|row| self.rows.push(messages.part(row, 3)));
    }
}

/// Makes records of a table's rows.
pub(crate) struct RecordHasher<'a> {
    table: &'a Table,
    params: Params<'a>,
    records: Vec<Record>,
    digests: Vec<u8>,
}

impl<'a> RecordHasher<'a> {
    /// `key`: the secret of the digests.
    pub fn new(table: &'a Table, key: &'a [u8]) -> RecordHasher<'a> {
        RecordHasher {
            table,
            params: Params::new().digest_bytes(KEY_BYTES as u64).key(key),
            records: Vec::new(),
            digests: Vec::new(),
        }
    }

    /// Returns the digests of whole messages, one after the other.
    fn digests(&mut self, messages: &Messages) -> Result<&[u8], TableError> {
        self.digests.resize(messages.len() * KEY_BYTES, 0);
        let digests = &mut self.digests;
        hash_column_into(Algorithm::Blake2s, &self.params, &messages.rows(), digests)
            .map_err(|error| TableError::new(self.table.path(), &error.to_string()))?;
        Ok(digests)
    }

    /// Returns records with the numbers of the keys' buckets in place of the keys' digests. The
    /// messages have two groups of columns.
    fn numbered(
        &mut self,
        messages: &Messages,
        numbers: &BucketNumbers,
    ) -> Result<&[Record], TableError> {
        self.digests(messages)?;
        self.records.resize(messages.len(), [0; RECORD_BYTES]);
        let digests = self.digests.chunks_exact(KEY_BYTES);
        for (row, (record, digest)) in self.records.iter_mut().zip(digests).enumerate() {
            record[..KEY_BYTES].copy_from_slice(&numbers.of(messages.part(row, 1)));
            record[KEY_BYTES..].copy_from_slice(digest);
        }
        Ok(&self.records)
    }

    /// Returns the records of rows.
    pub fn records(&mut self, messages: &Messages) -> Result<&[Record], TableError> {
        let rows = messages.len();
        self.records.resize(rows, [0; RECORD_BYTES]);
        self.digests.resize(rows * KEY_BYTES, 0);
        for part in [1, 2] {
            let parts: Vec<&[u8]> = (0..rows).map(|row| messages.part(row, part)).collect();
            hash_many_into(Algorithm::Blake2s, &self.params, &parts, &mut self.digests)
                .map_err(|error| TableError::new(self.table.path(), &error.to_string()))?;
            let at = (part - 1) * KEY_BYTES;
            let digests = self.digests.chunks_exact(KEY_BYTES);
            for (record, digest) in self.records.iter_mut().zip(digests) {
                record[at..at + KEY_BYTES].copy_from_slice(digest);
            }
        }
        Ok(&self.records)
    }
}
