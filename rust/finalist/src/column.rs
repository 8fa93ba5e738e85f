// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values of a column, as Apache Arrow lays them out.

use core::marker::PhantomData;
use core::ops::Range;
use core::ptr;

use finalist_sys as sys;

use crate::{Algorithm, Error, Params};

/// Bytes that views refer to: one of a column's data buffers.
///
/// ```
/// let buffer = finalist::Buffer::new(b"bytes of several values");
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Buffer<'a> {
    c: sys::fin_buffer,
    bytes: PhantomData<&'a [u8]>,
}

// SAFETY: equivalent to a shared slice.
unsafe impl Send for Buffer<'_> {}
// SAFETY: as above.
unsafe impl Sync for Buffer<'_> {}

impl<'a> Buffer<'a> {
    /// Makes a buffer of these bytes.
    pub const fn new(bytes: &'a [u8]) -> Buffer<'a> {
        Buffer {
            c: sys::fin_buffer {
                data: bytes.as_ptr().cast(),
                bytes: bytes.len() as u64,
            },
            bytes: PhantomData,
        }
    }
}

/// Byte strings in one of Apache Arrow's layouts, read in place by [`hash_column_into`]. Whether
/// offsets and views lie within the data is checked there.
///
/// ```
/// use finalist::{Algorithm, Column, Params, hash_column_into, hash_into};
/// // "one", a null, "three"
/// let column = Column::from_offsets32(&[0, 3, 3, 8], b"onethree").validity(&[0b101], 0);
/// let mut digests = [0; 3 * 32];
/// hash_column_into(Algorithm::Blake2s, &Params::new(), &column, &mut digests)?;
/// let mut digest = [0; 32];
/// hash_into(Algorithm::Blake2s, &Params::new(), b"three", &mut digest)?;
/// assert_eq!(digests[64..], digest);
/// assert_eq!(digests[32..64], [0; 32]);
/// # Ok::<(), finalist::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Column<'a> {
    c: sys::fin_column,
    count: usize,
    values: PhantomData<&'a [u8]>,
}

// SAFETY: equivalent to shared slices.
unsafe impl Send for Column<'_> {}
// SAFETY: as above.
unsafe impl Sync for Column<'_> {}

