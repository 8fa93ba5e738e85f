# SPDX-License-Identifier: MIT OR Apache-2.0
"""finalist.fingerprint, finalist.tables.buckets and finalist.diff for DataFrames of Spark. Workers
hash and compare the rows; the driver gets the rows that differ.

Workers exchange only digests of rows, 32 bytes each, in 256 parts by their first byte.
"""

from __future__ import annotations

import collections
import dataclasses
import os
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql.pandas.types import (  # type: ignore[import-not-found,unused-ignore]
    to_arrow_schema,
)

from . import _finalist
from ._aligned import integers
from ._fingerprint import RowDigests, root_of_buckets
from ._ranges import hasher
from ._shown import quoted
from ._tables import Source, check_names, is_of_spark, none_taken, taken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ._hashing import Hashing

#: First bits of digests that select their part; after the exchange, each part is a task.
PART_BITS = 8
#: Buckets of a part.
PART_BUCKETS = 1 << (16 - PART_BITS)
#: Bytes of digests that a worker holds before it passes them on.
KEPT_BYTES = 1 << 26
#: Bytes of a key's digest, and of a record, which begins with one.
KEY_BYTES, RECORD_BYTES = 16, 32

_PARTS = "part int, side int, digests binary"
_RANGES = "first bigint, rows bigint, nodes binary"
_FOUND = "old_rows bigint, new_rows bigint, keys binary"


def arrow_schema(frame: Any) -> Any:
    """Returns the schema of a frame's toArrow. Digests do not depend on the time zone in it."""
    return to_arrow_schema(frame.schema, timezone="UTC")


def schema_of(frame: Any, names: Sequence[str] | None, what: str) -> Any:
    """Returns the Arrow schema of a frame's columns. ValueError for a missing or duplicate one."""
    schema = arrow_schema(frame)
    counts = collections.Counter(schema.names)
    chosen = schema.names if names is None else names
    for name in chosen:
        if counts[name] != 1:
            have = "several columns" if name in counts else "no column"
            raise ValueError(f"the {what} table has {have} {quoted(name)}")
        check_names(schema.field(name), what)
    return pa.schema([schema.field(name) for name in chosen])


def _chosen(frame: Any, names: Sequence[str]) -> Any:
    """Selects columns of a frame; their names may have any characters."""
    return frame.select(*[f"`{name.replace('`', '``')}`" for name in names])


def map_batches(frame: Any, work: Callable[[Iterator[Any]], Iterator[Any]], schema: Any) -> Any:
    """Returns frame.mapInArrow. It reads names of columns as Spark's syntax: give it other ones,
    which the function does not see."""
    names = frame.columns

    def named(batches: Iterator[Any]) -> Iterator[Any]:
        return work(batch.rename_columns(names) for batch in batches)

    return frame.toDF(*[f"c{place}" for place in range(len(names))]).mapInArrow(named, schema)


def _exchanged(frame: Any, names: Sequence[str], side: int, add: Callable[[Any, Any], None]) -> Any:
    """Returns the digests of a frame's rows in parts. add: adds a batch to SortedRows."""

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        kept = _finalist.SortedRows(0)
        for batch in batches:
            add(kept, batch)
            if len(kept) * RECORD_BYTES >= KEPT_BYTES:
                yield _parts(kept, side)
                kept = _finalist.SortedRows(0)
        yield _parts(kept, side)

    return map_batches(_chosen(frame, names), work, _PARTS)


def _parts(kept: Any, side: int) -> Any:
    parts = [(part, digests) for part, digests in enumerate(kept.parts(PART_BITS)) if digests]
    columns = {
        "part": pa.array([part for part, _ in parts], pa.int32()),
        "side": pa.array([side] * len(parts), pa.int32()),
        "digests": pa.array([digests for _, digests in parts], pa.binary()),
    }
    return pa.record_batch(columns)


