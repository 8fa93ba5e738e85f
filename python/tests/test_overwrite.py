# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests that finalist.parquet.hash_parquet loses no source and no old output."""

import errno
import os
import pathlib
import signal
import subprocess
import sys
import time
from unittest import mock

import finalist.parquet as fin
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist import _parts, _places

UNASKED = "overwrite=True replaces what it holds"


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "data" / "in"
    folder.mkdir(parents=True)
    for number in range(3):
        names = [f"{number} {row}" for row in range(1000)]
        pq.write_table(pa.table({"name": names}), folder / f"{number}.parquet")
    return folder


def contents(folder):
    """Returns everything below a directory, without following links."""
    paths = sorted(pathlib.Path(folder).rglob("*"))
    return {
        str(path): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in paths
        if path.is_symlink() or path.is_file()
    }


def with_tests():
    """Returns the environment of a process that can import this file."""
    paths = [str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run(source, out, **keywords):
    keywords = {"column": "name", "overwrite": True, **keywords}
    return fin.hash_parquet(source, str(out), "blake2s", **keywords)


@pytest.mark.skipif(os.name == "nt", reason="it has no modes")
def test_a_new_output_is_its_owners_until_it_has_the_mode_of_the_old_one(
    source, tmp_path, monkeypatch
):
    out = tmp_path / "out"
    run(str(source), out)
    out.chmod(0o751)
    modes, chmod = [], os.chmod

    def noted(place, mode):
        if os.path.isdir(place):
            modes.append((os.stat(place).st_mode & 0o777, mode))
        chmod(place, mode)

    monkeypatch.setattr(os, "chmod", noted)
    run(str(source), out)
    assert modes == [(0o700, 0o751)]


@pytest.mark.skipif(os.name == "nt", reason="it has no modes")
@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
def test_files_have_the_mode_of_new_ones_once_they_are_complete(tmp_path, mask, monkeypatch):
    """Asking for the mask sets one for a moment: files of other threads are then their owners'."""
    set_, umask = [], os.umask

    def mode():
        [place] = tmp_path.iterdir()
        return place.stat().st_mode & 0o777

    before = umask(mask)
    try:
        monkeypatch.setattr(os, "umask", lambda value: set_.append(value) or umask(value))
        with _places.written_locally(str(tmp_path), "file") as file:
            file.write(b"content")
            assert mode() == 0o600
    finally:
        assert umask(before) == mask
    assert set_ == [0o077, mask]
    assert mode() == 0o666 & ~mask


@pytest.mark.parametrize("overwrite", [True, False])
def test_overlaps_are_refused_before_anything_is_touched(source, tmp_path, overwrite, monkeypatch):
    one = source / "0.parquet"
    (tmp_path / "link").symlink_to(source)
    (tmp_path / "above").symlink_to(tmp_path)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "0.parquet").symlink_to(one)
    for name, target in {"to": source, "above-it": source.parent, "into": source / "deep"}.items():
        (tmp_path / "folders" / name).mkdir(parents=True)
        (tmp_path / "folders" / name / "folder").symlink_to(target)
    (source / "deep" / "er").mkdir(parents=True)
    (source / "deep" / "er" / "3.parquet").write_bytes(one.read_bytes())
    monkeypatch.chdir(source)
    before = contents(tmp_path)
    for given, out in [
        (source, source),
        (source, source.parent),
        (source, tmp_path),
        (source, "/"),
        (source, source / "out"),
        (source, "."),
        (source, ".."),
        (source, f"{source}/x/../"),
        (source, f"file://{source}"),
        (source, f"fsspec+file://{source}"),
        (source, f"file://{source}/out?endpoint_override=x"),
        (f"file://{source}?endpoint_override=x", source / "out"),
        (f"file://{source}", source.parent),
        (source, tmp_path / "link"),
        (tmp_path / "link", source),
        (tmp_path / "link", source.parent),
        (source, tmp_path / "above" / "data"),
        (tmp_path / "above" / "data" / "in", tmp_path / "data"),
        (one, source),
        (one, source.parent),
        (tmp_path / "linked" / "0.parquet", source),
        (tmp_path / "linked", source),
        (tmp_path / "folders" / "to", source),
        (tmp_path / "folders" / "to", source.parent),
        (tmp_path / "folders" / "above-it", source),
        (tmp_path / "folders" / "into", source),
        (tmp_path / "folders" / "into", source / "deep"),
        (tmp_path / "folders" / "into", source / "deep" / "er"),
        (tmp_path / "folders", source),
        (tmp_path / "folders" / "into" / "folder" / "er" / "3.parquet", source),
        ([str(one), str(source / "1.parquet")], source),
        ([str(tmp_path / "linked"), str(source / "1.parquet")], tmp_path / "linked"),
        ("0.parquet", source),
    ]:
        given = given if isinstance(given, list) else str(given)
        with pytest.raises(ValueError, match="overlap|a link that leads to the output"):
            run(given, out, overwrite=overwrite)
        assert contents(tmp_path) == before, (given, out)
    assert run(str(source), tmp_path / "data" / "in-out").rows == 4000
    assert run(str(one), source / "out", overwrite=overwrite).rows == 1000


