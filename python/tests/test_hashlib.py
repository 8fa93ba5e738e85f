# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests constructors and objects against hashlib: digests, arguments, errors and messages."""

import array
import ctypes
import hashlib
import hmac
import io
import itertools
import sys
import threading
import types

import finalist
import pytest

BLAKE2 = [finalist.blake2b, finalist.blake2s]
CONSTRUCTORS = [getattr(finalist, name) for name in sorted(finalist.algorithms_available)]
LONG = bytes(i % 251 for i in range(100_000))


def twin(constructor):
    return getattr(hashlib, constructor.__name__)


def digest_of(hash_object):
    return hash_object.digest() if hash_object.digest_size else hash_object.digest(77)


def outcome(function, *arguments, **keywords):
    """Returns the result of a call: a digest, or the type and text of its error."""
    try:
        return function(*arguments, **keywords).digest()
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("blake256", (32, 0, 16, 0)),
        ("blake64", (64, 0, 32, 0)),
        ("blake2b", (64, 64, 16, 16)),
        ("blake2sp", (32, 32, 8, 8)),
        ("groestl0_384", (48, 0, 0, 0)),
        ("blake3", ((1 << 64) - 2, 32, 0, 0)),
    ],
)
def test_sizes_are_those_of_the_algorithm(name, sizes):
    names = ("MAX_DIGEST_SIZE", "MAX_KEY_SIZE", "SALT_SIZE", "PERSON_SIZE")
    assert tuple(getattr(getattr(finalist, name), each) for each in names) == sizes


def test_there_are_23_algorithms_under_their_names():
    assert len(CONSTRUCTORS) == 23
    assert finalist.algorithms_available == finalist.algorithms_guaranteed
    assert finalist.algorithms_available is not finalist.algorithms_guaranteed
    for name in finalist.algorithms_available:
        by_name = finalist.new(name, b"abc")
        assert by_name.name == name
        assert type(by_name) is getattr(finalist, name)
        assert digest_of(by_name) == digest_of(getattr(finalist, name)(b"abc"))
    assert finalist.new("groestl0-256").name == "groestl0_256"


@pytest.mark.parametrize("constructor", BLAKE2)
def test_constants(constructor):
    for constant in ("MAX_DIGEST_SIZE", "MAX_KEY_SIZE", "SALT_SIZE", "PERSON_SIZE"):
        assert getattr(constructor, constant) == getattr(twin(constructor), constant)
        assert getattr(constructor(), constant) == getattr(twin(constructor)(), constant)


@pytest.mark.parametrize("constructor", BLAKE2)
def test_attributes(constructor):
    for attribute in ("name", "digest_size", "block_size"):
        assert getattr(constructor(), attribute) == getattr(twin(constructor)(), attribute)
    assert constructor(digest_size=7).digest_size == 7
    with pytest.raises(AttributeError):
        constructor().digest_size = 3


@pytest.mark.parametrize("constructor", BLAKE2)
@pytest.mark.parametrize("parameter", ["key", "salt", "person"])
def test_byte_parameters_of_every_length(constructor, parameter):
    for length in range(66):
        keywords = {parameter: b"a" * length}
        assert outcome(constructor, b"x", **keywords) == outcome(
            twin(constructor), b"x", **keywords
        )


NUMBERS = [-(1 << 70), -1, 0, 1, 2, 31, 32, 33, 63, 64, 65, 254, 255, 256]
NUMBERS += [(1 << 32) - 1, 1 << 32, (1 << 48) - 1, 1 << 48, (1 << 64) - 1, 1 << 64, 1 << 70]


@pytest.mark.parametrize("constructor", BLAKE2)
@pytest.mark.parametrize(
    "parameter",
    ["digest_size", "fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size"],
)
def test_number_parameters_at_their_limits(constructor, parameter):
    for number in NUMBERS:
        keywords = {parameter: number}
        expected = outcome(twin(constructor), b"x", **keywords)
        found = outcome(constructor, b"x", **keywords)
        if isinstance(expected, tuple):  # The texts differ between versions of Python.
            assert found[0] is expected[0], keywords
        else:
            assert found == expected, keywords
    for wrong in ("1", 1.0, b"1"):
        with pytest.raises(TypeError):
            constructor(b"x", **{parameter: wrong})


