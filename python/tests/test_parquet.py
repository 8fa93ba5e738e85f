# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the output and the errors of finalist.parquet, also for files that change meanwhile."""

import dataclasses
import hashlib
import multiprocessing
import os
import pathlib
import signal

import finalist
import finalist.parquet as fin
import finalist.tables
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import _parts, _places, changes, merkle
from finalist._hashing import Hashing
from pyarrow import fs

KEY = b"a key that nobody may see"
NAMES = [None if row % 7 == 0 else f"name {row}" for row in range(1000)]


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for number, rows in enumerate((range(0, 300), range(300, 300), range(300, 1000))):
        names = NAMES[rows.start : rows.stop]
        table = pa.table({"id": pa.array(rows, pa.int32()), "name": pa.array(names, pa.string())})
        pq.write_table(table, folder / f"{number}.parquet", row_group_size=128)
    (folder / "_SUCCESS").touch()
    (folder / ".hidden.parquet").write_bytes(b"none of this")
    return folder


@pytest.fixture(autouse=True)
def short_parts(monkeypatch):
    monkeypatch.setattr(_parts, "PART_ROWS", 200)
    monkeypatch.setattr(_parts, "BATCH_ROWS", 50)


def digest(name, **parameters):
    return None if name is None else hashlib.blake2s(name.encode(), **parameters).digest()


def parts(out):
    return sorted(str(path) for path in pathlib.Path(out).glob("part-*.parquet"))


def test_columns(source, tmp_path):
    out = str(tmp_path / "out")
    result = fin.hash_parquet(
        str(source), out, "blake2s", column="name", keep=["id"], key=KEY, digest_size=16
    )
    table = pq.read_table(parts(out))
    expected = [digest(name, key=KEY, digest_size=16) for name in NAMES]
    assert table.column("digest").to_pylist() == expected
    assert table.column("id").to_pylist() == list(range(1000))
    assert table.schema.names == ["id", "digest"]
    assert result.rows == 1000 and result.parts.num_rows == len(parts(out)) > 4
    hashes = merkle.row_hashes(table, "blake2s", digest_size=16, key=KEY)
    whole = merkle.range_root(hashes, "blake2s", digest_size=16, key=KEY)
    assert result.root == whole.root(key=KEY)
    assert sorted(os.listdir(out))[:2] == ["_SUCCESS", "_parts.parquet"]
    everything = b"".join(pathlib.Path(out, name).read_bytes() for name in os.listdir(out))
    assert KEY not in everything and KEY.hex().encode() not in everything


def forms(place):
    """Returns the compression of each column of a file, and whether it has a dictionary and
    statistics."""
    with pq.ParquetFile(place) as file:
        group = file.metadata.row_group(0)
        columns = map(group.column, range(group.num_columns))
        return {
            column.path_in_schema: (
                column.compression, column.has_dictionary_page, column.is_stats_set
            )
            for column in columns
        }


def test_the_forms_of_columns(source, tmp_path):
    """Digests cannot be compressed, and nobody searches for a range of them."""
    plain = ("UNCOMPRESSED", False, False)
    out = str(tmp_path / "out")
    fin.hash_parquet(str(source), out, "blake2s", column="name", keep=["id"])
    for part in parts(out):
        if pq.read_metadata(part).num_rows:
            assert forms(part) == {"id": ("SNAPPY", True, True), "digest": plain}
    table = pq.read_table(source / "0.parquet")
    for make in (finalist.tables.buckets, finalist.tables.rows):
        make(table, "id").write(tmp_path / "digests")
        [form] = forms(tmp_path / "digests").values()
        assert form[:2] == plain[:2]


