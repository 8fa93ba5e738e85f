// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sections about one machine, in the order of a reader's questions.

use std::collections::BTreeSet;

use finalist_files::message::counted;

use super::charts::{self, Bar, Kind, Lines, Point, Series};
use super::measure::PORTABLE;
use super::measured::{AUTOMATIC, Cost, Known, Measured};
use super::page::{Block, Cell, Chart, Column, Section, Table};
use super::view::{LONG_BYTES, cost, marked, noise_among, whole};
use crate::error::Error;

pub type Built<T> = Result<T, Error>;

pub fn chart(name: &str, description: String, drawn: charts::Drawn) -> Built<Block> {
    let svg = drawn.map_err(|error| Error::message(format!("report: {name}: {error}")))?;
    Ok(Block::Chart(Chart {
        name: name.to_owned(),
        description,
        svg,
    }))
}

/// Shows every implementation of every algorithm: charts and tables.
pub fn implementations(measured: &Measured) -> Built<Section> {
    let rows = measured.rows.iter().filter(|row| {
        let shown: &[usize] = match row.mode.as_str() {
            "single" => &[1, 64, LONG_BYTES],
            "multi" => &[64, LONG_BYTES],
            _ => &[],
        };
        row.implementation != AUTOMATIC && shown.contains(&row.bytes)
    });
    let mut blocks: Vec<_> = noise_among(rows).into_iter().collect();
    blocks.push(Block::text(format!(
        "Messages of {LONG_BYTES} bytes, through the interface; lower is better. The bound is the \
         chain of dependent operations, each at one cycle. {} † is not constant-time and \
         selected only by name. Where the line in a bar is visible, it spans the quartiles.",
        about_bounds(measured)
    )));
    for algorithm in measured.algorithms() {
        blocks.push(Block::Heading(algorithm.to_owned()));
        for (mode, title) in [("single", "one message"), ("multi", "many messages")] {
            let timed = measured.timed(algorithm, mode, LONG_BYTES);
            if timed.is_empty() {
                continue;
            }
            let title = format!("{algorithm}, {title}");
            let bars: Vec<_> = timed.iter().map(|(known, row)| bar(known, row)).collect();
            let drawn = charts::bars(&title, &measured.unit, &bars);
            let description = format!("{title}: {} by implementation", measured.unit);
            blocks.push(chart(&format!("{algorithm}-{mode}"), description, drawn)?);
            blocks.push(Block::Table(match mode {
                "single" => single_table(measured, &timed),
                _ => multi_table(measured, &timed),
            }));
        }
    }
    Ok(Section {
        name: "implementations",
        title: "Every implementation".to_owned(),
        blocks,
    })
}

/// Explains which figures have no bound.
pub fn about_bounds(measured: &Measured) -> String {
    let has_bound = |algorithm: &str| {
        let mut all = measured.implementations.iter();
        all.any(|known| known.algorithm == algorithm && known.bound_cycles.is_some())
    };
    let mut without = measured.algorithms();
    without.retain(|algorithm| !has_bound(algorithm));
    without.push("kernels of lanes");
    let (last, others) = without.split_last().expect("there is one");
    let names = match others {
        [] => (*last).to_owned(),
        _ => format!("{} and {last}", others.join(", ")),
    };
    let names = names.replacen("kernels", "Kernels", usize::from(others.is_empty()));
    format!(
        "A bound is given where the chain's instructions were counted. {names} have none: their \
         operations do not wait for each other, so that the number of execution ports limits them, \
         which differs by CPU."
    )
}

fn bar(known: &Known, row: &Cost) -> Bar {
    let lanes = match known.lanes {
        1 => String::new(),
        lanes => format!(" ({lanes})"),
    };
    let kind = match known {
        known if !known.constant_time => Kind::OptIn,
        known if known.selected => Kind::Chosen,
        _ => Kind::Usual,
    };
    let bound = known.bound_cycles.filter(|_| known.mode == "single");
    Bar {
        label: format!("{}{lanes}", marked(known)),
        value: row.cycles,
        range: (row.q1, row.q3),
        is_noisy: row.is_noisy(),
        bound: bound.map(|bound| f64::from(bound) / known.block_bytes as f64),
        kind,
    }
}

