// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files below a directory: found by a walk, or named in a list.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::known::Known;
use super::options::ScanOptions;
use super::row::path_complaint;
use super::scan::{Scan, Scanned};
use super::sorter::Sorter;
use super::writer::failed;
use crate::batches::{BUFFER_BYTES, Recipe};
use crate::failure::{Failure, about};
use crate::hash_options::{Function, Parameters};
use crate::options::read_names;
use crate::ordered::{Sink, Workers};
use crate::platform::{Root, bytes_of, name_complaint, name_of};
use crate::progress::Progress;
use crate::quote::shown;
use crate::sum::window;
use crate::threads::Threads;
use crate::walk::{MaybeNamed, Named, find_below};

/// A directory whose files are to be read.
pub struct Directory<'a> {
    root: &'a Path,
    options: &'a ScanOptions,
    function: Function,
    pub recipe: Arc<Recipe>,
}

type Files = Box<dyn Iterator<Item = Result<MaybeNamed, Failure>> + Send>;

impl<'a> Directory<'a> {
    pub fn new(
        root: &'a Path,
        options: &'a ScanOptions,
        function: Function,
        parameters: Arc<Parameters>,
        progress: Arc<Progress>,
    ) -> Directory<'a> {
        let threads = options.threads();
        let recipe = Recipe {
            parameters,
            progress,
            buffer_bytes: BUFFER_BYTES,
            threads_per_file: Threads::One,
            threads,
        };
        Directory {
            root,
            options,
            function,
            recipe: Arc::new(recipe),
        }
    }

    /// Hands the rows of the files to the sink, in their order. `own`: paths to leave out. `known`:
    /// rows that hold as long as size and time do.
    pub fn scan(
        &self,
        own: Vec<Vec<u8>>,
        known: Vec<Known>,
        sink: &mut impl Sink<Result<Scanned, Failure>>,
    ) -> Result<(), Failure> {
        let window = window(self.function.digest_bytes);
        let workers = Workers::new(self.options.threads(), self.options.sequential, window);
        let root = Root::new(self.root, self.options.follow);
        let root = Arc::new(root.map_err(|error| failed(self.root, &error))?);
        let scan = Scan {
            root: root.clone(),
            name: self.root.to_owned(),
            function: self.function,
            own,
            known,
        };
        scan.run(self.files(root)?, &workers, &self.recipe, sink)
    }

    fn files(&self, root: Arc<Root>) -> Result<Files, Failure> {
        match &self.options.files0_from {
            Some(list) => self.listed(list),
            None => {
                let files = find_below(root, self.root.to_owned(), &self.options.walk()?);
                Ok(Box::new(files.map(Ok)))
            }
        }
    }

    /// The files of a list, in which they stand in any order.
    fn listed(&self, list: &Path) -> Result<Files, Failure> {
        let complain = |path: &[u8], text: &str| {
            let path = shown(path);
            Failure::message(about(&bytes_of(list), &format!("{path}: {text}")))
        };
        let twice = |path: Vec<u8>| complain(&path, "the path stands twice");
        let mut sorter = Sorter::new();
        read_names(list, |name| {
            // As "find . -print0" writes them.
            let name = name_of(name.to_vec());
            let name = &bytes_of(&name);
            let path = name.strip_prefix(b"./").unwrap_or(name);
            let wrong = path_complaint(path, false).or_else(|| name_complaint(path));
            if let Some(text) = wrong {
                return Err(complain(path, text));
            }
            sorter
                .push(path.to_vec())?
                .map_or(Ok(()), |path| Err(twice(path)))
        })?;
        let sorted = sorter.finish()?.map_err(twice)?;
        let root = self.root.to_owned();
        Ok(Box::new(sorted.map(move |path| {
            let name = root.join(name_of(path?));
            Ok(Ok(Named::unlisted(name)))
        })))
    }
}

/// The paths below the root of those of the files that are there: a manifest does not list itself.
pub fn own_paths(root: &Path, files: &[PathBuf]) -> Vec<Vec<u8>> {
    let below = |file: &PathBuf| {
        let parent = match file.parent()? {
            parent if parent.as_os_str().is_empty() => Path::new("."),
            parent => parent,
        };
        let file = parent.canonicalize().ok()?.join(file.file_name()?);
        let path = file.strip_prefix(root.canonicalize().ok()?).ok()?;
        Some(bytes_of(path).into_owned())
    };
    files.iter().filter_map(below).collect()
}
