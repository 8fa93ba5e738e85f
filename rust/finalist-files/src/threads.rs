// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many threads work, and how much memory each may take.

use std::io;
use std::num::NonZero;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::platform::address_space;

/// More threads for a CPU wait for each other more than they read ahead.
const THREADS_PER_CPU: usize = 4;

/// Address space of a thread: its stack, what the C library reserves for its allocations, its buffer.
const THREAD_BYTES: u64 = 160 << 20;

/// The threads that a user asked for. Counting the CPUs reads several files of the system, so it is
/// done where the number is needed.
#[derive(Clone, Copy)]
pub enum Threads {
    /// One, which is started by nobody.
    One,
    /// As many as `-j` says, one for each CPU without it.
    Jobs(Option<u16>),
}

impl Threads {
    /// How many they are: as many as were asked for, fewer if the address space is limited.
    pub fn count(self) -> usize {
        let jobs = match self {
            Threads::One | Threads::Jobs(Some(1)) => return 1,
            Threads::Jobs(jobs) => jobs,
        };
        let cpus = available_parallelism().map_or(1, NonZero::get);
        let asked = jobs.map_or(cpus, |jobs| usize::from(jobs).min(cpus * THREADS_PER_CPU));
        let affordable = address_space() / THREAD_BYTES;
        asked
            .min(usize::try_from(affordable).unwrap_or(asked))
            .max(1)
    }

    /// Starts them, or fewer where the system does not let the process have them.
    ///
    /// # Errors
    /// Not even one can be started.
    pub fn start(self) -> io::Result<ThreadPool> {
        let mut threads = self.count();
        loop {
            match ThreadPoolBuilder::new().num_threads(threads).build() {
                Err(_) if threads > 1 => threads /= 2,
                pool => return pool.map_err(io::Error::other),
            }
        }
    }
}

/// The size of a buffer, so large at most: smaller where the process may not have much memory.
pub fn buffer_bytes(most: usize) -> usize {
    let affordable = address_space() / 16;
    most.min(usize::try_from(affordable).unwrap_or(most))
}
