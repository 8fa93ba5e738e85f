# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests `finalist table` against finalist.diff and finalist.fingerprint."""

import datetime
import decimal
import json
import os
import pathlib
import random
import re
import subprocess

import finalist
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
import test_diff
from conftest import engine

ROOT = pathlib.Path(__file__).parents[2]
TOOL = os.environ.get("FINALIST", ROOT / "target" / "release" / "finalist")
EXAMPLES = int(os.environ.get("FINALIST_EXAMPLES", "400"))

D = decimal.Decimal
#: A column of each type that Parquet holds.
EVERY_TYPE = pa.table(
    {
        "int8": pa.array([1, None, -128], pa.int8()),
        "uint8": pa.array([1, None, 255], pa.uint8()),
        "uint32": pa.array([1, None, 2**32 - 1], pa.uint32()),
        "uint64": pa.array([1, 2**64 - 1, None], pa.uint64()),
        "float": pa.array([1.5, -0.0, float("nan")], pa.float32()),
        "half": pa.array([1.5, None, float("-inf")], pa.float16()),
        "double": [0.1, float("inf"), None],
        "string": ["a", "é", None],
        "binary": [b"", b"\0\xff", None],
        "fixed": pa.array([b"abc", None, b"xyz"], pa.binary(3)),
        "decimal": pa.array([D("1.50"), D(-3), None], pa.decimal128(10, 2)),
        "whole": pa.array([D(2**100), D(-100), None], pa.decimal128(38, 0)),
        "wide": pa.array([D(2**200), D(-3), None], pa.decimal256(70, 3)),
        "date": pa.array([datetime.date(1969, 12, 31), None, datetime.date(2024, 2, 29)]),
        "date64": pa.array([0, 86400000, None], pa.date64()),
        "seconds": pa.array([1, None, 3], pa.time32("s")),
        "microseconds": pa.array([1, None, 3], pa.time64("us")),
        "nanoseconds": pa.array([1, None, 3], pa.time64("ns")),
        "timestamp_s": pa.array([1, None, -3], pa.timestamp("s")),
        "timestamp_ms": pa.array([1, None, -3], pa.timestamp("ms")),
        "instant_us": pa.array([1, None, -3], pa.timestamp("us", "Europe/Berlin")),
        "instant_ns": pa.array([1, None, -3], pa.timestamp("ns", "UTC")),
        "duration_s": pa.array([1, None, -3], pa.duration("s")),
        "duration_ns": pa.array([1, None, -3], pa.duration("ns")),
        "boolean": [True, None, False],
        "null": pa.nulls(3),
        "dictionary": pa.array(["a", "b", None]).dictionary_encode(),
        "view": pa.array(["x", None, "z"], pa.string_view()),
        "list": [[1, None], [], None],
        "lists": [[["a"], []], None, [None, ["b", "c", None]]],
        "fixed_list": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int32(), 2)),
        "struct": [{"a": 1, "b": "x"}, None, {"a": None, "b": None}],
        "structs": pa.array([[{"p": 1, "q": [1, 2]}, None], None, [{"p": None, "q": None}]]),
        "map": pa.array([[("k", 1), ("a", None)], [], None], pa.map_(pa.string(), pa.int64())),
        "durations": pa.array([[1], None, [None, 2]], pa.list_(pa.duration("us"))),
    }
)


