# SPDX-License-Identifier: MIT OR Apache-2.0
"""Malicious manifests, proofs and outputs: each raises one error of the promised class, on one
short line without characters that a terminal would interpret."""

import io
import json
import os
import pathlib
import re
import subprocess
import sys

import finalist
import finalist.parquet
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import _footer, _json, _parts, _shown, changes, manifest, merkle
from finalist._hashing import Hashing

DEEP = "[" * 200_000
NUMBERS = [
    "true", "false", "null", "1.0", "3e0", "-0", "-1", "NaN", "Infinity", "-Infinity", "03", "+3",
    "18446744073709551616", "9" * 5000, '"3"', "[3]", "{}", "0x3", "3_0",
]
TEXTS = [
    "", " ", "null", "5", '"text"', "[]", "[{}]", "{", "{}", '{"format"}', "{" * 100_000, DEEP,
    '{"a":' * 100_000, "\ufeff{}", '{"\ud800": 1}', b"\xff\xfe{\0}\0", b"\xff", b"{\0}",
    b"\xef\xbb\xbf{}",
    '{"format": "\\ud800"}', '{"format": ["x"]}', '{"format": {"x": 1}}', '{"format": 1e999}',
    '{"format": NaN}', '{"format": "a\nb"}',
]  # fmt: skip


def checked(error, kind=ValueError):
    """Checks that an error has exactly this class and that its text can be printed safely."""
    assert type(error) is kind, repr(error)
    text = str(error)
    assert "\n" not in text and len(text) < 1000, text
    assert text.isprintable(), ascii(text)
    return text


def refused(call, kind=ValueError):
    with pytest.raises(Exception) as caught:
        call()
    return checked(caught.value, kind)


# Proofs.


def tree():
    made = merkle.Tree("blake2s")
    made.extend([b"one", b"two", b"three"])
    return made


def change():
    hashes = [merkle.leaf_hashes([b"one", last], "blake2s") for last in (b"two", b"2")]
    ranges = [[merkle.range_root(own, "blake2s")] for own in hashes]
    return changes.prove(*ranges, *(changes.reader(own, 32) for own in hashes))


PROOFS = {
    "inclusion": (merkle.Proof.from_json, tree().prove(1).to_json()),
    "consistency": (merkle.Proof.from_json, tree().consistency(2).to_json()),
    "change": (changes.Proof.from_json, change().to_json()),
}


@pytest.mark.parametrize("name", PROOFS)
@pytest.mark.parametrize("text", TEXTS, ids=[str(number) for number in range(len(TEXTS))])
def test_texts_that_are_no_proofs(name, text):
    said = refused(lambda: PROOFS[name][0](text))
    assert said.startswith("not a ")
    assert ("nested too deep" in said) == (text in (DEEP, '{"a":' * 100_000))
    assert ("it is not UTF-8" in said) == (text in (b"\xff", b"\xff\xfe{\0}\0"))


@pytest.mark.parametrize("name", PROOFS)
def test_members_of_proofs(name):
    read, good = PROOFS[name]
    members = json.loads(good)
    assert read(good.encode()) == read(good)
    for member, value in members.items():
        written = f"{json.dumps(member)}: {json.dumps(value)}"
        assert written in good
        assert "stands twice" in refused(lambda w=written: read(good.replace(w, f"{w}, {w}")))
        assert "missing" in refused(lambda m=member: read(json.dumps(
            {n: v for n, v in members.items() if n != m}))) or member == "format"
        for other in (*NUMBERS, DEEP, '"\\ud800"', '["zz"]', "[5]", '[["00"]]', '"x\u202ey"'):
            is_null = other == "null" and member == "chunk_bytes"
            is_text = other.startswith('"') and "ud800" not in other and member == "algorithm"
            wrong = good.replace(written, f"{json.dumps(member)}: {other}")
            if not (is_null or is_text):
                refused(lambda w=wrong: read(w))
    assert "unknown" in refused(lambda: read(good.replace("{", '{"x\\u202e": 1, ', 1)))
    refused(lambda: read(good + "x"))
    refused(lambda: read(good[:-1]))


