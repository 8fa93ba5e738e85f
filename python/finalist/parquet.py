# SPDX-License-Identifier: MIT OR Apache-2.0
"""Digests of a column or of the rows of Parquet files, part by part.

hash_parquet reads Parquet and writes Parquet. A part is some row groups of one file. This module
hashes the parts one after the other; with finalist.spark and finalist.ray, workers of an engine do,
which get only paths and row groups. The output is the same, byte for byte.

>>> import tempfile
>>> import pyarrow as pa
>>> import pyarrow.parquet as pq
>>> import finalist.parquet
>>> folder = tempfile.mkdtemp()
>>> pq.write_table(pa.table({"id": [1, 2], "name": ["one", None]}), folder + "/names.parquet")
>>> result = finalist.parquet.hash_parquet(
...     folder + "/names.parquet", folder + "/out", "blake2s", column="name", digest_size=4,
...     keep=["id"])
>>> result.rows, pq.read_table(folder + "/out").to_pylist()[0]
(2, {'id': 1, 'digest': b'\\x91\\xebq]'})
>>> finalist.parquet.prove(folder + "/out", 1).leaf_count
2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]

from . import _parts, _places, merkle
from ._hashing import Hashing
from ._keys import redacted
from ._parts import Incomplete, Result
from ._ranges import combine
from ._roots import ROWS
from ._shown import counted, line_of, shown
from .changes import Proof as Change
from .changes import prove as prove_change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from ._places import Place

__all__ = ["Incomplete", "Output", "Result", "changes", "hash_parquet", "prove"]


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
) -> Result:
    """Hashes a column or the rows of Parquet files and writes the digests to Parquet files.

    source: the path of a file or directory (its *.parquet, in the order of their names), a URL that
    pyarrow knows (s3://...), or a list of these. out: a new or empty directory, neither within the
    source nor around it; overwrite replaces its content once the new output is complete. column:
    the binary or string column whose values to hash; or columns: those whose rows to hash, as
    finalist.hash_rows does. keep: columns of the source to copy to the output, before the digests;
    each must have the same type in all files. name: the digests' column. numbers: how rows of
    columns are hashed, as in finalist.hash_rows. root: whether to compute the root of the output's
    rows, which proofs need; kept columns are exact in it. The other parameters are as in
    finalist.hash_many.

    The output has a file part-*.parquet for each part, _parts.parquet with the list of parts, and
    _SUCCESS once it is complete. Errors: ValueError and TypeError for wrong columns and parameters
    and OSError for wrong paths, before anything is written; Incomplete, after all other work, if
    files could not be read or changed meanwhile.
    """
    hashing = Hashing.of(algorithm, digest_size, key, salt, person)
    choice: dict[str, Any] = {"column": column, "columns": columns, "keep": keep, "name": name}
    choice |= {"numbers": numbers, "root": root, "overwrite": overwrite}
    plan, paths = _parts.plan_of(source, out, hashing, **choice)
    return _parts.hash_all(
        plan,
        paths,
        lambda: _parts.footers(plan, paths),
        lambda planned: [_parts.hash_part(plan, task) for task in planned],
    )


class Output:
    """An existing output of hash_parquet. key, salt and person: those of the call that wrote it."""

    @redacted
    def __init__(
        self, out: Place, *, key: Buffer = b"", salt: Buffer = b"", person: Buffer = b""
    ) -> None:
        self._filesystem, self._folder = _places.filesystem_of(out)
        path, what = f"{self._folder}/{_parts.PARTS}", shown(_places.named(out))
        _places.check_regular(self._filesystem, path)
        with self._filesystem.open_input_file(path) as file:
            try:
                self.parts, about = _parts.read(file)
            except (MemoryError, ValueError, OSError, pa.ArrowException) as error:
                text = f"{what}: {_parts.PARTS} cannot be read: {line_of(error)}"
                raise ValueError(text) from None
        if not about["root"]:
            raise ValueError(f"{what} has no root: it is incomplete, or was made with root=False")
        if (about["keyed"] == "true") != (memoryview(key).nbytes > 0):
            had = "a" if about["keyed"] == "true" else "no"
            raise ValueError(f"{what} was made with {had} key; the key is another one")
        try:
            size = int(about["digest_bits"]) // 8
            self.hashing = Hashing.of(about["algorithm"], size, key, salt, person)
            self.root = bytes.fromhex(about["root"])
            self.ranges = [
                self.hashing.part(row["first"], row["count"], row["nodes"])
                for row in self.parts.select(["first", "count", "nodes"]).to_pylist()
            ]
            whole = combine(self.ranges, **self.hashing.secrets)
            is_whole = self.hashing.root(whole, ROWS).hex() == about["root"]
            is_whole = is_whole and str(size * 8) == about["digest_bits"]
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(f"{what}: {_parts.PARTS} is damaged: {line_of(error)}") from None
        if not is_whole:
            raise ValueError(f"{what}: the parts do not give the root, or the key is another one")

    def part_of(self, row: int) -> int:
        """Returns the number of the part with a row. Errors: IndexError if there is none."""
        for number, part in enumerate(self.ranges):
            if part.first <= row < part.end:
                return number
        rows = counted(self.ranges[-1].end, "row", "rows")
        raise IndexError(f"{row} is out of range for {rows}")

    def leaf_hashes(self, number: int) -> bytes:
        """Returns the leaf hashes of a part's rows. Errors: ValueError if its file is damaged."""
        path = f"{self._folder}/part-{number:08d}.parquet"
        _places.check_regular(self._filesystem, path)
        try:
            with pq.ParquetFile(path, filesystem=self._filesystem) as file:
                batches = file.iter_batches(_parts.BATCH_ROWS)
                return b"".join(self.hashing.leaves(batch) for batch in batches)
        except FileNotFoundError:
            raise
        except (MemoryError, ValueError, TypeError, OSError, pa.ArrowException) as error:
            raise ValueError(f"{shown(path)} cannot be read: {line_of(error)}") from None

    def read(self, first: int, count: int) -> bytes:
        """Returns the leaf hashes of `count` rows from row `first` on."""
        size, found, row = self.hashing.digest_size, [], first
        while row < first + count:
            number = self.part_of(row)
            part, hashes = self.ranges[number], self.leaf_hashes(number)
            end = min(part.end, first + count)
            found.append(hashes[(row - part.first) * size : (end - part.first) * size])
            row = end
        return b"".join(found)


@redacted
def prove(
    out: Place, row: int, *, key: Buffer = b"", salt: Buffer = b"", person: Buffer = b""
) -> merkle.Proof:
    """Proves that a row of an output is in the tree with the output's root.

    row: its index, from 0. Reads _parts.parquet and the file of the part with the row, but not the
    source. merkle.verify_row verifies the proof.
    """
    output = Output(out, key=key, salt=salt, person=person)
    hashes = output.leaf_hashes(output.part_of(row))
    return merkle.prove(output.ranges, row, hashes, **output.hashing.secrets)


@redacted
def changes(
    old: Place, new: Place, *, key: Buffer = b"", salt: Buffer = b"", person: Buffer = b""
) -> Change:
    """Proves which rows changed between two outputs, and that no others did.

    old, new: outputs of two versions of a table, with the same algorithm, key, salt and person.
    Only parts that differ are read. changes.verify verifies the proof against both roots.
    """
    before, after = (Output(out, key=key, salt=salt, person=person) for out in (old, new))
    return prove_change(
        before.ranges, after.ranges, before.read, after.read, **after.hashing.secrets
    )
