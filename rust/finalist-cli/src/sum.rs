// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist sum`: writes checksum lines.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use finalist::{Algorithm, AlgorithmInfo};

use crate::failure::{Failure, about, reason};
use crate::files::{Found, find, hash_file, hash_stdin, is_stdin};
use crate::options::{Options, Parameters, Style};
use crate::ordered::{Crew, Job, Sink};
use crate::output::{Output, escaped};
use crate::progress::Progress;
use crate::tag::{relatives, tag};

/// Results that wait for their turn together take about so much memory.
const WAITING_BYTES: u64 = 8 << 20;

/// How many results of that length may wait for their turn.
pub fn window(digest_bytes: u64) -> usize {
    (WAITING_BYTES / digest_bytes.max(1)).clamp(2, 1024) as usize
}

pub fn run(options: &Options) -> Result<ExitCode, Failure> {
    let algorithm = options.algorithm()?.unwrap_or(Algorithm::Blake2b);
    let info = algorithm.info();
    let digest_bytes = options.digest_bytes(&info)?;
    options.refuse_misuse()?;
    let parameters = Arc::new(options.parameters(Some(&info))?);
    let server = relatives(&info)
        .into_iter()
        .find(|each| each.digest_bytes_max >= digest_bytes);
    options.select_implementation(&[server.unwrap_or(info).algorithm])?;

    let files = options.files();
    let crew = Crew::new(options.threads(files.len()), window(digest_bytes))?;
    let progress = Arc::new(Progress::new());
    let mut lines = Lines {
        info,
        style: options.style(),
        output: Output::new(progress.clone()),
        failed: false,
    };
    let recipe = Recipe {
        algorithm,
        digest_bytes,
        parameters,
        progress: progress.clone(),
    };
    let walk = options.walk();
    let found = files.into_iter().flat_map(move |file| find(file, walk));
    let done = crew.run(found.map(move |file| recipe.job(file)), &mut lines);
    progress.finish();
    done.and_then(|()| lines.output.flush())?;
    Ok(ExitCode::from(u8::from(lines.failed)))
}

/// A file's digest, or why there is none.
struct Sum {
    name: PathBuf,
    digest: Result<Vec<u8>, String>,
}

/// How each file is hashed.
struct Recipe {
    algorithm: Algorithm,
    digest_bytes: u64,
    parameters: Arc<Parameters>,
    progress: Arc<Progress>,
}

impl Recipe {
    fn job(&self, file: Found) -> Job<Sum> {
        let name = match file {
            Ok(name) => name,
            Err((name, text)) => {
                let digest = Err(text);
                return Job::Done(Sum { name, digest });
            }
        };
        let (algorithm, digest_bytes) = (self.algorithm, self.digest_bytes);
        let (parameters, progress) = (self.parameters.clone(), self.progress.clone());
        let stdin = is_stdin(&name);
        let work = Box::new(move || {
            let digest = match parameters.hasher(algorithm, digest_bytes) {
                Ok(hasher) if stdin => hash_stdin(hasher, &progress),
                Ok(hasher) => hash_file(&name, hasher, &progress),
                Err(error) => Err(std::io::Error::other(error)),
            };
            let digest = digest.map_err(|error| reason(&error));
            Sum { name, digest }
        });
        if stdin {
            Job::InTurn(work)
        } else {
            Job::Any(work)
        }
    }
}

/// Writes the sums as lines.
struct Lines {
    info: AlgorithmInfo,
    style: Style,
    output: Output,
    failed: bool,
}

impl Sink<Sum> for Lines {
    fn take(&mut self, sum: Sum) -> Result<(), Failure> {
        let name = sum.name.as_os_str().as_bytes();
        match sum.digest {
            Ok(digest) => self
                .output
                .line(&format(&self.info, self.style, name, &digest)),
            Err(text) => {
                self.failed = true;
                self.output.report(&about(name, &text))
            }
        }
    }

    fn idle(&mut self) -> Result<(), Failure> {
        self.output.flush()
    }
}

fn format(info: &AlgorithmInfo, style: Style, name: &[u8], digest: &[u8]) -> Vec<u8> {
    let escaped = if style.zero { None } else { escaped(name) };
    let start: &[u8] = if escaped.is_some() { b"\\" } else { b"" };
    let name = escaped.as_deref().unwrap_or(name);
    let end: &[u8] = if style.zero { b"\0" } else { b"\n" };
    let hex = hex::encode(digest);
    let hex = hex.as_bytes();
    if style.tagged {
        let tag = tag(info, digest.len() as u64);
        [start, tag.as_bytes(), b" (", name, b") = ", hex, end].concat()
    } else {
        let mark: &[u8] = if style.star { b" *" } else { b"  " };
        [start, hex, mark, name, end].concat()
    }
}
