// SPDX-License-Identifier: MIT OR Apache-2.0
//! `merkle prove --slice` and `merkle verify --slice`: prove and verify bytes of a file against its
//! ordinary BLAKE3 digest.

use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

use finalist::slice::{self, SliceProof};
use finalist::{Algorithm, Error, Params};
use serde::{Deserialize, Serialize};

use super::options::{ProveArgs, VerifyArgs};
use super::{failed, tell};
use crate::failure::Failure;
use crate::hash_options::HashOptions;
use crate::proof_file::read_proof_text;
use crate::root::read_root;
use crate::stdio::print;
use crate::value::size;
use finalist_files::files::{Opened, truncated};
use finalist_files::function::{Function, Parameters};
use finalist_files::message::{about, counted};
use finalist_files::platform::bytes_of;
use finalist_files::quote::excerpt;
use finalist_files::stdin::{is_stdin, stdin};
use finalist_manifest::parse_proof;

const FORMAT: &str = "finalist-blake3-slice-1";
/// A proof has at most 160 hashes and three chunks, twice as long in hexadecimal.
const PROOF_BYTES_MAX: u64 = 64 * 1024;
const FUNCTION: Function = Function {
    algorithm: Algorithm::Blake3,
    digest_bytes: 32,
};

/// A proof as a file: one JSON object (docs/format/proofs.md).
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SliceFile {
    format: String,
    message_bytes: u64,
    offset: u64,
    slice_bytes: u64,
    hashes: Vec<String>,
    before: String,
    after: String,
    last: String,
}

impl SliceFile {
    fn new(proof: &SliceProof) -> SliceFile {
        SliceFile {
            format: FORMAT.to_owned(),
            message_bytes: proof.message_bytes,
            offset: proof.offset,
            slice_bytes: proof.slice_bytes,
            hashes: proof.hashes.iter().map(hex::encode).collect(),
            before: hex::encode(&proof.before),
            after: hex::encode(&proof.after),
            last: hex::encode(&proof.last),
        }
    }

    fn parse(text: &[u8]) -> Result<SliceProof, String> {
        let not_a_proof = |text: String| format!("not a proof: {}", excerpt(text));
        let file: SliceFile = parse_proof(text, FORMAT)?;
        let decoded = |text: &String| {
            let bytes = hex::decode(text).ok();
            // A proof has only one form.
            let bytes = bytes.filter(|bytes| hex::encode(bytes) == *text);
            bytes.ok_or_else(|| not_a_proof(format!("'{text}' is no lower-case hexadecimal")))
        };
        let hashes = file.hashes.iter().map(|text| {
            let hash = decoded(text)?.try_into();
            hash.map_err(|_| not_a_proof(format!("'{text}' has no 32 bytes")))
        });
        Ok(SliceProof {
            message_bytes: file.message_bytes,
            offset: file.offset,
            slice_bytes: file.slice_bytes,
            hashes: hashes.collect::<Result<_, String>>()?,
            before: decoded(&file.before)?,
            after: decoded(&file.after)?,
            last: decoded(&file.last)?,
        })
    }
}

/// Parses the value of --slice: OFFSET,BYTES.
pub fn range(text: &str) -> Result<Range<u64>, String> {
    let numbers = text.split_once(',').and_then(|(offset, bytes)| {
        let number = size(0..=u64::MAX);
        let (offset, bytes) = (number(offset).ok()?, number(bytes).ok()?);
        Some(offset..offset.checked_add(bytes)?)
    });
    numbers.ok_or_else(|| "OFFSET,BYTES: two numbers, as in 4096,100 or 4k,1M".to_owned())
}

/// Returns BLAKE3's parameters with the key, if there is one.
fn parameters(options: &HashOptions, stdin_is_read: bool) -> Result<Parameters, Failure> {
    let info = Algorithm::Blake3.info();
    if options
        .algorithm()?
        .is_some_and(|given| given != Algorithm::Blake3)
    {
        return Err(Failure::misuse(
            "--slice is for blake3: other functions have no such tree",
        ));
    }
    if options.digest_bytes(&info)? != FUNCTION.digest_bytes {
        return Err(Failure::misuse("--slice is for digests of 256 bits"));
    }
    options.select_implementation(&[Algorithm::Blake3])?;
    options.parameters(Some(&info), stdin_is_read)
}

/// Opens a file or standard input.
fn open(name: &Path) -> io::Result<Box<dyn Read>> {
    Ok(match is_stdin(name) {
        true => Box::new(stdin()?),
        false => Box::new(Opened::new(name)?),
    })
}

