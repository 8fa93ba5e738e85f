// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names are 16-bit units, nearly always UTF-16. Lists and manifests contain them in UTF-8 with `/`
//! between their components, as on other systems; an unpaired surrogate is written as its three
//! bytes (WTF-8). The standard library opens names of more than 260 units in their `\\?\` form.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal};
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::os::windows::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::os::windows::io::{AsHandle, AsRawHandle};
use std::path::{Component, Path, PathBuf, Prefix};
use std::str;

use fast_glob::glob_match;
use winapi_util::HandleRef;
use windows_sys::Win32::Foundation::{
    ERROR_DIRECTORY, ERROR_INVALID_HANDLE, ERROR_SHARING_VIOLATION, ERROR_TOO_MANY_OPEN_FILES,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_SHARE_DELETE, FILE_SHARE_READ,
};

use super::{Entry, Exclusive, FileType, Stat};

#[path = "windows/root.rs"]
mod root;

pub use root::Root;

/// Prefix of names that the system takes literally: a `/` in them is part of a name.
const VERBATIM: &[u8] = br"\\?\";

/// Units of 100 ns between 1601, the system's epoch, and 1970.
const UNITS_BEFORE_1970: i128 = 116_444_736_000_000_000;

/// Names of devices, which exist in every directory and with any extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Returns the name as lists, manifests and messages show it.
pub fn bytes_of(name: &Path) -> Cow<'_, [u8]> {
    if let Some(text) = name.to_str() {
        if !text.contains('\\') {
            return text.as_bytes().into();
        }
    }
    let mut bytes = Vec::new();
    for unit in char::decode_utf16(name.as_os_str().encode_wide()) {
        match unit {
            Ok(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(error) => {
                let unit = error.unpaired_surrogate();
                bytes.push(0xe0 | (unit >> 12) as u8);
                bytes.extend([unit >> 6, unit].map(|bits| 0x80 | (bits & 0x3f) as u8));
            }
        }
    }
    exchange(&mut bytes, b'\\', b'/');
    bytes.into()
}

/// Returns the name from its bytes in a list or manifest.
pub fn name_of(mut bytes: Vec<u8>) -> PathBuf {
    exchange(&mut bytes, b'/', b'\\');
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => OsString::from_wide(&wide(error.as_bytes())).into(),
    }
}

fn exchange(name: &mut [u8], from: u8, to: u8) {
    if !name.starts_with(VERBATIM) {
        for byte in name {
            *byte = if *byte == from { to } else { *byte };
        }
    }
}

/// Converts a name from WTF-8 to units. An invalid byte, as in a name from another system, becomes
/// an unpaired surrogate, which hardly any file's name contains.
fn wide(mut rest: &[u8]) -> Vec<u16> {
    let mut units = Vec::new();
    while let Some(&first) = rest.first() {
        let valid = match str::from_utf8(rest) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default(),
        };
        units.extend(valid.encode_utf16());
        let used = match rest {
            _ if !valid.is_empty() => valid.len(),
            &[0xed, high @ 0xa0..=0xbf, low @ 0x80..=0xbf, ..] => {
                units.push(0xd000 | u16::from(high & 0x3f) << 6 | u16::from(low & 0x3f));
                3
            }
            _ => {
                units.push(0xdc00 | u16::from(first));
                1
            }
        };
        rest = &rest[used..];
    }
    units
}

/// Opens a file for reading.
pub fn open(name: &Path) -> io::Result<File> {
    File::open(name).map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied if name.is_dir() => ErrorKind::IsADirectory.into(),
        _ => error,
    })
}

/// False: opening a named pipe may wait.
pub const OPENS_AT_ONCE: bool = false;

/// Does the same as [`open`].
pub fn open_at_once(name: &Path) -> io::Result<File> {
    open(name)
}

/// Does nothing: reads of every file wait.
pub fn wait(_: &File) -> io::Result<()> {
    Ok(())
}

/// Returns false: the program that makes a pipe sets its size.
pub fn widen_pipe<T>(_: T) -> bool {
    false
}

/// Opens a file for reading if it is a regular file.
pub fn open_regular(name: &Path) -> io::Result<File> {
    let file = open(name)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok(file)
}

