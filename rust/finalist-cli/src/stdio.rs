// SPDX-License-Identifier: MIT OR Apache-2.0
//! Standard output, or the error if it or standard input was closed when the tool started.

use std::io::{self, Write};

use crate::failure::Failure;
use finalist_files::message::reason;
use finalist_files::platform::{cut_off, stdout_is_closed, writable};
use finalist_files::quote::displayed;
use finalist_files::stdin::was_missed;

/// Notes closed descriptors. This runs before `main`, since Rust's runtime then opens /dev/null in
/// place of them.
#[cfg(unix)]
extern "C" fn note_closed() {
    finalist_files::platform::note_closed();
}

#[cfg(unix)]
#[allow(
    unsafe_code,
    reason = "the linker's list of functions that run before main"
)]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[used]
static BEFORE_MAIN: extern "C" fn() = note_closed;

/// Fails if standard input was needed and is closed, like the GNU tools when they end.
pub fn check_stdin() -> Result<(), Failure> {
    if was_missed() {
        let reason = reason(&cut_off());
        return Err(Failure::message(format!("standard input: {reason}")));
    }
    Ok(())
}

/// Fails if standard output is closed.
pub fn check_stdout() -> Result<(), Failure> {
    match stdout_is_closed() {
        true => Err(Failure::Output(cut_off())),
        false => Ok(()),
    }
}

/// Writes the whole text to standard output. No name in it controls a terminal.
pub fn print(text: &[u8]) -> Result<(), Failure> {
    check_stdout()?;
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(&writable(&displayed(text, &io::stdout()), &io::stdout()))
        .and_then(|()| stdout.flush())
        .map_err(Failure::Output)
}