def test_rows_and_the_way_they_are_cut(source, tmp_path, monkeypatch):
    table = pq.read_table(sorted(str(path) for path in source.glob("[0-9].parquet")))
    expected = finalist_rows(table)
    roots = set()
    for rows in (1, 200, 10_000):
        monkeypatch.setattr(_parts, "PART_ROWS", rows)
        out = str(tmp_path / f"out{rows}")
        result = fin.hash_parquet(str(source), out, "blake2b", columns=["name", "id"])
        assert pq.read_table(parts(out)).column("digest").to_pylist() == expected
        roots.add(result.root)
    monkeypatch.setattr(_parts, "PART_ROWS", 1)
    monkeypatch.setattr(_parts, "PARTS_MAX", 2)
    out = str(tmp_path / "few")
    result = fin.hash_parquet(str(source), out, "blake2b", columns=["name", "id"])
    assert result.parts.column("count").to_pylist() == [300, 0, 512, 188]
    roots.add(result.root)
    assert len(roots) == 1
    result = fin.hash_parquet(
        [str(source / "0.parquet")], str(tmp_path / "bare"), "blake2b", columns=["id"], root=False
    )
    assert result.root is None and result.rows == 300
    with pytest.raises(ValueError, match="has no root"):
        fin.prove(str(tmp_path / "bare"), 0)


def test_the_files_below_a_folder(source, tmp_path):
    """Other files and those of engines are left; a folder may have a name like a file's."""
    for name in ("more.parquet/3.parquet", "_temporary/4.parquet", ".cache/5.parquet", "6.txt"):
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_bytes(b"no Parquet")
    pq.write_table(pa.table({"id": [1], "name": ["last"]}), source / "more.parquet/3.parquet")
    out = str(tmp_path / "out")
    fin.hash_parquet(str(source), out, "blake2s", column="name")
    expected = [digest(name) for name in [*NAMES, "last"]]
    assert pq.read_table(parts(out)).column("digest").to_pylist() == expected
    store = pytest.importorskip("fsspec").filesystem("memory")
    for path in source.rglob("*"):
        if path.is_file():
            store.pipe(f"/below{path.relative_to(source.parent).as_posix()}", path.read_bytes())
    out = str(tmp_path / "of-a-store")
    fin.hash_parquet("fsspec+memory:///belowin", out, "blake2s", column="name")
    store.rm("/belowin", recursive=True)
    assert pq.read_table(parts(out)).column("digest").to_pylist() == expected


def test_several_sources_keep_their_order(source, tmp_path):
    more = tmp_path / "above"  # Before the others in the order of names.
    more.mkdir()
    pq.write_table(pa.table({"name": ["first", "second"]}), more / "9.parquet")
    pq.write_table(pa.table({"name": ["zeroth"]}), more / "10.parquet")
    sources = [source / "2.parquet", more, source / "0.parquet"]
    fin.hash_parquet(list(map(str, sources)), str(tmp_path / "out"), "blake2s", column="name")
    expected = [*NAMES[300:], "zeroth", "first", "second", *NAMES[:300]]
    found = pq.read_table(parts(tmp_path / "out"))["digest"].to_pylist()
    assert found == list(map(digest, expected))


def test_digests_without_a_root_have_any_length(source, tmp_path):
    out = str(tmp_path / "out")
    fin.hash_parquet(str(source), out, "blake2xs", column="name", digest_size=65, root=False)
    expected = finalist.hash_column("blake2xs", pa.array(NAMES), digest_size=65).to_list()
    assert pq.read_table(parts(out)).column("digest").to_pylist() == expected


def finalist_rows(table):
    import finalist

    return finalist.hash_rows(table, "blake2b", ["name", "id"]).to_list()


