// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the C library, each unit with the flags that `core/isa.def` gives it.
//!
//! By the crate cc instead of the project's CMake file: a C compiler is then all that a user of the
//! crate needs, and `CC`, `CFLAGS` and their forms for a target mean what they mean to every other
//! crate. `tools/check_packages.py` demands that both give each source the same flags.

use std::collections::VecDeque;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// gcc tuned for no CPU in particular zeroes and copies a hundred bytes by rep stos and rep movs,
/// whose start takes longer than the rest of a short message's overhead.
const GNU_X86_FLAGS: [&str; 2] = [
    "-mmemset-strategy=vector_loop:256:noalign,libcall:-1:noalign",
    "-mmemcpy-strategy=vector_loop:256:noalign,libcall:-1:noalign",
];

/// gcc spills vectors of 32 and 64 bytes by aligned moves, while the stack of 64-bit Windows is
/// aligned to 16 (gcc bug 54412).
const UNALIGNED_MOVES: &str = "-Wa,-muse-unaligned-vector-move";

/// A source with the flags that it needs beside the common ones.
struct Source {
    path: PathBuf,
    flags: Vec<String>,
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=core");
    println!("cargo:rerun-if-changed=include");
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    // Documentation is neither linked nor run, and may be made where there is no C compiler.
    if env::var_os("DOCS_RS").is_some() {
        println!("cargo:rustc-env=FINALIST_C_COMPILER=unknown");
        println!("cargo:rustc-env=FINALIST_C_FLAGS=unknown");
        return;
    }
    let mut build = common_build();
    let compiler = compiler_version(&build).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=FINALIST_C_COMPILER={compiler}");
    println!("cargo:rustc-env=FINALIST_C_FLAGS={}", flags(&build));
    let mut sources = sources_of_no_unit();
    sources.extend(units(&build));
    build.objects(compile(&build, sources)).compile("finalist");
}

/// What all sources are built with: always optimised, as the flags of the units are part of what
/// they are.
fn common_build() -> cc::Build {
    let mut build = cc::Build::new();
    build
        .includes(["core", "include"])
        .opt_level(3)
        .debug(false)
        .pic(true)
        .define("NDEBUG", None)
        .flag_if_supported("-fvisibility=hidden")
        .warnings(false)
        // Units choose their instructions themselves: a target CPU is for Rust's code.
        .inherit_rustflags(false);
    let x86 = ["x86", "x86_64"].contains(&&*env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default());
    if x86 && build.get_compiler().is_like_gnu() {
        build.flags(GNU_X86_FLAGS);
        if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "windows") {
            build.flag(UNALIGNED_MOVES);
        }
    }
    build
}

/// The C files of the core's folders but `unit`.
fn sources_of_no_unit() -> Vec<Source> {
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| {
            panic!(
                "{}: {error} (a symbolic link that was not followed?)",
                folder.display()
            )
        });
        let mut paths: Vec<_> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort();
        paths
    };
    let folders = entries(Path::new("core"))
        .into_iter()
        .filter(|path| path.is_dir());
    let files = folders
        .filter(|folder| !folder.ends_with("unit"))
        .flat_map(|folder| entries(&folder));
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| Source {
            path,
            flags: Vec::new(),
        })
        .collect()
}

/// The units of the target and the assembly of those that have some, as the preprocessor finds them
/// in `core/isa.def`: what is a unit's architecture, `core/impl.h` says.
fn units(build: &cc::Build) -> Vec<Source> {
    const PROBE: &str = "#include \"impl.h\"\n\
        #define FIN_UNIT(name, architecture, features, flags) \
        FIN_IF_##architecture(unit_of_isa_def name features flags)\n\
        #include \"isa.def\"\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let probe = out.join("units.c");
    fs::write(&probe, PROBE).expect("OUT_DIR can be written to");
    let expanded = build.clone().file(&probe).expand();
    let mut sources = Vec::new();
    for line in String::from_utf8_lossy(&expanded).lines() {
        let Some(unit) = line.trim().strip_prefix("unit_of_isa_def ") else {
            continue;
        };
        let fields: Vec<_> = unit.split('"').map(str::trim).collect();
        let [name, features, _, flags, _] = fields[..] else {
            panic!("core/isa.def: not understood: {unit}");
        };
        let flags = flags.split_whitespace().map(str::to_owned);
        // For core/vec/isa.h.
        let features = features.split(',').filter(|feature| !feature.is_empty());
        let features = features.map(|feature| format!("-DFIN_ISA_{}", feature.to_uppercase()));
        let flags: Vec<_> = flags.chain(features).collect();
        let assembly = Path::new("core/asm").join(name).with_extension("S");
        if assembly.exists() {
            sources.push(Source {
                path: assembly,
                flags: Vec::new(),
            });
        }
        let path = Path::new("core/unit").join(name).with_extension("c");
        sources.push(Source { path, flags });
    }
    assert!(!sources.is_empty(), "no unit in core/isa.def");
    sources
}

/// Compiles every source in as many threads as cargo grants.
fn compile(build: &cc::Build, sources: Vec<Source>) -> Vec<PathBuf> {
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok());
    let (queue, objects) = (Mutex::new(VecDeque::from(sources)), Mutex::new(Vec::new()));
    let next = || {
        queue
            .lock()
            .expect("no thread panics with the lock")
            .pop_front()
    };
    thread::scope(|scope| {
        for _ in 0..jobs.unwrap_or(1) {
            scope.spawn(|| {
                while let Some(source) = next() {
                    let mut build = build.clone();
                    let compiled = build
                        .flags(source.flags)
                        .file(source.path)
                        .compile_intermediates();
                    objects
                        .lock()
                        .expect("no thread panics with the lock")
                        .extend(compiled);
                }
            });
        }
    });
    let mut objects = objects.into_inner().expect("no thread has panicked");
    objects.sort();
    objects
}

/// The first line of what the C compiler says of its version.
fn compiler_version(build: &cc::Build) -> Option<String> {
    let output = build
        .get_compiler()
        .to_command()
        .arg("--version")
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(str::to_owned)
}

/// The flags of all sources, without folders and definitions.
fn flags(build: &cc::Build) -> String {
    let compiler = build.get_compiler();
    let mut arguments = compiler.args().iter().map(|each| each.to_string_lossy());
    let mut flags = Vec::new();
    while let Some(argument) = arguments.next() {
        match &*argument {
            "-I" => drop(arguments.next()),
            other if other.starts_with("-I") || other.starts_with("-D") => {}
            other => flags.push(other.to_owned()),
        }
    }
    flags.join(" ")
}
