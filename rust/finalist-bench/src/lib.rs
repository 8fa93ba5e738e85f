// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures the implementations of the crate `finalist` in core cycles, shows the figures in charts
//! and tables, and checks known answers with every implementation.
//!
//! The command-line tool `finalist` offers it as `bench`, `report` and `selftest`.
//!
//! ```
//! use finalist_bench::known_answers;
//!
//! let mut implementations = finalist::implementations();
//! implementations.retain(|each| each.supported && each.algorithm == "blake2s");
//! let bar = indicatif::ProgressBar::hidden();
//! let answers = known_answers::ask(&known_answers::compact(), &implementations, &bar);
//! assert!(answers.iter().all(|answer| answer.failed.is_none()));
//! ```

#![deny(unsafe_code)]

pub mod checksum;
pub mod clock;
pub mod error;
pub mod known_answers;
pub mod quartiles;
pub mod report;
pub mod timing;
pub mod trees;
pub mod vectors;
pub mod work;

pub use error::Error;