def tool(*arguments):
    arguments = [TOOL, "table", *map(str, arguments)]
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def root(place, *options):
    done = tool("root", place, "--json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["root"]


def differences(old, new, keys, *options):
    """Returns the tool's lines of JSON, and the counts."""
    arguments = [part for key in keys for part in ("--key", key)]
    done = tool("diff", old, new, *arguments, "--json", *options)
    assert done.returncode in (0, 1), done.stderr
    *lines, totals = map(json.loads, done.stdout.splitlines())
    assert totals["equal"] == (done.returncode == 0)
    return lines, totals


@pytest.mark.parametrize("name", EVERY_TYPE.column_names)
@pytest.mark.parametrize("numbers", ["exact", "by-value"])
def test_roots_of_every_type(name, numbers, tmp_path):
    place = tmp_path / "table.parquet"
    pq.write_table(EVERY_TYPE.select([name]), place)
    expected = finalist.fingerprint(place, numbers=numbers).hex()
    assert root(place, "--numbers", numbers) == expected


def test_names_of_types(tmp_path):
    old, new = tmp_path / "old.parquet", tmp_path / "new.parquet"
    pq.write_table(pa.table({"id": [1, 2, 3], "x": [True] * 3}), new)
    for name, column in zip(EVERY_TYPE.column_names, EVERY_TYPE.columns, strict=True):
        pq.write_table(pa.table({"id": [1, 2, 3], "x": column}), old, store_schema=False)
        kept = pq.read_schema(old).field("x").type
        if kept == pa.bool_() or pa.types.is_nested(kept):
            continue
        lines, _ = differences(old, new, ["id"])
        assert lines[0].get("retyped") == {"x": [str(kept), "bool"]}, name


def test_roots_with_options(tmp_path):
    place = tmp_path / "table.parquet"
    for options in ({"row_group_size": 2}, {"version": "1.0"}, {"use_dictionary": False}):
        kept = [
            name
            for name in EVERY_TYPE.column_names
            if options.get("version") is None or not name.startswith(("timestamp", "instant"))
        ]
        table = pa.concat_tables([EVERY_TYPE.select(kept)] * 3)
        pq.write_table(table, place, data_page_version="2.0", **options)
        assert root(place) == finalist.fingerprint(place).hex(), options
    assert root(place, "--ordered") == finalist.fingerprint(place, ordered=True).hex()
    assert root(place, "-a", "blake3") == finalist.fingerprint(place, algorithm="blake3").hex()
    columns = ["string", "int8"]
    assert root(place, "--columns", ",".join(columns)) == finalist.fingerprint(place, columns).hex()
    (tmp_path / "key").write_bytes(b"secret")
    keyed = finalist.fingerprint(place, key=b"secret").hex()
    assert root(place, "--key-file", tmp_path / "key") == keyed


def test_names_with_commas(tmp_path):
    place, other = tmp_path / "a.parquet", tmp_path / "b.parquet"
    table = pa.table({"k,": [1, 2], "a,b": [3, 4], "c": [5, 6]})
    pq.write_table(table, place)
    pq.write_table(table.set_column(2, "c", [[7, 8]]), other)
    chosen = ("--column", "c", "--column", "a,b")
    assert root(place, *chosen) == finalist.fingerprint(place, ["c", "a,b"]).hex()
    assert tool("diff", place, other, "--key", "k,", "--column", "a,b").returncode == 0
    assert tool("diff", place, other, "--key", "k,", *chosen).returncode == 1
    sidecar = tmp_path / "a.buckets"
    assert not tool("buckets", place, "--key", "k,", "--column", "a,b", "-o", sidecar).returncode
    buckets = finalist.tables.Buckets.read(sidecar)
    assert buckets == finalist.tables.buckets(place, "k,", columns=["a,b"])
    refused = tool("root", place, "--column", "c", "--columns", "c")
    assert refused.returncode == 2
    assert "cannot be used with" in refused.stderr


def test_roots_of_folders(tmp_path):
    table = pa.table({"x": range(6), "p": [1, 1, 2, 2, None, None], "q": ["a", "b c"] * 3})
    flavour = pa.dataset.partitioning(
        pa.schema([("p", pa.int32()), ("q", pa.string())]), flavor="hive"
    )
    pa.dataset.write_dataset(table, tmp_path / "data", format="parquet", partitioning=flavour)
    assert root(tmp_path / "data") == finalist.fingerprint(tmp_path / "data").hex()
    assert (
        root(tmp_path / "data", "--ordered")
        == finalist.fingerprint(tmp_path / "data", ordered=True).hex()
    )


@pytest.mark.parametrize(
    "values",
    [
        ["+1"], ["+1", "1"], ["%2B1"], ["0x10", "16"], ["0X1f"], ["0xffffffff"], ["0x123456789"],
        ["0x"], ["0x+1"], ["-0x1"], ["01", "1"], ["-0"], ["-"], [" 1"], ["1 "], ["2147483648"],
        ["1", "__HIVE_DEFAULT_PARTITION__"], ["a%2Fb%C3%A9"], ["%+1"], ["%zz", "%"], [""], ["1_0"],
    ],
)  # fmt: skip
def test_values_of_partitions(tmp_path, values):
    for row, value in enumerate(values):
        (tmp_path / f"p={value}").mkdir()
        pq.write_table(pa.table({"x": [row]}), tmp_path / f"p={value}" / "0.parquet")
    assert root(tmp_path) == finalist.fingerprint(tmp_path).hex()


def test_values_of_partitions_that_are_refused(tmp_path):
    place = tmp_path / "p=%FF" / "0.parquet"
    place.parent.mkdir()
    pq.write_table(pa.table({"x": [1]}), place)
    done = tool("root", tmp_path)
    assert done.returncode == 2
    assert "0.parquet': a partition in its path is not UTF-8" in done.stderr
    with pytest.raises(ValueError, match="cannot be read as one table: .* valid UTF-8 .* %FF"):
        finalist.fingerprint(tmp_path)
    place.parent.rename(tmp_path / "p=__HIVE_DEFAULT_PARTITION__")
    expected = finalist.fingerprint(pa.table({"x": [1], "p": pa.nulls(1)}))
    assert root(tmp_path) == expected.hex()
    with pytest.raises(ValueError, match="cannot be read as one table: .* field 'p'"):
        finalist.fingerprint(tmp_path)


@pytest.mark.parametrize(
    ("paths", "text"),
    [
        (["p=1/0", "p=1/q=a/1"], "its path has other partitions than that of the first file"),
        (["p=1/q=a/0", "p=1/1"], "its path has other partitions than that of the first file"),
        (["0", "p=1/1"], "its path has other partitions than that of the first file"),
        (["p=1/0", "q=1/1"], "its path has other partitions than that of the first file"),
        (["p=1/q=2/0", "q=2/p=1/1"], "its path has other partitions than that of the first file"),
        (["p=1/p=2/0"], "several columns"),
        (["x=1/0"], "several columns"),
        (["x=a/0"], "several columns|Field x has incompatible types"),
    ],
)
def test_partitions_that_do_not_fit(tmp_path, paths, text):
    for place in (tmp_path / f"{path}.parquet" for path in paths):
        place.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"x": pa.array([1], pa.int32())}), place)
    done = tool("root", tmp_path)
    assert done.returncode == 2 and re.search(text, done.stderr)
    for call in (finalist.fingerprint, lambda place: finalist.diff(place, place, "x")):
        with pytest.raises(ValueError, match=text):
            call(tmp_path)


