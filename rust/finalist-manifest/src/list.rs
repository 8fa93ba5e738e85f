// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes manifests as checksum lists.

use std::io::{self, BufRead, Write};
use std::str;

use crate::form::{Batch, ReadRows, WriteRows};
use crate::header::{COUNT, Header, ROOT, Totals, decimal, has_metadata};
use crate::row::{Content, Metadata, NoDigest, Row, Stamp};
use finalist_files::checklist::{
    LINE_BYTES_MAX, Parser, escaped, read_whole, tagged_line, unescape,
};
use finalist_files::message::reason;
use finalist_files::quote::excerpt;
use finalist_files::tag::tag;

/// Writes a list.
pub struct ListWriter<W: Write> {
    out: W,
    tag: String,
}

impl<W: Write> ListWriter<W> {
    /// Begins a list.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(mut out: W, header: &Header) -> io::Result<ListWriter<W>> {
        writeln!(out, "# {}", header.format())?;
        for (name, value) in header.pairs() {
            writeln!(out, "{}", comment(name, &value))?;
        }
        let function = header.function;
        let tag = tag(&function.algorithm.info(), function.digest_bytes);
        Ok(ListWriter { out, tag })
    }
}

/// Returns the line of one metadata value.
fn comment(name: &str, value: &str) -> String {
    format!("# {name}: {value}").trim_end().to_owned()
}

impl<W: Write> WriteRows for ListWriter<W> {
    fn rows(&mut self, rows: &[Row], _: &[u8]) -> io::Result<()> {
        rows.iter().try_for_each(|row| {
            if let Some(mode) = row.metadata.mode {
                writeln!(self.out, "# mode {mode:o}")?;
            }
            if let Some(target) = &row.metadata.target {
                self.out.write_all(&in_parentheses("target", target))?;
                self.out.write_all(b"\n")?;
            }
            if let Ok(content) = &row.content {
                writeln!(self.out, "# size {}", content.size)?;
            }
            self.out.write_all(&naming_line(&self.tag, row))?;
            self.out.write_all(b"\n")
        })
    }

    fn finish(mut self: Box<Self>, totals: &Totals) -> io::Result<()> {
        writeln!(self.out, "{}", comment(COUNT, &totals.count.to_string()))?;
        writeln!(self.out, "{}", comment(ROOT, &hex::encode(&totals.root)))?;
        self.out.flush()
    }
}

/// Returns the line that names a row's file, without its end.
fn naming_line(tag: &str, row: &Row) -> Vec<u8> {
    match &row.content {
        Ok(content) => tagged_line(tag, &row.path, &content.digest),
        Err(reason) => in_parentheses(reason.status(), &row.path),
    }
}

/// Returns a comment that contains a word and a name, without its end.
fn in_parentheses(word: &str, name: &[u8]) -> Vec<u8> {
    let start = format!("# {word} (");
    let escaped = escaped(name);
    let name = escaped.as_deref().unwrap_or(name);
    [start.as_bytes(), name, b")"].concat()
}

/// Returns the word and the name in such a comment.
fn of_parentheses(line: &[u8]) -> Option<(&[u8], Vec<u8>)> {
    let line = line.strip_prefix(b"# ")?;
    let end = line.iter().position(|&byte| byte == b' ')?;
    let name = line[end + 1..].strip_prefix(b"(")?.strip_suffix(b")")?;
    Some((&line[..end], unescape(name)?))
}

/// Reads a list.
pub struct ListReader<R> {
    lines: R,
    line: Vec<u8>,
    header: Header,
    tag: String,
    parser: Parser,
    totals: Option<Totals>,
}

/// Reads a list's header and prepares to read its rows.
///
/// # Errors
/// The list is malformed; the text says how.
pub fn open_list<R: BufRead>(mut lines: R) -> Result<(Header, ListReader<R>), String> {
    let mut line = Vec::new();
    read_whole(&mut lines, &mut line).map_err(|error| reason(&error))?;
    let format = line.strip_prefix(b"# ").unwrap_or(b"");
    let format = format.strip_suffix(b"\n").unwrap_or(format);
    let metadata = has_metadata(&String::from_utf8_lossy(format))?;
    let mut values = Vec::new();
    for name in ["algorithm", "digest_bits", "keyed", "salt", "personal"] {
        next(&mut lines, &mut line)?;
        values.push((name, value(&line, name)?));
    }
    let header = Header::of_values(metadata, |name| {
        let found = values.iter().find(|(key, _)| *key == name);
        found
            .map(|(_, value)| &value[..])
            .ok_or_else(|| format!("'{name}' is missing"))
    })?;
    let function = header.function;
    let source = ListReader {
        lines,
        line,
        tag: tag(&function.algorithm.info(), function.digest_bytes),
        parser: Parser::new(Some(function.algorithm)),
        header: header.clone(),
        totals: None,
    };
    Ok((header, source))
}

