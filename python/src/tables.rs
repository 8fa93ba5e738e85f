// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares tables for finalist.diff: makes records of rows for the crate finalist-table. Classes
//! and methods have plain comments: doc comments would add docstrings of a private module to the
//! wheel.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError};

use finalist_table::{BucketNumbers, Comparison, KEY_BYTES, RECORD_BYTES, Record};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::aligned;
use crate::arrow::table::Selection;
use crate::buffer::Input;
use crate::engine::{BYTES_AT_ONCE, Failure, Job, Message, Rows, Work};
use crate::many::parameters_of;
use crate::merkle::MerkleTree;
use crate::parameters::{Argument, Parameters, failure};
use crate::rows::{Form, Table, is_enough, map_tables};

/// The rows of a table whose first columns are its key. Each row is two messages: the start of its
/// encoding, which is the key, and all of it. With buckets, the key is numbered instead of hashed.
struct Keyed<'a> {
    table: Table<'a>,
    keys: usize,
    buckets: Option<&'a BucketNumbers>,
}

// SAFETY: both messages of every row are in one of the runs that hash_messages writes.
unsafe impl Rows for Keyed<'_> {
    fn len(&self) -> usize {
        Rows::len(&self.table)
    }

    fn digests_per_row(&self) -> usize {
        2
    }

    fn hash_range(
        &self,
        job: &Job<'_>,
        rows: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        let mut row = rows.start;
        while row < rows.end {
            let start = row;
            work.encoded.clear();
            work.offsets.clear();
            while row < rows.end && !is_enough(row - start, work.encoded.len()) {
                work.offsets.push(work.encoded.len() as i64);
                let key_end = self.table.encode_parts(row, self.keys, &mut work.encoded)?;
                work.offsets.push(key_end as i64);
                row += 1;
            }
            work.offsets.push(work.encoded.len() as i64);
            let bytes = |row: usize| 2 * (row - rows.start) * job.stride;
            let out = &mut digests[bytes(start)..bytes(row)];
            match self.buckets {
                None => hash_parts(job, out, work, 0)?,
                Some(buckets) => {
                    let rows = work.offsets.chunks_exact(2);
                    for (ends, out) in rows.zip(out.chunks_exact_mut(2 * job.stride)) {
                        let key = &work.encoded[ends[0] as usize..ends[1] as usize];
                        write(out, buckets.of(key));
                    }
                }
            }
            hash_parts(job, out, work, 1)?;
            work.watch.look()?;
        }
        Ok(())
    }

    fn bad_row(&self) -> PyErr {
        self.table.bad_row()
    }
}

/// The keys of a table's rows, which are numbered instead of hashed.
struct Numbered<'a> {
    table: Table<'a>,
    buckets: &'a BucketNumbers,
}

// SAFETY: the number of each row is as long as a digest.
unsafe impl Rows for Numbered<'_> {
    fn len(&self) -> usize {
        Rows::len(&self.table)
    }

    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        for (row, out) in range.zip(digests.chunks_exact_mut(job.stride)) {
            work.encoded.clear();
            self.table.encode_parts(row, 0, &mut work.encoded)?;
            write(out, self.buckets.of(&work.encoded));
        }
        work.watch.look()
    }

    fn bad_row(&self) -> PyErr {
        self.table.bad_row()
    }
}

fn write(out: &mut [MaybeUninit<u8>], bytes: [u8; KEY_BYTES]) {
    for (to, byte) in out.iter_mut().zip(bytes) {
        to.write(byte);
    }
}

