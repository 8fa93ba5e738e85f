// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sections about one machine, in the order in which a reader asks.

use super::charts::{self, Bar, Kind, Lines, Series};
use super::measure::PORTABLE;
use super::measured::{AUTOMATIC, Known, Measured, Row};
use super::page::{Block, Cell, Chart, Column, Section, Table};
use super::view::{LONG_BYTES, cost, fastest, marked, whole};
use crate::failure::Failure;

/// Slower than the fastest by more than this, the selection is worth a second look.
const SELECTION_SLACK: f64 = 1.03;

pub type Built<T> = Result<T, Failure>;

pub fn chart(name: &str, description: String, drawn: charts::Drawn) -> Built<Block> {
    let svg = drawn.map_err(|error| Failure::message(format!("report: {name}: {error}")))?;
    Ok(Block::Chart(Chart {
        name: name.to_owned(),
        description,
        svg,
    }))
}

/// What this CPU selects, and how far that is from its bound.
pub fn selected(measured: &Measured) -> Built<Section> {
    let heads = [
        "portable C, a byte",
        "cycles a block",
        "a byte",
        "× its bound",
    ];
    let mut columns = vec![Column::text("algorithm"), Column::number(heads[0])];
    columns.push(Column::text("one message"));
    columns.extend(heads[1..].iter().map(|head| Column::number(*head)));
    columns.extend([Column::text("many messages"), Column::number("a byte")]);
    let rows = measured
        .algorithms()
        .into_iter()
        .filter_map(|algorithm| selected_row(measured, algorithm))
        .collect();
    let mut blocks = vec![Block::Text(advice(measured))];
    blocks.extend(overview(measured).transpose()?);
    blocks.push(Block::Table(Table { columns, rows }));
    Ok(Section {
        name: "selected",
        title: "What this CPU selects".to_owned(),
        blocks,
    })
}

/// What is selected, all algorithms in one chart.
fn overview(measured: &Measured) -> Option<Built<Block>> {
    let mut bars = Vec::new();
    for algorithm in measured.algorithms() {
        for (mode, kind) in [("single", Kind::OneMessage), ("multi", Kind::ManyMessages)] {
            let Some((known, row)) = measured.best(algorithm, mode) else {
                continue;
            };
            bars.push(Bar {
                label: match kind {
                    Kind::OneMessage => format!("{algorithm} {}", known.implementation),
                    _ => known.implementation.clone(),
                },
                value: row.cycles,
                range: (row.q1, row.q3),
                bound: None,
                kind,
            });
        }
    }
    let title = format!("Finalist on {}", measured.machine.name());
    let description = "Cost of a byte with what is selected, for each algorithm".to_owned();
    let drawn = || charts::bars(&title, &measured.unit, &bars);
    (!bars.is_empty()).then(|| chart("selected", description, drawn()))
}

fn selected_row(measured: &Measured, algorithm: &str) -> Option<Vec<Cell>> {
    let (known, row) = measured.best(algorithm, "single")?;
    let many = measured.best(algorithm, "multi");
    let portable = measured.portable(algorithm);
    let bound = known.bound_cycles.map_or(String::new(), |bound| {
        let times = row.cycles * known.block_bytes as f64 / f64::from(bound);
        format!("{times:.2}")
    });
    Some(vec![
        Cell::new(algorithm),
        Cell::new(cost(portable, 1.0)),
        Cell::new(marked(known)),
        Cell::new(whole(Some(row), known.block_bytes)),
        Cell::new(cost(Some(row), 1.0)),
        Cell::new(bound),
        Cell::new(many.map_or(String::new(), |(known, _)| marked(known))),
        Cell::new(cost(many.map(|(_, row)| row), 1.0)),
    ])
}

/// What to use on this machine, and where the selection is not the fastest.
fn advice(measured: &Measured) -> String {
    let algorithms = measured.algorithms();
    let least = |mode: &str| {
        let best = algorithms
            .iter()
            .filter_map(|name| measured.best(name, mode));
        best.min_by(|a, b| a.1.cycles.total_cmp(&b.1.cycles))
    };
    let mut text = String::new();
    if let (Some((one, one_row)), Some((many, many_row))) = (least("single"), least("multi")) {
        text = format!(
            "Fastest here: for one long message {} ({}, {} cycles per byte), for many messages {} \
             ({}, {}). ",
            one.algorithm,
            one.implementation,
            cost(Some(one_row), 1.0),
            many.algorithm,
            many.implementation,
            cost(Some(many_row), 1.0)
        );
    }
    if !measured.says_selected() {
        text.push_str(
            "The file does not say what the library selected: the fastest constant-time \
             implementations are shown. ",
        );
    }
    let slow: Vec<_> = ["single", "multi"]
        .into_iter()
        .flat_map(|mode| {
            algorithms
                .iter()
                .filter_map(move |name| second(measured, name, mode))
        })
        .collect();
    if !slow.is_empty() {
        text.push_str(&format!(
            "Faster than what is selected: {}. ",
            slow.join(", ")
        ));
    }
    text.push_str("All that is selected takes the same time for all messages of a length.");
    text
}

