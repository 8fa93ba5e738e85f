// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes many messages. Threads take pieces of the rows one after the other and hash the messages
//! of a piece side by side in vector registers. They release the interpreter's lock; signals are
//! checked between pieces.

use std::iter::Enumerate;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::panic::resume_unwind;
use std::slice::{self, ChunksMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use finalist::Hasher;
use finalist_sys as sys;
use pyo3::prelude::*;

use crate::arrow::column::BadRow;
use crate::digest_memory::memory_for;
use crate::parameters::{Parameters, check_threads, failure, status_failure};

/// Rows in a piece: enough to keep all lanes busy.
const PIECE_ROWS: usize = 32_768;
/// Least rows in a piece, for few rows and many threads: a multiple of all lane counts.
const PIECE_ROWS_MIN: usize = 64;
/// Bytes to hash between two checks for signals; a longer message is cut.
pub const BYTES_AT_ONCE: usize = 16 << 20;
/// Interval between checks for signals.
const SIGNALS_EVERY: Duration = Duration::from_millis(50);

/// A source of rows to hash.
///
/// # Safety
/// [`hash_range`](Rows::hash_range) writes all of the digests unless it fails.
pub unsafe trait Rows: Sync {
    fn len(&self) -> usize;

    /// Hashes some rows; the memory has exactly their digests' length. Writes zeros for nulls.
    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure>;

    /// Returns the error for a row that cannot be read.
    fn bad_row(&self) -> PyErr;
}

/// Rows whose bytes are in memory.
///
/// # Safety
/// [`hash_short`](Messages::hash_short) writes all of the digests unless it fails.
pub unsafe trait Messages: Sync {
    fn len(&self) -> usize;

    /// Returns the bytes of a row; `None` for a null.
    fn message(&self, row: usize) -> Result<Option<&[u8]>, BadRow>;

    /// Returns true if these rows are known to have at most [`BYTES_AT_ONCE`] bytes in all.
    fn are_short(&self, range: Range<usize>) -> bool;

    /// Hashes rows that have at most [`BYTES_AT_ONCE`] bytes in all, in one call of the library.
    fn hash_short(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure>;

    /// Returns the error for a row that cannot be read.
    fn bad_row(&self) -> PyErr;
}

/// Parameters of a call for many messages.
pub struct Job<'a> {
    pub parameters: &'a Parameters,
    /// Length of a digest.
    pub stride: usize,
    pub threads: usize,
}

/// The state of one thread: scratch memory, and its checks between calls of the library.
pub struct Work<'a> {
    pub messages: Vec<Message>,
    pub encoded: Vec<u8>,
    pub offsets: Vec<i64>,
    pub watch: &'a mut dyn Watch,
}

impl<'a> Work<'a> {
    fn new(watch: &'a mut dyn Watch) -> Work<'a> {
        Work {
            messages: Vec::new(),
            encoded: Vec::new(),
            offsets: Vec::new(),
            watch,
        }
    }
}

/// The reason why a message could not be hashed.
pub enum Failure {
    Row,
    Python(PyErr),
    /// Another thread failed and has the error.
    Stopped,
}

impl From<BadRow> for Failure {
    fn from(_: BadRow) -> Failure {
        Failure::Row
    }
}

/// The checks of a thread between two calls of the library.
pub trait Watch {
    fn look(&mut self) -> Result<(), Failure>;
}

/// No checks: the caller is not a thread of the interpreter.
struct Unwatched;

impl Watch for Unwatched {
    fn look(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// A thread started for this call.
struct Helper<'a> {
    stop: &'a AtomicBool,
}

impl Watch for Helper<'_> {
    fn look(&mut self) -> Result<(), Failure> {
        if self.stop.load(Ordering::Relaxed) {
            Err(Failure::Stopped)
        } else {
            Ok(())
        }
    }
}

/// The calling thread, to which Python delivers signals.
struct Caller<'a> {
    stop: &'a AtomicBool,
    looked: Instant,
}

impl Watch for Caller<'_> {
    fn look(&mut self) -> Result<(), Failure> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        if self.looked.elapsed() >= SIGNALS_EVERY {
            Python::attach(|py| py.check_signals()).map_err(Failure::Python)?;
            self.looked = Instant::now();
        }
        Ok(())
    }
}

