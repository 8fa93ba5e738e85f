#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes a directory of small files, to measure programs that read many of them.

    tools/small_files.py DIRECTORY COUNT

Directories of 1000 files each, of 0 to 2047 bytes, 1023.5 on average; the same in every run.
"""

import argparse
import os

FILES_PER_DIRECTORY = 1000
BYTES = 2048
# Coprime to BYTES, so that all lengths occur equally often.
STEP = 1237


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory")
    parser.add_argument("count", type=int)
    arguments = parser.parse_args()
    content = bytes(index % 251 for index in range(BYTES + FILES_PER_DIRECTORY))
    for number in range(arguments.count):
        group, place = divmod(number, FILES_PER_DIRECTORY)
        folder = f"{arguments.directory}/{group // 100:04d}/{group % 100:02d}"
        if place == 0:
            os.makedirs(folder)
        size = number * STEP % BYTES
        with open(f"{folder}/{place:03d}.dat", "wb", buffering=0) as file:
            # Gives files of the same length different contents.
            file.write(content[place : place + size])


if __name__ == "__main__":
    main()
