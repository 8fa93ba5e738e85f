// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest create` and `update`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use finalist::Algorithm;

use super::files::{Directory, own_paths};
use super::header::Header;
use super::journal::Journal;
use super::known::Known;
use super::leaves::tree_failure;
use super::options::{CreateArgs, ScanOptions, UpdateArgs, directory};
use super::reader::Manifest;
use super::root_line;
use super::scan::Scanned;
use super::writer::{Target, Writer, failed};
use crate::failure::{Failure, about};
use crate::files::is_stdin;
use crate::hash_options::{Function, Parameters};
use crate::new_file::NewFile;
use crate::ordered;
use crate::output::Output;
use crate::platform::bytes_of;
use crate::progress::Progress;
use crate::stdio::print;
use crate::tag::algorithm_of_length;

pub fn create(args: &CreateArgs) -> Result<ExitCode, Failure> {
    let algorithm = args.hash.algorithm()?.unwrap_or(Algorithm::Blake2b);
    let info = algorithm.info();
    let function = Function {
        algorithm,
        digest_bytes: args.hash.digest_bytes(&info)?,
    };
    let stdin_is_read = args.scan.files0_from.as_deref().is_some_and(is_stdin);
    let parameters = args.hash.parameters(Some(&info), stdin_is_read)?;
    let tree = finalist::merkle::Tree::new(algorithm, &parameters.params(function));
    tree.map_err(|error| tree_failure(function, error))?;
    let compressing = algorithm_of_length(&info, function.digest_bytes).algorithm;
    args.hash.select_implementation(&[compressing])?;
    let run = Run {
        scan: &args.scan,
        root: directory(&args.directory)?,
        header: Header::new(function, &parameters),
        target: match &args.output {
            Some(file) if !is_stdin(file) => Target::File(file.clone()),
            _ => Target::Stdout,
        },
        old: None,
        progress: Progress::new(!args.hash.no_progress),
    };
    run.run(Arc::new(parameters))
}

pub fn update(args: &UpdateArgs) -> Result<ExitCode, Failure> {
    let old = Manifest::open(&args.manifest, &args.key)?;
    let output = args.output.as_ref().unwrap_or(&args.manifest);
    if output.is_dir() {
        let text = "a manifest in parts is not written: name another with --output";
        return Err(Failure::message(about(&bytes_of(output), text)));
    }
    let run = Run {
        scan: &args.scan,
        root: directory(&args.directory)?,
        header: old.header.clone(),
        target: Target::File(output.clone()),
        old: Some(&old),
        progress: Progress::new(!args.no_progress),
    };
    run.run(old.parameters.clone())
}

/// What a manifest is made of.
struct Run<'a> {
    scan: &'a ScanOptions,
    root: &'a Path,
    header: Header,
    target: Target,
    /// The manifest to bring up to date.
    old: Option<&'a Manifest>,
    progress: Progress,
}

impl Run<'_> {
    fn run(self, parameters: Arc<Parameters>) -> Result<ExitCode, Failure> {
        let progress = Arc::new(self.progress);
        let mut known = Vec::new();
        let mut own = Vec::new();
        let mut output = Output::new(progress.clone());
        let journal = match &self.target {
            Target::Stdout => None,
            Target::File(file) => {
                own.extend([file.clone(), Journal::name(file)]);
                NewFile::check(file).map_err(|error| failed(file, &error))?;
                let journal = Journal::open(file, self.root, &self.header, &parameters)?;
                if let Some(complaint) = journal.complaint() {
                    output.report(&complaint)?;
                }
                if journal.count() != 0 {
                    let text = format!("going on after {} files of another run", journal.count());
                    output.report(&about(&bytes_of(file), &text))?;
                    known.push(Known::new(journal.rows(&self.header, &parameters)?));
                }
                Some(journal)
            }
        };
        let run = journal.as_ref().map(Journal::run);
        let writer = Writer::new(&self.target, run.as_deref(), &self.header, &parameters)?;
        own.extend(writer.partial().map(Path::to_owned));
        if let Some(old) = self.old {
            own.push(old.file.clone());
            known.push(Known::new(old.rows()?));
        }
        let function = self.header.function;
        let shared = parameters.clone();
        let directory = Directory::new(self.root, self.scan, function, shared, progress.clone());
        let mut rows = Rows {
            writer,
            journal,
            output,
            count: 0,
            known_count: 0,
            failed: false,
        };
        let own = own_paths(self.root, &own);
        let done = directory.scan(own, known, &mut rows);
        progress.finish();
        done.and_then(|()| rows.output.flush())?;
        let totals = rows.writer.finish()?;
        rows.journal.map_or(Ok(()), Journal::remove)?;
        if let Target::File(file) = &self.target {
            let name = &bytes_of(file);
            if self.old.is_some() {
                let (count, known) = (rows.count, rows.known_count);
                let read = count - known;
                let text = format!("{count} files: {read} read, {known} unchanged");
                rows.output.report(&about(name, &text))?;
            }
            print(&root_line(&self.header, name, &totals.root))?;
        }
        Ok(ExitCode::from(u8::from(rows.failed)))
    }
}

/// Writes the rows.
struct Rows<'a> {
    writer: Writer<'a>,
    journal: Option<Journal>,
    output: Output,
    count: u64,
    /// Rows of files that were not read.
    known_count: u64,
    failed: bool,
}

impl ordered::Sink<Result<Scanned, Failure>> for Rows<'_> {
    fn take(&mut self, scanned: Result<Scanned, Failure>) -> Result<(), Failure> {
        let scanned = scanned?;
        self.count += 1;
        self.known_count += u64::from(scanned.is_known);
        if let Some(message) = &scanned.message {
            self.failed = true;
            self.output.report(message)?;
        }
        if let Some(journal) = &mut self.journal {
            journal.push(&scanned.row)?;
        }
        self.writer.push(scanned.row)
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.journal.as_mut().map_or(Ok(()), Journal::flush)?;
        self.output.flush()
    }
}
