# SPDX-License-Identifier: MIT OR Apache-2.0
"""Functions for DuckDB: select blake2s(x) from ...

The functions are vectorised over Arrow (pyarrow is needed): each call takes a batch of rows.

>>> import duckdb
>>> import finalist.duckdb
>>> connection = duckdb.connect()
>>> finalist.duckdb.register(connection)
>>> connection.sql("select hex(blake2s('one'))").fetchall()[0][0][:16]
'B4AC9B9E11E8E952'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pyarrow  # type: ignore[import-untyped,unused-ignore]

from . import _finalist
from ._hashing import check_values
from ._keys import redacted

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer


@redacted
def register(
    connection: Any,
    *algorithms: str,
    prefix: str = "",
    numbers: Literal["exact", "by-value"] = "exact",
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    derive_key_context: str | None = None,
) -> None:
    """Adds two functions for each algorithm to a connection: one of values, named prefix and the
    algorithm's name, and one of rows, with row_ between them.

    connection: of duckdb. algorithms: names of algorithms_available; without any, all but BLAKE2X,
    which needs a digest_size. The functions of values take a BLOB or the UTF-8 of a VARCHAR or
    ENUM, and return a BLOB, null for null. With BLAKE2 a second argument is the key, the same for
    all rows; a key that is given here does not appear in the query's text. The other parameters and
    the errors are as in finalist.hash_many.

    The functions of rows take any number of columns, row_blake2s(a, b) or row_blake2s(*COLUMNS(*)),
    and return the digests of finalist.hash_rows, with the key and numbers given here. If the only
    argument is a struct, the columns are its fields: row_blake2s(t) for a table t.
    """
    parameters: dict[str, Any] = {"digest_size": digest_size, "salt": salt, "person": person}
    parameters["derive_key_context"] = derive_key_context
    if not hasattr(connection, "create_function"):
        kind = type(connection).__name__
        raise TypeError(f"a connection of duckdb is required, not '{kind}'")
    nothing = pyarrow.table({})
    names = algorithms or [name for name in _finalist.ALGORITHMS if "2x" not in name]
    for algorithm in names:  # Checks all of them before a function is added.
        _finalist.hash_rows(nothing, algorithm, numbers=numbers, key=key, **parameters)
    # Copies: the caller may overwrite its own ones, while queries still need these.
    key = _finalist.Secret(key)
    parameters |= {"salt": bytes(memoryview(salt)), "person": bytes(memoryview(person))}
    for algorithm in names:
        connection.create_function(
            prefix + algorithm, _function(algorithm, key, parameters), None, "BLOB", type="arrow"
        )
        rows = _rows_function(algorithm, numbers, key, parameters)
        connection.create_function(
            f"{prefix}row_{algorithm}", rows, None, "BLOB", type="arrow", null_handling="special"
        )


def _function(algorithm: str, key: Buffer, parameters: dict[str, Any]) -> Callable[..., Any]:
    @redacted
    def function(*columns: Any) -> Any:
        if len(columns) not in (1, 2):
            raise ValueError(f"{algorithm} takes a column, and perhaps a key")
        column, *keys = columns
        check_values(column)
        own_key = _only(keys[0]) if keys else key
        digests = _finalist.hash_column(algorithm, column, key=own_key, **parameters)
        return pyarrow.chunked_array(digests)

    return function


def _rows_function(
    algorithm: str, numbers: Any, key: Buffer, parameters: dict[str, Any]
) -> Callable[..., Any]:
    @redacted
    def function(*columns: Any) -> Any:
        if len(columns) == 1:
            columns = columns[0].flatten()  # The fields of a struct, or else the column itself.
        table = pyarrow.table(list(columns), [str(place) for place in range(len(columns))])
        digests = _finalist.hash_rows(table, algorithm, numbers=numbers, key=key, **parameters)
        return pyarrow.chunked_array(digests)

    return function


def _only(keys: Any) -> Buffer:
    """Returns the key, which must be the same for all rows. DuckDB passes no rows with nulls."""
    unique = keys.unique()
    if len(unique) != 1:
        raise ValueError("the key must be the same for all rows")
    value = unique[0].as_py()
    return value.encode() if isinstance(value, str) else bytes(value)
