# SPDX-License-Identifier: MIT OR Apache-2.0
"""Feeds damaged manifests, proofs, outputs and digests of tables to their readers.

    python python/tests/fuzz.py [SECONDS [SEED]]

Each input is a good one with some bytes changed, omitted, repeated, or taken from another one. The
reader must refuse it with an error of the promised class on one short line, or read the content of
the good one. Prints the seed first, and the input in hexadecimal if a check fails.
"""

import contextlib
import io
import json
import pathlib
import random
import sys
import tempfile
import time
import traceback

import finalist.parquet
import pyarrow as pa
import pyarrow.parquet as pq
from finalist import _parts, changes, manifest, merkle, tables

#: Tokens with a meaning for one of the readers.
TOKENS = [
    b"null", b"true", b"-0", b"1.5", b"1e9", b"NaN", b"[", b"{", b"}", b"]", b'"', b",", b":",
    b"\\u", b"\xe2\x80\xae", b"\0", b"\n", b"\r", b"\\", b"# size ", b"# ", b"(", b") = ", b"..",
    b"/", b"PAR1", b"finalist.", b"\x7f" * 4, b"\xff" * 8, b"9" * 30, b"0", b"\x15", b"\x19",
    b"\x1c", b"\x18",
]  # fmt: skip


def rows_of(place):
    """Returns the content of a valid manifest, read as verify does."""
    names = ("path", "size", "digest", "status")
    opened = manifest.read(place)
    bound = [tuple(getattr(row, name) for name in names) for row in opened.rows()]
    return opened.root, bound


def list_of(place):
    """Returns rows_of and the bytes of a list, since each list has only one form."""
    return rows_of(place), place.read_bytes()


class Target:
    """A reader. seeds: good inputs. read: returns an input's content. error: the allowed errors."""

    def __init__(self, name, seeds, read, error):
        self.name, self.seeds, self.read, self.error = name, seeds, read, error
        self.meanings = [read(seed) for seed in seeds]

    def look(self, content):
        try:
            meaning = self.read(content)
        except Exception as error:
            text = str(error)
            if type(error) is not self.error or len(text) > 1000 or not text.isprintable():
                raise
            return False
        assert meaning in self.meanings, meaning
        return True


def in_file(folder, name, read):
    def read_content(content):
        (folder / name).write_bytes(content)
        return read(folder / name)

    return read_content


def targets(folder):
    files = folder / "files"
    files.mkdir()
    for name in ("a", "b\nc", "d" * 100, "e\\"):
        (files / name).write_bytes(name.encode())
    (files / "x").mkdir()
    (files / "x" / "long").write_bytes(bytes(100_000))
    seeds = {}
    for form in ("list", "parquet"):
        made = []
        for number, parameters in enumerate(({}, {"digest_size": 8, "person": b"\1"})):
            manifest.create(files, folder / f"{number}.{form}", "blake2s", **parameters)
            made.append((folder / f"{number}.{form}").read_bytes())
        seeds[form] = made
    for form, read in {"list": list_of, "parquet": rows_of}.items():
        yield Target(form, seeds[form], in_file(folder, f"M.{form}", read), manifest.ManifestError)
    parts = folder / "parts"
    parts.mkdir()
    (parts / "part-0.parquet").write_bytes(seeds["parquet"][0])
    metadata = pq.ParquetFile(io.BytesIO(seeds["parquet"][0])).metadata.metadata
    members = json.dumps({name.decode(): value.decode() for name, value in metadata.items()})
    yield Target(
        "manifest.json",
        [members.encode()],
        in_file(parts, "manifest.json", lambda _: rows_of(parts)),
        manifest.ManifestError,
    )
    yield from proofs()
    pq.write_table(pa.table({"x": ["a", "b"] * 50}), folder / "in.parquet")
    out = folder / "out"
    finalist.parquet.hash_parquet(str(folder / "in.parquet"), str(out), "blake2s", column="x")

    def output(_):
        made = finalist.parquet.Output(str(out))
        return made.root, made.ranges

    good = (out / _parts.PARTS).read_bytes()
    yield Target("_parts.parquet", [good], in_file(out, _parts.PARTS, output), ValueError)
    yield from digests(folder)


