// SPDX-License-Identifier: MIT OR Apache-2.0
//! Byte strings sorted, on disk if they are many.

use std::collections::{BTreeSet, btree_set};
use std::mem;

use redb::{Database, Durability, Range, TableDefinition};
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// Strings that take more memory than this go to disk.
const MEMORY_BYTES: usize = 64 << 20;
/// What a string takes beside its bytes.
const STRING_BYTES: usize = 48;
/// Memory for the pages of the database.
const CACHE_BYTES: usize = 64 << 20;

const TABLE: TableDefinition<'_, &[u8], ()> = TableDefinition::new("strings");

/// Collects strings, each of which may come once.
pub struct Sorter {
    memory: BTreeSet<Vec<u8>>,
    bytes: usize,
    bytes_max: usize,
    disk: Option<Disk>,
}

/// The strings in their order.
pub enum Sorted {
    Memory(btree_set::IntoIter<Vec<u8>>),
    Disk {
        strings: Range<'static, &'static [u8], ()>,
        _disk: Disk,
    },
}

pub struct Disk {
    database: Database,
    /// Removed when dropped, once the database has been closed.
    _file: NamedTempFile,
}

fn told(error: impl std::fmt::Display) -> Failure {
    Failure::message(format!("cannot sort on disk: {error}"))
}

impl Disk {
    fn new() -> Result<Disk, Failure> {
        let file = NamedTempFile::new().map_err(told)?;
        let database = Database::builder()
            .set_cache_size(CACHE_BYTES)
            .create(file.path())
            .map_err(told)?;
        Ok(Disk {
            _file: file,
            database,
        })
    }

    /// Puts strings to those on disk; the first that is there already.
    fn put(&self, strings: BTreeSet<Vec<u8>>) -> Result<Option<Vec<u8>>, Failure> {
        let mut transaction = self.database.begin_write().map_err(told)?;
        transaction.set_durability(Durability::None);
        let mut table = transaction.open_table(TABLE).map_err(told)?;
        for string in strings {
            let before = table.insert(&string[..], ()).map_err(told)?;
            if before.is_some() {
                return Ok(Some(string));
            }
        }
        drop(table);
        transaction.commit().map_err(told)?;
        Ok(None)
    }
}

impl Sorter {
    pub fn new() -> Sorter {
        Sorter::with_memory(MEMORY_BYTES)
    }

    fn with_memory(bytes_max: usize) -> Sorter {
        Sorter {
            memory: BTreeSet::new(),
            bytes: 0,
            bytes_max,
            disk: None,
        }
    }

    /// Adds a string; the first one found to have come twice, now or before.
    pub fn push(&mut self, string: Vec<u8>) -> Result<Option<Vec<u8>>, Failure> {
        self.bytes += string.len() + STRING_BYTES;
        if self.memory.contains(&string) {
            return Ok(Some(string));
        }
        self.memory.insert(string);
        match self.bytes > self.bytes_max {
            true => self.spill(),
            false => Ok(None),
        }
    }

    fn spill(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        if self.disk.is_none() {
            self.disk = Some(Disk::new()?);
        }
        self.bytes = 0;
        let strings = mem::take(&mut self.memory);
        self.disk
            .as_ref()
            .map_or(Ok(None), |disk| disk.put(strings))
    }

    /// All strings, or the first one found to have come twice.
    pub fn finish(mut self) -> Result<Result<Sorted, Vec<u8>>, Failure> {
        if self.disk.is_some() {
            if let Some(twice) = self.spill()? {
                return Ok(Err(twice));
            }
        }
        let Some(disk) = self.disk else {
            return Ok(Ok(Sorted::Memory(self.memory.into_iter())));
        };
        let transaction = disk.database.begin_read().map_err(told)?;
        let table = transaction.open_table(TABLE).map_err(told)?;
        let strings = table.range::<&[u8]>(..).map_err(told)?;
        Ok(Ok(Sorted::Disk {
            strings,
            _disk: disk,
        }))
    }
}

impl Iterator for Sorted {
    type Item = Result<Vec<u8>, Failure>;

    fn next(&mut self) -> Option<Result<Vec<u8>, Failure>> {
        match self {
            Sorted::Memory(strings) => strings.next().map(Ok),
            Sorted::Disk { strings, .. } => {
                let next = strings.next()?;
                Some(next.map(|(key, _)| key.value().to_vec()).map_err(told))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strings in an order that has nothing to do with theirs.
    fn shuffled() -> impl Iterator<Item = Vec<u8>> {
        (0..1000_u32).map(|index| (index * 7919 % 1000).to_be_bytes().to_vec())
    }

    fn sorter(memory: usize) -> Sorter {
        let mut sorter = Sorter::with_memory(memory);
        for string in shuffled() {
            assert_eq!(sorter.push(string).expect("there is a disk"), None);
        }
        sorter
    }

    #[test]
    fn sorts_in_memory_and_on_disk() {
        let mut expected: Vec<_> = shuffled().collect();
        expected.sort();
        for memory in [1, 1000, 100_000] {
            let sorted = sorter(memory).finish().expect("there is a disk");
            let sorted = sorted.expect("no string twice");
            assert_eq!(matches!(sorted, Sorted::Disk { .. }), memory < 100_000);
            let strings: Result<Vec<_>, _> = sorted.collect();
            assert_eq!(strings.expect("there is a disk"), expected);
        }
    }

    #[test]
    fn finds_what_comes_twice() {
        for memory in [1, 1000, 100_000] {
            let mut sorter = sorter(memory);
            let string = 500_u32.to_be_bytes().to_vec();
            let twice = sorter.push(string.clone()).expect("there is a disk");
            let twice = twice.or_else(|| sorter.finish().expect("there is a disk").err());
            assert_eq!(twice, Some(string));
        }
    }
}