/// Reads at an offset of a file.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek_read(buffer, at)
}

/// Returns nothing: files are not opened relative to a directory.
pub fn split(_: &Path) -> Option<(&Path, &Path)> {
    None
}

/// Opens files relative to a directory: not available on this system.
pub struct Directory(Infallible);

impl Directory {
    /// Fails: directories cannot be opened here.
    pub fn new(_: &Path) -> io::Result<Directory> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Never called: there is no open directory.
    pub fn open(&self, _: &Path) -> io::Result<File> {
        match self.0 {}
    }
}

/// Opens anything with this name to read its metadata.
fn open_any(name: &Path) -> io::Result<File> {
    let mut options = File::options();
    let options = options.access_mode(0);
    options.custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(name)
}

/// Returns a name's metadata; follows symbolic links.
pub fn stat(name: &Path) -> io::Result<Stat> {
    stat_of(&open_any(name)?)
}

/// Returns the current metadata of an open file.
pub fn stat_of(file: &File) -> io::Result<Stat> {
    // The system has no other metadata for pipes and devices.
    if !winapi_util::file::typ(HandleRef::from_file(file))?.is_disk() {
        return Ok(Stat {
            file_type: FileType::Other,
            bytes: 0,
            modified_ns: None,
            changed_ns: None,
            mode: None,
            identity: (0, 0),
        });
    }
    let metadata = file.metadata()?;
    let information = winapi_util::file::information(HandleRef::from_file(file))?;
    let modified = i128::from(metadata.last_write_time()) - UNITS_BEFORE_1970;
    Ok(Stat {
        file_type: metadata.file_type().into(),
        bytes: metadata.len(),
        modified_ns: i64::try_from(modified * 100).ok(),
        // The system has this time, but no safe call returns it.
        changed_ns: None,
        mode: None,
        identity: (information.volume_serial_number(), information.file_index()),
    })
}

/// Returns the metadata of standard input, output and error.
pub fn stat_of_streams() -> [io::Result<Stat>; 3] {
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    [stdin.as_handle(), stdout.as_handle(), stderr.as_handle()]
        .map(|stream| stat_of(&File::from(stream.try_clone_to_owned()?)))
}

/// Returns the type of a name; does not follow symbolic links.
pub fn file_type(name: &Path) -> io::Result<FileType> {
    Ok(name.symlink_metadata()?.file_type().into())
}

/// Returns the entries of a directory, sorted by name.
pub fn read_dir(name: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(name)? {
        let entry = entry?;
        entries.push(Entry::new(entry.file_name(), entry.file_type()?.into()));
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

impl From<fs::FileType> for FileType {
    fn from(file_type: fs::FileType) -> FileType {
        if file_type.is_symlink() {
            FileType::Symlink
        } else if file_type.is_dir() {
            FileType::Directory
        } else if file_type.is_file() {
            FileType::Regular
        } else {
            FileType::Other
        }
    }
}

/// Returns true if the process can open no more files.
pub fn lacks_descriptors(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_TOO_MANY_OPEN_FILES as i32)
}

/// Returns true if a name led through a forbidden symbolic link: no call reports it.
pub fn is_link_refused(_: &io::Error) -> bool {
    false
}

/// Returns the error for a name that is not a directory.
pub fn not_a_directory() -> io::Error {
    io::Error::from_raw_os_error(ERROR_DIRECTORY as i32)
}

/// Returns true if the tool was started without standard input.
pub fn stdin_is_closed() -> bool {
    io::stdin().as_raw_handle().is_null()
}

/// Returns true if the tool was started without standard output.
pub fn stdout_is_closed() -> bool {
    io::stdout().as_raw_handle().is_null()
}

/// Returns the limit of the address space in bytes: none is known.
pub fn address_space() -> u64 {
    u64::MAX
}

/// Returns the error for a closed stream.
pub fn cut_off() -> io::Error {
    io::Error::from_raw_os_error(ERROR_INVALID_HANDLE as i32)
}

/// Returns the C library's text for errors that it also has, the same on every system and in every
/// language; for other errors the system's text without a full stop.
pub fn reason(error: &io::Error) -> Option<String> {
    let text = match error.kind() {
        ErrorKind::NotFound => "No such file or directory",
        ErrorKind::PermissionDenied => "Permission denied",
        ErrorKind::IsADirectory => "Is a directory",
        ErrorKind::NotADirectory => "Not a directory",
        ErrorKind::StorageFull => "No space left on device",
        _ => {
            error.raw_os_error()?;
            let text = error.to_string();
            let (text, _) = text.rsplit_once(" (os error")?;
            return Some(text.trim_end_matches(['.', ' ']).to_owned());
        }
    };
    Some(text.to_owned())
}

/// Returns true if the terminal shows Unicode.
pub fn is_unicode() -> bool {
    true
}

/// Returns the part of a text that can be written to the stream: a console accepts only UTF-8.
pub fn writable<'a>(text: &'a [u8], stream: &impl IsTerminal) -> Cow<'a, [u8]> {
    match str::from_utf8(text) {
        Err(_) if stream.is_terminal() => String::from_utf8_lossy(text)
            .into_owned()
            .into_bytes()
            .into(),
        _ => text.into(),
    }
}

