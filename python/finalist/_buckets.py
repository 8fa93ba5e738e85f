# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests of a table's buckets, which finalist.diff uses instead of reading the table."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]

from . import _finalist, _roots
from ._hashing import Hashing
from ._json import Members
from ._keys import redacted
from ._places import written_locally
from ._ranges import combine, hasher
from ._shown import line_of, shown
from ._tables import Source, check_columns, is_of_spark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

#: The column of the file and the key of its metadata.
LEAVES = pa.schema([pa.field("leaf", pa.binary(32), nullable=False)])
METADATA = b"finalist.buckets"
FORMAT = "finalist-buckets-1"
COUNT = 1 << 16


@dataclasses.dataclass(frozen=True)
class Buckets:
    """The digests of a table's 2^16 buckets; finalist.tables.buckets makes them.

    keys, columns: the key's columns and the others. numbers: as in finalist.diff. rows: the number
    of rows. keyed: whether a secret key was given. root: commits to all of these
    (docs/guide/tables.md). leaves: the buckets' leaf hashes, 32 bytes each.
    """

    keys: list[str]
    columns: list[str]
    numbers: str
    rows: int
    keyed: bool
    root: bytes
    leaves: bytes = dataclasses.field(repr=False)

    def write(self, place: str | os.PathLike[str]) -> None:
        """Writes a Parquet file of 2 MB, which gets its name when it is complete."""
        about = dataclasses.asdict(self) | {"root": self.root.hex(), "format": FORMAT}
        del about["leaves"]
        leaves = pa.Array.from_buffers(
            LEAVES.field(0).type, COUNT, [None, pa.py_buffer(self.leaves)]
        )
        schema = LEAVES.with_metadata({METADATA: json.dumps(about).encode()})
        table = pa.Table.from_arrays([leaves], schema=schema)
        with written_locally(*os.path.split(os.path.abspath(os.fspath(place)))) as file:
            pq.write_table(table, file, compression="none", use_dictionary=False)

    @staticmethod
    @redacted
    def read(place: str | os.PathLike[str], *, key: Buffer = b"") -> Buckets:
        """Reads a file that write wrote. key: the secret key of buckets. Errors: ValueError if the
        file is of another kind, is damaged, or was made with another key."""
        try:
            table = pq.read_table(place)
            about = Members((table.schema.metadata or {})[METADATA], "metadata").found
            if about.pop("format") != FORMAT or table.schema.types != LEAVES.types:
                raise ValueError(f"not of the format {FORMAT}")
            leaves = table.column(0).combine_chunks()
            data = b"".join(leaves.to_pylist())
            found = Buckets(**about | {"root": bytes.fromhex(about["root"])}, leaves=data)
            is_whole = len(data) == 32 * COUNT and found.keyed == bool(memoryview(key).nbytes)
            is_whole = is_whole and _root(found, key) == found.root
        except (KeyError, TypeError, ValueError, AttributeError, pa.ArrowException) as error:
            text = f"{shown(os.fspath(place))}: cannot be read as buckets: {line_of(error)}"
            raise ValueError(text) from None
        if not is_whole:
            text = "the leaves do not give the root, or the key is another one"
            raise ValueError(f"{shown(os.fspath(place))}: {text}")
        return found


def _root(found: Buckets, key: Buffer) -> bytes:
    """Computes the root over the buckets and a row of the parameters."""
    hashing = Hashing.of("blake2s", 32, key)
    head = pa.record_batch(
        {
            "keys": pa.array([found.keys], pa.list_(pa.string())),
            "columns": pa.array([found.columns], pa.list_(pa.string())),
            "numbers": [found.numbers],
            "rows": pa.array([found.rows], pa.int64()),
        }
    )
    ranges = [hashing.range(hashing.leaves(head), 0), hashing.range(found.leaves, 1)]
    return hashing.root(combine(ranges, **hashing.secrets), _roots.BUCKETS)


@redacted
def buckets(
    table: Any,
    keys: str | Sequence[str],
    *,
    columns: Sequence[str] | None = None,
    numbers: Literal["exact", "by-value"] = "exact",
    key: Buffer = b"",
    threads: int = 1,
) -> Buckets:
    """Returns the buckets of a table. finalist.diff takes them as old_buckets or new_buckets, and
    then reads this table only if there is a difference, and only once.

    table, columns, numbers: as in finalist.diff. keys: the columns that identify a row. key: a
    secret, which Buckets.read and finalist.diff need, too. Someone who chooses rows but does not
    know it cannot make two keys collide; without it that takes 2^64 work. Memory: 32 bytes a row.
    Errors: those of finalist.diff.
    """
    names = [keys] if isinstance(keys, str) else list(keys)
    check_columns(columns)
    check_columns(names, "keys")
    source: Any
    if is_of_spark(table):
        from ._spark_tables import Side

        source = Side(table, "given")
    else:
        source = Source(table, "given")
    if columns is None:
        others = [field.name for field in source.schema if field.name not in names]
    else:
        others = [name for name in columns if name not in names]
    return of_source(source, names, others, numbers, key, threads)


def of_source(
    source: Any, keys: list[str], columns: list[str], numbers: str, key: Buffer, threads: int
) -> Buckets:
    """Computes the buckets of a Source, or of a Side for a frame of Spark."""
    rows = _finalist.KeyedRows("blake2s", key, keys, columns, numbers)
    for name in keys + columns:
        source.field(name)
    hashing = Hashing.of("blake2s", 32, key)
    if isinstance(source, Source):
        found = _finalist.SortedRows(source.rows or 0)
        for batch in source.batches(keys + columns):
            found.add_keyed(rows, batch, threads)
        leaves = found.leaf_hashes(hasher(hashing.range(b"", 0), **hashing.secrets))
        count = len(found)
    else:
        from ._spark_tables import Keyed, leaves_of_buckets

        sent = Keyed(hashing.key, keys, columns, numbers)
        leaves, count = leaves_of_buckets(source.frame, sent, hashing)
    keyed = memoryview(key).nbytes > 0
    made = Buckets(keys, columns, numbers, count, keyed, b"", leaves)
    return dataclasses.replace(made, root=_root(made, key))
