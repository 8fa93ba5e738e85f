// SPDX-License-Identifier: MIT OR Apache-2.0
//! How messages about files look.

use std::io;

use crate::{platform, quote};

/// The system's text for an error, without the number that Rust adds.
pub fn reason(error: &io::Error) -> String {
    if let Some(text) = platform::reason(error) {
        return text;
    }
    let text = error.to_string();
    match (error.raw_os_error(), text.rsplit_once(" (os error")) {
        (Some(_), Some((reason, _))) => reason.to_owned(),
        _ => text,
    }
}

/// `name: text` for a message, with the name quoted where that is needed, and without its middle if it
/// is long.
pub fn about(name: &[u8], text: &str) -> Vec<u8> {
    [&quote::short(name)[..], b": ", text.as_bytes()].concat()
}
