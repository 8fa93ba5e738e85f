# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of the project in which faults are planted: the folders of their sources, how to
rebuild them after a change of one file, and their tests.

Each area works in a copy of the sources and keeps its build for the next run.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

import faults

from mutation import coverage
from mutation.coverage import Coverage
from mutation.switches import VARIABLE, Switches

SECONDS_TO_BUILD = 1200
MEMORY_MAX = 16 << 30
FILE_MAX = 2 << 40  # tests make sparse files of a tebibyte
SAME = "same code"  # the fault compiles to the same code as the source
BUILT = "built"
NOT_BUILT = "does not build"


def limit():
    """Limits resources: a fault may allocate all memory, or write without end."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Background processes ignore SIGINT, which tests of interrupted runs would inherit.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(command, directory, seconds, env=None):
    """Runs a command; returns its status, 124 if it did not end in time, and its output."""
    with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, preexec_fn=limit,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          env=os.environ | (env or {}), stdin=subprocess.DEVNULL,
                          start_new_session=True) as process:
        try:
            text, _ = process.communicate(timeout=seconds)
            return process.returncode, text
        except subprocess.TimeoutExpired:
            return 124, f"{command[0]}: no end after {seconds:.0f} seconds"
        finally:
            # Kill the test's child processes, too.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


class Test:
    """A test, its time without a fault, and the number of faults it saw in each file."""

    def __init__(self, name, command):
        self.name = name
        self.command = command
        self.seconds = 0.0
        self.seen, self.tried = {}, {}

    def promise(self, file):
        """Returns the expected number of faults in this file that the test sees per second."""
        seen = self.seen.get(file, 0) + 0.05 * sum(self.seen.values()) + 0.1
        tried = self.tried.get(file, 0) + 0.05 * sum(self.tried.values()) + 1
        return seen / tried / (self.seconds + 0.2)


class Area:
    """Base class of all areas."""

    name = ""
    patterns = ()
    folders = ()  # including everything that the tests depend on
    left_out = {}  # files without planted faults, and why

    def __init__(self, root, directory):
        self.root = root
        self.directory = directory / self.name
        self.source = self.directory / "source"
        self.tests = []

    def files(self):
        found = {str(path.relative_to(self.root))
                 for pattern in self.patterns for path in self.root.glob(pattern)
                 if path.name != "tests.rs"}  # a module of tests
        return sorted(found - set(self.left_out))

    def prepare(self):
        """Builds without a fault, runs every test once, and drops those that fail."""
        self.directory.mkdir(parents=True, exist_ok=True)
        faults.Copy(self.directory).copy(self.root, self.source)
        self.configure()
        times = self.directory / "times.json"
        state = self.state()
        try:
            known = json.loads(times.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            known = {}
        known = known if known.get("state") == state else {"state": state}
        for test in self.tests:
            if test.name not in known:
                begin = time.monotonic()
                status, text = self.run(test, 1200)
                known[test.name] = time.monotonic() - begin if status == 0 else None
                if status != 0:
                    print(f"{self.name}: {test.name} fails without a fault, and is left out:\n"
                          f"{text[-1500:]}", file=sys.stderr)
                times.write_text(json.dumps(known), encoding="utf-8")
            test.seconds = known[test.name]
        self.tests = [test for test in self.tests if test.seconds is not None]
        if not self.tests:
            sys.exit(f"mutants.py: no test of {self.name} passes without a fault")

    def state(self):
        """Returns the key under which the tests' times are stored."""
        digest = hashlib.sha256()
        for path in sorted(path for folder in self.folders
                           for path in (self.source / folder).rglob("*")):
            if path.suffix in {".c", ".h", ".rs", ".py", ".txt", ".def"}:
                digest.update(path.read_bytes())
        return digest.hexdigest()

    def examine(self, mutant):
        """Runs the tests with the fault. Returns the outcome, and the test that sees it."""
        path = self.source / mutant.file
        clean = path.read_bytes()
        path.write_bytes(clean[:mutant.start] + mutant.text + clean[mutant.end:])
        try:
            built = self.build(mutant.file)
            return (built, "") if built != BUILT else self.see(mutant)
        finally:
            path.write_bytes(clean)

    def see(self, mutant):
        """Runs the tests of a built fault until one sees it."""
        for test in self.tests_of(mutant.file, mutant.line):
            status, text = self.run(test, 10 + 5 * test.seconds)
            if status == NOT_BUILT:
                return NOT_BUILT, text
            test.tried[mutant.file] = test.tried.get(mutant.file, 0) + 1
            if status != 0:
                test.seen[mutant.file] = test.seen.get(mutant.file, 0) + 1
                return ("hangs" if status == 124 else "seen"), test.name
        return "survives", ""

    def plan(self, mutants):
        """Returns the faults in the order in which to examine them."""
        return mutants

    def tests_of(self, file, line):
        """Returns the tests that may see a fault there, the most promising first."""
        return sorted((test for test in self.tests if self.runs(test, file, line)),
                      key=lambda test: -test.promise(file))

    def runs(self, test, file, line):
        """Returns true if the test may run this line."""
        return True

    def configure(self):
        """Builds, and lists the tests."""
        raise NotImplementedError

    def build(self, file):
        """Builds after a change of this file: BUILT, SAME or NOT_BUILT."""
        raise NotImplementedError

    def run(self, test, seconds):
        """Runs a test; returns its status and output."""
        raise NotImplementedError


