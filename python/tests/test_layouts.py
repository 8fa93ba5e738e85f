# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests valid Arrow arrays that pyarrow rarely makes: null or empty buffers, views without data,
offsets beyond 2^32."""

import ctypes
import mmap
import struct

import finalist
import pyarrow as pa
import pytest
from test_hostile import Producer, offsets32, offsets64, refused, view

LARGE = 1 << 32


def digests(values):
    return [None if v is None else finalist.blake2s(v).digest() for v in values]


def hashed(format, buffers, length, **fields):
    return finalist.hash_column("blake2s", Producer(format, buffers, length, **fields)).to_list()


def inline(text):
    return struct.pack("=i12s", len(text), text)


@pytest.mark.parametrize("format", [b"vz", b"vu"])
def test_views_without_data(format):
    """Values of up to 12 bytes are in the views; buffers of data and lengths may be missing."""
    values = [b"", b"a", b"twelve bytes", b"abc"]
    views = b"".join(map(inline, values))
    for buffers in ([None, views, None], [None, views, b""], [b"\x0f", views, b""]):
        assert hashed(format, buffers, 4) == digests(values)
    null = [values[0], None, *values[2:]]
    assert hashed(format, [b"\x0d", views, b""], 4, null_count=1) == digests(null)
    assert hashed(format, [b"\x0d", views, None], 4, null_count=-1) == digests(null)
    # A null's view is not read.
    views = inline(b"") + view(99, 7, 7) + b"".join(map(inline, values[2:]))
    assert hashed(format, [b"\x0d", views, None], 4, null_count=1) == digests(null)
    views = view(12) + view(13)
    refused(Producer(format, [None, views, None], 2))
    refused(Producer(format, [None, views, b""], 2))
    sizes = struct.pack("=q", 0)
    refused(Producer(format, [None, views, b"", sizes], 2))
    refused(Producer(format, [None, views, None, sizes], 2))
    # Buffers without bytes that no view points into.
    views = inline(b"x") + view(13, 1)
    sizes = struct.pack("=2q", 0, 13)
    expected = digests([b"x", b"y" * 13])
    assert hashed(format, [None, views, None, b"y" * 13, sizes], 2) == expected


@pytest.mark.parametrize(
    ("format", "buffers"),
    [
        (b"z", 3), (b"Z", 3), (b"u", 3), (b"U", 3), (b"vz", 3), (b"vu", 3), (b"w:7", 2),
        (b"w:0", 2),
    ],
)  # fmt: skip
def test_no_rows_and_no_buffers(format, buffers):
    assert hashed(format, [None] * buffers, 0) == []
    for length in (1, 9):
        if format == b"w:0":
            assert hashed(format, [None, None], length) == digests([b""] * length)
        else:
            refused(Producer(format, [None] * buffers, length))


def test_nulls_without_buffers():
    """The array of buffers may be missing, too."""
    for null_count in (-1, 3):
        assert hashed(b"n", [], 3, null_count=null_count) == [None] * 3


def test_no_rows_of_numbers_and_no_buffers():
    empty = pa.Array.from_buffers(pa.int32(), 0, [None, None])
    assert finalist.hash_rows(pa.record_batch([empty], ["n"]), "blake2s").to_list() == []


@pytest.mark.parametrize(("format", "pack"), [(b"z", offsets32), (b"Z", offsets64)])
def test_empty_values_without_data(format, pack):
    assert hashed(format, [None, pack(0, 0, 0), None], 2) == digests([b"", b""])
    refused(Producer(format, [None, pack(7, 7, 7), None], 2))
    # All null: there is no value to read.
    assert hashed(format, [b"\0", pack(0, 0, 0), None], 2, null_count=2) == [None, None]
    refused(Producer(format, [None, pack(0, 0, 1), None], 2))
    assert hashed(format, [b"\2", pack(0, 5, 5), b"12345"], 2, null_count=1) == [
        None, *digests([b""])
    ]


def test_validity_that_is_null():
    """No bitmap means no nulls, whatever the count is."""
    values = [offsets32(0, 1, 3), b"abc"]
    for count in (0, -1):
        found = hashed(b"z", [None, *values], 2, null_count=count)
        assert found == digests([b"a", b"bc"])


@pytest.fixture(scope="module")
def sparse():
    """Maps a little more than 4 GiB of memory, of which only a page or two exist."""
    area = mmap.mmap(-1, LARGE + (1 << 20), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    area[LARGE - 20 : LARGE + 20] = bytes(range(40))
    return area, ctypes.addressof(ctypes.c_char.from_buffer(area))


@pytest.mark.parametrize("format", [b"Z", b"U"])
def test_offsets_of_64_bits(sparse, format):
    area, start = sparse
    ends = [LARGE - 15, LARGE - 5, LARGE, LARGE + 3, LARGE + 3, LARGE + 15]
    expected = [area[a:b] for a, b in zip(ends, ends[1:], strict=False)]
    buffers = [None, offsets64(*ends), start]
    assert hashed(format, buffers, 5) == digests(expected)
    cut = hashed(format, [b"\x0b", *buffers[1:]], 3, offset=1, null_count=-1)
    assert cut == digests([expected[1], None, expected[3]])
    # Cut to 32 bits, the first would run backwards and the second would be short.
    refused(Producer(format, [None, offsets64(LARGE - 1, 1), start], 1))
    refused(Producer(format, [None, offsets64(0, -LARGE), start], 1))
    rows = pa.table({"x": pa.array(expected, pa.large_binary())})
    assert finalist.hash_rows(rows, "blake2s").to_list() == finalist.hash_rows(
        pa.table({"x": pa.array(expected)}), "blake2s"
    ).to_list()


@pytest.mark.slow
def test_a_value_longer_than_4_gib(sparse):
    """Its short neighbours must keep their own digests. Takes half a minute."""
    area, start = sparse
    ends = [0, 3, LARGE + 10, LARGE + 15]
    found = hashed(b"Z", [None, offsets64(*ends), start], 3)
    message = finalist.blake2s()
    view_of = memoryview(area)
    for at in range(3, ends[2], 64 << 20):
        message.update(view_of[at : min(at + (64 << 20), ends[2])])
    view_of.release()
    short = digests([bytes(3), area[ends[2] : ends[3]]])
    assert found == [short[0], message.digest(), short[1]]
