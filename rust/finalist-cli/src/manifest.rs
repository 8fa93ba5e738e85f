// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest`: tables of files with one root over all (docs/format/manifests.md).

mod column_source;
mod columns;
mod compare;
mod contents;
mod create;
mod diff;
mod encoding;
mod files;
mod form;
mod header;
mod journal;
mod known;
mod leaves;
mod list;
mod options;
mod proof;
mod prove;
mod reader;
mod row;
mod scan;
mod sorter;
mod stored;
mod verify;
mod writer;

use std::process::ExitCode;

pub use options::{ABOUT, EXAMPLES, ManifestCommand};

use crate::failure::Failure;
use crate::output::tagged_line;
use crate::stdio::print;
use crate::tag::manifest_tag;
use header::Header;
use options::RootArgs;
use reader::Manifest;

pub fn run(command: &ManifestCommand) -> Result<ExitCode, Failure> {
    match command {
        ManifestCommand::Create(args) => create::create(args),
        ManifestCommand::Verify(args) => verify::verify(args),
        ManifestCommand::Diff(args) => diff::diff(args),
        ManifestCommand::Root(args) => root(args),
        ManifestCommand::Prove(args) => prove::prove(args),
        ManifestCommand::Update(args) => create::update(args),
    }
}

fn root(args: &RootArgs) -> Result<ExitCode, Failure> {
    let manifest = Manifest::open(&args.manifest, &args.key)?;
    print(&root_line(
        &manifest.header,
        &manifest.name(),
        &manifest.totals.root,
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn root_tag(header: &Header) -> String {
    let function = header.function;
    manifest_tag(&function.algorithm.info(), function.digest_bytes)
}

/// The line of a manifest's root.
fn root_line(header: &Header, name: &[u8], root: &[u8]) -> Vec<u8> {
    let mut line = tagged_line(&root_tag(header), name, root);
    line.push(b'\n');
    line
}