def test_verifying_what_was_read():
    """An unknown algorithm, or one without this length, is a ValueError."""
    good = tree().prove(1)
    for algorithm in ("x\u202ey" * 200, "", "md5", "blake256\0", "a\nb"):
        wrong = json.loads(good.to_json()) | {"algorithm": algorithm}
        proof = merkle.Proof.from_json(json.dumps(wrong))
        refused(lambda p=proof: merkle.verify(p, b"two", bytes(32), leaf_count=3, index=1))


@pytest.mark.parametrize("name", ["x" * 5000, "a\nb", "\u202ex\x1b[2J", "\ufeff\u200b", ""])
def test_names_of_columns(name):
    union = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])
    table = pa.table({name: union, "other": ["x"]})
    refused(lambda: finalist.hash_rows(table, "blake2s"), TypeError)
    refused(lambda: finalist.hash_column("blake2s", table.select([name])), TypeError)
    refused(lambda: finalist.hash_rows(table, "blake2s", [name + "?"]))
    refused(lambda: finalist.new("blake2s", **{name + "?": 1}), TypeError)
    refused(lambda: Hashing.of("blake2s").column(table[name], name), TypeError)


# Manifests.


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Makes files with their manifest as Parquet and as a list."""
    root = tmp_path_factory.mktemp("hostile")
    (root / "files").mkdir()
    for name in ("a", "b", "c\nd"):
        (root / "files" / name).write_bytes(name.encode())
    for name in ("M.parquet", "M.list"):
        manifest.create(root / "files", root / name, "blake2s")
    return root


LINES = {
    "blake2s": ["blake2s ", "BLAKE2s", "blake2xs", "groestl0_256", "md5", "", "x" * 5000, "\u202e"],
    "# digest_bits: 256": [
        "# digest_bits: 0256", "# digest_bits: 256.0", "# digest_bits: -256", "# digest_bits: 0",
        "# digest_bits: +256", "# digest_bits: 2_56", "# digest_bits: \u0662\u0665\u0666",
        "# digest_bits: 264", "# digest_bits: " + "9" * 5000, "# digest_bits:",
    ],
    "# keyed: false": ["# keyed: False", "# keyed: 0", "# keyed: true", "# keyed:", "# keyed: no"],
    "# salt:": ["# salt: 0", "# salt: 0 0", "# salt: AA", "# salt: zz", "# salt: " + "00" * 5000],
    "# personal:": ["# personal: 00 00", "# personal: \u0660\u0660"],
    "# size 1": [
        "# size 01", "# size -1", "# size 1.0", "# size 9223372036854775808", "# size +1",
        "# size 99999999999999999999", "# size " + "9" * 5000, "# size \u0661", "# size",
        "# size  1", "# size 1 ",
    ],
    "# count: 3": [
        "# count: 03", "# count: 3.0", "# count: 4", "# count: -3", "# count: " + "9" * 5000,
    ],
    "# root: ": ["# root: 00", "# root: A", "# root:", "# root:  ", "# roof: "],
    "BLAKE2s (a)": [
        "BLAKE2b (a)", "BLAKE2s (\u202ea)", "BLAKE2s (\0)", "BLAKE2s (..)", "BLAKE2s (a//b)",
        "BLAKE2s (/a)", "BLAKE2s (" + "x" * ((1 << 20) + 1) + ")", "\\BLAKE2s (a)", "BLAKE2s (a",
        "BLAKE2s (b)", "BLAKE2s (z)", "BLAKE2s ()", "\x1b[2J (a)", "BLAKE2s (" + "\\" * 5000 + ")",
    ],
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_lists(folder, tmp_path, line):
    whole = (folder / "M.list").read_text()
    assert line in whole
    place = tmp_path / "M.list"
    for other in LINES[line]:
        place.write_text(whole.replace(line, other, 1))
        text = refused(lambda: manifest.read(place), manifest.ManifestError)
        assert text.startswith(f"{place}: "), text


def test_bytes_of_lists(folder, tmp_path):
    whole, place = (folder / "M.list").read_bytes(), tmp_path / "M.list"
    for content in (
        b"", b"\n", b"\0" * 100, b"PAR", b"# ", b"#", whole[:-1], whole + b"x", whole + whole,
        whole.replace(b"\n", b"\r\n"), whole.replace(b"# salt:\n", b"# salt:\n# salt:\n"),
        whole.replace(b"# size 1\n", b"", 1), b"x" * 5_000_000, whole[:40] + b"\n" * 10_000,
        whole.replace(b"(a)", b"(\xff\xfe)"), b"# finalist-manifest-2\n", b"\xef\xbb\xbf" + whole,
        b"# finalist-manifest-" + b"\xe2\x80\xae" * 5000 + b"\n",
    ):  # fmt: skip
        place.write_bytes(content)
        refused(lambda: manifest.read(place), manifest.ManifestError)
    for at in range(len(whole)):
        place.write_bytes(whole[:at])
        refused(lambda: manifest.read(place), manifest.ManifestError)


def written(place, table, metadata):
    """Writes a Parquet file with these pairs, whose keys may repeat."""
    with pq.ParquetWriter(place, table.schema, store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({f"{n:04d}{k}": v for n, (k, v) in enumerate(metadata)})
    # pyarrow writes each key once, so keys have numbers: remove them and adapt the footer's length.
    content = place.read_bytes()
    size = int.from_bytes(content[-8:-4], "little")
    footer = content[-8 - size : -8]
    for number, (key, _) in enumerate(metadata):
        before = len(key) + 4
        old = bytes([before]) + f"{number:04d}{key}".encode()
        assert footer.count(old) == 1 and before < 128
        footer = footer.replace(old, bytes([len(key)]) + key.encode())
    place.write_bytes(content[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1")


@pytest.fixture
def whole(folder):
    """Returns a manifest's table and metadata."""
    table = pq.read_table(folder / "M.parquet")
    table = table.cast(pa.schema([field.with_nullable(True) for field in table.schema]))
    with open(folder / "M.parquet", "rb") as file:
        return table, _footer.metadata_of(file)


