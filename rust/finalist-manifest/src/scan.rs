// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes the rows of a directory: several threads hash the files, in the order of their paths.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;
use crate::journal::{Shared, lock};
use crate::known::Known;
use crate::row::{Content, Metadata, NoDigest, Row, Stamp};
use finalist::Hasher;
use finalist_files::batches::{FileHasher, FileTask, HashJob};
use finalist_files::digest::Digest;
use finalist_files::files::{Changed, Location, Opened};
use finalist_files::function::Function;
use finalist_files::message::{about, reason};
use finalist_files::ordered::{Sink, WorkItem, Workers};
use finalist_files::platform::{FileType, Root, Stat, bytes_of, name_of};
use finalist_files::walk::{MaybeNamed, Named, Unfound, path_below};

/// A row and its message.
pub struct Scanned {
    pub row: Row,
    /// The reason if the file has no digest.
    pub message: Option<Vec<u8>>,
    /// True if the file was not read because it did not change since it was last read.
    pub is_known: bool,
    /// Another row of the file, from an earlier reading.
    pub old: Option<Row>,
}

/// Parameters of a scan.
pub struct Reading {
    /// The directory and its name; paths are relative to it.
    pub root: Arc<Root>,
    pub name: PathBuf,
    pub function: Function,
    /// True if rows have modes and targets, and directories and links have rows.
    pub metadata: bool,
    /// Files to exclude: the manifest's own.
    pub own: Vec<OwnFile>,
    /// Rows of files that need not be read again if unchanged.
    pub known: Vec<Known>,
    /// Records the progress in long files.
    pub journal: Option<Shared>,
}

/// A file of the manifest, or the directory of its parts. Another path may lead to it as well, through
/// a link or a mount.
pub struct OwnFile {
    pub name: OsString,
    /// The device and inode number of its directory.
    pub directory: (u64, u64),
}

/// Metadata that remain the same while a file's content does.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Version {
    size: u64,
    stamp: Stamp,
}

impl From<Stat> for Version {
    fn from(stat: Stat) -> Version {
        let (_, inode) = stat.identity;
        Version {
            size: stat.bytes,
            stamp: Stamp {
                modified_ns: stat.modified_ns,
                changed_ns: stat.changed_ns,
                inode: Some(inode as i64),
            },
        }
    }
}

impl Version {
    /// Returns true if the row was made from this version of the file. Never true without a time.
    fn is_of(&self, content: &Content) -> bool {
        let then = Version {
            size: content.size,
            stamp: content.stamp,
        };
        self.stamp.modified_ns.is_some() && *self == then
    }
}

/// A file to hash.
struct Listed {
    root: Arc<Root>,
    named: Named,
    path: Vec<u8>,
    /// The path as a name below the root.
    below: PathBuf,
    function: Function,
    /// The file's version when it was opened.
    version: Option<Version>,
    /// Its mode at that time, if modes are recorded.
    mode: Option<u16>,
    metadata: bool,
    journal: Option<Shared>,
    /// Its row from an earlier reading.
    old: Option<Row>,
}

impl FileTask for Listed {
    fn name(&self) -> &Path {
        &self.named.name
    }