/// Reads the next line. Fails at the end of the list or if LF is missing.
fn next(lines: &mut impl BufRead, line: &mut Vec<u8>) -> Result<(), String> {
    read_whole(lines, line).map_err(|error| reason(&error))?;
    match line.pop() {
        Some(b'\n') => Ok(()),
        Some(_) if line.len() as u64 + 1 == LINE_BYTES_MAX => Err(improper(line)),
        _ => Err("the list is cut short: it does not end with its root".to_owned()),
    }
}

/// Returns the value in a line of metadata.
fn value(line: &[u8], name: &str) -> Result<String, String> {
    let text = str::from_utf8(line).ok();
    let value = text.and_then(|text| {
        let value = text.strip_prefix(&format!("# {name}:"))?.trim_start();
        (comment(name, value) == text).then(|| value.to_owned())
    });
    value.ok_or_else(|| improper(line))
}

/// Parses an octal number: digits only, without leading zeros.
fn octal(text: &str) -> Option<u16> {
    let number = u16::from_str_radix(text, 8).ok()?;
    (format!("{number:o}") == text).then_some(number)
}

fn improper(line: &[u8]) -> String {
    format!("improper line: '{}'", excerpt(line))
}

impl<R: BufRead> ListReader<R> {
    /// Parses the row that begins with the current line.
    fn row(&mut self) -> Result<Row, String> {
        let metadata = match self.header.metadata {
            true => self.metadata()?,
            false => Metadata::default(),
        };
        let row = match self.line.strip_prefix(b"# size ") {
            Some(size) => {
                let size = str::from_utf8(size).ok().and_then(decimal);
                let size = size.ok_or_else(|| improper(&self.line))?;
                next(&mut self.lines, &mut self.line)?;
                let entry = self
                    .parser
                    .parse(&self.line)
                    .ok_or_else(|| improper(&self.line))?;
                let content = Content {
                    size,
                    digest: entry.digest,
                    stamp: Stamp::default(),
                };
                Row {
                    path: entry.name,
                    content: Ok(content),
                    metadata,
                }
            }
            None => {
                let (status, path) = of_parentheses(&self.line).unwrap_or_default();
                let reason = NoDigest::from_status(status);
                Row {
                    path,
                    content: Err(reason.ok_or_else(|| improper(&self.line))?),
                    metadata,
                }
            }
        };
        // The parser accepts other tools' forms; a manifest has only one form.
        if naming_line(&self.tag, &row) != self.line {
            return Err(improper(&self.line));
        }
        Ok(row)
    }

    /// Parses mode and target before a row, and moves to the line after them.
    fn metadata(&mut self) -> Result<Metadata, String> {
        let mut metadata = Metadata::default();
        if let Some(mode) = self.line.strip_prefix(b"# mode ") {
            let mode = str::from_utf8(mode).ok().and_then(octal);
            metadata.mode = Some(mode.ok_or_else(|| improper(&self.line))?);
            next(&mut self.lines, &mut self.line)?;
        }
        if let Some((b"target", target)) = of_parentheses(&self.line) {
            if in_parentheses("target", &target) != self.line {
                return Err(improper(&self.line));
            }
            metadata.target = Some(target);
            next(&mut self.lines, &mut self.line)?;
        }
        Ok(metadata)
    }

    /// Parses count and root; the current line is the first of them.
    fn end(&mut self) -> Result<Totals, String> {
        let count = value(&self.line, COUNT)?;
        next(&mut self.lines, &mut self.line)?;
        let root = value(&self.line, ROOT)?;
        match self.lines.fill_buf() {
            Ok([]) => (),
            Ok(_) => return Err("there is more after the root".to_owned()),
            Err(error) => return Err(reason(&error)),
        }
        Totals::of_values(&self.header, |name| {
            Ok(if name == COUNT { &count } else { &root })
        })
    }
}

impl<R: BufRead> ReadRows for ListReader<R> {
    fn batch(&mut self) -> Result<Batch, String> {
        let mut batch = Batch::default();
        while self.totals.is_none() && !batch.is_full() {
            next(&mut self.lines, &mut self.line)?;
            if self.line.starts_with(b"# count:") {
                self.totals = Some(self.end()?);
            } else {
                batch.push(self.row()?, None);
            }
        }
        Ok(batch)
    }

    fn totals(&self) -> Result<Totals, String> {
        self.totals
            .clone()
            .ok_or_else(|| "the list is cut short".to_owned())
    }
}
