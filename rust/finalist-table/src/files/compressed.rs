// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens the pages of a column and decompresses them: gzip and zstd here, Snappy in the parquet
//! crate, whose other libraries make the tool larger and its build longer.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use zlib_rs::{Inflate, InflateFlush, Status};

/// The maximum length of a page, which its header has as a signed integer of 32 bits.
const PAGE_BYTES_MAX: usize = i32::MAX as usize;
/// Bytes by which the output of gzip grows at least.
const BYTES_AT_ONCE: usize = 64 << 10;
/// The `window_bits` of zlib for any window after a header of gzip or zlib.
const GZIP_OR_ZLIB: u8 = 32 + 15;

/// Returns the pages of a leaf column of a row group.
pub fn pages_of(
    file: &Arc<File>,
    group: &RowGroupMetaData,
    leaf: usize,
) -> std::result::Result<Box<dyn PageReader>, String> {
    let chunk = group.column(leaf);
    let rows = usize::try_from(group.num_rows()).map_err(|error| error.to_string())?;
    let failed = |error: ParquetError| error.to_string();
    let codec = match chunk.compression() {
        Compression::UNCOMPRESSED | Compression::SNAPPY => {
            let pages = SerializedPageReader::new(file.clone(), chunk, rows, None);
            return Ok(Box::new(pages.map_err(failed)?));
        }
        Compression::GZIP(_) => Codec::Gzip,
        Compression::ZSTD(_) => Codec::Zstd(Box::default()),
        other => {
            let name = format!("{other:?}");
            let name = name.split('(').next().unwrap_or_default();
            return Err(format!(
                "compressed with {name}; this tool reads Snappy, zstd, gzip and uncompressed Parquet \
                 (Python's finalist reads all)"
            ));
        }
    };
    // The reader returns pages as they are in the file.
    let plain = chunk.clone().into_builder();
    let plain = plain.set_compression(Compression::UNCOMPRESSED).build();
    let pages = SerializedPageReader::new(file.clone(), &plain.map_err(failed)?, rows, None);
    let pages = pages.map_err(failed)?;
    Ok(Box::new(Decompressed { pages, codec }))
}

enum Codec {
    Gzip,
    Zstd(Box<FrameDecoder>),
}

impl Codec {
    fn decompress_page(&mut self, page: &mut Page) -> Result<()> {
        match page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => {
                *buf = self.decompress(buf, 0)?.into();
            }
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed: true,
                ..
            } => {
                let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                *buf = self.decompress(buf, levels)?.into();
            }
            Page::DataPageV2 { .. } => (),
        }
        Ok(())
    }

    /// Returns the first bytes of a page, which are not compressed, and the others decompressed.
    fn decompress(&mut self, page: &[u8], plain_bytes: usize) -> Result<Vec<u8>> {
        let (plain, compressed) = page.split_at_checked(plain_bytes).ok_or_else(damaged)?;
        let mut out = plain.to_vec();
        // A page without values may have no bytes.
        if !compressed.is_empty() {
            match self {
                Codec::Gzip => gunzip(compressed, &mut out, PAGE_BYTES_MAX),
                Codec::Zstd(decoder) => unzstd(compressed, decoder, &mut out, PAGE_BYTES_MAX),
            }
            .ok_or_else(damaged)?;
        }
        Ok(out)
    }
}

fn damaged() -> ParquetError {
    ParquetError::General("a page cannot be decompressed".to_owned())
}

/// Appends the content of one or several streams of gzip or zlib, up to a length of `max`.
fn gunzip(mut bytes: &[u8], out: &mut Vec<u8>, max: usize) -> Option<()> {
    while !bytes.is_empty() {
        let mut inflate = Inflate::new(true, GZIP_OR_ZLIB);
        let mut status = Status::Ok;
        while status != Status::StreamEnd {
            let (read, written) = (inflate.total_in(), inflate.total_out());
            let end = out.len();
            out.resize(end + bytes.len().max(BYTES_AT_ONCE), 0);
            let rest = &bytes[read as usize..];
            let done = inflate.decompress(rest, &mut out[end..], InflateFlush::NoFlush);
            status = done.ok()?;
            let more = (inflate.total_out() - written) as usize;
            out.truncate(end + more);
            let is_moving = more > 0 || inflate.total_in() > read;
            (is_moving && out.len() <= max).then_some(())?;
        }
        bytes = &bytes[inflate.total_in() as usize..];
    }
    Some(())
}

/// Appends the content of one or several frames of zstd, up to a length of `max`.
fn unzstd(
    mut bytes: &[u8],
    decoder: &mut FrameDecoder,
    out: &mut Vec<u8>,
    max: usize,
) -> Option<()> {
    while !bytes.is_empty() {
        let stream = StreamingDecoder::new_with_decoder(&mut bytes, &mut *decoder).ok()?;
        // A byte more than fits tells that the frame is too long: its last block may be decoded.
        let left = max.checked_sub(out.len())? as u64 + 1;
        stream.take(left).read_to_end(out).ok()?;
        (out.len() <= max).then_some(())?;
        let expected = decoder.get_checksum_from_data();
        (expected.is_none() || expected == decoder.get_calculated_checksum()).then_some(())?;
    }
    Some(())
}

