# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.manifest against the tool's manifests, the format's page, and invalid files."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import traceback
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import manifest

ROOT = pathlib.Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "format" / "manifests.md").read_text()
LIST = re.search(r"```\n(# finalist-manifest-2\n.*?)```", PAGE, re.DOTALL)[1].encode()


def tool(*arguments, cwd):
    """Returns the output of the tool, built before. An exit code other than 0 is an error."""
    name = os.environ.get("FINALIST", ROOT / "target" / "release" / "finalist")
    if not pathlib.Path(name).exists():
        pytest.skip("the tool was not built")
    command = [name, "manifest", *arguments]
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True).stdout


@pytest.fixture
def files(tmp_path):
    """Makes a directory with difficult names, long files, and entries that are not files."""
    root = tmp_path / "files"
    for number in range(600):
        path = root / f"{number % 7}" / f"{number % 40}.d" / f"file {number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes([number % 256]) * (number * 31))
    for name in (b"a.c", b"a/b", b"a-", b"new\nline", b"back\\slash", b"\xff\xfe"):
        path = pathlib.Path(os.fsdecode(os.fsencode(root) + b"/" + name))
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(name)
    (root / "long").write_bytes(b"x" * 3_000_000)
    (root / "link").symlink_to("long")
    os.mkfifo(root / "pipe")
    return root


@pytest.mark.parametrize("name", ["blake2b", "blake256", "groestl0_224", "blake2s"])
def test_the_tool_writes_the_same(tmp_path, files, name):
    algorithm = name.replace("_", "-")
    made = manifest.create(files, tmp_path / "M.list", name, threads=2)
    line = tool("create", "files", "-a", algorithm, "-o", "T.list", cwd=tmp_path)
    assert line.decode().split()[-1] == made.root.hex()
    assert (tmp_path / "T.list").read_bytes() == (tmp_path / "M.list").read_bytes()
    again = manifest.create(files, tmp_path / "M.parquet", name)
    assert (again.root, again.count, again.statuses) == (made.root, 607, {"ok": 607})
    tool("create", "files", "-a", algorithm, "-o", "T.parquet", cwd=tmp_path)
    mine, theirs = (pq.ParquetFile(tmp_path / f"{each}.parquet") for each in "MT")
    assert mine.read().to_pylist() == theirs.read().to_pylist()
    assert mine.schema_arrow.equals(theirs.schema_arrow)
    assert mine.metadata.metadata == theirs.metadata.metadata
    # Python and the tool read each other's manifests.
    assert manifest.read(tmp_path / "T.parquet").root == made.root
    assert manifest.verify(tmp_path / "T.parquet", files, expected=made.root) == []
    tool("verify", "M.parquet", "files", cwd=tmp_path)
    tool("diff", "M.parquet", "T.list", cwd=tmp_path)
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_parameters(tmp_path, files):
    (tmp_path / "key").write_bytes(b"secret")
    parameters = {"digest_size": 20, "key": b"secret", "salt": b"\1\2", "person": b"\3"}
    made = manifest.create(files, tmp_path / "M.parquet", "blake2b", **parameters)
    options = ["-l", "160", "--key-file", "key", "--salt", "0102", "--personal", "03"]
    line = tool("create", "files", *options, "-o", "T.parquet", cwd=tmp_path)
    assert line.decode().split()[-1] == made.root.hex()
    assert manifest.verify(tmp_path / "T.parquet", files, key=b"secret") == []
    for key, text in [(b"", "no key is given"), (b"other", "is not that of its row")]:
        with pytest.raises(manifest.ManifestError, match=text):
            manifest.read(tmp_path / "M.parquet", key=key)
    manifest.create(files, tmp_path / "unkeyed.list")
    with pytest.raises(manifest.ManifestError, match="it has no key, and one is given"):
        manifest.read(tmp_path / "unkeyed.list", key=b"secret")
    calls = [
        lambda: manifest.create(files, tmp_path / "N.list", "md5", key=b"secret"),
        lambda: manifest.create(tmp_path / "none", tmp_path / "N.list", key=b"secret"),
        lambda: manifest.verify(tmp_path / "M.parquet", expected=b"", key=b"secret"),
        lambda: manifest.diff(tmp_path / "M.parquet", tmp_path / "unkeyed.list", key=b"secret"),
    ]
    for call in calls:
        with pytest.raises((ValueError, OSError)) as raised:
            call()
        trace = raised.value.__traceback__.tb_next.tb_next  # Without the test's own frames.
        shown = traceback.TracebackException(
            type(raised.value), raised.value, trace, capture_locals=True
        )
        assert "secret" not in "".join(shown.format())