#: Columns that pyarrow's datasets add.
@pytest.mark.parametrize(
    "name", ["__filename", "__fragment_index", "__batch_index", "__last_in_fragment"]
)
def test_columns_with_names_of_arrow(tmp_path, name):
    table = pa.table({"id": [1, 2], name: ["a", None]})
    (tmp_path / "data" / "p=3").mkdir(parents=True)
    pq.write_table(table, tmp_path / "one.parquet")
    for row in range(2):
        pq.write_table(table.slice(row, 1), tmp_path / f"data/p=3/{row}.parquet")
    for place in ("one.parquet", "data"):
        expected = finalist.fingerprint(tmp_path / place).hex()
        assert root(tmp_path / place) == expected
    whole = table.append_column("p", pa.array([3, 3], pa.int32()))
    assert expected == finalist.fingerprint(whole).hex()
    assert finalist.diff(tmp_path / "data", whole, "id", columns=["p", name]).equal
    with pytest.raises(ValueError, match=f"pyarrow's datasets add a column '{name}'"):
        finalist.fingerprint(pyarrow.dataset.dataset(tmp_path / "data"))


def test_partitions_above_a_table_are_no_columns(tmp_path):
    place = tmp_path / "p=1" / "q=2" / "0.parquet"
    place.parent.mkdir(parents=True)
    table = pa.table({"x": [1]})
    pq.write_table(table, place)
    assert root(place) == finalist.fingerprint(place).hex() == finalist.fingerprint(table).hex()
    expected = finalist.fingerprint(tmp_path / "p=1").hex()
    assert root(tmp_path / "p=1") == expected != root(place)


