# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests arguments of hash_column and hash_rows without the Arrow PyCapsule interface against the
same values as Arrow data. test_pandas.py tests pandas."""

import array
import re
import subprocess
import sys
from xml.etree import ElementTree

import finalist
import finalist.tables
import numpy
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import engine
from finalist import _given, _tables, merkle
from pyarrow import dataset

VALUES = ["one", None, "", "é", "longer than the inline views' twelve bytes"]
TABLE = pa.table({"n": [3, 1, 2, None, 5], "s": VALUES})


def column(values):
    return finalist.hash_column("blake2s", values, digest_size=8).to_list()


def rows(table, *arguments, **parameters):
    return finalist.hash_rows(table, "blake2s", *arguments, **parameters).to_list()


@pytest.mark.parametrize(
    ("given", "values"),
    [
        (VALUES, VALUES),
        (tuple(VALUES), VALUES),
        ([b"a", "b", bytearray(b"c"), None], [b"a", b"b", b"c", None]),
        ([], []),
        ([None, None], [None, None]),
        (numpy.array(["é", "ab"]), ["é", "ab"]),
        (numpy.array(["é", "ab", "c"])[::2], ["é", "c"]),
        (numpy.array([b"a\0b", b""]), [b"a\0b", b""]),
        (numpy.array(["a\0b", ""]), ["a\0b", ""]),
        ({"x": numpy.array([b"a\0b"])}, [b"a\0b"]),
        (numpy.array([b"x", None, "y"], dtype=object), [b"x", None, b"y"]),
        (numpy.ma.array([b"x", b"y"], mask=[False, True], dtype=object), [b"x", None]),
        ({"x": VALUES}, VALUES),
        (pa.scalar(VALUES).values, VALUES),
        (type("Extension", (), {"__arrow_array__": lambda self, type: pa.array(VALUES)})(), VALUES),
    ],
)
def test_columns(given, values):
    assert column(given) == column(pa.array(values))


class Records:
    """A dataset like Hugging Face's, with some rows of a table in another order."""

    def __init__(self, table, order, chosen=None, form=None):
        self._table, self._order, self._form = table, order, form
        self.column_names = chosen or table.column_names
        self.features = type("Features", (), {"arrow_schema": table.schema})

    def with_format(self, form):
        return Records(self._table, self._order, self.column_names, form)

    def select_columns(self, names):
        return Records(self._table, self._order, names, self._form)

    def iter(self, batch_size):
        assert self._form == "arrow"
        assert batch_size > 1000
        for first in range(0, len(self._order), 2):
            yield self._table.select(self.column_names).take(self._order[first : first + 2])


def records():
    return Records(TABLE.take([4, 3, 2, 1, 0]), [4, 3, 2, 1, 0])


def stream():
    """A stream does not know the columns of a generator's rows before it reads them."""
    found = records()
    found.column_names = None
    return found


@pytest.mark.parametrize(
    "given",
    [
        lambda: TABLE,
        lambda: pa.RecordBatchReader.from_batches(TABLE.schema, TABLE.to_batches(2)),
        lambda: dataset.dataset(TABLE),
        lambda: dataset.dataset(TABLE).scanner(batch_size=2),
        lambda: dataset.dataset(TABLE.to_batches(2)),
        records,
        stream,
        lambda: TABLE.to_pydict(),
        lambda: TABLE.to_pylist(),
        lambda: {"n": numpy.ma.array([3, 1, 2, 0, 5], mask=[0, 0, 0, 1, 0]), "s": VALUES},
    ],
)
def test_tables(given):
    assert rows(given()) == rows(TABLE)
    assert rows(given(), ["s", "n"]) == rows(TABLE, ["s", "n"])
    assert rows(given(), ["s"]) == rows(TABLE, ["s"])
    assert merkle.row_hashes(given()) == merkle.row_hashes(TABLE)
    with pytest.raises(ValueError, match="no column 'x'"):
        rows(given(), ["n", "x"])
    with pytest.raises(ValueError, match="no pandas index"):
        rows(given(), index=True)
    with pytest.raises(TypeError, match="not a table of 2"):
        column(given())


