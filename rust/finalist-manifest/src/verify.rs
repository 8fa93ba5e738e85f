// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the files of a directory are still those of a manifest.

use std::slice;

use finalist_files::ordered;

use crate::compare::{Comparison, Difference};
use crate::create::Observer;
use crate::directory::Scan;
use crate::error::Error;
use crate::reader::Manifest;
use crate::scan::Scanned;

/// What a verification came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Files found.
    pub count: u64,
    /// Files that could not be read.
    pub failed: u64,
    /// Rows that differ from the files.
    pub differences: u64,
}

impl Manifest {
    /// Reads the files of a directory again and compares them with the rows.
    ///
    /// # Errors
    /// The directory cannot be read, or the manifest has changed. A file that differs is no error: the
    /// observer hears of it.
    pub fn verify(&self, scan: &Scan, observer: &mut dyn Observer) -> Result<Verified, Error> {
        let mut found = Found {
            comparison: Comparison::new(self.rows()?),
            observer,
            verified: Verified::default(),
        };
        let own = slice::from_ref(&self.file);
        let (function, parameters) = (self.header.function, self.parameters.clone());
        scan.run(function, parameters, own, Vec::new(), &mut found)?;
        found.finish()
    }
}

/// Compares the rows found with those of the manifest.
struct Found<'a> {
    comparison: Comparison,
    observer: &'a mut dyn Observer,
    verified: Verified,
}

impl Found<'_> {
    fn finish(mut self) -> Result<Verified, Error> {
        let (observer, differences) = (&mut *self.observer, &mut self.verified.differences);
        self.comparison
            .finish(&mut |difference| tell(observer, differences, &difference))?;
        self.observer.idle().map_err(Error::Output)?;
        Ok(self.verified)
    }
}

fn tell(
    observer: &mut dyn Observer,
    count: &mut u64,
    difference: &Difference,
) -> Result<(), Error> {
    *count += 1;
    observer.difference(difference).map_err(Error::Output)
}

impl ordered::Sink<Result<Scanned, Error>> for Found<'_> {
    type Error = Error;

    fn take(&mut self, scanned: Result<Scanned, Error>) -> Result<(), Error> {
        let scanned = scanned?;
        self.verified.count += 1;
        if let Some(message) = &scanned.message {
            self.verified.failed += 1;
            self.observer.message(message).map_err(Error::Output)?;
        }
        let (observer, differences) = (&mut *self.observer, &mut self.verified.differences);
        self.comparison.next(scanned.row, &mut |difference| {
            tell(observer, differences, &difference)
        })
    }

    fn idle(&mut self) -> Result<(), Error> {
        self.observer.idle().map_err(Error::Output)
    }
}
