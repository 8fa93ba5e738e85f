// SPDX-License-Identifier: MIT OR Apache-2.0
//! The digests of a table's buckets, stored in a file beside it (docs/guide/tables.md defines
//! them). `finalist.tables.buckets` in Python has the same.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use finalist::{Algorithm, Params, merkle};
use finalist_files::message::reason;
use finalist_files::new_file::NewFile;
use finalist_files::quote::excerpt;
use parquet::data_type::{FixedLenByteArray, FixedLenByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

use crate::roots::{DIGEST_BYTES, capacity, committed};
use crate::tables::RecordHasher;
use crate::{Encoding, Messages, Reader, Sorted, Table, TableError, Unequal, Version};

const FORMAT: &str = "finalist-buckets-1";
const METADATA: &str = "finalist.buckets";
const SCHEMA: &str = "message schema { required fixed_len_byte_array(32) leaf; }";
const ALGORITHM: Algorithm = Algorithm::Blake2s;
const COUNT: usize = 1 << 16;

type Leaf = [u8; DIGEST_BYTES];

/// The parameters of buckets, besides a secret key.
///
/// ```
/// let parameters = finalist_table::BucketParameters::default();
/// assert!(parameters.keys.is_empty());
/// ```
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct BucketParameters {
    /// The key columns, which identify rows.
    pub keys: Vec<String>,
    /// The other columns, in order.
    pub columns: Vec<String>,
    /// True if an integral decimal is encoded as an integer.
    pub by_value: bool,
}

impl BucketParameters {
    fn numbers(&self) -> &'static str {
        match self.by_value {
            true => "by-value",
            false => "exact",
        }
    }
}

/// The digests of a table's 2^16 buckets.
///
/// ```no_run
/// # fn write(table: &finalist_table::Table) -> Result<(), finalist_table::TableError> {
/// let keys = vec!["id".to_owned()];
/// let parameters = finalist_table::BucketParameters { keys, ..Default::default() };
/// let buckets = finalist_table::Buckets::new(table, parameters, b"")?;
/// buckets.write("data.buckets".as_ref())?;
/// assert_eq!(finalist_table::Buckets::read("data.buckets".as_ref(), b"")?.root(), buckets.root());
/// # Ok(())
/// # }
/// ```
pub struct Buckets {
    parameters: BucketParameters,
    rows: u64,
    is_keyed: bool,
    root: Vec<u8>,
    leaves: Vec<Leaf>,
}

fn params(key: &[u8]) -> Params<'_> {
    Params::new().digest_bytes(DIGEST_BYTES as u64).key(key)
}

impl Buckets {
    /// Reads a table's rows. `key`: a secret; empty for none. Memory: 32 bytes a row.
    ///
    /// # Errors
    /// Those of [`Reader`]; a column is missing; the key is longer than 32 bytes.
    pub fn new(
        table: &Table,
        parameters: BucketParameters,
        key: &[u8],
    ) -> Result<Buckets, TableError> {
        let failed = |error: finalist::Error| TableError::new(table.path(), &error.to_string());
        let [keys, columns] =
            [&parameters.keys, &parameters.columns].map(|names| table.find(names));
        let (keys, columns) = (keys?, columns?);
        let mut reader = Reader::new(table, [&keys, &columns, &[]], parameters.by_value);
        let mut hasher = RecordHasher::new(table, key);
        let mut rows = Sorted::new(capacity(table.rows()));
        let mut messages = Messages::default();
        while reader.next(&mut messages)? {
            rows.add(hasher.records(&messages)?);
        }
        rows.sort();
        let leaves: Vec<&[u8]> = rows.buckets().collect();
        let leaves = merkle::leaf_hashes(ALGORITHM, &params(key), &leaves).map_err(failed)?;
        let mut buckets = Buckets {
            parameters,
            rows: rows.len() as u64,
            is_keyed: !key.is_empty(),
            root: Vec::new(),
            leaves: leaves.chunks_exact(DIGEST_BYTES).map(leaf).collect(),
        };
        buckets.root = buckets.compute_root(key).map_err(failed)?;
        Ok(buckets)
    }

    /// Returns the root, which commits to the rows and the parameters.
    pub fn root(&self) -> &[u8] {
        &self.root
    }

    /// Returns the buckets in which two tables differ.
    pub(crate) fn unequal(&self, other: &Buckets) -> Unequal {
        Unequal::between(&self.leaves, &other.leaves)
    }

    fn compute_root(&self, key: &[u8]) -> Result<Vec<u8>, finalist::Error> {
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
        tree.append(self.leaves.as_flattened())?;
        committed(&tree, FORMAT, ALGORITHM, &params, self.is_keyed)
    }

    /// Checks that these are buckets of a table, with these parameters.
    ///
    /// # Errors
    /// A parameter, the number of rows, or the presence of a secret key differs.
    pub(crate) fn check(
        &self,
        table: &Table,
        parameters: &BucketParameters,
        is_keyed: bool,
    ) -> Result<(), TableError> {
        let own = &self.parameters;
        let names = |names: &[String]| format!("'{}'", excerpt(names.join("', '")));
        let text = if own.keys != parameters.keys {
            let [own, other] = [&own.keys, &parameters.keys].map(|keys| names(keys));
            format!("its buckets have the key {own}, not {other}")
        } else if own.columns != parameters.columns {
            let [own, other] = [&own.columns, &parameters.columns].map(|columns| names(columns));
            format!("its buckets have the columns {own}, not {other}")
        } else if own.by_value != parameters.by_value {
            let [own, other] = [own.numbers(), parameters.numbers()];
            format!("its buckets were made with --numbers {own}, not {other}")
        } else if self.is_keyed != is_keyed {
            "its buckets were made with another secret key".to_owned()
        } else if self.rows != table.rows() {
            let (rows, own) = (table.rows(), self.rows);
            format!("it has {rows} rows, and its buckets are of {own}")
        } else {
            return Ok(());
        };
        Err(TableError::new(table.path(), &text))
    }

