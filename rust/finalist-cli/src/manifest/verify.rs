// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest verify`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use super::compare::{Comparison, Difference};
use super::files::{Directory, own_paths};
use super::options::{VerifyArgs, directory};
use super::reader::Manifest;
use super::root_tag;
use super::scan::Scanned;
use crate::failure::{Failure, about};
use crate::ordered;
use crate::output::{Output, result_line};
use crate::progress::Progress;
use crate::root::read_root;
use crate::stdio::print;

pub fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let manifest = Manifest::open(&args.manifest, &args.key)?;
    if let Some(text) = &args.root {
        let root = read_root(text, "root", Some(&root_tag(&manifest.header)))?;
        if root != manifest.totals.root {
            let [is, root] = [&manifest.totals.root, &root].map(hex::encode);
            let text = format!("the root is {is}, not {root}");
            return Err(Failure::message(about(&manifest.name(), &text)));
        }
    }
    match &args.directory {
        Some(root) => verify_files(args, &manifest, root),
        None => {
            print(&result_line(&manifest.name(), "OK\n"))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn verify_files(args: &VerifyArgs, manifest: &Manifest, root: &Path) -> Result<ExitCode, Failure> {
    let root = directory(root)?;
    let progress = Arc::new(Progress::new(!args.no_progress));
    let function = manifest.header.function;
    let parameters = manifest.parameters.clone();
    let files = Directory::new(root, &args.scan, function, parameters, progress.clone());
    let mut found = Found {
        comparison: Comparison::new(manifest.rows()?),
        output: Output::new(progress.clone()),
        count: 0,
        failed: 0,
        differences: 0,
    };
    let own = own_paths(root, std::slice::from_ref(&args.manifest));
    let done = files.scan(own, Vec::new(), &mut found);
    progress.finish();
    done?;
    found.finish()?;
    let text = match (found.differences, found.failed) {
        (0, 0) => format!("OK, {} files\n", found.count),
        (0, failed) => format!("FAILED, {failed} of {} files not read\n", found.count),
        (differences, _) => format!("FAILED, {differences} differences\n"),
    };
    print(&result_line(&manifest.name(), &text))?;
    let failed = found.differences + found.failed != 0;
    Ok(ExitCode::from(u8::from(failed)))
}

/// Compares the rows found with those of the manifest.
struct Found {
    comparison: Comparison,
    output: Output,
    count: u64,
    /// Files that could not be read.
    failed: u64,
    differences: u64,
}

impl Found {
    fn finish(&mut self) -> Result<(), Failure> {
        let (output, differences) = (&mut self.output, &mut self.differences);
        self.comparison
            .finish(&mut |difference| tell(output, differences, &difference))?;
        output.flush()
    }
}

fn tell(output: &mut Output, count: &mut u64, difference: &Difference) -> Result<(), Failure> {
    *count += 1;
    let mut line = difference.line();
    line.push(b'\n');
    output.line(&line)
}

impl ordered::Sink<Result<Scanned, Failure>> for Found {
    fn take(&mut self, scanned: Result<Scanned, Failure>) -> Result<(), Failure> {
        let scanned = scanned?;
        self.count += 1;
        if let Some(message) = &scanned.message {
            self.failed += 1;
            self.output.report(message)?;
        }
        let (output, differences) = (&mut self.output, &mut self.differences);
        self.comparison.next(scanned.row, &mut |difference| {
            tell(output, differences, &difference)
        })
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.output.flush()
    }
}
