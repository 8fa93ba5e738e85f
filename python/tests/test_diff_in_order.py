# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.diff of tables whose rows are mostly in the same order, which it reads once."""

import datetime
import decimal
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import finalist
import finalist.tables
import pyarrow as pa
import pytest
from finalist import _aligned, _finalist, _tables

ROWS = 3000


class Relation:
    """A table that counts how often it is read, with the interface of DuckDB's relations."""

    def __init__(self, table):
        self.table, self.readings = table, 0

    def limit(self, rows):
        return Relation(self.table.slice(0, rows))

    def to_arrow_reader(self, *_):
        self.readings += 1
        return self.table.to_reader(max_chunksize=700)


def numbered(places, column="id"):
    names = [f"name {place}" for place in places]
    return pa.table({column: pa.array(places, pa.int64()), "name": names})


@pytest.mark.parametrize("threads", [1, 2])
def test_shifted_rows_are_read_once(threads):
    old = numbered(range(ROWS))
    kept = [place for place in range(ROWS) if not 100 <= place < 140]
    new = numbered([*range(-300, 0), *kept, *range(ROWS, ROWS + 5)])
    relation = Relation(old)
    found = finalist.diff(relation, new, "id", threads=threads)
    assert found.counts == {"added": 305, "removed": 40, "changed": 0, "duplicates": 0}
    assert sorted(found.removed.column("id").to_pylist()) == list(range(100, 140))
    assert (found.old_rows, found.new_rows) == (old.num_rows, new.num_rows)
    assert relation.readings == 1


@pytest.mark.parametrize(
    ("kind", "readings"),
    [
        (pa.string(), 1),
        (pa.uint8(), 1),
        (pa.date32(), 1),
        (pa.timestamp("s"), 1),
        (pa.time64("us"), 1),
        (pa.float32(), 2),
    ],
)
def test_keys_that_ascend_cannot_repeat(kind, readings):
    """So the keys need not be read again, except those that have no total order in Arrow."""
    keys = pa.array(["1", "2", "3"] if kind == pa.string() else [1, 2, 3], kind)
    relation = Relation(pa.table({"id": keys, "x": [1, 2, 3]}))
    found = finalist.diff(relation, pa.table({"id": keys, "x": [1, 0, 3]}), "id")
    assert found.counts == {"added": 0, "removed": 0, "changed": 1, "duplicates": 0}
    assert relation.readings == readings


