# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests arguments that name columns, files and buckets: what would have no effect is refused."""

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

import finalist
import finalist.parquet
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import changes, manifest, merkle, tables

OLD = pa.table({"id": [1, 2], "s": ["a", "b"]})
NEW = pa.table({"id": [1, 2], "s": ["a", "c"]})

#: Calls that take names of columns.
CALLS = {
    "diff": lambda names: finalist.diff(OLD, NEW, "id", columns=names).counts["changed"],
    "diff of rows": lambda names: finalist.diff(
        tables.rows(OLD, "id"), NEW, "id", columns=names
    ).counts["changed"],
    "fingerprint": lambda names: finalist.fingerprint(OLD, names),
    "buckets": lambda names: tables.buckets(OLD, "id", columns=names).columns,
    "rows": lambda names: tables.rows(OLD, "id", columns=names).columns,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_columns_are_a_list(call):
    """An iterator would be empty when it is used again, and a set has no order."""
    expected = call(["s"])
    assert call(("s",)) == expected
    assert call(pa.array(["s"]).to_numpy(zero_copy_only=False)) == expected
    for wrong in (iter(["s"]), (name for name in ["s"]), {"s"}, {"s": 1}, b"s", "s", 5):
        kind = type(wrong).__name__
        with pytest.raises(TypeError, match=f"columns is a list of names, not '{kind}'"):
            call(wrong)
    with pytest.raises(TypeError, match="columns is a list of names, and 1 is none"):
        call([1])


def hashed(folder, out="out", **given):
    return finalist.parquet.hash_parquet(folder / "in", folder / out, "blake2s", **given)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    pq.write_table(OLD, tmp_path / "in" / "0.parquet")
    return tmp_path


@pytest.mark.parametrize("given", [{"columns": ["s"], "keep": ["id"]}, {"column": "s"}])
def test_paths_of_parquet(folder, given):
    """Objects that are paths are taken as their names are."""
    result = hashed(folder, **given)
    names = str(folder / "in"), str(folder / "named")
    assert finalist.parquet.hash_parquet(*names, "blake2s", **given).root == result.root
    assert hashed(folder, out="listed", **given).root == result.root
    sources = [folder / "in" / "0.parquet"]
    both = finalist.parquet.hash_parquet(sources, folder / "both", "blake2s", **given)
    assert both.root == result.root
    proof = finalist.parquet.prove(folder / "out", 1)
    assert proof.leaf_count == 2
    assert finalist.parquet.changes(folder / "out", folder / "both").changed == ()


def test_columns_of_parquet_are_lists(folder):
    for what, given in (("keep", {"column": "s"}), ("columns", {})):
        for wrong in (iter(["id"]), {"id"}, "id", b"id"):
            text = f"{what} is a list of names, not '{type(wrong).__name__}'"
            with pytest.raises(TypeError, match=text):
                hashed(folder, **given, **{what: wrong})
        with pytest.raises(ValueError, match=f"{what} has 'id' twice"):
            hashed(folder, **given, **{what: ["id", "s", "id"]})
    assert not (folder / "out").exists()


def test_another_type_of_a_kept_column(folder):
    """The output's files would have different columns, and its root rows that nobody reads so."""
    other = OLD.set_column(0, "id", pa.array(["1", "2"]))
    pq.write_table(other, folder / "in" / "1.parquet")
    text = "1.parquet: column 'id' is string, in .*0.parquet it is int64"
    for given in ({"column": "s"}, {"columns": ["s", "id"]}):
        with pytest.raises(TypeError, match=text):
            hashed(folder, keep=["id"], **given)
        assert not (folder / "out").exists()
    # A column that is only hashed may have another type, on which its digests depend.
    assert hashed(folder, columns=["id"], keep=["s"]).rows == 4


def test_an_empty_name_is_no_place(folder, monkeypatch):
    """It would be the current directory, which an output replaces."""
    empty = folder / "empty"
    empty.mkdir()
    (empty / "precious").touch()
    for here in (folder / "in", empty):
        monkeypatch.chdir(here)
        calls = (
            lambda: finalist.parquet.hash_parquet(str(folder / "in"), "", "blake2s", column="s"),
            lambda: finalist.parquet.hash_parquet(
                folder / "in", "", "blake2s", column="s", overwrite=True
            ),
            lambda: finalist.parquet.hash_parquet("", folder / "out", "blake2s", column="s"),
            lambda: finalist.parquet.prove("", 0),
            lambda: finalist.fingerprint(""),
            lambda: finalist.diff("", OLD, "id"),
            lambda: tables.buckets("", "id"),
        )
        for call in calls:
            with pytest.raises(ValueError, match="an empty name is no file or directory"):
                call()
    assert [path.name for path in empty.iterdir()] == ["precious"]


def opaque(values):
    """Returns values as those of an extension's type, whose storage they are."""
    return pa.ExtensionArray.from_storage(pa.opaque(values.type, "name", "vendor"), values)


#: A struct whose field has this name, within other types.
NESTED = {
    "struct": lambda name: pa.array([{name: 1}]),
    "list": lambda name: pa.array([[{name: 1}]]),
    "map": lambda name: pa.array(
        [[("k", {name: 1})]], pa.map_(pa.string(), pa.struct({name: "i1"}))
    ),
    "dictionary": lambda name: pa.DictionaryArray.from_arrays([0], pa.array([{name: 1}])),
    "extension": lambda name: opaque(pa.array([{name: 1}])),
    "runs": lambda name: pa.RunEndEncodedArray.from_arrays([1], pa.array([{name: 1}])),
}


@pytest.mark.parametrize("nested", NESTED.values(), ids=NESTED)
def test_names_with_nul(nested):
    """Arrow's C interface ends a name there, so that two tables would have one fingerprint."""
    one, other, short = (pa.table({"id": [1], "x": nested(n)}) for n in ("a\0x", "a\0y", "a"))
    assert not one.schema.equals(other.schema)
    text = re.escape(r"the name 'a\x00x' in the given table has a NUL, where Arrow's")
    with pytest.raises(ValueError, match=text):
        finalist.fingerprint(one)
    with pytest.raises(ValueError, match="in the old table has a NUL"):
        finalist.diff(one, other, "id")
    with pytest.raises(ValueError, match="in the new table has a NUL"):
        finalist.diff(short, other, "id")
    with pytest.raises(ValueError, match="has a NUL"):
        tables.buckets(pa.table({"a\0x": [1]}), "a\0x")
    # A column that is not read does no harm.
    assert len(finalist.fingerprint(one, ["id"])) == 32


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"old_buckets": {}}, TypeError, "old_buckets are Buckets, not 'dict'"),
        ({"new_buckets": ""}, TypeError, "new_buckets are Buckets, not 'str'"),
        ({"bucket_key": b"secret"}, ValueError, "bucket_key has no use without"),
        ({"bucket_key": "secret"}, TypeError, "a bytes-like object is required, not 'str'"),
        ({"threads": 0}, ValueError, "threads"),
        ({"threads": -1}, ValueError, "threads"),
        ({"threads": 1.5}, TypeError, "'float'"),
        ({"old": tables.rows(OLD, "id"), "old_buckets": ""}, ValueError, "buckets have no use"),
    ],
)
def test_arguments_without_effect(given, error, text):
    with pytest.raises(error, match=text):
        finalist.diff(given.pop("old", OLD), NEW, "id", **given)