TOO_LARGE = "Python int too large to convert to C int"


@pytest.mark.parametrize(
    ("name", "parameters", "error", "text"),
    [
        ("blake2b", {"digest_size": 65}, ValueError, "digest_size must be between 1 and 64 bytes"),
        ("blake2s", {"digest_size": 0}, ValueError, "digest_size must be between 1 and 32 bytes"),
        ("blake256", {"digest_size": 28}, ValueError, "digest_size must be 32 bytes"),
        ("blake3", {"digest_size": 0}, ValueError, "digest_size must be at least 1 byte"),
        ("blake2b", {"digest_size": 1 << 40}, OverflowError, TOO_LARGE),
        ("blake2b", {"key": bytes(65)}, ValueError, "maximum key length is 64 bytes"),
        ("blake2s", {"salt": bytes(9)}, ValueError, "maximum salt length is 8 bytes"),
        ("blake2sp", {"person": bytes(9)}, ValueError, "maximum person length is 8 bytes"),
        ("blake3", {"key": b"short"}, ValueError, "key must be 32 bytes long"),
        ("groestl0_256", {"key": b"x"}, ValueError, "groestl0-256 takes no key"),
        ("groestl512", {"salt": b"x"}, ValueError, "groestl512 takes no salt"),
        ("blake64", {"person": b"x"}, ValueError, "blake64 takes no person"),
        ("blake512", {"salt": b"x"}, ValueError, "salt must be 32 bytes long"),
        ("blake2xb", {}, TypeError, "blake2xb needs a digest_size"),
        ("blake2b", {"threads": 0}, ValueError, "threads must be between 1 and 1024"),
        ("blake2b", {"fanout": 256}, ValueError, "fanout must be between 0 and 255"),
        ("blake2b", {"depth": 0}, ValueError, "depth must be between 1 and 255"),
        ("blake2b", {"node_depth": -1}, ValueError, "node_depth must be between 0 and 255"),
        ("blake2s", {"inner_size": 33}, ValueError, "inner_size must be between 0 and 32"),
        ("blake2s", {"fanout": 1 << 40}, OverflowError, TOO_LARGE),
        ("blake2b", {"leaf_size": -1}, ValueError, "value must be positive"),
        ("blake2b", {"node_offset": -1}, ValueError, "value must be positive"),
        ("blake2b", {"leaf_size": 1 << 32}, OverflowError, "leaf_size is too large"),
        ("blake2s", {"node_offset": 1 << 48}, OverflowError, "node_offset is too large"),
    ],
)
def test_an_error_names_the_parameter_and_its_limits(name, parameters, error, text):
    is_of_a_node = not {"digest_size", "key", "salt", "person", "threads"} & set(parameters)
    with pytest.raises(error) as caught:
        if is_of_a_node and parameters:
            finalist.new(name, **parameters)
        else:
            finalist.hash_many(name, [], **parameters)
    assert str(caught.value) == text


@pytest.mark.parametrize("constructor", BLAKE2)
def test_all_parameters_together(constructor):
    keywords = {
        "digest_size": 17,
        "key": b"bar",
        "salt": b"baz",
        "person": b"bing",
        "fanout": 2,
        "depth": 3,
        "leaf_size": 4,
        "node_offset": 5,
        "node_depth": 6,
        "inner_size": 7,
        "last_node": True,
    }
    expected = twin(constructor)(b"foo", **keywords).digest()
    assert constructor(b"foo", **keywords).digest() == expected


