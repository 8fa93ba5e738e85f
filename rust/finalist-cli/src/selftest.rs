// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist selftest`: checks all known answers with every implementation that this CPU supports.

use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use finalist::Implementation;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::choice::chosen;
use crate::failure::Failure;
use crate::stdio;
use crate::table;
use finalist_bench::known_answers::{self, Answer, Case, Failed};
use finalist_files::message::{about, reason};
use finalist_files::platform::{bytes_of, open};

/// The number of failures that text output names; JSON contains all.
const NAMED_FAILURES: usize = 10;
/// Twenty times the length of the project's longest file of vectors.
const FILE_BYTES_MAX: u64 = 32 << 20;
const BAR: &str = "{bar:30} {pos}/{len} answers";

pub const EXAMPLES: &str = "\
Examples:
  finalist selftest                     use the vectors in this build
  finalist selftest --impl ttable64     test one implementation
  finalist selftest --vectors *.jsonl   use your own vectors, in JSON lines";

#[derive(Args)]
pub struct SelftestArgs {
    /// Print one JSON object with the fields passed, failed and failures
    #[arg(long)]
    json: bool,

    /// Test these implementations only: names such as ttable64 or blake256=portable
    #[arg(long = "impl", value_name = "NAME", value_delimiter = ',')]
    implementations: Vec<String>,

    /// Test with the vectors of these files, in JSON lines, instead of those in this build
    #[arg(long, value_name = "FILE", num_args = 1..)]
    vectors: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Summary {
    passed: usize,
    failed: usize,
    failures: Vec<Failed>,
}

pub fn run(args: &SelftestArgs) -> Result<ExitCode, Failure> {
    let implementations = chosen(&args.implementations, &["single", "multi"])?;
    let (cases, mut failures) = load(&args.vectors)?;
    let count = known_answers::count(&cases, &implementations);
    if count == 0 && failures.is_empty() {
        return Err(Failure::message(match cases.len() {
            0 => "selftest: the files hold no vectors",
            _ => "selftest: no vector is for the implementations asked for",
        }));
    }
    let bar = progress_bar(count);
    let answers = known_answers::ask(&cases, &implementations, &bar);
    bar.finish_and_clear();

    let lines = tally(&implementations, &answers);
    let passed = answers
        .iter()
        .filter(|answer| answer.failed.is_none())
        .count();
    failures.extend(answers.into_iter().filter_map(|answer| answer.failed));
    let summary = Summary {
        passed,
        failed: failures.len(),
        failures,
    };
    if args.json {
        table::print_json(&summary)?;
    } else {
        stdio::print((lines + &summary.to_string()).as_bytes())?;
    }
    Ok(if summary.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns the cases of the files, or the built-in ones, and the lines that are not vectors.
///
/// # Errors
/// A file cannot be read: a test without its vectors would be nearly worthless.
fn load(files: &[PathBuf]) -> Result<(Vec<Case>, Vec<Failed>), Failure> {
    if files.is_empty() {
        return Ok((known_answers::compact(), Vec::new()));
    }
    let (mut cases, mut failures) = (Vec::new(), Vec::new());
    for path in files {
        let text = read(path)
            .map_err(|error| Failure::message(about(&bytes_of(path), &reason(&error))))?;
        let (well_formed, malformed) = known_answers::parse(&path.to_string_lossy(), &text);
        cases.extend(well_formed);
        failures.extend(malformed);
    }
    Ok((cases, failures))
}

/// Reads a file of vectors; one that never ends would fill the memory.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    open(path)?
        .take(FILE_BYTES_MAX + 1)
        .read_to_end(&mut text)?;
    match text.len() as u64 > FILE_BYTES_MAX {
        true => Err(io::Error::other("longer than 32 MiB")),
        false => Ok(text),
    }
}

/// Returns a bar that is shown only on a terminal, and not for short work.
fn progress_bar(answers: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(answers as u64), ProgressDrawTarget::hidden());
    bar.set_style(ProgressStyle::with_template(BAR).expect("the template is well formed"));
    let visible = bar.downgrade();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(2));
        if let Some(bar) = visible.upgrade().filter(|bar| !bar.is_finished()) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    });
    bar
}

/// Returns a line for each implementation.
fn tally(implementations: &[Implementation], answers: &[Answer]) -> String {
    let mut lines = String::new();
    for row in implementations {
        let own = answers
            .iter()
            .filter(|a| a.compression == row.algorithm && a.implementation == row.name);
        let (count, failed) = own.fold((0, 0), |(count, failed), answer| {
            (count + 1, failed + usize::from(answer.failed.is_some()))
        });
        let passed = count - failed;
        let name = format!("{} {}", row.algorithm, row.name);
        writeln!(lines, "{name:30} {passed} passed, {failed} failed").expect("a String grows");
    }
    lines
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for failed in self.failures.iter().take(NAMED_FAILURES) {
            writeln!(f, "FAILED {failed}")?;
        }
        if self.failed > NAMED_FAILURES {
            writeln!(f, "and {} more failures", self.failed - NAMED_FAILURES)?;
        }
        writeln!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}
