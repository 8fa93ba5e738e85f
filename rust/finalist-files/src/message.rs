// SPDX-License-Identifier: MIT OR Apache-2.0
//! Formats messages about files.

use std::fmt::Display;
use std::io;

use crate::{platform, quote};

/// Returns the system's text for an error, without the number that Rust adds.
pub fn reason(error: &io::Error) -> String {
    let error = unwrapped(error);
    if let Some(text) = platform::reason(error) {
        return text;
    }
    let text = error.to_string();
    // A temporary file's error also states its path.
    let is_of_system = error.raw_os_error().is_some() || text.contains(") at path ");
    match text.split_once(" (os error") {
        Some((reason, _)) if is_of_system => reason.to_owned(),
        _ => text,
    }
}

/// Returns the system's error that a library wrapped in its own, or else the error itself.
pub fn unwrapped(error: &io::Error) -> &io::Error {
    let source = error.get_ref().and_then(|error| error.source());
    let inner = source.and_then(|source| source.downcast_ref());
    inner.unwrap_or(error)
}

/// Returns `name: text` for a message. The name is quoted if necessary and loses its middle if it
/// is long.
pub fn about(name: &[u8], text: &str) -> Vec<u8> {
    [&quote::short(name)[..], b": ", text.as_bytes()].concat()
}

/// Returns a number and what it counts, in the singular (`one`) or the plural (`more`).
pub fn counted<N: Display + From<u8> + PartialEq>(count: N, one: &str, more: &str) -> String {
    let word = if count == N::from(1) { one } else { more };
    format!("{count} {word}")
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fmt;
    use std::io;

    use super::reason;

    /// As the library of Parquet does.
    #[derive(Debug)]
    struct Wrapped(io::Error);

    impl fmt::Display for Wrapped {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "External: {}", self.0)
        }
    }

    impl Error for Wrapped {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn reasons_have_no_number() {
        let missing = std::env::temp_dir().join("no such folder");
        let plain = std::fs::read(missing.join("file")).expect_err("there is no such folder");
        let text = reason(&plain);
        assert_eq!(reason(&io::Error::other(Wrapped(plain))), text);
        for error in [
            std::fs::read(missing.join("file")).err(),
            tempfile::NamedTempFile::new_in(missing).err(),
        ] {
            let text = reason(&error.expect("there is no such folder"));
            assert!(!text.is_empty() && !text.contains("os error"), "{text}");
        }
    }
}
