// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs whose numbers were changed in memory, so that no parser has checked them.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use finalist::Algorithm;
use finalist_manifest::{Function, Manifest, Observer, Parameters, Scan, Target};

struct Quiet;

impl Observer for Quiet {
    fn message(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn only_the_true_numbers_lead_to_the_root() -> Result<(), Box<dyn Error>> {
    let function = Function {
        algorithm: Algorithm::Blake2b,
        digest_bytes: 32,
    };
    let dir = tempfile::tempdir()?;
    let (files, manifest) = (dir.path().join("files"), dir.path().join("M"));
    fs::create_dir(&files)?;
    for count in 1..8 {
        fs::write(files.join(count.to_string()), "")?;
        let (scan, target) = (Scan::new(&files), Target::File(manifest.clone()));
        let parameters = Arc::new(Parameters::default());
        let made = Manifest::create(&scan, function, parameters, &target, &mut Quiet)?;
        let root = made.totals.root;
        let manifest = Manifest::open(&manifest, None)?;
        for index in 0..count {
            let path = (index + 1).to_string();
            let mut proof = manifest.prove(path.as_bytes())?;
            let hashes = proof.hashes.clone();
            let longer = [&hashes[..], &[vec![0; 32]]].concat();
            let shorter = hashes[..hashes.len().saturating_sub(1)].to_vec();
            for hashes in [hashes.clone(), longer, shorter] {
                for claimed in (0..20).chain([u64::MAX - 1, u64::MAX]) {
                    for leaf_count in (0..20).chain([u64::MAX - 1, u64::MAX]) {
                        (proof.index, proof.leaf_count) = (claimed, leaf_count);
                        proof.hashes.clone_from(&hashes);
                        let found = proof.verify(Path::new("proof"), None);
                        let is_true = (claimed, leaf_count) == (index, count);
                        let is_true = is_true && hashes.len() == longest(index, count);
                        let said = format!("{index} of {count}: {claimed} of {leaf_count}");
                        assert_eq!(found.is_ok_and(|found| found == root), is_true, "{said}");
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn parameters_that_the_function_lacks_are_the_proof_s_fault() -> Result<(), Box<dyn Error>> {
    let function = Function {
        algorithm: Algorithm::Groestl256,
        digest_bytes: 32,
    };
    let dir = tempfile::tempdir()?;
    fs::write(dir.path().join("file"), "")?;
    let target = Target::File(dir.path().join("M"));
    let (scan, parameters) = (Scan::new(dir.path()), Arc::new(Parameters::default()));
    Manifest::create(&scan, function, parameters, &target, &mut Quiet)?;
    let mut proof = Manifest::open(&dir.path().join("M"), None)?.prove(b"file")?;
    proof.header.salt = vec![0; 16];
    let text = match proof.verify(Path::new("the proof"), None) {
        Err(finalist_manifest::Error::Refused { file, reason }) => {
            format!("{}: {reason}", file.display())
        }
        other => format!("{other:?}"),
    };
    let expected = "the proof: groestl256: the algorithm takes no salt of this length";
    assert_eq!(text, expected);
    Ok(())
}

/// Returns the number of nodes beside the path from a leaf to the root.
fn longest(index: u64, count: u64) -> usize {
    match count {
        0 | 1 => 0,
        _ => {
            let left = count.next_power_of_two() / 2;
            1 + match index < left {
                true => longest(index, left),
                false => longest(index - left, count - left),
            }
        }
    }
}
