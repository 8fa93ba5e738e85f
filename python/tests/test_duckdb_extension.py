# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests DuckDB's loadable extension, which FINALIST_DUCKDB_EXTENSION names, in queries."""

import hashlib
import os
import pathlib

import duckdb
import finalist
import pytest

EXTENSION = os.environ.get("FINALIST_DUCKDB_EXTENSION")
pytestmark = pytest.mark.skipif(EXTENSION is None, reason="make duckdb has not built the extension")

FOOTER_BYTES = 534
#: Nulls, empty values, values that DuckDB stores inline (12 bytes) and longer ones.
ROWS = """(select i, case when i % 5 <> 0 then repeat('v' || i, i % 9) end as x,
           case when i % 7 <> 0 then 'k' || i % 3 end as k from range(10000) t(i))"""


def connect(extension=EXTENSION):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"load '{extension}'")
    return connection


@pytest.fixture(scope="module")
def connection():
    return connect()


def values():
    for i in range(10_000):
        yield f"v{i}" * (i % 9) if i % 5 else None, f"k{i % 3}" if i % 7 else None


@pytest.mark.parametrize("threads", [1, 3])
def test_columns_with_nulls(connection, threads):
    connection.execute(f"set threads = {threads}")
    expected = [x if x is None else hashlib.blake2s(x.encode()).digest() for x, _ in values()]
    found = connection.sql(f"select blake2s(x) from {ROWS} order by i").fetchall()
    assert found == [(digest,) for digest in expected]
    found = connection.sql(f"select blake2s(x::blob) from {ROWS} order by i").fetchall()
    assert found == [(digest,) for digest in expected]


def test_keys_that_differ_from_row_to_row(connection):
    expected = [
        None if x is None or k is None else hashlib.blake2b(x.encode(), key=k.encode()).digest()
        for x, k in values()
    ]
    for key in ("k", "k::blob"):
        found = connection.sql(f"select blake2b(x, {key}) from {ROWS} order by i").fetchall()
        assert found == [(digest,) for digest in expected]
    expected = [x and hashlib.blake2s(x.encode(), key=b"key").digest() for x, _ in values()]
    query = f"select blake2s(x, 'key') from {ROWS} where x <> '' order by i"
    assert connection.sql(query).fetchall() == [(digest,) for digest in expected if digest]
    query = "select blake2s('a', repeat('k', 1 + i % 2)) from range(5) s(i)"
    keys = [b"k" * (1 + i % 2) for i in range(5)]
    expected = [(hashlib.blake2s(b"a", key=key).digest(),) for key in keys]
    assert connection.sql(query).fetchall() == expected
    assert connection.sql("select blake2s('a', null), blake2s(null, 'k')").fetchall() == [
        (None, None)
    ]


@pytest.mark.parametrize("name", sorted(finalist.algorithms_available))
def test_every_algorithm_of_fixed_length(connection, name):
    query = f"select {name}('\\x41ä'), {name}('\\x41'::blob), {name}('')"
    if name.startswith("blake2x"):
        with pytest.raises(duckdb.CatalogException):
            connection.sql(query)
        return
    expected = finalist.hash_many(name, ["\\x41ä".encode(), b"A", b""])
    assert connection.sql(query).fetchall() == [tuple(expected)]


def test_every_function_and_form(connection):
    query = """select function_name, function_type, parameter_types, varargs, return_type
               from duckdb_functions()"""
    before = set(map(str, duckdb.connect().sql(query).fetchall()))
    added = [row for row in connection.sql(query).fetchall() if str(row) not in before]
    values, expected = ("BLOB", "VARCHAR"), []
    keyed = ("blake2b", "blake2s", "blake2bp", "blake2sp", "blake3")
    for name in finalist.algorithms_available:
        if name.startswith("blake2x"):
            continue
        keys = [[key] for key in values if name in keyed]
        forms = [[value, *key] for value in values for key in ([], *keys)]
        expected += [(name, "scalar", form, None, "BLOB") for form in forms]
        rows = (f"row_{name}", f"row_{name}_by_value")
        expected += [(row, "scalar", [], "ANY", "BLOB") for row in rows]
    for texts in range(3):
        form = ["ANY", *["VARCHAR"] * texts]
        expected.append(("digest_agg", "aggregate", form, None, "BLOB"))
    assert sorted(map(str, added)) == sorted(map(str, expected))
    query = "select extension_version from duckdb_extensions() where extension_name = 'finalist'"
    assert connection.sql(query).fetchall() == [(f"v{finalist.__version__}",)]


def test_digests_live_on_beside_others(connection):
    """Several calls for one batch, and aggregates that keep digests of earlier batches."""
    query = f"select blake2s(x), blake2s(k), groestl256(x) from {ROWS} order by i"
    expected = [
        tuple(
            value if value is None else constructor(value.encode()).digest()
            for constructor, value in ((hashlib.blake2s, x), (hashlib.blake2s, k))
        )
        for x, k in values()
    ]
    assert [row[:2] for row in connection.sql(query).fetchall()] == expected
    query = f"select count(distinct blake2s(i::varchar)), min(hex(blake2s(i::varchar))) from {ROWS}"
    digests = {hashlib.blake2s(b"%d" % i).hexdigest().upper() for i in range(10_000)}
    assert connection.sql(query).fetchall() == [(10_000, min(digests))]


def test_digests_are_compared_as_other_values_are(connection):
    digests = [hashlib.blake2s(b"%d" % i).digest() for i in range(10_000)]
    query = f"select i from {ROWS} where blake2s(i::varchar) = ?"
    for i in (0, 5000, 9999):
        assert connection.execute(query, [digests[i]]).fetchall() == [(i,)]
    query = f"select blake2s(i::varchar) as digest from {ROWS} order by digest"
    assert connection.sql(query).fetchall() == [(digest,) for digest in sorted(digests)]


def test_long_values(connection):
    [(found,)] = connection.sql("select groestl512(repeat('ab', 5000000))").fetchall()
    assert found == finalist.groestl512(b"ab" * 5_000_000).digest()


def test_wrong_arguments(connection):
    for query in ("blake2s(5)", "blake2s()", "groestl256('a', 'key')", "blake2b('a', 5)"):
        with pytest.raises(duckdb.BinderException):
            connection.sql(f"select {query}")
    secret = "secret" * 6
    with pytest.raises(duckdb.InvalidInputException, match="blake2s: .*key") as raised:
        connection.sql(f"select blake2s(x, '{secret}') from {ROWS}").fetchall()
    assert secret not in str(raised.value)


def test_load_demands_the_footer(tmp_path):
    content = pathlib.Path(EXTENSION).read_bytes()
    library = tmp_path / "finalist.duckdb_extension"
    damaged = content[:-FOOTER_BYTES] + content[-FOOTER_BYTES:].replace(b"linux_", b"plan9_")
    for wrong in (content[:-FOOTER_BYTES], damaged):
        library.write_bytes(wrong)
        with pytest.raises(duckdb.Error):
            connect(library)
    library.write_bytes(content)
    connect(library)


def test_load_demands_that_unsigned_extensions_are_allowed():
    with pytest.raises(duckdb.Error, match="signature"):
        duckdb.connect().execute(f"load '{EXTENSION}'")
