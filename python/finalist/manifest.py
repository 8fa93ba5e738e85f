# SPDX-License-Identifier: MIT OR Apache-2.0
"""Manifests: tables of files with their digests, and one root over all (docs/format/manifests.md).

The module uses the code of `finalist manifest`. URLs of stores need fsspec and the package for the
store (s3fs, gcsfs, adlfs).

>>> import pathlib, tempfile
>>> from finalist.manifest import Manifest, verify_proof
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> (folder / "files").mkdir()
>>> (folder / "files" / "one").write_bytes(b"1")
1
>>> old = Manifest.create(folder / "files", folder / "old.parquet", "blake2s", digest_size=4)
>>> old.count, old.root.hex(), old.statuses
(1, '56b0ad85', {'ok': 1})
>>> (folder / "files" / "one").rename(folder / "files" / "two").name
'two'
>>> old.verify(folder / "files")
[Difference(kind='moved', path=b'two', old_path=b'one')]
>>> new = old.update(folder / "files", folder / "new.list")
>>> old.diff(new)
[Difference(kind='moved', path=b'two', old_path=b'one')]
>>> verify_proof(new.prove(b"two"), new.root).size
1
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from . import _finalist
from ._finalist import ManifestError
from ._hashing import Hashing
from ._keys import redacted
from ._roots import root_bytes
from ._shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typing_extensions import Buffer

    Place = str | os.PathLike[str]
    Options = dict[str, Any] | None
    Callback = Callable[["Progress"], object] | None

__all__ = [
    "Difference",
    "Duplicates",
    "Manifest",
    "ManifestError",
    "Progress",
    "Row",
    "create",
    "diff",
    "read",
    "verify",
    "verify_proof",
]

#: The number of a store's objects that a thread hashes at a time.
OBJECTS_AT_ONCE = 256
#: The seconds between two reports of their progress.
REPORTED_EVERY = 0.05
NO_METADATA = "objects of stores have no modes, directories or links"


@dataclasses.dataclass(frozen=True)
class Difference:
    """A difference between manifests or files. kind: added, removed, changed, moved; corrupt if the
    content changed but its size and time of change did not; mode if only that changed; or the
    status of a file that was not read. path: the file's; old_path: a moved file's previous path."""

    kind: str
    path: bytes
    old_path: bytes | None = dataclasses.field(default=None)

    def __repr__(self) -> str:
        old = f", old_path={self.old_path!r}" if self.old_path is not None else ""
        return f"Difference(kind={self.kind!r}, path={self.path!r}{old})"


class Row(NamedTuple):
    """A row of a manifest. path: relative to the directory, with / between its parts. size: bytes.
    status: ok, or the reason for a missing digest. modified_ns, changed_ns, inode: the file's times
    since 1970 and its number, None if unknown. A manifest with metadata also has rows of
    directories and links. mode: of a file or directory; target: of a link."""

    path: bytes
    size: int | None
    digest: bytes | None
    status: str
    modified_ns: int | None
    changed_ns: int | None
    inode: int | None
    mode: int | None = None
    target: bytes | None = None


class Duplicates(NamedTuple):
    """Files with the same content. size: bytes of each. paths: in this manifest; others: in the
    other one. Empty files do not count."""

    size: int
    digest: bytes
    paths: tuple[bytes, ...]
    others: tuple[bytes, ...]

    @property
    def wasted(self) -> int:
        """The size in bytes of all files but one."""
        return self.size * (len(self.paths) + len(self.others) - 1)


class Progress(NamedTuple):
    """The progress of a call: files_begun of files_found, bytes_hashed of bytes_found. The numbers
    found grow until the scan ends. path: the file begun last, with the directory's name."""

    files_begun: int
    files_found: int
    bytes_hashed: int
    bytes_found: int
    path: bytes


