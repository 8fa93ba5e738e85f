// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures time in core cycles without hardware counters: times a chain of dependent additions,
//! each of which takes the core one cycle, beside each measurement.
//!
//! The additions are register to register: recent cores remove additions of a constant at rename.
//!
//! Independent additions show whether another hyperthread shares the core: it would take some of
//! their ports.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Dependent additions in one chain: long compared with reading the clock, short compared with the
/// time for which a core keeps its frequency.
const CHAIN_CYCLES: u32 = 8192;
/// Additions in one iteration of the chain's loop.
const CHAIN_UNROLLED: u32 = 64;

/// The time of the observation of how many additions an unshared core executes in a cycle.
const OBSERVATION: Duration = Duration::from_millis(200);
/// The part of them that an unshared core executes at least.
const ALONE: f64 = 0.95;
/// Trials that must confirm a greater number.
const CONFIRMATIONS: usize = 8;

/// A clock whose own cost is known.
pub struct Clock {
    overhead: u64,
    /// The independent additions in a cycle while no other hyperthread shares the core, as the bits
    /// of an `f64`.
    additions_alone: AtomicU64,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::new()
    }
}

impl Clock {
    /// Makes a calibrated clock.
    pub fn new() -> Clock {
        let mut clock = Clock {
            overhead: 0,
            additions_alone: AtomicU64::new(0),
        };
        clock.overhead = (0..1000).map(|_| clock.ticks(|| ())).min().unwrap_or(0);
        let additions = clock.observe_additions();
        clock
            .additions_alone
            .store(additions.to_bits(), Ordering::Relaxed);
        clock
    }

    /// Returns nearly the most additions a cycle of many trials: interrupts can make a few greater.
    fn observe_additions(&self) -> f64 {
        let start = Instant::now();
        let mut trials = Vec::new();
        while trials.is_empty() || start.elapsed() < OBSERVATION {
            trials.push(self.additions_per_cycle());
        }
        trials.sort_by(f64::total_cmp);
        trials[(trials.len() - 1) * 49 / 50]
    }

    /// Returns the independent additions that the core executes in a cycle now; 0 if unknown.
    fn additions_per_cycle(&self) -> f64 {
        if !cfg!(target_arch = "x86_64") {
            return 0.0;
        }
        let Some(ratio) = self.cycles_per_tick() else {
            return 0.0;
        };
        let ticks = self.ticks(|| independent(CHAIN_CYCLES / CHAIN_UNROLLED));
        f64::from(CHAIN_CYCLES) / (ticks as f64 * ratio)
    }

    /// Returns false if another hyperthread shares the core now. One that did during the whole
    /// observation is recognised when it stops.
    pub fn is_alone(&self) -> bool {
        let known = f64::from_bits(self.additions_alone.load(Ordering::Relaxed));
        let now = self.additions_per_cycle();
        if let Some(more) = confirmed(known, now, || self.additions_per_cycle()) {
            self.additions_alone
                .store(more.to_bits(), Ordering::Relaxed);
        }
        now >= ALONE * known
    }

    /// Returns the ticks that `work` takes.
    pub fn ticks(&self, work: impl FnOnce()) -> u64 {
        let start = counter::start();
        work();
        counter::stop()
            .saturating_sub(start)
            .saturating_sub(self.overhead)
    }

    /// Returns the core cycles in a tick now; `None` if there is no chain for the CPU.
    pub fn cycles_per_tick(&self) -> Option<f64> {
        const { assert!(CHAIN_CYCLES % CHAIN_UNROLLED == 0) };
        if !cfg!(any(
            target_arch = "x86_64",
            target_arch = "x86",
            target_arch = "aarch64"
        )) {
            return None;
        }
        let ticks = self.ticks(|| chain(CHAIN_CYCLES / CHAIN_UNROLLED));
        (ticks > 0).then(|| f64::from(CHAIN_CYCLES) / ticks as f64)
    }
}

/// Returns how many times the system has taken the core from a thread of this process.
#[cfg(unix)]
pub fn preemptions() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the call fills the structure if it succeeds.
    let count = unsafe {
        match libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) {
            0 => usage.assume_init().ru_nivcsw,
            _ => 0,
        }
    };
    count as u64
}

/// Returns 0, since the system does not count them.
#[cfg(not(unix))]
pub fn preemptions() -> u64 {
    0
}

/// Returns how long threads of this process were ready to run but had no core; zero if the system
/// does not tell.
pub fn waited() -> Duration {
    let tasks = std::fs::read_dir("/proc/self/task");
    let waits = tasks.into_iter().flatten().flatten().filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').nth(1)?.parse::<u64>().ok()
    });
    Duration::from_nanos(waits.sum())
}

/// Returns the number of additions in a cycle, now greater than the known one, if further trials
/// confirm it: an interrupt can make a few greater, and afterwards no core would seem unshared.
fn confirmed(known: f64, now: f64, mut again: impl FnMut() -> f64) -> Option<f64> {
    let least = known / ALONE;
    let mut lowest = now;
    for _ in 0..CONFIRMATIONS {
        if lowest <= least {
            return None;
        }
        lowest = lowest.min(again());
    }
    (lowest > least).then_some(lowest)
}

/// The unit of a tick: the time-stamp counter's, or a nanosecond.
pub const TICK: &str = counter::TICK;

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
mod counter {
    #[cfg(target_arch = "x86")]
    use std::arch::x86::{__rdtscp, _mm_lfence, _rdtsc};
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64::{__rdtscp, _mm_lfence, _rdtsc};

    pub const TICK: &str = "TSC";

    /// Reads the time-stamp counter after everything before has finished.
    pub fn start() -> u64 {
        // SAFETY: both targets include SSE2 and the time-stamp counter.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        }
    }

