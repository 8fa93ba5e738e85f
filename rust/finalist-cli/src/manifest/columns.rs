// SPDX-License-Identifier: MIT OR Apache-2.0
//! Manifests as Parquet.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};

use parquet::basic::{ConvertedType, Encoding, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnDescriptor, ColumnPath};

use super::form::{Batch, ROWS_AT_ONCE, Sink, Source};
use super::header::{Header, Totals};
use super::row::{Content, Fault, OK, Row};

const SCHEMA: &str = "message manifest {
  required binary path;
  optional int64 size;
  optional binary digest;
  required binary leaf;
  required binary status (STRING);
  optional int64 modified_ns;
}";

/// Writes a Parquet file, a row group for each batch.
pub struct ParquetSink<W: Write + Send> {
    file: SerializedFileWriter<W>,
    header: Header,
}

impl<W: Write + Send> ParquetSink<W> {
    pub fn new(out: W, header: Header) -> io::Result<ParquetSink<W>> {
        let schema = parse_message_type(SCHEMA)?;
        let column = |name: &str| ColumnPath::from(name);
        let none = EnabledStatistics::None;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("finalist ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_dictionary_enabled(false)
            .set_column_dictionary_enabled(column("status"), true)
            // Sorted paths share their beginnings.
            .set_column_encoding(column("path"), Encoding::DELTA_BYTE_ARRAY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_column_statistics_enabled(column("digest"), none)
            .set_column_statistics_enabled(column("leaf"), none)
            .build();
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        Ok(ParquetSink { file, header })
    }
}

impl<W: Write + Send> Sink for ParquetSink<W> {
    fn rows(&mut self, rows: &[Row], leaves: &[u8]) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let contents = || rows.iter().map(|row| row.content.as_ref().ok());
        let levels: Vec<i16> = contents().map(|content| content.is_some().into()).collect();
        let modified = || contents().map(|content| content?.modified_ns);
        let modified_levels: Vec<i16> = modified().map(|time| time.is_some().into()).collect();

        let mut writer = self.file.next_row_group()?;
        let group = &mut writer;
        let paths = strings(rows.iter().map(|row| &row.path[..]));
        write::<ByteArrayType, _>(group, paths, None)?;
        let sizes = contents().flatten().map(|content| content.size as i64);
        write::<Int64Type, _>(group, sizes.collect(), Some(&levels))?;
        let digests = strings(contents().flatten().map(|content| &content.digest[..]));
        write::<ByteArrayType, _>(group, digests, Some(&levels))?;
        let leaves = strings(leaves.chunks(leaves.len() / rows.len()));
        write::<ByteArrayType, _>(group, leaves, None)?;
        let statuses = rows.iter().map(|row| ByteArray::from(row.status()));
        write::<ByteArrayType, _>(group, statuses.collect(), None)?;
        let times = modified().flatten().collect();
        write::<Int64Type, _>(group, times, Some(&modified_levels))?;
        writer.close()?;
        Ok(())
    }

    fn finish(mut self: Box<Self>, totals: &Totals) -> io::Result<()> {
        for (key, value) in self.header.metadata(totals) {
            self.file
                .append_key_value_metadata(KeyValue::new(key, value));
        }
        self.file.finish()?;
        self.file.inner_mut().flush()
    }
}

/// Values that share one allocation.
fn strings<'a>(values: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<ByteArray> {
    let all = ByteArray::from(values.clone().collect::<Vec<_>>().concat());
    let mut end = 0;
    let slices = values.map(|value| {
        end += value.len();
        all.slice(end - value.len(), value.len())
    });
    slices.collect()
}

/// Appends one column to a row group. `levels`: 1 where there is a value, 0 for null.
fn write<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: Vec<T::T>,
    levels: Option<&[i16]>,
) -> io::Result<()> {
    let missing = || io::Error::other("the schema has fewer columns");
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(&values, levels, None)?;
    column.close()?;
    Ok(())
}

/// Reads Parquet files, one after the other.
pub struct ParquetSource {
    files: std::vec::IntoIter<SerializedFileReader<File>>,
    groups: Groups,
    totals: Totals,
}

/// The row groups of one file that are still to be read.
#[derive(Default)]
struct Groups {
    file: Option<SerializedFileReader<File>>,
    next: usize,
    columns: Option<Columns>,
}

/// The columns of a row group, each read as far as the others.
struct Columns {
    rows_left: usize,
    path: Strings,
    size: Numbers,
    digest: Strings,
    leaf: Strings,
    status: Strings,
    modified_ns: Numbers,
}

type Strings = ColumnReaderImpl<ByteArrayType>;
type Numbers = ColumnReaderImpl<Int64Type>;

/// The header and rows of one file.
pub fn open_file(file: File) -> Result<(Header, ParquetSource), String> {
    let file = open(file)?;
    let metadata = file.metadata().file_metadata().key_value_metadata();
    let pairs = metadata.into_iter().flatten();
    let pairs: Vec<_> = pairs
        .filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?)))
        .collect();
    let (header, totals) = Header::of_metadata(&pairs)?;
    check_columns(&file)?;
    Ok((header, ParquetSource::new(vec![file], totals)))
}

/// The rows of the parts of a manifest.
pub fn open_parts(files: Vec<File>, totals: Totals) -> Result<ParquetSource, String> {
    let files: Result<Vec<_>, _> = files.into_iter().map(open).collect();
    let files = files?;
    files.iter().try_for_each(check_columns)?;
    Ok(ParquetSource::new(files, totals))
}

