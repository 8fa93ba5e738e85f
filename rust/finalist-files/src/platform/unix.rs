// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names are bytes and may have any length: a name that is too long for the system is opened in
//! pieces, each relative to the previous directory.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{AtFlags, CWD, Dir, FlockOperation, Mode, OFlags};
use rustix::fs::{fcntl_getfl, fcntl_setfl, flock, fstat, openat, statat};
use rustix::io::Errno;
#[cfg(any(target_os = "linux", target_os = "android"))]
use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};
use rustix::process::{Resource, geteuid, getrlimit, umask};

use super::{Entry, Exclusive, FileType, Stat};

#[path = "unix/root.rs"]
mod root;

pub use root::Root;

/// Length of a piece: shorter than PATH_MAX on every system.
const PIECE_BYTES: usize = 1000;

/// Returns the name as lists, manifests and messages show it.
pub fn bytes_of(name: &Path) -> Cow<'_, [u8]> {
    name.as_os_str().as_bytes().into()
}

/// Returns the name from its bytes in a list or manifest.
pub fn name_of(bytes: Vec<u8>) -> PathBuf {
    OsString::from_vec(bytes).into()
}

/// Opens a file for reading.
pub fn open(name: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = at(name, |dir, name| openat(dir, name, flags, Mode::empty()))?;
    Ok(file.into())
}

/// True if [`open_at_once`] never waits. Other systems' `poll` need not wait for a pipe's first writer.
pub const OPENS_AT_ONCE: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Opens a file for reading without waiting for a pipe's writer; [`wait`] does that.
pub fn open_at_once(name: &Path) -> io::Result<File> {
    Ok(at(name, open_in_at_once)?.into())
}

fn open_in_at_once(directory: BorrowedFd<'_>, name: &Path) -> rustix::io::Result<OwnedFd> {
    let open = |flags| {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | flags;
        openat(directory, name, flags, Mode::empty())
    };
    let mut flags = OFlags::empty();
    flags.set(OFlags::NONBLOCK, OPENS_AT_ONCE);
    match open(flags) {
        // Another process has a lease of the file and is asked to return it.
        Err(Errno::WOULDBLOCK) => open(OFlags::empty()),
        result => result,
    }
}

/// Waits for something to read from a pipe of [`open_at_once`] or its first writer's end; later reads
/// of any file wait.
pub fn wait(file: &File) -> io::Result<()> {
    if rustix::fs::FileType::from_raw_mode(fstat(file)?.st_mode) == rustix::fs::FileType::Fifo {
        rustix::io::retry_on_intr(|| poll(&mut [PollFd::new(file, PollFlags::IN)], None))?;
    }
    Ok(fcntl_setfl(file, fcntl_getfl(file)? - OFlags::NONBLOCK)?)
}

/// Returns true if a file is a pipe, and lets the pipe hold more bytes if the system permits it: its
/// writer and its reader wait for each other less often.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn widen_pipe(file: impl AsFd) -> bool {
    const BYTES: usize = 1 << 20; // the most without privileges
    let now = fcntl_getpipe_size(&file);
    if now.is_ok_and(|bytes| bytes < BYTES) {
        let _ = fcntl_setpipe_size(&file, BYTES);
    }
    now.is_ok()
}

/// Returns false: other systems do not let a reader set a pipe's size.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn widen_pipe(_: impl AsFd) -> bool {
    false
}

/// Opens a regular file for reading. Never blocks on other types.
pub fn open_regular(name: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file: File = at(name, |dir, name| openat(dir, name, flags, Mode::empty()))?.into();
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok(file)
}

/// Reads at an offset of a file without changing the file's own offset.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(buffer, at)
}

/// Returns the directory of a name that has one, and the name below it.
pub fn split(name: &Path) -> Option<(&Path, &Path)> {
    let bytes = name.as_os_str().as_bytes();
    let slash = bytes.iter().rposition(|&byte| byte == b'/')?;
    let (directory, below) = (&bytes[..slash], &bytes[slash + 1..]);
    // The root directory and the names "name/" and "name/." are left to the system.
    let is_plain = !directory.is_empty() && !below.is_empty() && below != b"." && below != b"..";
    let path = |bytes| Path::new(OsStr::from_bytes(bytes));
    is_plain.then(|| (path(directory), path(below)))
}

