// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes many messages, in pieces of the rows: the messages of a piece side by side in vector
//! registers. Threads of the crate's engine release the interpreter's lock; the calling one checks
//! for signals.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use finalist::{Hasher, digests_in_parts};
use finalist_sys as sys;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::arrow::column::BadRow;
use crate::digest_memory::memory_for;
use crate::parameters::{Parameters, check_threads, failure, status_failure};

/// Rows in a piece of one thread: enough to keep all lanes busy.
const PIECE_ROWS: usize = 32_768;
/// With fewer rows, or bytes of messages, no threads are started.
const SHARED_ROWS_MIN: usize = 64;
const SHARED_BYTES_MIN: usize = 1 << 20;
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

    /// Returns the number of a row's digests.
    fn digests_per_row(&self) -> usize {
        1
    }

    /// Returns true if starting threads is known to take longer than they save.
    fn are_few(&self) -> bool {
        self.len() <= SHARED_ROWS_MIN
    }

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

    /// Returns true if these rows are known to have at most this number of bytes in all.
    fn have_at_most(&self, bytes: usize, range: Range<usize>) -> bool;

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
    pub watch: Watch<'a>,
}

impl<'a> Work<'a> {
    fn new(watch: Watch<'a>) -> Work<'a> {
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
#[derive(Default)]
pub struct Watch<'a> {
    /// Set if the call is to end.
    stop: Option<&'a AtomicBool>,
    /// When the thread to which Python delivers signals last checked for them.
    looked: Option<Instant>,
}

impl Watch<'_> {
    pub fn look(&mut self) -> Result<(), Failure> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Failure::Stopped);
        }
        if self
            .looked
            .is_some_and(|looked| looked.elapsed() >= SIGNALS_EVERY)
        {
            Python::attach(|py| py.check_signals()).map_err(Failure::Python)?;
            self.looked = Some(Instant::now());
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
            self.hash_pieces(rows, digests, Watch::default(), &mut done)
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
        let bytes = memory_for(digests, rows.len(), rows.digests_per_row() * self.stride)?;
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

    /// Hashes in the calling thread, a piece after the other.
    fn hash_pieces(
        &self,
        rows: &dyn Rows,
        digests: &mut [MaybeUninit<u8>],
        watch: Watch<'_>,
        done: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Failure> {
        let mut work = Work::new(watch);
        let row_bytes = rows.digests_per_row() * self.stride;
        let pieces = digests.chunks_mut(PIECE_ROWS * row_bytes);
        for (first, digests) in (0..).step_by(PIECE_ROWS).zip(pieces) {
            let range = first..first + digests.len() / row_bytes;
            rows.hash_range(self, range, digests, &mut work)?;
            // SAFETY: Rows promises that all of it was written.
            done(unsafe { slice::from_raw_parts(digests.as_ptr().cast(), digests.len()) });
        }
        Ok(())
    }

    fn hash_in_threads(
        &self,
        rows: &dyn Rows,
        digests: &mut [MaybeUninit<u8>],
    ) -> Result<(), Failure> {
        if self.threads == 1 || rows.are_few() {
            let looked = Some(Instant::now());
            let watch = Watch { stop: None, looked };
            return self.hash_pieces(rows, digests, watch, &mut |_| ());
        }
        // For this call only: a pool would not survive a fork.
        let threads = self.threads.min(rows.len());
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| {
            Failure::Python(PyRuntimeError::new_err(format!("no threads: {error}")))
        })?;
        let stop = &AtomicBool::new(false);
        let spare = &Mutex::new(Vec::new());
        let lock = || spare.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = move |range, digests: &mut [MaybeUninit<u8>]| {
            let (stop, looked) = (Some(stop), None);
            let work = lock().pop();
            let mut work = work.unwrap_or_else(|| Work::new(Watch { stop, looked }));
            work.watch.look()?;
            rows.hash_range(self, range, digests, &mut work)?;
            lock().push(work);
            Ok(())
        };
        let row_bytes = rows.digests_per_row() * self.stride;
        let (sender, ended) = channel();
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                // The receiver is gone after a signal.
                let _ = sender.send(digests_in_parts(digests, row_bytes, usize::MAX, hash));
            });
            loop {
                match ended.recv_timeout(SIGNALS_EVERY) {
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            stop.store(true, Ordering::Relaxed);
                            return Err(Failure::Python(error));
                        }
                    }
                    // It panicked, which the scope passes on.
                    Err(RecvTimeoutError::Disconnected) => return Err(Failure::Stopped),
                }
            }
        })
    }
}

// SAFETY: every row is in one of the ranges that hash_short and hash_long write.
unsafe impl<M: Messages> Rows for M {
    fn len(&self) -> usize {
        Messages::len(self)
    }

    fn are_few(&self) -> bool {
        const BLOCK_BYTES: usize = 64;
        let rows = Messages::len(self);
        rows <= SHARED_ROWS_MIN
            || rows < SHARED_BYTES_MIN / BLOCK_BYTES && self.have_at_most(SHARED_BYTES_MIN, 0..rows)
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
            let end = if self.have_at_most(BYTES_AT_ONCE, row..range.end) {
                range.end
            } else {
                run_of(self, row..range.end)?
            };
            let out = &mut digests[(row - first) * job.stride..(end - first) * job.stride];
            match self.message(row)? {
                Some(message) if message.len() > BYTES_AT_ONCE => {
                    job.hash_long(message, out, &mut work.watch)?;
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
        watch: &mut Watch<'_>,
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
