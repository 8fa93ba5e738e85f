#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Plants faults in the core and the crates, one at a time; a named test must fail on each.

    tools/faults.py [--only NAME] [--jobs N] [--directory DIR]
    tools/faults.py --check          check that each patch applies; change nothing
    tools/faults.py --list           list what each fault breaks, and the tests that must fail

A fault is a patch tests/faults/NAME.patch. Its first line says what it breaks; its second line is
one of

    Seen by: TEST [TEST ...]         tests as ctest names them, cargo:PACKAGE:TEST (lib: the crate's
                                     own tests), or pytest:FILE of python/tests, for faults in
                                     Python; at least one must fail
    Survives: REASON                 no test can detect it, and why; the quick tests pass

Each job keeps a copy of the sources and its own build below DIR (build/faults) for the next run.
Ends with 1 if no test detected a fault, or if one does not apply or build.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tests" / "faults"
LEFT_OUT = {".git", "build", "target", "node_modules", "__pycache__"}
QUICK = ["-L", "quick", "-LE", "checker"]
CARGO, PYTEST = "cargo:", "pytest:"
PYTHON = ROOT / "build" / "python"


class Fault:
    """A patch and its first two lines."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        lines = path.read_text(encoding="utf-8").splitlines()
        self.breaks = lines[0] if lines else ""
        word, _, rest = (lines[1] if len(lines) > 1 else "").partition(": ")
        self.tests = rest.split() if word == "Seen by" else []
        self.survives = rest if word == "Survives" else ""
        if not self.breaks or not (self.tests or self.survives):
            sys.exit(f"{path}: the first line must say what it breaks, the second one "
                     "'Seen by: TEST ...' or 'Survives: REASON'")


def run(command, directory, minutes=30, **variables):
    """Runs a command; returns its exit status and output."""
    try:
        done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.STDOUT, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=60 * minutes,
                              env=os.environ | variables)
    except subprocess.TimeoutExpired:
        return 124, f"{command[0]}: no end after {minutes} minutes"
    return done.returncode, done.stdout


def apply(fault, directory, *options):
    """Applies the patch without fuzz: the context must match exactly."""
    return run(["patch", "-p1", "--batch", "--forward", "--fuzz=0", "--no-backup-if-mismatch",
                "--input", str(fault.path), *options], directory)


class Copy:
    """A copy of the sources and its build, in which faults are planted."""

    def __init__(self, directory):
        self.source = directory / "source"
        self.build = directory / "build"
        self.programs = {}
        self.passing = set()  # tests that have passed without a fault

    def refresh(self):
        """Updates the sources; unchanged files keep their time, so their objects stay valid."""
        self.copy(ROOT, self.source)

    def copy(self, path, to):
        if path.is_dir():
            to.mkdir(parents=True, exist_ok=True)
            wanted = {p.name for p in path.iterdir()} - LEFT_OUT
            for old in to.iterdir():
                if old.name not in wanted:
                    shutil.rmtree(old) if old.is_dir() else old.unlink()
            for name in wanted:
                self.copy(path / name, to / name)
        elif not to.exists() or to.read_bytes() != path.read_bytes():
            shutil.copyfile(path, to)

    def configure(self):
        """Configures the build, and reads each test's program from ctest's files."""
        options = ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_BUILD_TYPE=Release"]
        if shutil.which("valgrind"):
            options.append("-DFIN_CONSTANT_TIME_TEST=ON")
        if shutil.which("ccache"):
            options.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
        status, text = run(["cmake", "-S", str(self.source), "-B", str(self.build), *options], "/")
        if status != 0:
            sys.exit(text)
        for folder in ("tests", "fuzz"):
            text = (self.build / folder / "CTestTestfile.cmake").read_text(encoding="utf-8")
            built = re.escape(str(self.build / folder)) + "/"
            for name, command in re.findall(r"^add_test\((?:\[=*\[)?(\w+)\S* (.*)\)$", text, re.M):
                program = re.findall(f'"{built}([a-z0-9_]+)"', command)[:1]
                self.programs[name] = program or ["finalist"]

    def cargo_test(self, test, *options):
        """Builds a test of a crate and runs it."""
        package, name = test.removeprefix(CARGO).split(":")
        which = ["--lib"] if name == "lib" else ["--test", name]
        return run(["cargo", "test", "--release", "--locked", "--package", package, *which,
                    "--target-dir", str(self.build.parent / "target"), *options], self.source)

    def build_and_test_crates(self, tests):
        """Like build_and_test, for tests of crates."""
        for test in tests:
            status, text = self.cargo_test(test, "--no-run")
            if status != 0:
                return None, "does not build:\n" + "\n".join(text.splitlines()[-15:])
            if self.cargo_test(test)[0] != 0:
                return test, ""
        return None, ""

    def run_pytest(self, tests):
        """Like build_and_test, for files of python/tests: the sources in Python are the copy's, the
        extension module is the installed wheel's."""
        modules = list(PYTHON.glob("lib/python*/site-packages/finalist/_finalist*.so"))
        if not modules:
            return None, "needs make wheel-installed"
        for test in tests:
            shutil.copy(modules[0], self.source / "python" / "finalist")
            file = self.source / "python" / "tests" / test.removeprefix(PYTEST)
            status, text = run([PYTHON / "bin" / "python", "-m", "pytest", "-q", "-x", "-p",
                                "no:cacheprovider", "-m", "not slow", file], self.source,
                               PYTHONPATH=str(self.source / "python"), FINALIST_EXAMPLES="15")
            if status not in (0, 1):
                return None, "does not run:\n" + "\n".join(text.splitlines()[-15:])
            if status == 1:
                return test, ""
        return None, ""

    def build_and_test(self, tests):
        """Returns None if all tests pass, else the first one that fails, or a description of the
        problem."""
        if all(test.startswith(CARGO) for test in tests):
            return self.build_and_test_crates(tests)
        if all(test.startswith(PYTEST) for test in tests):
            return self.run_pytest(tests)
        targets = sorted({t for test in tests for t in self.programs[test]})
        status, text = run(["cmake", "--build", str(self.build), "--target", *targets], "/")
        if status != 0:
            return None, "does not build:\n" + "\n".join(text.splitlines()[-15:])
        for test in tests:
            status, text = run(["ctest", "-R", f"^{test}$", "--timeout", "200"], self.build)
            if status != 0:
                return test, ""
        return None, ""

    def passes(self, test):
        """Returns true if a test passes without a fault; runs it once."""
        if test not in self.passing and self.build_and_test([test]) == (None, ""):
            self.passing.add(test)
        return test in self.passing

    def quick_tests(self):
        _, text = run(["ctest", "--show-only=json-v1", *QUICK], self.build)
        return [test["name"] for test in json.loads(text)["tests"]]

    def plant(self, fault):
        """Returns a line on the outcome, and whether it is the expected one."""
        unknown = [test for test in fault.tests
                   if test not in self.programs and not test.startswith((CARGO, PYTEST))]
        if unknown:
            return f"no test of the name {unknown[0]}", False
        status, text = apply(fault, self.source)
        if status != 0:
            return f"does not apply: {text}", False
        try:
            seen, wrong = self.build_and_test(fault.tests or self.quick_tests())
        finally:
            apply(fault, self.source, "--reverse")
            self.refresh()
        if wrong:
            return wrong, False
        if seen is not None and not self.passes(seen):
            return f"{seen} fails without the fault, too", False
        if fault.survives:
            return (f"survives: {fault.survives}", True) if seen is None else \
                (f"expected to survive, but seen by {seen}", False)
        return (f"seen by {seen}", True) if seen is not None else \
            (f"NOT SEEN by {' '.join(fault.tests)}", False)


