// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading files.

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

use finalist::Hasher;
use rayon::ThreadPool;

use crate::platform::{self, Directory, Entry, Root, Stat};
use crate::progress::Progress;
use crate::stdin::{is_stdin, stdin};
use crate::threads::Threads;

/// Large enough that a system call's cost is lost in it, small enough for a core's own cache.
const READ_BYTES: usize = 256 * 1024;
/// So many bytes are hashed before other threads are started: few files have more.
const ALONE_BYTES: u64 = 1 << 20;
/// A thread reads so many pieces ahead: few enough for a cache that the cores share.
const PIECES: usize = 16;
/// Pieces that were hashed are handed back so many at a time, as each time may wake the reader.
const PIECES_RETURNED: usize = PIECES / 4;

/// After so many bytes of a long file it is noted where the hasher is.
pub const MARK_BYTES: u64 = 256 << 20;

/// Is told how many bytes the hasher has taken in.
pub type Reached<'a> = dyn Fn(u64, &Hasher) + 'a;

/// What a file is read and hashed with.
pub struct Means<'a> {
    /// Where the file is read to.
    pub buffer: &'a mut [u8],
    /// Is told how far the work is.
    pub progress: &'a dyn Progress,
    /// More than one: a thread reads ahead, and BLAKE2bp and BLAKE2sp share out their leaves.
    pub threads: Threads,
    /// Is called by one thread after every [`MARK_BYTES`], with the bytes that were read so far and what
    /// took them in.
    pub reached: Option<&'a Reached<'a>>,
}

/// Hashes what standard input still holds. How many bytes that is.
pub fn hash_stdin(hasher: &mut Hasher, means: Means<'_>) -> io::Result<u64> {
    hash_reader(stdin()?, hasher, means)
}

/// A file open for reading, or another thing that has a descriptor.
pub struct Opened<F = File>(F);

/// How many files the tool has open.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// How long to wait until another thread may have closed a file.
const CLOSING: Duration = Duration::from_millis(1);

/// Where a file is: its name, below a root if there is one.
#[derive(Clone, Copy)]
pub struct Location<'a> {
    /// The directory that the name is below.
    pub root: Option<&'a Root>,
    /// The name, the path below the root if there is one.
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

/// A link is refused only where none was when the file was listed.
fn link_is_change(error: io::Error) -> io::Error {
    match platform::is_link_refused(&error) {
        true => Changed::error("a symbolic link took its place after it was listed"),
        false => error,
    }
}

impl Opened {
    /// Opens a file, once there is a descriptor for it.
    pub fn new(name: &Path) -> io::Result<Opened> {
        patiently(|| Ok(Opened(platform::open(name)?)))
    }

    /// Goes to a place in the file.
    ///
    /// # Errors
    /// The file has no places.
    pub fn seek(&self, at: u64) -> io::Result<u64> {
        (&self.0).seek(SeekFrom::Start(at))
    }

    /// What the file is now.
    ///
    /// # Errors
    /// The system does not tell.
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

/// Opens files one after the other: those of one directory relative to it, so that the system need
/// not look up the way to it for each.
#[derive(Default)]
pub struct Opener {
    /// Name of the directory of the last file.
    name: PathBuf,
    /// Files of that directory.
    count: usize,
    directory: Option<Opened<Directory>>,
}

/// After so many files of a directory it is opened, as many more are likely to come.
const FILES_BEFORE: usize = 4;

impl Opener {
    /// As [`Opened::new`].
    pub fn open(&mut self, location: Location<'_>) -> io::Result<Opened> {
        let file = location.name;
        let (Some(directory), Some(below)) = (file.parent(), file.file_name()) else {
            return location.open();
        };
        // "name/" and "name/." are not "name".
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
        // The directory may be another one by now, or take the last descriptor.
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

impl<F> Drop for Opened<F> {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The entries of a directory in the order of their names, once there is a descriptor for it.
pub fn read_dir(location: Location<'_>) -> io::Result<Vec<Entry>> {
    let entries = patiently(|| match location.root {
        Some(root) => root.read_dir(location.name),
        None => platform::read_dir(location.name),
    });
    let entries = entries.map_err(link_is_change)?;
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

/// Hashes a file. How many bytes it has.
pub fn hash_file(name: &Path, hasher: &mut Hasher, means: Means<'_>) -> io::Result<u64> {
    hash_rest(&Opened::new(name)?, 0..0, hasher, means)
}

/// Length and digest of a file or of standard input, read by this thread.
pub fn hash_whole(
    name: &Path,
    mut hasher: Hasher,
    progress: &dyn Progress,
) -> io::Result<(u64, Vec<u8>)> {
    let means = Means {
        buffer: &mut vec![0; READ_BYTES],
        progress,
        threads: Threads::One,
        reached: None,
    };
    let bytes = match is_stdin(name) {
        true => hash_stdin(&mut hasher, means),
        false => hash_file(name, &mut hasher, means),
    };
    Ok((bytes?, hasher.finalize().map_err(io::Error::other)?))
}

/// Hashes a file whose start is in the buffer. How many bytes it has.
pub fn hash_rest(
    file: &Opened,
    start: Range<usize>,
    hasher: &mut Hasher,
    means: Means<'_>,
) -> io::Result<u64> {
    let before = file.stat()?;
    hasher
        .update(&means.buffer[start.clone()])
        .map_err(io::Error::other)?;
    means.progress.hashed(start.len() as u64);
    let bytes = start.len() as u64 + hash_reader(file, hasher, means)?;
    check_whole(file, &before, bytes)?;
    Ok(bytes)
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
    /// The error of a file that changed.
    pub fn error(text: &'static str) -> io::Error {
        io::Error::other(Changed(text))
    }

    /// Whether that is the error.
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

/// Hashes all that a reader holds. How many bytes that is.
fn hash_reader(
    mut reader: impl Read + Send,
    hasher: &mut Hasher,
    means: Means<'_>,
) -> io::Result<u64> {
    let Means {
        buffer,
        progress,
        threads,
        reached,
    } = means;
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

/// The threads for one file; none if one is enough or all there is.
fn pool(threads: Threads) -> Option<ThreadPool> {
    (threads.count() > 1)
        .then(|| threads.start().ok())
        .flatten()
}

/// Hashes all that a reader holds, piece by piece. How many bytes that was.
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
    }
}

/// As `update`, while another thread reads ahead; `None` if it cannot be started.
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
    // The channels end with this closure, so that the other thread does not wait for ever.
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
                // At the end nobody wants them.
                let _ = used.drain(..).try_for_each(|piece| empty.send(piece));
            }
        }
        Ok(Some(total))
    })
}

