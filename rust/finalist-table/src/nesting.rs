// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts the levels of nested columns of Parquet files. The decoder calls itself for each, so that a
//! hostile file could overflow the stack, which ends the process.
//!
//! A file's metadata are a structure in Thrift's compact protocol: a field begins with a byte, which
//! has its type and the distance from the last field's number, or 0 if the number follows. Numbers
//! have variable lengths; structures end with 0.

/// The most levels of nested columns that are read: 500 fit in a thread's stack.
const LEVELS_MAX: usize = 200;
/// The deepest nesting of structures that the decoder reads.
const DEPTH_MAX: usize = 64;

const MAGIC: &[u8] = b"PAR1";
/// Bytes of the metadata's length and of the magic number, which end a file.
const END_BYTES: usize = 8;
/// Fields: the schema's elements in the metadata, the number of children in an element.
const SCHEMA: i64 = 2;
const CHILDREN: i64 = 5;

/// Checks a Parquet file before its metadata are decoded. `length`: of the file in bytes. `read`
/// returns bytes at an offset, `None` if there are fewer; other damage is left to the decoder.
///
/// # Errors
/// The columns are nested too deep; the text says so.
pub fn check_nesting<B: AsRef<[u8]>>(
    length: u64,
    read: impl Fn(u64, usize) -> Option<B>,
) -> Result<(), String> {
    match levels_of(length, read) {
        Some(LEVELS_MAX..) => Err(format!(
            "columns are nested {LEVELS_MAX} levels deep or more"
        )),
        _ => Ok(()),
    }
}

/// Returns how deep the columns of a file are nested; `None` if there are no metadata.
fn levels_of<B: AsRef<[u8]>>(length: u64, read: impl Fn(u64, usize) -> Option<B>) -> Option<usize> {
    let end = length.checked_sub(END_BYTES as u64)?;
    let tail = read(end, END_BYTES)?;
    let (bytes, magic) = tail.as_ref().split_first_chunk::<4>()?;
    let bytes = u32::from_le_bytes(*bytes);
    let start = end.checked_sub(u64::from(bytes))?;
    if magic != MAGIC {
        return None;
    }
    let metadata = read(start, bytes as usize)?;
    Some(Reader(metadata.as_ref()).levels())
}

/// Types of fields.
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads a number that may be negative.
    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn bytes(&mut self, count: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    /// Moves on to the next field of a structure. Returns its type, 0 at the end.
    fn field(&mut self, number: &mut i64) -> Option<u8> {
        let header = self.byte()?;
        if header & 15 != 0 {
            *number = match header >> 4 {
                0 => self.signed()?,
                distance => *number + i64::from(distance),
            };
        }
        Some(header & 15)
    }

    /// Reads the number of a list's elements, and their type.
    fn list(&mut self) -> Option<(u64, u8)> {
        let header = self.byte()?;
        let count = match header >> 4 {
            15 => self.number()?,
            few => u64::from(few),
        };
        Some((count, header & 15))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            ..=FALSE => Some(()),
            BYTE => self.bytes(1),
            I16..=I64 => self.number().map(drop),
            DOUBLE => self.bytes(8),
            BINARY => {
                let count = self.number()?;
                self.bytes(count)
            }
            _ if depth == DEPTH_MAX => None,
            LIST | SET => {
                let (count, kind) = self.list()?;
                // An element has a byte at least.
                let count = (count <= self.0.len() as u64).then_some(count)?;
                (0..count).try_for_each(|_| match kind {
                    ..=FALSE => self.bytes(1),
                    _ => self.skip(kind, depth + 1),
                })
            }
            STRUCT => {
                let mut number = 0;
                loop {
                    match self.field(&mut number)? {
                        0 => return Some(()),
                        kind => self.skip(kind, depth + 1)?,
                    }
                }
            }
            _ => None,
        }
    }

    /// Reads an element of the schema. Returns its number of children.
    fn children(&mut self) -> Option<i64> {
        let (mut number, mut children) = (0, 0);
        loop {
            match self.field(&mut number)? {
                0 => return Some(children),
                _ if number == CHILDREN => children = self.signed()?,
                kind => self.skip(kind, 0)?,
            }
        }
    }

    /// Returns the levels of the schema, as far as it can be read: the decoder reads no further.
    fn levels(&mut self) -> usize {
        let (mut number, mut levels) = (0, 0);
        while let Some(kind @ 1..) = self.field(&mut number) {
            let read = match number {
                SCHEMA => self.schema(&mut levels),
                _ => self.skip(kind, 0),
            };
            if read.is_none() {
                break;
            }
        }
        levels
    }

    fn schema(&mut self, levels: &mut usize) -> Option<()> {
        let (count, _) = self.list()?;
        // The numbers of children to come, of the groups that are not complete.
        let mut groups = Vec::new();
        for _ in 0..count {
            let children = self.children()?;
            if let Some(left) = groups.last_mut() {
                *left -= 1;
            }
            if children > 0 {
                groups.push(children);
            }
            *levels = groups.len().max(*levels);
            while groups.last() == Some(&0) {
                groups.pop();
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns metadata with a column in this number of groups, and one after it.
    fn nested(groups: u8) -> Vec<u8> {
        // Field 5, a number: 4 is two in zigzag. Field 4: a name of one byte.
        let group = |children: u8| [0x48, 1, b'a', 0x15, 2 * children, 0];
        let leaf = [0x15, 2, 0x38, 1, b'a', 0];
        let mut elements = vec![group(2)];
        elements.extend((0..groups).map(|_| group(1)));
        elements.extend([leaf, leaf]);
        let count = elements.len();
        let mut metadata = vec![0x15, 4, 0x19, 0xfc, count as u8 | 0x80, (count >> 7) as u8];
        metadata.extend(elements.concat());
        metadata.push(0);
        let length = (metadata.len() as u32).to_le_bytes();
        [MAGIC, &metadata, &length, MAGIC].concat()
    }

    fn check(file: &[u8]) -> Result<(), String> {
        let read = |at: u64, count: usize| file.get(at as usize..)?.get(..count);
        check_nesting(file.len() as u64, read)
    }

    #[test]
    fn columns_that_are_nested_too_deep_are_refused() {
        for groups in [0, 1, 20, 198] {
            assert_eq!(check(&nested(groups)), Ok(()), "{groups}");
        }
        let text = "columns are nested 200 levels deep or more";
        for groups in [199, 255] {
            assert_eq!(check(&nested(groups)), Err(text.to_owned()), "{groups}");
        }
        // Metadata that are cut are left to the decoder, and so is what is no Parquet file.
        let file = nested(199);
        for cut in 0..file.len() {
            let (start, end) = (&file[..cut], &file[file.len() - END_BYTES..]);
            let _ = check(&[start, end].concat());
            assert_eq!(check(start), Ok(()));
        }
    }
}
