# SPDX-License-Identifier: MIT OR Apache-2.0
"""hash_many and hash_column against hashlib, over Arrow's layouts, slices, chunks and nulls."""

import functools
import hashlib
import mmap
import os

import finalist
import pyarrow as pa
import pytest
from conftest import engine
from finalist import merkle
from hypothesis import given, settings
from hypothesis import strategies as st

BINARY = [pa.binary(), pa.large_binary(), pa.binary_view()]
STRING = [pa.string(), pa.large_string(), pa.string_view()]

#: More examples: FINALIST_EXAMPLES=1000 pytest ...
many_examples = functools.partial(
    settings,
    deadline=None,
    database=None,
    print_blob=True,
    max_examples=int(os.environ.get("FINALIST_EXAMPLES", "60")),
)


def expected(values, name="blake2s", **parameters):
    """Returns hashlib's digests of values, None for None."""
    constructor = functools.partial(getattr(hashlib, name), **parameters)
    encoded = (value.encode() if isinstance(value, str) else value for value in values)
    return [None if value is None else constructor(value).digest() for value in encoded]


def check(column, values, **parameters):
    found = finalist.hash_column("blake2s", column, **parameters)
    parameters.pop("threads", None)
    assert found.to_list() == expected(values, **parameters)
    assert len(found) == len(values)
    assert found.null_count == sum(value is None for value in values)
    back = pa.array(found)
    back.validate(full=True)
    assert back.type == pa.binary(found.digest_size)
    assert back.to_pylist() == found.to_list()
    assert back.null_count == found.null_count
    return found


#: Lengths around 12 bytes (inline views), one block, and the longest that are hashed in lanes.
LENGTHS = st.one_of(st.integers(0, 20), st.integers(60, 70), st.integers(120, 140))
BLOBS = st.builds(
    lambda length, byte: bytes((byte + i) % 256 for i in range(length)),
    LENGTHS,
    st.integers(0, 255),
)
COLUMNS = st.lists(st.one_of(st.none(), BLOBS), max_size=150)
CUTS = st.tuples(st.integers(0, 40), st.integers(0, 150))
PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "digest_size": st.integers(1, 32),
        "key": st.binary(min_size=1, max_size=32),
        "salt": st.binary(min_size=1, max_size=8),
        "person": st.binary(min_size=1, max_size=8),
        "threads": st.integers(1, 3),
    },
)


@many_examples()
@given(COLUMNS, st.sampled_from(BINARY), CUTS, PARAMETERS)
def test_binary_layouts_and_slices(values, layout, cut, parameters):
    start, length = cut
    column = pa.array(values, layout).slice(start, length)
    check(column, values[start : start + length], **parameters)


@many_examples()
@given(
    st.lists(st.one_of(st.none(), st.text(max_size=30)), max_size=60), st.sampled_from(STRING), CUTS
)
def test_string_layouts_and_slices(values, layout, cut):
    start, length = cut
    column = pa.array(values, layout).slice(start, length)
    check(column, values[start : start + length])


@many_examples()
@given(st.data(), st.integers(0, 70), CUTS)
def test_fixed_width(data, width, cut):
    start, length = cut
    blobs = st.one_of(st.none(), st.binary(min_size=width, max_size=width))
    values = data.draw(st.lists(blobs, max_size=40))
    column = pa.array(values, pa.binary(width)).slice(start, length)
    check(column, values[start : start + length])


@many_examples()
@given(st.lists(COLUMNS, max_size=6), st.sampled_from(BINARY))
def test_chunks(chunks, layout):
    values = [value for chunk in chunks for value in chunk]
    column = pa.chunked_array([pa.array(chunk, layout) for chunk in chunks], layout)
    found = check(column, values)
    streamed = pa.chunked_array(found)
    assert streamed.num_chunks == len(chunks)
    assert streamed.to_pylist() == found.to_list()


@many_examples()
@given(st.lists(BLOBS, max_size=100), st.sampled_from(sorted(finalist.algorithms_available)))
def test_every_algorithm_by_its_constructor(values, name):
    extra = {"digest_size": 40} if name.startswith("blake2x") else {}
    constructor = functools.partial(getattr(finalist, name), **extra)
    digests = [constructor(value).digest() for value in values]
    assert finalist.hash_many(name, values, **extra) == digests
    assert finalist.hash_many(name, iter(values), **extra, threads=2, joined=True) == b"".join(
        digests
    )
    column = pa.array(values, pa.binary())
    assert finalist.hash_column(name, column, **extra).to_list() == digests


