# SPDX-License-Identifier: MIT OR Apache-2.0
"""No call leaves a copy of a key in memory."""

import pathlib
import subprocess
import sys

import pytest

WITH_OWN = ("blake2b", "blake2s", "blake2bp", "blake3")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/maps")
def test_no_call_leaves_a_key(tmp_path):
    script = pathlib.Path(__file__).with_name("leftovers.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split(" ", 2) for line in done.stdout.splitlines()]
    assert len(lines) > 35
    left = {(case, algorithm): places for case, algorithm, places in lines if places != "[]"}
    # The search finds a bytes object of the caller.
    found = [left.pop(("own_bytes", algorithm)) for algorithm in WITH_OWN]
    assert all(places.startswith("[(") for places in found)
    assert left == {}