def digests(folder):
    made = [pa.table({"id": range(count), "x": ["a"] * count}) for count in (1, 20)]

    def rows(place):
        read = tables.Rows.read(place)
        return read, bytes(read.records.records(0, read.rows))

    for name, write, read in [
        ("buckets", tables.buckets, tables.Buckets.read),
        ("rows", tables.rows, rows),
    ]:
        seeds = []
        for table in made:
            write(table, "id").write(folder / name)
            seeds.append((folder / name).read_bytes())
        yield Target(name, seeds, in_file(folder, name, read), ValueError)


def proofs():
    leaves = [b"%d" % number for number in range(7)]
    tree = merkle.Tree("blake2s")
    tree.extend(leaves)
    hashes = merkle.leaf_hashes(leaves, "blake2s")
    ranges = [merkle.range_root(hashes, "blake2s")]
    root = ranges[0].root()
    inclusion = merkle.prove(ranges, 3, hashes).to_json().encode()


    def included(text):
        """Returns None for a proof that is valid JSON but does not verify."""
        proof = merkle.Proof.from_json(text)
        if proof.format != merkle.ROWS_INCLUSION or not merkle.verify(proof, b"3", root):
            return None
        return proof.leaf_count, proof.place

    yield _proof("inclusion", inclusion, included)

    def consistent(text):
        proof = merkle.Proof.from_json(text)
        if proof.format != merkle.CONSISTENCY:
            return None
        known = {"old_leaf_count": 5, "leaf_count": 7}
        is_shown = merkle.verify_consistency(proof, old.root(), tree.root(), **known)
        return (proof.place, proof.leaf_count) if is_shown else None

    old = merkle.Tree("blake2s")
    old.extend(leaves[:5])
    yield _proof("consistency", tree.consistency(5).to_json().encode(), consistent)
    other = merkle.leaf_hashes([*leaves[:2], b"x", *leaves[3:], b"y"], "blake2s")
    new = [merkle.range_root(other, "blake2s")]
    readers = changes.reader(hashes, 32), changes.reader(other, 32)
    change = changes.prove(ranges, new, *readers)

    def changed(text):
        proof = changes.Proof.from_json(text)
        is_shown = changes.verify(proof, root, new[0].root())
        return (proof.changed, proof.old_leaf_count, proof.leaf_count) if is_shown else None

    yield _proof("change", change.to_json().encode(), changed)


def _proof(name, seed, read):
    target = Target(name, [seed], read, ValueError)
    assert target.meanings != [None]
    target.meanings.append(None)
    return target


def damaged(chance, seeds):
    """Returns a seed with some damage."""
    content = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(content) + 1)
        end = min(len(content), at + chance.choice((0, 1, 1, 4, 16, 200)))
        kind = chance.randrange(7)
        if kind == 0 and at < len(content):
            content[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            content[at:end] = bytes(chance.randrange(256) for _ in range(end - at))
        elif kind == 2:
            del content[at:end]
        elif kind == 3:
            content[at:at] = content[at:end] * chance.choice((1, 1, 2, 50))
        elif kind == 4:
            content[at:end] = chance.choice(TOKENS)
        elif kind == 5:
            other = chance.choice(seeds)
            begin = chance.randrange(len(other))
            content[at:end] = other[begin : begin + chance.choice((1, 8, 100, 1000))]
        else:
            content[at:at] = chance.choice(TOKENS) * chance.choice((1, 2, 500))
    return bytes(content)


def main(seconds=10, seed=None):
    seed = random.randrange(1 << 32) if seed is None else seed
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        found = list(targets(pathlib.Path(name)))
        counts = dict.fromkeys((target.name for target in found), 0)
        accepted = dict(counts)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            target = chance.choice(found)
            content = damaged(chance, target.seeds)
            counts[target.name] += 1
            try:
                accepted[target.name] += target.look(content)
            except Exception:
                traceback.print_exc()
                print(f"{target.name}: {content.hex()}")
                sys.exit(1)
        for name, count in counts.items():
            print(f"{name}: {count} inputs, {accepted[name]} accepted")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main(*map(int, sys.argv[1:3]))
