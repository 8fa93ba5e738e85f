// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sidecars: files of digests beside a table, of its buckets or of its rows (docs/guide/tables.md
//! defines them). `finalist.tables` in Python reads and writes the same files.

use std::fs::File;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex};

use finalist::{Algorithm, Params, merkle};
use finalist_files::message::reason;
use finalist_files::new_file::NewFile;
use finalist_files::quote::excerpt;
use parquet::data_type::{ByteArray, FixedLenByteArray, FixedLenByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde::Deserialize;
use serde_json::json;

use crate::files::locked;
use crate::roots::{DIGEST_BYTES, capacity, committed};
use crate::tables::RecordHasher;
use crate::{Encoding, Messages, Reader, Sorted, Table, TableError, Version};

/// The name in the root of buckets and of rows: both commit to the same leaves.
const ROOT: &str = "finalist-buckets-1";
const ALGORITHM: Algorithm = Algorithm::Blake2s;
/// Digests in a row group.
const GROUP: usize = 1 << 20;

pub(crate) type Digest = [u8; DIGEST_BYTES];

/// The form of a sidecar: a Parquet file with one column of digests.
pub(crate) struct Form {
    /// Its name, a member of the metadata.
    pub name: &'static str,
    /// The key of the metadata.
    pub metadata: &'static str,
    pub column: &'static str,
    /// Names of the sidecar and of the column's values in messages.
    pub what: &'static str,
    pub values: &'static str,
}

/// The parameters of a table's records, besides a secret key.
///
/// ```
/// let parameters = finalist_table::RecordParameters::default();
/// assert!(parameters.keys.is_empty());
/// ```
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct RecordParameters {
    /// The key columns, which identify rows.
    pub keys: Vec<String>,
    /// The other columns, in order.
    pub columns: Vec<String>,
    /// True if an integral decimal is encoded as an integer.
    pub by_value: bool,
}

impl RecordParameters {
    fn numbers(&self) -> &'static str {
        match self.by_value {
            true => "by-value",
            false => "exact",
        }
    }
}

/// The parameters of a sidecar, the number of its table's rows, and the root.
#[derive(Default)]
pub(crate) struct About {
    pub parameters: RecordParameters,
    pub rows: u64,
    is_keyed: bool,
    pub root: Vec<u8>,
}

fn params(key: &[u8]) -> Params<'_> {
    Params::new().digest_bytes(DIGEST_BYTES as u64).key(key)
}

/// Reads a table and returns the sorted records of its rows.
fn records_of(
    table: &Table,
    parameters: &RecordParameters,
    key: &[u8],
) -> Result<Sorted, TableError> {
    let [keys, columns] = [&parameters.keys, &parameters.columns].map(|names| table.find(names));
    let (keys, columns) = (keys?, columns?);
    let records = Mutex::new(Sorted::new(capacity(table.rows())));
    let groups = [&keys[..], &columns, &[]];
    Reader::in_threads(table, groups, parameters.by_value, |mut reader| {
        let mut hasher = RecordHasher::new(table, key);
        let mut messages = Messages::default();
        while reader.next(&mut messages)? {
            let some = hasher.records(&messages)?;
            locked(&records).add(some);
        }
        Ok(())
    })?;
    let mut records = mem::take(&mut *locked(&records));
    records.sort();
    Ok(records)
}

/// Returns the leaf hashes of the buckets of sorted records.
pub(crate) fn leaves_of(records: &Sorted, key: &[u8]) -> Result<Vec<Digest>, finalist::Error> {
    let buckets: Vec<&[u8]> = records.buckets().collect();
    let leaves = merkle::leaf_hashes(ALGORITHM, &params(key), &buckets)?;
    let leaves = leaves.chunks_exact(DIGEST_BYTES);
    Ok(leaves.filter_map(|leaf| leaf.try_into().ok()).collect())
}

impl About {
    /// Reads a table. Returns also the leaf hashes of its buckets and its sorted records.
    pub fn of_table(
        table: &Table,
        parameters: RecordParameters,
        key: &[u8],
    ) -> Result<(About, Vec<Digest>, Sorted), TableError> {
        let failed = |error: finalist::Error| TableError::new(table.path(), &error.to_string());
        let records = records_of(table, &parameters, key)?;
        let leaves = leaves_of(&records, key).map_err(failed)?;
        let mut about = About {
            parameters,
            rows: records.len() as u64,
            is_keyed: !key.is_empty(),
            root: Vec::new(),
        };
        about.root = about.compute_root(&leaves, key).map_err(failed)?;
        Ok((about, leaves, records))
    }

    fn compute_root(&self, leaves: &[Digest], key: &[u8]) -> Result<Vec<u8>, finalist::Error> {
        let params = params(key);
        let mut head = Vec::new();
        let encoding = Encoding {
            version: Version::Nested,
            by_value: false,
        };
        encoding.begin(&mut head);
        for names in [&self.parameters.keys, &self.parameters.columns] {
            let list = encoding.resume(&mut head).list(names.len());
            names.iter().fold(list, |list, name| list.string(name));
        }
        let numbers = self.parameters.numbers();
        encoding
            .resume(&mut head)
            .string(numbers)
            .integer(self.rows);
        let mut tree = merkle::Tree::new_boxed(ALGORITHM, &params)?;
        tree.append(&merkle::leaf_hashes(ALGORITHM, &params, &[head])?)?;
        tree.append(leaves.as_flattened())?;
        committed(&tree, ROOT, ALGORITHM, &params, self.is_keyed)
    }

