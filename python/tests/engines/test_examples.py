# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs examples/ and README.md's lines for Spark as a newcomer does."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example(path, tmp_path):
    command = [sys.executable, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=200)
    assert result.returncode == 0, result.stderr[-3000:]
    assert result.stdout.splitlines()[-1] == "the same root"
    assert not list(tmp_path.iterdir())


def test_all_engines_have_one():
    assert {path.stem for path in EXAMPLES} >= {"spark_digests", "ray_digests", "dask_digests"}


def test_the_readme_s_lines_for_spark(spark, capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = text.split("```python\n")
    [block] = [block for block in blocks if block.startswith("import finalist.spark")]
    exec(block.split("```")[0], {})  # takes the session of the fixture
    assert capsys.readouterr().out.count("|") > 8
