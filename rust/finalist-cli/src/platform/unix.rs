// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names are bytes. Files and directories are opened by names of any length: what the system refuses
//! as too long is opened piece by piece, each relative to the directory before it.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{AtFlags, CWD, Dir, FlockOperation, Mode, OFlags};
use rustix::fs::{flock, fstat, openat, statat};
use rustix::io::Errno;

use super::{FileType, Stat};

/// Shorter than PATH_MAX of every system.
const PIECE_BYTES: usize = 1000;

/// The name as lists, manifests and messages have it.
pub fn bytes_of(name: &Path) -> Cow<'_, [u8]> {
    name.as_os_str().as_bytes().into()
}

/// The name that a list or manifest has as these bytes.
pub fn name_of(bytes: Vec<u8>) -> PathBuf {
    OsString::from_vec(bytes).into()
}

/// Opens a file for reading.
pub fn open(name: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = at(name, |dir, name| openat(dir, name, flags, Mode::empty()))?;
    Ok(file.into())
}

/// A directory, to open files relative to it.
pub struct Directory(OwnedFd);

impl Directory {
    pub fn new(name: &Path) -> io::Result<Directory> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = at(name, |dir, name| openat(dir, name, flags, Mode::empty()))?;
        Ok(Directory(directory))
    }

    /// Opens a file in it for reading.
    pub fn open(&self, name: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(openat(&self.0, name, flags, Mode::empty())?.into())
    }
}

/// What the name stands for, behind symbolic links.
pub fn stat(name: &Path) -> io::Result<Stat> {
    let stat = at(name, |dir, name| statat(dir, name, AtFlags::empty()))?;
    Ok(stat.into())
}

/// What an open file is now.
pub fn stat_of(file: &File) -> io::Result<Stat> {
    Ok(fstat(file)?.into())
}

/// What no other file has at the same time: device and inode, behind symbolic links.
#[allow(
    clippy::unnecessary_cast,
    reason = "the fields have other types on other systems"
)]
pub fn identity(name: &Path) -> io::Result<(u64, u64)> {
    let stat = at(name, |dir, name| statat(dir, name, AtFlags::empty()))?;
    Ok((stat.st_dev as u64, stat.st_ino as u64))
}

/// The type of what the name itself stands for.
pub fn file_type(name: &Path) -> io::Result<FileType> {
    let stat = at(name, |dir, name| {
        statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
    })?;
    Ok(Stat::from(stat).file_type)
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
            entries.push((OsString::from_vec(name.to_vec()), entry.file_type().into()));
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

impl From<rustix::fs::FileType> for FileType {
    fn from(file_type: rustix::fs::FileType) -> FileType {
        use rustix::fs::FileType as Raw;
        match file_type {
            Raw::RegularFile => FileType::Regular,
            Raw::Directory => FileType::Directory,
            Raw::Symlink => FileType::Symlink,
            Raw::Unknown => FileType::Unknown,
            _ => FileType::Other,
        }
    }
}

impl From<rustix::fs::Stat> for Stat {
    #[allow(
        clippy::unnecessary_cast,
        reason = "the fields have other types on other systems"
    )]
    fn from(stat: rustix::fs::Stat) -> Stat {
        let seconds = stat.st_mtime as i64;
        let modified_ns = seconds
            .checked_mul(1_000_000_000)
            .and_then(|all| all.checked_add(stat.st_mtime_nsec as i64));
        Stat {
            file_type: rustix::fs::FileType::from_raw_mode(stat.st_mode).into(),
            bytes: stat.st_size as u64,
            modified_ns,
        }
    }
}

/// True if neither the process nor the system has a descriptor left.
pub fn lacks_descriptors(error: &io::Error) -> bool {
    let none_left = [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
    error
        .raw_os_error()
        .is_some_and(|error| none_left.contains(&error))
}

pub fn not_a_directory() -> io::Error {
    Errno::NOTDIR.into()
}

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Before `main`, Rust's runtime opens /dev/null in the place of a closed descriptor. What was closed
/// is therefore noted earlier.
#[allow(
    unsafe_code,
    reason = "the macro's way to say that this runs before main"
)]
#[ctor::ctor(unsafe)]
fn note_closed() {
    let closed = |result: rustix::io::Result<_>| result.is_err();
    let stdin = closed(rustix::io::fcntl_getfd(rustix::stdio::stdin()));
    let stdout = closed(rustix::io::fcntl_getfd(rustix::stdio::stdout()));
    STDIN_CLOSED.store(stdin, Ordering::Relaxed);
    STDOUT_CLOSED.store(stdout, Ordering::Relaxed);
}

/// True if the tool was started with standard input closed.
pub fn stdin_is_closed() -> bool {
    STDIN_CLOSED.load(Ordering::Relaxed)
}

/// True if the tool was started with standard output closed.
pub fn stdout_is_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}

/// The error of a closed stream.
pub fn cut_off() -> io::Error {
    Errno::BADF.into()
}

/// A text for the error that is not the system's.
pub fn reason(_: &io::Error) -> Option<String> {
    None
}

/// True if the terminal shows Unicode.
pub fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty())
        .unwrap_or_default();
    let locale = locale.to_string_lossy().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// What can be written to the stream: everything.
pub fn writable<'a, S>(text: &'a [u8], _: &S) -> Cow<'a, [u8]> {
    text.into()
}

/// The names on a command line: shells have put files in the place of globs.
pub fn expanded(names: Vec<PathBuf>) -> Vec<PathBuf> {
    names
}

/// What is wrong with a path in a manifest beside what is wrong with it everywhere.
pub fn path_complaint(_: &[u8]) -> Option<&'static str> {
    None
}

/// What is wrong with a path whose file is to be opened.
pub fn name_complaint(_: &[u8]) -> Option<&'static str> {
    None
}

/// Opens a file to read and write it, or makes it; `None` if another process has done so and not yet
/// ended.
pub fn open_alone(name: &Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(name)?;
    let locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
    Ok(locked.is_ok().then_some(file))
}

/// Makes temporary files that get another name later: with the permissions of any new file.
pub fn new_file_builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.permissions(Permissions::from_mode(0o666));
    builder
}
