// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a directory: its files in the order of their paths, hashed by several threads.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::known::Known;
use super::row::{Content, Fault, Row};
use crate::batches::{FileHasher, Recipe, Wanted};
use crate::digest::Digest;
use crate::failure::{Failure, about, reason};
use crate::files::{Changed, Opened};
use crate::hash_options::Function;
use crate::ordered::{Found, Sink, Workers};
use crate::platform::{Stat, bytes_of, stat};
use crate::walk::{MaybeNamed, Named, Unfound};

/// A row, and what there is to say of it.
pub struct Scanned {
    pub row: Row,
    /// Why the file has no digest.
    pub message: Option<Vec<u8>>,
    /// The file was not read, since it is as it was when it was read before.
    pub is_known: bool,
}

/// What is to be scanned.
pub struct Scan {
    /// The directory that paths are relative to.
    pub root: PathBuf,
    pub function: Function,
    /// Paths that are left out: those of the manifest itself.
    pub own: Vec<Vec<u8>>,
    /// Rows whose files need not be read again.
    pub known: Vec<Known>,
}

/// A file's size and time of change.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified_ns: Option<i64>,
}

impl From<Stat> for Stamp {
    fn from(stat: Stat) -> Stamp {
        Stamp {
            size: stat.bytes,
            modified_ns: stat.modified_ns,
        }
    }
}

impl Stamp {
    fn is_of(&self, content: &Content) -> bool {
        let then = Stamp {
            size: content.size,
            modified_ns: content.modified_ns,
        };
        self.modified_ns.is_some() && *self == then
    }
}

/// A file to hash.
struct Listed {
    named: Named,
    path: Vec<u8>,
    function: Function,
    /// What it was when it was opened.
    stamp: Option<Stamp>,
}

impl Wanted for Listed {
    fn name(&self) -> &Path {
        &self.named.name
    }

    fn function(&self) -> Function {
        self.function
    }

    fn is_regular(&self) -> bool {
        self.named.is_regular
    }

    fn opened(&mut self, file: &Opened) -> io::Result<Option<u64>> {
        let stat = file.stat()?;
        if !stat.is_file() {
            return Err(irregular());
        }
        self.stamp = Some(stat.into());
        Ok(Some(stat.bytes))
    }

    fn ended(&mut self, file: &Opened, bytes: u64) -> io::Result<()> {
        let after = Stamp::from(file.stat()?);
        if bytes != after.size || Some(after) != self.stamp {
            return Err(Changed::error("file changed while it was read"));
        }
        Ok(())
    }
}

impl Listed {
    fn scanned(self, digest: io::Result<Digest>) -> Scanned {
        let held = |digest: Digest| {
            digest
                .held()
                .ok_or_else(|| io::Error::other("a digest for trees"))
        };
        let digest = digest.and_then(held);
        match (digest, self.stamp) {
            (Ok(digest), Some(stamp)) => Scanned {
                row: Row {
                    path: self.path,
                    content: Ok(Content {
                        size: stamp.size,
                        digest,
                        modified_ns: stamp.modified_ns,
                    }),
                },
                message: None,
                is_known: false,
            },
            (Ok(_), None) => failed(self.path, &self.named.name, &ErrorKind::NotFound.into()),
            (Err(error), _) => failed(self.path, &self.named.name, &error),
        }
    }
}

fn irregular() -> io::Error {
    io::Error::other("not a regular file")
}

fn check_regular(name: &Path) -> io::Result<()> {
    if stat(name)?.is_file() {
        Ok(())
    } else {
        Err(irregular())
    }
}

/// The row of a file that could not be read.
fn failed(path: Vec<u8>, name: &Path, error: &io::Error) -> Scanned {
    let fault = if Changed::is(error) {
        Fault::Changed
    } else if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
        Fault::Vanished
    } else {
        Fault::Unreadable
    };
    scanned_fault(path, fault, name, error)
}

