// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `sum` and `check`, and checks of their use.

use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use finalist::{Algorithm, AlgorithmInfo};

use crate::failure::Failure;
use crate::hash_options::{FUNCTION, HashOptions, KEY_AND_MESSAGE, OUTPUT, SPEED, WHAT};
use crate::hash_options::{derive_key, path, seek};
use crate::value::{jobs, size};
use finalist_files::files::Opened;
use finalist_files::function::Parameters;
use finalist_files::message::{about, reason};
use finalist_files::platform::{bytes_of, expanded, name_of};
use finalist_files::quote::excerpt;
use finalist_files::stdin::is_stdin;
use finalist_files::stdin::stdin;
use finalist_files::threads::Threads;
use finalist_files::walk::{Exclude, Walk};

pub const CHECKING: &str = "Verifying checksums";

// The options of `sum` and `check`. A doc comment would become the commands' help.
#[derive(clap::Args)]
#[command(args_override_self = true)]
pub struct Options {
    /// Hash the regular files under directories, in the order of their names
    #[arg(short, long, help_heading = WHAT)]
    recursive: bool,

    /// With -r, follow symbolic links found in directories
    #[arg(long, help_heading = WHAT)]
    follow: bool,

    /// With -r, skip files and directories whose name, or path below the directory, matches GLOB
    ///
    /// In a GLOB, * and ? match all characters but /, ** matches across directories, [abc] and {one,two}
    /// match one of several. A directory is skipped with its contents. May be given several times.
    #[arg(long, value_name = "GLOB", help_heading = WHAT)]
    exclude: Vec<String>,

    /// Read the names of the FILEs from FILE, each ended by NUL; - is standard input
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with = "files", help_heading = WHAT)]
    files0_from: Option<PathBuf>,

    /// Write lines that name the algorithm: BLAKE2b (FILE) = DIGEST
    #[arg(long, overrides_with = "untagged", help_heading = OUTPUT)]
    tag: bool,

    /// Write lines that do not name the algorithm (default)
    #[arg(long, overrides_with = "tag", help_heading = OUTPUT)]
    untagged: bool,

    /// Write digests in base64 instead of hexadecimal
    #[arg(long, help_heading = OUTPUT)]
    base64: bool,

    /// Write only the bytes of the digest; for a single FILE
    #[arg(long, help_heading = OUTPUT)]
    raw: bool,

    /// Write one JSON object per line: file, algorithm, digest_bits, digest; with --check: file, list, result
    ///
    /// A name that is not UTF-8 is written in hexadecimal, as file_hex or list_hex. Messages still go to
    /// standard error.
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// Write digests without the names of the files
    #[arg(long, help_heading = OUTPUT)]
    no_names: bool,

    /// End lines with NUL instead of newline, and do not escape names
    #[arg(short, long, help_heading = OUTPUT)]
    zero: bool,

    /// Mark lines with *, as in binary mode; all files are read in binary mode
    #[arg(short, long, help_heading = OUTPUT)]
    binary: bool,

    /// Mark lines with a space, as in text mode (default)
    #[arg(short, long, help_heading = OUTPUT)]
    text: bool,

    #[command(flatten)]
    hash: HashOptions,

    /// Derive a key with BLAKE3: FILE is the key material, CONTEXT names the purpose
    ///
    /// CONTEXT should be hardcoded, globally unique and application-specific.
    #[arg(long, value_name = "CONTEXT", allow_hyphen_values = true,
          conflicts_with_all = ["key_file", "keyed"], help_heading = FUNCTION)]
    derive_key: Option<String>,

    /// Begin the digest at this byte of BLAKE3's output [default: 0]
    #[arg(long, value_name = "BYTES", allow_hyphen_values = true,
          value_parser = size(0..=u64::MAX), help_heading = FUNCTION)]
    seek: Option<u64>,

    /// Threads that read and hash, 1 to 1024 [default: one for each CPU]
    #[arg(short, long, value_name = "N", allow_hyphen_values = true,
          value_parser = jobs(), help_heading = SPEED)]
    jobs: Option<u16>,

    /// Read one file at a time, in order: for spinning disks
    ///
    /// The other threads hash the small files that were read.
    #[arg(long, help_heading = SPEED)]
    pub sequential: bool,

    /// Read checksum lists from the FILEs and verify them, as "finalist check" does
    #[arg(short, long, help_heading = CHECKING)]
    pub check: bool,

    /// Look for the listed files in DIR, as if the lists were there
    #[arg(short = 'C', long, value_name = "DIR", value_parser = path(), help_heading = CHECKING)]
    pub directory: Option<PathBuf>,

    /// Ignore missing files
    #[arg(long, help_heading = CHECKING)]
    pub ignore_missing: bool,

    /// Do not print OK for each verified file
    #[arg(long, help_heading = CHECKING, overrides_with_all = ["status", "warn"])]
    pub quiet: bool,

    /// Print nothing; the exit code is the result
    #[arg(long, help_heading = CHECKING, overrides_with_all = ["quiet", "warn"])]
    pub status: bool,

    /// Also exit with 1 for improperly formatted lines
    #[arg(long, help_heading = CHECKING)]
    pub strict: bool,

    /// Warn about each improperly formatted line
    #[arg(short, long, help_heading = CHECKING, overrides_with_all = ["quiet", "status"])]
    pub warn: bool,

    /// Files to read; without any, or for -, standard input
    #[arg(value_name = "FILE", value_parser = path())]
    files: Vec<PathBuf>,

    /// The answer of [`star`] for them.
    #[arg(skip)]
    pub star: Option<bool>,
}

