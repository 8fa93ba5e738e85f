# SPDX-License-Identifier: MIT OR Apache-2.0
"""The base of all areas: a part of the project in which faults are planted.

Each area works in a copy of the sources and keeps its build for the next run.
"""

import contextlib
import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time

import faults

SECONDS_TO_BUILD = 1200
MEMORY_MAX = 16 << 30
FILE_MAX = 2 << 40  # tests make sparse files of a tebibyte
SAME = "same code"  # the fault compiles to the same code as the source
BUILT = "built"
NOT_BUILT = "does not build"


def limit(processor):
    """Limits resources: a fault may allocate all memory, or compute or write without end."""
    resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Background processes ignore SIGINT, which tests of interrupted runs would inherit.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(command, directory, seconds, env=None, processor=SECONDS_TO_BUILD):
    """Runs a command; returns its status, 124 if it did not end in time, and its output. Each of
    its processes may take this many seconds of the processor."""
    with subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE,
                          preexec_fn=lambda: limit(processor),
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

    def copy(self):
        """Copies the sources, or what has changed since they were last copied."""
        self.directory.mkdir(parents=True, exist_ok=True)
        faults.Copy(self.directory).copy(self.root, self.source)

    def prepare(self):
        """Builds without a fault, runs every test once, and drops those that fail."""
        self.copy()
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
        for tests in self.groups(self.tests_of(mutant)):
            seconds = 10 + 5 * sum(test.seconds for test in tests)
            status, text = self.run_all(tests, seconds)
            if status == NOT_BUILT:
                return NOT_BUILT, text
            name = "" if status == 0 else self.failed(tests, text)
            for test in tests:
                test.tried[mutant.file] = test.tried.get(mutant.file, 0) + 1
                if test.name == name:
                    test.seen[mutant.file] = test.seen.get(mutant.file, 0) + 1
            if status != 0:
                return ("hangs" if status == 124 else "seen"), name
        return "survives", ""

    def groups(self, tests):
        """Returns the tests in groups, each for one program to run."""
        return [[test] for test in tests]

    def run_all(self, tests, seconds):
        """Runs a group of tests until one fails; returns the status and output."""
        return self.run(tests[0], seconds)

    def failed(self, tests, text):
        """Returns the name of the test of a group that failed, from its output."""
        return tests[0].name

    def plan(self, mutants):
        """Returns the faults in the order in which to examine them."""
        return mutants

    def tests_of(self, mutant):
        """Returns the tests that may see a fault, the most promising first."""
        return sorted((test for test in self.tests if self.runs(test, mutant)),
                      key=lambda test: -test.promise(mutant.file))

    def runs(self, test, mutant):
        """Returns true if the test may run the place of the fault."""
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
