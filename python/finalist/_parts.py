# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of a Parquet table, hashed one by one: what finalist.parquet and the engines share.

A driver calls plan_of and hash_all; footer and hash_part are the work, done once or more often,
here or elsewhere.
"""

from __future__ import annotations

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
from ._shown import line_of, quoted, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ._hashing import Hashing

#: What an output has beside its parts. Engines read files whose names begin with neither.
PARTS = "_parts.parquet"
TEMPORARY = ".part-"

#: Rows from which on a part is long enough, and rows that are hashed at a time. Very large tables
#: have longer parts, so that there are not many more of them than the driver can keep.
PART_ROWS = 1 << 20
PARTS_MAX = 100_000
BATCH_ROWS = 1 << 17

#: Files whose footers a driver reads itself, which is sooner done than starting a job, and how many
#: it reads at a time: stores answer late.
FOOTERS_ON_DRIVER = 64
READERS = 16

OK = "ok"
UNREADABLE = "unreadable"
VANISHED = "vanished"
CHANGED = "changed"

#: A file as its footer tells it. groups: the rows of each row group.
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
#: What a worker is told of a part. number: its place among all; first: its first row's.
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
#: What it tells of the part. nodes: of the rows' Merkle tree, as in merkle.Range.
RESULTS = TASKS.append(pa.field("nodes", pa.binary()))


class Incomplete(OSError):
    """Some parts could not be hashed. result: what was done, with a status for every part, and
    where: beside an output that was to be overwritten, which is as it was."""

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
    """An output. out: its directory. rows: how many it has. parts: a pyarrow table with a row for
    each part, in the order of the rows. root: that of the Merkle tree over its rows as
    merkle.row_hashes takes them; None if it was not asked for or parts failed."""

    out: str
    rows: int
    parts: Any
    root: bytes | None


@dataclasses.dataclass(frozen=True)
class Plan:
    """What all parts of an output have in common. Sent to the workers, with the key. out: where
    they are written; final: where the complete output is to be."""

    hashing: Hashing
    column: str | None
    columns: list[str] | None
    keep: list[str]
    name: str
    root: bool
    source: Any
    target: Any
    out: str
    final: str

    @property
    def read(self) -> list[str]:
        """The columns that are read, each once."""
        hashed = [self.column] if self.column is not None else self.columns or []
        return list(dict.fromkeys([*self.keep, *hashed]))

    def empty(self, schema: Any) -> Any:
        """No rows of a file with this schema."""
        columns = [pa.array([], schema.field(name).type) for name in self.read]
        return pa.record_batch(columns, names=self.read)

    def digests(self, batch: Any) -> Any:
        """The output's rows for some of the input's."""
        if self.column is not None:
            digests = self.hashing.column(batch.column(self.column), self.column)
        else:
            digests = self.hashing.rows(batch, self.columns)
        kept = [batch.column(name) for name in self.keep]
        return pa.record_batch([*kept, digests], names=[*self.keep, self.name])

    def check(self, schema: Any, path: str) -> None:
        """Raises if the columns are not in a file, or are of types that cannot be hashed."""
        for name in self.read:
            if schema.names.count(name) != 1:
                found = "several columns" if name in schema.names else "no column"
                have = shown(", ".join(schema.names))
                raise ValueError(f"{shown(path)} has {found} {quoted(name)}; there are: {have}")
        try:
            made = self.digests(self.empty(schema))
            if self.root:
                self.hashing.leaves(made)
        except TypeError as error:
            raise TypeError(f"{shown(path)}: {shown(str(error))}") from None


def plan_of(
    source: str | Sequence[str],
    out: str,
    hashing: Hashing,
    *,
    column: str | None,
    columns: Sequence[str] | None,
    keep: Sequence[str],
    name: str,
    root: bool,
    overwrite: bool,
) -> tuple[Plan, list[str]]:
    """Checks everything that can be checked before the work, and lists the files; writes nothing.
    Errors as in hash_parquet."""
    if (column is None) == (columns is None):
        raise ValueError("say which column to hash, or which columns' rows: one of the two")
    for what, names in (("columns", columns), ("keep", keep)):
        if isinstance(names, str):
            raise TypeError(f"{what} is a list of names, not one name")
    if columns is not None and not columns:
        raise ValueError("columns is empty: there is nothing to hash")
    if name in keep:
        own = quoted(name)
        raise ValueError(f"the output would have two columns {own}: give the digests a name")
    if root and hashing.digest_size > 64:
        raise ValueError("a tree's hashes have at most 64 bytes: set digest_size, or root=False")
    places = [source] if isinstance(source, str) else list(source)
    files_of, paths = _listed(places)
    _places.check_apart(places, paths, out)
    target, final = _places.filesystem_of(out)
    plan = Plan(
        hashing=hashing,
        column=column,
        columns=None if columns is None else list(columns),
        keep=list(keep),
        name=name,
        root=root,
        source=files_of,
        target=target,
        out=_places.prepare(target, final, overwrite),
        final=final,
    )
    _check_first(plan, paths)
    return plan, paths


def _check_first(plan: Plan, paths: list[str]) -> None:
    """Checks the columns of the first file that can be read."""
    for path in paths:
        try:
            with pq.ParquetFile(path, filesystem=plan.source) as file:
                schema = file.schema_arrow
        except (OSError, pa.ArrowException):
            continue
        plan.check(schema, path)
        return


def _listed(places: list[str]) -> tuple[Any, list[str]]:
    """The Parquet files of files and directories, each place's by name."""
    paths: list[str] = []
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
        found = filesystem.get_file_info(arrow_fs.FileSelector(path, recursive=True))
        paths += sorted(
            one.path
            for one in found
            if one.type == arrow_fs.FileType.File
            and one.path.endswith(".parquet")
            and not any(part[:1] in "._" for part in one.path[len(path) :].strip("/").split("/"))
        )
    if not paths:
        raise FileNotFoundError(f"there are no Parquet files in {shown(', '.join(places))}")
    if len(set(paths)) != len(paths):
        raise ValueError("the sources name a file twice")
    return filesystem, paths


