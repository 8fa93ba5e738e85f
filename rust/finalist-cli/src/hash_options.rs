// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options that name a hash function and its parameters.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str;

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use finalist::{Algorithm, AlgorithmInfo, Error, Family, Implementation, implementations};

use crate::failure::{Failure, names_in_lines};
use crate::value::alternatives;
use finalist_files::function::{Parameters, key_bytes_max, key_complaint};
use finalist_files::message::{about, reason};
use finalist_files::new_file::NewFile;
use finalist_files::platform::{bytes_of, open};
use finalist_files::quote::excerpt;
use finalist_files::stdin::is_stdin;
use finalist_files::stdin::stdin;

// How options are grouped in the help.
pub const WHAT: &str = "What to hash";
pub const OUTPUT: &str = "Output";
pub const FUNCTION: &str = "Algorithm, key and parameters";
pub const SPEED: &str = "Speed";

/// The message about `-` for two things.
pub const KEY_AND_MESSAGE: &str = "standard input cannot be both key and message";

const ALGORITHMS: &str = "\
Hash function [default: blake2b]

blake3; blake2b, blake2s, blake2bp, blake2sp, blake2xb, blake2xs; blake224, blake256, blake384, blake512; \
groestl224, groestl256, groestl384, groestl512; first submissions to SHA-3: blake28, blake32, \
blake48, blake64, groestl0-224, groestl0-256, groestl0-384, groestl0-512.";

/// Returns a parser for the names of algorithms.
pub fn algorithms() -> PossibleValuesParser {
    Algorithm::all().iter().map(|each| each.name()).into()
}

// The hash function and its parameters. With three slashes, this comment would become the help of
// each command with these options.
#[derive(clap::Args)]
pub struct HashOptions {
    /// Hash function; --help names all [default: blake2b]
    #[arg(short, long, long_help = ALGORITHMS, value_name = "ALG", allow_hyphen_values = true, value_parser = algorithms(),
          hide_possible_values = true, help_heading = FUNCTION)]
    algorithm: Option<String>,

    /// Digest length in bits, a multiple of 8; 0 means the algorithm's own length
    ///
    /// BLAKE2: up to the algorithm's own length. Grøstl: likewise, and each length is a different
    /// function. BLAKE2X and BLAKE3: any length, but sum writes more than 524288 bits only with --raw.
    /// BLAKE: its own length only.
    #[arg(short, long, value_name = "BITS", allow_hyphen_values = true, help_heading = FUNCTION)]
    length: Option<OsString>,

    /// Read the key of BLAKE2 or BLAKE3 from FILE: all bytes, a final newline included
    #[arg(long, value_name = "FILE", value_parser = path(), allow_hyphen_values = true,
          help_heading = FUNCTION)]
    pub key_file: Option<PathBuf>,

    /// Read the key from standard input, as --key-file - does
    #[arg(long, conflicts_with = "key_file", help_heading = FUNCTION)]
    keyed: bool,

    /// Salt of BLAKE or BLAKE2 in hexadecimal
    #[arg(long, value_name = "HEX", allow_hyphen_values = true, help_heading = FUNCTION)]
    salt: Option<String>,

    /// Personalisation of BLAKE2 in hexadecimal
    #[arg(long, value_name = "HEX", allow_hyphen_values = true, help_heading = FUNCTION)]
    personal: Option<String>,

    /// Implementation of the compression function, as "finalist list ALG" names it
    #[arg(long = "impl", value_name = "NAME", allow_hyphen_values = true, help_heading = SPEED)]
    implementation: Option<String>,

    /// Show no progress
    #[arg(long, help_heading = OUTPUT)]
    pub no_progress: bool,
}

impl HashOptions {
    /// Returns the requested algorithm.
    pub fn algorithm(&self) -> Result<Option<Algorithm>, Failure> {
        let Some(name) = &self.algorithm else {
            return Ok(None);
        };
        let error = |error: Error| Failure::message(format!("--algorithm: {error}"));
        Algorithm::from_name(name).map(Some).map_err(error)
    }

