// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures the speed of the implementations in core cycles.

use std::time::{Duration, Instant};

use finalist::{Algorithm, Implementation, select};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::clock::{Clock, preemptions, waited};
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
/// A disturbed batch is timed at most this many times,
const TRIALS: usize = 20;
/// and again only within this time: on a busy machine, longer ones are nearly always disturbed.
const PATIENCE: Duration = Duration::from_millis(20);
/// The part of a row's duration that its threads together may wait for cores.
const WAITED: f64 = 0.1;
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
    /// Every batch was disturbed.
    #[serde(skip)]
    pub is_disturbed: bool,
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
        let Summary {
            ticks,
            cycles,
            is_disturbed,
        } = summary(&samples);
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
            is_disturbed,
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
        Ok(sample(clock, 1, || work.run()))
    }

    /// Times messages of one length that fill all lanes.
    fn sample_multi(&self, clock: &Clock, bytes: usize) -> Result<Vec<Sample>, finalist::Error> {
        let count = work::messages_for(self.implementation.lanes as usize, bytes);
        let memory = work::memory(count * (bytes + 2 * CACHE_LINE_BYTES));
        let mut work = Work::multi(self.algorithm, bytes, count, &memory)?;
        let mut samples = sample(clock, 1, || work.run());
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
    pub is_disturbed: bool,
}

/// Summarises samples; uses the second decile of slow calls.
fn summary(samples: &[Sample]) -> Summary {
    match samples.iter().all(|sample| sample.is_slow) {
        true => summary_by(samples, Quartiles::of_slow),
        false => summary_by(samples, Quartiles::of),
    }
}

pub fn summary_by(samples: &[Sample], of: fn(Vec<f64>) -> Quartiles) -> Summary {
    let samples = undisturbed(samples);
    let cycles: Option<Vec<f64>> = samples.iter().map(|sample| sample.cycles).collect();
    Summary {
        ticks: of(samples.iter().map(|sample| sample.ticks).collect()),
        cycles: cycles.map(of),
        is_disturbed: samples[0].is_disturbed,
    }
}

/// The average of one call in a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub ticks: f64,
    pub cycles: Option<f64>,
    pub is_slow: bool,
    /// Another program had the core during a part of the batch, or shared it.
    pub is_disturbed: bool,
}

/// Returns the samples that were not disturbed or, if all were, all of them.
pub fn undisturbed(samples: &[Sample]) -> Vec<Sample> {
    let is_any = samples.iter().any(|sample| !sample.is_disturbed);
    let kept = samples
        .iter()
        .filter(|sample| !(is_any && sample.is_disturbed));
    kept.copied().collect()
}

/// Times batches of calls for [`ROW`], each batch with its own calibration. If several threads
/// waited for cores, none of the batches is undisturbed: the system counts a wait only when it ends.
pub fn sample(clock: &Clock, threads: usize, mut work: impl FnMut()) -> Vec<Sample> {
    let count = batch_count(&mut work);
    let mut samples = Vec::new();
    let waits = || match threads {
        1 => Duration::ZERO,
        _ => waited(),
    };
    let (start, before) = (Instant::now(), waits());
    while samples.len() < BATCHES_MIN || (samples.len() < BATCHES_MAX && start.elapsed() < ROW) {
        samples.push(batch(clock, threads, count, &mut work));
    }
    mark_waits(
        &mut samples,
        waits().saturating_sub(before),
        start.elapsed(),
    );
    samples
}

/// Marks all samples if threads waited for cores during more than [`WAITED`] of the time.
fn mark_waits(samples: &mut [Sample], waited: Duration, elapsed: Duration) {
    if waited > elapsed.mul_f64(WAITED) {
        for sample in samples {
            sample.is_disturbed = true;
        }
    }
}

/// Returns the number of calls for a batch.
pub fn batch_count(work: &mut dyn FnMut()) -> u32 {
    let start = Instant::now();
    work();
    let once = start.elapsed().max(Duration::from_nanos(1));
    (BATCH.as_nanos() / once.as_nanos()).clamp(1, u32::MAX.into()) as u32
}

/// Times a batch, again if the system took the core away or another hyperthread shared it. For
/// several threads only the former counts, since they may share a core themselves.
pub fn batch(clock: &Clock, threads: usize, count: u32, work: &mut dyn FnMut()) -> Sample {
    let is_alone = || threads > 1 || clock.is_alone();
    let start = Instant::now();
    until_undisturbed(&|| start.elapsed(), &mut || {
        let (was_alone, counted) = (is_alone(), preemptions());
        let sample = timed(clock, count, work);
        let is_preempted = preemptions() != counted;
        Sample {
            is_disturbed: is_preempted || !was_alone || !is_alone(),
            ..sample
        }
    })
}

