# SPDX-License-Identifier: MIT OR Apache-2.0
"""Settings and fixtures of all tests."""

import importlib
import os
import signal

import pytest

# A shell's background jobs ignore interrupts, and programs that the tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

#: Packages that do not exist for the tested interpreter: FINALIST_WITHOUT="duckdb polars".
WITHOUT = os.environ.get("FINALIST_WITHOUT", "").split()


def engine(name):
    """Imports a package. Skips the test if FINALIST_WITHOUT names it."""
    if name in WITHOUT:
        pytest.skip(f"there is no {name} for this interpreter")
    return importlib.import_module(name)
