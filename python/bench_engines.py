# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures a row on Spark and Ray, in nanoseconds.

    python -P python/bench_engines.py FOLDER [--rows N] [--cores N] [--rounds N]
                                      [--engine spark|parquet|ray] [--jar JAR] [--only TEXT]...

makes a Parquet table of N rows (5 million) of 50 random bytes in FOLDER unless it exists, and
hashes it in several ways. spark: queries whose result is dropped (Spark's noop sink), with --jar
also by the functions of that jar (make spark), for Java 22 or later. parquet: from Parquet to
Parquet. ray: map_batches whose result is dropped. Each round runs all ways (with --only:
those whose names contain a text) one after the other. Prints medians of the rounds, without a first
one with a small table. CPU is the time of all the engine's processes, wall is elapsed time.
"""

import argparse
import hashlib
import os
import pathlib
import platform
import shutil
import statistics
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

WIDTH = 50
WARM_UP_ROWS = 100_000
FILE_ROWS = 1_000_000
TICKS = os.sysconf("SC_CLK_TCK")


def cpu():
    with open("/proc/cpuinfo") as lines:
        return next(line.split(": ")[1].strip() for line in lines if "model name" in line)


def table(folder, rows):
    """Returns the table's folder; makes it if it does not exist."""
    path = pathlib.Path(folder, f"table-{rows}")
    if path.exists():
        return str(path)
    path.mkdir(parents=True)
    for number in range(-(-rows // FILE_ROWS)):
        count = min(FILE_ROWS, rows - number * FILE_ROWS)
        noise = np.random.default_rng(number).bytes(count * WIDTH)
        fixed = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(WIDTH), count, [None, pa.py_buffer(noise)]
        )
        values = pa.table({"x": fixed.cast(pa.binary())})
        pq.write_table(values, path / f"{number:04d}.parquet", use_dictionary=False)
    return str(path)


def cpu_seconds(root=None):
    """Returns the CPU time of a process (this one) and its descendants, also ended ones."""
    parents, own = {}, {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        process = int(stat.parent.name)
        parents[process] = int(fields[1])
        own[process] = sum(int(value) for value in fields[11:15]) / TICKS
    found = 0.0
    for process in own:
        ancestor = process
        while ancestor not in (0, root or os.getpid()):
            ancestor = parents.get(ancestor, 0)
        found += own[process] if ancestor else 0.0
    return found


def stolen_seconds():
    """Returns the CPU time that the host gave to other machines."""
    with open("/proc/stat") as lines:
        return int(next(lines).split()[8]) / TICKS


def peak_mebibytes(process):
    """Returns a process's peak memory."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def session(cores, jar):
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # The number of rows in an Arrow batch that is fastest for Python.
        "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    }
    if jar:
        options |= {"spark.jars": jar, "spark.sql.catalog.finalist": "finalist.Catalog"}
    builder = SparkSession.builder.master(f"local[{cores}]")
    for name, value in options.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def java_of(spark):
    return spark._jvm.java.lang.System.getProperty("java.version")


def spark_ways(spark, source, jar):
    """Yields queries whose result is dropped."""
    import finalist.spark
    from pyspark.sql import functions
    from pyspark.sql.types import BinaryType

    frame = spark.read.parquet(source)

    def sink_of(query):
        return lambda: query.write.format("noop").mode("overwrite").save()

    def sink(*columns):
        return sink_of(frame.select(*columns) if columns else frame)

    def drop(batches):
        for _ in batches:
            pass
        return iter(())

    def pass_on(batches):
        return batches

    def transport(values: pa.Array) -> pa.Array:
        return values

    def with_hashlib(values: pa.Array) -> pa.Array:
        return pa.array([hashlib.blake2s(value).digest() for value in values.to_pylist()])

    def arrow(function):
        return functions.arrow_udf(function, BinaryType())("x")

    yield "scan", sink()
    yield "`xxhash64`", sink(functions.xxhash64("x"))
    yield "`sha2(x, 256)`", sink(functions.sha2("x", 256))
    yield "`unhex(sha2(x, 256))`", sink(functions.unhex(functions.sha2("x", 256)))
    if jar:
        for algorithm in ("blake2s", "blake3"):
            call = f"finalist.{algorithm}(x)"
            yield f"`{call}`", sink(functions.expr(call))
    for name, function in (("rows to Python", drop), ("rows to Python and back", pass_on)):
        yield f"{name} (`mapInArrow`)", sink_of(frame.mapInArrow(function, "x binary"))
    yield "rows to Python and back (`arrow_udf`)", sink(arrow(transport))
    yield "`hashlib.blake2s` on these rows", sink(arrow(with_hashlib))
    yield "`finalist.spark.digest`, blake2s", sink(finalist.spark.digest("x", "blake2s"))


def parquet_ways(spark, source, out):
    """Yields ways from Parquet to Parquet."""
    import finalist.spark
    from pyspark.sql import functions

    frame = spark.read.parquet(source)

    def write(column):
        query = frame.select(column.alias("digest"))
        return lambda: query.write.mode("overwrite").parquet(f"{out}/query")

    def hash_parquet(**parameters):
        return lambda: finalist.spark.hash_parquet(
            spark, source, f"{out}/parts", "blake2s", column="x", overwrite=True, **parameters
        )

    yield "`xxhash64(x)`", write(functions.xxhash64("x"))
    yield "`unhex(sha2(x, 256))`", write(functions.unhex(functions.sha2("x", 256)))
    yield "`hash_parquet`, blake2s, no root", hash_parquet(root=False)
    yield "`hash_parquet`, blake2s, with the root", hash_parquet()


def ray_ways(source):
    """Yields map_batches calls whose result is dropped."""
    import finalist.ray
    import ray

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    dataset = ray.data.read_parquet(source)
    column = finalist.ray.Digest("x", "blake2s")

    def with_hashlib(batch):
        digests = [hashlib.blake2s(value).digest() for value in batch.column("x").to_pylist()]
        return batch.append_column("digest", pa.array(digests))

    def drop(batch):
        return pa.table({"rows": [batch.num_rows], "bytes": [pc.sum(pc.binary_length(batch[-1]))]})

    def run(*functions):
        def way():
            made = dataset
            for function in functions:
                made = made.map_batches(function, batch_format="pyarrow", batch_size=None)
            for _ in made.map_batches(drop, batch_format="pyarrow").iter_batches():
                pass

        return way

    yield "read", run()
    yield "`hashlib.blake2s`", run(with_hashlib)
    yield "`finalist.ray.Digest`, blake2s", run(column)


def measure(ways, rows, rounds):
    """Returns CPU and wall nanoseconds a row for each way: medians of the rounds."""
    found = {name: [] for name, _ in ways}
    for _ in range(rounds):
        for name, way in ways:
            cpu_before, start = cpu_seconds(), time.perf_counter()
            way()
            wall = time.perf_counter() - start
            found[name].append(((cpu_seconds() - cpu_before) / rows * 1e9, wall / rows * 1e9))
    return {name: [statistics.median(column) for column in zip(*rounds, strict=True)]
            for name, rounds in found.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engine", choices=["spark", "parquet", "ray"], default="spark")
    parser.add_argument("--jar")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    source, out = table(options.folder, options.rows), f"{options.folder}/out"
    small = table(options.folder, WARM_UP_ROWS)
    notes = []
    if options.engine == "ray":
        import ray

        ray.init(num_cpus=options.cores, include_dashboard=False, _node_ip_address="127.0.0.1",
                 log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
        end, version = ray.shutdown, f"Ray {ray.__version__}"

        def ways_of(source):
            return ray_ways(source)
    else:
        spark = session(options.cores, options.jar)
        end, version = spark.stop, f"Spark {spark.version}, Java {java_of(spark)}"

        def ways_of(source):
            if options.engine == "spark":
                return spark_ways(spark, source, options.jar)
            return parquet_ways(spark, source, out)

    for place, rounds in ((small, 1), (source, options.rounds)):
        start, stolen = time.perf_counter(), stolen_seconds()
        ways = [way for way in ways_of(place) if any(x in way[0] for x in options.only or [""])]
        measured = measure(ways, options.rows, rounds)
    lost = (stolen_seconds() - stolen) / (time.perf_counter() - start)
    notes.append(f"the host took {lost:.2f} cores away")
    if options.engine != "ray":
        jvm = spark.sparkContext._gateway.proc.pid
        notes.append(f"most memory: JVM {peak_mebibytes(jvm)} MiB, "
                     f"driver's Python {peak_mebibytes(os.getpid())} MiB")
    end()
    shutil.rmtree(out, ignore_errors=True)
    print(f"{options.rows} rows of {WIDTH} bytes, {options.cores} cores, median of",
          f"{options.rounds}; {cpu()}, {version}, Python {platform.python_version()}\n")
    print("| | CPU ns a row | wall ns a row |\n|---|---:|---:|")
    for name, (processor, wall) in measured.items():
        print(f"| {name} | {processor:.0f} | {wall:.0f} |")
    print("", *notes, sep="\n")


if __name__ == "__main__":
    main()