def _ranges(exchanged: Any, hashing: Hashing, first: int) -> tuple[list[Any], int]:
    """Returns the ranges of a tree over all buckets, which begin at leaf `first`, and the number of
    rows."""

    def work(table: Any) -> Any:
        part = table.column("part")[0].as_py()
        rows = _finalist.SortedRows(0)
        for digests in table.column("digests").to_pylist():
            rows.add(digests)
        made = range_of(rows, part)
        columns = {"first": [made.first], "rows": [len(rows)], "nodes": [made.nodes]}
        return pa.table(columns)

    def range_of(rows: Any, part: int) -> Any:
        tree = hasher(hashing.range(b"", 0), **hashing.secrets)
        start = part * PART_BUCKETS
        return hashing.range(rows.leaf_hashes(tree, start, PART_BUCKETS), first + start)

    found = exchanged.groupBy("part").applyInArrow(work, _RANGES).toArrow().to_pylist()
    ranges = {row["first"]: hashing.part(row["first"], PART_BUCKETS, row["nodes"]) for row in found}
    nothing = _finalist.SortedRows(0)
    for part in range(1 << PART_BITS):
        place = first + part * PART_BUCKETS
        if place not in ranges:
            ranges[place] = range_of(nothing, part)
    return [ranges[place] for place in sorted(ranges)], sum(row["rows"] for row in found)


def fingerprint(frame: Any, columns: Sequence[str] | None, hashing: Hashing, numbers: Any) -> bytes:
    """Computes finalist.fingerprint of a frame in one query."""
    schema = schema_of(frame, columns, "given")
    digests = RowDigests(hashing, schema.names, numbers)
    digests.of(pa.RecordBatchReader.from_batches(schema, []))  # Checks the types.

    def add(rows: Any, batch: Any) -> None:
        rows.add(digests.of(batch).buffers()[1] or b"")

    exchanged = _exchanged(frame, schema.names, 0, add)
    return root_of_buckets(hashing, schema.names, _ranges(exchanged, hashing, 1)[0])


@dataclasses.dataclass(frozen=True)
class Keyed:
    """The parameters of rows' records, for workers."""

    secret: _finalist.Secret = dataclasses.field(repr=False)
    keys: list[str]
    columns: list[str]
    numbers: str

    def rows(self) -> Any:
        return _finalist.KeyedRows("blake2s", self.secret, self.keys, self.columns, self.numbers)

    def add(self, rows: Any, batch: Any) -> None:
        """Adds a batch to SortedRows by its records."""
        rows.add_keyed(self.rows(), batch, 1)


def leaves_of_buckets(frame: Any, keyed: Keyed, hashing: Hashing) -> tuple[bytes, int]:
    """Returns the leaf hashes of a frame's buckets and the number of its rows, from one query."""

    def leaves(table: Any) -> Any:
        part = table.column("part")[0].as_py()
        rows = _finalist.SortedRows(0)
        for records in table.column("digests").to_pylist():
            rows.add(records)
        tree = hasher(hashing.range(b"", 0), **hashing.secrets)
        found = rows.leaf_hashes(tree, part * PART_BUCKETS, PART_BUCKETS)
        return pa.table({"first": [part], "rows": [len(rows)], "nodes": [found]})

    exchanged = _exchanged(frame, keyed.keys + keyed.columns, 0, keyed.add)
    made = exchanged.groupBy("part").applyInArrow(leaves, _RANGES).toArrow().to_pylist()
    found = {row["first"]: row["nodes"] for row in made}
    empty = _finalist.SortedRows(0)
    tree = hasher(hashing.range(b"", 0), **hashing.secrets)
    nothing = empty.leaf_hashes(tree, 0, PART_BUCKETS)
    whole = b"".join(found.get(part, nothing) for part in range(1 << PART_BITS))
    return whole, sum(row["rows"] for row in made)


