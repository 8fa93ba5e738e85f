# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds which lines of the C core each test runs, as gcov counts them: a test need not run for a
fault in a line that it does not reach."""

import gzip
import json
import pathlib

# Kernels are excluded. The compiler gets the pattern through a shell.
FLAGS = ("-O1 -fprofile-arcs -ftest-coverage -fprofile-update=atomic "
         "-fprofile-filter-files=.*/core/[dfmt][^/]*/.*")


class Coverage:
    """The lines of each file that each test reaches."""

    def __init__(self, path, state):
        self.path = path
        try:
            self.known = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.known = {}
        if self.known.get("state") != state:
            self.known = {"state": state, "lines": {}, "tests": {}}

    def measure(self, test, built, source, run, run_test):
        """Runs the test in a build with FLAGS, and reads its counts."""
        for old in [*built.rglob("*.gcda"), *built.glob("*.gcov.json.gz")]:
            old.unlink()
        run_test()
        counted = list(built.rglob("*.gcda"))  # some tests compile a source of the library
        if counted:
            run(["gcov", "--json-format", "--preserve-paths", *map(str, counted)], built, 300)
        its = self.known["tests"][test] = {}
        for report in built.glob("*.gcov.json.gz"):
            with gzip.open(report, "rt", encoding="utf-8") as file:
                said = json.load(file)
            for each in said["files"]:
                path = pathlib.Path(said["current_working_directory"], each["file"])
                if path.is_relative_to(source):
                    name = str(path.relative_to(source))
                    lines = {line["line_number"] for line in each["lines"]}
                    ran = {line["line_number"] for line in each["lines"] if line["count"]}
                    self.known["lines"][name] = sorted({*self.known["lines"].get(name, []), *lines})
                    its[name] = sorted({*its.get(name, []), *ran})
        self.path.write_text(json.dumps(self.known), encoding="utf-8")

    def runs(self, test, file, line):
        """Returns false if the test reaches neither the line nor its nearest lines with code."""
        lines = self.known["lines"].get(file)
        if lines is None or test not in self.known["tests"] or file.endswith(".h"):
            return True
        before = [each for each in lines if each <= line][-2:]
        after = [each for each in lines if each > line][:1]
        run = set(self.known["tests"][test].get(file, []))
        return any(each in run for each in before + after)
