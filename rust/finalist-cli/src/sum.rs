// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist sum`: writes checksum lines.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use base64::prelude::{BASE64_STANDARD, Engine};
use finalist::{Algorithm, AlgorithmInfo};

use crate::batches::{BUFFER_BYTES, FileHasher, Recipe, SINGLE_BYTES, Wanted};
use crate::digest::{Digest, HELD_BYTES_MAX, Output as LongDigest};
use crate::failure::{Failure, about, hint, reason, report};
use crate::files::is_stdin;
use crate::hash_options::Function;
use crate::json;
use crate::options::{Options, Style};
use crate::ordered::{Found, Sink, Workers};
use crate::output::{Output, escaped};
use crate::platform::bytes_of;
use crate::progress::Progress;
use crate::tag::{algorithm_of_length, tag};
use crate::threads::Threads;
use crate::walk::{MaybeNamed, Named, find};

/// Results that wait for their turn together take about so much memory.
const WAITING_BYTES: u64 = 8 << 20;

/// What a result takes beside its digest, with a name of moderate length.
const RESULT_BYTES: u64 = 192;

/// How many results with digests of that length may wait for their turn. What computes a long digest
/// takes less than the longest that is held.
pub fn window(digest_bytes: u64) -> u64 {
    WAITING_BYTES / (RESULT_BYTES + digest_bytes.min(HELD_BYTES_MAX))
}

pub fn run(options: &Options) -> Result<ExitCode, Failure> {
    let algorithm = options.algorithm()?.unwrap_or(Algorithm::Blake2b);
    let info = algorithm.info();
    let digest_bytes = options.digest_bytes(&info)?;
    options.refuse_misuse()?;
    let parameters = options.parameters(Some(&info))?;
    options.select_implementation(&[algorithm_of_length(&info, digest_bytes).algorithm])?;

    let files = options.files()?;
    let walk = options.walk()?;
    let is_single = files.len() == 1 && !walk.recursive;
    let (threads, threads_per_file) = match options.threads() {
        threads if is_single => (Threads::One, threads),
        threads => (threads, Threads::One),
    };
    let workers = Workers::new(threads, options.sequential, window(digest_bytes));
    let progress = Arc::new(Progress::new(options.shows_progress()));
    let mut lines = Lines {
        style: options.style(),
        output: Output::new(progress.clone()),
        failed: false,
        met_directory: false,
    };
    let recipe = Arc::new(Recipe {
        parameters: Arc::new(parameters),
        progress: progress.clone(),
        buffer_bytes: if is_single {
            SINGLE_BYTES
        } else {
            BUFFER_BYTES
        },
        threads_per_file,
        threads: threads_per_file,
    });
    let function = Function {
        algorithm,
        digest_bytes,
    };
    let counted = progress.clone();
    let found = files
        .into_iter()
        .flat_map(move |file| find(file, &walk))
        .inspect(move |file| count(file, &counted))
        .map(move |file| wanted(file, function));
    let style = options.style();
    let outcome = move |file: File, digest: io::Result<Digest>| {
        let name = &bytes_of(&file.named.name);
        let digest = digest.map_err(|error| Refused::new(name, &error))?;
        let (mut start, end) = around(&info, style, name, digest_bytes);
        Ok(match digest {
            Digest::Held(digest) => {
                start.extend(encode(style, &digest));
                start.extend(end);
                Line::Whole(start)
            }
            Digest::Long(digest) => Line::Long { start, digest, end },
        })
    };
    let worker = || FileHasher::new(recipe.clone(), outcome);
    let done = workers.run(found, worker, &mut lines);
    progress.finish();
    done.and_then(|()| lines.output.flush())?;
    if lines.met_directory && !options.recursive() {
        report(&hint("with -r, the files under directories are hashed"));
    }
    Ok(ExitCode::from(u8::from(lines.failed)))
}

/// A file to hash.
struct File {
    named: Named,
    function: Function,
}

/// A file's line, or why there is none.
type Sum = Result<Line, Refused>;

/// Why a file has no line.
struct Refused {
    message: Vec<u8>,
    is_directory: bool,
}

impl Refused {
    fn new(name: &[u8], error: &io::Error) -> Refused {
        Refused {
            message: about(name, &reason(error)),
            is_directory: error.kind() == ErrorKind::IsADirectory,
        }
    }
}

enum Line {
    Whole(Vec<u8>),
    /// The digest is computed when the line is written.
    Long {
        start: Vec<u8>,
        digest: Box<LongDigest>,
        end: Vec<u8>,
    },
}

fn wanted(file: MaybeNamed, function: Function) -> Found<File, Sum> {
    match file {
        Ok(named) if is_stdin(&named.name) => Found::InTurn(File { named, function }),
        Ok(named) => Found::Work(File { named, function }),
        Err(unfound) => {
            let name = bytes_of(&unfound.name);
            Found::Done(Err(Refused::new(&name, &unfound.error)))
        }
    }
}

fn count(file: &MaybeNamed, progress: &Progress) {
    if let Ok(named) = file {
        progress.found_file(&named.name);
    }
}

impl Wanted for File {
    fn name(&self) -> &Path {
        &self.named.name
    }

    fn function(&self) -> Function {
        self.function
    }

    fn is_regular(&self) -> bool {
        self.named.is_regular
    }
}

/// Writes the sums.
struct Lines {
    style: Style,
    output: Output,
    failed: bool,
    /// A name was that of a directory.
    met_directory: bool,
}

impl Sink<Sum> for Lines {
    fn take(&mut self, sum: Sum) -> Result<(), Failure> {
        match sum {
            Ok(Line::Whole(line)) => self.output.line(&line),
            Ok(Line::Long {
                start,
                mut digest,
                end,
            }) => {
                self.output.line(&start)?;
                while let Some(piece) = digest.next_piece() {
                    self.output.line(&encode(self.style, piece))?;
                }
                self.output.line(&end)
            }
            Err(refused) => {
                self.failed = true;
                self.met_directory |= refused.is_directory;
                self.output.report(&refused.message)
            }
        }
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.output.flush()
    }
}

/// What stands in a file's line before the digest's text and after it.
fn around(
    info: &AlgorithmInfo,
    style: Style,
    name: &[u8],
    digest_bytes: u64,
) -> (Vec<u8>, Vec<u8>) {
    if style.json {
        let mut start = json::line(Some(name), json::Sum::new(info.algorithm, digest_bytes));
        start.truncate(start.len() - json::Sum::END.len());
        return (start, json::Sum::END.to_vec());
    }
    let escaped = if style.zero { None } else { escaped(name) };
    let backslash: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
    let name = escaped.as_deref().unwrap_or(name);
    let end: &[u8] = if style.zero { b"\0" } else { b"\n" };
    if style.raw {
        (Vec::new(), Vec::new())
    } else if !style.names {
        (Vec::new(), end.to_vec())
    } else if style.tagged {
        let tag = tag(info, digest_bytes);
        let start = [backslash, tag.as_bytes(), b" (", name, b") = "].concat();
        (start, end.to_vec())
    } else {
        let mark: &[u8] = if style.star { b" *" } else { b"  " };
        (backslash.to_vec(), [mark, name, end].concat())
    }
}

/// A digest, or a piece of one, as it stands in a line.
fn encode(style: Style, digest: &[u8]) -> Vec<u8> {
    if style.raw {
        digest.to_vec()
    } else if style.base64 {
        BASE64_STANDARD.encode(digest).into_bytes()
    } else {
        hex::encode(digest).into_bytes()
    }
}
