// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints differences to standard output: as text for a terminal, or as JSON.

use std::path::PathBuf;

use finalist_files::message::counted;
use finalist_files::platform::bytes_of;
use finalist_files::quote::{cleaned, shown};
use finalist_table::Buckets;
use serde_json::{Map, Value};

use super::changes::{Change, Changes, Kind};
use crate::failure::Failure;
use crate::stdio::print as write;

/// The number of characters shown of a value.
const VALUE_CHARS: usize = 60;

/// Prints one object a line.
pub fn print_json(changes: &Changes<'_>) -> Result<(), Failure> {
    const BYTES_AT_ONCE: usize = 1 << 16;
    let mut lines = String::new();
    let columns = changes.columns().into_iter();
    let rows = Kind::ALL.into_iter().flat_map(|kind| changes.of_kind(kind));
    let all = columns.chain(rows.map(|change| change.json()));
    for line in all.chain([changes.totals()]) {
        lines += &format!("{line}\n");
        if lines.len() >= BYTES_AT_ONCE {
            write(lines.as_bytes())?;
            lines.clear();
        }
    }
    write(lines.as_bytes())
}

/// Prints a summary and at most a number of rows of each kind.
pub fn print(changes: &Changes<'_>, rows: usize) -> Result<(), Failure> {
    let mut lines = vec![summary(changes)];
    lines.extend(column_lines(changes));
    for kind in Kind::ALL {
        lines.extend(changes.of_kind(kind).take(rows).map(|change| line(&change)));
        let rest = changes.count(kind).saturating_sub(rows);
        if rest > 0 {
            let (one, more) = names(kind);
            let (one, more) = (format!("more {one}"), format!("more {more}"));
            lines.push(format!("... and {}", counted(rest, &one, &more)));
        }
    }
    let lines: String = lines.iter().map(|line| visible(line) + "\n").collect();
    write(lines.as_bytes())
}

/// Returns one line without control characters: names and values of tables may contain terminal
/// commands, and names line ends.
fn visible(line: &str) -> String {
    cleaned(line.replace('\n', "\\n").as_bytes())
}

/// Returns the first line.
pub fn summary(changes: &Changes<'_>) -> String {
    let [old, new] = [changes.old.path(), changes.new.path()].map(|path| shown(&bytes_of(path)));
    let rows = changes.old.rows();
    if changes.found.is_equal() {
        let rows = counted(rows, "row", "rows");
        return format!("{old} and {new} are equal: {rows}");
    }
    let counts = Kind::ALL.map(|kind| {
        let (one, more) = names(kind);
        counted(changes.count(kind), one, more)
    });
    format!("{old} and {new} differ: {}", counts.join(", "))
}

/// Returns the line about two files of buckets.
pub fn buckets_line(paths: [&PathBuf; 2], differing: usize, rows: u64) -> String {
    let [old, new] = paths.map(|path| shown(&bytes_of(path)));
    if differing == 0 {
        return format!(
            "{old} and {new} are equal: {}",
            counted(rows, "row", "rows")
        );
    }
    let all = Buckets::COUNT;
    let percent = 100.0 * differing as f64 / all as f64;
    format!("{old} and {new} differ: in {differing} of {all} buckets, {percent:.3} %")
}

/// Returns the names of one row of a kind and of more.
fn names(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Duplicate => ("duplicate key", "duplicate keys"),
        kind => (kind.name(), kind.name()),
    }
}

/// Returns lines about the columns that differ.
pub fn column_lines(changes: &Changes<'_>) -> Vec<String> {
    let columns = &changes.found.columns;
    let one = |what: &'static str| {
        move |(name, kind): &(String, String)| format!("column {what}: {name} ({kind})")
    };
    let added = columns.added.iter().map(one("added"));
    let dropped = columns.dropped.iter().map(one("dropped"));
    let retyped = columns.retyped.iter();
    let retyped =
        retyped.map(|(name, old, new)| format!("column retyped: {name} ({old} to {new})"));
    added.chain(dropped).chain(retyped).collect()
}

fn line(change: &Change) -> String {
    let key = pairs(&change.key);
    let name = change.kind.name();
    match (change.kind, &change.old, &change.new, change.counts) {
        (Kind::Duplicate, _, _, Some((old, new))) => {
            let old = counted(old, "time", "times");
            format!("{name}  {key}: {old} in the old table, {new} in the new one")
        }
        (Kind::Changed, Some(old), Some(new), _) => {
            let cells = change.columns.iter();
            let cells = cells.map(|name| {
                let [old, new] = [old, new].map(|values| short(values.get(name)));
                format!("{name} {old} to {new}")
            });
            format!("{name}  {key}: {}", cells.collect::<Vec<_>>().join(", "))
        }
        (_, Some(values), _, _) | (_, _, Some(values), _) if !values.is_empty() => {
            format!("{name}  {key}: {}", pairs(values))
        }
        _ => format!("{name}  {key}"),
    }
}

/// Returns names and values in a line.
pub fn pairs(values: &Map<String, Value>) -> String {
    let pairs = values.iter();
    let pairs = pairs.map(|(name, value)| format!("{name} {}", short(Some(value))));
    pairs.collect::<Vec<_>>().join(", ")
}

/// Returns a value, shortened if it is long.
pub fn short(value: Option<&Value>) -> String {
    let text = value.map(Value::to_string).unwrap_or_default();
    match text.char_indices().nth(VALUE_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
