// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first section: recommendations for this machine, and its selected implementations.

use super::charts::{self, Bar, Kind};
use super::measure::FILE_BYTES;
use super::measured::{AUTOMATIC, CORE_CYCLES, Cost, Measured};
use super::page::{Block, Cell, Column, Section, Table};
use super::sections::{Built, about_bounds, chart};
use super::view::{CURRENT, LONG_BYTES, cost, fastest, marked, noise_among, whole};

/// A selection slower than the fastest by more than this factor is pointed out.
const SELECTION_SLACK: f64 = 1.03;
/// The length of a short message.
const SHORT_BYTES: usize = 64;
/// Algorithms for which several threads can hash one message.
const PARALLEL: [&str; 2] = ["blake2bp", "blake2sp"];

/// Shows recommendations for this CPU, its selected implementations, and how far they are from
/// their bounds.
pub fn section(measured: &Measured) -> Built<Section> {
    let algorithms = measured.algorithms();
    let best = ["single", "multi"]
        .into_iter()
        .flat_map(|mode| algorithms.iter().map(move |name| (name, mode)))
        .filter_map(|(name, mode)| measured.best(name, mode));
    let recommended = recommended(measured);
    let rows = recommended.iter().map(|(_, row, _)| *row);
    let rows = rows.chain(best.map(|(_, row)| row));
    let portable = algorithms.iter().filter_map(|name| measured.portable(name));
    let mut blocks: Vec<_> = noise_among(rows.chain(portable)).into_iter().collect();
    blocks.push(Block::Table(recommendations(measured, recommended)));
    blocks.extend(overview(measured).transpose()?);
    blocks.push(Block::Text(advice(measured)));
    blocks.push(Block::Table(table(measured)));
    Ok(Section {
        name: "selected",
        title: "What to use here, and what this CPU selects".to_owned(),
        blocks,
    })
}

/// A purpose, the row of the algorithm to use for it, and how.
type Recommended<'a> = (&'static str, &'a Cost, String);

/// Recommends a current algorithm for each purpose.
fn recommended(measured: &Measured) -> Vec<Recommended<'_>> {
    let many = CURRENT
        .iter()
        .filter_map(|name| Some(measured.best_at(name, "multi", SHORT_BYTES)?.1));
    [
        ("one long message", cheapest(long_messages(measured))),
        ("many short messages", cheapest(many)),
    ]
    .into_iter()
    .filter_map(|(purpose, row)| {
        let row = row?;
        Some((purpose, row, row.implementation.clone()))
    })
    .chain(for_files(measured))
    .collect()
}

fn recommendations(measured: &Measured, recommended: Vec<Recommended<'_>>) -> Table {
    let columns = vec![
        Column::text("for"),
        Column::text("use"),
        Column::number("MB/s"),
        Column::number(match measured.unit.as_str() {
            CORE_CYCLES => "cycles a byte",
            unit => unit,
        }),
        Column::text("how"),
    ];
    let lines = recommended.into_iter();
    let lines = lines.map(|(purpose, row, how)| line(measured, purpose, row, how));
    let mut rows: Vec<_> = lines.collect();
    rows.push(vec![
        Cell::new("passwords"),
        Cell::new("none of these").strong(true),
        Cell::default(),
        Cell::default(),
        Cell::new("Argon2id, scrypt or bcrypt"),
    ]);
    Table { columns, rows }
}

/// Returns rows of a long message for each current algorithm, with the library's own choice if the
/// file has it.
fn long_messages(measured: &Measured) -> impl Iterator<Item = &Cost> {
    CURRENT.iter().filter_map(|name| {
        let automatic = measured.row(name, AUTOMATIC, FILE_BYTES);
        let best = |bytes| Some(measured.best_at(name, "single", bytes)?.1);
        automatic
            .or_else(|| best(FILE_BYTES))
            .or_else(|| best(LONG_BYTES))
    })
}

fn cheapest<'a>(rows: impl Iterator<Item = &'a Cost>) -> Option<&'a Cost> {
    rows.min_by(|a, b| a.cycles.total_cmp(&b.cycles))
}

