# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs fuzz.py briefly, in its own process: a reader that crashes ends only that one."""

import pathlib
import subprocess
import sys

import pytest


def run(seconds):
    script = pathlib.Path(__file__).with_name("fuzz.py")
    command = [sys.executable, str(script), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()[1:]
    assert len(lines) == 9 and all(int(line.split()[1]) > 10 for line in lines), done.stdout


def test_damaged_inputs():
    run(10)


@pytest.mark.slow
def test_more_damaged_inputs():
    run(60)
