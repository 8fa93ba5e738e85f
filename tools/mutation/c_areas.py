# SPDX-License-Identifier: MIT OR Apache-2.0
"""The areas in C: the core without its kernels, its selection of these, and the provider for
OpenSSL."""

import json
import math
import pathlib
import re
import signal
import sys
import time

import faults

from mutation import coverage
from mutation.area import BUILT, NOT_BUILT, SAME, SECONDS_TO_BUILD, Area, Test, run
from mutation.coverage import Coverage
from mutation.switches import VARIABLE, CSwitches


class CTest(Test):
    """A test of the C code, as ctest lists it."""

    def __init__(self, listed, program):
        super().__init__(listed["name"], listed["command"])
        its = {said["name"]: said["value"] for said in listed["properties"]}
        self.target = program.name
        self.directory = its["WORKING_DIRECTORY"]
        self.env = dict(said.split("=", 1) for said in its.get("ENVIRONMENT", []))
        self.expected = (its.get("PASS_REGULAR_EXPRESSION") or [None])[0]


# A kernel of each kind: enough to reach every path of the core, and few enough to be quick.
UNITS = ["blake_portable", "blake_avx", "blake_avx2", "blake_lanes_sse2", "blake_lanes_avx2",
         "blake_lanes_avx512", "blake_lanes_x86_64_avx512", "blake_ways_avx2", "groestl_bitslice",
         "groestl_ttable64", "groestl_aesni_avx", "groestl_lanes_aesni_avx2",
         "groestl_lanes_gfni512"]

# Tests that search memory for secrets: only they see that too little is erased.
WIPING = ("wipe", "wipe_kernels")

# Tests that take seconds, and the sources for whose faults they are run.
SLOW = {"merkle": ("core/lanes/", "core/multi/", "core/tree/"),
        "splits": ("core/message/stream", "core/message/final", "core/message/blake2p",
                   "core/message/leaves"),
        **dict.fromkeys(WIPING, ("core/lanes/", "core/message/", "core/multi/", "core/tree/"))}