/// Hashes the keys of rows (part 0) or the rows (part 1): hashing side by side is fastest with
/// similar lengths. The offsets are the starts of rows and the ends of their keys. The last row may
/// be long.
fn hash_parts(
    job: &Job<'_>,
    digests: &mut [MaybeUninit<u8>],
    work: &mut Work<'_>,
    part: usize,
) -> Result<(), Failure> {
    let (encoded, offsets) = (&work.encoded, &work.offsets);
    let rows = offsets.len() / 2;
    // A key ends at its row's second offset, the row at the third, which is the next row's.
    let message =
        |row: usize| &encoded[offsets[2 * row] as usize..offsets[2 * row + 1 + part] as usize];
    let last = offsets[2 * rows] - offsets[2 * rows - 2];
    let short = rows - usize::from(last as usize > BYTES_AT_ONCE);
    work.messages.clear();
    work.messages
        .extend((0..short).map(|row| Message::new(message(row))));
    let out = &mut digests[part * job.stride..];
    job.hash_apart(&work.messages, out, 2 * job.stride)?;
    if short < rows {
        let at = 2 * short * job.stride;
        job.hash_long(
            message(short),
            &mut out[at..at + job.stride],
            &mut work.watch,
        )?;
    }
    Ok(())
}

// Makes records of a table's rows: the digests of its key columns and of all its columns.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct KeyedRows {
    parameters: Parameters,
    keys: Selection,
    pub all: Selection,
    buckets: BucketNumbers,
    /// Memory for digests, one for each concurrent call.
    memory: Mutex<Vec<Vec<u8>>>,
}

impl KeyedRows {
    /// Returns the number of key columns.
    pub fn key_count(&self) -> usize {
        self.keys.columns.as_ref().map_or(0, Vec::len)
    }

    /// Calls a function with the records of each of a table's batches. With buckets, these numbers
    /// are in place of the keys' digests.
    fn each(
        &self,
        table: &Bound<'_, PyAny>,
        buckets: Option<&BucketNumbers>,
        threads: i64,
        mut call: impl FnMut(&[Record]) + Send,
    ) -> PyResult<()> {
        let (py, job) = (table.py(), Job::new(&self.parameters, threads)?);
        let keys = self.key_count();
        self.with_memory(|memory| {
            map_tables(py, table, &self.all, b"", |table| {
                let rows = Keyed {
                    table,
                    keys,
                    buckets,
                };
                job.hash_over(py, &rows, memory)?;
                py.detach(|| call(records_of(memory)));
                Ok(())
            })
        })?;
        Ok(())
    }

    /// Calls a function with the digests of the keys of each of a table's batches, or with the
    /// numbers of their buckets.
    fn each_keys(
        &self,
        table: &Bound<'_, PyAny>,
        buckets: Option<&BucketNumbers>,
        threads: i64,
        mut call: impl FnMut(&[u8]) + Send,
    ) -> PyResult<()> {
        let (py, job) = (table.py(), Job::new(&self.parameters, threads)?);
        self.with_memory(|memory| {
            map_tables(py, table, &self.keys, b"", |table| {
                match buckets {
                    None => job.hash_over(py, &table, memory)?,
                    Some(buckets) => job.hash_over(py, &Numbered { table, buckets }, memory)?,
                }
                py.detach(|| call(memory));
                Ok(())
            })
        })?;
        Ok(())
    }

    fn with_memory<T>(&self, call: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let mut memory = lock(&self.memory).pop().unwrap_or_default();
        let result = call(&mut memory);
        lock(&self.memory).push(memory);
        result
    }
}

#[pymethods]
impl KeyedRows {
    // algorithm, key: of the hash. keys: the key columns; columns: the others.
    #[new]
    fn new(
        algorithm: &Bound<'_, PyAny>,
        key: &Bound<'_, PyAny>,
        keys: Vec<String>,
        columns: Vec<String>,
        numbers: &str,
    ) -> PyResult<KeyedRows> {
        let py = algorithm.py();
        let size = KEY_BYTES.into_pyobject(py)?;
        let parameters = parameters_of(
            algorithm,
            Argument(Some(size.as_any().as_borrowed())),
            Argument(Some(key.as_borrowed())),
            Argument::ABSENT,
            Argument::ABSENT,
        )?;
        let form = Form::new(Some(2), numbers)?;
        let selection = |columns| Selection {
            columns: Some(columns),
            index: false,
            form,
        };
        let all = [&keys[..], &columns[..]].concat();
        Ok(KeyedRows {
            parameters,
            keys: selection(keys),
            all: selection(all),
            buckets: BucketNumbers::default(),
            memory: Mutex::default(),
        })
    }

