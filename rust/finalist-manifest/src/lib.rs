// SPDX-License-Identifier: MIT OR Apache-2.0
//! Manifests of directories: tables of files with their digests and one root over all rows.
//!
//! A manifest has a row for each file: path, size, digest, leaf hash, status, time of change; with
//! [`Scan::metadata`] also modes, and rows for directories and symbolic links. It is written as
//! Parquet if its name ends in `.parquet`, else as a checksum list. Its root is that of a Merkle
//! tree over the rows (RFC 9162); the same files have the same root, wherever and however the
//! manifest was made. docs/format/manifests.md describes the format.
//!
//! ```
//! use std::sync::Arc;
//!
//! use finalist::Algorithm;
//! use finalist_manifest::{Difference, Function, Manifest, Observer, Parameters, Scan, Target};
//!
//! /// Collects what is said.
//! #[derive(Default)]
//! struct Collector(Vec<String>);
//!
//! impl Observer for Collector {
//!     fn message(&mut self, text: &[u8]) -> std::io::Result<()> {
//!         self.0.push(String::from_utf8_lossy(text).into_owned());
//!         Ok(())
//!     }
//!     fn difference(&mut self, difference: &Difference) -> std::io::Result<()> {
//!         self.0.push(String::from_utf8_lossy(&difference.line()).into_owned());
//!         Ok(())
//!     }
//! }
//!
//! let folder = tempfile::tempdir()?;
//! let (files, file) = (folder.path().join("files"), folder.path().join("M.parquet"));
//! std::fs::create_dir(&files)?;
//! std::fs::write(files.join("one"), "1")?;
//! std::fs::write(files.join("two"), "2")?;
//!
//! let function = Function { algorithm: Algorithm::Blake2b, digest_bytes: 32 };
//! let (scan, target) = (Scan::new(&files), Target::File(file.clone()));
//! let mut collector = Collector::default();
//! Manifest::create(&scan, function, Arc::new(Parameters::default()), &target, &mut collector)?;
//!
//! let manifest = Manifest::open(&file, None)?;
//! assert_eq!(manifest.totals().count, 2);
//! assert_eq!(manifest.verify(&scan, &mut collector)?.differences, 0);
//! let proof = manifest.prove(b"one")?;
//! assert_eq!(proof.verify(&file, None)?, manifest.totals().root);
//!
//! std::fs::write(files.join("one"), "one")?;
//! assert_eq!(manifest.verify(&scan, &mut collector)?.differences, 1);
//! assert_eq!(collector.0, ["changed one"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]
#![warn(missing_docs)]

mod columns;
mod columns_read;
mod compare;
mod contents;
mod create;
mod diff;
mod directory;
mod duplicates;
mod error;
mod form;
mod header;
mod journal;
mod known;
mod leaves;
mod list;
mod pages;
mod proof;
mod prove;
mod reader;
mod record;
mod row;
mod scan;
mod stored;
mod verify;
mod writer;

pub use compare::Difference;
pub use create::{Observer, Summary};
pub use directory::{Paths, Scan};
pub use duplicates::Duplicates;
pub use error::Error;
pub use finalist_files::function::{Function, Parameters};
pub use header::{Header, Totals};
pub use proof::{Proof, parse_proof};
pub use reader::{Manifest, Rows};
pub use row::{Content, Metadata, NoDigest, Row, Stamp};
pub use verify::Verified;
pub use writer::Target;

/// The parsers for fuzzing: not part of the crate's interface.
#[doc(hidden)]
pub mod parsers {
    pub use crate::columns::ParquetWriter;
    pub use crate::columns_read::open_file;
    pub use crate::form::{Batch, ReadRows, WriteRows};
    pub use crate::journal::{Journal, Tags};
    pub use crate::leaves::Leaves;
    pub use crate::list::{ListWriter, open_list};
}
