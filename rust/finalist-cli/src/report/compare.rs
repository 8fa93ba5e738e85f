// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares two files from one machine: finds the rows that became slower or faster.

use std::process::ExitCode;

use crate::failure::Failure;
use crate::stdio;
use crate::table::{self, Column};
use finalist_bench::report::charts::figure;
use finalist_bench::report::measured::{Cost, Measured};
use finalist_bench::report::statistics::median;
use finalist_files::message::counted;

/// Smaller changes are ignored.
const CHANGED: f64 = 0.025;
/// Two runs of the same code should agree within this.
const AGREED: f64 = 0.02;

struct Change<'a> {
    name: String,
    old: &'a Cost,
    new: &'a Cost,
    /// New by old, divided by the change that all rows share.
    ratio: f64,
}

/// Prints the changes; fails if anything became slower.
pub fn run(old: &Measured, new: &Measured) -> Result<ExitCode, Failure> {
    if old.unit != new.unit {
        return Err(Failure::message(format!(
            "report: the units differ: '{}' and '{}'",
            old.unit, new.unit
        )));
    }
    let pairs: Vec<_> = new
        .rows
        .iter()
        .filter_map(|row| Some((old.find(row.key())?, row)))
        .collect();
    if pairs.is_empty() {
        return Err(Failure::message(
            "report: the two files have no row in common",
        ));
    }
    let in_both = pairs.len();
    let pairs: Vec<_> = pairs
        .into_iter()
        .filter(|(old, new)| !old.is_noisy() && !new.is_noisy())
        .collect();
    if pairs.is_empty() {
        return Err(Failure::message(
            "report: every row is too noisy to compare",
        ));
    }
    let noisy = in_both - pairs.len();
    let ratios: Vec<f64> = pairs
        .iter()
        .map(|(old, new)| new.cycles / old.cycles)
        .collect();
    let common = median(&ratios);
    let changes: Vec<_> = pairs
        .iter()
        .map(|(old, new)| Change::new(old, new, common))
        .collect();
    print(&changes, noisy, common, old, new)?;
    let slower = changes.iter().any(Change::is_slower);
    Ok(if slower {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

impl<'a> Change<'a> {
    fn new(old: &'a Cost, new: &'a Cost, common: f64) -> Change<'a> {
        let several = match (new.messages, new.threads) {
            (1, 1) => String::new(),
            (1, threads) => format!(", {threads} threads"),
            (messages, _) => format!(" × {messages}"),
        };
        Change {
            name: format!(
                "{} {}, {} B{several}",
                new.algorithm, new.implementation, new.bytes
            ),
            old,
            new,
            ratio: new.cycles / old.cycles / common,
        }
    }

    /// Returns true if the two medians' intervals are disjoint, without the change that all rows
    /// share.
    fn is_sure(&self) -> bool {
        let common = self.new.cycles / self.old.cycles / self.ratio;
        let interval = |row: &Cost| (row.low.unwrap_or(row.q1), row.high.unwrap_or(row.q3));
        let (old_low, old_high) = interval(self.old);
        let (new_low, new_high) = interval(self.new);
        new_low / common > old_high || new_high / common < old_low
    }

    fn is_slower(&self) -> bool {
        self.ratio > 1.0 + CHANGED && self.is_sure()
    }

    fn is_faster(&self) -> bool {
        self.ratio < 1.0 - CHANGED && self.is_sure()
    }
}

fn print(
    changes: &[Change<'_>],
    noisy: usize,
    common: f64,
    old: &Measured,
    new: &Measured,
) -> Result<(), Failure> {
    let agreed = changes
        .iter()
        .filter(|change| (change.ratio - 1.0).abs() <= AGREED)
        .count();
    let missing = old
        .rows
        .iter()
        .filter(|row| new.find(row.key()).is_none())
        .count();
    let added = new
        .rows
        .iter()
        .filter(|row| old.find(row.key()).is_none())
        .count();
    let rows_of = |count| counted(count, "row", "rows");
    let mut head = format!(
        "{} compared, {noisy} left out as too noisy\n\
         median of new by old {common:.3}, by which the ratios are divided\n\
         {} ({:.1} %) within {:.0} %\n",
        rows_of(changes.len()),
        rows_of(agreed),
        agreed as f64 / changes.len() as f64 * 100.0,
        AGREED * 100.0
    );
    if missing + added > 0 {
        head.push_str(&format!(
            "{} only in the old file, {added} only in the new\n",
            rows_of(missing)
        ));
    }
    if old.machine.numbers() != new.machine.numbers() {
        head.push_str("The files are of different CPUs.\n");
    }
    let mut shown: Vec<_> = changes
        .iter()
        .filter(|change| change.is_slower() || change.is_faster())
        .collect();
    if shown.is_empty() {
        return stdio::print(format!("{head}No row changed.\n").as_bytes());
    }
    shown.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    let columns = [
        Column::text(""),
        Column::text("row"),
        Column::number("old"),
        Column::number("new"),
        Column::number("ratio"),
    ];
    let rows = shown.into_iter().map(|change| {
        vec![
            if change.is_slower() {
                "slower"
            } else {
                "faster"
            }
            .to_owned(),
            change.name.clone(),
            figure(change.old.cycles),
            figure(change.new.cycles),
            format!("{:.3}", change.ratio),
        ]
    });
    table::print_table(&format!("{head}\n"), &columns, rows)
}
