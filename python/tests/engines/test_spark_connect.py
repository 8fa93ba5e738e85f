# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.spark in a session of Spark Connect, which has no SparkContext."""

import json
import subprocess
import sys

import finalist
import pyarrow as pa
import pyarrow.parquet as pq
from conftest import write_table
from finalist import manifest, merkle, parquet, tables

PROGRAM = """
import json, sys
import finalist
from finalist import spark as fs, tables
from pyspark.sql import SparkSession, functions
folder = sys.argv[1]
builder = SparkSession.builder.remote("local[2]")
for name in ("driver.host", "driver.bindAddress", "connect.grpc.binding.address"):
    builder = builder.config("spark." + name, "127.0.0.1")
spark = builder.getOrCreate()
frame = spark.read.parquet(folder + "/in").select("id", "name")
column = functions.coalesce("name", functions.lit("none"))
files = sorted(fs.digest_files(spark, [folder + "/in/0.parquet"], "blake2s").collect())
made = {
    "cores": fs._cores(spark),
    "digest": frame.orderBy("id").select(fs.digest(column, "blake3")).collect()[1][0].hex(),
    "rows": frame.orderBy("id").select(fs.hash_rows("*", algorithm="blake2b")).first()[0].hex(),
    "fingerprint": finalist.fingerprint(frame).hex(),
    "buckets": tables.buckets(frame, ["id"]).root.hex(),
    "diff": finalist.diff(frame.toArrow().slice(0, 0), frame, "id").counts,
    "parquet": fs.hash_parquet(spark, folder + "/in", folder + "/out", "blake2b",
                               columns=["name", "id"]).root.hex(),
    "manifest": fs.manifest(spark, folder + "/in", folder + "/M").root.hex(),
    "file": files[0].digest.hex(),
    "merkle": fs.merkle_root(frame.orderBy("id"), "blake2b").hex(),
}
print(json.dumps(made))
spark.stop()
"""


def test_connect_gives_the_results_of_one_machine(tmp_path):
    write_table(tmp_path / "in", 3, 50)
    run = subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, text=True,
                         timeout=300)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    table = pa.concat_tables(
        [pq.read_table(tmp_path / "in" / f"{number}.parquet") for number in range(3)]
    )
    content = (tmp_path / "in" / "0.parquet").read_bytes()
    made = {"column": None, "columns": ["name", "id"]}
    rows = parquet.hash_parquet(str(tmp_path / "in"), str(tmp_path / "one"), "blake2b", **made)
    assert found == {
        "cores": 2,
        "digest": finalist.blake3(b"name 1").hexdigest(),
        "rows": finalist.hash_rows(table, "blake2b")[0].hex(),
        "fingerprint": finalist.fingerprint(table).hex(),
        "buckets": tables.buckets(table, ["id"]).root.hex(),
        "diff": {"added": 150, "removed": 0, "changed": 0, "duplicates": 0},
        "parquet": rows.root.hex(),
        "manifest": manifest.create(tmp_path / "in", tmp_path / "M.list").root.hex(),
        "file": finalist.blake2s(content).hexdigest(),
        "merkle": merkle.range_root(merkle.row_hashes(table, "blake2b"), "blake2b").root().hex(),
    }
    assert (tmp_path / "out" / "_SUCCESS").exists()
