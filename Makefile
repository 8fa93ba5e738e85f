# SPDX-License-Identifier: MIT OR Apache-2.0
# What people and CI type: make test, make lint, make bench, make clean. make test-all adds every
# vector on every target; make test-cross-TARGET is one target of cmake/targets.def.

MAKEFLAGS += --no-print-directory

# What a failed recipe leaves behind is not up to date.
.DELETE_ON_ERROR:

CMAKE_FLAGS = -DFIN_WARNINGS_AS_ERRORS=ON
CLANG = $(firstword $(shell command -v clang-19 clang))
CTEST = ctest --output-on-failure --no-tests=error -j $(JOBS)
JOBS = $(shell nproc 2>/dev/null || echo 2)
PYTHON = python3
PYTHON_ENV = build/python
FINALIST = target/release/finalist
# Messages of 1 GiB through every implementation would take longer than all the rest.
VECTORS = $(filter-out %/compact.jsonl %/extremely-long.jsonl,$(wildcard vectors/*.jsonl))

# Labels of tests that make test-thorough runs.
SLOW = 'thorough|bulk|long'

# Static library with all tests, and the check for constant time, for which one configuration is
# enough.
FLAGS_gcc = -DCMAKE_C_COMPILER=gcc -DFIN_CONSTANT_TIME_TEST=ON -DFIN_DUCKDB=ON \
  -DFIN_OPENSSL=ON
TESTS_gcc = -LE $(SLOW)

# Shared library: that it exports the public header and nothing else.
FLAGS_clang = -DCMAKE_C_COMPILER=$(CLANG) -DBUILD_SHARED_LIBS=ON
TESTS_clang = -LE $(SLOW)

FLAGS_32-bit = -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS=-m32
TESTS_32-bit = -LE $(SLOW)

# Unrolled or at -O2, kernels with a check at every load take several times as long to compile.
CHECKED = -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1 -fno-tree-loop-optimize"

# The checkers look at what a release holds, not at what sanitizers add. What is left out of
# undefined, AddressSanitizer finds where such a pointer is used.
FLAGS_sanitizers = $(CHECKED) -DCMAKE_C_FLAGS="-fsanitize=address,undefined \
  -fno-sanitize=object-size,null,pointer-overflow -fno-sanitize-recover=all"
# AddressSanitizer sees what guard pages show, and emulated XOP traps at every instruction. Gigabytes
# under it take longer than all the rest of a configuration: the others have them.
TESTS_sanitizers = -L quick -LE checker -E '^(guard|xop_.*)$$'
THOROUGH_TESTS_sanitizers = -LE 'checker|long' -E '^guard_all$$'

# Dispatch is all that threads share, and one message's leaves if they are told to: a few kinds of units
# are enough.
FLAGS_threads = $(CHECKED) -DCMAKE_C_FLAGS=-fsanitize=thread -DFIN_UNITS="avx2;neon"
BUILD_threads = --target test_dispatch test_share
TESTS_threads = -R '^(dispatch|share)$$'

# make test leaves x86 of 32 bits to make test-thorough: WebAssembly has 32 bits, too.
QUICK_CONFIGURATIONS = sanitizers gcc clang threads
CONFIGURATIONS = $(QUICK_CONFIGURATIONS) $(if $(filter x86_64,$(shell uname -m)),32-bit)
THOROUGH = $(filter-out threads,$(CONFIGURATIONS))

# Other machines, under emulators; all share the tests with this machine. Those of make test stand for
# 64-bit big-endian and WebAssembly. make test-thorough has Arm of 64 bits, too.
TARGETS = $(shell sed -n 's/^FIN_TARGET.\([^,]*\),.*[^"]".$$/\1/p' cmake/targets.def)
# Those without an emulator.
BUILT_TARGETS = $(shell sed -n 's/^FIN_TARGET.\([^,]*\),.*, "".$$/\1/p' cmake/targets.def)
QUICK_TARGETS = s390x wasm
# What Python's wheels are built for, by Zig, too.
WHEEL_TARGETS = $(foreach c,gnu musl,x86_64-unknown-linux-$c aarch64-unknown-linux-$c)

.PHONY: all install dist test test-thorough test-all matrix lint bench clean
.PHONY: needs-test needs-cross needs-avr needs-lint
.PHONY: $(CONFIGURATIONS:%=build/%/configured) $(TARGETS:%=build/cross/%/configured)
.PHONY: $(BUILT_TARGETS:%=build/cross/%/configured) $(BUILT_TARGETS:%=build-%) test-windows
.PHONY: $(CONFIGURATIONS:%=test-%) $(THOROUGH:%=test-thorough-%) test-exhaustive test-flags test-flags-native
.PHONY: library-gcc
.PHONY: test-cross test-cross-all $(TARGETS:%=test-cross-%) $(TARGETS:%=test-cross-all-%)
.PHONY: test-rust test-selftest test-packages test-no-std test-rust-version test-avr test-faults test-mutants test-proofs fuzz fuzz-parsers test-parts
.PHONY: needs-browser package-wasm test-wasm
.PHONY: needs-packaging sbom test-packaging test-semver
.PHONY: needs-wheels wheels wheels-free-threaded $(WHEEL_TARGETS:%=wheels-%) test-wheel-aarch64
.PHONY: test-wheel-musl test-wheel-free-threaded
.PHONY: needs-python wheel wheel-installed duckdb test-python test-python-quick test-python-asan
.PHONY: needs-engines test-engines
.PHONY: lint-format lint-tidy lint-rust lint-generated lint-python

all:
	cargo build --release

# Library, tool, man pages and completions, below PREFIX.
PREFIX ?= /usr/local
install: all
	cmake -S . -B build/install -DFIN_TESTS=OFF -DFIN_INSTALL_TOOL=ON -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	cmake --build build/install
	cmake --install build/install

# What shows in minutes whether the project works. Ends at the first failure. Two steps at a time,
# since each has parts that keep one core busy only; the longest first.
TEST = test-rust $(QUICK_CONFIGURATIONS:%=test-%) test-selftest $(QUICK_TARGETS:%=test-cross-%) test-avr \
  test-python-quick

test:
	@$(MAKE) --jobs=2 --output-sync=target $(TEST) || \
	  { echo "make test: failed; the step is at the first *** above" >&2; exit 1; }
	@echo "make test: everything passed"

# What make test leaves out on this machine: minutes more.
test-thorough: $(filter-out $(QUICK_CONFIGURATIONS:%=test-%),$(CONFIGURATIONS:%=test-%)) \
  $(THOROUGH:%=test-thorough-%) test-packages test-no-std test-rust-version \
  test-flags-native test-parts test-cross-aarch64

# Every test with all vectors in every configuration and on every target: hours.
test-all: test test-thorough test-flags test-exhaustive test-cross-all
	@echo "make test-all: everything passed"

lint: lint-format lint-tidy lint-rust lint-generated lint-python
	@echo "make lint: nothing to complain about"

needs-test:
	tools/install_needs.sh test

needs-cross:
	tools/install_needs.sh cross

needs-avr:
	tools/install_needs.sh avr

needs-python:
	tools/install_needs.sh python

needs-engines:
	tools/install_needs.sh engines

needs-browser:
	tools/install_needs.sh browser

needs-packaging:
	tools/install_needs.sh packaging

needs-lint:
	tools/install_needs.sh lint

$(CONFIGURATIONS:%=build/%/configured): build/%/configured: needs-test
	cmake -S . -B build/$* $(FLAGS_$*) $(CMAKE_FLAGS)

$(CONFIGURATIONS:%=test-%): test-%: build/%/configured
	cmake --build build/$* -j $(JOBS) $(BUILD_$*)
	cd build/$* && $(CTEST) $(TESTS_$*)

# The static library, for steps that link it.
library-gcc: build/gcc/configured
	cmake --build build/gcc -j $(JOBS) --target finalist

test-gcc: library-gcc

$(THOROUGH:%=test-thorough-%): test-thorough-%: build/%/configured
	cmake --build build/$* -j $(JOBS)
	cd build/$* && $(CTEST) -L $(SLOW) $(THOROUGH_TESTS_$*)

# The flags that users and distributions set, by both compilers: half an hour.
test-flags: needs-test
	tools/test_flags.sh build/flags gcc $(CLANG)

# The one flag that most people set; all of them are some 22 builds.
test-flags-native: needs-test
	tools/test_flags.sh --only -march=native build/flags gcc $(CLANG)

# Libraries of some algorithms, or for some CPUs, by CMake and by the crates' features.
test-parts: needs-test
	tools/test_parts.sh build/parts

# Plants faults in the core, one at a time, and demands that the test which a fault names sees it. Then
# some of those that are generated.
test-faults: needs-test
	$(PYTHON) tools/faults.py --jobs $(JOBS) $(FAULTS)
	$(MAKE) test-mutants

# Faults that tools/mutants.py generates: MUTANTS="--only core/tree" plants all of a folder.
MUTANTS = --sample 100
MUTANTS_ENV = build/mutants-env
$(MUTANTS_ENV)/installed: tools/mutants-requirements.txt
	$(PYTHON) -m venv $(MUTANTS_ENV)
	$(MUTANTS_ENV)/bin/pip install --quiet --requirement tools/mutants-requirements.txt
	touch $@

test-mutants: needs-test needs-python $(MUTANTS_ENV)/installed $(PYTHON_ENV)/installed
	PATH=$(abspath $(MUTANTS_ENV))/bin:$$PATH python tools/mutants.py --self-test
	PATH=$(abspath $(MUTANTS_ENV))/bin:$$PATH python tools/mutants.py $(MUTANTS)

# Proves promises of the core for all lengths and counters, and that each proof sees its faults.
test-proofs:
	tools/install_needs.sh proofs
	$(PYTHON) tools/prove.py --jobs $(JOBS) --faults

# Searches with libFuzzer for SECONDS on each target, from the corpora of the repository on; what it
# finds is a file crash-* in build/fuzz. FUZZ="calls trees" names targets.
FUZZ = calls batches trees midstates
SECONDS = 60
fuzz:
	tools/install_needs.sh fuzz
	cmake -S . -B build/fuzz -DCMAKE_C_COMPILER=$(CLANG) -DFIN_FUZZ=ON $(CMAKE_FLAGS) \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1" -DCMAKE_C_FLAGS="\
	  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
	cmake --build build/fuzz -j $(JOBS) --target $(FUZZ:%=fuzz_%)
	set -e; for target in $(FUZZ); do mkdir -p build/fuzz/corpus/$$target; \
	  build/fuzz/fuzz/fuzz_$$target -max_total_time=$(SECONDS) -max_len=512 \
	    -artifact_prefix=build/fuzz/ build/fuzz/corpus/$$target fuzz/corpus/$$target; done

# The same for the parsers of the tool, in Rust. cargo-fuzz's flags, which stable Rust has, too.
FUZZ_PARSERS = checklists vectors proofs manifest_lists manifest_proofs journals
COVERAGE = --cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions
fuzz-parsers: needs-test
	RUSTFLAGS="$(COVERAGE)" cargo build --release --locked -p finalist-fuzz-parsers \
	  --target-dir target/fuzz --target $(shell rustc -vV | sed -n 's/^host: //p')
	set -e; for target in $(FUZZ_PARSERS); do mkdir -p build/fuzz/corpus/$$target; \
	  target/fuzz/*/release/$$target -max_total_time=$(SECONDS) -max_len=4096 \
	    -artifact_prefix=build/fuzz/ build/fuzz/corpus/$$target fuzz/corpus/$$target; done

# What takes long even here: emulated instructions on all vectors, every implementation step by step.
test-exhaustive: test-gcc
	cd build/gcc && $(CTEST) -C Exhaustive -L exhaustive

test-cross: $(TARGETS:%=test-cross-%)

test-cross-all: $(TARGETS:%=test-cross-all-%)

$(patsubst %,build/cross/%/configured,$(TARGETS) $(BUILT_TARGETS)): \
  build/cross/%/configured: needs-cross build/cross-tools/installed
	cmake -S . -B build/cross/$* -DCMAKE_TOOLCHAIN_FILE=cmake/zig.cmake -DFIN_TARGET=$* \
	  $(CMAKE_FLAGS)

$(TARGETS:%=test-cross-%): test-cross-%: build/cross/%/configured
	cmake --build build/cross/$* -j $(JOBS)
	cd build/cross/$* && $(CTEST) -L quick

# Compiled and linked with all tests; nothing here runs them.
$(BUILT_TARGETS:%=build-%): build-%: build/cross/%/configured
	cmake --build build/cross/$* -j $(JOBS)

# Under wine: the C tests, then the tool and those of its own tests that Windows has the means for. Wine
# runs Rust's programs with a library beside it, which its older versions lack.
WINDOWS = x86_64-pc-windows-gnu
WINE = WINEPREFIX=$(abspath build/wine) WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= \
  WINEPATH=Z:$(abspath build/windows)
FINALIST_EXE = target/$(WINDOWS)/release/finalist.exe

build/windows/bcryptprimitives.dll: tests/wine/bcryptprimitives.c
	x86_64-w64-mingw32-gcc -O2 -Wall -Wextra -Werror -shared -o $@ $< -ladvapi32

test-windows:
	tools/install_needs.sh windows
	cmake -S . -B build/windows -DCMAKE_TOOLCHAIN_FILE=cmake/windows.cmake $(CMAKE_FLAGS)
	cmake --build build/windows -j $(JOBS)
	cd build/windows && $(CTEST) -L quick
	$(MAKE) build/windows/bcryptprimitives.dll
	cargo build --release --locked --target $(WINDOWS)
	$(WINE) wine $(FINALIST_EXE) selftest
	printf 'a\032b\r\n' | $(WINE) wine $(FINALIST_EXE) sum | cut -c-128 >build/windows/stdin
	printf 'a\032b\r\n' | b2sum | cut -c-128 | cmp - build/windows/stdin
	$(WINE) CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine \
	  cargo test --release --locked --target $(WINDOWS) -p finalist-cli -p finalist-sys -p finalist

$(TARGETS:%=test-cross-all-%): test-cross-all-%: build/cross/%/configured
	cmake --build build/cross/$* -j $(JOBS)
	cd build/cross/$* && $(CTEST) --timeout 0

# Where every target's list_implementations is built. After a change to some targets only, these can
# be named: make matrix LISTINGS="x86-64=build/gcc x86-32=build/32-bit".
LISTINGS = x86-64=build/gcc x86-32=build/32-bit $(foreach t,$(TARGETS),$(t)=build/cross/$(t))
LISTING_BUILDS = $(foreach listing,$(LISTINGS),$(lastword $(subst =, ,$(listing))))

matrix: $(LISTING_BUILDS:%=%/configured)
	for build in $(LISTING_BUILDS); do \
	  cmake --build $$build -j $(JOBS) --target list_implementations || exit 1; done
	$(PYTHON) tools/matrix.py --write $(LISTINGS:%=%/tests/list_implementations)

build/cross-tools/installed: tools/cross-requirements.txt
	$(PYTHON) -m venv build/cross-tools
	build/cross-tools/bin/pip install --quiet --requirement tools/cross-requirements.txt
	touch $@

test-rust: needs-test
	cargo build --release --locked --workspace --all-features
	cargo test --release --locked --workspace --all-features
	$(PYTHON) tools/check_packages.py --flags

test-selftest: test-rust
	$(FINALIST) selftest
	$(FINALIST) selftest --vectors $(VECTORS)

# The crates from their own packages, as crates.io would hand them out.
test-packages: needs-test
	$(PYTHON) tools/check_packages.py

# A program without std and without an allocator, which would not link with either.
test-no-std: needs-test
	cargo run --release --locked --manifest-path rust/finalist/tests/no_std/Cargo.toml \
	  --target-dir target/no_std

# The oldest Rust that the crates promise to compile with.
test-rust-version: needs-test
	tools/check_rust_version.sh

# The npm package and the page: wasm/dist.
package-wasm: needs-browser build/cross/wasm/configured build/cross/wasm-scalar/configured
	cmake --build build/cross/wasm -j $(JOBS) --target finalist_module
	cmake --build build/cross/wasm-scalar -j $(JOBS) --target finalist_module
	cd wasm && npm ci --no-audit --no-fund && npm run build

# The package as npm packs it, and the page in Chromium beside the tool.
test-wasm: package-wasm
	cargo build --release --locked
	cd wasm && FINALIST=$(abspath $(FINALIST)) npm test

# What packaging/README.md lists.
build/packaging/installed: packaging/requirements.txt
	$(PYTHON) -m venv build/packaging
	build/packaging/bin/pip install --quiet --requirement packaging/requirements.txt
	touch $@

sbom: needs-packaging build/packaging/installed
	build/packaging/bin/python packaging/sbom.py build/finalist.cdx.json

# Each check that this machine can run; BASE is the commit whose programs must run with the library.
test-packaging:
	-tools/install_needs.sh packaging
	-$(MAKE) build/packaging/installed
	packaging/test.sh $(BASE)

# The public items of the crates against those of a commit, the last tag if BASE does not name one: ends
# with an error if the version promises more than they keep. Its tool takes minutes to build, once.
SEMVER = build/semver
$(SEMVER)/bin/cargo-semver-checks:
	cargo install --quiet cargo-semver-checks --version 0.51.0 --locked --root $(SEMVER)

test-semver: $(SEMVER)/bin/cargo-semver-checks
	$< semver-checks --package finalist --package finalist-sys \
	  --baseline-rev $(or $(BASE),$(shell git describe --tags --abbrev=0))

# The assembly for 8-bit AVR in a simulator, and what it costs.
test-avr: needs-avr
	$(MAKE) -C avr test

# The Python package, tested as it is installed: from its wheel, in an environment of its own.
PYTEST = $(PYTHON_ENV)/bin/python -m pytest -q -p no:cacheprovider python/tests \
  --ignore python/tests/engines

# pandas 2, which hands out other Arrow data than pandas 3, before the environment's pandas.
PANDAS_2 = $(PYTHON_ENV)/pandas-2
TEST_PANDAS_2 = FINALIST_PANDAS=2 PYTHONPATH=$(PANDAS_2) $(PYTHON_ENV)/bin/python -m pytest -q \
  -p no:cacheprovider python/tests/test_pandas.py

$(PYTHON_ENV)/installed: python/requirements-test.txt python/requirements-pandas-2.txt
	$(PYTHON) -m venv $(PYTHON_ENV)
	$(PYTHON_ENV)/bin/pip install --quiet --requirement python/requirements-test.txt
	rm -rf $(PANDAS_2)
	$(PYTHON_ENV)/bin/pip install --quiet --no-deps --target $(PANDAS_2) \
	  --requirement python/requirements-pandas-2.txt
	touch $@

MATURIN_BUILD = maturin build --quiet --release --compression-level 9

wheel: wheel-installed
	$(PYTHON_ENV)/bin/python python/tests/check_wheels.py $(PYTHON_ENV)/wheels

wheel-installed: needs-python $(PYTHON_ENV)/installed
	rm -rf $(PYTHON_ENV)/wheels
	$(PYTHON_ENV)/bin/$(MATURIN_BUILD) --out $(PYTHON_ENV)/wheels
	$(PYTHON_ENV)/bin/pip install --quiet --force-reinstall --no-deps $(PYTHON_ENV)/wheels/*.whl

# Builds no C library of its own but takes the tests', which has code for more CPUs; that the wheel does
# so by itself, and how large it is then, make test-python shows.
test-python-quick: library-gcc
	FINALIST_LIB_DIR=$(abspath build/gcc) $(MAKE) wheel-installed
	FINALIST_EXAMPLES=15 $(PYTEST) -m 'not slow'
	$(TEST_PANDAS_2)

# The wheels of a release, for glibc 2.17 and for musl 1.2: one for all CPythons of an architecture,
# and one for the free-threaded CPython 3.14.
WHEELS_ENV = build/wheels
RELEASE_WHEEL = PATH=$(abspath $(WHEELS_ENV))/bin:$$PATH $(MATURIN_BUILD) --zig --target $1 \
  --out $(or $2,$(WHEELS_ENV)/out) \
  --compatibility $(if $(findstring musl,$1),musllinux_1_2,manylinux2014)

$(WHEELS_ENV)/installed: python/requirements-wheels.txt | needs-wheels
	$(PYTHON) -m venv $(WHEELS_ENV)
	$(WHEELS_ENV)/bin/pip install --quiet --requirement python/requirements-wheels.txt
	touch $@

needs-wheels:
	tools/install_needs.sh wheels

$(WHEEL_TARGETS:%=wheels-%): wheels-%: $(WHEELS_ENV)/installed
	$(call RELEASE_WHEEL,$*)

wheels-free-threaded: $(WHEELS_ENV)/installed
	$(call RELEASE_WHEEL,x86_64-unknown-linux-gnu) --no-default-features -i python3.14t

wheels: $(WHEEL_TARGETS:%=wheels-%) wheels-free-threaded
	$(WHEELS_ENV)/bin/python python/tests/check_wheels.py $(WHEELS_ENV)/out

# The tests of a wheel by itself: without examples of pages, engines, files.
WHEEL_TESTS = -m 'not slow' $(patsubst %,python/tests/test_%.py,column cpython hashlib hostile merkle \
  process ranges rows threads vectors)

# The wheel for aarch64 under qemu, with Debian's Python for that architecture. Takes minutes.
test-wheel-aarch64: needs-cross wheels-aarch64-unknown-linux-gnu $(PYTHON_ENV)/installed
	FINALIST_EXAMPLES=5 tools/test_wheel_aarch64.sh build/wheel-aarch64 $(PYTHON_ENV)/bin/pip \
	  $(WHEELS_ENV)/out/*manylinux*aarch64.whl -m 'not slow' \
	  $(foreach t,column hashlib hostile merkle rows vectors,python/tests/test_$t.py)

# The wheel for musl on x86-64, in a CPython that is built for it.
build/python-musl/installed: tools/build_python.sh $(WHEELS_ENV)/installed
	PATH=$(abspath $(WHEELS_ENV))/bin:$$PATH tools/build_python.sh musl build/python-musl
	touch $@

test-wheel-musl: build/python-musl/installed wheels-x86_64-unknown-linux-musl
test-wheel-musl: $(PYTHON_ENV)/installed
	FINALIST_EXAMPLES=15 tools/test_wheel_built.sh build/python-musl $(PYTHON_ENV)/bin/pip \
	  $(WHEELS_ENV)/out/*musllinux*x86_64.whl $(WHEEL_TESTS)

# The wheel for the free-threaded CPython, built for the one that is there: PyO3 promises to work from
# 3.14 on alone, and works with 3.13.
FREE_THREADED = build/python-free-threaded
$(FREE_THREADED)/installed: tools/build_python.sh
	tools/build_python.sh free-threaded $(FREE_THREADED)
	touch $@

test-wheel-free-threaded: $(FREE_THREADED)/installed $(WHEELS_ENV)/installed
test-wheel-free-threaded: $(PYTHON_ENV)/installed
	rm -rf $(FREE_THREADED)/wheels
	UNSAFE_PYO3_SKIP_VERSION_CHECK=1 $(call RELEASE_WHEEL,x86_64-unknown-linux-gnu,$(FREE_THREADED)/wheels) \
	  --no-default-features -i $(abspath $(FREE_THREADED))/prefix/bin/python3
	FINALIST_EXAMPLES=15 tools/test_wheel_built.sh $(FREE_THREADED) $(PYTHON_ENV)/bin/pip \
	  $(FREE_THREADED)/wheels/*t-manylinux*.whl $(WHEEL_TESTS)

# The loadable extension for DuckDB.
DUCKDB_EXTENSION = build/gcc/duckdb/finalist.duckdb_extension
duckdb: build/gcc/configured
	cmake --build build/gcc -j $(JOBS) --target finalist_duckdb

test-python: all wheel duckdb
	FINALIST_DUCKDB_EXTENSION=$(abspath $(DUCKDB_EXTENSION)) $(PYTEST)
	$(TEST_PANDAS_2)
	$(PYTHON_ENV)/bin/mypy --strict --cache-dir $(PYTHON_ENV)/mypy python/finalist python/tests/typed.py
	PYRIGHT_PYTHON_CACHE_DIR=$(PYTHON_ENV)/pyright $(PYTHON_ENV)/bin/pyright --warnings \
	  --pythonpath $(PYTHON_ENV)/bin/python \
	  $(PYTHON_ENV)/lib/python*/site-packages/finalist python/tests/typed.py
	$(PYTHON) python/tests/fresh_environment.py $(PYTHON_ENV)/wheels

# The same with AddressSanitizer in the extension's C and Rust. Stable Rust has it, but hides it behind
# the variable that builds Rust itself. Python's and Arrow's memory comes from
# malloc, to be seen, too; the C++ library is there from the start, as the sanitizer wants it; pytest
# lets the sanitizer's report through.
ASAN = $(PYTHON_ENV)/asan
ASAN_FLAGS = -O1 -g1 -fno-tree-loop-optimize -fsanitize=address
ASAN_TARGET = $(shell rustc -vV | sed -n 's/^host: //p')
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

# The package on Spark, Ray and Dask, in an environment of its own: these are large.
ENGINES_ENV = build/engines

$(ENGINES_ENV)/installed: python/requirements-engines.txt
	$(PYTHON) -m venv $(ENGINES_ENV)
	$(ENGINES_ENV)/bin/pip install --quiet --requirement python/requirements-engines.txt
	touch $@

test-engines: needs-engines wheel $(ENGINES_ENV)/installed
	$(ENGINES_ENV)/bin/pip install --quiet --force-reinstall --no-deps $(PYTHON_ENV)/wheels/*.whl
	$(ENGINES_ENV)/bin/python -m pytest -q -p no:cacheprovider python/tests/engines

lint-format: needs-lint
	clang-format-19 --dry-run --Werror $(wildcard include/*.h core/*.[ch] core/*/*.[ch]) \
	  $(wildcard tests/*.[ch] tests/proofs/*.[ch] fuzz/*.[ch] avr/*.[ch] wasm/*.c duckdb/*.[ch] openssl/*.[ch])

# Each C file with the flags that it is built with; assembly is not for clang-tidy.
lint-tidy: needs-lint
	cmake -S . -B build/tidy -DCMAKE_C_COMPILER=$(CLANG) -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
	  -DFIN_TESTS=OFF -DFIN_DUCKDB=ON -DFIN_OPENSSL=ON
	run-clang-tidy-19 -quiet -j $(JOBS) -p build/tidy '\.c$$'

lint-rust: needs-lint
	cargo fmt --all --check
	cargo clippy --release --locked --workspace --all-targets --all-features -- -D warnings
	cargo clippy --release --locked -p finalist --no-default-features --features algorithms,units -- -D warnings
	cargo clippy --release --locked -p finalist --no-default-features --features algorithms,alloc,units -- -D warnings
	cargo fmt --manifest-path python/Cargo.toml --check
	cargo clippy --release --manifest-path python/Cargo.toml -- -D warnings

lint-generated: needs-lint
	$(PYTHON) tools/gen.py --check
	$(PYTHON) avr/tables.py --check
	$(PYTHON) tools/compact_vectors.py --check
	$(PYTHON) tools/tree_model.py --check
	$(PYTHON) tools/proof_model.py --check
	$(PYTHON) bench/peers.py --check

build/lint-python/bin/ruff: tools/lint-requirements.txt
	$(PYTHON) -m venv build/lint-python
	build/lint-python/bin/pip install --quiet --requirement tools/lint-requirements.txt
	touch $@

lint-python: needs-lint build/lint-python/bin/ruff
	build/lint-python/bin/ruff check --config tools/ruff.toml tools packaging avr bench duckdb python examples \
	  tests/run_wasi.py

# The archives of a release in build/dist, made twice: they must be identical.
build/dist-tools/installed: tools/dist-requirements.txt
	$(PYTHON) -m venv build/dist-tools
	build/dist-tools/bin/pip install --quiet --requirement tools/dist-requirements.txt
	touch $@

dist: needs-test build/dist-tools/installed
	rm -rf build/dist
	for run in first second; do \
	  PATH=$(abspath build/dist-tools/bin):$$PATH tools/dist.sh build/dist/$$run || exit 1; done
	diff -r build/dist/first build/dist/second
	mv build/dist/first/* build/dist && rm -r build/dist/first build/dist/second

bench: all
	$(FINALIST) bench

clean:
	rm -rf build
	cargo clean
	cargo clean --manifest-path python/Cargo.toml
