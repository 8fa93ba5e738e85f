// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints rows of results to standard output, as an aligned table or as JSON.

use std::io;

use comfy_table::Width::Fixed;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use serde::Serialize;
use terminal_size::{Width, terminal_size_of};

use crate::failure::Failure;
use crate::stdio;

/// The heading of a column and the alignment of its cells.
pub struct Column(&'static str, CellAlignment);

impl Column {
    pub fn text(heading: &'static str) -> Column {
        Column(heading, CellAlignment::Left)
    }

    pub fn number(heading: &'static str) -> Column {
        Column(heading, CellAlignment::Right)
    }

    pub fn mark(heading: &'static str) -> Column {
        Column(heading, CellAlignment::Center)
    }
}

/// Columns between two columns.
const GAP: u16 = 2;

/// Prints a table after the lines of `head`. On a terminal, text that is too wide is wrapped, unless
/// words would have to be broken.
pub fn print_table(
    head: &str,
    columns: &[Column],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<(), Failure> {
    let rows: Vec<_> = rows.into_iter().collect();
    let longest_word = |column: usize| {
        let cells = rows.iter().map(|row| &*row[column]);
        let words = cells
            .chain([columns[column].0])
            .flat_map(str::split_whitespace);
        words.map(|word| word.chars().count()).max().unwrap_or(0) as u16
    };
    let words: Vec<u16> = (0..columns.len()).map(longest_word).collect();
    let least = words.iter().map(|&word| word + GAP).sum::<u16>() - GAP;
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(columns.iter().map(|Column(heading, _)| heading))
        .add_rows(rows);
    // Without a width, comfy_table does not wrap.
    let terminal = terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns);
    if let Some(columns) = terminal.filter(|&columns| columns >= least) {
        table.set_width(columns);
    }
    let last = columns.len() - 1;
    let each = table.column_iter_mut().zip(columns).zip(words);
    for (index, ((column, Column(_, alignment)), word)) in each.enumerate() {
        let gap = if index == last { 0 } else { GAP };
        column.set_cell_alignment(*alignment);
        column.set_padding((0, gap));
        column.set_constraint(ColumnConstraint::LowerBoundary(Fixed(word + gap)));
    }
    stdio::print(format!("{head}{}\n", table.trim_fmt()).as_bytes())
}

/// Prints one JSON value and nothing else.
pub fn print_json<T: Serialize + ?Sized>(value: &T) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| {
        Failure::message(format!("the result cannot be written as JSON: {error}"))
    })?;
    stdio::print(format!("{text}\n").as_bytes())
}
