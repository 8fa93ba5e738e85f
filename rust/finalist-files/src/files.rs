// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens, reads and hashes files.

use std::borrow::Borrow;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use finalist::{Algorithm, Hasher, Params};
use rayon::ThreadPool;

use crate::function::{Function, Parameters};
use crate::platform::{self, Directory, Entry, Root, Stat};
use crate::progress::Progress;
use crate::stdin::{is_stdin, stdin};
use crate::threads::Threads;

mod pieces;

use pieces::{PIECE_BYTES, Pieces};

/// Large enough to make a system call's cost negligible, small enough for a core's own cache.
const READ_BYTES: usize = 256 * 1024;
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
    /// Called by one thread after every [`MARK_BYTES`].
    pub reached: Option<&'a Reached<'a>>,
}

/// Hashes the rest of standard input. Returns the number of bytes.
pub fn hash_stdin(hasher: &mut Hasher, context: ReadContext<'_>) -> io::Result<u64> {
    hash_reader(stdin()?, hasher, context)
}

/// An open file, or another object with a descriptor.
pub struct Opened<F = File>(F);

/// Number of files that the process has open.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Time to wait for another thread to close a file.
const CLOSING: Duration = Duration::from_millis(1);

/// Location of a file: a name, relative to a root if there is one.
#[derive(Clone, Copy)]
pub struct Location<'a> {
    /// The directory that the name is relative to.
    pub root: Option<&'a Root>,
    /// The name, or the path below the root.
    pub name: &'a Path,
}

impl Location<'_> {
    fn open(&self) -> io::Result<Opened> {
        let Some(root) = self.root else {
            return Opened::new(self.name);
        };
        patiently(|| Ok(Opened(root.open(self.name)?))).map_err(link_is_change)
    }

    fn open_directory(&self, name: &Path) -> io::Result<Directory> {
        match self.root {
            Some(root) => root.directory(name),
            None => Directory::new(name),
        }
    }
}

/// Replaces the error for a link: the listed file was not one.
fn link_is_change(error: io::Error) -> io::Error {
    match platform::is_link_refused(&error) {
        true => Changed::error("a symbolic link took its place after it was listed"),
        false => error,
    }
}

impl Opened {
    /// Opens a file as soon as there is a descriptor for it.
    pub fn new(name: &Path) -> io::Result<Opened> {
        patiently(|| Ok(Opened(platform::open(name)?)))
    }

    /// Moves to a position in the file.
    ///
    /// # Errors
    /// The file cannot be positioned.
    pub fn seek(&self, at: u64) -> io::Result<u64> {
        (&self.0).seek(SeekFrom::Start(at))
    }

    /// Returns the position in the file.
    ///
    /// # Errors
    /// The file has none.
    fn position(&self) -> io::Result<u64> {
        (&self.0).stream_position()
    }

    /// Returns the file's current metadata.
    ///
    /// # Errors
    /// The system does not report them.
    pub fn stat(&self) -> io::Result<Stat> {
        platform::stat_of(&self.0)
    }
}

impl<F> Opened<F> {
    fn count(file: F) -> Opened<F> {
        OPEN.fetch_add(1, Ordering::SeqCst);
        Opened(file)
    }
}

/// Opens a sequence of files. Opens those of one directory relative to it, so that the system need
/// not resolve the directory's path for each.
#[derive(Default)]
pub struct Opener {
    /// Directory of the last file.
    name: PathBuf,
    /// Number of files of that directory so far.
    count: usize,
    directory: Option<Opened<Directory>>,
}

/// A directory is opened after this number of its files: about as many more are likely to follow.
const FILES_BEFORE: usize = 4;

impl Opener {
    /// Opens a file as [`Opened::new`] does.
    pub fn open(&mut self, location: Location<'_>) -> io::Result<Opened> {
        let file = location.name;
        let (Some(directory), Some(below)) = (file.parent(), file.file_name()) else {
            return location.open();
        };
        // The names "name/" and "name/." do not mean "name".
        if directory.as_os_str().len() + 1 + below.len() != file.as_os_str().len() {
            return location.open();
        }
        if self.name.as_os_str() != directory.as_os_str() {
            self.close();
            self.name = directory.to_owned();
            self.count = 0;
        }
        self.count += 1;
        if self.count <= FILES_BEFORE {
            return location.open();
        }
        if self.directory.is_none() {
            self.directory = location.open_directory(directory).map(Opened::count).ok();
        }
        if let Some(directory) = &self.directory {
            if let Ok(file) = directory.0.open(Path::new(below)) {
                return Ok(Opened::count(file));
            }
        }
        // The directory may have been replaced, or it may hold the last descriptor.
        self.close();
        location.open()
    }

    /// Closes the directory.
    pub fn close(&mut self) {
        self.directory = None;
    }
}

impl Read for &Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.0).read(buffer)
    }
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// Reads a file from an offset on, as others may at the same time.
pub struct ReadAt<F> {
    file: F,
    at: u64,
}

impl<F: Borrow<File>> ReadAt<F> {
    /// Returns a reader of the file's bytes from `at` on.
    pub fn new(file: F, at: u64) -> ReadAt<F> {
        ReadAt { file, at }
    }
}

impl<F: Borrow<File>> Read for ReadAt<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = platform::read_at(self.file.borrow(), buffer, self.at)?;
        self.at += bytes as u64;
        Ok(bytes)
    }
}

impl<F> Drop for Opened<F> {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Returns the entries of a directory, sorted by name, as soon as there is a descriptor for it.
pub fn read_dir(location: Location<'_>) -> io::Result<Vec<Entry>> {
    let entries = patiently(|| match location.root {
        Some(root) => root.read_dir(location.name),
        None => platform::read_dir(location.name),
    });
    let entries = entries.map_err(link_is_change)?;
    OPEN.fetch_sub(1, Ordering::SeqCst);
    Ok(entries)
}

/// Opens something and counts it as open. If no descriptor is left for the process or system, waits
/// for other threads to close theirs.
fn patiently<R>(open: impl Fn() -> io::Result<R>) -> io::Result<R> {
    loop {
        let others = OPEN.fetch_add(1, Ordering::SeqCst);
        let error = match open() {
            Ok(opened) => return Ok(opened),
            Err(error) => error,
        };
        OPEN.fetch_sub(1, Ordering::SeqCst);
        if !platform::lacks_descriptors(&error) || others == 0 {
            return Err(error);
        }
        thread::sleep(CLOSING);
    }
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
        return Err(Changed::error("file was truncated while it was read"));
    }
    Ok(())
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
        if let Some(reached) = context.reached.filter(|_| at % MARK_BYTES == 0) {
            reached(at - start, hasher);
        }
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
