// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * The package: the library with its module, streams, and a Web Worker.
 *
 *   import { open, digest } from "finalist-wasm";
 *   const finalist = await open();
 *   const [{ hex }] = await digest(finalist, file, ["blake3"]);
 *
 * @typedef {import("./names.mjs").AlgorithmName} AlgorithmName
 */
import { asFields, asFlag } from "./arguments.mjs";
import { load } from "./finalist.mjs";

export { FinalistError, Status, XOF_UNKNOWN, load } from "./finalist.mjs";
export { chunks, digest, hexOf } from "./stream.mjs";
export { HashWorker } from "./client.mjs";

/** A module whose only function uses a vector: valid only with SIMD128. */
const SIMD_PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
  10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** Returns true if this engine has SIMD128. */
export function hasSimd() {
  return WebAssembly.validate(SIMD_PROBE);
}

/**
 * Returns the bytes of the package's module.
 * @param {{ simd?: boolean }} [options]   simd: default: whether the engine has it
 * @returns {Promise<BufferSource>}
 */
export async function moduleBytes(options = {}) {
  const { simd = hasSimd() } = asFields(options, { simd: 0 }, "options");
  const url = asFlag(simd, "simd")
    ? new URL("./dist/finalist.wasm", import.meta.url)
    : new URL("./dist/finalist-scalar.wasm", import.meta.url);
  if (url.protocol === "file:" && globalThis.process?.versions?.node !== undefined) {
    // Node's fetch cannot read files. The variable keeps bundlers for browsers from resolving the
    // import.
    const files = "node:fs/promises";
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${response.statusText}`);
  }
  return response.arrayBuffer();
}

/**
 * Loads the library with the package's module.
 * @param {{ simd?: boolean }} [options]
 * @returns {Promise<import("./finalist.mjs").Finalist>}
 */
export async function open(options = {}) {
  return load(moduleBytes(options));
}