    fn location(&self) -> Location<'_> {
        Location {
            root: Some(&self.root),
            name: &self.below,
        }
    }

    fn function(&self) -> Function {
        self.function
    }

    fn is_regular(&self) -> bool {
        // The others get their rows without a task.
        true
    }

    fn opened(&mut self, file: &Opened) -> io::Result<Option<u64>> {
        let stat = file.stat()?;
        let listed = self.named.stat.as_ref();
        if !stat.is_file() || listed.is_some_and(|listed| listed.identity != stat.identity) {
            return Err(Changed::error(
                "another file took its place after it was listed",
            ));
        }
        self.version = Some(stat.into());
        self.mode = stat.mode.filter(|_| self.metadata);
        Ok(Some(stat.bytes))
    }

    fn resumed(&mut self) -> Option<(u64, Hasher)> {
        let journal = lock(self.journal.as_ref()?);
        let Version { size, stamp } = self.version?;
        let (bytes, hasher) = journal.resumed(&self.path, size, &stamp)?;
        let Function {
            algorithm,
            digest_bytes,
        } = self.function;
        let is_own = hasher.algorithm() == algorithm && hasher.digest_bytes() == Some(digest_bytes);
        is_own.then_some((bytes, hasher))
    }

    fn reached(&self, bytes: u64, hasher: &Hasher) {
        if let (Some(journal), Some(Version { size, stamp })) = (&self.journal, self.version) {
            lock(journal).mark(&self.path, size, &stamp, bytes, hasher);
        }
    }

    fn ended(&mut self, file: &Opened, bytes: u64) -> io::Result<()> {
        let after = Version::from(file.stat()?);
        if bytes != after.size || Some(after) != self.version {
            return Err(Changed::error("file changed while it was read"));
        }
        Ok(())
    }
}

impl Listed {
    fn scanned(self, digest: io::Result<Digest>) -> Scanned {
        let inline = |digest: Digest| {
            digest
                .inline()
                .ok_or_else(|| io::Error::other("a digest for trees"))
        };
        let digest = digest.and_then(inline);
        match (digest, self.version) {
            (Ok(digest), Some(version)) => Scanned {
                row: Row {
                    path: self.path,
                    content: Ok(Content {
                        size: version.size,
                        digest,
                        stamp: version.stamp,
                    }),
                    metadata: mode_only(self.mode),
                },
                message: None,
                is_known: false,
                old: self.old,
            },
            (Ok(_), None) => failed(self.path, &self.named.name, &ErrorKind::NotFound.into()),
            (Err(error), _) => failed(self.path, &self.named.name, &error),
        }
    }
}

fn irregular() -> io::Error {
    io::Error::other("not a regular file")
}

fn mode_only(mode: Option<u16>) -> Metadata {
    let target = None;
    Metadata { mode, target }
}

/// Returns the row of a file that could not be read.
fn failed(path: Vec<u8>, name: &Path, error: &io::Error) -> Scanned {
    let fault = if Changed::is(error) {
        NoDigest::Changed
    } else if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
        NoDigest::Vanished
    } else {
        NoDigest::Unreadable
    };
    scanned_fault(path, fault, name, error)
}

/// Returns the row of a directory or link.
fn scanned_other(path: Vec<u8>, content: NoDigest, metadata: Metadata) -> Scanned {
    Scanned {
        row: Row {
            path,
            content: Err(content),
            metadata,
        },
        message: None,
        is_known: false,
        old: None,
    }
}

fn scanned_fault(path: Vec<u8>, fault: NoDigest, name: &Path, error: &io::Error) -> Scanned {
    Scanned {
        row: Row {
            path,
            content: Err(fault),
            metadata: Metadata::default(),
        },
        message: Some(about(&bytes_of(name), &reason(error))),
        is_known: false,
        old: None,
    }
}

impl Reading {
    /// Passes a row for each file to the sink, in order.
    pub fn run(
        mut self,
        files: impl Iterator<Item = MaybeNamed> + Send + 'static,
        workers: &Workers,
        job: &Arc<HashJob>,
        sink: &mut impl Sink<Result<Scanned, Error>, Error = Error>,
    ) -> Result<(), Error> {
        let ended = std::iter::once(None);
        let progress = job.progress.clone();
        let found = files
            .map(Some)
            .chain(ended)
            .filter_map(move |file| match file {
                Some(file) => self.found(file),
                None => self.finish(),
            });
        let found = found.inspect(move |found| {
            if let WorkItem::Work(Listed { named, .. }) = found {
                progress.found(named.stat.map_or(0, |stat| stat.bytes));
            }
        });
        let outcome = |listed: Listed, digest| Ok(listed.scanned(digest));
        workers.run(found, || FileHasher::new(job.clone(), outcome), sink)
    }

