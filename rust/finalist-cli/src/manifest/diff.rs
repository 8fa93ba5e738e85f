// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest diff`.

use std::process::ExitCode;
use std::sync::Arc;

use finalist_manifest::{Difference, Observer};

use super::CORRUPT;
use super::options::DiffArgs;
use super::told::Told;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::ProgressLine;

pub fn diff(args: &DiffArgs) -> Result<ExitCode, Failure> {
    let old = args.key.open(&args.old)?;
    let new = args.key.open(&args.new)?;
    let mut told = Told {
        output: Output::new(Arc::new(ProgressLine::new(false))),
        json: args.json,
    };
    let differences = old.diff(&new)?;
    let written = differences
        .iter()
        .try_for_each(|difference| told.difference(difference));
    written
        .and_then(|()| told.idle())
        .map_err(Failure::Output)?;
    Ok(match differences.iter().any(Difference::is_corrupt) {
        true => ExitCode::from(CORRUPT),
        false => ExitCode::from(u8::from(!differences.is_empty())),
    })
}