    // Compares batches of an old and a new table until one of them ends. looks: the number of rows
    // that it may look ahead. Returns the indices of rows without an equal neighbour in each batch;
    // and the number of rows compared in each (pass the rest again, before the next rows), with
    // looks for the next call. All are int64 in bytes.
    fn walk<'py>(
        &self,
        old: &Bound<'py, PyAny>,
        new: &Bound<'py, PyAny>,
        looks: usize,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let found = aligned::walk(self, old, new, looks)?;
        let counts = [found.old_row, found.new_row, found.looks].map(|count| count as i64);
        let lists = [&found.old_left[..], &found.new_left, &counts];
        Ok(lists.iter().map(|list| places(old.py(), list)).collect())
    }

    // Returns the records of a table's rows, joined.
    fn records<'py>(
        &self,
        table: &Bound<'py, PyAny>,
        threads: i64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut all = Vec::new();
        self.each(table, None, threads, |records| {
            all.extend_from_slice(records.as_flattened())
        })?;
        Ok(PyBytes::new(table.py(), &all))
    }
}

/// Converts bytes to contiguous records.
fn records_of(bytes: &[u8]) -> &[Record] {
    // SAFETY: whole arrays of bytes, which have no alignment.
    unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / RECORD_BYTES) }
}

/// Returns the records in a buffer.
fn given_records(buffer: &Input) -> PyResult<&[Record]> {
    if buffer.bytes().len() % RECORD_BYTES != 0 {
        return Err(PyValueError::new_err("records are not whole"));
    }
    Ok(records_of(buffer.bytes()))
}

fn places<'py>(py: Python<'py>, places: &[i64]) -> Bound<'py, PyBytes> {
    // SAFETY: the bytes of integers, read only.
    let bytes = unsafe { slice::from_raw_parts(places.as_ptr().cast(), size_of_val(places)) };
    PyBytes::new(py, bytes)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

// The sums of a table's buckets.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct Sums(Mutex<finalist_table::Sums>);

#[pymethods]
impl Sums {
    #[new]
    fn new(rows: u64) -> Sums {
        let bits = finalist_table::Sums::bits_for(rows);
        Sums(Mutex::new(finalist_table::Sums::new(bits)))
    }

    // Adds a table's rows.
    fn add(&self, rows: &KeyedRows, table: &Bound<'_, PyAny>, threads: i64) -> PyResult<()> {
        let buckets = Some(&rows.buckets);
        rows.each(table, buckets, threads, |records| {
            lock(&self.0).add(records)
        })
    }

    fn __len__(&self) -> usize {
        usize::try_from(lock(&self.0).rows()).unwrap_or(usize::MAX)
    }

    fn unequal(&self, other: &Sums) -> Unequal {
        Unequal(Chosen::Sums(lock(&self.0).unequal(&lock(&other.0))))
    }
}

// Buckets in which two tables differ, or keys.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct Unequal(Chosen);

enum Chosen {
    /// Buckets with the numbers of KeyedRows.
    Sums(finalist_table::Unequal),
    /// Buckets with the numbers in the digests of keys.
    Buckets(finalist_table::Unequal),
    Keys(finalist_table::Keys),
}

impl Chosen {
    fn has(&self, key: &[u8]) -> bool {
        match self {
            Chosen::Sums(buckets) | Chosen::Buckets(buckets) => buckets.has(key),
            Chosen::Keys(keys) => key.try_into().is_ok_and(|key| keys.has(key)),
        }
    }
}

