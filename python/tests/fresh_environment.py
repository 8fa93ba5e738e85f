# SPDX-License-Identifier: MIT OR Apache-2.0
"""Installs the wheel into an environment with nothing else, and runs the example of the package's
README there. Fails if the wheel is larger than 1 MB.

    python3 python/tests/fresh_environment.py DIRECTORY_OF_THE_WHEEL
"""

import pathlib
import subprocess
import sys
import tempfile
import venv

README = pathlib.Path(__file__).parents[1] / "README.md"
WHEEL_BYTES_MAX = 1_000_000


def main():
    [wheel] = pathlib.Path(sys.argv[1]).glob("finalist-*.whl")
    size = wheel.stat().st_size
    if size > WHEEL_BYTES_MAX:
        sys.exit(f"{wheel.name}: {size} bytes, more than {WHEEL_BYTES_MAX}")
    with tempfile.TemporaryDirectory() as directory:
        venv.create(directory, with_pip=True)
        python = pathlib.Path(directory, "bin", "python")
        install = [python, "-m", "pip", "install", "--quiet", "--no-index", wheel]
        subprocess.run(install, check=True)
        program = f"import doctest, sys; sys.exit(doctest.testfile({str(README)!r}, False).failed)"
        subprocess.run([python, "-c", program], check=True, cwd=directory)
    print(f"{wheel.name}: {size} bytes; the README's example runs in a fresh environment")


if __name__ == "__main__":
    main()
