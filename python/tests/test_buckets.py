# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the results and errors of finalist.diff with the buckets of a table."""

import json
import os
import random
import re

import duckdb
import finalist
import finalist.tables
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import _buckets, _finalist
from finalist.tables import Buckets, buckets

OLD = pa.table({"id": range(2000), "name": [f"n{n}" for n in range(2000)], "x": [0.5] * 2000})


def changed(rng):
    rows = [row for row in range(2000) if rng.random() < 0.99]
    rows += rng.sample(rows, 2)
    rng.shuffle(rows)
    new = OLD.take(pa.array(rows)).to_pydict()
    new["name"] = [name + "!" if rng.random() < 0.01 else name for name in new["name"]]
    return pa.table(new)


NEW = changed(random.Random(1))


def sets(found):
    """Returns the tables of a result with their rows sorted."""
    names = ("added", "removed", "changed", "duplicates")
    return {name: sorted(map(repr, getattr(found, name).to_pylist())) for name in names}


@pytest.mark.parametrize("secret", [b"", b"secret"])
@pytest.mark.parametrize("sides", ["old", "new", "both"])
def test_the_same_difference(secret, sides, tmp_path):
    given = {}
    for side, table in (("old", OLD), ("new", NEW)):
        if sides in (side, "both"):
            made = buckets(table, "id", key=secret)
            made.write(tmp_path / side)
            read = Buckets.read(tmp_path / side, key=secret)
            assert read == made
            given[f"{side}_buckets"] = read
    found = finalist.diff(OLD, NEW, "id", bucket_key=secret, **given)
    assert sets(found) == sets(finalist.diff(OLD, NEW, "id"))
    assert found.counts["changed"] > 5
    assert (found.old_rows, found.new_rows) == (OLD.num_rows, NEW.num_rows)


def test_compare():
    one = buckets(OLD, "id")
    found = one.compare(buckets(OLD.take(pa.array(reversed(range(OLD.num_rows)))), "id"))
    assert (found.equal, found.differing, found.share) == (True, 0, 0.0)
    x = OLD["x"].to_pylist()
    for rows in (1, 7):
        other = OLD.set_column(OLD.column_names.index("x"), "x", [[9.0] * rows + x[rows:]])
        found = one.compare(buckets(other, "id"))
        key = finalist.hash_rows(OLD.slice(0, rows), "blake2s", ["id"], version=2, digest_size=16)
        differing = len({digest[:2] for digest in key.to_list()})
        assert (found.equal, found.differing) == (False, differing)
        assert found.share == differing / 65536
    shorter = one.compare(buckets(OLD.slice(1), "id"))
    assert shorter.differing == 1
    for given, text in [
        ({"keys": ["x"]}, "the other table's buckets have the key"),
        ({"columns": []}, "the other table's buckets have the columns"),
        ({"numbers": "by-value"}, "the numbers 'by-value', not 'exact'"),
        ({"key": b"k"}, "another bucket_key"),
    ]:
        with pytest.raises(ValueError, match=text):
            one.compare(buckets(OLD, **{"keys": "id", **given}))
    with pytest.raises(TypeError, match="Buckets are required, not 'Table'"):
        one.compare(OLD)


def test_a_relation_does_not_know_its_number_of_rows():
    assert buckets(duckdb.from_arrow(OLD), "id") == buckets(OLD, "id")


def test_room_is_made_for_few_records_at_once(tmp_path, monkeypatch):
    """A damaged file may claim many more than it has."""
    made = finalist.tables.rows(OLD, "id")
    made.write(tmp_path / "digests")
    rooms, sorted_rows = [], _finalist.SortedRows
    monkeypatch.setattr(
        _finalist, "SortedRows", lambda count: rooms.append(count) or sorted_rows(count)
    )
    for most in (_buckets.COUNT_MAX, 100):
        monkeypatch.setattr(_buckets, "COUNT_MAX", most)
        assert finalist.tables.Rows.read(tmp_path / "digests") == made
    assert rooms == [0, 2000, 0, 100]


