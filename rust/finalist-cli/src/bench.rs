// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist bench`: the speed of the implementations, in core cycles.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use finalist::{Algorithm, c_compiler};
use finalist_bench::timing::{self, Subject, Timing, representative};
use finalist_bench::trees;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::choice::chosen;
use crate::failure::{Failure, report};
use crate::hash_options::algorithms;
use crate::table::{self, Column};
use crate::value::{Parse, size};
use finalist_bench::clock::{TICK, cpu_name};

/// Up to this length, cycles per message are more useful than cycles per byte.
const SHORT_BYTES: usize = 64;
const BYTES_MAX: usize = 1 << 30;
/// The cell of a figure that a row does not have.
const NONE: &str = "-";

pub const EXAMPLES: &str = "\
Examples:
  finalist bench                             every implementation
  finalist bench -a blake2b --bytes 576,4096
  finalist bench --impl groestl256=ttable64 --json
  finalist bench --mode tree                 trees, with one thread and with all";

#[derive(Args)]
pub struct BenchArgs {
    /// Time this algorithm only [default: one for each compression function]
    #[arg(short, long, value_name = "ALG", value_parser = algorithms(), hide_possible_values = true)]
    algorithm: Option<String>,

    /// Time these implementations only: names such as ttable64 or blake256=portable
    #[arg(long = "impl", value_name = "NAME", value_delimiter = ',')]
    implementations: Vec<String>,

    /// One message at a time, many at once, or trees over one message with one thread and with all
    #[arg(long, value_enum, default_value_t = Mode::Single)]
    mode: Mode,

    /// Lengths of the message [default: 1,64,4096,1048576; of trees 1048576,16777216]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_delimiter = ',',
          value_parser = message_bytes())]
    bytes: Vec<usize>,

    /// Print one JSON array of objects
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    Single,
    Multi,
    Tree,
}

fn message_bytes() -> impl Parse<usize> {
    let size = size(1..=BYTES_MAX as u64);
    move |text| Ok(size(text)? as usize)
}

pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    let mode = match args.mode {
        Mode::Tree => return run_trees(args),
        Mode::Single => timing::Mode::Single,
        Mode::Multi => timing::Mode::Multi,
    };
    let subjects = subjects(args, mode)?;
    if subjects.is_empty() {
        return Err(nothing_to_time(args, mode.name()));
    }
    let count = subjects.len();
    let line = line();
    line.set_message("known answers");
    let verified = timing::verify(subjects, &mut |text| {
        line.suspend(|| report(text.as_bytes()));
    });
    let lengths = args.lengths(&[1, 64, 4096, 1 << 20]);
    let mut index = 0;
    let rows = timing::measure(&verified, &lengths, mode, &mut |subject| {
        index += 1;
        let (all, name) = (verified.len(), subject.implementation.name);
        line.set_message(format!("{index} of {all}: {} {name}", subject.algorithm));
    });
    line.finish_and_clear();
    print(args, &rows?)?;
    Ok(if verified.len() < count {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Returns a line that names what is being timed, on standard error if that is a terminal. It is
/// redrawn only between measurements.
fn line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    line.with_style(
        ProgressStyle::with_template("{wide_msg}").expect("the template is well formed"),
    )
}

impl BenchArgs {
    fn lengths(&self, default: &[usize]) -> Vec<usize> {
        match self.bytes.as_slice() {
            [] => default.to_vec(),
            given => given.to_vec(),
        }
    }
}

/// Times trees with the selected implementations, or with each of the requested ones.
fn run_trees(args: &BenchArgs) -> Result<ExitCode, Failure> {
    let algorithm = args.algorithm.as_deref().map(parse_algorithm).transpose()?;
    let asked = match args.implementations.as_slice() {
        [] => Vec::new(),
        names => chosen(names, &["single", "multi"])?,
    };
    let wanted = |each| algorithm.is_none_or(|algorithm| algorithm == each);
    let lengths = args.lengths(&[1 << 20, 16 << 20]);
    let line = line();
    let rows = trees::measure(wanted, &asked, &lengths, &mut |name| {
        line.set_message(name.to_owned());
    });
    line.finish_and_clear();
    let rows = rows?;
    if rows.is_empty() {
        // An implementation of another algorithm is only named where the algorithm has trees.
        return Err(match algorithm.filter(|&algorithm| trees::has(algorithm)) {
            Some(algorithm) => not_of(args, algorithm),
            None => nothing_to_time(args, "tree"),
        });
    }
    print(args, &rows)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the failure of arguments that select no row.
fn nothing_to_time(args: &BenchArgs, mode: &str) -> Failure {
    let implementations = args.implementations.join(",");
    let what = args.algorithm.as_ref().unwrap_or(&implementations);
    let of = if what.is_empty() { "" } else { " of " };
    Failure::message(format!("bench: the mode {mode} times nothing{of}{what}"))
}

/// Returns the failure of implementations that are not the algorithm's.
fn not_of(args: &BenchArgs, algorithm: Algorithm) -> Failure {
    let names = args.implementations.join(",");
    Failure::message(format!("--impl: '{names}': not of {algorithm}"))
}

fn print(args: &BenchArgs, rows: &[Timing]) -> Result<(), Failure> {
    if args.json {
        table::print_json(rows)
    } else if rows.is_empty() {
        Ok(())
    } else {
        print_table(rows)
    }
}

/// Returns the subjects that the arguments select.
fn subjects(args: &BenchArgs, mode: timing::Mode) -> Result<Vec<Subject>, Failure> {
    let algorithm = args.algorithm.as_deref().map(parse_algorithm).transpose()?;
    let implementations = chosen(&args.implementations, &[mode.name()])?;
    let subjects: Vec<_> = implementations
        .into_iter()
        .filter_map(|implementation| {
            let algorithm = match algorithm {
                Some(asked) if asked.info().compression != implementation.algorithm => None,
                Some(asked) => Some(asked),
                None => representative(implementation.algorithm),
            };
            algorithm.map(|algorithm| Subject {
                algorithm,
                implementation,
            })
        })
        .collect();
    if let (true, Some(algorithm), [_, ..]) =
        (subjects.is_empty(), algorithm, &args.implementations[..])
    {
        return Err(not_of(args, algorithm));
    }
    Ok(subjects)
}

fn parse_algorithm(name: &str) -> Result<Algorithm, Failure> {
    let error = |error| Failure::message(format!("--algorithm: '{name}': {error}"));
    Algorithm::from_name(name).map_err(error)
}

fn print_table(rows: &[Timing]) -> Result<(), Failure> {
    let head = format!(
        "{}, {}\ncore cycles by a chain of dependent additions, {TICK} beside them: of a message up to \
         {SHORT_BYTES} bytes,\nelse of a byte and of a block; medians and quartiles, of calls of over \
         0.1 ms the second decile,\nbetween the first and the third\n\n",
        cpu_name(),
        c_compiler()
    );
    let mut columns = vec![
        Column::text("algorithm"),
        Column::text("implementation"),
        Column::number("bytes"),
        Column::number("message"),
        Column::number("byte"),
        Column::number("q1"),
        Column::number("q3"),
        Column::number("bound"),
        Column::number("block"),
        Column::number(if TICK == "TSC" { "TSC/byte" } else { "ns/byte" }),
    ];
    // Only trees use several threads.
    let with_threads = rows.iter().any(|row| row.mode == "tree");
    if with_threads {
        columns.insert(2, Column::number("threads"));
    }
    let mut cells: Vec<_> = rows.iter().map(cells).collect();
    if with_threads {
        for (cells, row) in cells.iter_mut().zip(rows) {
            cells.insert(2, row.threads.to_string());
        }
    }
    // Trees have no bounds, and short messages no cycles of a byte.
    for place in (0..columns.len()).rev() {
        if cells.iter().all(|cells| cells[place] == NONE) {
            columns.remove(place);
            cells.iter_mut().for_each(|cells| drop(cells.remove(place)));
        }
    }
    table::print_table(&head, &columns, cells)
}

/// Returns a row as text. Short messages are given in cycles per message, including quartiles.
fn cells(row: &Timing) -> Vec<String> {
    let short = row.bytes <= SHORT_BYTES;
    let number = |value: Option<f64>, digits: usize| {
        value.map_or(NONE.to_owned(), |value| format!("{value:.digits$}"))
    };
    let scale = if short { row.bytes as f64 } else { 1.0 };
    let digits = if short { 0 } else { 2 };
    let per_message = row
        .core_cycles_per_byte
        .map(|cycles| cycles * row.bytes as f64);
    vec![
        row.algorithm.to_owned(),
        row.implementation.to_owned(),
        row.bytes.to_string(),
        number(per_message.filter(|_| short), 0),
        number(row.core_cycles_per_byte.filter(|_| !short), 2),
        number(Some(row.q1 * scale), digits),
        number(Some(row.q3 * scale), digits),
        number(row.bound_core_cycles_per_byte.filter(|_| !short), 2),
        number(row.core_cycles_per_block.filter(|_| !short), 0),
        number(Some(row.tsc_per_byte), 2),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Timing, cells};

    #[test]
    fn a_row_has_its_figures_in_order() {
        let mut row = Timing {
            algorithm: "blake2b",
            implementation: "portable",
            mode: "single",
            lanes: 1,
            threads: 1,
            bytes: 65,
            tsc_per_byte: 1.5,
            core_cycles_per_byte: Some(2.5),
            core_cycles_per_block: Some(320.0),
            bound_core_cycles_per_byte: Some(2.25),
            q1: 2.0,
            q3: 3.0,
            is_disturbed: false,
        };
        let long = "blake2b portable 65 - 2.50 2.00 3.00 2.25 320 1.50";
        assert_eq!(cells(&row).join(" "), long);
        // Of a short message, all figures but the last are of the whole.
        row.bytes = 64;
        let short = "blake2b portable 64 160 - 128 192 - - 1.50";
        assert_eq!(cells(&row).join(" "), short);
    }
}
