# SPDX-License-Identifier: MIT OR Apache-2.0
"""Manifests: tables of files with their digests, and one root over all (docs/format/manifests.md).

The rows, the root and the list are those of `finalist manifest`, byte for byte. Needs pyarrow; URLs
of stores need fsspec and the package for the store (s3fs, gcsfs, adlfs).

>>> import pathlib, tempfile
>>> from finalist import manifest
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> (folder / "files").mkdir()
>>> (folder / "files" / "one").write_bytes(b"1")
1
>>> old = manifest.create(folder / "files", folder / "old.parquet", "blake2s", digest_size=4)
>>> old.count, old.root.hex(), old.statuses
(1, '56b0ad85', {'ok': 1})
>>> (folder / "files" / "one").rename(folder / "files" / "two").name
'two'
>>> manifest.verify(folder / "old.parquet", folder / "files")
[Difference(kind='removed', path=b'one'), Difference(kind='added', path=b'two')]
>>> new = manifest.create(folder / "files", folder / "new.list", "blake2s", digest_size=4)
>>> manifest.diff(folder / "old.parquet", folder / "new.list")
[Difference(kind='moved', path=b'two', old_path=b'one')]
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import itertools
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]

from . import _files, _lists
from ._hashing import Hashing
from ._keys import unseen
from ._places import written_locally
from ._ranges import combine
from ._shown import quoted, shown
from ._sources import ROWS_AT_ONCE, Manifest, ManifestError, Opened, is_url, path_complaint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from typing_extensions import Buffer

    Rows = Iterator[dict[str, Any]]
    Place = str | os.PathLike[str]

__all__ = ["Difference", "Manifest", "ManifestError", "create", "diff", "read", "verify"]

#: The number of files that a thread takes at a time.
FILES_AT_ONCE = 256


@dataclasses.dataclass(frozen=True)
class Difference:
    """A difference between manifests or files. kind: added, removed, changed, moved, or the status
    of a file that was not
    read. path: the file's; old_path: where a moved file was."""

    kind: str
    path: bytes
    old_path: bytes | None = dataclasses.field(default=None)

    def __repr__(self) -> str:
        old = f", old_path={self.old_path!r}" if self.old_path is not None else ""
        return f"Difference(kind={self.kind!r}, path={self.path!r}{old})"


