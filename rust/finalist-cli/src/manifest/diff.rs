// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest diff`.

use std::process::ExitCode;
use std::sync::Arc;

use super::compare::{Comparison, Difference, line};
use super::options::DiffArgs;
use super::reader::Manifest;
use super::row::Row;
use super::sorter::{Sorted, Sorter};
use crate::failure::{Failure, about};
use crate::output::Output;
use crate::platform::bytes_of;
use crate::progress::Progress;
use crate::quote::quoted;

/// Before the path of a file that might have moved: where from, or where to.
const FROM: u8 = 0;
const TO: u8 = 1;

pub fn diff(args: &DiffArgs) -> Result<ExitCode, Failure> {
    let old = Manifest::open(&args.old, &args.key)?;
    let new = Manifest::open(&args.new, &args.key)?;
    if old.header != new.header {
        let text = "the manifests differ in algorithm, length, key, salt or personalisation";
        return Err(Failure::message(about(&bytes_of(&args.new), text)));
    }
    let mut differences = Differences {
        digest_bytes: old.header.function.digest_bytes as usize,
        lines: Sorter::new(),
        moves: Sorter::new(),
    };
    if old.totals != new.totals {
        let mut comparison = Comparison::new(old.rows()?);
        let mut tell = |difference| differences.add(&difference);
        for row in new.rows()? {
            comparison.next(row?, &mut tell)?;
        }
        comparison.finish(&mut tell)?;
    }
    let mut output = Output::new(Arc::new(Progress::new(false)));
    let mut code = ExitCode::SUCCESS;
    for line in differences.lines()? {
        let line = line?;
        let path_bytes = line.iter().position(|&byte| byte == 0).unwrap_or(0);
        output.line(&[&line[path_bytes + 1..], b"\n"].concat())?;
        code = ExitCode::FAILURE;
    }
    output.flush()?;
    Ok(code)
}

/// The lines to print, each after its path and NUL, and what may have moved, each after its digest.
struct Differences {
    digest_bytes: usize,
    lines: Sorter,
    moves: Sorter,
}

impl Differences {
    fn add(&mut self, difference: &Difference) -> Result<(), Failure> {
        let (place, row) = match difference {
            Difference::Removed(row) => (FROM, row),
            Difference::Added(row) => (TO, row),
            Difference::Changed { new } => return self.print(&new.path, &difference.line()),
        };
        match moving_digest(row) {
            Some(digest) => {
                self.moves.push([digest, &[place], &row.path].concat())?;
                Ok(())
            }
            None => self.print(&row.path, &difference.line()),
        }
    }

    fn print(&mut self, path: &[u8], line: &[u8]) -> Result<(), Failure> {
        self.lines.push([path, b"\0", line].concat())?;
        Ok(())
    }

    /// All lines in the order of their paths.
    fn lines(mut self) -> Result<Sorted, Failure> {
        let moves = std::mem::replace(&mut self.moves, Sorter::new());
        let mut digest = Vec::new();
        let mut from: Vec<Vec<u8>> = Vec::new();
        for entry in unique(moves.finish()?)? {
            let mut entry = entry?;
            let path = entry.split_off(self.digest_bytes + 1);
            let place = entry.pop();
            if entry != digest {
                self.print_removed(&mut from)?;
                digest = entry;
            }
            if place == Some(FROM) {
                from.push(path);
                continue;
            }
            // The first that went away is the first that came back.
            let line = match from.is_empty() {
                true => line("added", &path),
                false => {
                    let old = quoted(&from.remove(0));
                    [b"moved ", &old[..], b" -> ", &quoted(&path)].concat()
                }
            };
            self.print(&path, &line)?;
        }
        self.print_removed(&mut from)?;
        unique(self.lines.finish()?)
    }

    fn print_removed(&mut self, paths: &mut Vec<Vec<u8>>) -> Result<(), Failure> {
        let mut paths = paths.drain(..);
        paths.try_for_each(|path| self.print(&path, &line("removed", &path)))
    }
}

/// Paths are unique, and so is what begins or ends with one.
fn unique(sorted: Result<Sorted, Vec<u8>>) -> Result<Sorted, Failure> {
    sorted.map_err(|twice| Failure::message(about(&twice, "the path stands twice")))
}

/// The digest by which a file is recognised elsewhere; empty files are all alike.
fn moving_digest(row: &Row) -> Option<&[u8]> {
    let content = row.content.as_ref().ok()?;
    (content.size != 0).then_some(&content.digest)
}
