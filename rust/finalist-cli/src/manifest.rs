// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest`: tables of files with one root (docs/format/manifests.md).

mod create;
mod diff;
mod difference_printer;
mod duplicates;
mod json;
mod options;
mod prove;
mod verify;

use std::process::ExitCode;

pub use options::{ABOUT, EXAMPLES, ManifestCommand};

use crate::failure::Failure;
use crate::stdio::print;
use finalist_files::checklist::tagged_line;
use finalist_files::platform::bytes_of;
use finalist_files::tag::manifest_tag;
use finalist_manifest::Header;
use options::{RootArgs, open};

/// The exit code if a file is corrupt.
const CORRUPT: u8 = 2;

pub fn run(command: &ManifestCommand) -> Result<ExitCode, Failure> {
    match command {
        ManifestCommand::Create(args) => create::create(args),
        ManifestCommand::Verify(args) => verify::verify(args),
        ManifestCommand::Diff(args) => diff::diff(args),
        ManifestCommand::Duplicates(args) => duplicates::duplicates(args),
        ManifestCommand::Root(args) => root(args),
        ManifestCommand::Prove(args) => prove::prove(args),
        ManifestCommand::Update(args) => create::update(args),
    }
}

fn root(args: &RootArgs) -> Result<ExitCode, Failure> {
    let key = args.key.read(None, false)?;
    let manifest = open(&args.manifest, key.as_deref())?;
    let name = bytes_of(manifest.file());
    let (header, totals) = (manifest.header(), manifest.totals());
    print(&match args.json {
        true => json::root(&name, header, totals),
        false => root_line(header, &name, &totals.root),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn root_tag(header: &Header) -> String {
    let function = header.function;
    manifest_tag(&function.algorithm.info(), function.digest_bytes)
}

/// Returns the line of a manifest's root.
fn root_line(header: &Header, name: &[u8], root: &[u8]) -> Vec<u8> {
    let mut line = tagged_line(&root_tag(header), name, root);
    line.push(b'\n');
    line
}
