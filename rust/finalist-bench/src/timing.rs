// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures the speed of the implementations in core cycles.

use std::time::{Duration, Instant};

use finalist::{Algorithm, Implementation, select};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::clock::Clock;
use crate::error::Error;
use crate::known_answers::{self, user_of};
use crate::quartiles::Quartiles;
use crate::work::{self, CACHE_LINE_BYTES, Work};

/// The duration of a batch: long enough to hide the cost of reading the clock.
const BATCH: Duration = Duration::from_micros(20);
/// The duration of a row, unless the minimum number of batches takes longer.
const ROW: Duration = Duration::from_millis(60);
const BATCHES_MIN: usize = 5;
const BATCHES_MAX: usize = 2000;
/// The time for which a core usually stays unshared on a busy machine.
const ALONE: Duration = Duration::from_millis(1);
/// The number of times that a batch is timed at most, until no other hyperthread shares the core.
const TRIALS: usize = 20;
/// A longer call is often interrupted on a busy machine, since a time slice is a few milliseconds.
pub const SLOW: Duration = Duration::from_micros(100);
/// From this length on the cost of a block is computed from that of a byte.
const LONG_BYTES: usize = 4096;

/// The messages of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One message.
    Single,
    /// Several messages.
    Multi,
}

impl Mode {
    /// Returns the name used in [`Timing`].
    pub fn name(self) -> &'static str {
        match self {
            Mode::Single => "single",
            Mode::Multi => "multi",
        }
    }
}

