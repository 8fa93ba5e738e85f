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

#[cfg(test)]
mod tests {
    use parquet::basic::Type as Physical;
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::{ColumnDescriptor, ColumnPath, Type};

    use super::super::compressed::pages_of;
    use super::*;

    #[test]
    fn the_encodings_of_a_column_tell_whether_it_is_plain() {
        for (encodings, expected) in [
            (&[Encoding::PLAIN, Encoding::RLE][..], true),
            (&[Encoding::RLE_DICTIONARY, Encoding::PLAIN], true),
            (&[Encoding::DELTA_BYTE_ARRAY], false),
            (&[Encoding::RLE, Encoding::DELTA_BYTE_ARRAY], false),
        ] {
            let builder = Type::primitive_type_builder("x", Physical::BYTE_ARRAY);
            let leaf = Arc::new(builder.build().expect("a type"));
            let column = ColumnDescriptor::new(leaf, 0, 0, ColumnPath::from("x"));
            let chunk = ColumnChunkMetaData::builder(Arc::new(column));
            let chunk = chunk.set_encodings(encodings.to_vec()).build();
            let chunk = chunk.expect("a column");
            assert_eq!(are_plain(&chunk), expected, "{encodings:?}");
        }
    }

    /// Writes a column of rows with one value each, in pages of `page_rows`, and skips all. Returns
    /// the number of pages that are kept.
    fn pages_after_skip(repetition: &str, rows: usize, page_rows: usize) -> usize {
        let schema = format!("message schema {{ {repetition} binary x; }}");
        let schema = Arc::new(parse_message_type(&schema).expect("a schema"));
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_write_batch_size(page_rows)
            .set_data_page_row_count_limit(page_rows);
        let file = tempfile::tempfile().expect("a file");
        let out = file.try_clone().expect("the file");
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties.build()));
        let mut writer = writer.expect("a writer");
        let mut group = writer.next_row_group().expect("a group");
        let mut column = group.next_column().expect("a column").expect("a column");
        let values = vec![ByteArray::from("x"); rows];
        let (def, rep) = (vec![1; rows], vec![0; rows]);
        let typed = column.typed::<ByteArrayType>();
        let written = typed.write_batch(&values, Some(&def), Some(&rep));
        assert_eq!(written.expect("values"), rows);
        column.close().expect("a column");
        group.close().expect("a group");
        let metadata = writer.close().expect("a file");
        let (file, group) = (Arc::new(file), metadata.row_group(0));
        let pages = pages_of(&file, group, 0).expect("pages");
        let (positions, mut strings) = Positions::new(pages, group.column(0));
        let leaf = group.column(0).column_descr_ptr();
        let mut reader = ColumnReaderImpl::new(leaf, Box::new(positions));
        assert_eq!(strings.skip(&mut reader, rows).expect("rows"), rows);
        strings.take();
        strings.pages.len()
    }

    /// Pages that are skipped whole are not decoded; others are not kept.
    #[test]
    fn skipped_rows_take_no_memory() {
        assert_eq!(pages_after_skip("required", 5000, 5000), 0);
        assert_eq!(pages_after_skip("required", 5000, 20), 0);
        assert_eq!(pages_after_skip("repeated", 5000, 20), 1);
    }

    #[test]
    fn strings_end_with_their_number_or_with_the_page() {
        let page = [7, 1, 0, 0, 0, b'a', 0, 0, 0, 0, 9];
        let [first, second] = [1, 6].map(|at: i64| (3 << 32 | at).to_le_bytes());
        for (end, count, expected) in [
            (10, 0, &[][..]),
            (6, 1, &[first]),
            (6, 9, &[first]),
            (11, 1, &[first]),
            (11, 2, &[first, second]),
        ] {
            let found = positions(&page[..end], 1, count, 3).expect("positions");
            assert_eq!(found, [&[7], expected.as_flattened()].concat());
        }
        for (end, count) in [(0, 1), (4, 1), (5, 1), (11, 3)] {
            assert!(positions(&page[..end], 1, count, 3).is_err(), "{end}");
        }
    }
}
