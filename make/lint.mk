# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks that run no code of the project.

## lint-format: check clang-format
lint-format: needs-lint
	clang-format-19 --dry-run --Werror $(wildcard include/*.h core/*.[ch] core/*/*.[ch] core/*/*/*.[ch]) \
	  $(wildcard tests/*/*.[ch] fuzz/*.[ch] avr/*.[ch] wasm/*.c duckdb/*.[ch] spark/*.c openssl/*.[ch])

# Checks each C file with the flags it is built with; clang-tidy cannot read assembly.
## lint-tidy: run clang-tidy
lint-tidy: needs-lint
	cmake -S . -B build/tidy -DCMAKE_C_COMPILER=$(CLANG) -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
	  -DFIN_TESTS=OFF -DFIN_DUCKDB=ON -DFIN_SPARK=ON -DFIN_OPENSSL=ON
	run-clang-tidy-19 -quiet -j $(JOBS) -p build/tidy '\.c$$'

## lint-rust: run rustfmt and clippy
lint-rust: needs-lint
	cargo fmt --all --check
	cargo clippy --release --locked --workspace --all-targets --all-features -- -D warnings
	cargo clippy --release --locked -p finalist --no-default-features --features algorithms,units -- -D warnings
	cargo clippy --release --locked -p finalist --no-default-features --features algorithms,alloc,units -- -D warnings
	cargo fmt --manifest-path rust/finalist-p3/Cargo.toml --check
	cargo clippy --release --locked $(P3) --all-targets -- -D warnings
	cargo fmt --manifest-path python/Cargo.toml --check
	cargo clippy --release --manifest-path python/Cargo.toml -- -D warnings

## lint-generated: check that generated files are current
lint-generated: needs-lint
	$(PYTHON) tools/gen.py --check
	$(PYTHON) avr/tables.py --check
	$(PYTHON) tools/compact_vectors.py --check
	$(PYTHON) tools/tree_model.py --check
	$(PYTHON) tools/proof_model.py --check
	$(PYTHON) bench/peers.py --check
	$(PYTHON) bench/small_tables.py --check

build/lint-python/bin/ruff: tools/lint-requirements.txt
	$(PYTHON) -m venv build/lint-python
	build/lint-python/bin/pip install --quiet --requirement tools/lint-requirements.txt
	touch $@

## lint-python: run ruff
lint-python: needs-lint build/lint-python/bin/ruff
	build/lint-python/bin/ruff check --config tools/ruff.toml tools packaging avr bench duckdb python examples \
	  tests/run_wasi.py

# Checks only the repository's files, since builds are in the same folder.
## lint-words: check terms, spelling, and the Markdown pages
lint-words: needs-lint build/lint-python/bin/ruff
	$(PYTHON) tools/check_words.py --self-test
	$(PYTHON) tools/check_words.py
	$(PYTHON) tools/check_markdown.py --self-test
	$(PYTHON) tools/check_markdown.py
	git ls-files -z | xargs -0 build/lint-python/bin/codespell --config tools/codespell.cfg

.PHONY: lint-format lint-tidy lint-rust lint-generated lint-python lint-words
