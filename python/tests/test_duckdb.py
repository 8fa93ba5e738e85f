# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the functions of finalist.duckdb in queries."""

import hashlib

import duckdb
import finalist
import finalist.duckdb
import pyarrow as pa
import pytest


@pytest.fixture
def connection():
    connection = duckdb.connect()
    finalist.duckdb.register(connection)
    return connection


ROWS = "(select case when i % 5 <> 0 then 'v' || i end as x from range(10000) t(i))"


def test_columns_with_nulls(connection):
    values = [f"v{i}" if i % 5 else None for i in range(10_000)]
    expected = [v and hashlib.blake2s(v.encode()).digest() for v in values]
    found = connection.sql(f"select blake2s(x) from {ROWS}").fetchall()
    assert sorted(found, key=str) == sorted(((digest,) for digest in expected), key=str)


@pytest.mark.parametrize("name", sorted(finalist.algorithms_available))
def test_every_algorithm(connection, name):
    extra = {"digest_size": 40} if name.startswith("blake2x") else {}
    if extra:
        finalist.duckdb.register(connection, name, **extra)
    found = connection.sql(f"select {name}('\\x41ä'), {name}('\\x41'::blob)").fetchall()
    expected = finalist.hash_many(name, ["\\x41ä".encode(), b"A"], **extra)
    assert found == [tuple(expected)]


def test_keys(connection):
    expected = [(hashlib.blake2b(b"abc", key=b"key").digest(),)]
    assert connection.sql("select blake2b('abc', 'key')").fetchall() == expected
    assert connection.sql("select blake2b('abc', 'key'::blob)").fetchall() == expected
    finalist.duckdb.register(connection, "blake2b", prefix="keyed_", key=b"key")
    assert connection.sql("select keyed_blake2b('abc')").fetchall() == expected
    other = [(hashlib.blake2b(b"abc", key=b"other").digest(),)]
    assert connection.sql("select keyed_blake2b('abc', 'other')").fetchall() == other
    for rows in (ROWS, "(values ('a'), ('b')) t(x)"):
        with pytest.raises(Exception, match="the same for all rows"):
            connection.sql(f"select blake2b(x, x) from {rows}").fetchall()
    rows = "(values ('abc', 'key'), ('abc', null)) t(x, k)"
    assert connection.sql(f"select blake2b(x, k) from {rows}").fetchall() == [*expected, (None,)]


def test_secrets_that_the_caller_overwrites(connection):
    """Queries run later, with the values that were given."""
    secrets = {"key": b"a key", "salt": b"a salt", "person": b"a person"}
    given = {name: bytearray(value) for name, value in secrets.items()}
    finalist.duckdb.register(connection, "blake2b", prefix="my_", **given)
    for value in given.values():
        value[:] = bytes(len(value))
    [found] = connection.sql("select my_blake2b('abc'), my_row_blake2b('abc')").fetchall()
    rows = finalist.hash_rows(pa.table({"x": ["abc"]}), "blake2b", **secrets)
    assert found == (hashlib.blake2b(b"abc", **secrets).digest(), rows[0])


@pytest.mark.parametrize("context", ["", "finalist 2026-11-28 tests"])
def test_derived_keys(connection, context):
    given = {"derive_key_context": context}
    finalist.duckdb.register(connection, "blake3", prefix="derived_", **given)
    table = pa.table({"x": ["one", None, "three" * 100]})
    connection.register("strings", table)
    found = connection.sql("select derived_blake3(x), derived_row_blake3(x) from strings")
    expected = finalist.hash_column("blake3", table["x"], **given).to_list()
    rows = finalist.hash_rows(table, "blake3", **given).to_list()
    assert found.fetchall() == list(zip(expected, rows, strict=True))
    with pytest.raises(duckdb.Error, match="cannot be used together"):
        connection.sql("select derived_blake3(x, repeat('k', 32)) from strings").fetchall()


def test_wrong_arguments(connection):
    for error, parameters in [(ValueError, {"digest_size": 99}), (ValueError, {"key": b"k" * 65})]:
        with pytest.raises(error):
            finalist.duckdb.register(connection, "blake2b", prefix="other_", **parameters)
    with pytest.raises(ValueError, match="unsupported hash type"):
        finalist.duckdb.register(connection, "blake2b", "nosuch", prefix="none_")
    with pytest.raises(Exception, match="none_blake2b does not exist"):
        connection.sql("select none_blake2b('a')")
    for wrong in (None, "file.duckdb", 5):
        text = f"a connection of duckdb is required, not '{type(wrong).__name__}'"
        with pytest.raises(TypeError, match=text):
            finalist.duckdb.register(wrong)
    with pytest.raises(Exception, match="binary or string"):
        connection.sql("select blake2s(5)").fetchall()
    for struct in ("{'a': 'one column'}", "t"):  # Arrow does not tell a struct from a table.
        with pytest.raises(Exception, match="binary or string .* not Arrow type struct"):
            connection.sql(f"select blake2s({struct}) from (select 'x' x) t").fetchall()
    with pytest.raises(Exception, match="takes a column, and perhaps a key"):
        connection.sql("select blake2s('a', 'b', 'c')").fetchall()
    with pytest.raises(Exception, match="maximum key length"):
        connection.sql(f"select blake2s('abc', '{'k' * 33}')").fetchall()


def test_rows(connection):
    query = """
        select i as n, case when i % 3 <> 0 then 'v' || i end as s, i / 4 as x,
               case when i % 5 <> 0 then [i, null] end as l, i::decimal(10, 2) as d
        from range(5000) t(i)"""
    table = connection.sql(query).to_arrow_table()
    expected = finalist.hash_rows(table, "blake2s").to_list()
    found = connection.sql(f"select row_blake2s(n, s, x, l, d) from ({query}) order by n")
    assert [digest for (digest,) in found.fetchall()] == expected
    found = connection.sql(f"select row_blake3(*columns(*)) from ({query}) order by n").fetchall()
    assert [digest for (digest,) in found] == finalist.hash_rows(table, "blake3").to_list()
    finalist.duckdb.register(connection, "blake2b", prefix="keyed_", key=b"key", digest_size=8)
    keyed = finalist.hash_rows(table, "blake2b", ["n"], key=b"key", digest_size=8).to_list()
    found = connection.sql(f"select keyed_row_blake2b(n) from ({query}) order by n").fetchall()
    assert [digest for (digest,) in found] == keyed
    found = connection.sql(f"select row_blake3(t) from ({query}) t order by n").fetchall()
    assert [digest for (digest,) in found] == finalist.hash_rows(table, "blake3").to_list()
    several = pa.table({"s": [{"n": 1}], "x": [2]})
    assert connection.sql("select row_blake3({'n': 1}, 2)").fetchall() == [
        (finalist.hash_rows(several, "blake3")[0],)
    ]
    assert connection.sql("select row_blake2s(null)").fetchall() == [
        (finalist.hash_rows(pa.table({"x": pa.nulls(1)}), "blake2s")[0],)
    ]
