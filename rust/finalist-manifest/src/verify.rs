// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the files of a directory with a manifest.

use std::mem;

use finalist_files::ordered;

use crate::compare::{Comparison, Difference};
use crate::create::Observer;
use crate::diff::with_moves;
use crate::directory::Scan;
use crate::error::Error;
use crate::reader::Manifest;
use crate::scan::Scanned;

/// The result of verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Number of files found, without directories and links.
    pub count: u64,
    /// Number of files that could not be read.
    pub failed: u64,
    /// Number of differences between rows and files.
    pub differences: u64,
    /// Number of corrupt files among them: different content, but the same size and time.
    pub corrupt: u64,
}

impl Manifest {
    /// Reads the files of a directory and compares them with the rows. Rows of files that the scan
    /// leaves out are not compared, nor is a row of the manifest itself: it had another name.
    ///
    /// # Errors
    /// The directory cannot be read, or the manifest has changed. A differing file is not an error:
    /// the observer receives it.
    pub fn verify(&self, scan: &Scan, observer: &mut dyn Observer) -> Result<Verified, Error> {
        let mut own = vec![self.file.clone()];
        // Its name may be that of a link.
        own.extend(self.file.canonicalize());
        let mut found = WorkItem {
            comparison: Comparison::new(self.rows()?),
            differences: Differences {
                scan,
                own: own.iter().filter_map(|file| scan.path_of(file)).collect(),
                observer,
                waiting: Vec::new(),
                verified: Verified::default(),
            },
        };
        let parameters = self.parameters.clone();
        scan.run(&self.header, parameters, &own, Vec::new(), None, &mut found)?;
        found.finish()
    }
}

/// Compares rows as they arrive.
struct WorkItem<'a> {
    comparison: Comparison,
    differences: Differences<'a>,
}

impl WorkItem<'_> {
    fn finish(mut self) -> Result<Verified, Error> {
        let differences = &mut self.differences;
        self.comparison
            .finish(&mut |difference| differences.take(difference))?;
        self.differences.finish()
    }
}

/// Reports differences: changes at once, the others at the end, when moves are known.
struct Differences<'a> {
    scan: &'a Scan,
    /// Paths of the manifest itself.
    own: Vec<Vec<u8>>,
    observer: &'a mut dyn Observer,
    waiting: Vec<Difference>,
    verified: Verified,
}

impl Differences<'_> {
    fn take(&mut self, difference: Difference) -> Result<(), Error> {
        match &difference {
            Difference::Changed { .. } => return self.tell(&difference),
            Difference::Removed(row)
                if self.scan.leaves_out(&row.path) || self.own.contains(&row.path) => {}
            _ => self.waiting.push(difference),
        }
        Ok(())
    }

    fn tell(&mut self, difference: &Difference) -> Result<(), Error> {
        self.verified.differences += 1;
        self.verified.corrupt += u64::from(difference.is_corrupt());
        self.observer.difference(difference).map_err(Error::Output)
    }

    fn finish(mut self) -> Result<Verified, Error> {
        let waiting = with_moves(mem::take(&mut self.waiting));
        waiting
            .iter()
            .try_for_each(|difference| self.tell(difference))?;
        self.observer.idle().map_err(Error::Output)?;
        Ok(self.verified)
    }
}

impl ordered::Sink<Result<Scanned, Error>> for WorkItem<'_> {
    type Error = Error;

    fn take(&mut self, scanned: Result<Scanned, Error>) -> Result<(), Error> {
        let scanned = scanned?;
        let differences = &mut self.differences;
        differences.verified.count += u64::from(scanned.row.is_file());
        if let Some(message) = &scanned.message {
            differences.verified.failed += 1;
            differences
                .observer
                .message(message)
                .and_then(|()| differences.observer.unread(&scanned.row))
                .map_err(Error::Output)?;
        }
        self.comparison
            .next(scanned.row, &mut |difference| differences.take(difference))
    }

    fn idle(&mut self) -> Result<(), Error> {
        self.differences.observer.idle().map_err(Error::Output)
    }
}