class Manifest:
    """A valid manifest. Its file stays open, so a file that takes its name later is not read.

    Calls release the GIL and end at Ctrl-C. threads: the number of threads. progress: called about
    every 50 ms in the caller's thread; its errors end the call. storage_options: for fsspec.
    """

    def __init__(self, place: Place, made: _finalist.Manifest) -> None:
        """Called by open, create and update."""
        self._place, self._made = os.fsdecode(place), made

    @staticmethod
    @redacted
    def open(place: Place, *, key: Buffer = b"", storage_options: Options = None) -> Manifest:
        """Reads all of a manifest. Errors: ManifestError if it is not valid; OSError."""
        name = os.fsdecode(place)
        if not _is_url(name):
            path = _path(name)
            return Manifest(name, _finalist.Manifest.open(path, path, key))
        import fsspec  # type: ignore[import-untyped,import-not-found,unused-ignore]

        # Copies the object in one request: it can be replaced between two. The cast is needed
        # because fsspec declares that open returns a list.
        with (
            tempfile.NamedTemporaryFile() as copy,
            cast(Any, fsspec.open(name, "rb", **(storage_options or {}))) as file,
        ):
            shutil.copyfileobj(file, copy)
            copy.flush()
            return Manifest(name, _finalist.Manifest.open(copy.name, name, key))

    @staticmethod
    @redacted
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
        metadata: bool = False,
        progress: Callback = None,
        storage_options: Options = None,
    ) -> Manifest:
        """Writes a manifest of the files below root: a directory, or a URL that fsspec takes.

        out: the manifest's name or URL; Parquet if it ends in .parquet, else a checksum list. It
        appears only when it is complete, and does not list itself. Repeating an interrupted call
        resumes it: the journal out + ".journal" has the rows read before, but not those of a store.
        A file that cannot be read has a row with a status; see statuses. metadata: whether to
        record modes, directories and symbolic links, too; not for stores.

        Errors: those of finalist.new for the parameters; OSError if root cannot be listed or out
        cannot be written; ManifestError for names that are not valid paths, for the journal of
        another call, and for an out that is no manifest and not empty. Tracebacks contain no key.
        """
        parameters = (algorithm, digest_size, key, salt, person)
        with _written(out, storage_options) as file:
            if _is_url(root):
                if metadata:
                    raise ValueError(NO_METADATA)
                own, hashing = os.fsdecode(out), Hashing.of(*parameters)
                rows = _objects(root, hashing, threads, storage_options, own, progress)
                made = _finalist.Manifest.write(rows, file, *parameters)
            else:
                made = _finalist.Manifest.create(
                    _path(root), file, *parameters, threads, metadata, _reporter(progress)
                )
        return Manifest(out, made)

    @redacted
    def update(
        self,
        root: Place,
        out: Place | None = None,
        *,
        threads: int = 1,
        progress: Callback = None,
        storage_options: Options = None,
    ) -> Manifest:
        """Writes a new manifest of root, which replaces this one by default, also through a link.
        It reads only files whose size, times or inode changed, and objects of a store whose
        size or time changed. It reads all of them if this manifest is a checksum list, which has no
        times. diff then names files whose content changed while size and time did not. The rest is
        as in create."""
        out = self.place if out is None else out
        with _written(out, storage_options) as file:
            if _is_url(root):
                parameters = self._for_objects()
                if os.fsdecode(out) == self.place:
                    file = os.path.realpath(file)  # The place may be a link.
                own, hashing = os.fsdecode(out), Hashing.of(*parameters)
                known = {row.path: row for row in self.rows()}
                rows = _objects(root, hashing, threads, storage_options, own, progress, known)
                made = _finalist.Manifest.write(rows, file, *parameters)
            else:
                made = self._made.update(_path(root), file, threads, _reporter(progress))
        return Manifest(out, made)

    def _for_objects(self) -> tuple[Any, ...]:
        """Returns the parameters for objects of a store: those of Hashing.of."""
        if self.metadata:
            raise ValueError(NO_METADATA)
        return (self.algorithm, self.digest_size, *self._made.secrets())

    @redacted
    def verify(
        self,
        root: Place,
        *,
        threads: int = 1,
        progress: Callback = None,
        storage_options: Options = None,
    ) -> list[Difference]:
        """Compares the files below root with the rows. Returns the differences, sorted by path. A
        file that cannot be read is a difference."""
        if _is_url(root):
            hashing = Hashing.of(*self._for_objects())
            rows = _objects(root, hashing, threads, storage_options, self.place, progress)
            found = self._made.compare(rows)
        else:
            found = self._made.verify(_path(root), threads, _reporter(progress))
        return [Difference(*each) for each in found]

    def diff(self, new: Manifest) -> list[Difference]:
        """Compares this manifest with a newer one. Returns the differences, sorted by path. A file
        that was removed and added with the same content has moved. Errors: ManifestError, also if
        algorithms, keys or parameters differ."""
        return [Difference(*each) for each in self._made.diff(_opened(new))]

    def duplicates(self, other: Manifest | None = None) -> list[Duplicates]:
        """Returns groups of files with the same content, in descending order of wasted bytes. With
        another manifest, returns only groups that have files in both."""
        found = self._made.duplicates(None if other is None else _opened(other))
        return [Duplicates(*each) for each in found]

    def prove(self, path: bytes) -> str:
        """Proves that the manifest contains its row for a path. Returns JSON for verify_proof and
        `finalist manifest prove --verify`. Errors: ManifestError if there is no such row."""
        return self._made.prove(path)

    def rows(self) -> Iterator[Row]:
        """Reads the rows again and yields them, sorted by path. Raises ManifestError, after the
        last row at the latest, if they differ from those first read."""
        reading = self._made.rows()
        while batch := reading.batch():
            yield from map(Row._make, batch)

    @property
    def place(self) -> str:
        """The manifest's name or URL."""
        return self._place

    @property
    def algorithm(self) -> str:
        """The algorithm's name as in files: groestl0-256."""
        return self._made.algorithm

    @property
    def digest_size(self) -> int:
        """Bytes of a digest."""
        return self._made.digest_size

    @property
    def metadata(self) -> bool:
        """True if modes, directories and links are recorded."""
        return self._made.metadata

    @property
    def count(self) -> int:
        """The number of rows."""
        return self._made.count

    @property
    def root(self) -> bytes:
        """The root of the tree over the rows."""
        return self._made.root

    @property
    def statuses(self) -> dict[str, int]:
        """The number of rows by status."""
        return self._made.statuses

    def __repr__(self) -> str:
        return f"Manifest(place={self.place!r}, count={self.count}, root={self.root.hex()!r})"


