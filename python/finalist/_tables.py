# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads tables, more than once if necessary: Arrow data, files, frames and relations."""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.compute  # type: ignore[import-untyped,unused-ignore]

from . import _given, _places
from ._shown import line_of, quoted, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

#: pyarrow.compute defines its functions at import, so type checkers do not know them.
pc: Any = pyarrow.compute

#: Rows to read and hash at a time: few, so that they stay in the cache.
BATCH_ROWS = 1 << 16
#: Bytes of a file to read at a time.
READ_BYTES = 1 << 20
#: Types to cast integers of 128 bits to, which Polars has and pyarrow lacks.
NARROW = "Int64, or to Decimal(38, 0) and use numbers='by-value'"


class Source:
    """A table. schema: of its columns, without those of a pandas index. rows: their number, None if
    unknown before reading. what: the table's name in messages. is_query: whether reading it
    occupies a connection, which another table may share. stopped: whether to end a reading in
    another thread."""

    def __init__(self, given: Any, what: str) -> None:
        self.what = what
        self.is_query = _is_relation(given)
        schema, self.rows, self._read = _opened(given)
        index = _given.index_columns((schema.metadata or {}).get(b"pandas", b"{}"))
        self._metadata = schema.metadata or {}
        self._fields: dict[str, list[Any]] = {}
        for field in schema:
            self._fields.setdefault(field.name, []).append(field)
        self.schema = pa.schema([field for field in schema if field.name not in index])
        self.stopped = False

    def field(self, name: str) -> Any:
        """Returns the field of a column, also of an index. Raises ValueError if there is none, or
        several."""
        found = self._fields.get(name, [])
        if len(found) != 1:
            have = "several columns" if found else "no column"
            of = _file_of_digests(self._metadata)
            raise ValueError(f"the {self.what} table has {have} {quoted(name)}{of}")
        check_names(found[0], self.what)
        return found[0]

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Yields all rows in batches of at most BATCH_ROWS, with these columns in this order."""
        for batch in self._read(list(columns)):
            for first in range(0, batch.num_rows, BATCH_ROWS):
                if self.stopped:
                    raise InterruptedError(f"the reading of the {self.what} table was stopped")
                yield batch.slice(first, BATCH_ROWS).select(columns)


def _file_of_digests(metadata: Mapping[bytes, bytes]) -> str:
    """Says how to use a file of digests that was given as a table; empty for other metadata."""
    if b"finalist.buckets" in metadata:
        return ": it is a file of buckets, which Buckets.read reads for old_buckets or new_buckets"
    if b"finalist.rows" in metadata:
        return ": it is a file of digests of rows, which Rows.read reads in place of the old table"
    return ""


def check_names(field: Any, what: str) -> None:
    """Raises ValueError if the name of a column, or of a field within it, has a NUL: Arrow's C
    interface would pass on only what precedes it."""
    if "\0" in field.name:
        raise ValueError(
            f"the name {quoted(field.name)} in the {what} table has a NUL, where Arrow's C"
            " interface ends names: rename it"
        )
    kind = field.type
    while isinstance(kind, pa.BaseExtensionType) or pa.types.is_dictionary(kind):
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind.storage_type
    for place in range(kind.num_fields):
        check_names(kind.field(place), what)


def listed(columns: Sequence[str], what: str = "columns") -> list[str]:
    """Returns names of columns as a list. Raises TypeError for other values, also those that can be
    read only once or have no order, and ValueError for a name given twice."""
    if isinstance(columns, str | bytes | Mapping) or not hasattr(columns, "__getitem__"):
        raise TypeError(f"{what} is a list of names, not '{type(columns).__name__}'")
    names = list(columns)
    before = set()
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what} is a list of names, and {quoted(name)} is none")
        if name in before:
            raise ValueError(f"{what} has {quoted(name)} twice")
        before.add(name)
    return names


def names_of(key: str | Sequence[str]) -> list[str]:
    """Returns the names of a key's columns. Raises TypeError for other values, ValueError for no
    name, or one given twice."""
    names = [key] if isinstance(key, str) else key
    is_list = isinstance(names, list | tuple)
    if not is_list or not names:
        kind = ValueError if is_list else TypeError
        raise kind(f"key is one column's name or a list of names, not {quoted(key)}")
    return listed(names, "key")


def _is_relation(given: Any) -> bool:
    """Returns True for a relation of DuckDB."""
    return hasattr(given, "to_arrow_reader")


def is_of_spark(given: Any) -> bool:
    """Returns True for a DataFrame of Spark, whose rows stay on the workers."""
    return type(given).__module__.startswith("pyspark.") and hasattr(given, "mapInArrow")


_PATHS = (str, os.PathLike)
_Opened = tuple[Any, int | None, "Callable[[list[str]], Iterator[Any]]"]


def _opened(given: Any) -> _Opened:
    """Returns the schema, the number of rows if known, and a function that reads the rows of some
    columns."""
    if isinstance(given, _PATHS):
        return _files(os.fspath(given))
    if hasattr(given, "get_fragments"):
        return _dataset(given)
    if hasattr(given, "collect_schema") and hasattr(given, "collect"):  # A lazy frame of Polars.
        return _opened(given.collect())
    if _is_relation(given):  # It runs again for each reading.
        schema = given.limit(0).to_arrow_reader().schema
        return schema, None, lambda columns: given.to_arrow_reader(BATCH_ROWS)
    if hasattr(given, "with_format") and hasattr(given, "__len__"):
        # Of Hugging Face, but not an IterableDataset, which might give its rows only once.
        schema = _given.arrow_data(given, None, False).schema
        return schema, len(given), lambda columns: _given.arrow_data(given, columns, False)
    table = _whole(given)
    return table.schema, table.num_rows, lambda columns: table.to_batches()


def _has_paths(given: Any) -> bool:
    return isinstance(given, list | tuple) and any(isinstance(one, _PATHS) for one in given)


def _whole(given: Any) -> Any:
    """Returns a pyarrow table of data in memory."""
    if isinstance(given, pa.Table):
        return given
    if isinstance(given, pa.RecordBatch):
        return pa.Table.from_batches([given])
    if _has_paths(given):
        raise TypeError(
            "a table is required, not a list of paths: pass their directory, or"
            " pyarrow.dataset.dataset of them"
        )
    library = type(given).__module__.split(".")[0]
    if library == "polars":
        return _of_polars(given)
    is_arrow = hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__")
    if library == "pandas" or not is_arrow:
        # A key may name the levels of an index.
        names = given.index.names if library == "pandas" else ()
        given = _given.arrow_data(given, None, any(name is not None for name in names))
    if isinstance(given, pa.Array | pa.ChunkedArray):
        if not pa.types.is_struct(given.type):
            raise TypeError("a table is required, not a column")
        return pa.Table.from_struct_array(given)
    return pa.table(given)


def _of_polars(frame: Any) -> Any:
    """Returns a table of a frame or series of Polars."""
    import polars as pl  # type: ignore[import-not-found,unused-ignore]

    _given.check_polars(frame)
    if isinstance(frame, pl.Series):
        if frame.dtype != pl.Struct:
            raise TypeError("a table is required, not a column")
        frame = frame.struct.unnest()
    for column in frame.clear().iter_columns():
        try:
            pa.chunked_array(column)
        except pa.ArrowInvalid:
            raise TypeError(
                f"column {quoted(column.name)} has Polars' type {column.dtype}, which Arrow lacks:"
                f" cast it to {NARROW}"
            ) from None
    return pa.table(frame)


#: Names of columns that pyarrow's datasets add when they are read.
_ADDED = {"__fragment_index", "__batch_index", "__last_in_fragment", "__filename"}


def _dataset(dataset: Any) -> _Opened:
    for name in dataset.schema.names:
        if name in _ADDED:
            raise ValueError(
                f"pyarrow's datasets add a column {quoted(name)}: pass the files' directory"
            )
    # Reading ahead would take memory.
    modest = {"batch_size": BATCH_ROWS, "batch_readahead": 1, "fragment_readahead": 1}

    def read(columns: list[str]) -> Iterator[Any]:
        yield from dataset.to_batches(columns=columns, use_threads=False, **modest)

    return dataset.schema, dataset.count_rows(), read


def _files(place: str) -> _Opened:
    """Opens a Parquet file, or those below a directory, also with Hive's partitions."""
    import pyarrow.dataset as ds  # type: ignore[import-untyped,unused-ignore]
    import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]
    from pyarrow import fs  # type: ignore[import-untyped,unused-ignore]

    filesystem, path = _places.filesystem_of(place)
    kind = filesystem.get_file_info(path).type
    if kind == fs.FileType.NotFound:
        raise FileNotFoundError(f"there is no file or directory {shown(place)}")
    _places.check_not_delta(filesystem, path, place)
    # Of a single file, Arrow would take the directories above it for partitions.
    form = {"format": "parquet", "partitioning": None if kind == fs.FileType.File else "hive"}
    try:
        dataset = ds.dataset(path, filesystem=filesystem, **form)
    # Columns of one name, or partitions of nulls only.
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(f"{shown(place)} cannot be read as one table: {error}") from None
    except pa.ArrowNotImplementedError as error:
        cause = line_of(error).rpartition("?: ")[2]  # Arrow asks first whether this is Parquet.
        hint = f": cast Polars' Int128 to {NARROW}" if "64 bits" in cause else ""
        raise TypeError(f"{shown(place)} cannot be read: {cause}{hint}") from None
    if not dataset.files:
        raise FileNotFoundError(f"there are no Parquet files in {shown(place)}")
    _check_partitions(dataset, path, place)
    _check_schemas(dataset)
    schema = dataset.schema
    rows = sum(fragment.metadata.num_rows for fragment in dataset.get_fragments())
    # By default Arrow reads the whole file ahead into memory.
    options = {"pre_buffer": False, "buffer_size": READ_BYTES, "filesystem": filesystem}

    def read_file(fragment: Any, columns: list[str]) -> Iterator[Any]:
        # This takes four fifths of a dataset's time, and less memory.
        values = ds.get_partition_keys(fragment.partition_expression)
        own = [name for name in columns if name not in values]
        with pq.ParquetFile(fragment.path, **options) as file:
            for batch in file.iter_batches(BATCH_ROWS, columns=own, use_threads=False):
                whole = dict(zip(batch.schema.names, batch.columns, strict=True))
                for name, value in values.items():
                    value = pa.scalar(value, schema.field(name).type)
                    whole[name] = pa.repeat(value, batch.num_rows)
                yield pa.record_batch(whole)

    def read_rows(columns: list[str]) -> Iterator[Any]:
        try:
            for fragment in dataset.get_fragments():
                yield from read_file(fragment, columns)
        except (pa.ArrowException, OSError) as error:  # Arrow's messages do not name the file.
            raise OSError(f"{shown(place)} cannot be read: {str(error).strip()}") from None

    if filesystem.type_name != "local":
        return schema, rows, read_rows
    state = _state_of(dataset.files)

    def read_unchanged(columns: list[str]) -> Iterator[Any]:
        yield from read_rows(columns)
        if _state_of(dataset.files) != state:
            raise OSError(f"{shown(place)} was changed while it was read")

    return schema, rows, read_unchanged


