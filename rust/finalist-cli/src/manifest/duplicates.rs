// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest duplicates`.

use std::process::ExitCode;
use std::sync::Arc;

use finalist_files::message::counted;
use finalist_files::platform::bytes_of;
use finalist_files::quote::quoted;
use finalist_manifest::Duplicates;

use super::json;
use super::options::{DuplicatesArgs, open};
use crate::failure::Failure;
use crate::output::{Output, result_line};
use crate::progress::ProgressLine;

pub fn duplicates(args: &DuplicatesArgs) -> Result<ExitCode, Failure> {
    let key = args.key.read(None, false)?;
    let manifest = open(&args.manifest, key.as_deref())?;
    let other = args.other.as_ref().map(|other| open(other, key.as_deref()));
    let other = other.transpose()?;
    let groups = manifest.duplicates(other.as_ref())?;
    let name = bytes_of(&args.manifest);
    let other_name = args.other.as_deref().map(bytes_of);
    let mut output = Output::new(Arc::new(ProgressLine::new(false)));
    for group in &groups {
        output.line(&match args.json {
            true => json::duplicates(group, &name, other_name.as_deref().unwrap_or_default()),
            false => text(group, &name, other_name.as_deref()),
        })?;
    }
    let wasted = groups.iter().map(Duplicates::wasted);
    let wasted = wasted.fold(0, u64::saturating_add);
    output.line(&match args.json {
        true => json::all_duplicates(&name, other_name.as_deref(), groups.len(), wasted),
        false => {
            let groups = counted(groups.len(), "group", "groups");
            let wasted = counted(wasted, "byte", "bytes");
            result_line(&name, &format!("{groups}, {wasted} wasted\n"))
        }
    })?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a line with the size, number and digest of the files, then one for each file. With two
/// manifests, each file's line names the manifest.
fn text(group: &Duplicates, name: &[u8], other: Option<&[u8]>) -> Vec<u8> {
    let count = group.paths.len() + group.others.len();
    let digest = hex::encode(&group.digest);
    let files = counted(count, "file", "files");
    let bytes = counted(group.size, "byte", "bytes");
    let mut lines = format!("{files} of {bytes}: {digest}\n").into_bytes();
    let files = |name, paths: &[Vec<u8>]| {
        let lines = paths.iter().map(|path| {
            let start = match other {
                Some(_) => [&quoted(name)[..], b": "].concat(),
                None => Vec::new(),
            };
            [b"  ", &start[..], &quoted(path), b"\n"].concat()
        });
        lines.collect::<Vec<_>>().concat()
    };
    lines.extend(files(name, &group.paths));
    lines.extend(files(other.unwrap_or_default(), &group.others));
    lines
}