/// A directory, to open files relative to it.
pub struct Directory {
    directory: OwnedFd,
    /// Flags for opening files below a [`Root`].
    flags: Option<OFlags>,
}

impl Directory {
    /// Opens a directory.
    pub fn new(name: &Path) -> io::Result<Directory> {
        Ok(Directory {
            directory: open_directory(name)?,
            flags: None,
        })
    }

    /// Opens a file in it for reading, as [`open_at_once`] does.
    pub fn open(&self, name: &Path) -> io::Result<File> {
        let opened = match self.flags {
            None => open_in_at_once(self.directory.as_fd(), name)?,
            Some(flags) => openat(&self.directory, name, flags, Mode::empty())?,
        };
        Ok(opened.into())
    }
}

/// Opens a directory, to open files relative to it.
fn open_directory(name: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    at(name, |dir, name| openat(dir, name, flags, Mode::empty()))
}

/// Returns a name's metadata; follows symbolic links.
pub fn stat(name: &Path) -> io::Result<Stat> {
    let stat = at(name, |dir, name| statat(dir, name, AtFlags::empty()))?;
    Ok(stat.into())
}

/// Returns the current metadata of an open file.
pub fn stat_of(file: &File) -> io::Result<Stat> {
    Ok(fstat(file)?.into())
}

/// Returns the metadata of standard input, output and error.
pub fn stat_of_streams() -> [io::Result<Stat>; 3] {
    use rustix::stdio::{stderr, stdin, stdout};
    [stdin(), stdout(), stderr()].map(|stream| Ok(fstat(stream)?.into()))
}

/// Returns the type of a name; does not follow symbolic links.
pub fn file_type(name: &Path) -> io::Result<FileType> {
    let stat = at(name, |dir, name| {
        statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
    })?;
    Ok(Stat::from(stat).file_type)
}