def test_metadata_of_parquet(whole, tmp_path):
    table, pairs = whole
    place = tmp_path / "M.parquet"
    written(place, table, pairs)
    assert manifest.read(place).count == 3
    names = [name for name, _ in pairs if name.startswith("finalist.")]
    assert len(names) == 8
    for name in names:
        others = [pair for pair in pairs if pair[0] != name]
        mine = [pair for pair in pairs if pair[0] == name]
        written(place, table, others)
        refused(lambda: manifest.read(place), manifest.ManifestError)
        written(place, table, [*mine, *pairs])
        text = refused(lambda: manifest.read(place), manifest.ManifestError)
        assert f"{name!r} stands twice" in text
        for value in ("", " ", "\u202e" * 500, "-0", "1.0", "true ", "9" * 5000, "null", "x\ny"):
            written(place, table, [*others, (name, value)])
            is_empty = value == "" and name in ("finalist.salt", "finalist.personal")
            if not is_empty:
                refused(lambda: manifest.read(place), manifest.ManifestError)
    written(place, table, [*pairs, ("finalist.other", "x"), ("other", "y"), ("other", "z")])
    assert manifest.read(place).count == 3


WRONG_COLUMNS = {
    "path": [pa.string(), pa.large_binary(), pa.binary_view()],
    "size": [pa.int32(), pa.uint64(), pa.float64(), pa.string()],
    "digest": [pa.binary(32), pa.large_binary()],
    "leaf": [pa.binary(32)],
    "status": [pa.binary(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())],
    "modified_ns": [pa.timestamp("ns"), pa.uint64()],
    "changed_ns": [pa.int32()],
    "inode": [pa.uint64()],
}


