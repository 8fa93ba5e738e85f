# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.diff with the digests of the old table's rows in place of the table."""

import json
import random
import time

import finalist
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import tables
from finalist.tables import Rows, buckets, rows

OLD = pa.table({"id": range(2000), "name": [f"n{n}" for n in range(2000)], "x": [0.5] * 2000})
COUNTS = ["old_count", "new_count"]


def changed(rng, table):
    """Removes, repeats and changes rows, and adds some, in another order."""
    rows = [row for row in range(table.num_rows) if rng.random() < 0.98]
    rows += rng.sample(rows, 3)
    rng.shuffle(rows)
    new = table.take(pa.array(rows, pa.int64())).to_pydict()
    new["name"] = [name + "!" if rng.random() < 0.01 else name for name in new["name"]]
    new["id"] = [-1 - row if rng.random() < 0.01 else row for row in new["id"]]
    return pa.table(new)


def digests(table, names, key=b""):
    """Returns the digests of a table's keys."""
    options = {"version": 2, "digest_size": 16, "key": key}
    return finalist.hash_rows(table, "blake2s", names, **options).to_pylist()


def ordered(table):
    return sorted(map(repr, table.to_pylist()))


@pytest.mark.parametrize("secret", [b"", b"secret"])
@pytest.mark.parametrize("seed", range(3))
def test_digests_of_both_tables(seed, secret, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "GROUP", 300)
    rng = random.Random(seed)
    old = pa.concat_tables([OLD, OLD.slice(5, 2)])
    new = changed(rng, old)
    known = finalist.diff(old, new, "id")
    given = []
    for name, table in (("old", old), ("new", new)):
        rows(table, ["id"], key=secret).write(tmp_path / name)
        given.append(Rows.read(tmp_path / name, key=secret))
    found = finalist.diff(*given, "id", bucket_key=secret)
    assert found.counts == known.counts and all(found.counts.values())
    assert (found.old_rows, found.new_rows) == (known.old_rows, known.new_rows)
    for name in ("added", "removed", "changed", "duplicates"):
        expected = digests(getattr(known, name), ["id"], secret)
        assert sorted(getattr(found, name)["key_digest"].to_pylist()) == sorted(expected)
    twice = known.duplicates.select(COUNTS)
    twice = twice.add_column(0, "key_digest", [digests(known.duplicates, ["id"], secret)])
    assert ordered(found.duplicates) == ordered(twice)
    assert finalist.diff(given[1], given[1], "id", bucket_key=secret).equal


@pytest.mark.parametrize("secret", [b"", b"secret"])
@pytest.mark.parametrize("seed", range(6))
def test_the_same_difference(seed, secret, tmp_path):
    rng = random.Random(seed)
    old = pa.concat_tables([OLD, OLD.slice(5, 2)])
    new = changed(rng, old)
    made = rows(old, ["id"], key=secret)
    made.write(tmp_path / "rows")
    read = Rows.read(tmp_path / "rows", key=secret)
    assert read == made
    assert read.root == buckets(old, "id", key=secret).root
    known = finalist.diff(old, new, "id")
    for _ in range(2):
        found = finalist.diff(read, new, "id", bucket_key=secret)
        assert found.counts == known.counts
        assert found.counts["changed"] > 5
        assert found.counts["duplicates"] >= 2
        assert (found.old_rows, found.new_rows) == (known.old_rows, known.new_rows)
        assert ordered(found.added) == ordered(known.added)
        of_known = known.changed.select(["id", "new"])
        assert ordered(found.changed) == ordered(of_known)
        removed = digests(known.removed, ["id"], secret)
        assert sorted(found.removed["key_digest"].to_pylist()) == sorted(removed)
        twice = known.duplicates.select(COUNTS)
        twice = twice.add_column(0, "key_digest", [digests(known.duplicates, ["id"], secret)])
        assert ordered(found.duplicates) == ordered(twice)


def test_many_changed_rows_take_time_in_proportion():
    """Each one once took the time of a copy of its batch's records."""
    count = 1 << 18
    old = pa.table({"id": range(count), "x": pa.array([1] * count, pa.int8())})
    new = old.set_column(1, "x", pa.array([2] * count, pa.int8()))
    times = []
    for given in (old, rows(old, "id")):
        begin = time.process_time()
        assert finalist.diff(given, new, "id").counts["changed"] == count
        times.append(time.process_time() - begin)
    assert times[1] < 8 * times[0] + 1, times


