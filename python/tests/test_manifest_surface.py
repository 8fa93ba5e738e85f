# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests every value that a manifest can have against a second implementation of
docs/format/manifests.md: lists by byte, Parquet by value, leaves and roots, also with another key.
"""

import hashlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import _files, _finalist, _footer, manifest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("FINALIST_EXAMPLES", "150"))
MOST = (1 << 63) - 1
KEYED = {"digest_size": 8, "key": b"key", "salt": b"\1\2", "person": b"\3"}
SECRETS = {name: value for name, value in KEYED.items() if name != "digest_size"}

COMPONENTS = st.binary(min_size=1, max_size=6) | st.sampled_from(
    [b"a", b"\\", b"\n", b"\r", b"\\n", b"(", b")", b" = ", b"\xff", b"...", b"# size 1", b" "]
)
NAMES = COMPONENTS.map(lambda name: name.replace(b"/", b"_").replace(b"\0", b"_")).filter(
    lambda name: name not in (b".", b"..")
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(b"/".join)
TIMES = st.none() | st.integers(-MOST, MOST) | st.sampled_from([0, -1, -MOST, MOST])
SIZES = st.integers(0, MOST) | st.sampled_from([0, 1, 1 << 32, (1 << 32) - 1, MOST])
OK_ROWS = st.fixed_dictionaries(
    {
        "path": PATHS,
        "size": SIZES,
        "digest": st.binary(min_size=8, max_size=8),
        "status": st.just("ok"),
        "modified_ns": TIMES,
        "changed_ns": TIMES,
        "inode": st.none() | st.integers(-MOST - 1, MOST),
    }
)
NOTHING = dict.fromkeys(("size", "digest", "modified_ns", "changed_ns", "inode"))


def unread(path, status):
    return {"path": path + b"/" * (status == "unlisted"), "status": status, **NOTHING}


FAULTS = st.builds(
    unread, PATHS, st.sampled_from(["unreadable", "vanished", "changed", "unlisted"])
)
ROWS = st.lists(OK_ROWS | FAULTS, max_size=12, unique_by=lambda row: row["path"]).map(
    lambda rows: sorted(rows, key=lambda row: row["path"])
)


# The format, written once more.


def text(value):
    return b"\6" + len(value).to_bytes(8, "little") + value


def binary(value):
    return b"\0" if value is None else b"\5" + len(value).to_bytes(8, "little") + value


def number(value):
    return b"\0" if value is None else b"\2" + value.to_bytes(8, "little")


def hashed(content):
    return hashlib.blake2b(content, **KEYED).digest()


def leaf(row):
    message = b"\1" + text(b"finalist-manifest-2") + binary(row["path"]) + number(row["size"])
    return hashed(b"\0" + message + binary(row["digest"]) + text(row["status"].encode()))


def top(hashes):
    if len(hashes) < 2:
        return hashes[0] if hashes else hashed(b"")
    split = 1 << (len(hashes) - 1).bit_length() - 1
    return hashed(b"\1" + top(hashes[:split]) + top(hashes[split:]))


def root(rows):
    values = text(b"finalist-manifest-2") + text(b"blake2b") + number(64) + b"\1\1"
    values += binary(b"\1\2") + binary(b"\3") + number(len(rows))
    return hashed(b"\2\1" + values + binary(top([leaf(row) for row in rows])))


def listed(rows):
    lines = [b"# finalist-manifest-2", b"# algorithm: blake2b", b"# digest_bits: 64"]
    lines += [b"# keyed: true", b"# salt: 0102", b"# personal: 03"]
    for row in rows:
        path = row["path"].replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
        if row["status"] != "ok":
            lines.append(b"# " + row["status"].encode() + b" (" + path + b")")
            continue
        mark = b"\\" if path != row["path"] else b""
        lines.append(b"# size " + str(row["size"]).encode())
        lines.append(mark + b"BLAKE2b-64 (" + path + b") = " + row["digest"].hex().encode())
    lines += [b"# count: " + str(len(rows)).encode(), b"# root: " + root(rows).hex().encode()]
    return b"".join(line + b"\n" for line in lines)


METADATA = {
    "finalist.format": "finalist-manifest-2",
    "finalist.algorithm": "blake2b",
    "finalist.digest_bits": "64",
    "finalist.keyed": "true",
    "finalist.salt": "0102",
    "finalist.personal": "03",
}
COLUMNS = {
    "path": pa.binary(),
    "size": pa.int64(),
    "digest": pa.binary(),
    "leaf": pa.binary(),
    "status": pa.string(),
    "modified_ns": pa.int64(),
    "changed_ns": pa.int64(),
    "inode": pa.int64(),
}
NEVER_NULL = {"path", "leaf", "status"}


def values_of(row):
    return tuple(row.get(name) for name in manifest.Row._fields)


def made(rows, name):
    """Writes these rows. Returns the file and the manifest."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, name)
        values = list(map(values_of, rows))
        result = _finalist.Manifest.write(values, file, "blake2b", *KEYED.values())
        return pathlib.Path(file).read_bytes(), manifest.Manifest(file, result)


