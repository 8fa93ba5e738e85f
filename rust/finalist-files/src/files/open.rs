// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens files and directories. Another thread may have to close a file before.

use std::borrow::Borrow;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::Changed;
use crate::platform::{self, Directory, Entry, Root, Stat};

/// An open file, or another object with a descriptor. Fields are dropped in this order, so it is closed
/// before it stops being counted.
pub struct Opened<F = File>(pub(super) F, Counted);

/// One of the files that the process has open.
struct Counted;

/// Number of files that the process has open, in the low half; number of those ever opened, in the
/// high half, which may overflow.
static OPEN: AtomicU64 = AtomicU64::new(0);

/// One more file in both halves of `OPEN`.
const ANOTHER: u64 = (1 << 32) + 1;

impl Counted {
    /// Counts a file and returns what `OPEN` was before.
    fn begin() -> (Counted, u64) {
        (Counted, OPEN.fetch_add(ANOTHER, Ordering::SeqCst))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::SeqCst);
    }
}

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
            return patiently(|| platform::open_at_once(self.name));
        };
        patiently(|| root.open(self.name)).map_err(link_is_change)
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
        patiently(|| platform::open(name))
    }

    /// Waits until a pipe has something to read or has ended. Later reads wait, too, if the system
    /// opened the file without waiting.
    ///
    /// # Errors
    /// The system cannot wait for it.
    pub fn wait(&self) -> io::Result<()> {
        platform::wait(&self.0)
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
    pub(super) fn position(&self) -> io::Result<u64> {
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
    /// Opens something without waiting for a descriptor.
    fn at_once(open: impl FnOnce() -> io::Result<F>) -> io::Result<Opened<F>> {
        let (counted, _) = Counted::begin();
        open().map(|file| Opened(file, counted))
    }
}

/// Opens a sequence of files, on Linux without waiting for the writer of a pipe. Opens those of one
/// directory relative to it, so that the system need not resolve the directory's path for each.
#[derive(Default)]
pub struct Opener {
    /// Directory of the last file.
    name: PathBuf,
    /// Number of files of that directory so far.
    count: usize,
    pub(super) directory: Option<Opened<Directory>>,
}

/// A directory is opened after this number of its files: about as many more are likely to follow.
pub(super) const FILES_BEFORE: usize = 4;

impl Opener {
    /// Opens a file as soon as there is a descriptor for it.
    pub fn open(&mut self, location: Location<'_>) -> io::Result<Opened> {
        let Some((directory, below)) = platform::split(location.name) else {
            return location.open();
        };
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
            self.directory = Opened::at_once(|| location.open_directory(directory)).ok();
        }
        if let Some(directory) = &self.directory {
            if let Ok(file) = Opened::at_once(|| directory.0.open(below)) {
                return Ok(file);
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

/// Returns the entries of a directory, sorted by name, as soon as there is a descriptor for it.
pub fn read_dir(location: Location<'_>) -> io::Result<Vec<Entry>> {
    let entries = patiently(|| match location.root {
        Some(root) => root.read_dir(location.name),
        None => platform::read_dir(location.name),
    });
    entries.map(|entries| entries.0).map_err(link_is_change)
}

/// Opens something. If no descriptor is left for the process or system, waits for other threads to
/// close theirs, unless none had anything open meanwhile.
pub(super) fn patiently<F>(open: impl Fn() -> io::Result<F>) -> io::Result<Opened<F>> {
    loop {
        let (counted, before) = Counted::begin();
        let error = match open() {
            Ok(file) => return Ok(Opened(file, counted)),
            Err(error) => error,
        };
        let is_alone = OPEN.load(Ordering::SeqCst) == before.wrapping_add(ANOTHER);
        let was_alone = before % (1 << 32) == 0;
        if !platform::lacks_descriptors(&error) || (was_alone && is_alone) {
            return Err(error);
        }
        drop(counted);
        thread::sleep(CLOSING);
    }
}

/// Reads what is there without waiting for more.
pub struct Ready<'a> {
    file: &'a Opened,
    /// True after a read that would have waited; it returned no bytes.
    pub waits: bool,
}

impl Ready<'_> {
    /// Returns a reader of a file that was opened without waiting.
    pub fn new(file: &Opened) -> Ready<'_> {
        Ready { file, waits: false }
    }
}

impl Read for Ready<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (&self.file.0).read(buffer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.waits = true;
                Ok(0)
            }
            result => result,
        }
    }
}
