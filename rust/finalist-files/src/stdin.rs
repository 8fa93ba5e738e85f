// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard input, or an error if it was closed when the program started.

use std::io::{self, Stdin};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::platform::{cut_off, stdin_is_closed};

/// Set when standard input was needed but closed.
static MISSED: AtomicBool = AtomicBool::new(false);

/// Returns true for the name of standard input, `-`.
pub fn is_stdin(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// Returns standard input.
///
/// # Errors
/// It is closed.
pub fn stdin() -> io::Result<Stdin> {
    if stdin_is_closed() {
        MISSED.store(true, Ordering::Relaxed);
        return Err(cut_off());
    }
    Ok(io::stdin())
}

/// Returns true if [`stdin`] has failed.
pub fn was_missed() -> bool {
    MISSED.load(Ordering::Relaxed)
}