fn line(measured: &Measured, purpose: &str, row: &Cost, how: String) -> Vec<Cell> {
    vec![
        Cell::new(purpose),
        Cell::new(&row.algorithm).strong(true),
        Cell::new(measured.megabytes(Some(row))),
        Cell::new(cost(Some(row), 1.0)),
        Cell::new(how),
    ]
}

/// Returns the fastest way to hash a file: one message in one thread, or an algorithm with leaves
/// of its own in several.
fn for_files(measured: &Measured) -> Option<Recommended<'_>> {
    let parallel = measured
        .rows
        .iter()
        .filter(|row| row.mode == "tree" && PARALLEL.contains(&row.algorithm.as_str()));
    let bytes = parallel.clone().map(|row| row.bytes).max();
    let parallel = parallel.filter(|row| Some(row.bytes) == bytes);
    let row = cheapest(parallel.chain(long_messages(measured)))?;
    let threads = match row.threads {
        1 => "one thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let how = format!("finalist sum -a {}, {threads}", row.algorithm);
    Some(("files", row, how))
}

fn table(measured: &Measured) -> Table {
    let mut columns = vec![
        Column::text("algorithm"),
        Column::number("portable C, a byte"),
        Column::text("one message"),
    ];
    let heads = ["cycles a block", "a byte", "MB/s", "× its bound"];
    columns.extend(heads.map(Column::number));
    columns.push(Column::text("many messages"));
    columns.extend(["a byte", "MB/s"].map(Column::number));
    let rows = measured
        .algorithms()
        .into_iter()
        .filter_map(|algorithm| selected_row(measured, algorithm))
        .collect();
    Table { columns, rows }
}

/// Shows the selected implementations of all algorithms in one chart.
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
                is_noisy: row.is_noisy(),
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

/// Returns what many messages take if long ones have other, faster lanes than the selected ones,
/// which are those of short messages.
fn long_lanes<'a>(measured: &'a Measured, algorithm: &str) -> Option<&'a Cost> {
    let (_, selected) = measured.best(algorithm, "multi")?;
    let timed = measured.timed(algorithm, "multi", LONG_BYTES);
    let (_, row) = fastest(timed, |known| known.constant_time)?;
    if row.cycles * SELECTION_SLACK > selected.cycles {
        return None;
    }
    let many = measured.rows.iter().filter(|row| {
        row.algorithm == algorithm && row.implementation == AUTOMATIC && row.mode == "multi"
    });
    cheapest(many).filter(|row| row.cycles * SELECTION_SLACK < selected.cycles)
}

fn selected_row(measured: &Measured, algorithm: &str) -> Option<Vec<Cell>> {
    let (known, row) = measured.best(algorithm, "single")?;
    let many = measured.best(algorithm, "multi").map(|(known, row)| {
        match long_lanes(measured, algorithm) {
            Some(row) => (AUTOMATIC.to_owned(), row),
            None => (marked(known), row),
        }
    });
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
        Cell::new(measured.megabytes(Some(row))),
        Cell::new(bound),
        Cell::new(many.as_ref().map_or("", |(name, _)| name)),
        Cell::new(cost(many.as_ref().map(|(_, row)| *row), 1.0)),
        Cell::new(measured.megabytes(many.as_ref().map(|(_, row)| *row))),
    ])
}

/// Points out selections that are not the fastest, and explains why bounds are missing.
fn advice(measured: &Measured) -> String {
    let algorithms = measured.algorithms();
    let mut text = String::new();
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
    let with_long_lanes = |name: &&&str| long_lanes(measured, name).is_some();
    let names: Vec<_> = algorithms.iter().filter(with_long_lanes).copied().collect();
    if !names.is_empty() {
        text.push_str(&format!(
            "Many long messages of {} have other lanes than short ones: {AUTOMATIC} is what 1 KiB \
             messages take. ",
            names.join(", ")
        ));
    }
    text.push_str("All that is selected takes the same time for all messages of a length. ");
    text.push_str(&about_bounds(measured));
    text
}

/// Returns a constant-time implementation that is faster than the selected one.
fn second(measured: &Measured, algorithm: &str, mode: &str) -> Option<String> {
    if mode == "multi" && long_lanes(measured, algorithm).is_some() {
        return None;
    }
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
