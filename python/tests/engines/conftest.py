# SPDX-License-Identifier: MIT OR Apache-2.0
"""Starts one session of each engine, on loopback, and ends it by its own call."""

import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

KEY = b"a key that nobody may see"
#: Parameters that no two functions may take for each other.
SECRETS = {"digest_size": 24, "key": KEY, "salt": b"a salt", "person": b"a person"}

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

LOG4J = """
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {path}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %p %c: %m%n%ex
"""


def name_of(row):
    return None if row % 7 == 0 else f"name {row}"


def write_table(folder, files, rows, group=1000):
    """Writes files of `rows` rows each, with the columns id and name."""
    folder.mkdir()
    for number in range(files):
        first = number * rows
        names = [name_of(row) for row in range(first, first + rows)]
        table = pa.table({"id": pa.array(range(first, first + rows)), "name": names})
        pq.write_table(table, folder / f"{number}.parquet", row_group_size=group)
    return str(folder)


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """Makes a folder for Spark's log and events."""
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="session")
def spark(logs):
    from pyspark.sql import SparkSession

    settings = logs / "log4j2.properties"
    settings.write_text(LOG4J.format(path=logs / "spark.log"))
    (logs / "events").mkdir()
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile=file:{settings}",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file:{logs / 'events'}",
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.sql.shuffle.partitions": "5",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2, 4]")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def ray():
    import ray

    ray.init(
        num_cpus=2,
        include_dashboard=False,
        _node_ip_address="127.0.0.1",
        object_store_memory=200 << 20,
        log_to_driver=False,
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()
