// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hides the differences between operating systems: names, files, standard streams, locks. No other
//! module depends on the system; each function below exists for all of them.

// The paths are explicit because fuzz/parsers includes this file in another crate.
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
    Directory, OPENS_AT_ONCE, Root, address_space, bytes_of, cut_off, expanded, file_type,
    is_link_refused, is_unicode, lacks_descriptors, name_complaint, name_of, not_a_directory, open,
    open_alone, open_at_once, open_regular, path_complaint, read_at, read_dir, reason, release,
    replace, share_as_new, split, stat, stat_of, stat_of_streams, stdin_is_closed,
    stdout_is_closed, sync_directory, wait, widen_pipe, writable,
};

/// The type of a directory entry.
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
    /// The directory does not report the type.
    Unknown,
}

/// A file for the use of one process at a time.
pub enum Exclusive {
    /// The file, locked by this process until it is closed.
    File(File),
    /// Another process uses it.
    Busy,
    /// The file existed, and others could have created it or could write to it.
    Foreign,
}

/// An entry of a directory.
#[derive(Debug)]
pub struct Entry {
    /// The name in the directory.
    pub name: OsString,
    /// Its type.
    pub file_type: FileType,
    /// Its metadata if they were requested.
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

/// Metadata of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Its type.
    pub file_type: FileType,
    /// Its length in bytes.
    pub bytes: u64,
    /// Time of the last change of the content, in nanoseconds since 1970; `None` if out of range.
    pub modified_ns: Option<i64>,
    /// Time of the last change of content, name or metadata, likewise; `None` also if the system
    /// does not report it.
    pub changed_ns: Option<i64>,
    /// Permissions: the lower twelve bits of the mode; `None` if the system has none.
    pub mode: Option<u16>,
    /// Device and inode number, which no other file has at the same time.
    pub identity: (u64, u64),
}

impl Stat {
    /// Returns true for a regular file.
    pub fn is_file(&self) -> bool {
        self.file_type == FileType::Regular
    }

    /// Returns true for a directory.
    pub fn is_dir(&self) -> bool {
        self.file_type == FileType::Directory
    }
}