def test_what_only_looks_like_a_partition(tmp_path):
    """Directories above the table, and its files, may be named like a column."""
    table = pa.table({"a b": [1]})
    place = tmp_path / "a b=2" / "data"
    place.mkdir(parents=True)
    pq.write_table(table, place / "a b=3.parquet")
    pq.write_table(table, place / "other.parquet")
    expected = finalist.fingerprint(pa.concat_tables([table, table])).hex()
    assert root(place) == finalist.fingerprint(place).hex() == expected


def test_a_column_with_the_name_of_an_escaped_partition(tmp_path):
    place = tmp_path / "a%20b=1" / "0.parquet"
    place.parent.mkdir()
    pq.write_table(pa.table({"a b": pa.array([1], pa.int32())}), place)
    done = tool("root", tmp_path)
    assert done.returncode == 2 and "column 'a b': several columns" in done.stderr
    with pytest.raises(ValueError, match="several columns 'a b'"):
        finalist.fingerprint(tmp_path)


def test_roots_without_the_index_of_pandas(tmp_path):
    pd = engine("pandas")
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    frame[frame.a > 1].to_parquet(tmp_path / "frame.parquet")
    expected = finalist.fingerprint(pa.table({"a": [3, 2], "b": ["z", "y"]})).hex()
    assert root(tmp_path / "frame.parquet") == expected


def test_files_of_other_writers(tmp_path):
    place = tmp_path / "table.parquet"
    engine("duckdb").sql(
        f"copy (select 1::integer as i, 'x' as s, date '2024-01-01' as d, 1.5::decimal(5,2) as n,"
        f" timestamp '2024-01-01 10:00:00' as t, timestamptz '2024-01-01 10:00:00+02' as z,"
        f" {{'a': [1, null]}} as st, map {{'k': 1}} as m, uuid() as u, time '10:00:00' as c)"
        f" to '{place}' (format parquet)"
    )
    assert root(place) == finalist.fingerprint(place).hex()
    pl = engine("polars")
    frame = pl.DataFrame({"i": [1, None], "l": [[1], None], "t": [datetime.timedelta(1), None]})
    frame.write_parquet(place)
    assert root(place) == finalist.fingerprint(place).hex()


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "zstd"])
def test_compressions(tmp_path, codec, version):
    place, plain = tmp_path / "table.parquet", tmp_path / "plain.parquet"
    table = pa.concat_tables([EVERY_TYPE] * 500).combine_chunks()
    table = table.append_column("id", pa.array(range(len(table))))
    options = {"data_page_version": version, "data_page_size": 4096}
    pq.write_table(table, place, compression=codec, **options)
    pq.write_table(table, plain, compression="none")
    assert root(place) == finalist.fingerprint(table).hex()
    assert differences(plain, place, ["id"])[1]["equal"]
    changed = table.set_column(0, "int8", pa.array([5] * len(table), pa.int8())).slice(0, 1200)
    pq.write_table(changed, place, compression=codec, **options)
    _, totals = differences(plain, place, ["id"])
    assert (totals["changed"], totals["removed"]) == (1200, 300)


def test_defaults_of_other_writers(tmp_path):
    place = tmp_path / "table.parquet"
    frame = engine("polars").DataFrame({"id": range(1000), "s": [f"name {i}" for i in range(1000)]})
    fingerprint = finalist.fingerprint(frame).hex()
    frame.write_parquet(place)
    assert root(place) == fingerprint
    for codec in ("zstd", "gzip"):
        frame.write_parquet(place, compression=codec)
        assert root(place) == fingerprint
    engine("pandas").DataFrame(frame.to_dict(as_series=False)).to_parquet(place)
    assert root(place) == fingerprint
    for options in ("", ", compression zstd", ", compression gzip"):
        for version in ("v1", "v2"):
            engine("duckdb").sql(
                f"copy (select * from frame) to '{place}' (parquet_version {version}{options})"
            )
            assert root(place) == fingerprint


