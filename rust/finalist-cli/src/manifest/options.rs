// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `finalist manifest`.

use std::ffi::OsString;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::hash_options::{FUNCTION, HashOptions, OUTPUT, SPEED, WHAT, path, read_key};
use crate::options::{excluded, read_names};
use crate::progress::ProgressLine;
use crate::value::jobs;
use finalist_files::message::{about, reason};
use finalist_files::platform::{bytes_of, not_a_directory};
use finalist_files::threads::Threads;
use finalist_manifest::{Error, Header, Manifest, Paths, Scan};

pub const ABOUT: &str = "\
Manifests: tables of the files below a directory, with their digests and one root over all.

A manifest has a row for each file: path, size, digest, leaf hash, status, time of change; with \
--metadata also modes, and rows for directories and symbolic links. It is \
written as Parquet if its name ends in .parquet, else as a checksum list, which \"finalist check\" \
reads too. Its root is that of a Merkle tree over the rows (RFC 9162), the same for the same files \
wherever and however it was made.";

const VERIFY_ABOUT: &str = "\
Verify a manifest, or files by a manifest. A file whose content is another one although size and time \
are the same is corrupt, not changed: then the exit code is 2, for other differences 1.";

const DIFF_ABOUT: &str = "\
Show what differs between two manifests: added, removed, changed, corrupt and moved files. Corrupt is a \
file whose content is another one although size and time are the same: then the exit code is 2, for \
other differences 1.";

const DUPLICATES_ABOUT: &str = "\
Show groups of files of the same content, those that waste most bytes first. Empty files are left out. \
Nothing is deleted.";

pub const EXAMPLES: &str = "\
Examples:
  finalist manifest create DIRECTORY -o M.parquet  all files; prints the root
  finalist manifest verify M.parquet DIRECTORY     whether the files are still those
  finalist manifest diff OLD.parquet M.parquet     added, removed, changed, moved files
  finalist manifest update M.parquet DIRECTORY     reads only what changed, by size, times and inode
  finalist manifest prove M.parquet PATH > PROOF   that the file is in the manifest
  finalist manifest prove --verify PROOF --root HEX DIRECTORY/PATH";

#[derive(Subcommand)]
#[command(defer = true)]
pub enum ManifestCommand {
    /// Write the manifest of a directory
    #[command(after_help = "\
Examples:
  finalist manifest create DIRECTORY > LIST        a checksum list
  finalist manifest create --metadata DIRECTORY -o M.parquet
  finalist manifest create -a blake2bp --exclude '*.o' DIRECTORY -o M.parquet")]
    Create(CreateArgs),
    /// Verify a manifest, or files by a manifest
    #[command(long_about = VERIFY_ABOUT, after_help = "\
Examples:
  finalist manifest verify M.parquet               the manifest itself
  finalist manifest verify M.parquet DIRECTORY     the files, too")]
    Verify(VerifyArgs),
    /// Show what differs between two manifests
    #[command(long_about = DIFF_ABOUT, after_help = "\
Examples:
  finalist manifest diff OLD.parquet M.parquet
  finalist manifest diff --key-file KEY OLD.parquet M.parquet")]
    Diff(DiffArgs),
    /// Show files of the same content, in one manifest or two
    #[command(long_about = DUPLICATES_ABOUT, after_help = "\
Examples:
  finalist manifest duplicates M.parquet           files that are there several times
  finalist manifest duplicates OLD.parquet M.parquet --json")]
    Duplicates(DuplicatesArgs),
    /// Print the root of a manifest
    #[command(after_help = "\
Examples:
  finalist manifest root M.parquet
  finalist manifest root M.parquet > ROOT          for verify --root \"$(cat ROOT)\"")]
    Root(RootArgs),
    /// Print, or verify, a proof that a file is in a manifest
    #[command(after_help = "\
Examples:
  finalist manifest prove M.parquet PATH > PROOF
  finalist manifest prove --verify PROOF --root HEX DIRECTORY/PATH")]
    Prove(ProveArgs),
    /// Bring a manifest up to date
    #[command(after_help = "\
