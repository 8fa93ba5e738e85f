# SPDX-License-Identifier: MIT OR Apache-2.0
"""Installs the wheel into an empty environment and runs the example of the package's README there.

    python3 python/tests/fresh_environment.py DIRECTORY_OF_THE_WHEEL
"""

import pathlib
import subprocess
import sys
import tempfile
import venv

README = pathlib.Path(__file__).parents[1] / "README.md"


def main():
    [wheel] = pathlib.Path(sys.argv[1]).glob("finalist-*.whl")
    with tempfile.TemporaryDirectory() as directory:
        venv.create(directory, with_pip=True)
        python = pathlib.Path(directory, "bin", "python")
        install = [python, "-m", "pip", "install", "--quiet", "--no-index", wheel]
        subprocess.run(install, check=True)
        program = f"import doctest, sys; sys.exit(doctest.testfile({str(README)!r}, False).failed)"
        subprocess.run([python, "-c", program], check=True, cwd=directory)
    print(f"{wheel.name}: the README's example runs in a fresh environment")


if __name__ == "__main__":
    main()
