# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests on Ray Data.

>>> import ray                                                                # doctest: +SKIP
>>> import finalist.ray                                                       # doctest: +SKIP
>>> dataset = ray.data.read_parquet("s3://bucket/table", columns=["name"])    # doctest: +SKIP
>>> digest = finalist.ray.Digest("name", "blake2s", key=key)                  # doctest: +SKIP
>>> dataset.map_batches(digest, batch_format="pyarrow")                       # doctest: +SKIP
"""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import ray  # type: ignore[import-not-found,unused-ignore]

from . import _files, _manifests, _parts
from ._hashing import Hashing
from ._keys import redacted
from ._shown import quoted, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from ._manifests import Manifest
    from ._places import Place
    from ._ranges import Range


class Digest:
    """A function for Dataset.map_batches(..., batch_format="pyarrow"): adds a column of digests.

    column: the binary or string column whose values to hash, null for null; or a list of columns
    whose rows to hash, as finalist.hash_rows does. name: the new column's. numbers: as in
    hash_rows, for rows. The other parameters are as in finalist.hash_many, whose errors are raised
    at once. Printing a Digest shows no key.
    """

    @redacted
    def __init__(
        self,
        column: str | Sequence[str],
        algorithm: str,
        *,
        name: str = "digest",
        numbers: Literal["exact", "by-value"] = "exact",
        digest_size: int | None = None,
        key: Buffer = b"",
        salt: Buffer = b"",
        person: Buffer = b"",
    ) -> None:
        self._hashing = Hashing.of(algorithm, digest_size, key, salt, person)
        self._column = column if isinstance(column, str) else list(column)
        self._name = name
        self._numbers = numbers
        if not isinstance(column, str):
            self._hashing.rows(pa.table({}), numbers=numbers)  # Checks it.
        elif numbers != "exact":
            raise ValueError("numbers has no use for values: it is for the rows of columns")
        self.__name__ = type(self).__name__  # Ray names a stage by it.

    def __repr__(self) -> str:
        return f"Digest({self._column!r}, {self._hashing.algorithm!r})"

    def __call__(self, table: Any) -> Any:
        """Returns the table with the column of digests added."""
        if isinstance(self._column, str):
            digests = self._hashing.column(table.column(self._column), self._column)
        else:
            digests = self._hashing.rows(table, self._column, self._numbers)
        return table.append_column(self._name, digests.cast(pa.binary()))

    def check(self, schema: Any) -> None:
        """Raises if a table with this pyarrow schema cannot be hashed: ValueError for missing
        columns or one too many, TypeError for types."""
        wanted = [self._column] if isinstance(self._column, str) else self._column
        counts = collections.Counter(schema.names)
        for name in wanted:
            if counts[name] != 1:
                have = shown(", ".join(schema.names))
                raise ValueError(f"there is no single column {quoted(name)}; there are: {have}")
        if self._name in schema.names:
            name = quoted(self._name)
            raise ValueError(f"there is a column {name}: give the digests another name")
        self(schema.empty_table())


@redacted
def digests(dataset: Any, column: str | Sequence[str], algorithm: str, **parameters: Any) -> Any:
    """Returns the Dataset with a column of digests, which Digest adds with these parameters. Wrong
    columns raise the errors of Digest.check here, not in a worker."""
    digest = Digest(column, algorithm, **parameters)
    digest.check(pa.schema(dataset.schema().base_schema))
    return dataset.map_batches(digest, batch_format="pyarrow", zero_copy_batch=True)


@redacted
def hash_parquet(
    source: Place | Sequence[Place],
    out: Place,
    algorithm: str,
    *,
    column: str | None = None,
    columns: Sequence[str] | None = None,
    keep: Sequence[str] = (),
    name: str = "digest",
    numbers: Literal["exact", "by-value"] = "exact",
    root: bool = True,
    overwrite: bool = False,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> _parts.Result:
    """Runs finalist.parquet.hash_parquet on Ray's workers, which get paths and row groups, no rows.
    The output is the same, also if Ray repeats an attempt."""
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    choice: dict[str, Any] = {"column": column, "columns": columns, "keep": keep, "name": name}
    choice |= {"numbers": numbers, "root": root, "overwrite": overwrite}
    plan, paths = _parts.plan_of(source, out, hashing, **choice)
    shared = ray.put(plan)
    footer, hash_part = ray.remote(_parts.footer), ray.remote(_parts.hash_part)
    return _parts.hash_all(
        plan,
        paths,
        lambda: ray.get([footer.remote(shared, path) for path in paths]),
        lambda planned: ray.get([hash_part.remote(shared, task) for task in planned]),
    )


@redacted
def manifest(
    root: str,
    out: str,
    algorithm: str = "blake2b",
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> Manifest:
    """Writes a manifest of the files below a directory, in parts (docs/format/manifests.md).

    root: a directory that every worker reaches by this name. out: a new or empty directory that the
    driver reaches. Workers list directories and hash files, Ray Data sorts the rows, and the driver
    writes them. The root does not depend on the number of workers. The other parameters are as in
    finalist.hash_many. Errors, before the work: NotADirectoryError, FileExistsError, and ValueError
    for an output below the root.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    place, folder = _manifests.prepare(root, out)
    listed, directories = _manifests.first_entries(place)
    shared = ray.put(hashing)
    work = ray.remote(_rows)
    step = _files.TOGETHER_FILES
    made = [
        work.remote(place, listed[at : at + step], None, shared)
        for at in range(0, len(listed), step)
    ]
    made += [work.remote(place, None, directory, shared) for directory in directories]
    counts: dict[int, int] = {}
    statuses: collections.Counter[str] = collections.Counter()
    ranges: list[Range] = []
    if made:
        rows = ray.data.from_arrow_refs(made).sort("path")
        batches = rows.iter_batches(batch_size=_manifests.PART_ROWS, batch_format="pyarrow")
        for number, batch in enumerate(batches):
            part = batch.select(_files.ROWS.names).cast(_files.ROWS)
            counts[number] = _manifests.write_part(folder, number, part.to_batches())
            first = ranges[-1].end if ranges else 0
            ranges.append(_manifests.part_range(folder, number, first, hashing))
            statuses.update(part.column("status").to_pylist())
    return _manifests.finish(folder, counts, ranges, dict(statuses), hashing)


def _rows(
    place: bytes, files: list[tuple[bytes, str]] | None, directory: bytes | None, hashing: Hashing
) -> Any:
    """Returns the rows of files, or of those below a directory, as a pyarrow table."""
    with _files.Root(place) as root:
        given = files if directory is None else _files.walk(root, directory)
        batches = _manifests.rows(root, given or [], hashing)
        return pa.Table.from_batches(batches, _files.ROWS)
