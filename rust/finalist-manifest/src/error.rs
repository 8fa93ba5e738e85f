// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why something cannot be done with a manifest.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use finalist_files::message::{about, reason};
use finalist_files::platform::bytes_of;

/// Why something cannot be done with a manifest. What is wrong with one file among others is none: its
/// row tells, and the [`Observer`](crate::Observer) hears of it.
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
    /// A file is refused: it is no manifest, is damaged, has a key or none, or stands in the way.
    Refused {
        /// Its name.
        file: PathBuf,
        /// What is wrong with it, in words.
        reason: String,
    },
    /// What is read has a key, and none is given.
    KeyMissing {
        /// Its name.
        file: PathBuf,
    },
    /// A key is given, and what is read has none.
    KeyUnwanted {
        /// Its name.
        file: PathBuf,
    },
    /// A path below the directory is refused.
    Path {
        /// The path.
        path: Vec<u8>,
        /// What is wrong with it, in words.
        reason: String,
    },
    /// The hash function takes no such length or parameters.
    Function(String),
    /// What was to be written or told could not be: standard output, or the [`Observer`] that fails.
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
        // Names are quoted: what is no UTF-8 was escaped.
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

/// A file that cannot be read or written.
pub(crate) fn failed(file: &Path, error: io::Error) -> Error {
    let file = file.to_owned();
    Error::File { file, error }
}

/// A file that is refused.
pub(crate) fn refused(file: &Path, reason: impl Into<String>) -> Error {
    let (file, reason) = (file.to_owned(), reason.into());
    Error::Refused { file, reason }
}

/// A path that is refused.
pub(crate) fn bad_path(path: &[u8], reason: &str) -> Error {
    let (path, reason) = (path.to_vec(), reason.to_owned());
    Error::Path { path, reason }
}
