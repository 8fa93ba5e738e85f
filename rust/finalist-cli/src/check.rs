// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist check`: verifies the files that checksum lists name.

use std::fs;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use finalist::Algorithm;
use finalist::merkle::Tree;

use crate::failure::{Failure, hint};
use crate::json;
use crate::options::Options;
use crate::output::{Output, result_line};
use crate::progress::ProgressLine;
use crate::tally::{Outcome, Tally};
use finalist_files::batches::{BUFFER_BYTES, FileHasher, FileTask, HashJob, window};
use finalist_files::checklist::{Parser, read_line};
use finalist_files::chunks::CHUNK_BYTES_MAX;
use finalist_files::digest::Digest;
use finalist_files::files::Location;
use finalist_files::function::Function;
use finalist_files::message::{about, counted, reason};
use finalist_files::ordered::{Sink, WorkItem, Workers};
use finalist_files::platform::{bytes_of, name_of, open};
use finalist_files::progress::Progress;
use finalist_files::stdin::is_stdin;
use finalist_files::stdin::stdin;
use finalist_files::tag::relatives;
use finalist_files::threads::Threads;

/// The hint if all digests of lines without an algorithm are wrong.
const ASSUMED: &str = "lines that name no algorithm were taken for BLAKE2b's; -a names another one";

/// The hint if no line is of the only algorithm that the options are for.
const FOR_BLAKE3: &str =
    "--derive-key and --seek are for BLAKE3; lines that name no algorithm need -a blake3";

/// The message about a list that could not be read completely.
const READ_ERROR: &str = "read error";

/// Room for many lines: at the buffer's end, the worker hashes its files instead of waiting.
const LIST_BUFFER_BYTES: usize = 64 << 10;

pub fn run(mut options: Options) -> Result<ExitCode, Failure> {
    let only = options.algorithm()?;
    let info = only.unwrap_or(Algorithm::Blake2b).info();
    options.digest_bytes(&info)?;
    options.refuse_misuse()?;
    if let Some(directory) = &options.directory {
        // With the dot, a file is refused, too.
        fs::metadata(directory.join("."))
            .map_err(|error| Failure::message(about(&bytes_of(directory), &reason(&error))))?;
    }
    let parameters = options.parameters(only.is_some().then_some(&info))?;
    let algorithms = match only {
        Some(_) => relatives(&info).iter().map(|each| each.algorithm).collect(),
        None => Algorithm::all().to_vec(),
    };
    options.select_implementation(&algorithms)?;

    let files = options.take_files()?;
    let threads = options.threads();
    let window = window(info.digest_bytes as u64);
    let workers = Workers::new(threads, options.sequential, window);
    let progress = Arc::new(ProgressLine::new(options.shows_progress()));
    let job = HashJob {
        parameters: Arc::new(parameters),
        progress: progress.clone(),
        buffer_bytes: BUFFER_BYTES,
        threads_per_file: Threads::One,
        threads,
    };
    let plan = Arc::new(Plan {
        parser: Parser::new(only),
        directory: options.directory.clone(),
        job: Arc::new(job),
    });
    let mut report = Report {
        options: &options,
        output: Output::new(progress.clone()),
        list: Vec::new(),
        tally: Tally::default(),
    };
    let mut passed = true;
    for file in files {
        passed &= report.list(&workers, &plan, &file)?;
    }
    progress.finish();
    report.output.flush()?;
    Ok(ExitCode::from(u8::from(!passed)))
}

/// Settings for the entries of all lists.
struct Plan {
    parser: Parser,
    /// The directory of the files, if not the current one.
    directory: Option<PathBuf>,
    job: Arc<HashJob>,
}

impl Plan {
    /// Adds a file to the expected progress.
    fn count(&self, listed: &Listed) {
        // The tree's hasher counts its own files.
        if listed.chunk_bytes.is_none() {
            self.job.progress.found_file(listed.location().name);
        }
    }
}

/// The result of a line.
enum Event {
    Improper {
        line: u64,
        /// The algorithm of the last tag so far.
        title: &'static str,
    },
    Checked {
        name: PathBuf,
        outcome: Outcome,
        /// True if the line names its algorithm.
        is_tagged: bool,
    },
    /// The list could not be read completely.
    Unreadable,
}

/// The entries of one list.
struct List {
    lines: BufReader<Box<dyn Read + Send>>,
    /// True if standard input has the list or the key. Then no entry can be about it.
    stdin_is_read: bool,
    plan: Arc<Plan>,
    line: Vec<u8>,
    number: u64,
    ended: bool,
    /// True if a pause has been reported before the next line.
    paused: bool,
}

impl Iterator for List {
    type Item = WorkItem<Listed, Event>;

