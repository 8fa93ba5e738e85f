#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Plants generated faults in checks and arithmetic, one at a time; a test must fail on each.

    tools/mutants.py --sample 100 [--seed S]    a random sample, drawn with this seed
    tools/mutants.py --only core/tree           the faults of files whose names contain this
    tools/mutants.py --resume LOG               skips the faults in the log of an earlier run
    tools/mutants.py --again LOG                the faults that survived an earlier run
    tools/mutants.py --unlisted                 the faults that survivors.toml does not list
    tools/mutants.py --list                     lists the faults; builds nothing
    tools/mutants.py --self-test                a fault that must be seen, one that must survive

tools/mutation/operators.py defines the faults. tests/mutants/survivors.toml lists the faults that
no test can see, each with the reason. A fault that compiles to the same machine code as the source
needs no entry.

Ends with 1 if a fault survives that is not listed, a listed one is seen, or an entry names a fault
that no longer exists.
"""

import argparse
import collections
import json
import pathlib
import random
import sys
import tempfile
import time

from mutation import areas, operators, survivors
from mutation.area import SAME

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read_log(path):
    """Returns the outcome of each fault in a log, and the test that saw it."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {tuple(said["key"]): (said["outcome"], said["test"]) for said in lines}


class Log:
    """A log with one line of JSON for each examined fault."""

    def __init__(self, path, earlier):
        self.known = read_log(earlier) if earlier else {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("a" if path == earlier else "w", encoding="utf-8")

    def write(self, mutant, outcome, test, seconds):
        self.file.write(json.dumps({"key": mutant.key, "outcome": outcome, "test": test,
                                    "operator": mutant.operator, "line": mutant.line,
                                    "seconds": round(seconds, 2)}) + "\n")
        self.file.flush()


def examine(area, mutants, log, listed):
    """Plants the faults of an area; returns the number of each outcome, and the problems."""
    counts, wrong = collections.Counter(), []
    known = [mutant for mutant in mutants if mutant.key in log.known]
    new = [mutant for mutant in mutants if mutant.key not in log.known]
    for mutant in known + (area.plan(new) if new else []):
        begin = time.monotonic()
        known = log.known.get(mutant.key)
        outcome, test = known or area.examine(mutant)
        if known is None:
            log.write(mutant, outcome, test, time.monotonic() - begin)
        reason = listed.get(mutant.key)
        if outcome == "survives" and reason:
            outcome = "listed"
        elif outcome == "survives":
            wrong.append(f"SURVIVES  {mutant}")
        elif reason:
            wrong.append(f"STALE     {mutant}\n          listed, but {outcome} {test}")
        counts[outcome] += 1
        if known is None:
            print(f"{mutant}\n    {outcome} {test}", flush=True)
    return counts, wrong


def self_test():
    """Plants a fault that a test sees, one that none can see, and one that changes no code."""
    folder_of_core = pathlib.Path("core") / "tree"
    core = ("int limited(int a);\nint untested(int a);\n"
            "int limited(int a)\n{\n    if (a > 10) {\n        a = 10;\n    }\n"
            "    return a;\n}\n"
            "int untested(int a)\n{\n    return a + 1;\n}\n")
    test = "int limited(int a);\nint main(void) { return limited(11) != 10 || limited(9) != 9; }\n"
    cmake = ("cmake_minimum_required(VERSION 3.16)\nproject(small C)\nenable_testing()\n"
             "add_library(finalist core/tree/limited.c)\nadd_executable(test_limited limited.c)\n"
             "target_link_libraries(test_limited finalist)\nadd_test(limited test_limited)\n")
    expected = {"a >= 10": SAME, "a > 11": "seen", "(void)0": "seen", "a - 1": "survives",
                "a + 2": "survives"}
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "project"
        (root / folder_of_core).mkdir(parents=True)
        (root / folder_of_core / "limited.c").write_text(core, encoding="utf-8")
        (root / "limited.c").write_text(test, encoding="utf-8")
        (root / "CMakeLists.txt").write_text(cmake, encoding="utf-8")
        area = areas.CoreArea(root, pathlib.Path(folder) / "work")
        area.prepare()
        mutants = area.plan(list(operators.mutants_of(root, "core/tree/limited.c")))
        found = {mutant.after: area.examine(mutant)[0] for mutant in mutants}
    good = found == expected and len(area.switches.numbers) == len(expected)
    print(f"self-test: {'as expected' if good else 'WRONG'}: {found}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[],
                        help="only files whose names contain this")
    parser.add_argument("--skip", action="append", default=[], help="skip these files")
    parser.add_argument("--sample", type=int, metavar="N", help="N random faults")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--log", type=pathlib.Path, help="default: log.jsonl in the directory")
    parser.add_argument("--resume", type=pathlib.Path, metavar="LOG")
    parser.add_argument("--again", type=pathlib.Path, metavar="LOG")
    parser.add_argument("--unlisted", action="store_true",
                        help="only faults that survivors.toml does not list")
    parser.add_argument("--list", action="store_true", help="list the faults")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    directory = arguments.directory.resolve()
    listed = survivors.read(ROOT)
    chosen, everything = [], set()
    for kind in areas.AREAS:
        area = kind(ROOT, directory)
        mutants = [m for file in area.files() for m in operators.mutants_of(ROOT, file)]
        everything |= {mutant.key for mutant in mutants}
        chosen += [(area, mutant) for mutant in mutants
                   if any(name in mutant.file for name in arguments.only or [""])
                   and not any(name in mutant.file for name in arguments.skip)
                   and not (arguments.unlisted and mutant.key in listed)]
    wrong = [f"STALE     no such fault: {' '.join(map(str, key))}"
             for key in listed if key not in everything]
    if arguments.sample is not None:
        print(f"mutants.py: --sample {arguments.sample} --seed {arguments.seed}")
        places = random.Random(arguments.seed).sample(range(len(chosen)),
                                                      min(arguments.sample, len(chosen)))
        chosen = [chosen[place] for place in sorted(places)]
    if arguments.again:
        survived = {key for key, (outcome, _) in read_log(arguments.again).items()
                    if outcome == "survives"}
        chosen = [(area, mutant) for area, mutant in chosen if mutant.key in survived]
    if not chosen:
        sys.exit("mutants.py: no such file, or it has no faults")
    if arguments.list:
        print(*(mutant for _, mutant in chosen), sep="\n")
        return not wrong
    log = Log(arguments.log or arguments.resume or directory / "log.jsonl", arguments.resume)
    counts = collections.Counter()
    for area in dict.fromkeys(area for area, _ in chosen):
        mutants = [mutant for its, mutant in chosen if its is area]
        if any(mutant.key not in log.known for mutant in mutants):
            area.prepare()
        counted, ill = examine(area, mutants, log, listed)
        counts += counted
        wrong += ill
    print(*wrong, sep="\n")
    print(f"{sum(counts.values())} faults: "
          + ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
    return not wrong


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
