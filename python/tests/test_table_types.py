# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.diff, fingerprint and buckets of types that pyarrow supports in part."""

import random

import finalist
import finalist.tables
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import engine

#: Functions that take a table with the key "id".
CALLS = (
    finalist.fingerprint,
    lambda table: finalist.diff(table, table, "id"),
    lambda table: finalist.tables.buckets(table, "id"),
)


def chunk(number):
    """Returns 100 strings that no other chunk has, with a dictionary of their own."""
    values = [f"{number} {place}" for place in range(100)]
    return pa.array(values).dictionary_encode().cast(pa.dictionary(pa.int8(), pa.string()))


def lists(values):
    return pa.ListArray.from_arrays(pa.array(range(len(values) + 1), pa.int32()), values)


SHAPES = {
    "plain": lambda values: values,
    "list": lists,
    "struct": lambda values: pa.StructArray.from_arrays([values], ["a"]),
    "list of structs": lambda values: lists(pa.StructArray.from_arrays([values], ["a"])),
    "fixed": lambda values: pa.FixedSizeListArray.from_arrays(values, 1),
    "map": lambda values: pa.MapArray.from_arrays(
        pa.array(range(len(values) + 1), pa.int32()), pa.array(["k"] * len(values)), values
    ),
}


@pytest.mark.parametrize("is_shuffled", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_dictionaries_of_chunks(shape, is_shuffled, monkeypatch):
    """Each chunk has a dictionary of its own, and indices of all together need more bits."""
    if is_shuffled:  # Not compared in order.
        monkeypatch.setattr("finalist._aligned.KEPT_ROWS", -1)
        monkeypatch.setattr("finalist._aligned.KEPT_PART", 1 << 40)
    chunks = [SHAPES[shape](chunk(number)) for number in range(6)]
    plain = pa.chunked_array(chunks[:3]).to_pylist(), pa.chunked_array(chunks[3:]).to_pylist()
    ids = list(range(300))
    if is_shuffled:
        random.Random(1).shuffle(ids)
    old = pa.table({"id": ids, "x": pa.chunked_array(chunks[:3])})
    new = pa.table({"id": ids[::-1], "x": pa.chunked_array(chunks[3:])})
    kind = finalist.tables.plain(old.schema.field("x").type)
    assert finalist.fingerprint(old) == finalist.fingerprint(
        pa.table({"id": ids, "x": pa.array(plain[0], kind)})
    )
    expected = dict(zip(ids, zip(plain[0], plain[1][::-1], strict=True), strict=True))
    found = finalist.diff(old, new, "id").changed.to_pylist()
    assert {row["id"]: (row["old"]["x"], row["new"]["x"]) for row in found} == expected
    added = finalist.diff(old.slice(0, 0), new, "id").added
    assert {row["id"]: row["x"] for row in added.to_pylist()} == {
        row["id"]: row["x"] for row in new.to_pylist()
    }


def test_indices_of_dictionaries():
    """Those of a result have 32 bits, or 64."""
    for given, index in [("int8", "int32"), ("uint32", "int32"), ("int64", "int64")]:
        kind = pa.dictionary(given, pa.string())
        table = pa.table({"id": [1], "x": pa.array(["a"]).dictionary_encode().cast(kind)})
        found = finalist.diff(table.slice(1), table, "id").added
        assert found["x"].type == pa.dictionary(index, pa.string())
        assert found["x"].to_pylist() == ["a"]


ITEM = pa.field("item", pa.int8(), nullable=False, metadata={"unit": "m"})


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (pa.dictionary(pa.int8(), pa.string(), ordered=True),
         pa.dictionary(pa.int32(), pa.string(), ordered=True)),
        (pa.dictionary(pa.uint64(), pa.string_view()),
         pa.dictionary(pa.uint64(), pa.large_string())),
        (pa.map_(pa.string(), pa.int8(), keys_sorted=True), None),
        (pa.map_(pa.string_view(), pa.binary_view()),
         pa.map_(pa.large_string(), pa.large_binary())),
        (pa.struct([ITEM.with_name("a"), pa.field("b", pa.large_string())]), None),
        (pa.list_(ITEM), None),
        (pa.large_list(ITEM), None),
        (pa.list_(ITEM, 2), None),
        (pa.list_view(ITEM), pa.list_(ITEM)),
        (pa.large_list_view(ITEM), pa.large_list(ITEM)),
        (pa.string_view(), pa.large_string()),
        (pa.binary_view(), pa.large_binary()),
        (pa.run_end_encoded(pa.int16(), pa.string()), pa.string()),
        (pa.run_end_encoded(pa.int16(), pa.list_view(ITEM)), pa.list_(ITEM)),
        (pa.timestamp("us", "Asia/Kathmandu"), None),
        (pa.decimal128(7, -2), None),
    ],
)  # fmt: skip
def test_types_of_results(given, kind):
    """They are those of the table, except layouts whose rows Arrow cannot take."""
    table = pa.Table.from_batches([], pa.schema({"id": pa.int64(), "x": given}))
    found = finalist.diff(table, table, "id")
    for result in (found.added, found.removed):
        [field] = [field for field in result.schema if field.name == "x"]
        wanted = given if kind is None else kind
        assert field.type.equals(wanted, check_metadata=True), field.type
    rows = found.changed.schema.field("new").type
    assert rows.field("x").type.equals(wanted, check_metadata=True)


