// SPDX-License-Identifier: MIT OR Apache-2.0
//! What operating systems have differently: names, files by their names, standard streams, locks. No
//! other module names a system; each function below is the same for all of them.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use system::{
    Directory, bytes_of, cut_off, expanded, file_type, identity, is_unicode, lacks_descriptors,
    name_complaint, name_of, new_file_builder, not_a_directory, open, open_alone, path_complaint,
    read_dir, reason, stat, stat_of, stdin_is_closed, stdout_is_closed, writable,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    Regular,
    Directory,
    Symlink,
    Other,
    /// A directory's entry does not tell.
    Unknown,
}

/// What there is to know of a file without reading it.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    pub file_type: FileType,
    pub bytes: u64,
    /// Nanoseconds since 1970; `None` if they are too many.
    pub modified_ns: Option<i64>,
}

impl Stat {
    pub fn is_file(&self) -> bool {
        self.file_type == FileType::Regular
    }

    pub fn is_dir(&self) -> bool {
        self.file_type == FileType::Directory
    }
}