#[pymethods]
impl Unequal {
    // Finds the unequal buckets of two tables. old, new: the buckets' leaf hashes, 32 bytes each.
    #[new]
    fn new(old: Bound<'_, PyAny>, new: Bound<'_, PyAny>) -> PyResult<Unequal> {
        let (old, new) = (Input::new(old)?, Input::new(new)?);
        let (old, new) = (given_records(&old)?, given_records(&new)?);
        if old.len() != new.len() || old.len() != 1 << 16 {
            return Err(PyValueError::new_err("there are 2^16 buckets"));
        }
        let buckets = finalist_table::Unequal::between(old, new);
        Ok(Unequal(Chosen::Buckets(buckets)))
    }

    // Chooses the keys of records.
    #[staticmethod]
    fn of_keys(records: Bound<'_, PyAny>) -> PyResult<Unequal> {
        let records = Input::new(records)?;
        let keys = finalist_table::Keys::new(given_records(&records)?);
        Ok(Unequal(Chosen::Keys(keys)))
    }

    fn __len__(&self) -> usize {
        match &self.0 {
            Chosen::Sums(buckets) | Chosen::Buckets(buckets) => buckets.count(),
            Chosen::Keys(keys) => keys.count(),
        }
    }

    // Returns the indices of a table's rows in these buckets, or with these keys: int64 in bytes.
    fn places<'py>(
        &self,
        rows: &KeyedRows,
        table: &Bound<'py, PyAny>,
        threads: i64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (mut found, mut place) = (Vec::new(), 0);
        let buckets = match &self.0 {
            Chosen::Sums(_) => Some(&rows.buckets),
            Chosen::Buckets(_) | Chosen::Keys(_) => None,
        };
        rows.each_keys(table, buckets, threads, |digests| {
            for digest in digests.chunks_exact(KEY_BYTES) {
                if self.0.has(digest) {
                    found.push(place);
                }
                place += 1;
            }
        })?;
        Ok(places(table.py(), &found))
    }
}

// The rows of the old table in unequal buckets, and which of them the new one has.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct Matches(Mutex<Option<Comparison>>);

#[pymethods]
impl Matches {
    #[new]
    fn new(old: Bound<'_, PyAny>) -> PyResult<Matches> {
        let py = old.py();
        let old = Input::new(old)?;
        let records = given_records(&old)?;
        let comparison = py.detach(|| Comparison::new(records.to_vec()));
        let comparison = comparison.map_err(|error| PyOverflowError::new_err(error.to_string()))?;
        Ok(Matches(Mutex::new(Some(comparison))))
    }

    // Returns the indices of rows of the new table that the old one does not have, for the caller
    // to hold: int64 in bytes.
    fn add<'py>(&self, new: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = new.py();
        let new = Input::new(new)?;
        let records = given_records(&new)?;
        let found = py.detach(|| {
            let mut comparison = lock(&self.0);
            comparison.as_mut().map(|one| one.add(records))
        });
        Ok(places(py, &found.unwrap_or_default()))
    }

    // Returns the differences: the indices of added, of removed and of changed rows in both
    // tables, of duplicates in the old and in the new table, and their counts in each table. All
    // int64 in bytes.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let Some(comparison) = lock(&self.0).take() else {
            return Err(PyValueError::new_err("the comparison is finished"));
        };
        let found = py.detach(|| comparison.finish());
        let found = found.map_err(|error| PyOverflowError::new_err(error.to_string()))?;
        let (old, new): (Vec<_>, Vec<_>) = found.changed.iter().copied().unzip();
        let (first, second): (Vec<_>, Vec<_>) = found.duplicates.iter().partition(|one| one.is_old);
        let rows = |some: &[&finalist_table::Duplicate]| some.iter().map(|one| one.row).collect();
        let all = || first.iter().chain(&second);
        let lists: [Vec<i64>; 8] = [
            found.added,
            found.removed,
            old,
            new,
            rows(&first),
            rows(&second),
            all().map(|one| one.old_count).collect(),
            all().map(|one| one.new_count).collect(),
        ];
        Ok(lists.iter().map(|list| places(py, list)).collect())
    }
}

