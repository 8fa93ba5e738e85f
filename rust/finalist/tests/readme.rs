// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Rust sample of README.md equals examples/readme.rs, which compiles and runs.

include!("../examples/readme.rs");

#[test]
fn the_readme_has_the_example_s_text() {
    let example = include_str!("../examples/readme.rs");
    let (_license, example) = example.split_once('\n').expect("a first line");
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = std::fs::read_to_string(readme).expect("the repository's README.md");
    let sample = readme
        .split_once("```rust\n")
        .and_then(|(_, rest)| rest.split_once("```\n"))
        .map(|(sample, _)| sample);
    assert_eq!(sample, Some(example));
}

#[test]
fn the_example_runs() {
    assert_eq!(main(), Ok(()));
}