def test_proofs(source, tmp_path):
    out = str(tmp_path / "out")
    result = fin.hash_parquet(str(source), out, "groestl256", column="name", keep=["id"])
    table = pq.read_table(parts(out))
    for path in source.iterdir():
        path.unlink()
    for row in (0, 299, 300, 777, 999):
        proof = fin.prove(out, row)
        assert merkle.verify_row(proof, table.slice(row, 1), result.root)
        assert not merkle.verify_row(proof, table.slice(row - 1 if row else 1, 1), result.root)
    for row in (-1, 1000):
        with pytest.raises(IndexError, match=f"^{row} is out of range for 1000 rows$"):
            fin.prove(out, row)
    with pytest.raises(ValueError, match="one row"):
        merkle.verify_row(proof, table.slice(0, 2), result.root)
    first = parts(out)[0]
    pq.write_table(pq.read_table(first).slice(1), first)
    with pytest.raises(ValueError, match="leaf hashes of the leaves 0 to"):
        fin.prove(out, 5)
    pathlib.Path(first).write_bytes(b"PAR1 and nothing of the kind PAR1")
    with pytest.raises(ValueError, match=f"^{first} cannot be read: ."):
        fin.prove(out, 5)


def test_the_leaf_hashes_of_any_rows(source, tmp_path):
    fin.hash_parquet(str(source), str(tmp_path / "out"), "blake2s", column="name")
    output = fin.Output(str(tmp_path / "out"))
    whole = b"".join(map(output.leaf_hashes, range(len(output.ranges))))
    assert len(whole) == 32 * len(NAMES)
    ends = [0, *(part.end for part in output.ranges)]
    for first in {*ends, 1, 299, 301, 998} - {1000}:
        for end in {first, first + 1, *ends, 999} - set(range(first)):
            assert output.read(first, end - first) == whole[32 * first : 32 * end]


def test_the_key_of_an_output(source, tmp_path):
    plain, keyed = str(tmp_path / "plain"), str(tmp_path / "keyed")
    for out, key in ((plain, b""), (keyed, b"k")):
        result = fin.hash_parquet(str(source), out, "blake2s", column="name", key=key)
        assert fin.Output(out, key=key).root == result.root
    for out, key, text in [
        (plain, b"k", "plain was made with no key; the key is another one"),
        (keyed, b"", "keyed was made with a key; the key is another one"),
        (keyed, b"x", "keyed: the parts do not give the root, or the key is another one"),
    ]:
        with pytest.raises(ValueError, match=text):
            fin.prove(out, 0, key=key)


def test_every_parameter(source, tmp_path):
    secrets = {"key": KEY, "salt": b"a salt", "person": b"a person"}
    given = {"digest_size": 24, **secrets}
    table = pq.read_table([source / "0.parquet", source / "2.parquet"])
    expected = finalist.hash_rows(table, "blake2b", ["name", "id"], **given).to_list()
    outs = [str(tmp_path / name) for name in ("before", "after")]
    choice = {"columns": ["name", "id"], "keep": ["id"], "name": "d"}
    before = fin.hash_parquet(str(source), outs[0], "blake2b", **choice, **given)
    made = pq.read_table(parts(outs[0]))
    assert made.to_pydict() == {"id": list(range(1000)), "d": expected}
    leaves = merkle.row_hashes(made, "blake2b", **given)
    assert before.root == merkle.range_root(leaves, **given).root(**secrets)
    proof = fin.prove(outs[0], 500, **secrets)
    assert merkle.verify_row(proof, made.slice(500, 1), before.root, **secrets)
    row = made.slice(500, 1).select(["d", "id"])
    assert not merkle.verify_row(proof, row, before.root, **secrets)
    assert merkle.verify_row(proof, row, before.root, columns=["id", "d"], **secrets)
    pq.write_table(table.slice(0, 300), source / "2.parquet")
    after = fin.hash_parquet(str(source), outs[1], "blake2b", **choice, **given)
    proof = fin.changes(*outs, **secrets)
    assert changes.verify(proof, before.root, after.root, **secrets)
    turned = {"key": KEY, "salt": b"a person", "person": b"a salt"}
    assert not changes.verify(proof, before.root, after.root, **turned)
    for call in (lambda: fin.prove(outs[0], 0, **turned), lambda: fin.changes(*outs, **turned)):
        with pytest.raises(ValueError, match="do not give the root, or the key is another one"):
            call()