@pytest.mark.parametrize("constructor", BLAKE2)
def test_rfc7693_self_test(constructor):
    """Appendix E hashes digests of all lengths, with and without keys."""

    def sequence(length):
        a, b, out = 0xDEAD4BAD * length & 0xFFFFFFFF, 1, bytearray()
        for _ in range(length):
            a, b = b, (a + b) & 0xFFFFFFFF
            out.append(b >> 24)
        return bytes(out)

    digest_sizes, lengths, expected = {
        finalist.blake2b: (
            (20, 32, 48, 64),
            (0, 3, 128, 129, 255, 1024),
            "c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475",
        ),
        finalist.blake2s: (
            (16, 20, 28, 32),
            (0, 3, 64, 65, 255, 1024),
            "6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe",
        ),
    }[constructor]
    outer = constructor(digest_size=32)
    for size, length in itertools.product(digest_sizes, lengths):
        message = sequence(length)
        outer.update(constructor(message, digest_size=size).digest())
        outer.update(constructor(message, digest_size=size, key=sequence(size)).digest())
    assert outer.hexdigest() == expected


@pytest.mark.parametrize("constructor", BLAKE2)
def test_messages_by_hashlib(constructor):
    for length in [*range(300), 2047, 2048, 2049, 100_000]:
        assert constructor(LONG[:length]).digest() == twin(constructor)(LONG[:length]).digest()


@pytest.mark.parametrize("constructor", CONSTRUCTORS)
def test_pieces_copies_and_repeated_digests(constructor):
    whole = digest_of(constructor(LONG))
    for sizes in ([0, 1, 63, 64, 65, 127, 128, 129], [2047], [2048], [50_000]):
        hash_object = constructor()
        position = 0
        for size in itertools.cycle(sizes):
            hash_object.update(LONG[position : position + size])
            position += size
            if position >= len(LONG):
                break
            copy = hash_object.copy()
            copy.update(b"elsewhere")
            assert digest_of(hash_object) == digest_of(hash_object)
        assert digest_of(hash_object) == whole
        assert type(hash_object.copy()) is constructor
        assert digest_of(hash_object.copy()) == whole


@pytest.mark.parametrize("constructor", CONSTRUCTORS)
def test_wrong_data_is_refused_as_by_hashlib(constructor):
    for data in ("text", 5, None, [1]):
        expected = outcome(hashlib.sha256, data)
        if data is not None or constructor is not finalist.blake3:  # None is no data there.
            with pytest.raises(TypeError) as caught:
                constructor(data)
            assert str(caught.value) == expected[1]
        with pytest.raises(TypeError):
            constructor().update(data)
    with pytest.raises(TypeError, match=r"\(\) got an unexpected keyword argument 'nosuch'"):
        constructor(nosuch=b"")
    with pytest.raises(TypeError):
        constructor(b"", b"")
    with pytest.raises(TypeError):
        constructor().update()
    with pytest.raises(BufferError):
        constructor(memoryview(b"abcdef")[::2])
    assert constructor(b"", usedforsecurity=False).block_size == constructor().block_size


@pytest.mark.parametrize("constructor", CONSTRUCTORS)
def test_data_by_name_where_hashlib_takes_it(constructor):
    """Python 3.13.4 and later take `data` and `string`."""

    def kind(called, *arguments, **keywords):
        try:
            called(*arguments, **keywords)
        except TypeError as error:
            return str(error).replace(called.__name__, "")
        return called(*arguments, **keywords).name == called(b"").name

    by_name = dict.fromkeys(("data", "string"), b"x")
    for keywords in ({"data": b"x"}, {"string": b"x"}, by_name, {"string": 5}):
        for arguments in ((), (b"y",)):
            found = kind(constructor, *arguments, **keywords)
            expected = kind(hashlib.blake2b, *arguments, **keywords)
            assert (found is True) is (expected is True), keywords
            if sys.version_info >= (3, 13, 4):
                assert found == expected, keywords
    if sys.version_info >= (3, 13, 4):
        expected = digest_of(constructor(b"x"))
        assert digest_of(constructor(data=b"x")) == expected
        assert digest_of(constructor(string=b"x")) == expected


