// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several machines side by side.

use super::charts::figure;
use super::measured::{CORE_CYCLES, Cost, Known, Measured};
use super::page::{Block, Cell, Column, Section, Table};
use super::view::{cost, noise_among};

/// Cycles per byte of what each machine selects, and the ratio to the first machine.
pub fn section(machines: &[&Measured]) -> Option<Section> {
    let comparable: Vec<_> = machines
        .iter()
        .filter(|each| each.unit == CORE_CYCLES)
        .collect();
    let (first, others) = comparable.split_first()?;
    if others.is_empty() {
        return None;
    }
    let modes = ["single", "multi"];
    let rows = comparable.iter().flat_map(|machine| {
        let algorithms = machine.algorithms().into_iter();
        let all = algorithms.flat_map(move |name| modes.map(|mode| machine.best(name, mode)));
        all.flatten().map(|(_, row)| row)
    });
    let mut blocks: Vec<_> = noise_among(rows).into_iter().collect();
    blocks.push(Block::text(format!(
        "Core cycles per byte of a message of 4096 bytes, and the ratio to {}: above 1, the other \
         machine takes more cycles. Clocks differ, so ratios of cycles are not ratios of time. What a \
         file has not measured is blank.",
        first.machine.name()
    )));
    for (mode, title) in modes.into_iter().zip(["One message", "Many messages"]) {
        blocks.push(Block::Heading(title.to_owned()));
        blocks.push(Block::Table(table(first, others, mode)));
    }
    Some(Section {
        name: super::MACHINES,
        title: "Machines side by side".to_owned(),
        blocks,
    })
}

fn table(first: &Measured, others: &[&&Measured], mode: &str) -> Table {
    let mut columns = vec![Column::text("algorithm")];
    columns.push(Column::text(first.machine.name()));
    columns.push(Column::number("a byte"));
    for other in others {
        columns.push(Column::text(other.machine.name()));
        columns.push(Column::number("a byte"));
        columns.push(Column::number("ratio"));
    }
    let mut algorithms = first.algorithms();
    for algorithm in others.iter().flat_map(|other| other.algorithms()) {
        if !algorithms.contains(&algorithm) {
            algorithms.push(algorithm);
        }
    }
    let rows = algorithms.into_iter().map(|algorithm| {
        let here = first.best(algorithm, mode);
        let mut cells = vec![Cell::new(algorithm)];
        cells.extend(named(here));
        for other in others {
            let there = other.best(algorithm, mode);
            cells.extend(named(there));
            let ratio = here
                .zip(there)
                .map(|(here, there)| figure(there.1.cycles / here.1.cycles));
            cells.push(Cell::new(ratio.unwrap_or_default()));
        }
        cells
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

/// Returns the implementation that a machine selects and its cost; blank if not measured there.
fn named(found: Option<(&Known, &Cost)>) -> [Cell; 2] {
    found.map_or_else(Default::default, |(known, row)| {
        [
            Cell::new(&known.implementation),
            Cell::new(cost(Some(row), 1.0)),
        ]
    })
}