def test_the_page_s_list(tmp_path):
    (tmp_path / "M.list").write_bytes(LIST)
    read = manifest.read(tmp_path / "M.list")
    assert (read.count, read.statuses) == (4, {"ok": 3, "vanished": 1})
    assert read.root.hex() == LIST.split()[-1].decode()


def test_differences(tmp_path, files):
    old, new = tmp_path / "old.parquet", tmp_path / "new.list"
    manifest.create(files, old)
    (files / "a.c").write_bytes(b"b.c")
    (files / "long").rename(files / "0" / "moved")
    (files / "added").write_bytes(b"")
    (files / "a-").unlink()
    manifest.create(files, new)
    kinds = [(each.kind, each.path, each.old_path) for each in manifest.diff(old, new)]
    moved = ("moved", b"0/moved", b"long")
    others = [("removed", b"a-", None), ("changed", b"a.c", None), ("added", b"added", None)]
    assert kinds == [moved, *others]
    assert manifest.verify(old, files) == manifest.diff(old, new)
    place = re.escape(str(old))
    with pytest.raises(manifest.ManifestError, match=f"^{place}: the root is [0-9a-f]+, not 00ff$"):
        manifest.verify(old, files, expected=b"\0\xff")
    with pytest.raises(manifest.ManifestError, match="differ in algorithm"):
        manifest.diff(old, manifest.create(files, tmp_path / "s.list", "blake2s").place)


def test_what_was_not_read_is_a_difference(tmp_path):
    """Files of the kernel have another size than their content, or cannot be read."""
    root = "/proc/self/attr"
    if not os.path.isdir(root):
        pytest.skip("the system has no such files")
    made = manifest.create(root, tmp_path / "M.list", "blake2s")
    if set(made.statuses) == {"ok"}:
        pytest.skip("all of them can be read")
    unread = {row.path: row.status for row in made.rows() if row.status != "ok"}
    found = {each.path: each.kind for each in manifest.verify(tmp_path / "M.list", root)}
    assert unread.items() <= found.items()


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("manifest-2", "manifest-3", "has the format 'finalist-manifest-3'"),
        ("manifest-2", "manifest-1", "has version 1, which is not read any more: make it again"),
        ("# finalist-manifest-2\n", "", "not a manifest"),
        ("blake2b", "md5", "invalid algorithm: 'md5'"),
        (": 64", ": 63", "invalid digest_bits: '63'"),
        (": false", ": 0", "invalid keyed"),
        ("(a.c)", "(b.c)", "row 1, a/b: the rows are not sorted"),
        ("(a.c)", "(a/b)", "row 1, a/b: the path stands twice"),
        ("(a.c)", "(../a)", "row 0, ../a: the path contains '..'"),
        ("(a.c)", "(/a)", "row 0, /a: the path is absolute"),
        ("(a.c)", "(a/)", "an empty component"),
        ("vanished", "unlisted", "does not end with '/'"),
        ("vanished", "lost", "improper line: '# lost (a/gone)'"),
        ("d8bb", "d8bc", "the root is not that of the rows"),
        ("size 3", "size 4", "the root is not that of the rows"),
        ("size 3", "size 03", "improper line: '# size 03|improper line: 'BLAKE2b-64"),
        ("new\\n", "new\\t", "improper line"),
        ("count: 4", "count: 5", "has 4 rows and claims 5"),
        ("# root: 335572ac023985ea\n", "", "cut short"),
        ("85ea\n", "85ea\n\n", "there is more after the root"),
    ],
)
def test_wrong_lists_are_refused(tmp_path, before, after, text):
    damaged = LIST.decode().replace(before, after, 1)
    assert damaged != LIST.decode()
    (tmp_path / "M.list").write_text(damaged)
    text = "|".join(map(re.escape, text.split("|")))
    with pytest.raises(manifest.ManifestError, match=text) as raised:
        manifest.verify(tmp_path / "M.list", tmp_path)
    assert str(raised.value).startswith(f"{tmp_path / 'M.list'}: ")
    assert [each.name for each in tmp_path.iterdir()] == ["M.list"]
    with pytest.raises(subprocess.CalledProcessError):
        tool("verify", "M.list", cwd=tmp_path)


