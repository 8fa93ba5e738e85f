// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors that stop the tool, and their messages.

use std::io::{self, Write};
use std::path::Path;

use finalist_files::message::about;
use finalist_files::platform::bytes_of;
use finalist_files::{platform, quote};

/// The columns of a terminal's 80 that remain after the tool's name.
const LINE_COLUMNS: usize = 70;

/// A failure that ends a command early. The failure of one file among others does not: it is
/// reported, and the command continues.
#[derive(Debug)]
pub enum Failure {
    /// Wrong use: these lines, then a pointer to the help.
    Misuse(Vec<String>),
    /// One message of one or more lines.
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

    /// Returns the error of standard output, or one with the text of another failure.
    pub fn into_io(self) -> io::Error {
        match self {
            Failure::Output(error) => error,
            Failure::Message(text) => io::Error::other(String::from_utf8_lossy(&text)),
            Failure::Misuse(lines) => io::Error::other(lines.join("\n")),
        }
    }
}

/// Joins names in lines that fit a terminal after the tool's name.
pub fn names_in_lines(names: impl Iterator<Item: AsRef<str>>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        let name = name.as_ref();
        match lines.last_mut() {
            Some(line) if line.len() + 1 + name.len() <= LINE_COLUMNS => {
                line.push(' ');
                line.push_str(name);
            }
            _ => lines.push(format!("  {name}")),
        }
    }
    lines.join("\n")
}

/// Writes a message to standard error, each line after the tool's name.
pub fn report(text: &[u8]) {
    // Names are already quoted; other text may come from a file or an argument.
    let text = quote::cleaned(text);
    let lines = text.split('\n').map(|line| format!("finalist: {line}\n"));
    let lines: String = lines.collect();
    let mut stderr = io::stderr();
    let lines = platform::writable(lines.as_bytes(), &stderr);
    // A failure to write to standard error cannot be reported.
    let _ = stderr.write_all(&lines);
}

/// Returns a hint to append to a message: how to do what was probably meant.
pub fn hint(text: &str) -> Vec<u8> {
    format!("hint: {text}").into_bytes()
}

impl From<finalist_manifest::Error> for Failure {
    fn from(error: finalist_manifest::Error) -> Failure {
        use finalist_manifest::Error;
        let about = |file: &Path, text: &str| Failure::message(about(&bytes_of(file), text));
        match error {
            Error::Output(error) => Failure::Output(error),
            Error::KeyMissing { file } => {
                about(&file, "the manifest is keyed: --key-file is missing")
            }
            Error::KeyUnwanted { file } => {
                about(&file, "the manifest has no key: --key-file is given")
            }
            error => Failure::message(error.to_string()),
        }
    }
}

impl From<finalist_bench::Error> for Failure {
    fn from(error: finalist_bench::Error) -> Failure {
        Failure::message(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::names_in_lines;

    #[test]
    fn a_line_of_names_is_filled_to_its_last_column() {
        let columns = 80 - "finalist: ".len();
        let first = "a".repeat(columns - "  ".len() - " bc".len());
        let joined = |name| names_in_lines([first.as_str(), name].into_iter());
        assert_eq!(joined("bc"), format!("  {first} bc"));
        assert_eq!(joined("bcd"), format!("  {first}\n  bcd"));
    }
}
