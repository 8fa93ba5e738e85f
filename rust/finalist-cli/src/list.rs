// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist list`: the implementations in this build.

use std::process::ExitCode;

use clap::Args;
use finalist::{Implementation, implementations};
use serde::Serialize;

use crate::failure::Failure;
use crate::table::{self, Column};

#[derive(Args)]
pub struct ListArgs {
    /// Print one JSON array of objects
    #[arg(long)]
    json: bool,
}

/// An implementation with the field names of the JSON output.
#[derive(Serialize)]
struct Row {
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
}

impl From<Implementation> for Row {
    fn from(row: Implementation) -> Row {
        Row {
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
        }
    }
}

pub fn run(args: &ListArgs) -> Result<ExitCode, Failure> {
    let rows: Vec<Row> = implementations().into_iter().map(Row::from).collect();
    if args.json {
        table::print_json(&rows)?;
    } else {
        print_table(&rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_table(rows: &[Row]) -> Result<(), Failure> {
    let mark = |set: bool| if set { "*" } else { "" }.to_owned();
    let columns = [
        Column::text("algorithm"),
        Column::text("implementation"),
        Column::text("mode"),
        Column::number("lanes"),
        Column::mark("supported"),
        Column::mark("selected"),
        Column::mark("constant time"),
        Column::text("features"),
        Column::text("technique"),
        Column::text("source"),
    ];
    let cells = rows.iter().map(|row| {
        vec![
            row.algorithm.to_owned(),
            row.implementation.to_owned(),
            row.mode.to_owned(),
            row.lanes.to_string(),
            mark(row.supported),
            mark(row.selected),
            mark(row.constant_time),
            if row.features.is_empty() {
                "-".into()
            } else {
                row.features.join(",")
            },
            row.technique.to_owned(),
            row.source.to_owned(),
        ]
    });
    table::print_table("", &columns, cells)
}
