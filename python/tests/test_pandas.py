# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests frames and series of pandas against Arrow, Polars and DuckDB: a row's digest depends on its
columns and not on the index. make test-python runs all tests of pandas with pandas 2, too."""

import datetime
import hashlib
import os

import finalist
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import engine
from finalist import merkle, parquet, tables

pd = engine("pandas")

TIME = datetime.datetime(2024, 5, 6, 7, 8, 9)
COLUMNS = {
    "n": [3, 1, 2, 5, 4],
    "s": ["c", "a", None, "é", ""],
    "x": [0.5, -1.0, 2.0, 0.25, 1e300],
    "t": [TIME + datetime.timedelta(hours=hours) for hours in range(5)],
}
BASE = pd.DataFrame(COLUMNS)
LEVELS = pd.MultiIndex.from_arrays([list("vwxyz"), [5, 4, 3, 2, 1]])
RANGES = pd.MultiIndex.from_arrays([pd.RangeIndex(5), list("vwxyz")])

#: Frames of some of BASE's rows, with the rows' indexes.
FRAMES = {
    "plain": (BASE, [0, 1, 2, 3, 4]),
    "filtered": (BASE[BASE["n"] > 1], [0, 2, 3, 4]),
    "filtered evenly": (BASE[BASE["n"].isin([3, 2, 4])], [0, 2, 4]),
    "sorted": (BASE.sort_values("n"), [1, 2, 0, 4, 3]),
    "sliced": (BASE[1:4], [1, 2, 3]),
    "concatenated": (pd.concat([BASE, BASE[::-1]]), [0, 1, 2, 3, 4, 4, 3, 2, 1, 0]),
    "named range": (BASE.rename_axis("id"), [0, 1, 2, 3, 4]),
    "named": (BASE.sort_values("n").rename_axis("id"), [1, 2, 0, 4, 3]),
    "named as a column": (BASE[::-1].rename_axis("n"), [4, 3, 2, 1, 0]),
    "strings": (BASE.set_axis(list("vwxyz")), [0, 1, 2, 3, 4]),
    "times": (BASE.set_axis(BASE["t"]), [0, 1, 2, 3, 4]),
    "levels": (BASE.set_axis(LEVELS), [0, 1, 2, 3, 4]),
    "named levels": (BASE.set_axis(LEVELS.set_names(["a", "b"])), [0, 1, 2, 3, 4]),
    "half-named levels": (BASE.set_axis(LEVELS.set_names(["a", None]))[1:], [1, 2, 3, 4]),
    "ranges as levels": (BASE.set_axis(RANGES), [0, 1, 2, 3, 4]),
    # Arrow has no type for these.
    "mixed objects": (BASE.set_axis(pd.Index([1, "a", 2.5, None, b"b"], dtype=object)), range(5)),
    "empty": (BASE[BASE["n"] > 9], []),
}


def test_the_version_is_the_one_to_test():
    assert pd.__version__.split(".")[0] == os.environ.get("FINALIST_PANDAS", "3")


def columns_of(rows):
    return {name: [values[row] for row in rows] for name, values in COLUMNS.items()}


def arrow(rows):
    types = [pa.int64(), pa.string(), pa.float64(), pa.timestamp("us")]
    return pa.table(columns_of(rows), pa.schema(list(zip(COLUMNS, types, strict=True))))


def digests(table, **arguments):
    return finalist.hash_rows(table, "blake2s", **arguments).to_list()


@pytest.mark.parametrize("name", FRAMES)
def test_rows_are_those_of_arrow_polars_and_duckdb(name):
    frame, rows = FRAMES[name]
    expected = digests(arrow(rows))
    assert len(expected) == len(frame)
    assert digests(frame) == expected
    assert digests(engine("polars").DataFrame(arrow(rows))) == expected
    assert digests(engine("duckdb").from_arrow(arrow(rows))) == expected
    assert merkle.row_hashes(frame, "blake2s") == merkle.row_hashes(arrow(rows), "blake2s")
    for names in (["x", "n"], ["x", "n", "s", "t"]):
        assert digests(frame, columns=names) == digests(arrow(rows), columns=names)


@pytest.mark.parametrize("name", [name for name in FRAMES if name != "mixed objects"])
def test_rows_of_arrow_data_that_were_frames(name, tmp_path):
    frame, rows = FRAMES[name]
    expected = digests(arrow(rows))
    table = pa.Table.from_pandas(frame)
    assert digests(table) == expected
    assert digests(table.select(table.column_names[::-1]), columns=list(COLUMNS)) == expected
    assert digests(pa.RecordBatchReader.from_batches(table.schema, table.to_batches())) == expected
    assert digests(pa.Table.from_pandas(frame, preserve_index=True)) == expected
    frame.to_parquet(tmp_path / "frame.parquet")
    assert digests(pq.read_table(tmp_path / "frame.parquet")) == expected
    parquet.hash_parquet(
        str(tmp_path / "frame.parquet"), str(tmp_path / "out"), "blake2s", columns=list(COLUMNS)
    )
    assert pq.read_table(tmp_path / "out")["digest"].to_pylist() == expected


@pytest.mark.parametrize("name", [name for name in FRAMES if name != "mixed objects"])
def test_the_index_if_it_is_asked_for(name):
    frame, rows = FRAMES[name]
    levels = [frame.index.get_level_values(level) for level in range(frame.index.nlevels)]
    table = arrow(rows)
    for number, level in enumerate(levels):
        table = table.append_column(f"level {number}", pa.array(level.to_numpy()))
    expected = digests(table)
    assert digests(frame, index=True) == expected
    assert digests(pa.Table.from_pandas(frame, preserve_index=True), index=True) == expected
    hashes = merkle.row_hashes(table, "blake2s")
    assert merkle.row_hashes(frame, "blake2s", index=True) == hashes
    chosen = digests(table, columns=["n", *table.column_names[len(COLUMNS) :]])
    assert digests(frame, columns=["n"], index=True) == chosen
    names = pa.Table.from_pandas(frame, preserve_index=True).column_names
    assert digests(frame, columns=["n", *names[len(COLUMNS) :]]) == chosen


def test_wrong_uses_of_the_index():
    table = pa.Table.from_pandas(BASE)
    with pytest.raises(ValueError, match="index is a range.*reset_index"):
        digests(table, index=True)
    with pytest.raises(ValueError, match="no pandas index"):
        digests(arrow([0]), index=True)
    with pytest.raises(TypeError, match="not a table of 4: "):
        finalist.hash_column("blake2s", pa.Table.from_pandas(BASE.sort_values("n")))
    table = pa.Table.from_pandas(BASE.sort_values("n")).select(["n"])
    with pytest.raises(ValueError, match="no column '__index_level_0__'"):
        digests(table, index=True)
    assert digests(table) == digests(arrow([1, 2, 0, 4, 3]).select(["n"]))
    for text in (b"{", b"[]", b'{"index_columns": 5}', b"\xff", b'{"index_columns": [5]}'):
        broken = table.replace_schema_metadata({b"pandas": text})
        with pytest.raises(ValueError, match="pandas metadata"):
            digests(broken)
        assert digests(broken, columns=["n"]) == digests(table)
    assert digests(table.replace_schema_metadata({b"pandas": b"{}"})) == digests(table)


def test_a_single_column_of_a_frame():
    frame = BASE.sort_values("n")
    expected = finalist.hash_column("blake2s", arrow([1, 2, 0, 4, 3])["s"]).to_list()
    for column in (frame["s"], frame[["s"]], pa.Table.from_pandas(frame[["s"]])):
        assert finalist.hash_column("blake2s", column).to_list() == expected


VALUES = ["é", None, "", "longer than the inline views' twelve bytes"]
SERIES = {
    "default": pd.Series(VALUES),
    "object": pd.Series(VALUES, dtype=object),
    "bytes": pd.Series([value and value.encode() for value in VALUES], dtype=object),
    "string": pd.Series(VALUES, dtype="string"),
    "category": pd.Series(VALUES, dtype="category"),
    "categorical": pd.Categorical(VALUES),
    "arrow": pd.Series(VALUES, dtype=pd.ArrowDtype(pa.string())),
    "arrow binary": pd.Series(
        pd.arrays.ArrowExtensionArray(
            pa.array([v and v.encode() for v in VALUES], pa.binary_view())
        )
    ),
    "not a number": pd.Series(
        [v or (float("nan") if v is None else v) for v in VALUES], dtype=object
    ),
    "index": pd.Index(VALUES, dtype=object),
    "array": pd.Series(VALUES, dtype="string").array,
}


@pytest.mark.parametrize("name", SERIES)
def test_series(name):
    found = finalist.hash_column("blake2s", SERIES[name])
    assert found.to_list() == [
        None if value is None else hashlib.blake2s(value.encode()).digest() for value in VALUES
    ]


def test_a_sorted_series():
    series = pd.Series(["b", "a"]).sort_values()
    assert finalist.hash_column("blake2s", series)[0] == hashlib.blake2s(b"a").digest()
    with pytest.raises(TypeError, match="^binary or string values .* Arrow type int64"):
        finalist.hash_column("blake2s", pd.Series([1, 2]))


def test_errors_name_the_column_and_the_value():
    with pytest.raises(TypeError, match="^column 'n': binary or string values .* Arrow type int64"):
        finalist.hash_column("blake2s", pd.Series([1, 2], name="n"))
    mixed = pd.Series(["a", None, 4], name="n", dtype=object, index=[2, 1, 0])
    text = "column 'n': the value at index 2, of type 'int': Expected bytes"
    with pytest.raises(TypeError, match=f"^{text}"):
        finalist.hash_column("blake2s", mixed)
    for call in (digests, finalist.fingerprint):
        with pytest.raises(TypeError, match=f"^{text}"):
            call(pd.DataFrame({"m": ["a", "b", "c"], "n": mixed}))
        with pytest.raises(TypeError, match="^column 'n': the value at index 0, of type 'complex"):
            call(pd.DataFrame({"m": ["a", "b"], "n": [1j, 2]}))


def test_frames_of_every_type_of_column():
    frame = pd.DataFrame(
        {
            "category": pd.Categorical(["a", None, "b"]),
            "integer": pd.array([1, None, 2], dtype="Int64"),
            "boolean": pd.array([True, None, False], dtype="boolean"),
            "zone": pd.to_datetime(["2024-01-01", None, "2024-07-01"]).tz_localize("Europe/Berlin"),
            "delta": pd.to_timedelta([1, None, 2], "s"),
            "bytes": [b"a", None, b""],
        }
    )[::-1]
    hour = datetime.timedelta(hours=1)
    times = [datetime.datetime(2024, 6, 30, 22), None, datetime.datetime(2023, 12, 31, 23)]
    table = pa.table(
        {
            "category": ["b", None, "a"],
            "integer": [2, None, 1],
            "boolean": [False, None, True],
            "zone": pa.array(times, pa.timestamp("s", "UTC")),
            "delta": [hour / 1800, None, hour / 3600],
            "bytes": [b"", None, b"a"],
        }
    )
    assert digests(frame) == digests(table)


def test_a_key_in_the_index():
    old = pd.DataFrame({"id": [1, 2], "x": [3, 4]}).set_index("id")
    new = pd.DataFrame({"id": [2, 1], "x": [4, 5]}).set_index("id")
    assert finalist.diff(old, new, "id").changed.to_pylist() == [
        {"id": 1, "columns": ["x"], "old": {"x": 3}, "new": {"x": 5}}
    ]
    columns = pa.table(old.reset_index())
    assert finalist.fingerprint(old, ["id", "x"]) == finalist.fingerprint(columns, ["id", "x"])
    assert finalist.fingerprint(old) == finalist.fingerprint(columns, ["x"])
    nothing = tables.Columns([], [], {})
    for sides in ((old, columns), (columns, old)):  # A column of one table, an index of the other.
        found = finalist.diff(*sides, "id")
        assert (found.equal, found.columns) == (True, nothing)
    levels = [old.index, pd.Index([7, 8])]
    both = old.set_index(levels)  # One level has no name.
    assert finalist.diff(both, columns, "id").equal
