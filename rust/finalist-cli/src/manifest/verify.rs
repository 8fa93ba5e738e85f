// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest verify`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use finalist_files::message::{about, counted};
use finalist_files::platform::bytes_of;
use finalist_manifest::{Manifest, Verified};

use super::difference_printer::DifferencePrinter;
use super::options::{VerifyArgs, open};
use super::{CORRUPT, json, root_tag};
use crate::failure::{Failure, report};
use crate::output::result_line;
use crate::progress::ProgressLine;
use crate::root::read_root;
use crate::stdio::print;

pub fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let key = args.key.read(None, args.scan.reads_stdin())?;
    let manifest = open(&args.manifest, key.as_deref())?;
    let name = bytes_of(manifest.file());
    if let Some(text) = &args.root {
        let root = read_root(text, "root", Some(&root_tag(manifest.header())))?;
        let is = &manifest.totals().root;
        if root != *is {
            let [is, root] = [is, &root].map(hex::encode);
            let text = format!("the root is {is}, not {root}");
            if args.json {
                print(&json::refused(&name, &text))?;
            }
            report(&about(&name, &text));
            return Ok(ExitCode::FAILURE);
        }
    }
    match &args.directory {
        Some(root) => verify_files(args, &manifest, root),
        None => {
            print(&match args.json {
                true => json::verified(&name, None),
                false => result_line(&name, "OK\n"),
            })?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn verify_files(args: &VerifyArgs, manifest: &Manifest, root: &Path) -> Result<ExitCode, Failure> {
    let progress = Arc::new(ProgressLine::new(!args.no_progress));
    let scan = args.scan.scan(root, progress.clone())?;
    let mut printer = DifferencePrinter::new(progress, args.json);
    let verified = manifest.verify(&scan, &mut printer)?;
    let name = bytes_of(manifest.file());
    print(&match args.json {
        true => json::verified(&name, Some(&verified)),
        false => result_line(&name, &text(&verified)),
    })?;
    let failed = verified.differences + verified.failed != 0;
    Ok(match verified.corrupt {
        0 => ExitCode::from(u8::from(failed)),
        _ => ExitCode::from(CORRUPT),
    })
}

fn text(verified: &Verified) -> String {
    let files = counted(verified.count, "file", "files");
    let differences = counted(verified.differences, "difference", "differences");
    match (verified.differences, verified.failed, verified.corrupt) {
        (0, 0, _) => format!("OK, {files}\n"),
        (0, failed, _) => format!("FAILED, {failed} of {files} not read\n"),
        (_, _, 0) => format!("FAILED, {differences}\n"),
        (_, _, corrupt) => {
            let corrupt = counted(corrupt, "of them a corrupt file", "of them corrupt files");
            format!("FAILED, {differences}, {corrupt}\n")
        }
    }
}
