// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads manifests as Parquet.

use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::ChunkReader;
use parquet::schema::types::ColumnDescriptor;

use crate::columns::schema;
use crate::form::{Batch, ReadRows};
use crate::header::{Header, Totals};
use crate::pages::pages_of;
use crate::row::{Content, Metadata, NoDigest, OK, PATH_BYTES_MAX, Row, Stamp};
use finalist_files::quote::excerpt;
use finalist_table::{check_nesting, guarded};

/// Rows whose values are decoded at once. Each value of some encodings can become as long as its
/// page, although together they take little of it.
const ROWS_A_STEP: usize = 16;

/// An open Parquet file.
struct File<R> {
    /// The name of a part, for messages.
    part: Option<String>,
    content: Arc<R>,
    metadata: ParquetMetaData,
}

/// Adds the name of a part to a message.
fn of_part(part: Option<&str>, text: String) -> String {
    match part {
        Some(part) => format!("{part}: {text}"),
        None => text,
    }
}

/// Reads the rows of one or several Parquet files in sequence.
pub struct ParquetReader<R: ChunkReader + 'static> {
    files: std::vec::IntoIter<File<R>>,
    groups: Groups<R>,
    totals: Totals,
    metadata: bool,
}

/// The remaining row groups of a file.
struct Groups<R: ChunkReader + 'static> {
    file: Option<File<R>>,
    next: usize,
    columns: Option<Columns>,
}

/// The columns of a row group, all read up to the same row.
struct Columns {
    rows_left: usize,
    path: Strings,
    size: Numbers,
    digest: Strings,
    leaf: Strings,
    status: Strings,
    modified_ns: Numbers,
    changed_ns: Numbers,
    inode: Numbers,
    /// Modes and targets, in manifests with metadata.
    metadata: Option<(Numbers, Strings)>,
}

type Strings = ColumnReaderImpl<ByteArrayType>;
type Numbers = ColumnReaderImpl<Int64Type>;

/// Opens a file and reads its header.
pub fn open_file<R: ChunkReader + 'static>(file: R) -> Result<(Header, ParquetReader<R>), String> {
    let file = open(None, file)?;
    let metadata = file.metadata.file_metadata().key_value_metadata();
    let pairs = metadata.into_iter().flatten();
    let pairs: Vec<_> = pairs
        .filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?)))
        .collect();
    let (header, totals) = Header::of_metadata(&pairs)?;
    check_columns(&file, header.metadata)?;
    let reader = ParquetReader::new(vec![file], totals, header.metadata);
    Ok((header, reader))
}

/// Opens the parts of a manifest, each with its name, as one sequence of rows.
pub fn open_parts<R: ChunkReader + 'static>(
    parts: Vec<(String, R)>,
    totals: Totals,
    metadata: bool,
) -> Result<ParquetReader<R>, String> {
    let files = parts.into_iter().map(|(name, part)| {
        let file = open(Some(&name), part)?;
        check_columns(&file, metadata).map_err(|text| of_part(Some(&name), text))?;
        Ok(file)
    });
    let files = files.collect::<Result<Vec<_>, String>>()?;
    Ok(ParquetReader::new(files, totals, metadata))
}

fn open<R: ChunkReader + 'static>(part: Option<&str>, file: R) -> Result<File<R>, String> {
    let nesting = check_nesting(file.len(), |at, count| file.get_bytes(at, count).ok());
    nesting.map_err(|text| of_part(part, text))?;
    let metadata = guarded(|| {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file);
        metadata.map_err(|error| described(&error))
    });
    Ok(File {
        metadata: metadata.map_err(|text| of_part(part, text))?,
        part: part.map(str::to_owned),
        content: Arc::new(file),
    })
}

fn described(error: &ParquetError) -> String {
    format!("not a whole Parquet file: {}", excerpt(error.to_string()))
}

fn check_columns<R: ChunkReader + 'static>(file: &File<R>, metadata: bool) -> Result<(), String> {
    let expected = schema(metadata).map_err(|error| described(&error))?;
    let schema = file.metadata.file_metadata().schema_descr();
    let wanted: Vec<_> = expected
        .get_fields()
        .iter()
        .map(|field| field.name())
        .collect();
    let columns = schema.columns();
    // With their paths: a column within a group is another one.
    let found: Vec<_> = columns
        .iter()
        .map(|column| column.path().string())
        .collect();
    if found != wanted {
        let (found, wanted) = (excerpt(found.join(", ")), wanted.join(", "));
        return Err(format!("the columns are {found}, not {wanted}"));
    }
    for (column, field) in columns.iter().zip(expected.get_fields()) {
        if !is_of_type(column, field.get_physical_type(), field.name() == "status") {
            return Err(format!("the column '{}' has another type", column.name()));
        }
    }
    Ok(())
}

