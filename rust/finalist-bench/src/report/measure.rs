// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures this machine in rounds: each round visits every row once, so that a change of the clock
//! frequency or a busy neighbour affects all rows alike.

use std::collections::{BTreeMap, BTreeSet};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::Utc;
use fastrand::Rng;
use finalist::{Algorithm, Implementation, c_compiler, c_flags, implementations, select};
use indicatif::ProgressBar;

use super::machine::Machine;
use super::measured::{AUTOMATIC, Build, CORE_CYCLES, Calibration, Cost, Known, Measured, Method};
use super::progress::Progress;
use super::statistics::Estimate;
use crate::clock::{Clock, TICK};
use crate::error::Error;
use crate::known_answers;
use crate::quartiles::Quartiles;
use crate::timing::{SLOW, Sample, Timing, batch, batch_count, pin, representative, undisturbed};
use crate::trees;
use crate::work::{self, Work};

/// Every implementation is timed at these lengths of one message,
const SINGLE_BYTES: [usize; 3] = [1, 64, 4096];
/// and those that are compared by length at these too.
const CURVE_BYTES: [usize; 11] = [
    8,
    16,
    32,
    128,
    256,
    512,
    1024,
    2048,
    1 << 14,
    1 << 16,
    1 << 20,
];
/// The lengths of the BLAKE2b README.
const README_BYTES: [usize; 2] = [256, 16384];
const MULTI_BYTES: [usize; 2] = [64, 4096];
const COUNT_BYTES: usize = 1024;
/// A message that is long for BLAKE3's tree, too.
pub const FILE_BYTES: usize = 1 << 20;
const COUNTS: [usize; 13] = [1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 256, 1024];

/// The number of batches in a visit, whose figure is their median.
const BATCHES: usize = 3;
/// The number of stack depths of visits, which together span about a page.
const DEPTHS: u32 = 40;
const SEED: u64 = 1;
const ROUNDS_MIN: usize = 5;
const ROUNDS_MAX: usize = 400;

/// Durations of measurements.
pub struct Plan {
    rows: Duration,
    /// The approximate duration of known answers and trees.
    others: Duration,
    tree_bytes: &'static [usize],
    tree_rounds: usize,
}

impl Plan {
    pub fn quick() -> Plan {
        Plan::seconds(45)
    }

    pub fn seconds(rows: u64) -> Plan {
        Plan {
            rows: Duration::from_secs(rows),
            others: Duration::from_secs(15),
            tree_bytes: &[1 << 20],
            tree_rounds: 3,
        }
    }

    pub fn whole() -> Plan {
        Plan {
            rows: Duration::from_secs(360),
            others: Duration::from_secs(60),
            tree_bytes: &[1 << 20, 16 << 20],
            tree_rounds: 5,
        }
    }
}

/// A row that is being measured.
struct Point {
    algorithm: Algorithm,
    /// `None` means the library's choice.
    implementation: Option<&'static str>,
    mode: &'static str,
    messages: usize,
    bytes: usize,
    batch_count: u32,
    /// A call is a batch of its own, and the only one of its visit.
    slow: bool,
    work: Work,
    visits: Vec<Sample>,
}

