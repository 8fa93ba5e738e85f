// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `finalist manifest`.

use std::ffi::OsString;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::hash_options::{FUNCTION, HashOptions, OUTPUT, SPEED, WHAT, path, read_key};
use crate::old_and_new::OldAndNew;
use crate::options::{excluded, read_names};
use crate::progress::ProgressLine;
use crate::value::jobs;
use finalist_files::message::{about, reason};
use finalist_files::platform::{bytes_of, not_a_directory};
use finalist_files::stdin::is_stdin;
use finalist_files::threads::Threads;
use finalist_manifest::{Error, Header, Manifest, Paths, Scan};

pub const ABOUT: &str = "\
Manifests: tables of the files below a directory, with their digests and one root over all.

A manifest has a row for each file: path, size, digest, leaf hash, status, time of change; with \
--metadata also modes, and rows for directories and symbolic links. It is \
written as Parquet if its name ends in .parquet, else as a checksum list, which \"finalist check\" \
reads, too. Its root is that of a Merkle tree over the rows (RFC 9162), and depends on the files \
alone.";

const VERIFY_ABOUT: &str = "\
Verify a manifest, or the files that it lists. If the content of a file differs while its size and \
time do not, the file is reported as corrupt instead of changed; a list has no times, so it is \
reported as changed. Rows of files that --exclude or --files0-from leaves out are not compared. The \
exit code is 2 for corrupt files, and 1 for other differences.";

const DIFF_ABOUT: &str = "\
Show what differs between two manifests: added, removed, changed, corrupt and moved files. If the \
content of a file differs while its size and time do not, the file is reported as corrupt instead of \
changed. The exit code is 2 for corrupt files, and 1 for other differences.";

const UPDATE_ABOUT: &str = "\
Bring a manifest up to date. Only files whose size, times or inode changed are read. If the content \
of a file changed while its size and time did not, a message says that it is corrupt, and the exit \
code is 2: the new manifest has its new digest. A list has no times, so all files are read, and \
none is known to be corrupt.";

const DUPLICATES_ABOUT: &str = "\
Show groups of files with the same content, those that waste the most bytes first. Empty files are left out. \
Hard links to one file count as several files. Nothing is deleted.";

pub const EXAMPLES: &str = "\
Examples:
  finalist manifest create DIRECTORY -o M.parquet  print the root
  finalist manifest verify M.parquet DIRECTORY     read the files again
  finalist manifest diff OLD.parquet M.parquet     compare two manifests
  finalist manifest update M.parquet DIRECTORY     read only changed files
  finalist manifest prove M.parquet PATH > PROOF   prove that a file is in it
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
    /// Verify a manifest, or the files that it lists
    #[command(long_about = VERIFY_ABOUT, after_help = "\
Examples:
  finalist manifest verify M.parquet               the manifest only
  finalist manifest verify M.parquet DIRECTORY     also the files")]
    Verify(VerifyArgs),
    /// Show what differs between two manifests
    #[command(long_about = DIFF_ABOUT, after_help = "\
Examples:
  finalist manifest diff OLD.parquet M.parquet
  finalist manifest diff --key-file KEY OLD.parquet M.parquet")]
    Diff(DiffArgs),
    /// Show files with the same content, in one manifest or two
    #[command(long_about = DUPLICATES_ABOUT, after_help = "\
Examples:
  finalist manifest duplicates M.parquet
  finalist manifest duplicates OLD.parquet M.parquet --json")]
    Duplicates(DuplicatesArgs),
    /// Print the root of a manifest
    #[command(after_help = "\
Examples:
  finalist manifest root M.parquet
  finalist manifest root M.parquet > ROOT
  finalist manifest verify M.parquet --root \"$(cat ROOT)\"")]
    Root(RootArgs),
    /// Print, or verify, a proof that a file is in a manifest
    #[command(after_help = "\
Examples:
  finalist manifest prove M.parquet PATH > PROOF
  finalist manifest prove --verify PROOF --root HEX DIRECTORY/PATH")]
    Prove(ProveArgs),
    /// Bring a manifest up to date
    #[command(long_about = UPDATE_ABOUT, after_help = "\
Examples:
  finalist manifest update M.parquet DIRECTORY
  finalist manifest update M.parquet DIRECTORY -o NEW.parquet")]
    Update(UpdateArgs),
}

