# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests lying Arrow producers: they are refused, and nothing outside their memory is read. The data
is at the end of a page before an unreadable one, so that a read beyond it ends the process."""

import ctypes
import mmap
import struct

import finalist
import pyarrow as pa
import pytest

PAGE = mmap.PAGESIZE


class Schema(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class Array(ctypes.Structure):
    pass


Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
libc = ctypes.CDLL(None, use_errno=True)
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype = ctypes.py_object
capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def at_the_end_of_a_page(content):
    """Returns the address of a copy of bytes at the end of readable memory."""
    size = -(-max(len(content), 1) // PAGE) * PAGE
    area = mmap.mmap(-1, size + PAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    libc.mprotect(ctypes.c_void_p(start + size), PAGE, 0)
    address = start + size - len(content)
    ctypes.memmove(address, content, len(content))
    KEPT.append(area)
    return address


KEPT = []  # Keeps the structures' memory alive; test processes are short.


class Producer:
    """One array with any description: buffers are bytes, addresses or None. Counts its releases."""

    def __init__(self, format, content, length, **fields):
        self.released = 0
        pointers = [at_the_end_of_a_page(b) if isinstance(b, bytes) else b for b in content]
        self.callback = RELEASE(self.release)
        address = ctypes.cast(self.callback, ctypes.c_void_p).value
        self.schema = Schema(format=format, name=b"col", release=address)
        self.array = Array(length=length, n_buffers=len(content), release=address)
        if pointers:
            self.array.buffers = (ctypes.c_void_p * len(pointers))(*pointers)
        for name, value in fields.items():
            setattr(self.array, name, value)
        KEPT.append(self)

    def release(self, structure):
        self.released += 1
        kind = Array if self.released == 2 else Schema
        kind.from_address(structure).release = None

    def __arrow_c_array__(self, requested_schema=None):
        return (
            capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            capsule(ctypes.addressof(self.array), b"arrow_array", None),
        )


def offsets32(*numbers):
    return struct.pack(f"={len(numbers)}i", *numbers)


def offsets64(*numbers):
    return struct.pack(f"={len(numbers)}q", *numbers)


def view(length, buffer=0, offset=0):
    return struct.pack("=i4sii", length, b"abcd", buffer, offset)


def refused(producer, text="column 'col'"):
    with pytest.raises(ValueError, match=text):
        finalist.hash_column("blake2s", producer)


def test_an_honest_producer_is_read_to_its_last_byte():
    producer = Producer(b"z", [None, offsets32(0, 1, 3), b"abc"], 2)
    found = finalist.hash_column("blake2s", producer)
    assert found.to_list() == finalist.hash_many("blake2s", [b"a", b"bc"])
    assert producer.released == 2
    views = view(20, 0, 0) + view(13, 1, 7)
    sizes = struct.pack("=2q", 20, 20)
    producer = Producer(b"vz", [None, views, b"a" * 20, b"b" * 20, sizes], 2)
    found = finalist.hash_column("blake2s", producer)
    assert found.to_list() == finalist.hash_many("blake2s", [b"a" * 20, b"b" * 13])


@pytest.mark.parametrize(
    "offsets",
    [
        (0, 3, 2),
        (0, 1 << 30, 2),
        (0, 1 << 30, 3),
        (-1, 1, 3),
        (0, -1, 3),
        (0, 1, -3),
        (3, 2, 1),
        (2, 0, 3),
    ],
)
def test_offsets_that_run_backwards_or_beyond_the_data(offsets):
    refused(Producer(b"z", [None, offsets32(*offsets), b"abc"], 2))
    refused(Producer(b"u", [None, offsets32(*offsets), b"abc"], 2))
    refused(Producer(b"Z", [None, offsets64(*offsets), b"abc"], 2))


def test_offsets_beyond_any_address():
    for offset in ((1 << 63) - 1, -(1 << 63), 1 << 62):
        refused(Producer(b"Z", [None, offsets64(0, offset, 3), b"abc"], 2))


def test_one_bad_row_behind_many_good_ones_in_threads():
    offsets = [*range(100_001)]
    offsets[90_000] = 50
    producer = Producer(b"z", [None, offsets32(*offsets), bytes(100_000)], 100_000)
    with pytest.raises(ValueError, match="column 'col': .*backwards"):
        finalist.hash_column("blake2s", producer, threads=4)
    assert producer.released == 2


@pytest.mark.parametrize(
    "bad", [view(13, 1, 0), view(13, -1, 0), view(13, 0, -1), view(21), view(20, 0, 1), view(-1)]
)
def test_views_outside_their_buffers(bad):
    sizes = struct.pack("=q", 20)
    refused(Producer(b"vz", [None, view(20) + bad, b"a" * 20, sizes], 2))
    found = finalist.hash_column(
        "blake2s", Producer(b"vz", [b"\1", view(20) + bad, b"a" * 20, sizes], 2, null_count=1)
    )
    assert found[1] is None  # The slot of a null is not read.


def test_views_with_wrong_buffers():
    refused(Producer(b"vz", [None, view(20), b"a" * 20, struct.pack("=q", -20)], 1))
    refused(Producer(b"vz", [None, view(20), None, struct.pack("=q", 20)], 1))
    refused(Producer(b"vz", [None, view(20), b"a" * 20, None], 1))
    refused(Producer(b"vz", [None, view(20)], 1))


HUGE = (1 << 63) - 1
NOTHING = ctypes.POINTER(ctypes.c_void_p)()


@pytest.mark.parametrize(
    "fields",
    [
        {"length": -1},
        {"offset": -1},
        {"length": HUGE},
        {"offset": HUGE},
        {"length": HUGE, "offset": HUGE},
        {"null_count": 3},
        {"null_count": 1},
        {"n_buffers": 2},
        {"n_buffers": 0},
        {"n_buffers": -1},
        {"n_buffers": HUGE, "buffers": NOTHING},
        {"buffers": NOTHING},
        {"n_children": 1},
        {"n_children": -1},
    ],
)
def test_frames_that_cannot_be(fields):
    fields = {"length": 2, **fields}
    refused(Producer(b"z", [None, offsets32(0, 1, 3), b"abc"], **fields))
    refused(Producer(b"Z", [None, offsets64(0, 1, 3), b"abc"], **fields))


def test_missing_buffers():
    refused(Producer(b"z", [None, None, b"abc"], 2))
    refused(Producer(b"z", [None, offsets32(0, 1, 3), None], 2))
    refused(Producer(b"w:3", [None, None], 2))
    assert finalist.hash_column("blake2s", Producer(b"z", [None, None, None], 0)).to_list() == []
    empty = Producer(b"z", [None, offsets32(0, 0), None], 1)
    assert finalist.hash_column("blake2s", empty).to_list() == finalist.hash_many("blake2s", [b""])


@pytest.mark.parametrize("format", [b"w:-1", b"w:", b"w:99999999999999999999", b"", b"w:1,2", None])
def test_formats_that_do_not_exist(format):
    with pytest.raises(TypeError, match="column 'col'"):
        finalist.hash_column("blake2s", Producer(format, [None, b"abc"], 1))


def test_widths_beyond_any_address():
    refused(Producer(b"w:%d" % (1 << 62), [None, b"abc"], 4))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("it's", "it's"),
        ('a "b" \\', 'a "b" \\'),
        ("a\nb\u202e", "a\\nb\\u{202e}"),
        ("x" * 300, "x" * 197 + "..."),
    ],
)
def test_names_of_columns_in_messages(name, shown):
    """On one line, of bounded length, without characters that a terminal hides or reorders."""
    producer = Producer(b"z", [None, offsets32(0, 3, 2), b"abc"], 2)
    producer.schema.name = name.encode()
    wrong = pa.array([1], pa.int64()).view(pa.date64())
    calls = {
        ValueError: [
            lambda: finalist.hash_column("blake2s", producer),
            lambda: finalist.hash_rows(pa.table({"a": [1], name: wrong}), "blake2s"),
        ],
        TypeError: [
            lambda: finalist.hash_column("blake2s", pa.table({name: [1]})),
            lambda: finalist.hash_rows(pa.table({name: [[1]]}), "blake2s", version=1),
        ],
    }
    for error, some in calls.items():
        for call in some:
            with pytest.raises(error) as caught:
                call()
            assert str(caught.value).startswith(f"column '{shown}': ")


def test_capsules_that_were_used_or_are_others():
    producer = Producer(b"z", [None, offsets32(0, 1, 3), b"abc"], 2)
    finalist.hash_column("blake2s", producer)
    refused(producer, "released")

    class Other:
        def __init__(self, result):
            self.result = result

        def __arrow_c_array__(self, requested_schema=None):
            return self.result

    schema, array = Producer(b"z", [None, offsets32(0, 1, 3), b"abc"], 2).__arrow_c_array__()
    for wrong in ((array, schema), (schema, schema), (schema,), (), None, 5, (1, 2)):
        with pytest.raises((TypeError, ValueError, IndexError)):
            finalist.hash_column("blake2s", Other(wrong))


def test_streams_that_are_none():
    class Other:
        def __init__(self, result):
            self.result = result

        def __arrow_c_stream__(self, requested_schema=None):
            return self.result

    empty = ctypes.create_string_buffer(5 * 8)
    KEPT.append(empty)
    nothing = capsule(ctypes.addressof(empty), b"arrow_array_stream", None)
    for wrong in (nothing, None, 5, capsule(ctypes.addressof(empty), b"arrow_array", None)):
        with pytest.raises((TypeError, ValueError)):
            finalist.hash_column("blake2s", Other(wrong))
