# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures a value in Python, in nanoseconds, and the package's targets as ratios of one run.

    python -P python/bench.py [ROWS] [BYTES] [--archive LIBFINALIST.A] [--extension EXTENSION]

hashes ROWS values of BYTES bytes each (a million of 50) in every installed way: hashlib in a loop,
from Arrow and back, finalist, the C library's column call (from the given static library, with a C
compiler), and the functions of Polars, DuckDB and their extensions. A round runs all ways one after
the other, so that a noisy machine slows all of them; each is called twice and the second call
counts. Prints the median of seven rounds for each way and for each target's ratio. Ratios are of
the process's CPU time, which other processes disturb least; those about threads are of elapsed
time.
"""

import argparse
import ctypes
import hashlib
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time

import duckdb
import finalist
import finalist.duckdb
import finalist.polars
import numpy
import polars as pl
import pyarrow as pa

try:
    import polars_hash
except ImportError:
    polars_hash = None

ROUNDS = 7
ROOT = pathlib.Path(__file__).parents[1]
FROM_ARROW = "Arrow to hashlib.blake2s to Arrow"
EXTENSION = "DuckDB's extension blake2s, 1 thread"
POLARS_BLAKE3 = "polars-hash blake3"
POLARS_ROWS = "polars-hash hash_rows blake3"

#: Targets: text, the two calls, and the least or greatest ratio of their times.
TARGETS = [
    ("hash_column over the C column call", "hash_column blake2s", "C column call", "<=", 1.05),
    ("Arrow to hashlib to Arrow over hash_column", FROM_ARROW, "hash_column blake2s", ">=", 20),
    ("polars-hash's blake3 over Polars", POLARS_BLAKE3, "Polars fin.blake2s", ">=", 5),
    ("polars-hash's rows over Polars'", POLARS_ROWS, "Polars hash_rows blake2s", ">=", 4),
    ("DuckDB's extension over md5", EXTENSION, "DuckDB md5, 1 thread", "<=", 45 / 136),
    ("with a key over without", "hash_column blake2s, key", "hash_column blake2s", "<=", 1.1),
]
#: Targets for elapsed time.
ELAPSED_TARGETS = [
    ("one thread over two", "hash_column blake2s", "hash_column blake2s, 2 threads", ">=", 1.8),
]

#: fin_hash_column for BLAKE2s of a column with offsets of 32 bits.
C_CALL = """
#include <finalist.h>
int column(const void *data, uint64_t bytes, const void *offsets, size_t count, uint8_t *digests)
{
    const fin_column column = {FIN_COLUMN_OFFSETS32, data, bytes, offsets, 0, 0, 0, 0, 0};
    return fin_hash_column(FIN_BLAKE2S, 0, &column, count, digests, 32);
}
"""


def cpu():
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(": ")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor()


def c_call(archive, column):
    """Makes a call of the C library that writes to fresh memory, like a new column of digests."""
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder, "column.so")
        command = ["cc", "-O2", "-shared", "-fPIC", f"-I{ROOT}/include", "-xc", "-", "-xnone"]
        subprocess.run([*command, archive, "-o", library], input=C_CALL, text=True, check=True)
        function = ctypes.CDLL(library).column
    function.argtypes = [ctypes.c_void_p, ctypes.c_uint64, *[ctypes.c_void_p] * 3]
    _, offsets, data = column.buffers()

    def call():
        digests = numpy.empty(len(column) * 32, numpy.uint8)
        digests_at = digests.ctypes.data
        if function(data.address, data.size, offsets.address, len(column), digests_at) != 0:
            raise RuntimeError("fin_hash_column failed")

    return call


def in_python(values, column):
    def column_of(algorithm, **parameters):
        return lambda: finalist.hash_column(algorithm, column, **parameters)

    # Right after the C column call.
    yield "hash_column blake2s", column_of("blake2s")
    yield "hash_column blake2s, key", column_of("blake2s", key=b"k" * 32)
    yield "hash_column blake2s, 2 threads", column_of("blake2s", threads=2)
    for algorithm in ("blake256", "blake2b", "groestl256"):
        yield f"hash_column {algorithm}", column_of(algorithm)
    table = pa.table({"x": column})
    yield "hash_rows blake2s", lambda: finalist.hash_rows(table, "blake2s")
    yield "hash_many blake2s", lambda: finalist.hash_many("blake2s", values)
    yield "hashlib.blake2s in a loop", lambda: [hashlib.blake2s(v).digest() for v in values]
    yield "finalist.blake2s in a loop", lambda: [finalist.blake2s(v).digest() for v in values]
    yield (
        FROM_ARROW,
        lambda: pa.array([hashlib.blake2s(v).digest() for v in column.to_pylist()], pa.binary(32)),
    )


def in_polars(column):
    frame = pl.DataFrame({"x": pl.Series(column).cast(pl.Binary)})
    yield "Polars fin.blake2s", lambda: frame.select(pl.col("x").fin.blake2s())
    if polars_hash:
        length = len(column[0].as_py())
        text = frame.select(pl.col("x").bin.encode("base64").str.slice(0, length))
        for name in ("blake3", "sha2_256"):
            hashed = getattr(pl.col("x").chash, name)()
            yield f"polars-hash {name}", lambda hashed=hashed: text.select(hashed)
    rows = frame.with_row_index("id").with_columns(price=pl.col("id") / 3)
    yield (
        "Polars hash_rows blake2s",
        lambda: rows.select(finalist.polars.hash_rows(pl.all(), algorithm="blake2s")),
    )
    if polars_hash:
        for name in ("blake3", "sha2_256"):
            hashed = getattr(polars_hash.hash_rows(pl.all()).chash, name)()
            yield f"polars-hash hash_rows {name}", lambda hashed=hashed: rows.select(hashed)


def in_duckdb(column, extension):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute("set threads = 1")
    finalist.duckdb.register(connection, "blake2s", prefix="arrow_")
    connection.register("arrow", pa.table({"x": column}))
    connection.execute("create table t as select x from arrow")

    def query(expression):
        text = f"select count(d) from (select {expression} as d from t)"
        return lambda: connection.execute(text).fetchall()

    if extension:
        connection.execute(f"load '{extension}'")
        yield EXTENSION, query("blake2s(x)")
    yield "DuckDB arrow_blake2s, 1 thread", query("arrow_blake2s(x)")
    yield "DuckDB md5, 1 thread", query("md5(x)")


def measure(ways, rows):
    """Measures elapsed and CPU time of every way, in nanoseconds a value, round by round."""
    elapsed, used = ({name: [] for name, _ in ways} for _ in range(2))
    for _ in range(ROUNDS):
        for name, function in ways:
            # The first call removes the effects of the previous way on caches and the kernel.
            function()
            starts = time.perf_counter(), time.process_time()
            function()
            ends = time.perf_counter(), time.process_time()
            for times, start, end in zip((elapsed, used), starts, ends, strict=True):
                times[name].append((end - start) / rows * 1e9)
    return elapsed, used


def print_targets(targets, times):
    for text, one, other, sign, target in targets:
        if one not in times or other not in times:
            print(f"| {text} | {sign} {target:.3g} | | not measured |")
            continue
        ratios = [a / b for a, b in zip(times[one], times[other], strict=True)]
        found = statistics.median(ratios)
        verdict = "reached" if (found <= target if sign == "<=" else found >= target) else "missed"
        print(f"| {text} | {sign} {target:.3g} | {found:.2f} | {verdict} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="?", type=int, default=1_000_000)
    parser.add_argument("bytes", nargs="?", type=int, default=50)
    parser.add_argument("--archive", help="libfinalist.a, for the C column call")
    parser.add_argument("--extension", help="DuckDB's loadable extension (make duckdb)")
    arguments = parser.parse_args()
    rows, length = arguments.rows, arguments.bytes
    noise = os.urandom(rows * length)
    values = [noise[i * length : (i + 1) * length] for i in range(rows)]
    column = pa.array(values, pa.binary())
    ways = []
    if arguments.archive:
        ways.append(("C column call", c_call(arguments.archive, column)))
    ways += [
        *in_python(values, column),
        *in_polars(column),
        *in_duckdb(column, arguments.extension),
    ]
    elapsed, used = measure(ways, rows)
    print(f"{rows} values of {length} bytes, medians of {ROUNDS}; {cpu()}, Python", end=" ")
    print(f"{platform.python_version()}, Polars {pl.__version__}, DuckDB {duckdb.__version__}\n")
    print("| | ns a value | CPU ns |\n|---|---:|---:|")
    for name, times in elapsed.items():
        print(f"| {name} | {statistics.median(times):.0f} | {statistics.median(used[name]):.0f} |")
    print("\n| ratio | target | found | |\n|---|---:|---:|---|")
    print_targets(TARGETS, used)
    print_targets(ELAPSED_TARGETS, elapsed)


if __name__ == "__main__":
    main()