def check(faults):
    """Returns true if all patches apply."""
    wrong = 0
    for fault in faults:
        status, text = apply(fault, ROOT, "--dry-run")
        if status != 0:
            print(f"{fault.path.relative_to(ROOT)}: does not apply:\n{text}")
            wrong += 1
    print(f"{len(faults) - wrong} patches apply, {wrong} do not")
    return wrong == 0


def plant_all(faults, directory, jobs):
    """Plants every fault; returns true if each is seen or survives as its patch says."""
    copies = queue.Queue()
    for job in range(min(jobs, len(faults))):
        copy = Copy(directory / f"job{job}")
        copy.refresh()
        copy.configure()
        copies.put(copy)

    def plant(fault):
        copy = copies.get()
        try:
            return copy.plant(fault)
        finally:
            copies.put(copy)

    good = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for fault, (text, as_said) in zip(faults, pool.map(plant, faults), strict=True):
            good += as_said
            print(f"{'' if as_said else 'WRONG  '}{fault.name}: {text}", flush=True)
    survivors = sum(1 for fault in faults if fault.survives)
    print(f"{good} of {len(faults)} faults as their patches say, {survivors} expected to survive")
    return good == len(faults)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="faults whose names contain this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / "build" / "faults")
    parser.add_argument("--check", action="store_true", help="check that each patch applies")
    parser.add_argument("--list", action="store_true", help="list what each fault breaks")
    arguments = parser.parse_args()
    if not shutil.which("patch"):
        sys.exit("faults.py: needs the program patch")
    faults = [Fault(path) for path in sorted(FAULTS.glob("*.patch")) if arguments.only in path.name]
    if not faults:
        sys.exit(f"faults.py: no fault's name contains '{arguments.only}'")
    if arguments.list:
        for fault in faults:
            print(f"{fault.name}: {fault.breaks} "
                  f"({'survives: ' + fault.survives if fault.survives else ' '.join(fault.tests)})")
        return True
    if arguments.check:
        return check(faults)
    return plant_all(faults, arguments.directory.resolve(), max(1, arguments.jobs))


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