# A kernel of each kind: enough to reach every path of the core, and few enough to be quick.
UNITS = ["blake_portable", "blake_avx", "blake_avx2", "blake_lanes_sse2", "blake_lanes_avx2",
         "blake_lanes_avx512", "groestl_bitslice", "groestl_ttable64", "groestl_aesni_avx",
         "groestl_lanes_aesni_avx2", "groestl_lanes_gfni512"]

# Tests that search memory for secrets: only they see that too little is erased.
WIPING = ("wipe", "wipe_kernels")

# Tests that take seconds, and the sources for whose faults they are run.
SLOW = {"merkle": ("core/tree/merkle", "core/tree/proofs"),
        "splits": ("core/message/stream", "core/message/final", "core/message/blake2p",
                   "core/message/leaves"),
        **dict.fromkeys(WIPING, ("core/lanes/", "core/message/", "core/multi/", "core/tree/"))}


class CoreArea(Area):
    """The C core without its kernels, built with a few of these."""

    name = "core"
    patterns = ("core/*.h", *(f"core/{folder}/*.[ch]" for folder in
                              ("spec", "dispatch", "lanes", "message", "multi", "tree")))
    folders = ("core", "include", "tests", "fuzz")
    left_out = {f"core/dispatch/cpu_{name}.c": "other machines" for name in ("arm", "generic")}
    too_long = {"guard_all", "mixbytes", "mixbytes_search", "xop_emulator"}  # or test kernels
    # Trap when an index exceeds its array, which may otherwise change nothing that a test checks.
    options = ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_BUILD_TYPE=Release",
               "-DCMAKE_C_FLAGS_RELEASE=-O3 -fsanitize=bounds -fsanitize-undefined-trap-on-error",
               f"-DFIN_UNIT_NAMES={';'.join(UNITS)}"]
    target, product = "finalist", "libfinalist.a"

    def __init__(self, root, directory):
        super().__init__(root, directory)
        self.built = self.directory / "build"
        self.library = self.built / self.product
        self.clean = b""

    def make(self, *targets, built=None):
        return run(["ninja", "-j1", "-C", str(built or self.built), *targets], "/",
                   SECONDS_TO_BUILD)

    def prepare(self):
        super().prepare()
        built = self.directory / "coverage"
        state = self.state()
        self.coverage = Coverage(self.directory / "coverage.json", state)
        for test in self.tests:
            if test.name not in self.coverage.known["tests"]:
                run(["cmake", "-G", "Ninja", "-S", str(self.source), "-B", str(built),
                     *self.options, f"-DCMAKE_C_FLAGS_RELEASE={coverage.FLAGS}"], "/", 600)
                self.coverage.measure(test.name, built, self.source, run,
                                      lambda test=test: self.run(test, 1200, built))

    def runs(self, test, file, line):
        if test.name in SLOW and not file.startswith(SLOW[test.name]):
            return False
        return self.coverage.runs(test.name, file, line)

    def configure(self):
        status, text = run(["cmake", "-G", "Ninja", "-S", str(self.source), "-B", str(self.built),
                            *self.options], "/", 600)
        if status == 0:
            status, text = self.make(self.target)
        if status != 0:
            sys.exit(text[-3000:])
        self.make("-k0")  # ctest lists only existing programs; some need all units
        self.clean = self.library.read_bytes()
        _, text = run(["ctest", "--show-only=json-v1"], self.built, 60)
        for test in json.loads(text)["tests"]:
            labels = {label for said in test["properties"] if said["name"] == "LABELS"
                      for label in said["value"]}
            program = pathlib.Path(test.get("command", ["/"])[0])
            if self.wants(test["name"], labels) and program.is_relative_to(self.built):
                self.tests.append(Test(test["name"], program.name))

    def wants(self, test, labels):
        """Returns true if a test is worth its time."""
        slow = labels & {"long", "bulk", "exhaustive", "checker"} or test in self.too_long
        return not slow or test in WIPING

    def build(self, file):
        status, _ = self.make(self.target)
        if status != 0:
            return NOT_BUILT
        return SAME if self.library.read_bytes() == self.clean else BUILT

    def run(self, test, seconds, built=None):
        status, text = self.make(test.command, built=built)
        if status != 0:
            return NOT_BUILT, text
        status, text = run(["ctest", "-R", f"^{test.name}$", "--timeout", f"{seconds:.0f}"],
                           built or self.built, seconds + 10)
        return (124 if "***Timeout" in text else status), text


class ProviderArea(CoreArea):
    """The provider for OpenSSL, which one test loads."""

    name = "provider"
    patterns = ("openssl/*.[ch]",)
    folders = ("core", "include", "openssl", "tests")
    options = [*CoreArea.options, "-DFIN_OPENSSL=ON"]
    target, product = "finalist_openssl", "openssl/finalist.so"

    def prepare(self):
        Area.prepare(self)

    def runs(self, test, file, line):
        return True

    def wants(self, test, labels):
        return test == "openssl"


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
    options = [option for option in CoreArea.options if "FIN_UNIT_NAMES" not in option]
    for command in (["cmake", "-G", "Ninja", "-S", str(area.root), "-B", str(built),
                     "-DFIN_TESTS=OFF", *options],
                    ["ninja", "-j1", "-C", str(built)]):
        status, text = run(command, "/", SECONDS_TO_BUILD)
        if status != 0:
            sys.exit(text[-3000:])
    return built


AREAS = [CoreArea, ProviderArea, SafeCrateArea, ToolArea, PythonArea, ExtensionArea]
