# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests of a table on Ray Data.

    pip install . "ray[data]" pyarrow
    python examples/ray_digests.py
"""

import os
import tempfile

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import finalist.parquet
import finalist.ray
import pyarrow as pa
import pyarrow.parquet as pq
import ray

KEY = b"only the data's owner knows it"


def main(folder):
    # Everything stays on this machine.
    ray.init(include_dashboard=False, _node_ip_address="127.0.0.1")

    os.mkdir(f"{folder}/table")
    for number in range(4):
        rows = range(number * 25_000, (number + 1) * 25_000)
        table = pa.table({"id": rows, "name": [f"customer {row}" for row in rows]})
        pq.write_table(table, f"{folder}/table/{number}.parquet")

    # In a pipeline, Digest is a function for map_batches that adds a column.
    dataset = ray.data.read_parquet(f"{folder}/table")
    digest = finalist.ray.Digest("name", "blake2s", key=KEY)
    print(dataset.map_batches(digest, batch_format="pyarrow").take(1))

    # A whole table is hashed file by file, by workers that read and write Parquet themselves.
    choice = {"column": "name", "keep": ["id"], "key": KEY}
    result = finalist.ray.hash_parquet(f"{folder}/table", f"{folder}/digests", "blake2s", **choice)
    print(f"{result.rows} rows in {result.parts.num_rows} parts, root {result.root.hex()}")
    ray.shutdown()

    # One process without Ray computes the same.
    again = finalist.parquet.hash_parquet(f"{folder}/table", f"{folder}/again", "blake2s", **choice)
    print("the same root" if again.root == result.root else "another root")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        main(directory)