@pytest.mark.parametrize("name", WRONG_COLUMNS)
def test_columns_of_parquet(whole, tmp_path, name):
    table, pairs = whole
    place, at = tmp_path / "M.parquet", table.schema.get_field_index(name)

    def refused_with(changed, text, metadata=pairs):
        pq.write_table(changed.replace_schema_metadata(dict(metadata)), place, store_schema=True)
        assert re.search(text, refused(lambda: manifest.read(place), manifest.ManifestError))

    for kind in WRONG_COLUMNS[name]:
        null = table.set_column(at, name, pa.nulls(3, kind))
        refused_with(null, "the column|null in")
    refused_with(table.drop_columns([name]), "the columns are")
    refused_with(table.append_column(name, table[name]), "the columns are")
    refused_with(table.append_column("x\u202e" * 500, table[name]), "the columns are")
    refused_with(table.rename_columns([n.upper() for n in table.schema.names]), "the columns are")
    if name in ("path", "status", "leaf", "size", "digest"):
        kind = table.schema.field(name).type
        refused_with(table.set_column(at, name, pa.nulls(3, kind)), "null in")


def test_values_of_parquet(whole, tmp_path):
    table, pairs = whole
    rows, place = table.to_pylist(), tmp_path / "M.parquet"
    for name, values in {
        "path": [b"", b"/a", b"a/", b"a//b", b".", b"..", b"a/../b", b"a\0", b"x" * ((1 << 20) + 1),
                 b"b", b"\xff\x1b[2J\n" * 100],
        "size": [-1, -(1 << 63), None, 2, (1 << 63) - 1],
        "digest": [b"", bytes(31), bytes(33), None, bytes(32)],
        "leaf": [b"", bytes(31), bytes(32), None],
        "status": ["", "OK", "ok ", "unreadable", "lost\u202e" * 100, None],
    }.items():  # fmt: skip
        for value in values:
            changed = [rows[0] | {name: value}, *rows[1:]]
            written(place, pa.Table.from_pylist(changed, table.schema), pairs)
            refused(lambda: manifest.read(place), manifest.ManifestError)
    for name in ("size", "digest", "modified_ns", "changed_ns", "inode"):
        row = dict.fromkeys(("size", "digest", "modified_ns", "changed_ns", "inode"))
        row |= {"path": b"a", "leaf": rows[0]["leaf"], "status": "vanished", name: rows[0][name]}
        written(place, pa.Table.from_pylist([row, *rows[1:]], table.schema), pairs)
        text = refused(lambda: manifest.read(place), manifest.ManifestError)
        assert "whose status is not 'ok'" in text


def test_a_string_that_is_not_utf8(whole, tmp_path):
    table, pairs = whole
    at, place = table.schema.get_field_index("status"), tmp_path / "M.parquet"
    wrong = pa.StringArray.from_buffers(
        3, pa.py_buffer(b"\0\0\0\0\2\0\0\0\4\0\0\0\6\0\0\0"), pa.py_buffer(b"\xff\xfe" * 3)
    )
    written(place, table.set_column(at, table.schema.field(at), wrong), pairs)
    refused(lambda: manifest.read(place), manifest.ManifestError)


def test_bytes_of_parquet(folder, tmp_path):
    whole, place = (folder / "M.parquet").read_bytes(), tmp_path / "M.parquet"
    for at in range(len(whole)):
        for content in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]):
            if at % 7 and len(content) == len(whole):
                continue
            place.write_bytes(content)
            try:
                manifest.read(place)
            except Exception as error:
                checked(error, manifest.ManifestError)


def test_parts(whole, tmp_path):
    table, pairs = whole
    pq.write_table(table, tmp_path / "part-0.parquet")
    place, good = tmp_path / "manifest.json", json.dumps(dict(pairs))
    place.write_text(good)
    assert manifest.read(tmp_path).count == 3
    for text in TEXTS:
        content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        place.write_bytes(content)
        refused(lambda: manifest.read(tmp_path), manifest.ManifestError)
    members = json.loads(good)
    for name, value in members.items():
        if not name.startswith("finalist."):
            continue
        member = f'"{name}": {json.dumps(value)}'
        for other in (*NUMBERS, DEEP, "[]", '"\\ud800"', '"\\u202e"'):
            place.write_text(good.replace(member, f'"{name}": {other}'))
            if other != json.dumps(value):
                refused(lambda: manifest.read(tmp_path), manifest.ManifestError)
        place.write_text(good.replace(member, f"{member}, {member}"))
        text = refused(lambda: manifest.read(tmp_path), manifest.ManifestError)
        assert "stands twice" in text
    place.write_text(good.replace("{", '{"other": 1, ', 1))
    assert manifest.read(tmp_path).count == 3
    (tmp_path / "part-1.parquet").write_bytes(b"PAR1")
    refused(lambda: manifest.read(tmp_path), manifest.ManifestError)


