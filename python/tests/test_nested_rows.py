# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests version 2 of the encoding of rows, with nested values, intervals and wide numbers, against
a second implementation of docs/format/rows.md; searches for different rows with one encoding."""

import ctypes
import datetime
import decimal
import hashlib
import math
import pathlib
import re
import struct

import finalist
import pyarrow as pa
import pytest
from conftest import engine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_hostile import Array, Producer, Schema
from test_rows import encoded as flat

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "format" / "rows.md"
SETTINGS = settings(
    deadline=None,
    max_examples=150,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def count(values):
    return len(values).to_bytes(8, "little")


def encoded(value, kind):
    """Encodes one Python value, which Arrow stores as a kind."""
    if value is None:
        return b"\0"
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return encoded(value, kind.value_type)
    if pa.types.is_map(kind):
        entries = [encoded(k, kind.key_type) + encoded(v, kind.item_type) for k, v in value]
        return b"\x11" + count(value) + b"".join(sorted(entries))
    if pa.types.is_struct(kind):
        fields = b"".join(
            count(field.name.encode())
            + field.name.encode()
            + encoded(value[field.name], field.type)
            for field in kind
        )
        return b"\x10" + count(kind.fields) + fields
    if pa.types.is_nested(kind):
        return b"\x0f" + count(value) + b"".join(encoded(v, kind.value_type) for v in value)
    if pa.types.is_decimal(kind):
        return number(value)
    return flat(value)


def number(value):
    sign, digits, exponent = value.as_tuple()
    unscaled = int("".join(map(str, digits))) * (-1 if sign else 1)
    while unscaled and unscaled % 10 == 0:
        unscaled, exponent = unscaled // 10, exponent + 1
    if -(2**127) <= unscaled < 2**127:
        return flat(value)
    scale = (-exponent).to_bytes(4, "little", signed=True)
    return b"\x0e" + scale + unscaled.to_bytes(32, "little", signed=True)


def message(row, kinds):
    return b"\2" + b"".join(encoded(value, kind) for value, kind in zip(row, kinds, strict=True))


def digests(table, **arguments):
    return finalist.hash_rows(table, "blake2s", **arguments).to_list()


def expected(rows, kinds):
    return [hashlib.blake2s(message(row, kinds)).digest() for row in rows]


# The whole days that 64 bits of microseconds hold.
DAYS = datetime.timedelta(days=2**63 // 86_400_000_000)

LEAVES = [
    (pa.int8(), st.integers(-128, 127)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.bool_(), st.booleans()),
    (pa.float64(), st.floats()),
    (pa.binary(), st.binary(max_size=4)),
    (pa.string(), st.text(max_size=4)),
    (pa.string_view(), st.text(max_size=14)),
    (pa.decimal128(20, 5), st.decimals(-(10**14), 10**14, places=5)),
    (pa.decimal256(70, 2), st.decimals(-(10**67), 10**67, places=2)),
    (pa.date32(), st.dates()),
    (pa.time64("us"), st.times()),
    (pa.timestamp("us"), st.datetimes()),
    (pa.timestamp("us", "UTC"), st.datetimes(timezones=st.just(datetime.UTC))),
    (pa.duration("us"), st.timedeltas(-DAYS, DAYS)),
    (pa.dictionary(pa.int8(), pa.string()), st.text(max_size=2)),
    (pa.null(), st.none()),
]


def nullable(values):
    return st.one_of(st.none(), values)


@st.composite
def kinds(draw, depth=3):
    """Draws a type and a strategy for its values, perhaps nested."""
    if depth == 0 or draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from(LEAVES))
    inner, values = draw(kinds(depth - 1))
    shape = draw(st.sampled_from(["list", "large", "fixed", "struct", "map"]))
    if shape == "fixed":
        length = draw(st.integers(0, 3))
        return pa.list_(inner, length), st.lists(nullable(values), min_size=length, max_size=length)
    if shape == "struct":
        other, others = draw(kinds(depth - 1))
        kind = pa.struct([("a", inner), ("b", other)])
        return kind, st.fixed_dictionaries({"a": nullable(values), "b": nullable(others)})
    if shape == "map":
        keys = st.text(max_size=2)
        return pa.map_(pa.string(), inner), st.lists(st.tuples(keys, nullable(values)), max_size=3)
    made = pa.large_list(inner) if shape == "large" else pa.list_(inner)
    return made, st.lists(nullable(values), max_size=3)


@SETTINGS
@given(st.data())
def test_every_nesting_slices_and_chunks(data):
    kind, values = data.draw(kinds())
    column = data.draw(st.lists(nullable(values), max_size=9))
    table = pa.table({"x": pa.array(column, kind)})
    rows = [(value,) for value in column]
    assert digests(table, version=2) == expected(rows, [kind])
    start, length = data.draw(st.tuples(st.integers(0, 5), st.integers(0, 9)))
    sliced = table.slice(start, length)
    assert digests(sliced, version=2) == expected(rows[start : start + length], [kind])
    inside = pa.table(
        {
            "s": pa.chunked_array(
                [pa.StructArray.from_arrays([c], ["x"]) for c in sliced["x"].chunks],
                pa.struct([("x", kind)]),
            )
        }
    )
    structs = [({"x": value},) for value in column[start : start + length]]
    assert digests(inside) == expected(structs, [pa.struct([("x", kind)])])


class Entries(list):
    """The entries of a map, which Arrow takes as a list of pairs."""


def plain(value, kind):
    """Converts a value so that converted values are equal exactly if the originals are the same."""
    if value is None:
        return None
    if isinstance(value, float):
        return ("float", "nan") if math.isnan(value) else ("float", value or 0.0)
    if isinstance(value, datetime.datetime):
        return ("datetime", value.tzinfo is None, value)
    if pa.types.is_map(kind):
        return ("map", *sorted((repr((k, plain(v, kind.item_type)))) for k, v in value))
    if isinstance(value, dict):
        return ("struct", *((field.name, plain(value[field.name], field.type)) for field in kind))
    if isinstance(value, list):
        return ("list", *(plain(v, kind.value_type) for v in value))
    return (type(value).__name__, value)


EPOCH = datetime.datetime(1970, 1, 1)
#: Functions that make a time of each kind of small numbers.
TIMES = {
    "date": lambda steps: EPOCH.date() + datetime.timedelta(days=steps),
    "time": lambda steps: datetime.time(microsecond=steps),
    "timestamp": lambda steps: EPOCH + datetime.timedelta(microseconds=steps),
    "instant": lambda steps: (EPOCH + datetime.timedelta(microseconds=steps)).replace(
        tzinfo=datetime.UTC
    ),
    "duration": lambda steps: datetime.timedelta(microseconds=steps - 1),
    "interval": lambda steps: pa.MonthDayNano([steps // 2, steps % 2, 1000 * steps]),
}


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 3),
        st.floats(-2, 2, width=16),
        st.sampled_from(["", "\0", "a", "\x06", "\x0f"]),
        st.sampled_from([b"", b"\0", b"a", b"\x01\x00"]),
        # Small numbers of any scale, beyond 128 bits too.
        st.builds(
            lambda number, exponent: decimal.Decimal(number).scaleb(exponent),
            st.integers(-12, 12),
            st.sampled_from([-3, -2, -1, 0, 1, 40]),
        ),
        # The same numbers of microseconds and days as times of each kind.
        st.builds(
            lambda kind, steps: TIMES[kind](steps),
            st.sampled_from(sorted(TIMES)),
            st.integers(0, 3),
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
        st.builds(Entries, st.lists(st.tuples(st.sampled_from(["", "a"]), inner), max_size=2)),
    ),
    max_leaves=4,
)


def kind_of(value):
    """Returns the type of a value. Raises ArrowException for a list of several types."""
    if isinstance(value, Entries):
        return pa.map_(pa.string(), common([v for _, v in value]))
    if isinstance(value, list):
        return pa.list_(common(value))
    if isinstance(value, dict):
        return pa.struct([(name, kind_of(v)) for name, v in value.items()])
    return pa.scalar(value).type


def common(values):
    schemas = [pa.schema([("x", kind_of(value))]) for value in values]
    return (
        pa.unify_schemas(schemas, promote_options="permissive").field(0).type
        if schemas
        else pa.null()
    )


def column_of(value):
    """Makes a column of one value; None for a list of several types, which Arrow lacks."""
    try:
        return pa.array([value], kind_of(value))
    except pa.ArrowException:
        return None


@SETTINGS
@given(st.lists(st.lists(VALUES, min_size=1, max_size=3), min_size=2, max_size=30))
def test_no_two_rows_have_one_encoding(rows):
    found = {}
    for row in rows:
        columns = [column_of(value) for value in row]
        if any(column is None for column in columns):
            continue
        table = pa.Table.from_arrays(columns, names=[str(i) for i in range(len(row))])
        [digest] = digests(table, version=2)
        values = tuple(plain(column[0].as_py(), column.type) for column in columns)
        assert found.setdefault(digest, values) == values
    assert len(set(found.values())) == len(found)


#: Values of each kind, and ways to nest one.
SMALL = [
    *(None, True, 0, 1, 10, -1, 0.0, 1.0, "", "a", "\0", b"", b"a", b"\0"),
    *map(decimal.Decimal, ["0", "1", "10", "0.1", "-1", 10**40, -(10**40) - 1]),
    *(make(steps) for make in TIMES.values() for steps in range(3)),
]
SHAPES = [
    lambda value: value,
    lambda value: [value],
    lambda value: [value, value],
    lambda value: [[value]],
    lambda value: {"a": value},
    lambda value: {"b": value},
    lambda value: Entries([("a", value)]),
    lambda value: Entries([("", value)]),
]


def test_no_two_small_rows_have_one_encoding():
    """Tries all rows of a nested value, and of one and a value that is not nested."""
    columns = [column_of(shape(value)) for shape in SHAPES for value in SMALL]
    columns += [column_of([]), column_of(Entries()), column_of({})]
    rows = [[one] for one in columns]
    rows += [[one, other] for one in columns for other in columns[: len(SMALL)]]
    found = {}
    for row in rows:
        [digest] = digests(pa.Table.from_arrays(row, ["0", "1"][: len(row)]), version=2)
        values = tuple(plain(column[0].as_py(), column.type) for column in row)
        assert found.setdefault(digest, values) == values
    assert len(found) == len(rows)


CLOSE = [
    [[1], [2]],
    [[1, 2], []],
    [[[1], [2]]],
    [[[1, 2]]],
    [[[1, 2], []]],
    [[], [1, 2]],
    [None, [1, 2]],
    [[None], [1]],
    [[], [None, 1]],
    [{"a": 1, "b": 2}],
    [{"b": 1, "a": 2}],
    [{"a": 1}, 2],
    [{"a": {"b": 1}}],
    [{"a": 1}, {"b": 1}],
    [{"ab": 1}],
    [["ab"]],
    [["a", "b"]],
    [[b"ab"]],
    [{"a": None}],
    [Entries([("a", None)])],
    [Entries([("a", 1)])],
    [Entries([("a", 1), ("b", 2)])],
    [Entries()],
    [[{"key": "a", "value": 1}]],
    [1],
    [decimal.Decimal(1)],
    [decimal.Decimal(10)],
    [decimal.Decimal("0.1")],
    [decimal.Decimal(10**40)],
    [decimal.Decimal(10**40 + 1)],
    [decimal.Decimal(-(10**40) - 1)],
    *([make(1)] for make in TIMES.values()),
    *([make(2)] for make in TIMES.values()),
    [None],
]


def test_close_rows_differ():
    found = [
        digests(pa.table({str(i): column_of(v) for i, v in enumerate(row)}), version=2)
        for row in CLOSE
    ]
    assert len({digest for [digest] in found}) == len(CLOSE)


def test_layouts_of_a_value_do_not_count():
    values = [[1, 2], None, [], [3, None, 5]]
    for kind in (
        pa.list_(pa.int64()),
        pa.large_list(pa.uint8()),
        pa.list_view(pa.int16()),
        pa.large_list_view(pa.int32()),
        pa.list_(pa.dictionary(pa.int8(), pa.int64())),
    ):
        array = pa.array(values, kind)
        assert digests(pa.table({"x": array})) == expected([(v,) for v in values], [kind]), kind
    pairs = [[1, 2], None, [3, 4]]
    fixed = pa.array(pairs, pa.list_(pa.int64(), 2))
    assert digests(pa.table({"x": fixed})) == digests(pa.table({"x": pairs}))
    entries = [("b", 1), ("a", None)]
    maps = [
        pa.array([order], pa.map_(pa.string(), pa.int64())) for order in (entries, entries[::-1])
    ]
    assert digests(pa.table({"x": maps[0]})) == digests(pa.table({"x": maps[1]}))


@pytest.mark.parametrize("width", [pa.int16(), pa.int32(), pa.int64()])
def test_runs_are_the_values_they_repeat(width):
    values = ["a", "a", None, None, "b", "a"]
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 4, 5, 6], width), ["a", None, "b", "a"])
    table = pa.table({"x": runs, "n": range(6)})
    plain_ = pa.table({"x": values, "n": range(6)})
    assert digests(table) == digests(plain_)
    assert digests(table.slice(1, 4)) == digests(plain_.slice(1, 4))
    assert digests(table, version=2) == digests(plain_, version=2)


def test_intervals():
    array = pa.array([pa.MonthDayNano([1, -2, 3]), None])
    message = b"\2\x12" + b"".join(
        n.to_bytes(size, "little", signed=True) for n, size in ((1, 4), (-2, 4), (3, 8))
    )
    table = pa.table({"x": array})
    assert digests(table) == [hashlib.blake2s(m).digest() for m in (message, b"\2\0")]
    with pytest.raises(TypeError, match="column 'x': .*month_day_nano_interval .*version=2"):
        digests(table, version=1)


MOST_MS = 2**31 - 1


@pytest.mark.parametrize(
    ("form", "content", "values"),
    [
        (b"tiM", (7, -8), [(7, 0, 0), (-8, 0, 0)]),
        (b"tiD", (1, 2, -3, -4), [(0, 1, 2_000_000), (0, -3, -4_000_000)]),
        (b"tiD", (5, 2**31 - 1, 6, -(2**31)), [(0, 5, MOST_MS * 10**6), (0, 6, ~MOST_MS * 10**6)]),
    ],
)
def test_intervals_that_pyarrow_lacks(form, content, values):
    child = Producer(form, [None, struct.pack(f"={len(content)}i", *content)], 2)
    rows = Producer(b"+s", [None], 2, n_children=1)
    rows.schema.n_children = 1
    rows.schema.children = (ctypes.POINTER(Schema) * 1)(ctypes.pointer(child.schema))
    rows.array.children = (ctypes.POINTER(Array) * 1)(ctypes.pointer(child.array))
    expected = [b"\2\x12" + struct.pack("<iiq", *value) for value in values]
    assert digests(rows) == [hashlib.blake2s(message).digest() for message in expected]


def test_wide_integers_of_polars():
    pl = engine("polars")
    small = [0, 5, -1, 2**64 - 1, -(2**63), None]
    column = pl.DataFrame({"x": pl.Series(small, dtype=pl.Int128)})
    rows = [hashlib.blake2s(b"\1" + flat(n)).digest() for n in small]
    assert digests(column) == rows
    wide = [2**64, -(2**63) - 1, 2**127 - 1, -(2**127)]
    column = pl.DataFrame({"x": pl.Series(wide, dtype=pl.Int128)})
    with pytest.raises(ValueError, match="column 'x': .*version=2 takes it"):
        digests(column)
    messages = [b"\2\x0d" + n.to_bytes(32, "little", signed=True) for n in wide]
    assert digests(column, version=2) == [hashlib.blake2s(m).digest() for m in messages]
    top = pl.DataFrame({"x": pl.Series([2**128 - 1], dtype=pl.UInt128)})
    message = b"\2\x0d" + (2**128 - 1).to_bytes(32, "little")
    assert digests(top, version=2) == [hashlib.blake2s(message).digest()]


def test_duckdbs_own_types():
    connection = engine("duckdb").connect()
    query = (
        "select 5::hugeint h, (-170141183460469231731687303715884105728)::hugeint l,"
        " 7::uhugeint u, '12:00:01+01:30'::timetz t"
    )
    connection.execute("set arrow_lossless_conversion = true")
    zoned = b"\x13" + (43_201 * 10**9).to_bytes(16, "little") + (5400).to_bytes(4, "little")
    low = b"\x0d" + (-(2**127)).to_bytes(32, "little", signed=True)
    message = b"\2" + flat(5) + low + flat(7) + zoned
    assert digests(connection.sql(query), version=2) == [hashlib.blake2s(message).digest()]


def test_engines_agree_on_nested_rows():
    rows = {"l": [[1, 2], [], None], "s": [{"a": 1, "b": "x"}, {"a": None, "b": ""}, None]}
    table = pa.table(rows)
    expected_ = digests(table)
    assert digests(engine("polars").DataFrame(table)) == expected_
    assert digests(engine("duckdb").from_arrow(table)) == expected_
    frame = engine("pandas").DataFrame({"l": rows["l"], "s": rows["s"]})
    assert digests(frame) == expected_


NUMBERS = st.one_of(
    st.integers(-(10**70), 10**70),
    st.integers(-(2**65), 2**65),
    st.decimals(-(10**20), 10**20, places=6),
    st.sampled_from([2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**127, 10**19]),
)


@SETTINGS
@given(st.lists(NUMBERS, min_size=1, max_size=8))
def test_equal_numbers_have_one_digest_by_value(numbers):
    found = {}
    for value in numbers:
        exact = decimal.Decimal(value)
        forms = (
            [
                pa.array(
                    [exact.quantize(decimal.Decimal(1), context=decimal.Context(99))],
                    pa.decimal256(76, 0),
                )
            ]
            if exact == int(exact)
            else []
        )
        forms += (
            [
                pa.array(
                    [exact.quantize(decimal.Decimal("0.000001"), context=decimal.Context(99))],
                    pa.decimal256(76, 6),
                )
            ]
            if abs(exact) < 10**69
            else []
        )
        if exact == int(exact) and -(2**63) <= exact < 2**63:
            forms.append(pa.array([int(exact)]))
        elif exact == int(exact) and 0 <= exact < 2**64:
            forms.append(pa.array([int(exact)], pa.uint64()))
        if abs(exact) < 10**30:
            forms.append(pa.array([exact], pa.decimal128(38, 6)))
        every = {digests(pa.table({"x": form}), numbers="by-value")[0] for form in forms}
        assert len(every) == 1, value
        assert found.setdefault(every.pop(), exact) == exact
    assert len(set(found.values())) == len(found)


def test_exact_numbers_keep_their_kind():
    five = [pa.array([5]), pa.array([decimal.Decimal(5)]), pa.array([5.0])]
    assert len({digests(pa.table({"x": x}))[0] for x in five}) == 3
    assert len({digests(pa.table({"x": x}), numbers="by-value")[0] for x in five}) == 2


def test_versions():
    flat_table = pa.table({"x": [1]})
    assert digests(flat_table) == digests(flat_table, version=1) != digests(flat_table, version=2)
    nested = pa.table({"x": [1], "deep": [["a"]]})
    assert digests(nested) == digests(nested, version=2)
    assert digests(nested, columns=["x"]) == digests(flat_table)
    for error, text, arguments in [
        (TypeError, "column 'deep': Arrow type list has no encoding in version 1", {"version": 1}),
        (ValueError, "must be 1 or 2, not 3", {"version": 3}),
        (ValueError, "must be 'exact' or 'by-value', not 'all'", {"numbers": "all"}),
        (ValueError, "takes version 2", {"version": 1, "numbers": "by-value"}),
    ]:
        with pytest.raises(error, match=text):
            digests(nested, **arguments)


def test_types_nested_too_deep():
    kind = pa.int8()
    for _ in range(70):
        kind = pa.list_(kind)
    with pytest.raises(TypeError, match="nested more than 64 deep"):
        digests(pa.table({"x": pa.array([None], kind)}))


def test_the_pages_nested_values():
    lines = re.findall(r"^\| `(.+)` \| `(02[0-9a-f ]+)` \|$", PAGE.read_text(), re.M)
    assert len(lines) == 6
    for value, bytes_ in lines:
        table = pa.table({"x": eval(value, {"pa": pa, "decimal": decimal})})
        assert digests(table) == [hashlib.blake2s(bytes.fromhex(bytes_)).digest()], value


def test_lists_that_share_their_elements_are_refused_before_memory_ends():
    values = pa.array([b"x" * 1000], pa.binary())
    for _ in range(8):
        zeros = pa.array([0] * 100, pa.int32())
        sizes = pa.array([len(values)] * 100, pa.int32())
        values = pa.ListViewArray.from_arrays(zeros, sizes, values)
    with pytest.raises(ValueError, match="^column 'v': a list or map of more than 1 GiB$"):
        finalist.hash_rows(pa.table({"v": values}), "blake2s")


def test_a_list_of_endless_nulls_is_refused():
    nulls = pa.Array.from_buffers(pa.null(), 1 << 50, [None])
    offsets = pa.py_buffer((0).to_bytes(8, "little") + (1 << 50).to_bytes(8, "little"))
    lists = pa.Array.from_buffers(pa.large_list(pa.null()), 1, [None, offsets], children=[nulls])
    with pytest.raises(ValueError, match="^column 'v': a list or map of more than 1 GiB$"):
        finalist.hash_rows(pa.table({"v": lists}), "blake2s")
