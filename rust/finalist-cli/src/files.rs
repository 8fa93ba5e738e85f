// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading files.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use finalist::Hasher;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::platform::{self, FileType, Stat};
use crate::progress::Progress;
use crate::stdio::stdin;

/// Large enough that a system call's cost is lost in it, small enough for a core's own cache.
const READ_BYTES: usize = 256 * 1024;
/// When one thread reads while another hashes, also large enough that their waking is lost in it:
/// of 1 GiB with BLAKE2bp in the page cache, pieces of 256 KiB take longer than one thread (Zen 4).
const READ_AHEAD_BYTES: usize = 4 << 20;

/// What a file is read and hashed with.
pub struct Means<'a> {
    /// At least two times `READ_AHEAD_BYTES`.
    pub buffer: &'a mut [u8],
    pub progress: &'a Progress,
    /// More than one: a thread reads ahead, and BLAKE2bp and BLAKE2sp share out their leaves.
    pub threads: usize,
}

/// The name that stands for standard input.
pub fn is_stdin(name: &Path) -> bool {
    name.as_os_str() == "-"
}

/// The digest of what standard input still holds.
pub fn hash_stdin(hasher: Hasher, means: Means<'_>) -> io::Result<Vec<u8>> {
    let (digest, _) = hash_reader(stdin()?, hasher, means)?;
    Ok(digest)
}

/// A file open for reading.
pub struct Opened(File);

/// How many files the tool has open.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// How long to wait until another thread may have closed a file.
const CLOSING: Duration = Duration::from_millis(1);

impl Opened {
    /// Opens a file, once there is a descriptor for it.
    pub fn new(name: &Path) -> io::Result<Opened> {
        patiently(|| Ok(Opened(platform::open(name)?)))
    }

    pub fn stat(&self) -> io::Result<Stat> {
        platform::stat_of(&self.0)
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

impl Drop for Opened {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The entries of a directory in the order of their names, once there is a descriptor for it.
pub fn read_dir(name: &Path) -> io::Result<Vec<(OsString, FileType)>> {
    let entries = patiently(|| platform::read_dir(name))?;
    OPEN.fetch_sub(1, Ordering::SeqCst);
    Ok(entries)
}

/// Opens something and counts it as open. Where the process or the system has no descriptor left,
/// waits for other threads to close theirs.
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

/// The digest of a file.
pub fn hash_file(name: &Path, hasher: Hasher, means: Means<'_>) -> io::Result<Vec<u8>> {
    let (digest, _) = hash_rest(&Opened::new(name)?, 0..0, hasher, means)?;
    Ok(digest)
}

/// The digest of a file whose start is in the buffer, and its length.
pub fn hash_rest(
    file: &Opened,
    start: Range<usize>,
    mut hasher: Hasher,
    means: Means<'_>,
) -> io::Result<(Vec<u8>, u64)> {
    let before = file.stat()?;
    means.progress.opened(before.bytes);
    hasher
        .update(&means.buffer[start.clone()])
        .map_err(io::Error::other)?;
    means.progress.hashed(start.len() as u64);
    let (digest, bytes) = hash_reader(file, hasher, means)?;
    let bytes = start.len() as u64 + bytes;
    check_whole(file, &before, bytes)?;
    Ok((digest, bytes))
}

/// Refuses a regular file of which so many bytes were read if it became shorter meanwhile: what was
/// read is neither its old content nor its new one.
pub fn check_whole(file: &Opened, before: &Stat, bytes: u64) -> io::Result<()> {
    // Files of /proc and /sys are shorter than they say, but do not change what they say.
    if before.is_file() && bytes < before.bytes && file.stat()?.bytes < before.bytes {
        return Err(Changed::error("file was truncated while it was read"));
    }
    Ok(())
}

/// A file changed while it was read.
#[derive(Debug)]
pub struct Changed(&'static str);

impl Changed {
    pub fn error(text: &'static str) -> io::Error {
        io::Error::other(Changed(text))
    }

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

/// The digest of what a reader holds, and its length.
fn hash_reader(
    mut reader: impl Read + Send,
    mut hasher: Hasher,
    means: Means<'_>,
) -> io::Result<(Vec<u8>, u64)> {
    let total = match pool(means.threads) {
        Some(pool) => pool.install(|| update_ahead(&mut reader, &mut hasher, means))?,
        None => update(&mut reader, &mut hasher, means)?,
    };
    let digest = hasher.finalize().map_err(io::Error::other)?;
    Ok((digest, total))
}

/// The threads for one file; none if one is enough or all there is.
fn pool(threads: usize) -> Option<ThreadPool> {
    let build = || ThreadPoolBuilder::new().num_threads(threads).build().ok();
    (threads > 1).then(build).flatten()
}

/// Hashes all that a reader holds, piece by piece. How many bytes that was.
fn update(reader: &mut impl Read, hasher: &mut Hasher, means: Means<'_>) -> io::Result<u64> {
    let buffer = &mut means.buffer[..READ_BYTES];
    let mut total = 0;
    loop {
        let bytes = read(reader, buffer)?;
        if bytes == 0 {
            return Ok(total);
        }
        hasher.update(&buffer[..bytes]).map_err(io::Error::other)?;
        total += bytes as u64;
        means.progress.hashed(bytes as u64);
    }
}

/// As `update`, each piece hashed while the next one is read, by the current pool.
fn update_ahead(
    reader: &mut (impl Read + Send),
    hasher: &mut Hasher,
    means: Means<'_>,
) -> io::Result<u64> {
    let (mut current, mut next) = means.buffer.split_at_mut(READ_AHEAD_BYTES);
    next = &mut next[..READ_AHEAD_BYTES];
    let mut total = 0;
    let mut bytes = fill(reader, current)?;
    while bytes != 0 {
        let piece = &current[..bytes];
        let (hashed, ahead) = rayon::join(|| hasher.update_parallel(piece), || fill(reader, next));
        hashed.map_err(io::Error::other)?;
        total += bytes as u64;
        means.progress.hashed(bytes as u64);
        bytes = ahead?;
        std::mem::swap(&mut current, &mut next);
    }
    Ok(total)
}

/// As many bytes as the buffer holds, fewer only at the end.
pub fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut bytes = 0;
    while bytes < buffer.len() {
        match read(reader, &mut buffer[bytes..])? {
            0 => break,
            more => bytes += more,
        }
    }
    Ok(bytes)
}

/// Some bytes; none at the end.
fn read(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            result => return result,
        }
    }
}
