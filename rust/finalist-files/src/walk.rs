// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the files of a command line.
//!
//! `walkdir` and `ignore` open each directory by its path. For a manifest that is not enough: a
//! directory that is replaced by a link during the walk would lead out of the tree, and a renamed
//! root would end it. Below a [`Root`], which is opened once, every directory is opened relative to
//! its descriptor, and a link on the way is followed only if the user wants it. Paths may be longer
//! than the system's limit, and no descriptor stays open between two files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

use fast_glob::glob_match;

use crate::files::{Changed, Location, read_dir};
use crate::platform::{self, Entry, FileType, Root, Stat, bytes_of, name_of};
use crate::stdin::is_stdin;

/// Globs of files to exclude: names of entries, or their paths below the directory walked.
#[derive(Clone, Default)]
pub struct Exclude(Vec<Vec<u8>>);

impl Exclude {
    /// Excludes files that any of these globs matches. `*` and `?` match no `/`, `**` matches
    /// directories, `[abc]` and `{one,two}` are alternatives, and a backslash escapes the next
    /// character.
    ///
    /// # Errors
    /// The invalid glob and the reason.
    pub fn new(globs: &[String]) -> Result<Exclude, (String, &'static str)> {
        let checked = globs.iter().map(|glob| match glob_complaint(glob) {
            Some(text) => Err((glob.clone(), text)),
            // The library would invert this glob.
            None if glob.starts_with('!') => Ok([b"\\", glob.as_bytes()].concat()),
            None => Ok(glob.as_bytes().to_vec()),
        });
        checked.collect::<Result<_, _>>().map(Exclude)
    }

    /// Returns true if a path below the directory, or a directory in it, is excluded.
    pub fn covers(&self, path: &Path) -> bool {
        let mut all = path.ancestors().filter(|each| each.file_name().is_some());
        all.any(|each| self.contains(each, Path::new("")))
    }

    fn contains(&self, name: &Path, directory: &Path) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let below = bytes_of(name.strip_prefix(directory).unwrap_or(name));
        let own = name.file_name().map(|name| bytes_of(Path::new(name)));
        self.0.iter().any(|glob| {
            glob_match(glob, &below) || own.as_ref().is_some_and(|name| glob_match(glob, name))
        })
    }
}

/// Returns a message if a text is not a glob; `None` if it is one.
fn glob_complaint(glob: &str) -> Option<&'static str> {
    // Such a glob would match nothing, and what it means would not be excluded.
    if glob.ends_with('/') {
        return Some("no name or path ends with '/'");
    }
    if glob.starts_with('/') || glob.starts_with("./") {
        return Some("paths below the directory do not begin with '/' or './'");
    }
    let mut chars = glob.chars();
    let mut groups = 0_u32;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let Some(_) = chars.next() else {
                    return Some("nothing follows the last backslash");
                };
            }
            '[' => {
                // The first character in brackets is always an ordinary one.
                let rest = chars.as_str().trim_start_matches(['!', '^']);
                let Some(first) = rest.chars().next() else {
                    return Some("a '[' has no ']'");
                };
                let end = rest[first.len_utf8()..].find(']');
                let Some(end) = end else {
                    return Some("a '[' has no ']'");
                };
                chars = rest[first.len_utf8() + end + 1..].chars();
            }
            '{' => groups += 1,
            '}' if groups == 0 => return Some("a '}' has no '{'"),
            '}' => groups -= 1,
            _ => (),
        }
    }
    (groups != 0).then_some("a '{' has no '}'")
}

/// Options for walking directories.
#[derive(Clone)]
pub struct Walk {
    /// Walk directories; otherwise take each name as a file's.
    pub recursive: bool,
    /// Follow symbolic links found in a directory. Those named by the user are always followed.
    pub follow: bool,
    /// Files to exclude.
    pub exclude: Exclude,
    /// Sort files by their whole paths as bytes instead of by the names in each directory: `a.c`
    /// before `a/b`.
    pub by_path: bool,
    /// Also find directories, before their files, and symbolic links that are not followed.
    pub all_types: bool,
}

