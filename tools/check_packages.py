#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks that the Rust packages stand alone.

Packs the crates as `cargo publish` does, unpacks them in an empty folder, tests them there without
a network, and installs the tool. Then compares the flags that the crate's build script gives each C
source with those of CMakeLists.txt, and counts the packages that the tool is built from.

    tools/check_packages.py [--flags]      --flags: only flags and count, in seconds
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATES = (
    "finalist-sys",
    "finalist",
    "finalist-files",
    "finalist-manifest",
    "finalist-bench",
    "finalist-table",
    "finalist-cli",
)
# Users build the tool from its sources, so it depends on few packages.
PACKAGES_MAX = 95
# Tests that need documents of the repository, which packages lack; make test runs them.
TESTS_OF_REPOSITORY = (
    "figures_from_elsewhere_stand_in_their_documents",
    "the_documents_are_those_of_the_measured_files",
)
# Flags that may differ: separate sections for the linker to drop, the default architecture.
HARMLESS = {"-c", "-w", "-ffunction-sections", "-fdata-sections", "-m64", "-march=x86-64"}

# The repository's builds, whose crates from elsewhere need not be built again.
BUILDS = ROOT / "target" / "release"

# A compiler that logs its arguments and compiles the core's sources as empty files, to save time.
LOGGING_COMPILER = """#!/bin/sh
printf '%s\\n' "$*" >> '{log}'
case " $* " in *" -E "*) exec {compiler} "$@" ;; *" core/"*) ;; *) exec {compiler} "$@" ;; esac
while [ "$1" != -o ]; do shift; done
exec {compiler} -x c -c /dev/null -o "$2"
"""


def run(command, **options):
    print("+", shlex.join(map(str, command)), flush=True)
    return subprocess.run(command, check=True, **options)


def pack(folder):
    """Unpacks the crates' packages in a folder of their own, as one workspace."""
    target = folder / "pack"
    command = ["cargo", "package", "--workspace", "--exclude", "finalist-fuzz-parsers"]
    command += ["--no-verify", "--allow-dirty", "--quiet"]
    run([*command, "--target-dir", target], cwd=ROOT)
    workspace = folder / "workspace"
    workspace.mkdir()
    members = []
    for crate in CRATES:
        (package,) = target.glob(f"package/{crate}-[0-9]*.crate")
        with tarfile.open(package) as archive:
            archive.extractall(workspace, filter="data")
        members.append((crate, package.stem))
    lines = ["[workspace]", 'resolver = "3"']
    lines.append(f"members = {json.dumps([member for _, member in members])}")
    lines.append("[patch.crates-io]")
    lines += [f'{crate} = {{ path = "{member}" }}' for crate, member in members]
    manifest = (ROOT / "Cargo.toml").read_text()
    lines.append(manifest[manifest.index("[profile.release]") :])
    (workspace / "Cargo.toml").write_text("\n".join(lines) + "\n")
    (workspace / "Cargo.lock").write_bytes((ROOT / "Cargo.lock").read_bytes())
    return workspace


def copy_builds(target):
    """Copies the repository's builds of crates from elsewhere. Not used in place, where each run
    would leave builds of its packages."""
    for part in (".fingerprint", "build", "deps"):
        if (BUILDS / part).exists():
            own = shutil.ignore_patterns("finalist*", "libfinalist*")
            shutil.copytree(BUILDS / part, target / "release" / part, ignore=own)


def check_packages(folder):
    workspace, target = pack(folder), folder / "target"
    copy_builds(target)
    test = ["cargo", "test", "--release", "--offline", "--quiet", "--target-dir", target]
    skips = [f"--skip={name}" for name in TESTS_OF_REPOSITORY]
    # Two commands, for the reason in make/rust.mk.
    run([*test, "--workspace", "--exclude", "finalist", "--", *skips], cwd=workspace)
    run([*test, "--package", "finalist", "--all-features", "--", *skips], cwd=workspace)
    tool = next(workspace.glob("finalist-cli-*"))
    install = ["cargo", "install", "--locked", "--offline", "--quiet", "--no-track"]
    install += ["--root", folder]
    run([*install, "--target-dir", target, "--path", tool], cwd=workspace)
    run([folder / "bin" / "finalist", "sum", tool / "Cargo.toml"])


