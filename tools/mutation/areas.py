# SPDX-License-Identifier: MIT OR Apache-2.0
"""The areas in Rust and Python, and the list of all: the folders of their sources, how to rebuild
them after a change of one file, and their tests."""

import json
import os
import pathlib
import re
import shutil
import sys
import time

import faults

from mutation.area import BUILT, NOT_BUILT, SECONDS_TO_BUILD, Area, Test, run
from mutation.c_areas import CoreArea, ProviderArea, SelectionArea
from mutation.switches import RECORD, RECORD_BYTES, VARIABLE, PythonSwitches, Switches

CARGO = ["--locked", "--config", "profile.dev.debug=0", "--config", "profile.dev.opt-level=1",
         "--config", 'profile.dev.package."*".opt-level=2']


class SwitchedArea(Area):
    """Base class of areas whose faults are built together, but for those in constants. Each
    function of the tests is a test, which runs only for the faults that it reaches."""

    switches_of = Switches
    number = None  # of the fault that is switched on
    record = None  # the file in which switches record that they are evaluated, if any
    switches = None

    def __init__(self, root, directory):
        super().__init__(root, directory)
        self.mutants = {}  # with a switch, by number
        self.reached = {}  # the numbers of the switches that each test reaches
        self.wanted = set()  # switches, of which a test for the present fault reaches one

    def prepare(self):
        self.copy()
        self.configure()

    def plan(self, mutants):
        self.switches = self.switches_of(self.source)
        self.switches.plant(mutants, self.build_all)
        numbers = self.switches.numbers
        self.mutants = {numbers[mutant.key]: mutant for mutant in mutants if mutant.key in numbers}
        self.record = self.directory / "reached"
        self.measure()
        self.record = None
        if not self.tests:
            sys.exit(f"mutants.py: no test of {self.name} passes without a fault")
        print(f"{self.name}: {len(numbers)} of {len(mutants)} faults have switches; "
              f"{len(self.tests)} tests", flush=True)
        return sorted(mutants, key=lambda mutant: mutant.key not in numbers)

    def runs(self, test, mutant):
        return not self.wanted or not self.wanted.isdisjoint(self.reached[test.name])

    def near(self, mutant):
        """Returns the switches in the function of a fault without one, or else in its file."""
        file = {number: other for number, other in self.mutants.items()
                if other.file == mutant.file}
        return {number for number, other in file.items()
                if mutant.function and other.function == mutant.function} or set(file)

    def examine(self, mutant):
        self.number = self.switches.numbers.get(mutant.key)
        if self.number is not None:
            self.wanted = {self.number}
            return self.see(mutant)
        self.wanted = self.near(mutant)
        self.switches.restore()
        return super().examine(mutant)

    def add(self, test, reached):
        """Adds a test that passes without a fault."""
        self.tests.append(test)
        self.reached[test.name] = reached

    def leave_out(self, name, text):
        print(f"{self.name}: {name} fails without a fault, and is left out:\n{text[-1500:]}",
              file=sys.stderr)

    def environment(self):
        """Returns the environment of a test."""
        number = {} if self.number is None else {VARIABLE: str(self.number)}
        return self.env | number | ({RECORD: str(self.record)} if self.record else {})

    def build_all(self):
        """Builds what all tests run; returns success and the messages of the compiler."""
        raise NotImplementedError

    def measure(self):
        """Finds the tests and runs each without a fault. Takes its time and the switches that it
        reaches; leaves out those that fail."""
        raise NotImplementedError


class CrateTest(Test):
    """A function of a test's program."""

    def __init__(self, program, function):
        super().__init__(f"{program} {function}", function)
        self.program = program