/// Measures this machine. Checks known answers first; wrong implementations are left out and
/// reported to `complain`.
///
/// # Errors
/// Fails if an implementation refuses, or there is no memory for threads.
pub fn measure(
    plan: &Plan,
    command: String,
    remark: &str,
    complain: &mut dyn FnMut(&str),
) -> Result<Measured, Error> {
    let started = Instant::now();
    let machine = Machine {
        remark: remark.to_owned(),
        ..Machine::here()
    };
    let progress = Progress::new(plan.others + plan.rows, plan.rows);
    progress.begin("known answers".to_owned());
    let right = verified(&mut |text| progress.suspend(|| complain(text)));
    // Before this thread is pinned to one core, which the threads of trees would inherit.
    let trees = trees(plan, &progress)?;
    pin();
    let clock = Clock::new();
    progress.begin("preparing".to_owned());
    let mut points = points(&right)?;
    let mut ratios = Vec::new();
    let rounds = visit(&mut points, &clock, plan.rows, &mut ratios, &progress)?;
    progress.finish();
    let calibrated = !ratios.is_empty();
    let mut rows: Vec<Cost> = points.iter().map(|point| point.row(calibrated)).collect();
    rows.extend(trees);
    Ok(Measured {
        unit: unit(calibrated),
        machine,
        build: Build {
            finalist: finalist::version().to_owned(),
            compiler: c_compiler().to_owned(),
            flags: c_flags().to_owned(),
        },
        clock: calibration(&ratios),
        method: Method {
            date: date(),
            command,
            rounds,
            seconds: started.elapsed().as_secs_f64().round(),
            alone: true,
            undisturbed: true,
        },
        implementations: Known::all(),
        rows,
    })
}

fn unit(calibrated: bool) -> String {
    match calibrated {
        true => CORE_CYCLES.to_owned(),
        false => format!("{TICK} per byte"),
    }
}

/// Returns the date in UTC.
fn date() -> String {
    Utc::now().date_naive().to_string()
}

/// Returns the supported implementations that give the known answers.
fn verified(complain: &mut dyn FnMut(&str)) -> Vec<Implementation> {
    let supported: Vec<_> = implementations()
        .into_iter()
        .filter(|each| each.supported)
        .collect();
    let answers = known_answers::ask(
        &known_answers::compact(),
        &supported,
        &ProgressBar::hidden(),
    );
    let wrong: BTreeSet<_> = answers
        .iter()
        .filter_map(|answer| {
            let failed = answer.failed.as_ref()?;
            complain(&format!("report: not timed, as it is wrong: {failed}"));
            Some((answer.compression, answer.implementation))
        })
        .collect();
    supported
        .into_iter()
        .filter(|each| !wrong.contains(&(each.algorithm, each.name)))
        .collect()
}

/// Returns every row of the report except trees; those of one implementation are adjacent.
fn points(right: &[Implementation]) -> Result<Vec<Point>, Error> {
    let memory = work::memory(0);
    let mut points = Vec::new();
    for each in right {
        let Some(algorithm) = representative(each.algorithm) else {
            continue;
        };
        let lanes = each.lanes as usize;
        for bytes in lengths(each) {
            let messages = match each.mode {
                "multi" => work::messages_for(lanes, bytes),
                _ => 1,
            };
            let name = Some(each.name);
            points.push(Point::new(
                algorithm, name, each.mode, messages, bytes, &memory,
            )?);
        }
    }
    let chosen = right
        .iter()
        .filter(|each| each.selected && each.mode == "single");
    for algorithm in chosen.filter_map(|each| representative(each.algorithm)) {
        // BLAKE3 hashes the chunks of a long message in lanes only if no implementation is
        // selected.
        points.push(Point::new(
            algorithm, None, "single", 1, FILE_BYTES, &memory,
        )?);
        for messages in COUNTS {
            points.push(Point::new(
                algorithm,
                None,
                "multi",
                messages,
                COUNT_BYTES,
                &memory,
            )?);
        }
    }
    Ok(points)
}

/// Returns the lengths at which an implementation is timed.
fn lengths(each: &Implementation) -> Vec<usize> {
    if each.mode == "multi" {
        return MULTI_BYTES.to_vec();
    }
    let mut lengths = BTreeSet::from(SINGLE_BYTES);
    if each.selected || is_scalar(each.name) {
        lengths.extend(CURVE_BYTES);
    }
    if each.algorithm == "blake2b" {
        lengths.extend(README_BYTES);
    }
    lengths.into_iter().collect()
}

/// Names of the C implementations that run on every CPU.
pub const PORTABLE: [&str; 2] = ["portable", "bitslice"];

/// Returns true if the state is in general registers and there are no tables.
pub fn is_scalar(name: &str) -> bool {
    PORTABLE.contains(&name) || name.starts_with("x86-")
}

