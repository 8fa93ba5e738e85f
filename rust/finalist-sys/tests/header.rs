// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares this crate with include/finalist.h: each must declare exactly the constants, structures
//! and functions of the other, with the same numbers, fields and types.

use std::collections::BTreeMap;
use std::fmt::Debug;

use finalist_sys::{fin_context, fin_context_alignment, fin_context_bytes, fin_version};
use regex_lite::{Captures, Regex};

const HEADER: &str = include_str!("../include/finalist.h");
const CRATE: &str = concat!(
    include_str!("../src/lib.rs"),
    include_str!("../src/structs.rs"),
    include_str!("../src/functions.rs")
);

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a well-formed pattern")
}

/// Returns every match of a pattern with two groups: name and text.
fn items(text: &str, pattern: &str) -> BTreeMap<String, String> {
    let item = |found: Captures<'_>| (found[1].to_owned(), found[2].to_owned());
    regex(pattern).captures_iter(text).map(item).collect()
}

/// Like `assert_eq!`, but names only the differences.
fn assert_same<T: PartialEq + Debug>(rust: &BTreeMap<String, T>, header: &BTreeMap<String, T>) {
    for name in rust.keys().chain(header.keys()) {
        assert_eq!(
            rust.get(name),
            header.get(name),
            "{name}: this crate (left) and the header (right) differ"
        );
    }
}

fn header() -> String {
    regex(r"(?s)/\*.*?\*/").replace_all(HEADER, "").into_owned()
}

/// Translates a C type with its qualifiers to Rust.
fn rust_type(c: &str) -> String {
    let parts = regex(r"^(const )?(\w+)\s*(\**)$");
    let parts = parts
        .captures(c.trim())
        .unwrap_or_else(|| panic!("not understood: '{c}'"));
    let base = match &parts[2] {
        "char" => "c_char",
        "void" => "c_void",
        "unsigned" => "c_uint",
        "size_t" => "usize",
        "uint8_t" => "u8",
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        other => other,
    };
    let pointer = if parts.get(1).is_some() {
        "*const "
    } else {
        "*mut "
    };
    match &parts[3] {
        "" => base.to_owned(),
        "*" => format!("{pointer}{base}"),
        _ => format!("*mut {pointer}{base}"),
    }
}

/// Translates the declaration of a C field or parameter to (name, Rust type).
fn declaration(c: &str) -> (String, String) {
    let parts = regex(r"(?s)^(.*?)(\w+)$")
        .captures(c.trim())
        .map(|p| (p[1].into(), p[2].into()));
    let (c_type, name): (String, String) = parts.unwrap_or_else(|| panic!("no name: '{c}'"));
    (name, rust_type(&c_type))
}

fn constants_of_header() -> BTreeMap<String, u64> {
    let mut constants = BTreeMap::new();
    for body in items(&header(), r"(?s)typedef enum (\w+) \{(.*?)\}").into_values() {
        let mut next = 0;
        for entry in body.split(',') {
            let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
            next = value.trim().parse().unwrap_or(next);
            constants.insert(name.trim().to_owned(), next);
            next += 1;
        }
    }
    let defines = items(&header(), r"#define (FIN_\w+) (\d+|UINT64_MAX)\n");
    constants.extend(
        defines
            .into_iter()
            .map(|(n, v)| (n, v.parse().unwrap_or(u64::MAX))),
    );
    constants
}

#[test]
fn constants_are_the_header_s() {
    let constants = items(CRATE, r"pub const (FIN_\w+): \w+ = ([\w:]+);");
    let constants: BTreeMap<_, _> = constants
        .into_iter()
        .map(|(name, value)| (name, value.parse().unwrap_or(u64::MAX)))
        .collect();
    assert_same(&constants, &constants_of_header());
    assert!(constants.len() > 40);
}

/// Lists the fields of a C structure, each as `name: type`.
fn fields(body: &str) -> Vec<String> {
    // Rust has a named type for each union.
    let unions = regex(r"(?s)union \{[^}]*\} (\w+);");
    let body = unions.replace_all(body, "fin_chain_$1 $1;");
    let array = regex(r"^(\w+)\[(.+)\]$");
    let mut fields = Vec::new();
    for line in body
        .split(';')
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        // A declaration has several names only if they are arrays or of a plain type.
        let (first, more) = line
            .split_once(',')
            .map_or((line, ""), |(first, more)| (first, more));
        let dimension = first.find('[').unwrap_or(first.len());
        let (name, field_type) = declaration(&first[..dimension]);
        let names = std::iter::once(format!("{name}{}", &first[dimension..]));
        for name in names.chain(more.split(',').map(|n| n.trim().to_owned())) {
            match array.captures(&name) {
                Some(parts) => fields.push(format!("{}: [{field_type}; {}]", &parts[1], &parts[2])),
                None if name.is_empty() => {}
                // `in` is a keyword in Rust.
                None if name == "in" => fields.push(format!("input: {field_type}")),
                None => fields.push(format!("{name}: {field_type}")),
            }
        }
    }
    fields
}