// The rows of a table in any order: their digests of 32 bytes, or their records.
#[pyclass(frozen, module = "finalist._finalist")]
pub struct SortedRows(Mutex<finalist_table::Sorted>);

#[pymethods]
impl SortedRows {
    #[new]
    fn new(rows: usize) -> SortedRows {
        SortedRows(Mutex::new(finalist_table::Sorted::new(rows)))
    }

    fn add(&self, digests: Bound<'_, PyAny>) -> PyResult<()> {
        let py = digests.py();
        let digests = Input::new(digests)?;
        let records = given_records(&digests)?;
        py.detach(|| lock(&self.0).add(records));
        Ok(())
    }

    // Adds a table's rows by their records.
    fn add_keyed(&self, rows: &KeyedRows, table: &Bound<'_, PyAny>, threads: i64) -> PyResult<()> {
        rows.each(table, None, threads, |records| lock(&self.0).add(records))
    }

    fn __len__(&self) -> usize {
        lock(&self.0).len()
    }

    // Returns matches with all of these rows, as the old table's.
    fn matches(&self, py: Python<'_>) -> PyResult<Matches> {
        let comparison = py.detach(|| {
            let mut sorted = lock(&self.0);
            sorted.sort();
            Comparison::of_sorted(&sorted)
        });
        let comparison = comparison.map_err(|error| PyOverflowError::new_err(error.to_string()))?;
        Ok(Matches(Mutex::new(Some(comparison))))
    }

    // Returns `count` sorted records from `first` on, or those that there are.
    fn records<'py>(&self, py: Python<'py>, first: usize, count: usize) -> Bound<'py, PyBytes> {
        let mut sorted = lock(&self.0);
        sorted.sort();
        let records = sorted.records().iter().skip(first).take(count);
        PyBytes::new(py, &records.copied().collect::<Vec<_>>().concat())
    }

    // Returns the key's digest of each of these sorted records.
    fn key_digests<'py>(&self, py: Python<'py>, rows: Vec<usize>) -> Vec<Bound<'py, PyBytes>> {
        let sorted = lock(&self.0);
        let records = rows.iter().filter_map(|&row| sorted.records().get(row));
        records
            .map(|record| PyBytes::new(py, &record[..KEY_BYTES]))
            .collect()
    }

    // Returns the root of RFC 9162 over a leaf with the hash `head` and one for each bucket, with a tree's
    // parameters.
    fn root<'py>(
        &self,
        py: Python<'py>,
        tree: &MerkleTree,
        head: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let root = py.detach(|| {
            let mut sorted = lock(&self.0);
            sorted.sort();
            tree.root_of(head, &sorted)
        });
        Ok(PyBytes::new(py, &root.map_err(failure)?))
    }

    // Returns the leaf hashes of `count` buckets from `first` on, with a tree's parameters.
    #[pyo3(signature = (tree, first = 0, count = usize::MAX))]
    fn leaf_hashes<'py>(
        &self,
        py: Python<'py>,
        tree: &MerkleTree,
        first: usize,
        count: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let hashes = py.detach(|| {
            let mut sorted = lock(&self.0);
            sorted.sort();
            let leaves: Vec<_> = sorted.buckets().skip(first).take(count).collect();
            tree.leaf_hashes_of(&leaves)
        });
        Ok(PyBytes::new(py, &hashes.map_err(failure)?))
    }

    // Returns the sorted digests in 2^bits parts with equal numbers of buckets, in order.
    fn parts<'py>(&self, py: Python<'py>, bits: u32) -> Vec<Bound<'py, PyBytes>> {
        py.detach(|| lock(&self.0).sort());
        let sorted = lock(&self.0);
        let buckets: Vec<_> = sorted.buckets().collect();
        let parts = buckets.chunks(buckets.len() >> bits.min(16));
        parts.map(|some| PyBytes::new(py, &some.concat())).collect()
    }
}