def read(content, **secrets):
    """Returns a manifest, and its rows from a first and a second reading."""
    with tempfile.NamedTemporaryFile() as file:
        pathlib.Path(file.name).write_bytes(content)
        opened = manifest.read(file.name, **secrets)
        rows = [row._asdict() for row in opened.rows()]
        assert rows == [row._asdict() for row in opened.rows()]
        return opened, rows


def stripped(rows, *names):
    return [{name: row[name] for name in ("path", *names)} for row in rows]


@settings(max_examples=EXAMPLES, deadline=None)
@given(ROWS)
def test_lists(rows):
    content, result = made(rows, "M.list")
    assert content == listed(rows)
    assert result.root == root(rows) and result.count == len(rows)
    back, again = read(content, key=KEYED["key"])
    assert (back.root, back.count, back.statuses) == (result.root, len(rows), result.statuses)
    names = ("size", "digest", "status")
    assert stripped(again, *names) == stripped(rows, *names)
    # A list has no times, so neither have its rows.
    assert all(row.get(name) is None for row in again for name in _files.STATE)


@settings(max_examples=EXAMPLES, deadline=None)
@given(ROWS)
def test_parquet(rows):
    content, result = made(rows, "M.parquet")
    pairs = _footer.metadata_of(io.BytesIO(content))
    assert dict(pairs) == METADATA | {
        "finalist.count": str(len(rows)), "finalist.root": root(rows).hex()
    }
    assert len(pairs) == 8
    file = pq.ParquetFile(io.BytesIO(content))
    assert {field.name: field.type for field in file.schema_arrow} == COLUMNS
    assert file.schema_arrow.names == list(COLUMNS)
    assert {field.name for field in file.schema_arrow if not field.nullable} == NEVER_NULL
    expected = [{name: (row | {"leaf": leaf(row)})[name] for name in COLUMNS} for row in rows]
    assert file.read().to_pylist() == expected
    back, again = read(content, key=KEYED["key"])
    assert back.root == result.root == root(rows)
    assert again == [row | {"mode": None, "target": None} for row in rows]


