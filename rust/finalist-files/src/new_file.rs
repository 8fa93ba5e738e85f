// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes files that appear under their name only when they are complete.
//!
//! Until then a file has a random, unused name in the same directory, and only its owner can read
//! it. Incomplete files are removed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::platform::{replace, share_as_new, stat, stat_of_streams, sync_directory};

/// A longer name is omitted from the temporary one, which would become too long.
const NAME_BYTES_MAX: usize = 200;
const PARTIAL: &str = ".partial";

/// An incomplete file.
pub struct NewFile {
    file: NamedTempFile,
    name: PathBuf,
}

impl NewFile {
    /// Fails for a name that a complete file cannot replace.
    pub fn check(name: &Path) -> io::Result<()> {
        if name.as_os_str().is_empty() {
            return Err(io::Error::other("the output has no name"));
        }
        if name.is_dir() {
            return Err(io::Error::other("is a directory"));
        }
        if name.exists() && !name.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(())
    }

    /// Fails if the complete file would replace an input, or lie in one that is a directory. A file
    /// to which a standard stream is redirected counts as an input.
    pub fn check_apart<'a>(
        name: &Path,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> io::Result<()> {
        let identity = |path: &Path| stat(path).ok().map(|found| found.identity);
        let own = identity(name);
        let above: Vec<_> = match folder(name).canonicalize() {
            Ok(above) => above.ancestors().filter_map(identity).collect(),
            Err(_) => Vec::new(),
        };
        let streams = ["input", "output", "error"];
        for (stream, stat) in streams.into_iter().zip(stat_of_streams()) {
            if own.is_some() && own == stat.ok().map(|found| found.identity) {
                let text = format!("is also standard {stream}: write another file");
                return Err(io::Error::other(text));
            }
        }
        for input in inputs {
            let Some(found) = identity(input) else {
                continue;
            };
            if own == Some(found) {
                return Err(io::Error::other("is also an input: write another file"));
            }
            if above.contains(&found) {
                return Err(io::Error::other(
                    "is in the input: write to another directory",
                ));
            }
        }
        Ok(())
    }

    /// Returns true if one complete file would replace the other.
    pub fn are_one(one: &Path, other: &Path) -> bool {
        let place = |name: &Path| {
            Some((
                folder(name).canonicalize().ok()?,
                name.file_name()?.to_owned(),
            ))
        };
        place(one).is_some_and(|found| Some(found) == place(other))
    }

    /// Creates a file, which will replace a regular file of its name when complete. `run`: a secret
    /// of this run and of an earlier one that was killed, whose incomplete file is then replaced,
    /// too.
    pub fn create(name: &Path, run: Option<&str>) -> io::Result<NewFile> {
        NewFile::check(name)?;
        let mut start = name.file_name().unwrap_or_default().to_owned();
        if start.len() > NAME_BYTES_MAX {
            start = OsString::from("finalist");
        }
        start.push(".");
        let mut builder = Builder::new();
        if let Some(run) = run {
            start.push(run);
            builder.rand_bytes(0);
            let mut left = start.clone();
            left.push(PARTIAL);
            match fs::remove_file(folder(name).join(left)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => (),
            }
        }
        let builder = builder.prefix(&start).suffix(PARTIAL);
        Ok(NewFile {
            file: builder.tempfile_in(folder(name))?,
            name: name.to_owned(),
        })
    }

    /// Returns the name of the incomplete file.
    pub fn partial(&self) -> &Path {
        self.file.path()
    }

    /// Returns a handle for writing.
    pub fn writer(&self) -> io::Result<File> {
        self.file.as_file().try_clone()
    }

    /// Writes the content to the disk, then gives the file its name. Returns the file for reading.
    pub fn complete(self) -> io::Result<File> {
        self.file.as_file().sync_all()?;
        share_as_new(self.file.as_file())?;
        let (file, partial) = self.file.into_parts();
        let partial = partial.keep()?;
        // tempfile's own function does not replace an open file on Windows.
        if let Err(error) = replace(&partial, &self.name) {
            // Ignore this error: the earlier one is returned.
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
        sync_directory(folder(&self.name))?;
        Ok(file)
    }
}

fn folder(name: &Path) -> &Path {
    match name.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_file_has_the_name_unless_that_is_too_long() {
        let folder = tempfile::tempdir().expect("there is a place");
        for (bytes, has_name) in [(1, true), (200, true), (201, false)] {
            let name = folder.path().join("x".repeat(bytes));
            let file = NewFile::create(&name, None).expect("it is created");
            let partial = file.partial().to_string_lossy().into_owned();
            let start = format!("{}.", name.display());
            assert_eq!(partial.starts_with(&start), has_name, "{partial}");
        }
    }

    /// The error is that of what has the place of the incomplete file, not that there is something.
    #[test]
    fn what_a_killed_run_cannot_have_left_is_not_removed() {
        let folder = tempfile::tempdir().expect("there is a place");
        fs::create_dir(folder.path().join("x.run.partial")).expect("made");
        let error = NewFile::create(&folder.path().join("x"), Some("run")).err();
        let kind = error.expect("a folder is in the way").kind();
        assert_ne!(kind, ErrorKind::AlreadyExists);
        assert!(folder.path().join("x.run.partial").is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_is_that_folder() {
        let temporary = tempfile::tempdir().expect("there is a place");
        let path = |name: &str| temporary.path().join(name);
        fs::create_dir_all(path("input/folder")).expect("made");
        std::os::unix::fs::symlink("input/folder", path("link")).expect("a link");
        let input = path("input");
        for (output, is_apart) in [("link/file", false), ("file", true)] {
            let apart = NewFile::check_apart(&path(output), [&input]);
            assert_eq!(apart.is_ok(), is_apart, "{output}");
        }
        let file = path("input/folder/file");
        assert!(NewFile::are_one(&path("link/file"), &file));
        assert!(!NewFile::are_one(&path("link/other"), &file));
        assert!(!NewFile::are_one(&path("input/file"), &file));
    }
}
