// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist list`: the implementations in this build.

use std::process::ExitCode;

use clap::Args;
use finalist::{Algorithm, Implementation, core_class, implementations};
use finalist_bench::report::view::place_of;
use serde::Serialize;

use crate::failure::Failure;
use crate::hash_options::algorithms;
use crate::stdio;
use crate::table::{self, Column};

pub const EXAMPLES: &str = "\
Examples:
  finalist list                    what is used on this CPU
  finalist list blake2b            all implementations of BLAKE2b
  finalist list --wide             all implementations, all columns";

#[derive(Args)]
pub struct ListArgs {
    /// Print one JSON array of objects
    #[arg(long)]
    json: bool,

    /// List the implementations that are used now
    #[arg(long)]
    selected: bool,

    /// List the implementations that this CPU supports
    #[arg(long)]
    supported: bool,

    /// List all implementations, with the columns mode, technique and source
    #[arg(long)]
    wide: bool,

    /// List the implementations of this algorithm's compression function
    #[arg(value_name = "ALGORITHM", value_parser = algorithms(), hide_possible_values = true)]
    algorithm: Option<String>,
}

impl ListArgs {
    /// True if no rows are asked for.
    fn is_plain(&self) -> bool {
        self.algorithm.is_none() && !self.selected && !self.supported && !self.wide
    }

    fn rows(&self) -> Result<Vec<Listed>, Failure> {
        let compression = match &self.algorithm {
            None => None,
            Some(name) => match Algorithm::from_name(name) {
                Ok(algorithm) => Some(algorithm.info().compression),
                Err(error) => return Err(Failure::message(format!("{name}: {error}"))),
            },
        };
        let rows = implementations().into_iter().filter(|row| {
            (row.selected || !self.selected)
                && (row.supported || !self.supported)
                && compression.is_none_or(|compression| row.algorithm == compression)
        });
        let mut rows: Vec<_> = rows.map(Listed::from).collect();
        rows.sort_by_key(|row| place_of(row.algorithm));
        Ok(rows)
    }
}

/// An implementation with the field names of the JSON output.
#[derive(Serialize)]
struct Listed {
    algorithm: &'static str,
    implementation: &'static str,
    technique: &'static str,
    source: &'static str,
    features: Vec<&'static str>,
    supported: bool,
    selected: bool,
    constant_time: bool,
    mode: &'static str,
    lanes: u32,
    /// The class of cores whose preferences are used.
    core: &'static str,
}

impl From<Implementation> for Listed {
    fn from(row: Implementation) -> Listed {
        Listed {
            algorithm: row.algorithm,
            implementation: row.name,
            technique: row.technique,
            source: row.source,
            features: row.features,
            supported: row.supported,
            selected: row.selected,
            constant_time: row.constant_time,
            mode: row.mode,
            lanes: row.lanes,
            core: core_class(),
        }
    }
}

pub fn run(args: &ListArgs) -> Result<ExitCode, Failure> {
    let rows = args.rows()?;
    if args.json {
        table::print_json(&rows)?;
    } else if args.is_plain() {
        print_selected(&rows)?;
    } else {
        print_table(&rows, args.wide)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the selected implementations, a line for each compression function.
fn print_selected(rows: &[Listed]) -> Result<(), Failure> {
    let columns = [
        Column::text("algorithm"),
        Column::text("one message"),
        Column::text("many messages"),
        Column::number("lanes"),
        Column::number("supported"),
        Column::number("in this build"),
    ];
    let lines = rows.chunk_by(|a, b| a.algorithm == b.algorithm).map(|of| {
        let selected = |mode| of.iter().find(|row| row.selected && row.mode == mode);
        let name = |row: Option<&Listed>| row.map_or("-", |row| row.implementation).to_owned();
        let many = selected("multi");
        vec![
            of[0].algorithm.to_owned(),
            name(selected("single")),
            name(many),
            many.map_or(1, |row| row.lanes).to_string(),
            of.iter().filter(|row| row.supported).count().to_string(),
            of.len().to_string(),
        ]
    });
    table::print_table("", &columns, lines)?;
    print_class()
}

fn print_class() -> Result<(), Failure> {
    stdio::print(format!("\nselected for {}\n", core_class()).as_bytes())
}

/// A column: its heading and a row's cell.
type Cells = (Column, fn(&Listed) -> String);

fn print_table(rows: &[Listed], wide: bool) -> Result<(), Failure> {
    fn mark(set: bool) -> String {
        if set { "*" } else { "" }.to_owned()
    }
    fn features(row: &Listed) -> String {
        match row.features.as_slice() {
            [] => "-".to_owned(),
            features => features.join(","),
        }
    }
    let mut columns: Vec<Cells> = vec![
        (Column::text("algorithm"), |row| row.algorithm.to_owned()),
        (Column::text("implementation"), |row| {
            row.implementation.to_owned()
        }),
        (Column::number("lanes"), |row| row.lanes.to_string()),
        (Column::mark("supported"), |row| mark(row.supported)),
        (Column::mark("selected"), |row| mark(row.selected)),
        (Column::mark("constant time"), |row| mark(row.constant_time)),
        (Column::text("features"), features),
    ];
    if wide {
        columns.extend([
            (
                Column::text("mode"),
                (|row| row.mode.to_owned()) as fn(&Listed) -> String,
            ),
            (Column::text("technique"), |row| row.technique.to_owned()),
            (Column::text("source"), |row| row.source.to_owned()),
        ]);
    }
    let (headings, cells): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let rows = rows
        .iter()
        .map(|row| cells.iter().map(|cell| cell(row)).collect());
    table::print_table("", &headings, rows)?;
    print_class()
}
