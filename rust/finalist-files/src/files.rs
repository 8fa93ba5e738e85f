// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and hashes files.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;

use finalist::{Algorithm, Hasher, Params};
use rayon::ThreadPool;

use crate::function::{Function, Parameters};
use crate::platform::{Stat, widen_pipe};
use crate::progress::Progress;
use crate::stdin::{is_stdin, stdin};
use crate::threads::Threads;

mod open;
mod pieces;

pub use open::{Location, Opened, Opener, ReadAt, Ready, read_dir};
use pieces::{PIECE_BYTES, Pieces};

/// Large enough to make a system call's cost negligible, small enough for a core's own cache.
pub const READ_BYTES: usize = 256 * 1024;
/// Files up to this length are hashed by one thread; most files are shorter.
const ALONE_BYTES: u64 = 1 << 20;
/// Pieces that a thread reads ahead: few enough for the cores' shared cache.
const PIECES: usize = 16;
/// Hashed pieces are returned in groups of this size, since each return may wake the reader.
const PIECES_RETURNED: usize = PIECES / 4;

/// Interval, in bytes of a long file, at which the hasher's state is recorded.
pub const MARK_BYTES: u64 = 256 << 20;
/// Bytes of a long file after which its threads wait for the last of them: a short wait beside the
/// time for these bytes.
const ROUND_BYTES: u64 = 64 << 20;

/// Receives the number of bytes hashed, and the hasher.
pub type Reached<'a> = dyn Fn(u64, &Hasher) + 'a;

/// Buffer and options for reading and hashing a file.
pub struct ReadContext<'a> {
    /// Buffer for reading.
    pub buffer: &'a mut [u8],
    /// Receives the progress.
    pub progress: &'a dyn Progress,
    /// With more than one, a thread reads ahead, and BLAKE2bp and BLAKE2sp distribute their leaves;
    /// for BLAKE3, each thread reads and hashes parts of a file.
    pub threads: Threads,
    /// Parameters of the hasher.
    pub params: Params<'a>,
    /// Called after every [`MARK_BYTES`] if one thread hashes the file.
    pub reached: Option<&'a Reached<'a>>,
}

/// Hashes the rest of standard input. Returns the number of bytes.
pub fn hash_stdin(hasher: &mut Hasher, mut context: ReadContext<'_>) -> io::Result<u64> {
    let input = stdin()?;
    if widen_pipe(&input) {
        context.threads = context.threads.for_pipe(hasher.algorithm());
    }
    hash_reader(input, hasher, context)
}

/// Hashes a file. Returns its length.
pub fn hash_file(name: &Path, hasher: &mut Hasher, context: ReadContext<'_>) -> io::Result<u64> {
    hash_rest(&Opened::new(name)?, 0..0, hasher, context)
}

/// Returns length and digest of a file or of standard input, read by this thread.
pub fn hash_whole(
    name: &Path,
    parameters: &Parameters,
    function: Function,
    progress: &dyn Progress,
) -> io::Result<(u64, Vec<u8>)> {
    let mut hasher = parameters.hasher(function).map_err(io::Error::other)?;
    let context = ReadContext {
        buffer: &mut vec![0; READ_BYTES],
        progress,
        threads: Threads::One,
        params: parameters.params(function),
        reached: None,
    };
    let bytes = match is_stdin(name) {
        true => hash_stdin(&mut hasher, context),
        false => hash_file(name, &mut hasher, context),
    };
    Ok((bytes?, hasher.finalize().map_err(io::Error::other)?))
}

/// Hashes a file whose start is in the buffer. Returns its length.
pub fn hash_rest(
    file: &Opened,
    start: Range<usize>,
    hasher: &mut Hasher,
    mut context: ReadContext<'_>,
) -> io::Result<u64> {
    let before = file.stat()?;
    if !before.is_file() && widen_pipe(&file.0) {
        context.threads = context.threads.for_pipe(hasher.algorithm());
    }
    hasher
        .update(&context.buffer[start.clone()])
        .map_err(io::Error::other)?;
    context.progress.hashed(start.len() as u64);
    let mut bytes = start.len() as u64;
    bytes += hash_pieces(file, &before, hasher, &mut context)?;
    bytes += hash_reader(file, hasher, context)?;
    check_whole(file, &before, bytes)?;
    Ok(bytes)
}

/// Fails if a regular file became shorter while `bytes` of it were read: the bytes read are neither
/// its old content nor its new one.
pub fn check_whole(file: &Opened, before: &Stat, bytes: u64) -> io::Result<()> {
    // Files of /proc and /sys contain fewer bytes than their metadata state, but these do not
    // change.
    if before.is_file() && bytes < before.bytes && file.stat()?.bytes < before.bytes {
        return Err(truncated());
    }
    Ok(())
}

/// Returns the error for a file that became shorter while it was read.
pub fn truncated() -> io::Error {
    Changed::error("file was truncated while it was read")
}

