# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures finalist.diff beside full joins of DuckDB and Polars, from Parquet to result; and with
the digests of the old table's rows, from a file, in place of the table.

    python -P bench_diff.py FOLDER --rows 10000000 --changes 1000

Writes old.parquet and new.parquet into the folder unless they exist: an int64 key, a string and a
double, which differs in some rows. Each program runs in its own process with --threads threads.
Prints the medians of time, CPU time and peak memory.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROWS_AT_ONCE = 1 << 20
PROGRAMS = ("finalist", "rows", "duckdb", "polars")


def write(folder, rows, changes):
    """Makes two tables that differ in a double in some rows."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    is_changed = np.zeros(rows, bool)
    is_changed[rng.choice(rows, changes, replace=False)] = True
    schema = pa.schema({"id": pa.int64(), "name": pa.string(), "x": pa.float64()})
    places = [folder / "old.parquet", folder / "new.parquet"]
    with pq.ParquetWriter(places[0], schema) as old, pq.ParquetWriter(places[1], schema) as new:
        for first in range(0, rows, ROWS_AT_ONCE):
            ids = np.arange(first, min(first + ROWS_AT_ONCE, rows))
            names = [f"customer-{number}" for number in rng.integers(0, 10**9, len(ids))]
            x = rng.random(len(ids))
            old.write_table(pa.table([ids, names, x], schema=schema))
            x = x + is_changed[ids]
            new.write_table(pa.table([ids, names, x], schema=schema))


def shuffle(place):
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(place).combine_chunks()
    order = np.random.default_rng(2).permutation(table.num_rows)
    pq.write_table(table.take(pa.array(order)), place)


def with_finalist(old, new, threads):
    import finalist

    return sum(finalist.diff(old, new, "id", threads=threads).counts.values())


def with_rows(old, new, threads):
    import finalist.tables

    digests = finalist.tables.Rows.read(pathlib.Path(old).with_name("old.rows"))
    return sum(finalist.diff(digests, new, "id", threads=threads).counts.values())


def with_duckdb(old, new, threads):
    import duckdb

    connection = duckdb.connect(config={"threads": threads})
    query = f"""
        select * from '{old}' o full join '{new}' n on o.id = n.id
        where o.id is null or n.id is null
          or o.name is distinct from n.name or o.x is distinct from n.x"""
    return len(connection.sql(query).fetchall())


def with_polars(old, new, threads):
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars as pl

    joined = pl.scan_parquet(old).join(pl.scan_parquet(new), on="id", how="full")
    pairs = [(pl.col(name), pl.col(f"{name}_right")) for name in ("name", "x")]
    differs = [one.ne_missing(other) for one, other in pairs]
    missing = [pl.col("id").is_null(), pl.col("id_right").is_null()]
    return joined.filter(pl.any_horizontal(*missing, *differs)).collect(engine="streaming").height


def peak_mebibytes():
    """Returns this process's peak memory. ru_maxrss would include that of the parent, which has
    written the tables."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def run(program, folder, threads):
    """Runs a program in this process and prints its time and memory."""
    old, new = (str(folder / name) for name in ("old.parquet", "new.parquet"))
    start, cpu = time.perf_counter(), time.process_time()
    found = globals()[f"with_{program}"](old, new, threads)
    taken = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    print(json.dumps({**taken, "MiB": peak_mebibytes(), "found": found}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--changes", type=int, default=1000)
    parser.add_argument(
        "--shuffled", action="store_true", help="write new.parquet in another order"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--run", choices=PROGRAMS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        run(given.run, given.folder, given.threads)
        return
    if not (given.folder / "new.parquet").exists():
        write(given.folder, given.rows, given.changes)
        if given.shuffled:
            shuffle(given.folder / "new.parquet")
    if not (given.folder / "old.rows").exists():
        import finalist.tables

        finalist.tables.rows(given.folder / "old.parquet", "id").write(given.folder / "old.rows")
    print(f"{'':10}{'seconds':>9}{'CPU':>9}{'MiB':>9}{'differ':>9}")
    for program in PROGRAMS:
        command = [sys.executable, "-P", __file__, str(given.folder), "--run", program]
        command += ["--threads", str(given.threads)]
        texts = [
            subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            for _ in range(given.rounds)
        ]
        rounds = [json.loads(text) for text in texts]
        middle = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
        print(
            f"{program:10}{middle['seconds']:9.2f}{middle['cpu']:9.2f}{middle['MiB']:9.0f}"
            f"{middle['found']:9.0f}"
        )


if __name__ == "__main__":
    main()
