// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest diff`.

use std::process::ExitCode;
use std::sync::Arc;

use finalist_files::platform::bytes_of;
use finalist_manifest::{Difference, Observer};

use super::difference_printer::DifferencePrinter;
use super::options::{DiffArgs, open};
use super::{CORRUPT, json};
use crate::failure::Failure;
use crate::progress::ProgressLine;

pub fn diff(args: &DiffArgs) -> Result<ExitCode, Failure> {
    let key = args.key.read(None, false)?;
    let old = open(&args.manifests.old, key.as_deref())?;
    let new = open(&args.manifests.new, key.as_deref())?;
    let mut printer = DifferencePrinter::new(Arc::new(ProgressLine::new(false)), args.json);
    let differences = old.diff(&new)?;
    let written = differences
        .iter()
        .try_for_each(|difference| printer.difference(difference));
    written.map_err(Failure::Output)?;
    if args.json {
        let [old, new] = [&old, &new].map(|manifest| bytes_of(manifest.file()));
        printer
            .output
            .line(&json::compared(&old, &new, &differences))?;
    }
    printer.output.flush()?;
    Ok(match differences.iter().any(Difference::is_corrupt) {
        true => ExitCode::from(CORRUPT),
        false => ExitCode::from(u8::from(!differences.is_empty())),
    })
}
