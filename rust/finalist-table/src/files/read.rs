// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a table's rows as messages to hash.

use std::mem;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use finalist_files::quote::excerpt;

use super::leaf::{Leaf, encode};
use super::{Part, Place, Table, TableError};
use crate::{Encoding, decoding, guarded};

/// Rows whose values are read at once.
const ROWS_AT_ONCE: usize = 4096;
/// Bytes of messages returned at once, if no row is longer: they fit into a cache.
const BYTES_AT_ONCE: usize = 256 << 10;

/// The encodings of some rows, concatenated.
///
/// ```
/// let messages = finalist_table::Messages::default();
/// assert_eq!(messages.len(), 0);
/// ```
#[derive(Default)]
pub struct Messages {
    bytes: Vec<u8>,
    /// The start of each row, and the end of the last; empty without rows.
    offsets: Vec<i64>,
    /// The ends of each row's first and of its second group of columns.
    ends: [Vec<usize>; 2],
}

impl Messages {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends[0].len()
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends[0].is_empty()
    }

    /// Returns the encoding of a row's first groups of columns.
    #[inline]
    pub fn part(&self, row: usize, groups: usize) -> &[u8] {
        let end = match self.ends.get(groups - 1) {
            Some(ends) => ends[row],
            None => self.offsets[row + 1] as usize,
        };
        &self.bytes[self.offsets[row] as usize..end]
    }

    /// Returns the encodings of the rows, with all groups of columns.
    pub fn rows(&self) -> finalist::Column<'_> {
        finalist::Column::from_offsets64(&self.offsets, &self.bytes)
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.offsets.clear();
        self.ends.iter_mut().for_each(Vec::clear);
    }

    /// Ends the row whose bytes were appended.
    #[inline]
    fn end(&mut self, key_end: usize, compared_end: usize) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.offsets.push(self.bytes.len() as i64);
        self.ends[0].push(key_end);
        self.ends[1].push(compared_end);
    }
}

/// Reads a table's rows once. A row has three groups of columns: two that are hashed (the key and
/// the compared columns) and the others.
///
/// ```no_run
/// # fn read(table: &finalist_table::Table) -> Result<(), finalist_table::TableError> {
/// let mut messages = finalist_table::Messages::default();
/// let mut reader = finalist_table::Reader::new(table, [&[0], &[1], &[]], false);
/// while reader.next(&mut messages)? {
///     assert!(messages.part(0, 1).len() < messages.part(0, 2).len());
/// }
/// # Ok(())
/// # }
/// ```
pub struct Reader<'a> {
    table: &'a Table,
    groups: [&'a [usize]; 3],
    encoding: Encoding,
    /// The number of row groups that readers of this table have taken.
    taken: Arc<AtomicUsize>,
    file: usize,
    opened: Option<Arc<std::fs::File>>,
    leaves: Vec<Option<Leaf>>,
    /// Rows of the row group that have not been read.
    unread: usize,
    /// Rows that were read but not encoded.
    ready: usize,
    chosen: Chosen,
}

/// The state of [`Reader::next_chosen`], which reads the key columns first.
#[derive(Default)]
struct Chosen {
    /// The keys of some rows, which of them are chosen, and the index of the first that has not been
    /// passed.
    keys: Messages,
    is_chosen: Vec<bool>,
    at: usize,
    /// The number of rows from `at` on whose other columns have been read.
    ready: usize,
    /// The number of rows before `at` whose other columns have not been skipped.
    behind: usize,
}