@pytest.mark.parametrize("constructor", BLAKE2)
def test_switches_are_any_objects(constructor):
    class NeitherTrueNorFalse:
        def __bool__(self):
            raise ZeroDivisionError

    for truth in (0, 1, "", "x", None, []):
        keywords = {"last_node": truth, "usedforsecurity": truth}
        assert constructor(b"", **keywords).digest() == twin(constructor)(b"", **keywords).digest()
    for name in ("last_node", "usedforsecurity"):
        with pytest.raises(ZeroDivisionError):
            constructor(b"", **{name: NeitherTrueNorFalse()})


@pytest.mark.parametrize("constructor", CONSTRUCTORS)
def test_any_buffer(constructor):
    expected = digest_of(constructor(LONG))
    numbers = array.array("i", LONG)
    for data in (bytearray(LONG), memoryview(LONG), memoryview(bytearray(LONG))):
        assert digest_of(constructor(data)) == expected
    assert digest_of(constructor(numbers)) == digest_of(constructor(numbers.tobytes()))


def test_a_buffer_is_locked_and_released():
    data = bytearray(LONG)
    finalist.blake2b(data)
    data.append(1)  # Raises BufferError if a view of it remains.


def test_names_are_checked():
    with pytest.raises(ValueError, match="unsupported hash type nosuch"):
        finalist.new("nosuch")
    with pytest.raises(TypeError, match="name must be a string"):
        finalist.new(5)
    assert finalist.new(name="blake2s", data=b"x").digest() == finalist.blake2s(b"x").digest()
    with pytest.raises(TypeError):
        finalist.Hash()


@pytest.mark.parametrize("constructor", [finalist.blake256, finalist.blake512])
def test_blake_takes_a_whole_salt_or_none(constructor):
    assert constructor(salt=b"").digest() == constructor().digest()
    assert constructor(salt=b"s" * constructor.SALT_SIZE).digest() != constructor().digest()
    for length in (1, constructor.SALT_SIZE - 1, constructor.SALT_SIZE + 1):
        with pytest.raises(ValueError):
            constructor(salt=b"s" * length)
    with pytest.raises(TypeError):
        constructor(digest_size=32)


@pytest.mark.parametrize("constructor", [finalist.groestl256, finalist.groestl0_512])
def test_groestl_takes_shorter_digests(constructor):
    for size in range(1, constructor.MAX_DIGEST_SIZE + 1):
        assert len(constructor(digest_size=size).digest()) == size
    for size in (-1, 0, constructor.MAX_DIGEST_SIZE + 1):
        with pytest.raises(ValueError):
            constructor(digest_size=size)


@pytest.mark.parametrize("constructor", [finalist.blake2xb, finalist.blake2xs])
def test_blake2x_digests_of_a_length(constructor):
    unknown = constructor(b"seed")
    assert unknown.digest_size == 0
    assert unknown.digest(1000)[:10] == unknown.digest(10)
    assert unknown.hexdigest(10) == unknown.digest(10).hex()
    assert unknown.digest(0) == b""
    assert outcome(unknown.digest)[0] is TypeError
    for length in (-1, constructor.MAX_DIGEST_SIZE + 1):
        with pytest.raises(ValueError):
            unknown.digest(length)
    known = constructor(b"seed", digest_size=100)
    assert known.digest_size == len(known.digest()) == 100
    assert known.digest(40) == known.digest()[:40] != unknown.digest(40)
    with pytest.raises(ValueError):
        known.digest(101)


@pytest.mark.parametrize("constructor", [finalist.blake2bp, finalist.blake2sp])
def test_threads_change_nothing(constructor):
    message = LONG * 40
    expected = constructor(message).digest()
    for threads in (1, 2, 3, 8):
        assert constructor(message, threads=threads).digest() == expected
        pieces = constructor(b"", threads=threads)
        pieces.update(message[:3_000_001])
        pieces.update(message[3_000_001:])
        assert pieces.copy().digest() == expected
    for threads in (0, -1, 1 << 40):
        with pytest.raises(ValueError):
            constructor(threads=threads)