@unseen
def create(
    root: Place,
    out: Place,
    algorithm: str = "blake2b",
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    threads: int = 1,
    storage_options: dict[str, Any] | None = None,
) -> Manifest:
    """Writes a manifest of the files below root: a directory, or a URL that fsspec takes.

    out: the manifest's name or URL; Parquet if it ends in .parquet, else a checksum list. It
    appears only when it is complete, and does not list itself. storage_options: for fsspec. A file
    that
    cannot be read has a row with a status; see Manifest.statuses. Errors: those of finalist.new for
    the parameters; OSError if root cannot be listed or out cannot be written; ValueError for object
    names that are no paths. Tracebacks contain no key.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    hashing.range(b"", 0)  # Refuses digest lengths that no tree has.
    with (
        _scan(root, hashing, threads, storage_options, own=[out]) as rows,
        _written(out, storage_options) as file,
    ):
        return _write(file, os.fspath(out), rows, hashing)


@unseen
def verify(
    manifest: Place,
    root: Place | None = None,
    *,
    expected: bytes | None = None,
    key: Buffer = b"",
    threads: int = 1,
    storage_options: dict[str, Any] | None = None,
) -> list[Difference]:
    """Verifies a manifest, and with root the files below it. Returns the differences by path.

    expected: the root that the manifest must have. A file that cannot be read is a difference.
    Errors: ManifestError for a manifest that is not sound or has another root.
    """
    with Opened(manifest, key, storage_options) as opened:
        if expected is not None and opened.manifest.root != expected:
            is_root = opened.manifest.root.hex()
            raise opened.complaint(f"the root is {is_root}, not {quoted(expected.hex())[1:-1]}")
        if root is None:
            return []
        with _scan(root, opened.hashing, threads, storage_options, own=[manifest]) as found:
            return [each for each, _ in _differing(opened.rows(), found, every_fault=True)]


@unseen
def diff(
    old: Place,
    new: Place,
    *,
    key: Buffer = b"",
    storage_options: dict[str, Any] | None = None,
) -> list[Difference]:
    """Compares two manifests. Returns the differences, sorted by path. A file that was removed and
    added with the same content has moved. Errors: ManifestError."""
    with (
        Opened(old, key, storage_options) as before,
        Opened(new, key, storage_options) as after,
    ):
        if before.header != after.header:
            raise after.complaint(
                "the manifests differ in algorithm, length, key, salt or personalisation"
            )
        return _with_moves(_differing(before.rows(), after.rows()))


def _with_moves(found: Iterable[tuple[Difference, dict[str, Any]]]) -> list[Difference]:
    """Joins removed and added files of the same content to moves. found: differences with their
    rows."""
    removed: dict[bytes, collections.deque[bytes]] = {}
    digests: dict[bytes, bytes] = {}
    differences = []
    for difference, row in found:
        differences.append(difference)
        if row["size"]:  # Empty files are all alike.
            digests[difference.path] = row["digest"]
            if difference.kind == "removed":
                removed.setdefault(row["digest"], collections.deque()).append(difference.path)
    moved = {}
    for difference in differences:
        if difference.kind == "added" and difference.path in digests:
            if paths := removed.get(digests[difference.path]):
                moved[difference.path] = paths.popleft()
    gone = set(moved.values())
    return [
        Difference("moved", each.path, moved[each.path]) if each.path in moved else each
        for each in differences
        if not (each.kind == "removed" and each.path in gone)
    ]


@unseen
def read(
    manifest: Place, *, key: Buffer = b"", storage_options: dict[str, Any] | None = None
) -> Manifest:
    """Reads all of a manifest and checks it. Errors: ManifestError."""
    with Opened(manifest, key, storage_options) as opened:
        return opened.manifest


# Files.


@contextlib.contextmanager
def _scan(
    root: Place,
    hashing: Hashing,
    threads: int,
    options: dict[str, Any] | None,
    own: list[Place],
) -> Iterator[Rows]:
    """Yields the rows of the files below root, sorted by path. Files are listed at the start."""
    if is_url(root):
        from ._stores import Store

        store = Store(os.fspath(root), options or {})
        url = os.fspath(root).rstrip("/") + "/"
        skipped = {os.fspath(place).removeprefix(url).encode() for place in own}
        names = [path for path in store.names() if path not in skipped]
        for path in names:
            if complaint := path_complaint(path, False):
                raise ValueError(f"{shown(os.fspath(root))}: {quoted(path)}: {complaint}")
        yield _hashed(lambda some: list(store.rows(some, hashing)), names, threads)
        return
    place = os.fsencode(root)
    base = os.path.realpath(place)
    mine = {os.path.realpath(os.fsencode(each)) for each in own if not is_url(each)}
    skipped = {os.path.relpath(each, base) for each in mine}
    with _files.Root(place) as opened:
        files = sorted(each for each in _files.walk(opened) if each[0] not in skipped)

        def work(some: list[Any]) -> list[dict[str, Any]]:
            with opened.again() as again:
                return list(_files.hash_files(again, some, hashing))

        yield _hashed(work, files, threads)


def _hashed(work: Callable[[Any], Any], files: list[Any], threads: int) -> Rows:
    """Yields the rows that `work` makes of the files, some at a time."""
    pieces = (files[at : at + FILES_AT_ONCE] for at in range(0, len(files), FILES_AT_ONCE))
    return (row for rows in _in_order(work, pieces, threads) for row in rows)


def _in_order(work: Callable[[Any], Any], pieces: Iterable[Any], threads: int) -> Iterator[Any]:
    """Yields the results of `work` in the order of the pieces, a few ahead of the caller."""
    if threads <= 1:
        yield from map(work, pieces)
        return
    with ThreadPoolExecutor(threads) as pool:
        ahead: collections.deque[Any] = collections.deque()
        for piece in pieces:
            ahead.append(pool.submit(work, piece))
            if len(ahead) > 2 * threads:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


# Writing.


@contextlib.contextmanager
def _written(out: Place, options: dict[str, Any] | None) -> Iterator[Any]:
    """Opens a file that is renamed to out if nothing fails."""
    place = os.fspath(out)
    if not is_url(out):
        folder, name = os.path.split(os.path.abspath(place))
        with written_locally(folder, name) as file:
            yield file
        return
    import fsspec  # type: ignore[import-untyped,import-not-found,unused-ignore]

    with tempfile.NamedTemporaryFile() as file:
        yield file
        file.flush()
        fs, name = fsspec.core.url_to_fs(place, **(options or {}))
        fs.put_file(file.name, name)


def _write(file: Any, place: str, rows: Rows, hashing: Hashing) -> Manifest:
    """Writes a manifest to an open file."""
    ranges = [hashing.range(b"", 0)]
    statuses: collections.Counter[str] = collections.Counter()

    def batches() -> Iterator[Any]:
        while some := list(itertools.islice(rows, ROWS_AT_ONCE)):
            batch = _files.batch(some, hashing)
            statuses.update(row["status"] for row in some)
            leaves = b"".join(row["leaf"] for row in some)
            part = hashing.range(leaves, ranges[-1].end)
            ranges[:] = [combine([ranges[0], part], **hashing.secrets)]
            yield some, batch

    def metadata() -> dict[str, str]:
        return _files.metadata(hashing, ranges[0].count, hashing.root(ranges[0], _files.FORMAT))

    if place.endswith(".parquet"):
        _write_parquet(file, (batch for _, batch in batches()), metadata)
    else:
        tag = _lists.tag(ranges[0].algorithm, hashing.digest_size * 8)
        file.write(_lists.head(metadata()))
        for some, _ in batches():
            file.write(_lists.lines(some, tag))
        file.write(_lists.tail(metadata()))
    whole = ranges[0]
    root = hashing.root(whole, _files.FORMAT)
    size = hashing.digest_size
    return Manifest(place, whole.algorithm, size, whole.count, root, dict(statuses))


def _write_parquet(
    file: Any, batches: Iterable[Any], metadata: Callable[[], dict[str, str]]
) -> None:
    may_be_null = {*_files.CONTENT, *_files.STATE}
    fields = [field.with_nullable(field.name in may_be_null) for field in _files.ROWS]
    schema = pa.schema(fields)
    options: dict[str, Any] = {
        "compression": "none",
        "use_dictionary": ["status"],
        "column_encoding": {"path": "DELTA_BYTE_ARRAY"},
        "store_schema": False,
    }
    with pq.ParquetWriter(file, schema, **options) as writer:
        for batch in batches:
            writer.write_batch(batch.cast(schema), row_group_size=ROWS_AT_ONCE)
        writer.add_key_value_metadata(metadata())


# Comparing.

#: Times are not compared.
_COMPARED = ("size", "digest", "status")


def _differing(
    old: Rows, new: Rows, *, every_fault: bool = False
) -> Iterator[tuple[Difference, dict[str, Any]]]:
    """Compares sorted rows. Yields differences with their rows; with every_fault also unchanged
    rows without a digest."""
    before, after = next(old, None), next(new, None)
    while before or after:
        if before and (not after or before["path"] < after["path"]):
            yield Difference("removed", before["path"]), before
            before = next(old, None)
        elif after:
            is_new = not before or after["path"] < before["path"]
            if is_new:
                kind = "added"
            else:
                assert before
                kind = "" if all(before[name] == after[name] for name in _COMPARED) else "changed"
                before = next(old, None)
            if after["status"] != _files.OK and (kind or every_fault):
                kind = after["status"]
            if kind:
                yield Difference(kind, after["path"]), after
            after = next(new, None)
