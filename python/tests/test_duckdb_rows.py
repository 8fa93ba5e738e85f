# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests row_NAME and digest_agg of DuckDB's loadable extension against hash_rows and fingerprint of
the same relation."""

import duckdb
import finalist
import pyarrow as pa
import pyarrow.compute
import pytest
from test_duckdb_extension import EXTENSION, connect

pytestmark = pytest.mark.skipif(EXTENSION is None, reason="make duckdb has not built the extension")

#: One value of each type, from a number i.
TYPES = {
    "boolean": "i % 2 = 0",
    "integers": """(i % 256 - 128)::tinyint, (i - 500)::smallint, (i - 500)::integer,
                   (i - 5) * 1000000007""",
    "unsigned": "(i % 200)::utinyint, i::usmallint, i::uinteger, 18446744073709551615 - i::ubigint",
    "hugeint": "(i - 500)::hugeint * 100000000000000000000, sum(i) over ()",
    "bounds of integers": """(9223372036854775806::hugeint + i % 5)::decimal(38, 0),
                             9223372036854775806::hugeint * 2 + i % 7,
                             -9223372036854775806::hugeint - i % 5,
                             (18446744073709551613::hugeint + i % 5)::decimal(38, 15),
                             repeat('9', 38)::decimal(38, 0)""",
    "floats": """(i / 8)::float, i / 8, if(i % 2 = 0, '-inf', 'nan')::double, -0.0::double,
                 -'nan'::float, -if(i % 3 = 0, i, 'nan'::double)""",
    "decimals": """(i % 900)::decimal(4, 1), (i * 10)::decimal(9, 2), i::decimal(18, 3),
                   (i - 500)::decimal(38, 10) * 1000000000""",
    "text": "repeat('ä', i % 20), i::varchar::blob, repeat('x', i * 10)",
    "long texts": "if(i % 500 = 0, repeat('ä', 40000), 'a'), {'a': repeat('x', i // 2999 * 70000)}",
    "enum": "('v' || i % 3)::kind, ('v' || i % 300)::kind300, ('v' || i * 20)::kind70000",
    "dates": "date '1969-12-01' + i::integer, time '01:02:03.000004' + to_seconds(i)",
    "timestamps": """timestamp '1969-12-31 23:59:59' + to_milliseconds(i),
                     (timestamp '1969-12-31 23:59:59' + to_seconds(i))::timestamp_s,
                     (timestamp '1969-12-31 23:59:59' + to_milliseconds(i))::timestamp_ms,
                     (timestamp '1969-12-31 23:59:59' + to_milliseconds(i))::timestamp_ns,
                     (timestamp '1969-12-31 23:59:59' + to_milliseconds(i))::timestamptz""",
    "uuid": "md5(i::varchar)::uuid",
    "interval": "to_months((i - 500)::integer) + to_microseconds(i)",
    "list": "if(i % 5 = 0, [], [i, null, i * 2]), [[i], null, []], [i::varchar]",
    "long lists": "range(i % 90), [range(i % 60), range(i % 7)], repeat([i::varchar], 50)",
    "array": "[i, i + 1, null]::integer[3]",
    "struct": "{'a': i, 'b': {'c': if(i % 2 = 0, 'x', null)}}, {'z': [i]}",
    "tuple": "row(i, 'x'), [row(i, null)], {'a': row(row(i), 2)}, map {i: row(i)}",
    "map": "map {'b' || i: 1, 'a': null}, map {i: map {1: [i]}}",
    "long names": f"{{'a': {{'{'ä' * 200}': i}}}}",
    "nested before flat": "[i], i, {'a': i}, i::varchar",
    "null": "null",
    "constants": "5, 'five', [1, 2], {'a': 1}",
}


@pytest.fixture(scope="module")
def connection():
    connection = connect()
    connection.execute("create type kind as enum ('v0', 'v1', 'v2')")
    for count in (300, 70_000):  # the numbers of values have 16 and 32 bits
        values = f"select 'v' || i from range({count}) s(i)"
        connection.execute(f"create type kind{count} as enum ({values})")
    return connection


def table_of(connection, text, rows=3000):
    """Makes a table t of the values, without and with nulls, and returns it as Arrow data."""
    query = f"select {text} from range({rows}) s(i)"
    count = range(len(connection.sql(query).columns))
    plain = ", ".join(f"c{n}" for n in count)
    chosen = ", ".join(f"c{n}, case when i % 7 <> 0 then c{n} end as d{n}" for n in count)
    query = f"select *, row_number() over () as i from ({query}) as plain({plain})"
    connection.execute(f"create or replace table t as select {chosen} from ({query})")
    return connection.sql("select * from t").to_arrow_table()


@pytest.mark.parametrize("name", TYPES)
def test_types(connection, name):
    table = table_of(connection, TYPES[name])
    for algorithm in ("blake2s", "blake3"):
        expected = finalist.hash_rows(table, algorithm).to_list()
        for arguments in ("*columns(*)", "t"):
            found = connection.sql(f"select row_{algorithm}({arguments}) from t").fetchall()
            assert [digest for (digest,) in found] == expected
    found = connection.sql("select digest_agg(t) from t").fetchall()
    assert found == [(finalist.fingerprint(table),)]


def test_vectors_that_are_not_flat(connection, tmp_path):
    """Tests constants and dictionaries of Parquet."""
    place = tmp_path / "t.parquet"
    query = "select 'v' || i % 5 as a, i % 3 as b, 7 as c, [i % 2] as d from range(20000) s(i)"
    connection.execute(f"copy ({query}) to '{place}'")
    table = connection.sql(f"select *, 'x' as e, [1] as f from '{place}'").to_arrow_table()
    found = connection.sql(
        f"select row_blake3(t), row_blake3(*columns(*)) from (select *, 'x' as e, [1] as f"
        f" from '{place}') t"
    ).fetchall()
    expected = finalist.hash_rows(table, "blake3").to_list()
    assert found == [(digest, digest) for digest in expected]
    found = connection.sql(f"select digest_agg(t) from (select *, 'x' as e from '{place}') t")
    assert found.fetchall() == [(finalist.fingerprint(table.drop_columns(["f"])),)]


@pytest.mark.parametrize("name", TYPES)
def test_numbers_by_value(connection, name):
    table = table_of(connection, TYPES[name])
    expected = finalist.hash_rows(table, "blake3", numbers="by-value").to_list()
    for arguments in ("*columns(*)", "t"):
        found = connection.sql(f"select row_blake3_by_value({arguments}) from t").fetchall()
        assert [digest for (digest,) in found] == expected


def test_numbers_by_value_in_groups(connection):
    """Whole decimals have the digests of integers only by value."""
    connection.execute("create or replace table whole as select i from range(50000) r(i)")
    connection.execute("create or replace table part as select i::decimal(9, 2) as i from whole")
    table = connection.sql("select * from whole").to_arrow_table()
    decimals = connection.sql("select * from part").to_arrow_table()
    by_value = finalist.fingerprint(table, algorithm="blake3", numbers="by-value")
    exact = [finalist.fingerprint(each, algorithm="blake3") for each in (table, decimals)]
    assert by_value == exact[0] != exact[1]
    for name, digest in zip(("whole", "part"), exact, strict=True):
        query = f"""select digest_agg(t, 'blake3', 'by-value'), digest_agg(t, 'blake3', 'exact'),
                    digest_agg(t, 'blake3') from {name} t"""
        for threads in (1, 4):
            connection.execute(f"set threads = {threads}")
            assert connection.sql(query).fetchall() == [(by_value, digest, digest)]


def test_groups_that_are_combined_with_empty_ones(connection):
    """DuckDB combines the groups of parts of a window, which have no rows here but null."""
    frame = "order by i rows between 300 preceding and current row"
    query = f"""select distinct digest_agg(if(i % 1000 < 40, {{'a': i}}, null)) over ({frame})
                from range(3000) s(i) qualify i = 2250"""
    expected = connection.sql("select digest_agg({'a': i}) from range(2000, 2040) s(i)").fetchall()
    assert connection.sql(query).fetchall() == expected
    form = "if(i < 2048, 'blake3', 'blake2s')"  # 2048: no part has rows of both
    query = f"""select digest_agg({{'a': i}}, {form}) over ({frame}) as d
                from range(3000) s(i) qualify i = 2250 and d is not null"""
    with pytest.raises(duckdb.Error, match="Error: digest_agg: .* the same"):
        connection.sql(query).fetchall()


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize(
    "form",
    [
        "if(i < {}, 'blake3', 'blake2s')",
        "if(i < {}, 'blake2s', 'blake3')",
        "'blake2s', if(i < {}, 'exact', 'by-value')",
        "'blake2s', if(i < {}, 'by-value', 'exact')",
    ],
)
def test_a_form_that_changes_between_chunks(connection, threads, form):
    """Each chunk, of 2048 rows, has one form, and so has each of the groups that are combined."""
    connection.execute(f"set threads = {threads}")
    connection.execute("create or replace table t as select i from range(500000) r(i)")
    for first in (2048, 122880 * 2):
        with pytest.raises(duckdb.Error, match="digest_agg: .*must be the same for all rows"):
            connection.sql(f"select digest_agg(t, {form.format(first)}) from t").fetchall()


def test_more_groups_than_a_chunk_has_rows(connection):
    query = """select g, digest_agg(if(g % 5 = 0, null, struct_pack(g := g, i := i)))
               from (select i % 5000 as g, i from range(10000) r(i)) group by g order by g"""
    found = connection.sql(query).fetchall()
    assert len(found) == 5000
    for g, digest in found:
        table = pa.table({"g": [g, g], "i": [g, g + 5000]})
        assert g % 50 > 1 or digest == (finalist.fingerprint(table) if g % 5 else None)
        assert (digest is None) == (g % 5 == 0)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("algorithm", ["blake2s", "blake3", "blake2b", "blake256", "groestl256"])
def test_groups(connection, threads, algorithm):
    connection.execute(f"set threads = {threads}")
    connection.execute(
        "create or replace table t as select i % 13 as g, i, 'v' || i as s from range(40000) r(i)"
        " order by hash(i)"
    )
    found = connection.sql(f"select g, digest_agg(t, '{algorithm}') from t group by g order by g")
    table = connection.sql("select * from t order by i").to_arrow_table()
    expected = [
        (
            g,
            finalist.fingerprint(
                table.filter(pa.compute.equal(table["g"], g)), algorithm=algorithm
            ),
        )
        for g in range(13)
    ]
    assert found.fetchall() == expected
    found = connection.sql("select digest_agg(struct_pack(i := i, s := s)) from t").fetchall()
    assert found == [(finalist.fingerprint(table, ["i", "s"]),)]


def test_rows_without_names(connection):
    """DuckDB exports their fields as element1 and so on."""
    row = f"row(i, 'v' || i, {', '.join(map(str, range(3, 13)))})"
    table = connection.sql(f"select {row} as r from range(9) t(i)").to_arrow_table()
    found = connection.sql(f"select digest_agg({row}) from range(9) t(i)").fetchall()
    rows = pa.Table.from_struct_array(table["r"])
    assert rows.column_names == [f"element{n}" for n in range(1, 13)]
    assert found == [(finalist.fingerprint(rows),)]


@pytest.mark.slow
def test_a_list_or_map_above_one_gibibyte(connection):
    text = "repeat('x', 600_000_000)"
    for columns, column in (
        (f"[{text}, {text}], 1", "argument 1"),
        (f"{{'a': 1, 'b': map {{1: {text}, 2: {text}}}}}", 'column "b"'),
    ):
        message = f"row_blake3: {column}: it has a list or map longer than 1 GiB"
        with pytest.raises(duckdb.Error, match=message):
            connection.sql(f"select row_blake3({columns})").fetchall()


def test_groups_of_few_rows(connection):
    connection.execute("create or replace table t as select i % 61 as g, i from range(6100) r(i)")
    found = connection.sql("select g, digest_agg(t) from t group by g order by g").fetchall()
    groups = [pa.table({"g": [g] * 100, "i": range(g, 6100, 61)}) for g in range(61)]
    assert found == [(g, finalist.fingerprint(table)) for g, table in enumerate(groups)]


def test_no_rows(connection):
    connection.execute("create or replace table t as select 1 as a")
    found = connection.sql("select digest_agg(t) from t where a > 1").fetchall()
    assert found == [(None,)]
    query = "select digest_agg(r) from (values ({'a': 1}), (null), ({'a': 2})) v(r)"
    assert connection.sql(query).fetchall() == [(finalist.fingerprint(pa.table({"a": [1, 2]})),)]
    for nothing in ("null::struct(a int)", "row(1, 2)) filter (false"):
        assert connection.sql(f"select digest_agg({nothing})").fetchall() == [(None,)]
    query = """select digest_agg(r) over (order by r rows 1 preceding)
               from (values ({'a': 1}), ({'a': 2})) v(r)"""
    expected = [finalist.fingerprint(pa.table({"a": a})) for a in ([1], [1, 2])]
    assert connection.sql(query).fetchall() == [(digest,) for digest in expected]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("select digest_agg(5)", "digest_agg: a row is required"),
        ("select digest_agg({'a': 1}, 'nosuch')", "digest_agg: there is no such algorithm"),
        ("select digest_agg({'a': 1}, null)", "the second argument is the name of an algorithm"),
        ("select digest_agg({'a': 1}, repeat('x', 99))", "is the name of an algorithm"),
        ("select digest_agg({'a': 1}, 'blake224')", "digest_agg: .*length"),
        (
            "select digest_agg({'a': i}, ['blake3', 'blake2s'][i]) from (values (1), (2)) t(i)",
            "digest_agg: .*the same",
        ),
        ("select digest_agg({'a': 1}, 'blake3', null)", "third argument is 'exact' or 'by-value'"),
        (
            "select digest_agg({'a': i}, 'blake3', ['exact', 'by-value'][i])"
            " from (values (1), (2)) t(i)",
            "the same for all rows",
        ),
        ("select digest_agg([1::uhugeint])", "digest_agg: a row is required"),
        ("select row_blake2s('01:02:03+01'::timetz)", "row_blake2s: argument 1: .* to VARCHAR"),
        ("select row_groestl0_256_by_value(1::uhugeint)", "row_groestl0_256_by_value: arg.* 1: "),
        ("select row_blake2s(1, {'a': 1}, [1::uhugeint])", "row_blake2s: argument 3: .* VARCHAR"),
        ("select row_blake2s({'a': 1, 'b': [1::uhugeint]})", 'row_blake2s: column "b": .* VARCH'),
        ("select row_blake2s({'a': [1::uhugeint]}, 2)", "row_blake2s: argument 1: .* to VARCHAR"),
        ("select row_blake2s(row(1, 1::uhugeint))", 'row_blake2s: column "element2": .* VARCHAR'),
        (f"select row_blake2s({{'{'ä' * 40}': 1::uhugeint}})", "row_blake2s: column 1: .* VARCHAR"),
        ("select digest_agg({'a': '101'::bit, 'b': 1})", 'digest_agg: column "a": .* to VARCHAR'),
        ("select digest_agg({'a': 1}, 'blake224')", "digest_agg: [^:]*$"),
        (f"select row_blake3({'[' * 66}1{']' * 66})", "argument 1: .* more than 64 levels"),
    ],
)
def test_errors(connection, query, text):
    with pytest.raises(duckdb.Error, match=text):
        connection.sql(query).fetchall()
