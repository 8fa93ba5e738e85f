# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares tables whose rows are mostly in the same order, reading each once. Drops rows that equal
their neighbours in the other table and holds the rest.
"""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.compute  # type: ignore[import-untyped,unused-ignore]

from ._tables import taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from . import _finalist
    from ._tables import Source

#: pyarrow.compute defines its functions at import, so type checkers do not know them.
pc: Any = pyarrow.compute

#: The comparison gives up if it keeps more rows than KEPT_ROWS and more than one in KEPT_PART.
KEPT_ROWS = 1 << 16
KEPT_PART = 8
#: The initial number of rows that searches may look ahead in total; each row read raises it.
LOOKS = 1 << 20


class KeptRows:
    """The kept rows of a table. count: the number of rows read. ascends: True while each key is
    greater than the one before, so that no key repeats."""

    def __init__(self) -> None:
        self.count = 0
        self.ascends = True
        self._last: Any = None
        self.batches: list[Any] = []
        self.rows = 0

    def read(self, batch: Any, keys: int) -> None:
        """Counts the rows of a batch; its first `keys` columns are the key."""
        self.count += batch.num_rows
        key = batch.column(0)
        if self.ascends and (keys > 1 or key.null_count or not _is_ordered(key.type)):
            self.ascends = False
        if self.ascends:
            is_next = self._last is None or pc.less(self._last, key[0]).as_py()
            self.ascends = is_next and pc.all(pc.less(key[:-1], key[1:])).as_py() is not False
            self._last = key[-1]

    def add(self, batch: Any, places: bytes | None = None) -> None:
        """Holds the rows of a batch with these indices, or all rows."""
        at = pa.array(range(batch.num_rows)) if places is None else integers(places)
        if len(at):
            self.batches.append(taken(batch, at))
            self.rows += len(at)


def in_order(
    rows: _finalist.KeyedRows,
    sides: list[Source],
    names: list[list[str]],
    keys: int,
    *,
    ahead: bool,
) -> list[KeptRows] | None:
    """Reads two tables side by side. Returns the rows of both that have no equal neighbour, or None
    as soon as there are too many. keys: the number of key columns, which come first. ahead: whether
    to read the next batch of both tables in the background."""
    kept, looks = [KeptRows(), KeptRows()], LOOKS
    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(2)) if ahead else None
        iterators = [
            read_ahead(side.batches(columns), pool)
            for side, columns in zip(sides, names, strict=True)
        ]
        for iterator in iterators:
            stack.callback(iterator.close)
        batches = [
            _next(iterator, side, keys) for iterator, side in zip(iterators, kept, strict=True)
        ]
        while any(batch is not None for batch in batches):
            old, new = batches
            if old is None or new is None:
                for place, batch in enumerate(batches):
                    if batch is not None:
                        kept[place].add(batch)
                        batches[place] = _next(iterators[place], kept[place], keys)
            else:
                *places, counts = rows.walk(old, new, looks)
                *compared, looks = integers(counts).to_pylist()
                for place, used in enumerate(compared):
                    kept[place].add(batches[place], places[place])
                    rest = batches[place].slice(used)
                    batches[place] = (
                        rest if rest.num_rows else _next(iterators[place], kept[place], keys)
                    )
            seen = sum(side.count for side in kept)
            if sum(side.rows for side in kept) > max(KEPT_ROWS, seen // KEPT_PART):
                return None
    return kept


def _is_ordered(kind: Any) -> bool:
    """Returns True for types that Arrow's functions sort in a total order."""
    types = pa.types
    is_point = types.is_date(kind) or types.is_time(kind) or types.is_timestamp(kind)
    return bool(is_point or types.is_integer(kind) or types.is_string(kind))


def _next(iterator: Iterator[Any], kept: KeptRows, keys: int) -> Any:
    """Returns the next batch that has rows and counts them; None after the last."""
    for batch in iterator:
        if batch.num_rows:
            kept.read(batch, keys)
            return batch
    return None


def read_ahead(batches: Iterator[Any], pool: ThreadPoolExecutor | None) -> Any:
    """Yields batches; with a pool, reads the next one in the background."""
    if pool is None:
        yield from batches
        return
    following = pool.submit(next, batches, None)
    try:
        while (batch := following.result()) is not None:
            following = pool.submit(next, batches, None)
            yield batch
    finally:  # An iterator cannot be closed while it runs.
        with contextlib.suppress(Exception):
            following.result()


def integers(data: bytes) -> Any:
    """Returns these bytes as an int64 array, without a copy."""
    return pa.Array.from_buffers(pa.int64(), len(data) // 8, [None, pa.py_buffer(data)])
