# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests of a table on Apache Spark, and a proof that a row is in it.

    pip install . pyspark pyarrow
    python examples/spark_digests.py
"""

import os
import pathlib
import sys
import tempfile

import finalist.parquet
import finalist.spark
import pyarrow.parquet as pq
from finalist import merkle
from pyspark.sql import SparkSession

KEY = b"only the data's owner knows it"


def main(folder):
    # Workers take the Python that runs this script; everything stays on this machine.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master("local[*]")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )

    # A table as others have it: several Parquet files, made by Spark.
    table = spark.range(100_000).selectExpr("id", "concat('customer ', id) as name")
    table.repartition(4).write.parquet(f"{folder}/table")

    # In a query, digests are a function of a column.
    table.select("id", finalist.spark.digest("name", "blake2s", key=KEY).alias("digest")).show(3)

    # A whole table is hashed file by file, by workers that read and write Parquet themselves.
    result = finalist.spark.hash_parquet(
        spark, f"{folder}/table", f"{folder}/digests", "blake2s", column="name", keep=["id"],
        key=KEY,
    )
    print(f"{result.rows} rows in {result.parts.num_rows} parts, root {result.root.hex()}")

    # The output is an ordinary table.
    digests = spark.read.parquet(f"{folder}/digests")
    print(table.join(digests, "id").where("digest is not null").count(), "rows have a digest")

    # A proof that row 7 is in the table that has this root; it reads one part of the output.
    proof = finalist.parquet.prove(f"{folder}/digests", 7, key=KEY)
    row = pq.read_table(f"{folder}/digests/part-00000000.parquet").slice(7, 1)
    proved = merkle.verify_row(proof, row, result.root, key=KEY)
    print(f"{len(proof.hashes)} hashes prove row 7: {proved}")
    spark.stop()

    # One process without Spark computes the same.
    again = finalist.parquet.hash_parquet(
        f"{folder}/table", f"{folder}/again", "blake2s", column="name", keep=["id"], key=KEY
    )
    print("the same root" if again.root == result.root else "another root")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        main(pathlib.Path(directory))
