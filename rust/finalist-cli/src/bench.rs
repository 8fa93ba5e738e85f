// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist bench`: the speed of the implementations, in core cycles.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use finalist::{Algorithm, Error, Implementation, c_compiler, select};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::bench_tree;
use crate::bench_work::{self, CACHE_LINE_BYTES, Work};
use crate::choice::chosen;
use crate::clock::{Clock, TICK, cpu_name};
use crate::failure::{Failure, names_in_lines, report};
use crate::hash_options::algorithms;
use crate::known_answers::{self, user_of};
use crate::quartiles::Quartiles;
use crate::table::{self, Column};
use crate::value::{Parse, size};

/// A batch is so long that the clock's own cost does not show.
const BATCH: Duration = Duration::from_micros(20);
/// A row takes this long, or as long as the least number of batches.
const ROW: Duration = Duration::from_millis(60);
const BATCHES_MIN: usize = 5;
const BATCHES_MAX: usize = 2000;
/// A call that takes longer is interrupted often on a busy machine, as a time slice is a few
/// milliseconds.
pub const SLOW: Duration = Duration::from_micros(100);
/// From this length on the cost of a block follows from that of a byte.
const LONG_BYTES: usize = 4096;
/// Up to this length the cost of a message says more than that of a byte.
const SHORT_BYTES: usize = 64;
const BYTES_MAX: usize = 1 << 30;

pub const EXAMPLES: &str = "\
Examples:
  finalist bench                             every implementation
  finalist bench -a blake2b --bytes 576,4096
  finalist bench --impl groestl256=ttable64 --json
  finalist bench --mode tree                 Merkle trees, BLAKE2's trees, BLAKE2bp, BLAKE2sp";

#[derive(Args)]
pub struct BenchArgs {
    /// Time this algorithm only [default: one for each compression function]
    #[arg(short, long, value_name = "ALG", value_parser = algorithms(), hide_possible_values = true)]
    algorithm: Option<String>,

    /// Time these implementations only: names, as ttable64 or blake256=portable
    #[arg(long = "impl", value_name = "NAME", value_delimiter = ',')]
    implementations: Vec<String>,

    /// One message at a time, many at once, or trees over one message with one thread and with all
    #[arg(long, value_enum, default_value_t = Mode::Single)]
    mode: Mode,

    /// Lengths of the message [default: 1,64,4096,1048576; of trees 1048576,16777216]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = message_bytes())]
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

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Single => "single",
            Mode::Multi => "multi",
            Mode::Tree => "tree",
        }
    }
}

/// A row of the result. Without a calibration the fields in core cycles are null, and the quartiles
/// are those of `tsc_per_byte`.
#[derive(Serialize)]
pub struct Row {
    pub algorithm: &'static str,
    pub implementation: &'static str,
    pub mode: &'static str,
    pub lanes: u32,
    pub threads: u32,
    pub bytes: usize,
    pub tsc_per_byte: f64,
    pub core_cycles_per_byte: Option<f64>,
    pub core_cycles_per_block: Option<f64>,
    pub bound_core_cycles_per_byte: Option<f64>,
    pub q1: f64,
    pub q3: f64,
}

/// What is timed: an implementation on an algorithm.
struct Subject {
    algorithm: Algorithm,
    implementation: Implementation,
}

fn message_bytes() -> impl Parse<usize> {
    let size = size(1..=BYTES_MAX as u64);
    move |text| Ok(size(text)? as usize)
}

pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    if args.mode == Mode::Tree {
        return run_trees(args);
    }
    let subjects = subjects(args)?;
    if subjects.is_empty() {
        let mode = args.mode.name();
        report(format!("bench: there are no implementations of the mode {mode}").as_bytes());
    }
    let (verified, failed) = verify(subjects);
    let lengths = args.lengths(&[1, 64, 4096, 1 << 20]);
    print(args, &measure(&verified, &lengths, args.mode)?)?;
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

impl BenchArgs {
    fn lengths(&self, default: &[usize]) -> Vec<usize> {
        match self.bytes.as_slice() {
            [] => default.to_vec(),
            given => given.to_vec(),
        }
    }
}

/// Trees are timed with the selected implementations, or in turn with those asked for.
fn run_trees(args: &BenchArgs) -> Result<ExitCode, Failure> {
    let algorithm = args.algorithm.as_deref().map(parse_algorithm).transpose()?;
    let asked = match args.implementations.as_slice() {
        [] => Vec::new(),
        names => chosen(names, &["single", "multi"])?,
    };
    let lengths = args.lengths(&[1 << 20, 16 << 20]);
    print(args, &bench_tree::measure(algorithm, &asked, &lengths)?)?;
    Ok(ExitCode::SUCCESS)
}