impl<'a> Job<'a> {
    pub fn new(parameters: &'a Parameters, threads: i64) -> PyResult<Job<'a>> {
        Ok(Job {
            threads: check_threads(threads)?,
            stride: parameters.digest_length()?,
            parameters,
        })
    }

    /// Returns the number of an iterable's messages to keep at a time: few enough for a cache; with
    /// threads, enough to be worth starting them.
    pub fn messages_at_once(&self) -> usize {
        match self.threads {
            1 => 4096,
            _ => 65_536,
        }
    }

    /// Returns the digests of all rows, joined. The caller is attached to the interpreter; the call
    /// detaches from it.
    pub fn hash_all(&self, py: Python<'_>, rows: &dyn Rows) -> PyResult<Vec<u8>> {
        let mut digests = Vec::new();
        self.hash_over(py, rows, &mut digests)?;
        Ok(digests)
    }

    /// Hashes as hash_all does, into reused memory: the kernel would clear memory that is allocated
    /// for each call.
    pub fn hash_over(
        &self,
        py: Python<'_>,
        rows: &dyn Rows,
        digests: &mut Vec<u8>,
    ) -> PyResult<()> {
        // Each call may be too short for any other check.
        py.check_signals()?;
        self.hash_into_memory(rows, digests, |digests| {
            py.detach(|| self.hash_in_threads(rows, digests))
        })
    }

    /// Hashes as hash_all does, in the calling thread alone, which may be detached from the
    /// interpreter. Calls a function with the digests of each run of rows while a cache has them.
    pub fn hash_alone(&self, rows: &dyn Rows, mut done: impl FnMut(&[u8])) -> PyResult<Vec<u8>> {
        let mut digests = Vec::new();
        self.hash_into_memory(rows, &mut digests, |digests| {
            let pieces = Pieces::new(digests, self.stride, PIECE_ROWS);
            pieces.hash(self, rows, &mut Unwatched, &mut done)
        })?;
        Ok(digests)
    }

    /// Replaces the memory's content by digests, which the function writes unless it fails.
    fn hash_into_memory(
        &self,
        rows: &dyn Rows,
        digests: &mut Vec<u8>,
        hash: impl FnOnce(&mut [MaybeUninit<u8>]) -> Result<(), Failure>,
    ) -> PyResult<()> {
        let bytes = memory_for(digests, rows.len(), self.stride)?;
        match hash(&mut digests.spare_capacity_mut()[..bytes]) {
            Ok(()) => {
                // SAFETY: every piece was taken, and Rows promises that all its digests were
                // written.
                unsafe { digests.set_len(bytes) };
                Ok(())
            }
            Err(Failure::Python(error)) => Err(error),
            Err(Failure::Row | Failure::Stopped) => Err(rows.bad_row()),
        }
    }

    fn hash_in_threads(
        &self,
        rows: &dyn Rows,
        digests: &mut [MaybeUninit<u8>],
    ) -> Result<(), Failure> {
        let share = rows.len().div_ceil(self.threads);
        let piece_rows = share
            .next_multiple_of(PIECE_ROWS_MIN)
            .clamp(PIECE_ROWS_MIN, PIECE_ROWS);
        let pieces = Pieces::new(digests, self.stride, piece_rows);
        let stop = &AtomicBool::new(false);
        let hash = |watch: &mut dyn Watch| {
            let result = pieces.hash(self, rows, watch, &mut |_| ());
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            result
        };
        let results: Vec<_> = thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.threads.min(rows.len().div_ceil(piece_rows)))
                .map(|_| scope.spawn(|| hash(&mut Helper { stop })))
                .collect();
            let looked = Instant::now();
            let own = hash(&mut Caller { stop, looked });
            let joined = helpers.into_iter().map(|helper| {
                let result = helper.join();
                result.unwrap_or_else(|panic| resume_unwind(panic))
            });
            [own].into_iter().chain(joined).collect()
        });
        // A thread that was stopped has no error of its own.
        let reason = |failure: &Failure| !matches!(failure, Failure::Stopped);
        let failures = results.into_iter().filter_map(Result::err);
        match failures.into_iter().find(reason) {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }
}

/// Runs of rows, which threads take one at a time.
struct Pieces<'a> {
    rest: Mutex<Enumerate<ChunksMut<'a, MaybeUninit<u8>>>>,
    rows: usize,
}

impl Pieces<'_> {
    fn new(digests: &mut [MaybeUninit<u8>], stride: usize, rows: usize) -> Pieces<'_> {
        Pieces {
            rest: Mutex::new(digests.chunks_mut(rows * stride).enumerate()),
            rows,
        }
    }

    /// Takes pieces and hashes them until none is left.
    fn hash(
        &self,
        job: &Job<'_>,
        rows: &dyn Rows,
        watch: &mut dyn Watch,
        done: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Failure> {
        let mut work = Work::new(watch);
        loop {
            let next = self
                .rest
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next();
            let Some((piece, digests)) = next else {
                return Ok(());
            };
            let first = piece * self.rows;
            let range = first..first + digests.len() / job.stride;
            rows.hash_range(job, range, digests, &mut work)?;
            // SAFETY: Rows promises that all of it was written.
            done(unsafe { slice::from_raw_parts(digests.as_ptr().cast(), digests.len()) });
        }
    }
}

// SAFETY: every row is in one of the ranges that hash_short and hash_long write.
unsafe impl<M: Messages> Rows for M {
    fn len(&self) -> usize {
        Messages::len(self)
    }

    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [MaybeUninit<u8>],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        let (first, mut row) = (range.start, range.start);
        while row < range.end {
            let end = if self.are_short(row..range.end) {
                range.end
            } else {
                run_of(self, row..range.end)?
            };
            let out = &mut digests[(row - first) * job.stride..(end - first) * job.stride];
            match self.message(row)? {
                Some(message) if message.len() > BYTES_AT_ONCE => {
                    job.hash_long(message, out, work.watch)?;
                }
                _ => self.hash_short(job, row..end, out, work)?,
            }
            work.watch.look()?;
            row = end;
        }
        Ok(())
    }

    fn bad_row(&self) -> PyErr {
        Messages::bad_row(self)
    }
}

