// SPDX-License-Identifier: MIT OR Apache-2.0
//! Questions that several sections put to a machine's measurements.

use super::charts;
use super::measure::{PORTABLE, is_scalar};
use super::measured::{Known, Measured, Row};

/// The length at which implementations are compared.
pub const LONG_BYTES: usize = 4096;
/// Quartiles further apart than this part of the median: the figure is not to be trusted.
pub const NOISY: f64 = 0.05;
/// So many noisy rows, as a part of all, make a noisy machine.
const NOISY_ROWS: f64 = 0.25;

impl Measured {
    /// The compression functions, in the order of the file.
    pub fn algorithms(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for known in &self.implementations {
            if !names.contains(&known.algorithm.as_str()) {
                names.push(&known.algorithm);
            }
        }
        names.retain(|name| self.rows.iter().any(|row| row.algorithm == *name));
        names
    }

    /// An implementation's row for messages of that length.
    pub fn row(&self, algorithm: &str, implementation: &str, bytes: usize) -> Option<&Row> {
        self.rows.iter().find(|row| {
            row.algorithm == algorithm && row.implementation == implementation && row.bytes == bytes
        })
    }

    /// The measured implementations of an algorithm and a mode, with their rows.
    pub fn timed(&self, algorithm: &str, mode: &str, bytes: usize) -> Vec<(&Known, &Row)> {
        self.implementations
            .iter()
            .filter(|known| known.algorithm == algorithm && known.mode == mode)
            .filter_map(|known| Some((known, self.row(algorithm, &known.implementation, bytes)?)))
            .collect()
    }

    /// What the library selects or, where the file does not say, the fastest in constant time.
    pub fn best(&self, algorithm: &str, mode: &str) -> Option<(&Known, &Row)> {
        let timed = self.timed(algorithm, mode, LONG_BYTES);
        let selected = timed.iter().find(|(known, _)| known.selected).copied();
        selected.or_else(|| fastest(timed, |known| known.constant_time))
    }

    /// What runs everywhere.
    pub fn portable(&self, algorithm: &str) -> Option<&Row> {
        let rows = PORTABLE
            .iter()
            .map(|name| self.row(algorithm, name, LONG_BYTES));
        rows.flatten().next()
    }

    /// The fastest in general registers, without tables.
    pub fn best_scalar(&self, algorithm: &str) -> Option<(&Known, &Row)> {
        let timed = self.timed(algorithm, "single", LONG_BYTES);
        fastest(timed, |known| is_scalar(&known.implementation))
    }

    /// The file says what the library selects.
    pub fn says_selected(&self) -> bool {
        self.implementations.iter().any(|known| known.selected)
    }

    /// Why the figures are not good, if they are not.
    pub fn noise(&self) -> Option<String> {
        let noisy = self.rows.iter().filter(|row| row.spread() > NOISY).count();
        let part = noisy as f64 / self.rows.len().max(1) as f64;
        let clock = self.clock.spread();
        (part > NOISY_ROWS || clock > NOISY).then(|| {
            format!(
                "This machine was too noisy for its figures: the quartiles of {:.0} % of the rows \
                 are more than {:.0} % of their median apart, those of the clock {:.1} %. Measure \
                 again when it is quieter.",
                part * 100.0,
                NOISY * 100.0,
                clock * 100.0
            )
        })
    }
}

pub fn fastest<'a>(
    timed: Vec<(&'a Known, &'a Row)>,
    allowed: impl Fn(&Known) -> bool,
) -> Option<(&'a Known, &'a Row)> {
    timed
        .into_iter()
        .filter(|(known, _)| allowed(known))
        .min_by(|a, b| a.1.cycles.total_cmp(&b.1.cycles))
}

/// The name with the mark of what is not constant-time.
pub fn marked(known: &Known) -> String {
    let mark = if known.constant_time { "" } else { " †" };
    format!("{}{mark}", known.implementation)
}

/// A row's cost of a byte times `scale`, marked if it is noisy.
pub fn cost(row: Option<&Row>, scale: f64) -> String {
    row.map_or(String::new(), |row| {
        let mark = if row.spread() > NOISY { "~" } else { "" };
        format!("{mark}{}", charts::figure(row.cycles * scale))
    })
}

/// The cost of a message or a block, in whole cycles.
pub fn whole(row: Option<&Row>, bytes: usize) -> String {
    row.map_or(String::new(), |row| {
        let mark = if row.spread() > NOISY { "~" } else { "" };
        format!("{mark}{:.0}", row.cycles * bytes as f64)
    })
}
