# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests on Apache Spark, computed by its Python workers.

Use hash_parquet to hash a table: it sends the workers paths of files, not their rows. digest is a
function for select; its rows cross from the JVM to Python and back, so it cannot be faster than
Spark's own sha2 (docs/guide/engines.md has figures).

>>> from finalist import spark as finalist_spark                            # doctest: +SKIP
>>> frame.select("id", finalist_spark.digest("name", "blake2s", key=key))   # doctest: +SKIP
>>> finalist_spark.hash_parquet(                                            # doctest: +SKIP
...     spark, "s3://bucket/table", "s3://bucket/digests", "blake2s", column="name")

Keys are part of the pickled functions that Spark sends to its workers. They do not appear in plans,
job descriptions, logs or errors.
"""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark import StorageLevel  # type: ignore[import-not-found,unused-ignore]
from pyspark.sql import functions  # type: ignore[import-not-found,unused-ignore]
from pyspark.sql.types import BinaryType  # type: ignore[import-not-found,unused-ignore]

from . import _files, _finalist, _manifests, _parts
from ._fingerprint import DIGEST_BYTES, RowDigests, of_digests
from ._hashing import Hashing
from ._keys import redacted
from ._ranges import combine
from ._roots import ROWS
from ._spark_tables import arrow_schema, map_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from typing_extensions import Buffer

    from ._places import Place

#: Tasks of a stage per core. With several, all cores finish at about the same time.
TASKS_PER_CORE = 4
#: Parts, or footers, that a task gets before there is more than one task for each core: Spark needs
#: about 50 ms to start and end a task of Python.
PARTS_PER_TASK = 8
#: The column that numbers a frame's partitions.
PARTITION = "__finalist_partition"

#: A file of a manifest before it is read, and a range of a tree.
FILES = pa.schema({"path": pa.binary(), "status": pa.string()})
RANGES = pa.schema({"first": pa.int64(), "count": pa.int64(), "nodes": pa.binary()})


@redacted
def digest(
    column: Any,
    algorithm: str,
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Any:
    """Returns the digests of a column's values as a binary column, null for null.

    column: a name or a Column of binary or string values; strings are hashed as UTF-8. Spark's
    analysis refuses other types, before a job starts. The other parameters are as in
    finalist.hash_many, whose errors are raised at once.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)

    def finalist_digest(values: pa.Array) -> pa.Array:
        return hashing.column(values).cast(pa.binary())

    values = functions.col(column) if isinstance(column, str) else column
    function = functions.arrow_udf(finalist_digest, BinaryType())
    name = f"{algorithm}({column})" if isinstance(column, str) else algorithm
    return function(_binary_or_string(values)).alias(name)


