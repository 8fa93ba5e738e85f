# SPDX-License-Identifier: MIT OR Apache-2.0
# Other machines: emulators, wine, the AVR simulator, and the table of tested implementations.

# Targets with an emulator; all run the same tests as this machine. make test covers 64-bit big-endian,
# make test-thorough WebAssembly and 64-bit Arm as well.
TARGETS = $(shell sed -n 's/^FIN_TARGET.\([^,]*\),.*[^"]".$$/\1/p' cmake/targets.def)
# Targets without an emulator.
BUILT_TARGETS = $(shell sed -n 's/^FIN_TARGET.\([^,]*\),.*, "".$$/\1/p' cmake/targets.def)
QUICK_TARGETS = s390x
THOROUGH_TARGETS = wasm aarch64
# Targets of Python's wheels, also built with Zig.
WHEEL_TARGETS = $(foreach c,gnu musl,x86_64-unknown-linux-$c aarch64-unknown-linux-$c)

## test-cross: run the quick tests of every target of cmake/targets.def
test-cross: $(TARGETS:%=test-cross-%)

## test-cross-all: run all tests of every target
test-cross-all: $(TARGETS:%=test-cross-all-%)

$(patsubst %,build/cross/%/configured,$(TARGETS) $(BUILT_TARGETS)): \
  build/cross/%/configured: needs-cross build/cross-tools/installed
	cmake -S . -B build/cross/$* -DCMAKE_TOOLCHAIN_FILE=cmake/zig.cmake -DFIN_TARGET=$* \
	  $(CMAKE_FLAGS)

## test-cross-TARGET: run the quick tests of one target under its emulator
$(TARGETS:%=test-cross-%): test-cross-%: build/cross/%/configured
	cmake --build build/cross/$* -j $(JOBS)
	cd build/cross/$* && $(CTEST) -L quick

# Compiles and links a target with all tests, and runs none.
## build-TARGET: compile for a target that has no emulator
$(BUILT_TARGETS:%=build-%): build-%: build/cross/%/configured
	cmake --build build/cross/$* -j $(JOBS)

# Tests under wine: the C tests, then the tool and those of its tests that can run on Windows. Rust's
# programs need bcryptprimitives.dll, which older versions of wine lack.
WINDOWS = x86_64-pc-windows-gnu
WINE = WINEPREFIX=$(abspath build/wine) WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= \
  WINEPATH=Z:$(abspath build/windows)
FINALIST_EXE = target/$(WINDOWS)/release/finalist.exe

build/windows/bcryptprimitives.dll: tests/wine/bcryptprimitives.c
	x86_64-w64-mingw32-gcc -O2 -Wall -Wextra -Werror -shared -o $@ $< -ladvapi32

## test-windows: run the tests under wine
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
	  cargo test --release --locked --target $(WINDOWS) -p finalist-cli -p finalist-files -p finalist-manifest -p finalist-bench -p finalist-sys -p finalist

$(TARGETS:%=test-cross-all-%): test-cross-all-%: build/cross/%/configured
	cmake --build build/cross/$* -j $(JOBS)
	cd build/cross/$* && $(CTEST) --timeout 0

# The builds of list_implementations, one a target. After a change to some targets only, name these:
# make matrix LISTINGS="x86-64=build/gcc x86-32=build/32-bit".
LISTINGS = x86-64=build/gcc x86-32=build/32-bit $(foreach t,$(TARGETS),$(t)=build/cross/$(t))
LISTING_BUILDS = $(foreach listing,$(LISTINGS),$(lastword $(subst =, ,$(listing))))

## matrix: write MATRIX.md from the builds in LISTINGS
matrix: $(LISTING_BUILDS:%=%/configured)
	for build in $(LISTING_BUILDS); do \
	  cmake --build $$build -j $(JOBS) --target list_implementations || exit 1; done
	$(PYTHON) tools/matrix.py --write $(LISTINGS:%=%/tests/list_implementations)

build/cross-tools/installed: tools/cross-requirements.txt
	$(PYTHON) -m venv build/cross-tools
	build/cross-tools/bin/pip install --quiet --requirement tools/cross-requirements.txt
	touch $@

# Runs the assembly for 8-bit AVR in a simulator and measures its cycles and size.
## test-avr: run and measure the AVR assembly in a simulator
test-avr: needs-avr
	$(MAKE) -C avr test

.PHONY: $(TARGETS:%=build/cross/%/configured) $(BUILT_TARGETS:%=build/cross/%/configured)
.PHONY: $(BUILT_TARGETS:%=build-%) $(TARGETS:%=test-cross-%) $(TARGETS:%=test-cross-all-%)
.PHONY: test-cross test-cross-all test-windows test-avr matrix