def test_files_of_digests_of_another_kind(tmp_path):
    """The message says what the file is not."""
    tables.rows(OLD, "id").write(tmp_path / "rows")
    tables.buckets(OLD, "id").write(tmp_path / "buckets")
    pq.write_table(OLD, tmp_path / "table")
    for name in ("rows", "table"):
        with pytest.raises(ValueError, match=f"{name}: .*: not of the format finalist-buckets-1"):
            tables.Buckets.read(tmp_path / name)
    for name in ("buckets", "table"):
        with pytest.raises(ValueError, match=f"{name}: .*: not of the format finalist-rows-1"):
            tables.Rows.read(tmp_path / name)


@pytest.mark.parametrize("kind", [tables.Buckets, tables.Rows])
def test_a_wrong_key_is_no_damage(kind, tmp_path):
    make = tables.buckets if kind is tables.Buckets else tables.rows
    make(OLD, "id").write(tmp_path / "file")
    with pytest.raises(TypeError, match="a bytes-like object is required, not 'str'"):
        kind.read(tmp_path / "file", key="secret")
    with pytest.raises(ValueError, match="^maximum key length is 32 bytes$"):
        kind.read(tmp_path / "file", key=b"k" * 33)
    assert isinstance(kind.read(pathlib.Path(tmp_path, "file")), kind)