fn scanned_fault(path: Vec<u8>, fault: Fault, name: &Path, error: &io::Error) -> Scanned {
    Scanned {
        row: Row {
            path,
            content: Err(fault),
        },
        message: Some(about(&bytes_of(name), &reason(error))),
        is_known: false,
    }
}

impl Scan {
    /// Hands a row for each of the files to the sink, which takes them in the files' order.
    pub fn run(
        mut self,
        files: impl Iterator<Item = Result<MaybeNamed, Failure>> + Send + 'static,
        workers: &Workers,
        recipe: &Arc<Recipe>,
        sink: &mut impl Sink<Result<Scanned, Failure>>,
    ) -> Result<(), Failure> {
        let found = files.filter_map(move |file| self.found(file));
        let outcome = |listed: Listed, digest| Ok(listed.scanned(digest));
        workers.run(found, || FileHasher::new(recipe.clone(), outcome), sink)
    }

    /// What is to be done with a file; `None` if it is the manifest itself.
    fn found(
        &mut self,
        file: Result<MaybeNamed, Failure>,
    ) -> Option<Found<Listed, Result<Scanned, Failure>>> {
        let named = match file {
            Err(failure) => return Some(Found::Done(Err(failure))),
            Ok(Err(unfound)) => return Some(Found::Done(Ok(self.unfound(&unfound)))),
            Ok(Ok(named)) => named,
        };
        let path = self.path(&named.name);
        let is_own = |own: &Vec<u8>| {
            let rest = path.strip_prefix(&own[..]);
            rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        };
        if self.own.iter().any(is_own) {
            return None;
        }
        // Opening what is no file may take forever.
        if !named.is_regular {
            if let Err(error) = check_regular(&named.name) {
                return Some(Found::Done(Ok(failed(path, &named.name, &error))));
            }
        }
        match self.known_row(&path, &named.name) {
            Err(failure) => Some(Found::Done(Err(failure))),
            Ok(Some(row)) => Some(Found::Done(Ok(Scanned {
                row,
                message: None,
                is_known: true,
            }))),
            Ok(None) => Some(Found::Work(Listed {
                named: Named {
                    is_regular: true,
                    ..named
                },
                path,
                function: self.function,
                stamp: None,
            })),
        }
    }

    /// The path relative to the root.
    fn path(&self, name: &Path) -> Vec<u8> {
        let (root, whole) = (bytes_of(&self.root), bytes_of(name));
        // Names are the root's with more behind it: cheaper to see than component by component.
        let below = whole.strip_prefix(&root[..]);
        match below.and_then(|below| below.strip_prefix(b"/")) {
            Some(below) if !below.starts_with(b"/") => below.to_vec(),
            _ => bytes_of(name.strip_prefix(&self.root).unwrap_or(name)).into_owned(),
        }
    }

    fn unfound(&self, unfound: &Unfound) -> Scanned {
        let mut path = self.path(&unfound.name);
        if unfound.is_directory {
            path.push(b'/');
            return scanned_fault(path, Fault::Unlisted, &unfound.name, &unfound.error);
        }
        failed(path, &unfound.name, &unfound.error)
    }

    /// The row that a file had when it was read before, if it is as it was then.
    fn known_row(&mut self, path: &[u8], name: &Path) -> Result<Option<Row>, Failure> {
        let mut stamp = None;
        let mut found = None;
        for known in &mut self.known {
            // Each is asked for every path, which it then leaves behind.
            let Some(row) = known.find(path)? else {
                continue;
            };
            let Ok(content) = &row.content else {
                continue;
            };
            let now = *stamp.get_or_insert_with(|| {
                let stat = stat(name).ok()?;
                stat.is_file().then(|| Stamp::from(stat))
            });
            if found.is_none() && now.is_some_and(|now| now.is_of(content)) {
                found = Some(row);
            }
        }
        Ok(found)
    }
}
