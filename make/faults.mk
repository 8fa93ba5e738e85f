# SPDX-License-Identifier: MIT OR Apache-2.0
# Planted faults, proofs and fuzzing.

# Plants faults in the sources, one at a time, and requires that the test named by each fault fails. Then
# does the same for a sample of generated faults.
## test-faults: plant each fault and check that its test fails
test-faults: needs-test wheel-installed
	$(PYTHON) tools/faults.py --jobs $(JOBS) $(FAULTS)
	$(MAKE) test-mutants

# Options for tools/mutants.py, which generates faults: MUTANTS="--only core/tree" plants all in a folder.
MUTANTS = --sample 100
MUTANTS_ENV = build/mutants-env
$(MUTANTS_ENV)/installed: tools/mutants-requirements.txt
	$(PYTHON) -m venv $(MUTANTS_ENV)
	$(MUTANTS_ENV)/bin/pip install --quiet --requirement tools/mutants-requirements.txt
	touch $@

## test-mutants: plant generated faults; MUTANTS="--only core/tree" chooses a folder
test-mutants: needs-test needs-python $(MUTANTS_ENV)/installed $(PYTHON_ENV)/installed
	PATH=$(abspath $(MUTANTS_ENV))/bin:$$PATH python tools/mutants.py --self-test
	PATH=$(abspath $(MUTANTS_ENV))/bin:$$PATH python tools/mutants.py $(MUTANTS)

# Proves properties of the core for all lengths and counters, and that each proof detects its faults.
## test-proofs: prove properties of the core with a model checker
test-proofs:
	tools/install_needs.sh proofs
	$(PYTHON) tools/prove.py --jobs $(JOBS) --faults

# Runs libFuzzer for SECONDS on each target, starting from the repository's corpora. A finding becomes
# a file crash-* in build/fuzz. FUZZ="calls trees" selects targets.
FUZZ = calls batches trees midstates
SECONDS = 60
## fuzz: search with libFuzzer for SECONDS on each target of FUZZ
fuzz:
	tools/install_needs.sh fuzz
	cmake -S . -B build/fuzz -DCMAKE_C_COMPILER=$(CLANG) -DFIN_FUZZ=ON $(CMAKE_FLAGS) \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O1 -g1" -DCMAKE_C_FLAGS="\
	  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
	cmake --build build/fuzz -j $(JOBS) --target $(FUZZ:%=fuzz_%)
	set -e; for target in $(FUZZ); do mkdir -p build/fuzz/corpus/$$target; \
	  build/fuzz/fuzz/fuzz_$$target -max_total_time=$(SECONDS) -max_len=512 \
	    -artifact_prefix=build/fuzz/ build/fuzz/corpus/$$target fuzz/corpus/$$target; done

# Fuzzes the tool's parsers, in Rust, with the flags of cargo-fuzz that stable Rust accepts, too.
FUZZ_PARSERS = checklists vectors proofs manifest_lists manifest_parquet manifest_proofs journals
COVERAGE = --cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions
## fuzz-parsers: search the tool's parsers
fuzz-parsers: needs-test
	RUSTFLAGS="$(COVERAGE)" cargo build --release --locked -p finalist-fuzz-parsers \
	  --target-dir target/fuzz --target $(shell rustc -vV | sed -n 's/^host: //p')
	set -e; for target in $(FUZZ_PARSERS); do mkdir -p build/fuzz/corpus/$$target; \
	  target/fuzz/*/release/$$target -max_total_time=$(SECONDS) -max_len=4096 \
	    -artifact_prefix=build/fuzz/ build/fuzz/corpus/$$target fuzz/corpus/$$target; done

.PHONY: test-faults test-mutants test-proofs fuzz fuzz-parsers