def twice(value, kind):
    return pa.table({"k": pa.array([value, value], kind)})


@pytest.mark.parametrize(
    ("old", "new", "texts"),
    [
        ((None, pa.int64()), ("None", pa.string()), [None, "None"]),
        ((10**12, pa.timestamp("s")), ("x", pa.string()), ["1000000000000", "x"]),
        ((1, pa.timestamp("ns")), (10**12, pa.timestamp("s")), [".000000001", "1000000000000"]),
        ((10**15, pa.duration("s")), ("x", pa.string()), ["1000000000000000", "x"]),
    ],
)
def test_keys_without_a_common_type(old, new, texts):
    """Null keys stay null, and times beyond those of Python are no error after all the work."""
    found = finalist.diff(twice(*old), twice(*new), "k").duplicates
    assert found["old_count"].to_pylist() == [2, 0]
    for key, text in zip(found["k"].to_pylist(), texts, strict=True):
        assert key is text is None or text in key


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ((1, pa.int8()), (1 << 40, pa.int64()), pa.int64()),
        ((1, pa.uint32()), (-1, pa.int8()), pa.int64()),
        ((0.5, pa.float32()), (1e300, pa.float64()), pa.float64()),
        (("a", pa.large_string()), ("b", pa.dictionary(pa.int8(), pa.string())), pa.string()),
        ((b"a", pa.binary_view()), (b"b", pa.binary()), pa.binary()),
    ],
)
def test_keys_with_a_common_type(old, new, kind):
    """Numbers stay numbers."""
    found = finalist.diff(twice(*old), twice(*new), "k").duplicates
    assert (found["k"].type, found["k"].to_pylist()) == (kind, [old[0], new[0]])


@pytest.mark.parametrize("kind", [pa.string(), pa.binary()])
@pytest.mark.parametrize("take", [lambda table, key: table, tables.rows], ids=["table", "rows"])
def test_more_strings_than_offsets_of_32_bits_reach(take, kind, monkeypatch):
    """Arrow cannot take rows of more than 2 GiB of strings; here, of 300 bytes."""
    assert tables.STRING_BYTES == 2**31 - 1
    rows = 40
    monkeypatch.setattr(tables, "STRING_BYTES", 300)
    old, new = (
        pa.table(
            {"k": range(rows), "s": pa.array([letter * 50] * rows, kind), "t": ["t"] * rows}
        )
        for letter in "xy"
    )
    found = finalist.diff(take(old, "k"), new, "k")
    assert found.changed["new"].type.field("s").type in (pa.large_string(), pa.large_binary())
    assert found.changed["new"].type.field("t").type == pa.string()
    expected = [{"s": new["s"][0].as_py(), "t": "t"}] * rows
    assert found.changed["new"].to_pylist() == expected
    field = pa.field("s", kind, nullable=False, metadata={"unit": "m"})
    described = new.cast(new.schema.set(1, field))
    larger = tables._with_room(described).schema
    assert larger.field("s").with_type(kind).equals(field, check_metadata=True)
    assert larger.field("s").type != kind
    monkeypatch.setattr(tables, "STRING_BYTES", new["s"].nbytes)
    assert tables._with_room(new).schema == new.schema