/// Returns the entries of a directory, sorted by name.
pub fn read_dir(name: &Path) -> io::Result<Vec<Entry>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = at(name, |dir, name| openat(dir, name, flags, Mode::empty()))?;
    let mut entries = Vec::new();
    for entry in Dir::new(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            let name = OsString::from_vec(name.to_vec());
            entries.push(Entry::new(name, entry.file_type().into()));
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// Calls a function with the name or, if it is too long, with an open directory and the rest of the
/// name.
fn at<R>(
    name: &Path,
    call: impl Fn(BorrowedFd<'_>, &Path) -> rustix::io::Result<R>,
) -> io::Result<R> {
    Ok(at_in(CWD, name, call)?)
}

/// Does the same as `at`, for a name relative to a directory.
fn at_in<R>(
    start: BorrowedFd<'_>,
    name: &Path,
    call: impl Fn(BorrowedFd<'_>, &Path) -> rustix::io::Result<R>,
) -> rustix::io::Result<R> {
    match call(start, name) {
        Err(Errno::NAMETOOLONG) => (),
        result => return result,
    }
    let mut directory: Option<OwnedFd> = None;
    let mut rest = name.as_os_str().as_bytes();
    while rest.len() > PIECE_BYTES {
        let cut = rest[..PIECE_BYTES].iter().rposition(|&byte| byte == b'/');
        let Some(cut) = cut.filter(|&cut| cut > 0) else {
            return Err(Errno::NAMETOOLONG);
        };
        let piece = Path::new(OsStr::from_bytes(&rest[..cut]));
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let parent = directory.as_ref().map_or(start, AsFd::as_fd);
        directory = Some(openat(parent, piece, flags, Mode::empty())?);
        let slashes = rest[cut..].iter().take_while(|&&byte| byte == b'/').count();
        rest = &rest[cut + slashes..];
    }
    let parent = directory.as_ref().map_or(start, AsFd::as_fd);
    // Slashes may have been all that followed a directory.
    let last = if rest.is_empty() { b"." } else { rest };
    call(parent, Path::new(OsStr::from_bytes(last)))
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
        let all_ns = |seconds: i64, more_ns: i64| {
            let whole_ns = seconds.checked_mul(1_000_000_000);
            whole_ns.and_then(|all| all.checked_add(more_ns))
        };
        Stat {
            file_type: rustix::fs::FileType::from_raw_mode(stat.st_mode).into(),
            bytes: stat.st_size as u64,
            modified_ns: all_ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed_ns: all_ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            mode: Some(stat.st_mode as u16 & 0o7777),
            identity: (stat.st_dev as u64, stat.st_ino as u64),
        }
    }
}

/// Returns true if no descriptor is left for the process or the system.
pub fn lacks_descriptors(error: &io::Error) -> bool {
    let none_left = [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
    error
        .raw_os_error()
        .is_some_and(|error| none_left.contains(&error))
}

/// Returns true if a name led through a forbidden symbolic link.
pub fn is_link_refused(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

/// Returns the error for a name that is not a directory.
pub fn not_a_directory() -> io::Error {
    Errno::NOTDIR.into()
}

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Records which standard streams are closed. Call it before `main`: Rust's runtime opens /dev/null
/// in place of a closed descriptor.
pub fn note_closed() {
    let closed = |result: rustix::io::Result<_>| result.is_err();
    let stdin = closed(rustix::io::fcntl_getfd(rustix::stdio::stdin()));
    let stdout = closed(rustix::io::fcntl_getfd(rustix::stdio::stdout()));
    STDIN_CLOSED.store(stdin, Ordering::Relaxed);
    STDOUT_CLOSED.store(stdout, Ordering::Relaxed);
}

/// Returns true if standard input was closed when the tool started.
pub fn stdin_is_closed() -> bool {
    STDIN_CLOSED.load(Ordering::Relaxed)
}

/// Returns true if standard output was closed when the tool started.
pub fn stdout_is_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}

/// Returns the limit of the address space in bytes (`ulimit -v`).
pub fn address_space() -> u64 {
    getrlimit(Resource::As).current.unwrap_or(u64::MAX)
}

/// Returns the error for a closed stream.
pub fn cut_off() -> io::Error {
    Errno::BADF.into()
}

/// Returns `None`: the system's text is used.
pub fn reason(_: &io::Error) -> Option<String> {
    None
}

/// Returns true if the terminal shows Unicode.
pub fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty())
        .unwrap_or_default();
    let locale = locale.to_string_lossy().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Returns the part of a text that can be written to the stream: all of it.
pub fn writable<'a, S>(text: &'a [u8], _: &S) -> Cow<'a, [u8]> {
    text.into()
}

/// Returns the names of a command line, in which the shell has expanded globs.
pub fn expanded(names: Vec<PathBuf>) -> Vec<PathBuf> {
    names
}

/// Returns a message if this system refuses a path in a manifest: it refuses none.
pub fn path_complaint(_: &[u8]) -> Option<&'static str> {
    None
}

/// Returns a message if this system refuses to open a path's file: it refuses none.
pub fn name_complaint(_: &[u8]) -> Option<&'static str> {
    None
}

/// Creates a file for this user to read and write, or opens one created this way.
pub fn open_alone(name: &Path) -> io::Result<Exclusive> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let new = flags | OFlags::CREATE | OFlags::EXCL;
    let mode = Mode::RUSR | Mode::WUSR;
    let others_write = (Mode::WGRP | Mode::WOTH).as_raw_mode();
    loop {
        let mut opened = at(name, |dir, name| openat(dir, name, new, mode));
        if matches!(&opened, Err(error) if error.kind() == ErrorKind::AlreadyExists) {
            opened = at(name, |dir, name| openat(dir, name, flags, mode));
            // Removed meanwhile.
            if matches!(&opened, Err(error) if error.kind() == ErrorKind::NotFound) {
                continue;
            }
        }
        let file: File = match opened {
            Err(error) if is_link_refused(&error) => return Ok(Exclusive::Foreign),
            opened => opened?.into(),
        };
        let metadata = file.metadata()?;
        let is_own = metadata.is_file()
            && metadata.uid() == geteuid().as_raw()
            && metadata.mode() & others_write == 0
            && metadata.nlink() <= 1;
        if !is_own {
            return Ok(Exclusive::Foreign);
        }
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Ok(Exclusive::Busy);
        }
        // The process that had the lock before may have removed the file.
        if file.metadata()?.nlink() != 0 {
            return Ok(Exclusive::File(file));
        }
    }
}

