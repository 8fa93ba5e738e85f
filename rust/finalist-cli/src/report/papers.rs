// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of the papers, redone: their figure and CPU, ours, and the factor.

use serde::Deserialize;

use super::charts::figure;
use super::measured::Measured;
use super::page::{Block, Cell, Column, Section, Table};
use super::view::cost;
use crate::failure::Failure;

const PAPERS: &str = include_str!("papers.json");
const CYCLES: &str = "cycles";

/// A table of a paper.
#[derive(Deserialize)]
struct Paper {
    title: String,
    rows: Vec<Figure>,
}

/// A figure of a paper and what stands beside it.
#[derive(Deserialize)]
struct Figure {
    label: String,
    cpu: String,
    theirs: f64,
    unit: String,
    /// Where the paper says so.
    source: String,
    #[serde(default)]
    ours: Option<Ours>,
    #[serde(default)]
    elsewhere: Option<Elsewhere>,
}

/// The row of a measured file that stands for it.
#[derive(Deserialize)]
struct Ours {
    algorithm: String,
    implementation: String,
    bytes: usize,
}

/// A figure that no machine at hand can measure.
#[derive(Deserialize)]
struct Elsewhere {
    /// As the document gives it.
    figure: String,
    how: String,
    document: String,
}

fn papers() -> Result<Vec<Paper>, Failure> {
    serde_json::from_str(PAPERS)
        .map_err(|error| Failure::message(format!("report: the papers' tables: {error}")))
}

pub fn section(machines: &[&Measured]) -> Result<Section, Failure> {
    let mut blocks = vec![Block::text(
        "Each row: the paper's figure and CPU, this library's on the machines here with the same \
         technique, and their figure divided by ours. Long messages are 4096 bytes here. What no \
         machine here can run says how its figure came about.",
    )];
    for paper in papers()? {
        blocks.push(Block::Heading(paper.title.clone()));
        blocks.push(Block::Table(table(&paper, machines)));
    }
    Ok(Section {
        name: "papers",
        title: "The papers' tables, redone".to_owned(),
        blocks,
    })
}

fn table(paper: &Paper, machines: &[&Measured]) -> Table {
    let runs_here = paper.rows.iter().any(|row| row.ours.is_some());
    let shown = if runs_here { machines } else { &[] };
    let unit = &paper.rows[0].unit;
    let mut columns = vec![
        Column::text("what"),
        Column::text("their CPU"),
        Column::number(format!("their {unit}")),
    ];
    for machine in shown {
        columns.push(Column::number(machine.machine.name()));
        columns.push(Column::number("factor"));
    }
    columns.extend([
        Column::text("elsewhere"),
        Column::number("factor"),
        Column::text("source"),
    ]);
    let rows = paper.rows.iter().map(|row| cells(row, unit, shown));
    Table {
        columns,
        rows: rows.collect(),
    }
}

fn cells(row: &Figure, usual: &str, machines: &[&Measured]) -> Vec<Cell> {
    let unit = if row.unit == usual {
        ""
    } else {
        row.unit.as_str()
    };
    let mut cells = vec![
        Cell::new(&row.label),
        Cell::new(&row.cpu),
        Cell::new(format!("{} {unit}", theirs(row)).trim()),
    ];
    for machine in machines {
        cells.extend(ours(row, machine));
    }
    match &row.elsewhere {
        Some(elsewhere) => {
            let factor = elsewhere
                .figure
                .parse::<f64>()
                .map(|ours| row.theirs / ours);
            let Elsewhere {
                figure: ours,
                how,
                document,
            } = elsewhere;
            cells.push(Cell::new(format!("{ours}, {how}; {document}")));
            cells.push(Cell::new(factor.map(figure).unwrap_or_default()));
        }
        None => cells.extend([Cell::default(), Cell::default()]),
    }
    cells.push(Cell::new(&row.source));
    cells
}

/// Their figure with the digits that they give; counts are whole.
fn theirs(row: &Figure) -> String {
    match row.unit.as_str() {
        "cycles per byte" if row.theirs.fract() == 0.0 => format!("{:.2}", row.theirs),
        _ => row.theirs.to_string(),
    }
}

/// A machine's figure and the factor; empty if it has none.
fn ours(row: &Figure, machine: &Measured) -> [Cell; 2] {
    let found = row
        .ours
        .as_ref()
        .and_then(|ours| machine.row(&ours.algorithm, &ours.implementation, ours.bytes));
    let Some(found) = found else {
        return [Cell::new("–"), Cell::default()];
    };
    let scale = if row.unit == CYCLES {
        found.bytes as f64
    } else {
        1.0
    };
    [
        Cell::new(cost(Some(found), scale)),
        Cell::new(figure(row.theirs / (found.cycles * scale))),
    ]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use finalist::implementations;

    use super::papers;

    /// A figure that stands in a document, too, is the document's.
    #[test]
    fn figures_from_elsewhere_stand_in_their_documents() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for row in papers()
            .expect("the file is well formed")
            .iter()
            .flat_map(|p| &p.rows)
        {
            let Some(elsewhere) = &row.elsewhere else {
                continue;
            };
            let document = std::fs::read_to_string(root.join(&elsewhere.document));
            let document = document.expect("the document is there");
            assert!(
                document.contains(&elsewhere.figure),
                "{}: {}",
                row.label,
                elsewhere.figure
            );
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn every_technique_is_in_the_build_or_said_to_run_elsewhere() {
        let all = implementations();
        for row in papers()
            .expect("the file is well formed")
            .iter()
            .flat_map(|p| &p.rows)
        {
            let known = row.ours.as_ref().is_some_and(|ours| {
                let same = |each: &finalist::Implementation| {
                    each.algorithm == ours.algorithm && each.name == ours.implementation
                };
                all.iter().any(same)
            });
            assert!(
                known || row.elsewhere.is_some(),
                "{}: {}",
                row.label,
                row.source
            );
        }
    }
}
