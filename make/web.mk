# SPDX-License-Identifier: MIT OR Apache-2.0
# The WebAssembly module, its npm package and its page.

# Writes the npm package and the page to wasm/dist.
## package-wasm: write the npm package and the page to wasm/dist
package-wasm: needs-browser build/cross/wasm/configured build/cross/wasm-scalar/configured
	cmake --build build/cross/wasm -j $(JOBS) --target finalist_module
	cmake --build build/cross/wasm-scalar -j $(JOBS) --target finalist_module
	cd wasm && npm ci --no-audit --no-fund && npm run build

# Tests the package as npm packs it, and compares the page in Chromium with the tool.
## test-wasm: test the npm package and the page
test-wasm: package-wasm
	cargo build --release --locked
	cd wasm && FINALIST=$(abspath $(FINALIST)) npm test

.PHONY: package-wasm test-wasm