class CrateArea(SwitchedArea):
    """Crates of the workspace and their tests, linked with a library built once."""

    folders = ("core", "include", "rust")
    packages = ()

    def __init__(self, root, directory):
        super().__init__(root, directory)
        self.programs = {}  # each test's program and the folder of its package
        self.stale = set()  # programs to be built with the present fault

    def configure(self):
        self.env = {"FINALIST_LIB_DIR": str(library(self)),
                    "CARGO_TARGET_DIR": str(self.directory / "target")}

    def measure(self):
        for name, (_, program, folder) in self.programs.items():
            _, text = run([program, "--list", "--format", "terse"], folder, 60, self.env)
            for function in re.findall(r"^(\S+): test$", text, re.M):
                test = CrateTest(name, function)
                self.record.write_bytes(bytes(RECORD_BYTES))
                begin = time.monotonic()
                status, text = self.run(test, 1200)
                test.seconds = time.monotonic() - begin
                if status == 0:
                    found = self.record.read_bytes()
                    self.add(test, {at for at, byte in enumerate(found) if byte})
                else:
                    self.leave_out(test.name, text)

    def build(self, file):
        self.stale = set(self.programs)  # each test builds its program
        return BUILT

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
        if self.number is None and test.program in self.stale:
            built, text = self.build_all(*self.programs[test.program][0])
            if not built:
                return NOT_BUILT, text
            self.stale.remove(test.program)
        _, program, folder = self.programs[test.program]
        return run([program, "--exact", test.command, "-q"], folder, seconds, self.environment())


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


class PythonArea(SwitchedArea):
    """The modules of the Python package, with an extension built once."""

    name = "python"
    patterns = ("python/finalist/*.py",)
    folders = ("core", "include", "rust", "python")
    left_out = {f"python/finalist/{name}.py": "tested by make test-engines"
                for name in ("dask", "ray", "spark", "_spark_tables")}
    switches_of = PythonSwitches

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
        self.env = {"PYTHONPATH": f"{self.package.parent}:{self.root / 'tools'}",
                    "FINALIST_EXAMPLES": "15",
                    "FINALIST": str(self.directory / "target" / "debug" / "finalist")}

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
        shutil.copyfile(self.source / file, self.package / pathlib.Path(file).name)
        return BUILT

    def build_all(self):
        (self.package / "_switches.py").write_text(self.switches.module, encoding="utf-8")
        wrong = []
        for file in self.switches.clean:
            text = (self.source / file).read_text(encoding="utf-8")
            try:
                compile(text, file, "exec", dont_inherit=True)
            except SyntaxError as error:
                wrong.append(f"{file}:{error.lineno}")
            name = pathlib.Path(file).name
            future = "from __future__ import annotations\n"
            text = text.replace(future, f"{future}from finalist import _switches\n", 1)
            (self.package / name).write_text(text, encoding="utf-8")
        return not wrong, "\n".join(wrong)

    def examine(self, mutant):
        try:
            return super().examine(mutant)
        finally:
            if self.number is None:
                self.build(mutant.file)

    def measure(self):
        self.record.write_bytes(bytes(RECORD_BYTES))
        results = self.directory / "tests.json"
        files = sorted((self.source / "python" / "tests").glob("test_*.py"))
        _, text = self.pytest(["-p", "mutation.reached", *map(str, files)], 3600,
                              MUTANTS_RESULTS=str(results))
        for name, said in json.loads(results.read_text(encoding="utf-8")).items():
            if said["passed"]:
                test = Test(name, name)
                test.seconds = said["seconds"]
                self.add(test, set(said["reached"]))
            else:
                self.leave_out(name, text)

    def groups(self, tests):
        # Starting Python and its libraries takes longer than most tests.
        return [group for group in (tests[:8], tests[8:40], tests[40:]) if group]

    def run_all(self, tests, seconds):
        listed = self.directory / "chosen"
        listed.write_text("\n".join(test.command for test in tests), encoding="utf-8")
        return self.pytest(["-x", f"@{listed}"], seconds)

    def failed(self, tests, text):
        found = re.search(r"^(?:FAILED|ERROR) (\S+?)(?:\[| |$)", text, re.M)
        return found[1] if found else tests[0].name

    def pytest(self, arguments, seconds, **variables):
        return run([str(self.python), "-m", "pytest", "-q", "-p", "no:cacheprovider",
                    "-m", "not slow", *arguments], self.source, seconds,
                   self.environment() | variables)


class ExtensionArea(PythonArea):
    """The extension module of the Python package."""

    name = "extension"
    patterns = ("python/src/**/*.rs",)
    left_out = {}
    switches_of = Switches

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
