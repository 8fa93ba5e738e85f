// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the pages of a manifest's columns, which are uncompressed or in Snappy, and bounds their
//! lengths and numbers of values: the parquet crate allocates as much as a page claims.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

/// Far above the 1 MiB at which writers end a page. Values may share bytes of a page, but none is
/// longer than it.
const PAGE_BYTES_MAX: usize = 16 << 20;
/// Lengths of values, which need hardly any bytes of a page if all are the same.
const LENGTHS_MAX: u64 = 4 << 20;

/// Returns the pages of a column of a row group.
pub fn pages_of<R: ChunkReader + 'static>(
    file: &Arc<R>,
    group: &RowGroupMetaData,
    column: usize,
) -> Result<Box<dyn PageReader>> {
    let chunk = group.column(column);
    let rows = usize::try_from(group.num_rows())?;
    let is_snappy = match chunk.compression() {
        Compression::UNCOMPRESSED => false,
        Compression::SNAPPY => true,
        _ => return Err(general("a column is compressed, but not with Snappy")),
    };
    // The reader returns pages as they are in the file.
    let plain = chunk.clone().into_builder();
    let plain = plain.set_compression(Compression::UNCOMPRESSED).build()?;
    let pages = SerializedPageReader::new(file.clone(), &plain, rows, None)?;
    let has_levels = chunk.column_descr().max_def_level() > 0;
    Ok(Box::new(Pages {
        pages,
        is_snappy,
        has_levels,
    }))
}

fn general(text: &str) -> ParquetError {
    ParquetError::General(text.to_owned())
}

struct Pages<R: ChunkReader> {
    pages: SerializedPageReader<R>,
    is_snappy: bool,
    /// True if the column has nulls, or could have some.
    has_levels: bool,
}

/// Decompresses a page, whose first bytes are not compressed.
fn decompressed(page: &Bytes, plain_bytes: usize) -> Option<Bytes> {
    let (plain, compressed) = page.split_at_checked(plain_bytes)?;
    // A page without values may have no bytes.
    if compressed.is_empty() {
        return Some(page.clone());
    }
    let length = snap::raw::decompress_len(compressed).ok()?;
    let all = plain_bytes.checked_add(length)?;
    (all <= PAGE_BYTES_MAX).then_some(())?;
    let mut out = plain.to_vec();
    out.resize(all, 0);
    let mut decoder = snap::raw::Decoder::new();
    let decoded = decoder.decompress(compressed, &mut out[plain_bytes..]);
    decoded.ok().map(|_| out.into())
}

/// Returns true if a page has at most as many values as are decoded. `has_levels`: as in [`Pages`].
fn is_plausible(page: &Page, has_levels: bool) -> bool {
    let (buffer, count) = (page.buffer(), u64::from(page.num_values()));
    let levels = match page {
        // Each value of a dictionary begins with its length.
        Page::DictionaryPage { .. } => return count <= buffer.len() as u64 / 4,
        Page::DataPage {
            def_level_encoding: Encoding::RLE,
            ..
        } if has_levels => match buffer.first_chunk() {
            Some(&bytes) => u64::from(u32::from_le_bytes(bytes)) + 4,
            None => return false,
        },
        Page::DataPage { .. } if has_levels => return false,
        Page::DataPage { .. } => 0,
        Page::DataPageV2 {
            def_levels_byte_len,
            rep_levels_byte_len,
            ..
        } => u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len),
    };
    let lists = match page.encoding() {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        // Lengths of shared beginnings, then of the others.
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return true,
    };
    let values = usize::try_from(levels).ok().and_then(|at| buffer.get(at..));
    (0..lists)
        .try_fold(values.unwrap_or_default(), |rest, _| {
            after_numbers(rest, count.min(LENGTHS_MAX))
        })
        .is_some()
}

/// Returns the bytes after numbers in DELTA_BINARY_PACKED, if there are at most `most` numbers.
fn after_numbers(mut bytes: &[u8], most: u64) -> Option<&[u8]> {
    let [block, parts, count, _first] = [(); 4].map(|()| varint(&mut bytes));
    let part = block?.checked_div(parts?)?;
    (count? <= most && part > 0).then_some(())?;
    let mut left = count?.saturating_sub(1);
    while left > 0 {
        let _least_difference = varint(&mut bytes)?;
        let (widths, rest) = bytes.split_at_checked(usize::try_from(parts?).ok()?)?;
        bytes = rest;
        for &width in widths.iter() {
            if left == 0 {
                break;
            }
            let packed = part.checked_mul(u64::from(width))? / 8;
            bytes = bytes.get(usize::try_from(packed).ok()?..)?;
            left = left.saturating_sub(part);
        }
    }
    Some(bytes)
}