impl<'a> Column<'a> {
    /// Makes a column of Binary or Utf8: value `i` is `data[offsets[i]..offsets[i + 1]]`. No
    /// offsets are no values.
    pub const fn from_offsets32(offsets: &'a [i32], data: &'a [u8]) -> Column<'a> {
        let mut column = Column::of(sys::FIN_COLUMN_OFFSETS32, offsets.len().saturating_sub(1));
        column.c.items = offsets.as_ptr().cast();
        column.with_data(data)
    }

    /// Makes a column of LargeBinary or LargeUtf8: the same with offsets of 64 bits.
    pub const fn from_offsets64(offsets: &'a [i64], data: &'a [u8]) -> Column<'a> {
        let mut column = Column::of(sys::FIN_COLUMN_OFFSETS64, offsets.len().saturating_sub(1));
        column.c.items = offsets.as_ptr().cast();
        column.with_data(data)
    }

    /// Makes a column of BinaryView or Utf8View: up to twelve bytes in the view itself, or in one
    /// of the buffers.
    pub const fn from_views(views: &'a [[u8; 16]], buffers: &'a [Buffer<'a>]) -> Column<'a> {
        let mut column = Column::of(sys::FIN_COLUMN_VIEWS, views.len());
        column.c.items = views.as_ptr().cast();
        // A buffer is transparent.
        column.c.buffers = buffers.as_ptr().cast();
        column.c.buffer_count = buffers.len();
        column
    }

    /// Makes a column of FixedSizeBinary: `count` values of `width` bytes each, without gaps.
    pub const fn from_fixed(width: usize, count: usize, data: &'a [u8]) -> Column<'a> {
        let mut column = Column::of(sys::FIN_COLUMN_FIXED, count);
        column.c.width = width;
        column.with_data(data)
    }

    /// Adds null entries: value `i` is null if bit `offset + i` of `bits` is 0, the least
    /// significant bit of a byte first.
    ///
    /// # Panics
    /// If `bits` has too few bits.
    pub const fn validity(mut self, bits: &'a [u8], offset: usize) -> Column<'a> {
        let end = offset.checked_add(self.count);
        assert!(
            matches!(end, Some(end) if end.div_ceil(8) <= bits.len()),
            "a bit for each value is required"
        );
        self.c.validity = bits.as_ptr();
        self.c.validity_offset = offset as u64;
        self
    }

    /// Returns the number of values, nulls included.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// True without any values.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns some of the values, which are not copied.
    ///
    /// # Panics
    /// If the range ends beyond the column.
    ///
    /// ```
    /// use finalist::{Algorithm, Column, Params, hash, hash_column_into};
    /// let column = Column::from_offsets32(&[0, 3, 6, 11], b"onetwothree").slice(1..2);
    /// let mut digest = [0; 32];
    /// hash_column_into(Algorithm::Blake2s, &Params::new(), &column, &mut digest)?;
    /// assert_eq!(digest[..], hash(Algorithm::Blake2s, &Params::new(), b"two")?);
    /// # Ok::<(), finalist::Error>(())
    /// ```
    pub fn slice(mut self, range: Range<usize>) -> Column<'a> {
        assert!(
            range.start <= range.end && range.end <= self.count,
            "no such values"
        );
        let c = &mut self.c;
        let (items, item_bytes) = match c.layout {
            sys::FIN_COLUMN_OFFSETS32 => (&mut c.items, 4),
            sys::FIN_COLUMN_OFFSETS64 => (&mut c.items, 8),
            sys::FIN_COLUMN_VIEWS => (&mut c.items, 16),
            _ => (&mut c.data, c.width),
        };
        // Values of fixed width may reach beyond the data, which hashing finds.
        let bytes = range.start.saturating_mul(item_bytes);
        *items = items.wrapping_byte_add(bytes);
        if c.layout == sys::FIN_COLUMN_FIXED {
            c.data_bytes = c.data_bytes.saturating_sub(bytes as u64);
        }
        c.validity_offset += range.start as u64;
        self.count = range.len();
        self
    }

    const fn of(layout: sys::fin_column_layout, count: usize) -> Column<'a> {
        Column {
            c: sys::fin_column {
                layout,
                data: ptr::null(),
                data_bytes: 0,
                items: ptr::null(),
                width: 0,
                buffers: ptr::null(),
                buffer_count: 0,
                validity: ptr::null(),
                validity_offset: 0,
            },
            count,
            values: PhantomData,
        }
    }

    const fn with_data(mut self, data: &'a [u8]) -> Column<'a> {
        self.c.data = data.as_ptr().cast();
        self.c.data_bytes = data.len() as u64;
        self
    }
}

/// Hashes the values of a column as [`hash_many_into`](crate::hash_many_into) does: their digests
/// one after the other, zeros for nulls.
///
/// # Errors
/// Those of [`hash_many_into`](crate::hash_many_into), and [`Error::Column`] for offsets that run
/// backwards and for offsets, views or widths that reach beyond the data. Nothing is written then.
pub fn hash_column_into(
    algorithm: Algorithm,
    params: &Params<'_>,
    column: &Column<'_>,
    digests: &mut [u8],
) -> Result<(), Error> {
    let stride = crate::many::known_length(algorithm, params)?;
    crate::many::check_output(column.count, stride, digests)?;
    // SAFETY: the column was made from slices that it still borrows, with an item and a bit for each
    // value; the buffer holds a digest for each.
    Error::check(params.with_c(|params| unsafe {
        sys::fin_hash_column(
            algorithm.number(),
            params,
            &column.c,
            column.count,
            digests.as_mut_ptr(),
            stride,
        )
    }))
}

/// Hashes the values of a column as [`hash_column_into`] does, by the threads of the current rayon
/// pool: the same digests for any number of them. Few bytes are hashed by the calling thread alone.
///
/// # Errors
/// Those of [`hash_column_into`]; after [`Error::Column`], some digests may be written.
///
/// ```
/// use finalist::{Algorithm, Column, Params, hash_column_into, hash_column_parallel_into};
/// let data = vec![7; 10_000 * 16];
/// let column = Column::from_fixed(16, 10_000, &data);
/// let (mut one, mut several) = (vec![0; 10_000 * 32], vec![0; 10_000 * 32]);
/// hash_column_into(Algorithm::Blake2s, &Params::new(), &column, &mut one)?;
/// hash_column_parallel_into(Algorithm::Blake2s, &Params::new(), &column, &mut several)?;
/// assert_eq!(one, several);
/// # Ok::<(), finalist::Error>(())
/// ```
#[cfg(feature = "rayon")]
pub fn hash_column_parallel_into(
    algorithm: Algorithm,
    params: &Params<'_>,
    column: &Column<'_>,
    digests: &mut [u8],
) -> Result<(), Error> {
    let stride = crate::many::known_length(algorithm, params)?;
    crate::many::check_output(column.count, stride, digests)?;
    let digests = &mut digests[..column.count * stride];
    let blocks = column.count.saturating_mul(crate::parts::BLOCK_BYTES);
    let bytes = blocks.max(usize::try_from(column.c.data_bytes).unwrap_or(usize::MAX));
    crate::digests_in_parts(digests, stride, bytes, |rows, digests| {
        hash_column_into(algorithm, params, &column.slice(rows), digests)
    })
}
