// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables in Parquet: one file, or all files below a directory.

mod arrow;
mod compressed;
mod hive;
mod kind;
mod leaf;
mod read;
mod strings;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use finalist_files::message::{about, reason};
use finalist_files::platform::{Stat, bytes_of, open_regular, stat_of};
use finalist_files::quote::{excerpt, shown};
use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::Page;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::ChunkReader;

pub use read::{Messages, Reader};
pub(crate) use read::{joined, locked};

use crate::{check_nesting, decoding, guarded};
use kind::{Levels, Node};

/// An error whose message names the file and, if it concerns a column, the column.
///
/// ```no_run
/// let error = finalist_table::Table::open("gone.parquet".as_ref()).err();
/// assert!(error.is_some_and(|error| error.0.starts_with(b"gone.parquet: ")));
/// ```
#[derive(Debug)]
pub struct TableError(pub Vec<u8>);

impl TableError {
    pub(crate) fn new(file: &Path, text: &str) -> TableError {
        TableError(about(&bytes_of(file), text))
    }

    fn of_column(file: &Path, column: &str, text: &str) -> TableError {
        TableError::new(file, &format!("column '{}': {text}", excerpt(column)))
    }
}

/// A table of Parquet files that have the same columns.
///
/// ```no_run
/// let table = finalist_table::Table::open("data.parquet".as_ref());
/// let names = table.map(|table| table.columns().len());
/// ```
pub struct Table {
    path: PathBuf,
    files: Vec<Part>,
    /// The index of the file and in it, for each row group.
    row_groups: Vec<(usize, usize)>,
    columns: Vec<Column>,
    rows: u64,
}

/// A column of a table.
///
/// ```no_run
/// let table = finalist_table::Table::open("data.parquet".as_ref());
/// let name = table.map(|table| table.columns()[0].name.clone());
/// ```
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The name of its Arrow type.
    pub type_name: String,
    place: Place,
    /// True if it contains the index of a pandas frame.
    is_index: bool,
}

#[derive(Debug)]
enum Place {
    File(Node),
    /// The index of a partition's column.
    Partition(usize),
}

/// A file of a table, in its state when the table was opened.
struct Part {
    path: PathBuf,
    metadata: ParquetMetaData,
    stat: Stat,
    /// The encoded values of the partitions' columns.
    partitions: Vec<Vec<u8>>,
}

