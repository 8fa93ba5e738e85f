# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a value costs in Python, in nanoseconds and as ratios of one run.

    python python/bench.py [ROWS] [BYTES]

hashes ROWS values of BYTES bytes each (a million of 50) in every way that is installed: hashlib in
a loop, from Arrow and back, finalist, and the functions of Polars, DuckDB and their extensions.
Prints the median of five rounds; the ways of a round follow one another, so that a noisy machine
slows all of them.
"""

import hashlib
import os
import platform
import statistics
import sys
import time

import duckdb
import finalist
import finalist.duckdb
import finalist.polars
import polars as pl
import pyarrow as pa

try:
    import polars_hash
except ImportError:
    polars_hash = None

ROUNDS = 5


def cpu():
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(": ")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor()


def ways(values):
    """What is measured: names and functions."""
    column = pa.array(values, pa.binary())
    frame = pl.DataFrame({"x": pl.Series(column).cast(pl.Binary)})
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    finalist.duckdb.register(connection, "blake2s")
    connection.register("arrow", pa.table({"x": column}))
    connection.execute("create table t as select x from arrow")

    def column_of(algorithm, **parameters):
        return lambda: finalist.hash_column(column, algorithm, **parameters)

    def query(expression):
        text = f"select count(d) from (select {expression} as d from t)"
        return lambda: connection.execute(text).fetchall()

    yield "hashlib.blake2s in a loop", lambda: [hashlib.blake2s(v).digest() for v in values]
    yield "finalist.blake2s in a loop", lambda: [finalist.blake2s(v).digest() for v in values]
    yield (
        "Arrow to hashlib.blake2s to Arrow",
        lambda: pa.array([hashlib.blake2s(v).digest() for v in column.to_pylist()], pa.binary(32)),
    )
    yield "hash_many blake2s", lambda: finalist.hash_many(values, "blake2s")
    for algorithm in ("blake2s", "blake256", "blake2b", "groestl256"):
        yield f"hash_column {algorithm}", column_of(algorithm)
    yield "hash_column blake2s, key", column_of("blake2s", key=b"k" * 32)
    yield "hash_column blake2s, 2 threads", column_of("blake2s", threads=2)
    table = pa.table({"x": column})
    yield "hash_rows blake2s", lambda: finalist.hash_rows(table, "blake2s")
    yield "Polars fin.blake2s", lambda: frame.select(pl.col("x").fin.blake2s())
    if polars_hash:
        text = frame.select(pl.col("x").bin.encode("base64").str.slice(0, len(values[0])))
        for name in ("blake3", "sha2_256"):
            hashed = getattr(pl.col("x").chash, name)()
            yield f"polars-hash {name}", lambda hashed=hashed: text.select(hashed)
    yield "DuckDB blake2s, 1 thread", query("blake2s(x)")
    yield "DuckDB md5, 1 thread", query("md5(x)")


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    length = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    noise = os.urandom(rows * length)
    values = [noise[i * length : (i + 1) * length] for i in range(rows)]
    measured = list(ways(values))
    times = {name: [] for name, _ in measured}
    for _ in range(ROUNDS):
        for name, function in measured:
            start = time.perf_counter()
            function()
            times[name].append((time.perf_counter() - start) / rows * 1e9)
    medians = {name: statistics.median(found) for name, found in times.items()}
    base = medians["Arrow to hashlib.blake2s to Arrow"]
    print(f"{rows} values of {length} bytes, median of {ROUNDS}; {cpu()}, Python", end=" ")
    print(f"{platform.python_version()}, Polars {pl.__version__}, DuckDB {duckdb.__version__}\n")
    print("| | ns a value | Arrow-hashlib-Arrow takes |\n|---|---:|---:|")
    for name, median in medians.items():
        print(f"| {name} | {median:.1f} | {base / median:.1f} times as long |")


if __name__ == "__main__":
    main()