fn open(file: File) -> Result<SerializedFileReader<File>, String> {
    guarded(|| SerializedFileReader::new(file).map_err(|error| told(&error)))
}

thread_local! {
    /// This thread reads Parquet, and will tell of a panic itself.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does what reads Parquet. The library panics at some damaged files.
fn guarded<R>(read: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                hook(info);
            }
        }));
    });
    IS_GUARDED.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    done.unwrap_or_else(|_| Err("not a whole Parquet file: damaged".to_owned()))
}

fn told(error: &ParquetError) -> String {
    format!("not a whole Parquet file: {error}")
}

fn check_columns(file: &SerializedFileReader<File>) -> Result<(), String> {
    let expected = parse_message_type(SCHEMA).map_err(|error| told(&error))?;
    let schema = file.metadata().file_metadata().schema_descr();
    let names = |name: &[&str]| name.join(", ");
    let wanted: Vec<_> = expected
        .get_fields()
        .iter()
        .map(|field| field.name())
        .collect();
    let columns = schema.columns();
    let found: Vec<_> = columns.iter().map(|column| column.name()).collect();
    if found != wanted || columns.iter().any(|column| column.max_rep_level() != 0) {
        let (found, wanted) = (names(&found), names(&wanted));
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
    column.physical_type() == physical && annotated
}

impl ParquetSource {
    fn new(files: Vec<SerializedFileReader<File>>, totals: Totals) -> ParquetSource {
        ParquetSource {
            files: files.into_iter(),
            groups: Groups::default(),
            totals,
        }
    }
}

impl Source for ParquetSource {
    fn batch(&mut self) -> Result<Batch, String> {
        loop {
            let groups = &mut self.groups;
            let batch = guarded(|| groups.batch().map_err(|error| told(&error)))?;
            if let Some(batch) = batch {
                return batch;
            }
            let Some(file) = self.files.next() else {
                return Ok(Batch::default());
            };
            self.groups = Groups {
                file: Some(file),
                ..Groups::default()
            };
        }
    }

    fn totals(&self) -> Result<Totals, String> {
        Ok(self.totals.clone())
    }
}

impl Groups {
    /// The next rows, or what is wrong with them; `None` after the last ones.
    fn batch(&mut self) -> Result<Option<Result<Batch, String>>, ParquetError> {
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
                .filter(|file| self.next < file.num_row_groups())
            else {
                return Ok(None);
            };
            let group = file.get_row_group(self.next)?;
            let rows = group.metadata().num_rows();
            let column = |index: usize| group.get_column_reader(index);
            let strings = |index| column(index).map(get_typed_column_reader::<ByteArrayType>);
            let numbers = |index| column(index).map(get_typed_column_reader::<Int64Type>);
            self.columns = Some(Columns {
                rows_left: usize::try_from(rows)?,
                path: strings(0)?,
                size: numbers(1)?,
                digest: strings(2)?,
                leaf: strings(3)?,
                status: strings(4)?,
                modified_ns: numbers(5)?,
            });
            self.next += 1;
        }
    }
}

impl Columns {
    fn batch(&mut self) -> Result<Result<Batch, String>, ParquetError> {
        let count = self.rows_left.min(ROWS_AT_ONCE);
        self.rows_left -= count;
        let mut path = values(&mut self.path, count)?.into_iter();
        let mut size = values(&mut self.size, count)?.into_iter();
        let mut digest = values(&mut self.digest, count)?.into_iter();
        let mut leaf = values(&mut self.leaf, count)?.into_iter();
        let mut status = values(&mut self.status, count)?.into_iter();
        let mut modified_ns = values(&mut self.modified_ns, count)?.into_iter();
        let (mut rows, mut leaves) = (Vec::with_capacity(count), Vec::with_capacity(count));
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
            let values = (size.next()?, digest.next()?, modified_ns.next()?);
            Some(content(status.data(), values).map(|content| {
                let path = path.data().to_vec();
                rows.push(Row { path, content });
                leaves.push(leaf.data().to_vec());
            }))
        };
        for _ in 0..count {
            match read() {
                Some(Ok(())) => (),
                Some(Err(text)) => return Ok(Err(text)),
                None => return Ok(Err("the columns are of unequal length".to_owned())),
            }
        }
        Ok(Ok(Batch {
            rows,
            leaves: Some(leaves),
        }))
    }
}

/// The next values of a column, at most so many.
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

/// What became of a file, by its status, size, digest and time.
fn content(
    status: &[u8],
    values: (Option<i64>, Option<ByteArray>, Option<i64>),
) -> Result<Result<Content, Fault>, String> {
    match (status == OK.as_bytes(), Fault::from_status(status), values) {
        (true, _, (Some(size), Some(digest), modified_ns)) => Ok(Ok(Content {
            // What is negative is too large for a size.
            size: size as u64,
            digest: digest.data().to_vec(),
            modified_ns,
        })),
        (false, Some(fault), (None, None, None)) => Ok(Err(fault)),
        (false, None, _) => Err(format!("unknown status '{}'", status.escape_ascii())),
        (true, ..) => Err("null in the size or digest of a file with the status 'ok'".to_owned()),
        _ => Err("size, digest or time of a file whose status is not 'ok'".to_owned()),
    }
}
