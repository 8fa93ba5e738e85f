// SPDX-License-Identifier: MIT OR Apache-2.0
//! A manifest that was just written is read from the open file, not by its name.

use std::error::Error;
use std::fs;
use std::sync::Arc;

use finalist::Algorithm;
use finalist_manifest::{
    Function, Manifest, Metadata, NoDigest, Observer, Parameters, Row, Scan, Target,
};

struct Quiet;

impl Observer for Quiet {
    fn message(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

fn rows(manifest: &Manifest) -> Result<Vec<Row>, Box<dyn Error>> {
    Ok(manifest.rows()?.collect::<Result<Vec<_>, _>>()?)
}

const FUNCTION: Function = Function {
    algorithm: Algorithm::Blake2b,
    digest_bytes: 32,
};

#[test]
fn rows_are_given_in_the_order_of_their_paths() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("M.list");
    let row = |path: &str| Row {
        path: path.into(),
        content: Err(NoDigest::Vanished),
        metadata: Metadata::default(),
    };
    for (paths, text) in [
        (["a", "a"], "a: the path stands twice"),
        (["b", "a"], "a: the rows are not sorted by path"),
    ] {
        let by = Arc::new(Parameters::default());
        let made = Manifest::write(paths.map(row), FUNCTION, by, &file);
        assert_eq!(
            made.err().map(|error| error.to_string()).as_deref(),
            Some(text)
        );
        assert!(!file.exists());
    }
    Ok(())
}

#[test]
fn its_name_may_be_another_files() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let files = dir.path().join("files");
    fs::create_dir(&files)?;
    fs::write(files.join("one"), "1")?;
    for (name, metadata) in [("M.list", false), ("M.parquet", false), ("N.parquet", true)] {
        let file = dir.path().join(name);
        let scan = Scan {
            metadata,
            ..Scan::new(&files)
        };
        let (target, by) = (Target::File(file.clone()), Arc::new(Parameters::default()));
        let made = Manifest::create(&scan, FUNCTION, by.clone(), &target, &mut Quiet)?;
        let written = made.manifest.ok_or("it was written to a file")?;
        let opened = Manifest::open(&file, None)?;
        fs::rename(&file, dir.path().join("old"))?;
        fs::write(&file, "another")?;

        assert_eq!(written.totals(), opened.totals());
        assert_eq!(written.counts(), opened.counts());
        assert!(written.header() == opened.header());
        assert_eq!(written.file(), file);
        assert_eq!(rows(&written)?, rows(&opened)?);
        assert_eq!(written.verify(&scan, &mut Quiet)?.differences, 0);

        let again = Manifest::write(rows(&opened)?, FUNCTION, by, &file);
        match metadata {
            true => assert!(again.is_err(), "rows with metadata in a manifest without"),
            false => assert_eq!(again?.totals(), opened.totals()),
        }
    }
    Ok(())
}
