// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links the stack unwinder into the tool. Loading it as a shared library, Rust's default, would
//! take a tenth of the time that hashing a small file takes.

use std::env;
use std::path::Path;
use std::process::Command;

const LIBRARY: &str = "libgcc_eh.a";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    let is_gnu = target("OS") == "linux" && target("ENV") == "gnu";
    // Leave the library's path on another target to the linker.
    let is_native = env::var_os("HOST") == env::var_os("TARGET");
    if is_gnu && is_native && is_installed() {
        println!("cargo::rustc-link-lib=gcc_eh");
    }
}

/// Returns true if the C compiler, which links, finds the library.
fn is_installed() -> bool {
    let asked = Command::new("cc")
        .arg(format!("-print-file-name={LIBRARY}"))
        .output();
    // For a missing library it prints the bare name.
    asked.is_ok_and(|answer| {
        let path = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        Path::new(&path).is_absolute()
    })
}
