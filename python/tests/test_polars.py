# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the expressions of finalist.polars: eager, lazy, streaming, grouped."""

import ctypes
import hashlib
import pickle

import finalist
import finalist.polars
import polars as pl
import pyarrow as pa
import pytest
from test_hostile import RELEASE, Array, Schema

VALUES = [None if i % 7 == 3 else f"{i}" * (i % 20) for i in range(1000)]
FRAME = pl.DataFrame({"x": VALUES, "group": [i % 10 for i in range(1000)]})


def digests(values, **parameters):
    return [v if v is None else hashlib.blake2s(v.encode(), **parameters).digest() for v in values]


@pytest.mark.parametrize("kind", [pl.String, pl.Binary])
def test_strings_and_binary(kind):
    found = FRAME.select(pl.col("x").cast(kind).fin.blake2s())
    assert found.schema == {"x": pl.Binary}
    assert found["x"].to_list() == digests(VALUES)


def test_methods_are_named_like_their_algorithms():
    for name in finalist.algorithms_available:
        method = getattr(finalist.polars.Namespace, name)
        assert (method.__name__, method.__qualname__) == (name, f"Namespace.{name}")
        assert f" with {name};" in method.__doc__


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_lazy_queries(engine):
    query = FRAME.lazy().with_columns(digest=pl.col("x").fin.blake2s(key=b"k", digest_size=9))
    assert query.collect_schema()["digest"] == pl.Binary
    assert query.collect(engine=engine)["digest"].to_list() == digests(
        VALUES, key=b"k", digest_size=9
    )


def test_slices_chunks_groups_and_nothing():
    chunks = pl.concat([FRAME.slice(5, 10), FRAME.slice(100, 0), FRAME], rechunk=False)
    expression = pl.col("x").fin.blake2s()
    assert chunks.select(expression)["x"].to_list() == digests(VALUES[5:15] + VALUES)
    assert FRAME.filter(False).select(expression)["x"].to_list() == []
    grouped = FRAME.group_by("group", maintain_order=True).agg(expression)
    assert grouped["x"].to_list() == [digests(VALUES[g::10]) for g in range(10)]
    assert FRAME.select(pl.lit("abc").fin.blake2s()).item() == hashlib.blake2s(b"abc").digest()


@pytest.mark.slow
def test_more_digests_than_a_buffer_of_views_has():
    """A buffer has 1 GiB: the offsets of views have 31 bits."""
    size, values = 1 << 20, [f"{row}" for row in range(1026)]
    found = pl.DataFrame({"x": values}).select(pl.col("x").fin.blake3(digest_size=size))["x"]
    for row in (0, 1023, 1024, 1025):
        assert found[row] == finalist.blake3(values[row].encode(), digest_size=size).digest()


@pytest.mark.parametrize("name", sorted(finalist.algorithms_available))
def test_every_algorithm_is_a_method(name):
    extra = {"digest_size": 40} if name.startswith("blake2x") else {}
    found = FRAME.select(getattr(pl.col("x").fin, name)(**extra))["x"].to_list()
    assert found == finalist.hash_column(name, FRAME["x"], **extra).to_list()


@pytest.mark.parametrize("context", ["", "finalist 2026-11-28 tests"])
def test_derived_keys(context):
    given = {"derive_key_context": context}
    query = FRAME.lazy().select(
        method=pl.col("x").fin.blake3(**given),
        hash=finalist.polars.hash(pl.col("x"), "blake3", **given),
        rows=finalist.polars.hash_rows("x", "group", algorithm="blake3", **given),
    )
    found = query.collect().to_dict(as_series=False)
    assert found["method"] == found["hash"]
    assert found["hash"] == finalist.hash_column("blake3", FRAME["x"], **given).to_list()
    assert found["rows"] == finalist.hash_rows(FRAME, "blake3", **given).to_list()


def test_wrong_parameters_are_refused_when_the_query_is_written():
    for error, parameters in [
        (ValueError, {"digest_size": 99}),
        (ValueError, {"key": b"k" * 33}),
        (TypeError, {"key": "text"}),
        (TypeError, {"nosuch": 1}),
    ]:
        with pytest.raises(error):
            pl.col("x").fin.blake2s(**parameters)
    with pytest.raises(ValueError, match="unsupported hash type"):
        pl.col("x").fin.hash("nosuch")
    with pytest.raises(ValueError, match="takes no derive_key_context"):
        finalist.polars.hash_rows("x", algorithm="blake2s", derive_key_context="")
    with pytest.raises(ValueError, match="cannot be used together"):
        pl.col("x").fin.blake3(key=bytes(32), derive_key_context="x")


