// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads byte strings without a reference count for each: parquet's decoder counts the references
//! to a page twice a value, which takes longer than all else about a short one. Here it decodes the
//! positions of the strings in their pages, as integers, in place of the strings.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::Int64Type;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

/// Bytes of a string's length, which precedes it.
const LENGTH_BYTES: usize = 4;

/// Returns true if all pages of a column have encodings that [`Positions`] reads.
pub fn are_plain(chunk: &ColumnChunkMetaData) -> bool {
    chunk.encodings().all(|encoding| {
        encoding == Encoding::PLAIN || encoding == Encoding::RLE || is_dictionary(encoding)
    })
}

#[allow(deprecated, reason = "files of older writers have it")]
fn is_dictionary(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY
    )
}

/// The pages of a column, as [`Positions`] hands them on.
type Queue = Arc<Mutex<Vec<Page>>>;

/// Reads pages of strings and replaces the strings by their positions: the number of the page in
/// the upper 32 bits, the offset of the string's length in the lower ones.
pub struct Positions {
    pages: Box<dyn PageReader>,
    /// The number of level streams with a length before them, in pages of version 1.
    levels: usize,
    /// The number of data pages read; 0 is the number of the dictionary.
    count: i64,
    queue: Queue,
}

impl Positions {
    /// Returns the reader, and the pages that its positions refer to.
    pub fn new(pages: Box<dyn PageReader>, chunk: &ColumnChunkMetaData) -> (Positions, Strings) {
        let column = chunk.column_descr();
        let is_nested = column.max_rep_level() > 0;
        let queue = Queue::default();
        let positions = Positions {
            pages,
            levels: usize::from(is_nested) + usize::from(column.max_def_level() > 0),
            count: 0,
            queue: queue.clone(),
        };
        let strings = Strings {
            queue,
            is_nested,
            dictionary: None,
            pages: VecDeque::new(),
            first: 1,
        };
        (positions, strings)
    }

    /// Replaces the strings of a page.
    fn convert(&mut self, page: &mut Page) -> Result<()> {
        match page {
            Page::DictionaryPage {
                buf, num_values, ..
            } => *buf = positions(buf, 0, *num_values, 0)?.into(),
            Page::DataPage {
                encoding,
                buf,
                num_values,
                ..
            } => {
                self.count += 1;
                if is_plain(*encoding)? {
                    let mut start = 0;
                    for _ in 0..self.levels {
                        let bytes = length_at(buf, start).ok_or_else(ended)?;
                        start += LENGTH_BYTES + bytes;
                    }
                    *buf = positions(buf, start, *num_values, self.count)?.into();
                }
            }
            Page::DataPageV2 {
                encoding,
                buf,
                num_values,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                self.count += 1;
                if is_plain(*encoding)? {
                    let start = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                    *buf = positions(buf, start, *num_values, self.count)?.into();
                }
            }
        }
        Ok(())
    }
}

fn is_plain(encoding: Encoding) -> Result<bool> {
    match encoding {
        Encoding::PLAIN => Ok(true),
        _ if is_dictionary(encoding) => Ok(false),
        _ => Err(ParquetError::General(
            "a page has an encoding that the column lacks".to_owned(),
        )),
    }
}

fn ended() -> ParquetError {
    ParquetError::EOF("a page is too short".to_owned())
}

fn length_at(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes.get(at..)?.first_chunk::<LENGTH_BYTES>()?;
    Some(u32::from_le_bytes(*length) as usize)
}

/// Returns the bytes of a page before `start`, and the positions of the strings from there on.
fn positions(bytes: &[u8], start: usize, count: u32, page: i64) -> Result<Vec<u8>> {
    let mut out = bytes.get(..start).ok_or_else(ended)?.to_vec();
    let (mut at, mut left) = (start, count);
    // Nulls have no strings.
    while left > 0 && at < bytes.len() {
        let length = length_at(bytes, at).ok_or_else(ended)?;
        out.extend_from_slice(&(page << 32 | at as i64).to_le_bytes());
        at += LENGTH_BYTES + length;
        left -= 1;
    }
    match at <= bytes.len() {
        true => Ok(out),
        false => Err(ended()),
    }
}

impl Iterator for Positions {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Positions {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.pages.get_next_page()? else {
            return Ok(None);
        };
        let strings = page.clone();
        self.convert(&mut page)?;
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push(strings);
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

/// The strings of the pages that were read last.
pub struct Strings {
    queue: Queue,
    /// True if pages cannot be skipped whole, since rows may have several values.
    is_nested: bool,
    dictionary: Option<Page>,
    pages: VecDeque<Page>,
    /// The number of the first of these pages.
    first: i64,
}

impl Strings {
    /// Drops the pages before the last, whose values have all been used.
    pub fn forget(&mut self) {
        self.take();
        while self.pages.len() > 1 {
            self.pages.pop_front();
            self.first += 1;
        }
    }

    /// Takes the pages that were read since.
    pub fn take(&mut self) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        for page in queue.drain(..) {
            match page.is_dictionary_page() {
                true => self.dictionary = Some(page),
                false => self.pages.push_back(page),
            }
        }
    }

    /// Skips rows. Returns their number.
    pub fn skip(&mut self, reader: &mut ColumnReaderImpl<Int64Type>, rows: usize) -> Result<usize> {
        const ROWS_AT_ONCE: usize = 4096;
        if !self.is_nested {
            return reader.skip_records(rows);
        }
        let mut skipped = 0;
        while skipped < rows {
            match reader.skip_records(ROWS_AT_ONCE.min(rows - skipped))? {
                0 => break,
                some => skipped += some,
            }
            self.forget();
        }
        Ok(skipped)
    }

    /// Returns the string at a position.
    #[inline]
    pub fn at(&self, position: i64) -> Option<&[u8]> {
        let page = match position >> 32 {
            0 => self.dictionary.as_ref()?,
            page => self.pages.get((page - self.first) as usize)?,
        };
        let (bytes, at) = (page.buffer(), position as u32 as usize);
        bytes.get(at + LENGTH_BYTES..)?.get(..length_at(bytes, at)?)
    }
}