create = Manifest.create
read = Manifest.open


@redacted
def verify(
    manifest: Place,
    root: Place | None = None,
    *,
    expected: bytes | None = None,
    key: Buffer = b"",
    threads: int = 1,
    progress: Callback = None,
    storage_options: Options = None,
) -> list[Difference]:
    """Verifies a manifest and, if root is given, the files below it. Returns the differences,
    sorted by path.

    expected: the required root of the manifest. The other parameters are as in Manifest. Errors:
    ManifestError if the manifest is not valid or has another root.
    """
    if expected is not None:
        expected = root_bytes(expected, "expected")
    opened = Manifest.open(manifest, key=key, storage_options=storage_options)
    if expected is not None and opened.root != expected:
        text = f"the root is {opened.root.hex()}, not {shown(expected.hex())}"
        raise ManifestError(f"{shown(opened.place)}: {text}")
    if root is None:
        return []
    more = {"threads": threads, "progress": progress, "storage_options": storage_options}
    return opened.verify(root, **cast(Any, more))


@redacted
def diff(
    old: Place, new: Place, *, key: Buffer = b"", storage_options: Options = None
) -> list[Difference]:
    """Opens two manifests by name or URL and compares them as Manifest.diff does."""
    before, after = (
        Manifest.open(place, key=key, storage_options=storage_options) for place in (old, new)
    )
    return before.diff(after)