def test_types_of_polars(tmp_path):
    pl = engine("polars")
    place, old = tmp_path / "polars.parquet", tmp_path / "old.parquet"
    columns = [
        pl.Series("id", [1, 2, 3], pl.UInt64),
        pl.Series("decimal", [D(1), None, D("-2.50")], pl.Decimal(38, 2)),
        pl.Series("wide", [2**100, None, -3], pl.Decimal(38, 0)),
        pl.Series("category", ["a", None, "b"], pl.Categorical),
        pl.Series("array", [[1, 2], None, [3, 4]], pl.Array(pl.Int8, 2)),
        pl.Series("time", [1, None, 3], pl.Time),
    ]
    pl.DataFrame(columns).write_parquet(place)
    assert root(place) == finalist.fingerprint(place).hex()
    # Parquet holds these as 16 bytes, and pyarrow reads no file with them.
    for kind in (pl.Int128, pl.UInt128):
        for last, name in enumerate((old, place)):
            wide = pl.Series("wide", [2**100, None, last], kind)
            pl.DataFrame([columns[0], wide]).write_parquet(name)
        rows, totals = differences(old, place, ["id"])
        assert [row["key"] for row in rows] == [{"id": 3}] and totals["changed"] == 1
        text = "polars.parquet cannot be read: Integers with more .*: cast Polars' Int128 to Int64"
        for call in (finalist.fingerprint, lambda place: finalist.diff(place, place, "id")):
            with pytest.raises(TypeError, match=text):
                call(place)


def test_what_the_tool_cannot_read_is_named(tmp_path):
    place = tmp_path / "table.parquet"
    pq.write_table(pa.table({"a": [1]}), place, compression="brotli")
    done = tool("root", place)
    assert done.returncode == 2
    assert f"{place}: column 'a': compressed with BROTLI" in done.stderr


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_damaged_pages_are_refused(tmp_path, codec):
    place = tmp_path / "table.parquet"
    table = pa.table({"a": [f"a longer value {i % 9}" for i in range(400)]})
    pq.write_table(table, place, compression=codec, use_dictionary=False)
    column = pq.read_metadata(place).row_group(0).column(0)
    whole = place.read_bytes()
    end = column.data_page_offset + column.total_compressed_size
    for at in range(end - 60, end):
        place.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        done = tool("root", place)
        if codec == "gzip":
            text = f"finalist: {place}: column 'a': Parquet error: a page cannot"
            assert done.stderr.startswith(text), at
        else:  # Without a checksum it may decode to other values.
            assert done.returncode == 0 or f"{place}: column 'a': " in done.stderr, at