Examples:
  finalist manifest update M.parquet DIRECTORY
  finalist manifest update M.parquet DIRECTORY -o NEW.parquet")]
    Update(UpdateArgs),
}

// The files, and how they are read.
#[derive(Args)]
pub struct ScanOptions {
    /// Follow symbolic links found in directories
    #[arg(long, help_heading = WHAT)]
    pub follow: bool,

    /// Leave out what GLOB matches: a name, or a path below DIRECTORY
    ///
    /// In a GLOB, * and ? match no /, ** matches directories, [abc] and {one,two} are alternatives. A
    /// directory that matches is left out with all it holds. May be given several times.
    #[arg(long, value_name = "GLOB", help_heading = WHAT)]
    exclude: Vec<String>,

    /// Take the files from FILE, paths below DIRECTORY that end with NUL; - is standard input
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with = "exclude",
          help_heading = WHAT)]
    pub files0_from: Option<PathBuf>,

    /// Threads that read and hash, 1 to 1024 [default: one for each CPU]
    #[arg(short, long, value_name = "N", value_parser = jobs(), help_heading = SPEED)]
    jobs: Option<u16>,

    /// Read one file at a time, in order: for spinning disks
    #[arg(long, help_heading = SPEED)]
    pub sequential: bool,
}

impl ScanOptions {
    /// Returns a scan of the files below a directory.
    pub fn scan(&self, directory: &Path, progress: Arc<ProgressLine>) -> Result<Scan, Failure> {
        let error = match directory.metadata() {
            Ok(metadata) if metadata.is_dir() => None,
            Ok(_) => Some(not_a_directory()),
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            let text = about(&bytes_of(directory), &reason(&error));
            return Err(Failure::message(text));
        }
        let list = self.files0_from.as_deref();
        Ok(Scan {
            follow: self.follow,
            exclude: excluded(&self.exclude)?,
            paths: list.map(read_paths).transpose()?,
            threads: Threads::Jobs(self.jobs),
            sequential: self.sequential,
            progress,
            ..Scan::new(directory)
        })
    }
}

/// Reads the paths of a list, in any order.
fn read_paths(list: &Path) -> Result<Paths, Failure> {
    let mut paths = Paths::default();
    read_names(list, |name| {
        let inserted = paths.insert(name);
        inserted.map_err(|text| Failure::message(about(&bytes_of(list), &text)))
    })?;
    Ok(paths)
}

// The key of a manifest to read.
#[derive(Args)]
pub struct KeyOptions {
    /// Key of a keyed manifest: the bytes of FILE, all of them, a line end too
    #[arg(long, value_name = "FILE", value_parser = path(), allow_hyphen_values = true,
          help_heading = FUNCTION)]
    key_file: Option<PathBuf>,
}

impl KeyOptions {
    /// Reads the key, which must fit the header if there is one.
    pub fn read(&self, header: Option<&Header>) -> Result<Option<Vec<u8>>, Failure> {
        let info = header.filter(|header| header.keyed);
        let info = info.map(|header| header.function.algorithm.info());
        let key = self.key_file.as_deref();
        key.map(|file| read_key(file, info.as_ref(), false))
            .transpose()
    }

