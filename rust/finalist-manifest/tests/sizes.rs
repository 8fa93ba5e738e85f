// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files whose size differs from the one that the system reports.

#![cfg(target_os = "linux")]

use std::error::Error;
use std::sync::Arc;

use finalist::Algorithm;
use finalist_manifest::{Function, Manifest, Observer, Parameters, Paths, Scan, Target};

#[derive(Default)]
struct Recorder(Vec<u8>);

impl Observer for Recorder {
    fn message(&mut self, text: &[u8]) -> std::io::Result<()> {
        self.0.extend(text);
        Ok(())
    }
}

/// The kernel's own files report no bytes but contain many: a row with these values would be wrong.
#[test]
fn a_file_with_more_bytes_than_its_size_has_no_digest() -> Result<(), Box<dyn Error>> {
    let function = Function {
        algorithm: Algorithm::Blake2b,
        digest_bytes: 32,
    };
    let dir = tempfile::tempdir()?;
    let mut paths = Paths::default();
    paths.insert(b"version")?;
    let mut scan = Scan::new("/proc");
    scan.paths = Some(paths);
    let target = Target::File(dir.path().join("M"));
    let mut heard = Recorder::default();
    let parameters = Arc::new(Parameters::default());
    let made = Manifest::create(&scan, function, parameters, &target, &mut heard)?;
    assert_eq!((made.totals.count, made.failed), (1, 1));
    let heard = String::from_utf8(heard.0)?;
    assert_eq!(heard, "/proc/version: file changed while it was read");
    Ok(())
}