def test_other_types_fail_the_query():
    with pytest.raises(pl.exceptions.ComputeError, match="binary or string"):
        FRAME.select(pl.col("group").fin.blake2s())
    with pytest.raises(pl.exceptions.ComputeError, match="binary or string"):
        FRAME.lazy().select(pl.col("group").fin.blake2s()).collect_schema()


def test_keys_are_not_shown():
    query = FRAME.lazy().select(pl.col("x").fin.blake2s(key=b"correct horse"))
    assert "horse" not in str(pl.col("x").fin.blake2s(key=b"correct horse"))
    assert "horse" not in query.explain()


def test_arguments_from_elsewhere_get_no_class():
    with pytest.raises(pickle.UnpicklingError):
        finalist.polars._arguments(pickle.dumps({"algorithm": pytest.raises}))


ROWS = pl.DataFrame(
    {
        "n": [1, None, -3],
        "s": ["a", None, "é"],
        "l": [[1, None], [], None],
        "e": pl.Series(["x", "y", "x"], dtype=pl.Enum(["x", "y"])),
    }
)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_rows(engine):
    expected = finalist.hash_rows(ROWS, "blake2s", key=b"k").to_list()
    rows = finalist.polars.hash_rows(pl.all(), algorithm="blake2s", key=b"k")
    query = ROWS.lazy().with_columns(rows)
    assert query.collect_schema()["digest"] == pl.Binary
    assert query.collect(engine=engine)["digest"].to_list() == expected
    flat = finalist.polars.hash_rows("n", pl.col("s"), algorithm="blake3", version=2)
    found = ROWS.lazy().select(flat).collect(engine=engine)["digest"].to_list()
    assert found == finalist.hash_rows(ROWS, "blake3", ["n", "s"], version=2).to_list()


def test_rows_of_slices_groups_joins_and_nothing():
    rows = finalist.polars.hash_rows("x", "group", algorithm="blake2s")
    expected = finalist.hash_rows(FRAME, "blake2s").to_list()
    chunks = pl.concat([FRAME.slice(5, 10), FRAME.slice(100, 0), FRAME], rechunk=False)
    assert chunks.select(rows)["digest"].to_list() == expected[5:15] + expected
    assert FRAME.filter(False).select(rows)["digest"].to_list() == []
    by_row = finalist.polars.hash_rows("x", algorithm="blake2s")
    grouped = FRAME.group_by("group", maintain_order=True).agg(by_row)
    single = finalist.hash_rows(FRAME.select("x"), "blake2s").to_list()
    assert grouped["digest"].to_list() == [single[g::10] for g in range(10)]
    joined = FRAME.lazy().with_columns(rows).join(FRAME.lazy().select(rows), on="digest")
    assert joined.collect().height >= FRAME.height


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (("n", "n", "s"), ["n", "n", "s"]),
        ((pl.all(), "s", pl.col("n", "s")), ["n", "s", "l", "e", "s", "n", "s"]),
        (("s", pl.exclude("l")), ["s", "n", "s", "e"]),
        ((pl.col("n").alias("s"), "s", pl.col("n")), ["n", "s", "n"]),
    ],
)
def test_rows_with_repeated_columns(columns, names):
    rows = ROWS.select(finalist.polars.hash_rows(*columns, algorithm="blake2s", version=2))
    table = pl.DataFrame({str(place): ROWS[name] for place, name in enumerate(names)})
    assert rows["digest"].to_list() == finalist.hash_rows(table, "blake2s", version=2).to_list()


def test_rows_of_constants():
    rows = finalist.polars.hash_rows(pl.lit("x"), "n", pl.lit("y"), 7, algorithm="blake2s")
    table = pl.DataFrame({"a": ["x"] * 3, "n": ROWS["n"], "b": ["y"] * 3, "c": [7] * 3})
    assert ROWS.select(rows)["digest"].to_list() == finalist.hash_rows(table, "blake2s").to_list()


