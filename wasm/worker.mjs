// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * A Web Worker that hashes, so that the page does not block. client.mjs sends requests
 * { id, kind, ... } and gets answers { id, progress }, { id, result } or { id, error }.
 */
import { load } from "./finalist.mjs";
import { digest } from "./stream.mjs";

/** Shortest interval between progress reports. */
const PROGRESS_MS = 50;
const BENCHMARK_BYTES = 1 << 16;

let finalist;
const running = new Map();

/** @param {MessagePort | DedicatedWorkerGlobalScope} scope */
async function answer(scope, { id, kind, ...request }) {
  if (kind === "cancel") {
    running.get(id)?.abort();
    return;
  }
  try {
    const result = await HANDLERS[kind](request, id, scope);
    scope.postMessage({ id, result });
  } catch (error) {
    const { name, message, status } = error;
    scope.postMessage({ id, error: { name, message, status } });
  } finally {
    running.delete(id);
  }
}

const HANDLERS = {
  async load({ module }) {
    finalist = await load(typeof module === "string" ? fromBase64(module) : module);
    return { version: finalist.version, algorithms: finalist.algorithms() };
  },

  async digest({ source, algorithms }, id, scope) {
    const abort = new AbortController();
    running.set(id, abort);
    let shown = performance.now();
    const onProgress = (bytes) => {
      const now = performance.now();
      if (now - shown >= PROGRESS_MS) {
        shown = now;
        scope.postMessage({ id, progress: bytes });
      }
    };
    return digest(finalist, source, algorithms, { onProgress, signal: abort.signal });
  },

  /** Measures bytes per second, of one message and of several at once. */
  async benchmark({ algorithms, milliseconds }) {
    const message = new Uint8Array(BENCHMARK_BYTES).fill(0xa5);
    const batch = Array.from({ length: 16 }, () => message.subarray(0, BENCHMARK_BYTES / 16));
    return algorithms.map((algorithm) => ({
      algorithm,
      implementation: finalist.selected(algorithm),
      one: speed(() => finalist.hash(algorithm, message), milliseconds),
      many: speed(() => finalist.hashMany(algorithm, batch), milliseconds),
    }));
  },
};

/** Returns the median of several measurements of bytes per second. */
function speed(hash, milliseconds) {
  const COUNTS = 5;
  hash();
  const counts = Array.from({ length: COUNTS }, () => {
    const start = performance.now();
    let calls = 0;
    let now = start;
    while (now - start < milliseconds / COUNTS) {
      hash();
      calls++;
      now = performance.now();
    }
    return (calls * BENCHMARK_BYTES * 1000) / (now - start);
  });
  return counts.sort((a, b) => a - b)[COUNTS >> 1];
}

function fromBase64(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) {
    bytes[i] = characters.charCodeAt(i);
  }
  return bytes;
}

globalThis.addEventListener("message", ({ data }) => answer(globalThis, data));