def _state_of(paths: list[str]) -> list[tuple[int, ...]]:
    """Returns what tells a file from a changed one, for each."""
    found = map(os.stat, paths)
    return [(one.st_size, one.st_mtime_ns, one.st_ctime_ns, one.st_ino) for one in found]


def _check_partitions(dataset: Any, path: str, place: str) -> None:
    """Raises ValueError if the partitions in the files' paths differ, or have a name twice, or that
    of a column: Arrow would take nulls, or one of the values."""
    partitions = [_partitions(file.removeprefix(path)) for file in dataset.files]
    for file, names in zip(dataset.files, partitions, strict=True):
        if names != partitions[0]:
            raise ValueError(
                f"{shown(file)}: its path has other partitions than that of the first file,"
                f" {shown(dataset.files[0])}"
            )
    fragment = next(dataset.get_fragments())
    columns = [*fragment.physical_schema.names, *partitions[0]]
    for name in partitions[0]:
        if columns.count(name) > 1:
            raise ValueError(f"{shown(place)} has several columns {quoted(name)}")


def _partitions(path: str) -> list[str]:
    """Returns the names of the partitions in a file's path, as Hive writes them."""
    parts = [part for part in path.split("/")[:-1] if "=" in part]
    return [urllib.parse.unquote(part.split("=")[0]) for part in parts]