impl Point {
    fn new(
        algorithm: Algorithm,
        name: Option<&'static str>,
        mode: &'static str,
        messages: usize,
        bytes: usize,
        memory: &Arc<[u8]>,
    ) -> Result<Point, Error> {
        let prepare = || -> Result<Point, finalist::Error> {
            select(algorithm, name)?;
            let mut work = match mode {
                "multi" => Work::multi(algorithm, bytes, messages, memory)?,
                _ => Work::single(algorithm, bytes, memory)?,
            };
            let batch_count = batch_count(&mut || work.run());
            let start = Instant::now();
            work.run();
            let slow = start.elapsed() > SLOW;
            select(algorithm, None)?;
            Ok(Point {
                algorithm,
                implementation: name,
                mode,
                messages,
                bytes,
                batch_count,
                slow,
                work,
                visits: Vec::new(),
            })
        };
        prepare().map_err(|error| failure(algorithm, name, error))
    }

    /// Makes a visit, with messages and stack at new addresses: cache conflicts between them would
    /// otherwise make the figures differ from process to process.
    fn visit(&mut self, clock: &Clock, random: &mut Rng, ratios: &mut Vec<f64>) {
        self.work.move_to(random.usize(..self.work.places()));
        let mut samples: Vec<Sample> = Vec::with_capacity(BATCHES);
        let batches = if self.slow { 1 } else { BATCHES };
        at_depth(random.u32(..DEPTHS), &mut || {
            // Other rows have evicted this code and data from the caches.
            self.work.run();
            for _ in 0..batches {
                samples.push(batch(clock, 1, self.batch_count, &mut || self.work.run()));
            }
        });
        let mut samples = undisturbed(&samples);
        samples.sort_by(|a, b| a.ticks.total_cmp(&b.ticks));
        let middle = samples[samples.len() / 2];
        ratios.extend(middle.cycles.map(|cycles| cycles / middle.ticks));
        self.visits.push(middle);
    }

    fn row(&self, calibrated: bool) -> Cost {
        let all = (self.messages * self.bytes) as f64;
        let visits = undisturbed(&self.visits);
        let ticks: Vec<_> = visits.iter().map(|visit| visit.ticks).collect();
        let shown = match calibrated {
            true => visits.iter().filter_map(|visit| visit.cycles).collect(),
            false => ticks.clone(),
        };
        let of = if self.slow {
            Estimate::of_slow
        } else {
            Estimate::of
        };
        let estimate = of(&shown);
        Cost {
            algorithm: self.algorithm.info().compression.to_owned(),
            implementation: self.implementation.unwrap_or(AUTOMATIC).to_owned(),
            mode: self.mode.to_owned(),
            threads: 1,
            messages: self.messages,
            bytes: self.bytes,
            cycles: figure(estimate.figure / all),
            q1: figure(estimate.q1 / all),
            q3: figure(estimate.q3 / all),
            low: Some(figure(estimate.low / all)),
            high: Some(figure(estimate.high / all)),
            ticks: figure(of(&ticks).figure / all),
            disturbed: visits[0].is_disturbed,
        }
    }
}

/// Calls a function with `frames` more frames on the stack, of about a hundred bytes each.
#[inline(never)]
fn at_depth(depth: u32, call: &mut dyn FnMut()) {
    let frame = black_box([0_u8; 48]);
    match depth {
        0 => call(),
        _ => at_depth(depth - 1, call),
    }
    black_box(&frame);
}

