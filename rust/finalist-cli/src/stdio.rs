// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard input and output, or the error if the tool was started with one of them closed.
//!
//! Before `main`, Rust's runtime opens /dev/null in the place of a closed descriptor. What was
//! closed is therefore noted earlier, by a constructor.

use std::io::{self, Stdin, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);
/// Somebody wanted to read standard input, which is closed.
static STDIN_MISSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
#[allow(
    unsafe_code,
    reason = "the macro's way to say that this runs before main"
)]
#[ctor::ctor(unsafe)]
fn note_closed() {
    let closed = |result: rustix::io::Result<_>| result.is_err();
    let stdin = closed(rustix::io::fcntl_getfd(rustix::stdio::stdin()));
    let stdout = closed(rustix::io::fcntl_getfd(rustix::stdio::stdout()));
    STDIN_CLOSED.store(stdin, Ordering::Relaxed);
    STDOUT_CLOSED.store(stdout, Ordering::Relaxed);
}

/// Standard input.
///
/// # Errors
/// It is closed.
pub fn stdin() -> io::Result<Stdin> {
    if STDIN_CLOSED.load(Ordering::Relaxed) {
        STDIN_MISSED.store(true, Ordering::Relaxed);
        return Err(closed());
    }
    Ok(io::stdin())
}

/// Fails, as the GNU tools do at their end, if [`stdin`] did.
pub fn check_stdin() -> Result<(), Failure> {
    if STDIN_MISSED.load(Ordering::Relaxed) {
        let reason = crate::failure::reason(&closed());
        return Err(Failure::message(format!("standard input: {reason}")));
    }
    Ok(())
}

/// Writes all of it to standard output.
pub fn print(text: &[u8]) -> Result<(), Failure> {
    if STDOUT_CLOSED.load(Ordering::Relaxed) {
        return Err(Failure::Output(closed()));
    }
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text)
        .and_then(|()| stdout.flush())
        .map_err(Failure::Output)
}

fn closed() -> io::Error {
    rustix::io::Errno::BADF.into()
}