/// A file to hash, or another entry of a directory.
pub struct Named {
    /// Its name.
    pub name: PathBuf,
    /// The type that its directory lists.
    pub file_type: FileType,
    /// The metadata when it was listed, for files below a [`Root`].
    pub stat: Option<Stat>,
}

impl Named {
    /// Returns a file that no directory listed.
    pub fn unlisted(name: PathBuf) -> Named {
        Named {
            name,
            file_type: FileType::Unknown,
            stat: None,
        }
    }
}

/// A name for which no file was found.
pub struct Unfound {
    /// The name.
    pub name: PathBuf,
    /// True for a directory that cannot be listed.
    pub is_directory: bool,
    /// The reason.
    pub error: io::Error,
}

/// A file, or a name for which none was found.
pub type MaybeNamed = Result<Named, Unfound>;

/// Finds the files of a name: the file itself, or the files below a directory, sorted by name.
pub fn find(name: PathBuf, walk: &Walk) -> impl Iterator<Item = MaybeNamed> + Send + use<> {
    let is_dir = || platform::stat(&name).is_ok_and(|stat| stat.is_dir());
    let (file, files) = match !walk.recursive || is_stdin(&name) || !is_dir() {
        true => (Some(Ok(Named::unlisted(name))), None),
        false => (None, Some(Box::new(Files::new(name, walk, None)))),
    };
    file.into_iter().chain(files.into_iter().flatten())
}

/// Finds the files below a directory that is kept open.
pub fn find_below(
    root: Arc<Root>,
    name: PathBuf,
    walk: &Walk,
) -> impl Iterator<Item = MaybeNamed> + Send + use<> {
    Files::new(name, walk, Some(root))
}

/// Returns the path of a file below a directory; the file's name must begin with the directory's.
pub fn path_below(directory: &Path, name: &Path) -> Vec<u8> {
    let (root, whole) = (bytes_of(directory), bytes_of(name));
    // Compare bytes, since the name begins with the directory's: it is cheaper than iterating over
    // components.
    let below = whole.strip_prefix(&root[..]);
    match below.and_then(|below| below.strip_prefix(b"/")) {
        Some(below) if !below.starts_with(b"/") => below.to_vec(),
        _ => bytes_of(name.strip_prefix(directory).unwrap_or(name)).into_owned(),
    }
}

/// The files below a directory. No directory remains open between two of them.
struct Files {
    walk: Walk,
    name: PathBuf,
    root: Option<Arc<Root>>,
    levels: Vec<Level>,
    failed: Option<Unfound>,
}

/// A directory on the path to the current file, and its remaining entries.
struct Level {
    name: PathBuf,
    /// Set if links are followed.
    identity: Option<(u64, u64)>,
    entries: vec::IntoIter<Entry>,
}

impl Files {
    fn new(name: PathBuf, walk: &Walk, root: Option<Arc<Root>>) -> Files {
        let mut files = Files {
            walk: walk.clone(),
            name: name.clone(),
            root,
            levels: Vec::new(),
            failed: None,
        };
        files.enter(name);
        files
    }

    /// Enters a directory. Returns true if it can be listed.
    fn enter(&mut self, name: PathBuf) -> bool {
        match self.level(&name) {
            Ok(level) => {
                self.levels.push(level);
                true
            }
            Err(error) => {
                self.fail(name, true, error);
                false
            }
        }
    }

    fn level(&self, name: &Path) -> io::Result<Level> {
        let identity = match self.walk.follow {
            true => Some(platform::stat(name)?.identity),
            false => None,
        };
        if identity.is_some() && self.levels.iter().any(|level| level.identity == identity) {
            let text = "symbolic link leads back to a directory above it";
            return Err(io::Error::other(text));
        }
        let mut entries = match &self.root {
            None => read_dir(Location { root: None, name })?,
            Some(root) => {
                let below = match name == self.name {
                    true => PathBuf::new(),
                    false => name_of(path_below(&self.name, name)),
                };
                let root = Some(&**root);
                read_dir(Location { root, name: &below })?
            }
        };
        if self.walk.by_path {
            self.sort_by_path(name, &mut entries);
        }
        Ok(Level {
            name: name.to_owned(),
            identity,
            entries: entries.into_iter(),
        })
    }

