# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests of a table's buckets or rows, which finalist.diff uses instead of reading the table."""

from __future__ import annotations

import dataclasses
import json
import os
import stat
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]

from . import _finalist, _roots
from ._hashing import Hashing
from ._json import Members
from ._keys import redacted
from ._places import local, written_locally
from ._ranges import combine, hasher
from ._shown import counted, line_of, quoted, shown
from ._tables import READ_BYTES, Source, is_of_spark, listed, names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from typing_extensions import Buffer

#: Digests in a row group of a file.
GROUP = 1 << 20
#: Maximum number of records to make room for: a damaged file may claim any.
COUNT_MAX = 1 << 26


@dataclasses.dataclass(frozen=True)
class Form:
    """The form of a file of digests beside a table: Parquet with one column of 32 bytes.

    name: a member of its metadata. metadata: their key. column: the column's name. what, values:
    names of the file and of its digests in messages.
    """

    name: str
    metadata: bytes
    column: str
    what: str
    values: str

    def schema(self, metadata: dict[bytes, bytes] | None = None) -> Any:
        return pa.schema([pa.field(self.column, pa.binary(32), nullable=False)], metadata)


BUCKETS = Form("finalist-buckets-1", b"finalist.buckets", "leaf", "buckets", "leaves")
ROWS = Form("finalist-rows-1", b"finalist.rows", "record", "digests of rows", "records")


#: The number of a table's buckets.
BUCKET_COUNT = 1 << 16
#: Bytes of a row's record: the digests of its key, and of the whole row.
RECORD_BYTES = 32
#: Errors that reading a damaged file raises, besides Arrow's own.
DAMAGE = (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError)


@dataclasses.dataclass(frozen=True)
class About:
    """The parameters of digests beside a table, and its root.

    keys, columns: the key's columns and the others. numbers: as in finalist.diff. rows: the number
    of rows. keyed: whether a secret key was given. root: commits to all of these
    (docs/guide/tables.md).
    """

    keys: list[str]
    columns: list[str]
    numbers: str
    rows: int
    keyed: bool
    root: bytes


