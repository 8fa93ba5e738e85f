# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests hash_rows against docs/format/rows.md: its tables of vectors, and a second implementation
of the encoding in Python."""

import datetime
import decimal
import hashlib
import math
import pathlib
import re
import struct

import finalist
import numpy
import pyarrow as pa
import pytest
from conftest import engine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "format" / "rows.md"
EPOCH = datetime.datetime(1970, 1, 1)
EPOCH_UTC = EPOCH.replace(tzinfo=datetime.UTC)
MICROSECOND = datetime.timedelta(microseconds=1)


def encoded(value):
    """Encodes one Python value."""
    if value is None:
        return b"\0"
    if isinstance(value, bool):
        return bytes([1, value])
    if isinstance(value, int):
        return bytes([2 if value >= 0 else 3]) + (value % 2**64).to_bytes(8, "little")
    if isinstance(value, float):
        if math.isnan(value):
            return bytes.fromhex("04000000000000f87f")
        return b"\4" + struct.pack("<d", value or 0.0)
    if isinstance(value, bytes | str):
        data = value.encode() if isinstance(value, str) else value
        return bytes([6 if isinstance(value, str) else 5]) + struct.pack("<Q", len(data)) + data
    if isinstance(value, datetime.datetime):
        since, tag = (value - EPOCH, 9) if value.tzinfo is None else (value - EPOCH_UTC, 10)
        return bytes([tag]) + nanoseconds(since)
    if isinstance(value, datetime.date):
        return b"\7" + struct.pack("<q", (value - EPOCH.date()).days)
    if isinstance(value, datetime.time):
        return b"\x08" + nanoseconds(datetime.datetime.combine(EPOCH.date(), value) - EPOCH)
    if isinstance(value, datetime.timedelta):
        return b"\x0b" + nanoseconds(value)
    assert isinstance(value, decimal.Decimal)
    sign, digits, exponent = value.as_tuple()
    unscaled = int("".join(map(str, digits))) * (-1 if sign else 1)
    if not unscaled:
        exponent = 0
    while unscaled and unscaled % 10 == 0:
        unscaled, exponent = unscaled // 10, exponent + 1
    return b"\x0c" + struct.pack("<i", -exponent) + unscaled.to_bytes(16, "little", signed=True)


def nanoseconds(delta):
    return (delta // MICROSECOND * 1000).to_bytes(16, "little", signed=True)


def expected(rows):
    return [hashlib.blake2s(b"\1" + b"".join(map(encoded, row))).digest() for row in rows]


def digest_of_value(array):
    return finalist.hash_rows(pa.table({"x": array}), "blake2s")[0]


VALUES = {
    "int8": pa.array([5], pa.int8()),
    "uint64": pa.array([2**64 - 1], pa.uint64()),
    "int64": pa.array([-2]),
    "bool true": pa.array([True]),
    "bool null": pa.array([None], pa.bool_()),
    "halffloat": pa.array([numpy.float16(1.5)], pa.float16()),
    "float": pa.array([-0.0], pa.float32()),
    "double NaN": pa.array([-math.nan]),
    "double -Infinity": pa.array([-math.inf]),
    "binary": pa.array([b"\0\xff"]),
    "string é": pa.array(["é"]),
    "string ": pa.array([""]),
    "date32[day]": pa.array([datetime.date(1969, 12, 31)]),
    "time64[us]": pa.array([1], pa.time64("us")),
    "timestamp[s]": pa.array([1], pa.timestamp("s")),
    "timestamp[ns, tz=Europe/Berlin]": pa.array([10**9], pa.timestamp("ns", "Europe/Berlin")),
    "duration[ms]": pa.array([-1], pa.duration("ms")),
    "decimal128(5, 2) 1.50": pa.array([decimal.Decimal("1.50")], pa.decimal128(5, 2)),
    "decimal128(5, 2) 0.00": pa.array([decimal.Decimal("0.00")], pa.decimal128(5, 2)),
    "decimal128(5, -2)": pa.array([decimal.Decimal(1200)], pa.decimal128(5, -2)),
}


def test_the_pages_values():
    lines = re.findall(r"^\| ([^|]+) \| ([^|`]*) \| `([0-9a-f]+)` \|$", PAGE.read_text(), re.M)
    assert len(lines) == len(VALUES)
    for kind, value, bytes_ in lines:
        array = VALUES.get(kind, VALUES.get(f"{kind} {value.strip()}"))
        assert array is not None, (kind, value)
        message = bytes.fromhex("01" + bytes_)
        assert digest_of_value(array) == hashlib.blake2s(message).digest(), (kind, value)


def test_the_pages_rows():
    lines = re.findall(r"^\| [^|]+ \| ([^|]+) \| `([0-9a-f]{64})` \|$", PAGE.read_text(), re.M)
    assert len(lines) == 3
    rows = [(1, "a", 0.5), (None, None, None), (-1, "", math.nan)]
    n, s, x = map(list, zip(*rows, strict=True))
    table = pa.table({"n": pa.array(n, pa.int32()), "s": s, "x": x})
    assert finalist.hash_rows(table, "blake2s").to_list() == expected(rows)
    for (message, digest), row in zip(lines, rows, strict=True):
        message = bytes.fromhex(re.sub("[` ]", "", message))
        assert message == b"\1" + b"".join(map(encoded, row))
        assert digest == hashlib.blake2s(message).hexdigest()


CENTURIES = datetime.timedelta(days=100_000)  # Arrow counts microseconds in 64 bits.
INT64 = st.integers(-(2**63), 2**63 - 1)
KINDS = [
    (pa.int8(), st.integers(-128, 127)),
    (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    (pa.int64(), INT64),
    (pa.uint8(), st.integers(0, 255)),
    (pa.uint16(), st.integers(0, 2**16 - 1)),
    (pa.uint32(), st.integers(0, 2**32 - 1)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.bool_(), st.booleans()),
    (pa.float32(), st.floats(width=32)),
    (pa.float64(), st.floats()),
    (pa.binary(), st.binary(max_size=20)),
    (pa.large_binary(), st.binary(max_size=20)),
    (pa.binary_view(), st.binary(max_size=20)),
    (pa.binary(3), st.binary(min_size=3, max_size=3)),
    (pa.string(), st.text(max_size=9)),
    (pa.string_view(), st.text(max_size=9)),
    (pa.date32(), st.dates()),
    (pa.date64(), st.dates()),
    (pa.time64("us"), st.times()),
    (pa.time64("ns"), st.times()),
    (pa.timestamp("us"), st.datetimes()),
    (pa.timestamp("us", "UTC"), st.datetimes(timezones=st.just(datetime.UTC))),
    (pa.duration("us"), st.timedeltas(-CENTURIES, CENTURIES)),
    (pa.decimal128(20, 5), st.decimals(-(10**14), 10**14, places=5)),
    (pa.decimal32(5, 2), st.decimals(-999, 999, places=2)),
    (pa.decimal64(12, 3), st.decimals(-(10**8), 10**8, places=3)),
    (pa.dictionary(pa.uint8(), pa.string()), st.text(max_size=3)),
    (pa.null(), st.none()),
]


# Under emulation the first text takes a minute, when hypothesis makes its table of characters.
@settings(
    deadline=None,
    max_examples=60,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.data())
def test_every_type_slices_and_chunks(data):
    kinds = data.draw(st.lists(st.sampled_from(KINDS), max_size=5))
    count = data.draw(st.integers(0, 20))
    columns = [
        data.draw(st.lists(st.one_of(st.none(), values), min_size=count, max_size=count))
        for _, values in kinds
    ]
    arrays = [pa.array(column, kind) for column, (kind, _) in zip(columns, kinds, strict=True)]
    names = [f"c{i}" for i in range(len(kinds))]
    table = pa.Table.from_arrays(arrays, names=names)
    if not kinds:
        return
    rows = list(zip(*columns, strict=True))
    start, cut = data.draw(st.tuples(st.integers(0, 8), st.integers(0, 20)))
    found = finalist.hash_rows(table.slice(start, cut), "blake2s", threads=2)
    assert found.to_list() == expected(rows[start : start + cut])
    twice = pa.concat_tables([table.slice(start), table])
    found = finalist.hash_rows(twice, "blake2s", names[::-1])
    assert found.to_list() == expected([row[::-1] for row in rows[start:] + rows])


def test_every_half_float():
    bits = numpy.arange(1 << 16, dtype=numpy.uint16)
    halves = bits.view(numpy.float16)
    narrow = finalist.hash_rows(pa.table({"x": halves}), "blake2s")
    wide = finalist.hash_rows(pa.table({"x": halves.astype(numpy.float64)}), "blake2s")
    assert narrow.to_list() == wide.to_list()


def test_engines_agree():
    duckdb, pandas, polars = map(engine, ("duckdb", "pandas", "polars"))
    rows = [(i, f"name {i}" if i % 3 else None, i / 4) for i in range(1000)]
    frame = polars.DataFrame(rows, schema=["n", "s", "x"], orient="row")
    columns = {name: frame[name].to_list() for name in frame.columns}
    relation = duckdb.from_arrow(pa.table(columns))
    categories = polars.col("s").cast(polars.Categorical)
    tables = [
        frame,
        pa.table(columns),
        pandas.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
        relation.project("n::smallint as n, s, x::float as x"),
        frame.with_columns(polars.col("n").cast(polars.UInt16), categories),
    ]
    for table in tables:
        assert finalist.hash_rows(table, "blake2s").to_list() == expected(rows)
    for unit in ("s", "ms", "us", "ns"):
        time = datetime.datetime(2024, 5, 6, 7, 8, 9)
        table = pa.table({"t": pa.array([time], pa.timestamp(unit))})
        assert finalist.hash_rows(table, "blake2s").to_list() == expected([(time,)])


def test_many_rows_in_threads():
    table = pa.table({"n": range(100_000), "s": [str(i) for i in range(100_000)]})
    rows = [(i, str(i)) for i in range(100_000)]
    assert finalist.hash_rows(table, "blake2s", threads=3).to_list() == expected(rows)


def test_different_rows_are_different_messages():
    """Values that a careless encoding would join to the same bytes."""
    rows = [
        ("ab", "c"),
        ("a", "bc"),
        ("", "abc"),
        (None, "abc"),
        ("abc", None),
        ("abc", ""),
        (b"abc", ""),
        (1, "abc"),
        (1.0, "abc"),
        (True, "abc"),
        (-1, "abc"),
        (2**63 - 1, "abc"),
    ]
    digests = set()
    for row in rows:
        table = pa.table({"a": pa.array([row[0]]), "b": pa.array([row[1]], pa.string())})
        digests.add(finalist.hash_rows(table, "blake2s")[0])
    assert len(digests) == len(rows)


UNION = pa.table(
    {
        "a": [1, 2],
        "u": pa.UnionArray.from_dense(
            pa.array([0, 0], pa.int8()), pa.array([0, 1], pa.int32()), [pa.array([1, 2])]
        ),
    }
)


@pytest.mark.parametrize(
    ("table", "columns", "error", "text"),
    [
        (UNION, None, TypeError, "column 'u': Arrow type dense_union has no encoding"),
        (UNION, ["u"], TypeError, "column 'u'"),
        (pa.table({"a": [1]}), ["b"], ValueError, "no column 'b'"),
        (pa.Table.from_arrays([[1], [2]], names=["a", "a"]), ["a"], ValueError, "several columns"),
        (pa.table({"a": [1]}), "a", TypeError, "columns is a list of names, not 'str'"),
        (pa.array([1]), None, TypeError, "a table is required"),
        (b"a", None, TypeError, "PyCapsule"),
        (
            pa.table({"day": pa.array([1], pa.int64()).view(pa.date64())}),
            None,
            ValueError,
            "^column 'day': a date with a time$",
        ),
    ],
)
def test_wrong_tables(table, columns, error, text):
    with pytest.raises(error, match=text):
        finalist.hash_rows(table, "blake2s", columns)


def test_a_number_beyond_version_1_is_the_one_cause():
    table = pa.table({"n": pa.array([decimal.Decimal(2**200 + 1)], pa.decimal256(70, 0))})
    with pytest.raises(ValueError, match="^column 'n': a number beyond version 1 .*version=2"):
        finalist.hash_rows(table, "blake2s")


def test_chosen_columns_beside_ones_without_an_encoding():
    assert finalist.hash_rows(UNION, "blake2s", ["a"]).to_list() == expected([(1,), (2,)])
