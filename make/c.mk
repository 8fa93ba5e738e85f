# SPDX-License-Identifier: MIT OR Apache-2.0
# The C library: configurations of compilers and sanitizers on this machine.

# Labels of tests that make test-thorough runs.
SLOW = 'thorough|bulk|long'

# Static library with all tests, and the check for constant time, which one configuration has to run.
FLAGS_gcc = -DCMAKE_C_COMPILER=gcc -DFIN_CONSTANT_TIME_TEST=ON -DFIN_DUCKDB=ON \
  -DFIN_SPARK=ON -DFIN_OPENSSL=ON
TESTS_gcc = -LE $(SLOW)

# Shared library: checks that it exports the public header and nothing else.
FLAGS_clang = -DCMAKE_C_COMPILER=$(CLANG) -DBUILD_SHARED_LIBS=ON
TESTS_clang = -LE $(SLOW)

FLAGS_32-bit = -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS=-m32
TESTS_32-bit = -LE $(SLOW)

# A check at every load makes kernels several times slower to compile if unrolled or at -O2.
CHECKED = -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1 -fno-tree-loop-optimize"

# The checkers test release code, which sanitizers change, so they are left out. AddressSanitizer
# covers the omitted parts of "undefined" when such a pointer is used.
FLAGS_sanitizers = $(CHECKED) -DCMAKE_C_FLAGS="-fsanitize=address,undefined \
  -fno-sanitize=object-size,null,pointer-overflow -fno-sanitize-recover=all"
# Leave out guard pages, which AddressSanitizer makes unnecessary, and emulated XOP, which traps at
# every instruction. Tests of gigabytes run in the other configurations: here they would take longer
# than everything else.
TESTS_sanitizers = -L quick -LE checker -E '^(guard|xop_.*)$$'
THOROUGH_TESTS_sanitizers = -LE 'checker|long' -E '^guard_all$$'

# Threads share only the dispatch and, with fin_share, one message's leaves, so a few kinds of units
# are enough.
FLAGS_threads = $(CHECKED) -DCMAKE_C_FLAGS=-fsanitize=thread -DFIN_UNITS="avx2;neon"
BUILD_threads = --target test_dispatch test_share
TESTS_threads = -R '^(dispatch|share)$$'

# Those of make test; make test-thorough has the others.
QUICK_CONFIGURATIONS = gcc sanitizers
CONFIGURATIONS = $(QUICK_CONFIGURATIONS) clang threads $(if $(filter x86_64,$(shell uname -m)),32-bit)
THOROUGH = $(filter-out threads,$(CONFIGURATIONS))

$(CONFIGURATIONS:%=build/%/configured): build/%/configured: needs-test
	cmake -S . -B build/$* $(FLAGS_$*) $(CMAKE_FLAGS)

# Built once where the quick and the slow tests of a configuration run at the same time.
$(CONFIGURATIONS:%=build/%/built): build/%/built: build/%/configured
	cmake --build build/$* -j $(JOBS) $(BUILD_$*)

## test-CONFIG: run the quick C tests; CONFIG is gcc, clang, sanitizers, threads or 32-bit
$(CONFIGURATIONS:%=test-%): test-%: build/%/built
	cd build/$* && $(CTEST) $(TESTS_$*)

# The static library, for steps that link it.
library-gcc: build/gcc/configured
	cmake --build build/gcc -j $(JOBS) --target finalist

build/gcc/built: library-gcc

## test-thorough-CONFIG: run the slow C tests
$(THOROUGH:%=test-thorough-%): test-thorough-%: build/%/built
	cd build/$* && $(CTEST) -L $(SLOW) $(THOROUGH_TESTS_$*)

# Builds with the flags that users and distributions set, with both compilers: half an hour.
## test-flags: build with flags that users set (half an hour)
test-flags: needs-test
	tools/test_flags.sh build/flags gcc $(CLANG)

# Builds with the one flag that most people set; all of them are 22 builds.
## test-flags-native: build with -march=native
test-flags-native: needs-test
	tools/test_flags.sh --only -march=native build/flags gcc $(CLANG)

# Builds libraries of some algorithms, or for some CPUs, with CMake and with the crates' features.
## test-parts: build libraries of some algorithms or for some CPUs
test-parts: needs-test
	tools/test_parts.sh build/parts

# The slowest tests: emulated instructions on all vectors, every implementation step by step.
## test-exhaustive: run all vectors through emulated instructions
test-exhaustive: test-gcc
	cd build/gcc && $(CTEST) -C Exhaustive -L exhaustive

.PHONY: $(CONFIGURATIONS:%=build/%/configured) $(CONFIGURATIONS:%=build/%/built) $(CONFIGURATIONS:%=test-%)
.PHONY: $(THOROUGH:%=test-thorough-%) library-gcc test-exhaustive test-flags test-flags-native test-parts