impl Table {
    /// Opens a file, or all files below a directory except those whose names begin with `.` or `_`,
    /// and reads their columns and row counts. Components `NAME=VALUE` of paths below the directory
    /// are columns, as in Hive's partitions.
    ///
    /// # Errors
    /// A file cannot be read, is not Parquet, has columns of a type without an encoding, or has
    /// columns other than the first file's.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let failed = |error| TableError::new(path, &reason(&error));
        let is_directory = fs::metadata(path).map_err(failed)?.is_dir();
        let paths = match is_directory {
            true => files_below(path)?,
            false => vec![path.to_owned()],
        };
        if paths.is_empty() {
            return Err(TableError::new(path, "there are no Parquet files in it"));
        }
        let mut table = Table {
            path: path.to_owned(),
            files: Vec::new(),
            row_groups: Vec::new(),
            columns: Vec::new(),
            rows: 0,
        };
        for path in paths {
            table.add(path)?;
        }
        if is_directory {
            table.add_partitions()?;
        }
        table.check_names()?;
        Ok(table)
    }

    /// Adds a file. Its columns must equal the first file's.
    fn add(&mut self, path: PathBuf) -> Result<(), TableError> {
        let (part, columns) = Part::open(path)?;
        let rows = part.metadata.file_metadata().num_rows();
        let rows = u64::try_from(rows).map_err(|_| {
            TableError::new(&part.path, "damaged: it has a negative number of rows")
        })?;
        let groups = part.metadata.row_groups().iter();
        let in_groups: i128 = groups.map(|group| i128::from(group.num_rows())).sum();
        if in_groups != i128::from(rows) {
            let text = format!("damaged: it has {rows} rows, and its row groups have {in_groups}");
            return Err(TableError::new(&part.path, &text));
        }
        self.rows = self.rows.saturating_add(rows);
        let groups = 0..part.metadata.num_row_groups();
        let file = self.files.len();
        self.row_groups.extend(groups.map(|group| (file, group)));
        let Some(first) = self.files.first() else {
            self.columns = columns;
            self.files.push(part);
            return Ok(());
        };
        for (at, column) in self.columns.iter().enumerate() {
            let same_place = columns
                .get(at)
                .is_some_and(|other| other.name == column.name);
            let text = match columns.iter().find(|other| other.name == column.name) {
                None => "is missing here".to_owned(),
                Some(other) if other.type_name != column.type_name => {
                    format!(
                        "has the type {} here, not {}",
                        other.type_name, column.type_name
                    )
                }
                Some(_) if !same_place => "is in another place here".to_owned(),
                Some(_) => continue,
            };
            let first = shown(&bytes_of(&first.path));
            let text = format!("{text} (the first file is {first})");
            let text = format!("column '{}' {text}", excerpt(&column.name));
            return Err(TableError::new(&part.path, &text));
        }
        if let Some(more) = columns.get(self.columns.len()) {
            let first = shown(&bytes_of(&first.path));
            let text = format!(
                "column '{}' is not in the first file, {first}",
                excerpt(&more.name)
            );
            return Err(TableError::new(&part.path, &text));
        }
        self.files.push(part);
        Ok(())
    }

    /// Adds the columns of Hive's partitions.
    fn add_partitions(&mut self) -> Result<(), TableError> {
        let paths: Vec<&Path> = self.files.iter().map(|file| &*file.path).collect();
        let found = hive::partitions(&self.path, &paths)?;
        for (number, column) in found.into_iter().enumerate() {
            for (file, value) in self.files.iter_mut().zip(column.values) {
                file.partitions.push(value);
            }
            self.columns.push(Column {
                name: column.name,
                type_name: column.type_name.to_owned(),
                place: Place::Partition(number),
                is_index: false,
            });
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), TableError> {
        let mut names: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            None => Ok(()),
            Some(pair) => Err(TableError::of_column(
                &self.path,
                pair[0],
                "several columns have this name",
            )),
        }
    }

    /// Returns the columns in order, without those that contain the index of a pandas frame.
    pub fn columns(&self) -> Vec<&Column> {
        let columns = self.columns.iter();
        columns.filter(|column| !column.is_index).collect()
    }

    /// Returns the indexes of columns by name, including those of a frame's index.
    ///
    /// # Errors
    /// There is no such column, or it is given twice.
    pub fn find(&self, names: &[String]) -> Result<Vec<usize>, TableError> {
        let find = |(place, name): (usize, &String)| {
            let found = self.columns.iter().position(|column| column.name == *name);
            let text = match found {
                Some(_) if names[..place].contains(name) => {
                    format!("column '{}' is given twice", excerpt(name))
                }
                Some(number) => return Ok(number),
                None => format!("there is no column '{}'", excerpt(name)),
            };
            Err(TableError::new(&self.path, &text))
        };
        names.iter().enumerate().map(find).collect()
    }

    /// Returns the column at an index.
    pub fn column(&self, number: usize) -> &Column {
        &self.columns[number]
    }

    /// Returns the indexes of the leaf columns of groups of columns.
    fn leaves(&self, groups: &[&[usize]]) -> Vec<usize> {
        let mut leaves = Vec::new();
        for &column in groups.iter().copied().flatten() {
            if let Place::File(node) = &self.columns[column].place {
                node.leaves(&mut |leaf| leaves.push(leaf));
            }
        }
        leaves
    }

    /// Returns a value of the first file's metadata.
    pub(crate) fn metadata(&self, key: &str) -> Option<&str> {
        metadata_value(&self.files.first()?.metadata, key)
    }

    /// Calls a function with the bytes of each page, if the table has one column of values of this
    /// length, without nulls and dictionaries. Returns false if not.
    pub(crate) fn each_page(
        &self,
        value_bytes: usize,
        mut call: impl FnMut(&[u8]) -> Result<(), TableError>,
    ) -> Result<bool, TableError> {
        for part in &self.files {
            let schema = part.metadata.file_metadata().schema_descr();
            let [column] = schema.columns() else {
                return Ok(false);
            };
            let is_fixed = column.physical_type() == Physical::FIXED_LEN_BYTE_ARRAY
                && column.type_length() as usize == value_bytes
                && column.max_def_level() == 0
                && column.path().parts().len() == 1;
            if !is_fixed {
                return Ok(false);
            }
            let failed = |text: String| TableError::new(&part.path, &text);
            let file = Arc::new(part.reopen()?);
            for group in part.metadata.row_groups() {
                let pages = guarded(|| compressed::pages_of(&file, group, 0));
                let mut pages = pages.map_err(failed)?;
                let mut next = || {
                    let page = || pages.get_next_page().map_err(|error| error.to_string());
                    decoding(&part.path, || guarded(page)).map_err(failed)
                };
                while let Some(page) = next()? {
                    let is_data = matches!(page, Page::DataPage { .. } | Page::DataPageV2 { .. });
                    let is_plain = page.encoding() == Encoding::PLAIN;
                    let values = page.buffer().chunks_exact(value_bytes);
                    let is_whole =
                        values.remainder().is_empty() && values.len() == page.num_values() as usize;
                    if !is_data || !is_plain || !is_whole {
                        return Ok(false);
                    }
                    call(page.buffer())?;
                }
            }
        }
        Ok(true)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the path of the file or directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the files of a table, and the directories that they are in if it is one: links and
    /// mounts in it may lead anywhere. Of one that cannot be listed, returns the path.
    pub fn places(path: &Path) -> BTreeSet<PathBuf> {
        let mut places = BTreeSet::from([path.to_owned()]);
        if path.is_dir() {
            for file in files_below(path).unwrap_or_default() {
                places.extend(file.parent().map(Path::to_owned));
                places.insert(file);
            }
        }
        places
    }
}

