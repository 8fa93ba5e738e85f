// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queries of a machine's measurements, shared by several sections.

use std::collections::BTreeSet;
use std::ptr;

use finalist::Algorithm;
use finalist_files::message::counted;

use super::charts;
use super::measure::{PORTABLE, is_scalar};
use super::measured::{Cost, Known, Measured};
use super::page::Block;

/// The length at which implementations are compared.
pub const LONG_BYTES: usize = 4096;
/// A figure is unreliable if its quartiles are further apart than this part of the median.
pub const NOISY: f64 = 0.05;
/// With more noisy rows than this, as a part of all, a machine is noisy.
const NOISY_ROWS: f64 = 0.25;

impl Cost {
    pub fn is_noisy(&self) -> bool {
        self.disturbed || self.spread() > NOISY
    }
}

impl Measured {
    /// Returns the compression functions, current ones first.
    pub fn algorithms(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for known in &self.implementations {
            if !names.contains(&known.algorithm.as_str()) {
                names.push(&known.algorithm);
            }
        }
        names.retain(|name| self.rows.iter().any(|row| row.algorithm == *name));
        names.sort_by_key(|name| place_of(name));
        names
    }

    /// Returns an implementation's row for messages of this length.
    pub fn row(&self, algorithm: &str, implementation: &str, bytes: usize) -> Option<&Cost> {
        self.rows.iter().find(|row| {
            row.algorithm == algorithm && row.implementation == implementation && row.bytes == bytes
        })
    }

    /// Returns the measured implementations of an algorithm and a mode, with their rows.
    pub fn timed(&self, algorithm: &str, mode: &str, bytes: usize) -> Vec<(&Known, &Cost)> {
        self.implementations
            .iter()
            .filter(|known| known.algorithm == algorithm && known.mode == mode)
            .filter_map(|known| Some((known, self.row(algorithm, &known.implementation, bytes)?)))
            .collect()
    }

    /// Returns the implementation that the library selects or, if the file does not name it, the
    /// fastest constant-time one. `None` if the selected one was not measured: another one's figure
    /// would be wrong here.
    pub fn best(&self, algorithm: &str, mode: &str) -> Option<(&Known, &Cost)> {
        self.best_at(algorithm, mode, LONG_BYTES)
    }

    /// Does the same for messages of another length.
    pub fn best_at(&self, algorithm: &str, mode: &str, bytes: usize) -> Option<(&Known, &Cost)> {
        let timed = self.timed(algorithm, mode, bytes);
        match self.says_selected() {
            true => timed.into_iter().find(|(known, _)| known.selected),
            false => fastest(timed, |known| known.constant_time),
        }
    }

    /// Formats megabytes per second; empty if the file does not state the duration of a tick.
    pub fn megabytes(&self, row: Option<&Cost>) -> String {
        let frequency = self.clock.frequency;
        row.zip(frequency)
            .map_or(String::new(), |(row, frequency)| {
                format!("{:.0}", frequency / row.ticks / 1e6)
            })
    }

    /// Returns the portable implementation.
    pub fn portable(&self, algorithm: &str) -> Option<&Cost> {
        let rows = PORTABLE
            .iter()
            .map(|name| self.row(algorithm, name, LONG_BYTES));
        rows.flatten().next()
    }

    /// Returns the fastest implementation in general registers, without tables.
    pub fn best_scalar(&self, algorithm: &str) -> Option<(&Known, &Cost)> {
        let timed = self.timed(algorithm, "single", LONG_BYTES);
        fastest(timed, |known| is_scalar(&known.implementation))
    }

    /// Returns true if the file names the library's selections.
    pub fn says_selected(&self) -> bool {
        self.implementations.iter().any(|known| known.selected)
    }

    /// Says why the figures are noisy; `None` if they are not.
    pub fn noise(&self) -> Option<String> {
        let noisy = self.rows.iter().filter(|row| row.is_noisy()).count();
        let part = noisy as f64 / self.rows.len().max(1) as f64;
        let clock = self.clock.spread();
        (part > NOISY_ROWS || clock > NOISY).then(|| {
            format!(
                "This machine was too noisy for its figures: {:.0} % of the rows were always \
                 disturbed, or their quartiles are more than {:.0} % of the median apart; those of \
                 the clock are {:.1} %. Measure again when it is quieter.",
                part * 100.0,
                NOISY * 100.0,
                clock * 100.0
            )
        })
    }
}

/// The recommended algorithms: only BLAKE2 and BLAKE3 are in general use.
pub const CURRENT: [&str; 3] = ["blake3", "blake2b", "blake2s"];

/// Returns the place of a compression function in the order of algorithms.
pub fn place_of(compression: &str) -> Option<usize> {
    let mut all = Algorithm::all().iter();
    all.position(|each| each.info().compression == compression)
}

/// Makes a section's warning with its number of noisy figures; `None` if there are none. A row that
/// is shown several times is one figure.
pub fn noise_among<'a>(rows: impl Iterator<Item = &'a Cost>) -> Option<Block> {
    let mut seen = BTreeSet::new();
    let rows: Vec<&Cost> = rows
        .filter(|row| seen.insert(ptr::from_ref(*row)))
        .collect();
    let count = rows.iter().filter(|row| row.is_noisy()).count();
    (count > 0).then(|| {
        let (are, their) = if count == 1 {
            ("is", "its")
        } else {
            ("are", "their")
        };
        Block::Warning(format!(
            "{count} of the {} here {are} noisy: marked with ~, and hollow with {their} \
             quartiles in charts.",
            counted(rows.len(), "figure", "figures")
        ))
    })
}

pub fn fastest<'a>(
    timed: Vec<(&'a Known, &'a Cost)>,
    allowed: impl Fn(&Known) -> bool,
) -> Option<(&'a Known, &'a Cost)> {
    timed
        .into_iter()
        .filter(|(known, _)| allowed(known))
        .min_by(|a, b| a.1.cycles.total_cmp(&b.1.cycles))
}

/// Returns the name, with a mark if it is not constant-time.
pub fn marked(known: &Known) -> String {
    let mark = if known.constant_time { "" } else { " †" };
    format!("{}{mark}", known.implementation)
}

/// Formats a row's cost of a byte times `scale`, marked if it is noisy.
pub fn cost(row: Option<&Cost>, scale: f64) -> String {
    row.map_or(String::new(), |row| {
        let mark = if row.is_noisy() { "~" } else { "" };
        format!("{mark}{}", charts::figure(row.cycles * scale))
    })
}

/// Formats the cost of a message or a block in whole cycles.
pub fn whole(row: Option<&Cost>, bytes: usize) -> String {
    row.map_or(String::new(), |row| {
        let mark = if row.is_noisy() { "~" } else { "" };
        format!("{mark}{:.0}", row.cycles * bytes as f64)
    })
}
