# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares tables (finalist.diff) and identifies a table by one digest (finalist.fingerprint).

>>> import finalist
>>> import pyarrow as pa
>>> old = pa.table({"id": [1, 2, 3], "name": ["one", "two", "three"]})
>>> new = pa.table({"id": [3, 1, 4], "name": ["three", "ONE", "four"]})
>>> found = finalist.diff(old, new, key="id")
>>> found.equal, found.counts
(False, {'added': 1, 'removed': 1, 'changed': 1, 'duplicates': 0})
>>> found.changed.to_pylist()
[{'id': 1, 'columns': ['name'], 'old': {'name': 'one'}, 'new': {'name': 'ONE'}}]
>>> finalist.fingerprint(old) == finalist.fingerprint(old.take(pa.array([2, 0, 1])))
True
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.compute  # type: ignore[import-untyped,unused-ignore]

from . import _finalist
from ._aligned import KEPT_PART, KEPT_ROWS, KeptRows, in_order, integers, read_ahead
from ._buckets import (
    BUCKET_COUNT,
    BUCKETS,
    GROUP,
    RECORD_BYTES,
    ROWS,
    BucketDiff,
    Buckets,
    Rows,
    buckets,
    checked,
    of_source,
    rows,
)
from ._fingerprint import fingerprint
from ._keys import redacted
from ._shown import counted, quoted
from ._tables import Source, is_of_spark, listed, names_of, none_taken, plain, taken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from typing_extensions import Buffer

__all__ = [
    "BucketDiff",
    "Buckets",
    "Columns",
    "Diff",
    "Rows",
    "buckets",
    "diff",
    "fingerprint",
    "rows",
]

#: pyarrow.compute defines its functions at import, so type checkers do not know them.
pc: Any = pyarrow.compute

#: Bytes of a key's digest.
KEY_BYTES = 16
#: The assumed number of rows, for sizing buckets, if it is unknown.
ROWS_UNKNOWN = 1 << 23
#: Bytes of the new table's rows that are kept until the old table is read.
AHEAD_BYTES = 1 << 25
#: The most bytes of strings whose offsets have 32 bits.
STRING_BYTES = (1 << 31) - 1
#: Columns of Diff.changed beside the key's.
CHANGED = ("columns", "old", "new")
#: The column of keys of which only the digests are known.
KEY_DIGEST = "key_digest"
#: Columns of Diff.duplicates beside the key's.
COUNTS = ("old_count", "new_count")


@dataclasses.dataclass(frozen=True)
class Columns:
    """Differences between the columns of two tables, by name; their order does not count.

    added: columns of the new table only. dropped: columns of the old table only. retyped: the old
    and the new Arrow type of common columns whose types differ; layouts, such as dictionaries and
    views, do not count.
    """

    added: list[str]
    dropped: list[str]
    retyped: dict[str, tuple[Any, Any]]


@dataclasses.dataclass(frozen=True)
class Diff:
    """The differences that finalist.diff finds between two tables. All tables are pyarrow's.

    added, removed: the rows of keys that only the new or only the old table has, with all columns.
    changed: for each key that both have once, with different rows: the key's columns, columns (the
    names of those that differ), old and new (structs of the compared columns). duplicates: the keys
    that a table has several times and whose rows differ between the tables, with old_count and
    new_count, the numbers of their rows; the other results omit these rows. columns: differences of
    the columns. old_rows, new_rows: the numbers of rows.

    If Rows were given in place of the old table, its values and the types of its columns are
    unknown: removed has the column key_digest, the digest of 16 bytes of a row's key; changed has
    the key's columns and new; duplicates has key_digest in place of the key's columns. If Rows were
    given in place of both tables, added and changed have key_digest only, too.
    """

    added: Any
    removed: Any
    changed: Any
    duplicates: Any
    columns: Columns
    old_rows: int
    new_rows: int

    @property
    def counts(self) -> dict[str, int]:
        """The number of rows, or keys, in each result table."""
        names = ("added", "removed", "changed", "duplicates")
        return {name: getattr(self, name).num_rows for name in names}

    @property
    def equal(self) -> bool:
        """True if both tables have the same columns, by name, and the same rows. A column in
        columns.retyped is equal if its values are."""
        return not (any(self.counts.values()) or self.columns.added or self.columns.dropped)

    def __repr__(self) -> str:
        counts = ", ".join(f"{name}={count}" for name, count in self.counts.items())
        return f"<finalist.tables.Diff: equal={self.equal}, {counts}>"


