// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits the number of threads and the memory of each.

use std::io;
use std::num::NonZero;
use std::thread::available_parallelism;

use finalist::Algorithm;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::platform::address_space;

/// With more threads per CPU, contention costs more than reading ahead gains.
const THREADS_PER_CPU: usize = 4;

/// Address space of a thread: its stack, its buffer, and the C library's reservations for it.
const THREAD_BYTES: u64 = 160 << 20;

/// The number of threads that the user requested. Counting the CPUs reads several system files, so
/// it is done only if the number is needed.
#[derive(Clone, Copy)]
pub enum Threads {
    /// One: the caller's thread.
    One,
    /// The number given with `-j`; by default one for each CPU.
    Jobs(Option<u16>),
}

impl Threads {
    /// Returns the number of threads: as requested, or fewer if the address space is limited.
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

    /// Returns the number of threads for a message from a pipe: one for BLAKE3, which is hashed in less
    /// time than the pipe is read, unless the user requested a number.
    pub fn for_pipe(self, algorithm: Algorithm) -> Threads {
        match self {
            Threads::Jobs(None) if algorithm == Algorithm::Blake3 => Threads::One,
            threads => threads,
        }
    }

    /// Starts the threads, or fewer if the system refuses more.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start(self) -> io::Result<ThreadPool> {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        with_fewer(self.count(), pool).map_err(io::Error::other)
    }
}

/// Starts this number of threads; if that fails, half as many, down to one.
fn with_fewer<T, E>(mut threads: usize, start: impl Fn(usize) -> Result<T, E>) -> Result<T, E> {
    loop {
        match start(threads) {
            Err(_) if threads > 1 => threads /= 2,
            started => return started,
        }
    }
}

/// Returns the size of a buffer, at most `most`: smaller if the address space is limited.
pub fn buffer_bytes(most: usize) -> usize {
    let affordable = address_space() / 16;
    most.min(usize::try_from(affordable).unwrap_or(most))
}

#[cfg(test)]
mod tests {
    use super::with_fewer;
    use std::cell::RefCell;

    #[test]
    fn as_many_threads_start_as_the_system_permits() {
        for (asked, permitted, tried) in [
            (8, 8, vec![8]),
            (8, 5, vec![8, 4]),
            (7, 1, vec![7, 3, 1]),
            (2, 1, vec![2, 1]),
            (1, 0, vec![1]),
            (2, 0, vec![2, 1]),
        ] {
            let attempts = RefCell::new(Vec::new());
            let started = with_fewer(asked, |threads| {
                attempts.borrow_mut().push(threads);
                let refused = threads > permitted || attempts.borrow().len() > tried.len();
                if refused { Err(threads) } else { Ok(threads) }
            });
            let last = tried[tried.len() - 1];
            let expected = if permitted == 0 { Err(last) } else { Ok(last) };
            assert_eq!((started, attempts.into_inner()), (expected, tried));
        }
    }
}
