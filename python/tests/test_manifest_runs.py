# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the class Manifest: update, interrupted runs, progress, duplicates, proofs, and damaged
files that claim more memory than exists."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

import pytest
from finalist import manifest
from finalist.manifest import Difference, Manifest, ManifestError

KEY = {"key": b"key"}


@pytest.fixture
def files(tmp_path):
    root = tmp_path / "files"
    root.mkdir()
    for number in range(300):
        (root / f"{number:03d}").write_bytes(b"%d" % (number % 290))
    return root


@pytest.mark.parametrize("name", ["M.list", "M.parquet"])
@pytest.mark.parametrize("secrets", [{}, KEY])
def test_update(tmp_path, files, name, secrets):
    old = Manifest.create(files, tmp_path / name, "blake2s", **secrets)
    (files / "007").write_bytes(b"changed")
    (files / "008").unlink()
    (files / "new").write_bytes(b"")
    told = []
    new = old.update(files, tmp_path / f"new.{name}", progress=told.append)
    again = Manifest.create(files, tmp_path / f"again.{name}", "blake2s", **secrets)
    assert (new.root, new.count, new.algorithm) == (again.root, 300, "blake2s")
    assert pathlib.Path(new.place).read_bytes() == pathlib.Path(again.place).read_bytes()
    kinds = [("changed", b"007"), ("removed", b"008"), ("added", b"new")]
    kinds = [Difference(kind, path) for kind, path in kinds]
    assert old.diff(new) == kinds
    # A list has no times by which to skip files.
    assert told[-1].files_found == (2 if name == "M.parquet" else 300)
    # update may replace the file of an open manifest.
    assert old.update(files).root == new.root == manifest.read(old.place, **secrets).root
    assert old.diff(new) == kinds
    assert old.verify(files) == kinds


def test_update_of_a_link_updates_what_it_leads_to(tmp_path, files):
    made = Manifest.create(files, tmp_path / "M.parquet")
    link = tmp_path / "link"
    link.symlink_to("M.parquet")
    (files / "new").write_bytes(b"")
    new = manifest.read(link).update(files).update(files)
    assert link.is_symlink() and new.place == str(link)
    assert new.root == manifest.read(made.place).root != made.root
    store = pytest.importorskip("fsspec").filesystem("memory")
    store.pipe("/linked/a", b"a")
    manifest.create("memory://linked", tmp_path / "M.parquet")
    store.pipe("/linked/b", b"b")
    new = manifest.read(link).update("memory://linked")
    assert link.is_symlink() and manifest.read(made.place).root == new.root
    assert new.count == 2
    for place in (files, "memory://linked"):
        other = tmp_path / "other"
        other.unlink(missing_ok=True)
        other.symlink_to("M.parquet")
        manifest.read(link).update(place, link)
        manifest.read(link).update(place, other)
        assert link.is_symlink() and not other.is_symlink()


def test_other_content_of_the_same_size_and_time_is_corrupt(tmp_path, files):
    made = Manifest.create(files, tmp_path / "M.parquet")
    state = (files / "009").stat()
    (files / "009").write_bytes(b"8")
    os.utime(files / "009", ns=(state.st_atime_ns, state.st_mtime_ns))
    assert made.verify(files) == [Difference("corrupt", b"009")]


