# SPDX-License-Identifier: MIT OR Apache-2.0
"""One digest of a whole table: finalist.fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

from . import _finalist, _roots
from ._hashing import Hashing
from ._keys import unseen
from ._ranges import combine, hasher
from ._tables import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

#: Bytes of a row's digest, and of the fingerprint.
DIGEST_BYTES = 32


@unseen
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
    """The digest, of 32 bytes, of a table: of its rows, and of its columns' names in their order.

    table: what finalist.diff takes. columns: those that count, in this order; None for all.
    ordered: whether the order of the rows counts. algorithm: one that has digests of 32 bytes.
    numbers: as in finalist.hash_rows; key, salt and person: as in finalist.hash_many. threads: the
    number of threads to use.

    The rows are encoded in version 2 of docs/format/rows.md. So the digest does not depend on
    chunks, partitions, files, compression, layouts, widths of numbers or the engine. It is a root
    (docs/format/proofs.md): whoever finds two tables that share it has broken the algorithm.
    Memory: 32 bytes a row, unless ordered. Errors: as in finalist.hash_rows, and OSError for files.
    """
    if isinstance(columns, str):
        raise TypeError("columns is a list of names, not one name")
    source = Source(table, "given")
    names = [field.name for field in source.schema] if columns is None else list(columns)
    schema = pa.schema([source.field(name) for name in names])
    hashing = Hashing.of(algorithm, DIGEST_BYTES, key, salt, person)
    encoding: dict[str, Any] = {"version": 2, "numbers": numbers}

    def digests(batch: Any) -> Any:
        secrets = {"digest_size": DIGEST_BYTES, **hashing.secrets}
        found = _finalist.hash_rows(batch, algorithm, names, **encoding, threads=threads, **secrets)
        return pa.array(found)

    digests(pa.RecordBatchReader.from_batches(schema, []))  # Checks the types.
    head = pa.record_batch([pa.array([names], pa.list_(pa.string()))], ["names"])
    ranges = [hashing.range(hashing.leaves(head), 0)]
    if ordered:
        for batch in source.batches(names):
            leaves = hashing.leaves(pa.record_batch([digests(batch)], ["digest"]))
            ranges.append(hashing.range(leaves, ranges[-1].end))
    else:
        rows = _finalist.SortedRows(source.rows or 0)
        for batch in source.batches(names):
            rows.add(digests(batch).buffers()[1] or b"")
        leaves = rows.leaf_hashes(hasher(ranges[0], **hashing.secrets))
        ranges.append(hashing.range(leaves, 1))
    form = _roots.ORDERED_TABLE if ordered else _roots.TABLE
    return hashing.root(combine(ranges, **hashing.secrets), form)
