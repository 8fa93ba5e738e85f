# SPDX-License-Identifier: MIT OR Apache-2.0
"""A plugin of pytest: writes for each function of the tests its time, whether it passed, and the
switches that it reached."""

import json
import mmap
import os
import pathlib
import time

import pytest

RESULTS = {}

with open(os.environ["MUTANTS_REACHED"], "r+b") as file:
    REACHED = mmap.mmap(file.fileno(), 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    REACHED[:] = bytes(len(REACHED))
    begin = time.monotonic()
    result = yield
    said = of(item.nodeid)
    said["seconds"] += time.monotonic() - begin
    found = {at for at, byte in enumerate(REACHED[:]) if byte}
    said["reached"] = sorted(found.union(said["reached"]))
    return result


def pytest_runtest_logreport(report):
    if report.failed:
        of(report.nodeid)["passed"] = False


def of(name):
    """Returns the results of a test, which are those of all its parameters."""
    new = {"seconds": 0.0, "passed": True, "reached": []}
    return RESULTS.setdefault(name.partition("[")[0], new)


def pytest_sessionfinish():
    pathlib.Path(os.environ["MUTANTS_RESULTS"]).write_text(json.dumps(RESULTS), encoding="utf-8")
