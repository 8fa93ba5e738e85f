// SPDX-License-Identifier: MIT OR Apache-2.0
//! Manifests of more rows than are read and written at once.

use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use finalist::Algorithm;
use finalist_manifest::parsers::{ReadRows, open_file, open_list};
use finalist_manifest::{Function, Manifest, Observer, Parameters, Paths, Scan, Target};

const COUNT: u64 = 70_000;

struct Quiet;

impl Observer for Quiet {
    fn message(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the number of rows in each batch.
fn batches(mut rows: Box<dyn ReadRows>) -> Result<Vec<usize>, String> {
    let mut counts = Vec::new();
    loop {
        match rows.batch()?.rows.len() {
            0 => return Ok(counts),
            count => counts.push(count),
        }
    }
}

#[test]
fn rows_of_every_batch_are_written_read_and_proved() -> Result<(), Box<dyn Error>> {
    let function = Function {
        algorithm: Algorithm::Blake2s,
        digest_bytes: 16,
    };
    let dir = tempfile::tempdir()?;
    // Missing files have rows, too.
    let mut paths = Paths::default();
    for number in 0..COUNT {
        paths.insert(format!("{number:05}").as_bytes())?;
    }
    let mut scan = Scan::new(dir.path());
    scan.paths = Some(paths);
    for name in ["M.list", "M.parquet"] {
        let file = dir.path().join(name);
        let target = Target::File(file.clone());
        let parameters = Arc::new(Parameters::default());
        let made = Manifest::create(&scan, function, parameters, &target, &mut Quiet)?;
        assert_eq!((made.totals.count, made.failed), (COUNT, COUNT));
        assert!(fs::metadata(&file)?.len() < 40 * COUNT, "{name} is long");
        let content = File::open(&file)?;
        let rows: Box<dyn ReadRows> = match name {
            "M.list" => Box::new(open_list(BufReader::new(content))?.1),
            _ => Box::new(open_file(content)?.1),
        };
        assert_eq!(batches(rows)?, [1 << 16, COUNT as usize - (1 << 16)]);
        let manifest = Manifest::open(&file, None)?;
        for index in [0, (1 << 16) - 1, 1 << 16, COUNT - 1] {
            let proof = manifest.prove(format!("{index:05}").as_bytes())?;
            assert_eq!((proof.index, proof.leaf_count), (index, COUNT));
            assert_eq!(proof.verify(Path::new("proof"), None)?, made.totals.root);
        }
    }
    // A message numbers the rows from the first batch on.
    let file = dir.path().join("M.list");
    let text = fs::read_to_string(&file)?.replace("(65537)", "(65536)");
    fs::write(&file, text)?;
    let error = Manifest::open(&file, None).err().ok_or("no error")?;
    let text = error.to_string();
    let complaint = "row 65537, 65536: the path stands twice";
    assert!(text.ends_with(complaint), "{text}");
    Ok(())
}
