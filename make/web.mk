# SPDX-License-Identifier: MIT OR Apache-2.0
# The WebAssembly module, its npm package and its page.

module-wasm module-wasm-scalar: module-%: build/cross/%/configured
	cmake --build build/cross/$* -j $(JOBS) --target finalist_module

# package-wasm builds in the same folder, so the two must not build at the same time.
test-cross-wasm: module-wasm

# Writes the npm package and the page to wasm/dist.
## package-wasm: write the npm package and the page to wasm/dist
package-wasm: needs-browser module-wasm module-wasm-scalar
	cd wasm && npm ci --no-audit --no-fund && npm run build

# Tests the package as npm packs it, and compares the page in Chromium with the tool.
## test-wasm: test the npm package and the page
test-wasm: package-wasm
	cargo build --release --locked
	cd wasm && FINALIST=$(abspath $(FINALIST)) npm test

.PHONY: module-wasm module-wasm-scalar package-wasm test-wasm
