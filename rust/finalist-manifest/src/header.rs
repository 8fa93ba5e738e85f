// SPDX-License-Identifier: MIT OR Apache-2.0
//! The metadata of a manifest: its hash function and parameters.

use std::fmt;
use std::path::Path;

use finalist::{Algorithm, merkle};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::error::{Error, refused};
use crate::leaves::Leaves;
use finalist_files::function::{Function, Key, Parameters, key_complaint};
use finalist_files::quote::excerpt;

/// Name and version of the format.
pub const FORMAT: &str = "finalist-manifest-2";
/// Name of the format with metadata.
pub const FORMAT_METADATA: &str = "finalist-manifest-2-metadata";
/// The previous version, which was never released.
const FORMAT_1: &str = "finalist-manifest-1";
/// Common prefix of the names of all formats.
const FORMATS: &str = "finalist-manifest-";
/// Prefix of the names in Parquet and JSON.
pub const PREFIX: &str = "finalist.";

pub const COUNT: &str = "count";
pub const ROOT: &str = "root";

/// Hash function and parameters of a manifest, without the key.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// The hash function of files and of the tree.
    pub function: Function,
    /// True if the function has a key.
    pub keyed: bool,
    /// True if the rows have modes and targets, and directories and links have rows.
    pub metadata: bool,
    /// The salt; empty if there is none.
    pub salt: Vec<u8>,
    /// The personalisation; empty if there is none.
    pub personal: Vec<u8>,
}

/// The values at a manifest's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Number of rows.
    pub count: u64,
    /// The root over the rows.
    pub root: Vec<u8>,
}

impl Header {
    /// Makes the header of a manifest with this function and these parameters.
    ///
    /// # Errors
    /// The function does not take these parameters, or its digests are too long for a tree.
    pub fn new(function: Function, parameters: &Parameters) -> Result<Header, Error> {
        let header = Header {
            function,
            keyed: !parameters.key.is_empty(),
            metadata: false,
            salt: parameters.salt.clone(),
            personal: parameters.personal.clone(),
        };
        Leaves::new(&header, parameters).tree()?;
        Ok(header)
    }

    /// Returns the name of the format.
    pub fn format(&self) -> &'static str {
        match self.metadata {
            true => FORMAT_METADATA,
            false => FORMAT,
        }
    }

    /// Returns the parameters of a manifest with this header and key.
    ///
    /// # Errors
    /// The key is missing, does not fit the algorithm, or was given for a manifest without one:
    /// anybody could have replaced a keyed manifest by one without a key.
    pub fn parameters(&self, file: &Path, key: Option<&[u8]>) -> Result<Parameters, Error> {
        let file = || file.to_owned();
        let key = match (self.keyed, key) {
            (true, None) => return Err(Error::KeyMissing { file: file() }),
            (false, Some(_)) => return Err(Error::KeyUnwanted { file: file() }),
            (_, key) => Key::from(key.unwrap_or_default().to_vec()),
        };
        let info = self.function.algorithm.info();
        let complaint = key_complaint(key.len(), Some(&info)).filter(|_| self.keyed);
        if let Some(reason) = complaint {
            return Err(Error::Refused {
                file: file(),
                reason,
            });
        }
        Ok(Parameters {
            key,
            salt: self.salt.clone(),
            personal: self.personal.clone(),
            ..Parameters::default()
        })
    }

    /// Returns names and values of the fields after the format, in the checksum list's order.
    pub fn pairs(&self) -> [(&'static str, String); 5] {
        [
            ("algorithm", self.function.algorithm.name().to_owned()),
            ("digest_bits", (self.function.digest_bytes * 8).to_string()),
            ("keyed", self.keyed.to_string()),
            ("salt", hex::encode(&self.salt)),
            ("personal", hex::encode(&self.personal)),
        ]
    }

    /// Refuses the header of another manifest, `file`, that differs.
    pub fn check_like(&self, other: &Header, file: &Path) -> Result<(), Error> {
        let fields = |header: &Header| {
            let metadata = ("metadata", header.metadata.to_string());
            header.pairs().into_iter().chain([metadata])
        };
        let shown = |value: String| {
            if value.is_empty() {
                "none".to_owned()
            } else {
                value
            }
        };
        let unlike = fields(self).zip(fields(other));
        let unlike = unlike.filter(|(own, other)| own != other);
        let unlike = unlike.map(|((name, own), (_, other))| {
            format!("{name} ({}, not {})", shown(other), shown(own))
        });
        let unlike = unlike.collect::<Vec<_>>().join(", ");
        match unlike.is_empty() {
            true => Ok(()),
            false => Err(refused(file, format!("the manifests differ in {unlike}"))),
        }
    }

    /// Returns all metadata under their names in Parquet and JSON.
    pub fn metadata(&self, totals: &Totals) -> Vec<(String, String)> {
        let pairs = self.pairs().into_iter();
        let ends = [
            (COUNT, totals.count.to_string()),
            (ROOT, hex::encode(&totals.root)),
        ];
        let all = [("format", self.format().to_owned())].into_iter();
        all.chain(pairs)
            .chain(ends)
            .map(|(name, value)| (format!("{PREFIX}{name}"), value))
            .collect()
    }

    /// Reads header and totals from metadata under their names in Parquet and JSON.
    pub fn of_metadata(pairs: &[(String, String)]) -> Result<(Header, Totals), String> {
        let get = |name: &str| {
            let mut values = pairs
                .iter()
                .filter(|(key, _)| key.strip_prefix(PREFIX).is_some_and(|rest| rest == name));
            match (values.next(), values.next()) {
                (Some((_, value)), None) => Ok(value.as_str()),
                (None, _) => Err(format!("the metadata '{PREFIX}{name}' is missing")),
                _ => Err(format!("the metadata '{PREFIX}{name}' stands twice")),
            }
        };
        let is_format = |(name, _): &&(String, String)| {
            name.strip_prefix(PREFIX)
                .is_some_and(|rest| rest == "format")
        };
        if !pairs.iter().any(|pair| is_format(&pair)) {
            return Err("not a manifest".to_owned());
        }
        let metadata = has_metadata(get("format")?)?;
        let header = Header::of_values(metadata, get)?;
        let totals = Totals::of_values(&header, get)?;
        Ok((header, totals))
    }

    /// Reads a header; `get` returns the value of a name.
    pub fn of_values<'a>(
        metadata: bool,
        get: impl Fn(&str) -> Result<&'a str, String>,
    ) -> Result<Header, String> {
        let invalid = |name: &str, value: &str| format!("invalid {name}: '{}'", excerpt(value));
        let name = get("algorithm")?;
        let algorithm = Algorithm::from_name(name).map_err(|_| invalid("algorithm", name))?;
        let bits = get("digest_bits")?;
        let digest_bytes = decimal(bits)
            .filter(|bits| bits % 8 == 0)
            .map(|bits| bits / 8);
        let info = algorithm.info();
        let range =
            info.digest_bytes_min..=info.digest_bytes_max.min(merkle::HASH_BYTES_MAX as u64);
        let digest_bytes = digest_bytes.filter(|bytes| range.contains(bytes));
        let keyed = match get("keyed")? {
            "true" => true,
            "false" => false,
            other => return Err(invalid("keyed", other)),
        };
        let bytes = |name: &str| {
            let text = get(name)?;
            lower_hex(text).ok_or_else(|| invalid(name, text))
        };
        Ok(Header {
            function: Function {
                algorithm,
                digest_bytes: digest_bytes.ok_or_else(|| invalid("digest_bits", bits))?,
            },
            keyed,
            metadata,
            salt: bytes("salt")?,
            personal: bytes("personal")?,
        })
    }
}