@redacted
def diff(
    old: Any,
    new: Any,
    key: str | Sequence[str],
    *,
    columns: Sequence[str] | None = None,
    numbers: Literal["exact", "by-value"] = "exact",
    old_buckets: Buckets | None = None,
    new_buckets: Buckets | None = None,
    bucket_key: Buffer = b"",
    threads: int = 2,
) -> Diff:
    """Compares two tables row by row, by the values of their key columns.

    old, new: Parquet files or directories (paths, URLs), pyarrow tables and datasets (those of
    Delta and Iceberg, too), frames of Polars and pandas, relations of DuckDB, and all that
    finalist.hash_rows takes. A table may be read several times; one that can be read only once is
    read into memory. key: the column, or columns, that identify a row; null is a value like any
    other. old, or both, may also be Rows, which tables.rows makes in place of the table.
    old_buckets, new_buckets: of tables.buckets, which are read instead of the tables if possible.
    bucket_key: the secret key of the Rows or buckets. columns: the columns to compare besides the
    key; None for all that both tables have. numbers: "by-value" makes a decimal equal to an integer
    of the same value. threads: the number of threads to use.

    Rows are equal if their encodings are (docs/format/rows.md): widths of numbers, units of time
    and layouts do not count, NaN equals NaN, and null equals null. The order of rows and of columns
    does not count. Memory depends on the difference: if both tables are mostly in the same order,
    it holds the rows that differ; otherwise 32 bytes for eight rows, and the rows of all buckets,
    of about eight rows each, in which the tables differ. Given buckets hold more rows each: if more
    than an eighth of all rows are in unequal ones, the tables are compared as without buckets. The
    buckets of the other table take 32 bytes for each of its rows.

    Errors: ValueError for a column that a table does not have; TypeError for a type without an
    encoding; OSError for files, and if a table gives other rows when it is read again.
    """
    keys = names_of(key)
    columns = None if columns is None else listed(columns)
    by_buckets = old_buckets is not None or new_buckets is not None
    if memoryview(bucket_key).nbytes and not by_buckets and not isinstance(old, Rows):
        raise ValueError("bucket_key has no use without buckets or digests of rows")
    if isinstance(new, Rows) and not isinstance(old, Rows):
        raise ValueError(
            "digests of rows can replace the old table, or both, but not the new alone"
        )
    if isinstance(old, Rows):
        if by_buckets:
            raise ValueError("buckets have no use if old is the digests of rows")
        if isinstance(new, Rows):
            return _of_both_rows(old, new, keys, columns, numbers, bucket_key)
        return _of_rows(old, new, keys, columns, numbers, bucket_key, threads)
    if is_of_spark(old) or is_of_spark(new):
        if by_buckets:
            raise ValueError("frames of Spark are compared without buckets")
        return _of_spark(old, new, keys, columns, numbers)
    sides = [Source(old, "old"), Source(new, "new")]
    return _of_sides(sides, keys, columns, numbers, threads, [old_buckets, new_buckets], bucket_key)


