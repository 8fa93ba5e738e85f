// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files and directories by names of any length. What the system refuses as too long is opened piece
//! by piece, each relative to the directory before it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::io::Errno;

/// Shorter than PATH_MAX of every system.
const PIECE_BYTES: usize = 1000;

/// Opens a file for reading.
pub fn open(name: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    at(name, |dir, name| openat(dir, name, flags, Mode::empty()))
}

/// What the name stands for, behind symbolic links.
pub fn stat(name: &Path) -> io::Result<Stat> {
    at(name, |dir, name| statat(dir, name, AtFlags::empty()))
}

/// The type of what the name itself stands for.
pub fn file_type(name: &Path) -> io::Result<FileType> {
    let stat = at(name, |dir, name| {
        statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
    })?;
    Ok(FileType::from_raw_mode(stat.st_mode))
}

/// The entries of a directory in the order of their names. The directory is closed again.
pub fn read_dir(name: &Path) -> io::Result<Vec<(OsString, FileType)>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = at(name, |dir, name| openat(dir, name, flags, Mode::empty()))?;
    let mut entries = Vec::new();
    for entry in Dir::new(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            entries.push((OsString::from_vec(name.to_vec()), entry.file_type()));
        }
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(entries)
}

/// Calls with the name, or where that is too long with the directory that holds its last piece and
/// that piece.
fn at<R>(
    name: &Path,
    call: impl Fn(BorrowedFd<'_>, &Path) -> rustix::io::Result<R>,
) -> io::Result<R> {
    match call(CWD, name) {
        Err(Errno::NAMETOOLONG) => (),
        result => return Ok(result?),
    }
    let mut directory: Option<OwnedFd> = None;
    let mut rest = name.as_os_str().as_bytes();
    while rest.len() > PIECE_BYTES {
        let cut = rest[..PIECE_BYTES].iter().rposition(|&byte| byte == b'/');
        let Some(cut) = cut.filter(|&cut| cut > 0) else {
            return Err(Errno::NAMETOOLONG.into());
        };
        let piece = Path::new(OsStr::from_bytes(&rest[..cut]));
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let parent = directory.as_ref().map_or(CWD, AsFd::as_fd);
        directory = Some(openat(parent, piece, flags, Mode::empty())?);
        let slashes = rest[cut..].iter().take_while(|&&byte| byte == b'/').count();
        rest = &rest[cut + slashes..];
    }
    let parent = directory.as_ref().map_or(CWD, AsFd::as_fd);
    Ok(call(parent, Path::new(OsStr::from_bytes(rest)))?)
}