/// Creates a file for reading and writing, or opens one created this way.
pub fn open_alone(name: &Path) -> io::Result<Exclusive> {
    let mut options = File::options();
    let options = options.read(true).write(true).create(true).truncate(false);
    let options = options.share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
    match options
        .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
        .open(name)
    {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION as i32) => {
            Ok(Exclusive::Busy)
        }
        Err(error) => Err(error),
        Ok(file) if file.metadata()?.is_file() => Ok(Exclusive::File(file)),
        Ok(_) => Ok(Exclusive::Foreign),
    }
}

/// Does nothing: files of `open_alone` are released when they are closed.
pub fn release(_: &File) {}

/// Does nothing: a file already has the permissions of any new file.
pub fn share_as_new(_: &File) -> io::Result<()> {
    Ok(())
}

/// Renames a file; it replaces one of that name. Some file systems do not replace a file that is
/// open: it is first renamed, then removed.
pub fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let Err(refused) = fs::rename(from, to) else {
        return Ok(());
    };
    let is_open = |old: fs::Metadata| old.is_file() && !old.permissions().readonly();
    if refused.kind() != ErrorKind::PermissionDenied || !to.symlink_metadata().is_ok_and(is_open) {
        return Err(refused);
    }
    let mut aside = from.as_os_str().to_owned();
    aside.push(".old");
    fs::rename(to, &aside)?;
    if let Err(error) = fs::rename(from, to) {
        // Ignore an error of taking it back: the earlier one is returned.
        let _ = fs::rename(&aside, to);
        return Err(error);
    }
    fs::remove_file(&aside)
}

/// Does nothing: no call waits until the names in a directory are on the disk.
pub fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Expands the names of a command line whose last component contains a `*` or `?`: shells do not,
/// and no file has these characters in its name. A name that matches nothing remains as it is.
pub fn expanded(names: Vec<PathBuf>) -> Vec<PathBuf> {
    let all = names.into_iter().flat_map(|name| match matching(&name) {
        Some(files) if !files.is_empty() => files,
        _ => vec![name],
    });
    all.collect()
}

fn matching(name: &Path) -> Option<Vec<PathBuf>> {
    let glob = glob(name.file_name()?.to_str()?)?;
    let parent = name.parent()?;
    let folder = match parent.as_os_str().is_empty() {
        true => Path::new("."),
        false => parent,
    };
    let entries = read_dir(folder).ok()?.into_iter();
    let is_match = |entry: &Entry| glob_match(&glob, entry.name.to_string_lossy().to_lowercase());
    let entries = entries.filter(is_match);
    Some(entries.map(|entry| parent.join(entry.name)).collect())
}