@pytest.mark.skipif(not os.path.exists("/proc/self/ns/mnt"), reason="needs bind mounts of Linux")
@pytest.mark.parametrize("way", ["is", "below", "within"])
def test_a_directory_mounted_twice_is_one(source, tmp_path, way):
    """The output is a mount of the source, or the source contains a mount of the output or of a
    directory around it."""
    below = way != "is"
    place = tmp_path / "other" / "mounted" if below else tmp_path / "mounted"
    place.mkdir(parents=True)
    given, out = (place.parent, source.parent) if below else (source, place)
    out = out / "new" if way == "within" else out
    code = f"import test_overwrite as t; t.run({str(given)!r}, {str(out)!r})"
    script = f'mount --bind "{source.parent}" "{place}" && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", script, "sh", sys.executable, "-c", code]
    before = contents(source)
    environment = with_tests()
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if "mount" in done.stderr and "Traceback" not in done.stderr:
        pytest.skip("this user may not mount")
    assert ("is the output" if below else "overlap") in done.stderr, done.stderr
    assert contents(source) == before and not (source.parent / "new").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="needs file systems with known numbers")
def test_numbers_of_files_are_those_of_a_device():
    assert os.stat("/proc").st_ino == os.stat("/sys").st_ino
    assert _places.identity("/proc") != _places.identity("/sys")
    assert _places.identity("/proc") == _places.identity("/proc/../proc")


def test_a_directory_with_directories_is_no_output(source, tmp_path):
    """One of them could be the source, mounted elsewhere."""
    out = tmp_path / "out"
    run(str(source), out)
    (out / "below").mkdir()
    before = contents(tmp_path)
    with pytest.raises(FileExistsError, match="out is no output.*: remove .*below first"):
        run(str(source), out)
    assert contents(tmp_path) == before
    (out / "below").rmdir()
    (out / "below").symlink_to(source)
    with pytest.raises(FileExistsError, match="out is no output.*: remove .*below first"):
        run(str(source), out)
    (out / "below").unlink()
    assert contents(tmp_path) == {
        path: content for path, content in before.items() if "below" not in path
    }
    run(str(source), out)


@pytest.mark.parametrize("name", ["a\nb\x1b[2J\u202e", "x" * 250])
def test_names_of_outputs_in_messages(source, tmp_path, name, monkeypatch):
    """They are on one line of bounded length and leave a terminal as it is."""
    out, texts = tmp_path / name, []

    def refused():
        with pytest.raises((OSError, ValueError)) as caught:
            run(str(source), out, overwrite=bool(texts))
        texts.append(str(caught.value))

    run(str(source), out)
    refused()
    (out / "below").mkdir()
    refused()
    (out / "below").rmdir()
    with monkeypatch.context() as patch:
        patch.setattr(os.path, "ismount", lambda path: True)
        refused()
    with _places._alone(str(out)):
        refused()
    run(str(source), out)
    (out / "_SUCCESS").rename(tmp_path / "file")
    for path in out.iterdir():
        path.unlink()
    out.rmdir()
    (tmp_path / "file").rename(out)
    refused()
    starts = ["is not empty", "is no output", "is a mount point", "another run writes", "is a file"]
    for text, start in zip(texts, starts, strict=True):
        assert start in text and text.isprintable() and len(text) < 500, text