/// As many bytes as the buffer holds, fewer only at the end.
pub fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    fill_to(None, reader, buffer)
}

/// As `fill`, of something that is said to end after so many bytes: it is not asked for more once
/// they are there. What is empty may be a file of /proc, which has more than it says.
pub fn fill_to(
    length: Option<u64>,
    reader: &mut impl Read,
    buffer: &mut [u8],
) -> io::Result<usize> {
    let enough = length.filter(|&length| length != 0).unwrap_or(u64::MAX);
    let mut bytes = 0;
    while bytes < buffer.len() && (bytes as u64) < enough {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Gives few bytes at a time, and counts how often it was asked.
    struct Slow(&'static [u8], usize);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            let bytes = buffer.len().min(4);
            (&mut self.0).read(&mut buffer[..bytes])
        }
    }

    #[test]
    fn a_known_length_saves_asking_for_more() {
        for (length, asked, bytes) in [
            (None, 4, 10),
            (Some(0), 4, 10),
            (Some(10), 3, 10),
            (Some(5), 2, 8),
            (Some(11), 4, 10),
        ] {
            let mut reader = Slow(b"0123456789", 0);
            let mut buffer = [0; 20];
            let filled = fill_to(length, &mut reader, &mut buffer);
            let filled = filled.expect("the reader does not fail");
            assert_eq!((filled, reader.1), (bytes, asked), "{length:?}");
            assert_eq!(buffer[..bytes], b"0123456789"[..bytes]);
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "directories are not opened there")]
    fn files_are_found_relative_to_their_directory() {
        let temporary = tempfile::tempdir().expect("there is a place");
        let (one, other) = (temporary.path().join("one"), temporary.path().join("other"));
        for (directory, content) in [(&one, "one"), (&other, "other")] {
            fs::create_dir(directory).expect("it is not there");
            for index in 0..2 * FILES_BEFORE {
                let content = format!("{content}{index}");
                fs::write(directory.join(index.to_string()), content).expect("written");
            }
        }
        let mut opener = Opener::default();
        let mut content = |name: &Path| {
            let mut text = String::new();
            let location = Location { root: None, name };
            opener.open(location)?.read_to_string(&mut text)?;
            io::Result::Ok((text, opener.directory.is_some()))
        };
        for (directory, name) in [(&one, "one"), (&other, "other"), (&one, "one")] {
            for index in 0..2 * FILES_BEFORE {
                let found = content(&directory.join(index.to_string())).expect("it is there");
                assert_eq!(found, (format!("{name}{index}"), index >= FILES_BEFORE));
            }
        }
        let missing = content(&one.join("missing")).expect_err("it is not there");
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        // What has the directory's name by now counts, where the one that is open has no such file.
        content(&one.join("0")).expect("it is there");
        fs::rename(&one, temporary.path().join("away")).expect("renamed");
        fs::create_dir(&one).expect("it is not there");
        fs::write(one.join("later"), "later").expect("written");
        let later = content(&one.join("later")).expect("it is there");
        assert_eq!(later, ("later".to_owned(), false));
    }
}
