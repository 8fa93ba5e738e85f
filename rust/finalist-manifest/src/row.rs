// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a manifest and their messages (docs/format/manifests.md).

use crate::header::FORMAT;
use finalist_files::platform;
use finalist_table::Encoder;

/// Most bytes of a path.
const PATH_BYTES_MAX: usize = 1 << 20;

/// The status of a file with a digest.
pub const OK: &str = "ok";

/// Why a file has no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It could not be opened or read.
    Unreadable,
    /// It was gone when its turn came.
    Vanished,
    /// It changed while it was read, or another file took its place.
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

    /// As a row says it.
    pub fn status(self) -> &'static str {
        match self {
            Fault::Unreadable => "unreadable",
            Fault::Vanished => "vanished",
            Fault::Changed => "changed",
            Fault::Unlisted => "unlisted",
        }
    }

    /// The fault of a status, if it is one.
    pub fn from_status(status: &[u8]) -> Option<Fault> {
        let mut all = Fault::ALL.into_iter();
        all.find(|fault| fault.status().as_bytes() == status)
    }
}

/// What was read of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Its length in bytes.
    pub size: u64,
    /// Its digest.
    pub digest: Vec<u8>,
    /// Times and inode.
    pub stamp: Stamp,
}

/// What changes with a file's content, and is not part of the leaf. `None` where a store has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Nanoseconds from 1970 to the last change of the content.
    pub modified_ns: Option<i64>,
    /// When content, name or metadata changed last; programs cannot set it.
    pub changed_ns: Option<i64>,
    /// The file's number, the bits of an unsigned one.
    pub inode: Option<i64>,
}

/// A row: a path and what became of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The path below the directory, `/` between its components.
    pub path: Vec<u8>,
    /// What was read, or why nothing was.
    pub content: Result<Content, Fault>,
}

impl Row {
    /// `ok`, or the fault.
    pub fn status(&self) -> &'static str {
        self.content
            .as_ref()
            .map_or_else(|fault| fault.status(), |_| OK)
    }

    /// Whether files and digests are the same; times do not count.
    pub fn is_same(&self, other: &Row) -> bool {
        match (&self.content, &other.content) {
            (Ok(one), Ok(other)) => one.size == other.size && one.digest == other.digest,
            (one, other) => one == other,
        }
    }

    /// Appends the message whose leaf hash is the row's.
    pub fn append_message(&self, out: &mut Vec<u8>) {
        let named = Encoder::new(out).string(FORMAT).binary(&self.path);
        let read = match &self.content {
            Ok(content) => named.integer(content.size).binary(&content.digest),
            Err(_) => named.null().null(),
        };
        read.string(self.status());
    }

    /// What is wrong with the row, if anything.
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

/// What is wrong with a path, if anything.
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