impl Part {
    fn open(path: PathBuf) -> Result<(Part, Vec<Column>), TableError> {
        let failed = |error| TableError::new(&path, &reason(&error));
        let file = open_regular(&path).map_err(failed)?;
        let stat = stat_of(&file).map_err(failed)?;
        let metadata = decoding(&path, || {
            check_nesting(stat.bytes, |at, count| file.get_bytes(at, count).ok())?;
            guarded(|| {
                let metadata = ParquetMetaDataReader::new().parse_and_finish(&file);
                metadata.map_err(|error| format!("not a whole Parquet file: {error}"))
            })
        });
        let metadata = metadata.map_err(|text| TableError::new(&path, &excerpt(text)))?;
        let columns = columns_of(&path, &metadata)?;
        let part = Part {
            stat,
            metadata,
            partitions: Vec::new(),
            path,
        };
        Ok((part, columns))
    }

    /// Opens the file again to read its rows.
    fn reopen(&self) -> Result<File, TableError> {
        let failed = |error| TableError::new(&self.path, &reason(&error));
        let file = open_regular(&self.path).map_err(failed)?;
        self.check(&file)?;
        Ok(file)
    }

    /// Refuses a file that has changed since it was opened first.
    fn check(&self, file: &File) -> Result<(), TableError> {
        let stat = stat_of(file).map_err(|error| TableError::new(&self.path, &reason(&error)))?;
        match stat == self.stat {
            true => Ok(()),
            false => Err(TableError::new(
                &self.path,
                "it was changed while it was read",
            )),
        }
    }
}

/// Returns all files below a directory, sorted by path.
fn files_below(directory: &Path) -> Result<Vec<PathBuf>, TableError> {
    let (mut found, mut left) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(directory) = left.pop() {
        let failed = |error| TableError::new(&directory, &reason(&error));
        for entry in fs::read_dir(&directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            if name == "_delta_log" {
                let text = "a Delta table, whose directory has files of older versions, too: \
                            compare it in Python, by DeltaTable(...).to_pyarrow_dataset()";
                return Err(TableError::new(&directory, text));
            }
            if name.as_encoded_bytes().starts_with(b".")
                || name.as_encoded_bytes().starts_with(b"_")
            {
                continue;
            }
            let path = entry.path();
            // Do not follow a link to a directory: it may lead back.
            match entry.file_type().map_err(failed)?.is_dir() {
                true => left.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort_by(|one, other| bytes_of(one).cmp(&bytes_of(other)));
    Ok(found)
}

/// Returns the columns of a file.
fn columns_of(path: &Path, metadata: &ParquetMetaData) -> Result<Vec<Column>, TableError> {
    let value = |key: &str| metadata_value(metadata, key);
    let schema = metadata.file_metadata().schema_descr();
    let is_number = |leaf: usize| schema.column(leaf).physical_type() == Physical::INT64;
    let durations = match (0..schema.num_columns()).any(is_number) {
        true => value("ARROW:schema").map(arrow::durations),
        false => None,
    };
    let durations = durations.unwrap_or_default();
    let index = value("pandas").map(index_columns).unwrap_or_default();
    let (mut columns, mut next) = (Vec::new(), 0);
    for part in schema.root_schema().get_fields() {
        let levels = Levels { def: 0, rep: 0 };
        let built = kind::build(part, levels, &mut next, &durations);
        let (node, type_name) =
            built.map_err(|text| TableError::of_column(path, part.name(), &text))?;
        columns.push(Column {
            name: part.name().to_owned(),
            type_name,
            place: Place::File(node),
            is_index: index.iter().any(|name| name == part.name()),
        });
    }
    Ok(columns)
}

fn metadata_value<'a>(metadata: &'a ParquetMetaData, key: &str) -> Option<&'a str> {
    let pairs = metadata.file_metadata().key_value_metadata();
    let mut found = pairs.into_iter().flatten().filter(|pair| pair.key == key);
    found.next().and_then(|pair| pair.value.as_deref())
}

/// Returns the columns that contain a frame's index, from the metadata that pandas writes.
fn index_columns(metadata: &str) -> Vec<String> {
    let metadata: serde_json::Value = serde_json::from_str(metadata).unwrap_or_default();
    let columns = metadata.get("index_columns");
    let columns = columns.and_then(|columns| columns.as_array());
    let names = columns.into_iter().flatten();
    names
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}