@pytest.mark.parametrize("shape", ["fixed", "map"])
def test_string_views_within_others(shape):
    values = pa.array(["short", None, "longer than the twelve bytes"], pa.string_view())
    old = pa.table({"id": range(3), "x": SHAPES[shape](values)})
    other = pa.array(values.to_pylist()[::-1], values.type)
    new = pa.table({"id": range(3), "x": SHAPES[shape](other)})
    changed = finalist.diff(old, new, "id").changed.to_pylist()
    x = old["x"].to_pylist(), new["x"].to_pylist()
    assert len(changed) == 2
    for row in changed:
        assert (row["old"]["x"], row["new"]["x"]) == (x[0][row["id"]], x[1][row["id"]])


RUNS = pa.run_end_encoded(pa.int32(), pa.string())


@pytest.mark.parametrize(
    "kind",
    [
        pa.list_(pa.list_view(pa.int8())),
        pa.struct({"a": pa.large_list_view(pa.int8())}),
        pa.list_view(pa.list_view(pa.int8())),
        pa.struct({"a": RUNS}),
        pa.list_(RUNS),
    ],
)
def test_types_that_are_refused(kind):
    """Arrow's cast takes wrong values of list views, and its take has no runs."""
    table = pa.Table.from_batches([], pa.schema({"id": pa.int64(), "x": kind}))
    with pytest.raises(TypeError, match="cannot take rows of column 'x', which is .*: cast list"):
        finalist.diff(table, table, "id")


def test_integers_of_128_bits():
    """pyarrow has no such type. A decimal has the same digests by value."""
    pl = engine("polars")
    for kind in (pl.Int128, pl.UInt128, pl.List(pl.Int128)):
        frame = pl.DataFrame({"id": [1, 2], "x": pl.Series([None, None], dtype=kind)})
        for call in CALLS:
            with pytest.raises(
                TypeError, match=r"column 'x' has Polars' type .*: cast it to Int64"
            ):
                call(frame)
    frame = pl.DataFrame({"x": pl.Series([-(2**100), 5, None], dtype=pl.Int128)})
    decimals = frame.cast(pl.Decimal(38, 0))
    expected = finalist.hash_rows(frame, "blake2s", version=2).to_list()
    assert finalist.hash_rows(decimals, "blake2s", numbers="by-value").to_list() == expected
    from finalist.polars import digest_agg

    with pytest.raises(TypeError, match="column 'x' has Polars' type Int128"):
        frame.select(digest_agg("x"))