def _check_schemas(dataset: Any) -> None:
    """Raises ValueError if the files' columns differ: Arrow would take those of the first file, and
    leave out or convert those of the others."""
    fragments = dataset.get_fragments()
    first = next(fragments)
    expected = {field.name: field.type for field in first.physical_schema}
    for fragment in fragments:
        try:
            found = {field.name: field.type for field in fragment.physical_schema}
        except pa.ArrowInvalid as error:
            cause = line_of(error).rpartition("': ")[2]  # Arrow names the file, too.
            raise ValueError(f"{shown(fragment.path)} cannot be read as Parquet: {cause}") from None
        if found != expected:
            names = [*expected, *found]
            name = next(name for name in names if found.get(name) != expected.get(name))
            types = [str(kinds.get(name, "missing")) for kinds in (found, expected)]
            raise ValueError(
                f"{shown(fragment.path)}: column {quoted(name)} is {types[0]}, in"
                f" {shown(first.path)} it is {types[1]}: pass a pyarrow dataset with one schema"
            )


def taken(batch: Any, places: Any) -> Any:
    """Returns some rows of a batch, in types that Arrow's take supports."""
    columns = []
    for field, column in zip(batch.schema, batch.columns, strict=True):
        if pa.types.is_run_end_encoded(column.type):
            column = pc.run_end_decode(column)
        if _is_list_view(column.type):
            column = _listed(column)
        columns.append(column.cast(_type_taken(field)).take(places))
    return pa.record_batch(columns, names=batch.schema.names)