/// Returns the name in lower case, with `*` and `?` as a glob and all other characters escaped.
/// Returns `None` if it has no `*` or `?`.
fn glob(name: &str) -> Option<String> {
    name.contains(['*', '?']).then_some(())?;
    let mut pattern = String::new();
    for c in name.to_lowercase().chars() {
        if matches!(c, '[' | ']' | '{' | '}' | '!') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    Some(pattern)
}

/// Returns a message if only this system refuses a path in a manifest: it leads out of the
/// directory.
pub fn path_complaint(path: &[u8]) -> Option<&'static str> {
    let name = name_of(path.to_vec());
    name.components().find_map(|component| match component {
        Component::Prefix(prefix) if matches!(prefix.kind(), Prefix::Disk(_)) => {
            Some("the path names a drive")
        }
        Component::Prefix(_) | Component::RootDir => Some("the path is absolute"),
        Component::ParentDir => Some("the path contains '..'"),
        Component::CurDir | Component::Normal(_) => None,
    })
}

/// Returns a message if a path to open contains names with a special meaning.
pub fn name_complaint(path: &[u8]) -> Option<&'static str> {
    path.split(|&byte| byte == b'/').find_map(|name| {
        let is_odd = |byte: &u8| *byte < b' ' || b"<>:\"|?*".contains(byte);
        if name.iter().any(is_odd) || name.ends_with(b".") || name.ends_with(b" ") {
            Some("the path has a name that Windows does not allow")
        } else if is_device(name) {
            Some("the path has the name of a device")
        } else {
            None
        }
    })
}

fn is_device(name: &[u8]) -> bool {
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or_default();
    let stem = String::from_utf8_lossy(stem).trim_end().to_uppercase();
    let is_port = |port: &str| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        let mut digits = number.chars();
        digits
            .next()
            .is_some_and(|c| "123456789\u{b9}\u{b2}\u{b3}".contains(c))
            && digits.next().is_none()
    };
    DEVICES.contains(&&stem[..]) || is_port("COM") || is_port("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::UNIX_EPOCH;

    #[test]
    fn every_name_comes_back() {
        let odd: [&[u16]; 4] = [
            &[0xd800],
            &[0x61, 0xdc00, 0xd800, 0x2f],
            &[0xd83d, 0xde00, 0xde00],
            &[0xdcff],
        ];
        for units in odd {
            let name = PathBuf::from(OsString::from_wide(units));
            let back = name_of(bytes_of(&name).into_owned());
            let back: Vec<u16> = back.as_os_str().encode_wide().collect();
            let expected: Vec<u16> = units
                .iter()
                .map(|&unit| if unit == 0x2f { 0x5c } else { unit })
                .collect();
            assert_eq!(back, expected);
        }
        assert_eq!(&*bytes_of(Path::new("a\\\u{f8}")), "a/\u{f8}".as_bytes());
        assert_eq!(&*bytes_of(Path::new(r"\\?\C:\a/b")), br"\\?\C:\a/b");
        let wide: Vec<u16> = name_of(b"a\xff".to_vec())
            .as_os_str()
            .encode_wide()
            .collect();
        assert_eq!(wide, [0x61, 0xdcff]);
    }

    #[test]
    fn times_are_those_of_the_standard_library() {
        let folder = tempfile::tempdir().expect("there is a place");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("a file is written");
        let metadata = file.metadata().expect("it is there");
        let modified = metadata.modified().expect("it has a time");
        let modified = modified
            .duration_since(UNIX_EPOCH)
            .expect("it is after 1970");
        let stat = stat(&file).expect("it is there");
        assert_eq!(
            stat.modified_ns.map(i128::from),
            i128::try_from(modified.as_nanos()).ok()
        );
    }

    #[test]
    fn paths_that_lead_elsewhere() {
        for path in [
            "C:x",
            "c:/x",
            r"\x",
            r"\\server\share",
            r"a\..\b",
            "//./pipe/x",
        ] {
            assert!(path_complaint(path.as_bytes()).is_some(), "{path}");
        }
        for path in ["a/b", "aux.c", "a b", "ab:c/d"] {
            assert_eq!(path_complaint(path.as_bytes()), None, "{path}");
        }
        for path in [
            "a:b",
            "aux.c",
            "d/NUL",
            "com1",
            "LPT\u{b9}.txt",
            "a./b",
            "a ",
            "a?",
        ] {
            assert!(name_complaint(path.as_bytes()).is_some(), "{path}");
        }
        for path in ["a/b.c", "auxiliary", "com", "com10", "nul-", "\u{f8}"] {
            assert_eq!(name_complaint(path.as_bytes()), None, "{path}");
        }
    }
}