@settings(max_examples=EXAMPLES // 3 + 1, deadline=None)
@given(ROWS, st.sampled_from(["M.list", "M.parquet"]))
def test_another_key(rows, name):
    content, _ = made(rows, name)
    for key, complaint in [
        (b"", "no key is given"),
        (b"yek", "leaf|root"),
        (b"key\0", "leaf|root"),
    ]:
        with pytest.raises(manifest.ManifestError, match=complaint):
            read(content, key=key)


@settings(max_examples=EXAMPLES, deadline=None)
@given(ROWS.filter(bool), st.data())
def test_every_value_is_bound(rows, data):
    """Changing one value that the leaf contains changes the root."""
    place = data.draw(st.integers(0, len(rows) - 1))
    row = rows[place]
    is_ok = row["status"] == "ok"
    others = {"path": lambda: b"x" + row["path"]}
    if is_ok:
        others["size"] = lambda: row["size"] ^ 1
        others["digest"] = lambda: bytes(8) if row["digest"] != bytes(8) else b"\1" * 8
    elif row["status"] != "unlisted":
        others["status"] = lambda: "changed" if row["status"] != "changed" else "vanished"
    name = data.draw(st.sampled_from(sorted(others)))
    changed = [dict(each) for each in rows]
    changed[place][name] = others[name]()
    changed.sort(key=lambda row: row["path"])
    assume(len({each["path"] for each in changed}) == len(rows))
    assert made(changed, "M.list")[1].root != made(rows, "M.list")[1].root
    assert made(rows[:place] + rows[place + 1 :], "M.list")[1].root != root(rows)
    for name in _files.STATE if is_ok else ():
        changed = [dict(each) for each in rows]
        changed[place][name] = 5
        assert made(changed, "M.list")[1].root == root(rows)


def row_of(**values):
    row = {"path": b"b", "size": 1, "digest": bytes(8), "status": "ok"}
    return {**dict.fromkeys(_files.STATE), **row, **values}


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, None),
        ({"size": 0}, None),
        ({"size": MOST}, None),
        ({"size": MOST + 1}, "negative"),
        ({"size": None}, "do not fit the status"),
        ({"digest": None}, "do not fit the status"),
        ({"digest": bytes(7)}, "has 7 bytes, not 8"),
        ({"digest": bytes(9)}, "has 9 bytes, not 8"),
        ({"status": "Ok"}, "do not fit the status"),
        ({"path": b"a"}, "stands twice"),
        ({"path": b"A"}, "not sorted"),
        ({"path": b"b" * (1 << 20)}, None),
        ({"path": b"b" * ((1 << 20) + 1)}, "longer than 1 MiB"),
        ({"status": "vanished"}, "do not fit the status"),
        *(({"modified_ns": value, "changed_ns": value, "inode": value}, None) for value in (0, -1)),
        *(
            ({**NOTHING, "status": status, "size": 0}, "do not fit the status")
            for status in ("unreadable", "vanished", "changed", "unlisted")
        ),
        ({**NOTHING, "status": "lost"}, "unknown status"),
        ({**NOTHING, "status": "lost", "inode": 1}, "do not fit the status"),
    ],
)
def test_rows_that_are_refused(values, complaint):
    refused([row_of(path=b"a"), row_of(**values)], complaint)


def refused(rows, complaint):
    if complaint is None:
        assert made(rows, "M.list")[1].count == len(rows)
        return
    with pytest.raises(ValueError, match=complaint):
        made(rows, "M.list")


@pytest.mark.parametrize(
    ("path", "is_directory", "complaint"),
    [
        (b"a", False, None), (b"a/b", False, None), (b"...", False, None), (b".a", False, None),
        (b"a..", False, None), (b"a/", True, None), (b"a/b/", True, None), (b"\xff", False, None),
        (b"", False, "empty"), (b"/", False, "absolute"), (b"/a", False, "absolute"),
        (b"a\0b", False, "NUL"), (b"a//b", False, "component"), (b".", False, "component"),
        (b"..", False, "'..'"), (b"a/.", False, "component"), (b"a/..", False, "'..'"),
        (b"../a", False, "'..'"), (b"a/", False, "component"), (b"a", True, "end with '/'"),
        (b"", True, "empty"), (b"/", True, "absolute"), (b"a//", True, "component"),
        (b"../", True, "'..'"), (b"./", True, "component"),
    ],
)  # fmt: skip
def test_paths(path, is_directory, complaint):
    row = row_of(path=path)
    refused([row | NOTHING | {"status": "unlisted"} if is_directory else row], complaint)


def test_lines_of_the_longest_path():
    """All bytes are escaped; one more byte is too many for a path."""
    row = row_of(path=b"\n" * (1 << 20), size=MOST)
    content, result = made([row], "M.list")
    assert read(content, key=KEYED["key"])[0].root == result.root
    with pytest.raises(manifest.ManifestError, match="improper line|longer than 1 MiB"):
        read(content.replace(b"\\n", b"\\n\\n", 600), key=KEYED["key"])


