# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads manifests of every form and refuses invalid ones (docs/format/manifests.md)."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import itertools
import os
import re
import shutil
import tempfile
from typing import TYPE_CHECKING, Any, cast

import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]

from . import _files, _finalist, _footer, _lists
from ._hashing import Hashing
from ._json import Members
from ._ranges import combine
from ._shown import line_of, quoted, shown

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from typing_extensions import Buffer

    Rows = Iterator[dict[str, Any]]
    Checked = Generator[dict[str, Any], None, "Manifest"]
    Place = str | os.PathLike[str]

#: Rows of a row group, and rows that are hashed and written at a time.
ROWS_AT_ONCE = 1 << 16

#: Longer than any manifest.json.
_JSON_BYTES_MAX = 1 << 20

STATUSES = (_files.OK, _files.UNREADABLE, _files.VANISHED, _files.CHANGED, _files.UNLISTED)


class ManifestError(ValueError):
    """Not a manifest of this version, or a damaged one."""


@dataclasses.dataclass(frozen=True)
class Manifest:
    """A manifest that was written or read. place: its name. count: the number of rows. root: the
    root of their tree. statuses: the number of rows by status."""

    place: str
    algorithm: str
    digest_size: int
    count: int
    root: bytes
    statuses: dict[str, int]


def is_url(place: Place) -> bool:
    return "://" in os.fspath(place)


class Opened:
    """A manifest that was read once and is valid. A context manager: the file stays open, so that
    no other file can replace it."""

    def __init__(self, place: Place, key: Buffer, options: dict[str, Any] | None) -> None:
        self.place = os.fspath(place)
        self._options = options or {}
        self._file = None if self._is_folder() else self._opened()
        try:
            with self.reading():
                source = self._source()
                self.header = source.head
                self.hashing = self._hashing(_finalist.Secret(key))
                self.manifest = self._end_of(self._checked(source))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def complaint(self, text: str) -> ManifestError:
        return ManifestError(f"{shown(self.place)}: {text}")

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Turns the libraries' errors about a damaged manifest into ManifestError."""
        try:
            yield
        except (ManifestError, FileNotFoundError, PermissionError):
            raise
        except Exception as error:
            raise self.complaint(f"cannot be read as a manifest: {line_of(error)}") from None

    def rows(self) -> Rows:
        """Reads the rows again, in order. ManifestError, after the last row at the latest, if they
        differ from the first reading."""
        try:
            with self.reading():
                found = yield from self._checked(self._source())
        except ManifestError as error:
            raise ManifestError(f"{error} (it was changed while it was read)") from None
        if found != self.manifest:
            raise self.complaint("the manifest was changed while it was read")

    def _is_folder(self) -> bool:
        return not is_url(self.place) and os.path.isdir(self.place)

    def _opened(self) -> Any:
        if not is_url(self.place):
            with self.reading():
                return _files.opened(self.place)
        import fsspec  # type: ignore[import-untyped,import-not-found,unused-ignore]

        # Read at once: an object can be replaced between two requests.
        copy = tempfile.TemporaryFile()  # noqa: SIM115
        # fsspec's types promise a list of files for any call of open.
        remote = cast(Any, fsspec.open(self.place, "rb", **self._options))
        with self.reading(), remote as file:
            shutil.copyfileobj(file, copy)
        return copy

    def _source(self) -> _Source:
        if self._file is None:
            return _Parts(self)
        self._file.seek(0)
        start = self._file.read(4)
        self._file.seek(0)
        return (_ParquetFile if start == _footer.MAGIC else _List)(self, self._file)

    def _hashing(self, key: _finalist.Secret) -> Hashing:
        head = self.header
        if head["keyed"] not in ("true", "false"):
            raise self.complaint(f"invalid keyed: {quoted(head['keyed'])}")
        if head["keyed"] == "true" and not key:
            raise self.complaint("the manifest is keyed: its key is missing")
        if head["keyed"] == "false" and key:
            # Otherwise an attacker without the key could replace it by a manifest without a key.
            raise self.complaint("the manifest has no key, and one was given")
        bits = _decimal(head["digest_bits"])
        if bits is None or bits % 8:
            raise self.complaint(f"invalid digest_bits: {quoted(head['digest_bits'])}")
        salt, person = (self._bytes(name) for name in ("salt", "personal"))
        try:
            hashing = Hashing.of(head["algorithm"], bits // 8, key, salt, person)
            is_name = hashing.range(b"", 0).algorithm == head["algorithm"]
        except (ValueError, TypeError, OverflowError) as error:
            raise self.complaint(f"the metadata are invalid: {line_of(error)}") from None
        if not is_name:
            raise self.complaint(f"invalid algorithm: {quoted(head['algorithm'])}")
        return hashing

    def _bytes(self, name: str) -> bytes:
        text = self.header[name]
        if len(text) % 2 or not re.fullmatch("[0-9a-f]*", text):
            raise self.complaint(f"invalid {name}: {quoted(text)}")
        return bytes.fromhex(text)

    @staticmethod
    def _end_of(checked: Checked) -> Manifest:
        """Drops the rows of a reading and returns its result."""
        while True:
            try:
                next(checked)
            except StopIteration as end:
                return cast("Manifest", end.value)

    def _checked(self, source: _Source) -> Checked:
        """Yields the rows of one reading after checking each; returns the manifest."""
        hashing, size = self.hashing, self.hashing.digest_size
        if source.head != self.header:
            raise self.complaint("the manifest was changed while it was read")
        whole = hashing.range(b"", 0)
        statuses: collections.Counter[str] = collections.Counter()
        last = b""
        rows = source.rows()
        while some := list(itertools.islice(rows, ROWS_AT_ONCE)):
            for number, row in enumerate(some, whole.count):
                if text := _complaint(row, last, size):
                    raise self.complaint(f"row {number}, {quoted(row['path'])}: {text}")
                last = row["path"]
            leaves = _files.leaves(some, hashing)
            for at, row in enumerate(some):
                if row.get("leaf", mine := leaves[at * size : at * size + size]) != mine:
                    path = quoted(row["path"])
                    raise self.complaint(f"the leaf of {path} is not that of its row")
            statuses.update(row["status"] for row in some)
            whole = combine([whole, hashing.range(leaves, whole.count)], **hashing.secrets)
            yield from some
        count, root = source.tail["count"], source.tail["root"]
        if count != str(whole.count):
            claim = f"the manifest has {whole.count} rows and claims {quoted(count)[1:-1]}"
            raise self.complaint(claim)
        made = hashing.root(whole, _files.FORMAT)
        if made.hex() != root:
            raise self.complaint("the root is not that of the rows")
        return Manifest(self.place, whole.algorithm, size, whole.count, made, dict(statuses))


def _decimal(text: str) -> int | None:
    """A number as manifests write it: digits alone, no zero before them."""
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,18}", text) else None


