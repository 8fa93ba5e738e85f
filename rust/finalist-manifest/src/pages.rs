// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the pages of a manifest's columns, which are uncompressed or in Snappy, and bounds their
//! length: the parquet crate trusts the length that a page claims.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

/// Far above the 1 MiB at which writers end a page. Values may share bytes of a page, but none is
/// longer than it.
const PAGE_BYTES_MAX: usize = 16 << 20;
/// More than a byte of Snappy becomes: three bytes copy up to 64.
const SNAPPY_RATIO_MAX: usize = 32;

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
    Ok(Box::new(Pages { pages, is_snappy }))
}

fn general(text: &str) -> ParquetError {
    ParquetError::General(text.to_owned())
}

struct Pages<R: ChunkReader> {
    pages: SerializedPageReader<R>,
    is_snappy: bool,
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
    (all <= PAGE_BYTES_MAX && length / SNAPPY_RATIO_MAX <= compressed.len()).then_some(())?;
    let mut out = plain.to_vec();
    out.resize(all, 0);
    let mut decoder = snap::raw::Decoder::new();
    let decoded = decoder.decompress(compressed, &mut out[plain_bytes..]);
    decoded.ok().map(|_| out.into())
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
        let damaged = || general("a page is damaged or longer than 16 MiB");
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
        match page.buffer().len() <= PAGE_BYTES_MAX {
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
}