def test_changes(source, tmp_path):
    outs = [str(tmp_path / name) for name in ("before", "after")]
    before = fin.hash_parquet(str(source), outs[0], "blake2s", column="name", key=KEY)
    table = pq.read_table(source / "2.parquet").to_pydict()
    table["name"][99] = "another"
    schema = pa.schema({"id": pa.int32(), "name": pa.string()})
    pq.write_table(pa.table(table, schema), source / "2.parquet", row_group_size=128)
    after = fin.hash_parquet(str(source), outs[1], "blake2s", column="name", key=KEY)
    proof = fin.changes(*outs, key=KEY)
    assert proof.changed == (399,)
    assert changes.verify(proof, before.root, after.root, key=KEY)
    with pytest.raises(ValueError, match="key is another one"):
        fin.changes(*outs, key=b"wrong")


def test_refusals_come_before_the_work(source, tmp_path):
    out = tmp_path / "out"

    def refused(error, match, place=source, **keywords):
        keywords = {"algorithm": "blake2s", "out": str(out), **keywords}
        with pytest.raises(error, match=match) as caught:
            fin.hash_parquet(str(place), **keywords)
        assert not out.exists()
        assert "secret" not in str(caught.value) and caught.value.__cause__ is None

    refused(ValueError, "no column 'nane'; there are: id, name", column="nane")
    refused(ValueError, "no column 'x'", column="name", keep=["x"])
    for wrong in (None, b"digest", 5):
        text = f"^name is a string, not '{type(wrong).__name__}'"
        refused(TypeError, text, column="name", name=wrong)
    refused(ValueError, "no column 'x'", columns=["id", "x"])
    refused(TypeError, r"0.parquet: column 'id': .*int32|column 'id'", column="id", key=b"secret")
    refused(ValueError, "one of the two")
    refused(ValueError, "one of the two", column="name", columns=["id"])
    refused(TypeError, "list of names", columns="name")
    refused(TypeError, "list of names", column="name", keep="id")
    refused(ValueError, "nothing to hash", columns=[])
    refused(ValueError, "two columns 'digest'", column="name", keep=["digest"])
    refused(ValueError, "unsupported|unknown", column="name", algorithm="blake9")
    refused(ValueError, "key", column="name", key=b"secret" * 20)
    refused(ValueError, "64", column="name", algorithm="blake2xs", digest_size=65)
    nowhere = tmp_path / "nosuch"
    refused(FileNotFoundError, f"no file or directory {nowhere}$", place=nowhere, column="name")
    (tmp_path / "empty").mkdir()
    refused(FileNotFoundError, "no Parquet files", place=tmp_path / "empty", column="name")
    with pytest.raises(ValueError, match="different file systems: hash them one by one"):
        fin.hash_parquet([str(source), "mock:///in"], str(out), "blake2s", column="name")
    nested = tmp_path / "nested.parquet"
    pq.write_table(pa.table({"name": ["a"], "list": [[1]]}), nested)
    for sources in ([nested, nested], [source, source / "1.parquet"]):
        with pytest.raises(ValueError, match="the sources name a file twice"):
            fin.hash_parquet(list(map(str, sources)), str(out), "blake2s", column="name")
    for wrong, kind in [(None, "NoneType"), (3, "int"), ([nested, None], "list")]:
        with pytest.raises(TypeError, match=f"a path, a URL or a list of these, not {kind}$"):
            fin.hash_parquet(wrong, str(out), "blake2s", column="name")
    pq.write_table(pa.table({"name": [{"one": "a"}, {"one": "b"}]}), tmp_path / "structs.parquet")
    text = "structs.parquet: column 'name': binary or string .* not Arrow type struct"
    refused(TypeError, text, place=tmp_path / "structs.parquet", column="name")
    with pytest.raises(ValueError, match="source is an empty list"):
        fin.hash_parquet([], str(out), "blake2s", column="name")
    assert fin.hash_parquet(os.fsencode(nested), str(out), "blake2s", column="name").rows == 1


