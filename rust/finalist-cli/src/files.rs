// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finding the files of a command line, and reading them.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use finalist::Hasher;
use walkdir::WalkDir;

use crate::failure::reason;
use crate::progress::Progress;

/// Large enough that a system call's cost is lost in it, small enough for a core's own cache.
const BUFFER_BYTES: usize = 256 * 1024;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; BUFFER_BYTES]);
}

/// The name that stands for standard input.
pub fn is_stdin(name: &Path) -> bool {
    name.as_os_str().as_bytes() == b"-"
}

/// The digest of what standard input still holds.
pub fn hash_stdin(hasher: Hasher, progress: &Progress) -> io::Result<Vec<u8>> {
    hash_reader(io::stdin().lock(), hasher, progress).map(|(digest, _)| digest)
}

/// The digest of a file.
///
/// A regular file that has become shorter while it was read has no digest: what was read is
/// neither its old content nor its new one.
pub fn hash_file(name: &Path, hasher: Hasher, progress: &Progress) -> io::Result<Vec<u8>> {
    let file = File::open(name)?;
    let before = file.metadata()?;
    progress.opened(before.len());
    let (digest, bytes) = hash_reader(&file, hasher, progress)?;
    // Files of /proc and /sys are shorter than they say, but do not change what they say.
    if before.is_file() && bytes < before.len() && file.metadata()?.len() < before.len() {
        return Err(io::Error::other("file was truncated while it was read"));
    }
    Ok(digest)
}

/// The digest of what a reader holds, and its length.
fn hash_reader(
    mut reader: impl Read,
    mut hasher: Hasher,
    progress: &Progress,
) -> io::Result<(Vec<u8>, u64)> {
    BUFFER.with_borrow_mut(|buffer| {
        let mut total = 0;
        loop {
            let bytes = match reader.read(buffer) {
                Ok(0) => break,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hasher.update(&buffer[..bytes]).map_err(io::Error::other)?;
            total += bytes as u64;
            progress.hashed(bytes as u64);
        }
        let digest = hasher.finalize().map_err(io::Error::other)?;
        Ok((digest, total))
    })
}

/// Whether and how directories are walked.
#[derive(Clone, Copy)]
pub struct Walk {
    pub recursive: bool,
    /// Follow symbolic links found in a directory; those named by the user always are.
    pub follow: bool,
}

/// A file to hash, or the name and reason of one that could not be found.
pub type Found = Result<PathBuf, (PathBuf, String)>;

/// The files that a name stands for: itself, or the files under a directory in the order of their
/// names.
pub fn find(name: PathBuf, walk: Walk) -> Box<dyn Iterator<Item = Found> + Send> {
    if !walk.recursive || is_stdin(&name) || !name.is_dir() {
        return Box::new(std::iter::once(Ok(name)));
    }
    let entries = WalkDir::new(&name)
        .follow_links(walk.follow)
        .sort_by_file_name();
    Box::new(entries.into_iter().filter_map(move |entry| match entry {
        Ok(entry) => entry.file_type().is_file().then(|| Ok(entry.into_path())),
        Err(error) => {
            let path = error.path().unwrap_or(&name).to_owned();
            let text = match error.io_error() {
                Some(error) => reason(error),
                None => "symbolic link leads back to a directory above it".to_owned(),
            };
            Some(Err((path, text)))
        }
    }))
}
