// SPDX-License-Identifier: MIT OR Apache-2.0
//! The section about machines and methods of measurement.

use finalist_files::message::counted;

use super::measured::Measured;
use super::page::{Block, Cell, Column, Section, Table};
use super::view::NOISY;

const IN_ROUNDS: &str = "\
A round visits every row once, each time with the messages and the stack elsewhere in memory: a \
call to warm the caches, then three batches, of which the middle one counts. Before and after each \
batch a chain of dependent additions is timed; cycles are the batch's ticks times the quicker \
chain's cycles per tick. A figure is the median of its rounds; the file has the quartiles and a \
95 % bootstrap interval of the median. A call of more than 0.1 ms is interrupted often on a busy \
machine: its figure is the second decile, with the first and the third. Every implementation \
gave the known answers first.";

const ALONE: &str = "\
A batch is repeated if independent additions beside it are slower than at best, because another \
hyperthread shares the core.";

const UNDISTURBED: &str = "\
So is a batch during which the system took the core away, up to 20 times within 20 ms. Rounds whose \
trials were all disturbed do not count, unless all rounds were; then the figure is marked. So is that \
of several threads which waited for cores for more than a tenth of the time.";

/// Describes how each machine's figures were measured.
pub fn section(machines: &[&Measured]) -> Section {
    let mut blocks = Vec::new();
    for measured in machines {
        if machines.len() > 1 {
            blocks.push(Block::Heading(measured.machine.name()));
        }
        blocks.extend(method(measured));
    }
    Section {
        name: "method",
        title: "How it was measured".to_owned(),
        blocks,
    }
}

fn method(measured: &Measured) -> Vec<Block> {
    let Measured {
        machine,
        build,
        clock,
        method,
        ..
    } = measured;
    let mut rows = vec![
        ("CPU", format!("{} ({})", machine.brand, machine.numbers())),
        ("microarchitecture", machine.microarchitecture.clone()),
        ("class of cores", machine.core.clone()),
        ("system", system(measured)),
        ("compiler", build.compiler.clone()),
        ("flags", build.flags.clone()),
        ("finalist", build.finalist.clone()),
        ("clock", clock_text(measured)),
        (
            "spread of the clock",
            format!("{:.1} % between the quartiles", clock.spread() * 100.0),
        ),
        ("date", method.date.clone()),
        ("command", method.command.clone()),
        (
            "rounds",
            format!("{}, {:.0} s in all", method.rounds, method.seconds),
        ),
        ("remark", machine.remark.clone()),
    ];
    rows.retain(|(_, value)| !value.is_empty());
    let rows = rows
        .into_iter()
        .map(|(name, value)| vec![Cell::new(name), Cell::new(value)]);
    let noisy = measured.rows.iter().filter(|row| row.is_noisy()).count();
    let mut blocks = vec![
        Block::Table(Table {
            columns: vec![Column::text("property"), Column::text("value")],
            rows: rows.collect(),
        }),
        Block::text(IN_ROUNDS),
    ];
    blocks.extend(method.alone.then(|| Block::text(ALONE)));
    blocks.extend(method.undisturbed.then(|| Block::text(UNDISTURBED)));
    blocks.push(Block::text(format!(
        "~ marks figures whose quartiles are more than {:.0} % of the median apart, or whose \
         batches were all disturbed: {noisy} of {} here. Charts draw them hollow, with the quartiles.",
        NOISY * 100.0,
        counted(measured.rows.len(), "row", "rows")
    )));
    blocks
}

fn system(measured: &Measured) -> String {
    let machine = &measured.machine;
    let place = if machine.is_virtual {
        ", virtual machine"
    } else {
        ""
    };
    let cpus = counted(machine.cpus, "CPU", "CPUs");
    format!(
        "{}, {}, {cpus}{place}",
        machine.system, machine.architecture
    )
}

fn clock_text(measured: &Measured) -> String {
    let clock = &measured.clock;
    let tick = match clock.frequency {
        Some(frequency) => format!("{} at {:.3} GHz", clock.tick, frequency / 1e9),
        None => clock.tick.clone(),
    };
    format!("{:.3} core cycles a tick ({tick})", clock.cycles_per_tick)
}