def test_rows_as_the_key_of_a_join():
    rows = finalist.polars.hash_rows("n", "s", algorithm="blake2s").meta.undo_aliases()
    assert ROWS.join(ROWS.reverse(), on=rows, how="semi").height == 3
    assert ROWS.join(ROWS.slice(1, 1), on=rows, how="anti")["n"].to_list() == [1, -3]
    value = pl.col("s").fin.blake2s()
    assert ROWS.join(ROWS.reverse(), on=value, how="semi")["s"].to_list() == ["a", "é"]


def test_rows_without_an_encoding():
    frame = ROWS.with_columns(o=pl.Series([object()] * 3, dtype=pl.Object))
    with pytest.raises(Exception, match="finalist|Object|object"):
        frame.select(finalist.polars.hash_rows(pl.all(), algorithm="blake2s"))
    rows = finalist.polars.hash_rows(pl.all(), algorithm="blake2s", version=1)
    for query in (lambda: ROWS.select(rows), lambda: ROWS.lazy().select(rows).collect_schema()):
        with pytest.raises(pl.exceptions.ComputeError, match="column 'l': Arrow type .* version 1"):
            query()
    for parameters in ({"version": 3}, {"numbers": "no"}, {"digest_size": 99}):
        with pytest.raises(ValueError):
            finalist.polars.hash_rows(pl.all(), algorithm="blake2s", **parameters)


class Series(ctypes.Structure):
    """A series in the interface of Polars' plugins."""

    _fields_ = [
        ("field", ctypes.c_void_p),
        ("arrays", ctypes.POINTER(ctypes.c_void_p)),
        ("len", ctypes.c_size_t),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


@pytest.mark.parametrize(
    ("name", "values", "count"),
    [
        ("finalist_hash", pa.array(["a", None]), 1),
        ("finalist_hash", pa.array([1]), 1),
        ("finalist_hash", pa.array(["a"]), 2),
        ("finalist_hash_rows", pa.array([{"x": 1}, {"x": 2}]), 1),
        ("finalist_hash_rows", pa.array([1]), 1),
    ],
)
def test_the_plugin_releases_its_inputs_once(name, values, count):
    """Also those that it refuses."""
    released, made = [], Series()
    release = RELEASE(released.append)
    inputs = (Series * count)()
    arrays = [(Array * 1)() for _ in inputs]
    fields = [Schema() for _ in inputs]
    for one, array, field in zip(inputs, arrays, fields, strict=True):
        values._export_to_c(ctypes.addressof(array), ctypes.addressof(field))
        one.field, one.len = ctypes.addressof(field), 1
        one.arrays = (ctypes.c_void_p * 1)(ctypes.addressof(array))
        one.release = ctypes.cast(release, ctypes.c_void_p)
    parameters = finalist.polars._parameters("blake2s", None, b"", b"", b"", None)
    pickled = pickle.dumps(parameters)
    call = getattr(ctypes.CDLL(finalist._finalist.__file__), f"_polars_plugin_{name}")
    call.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    call.argtypes += [ctypes.c_void_p, ctypes.c_void_p]
    call.restype = None
    call(inputs, count, pickled, len(pickled), ctypes.byref(made), None)
    assert released == [ctypes.addressof(one) for one in inputs]
    is_right = len(values) == 2
    assert bool(made.release) == is_right
    for field in fields:
        pa.Field._import_from_c(ctypes.addressof(field))  # Frees it.
    if is_right:
        digests = pa.Array._import_from_c(made.arrays[0], made.field)
        is_rows = name.endswith("rows")
        expected = (
            finalist.hash_rows(pa.table({"x": [1, 2]}), "blake2s") if is_rows
            else finalist.hash_column("blake2s", values)
        )
        assert digests.to_pylist() == expected.to_list()
        RELEASE(made.release)(ctypes.addressof(made))
        assert not made.release


def test_salt_and_personalisation_are_told_apart():
    secrets = {"key": b"a key", "salt": b"a salt", "person": b"a person"}
    found = pl.DataFrame({"x": [b"one"]}).select(pl.col("x").fin.blake2b(**secrets))["x"]
    assert found.to_list() == [finalist.blake2b(b"one", **secrets).digest()]
