# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes manifests in parts (docs/format/manifests.md): functions for an engine's workers and its
driver."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]

from . import _files
from ._places import written_locally
from ._ranges import Range, combine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ._hashing import Hashing

#: Rows of a part, approximately, and rows to read at a time.
PART_ROWS = 1 << 20
BATCH_ROWS = 1 << 16
#: The directory in which an engine keeps rows until they are sorted.
UNSORTED = "unsorted"
#: With this many directories or more, workers list the files instead of the driver.
DIRECTORIES = 256


@dataclasses.dataclass(frozen=True)
class Manifest:
    """A written manifest. out: its directory. count: the number of rows. root: the root of
    their tree. statuses: the number of rows by status."""

    out: str
    count: int
    root: bytes
    statuses: dict[str, int]


def prepare(root: str, out: str) -> tuple[bytes, str]:
    """Makes the output's directory. Returns both paths as workers need them. Errors:
    NotADirectoryError, FileExistsError, and ValueError for an output within the root."""
    place, folder = os.path.realpath(os.fsencode(root)), os.path.realpath(out)
    if not os.path.isdir(place):
        raise NotADirectoryError(f"{root} is not a directory")
    if os.path.commonpath([place, os.fsencode(folder)]) == place:
        raise ValueError(f"{out} is below {root}: the manifest would list itself")
    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        raise FileExistsError(f"{out} is not empty")
    return place, folder


def first_entries(root: bytes) -> tuple[list[tuple[bytes, str]], list[bytes]]:
    """Returns files, as _files.walk yields them, and directories for workers to walk."""
    files: list[tuple[bytes, str]] = []
    directories = [b""]
    with _files.Root(root) as opened:
        while directories and len(directories) < DIRECTORIES:
            found, failed = _files.entries(opened, directories.pop(0))
            files += [(path, _files.UNLISTED) for path in failed]
            for path, is_directory in found:
                if is_directory:
                    directories.append(path)
                else:
                    files.append((path, _files.OK))
    return files, directories


def rows(
    root: _files.Root,
    files: Iterable[tuple[bytes, str]],
    hashing: Hashing,
    other: str = _files.CHANGED,
) -> Iterator[Any]:
    """Yields the files' rows as pyarrow batches. other: as in _files.hash_files."""
    made: list[dict[str, Any]] = []
    for row in _files.hash_files(root, files, hashing, other):
        made.append(row)
        if len(made) == _files.TOGETHER_FILES:
            yield _files.batch(made, hashing)
            made = []
    if made:
        yield _files.batch(made, hashing)


def write_part(folder: str, number: int, batches: Iterable[Any]) -> int:
    """Writes sorted rows as one part and returns their number. The part gets its name only when it
    is complete, so repeated attempts leave the same bytes."""
    count = 0
    with (
        written_locally(folder, f"part-{number:08d}.parquet") as file,
        pq.ParquetWriter(file, _files.ROWS, compression="none") as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def part_range(folder: str, number: int, first: int, hashing: Hashing) -> Range:
    """Returns the range of the tree over a part's leaves."""
    ranges = [hashing.range(b"", first)]
    with pq.ParquetFile(f"{folder}/part-{number:08d}.parquet") as file:
        for batch in file.iter_batches(BATCH_ROWS, columns=["leaf"]):
            leaves = b"".join(batch.column("leaf").to_pylist())
            ranges.append(hashing.range(leaves, ranges[-1].end))
    return combine(ranges, **hashing.secrets)


def finish(
    folder: str,
    counts: dict[int, int],
    ranges: Iterable[Range],
    statuses: dict[str, int],
    hashing: Hashing,
) -> Manifest:
    """Checks that every row is there once, and completes the manifest."""
    whole = combine([hashing.range(b"", 0), *ranges], **hashing.secrets)
    if not whole.count == sum(counts.values()) == sum(statuses.values()):
        raise RuntimeError("the engine lost rows, or gave some twice")
    for name in os.listdir(folder):
        if name.startswith("."):  # A killed attempt left it.
            os.remove(f"{folder}/{name}")
    shutil.rmtree(f"{folder}/{UNSORTED}", ignore_errors=True)
    root = hashing.root(whole, _files.FORMAT)
    members = _files.metadata(hashing, whole.count, root)
    with written_locally(folder, "manifest.json") as file:
        file.write(json.dumps(members, indent=1).encode())
    return Manifest(folder, whole.count, root, statuses)