    /// Returns the digest's length in bytes.
    pub fn digest_bytes(&self, info: &AlgorithmInfo) -> Result<u64, Failure> {
        let own = info.digest_bytes as u64;
        let Some(given) = &self.length else {
            return Ok(own);
        };
        let given = given.as_encoded_bytes();
        let invalid = |detail: &str| {
            let given = excerpt(given);
            Failure::message(format!("invalid length: '{given}'{detail}"))
        };
        let bits = read_number(given).ok_or_else(|| invalid(""))?;
        let is_own_only = info.digest_bytes_min == info.digest_bytes_max;
        // BLAKE3's maximum in bits does not fit into 64 bits.
        let max = info.digest_bytes_max.saturating_mul(8);
        let title = info.title;
        if bits == 0 {
            Ok(own)
        } else if is_own_only && bits != max {
            Err(invalid(&format!(
                "\ndigest length for '{title}' must be {max}"
            )))
        } else if bits > max {
            Err(invalid(&format!(
                "\nmaximum digest length for '{title}' is {max} bits"
            )))
        } else if bits % 8 != 0 {
            Err(invalid("\nlength is not a multiple of 8"))
        } else {
            Ok(bits / 8)
        }
    }

    /// Returns the name of the file with the key; `-` for standard input.
    fn key_name(&self) -> Option<&Path> {
        match self.keyed {
            true => Some(Path::new("-")),
            false => self.key_file.as_deref(),
        }
    }

    /// Returns true if standard input has the key.
    pub fn reads_key_from_stdin(&self) -> bool {
        self.key_name().is_some_and(is_stdin)
    }

    /// Returns key, salt and personalisation. With `info`, the algorithm must accept them; without
    /// it, each line of a list decides. Standard input cannot be the key if it is read for
    /// something else.
    pub fn parameters(
        &self,
        info: Option<&AlgorithmInfo>,
        stdin_is_read: bool,
    ) -> Result<Parameters, Failure> {
        let salt = read_hex(self.salt.as_deref(), "salt")?;
        let personal = read_hex(self.personal.as_deref(), "personalisation")?;
        if let Some(info) = info {
            fit(&salt, self.salt.as_deref(), "salt", info, info.salt_bytes)?;
            let text = self.personal.as_deref();
            fit(
                &personal,
                text,
                "personalisation",
                info,
                info.personal_bytes,
            )?;
        }
        let key = self.key_name();
        let key = key.map(|file| read_key(file, info, stdin_is_read));
        Ok(Parameters {
            key: key.transpose()?.unwrap_or_default().into(),
            salt,
            personal,
            derive_key_context: None,
            seek: 0,
        })
    }

    /// Selects the requested implementation for those of the algorithms that have it.
    pub fn select_implementation(&self, algorithms: &[Algorithm]) -> Result<(), Failure> {
        let Some(name) = &self.implementation else {
            return Ok(());
        };
        let mut selected = false;
        for algorithm in algorithms {
            match finalist::select(*algorithm, Some(name)) {
                Ok(()) => selected = true,
                Err(Error::ImplementationUnknown) => (),
                Err(Error::ImplementationUnsupported) => {
                    return Err(unsupported(name, algorithm.info().compression));
                }
                Err(error) => return Err(Failure::message(format!("--impl: {error}"))),
            }
        }
        if selected {
            return Ok(());
        }
        let of_these = |implementation: &&Implementation| {
            let compression = implementation.algorithm;
            let of = |algorithm: &Algorithm| algorithm.info().compression == compression;
            implementation.supported && algorithms.iter().any(of)
        };
        let all = implementations();
        let names: BTreeSet<&str> = all.iter().filter(of_these).map(|each| each.name).collect();
        Err(unknown_implementation(name, &Vec::from_iter(names)))
    }
}

/// Returns a parser for any name, even the empty one: opening it then fails with the usual message.
pub fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Refuses to write a file that is an input, or lies in one that is a directory. Of `-`, the caller
/// may have meant standard output.
pub fn check_output<'a>(
    file: &Path,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    if is_stdin(file) {
        let text = "this command does not write to standard output: name a file, which may be ./-";
        return Err(Failure::message(about(&bytes_of(file), text)));
    }
    let checked = NewFile::check(file).and_then(|()| NewFile::check_apart(file, inputs));
    checked.map_err(|error| Failure::message(about(&bytes_of(file), &reason(&error))))
}

/// Returns the parameters with a context, so that BLAKE3 derives keys.
pub fn derive_key(
    parameters: Parameters,
    context: &str,
    info: Option<&AlgorithmInfo>,
) -> Result<Parameters, Failure> {
    match info {
        Some(info) if info.family != Family::Blake3 => {
            let title = info.title;
            let text = format!("'{title}' derives no keys; the --derive-key option is for BLAKE3");
            Err(Failure::message(text))
        }
        _ => Ok(Parameters {
            derive_key_context: Some(context.to_owned()),
            ..parameters
        }),
    }
}