    /// Checks, after the last file, that the known rows came from sound manifests.
    fn finish(&mut self) -> Option<WorkItem<Listed, Result<Scanned, Error>>> {
        let finished = self.known.iter_mut().try_for_each(Known::finish);
        Some(WorkItem::Done(Err(finished.err()?)))
    }

    /// Decides how to handle a file; returns `None` for the manifest itself.
    fn found(&mut self, file: MaybeNamed) -> Option<WorkItem<Listed, Result<Scanned, Error>>> {
        let mut named = match file {
            Err(unfound) => return Some(WorkItem::Done(self.unfound(unfound))),
            Ok(named) => named,
        };
        let path = path_below(&self.name, &named.name);
        let below = name_of(path.clone());
        if self.is_own(&below) {
            return None;
        }
        if named.file_type == FileType::Directory {
            return Some(WorkItem::Done(Ok(self.directory(path, &below, &named))));
        }
        if named.file_type != FileType::Regular {
            // Opening anything but a regular file could block.
            let stat = match self.root.stat(&below) {
                Ok(stat) => stat,
                Err(error) => return Some(WorkItem::Done(Ok(failed(path, &named.name, &error)))),
            };
            if self.metadata && stat.file_type != FileType::Regular {
                return Some(WorkItem::Done(Ok(self.link(path, &below, &named, stat))));
            }
            if !stat.is_file() {
                let row = failed(path, &named.name, &irregular());
                return Some(WorkItem::Done(Ok(row)));
            }
            named.stat = Some(stat);
        }
        match self.known_rows(&path, named.stat) {
            Err(error) => Some(WorkItem::Done(Err(error))),
            Ok((Some(mut row), old)) => {
                let mode = named.stat.and_then(|stat| stat.mode);
                row.metadata = mode_only(mode.filter(|_| self.metadata));
                Some(WorkItem::Done(Ok(Scanned {
                    row,
                    message: None,
                    is_known: true,
                    old,
                })))
            }
            Ok((None, old)) => Some(WorkItem::Work(Listed {
                named,
                root: self.root.clone(),
                path,
                below,
                function: self.function,
                version: None,
                mode: None,
                metadata: self.metadata,
                journal: self.journal.clone(),
                old,
            })),
        }
    }

    /// Returns true for one of the manifest's own files, or a file in it: a manifest in parts is a
    /// directory.
    fn is_own(&self, below: &Path) -> bool {
        let is = |own: &OwnFile, path: &Path| {
            let directory = match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            let is_in = |stat: Stat| stat.identity == own.directory;
            path.file_name() == Some(&own.name) && self.root.stat(directory).is_ok_and(is_in)
        };
        let mut own = self.own.iter();
        own.any(|own| below.ancestors().any(|path| is(own, path)))
    }

    /// Returns the row of a directory that was listed. Its place among the rows is that of a
    /// directory, whatever has its name now.
    fn directory(&self, mut path: Vec<u8>, below: &Path, named: &Named) -> Scanned {
        path.push(b'/');
        let other = || Changed::error("another file took its place after it was listed");
        let stat = self.root.stat(below);
        match stat.and_then(|stat| stat.is_dir().then_some(stat).ok_or_else(other)) {
            Ok(stat) => scanned_other(path, NoDigest::Directory, mode_only(stat.mode)),
            Err(error) => scanned_fault(path, NoDigest::Unlisted, &named.name, &error),
        }
    }

    /// Returns the row of a symbolic link, or of what can have none.
    fn link(&self, path: Vec<u8>, below: &Path, named: &Named, stat: Stat) -> Scanned {
        let target = match stat.file_type {
            FileType::Symlink => self.root.read_link(below),
            _ => Err(irregular()),
        };
        let of = |target| Metadata {
            mode: None,
            target: Some(target),
        };
        match target {
            Ok(target) => scanned_other(path, NoDigest::Link, of(target)),
            Err(error) => failed(path, &named.name, &error),
        }
    }

