# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the package in a zip file: engines send Python files to their workers in one."""

import pathlib
import shutil
import subprocess
import sys
import zipfile

import finalist

PACKAGE = pathlib.Path(finalist.__file__).parent


def error_of(place, module):
    """Imports a module from this place alone. Returns the last line of the error."""
    code = f"import sys; sys.path.insert(0, {str(place)!r}); import {module}"
    run = [sys.executable, "-I", "-c", code]
    found = subprocess.run(run, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    return found.stderr.strip().splitlines()[-1]


def test_a_zip_says_what_to_do(tmp_path):
    place = tmp_path / "finalist.whl"
    with zipfile.ZipFile(place, "w") as archive:
        for file in [*PACKAGE.glob("*.py"), *PACKAGE.glob("_finalist*.so")]:
            archive.write(file, f"finalist/{file.name}")
    for module in ("finalist", "finalist.spark"):
        last = error_of(place, module)
        assert last.startswith("ImportError: finalist's compiled module is not beside")
        assert last.endswith("send an environment that has it (docs/guide/cluster.md)")


def test_another_missing_module_is_named(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "finalist", ignore=shutil.ignore_patterns("_finalist.*"))
    (tmp_path / "finalist" / "_finalist.py").write_text("import another")
    assert error_of(tmp_path, "finalist") == "ModuleNotFoundError: No module named 'another'"