    /// Opens a manifest.
    pub fn open(&self, manifest: &Path) -> Result<Manifest, Failure> {
        let opened = Manifest::open(manifest, self.read(None)?.as_deref());
        opened.map_err(|error| match error {
            Error::File { file, error } if file != manifest && error.kind() == NotFound => {
                let text = "a directory without 'manifest.json' is no manifest";
                Failure::message(about(&bytes_of(manifest), text))
            }
            error => error.into(),
        })
    }
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct CreateArgs {
    #[command(flatten)]
    pub scan: ScanOptions,
    #[command(flatten)]
    pub hash: HashOptions,

    /// Record modes, directories and symbolic links, too
    ///
    /// "verify" and "diff" then tell modes that changed, and directories and links that came, went or
    /// have another target. Owners and extended attributes are not recorded.
    #[arg(long, help_heading = WHAT)]
    pub metadata: bool,

    /// Write the manifest to FILE [default: a checksum list on standard output]
    #[arg(short, long, value_name = "FILE", value_parser = path(), help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Write the root as a JSON object: manifest, algorithm, digest_bits, count, root
    #[arg(long, requires = "output", help_heading = OUTPUT)]
    pub json: bool,

    /// The directory
    #[arg(value_name = "DIRECTORY", value_parser = path())]
    pub directory: PathBuf,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct UpdateArgs {
    #[command(flatten)]
    pub key: KeyOptions,
    #[command(flatten)]
    pub scan: ScanOptions,

    /// Write the manifest to FILE [default: MANIFEST]
    #[arg(short, long, value_name = "FILE", value_parser = path(), help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Show no progress
    #[arg(long, help_heading = OUTPUT)]
    pub no_progress: bool,

    /// Write the root as a JSON object: manifest, algorithm, digest_bits, count, root
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The manifest as it was
    #[arg(value_name = "MANIFEST", value_parser = path())]
    pub manifest: PathBuf,

    /// The directory
    #[arg(value_name = "DIRECTORY", value_parser = path())]
    pub directory: PathBuf,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub key: KeyOptions,
    #[command(flatten)]
    pub scan: ScanOptions,

    /// The root that the manifest must have: hexadecimal, or the line that "manifest root" prints
    #[arg(long, value_name = "ROOT")]
    pub root: Option<OsString>,

    /// Show no progress
    #[arg(long, help_heading = OUTPUT)]
    pub no_progress: bool,

    /// Write a JSON object for each difference, file and result, and one for the manifest
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The manifest
    #[arg(value_name = "MANIFEST", value_parser = path())]
    pub manifest: PathBuf,

    /// The directory, whose files are read again [default: only the manifest itself is verified]
    #[arg(value_name = "DIRECTORY", value_parser = path())]
    pub directory: Option<PathBuf>,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct DiffArgs {
    #[command(flatten)]
    pub key: KeyOptions,

    /// Write a JSON object for each difference: file, result, and from of a moved file
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The older manifest
    #[arg(value_name = "OLD", value_parser = path())]
    pub old: PathBuf,

    /// The newer manifest
    #[arg(value_name = "NEW", value_parser = path())]
    pub new: PathBuf,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct DuplicatesArgs {
    #[command(flatten)]
    pub key: KeyOptions,

    /// Write a JSON object for each group: size, digest, wasted, files
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The manifest
    #[arg(value_name = "MANIFEST", value_parser = path())]
    pub manifest: PathBuf,

    /// Another one: only files that are in both [default: those that are in MANIFEST twice]
    #[arg(value_name = "OTHER", value_parser = path())]
    pub other: Option<PathBuf>,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct RootArgs {
    #[command(flatten)]
    pub key: KeyOptions,

    /// Write the root as a JSON object: manifest, algorithm, digest_bits, count, root
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The manifest
    #[arg(value_name = "MANIFEST", value_parser = path())]
    pub manifest: PathBuf,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct ProveArgs {
    #[command(flatten)]
    pub key: KeyOptions,

    /// Verify this proof
    #[arg(long, value_name = "PROOF", value_parser = path(), requires = "root")]
    pub verify: Option<PathBuf>,

    /// The manifest's root: hexadecimal, or the line that "manifest root" prints
    #[arg(long, value_name = "ROOT", requires = "verify")]
    pub root: Option<OsString>,

    /// Write what --verify finds as a JSON object; a proof is one anyway
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The manifest; with --verify the file, to compare its content with the row [default: none]
    #[arg(value_name = "MANIFEST|FILE", value_parser = path(), required_unless_present = "verify")]
    pub file: Option<PathBuf>,

    /// Path of the file in the manifest
    #[arg(value_name = "PATH", value_parser = path(), required_unless_present = "verify",
          conflicts_with = "verify")]
    pub path: Option<PathBuf>,
}