def _failure(error: Exception) -> dict[str, str]:
    status = VANISHED if isinstance(error, FileNotFoundError) else UNREADABLE
    return {"status": status, "error": f"{type(error).__name__}: {line_of(error)}"}


#: By which a file is known not to have changed.
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
    """What FILES has of one file. Errors: ValueError and TypeError as Plan.check raises them."""
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
    """What FILES has of each file, read here."""
    with ThreadPoolExecutor(READERS) as pool:
        return list(pool.map(lambda path: footer(plan, path), paths))


def tasks(files: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cuts files, in their order, into parts. A file that cannot be read is one part."""
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
    """Reads, hashes and writes one part; returns its row of RESULTS.

    The output gets its name when it is complete, so that attempts at the same part, one after the
    other or at once, leave the same bytes.
    """
    if task["status"] != OK:
        return {**task, "nodes": b""}
    path = f"{plan.out}/part-{task['number']:08d}.parquet"
    try:
        with _places.written(plan.target, path) as stream:
            try:
                nodes, rows = _write_part(plan, task, stream)
                if rows != task["count"]:
                    raise OSError(f"{rows} rows where there were {task['count']}")
                _check_unchanged(plan, task)
            except (OSError, pa.ArrowException) as error:
                raise _Failed from error
    except _Failed as failed:
        return {**task, **_why(plan, task, failed.__cause__), "nodes": b""}
    return {**task, "nodes": nodes}


class _Failed(Exception):
    """A part cannot be hashed, for what caused this."""


class _Changed(OSError):
    """A file is another one than when it was listed."""


def _check_unchanged(plan: Plan, task: dict[str, Any]) -> None:
    if _state(plan, task["path"]) != {name: task[name] for name in STATE}:
        raise _Changed(f"{shown(task['path'])} was written to after it was listed")


def _why(plan: Plan, task: dict[str, Any], error: Any) -> dict[str, str]:
    """Status and error of a part: whatever reading said, a file that changed is that first."""
    try:
        _check_unchanged(plan, task)
    except _Changed as changed:
        return {"status": CHANGED, "error": str(changed)}
    except OSError as failed:
        return _failure(failed)
    return _failure(error)


def _write_part(plan: Plan, task: dict[str, Any], stream: Any) -> tuple[bytes, int]:
    """Writes the part's rows; returns the nodes of their range and how many they were."""
    ranges: list[Range] = []
    rows = 0
    _check_unchanged(plan, task)
    groups = range(task["first_group"], task["first_group"] + task["group_count"])
    with pq.ParquetFile(
        task["path"], filesystem=plan.source, page_checksum_verification=True
    ) as file:
        schema = plan.digests(plan.empty(file.schema_arrow)).schema
        # Digests are as good as random: compression, dictionaries and statistics find nothing.
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
    """Makes the output. read_footers: reads those of many files; hash_parts: hashes parts, both by
    an engine's workers."""
    files = footers(plan, paths) if len(paths) <= FOOTERS_ON_DRIVER else read_footers()
    planned = tasks(files)
    with _places.made(plan.target, plan.out, plan.final, keep=Incomplete):
        result = finish(plan, planned, hash_parts(planned))
    _places.replace(plan.target, plan.out, plan.final)
    return result


def finish(plan: Plan, planned: list[dict[str, Any]], results: list[dict[str, Any]]) -> Result:
    """Checks that every part is there once and completes the output. Errors: Incomplete."""
    results = sorted(results, key=lambda row: row["number"])
    if [row["number"] for row in results] != [task["number"] for task in planned]:
        raise RuntimeError("the engine lost a part's result, or gave one twice")
    for info in plan.target.get_file_info(arrow_fs.FileSelector(plan.out)):
        if info.base_name.startswith(TEMPORARY):  # Of an attempt that was ended.
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
    """What _parts.parquet says of the parts and of the output. file: it, open for reading. Errors:
    ValueError, and those of pyarrow."""
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
    file.seek(0)
    table = pq.ParquetFile(file).read()
    if not table.schema.equals(RESULTS):
        raise ValueError("its columns are others than those of parts")
    return table, about
