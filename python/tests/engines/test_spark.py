# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.spark against one process: the bytes are the same, also if workers are killed."""

import functools
import hashlib
import os
import pathlib

import expected
import finalist
import finalist.parquet as parquet
import finalist.spark
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import KEY, SECRETS, name_of, write_table
from faults import Killer, meddle
from finalist import _manifests, _parts, manifest, merkle
from pyspark.errors import AnalysisException, PythonException, UnsupportedOperationException
from pyspark.sql import functions


def digest(name):
    return None if name is None else hashlib.blake2s(name.encode(), key=KEY).digest()


def contents(out):
    return {path.name: path.read_bytes() for path in pathlib.Path(out).iterdir()}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return write_table(tmp_path_factory.mktemp("spark") / "in", files=3, rows=2500)


def test_digests_in_a_query(spark, source):
    frame = spark.read.parquet(source)
    column = finalist.spark.digest("name", "blake2s", key=KEY)
    rows = frame.select("id", column).collect()
    assert len(rows) == 7500
    assert all(row[1] == digest(name_of(row.id)) for row in rows)
    assert frame.select(column).columns == ["blake2s(name)"]
    unnamed = finalist.spark.digest(functions.col("name"), "blake2s")
    assert frame.select(unnamed).columns == ["blake2s"]
    text = finalist.spark.digest(functions.upper("name"), "blake2b", digest_size=8).alias("x")
    binary = finalist.spark.digest(functions.col("name").cast("binary"), "blake2s").alias("y")
    [row] = frame.where("id = 1").select(text, binary).collect()
    assert row.x == hashlib.blake2b(b"NAME 1", digest_size=8).digest()
    assert row.y == hashlib.blake2s(b"name 1").digest()
    constants = [finalist.spark.digest(functions.lit(x), "blake2s") for x in ("a", b"a", None)]
    [row] = frame.limit(1).select(*constants).collect()
    assert list(row) == [hashlib.blake2s(b"a").digest()] * 2 + [None]


def test_every_parameter(spark, tmp_path):
    source, out = write_table(tmp_path / "in", files=1, rows=50), str(tmp_path / "out")
    table = pq.read_table(source)
    frame = spark.createDataFrame(table).coalesce(1)
    secrets = {name: value for name, value in SECRETS.items() if name != "digest_size"}
    values = finalist.hash_column("blake2b", table["name"], **SECRETS).to_list()
    rows = finalist.hash_rows(table, "blake2b", **SECRETS, version=2).to_list()
    found = frame.select(
        finalist.spark.digest("name", "blake2b", **SECRETS).alias("value"),
        finalist.spark.hash_rows("*", algorithm="blake2b", version=2, **SECRETS),
    ).toArrow()
    assert found.to_pydict() == {"value": values, "digest": rows}
    given = {"algorithm": "blake2b", **secrets}
    whole = finalist.fingerprint(table, **given)
    assert bytes(frame.agg(finalist.spark.digest_agg("*", **given)).first().digest) == whole
    assert finalist.fingerprint(frame, **given) == whole
    leaves = merkle.range_root(merkle.row_hashes(table, "blake2b", **SECRETS), **SECRETS)
    root = finalist.spark.merkle_root(frame.orderBy("id"), "blake2b", **SECRETS)
    assert root == leaves.root(**secrets)
    choice = {"columns": ["id", "name"], "keep": ["name"], "name": "d", "root": True}
    result = finalist.spark.hash_parquet(spark, source, out, "blake2b", **choice, **SECRETS)
    one = parquet.hash_parquet(source, str(tmp_path / "one"), "blake2b", **choice, **SECRETS)
    assert result.root == one.root and contents(out) == contents(tmp_path / "one")
    choice |= {"root": False, "overwrite": True}
    result = finalist.spark.hash_parquet(spark, source, out, "blake2b", **choice, **SECRETS)
    assert result.root is None
    file = pathlib.Path(source, "0.parquet")
    os.utime(file, ns=(1, 2_000_000_003))
    [row] = finalist.spark.digest_files(spark, [file], "blake2b", **SECRETS).collect()
    content = file.read_bytes()
    assert row.asDict() == {
        "path": str(file),
        "size": len(content),
        "digest": hashlib.blake2b(content, **SECRETS).digest(),
        "status": "ok",
        "modified_ns": file.stat().st_mtime_ns,
    }
    made = finalist.spark.manifest(spark, source, str(tmp_path / "M"), "blake2b", **SECRETS)
    expected.check(made, source, "blake2b", **SECRETS)