def test_rows_that_differ_here_and_there_are_held(monkeypatch):
    """However many, up to one in eight of those read so far."""
    monkeypatch.setattr(_aligned, "KEPT_ROWS", 10)
    old = numbered(range(ROWS))
    names = [f"{'new' if place % 20 == 0 else 'name'} {place}" for place in range(ROWS)]
    relation = Relation(old)
    found = finalist.diff(relation, old.set_column(1, "name", [names]), "id")
    assert found.counts == {"added": 0, "removed": 0, "changed": ROWS // 20, "duplicates": 0}
    assert relation.readings == 1


def test_searches_have_a_limit_in_common():
    """Each begins with what the one before has left."""
    given, left = [], []

    class Rows:
        def walk(self, old, new, looks):
            given.append(looks)
            found = hasher.walk(old, new, looks)
            left.append(_aligned.integers(found[-1]).to_pylist()[-1])
            return found

    hasher = _finalist.KeyedRows("blake2s", b"", ["id"], ["name"], "exact")
    tables = [numbered(range(ROWS)), numbered(range(ROWS, 2 * ROWS))]
    sides = [_tables.Source(Relation(table), "old") for table in tables]
    kept = _aligned.in_order(Rows(), sides, [["id", "name"]] * 2, 1, ahead=False)
    assert [side.rows for side in kept] == [ROWS, ROWS]
    assert len(given) > 3 and left[0] < _aligned.LOOKS
    assert given == [_aligned.LOOKS, *left[:-1]]


def test_a_batch_is_read_ahead():
    begun = threading.Event()

    def batches():
        yield 1
        begun.set()
        yield 2

    with ThreadPoolExecutor(1) as pool:
        ahead = _aligned.read_ahead(batches(), pool)
        assert next(ahead) == 1 and begun.wait(10)
        assert list(ahead) == [2]


def test_rows_in_another_order():
    places = random.Random(1).sample(range(ROWS), ROWS)
    relation, new = Relation(numbered(range(ROWS))), numbered(places)
    assert finalist.diff(relation, new, "id").equal
    assert relation.readings == 1
    with mock.patch.object(_aligned, "KEPT_ROWS", 0):
        relation = Relation(numbered(range(ROWS)))
        assert finalist.diff(relation, new, "id").equal
    assert relation.readings == 2


def test_keys_that_repeat_count_rows_that_are_equal():
    """A row that equals its neighbour is dropped, but counts as a row of its key."""
    old = pa.table({"id": [1, 1, 2, 3, 3], "name": ["a", "b", "c", "d", "e"]})
    new = pa.table({"id": [1, 1, 2, 2, 3, 3], "name": ["a", "x", "c", "y", "d", "e"]})
    relation = Relation(old)
    found = finalist.diff(relation, new, "id")
    assert sorted(found.duplicates.to_pylist(), key=str) == [
        {"id": 1, "old_count": 2, "new_count": 2},
        {"id": 2, "old_count": 1, "new_count": 2},
    ]
    assert found.counts == {"added": 0, "removed": 0, "changed": 0, "duplicates": 2}
    assert relation.readings == 3  # For all; for the keys; for the rows of these keys.


def test_a_key_that_repeats_once_in_the_new_table_alone():
    old, new = numbered(range(ROWS)), numbered([*range(ROWS), 5])
    found = finalist.diff(old, new, "id")
    assert found.duplicates.to_pylist() == [{"id": 5, "old_count": 1, "new_count": 2}]


DAY = datetime.date(2000, 1, 1)
COLUMNS = {
    "int8": (pa.int8(), [-1, 0, 1]),
    "uint64": (pa.uint64(), [0, 1, 2**64 - 1]),
    "float": (pa.float64(), [0.0, -0.0, 1.5, float("nan")]),
    "half": (pa.float32(), [0.0, -0.0, 1.5, float("nan")]),
    "string": (pa.string(), ["", "a", "ab", "b"]),
    "large_string": (pa.large_string(), ["", "a", "ab", "b"]),
    "view": (pa.string_view(), ["", "a", "longer than twelve bytes"]),
    "binary": (pa.binary(), [b"", b"a", b"ab"]),
    "fixed": (pa.binary(2), [b"aa", b"ab"]),
    "boolean": (pa.bool_(), [True, False]),
    "date": (pa.date32(), [DAY, DAY + datetime.timedelta(1)]),
    "date64": (pa.date64(), [DAY, DAY + datetime.timedelta(1)]),
    "timestamp": (
        pa.timestamp("us"),
        [datetime.datetime(2000, 1, 1), datetime.datetime(2001, 1, 1)],
    ),
    "decimal": (pa.decimal128(9, 2), [decimal.Decimal("1.50"), decimal.Decimal("2")]),
    "decimal256": (pa.decimal256(60, 2), [decimal.Decimal("1.50"), decimal.Decimal("2")]),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), ["a", "b"]),
    "list": (pa.list_(pa.int8()), [[], [1], [1, 2]]),
    "null": (pa.null(), [None]),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("nulls", [False, True])
def test_rows_of_every_type_differ_as_their_digests(name, nulls):
    """Long runs of equal rows, and rows with some other values."""
    rng = random.Random(name)
    kind, values = COLUMNS[name]
    values = [*values, None] if nulls else values

    def cut(column):
        """Returns the column as an array with another offset in its memory."""
        array = pa.array([values[0], *column], kind)
        return array.slice(1)

    old = [rng.choice(values) for _ in range(ROWS)]
    new = [rng.choice(values) if rng.random() < 0.01 else value for value in old]
    ids = list(range(ROWS))
    tables = [pa.table({"id": ids, "v": cut(column)}) for column in (old, new)]
    digests = [pa.array(finalist.hash_rows(table, "blake2s", version=2)) for table in tables]
    expected = [row for row in ids if digests[0][row] != digests[1][row]]
    found = finalist.diff(*tables, "id")
    assert sorted(found.changed.column("id").to_pylist()) == expected
    assert found.counts["changed"] == sum(found.counts.values())
    # The same with these values as keys, which repeat since they are few.
    moved = finalist.diff(*(table.slice(0, 60) for table in tables), ["v", "id"])
    assert moved.counts["added"] == moved.counts["removed"] == sum(row < 60 for row in expected)


@pytest.mark.parametrize("old_type", [pa.int32(), pa.string(), pa.float64()])
def test_types_that_differ(old_type):
    values = [str(row) for row in range(ROWS)]
    old = pa.table({"id": range(ROWS), "v": pa.array(values).cast(old_type)})
    same = old.set_column(1, "v", pa.array(values, pa.large_string()))
    number = old.set_column(1, "v", pa.array(range(ROWS), pa.int64()))
    assert finalist.diff(old, same, "id").equal == pa.types.is_string(old_type)
    assert finalist.diff(old, number, "id").equal == pa.types.is_integer(old_type)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("is_in_order", [False, True])