def test_times_that_python_has_not_without_pandas():
    """pyarrow makes nanoseconds an object of pandas, or else a ValueError."""
    program = """if True:
        import sys
        class Without:
            def find_spec(name, path=None, target=None):
                if name == "pandas":
                    raise ImportError(name)
        sys.meta_path.insert(0, Without)
        import finalist, pyarrow as pa
        old = pa.table({"k": pa.array([1, 1], pa.timestamp("ns"))})
        new = pa.table({"k": ["x", "x"]})
        print(finalist.diff(old, new, "k").duplicates["k"].to_pylist())
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "['1970-01-01 00:00:00.000000001', 'x']\n", done


@pytest.mark.parametrize("given", [None, "{}", b"", 5, OLD])
def test_what_is_no_proof_and_no_range(given):
    """The error is that of a wrong argument, not of a missing attribute."""
    kind = type(given).__name__
    counts = {"old_leaf_count": 1, "leaf_count": 2}
    for verify in (
        lambda: merkle.verify(given, b"", bytes(32), leaf_count=1, index=0),
        lambda: merkle.verify_row(given, OLD.slice(1), bytes(32)),
        lambda: merkle.verify_consistency(given, bytes(32), bytes(32), **counts),
        lambda: changes.verify(given, bytes(32), bytes(32)),
    ):
        with pytest.raises(TypeError, match=f"a Proof is required, not '{kind}': Proof.from_json"):
            verify()
    whole = merkle.range_root(bytes(32), "blake2s")
    for call in (
        lambda: merkle.combine([whole, given]),
        lambda: merkle.prove([given], 0, bytes(32)),
        lambda: changes.prove([whole], [given], None, None),
    ):
        with pytest.raises(TypeError, match=f"a Range is required, not '{kind}'"):
            call()


class Whole:
    """An integer of another type, as numpy has them."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


def test_numbers_and_hashes_of_proofs_and_ranges():
    """Integers of any type are taken; other values are refused when they are given."""
    hashes = merkle.leaf_hashes([b"one", b"two", b"three"], "blake2s")
    whole = merkle.range_root(hashes, "blake2s", first=Whole(0))
    assert whole == merkle.Range("blake2s", Whole(32), Whole(0), Whole(3), whole.nodes)
    proof = merkle.prove([whole], Whole(1), hashes)
    assert proof == dataclasses.replace(proof, leaf_count=Whole(3), place=Whole(1))
    assert json.loads(proof.to_json())["leaf_count"] == 3
    assert dataclasses.replace(proof, chunk_bytes=Whole(5)).chunk_bytes == 5
    readers = [changes.reader(hashes, 32)] * 2
    change = changes.prove([whole], [whole], *readers)
    assert change == dataclasses.replace(change, leaf_count=Whole(3), old_leaf_count=Whole(3))
    for wrong in (3.0, "3", None, b"3"):
        kind = type(wrong).__name__
        for made, names in (
            (whole, ("digest_size", "first", "count")),
            (proof, ("digest_size", "leaf_count", "place")),
            (proof, ("chunk_bytes",) if wrong is not None else ()),
            (change, ("digest_size", "leaf_count", "old_leaf_count")),
        ):
            for name in names:
                with pytest.raises(TypeError, match=f"^{name} is a whole number, not '{kind}'$"):
                    dataclasses.replace(made, **{name: wrong})
        with pytest.raises(TypeError, match=f"^first is a whole number, not '{kind}'$"):
            merkle.range_root(hashes, "blake2s", first=wrong)
        with pytest.raises(TypeError, match=f"^index is a whole number, not '{kind}'$"):
            merkle.prove([whole], wrong, hashes)
    for wrong in (None, b"12", ["12"], {b"12"}, [bytearray(32)]):
        with pytest.raises(TypeError, match="^hashes is a tuple of hashes, which are bytes$"):
            dataclasses.replace(proof, hashes=wrong)
        with pytest.raises(TypeError, match="^shared is a tuple of hashes, which are bytes$"):
            dataclasses.replace(change, shared=wrong)
    for size in (0, 31, 95, 97, 192):
        other = [readers[0], lambda first, count, size=size: bytes(size)]
        changed = merkle.range_root(hashes[::-1], "blake2s")
        for pair in (other, other[::-1]):
            with pytest.raises(ValueError, match="^a reader does not give the leaf hashes 0 to 2$"):
                changes.prove([whole], [changed], *pair)


