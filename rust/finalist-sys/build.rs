// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the C library, each unit with the flags that `core/isa.def` gives it.
//!
//! It uses the crate cc instead of the project's CMake file: a user of the crate needs only a C
//! compiler, and `CC`, `CFLAGS` and their target-specific forms mean the same as for every other
//! crate. `tools/check_packages.py` requires that both builds give each source the same flags.
//!
//! If `FINALIST_LIB_DIR` is a folder with a static library of the same version, links that one.

use std::collections::{BTreeSet, VecDeque};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// Without a CPU to tune for, gcc zeroes and copies a hundred bytes with rep stos and rep movs, whose
/// start-up alone takes longer than the rest of a short message's overhead.
const GNU_X86_FLAGS: [&str; 2] = [
    "-mmemset-strategy=vector_loop:256:noalign,libcall:-1:noalign",
    "-mmemcpy-strategy=vector_loop:256:noalign,libcall:-1:noalign",
];

/// gcc spills vectors of 32 and 64 bytes with aligned moves, but 64-bit Windows aligns the stack to
/// 16 bytes only (gcc bug 54412).
const UNALIGNED_MOVES: &str = "-Wa,-muse-unaligned-vector-move";

/// A source and the flags that it needs in addition to the common ones.
struct Source {
    path: PathBuf,
    flags: Vec<String>,
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=core");
    println!("cargo:rerun-if-changed=include");
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    // Building documentation links and runs nothing, and must work without a C compiler.
    if env::var_os("DOCS_RS").is_some() {
        tell_compiler("unknown", "unknown");
        return;
    }
    println!("cargo:rerun-if-env-changed=FINALIST_LIB_DIR");
    if let Some(folder) = env::var_os("FINALIST_LIB_DIR") {
        link(Path::new(&folder));
        return;
    }
    let mut build = common_build();
    let parts = Parts::read();
    parts.define(&mut build);
    let compiler = compiler_version(&build).unwrap_or_else(|| "unknown".to_owned());
    tell_compiler(&compiler, &flags(&build));
    let mut sources = sources_of_no_unit();
    sources.extend(units(&build, &parts));
    build.objects(compile(&build, sources)).compile("finalist");
}

/// Sets the constants `C_COMPILER` and `C_FLAGS`.
fn tell_compiler(compiler: &str, flags: &str) {
    println!("cargo:rustc-env=FINALIST_C_COMPILER={compiler}");
    println!("cargo:rustc-env=FINALIST_C_FLAGS={flags}");
}

/// Links the static library of a folder instead of building one.
fn link(folder: &Path) {
    let library = folder.join("libfinalist.a");
    assert!(
        folder.is_absolute() && library.is_file(),
        "FINALIST_LIB_DIR: {} must be the absolute path of a folder with libfinalist.a",
        folder.display()
    );
    println!("cargo:rerun-if-changed={}", library.display());
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=finalist");
    tell_compiler("unknown", "unknown");
}

/// Returns the compiler settings for all sources. Always optimises, since the units' flags are part
/// of their code.
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
        // Units choose their instructions themselves; a target CPU applies to Rust code only.
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

/// Lists the C files in the core's folders except `unit`.
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

/// Lists the target's units and their assembly as the preprocessor finds them in `core/isa.def`;
/// `core/impl.h` defines a unit's architecture.
fn units(build: &cc::Build, parts: &Parts) -> Vec<Source> {
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
        if !parts.has_unit(name, features) {
            continue;
        }
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
    assert!(
        !sources.is_empty() || parts.compressions.is_empty(),
        "no unit in core/isa.def"
    );
    sources
}

/// The parts of the library selected by the crate's features. cmake/parts.cmake does the same for
/// FIN_ALGORITHMS and FIN_UNITS.
struct Parts {
    /// The lines of `parts.inc` for algorithms and compression functions; empty in a full build.
    definitions: String,
    compressions: BTreeSet<String>,
    cpu_features: BTreeSet<String>,
    all: bool,
}

impl Parts {
    fn read() -> Parts {
        let mut parts = Parts {
            definitions: String::new(),
            compressions: BTreeSet::new(),
            cpu_features: BTreeSet::new(),
            all: true,
        };
        for fields in entries("core/alg.def", "FIN_ALGORITHM") {
            let wanted = is_wanted(&fields[1]);
            parts.all &= wanted;
            parts.define_one("ALGORITHM", &fields[0], wanted);
            if wanted {
                parts.compressions.insert(fields[5].clone());
                // Digests of more than 32 bytes have a compression function of their own.
                if fields[10].parse().is_ok_and(|longest: u32| longest <= 32) {
                    continue;
                }
                parts.compressions.insert(fields[6].clone());
            }
        }
        for fields in entries("core/alg.def", "FIN_COMPRESSION") {
            let wanted = parts.compressions.contains(&fields[0]);
            parts.define_one("COMPRESSION", &fields[0], wanted);
        }
        // A feature comes after those that it implies, so go through the list backwards.
        for fields in entries("core/cpu.def", "FIN_CPU_FEATURE").iter().rev() {
            let wanted = is_wanted(&fields[1]);
            parts.all &= wanted;
            if wanted || parts.cpu_features.contains(&fields[1]) {
                parts.cpu_features.insert(fields[1].clone());
                let implied = fields[2].split(" | ");
                let implied = implied.filter_map(|name| name.strip_prefix("FIN_CPU_"));
                parts.cpu_features.extend(implied.map(str::to_lowercase));
            }
        }
        for fields in entries("core/isa.def", "FIN_UNIT") {
            let features = fields[2..fields.len() - 1].join(",");
            let wanted = parts.has_unit(&fields[0], &features);
            parts.define_one("UNIT", &fields[0], wanted);
        }
        parts
    }

    fn define_one(&mut self, kind: &str, name: &str, wanted: bool) {
        let line = format!("#define FIN_WITH_{kind}_{name} {}\n", u8::from(wanted));
        self.definitions.push_str(&line);
    }

    /// True if the unit serves a selected algorithm and needs only selected features.
    fn has_unit(&self, name: &str, features: &str) -> bool {
        let family = name.split('_').next().unwrap_or(name).to_uppercase();
        let mut features = features.split(',').filter(|feature| !feature.is_empty());
        self.compressions.iter().any(|id| id.starts_with(&family))
            && features.all(|feature| self.cpu_features.contains(feature))
    }

    /// Makes core/parts.h read the definitions, except in a full build.
    fn define(&self, build: &mut cc::Build) {
        if !self.all {
            let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
            fs::write(out.join("parts.inc"), &self.definitions).expect("OUT_DIR can be written to");
            build.include(out).define("FIN_PARTS", None);
        }
    }
}

/// True if the crate has the feature of this name.
fn is_wanted(name: &str) -> bool {
    let name = name.to_uppercase().replace('-', "_");
    env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
}

/// Reads the entries of one of the core's lists, without quotation marks.
fn entries(list: &str, macro_name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(list).unwrap_or_else(|error| panic!("{list}: {error}"));
    let lines = text.lines().filter_map(|line| {
        let line = line.strip_prefix(macro_name)?.strip_prefix('(')?;
        line.strip_suffix(')')
    });
    let fields = |line: &str| {
        let fields = line.split(',').map(|field| field.trim_matches([' ', '"']));
        fields.map(str::to_owned).collect()
    };
    lines.map(fields).collect()
}

/// Compiles every source, in as many threads as cargo grants.
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

/// Returns the first line that the C compiler prints for --version.
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

/// Returns the flags of all sources, without include folders and definitions.
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