def test_values_in_json(tmp_path):
    place, empty = tmp_path / "table.parquet", tmp_path / "empty.parquet"
    table = EVERY_TYPE.append_column("id", pa.array([1, 2, 3]))
    pq.write_table(table, place)
    pq.write_table(table.slice(0, 0), empty)
    lines, totals = differences(empty, place, ["id"])
    assert totals["added"] == 3
    first = next(line["new"] for line in lines if line["key"] == {"id": 1})
    expected = {
        "uint64": 1,
        "float": 1.5,
        "string": "a",
        "binary": "",
        "fixed": "616263",
        "decimal": "1.5",
        "wide": str(2**200),
        "date": "1969-12-31",
        "seconds": "00:00:01",
        "nanoseconds": "00:00:00.000000001",
        "timestamp_s": "1970-01-01T00:00:01",
        "instant_us": "1970-01-01T00:00:00.000001Z",
        "duration_ns": "PT0.000000001S",
        "boolean": True,
        "null": None,
        "list": [1, None],
        "struct": {"a": 1, "b": "x"},
        "map": [["a", None], ["k", 1]],
    }
    assert {name: first[name] for name in expected} == expected
    last = next(line["new"] for line in lines if line["key"] == {"id": 3})
    expected = {
        "float": "NaN",
        "half": "-Infinity",
        "date": "2024-02-29",
        "timestamp_ms": "1969-12-31T23:59:59.997",
        "duration_s": "-PT3S",
        "binary": None,
    }
    assert {name: last[name] for name in expected} == expected


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"data_page_version": "2.0"},
        {"use_dictionary": False},
        {
            "use_dictionary": False,
            "column_encoding": {"string": "DELTA_BYTE_ARRAY", "binary": "DELTA_LENGTH_BYTE_ARRAY"},
        },
    ],
)
def test_few_differences_in_long_tables(options, tmp_path):
    """Tests rows that are far apart: the tool decodes the other columns of the rows of unequal
    buckets alone. The expected values are from a comparison that decodes all rows."""
    rng = random.Random(1)
    rows, turned = 3000, pa.concat_tables([EVERY_TYPE.slice(1), EVERY_TYPE.slice(0, 1)])
    old, other = (
        pa.concat_tables([each] * (rows // 3)).append_column("id", pa.array(range(rows)))
        for each in (EVERY_TYPE, turned)
    )
    changed = {0, 1, 2, 999, 1000, rows - 1, *rng.sample(range(rows), 20)}
    blocks = [range(first, first + 100) for first in range(0, rows, 100)]
    rng.shuffle(blocks)
    new = pa.concat_tables(
        (other if row in changed else old).slice(row, 1) for block in blocks for row in block
    ).combine_chunks()
    places = [tmp_path / name for name in ("old.parquet", "new.parquet", "empty.parquet")]
    small = {"row_group_size": 1000, "data_page_size": 300, "write_batch_size": 20}
    for table, place in zip((old, new, old.slice(0, 0)), places, strict=True):
        pq.write_table(table, place, **small, **options)
    values = [
        {line["key"]["id"]: line["new"] for line in differences(places[2], place, ["id"])[0]}
        for place in places[:2]
    ]
    lines, totals = differences(*places[:2], ["id"])
    assert totals["changed"] == len(lines) == len(changed)
    for line in lines:
        row = line["key"]["id"]
        assert [line["old"], line["new"]] == [side[row] for side in values]
    expected = finalist.diff(*places[:2], "id").changed.to_pylist()
    columns = {line["key"]["id"]: line["columns"] for line in lines}
    assert {row["id"]: row["columns"] for row in expected} == columns


@pytest.mark.parametrize("secret", [b"", b"secret"])
@pytest.mark.parametrize("numbers", ["exact", "by-value"])
def test_digests_of_the_tool_are_those_of_python(secret, numbers, tmp_path):
    rng = random.Random(1)
    table = pa.concat_tables([EVERY_TYPE] * 50).append_column("id", pa.array(range(150)))
    old, new, other = (tmp_path / name for name in ("old.parquet", "new.parquet", "buckets"))
    pq.write_table(table, old)
    rows = [table.slice(row, 1) for row in rng.sample(range(150), 149)]
    pq.write_table(pa.concat_tables(rows).combine_chunks(), new)
    options = ["--numbers", numbers]
    if secret:
        (tmp_path / "key").write_bytes(secret)
        options += ["--key-file", tmp_path / "key"]
    keys = ["--key", "id", "--key", "int8"]
    done = tool("buckets", old, *keys, "-o", other, *options)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    made = finalist.tables.buckets(old, ["id", "int8"], numbers=numbers, key=secret)
    assert finalist.tables.Buckets.read(other, key=secret) == made
    made.write(tmp_path / "python")
    for place in (other, tmp_path / "python"):
        _, totals = differences(old, new, ["id", "int8"], "--old-buckets", place, *options)
        assert totals == differences(old, new, ["id", "int8"], "--numbers", numbers)[1]
        assert (totals["removed"], totals["changed"]) == (1, 0)
    done = tool("rows", old, *keys, "-o", other, *options)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    made = finalist.tables.rows(old, ["id", "int8"], numbers=numbers, key=secret)
    assert finalist.tables.Rows.read(other, key=secret) == made
    made.write(tmp_path / "python")
    found = finalist.diff(made, new, ["id", "int8"], numbers=numbers, bucket_key=secret)
    for place in (other, tmp_path / "python"):
        lines, totals = differences(place, new, ["id", "int8"], *options)
        assert (totals["removed"], totals["changed"], totals["old_rows"]) == (1, 0, 150)
        (removed,) = found.removed["key_digest"].to_pylist()
        assert lines[0]["key"] == {"key_digest": removed.hex()}


def test_buckets_of_other_parameters_and_damaged_ones_are_refused(tmp_path):
    old, new, place = (tmp_path / name for name in ("old.parquet", "new.parquet", "buckets"))
    table = pa.table({"id": range(100), "name": ["n"] * 100, "x": [0.5] * 100})
    pq.write_table(table, old)
    pq.write_table(table.slice(1), new)
    (tmp_path / "key").write_bytes(b"k")
    finalist.tables.buckets(old, "id").write(place)
    for options, text in [
        (["--key", "name"], "its buckets have the key 'id', not 'name'"),
        (["--key", "id", "--columns", "x"], "its buckets have the columns 'name', 'x', not 'x'"),
        (["--key", "id", "--numbers", "by-value"], "--numbers exact, not by-value"),
        (["--key", "id", "--key-file", tmp_path / "key"], "or the key is another one"),
    ]:
        done = tool("diff", old, new, *options, "--old-buckets", place)
        assert done.returncode == 2
        assert text in done.stderr
    done = tool("diff", old, new, "--key", "id", "--new-buckets", place)
    assert f"{new}: it has 99 rows, and its buckets are of 100" in done.stderr
    sound = place.read_bytes()
    for damaged in (sound[:1000] + bytes(5) + sound[1005:], sound[:-50], b"", old.read_bytes()):
        place.write_bytes(damaged)
        done = tool("diff", old, new, "--key", "id", "--old-buckets", place)
        assert done.returncode == 2
        assert str(place) in done.stderr
        assert done.stderr.count("\n") == 1
    fewer = pq.read_table(old).select([0])
    pq.write_table(fewer.replace_schema_metadata({b"finalist.buckets": b"{}"}), place)
    done = tool("diff", old, new, "--key", "id", "--old-buckets", place)
    assert "cannot be read as buckets" in done.stderr


def compare(seed, folder):
    """Compares the differences that the tool and Python find in two random tables."""
    rng = random.Random(seed)
    columns = test_diff.random_table(rng)
    others = test_diff.random_table(rng, columns)
    types = test_diff.changed_schema(rng, others)
    places = [folder / "old.parquet", folder / "new.parquet"]
    tables = [test_diff.arrow(rng, columns), test_diff.arrow(rng, others, types)]
    for table, place in zip(tables, places, strict=True):
        pq.write_table(table, place, row_group_size=rng.choice([1, 5, 100]))
    keys = rng.choice([["k"], ["j"], ["k", "j"]])
    expected = finalist.diff(*places, keys)
    lines, totals = differences(*places, keys)
    assert {name: totals[name] for name in expected.counts} == expected.counts, seed
    assert totals["equal"] == expected.equal, seed
    head = next((line for line in lines if line["change"] == "columns"), {})
    for name in ("added", "dropped"):
        assert list(head.get(name, {})) == sorted(getattr(expected.columns, name)), seed
    retyped = {name: list(map(str, pair)) for name, pair in expected.columns.retyped.items()}
    assert head.get("retyped", {}) == retyped, seed
    for line in lines:
        if line["change"] == "changed":
            key = {**line["key"]}
            row = next(
                row for row in expected.changed.to_pylist() if all(row[k] == key[k] for k in keys)
            )
            assert sorted(line["columns"]) == sorted(row["columns"]), seed
    for table, place in zip(tables, places, strict=True):
        assert root(place) == finalist.fingerprint(table).hex(), seed


def test_random_tables(tmp_path):
    for seed in range(EXAMPLES):
        compare(seed, tmp_path)
