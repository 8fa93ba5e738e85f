# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fails for a wheel of more than 1 MB, and for one that auditwheel finds to need more of its system
than its name says.

    python python/tests/check_wheels.py DIRECTORY
"""

import importlib.util
import pathlib
import subprocess
import sys

WHEEL_BYTES_MAX = 1_000_000


def audited(wheel):
    """What auditwheel says of a wheel. Its lowest platform must be in the wheel's name."""
    command = [sys.executable, "-m", "auditwheel", "show", wheel]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = " ".join(found.split())
    for platform in wheel.stem.split("-")[-1].split("."):
        if f'platform tag: "{platform}"' in text:
            return f"consistent with {platform}"
    sys.exit(f"{wheel.name}: {text}")


def main():
    wheels = sorted(pathlib.Path(sys.argv[1]).glob("finalist-*.whl"))
    if not wheels:
        sys.exit(f"{sys.argv[1]}: no wheel")
    for wheel in wheels:
        size = wheel.stat().st_size
        if size > WHEEL_BYTES_MAX:
            sys.exit(f"{wheel.name}: {size} bytes, more than {WHEEL_BYTES_MAX}")
        print(f"{wheel.name}: {size} bytes", end="")
        is_audited = importlib.util.find_spec("auditwheel") and "linux_" in wheel.name
        print(f", {audited(wheel)}" if is_audited else "")


if __name__ == "__main__":
    main()