def _of_sides(
    sides: list[Source],
    keys: list[str],
    columns: Sequence[str] | None,
    numbers: Any,
    threads: int,
    given: Sequence[Buckets | None] = (None, None),
    bucket_key: Buffer = b"",
) -> Diff:
    """Compares two tables that are read here. given: the buckets of each side, if known."""
    compared, change = _columns(sides, keys, columns)
    by_buckets = any(known is not None for known in given)
    # Sums of digests are safe only with a secret key. Buckets use the caller's, if any.
    secret = _finalist.Secret(bucket_key if by_buckets else os.urandom(32))
    hasher = _finalist.KeyedRows("blake2s", secret, keys, compared, numbers)
    read = [keys + (compared if columns else _others(side, keys)) for side in sides]
    for side, names in zip(sides, read, strict=True):  # Checks the types before anything is read.
        schema = pa.schema([side.field(name) for name in keys + compared])
        hasher.records(pa.RecordBatchReader.from_batches(schema, []), threads)
        _none(side, names)
    pass_ = _Pass(hasher, keys, keys + compared, threads, sides)
    if by_buckets:
        own = (keys, compared, numbers, checked(bucket_key))
        for side, known in zip(sides, given, strict=True):
            _check(side, known, own)
        unequal, counts = pass_.by_buckets(sides, given, own, secret)
        if _are_too_many(unequal, counts):
            without = _of_sides(sides, keys, columns, numbers, threads)
            read_rows = (without.old_rows, without.new_rows)
            for side, rows, count in zip(sides, counts, read_rows, strict=True):
                _check_rows(side, rows, count)
            return without
    else:
        is_query = all(side.is_query for side in sides)
        aligned = None if is_query else pass_.in_order(sides, read)
        if aligned is not None:
            kept, found, counts = aligned
            return _result(kept, found, keys, compared, change, counts, numbers)
        unequal, counts = pass_.by_sums(sides)
    if len(unequal) == 0:
        nothing = [_none(side, names) for side, names in zip(sides, read, strict=True)]
        return _result(nothing, None, keys, compared, change, counts, numbers)
    kept, found = pass_.compare(sides, read, counts, unequal)
    return _result(kept, found, keys, compared, change, counts, numbers)


def _of_spark(
    old: Any, new: Any, keys: list[str], columns: Sequence[str] | None, numbers: Any
) -> Diff:
    """Compares two tables if at least one is a frame of Spark."""
    from ._spark_tables import Keyed, Side, differing, secret_key

    sides = [Side(old, "old"), Side(new, "new")]
    compared, change = _columns(sides, keys, columns)
    keyed = Keyed(secret_key(), keys, compared, numbers)
    read = [keys + (compared if columns else _others(side, keys)) for side in sides]
    for side, names in zip(sides, read, strict=True):  # Checks the types, before a job starts.
        schema = pa.schema([side.field(name) for name in keys + compared])
        keyed.rows().records(pa.RecordBatchReader.from_batches(schema, []), 1)
        _none(side, names)
    (old_rows, new_rows), counts = differing(sides, read, keyed)
    found = diff(old_rows, new_rows, keys, columns=columns, numbers=numbers)
    return dataclasses.replace(found, columns=change, old_rows=counts[0], new_rows=counts[1])


def _of_rows(
    old: Rows,
    new: Any,
    keys: list[str],
    columns: Sequence[str] | None,
    numbers: Any,
    key: Buffer,
    threads: int,
) -> Diff:
    """Compares a table with the digests of the old one's rows, in one reading."""
    _check_key(keys)
    side = Source(new, "new")
    compared = old.columns if columns is None else [name for name in columns if name not in keys]
    old.check("old", ROWS, (keys, compared, numbers, checked(key)))
    schema = pa.schema([side.field(name) for name in keys + compared])
    hasher = _finalist.KeyedRows("blake2s", key, keys, compared, numbers)
    hasher.records(pa.RecordBatchReader.from_batches(schema, []), 1)  # Checks the types.
    names = keys + (compared if columns else _others(side, keys))
    added = [name for name in names if name not in keys + compared]
    matches, count = old.records.matches(), 0
    parts, unmatched = [_none(side, names)], []
    kind = pa.binary(RECORD_BYTES)
    with ThreadPoolExecutor(1) as pool:
        for batch in read_ahead(side.batches(names), pool if threads > 1 else None):
            count += batch.num_rows
            records = hasher.records(batch, threads)
            if places := matches.add(records):
                rows = integers(places)
                parts.append(pa.Table.from_batches([taken(batch, rows)]))
                buffers = [None, pa.py_buffer(records)]
                unmatched.append(pa.Array.from_buffers(kind, batch.num_rows, buffers).take(rows))
    kept = _with_room(pa.concat_tables(parts))
    found = [integers(places) for places in matches.finish()]
    new_rows, removed, _, changed, old_twice, new_twice, *counts = found
    digest = pa.binary(KEY_BYTES)
    twice = old.records.key_digests(old_twice.to_pylist())
    new_records = pa.chunked_array(unmatched, kind).take(new_twice)
    twice += [record[:KEY_BYTES] for record in new_records.to_pylist()]
    values = kept.take(changed)
    return Diff(
        kept.take(new_rows),
        pa.table({KEY_DIGEST: pa.array(old.records.key_digests(removed.to_pylist()), digest)}),
        values.select(keys).append_column(CHANGED[2], _struct(values, compared)),
        pa.table([pa.array(twice, digest), *counts], [KEY_DIGEST, *COUNTS]),
        Columns(added, [], {}),
        old.rows,
        count,
    )