    /// Returns the row of what was not found; an error for the root, which has no path.
    fn unfound(&self, unfound: Unfound) -> Result<Scanned, Error> {
        let Unfound {
            name,
            is_directory,
            error,
        } = unfound;
        let mut path = path_below(&self.name, &name);
        Ok(match is_directory {
            true if path.is_empty() => return Err(Error::File { file: name, error }),
            true => {
                path.push(b'/');
                scanned_fault(path, NoDigest::Unlisted, &name, &error)
            }
            false => failed(path, &name, &error),
        })
    }

    /// Returns a file's row from a reading since which the file is unchanged, and, if another, its
    /// row from the earliest reading. The last of `known` is the earliest.
    fn known_rows(
        &mut self,
        path: &[u8],
        now: Option<Stat>,
    ) -> Result<(Option<Row>, Option<Row>), Error> {
        let now = now.map(Version::from);
        let (mut unchanged, mut old) = (None, None);
        for known in &mut self.known {
            // Look every path up in each, which moves past it.
            let Some(row) = known.find(path)? else {
                continue;
            };
            let Ok(content) = &row.content else {
                continue;
            };
            if unchanged.is_none() && now.is_some_and(|now| now.is_of(content)) {
                (unchanged, old) = (Some(row), None);
            } else {
                old = Some(row);
            }
        }
        Ok((unchanged, old))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use finalist::Algorithm;

    fn reading(folder: &Path) -> Reading {
        let root = Root::new(folder, false).expect("it is there");
        Reading {
            root: Arc::new(root),
            name: folder.to_owned(),
            function: Function {
                algorithm: Algorithm::Blake2b,
                digest_bytes: 8,
            },
            metadata: true,
            own: Vec::new(),
            known: Vec::new(),
            journal: None,
        }
    }

    /// It has no path for a row.
    #[test]
    fn a_root_that_cannot_be_listed_is_an_error() {
        let folder = tempfile::tempdir().expect("there is a place");
        let unfound = |name: &Path| {
            let found = reading(folder.path()).found(Err(Unfound {
                name: name.to_owned(),
                is_directory: true,
                error: ErrorKind::PermissionDenied.into(),
            }));
            match found {
                Some(WorkItem::Done(Ok(scanned))) => Ok(scanned.row.path),
                Some(WorkItem::Done(Err(error))) => Err(error.to_string()),
                _ => panic!("it has no result"),
            }
        };
        let text = format!("{}: permission denied", folder.path().display());
        assert_eq!(unfound(folder.path()), Err(text));
        assert_eq!(unfound(&folder.path().join("a")), Ok(b"a/".to_vec()));
    }

    /// The walk sorted it as a directory, and goes on with what was in it.
    #[test]
    fn a_directory_that_is_another_file_or_none_keeps_its_place() {
        let folder = tempfile::tempdir().expect("there is a place");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("file"), "").expect("written");
        std::os::unix::fs::symlink("file", path("link")).expect("a link");
        std::fs::create_dir(path("directory")).expect("made");
        let mut reading = reading(folder.path());
        for (name, content) in [
            ("directory", NoDigest::Directory),
            ("file", NoDigest::Unlisted),
            ("link", NoDigest::Unlisted),
            ("gone", NoDigest::Unlisted),
        ] {
            let named = Named {
                name: path(name),
                file_type: FileType::Directory,
                stat: None,
            };
            let Some(WorkItem::Done(Ok(scanned))) = reading.found(Ok(named)) else {
                panic!("{name} has no row");
            };
            let row = scanned.row;
            assert_eq!(row.path, format!("{name}/").into_bytes());
            assert_eq!(row.content.err(), Some(content), "{name}");
            assert_eq!(scanned.message.is_some(), name != "directory");
        }
    }
}