# Outputs of hash_parquet.


@pytest.mark.parametrize("place", ["M", "P/manifest.json", "P/part-0.parquet"])
def test_pipes_keep_nobody_waiting(folder, tmp_path, place):
    made = manifest.create(folder, tmp_path / "whole.parquet", digest_size=8)
    (tmp_path / "P").mkdir()
    members = pq.ParquetFile(made.place).metadata.metadata
    members = {name.decode(): value.decode() for name, value in members.items()}
    (tmp_path / "P" / "manifest.json").write_text(json.dumps(members))
    (tmp_path / place).unlink(missing_ok=True)
    os.mkfifo(tmp_path / place)
    text = refused(lambda: manifest.read(tmp_path / place.split("/")[0]), manifest.ManifestError)
    assert text.endswith("not a regular file")


def test_names_with_characters_of_a_newer_unicode(tmp_path):
    """Those of Unicode 15 and 16, which the extension has and Python may lack."""
    place = tmp_path / "\U0001fae8\U0001fae9.list"
    place.write_bytes(b"x")
    assert ".list" in refused(lambda: manifest.read(place), manifest.ManifestError)


def test_outputs(tmp_path):
    pq.write_table(pa.table({"x": ["a", "b"]}), tmp_path / "in.parquet")
    out = tmp_path / "out"
    finalist.parquet.hash_parquet(str(tmp_path / "in.parquet"), str(out), "blake2s", column="x")
    place = out / _parts.PARTS
    with open(place, "rb") as file:
        table, about = _parts.read(file)
    pairs = [(f"finalist.{name}", value) for name, value in about.items()]

    def broken(changed=table, metadata=pairs):
        written(place, changed, metadata)
        return refused(lambda: finalist.parquet.Output(str(out)))

    written(place, table, pairs)
    assert finalist.parquet.Output(str(out)).root.hex() == about["root"]
    for bits in ("257", "0256", "256 ", "+256"):
        changed = [(n, bits if n == "finalist.digest_bits" else v) for n, v in pairs]
        broken(metadata=changed)
    changed = [(n, value.upper() if n == "finalist.root" else value) for n, value in pairs]
    assert "do not give the root" in broken(metadata=changed)
    for name, value in pairs:
        others = [pair for pair in pairs if pair[0] != name]
        assert "format is none" in broken(metadata=others) or name != "finalist.format"
        broken(metadata=[*pairs, (name, value)])
        text = broken(metadata=[*others, ("finalist.other", value)])
        assert "not complete" in text or name == "finalist.format"
        for other in ("", "x\n", "\u202e" * 300, "-0", "9" * 5000, "0x"):
            broken(metadata=[*others, (name, other)])
        broken(metadata=[*others, (name, value.encode() + b"\xff")])
    rows = table.to_pylist()
    for name, value in {"first": 1, "count": 3, "nodes": b"", "number": 7}.items():
        if name != "number":
            broken(pa.Table.from_pylist([rows[0] | {name: value}], table.schema))
    broken(pa.Table.from_pylist([rows[0] | {"first": -1}], table.schema))
    broken(pa.Table.from_pylist([rows[0] | {"count": None}], table.schema))
    broken(table[:0])
    broken(table.drop_columns(["nodes"]))
    for content in (b"", b"PAR1", bytes(1000), place.read_bytes()[:-1]):
        place.write_bytes(content)
        refused(lambda: finalist.parquet.Output(str(out)))
    written(place, table, pairs)
    part = out / "part-00000000.parquet"
    whole = part.read_bytes()
    assert finalist.parquet.prove(str(out), 1).leaf_count == 2
    footer_at = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    contents = [b"", whole[:-1], whole[:footer_at] + bytes(50) + whole[footer_at + 50 :]]
    for content in contents:
        part.write_bytes(content)
        text = refused(lambda: finalist.parquet.prove(str(out), 1))
        assert text.startswith(str(part)), text
    for found in (part, place):
        for make in (os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)):
            found.unlink()
            make(found)
            text = refused(lambda: finalist.parquet.prove(str(out), 1))
            assert text == f"{found} is not a regular file"
            found.rmdir() if found.is_dir() else found.unlink()
            found.touch()


