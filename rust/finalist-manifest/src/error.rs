// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of operations on manifests.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use finalist_files::message::{about, reason};
use finalist_files::platform::bytes_of;

/// An error of an operation on a manifest. A problem with one file among others is not an error:
/// its row has a status, and the [`Observer`](crate::Observer) receives a message.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file or directory cannot be read or written.
    File {
        /// Its name.
        file: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A file is refused: it is not a manifest, is damaged, has or lacks a key, or prevents writing
    /// one.
    Refused {
        /// Its name.
        file: PathBuf,
        /// The reason as text.
        reason: String,
    },
    /// The manifest has a key, and none was given.
    KeyMissing {
        /// Its name.
        file: PathBuf,
    },
    /// A key was given, and the manifest has none.
    KeyUnwanted {
        /// Its name.
        file: PathBuf,
    },
    /// A path below the directory is refused.
    Path {
        /// The path.
        path: Vec<u8>,
        /// The reason as text.
        reason: String,
    },
    /// The hash function does not take this length or these parameters.
    Function(String),
    /// Standard output could not be written, or the [`Observer`] failed.
    ///
    /// [`Observer`]: crate::Observer
    Output(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Error::File { file, error } => about(&bytes_of(file), &reason(error)),
            Error::Refused { file, reason } => about(&bytes_of(file), reason),
            Error::KeyMissing { file } => about(&bytes_of(file), "keyed, and no key is given"),
            Error::KeyUnwanted { file } => {
                about(&bytes_of(file), "it has no key, and one is given")
            }
            Error::Path { path, reason } => about(path, reason),
            Error::Function(text) => return f.write_str(text),
            Error::Output(error) => return write!(f, "write error: {}", reason(error)),
        };
        // Names are quoted: bytes that are not UTF-8 are escaped.
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File { error, .. } | Error::Output(error) => Some(error),
            _ => None,
        }
    }
}

impl From<finalist::Error> for Error {
    fn from(error: finalist::Error) -> Error {
        Error::Function(error.to_string())
    }
}

/// Returns the error of a file that cannot be read or written.
pub(crate) fn failed(file: &Path, error: io::Error) -> Error {
    let file = file.to_owned();
    Error::File { file, error }
}

/// Returns the error of a file that is refused.
pub(crate) fn refused(file: &Path, reason: impl Into<String>) -> Error {
    let (file, reason) = (file.to_owned(), reason.into());
    Error::Refused { file, reason }
}

/// Returns the error of a path that is refused.
pub(crate) fn bad_path(path: &[u8], reason: &str) -> Error {
    let (path, reason) = (path.to_vec(), reason.to_owned());
    Error::Path { path, reason }
}
