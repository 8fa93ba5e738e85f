// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest verify`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use finalist_files::message::about;
use finalist_files::platform::bytes_of;
use finalist_manifest::Manifest;

use super::options::VerifyArgs;
use super::root_tag;
use super::told::Told;
use crate::failure::Failure;
use crate::output::{Output, result_line};
use crate::progress::ProgressLine;
use crate::root::read_root;
use crate::stdio::print;

pub fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let manifest = args.key.open(&args.manifest)?;
    let name = bytes_of(manifest.file());
    if let Some(text) = &args.root {
        let root = read_root(text, "root", Some(&root_tag(manifest.header())))?;
        let is = &manifest.totals().root;
        if root != *is {
            let [is, root] = [is, &root].map(hex::encode);
            let text = format!("the root is {is}, not {root}");
            return Err(Failure::message(about(&name, &text)));
        }
    }
    match &args.directory {
        Some(root) => verify_files(args, &manifest, root),
        None => {
            print(&result_line(&name, "OK\n"))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn verify_files(args: &VerifyArgs, manifest: &Manifest, root: &Path) -> Result<ExitCode, Failure> {
    let progress = Arc::new(ProgressLine::new(!args.no_progress));
    let scan = args.scan.scan(root, progress.clone())?;
    let mut told = Told(Output::new(progress.clone()));
    let verified = manifest.verify(&scan, &mut told)?;
    let text = match (verified.differences, verified.failed) {
        (0, 0) => format!("OK, {} files\n", verified.count),
        (0, failed) => format!("FAILED, {failed} of {} files not read\n", verified.count),
        (differences, _) => format!("FAILED, {differences} differences\n"),
    };
    print(&result_line(&bytes_of(manifest.file()), &text))?;
    let failed = verified.differences + verified.failed != 0;
    Ok(ExitCode::from(u8::from(failed)))
}