/// The members of a JSON object of strings, duplicates included.
pub struct Pairs(pub Vec<(String, String)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        deserializer.deserialize_map(Pairs(Vec::new()))
    }
}

impl<'de> Visitor<'de> for Pairs {
    type Value = Pairs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Pairs, A::Error> {
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            match value {
                Value::String(value) => self.0.push((name, value)),
                _ if name.starts_with(PREFIX) => {
                    let text = format!("the metadata '{}' is no string", excerpt(&name));
                    return Err(de::Error::custom(text));
                }
                // Metadata of another program.
                _ => (),
            }
        }
        Ok(self)
    }
}

impl Totals {
    /// Reads the totals; `get` returns the value of a name.
    pub fn of_values<'a>(
        header: &Header,
        get: impl Fn(&str) -> Result<&'a str, String>,
    ) -> Result<Totals, String> {
        let (count, root) = (get(COUNT)?, get(ROOT)?);
        let hash = lower_hex(root).filter(|hash| hash.len() as u64 == header.function.digest_bytes);
        Ok(Totals {
            count: decimal(count).ok_or_else(|| format!("invalid count: '{}'", excerpt(count)))?,
            root: hash.ok_or_else(|| format!("invalid root: '{}'", excerpt(root)))?,
        })
    }
}

/// Returns true for the format with metadata. Refuses other formats and versions.
pub fn has_metadata(format: &str) -> Result<bool, String> {
    if format == FORMAT || format == FORMAT_METADATA {
        Ok(format == FORMAT_METADATA)
    } else if format == FORMAT_1 {
        Err("the manifest has version 1, which is not read any more: make it again".to_owned())
    } else if format.starts_with(FORMATS) {
        let format = excerpt(format);
        Err(format!(
            "the manifest has the format '{format}'; '{FORMAT}' is read"
        ))
    } else {
        Err("not a manifest".to_owned())
    }
}

/// Parses a number of this format: digits only, without leading zeros.
pub fn decimal(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Parses bytes in lower-case hexadecimal.
pub fn lower_hex(text: &str) -> Option<Vec<u8>> {
    let lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    hex::decode(text).ok().filter(|_| lower)
}