    /// Checks that the leaf hashes give the root with this key.
    pub fn check_root(
        &self,
        leaves: &[Digest],
        key: &[u8],
        form: &Form,
        path: &Path,
    ) -> Result<(), TableError> {
        let is_sound = self.is_keyed != key.is_empty()
            && self
                .compute_root(leaves, key)
                .is_ok_and(|root| root == self.root);
        match is_sound {
            true => Ok(()),
            false => {
                let values = form.values;
                let text = format!("the {values} do not give the root, or the key is another one");
                Err(TableError::new(path, &text))
            }
        }
    }

    /// Checks that records were made with these parameters. The error names `path`.
    pub fn check(
        &self,
        parameters: &RecordParameters,
        is_keyed: bool,
        form: &Form,
        path: &Path,
    ) -> Result<(), TableError> {
        let (own, what) = (&self.parameters, form.what);
        let names = |names: &[String]| format!("'{}'", excerpt(names.join("', '")));
        let text = if own.keys != parameters.keys {
            let [own, other] = [&own.keys, &parameters.keys].map(|keys| names(keys));
            format!("its {what} have the key {own}, not {other}")
        } else if own.columns != parameters.columns {
            let [own, other] = [&own.columns, &parameters.columns].map(|columns| names(columns));
            format!("its {what} have the columns {own}, not {other}")
        } else if own.by_value != parameters.by_value {
            let [own, other] = [own.numbers(), parameters.numbers()];
            format!("its {what} were made with --numbers {own}, not {other}")
        } else if self.is_keyed != is_keyed {
            format!("its {what} were made with another secret key")
        } else {
            return Ok(());
        };
        Err(TableError::new(path, &text))
    }

    /// Writes a sidecar with these digests, which gets its name when it is complete.
    pub fn write(&self, path: &Path, form: &Form, digests: &[Digest]) -> Result<(), TableError> {
        let failed = |error: io::Error| TableError::new(path, &reason(&error));
        let file = NewFile::create(path, None).map_err(failed)?;
        let written = self.write_to(file.writer().map_err(failed)?, form, digests);
        written.map_err(|error| failed(error.into()))?;
        file.complete().map_err(failed)?;
        Ok(())
    }

    fn write_to(&self, file: File, form: &Form, digests: &[Digest]) -> Result<(), ParquetError> {
        let about = json!({
            "keys": self.parameters.keys,
            "columns": self.parameters.columns,
            "numbers": self.parameters.numbers(),
            "rows": self.rows,
            "keyed": self.is_keyed,
            "root": hex::encode(&self.root),
            "format": form.name,
        });
        let column = form.column;
        let schema = format!("message schema {{ required fixed_len_byte_array(32) {column}; }}");
        let schema = Arc::new(parse_message_type(&schema)?);
        let metadata = KeyValue::new(form.metadata.to_owned(), about.to_string());
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_key_value_metadata(Some(vec![metadata]));
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
        for digests in digests.chunks(GROUP) {
            let mut group = writer.next_row_group()?;
            let bytes = ByteArray::from(digests.as_flattened().to_vec());
            let digest = |at: usize| bytes.slice(at * DIGEST_BYTES, DIGEST_BYTES).into();
            let digests: Vec<FixedLenByteArray> = (0..digests.len()).map(digest).collect();
            if let Some(mut column) = group.next_column()? {
                column
                    .typed::<FixedLenByteArrayType>()
                    .write_batch(&digests, None, None)?;
                column.close()?;
            }
            group.close()?;
        }
        writer.close()?;
        Ok(())
    }

    /// Reads a sidecar. Calls a function with its digests, some at a time.
    pub fn read(
        table: &Table,
        form: &Form,
        mut call: impl FnMut(&[Digest]) -> Result<(), TableError>,
    ) -> Result<About, TableError> {
        let about = table.metadata(form.metadata);
        let about = about.and_then(|about| parsed(about, form));
        let Some(about) = about else {
            let text = format!("not of the format {}", form.name);
            return Err(unreadable(table, form, &text));
        };
        let mut digests: Vec<Digest> = Vec::new();
        let is_whole = table.each_page(DIGEST_BYTES, |page| {
            digests.clear();
            let values = page.chunks_exact(DIGEST_BYTES);
            digests.extend(values.filter_map(|value| value.first_chunk()));
            call(&digests)
        })?;
        match is_whole {
            true => Ok(about),
            false => {
                let text = format!("its {} are not digests", form.values);
                Err(unreadable(table, form, &text))
            }
        }
    }
}

/// Returns the error for a file that is no sidecar of this form.
pub(crate) fn unreadable(table: &Table, form: &Form, text: &str) -> TableError {
    let text = format!("cannot be read as {}: {text}", form.what);
    TableError::new(table.path(), &text)
}

/// The members of the metadata. Unknown and repeated ones are an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    format: String,
    keys: Vec<String>,
    columns: Vec<String>,
    numbers: String,
    rows: u64,
    keyed: bool,
    root: String,
}

fn parsed(about: &str, form: &Form) -> Option<About> {
    let members: Members = serde_json::from_str(about).ok()?;
    let by_value = match &members.numbers[..] {
        "exact" => false,
        "by-value" => true,
        _ => return None,
    };
    (members.format == form.name).then_some(())?;
    Some(About {
        parameters: RecordParameters {
            keys: members.keys,
            columns: members.columns,
            by_value,
        },
        rows: members.rows,
        is_keyed: members.keyed,
        root: hex::decode(members.root).ok()?,
    })
}
