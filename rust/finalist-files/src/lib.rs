// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds, reads and hashes files with several threads, and delivers the results in order.
//!
//! The command-line tool `finalist` and the crate `finalist-manifest` use it. [`walk`] finds files,
//! below a [`platform::Root`] without following symbolic links; [`ordered`] distributes the work;
//! [`batches`] hashes small files together and large ones one at a time; [`checklist`] reads and
//! writes the lines of checksum lists.
//!
//! ```
//! use std::sync::Arc;
//!
//! use finalist::Algorithm;
//! use finalist_files::batches::{BUFFER_BYTES, FileHasher, HashJob, FileTask};
//! use finalist_files::function::{Function, Parameters};
//! use finalist_files::ordered::{WorkItem, Sink, Workers};
//! use finalist_files::progress::Silent;
//! use finalist_files::threads::Threads;
//!
//! struct File(std::path::PathBuf);
//!
//! impl FileTask for File {
//!     fn name(&self) -> &std::path::Path {
//!         &self.0
//!     }
//!     fn function(&self) -> Function {
//!         Function { algorithm: Algorithm::Blake2b, digest_bytes: 64 }
//!     }
//!     fn is_regular(&self) -> bool {
//!         true
//!     }
//! }
//!
//! struct Digests(Vec<Vec<u8>>);
//!
//! impl Sink<Vec<u8>> for Digests {
//!     type Error = std::convert::Infallible;
//!     fn take(&mut self, digest: Vec<u8>) -> Result<(), Self::Error> {
//!         self.0.push(digest);
//!         Ok(())
//!     }
//! }
//!
//! let folder = tempfile::tempdir().unwrap();
//! let files = ["one", "two"].map(|name| folder.path().join(name));
//! for file in &files {
//!     std::fs::write(file, "content").unwrap();
//! }
//! let job = Arc::new(HashJob {
//!     parameters: Arc::new(Parameters::default()),
//!     progress: Arc::new(Silent),
//!     buffer_bytes: BUFFER_BYTES,
//!     threads_per_file: Threads::One,
//!     threads: Threads::Jobs(None),
//! });
//! let outcome = |_, digest: std::io::Result<finalist_files::digest::Digest>| {
//!     digest.unwrap().inline().unwrap()
//! };
//! let mut digests = Digests(Vec::new());
//! let found = files.map(|file| WorkItem::Work(File(file)));
//! let workers = Workers::new(Threads::Jobs(None), false, 1000);
//! let worker = || FileHasher::new(job.clone(), outcome);
//! workers.run(found.into_iter(), worker, &mut digests).unwrap();
//! assert_eq!(digests.0, vec![finalist::Blake2b512::hash(b"content").as_bytes().to_vec(); 2]);
//! ```

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod batches;
pub mod checklist;
pub mod chunks;
pub mod digest;
pub mod files;
pub mod function;
pub mod message;
pub mod new_file;
pub mod ordered;
pub mod platform;
pub mod progress;
pub mod quote;
pub mod stdin;
pub mod tag;
pub mod threads;
pub mod walk;
