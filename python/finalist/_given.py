# SPDX-License-Identifier: MIT OR Apache-2.0
"""Converts arguments of hash_column and hash_rows without the Arrow PyCapsule interface to Arrow
data, and finds the columns of a table that are the index of a pandas frame, for the extension
module.
"""

from __future__ import annotations

import bisect
import collections
import itertools
import json
import sys
from collections.abc import Sequence

from ._shown import line_of, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Errors of pyarrow about values that it cannot convert; the last one is about a type of numpy.
WRONG = (TypeError, ValueError, OverflowError, NotImplementedError)
#: Rows of a Hugging Face dataset that are in memory at a time.
ROWS_AT_ONCE = 1 << 17


def arrow_data(given: Any, columns: Sequence[str] | None, index: bool) -> Any:
    """Converts an object to one with the Arrow PyCapsule interface.

    columns: the columns to keep, None for all. index: whether to keep a pandas frame's index.
    Errors: TypeError for other objects, ImportError without pyarrow, and pyarrow's own.
    """
    kind = type(given).__name__
    has_values = hasattr(given, "__array__") or hasattr(given, "__arrow_array__")
    has_batches = hasattr(given, "with_format") and hasattr(given, "iter")
    is_scanned = hasattr(given, "scanner") or hasattr(given, "to_reader")
    is_text = isinstance(given, str | bytes | bytearray | memoryview)  # Not a column of characters.
    if is_text or not (
        has_values or has_batches or is_scanned or isinstance(given, dict | Sequence)
    ):
        raise TypeError(
            "an object with the Arrow PyCapsule interface (__arrow_c_array__ or"
            " __arrow_c_stream__), a pandas object, an array or a list is required, not"
            f" '{kind}'"
        )
    try:
        import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise without_pyarrow(f"makes Arrow data of '{kind}'") from None
    if (pandas := sys.modules.get("pandas")) and isinstance(given, pandas.DataFrame):
        return _frame(given, columns, index)
    if is_scanned:
        return _reader(given, columns)
    if has_batches:
        return _batches(given, columns)
    if isinstance(given, dict):
        if any(hasattr(values, "with_format") for values in given.values()):
            raise TypeError(
                f"a table is required, not a {kind}: choose one of its datasets,"
                f" {quoted(list(given))}"
            )
        return pa.table({name: _array(values, name) for name, values in given.items()})
    if names := getattr(getattr(given, "dtype", None), "names", None):
        return pa.table({name: _array(given[name], name) for name in names})
    return _array(given, getattr(given, "name", None))


def without_pyarrow(use: str) -> ImportError:
    """Returns the error for what pyarrow is needed for."""
    return ImportError(f"pyarrow, which {use}, is not installed")


def _array(values: Any, name: Any) -> Any:
    """Converts values to an Arrow array. name: of their column, if any. An error names the column,
    and the first value that cannot be converted beside those before it."""
    import pyarrow as pa

    if getattr(getattr(values, "dtype", None), "kind", "") in ("S", "U"):
        values = values.astype(object)  # pyarrow would cut strings of fixed width at a NUL.
    try:
        return pa.array(values)
    except WRONG as error:
        kinds = (OverflowError, ValueError)
        kind = next((kind for kind in kinds if isinstance(error, kind)), TypeError)
        rows = getattr(values, "iloc", values)
        if not isinstance(name, str):
            of, the = "", "the given value"
        else:
            of, the = f"column {quoted(name)}: ", "the value"
        is_flat = isinstance(values, list | tuple) or getattr(values, "ndim", 0) == 1
        place = _first_wrong(rows) if is_flat else None
        if place is None:
            raise kind(f"{of}{line_of(error)}") from None
        found = type(rows[place]).__name__
        text = f"{the} at index {place}, of type '{found}': {line_of(error)}"
        raise kind(of + text) from None


def _first_wrong(rows: Any) -> int | None:
    """Returns the index of the first value that pyarrow cannot convert beside those before it; None
    if that is unknown."""
    import pyarrow as pa

    def is_wrong(count: int) -> bool:
        try:
            pa.array(rows[:count])
        except WRONG:
            return True
        return False

    count = len(getattr(rows, "obj", rows))
    place = bisect.bisect_left(range(1, count + 1), True, key=is_wrong)
    return place if place < count else None


def _frame(frame: Any, columns: Sequence[str] | None, index: bool) -> Any:
    """Converts a pandas frame. The index becomes a column only if needed, since it might have no
    Arrow type."""
    import pandas as pd  # type: ignore[import-untyped,unused-ignore]
    import pyarrow as pa

    plain = frame.copy(deep=False)
    if not index and set(columns or ()) <= set(map(str, frame.columns)):
        plain.index = pd.RangeIndex(len(frame))
    elif isinstance(frame.index, pd.MultiIndex):
        plain.index = frame.index.set_levels([_no_range(level) for level in frame.index.levels])
    else:
        plain.index = _no_range(frame.index)
    try:
        # pandas has the interface since version 2.2, and suppresses a warning of pyarrow there.
        is_arrow = hasattr(plain, "__arrow_c_stream__")
        return pa.RecordBatchReader.from_stream(plain) if is_arrow else pa.Table.from_pandas(plain)
    except WRONG:
        for place, name in enumerate(plain.columns):
            _array(plain.iloc[:, place], str(name))  # Its error says where.
        raise


