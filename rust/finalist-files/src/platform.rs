// SPDX-License-Identifier: MIT OR Apache-2.0
//! What operating systems have differently: names, files by their names, standard streams, locks. No
//! other module names a system; each function below is the same for all of them.

// With their paths, as fuzz/parsers includes this file in another crate.
#[cfg(unix)]
#[path = "platform/unix.rs"]
mod unix;
#[cfg(windows)]
#[path = "platform/windows.rs"]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

use std::ffi::OsString;
use std::fs::File;

#[cfg(unix)]
pub use unix::note_closed;

pub use system::{
    Directory, Root, address_space, bytes_of, cut_off, expanded, file_type, is_link_refused,
    is_unicode, lacks_descriptors, name_complaint, name_of, not_a_directory, open, open_alone,
    open_regular, path_complaint, read_at, read_dir, reason, share_as_new, stat, stat_of,
    stdin_is_closed, stdout_is_closed, sync_directory, writable,
};

/// What something with a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    /// A file with content.
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A pipe, socket or device.
    Other,
    /// A directory's entry does not tell.
    Unknown,
}

/// A file that one process at a time works with.
pub enum Alone {
    /// The file, which is this process's until it is closed.
    File(File),
    /// Another process works with it.
    Busy,
    /// It was there, and somebody else could have put it there or write it.
    Foreign,
}

/// What a directory has under a name.
#[derive(Debug)]
pub struct Entry {
    /// The name in the directory.
    pub name: OsString,
    /// What it is.
    pub file_type: FileType,
    /// Where the system was asked.
    pub stat: Option<Stat>,
}

impl Entry {
    fn new(name: OsString, file_type: FileType) -> Entry {
        let stat = None;
        Entry {
            name,
            file_type,
            stat,
        }
    }
}

/// What there is to know of a file without reading it.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// What it is.
    pub file_type: FileType,
    /// Its length.
    pub bytes: u64,
    /// Nanoseconds since 1970; `None` if they are too many.
    pub modified_ns: Option<i64>,
    /// Likewise, of the last change to content, name or metadata; `None` also where the system does
    /// not tell.
    pub changed_ns: Option<i64>,
    /// What no other file has at the same time: the numbers of device and file.
    pub identity: (u64, u64),
}

impl Stat {
    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.file_type == FileType::Regular
    }

    /// Whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.file_type == FileType::Directory
    }
}