def test_a_structured_array():
    structured = numpy.array([(1, 0.5, b"a\0b"), (2, 1.5, b"")], dtype="i4,f4,S3")
    table = pa.table({"f0": [1, 2], "f1": [0.5, 1.5], "f2": [b"a\0b", b""]})
    assert rows(structured) == rows(structured.view(numpy.recarray)) == rows(table)
    assert rows(structured[::-1], ["f2"]) == rows(table, ["f2"])[::-1]


def test_no_rows():
    for empty in (TABLE[:0], dataset.dataset(TABLE[:0]), Records(TABLE, [])):
        assert rows(empty) == []
    unknown = Records(TABLE, [])
    unknown.features = None
    assert rows(unknown) == []


def test_a_dataset_is_read_for_its_columns_alone(tmp_path):
    """A column without an encoding does not matter if others are named."""
    table = TABLE.append_column("deep", pa.array([[1]] * 5))
    assert rows(dataset.dataset(table), ["n", "s", "n"]) == rows(TABLE, ["n", "s", "n"])
    assert rows(Records(table, [0, 1, 2, 3, 4]), ["n"]) == rows(TABLE, ["n"])
    dataset.write_dataset(
        TABLE, tmp_path, format="parquet", max_rows_per_file=2, max_rows_per_group=2
    )
    assert rows(dataset.dataset(tmp_path)) == rows(TABLE)


class Whole(Records):
    """A dataset that must not be read with all its columns."""

    def with_format(self, form):
        raise AssertionError


def test_a_dataset_gives_only_the_columns_that_are_hashed():
    assert rows(Whole(TABLE, [0, 1, 2, 3, 4]), ["n"]) == rows(TABLE, ["n"])


class Counted(Records):
    """A dataset that knows how many rows it has, so that it can be read again."""

    def __len__(self):
        return len(self._order)


def test_tables_that_are_compared():
    """A stream has no number of rows and is read only once."""
    for given in (Counted(TABLE, [0, 1, 2, 3, 4]), Records(TABLE, [0, 1, 2, 3, 4])):
        assert finalist.fingerprint(given) == finalist.fingerprint(TABLE)
        assert finalist.diff(given, TABLE, "s").equal


@pytest.mark.parametrize(
    ("given", "is_known"),
    [
        (lambda _: TABLE, True),
        (lambda _: TABLE.to_batches()[0], True),
        (lambda _: TABLE.to_reader(), True),  # Read into memory.
        (lambda _: TABLE.to_pandas(), True),
        (lambda _: TABLE.to_pydict(), True),
        (lambda _: dataset.dataset(TABLE), True),
        (lambda _: Counted(TABLE, [0, 1, 2, 3, 4]), True),
        (lambda _: engine("polars").DataFrame(TABLE), True),
        (lambda _: engine("polars").DataFrame(TABLE).lazy(), True),
        (lambda folder: folder / "0.parquet", True),
        (lambda folder: folder, True),
        (lambda _: engine("duckdb").from_arrow(TABLE), False),
    ],
)
def test_the_number_of_rows_before_a_table_is_read(given, is_known, tmp_path):
    """With it, buckets of another table are refused."""
    for number in (0, 1):
        pq.write_table(TABLE[3 * number : 3 * number + 3], tmp_path / f"{number}.parquet")
    table = given(tmp_path)
    source = _tables.Source(table, "old")
    count = sum(batch.num_rows for batch in source.batches(["n"]))
    assert source.rows == (count if is_known else None) and count in (3, 5)
    others = finalist.tables.buckets(TABLE[:1], "s")
    if is_known:
        with pytest.raises(ValueError, match=f"^the old table has {count} rows, and its buckets"):
            finalist.diff(given(tmp_path), TABLE, "s", old_buckets=others)


def test_a_dictionary_of_datasets_is_no_table():
    for given in ({"train": records()}, {"n": [1], "train": records()}):
        names = re.escape(str(list(given)))
        with pytest.raises(TypeError, match=f"not a dict: choose one of its datasets, {names}$"):
            rows(given)


@pytest.mark.parametrize(
    "given",
    [
        "abc",
        b"abc",
        bytearray(b"a"),
        None,
        5,
        {"a"},
        object(),
        numpy.str_("ab"),
        numpy.bytes_(b"ab"),
        ElementTree.Element("iter"),  # Has iter, as a dataset of Hugging Face.
        type("Formatted", (), {"with_format": None})(),
    ],
)
def test_what_is_no_column(given):
    text = f"PyCapsule interface.*, not '{type(given).__name__}'$"
    for call in (column, rows):
        with pytest.raises(TypeError, match=text):
            call(given)