impl<'a> Reader<'a> {
    /// Returns a reader for these columns of a table. `by_value`: as in [`Encoding`].
    pub fn new(table: &'a Table, groups: [&'a [usize]; 3], by_value: bool) -> Reader<'a> {
        let version = crate::Version::Nested;
        Reader {
            table,
            groups,
            encoding: Encoding { version, by_value },
            taken: Arc::default(),
            file: 0,
            opened: None,
            leaves: Vec::new(),
            unread: 0,
            ready: 0,
            chosen: Chosen::default(),
        }
    }

    /// Calls a function in several threads, with readers that have these parameters. Each reads
    /// other row groups of the table.
    ///
    /// # Errors
    /// Those of the function.
    pub fn in_threads(
        table: &'a Table,
        groups: [&'a [usize]; 3],
        by_value: bool,
        read: impl Fn(Reader<'a>) -> Result<(), TableError> + Sync,
    ) -> Result<(), TableError> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let first = Reader::new(table, groups, by_value);
        let others = (1..threads.min(table.row_groups.len())).map(|_| Reader {
            taken: first.taken.clone(),
            ..Reader::new(table, groups, by_value)
        });
        let others: Vec<Reader> = others.collect();
        thread::scope(|scope| {
            let read = &read;
            let spawn = |reader| {
                thread::Builder::new()
                    .spawn_scoped(scope, move || read(reader))
                    .ok()
            };
            // Without a thread, the others read its row groups.
            let others: Vec<_> = others.into_iter().filter_map(spawn).collect();
            let done = read(first);
            let others = others.into_iter().map(|other| joined(other, table));
            others.fold(done, Result::and)
        })
    }

    /// Reads the next rows. Returns false after the last.
    ///
    /// # Errors
    /// A file cannot be read, is damaged, or has changed.
    pub fn next(&mut self, messages: &mut Messages) -> Result<bool, TableError> {
        messages.clear();
        while self.ready == 0 {
            if !self.read(0..3)? {
                return Ok(false);
            }
        }
        let table: &'a Table = self.table;
        let part = &table.files[self.file];
        decoding(&part.path, || {
            guard(part, || self.encode(part, 0..3, messages))
        })?;
        Ok(true)
    }

    /// Reads the next rows whose key, the first group of columns, is chosen. Returns false after the
    /// last. Other columns of other rows are not decoded. Call either this or [`next`](Reader::next)
    /// on a reader. `choose`: gets the encodings of some keys and appends for each whether it is
    /// chosen.
    ///
    /// # Errors
    /// Those of [`next`](Reader::next) and of `choose`.
    pub fn next_chosen(
        &mut self,
        messages: &mut Messages,
        mut choose: impl FnMut(&Messages, &mut Vec<bool>) -> Result<(), TableError>,
    ) -> Result<bool, TableError> {
        messages.clear();
        let table: &'a Table = self.table;
        while messages.bytes.len() < BYTES_AT_ONCE {
            let chosen = &mut self.chosen;
            if chosen.ready == 0 {
                let left = &chosen.is_chosen[chosen.at..];
                let passed = left.iter().take_while(|&&is_chosen| !is_chosen).count();
                let run = left[passed..].iter();
                chosen.ready = run.take_while(|&&is_chosen| is_chosen).count();
                chosen.at += passed;
                chosen.behind += passed;
                match chosen.ready > 0 {
                    true => self.read_others()?,
                    false if !messages.is_empty() => return Ok(true),
                    false if self.read_keys(&mut choose)? => continue,
                    false => return Ok(false),
                }
            }
            let part = &table.files[self.file];
            decoding(&part.path, || {
                guard(part, || self.encode_chosen(part, messages))
            })?;
        }
        Ok(true)
    }

    /// Reads and encodes the next rows' keys, and chooses among them. Returns false after the last
    /// row.
    fn read_keys(
        &mut self,
        choose: &mut impl FnMut(&Messages, &mut Vec<bool>) -> Result<(), TableError>,
    ) -> Result<bool, TableError> {
        while self.ready == 0 {
            if !self.read(0..1)? {
                return Ok(false);
            }
        }
        let table: &'a Table = self.table;
        let part = &table.files[self.file];
        let mut keys = mem::take(&mut self.chosen.keys);
        keys.clear();
        decoding(&part.path, || {
            guard(part, || self.encode(part, 0..1, &mut keys))
        })?;
        let chosen = &mut self.chosen;
        chosen.is_chosen.clear();
        choose(&keys, &mut chosen.is_chosen)?;
        (chosen.keys, chosen.at) = (keys, 0);
        Ok(true)
    }

    /// Reads the values of the chosen rows' other columns.
    fn read_others(&mut self) -> Result<(), TableError> {
        let (behind, rows) = (self.chosen.behind, self.chosen.ready);
        self.chosen.behind = 0;
        self.each_leaf(1..3, |leaf| {
            leaf.skip(behind)?;
            leaf.read(rows)
        })
    }

    /// Encodes chosen rows.
    fn encode_chosen(
        &mut self,
        part: &Part,
        messages: &mut Messages,
    ) -> Result<(), (usize, String)> {
        while self.chosen.ready > 0 && messages.bytes.len() < BYTES_AT_ONCE {
            let key = self.chosen.keys.part(self.chosen.at, 1);
            messages.bytes.extend_from_slice(key);
            let key_end = messages.bytes.len();
            self.encode_row(part, 1..3, key_end, messages)?;
            self.chosen.ready -= 1;
            self.chosen.at += 1;
        }
        match self.chosen.ready == 0 {
            true => self.check_done(1..3),
            false => Ok(()),
        }
    }

    /// Opens the next row group and reads values of its next rows, of these groups of columns.
    /// Returns false after the last row.
    fn read(&mut self, groups: Range<usize>) -> Result<bool, TableError> {
        let table: &'a Table = self.table;
        while self.unread == 0 {
            let number = self.taken.fetch_add(1, Ordering::Relaxed);
            let Some(&(file, group)) = table.row_groups.get(number) else {
                return Ok(false);
            };
            let part = &table.files[file];
            if self.file != file || self.opened.is_none() {
                self.opened = Some(Arc::new(part.reopen()?));
                self.file = file;
            }
            self.open_group(part, group)?;
        }
        let rows = self.unread.min(ROWS_AT_ONCE);
        self.each_leaf(groups, |leaf| leaf.read(rows))?;
        self.unread -= rows;
        self.ready = rows;
        if let (0, Some(file)) = (self.unread, &self.opened) {
            table.files[self.file].check(file)?;
        }
        Ok(true)
    }

    /// Calls a function with each leaf column of groups of columns.
    fn each_leaf(
        &mut self,
        groups: Range<usize>,
        mut call: impl FnMut(&mut Leaf) -> Result<(), String>,
    ) -> Result<(), TableError> {
        let table: &'a Table = self.table;
        let part = &table.files[self.file];
        for number in table.leaves(&self.groups[groups]) {
            if let Some(leaf) = &mut self.leaves[number] {
                let done = decoding(&part.path, || guarded(|| call(leaf)));
                done.map_err(|text| of_leaf(part, number, &text))?;
            }
        }
        Ok(())
    }

    fn open_group(&mut self, part: &Part, group: usize) -> Result<(), TableError> {
        let Some(file) = self.opened.clone() else {
            return Ok(());
        };
        let about = part.metadata.row_group(group);
        self.unread = usize::try_from(about.num_rows())
            .map_err(|_| TableError::new(&part.path, "damaged: a row group of too many rows"))?;
        self.chosen.behind = 0;
        self.leaves = (0..about.num_columns()).map(|_| None).collect();
        for leaf in self.table.leaves(&self.groups) {
            let opened = decoding(&part.path, || {
                guarded(|| Leaf::open(&file, &part.metadata, group, leaf))
            });
            let opened = opened.map_err(|text| of_leaf(part, leaf, &text))?;
            let place = self.leaves.get_mut(leaf);
            let place = place.ok_or_else(|| {
                TableError::new(&part.path, "damaged: a row group without all columns")
            })?;
            *place = Some(opened);
        }
        Ok(())
    }

    /// Encodes some groups of columns of up to as many rows as are returned at once.
    fn encode(
        &mut self,
        part: &Part,
        groups: Range<usize>,
        messages: &mut Messages,
    ) -> Result<(), (usize, String)> {
        while self.ready > 0 && messages.bytes.len() < BYTES_AT_ONCE {
            self.encoding.begin(&mut messages.bytes);
            self.encode_row(part, groups.clone(), 0, messages)?;
            self.ready -= 1;
        }
        match self.ready == 0 {
            true => self.check_done(groups),
            false => Ok(()),
        }
    }

    /// Encodes and ends a row. `key_end`: the end of its first group, if that was encoded before.
    #[inline]
    fn encode_row(
        &mut self,
        part: &Part,
        groups: Range<usize>,
        mut key_end: usize,
        messages: &mut Messages,
    ) -> Result<(), (usize, String)> {
        let (columns, out) = (&self.table.columns, &mut messages.bytes);
        let mut compared_end = 0;
        for group in groups {
            for &column in self.groups[group] {
                match &columns[column].place {
                    Place::File(node) => encode(node, &mut self.leaves, self.encoding, out)
                        .map_err(|text| (column, text))?,
                    Place::Partition(number) => {
                        out.extend_from_slice(&part.partitions[*number]);
                    }
                }
            }
            match group {
                0 => key_end = out.len(),
                1 => compared_end = out.len(),
                _ => (),
            }
        }
        messages.end(key_end, compared_end);
        Ok(())
    }

    /// Checks that all values of groups of columns that were read have been encoded.
    fn check_done(&self, groups: Range<usize>) -> Result<(), (usize, String)> {
        let leaves = self.table.leaves(&self.groups[groups]);
        let is_done = |leaf: usize| self.leaves[leaf].as_ref().is_none_or(Leaf::is_done);
        match leaves.into_iter().all(is_done) {
            true => Ok(()),
            false => Err((0, "damaged: its parts differ in length".to_owned())),
        }
    }
}