def test_roots_are_bytes(tmp_path):
    """The digits of a root are another root, so that nothing would verify."""
    (tmp_path / "a").write_text("1")
    made = manifest.create(tmp_path, tmp_path / "M")
    tree = merkle.Tree("blake2s")
    tree.extend([b"one", b"two"])
    whole = merkle.range_root(merkle.leaf_hashes([b"one", b"two"], "blake2s"), "blake2s")
    hashes = merkle.leaf_hashes([b"one", b"two"], "blake2s")
    rows = merkle.prove([whole], 1, hashes)
    change = changes.prove([whole], [whole], *[changes.reader(hashes, 32)] * 2)
    counts = {"old_leaf_count": 1, "leaf_count": 2}
    row = merkle.row_hashes(OLD.slice(1), "blake2s")
    alone = merkle.range_root(row, "blake2s")
    calls = {
        "root": [
            (lambda root: merkle.verify(rows, b"two", root), whole.root()),
            (
                lambda root: merkle.verify(tree.prove(1), b"two", root, leaf_count=2, index=1),
                tree.root(),
            ),
            (
                lambda root: merkle.verify_row(merkle.prove([alone], 0, row), OLD.slice(1), root),
                alone.root(),
            ),
            (
                lambda root: merkle.verify_consistency(
                    tree.consistency(1), hashes[:32], root, **counts
                ),
                tree.root(),
            ),
            (lambda root: changes.verify(change, whole.root(), root), whole.root()),
            (lambda root: manifest.verify_proof(made.prove(b"a"), root).size == 1, made.root),
        ],
        "old_root": [
            (
                lambda root: merkle.verify_consistency(
                    tree.consistency(1), root, tree.root(), **counts
                ),
                hashes[:32],
            ),
            (lambda root: changes.verify(change, root, whole.root()), whole.root()),
        ],
        "expected": [
            (lambda root: manifest.verify(made.place, expected=root) == [], made.root),
        ],
    }
    for name, each in calls.items():
        for call, root in each:
            for given in (root, bytearray(root), memoryview(root)):
                assert call(given)
            for wrong in (root.hex(), 5, [root]):
                kind = type(wrong).__name__
                text = f"^{name} is a bytes-like object, not '{kind}'$"
                with pytest.raises(TypeError, match=text):
                    call(wrong)
    for other in ("M", None, made.root):
        text = f"^a Manifest is required, not '{type(other).__name__}': Manifest.open reads one$"
        with pytest.raises(TypeError, match=text):
            made.diff(other)
        if other is not None:
            with pytest.raises(TypeError, match=text):
                made.duplicates(other)


def test_texts_of_proofs():
    """bytes() would make as many zeros as a number says."""
    proof = merkle.range_root(bytes(64), "blake2s")
    text = merkle.prove([proof], 1, bytes(64)).to_json()
    for read in (merkle.Proof.from_json, changes.Proof.from_json):
        for wrong in (5, 10**15, None, list(text.encode()), [1]):
            with pytest.raises(TypeError, match="bytes-like object is required"):
                read(wrong)
    assert merkle.Proof.from_json(memoryview(text.encode())).place == 1
    for wrong in ("\ud800", '{"format": "\udc00"}'):
        with pytest.raises(manifest.ManifestError, match="not a proof: "):
            manifest.verify_proof(wrong, bytes(32))


def test_a_wrong_key_is_named_on_one_line():
    for wrong in (pa.array([1]), pa.table({"a": ["x" * 500]}), {"a": "x" * 500}, []):
        for call in (
            lambda wrong=wrong: finalist.diff(OLD, NEW, wrong),
            lambda wrong=wrong: tables.buckets(OLD, wrong),
        ):
            with pytest.raises((TypeError, ValueError), match="key is one column's") as raised:
                call()
            assert "\n" not in str(raised.value) and len(str(raised.value)) < 300


@pytest.mark.parametrize("make", [tables.buckets, tables.rows])
def test_places_of_digests(make, tmp_path):
    """They are named as tables are, but are on this machine."""
    made, path = make(OLD, "id"), str(tmp_path / "a file")
    for place in (path, path.encode(), f"file://{path.replace(' ', '%20')}"):
        made.write(place)
        assert type(made).read(place) == made
    assert [found.name for found in tmp_path.iterdir()] == ["a file"]
    for wrong, text in (("s3://bucket/a", "is not on this machine"), ("", "an empty name")):
        for call in (made.write, type(made).read):
            with pytest.raises(ValueError, match=text):
                call(wrong)


def test_the_place_of_a_wrong_message_is_told():
    for place in (0, 4095, 4096, 70_000):
        messages = [b""] * place + [5, b""]
        with pytest.raises(TypeError, match=rf"\b{place}\b"):
            finalist.hash_many("blake2s", messages)


@pytest.mark.parametrize(("name", "size"), [("blake256", 16), ("blake512", 32)])
def test_the_length_of_a_salt_is_told(name, size):
    with pytest.raises(ValueError, match=f"salt must be {size} bytes long"):
        finalist.new(name, salt=b"short")