#[test]
fn structures_are_the_header_s() {
    let header = items(&header(), r"(?s)typedef struct (\w+) \{(.*?)\n\} \w+;");
    let header: BTreeMap<_, _> = header
        .into_iter()
        .map(|(n, body)| (n, fields(&body)))
        .collect();
    let rust = items(CRATE, r"(?s)pub struct (\w+) \{(.*?)\n\}");
    let lines = regex(r"pub (\w+: .+),");
    let fields = |body: &str| lines.captures_iter(body).map(|f| f[1].to_owned()).collect();
    let rust: BTreeMap<_, Vec<_>> = rust
        .into_iter()
        .map(|(n, body)| (n, fields(&body)))
        .collect();
    assert_same(&rust, &header);
    assert!(rust.len() > 10);
    let unions = items(&header_text_of_unions(), r"(\w+): (.*)\n");
    let rust_unions = items(CRATE, r"(?s)pub union fin_chain_(\w+) \{\s*(.*?),?\s*\n\}");
    let rust_unions: BTreeMap<_, _> = rust_unions
        .into_iter()
        .map(|(name, body)| (name, body.replace("pub ", "").replace(",\n    ", " ")))
        .collect();
    assert_eq!(rust_unions, unions);
}

/// Lists the unions of the header as lines `name: fields`.
fn header_text_of_unions() -> String {
    let unions = regex(r"(?s)union \{([^}]*)\} (\w+);");
    let line = |found: Captures<'_>| format!("{}: {}\n", &found[2], fields(&found[1]).join(" "));
    unions.captures_iter(&header()).map(line).collect()
}

#[test]
fn functions_are_the_header_s() {
    let array = regex(r"^(.*?)(\w+)\[\d+\]$");
    let parameter = |c: &str| match array.captures(c.trim()) {
        Some(parts) => rust_type(&format!("{}*", &parts[1])),
        None => declaration(c).1,
    };
    let prototype = regex(r"FIN_API ([\w ]+?[ *]+)(fin_\w+)\(([^)]*)\);");
    let header: BTreeMap<_, _> = prototype
        .captures_iter(&header())
        .map(|found| {
            let parameters: Vec<_> = found[3]
                .split(',')
                .filter(|c| c.trim() != "void")
                .map(parameter)
                .collect();
            let result = rust_type(&found[1]);
            let result = if result == "c_void" {
                String::new()
            } else {
                result
            };
            (found[2].to_owned(), (parameters, result))
        })
        .collect();
    let function = regex(r"(?s)pub fn (fin_\w+)\(([^)]*)\)(?:\s*-> ([^;]*))?;");
    let rust: BTreeMap<_, _> = function
        .captures_iter(CRATE)
        .map(|found| {
            let types = found[2].split(',').filter_map(|p| p.split_once(':'));
            let types: Vec<_> = types.map(|(_, t)| t.trim().to_owned()).collect();
            let result = found.get(3).map_or("", |result| result.as_str()).to_owned();
            (found[1].to_owned(), (types, result))
        })
        .collect();
    assert_same(&rust, &header);
    assert_eq!(rust.len(), regex("(?m)^FIN_API ").find_iter(HEADER).count());
}

#[test]
fn the_context_is_as_large_as_the_library_s() {
    // SAFETY: the functions take nothing.
    let (bytes, alignment) = unsafe { (fin_context_bytes(), fin_context_alignment()) };
    assert_eq!(size_of::<fin_context>(), bytes);
    assert_eq!(align_of::<fin_context>(), alignment);
}

#[test]
fn the_version_is_the_header_s() {
    // SAFETY: the function takes nothing and returns a static string.
    let version = unsafe { std::ffi::CStr::from_ptr(fin_version()) };
    let constants = constants_of_header();
    let part = |name: &str| constants[&format!("FIN_VERSION_{name}")];
    let expected = format!("{}.{}.{}", part("MAJOR"), part("MINOR"), part("PATCH"));
    assert_eq!(version.to_str(), Ok(&expected[..]));
    assert_eq!(expected, env!("CARGO_PKG_VERSION"));
}
