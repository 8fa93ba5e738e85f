# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fixtures of all tests."""

import importlib
import os
import signal

import pytest

# A shell's background jobs ignore interrupts, and so would the programs that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

#: Packages that there are none of for the interpreter under test: FINALIST_WITHOUT="duckdb polars".
WITHOUT = os.environ.get("FINALIST_WITHOUT", "").split()


def engine(name):
    """The package of that name. Skips the test if the interpreter is known to have none."""
    if name in WITHOUT:
        pytest.skip(f"there is no {name} for this interpreter")
    return importlib.import_module(name)