@redacted
def verify_proof(proof: str | bytes, root: bytes, *, key: Buffer = b"") -> Row:
    """Returns the row of a proof. Take root, and key if the manifest has one, from a source that
    you trust. Errors: ManifestError if the proof is damaged or leads to another root."""
    root = root_bytes(root)
    # Half a surrogate pair is as little UTF-8 as it is in a file.
    text = proof.encode(errors="surrogatepass") if isinstance(proof, str) else proof
    row, found = _finalist.proved(text, key)
    if found != root:
        raise ManifestError(f"the proof is of the root {found.hex()}, not {shown(root.hex())}")
    return Row(*row)


def _opened(other: Manifest) -> _finalist.Manifest:
    if not isinstance(other, Manifest):
        found = type(other).__name__
        raise TypeError(f"a Manifest is required, not '{found}': Manifest.open reads one")
    return other._made


def _is_url(place: Place) -> bool:
    return "://" in _path(place)


def _path(place: Place) -> str:
    """Returns the path of a local place, as fsspec finds it: fsspec itself would follow links and
    wait for pipes."""
    name = os.fsdecode(place)
    return name.removeprefix("file://" if name.startswith("file://") else "local://")


def _reporter(progress: Callback) -> Callable[[int, int, int, int, bytes], object] | None:
    return progress and (lambda *values: progress(Progress(*values)))


@contextlib.contextmanager
def _written(out: Place, options: Options) -> Iterator[str]:
    """Yields the name of the file to write; if out is a URL, uploads the file afterwards. Errors:
    ManifestError for an object that is no manifest and not empty."""
    place = os.fsdecode(out)
    if not _is_url(place):
        yield _path(place)
        return
    from ._stores import replaces_other, store_of

    fs, name = store_of(place, options)
    if replaces_other(fs, name):
        raise ManifestError(f"{shown(place)}: it is no manifest: choose another name")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "M.parquet" if place.endswith(".parquet") else "M.list")
        yield file
        fs.put_file(file, name)


def _objects(
    root: Place,
    hashing: Hashing,
    threads: int,
    options: Options,
    own: str,
    progress: Callback,
    known: dict[bytes, Row] | None = None,
) -> list[Row]:
    """Returns the rows of a store's objects, sorted by path. own: the manifest, which has no row if
    it is one of them. known: rows of objects that need not be read if they are unchanged."""
    from ._stores import Store

    threads = _finalist.check_threads(threads)
    url = os.fsdecode(root)
    store = Store(url, options or {})
    objects = store.objects(own if _is_url(own) else None)
    listed = sorted(objects.items())
    total = sum(info.get("size") or 0 for info in objects.values())
    pieces = [listed[at : at + OBJECTS_AT_ONCE] for at in range(0, len(listed), OBJECTS_AT_ONCE)]
    rows: list[dict[str, Any]] = []

    def report() -> None:
        if progress:
            place = os.fsencode(url.rstrip("/") + "/") + store.path
            progress(Progress(store.begun, len(listed), store.hashed, total, place))

    def read(piece: list[tuple[bytes, dict[str, Any]]]) -> list[dict[str, Any]]:
        return list(store.rows(piece, known or {}, hashing))

    with ThreadPoolExecutor(threads) as pool:
        try:
            due = time.monotonic()
            for made in [pool.submit(read, piece) for piece in pieces]:
                is_made = False
                while not is_made:
                    is_made = not wait([made], REPORTED_EVERY).not_done
                    if time.monotonic() >= due:
                        report()
                        due = time.monotonic() + REPORTED_EVERY
                rows += made.result()
            report()
        except BaseException:  # Includes KeyboardInterrupt.
            store.stopped = True
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [Row._make(map(row.get, Row._fields)) for row in rows]
