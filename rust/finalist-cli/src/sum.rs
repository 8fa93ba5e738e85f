// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist sum`: writes checksum lines.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use base64::prelude::{BASE64_STANDARD, Engine};
use finalist::{Algorithm, AlgorithmInfo};

use crate::failure::{Failure, hint, report};
use crate::json;
use crate::options::{Options, Style};
use crate::output::Output;
use crate::progress::ProgressLine;
use finalist_files::batches::{BUFFER_BYTES, FileHasher, FileTask, HashJob, SINGLE_BYTES, window};
use finalist_files::checklist::escaped;
use finalist_files::digest::{Digest, INLINE_BYTES_MAX, LongDigest, append_hexadecimal};
use finalist_files::function::Function;
use finalist_files::message::{about, reason};
use finalist_files::ordered::{Sink, WorkItem, Workers};
use finalist_files::platform::{FileType, bytes_of};
use finalist_files::progress::Progress;
use finalist_files::stdin::is_stdin;
use finalist_files::tag::{algorithm_of_length, tag};
use finalist_files::threads::Threads;
use finalist_files::walk::{MaybeNamed, Named, find};

/// More bytes than a line has besides its digest and its name, most often.
const LINE_BYTES: usize = 32;

/// The hint for digests that are too long for lists.
const RAW_ONLY: &str = "digests of more than 64 KiB are written with --raw only";

pub fn run(mut options: Options) -> Result<ExitCode, Failure> {
    let algorithm = options.algorithm()?.unwrap_or(Algorithm::Blake2b);
    let info = algorithm.info();
    let digest_bytes = options.digest_bytes(&info)?;
    options.refuse_misuse()?;
    if digest_bytes > INLINE_BYTES_MAX && !options.style().raw {
        return Err(Failure::misuse(RAW_ONLY));
    }
    let parameters = options.parameters(Some(&info))?;
    options.select_implementation(&[algorithm_of_length(&info, digest_bytes).algorithm])?;

    let files = options.take_files()?;
    let walk = options.walk()?;
    let is_single = files.len() == 1 && !walk.recursive;
    let (threads, threads_per_file) = match options.threads() {
        threads if is_single => (Threads::One, threads),
        threads => (threads, Threads::One),
    };
    let style = options.style();
    let workers = Workers::new(threads, options.sequential, window(digest_bytes));
    let progress = Arc::new(ProgressLine::new(options.shows_progress()));
    if !walk.recursive {
        progress.count(&files);
    }
    let mut lines = Lines {
        output: Output::new(progress.clone()),
        json: style.json,
        failed: false,
        met_directory: false,
    };
    let job = Arc::new(HashJob {
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
        .inspect(move |file| count(file, &*counted))
        .map(move |file| wanted(file, function));
    let outcome = move |file: File, digest: io::Result<Digest>| {
        let name = &bytes_of(&file.named.name);
        let digest = digest.map_err(|error| Refused::new(name, &error))?;
        Ok(match digest {
            Digest::Inline(digest) => Sum::Line(line(&info, style, name, &digest)),
            Digest::Long(digest) => Sum::Raw(digest),
        })
    };
    let worker = || FileHasher::new(job.clone(), outcome);
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

/// A file's line, or the reason why there is none.
type MaybeSum = Result<Sum, Refused>;

/// A file without a line.
struct Refused {
    name: Vec<u8>,
    reason: String,
    is_directory: bool,
}

impl Refused {
    fn new(name: &[u8], error: &io::Error) -> Refused {
        Refused {
            name: name.to_vec(),
            reason: reason(error),
            is_directory: error.kind() == ErrorKind::IsADirectory,
        }
    }
}

enum Sum {
    Line(Vec<u8>),
    /// Only the digest, computed as it is written.
    Raw(Box<LongDigest>),
}

fn wanted(file: MaybeNamed, function: Function) -> WorkItem<File, MaybeSum> {
    match file {
        Ok(named) if is_stdin(&named.name) => WorkItem::InOrder(File { named, function }),
        Ok(named) => WorkItem::Work(File { named, function }),
        Err(unfound) => {
            let name = bytes_of(&unfound.name);
            WorkItem::Done(Err(Refused::new(&name, &unfound.error)))
        }
    }
}

fn count(file: &MaybeNamed, progress: &dyn Progress) {
    if let Ok(named) = file {
        progress.found_file(&named.name);
    }
}

impl FileTask for File {
    fn name(&self) -> &Path {
        &self.named.name
    }

    fn function(&self) -> Function {
        self.function
    }

    fn is_regular(&self) -> bool {
        self.named.file_type == FileType::Regular
    }
}

/// Writes the sums.
struct Lines {
    output: Output,
    json: bool,
    failed: bool,
    /// True if a name was a directory's.
    met_directory: bool,
}

impl Sink<MaybeSum> for Lines {
    type Error = Failure;

    fn take(&mut self, sum: MaybeSum) -> Result<(), Failure> {
        match sum {
            Ok(Sum::Line(line)) => self.output.line(&line),
            Ok(Sum::Raw(mut digest)) => {
                while let Some(piece) = digest.next_piece() {
                    self.output.line(piece)?;
                }
                Ok(())
            }
            Err(refused) => {
                self.failed = true;
                self.met_directory |= refused.is_directory;
                let Refused { name, reason, .. } = &refused;
                self.output.report(&about(name, reason))?;
                match self.json {
                    true => self
                        .output
                        .line(&json::line(Some(name), json::Verdict::unreadable(reason))),
                    false => Ok(()),
                }
            }
        }
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.output.flush()
    }
}

/// Returns a file's line.
fn line(info: &AlgorithmInfo, style: Style, name: &[u8], digest: &[u8]) -> Vec<u8> {
    if style.json {
        return json::line(Some(name), json::Sum::new(info.algorithm, digest));
    }
    let escaped = if style.zero { None } else { escaped(name) };
    let backslash: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
    let name = escaped.as_deref().unwrap_or(name);
    let end: &[u8] = if style.zero { b"\0" } else { b"\n" };
    if style.raw {
        return digest.to_vec();
    }
    let tag = style.tagged.then(|| tag(info, digest.len() as u64));
    let mark: &[u8] = if style.star { b" *" } else { b"  " };
    let (before, after): (&[&[u8]], &[&[u8]]) = match &tag {
        _ if !style.names => (&[], &[end]),
        Some(tag) => (&[backslash, tag.as_bytes(), b" (", name, b") = "], &[end]),
        None => (&[backslash], &[mark, name, end]),
    };
    let mut line = Vec::with_capacity(2 * digest.len() + name.len() + LINE_BYTES);
    before.iter().for_each(|part| line.extend_from_slice(part));
    match style.base64 {
        true => line.extend(BASE64_STANDARD.encode(digest).into_bytes()),
        false => append_hexadecimal(&mut line, digest),
    }
    after.iter().for_each(|part| line.extend_from_slice(part));
    line
}