SLOW = """
import sys
from finalist.manifest import Manifest
Manifest.create(sys.argv[1], sys.argv[2], threads=int(sys.argv[3]), progress=lambda told: print(
    told.bytes_hashed, flush=True))
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_run_goes_on(tmp_path, files, threads):
    with open(files / "zz", "wb") as long:
        long.truncate(40 << 30)
    place = tmp_path / "M.list"
    command = [sys.executable, "-c", SLOW, files, place, str(threads)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        while int(run.stdout.readline()) < 100 << 20:
            pass
        run.send_signal(signal.SIGINT)
        _, error = run.communicate(timeout=20)
    assert run.returncode != 0 and b"KeyboardInterrupt" in error
    assert sorted(os.listdir(tmp_path)) == ["M.list.journal", "files"]
    with pytest.raises(ManifestError, match="an unfinished run over other files or with other"):
        Manifest.create(files, place, "blake2s")
    with open(files / "zz", "wb") as long:
        long.truncate(1 << 20)
    told = []
    made = Manifest.create(files, place, threads=threads, progress=told.append)
    assert told[-1].files_found == 1  # The journal has the other files.
    assert made.root == Manifest.create(files, tmp_path / "again.list").root
    assert not (tmp_path / "M.list.journal").exists()


def test_progress_and_its_errors(tmp_path, files):
    told = []
    made = Manifest.create(files, tmp_path / "M.list", progress=told.append)
    last = told[-1]
    size = sum(path.stat().st_size for path in files.iterdir())
    assert last[:4] == (300, 300, size, size)
    assert last.path.startswith(os.fsencode(files))
    thread = []
    made.verify(files, progress=lambda _: thread.append(threading.get_ident()))
    assert set(thread) == {threading.get_ident()}
    told.clear()
    assert manifest.verify(made.place, files, threads=2, progress=told.append) == []
    assert told[-1][:4] == last[:4]
    with pytest.raises(ValueError, match="threads must be between 1 and 1024"):
        manifest.verify(made.place, files, threads=0)

    def fail(_):
        raise LookupError("enough")

    with open(files / "long", "wb") as long:
        long.truncate(1 << 40)
    for call in (
        lambda: Manifest.create(files, tmp_path / "N.list", progress=fail),
        lambda: made.update(files, tmp_path / "N.list", progress=fail),
        lambda: made.verify(files, threads=2, progress=fail),
    ):
        with pytest.raises(LookupError, match="enough"):
            call()
        # The stopped run has released its files, so that the next one can continue at once.
        assert sorted(os.listdir(tmp_path)) in (
            ["M.list", "N.list.journal", "files"], ["M.list", "files"]
        )
        (tmp_path / "N.list.journal").unlink(missing_ok=True)


def test_duplicates(tmp_path, files):
    made = Manifest.create(files, tmp_path / "M.list", "blake2s")
    groups = made.duplicates()
    assert len(groups) == 10 and all(len(group.paths) == 2 for group in groups)
    assert groups[0].paths == (b"000", b"290") and groups[0].wasted == 1
    (files / "other").write_bytes(b"289")
    other = Manifest.create(files, tmp_path / "N.list", "blake2s")
    shared = {group.digest: group for group in made.duplicates(other)}
    [row] = [row for row in other.rows() if row.path == b"other"]
    assert shared[row.digest].paths == (b"289",)
    assert shared[row.digest].others == (b"289", b"other")
    assert shared[row.digest].wasted == 2 * len(b"289")
    with pytest.raises(ManifestError, match="differ in algorithm"):
        made.duplicates(Manifest.create(files, tmp_path / "O.list", "blake2b"))


@pytest.mark.parametrize("secrets", [{}, KEY])
def test_proofs(tmp_path, files, secrets):
    made = Manifest.create(files, tmp_path / "M.parquet", **secrets)
    proof = made.prove(b"042")
    row = manifest.verify_proof(proof, made.root, **secrets)
    assert (row.path, row.size, row.status) == (b"042", 2, "ok")
    assert manifest.verify_proof(proof.encode(), made.root, **secrets) == row
    with pytest.raises(ManifestError, match="the proof is of the root"):
        manifest.verify_proof(proof, bytes(64), **secrets)
    with pytest.raises(ManifestError, match="no row"):
        made.prove(b"none")
    members = json.loads(proof)
    members["row"]["size"] = 3
    with pytest.raises(ManifestError, match="is of the root"):
        manifest.verify_proof(json.dumps(members), made.root, **secrets)
    for wrong in ("", "[]", proof[:-1]):
        with pytest.raises(ManifestError, match="not a proof"):
            manifest.verify_proof(wrong, made.root, **secrets)


def test_a_claim_of_more_memory_than_there_is(tmp_path, files):
    """The encoding claims a number of paths, whose lengths are decoded at once."""
    place = tmp_path / "M.parquet"
    Manifest.create(files, place)
    content = place.read_bytes()
    # 128 values a block, 4 parts of it, 300 values, the first of which is 0: of the prefixes.
    start = b"\x80\x01\x04\xac\x02\x00"
    assert content.count(start) == 1
    place.write_bytes(content.replace(start, b"\x80\x01\x04\xff\x7f\x00"))
    with pytest.raises(ManifestError):
        manifest.read(place)
    damaged = bytearray(content)
    at = content.index(start)
    damaged[at : at + 12] = b"\x80\x01\x04" + b"\xff" * 7 + b"\x0f\x00"
    place.write_bytes(damaged)
    with pytest.raises(ManifestError, match="damaged|Parquet"):
        manifest.read(place)
    place.write_bytes(content)
    assert manifest.read(place).count == 300