class _Source:
    """One form of a manifest. head and tail: its metadata; tail is complete after the last row."""

    def __init__(self, opened: Opened, metadata: dict[str, str]) -> None:
        self.opened = opened
        self.metadata = metadata
        if (form := metadata.get(_lists.PREFIX + "format", "")) != _files.FORMAT:
            raise opened.complaint(_other_format(form))
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


def _other_format(form: str) -> str:
    if form == "finalist-manifest-1":
        return "the manifest has version 1, which is not read any more: make it again"
    if form.startswith("finalist-manifest-"):
        return f"the manifest has the format {quoted(form)}; {_files.FORMAT!r} is read"
    return "not a manifest"


class _List(_Source):
    def __init__(self, opened: Opened, file: Any) -> None:
        self._reader = _lists.Reader(file, opened.complaint)
        super().__init__(opened, self._reader.metadata)

    def rows(self) -> Rows:
        bits = self.opened.hashing.digest_size * 8
        return self._reader.rows(_lists.tag(self.opened.hashing.algorithm, bits))


class _ParquetFile(_Source):
    def __init__(self, opened: Opened, file: Any) -> None:
        try:
            pairs = _footer.metadata_of(file)
        except ValueError as error:
            raise opened.complaint(f"not a whole Parquet file: {error}") from None
        metadata = dict(pairs)
        for name in _lists.ALL:
            if sum(each == name for each, _ in pairs) > 1:
                raise opened.complaint(f"the metadata {name!r} stands twice")
        super().__init__(opened, metadata)
        file.seek(0)
        self._file = pq.ParquetFile(file)

    def rows(self) -> Rows:
        return _parquet_rows(self.opened, self._file)


class _Parts(_Source):
    def __init__(self, opened: Opened) -> None:
        with _files.opened(os.path.join(opened.place, "manifest.json")) as file:
            text = file.read(_JSON_BYTES_MAX)
        try:
            members = Members(text, "manifest.json")
            metadata = {name: members.text(name) for name in _lists.ALL if name in members.found}
        except ValueError as error:
            raise opened.complaint(str(error)) from None
        super().__init__(opened, metadata)

    def rows(self) -> Rows:
        names = sorted(map(os.fsencode, os.listdir(self.opened.place)))
        for name in names:
            if name.startswith(b"part-") and name.endswith(b".parquet"):
                place = os.path.join(os.fsencode(self.opened.place), name)
                with _files.opened(place) as stream, pq.ParquetFile(stream) as file:
                    yield from _parquet_rows(self.opened, file)


def _parquet_rows(opened: Opened, file: Any) -> Rows:
    types = [(field.name, field.type) for field in _files.ROWS]
    found = [(field.name, field.type) for field in file.schema_arrow]
    if found != types:
        raise opened.complaint(f"the columns are {quoted(found)}, not {types}")
    for batch in file.iter_batches(ROWS_AT_ONCE):
        yield from batch.to_pylist()


def _complaint(row: dict[str, Any], last: bytes, digest_size: int) -> str | None:
    """Describes what is wrong with a row after the path `last`, if anything."""
    if row["path"] is None or row["status"] not in STATUSES or row.get("leaf", b"") is None:
        return f"null, or the unknown status {quoted(row['status'])}"
    values = (row["size"], row["digest"])
    if row["status"] != _files.OK:
        if any(row.get(name) is not None for name in (*_files.CONTENT, *_files.STATE)):
            return "size, digest, time or inode of a file whose status is not 'ok'"
    elif None in values or len(row["digest"]) != digest_size:
        return "size or digest are missing, or impossible"
    elif not 0 <= row["size"] <= _files.INT64_MAX:
        return "the size is negative or out of range"
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