/// Returns true if the last option among --tag, --binary and --text marks lines with a star; `None` if
/// there is none of them.
pub fn star(matches: &ArgMatches) -> Option<bool> {
    let last = |(id, star): (&str, bool)| {
        // Other commands do not have these options, and one that is not given has a place, too.
        let given = matches.try_get_one(id).ok().flatten() == Some(&true);
        let places = given.then(|| matches.indices_of(id)).flatten();
        Some((places?.max()?, star))
    };
    let options = [("tag", true), ("binary", true), ("text", false)];
    let last = options.into_iter().filter_map(last);
    last.max().map(|(_, star)| star)
}

impl Options {
    /// Refuses meaningless combinations.
    pub fn refuse_misuse(&self) -> Result<(), Failure> {
        let verifying = "verifying checksums";
        let meaningful = |name| format!("the --{name} option is meaningful only when {verifying}");
        let check = self.check;
        let misuses = [
            (
                self.tag && self.text,
                "--tag does not support --text mode".to_owned(),
            ),
            (
                self.zero && check,
                format!("the --zero option is not supported when {verifying}"),
            ),
            (
                self.tag && check,
                format!("the --tag option is meaningless when {verifying}"),
            ),
            (
                self.star.is_some() && check,
                format!("the --binary and --text options are meaningless when {verifying}"),
            ),
            (
                self.recursive && check,
                format!("the --recursive option is meaningless when {verifying}"),
            ),
            (self.directory.is_some() && !check, meaningful("directory")),
            (self.ignore_missing && !check, meaningful("ignore-missing")),
            (self.status && !check, meaningful("status")),
            (self.warn && !check, meaningful("warn")),
            (self.quiet && !check, meaningful("quiet")),
            (self.strict && !check, meaningful("strict")),
            (
                self.follow && !self.recursive,
                "the --follow option is meaningful only with --recursive".to_owned(),
            ),
            (
                !self.exclude.is_empty() && !self.recursive,
                "the --exclude option is meaningful only with --recursive".to_owned(),
            ),
            (
                self.base64 && self.raw,
                "--base64 and --raw are mutually exclusive".to_owned(),
            ),
            (
                self.no_names && self.tag,
                "--no-names and --tag are mutually exclusive".to_owned(),
            ),
            // --tag answers star, too.
            (
                self.json && (self.untagged || self.star.is_some()),
                "--json does not support --tag, --untagged, --binary and --text".to_owned(),
            ),
            (
                self.json && (self.base64 || self.raw || self.no_names || self.zero),
                "--json does not support --base64, --raw, --no-names and --zero".to_owned(),
            ),
            (
                (self.base64 || self.raw || self.no_names) && check,
                format!(
                    "the --base64, --raw and --no-names options are meaningless when {verifying}"
                ),
            ),
            (
                self.raw && (self.files.len() > 1 || self.recursive || self.files0_from.is_some()),
                "the --raw option is not supported with multiple files".to_owned(),
            ),
        ];
        match misuses.into_iter().find(|(misused, _)| *misused) {
            Some((_, text)) => Err(Failure::misuse(text)),
            None => Ok(()),
        }
    }

    /// Returns true if a progress bar may be drawn.
    pub fn shows_progress(&self) -> bool {
        !self.hash.no_progress && !self.status
    }

    pub fn algorithm(&self) -> Result<Option<Algorithm>, Failure> {
        self.hash.algorithm()
    }

    pub fn digest_bytes(&self, info: &AlgorithmInfo) -> Result<u64, Failure> {
        self.hash.digest_bytes(info)
    }

