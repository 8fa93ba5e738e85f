// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the schema that Arrow's writers leave in Parquet's metadata, for the one type that
//! Parquet's own schema lacks: durations, which it stores as integers. The schema is a flatbuffer
//! in Base64 (Arrow's format/Schema.fbs and Message.fbs). Unknown parts are taken to contain no
//! durations.

/// Type numbers in Arrow's union.
const STRUCT: u8 = 13;
const DURATION: u8 = 18;
/// Maximum depth of nesting to search.
const DEPTH_MAX: usize = 64;

/// Returns for each leaf column the unit of its durations in nanoseconds, if it contains any.
pub fn durations(schema: &str) -> Vec<Option<i64>> {
    let bytes = decoded(schema);
    let mut found = Vec::new();
    let walked = fields_of(&bytes).and_then(|fields| {
        for field in fields {
            walk(&bytes, field, 0, &mut found)?;
        }
        Some(())
    });
    match walked {
        Some(()) => found,
        None => Vec::new(),
    }
}

/// Decodes Base64 up to the first other character.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for value in text.bytes().map_while(digit) {
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn number<const BYTES: usize>(bytes: &[u8], at: usize) -> Option<[u8; BYTES]> {
    bytes.get(at..at.checked_add(BYTES)?)?.try_into().ok()
}

/// Returns the position that an offset refers to.
fn target(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(u32::from_le_bytes(number(bytes, at)?) as usize)
}

/// Returns the position of a table's field, or `Some(None)` if it has the default value.
fn field(bytes: &[u8], table: usize, index: usize) -> Option<Option<usize>> {
    let back = i32::from_le_bytes(number(bytes, table)?);
    let list = usize::try_from(i64::try_from(table).ok()? - i64::from(back)).ok()?;
    let length = usize::from(u16::from_le_bytes(number(bytes, list)?));
    let place = 4 + 2 * index;
    if place + 2 > length {
        return Some(None);
    }
    Some(match u16::from_le_bytes(number(bytes, list + place)?) {
        0 => None,
        offset => Some(table + usize::from(offset)),
    })
}

/// Returns the positions of the tables in a vector.
fn tables(bytes: &[u8], vector: usize) -> Option<Vec<usize>> {
    let start = target(bytes, vector)?;
    let count = u32::from_le_bytes(number(bytes, start)?) as usize;
    (0..count)
        .map(|each| target(bytes, start + 4 + 4 * each))
        .collect()
}

/// Returns the positions of the fields of the schema in a message.
fn fields_of(bytes: &[u8]) -> Option<Vec<usize>> {
    // A mark of 4 bytes 0xff, which older writers omit, and the length precede a message.
    let is_marked = number(bytes, 0)? == [0xff; 4];
    let message = target(bytes, if is_marked { 8 } else { 4 })?;
    let schema = target(bytes, field(bytes, message, 2)??)?;
    tables(bytes, field(bytes, schema, 1)??)
}

/// Adds the units of a field's leaves.
fn walk(bytes: &[u8], table: usize, depth: usize, found: &mut Vec<Option<i64>>) -> Option<()> {
    if depth > DEPTH_MAX || found.len() > bytes.len() {
        return None;
    }
    let [kind] = field(bytes, table, 2)?.map_or(Some([0]), |at| number(bytes, at))?;
    let children = match field(bytes, table, 5)? {
        Some(at) => tables(bytes, at)?,
        None => Vec::new(),
    };
    if kind == DURATION {
        let about = target(bytes, field(bytes, table, 3)??)?;
        // The default is milliseconds.
        let unit = field(bytes, about, 0)?.map_or(Some([1, 0]), |at| number(bytes, at))?;
        let nanoseconds = [1_000_000_000, 1_000_000, 1000, 1];
        let unit = nanoseconds.get(usize::from(u16::from_le_bytes(unit)))?;
        found.push(Some(*unit));
    } else if children.is_empty() && kind != STRUCT {
        found.push(None);
    }
    for child in children {
        walk(bytes, child, depth + 1, found)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of leaves below nested fields, each with this many times the same child.
    fn leaves(levels: usize, children: u32) -> Option<usize> {
        // The offsets of a field's members: with children, and without any.
        let mut bytes: Vec<u8> = [16_u16, 8, 0, 0, 0, 0, 0, 4, 4, 4]
            .into_iter()
            .flat_map(u16::to_le_bytes)
            .collect();
        let root = bytes.len();
        for _ in 0..levels {
            // The distance back to those offsets, the offset of the children, their number, the offset
            // of each.
            let field = [bytes.len() as u32, 4, children, 8, 4];
            bytes.extend(field.into_iter().flat_map(u32::to_le_bytes));
        }
        bytes.extend((bytes.len() as u32 - 16).to_le_bytes());
        let mut found = Vec::new();
        walk(&bytes, root, 0, &mut found)?;
        Some(found.len())
    }

    #[test]
    fn hostile_schemas_are_refused() {
        assert_eq!(leaves(64, 1), Some(1));
        assert_eq!(leaves(3, 2), Some(8));
        assert_eq!(leaves(65, 1), None);
        assert_eq!(leaves(22, 2), None);
    }

    #[test]
    fn base64_needs_no_padding() {
        for (text, bytes) in [("QUJD", "ABC"), ("QUI", "AB"), ("QQ==", "A")] {
            assert_eq!(decoded(text), bytes.as_bytes(), "{text}");
        }
    }

    /// Parquet has no column for it, so that the next column's unit is in its place.
    #[test]
    fn a_struct_without_fields_has_no_leaves() {
        for (kind, leaves) in [(12, 1), (13, 0), (14, 1)] {
            // The offsets of a field's members, of which it has only the type; then the field.
            let bytes = [10, 0, 8, 0, 0, 0, 0, 0, 4, 0, 10, 0, 0, 0, kind];
            let mut found = Vec::new();
            assert_eq!(walk(&bytes, 10, 0, &mut found), Some(()));
            assert_eq!(found.len(), leaves);
        }
    }
}
