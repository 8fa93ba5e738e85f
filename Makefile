# SPDX-License-Identifier: MIT OR Apache-2.0
# What people and CI type; make help lists the targets. make/ has them, a file for each area.

.DEFAULT_GOAL = all
MAKEFLAGS += --no-print-directory

# Delete the incomplete target of a failed recipe.
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

# Variables that lists of prerequisites use come before the lists.
include make/c.mk make/cross.mk make/faults.mk make/rust.mk make/web.mk
include make/python.mk make/wheels.mk make/packaging.mk make/lint.mk

# Installs the packages that a group of targets needs, as root on Debian, or names those missing.
NEEDS = $(addprefix needs-,test cross avr python engines browser packaging wheels lint)
$(NEEDS): needs-%:
	tools/install_needs.sh $*

## help: list the targets
help:
	@sed -n 's/^## \([^:]*\): /\1\t/p' $(MAKEFILE_LIST) | \
	  awk -F'\t' '{ printf "  %-26s %s\n", $$1, $$2 }'

.PHONY: help all install test test-thorough test-all lint bench clean $(NEEDS)

## all: build the tool
all:
	cargo build --release

# Library, tool, man pages and completions, below PREFIX.
PREFIX ?= /usr/local
## install: install library, tool, man pages and completions below PREFIX
install: all
	cmake -S . -B build/install -DFIN_TESTS=OFF -DFIN_INSTALL_TOOL=ON -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	cmake --build build/install
	cmake --install build/install

# Shows in minutes whether the project works. Stops at the first failure. Runs two steps at a time,
# those with parts that use only one core first.
TEST = test-rust test-gcc test-python-quick $(QUICK_CONFIGURATIONS:%=test-%) test-selftest \
  $(QUICK_TARGETS:%=test-cross-%) test-avr

## test: show in about ten minutes whether everything works
test:
	@$(MAKE) --jobs=2 --output-sync=target $(TEST) || \
	  { echo "make test: failed; the step is at the first *** above" >&2; exit 1; }
	@echo "make test: everything passed"

# The tests that make test leaves out on this machine: minutes more.
## test-thorough: run what test leaves out on this machine
test-thorough: $(filter-out $(QUICK_CONFIGURATIONS:%=test-%),$(CONFIGURATIONS:%=test-%)) \
  $(THOROUGH:%=test-thorough-%) test-packages test-no-std test-p3 test-rust-version \
  test-flags-native test-parts $(THOROUGH_TARGETS:%=test-cross-%)

# Every test with all vectors in every configuration and on every target: hours.
## test-all: run every test with all vectors in every configuration (hours)
test-all: test test-thorough test-flags test-exhaustive test-cross-all
	@echo "make test-all: everything passed"

## lint: check formats, types, generated files and words
lint: lint-format lint-tidy lint-rust lint-generated lint-python lint-words
	@echo "make lint: nothing to complain about"

## bench: measure every implementation
bench: all
	$(FINALIST) bench

## clean: delete all builds
clean:
	rm -rf build
	cargo clean
	cargo clean --manifest-path python/Cargo.toml