    pub fn parameters(&self, info: Option<&AlgorithmInfo>) -> Result<Parameters, Failure> {
        let stdin_is_read = match &self.files0_from {
            Some(list) => is_stdin(list),
            None => self.files.is_empty() || self.files.iter().any(|file| is_stdin(file)),
        };
        let mut parameters = self.hash.parameters(info, stdin_is_read)?;
        if let Some(context) = &self.derive_key {
            parameters = derive_key(parameters, context, info)?;
        }
        if let Some(position) = self.seek {
            let digest_bytes = info.map(|info| self.digest_bytes(info)).transpose()?;
            parameters = seek(parameters, position, info, digest_bytes.unwrap_or(0))?;
        }
        Ok(parameters)
    }

    /// Returns true if standard input has the key.
    pub fn reads_key_from_stdin(&self) -> bool {
        self.hash.reads_key_from_stdin()
    }

    /// Returns true if there is an option that only BLAKE3 takes.
    pub fn is_for_blake3(&self) -> bool {
        self.derive_key.is_some() || self.seek.is_some()
    }

    pub fn select_implementation(&self, algorithms: &[Algorithm]) -> Result<(), Failure> {
        self.hash.select_implementation(algorithms)
    }

    /// Takes the names on the command line, `-` if there are none, or those of `--files0-from`.
    pub fn take_files(&mut self) -> Result<Vec<PathBuf>, Failure> {
        match (&self.files0_from, mem::take(&mut self.files)) {
            (Some(list), _) => {
                let mut files = Vec::new();
                read_names(list, |name| {
                    let file = name_of(name.to_vec());
                    if is_stdin(&file) && self.reads_key_from_stdin() {
                        return Err(Failure::message(about(name, KEY_AND_MESSAGE)));
                    }
                    files.push(file);
                    Ok(())
                })?;
                Ok(files)
            }
            (None, files) if files.is_empty() => Ok(vec!["-".into()]),
            (None, files) => Ok(expanded(files)),
        }
    }

    pub fn walk(&self) -> Result<Walk, Failure> {
        Ok(Walk {
            recursive: self.recursive,
            follow: self.follow,
            exclude: excluded(&self.exclude)?,
            by_path: false,
            all_types: false,
        })
    }

    /// Returns true if the files below directories are hashed.
    pub fn recursive(&self) -> bool {
        self.recursive
    }

    /// Returns the maximum number of threads to hash with.
    pub fn threads(&self) -> Threads {
        Threads::Jobs(self.jobs)
    }

    pub fn style(&self) -> Style {
        Style {
            tagged: self.tag,
            star: self.star == Some(true),
            zero: self.zero,
            base64: self.base64,
            raw: self.raw,
            names: !self.no_names,
            json: self.json,
        }
    }
}

/// Returns the matcher for the globs of `--exclude`.
pub fn excluded(globs: &[String]) -> Result<Exclude, Failure> {
    Exclude::new(globs).map_err(|(glob, why)| {
        let glob = excerpt(glob);
        Failure::message(format!("invalid glob: '{glob}'\n{why}"))
    })
}

/// Longest name in a list, with its NUL.
const NAME_BYTES_MAX: u64 = 1 << 20;

/// Calls a function with each name in a list whose names end with NUL.
pub fn read_names(
    list: &Path,
    mut take: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let complain = |text: &str| Failure::message(about(&bytes_of(list), text));
    let described = |error: io::Error| complain(&reason(&error));
    let input: Box<dyn Read> = if is_stdin(list) {
        Box::new(stdin().map_err(described)?)
    } else {
        Box::new(Opened::new(list).map_err(described)?)
    };
    let mut input = BufReader::new(input);
    let mut name = Vec::new();
    let mut count = 0_u64;
    while input
        .by_ref()
        .take(NAME_BYTES_MAX + 1)
        .read_until(0, &mut name)
        .map_err(described)?
        != 0
    {
        count += 1;
        if name.len() as u64 > NAME_BYTES_MAX {
            return Err(complain(&format!("name {count} is longer than 1 MiB")));
        }
        match name.strip_suffix(b"\0").unwrap_or(&name) {
            b"" => return Err(complain(&format!("name {count} is empty"))),
            b"-" if is_stdin(list) => {
                return Err(complain("standard input cannot be both list and file"));
            }
            file => take(file)?,
        }
        name.clear();
    }
    match count {
        0 => Err(complain("the list holds no names")),
        _ => Ok(()),
    }
}

/// The form of `sum`'s lines.
#[derive(Clone, Copy)]
pub struct Style {
    pub tagged: bool,
    pub star: bool,
    pub zero: bool,
    pub base64: bool,
    pub raw: bool,
    pub names: bool,
    pub json: bool,
}