@pytest.mark.skipif(os.name == "nt", reason="Windows locks no directories")
def test_a_directory_that_cannot_be_locked_is_written_all_the_same(source, tmp_path, monkeypatch):
    """Some network file systems lock none."""

    def flock(descriptor, operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(_places.fcntl, "flock", flock)
    for _ in range(2):
        assert run(str(source), tmp_path / "out").rows == 3000


def test_prefixes_of_stores():
    from finalist import _places

    for source, out in [
        ("s3://bucket/a", "s3://bucket/a"),
        ("s3://bucket/a/", "s3://bucket/a"),
        ("s3://bucket/a/b.parquet", "s3://bucket/a"),
        ("s3://bucket/a", "s3://bucket"),
        ("s3://bucket/a", "s3://bucket/a/b"),
        ("s3://bucket//a/./b/../", "s3://bucket/a/c"),
        ("s3://key:secret@bucket/a", "s3://bucket/a?region=eu-west-1"),
        ("fsspec+s3://bucket/a", "S3://bucket/a"),
        ("s3a://bucket/%61", "s3://bucket/a"),
        ("gs://bucket/a", "gcs://anonymous@bucket/a"),
        ("abfs://files@account.dfs.core.windows.net/a", "abfss://files/a/b"),
        ("abfs://files@account.dfs.core.windows.net/a", "abfs://account.dfs.core.windows.net"),
        ("abfs://account.blob.core.windows.net/files/a", "abfs://account:key@files/a/b"),
        ("abfs://:key@account.blob.core.windows.net/files/a", "fsspec+az://files/a"),
        ("az://files@account.blob.core.windows.net/a", "abfss://files:key@account.dfs.net/a"),
        ("abfs://account@127.0.0.1:10000/files/a", "abfs://localhost:10000/files/a"),
        ("hdfs://one:8020/a", "hdfs:///a/b"),
        ("hdfs:///a", "hdfs://one:8020/"),
        ("viewfs://cluster/a", "hdfs://one:8020/a/b"),
        ("fsspec+memory://a", "fsspec+memory:///a/b"),
    ]:
        for pair in ((source, out), (out, source)):
            with pytest.raises(ValueError, match="overlap"):
                _places.check_apart(["/elsewhere", pair[0]], [], pair[1])
    assert _places.filesystem_of("mock:///bucket/a/")[1] == "bucket/a"
    for source, out in [
        ("s3://bucket/a", "s3://bucket/ab"),
        ("s3://bucket/a", "s3://other/a"),
        ("s3://bucket/a", "gs://bucket/a"),
        ("s3://bucket/a", "/bucket/a"),
        ("abfs://account.blob.core.windows.net/files/a", "az://files/b"),
        ("abfs://account@files/a", "abfs://account@other/a"),
        ("s3://bucket/a?endpoint_override=one:9000", "s3://bucket/a?endpoint_override=two:9000"),
    ]:
        _places.check_apart([source], [], out)


def test_an_output_is_replaced_as_a_whole(source, tmp_path, monkeypatch):
    from finalist import _places

    out = tmp_path / "out"
    (tmp_path / "link").symlink_to(out)
    out.mkdir(0o750)
    (out / "precious").write_text("data")
    result = run(str(source), tmp_path / "link")
    assert result.out == str(out) and result.rows == 3000 and (tmp_path / "link").is_symlink()
    assert not (out / "precious").exists() and (out / "_SUCCESS").exists()
    assert out.stat().st_mode & 0o777 == 0o750
    monkeypatch.setattr(_places, "_exchange", lambda a, b: False)
    old = contents(out)
    assert run(str(source), out, digest_size=16).rows == 3000
    assert contents(out) != old and contents(out).keys() == old.keys()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "link", "out"]


def test_a_new_output_is_a_directory_like_any_other(source, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "empty").mkdir(0o750)
    for name in ("new/out", "empty"):
        assert run(str(source), tmp_path / name).out == str(tmp_path / name)
    modes = {(tmp_path / name).stat().st_mode for name in ("other", "new", "new/out")}
    assert len(modes) == 1 and (tmp_path / "empty").stat().st_mode & 0o777 == 0o750


