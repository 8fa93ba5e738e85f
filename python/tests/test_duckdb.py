# SPDX-License-Identifier: MIT OR Apache-2.0
"""The functions of finalist.duckdb in queries."""

import hashlib

import duckdb
import finalist
import finalist.duckdb
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
    expected = finalist.hash_many(["\\x41ä".encode(), b"A"], name, **extra)
    assert found == [tuple(expected)]


def test_keys(connection):
    expected = [(hashlib.blake2b(b"abc", key=b"key").digest(),)]
    assert connection.sql("select blake2b('abc', 'key')").fetchall() == expected
    assert connection.sql("select blake2b('abc', 'key'::blob)").fetchall() == expected
    finalist.duckdb.register(connection, "blake2b", prefix="keyed_", key=b"key")
    assert connection.sql("select keyed_blake2b('abc')").fetchall() == expected
    with pytest.raises(Exception, match="the same for all rows"):
        connection.sql(f"select blake2b(x, x) from {ROWS}").fetchall()


def test_wrong_arguments(connection):
    for error, parameters in [(ValueError, {"digest_size": 99}), (ValueError, {"key": b"k" * 65})]:
        with pytest.raises(error):
            finalist.duckdb.register(connection, "blake2b", prefix="other_", **parameters)
    with pytest.raises(ValueError, match="unsupported hash type"):
        finalist.duckdb.register(connection, "nosuch")
    with pytest.raises(Exception, match="binary or string"):
        connection.sql("select blake2s(5)").fetchall()
    with pytest.raises(Exception, match="maximum key length"):
        connection.sql(f"select blake2s('abc', '{'k' * 33}')").fetchall()
