// SPDX-License-Identifier: MIT OR Apache-2.0
//! The papers' tables, measured again: their figure and CPU, ours, and the factor.

use serde::Deserialize;

use super::charts::figure;
use super::measured::{Cost, Measured};
use super::page::{Block, Cell, Column, Section, Table};
use super::view::{cost, noise_among};
use crate::error::Error;

const PAPERS: &str = include_str!("papers.json");
const CYCLES: &str = "cycles";
const CYCLES_PER_BYTE: &str = "cycles per byte";

/// A table of a paper.
#[derive(Deserialize)]
struct Paper {
    title: String,
    rows: Vec<Figure>,
}

/// A row of a paper's table.
#[derive(Deserialize)]
struct Figure {
    label: String,
    cpu: String,
    theirs: f64,
    unit: String,
    /// The location in the paper.
    source: String,
    #[serde(default)]
    ours: Option<Ours>,
    #[serde(default)]
    elsewhere: Option<Elsewhere>,
}

/// The row of benchmark results to compare it with.
#[derive(Deserialize)]
struct Ours {
    algorithm: String,
    implementation: String,
    bytes: usize,
}

/// A figure for a machine that is not available here.
#[derive(Deserialize)]
struct Elsewhere {
    /// The figure as the document gives it.
    figure: String,
    how: String,
    document: String,
}

fn papers() -> Result<Vec<Paper>, Error> {
    serde_json::from_str(PAPERS)
        .map_err(|error| Error::message(format!("report: the papers' tables: {error}")))
}

pub fn section(machines: &[&Measured]) -> Result<Section, Error> {
    let papers = papers()?;
    let rows = papers.iter().flat_map(|paper| &paper.rows);
    let rows = rows.flat_map(|row| machines.iter().filter_map(|machine| found(row, machine)));
    let mut blocks: Vec<_> = noise_among(rows).into_iter().collect();
    blocks.push(Block::text(
        "Each row: the paper's figure and CPU, this library's on the machines here with the same \
         technique, and their figure divided by ours. Long messages are 4096 bytes here. Figures \
         that no machine here can give are marked with a letter.",
    ));
    for paper in papers {
        blocks.push(Block::Heading(paper.title.clone()));
        blocks.push(Block::Table(table(&paper, machines)));
        let notes: Vec<_> = notes(&paper)
            .into_iter()
            .map(|(how, document)| format!("{how} ({document})"))
            .zip(LETTERS)
            .map(|(note, letter)| format!("{letter}: {note}"))
            .collect();
        if !notes.is_empty() {
            blocks.push(Block::Text(format!("{}.", notes.join("; "))));
        }
    }
    Ok(Section {
        name: "papers",
        title: "The papers' tables, redone".to_owned(),
        blocks,
    })
}

const LETTERS: [&str; 4] = ["a", "b", "c", "d"];

/// Lists the methods behind others' figures, each once.
fn notes(paper: &Paper) -> Vec<(&str, &str)> {
    let mut notes = Vec::new();
    for elsewhere in paper.rows.iter().filter_map(|row| row.elsewhere.as_ref()) {
        let note = (elsewhere.how.as_str(), elsewhere.document.as_str());
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
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
    let notes = notes(paper);
    if !notes.is_empty() {
        columns.extend([Column::number("elsewhere"), Column::number("factor")]);
    }
    columns.push(Column::text("source"));
    let rows = paper.rows.iter().map(|row| cells(row, unit, shown, &notes));
    Table {
        columns,
        rows: rows.collect(),
    }
}

fn cells(row: &Figure, usual: &str, machines: &[&Measured], notes: &[(&str, &str)]) -> Vec<Cell> {
    let unit = match row.unit.as_str() {
        unit if unit == usual => "",
        CYCLES_PER_BYTE => "a byte",
        unit => unit,
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
            let Elsewhere {
                figure: ours,
                how,
                document,
            } = elsewhere;
            let index = notes.iter().position(|note| *note == (how, document));
            let letter = index.and_then(|index| LETTERS.get(index)).unwrap_or(&"");
            let factor = ours.parse::<f64>().map(|ours| row.theirs / ours);
            cells.push(Cell::new(format!("{ours} {letter}")));
            cells.push(Cell::new(factor.map(figure).unwrap_or_default()));
        }
        None if notes.is_empty() => {}
        None => cells.extend([Cell::default(), Cell::default()]),
    }
    // The heading names the paper.
    let place = row.source.split_once(", ").map_or("", |(_, place)| place);
    cells.push(Cell::new(place));
    cells
}

/// Formats the paper's figure with its own digits; counts are whole.
fn theirs(row: &Figure) -> String {
    match row.unit.as_str() {
        CYCLES_PER_BYTE if row.theirs.fract() == 0.0 => format!("{:.2}", row.theirs),
        _ => row.theirs.to_string(),
    }
}

/// Returns a machine's row for a paper's.
fn found<'a>(row: &Figure, machine: &'a Measured) -> Option<&'a Cost> {
    let ours = row.ours.as_ref()?;
    machine.row(&ours.algorithm, &ours.implementation, ours.bytes)
}

/// Returns a machine's figure and the factor; empty if it has none.
fn ours(row: &Figure, machine: &Measured) -> [Cell; 2] {
    let Some(found) = found(row, machine) else {
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

    /// Checks that figures repeated from a document match it.
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
