# SPDX-License-Identifier: MIT OR Apache-2.0
"""The areas in Rust and Python, and the list of all: the folders of their sources, how to rebuild
them after a change of one file, and their tests."""

import json
import os
import pathlib
import shutil
import sys

import faults

from mutation.area import BUILT, NOT_BUILT, SECONDS_TO_BUILD, Area, Test, run
from mutation.c_areas import CoreArea, ProviderArea, SelectionArea
from mutation.switches import VARIABLE, Switches

CARGO = ["--locked", "--config", "profile.dev.debug=0", "--config", "profile.dev.opt-level=1",
         "--config", 'profile.dev.package."*".opt-level=2']


class RustArea(Area):
    """Base class of areas in Rust: their faults are built together, but for those in constants."""

    number = None  # of the fault that is switched on
    switches = None

    def plan(self, mutants):
        self.switches = Switches(self.source)
        self.switches.plant(mutants, self.build_all)
        return sorted(mutants, key=lambda mutant: mutant.key not in self.switches.numbers)

    def examine(self, mutant):
        self.number = self.switches.numbers.get(mutant.key)
        if self.number is not None:
            return self.see(mutant)
        self.switches.restore()
        return super().examine(mutant)

    def environment(self):
        """Returns the environment of a test."""
        return self.env | ({} if self.number is None else {VARIABLE: str(self.number)})

    def build_all(self):
        """Builds what all tests run; returns success and cargo's messages."""
        raise NotImplementedError


class CrateArea(RustArea):
    """Crates of the workspace and their tests, linked with a library built once."""

    folders = ("core", "include", "rust")
    packages = ()

    def __init__(self, root, directory):
        super().__init__(root, directory)
        self.programs = {}  # each test's program and the folder of its package

    def configure(self):
        self.env = {"FINALIST_LIB_DIR": str(library(self)),
                    "CARGO_TARGET_DIR": str(self.directory / "target")}
        built, text = self.build_all()
        if not built:
            sys.exit(text[-3000:])
        self.tests = [Test(name, target) for name, (target, _, _) in self.programs.items()]

    def build(self, file):
        return BUILT  # each test builds its program

    def build_all(self, *targets):
        """Builds the tests' programs, of these targets only."""
        packages = [word for package in self.packages for word in ("-p", package)]
        status, text = run(["cargo", "test", "--no-run", "--message-format=json", *CARGO,
                            "--all-features", *packages, *targets],
                           self.source, SECONDS_TO_BUILD, self.env)
        for line in filter(lambda line: line.startswith("{"), text.splitlines()):
            said = json.loads(line)
            if said.get("executable") and said["profile"]["test"]:
                target, folder = said["target"], pathlib.Path(said["manifest_path"]).parent
                kind = target["kind"][0]
                selects = ("--lib",) if kind == "lib" else (f"--{kind}", target["name"])
                name = f"{folder.name} {' '.join(selects).strip('-')}"
                self.programs[name] = selects, said["executable"], folder
        return status == 0, text

    def run(self, test, seconds):
        if self.number is None:
            built, text = self.build_all(*test.command)
            if not built:
                return NOT_BUILT, text
        _, program, folder = self.programs[test.name]
        return run([program, "--test-threads=2", "-q"], folder, seconds, self.environment())


class SafeCrateArea(CrateArea):
    """The safe crate."""

    name = "crate"
    packages = ("finalist",)
    patterns = ("rust/finalist/src/**/*.rs",)


class ToolArea(CrateArea):
    """The tool and the crates below it, which are tested mostly by the tool's tests."""

    name = "tool"
    packages = tuple(f"finalist-{crate}"
                     for crate in ("cli", "files", "manifest", "bench", "table"))
    patterns = tuple(f"rust/{package}/src/**/*.rs" for package in packages)
    left_out = {"rust/finalist-files/src/platform/windows.rs": "other machines",
                "rust/finalist-files/src/platform/windows/root.rs": "other machines"}


class PythonArea(Area):
    """The modules of the Python package, with an extension built once."""

    name = "python"
    patterns = ("python/finalist/*.py",)
    folders = ("core", "include", "rust", "python")
    left_out = {f"python/finalist/{name}.py": "tested by make test-engines"
                for name in ("dask", "ray", "spark", "_spark_tables")}

    def configure(self):
        self.python = self.root / "build" / "python" / "bin" / "python"
        self.package = self.directory / "packages" / "finalist"
        self.cargo_env = {"FINALIST_LIB_DIR": str(library(self)),
                          "CARGO_TARGET_DIR": str(self.directory / "target")}
        faults.Copy(self.directory).copy(self.source / "python" / "finalist", self.package)
        built, text = self.cargo("finalist-cli", self.source)
        if built:
            built, text = self.extension()
        if not built:
            sys.exit(text[-3000:])
        self.env = {"PYTHONPATH": str(self.package.parent), "FINALIST_EXAMPLES": "15",
                    "FINALIST": str(self.directory / "target" / "debug" / "finalist")}
        self.tests = [Test(path.stem.removeprefix("test_"), path.name)
                      for path in sorted((self.source / "python" / "tests").glob("test_*.py"))]

    def cargo(self, package, directory):
        status, text = run(["cargo", "build", "--message-format=json", *CARGO, "-p", package],
                           directory, SECONDS_TO_BUILD, self.cargo_env)
        return status == 0, text

    def extension(self):
        """Builds the extension and copies it into the package."""
        built, text = self.cargo("finalist-python", self.source / "python")
        if built:
            shutil.copyfile(self.directory / "target" / "debug" / "lib_finalist.so",
                            self.package / "_finalist.abi3.so")
        return built, text

    def build(self, file):
        name = pathlib.Path(file).name
        shutil.copyfile(self.source / file, self.package / name)
        return BUILT

    def examine(self, mutant):
        try:
            return super().examine(mutant)
        finally:
            self.build(mutant.file)

    def run(self, test, seconds):
        return run([str(self.python), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
                    "-m", "not slow", f"python/tests/{test.command}"], self.source, seconds,
                   self.environment())

    def environment(self):
        """Returns the environment of a test."""
        return self.env


class ExtensionArea(RustArea, PythonArea):
    """The extension module of the Python package."""

    name = "extension"
    patterns = ("python/src/**/*.rs",)
    left_out = {}

    def build(self, file):
        return BUILT if self.extension()[0] else NOT_BUILT

    def build_all(self):
        return self.extension()


def library(area):
    """Returns a folder with a library without faults, for areas that plant none in it. It has all
    kernels, which tests of the crates select by name. FINALIST_LIB_DIR may name one."""
    if "FINALIST_LIB_DIR" in os.environ:
        return pathlib.Path(os.environ["FINALIST_LIB_DIR"])
    built = area.directory.parent / "library"
    for command in (["cmake", "-G", "Ninja", "-S", str(area.root), "-B", str(built),
                     "-DFIN_TESTS=OFF", *SelectionArea.options],
                    ["ninja", "-j1", "-C", str(built)]):
        status, text = run(command, "/", SECONDS_TO_BUILD)
        if status != 0:
            sys.exit(text[-3000:])
    return built


AREAS = [CoreArea, SelectionArea, ProviderArea, SafeCrateArea, ToolArea, PythonArea, ExtensionArea]