def test_arrays_of_what_cannot_be_hashed():
    for given in (array.array("i", [1]), [1, 2], numpy.arange(3), range(3)):
        with pytest.raises(TypeError, match="binary or string values are required"):
            column(given)
        with pytest.raises(TypeError, match="a table is required"):
            rows(given)
    for given in ([1, "x"], numpy.array([["a"]]), ["a", 1.5]):
        with pytest.raises((TypeError, ValueError)):
            column(given)


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        (["a", 4], TypeError, "^the given value at index 1, of type 'int': Expected bytes"),
        (("a", None, 4.5), TypeError, "^the given value at index 2, of type 'float': Expected"),
        ([4, "a"], ValueError, "^the given value at index 1, of type 'str': Could not convert"),
        (numpy.array(["a", 4], object), TypeError, "^the given value at index 1, of type 'int'"),
        ([object()], ValueError, "^the given value at index 0, of type 'object': Could not"),
        (["a", "\ud800"], ValueError, "^the given value at index 1, of type 'str': .*surrogates"),
        ([1, 2**70], OverflowError, "^the given value at index 1, of type 'int': Python int too"),
        (numpy.array([["a"]]), ValueError, "^only handle 1-dimensional arrays$"),
        (numpy.array([1, 2], ">i4"), TypeError, "^the given value at index 0, of type 'int32': "),
        ({"n": numpy.array([1j])}, TypeError, "^column 'n': the value at index 0, of type '"),
        ({"n": ["a", 4]}, TypeError, "^column 'n': the value at index 1, of type 'int': Expected"),
    ],
)
def test_values_of_several_types(given, error, text):
    for call in (column, rows):
        with pytest.raises(error, match=text):
            call(given)


def test_types_of_other_databases_are_not_those_of_duckdb():
    opaque = b'{"type_name": "hugeint", "vendor_name": "%s"}'
    assert _given.duckdb_type(opaque % b"DuckDB") == "hugeint"
    for other in (opaque % b"other", opaque % b"", b'{"type_name": "hugeint"}', b"[]", b"", b"5"):
        assert _given.duckdb_type(other) == ""


def test_without_pyarrow():
    program = """if True:
    import sys
    sys.modules["pyarrow"] = None
    import finalist
    for call in (
        lambda values: finalist.hash_column("blake2s", values),
        lambda values: finalist.hash_rows(values, "blake2s"),
    ):
        try:
            call(["a"])
        except ImportError as error:
            assert str(error) == "pyarrow, which makes Arrow data of 'list', is not installed"
        else:
            raise SystemExit("no error")
        try:
            call(None)
        except TypeError:
            continue
        raise SystemExit("no error")
    for name in ("diff", "fingerprint"):
        try:
            getattr(finalist, name)
        except ImportError as error:
            assert str(error) == f"pyarrow, which finalist.{name} needs, is not installed"
        else:
            raise SystemExit("no error")
    try:
        import pandas
    except ImportError:
        sys.exit()
    try:
        finalist.hash_column("blake2s", pandas.Series(["a"]))
    except ImportError as error:
        assert str(error) == "pyarrow, which makes Arrow data of 'Series', is not installed"
    else:
        raise SystemExit("no error")
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def test_another_missing_module_is_not_taken_for_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "finalist.tables", None)
    monkeypatch.delattr(finalist, "tables", raising=False)
    with pytest.raises(ImportError, match="finalist.tables"):
        finalist.diff  # noqa: B018


def test_only_the_columns_of_a_dataset_that_are_hashed_are_read():
    """A column that is missing or there twice is left to hash_rows, which reports it."""
    for columns, names, expected in [
        (["s"], ["n", "s"], ["s"]),
        (["s", "n", "s"], ["n", "s", "m"], ["s", "n"]),
        (None, ["n"], None),
        (["x"], ["n", "s"], None),
        (["n", "x"], ["n", "s"], None),
        (["n"], ["n", "n"], None),
    ]:
        assert _given._only(columns, names) == expected
