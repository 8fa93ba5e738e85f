# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the interpreter's tests of hashlib with this package's BLAKE2 instead of its own."""

import importlib.util
import subprocess
import sys

import pytest

#: Its arguments are the constructors' expressions. Classes of the stable ABI are not read-only.
PROGRAM = """
import _blake2, functools, hashlib, unittest
import finalist

for name, constructor in [("blake2b", {blake2b}), ("blake2s", {blake2s})]:
    setattr(hashlib, name, constructor)
    setattr(_blake2, name, constructor)
    getattr(hashlib, "__builtin_constructor_cache")[name] = constructor

import test.test_hashlib as tests

del tests.HashLibTestCase.test_readonly_types
unittest.main(module=tests, argv=["test_hashlib", "HashLibTestCase"])
"""


def has_tests():
    try:
        return importlib.util.find_spec("test.test_hashlib") is not None
    except ModuleNotFoundError:
        return False


pytestmark = pytest.mark.skipif(
    not has_tests(), reason="this interpreter was installed without test.test_hashlib"
)


def run(blake2b, blake2s):
    program = PROGRAM.format(blake2b=blake2b, blake2s=blake2s)
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_the_interpreters_own_tests_pass():
    result = run("finalist.blake2b", "finalist.blake2s")
    assert result.returncode == 0, result.stderr
    assert "\nOK" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["blake2b", "blake2s"])
def test_they_fail_with_a_wrong_constructor(wrong):
    constructors = {name: f"finalist.{name}" for name in ("blake2b", "blake2s")}
    constructors[wrong] = f"functools.partial(finalist.{wrong}, person=b'x')"
    result = run(**constructors)
    assert result.returncode == 1
    assert f"check_{wrong}" in result.stderr or f"test_{wrong}" in result.stderr
