// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest create` and `update`.

use std::process::ExitCode;
use std::sync::Arc;

use finalist::Algorithm;
use finalist_files::function::Function;
use finalist_files::message::{about, counted};
use finalist_files::platform::bytes_of;
use finalist_files::stdin::is_stdin;
use finalist_files::tag::algorithm_of_length;
use finalist_manifest::{Header, Manifest, Scan, Target};

use super::difference_printer::DifferencePrinter;
use super::options::{CreateArgs, UpdateArgs, open};
use super::{CORRUPT, json, root_line};
use crate::failure::{Failure, report};
use crate::hash_options::check_output;
use crate::progress::ProgressLine;
use crate::stdio::{check_stdout, print};

/// The message about JSON on the same stream as a list.
const NO_FILE: &str = "--json needs a file for the manifest: name it with --output";

pub fn create(args: &CreateArgs) -> Result<ExitCode, Failure> {
    let algorithm = args.hash.algorithm()?.unwrap_or(Algorithm::Blake2b);
    let info = algorithm.info();
    let function = Function {
        algorithm,
        digest_bytes: args.hash.digest_bytes(&info)?,
    };
    let stdin_is_read = args.scan.reads_stdin();
    let parameters = Arc::new(args.hash.parameters(Some(&info), stdin_is_read)?);
    let compressing = algorithm_of_length(&info, function.digest_bytes).algorithm;
    args.hash.select_implementation(&[compressing])?;
    let header = Header::new(function, &parameters)?;
    let target = match &args.output {
        Some(file) if !is_stdin(file) => {
            check_output(
                file,
                args.scan.files0_from.iter().chain(&args.hash.key_file),
            )?;
            Target::File(file.clone())
        }
        // Objects would stand between the lines of the list.
        Some(_) if args.json => return Err(Failure::misuse(NO_FILE)),
        _ => {
            check_stdout()?;
            Target::Stdout
        }
    };
    let progress = Arc::new(ProgressLine::new(!args.hash.no_progress));
    let scan = Scan {
        metadata: args.metadata,
        ..args.scan.scan(&args.directory, progress.clone())?
    };
    let mut printer = DifferencePrinter::new(progress, args.json);
    let summary = Manifest::create(&scan, function, parameters, &target, &mut printer)?;
    if let Target::File(file) = &target {
        let name = &bytes_of(file);
        print(&match args.json {
            true => json::summary(name, &header, &summary),
            false => root_line(&header, name, &summary.totals.root),
        })?;
    }
    Ok(ExitCode::from(u8::from(summary.failed != 0)))
}

pub fn update(args: &UpdateArgs) -> Result<ExitCode, Failure> {
    let key = args.key.read(None, args.scan.reads_stdin())?;
    let old = open(&args.manifest, key.as_deref())?;
    let output = args.output.as_ref().unwrap_or(&args.manifest);
    let name = &bytes_of(output);
    if output.is_dir() {
        let text = "a manifest in parts is not written: name another with --output";
        return Err(Failure::message(about(name, text)));
    }
    check_output(
        output,
        args.scan.files0_from.iter().chain(&args.key.key_file),
    )?;
    let progress = Arc::new(ProgressLine::new(!args.no_progress));
    let scan = args.scan.scan(&args.directory, progress.clone())?;
    let mut printer = DifferencePrinter::new(progress, args.json);
    let summary = old.update(&scan, output, &mut printer)?;
    if args.json {
        print(&json::summary(name, old.header(), &summary))?;
    } else {
        let (count, known) = (summary.totals.count - summary.others, summary.known);
        let failed = summary.failed;
        let read = count - known - failed;
        let files = counted(count, "file", "files");
        let mut text = format!("{files}: {read} read, {known} unchanged");
        if failed != 0 {
            text += &format!(", {failed} not read");
        }
        report(&about(name, &text));
        print(&root_line(old.header(), name, &summary.totals.root))?;
    }
    Ok(match summary.corrupt {
        0 => ExitCode::from(u8::from(summary.failed != 0)),
        _ => ExitCode::from(CORRUPT),
    })
}
