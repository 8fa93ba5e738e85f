# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests finalist.blake3 and its errors against the package blake3, with the same interface."""

import random

import finalist
import pyarrow as pa
import pytest

KEY = bytes(range(32))


@pytest.mark.parametrize("seed", range(20))
def test_same_as_the_package(seed):
    package = pytest.importorskip("blake3")
    rng = random.Random(seed)
    for _ in range(50):
        data = rng.randbytes(rng.choice([0, 1, 64, 1024, 1025, rng.randrange(20_000)]))
        parameters = rng.choice([{}, {"key": KEY}, {"derive_key_context": f"context {seed}"}])
        ours, theirs = finalist.blake3(data, **parameters), package.blake3(data, **parameters)
        length, seek = rng.randrange(200), rng.choice([0, 1, 64, 1000, 2**40])
        assert ours.digest() == theirs.digest()
        assert ours.hexdigest(length, seek=seek) == theirs.hexdigest(length, seek=seek)
        more = rng.randbytes(300)
        assert ours.update(more).digest() == theirs.update(more).digest()
        copy = ours.copy()
        copy.reset()
        theirs.reset()
        assert copy.digest() == theirs.digest()
        assert ours.digest() != copy.digest()


@pytest.mark.parametrize("max_threads", [1, 3, finalist.blake3.AUTO])
@pytest.mark.parametrize("parameters", [{}, {"key": KEY}, {"derive_key_context": "context"}])
def test_threads(max_threads, parameters, tmp_path):
    data = random.Random(max_threads).randbytes((9 << 20) + 1234)
    path = tmp_path / "file"
    path.write_bytes(data)
    digest = finalist.blake3(data, **parameters).digest()

    def started(data=b""):
        return finalist.blake3(data, max_threads=max_threads, **parameters)

    assert started(data).digest() == started().update(data).digest() == digest
    assert started().update_mmap(path).digest() == started().update_mmap(str(path)).digest()
    assert started().update_mmap(path).digest() == digest
    for before in (b"abc", data[:5000]):
        twice = finalist.blake3(before + data + data, **parameters).digest()
        assert started(before).update_mmap(path).update_mmap(path).digest() == twice


def test_files(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"")
    message = finalist.blake3(b"abc")
    assert message.update_mmap(path).digest() == finalist.blake3(b"abc").digest()
    with pytest.raises(FileNotFoundError, match="nothing") as raised:
        message.update_mmap(tmp_path / "nothing")
    assert raised.value.filename == tmp_path / "nothing"
    with pytest.raises(IsADirectoryError):
        message.update_mmap(tmp_path)
    with pytest.raises(TypeError):
        message.update_mmap(3)


def test_interface_of_the_package(tmp_path):
    """Attributes of class and objects, None for no data, the name of the argument path."""
    (tmp_path / "file").write_bytes(b"content")
    modules = [finalist, pytest.importorskip("blake3")]
    for one in [module.blake3 for module in modules] + [module.blake3() for module in modules]:
        assert (one.name, one.digest_size, one.block_size) == ("blake3", 32, 64)
        assert (one.key_size, one.AUTO) == (32, -1)
    for parameters in ({}, {"key": KEY}, {"derive_key_context": ""}):
        made = {module.blake3(None, **parameters).update(b"x").digest() for module in modules}
        made.add(finalist.new("blake3", None, **parameters).update(b"x").digest())
        assert made == {finalist.blake3(b"x", **parameters).digest()}
    for module in modules:
        with pytest.raises(TypeError):
            module.blake3().update(None)
        found = module.blake3().update_mmap(path=tmp_path / "file").digest()
        assert found == finalist.blake3(b"content").digest()


def test_more_threads_than_a_call_may_have():
    """As in the package blake3, they are no error."""
    assert finalist.blake3(b"x", max_threads=1 << 40).digest() == finalist.blake3(b"x").digest()


def test_other_algorithms_take_no_none():
    with pytest.raises(TypeError):
        finalist.blake2b(None)


def test_output_has_any_length():
    message = finalist.blake3(b"message", digest_size=5)
    assert (message.digest_size, message.copy().digest_size) == (5, 5)
    assert message.digest() == message.digest(5) == message.digest(100)[:5]
    assert message.digest(10, seek=90) == message.digest(100)[90:]
    assert message.digest(seek=90) == message.digest(95)[90:]
    assert message.hexdigest(seek=90) == message.hexdigest(95)[180:]
    assert finalist.blake3(b"message").digest(seek=90) == message.digest(122)[90:]


@pytest.mark.parametrize(
    ("parameters", "error", "text"),
    [
        ({"key": b"short"}, ValueError, "key must be 32 bytes long"),
        ({"key": b""}, ValueError, "key must be 32 bytes long"),
        ({"key": KEY, "derive_key_context": "x"}, ValueError, "cannot be used together"),
        ({"derive_key_context": b"x"}, TypeError, "derive_key_context must be str"),
        ({"max_threads": 0}, ValueError, "not a valid number of threads"),
        ({"digest_size": 0}, ValueError, "digest_size must be at least 1 byte"),
    ],
)
def test_refused(parameters, error, text):
    with pytest.raises(error, match=text):
        finalist.blake3(b"", **parameters)


