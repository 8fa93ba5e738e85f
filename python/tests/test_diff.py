# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.diff against pandas.merge, and with tables of every kind."""

import datetime
import decimal
import os
import random
import time
from unittest import mock

import finalist
import finalist.tables
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from conftest import engine
from finalist import _aligned, _tables

TYPES = {
    "k": pa.int64(),
    "j": pa.string(),
    "a": pa.int64(),
    "s": pa.string(),
    "x": pa.float64(),
}
VALUES = {
    "k": [None, 1, 2, 3, 4, -5],
    "j": [None, "", "one", "two"],
    "a": [None, 0, 7],
    "s": [None, "", "s"],
    "x": [None, 0.0, float("nan"), 1.5],
}


def random_table(rng, like=None):
    """Makes columns of few values each, so that keys repeat; or changes some rows of a table."""
    rows = rng.randrange(14)
    columns = {name: [rng.choice(values) for _ in range(rows)] for name, values in VALUES.items()}
    if like is not None and rng.random() < 0.8:
        order = list(range(len(like["k"])))
        if rng.random() < 0.5:
            rng.shuffle(order)
        order = [row for row in order if rng.random() < 0.95]
        order += [row for row in order if rng.random() < 0.05]
        columns = {name: [values[row] for row in order] for name, values in like.items()}
        for name in ("a", "s", "x"):
            for row in range(len(order)):
                if rng.random() < 0.1:
                    columns[name][row] = rng.choice(VALUES[name])
    return columns


def arrow(rng, columns, retyped=()):
    """Makes the Arrow table, with a random order of columns and chunks of random lengths."""
    names = rng.sample(sorted(columns), len(columns))
    types = {**TYPES, **dict(retyped)}
    arrays = [pa.array(columns[name], types.get(name, pa.int64())) for name in names]
    table = pa.table(arrays, names)
    cut = rng.randrange(table.num_rows + 1)
    return pa.concat_tables([table.slice(0, cut), table.slice(cut)])


