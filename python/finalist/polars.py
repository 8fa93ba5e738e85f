# SPDX-License-Identifier: MIT OR Apache-2.0
"""Expressions for Polars: pl.col("x").fin.blake2s(key=...).

Importing this module gives expressions the namespace fin. It has a method for each algorithm, named
like its constructor. A plugin of Polars' engine hashes the values, side by side and without Python,
also in lazy and streaming queries.

>>> import polars as pl
>>> import finalist.polars
>>> frame = pl.DataFrame({"x": ["one", None]})
>>> frame.select(pl.col("x").fin.blake2s(digest_size=4).bin.encode("hex")).to_series().to_list()
['91eb715d', None]

hash_rows computes one digest a row over several columns, as finalist.hash_rows does.

>>> rows = finalist.polars.hash_rows(pl.all(), algorithm="blake2s", digest_size=4)
>>> frame.with_columns(rows.bin.encode("hex"))["digest"].to_list()
['b56e0943', 'eff3a9be']
"""

from __future__ import annotations

import io
import pickle
from typing import TYPE_CHECKING, Any, Literal

import polars as pl
from polars.plugins import register_plugin_function

from . import _finalist
from ._keys import redacted

if TYPE_CHECKING:
    from collections.abc import Callable

    from polars._typing import IntoExpr
    from typing_extensions import Buffer


@redacted
def hash(
    expression: pl.Expr,
    algorithm: str,
    *,
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    derive_key_context: str | None = None,
) -> pl.Expr:
    """Returns the digests of an expression's values as Binary, null for null.

    The values are Binary, or the UTF-8 of String, Categorical or Enum; for other types the query
    fails with a ComputeError. The parameters are as in finalist.hash_many, whose errors are raised
    at once. The key is part of the query: serializing includes it, printing does not.
    """
    parameters = _parameters(algorithm, digest_size, key, salt, person, derive_key_context)
    return register_plugin_function(
        plugin_path=_finalist.__file__,
        function_name="finalist_hash",
        args=[expression],
        kwargs=parameters,
        is_elementwise=True,
    )


def _parameters(
    algorithm: str,
    digest_size: int | None,
    key: Buffer,
    salt: Buffer,
    person: Buffer,
    derive_key_context: str | None,
) -> dict[str, Any]:
    """Checks the arguments and returns them as a query stores them."""
    parameters: dict[str, Any] = {
        "algorithm": algorithm,
        "digest_size": digest_size,
        "key": bytes(memoryview(key)),
        "salt": bytes(memoryview(salt)),
        "person": bytes(memoryview(person)),
        "derive_key_context": derive_key_context,
    }
    _finalist.hash_many(messages=[], **parameters)
    return parameters


@redacted
def hash_rows(
    *columns: IntoExpr,
    algorithm: str,
    version: Literal[1, 2] | None = None,
    numbers: Literal["exact", "by-value"] = "exact",
    digest_size: int | None = None,
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
    derive_key_context: str | None = None,
) -> pl.Expr:
    """Returns one digest a row over several columns, as Binary with the name digest: the digests of
    finalist.hash_rows.

    columns: names or expressions, each for any number of columns: pl.all(). A type without an
    encoding fails the query with a ComputeError that names the column. The other parameters are as
    in finalist.hash_rows, whose errors are raised at once. The key is handled as in hash.

    Polars allows no alias in the keys of a join: give it hash_rows(...).meta.undo_aliases().
    """
    parameters = _parameters(algorithm, digest_size, key, salt, person, derive_key_context)
    encoding: dict[str, Any] = {"version": version, "numbers": numbers}
    _finalist.hash_rows(pl.DataFrame(), **parameters, **encoding)  # Checks them.
    return register_plugin_function(
        plugin_path=_finalist.__file__,
        function_name="finalist_hash_rows",
        args=[_struct(*columns)],
        kwargs={**parameters, **encoding},
        is_elementwise=True,
    ).alias("digest")


def _struct(*columns: IntoExpr) -> pl.Expr:
    """Returns pl.struct, but gives columns other names where two could have the same one: names
    are no part of a row."""
    if len(columns) == 1:
        return pl.struct(*columns)
    fields: list[pl.Expr] = []
    taken: set[str | None] = set()  # None: names that depend on the frame.
    for place, column in enumerate(columns):
        given = pl.col(column) if isinstance(column, str) else column
        field = given if isinstance(given, pl.Expr) else pl.lit(given)
        name = field.meta.output_name(raise_if_undetermined=False)
        if taken and (name is None or taken & {name, None}):
            field = field.name.suffix(f" ({place})")
        fields.append(field)
        taken.add(name)
    return pl.struct(fields)


@redacted
def digest_agg(
    *columns: IntoExpr,
    algorithm: str = "blake2s",
    numbers: Literal["exact", "by-value"] = "exact",
    key: Buffer = b"",
    salt: Buffer = b"",
    person: Buffer = b"",
) -> pl.Expr:
    """Returns one digest of all rows of several columns, in any order, as Binary with the name
    digest: that of finalist.fingerprint. A group_by computes one for each group, which costs at
    least 0.2 milliseconds.

    columns: as in hash_rows. The other parameters are as in finalist.fingerprint, whose errors are
    raised at once; pyarrow is needed. The key is part of the query, as in hash.
    """
    from ._fingerprint import fingerprint

    secret = _finalist.Secret(key)
    public = {"salt": bytes(memoryview(salt)), "person": bytes(memoryview(person))}
    given: dict[str, Any] = {"algorithm": algorithm, "numbers": numbers, "key": secret, **public}
    fingerprint(pl.DataFrame(), **given)  # Checks them.

    def digest(rows: pl.Series) -> pl.Series:
        return pl.Series([fingerprint(rows.struct.unnest(), **given)], dtype=pl.Binary)

    rows = pl.struct(*columns)
    return rows.map_batches(digest, pl.Binary, returns_scalar=True).alias("digest")


class _Arguments(pickle.Unpickler):
    """Reads the arguments that Polars has pickled; refuses pickles that name a class."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"finalist: {module}.{name} is no argument")


def _arguments(pickled: bytes) -> tuple[Any, ...]:
    """Returns the arguments of hash or hash_rows in the plugin's order."""
    arguments = {"version": None, "numbers": "exact", **_Arguments(io.BytesIO(pickled)).load()}
    names = ("algorithm", "digest_size", "key", "salt", "person", "derive_key_context")
    return tuple(arguments[name] for name in (*names, "version", "numbers"))


@pl.api.register_expr_namespace("fin")
class Namespace:
    """The namespace fin: hash(algorithm, ...), and a method for each algorithm."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    @redacted
    def hash(self, algorithm: str, **parameters: Any) -> pl.Expr:
        """Returns the digests of the values: finalist.polars.hash of this expression."""
        return hash(self._expression, algorithm, **parameters)


def _method(algorithm: str) -> Callable[..., pl.Expr]:
    @redacted
    def method(self: Namespace, **parameters: Any) -> pl.Expr:
        return self.hash(algorithm, **parameters)

    method.__name__ = algorithm
    method.__qualname__ = f"Namespace.{algorithm}"
    method.__doc__ = f"The digests of the values with {algorithm}; parameters as in hash."
    return method


for _algorithm in _finalist.ALGORITHMS:
    setattr(Namespace, _algorithm, _method(_algorithm))