def test_links_that_lead_elsewhere(source, tmp_path):
    (tmp_path / "links").mkdir()
    for path in source.iterdir():
        (tmp_path / "links" / path.name).symlink_to(path)
    out = tmp_path / "out"
    assert run(str(tmp_path / "links"), out).rows == run(str(tmp_path / "links"), out).rows == 3000
    (tmp_path / "twice" / "below").mkdir(parents=True)
    for name in ("a", "b", "below/c"):  # Each of them is there, as it is for engines.
        (tmp_path / "twice" / name).symlink_to(source)
    assert run(str(tmp_path / "twice"), out).rows == 9000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems rename twice")
def test_two_names_are_exchanged_at_once(tmp_path):
    from finalist import _places

    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"of {name}").touch()
    assert _places._exchange(str(tmp_path / "a"), str(tmp_path / "b"))
    assert (tmp_path / "a" / "of b").exists() and (tmp_path / "b" / "of a").exists()
    assert not _places._exchange(str(tmp_path / "a"), str(tmp_path / "none"))


def test_a_local_output_is_exchanged_and_its_names_are_flushed(source, tmp_path, monkeypatch):
    from finalist import _places

    out, done = tmp_path / "out", []

    def exchange(a, b, exchange=_places._exchange):
        done.append("exchanged")
        return exchange(a, b)

    run(str(source), out)
    monkeypatch.setattr(_places, "_exchange", exchange)
    monkeypatch.setattr(_places, "sync_folder", done.append)
    monkeypatch.setattr(_places.shutil, "rmtree", lambda path: done.append("removed"))
    run(str(source), out)
    assert done[-3:] == ["exchanged", str(tmp_path), "removed"]


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot flush a directory")
def test_a_file_and_its_name_are_flushed_to_disk(tmp_path, monkeypatch):
    from finalist import _places

    flushed = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor)))
    with _places.written_locally(str(tmp_path), "file") as file:
        file.write(b"content")
    names = [tmp_path / "file", tmp_path]
    assert [one.st_ino for one in flushed] == [name.stat().st_ino for name in names]
    assert flushed[0].st_size == 7
    assert flushed[0].st_mode == (tmp_path / "file").stat().st_mode  # The mode is flushed, too.


