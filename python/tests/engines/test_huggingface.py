# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests Hugging Face datasets, whose rows may be in another order than in their Arrow tables."""

import datasets
import finalist
import pyarrow as pa
import pytest
from finalist import tables

ROWS = {"n": [3, 1, 2], "s": ["x", "y", None]}
DATASET = datasets.Dataset.from_dict(ROWS)


def digests(table, *columns):
    return finalist.hash_rows(table, "blake2s", list(columns) or None).to_list()


@pytest.mark.parametrize(
    ("dataset", "order"),
    [
        (DATASET, [0, 1, 2]),
        (DATASET.sort("n"), [1, 2, 0]),
        (DATASET.filter(lambda row: row["n"] > 1), [0, 2]),
        (DATASET.select([2, 0, 0]), [2, 0, 0]),
        (datasets.concatenate_datasets([DATASET, DATASET.sort("n")]), [0, 1, 2, 1, 2, 0]),
        (DATASET.to_iterable_dataset(), [0, 1, 2]),
        (DATASET.with_format("numpy"), [0, 1, 2]),
        (DATASET.select([]), []),
    ],
)
def test_rows(dataset, order):
    table = pa.table(ROWS).take(pa.array(order, pa.int64()))
    assert digests(dataset) == digests(table)
    assert digests(dataset, "s", "n") == digests(table, "s", "n")
    found = finalist.hash_column("blake2s", dataset.select_columns("s")).to_list()
    assert found == finalist.hash_column("blake2s", table["s"]).to_list()


def test_tables():
    """A stream of rows is read into memory, since it might give them only once."""
    table = pa.table(ROWS)
    for dataset in (DATASET, DATASET.to_iterable_dataset()):
        assert finalist.fingerprint(dataset) == finalist.fingerprint(table)
        assert finalist.diff(dataset, table, "n").equal
        assert tables.buckets(dataset, "n") == tables.buckets(table, "n")


CALLS = (
    lambda given: finalist.hash_rows(given, "blake2s"),
    finalist.fingerprint,
    lambda given: finalist.diff(given, DATASET, "n"),
)


@pytest.mark.parametrize("call", CALLS)
def test_several_datasets(call):
    parts = {"train": DATASET, "test": DATASET}
    streams = {name: part.to_iterable_dataset() for name, part in parts.items()}
    for given in (datasets.DatasetDict(parts), datasets.IterableDatasetDict(streams)):
        with pytest.raises(TypeError, match=r"not a .*Dict: choose one .*\['train', 'test'\]"):
            call(given)


@pytest.mark.parametrize("call", CALLS)
def test_a_stream_of_a_generator(call):
    """datasets makes tables of the rows, with the types of each row's values."""
    rows = [{"n": 1, "s": "x"}, {"n": 2, "s": None}]
    stream = datasets.IterableDataset.from_generator(lambda: iter(rows), features=DATASET.features)
    with pytest.raises(ValueError, match="make a Dataset of them, not an IterableDataset: Schema"):
        call(stream)


def test_a_column():
    found = finalist.hash_column("blake2s", DATASET["s"]).to_list()
    assert found == finalist.hash_column("blake2s", ROWS["s"]).to_list()