def test_threads_that_read(threads, is_in_order, monkeypatch):
    """One thread reads if it is told so, or if both tables might share a connection."""
    read, batches = set(), finalist.tables.Source.batches

    def watched(side, columns):
        for batch in batches(side, columns):
            read.add(threading.current_thread())
            yield batch

    monkeypatch.setattr(finalist.tables.Source, "batches", watched)
    if not is_in_order:
        monkeypatch.setattr(finalist.tables._Pass, "in_order", lambda *_: None)
    old, new = numbered(range(ROWS)), numbered([*range(1, ROWS), 0, -1])
    digests = finalist.tables.rows(old, "id")
    for sides, is_one in [
        ((old, new), threads == 1),
        ((Relation(old), new), threads == 1),
        ((old, Relation(new)), threads == 1),
        ((Relation(old), Relation(new)), True),
        ((digests, new), threads == 1),
    ]:
        read.clear()
        assert finalist.diff(*sides, "id", threads=threads).counts["added"] == 1
        assert (read == {threading.current_thread()}) == is_one


@pytest.mark.parametrize("unknown", [100, 5000])
def test_the_room_for_sums_is_that_of_the_longer_table(unknown, monkeypatch):
    """A relation does not say how many rows it has."""
    rooms, sums = [], finalist.tables._finalist.Sums
    monkeypatch.setattr(
        finalist.tables._finalist, "Sums", lambda rows: rooms.append(rows) or sums(rows)
    )
    monkeypatch.setattr(finalist.tables._Pass, "in_order", lambda *_: None)
    monkeypatch.setattr(finalist.tables, "ROWS_UNKNOWN", unknown)
    one, more = numbered(range(1)), numbered(range(ROWS))
    for sides, rows in [
        ((one, more), ROWS),
        ((more, one), ROWS),
        ((one, Relation(more)), unknown),
        ((more, Relation(one)), max(unknown, ROWS)),
        ((Relation(one), Relation(more)), unknown),
    ]:
        rooms.clear()
        assert sum(finalist.diff(*sides, "id").counts.values()) == ROWS - 1
        assert rooms == [rows, rows]


def test_few_rows_of_the_new_table_are_held_until_the_old_one_is_read(monkeypatch):
    read, batches = [], finalist.tables.Source.batches

    def slowly(side, columns):
        for number, batch in enumerate(batches(side, columns)):
            if side.what == "old":
                time.sleep(0.05)
            read.append((side.what, number))
            yield batch

    monkeypatch.setattr(finalist.tables.Source, "batches", slowly)
    monkeypatch.setattr(finalist.tables._Pass, "in_order", lambda *_: None)
    monkeypatch.setattr(finalist._tables, "BATCH_ROWS", 1000)
    monkeypatch.setattr(finalist.tables, "AHEAD_BYTES", 0)
    old, new = numbered(range(ROWS)), numbered(range(ROWS, 2 * ROWS))
    assert finalist.diff(old, new, "id").counts["added"] == ROWS
    again = read[6:]  # The first reading finds the buckets that differ.
    assert again.index(("old", 2)) < again.index(("new", 1))


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("reading", [1, 2])
def test_an_error_ends_the_reading_of_the_other_table(reading, error, monkeypatch):
    """Otherwise a failure, or Ctrl-C, would be reported only at the end of the other table."""
    read, batches = [], finalist.tables.Source.batches

    def slowly(side, columns):
        read.append(side.what)
        counts = read.count("old"), read.count("new")
        for batch in batches(side, columns):
            if counts[side.what == "new"] == reading:
                if side.what == "new":
                    raise error("a failure")
                time.sleep(0.005)
                read.append("batch")
            yield batch

    monkeypatch.setattr(finalist.tables.Source, "batches", slowly)
    monkeypatch.setattr(finalist.tables._Pass, "in_order", lambda *_: None)
    monkeypatch.setattr(finalist._tables, "BATCH_ROWS", 10)
    old = numbered(range(ROWS))
    with pytest.raises(error, match="a failure"):
        finalist.diff(old, numbered([*range(1, ROWS), 0]).set_column(1, "name", old["name"]), "id")
    assert read.count("batch") < ROWS // 20


@pytest.mark.parametrize("keys", [[*range(1 << 16), (1 << 16) - 1], [None, None]])
def test_a_duplicate_key_beside_equal_rows(keys):
    """Its first row is dropped as equal, in an earlier batch of rows in the first case."""
    kind = pa.int64()
    old = pa.table({"k": pa.array(keys[:-1], kind), "x": [0] * (len(keys) - 1)})
    new = pa.table({"k": pa.array(keys, kind), "x": [0] * (len(keys) - 1) + [1]})
    found = finalist.diff(old, new, "k").counts
    assert found == {"added": 0, "removed": 0, "changed": 0, "duplicates": 1}


def test_reading_ahead_ends_before_its_source():
    """An iterator that a thread runs cannot be closed."""
    is_read, goes_on = threading.Event(), threading.Event()

    def batches():
        yield 1
        is_read.set()
        goes_on.wait(10)
        yield 2

    source = batches()
    with ThreadPoolExecutor(1) as pool:
        ahead = _aligned.read_ahead(source, pool)
        assert next(ahead) == 1
        is_read.wait(10)
        threading.Timer(0.05, goes_on.set).start()
        ahead.close()
        source.close()