    /// Sorts entries by the paths below them: a directory's paths begin with its name and a slash.
    fn sort_by_path(&self, directory: &Path, entries: &mut Vec<Entry>) {
        for entry in entries.iter_mut() {
            if matches!(entry.file_type, FileType::Unknown | FileType::Symlink) {
                let known = self.file_type(&directory.join(&entry.name), entry.file_type);
                // An error is reported later, with the entry.
                entry.file_type = known.unwrap_or(entry.file_type);
            }
        }
        let key = |entry: &Entry| {
            let is_directory = entry.file_type == FileType::Directory;
            let end: &[u8] = if is_directory { b"/" } else { b"" };
            [entry.name.as_encoded_bytes(), end].concat()
        };
        entries.sort_by_cached_key(key);
        // A directory that changes while it is read may list a name twice.
        entries.dedup_by(|a, b| a.name == b.name && a.file_type == b.file_type);
    }

    fn fail(&mut self, name: PathBuf, is_directory: bool, error: io::Error) {
        self.failed = Some(Unfound {
            name,
            is_directory,
            error,
        });
    }

    /// Returns the type of an entry, or of its target if links are followed.
    fn file_type(&self, name: &Path, entry: FileType) -> io::Result<FileType> {
        let entry = match entry {
            FileType::Unknown => platform::file_type(name)?,
            known => known,
        };
        match entry {
            FileType::Symlink if self.walk.follow => Ok(platform::stat(name)?.file_type),
            other => Ok(other),
        }
    }

    /// Returns true if the name of an entry or its path below the directory walked is excluded.
    fn excludes(&self, name: &Path) -> bool {
        self.walk.exclude.contains(name, &self.name)
    }
}

impl Iterator for Files {
    type Item = MaybeNamed;