// The files, and how they are read.
#[derive(Args)]
pub struct ScanOptions {
    /// Follow symbolic links found in directories
    #[arg(long, requires = "directory", help_heading = WHAT)]
    pub follow: bool,

    /// Skip files and directories whose name, or path below DIRECTORY, matches GLOB
    ///
    /// In a GLOB, * and ? match all characters but /, ** matches across directories, [abc] and {one,two}
    /// match one of several. A directory is skipped with its contents. May be given several times.
    #[arg(long, value_name = "GLOB", requires = "directory", help_heading = WHAT)]
    exclude: Vec<String>,

    /// Read paths below DIRECTORY from FILE, each ended by NUL; - is standard input
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with = "exclude",
          requires = "directory", help_heading = WHAT)]
    pub files0_from: Option<PathBuf>,

    /// Threads that read and hash, 1 to 1024 [default: one for each CPU]
    #[arg(short, long, value_name = "N", allow_hyphen_values = true,
          value_parser = jobs(), help_heading = SPEED)]
    jobs: Option<u16>,

    /// Read one file at a time, in order: for spinning disks
    #[arg(long, help_heading = SPEED)]
    pub sequential: bool,
}

impl ScanOptions {
    /// Returns true if standard input has the paths.
    pub fn reads_stdin(&self) -> bool {
        self.files0_from.as_deref().is_some_and(is_stdin)
    }

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
    /// Read the key of a keyed manifest from FILE: all bytes, a final newline included
    #[arg(long, value_name = "FILE", value_parser = path(), allow_hyphen_values = true,
          help_heading = FUNCTION)]
    pub key_file: Option<PathBuf>,
}

impl KeyOptions {
    /// Reads the key, which must fit the header if there is one. Standard input cannot be the key if
    /// it is read for something else.
    pub fn read(
        &self,
        header: Option<&Header>,
        stdin_is_read: bool,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let info = header.filter(|header| header.keyed);
        let info = info.map(|header| header.function.algorithm.info());
        let key = self.key_file.as_deref();
        key.map(|file| read_key(file, info.as_ref(), stdin_is_read))
            .transpose()
    }
}

/// Opens a manifest.
pub fn open(manifest: &Path, key: Option<&[u8]>) -> Result<Manifest, Failure> {
    Manifest::open(manifest, key).map_err(|error| match error {
        Error::File { file, error }
            if file == manifest.join("manifest.json") && error.kind() == NotFound =>
        {
            let text = "a directory without 'manifest.json' is no manifest";
            Failure::message(about(&bytes_of(manifest), text))
        }
        error => error.into(),
    })
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct CreateArgs {
    #[command(flatten)]
    pub scan: ScanOptions,
    #[command(flatten)]
    pub hash: HashOptions,

    /// Also record modes, directories and symbolic links
    ///
    /// "verify" and "diff" then also report changed modes, added and removed directories and links, and
    /// links with another target. Owners and extended attributes are not recorded.
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

    /// Write a JSON object for each corrupt or unreadable file (file, result), and one for the
    /// manifest: manifest, algorithm, digest_bits, count, root, read, unchanged, failed, corrupt
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The existing manifest
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

    /// Write a JSON object for each difference (file, result) and one for the manifest
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The manifest
    #[arg(value_name = "MANIFEST", value_parser = path())]
    pub manifest: PathBuf,

    /// The directory with the files, which are read again [default: verify the manifest only]
    #[arg(value_name = "DIRECTORY", value_parser = path())]
    pub directory: Option<PathBuf>,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct DiffArgs {
    #[command(flatten)]
    pub key: KeyOptions,

    /// Write a JSON object for each difference: file, result and, for a moved file, from
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    #[command(flatten)]
    pub manifests: OldAndNew,
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

    /// Another manifest: show files that are in both [default: show files that are in MANIFEST twice]
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
    #[arg(long, value_name = "ROOT", conflicts_with = "path")]
    pub root: Option<OsString>,

    /// Write the result of --verify or an error as a JSON object; a proof always is one
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The manifest; with --verify, a file to compare with the row [default: none]
    #[arg(value_name = "MANIFEST|FILE", value_parser = path(), required_unless_present = "verify")]
    pub file: Option<PathBuf>,

    /// Path of the file in the manifest
    #[arg(value_name = "PATH", value_parser = path(), required_unless_present = "verify",
          conflicts_with = "verify")]
    pub path: Option<PathBuf>,
}
