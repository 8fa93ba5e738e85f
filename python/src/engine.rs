// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many messages: cut into pieces that threads take in turn, each hashed side by side in vector
//! registers, with the interpreter's lock released and signals seen between pieces.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use finalist::Hasher;
use finalist_sys as sys;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::arrow::column::{BadRow, Column};
use crate::parameters::{Parameters, failure, status_failure};

/// Rows that a thread takes at a time: enough to keep all lanes busy.
const PIECE_ROWS: usize = 8192;
/// Rows of a piece if there are few, so that every thread gets some: a multiple of all lane counts.
const PIECE_ROWS_MIN: usize = 64;
/// Bytes that are hashed between two looks at the signals; a longer message is cut.
pub const BYTES_AT_ONCE: usize = 16 << 20;
/// How often signals are looked at.
const SIGNALS_EVERY: Duration = Duration::from_millis(50);

/// What is hashed row by row.
pub trait Rows: Sync {
    fn len(&self) -> usize;

    /// Hashes some rows into a buffer that has exactly their digests.
    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [u8],
        work: &mut Work,
    ) -> Result<(), Failure>;
}

/// Rows whose bytes lie in memory.
pub trait Messages: Sync {
    fn len(&self) -> usize;

    /// The bytes of a row; `None` for a null.
    fn message(&self, row: usize) -> Result<Option<&[u8]>, BadRow>;
}

/// What holds for all rows of a call.
pub struct Job<'a> {
    pub parameters: &'a Parameters,
    /// Length of a digest.
    pub stride: usize,
}

/// A thread's own: scratch memory, and what it looks at between calls of the library.
pub struct Work<'a> {
    pub messages: Vec<Message>,
    pub encoded: Vec<u8>,
    pub watch: &'a mut dyn Watch,
}

impl<'a> Work<'a> {
    pub fn new(watch: &'a mut dyn Watch) -> Work<'a> {
        Work {
            messages: Vec::new(),
            encoded: Vec::new(),
            watch,
        }
    }
}

impl Messages for Column<'_> {
    fn len(&self) -> usize {
        self.frame.length
    }

