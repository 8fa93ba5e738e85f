// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of a manifest, opened once. Every reading uses these open files, even if their names
//! now refer to others.

use std::fs;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

use crate::columns_read::{open_file, open_parts};
use crate::contents::Contents;
use crate::error::Error;
use crate::error::failed;
use crate::error::refused;
use crate::form::ReadRows;
use crate::header::{Header, Pairs, Totals};
use crate::list::open_list;
use finalist_files::quote::{excerpt, shown};

/// First bytes of a Parquet file.
const MAGIC: [u8; 4] = *b"PAR1";
/// File name of the metadata of a manifest in parts.
const METADATA: &str = "manifest.json";
/// Limit of the metadata's length, far above any real length.
const METADATA_BYTES_MAX: u64 = 1 << 20;

pub enum Stored {
    List(Contents),
    Parquet(Contents),
    Parts {
        header: Header,
        totals: Totals,
        /// Each with its name.
        parts: Vec<(String, Contents)>,
    },
}

impl Stored {
    pub fn open(name: &Path) -> Result<Stored, Error> {
        if name.is_dir() {
            return Stored::open_parts(name);
        }
        let contents = Contents::open(name)?;
        let mut start = [0; MAGIC.len()];
        match contents.from(0).read_exact(&mut start) {
            Err(error) if error.kind() != ErrorKind::UnexpectedEof => Err(failed(name, error)),
            _ if start == MAGIC => Ok(Stored::Parquet(contents)),
            _ => Ok(Stored::List(contents)),
        }
    }

    fn open_parts(name: &Path) -> Result<Stored, Error> {
        let json = name.join(METADATA);
        let mut text = Vec::new();
        let mut start = Contents::open(&json)?.from(0).take(METADATA_BYTES_MAX + 1);
        let read = start.read_to_end(&mut text);
        read.map_err(|error| failed(&json, error))?;
        if text.len() as u64 > METADATA_BYTES_MAX {
            let text = format!("it has more than {METADATA_BYTES_MAX} bytes");
            return Err(refused(&json, text));
        }
        let metadata: Pairs = serde_json::from_slice(&text)
            .map_err(|error| refused(&json, excerpt(error.to_string())))?;
        let (header, totals) =
            Header::of_metadata(&metadata.0).map_err(|text| refused(name, text))?;
        let mut names = Vec::new();
        for entry in fs::read_dir(name).map_err(|error| failed(name, error))? {
            let entry = entry.map_err(|error| failed(name, error))?.file_name();
            let bytes = entry.as_encoded_bytes();
            if bytes.starts_with(b"part-") && bytes.ends_with(b".parquet") {
                names.push(entry);
            }
        }
        names.sort();
        let parts = names.iter().map(|part| {
            let contents = Contents::open(&name.join(part))?;
            Ok((shown(part.as_encoded_bytes()), contents))
        });
        Ok(Stored::Parts {
            header,
            totals,
            parts: parts.collect::<Result<_, Error>>()?,
        })
    }

    /// Opens the manifest for reading from its beginning.
    pub fn read(&self) -> Result<(Header, Box<dyn ReadRows + Send>), String> {
        match self {
            Stored::List(contents) => {
                let (header, source) = open_list(BufReader::new(contents.from(0)))?;
                Ok((header, Box::new(source)))
            }
            Stored::Parquet(contents) => {
                let (header, source) = open_file(contents.clone())?;
                Ok((header, Box::new(source)))
            }
            Stored::Parts {
                header,
                totals,
                parts,
            } => {
                let source = open_parts(parts.clone(), totals.clone(), header.metadata)?;
                Ok((header.clone(), Box::new(source)))
            }
        }
    }
}
