# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests dictionary-encoded columns against their plain values: Arrow's dictionaries, Categorical
and Enum of Polars, ENUM of DuckDB."""

import finalist
import finalist.duckdb
import finalist.polars
import numpy
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import engine
from finalist import _given, parquet
from hypothesis import given
from hypothesis import strategies as st
from test_column import many_examples

INDICES = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64()]
INDICES.append(pa.uint64())
VALUES = [pa.string(), pa.large_binary(), pa.binary_view(), pa.string_view()]


def digests(column, **parameters):
    return finalist.hash_column("blake2s", column, **parameters).to_list()


def expected(values, **parameters):
    encoded = (value.encode() if isinstance(value, str) else value for value in values)
    return [
        None if value is None else finalist.blake2s(value, **parameters).digest()
        for value in encoded
    ]


def dictionary(indices, values, index="int32", kind="string", safe=True):
    indices, values = pa.array(indices, index), pa.array(values, kind)
    return pa.DictionaryArray.from_arrays(indices, values, safe=safe)


@many_examples()
@given(st.data())
def test_layouts_slices_nulls_and_chunks(data):
    index, kind = data.draw(st.sampled_from(INDICES)), data.draw(st.sampled_from(VALUES))
    size = data.draw(st.sampled_from([1, 8, 16, 20, 28, 32, 7]))
    chunks, values = [], []
    for _ in range(data.draw(st.integers(1, 3))):
        known = data.draw(st.lists(st.one_of(st.none(), st.text(max_size=20)), max_size=30))
        places = st.one_of(st.none(), st.integers(0, len(known) - 1)) if known else st.none()
        indices = data.draw(st.lists(places, max_size=60))
        start, count = data.draw(st.tuples(st.integers(0, 9), st.integers(0, 60)))
        chunks.append(dictionary(indices, known, index, kind).slice(start, count))
        cut = indices[start : start + count]
        values += [None if place is None else known[place] for place in cut]
    threads = data.draw(st.integers(1, 2))
    column = pa.chunked_array(chunks)
    found = finalist.hash_column("blake2s", column, digest_size=size, threads=threads)
    assert found.to_list() == expected(values, digest_size=size)
    assert found.null_count == values.count(None)
    table = pa.table({"x": column})
    assert digests(table, digest_size=size) == found.to_list()
    is_text = kind in (pa.string(), pa.string_view())
    plain = pa.table(
        {"x": pa.array(values, pa.string()).cast(pa.string() if is_text else "binary")}
    )
    rows = finalist.hash_rows(plain, "blake2s").to_list()
    assert finalist.hash_rows(table, "blake2s").to_list() == rows


@pytest.mark.parametrize("size", [4, 8, 12, 13, 16, 20, 28, 32])
@pytest.mark.parametrize("nulls", [False, True])
def test_many_rows(size, nulls):
    """More rows than a piece or a gathering step has, in slices that begin within a byte."""
    values = [f"value {number}" for number in range(300)] + [None] * nulls
    random = numpy.random.default_rng(size)
    indices = [int(place) for place in random.integers(0, len(values), 100_003)]
    if nulls:
        indices[::7] = [None] * len(indices[::7])
    hashed = [*expected(values, digest_size=size), None]
    wanted = [hashed[-1 if place is None else place] for place in indices]
    column = dictionary(indices, values, pa.uint16())
    for threads in (1, 3):
        assert digests(column, digest_size=size, threads=threads) == wanted
    assert digests(column.slice(5, 70_000), digest_size=size) == wanted[5:70_005]
    assert digests(column.slice(5, 100), digest_size=size) == wanted[5:105]


def test_every_algorithm():
    column = dictionary([1, 0, None, 1, 1], ["a", "b"])
    for name in sorted(finalist.algorithms_available):
        extra = {"digest_size": 40} if name.startswith("blake2x") else {}
        found = finalist.hash_column(name, column, **extra).to_list()
        assert found == finalist.hash_column(name, column.cast(pa.string()), **extra).to_list()


def test_long_values():
    values = [bytes(17 << 20), b"short", bytes(5 << 20), b"\1" * (12 << 20)]
    for indices in ([0, 1, None, 3, 2, 0], [3, 0], [2, 3, 2]):
        column = dictionary(indices, values, kind="large_binary")
        wanted = expected(values)
        assert digests(column) == [None if i is None else wanted[i] for i in indices]


@pytest.mark.parametrize("index", INDICES)
def test_indices_beyond_the_values(index):
    """Indices of nulls are not read; negative ones are refused, also if a byte would wrap."""
    values = [f"{number}" for number in range(100)] * 3
    wrong = [100] if index.bit_width == 8 else [300, index.bit_width * 1000]
    if str(index).startswith("int"):
        wrong += [-1, -128]
    else:
        wrong += [2**index.bit_width - 1] if index.bit_width > 8 else [255]
    for bad in wrong:
        for known in (values[:100], values):
            if 0 <= bad < len(known):
                continue
            for rows in ([bad], [1] * 400 + [bad]):
                column = dictionary(rows, known, index, safe=False)
                for threads in (1, 2):
                    with pytest.raises(ValueError, match="column 'x': .*indices.*beyond the data"):
                        digests(pa.table({"x": column}), threads=threads)
                with pytest.raises(ValueError, match="column 'x': .*index beyond the data"):
                    finalist.hash_rows(pa.table({"x": column}), "blake2s")
            mask = numpy.array([False, True] * 200)
            hidden = pa.array(numpy.array([1, bad] * 200, index.to_pandas_dtype()), mask=mask)
            column = pa.DictionaryArray.from_arrays(hidden, pa.array(known), safe=False)
            assert digests(column) == expected(["1", None] * 200)
            assert digests(column.slice(0, 3)) == expected(["1", None, "1"])


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (dictionary([0], [5], kind="int64"), "not a dictionary of Arrow type int64"),
        (
            pa.DictionaryArray.from_arrays(pa.array([0]), dictionary([0], ["a"])),
            "not a dictionary of Arrow type int32",
        ),
    ],
)
def test_dictionaries_of_other_values(column, text):
    with pytest.raises(TypeError, match=f"binary or string values are required, {text}"):
        digests(column)


NAMES = [None if row % 7 == 3 else f"name {row % 40}" for row in range(5000)]


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("size", [8, 12, 13, 32])
def test_polars(streaming, size):
    pl = engine("polars")
    kinds = [pl.Categorical, pl.Enum(sorted({name for name in NAMES if name}))]
    expression = pl.col("x").fin.blake2s(digest_size=size)
    for kind in kinds:
        series = pl.Series("x", NAMES, dtype=kind)
        assert digests(series, digest_size=size) == expected(NAMES, digest_size=size)
        chunks = pl.concat([series.slice(3, 9), series, series.slice(0, 0)], rechunk=False)
        wanted = expected(NAMES[3:12] + NAMES, digest_size=size)
        query = chunks.to_frame().lazy().with_columns(y=expression)
        assert query.collect_schema()["y"] == pl.Binary
        found = query.collect(engine="streaming" if streaming else "in-memory")
        assert found["y"].to_list() == wanted
        assert found.filter(pl.col("y").is_not_null())["y"].n_unique() == 40
        assert found["y"].null_count() == wanted.count(None)


def test_duckdb():
    duckdb = engine("duckdb")
    connection = duckdb.connect()
    finalist.duckdb.register(connection)
    connection.register("source", pa.table({"name": NAMES}))
    connection.sql("create type names as enum (select distinct name from source where name <> '')")
    relation = connection.sql("select name::names as x from source")
    assert digests(relation) == expected(NAMES)
    found = connection.sql("select blake2s(x) from relation").fetchall()
    assert [row[0] for row in found] == expected(NAMES)


def test_pandas():
    pandas = engine("pandas")
    for values in (NAMES, NAMES[:10]):
        series = pandas.Series(values, dtype="category")
        assert digests(series) == digests(pandas.Categorical(values)) == expected(values)
        assert digests(series[::-1]) == expected(values[::-1])
    assert digests(series[:3]) == expected(NAMES[:3])


def test_parquet(tmp_path):
    source = str(tmp_path / "names.parquet")
    pq.write_table(pa.table({"x": pa.array(NAMES).dictionary_encode()}), source)
    for where in ({"column": "x"}, {"columns": ["x"]}):
        out = str(tmp_path / next(iter(where)))
        result = parquet.hash_parquet(source, out, "blake2s", keep=["x"], **where)
        made = pq.read_table(out)
        assert made["x"].to_pylist() == NAMES
        plain = pa.table({"x": NAMES})
        hashed = digests(plain) if "column" in where else finalist.hash_rows(plain, "blake2s")
        assert made["digest"].to_pylist() == list(hashed)
        assert result.root is not None


@pytest.mark.parametrize("others", [0, 500])
def test_codes_of_a_categorical(others, monkeypatch):
    """A long column of Polars is read by its codes, unless there are many other values."""
    pl = engine("polars")
    monkeypatch.setattr(_given, "ROWS_AT_ONCE", 1000)
    kind = pl.Categorical(pl.Categories.random())
    kept = pl.Series([f"other {n}" for n in range(others)], dtype=kind)
    values = ["one", None, "two", "", "one", "three"] * 300
    column = pl.Series("x", values[:700], dtype=kind)
    column = column.append(pl.Series("x", values[700:], dtype=kind))
    assert column.n_chunks() == 2
    read = _given.of_polars(column)
    assert isinstance(read, pl.Series) == (others > 0)
    for series, expected_values in [(column, values), (column[5:1600], values[5:1600])]:
        assert digests(series) == expected(expected_values)
    for other in (column[:999], column.to_frame()):
        assert _given.of_polars(other).equals(other)
    assert len(kept) == others


@pytest.mark.parametrize("rows", [1, 7, 8, 1023, 1024, 1025, 5000])
def test_null_values_in_a_dictionary(rows):
    indices = [None if row % 11 == 0 else row % 3 for row in range(rows)]
    values = [None if at is None else ["a", None, "b"][at] for at in indices]
    found = finalist.hash_column("blake2s", dictionary(indices, ["a", None, "b"]))
    assert (found.to_list(), found.null_count) == (expected(values), values.count(None))


@pytest.mark.parametrize("names", [["a", "b"], ["b", "a"], ["a", "c", "b"]])
def test_the_column_of_a_wrong_index_is_named(names):
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, 9], pa.int8()), pa.array(["x"]), safe=False)
    table = pa.table({name: wrong if name == "b" else [1, 2] for name in names})
    with pytest.raises(ValueError, match="column 'b': an Arrow offset or index beyond the data"):
        finalist.hash_rows(table, "blake2s")