    #[inline]
    fn message(&self, row: usize) -> Result<Option<&[u8]>, BadRow> {
        if self.is_valid(row) {
            self.value(row).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// Why the messages could not all be hashed.
pub enum Failure {
    Row,
    Python(PyErr),
    /// Another thread has failed and tells why.
    Stopped,
}

impl From<BadRow> for Failure {
    fn from(_: BadRow) -> Failure {
        Failure::Row
    }
}

/// What a thread looks at between two calls of the library.
pub trait Watch {
    fn look(&mut self) -> Result<(), Failure>;
}

/// Nothing to look at: the caller is no thread of the interpreter's.
struct Unwatched;

impl Watch for Unwatched {
    fn look(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// A thread that was started for this call.
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

/// Hashes all rows; digest `i` goes to `digests[i * stride ..]`, zeros where the row is null. Called
/// attached to the interpreter, from which it detaches.
pub fn hash_all(
    py: Python<'_>,
    parameters: &Parameters,
    rows: &impl Rows,
    digests: &mut [u8],
    stride: usize,
    threads: usize,
) -> Result<(), Failure> {
    // Between calls that are each too short to look.
    py.check_signals().map_err(Failure::Python)?;
    let share = rows.len().div_ceil(threads.max(1));
    let piece_rows = share
        .next_multiple_of(PIECE_ROWS_MIN)
        .clamp(PIECE_ROWS_MIN, PIECE_ROWS);
    let pieces = Mutex::new(digests.chunks_mut(piece_rows * stride).enumerate());
    let stop = AtomicBool::new(false);
    let job = Job { parameters, stride };
    let take_pieces = |watch: &mut dyn Watch| {
        let mut work = Work::new(watch);
        loop {
            let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((piece, digests)) = next else {
                return Ok(());
            };
            let first = piece * piece_rows;
            let range = first..first + digests.len() / stride;
            if let Err(failure) = rows.hash_range(&job, range, digests, &mut work) {
                stop.store(true, Ordering::Relaxed);
                return Err(failure);
            }
        }
    };
    let results = py.detach(|| {
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads.min(rows.len().div_ceil(piece_rows)))
                .map(|_| scope.spawn(|| take_pieces(&mut Helper { stop: &stop })))
                .collect();
            let mut caller = Caller {
                stop: &stop,
                looked: Instant::now(),
            };
            let mut results = vec![take_pieces(&mut caller)];
            results.extend(helpers.into_iter().map(|helper| {
                helper
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }));
            results
        })
    });
    let mut stopped = Ok(());
    for result in results {
        match result {
            Err(Failure::Stopped) => stopped = Err(Failure::Stopped),
            Err(failure) => return Err(failure),
            Ok(()) => {}
        }
    }
    stopped
}

/// As hash_all in the calling thread alone, which need not be attached to the interpreter.
pub fn hash_alone(
    parameters: &Parameters,
    rows: &impl Rows,
    digests: &mut [u8],
    stride: usize,
) -> Result<(), Failure> {
    let job = Job { parameters, stride };
    let mut watch = Unwatched;
    let mut work = Work::new(&mut watch);
    for (piece, digests) in digests.chunks_mut(PIECE_ROWS * stride).enumerate() {
        let first = piece * PIECE_ROWS;
        let range = first..first + digests.len() / stride;
        rows.hash_range(&job, range, digests, &mut work)?;
    }
    Ok(())
}

impl<M: Messages> Rows for M {
    fn len(&self) -> usize {
        Messages::len(self)
    }

    fn hash_range(
        &self,
        job: &Job<'_>,
        range: Range<usize>,
        digests: &mut [u8],
        work: &mut Work<'_>,
    ) -> Result<(), Failure> {
        let stride = job.stride;
        let (first, mut row) = (range.start, range.start);
        while row < range.end {
            let start = row;
            let mut bytes = 0;
            let mut nulls = 0;
            let mut long = None;
            work.messages.clear();
            while row < range.end && bytes < BYTES_AT_ONCE {
                match self.message(row)? {
                    None => nulls += 1,
                    Some(message) if message.len() > BYTES_AT_ONCE => {
                        long = Some(message);
                        break;
                    }
                    Some(message) => {
                        bytes += message.len();
                        work.messages.push(Message::new(message));
                    }
                }
                row += 1;
            }
            let out = &mut digests[(start - first) * stride..(row - first) * stride];
            job.hash_messages(&work.messages, out)?;
            if nulls > 0 {
                spread(self, start..row, out, stride, work.messages.len())?;
            }
            work.watch.look()?;
            if let Some(message) = long {
                let out = &mut digests[(row - first) * stride..(row + 1 - first) * stride];
                job.hash_long(message, out, work.watch)?;
                row += 1;
            }
        }
        Ok(())
    }
}

/// A message as the library takes it.
#[repr(transparent)]
pub struct Message(sys::fin_message);

// SAFETY: a pointer to bytes that are only read, by threads of one call.
unsafe impl Send for Message {}

impl Message {
    /// The bytes must outlive the message.
    pub fn new(bytes: &[u8]) -> Message {
        Message(sys::fin_message {
            input: bytes.as_ptr().cast(),
            bytes: bytes.len(),
        })
    }
}

impl Job<'_> {
    /// The one place where messages meet the library's lanes.
    pub fn hash_messages(&self, messages: &[Message], digests: &mut [u8]) -> Result<(), Failure> {
        assert!(messages.len() * self.stride <= digests.len());
        // SAFETY: each message was made from a slice that outlives the call (Message is
        // transparent), the parameters hold what they point to, and there is a digest's length for
        // each message.
        let status = unsafe {
            sys::fin_hash_many(
                self.parameters.algorithm as sys::fin_algorithm,
                &self.parameters.c(),
                messages.as_ptr().cast(),
                messages.len(),
                digests.as_mut_ptr(),
                self.stride,
            )
        };
        status_failure(status).map_err(Failure::Python)
    }

    /// A message that takes long by itself.
    pub fn hash_long(
        &self,
        message: &[u8],
        digest: &mut [u8],
        watch: &mut dyn Watch,
    ) -> Result<(), Failure> {
        let python = |error| Failure::Python(failure(error));
        let (algorithm, params) = (self.parameters.algorithm, self.parameters.params());
        let mut hasher = Hasher::new(algorithm, &params).map_err(python)?;
        for part in message.chunks(BYTES_AT_ONCE) {
            hasher.update(part).map_err(python)?;
            watch.look()?;
        }
        hasher.finalize_into(digest).map_err(python)?;
        Ok(())
    }
}

/// Moves the digests of the rows that are not null, which lie at the beginning, to their places,
/// the last one first.
fn spread(
    rows: &impl Messages,
    range: Range<usize>,
    digests: &mut [u8],
    stride: usize,
    mut valid: usize,
) -> Result<(), Failure> {
    for row in range.clone().rev() {
        let place = (row - range.start) * stride;
        if rows.message(row)?.is_some() {
            valid -= 1;
            digests.copy_within(valid * stride..(valid + 1) * stride, place);
        } else {
            digests[place..place + stride].fill(0);
        }
    }
    Ok(())
}

/// Zeros for so many digests.
pub fn zeros(count: usize, stride: usize) -> PyResult<Vec<u8>> {
    let no_memory = || PyMemoryError::new_err(());
    let bytes = count.checked_mul(stride).ok_or_else(no_memory)?;
    if bytes > isize::MAX as usize {
        return Err(no_memory());
    }
    let layout = std::alloc::Layout::array::<u8>(bytes).map_err(|_| no_memory())?;
    if bytes == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout is not empty; a vector of u8 is freed with the same layout.
    unsafe {
        let memory = std::alloc::alloc_zeroed(layout);
        if memory.is_null() {
            return Err(no_memory());
        }
        Ok(Vec::from_raw_parts(memory, bytes, bytes))
    }
}
