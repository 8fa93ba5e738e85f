# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes a shared library a loadable extension: appends the footer that DuckDB's LOAD requires.

    python3 duckdb/footer.py LIBRARY EXTENSION PLATFORM VERSION

The footer is a section that WebAssembly's readers skip: its header, eight fields of 32 bytes from
the last to the first, and 256 bytes for a signature. These are zeros: DuckDB loads the file only
with allow_unsigned_extensions. PLATFORM is DuckDB's name for it (`pragma platform`), such as
linux_amd64.
"""

import sys

#: The API version that the extension requests; DuckDB has it from this release on.
API_VERSION = "v1.2.0"

FIELD_BYTES = 32
SIGNATURE_BYTES = 256


def leb128(number):
    """Encodes a number as WebAssembly does (LEB128)."""
    low = bytes([number & 127 | (128 if number > 127 else 0)])
    return low + leb128(number >> 7) if number > 127 else low


def footer(platform, version):
    fields = ["4", platform, API_VERSION, version, "C_STRUCT", "", "", ""]
    content = b"".join(field.encode().ljust(FIELD_BYTES, b"\0") for field in reversed(fields))
    content += bytes(SIGNATURE_BYTES)
    name = b"duckdb_signature"
    head = bytes([len(name)]) + name + leb128(len(content))
    return b"\0" + leb128(len(head) + len(content)) + head + content


def main():
    library, extension, platform, version = sys.argv[1:]
    with open(library, "rb") as file:
        content = file.read()
    with open(extension, "wb") as file:
        file.write(content + footer(platform, version))


if __name__ == "__main__":
    main()
