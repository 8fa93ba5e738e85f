// SPDX-License-Identifier: MIT OR Apache-2.0
//! A directory that is kept open. Files below it are found even if it or a parent is renamed.
//! Unless links are followed, no name below it leads through one.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, Mode, OFlags};
use rustix::fs::{fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use super::super::{Entry, FileType, Stat};
use super::{Directory, at_in, open_directory};

/// An open directory.
pub struct Root {
    directory: OwnedFd,
    follow: bool,
}

impl Root {
    /// Opens the directory. `follow`: follow symbolic links below it.
    pub fn new(name: &Path, follow: bool) -> io::Result<Root> {
        let directory = open_directory(name)?;
        Ok(Root { directory, follow })
    }

    /// Opens a file for reading. Never blocks on a pipe or device.
    pub fn open(&self, below: &Path) -> io::Result<File> {
        Ok(self.find(below, OFlags::RDONLY | OFlags::NONBLOCK)?.into())
    }

    /// Opens a directory in order to open files in it. Never blocks, either.
    pub fn directory(&self, below: &Path) -> io::Result<Directory> {
        let mut flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        flags.set(OFlags::NOFOLLOW, !self.follow);
        Ok(Directory {
            directory: self.find(below, OFlags::PATH | OFlags::DIRECTORY)?,
            flags: Some(flags),
        })
    }

    /// Returns the metadata of a path below it.
    pub fn stat(&self, below: &Path) -> io::Result<Stat> {
        Ok(fstat(self.find(below, OFlags::PATH)?)?.into())
    }

    /// Returns the target of a symbolic link below it.
    pub fn read_link(&self, below: &Path) -> io::Result<Vec<u8>> {
        let name = below.file_name().unwrap_or_default();
        let target = match below
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            None => readlinkat(&self.directory, name, Vec::new())?,
            Some(parent) => {
                let directory = self.find(parent, OFlags::PATH | OFlags::DIRECTORY)?;
                readlinkat(directory, name, Vec::new())?
            }
        };
        Ok(target.into_bytes())
    }

    /// Returns the entries of a directory, sorted by name, with the metadata of files.
    pub fn read_dir(&self, below: &Path) -> io::Result<Vec<Entry>> {
        let here = Path::new(".");
        let below = if below.as_os_str().is_empty() {
            here
        } else {
            below
        };
        let mut directory = Dir::new(self.find(below, OFlags::RDONLY | OFlags::DIRECTORY)?)?;
        let mut entries = Vec::new();
        for entry in directory.by_ref() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                let name = OsString::from_vec(name.to_vec());
                entries.push(Entry::new(name, entry.file_type().into()));
            }
        }
        for entry in &mut entries {
            self.look_at(entry, directory.fd()?);
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Reads an entry's metadata, or its target's if links are followed. A missing entry keeps the
    /// listed type.
    fn look_at(&self, entry: &mut Entry, directory: BorrowedFd<'_>) {
        let note = |entry: &mut Entry, flags| {
            if let Ok(stat) = statat(directory, &entry.name, flags) {
                let stat = Stat::from(stat);
                entry.file_type = stat.file_type;
                entry.stat = Some(stat);
            }
        };
        if matches!(entry.file_type, FileType::Regular | FileType::Unknown) {
            note(entry, AtFlags::SYMLINK_NOFOLLOW);
        }
        if entry.file_type == FileType::Symlink && self.follow {
            note(entry, AtFlags::empty());
        }
    }

    fn find(&self, below: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        if self.follow {
            let open = |dir: BorrowedFd<'_>, name: &Path| openat(dir, name, flags, Mode::empty());
            return at_in(self.directory.as_fd(), below, open);
        }
        let flags = flags | OFlags::NOFOLLOW;
        match in_one_call(self.directory.as_fd(), below, flags) {
            // The call is missing or not permitted, or the name is too long for it.
            Err(Errno::NOSYS | Errno::PERM | Errno::NAMETOOLONG) => self.step_by_step(below, flags),
            result => result,
        }
    }

    /// Opens each directory of the path and refuses links.
    fn step_by_step(&self, below: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let on_the_way = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut components = below.as_os_str().as_bytes().split(|&byte| byte == b'/');
        let last = components.next_back().unwrap_or_default();
        let mut directory: Option<OwnedFd> = None;
        for component in components {
            let parent = directory
                .as_ref()
                .map_or(self.directory.as_fd(), AsFd::as_fd);
            let opened = openat(parent, component, on_the_way, Mode::empty());
            directory = Some(opened.map_err(|error| link_error(parent, component, error))?);
        }
        let parent = directory
            .as_ref()
            .map_or(self.directory.as_fd(), AsFd::as_fd);
        openat(parent, last, flags, Mode::empty())
    }
}

/// Returns the error for a link instead of a directory, as for a link in the last component.
fn link_error(parent: BorrowedFd<'_>, component: &[u8], error: Errno) -> Errno {
    let stat = statat(parent, component, AtFlags::SYMLINK_NOFOLLOW);
    match stat.map(Stat::from) {
        Ok(stat) if stat.file_type == FileType::Symlink => Errno::LOOP,
        _ => error,
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn in_one_call(
    directory: BorrowedFd<'_>,
    below: &Path,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::{ResolveFlags, openat2};
    openat2(
        directory,
        below,
        flags,
        Mode::empty(),
        ResolveFlags::NO_SYMLINKS,
    )
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn in_one_call(_: BorrowedFd<'_>, _: &Path, _: OFlags) -> rustix::io::Result<OwnedFd> {
    Err(Errno::NOSYS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// Both ways to find a file refuse links in every component and find long names.
    #[test]
    fn no_name_leads_through_a_link() {
        let temporary = tempfile::tempdir().expect("there is a place");
        let root = temporary.path().join("root");
        fs::create_dir_all(root.join("a/b")).expect("made");
        fs::write(root.join("a/b/file"), "").expect("written");
        symlink("a", root.join("link")).expect("a link");
        symlink("file", root.join("a/b/link")).expect("a link");
        let root = Root::new(&root, false).expect("it is there");
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for (below, expected) in [
            ("a/b/file", None),
            ("a/b/link", Some(Errno::LOOP)),
            ("link/b/file", Some(Errno::LOOP)),
            ("a/c/file", Some(Errno::NOENT)),
            ("a/b/file/file", Some(Errno::NOTDIR)),
        ] {
            let below = Path::new(below);
            assert_eq!(root.find(below, flags).err(), expected, "{below:?}");
            assert_eq!(root.step_by_step(below, flags).err(), expected, "{below:?}");
        }
        let stat = root.stat(Path::new("a/b/link")).expect("it is there");
        assert_eq!(stat.file_type, FileType::Symlink);
        let target = |below| root.read_link(Path::new(below));
        assert_eq!(target("link").expect("a link"), b"a");
        assert_eq!(target("a/b/link").expect("a link"), b"file");
        assert!(target("a/b/file").is_err() && target("link/b/link").is_err());
    }
}