fn is_of_type(column: &ColumnDescriptor, physical: Physical, is_text: bool) -> bool {
    use ConvertedType::{INT_64, NONE, UTF8};
    let (logical, converted) = (column.logical_type_ref(), column.converted_type());
    let annotated = match (is_text, logical) {
        (true, Some(LogicalType::String)) => true,
        (true, None) => converted == UTF8,
        (false, Some(logical)) => logical == &LogicalType::integer(64, true),
        (false, None) => matches!(converted, NONE | INT_64),
        _ => false,
    };
    column.physical_type() == physical && annotated && column.max_rep_level() == 0
}

impl<R: ChunkReader + 'static> ParquetReader<R> {
    fn new(files: Vec<File<R>>, totals: Totals, metadata: bool) -> ParquetReader<R> {
        ParquetReader {
            files: files.into_iter(),
            groups: Groups::of(None),
            totals,
            metadata,
        }
    }
}

impl<R: ChunkReader + 'static> ReadRows for ParquetReader<R> {
    fn batch(&mut self) -> Result<Batch, String> {
        loop {
            let (groups, metadata) = (&mut self.groups, self.metadata);
            let batch = guarded(|| groups.batch(metadata).map_err(|error| described(&error)));
            if let Some(batch) = batch.and_then(Option::transpose).transpose() {
                let file = self.groups.file.as_ref();
                let part = file.and_then(|file| file.part.as_deref());
                return batch.map_err(|text| of_part(part, text));
            }
            let Some(file) = self.files.next() else {
                return Ok(Batch::default());
            };
            self.groups = Groups::of(Some(file));
        }
    }

    fn totals(&self) -> Result<Totals, String> {
        Ok(self.totals.clone())
    }
}

impl<R: ChunkReader + 'static> Groups<R> {
    fn of(file: Option<File<R>>) -> Groups<R> {
        Groups {
            file,
            next: 0,
            columns: None,
        }
    }

    /// Returns the next rows, or an error if they are malformed; `None` after the last.
    fn batch(&mut self, metadata: bool) -> Result<Option<Result<Batch, String>>, ParquetError> {
        loop {
            if let Some(columns) = self
                .columns
                .as_mut()
                .filter(|columns| columns.rows_left != 0)
            {
                return columns.batch().map(Some);
            }
            let Some(file) = self
                .file
                .as_ref()
                .filter(|file| self.next < file.metadata.num_row_groups())
            else {
                return Ok(None);
            };
            let group = file.metadata.row_group(self.next);
            let rows = usize::try_from(group.num_rows())?;
            let strings = |index| column::<ByteArrayType, R>(file, self.next, index);
            let numbers = |index| column::<Int64Type, R>(file, self.next, index);
            self.columns = Some(Columns {
                rows_left: rows,
                path: strings(0)?,
                size: numbers(1)?,
                digest: strings(2)?,
                leaf: strings(3)?,
                status: strings(4)?,
                modified_ns: numbers(5)?,
                changed_ns: numbers(6)?,
                inode: numbers(7)?,
                metadata: match metadata {
                    true => Some((numbers(8)?, strings(9)?)),
                    false => None,
                },
            });
            self.next += 1;
        }
    }
}

/// Returns a column of a row group, whose type was checked. Makes its own reader, since the
/// library's readers pull in code for columns of all types.
fn column<T: DataType, R: ChunkReader + 'static>(
    file: &File<R>,
    group: usize,
    column: usize,
) -> Result<ColumnReaderImpl<T>, ParquetError> {
    let group = file.metadata.row_group(group);
    let pages = pages_of(&file.content, group, column)?;
    let descriptor = group.column(column).column_descr_ptr();
    Ok(ColumnReaderImpl::new(descriptor, pages))
}

impl Columns {
    fn batch(&mut self) -> Result<Result<Batch, String>, ParquetError> {
        let mut batch = Batch::default();
        while self.rows_left != 0 && !batch.is_full() {
            if let Err(text) = self.step(&mut batch)? {
                return Ok(Err(text));
            }
        }
        Ok(Ok(batch))
    }