/// The error for a file that changed while it was read.
#[derive(Debug)]
pub struct Changed(&'static str);

impl Changed {
    /// Returns this error with a text.
    pub fn error(text: &'static str) -> io::Error {
        io::Error::other(Changed(text))
    }

    /// Returns true if an error is this one.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Changed>())
    }
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Changed {}

/// Hashes most of the rest of a file by several threads if that is possible and faster. Returns the
/// number of bytes, after which the file is then positioned.
fn hash_pieces(
    file: &Opened,
    before: &Stat,
    hasher: &mut Hasher,
    context: &mut ReadContext<'_>,
) -> io::Result<u64> {
    if hasher.algorithm() != Algorithm::Blake3 || !before.is_file() {
        return Ok(0);
    }
    let start = file.position()?;
    if before.bytes.saturating_sub(start) <= ALONE_BYTES {
        return Ok(0);
    }
    let Some(pool) = pool(context.threads) else {
        return Ok(0);
    };
    let progress = context.progress;
    let mut at = start.next_multiple_of(PIECE_BYTES).max(PIECE_BYTES);
    let bytes = update(&mut file.take(at - start), hasher, context.buffer, progress)?;
    if bytes < at - start {
        return Ok(bytes);
    }
    let mut pieces = Pieces::new(file, context.params, progress, pool.current_num_threads());
    let mut ended = false;
    while !ended && at + PIECE_BYTES <= before.bytes {
        let round_end = before.bytes.min((at + 1).next_multiple_of(ROUND_BYTES));
        let bytes = pool.install(|| pieces.append_to(hasher, at..round_end))?;
        ended = at + bytes < round_end;
        at += bytes;
    }
    file.seek(at)?;
    Ok(at - start)
}

/// Hashes the rest of a reader. Returns the number of bytes.
fn hash_reader(
    mut reader: impl Read + Send,
    hasher: &mut Hasher,
    context: ReadContext<'_>,
) -> io::Result<u64> {
    let ReadContext {
        buffer,
        progress,
        threads,
        reached,
        ..
    } = context;
    let mut alone = (&mut reader).take(ALONE_BYTES);
    let total = update(&mut alone, hasher, buffer, progress)?;
    if total < ALONE_BYTES {
        return Ok(total);
    }
    if let Some(pool) = pool(threads) {
        let ahead = || update_ahead(&mut reader, hasher, progress);
        if let Some(more) = pool.install(ahead)? {
            return Ok(total + more);
        }
    }
    let mut total = total;
    loop {
        let mut part = (&mut reader).take(MARK_BYTES);
        let more = update(&mut part, hasher, buffer, progress)?;
        total += more;
        if more < MARK_BYTES {
            return Ok(total);
        }
        reached
            .into_iter()
            .for_each(|reached| reached(total, hasher));
    }
}

/// Returns the threads for one file, or `None` if one is enough or no more can be started.
fn pool(threads: Threads) -> Option<ThreadPool> {
    (threads.count() > 1)
        .then(|| threads.start().ok())
        .flatten()
}

/// Hashes the rest of a reader piece by piece. Returns the number of bytes.
fn update(
    reader: &mut impl Read,
    hasher: &mut Hasher,
    buffer: &mut [u8],
    progress: &dyn Progress,
) -> io::Result<u64> {
    let piece_bytes = READ_BYTES.min(buffer.len());
    let buffer = &mut buffer[..piece_bytes];
    let mut total = 0;
    loop {
        let bytes = read(reader, buffer)?;
        if bytes == 0 {
            return Ok(total);
        }
        hasher.update(&buffer[..bytes]).map_err(io::Error::other)?;
        total += bytes as u64;
        progress.hashed(bytes as u64);
        stop_if_asked(progress)?;
    }
}

/// Fails once the digest is no longer needed.
fn stop_if_asked(progress: &dyn Progress) -> io::Result<()> {
    match progress.is_stopped() {
        true => Err(io::Error::other("stopped")),
        false => Ok(()),
    }
}

/// Hashes as `update` does while another thread reads ahead. Returns `None` if that thread cannot
/// be started.
fn update_ahead(
    reader: &mut (impl Read + Send),
    hasher: &mut Hasher,
    progress: &dyn Progress,
) -> io::Result<Option<u64>> {
    let mut buffer = vec![0; PIECES * READ_BYTES];
    let (empty, empty_pieces) = channel();
    let (full, full_pieces) = channel();
    for piece in buffer.chunks_exact_mut(READ_BYTES) {
        empty.send(piece).expect("its other end is here");
    }
    let read_all = move || {
        for piece in empty_pieces {
            let bytes = fill(reader, piece);
            let ended = !matches!(bytes, Ok(READ_BYTES));
            if full.send((piece, bytes)).is_err() || ended {
                return;
            }
        }
    };
    // The closure's end closes the channels, which ends the other thread's wait.
    thread::scope(move |scope| {
        if thread::Builder::new()
            .spawn_scoped(scope, read_all)
            .is_err()
        {
            return Ok(None);
        }
        let mut total = 0;
        let mut used = Vec::with_capacity(PIECES_RETURNED);
        for (piece, bytes) in full_pieces {
            let bytes = bytes?;
            let hashed = hasher.update_parallel(&piece[..bytes]);
            hashed.map_err(io::Error::other)?;
            total += bytes as u64;
            progress.hashed(bytes as u64);
            used.push(piece);
            if used.len() == PIECES_RETURNED {
                // After the end, this fails: the reader has closed the channel.
                let _ = used.drain(..).try_for_each(|piece| empty.send(piece));
            }
        }
        Ok(Some(total))
    })
}

/// Fills the buffer; leaves a rest only at the end. Returns the number of bytes.
pub fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    fill_to(None, reader, buffer)
}

/// Fills the buffer as `fill` does, from a reader that claims to have `length` bytes: does not ask for
/// more once exactly these are read. A `length` of zero is ignored: files of /proc have more bytes
/// than they claim.
pub fn fill_to(
    length: Option<u64>,
    reader: &mut impl Read,
    buffer: &mut [u8],
) -> io::Result<usize> {
    let length = length.filter(|&length| length != 0);
    let mut bytes = 0;
    while bytes < buffer.len() && length != Some(bytes as u64) {
        match read(reader, &mut buffer[bytes..])? {
            0 => break,
            more => bytes += more,
        }
    }
    Ok(bytes)
}

/// Reads some bytes; none at the end.
fn read(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests;
