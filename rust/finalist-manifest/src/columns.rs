// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes manifests as Parquet.

use std::io::{self, Write};
use std::sync::Arc;
use std::vec;

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{
    EnabledStatistics, WriterProperties, WriterPropertiesPtr, WriterVersion,
};
use parquet::file::writer::{
    SerializedFileWriter, SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite,
};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnDescPtr, ColumnPath, Type};

use crate::form::WriteRows;
use crate::header::{Header, Totals};
use crate::row::{Row, Stamp};

/// The columns, as docs/format/manifests.md describes them.
const SCHEMA: &str = "message manifest {
  required binary path;
  optional int64 size;
  optional binary digest;
  required binary leaf;
  required binary status (STRING);
  optional int64 modified_ns;
  optional int64 changed_ns;
  optional int64 inode;
";
/// The additional columns of manifests with metadata.
const METADATA: &str = "  optional int64 mode;
  optional binary target;
";

/// Returns the schema of a manifest, with metadata or without.
pub fn schema(metadata: bool) -> Result<Type, ParquetError> {
    let more = if metadata { METADATA } else { "" };
    parse_message_type(&format!("{SCHEMA}{more}}}"))
}

/// Writes a Parquet file with a row group for each batch.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    header: Header,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(out: W, header: Header) -> io::Result<ParquetWriter<W>> {
        let schema = schema(header.metadata)?;
        let column = |name: &str| ColumnPath::from(name);
        let none = EnabledStatistics::None;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("finalist ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_dictionary_enabled(false)
            .set_column_dictionary_enabled(column("status"), true)
            // Sorted paths share prefixes.
            .set_column_encoding(column("path"), Encoding::DELTA_BYTE_ARRAY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_column_statistics_enabled(column("digest"), none)
            .set_column_statistics_enabled(column("leaf"), none)
            .build();
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        Ok(ParquetWriter { file, header })
    }
}

impl<W: Write + Send> WriteRows for ParquetWriter<W> {
    fn rows(&mut self, rows: &[Row], leaves: &[u8]) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let contents = || rows.iter().map(|row| row.content.as_ref().ok());
        let levels: Vec<i16> = contents().map(|content| content.is_some().into()).collect();

        let columns = self.file.schema_descr().columns().to_vec();
        let properties = self.file.properties().clone();
        let mut group = Group {
            columns: columns.into_iter(),
            properties,
            writer: self.file.next_row_group()?,
        };
        let paths = strings(rows.iter().map(|row| &row.path[..]));
        group.write::<ByteArrayType>(paths, None)?;
        let sizes = contents().flatten().map(|content| content.size as i64);
        group.write::<Int64Type>(sizes.collect(), Some(&levels))?;
        let digests = strings(contents().flatten().map(|content| &content.digest[..]));
        group.write::<ByteArrayType>(digests, Some(&levels))?;
        let leaves = strings(leaves.chunks(leaves.len() / rows.len()));
        group.write::<ByteArrayType>(leaves, None)?;
        let statuses = rows.iter().map(|row| ByteArray::from(row.status()));
        group.write::<ByteArrayType>(statuses.collect(), None)?;
        for field in [
            |stamp: Stamp| stamp.modified_ns,
            |stamp: Stamp| stamp.changed_ns,
            |stamp: Stamp| stamp.inode,
        ] {
            let values = || contents().map(|content| content.and_then(|all| field(all.stamp)));
            let levels: Vec<i16> = values().map(|value| value.is_some().into()).collect();
            group.write::<Int64Type>(values().flatten().collect(), Some(&levels))?;
        }
        if self.header.metadata {
            let modes = || rows.iter().map(|row| row.metadata.mode);
            let levels: Vec<i16> = modes().map(|mode| mode.is_some().into()).collect();
            group.write::<Int64Type>(modes().flatten().map(i64::from).collect(), Some(&levels))?;
            let targets = || rows.iter().map(|row| row.metadata.target.as_deref());
            let levels: Vec<i16> = targets().map(|target| target.is_some().into()).collect();
            group.write::<ByteArrayType>(strings(targets().flatten()), Some(&levels))?;
        }
        group.writer.close()?;
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

/// Copies values into one allocation.
fn strings<'a>(values: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<ByteArray> {
    let all = ByteArray::from(values.clone().collect::<Vec<_>>().concat());
    let mut end = 0;
    let slices = values.map(|value| {
        end += value.len();
        all.slice(end - value.len(), value.len())
    });
    slices.collect()
}

/// A row group and its remaining columns.
struct Group<'a, W: Write + Send> {
    columns: vec::IntoIter<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
    writer: SerializedRowGroupWriter<'a, W>,
}

impl<W: Write + Send> Group<'_, W> {
    /// Appends the next column. `levels`: 1 for a value, 0 for null. Makes its own writer, since
    /// the library's writers pull in code for columns of all types.
    fn write<T: DataType>(&mut self, values: Vec<T::T>, levels: Option<&[i16]>) -> io::Result<()> {
        let missing = || io::Error::other("the schema has fewer columns");
        let column = self.columns.next().ok_or_else(missing)?;
        let mut out = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut out));
        let mut writer = ColumnWriterImpl::<T>::new(column, self.properties.clone(), pages);
        writer.write_batch(&values, levels, None)?;
        let closed = writer.close()?;
        self.writer
            .append_column(&Bytes::from(out.into_inner()?), closed)?;
        Ok(())
    }
}