@dataclasses.dataclass(frozen=True)
class Digests(About):
    """Digests beside a table. key_check: tells their key from others; not part of a file."""

    key_check: bytes = dataclasses.field(repr=False, compare=False)

    def check(self, what: str, form: Form, parameters: tuple[Any, ...]) -> None:
        """Raises ValueError if the digests have other parameters: keys, columns, numbers, and the
        key's check. what: the table's name."""
        own = (self.keys, self.columns, self.numbers)
        for name, one, other in zip(("key", "columns", "numbers"), own, parameters, strict=False):
            if one != other:
                raise ValueError(
                    f"the {what} table's {form.what} have the {name} {shown(repr(one))}, not"
                    f" {shown(repr(other))}"
                )
        if self.key_check != parameters[3]:
            raise ValueError(f"the {what} table's {form.what} were made with another bucket_key")

    def _write(self, place: str | os.PathLike[str], form: Form, digests: Iterable[bytes]) -> None:
        """Writes a file. digests: its row groups."""
        about = {field.name: getattr(self, field.name) for field in dataclasses.fields(About)}
        about |= {"root": self.root.hex(), "format": form.name}
        schema = form.schema({form.metadata: json.dumps(about).encode()})
        options: dict[str, Any] = {"compression": "none", "use_dictionary": False}
        with (
            written_locally(*os.path.split(os.path.abspath(local(place)))) as file,
            pq.ParquetWriter(file, schema, **options) as writer,
        ):
            for group in digests:
                buffers = [None, pa.py_buffer(group)]
                values = pa.Array.from_buffers(schema.field(0).type, len(group) // 32, buffers)
                writer.write_table(pa.Table.from_arrays([values], schema=schema))


def _read(
    place: str | os.PathLike[str],
    form: Form,
    key: Buffer,
    begin: Callable[[int], Callable[[memoryview], object]],
) -> dict[str, Any]:
    """Reads a file. Returns the members of Digests. begin: takes the number of digests that the
    file claims to have, and returns a function that takes the digests, some at a time. The caller
    checks the root. Errors: ValueError."""
    mode = os.stat(place).st_mode
    key_check = checked(key)
    try:
        if not stat.S_ISREG(mode):  # A pipe would be waited for.
            raise ValueError("not a regular file")
        # Otherwise Arrow reads a whole row group into new memory.
        with pq.ParquetFile(place, pre_buffer=False, buffer_size=READ_BYTES) as file:
            metadata = file.schema_arrow.metadata or {}
            of_form = form.metadata in metadata and file.schema_arrow.types == form.schema().types
            members = Members(metadata[form.metadata], "metadata") if of_form else None
            if members is None or members.found.get("format") != form.name:
                raise ValueError(f"not of the format {form.name}")
            about = _about(members)
            add = begin(file.metadata.num_rows)
            for batch in file.iter_batches(1 << 16, use_threads=False):
                digests = batch.column(0)
                if digests.null_count:
                    raise ValueError(f"its {form.values} are not digests")
                data = memoryview(digests.buffers()[1])
                add(data[32 * digests.offset :][: 32 * len(digests)])
        _root(about, b"", key)  # Fails for names that Arrow cannot hold.
        return {**dataclasses.asdict(about), "key_check": key_check}
    except (*DAMAGE, pa.ArrowException) as error:
        text = f"cannot be read as {form.what}: {line_of(error)}"
        raise ValueError(f"{shown(os.fspath(place))}: {text}") from None


def _about(members: Members) -> About:
    members.only(["format", *(field.name for field in dataclasses.fields(About))])
    numbers = members.text("numbers")
    if numbers not in ("exact", "by-value"):
        members.fail(f"'numbers' is {quoted(numbers)}")
    keys, columns = members.texts("keys"), members.texts("columns")
    rows, keyed = members.number("rows"), members.flag("keyed")
    return About(keys, columns, numbers, rows, keyed, members.digest("root", 32))


def _check_root(
    found: About, form: Form, leaves: bytes, key: Buffer, place: str | os.PathLike[str]
) -> None:
    is_keyed = memoryview(key).nbytes > 0
    if found.keyed != is_keyed or _root(found, leaves, key) != found.root:
        text = f"the {form.values} do not give the root, or the key is another one"
        raise ValueError(f"{shown(os.fspath(place))}: {text}")


@dataclasses.dataclass(frozen=True)
class BucketDiff:
    """The difference between two tables by their buckets. differing: the number of buckets that
    differ, of 2^16."""

    differing: int

    @property
    def equal(self) -> bool:
        """True if the tables have the same rows."""
        return self.differing == 0

    @property
    def share(self) -> float:
        """The share of the buckets that differ. While it is small, about as many keys differ as
        buckets."""
        return self.differing / BUCKET_COUNT


@dataclasses.dataclass(frozen=True)
class Buckets(Digests):
    """The digests of a table's 2^16 buckets; finalist.tables.buckets makes them.

    keys, columns: the key's columns and the others. numbers: as in finalist.diff. rows: the number
    of rows. keyed: whether a secret key was given. root: commits to all of these
    (docs/guide/tables.md). leaves: the buckets' leaf hashes, 32 bytes each.
    """

    leaves: bytes = dataclasses.field(repr=False)

    def compare(self, other: Buckets) -> BucketDiff:
        """Compares the tables of which these are the buckets, without the tables. Errors:
        ValueError if the buckets have other parameters or another secret key."""
        if not isinstance(other, Buckets):
            raise TypeError(f"Buckets are required, not '{type(other).__name__}'")
        other.check("other", BUCKETS, (self.keys, self.columns, self.numbers, self.key_check))
        return BucketDiff(len(_finalist.Unequal(self.leaves, other.leaves)))

    def write(self, place: str | os.PathLike[str]) -> None:
        """Writes a Parquet file of 2 MB, which gets its name when it is complete."""
        self._write(place, BUCKETS, [self.leaves])

    @staticmethod
    @redacted
    def read(place: str | os.PathLike[str], *, key: Buffer = b"") -> Buckets:
        """Reads a file that write wrote. key: the secret key of buckets. Errors: ValueError if the
        file is of another kind, is damaged, or was made with another key."""
        place, leaves = local(place), bytearray()

        def begin(count: int) -> Callable[[memoryview], object]:
            if count != BUCKET_COUNT:
                found = counted(count, "leaf", "leaves")
                raise ValueError(f"it has {found}, not {BUCKET_COUNT}")
            return leaves.extend

        about = _read(place, BUCKETS, key, begin)
        found = Buckets(**about, leaves=bytes(leaves))
        _check_root(found, BUCKETS, found.leaves, key, place)
        return found


@dataclasses.dataclass(frozen=True)
class Rows(Digests):
    """The digests of a table's rows, which finalist.diff takes in place of the old table, or of
    both; finalist.tables.rows makes them. 32 bytes a row.

    keys, columns: the key's columns and the others. numbers: as in finalist.diff. rows: the number
    of rows. keyed: whether a secret key was given. root: commits to all of these; it is that of the
    table's Buckets, too.
    """

    records: _finalist.SortedRows = dataclasses.field(repr=False, compare=False)

    def write(self, place: str | os.PathLike[str]) -> None:
        """Writes a Parquet file of 32 bytes a row, which gets its name when it is complete."""
        groups = (self.records.records(first, GROUP) for first in range(0, self.rows, GROUP))
        self._write(place, ROWS, groups)

    @staticmethod
    @redacted
    def read(place: str | os.PathLike[str], *, key: Buffer = b"") -> Rows:
        """Reads a file that write, or the tool, wrote. key: the secret key of the digests. Errors:
        ValueError if the file is of another kind, is damaged, or was made with another key."""
        place, records = local(place), _finalist.SortedRows(0)

        def begin(count: int) -> Callable[[memoryview], object]:
            nonlocal records
            # Digests cannot be compressed; what is no digest may be, within limits.
            if count * RECORD_BYTES > os.path.getsize(place) + (1 << 26):
                claimed = counted(count, "record", "records")
                raise ValueError(f"it claims {claimed}, more than it has bytes for")
            # A record added without room for it may move all others.
            records = _finalist.SortedRows(min(count, COUNT_MAX))
            return records.add

        about = _read(place, ROWS, key, begin)
        if about["rows"] != len(records):
            own = counted(len(records), "record", "records")
            text = f"cannot be read as {ROWS.what}: it has {own}, not"
            raise ValueError(f"{shown(os.fspath(place))}: {text} {about['rows']}")
        found = Rows(**about, records=records)
        _check_root(found, ROWS, _leaves_of(records, key), key, place)
        return found


def checked(key: Buffer) -> bytes:
    """Returns a digest that tells a key from others, empty without a key."""
    hashing = Hashing.of("blake2s", 32, key)
    return hashing.root(hashing.range(b"", 0), _roots.BUCKETS) if hashing.key else b""


def _root(found: About, leaves: bytes, key: Buffer) -> bytes:
    """Computes the root over the buckets' leaves and a row of the parameters."""
    hashing = Hashing.of("blake2s", 32, key)
    head = pa.record_batch(
        {
            "keys": pa.array([found.keys], pa.list_(pa.string())),
            "columns": pa.array([found.columns], pa.list_(pa.string())),
            "numbers": [found.numbers],
            "rows": pa.array([found.rows], pa.int64()),
        }
    )
    ranges = [hashing.range(hashing.leaves(head), 0), hashing.range(leaves, 1)]
    return hashing.root(combine(ranges, **hashing.secrets), _roots.BUCKETS)


def _leaves_of(records: _finalist.SortedRows, key: Buffer) -> bytes:
    hashing = Hashing.of("blake2s", 32, key)
    return records.leaf_hashes(hasher(hashing.range(b"", 0), **hashing.secrets))


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
    source: Any
    if is_of_spark(table):
        from ._spark_tables import Side

        source = Side(table, "given")
    else:
        source = Source(table, "given")
    names, others = _chosen(source, keys, columns)
    return of_source(source, names, others, numbers, key, threads)


@redacted
def rows(
    table: Any,
    keys: str | Sequence[str],
    *,
    columns: Sequence[str] | None = None,
    numbers: Literal["exact", "by-value"] = "exact",
    key: Buffer = b"",
    threads: int = 1,
) -> Rows:
    """Returns the digests of a table's rows, which finalist.diff takes in place of the table.

    table, columns, numbers: as in finalist.diff, but no frame of Spark. keys: the columns that
    identify a row. key: a secret, which Rows.read and finalist.diff need, too. Someone who chooses
    rows but does not know it cannot make two keys collide; without it that takes 2^64 work. Memory:
    32 bytes a row. Errors: those of finalist.diff.
    """
    if is_of_spark(table):
        raise ValueError("the digests of a Spark frame's rows stay on the workers: use buckets")
    source = Source(table, "given")
    names, others = _chosen(source, keys, columns)
    records = _records(source, names, others, numbers, key, threads)
    about = (names, others, numbers, len(records), memoryview(key).nbytes > 0)
    root = _root(About(*about, b""), _leaves_of(records, key), key)
    return Rows(*about, root, checked(key), records)


def _chosen(
    source: Any, keys: str | Sequence[str], columns: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """Returns the key's columns and the others. Raises ValueError if one is missing."""
    names = names_of(keys)
    known = [field.name for field in source.schema] if columns is None else listed(columns)
    others = [name for name in known if name not in names]
    for name in names + others:
        source.field(name)
    return names, others


def _records(
    source: Source, keys: list[str], columns: list[str], numbers: Any, key: Buffer, threads: int
) -> _finalist.SortedRows:
    keyed = _finalist.KeyedRows("blake2s", key, keys, columns, numbers)
    found = _finalist.SortedRows(source.rows or 0)
    for batch in source.batches(keys + columns):
        found.add_keyed(keyed, batch, threads)
    return found


def of_source(
    source: Any, keys: list[str], columns: list[str], numbers: str, key: Buffer, threads: int
) -> Buckets:
    """Computes the buckets of a Source, or of a Side for a frame of Spark."""
    if isinstance(source, Source):
        found = _records(source, keys, columns, numbers, key, threads)
        leaves, count = _leaves_of(found, key), len(found)
    else:
        from ._spark_tables import Keyed, leaves_of_buckets

        hashing = Hashing.of("blake2s", 32, key)
        sent = Keyed(hashing.key, keys, columns, numbers)
        leaves, count = leaves_of_buckets(source.frame, sent, hashing)
    about = (keys, columns, numbers, count, memoryview(key).nbytes > 0)
    return Buckets(*about, _root(About(*about, b""), leaves, key), checked(key), leaves)