/// Times until a trial is undisturbed or [`TRIALS`] or [`PATIENCE`] are over. Then returns the
/// quickest, since a disturbance only takes time.
fn until_undisturbed(elapsed: &dyn Fn() -> Duration, trial: &mut dyn FnMut() -> Sample) -> Sample {
    let mut quickest = trial();
    for _ in 1..TRIALS {
        if !quickest.is_disturbed || elapsed() > PATIENCE {
            break;
        }
        let next = trial();
        if !next.is_disturbed || next.ticks < quickest.ticks {
            quickest = next;
        }
    }
    quickest
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
        is_disturbed: false,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::{BATCHES_MIN, Clock, PATIENCE, ROW, Sample, TRIALS, sample};
    use super::{mark_waits, undisturbed, until_undisturbed};

    #[test]
    fn calls_that_take_as_long_as_a_row_are_timed_as_few_times_as_allowed() {
        let mut calls = 0;
        let samples = sample(&Clock::new(), 1, || {
            calls += 1;
            std::thread::sleep(ROW);
        });
        // The first call decides the number of calls in a batch.
        assert_eq!((samples.len(), calls), (BATCHES_MIN, 1 + BATCHES_MIN));
        assert!(samples.iter().all(|sample| sample.is_slow));
    }

    fn one(ticks: f64, is_disturbed: bool) -> Sample {
        Sample {
            ticks,
            cycles: None,
            is_slow: false,
            is_disturbed,
        }
    }

    /// Times trials of this duration, of which those at `disturbed` are disturbed and take longer.
    fn trials(duration: Duration, disturbed: impl Fn(u32) -> bool) -> (Sample, u32) {
        let count = Cell::new(0);
        let found = until_undisturbed(&|| duration * count.get(), &mut || {
            let index = count.replace(count.get() + 1);
            let more = if disturbed(index) { 3.0 } else { 0.0 };
            one(1.0 + more - f64::from(index) / 100.0, disturbed(index))
        });
        (found, count.get())
    }

    #[test]
    fn a_disturbed_batch_is_timed_again_within_limits_and_marked() {
        let short = Duration::from_micros(20);
        assert_eq!(trials(short, |_| false), (one(1.0, false), 1));
        assert_eq!(trials(short, |index| index < 5), (one(0.95, false), 6));
        // Batches that are disturbed throughout agree with each other.
        let last = one(4.0 - (TRIALS - 1) as f64 / 100.0, true);
        assert_eq!(trials(short, |_| true), (last, TRIALS as u32));
        assert_eq!(trials(PATIENCE, |_| true), (one(3.99, true), 2));
        assert_eq!(trials(PATIENCE * 2, |_| true), (one(4.0, true), 1));
    }

    #[test]
    fn disturbed_samples_count_only_if_there_are_no_others() {
        let (high, low) = (one(4.0, true), one(1.0, false));
        assert_eq!(undisturbed(&[high, low, high]), [low]);
        assert_eq!(undisturbed(&[high, high]), [high, high]);
    }

    /// More threads than cores are preempted.
    #[test]
    #[cfg(unix)]
    fn preemptions_are_counted() {
        use super::preemptions;

        let before = preemptions();
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get()) + 1;
        let start = std::time::Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while preemptions() == before && start.elapsed() < Duration::from_secs(60) {
                        std::hint::spin_loop();
                    }
                });
            }
        });
        assert!(preemptions() > before);
    }

    #[test]
    fn samples_are_marked_if_threads_waited_for_cores() {
        let elapsed = Duration::from_millis(60);
        for (waited, is_marked) in [(0, false), (5, false), (7, true), (60, true), (600, true)] {
            let mut samples = [one(1.0, false); 2];
            mark_waits(&mut samples, Duration::from_millis(waited), elapsed);
            assert_eq!(samples, [one(1.0, is_marked); 2], "{waited} ms");
        }
    }

    /// Some of more threads than cores wait.
    #[test]
    #[cfg(target_os = "linux")]
    fn waits_for_cores_are_counted() {
        use std::sync::atomic::{AtomicBool, Ordering};

        use super::{WAITED, waited};

        let threads = 2 * std::thread::available_parallelism().map_or(1, |count| count.get());
        let is_over = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            std::thread::sleep(ROW);
            let found = waited();
            is_over.store(true, Ordering::Relaxed);
            found
        });
        assert!(found > ROW.mul_f64(WAITED), "{found:?}");
    }
}