/// Rounds to five significant digits, more than the accuracy of any of these figures.
fn figure(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

fn failure(algorithm: Algorithm, name: Option<&str>, error: finalist::Error) -> Error {
    let name = name.unwrap_or(AUTOMATIC);
    Error::message(format!("report: {algorithm}, {name}: {error}"))
}

/// Visits all points in turn until the time is up; returns the number of rounds.
fn visit(
    points: &mut [Point],
    clock: &Clock,
    time: Duration,
    ratios: &mut Vec<f64>,
    progress: &Progress,
) -> Result<usize, Error> {
    let started = Instant::now();
    progress.begin_rows();
    let count = points.len();
    let mut random = Rng::with_seed(SEED);
    for round in 0..ROUNDS_MAX {
        if round >= ROUNDS_MIN && started.elapsed() >= time {
            return Ok(round);
        }
        for (index, point) in points.iter_mut().enumerate() {
            progress.begin(format!("round {}, row {} of {count}", round + 1, index + 1));
            let Point {
                algorithm,
                implementation,
                ..
            } = *point;
            select(algorithm, implementation)
                .map_err(|error| failure(algorithm, implementation, error))?;
            point.visit(clock, &mut random, ratios);
            select(algorithm, None).map_err(|error| failure(algorithm, None, error))?;
        }
    }
    Ok(ROUNDS_MAX)
}

/// Measures trees, in separate rounds because they use threads. A row is the fastest of its rounds,
/// since its threads run longer than a time slice.
fn trees(plan: &Plan, progress: &Progress) -> Result<Vec<Cost>, Error> {
    // The rows of one message show BLAKE3 with one thread.
    let wanted = |algorithm| algorithm != Algorithm::Blake3;
    let mut rounds: BTreeMap<usize, Vec<Timing>> = BTreeMap::new();
    for round in 1..=plan.tree_rounds {
        let rows = trees::measure(wanted, &[], plan.tree_bytes, &mut |name| {
            let rounds = plan.tree_rounds;
            progress.begin(format!("trees, round {round} of {rounds}, {name}"));
        })?;
        for (index, row) in rows.into_iter().enumerate() {
            rounds.entry(index).or_default().push(row);
        }
    }
    Ok(rounds.into_values().map(tree_row).collect())
}

fn tree_row(mut rounds: Vec<Timing>) -> Cost {
    let cost = |row: &Timing| row.core_cycles_per_byte.unwrap_or(row.tsc_per_byte);
    let all_disturbed = rounds.iter().all(|row| row.is_disturbed);
    rounds.retain(|row| all_disturbed || !row.is_disturbed);
    rounds.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    let row = &rounds[0];
    // Rounds that disagree are noise, too.
    let next = rounds.get(1).map_or(row.q3, cost);
    let several = rounds.len() >= ROUNDS_MIN;
    let bound = |row: &Timing| several.then(|| figure(cost(row)));
    Cost {
        algorithm: row.algorithm.to_owned(),
        implementation: AUTOMATIC.to_owned(),
        mode: row.mode.to_owned(),
        threads: row.threads,
        messages: 1,
        bytes: row.bytes,
        cycles: figure(cost(row)),
        q1: figure(row.q1),
        q3: figure(row.q3.max(next)),
        low: bound(&rounds[0]),
        high: bound(&rounds[rounds.len() - 1]),
        ticks: figure(row.tsc_per_byte),
        disturbed: row.is_disturbed,
    }
}

/// Returns the calibration over all measurements; without one, a cycle is a tick.
fn calibration(ratios: &[f64]) -> Calibration {
    let quartiles = match ratios {
        [] => Quartiles::of(vec![1.0]),
        _ => Quartiles::of(ratios.to_vec()),
    };
    Calibration {
        tick: TICK.to_owned(),
        frequency: frequency(),
        cycles_per_tick: figure(quartiles.figure),
        q1: figure(quartiles.q1),
        q3: figure(quartiles.q3),
    }
}

/// Measures the ticks in a second, over a twentieth of one.
fn frequency() -> Option<f64> {
    const TIME: Duration = Duration::from_millis(50);
    let clock = Clock::new();
    let start = Instant::now();
    let ticks = clock.ticks(|| std::thread::sleep(TIME));
    let frequency = ticks as f64 / start.elapsed().as_secs_f64();
    frequency.is_finite().then(|| figure(frequency))
}
