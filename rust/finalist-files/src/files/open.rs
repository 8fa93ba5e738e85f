// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens files and directories. Another thread may have to close a file before.

use std::borrow::Borrow;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::Changed;
use crate::platform::{self, Directory, Entry, Root, Stat};

/// An open file, or another object with a descriptor.
pub struct Opened<F = File>(pub(super) F);

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
            return patiently(|| Ok(Opened(platform::open_at_once(self.name)?)));
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
    fn count(file: F) -> Opened<F> {
        OPEN.fetch_add(1, Ordering::SeqCst);
        Opened(file)
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
            self.directory = location.open_directory(directory).map(Opened::count).ok();
        }
        if let Some(directory) = &self.directory {
            if let Ok(file) = directory.0.open(below) {
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