def test_equal_tables_are_not_read():
    class Relation:
        """Has a schema, but refuses to be read."""

        def limit(self, _):
            return self

        def to_arrow_reader(self):
            return OLD.slice(0, 0).to_reader()

    made = buckets(OLD, "id")
    shuffled = buckets(OLD.take(pa.array(reversed(range(2000)))), ["id"])
    assert shuffled.root == made.root
    found = finalist.diff(Relation(), Relation(), "id", old_buckets=made, new_buckets=shuffled)
    assert found.equal
    assert found.old_rows == 2000


def test_many_unequal_buckets_are_not_held(monkeypatch):
    """Nearly every bucket of a large table differs if a tenth of its rows do."""
    rows = 200_000
    old = pa.table({"id": range(rows), "x": range(rows)})
    x = [row + (row % 8 == 0) for row in range(rows)]
    new = pa.table({"id": range(rows), "x": x})
    held, with_room = [], finalist.tables._with_room
    monkeypatch.setattr(
        finalist.tables, "_with_room", lambda table: held.append(len(table)) or with_room(table)
    )
    expected = sets(finalist.diff(old, new, "id"))
    given = {"old_buckets": buckets(old, "id"), "new_buckets": buckets(new, "id")}
    for known in (given, {"old_buckets": given["old_buckets"]}):
        held.clear()
        assert sets(finalist.diff(old, new, "id", **known)) == expected
        assert held == [rows // 8] * 2
    # Rows of a relation are counted only when they are read.
    relation = duckdb.from_arrow(new.slice(1))
    for key in (b"", b"secret"):
        made = buckets(new, "id", key=key)
        with pytest.raises(OSError, match=f"new table had {rows} rows, then {rows - 1}: it was"):
            finalist.diff(old, relation, "id", new_buckets=made, bucket_key=key)


def test_a_comparison_without_the_buckets_has_the_same_parameters(monkeypatch):
    """If too many rows are in unequal ones."""
    monkeypatch.setattr(finalist.tables, "_are_too_many", lambda *_: True)
    passes, pass_ = [], finalist.tables._Pass

    def noted(*given):
        passes.append(given[3])
        return pass_(*given)

    monkeypatch.setattr(finalist.tables, "_Pass", noted)
    old = pa.table({"id": range(100), "x": range(100), "y": [1] * 100})
    x = pa.array([row + (row % 30 == 0) for row in range(90)]).cast(pa.decimal128(20, 0))
    new = pa.table({"id": range(90), "x": x, "y": [2] * 90})
    chosen = {"columns": ["x"], "numbers": "by-value"}
    given = {f"{what}_buckets": buckets(table, "id", **chosen)
             for what, table in (("old", old), ("new", new))}
    found = finalist.diff(old, new, "id", threads=3, **given, **chosen)
    assert passes == [3, 3]
    assert sorted(found.changed["id"].to_pylist()) == [0, 30, 60]
    assert (found.old_rows, found.new_rows, len(found.removed)) == (100, 90, 10)
    assert sets(found) == sets(finalist.diff(old, new, "id", **chosen))


@pytest.mark.parametrize(("rows", "most"), [(1 << 16, 1 << 15), (1 << 20, 1 << 13)])
def test_how_many_buckets_are_too_many(rows, most):
    """Those with an eighth of all rows, or 65536 rows of small tables, can be held."""
    assert not finalist.tables._are_too_many(range(most), [rows, rows])
    assert finalist.tables._are_too_many(range(most + 1), [rows, rows])


def test_roots_commit_to_rows_and_parameters():
    roots = [
        buckets(OLD, "id").root,
        buckets(OLD, "name").root,
        buckets(OLD, ["id", "name"]).root,
        buckets(OLD, "id", columns=["name"]).root,
        buckets(OLD, "id", numbers="by-value").root,
        buckets(OLD, "id", key=b"k").root,
        buckets(OLD.slice(1), "id").root,
        buckets(pa.concat_tables([OLD, OLD.slice(0, 1)]), "id").root,
    ]
    assert len(set(roots)) == len(roots)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"made": buckets(OLD, "name")}, r"the old table's buckets have the key \['name'\]"),
        ({"made": buckets(OLD, "id", columns=["x"])}, r"the columns \['x'\], not"),
        ({"made": buckets(OLD, "id", numbers="by-value")}, "the numbers 'by-value', not 'exact'"),
        ({"made": buckets(OLD, "id", key=b"k")}, "another bucket_key"),
        ({"made": buckets(OLD, "id"), "bucket_key": b"k"}, "another bucket_key"),
        ({"made": buckets(NEW, "id")}, f"2000 rows, and its buckets are of {NEW.num_rows}"),
    ],
)
def test_other_parameters_are_refused(given, text):
    with pytest.raises(ValueError, match=text):
        finalist.diff(OLD, NEW, "id", old_buckets=given.pop("made"), **given)