def _no_range(index: Any) -> Any:
    """Returns an index with its values in memory: pyarrow stores a range in the metadata only."""
    import pandas as pd

    is_range = isinstance(index, pd.RangeIndex)
    return pd.Index(index.to_numpy(), name=index.name) if is_range else index


def check_polars(given: Any) -> None:
    """Raises TypeError if a frame or series of Polars has Python objects: it exports addresses."""
    types = given.schema if hasattr(given, "schema") else {given.name: given.dtype}
    for name, kind in types.items():
        if str(kind) == "Object":
            raise TypeError(f"column {quoted(name)} has Polars' type {kind}: cast it first")


def of_polars(given: Any) -> Any:
    """Returns what to read of a frame or series of Polars. Errors: those of check_polars."""
    check_polars(given)
    is_long = not hasattr(given, "schema") and len(given) >= ROWS_AT_ONCE
    return _codes(given) if is_long and str(given.dtype).startswith("Categorical") else given


def _codes(series: Any) -> Any:
    """Returns the codes of a Categorical series as a dictionary-encoded array: Polars would look up
    each row in a new dictionary, which takes longer than its digest. Returns the series if the
    dictionary has many other values, or without pyarrow."""
    try:
        import pyarrow as pa

        values = series.dtype.categories.to_series()
    except (ImportError, AttributeError):  # Polars has it since 2.0.
        return series
    if len(values) > len(series) // 8:
        return series
    codes, values = pa.chunked_array(series.to_physical()), pa.array(values)
    chunks = [pa.DictionaryArray.from_arrays(chunk, values) for chunk in codes.chunks]
    return pa.chunked_array(chunks)


def _only(columns: Sequence[str] | None, names: Sequence[str]) -> list[str] | None:
    """Returns the columns to read; None for all, also if one is missing: hash_rows reports that."""
    counts = collections.Counter(names)
    if columns is None or any(counts[column] != 1 for column in columns):
        return None
    return list(dict.fromkeys(columns))


def _reader(given: Any, columns: Sequence[str] | None) -> Any:
    """Returns a reader of the rows of a pyarrow Dataset or Scanner, in order."""
    if hasattr(given, "scanner"):
        given = given.scanner(columns=_only(columns, given.schema.names))
    return given.to_reader()


def _batches(dataset: Any, columns: Sequence[str] | None) -> Any:
    """Yields the rows of a Hugging Face dataset in its order, which may differ from its Arrow
    table's."""
    import pyarrow as pa

    if (only := _only(columns, dataset.column_names or ())) is not None:
        dataset = dataset.select_columns(only)
    tables = _tables(dataset)
    first = next(tables, None)
    if first is None:
        features = dataset.features
        return (pa.schema([]) if features is None else features.arrow_schema).empty_table()
    batches = (batch for table in itertools.chain([first], tables) for batch in table.to_batches())
    return pa.RecordBatchReader.from_batches(first.schema, batches)


def _tables(dataset: Any) -> Iterator[Any]:
    import pyarrow as pa

    kind = type(dataset).__name__
    try:
        yield from dataset.with_format("arrow").iter(batch_size=ROWS_AT_ONCE)
    except pa.ArrowInvalid as error:
        # A stream of a generator's rows has the types of each row, whatever its features.
        raise ValueError(
            f"datasets cannot combine these rows: make a Dataset of them, not an {kind}: {error}"
        ) from None


def index_columns(metadata: bytes) -> list[str | None]:
    """Returns the names of the columns that are a pandas index, from the table's metadata under the
    key pandas; None for a range, which is not a column."""
    try:
        columns = json.loads(metadata).get("index_columns", [])
        return [None if isinstance(column, dict) else _name(column) for column in columns]
    except (AttributeError, TypeError, ValueError, RecursionError):
        raise ValueError("the table's pandas metadata cannot be read") from None


def _name(column: Any) -> str:
    if not isinstance(column, str):
        raise TypeError
    return column


def duckdb_type(metadata: bytes) -> str:
    """Returns the name of a DuckDB type from the metadata of Arrow's extension type arrow.opaque;
    empty for others."""
    try:
        found = json.loads(metadata)
        return str(found["type_name"]) if found["vendor_name"] == "DuckDB" else ""
    except (KeyError, TypeError, ValueError, RecursionError):
        return ""
