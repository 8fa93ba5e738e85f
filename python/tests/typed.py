# SPDX-License-Identifier: MIT OR Apache-2.0
"""A typed program, checked by mypy --strict and not run."""

import io
from typing import assert_type

import finalist
import finalist.manifest
import finalist.polars
import finalist.tables
import numpy
import pandas  # type: ignore[import-untyped,unused-ignore]
import polars
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

digest: bytes = finalist.blake2b(b"data", digest_size=32, key=b"key").digest()
text: str = finalist.groestl256(bytearray(b"data")).hexdigest()
copied: finalist.blake256 = finalist.blake256(salt=b"s" * 16).copy()
stream: bytes = finalist.blake2xb(b"seed").digest(1000)
derived: bytes = finalist.blake3(None, derive_key_context="x").update_mmap(path="x").digest(64)
assert_type(finalist.blake3.digest_size + finalist.blake3().block_size, int)
assert_type(finalist.blake3.name, str)
assert_type(finalist.hash_many("blake3", [b"a"], derive_key_context="x"), list[bytes])
either: finalist.Hash = copied if text else finalist.blake2bp(memoryview(b""), threads=2)
read: str = finalist.file_digest(io.BytesIO(b""), "blake2s").hexdigest()
assert_type(finalist.hash_many("blake2s", [b"a", bytearray(b"b")]), list[bytes])
assert_type(finalist.hash_many("blake2s", [b"a"], joined=True), bytes)
digests = finalist.hash_column("blake256", pa.array([b"a"]), threads=2)
assert_type(digests[0], bytes | None)
assert_type(digests.to_list(), list[bytes | None])
rows: int = len(digests) + digests.null_count + digests.digest_size
sizes: int = finalist.blake2b.MAX_KEY_SIZE + either.block_size
names: list[str] = sorted(finalist.algorithms_available)
assert_type(finalist.hash_rows(pa.table({"a": [1]}), "blake2s", ["a"]), finalist.Digests)
assert_type(finalist.hash_rows([{"a": 1}], "blake2s", index=False), finalist.Digests)
assert_type(finalist.hash_rows({"a": numpy.arange(3)}, "blake2s"), finalist.Digests)
assert_type(finalist.hash_column("blake2s", ["a", None]), finalist.Digests)
assert_type(finalist.hash_column("blake2s", numpy.array([b"a"])), finalist.Digests)
frame = pandas.DataFrame({"a": ["b"]})
assert_type(finalist.hash_rows(frame, "blake2s", index=True), finalist.Digests)
assert_type(finalist.hash_column("blake2s", frame["a"]), finalist.Digests)
made: finalist.manifest.Manifest = finalist.manifest.create(".", "M.list", key=b"key", threads=2)
changed: list[finalist.manifest.Difference] = finalist.manifest.verify("M.list", made.place)
assert_type(digests[1:], finalist.Digests)
assert_type(digests.hex(), list[str | None])
assert_type(finalist.fingerprint(frame, ["a"], ordered=True, key=b"key"), bytes)
assert_type(finalist.diff(frame, "new.parquet", key="a", threads=2), finalist.tables.Diff)
counts: dict[str, int] = finalist.diff(frame, frame, ["a"], columns=[]).counts
assert_type(finalist.polars.hash(polars.col("a"), "blake2s", key=b"key"), polars.Expr)
assert_type(finalist.polars.hash_rows(polars.all(), "b", algorithm="blake3"), polars.Expr)
assert_type(made.update(".", progress=lambda told: told.bytes_hashed), finalist.manifest.Manifest)
assert_type(made.duplicates(made)[0].paths, tuple[bytes, ...])
assert_type(finalist.manifest.verify_proof(made.prove(b"a"), made.root).size, int | None)