def test_columns_named_twice_are_refused():
    with pytest.raises(ValueError, match="columns has 'name' twice"):
        buckets(OLD, "id", columns=["name", "name"])
    with pytest.raises(ValueError, match="key has 'id' twice"):
        buckets(OLD, ["id", "id"])


def test_damaged_files_are_refused(tmp_path):
    place = tmp_path / "buckets"
    made = buckets(OLD, "id", key=b"k")
    made.write(place)
    assert Buckets.read(place, key=b"k") == made
    for key in (b"", b"other"):
        with pytest.raises(ValueError, match="the key is another one"):
            Buckets.read(place, key=key)
    table = pq.read_table(place)
    about = json.loads(table.schema.metadata[b"finalist.buckets"])
    for change in ({"rows": 1}, {"keys": ["x"]}, {"root": "00" * 32}, {"numbers": "by-value"}):
        metadata = {b"finalist.buckets": json.dumps(about | change).encode()}
        pq.write_table(table.replace_schema_metadata(metadata), place)
        with pytest.raises(ValueError, match="do not give the root"):
            Buckets.read(place, key=b"k")
    for change in ({"rows": "1"}, {"keys": 5}, {"format": "no"}, {"more": 1}, {"root": "xy"}):
        metadata = {b"finalist.buckets": json.dumps(about | change).encode()}
        pq.write_table(table.replace_schema_metadata(metadata), place)
        with pytest.raises(ValueError, match="cannot be read as buckets"):
            Buckets.read(place, key=b"k")
    pq.write_table(OLD, place)
    with pytest.raises(ValueError, match="cannot be read as buckets"):
        Buckets.read(place)
    place.write_bytes(b"PAR1")
    with pytest.raises(ValueError, match="cannot be read as buckets"):
        Buckets.read(place)
    with pytest.raises(FileNotFoundError):
        Buckets.read(tmp_path / "none")


def test_metadata_in_another_spelling(tmp_path):
    """The tool and this package read the same files."""
    place = tmp_path / "B"
    made = buckets(OLD, "id")
    made.write(place)
    table = pq.read_table(place)
    about = json.loads(table.schema.metadata[b"finalist.buckets"])
    digits = about["root"]

    def read(text):
        metadata = {b"finalist.buckets": text.encode()}
        pq.write_table(table.replace_schema_metadata(metadata), place)
        return Buckets.read(place)

    assert read(json.dumps(about | {"root": digits.upper()})) == made
    text = json.dumps(about)
    for wrong, message in (
        (about | {"keyed": 0}, "'keyed' is not true or false"),
        (about | {"root": f"{digits[:2]} {digits[2:]}"}, "'root' is not 32 bytes in hexadecimal"),
        (about | {"numbers": "other"}, "'numbers' is 'other'"),
        (about | {"columns": [None]}, "'columns' is not an array of strings"),
        (about | {"columns": ["name", None]}, "'columns' is not an array of strings"),
        (about | {"columns": 5}, "'columns' is not an array of strings"),
        (about | {"more": 1}, "the member 'more' is unknown"),
    ):
        with pytest.raises(ValueError, match=f"cannot be read as buckets: metadata: {message}"):
            read(json.dumps(wrong))
    with pytest.raises(ValueError, match="the member 'rows' stands twice"):
        read(text[:-1] + ', "rows": 3}')
    with pytest.raises(ValueError, match="do not give the root, or the key is another one"):
        read(json.dumps(about | {"keyed": True}))


