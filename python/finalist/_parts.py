# SPDX-License-Identifier: MIT OR Apache-2.0
"""Hashes a Parquet table part by part, for finalist.parquet and the engines.

A driver calls plan_of and hash_all; workers call footer and hash_part, possibly several times for
one part.
"""

from __future__ import annotations

import collections
import dataclasses
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped,unused-ignore]
from pyarrow import fs as arrow_fs  # type: ignore[import-untyped,unused-ignore]

from . import _files, _footer, _places
from ._ranges import Range, combine
from ._roots import ROWS
from ._shown import counted, line_of, quoted, shown
from ._tables import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ._hashing import Hashing

#: Names of an output's other files. Engines ignore files whose names begin with _ or a dot.
PARTS = "_parts.parquet"
TEMPORARY = ".part-"

#: Least rows of a part, except a file's last, and rows to hash at a time. Very large tables get
#: longer parts, so that the driver can keep the list of parts.
PART_ROWS = 1 << 20
PARTS_MAX = 100_000
BATCH_ROWS = 1 << 17

#: Up to this many files, the driver reads footers instead of starting a job; and the number it
#: reads at a time, since stores have a high latency.
FOOTERS_ON_DRIVER = 64
READERS = 16

OK = "ok"
UNREADABLE = "unreadable"
VANISHED = "vanished"
CHANGED = "changed"

#: A file according to its footer. groups: the rows of each row group.
FILES = pa.schema(
    {
        "path": pa.string(),
        "size": pa.int64(),
        "modified_ns": pa.int64(),
        "changed_ns": pa.int64(),
        "inode": pa.int64(),
        "groups": pa.list_(pa.int64()),
        "status": pa.string(),
        "error": pa.string(),
    }
)
#: A part, for a worker. number: its index among all parts; first: the index of its first row.
TASKS = pa.schema(
    {
        "number": pa.int64(),
        "path": pa.string(),
        "size": pa.int64(),
        "modified_ns": pa.int64(),
        "changed_ns": pa.int64(),
        "inode": pa.int64(),
        "first_group": pa.int64(),
        "group_count": pa.int64(),
        "first": pa.int64(),
        "count": pa.int64(),
        "status": pa.string(),
        "error": pa.string(),
    }
)
#: A worker's result for a part. nodes: the nodes of merkle.Range over its rows.
RESULTS = TASKS.append(pa.field("nodes", pa.binary()))


class Incomplete(OSError):
    """Some parts could not be hashed. result: the output without them, with a status for every
    part. An output to overwrite is unchanged; the new one is beside it."""

    def __init__(self, result: Result, final: str) -> None:
        self.result = result
        failed = [row for row in result.parts.to_pylist() if row["status"] != OK]
        first = failed[0]
        text = f"{shown(first['path'])}: {first['status']}: {first['error']}"
        more = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
        kept = f"; {shown(final)} is as it was, what was done is in {shown(result.out)}"
        super().__init__(
            f"{len(failed)} of {result.parts.num_rows} parts failed: {text}{more}"
            + (kept if result.out != final else "")
        )


@dataclasses.dataclass(frozen=True)
class Result:
    """An output. out: its directory. rows: the number of rows. parts: a pyarrow table with a row
    for each part, in the order of the rows. root: of the Merkle tree over the rows, as
    merkle.row_hashes hashes them; None if it was not requested or parts failed."""

    out: str
    rows: int
    parts: Any
    root: bytes | None


@dataclasses.dataclass(frozen=True)
class Plan:
    """The parameters of all parts of an output, which workers get with the key. out: the directory
    to write to; final: the directory of the complete output. kept: the types of the columns to keep
    in the file named first; None before it is read."""

    hashing: Hashing
    column: str | None
    columns: list[str] | None
    keep: list[str]
    name: str
    numbers: Any
    root: bool
    source: Any
    target: Any
    out: str
    final: str
    kept: list[Any] | None = None
    first: str = ""

    @property
    def read(self) -> list[str]:
        """Returns the columns to read, each once."""
        hashed = [self.column] if self.column is not None else self.columns or []
        return list(dict.fromkeys([*self.keep, *hashed]))

    def empty(self, schema: Any) -> Any:
        """Returns a table without rows, with the columns to read."""
        columns = [pa.array([], schema.field(name).type) for name in self.read]
        return pa.record_batch(columns, names=self.read)

    def digests(self, batch: Any) -> Any:
        """Returns the output's rows for rows of the input."""
        if self.column is not None:
            digests = self.hashing.column(batch.column(self.column), self.column)
        else:
            digests = self.hashing.rows(batch, self.columns, self.numbers)
        kept = [batch.column(name) for name in self.keep]
        return pa.record_batch([*kept, digests], names=[*self.keep, self.name])

    def check(self, schema: Any, path: str) -> None:
        """Raises if a column is missing in a file or has a type that cannot be hashed."""
        counts = collections.Counter(schema.names)
        for name in self.read:
            if counts[name] != 1:
                found = "several columns" if name in counts else "no column"
                have = shown(", ".join(schema.names))
                raise ValueError(f"{shown(path)} has {found} {quoted(name)}; there are: {have}")
        for name, kind in zip(self.keep, self.kept or (), strict=False):
            if schema.field(name).type != kind:  # The output's files would differ in columns.
                raise TypeError(
                    f"{shown(path)}: column {quoted(name)} is {schema.field(name).type}, in"
                    f" {shown(self.first)} it is {kind}"
                )
        try:
            made = self.digests(self.empty(schema))
            if self.root:
                self.hashing.leaves(made)
        except TypeError as error:
            raise TypeError(f"{shown(path)}: {shown(str(error))}") from None


