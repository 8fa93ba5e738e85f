// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a table's rows as messages to hash.

use std::sync::Arc;

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
    /// The ends of the chosen groups of columns, for each row.
    ends: Vec<[usize; 3]>,
}

impl Messages {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the encoding of a row's first groups of columns.
    #[inline]
    pub fn part(&self, row: usize, groups: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |last| self.ends[last][2]);
        &self.bytes[start..self.ends[row][groups - 1]]
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
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
    file: usize,
    group: usize,
    opened: Option<Arc<std::fs::File>>,
    leaves: Vec<Option<Leaf>>,
    /// Rows of the row group that have not been read.
    unread: usize,
    /// Rows that were read but not encoded.
    ready: usize,
}

impl<'a> Reader<'a> {
    /// Returns a reader for these columns of a table. `by_value`: as in [`Encoding`].
    pub fn new(table: &'a Table, groups: [&'a [usize]; 3], by_value: bool) -> Reader<'a> {
        let version = crate::Version::Nested;
        Reader {
            table,
            groups,
            encoding: Encoding { version, by_value },
            file: 0,
            group: 0,
            opened: None,
            leaves: Vec::new(),
            unread: 0,
            ready: 0,
        }
    }

    /// Reads the next rows. Returns false after the last.
    ///
    /// # Errors
    /// A file cannot be read, is damaged, or has changed.
    pub fn next(&mut self, messages: &mut Messages) -> Result<bool, TableError> {
        messages.clear();
        while self.ready == 0 {
            if !self.read()? {
                return Ok(false);
            }
        }
        let table: &'a Table = self.table;
        let part = &table.files[self.file];
        decoding(&part.path, || guard(part, || self.encode(part, messages)))?;
        Ok(true)
    }

    /// Reads values of the next rows. Returns false after the last.
    fn read(&mut self) -> Result<bool, TableError> {
        let table: &'a Table = self.table;
        while self.unread == 0 {
            let Some(part) = table.files.get(self.file) else {
                return Ok(false);
            };
            let next = self.group;
            if next == part.metadata.num_row_groups() {
                (self.file, self.group, self.opened) = (self.file + 1, 0, None);
                continue;
            }
            if self.opened.is_none() {
                self.opened = Some(Arc::new(part.reopen()?));
            }
            self.open_group(part, next)?;
            self.group += 1;
        }
        let rows = self.unread.min(ROWS_AT_ONCE);
        let part = &table.files[self.file];
        for (leaf, column) in self.leaves.iter_mut().enumerate() {
            if let Some(column) = column {
                let read = decoding(&part.path, || guarded(|| column.read(rows)));
                read.map_err(|text| of_leaf(part, leaf, &text))?;
            }
        }
        self.unread -= rows;
        self.ready = rows;
        Ok(true)
    }

    fn open_group(&mut self, part: &Part, group: usize) -> Result<(), TableError> {
        let Some(file) = self.opened.clone() else {
            return Ok(());
        };
        let about = part.metadata.row_group(group);
        self.unread = usize::try_from(about.num_rows())
            .map_err(|_| TableError::new(&part.path, "damaged: a row group of too many rows"))?;
        self.leaves = (0..about.num_columns()).map(|_| None).collect();
        for &column in self.groups.into_iter().flatten() {
            let Place::File(node) = &self.table.columns[column].place else {
                continue;
            };
            let mut numbers = Vec::new();
            node.leaves(&mut |leaf| numbers.push(leaf));
            for leaf in numbers {
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
        }
        Ok(())
    }

    /// Encodes up to as many rows as are returned at once.
    fn encode(&mut self, part: &Part, messages: &mut Messages) -> Result<(), (usize, String)> {
        let columns = &self.table.columns;
        while self.ready > 0 && messages.bytes.len() < BYTES_AT_ONCE {
            let out = &mut messages.bytes;
            self.encoding.begin(out);
            let mut ends = [0; 3];
            for (end, group) in ends.iter_mut().zip(self.groups) {
                for &column in group {
                    match &columns[column].place {
                        Place::File(node) => encode(node, &mut self.leaves, self.encoding, out)
                            .map_err(|text| (column, text))?,
                        Place::Partition(number) => {
                            out.extend_from_slice(&part.partitions[*number]);
                        }
                    }
                }
                *end = out.len();
            }
            messages.ends.push(ends);
            self.ready -= 1;
        }
        let is_done = |leaf: &Option<Leaf>| leaf.as_ref().is_none_or(Leaf::is_done);
        match self.ready == 0 && !self.leaves.iter().all(is_done) {
            true => Err((0, "damaged: its parts differ in length".to_owned())),
            false => Ok(()),
        }
    }
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
