// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints rows of results to standard output, as an aligned table or as JSON.

use std::io;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
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

/// Prints a table after the lines of `head`. On a terminal, text that is too wide is wrapped.
pub fn print_table(
    head: &str,
    columns: &[Column],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<(), Failure> {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(columns.iter().map(|Column(heading, _)| heading))
        .add_rows(rows);
    if let Some((Width(columns), _)) = terminal_size_of(io::stdout()) {
        table.set_width(columns);
    }
    for (column, Column(_, alignment)) in table.column_iter_mut().zip(columns) {
        column.set_cell_alignment(*alignment);
        column.set_padding((0, 2));
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