def plan_of(
    source: _places.Place | Sequence[_places.Place],
    out: _places.Place,
    hashing: Hashing,
    *,
    column: str | None,
    columns: Sequence[str] | None,
    keep: Sequence[str],
    name: str,
    numbers: Any,
    root: bool,
    overwrite: bool,
) -> tuple[Plan, list[str]]:
    """Checks the arguments and lists the files; writes nothing. Errors as in hash_parquet."""
    if (column is None) == (columns is None):
        raise ValueError("say which column to hash, or which columns' rows: one of the two")
    if not isinstance(name, str):
        raise TypeError(f"name is a string, not '{type(name).__name__}'")
    columns, keep = None if columns is None else listed(columns), listed(keep, "keep")
    if column is not None and numbers != "exact":
        raise ValueError("numbers has no use with column: it is for the rows of columns")
    if columns is not None and not columns:
        raise ValueError("columns is empty: there is nothing to hash")
    if name in keep:
        own = quoted(name)
        raise ValueError(f"the output would have two columns {own}: give the digests a name")
    if root and hashing.digest_size > 64:
        raise ValueError("a tree's hashes have at most 64 bytes: set digest_size, or root=False")
    places, output = _sources(source), _places.named(out)
    target, final = _places.filesystem_of(output)
    files_of, paths, folders = _listed(places)
    found = [*paths, *folders] if files_of.type_name == "local" else []
    _places.check_apart(places, found, output)
    plan = Plan(
        hashing=hashing,
        column=column,
        columns=columns,
        keep=keep,
        name=name,
        numbers=numbers,
        root=root,
        source=files_of,
        target=target,
        out=_places.prepare(target, final, overwrite),
        final=final,
    )
    return _checked(plan, paths), paths


def _checked(plan: Plan, paths: list[str]) -> Plan:
    """Checks the columns of the first file that can be read, and requires its kept ones of all."""
    for path in paths:
        try:
            with pq.ParquetFile(path, filesystem=plan.source) as file:
                schema = file.schema_arrow
        except (OSError, pa.ArrowException):
            continue
        plan.check(schema, path)
        kept = [schema.field(name).type for name in plan.keep]
        return dataclasses.replace(plan, kept=kept, first=path)
    return plan


def _sources(source: Any) -> list[str]:
    """Returns the names of the sources. Raises TypeError for what is no name and no list of them,
    ValueError for an empty list."""
    sources: Any = [source] if isinstance(source, str | bytes | os.PathLike) else source
    try:
        places = [_places.named(place) for place in sources]
    except TypeError:
        kind = type(source).__name__
        raise TypeError(f"source is a path, a URL or a list of these, not {kind}") from None
    if not places:
        raise ValueError("source is an empty list: there is nothing to hash")
    return places


def _listed(places: list[str]) -> tuple[Any, list[str], list[str]]:
    """Lists the Parquet files of the sources, sorted by name within each source, and the local
    directories in them."""
    paths: list[str] = []
    folders: list[str] = []
    filesystem: Any = None
    for place in places:
        known, path = _places.filesystem_of(place)
        if filesystem is not None and not filesystem.equals(known):
            raise ValueError("the sources are in different file systems: hash them one by one")
        filesystem = known
        info = filesystem.get_file_info(path)
        if info.type == arrow_fs.FileType.NotFound:
            raise FileNotFoundError(f"there is no file or directory {shown(place)}")
        if info.type == arrow_fs.FileType.File:
            paths.append(path)
            continue
        _places.check_not_delta(filesystem, path, place)
        if filesystem.type_name == "local":
            files, within = _places.below(path)
            folders += within
        else:
            found = filesystem.get_file_info(arrow_fs.FileSelector(path, recursive=True))
            files = [
                one.path
                for one in found
                if one.type == arrow_fs.FileType.File
                and not any(
                    part[:1] in "._" for part in one.path[len(path) :].strip("/").split("/")
                )
            ]
        paths += sorted(file for file in files if file.endswith(".parquet"))
    if not paths:
        raise FileNotFoundError(f"there are no Parquet files in {shown(', '.join(places))}")
    if len(set(paths)) != len(paths):
        raise ValueError("the sources name a file twice")
    if filesystem.type_name == "local":
        for path in paths:
            _places.check_text(path)
    return filesystem, paths, folders


