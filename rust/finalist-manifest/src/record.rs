// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows and marks as records of a journal.

use std::str::{self, FromStr};

use csv::ByteRecord;

use crate::row::{Content, Metadata, Row, Stamp};

/// Fields of a mark's record; a row's has one less.
pub const MARK_FIELDS: usize = 8;

/// The progress of a run in a long file.
pub struct Mark {
    pub path: Vec<u8>,
    pub size: u64,
    pub stamp: Stamp,
    pub bytes: u64,
    pub midstate: Vec<u8>,
}

/// Returns the row in a record. Ignores the tag.
pub fn row(record: &ByteRecord) -> Option<Row> {
    let fields: Vec<&[u8]> = record.iter().collect();
    let [path, size, modified_ns, changed_ns, inode, digest, _] = fields.try_into().ok()?;
    Some(Row {
        path: path.to_vec(),
        content: Ok(Content {
            size: number(size)?,
            digest: hex::decode(digest).ok()?,
            stamp: stamp([modified_ns, changed_ns, inode])?,
        }),
        // The mode is taken from the listed file.
        metadata: Metadata::default(),
    })
}

/// Returns the mark in a record. Ignores the tag.
pub fn mark(record: &ByteRecord) -> Option<Mark> {
    let fields: Vec<&[u8]> = record.iter().collect();
    let fields: [&[u8]; MARK_FIELDS] = fields.try_into().ok()?;
    let [
        path,
        size,
        modified_ns,
        changed_ns,
        inode,
        midstate,
        bytes,
        _,
    ] = fields;
    Some(Mark {
        path: path.to_vec(),
        size: number(size)?,
        stamp: stamp([modified_ns, changed_ns, inode])?,
        bytes: number(bytes)?,
        midstate: hex::decode(midstate).ok()?,
    })
}

/// Begins the record of a row or mark.
pub fn record_of(path: &[u8], size: u64, stamp: &Stamp) -> ByteRecord {
    let text = |number: Option<i64>| number.map_or(String::new(), |number| number.to_string());
    let mut record = ByteRecord::new();
    record.push_field(path);
    record.push_field(size.to_string().as_bytes());
    for time in [stamp.modified_ns, stamp.changed_ns, stamp.inode] {
        record.push_field(text(time).as_bytes());
    }
    record
}

fn number<N: FromStr>(field: &[u8]) -> Option<N> {
    str::from_utf8(field).ok()?.parse().ok()
}

fn stamp(fields: [&[u8]; 3]) -> Option<Stamp> {
    let optional = |field: &[u8]| match field {
        b"" => Some(None),
        field => Some(Some(number(field)?)),
    };
    let [modified_ns, changed_ns, inode] = fields.map(optional);
    Some(Stamp {
        modified_ns: modified_ns?,
        changed_ns: changed_ns?,
        inode: inode?,
    })
}
