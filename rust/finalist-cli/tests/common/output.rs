// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the output of a command as text, JSON and rows.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::{Done, finalist};

/// Returns the folder of the package.
pub fn here() -> &'static Path {
    Path::new(".")
}

/// Runs the tool with the words of a line.
pub fn run(line: &str) -> Done {
    finalist(here(), &line.split_whitespace().collect::<Vec<_>>())
}

pub fn text(done: &Done) -> &str {
    std::str::from_utf8(&done.stdout.0).expect("the output is UTF-8")
}

pub fn json(done: &Done) -> Value {
    serde_json::from_str(text(done)).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

/// Returns the items of an array.
pub fn rows(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

/// Returns the names of an object's fields.
pub fn fields(row: &Value) -> BTreeSet<&str> {
    row.as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}
