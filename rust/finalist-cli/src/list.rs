// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist list`: the implementations in this build.

use std::process::ExitCode;

use clap::Args;
use finalist::{Implementation, Order, implementations, order};
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
    /// Its place in the order was measured.
    measured: bool,
    microarchitecture: &'static str,
    order: &'static str,
    order_file: &'static str,
}

impl From<Implementation> for Row {
    fn from(row: Implementation) -> Row {
        let order = order();
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
            measured: row.measured,
            microarchitecture: order.microarchitecture,
            order: order.name,
            order_file: order.file,
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
        Column::mark("measured"),
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
            mark(row.measured),
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
    stdio::print(format!("\n{}\n", choice(&order())).as_bytes())
}

/// What the automatic choice goes by, on one line.
fn choice(order: &Order) -> String {
    let Order {
        microarchitecture,
        name,
        file,
    } = *order;
    let cpu = match microarchitecture {
        "" => "unknown",
        known => known,
    };
    let whose = match name {
        own if own == microarchitecture => format!("as measured on {own}"),
        model if model.starts_with("a model") => format!("by {model}"),
        relative => format!("as measured on {relative}, the nearest relative"),
    };
    format!("microarchitecture {cpu}; selected {whose} ({file})")
}

#[cfg(test)]
mod tests {
    use super::choice;
    use finalist::Order;

    #[test]
    fn the_choice_is_explained() {
        let of = |microarchitecture, name, file| {
            choice(&Order {
                microarchitecture,
                name,
                file,
            })
        };
        assert_eq!(
            of("Zen 4", "Zen 4", "measured/a.json"),
            "microarchitecture Zen 4; selected as measured on Zen 4 (measured/a.json)"
        );
        assert_eq!(
            of("Zen 3", "Zen 4", "measured/a.json"),
            "microarchitecture Zen 3; selected as measured on Zen 4, the nearest relative \
             (measured/a.json)"
        );
        assert_eq!(
            of("", "a model of 32-bit Arm", "measured/models.toml"),
            "microarchitecture unknown; selected by a model of 32-bit Arm (measured/models.toml)"
        );
    }
}
