# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs differential.py for each width of vectors, in a process of its own."""

import os
import pathlib
import platform
import subprocess
import sys

import pytest

#: More batches: FINALIST_EXAMPLES=20000 pytest ...
EXAMPLES = os.environ.get("FINALIST_EXAMPLES", "150")
IS_X86 = platform.machine() in ("x86_64", "AMD64")


@pytest.mark.slow
@pytest.mark.parametrize("hidden", ["", *(["-avx512", "-avx2", "-avx"] if IS_X86 else [])])
def test_same_as_the_package_blake3(hidden):
    pytest.importorskip("blake3")
    script = pathlib.Path(__file__).with_name("differential.py")
    command = [sys.executable, str(script), EXAMPLES]
    environment = {**os.environ, "FINALIST_CPU": hidden}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) > 100 * int(EXAMPLES)
