# SPDX-License-Identifier: MIT OR Apache-2.0
# The Python package, the extension of DuckDB, and engines.

# The Python package, tested as users install it: from its wheel, in an environment of its own.
PYTHON_TESTS = python/tests
PYTEST = $(PYTHON_ENV)/bin/python -m pytest -q -p no:cacheprovider $(PYTHON_TESTS) \
  --ignore python/tests/engines

# pandas 2 exports Arrow data in a different layout than pandas 3, so it is tested as well. Its folder
# comes before the environment's pandas.
PANDAS_2 = $(PYTHON_ENV)/pandas-2
TEST_PANDAS_2 = FINALIST_PANDAS=2 PYTHONPATH=$(PANDAS_2) $(PYTHON_ENV)/bin/python -m pytest -q \
  -p no:cacheprovider python/tests --ignore python/tests/engines -k pandas

$(PYTHON_ENV)/installed: python/requirements-test.txt python/requirements-pandas-2.txt
	$(PYTHON) -m venv $(PYTHON_ENV)
	$(PYTHON_ENV)/bin/pip install --quiet --requirement python/requirements-test.txt
	rm -rf $(PANDAS_2)
	$(PYTHON_ENV)/bin/pip install --quiet --no-deps --target $(PANDAS_2) \
	  --requirement python/requirements-pandas-2.txt
	touch $@

MATURIN_BUILD = maturin build --quiet --release --compression-level 9

## wheel: build the Python wheel of this machine
wheel: wheel-installed
	$(PYTHON_ENV)/bin/python python/tests/check_wheels.py $(PYTHON_ENV)/wheels

wheel-installed: needs-python $(PYTHON_ENV)/installed
	rm -rf $(PYTHON_ENV)/wheels
	$(PYTHON_ENV)/bin/$(MATURIN_BUILD) --out $(PYTHON_ENV)/wheels
	$(PYTHON_ENV)/bin/pip install --quiet --force-reinstall --no-deps $(PYTHON_ENV)/wheels/*.whl

# The folder of the library that the wheel of the quick tests links: the test build, which has code
# for more CPUs; empty: the wheel compiles its own. `make test-python` checks that one and its size.
WHEEL_LIBRARY = $(abspath build/gcc)
## test-python-quick: run the quick Python tests
test-python-quick: library-gcc
	$(if $(WHEEL_LIBRARY),FINALIST_LIB_DIR=$(WHEEL_LIBRARY)) $(MAKE) wheel-installed
	FINALIST_EXAMPLES=15 $(PYTEST) -m 'not slow'
	$(TEST_PANDAS_2)

# The loadable extension for DuckDB.
DUCKDB_EXTENSION = build/gcc/duckdb/finalist.duckdb_extension
## duckdb: build the loadable extension of DuckDB
duckdb: build/gcc/configured
	cmake --build build/gcc -j $(JOBS) --target finalist_duckdb

## test-python: run all Python tests and type checkers
test-python: all wheel duckdb
	FINALIST_DUCKDB_EXTENSION=$(abspath $(DUCKDB_EXTENSION)) $(PYTEST)
	$(TEST_PANDAS_2)
	$(PYTHON_ENV)/bin/mypy --strict --cache-dir $(PYTHON_ENV)/mypy python/finalist python/tests/typed.py
	PYRIGHT_PYTHON_CACHE_DIR=$(PYTHON_ENV)/pyright $(PYTHON_ENV)/bin/pyright --warnings \
	  --pythonpath $(PYTHON_ENV)/bin/python \
	  $(PYTHON_ENV)/lib/python*/site-packages/finalist python/tests/typed.py
	$(PYTHON) python/tests/fresh_environment.py $(PYTHON_ENV)/wheels

# Runs the Python tests with AddressSanitizer in the extension's C and Rust. Stable Rust supports it only
# with RUSTC_BOOTSTRAP. Python and Arrow allocate with malloc, so that their memory is checked, too.
# libstdc++ is preloaded because the sanitizer requires it, and --capture=sys shows its report.
ASAN = $(PYTHON_ENV)/asan
ASAN_FLAGS = -O1 -g1 -fno-tree-loop-optimize -fsanitize=address
ASAN_TARGET = $(shell rustc -vV | sed -n 's/^host: //p')
## test-python-asan: run the Python tests under AddressSanitizer
test-python-asan: needs-python $(PYTHON_ENV)/installed
	rm -rf $(ASAN)
	RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CC=gcc CFLAGS="$(ASAN_FLAGS)" \
	  $(PYTHON_ENV)/bin/maturin build --quiet --profile asan --compatibility linux \
	  --target $(ASAN_TARGET) --out $(ASAN)/wheels
	$(PYTHON_ENV)/bin/pip install --quiet --no-deps --target $(ASAN)/packages $(ASAN)/wheels/*.whl
	FINALIST_EXAMPLES=15 PYTHONPATH=$(ASAN)/packages PYTHONMALLOC=malloc \
	  LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
	  ARROW_DEFAULT_MEMORY_POOL=system ASAN_OPTIONS=detect_leaks=0 \
	  $(PYTEST) --capture=sys -m 'not slow' -k 'not 20_ms'

# Tests the package on Spark, Ray and Dask, in an environment of its own since these are large.
ENGINES_ENV = build/engines

$(ENGINES_ENV)/installed: python/requirements-engines.txt
	$(PYTHON) -m venv $(ENGINES_ENV)
	$(ENGINES_ENV)/bin/pip install --quiet --requirement python/requirements-engines.txt
	touch $@

# The functions for Spark, which run in its JVM. Any JDK that Spark runs on compiles them.
SPARK = build/gcc/spark
## spark: build the jar of functions for Spark
spark: needs-engines build/gcc/configured $(ENGINES_ENV)/installed
	cmake --build build/gcc -j $(JOBS) --target finalist_spark
	rm -rf $(SPARK)/classes
	javac --release 17 -Xlint:all,-path,-classfile -Werror -d $(SPARK)/classes \
	  -classpath "$$(echo $(ENGINES_ENV)/lib/python*/site-packages/pyspark/jars)/*" spark/finalist/*.java
	jar --create --file $(SPARK)/finalist-spark.jar -C $(SPARK)/classes . -C $(SPARK) libfinalist_spark.so

# In two parts: a process has one Spark, on this machine's Java or on one that the jar runs on.
SPARK_JVM = python/tests/engines/test_spark_jvm.py
ENGINES_PYTEST = FINALIST_SPARK_JAR=$(abspath $(SPARK)/finalist-spark.jar) \
  $(ENGINES_ENV)/bin/python -m pytest -q -p no:cacheprovider
## test-engines: test on Spark, Ray and Dask
test-engines: needs-engines wheel spark $(ENGINES_ENV)/installed
	$(ENGINES_ENV)/bin/pip install --quiet --force-reinstall --no-deps $(PYTHON_ENV)/wheels/*.whl
	$(ENGINES_PYTEST) python/tests/engines --ignore $(SPARK_JVM)
	$(ENGINES_PYTEST) $(SPARK_JVM)

.PHONY: wheel wheel-installed duckdb spark test-python test-python-quick test-python-asan test-engines