def _of_both_rows(
    old: Rows,
    new: Rows,
    keys: list[str],
    columns: Sequence[str] | None,
    numbers: Any,
    key: Buffer,
) -> Diff:
    """Compares two tables by the digests of their rows alone."""
    compared = old.columns if columns is None else [name for name in columns if name not in keys]
    for what, side in (("old", old), ("new", new)):
        side.check(what, ROWS, (keys, compared, numbers, checked(key)))
    matches = old.records.matches()
    places: list[int] = []  # Of the rows of new that old lacks.
    for first in range(0, new.rows, GROUP):
        unmatched = matches.add(new.records.records(first, GROUP))
        places += [first + place for place in integers(unmatched).to_pylist()]
    added, removed, _, changed, old_twice, new_twice, *counts = map(integers, matches.finish())

    def digests(sides: list[tuple[Rows, list[int]]]) -> Any:
        found = [digest for side, at in sides for digest in side.records.key_digests(at)]
        return pa.table({KEY_DIGEST: pa.array(found, pa.binary(KEY_BYTES))})

    def of_new(rows: Any) -> tuple[Rows, list[int]]:
        return new, [places[row] for row in rows.to_pylist()]

    twice = digests([(old, old_twice.to_pylist()), of_new(new_twice)])
    for name, values in zip(COUNTS, counts, strict=True):
        twice = twice.append_column(name, values)
    return Diff(
        digests([of_new(added)]),
        digests([(old, removed.to_pylist())]),
        digests([of_new(changed)]),
        twice,
        Columns([], [], {}),
        old.rows,
        new.rows,
    )


def _check_key(keys: list[str]) -> None:
    for name in keys:
        if name in (*CHANGED, *COUNTS):
            raise ValueError(
                f"the key's column {quoted(name)} has a name of the result's: rename it"
            )


def _columns(
    sides: Sequence[Any], keys: list[str], columns: Sequence[str] | None
) -> tuple[list[str], Columns]:
    """Returns the columns to compare besides the key, and the differences of all columns."""
    _check_key(keys)
    if columns is None:
        # Dictionaries, because a table may have thousands of columns.
        old, new = ({field.name: field for field in side.schema} for side in sides)
        compared = [name for name in old if name in new and name not in keys]
        added = [name for name in new if name not in old and name not in keys]
        dropped = [name for name in old if name not in new and name not in keys]
    else:
        compared, added, dropped = [n for n in columns if n not in keys], [], []
    retyped = {}
    for name in keys + compared:
        types = tuple(side.field(name).type for side in sides)
        if plain(types[0]) != plain(types[1]):
            retyped[name] = types
    return compared, Columns(added, dropped, retyped)


def _check(side: Source, known: Buckets | None, parameters: tuple[Any, ...]) -> None:
    """Raises ValueError if buckets have other parameters or another number of rows."""
    if known is None:
        return
    if not isinstance(known, Buckets):
        raise TypeError(f"{side.what}_buckets are Buckets, not '{type(known).__name__}'")
    known.check(side.what, BUCKETS, parameters)
    if side.rows not in (None, known.rows):
        rows = counted(side.rows, "row", "rows")
        raise ValueError(f"the {side.what} table has {rows}, and its buckets are of {known.rows}")