def test_names_that_pyarrow_cannot_open(source, tmp_path):
    out = tmp_path / "out"
    strange = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    os.mkdir(strange)
    for name in ("1.parquet", "\udcff.parquet", "\udcff.other"):
        (pathlib.Path(strange).parent / "in" / "more").mkdir(exist_ok=True)
        (tmp_path / "in" / "more" / name).write_bytes((source / "0.parquet").read_bytes())
    for place, output in [
        (source, strange + "/out"),
        (strange, out),
        (source, out),
        (source / "more" / "\udcff.parquet", out),
        (source, f"{out}\0"),
        (f"{source}\0", out),
        (f"file://{source}%00", out),
        (source, f"{out}\ud800"),
        (source, f"{out}\udfff"),
    ]:
        with pytest.raises(ValueError, match=r"\\(ud.{3}|x00).*: pyarrow opens only names"):
            fin.hash_parquet(str(place), str(output), "blake2s", column="name")
    assert not out.exists() and not os.listdir(strange)
    (source / "more" / "\udcff.parquet").unlink()
    assert fin.hash_parquet(str(source), str(out), "blake2s", column="name").rows == 1300


def test_a_directory_that_contains_itself(source, tmp_path):
    """Its files would be hashed again and again."""
    (source / "more" / "deep").mkdir(parents=True)
    for target in (".", "..", source):
        (source / "more" / "deep" / "loop").symlink_to(target)
        with pytest.raises(ValueError, match="loop leads back to a directory above it"):
            fin.hash_parquet(str(source), str(tmp_path / "out"), "blake2s", column="name")
        (source / "more" / "deep" / "loop").unlink()
    (source / "_hidden").symlink_to(".")
    (source / "loop.parquet").symlink_to("loop.parquet")
    out = str(tmp_path / "out")
    assert fin.hash_parquet(str(source), out, "blake2s", column="name").rows == 1000


def test_nested_columns_are_hashed(tmp_path):
    table = pa.table({"name": ["a", "b"], "list": [[1], None]})
    pq.write_table(table, tmp_path / "nested.parquet")
    out = tmp_path / "out"
    columns = ["name", "list"]
    fin.hash_parquet(str(tmp_path / "nested.parquet"), str(out), "blake2s", columns=columns)
    digests = finalist.hash_rows(table, "blake2s").to_list()
    assert pq.read_table(out)["digest"].to_pylist() == digests
    kept = tmp_path / "kept"
    fin.hash_parquet(
        str(tmp_path / "nested.parquet"), str(kept), "blake2s", column="name", keep=["list"]
    )
    assert pq.read_table(kept)["list"].to_pylist() == [[1], None]


def test_outputs_are_not_overwritten_unasked(source, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "precious").write_text("data")
    with pytest.raises(FileExistsError, match="overwrite=True"):
        fin.hash_parquet(str(source), str(out), "blake2s", column="name")
    assert (out / "precious").read_text() == "data"
    with pytest.raises(FileExistsError, match="is a file"):
        fin.hash_parquet(str(source), str(out / "precious"), "blake2s", column="name")


def test_another_type_in_a_later_file(source, tmp_path):
    pq.write_table(pa.table({"name": [1]}), source / "3.parquet")
    with pytest.raises(TypeError, match="3.parquet: column 'name'"):
        fin.hash_parquet(str(source), str(tmp_path / "out"), "blake2s", column="name")


def test_kept_columns_have_the_types_of_the_first_file_that_can_be_read(source, tmp_path):
    (source / "0.parquet").write_bytes(b"PAR1 and nothing of the kind PAR1")
    pq.write_table(pa.table({"id": ["x"], "name": ["y"]}), source / "3.parquet")
    refused = "3.parquet: column 'id' is string, in .*1.parquet it is int32"
    with pytest.raises(TypeError, match=refused):
        fin.hash_parquet(
            str(source), str(tmp_path / "out"), "blake2s", column="name", keep=["id"]
        )


