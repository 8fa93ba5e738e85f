// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist list`: the implementations in this build.

use std::process::ExitCode;

use clap::Args;
use finalist::{Implementation, core_class, implementations};
use serde::Serialize;

use crate::failure::Failure;
use crate::stdio;
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
    /// The class of cores whose preferences decide.
    core: &'static str,
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
            core: core_class(),
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
    table::print_table("", &columns, cells)?;
    stdio::print(format!("\nselected for {}\n", core_class()).as_bytes())
}