/// Proves a slice of a file, which is read once. Input of unknown length is kept in memory.
fn prove_file(params: &Params<'_>, file: &Path, slice: Range<u64>) -> io::Result<SliceProof> {
    if !is_stdin(file) {
        let opened = Opened::new(file)?;
        let stat = opened.stat()?;
        if stat.is_file() && stat.bytes != 0 {
            let proof = slice::prove(params, opened, stat.bytes, slice);
            return proof.map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => truncated(),
                _ => error,
            });
        }
    }
    let mut message = Vec::new();
    open(file)?.read_to_end(&mut message)?;
    slice::prove(params, &message[..], message.len() as u64, slice)
}

/// Returns the library's error within a reading error.
fn library_error(error: &io::Error) -> Option<Error> {
    error.get_ref()?.downcast_ref().copied()
}

pub fn prove(args: &ProveArgs, slice: &Range<u64>) -> Result<ExitCode, Failure> {
    let file = args.leaf_options.single_file()?;
    let parameters = parameters(&args.hash, is_stdin(&file))?;
    let proof = prove_file(&parameters.params(FUNCTION), &file, slice.clone());
    let proof = proof.map_err(|error| match library_error(&error) {
        Some(Error::Index) => {
            let bytes = counted(slice.end - slice.start, "byte", "bytes");
            let text = format!("no slice of {bytes} from byte {} on", slice.start);
            Failure::message(about(&bytes_of(&file), &text))
        }
        Some(error) => Failure::message(error.to_string()),
        None => failed(&file, &error),
    })?;
    let text = serde_json::to_string_pretty(&SliceFile::new(&proof));
    let text = text.map_err(|error| Failure::message(error.to_string()))?;
    print(format!("{text}\n").as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

pub fn verify(args: &VerifyArgs, asked: &Range<u64>) -> Result<ExitCode, Failure> {
    let file = args.leaf.clone().unwrap_or_else(|| "-".into());
    if is_stdin(&file) && is_stdin(&args.proof) {
        let text = "standard input cannot be both proof and slice";
        return Err(Failure::message(text));
    }
    let parameters = parameters(&args.hash, is_stdin(&file) || is_stdin(&args.proof))?;
    let root = read_root(&args.root, "root", Some("BLAKE3"))?;
    let root: [u8; 32] = root
        .try_into()
        .map_err(|_| Failure::message("invalid root: BLAKE3's digest has 256 bits"))?;
    let text = read_proof_text(&args.proof, PROOF_BYTES_MAX)?;
    let proof = SliceFile::parse(&text)
        .map_err(|text| Failure::message(about(&bytes_of(&args.proof), &text)))?;
    let (offset, bytes) = (proof.offset, proof.slice_bytes);
    if (offset, bytes) != (asked.start, asked.end - asked.start) {
        let text = format!("--slice: the proof says {offset},{bytes}");
        return Err(Failure::message(text));
    }
    let slice = open(&file).map_err(|error| failed(&file, &error))?;
    let verdict = slice::verify(&parameters.params(FUNCTION), &proof, slice, &root);
    match verdict.map_err(|error| library_error(&error).ok_or(error)) {
        Ok(()) => tell(&file, Ok(()), args.json),
        Err(Ok(error)) => tell(&file, Err(error), args.json),
        Err(Err(error)) => Err(failed(&file, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if a proof's text verifies for the requested slice.
    fn verifies(text: &[u8], slice: &[u8], offset: u64, digest: &[u8; 32]) -> bool {
        SliceFile::parse(text).is_ok_and(|proof| {
            (proof.offset, proof.slice_bytes) == (offset, slice.len() as u64)
                && slice::verify(&Params::new(), &proof, slice, digest).is_ok()
        })
    }

    #[test]
    fn every_altered_bit_of_a_proof_is_refused() {
        let message: Vec<u8> = (0..3003_u32).map(|i| (i % 251) as u8).collect();
        let digest = finalist::hash(Algorithm::Blake3, &Params::new(), &message).unwrap();
        let digest = digest.try_into().unwrap();
        let proof = slice::prove(&Params::new(), &message[..], 3003, 1100..2040).unwrap();
        assert_eq!((proof.hashes.len(), proof.last.len()), (1, 955));
        let slice = &message[1100..2040];
        let mut text = serde_json::to_vec_pretty(&SliceFile::new(&proof)).unwrap();
        text.push(b'\n');
        assert!(verifies(&text, slice, 1100, &digest));
        for bit in 0..text.len() * 8 {
            let flip = |text: &mut Vec<u8>| text[bit / 8] ^= 1 << (bit % 8);
            flip(&mut text);
            assert!(!verifies(&text, slice, 1100, &digest), "bit {bit}");
            flip(&mut text);
        }
        for bytes in 0..text.len() - 2 {
            assert!(
                !verifies(&text[..bytes], slice, 1100, &digest),
                "{bytes} bytes"
            );
        }
    }
}