def test_equal_tables():
    made = rows(OLD, ["id", "name"], columns=["x"])
    found = finalist.diff(made, OLD.take(pa.array(reversed(range(2000)))), ["id", "name"])
    assert found.equal
    assert found.removed.schema == pa.schema({"key_digest": pa.binary(16)})
    assert found.duplicates.schema.names == ["key_digest", *COUNTS]
    assert rows(OLD.slice(0, 0), "id").rows == 0


def test_columns():
    made = rows(OLD, "id", columns=["x"])
    found = finalist.diff(made, OLD, "id")
    assert (found.columns.added, found.equal) == (["name"], False)
    for new in (OLD, made):
        for columns in (["x"], ["id", "x"]):  # That a key is among them changes nothing.
            assert finalist.diff(made, new, "id", columns=columns).equal
    with pytest.raises(ValueError, match="the new table has no column 'x'"):
        finalist.diff(made, OLD.drop(["x"]), "id")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"key": "name"}, r"the old table's digests of rows have the key \['id'\], not \['name'\]"),
        ({"columns": ["x"]}, r"the columns \['name', 'x'\], not \['x'\]"),
        ({"numbers": "by-value"}, "the numbers 'exact', not 'by-value'"),
        ({"bucket_key": b"k"}, "another bucket_key"),
        ({"old_buckets": buckets(OLD, "id")}, "buckets have no use"),
    ],
)
def test_other_parameters_are_refused(given, text):
    with pytest.raises(ValueError, match=text):
        finalist.diff(rows(OLD, "id"), OLD, **{"key": "id", **given})


def test_frames_of_spark_are_refused():
    frame = type("DataFrame", (), {"__module__": "pyspark.sql.dataframe", "mapInArrow": None})()
    with pytest.raises(ValueError, match="stay on the workers: use buckets"):
        rows(frame, "id")


def test_the_new_table_alone_is_not_replaced():
    with pytest.raises(ValueError, match="can replace the old table, or both"):
        finalist.diff(OLD, rows(OLD, "id"), "id")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"keys": ["id", "name"]}, "the new table's digests of rows have the key"),
        ({"columns": ["x"]}, r"the new table's .* the columns \['x'\], not \['name', 'x'\]"),
        ({"numbers": "by-value"}, "the numbers 'by-value', not 'exact'"),
        ({"key": b"k"}, "the new table's .* another bucket_key"),
    ],
)
def test_other_parameters_of_the_new_digests_are_refused(given, text):
    with pytest.raises(ValueError, match=text):
        finalist.diff(rows(OLD, "id"), rows(OLD, **{"keys": "id", **given}), "id")


def test_damaged_files_are_refused(tmp_path):
    place = tmp_path / "rows"
    rows(OLD, "id", key=b"k").write(place)
    for key in (b"", b"other"):
        with pytest.raises(ValueError, match="the key is another one"):
            Rows.read(place, key=key)
    table = pq.read_table(place)
    about = json.loads(table.schema.metadata[b"finalist.rows"])
    nullable = pa.schema([pa.field("record", pa.binary(32))], table.schema.metadata)
    for wrong, text in [
        (table.slice(1), "it has 1999 records, not 2000"),
        (table.slice(1999), "it has 1 record, not 2000"),
        (pa.concat_tables([table.slice(1), table.slice(1, 1)]), "do not give the root"),
        (pa.table([[None] * 2000], nullable), "its records are not digests"),
        (pa.table([[1] * 2000], ["record"]).replace_schema_metadata(table.schema.metadata), "form"),
        (table.replace_schema_metadata(None), "cannot be read as digests of rows"),
    ]:
        pq.write_table(wrong, place)
        with pytest.raises(ValueError, match=text):
            Rows.read(place, key=b"k")
    for change in ({"rows": 1}, {"rows": "1"}, {"keys": 5}, {"more": 1}, {"root": "xy"}):
        metadata = {b"finalist.rows": json.dumps(about | change).encode()}
        pq.write_table(table.replace_schema_metadata(metadata), place)
        with pytest.raises(ValueError, match="cannot be read as digests of rows"):
            Rows.read(place, key=b"k")
    reversed_ = table.take(pa.array(reversed(range(2000))))
    pq.write_table(reversed_, place)
    assert Rows.read(place, key=b"k") == rows(OLD, "id", key=b"k")