def flags_of(arguments):
    """Returns (source below core, flags) of a compiler's command line; None if it compiles no
    source."""
    sources = [argument for argument in arguments if argument.endswith((".c", ".S"))]
    if "-c" not in arguments or not sources or "core/" not in sources[0]:
        return None
    flags = set()
    before = ""
    for argument in arguments:
        paired = before in ("-o", "-I", "-MF", "-MT", "-MQ") or argument.startswith(("-I", "-W"))
        known = argument in HARMLESS or argument == "-o"
        if argument.startswith("-") and not known and not paired:
            flags.add(argument)
        before = argument
    if sources[0].endswith(".S"):
        # Affects only C's symbols.
        flags.discard("-fvisibility=hidden")
    return sources[0][sources[0].rindex("core/") :], flags


def flags_of_crate(folder, compiler):
    log = folder / "commands"
    logging_compiler = folder / "cc"
    logging_compiler.write_text(LOGGING_COMPILER.format(log=log, compiler=compiler))
    logging_compiler.chmod(0o755)
    build = ["cargo", "build", "--release", "--locked", "--quiet", "--package", "finalist-sys"]
    environment = {**os.environ, "CC": str(logging_compiler)}
    run([*build, "--target-dir", folder / "crate"], cwd=ROOT, env=environment)
    found = (flags_of(shlex.split(line)) for line in log.read_text().splitlines())
    return dict(filter(None, found))


def flags_of_cmake(folder, compiler):
    build = folder / "cmake"
    options = [f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    options += ["-DFIN_TESTS=OFF", "-DCMAKE_C_COMPILER_LAUNCHER="]
    run(["cmake", "-S", ROOT, "-B", build, *options], stdout=subprocess.DEVNULL)
    commands = json.loads((build / "compile_commands.json").read_text())
    return dict(flags_of(shlex.split(command["command"])) for command in commands)


def check_flags(folder, compiler):
    """Reports each source that the two builds compile with different flags."""
    crate, cmake = flags_of_crate(folder, compiler), flags_of_cmake(folder, compiler)
    wrong = 0
    for source in sorted(crate.keys() | cmake.keys()):
        sides = [build.get(source, {"not built"}) for build in (crate, cmake)]
        if sides[0] != sides[1]:
            only = [" ".join(sorted(side - other)) for side, other in (sides, sides[::-1])]
            print(f"{source}: only the crate: {only[0]}; only CMake: {only[1]}", file=sys.stderr)
            wrong += 1
    if wrong or not crate:
        sys.exit(f"check_packages: {wrong} of {len(crate)} sources are built differently")
    print(f"{len(crate)} sources have the same flags in the crate and in CMake ({compiler})")


def check_count():
    """Fails if the tool depends on more packages than PACKAGES_MAX."""
    tree = ["cargo", "tree", "--locked", "--package", "finalist-cli", "--edges", "normal,build"]
    told = run([*tree, "--prefix", "none", "--format", "{p}"], cwd=ROOT, stdout=subprocess.PIPE)
    packages = {" ".join(line.split()[:2]) for line in told.stdout.decode().splitlines()}
    if len(packages) > PACKAGES_MAX:
        sys.exit(f"check_packages: the tool is built from {len(packages)} packages")
    print(f"the tool is built from {len(packages)} packages")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flags", action="store_true", help="compare and count only")
    parser.add_argument("--compiler", default="gcc", help="C compiler for the flags")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="finalist-packages-") as name:
        folder = Path(name)
        if not options.flags:
            check_packages(folder)
        check_count()
        check_flags(folder, options.compiler)


if __name__ == "__main__":
    main()