/// Takes a number of variable length from the beginning of bytes.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

impl<R: ChunkReader> Iterator for Pages<R> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for Pages<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.pages.get_next_page()? else {
            return Ok(None);
        };
        let damaged = || general("a page is damaged or too long");
        match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } if self.is_snappy => {
                *buf = decompressed(buf, 0).ok_or_else(damaged)?;
            }
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed: true,
                ..
            } if self.is_snappy => {
                let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                *buf = decompressed(buf, levels).ok_or_else(damaged)?;
            }
            _ => (),
        }
        match page.buffer().len() <= PAGE_BYTES_MAX && is_plausible(&page, self.has_levels) {
            true => Ok(Some(page)),
            false => Err(damaged()),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

#[cfg(test)]
mod tests {
    use parquet::column::page::{CompressedPage, PageWriter};
    use parquet::file::metadata::ColumnChunkMetaData;
    use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
    use parquet::schema::parser::parse_message_type;
    use parquet::schema::types::SchemaDescriptor;

    use super::*;

    /// `abc` in Snappy: its length, and a literal of three bytes.
    const ABC: [u8; 5] = [3, 2 << 2, b'a', b'b', b'c'];

    #[test]
    fn pages_are_decompressed_after_their_levels() {
        let page = |parts: &[&[u8]]| Bytes::from(parts.concat());
        assert_eq!(decompressed(&page(&[&ABC]), 0), Some("abc".into()));
        assert_eq!(decompressed(&page(&[b"xy", &ABC]), 2), Some("xyabc".into()));
        assert_eq!(decompressed(&page(&[b"xy"]), 2), Some("xy".into()));
        assert_eq!(decompressed(&page(&[b"xy"]), 3), None);
        assert_eq!(decompressed(&page(&[&ABC[..4]]), 0), None);
    }

    #[test]
    fn claims_of_lengths_are_not_trusted() {
        // 16 MiB and a byte of zeros; the same claim, and one of 15 MiB, without them.
        let long = vec![0; PAGE_BYTES_MAX + 1];
        let mut encoder = snap::raw::Encoder::new();
        let long = encoder.compress_vec(&long).unwrap_or_default();
        let most = encoder.compress_vec(&vec![0; PAGE_BYTES_MAX]);
        let most = most.unwrap_or_default().into();
        let found = decompressed(&most, 0).map(|page| page.len());
        assert_eq!(found, Some(PAGE_BYTES_MAX));
        for page in [&long[..], &long[..100], &[128, 128, 192, 7, 0, b'a']] {
            assert_eq!(decompressed(&page.to_vec().into(), 0), None);
        }
    }

    /// Reads a page of a column of strings and nulls, which is written as it is.
    fn read(page: Page, compression: Compression, bytes: usize) -> Result<Option<Page>> {
        let mut out = TrackedWrite::new(Vec::new());
        SerializedPageWriter::new(&mut out).write_page(CompressedPage::new(page, bytes))?;
        let file = Bytes::from(out.into_inner()?);
        let schema = parse_message_type("message manifest { optional binary digest; }")?;
        let schema = Arc::new(SchemaDescriptor::new(Arc::new(schema)));
        let chunk = ColumnChunkMetaData::builder(schema.column(0));
        let chunk = chunk.set_compression(compression).set_num_values(9);
        let chunk = chunk.set_total_compressed_size(file.len() as i64).build()?;
        let group = RowGroupMetaData::builder(schema).set_num_rows(9);
        let group = group.set_column_metadata(vec![chunk]).build()?;
        pages_of(&Arc::new(file), &group, 0)?.get_next_page()
    }

    #[test]
    fn levels_are_before_the_values() -> Result<()> {
        // Version 2 compresses only what follows both kinds of levels.
        let version_2 = Page::DataPageV2 {
            buf: [&[9; 5], &ABC[..]].concat().into(),
            num_values: 1,
            encoding: Encoding::PLAIN,
            num_nulls: 0,
            num_rows: 1,
            def_levels_byte_len: 2,
            rep_levels_byte_len: 3,
            is_compressed: true,
            statistics: None,
        };
        let found = read(version_2, Compression::SNAPPY, 8)?;
        let found = found.map(|page| page.buffer().clone());
        assert_eq!(found, Some("\t\t\t\t\tabc".into()));
        // Their length, the levels, and one length.
        let lengths = [2, 0, 0, 0, 9, 9, 128, 1, 4, 1, 0];
        let version_1 = page(Encoding::DELTA_LENGTH_BYTE_ARRAY, 1, &lengths);
        let found = read(version_1, Compression::UNCOMPRESSED, lengths.len())?;
        assert!(found.is_some());
        Ok(())
    }

    #[test]
    fn pages_are_bounded() {
        for (bytes, is_read) in [(16 << 20, true), ((16 << 20) + 1, false)] {
            let long = page(Encoding::PLAIN, 1, &vec![0; bytes]);
            let found = read(long, Compression::UNCOMPRESSED, bytes);
            assert_eq!(found.is_ok(), is_read, "{bytes}");
        }
    }

    fn page(encoding: Encoding, num_values: u32, buf: &[u8]) -> Page {
        Page::DataPage {
            buf: buf.to_vec().into(),
            num_values,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        }
    }

    #[test]
    fn claims_of_numbers_are_not_trusted() {
        let encoding = Encoding::DELTA_BYTE_ARRAY;
        // Blocks of 128 numbers in 4 parts: a number of them, the first, its end for more.
        let same = |count: &[u8], rest: &[u8]| [&[128, 1, 4][..], count, &[0], rest].concat();
        let (one, two) = (same(&[1], &[]), same(&[2], &[0, 0, 9, 9, 9]));
        let million = [128, 128, 64];
        let many = same(&million, &[0, 0, 0, 0, 0].repeat(1 << 13));
        let lists = |a: &[u8], b: &[u8]| [a, b].concat();
        for (count, bytes, is_sound) in [
            (1, lists(&one, &one), true),
            (2, lists(&two, &two), true),
            (1, lists(&one, &two), false),
            (1, lists(&two, &one), false),
            (2, one.clone(), false),
            (2, lists(&two[..6], &two), false),
            (127, same(&[127], &[0; 5]).repeat(2), true),
            (1 << 20, lists(&many, &many), true),
            (1 << 20, lists(&many[..many.len() - 1], &[]), false),
            // No parts, parts of no numbers, and a number of values without end.
            (1, vec![128, 1, 0, 1, 0], false),
            (1, [3, 4, 1, 0].repeat(2), false),
            (9, vec![3, 4, 9, 0, 0, 0, 0, 0, 0], false),
            (u32::MAX, lists(&same(&[255; 9], &[]), &one), false),
        ] {
            let levels = [&[2, 0, 0, 0, 9, 9], &bytes[..]].concat();
            assert_eq!(
                is_plausible(&page(encoding, count, &bytes), false),
                is_sound
            );
            assert_eq!(
                is_plausible(&page(encoding, count, &levels), true),
                is_sound
            );
        }
        let encoding = Encoding::DELTA_LENGTH_BYTE_ARRAY;
        assert!(is_plausible(&page(encoding, 2, &two), false));
        // In version 2 they begin after both kinds of levels.
        let version_2 = |values: &[u8]| Page::DataPageV2 {
            buf: [&[9; 5], values].concat().into(),
            num_values: 1,
            encoding,
            num_nulls: 0,
            num_rows: 1,
            def_levels_byte_len: 2,
            rep_levels_byte_len: 3,
            is_compressed: false,
            statistics: None,
        };
        assert!(is_plausible(&version_2(&one), true) && !is_plausible(&version_2(&two), true));
        // As many as the page says, but too many.
        let claim = same(&[129, 128, 128, 2], &[0, 0, 0, 0, 0].repeat(1 << 16));
        assert!(!is_plausible(&page(encoding, u32::MAX, &claim), false));
        assert!(is_plausible(
            &page(Encoding::PLAIN, u32::MAX, &claim),
            false
        ));
        let dictionary = |num_values| Page::DictionaryPage {
            buf: vec![0; 8].into(),
            num_values,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        assert!(is_plausible(&dictionary(2), false) && !is_plausible(&dictionary(3), false));
    }
}
