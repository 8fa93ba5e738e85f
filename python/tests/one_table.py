# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of which every engine computes the same digests."""

import datetime
from decimal import Decimal

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
        "c": pa.array(map(Decimal, ["1.50", "-0.01", "0", "12"] * 100), pa.decimal128(12, 2)),
        "w": pa.array([Decimal(10**37 + 1), None, Decimal(-7), None] * 100, pa.decimal128(38, 0)),
        "h": [datetime.time(1, 2, 3, 4), None, datetime.time(0), datetime.time(23, 59)] * 100,
        "m": pa.array(
            [[("b", 1), ("a", None)], [], None, [("", -1)]] * 100, pa.map_(pa.string(), pa.int64())
        ),
        "u": pa.array([datetime.timedelta(days=-1, microseconds=1), None] * 200),
    }
)
#: The column of durations, which DuckDB lacks: it reads them as intervals (docs/format/rows.md).
DURATIONS = "u"
#: Numbers as integers, and the same ones as decimals: their rows are equal by value. x and f are
#: not whole numbers to any engine.
INTEGERS = pa.table(
    {
        "n": pa.array([5, None, -1200, 0, (1 << 63) - 1] * 40, pa.int64()),
        "l": pa.array([[5, None], [], None, [-1 << 63], [0, 10]] * 40, pa.list_(pa.int64())),
        "o": pa.array([{"a": 5}, {"a": None}, None, {"a": 0}, {"a": -7}] * 40),
        "x": [5.0, None, -1200.0, 0.0, float("nan")] * 40,
        "f": pa.array(map(Decimal, ["5.01", "-0.5", "0.1", "12.3", "-7.25"] * 40)),
    }
)
DECIMALS = INTEGERS.cast(
    pa.schema(
        {
            "n": pa.decimal128(38, 0),
            "l": pa.list_(pa.decimal128(38, 2)),
            "o": pa.struct({"a": pa.decimal128(38, 6)}),
            "x": pa.float64(),
            "f": pa.decimal128(9, 4),
        }
    )
)
