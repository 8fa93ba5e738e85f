# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every engine of this environment computes the same row digests and fingerprint of one table. The
engines' own environment tests Spark with the same table."""

import finalist
import finalist.duckdb
import finalist.polars
import pyarrow as pa
import pytest
from conftest import engine
from one_table import TABLE
from test_duckdb_extension import EXTENSION, connect


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


def of_extension(table, query):
    """Returns the first column of a query with DuckDB's loadable extension."""
    if EXTENSION is None:
        pytest.skip("make duckdb has not built the extension")
    connection = connect()
    connection.register("given", table)
    return [digest for (digest,) in connection.sql(query).fetchall()]


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
    "duckdb extension": lambda table, algorithm: of_extension(
        table, f"select row_{algorithm}(*columns(*)) from given"
    ),
    "duckdb extension, of the table": lambda table, algorithm: of_extension(
        table, f"select row_{algorithm}(given) from given"
    ),
}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("algorithm", ["blake2s", "blake3"])
def test_one_table(name, algorithm):
    expected = finalist.hash_rows(TABLE, algorithm).to_list()
    assert ENGINES[name](TABLE, algorithm) == expected


def aggregate_of_polars(table, engine_name):
    frame = engine("polars").DataFrame(table).lazy()
    rows = finalist.polars.digest_agg(engine("polars").all())
    return frame.select(rows).collect(engine=engine_name)["digest"].item()


AGGREGATES = {
    "frame of polars": lambda table: finalist.fingerprint(engine("polars").DataFrame(table)),
    "polars": lambda table: aggregate_of_polars(table, "in-memory"),
    "polars streaming": lambda table: aggregate_of_polars(table, "streaming"),
    "duckdb relation": lambda table: finalist.fingerprint(engine("duckdb").from_arrow(table)),
    "duckdb extension": lambda table: of_extension(table, "select digest_agg(given) from given")[0],
}


@pytest.mark.parametrize("name", AGGREGATES)
def test_one_fingerprint(name):
    shuffled = TABLE.take(pa.array(range(TABLE.num_rows - 1, -1, -1)))
    assert AGGREGATES[name](shuffled) == finalist.fingerprint(TABLE)


def test_groups_of_polars():
    frame = engine("polars").DataFrame({"g": [1, 2, 1, 2], "x": ["a", None, "b", "a"]})
    rows = finalist.polars.digest_agg("x", algorithm="blake3", key=b"k" * 32)
    expected = [
        finalist.fingerprint(frame.filter(g=g).select("x"), algorithm="blake3", key=b"k" * 32)
        for g in (1, 2)
    ]
    assert frame.group_by("g").agg(rows).sort("g")["digest"].to_list() == expected
    assert "kkk" not in str(rows)
    nothing = frame.head(0)
    assert nothing.select(rows).item() == finalist.fingerprint(
        nothing.select("x"), algorithm="blake3", key=b"k" * 32
    )
    with pytest.raises(ValueError, match="digest_size must be 28"):
        finalist.polars.digest_agg("x", algorithm="blake224")
