# SPDX-License-Identifier: MIT OR Apache-2.0
"""One table through every engine of this environment: the same digests of its rows. The engines'
own environment has Spark's test."""

import datetime

import finalist
import finalist.duckdb
import finalist.polars
import pyarrow as pa
import pytest
from conftest import engine

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


def of_duckdb(table, algorithm):
    connection = engine("duckdb").connect()
    finalist.duckdb.register(connection, algorithm)
    connection.register("given", table)
    query = f"select row_{algorithm}(*columns(*)) as digest from given"
    return [digest for (digest,) in connection.sql(query).fetchall()]


def of_polars(table, algorithm, engine_name):
    rows = finalist.polars.hash_rows(engine("polars").all(), algorithm=algorithm)
    frame = engine("polars").DataFrame(table).lazy().select(rows)
    return frame.collect(engine=engine_name)["digest"].to_list()


ENGINES = {
    "chunks": lambda table, algorithm: finalist.hash_rows(
        pa.concat_tables([table.slice(0, 7), table.slice(7)]), algorithm
    ).to_list(),
    "polars frame": lambda table, algorithm: finalist.hash_rows(
        engine("polars").DataFrame(table), algorithm
    ).to_list(),
    "polars": lambda table, algorithm: of_polars(table, algorithm, "in-memory"),
    "polars streaming": lambda table, algorithm: of_polars(table, algorithm, "streaming"),
    "duckdb relation": lambda table, algorithm: finalist.hash_rows(
        engine("duckdb").from_arrow(table), algorithm
    ).to_list(),
    "duckdb": of_duckdb,
}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("algorithm", ["blake2s", "blake3"])
def test_one_table(name, algorithm):
    expected = finalist.hash_rows(TABLE, algorithm).to_list()
    assert ENGINES[name](TABLE, algorithm) == expected