    /// Appends the next rows.
    fn step(&mut self, batch: &mut Batch) -> Result<Result<(), String>, ParquetError> {
        let count = self.rows_left.min(ROWS_A_STEP);
        self.rows_left -= count;
        let mut path = clipped(&mut self.path, count)?.into_iter();
        let mut size = values(&mut self.size, count)?.into_iter();
        let mut digest = clipped(&mut self.digest, count)?.into_iter();
        let mut leaf = clipped(&mut self.leaf, count)?.into_iter();
        let mut status = values(&mut self.status, count)?.into_iter();
        let mut modified_ns = values(&mut self.modified_ns, count)?.into_iter();
        let mut changed_ns = values(&mut self.changed_ns, count)?.into_iter();
        let mut inode = values(&mut self.inode, count)?.into_iter();
        let mut metadata = Vec::new().into_iter();
        if let Some((modes, targets)) = &mut self.metadata {
            let modes = values(modes, count)?.into_iter();
            let both: Vec<_> = modes.zip(clipped(targets, count)?).collect();
            metadata = both.into_iter();
        }
        let has_metadata = self.metadata.is_some();
        let mut read = || -> Option<Result<(), String>> {
            let missing = |column: &str| Some(Err(format!("null in the column '{column}'")));
            let Some(path) = path.next()? else {
                return missing("path");
            };
            let Some(leaf) = leaf.next()? else {
                return missing("leaf");
            };
            let Some(status) = status.next()? else {
                return missing("status");
            };
            let stamp = Stamp {
                modified_ns: modified_ns.next()?,
                changed_ns: changed_ns.next()?,
                inode: inode.next()?,
            };
            let values = (size.next()?, digest.next()?);
            let (mode, target) = match has_metadata {
                true => metadata.next()?,
                false => (None, None),
            };
            let metadata = Metadata {
                // Turns an invalid mode into one that is refused.
                mode: mode.map(|mode| u16::try_from(mode).unwrap_or(u16::MAX)),
                target,
            };
            Some(content(status.data(), values, stamp).map(|content| {
                let row = Row {
                    path,
                    content,
                    metadata,
                };
                batch.push(row, Some(leaf));
            }))
        };
        for _ in 0..count {
            match read() {
                Some(Ok(())) => (),
                Some(Err(text)) => return Ok(Err(text)),
                None => return Ok(Err("the columns are of unequal length".to_owned())),
            }
        }
        Ok(Ok(()))
    }
}

/// Reads the next values of a column, at most `count`.
fn values<T: DataType>(
    column: &mut ColumnReaderImpl<T>,
    count: usize,
) -> Result<Vec<Option<T::T>>, ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (records, ..) = column.read_records(count, Some(&mut levels), None, &mut values)?;
    if values.len() == records {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    let levels = levels.into_iter();
    Ok(levels
        .map(|level| if level == 0 { None } else { values.next() })
        .collect())
}

/// Reads the next byte strings of a column. Cuts those that are too long for a row, but not to a
/// length that a row can have.
fn clipped(column: &mut Strings, count: usize) -> Result<Vec<Option<Vec<u8>>>, ParquetError> {
    let clip = |value: ByteArray| {
        let data = value.data();
        data[..data.len().min(PATH_BYTES_MAX + 1)].to_vec()
    };
    let found = values(column, count)?.into_iter();
    Ok(found.map(|value| value.map(clip)).collect())
}

/// Combines status, size and digest into a row's content.
fn content(
    status: &[u8],
    values: (Option<i64>, Option<Vec<u8>>),
    stamp: Stamp,
) -> Result<Result<Content, NoDigest>, String> {
    let is_stamped = stamp != Stamp::default();
    match (
        status == OK.as_bytes(),
        NoDigest::from_status(status),
        values,
    ) {
        (true, _, (Some(size), Some(digest))) => Ok(Ok(Content {
            // Turns a negative size into one that is too large.
            size: size as u64,
            digest,
            stamp,
        })),
        (false, Some(fault), (None, None)) if !is_stamped => Ok(Err(fault)),
        (false, None, _) => Err(format!("unknown status '{}'", excerpt(status))),
        (true, ..) => Err("null in the size or digest of a file with the status 'ok'".to_owned()),
        _ => {
            let text = "size, digest, time or inode of a file whose status is not 'ok'";
            Err(text.to_owned())
        }
    }
}