def _listed(column: Any) -> Any:
    """Returns a column of list views as lists; Arrow's cast takes the wrong values."""
    is_large = pa.types.is_large_list_view(column.type)
    lengths = pc.cast(pc.list_value_length(column), pa.int64()).fill_null(0)
    ends = pa.concat_arrays([pa.array([0], pa.int64()), pc.cumulative_sum(lengths)])
    lists, offset = (pa.LargeListArray, pa.int64()) if is_large else (pa.ListArray, pa.int32())
    mask = column.is_null() if column.null_count else None
    return lists.from_arrays(ends.cast(offset), column.flatten(), mask=mask)


def none_taken(schema: Any) -> Any:
    """Returns a table without rows, with the types of batches that taken returns. Raises TypeError
    for a column without such a type."""
    return pa.schema([pa.field(field.name, _type_taken(field)) for field in schema]).empty_table()


def _type_taken(field: Any) -> Any:
    kind = field.type.value_type if pa.types.is_run_end_encoded(field.type) else field.type
    if _is_list_view(kind):
        is_large = pa.types.is_large_list_view(kind)
        kind = (pa.large_list if is_large else pa.list_)(kind.value_field)
    try:
        return _takeable(kind)
    except pa.ArrowNotImplementedError:
        raise TypeError(
            f"Arrow cannot take rows of column {quoted(field.name)}, which is {field.type}: cast"
            " list views in it to lists, runs to their values, and maps of no type to one"
        ) from None


def _is_list_view(kind: Any) -> bool:
    return bool(pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind))


def _takeable(kind: Any) -> Any:
    """Returns an Arrow type without views of strings, whose dictionaries have indices of 32 bits or
    more, so that those of several chunks can be combined."""
    types = pa.types
    if types.is_string_view(kind):
        return pa.large_string()
    if types.is_binary_view(kind):
        return pa.large_binary()
    if types.is_dictionary(kind):
        index = kind.index_type if kind.index_type.bit_width > 32 else pa.int32()
        return pa.dictionary(index, _takeable(kind.value_type), kind.ordered)
    if types.is_struct(kind):
        return pa.struct([field.with_type(_takeable(field.type)) for field in kind])
    if types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_takeable(kind.value_type)))
    if types.is_large_list(kind):
        return pa.large_list(kind.value_field.with_type(_takeable(kind.value_type)))
    if types.is_fixed_size_list(kind):
        return pa.list_(kind.value_field.with_type(_takeable(kind.value_type)), kind.list_size)
    if types.is_map(kind) and not types.is_null(kind.key_type):
        return pa.map_(*map(_takeable, (kind.key_type, kind.item_type)), kind.keys_sorted)
    # Arrow's cast takes the wrong values of list views, and ends the process for keys of null.
    if _is_list_view(kind) or types.is_run_end_encoded(kind) or types.is_map(kind):
        raise pa.ArrowNotImplementedError
    return kind


def plain(kind: Any) -> Any:
    """Returns an Arrow type in its plain layout: without dictionaries, runs, views and large
    offsets."""
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return plain(kind.value_type)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        return pa.binary()
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_list_view(kind):
        return pa.list_(plain(kind.value_type))
    if pa.types.is_large_list_view(kind) or pa.types.is_fixed_size_list(kind):
        return pa.list_(plain(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, plain(field.type)) for field in kind])
    if pa.types.is_map(kind) and not pa.types.is_null(kind.key_type):
        return pa.map_(plain(kind.key_type), plain(kind.item_type))
    return kind