def test_another_key_is_refused(tmp_path):
    """The buckets of both sides are of one key, and equal or not by chance under another one."""
    made = [buckets(table, "id", key=b"secret") for table in (OLD, NEW)]
    made[0].write(tmp_path / "B")
    assert not {"key_check", "leaves", "records"} & set(re.findall(r"\w+", repr(made[0])))
    for old in (made[0], Buckets.read(tmp_path / "B", key=b"secret")):
        given = {"old_buckets": old, "new_buckets": made[1]}
        for key in (b"", b"another"):
            with pytest.raises(ValueError, match="old table's buckets .* another bucket_key"):
                finalist.diff(OLD, NEW, "id", bucket_key=key, **given)
        assert not finalist.diff(OLD, NEW, "id", bucket_key=b"secret", **given).equal
    digests = finalist.tables.rows(OLD, "id", key=b"secret")
    assert not {"key_check", "records"} & set(re.findall(r"\w+", repr(digests)))
    with pytest.raises(ValueError, match="old table's digests of rows .* another bucket_key"):
        finalist.diff(digests, NEW, "id", bucket_key=b"another")
    with pytest.raises(ValueError, match="cannot be read as buckets: .*key_check"):
        about = json.loads(pq.read_metadata(tmp_path / "B").metadata[b"finalist.buckets"])
        about["key_check"] = "00"
        table = pq.read_table(tmp_path / "B")
        pq.write_table(
            table.replace_schema_metadata({"finalist.buckets": json.dumps(about)}), tmp_path / "C"
        )
        Buckets.read(tmp_path / "C", key=b"secret")


@pytest.mark.parametrize("kind", [Buckets, finalist.tables.Rows])
def test_damaged_files(kind, tmp_path):
    """Each damage is a ValueError that names the file, and takes no memory beyond its size."""
    place = tmp_path / "digests"
    made = buckets(OLD, "id") if kind is Buckets else finalist.tables.rows(OLD, "id")
    made.write(place)
    whole = place.read_bytes()
    table = pq.read_table(place)
    name = b"finalist.buckets" if kind is Buckets else b"finalist.rows"
    about = json.loads(table.schema.metadata[name])

    def refused():
        with pytest.raises(ValueError, match=f"{place}: .*(cannot be read as|do not give)"):
            kind.read(place)

    for member in ("rows", "numbers", "keys", "columns", "keyed", "root"):
        for value in (2**63, -1, None, [], "\ud800"):
            changed = json.dumps({**about, member: value}).encode()
            pq.write_table(table.replace_schema_metadata({name: changed}), place)
            refused()
    rng = random.Random(5)
    for _ in range(100):
        damaged = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            damaged[-rng.randrange(1, 1500)] = rng.randrange(256)
        place.write_bytes(damaged if rng.random() < 0.8 else whole[: rng.randrange(len(whole))])
        try:
            kind.read(place)
        except ValueError as error:
            assert str(place) in str(error)
    many = pa.DictionaryArray.from_arrays(pa.array([0] * 4_000_000, pa.int32()), [b"d" * 32])
    values = many.cast(pa.binary(32)) if hasattr(many, "cast") else many
    bomb = pa.table([values], schema=table.schema)
    pq.write_table(bomb, place, use_dictionary=True)
    with pytest.raises(ValueError, match="has 4000000 leaves, not 65536|claims 4000000 records"):
        kind.read(place)
    place.unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(place)
        refused()
        place.unlink()
        (tmp_path / "whole").write_bytes(whole)
        place.symlink_to("whole")
        assert kind.read(place) == made