    /// Writes a Parquet file of 2 MB, which gets its name when it is complete.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        let failed = |error: io::Error| TableError::new(path, &reason(&error));
        let file = NewFile::create(path, None).map_err(failed)?;
        let written = self.write_to(file.writer().map_err(failed)?);
        written.map_err(|error| match error {
            ParquetError::External(error) => TableError::new(path, &error.to_string()),
            error => TableError::new(path, &error.to_string()),
        })?;
        file.complete().map_err(failed)?;
        Ok(())
    }

    fn write_to(&self, file: File) -> Result<(), ParquetError> {
        let about = json!({
            "keys": self.parameters.keys,
            "columns": self.parameters.columns,
            "numbers": self.parameters.numbers(),
            "rows": self.rows,
            "keyed": self.is_keyed,
            "root": hex::encode(&self.root),
            "format": FORMAT,
        });
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_key_value_metadata(Some(vec![KeyValue::new(
                METADATA.to_owned(),
                about.to_string(),
            )]));
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
        let mut group = writer.next_row_group()?;
        if let Some(mut column) = group.next_column()? {
            let leaves = self.leaves.iter();
            let leaves: Vec<FixedLenByteArray> = leaves.map(|leaf| leaf.to_vec().into()).collect();
            column
                .typed::<FixedLenByteArrayType>()
                .write_batch(&leaves, None, None)?;
            column.close()?;
        }
        group.close()?;
        writer.close()?;
        Ok(())
    }

    /// Reads a file that [`write`](Buckets::write) or Python's `Buckets.write` wrote. `key`: the
    /// secret key of the buckets.
    ///
    /// # Errors
    /// The file cannot be read, is of another kind, is damaged, or was made with another key.
    pub fn read(path: &Path, key: &[u8]) -> Result<Buckets, TableError> {
        let table = Table::open(path)?;
        let failed = |text: &str| {
            let text = format!("cannot be read as buckets: {text}");
            TableError::new(path, &text)
        };
        let about = table.metadata(METADATA).map(serde_json::from_str);
        let Some(Ok(about)) = about else {
            return Err(failed(&format!("not of the format {FORMAT}")));
        };
        let found = parsed(&about).ok_or_else(|| failed(&format!("not of the format {FORMAT}")));
        let mut found = found?;
        let columns: &[usize] = match table.columns().len() {
            1 => &[0],
            _ => &[],
        };
        let mut reader = Reader::new(&table, [columns, &[], &[]], false);
        let mut messages = Messages::default();
        while reader.next(&mut messages)? {
            for row in 0..messages.len() {
                let leaf = leaf_of(messages.part(row, 1));
                let leaf = leaf.filter(|_| found.leaves.len() < COUNT);
                found
                    .leaves
                    .push(leaf.ok_or_else(|| failed("its leaves are not 2^16 digests"))?);
            }
        }
        if found.leaves.len() != COUNT {
            return Err(failed("its leaves are not 2^16 digests"));
        }
        let is_sound = found.is_keyed != key.is_empty()
            && found.compute_root(key).is_ok_and(|root| root == found.root);
        match is_sound {
            true => Ok(found),
            false => {
                let text = "the leaves do not give the root, or the key is another one";
                Err(TableError::new(path, text))
            }
        }
    }
}

fn leaf(bytes: &[u8]) -> Leaf {
    let mut leaf = [0; DIGEST_BYTES];
    leaf.copy_from_slice(bytes);
    leaf
}

/// Returns the digest in a row of one binary value.
fn leaf_of(row: &[u8]) -> Option<Leaf> {
    const HEAD: [u8; 10] = [2, 5, DIGEST_BYTES as u8, 0, 0, 0, 0, 0, 0, 0];
    row.strip_prefix(&HEAD)?.try_into().ok()
}

/// Returns the buckets that metadata describe, without their leaves.
fn parsed(about: &Value) -> Option<Buckets> {
    let about = about.as_object()?;
    let names = |member: &str| -> Option<Vec<String>> {
        let names = about.get(member)?.as_array()?.iter();
        names.map(|name| Some(name.as_str()?.to_owned())).collect()
    };
    let text = |member: &str| about.get(member)?.as_str();
    let by_value = match text("numbers")? {
        "exact" => false,
        "by-value" => true,
        _ => return None,
    };
    let is_known = about.len() == 7 && text("format")? == FORMAT;
    is_known.then_some(())?;
    Some(Buckets {
        parameters: BucketParameters {
            keys: names("keys")?,
            columns: names("columns")?,
            by_value,
        },
        rows: about.get("rows")?.as_u64()?,
        is_keyed: about.get("keyed")?.as_bool()?,
        root: hex::decode(text("root")?).ok()?,
        leaves: Vec::new(),
    })
}