fn print(args: &BenchArgs, rows: &[Row]) -> Result<(), Failure> {
    if args.json {
        table::print_json(rows)
    } else if rows.is_empty() {
        Ok(())
    } else {
        print_table(rows)
    }
}

/// What the arguments ask for.
fn subjects(args: &BenchArgs) -> Result<Vec<Subject>, Failure> {
    let algorithm = args.algorithm.as_deref().map(parse_algorithm).transpose()?;
    let implementations = chosen(&args.implementations, &[args.mode.name()])?;
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
        let names = args.implementations.join(",");
        return Err(Failure::message(format!(
            "--impl: '{names}': not of {algorithm}"
        )));
    }
    Ok(subjects)
}

fn parse_algorithm(name: &str) -> Result<Algorithm, Failure> {
    Algorithm::from_name(name).map_err(|error| {
        let names = Algorithm::all().iter().map(|algorithm| algorithm.name());
        Failure::message(format!(
            "--algorithm: '{name}': {error}; there is:\n{}",
            names_in_lines(names)
        ))
    })
}

/// The algorithm that a compression function is named after, or the first that uses it.
pub fn representative(compression: &str) -> Option<Algorithm> {
    Algorithm::from_name(compression)
        .ok()
        .or_else(|| user_of(compression))
}

/// Leaves out, with a message, what does not give the known answers; tells whether there was any.
fn verify(subjects: Vec<Subject>) -> (Vec<Subject>, bool) {
    let implementations: Vec<_> = subjects.iter().map(|s| s.implementation.clone()).collect();
    let cases = known_answers::compact();
    let answers = known_answers::ask(&cases, &implementations, &ProgressBar::hidden());
    let count = subjects.len();
    let verified: Vec<_> = subjects
        .into_iter()
        .filter(|Subject { implementation, .. }| {
            let wrong = answers.iter().find_map(|answer| {
                let own = answer.compression == implementation.algorithm
                    && answer.implementation == implementation.name;
                answer.failed.as_ref().filter(|_| own)
            });
            if let Some(failed) = wrong {
                report(format!("bench: not timed, as it is wrong: {failed}").as_bytes());
            }
            wrong.is_none()
        })
        .collect();
    let failed = verified.len() < count;
    (verified, failed)
}

fn measure(subjects: &[Subject], lengths: &[usize], mode: Mode) -> Result<Vec<Row>, Failure> {
    pin();
    let clock = Clock::new();
    let mut rows = Vec::with_capacity(subjects.len() * lengths.len());
    for subject in subjects {
        let Subject {
            algorithm,
            implementation,
        } = subject;
        let choose = |name| {
            select(*algorithm, name).map_err(|error| {
                Failure::message(format!(
                    "bench: {algorithm}, {}: {error}",
                    implementation.name
                ))
            })
        };
        choose(Some(implementation.name))?;
        for &bytes in lengths {
            rows.push(subject.row(&clock, bytes, mode)?);
        }
        choose(None)?;
    }
    Ok(rows)
}

/// Keeps the thread on one core, where the system lets it.
pub fn pin() {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    if let Some(&core) = cores.last() {
        core_affinity::set_for_current(core);
    }
}

impl Subject {
    fn row(&self, clock: &Clock, bytes: usize, mode: Mode) -> Result<Row, Failure> {
        let Subject {
            algorithm,
            implementation,
        } = self;
        let samples = match mode {
            Mode::Multi => self.sample_multi(clock, bytes),
            Mode::Single | Mode::Tree => self.sample_single(clock, bytes),
        };
        let samples =
            samples.map_err(|error| Failure::message(format!("bench: {algorithm}: {error}")))?;
        let Summary { ticks, cycles } = summary(&samples);
        let shown = cycles.as_ref().unwrap_or(&ticks);
        let block_bytes = implementation.block_bytes;
        let blocks = match bytes {
            LONG_BYTES.. => bytes as f64 / block_bytes as f64,
            _ => bytes.div_ceil(block_bytes) as f64,
        };
        let bound = implementation.bound_cycles.map(f64::from);
        Ok(Row {
            algorithm: algorithm.name(),
            implementation: implementation.name,
            mode: mode.name(),
            lanes: implementation.lanes,
            threads: 1,
            bytes,
            tsc_per_byte: ticks.figure / bytes as f64,
            core_cycles_per_byte: cycles.as_ref().map(|cycles| cycles.figure / bytes as f64),
            core_cycles_per_block: cycles.as_ref().map(|cycles| cycles.figure / blocks),
            bound_core_cycles_per_byte: bound.map(|cycles| cycles / block_bytes as f64),
            q1: shown.q1 / bytes as f64,
            q3: shown.q3 / bytes as f64,
        })
    }
}