/// One figure. Without a calibration the fields in core cycles are null, and the quartiles are
/// those of `tsc_per_byte`.
#[derive(Serialize)]
pub struct Timing {
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

/// The subject of a measurement: an implementation of an algorithm.
pub struct Subject {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// One of its implementations.
    pub implementation: Implementation,
}

/// Returns the algorithm after which a compression function is named, or the first that uses it.
pub fn representative(compression: &str) -> Option<Algorithm> {
    Algorithm::from_name(compression)
        .ok()
        .or_else(|| user_of(compression))
}

/// Drops implementations with wrong answers, and reports them to `complain`.
pub fn verify(subjects: Vec<Subject>, complain: &mut dyn FnMut(&str)) -> Vec<Subject> {
    let implementations: Vec<_> = subjects.iter().map(|s| s.implementation.clone()).collect();
    let cases = known_answers::compact();
    let answers = known_answers::ask(&cases, &implementations, &ProgressBar::hidden());
    let verified = subjects
        .into_iter()
        .filter(|Subject { implementation, .. }| {
            let wrong = answers.iter().find_map(|answer| {
                let own = answer.compression == implementation.algorithm
                    && answer.implementation == implementation.name;
                answer.failed.as_ref().filter(|_| own)
            });
            if let Some(failed) = wrong {
                complain(&format!("bench: not timed, as it is wrong: {failed}"));
            }
            wrong.is_none()
        });
    verified.collect()
}

/// Times the subjects with messages of these lengths. `begin` receives each before it is timed.
///
/// # Errors
/// Fails if an implementation refuses.
pub fn measure(
    subjects: &[Subject],
    lengths: &[usize],
    mode: Mode,
    begin: &mut dyn FnMut(&Subject),
) -> Result<Vec<Timing>, Error> {
    pin();
    let clock = Clock::new();
    let mut rows = Vec::with_capacity(subjects.len() * lengths.len());
    for subject in subjects {
        begin(subject);
        let Subject {
            algorithm,
            implementation,
        } = subject;
        let choose = |name| {
            select(*algorithm, name).map_err(|error| {
                Error::message(format!(
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

/// Pins the thread to one core, if the system allows it.
pub fn pin() {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let Ok(allowed) = sched_getaffinity(None) else {
            return;
        };
        let last = (0..CpuSet::MAX_CPU).rfind(|&cpu| allowed.is_set(cpu));
        let mut one = CpuSet::new();
        last.into_iter().for_each(|cpu| one.set(cpu));
        // Without pinning, figures are only noisier.
        let _ = sched_setaffinity(None, &one);
    }
}

impl Subject {
    fn row(&self, clock: &Clock, bytes: usize, mode: Mode) -> Result<Timing, Error> {
        let Subject {
            algorithm,
            implementation,
        } = self;
        let samples = match mode {
            Mode::Multi => self.sample_multi(clock, bytes),
            Mode::Single => self.sample_single(clock, bytes),
        };
        let samples =
            samples.map_err(|error| Error::message(format!("bench: {algorithm}: {error}")))?;
        let Summary { ticks, cycles } = summary(&samples);
        let shown = cycles.as_ref().unwrap_or(&ticks);
        let block_bytes = implementation.block_bytes;
        let blocks = match bytes {
            LONG_BYTES.. => bytes as f64 / block_bytes as f64,
            _ => bytes.div_ceil(block_bytes) as f64,
        };
        let bound = implementation.bound_cycles.map(f64::from);
        Ok(Timing {
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
    fn sample_single(&self, clock: &Clock, bytes: usize) -> Result<Vec<Sample>, finalist::Error> {
        let mut work = Work::single(
            self.algorithm,
            bytes,
            &work::memory(bytes + 2 * CACHE_LINE_BYTES),
        )?;
        Ok(sample(clock, || work.run()))
    }

    /// Times messages of one length that fill all lanes.
    fn sample_multi(&self, clock: &Clock, bytes: usize) -> Result<Vec<Sample>, finalist::Error> {
        let count = work::messages_for(self.implementation.lanes as usize, bytes);
        let memory = work::memory(count * (bytes + 2 * CACHE_LINE_BYTES));
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

/// Summarises samples; uses the minimum of slow calls.
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

/// The average of one call in a batch.
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

/// Returns the number of calls for a batch.
pub fn batch_count(work: &mut dyn FnMut()) -> u32 {
    let start = Instant::now();
    work();
    let once = start.elapsed().max(Duration::from_nanos(1));
    (BATCH.as_nanos() / once.as_nanos()).clamp(1, u32::MAX.into()) as u32
}

/// Times a batch, again if another hyperthread shared the core. Batches longer than [`ALONE`] are
/// timed once.
pub fn batch(clock: &Clock, count: u32, work: &mut dyn FnMut()) -> Sample {
    for _ in 1..TRIALS {
        let before = clock.is_alone();
        let start = Instant::now();
        let sample = timed(clock, count, work);
        if start.elapsed() > ALONE || (before && clock.is_alone()) {
            return sample;
        }
    }
    timed(clock, count, work)
}

/// Times one batch, with a calibration before and after it.
fn timed(clock: &Clock, count: u32, work: &mut dyn FnMut()) -> Sample {
    let start = Instant::now();
    let before = clock.cycles_per_tick();
    let ticks = clock.ticks(|| (0..count).for_each(|_| work()));
    let after = clock.cycles_per_tick();
    let ticks = ticks as f64 / f64::from(count);
    // A disturbance can only make a chain longer: use the faster one of the two.
    let ratio = before.zip(after).map(|(before, after)| before.max(after));
    Sample {
        ticks,
        cycles: ratio.map(|ratio| ticks * ratio),
        is_slow: start.elapsed() > SLOW * count,
    }
}

#[cfg(test)]
mod tests {
    use super::{BATCHES_MIN, Clock, ROW, sample};

    #[test]
    fn calls_that_take_as_long_as_a_row_are_timed_as_few_times_as_allowed() {
        let mut calls = 0;
        let samples = sample(&Clock::new(), || {
            calls += 1;
            std::thread::sleep(ROW);
        });
        // The first call decides the number of calls in a batch.
        assert_eq!((samples.len(), calls), (BATCHES_MIN, 1 + BATCHES_MIN));
        assert!(samples.iter().all(|sample| sample.is_slow));
    }
}
