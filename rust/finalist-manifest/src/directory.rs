// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the files below a directory: walks it or takes given names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use finalist_files::batches::{BUFFER_BYTES, HashJob, window};
use finalist_files::function::Parameters;
use finalist_files::ordered::{Sink, Workers};
use finalist_files::platform::{Root, bytes_of, name_complaint, name_of, stat};
use finalist_files::progress::{Progress, Silent};
use finalist_files::quote::shown;
use finalist_files::threads::Threads;
use finalist_files::walk::{Exclude, MaybeNamed, Named, Walk, find_below};

use crate::error::{Error, failed};
use crate::header::Header;
use crate::journal::Shared;
use crate::known::Known;
use crate::row::path_complaint;
use crate::scan::{OwnFile, Reading, Scanned};

/// Options for reading the files of a directory.
#[derive(Clone)]
pub struct Scan {
    /// The directory.
    pub directory: PathBuf,
    /// Follow symbolic links found in directories.
    pub follow: bool,
    /// Files to exclude.
    pub exclude: Exclude,
    /// If given, read only these files.
    pub paths: Option<Paths>,
    /// Threads that read and hash.
    pub threads: Threads,
    /// Record metadata in a new manifest: modes, and rows for directories and symbolic links.
    pub metadata: bool,
    /// Read one file at a time, in order.
    pub sequential: bool,
    /// Receives progress reports.
    pub progress: Arc<dyn Progress>,
}

/// Paths of files, without duplicates.
#[derive(Clone, Default)]
pub struct Paths(BTreeSet<Vec<u8>>);

impl Paths {
    /// Adds a path below the directory. It may begin with `./`, as `find . -print0` writes it.
    ///
    /// # Errors
    /// The path is not below the directory or was added before; the text says which.
    pub fn insert(&mut self, name: &[u8]) -> Result<(), String> {
        let name = name_of(name.to_vec());
        let name = &bytes_of(&name);
        let path = name.strip_prefix(b"./").unwrap_or(name);
        let wrong = path_complaint(path, false).or_else(|| name_complaint(path));
        let wrong = wrong.or_else(|| {
            let is_first = self.0.insert(path.to_vec());
            (!is_first).then_some("the path stands twice")
        });
        wrong.map_or(Ok(()), |text| Err(format!("{}: {text}", shown(path))))
    }
}

impl Scan {
    /// Reads all files below a directory, with one thread for each CPU.
    pub fn new(directory: impl Into<PathBuf>) -> Scan {
        Scan {
            directory: directory.into(),
            follow: false,
            exclude: Exclude::default(),
            paths: None,
            threads: Threads::Jobs(None),
            metadata: false,
            sequential: false,
            progress: Arc::new(Silent),
        }
    }

    /// Returns true if the options leave a path out.
    pub(crate) fn leaves_out(&self, path: &[u8]) -> bool {
        match &self.paths {
            Some(Paths(paths)) => !paths.contains(path),
            None => self.exclude.covers(&name_of(path.to_vec())),
        }
    }

    /// Returns the path of a file below the directory; `None` for one that lies elsewhere.
    pub(crate) fn path_of(&self, file: &Path) -> Option<Vec<u8>> {
        let parent = directory_of(file)?.canonicalize().ok()?;
        let below = parent.strip_prefix(self.directory.canonicalize().ok()?);
        Some(bytes_of(&below.ok()?.join(file.file_name()?)).into_owned())
    }

    /// Passes the rows of the files to the sink in order. `own`: the manifest's own files, which it
    /// does not list. `known`: rows that remain valid while size and times do. `journal`: records
    /// the progress in long files.
    pub(crate) fn run(
        &self,
        header: &Header,
        parameters: Arc<Parameters>,
        own: &[PathBuf],
        known: Vec<Known>,
        journal: Option<Shared>,
        sink: &mut impl Sink<Result<Scanned, Error>, Error = Error>,
    ) -> Result<(), Error> {
        let job = HashJob {
            parameters,
            progress: self.progress.clone(),
            buffer_bytes: BUFFER_BYTES,
            threads_per_file: Threads::One,
            threads: self.threads,
        };
        let workers = Workers::new(
            self.threads,
            self.sequential,
            window(header.function.digest_bytes),
        );
        let root = Root::new(&self.directory, self.follow);
        let root = Arc::new(root.map_err(|error| failed(&self.directory, error))?);
        let reading = Reading {
            root: root.clone(),
            name: self.directory.clone(),
            function: header.function,
            metadata: header.metadata,
            own: own_files(own),
            known,
            journal,
        };
        let done = reading.run(
            self.files(root, header.metadata),
            &workers,
            &Arc::new(job),
            sink,
        );
        self.progress.finish();
        done
    }

    fn files(
        &self,
        root: Arc<Root>,
        metadata: bool,
    ) -> Box<dyn Iterator<Item = MaybeNamed> + Send> {
        let name = self.directory.clone();
        let Some(Paths(paths)) = self.paths.clone() else {
            let walk = Walk {
                recursive: true,
                follow: self.follow,
                exclude: self.exclude.clone(),
                by_path: true,
                all_types: metadata,
            };
            return Box::new(find_below(root, name, &walk));
        };
        let paths = paths.into_iter();
        Box::new(paths.map(move |path| Ok(Named::unlisted(name.join(name_of(path))))))
    }
}

/// Returns the directory that a file lies in.
fn directory_of(file: &Path) -> Option<&Path> {
    Some(match file.parent()? {
        parent if parent.as_os_str().is_empty() => Path::new("."),
        parent => parent,
    })
}

/// Returns the names of files, and the identity of the directory of each.
fn own_files(files: &[PathBuf]) -> Vec<OwnFile> {
    let own = |file: &PathBuf| {
        let name = file.file_name()?.to_owned();
        let directory = stat(directory_of(file)?).ok()?.identity;
        Some(OwnFile { name, directory })
    };
    files.iter().filter_map(own).collect()
}