@pytest.mark.parametrize("side", ["old", "new", "both"])
@pytest.mark.parametrize("place", ["id", "d"])
def test_a_value_without_an_encoding_is_told_with_its_column(side, place):
    """Also if only one of the tables has it."""
    wrong = pa.array([0, 86_400_001], pa.int64()).view(pa.date64())
    right = pa.array([0, 86_400_000], pa.int64()).view(pa.date64())

    def table(is_wrong):
        others = {"id": right, "c": [1, 2], "d": right}
        return pa.table(others | ({place: wrong} if is_wrong else {}))

    old, new = (table(side in (name, "both")) for name in ("old", "new"))
    for keys in (["id"], ["c", "id"]):
        with pytest.raises(ValueError, match=f"^column '{place}': a date with a time$"):
            finalist.diff(old, new, keys)


def test_columns_of_one_name(tmp_path):
    twice = pa.table([[1], [1], [2]], ["id", "x", "x"])
    once = pa.table({"id": [1]})
    for old, new in ((twice, once), (once, twice), (twice, twice)):
        with pytest.raises(ValueError, match="table has several columns 'x'"):
            finalist.diff(old, new, "id")
    for call in CALLS[::2]:
        with pytest.raises(ValueError, match="table has several columns 'x'"):
            call(twice)
    pq.write_table(twice, tmp_path / "twice.parquet")
    for call in CALLS:
        with pytest.raises(ValueError, match=r"twice.parquet cannot be read .* duplicate field"):
            call(str(tmp_path / "twice.parquet"))


def test_files_that_arrow_cannot_read(tmp_path):
    """Arrow's errors do not name the file."""
    values = pa.array(["a", "b"] * 500).dictionary_encode()
    path = tmp_path / "nested.parquet"
    pq.write_table(pa.table({"id": range(1000), "x": lists(values)}), path, row_group_size=70)
    for call in CALLS:
        with pytest.raises(OSError, match=r"nested.parquet cannot be read: Nested data"):
            call(str(path))
    pq.write_table(pa.table({"id": range(1000)}), path, use_dictionary=False, compression="none")
    data = bytearray(path.read_bytes())
    data[4:40] = b"\xff" * 36
    path.write_bytes(data)
    for call in CALLS:
        with pytest.raises(OSError, match=r"nested.parquet cannot be read"):
            call(str(path))


class Arrow:
    """Has some methods of an object that exports Arrow data, as nanoarrow's objects do. The other
    methods, which tables of other libraries have, must not be called."""

    def __init__(self, given, *names):
        for name in names:
            setattr(type(self), name, lambda self, schema=None, name=name: getattr(given, name)())

    def read_all(self):
        raise AssertionError("the result may be no table of pyarrow's")

    collect = mapInArrow = __len__ = read_all


@pytest.mark.parametrize("name", ["__arrow_c_array__", "__arrow_c_stream__"])
def test_objects_with_arrow_data(name):
    batch = pa.record_batch({"id": [1, 2], "x": ["a", None]})
    for call in CALLS:
        given = type("Given", (Arrow,), {})
        assert str(call(given(batch, name))) == str(call(pa.table(batch)))


def test_maps_without_types():
    """Arrow ends the process if it takes rows of a map whose keys have the type null."""
    relation = engine("duckdb").sql("select 1 as id, map {} as x")
    with pytest.raises(TypeError, match="rows of column 'x', which is map<null, null>: cast"):
        finalist.diff(relation, relation, "id")
    assert len(finalist.fingerprint(relation)) == 32


def test_a_dictionary_of_dictionaries():
    values = pa.array(["a", "a"]).dictionary_encode()
    table = pa.table({"x": pa.DictionaryArray.from_arrays([0], values)})
    with pytest.raises(TypeError, match="column 'x': a dictionary of dictionaries has no encoding"):
        finalist.hash_rows(table, "blake2s")