    /// Reads the time-stamp counter after everything before, and before anything after.
    pub fn stop() -> u64 {
        let mut core = 0;
        // SAFETY: every CPU that runs a current system has RDTSCP.
        unsafe {
            let ticks = __rdtscp(&mut core);
            _mm_lfence();
            ticks
        }
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
mod counter {
    use std::sync::OnceLock;
    use std::time::Instant;

    pub const TICK: &str = "ns";

    pub fn start() -> u64 {
        static ORIGIN: OnceLock<Instant> = OnceLock::new();
        ORIGIN.get_or_init(Instant::now).elapsed().as_nanos() as u64
    }

    pub fn stop() -> u64 {
        start()
    }
}

/// Runs `turns` times [`CHAIN_UNROLLED`] dependent additions.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
fn chain(turns: u32) {
    // SAFETY: changes only its operands and the flags.
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept {unrolled}",
            "add {sum}, {step}",
            ".endr",
            "dec {turns:e}",
            "jnz 2b",
            unrolled = const CHAIN_UNROLLED,
            sum = inout(reg) 1_usize => _,
            step = in(reg) 3_usize,
            turns = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
}

#[cfg(target_arch = "aarch64")]
fn chain(turns: u32) {
    // SAFETY: changes only its operands and the flags.
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept {unrolled}",
            "add {sum}, {sum}, {step}",
            ".endr",
            "subs {turns:w}, {turns:w}, #1",
            "b.ne 2b",
            unrolled = const CHAIN_UNROLLED,
            sum = inout(reg) 1_u64 => _,
            step = in(reg) 3_u64,
            turns = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64")))]
fn chain(_turns: u32) {}

/// Runs `turns` times about [`CHAIN_UNROLLED`] additions, of which five at a time are independent.
#[cfg(target_arch = "x86_64")]
fn independent(turns: u32) {
    // SAFETY: changes only its operands and the flags.
    unsafe {
        std::arch::asm!(
            "2:",
            ".rept {unrolled} / 5",
            "add {a}, {step}",
            "add {b}, {step}",
            "add {c}, {step}",
            "add {d}, {step}",
            "add {e}, {step}",
            ".endr",
            "dec {turns:e}",
            "jnz 2b",
            unrolled = const CHAIN_UNROLLED,
            a = inout(reg) 1_usize => _,
            b = inout(reg) 1_usize => _,
            c = inout(reg) 1_usize => _,
            d = inout(reg) 1_usize => _,
            e = inout(reg) 1_usize => _,
            step = in(reg) 3_usize,
            turns = inout(reg) turns => _,
            options(nomem, nostack),
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn independent(_turns: u32) {}

/// Returns the CPU's name from CPUID or from the system.
pub fn cpu_name() -> String {
    own_name()
        .or_else(system_name)
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

#[cfg(target_arch = "x86_64")]
fn own_name() -> Option<String> {
    use std::arch::x86_64::__cpuid;

    const LEAVES: std::ops::RangeInclusive<u32> = 0x8000_0002..=0x8000_0004;
    // The intrinsic is safe from Rust 1.94 on.
    #[allow(unused_unsafe)]
    // SAFETY: every x86-64 CPU has the instruction.
    let cpuid = |leaf| unsafe { __cpuid(leaf) };
    if cpuid(0x8000_0000).eax < *LEAVES.end() {
        return None;
    }
    let words = LEAVES
        .map(cpuid)
        .flat_map(|leaf| [leaf.eax, leaf.ebx, leaf.ecx, leaf.edx]);
    let bytes: Vec<u8> = words
        .flat_map(u32::to_le_bytes)
        .take_while(|&byte| byte != 0)
        .collect();
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

#[cfg(not(target_arch = "x86_64"))]
fn own_name() -> Option<String> {
    None
}

fn system_name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.to_lowercase().starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{CONFIRMATIONS, Clock, Ordering, confirmed};

    #[test]
    fn a_few_interrupts_do_not_raise_what_an_unshared_core_executes() {
        for few in 1..=CONFIRMATIONS {
            let mut trials = (1..).map(|trial| if trial < few { 9.0 } else { 4.0 });
            let again = || trials.next().expect("endless");
            assert_eq!(confirmed(4.0, 9.0, again), None, "{few}");
        }
        assert_eq!(confirmed(2.0, 4.1, || 4.0), Some(4.0));
        assert_eq!(confirmed(4.0, 4.1, || 4.1), None);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn independent_additions_run_side_by_side() {
        let clock = Clock::new();
        let additions = f64::from_bits(clock.additions_alone.into_inner());
        assert!((1.5..8.0).contains(&additions), "{additions}");
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_shared_core_is_told_from_one_that_is_no_longer_shared() {
        let clock = Clock::new();
        let expect = |additions: f64| {
            let additions = additions.to_bits();
            clock.additions_alone.store(additions, Ordering::Relaxed);
        };
        expect(1e9);
        assert!(!clock.is_alone());
        expect(0.5);
        // Several times, as an interrupt can make one of them less.
        assert!((0..20).any(|_| clock.is_alone()));
        let additions = f64::from_bits(clock.additions_alone.into_inner());
        assert!(additions > 1.5, "{additions}");
    }

    #[test]
    fn a_chain_twice_as_long_takes_twice_the_time() {
        let clock = Clock::new();
        if clock.cycles_per_tick().is_none() {
            return;
        }
        let best = |turns| (0..2000).map(|_| clock.ticks(|| super::chain(turns))).min();
        let (once, twice) = (best(256).unwrap() as f64, best(512).unwrap() as f64);
        assert!((1.7..2.3).contains(&(twice / once)), "{once} {twice}");
    }
}