def test_many_rows_in_threads():
    values = [None if i % 7 == 3 else b"%d" % i * (i % 50) for i in range(50_000)]
    for threads in (1, 2, 5):
        check(pa.array(values, pa.binary()), values, threads=threads)
    assert finalist.hash_many("blake2s", [v or b"" for v in values], threads=3) == expected(
        [v or b"" for v in values]
    )


def test_long_values_among_short_ones():
    values = [b"short", bytes(40 << 20), None, b"", bytes(17 << 20), b"x"]
    for threads in (1, 2):
        check(pa.array(values, pa.large_binary()), values, threads=threads)


def test_nothing_and_nothing_but_nulls():
    for layout in BINARY + STRING + [pa.binary(4), pa.null()]:
        check(pa.array([], layout), [])
        check(pa.array([None] * 9, layout), [None] * 9)
    assert finalist.hash_many("blake2b", []) == []
    assert finalist.hash_many("blake2b", [], joined=True) == b""


STRINGS = ["", "ä" * 20, None, "hello", "z" * 12, "z" * 13]


def test_polars():
    polars = engine("polars")
    series = polars.Series("x", STRINGS)
    check(series, STRINGS)
    check(series.cast(polars.Binary), STRINGS)
    check(series.slice(2, 3), STRINGS[2:5])
    check(polars.concat([series, series], rechunk=False), STRINGS * 2)
    check(polars.DataFrame({"x": series}), STRINGS)
    assert polars.Series(check(series, STRINGS)).to_list() == expected(STRINGS)


def test_pandas():
    pandas = engine("pandas")
    for kind in (pandas.ArrowDtype(pa.string()), pandas.ArrowDtype(pa.large_binary())):
        values = STRINGS if "string" in str(kind) else [s and s.encode() for s in STRINGS]
        check(pandas.Series(values, dtype=kind), STRINGS)
    frame = pandas.DataFrame({"x": STRINGS}, dtype=pandas.ArrowDtype(pa.string()))
    digests = pa.array(finalist.hash_column("blake2s", frame["x"]))
    frame["digest"] = pandas.Series(digests, dtype=pandas.ArrowDtype(digests.type))
    assert frame["digest"][3] == hashlib.blake2s(b"hello").digest()


def test_duckdb():
    duckdb = engine("duckdb")
    query = "select case when i % 5 <> 0 then 'v' || i end as x from range(5000) t(i)"
    relation = duckdb.sql(query)
    values = [f"v{i}" if i % 5 else None for i in range(5000)]
    found = check(relation, values)
    connection = duckdb.connect()
    connection.register("digests", pa.table({"digest": pa.array(found)}))
    assert connection.sql("select count(digest) from digests").fetchall() == [(4000,)]


def test_digests_are_a_sequence():
    found = finalist.hash_column("blake2s", pa.chunked_array([["a", None], [], ["b"]]))
    assert [found[i] for i in range(3)] == list(found) == found.to_list()
    assert found[1] is None
    for index in (3, 1 << 62):
        with pytest.raises(IndexError):
            found[index]
    assert repr(found) == "<finalist.Digests: 3 of 32 bytes>"
    again = finalist.hash_column("blake2s", found)
    assert again[0] == hashlib.blake2s(found[0]).digest()
    del found
    assert pa.array(again).to_pylist() == again.to_list()


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (pa.array([1, 2]), "^binary or string values are required, not Arrow type int64"),
        (pa.table({"count": [1]}), "column 'count'"),
        (pa.array([["a"]]), "not Arrow type list"),
        (pa.table({"a": ["x"], "b": ["y"]}), "a single column is required, not a table of 2"),
        (b"abc", "PyCapsule interface.*not 'bytes'"),
        (None, "not 'NoneType'"),
    ],
)
def test_wrong_columns_are_type_errors(column, text):
    with pytest.raises(TypeError, match=text):
        finalist.hash_column("blake2s", column)