    fn next(&mut self) -> Option<WorkItem<Listed, Event>> {
        while !self.ended {
            self.paused = !self.paused && !self.lines.buffer().contains(&b'\n');
            if self.paused {
                return Some(WorkItem::Pause);
            }
            match read_line(&mut self.lines, &mut self.line) {
                Ok(true) => self.number += 1,
                Ok(false) => break,
                Err(_) => {
                    self.ended = true;
                    return Some(WorkItem::Done(Event::Unreadable));
                }
            }
            if !matches!(self.line.first(), None | Some(b'#')) {
                return Some(match self.entry() {
                    None => WorkItem::Done(Event::Improper {
                        line: self.number,
                        title: self.plan.parser.last_title(),
                    }),
                    Some(listed) => {
                        self.plan.count(&listed);
                        match is_stdin(&listed.name) {
                            true => WorkItem::InOrder(listed),
                            false => WorkItem::Work(listed),
                        }
                    }
                });
            }
        }
        None
    }
}

impl List {
    /// Returns the entry in the line just read, or `None` if the line is improper. It is improper,
    /// too, if its algorithm does not take the given key, salt or personalisation, or differs from
    /// -a.
    fn entry(&mut self) -> Option<Listed> {
        let entry = self.plan.parser.parse(&self.line)?;
        let name = name_of(entry.name);
        let listed = Listed {
            place: self.plan.directory.as_ref().map(|dir| dir.join(&name)),
            name,
            algorithm: entry.algorithm,
            digest: entry.digest,
            is_tagged: entry.is_tagged,
            chunk_bytes: entry.chunk_bytes,
        };
        if is_stdin(&listed.name) && self.stdin_is_read {
            return None;
        }
        let parameters = &self.plan.job.parameters;
        let function = listed.function();
        match listed.chunk_bytes {
            None => drop(parameters.hasher(function).ok()?),
            Some(_) if parameters.seek != 0 => return None,
            Some(bytes) if !(1..=CHUNK_BYTES_MAX).contains(&bytes) => return None,
            Some(_) => drop(Tree::new(function.algorithm, &parameters.params(function)).ok()?),
        }
        Some(listed)
    }
}

/// A file to verify.
struct Listed {
    name: PathBuf,
    /// Its path from the current directory, if lists name files below another one.
    place: Option<PathBuf>,
    algorithm: Algorithm,
    digest: Vec<u8>,
    is_tagged: bool,
    /// The length of a chunk, if the digest is the root of a Merkle tree over chunks.
    chunk_bytes: Option<u64>,
}

impl Listed {
    fn outcome(self, digest: io::Result<Digest>, ignore_missing: bool) -> Event {
        let outcome = match digest.map(|digest| digest.inline() == Some(self.digest)) {
            Ok(true) => Outcome::Match,
            Ok(false) => Outcome::Mismatch,
            Err(error) if ignore_missing && error.kind() == ErrorKind::NotFound => Outcome::Missing,
            Err(error) => Outcome::Failed(reason(&error)),
        };
        Event::Checked {
            name: self.name,
            outcome,
            is_tagged: self.is_tagged,
        }
    }
}

impl FileTask for Listed {
    fn name(&self) -> &Path {
        &self.name
    }

    fn location(&self) -> Location<'_> {
        Location {
            root: None,
            name: self.place.as_deref().unwrap_or(&self.name),
        }
    }

    fn function(&self) -> Function {
        Function {
            algorithm: self.algorithm,
            digest_bytes: self.digest.len() as u64,
        }
    }

    fn is_regular(&self) -> bool {
        false
    }

    fn chunk_bytes(&self) -> Option<u64> {
        self.chunk_bytes
    }
}

/// Reports the results of the lines.
struct Report<'a> {
    options: &'a Options,
    output: Output,
    /// The name of the current list.
    list: Vec<u8>,
    tally: Tally,
}