def test_wrong_parquet_is_refused(tmp_path, files):
    place = tmp_path / "M.parquet"
    manifest.create(files, place)
    whole = place.read_bytes()
    for count in (5, len(whole) // 2, len(whole) - 1):
        place.write_bytes(whole[:count])
        with pytest.raises(manifest.ManifestError, match="not a whole Parquet file"):
            manifest.read(place)
    place.write_bytes(whole)
    table = pq.read_table(place)
    metadata = pq.ParquetFile(place).metadata.metadata

    def write(changed, **more):
        pairs = {name.decode(): value.decode() for name, value in metadata.items()}
        with pq.ParquetWriter(place, changed.schema, store_schema=False) as writer:
            writer.write_table(changed)
            writer.add_key_value_metadata(pairs | more)

    def refused(text, changed, **more):
        write(changed, **more)
        with pytest.raises(manifest.ManifestError, match=text):
            manifest.read(place)

    refused("stands twice", pa.concat_tables([table[:1], table]))
    refused("not sorted", pa.concat_tables([table[1:2], table[:1]]))
    refused("606 rows and claims 607", table[1:])
    refused("the columns are", table.drop_columns(["leaf"]))
    leaf = table.schema.get_field_index("leaf")
    turned = pa.chunked_array([table["leaf"].to_pylist()[::-1]], pa.binary())
    refused("is not that of its row", table.set_column(leaf, table.schema.field(leaf), turned))
    refused("format 'finalist-manifest-9'", table, **{"finalist.format": "finalist-manifest-9"})
    refused("the root is not", table, **{"finalist.root": "00" * 64})
    write(table)
    assert manifest.read(place).count == 607


def test_a_manifest_in_parts(tmp_path, files):
    made = manifest.create(files, tmp_path / "M.parquet")
    table = pq.read_table(tmp_path / "M.parquet")
    metadata = pq.ParquetFile(tmp_path / "M.parquet").metadata.metadata
    parts = tmp_path / "parts"
    parts.mkdir()
    for number, at in enumerate((0, 100, 101)):
        end = (100, 101, 607)[number]
        pq.write_table(table[at:end], parts / f"part-{number}.parquet")
    with pytest.raises(FileNotFoundError):
        manifest.read(parts)
    members = {name.decode(): value.decode() for name, value in metadata.items()}
    (parts / "manifest.json").write_text(json.dumps(members))
    assert manifest.read(parts).root == made.root
    assert manifest.verify(parts, files) == []
    tool("verify", "parts", "files", cwd=tmp_path)
    shutil.move(parts / "part-1.parquet", parts / "other")
    with pytest.raises(manifest.ManifestError, match="606 rows and claims 607"):
        manifest.read(parts)


def test_errors_leave_nothing_behind(tmp_path, files):
    with pytest.raises(ValueError):
        manifest.create(files, tmp_path / "M.list", "md5")
    with pytest.raises(FileNotFoundError):
        manifest.create(tmp_path / "nothing", tmp_path / "M.list")
    with pytest.raises(ValueError) as caught:
        manifest.create(files, tmp_path / "M.list", "blake2xb", digest_size=100)
    assert type(caught.value) is ValueError  # The call is wrong, no manifest is.
    assert [each.name for each in tmp_path.iterdir()] == ["files"]


@pytest.mark.parametrize(
    ("name", "bits", "tag"),
    [
        ("blake2b", 512, "BLAKE2b"),
        ("blake2b", 256, "BLAKE2b-256"),
        ("blake2xs", 256, "BLAKE2Xs"),
        ("blake2xs", 512, "BLAKE2Xs-512"),
        ("blake2sp", 256, "BLAKE2sp"),
        ("blake2bp", 256, "BLAKE2bp-256"),
        ("blake3", 256, "BLAKE3"),
        ("groestl512", 512, "Groestl-512"),
        ("groestl0_256", 256, "Groestl-0-256"),
        ("blake28", 224, "BLAKE-28"),
    ],
)
def test_tags(tmp_path, files, name, bits, tag):
    made = manifest.create(files / "a", tmp_path / "M.list", name, digest_size=bits // 8)
    assert made.algorithm == name.replace("_", "-")
    assert f"\n{tag} (b) = ".encode() in (tmp_path / "M.list").read_bytes()


def test_metadata(tmp_path):
    root = tmp_path / "files"
    (root / "empty").mkdir(parents=True)
    (root / "a").write_bytes(b"abc")
    (root / "link").symlink_to("a")
    (root / "a").chmod(0o640)
    (root / "empty").chmod(0o755)
    made = manifest.create(root, tmp_path / "M.list", metadata=True)
    tool("create", "files", "--metadata", "-o", "T.list", cwd=tmp_path)
    assert (tmp_path / "T.list").read_bytes() == (tmp_path / "M.list").read_bytes()
    assert made.metadata
    assert not manifest.create(root, tmp_path / "P.list").metadata
    rows = {row.path: (row.status, row.mode, row.target) for row in made.rows()}
    expected = {b"a": ("ok", 0o640, None), b"empty/": ("directory", 0o755, None)}
    assert rows == expected | {b"link": ("link", None, b"a")}
    assert made.statuses == {"directory": 1, "link": 1, "ok": 1}
    assert manifest.verify_proof(made.prove(b"link"), made.root).target == b"a"
    assert made.verify(root) == []
    (root / "empty").rmdir()
    (root / "a").chmod(0o600)
    (root / "link").unlink()
    (root / "link").symlink_to("b")
    found = made.verify(root)
    kinds = {each.path: each.kind for each in found}
    assert kinds == {b"a": "mode", b"empty/": "removed", b"link": "changed"}
    assert made.diff(made.update(root, tmp_path / "N.parquet")) == found
    with pytest.raises(ValueError, match="no modes, directories or links"):
        manifest.create("memory://files", tmp_path / "M.list", metadata=True)
    with pytest.raises(ValueError, match="no modes, directories or links"):
        made.verify("memory://files")


def test_one_object_is_no_root(tmp_path):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe("/single/object", b"content")
    with pytest.raises(NotADirectoryError, match="single/object is an object: give the URL above"):
        manifest.create("memory://single/object", tmp_path / "M.list")
    made = manifest.create("memory://single", tmp_path / "M.list")
    assert [row.path for row in made.rows()] == [b"object"]


def test_more_rows_than_are_read_at_a_time(tmp_path):
    root = tmp_path / "many"
    root.mkdir()
    for number in range(5000):
        (root / f"{number:04}").touch()
    made = manifest.create(root, tmp_path / "M.parquet")
    assert [row.path for row in made.rows()] == [b"%04d" % number for number in range(5000)]


def test_only_the_new_manifest_beside_its_objects_has_no_row():
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe("beside/file", b"1")
    manifest.create("memory://beside", "memory://beside/new.list")
    old = manifest.create("memory://beside", "memory://beside/old.list")
    assert [row.path for row in old.rows()] == [b"file", b"new.list"]
    assert old.verify("memory://beside") == []
    for root in ("memory://beside", "memory://beside/", "memory:///beside"):
        new = old.update(root, "memory://beside/new.list")
        assert [row.path for row in new.rows()] == [b"file", b"old.list"]
        assert new.verify(root) == []
    memory.rm("/beside", recursive=True)


def test_an_object_named_like_a_manifest_elsewhere_has_a_row(tmp_path, monkeypatch):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe({"named/M.parquet": b"1", "named/a/M.list": b"2"})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    for out in ("M.parquet", "a/M.list"):
        made = manifest.create("memory://named", out)
        assert [row.path for row in made.rows()] == [b"M.parquet", b"a/M.list"]
        memory.pipe("/named/M.parquet", b"3")
        assert [each.path for each in made.verify("memory://named")] == [b"M.parquet"]
        memory.pipe("/named/M.parquet", b"1")
    memory.rm("/named", recursive=True)


@pytest.mark.parametrize("form", ["list", "parquet"])
def test_no_object_or_file_but_a_manifest_is_replaced(tmp_path, files, form):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe("/others/a", b"1")
    out, local = f"memory://M.{form}", tmp_path / f"M.{form}"
    for content in (b"precious", b"# finalist-manifest-3\n", b"PAR1" + b"\0" * 8 + b"PAR1"):
        memory.pipe(f"/M.{form}", content)
        local.write_bytes(content)
        calls = [(files, out), ("memory://others", out), ("memory://others", local)]
        for root, place in calls:
            with pytest.raises(manifest.ManifestError, match="it is no manifest: choose another"):
                manifest.create(root, place)
        assert memory.cat(f"/M.{form}") == content == local.read_bytes()
    memory.pipe(f"/M.{form}", b"")
    local.write_bytes(b"")
    for root, place in (*calls, *calls):
        manifest.create(root, place)
    manifest.create(files, out, metadata=True)
    manifest.create(files, out)
    memory.rm("/others", recursive=True)
    memory.rm(f"/M.{form}")


def test_an_archive_is_a_store(tmp_path):
    pytest.importorskip("fsspec")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("a/x", "b/x", "top"):
            archive.writestr(name, name)
    url = f"zip://::file://{tmp_path}/a.zip"
    made = manifest.create(url, tmp_path / "M.list")
    assert [(row.path, row.size) for row in made.rows()] == [(b"a/x", 3), (b"b/x", 3), (b"top", 3)]
    assert made.statuses == {"ok": 3} and made.verify(url) == []
    assert made.update(url, tmp_path / "N.list").root == made.root


def test_a_manifest_in_a_store_leaves_no_files_here(tmp_path, monkeypatch):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe({"kept/file": b"1"})
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = manifest.create("memory://kept", "memory://M.parquet")
    assert made.update("memory://kept").root == manifest.read("memory://M.parquet").root
    memory.pipe("/M.parquet", b"PAR1 and nothing of the kind PAR1")
    with pytest.raises(manifest.ManifestError, match="^'memory://M.parquet': not a whole Parquet"):
        manifest.read("memory://M.parquet")
    assert os.listdir(tmp_path) == []
    memory.rm("/kept", recursive=True)
    memory.rm("/M.parquet")


def test_an_update_from_a_store_has_the_parameters_of_the_old_manifest(tmp_path):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe({"kept/file": b"1"})
    secrets = {"key": b"a key", "salt": b"a salt", "person": b"a person"}
    old = manifest.create("memory://kept", tmp_path / "OLD.list", "blake2s", **secrets)
    new = old.update("memory://kept", tmp_path / "NEW.list")
    read = manifest.read(tmp_path / "NEW.list", key=b"a key")
    assert old.root == new.root == read.root
    memory.rm("/kept", recursive=True)


@pytest.mark.parametrize("scheme", ["", "file://", "local://"])
def test_names_of_local_places_are_no_stores(tmp_path, scheme):
    (tmp_path / "files" / "folder").mkdir(parents=True)
    place = f"{scheme}{tmp_path}"
    made = manifest.create(f"{place}/files", f"{place}/M.list", metadata=True)
    assert [row.path for row in made.rows()] == [b"folder/"]
    assert (tmp_path / "M.list").exists()