ROWS = pa.table(
    {
        "n": pa.array([1, None, -3], pa.int64()),
        "s": ["a", None, "\u00e9"],
        "x": [0.5, float("nan"), None],
        "l": [[1, None], [], None],
        "o": [{"a": 1}, {"a": None}, None],
    }
)


def test_rows_in_a_query(spark):
    frame = spark.createDataFrame(ROWS).coalesce(1)
    wanted = finalist.hash_rows(ROWS, "blake2s", key=KEY).to_list()
    found = frame.select(finalist.spark.hash_rows("*", algorithm="blake2s", key=KEY)).collect()
    assert [bytes(row.digest) for row in found] == wanted
    chosen = finalist.spark.hash_rows("n", functions.col("s"), algorithm="blake3", version=2)
    wanted = finalist.hash_rows(ROWS, "blake3", ["n", "s"], version=2).to_list()
    assert [bytes(row.digest) for row in frame.select(chosen).collect()] == wanted
    with pytest.raises(ValueError, match="numbers must be"):
        finalist.spark.hash_rows("*", algorithm="blake2s", numbers="no")


def test_rows_in_sql(spark):
    finalist.spark.register(spark, "blake2s", prefix="my_")
    spark.createDataFrame(ROWS).coalesce(1).createOrReplaceTempView("three_rows")
    found = spark.sql("select my_row_blake2s(struct(*)) as digest from three_rows").collect()
    assert [bytes(row.digest) for row in found] == finalist.hash_rows(ROWS, "blake2s").to_list()
    finalist.spark.register(spark, prefix="all_")
    names = {row.function for row in spark.sql("show user functions like 'all_*'").collect()}
    expected = {name for name in finalist.algorithms_available if "2x" not in name}
    wanted = {f"all_row_{name}" for name in expected} | {"all_digest_agg"}
    assert {name.rpartition(".")[2] for name in names} == wanted
    found = spark.sql("select all_row_blake3(struct(*)) as digest from three_rows").collect()
    assert [bytes(row.digest) for row in found] == finalist.hash_rows(ROWS, "blake3").to_list()
    for function in ("my_row_blake2s", "my_digest_agg"):
        for arguments in ("n", "n, s", "struct(n), struct(s)"):
            query = f"select {function}({arguments}) from three_rows"
            with pytest.raises(PythonException, match=f"{function} takes one struct of columns"):
                spark.sql(query).collect()


def jobs(spark):
    return len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))


def test_the_functions_of_the_jar_name_the_java_that_they_need(spark):
    java = spark._jvm.java.lang.Runtime.version().feature()
    if java >= 22:
        pytest.skip("test_spark_jvm.py tests them on this Java")
    spark.sql(f"ADD JAR '{os.environ['FINALIST_SPARK_JAR']}'")
    spark.conf.set("spark.sql.catalog.finalist", "finalist.Catalog")
    with pytest.raises(UnsupportedOperationException, match=f"need Java 22.*this is {java}"):
        spark.sql("SELECT finalist.blake3('a')")


def test_wrong_columns_start_no_job(spark, source, tmp_path):
    frame = spark.read.parquet(source)
    before = jobs(spark)
    takes = r"finalist.spark.digest takes binary or string values.*\"id\" has the type \"BIGINT\""
    with pytest.raises(AnalysisException, match=takes):
        frame.select(finalist.spark.digest("id", "blake2s"))
    with pytest.raises(AnalysisException, match="nane"):
        frame.select(finalist.spark.digest("nane", "blake2s"))
    with pytest.raises(ValueError, match="key"):
        finalist.spark.digest("name", "blake2s", key=bytes(33))
    out = str(tmp_path / "out")
    with pytest.raises(ValueError, match="no column 'nane'; there are: id, name"):
        finalist.spark.hash_parquet(spark, source, out, "blake2s", column="nane")
    with pytest.raises(TypeError, match="column 'id'"):
        finalist.spark.hash_parquet(spark, source, out, "blake2s", column="id")
    assert jobs(spark) == before