# Messages.


def test_what_is_shown():
    for text, expected in {
        "plain é 漢": "plain é 漢",
        "a\nb\tc\x1b": "a\\x0ab\\x09c\\x1b",
        "\u202eabc\u2066\u200b\ufeff": "\\u202eabc\\u2066\\u200b\\ufeff",
        "\u3164\ufe0f\U000e0101\u034f\u2028": "\\u3164\\ufe0f\\U000e0101\\u034f\\u2028",
        "a\u2800b": "a\\u2800b",
        "\ud800": "\\ud800",
        "\uffff": "\\uffff",
    }.items():
        assert _shown.shown(text) == expected
    long = "x" * 5000
    assert _shown.shown(long) == _shown.shown(long[:201]) == "x" * 197 + "..."
    assert _shown.shown(long[:200]) == long[:200]
    assert _shown.quoted("\n" * 5000).count("\\x0a") < 60
    for value in (long, long.encode(), b"\xff" * 5000, [long], {long: 1}, "\u202e" * 5000):
        text = _shown.quoted(value)
        assert len(text) <= _shown.SHOWN_MAX + 2 and text.isprintable()
    assert _shown.quoted(b"'" * 5000) == '"'.join(["b", "'" * 195]) + "..."
    assert _shown.quoted(b"a\n") == "b'a\\n'" and _shown.quoted(None) == "None"
    assert _shown.line_of(ValueError("one\ntwo")) == "one"
    assert _shown.line_of(ValueError()) == "ValueError"


def test_numbers_that_are_read():
    for digits, number in {"0": 0, "7": 7, "18446744073709551615": 2**64 - 1}.items():
        assert _json.Members(f'{{"x": {digits}}}', "w").number("x") == number
    for digits in NUMBERS:
        with pytest.raises(ValueError, match="^w: "):
            _json.Members(f'{{"x": {digits}}}', "w").number("x")
    for digits in ("-1", str(1 << 64), "9" * 190, "9" * 5000):
        text = f"^w: '{digits[:190]}.*' is not a number from 0 to 2\\*\\*64 - 1$"
        with pytest.raises(ValueError, match=text):
            _json.Members(f'{{"x": {digits}}}', "w")


def test_a_member_twice_among_many():
    """It is found in a second, not in minutes."""
    members = ", ".join(f'"{number}": 0' for number in range(200_000))
    with pytest.raises(ValueError, match="^w: the member '199999' stands twice$"):
        _json.Members("{" + members + ', "199999": 1}', "w")


def test_one_reader_of_json():
    """One module reads the package's JSON; _given.py reads pandas', which may have any members."""
    package = pathlib.Path(finalist.parquet.__file__).parent
    readers = {
        path.name for path in package.glob("*.py") if re.search(r"json\.loads?\(", path.read_text())
    }
    assert readers == {"_json.py", "_given.py"}


def footer(content):
    return io.BytesIO(b"PAR1" + content + len(content).to_bytes(4, "little") + b"PAR1")


