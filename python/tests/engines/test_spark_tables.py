# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests fingerprints, buckets and differences of Spark's frames against one process."""

import random

import finalist
import finalist.spark
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import _spark_tables, merkle, tables
from one_table import DECIMALS, INTEGERS, TABLE
from pyspark.sql import functions

ROWS = 3000
OLD = pa.table(
    {
        "id": pa.array(range(ROWS), pa.int64()),
        "s": [None if row % 7 == 0 else f"n{row}" for row in range(ROWS)],
        "x": [row / 3 for row in range(ROWS)],
        "l": [[row, None] if row % 3 else None for row in range(ROWS)],
    }
)


@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(OLD).repartition(5).cache()


def changed_rows():
    rows = OLD.to_pylist()
    random.Random(1).shuffle(rows)
    rows = rows[10:]
    rows[0]["x"], rows[1]["s"], rows[2]["l"] = 9.0, "new", []
    rows += [{"id": ROWS + 1, "s": "a", "x": 1.0, "l": None}, dict(rows[5]), dict(rows[6])]
    rows[-1]["x"] = -1.0
    return pa.Table.from_pylist(rows, OLD.schema)


NEW = changed_rows()


def test_fingerprint(frame):
    assert finalist.fingerprint(frame) == finalist.fingerprint(OLD)
    given = {"columns": ["s", "id"], "algorithm": "blake3", "key": b"k" * 32}
    assert finalist.fingerprint(frame, **given) == finalist.fingerprint(OLD, **given)
    nothing = finalist.fingerprint(OLD.slice(0, 0))
    assert finalist.fingerprint(frame.limit(0)) == nothing


def test_the_table_of_every_engine(spark):
    """test_every_engine.py runs the others. Spark takes a timestamp for an instant by default."""
    table = TABLE.drop_columns(["h"])  # Functions in Python take no times of day.
    wall_time = functions.col("t").cast("timestamp_ntz")
    frame = spark.createDataFrame(table).withColumn("t", wall_time)
    assert finalist.fingerprint(frame) == finalist.fingerprint(table)
    for algorithm in ("blake2s", "blake3"):
        found = frame.select(finalist.spark.hash_rows("*", algorithm=algorithm)).collect()
        expected = finalist.hash_rows(table, algorithm).to_list()
        assert [bytes(row.digest) for row in found] == expected
        whole = frame.agg(finalist.spark.digest_agg("*", algorithm=algorithm)).first().digest
        assert bytes(whole) == finalist.fingerprint(table, algorithm=algorithm)


def test_equal_numbers(spark, tmp_path):
    """test_every_engine.py runs the other engines with these tables."""
    given = {"algorithm": "blake2s", "numbers": "by-value"}
    expected = finalist.hash_rows(INTEGERS, **given).to_list()
    whole = finalist.fingerprint(INTEGERS, **given)
    root = merkle.range_root(merkle.row_hashes(INTEGERS, **given), "blake2s").root()
    finalist.spark.register(spark, "blake2s", prefix="value_", numbers="by-value")
    for name, table in {"integers": INTEGERS, "decimals": DECIMALS}.items():
        frame = spark.createDataFrame(table).coalesce(1)
        frame.createOrReplaceTempView("numbers")
        for found in (
            frame.select(finalist.spark.hash_rows("*", **given)).collect(),
            spark.sql("select value_row_blake2s(struct(*)) as digest from numbers").collect(),
        ):
            assert [bytes(row.digest) for row in found] == expected
        for found in (
            frame.agg(finalist.spark.digest_agg("*", numbers="by-value")).first(),
            spark.sql("select value_digest_agg(struct(*)) as digest from numbers").first(),
        ):
            assert bytes(found.digest) == whole
        assert finalist.fingerprint(frame, numbers="by-value") == whole
        assert finalist.spark.merkle_root(frame, **given) == root
        source, out = f"{tmp_path}/{name}.parquet", f"{tmp_path}/{name}"
        pq.write_table(table, source)
        finalist.spark.hash_parquet(spark, source, out, columns=table.column_names, **given)
        assert pq.read_table(out)["digest"].to_pylist() == expected
    with pytest.raises(ValueError, match="numbers must be"):
        finalist.spark.register(spark, "blake2s", numbers="all")


def test_a_table_without_rows(frame):
    nothing = OLD.slice(0, 0)
    assert finalist.diff(nothing, frame, "id").counts["added"] == ROWS
    assert finalist.diff(frame, nothing, "id").counts["removed"] == ROWS
    assert finalist.diff(frame.limit(0), nothing, "id").equal


def test_aggregate(spark, frame):
    whole = finalist.fingerprint(OLD)
    assert bytes(frame.agg(finalist.spark.digest_agg("*")).first().digest) == whole
    groups = frame.groupBy((functions.col("id") % 2).alias("g"))
    found = groups.agg(finalist.spark.digest_agg("s", "id", key=b"key")).orderBy("g").collect()
    expected = [
        finalist.fingerprint(OLD.select(["s", "id"]).take(list(range(first, ROWS, 2))), key=b"key")
        for first in (0, 1)
    ]
    assert [bytes(row.digest) for row in found] == expected
    finalist.spark.register(spark, "blake2s", prefix="my_")
    frame.createOrReplaceTempView("many_rows")
    query = "select my_digest_agg(struct(*)) as digest from many_rows"
    assert bytes(spark.sql(query).first().digest) == whole


