# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the package in a zip file: engines send Python files to their workers in one."""

import pathlib
import subprocess
import sys
import zipfile

import finalist


def test_a_zip_says_what_to_do(tmp_path):
    package = pathlib.Path(finalist.__file__).parent
    place = tmp_path / "finalist.whl"
    with zipfile.ZipFile(place, "w") as archive:
        for file in [*package.glob("*.py"), *package.glob("_finalist*.so")]:
            archive.write(file, f"finalist/{file.name}")
    for module in ("finalist", "finalist.spark"):
        code = f"import sys; sys.path.insert(0, {str(place)!r}); import {module}"
        run = [sys.executable, "-I", "-c", code]
        found = subprocess.run(run, capture_output=True, text=True, check=False)
        assert found.returncode == 1
        last = found.stderr.strip().splitlines()[-1]
        assert last.startswith("ImportError: finalist's compiled module is not beside")
        assert last.endswith("send an environment that has it (docs/guide/cluster.md)")