def test_positions_refused():
    message = finalist.blake3()
    with pytest.raises(ValueError, match="length must be between"):
        message.digest(-1)
    with pytest.raises(OverflowError):
        message.digest(1, seek=-1)
    with pytest.raises(ValueError, match="output"):
        message.digest(32, seek=2**64 - 1)


MESSAGES = [bytes([n]) * n * 37 for n in range(200)]

CONTEXTS = ["", "x", "finalist 2026-11-28 tests", "é" * 700]


def derived(messages, context, digest_size=32):
    package = pytest.importorskip("blake3")
    hashers = (package.blake3(message, derive_key_context=context) for message in messages)
    return [hasher.digest(digest_size) for hasher in hashers]


def test_many():
    for key in ({}, {"key": KEY}, *({"derive_key_context": context} for context in CONTEXTS)):
        expected = [finalist.blake3(message, **key).digest() for message in MESSAGES]
        assert finalist.hash_many("blake3", MESSAGES, **key) == expected


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("digest_size", [32, 5, 131])
def test_many_derived(context, digest_size):
    given = {"derive_key_context": context, "digest_size": digest_size}
    expected = derived(MESSAGES, context, digest_size)
    for threads in (1, 3):
        assert finalist.hash_many("blake3", MESSAGES, threads=threads, **given) == expected
        found = finalist.hash_many("blake3", MESSAGES, threads=threads, joined=True, **given)
        assert found == b"".join(expected)
        column = pa.array([*MESSAGES, None], pa.binary())
        found = finalist.hash_column("blake3", column, threads=threads, **given)
        assert found.to_list() == [*expected, None]
    repeated = pa.array(MESSAGES * 2).dictionary_encode()
    assert finalist.hash_column("blake3", repeated, **given).to_list() == expected * 2
    for message_bytes in (1, 64, 1024, 1025):
        joined = bytes(n % 251 for n in range(message_bytes * 37))
        messages = [joined[at : at + message_bytes] for at in range(0, len(joined), message_bytes)]
        found = finalist.hash_equal("blake3", joined, message_bytes, **given)
        assert found == b"".join(derived(messages, context, digest_size))


def test_a_long_message_derived():
    message, context = bytes(17 << 20), "finalist 2026-11-28 tests"
    found = finalist.hash_many("blake3", [b"", message], derive_key_context=context)
    assert found == derived([b"", message], context)


@pytest.mark.parametrize("context", CONTEXTS)
def test_rows_derived(context):
    table = pa.table({"id": range(100), "name": ["one", None] * 50})
    given = {"derive_key_context": context}
    # A row of one binary column: its message is in docs/format/rows.md.
    [row] = finalist.hash_rows(pa.table({"x": [b"abc"]}), "blake3", **given).to_list()
    assert [row] == derived([b"\x01\x05" + (3).to_bytes(8, "little") + b"abc"], context)
    rows = finalist.hash_rows(table, "blake3", **given).to_list()
    assert len(set(rows)) == 100 and rows[0] != finalist.hash_rows(table, "blake3")[0]
    assert finalist.hash_rows(table, "blake3", version=1, threads=2, **given).to_list() == rows


TAKING_CONTEXTS = {
    "hash_many": lambda name, **given: finalist.hash_many(name, [b"x"], **given),
    "hash_equal": lambda name, **given: finalist.hash_equal(name, b"x", 1, **given),
    "hash_column": lambda name, **given: finalist.hash_column(name, pa.array([b"x"]), **given),
    "hash_rows": lambda name, **given: finalist.hash_rows(pa.table({"x": [1]}), name, **given),
}


@pytest.mark.parametrize("call", TAKING_CONTEXTS.values(), ids=TAKING_CONTEXTS)
def test_refused_contexts(call):
    for context in ("", "x"):
        with pytest.raises(ValueError, match="cannot be used together"):
            call("blake3", key=KEY, derive_key_context=context)
        for name in sorted(finalist.algorithms_available - {"blake3"}):
            size = {"digest_size": 28} if name.startswith("blake2x") else {}
            with pytest.raises(ValueError, match="takes no derive_key_context"):
                call(name, derive_key_context=context, **size)
    with pytest.raises(TypeError, match="derive_key_context must be str"):
        call("blake3", derive_key_context=b"x")
    with pytest.raises(UnicodeEncodeError):
        call("blake3", derive_key_context="\ud800")
    without = call("blake3")
    assert call("blake3", derive_key_context=None) == without != call("blake3", key=KEY)
    assert call("blake3", key=b"", derive_key_context="") not in (without, call("blake3", key=KEY))
    assert call("blake2b", derive_key_context=None) == call("blake2b")