def test_buckets(frame):
    assert tables.buckets(frame, "id", key=b"k") == tables.buckets(OLD, "id", key=b"k")
    some = {"columns": ["x"], "numbers": "by-value"}
    assert tables.buckets(frame, ["s", "id"], **some) == tables.buckets(OLD, ["s", "id"], **some)


def test_digests_that_a_worker_passes_on(frame, monkeypatch):
    """If they take more memory than it may hold."""
    monkeypatch.setattr(_spark_tables, "KEPT_BYTES", 100 * _spark_tables.RECORD_BYTES)
    assert finalist.fingerprint(frame) == finalist.fingerprint(OLD)
    assert tables.buckets(frame, "id") == tables.buckets(OLD, "id")
    assert content(finalist.diff(frame, NEW, "id")) == content(finalist.diff(OLD, NEW, "id"))


def content(found):
    """Returns all of a result, with sorted rows."""
    names = ("added", "removed", "changed", "duplicates")
    lists = [sorted(map(repr, getattr(found, name).to_pylist())) for name in names]
    return lists, found.columns, found.old_rows, found.new_rows


@pytest.mark.parametrize(
    ("sides", "given"), [("both", {}), ("old", {"columns": ["s"]}), ("new", {})]
)
def test_diff(spark, frame, sides, given):
    expected = finalist.diff(OLD, NEW, "id", **given)
    assert all(expected.counts.values())
    old = OLD if sides == "new" else frame
    new = NEW if sides == "old" else spark.createDataFrame(NEW)
    assert content(finalist.diff(old, new, "id", **given)) == content(expected)


def test_equal(frame):
    shuffled = frame.orderBy("x", ascending=False)
    assert finalist.diff(frame, shuffled, ["id", "s"]).equal
    found = finalist.diff(frame, frame.withColumnRenamed("x", "a`b"), "id")
    assert (found.columns.added, found.columns.dropped) == (["a`b"], ["x"])


def test_timestamps(spark):
    """Their time zone in Arrow is the session's on the workers and UTC on the driver."""
    times = "id, timestamp_seconds(id) as t, array(timestamp_seconds(-id)) as l"
    frame = spark.range(50).selectExpr(*times.split(", "))
    changed = frame.withColumn("t", functions.expr("if(id < 3, t + interval 1 hour, t)"))
    spark.conf.set("spark.sql.session.timeZone", "Asia/Kathmandu")
    try:
        table, other = frame.toArrow(), changed.toArrow()
        assert finalist.fingerprint(frame) == finalist.fingerprint(table)
        assert tables.buckets(frame, ["t"]) == tables.buckets(table, ["t"])
        root = finalist.spark.merkle_root(frame.orderBy("id"), "blake2s")
        assert root == merkle.range_root(merkle.row_hashes(table, "blake2s"), "blake2s").root()
        found = finalist.diff(frame, changed, "id")
        assert content(found) == content(finalist.diff(table, other, "id"))
        assert len(found.changed) == 3
        assert finalist.diff(frame, table, "id").equal
    finally:
        spark.conf.unset("spark.sql.session.timeZone")


def test_names_with_dots_and_backticks(spark):
    names = ["a.b", "`c`", "c0", "d`e.f", "", " "]
    table = pa.table([pa.array([x, 2 * x, None], pa.int64()) for x in range(6)], names)
    frame = spark.createDataFrame(table).coalesce(1)
    assert finalist.fingerprint(frame) == finalist.fingerprint(table)
    some = ["d`e.f", "a.b"]
    assert finalist.fingerprint(frame, some) == finalist.fingerprint(table, some)
    assert tables.buckets(frame, some) == tables.buckets(table, some)
    root = finalist.spark.merkle_root(frame, "blake2s")
    assert root == merkle.range_root(merkle.row_hashes(table, "blake2s"), "blake2s").root()
    new = table.slice(1)
    found = finalist.diff(frame, spark.createDataFrame(new), some)
    assert content(found) == content(finalist.diff(table, new, some))
    assert found.removed.column_names == [*some, "`c`", "c0", "", " "]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda frame: finalist.diff(frame, OLD, "no"), ValueError, "old table has no column 'no'"),
        (lambda frame: finalist.fingerprint(frame, ["no"]), ValueError, "no column 'no'"),
        (
            lambda frame: finalist.fingerprint(frame.select("id", "id")),
            ValueError,
            "several columns 'id'",
        ),
        (lambda frame: finalist.fingerprint(frame, ordered=True), ValueError, "have no order"),
        (
            lambda frame: finalist.diff(frame, OLD, "id", old_buckets=tables.buckets(OLD, "id")),
            ValueError,
            "without buckets",
        ),
    ],
)
def test_errors_start_no_job(spark, frame, call, error, text):
    before = len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))
    with pytest.raises(error, match=text):
        call(frame)
    assert len(spark.sparkContext.statusTracker().getJobIdsForGroup(None)) == before
