// SPDX-License-Identifier: MIT OR Apache-2.0
//! A directory that contains the files to find. A name may lead through a link that replaced a
//! directory, so callers compare the identity of an opened file with the listed one's.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::super::{Entry, FileType, Stat};
use super::{Directory, bytes_of, file_type, open, read_dir, stat};

/// A directory, stored by name.
pub struct Root {
    name: PathBuf,
    follow: bool,
}

impl Root {
    /// Prepares the directory. `follow`: follow symbolic links below it.
    pub fn new(name: &Path, follow: bool) -> io::Result<Root> {
        let name = name.to_owned();
        Ok(Root { name, follow })
    }

    /// Opens a file for reading.
    pub fn open(&self, below: &Path) -> io::Result<File> {
        open(&self.name.join(below))
    }

    /// Opens a directory to open files in it.
    pub fn directory(&self, below: &Path) -> io::Result<Directory> {
        Directory::new(&self.name.join(below))
    }

    /// Returns the metadata of a path below it.
    pub fn stat(&self, below: &Path) -> io::Result<Stat> {
        let name = self.name.join(below);
        let mut found = stat(&name)?;
        if !self.follow && file_type(&name)? == FileType::Symlink {
            found.file_type = FileType::Symlink;
        }
        Ok(found)
    }

    /// Returns the target of a symbolic link below it.
    pub fn read_link(&self, below: &Path) -> io::Result<Vec<u8>> {
        let target = self.name.join(below).read_link()?;
        Ok(bytes_of(&target).into_owned())
    }

    /// Returns the entries of a directory, sorted by name, with the metadata of files.
    pub fn read_dir(&self, below: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = read_dir(&self.name.join(below))?;
        for entry in &mut entries {
            let is_link = entry.file_type == FileType::Symlink;
            if entry.file_type == FileType::Regular || (is_link && self.follow) {
                if let Ok(stat) = self.stat(&below.join(&entry.name)) {
                    entry.file_type = stat.file_type;
                    entry.stat = Some(stat);
                }
            }
        }
        Ok(entries)
    }
}
