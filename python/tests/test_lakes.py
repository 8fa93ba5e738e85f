# SPDX-License-Identifier: MIT OR Apache-2.0
"""Snapshots of Delta Lake and Iceberg, through their Arrow scanners."""

import finalist
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from finalist.parquet import hash_parquet

OLD = pa.table({"id": [1, 2, 3], "name": ["one", "two", "three"]})
NEW = pa.table({"id": [3, 1, 4], "name": ["three", "ONE", "four"]})
COUNTS = {"added": 1, "removed": 1, "changed": 1, "duplicates": 0}


def test_delta(tmp_path):
    deltalake = pytest.importorskip("deltalake")
    for table in (OLD, NEW):
        deltalake.write_deltalake(tmp_path, table, mode="overwrite")
    versions = [deltalake.DeltaTable(tmp_path, version=version) for version in (0, 1)]
    old, new = (version.to_pyarrow_dataset() for version in versions)
    assert finalist.diff(old, new, "id").counts == COUNTS
    assert finalist.fingerprint(old) == finalist.fingerprint(OLD)


def test_the_folder_of_a_delta_table_is_refused(tmp_path):
    """It also has the files of older versions."""
    pq.write_table(OLD, tmp_path / "part.parquet")
    (tmp_path / "_delta_log").mkdir()
    for call in (
        lambda: finalist.fingerprint(str(tmp_path)),
        lambda: finalist.diff(str(tmp_path), OLD, "id"),
        lambda: hash_parquet(str(tmp_path), str(tmp_path) + "-out", "blake2b", column="name"),
    ):
        with pytest.raises(ValueError, match="is a Delta table.*to_pyarrow_dataset"):
            call()


def test_iceberg(tmp_path):
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    place = {"uri": f"sqlite:///{tmp_path}/catalog", "warehouse": f"file://{tmp_path}"}
    catalog = sql.SqlCatalog("catalog", **place)
    catalog.create_namespace("tests")
    table = catalog.create_table("tests.rows", schema=OLD.schema)
    table.append(OLD)
    first = table.current_snapshot().snapshot_id
    table.overwrite(NEW)
    old, new = table.scan(snapshot_id=first), table.scan()
    assert finalist.diff(old.to_arrow(), new.to_arrow(), "id").counts == COUNTS
    readers = (scan.to_arrow_batch_reader() for scan in (old, new))
    assert finalist.diff(*readers, "id").counts == COUNTS
    assert finalist.fingerprint(old.to_arrow()) == finalist.fingerprint(OLD)