def _compare(table: Any) -> Any:
    """Compares the records of a part. Returns the number of rows of each side, and the digests of
    the keys whose rows differ."""
    records: list[list[bytes]] = [[], []]
    for side, some in zip(
        table.column("side").to_pylist(), table.column("digests").to_pylist(), strict=True
    ):
        records[side].append(some)
    old, new = (b"".join(some) for some in records)
    rows = [len(some) // RECORD_BYTES for some in (old, new)]
    matches = _finalist.Matches(old)
    kept = _keys_at(new, integers(matches.add(new)))
    added, removed, changed, _, old_twice, new_twice, *_ = map(integers, matches.finish())
    keys = {key for some in (removed, changed, old_twice) for key in _keys_at(old, some)}
    keys |= {kept[at] for some in (added, new_twice) for at in some.to_pylist()}
    columns = {"old_rows": [rows[0]], "new_rows": [rows[1]], "keys": [b"".join(sorted(keys))]}
    return pa.table(columns)


def _keys_at(records: bytes, places: Any) -> list[bytes]:
    """Returns the digests of the keys of some of the records."""
    starts = (RECORD_BYTES * place for place in places.to_pylist())
    return [records[start : start + KEY_BYTES] for start in starts]


class Side:
    """One of the tables to compare: a frame of Spark, or a table that Source takes."""

    def __init__(self, given: Any, what: str) -> None:
        self.frame = given if is_of_spark(given) else None
        self.what = what
        self.source = None if is_of_spark(given) else Source(given, what)
        self.schema = schema_of(given, None, what) if self.source is None else self.source.schema

    def field(self, name: str) -> Any:
        if self.source is not None:
            return self.source.field(name)
        return schema_of(self.frame, [name], self.what).field(0)

    def exchanged(self, spark: Any, keyed: Keyed, side: int) -> Any:
        """Returns the records of all rows in parts."""
        names = keyed.keys + keyed.columns
        if self.source is None:
            return _exchanged(self.frame, names, side, keyed.add)
        kept = _finalist.SortedRows(0)
        for batch in self.source.batches(names):
            keyed.add(kept, batch)
        parts = pa.Table.from_batches([_parts(kept, side)])
        return spark.createDataFrame(parts, _PARTS)

    def rows(self, keyed: Keyed, names: list[str], keys: bytes) -> Any:
        """Returns the rows with one of these keys, which are given as digests."""
        nothing = none_taken(pa.schema([self.field(name) for name in names]))
        if not keys:
            return nothing

        def chosen(batches: Iterator[Any]) -> Iterator[Any]:
            hasher_, wanted = keyed.rows(), _finalist.Unequal.of_keys(keys)
            for batch in batches:
                yield taken(batch, integers(wanted.places(hasher_, batch, 1)))

        if self.source is not None:
            return pa.Table.from_batches(chosen(self.source.batches(names)), nothing.schema)
        frame = _chosen(self.frame, names)
        return map_batches(frame, chosen, frame.schema).toArrow()


def differing(
    sides: Sequence[Side], names: Sequence[list[str]], keyed: Keyed
) -> tuple[list[Any], list[int]]:
    """Returns the rows of both tables whose keys have different rows in them, and the numbers of
    rows.

    One query compares all records; another one fetches these rows, if there are any."""
    spark = next(side.frame.sparkSession for side in sides if side.frame is not None)
    old, new = (side.exchanged(spark, keyed, number) for number, side in enumerate(sides))
    found = old.union(new).groupBy("part").applyInArrow(_compare, _FOUND).toArrow()
    # Records that begin with the key's digest; the rest does not count.
    keys = b"".join(
        some[at : at + KEY_BYTES] + bytes(RECORD_BYTES - KEY_BYTES)
        for some in found.column("keys").to_pylist()
        for at in range(0, len(some), KEY_BYTES)
    )
    counts = [sum(found.column(name).to_pylist()) for name in ("old_rows", "new_rows")]
    return [side.rows(keyed, some, keys) for side, some in zip(sides, names, strict=True)], counts


def secret_key() -> _finalist.Secret:
    """Returns a random key."""
    return _finalist.Secret(os.urandom(32))