@redacted
def hash_rows(
    *columns: Any,
    algorithm: str,
    version: Literal[1, 2] | None = None,
    numbers: Literal["exact", "by-value"] = "exact",
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Any:
    """Returns one digest a row over several columns, as a binary column with the name digest: the
    digests of finalist.hash_rows.

    columns: names or Columns; "*" for all. The other parameters are as in finalist.hash_rows, whose
    errors are raised at once.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    encoding: dict[str, Any] = {"version": version, "numbers": numbers}
    given = {"digest_size": hashing.digest_size, **hashing.secrets, **encoding}
    _finalist.hash_rows(pa.table({"x": [1]}), algorithm, **given)  # Checks them.

    def finalist_rows(values: pa.Array) -> pa.Array:
        secrets = {"digest_size": hashing.digest_size, **hashing.secrets}
        table = pa.Table.from_struct_array(values)
        digests = _finalist.hash_rows(table, algorithm, **secrets, **encoding)
        return pa.array(digests).cast(pa.binary())

    function = functions.arrow_udf(finalist_rows, BinaryType())
    return function(functions.struct(*columns)).alias("digest")


@redacted
def digest_agg(
    *columns: Any,
    algorithm: str = "blake2s",
    numbers: Literal["exact", "by-value"] = "exact",
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Any:
    """Returns one digest of all rows of several columns, in any order, as a binary column with the
    name digest: that of finalist.fingerprint. Use it as an aggregate:
    frame.groupBy("day").agg(digest_agg("*")).

    columns: names or Columns; "*" for all. The other parameters are as in finalist.fingerprint,
    whose errors are raised at once. Rows are hashed in parallel; one task gets all digests of a
    group, 32 bytes a row. For a whole frame, finalist.fingerprint(frame) divides these, too.
    """
    hashing = Hashing.of(algorithm, DIGEST_BYTES, key, salt, person)
    given: dict[str, Any] = {"version": 2, "numbers": numbers, "digest_size": DIGEST_BYTES}
    digests = hash_rows(*columns, algorithm=algorithm, **given, **hashing.secrets)

    def finalist_digest(groups: pa.Array, rows: pa.Array) -> pa.Array:
        names = [field.name for field in rows.type]
        found = [of_digests(hashing, names, group) for group in groups.to_pylist()]
        return pa.array(found, pa.binary())

    function = functions.arrow_udf(finalist_digest, BinaryType())
    rows = functions.first(functions.struct(*columns))  # Has the columns' names.
    return function(functions.collect_list(digests), rows).alias("digest")


@redacted
def register(
    spark: Any,
    *algorithms: str,
    prefix: str = "",
    numbers: Literal["exact", "by-value"] = "exact",
) -> None:
    """Adds SQL functions to a SparkSession. Each algorithm's function is named prefix, row_ and the
    algorithm's name, and takes a struct of columns: select row_blake2s(struct(*)) from people.
    digest_agg(struct(*)) is an aggregate with BLAKE2s, for which one task gets all rows of a group;
    the Python function digest_agg hashes them in parallel. If there are no rows and no
    groups, Spark does not call the SQL function and returns no row; the Python function gives the
    fingerprint of the empty table.

    algorithms: names of algorithms_available; without any, all but BLAKE2X. numbers: as in
    finalist.hash_rows.
    """
    aggregate = f"{prefix}digest_agg"
    spark.udf.register(aggregate, _sql_aggregate(aggregate, numbers))
    for algorithm in algorithms or [n for n in _finalist.ALGORITHMS if "2x" not in n]:
        function = f"{prefix}row_{algorithm}"
        spark.udf.register(function, _sql_function(function, algorithm, numbers))


def _table_of(function: str, *columns: Any) -> Any:
    """Returns the table in the argument of a SQL function."""
    if len(columns) != 1 or not isinstance(columns[0], pa.StructArray):
        raise TypeError(f"{function} takes one struct of columns: {function}(struct(a, b))")
    return pa.Table.from_struct_array(columns[0])


def _sql_function(name: str, algorithm: str, numbers: Any) -> Any:
    hashing = Hashing.of(algorithm)

    def finalist_rows(*columns: pa.Array) -> pa.Array:
        return hashing.rows(_table_of(name, *columns), numbers=numbers).cast(pa.binary())

    return functions.arrow_udf(finalist_rows, BinaryType())


def _sql_aggregate(name: str, numbers: Any) -> Any:
    hashing = Hashing.of("blake2s", DIGEST_BYTES)
    hashing.rows(pa.table({}), numbers=numbers)  # Checks it.

    def finalist_digest(groups: Iterator[Any]) -> bytes:
        names, digests = [], []
        for rows in groups:
            table = _table_of(name, *(rows if isinstance(rows, tuple) else (rows,)))
            names = table.column_names
            made = RowDigests(hashing, names, numbers).of(table)
            digests.append(made.buffers()[1] or b"")
        return of_digests(hashing, names, digests)

    kind = functions.ArrowUDFType.GROUPED_AGG_ITER
    return functions.arrow_udf(finalist_digest, BinaryType(), kind)


def _binary_or_string(values: Any) -> Any:
    """Returns the values unchanged, but only of types that decode accepts. The optimizer drops
    decode after the analysis; the name of its charset is there for the analysis' error."""
    charset = "finalist.spark.digest takes binary or string values: cast the column first"
    return functions.when(functions.lit(True) | functions.decode(values, charset).isNull(), values)


def _mapped(
    spark: Any, table: Any, work: Callable[[dict[str, Any]], dict[str, Any]], schema: Any
) -> list[dict[str, Any]]:
    """Runs a function on workers for each row of a small table. Returns the resulting rows."""

    def batches(given: Iterator[Any]) -> Iterator[Any]:
        for batch in given:
            for row in batch.to_pylist():
                yield pa.RecordBatch.from_pylist([work(row)], schema)

    tasks = _tasks(spark, table.num_rows, PARTS_PER_TASK)
    frame = spark.createDataFrame(table).repartition(tasks)
    return list(frame.mapInArrow(batches, _ddl(schema)).toArrow().to_pylist())


def _cores(spark: Any) -> int:
    """Returns the number of tasks that the cluster runs at a time."""
    if hasattr(spark, "sparkContext"):
        return int(spark.sparkContext.defaultParallelism)
    # A session of Spark Connect has no context: count the parts that it gives a frame by default.
    parts = spark.range(1 << 20).select(functions.spark_partition_id()).distinct()
    return int(parts.count())


def _frame(spark: Any, table: Any) -> Any:
    """Makes a frame of a pyarrow table. Spark Connect refuses tables without rows."""
    if table.num_rows:
        return spark.createDataFrame(table)
    return spark.createDataFrame([], _ddl(table.schema))


def _tasks(spark: Any, rows: int, per_task: int = 1) -> int:
    """Returns the number of tasks for a table of `rows` rows; each should get per_task of them."""
    cores = _cores(spark)
    rounds = min(TASKS_PER_CORE, -(-rows // (per_task * cores)))
    return max(1, min(rows, cores * rounds))


def _ddl(schema: Any) -> str:
    names = {
        pa.string(): "string",
        pa.int64(): "bigint",
        pa.binary(): "binary",
        pa.list_(pa.int64()): "array<bigint>",
    }
    return ", ".join(f"{field.name} {names[field.type]}" for field in schema)


@redacted
def hash_parquet(
    spark: Any,
    source: Place | Sequence[Place],
    out: Place,
    algorithm: str,
    *,
    column: str | None = None,
    columns: Sequence[str] | None = None,
    keep: Sequence[str] = (),
    name: str = "digest",
    numbers: Literal["exact", "by-value"] = "exact",
    root: bool = True,
    overwrite: bool = False,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> _parts.Result:
    """Runs finalist.parquet.hash_parquet on a SparkSession's workers, with the same output.

    If there are many files, a first job reads their footers. Another job hashes the parts: workers
    read Parquet, hash and write, and only one row for each part crosses the JVM. All workers must
    reach source and out. The output is the same if Spark ends or repeats an attempt.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    choice: dict[str, Any] = {"column": column, "columns": columns, "keep": keep, "name": name}
    choice |= {"numbers": numbers, "root": root, "overwrite": overwrite}
    plan, paths = _parts.plan_of(source, out, hashing, **choice)

    def read_footer(row: dict[str, Any]) -> dict[str, Any]:
        return _parts.footer(plan, row["path"]) | {"number": row["number"]}

    def hash_part(task: dict[str, Any]) -> dict[str, Any]:
        return _parts.hash_part(plan, task)

    def read_footers() -> list[dict[str, Any]]:
        listed = pa.table({"number": range(len(paths)), "path": paths})
        numbered = _parts.FILES.append(pa.field("number", pa.int64()))
        return sorted(
            _mapped(spark, listed, read_footer, numbered), key=lambda row: int(row["number"])
        )

    def hash_parts(planned: list[dict[str, Any]]) -> list[dict[str, Any]]:
        table = pa.Table.from_pylist(planned, _parts.TASKS)
        return _mapped(spark, table, hash_part, _parts.RESULTS)

    return _parts.hash_all(plan, paths, read_footers, hash_parts)


@redacted
def merkle_root(
    frame: Any,
    algorithm: str = "blake2b",
    *,
    numbers: Literal["exact", "by-value"] = "exact",
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> bytes:
    """Returns the root, of version 2, of the Merkle tree over a DataFrame's rows, in their order.

    A leaf is a row in the encoding of docs/format/rows.md; numbers: as in finalist.hash_rows. So
    the root is that of one merkle.Range over the same rows and does not depend on the partitions.
    Sort the frame: otherwise Spark guarantees no order. Leaf hashes, digest_size bytes a row, are
    kept on the workers' disks meanwhile, since a second computation could order and divide the rows
    differently. Errors: those of merkle.Tree; TypeError, before a job starts, that names a column
    whose type has no encoding.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    hashing.leaves(arrow_schema(frame).empty_table(), numbers)

    def hash_leaves(batches: Iterator[Any]) -> Iterator[Any]:
        place = 0
        for batch in batches:
            if batch.num_rows:
                partition = batch.column(PARTITION)[0].as_py()
                leaves = hashing.leaves(batch.drop_columns([PARTITION]), numbers)
                made = [{"partition": partition, "place": place, "leaves": leaves}]
                yield pa.RecordBatch.from_pylist(made, schema)
                place += batch.num_rows

    def join(batches: Iterator[Any]) -> Iterator[Any]:
        ranges: dict[int, list[Any]] = {}
        for batch in batches:
            for row in batch.to_pylist():
                first = starts[row["partition"]] + row["place"]
                ranges.setdefault(row["partition"], []).append(hashing.range(row["leaves"], first))
        for parts in ranges.values():
            whole = combine(parts, **hashing.secrets)
            columns = {"first": [whole.first], "count": [whole.count], "nodes": [whole.nodes]}
            yield pa.record_batch(columns)

    schema = pa.schema({"partition": pa.int64(), "place": pa.int64(), "leaves": pa.binary()})
    numbered = frame.withColumn(PARTITION, functions.spark_partition_id())
    leaves = map_batches(numbered, hash_leaves, _ddl(schema)).persist(StorageLevel.DISK_ONLY)
    try:
        length = functions.sum(functions.length("leaves")).alias("length")
        starts, first = {}, 0
        for partition, bytes_of in sorted(leaves.groupBy("partition").agg(length).collect()):
            starts[partition] = first
            first += bytes_of // hashing.digest_size
        joined = leaves.mapInArrow(join, "first bigint, count bigint, nodes binary").toArrow()
    finally:
        leaves.unpersist()
    ranges = [hashing.part(**row) for row in joined.to_pylist()]
    return hashing.root(combine([hashing.range(b"", 0), *ranges], **hashing.secrets), ROWS)


@redacted
def digest_files(
    spark: Any,
    paths: Any,
    algorithm: str,
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Any:
    """Returns the digests of files as a DataFrame: path, size, digest, status, modified_ns.

    paths: an iterable of paths, or a DataFrame with the paths in its first column; every worker
    must reach them. Every path gets a row with a status as in docs/format/manifests.md; only rows
    with the status ok have a digest and a size. The other parameters are as in finalist.hash_many.
    The frame is lazy: each action reads the files, so write it or cache it.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    if not hasattr(paths, "mapInArrow"):
        listed = pa.table({"path": pa.array([os.fspath(path) for path in paths], pa.string())})
        paths = _frame(spark, listed).repartition(_tasks(spark, listed.num_rows))
    names = ["path", "size", "digest", "status", "modified_ns"]

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        with _files.Root(b"/", follow=True) as root:
            for batch in batches:
                files = ((os.fsencode(path), _files.OK) for path in batch.column(0).to_pylist())
                for made in _manifests.rows(root, files, hashing, _files.UNREADABLE):
                    texts = map(os.fsdecode, made.column("path").to_pylist())
                    others = (made.column(name) for name in names[1:])
                    columns = [pa.array(texts, pa.string()), *others]
                    yield pa.record_batch(columns, names=names)

    types = "path string, size bigint, digest binary, status string, modified_ns bigint"
    return paths.mapInArrow(work, types)


@redacted
def manifest(
    spark: Any,
    root: str,
    out: str,
    algorithm: str = "blake2b",
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> _manifests.Manifest:
    """Writes a manifest of the files below a directory, in parts (docs/format/manifests.md).

    root: a directory; out: a new or empty directory. Every worker must reach both by these names.
    Workers list directories and hash files; Spark sorts the rows; workers write the parts and
    compute their ranges of the tree. The root does not depend on the number of workers. The other
    parameters are as in finalist.hash_many. Errors, before the work: NotADirectoryError,
    FileExistsError, and ValueError for an output below the root.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    place, folder = _manifests.prepare(root, out)
    listed, directories = _manifests.first_entries(place)

    def walk(batches: Iterator[Any]) -> Iterator[Any]:
        with _files.Root(place) as root:
            for batch in batches:
                for directory in batch.column(0).to_pylist():
                    made = [{"path": p, "status": s} for p, s in _files.walk(root, directory)]
                    yield pa.RecordBatch.from_pylist(made, FILES)

    def hash_files(batches: Iterator[Any]) -> Iterator[Any]:
        pairs = ((row["path"], row["status"]) for batch in batches for row in batch.to_pylist())
        with _files.Root(place) as root:
            yield from _manifests.rows(root, pairs, hashing)

    def write(batches: Iterator[Any]) -> Iterator[Any]:
        first = next((batch for batch in batches if batch.num_rows), None)
        if first is not None:
            number = first.column(PARTITION)[0].as_py()
            parts = (part.select(_files.ROWS.names) for part in itertools.chain([first], batches))
            count = _manifests.write_part(folder, number, (p.cast(_files.ROWS) for p in parts))
            yield pa.record_batch({"number": [number], "count": [count]})

    def range_of(row: dict[str, Any]) -> dict[str, Any]:
        made = _manifests.part_range(folder, row["number"], row["first"], hashing)
        return {"first": made.first, "count": made.count, "nodes": made.nodes}

    files = pa.Table.from_pylist([{"path": p, "status": s} for p, s in listed], FILES)
    below = pa.table({"path": pa.array(directories, pa.binary())})
    frame = _frame(spark, files).union(
        _frame(spark, below)
        .repartition(_tasks(spark, len(directories)))
        .mapInArrow(walk, _ddl(FILES))
    )
    # Spark reads the rows twice, to sample and to sort them: write them to read the files once.
    unsorted = f"{folder}/{_manifests.UNSORTED}"
    frame = frame.repartition(TASKS_PER_CORE * _cores(spark))
    frame.mapInArrow(hash_files, _ddl(_files.ROWS)).write.parquet(unsorted)
    made = spark.read.schema(_ddl(_files.ROWS)).parquet(unsorted)
    statuses = {row.status: row["count"] for row in made.groupBy("status").count().collect()}
    count = sum(statuses.values())
    parts = made.repartitionByRange(1 + count // _manifests.PART_ROWS, "path")
    parts = parts.sortWithinPartitions("path").withColumn(PARTITION, functions.spark_partition_id())
    written = parts.mapInArrow(write, "number bigint, count bigint").toArrow().to_pylist()
    counts = {row["number"]: row["count"] for row in sorted(written, key=lambda r: r["number"])}
    firsts = dict(zip(counts, itertools.accumulate(counts.values(), initial=0), strict=False))
    tasks = pa.table({"number": list(firsts), "first": list(firsts.values())})
    ranges = [hashing.part(**row) for row in _mapped(spark, tasks, range_of, RANGES)]
    return _manifests.finish(folder, counts, ranges, statuses, hashing)
