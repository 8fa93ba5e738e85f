// SPDX-License-Identifier: MIT OR Apache-2.0
//! The encoding of docs/format/rows.md, in which leaves and roots are hashed.

const VERSION: u8 = 1;
const NULL: u8 = 0;
const BOOLEAN: u8 = 1;
const INTEGER: u8 = 2;
const BINARY: u8 = 5;
const STRING: u8 = 6;

/// Appends one row's encoding to a buffer, value by value.
pub struct Encoder<'a>(&'a mut Vec<u8>);

impl<'a> Encoder<'a> {
    pub fn new(out: &'a mut Vec<u8>) -> Encoder<'a> {
        out.push(VERSION);
        Encoder(out)
    }

    pub fn null(self) -> Encoder<'a> {
        self.0.push(NULL);
        self
    }

    pub fn boolean(self, value: bool) -> Encoder<'a> {
        self.0.extend([BOOLEAN, u8::from(value)]);
        self
    }

    pub fn integer(self, value: u64) -> Encoder<'a> {
        self.0.push(INTEGER);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn binary(self, value: &[u8]) -> Encoder<'a> {
        self.bytes(BINARY, value)
    }

    pub fn string(self, value: &str) -> Encoder<'a> {
        self.bytes(STRING, value.as_bytes())
    }

    fn bytes(self, kind: u8, value: &[u8]) -> Encoder<'a> {
        self.0.push(kind);
        self.0.extend((value.len() as u64).to_le_bytes());
        self.0.extend(value);
        self
    }
}