impl Report<'_> {
    /// Verifies one list. Returns true if it is entirely correct.
    fn list(&mut self, workers: &Workers, plan: &Arc<Plan>, file: &Path) -> Result<bool, Failure> {
        let is_stdin = is_stdin(file);
        let lines: Box<dyn Read + Send> = if is_stdin {
            self.list = b"standard input".to_vec();
            match stdin() {
                Ok(stdin) => Box::new(stdin),
                Err(_) => {
                    self.fail(READ_ERROR)?;
                    return Ok(false);
                }
            }
        } else {
            self.list = bytes_of(file).into_owned();
            match open(file) {
                Ok(file) => Box::new(file),
                Err(error) => {
                    self.fail(&reason(&error))?;
                    return Ok(false);
                }
            }
        };
        self.tally = Tally::default();
        let list = List {
            lines: BufReader::with_capacity(LIST_BUFFER_BYTES, lines),
            stdin_is_read: is_stdin || self.options.reads_key_from_stdin(),
            plan: plan.clone(),
            line: Vec::new(),
            number: 0,
            ended: false,
            paused: false,
        };
        let ignore_missing = self.options.ignore_missing;
        let outcome = move |listed: Listed, digest| listed.outcome(digest, ignore_missing);
        let worker = || FileHasher::new(plan.job.clone(), outcome);
        workers.run(list, worker, self)?;
        self.summarise()?;
        let tally = &self.tally;
        let refused = self.options.strict && tally.improper > 0;
        Ok(tally.matched
            && tally.mismatched == 0
            && tally.unread == 0
            && !refused
            && !tally.unreadable)
    }

    fn summarise(&mut self) -> Result<(), Failure> {
        let Tally {
            improper,
            unread,
            mismatched,
            ..
        } = self.tally;
        if self.tally.unreadable {
            return self.fail(READ_ERROR);
        }
        if !self.tally.proper {
            self.fail("no properly formatted checksum lines found")?;
            if self.options.is_for_blake3() && self.options.algorithm()?.is_none() {
                self.output.report(&hint(FOR_BLAKE3))?;
            }
            return Ok(());
        }
        if self.options.status {
            return Ok(());
        }
        let lines = self.warn(
            improper,
            "line is improperly formatted",
            "lines are improperly formatted",
        )?;
        if self.options.strict && improper > 0 {
            self.fail_in_json(&lines)?;
        }
        self.warn(
            unread,
            "listed file could not be read",
            "listed files could not be read",
        )?;
        self.warn(
            mismatched,
            "computed checksum did NOT match",
            "computed checksums did NOT match",
        )?;
        if self.options.algorithm()?.is_none() && self.tally.doubts_algorithm() {
            self.output.report(&hint(ASSUMED))?;
        }
        if self.options.ignore_missing && !self.tally.matched {
            self.fail("no file was verified")?;
        }
        Ok(())
    }

    /// Reports why a list fails, apart from its files.
    fn fail(&mut self, reason: &str) -> Result<(), Failure> {
        self.output.report(&about(&self.list, reason))?;
        self.fail_in_json(reason)
    }

    fn fail_in_json(&mut self, reason: &str) -> Result<(), Failure> {
        if !self.options.json || self.options.status {
            return Ok(());
        }
        let list = json::Name {
            member: "list",
            bytes: &self.list,
        };
        let line = json::named(Some(list), json::Verdict::error(reason));
        self.output.line(&line)
    }

    /// Warns if the count is not 0. Returns the text.
    fn warn(&mut self, count: u64, one: &str, many: &str) -> Result<String, Failure> {
        let text = counted(count, one, many);
        if count != 0 {
            self.output.report(format!("WARNING: {text}").as_bytes())?;
        }
        Ok(text)
    }

    /// Writes a file's line.
    fn result(&mut self, name: &[u8], outcome: &Outcome) -> Result<(), Failure> {
        let (text, result, reason) = match outcome {
            Outcome::Missing => return Ok(()),
            Outcome::Match => ("OK", "ok", None),
            Outcome::Mismatch => ("FAILED", "failed", None),
            Outcome::Failed(reason) => ("FAILED open or read", "unreadable", Some(&reason[..])),
        };
        if self.options.status || self.options.quiet && matches!(outcome, Outcome::Match) {
            return Ok(());
        }
        if self.options.json {
            let list = json::Name {
                member: "list",
                bytes: &self.list,
            };
            let checked = json::Checked {
                list,
                result,
                reason,
            };
            return self.output.line(&json::line(Some(name), checked));
        }
        let mut line = result_line(name, text);
        line.push(b'\n');
        self.output.line(&line)
    }
}

impl Sink<Event> for Report<'_> {
    type Error = Failure;

    fn take(&mut self, event: Event) -> Result<(), Failure> {
        let (name, outcome) = match event {
            Event::Unreadable => {
                self.tally.unreadable = true;
                return Ok(());
            }
            Event::Improper { line, title } => {
                self.tally.improper += 1;
                if self.options.warn {
                    let text = format!("{line}: improperly formatted {title} checksum line");
                    self.output.report(&about(&self.list, &text))?;
                }
                return Ok(());
            }
            Event::Checked {
                name,
                outcome,
                is_tagged,
            } => {
                self.tally.count_untagged(&outcome, is_tagged);
                (bytes_of(&name).into_owned(), outcome)
            }
        };
        self.tally.proper = true;
        match &outcome {
            Outcome::Missing => {}
            Outcome::Match => self.tally.matched = true,
            Outcome::Mismatch => self.tally.mismatched += 1,
            Outcome::Failed(text) => {
                self.tally.unread += 1;
                self.output.report(&about(&name, text))?;
            }
        }
        self.result(&name, &outcome)
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.output.flush()
    }
}
