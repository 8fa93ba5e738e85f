// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the C library with its own CMake project, the one place that knows how.

use std::path::Path;
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for watched in ["core", "include", "CMakeLists.txt"] {
        println!("cargo:rerun-if-changed={}", root.join(watched).display());
    }
    // Always optimised, as the flags of the units are part of what they are.
    let built = cmake::Config::new(&root)
        .profile("Release")
        .define("BUILD_SHARED_LIBS", "OFF")
        .define("FIN_TESTS", "OFF")
        .build_target("finalist")
        .build();
    let build = built.join("build");
    println!("cargo:rustc-link-search=native={}", build.display());
    println!("cargo:rustc-link-lib=static=finalist");
    let compiler = compiler_version(&build).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=FINALIST_C_COMPILER={compiler}");
}

/// The first line of what the C compiler that CMake found says of its version.
fn compiler_version(build: &Path) -> Option<String> {
    let cache = std::fs::read_to_string(build.join("CMakeCache.txt")).ok()?;
    let line = cache
        .lines()
        .find(|line| line.starts_with("CMAKE_C_COMPILER:"))?;
    let (_, compiler) = line.split_once('=')?;
    let output = Command::new(compiler).arg("--version").output().ok()?;
    Some(
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .next()?
            .to_owned(),
    )
}
