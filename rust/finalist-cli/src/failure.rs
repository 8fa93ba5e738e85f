// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why the tool stops, and how its messages look.

use std::io::{self, Write};

use textwrap::WordSplitter;

use crate::platform;
use crate::quote;

/// What is left of a terminal's 80 columns after the tool's name.
const LINE_COLUMNS: usize = 70;

/// What ends a command early. A failure of one file among others is none: it is reported and the
/// command goes on.
#[derive(Debug)]
pub enum Failure {
    /// Wrong use: these lines, then where to find help.
    Misuse(Vec<String>),
    /// One message, of one or more lines.
    Message(Vec<u8>),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    pub fn misuse(line: impl Into<String>) -> Failure {
        Failure::Misuse(vec![line.into()])
    }

    pub fn message(text: impl Into<Vec<u8>>) -> Failure {
        Failure::Message(text.into())
    }
}

/// Names one after the other, in lines that fit a terminal after the tool's name.
pub fn names_in_lines(names: impl Iterator<Item: AsRef<str>>) -> String {
    let names = names.map(|name| name.as_ref().to_owned());
    let options = textwrap::Options::new(LINE_COLUMNS)
        .initial_indent("  ")
        .subsequent_indent("  ")
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(&names.collect::<Vec<_>>().join(" "), options)
}

/// Writes a message to standard error, each line after the tool's name.
pub fn report(text: &[u8]) {
    // Names were quoted. Other text may be that of a file or an argument.
    let text = quote::cleaned(text);
    let lines = text.split('\n').map(|line| format!("finalist: {line}\n"));
    let lines: String = lines.collect();
    let mut stderr = io::stderr();
    let lines = platform::writable(lines.as_bytes(), &stderr);
    // There is nowhere left to say that standard error cannot be written.
    let _ = stderr.write_all(&lines);
}

/// What helps after a message: how to do what was probably meant.
pub fn hint(text: &str) -> Vec<u8> {
    format!("hint: {text}").into_bytes()
}

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