def planned(source, tmp_path, plan_class=_parts.Plan):
    """Returns a plan and its parts, before any is hashed."""
    hashing = Hashing.of("blake2s", key=KEY)
    choice = {"column": "name", "columns": None, "keep": [], "name": "digest", "numbers": "exact"}
    out = str(tmp_path / "out")
    plan, paths = _parts.plan_of(str(source), out, hashing, **choice, root=True, overwrite=False)
    fields = {field.name: getattr(plan, field.name) for field in dataclasses.fields(plan)}
    plan = plan_class(**fields)
    os.mkdir(plan.out)
    return plan, _parts.tasks([_parts.footer(plan, path) for path in paths])


def finished(plan, tasks):
    """Hashes the parts. Returns the result and the statuses by file name."""
    with pytest.raises(fin.Incomplete) as caught:
        _parts.finish(plan, tasks, [_parts.hash_part(plan, task) for task in tasks])
    result = caught.value.result
    assert result.root is None and not pathlib.Path(plan.out, "_SUCCESS").exists()
    assert KEY.decode() not in str(caught.value) and KEY.decode() not in repr(plan)
    rows = result.parts.to_pylist()
    assert [row["number"] for row in rows] == list(range(len(tasks)))
    assert result.rows == sum(row["count"] for row in rows if row["status"] == "ok")
    done = [pathlib.Path(path) for path in parts(plan.out)]
    assert result.rows == sum(pq.read_metadata(path).num_rows for path in done)
    assert len(list(pathlib.Path(plan.out).iterdir())) == len(done) + 1
    return result, {(pathlib.Path(row["path"]).name, row["status"]) for row in rows}


def test_a_file_that_vanishes(source, tmp_path):
    plan, tasks = planned(source, tmp_path)
    (source / "2.parquet").unlink()
    _, statuses = finished(plan, tasks)
    assert statuses == {("0.parquet", "ok"), ("1.parquet", "ok"), ("2.parquet", "vanished")}


def test_objects_of_a_store_that_vanish_or_change(source, tmp_path):
    plan, _ = planned(source, tmp_path)
    plan = dataclasses.replace(plan, source=fs.SubTreeFileSystem(str(source), plan.source))
    tasks = _parts.tasks([_parts.footer(plan, f"{number}.parquet") for number in range(3)])
    os.utime(source / "0.parquet", ns=(1, 1))  # A store tells size and time.
    (source / "2.parquet").unlink()
    _, statuses = finished(plan, tasks)
    assert statuses == {("0.parquet", "changed"), ("1.parquet", "ok"), ("2.parquet", "vanished")}


def test_an_output_is_marked_as_complete_at_last(source, tmp_path, monkeypatch):
    names, written = [], _places.written

    def noted(target, path):
        names.append(os.path.basename(path))
        return written(target, path)

    monkeypatch.setattr(_places, "written", noted)
    fin.hash_parquet(str(source), str(tmp_path / "out"), "blake2s", column="name")
    assert [name[:5] for name in names] == ["part-"] * (len(names) - 2) + ["_part", "_SUCC"]


@pytest.mark.parametrize(("name", "count", "more"), [("1", 1, ""), ("0", 2, ", and 1 more")])
def test_the_error_has_the_first_failure_and_the_number_of_the_others(
    source, tmp_path, name, count, more
):
    plan, tasks = planned(source, tmp_path)
    (source / f"{name}.parquet").unlink()
    with pytest.raises(fin.Incomplete) as caught:
        _parts.finish(plan, tasks, [_parts.hash_part(plan, task) for task in tasks])
    text = str(caught.value)
    assert text.startswith(f"{count} of 6 parts failed: {source}/{name}.parquet: vanished: ")
    assert text.endswith(f"/{name}.parquet'{more}")


def test_files_that_cannot_be_read(source, tmp_path):
    (source / "0.parquet").write_bytes(b"PAR1 and nothing of the kind PAR1")
    content = bytearray((source / "2.parquet").read_bytes())
    content[4:2000] = bytes(1996)
    (source / "2.parquet").write_bytes(content)
    plan, tasks = planned(source, tmp_path)
    _, statuses = finished(plan, tasks)
    assert {("0.parquet", "unreadable"), ("1.parquet", "ok")} <= statuses
    assert ("2.parquet", "unreadable") in statuses