@pytest.mark.parametrize("letter", ["x", "é", "漢", "\U00020000"])
def test_the_longest_name_of_a_file(tmp_path, letter):
    from finalist import _places

    name = letter * (255 // len(letter.encode()))
    with _places.written_locally(str(tmp_path), name) as file:
        file.write(b"content")
    assert [found.name for found in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("letters", ["x" * 218, "x" * 221, "x" * 255, "\U00020000" * 63])
def test_the_longest_name_of_an_output(source, tmp_path, letters):
    """Names beside it are longer, of the new output and of the old one."""
    for size in (16, 32):
        run(str(source), tmp_path / letters, digest_size=size)
        assert sorted(found.name for found in tmp_path.iterdir()) == ["data", letters]
    assert fin.Output(tmp_path / letters).hashing.digest_size == 32


def test_an_output_that_cannot_be_replaced_is_told_with_the_new_one(source, tmp_path, monkeypatch):
    """Such as the mount of a directory of the same file system."""
    from finalist import _places

    out = tmp_path / "out"
    run(str(source), out)
    before = contents(out)

    def busy(a, b):
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(_places, "_exchange", busy)
    match = f"{out} cannot be replaced: .*busy; the new output"
    with pytest.raises(OSError, match=match) as caught:
        run(str(source), out, digest_size=16)
    assert contents(out) == before
    assert (pathlib.Path(str(caught.value).rpartition(" ")[2]) / "_SUCCESS").exists()


@pytest.mark.parametrize("overwrite", [True, False])
@pytest.mark.parametrize("exists", [True, False])
def test_two_runs_do_not_mix_in_an_output(source, tmp_path, monkeypatch, overwrite, exists):
    out, caught = tmp_path / "out", []
    if exists and overwrite:
        run(str(source), out)

    def hash_part(plan, task, hash_part=_parts.hash_part):
        if task["number"] == 1:
            with monkeypatch.context() as patch:
                patch.setattr(_parts, "hash_part", hash_part)
                with pytest.raises(FileExistsError) as error:
                    run(str(source), out, digest_size=8, overwrite=overwrite)
                caught.append(str(error.value))
        return hash_part(plan, task)

    monkeypatch.setattr(_parts, "hash_part", hash_part)
    result = run(str(source), out, digest_size=16, overwrite=overwrite)
    busy = f"another run writes {out}: wait for its end"
    assert caught == [busy if overwrite else f"{out} is not empty; {UNASKED}"]
    assert fin.Output(out).root == result.root
    assert {pq.read_schema(part).field("digest").type for part in out.glob("part-*")} == {
        pa.binary(16)
    }


@pytest.mark.parametrize("overwrite", [True, False])
def test_an_output_that_another_run_wrote_meanwhile(source, tmp_path, monkeypatch, overwrite):
    """Between the check that it is empty and the first part."""
    out = tmp_path / "out"

    def footers(plan, paths, footers=_parts.footers):
        with monkeypatch.context() as patch:
            patch.setattr(_parts, "footers", footers)
            run(str(source), out, overwrite=overwrite)
        return footers(plan, paths)

    monkeypatch.setattr(_parts, "footers", footers)
    with pytest.raises(FileExistsError, match=f"another run wrote {out} meanwhile"):
        run(str(source), out, digest_size=16, overwrite=overwrite)
    assert fin.Output(out).hashing.digest_size == 32


def test_a_full_disk_is_told_with_the_file(tmp_path):
    from finalist import _places

    with pytest.raises(OSError, match="No space left.*part-1") as caught:
        with _places.written_locally(str(tmp_path), "part-1"):
            raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.errno == errno.ENOSPC and not list(tmp_path.iterdir())


def test_an_output_in_hdfs_is_renamed(tmp_path):
    """Its paths are none of this machine, even if this machine has the same ones."""
    from finalist import _places

    new, final = tmp_path / "new", tmp_path / "out"
    for folder in (new, final):
        folder.mkdir()
    target = mock.Mock(type_name="hdfs")
    _places.replace(target, str(new), str(final))
    [moved, renamed, deleted] = target.method_calls
    old = moved.args[1]
    assert moved == mock.call.move(str(final), old)
    assert renamed == mock.call.move(str(new), str(final))
    assert deleted == mock.call.delete_dir(old)
    assert old.startswith(f"{tmp_path}/.out.old-") and not os.path.exists(old)
    assert new.exists() and final.exists()


def test_a_run_that_fails_leaves_the_old_output(source, tmp_path):
    out = tmp_path / "out"
    run(str(source), out)
    before = contents(out)
    (source / "1.parquet").write_bytes(b"PAR1, and no more")
    with pytest.raises(fin.Incomplete, match=f"{out} is as it was") as caught:
        run(str(source), out)
    assert contents(out) == before
    assert "1 of 3 parts failed" in str(caught.value) and "more" not in str(caught.value)
    # The finished parts are kept, too.
    made = pathlib.Path(caught.value.result.out)
    assert made.parent == tmp_path and len(list(made.glob("part-*"))) == 2
    pq.write_table(pa.table({"name": [1]}), source / "1.parquet")
    with pytest.raises(TypeError, match="column 'name'"):
        run(str(source), out)
    assert contents(out) == before
    assert {path.name for path in tmp_path.iterdir()} == {"data", "out", made.name}


def test_an_error_or_an_interrupt_leaves_the_old_output(source, tmp_path, monkeypatch):
    out = tmp_path / "out"
    run(str(source), out)
    before = contents(out)
    for error in (RuntimeError, KeyboardInterrupt):

        def fail(*arguments, error=error):
            raise error("in the middle")

        for step in ("hash_part", "finish"):
            with monkeypatch.context() as patch:
                patch.setattr(_parts, step, fail)
                with pytest.raises(error):
                    run(str(source), out)
            assert contents(out) == before
            assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "out"]


SLOW = """
import sys, time
import test_overwrite as test
from finalist import _parts
hash_part = _parts.hash_part
def slow(plan, task):
    print(task["number"], flush=True)
    time.sleep(0.05)
    return hash_part(plan, task)
_parts.hash_part = slow
test.run(sys.argv[1], sys.argv[2], digest_size=16)
print("done", flush=True)
"""


@pytest.mark.parametrize("delay_ms", [0, 20, 60, 100, 140, 150, 160, 170])
def test_a_killed_run_leaves_the_old_output(source, tmp_path, delay_ms):
    out = tmp_path / "out"
    old = run(str(source), out).root
    before = contents(out)
    environment = with_tests()
    command = [sys.executable, "-c", SLOW, str(source), str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout.readline() == b"0\n"
        time.sleep(delay_ms / 1000)
        process.send_signal(signal.SIGKILL)
        process.wait()
    if contents(out) != before:  # The replacement was complete.
        assert (out / "_SUCCESS").exists()
        assert fin.Output(str(out)).root != old


@pytest.fixture
def memory():
    fsspec = pytest.importorskip("fsspec")
    fs = fsspec.filesystem("memory")
    yield fs
    fs.rm("/", recursive=True)


def objects(fs, folder):
    return {path: fs.cat_file(path) for path in fs.find(folder)}


def test_a_store_has_an_output_whole_at_every_step(source, memory, monkeypatch):
    """Fails at each step of the replacement: either the old output is still whole, or the new one
    is beside it and the final directory is not marked as complete."""
    from pyarrow import fs as arrow_fs

    out = "fsspec+memory:///table"
    run(str(source / "0.parquet"), out)
    memory.pipe_file("/table/of-the-old-one", b"x")
    new = run(str(source), "fsspec+memory:///other")
    whole = {path.removeprefix("/other"): c for path, c in objects(memory, "/other").items()}
    old = objects(memory, "/table")
    handler = arrow_fs.FSSpecHandler
    steps = ("delete_file", "copy_file", "delete_dir")
    for fatal in range(100):
        counter = iter(range(1000))

        def failing(name, counter=counter, fatal=fatal):
            original = getattr(handler, name)

            def call(self, *arguments):
                if next(counter) == fatal:
                    raise OSError("the store is gone")
                return original(self, *arguments)

            return call

        with monkeypatch.context() as patch:
            for name in steps:
                patch.setattr(handler, name, failing(name))
            try:
                result = run(str(source), out)
            except OSError:
                result = None
        found = objects(memory, "/table")
        if result:
            break
        staged = {path.split("/")[2] for path in found if path.startswith("/table/.table.")}
        assert len(staged) <= 1
        beside = {
            path.removeprefix(f"/table/{name}"): content
            for name in staged
            for path, content in found.items()
            if path.startswith(f"/table/{name}/")
        }
        is_old = {path: found.get(path) for path in old} == old
        is_new = {f"/table{path}": c for path, c in whole.items()}.items() <= found.items()
        assert is_old or beside == whole or is_new
        if "/table/_SUCCESS" in found:
            assert is_old or is_new
        memory.rm("/table", recursive=True)
        for path, content in old.items():
            memory.pipe_file(path, content)
    assert fatal > 4 and result.root == new.root
    assert {path.removeprefix("/table"): content for path, content in found.items()} == whole


def test_whatever_a_store_has_is_replaced(source, memory):
    """It has no mark of a complete output, and folders."""
    memory.pipe({"/table/old": b"x", "/table/below/old": b"y"})
    found = []
    for folder in ("/table", "/other"):
        run(str(source), f"fsspec+memory://{folder}")
        made = objects(memory, folder)
        found.append({path.removeprefix(folder): content for path, content in made.items()})
    assert found[0] == found[1] and len(found[0]) == 5


def test_a_mount_point_is_not_replaced(source, tmp_path, memory, monkeypatch):
    """A path in a store may be that of a mount point on this machine."""
    local, stored = tmp_path / "out", "fsspec+memory:///table"
    for out in (local, stored):
        run(str(source), out)
    before = contents(local)
    monkeypatch.setattr(os.path, "ismount", lambda path: True)
    with pytest.raises(OSError, match="out is a mount point, which cannot be replaced"):
        run(str(source), local)
    assert contents(local) == before
    assert run(str(source), stored).rows == 3000


def test_overlaps_in_a_store(source, memory):
    for path in source.iterdir():
        memory.pipe_file(f"/data/in/{path.name}", path.read_bytes())
    before = objects(memory, "/")
    for out in ("fsspec+memory:///data", "fsspec+memory://data/in/", "fsspec+memory:///data/in/x"):
        with pytest.raises(ValueError, match="overlap"):
            run("fsspec+memory:///data/in", out)
        assert objects(memory, "/") == before
    result = run("fsspec+memory:///data/in/", "fsspec+memory:///data/out/")
    assert (result.rows, result.out) == (3000, "/data/out")
    names = {path.rpartition("/")[2] for path in before}
    assert {row["path"] for row in result.parts.to_pylist()} == {f"/data/in/{n}" for n in names}
