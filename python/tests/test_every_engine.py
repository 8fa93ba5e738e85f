# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every engine of this environment computes the same row digests and fingerprint of one table. The
engines' own environment tests Spark with the same table."""

import tempfile

import finalist
import finalist.duckdb
import finalist.parquet
import finalist.polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import engine
from finalist import merkle
from one_table import DECIMALS, DURATIONS, INTEGERS, TABLE
from test_duckdb_extension import EXTENSION, connect


def of_duckdb(table, algorithm, numbers):
    connection = engine("duckdb").connect()
    finalist.duckdb.register(connection, algorithm, numbers=numbers)
    connection.register("given", table)
    query = f"select row_{algorithm}(*columns(*)) as digest from given"
    return [digest for (digest,) in connection.sql(query).fetchall()]


def of_polars(table, algorithm, numbers, engine_name):
    given = {"algorithm": algorithm, "numbers": numbers}
    rows = finalist.polars.hash_rows(engine("polars").all(), **given)
    frame = engine("polars").DataFrame(table).lazy().select(rows)
    return frame.collect(engine=engine_name)["digest"].to_list()


def of_extension(table, query):
    """Returns the first column of a query with DuckDB's loadable extension."""
    if EXTENSION is None:
        pytest.skip("make duckdb has not built the extension")
    connection = connect()
    connection.register("given", table)
    return [digest for (digest,) in connection.sql(query).fetchall()]


def extension_rows(algorithm, numbers):
    """Returns the name of a function of DuckDB's loadable extension."""
    return f"row_{algorithm}" + ("_by_value" if numbers == "by-value" else "")


def of_parquet(table, algorithm, numbers):
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(table, f"{folder}/in.parquet")
        given = {"columns": table.column_names, "numbers": numbers}
        finalist.parquet.hash_parquet(f"{folder}/in.parquet", f"{folder}/out", algorithm, **given)
        return pq.read_table(f"{folder}/out")["digest"].to_pylist()


#: Functions of a table, an algorithm and numbers.
ENGINES = {
    "chunks": lambda table, algorithm, numbers: finalist.hash_rows(
        pa.concat_tables([table.slice(0, 7), table.slice(7)]), algorithm, numbers=numbers
    ).to_list(),
    "parquet": of_parquet,
    "polars frame": lambda table, algorithm, numbers: finalist.hash_rows(
        engine("polars").DataFrame(table), algorithm, numbers=numbers
    ).to_list(),
    "polars": lambda *given: of_polars(*given, "in-memory"),
    "polars streaming": lambda *given: of_polars(*given, "streaming"),
    "duckdb relation": lambda table, algorithm, numbers: finalist.hash_rows(
        engine("duckdb").from_arrow(table), algorithm, numbers=numbers
    ).to_list(),
    "duckdb": of_duckdb,
    "duckdb extension": lambda table, *form: of_extension(
        table, f"select {extension_rows(*form)}(*columns(*)) from given"
    ),
    "duckdb extension, of the table": lambda table, *form: of_extension(
        table, f"select {extension_rows(*form)}(given) from given"
    ),
}
#: DuckDB's sums are HUGEINTs, which engines get as decimals.
SUMS = "select * replace (n::hugeint as n) from given"
BY_VALUE = ENGINES | {
    "duckdb relation of sums": lambda table, algorithm, numbers: finalist.hash_rows(
        engine("duckdb").from_arrow(table).query("given", SUMS), algorithm, numbers=numbers
    ).to_list(),
    "duckdb extension, of sums": lambda table, *form: of_extension(
        table, f"select {extension_rows(*form)}(t) from ({SUMS}) t"
    ),
}


def table_for(name):
    """Returns the columns whose types an engine has."""
    return TABLE.drop_columns([DURATIONS]) if "duckdb" in name else TABLE


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("algorithm", ["blake2s", "blake3"])
def test_one_table(name, algorithm):
    table = table_for(name)
    expected = finalist.hash_rows(table, algorithm).to_list()
    assert ENGINES[name](table, algorithm, "exact") == expected


