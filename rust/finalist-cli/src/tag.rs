// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names of algorithms in tagged checksum lines: `BLAKE2b`, `BLAKE2b-256`, `Groestl-128`.

use std::str;

use finalist::{Algorithm, AlgorithmInfo, Family};

/// The name of an algorithm with a digest of that length.
///
/// BLAKE2 names a length other than its own. Grøstl-n always names it, in the place of the length
/// in its title, because every length is a function of its own.
pub fn tag(info: &AlgorithmInfo, digest_bytes: u64) -> String {
    match info.family {
        Family::Groestl => format!("{}-{}", stem(info), digest_bytes * 8),
        _ if digest_bytes == info.digest_bytes as u64 => info.title.to_owned(),
        _ => format!("{}-{}", info.title, digest_bytes * 8),
    }
}

/// The digest length that the tag at the start of a line stands for, if it is one of this
/// algorithm's, and what follows the tag.
pub fn read_tag<'a>(info: &AlgorithmInfo, line: &'a [u8]) -> Option<(u64, &'a [u8])> {
    let rest = line.strip_prefix(stem(info).as_bytes())?;
    let Some(rest) = rest.strip_prefix(b"-") else {
        return (info.family != Family::Groestl).then_some((info.digest_bytes as u64, rest));
    };
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    let bits: u64 = str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    let range = info.digest_bytes_min..=info.digest_bytes_max;
    (info.family != Family::Blake && bits % 8 == 0 && range.contains(&(bits / 8)))
        .then(|| (bits / 8, &rest[end..]))
}

/// Whether a line starts with a tag of that name, with or without a length.
pub fn is_tagged(line: &[u8], name: &str) -> bool {
    let rest = line.strip_prefix(name.as_bytes());
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'-' | b' ' | b'\t' | b'(')))
}

/// The algorithm whose compression function serves a digest length.
pub fn server(info: &AlgorithmInfo, digest_bytes: u64) -> AlgorithmInfo {
    let mut relatives = relatives(info).into_iter();
    let server = relatives.find(|each| each.digest_bytes_max >= digest_bytes);
    server.unwrap_or(*info)
}

/// The algorithms whose tags differ in nothing but the length, from the shortest.
pub fn relatives(info: &AlgorithmInfo) -> Vec<AlgorithmInfo> {
    let all = Algorithm::all().iter().map(|each| each.info());
    all.filter(|each| stem(each) == stem(info)).collect()
}

/// The title without the length that stands in it for Grøstl.
pub fn stem(info: &AlgorithmInfo) -> &'static str {
    match (info.family, info.title.rsplit_once('-')) {
        (Family::Groestl, Some((stem, _))) => stem,
        _ => info.title,
    }
}