fn single_table(measured: &Measured, timed: &[(&Known, &Cost)]) -> Table {
    let heads = [
        "bound",
        "cycles a block",
        "a byte",
        "quartiles",
        "1 byte",
        "64 bytes",
    ];
    let mut columns = vec![Column::text("implementation")];
    columns.extend(heads.map(Column::number));
    let rows = timed.iter().map(|(known, row)| {
        let short = |bytes| {
            let row = measured.row(&known.algorithm, &known.implementation, bytes);
            Cell::new(whole(row, bytes))
        };
        let bound = known
            .bound_cycles
            .map_or(String::new(), |bound| bound.to_string());
        vec![
            Cell::new(marked(known)).strong(known.selected),
            Cell::new(bound),
            Cell::new(whole(Some(row), known.block_bytes)),
            Cell::new(cost(Some(row), 1.0)),
            Cell::new(format!(
                "{}–{}",
                charts::figure(row.q1),
                charts::figure(row.q3)
            )),
            short(1),
            short(64),
        ]
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

fn multi_table(measured: &Measured, timed: &[(&Known, &Cost)]) -> Table {
    let heads = ["lanes", "a byte", "quartiles", "a byte of 64"];
    let mut columns = vec![Column::text("implementation")];
    columns.extend(heads.map(Column::number));
    let rows = timed.iter().map(|(known, row)| {
        let short = measured.row(&known.algorithm, &known.implementation, 64);
        vec![
            Cell::new(marked(known)).strong(known.selected),
            Cell::new(known.lanes.to_string()),
            Cell::new(cost(Some(row), 1.0)),
            Cell::new(format!(
                "{}–{}",
                charts::figure(row.q1),
                charts::figure(row.q3)
            )),
            Cell::new(cost(short, 1.0)),
        ]
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

/// Shows cycles per byte by length: portable, selected, and the best in general registers.
pub fn lengths(measured: &Measured) -> Built<Section> {
    let algorithms = measured.algorithms();
    let panels: Vec<_> = algorithms
        .iter()
        .map(|&algorithm| Lines {
            title: algorithm.to_owned(),
            x: "message, bytes",
            ticks: vec![1.0, 16.0, 256.0, 4096.0, 65536.0, 1_048_576.0],
            series: length_series(measured, algorithm),
        })
        .filter(|lines| !lines.series.is_empty())
        .collect();
    let rows = measured.rows.iter().filter(|row| {
        row.mode == "single"
            && length_names(measured, &row.algorithm).contains(&&*row.implementation)
    });
    let mut blocks: Vec<_> = noise_among(rows).into_iter().collect();
    blocks.push(Block::text(
        "One message. Up to a block, all lengths cost the same; what a call costs beside its blocks \
         shows on the left, what a block costs on the right. Charts divide by the best of the lines \
         at each length.",
    ));
    if !panels.is_empty() {
        let drawn = charts::panels("By length of the message", "times the best", &panels, 2);
        let description = "Cost of a byte by length of the message, times the best".to_owned();
        blocks.push(chart("lengths", description, drawn)?);
    }
    blocks.push(by_length(measured));
    Ok(Section {
        name: "lengths",
        title: "Short and long messages".to_owned(),
        blocks,
    })
}

/// Shows the selected implementations by length.
fn by_length(measured: &Measured) -> Block {
    const SHOWN: [(&str, usize); 4] = [
        ("64 bytes", 64),
        ("1 KiB", 1024),
        ("16 KiB", 1 << 14),
        ("1 MiB", 1 << 20),
    ];
    let mut columns = vec![Column::text(format!("selected, {}", measured.unit))];
    columns.extend(SHOWN.map(|(title, _)| Column::number(title)));
    columns.push(Column::number("1 MiB, MB/s"));
    let rows = measured.algorithms().into_iter().filter_map(|algorithm| {
        let (known, _) = measured.best(algorithm, "single")?;
        let at = |bytes| measured.row(algorithm, &known.implementation, bytes);
        let mut cells = vec![Cell::new(algorithm)];
        cells.extend(SHOWN.map(|(_, bytes)| Cell::new(cost(at(bytes), 1.0))));
        cells.push(Cell::new(measured.megabytes(at(1 << 20))));
        Some(cells)
    });
    Block::Table(Table {
        columns,
        rows: rows.collect(),
    })
}

fn point(x: usize, row: &Cost) -> Point {
    Point {
        x: x as f64,
        y: row.cycles,
        range: (row.q1, row.q3),
        is_noisy: row.is_noisy(),
    }
}

/// Returns the implementations that are shown by length.
fn length_names<'a>(measured: &'a Measured, algorithm: &str) -> Vec<&'a str> {
    let best = measured.best(algorithm, "single").map(|(known, _)| known);
    let scalar = measured.best_scalar(algorithm).map(|(known, _)| known);
    let mut names: Vec<&str> = PORTABLE.into();
    names.extend(best.map(|known| known.implementation.as_str()));
    names.extend(scalar.map(|known| known.implementation.as_str()));
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    names
}

fn length_series(measured: &Measured, algorithm: &str) -> Vec<Series> {
    let names = length_names(measured, algorithm);
    let series = names.into_iter().map(|name| {
        let rows = measured.rows.iter().filter(|row| {
            row.algorithm == algorithm && row.implementation == name && row.mode == "single"
        });
        let mut points: Vec<_> = rows.map(|row| point(row.bytes, row)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series {
            label: name.to_owned(),
            points,
        }
    });
    let mut series: Vec<_> = series.filter(|series| series.points.len() > 1).collect();
    charts::relative(&mut series);
    series
}

/// Shows throughput by the number of messages that one call hashes.
pub fn messages(measured: &Measured) -> Built<Section> {
    let rows = |algorithm: &str| -> Vec<&Cost> {
        let rows = measured.rows.iter().filter(|row| {
            row.algorithm == algorithm && row.implementation == AUTOMATIC && row.mode == "multi"
        });
        rows.collect()
    };
    let mut shown: Vec<(&str, Vec<&Cost>)> = Vec::new();
    for algorithm in measured.algorithms() {
        let rows = rows(algorithm);
        // The first submission's cost the same.
        if rows.len() > 1 && !algorithm.starts_with("groestl0-") {
            shown.push((algorithm, rows));
        }
    }
    let mut blocks = vec![Block::text("The file has no rows for this.")];
    if let Some((_, rows)) = shown.first() {
        let all = shown.iter().flat_map(|(_, rows)| rows.iter().copied());
        blocks = noise_among(all).into_iter().collect();
        blocks.push(Block::text(format!(
            "One call hashes messages of {} bytes, with what the library chooses: as soon as several \
             wait, each gets a lane of the vector registers. The chart divides by the best algorithm \
             at each number.",
            rows[0].bytes
        )));
        blocks.push(messages_chart(&shown)?);
        blocks.push(by_number(measured, &shown));
    }
    Ok(Section {
        name: "messages",
        title: "Many messages at once".to_owned(),
        blocks,
    })
}

fn messages_chart(shown: &[(&str, Vec<&Cost>)]) -> Built<Block> {
    let series = shown.iter().map(|(algorithm, rows)| Series {
        label: (*algorithm).to_owned(),
        points: rows.iter().map(|row| point(row.messages, row)).collect(),
    });
    let mut series: Vec<_> = series.collect();
    charts::relative(&mut series);
    let lines = Lines {
        title: String::new(),
        x: "messages",
        ticks: (0..=5).map(|power| 4_f64.powi(power)).collect(),
        series,
    };
    let drawn = charts::panels("By number of messages", "times the best", &[lines], 1);
    let description = "Cost of a byte by number of messages, times the best".to_owned();
    chart("messages", description, drawn)
}

/// Shows the cost of a byte by number of messages.
fn by_number(measured: &Measured, shown: &[(&str, Vec<&Cost>)]) -> Block {
    const COUNTS: [usize; 5] = [1, 4, 16, 64, 1024];
    let mut columns = vec![Column::text(format!("messages, {}", measured.unit))];
    columns.extend(COUNTS.map(|count| Column::number(count.to_string())));
    columns.push(Column::number("1024, MB/s"));
    let rows = shown.iter().map(|(algorithm, rows)| {
        let at = |count| rows.iter().copied().find(|row| row.messages == count);
        let mut cells = vec![Cell::new(*algorithm)];
        cells.extend(COUNTS.map(|count| Cell::new(cost(at(count), 1.0))));
        cells.push(Cell::new(measured.megabytes(at(1024))));
        cells
    });
    Block::Table(Table {
        columns,
        rows: rows.collect(),
    })
}

/// Shows trees over one long message, with one thread and with all.
pub fn trees(measured: &Measured) -> Built<Section> {
    let trees = || measured.rows.iter().filter(|row| row.mode == "tree");
    let bytes = trees().map(|row| row.bytes).max().unwrap_or(0);
    let rows: Vec<_> = trees().filter(|row| row.bytes == bytes).collect();
    let bars: Vec<_> = rows
        .iter()
        .map(|row| Bar {
            label: match row.threads {
                1 => row.algorithm.clone(),
                threads => format!("{threads} threads"),
            },
            value: row.cycles,
            range: (row.q1, row.q3),
            is_noisy: row.is_noisy(),
            bound: None,
            kind: Kind::Usual,
        })
        .collect();
    let mut blocks = vec![Block::text("The file has no rows for this.")];
    if !bars.is_empty() {
        let drawn = charts::bars("Trees over one message", &measured.unit, &bars);
        blocks = noise_among(rows.iter().copied()).into_iter().collect();
        blocks.extend([
            Block::text(format!(
                "One message of {} MiB: BLAKE2bp and BLAKE2sp, BLAKE2's tree mode with leaves of 64 \
                 KiB and fanout 16, and RFC 9162's tree over chunks of 64 KiB. Cycles are those \
                 that pass until the root is there.",
                bytes >> 20
            )),
            chart(
                "trees",
                "Cost of a byte in trees, by threads".to_owned(),
                drawn,
            )?,
            by_threads(measured, &rows),
        ]);
    }
    Ok(Section {
        name: "trees",
        title: "Trees and threads".to_owned(),
        blocks,
    })
}

/// Shows the cost of a byte in trees by number of threads.
fn by_threads(measured: &Measured, rows: &[&Cost]) -> Block {
    let counts: BTreeSet<_> = rows.iter().map(|row| row.threads).collect();
    let mut columns = vec![Column::text(format!("tree, {}", measured.unit))];
    for &threads in &counts {
        let heading = counted(threads, "thread", "threads");
        columns.push(Column::number(heading.clone()));
        columns.push(Column::number(format!("{heading}, MB/s")));
    }
    let trees = rows.chunk_by(|a, b| a.algorithm == b.algorithm).map(|of| {
        let mut cells = vec![Cell::new(&of[0].algorithm)];
        for &threads in &counts {
            let row = of.iter().copied().find(|row| row.threads == threads);
            cells.push(Cell::new(cost(row, 1.0)));
            cells.push(Cell::new(measured.megabytes(row)));
        }
        cells
    });
    Block::Table(Table {
        columns,
        rows: trees.collect(),
    })
}
