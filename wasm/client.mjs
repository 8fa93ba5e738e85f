// SPDX-License-Identifier: MIT OR Apache-2.0
/** The page's side of worker.mjs. */

/** Hashes in a Web Worker. */
export class HashWorker {
  #worker;
  #requests = new Map();
  #next = 0;

  /**
   * @param {Worker} worker   one that runs worker.mjs; bundlers find it by
   *   new Worker(new URL("finalist-wasm/worker", import.meta.url), { type: "module" })
   */
  constructor(worker) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => this.#answered(data));
    worker.addEventListener("error", (event) => this.#fail(event.message || "the worker failed"));
  }

  /**
   * A worker with the module that comes with the package.
   * @param {Promise<BufferSource>} module   what moduleBytes returns
   */
  static async start(module) {
    const url = new URL("./worker.mjs", import.meta.url);
    const client = new HashWorker(new Worker(url, { type: "module" }));
    await client.load(await module);
    return client;
  }

  #answered({ id, progress, result, error }) {
    const request = this.#requests.get(id);
    if (request === undefined) {
      return;
    }
    if (progress !== undefined) {
      request.onProgress?.(progress);
      return;
    }
    this.#requests.delete(id);
    if (error === undefined) {
      request.resolve(result);
    } else {
      request.reject(Object.assign(new Error(error.message), { name: error.name }));
    }
  }

  #fail(message) {
    for (const { reject } of this.#requests.values()) {
      reject(new Error(message));
    }
    this.#requests.clear();
  }

  #ask(request, { onProgress = undefined, signal = undefined, transfer = [] } = {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#requests.set(id, { resolve, reject, onProgress });
      signal?.addEventListener("abort", () => this.#worker.postMessage({ id, kind: "cancel" }));
      this.#worker.postMessage({ id, ...request }, transfer);
    });
  }

  /**
   * Gives the worker its module: bytes, or bytes in base64. Resolves to its version and algorithms.
   * @param {BufferSource | WebAssembly.Module | string} module
   */
  load(module) {
    return this.#ask({ kind: "load", module });
  }

  /**
   * As digest in stream.mjs. A ReadableStream is transferred to the worker.
   * @param {Blob | ReadableStream | ArrayBuffer | ArrayBufferView} source
   * @param {(string | import("./stream.mjs").Asked)[]} algorithms
   * @param {import("./stream.mjs").Options} [options]
   * @returns {Promise<import("./stream.mjs").Digest[]>}
   */
  digest(source, algorithms, options = {}) {
    const transfer = source instanceof ReadableStream ? [source] : [];
    return this.#ask({ kind: "digest", source, algorithms }, { ...options, transfer });
  }

  /**
   * Bytes in a second by each algorithm, of one message and of sixteen at once.
   * @param {string[]} algorithms
   * @param {number} milliseconds   for each figure
   */
  benchmark(algorithms, milliseconds) {
    return this.#ask({ kind: "benchmark", algorithms, milliseconds });
  }

  /** Ends the worker; what is in progress fails. */
  close() {
    this.#worker.terminate();
    this.#fail("the worker was closed");
  }
}
