// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts the results of a list's lines.

/// The result for a file that a line names.
pub enum Outcome {
    Match,
    Mismatch,
    /// The file is missing, which is ignored.
    Missing,
    Failed(String),
}

/// Counts of one list.
#[derive(Default)]
pub struct Tally {
    pub improper: u64,
    pub unread: u64,
    pub mismatched: u64,
    pub proper: bool,
    pub matched: bool,
    pub unreadable: bool,
    /// Matching lines that do not name their algorithm.
    pub untagged_matched: u64,
    pub untagged_mismatched: u64,
}

impl Tally {
    pub fn count_untagged(&mut self, outcome: &Outcome, is_tagged: bool) {
        match outcome {
            Outcome::Match if !is_tagged => self.untagged_matched += 1,
            Outcome::Mismatch if !is_tagged => self.untagged_mismatched += 1,
            _ => (),
        }
    }

    /// Returns true if the lines without a tag may belong to another algorithm.
    pub fn doubts_algorithm(&self) -> bool {
        self.untagged_matched == 0 && self.untagged_mismatched != 0
    }
}
