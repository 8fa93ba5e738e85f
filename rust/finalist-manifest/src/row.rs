// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a manifest and their messages (docs/format/manifests.md).

use crate::header::FORMAT;
use finalist_files::platform;
use finalist_table::Encoder;

/// Longest path in bytes.
const PATH_BYTES_MAX: usize = 1 << 20;

/// The status of a file with a digest.
pub const OK: &str = "ok";

/// Reasons why a file has no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It could not be opened or read.
    Unreadable,
    /// It no longer existed when its turn came.
    Vanished,
    /// It changed or was replaced while it was read.
    Changed,
    /// It is a directory that could not be listed.
    Unlisted,
}

impl Fault {
    const ALL: [Fault; 4] = [
        Fault::Unreadable,
        Fault::Vanished,
        Fault::Changed,
        Fault::Unlisted,
    ];

    /// Returns the status of a row with this fault.
    pub fn status(self) -> &'static str {
        match self {
            Fault::Unreadable => "unreadable",
            Fault::Vanished => "vanished",
            Fault::Changed => "changed",
            Fault::Unlisted => "unlisted",
        }
    }

    /// Returns the fault of a status.
    pub fn from_status(status: &[u8]) -> Option<Fault> {
        let mut all = Fault::ALL.into_iter();
        all.find(|fault| fault.status().as_bytes() == status)
    }
}

/// The content of a file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Its length in bytes.
    pub size: u64,
    /// Its digest.
    pub digest: Vec<u8>,
    /// Times and inode.
    pub stamp: Stamp,
}

/// Metadata that change with a file's content; not part of the leaf. `None` if not available.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Time of the last change of the content, in nanoseconds since 1970.
    pub modified_ns: Option<i64>,
    /// Time of the last change of content, name or metadata; programs cannot set it.
    pub changed_ns: Option<i64>,
    /// The file's number, an unsigned value as signed bits.
    pub inode: Option<i64>,
}

/// A row: a path, and the content of its file or a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The path below the directory, `/` between its components.
    pub path: Vec<u8>,
    /// The content, or the reason why there is none.
    pub content: Result<Content, Fault>,
}

impl Row {
    /// Returns `ok` or the fault's status.
    pub fn status(&self) -> &'static str {
        self.content
            .as_ref()
            .map_or_else(|fault| fault.status(), |_| OK)
    }

    /// True if path and content are the same; times are ignored.
    pub fn is_same(&self, other: &Row) -> bool {
        match (&self.content, &other.content) {
            (Ok(one), Ok(other)) => one.size == other.size && one.digest == other.digest,
            (one, other) => one == other,
        }
    }

    /// Appends the message that the row's leaf hash is computed from.
    pub fn append_message(&self, out: &mut Vec<u8>) {
        let named = Encoder::new(out).string(FORMAT).binary(&self.path);
        let read = match &self.content {
            Ok(content) => named.integer(content.size).binary(&content.digest),
            Err(_) => named.null().null(),
        };
        read.string(self.status());
    }

    /// Says what is wrong with the row; `None` if nothing is.
    pub fn complaint(&self, digest_bytes: u64) -> Option<String> {
        let is_directory = self.content == Err(Fault::Unlisted);
        if let Some(text) = path_complaint(&self.path, is_directory) {
            return Some(text.to_owned());
        }
        let content = self.content.as_ref().ok()?;
        if content.size > i64::MAX as u64 {
            return Some("the size is negative".to_owned());
        }
        let bytes = content.digest.len() as u64;
        let text = || format!("the digest has {bytes} bytes, not {digest_bytes}");
        (bytes != digest_bytes).then(text)
    }
}

/// Says what is wrong with a path; `None` if nothing is.
pub fn path_complaint(path: &[u8], is_directory: bool) -> Option<&'static str> {
    let name = match is_directory {
        true => path.strip_suffix(b"/").unwrap_or(path),
        false => path,
    };
    let mut components = name.split(|&byte| byte == b'/');
    if path.is_empty() {
        Some("the path is empty")
    } else if is_directory && name == path {
        Some("the path of a directory does not end with '/'")
    } else if path.len() > PATH_BYTES_MAX {
        Some("the path is longer than 1 MiB")
    } else if path.starts_with(b"/") {
        Some("the path is absolute")
    } else if path.contains(&0) {
        Some("the path contains NUL")
    } else if components.clone().any(|component| component == b"..") {
        Some("the path contains '..'")
    } else if components.any(|component| component.is_empty() || component == b".") {
        Some("the path has an empty component, or '.'")
    } else {
        platform::path_complaint(path)
    }
}
