# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures a file of a manifest: in one process, on Spark, and with xargs and b2sum.

    python -P python/bench_files.py FOLDER [FILES] [BYTES]

makes FILES files (100,000) of BYTES bytes (4096) in FOLDER unless they exist, in directories of a
thousand, and prints microseconds a file, each after a run with a tenth of them.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time

import finalist.spark
from bench_engines import cpu, peak_mebibytes, session
from finalist import _files
from finalist._hashing import Hashing


def files(folder, count, length):
    root = pathlib.Path(folder, f"files-{count}-{length}")
    if not root.exists():
        for number in range(count):
            if number % 1000 == 0:
                directory = root / f"{number // 1000:05d}"
                directory.mkdir(parents=True)
            (directory / f"{number % 1000:03d}").write_bytes(os.urandom(length))
    return root


def one_process(root):
    hashing, place = Hashing.of("blake2b"), os.fsencode(root)
    rows = list(_files.hash_files(place, sorted(_files.walk(place)), hashing))
    return hashing.range(_files.leaves(rows, hashing), 0).rfc9162_root()


def b2sum(root):
    command = f"find {root} -type f -print0 | xargs -0 -n 1000 -P 2 b2sum > {root}.sums"
    subprocess.run(command, shell=True, check=True)
    os.remove(f"{root}.sums")


def main():
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    length = int(sys.argv[3]) if len(sys.argv) > 3 else 4096
    roots = [files(folder, count // 10, length), files(folder, count, length)]
    spark, out, found = session(2), f"{folder}/manifest", []

    def on_spark(root):
        shutil.rmtree(out, ignore_errors=True)
        return finalist.spark.manifest(spark, str(root), out).root

    for name, way in (("one process", one_process), ("Spark, 2 cores", on_spark),
                      ("`xargs -P2 b2sum`", b2sum)):
        way(roots[0])
        start = time.perf_counter()
        root = way(roots[1])
        found.append((name, (time.perf_counter() - start) / count * 1e6, root))
    assert found[0][2] == found[1][2]
    jvm = peak_mebibytes(spark.sparkContext._gateway.proc.pid)
    spark.stop()
    shutil.rmtree(out)
    print(f"{count} files of {length} bytes, blake2b; {cpu()}\n")
    print("| | microseconds a file |\n|---|---:|")
    for name, microseconds, _ in found:
        print(f"| {name} | {microseconds:.1f} |")
    print(f"\nmost memory: JVM {jvm} MiB, driver's Python {peak_mebibytes(os.getpid())} MiB")


if __name__ == "__main__":
    main()