def _are_too_many(unequal: _finalist.Unequal, rows: list[int]) -> bool:
    """Returns True if the unequal ones of 2^16 buckets have more rows than in_order would hold."""
    kept = sum(rows) * len(unequal) // BUCKET_COUNT
    return kept > max(KEPT_ROWS, sum(rows) // KEPT_PART)


def _others(side: Any, keys: list[str]) -> list[str]:
    return [field.name for field in side.schema if field.name not in keys]


def _none(side: Any, names: list[str]) -> Any:
    return none_taken(pa.schema([side.field(name) for name in names]))


class _Pass:
    """Reads both tables, once or twice."""

    def __init__(
        self,
        hasher: _finalist.KeyedRows,
        keys: list[str],
        names: list[str],
        threads: int,
        sides: list[Source],
    ) -> None:
        self._hasher = hasher
        self._keys = keys
        self._names = names
        self._sides = sides
        self._at_once = threads > 1 and not all(side.is_query for side in sides)
        self._threads_each = threads // 2 if self._at_once else threads

    def both(self, work: list[Callable[[], Any]]) -> list[Any]:
        """Runs one function for each side, in parallel if possible. Returns the results."""
        if not self._at_once:
            return [do() for do in work]
        with ThreadPoolExecutor(2) as pool, self._stopping():
            futures = [pool.submit(do) for do in work]
            for future in as_completed(futures):
                future.result()
        return [future.result() for future in futures]

    @contextlib.contextmanager
    def _stopping(self) -> Iterator[None]:
        """Stops the readings in other threads if one fails or the caller is interrupted: the end of
        a pool waits for them."""
        try:
            yield
        except BaseException:
            for side in self._sides:
                side.stopped = True
            raise

    def in_order(
        self, sides: list[Source], names: list[list[str]]
    ) -> tuple[list[Any], list[Any], list[int]] | None:
        """Compares the tables in one reading. Returns the result of compare and the number of rows
        of each side; None if rows or their order differ too much."""
        kept = in_order(self._hasher, sides, names, len(self._keys), ahead=self._at_once)
        if kept is None:
            return None
        counts = [side.count for side in kept]
        tables, found = self._match(
            [self._with_records(side) for side in kept],
            [_none(side, columns).schema for side, columns in zip(sides, names, strict=True)],
        )
        places = found[:6]
        if all(side.ascends for side in kept) or not any(map(len, places)):
            return tables, found, counts
        sides_of = (1, 0, 0, 1, 0, 1)
        rows = [tables[at].take(each) for at, each in zip(sides_of, places, strict=True)]
        records = [self._hasher.records(some, self._threads_each) for some in rows]
        keys = _finalist.Unequal.of_keys(b"".join(records))
        if not self._has_all(tables[0], sides[0], counts[0], keys):
            tables, found = self.compare(sides, names, counts, keys)
        return tables, found, counts

    def _with_records(self, kept: KeptRows) -> Iterator[tuple[Any, bytes]]:
        for batch in kept.batches:
            yield batch, self._hasher.records(batch, self._threads_each)

    def _has_all(self, kept: Any, side: Source, rows: int, keys: _finalist.Unequal) -> bool:
        """Returns True if all rows of a side with one of these keys are kept. Otherwise some were
        dropped as equal, but still count as rows of their key."""
        found = count = 0
        for batch in side.batches(self._keys):
            count += batch.num_rows
            found += len(keys.places(self._hasher, batch, self._threads_each))
        _check_rows(side, rows, count)
        return found == len(keys.places(self._hasher, kept, self._threads_each))

    def by_sums(self, sides: list[Source]) -> tuple[_finalist.Unequal, list[int]]:
        """Finds the buckets that differ, by sums with a random key. Returns them and the number of
        rows of each side."""
        known = [side.rows for side in sides if side.rows is not None]
        rows = max(known) if len(known) == 2 else max([ROWS_UNKNOWN, *known])

        def add(side: Source) -> _finalist.Sums:
            sums = _finalist.Sums(rows)
            for batch in side.batches(self._names):
                sums.add(self._hasher, batch, self._threads_each)
            return sums

        old, new = self.both([functools.partial(add, side) for side in sides])
        return old.unequal(new), [len(old), len(new)]

    def by_buckets(
        self,
        sides: list[Source],
        given: Sequence[Buckets | None],
        own: tuple[list[str], list[str], str, bytes],
        secret: _finalist.Secret,
    ) -> tuple[_finalist.Unequal, list[int]]:
        """Finds the buckets that differ, with the help of given ones. Returns them and the number
        of rows of each side."""

        def complete(side: Source, known: Buckets | None) -> Buckets:
            return known or of_source(side, *own[:3], secret, self._threads_each)

        pairs = zip(sides, given, strict=True)
        old, new = self.both([functools.partial(complete, *pair) for pair in pairs])
        return _finalist.Unequal(old.leaves, new.leaves), [old.rows, new.rows]

    def chosen(
        self,
        side: Source,
        names: list[str],
        rows: int,
        chosen: _finalist.Unequal,
    ) -> Iterator[tuple[Any, bytes]]:
        """Yields the chosen rows of a side, those in unequal buckets or with some keys, batch by
        batch, with their records."""
        count = 0
        for batch in side.batches(names):
            count += batch.num_rows
            if places := chosen.places(self._hasher, batch, self._threads_each):
                rows_taken = taken(batch, integers(places))
                yield rows_taken, self._hasher.records(rows_taken, self._threads_each)
        _check_rows(side, rows, count)

    def compare(
        self,
        sides: list[Source],
        names: list[list[str]],
        counts: list[int],
        chosen: _finalist.Unequal,
    ) -> tuple[list[Any], list[Any]]:
        """Returns rows of both sides that include all that differ, and the results of Matches."""
        return self._match(
            [
                self.chosen(side, columns, count, chosen)
                for side, columns, count in zip(sides, names, counts, strict=True)
            ],
            [_none(side, columns).schema for side, columns in zip(sides, names, strict=True)],
        )

    def _match(
        self, chosen: list[Iterator[tuple[Any, bytes]]], schemas: list[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Compares the chosen rows by their records and returns the results of compare. Reads both
        tables at the same time, or the old one first if they may not be read in parallel."""
        old, new = chosen
        if not self._at_once:
            old = iter(list(old))
        new_rows: list[Any] = []
        ahead: list[tuple[Any, bytes]] = []
        ahead_bytes = 0
        with ThreadPoolExecutor(1) as pool, self._stopping():
            first = pool.submit(_old_matches, old)
            for rows, records in new:
                ahead.append((rows, records))
                ahead_bytes += rows.nbytes
                if first.done() or ahead_bytes > AHEAD_BYTES:
                    new_rows += _unmatched(first.result()[1], ahead)
                    ahead, ahead_bytes = [], 0
            old_rows, matches = first.result()
        new_rows += _unmatched(matches, ahead)
        kept = [
            _with_room(pa.Table.from_batches(rows, schema))
            for schema, rows in zip(schemas, (old_rows, new_rows), strict=True)
        ]
        return kept, [integers(places) for places in matches.finish()]


def _old_matches(chosen: Iterator[tuple[Any, bytes]]) -> tuple[list[Any], _finalist.Matches]:
    """Reads the old table's rows. Returns them, and their records to match others with."""
    kept, all_records = [], bytearray()
    for some, records in chosen:
        kept.append(some)
        all_records += records
    return kept, _finalist.Matches(all_records)


def _unmatched(matches: _finalist.Matches, new: list[tuple[Any, bytes]]) -> list[Any]:
    """Returns the rows of the new table that the old one lacks."""
    return [rows.take(integers(matches.add(records))) for rows, records in new]


def _check_rows(side: Source, rows: int, count: int) -> None:
    if count != rows:
        had = counted(rows, "row", "rows")
        raise OSError(f"the {side.what} table had {had}, then {count}: it was changed")


def _result(
    kept: list[Any],
    found: list[Any] | None,
    keys: list[str],
    compared: list[str],
    columns: Columns,
    rows: list[int],
    numbers: str,
) -> Diff:
    nothing = integers(b"")
    added, removed, old_changed, new_changed, old_twice, new_twice, *counts = found or [nothing] * 8
    old, new = kept
    changed = _changed(old.take(old_changed), new.take(new_changed), keys, compared, numbers)
    twice = _stacked(old.select(keys).take(old_twice), new.select(keys).take(new_twice))
    for name, values in zip(COUNTS, counts, strict=True):
        twice = twice.append_column(name, values)
    return Diff(new.take(added), old.take(removed), changed, twice, columns, *rows)


def _stacked(old: Any, new: Any) -> Any:
    """Returns the keys of both tables, one after the other, in their common types."""
    columns = {}
    for name in old.column_names:
        both = [table.column(name).cast(plain(table.column(name).type)) for table in (old, new)]
        schemas = [pa.schema({name: values.type}) for values in both]
        try:
            kind = pa.unify_schemas(schemas, promote_options="permissive").field(name).type
            both = [values.cast(kind) for values in both]
        except pa.ArrowException:
            kind = pa.string()
            both = [_texts(values) for values in both]
        chunks = [chunk for values in both for chunk in values.chunks]
        columns[name] = pa.chunked_array(chunks, kind)
    return pa.table(columns)


def _texts(values: Any) -> Any:
    """Returns values of any type as strings."""
    try:
        texts = [None if value is None else str(value) for value in values.to_pylist()]
    except (OverflowError, ValueError):  # Python's times have a smaller range than Arrow's.
        return values.cast(pa.string())
    return pa.chunked_array([pa.array(texts, pa.string())])


def _with_room(table: Any) -> Any:
    """Gives strings offsets of 64 bits if Arrow cannot take their rows with offsets of 32 bits."""
    larger = {pa.string(): pa.large_string(), pa.binary(): pa.large_binary()}
    for place, field in enumerate(table.schema):
        kind = larger.get(field.type)
        if kind is not None and table.column(place).nbytes > STRING_BYTES:
            column = table.column(place).cast(kind)
            table = table.set_column(place, field.with_type(kind), column)
    return table


def _changed(old: Any, new: Any, keys: list[str], compared: list[str], numbers: str) -> Any:
    """Makes Diff.changed from pairs of rows."""
    table = old.select(keys)
    differs = [_differs(old, new, name, numbers) for name in compared]
    table = table.append_column(CHANGED[0], _names(differs, compared, old.num_rows))
    for name, side in zip(CHANGED[1:], (old, new), strict=True):
        table = table.append_column(name, _struct(side, compared))
    return table


def _struct(table: Any, names: list[str]) -> Any:
    """Returns columns of a table as one column of structs."""
    if not names:
        return pa.array([{}] * table.num_rows, pa.struct([]))
    columns = [table.column(name).combine_chunks() for name in names]
    fields = [pa.field(name, table.schema.field(name).type) for name in names]
    return pa.StructArray.from_arrays(columns, fields=fields)


def _differs(old: Any, new: Any, name: str, numbers: Any) -> Any:
    """Compares a column's values pair by pair, by their encodings: true if they differ."""
    digests = (
        pa.array(_digests(side, name, numbers)).cast(pa.binary(RECORD_BYTES)) for side in (old, new)
    )
    return pc.not_equal(*digests)


def _digests(table: Any, name: str, numbers: Any) -> Any:
    column = table.select([name])  # Otherwise all columns would be passed on.
    return _finalist.hash_rows(column, "blake2s", version=2, numbers=numbers)


def _names(differs: list[Any], names: list[str], rows: int) -> Any:
    """Returns for each row the names of the columns that differ."""
    found = [pc.indices_nonzero(mask) for mask in differs]
    columns = [pa.repeat(pa.scalar(at, pa.int32()), len(one)) for at, one in enumerate(found)]
    cells = pa.table(
        {
            "row": pa.chunked_array([one.cast(pa.int64()) for one in found], pa.int64()),
            "column": pa.chunked_array(columns, pa.int32()),
        }
    ).sort_by([("row", "ascending"), ("column", "ascending")])
    counts = pa.repeat(pa.scalar(0, pa.int32()), rows)
    for mask in differs:
        counts = pc.add(counts, mask.cast(pa.int32()))
    ends = pc.cumulative_sum(counts).cast(pa.int32())
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    values = pa.array(names, pa.string()).take(cells.column("column").combine_chunks())
    return pa.ListArray.from_arrays(offsets, values)
