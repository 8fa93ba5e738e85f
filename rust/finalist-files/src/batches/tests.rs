// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of batches of files.

use std::fs;
use std::path::PathBuf;

use finalist::Algorithm;

use super::*;
use crate::files::Changed;
use crate::progress::Silent;

/// A file that has always changed.
struct Task(PathBuf);

impl FileTask for Task {
    fn name(&self) -> &Path {
        &self.0
    }

    fn function(&self) -> Function {
        Function {
            algorithm: Algorithm::Blake2b,
            digest_bytes: 32,
        }
    }

    fn is_regular(&self) -> bool {
        true
    }

    fn ended(&mut self, _: &Opened, _: u64) -> io::Result<()> {
        Err(Changed::error("changed"))
    }
}

#[test]
fn a_changed_file_has_no_digest_whatever_its_length() {
    let folder = tempfile::tempdir().expect("a folder");
    let job = HashJob {
        parameters: Arc::default(),
        progress: Arc::new(Silent),
        buffer_bytes: BUFFER_BYTES,
        threads_per_file: Threads::One,
        threads: Threads::One,
    };
    let outcome = |_, digest: io::Result<Digest>| digest.err().map(|error| error.to_string());
    let mut hasher = FileHasher::new(Arc::new(job), outcome);
    let mut found = Vec::new();
    let deliver = &mut |results: Vec<(Place, Option<String>)>| {
        found.extend(results);
        Ok::<(), ()>(())
    };
    for (place, bytes) in [(0, 3), (1, SMALL_BYTES + 1), (2, 0)] {
        let name = folder.path().join(place.to_string());
        fs::write(&name, vec![7; bytes]).expect("written");
        let taken = hasher.take(place, Task(name), deliver);
        assert!(taken.is_ok());
    }
    assert!(hasher.finish(deliver).is_ok());
    let expected = [0, 1, 2].map(|place| (place, Some("changed".to_owned())));
    assert_eq!(found, expected);
}