def test_few_parts_share_a_task(spark, source, tmp_path, monkeypatch):
    monkeypatch.setattr(_parts, "PART_ROWS", 500)
    tracker = spark.sparkContext.statusTracker()
    for per_task, tasks in ((finalist.spark.PARTS_PER_TASK, 2), (1, 8)):
        monkeypatch.setattr(finalist.spark, "PARTS_PER_TASK", per_task)
        before = set(tracker.getJobIdsForGroup(None))
        out = str(tmp_path / str(per_task))
        result = finalist.spark.hash_parquet(spark, source, out, "blake2s", column="name")
        started = set(tracker.getJobIdsForGroup(None)) - before
        stages = [stage for job in started for stage in tracker.getJobInfo(job).stageIds]
        assert result.parts.num_rows == 9
        assert max(tracker.getStageInfo(stage).numTasks for stage in stages) == tasks
    assert [finalist.spark._tasks(spark, rows) for rows in (0, 1, 5, 8, 9)] == [1, 1, 5, 8, 8]
    tasks = [finalist.spark._tasks(spark, rows, 8) for rows in (1, 2, 16, 17, 64, 65, 999)]
    assert tasks == [1, 2, 2, 4, 8, 8, 8]


@pytest.mark.parametrize("footers", [0, 64])
def test_the_output_is_that_of_one_process(spark, source, tmp_path, monkeypatch, footers):
    monkeypatch.setattr(_parts, "FOOTERS_ON_DRIVER", footers)
    monkeypatch.setattr(_parts, "PART_ROWS", 1500)
    outs = [str(tmp_path / name) for name in ("one", "spark")]
    choice = {"column": "name", "keep": ["id"], "key": KEY}
    one = parquet.hash_parquet(source, outs[0], "blake2s", **choice)
    result = finalist.spark.hash_parquet(spark, source, outs[1], "blake2s", **choice)
    assert contents(outs[0]) == contents(outs[1])
    assert result.root == one.root and result.parts == one.parts and result.rows == 7500
    frame = spark.read.parquet(outs[1])
    assert all(row.digest == digest(name_of(row.id)) for row in frame.collect())
    assert finalist.spark.merkle_root(frame.orderBy("id"), "blake2s", key=KEY) == one.root
    proof = parquet.prove(outs[1], 4321, key=KEY)
    row = pa.table({"id": [4321], "digest": pa.array([digest(name_of(4321))], pa.binary())})
    assert merkle.verify_row(proof, row, one.root, key=KEY)


@pytest.mark.parametrize("partitions", [1, 7])
def test_roots_of_frames(spark, source, partitions):
    frame = spark.read.parquet(source).repartition(partitions).orderBy("id")
    table = pq.read_table(source)
    expected = merkle.range_root(merkle.row_hashes(table, "blake256"), "blake256").root()
    kept = spark.sparkContext._jsc.getPersistentRDDs().size()
    assert finalist.spark.merkle_root(frame, "blake256") == expected
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == kept
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "300")
    try:  # Several batches of each partition.
        assert finalist.spark.merkle_root(frame, "blake256") == expected
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    empty = finalist.spark.merkle_root(frame.where("id < 0"), "blake256")
    assert empty == merkle.range_root(b"", "blake256").root()


def test_a_killed_worker(spark, tmp_path):
    """Spark tries the part again; nothing is missing or duplicate."""
    source = write_table(tmp_path / "in", files=3, rows=400_000, group=100_000)
    outs = [str(tmp_path / name) for name in ("one", "spark")]
    one = parquet.hash_parquet(source, outs[0], "blake2b", column="name", key=KEY)
    killer = Killer(outs[1])
    result = finalist.spark.hash_parquet(spark, source, outs[1], "blake2b", column="name", key=KEY)
    assert killer.killed, "no worker was seen writing"
    assert result.root == one.root
    assert contents(outs[0]) == contents(outs[1])