    fn next(&mut self) -> Option<MaybeNamed> {
        loop {
            if let Some(failed) = self.failed.take() {
                return Some(Err(failed));
            }
            let level = self.levels.last_mut()?;
            let Some(entry) = level.entries.next() else {
                self.levels.pop();
                continue;
            };
            let name = level.name.join(entry.name);
            if self.excludes(&name) {
                continue;
            }
            let all_types = self.walk.all_types;
            let found_type = match self.file_type(&name, entry.file_type) {
                Ok(FileType::Directory)
                    if self.walk.by_path && entry.file_type != FileType::Directory =>
                {
                    // It was sorted as something else: paths below it would be out of order.
                    let text = "a directory took its place after it was listed";
                    self.fail(name.clone(), false, Changed::error(text));
                    None
                }
                Ok(FileType::Directory) => {
                    (self.enter(name.clone()) && all_types).then_some(FileType::Directory)
                }
                Ok(FileType::Symlink) => all_types.then_some(FileType::Symlink),
                Ok(FileType::Regular) => Some(FileType::Regular),
                Ok(_) => None,
                Err(error) => {
                    self.fail(name.clone(), false, error);
                    None
                }
            };
            if let Some(file_type) = found_type {
                return Some(Ok(Named {
                    name,
                    file_type,
                    stat: entry.stat,
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_checked() {
        for glob in [
            "",
            "*",
            "a.c",
            "[ab]",
            "[!ab]",
            "[]]",
            "{a,b}",
            "{a,{b,c}}",
            "\\[",
            "\\{",
            "!",
            "**/x",
            "[{]",
            "[ab{]",
        ] {
            assert_eq!(glob_complaint(glob), None, "{glob}");
        }
        for glob in [
            "[", "[!", "[]", "[a", "{", "{a,{b}", "}", "a}", "\\", "a[b\\", "a/", "**/", "/a",
            "./a", "/",
        ] {
            assert!(glob_complaint(glob).is_some(), "{glob}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_directory_behind_a_new_link_has_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path();
        std::fs::create_dir_all(place.join("a/b")).expect("a folder");
        std::fs::write(place.join("a/a"), "").expect("written");
        let walk = Walk {
            recursive: true,
            follow: false,
            exclude: Exclude::default(),
            by_path: true,
            all_types: false,
        };
        let root = Arc::new(Root::new(place, false).expect("it is there"));
        let mut found = find_below(root, place.to_owned(), &walk);
        assert!(found.next().is_some_and(|file| file.is_ok()));
        std::fs::rename(place.join("a"), place.join("c")).expect("renamed");
        std::os::unix::fs::symlink("c", place.join("a")).expect("a link");
        let unfound = found.next().and_then(Result::err).expect("an error");
        assert!(unfound.is_directory && crate::files::Changed::is(&unfound.error));
        assert!(found.next().is_none());
    }

    #[test]
    fn a_path_below_begins_with_no_slash() {
        for (directory, name, path) in [("d", "d/x", "x"), ("d", "d//x", "x"), ("d/", "d/x", "x")] {
            let below = path_below(Path::new(directory), Path::new(name));
            assert_eq!(below, path.as_bytes(), "{directory} {name}");
        }
    }

    /// A name that a directory lists twice, as another type after a change, is two entries.
    #[test]
    fn entries_listed_twice_are_one() {
        let walk = Walk {
            recursive: true,
            follow: false,
            exclude: Exclude::default(),
            by_path: true,
            all_types: true,
        };
        let files = Files {
            walk,
            name: PathBuf::new(),
            root: None,
            levels: Vec::new(),
            failed: None,
        };
        let types = [FileType::Regular, FileType::Regular, FileType::Other];
        let mut entries: Vec<_> = types
            .map(|file_type| Entry {
                name: "a".into(),
                file_type,
                stat: None,
            })
            .into();
        files.sort_by_path(Path::new(""), &mut entries);
        let left = entries.iter().map(|entry| entry.file_type);
        assert_eq!(
            left.collect::<Vec<_>>(),
            [FileType::Regular, FileType::Other]
        );
    }

    /// A link that leads to a directory only after it was sorted: the directory's paths would be out
    /// of order.
    #[cfg(unix)]
    #[test]
    fn a_link_that_was_sorted_as_a_file_is_not_entered() {
        let folder = tempfile::tempdir().expect("there is a place");
        let path = |name: &str| folder.path().join(name);
        for name in ["1", "a.c"] {
            std::fs::write(path(name), "").expect("written");
        }
        std::os::unix::fs::symlink("../elsewhere", path("a")).expect("a link");
        let walk = Walk {
            recursive: true,
            follow: true,
            exclude: Exclude::default(),
            by_path: true,
            all_types: false,
        };
        let mut files = find(folder.path().to_owned(), &walk);
        let name = |file: Option<MaybeNamed>| match file.expect("an entry") {
            Ok(named) => Ok(named.name),
            Err(unfound) => Err((unfound.name, Changed::is(&unfound.error))),
        };
        assert_eq!(name(files.next()), Ok(path("1")));
        std::fs::remove_file(path("a")).expect("removed");
        std::os::unix::fs::symlink(env!("CARGO_MANIFEST_DIR"), path("a")).expect("a link");
        assert_eq!(name(files.next()), Err((path("a"), true)));
        assert_eq!(name(files.next()), Ok(path("a.c")));
        assert!(files.next().is_none());
    }

    #[test]
    fn globs_match_names_and_paths() {
        for (glob, path, is_match) in [
            ("*.o", "a.o", true),
            ("*.o", "in/a.o", true),
            ("*.o", "a.o/b", false),
            ("in/*.o", "in/a.o", true),
            ("in/*.o", "in/b/a.o", false),
            ("in/**", "in/b/a.o", true),
            ("**/a.o", "in/b/a.o", true),
            ("**/a.o", "a.o", true),
            ("a?b", "a/b", false),
            ("[ab].c", "a.c", true),
            ("[!ab].c", "a.c", false),
            ("{one,two}.c", "in/two.c", true),
            ("!a", "!a", true),
            ("!a", "b", false),
            (".*", ".hidden", true),
            ("*", ".hidden", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
        ] {
            let exclude = Exclude::new(&[glob.to_owned()]).expect("a glob");
            let (name, root) = (Path::new("/root").join(path), Path::new("/root"));
            assert_eq!(exclude.contains(&name, root), is_match, "{glob} {path}");
        }
    }
}
