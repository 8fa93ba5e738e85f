# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of which every engine computes the same digests."""

import datetime

import pyarrow as pa

TABLE = pa.table(
    {
        "n": pa.array([1, None, -3, 1 << 40] * 100, pa.int64()),
        "s": ["a", None, "é", ""] * 100,
        "x": [0.5, None, -0.0, float("inf")] * 100,
        "b": [True, False, None, True] * 100,
        "y": [b"\0", b"", None, b"\xff"] * 100,
        "d": [datetime.date(2024, 2, 29), None, datetime.date(1969, 12, 31), None] * 100,
        "t": [datetime.datetime(2024, 5, 6, 7, 8, 9, 10), None, None, None] * 100,
        "l": [[1, None], [], None, [5]] * 100,
        "o": [{"a": 1, "b": "z"}, {"a": None, "b": ""}, None, {"a": 2, "b": None}] * 100,
    }
)