def test_files_that_go_wrong(spark, tmp_path, monkeypatch):
    """The job ends, each part has a status, and readable parts are hashed."""
    source = write_table(tmp_path / "in", files=5, rows=1000)
    files = [pathlib.Path(source, f"{number}.parquet") for number in range(5)]
    files[0].write_bytes(b"no Parquet")
    damaged = bytearray(files[3].read_bytes())
    names = pq.read_metadata(files[3]).row_group(0).column(1).data_page_offset
    damaged[names : names + 200] = bytes(200)
    files[3].write_bytes(damaged)
    meddle(monkeypatch,
        files[1].unlink,
        lambda: files[2].write_bytes(files[2].read_bytes() + b"x"),
    )
    out = tmp_path / "out"
    with pytest.raises(parquet.Incomplete, match="4 of 5 parts failed") as caught:
        finalist.spark.hash_parquet(spark, source, str(out), "blake2s", column="name", key=KEY)
    result = caught.value.result
    statuses = [row["status"] for row in result.parts.to_pylist()]
    assert statuses == ["unreadable", "vanished", "changed", "unreadable", "ok"]
    assert result.rows == 1000 and result.root is None
    names = sorted(path.name for path in out.iterdir())
    assert names == ["_parts.parquet", "part-00000004.parquet"]
    assert KEY.decode() not in str(caught.value)


def test_overwriting(spark, source, tmp_path):
    hash_parquet = functools.partial(finalist.spark.hash_parquet, spark)
    expected.check_overwriting(hash_parquet, source, tmp_path)


def test_digests_of_files(spark, tmp_path):
    root = expected.write_files(tmp_path / "in")
    paths = [str(path) for path in root.rglob("*") if path.is_file() and "txt" in path.name]
    paths += [str(root / "0" / "0" / "file 280"), str(root / "nosuch"), str(root)]
    rows = finalist.spark.digest_files(spark, paths, "blake2s", key=KEY).collect()
    found = {row.path: row for row in rows}
    assert sorted(found) == sorted(paths)
    assert found[str(root / "nosuch")].status == "vanished"
    assert found[str(root)].status == "unreadable"
    frame = spark.createDataFrame([(path, 5) for path in paths], "path string, other int")
    again = finalist.spark.digest_files(spark, frame, "blake2s", key=KEY).collect()
    assert sorted(again) == sorted(rows)
    large = found[str(root / "1.txt")]
    assert large.digest == hashlib.blake2s(b"x" * 3_000_000, key=KEY).digest()
    assert large.size == 3_000_000 and large.status == "ok"


def test_manifests(spark, tmp_path, monkeypatch):
    root = expected.write_files(tmp_path / "in")
    monkeypatch.setattr(_manifests, "DIRECTORIES", 5)
    monkeypatch.setattr(_manifests, "PART_ROWS", 90)
    made = finalist.spark.manifest(spark, str(root), str(tmp_path / "out"), "blake2b", key=KEY)
    assert len(list((tmp_path / "out").glob("part-*"))) > 2
    expected.check(made, root, "blake2b", key=KEY)
    (tmp_path / "empty").mkdir()
    empty = finalist.spark.manifest(spark, str(tmp_path / "empty"), str(tmp_path / "none"))
    assert empty.count == 0
    assert empty.root == manifest.create(tmp_path / "empty", tmp_path / "M.list").root


def test_failing_queries_do_not_tell_the_key(spark):
    """A worker's error names the line, not the values."""
    frame = spark.range(1).select(functions.encode("id", "utf-8").alias("x"))

    def fail(batches):
        column = finalist.spark.digest("x", "blake2s", key=KEY)
        raise RuntimeError(f"on purpose, with {column}")

    column = finalist.spark.digest("x", "blake2s", key=KEY)
    assert KEY.decode() not in str(column)
    with pytest.raises(Exception) as caught:
        frame.mapInArrow(fail, "x binary").collect()
    assert KEY.decode() not in str(caught.value)


def test_keys_are_in_no_plan_event_or_log(spark, source, logs, capsys):
    """Searches everything that Spark has written so far; runs after all other tests."""
    frame = spark.read.parquet(source).select(finalist.spark.digest("name", "blake2s", key=KEY))
    frame.explain("extended")
    frame.explain("formatted")
    plan = capsys.readouterr().out
    assert "finalist_digest" in plan
    frame.collect()
    [events] = (logs / "events").iterdir()
    texts = [plan.encode(), events.read_bytes(), (logs / "spark.log").read_bytes()]
    assert b"finalist_digest" in texts[1]
    assert all(len(text) > 1000 for text in texts)
    for needle in (KEY, KEY.hex().encode(), repr(list(KEY)).encode()):
        assert not any(needle in text for text in texts)
