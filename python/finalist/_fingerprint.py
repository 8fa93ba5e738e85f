# SPDX-License-Identifier: MIT OR Apache-2.0
"""One digest of a whole table: finalist.fingerprint."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

from . import _buckets, _finalist, _roots
from ._hashing import Hashing
from ._keys import redacted
from ._ranges import Range, combine, hasher
from ._tables import Source, is_of_spark, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Buffer

#: Length of a row's digest and of the fingerprint.
DIGEST_BYTES = 32


@redacted
def fingerprint(
    table: Any,
    columns: Sequence[str] | None = None,
    *,
    ordered: bool = False,
    algorithm: str = "blake2s",
    numbers: Literal["exact", "by-value"] = "exact",
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    threads: int = 1,
) -> bytes:
    """Returns the digest of a table's rows and of its columns' names in their order: 32 bytes.

    table: as in finalist.diff; Spark's workers hash its frames, in any order. columns: the columns
    to hash, in this order; None for all. ordered: whether the order of the rows counts. algorithm:
    one that has digests of 32 bytes. numbers: as in finalist.hash_rows; key, salt and person: as in
    finalist.hash_many. threads: the number of threads to use.

    The rows are encoded in version 2 of docs/format/rows.md. So the digest does not depend on
    chunks, partitions, files, compression, layouts, widths of numbers or the engine. It is a root
    (docs/format/proofs.md): finding two tables with the same one means breaking the algorithm.
    Memory: 32 bytes a row, unless ordered. Errors: as in finalist.hash_rows, and OSError for files.
    """
    columns = None if columns is None else listed(columns)
    hashing = Hashing.of(algorithm, DIGEST_BYTES, key, salt, person)
    if is_of_spark(table):
        from . import _spark_tables

        if ordered:
            raise ValueError(
                "the rows of a Spark frame have no order: finalist.spark.merkle_root(frame.orderBy("
                "..)) commits to the one that you give them"
            )
        return _spark_tables.fingerprint(table, columns, hashing, numbers)
    source = Source(table, "given")
    names = [field.name for field in source.schema] if columns is None else columns
    schema = pa.schema([source.field(name) for name in names])
    digests = RowDigests(hashing, names, numbers, threads)
    digests.of(pa.RecordBatchReader.from_batches(schema, []))  # Checks the types.
    if not ordered:
        rows = _finalist.SortedRows(source.rows or 0)
        for batch in source.batches(names):
            rows.add(digests.of(batch).buffers()[1])
        return _root_of_rows(hashing, names, rows)
    ranges = [head_of(hashing, names)]
    for batch in source.batches(names):
        leaves = hashing.leaves(pa.record_batch([digests.of(batch)], ["digest"]))
        ranges.append(hashing.range(leaves, ranges[-1].end))
    return hashing.root(combine(ranges, **hashing.secrets), _roots.ORDERED_TABLE)


@dataclasses.dataclass(frozen=True)
class RowDigests:
    """The parameters of the row digests in a fingerprint."""

    hashing: Hashing
    names: list[str]
    numbers: Any
    threads: int = 1

    def of(self, batch: Any) -> Any:
        """Returns the digests of a batch's rows as a pyarrow array."""
        secrets = {"digest_size": DIGEST_BYTES, **self.hashing.secrets}
        encoding: dict[str, Any] = {"version": 2, "numbers": self.numbers, "threads": self.threads}
        algorithm = self.hashing.algorithm
        return pa.array(_finalist.hash_rows(batch, algorithm, self.names, **encoding, **secrets))


def head_of(hashing: Hashing, names: Sequence[str]) -> Range:
    """Returns the range of the first leaf, which is the columns' names."""
    head = pa.record_batch([pa.array([names], pa.list_(pa.string()))], ["names"])
    return hashing.range(hashing.leaves(head), 0)


def root_of_buckets(hashing: Hashing, names: Sequence[str], ranges: list[Range]) -> bytes:
    """Returns the fingerprint of rows in any order. ranges: of the buckets, which begin at leaf
    1."""
    whole = combine([head_of(hashing, names), *ranges], **hashing.secrets)
    return hashing.root(whole, _roots.TABLE)


def of_digests(hashing: Hashing, names: Sequence[str], digests: Iterable[bytes]) -> bytes:
    """Returns the fingerprint of rows, in any order, from their digests."""
    rows = _finalist.SortedRows(0)
    rows.add(b"".join(digests))
    return _root_of_rows(hashing, names, rows)


def _root_of_rows(hashing: Hashing, names: Sequence[str], rows: _finalist.SortedRows) -> bytes:
    head = head_of(hashing, names)
    tree = hasher(head, **hashing.secrets)
    plain = rows.root(tree, head.nodes)
    count = head.count + _buckets.BUCKET_COUNT
    return _roots.committed(tree, _roots.TABLE, count, plain, **hashing.secrets)
