// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names of algorithms in tagged checksum lines: `BLAKE2b`, `BLAKE2b-256`, `Groestl-128`.

use std::str;

use finalist::{Algorithm, AlgorithmInfo, Family};

const ROOT_TAG: &str = "RFC9162-";

/// Returns the name of an algorithm with this digest length.
///
/// For BLAKE2, the name contains a length other than the default. For Grøstl, it always does,
/// instead of the title's length, because each length is a separate function.
pub fn tag(info: &AlgorithmInfo, digest_bytes: u64) -> String {
    match info.family {
        Family::Groestl => format!("{}-{}", stem(info), digest_bytes * 8),
        _ if digest_bytes == info.digest_bytes as u64 => info.title.to_owned(),
        _ => format!("{}-{}", info.title, digest_bytes * 8),
    }
}

/// Returns the tag of a Merkle tree's root: `RFC9162-BLAKE2b-512-65536`, always with the length of
/// the hashes, then the chunk size in bytes.
pub fn root_tag(info: &AlgorithmInfo, digest_bytes: u64, chunk_bytes: u64) -> String {
    format!("{ROOT_TAG}{}-{chunk_bytes}", hash_tag(info, digest_bytes))
}

/// Returns the tag of a manifest's root: `Finalist-BLAKE2b-512-manifest-2`.
pub fn manifest_tag(info: &AlgorithmInfo, digest_bytes: u64) -> String {
    format!("Finalist-{}-manifest-2", hash_tag(info, digest_bytes))
}

/// Returns the tag of a table's root: `Finalist-BLAKE2s-256-table-1`, or `...-table-ordered-1`.
pub fn table_tag(info: &AlgorithmInfo, digest_bytes: u64, is_ordered: bool) -> String {
    let ordered = if is_ordered { "-ordered" } else { "" };
    format!("Finalist-{}-table{ordered}-1", hash_tag(info, digest_bytes))
}

fn hash_tag(info: &AlgorithmInfo, digest_bytes: u64) -> String {
    match info.family {
        Family::Blake => info.title.to_owned(),
        _ => format!("{}-{}", stem(info), digest_bytes * 8),
    }
}

/// Reads a root's tag of this algorithm. Returns the length of the hashes, the chunk size, and the
/// rest of the line.
pub fn read_root_tag<'a>(info: &AlgorithmInfo, line: &'a [u8]) -> Option<(u64, u64, &'a [u8])> {
    let hash = line.strip_prefix(ROOT_TAG.as_bytes())?;
    let (digest_bytes, rest) = match info.family {
        // The title is not followed by a length.
        Family::Blake => (
            info.digest_bytes as u64,
            hash.strip_prefix(info.title.as_bytes())?,
        ),
        _ => read_tag(info, hash)?,
    };
    let chunk = rest.strip_prefix(b"-")?;
    let end = chunk.iter().position(|byte| !byte.is_ascii_digit())?;
    let (chunk, rest) = chunk.split_at(end);
    let chunk_bytes = str::from_utf8(chunk).ok()?.parse().ok()?;
    let named = &line[..line.len() - rest.len()];
    let canonical = root_tag(info, digest_bytes, chunk_bytes);
    (named == canonical.as_bytes()).then_some((digest_bytes, chunk_bytes, rest))
}

/// Reads a tag of this algorithm at the start of a line. Returns the digest length and the rest of
/// the line.
pub fn read_tag<'a>(info: &AlgorithmInfo, line: &'a [u8]) -> Option<(u64, &'a [u8])> {
    if let Some(rest) = read_openssl_tag(info, line) {
        return Some((info.digest_bytes as u64, rest));
    }
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

/// Reads the tag that openssl writes, if it is this algorithm's: `BLAKE2B-512` in version 3,
/// `BLAKE2b512` before. Returns the rest of the line.
fn read_openssl_tag<'a>(info: &AlgorithmInfo, line: &'a [u8]) -> Option<&'a [u8]> {
    let tags = match info.algorithm {
        Algorithm::Blake2b => ["BLAKE2B-512", "BLAKE2b512"],
        Algorithm::Blake2s => ["BLAKE2S-256", "BLAKE2s256"],
        _ => return None,
    };
    let rest = tags
        .iter()
        .find_map(|tag| line.strip_prefix(tag.as_bytes()))?;
    rest.starts_with(b"(").then_some(rest)
}

/// Returns true if a line starts with a tag of this name, with or without a length.
pub fn is_tagged(line: &[u8], name: &str) -> bool {
    let rest = line.strip_prefix(name.as_bytes());
    rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'-' | b' ' | b'\t' | b'(')))
}

/// Returns the related algorithm with this digest length.
pub fn algorithm_of_length(info: &AlgorithmInfo, digest_bytes: u64) -> AlgorithmInfo {
    let mut relatives = relatives(info).into_iter();
    let relative = relatives.find(|each| each.digest_bytes_max >= digest_bytes);
    relative.unwrap_or(*info)
}

/// Returns the algorithms whose tags differ only in the length, the shortest first.
pub fn relatives(info: &AlgorithmInfo) -> Vec<AlgorithmInfo> {
    let all = Algorithm::all().iter().map(|each| each.info());
    all.filter(|each| stem(each) == stem(info)).collect()
}

/// Returns the title without the length that Grøstl's contains.
pub fn stem(info: &AlgorithmInfo) -> &'static str {
    match (info.family, info.title.rsplit_once('-')) {
        (Family::Groestl, Some((stem, _))) => stem,
        _ => info.title,
    }
}