class CoreArea(Area):
    """The C core without its kernels, built with a few of these."""

    name = "core"
    patterns = ("core/*.h", *(f"core/{folder}/*.[ch]" for folder in
                              ("spec", "dispatch", "lanes", "message", "multi", "tree")))
    folders = ("core", "include", "tests", "fuzz")
    left_out = {**{f"core/dispatch/cpu_{name}.c": "other machines" for name in ("arm", "generic")},
                "core/dispatch/preference.c": "another area"}
    too_long = {"guard_all", "mixbytes", "mixbytes_search", "xop_emulator"}  # or test kernels
    # Trap when an index exceeds its array, which may otherwise change nothing that a test checks.
    options = ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_BUILD_TYPE=Release",
               "-DCMAKE_C_FLAGS_RELEASE=-O3 -fsanitize=bounds -fsanitize-undefined-trap-on-error",
               f"-DFIN_UNIT_NAMES={';'.join(UNITS)}"]
    target, product = "finalist", "libfinalist.a"
    programs = ("-k0",)  # of tests: all that build, because some need all units

    def __init__(self, root, directory):
        super().__init__(root, directory)
        self.built = self.directory / "build"
        self.library = self.built / self.product
        self.clean = b""
        self.switched = self.directory / "switched"
        self.switches = CSwitches(self.switched / "source")
        self.number = None  # of the fault that is switched on
        self.blind = set()  # tests that need a build with a single fault
        self.left = []  # tests that have yet to run with a fault

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

    def plan(self, mutants):
        """Builds a copy with all faults, to be switched on, and runs every test once. A fault that
        survives there, or has no switch, is planted alone for the tests that are left."""
        source, header = self.switches.source, self.switched / "switches.h"
        faults.Copy(self.directory).copy(self.root, source)
        header.write_text(self.switches.header, encoding="utf-8")
        # Kernels with switches in their loops take minutes to optimise.
        options = [option.replace("-O3", f"-O1 -include {header}") for option in self.options]
        run(["cmake", "-G", "Ninja", "-S", str(source), "-B", str(self.switched / "build"),
             *options], "/", 600)
        self.switches.plant(mutants, self.build_switched)
        self.number = 0
        self.blind = set(WIPING)  # what remains on the stack depends on optimisation
        for test in self.tests:
            begin = time.monotonic()
            if test.name not in self.blind and self.run(test, 1200)[0] != 0:
                self.blind.add(test.name)
            test.seconds = max(test.seconds, time.monotonic() - begin)
        print(f"{self.name}: {len(self.switches.numbers)} of {len(mutants)} faults have switches; "
              f"left for those that survive: {' '.join(sorted(self.blind))}", flush=True)
        return mutants

    def build_switched(self):
        programs = sorted({test.target for test in self.tests})
        status, text = self.make("-k0", self.target, *programs, built=self.switched / "build")
        return status == 0, text

    def examine(self, mutant):
        self.number = self.switches.numbers.get(mutant.key)
        self.left = self.tests
        if self.number is not None:
            self.left = [test for test in self.tests if test.name not in self.blind]
            outcome = self.see(mutant)
            if outcome[0] != "survives":
                return outcome
            self.number = None
            self.left = [test for test in self.tests if test.name in self.blind]
        return super().examine(mutant)  # tells whether the code is the same

    def runs(self, test, mutant):
        if test.name in SLOW and not mutant.file.startswith(SLOW[test.name]):
            return False
        return test in self.left and self.coverage.runs(test.name, mutant.file, mutant.line)

    def configure(self):
        status, text = run(["cmake", "-G", "Ninja", "-S", str(self.source), "-B", str(self.built),
                            *self.options], "/", 600)
        if status == 0:
            status, text = self.make(self.target)
        if status != 0:
            sys.exit(text[-3000:])
        self.make(*self.programs)  # ctest lists only existing programs
        self.clean = self.library.read_bytes()
        _, text = run(["ctest", "--show-only=json-v1"], self.built, 60)
        for test in json.loads(text)["tests"]:
            labels = {label for said in test["properties"] if said["name"] == "LABELS"
                      for label in said["value"]}
            program = pathlib.Path(test.get("command", ["/"])[0])
            if self.wants(test["name"], labels) and program.is_relative_to(self.built):
                self.tests.append(CTest(test, program))

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
        env = {}
        if self.number is not None:
            built, env = self.switched / "build", {VARIABLE: str(self.number)}
        else:
            status, text = self.make(test.target, built=built)
            if status != 0:
                return NOT_BUILT, text
        # On a busy machine a test takes much longer than its time on the processor.
        command = [word.replace(str(self.built), str(built or self.built)) for word in test.command]
        status, text = run(command, test.directory, 4 * seconds, test.env | env,
                           math.ceil(seconds / 4))
        if test.expected:
            status = 0 if re.search(test.expected, text, re.S) else 1
        return (124 if status == -signal.SIGKILL else status), text


class SelectionArea(CoreArea):
    """The selection by preference.def, built with all kernels that this names."""

    name = "selection"
    patterns = ("core/dispatch/preference.c",)
    left_out = {}
    options = [option for option in CoreArea.options if "FIN_UNIT_NAMES" not in option]
    programs = ("test_preference", "test_selected")

    def prepare(self):
        Area.prepare(self)

    def plan(self, mutants):
        return mutants

    def runs(self, test, mutant):
        return test in self.left

    def wants(self, test, labels):
        return f"test_{test}" in self.programs


class ProviderArea(CoreArea):
    """The provider for OpenSSL, which one test loads."""

    name = "provider"
    patterns = ("openssl/*.[ch]",)
    folders = ("core", "include", "openssl", "tests")
    options = [*CoreArea.options, "-DFIN_OPENSSL=ON"]
    target, product = "finalist_openssl", "openssl/finalist.so"

    def prepare(self):
        Area.prepare(self)

    def runs(self, test, mutant):
        return test in self.left

    def wants(self, test, labels):
        return test == "openssl"