/// Releases a file of `open_alone` for use by other handles while it is still open.
pub fn release(file: &File) {
    // If it cannot be released now, closing it will release it.
    let _ = flock(file, FlockOperation::Unlock);
}

/// Gives a file the permissions of any new file.
pub fn share_as_new(file: &File) -> io::Result<()> {
    // Reading the mask requires setting it; files created meanwhile are accessible to their owner
    // only.
    let mask = umask(Mode::RWXG | Mode::RWXO);
    umask(mask);
    let mode = 0o666 & !mask.as_raw_mode();
    file.set_permissions(Permissions::from_mode(mode))
}

/// Renames a file; it replaces one of that name.
pub fn replace(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

/// Waits until the names in a directory are on the disk.
pub fn sync_directory(name: &Path) -> io::Result<()> {
    match File::open(name)?.sync_all() {
        // Some file systems do not support this call for directories.
        Err(error) if error.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::{Exclusive, FileType, Root, open_alone, sync_directory};
    use std::fs;
    use std::os::unix::fs::{MetadataExt, chown, symlink};
    use std::path::Path;

    #[test]
    fn a_file_of_another_user_is_foreign() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        assert!(matches!(open_alone(&file), Ok(Exclusive::File(_))));
        // Only root can give a file away.
        if chown(&file, Some(1), None).is_ok() {
            assert!(matches!(open_alone(&file), Ok(Exclusive::Foreign)));
        }
    }

    /// Processes remove a file that they have opened alone.
    #[test]
    fn a_file_opened_alone_has_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = folder.path().join("file");
        let take = || {
            for _ in 0..20_000 {
                match open_alone(&name).expect("opened") {
                    Exclusive::File(file) => {
                        let named = fs::metadata(&name).expect("it has a name");
                        assert_eq!(named.ino(), file.metadata().expect("known").ino());
                        fs::remove_file(&name).expect("removed");
                    }
                    Exclusive::Busy => (),
                    Exclusive::Foreign => panic!("the file is this user's"),
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(take);
            scope.spawn(take);
        });
    }

    #[test]
    fn links_below_a_root_are_followed_on_request_only() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("below")).expect("a folder");
        fs::write(folder.path().join("file"), "content").expect("written");
        symlink("file", folder.path().join("link")).expect("a link");
        for follow in [false, true] {
            let root = Root::new(folder.path(), follow).expect("it is there");
            let here = root.directory(Path::new(".")).expect("it is there");
            assert!(here.open(Path::new("file")).is_ok());
            assert_eq!(here.open(Path::new("link")).is_ok(), follow);
            assert_eq!(root.open(Path::new("link")).is_ok(), follow);
            let entries = root.read_dir(Path::new("")).expect("it is there");
            let found = entries
                .iter()
                .map(|entry| (entry.file_type, entry.stat.is_some()));
            let link = match follow {
                true => (FileType::Regular, true),
                false => (FileType::Symlink, false),
            };
            let expected = [
                (FileType::Directory, false),
                (FileType::Regular, true),
                link,
            ];
            assert_eq!(found.collect::<Vec<_>>(), expected);
        }
    }

    /// The files of /proc have no disk, and its directories refuse to be synchronised.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_directory_that_cannot_be_synchronised_is_no_error() {
        assert!(fs::File::open("/proc").is_ok_and(|file| file.sync_all().is_err()));
        assert!(sync_directory(Path::new("/proc")).is_ok());
        assert!(sync_directory(Path::new("/proc/none")).is_err());
    }
}
