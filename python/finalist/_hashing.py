# SPDX-License-Identifier: MIT OR Apache-2.0
"""An algorithm with its parameters, as engines send it to their workers."""

from __future__ import annotations

import dataclasses
import uuid
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]

from . import _finalist
from ._keys import redacted
from ._ranges import Range, range_root, root_of, row_hashes
from ._shown import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer


def check_values(values: Any) -> None:
    """Raises TypeError for a pyarrow array of structs, which hash_column would take for a table."""
    if pa.types.is_struct(values.type):
        raise TypeError("binary or string values are required, not Arrow type struct")


@dataclasses.dataclass(frozen=True)
class Hashing:
    """An algorithm and the parameters of all messages. Pickling includes the key, printing does
    not. Freeing the object wipes the key."""

    algorithm: str
    digest_size: int
    key: _finalist.Secret = dataclasses.field(repr=False)
    salt: bytes
    person: bytes

    @staticmethod
    @redacted
    def of(
        algorithm: str,
        digest_size: int | None = None,
        key: Buffer = b"",
        salt: Buffer = b"",
        person: Buffer = b"",
    ) -> Hashing:
        """Checks the parameters, with the errors of finalist.hash_many, and stores them."""
        parameters: dict[str, Any] = {"digest_size": digest_size, "salt": salt, "person": person}
        [digest] = _finalist.hash_many(algorithm, [b""], key=key, **parameters)
        public = (bytes(memoryview(value)) for value in (salt, person))
        return Hashing(algorithm, len(digest), _finalist.Secret(key), *public)

    def __dask_tokenize__(self) -> str:
        """Returns the token for the names of Dask's tasks; it does not depend on the key."""
        return repr(self) if not self.key else uuid.uuid4().hex

    @property
    def secrets(self) -> dict[str, Any]:
        """Returns key, salt and personalisation as keyword arguments for functions of trees."""
        return {"key": self.key, "salt": self.salt, "person": self.person}

    def message(self) -> Any:
        """Returns a hash object for one message."""
        given: dict[str, Any] = {name: value for name, value in self.secrets.items() if value}
        try:
            return _finalist.new(self.algorithm, digest_size=self.digest_size, **given)
        except TypeError:  # BLAKE has one digest size for each name.
            return _finalist.new(self.algorithm, **given)

    def column(self, values: Any, name: str = "") -> Any:
        """Hashes the values of a pyarrow array. Returns a pyarrow array, null for null. name: the
        column's, for error messages."""
        try:
            check_values(values)
            digests = _finalist.hash_column(
                self.algorithm, values, digest_size=self.digest_size, **self.secrets
            )
        except TypeError as error:  # An array has no name.
            raise TypeError(f"column {quoted(name)}: {error}" if name else str(error)) from None
        return pa.array(digests)

    def rows(self, table: Any, columns: Sequence[str] | None = None, numbers: Any = "exact") -> Any:
        """Hashes the rows of a pyarrow table or batch. Returns a pyarrow array."""
        given = {"numbers": numbers, "digest_size": self.digest_size, **self.secrets}
        return pa.array(_finalist.hash_rows(table, self.algorithm, columns, **given))

    def leaves(self, table: Any, numbers: Any = "exact") -> bytes:
        """Returns the leaf hashes of a table's rows, joined."""
        given = {"numbers": numbers, "digest_size": self.digest_size, **self.secrets}
        return row_hashes(table, self.algorithm, **given)

    def range(self, leaf_hashes: bytes, first: int) -> Range:
        """Builds the range of a tree from its leaf hashes. first: the index of the first leaf."""
        parameters = {"digest_size": self.digest_size, **self.secrets}
        return range_root(leaf_hashes, self.algorithm, first=first, **parameters)

    def root(self, whole: Range, form: str) -> bytes:
        """Returns the root of version 2 over all leaves of a tree. form: see _roots."""
        return root_of(whole, form, **self.secrets)

    def part(self, first: int, count: int, nodes: bytes) -> Range:
        """Restores a range of a tree from its stored nodes."""
        empty = self.range(b"", 0)
        return Range(empty.algorithm, self.digest_size, first, count, nodes)
