// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes a page about the differences, in the style of the report.

use std::io::{self, Write};
use std::path::Path;

use finalist_bench::report::html;
use finalist_bench::report::page::{Block, Cell, Column, Page, Section, Table};
use finalist_files::message::{about, reason};
use finalist_files::new_file::NewFile;
use finalist_files::platform::bytes_of;

use super::changes::{Changes, Kind};
use super::text::{column_lines, pairs, short, summary};
use crate::failure::Failure;

/// Maximum number of rows of each kind on a page.
const ROWS_MAX: usize = 1000;

/// Writes the page, which gets its name when it is complete.
pub fn write(name: &Path, changes: &Changes<'_>) -> Result<(), Failure> {
    let write = || {
        let file = NewFile::create(name, None)?;
        file.writer()?
            .write_all(html::page(&page(changes)).as_bytes())?;
        file.complete()?;
        Ok(())
    };
    write().map_err(|error: io::Error| Failure::message(about(&bytes_of(name), &reason(&error))))
}

fn page(changes: &Changes<'_>) -> Page {
    let lead = [summary(changes)].into_iter().chain(column_lines(changes));
    let sections = Kind::ALL
        .into_iter()
        .filter_map(|kind| section(changes, kind));
    Page {
        title: "Differences between tables".to_owned(),
        lead: lead.map(Block::text).collect(),
        sections: sections.collect(),
    }
}

fn section(changes: &Changes<'_>, kind: Kind) -> Option<Section> {
    let count = changes.count(kind);
    let (title, columns): (_, &[&str]) = match kind {
        Kind::Added => ("Added rows", &["key", "row"]),
        Kind::Removed => ("Removed rows", &["key", "row"]),
        Kind::Changed => ("Changed rows", &["key", "column", "old", "new"]),
        Kind::Duplicate => ("Keys that repeat", &["key", "rows in old", "rows in new"]),
    };
    let mut rows = Vec::new();
    for change in changes.of_kind(kind).take(ROWS_MAX) {
        let key = pairs(&change.key);
        let values = change.old.as_ref().or(change.new.as_ref());
        match (kind, change.counts) {
            (_, Some((old, new))) => rows.push(vec![key, old.to_string(), new.to_string()]),
            (Kind::Changed, _) if change.old.is_none() => {
                let new = values.map(pairs).unwrap_or_default();
                rows.push(vec![key, String::new(), String::new(), new]);
            }
            (Kind::Changed, _) => {
                for name in &change.columns {
                    let sides = [&change.old, &change.new];
                    let [old, new] = sides
                        .map(|values| short(values.as_ref().and_then(|values| values.get(name))));
                    rows.push(vec![key.clone(), name.clone(), old, new]);
                }
            }
            _ => rows.push(vec![key, values.map(pairs).unwrap_or_default()]),
        }
    }
    let mut blocks = Vec::new();
    if count > ROWS_MAX {
        let text = format!("The first {ROWS_MAX} of {count}.");
        blocks.push(Block::text(text));
    }
    let is_number = |name: &str| name.starts_with("rows");
    blocks.push(Block::Table(Table {
        columns: columns
            .iter()
            .map(|&name| match is_number(name) {
                true => Column::number(name),
                false => Column::text(name),
            })
            .collect(),
        rows: rows
            .into_iter()
            .map(|row| row.into_iter().map(Cell::new).collect())
            .collect(),
    }));
    (count > 0).then(|| Section {
        name: kind.name(),
        title: format!("{title}: {count}"),
        blocks,
    })
}
