# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reading manifests of every form, and refusing what is none (docs/manifest-format.md)."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import itertools
import json
import os
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]

from . import _files, _lists
from ._hashing import Hashing
from ._ranges import combine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

    Rows = Iterator[dict[str, Any]]
    Place = str | os.PathLike[str]

#: Rows of a row group, and rows that are hashed and written at a time.
ROWS_AT_ONCE = 1 << 16

STATUSES = (_files.OK, _files.UNREADABLE, _files.VANISHED, _files.CHANGED, _files.UNLISTED)


class ManifestError(ValueError):
    """What was read is no manifest of this version, or is not sound."""


@dataclasses.dataclass(frozen=True)
class Manifest:
    """A manifest that was made or read. place: its name. count: rows. root: that of their tree.
    statuses: how many rows have each status."""

    place: str
    algorithm: str
    digest_size: int
    count: int
    root: bytes
    statuses: dict[str, int]


def is_url(place: Place) -> bool:
    return "://" in os.fspath(place)


class Opened:
    """A manifest that was read once and found to be sound."""

    def __init__(self, place: Place, key: Buffer, options: dict[str, Any] | None) -> None:
        self.place = os.fspath(place)
        self._options = options or {}
        with self._source() as source:
            self.header = source.head
            self.hashing = self._hashing(bytes(memoryview(key)))
            self.manifest = self._checked(source)

    def complaint(self, text: str) -> ManifestError:
        return ManifestError(f"{self.place}: {text}")

    def rows(self) -> Rows:
        """The rows in their order."""
        with self._source() as source:
            yield from source.rows()

    @contextlib.contextmanager
    def _source(self) -> Iterator[_Source]:
        if not is_url(self.place) and os.path.isdir(self.place):
            yield _Parts(self)
            return
        with self._open() as file:
            start = file.read(4)
            file.seek(0)
            yield _ParquetFile(self, file) if start == b"PAR1" else _List(self, file)

    def _open(self) -> Any:
        if not is_url(self.place):
            return open(self.place, "rb")
        import fsspec  # type: ignore[import-untyped,import-not-found,unused-ignore]

        return fsspec.open(self.place, "rb", **self._options)

    def _hashing(self, key: bytes) -> Hashing:
        head = self.header
        if head["keyed"] not in ("true", "false"):
            raise self.complaint(f"invalid keyed: {head['keyed']!r}")
        if head["keyed"] == "true" and not key:
            raise self.complaint("the manifest is keyed: its key is missing")
        if head["keyed"] == "false" and key:
            # Else whoever has no key could put a manifest without one in its place.
            raise self.complaint("the manifest has no key, and one was given")
        try:
            bits = int(head["digest_bits"])
            if bits % 8 or str(bits) != head["digest_bits"]:
                raise ValueError("digest_bits")
            salt, person = bytes.fromhex(head["salt"]), bytes.fromhex(head["personal"])
            hashing = Hashing.of(head["algorithm"], bits // 8, key, salt, person)
            hashing.range(b"", 0)
        except ValueError as error:
            raise self.complaint(f"the metadata are invalid: {error}") from None
        return hashing

    def _checked(self, source: _Source) -> Manifest:
        hashing, size = self.hashing, self.hashing.digest_size
        whole = hashing.range(b"", 0)
        statuses: collections.Counter[str] = collections.Counter()
        last = b""
        rows = source.rows()
        while some := list(itertools.islice(rows, ROWS_AT_ONCE)):
            for number, row in enumerate(some, whole.count):
                if text := _complaint(row, last, size):
                    raise self.complaint(f"row {number}, {row['path']!r}: {text}")
                last = row["path"]
            leaves = _files.leaves(some, hashing)
            for at, row in enumerate(some):
                if row.get("leaf", mine := leaves[at * size : at * size + size]) != mine:
                    raise self.complaint(f"the leaf of {row['path']!r} is not that of its row")
            statuses.update(row["status"] for row in some)
            whole = combine([whole, hashing.range(leaves, whole.count)], **hashing.secrets)
        count, root = source.tail["count"], source.tail["root"]
        if count != str(whole.count):
            raise self.complaint(f"the manifest has {whole.count} rows and claims {count}")
        made = whole.root(**hashing.secrets)
        if made.hex() != root:
            raise self.complaint("the root is not that of the rows")
        return Manifest(self.place, whole.algorithm, size, whole.count, made, dict(statuses))


class _Source:
    """A form of a manifest. head and tail: its metadata, tail once all rows were read."""

    def __init__(self, opened: Opened, metadata: dict[str, str]) -> None:
        self.opened = opened
        self.metadata = metadata
        if (form := metadata.get("finalist.format", "")) != _files.FORMAT:
            known = form.startswith("finalist-manifest-")
            what = f"the manifest has the format {form!r}" if known else "not a manifest"
            raise opened.complaint(what)
        self.head = self._values(_lists.HEAD)

    def _values(self, names: list[str]) -> dict[str, str]:
        for name in names:
            if _lists.PREFIX + name not in self.metadata:
                raise self.opened.complaint(f"the metadata {_lists.PREFIX + name!r} is missing")
        return {name: self.metadata[_lists.PREFIX + name] for name in names}

    @property
    def tail(self) -> dict[str, str]:
        return self._values(_lists.TAIL)

    def rows(self) -> Rows:
        raise NotImplementedError


class _List(_Source):
    def __init__(self, opened: Opened, file: Any) -> None:
        self._reader = _lists.Reader(file, opened.complaint)
        super().__init__(opened, self._reader.metadata)

    def rows(self) -> Rows:
        bits = self.opened.hashing.digest_size * 8
        return self._reader.rows(_lists.tag(self.opened.hashing.algorithm, bits))


class _ParquetFile(_Source):
    def __init__(self, opened: Opened, file: Any) -> None:
        with _parquet_errors(opened):
            self._file = pq.ParquetFile(file)
        found = self._file.metadata.metadata or {}
        pairs = {name.decode(): value.decode("utf-8", "replace") for name, value in found.items()}
        super().__init__(opened, pairs)

    def rows(self) -> Rows:
        return _parquet_rows(self.opened, self._file)


class _Parts(_Source):
    def __init__(self, opened: Opened) -> None:
        try:
            with open(os.path.join(opened.place, "manifest.json"), "rb") as file:
                metadata = json.load(file)
        except ValueError as error:
            raise opened.complaint(f"manifest.json: {error}") from None
        super().__init__(opened, metadata)

    def rows(self) -> Rows:
        names = sorted(map(os.fsencode, os.listdir(self.opened.place)))
        for name in names:
            if name.startswith(b"part-") and name.endswith(b".parquet"):
                place = os.path.join(self.opened.place, os.fsdecode(name))
                with _parquet_errors(self.opened), pq.ParquetFile(place) as file:
                    yield from _parquet_rows(self.opened, file)


@contextlib.contextmanager
def _parquet_errors(opened: Opened) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowInvalid, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise opened.complaint(f"not a whole Parquet file: {error}") from None


def _parquet_rows(opened: Opened, file: Any) -> Rows:
    types = [(field.name, field.type) for field in _files.ROWS]
    found = [(field.name, field.type) for field in file.schema_arrow]
    if found != types:
        raise opened.complaint(f"the columns are {found}, not {types}")
    batches = file.iter_batches(ROWS_AT_ONCE)
    while True:
        with _parquet_errors(opened):
            batch = next(batches, None)
        if batch is None:
            return
        yield from batch.to_pylist()


def _complaint(row: dict[str, Any], last: bytes, digest_size: int) -> str | None:
    """What is wrong with a row that follows the path last."""
    if row["path"] is None or row["status"] not in STATUSES or row.get("leaf", b"") is None:
        return f"null, or the unknown status {row['status']!r}"
    values = (row["size"], row["digest"])
    if row["status"] != _files.OK:
        if values != (None, None) or row["modified_ns"] is not None:
            return "size, digest or time of a file whose status is not 'ok'"
    elif None in values or row["size"] < 0 or len(row["digest"]) != digest_size:
        return "size or digest are missing, or impossible"
    if text := path_complaint(row["path"], row["status"] == _files.UNLISTED):
        return text
    if row["path"] == last:
        return "the path stands twice"
    return None if row["path"] > last else "the rows are not sorted by path"


def path_complaint(path: bytes, is_directory: bool) -> str | None:
    name = path.removesuffix(b"/") if is_directory else path
    if is_directory and name == path:
        return "the path of a directory does not end with '/'"
    if not path or len(path) > 1 << 20 or path.startswith(b"/") or b"\0" in path:
        return "the path is empty, absolute, longer than 1 MiB or contains NUL"
    if not {b"", b".", b".."}.isdisjoint(name.split(b"/")):
        return "the path has an empty component, '.' or '..'"
    return None