def changed_schema(rng, columns):
    """Adds, drops and retypes random columns. Returns the columns and the new types."""
    types = {}
    if rng.random() < 0.2:
        columns["extra"] = [1] * len(columns["k"])
    if rng.random() < 0.2:
        del columns["s"]
    if rng.random() < 0.2:
        types["a"] = rng.choice([pa.int8(), pa.decimal128(5, 0), pa.float64()])
    if rng.random() < 0.2:
        types["j"] = rng.choice([pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
    return types


def texts(table, names):
    """Returns a table's rows as text: kind and value of each cell. NaN equals itself."""
    columns = [[repr(value) for value in table.column(name).to_pylist()] for name in names]
    return list(zip(*columns, strict=True)) if columns else [()] * table.num_rows


def expected(cases):
    """Returns the keys of each class, by pandas, for cases of old and new pairs of key and row: the
    keys of rows that one table has more often than the other."""
    pd = engine("pandas")
    sides = [
        pd.DataFrame(
            [
                (str(case), repr(key), repr(row))
                for case, tables in enumerate(cases)
                for key, row in tables[side]
            ],
            columns=["case", "key", "row"],
        )
        for side in (0, 1)
    ]
    by_row, by_key = ["case", "key", "row"], ["case", "key"]

    def merged(names):
        counts = [side.groupby(names).size().reset_index(name="n") for side in sides]
        return pd.merge(*counts, on=names, how="outer", suffixes=("_old", "_new")).fillna(0)

    rows = merged(by_row)
    differing = rows[rows["n_old"] != rows["n_new"]][by_key].drop_duplicates()
    found = [{name: [] for name in CLASSES} for _ in cases]
    for row in merged(by_key).merge(differing, on=by_key).itertuples(index=False):
        counts = int(row.n_old), int(row.n_new)
        found[int(row.case)][NAMES.get(counts, "duplicates")].append((row.key, counts))
    return [{name: sorted(keys) for name, keys in classes.items()} for classes in found]


CLASSES = ("added", "removed", "changed", "duplicates")
NAMES = {(0, 1): "added", (1, 0): "removed", (1, 1): "changed"}


def found_by(difference, keys):
    found = {}
    for name in CLASSES:
        table = getattr(difference, name)
        counts = [next((pair for pair, each in NAMES.items() if each == name), None)]
        counts *= table.num_rows
        if name == "duplicates":
            columns = [table.column(each).to_pylist() for each in finalist.tables.COUNTS]
            counts = list(zip(*columns, strict=True))
        found[name] = sorted(zip(map(repr, texts(table, keys)), counts, strict=True))
    return found


def run(seed):
    """Compares two random tables. Returns their rows, for the oracle, and the result."""
    rng = random.Random(seed)
    columns = random_table(rng)
    others = random_table(rng, columns)
    types = changed_schema(rng, others)
    old, new = arrow(rng, columns), arrow(rng, others, types)
    keys = rng.choice([["k"], ["j"], ["k", "j"]])
    compared = [n for n in old.column_names if n in new.column_names and n not in keys]
    # If no rows may be held, buckets compare most pairs of tables.
    with mock.patch.object(_aligned, "KEPT_ROWS", rng.choice([0, 1 << 16])):
        found = finalist.diff(old, new, keys, threads=rng.choice([1, 2]))
    assert (found.old_rows, found.new_rows) == (old.num_rows, new.num_rows)
    assert found.columns.added == (["extra"] if "extra" in others else [])
    assert found.columns.dropped == ([] if "s" in others else ["s"])
    assert set(found.columns.retyped) == {"a"} & set(types)
    same = not any(found.counts.values()) and "extra" not in others and "s" in others
    assert found.equal == same
    rows = [
        list(zip(texts(table, keys), texts(table, compared), strict=True)) for table in (old, new)
    ]
    check_changed(found.changed, [dict(pairs) for pairs in rows], keys, compared)
    return rows, found_by(found, keys)


def check_changed(changed, sides, keys, compared):
    """Checks values and names of changed columns against the only row with the key."""
    for place, key in enumerate(texts(changed, keys)):
        before, after = (side[key] for side in sides)
        pairs = zip(compared, before, after, strict=True)
        row = changed.slice(place, 1).to_pylist()[0]
        assert row["columns"] == [name for name, one, other in pairs if one != other]
        for name, values in (("old", before), ("new", after)):
            assert tuple(repr(row[name][each]) for each in compared) == values


def check(seeds):
    cases, found = zip(*map(run, seeds), strict=True)
    for seed, one, wanted in zip(seeds, found, expected(cases), strict=True):
        assert one == wanted, seed



def test_many_columns_take_time_in_proportion():
    """The time once grew with the square of their number."""
    times = []
    for count in (400, 1600):
        old = pa.table({f"c{place}": [1, 2] for place in range(count)})
        new = old.set_column(count - 1, f"c{count - 1}", [[1, 3]])
        begin = time.process_time()
        assert finalist.diff(old, new, "c0").counts["changed"] == 1
        assert finalist.fingerprint(old) != finalist.fingerprint(new)
        times.append(time.process_time() - begin)
    assert times[1] < 6 * times[0] + 0.5, times


def test_random_tables():
    check(range(100))


@pytest.mark.slow
def test_two_thousand_random_tables():
    check(range(100, 2100))


OLD = pa.table({"id": range(1000), "name": [f"name {n}" for n in range(1000)]})
NEW = pa.table(
    {
        "name": [f"name {n}" if n != 500 else "five hundred" for n in range(1, 1001)],
        "id": range(1, 1001),
    }
).take(pa.array(reversed(range(1000))))


def parquet_file(table, folder):
    pq.write_table(table, folder / "table.parquet", row_group_size=100)
    return folder / "table.parquet"


def parquet_folder(table, folder):
    for part in range(4):
        pq.write_table(table.slice(part * 250, 250), folder / f"part-{part}.parquet")
    return str(folder)


def hive_folder(table, folder):
    parts = pa.array([n % 3 for n in range(1000)])
    pq.write_to_dataset(table.append_column("part", parts), folder, partition_cols=["part"])
    dataset = pa.dataset.dataset(folder, partitioning="hive")
    assert "part" in dataset.schema.names
    return dataset.filter(pa.dataset.field("id") >= 0)


def duckdb_relation(table, folder):
    connection = engine("duckdb").connect()
    connection.register("given", table)
    relation = connection.sql("select * from given")
    KEPT.append((connection, table))
    return relation


#: Tables that relations read.
KEPT = []

KINDS = {
    "arrow": lambda table, folder: table,
    "batches": lambda table, folder: table.to_reader(),
    "polars": lambda table, folder: engine("polars").DataFrame(table),
    "polars lazy": lambda table, folder: engine("polars").DataFrame(table).lazy(),
    "pandas": lambda table, folder: table.to_pandas(),
    "pandas sorted": lambda table, folder: table.to_pandas().sort_values("id"),
    "dict": lambda table, folder: table.to_pydict(),
    "list": lambda table, folder: table.to_pylist(),
    "duckdb": duckdb_relation,
    "parquet file": parquet_file,
    "parquet folder": parquet_folder,
    "dataset": lambda table, folder: pa.dataset.dataset(parquet_folder(table, folder)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_tables_of_every_kind(kind, threads, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old, new = KINDS[kind](OLD, tmp_path / "old"), KINDS[kind](NEW, tmp_path / "new")
    found = finalist.diff(old, new, "id", threads=threads)
    assert found.added.select(["id", "name"]).to_pylist() == [{"id": 1000, "name": "name 1000"}]
    assert found.removed.select(["id", "name"]).to_pylist() == [{"id": 0, "name": "name 0"}]
    row = {"old": {"name": "name 500"}, "new": {"name": "five hundred"}}
    assert found.changed.to_pylist() == [{"id": 500, "columns": ["name"], **row}]
    assert found.columns == finalist.tables.Columns([], [], {})
    assert not found.equal
    again = finalist.diff(NEW, KINDS[kind](NEW, tmp_path / "new"), key=["id"], threads=threads)
    assert again.equal
    assert again.counts == dict.fromkeys(again.counts, 0)


@pytest.mark.parametrize("threads", [1, 2])
def test_relations_of_one_connection(threads):
    connection = engine("duckdb").connect()
    query = "select i as id, if(i = {}, 'x', 'n' || i) as name from range(200000) t(i)"
    old, new = (connection.sql(query.format(row)) for row in (-1, 7))
    found = finalist.diff(old, new, "id", threads=threads)
    assert found.changed.column("id").to_pylist() == [7]


def test_partitions_are_columns(tmp_path):
    (tmp_path / "old").mkdir()
    dataset = hive_folder(OLD, tmp_path / "old")
    path = str(tmp_path / "old")
    assert finalist.diff(path, dataset, "id").equal
    assert finalist.diff(path, OLD, "id").columns.dropped == ["part"]


def test_the_index_of_a_frame_is_no_column():
    frame = OLD.to_pandas().set_index("name", drop=False).rename_axis("other")
    assert finalist.diff(frame, OLD, "id").equal
    assert finalist.diff(pa.Table.from_pandas(frame), OLD, "id").equal


def test_chosen_columns():
    old = pa.table({"id": [1, 2], "a": [1, 2], "b": [1, 2]})
    new = pa.table({"id": [1, 2], "a": [1, 3], "b": [2, 2], "c": [0, 0]})
    found = finalist.diff(old, new, "id", columns=["a"])
    assert found.changed.to_pylist() == [
        {"id": 2, "columns": ["a"], "old": {"a": 2}, "new": {"a": 3}}
    ]
    assert found.columns == finalist.tables.Columns([], [], {})
    assert finalist.diff(old, new, ["id", "b"], columns=[]).counts["changed"] == 0


def test_nested_and_exact_numbers():
    moments = [datetime.timedelta(days=1), None]
    old = pa.table({"id": [1, 2], "l": [[1, None], []], "d": moments, "n": [5, 6]})
    decimals = pa.array([decimal.Decimal(5), decimal.Decimal(6)], pa.decimal128(20, 2))
    new = old.set_column(3, "n", decimals).set_column(
        1, "l", pa.array([[1, None], None], old["l"].type)
    )
    found = finalist.diff(old, new, "id", numbers="by-value")
    assert found.changed.column("columns").to_pylist() == [["l"]]
    assert found.columns.retyped == {"n": (pa.int64(), pa.decimal128(20, 2))}
    assert finalist.diff(old, new, "id").counts["changed"] == 2
    assert finalist.diff(old, new, ["l", "id"], numbers="by-value").counts == {
        "added": 1,
        "removed": 1,
        "changed": 0,
        "duplicates": 0,
    }


def test_keys_of_different_types_never_meet():
    old, new = pa.table({"id": [1, 1]}), pa.table({"id": ["1", "1"]})
    found = finalist.diff(old, new, "id")
    assert found.duplicates.to_pylist() == [
        {"id": "1", "old_count": 2, "new_count": 0},
        {"id": "1", "old_count": 0, "new_count": 2},
    ]
    assert found.columns.retyped == {"id": (pa.int64(), pa.string())}


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("ahead_bytes", [0, finalist.tables.AHEAD_BYTES])
def test_every_row_differs(step, ahead_bytes):
    rows = 70_000
    old = pa.table({"id": range(rows), "x": [0.0] * rows})
    new = pa.table({"id": range(1, rows + 1)[::step], "x": [1.0] * rows})
    counts = {"added": 1, "removed": 1, "changed": rows - 1, "duplicates": 0}
    with mock.patch.object(finalist.tables, "AHEAD_BYTES", ahead_bytes):
        assert finalist.diff(old, new, "id").counts == counts


def test_rows_longer_than_are_hashed_at_once():
    old = pa.table({"id": [1, 2], "x": ["x" * (17 << 20), "y"]})
    new = pa.table({"id": [2, 1], "x": ["y", "x" * (17 << 20)]})
    assert finalist.diff(old, new, "id").equal
    assert finalist.diff(old, new, "x").equal


def test_a_table_that_changes_between_its_readings():
    class Relation:
        """Returns one row fewer each time, as a query over changing data might."""

        rows = 10

        def limit(self, _):
            return self

        def to_arrow_reader(self, *_):
            self.rows -= 1
            return OLD.slice(0, self.rows).to_reader()

    with pytest.raises(OSError, match="the old table had 8 rows, then 7: it was changed"):
        finalist.diff(Relation(), NEW, "id", threads=1)


def test_files_that_are_no_tables(tmp_path):
    table = pa.table({"id": [1], "name": ["one"]})
    finalist.tables.buckets(table, "id").write(tmp_path / "buckets")
    finalist.tables.rows(table, "id").write(tmp_path / "rows")
    text = "no column 'id': it is a file of buckets, which Buckets.read reads for old_buckets"
    with pytest.raises(ValueError, match=text):
        finalist.diff(tmp_path / "buckets", table, "id")
    text = "no column 'id': it is a file of digests of rows, which Rows.read reads in place of"
    with pytest.raises(ValueError, match=text):
        finalist.diff(tmp_path / "rows", table, "id")
    folder = tmp_path / "folder"
    folder.mkdir()
    pq.write_table(table, folder / "a.parquet")
    (folder / "b.txt").write_text("no table")
    text = f"^{folder / 'b.txt'} cannot be read as Parquet: Parquet (file size|magic)"
    for call in (finalist.fingerprint, lambda given: finalist.diff(given, table, "id")):
        with pytest.raises(ValueError, match=text):
            call(folder)
        with pytest.raises(TypeError, match="not a list of paths: pass their directory"):
            call([folder / "a.parquet"])
        with pytest.raises(TypeError, match="not a list of paths"):
            call([str(folder / "a.parquet")])
        with pytest.raises(TypeError, match="not a list of paths"):
            call([folder / "a.parquet", None])
        with pytest.raises(TypeError, match="a table is required, not a column"):
            call([])


UNION = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"key": "no"}, ValueError, "the old table has no column 'no'"),
        ({"key": []}, ValueError, "key is one column's name or a list of names"),
        ({"key": None}, TypeError, "key is one column's name or a list of names, not None"),
        ({"key": b"id"}, TypeError, "key is one column's name or a list of names, not b'id'"),
        ({"key": ["id", 1]}, TypeError, "key is a list of names, and 1 is none"),
        ({"key": "id", "new_buckets": "B"}, TypeError, "new_buckets are Buckets, not 'str'"),
        ({"key": ["id", "id"]}, ValueError, "key has 'id' twice"),
        ({"key": "id", "columns": "name"}, TypeError, "columns is a list of names"),
        ({"key": "id", "columns": ["name", "name"]}, ValueError, "columns has 'name' twice"),
        ({"key": "id", "columns": ["no"]}, ValueError, "the old table has no column 'no'"),
        ({"key": "id", "numbers": "no"}, ValueError, "numbers must be"),
        ({"key": "id", "old": "/no/where"}, FileNotFoundError, "no file or directory /no/where"),
        ({"key": "id", "new": 5}, TypeError, "not 'int'"),
        ({"key": "id", "new": pa.array([1])}, TypeError, "a table is required, not a column"),
        (
            {"key": "id", "new": pa.table([[1], UNION], ["id", "name"])},
            TypeError,
            "column 'name': Arrow type sparse_union",
        ),
        (
            {"key": "id", "new": pa.table([[1], [2]], ["id", "id"])},
            ValueError,
            "several columns 'id'",
        ),
        (
            {"key": "old", "old": pa.table({"old": [1]})},
            ValueError,
            "'old' has a name of the result's",
        ),
    ],
)
def test_errors(given, error, text):
    with pytest.raises(error, match=text):
        finalist.diff(given.pop("old", OLD), given.pop("new", NEW), **given)


def test_what_is_no_frame_of_spark():
    """Only a DataFrame of pyspark itself stays on the workers."""
    frame = type("DataFrame", (), {"__module__": "pyspark.pandas.frame"})()
    with pytest.raises(TypeError, match="is required, not 'DataFrame'"):
        finalist.diff(frame, OLD, "id")


def test_no_file_below_a_folder(tmp_path):
    with pytest.raises(FileNotFoundError, match="no Parquet files"):
        finalist.diff(os.fspath(tmp_path), OLD, "id")


def test_files_of_different_columns_are_refused(tmp_path):
    """Arrow would read the columns of the first file in all of them."""
    pq.write_table(pa.table({"id": [1], "x": [1]}), tmp_path / "0.parquet")
    others = [
        (pa.table({"id": [2], "x": [1], "y": [1]}), "'y' is int64, in .*0.parquet it is missing"),
        (pa.table({"id": [2]}), "'x' is missing, in .*0.parquet it is int64"),
        (pa.table({"id": [2], "x": ["1"]}), "'x' is string, in .*0.parquet it is int64"),
    ]
    for table, text in others:
        pq.write_table(table, tmp_path / "1.parquet")
        for call in (finalist.fingerprint, lambda old: finalist.diff(old, old, "id")):
            with pytest.raises(ValueError, match=f"1.parquet: column {text}: pass a pyarrow"):
                call(str(tmp_path))
    pq.write_table(pa.table({"x": [1], "id": [2]}), tmp_path / "1.parquet")
    rows = pa.table({"id": [1, 2], "x": [1, 1]})
    assert finalist.fingerprint(str(tmp_path)) == finalist.fingerprint(rows)


@pytest.mark.parametrize("kind", [pa.list_view(pa.int8()), pa.large_list_view(pa.int8())])
def test_list_views(kind):
    """Arrow's cast to lists takes the wrong values."""
    old = pa.table({"id": range(4), "x": pa.array([[1, 2], None, [], [3]], kind)})
    new = pa.table({"id": range(4), "x": pa.array([[1, 2], None, [], [4, 5]], kind)})
    assert finalist.diff(old, new, "id").changed.to_pylist() == [
        {"id": 3, "columns": ["x"], "old": {"x": [3]}, "new": {"x": [4, 5]}}
    ]
    removed = finalist.diff(old, new.slice(3), "id").removed
    assert removed.sort_by("id").to_pylist() == old.slice(0, 3).to_pylist()


def test_polars_types():
    pl = engine("polars")
    column = pl.Series(["a", "b", None], dtype=pl.Categorical)
    nested = pl.Series([["a"], ["b"], []], dtype=pl.List(pl.Enum(["a", "b"])))
    old = pl.DataFrame({"id": [1, 2, 3], "x": column, "y": nested})
    new = pl.DataFrame({"id": [3, 2, 1], "x": ["b", "b", "a"], "y": [[], ["b"], ["a"]]})
    assert finalist.diff(old, new, "id").changed.to_pylist() == [
        {
            "id": 3,
            "columns": ["x"],
            "old": {"x": None, "y": []},
            "new": {"x": "b", "y": []},
        }
    ]
    # Polars exports the addresses of Python objects.
    frame = pl.DataFrame({"id": [1], "x": [object()]})
    calls = (
        finalist.fingerprint,
        lambda frame: finalist.hash_rows(frame, "blake2b"),
        lambda frame: finalist.hash_column("blake2b", frame["x"]),
        lambda frame: finalist.diff(frame, frame, "id"),
        lambda frame: finalist.tables.buckets(frame, "id"),
    )
    for call in calls:
        with pytest.raises(TypeError, match="column 'x' has Polars' type Object: cast it first"):
            call(frame)


@pytest.mark.parametrize("is_as_long", [False, True])
def test_a_file_that_is_replaced_between_two_readings(tmp_path, monkeypatch, is_as_long):
    """Whatever is read later belongs to the table that was opened."""
    old = pa.table({"id": range(1000), "x": range(1000)})
    new = old.take(pa.array(random.Random(2).sample(range(1000), 1000)))
    paths = [str(tmp_path / name) for name in ("old.parquet", "new.parquet")]
    for path, table in zip(paths, (old, new), strict=True):
        pq.write_table(table, path)
    in_order = finalist.tables._Pass.in_order

    def replaced(self, *given):
        other = new if is_as_long else new.set_column(1, "x", [[0] * 1000])
        pq.write_table(other, tmp_path / "other")
        os.replace(tmp_path / "other", paths[1])
        return in_order(self, *given)

    monkeypatch.setattr(finalist.tables._Pass, "in_order", replaced)
    with pytest.raises(OSError, match="new.parquet was changed while it was read"):
        finalist.diff(*paths, "id")


def test_a_change_whose_time_was_set_back_is_seen(tmp_path):
    place = tmp_path / "table.parquet"
    pq.write_table(pa.table({"id": [1, 2]}), place)
    source = _tables.Source(place, "old")
    assert [batch.num_rows for batch in source.batches(["id"])] == [2]
    before = os.stat(place)
    while os.stat(place).st_ctime_ns == before.st_ctime_ns:
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(OSError, match="table.parquet was changed while it was read"):
        list(source.batches(["id"]))


def test_a_stopped_reading_gives_no_more_rows():
    source = _tables.Source(pa.table({"id": range(2 * _tables.BATCH_ROWS)}), "old")
    batches = source.batches(["id"])
    assert next(batches).num_rows == _tables.BATCH_ROWS
    source.stopped = True
    for unread in (batches, source.batches(["id"])):
        with pytest.raises(InterruptedError, match="the reading of the old table was stopped"):
            next(unread)


def test_plain_types():
    """Types whose values have the same encoding are one type."""
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        assert _tables.plain(kind) == pa.string()
    for kind in (pa.large_binary(), pa.binary_view(), pa.run_end_encoded(pa.int16(), pa.binary())):
        assert _tables.plain(kind) == pa.binary()
    for kind in (pa.list_(pa.large_string()), pa.large_list(pa.string()), pa.list_view(pa.string()),
                 pa.large_list_view(pa.string()), pa.list_(pa.string_view(), 2)):
        assert _tables.plain(kind) == pa.list_(pa.string())
