// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist manifest prove`: proofs of rows, and their verification.

use std::path::Path;
use std::process::ExitCode;

use finalist_files::files::hash_whole;
use finalist_files::message::{about, reason};
use finalist_files::platform::bytes_of;
use finalist_files::progress::Silent;
use finalist_files::quote::quoted;
use finalist_files::stdin::is_stdin;
use finalist_manifest::{Error, Proof};

use super::options::{ProveArgs, open};
use super::{json, root_tag};
use crate::failure::{Failure, report};
use crate::output::result_line;
use crate::proof_file::read_proof_text;
use crate::root::read_root;
use crate::stdio::print;

/// A row's path has up to one mebibyte, which takes two in hexadecimal.
const PROOF_BYTES_MAX: u64 = 4 << 20;

pub fn prove(args: &ProveArgs) -> Result<ExitCode, Failure> {
    match (&args.verify, &args.file, &args.path) {
        (Some(proof), file, _) => verify(args, proof, file.as_deref()),
        (None, Some(manifest), Some(path)) => {
            let key = args.key.read(None, false)?;
            let proof = open(manifest, key.as_deref())?.prove(&bytes_of(path))?;
            print(format!("{}\n", proof.to_json()).as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(Failure::misuse("a proof needs MANIFEST and PATH")),
    }
}

/// Prints whether the proof leads to the root and whether the file matches the row, then the row.
fn verify(args: &ProveArgs, file: &Path, content: Option<&Path>) -> Result<ExitCode, Failure> {
    let complain = |text: &str| Failure::message(about(&bytes_of(file), text));
    let read = [Some(file), content, args.key.key_file.as_deref()];
    if read.iter().flatten().filter(|name| is_stdin(name)).count() > 1 {
        let text = "standard input cannot be two of proof, file and key";
        return Err(Failure::message(text));
    }
    let proof = read_proof_text(file, PROOF_BYTES_MAX)?;
    let proof = Proof::parse(&proof).map_err(|text| complain(&text))?;
    let key = args.key.read(Some(&proof.header), false)?;
    let found = proof.verify(file, key.as_deref());
    let found = found.map_err(|error| match error {
        Error::KeyUnwanted { .. } => {
            complain("the proof is of a manifest without key: --key-file is given")
        }
        Error::KeyMissing { .. } => {
            complain("the proof is of a keyed manifest: --key-file is missing")
        }
        error => error.into(),
    })?;
    let text = args.root.as_deref().unwrap_or_default();
    let root = read_root(text, "root", Some(&root_tag(&proof.header)))?;
    let mut why = None;
    if found != root {
        why = Some("the proof does not lead to the root".to_owned());
    } else if let Some(name) = content {
        let parameters = proof.header.parameters(file, key.as_deref())?;
        let hashed = hash_whole(name, &parameters, proof.header.function, &Silent);
        let (bytes, digest) =
            hashed.map_err(|error| Failure::message(about(&bytes_of(name), &reason(&error))))?;
        why = proof.difference(bytes, &digest);
    }
    let name = &bytes_of(content.unwrap_or(file));
    let path = quoted(&proof.row.path);
    let path = String::from_utf8_lossy(&path);
    let (index, count) = (proof.index, proof.leaf_count);
    if args.json {
        print(&json::proved(name, &proof, why.as_deref()))?;
        return Ok(ExitCode::from(u8::from(why.is_some())));
    }
    if let Some(text) = why {
        print(&result_line(name, "FAILED\n"))?;
        report(text.as_bytes());
        return Ok(ExitCode::FAILURE);
    }
    let status = proof.row.status();
    print(&result_line(
        name,
        &format!("OK, row {index} of {count}: {status} {path}\n"),
    ))?;
    Ok(ExitCode::SUCCESS)
}
