// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts and tables of every implementation on a CPU.

pub mod charts;
pub mod csv;
pub mod html;
pub mod machine;
pub mod markdown;
pub mod measure;
pub mod measured;
pub mod page;
pub mod statistics;
pub mod view;

mod machines;
mod method;
mod papers;
mod progress;
mod sections;
mod selected;

use crate::error::Error;
use measured::Measured;
use page::{Block, Chart, Page, Section};

/// The names of all sections.
pub const SECTIONS: [&str; 8] = [
    "selected",
    "implementations",
    "lengths",
    "messages",
    "trees",
    "papers",
    MACHINES,
    "method",
];
/// The section that there is only for several machines.
pub const MACHINES: &str = "machines";

/// Returns the charts of sections, in their order.
pub fn charts_of(sections: &[Section]) -> Vec<&Chart> {
    let blocks = sections.iter().flat_map(|section| &section.blocks);
    blocks
        .filter_map(|block| match block {
            Block::Chart(chart) => Some(chart),
            _ => None,
        })
        .collect()
}

/// Makes the whole report: the first machine in full, the others compared with it.
///
/// `problems` are listed first; `only` selects the section of that name.
///
/// # Errors
/// Fails if a chart cannot be drawn, or there is no such section.
pub fn page(machines: &[Measured], problems: &[String], only: Option<&str>) -> Result<Page, Error> {
    let first = &machines[0];
    let all: Vec<&Measured> = machines.iter().collect();
    let names: Vec<_> = all.iter().map(|each| each.machine.name()).collect();
    let mut lead: Vec<Block> = all.iter().flat_map(|each| introduction(each)).collect();
    if let [first, _, ..] = names.as_slice() {
        lead.push(Block::text(format!(
            "Sections that name no machine are about {first}."
        )));
    }
    lead.extend(problems.iter().cloned().map(Block::Warning));
    let mut sections = vec![
        selected::section(first)?,
        sections::implementations(first)?,
        sections::lengths(first)?,
        sections::messages(first)?,
        sections::trees(first)?,
        papers::section(&all)?,
    ];
    sections.extend(machines::section(&all));
    sections.push(method::section(&all));
    if let Some(wanted) = only {
        sections.retain(|section| section.name == wanted);
        if sections.is_empty() {
            let text = format!("report: --only: there is no section '{wanted}' of these machines");
            return Err(Error::message(text));
        }
    }
    Ok(Page {
        title: format!("Finalist on {}", names.join(", ")),
        lead,
        sections,
    })
}

/// Describes a machine, with its remark and problems of its figures.
fn introduction(measured: &Measured) -> Vec<Block> {
    let machine = &measured.machine;
    let name = match machine.name() {
        name if name == machine.brand => name,
        name => format!("{name}: {}", machine.brand),
    };
    let mut blocks = vec![Block::text(format!(
        "{name} ({}), {}, {}. Figures are {}; lower is better.",
        machine.numbers(),
        measured.build.compiler,
        measured.method.date,
        measured.unit
    ))];
    if !machine.remark.is_empty() {
        blocks.push(Block::text(machine.remark.clone()));
    }
    blocks.extend(measured.noise().map(Block::Warning));
    blocks
}