def test_a_page_that_is_not_that_of_its_checksum(source, tmp_path):
    plain = {"compression": "none", "use_dictionary": False, "write_statistics": False}
    for place in (source / "1.parquet", source / "2.parquet"):
        pq.write_table(pq.read_table(place), place, write_page_checksum=True, **plain)
    content = bytearray((source / "2.parquet").read_bytes())
    content[content.index(b"name 500")] ^= 1
    (source / "2.parquet").write_bytes(content)
    plan, tasks = planned(source, tmp_path)
    _, statuses = finished(plan, tasks)
    assert statuses == {("0.parquet", "ok"), ("1.parquet", "ok"), ("2.parquet", "unreadable")}


@pytest.mark.parametrize("other", [{"id": [1], "name": ["x"]}, {"other": [1]}])
def test_a_file_that_changes_before_it_is_read(source, tmp_path, other):
    plan, tasks = planned(source, tmp_path)
    pq.write_table(pa.table(other), source / "0.parquet")
    _, statuses = finished(plan, tasks)
    assert ("0.parquet", "changed") in statuses and ("2.parquet", "ok") in statuses


def test_a_file_that_changes_while_its_footer_is_read(source, tmp_path, monkeypatch):
    """Its state is from before: it belongs to the row groups that are planned, or to older ones."""

    class Changed(pq.ParquetFile):
        def __init__(self, path, **options):
            super().__init__(path, **options)
            if path.endswith("2.parquet"):
                with open(path, "ab") as file:
                    file.write(b"x")

    def footer(plan, path, footer=_parts.footer):
        with monkeypatch.context() as patch:
            patch.setattr(pq, "ParquetFile", Changed)
            return footer(plan, path)

    monkeypatch.setattr(_parts, "footer", footer)
    plan, tasks = planned(source, tmp_path)
    _, statuses = finished(plan, tasks)
    assert statuses == {("0.parquet", "ok"), ("1.parquet", "ok"), ("2.parquet", "changed")}


def test_a_file_that_changes_as_it_is_opened(source, tmp_path, monkeypatch):
    plan, tasks = planned(source, tmp_path)
    check = _parts._check_unchanged
    checks = iter([lambda *_: None])
    monkeypatch.setattr(_parts, "_check_unchanged", lambda *given: next(checks, check)(*given))
    pq.write_table(pa.table({"other": [1]}), source / "0.parquet")
    assert _parts.hash_part(plan, tasks[0])["status"] == "changed"


class Meddling(_parts.Plan):
    """Writes to the file while it is read."""

    def digests(self, batch):
        if batch.num_rows:
            with open(self.source_file, "ab") as file:
                file.write(b"x")
        return super().digests(batch)


def test_a_file_that_changes_while_it_is_read(source, tmp_path):
    Meddling.source_file = str(source / "0.parquet")
    plan, tasks = planned(source, tmp_path, Meddling)
    _, statuses = finished(plan, tasks)
    assert statuses == {("0.parquet", "changed"), ("1.parquet", "ok"), ("2.parquet", "ok")}


class Breaking(Meddling):
    """Writes to the file, which then cannot be read."""

    def digests(self, batch):
        made = super().digests(batch)
        if batch.num_rows:
            raise OSError("the end is missing")
        return made


def test_a_changed_file_that_cannot_be_read_has_changed(source, tmp_path):
    Breaking.source_file = str(source / "0.parquet")
    plan, tasks = planned(source, tmp_path, Breaking)
    result, statuses = finished(plan, tasks)
    expected = {("0.parquet", "changed"), ("1.parquet", "ok"), ("2.parquet", "unreadable")}
    assert statuses == expected
    errors = {row["status"]: row["error"] for row in result.parts.to_pylist()}
    assert errors["changed"].endswith("0.parquet was written to after it was listed")
    assert errors["unreadable"] == "OSError: the end is missing"


