// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links what unwinds the stack into the tool. As a shared library, which Rust asks for otherwise,
//! it would take a tenth of the time in which a small file is hashed to load.

use std::env;
use std::path::Path;
use std::process::Command;

const LIBRARY: &str = "libgcc_eh.a";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    let is_gnu = target("OS") == "linux" && target("ENV") == "gnu";
    // The path of another target's library is the linker's business.
    let is_native = env::var_os("HOST") == env::var_os("TARGET");
    if is_gnu && is_native && is_installed() {
        println!("cargo::rustc-link-lib=gcc_eh");
    }
}

/// True if the C compiler, which links, finds the library.
fn is_installed() -> bool {
    let asked = Command::new("cc")
        .arg(format!("-print-file-name={LIBRARY}"))
        .output();
    // It prints the bare name of what it does not have.
    asked.is_ok_and(|answer| {
        let path = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        Path::new(&path).is_absolute()
    })
}