def test_footers():
    """Thrift's compact protocol, by hand: fields by distance and by number, lists, all types."""
    pair = b"\x18\x01k\x18\x01v\0"
    good = b"\x59\x1c" + pair + b"\0"
    assert _footer.metadata_of(footer(good)) == [("k", "v")]
    # The number in zigzag after the type; a value, an unknown field and an unknown list.
    assert _footer.metadata_of(footer(b"\x09\x0a\x1c" + pair + b"\0")) == [("k", "v")]
    assert _footer.metadata_of(footer(b"\x09\x0a\x1c\x28\x01v\x35\x02\0\0")) == [("", "v")]
    # Bytes that are no UTF-8 stay apart.
    other = b"\x18\x01\xff\x18\x01\xfe\0"
    assert _footer.metadata_of(footer(b"\x59\x1c" + other + b"\0")) == [("\\xff", "\\xfe")]
    # A key that is a number.
    assert _footer.metadata_of(footer(b"\x59\x1c\x15\x02\x18\x01v\0\0")) == [("", "v")]
    skipped = b"\x11\x12\x13\x7f\x14\x80\x01\x14\x7f\x17" + bytes(8)
    skipped += b"\x19\x21\1\2\x1a\xf5\x10" + bytes(16) + b"\x1c\x15\2\x19\x1c\0\0"
    down = b"\x09\x0a\x1c" + pair + b"\0"
    assert _footer.metadata_of(footer(skipped + down)) == [("k", "v")]
    many = b"\x09\x0a\xfc\x14" + 20 * pair + b"\0"
    assert _footer.metadata_of(footer(many)) == 20 * [("k", "v")]
    deep = b"\x1c" * 18 + bytes(18)
    assert _footer.metadata_of(footer(deep[1:])) == []
    lists = b"\x19" * 18 + b"\x03\0"
    assert _footer.metadata_of(footer(lists[1:])) == []
    for wrong, text in [
        (deep + b"\0", "nested too deep"),
        (lists, "nested too deep"),
        (good[:-1], "cut short"),
        (good[:-3], "cut short"),
        (b"\x59\x15" + good[2:], "no pairs"),
        (b"\x1b\0\0", "unknown type 11"),
        (b"\x15" + b"\xff" * 10 + b"\0", "too long"),
        (b"\x18\x7fk\0", "cut short"),
        (b"\x19\xf1" + b"\xff" * 9 + b"\x01\0", "cut short"),
    ]:
        with pytest.raises(ValueError, match=text):
            _footer.metadata_of(footer(wrong))
    whole = footer(good).getvalue()
    for content in (b"", b"PAR1", whole[:11], whole[:-1] + b"E", whole[-8:], whole[1:]):
        with pytest.raises(ValueError, match="cut short"):
            _footer.metadata_of(io.BytesIO(content))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits address space reliably")
def test_a_small_manifest_does_not_become_gigabytes(tmp_path):
    """One long path in every row of a dictionary: 6 GB for all rows at once."""
    rows = 50_000
    one = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), [b"x" * (1 << 17)])
    same = {"size": 1, "digest": b"12", "leaf": b"12", "status": "ok"}
    columns = {name: pa.array([value] * rows) for name, value in same.items()}
    times = {name: pa.array([1] * rows) for name in ("modified_ns", "changed_ns", "inode")}
    members = {"format": "finalist-manifest-2", "algorithm": "blake2s", "digest_bits": "16"}
    members |= {"keyed": "false", "salt": "", "personal": "", "count": str(rows), "root": "0000"}
    table = pa.table({"path": one, **columns, **times}).replace_schema_metadata(
        {f"finalist.{name}": value for name, value in members.items()}
    )
    place = tmp_path / "M.parquet"
    pq.write_table(table, place, compression="snappy")
    assert place.stat().st_size < 1 << 20
    code = (
        "import resource, sys; from finalist import manifest\n"
        "limit = (2 << 30, 2 << 30); resource.setrlimit(resource.RLIMIT_AS, limit)\n"
        "manifest.read(sys.argv[1])"
    )
    command = [sys.executable, "-c", code, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"ManifestError: {place}: row 1, x" in done.stderr, done.stderr
    assert "the path stands twice" in done.stderr


def test_digests_that_are_read():
    def hashes(*values):
        return _json.Members(json.dumps({"digest_bits": 16, "x": values}), "w").hashes("x")

    assert hashes("00ff", "Ab12") == (b"\0\xff", b"\xab\x12")
    for value in ("00f", "00ff0", "zz00", "00  ", " 00 ", "\u0660000", 1, None):
        with pytest.raises(ValueError, match="^w: "):
            hashes("00ff", value)
    for bits in (0, 1, 12):
        with pytest.raises(ValueError, match="^w: 'digest_bits' is not a multiple of 8 above 0$"):
            _json.Members(json.dumps({"digest_bits": bits, "x": []}), "w").hashes("x")
