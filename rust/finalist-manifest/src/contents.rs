// SPDX-License-Identifier: MIT OR Apache-2.0
//! Open files that several readers read at the same time, each at its own offset.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use crate::error::{Error, failed};
use finalist_files::files::ReadAt;
use finalist_files::platform::open_regular;

/// The content of an open file, for any number of readers at any offsets.
#[derive(Clone)]
pub struct Contents(Arc<File>);

impl Contents {
    pub fn open(name: &Path) -> Result<Contents, Error> {
        let file = open_regular(name).map_err(|error| failed(name, error))?;
        Ok(Contents::new(Arc::new(file)))
    }

    pub fn new(file: Arc<File>) -> Contents {
        Contents(file)
    }

    pub fn from(&self, at: u64) -> From {
        ReadAt::new(self.0.clone(), at)
    }
}

/// Reads a file from an offset on.
pub type From = ReadAt<Arc<File>>;

impl Length for Contents {
    fn len(&self) -> u64 {
        self.0.metadata().map_or(0, |metadata| metadata.len())
    }
}

impl ChunkReader for Contents {
    type T = BufReader<From>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(BufReader::new(self.from(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        // Metadata may claim any length: allocate only for existing bytes.
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("the file is cut short".to_owned()));
        }
        let mut buffer = vec![0; length];
        self.from(start).read_exact(&mut buffer)?;
        Ok(buffer.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory for this length would end the process.
    #[test]
    fn lengths_are_not_trusted() {
        let contents = Contents::new(Arc::new(tempfile::tempfile().expect("a file")));
        assert!(contents.get_bytes(0, usize::MAX / 4).is_err());
    }
}