@pytest.mark.parametrize("name", ["blake2b", "blake256", "groestl512", "blake2sp"])
@pytest.mark.parametrize("threads", [1, 3])
def test_equal_lengths(name: str, threads: int) -> None:
    data = bytes(range(250)) * 260
    for size in (1, 65, 250):
        rows = [data[at : at + size] for at in range(0, len(data), size)]
        joined = finalist.hash_many(name, rows, joined=True)
        assert finalist.hash_equal(name, data, size, threads=threads) == joined
    given = {"digest_size": 20, "key": b"k", "salt": b"s"}
    level = finalist.hash_equal("blake2b", memoryview(data), 65, **given)
    rows = [data[at : at + 65] for at in range(0, len(data), 65)]
    assert level == finalist.hash_many("blake2b", rows, joined=True, **given)
    assert finalist.hash_equal(name, b"", 3) == b""
    for size in (0, 3):
        with pytest.raises(ValueError, match="message_size"):
            finalist.hash_equal(name, data[:64], size)
    with pytest.raises(TypeError):
        finalist.hash_equal(name, "text", 4)


def read_into_one_buffer(messages):
    buffer = bytearray()
    for message in messages:
        buffer[:] = message
        yield memoryview(buffer).toreadonly() if len(message) % 2 else buffer


def test_views_of_a_map_that_changes(tmp_path):
    (tmp_path / "file").write_bytes(b"one two")

    def messages():
        with open(tmp_path / "file", "r+b") as file:
            fixed = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            yield memoryview(fixed)[:3]
            yield type("Bytes", (bytes,), {})(b"two")
            place = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
            for text in (b"one", b"two"):
                place[:3] = text
                yield memoryview(place)[:3].toreadonly()
                yield place

    expected = [b"one", b"two", b"one", b"one two", b"two", b"two two"]
    found = finalist.hash_many("blake2s", messages())
    assert found == finalist.hash_many("blake2s", expected)


@pytest.mark.parametrize("size", [3, 5000, (1 << 24) + 1])
def test_an_iterator_gives_one_buffer_again(size):
    """As one that reads a file into a buffer does."""
    count = 6000 if size == 3 else 4000 if size == 5000 else 3
    messages = [number.to_bytes(3, "big").ljust(size - number % 2, b".") for number in range(count)]
    for threads in (1, 2):
        found = finalist.hash_many("blake2s", read_into_one_buffer(messages), threads=threads)
        assert found == finalist.hash_many("blake2s", messages)
        tree, same = merkle.Tree("blake2s"), merkle.Tree("blake2s")
        tree.extend(read_into_one_buffer(messages), threads=threads)
        same.extend(messages)
        assert tree.root() == same.root()


@pytest.mark.parametrize("call", [finalist.hash_many, finalist.hash_column])
def test_wrong_parameters_are_refused_before_any_work(call):
    nothing = object()  # Neither iterable nor a column: the other errors must come first.
    wrong = [
        (ValueError, {"algorithm": "nosuch"}),
        (TypeError, {"algorithm": 5}),
        (ValueError, {"algorithm": "blake2s", "digest_size": 0}),
        (ValueError, {"algorithm": "blake2s", "digest_size": 33}),
        (ValueError, {"algorithm": "blake2s", "key": b"k" * 33}),
        (TypeError, {"algorithm": "blake2s", "key": "text"}),
        (TypeError, {"algorithm": "blake2s", "key": None}),
        (ValueError, {"algorithm": "blake2s", "salt": b"s" * 9}),
        (ValueError, {"algorithm": "blake2s", "person": b"p" * 9}),
        (ValueError, {"algorithm": "blake256", "key": b"k"}),
        (ValueError, {"algorithm": "blake256", "salt": b"s"}),
        (ValueError, {"algorithm": "blake256", "digest_size": 31}),
        (ValueError, {"algorithm": "groestl256", "salt": b"s"}),
        (TypeError, {"algorithm": "blake2xb"}),
        (ValueError, {"algorithm": "blake2s", "threads": 0}),
        (TypeError, {"algorithm": "blake2s", "nosuch": 1}),
    ]
    for error, parameters in wrong:
        with pytest.raises(error):
            call(parameters.pop("algorithm"), nothing, **parameters)


def test_a_wrong_message_among_many():
    for wrong in ("text", 5, None):
        with pytest.raises(TypeError, match="^message 1: "):
            finalist.hash_many("blake2b", [b"right", wrong])


def test_an_iterables_own_error_comes_through():
    def messages():
        yield b"one"
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        finalist.hash_many("blake2b", messages())

    def batches():
        yield pa.record_batch({"x": ["a"]})
        raise LookupError("mine")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"x": pa.string()}), batches())
    with pytest.raises(Exception, match="mine"):
        finalist.hash_column("blake2b", reader)
