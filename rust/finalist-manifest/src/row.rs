// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a manifest and their messages (docs/format/manifests.md).

use std::cmp::Ordering;

use crate::header::Header;
use finalist_files::message::counted;
use finalist_files::platform;
use finalist_table::Encoder;

/// Longest path in bytes.
pub const PATH_BYTES_MAX: usize = 1 << 20;
/// Largest mode: permissions and the set-user-ID, set-group-ID and sticky bits.
const MODE_MAX: u16 = 0o7777;

/// The status of a file with a digest.
pub const OK: &str = "ok";

/// Reasons why a row has no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDigest {
    /// It could not be opened or read.
    Unreadable,
    /// It no longer existed when it was to be opened.
    Vanished,
    /// It changed or was replaced while it was read.
    Changed,
    /// It is a directory that could not be listed.
    Unlisted,
    /// It is a directory. Only with metadata.
    Directory,
    /// It is a symbolic link. Only with metadata.
    Link,
}

impl NoDigest {
    const ALL: [NoDigest; 6] = [
        NoDigest::Unreadable,
        NoDigest::Vanished,
        NoDigest::Changed,
        NoDigest::Unlisted,
        NoDigest::Directory,
        NoDigest::Link,
    ];

    /// Returns the status of a row without a digest.
    pub fn status(self) -> &'static str {
        match self {
            NoDigest::Unreadable => "unreadable",
            NoDigest::Vanished => "vanished",
            NoDigest::Changed => "changed",
            NoDigest::Unlisted => "unlisted",
            NoDigest::Directory => "directory",
            NoDigest::Link => "link",
        }
    }

    /// Returns true if a file could not be read or a directory could not be listed.
    pub fn is_fault(self) -> bool {
        !matches!(self, NoDigest::Directory | NoDigest::Link)
    }

    /// Returns the reason with this status.
    pub fn from_status(status: &[u8]) -> Option<NoDigest> {
        let mut all = NoDigest::ALL.into_iter();
        all.find(|reason| reason.status().as_bytes() == status)
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
    /// The inode number, an unsigned value as signed bits.
    pub inode: Option<i64>,
}

/// Mode and target, in manifests with metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Permissions of a file or directory: the lower twelve bits of the mode. `None` if the system
    /// has no modes.
    pub mode: Option<u16>,
    /// Target of a symbolic link.
    pub target: Option<Vec<u8>>,
}

/// A row: a path, and the content of its file or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The path below the directory, with `/` between its components.
    pub path: Vec<u8>,
    /// The content, or the reason why there is none.
    pub content: Result<Content, NoDigest>,
    /// Mode and target; none in a manifest without metadata.
    pub metadata: Metadata,
}

impl Row {
    /// Returns `ok` or the reason why there is no digest.
    pub fn status(&self) -> &'static str {
        self.content
            .as_ref()
            .map_or_else(|reason| reason.status(), |_| OK)
    }

    /// Returns true unless the row describes a directory or link.
    pub fn is_file(&self) -> bool {
        self.content
            .as_ref()
            .map_or_else(|reason| reason.is_fault(), |_| true)
    }

    /// Returns true if content and metadata are the same. Ignores times.
    pub fn is_same(&self, other: &Row) -> bool {
        self.has_content_of(other) && self.has_mode_of(other)
    }

    /// Returns true if the modes are the same or one is unknown.
    pub fn has_mode_of(&self, other: &Row) -> bool {
        let modes = self.metadata.mode.zip(other.metadata.mode);
        modes.is_none_or(|(one, other)| one == other)
    }

    /// Returns true if both are files, directories or links with the same content or target.
    pub fn has_content_of(&self, other: &Row) -> bool {
        match (&self.content, &other.content) {
            (Ok(one), Ok(other)) => one.size == other.size && one.digest == other.digest,
            (one, two) => one == two && self.metadata.target == other.metadata.target,
        }
    }

    /// Appends the message whose hash is the row's leaf.
    pub fn append_message(&self, header: &Header, out: &mut Vec<u8>) {
        let named = Encoder::new(out).string(header.format()).binary(&self.path);
        let read = match &self.content {
            Ok(content) => named.integer(content.size).binary(&content.digest),
            Err(_) => named.null().null(),
        };
        let all = read.string(self.status());
        if header.metadata {
            let Metadata { mode, target } = &self.metadata;
            let all = match mode {
                Some(mode) => all.integer(u64::from(*mode)),
                None => all.null(),
            };
            match target {
                Some(target) => all.binary(target),
                None => all.null(),
            };
        }
    }

    /// Returns a message if the row is invalid; `None` if it is valid.
    pub fn complaint(&self, header: &Header) -> Option<String> {
        let digest_bytes = header.function.digest_bytes;
        let is_directory = matches!(self.content, Err(NoDigest::Unlisted | NoDigest::Directory));
        if let Some(text) = path_complaint(&self.path, is_directory) {
            return Some(text.to_owned());
        }
        if let Some(text) = self.metadata_complaint(header.metadata) {
            return Some(text.to_owned());
        }
        let content = self.content.as_ref().ok()?;
        if content.size > i64::MAX as u64 {
            return Some("the size is negative".to_owned());
        }
        let bytes = content.digest.len() as u64;
        let text = |bytes| format!("the digest has {bytes}, not {digest_bytes}");
        (bytes != digest_bytes).then(|| text(counted(bytes, "byte", "bytes")))
    }

    /// Returns a message unless the path is after the previous row's.
    pub fn order_complaint(&self, previous: &[u8]) -> Option<&'static str> {
        match previous.cmp(&self.path) {
            Ordering::Less => None,
            Ordering::Equal => Some("the path stands twice"),
            Ordering::Greater => Some("the rows are not sorted by path"),
        }
    }

    /// Returns a message if mode and target are invalid, in a manifest with metadata or without.
    fn metadata_complaint(&self, is_given: bool) -> Option<&'static str> {
        let Metadata { mode, target } = &self.metadata;
        let is_link = self.content == Err(NoDigest::Link);
        let is_directory = self.content == Err(NoDigest::Directory);
        if !is_given && (is_link || is_directory || mode.is_some() || target.is_some()) {
            Some("a directory, link, mode or target in a manifest without metadata")
        } else if is_link != target.is_some() {
            Some("a link has a target, nothing else does")
        } else if mode.is_some() && self.content.is_err() && !is_directory {
            Some("only files and directories have a mode")
        } else if mode.is_some_and(|mode| mode > MODE_MAX) {
            Some("the mode has more than twelve bits")
        } else if target.as_ref().is_some_and(|target| !is_target(target)) {
            Some("the target is empty, contains NUL or is longer than 1 MiB")
        } else {
            None
        }
    }
}

/// Returns true if a symbolic link can have this target.
fn is_target(target: &[u8]) -> bool {
    (1..=PATH_BYTES_MAX).contains(&target.len()) && !target.contains(&0)
}

/// Returns a message if a path is invalid; `None` if it is valid.
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