/// A constant-time implementation that is faster than the one selected.
fn second(measured: &Measured, algorithm: &str, mode: &str) -> Option<String> {
    let (known, row) = measured.best(algorithm, mode)?;
    let timed = measured.timed(algorithm, mode, LONG_BYTES);
    let (faster, faster_row) = fastest(timed, |known| known.constant_time)?;
    let factor = row.cycles / faster_row.cycles;
    (factor > SELECTION_SLACK).then(|| {
        format!(
            "{algorithm} {} (by {:.0} %, instead of {})",
            faster.implementation,
            (factor - 1.0) * 100.0,
            known.implementation
        )
    })
}

/// Every implementation of every algorithm: charts and tables.
pub fn implementations(measured: &Measured) -> Built<Section> {
    let mut blocks = vec![Block::text(format!(
        "Messages of {LONG_BYTES} bytes, through the interface; lower is better. The bound is the \
         chain of dependent operations, each at one cycle. † is not constant-time and selected only \
         by name. Where the line in a bar is visible, it spans the quartiles."
    ))];
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

fn bar(known: &Known, row: &Row) -> Bar {
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
        bound: bound.map(|bound| f64::from(bound) / known.block_bytes as f64),
        kind,
    }
}

fn single_table(measured: &Measured, timed: &[(&Known, &Row)]) -> Table {
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

fn multi_table(measured: &Measured, timed: &[(&Known, &Row)]) -> Table {
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

/// Cycles per byte by length: portable, selected, and the best in general registers.
pub fn lengths(measured: &Measured) -> Built<Section> {
    let panels: Vec<_> = measured
        .algorithms()
        .into_iter()
        .map(|algorithm| Lines {
            title: algorithm.to_owned(),
            x: "message, bytes",
            ticks: vec![1.0, 16.0, 256.0, 4096.0, 65536.0, 1_048_576.0],
            series: length_series(measured, algorithm),
        })
        .filter(|lines| !lines.series.is_empty())
        .collect();
    let mut blocks = vec![Block::text(
        "One message. Up to a block, all lengths cost the same; what a call costs beside its blocks \
         shows on the left, what a block costs on the right.",
    )];
    if !panels.is_empty() {
        let drawn = charts::panels("By length of the message", &measured.unit, &panels, 2);
        let description = "Cost of a byte by length of the message, for each algorithm".to_owned();
        blocks.push(chart("lengths", description, drawn)?);
    }
    Ok(Section {
        name: "lengths",
        title: "Short and long messages".to_owned(),
        blocks,
    })
}

fn length_series(measured: &Measured, algorithm: &str) -> Vec<Series> {
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
    let series = names.into_iter().map(|name| {
        let rows = measured.rows.iter().filter(|row| {
            row.algorithm == algorithm && row.implementation == name && row.mode == "single"
        });
        let mut points: Vec<_> = rows.map(|row| (row.bytes as f64, row.cycles)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series {
            label: name.to_owned(),
            points,
        }
    });
    series.filter(|series| series.points.len() > 1).collect()
}

/// Throughput by the number of messages that one call hashes.
pub fn messages(measured: &Measured) -> Built<Section> {
    let mut bytes = 0;
    let mut series = Vec::new();
    for algorithm in measured.algorithms() {
        // Those of the first submission cost the same.
        if algorithm.starts_with("groestl0-") {
            continue;
        }
        let rows = measured.rows.iter().filter(|row| {
            row.algorithm == algorithm && row.implementation == AUTOMATIC && row.mode == "multi"
        });
        let points: Vec<_> = rows
            .inspect(|row| bytes = row.bytes)
            .map(|row| (row.messages as f64, row.cycles))
            .collect();
        if points.len() > 1 {
            series.push(Series {
                label: algorithm.to_owned(),
                points,
            });
        }
    }
    let mut blocks = vec![Block::text(format!(
        "One call hashes so many messages of {bytes} bytes, with what the library chooses: as soon \
         as several wait, each gets a lane of the vector registers."
    ))];
    if series.is_empty() {
        blocks = vec![Block::text("The file has no rows for this.")];
    } else {
        let lines = Lines {
            title: String::new(),
            x: "messages",
            ticks: vec![
                1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0,
            ],
            series,
        };
        let drawn = charts::panels("By number of messages", &measured.unit, &[lines], 1);
        let description = "Cost of a byte by number of messages, for each algorithm".to_owned();
        blocks.push(chart("messages", description, drawn)?);
    }
    Ok(Section {
        name: "messages",
        title: "Many messages at once".to_owned(),
        blocks,
    })
}

/// Trees over one long message, by one thread and by all.
pub fn trees(measured: &Measured) -> Built<Section> {
    let trees = measured.rows.iter().filter(|row| row.mode == "tree");
    let bytes = trees.clone().map(|row| row.bytes).max().unwrap_or(0);
    let bars: Vec<_> = trees
        .filter(|row| row.bytes == bytes)
        .map(|row| Bar {
            label: match row.threads {
                1 => row.algorithm.clone(),
                threads => format!("{threads} threads"),
            },
            value: row.cycles,
            range: (row.q1, row.q3),
            bound: None,
            kind: Kind::Usual,
        })
        .collect();
    let mut blocks = vec![Block::text("The file has no rows for this.")];
    if !bars.is_empty() {
        let drawn = charts::bars("Trees over one message", &measured.unit, &bars);
        blocks = vec![
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
        ];
    }
    Ok(Section {
        name: "trees",
        title: "Trees and threads".to_owned(),
        blocks,
    })
}
