// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard input and output, or the error if the tool was started with one of them closed.

use std::io::{self, Stdin, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;
use crate::platform::{cut_off, stdin_is_closed, stdout_is_closed, writable};

/// Somebody wanted to read standard input, which is closed.
static STDIN_MISSED: AtomicBool = AtomicBool::new(false);

/// Standard input.
///
/// # Errors
/// It is closed.
pub fn stdin() -> io::Result<Stdin> {
    if stdin_is_closed() {
        STDIN_MISSED.store(true, Ordering::Relaxed);
        return Err(cut_off());
    }
    Ok(io::stdin())
}

/// Fails, as the GNU tools do at their end, if [`stdin`] did.
pub fn check_stdin() -> Result<(), Failure> {
    if STDIN_MISSED.load(Ordering::Relaxed) {
        let reason = crate::failure::reason(&cut_off());
        return Err(Failure::message(format!("standard input: {reason}")));
    }
    Ok(())
}

/// Writes all of it to standard output.
pub fn print(text: &[u8]) -> Result<(), Failure> {
    if stdout_is_closed() {
        return Err(Failure::Output(cut_off()));
    }
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(&writable(text, &io::stdout()))
        .and_then(|()| stdout.flush())
        .map_err(Failure::Output)
}
