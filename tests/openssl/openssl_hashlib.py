# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests Python's hashlib with the provider for OpenSSL, loaded by a configuration file.

    openssl_hashlib.py build/gcc/openssl/finalist.so

Digests that only the provider implements show that OpenSSL loaded it. The default provider computes
the expected digests of BLAKE2 in a second process.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

CONFIGURATION = """\
openssl_conf = openssl_init
[openssl_init]
providers = providers
alg_section = algorithms
[providers]
default = default_provider
finalist = finalist_provider
[default_provider]
activate = 1
[finalist_provider]
module = {module}
activate = 1
[algorithms]
default_properties = {properties}
"""

# Digests of the empty message, from the SHA-3 submission packages and BLAKE3's test_vectors.json.
EMPTY = {
    "blake-256": "716f6e863f744b9ac22c97ec7b76ea5f5908bc5b2f67c61510bfc4751384ea7a",
    "groestl-256": "1a52d11d550039be16107f9c58db9ebcc417f16f736adb2502567119f0083467",
}
EMPTY_BLAKE3 = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
NAMES = ("blake2b512", "blake2s256")
LENGTHS = (0, 1, 64, 128, 513, 5000)


def digests() -> list[str]:
    """Returns the digests of NAMES for messages of LENGTHS, as OpenSSL is configured."""
    return [
        hashlib.new(name, bytes(i % 251 for i in range(length))).hexdigest()
        for name in NAMES
        for length in LENGTHS
    ]


def run(module: str, properties: str, argument: str) -> list[str]:
    """Runs this program with OpenSSL configured to prefer `properties`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "openssl.cnf")
        path.write_text(CONFIGURATION.format(module=module, properties=properties))
        environment = dict(os.environ, OPENSSL_CONF=str(path))
        done = subprocess.run(
            [sys.executable, __file__, module, argument],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
    return done.stdout.split()


def main() -> int:
    module = sys.argv[1]
    if sys.argv[2:] == ["--empty"]:
        print(*(hashlib.new(name).hexdigest() for name in EMPTY))
        # hashlib takes the length of an extendable output here.
        print(hashlib.new("blake3").hexdigest(32))  # type: ignore[call-arg]
        return 0
    if sys.argv[2:] == ["--digests"]:
        print(*digests())
        return 0
    try:
        hashlib.new("groestl-256")
    except ValueError:
        pass
    else:
        print("hashlib has groestl-256 without the provider: this test proves nothing")
        return 1
    if run(module, "?provider=finalist", "--empty") != [*EMPTY.values(), EMPTY_BLAKE3]:
        print("wrong digests of the empty message")
        return 1
    if run(module, "provider=finalist", "--digests") != digests():
        print("BLAKE2 differs from OpenSSL's default provider")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