@pytest.mark.parametrize("name", [name for name in ENGINES if "duckdb" in name])
def test_durations_in_duckdb(name):
    interval = pa.array([pa.MonthDayNano([0, 0, -86_399_999_999_000]), None] * 200)
    expected = finalist.hash_rows(pa.table({"u": interval}), "blake2s").to_list()
    assert ENGINES[name](TABLE.select([DURATIONS]), "blake2s", "exact") == expected


@pytest.mark.parametrize("name", BY_VALUE)
@pytest.mark.parametrize("table", [INTEGERS, DECIMALS], ids=["integers", "decimals"])
def test_equal_numbers(name, table):
    expected = finalist.hash_rows(INTEGERS, "blake2s", numbers="by-value").to_list()
    assert BY_VALUE[name](table, "blake2s", "by-value") == expected


def test_equal_numbers_are_not_exactly_equal():
    exact = [finalist.hash_rows(table, "blake2s").to_list() for table in (INTEGERS, DECIMALS)]
    differing = [one != other for one, other in zip(*exact, strict=True)]
    assert differing == [True, False, True, True, True] * 40  # The second row has no whole number.


def aggregate_of_polars(table, numbers, engine_name):
    frame = engine("polars").DataFrame(table).lazy()
    rows = finalist.polars.digest_agg(engine("polars").all(), numbers=numbers)
    return frame.select(rows).collect(engine=engine_name)["digest"].item()


#: Functions of a table and numbers.
AGGREGATES = {
    "frame of polars": lambda table, numbers: finalist.fingerprint(
        engine("polars").DataFrame(table), numbers=numbers
    ),
    "polars": lambda *given: aggregate_of_polars(*given, "in-memory"),
    "polars streaming": lambda *given: aggregate_of_polars(*given, "streaming"),
    "duckdb relation": lambda table, numbers: finalist.fingerprint(
        engine("duckdb").from_arrow(table), numbers=numbers
    ),
    "duckdb extension": lambda table, numbers: of_extension(
        table, f"select digest_agg(given, 'blake2s', '{numbers}') from given"
    )[0],
}


@pytest.mark.parametrize("name", AGGREGATES)
def test_one_fingerprint(name):
    table = table_for(name)
    shuffled = table.take(pa.array(range(table.num_rows - 1, -1, -1)))
    assert AGGREGATES[name](shuffled, "exact") == finalist.fingerprint(table)
    by_value = finalist.fingerprint(INTEGERS, numbers="by-value")
    assert AGGREGATES[name](DECIMALS, "by-value") == by_value != finalist.fingerprint(DECIMALS)


def test_one_tree():
    given = {"algorithm": "blake2s", "numbers": "by-value"}
    hashes = merkle.row_hashes(INTEGERS, **given)
    assert merkle.row_hashes(DECIMALS, **given) == hashes != merkle.row_hashes(DECIMALS, "blake2s")
    whole = merkle.range_root(hashes, "blake2s")
    proof = merkle.prove([whole], 7, hashes)
    row = DECIMALS.slice(7, 1)
    assert merkle.verify_row(proof, row, whole.root(), numbers="by-value")
    assert not merkle.verify_row(proof, row, whole.root())


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("must be 'exact' or 'by-value'", lambda given: merkle.row_hashes(TABLE, **given)),
        (
            "must be 'exact' or 'by-value'",
            lambda given: finalist.duckdb.register(engine("duckdb").connect(), **given),
        ),
        (
            "must be 'exact' or 'by-value'",
            lambda given: of_parquet(TABLE, "blake2s", given["numbers"]),
        ),
        (
            "numbers has no use with column",
            lambda given: finalist.parquet.hash_parquet("a", "b", "blake2s", column="x", **given),
        ),
    ],
)
def test_wrong_numbers(text, call):
    with pytest.raises(ValueError, match=text):
        call({"numbers": "all"})


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