/// Returns the end of a run: the first rows of a range, of at most BYTES_AT_ONCE bytes in all, or
/// one longer row.
fn run_of(messages: &impl Messages, range: Range<usize>) -> Result<usize, BadRow> {
    let mut bytes = 0;
    for row in range.clone() {
        bytes += messages.message(row)?.map_or(0, <[u8]>::len);
        if bytes > BYTES_AT_ONCE {
            return Ok(row.max(range.start + 1));
        }
    }
    Ok(range.end)
}

/// A message for the C library.
#[repr(transparent)]
pub struct Message(sys::fin_message);

// SAFETY: a pointer to bytes that are only read, by threads of one call.
unsafe impl Send for Message {}

impl Message {
    /// Makes a message of bytes that must outlive it.
    pub fn new(bytes: &[u8]) -> Message {
        Message(sys::fin_message {
            input: bytes.as_ptr().cast(),
            bytes: bytes.len(),
        })
    }
}

impl Job<'_> {
    /// Hashes messages side by side and writes all of the digests.
    pub fn hash_messages(
        &self,
        messages: &[Message],
        digests: &mut [MaybeUninit<u8>],
    ) -> Result<(), Failure> {
        assert_eq!(messages.len() * self.stride, digests.len());
        self.hash_apart(messages, digests, self.stride)
    }

    /// Hashes as hash_messages does; the digests begin `apart` bytes apart.
    pub fn hash_apart(
        &self,
        messages: &[Message],
        digests: &mut [MaybeUninit<u8>],
        apart: usize,
    ) -> Result<(), Failure> {
        let Some(last) = messages.len().checked_sub(1) else {
            return Ok(());
        };
        assert!(last * apart + self.stride <= digests.len() && apart >= self.stride);
        // SAFETY: each message was made from a slice that outlives the call (Message is
        // transparent), the parameters hold what they point to, and there is a digest's length for
        // each message.
        let status = unsafe {
            sys::fin_hash_many(
                self.parameters.algorithm as sys::fin_algorithm,
                &self.parameters.c(),
                messages.as_ptr().cast(),
                messages.len(),
                digests.as_mut_ptr().cast(),
                apart,
            )
        };
        status_failure(status).map_err(Failure::Python)
    }

    /// Hashes contiguous messages of one length, one for each digest.
    pub fn hash_equal(
        &self,
        messages: &[u8],
        message_bytes: usize,
        digests: &mut [MaybeUninit<u8>],
    ) -> Result<(), Failure> {
        let count = digests.len() / self.stride;
        assert_eq!(count * message_bytes, messages.len());
        assert_eq!(count * self.stride, digests.len());
        // SAFETY: the slice holds `count` messages, the parameters keep alive what they point to,
        // and the output has a digest's length for each message.
        let status = unsafe {
            sys::fin_hash_equal(
                self.parameters.algorithm as sys::fin_algorithm,
                &self.parameters.c(),
                messages.as_ptr().cast(),
                message_bytes,
                count,
                digests.as_mut_ptr().cast(),
                self.stride,
            )
        };
        status_failure(status).map_err(Failure::Python)
    }

    /// Hashes values of a column side by side, one for each digest, and writes all digests.
    ///
    /// # Safety
    /// The column's pointers are valid: items and validity for that many values, data and buffers
    /// of the lengths that it gives. The library checks that the values lie within these.
    pub unsafe fn hash_column(
        &self,
        column: &sys::fin_column,
        digests: &mut [MaybeUninit<u8>],
    ) -> Result<(), Failure> {
        // SAFETY: promised by the caller; the parameters hold what they point to.
        let status = unsafe {
            sys::fin_hash_column(
                self.parameters.algorithm as sys::fin_algorithm,
                &self.parameters.c(),
                column,
                digests.len() / self.stride,
                digests.as_mut_ptr().cast(),
                self.stride,
            )
        };
        match status {
            sys::FIN_ERR_COLUMN => Err(Failure::Row),
            status => status_failure(status).map_err(Failure::Python),
        }
    }

    /// Hashes one long message.
    pub fn hash_long(
        &self,
        message: &[u8],
        digest: &mut [MaybeUninit<u8>],
        watch: &mut dyn Watch,
    ) -> Result<(), Failure> {
        let python = |error| Failure::Python(failure(error));
        let (algorithm, params) = (self.parameters.algorithm, self.parameters.params());
        let mut hasher = Hasher::new_boxed(algorithm, &params).map_err(python)?;
        for part in message.chunks(BYTES_AT_ONCE) {
            hasher.update(part).map_err(python)?;
            watch.look()?;
        }
        digest.fill(MaybeUninit::new(0));
        // SAFETY: just written.
        let digest = unsafe { slice::from_raw_parts_mut(digest.as_mut_ptr().cast(), digest.len()) };
        hasher.finalize_into(digest).map_err(python)?;
        Ok(())
    }
}
