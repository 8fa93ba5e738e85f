// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the output of `finalist manifest --json`: an object a line, with a manifest's name as
//! `manifest` and a file's as `file`.

use finalist_manifest::{Difference, Duplicates, Header, Proof, Summary, Totals, Verified};
use serde::Serialize;

use crate::json::{Name, Verdict, line, named};

fn of_manifest(bytes: &[u8], result: impl Serialize) -> Vec<u8> {
    let member = "manifest";
    named(Some(Name { member, bytes }), result)
}

/// A manifest's root and, if it was written, how its files were read.
#[derive(Serialize)]
struct Root {
    algorithm: &'static str,
    digest_bits: u64,
    count: u64,
    root: String,
    #[serde(flatten)]
    written: Option<Written>,
}

#[derive(Serialize)]
struct Written {
    /// Number of files that were read.
    read: u64,
    unchanged: u64,
    failed: u64,
    corrupt: u64,
}

pub fn root(name: &[u8], header: &Header, totals: &Totals) -> Vec<u8> {
    of_manifest(name, Root::new(header, totals, None))
}

pub fn summary(name: &[u8], header: &Header, summary: &Summary) -> Vec<u8> {
    let written = Written {
        read: summary.totals.count - summary.known - summary.failed - summary.others,
        unchanged: summary.known,
        failed: summary.failed,
        corrupt: summary.corrupt,
    };
    of_manifest(name, Root::new(header, &summary.totals, Some(written)))
}

impl Root {
    fn new(header: &Header, totals: &Totals, written: Option<Written>) -> Root {
        Root {
            algorithm: header.function.algorithm.name(),
            digest_bits: header.function.digest_bytes * 8,
            count: totals.count,
            root: hex::encode(&totals.root),
            written,
        }
    }
}

/// A file that differs; a moved one also has `from`.
#[derive(Serialize)]
struct Differing<'a> {
    result: &'static str,
    #[serde(flatten)]
    from: Option<Name<'a>>,
}

pub fn difference(difference: &Difference) -> Vec<u8> {
    let from = match difference {
        Difference::Moved { old, .. } => Some(Name {
            member: "from",
            bytes: &old.path,
        }),
        _ => None,
    };
    let result = difference.word();
    line(Some(difference.path()), Differing { result, from })
}

/// The end of a comparison of two manifests.
#[derive(Serialize)]
struct Compared<'a> {
    #[serde(flatten)]
    new: Name<'a>,
    differences: usize,
    corrupt: usize,
}

pub fn compared(old: &[u8], new: &[u8], differences: &[Difference]) -> Vec<u8> {
    let name = |member, bytes| Name { member, bytes };
    let corrupt = differences.iter().filter(|each| each.is_corrupt());
    let compared = Compared {
        new: name("new", new),
        differences: differences.len(),
        corrupt: corrupt.count(),
    };
    named(Some(name("old", old)), compared)
}

#[derive(Serialize)]
struct Findings {
    result: &'static str,
    /// Numbers of files that were found, could not be read, differ, are corrupt; missing without a
    /// directory.
    #[serde(flatten)]
    counts: Option<Counts>,
}

#[derive(Serialize)]
struct Counts {
    files: u64,
    failed: u64,
    differences: u64,
    corrupt: u64,
}

/// Returns the result of a verification; `None`: only the manifest was checked, and it is sound.
pub fn verified(name: &[u8], verified: Option<&Verified>) -> Vec<u8> {
    let result = match verified {
        Some(verified) if verified.corrupt != 0 => "corrupt",
        Some(verified) if verified.differences + verified.failed != 0 => "failed",
        _ => "ok",
    };
    let counts = verified.map(|verified| Counts {
        files: verified.count,
        failed: verified.failed,
        differences: verified.differences,
        corrupt: verified.corrupt,
    });
    of_manifest(name, Findings { result, counts })
}

/// Returns the result for a manifest that has another root than the given one.
pub fn refused(name: &[u8], reason: &str) -> Vec<u8> {
    of_manifest(name, Verdict::new(Some(reason)))
}

/// A group of files with the same content.
#[derive(Serialize)]
struct Group<'a> {
    size: u64,
    digest: String,
    wasted: u64,
    files: Vec<InManifest<'a>>,
}

#[derive(Serialize)]
struct InManifest<'a> {
    #[serde(flatten)]
    manifest: Name<'a>,
    #[serde(flatten)]
    file: Name<'a>,
}

fn files<'a>(manifest: &'a [u8], paths: &'a [Vec<u8>]) -> Vec<InManifest<'a>> {
    let named = |member, bytes| Name { member, bytes };
    let files = paths.iter().map(|path| InManifest {
        manifest: named("manifest", manifest),
        file: named("file", path),
    });
    files.collect()
}

pub fn duplicates(group: &Duplicates, name: &[u8], other: &[u8]) -> Vec<u8> {
    let mut files = files(name, &group.paths);
    files.extend(self::files(other, &group.others));
    let group = Group {
        size: group.size,
        digest: hex::encode(&group.digest),
        wasted: group.wasted(),
        files,
    };
    line(None, group)
}

/// The end of the groups of one manifest, or of two.
#[derive(Serialize)]
struct Groups<'a> {
    #[serde(flatten)]
    other: Option<Name<'a>>,
    groups: usize,
    wasted: u64,
}

pub fn all_duplicates(name: &[u8], other: Option<&[u8]>, groups: usize, wasted: u64) -> Vec<u8> {
    let member = "other";
    let groups = Groups {
        other: other.map(|bytes| Name { member, bytes }),
        groups,
        wasted,
    };
    of_manifest(name, groups)
}

/// The result of verifying a proof and, if given, its file, with the row.
#[derive(Serialize)]
struct Proved<'a> {
    #[serde(flatten)]
    verdict: Verdict<'a>,
    #[serde(flatten)]
    path: Name<'a>,
    status: &'static str,
    index: u64,
    count: u64,
}

pub fn proved(name: &[u8], proof: &Proof, reason: Option<&str>) -> Vec<u8> {
    let proved = Proved {
        verdict: Verdict::new(reason),
        path: Name {
            member: "path",
            bytes: &proof.row.path,
        },
        status: proof.row.status(),
        index: proof.index,
        count: proof.leaf_count,
    };
    line(Some(name), proved)
}
