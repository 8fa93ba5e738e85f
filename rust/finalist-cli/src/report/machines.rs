// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several machines side by side.

use super::charts::figure;
use super::measured::{CORE_CYCLES, Measured};
use super::page::{Block, Cell, Column, Section, Table};
use super::view::cost;

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
    let mut blocks = vec![Block::text(format!(
        "Core cycles per byte of a message of 4096 bytes, and the ratio to {}: above 1, the other \
         machine takes more cycles. Clocks differ, so ratios of cycles are not ratios of time.",
        first.machine.name()
    ))];
    for (mode, title) in [("single", "One message"), ("multi", "Many messages")] {
        blocks.push(Block::Heading(title.to_owned()));
        blocks.push(Block::Table(table(first, others, mode)));
    }
    Some(Section {
        name: "machines",
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
    let rows = first.algorithms().into_iter().filter_map(|algorithm| {
        let (known, row) = first.best(algorithm, mode)?;
        let mut cells = vec![
            Cell::new(algorithm),
            Cell::new(&known.implementation),
            Cell::new(cost(Some(row), 1.0)),
        ];
        for other in others {
            match other.best(algorithm, mode) {
                Some((known, there)) => cells.extend([
                    Cell::new(&known.implementation),
                    Cell::new(cost(Some(there), 1.0)),
                    Cell::new(figure(there.cycles / row.cycles)),
                ]),
                None => cells.extend([Cell::default(), Cell::default(), Cell::default()]),
            }
        }
        Some(cells)
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}
