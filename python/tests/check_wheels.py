# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fails for a wheel of more than 2.15 MB, and for one that needs a newer system than its name says,
by auditwheel.

    python python/tests/check_wheels.py DIRECTORY
"""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

WHEEL_BYTES_MAX = 2_240_000
#: musl's own library name, which its loader never searches for. auditwheel knows another name.
MUSL = "libc.so"
#: A platform with the version of its C library: manylinux_2_17_x86_64.
PLATFORM = re.compile(r"(manylinux|musllinux)_(\d+)_(\d+)_(\w+)")


def platform_of(text):
    """Returns kind, architecture and version of the first platform in a text."""
    found = PLATFORM.search(text)
    kind, major, minor, architecture = found.groups() if found else ("", 99, 99, "")
    return (kind, architecture), (int(major), int(minor))


def audited(wheel):
    """Returns the platform that a wheel needs by auditwheel. Exits if its name has an older one."""
    with tempfile.TemporaryDirectory() as nowhere:
        # Hide this system's libraries.
        options = ["--json", "--ldpaths", nowhere, wheel]
        command = [sys.executable, "-m", "auditwheel", "show", *options]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(text)
    (kind, version), (named_kind, named_version) = map(platform_of, (found["sym_tag"], wheel.name))
    foreign = set(found["external_libs"]) - ({MUSL} if kind[0] == "musllinux" else set())
    if kind != named_kind or version > named_version or foreign:
        sys.exit(f"{wheel.name}: {text}")
    return f"needs {kind[0]} {version[0]}.{version[1]}"


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