impl Subject {
    fn sample_single(&self, clock: &Clock, bytes: usize) -> Result<Vec<Sample>, Error> {
        let mut work = Work::single(
            self.algorithm,
            bytes,
            &bench_work::memory(bytes + 2 * CACHE_LINE_BYTES),
        )?;
        Ok(sample(clock, || work.run()))
    }

    /// Messages of one length that fill all lanes.
    fn sample_multi(&self, clock: &Clock, bytes: usize) -> Result<Vec<Sample>, Error> {
        let count = bench_work::messages_for(self.implementation.lanes as usize, bytes);
        let memory = bench_work::memory(count * (bytes + 2 * CACHE_LINE_BYTES));
        let mut work = Work::multi(self.algorithm, bytes, count, &memory)?;
        let mut samples = sample(clock, || work.run());
        for sample in &mut samples {
            sample.ticks /= count as f64;
            sample.cycles = sample.cycles.map(|cycles| cycles / count as f64);
        }
        Ok(samples)
    }
}

/// The quartiles of samples, in core cycles only if all have them.
pub struct Summary {
    pub ticks: Quartiles,
    pub cycles: Option<Quartiles>,
}

/// Of slow calls the minimum.
fn summary(samples: &[Sample]) -> Summary {
    match samples.iter().all(|sample| sample.is_slow) {
        true => summary_by(samples, Quartiles::of_slow),
        false => summary_by(samples, Quartiles::of),
    }
}

pub fn summary_by(samples: &[Sample], of: fn(Vec<f64>) -> Quartiles) -> Summary {
    let cycles: Option<Vec<f64>> = samples.iter().map(|sample| sample.cycles).collect();
    Summary {
        ticks: of(samples.iter().map(|sample| sample.ticks).collect()),
        cycles: cycles.map(of),
    }
}

/// One call of a batch, on average.
pub struct Sample {
    pub ticks: f64,
    pub cycles: Option<f64>,
    pub is_slow: bool,
}

/// Times batches of calls for [`ROW`], each batch with its own calibration.
pub fn sample(clock: &Clock, mut work: impl FnMut()) -> Vec<Sample> {
    let count = batch_count(&mut work);
    let mut samples = Vec::new();
    let start = Instant::now();
    while samples.len() < BATCHES_MIN || (samples.len() < BATCHES_MAX && start.elapsed() < ROW) {
        samples.push(batch(clock, count, &mut work));
    }
    samples
}

/// How many calls a batch needs.
pub fn batch_count(work: &mut dyn FnMut()) -> u32 {
    let start = Instant::now();
    work();
    let once = start.elapsed().max(Duration::from_nanos(1));
    (BATCH.as_nanos() / once.as_nanos()).clamp(1, u32::MAX.into()) as u32
}

/// Times one batch, with a calibration before and after it.
pub fn batch(clock: &Clock, count: u32, work: &mut dyn FnMut()) -> Sample {
    let start = Instant::now();
    let before = clock.cycles_per_tick();
    let ticks = clock.ticks(|| (0..count).for_each(|_| work()));
    let after = clock.cycles_per_tick();
    let ticks = ticks as f64 / f64::from(count);
    // Whatever disturbs a chain makes it longer: the quicker of the two is the truer.
    let ratio = before.zip(after).map(|(before, after)| before.max(after));
    Sample {
        ticks,
        cycles: ratio.map(|ratio| ticks * ratio),
        is_slow: start.elapsed() > SLOW * count,
    }
}

fn print_table(rows: &[Row]) -> Result<(), Failure> {
    let head = format!(
        "{}, {}\ncore cycles by a chain of dependent additions, {TICK} beside them; medians and \
         quartiles, of calls of over 0.1 ms the minimum and the lower quartile\n\n",
        cpu_name(),
        c_compiler()
    );
    let mut columns = vec![
        Column::text("algorithm"),
        Column::text("implementation"),
        Column::number("bytes"),
        Column::number("cycles/message"),
        Column::number("cycles/byte"),
        Column::number("q1"),
        Column::number("q3"),
        Column::number("bound"),
        Column::number("cycles/block"),
        Column::number(if TICK == "TSC" { "TSC/byte" } else { "ns/byte" }),
    ];
    // Only trees are built by several threads.
    let with_threads = rows.iter().any(|row| row.mode == Mode::Tree.name());
    if with_threads {
        columns.insert(2, Column::number("threads"));
    }
    let cells = rows.iter().map(|row| {
        let mut cells = cells(row);
        if with_threads {
            cells.insert(2, row.threads.to_string());
        }
        cells
    });
    table::print_table(&head, &columns, cells)
}

/// A row as text. Short messages show cycles a message, and their quartiles are in the same unit.
fn cells(row: &Row) -> Vec<String> {
    let short = row.bytes <= SHORT_BYTES;
    let number = |value: Option<f64>, digits: usize| {
        value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
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
