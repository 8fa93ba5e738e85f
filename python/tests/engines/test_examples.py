# SPDX-License-Identifier: MIT OR Apache-2.0
"""Each script of examples/ in one command, as a newcomer runs it."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = sorted((pathlib.Path(__file__).parents[3] / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example(path, tmp_path):
    command = [sys.executable, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=200)
    assert result.returncode == 0, result.stderr[-3000:]
    assert result.stdout.splitlines()[-1] == "the same root"
    assert not list(tmp_path.iterdir())


def test_all_engines_have_one():
    assert {path.stem for path in EXAMPLES} >= {"spark_digests", "ray_digests", "dask_digests"}