/// Returns the parameters for digests that begin at this byte of BLAKE3's output. With `info`, the
/// algorithm must be BLAKE3, and the output must reach to the end of the digest.
pub fn seek(
    parameters: Parameters,
    position: u64,
    info: Option<&AlgorithmInfo>,
    digest_bytes: u64,
) -> Result<Parameters, Failure> {
    if let Some(info) = info.filter(|info| info.family != Family::Blake3) {
        let title = info.title;
        let text = format!("the --seek option is for BLAKE3, not for '{title}'");
        return Err(Failure::message(text));
    }
    if position.checked_add(digest_bytes).is_none() {
        let text = format!("invalid position: '{position}'\nBLAKE3's output ends before");
        return Err(Failure::message(text));
    }
    Ok(Parameters {
        seek: position,
        ..parameters
    })
}

/// Reads the key in a file, for this algorithm or, if none is given, for any. Standard input cannot
/// be the key if it is read for something else.
pub fn read_key(
    file: &Path,
    info: Option<&AlgorithmInfo>,
    stdin_is_read: bool,
) -> Result<Vec<u8>, Failure> {
    let name = &bytes_of(file);
    let failure = |text: &str| Failure::message(about(name, text));
    let max = match info {
        Some(info) => info.key_bytes_max,
        None => key_bytes_max(Algorithm::all().iter().map(|each| each.info())),
    };
    if let Some(info) = info.filter(|_| max == 0) {
        let title = info.title;
        let text =
            format!("'{title}' takes no key; the --key-file option is for BLAKE2 and BLAKE3");
        return Err(Failure::message(text));
    }
    let from_stdin = is_stdin(file);
    if from_stdin && stdin_is_read {
        return Err(failure(KEY_AND_MESSAGE));
    }
    let mut key = Vec::new();
    // Read one byte beyond the limit: enough to refuse, and a device has no end.
    let limit = max as u64 + 1;
    let read = if from_stdin {
        stdin().and_then(|stdin| stdin.take(limit).read_to_end(&mut key))
    } else {
        open(file).and_then(|file| file.take(limit).read_to_end(&mut key))
    };
    read.map_err(|error| failure(&reason(&error)))?;
    match key_complaint(key.len(), info) {
        Some(text) => Err(failure(&text)),
        None => Ok(key),
    }
}

/// Parses a decimal number like the C library: skips blanks and a plus before it, and replaces a
/// larger number by the largest.
fn read_number(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii_start();
    let digits = text.strip_prefix(b"+").unwrap_or(text);
    let all_digits = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let number = str::from_utf8(digits).ok().filter(|_| all_digits)?;
    Some(number.parse().unwrap_or(u64::MAX))
}

pub fn read_hex(text: Option<&str>, what: &str) -> Result<Vec<u8>, Failure> {
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    hex::decode(text)
        .ok()
        .filter(|bytes| !bytes.is_empty())
        .ok_or_else(|| {
            let text = excerpt(text);
            Failure::message(format!(
                "invalid {what}: '{text}'\n{what} is not one or more pairs of hexadecimal digits"
            ))
        })
}

/// Refuses a salt or personalisation whose length the algorithm does not take.
fn fit(
    bytes: &[u8],
    text: Option<&str>,
    what: &str,
    info: &AlgorithmInfo,
    max: usize,
) -> Result<(), Failure> {
    let title = info.title;
    let exact = info.family == finalist::Family::Blake;
    let detail = if bytes.is_empty() {
        return Ok(());
    } else if max == 0 {
        format!("'{title}' takes no {what}")
    } else if exact && bytes.len() != max {
        format!("{what} for '{title}' must be {max} bytes")
    } else if bytes.len() > max {
        format!("maximum {what} for '{title}' is {max} bytes")
    } else {
        return Ok(());
    };
    let text = excerpt(text.unwrap_or_default());
    Err(Failure::message(format!(
        "invalid {what}: '{text}'\n{detail}"
    )))
}

/// Returns the failure for an implementation that none of the algorithms has.
fn unknown_implementation(name: &str, names: &[&str]) -> Failure {
    let mut lines = alternatives(name, names);
    let name = excerpt(name);
    lines.insert(0, format!("invalid argument '{name}' for '--impl'"));
    Failure::Misuse(lines)
}

fn unsupported(name: &str, compression: &str) -> Failure {
    let all = implementations();
    let of = || all.iter().filter(|each| each.algorithm == compression);
    let needs = of().find(|each| each.name == name);
    let needs = needs.map_or(String::new(), |each| each.features.join(", "));
    let runs = of().filter(|each| each.supported).map(|each| each.name);
    let runs = names_in_lines(runs);
    Failure::message(format!(
        "--impl: '{name}' needs CPU features that are absent or masked: {needs}\n\
         implementations of '{compression}' that run here:\n{runs}"
    ))
}