def test_places_of_manifests(tmp_path):
    """Only the name selects the form; a link is replaced, not followed."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"1")
    (tmp_path / "target").write_text("kept")
    (tmp_path / "M.list").symlink_to("target")
    old = os.umask(0o026)
    try:
        manifest.create(tmp_path / "in", tmp_path / "M.list")
        manifest.create(tmp_path / "in", tmp_path / "M.parquet")
    finally:
        os.umask(old)
    assert (tmp_path / "target").read_text() == "kept"
    assert not (tmp_path / "M.list").is_symlink()
    for name, start in {"M.list": b"# fi", "M.parquet": b"PAR1"}.items():
        assert (tmp_path / name).read_bytes()[:4] == start
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o640
    # A manifest in the directory that it lists omits itself, under any name.
    inside = tmp_path / "in" / "M"
    made_inside = manifest.create(tmp_path / "in", inside)
    assert made_inside.root == manifest.read(tmp_path / "M.list").root
    (tmp_path / "again").symlink_to(tmp_path / "in")
    assert manifest.verify(inside, tmp_path / "again") == []
    assert sorted(os.listdir(tmp_path / "in")) == ["M", "file"]


def test_a_root_that_is_no_directory_leaves_no_journal(tmp_path):
    """It would refuse the next call, for the right directory."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"1")
    for wrong in ("in/file", "/dev/null", "none"):
        with pytest.raises(OSError):
            manifest.create(tmp_path / wrong, tmp_path / "M.list")
        assert sorted(os.listdir(tmp_path)) == ["in"]
    assert manifest.create(tmp_path / "in", tmp_path / "M.list").count == 1


def test_places_and_roots_of_other_types(tmp_path):
    (tmp_path / "in").mkdir()
    out = os.fsencode(tmp_path / "M.list")
    made = manifest.create(os.fsencode(tmp_path / "in"), out)
    assert made.place == str(tmp_path / "M.list")
    assert manifest.verify(out, os.fsencode(tmp_path / "in"), expected=bytearray(made.root)) == []
    assert manifest.diff(out, made.update(tmp_path / "in").place) == []
    before = (tmp_path / "M.list").stat()
    for call in (made.update, manifest.create):
        for empty in ("", b""):
            with pytest.raises(manifest.ManifestError, match="the output has no name"):
                call(tmp_path / "in", empty)
    assert (tmp_path / "M.list").stat() == before
    for wrong, kind in [(made.root.hex(), "str"), (None, "NoneType")]:
        with pytest.raises(TypeError, match=f"root is a bytes-like object, not '{kind}'"):
            manifest.verify_proof("{}", wrong)
        if wrong is not None:
            with pytest.raises(TypeError, match=f"expected is a bytes-like object, not '{kind}'"):
                manifest.verify(out, expected=wrong)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_manifest_that_is_too_large_is_an_error_of_the_system(tmp_path):
    """As of a full disk: the library of Parquet wraps it. The journal is shorter."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"1")
    code = """if True:
        import resource, signal, sys
        from finalist import manifest
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
        try:
            manifest.create(sys.argv[1], sys.argv[2])
        except OSError as error:
            print(error.errno, error.strerror, error.filename)
    """
    command = [sys.executable, "-P", "-c", code, tmp_path / "in", tmp_path / "M.parquet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == f"27 File too large {tmp_path / 'M.parquet'}\n", done


def test_files_are_private_until_they_have_their_names(tmp_path):
    (tmp_path / "in").mkdir()
    with open(tmp_path / "in" / "file", "wb") as file:
        file.truncate(1 << 30)
    modes = []

    def look(_):
        hidden = [path for path in tmp_path.iterdir() if path.name.endswith(".partial")]
        modes.extend(path.stat().st_mode & 0o777 for path in hidden)

    manifest.create(tmp_path / "in", tmp_path / "M.list", progress=look)
    assert modes and set(modes) == {0o600}