/// Returns the result of a thread that read a table.
pub fn joined<T>(
    thread: ScopedJoinHandle<'_, Result<T, TableError>>,
    table: &Table,
) -> Result<T, TableError> {
    thread.join().unwrap_or_else(|_| {
        let text = "the thread that read it ended early";
        Err(TableError::new(table.path(), text))
    })
}

/// Locks what the threads that read a table share.
pub fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an error about a leaf column.
fn of_leaf(part: &Part, leaf: usize, text: &str) -> TableError {
    let schema = part.metadata.file_metadata().schema_descr();
    let name = schema.column(leaf).path().string();
    TableError::of_column(&part.path, &name, &excerpt(text))
}

/// Calls a function that reads values of a file. Its error names the column of this index.
fn guard(
    part: &Part,
    mut read: impl FnMut() -> Result<(), (usize, String)>,
) -> Result<(), TableError> {
    let mut column = 0;
    let done = guarded(|| {
        read().map_err(|(number, text)| {
            column = number;
            text
        })
    });
    done.map_err(|text| {
        let schema = part.metadata.file_metadata().schema_descr();
        let fields = schema.root_schema().get_fields();
        let name = fields.get(column).map_or("", |field| field.name());
        TableError::of_column(&part.path, name, &excerpt(text))
    })
}