/// Reads pages and decompresses them.
struct Decompressed {
    pages: SerializedPageReader<File>,
    codec: Codec,
}

impl Iterator for Decompressed {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Decompressed {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.pages.get_next_page()? else {
            return Ok(None);
        };
        self.codec.decompress_page(&mut page)?;
        Ok(Some(page))
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
    use parquet::basic::Encoding;

    use super::*;

    const GZIP_AB: [u8; 22] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 2, 0, 109, 72, 131, 158, 2, 0, 0, 0,
    ];
    const GZIP_EMPTY: [u8; 20] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    const ZLIB_C: [u8; 9] = [120, 156, 75, 6, 0, 0, 100, 0, 100];
    const ZSTD_AB: [u8; 15] = [
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x11, 0, 0, b'a', b'b', 0x61, 0x4a, 0xd0, 0x92,
    ];
    const ZSTD_C: [u8; 10] = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, 9, 0, 0, b'c'];

    fn codecs() -> [(Codec, Vec<u8>, usize); 2] {
        let gzip = [&GZIP_AB[..], &ZLIB_C].concat();
        let zstd = [&ZSTD_AB[..], &ZSTD_C].concat();
        let zstd_codec = Codec::Zstd(Box::default());
        [
            (Codec::Gzip, gzip, GZIP_AB.len()),
            (zstd_codec, zstd, ZSTD_AB.len()),
        ]
    }

    #[test]
    fn streams_in_a_page_are_concatenated() {
        for (mut codec, bytes, _) in codecs() {
            assert_eq!(codec.decompress(&bytes, 0).ok(), Some(b"abc".to_vec()));
            let with_levels = [b"x", &bytes[..]].concat();
            let page = codec.decompress(&with_levels, 1).ok();
            assert_eq!(page, Some(b"xabc".to_vec()));
            assert_eq!(codec.decompress(b"x", 1).ok(), Some(b"x".to_vec()));
            assert!(codec.decompress(b"x", 2).is_err());
        }
    }

    #[test]
    fn levels_before_a_page_are_not_compressed() {
        for (mut codec, bytes, _) in codecs() {
            let mut page = Page::DataPageV2 {
                buf: [b"ddr", &bytes[..]].concat().into(),
                num_values: 3,
                encoding: Encoding::PLAIN,
                num_nulls: 0,
                num_rows: 1,
                def_levels_byte_len: 2,
                rep_levels_byte_len: 1,
                is_compressed: true,
                statistics: None,
            };
            codec.decompress_page(&mut page).expect("a page");
            assert_eq!(page.buffer()[..], b"ddrabc"[..]);
            if let Page::DataPageV2 { is_compressed, .. } = &mut page {
                *is_compressed = false;
            }
            codec.decompress_page(&mut page).expect("a page");
            assert_eq!(page.buffer()[..], b"ddrabc"[..], "it is as it was");
        }
    }

    /// Pages of nulls alone are such streams in some files.
    #[test]
    fn a_stream_may_be_empty() {
        let (mut codec, bytes) = (Codec::Gzip, [&GZIP_EMPTY[..], &GZIP_AB].concat());
        assert_eq!(codec.decompress(&GZIP_EMPTY, 0).ok(), Some(Vec::new()));
        assert_eq!(codec.decompress(&bytes, 0).ok(), Some(b"ab".to_vec()));
    }

    /// Frames without checksums, which are decoded a block at a time.
    #[test]
    fn longer_pages_than_parquet_has_are_refused() {
        let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, 49, 0, 0][..], b"defghi"].concat();
        let zstd = [&ZSTD_C[..], &frame].concat();
        let gzip = [&ZLIB_C[..], &GZIP_AB].concat();
        for max in 0..10 {
            let (mut out, mut decoder) = (b"x".to_vec(), FrameDecoder::new());
            let fits = (max >= b"xcdefghi".len()).then_some(());
            assert_eq!(unzstd(&zstd, &mut decoder, &mut out, max), fits, "{max}");
            assert!(out.len() <= max + 1, "it reads no further");
            let (mut out, fits) = (b"x".to_vec(), (max >= b"xcab".len()).then_some(()));
            assert_eq!(gunzip(&gzip, &mut out, max), fits, "{max}");
        }
    }

    #[test]
    fn cut_streams_and_wrong_checksums_are_refused() {
        for (mut codec, bytes, first) in codecs() {
            for end in (1..first).chain(first + 1..bytes.len()) {
                assert!(codec.decompress(&bytes[..end], 0).is_err(), "{end}");
            }
            let mut wrong = bytes[..first].to_vec();
            wrong[first - 5] ^= 1;
            assert!(codec.decompress(&wrong, 0).is_err());
        }
    }

    #[test]
    fn long_streams_are_decompressed() {
        // 300 blocks of RLE: 39 MB of zeros.
        let mut zstd = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
        for number in 0..300u32 {
            let header = (128 << 10) << 3 | 1 << 1 | u32::from(number == 299);
            zstd.extend_from_slice(&header.to_le_bytes()[..3]);
            zstd.push(0);
        }
        let mut codec = Codec::Zstd(Box::default());
        let page = codec.decompress(&zstd, 0).unwrap_or_default();
        assert_eq!(page, vec![0; 300 * (128 << 10)]);
    }
}