@pytest.mark.parametrize("constructor", BLAKE2)
def test_hmac_and_file_digest(constructor):
    assert (
        hmac.new(b"key", LONG, constructor).digest()
        == hmac.new(b"key", LONG, twin(constructor)).digest()
    )
    expected = twin(constructor)(LONG).digest()
    for digest in (constructor, constructor.__name__, lambda: constructor()):
        assert finalist.file_digest(io.BytesIO(LONG), digest).digest() == expected
    assert hashlib.file_digest(io.BytesIO(LONG), constructor).digest() == expected
    for wrong in ("nosuch", constructor.__name__.upper()):
        with pytest.raises(ValueError, match=f"^unsupported hash type {wrong}$"):
            finalist.file_digest(io.BytesIO(b""), wrong)
    for given in (io.StringIO(""), "a path", 5):
        text = f"reading in binary mode is required, not '{type(given).__name__}'"
        with pytest.raises(ValueError, match=text):
            finalist.file_digest(given, constructor)


def test_buffers_of_several_dimensions_are_refused():
    """Those of ctypes stay so where one dimension is asked for."""
    message = ((ctypes.c_uint8 * 2) * 2)()
    for call in (hashlib.blake2s, finalist.blake2s, finalist.blake2s().update):
        with pytest.raises(BufferError, match="Buffer must be single dimension"):
            call(message)


def test_file_digest_takes_what_hashlib_takes(tmp_path):
    memory = types.SimpleNamespace(getbuffer=lambda: LONG)
    assert finalist.file_digest(memory, "blake2b").digest() == hashlib.blake2b(LONG).digest()
    only = [types.SimpleNamespace(**{name: bool}) for name in ("readinto", "readable")]
    with (tmp_path / "file").open("wb", buffering=0) as file:
        for given in (*only, file):
            with pytest.raises(ValueError, match="open for reading in binary mode is required"):
                finalist.file_digest(given, "blake2b")


def test_file_digest_reads_files(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(LONG * 10)
    with path.open("rb") as file:
        assert finalist.file_digest(file, "blake2b").digest() == hashlib.blake2b(LONG * 10).digest()
    with path.open("rb", buffering=0) as file:
        assert finalist.file_digest(file, "blake2b").digest() == hashlib.blake2b(LONG * 10).digest()


@pytest.mark.parametrize("size", [1, 100, 2048, 100_000])
def test_threads_share_an_object(size):
    piece = b"x" * size
    count, threads = 200, 4
    hash_object = finalist.blake2b()

    def append():
        for _ in range(count):
            hash_object.update(piece)
            hash_object.copy().digest()

    workers = [threading.Thread(target=append) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert hash_object.digest() == hashlib.blake2b(piece * (count * threads)).digest()


def test_the_interpreter_runs_on_while_a_long_message_is_hashed():
    message = bytes(300_000_000)
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(None)

    clock = threading.Thread(target=tick)
    clock.start()
    during = []
    try:
        for _ in range(5):
            before = len(ticks)
            finalist.groestl512(message)
            during.append(len(ticks) - before)
            # A single tick could have come between the two lines; a busy machine has few ticks.
            if during[-1] > 1:
                break
    finally:
        done.set()
        clock.join()
    assert max(during) > 1


def test_keys_are_not_shown():
    key = b"correct horse battery staple"
    hash_object = finalist.blake2b(b"", key=key)
    assert "horse" not in repr(hash_object)
    with pytest.raises(ValueError) as caught:
        finalist.blake2s(b"", key=key * 2)
    assert "horse" not in str(caught.value)
    with pytest.raises(TypeError) as caught:
        finalist.blake2s(b"", key=key.decode())
    assert "horse" not in str(caught.value)