def test_a_part_ends_once_it_has_its_rows():
    file = {"path": "a", "groups": [100, 100, 200, 300, 100], "status": "ok", "error": ""}
    assert [part["count"] for part in _parts.tasks([file])] == [200, 200, 300, 100]


def test_how_many_rows_a_part_has(monkeypatch):
    """At least 2^20, and more if there were more than 100,000 parts."""
    monkeypatch.undo()

    def counts(groups):
        file = {"path": "0.parquet", "groups": groups, "status": "ok", "error": ""}
        return [part["count"] for part in _parts.tasks([file])]

    assert counts([(1 << 20) - 1, 1, 5]) == [1 << 20, 5]
    rows = 1 << 21
    assert counts([rows - 12, 12, 100_000 * rows - rows])[0] == rows


def test_a_part_with_other_rows_than_the_footer_said(source, tmp_path):
    plan, tasks = planned(source, tmp_path)
    made = _parts.hash_part(plan, {**tasks[0], "count": 257})
    assert (made["status"], made["nodes"]) == ("unreadable", b"")
    assert made["error"] == "OSError: 256 rows where there were 257"
    assert not os.listdir(plan.out)


def test_attempts_leave_the_same_bytes(source, tmp_path):
    plan, tasks = planned(source, tmp_path)
    results = [_parts.hash_part(plan, task) for task in tasks]
    once = [pathlib.Path(path).read_bytes() for path in parts(plan.out)]
    pathlib.Path(plan.out, ".part-00000000.of-an-attempt-that-died").write_bytes(b"half")
    again = [_parts.hash_part(plan, task) for task in tasks]
    assert again == results
    assert [pathlib.Path(path).read_bytes() for path in parts(plan.out)] == once
    for wrong in (results[1:], [*results, results[0]]):
        with pytest.raises(RuntimeError, match="lost a part's result, or gave one twice"):
            _parts.finish(plan, tasks, wrong)
    _parts.finish(plan, tasks, results[::-1])
    assert not list(pathlib.Path(plan.out).glob(".*"))


@pytest.mark.parametrize("resume", ["before the end", "after the end"])
def test_a_second_attempt_beside_the_first(source, tmp_path, resume):
    """Some engines do not wait for slow workers: the first attempt halts in the middle, the second
    one ends, then the first continues."""
    plan, tasks = planned(source, tmp_path)
    slow = multiprocessing.get_context("spawn").Process(target=stopping, args=(plan, tasks[0]))
    slow.start()
    try:
        _, status = os.waitpid(slow.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        out = pathlib.Path(plan.out)
        (begun,) = out.glob(f"{_parts.TEMPORARY}*")
        results = [_parts.hash_part(plan, task) for task in tasks]
        once = [pathlib.Path(path).read_bytes() for path in parts(plan.out)]
        assert begun.exists()
        if resume == "before the end":
            resumed(slow, 0)
        result = _parts.finish(plan, tasks, results)
        assert result.rows == 1000
        if resume == "after the end":
            # Its file was removed; it must not write another one with the same name.
            resumed(slow, 1)
        assert [pathlib.Path(path).read_bytes() for path in parts(plan.out)] == once
        assert not list(out.glob(".*"))
    finally:
        slow.kill()


def resumed(process, exitcode):
    os.kill(process.pid, signal.SIGCONT)
    process.join()
    assert process.exitcode == exitcode


class Stopping(_parts.Plan):
    """Stops its process before its third batch."""

    def digests(self, batch):
        batches.append(batch)
        if len(batches) == 4:  # The first one is empty and only has the schema.
            os.kill(os.getpid(), signal.SIGSTOP)
        return super().digests(batch)


batches = []


def stopping(plan, task):
    _parts.BATCH_ROWS = 50  # The value that short_parts sets in the tests' process.
    fields = {field.name: getattr(plan, field.name) for field in dataclasses.fields(plan)}
    _parts.hash_part(Stopping(**fields), task)
