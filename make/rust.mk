# SPDX-License-Identifier: MIT OR Apache-2.0
# The crates and the tool.

# The tests of the crate finalist need more features than the tool does. One command for all tests would
# compile the tool and every crate a second time with these features.
## test-rust: build and test the crates and the tool
test-rust: needs-test
	cargo build --release --locked
	cargo test --release --locked --workspace --exclude finalist
	cargo test --release --locked --package finalist --all-features
	$(PYTHON) tools/check_packages.py --flags

## test-selftest: run the self-test of the tool with all vectors
test-selftest: test-rust
	$(FINALIST) selftest
	$(FINALIST) selftest --vectors $(VECTORS)

## measured-pages: write a page for each measured machine to build/measured
measured-pages: all
	$(PYTHON) tools/measured_pages.py --pages

# Tests the crates from their own packages, as crates.io would distribute them.
## test-packages: test the crates from their packages
test-packages: needs-test
	$(PYTHON) tools/check_packages.py

# Links a program without std and without an allocator, which fails if a crate needs either.
## test-no-std: link a program without std and without an allocator
test-no-std: needs-test
	cargo run --release --locked --manifest-path rust/finalist/tests/no_std/Cargo.toml \
	  --target-dir target/no_std

# Tests Plonky3's Merkle trees with the crate's hashers.
P3 = --manifest-path rust/finalist-p3/Cargo.toml --target-dir target/p3
## test-p3: test the hashers of Plonky3's Merkle trees
test-p3: needs-test
	cargo test --locked $(P3)

## bench-p3: measure the hashers beside Plonky3's own
bench-p3: needs-test
	cargo bench --locked $(P3)

# Builds with the oldest Rust that the crates promise to support.
## test-rust-version: build with the oldest Rust that the crates promise
test-rust-version: needs-test
	tools/check_rust_version.sh

# Compares the crates' public items with those of a commit (default: the last tag). Fails if the version
# number promises more compatibility than the items keep. Its tool takes minutes to build, once.
SEMVER = build/semver
$(SEMVER)/bin/cargo-semver-checks:
	cargo install --quiet cargo-semver-checks --version 0.51.0 --locked --root $(SEMVER)

## test-semver: compare public items with those of BASE
test-semver: $(SEMVER)/bin/cargo-semver-checks
	$< semver-checks --package finalist --package finalist-sys \
	  --baseline-rev $(or $(BASE),$(shell git describe --tags --abbrev=0))

.PHONY: test-rust test-selftest measured-pages test-packages test-no-std test-p3 bench-p3 test-rust-version \
  test-semver