def _failure(error: Exception) -> dict[str, str]:
    status = VANISHED if isinstance(error, FileNotFoundError) else UNREADABLE
    return {"status": status, "error": f"{type(error).__name__}: {line_of(error)}"}


#: Columns that reveal a change of a file: size, times and inode.
STATE = ("size", "modified_ns", "changed_ns", "inode")


def _state(plan: Plan, path: str) -> dict[str, int | None]:
    if plan.source.type_name == "local":
        status = os.stat(path)
        state = (status.st_size, *_files.state_of(status))
    else:
        info = plan.source.get_file_info(path)
        if info.type != arrow_fs.FileType.File:
            raise FileNotFoundError(f"{shown(path)} is gone")
        state = (info.size, info.mtime_ns, None, None)
    return dict(zip(STATE, state, strict=True))


def footer(plan: Plan, path: str) -> dict[str, Any]:
    """Returns the row of FILES for one file. Errors: those of Plan.check."""
    row: dict[str, Any] = {"path": path, "groups": [], "status": OK, "error": ""}
    try:
        row |= _state(plan, path)
        with pq.ParquetFile(path, filesystem=plan.source) as file:
            groups = range(file.num_row_groups)
            row["groups"] = [file.metadata.row_group(group).num_rows for group in groups]
            schema = file.schema_arrow
    except (OSError, pa.ArrowException) as error:
        return row | _failure(error)
    plan.check(schema, path)
    return row


