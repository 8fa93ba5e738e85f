// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds files with the same content, in one manifest or in two.

use std::collections::HashMap;

use crate::error::Error;
use crate::reader::Manifest;

/// Paths in one manifest.
type Paths = Vec<Vec<u8>>;

/// Non-empty files with the same content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicates {
    /// Length of each file in bytes.
    pub size: u64,
    /// Digest of each file.
    pub digest: Vec<u8>,
    /// Paths in the manifest, sorted.
    pub paths: Vec<Vec<u8>>,
    /// Paths in the other manifest, sorted.
    pub others: Vec<Vec<u8>>,
}

impl Duplicates {
    /// Returns the number of bytes of all these files but one.
    pub fn wasted(&self) -> u64 {
        let files = self.paths.len() + self.others.len();
        self.size.saturating_mul(files as u64 - 1)
    }
}

impl Manifest {
    /// Returns the groups of files with the same content, most wasted bytes first. With another
    /// manifest, returns only groups with files in both.
    ///
    /// # Errors
    /// One of them cannot be read, or they have different functions, keys or parameters.
    pub fn duplicates(&self, other: Option<&Manifest>) -> Result<Vec<Duplicates>, Error> {
        if let Some(other) = other {
            // Rows without content do not matter.
            let mut header = other.header.clone();
            header.metadata = self.header.metadata;
            self.header.check_like(&header, &other.file)?;
        }
        let mut found: HashMap<(u64, Vec<u8>), [Paths; 2]> = HashMap::new();
        for (place, manifest) in [Some(self), other].into_iter().flatten().enumerate() {
            for row in manifest.rows()? {
                let row = row?;
                if let Some(content) = row.content.ok().filter(|content| content.size != 0) {
                    let group = found.entry((content.size, content.digest)).or_default();
                    group[place].push(row.path);
                }
            }
        }
        let is_group = |[paths, others]: &[Paths; 2]| match other {
            None => paths.len() > 1,
            Some(_) => !paths.is_empty() && !others.is_empty(),
        };
        let groups = found.into_iter().filter(|(_, paths)| is_group(paths));
        let mut groups: Vec<_> = groups
            .map(|((size, digest), [paths, others])| Duplicates {
                size,
                digest,
                paths,
                others,
            })
            .collect();
        groups.sort_by(|one, two| {
            let by_waste = two.wasted().cmp(&one.wasted());
            by_waste.then_with(|| one.paths.cmp(&two.paths))
        });
        Ok(groups)
    }
}
