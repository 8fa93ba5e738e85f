// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compresses the built-in known answers, which would be a twelfth of the tool.

use std::env;
use std::fs;
use std::path::Path;

use zlib_rs::{DeflateConfig, ReturnCode, compress_bound, compress_slice};

const TEXT: &str = "data/compact.jsonl";

fn main() {
    println!("cargo:rerun-if-changed={TEXT}");
    println!("cargo:rerun-if-changed=build.rs");
    let text = fs::read(TEXT).expect("the known answers are there");
    let mut buffer = vec![0; compress_bound(text.len())];
    let (stream, code) = compress_slice(&mut buffer, &text, DeflateConfig::best_compression());
    assert_eq!(code, ReturnCode::Ok, "the known answers are compressed");
    let length = (text.len() as u64).to_le_bytes();
    let directory = env::var_os("OUT_DIR").expect("cargo sets it");
    let file = Path::new(&directory).join("compact.zlib");
    fs::write(file, [&length, &*stream].concat()).expect("the file is written");
}