def footers(plan: Plan, paths: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the rows of FILES for all files."""
    with ThreadPoolExecutor(READERS) as pool:
        return list(pool.map(lambda path: footer(plan, path), paths))


def tasks(files: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Divides files, in their order, into parts. A file that cannot be read is one part."""
    found: list[dict[str, Any]] = []
    listed = list(files)
    rows = max(PART_ROWS, sum(sum(file["groups"]) for file in listed) // PARTS_MAX)
    first = 0
    for file in listed:
        groups = file["groups"]
        common = {name: file.get(name) for name in ("path", *STATE)}
        state = {"status": file["status"], "error": file["error"]}
        begin = 0
        while True:
            end, count = begin, 0
            while end < len(groups) and count < rows:
                count += groups[end]
                end += 1
            place = {"first_group": begin, "group_count": end - begin, "first": first}
            found.append({"number": len(found), **common, **place, "count": count, **state})
            first, begin = first + count, end
            if end >= len(groups):
                break
    return found


def hash_part(plan: Plan, task: dict[str, Any]) -> dict[str, Any]:
    """Reads, hashes and writes one part. Returns its row of RESULTS.

    The file gets its name only when it is complete, so repeated or concurrent attempts at a part
    leave the same bytes.
    """
    if task["status"] != OK:
        return {**task, "nodes": b""}
    path = f"{plan.out}/part-{task['number']:08d}.parquet"
    try:
        with _places.written(plan.target, path) as stream:
            try:
                nodes, rows = _write_part(plan, task, stream)
                if rows != task["count"]:
                    read = counted(rows, "row", "rows")
                    raise OSError(f"{read} where there were {task['count']}")
                _check_unchanged(plan, task)
            # A file replaced just before it was opened may have other columns.
            except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
                raise _Failed from error
    except _Failed as failed:
        return {**task, **_why(plan, task, failed.__cause__), "nodes": b""}
    return {**task, "nodes": nodes}


class _Failed(Exception):
    """A part cannot be hashed; __cause__ is the reason."""


class _Changed(OSError):
    """A file changed since it was listed."""


def _check_unchanged(plan: Plan, task: dict[str, Any]) -> None:
    if _state(plan, task["path"]) != {name: task[name] for name in STATE}:
        raise _Changed(f"{shown(task['path'])} was written to after it was listed")


def _why(plan: Plan, task: dict[str, Any], error: Any) -> dict[str, str]:
    """Returns status and error of a part. `changed` takes precedence over an error of reading."""
    try:
        _check_unchanged(plan, task)
    except _Changed as changed:
        return {"status": CHANGED, "error": str(changed)}
    except OSError as failed:
        return _failure(failed)
    return _failure(error)


def _write_part(plan: Plan, task: dict[str, Any], stream: Any) -> tuple[bytes, int]:
    """Writes the part's rows. Returns the nodes of their range and the number of rows."""
    ranges: list[Range] = []
    rows = 0
    _check_unchanged(plan, task)
    groups = range(task["first_group"], task["first_group"] + task["group_count"])
    with pq.ParquetFile(
        task["path"], filesystem=plan.source, page_checksum_verification=True
    ) as file:
        schema = plan.digests(plan.empty(file.schema_arrow)).schema
        # Digests are incompressible; dictionaries and statistics are useless, too.
        by_column: dict[str, Any] = {
            "compression": {**dict.fromkeys(plan.keep, "snappy"), plan.name: "none"},
            "use_dictionary": plan.keep,
            "write_statistics": plan.keep,
        }
        writer = pq.ParquetWriter(stream, schema, **by_column)
        with writer:
            for batch in file.iter_batches(BATCH_ROWS, row_groups=list(groups), columns=plan.read):
                made = plan.digests(batch)
                writer.write_batch(made)
                if plan.root:
                    leaves = plan.hashing.leaves(made)
                    ranges.append(plan.hashing.range(leaves, task["first"] + rows))
                rows += batch.num_rows
    if not plan.root:
        return b"", rows
    ranges.append(plan.hashing.range(b"", task["first"] + rows))
    return combine(ranges, **plan.hashing.secrets).nodes, rows


def hash_all(
    plan: Plan,
    paths: Sequence[str],
    read_footers: Callable[[], list[dict[str, Any]]],
    hash_parts: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],
) -> Result:
    """Writes the output. read_footers, hash_parts: run footer and hash_part on an engine's
    workers."""
    files = footers(plan, paths) if len(paths) <= FOOTERS_ON_DRIVER else read_footers()
    planned = tasks(files)
    with _places.made(plan.target, plan.out, plan.final, keep=Incomplete):
        result = finish(plan, planned, hash_parts(planned))
    _places.replace(plan.target, plan.out, plan.final)
    return result


def finish(plan: Plan, planned: list[dict[str, Any]], results: list[dict[str, Any]]) -> Result:
    """Checks that each part has one result, and completes the output. Errors: Incomplete."""
    results = sorted(results, key=lambda row: row["number"])
    if [row["number"] for row in results] != [task["number"] for task in planned]:
        raise RuntimeError("the engine lost a part's result, or gave one twice")
    for info in plan.target.get_file_info(arrow_fs.FileSelector(plan.out)):
        if info.base_name.startswith(TEMPORARY):  # A killed attempt left it.
            plan.target.delete_file(info.path)
    complete = all(row["status"] == OK for row in results)
    hashing, root = plan.hashing, None
    if complete and plan.root:
        ranges = [hashing.part(row["first"], row["count"], row["nodes"]) for row in results]
        root = hashing.root(combine(ranges, **hashing.secrets), ROWS)
    parts = pa.Table.from_pylist(results, RESULTS)
    about = {
        "finalist.format": ROWS,
        "finalist.algorithm": hashing.algorithm,
        "finalist.digest_bits": str(hashing.digest_size * 8),
        "finalist.keyed": "true" if hashing.key else "false",
        "finalist.root": "" if root is None else root.hex(),
    }
    with _places.written(plan.target, f"{plan.out}/{PARTS}") as stream:
        pq.write_table(parts.replace_schema_metadata(about), stream)
    done = sum(row["count"] for row in results if row["status"] == OK)
    if not complete:
        raise Incomplete(Result(plan.out, done, parts, root), plan.final)
    with _places.written(plan.target, f"{plan.out}/{_places.SUCCESS}"):
        pass
    return Result(plan.final, done, parts, root)


def read(file: Any) -> tuple[Any, dict[str, str]]:
    """Reads _parts.parquet and returns the parts and the metadata of the output. file: open for
    reading. Errors: ValueError, and those of pyarrow."""
    pairs = [pair for pair in _footer.metadata_of(file) if pair[0].startswith("finalist.")]
    about = {name.removeprefix("finalist."): value for name, value in pairs}
    wanted = {"format", "algorithm", "digest_bits", "keyed", "root"}
    if about.get("format") != ROWS:
        form = quoted(about["format"]) if "format" in about else "none"
        raise ValueError(f"the format is {form}, not {ROWS!r}: make the output again")
    if len(pairs) != len(wanted) or about.keys() != wanted:
        raise ValueError("its metadata are not complete, or there twice")
    if about["keyed"] not in ("true", "false"):
        raise ValueError(f"invalid keyed: {quoted(about['keyed'])}")
    table = pq.ParquetFile(file).read()
    if not table.schema.equals(RESULTS):
        raise ValueError("its columns are others than those of parts")
    return table, about
